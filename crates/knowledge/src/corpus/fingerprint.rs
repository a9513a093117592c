//! Short descriptions of games by which copies are recognized.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_games::{GameRecord, Move};

/// Moves per gram of the sketch.
const GRAM: usize = 16;
/// Number of grams in a sketch.
pub(crate) const SKETCH: usize = 32;

/// The data of a game by which its copies are recognized.
///
/// The sketch contains the smallest hashes of all runs of 16 moves (Broder 1997).
/// Each move is written as its distance from the move before, so that symmetries
/// do not change it. The overlap of two sketches estimates the overlap of the
/// 16-move runs of their games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    /// Hash of the main line with its setup, the same under symmetry and color exchange.
    pub(crate) line: u64,
    /// Hash of the players and the date, the same with colors exchanged.
    pub(crate) header: u64,
    /// Number of moves in the main line.
    pub(crate) n_moves: u32,
    /// Number of runs in the game.
    pub(crate) n_grams: u32,
    /// The smallest hashes of runs in ascending order, padded with `u32::MAX`.
    pub(crate) sketch: [u32; SKETCH],
}

/// Size of a fingerprint in a file, in bytes.
pub(crate) const FINGERPRINT_BYTES: usize = 8 + 8 + 4 + 4 + 4 * SKETCH;

impl Fingerprint {
    pub(crate) fn of(record: &GameRecord) -> Fingerprint {
        let (n_grams, grams) = smallest_grams(&record.moves);
        let mut sketch = [u32::MAX; SKETCH];
        for (slot, gram) in sketch.iter_mut().zip(&grams) {
            *slot = *gram;
        }
        Fingerprint {
            line: line_hash(record),
            header: header_hash(record),
            n_moves: record.moves.len() as u32,
            n_grams: n_grams as u32,
            sketch,
        }
    }

    /// The fraction of the smaller game's runs that the other also has, estimated from the sketches.
    pub(crate) fn containment(&self, other: &Fingerprint) -> f64 {
        let n_smaller = self.n_grams.min(other.n_grams) as f64;
        if n_smaller == 0.0 {
            return 0.0;
        }
        let resemblance = self.resemblance(other);
        let n_shared = resemblance / (1.0 + resemblance) * (self.n_grams + other.n_grams) as f64;
        (n_shared / n_smaller).min(1.0)
    }

    /// The number of shared runs divided by the number of runs in either.
    fn resemblance(&self, other: &Fingerprint) -> f64 {
        let (mut i, mut j, mut n_union, mut n_shared) = (0, 0, 0, 0);
        // The smallest hashes of the union are an unbiased sample of it.
        while n_union < SKETCH && i < SKETCH && j < SKETCH {
            let (a, b) = (self.sketch[i], other.sketch[j]);
            if a == u32::MAX && b == u32::MAX {
                break;
            }
            n_shared += usize::from(a == b);
            n_union += 1;
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        n_shared as f64 / (n_union as f64).max(1.0)
    }

    pub(crate) fn write_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.line.to_le_bytes());
        bytes.extend(self.header.to_le_bytes());
        bytes.extend(self.n_moves.to_le_bytes());
        bytes.extend(self.n_grams.to_le_bytes());
        for gram in self.sketch {
            bytes.extend(gram.to_le_bytes());
        }
    }

    /// Reads one fingerprint; `None` if the number of bytes is wrong.
    pub(crate) fn read(bytes: &[u8]) -> Option<Fingerprint> {
        let word = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let half = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let mut sketch = [0; SKETCH];
        for (i, slot) in sketch.iter_mut().enumerate() {
            *slot = half(24 + 4 * i)?;
        }
        Some(Fingerprint { line: word(0)?, header: word(8)?, n_moves: half(16)?, n_grams: half(20)?, sketch })
    }
}

/// The number of runs of [`GRAM`] moves, and their smallest hashes, distinct and in ascending order.
fn smallest_grams(moves: &[Move]) -> (usize, Vec<u32>) {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    const LEAVING: u64 = {
        let mut power = 1u64;
        let mut i = 0;
        while i < GRAM - 2 {
            power = power.wrapping_mul(BASE);
            i += 1;
        }
        power
    };
    let codes: Vec<u64> = moves.windows(2).map(|pair| step_code(pair[0].point, pair[1].point)).collect();
    let length = GRAM - 1;
    let mut rolling = 0u64;
    let mut grams = Vec::with_capacity(codes.len());
    for (i, &code) in codes.iter().enumerate() {
        if i >= length {
            rolling = rolling.wrapping_sub(codes[i - length].wrapping_mul(LEAVING));
        }
        rolling = rolling.wrapping_mul(BASE).wrapping_add(code);
        if i + 1 >= length {
            // The largest value is reserved for "no gram".
            grams.push(((mix(rolling) >> 32) as u32).min(u32::MAX - 1));
        }
    }
    let n_grams = grams.len();
    // Few runs repeat within a game, so twice the wanted number is enough.
    if n_grams > 2 * SKETCH {
        grams.select_nth_unstable(2 * SKETCH);
        grams.truncate(2 * SKETCH);
    }
    grams.sort_unstable();
    grams.dedup();
    (n_grams, grams)
}

/// The distance from one move to the next: the larger and the smaller part, without signs.
fn step_code(from: Option<Point>, to: Option<Point>) -> u64 {
    let (Some(from), Some(to)) = (from, to) else { return 1 };
    let (dx, dy) = (from.x().abs_diff(to.x()), from.y().abs_diff(to.y()));
    2 + (dx.min(dy) as u64) * 32 + dx.max(dy) as u64
}

/// A hash of the main line and the setup, the same for all eight symmetries and both colors.
fn line_hash(record: &GameRecord) -> u64 {
    let first = record.moves.first().map_or(Color::Black, |m| m.color);
    let alternates = record.moves.windows(2).all(|pair| pair[0].color != pair[1].color);
    let mut hashes = [record.size.get() as u64; 8];
    let blacks = record.setup_black.iter().map(|p| (p, first == Color::Black));
    let whites = record.setup_white.iter().map(|p| (p, first == Color::White));
    for (&point, is_first) in blacks.chain(whites) {
        // A sum, because setup stones have no order.
        for (hash, place) in hashes.iter_mut().zip(places(point, record.size)) {
            *hash = hash.wrapping_add(mix(place * 2 + u64::from(is_first) + 0x5e7));
        }
    }
    hashes = hashes.map(mix);
    for m in &record.moves {
        let turn = if alternates { 0 } else { 1 + u64::from(m.color == first) };
        let places = m.point.map_or([1023; 8], |p| places(p, record.size));
        // Eight independent chains, which the processor can compute in parallel.
        for (hash, place) in hashes.iter_mut().zip(places) {
            *hash = (*hash ^ (place * 4 + turn)).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29);
        }
    }
    mix(hashes.into_iter().min().expect("there are eight symmetries"))
}

/// The point's number under each symmetry.
fn places(point: Point, size: BoardSize) -> [u64; 8] {
    let last = size.get() as u64 - 1;
    let (x, y) = (point.x() as u64, point.y() as u64);
    let (mirror_x, mirror_y) = (last - x, last - y);
    let number = |x: u64, y: u64| y * 32 + x;
    [
        number(x, y),
        number(mirror_x, y),
        number(x, mirror_y),
        number(mirror_x, mirror_y),
        number(y, x),
        number(y, mirror_x),
        number(mirror_y, x),
        number(mirror_y, mirror_x),
    ]
}

fn header_hash(record: &GameRecord) -> u64 {
    let name = |name: &Option<String>| name.as_deref().unwrap_or("").to_lowercase();
    let mut players = [name(&record.header.black), name(&record.header.white)];
    players.sort();
    let date = record.header.date.map(|date| date.to_string()).unwrap_or_default();
    xxhash_rust::xxh3::xxh3_64(format!("{}\0{}\0{date}", players[0], players[1]).as_bytes())
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::Symmetry;

    fn random_game(seed: u64, n_moves: usize) -> GameRecord {
        let mut record = GameRecord::new(BoardSize::NINETEEN);
        let mut state = seed;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % n) as u8
        };
        for i in 0..n_moves {
            let color = if i % 2 == 0 { Color::Black } else { Color::White };
            record.moves.push(Move { color, point: Some(Point::new(below(19), below(19))) });
        }
        record
    }

    #[test]
    fn symmetry_and_color_do_not_matter() {
        let mut game = random_game(1, 120);
        game.setup_black = vec![Point::new(3, 3)];
        let original = Fingerprint::of(&game);
        for symmetry in Symmetry::ALL {
            let mut twin = game.clone();
            let apply = |p: Point| symmetry.apply(p, game.size);
            twin.moves.iter_mut().for_each(|m| {
                m.point = m.point.map(apply);
                m.color = m.color.opponent();
            });
            twin.setup_white = twin.setup_black.drain(..).map(apply).collect();
            assert_eq!(Fingerprint::of(&twin), original, "{symmetry:?}");
        }
        let mut other = game.clone();
        other.moves[100].point = None;
        assert_ne!(Fingerprint::of(&other).line, original.line);
    }

    #[test]
    fn copies_differ_from_games_with_the_same_opening() {
        let game = random_game(2, 220);
        let original = Fingerprint::of(&game);
        let containment = |change: &dyn Fn(&mut GameRecord)| {
            let mut copy = game.clone();
            change(&mut copy);
            Fingerprint::of(&copy).containment(&original)
        };
        assert_eq!(containment(&|_| ()), 1.0);
        assert!(containment(&|g| g.moves[90].point = Some(Point::new(0, 0))) > 0.8);
        assert!(containment(&|g| g.moves.truncate(150)) > 0.8);
        assert!(containment(&|g| _ = g.moves.remove(60)) > 0.8);
        let other = random_game(3, 220);
        assert!(containment(&|g| g.moves[50..].copy_from_slice(&other.moves[50..])) < 0.4);
        assert_eq!(Fingerprint::of(&other).containment(&original), 0.0);
    }

    #[test]
    fn bytes_give_back_the_fingerprint() {
        let original = Fingerprint::of(&random_game(4, 40));
        let mut bytes = Vec::new();
        original.write_to(&mut bytes);
        assert_eq!(bytes.len(), FINGERPRINT_BYTES);
        assert_eq!(Fingerprint::read(&bytes), Some(original));
        assert_eq!(Fingerprint::read(&bytes[1..]), None);
    }
}
