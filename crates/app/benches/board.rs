//! Compares the speed of the board with the crates goban and go_game_board, and checks that they agree.
//!
//! ```text
//! cargo bench -p tejun --bench board -- [FILE] [--runs N]
//! ```
//!
//! FILE has one SGF game per line; without it, the sample collection is replayed. Everything runs on one thread. All
//! three boards check that each move is legal (suicide and simple ko) before playing it.

mod collection;
mod measure;
mod random;

use std::path::PathBuf;

use clap::Parser;
use go_game_board as libego;
use goban::rules::game::Game;
use goban::rules::{GobanSizes, JAPANESE};
use tejun::reports::table::{Align, Table};
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_games::{GameRecord, sgf};

use crate::collection::read_games;
use crate::measure::{Measured, measure};
use crate::random::Random;

/// Number of random games per measurement.
const N_PLAYOUTS: usize = 2000;

#[derive(Parser)]
struct Args {
    /// A file with one game per line [default: the sample collection]
    file: Option<PathBuf>,
    /// Number of times each measurement is repeated
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Set by Cargo for benchmarks; without it everything runs once, as a test
    #[arg(long, hide = true)]
    bench: bool,
}

/// The result of playing: the same for every correct board.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Played {
    n_moves: usize,
    n_captured: usize,
    /// Hash of the stones at the end of every game.
    stones: u64,
}

/// A board that implements Japanese rules.
trait Rival {
    fn empty(size: BoardSize) -> Self;
    /// Plays the move if it is legal.
    fn try_play(&mut self, color: Color, point: Point) -> bool;
    fn pass(&mut self, color: Color);
    fn stone(&self, point: Point) -> Option<Color>;
}

impl Rival for Board {
    fn empty(size: BoardSize) -> Board {
        Board::new(size)
    }

    fn try_play(&mut self, color: Color, point: Point) -> bool {
        self.play(color, point).is_ok()
    }

    fn pass(&mut self, _: Color) {
        Board::pass(self);
    }

    fn stone(&self, point: Point) -> Option<Color> {
        Board::stone(self, point)
    }
}

impl Rival for Game {
    fn empty(size: BoardSize) -> Game {
        Game::new(GobanSizes::Custom(size.get().into(), size.get().into()), JAPANESE)
    }

    fn try_play(&mut self, _: Color, point: Point) -> bool {
        Game::try_play(self, goban::rules::Move::Play(point.y(), point.x())).is_ok()
    }

    fn pass(&mut self, _: Color) {
        Game::play(self, goban::rules::Move::Pass);
    }

    fn stone(&self, point: Point) -> Option<Color> {
        self.goban().get_color((point.y(), point.x())).map(|color| match color {
            goban::pieces::stones::Color::Black => Color::Black,
            goban::pieces::stones::Color::White => Color::White,
        })
    }
}

fn vertex(point: Point) -> libego::Vertex {
    libego::Vertex::from_coords(point.y().into(), point.x().into())
}

fn player(color: Color) -> libego::Player {
    match color {
        Color::Black => libego::Player::Black,
        Color::White => libego::Player::White,
    }
}

impl Rival for libego::Board {
    fn empty(size: BoardSize) -> libego::Board {
        libego::Board::with_size(size.get().into(), size.get().into())
    }

    fn try_play(&mut self, color: Color, point: Point) -> bool {
        let is_legal = self.is_legal(player(color), vertex(point));
        if is_legal {
            self.play_legal(player(color), vertex(point));
        }
        is_legal
    }

    fn pass(&mut self, color: Color) {
        self.play_legal(player(color), libego::Vertex::pass());
    }

    fn stone(&self, point: Point) -> Option<Color> {
        match self.color_at(vertex(point)) {
            libego::Color::Black => Some(Color::Black),
            libego::Color::White => Some(Color::White),
            _ => None,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let n_runs = if args.bench { args.runs } else { 1 };
    let n_playouts = if args.bench { N_PLAYOUTS } else { 20 };
    let (_, text) = read_games(args.file.as_deref())?;
    let records: Vec<GameRecord> = sgf::Reader::new(&text).filter_map(|tree| sgf::main_line(&tree).ok()).collect();
    let games: Vec<&GameRecord> = records.iter().filter(|record| is_plain(record)).collect();
    println!(
        "{} games, {} of them skipped: setup stones, suicide, early passes, or two moves of a side in a row",
        records.len(),
        records.len() - games.len()
    );
    let mut table = Table::new(&[
        ("what", Align::Left),
        ("board", Align::Left),
        ("moves", Align::Right),
        ("best s", Align::Right),
        ("median s", Align::Right),
        ("CPU s", Align::Right),
        ("million moves/s", Align::Right),
        ("tejun is x", Align::Right),
    ]);
    compare(
        "replay of games",
        &mut table,
        [
            measure(n_runs, || replay_all::<Board>(&games)),
            measure(n_runs, || replay_all::<Game>(&games)),
            measure(n_runs, || replay_all::<libego::Board>(&games)),
        ],
    );
    for lines in [9, 19] {
        let size = BoardSize::new(lines)?;
        compare(
            &format!("random games {lines}x{lines}"),
            &mut table,
            [
                measure(n_runs, || play_out_all::<Board>(size, n_playouts)),
                measure(n_runs, || play_out_all::<Game>(size, n_playouts)),
                measure(n_runs, || play_out_all::<libego::Board>(size, n_playouts)),
            ],
        );
    }
    println!("\n{}", table.to_text());
    Ok(())
}

/// Whether every board can play the game: goban only alternates colors, and the other boards do not support setup
/// stones.
fn is_plain(record: &GameRecord) -> bool {
    let colors = [Color::Black, Color::White].into_iter().cycle();
    let last_stone = record.moves.iter().rposition(|m| m.point.is_some()).unwrap_or(0);
    let replay = record.replay();
    record.setup_black.is_empty()
        && record.setup_white.is_empty()
        && replay.suicides.is_empty()
        && replay.illegal.is_none()
        && record.moves.iter().zip(colors).all(|(m, color)| m.color == color)
        && record.moves[..last_stone].iter().all(|m| m.point.is_some())
}

fn compare(what: &str, table: &mut Table, measured: [Measured<Played>; 3]) {
    let ours = measured[0].best;
    let answer = measured[0].answer;
    for (name, rival) in ["tejun", "goban", "go_game_board"].into_iter().zip(measured) {
        assert_eq!(rival.answer, answer, "{name} plays as tejun does");
        table.push(vec![
            what.into(),
            name.into(),
            answer.n_moves.to_string(),
            format!("{:.3}", rival.best),
            format!("{:.3}", rival.median),
            rival.processor.map_or("-".into(), |seconds| format!("{seconds:.2}")),
            format!("{:.2}", answer.n_moves as f64 / rival.best / 1e6),
            format!("{:.2}", rival.best / ours),
        ]);
    }
}

fn replay_all<B: Rival>(games: &[&GameRecord]) -> Played {
    let mut played = Played::default();
    for game in games {
        let mut board = B::empty(game.size);
        let stones = game.moves.iter().filter_map(|m| Some((m.color, m.point?)));
        let mut n_moves = 0;
        for (color, point) in stones {
            assert!(board.try_play(color, point), "a selected game is legal");
            n_moves += 1;
        }
        played.add(&board, game.size, n_moves);
    }
    played
}

impl Played {
    fn add(&mut self, board: &impl Rival, size: BoardSize, n_moves: usize) {
        let mut n_stones = 0;
        for point in size.points() {
            let stone = board.stone(point);
            n_stones += usize::from(stone.is_some());
            let code = stone.map_or(3, |color| color as u64 + 1);
            self.stones = (self.stones ^ code).wrapping_mul(0x100_0000_01b3);
        }
        self.n_moves += n_moves;
        // Without suicide, every missing stone was captured.
        self.n_captured += n_moves - n_stones;
    }
}

fn play_out_all<B: Rival>(size: BoardSize, n_playouts: usize) -> Played {
    let mut random = Random::new(size.get().into());
    let mut played = Played::default();
    for _ in 0..n_playouts {
        let mut board = B::empty(size);
        let n_moves = play_out(&mut board, size, &mut random);
        played.add(&board, size, n_moves);
    }
    played
}

/// Plays random legal moves, except into own eyes, until both sides pass; returns the number of moves.
fn play_out(board: &mut impl Rival, size: BoardSize, random: &mut Random) -> usize {
    let mut points: Vec<Point> = size.points().collect();
    let (mut n_moves, mut n_passes, mut color) = (0, 0, Color::Black);
    // Kos can cycle forever.
    while n_passes < 2 && n_moves < 3 * points.len() {
        let has_moved = (0..points.len()).any(|i| {
            let chosen = i + random.below(points.len() - i);
            points.swap(i, chosen);
            let point = points[i];
            board.stone(point).is_none() && !is_own_eye(board, size, color, point) && board.try_play(color, point)
        });
        if has_moved {
            n_moves += 1;
            n_passes = 0;
        } else {
            n_passes += 1;
            if n_passes < 2 {
                board.pass(color);
            }
        }
        color = color.opponent();
    }
    n_moves
}

fn is_own_eye(board: &impl Rival, size: BoardSize, color: Color, point: Point) -> bool {
    point.neighbors(size).all(|near| board.stone(near) == Some(color))
}
