//! Answers on disk, so that no position is searched twice.
//!
//! A folder with one small file for each position, `ab/cdef….json`, named by
//! the key. A file appears whole or not at all, and ends in a checksum: an
//! damaged answer counts as absent. Files of version 1 have no
//! checksum and are still read.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use tejun_files::{IfExists, NewFile};
use tejun_games::go::{Color, Point};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, MoveValue, Question, QuestionQueue};

/// The version of the files' format.
const VERSION: u64 = 2;
/// The version without a checksum.
const UNCHECKED_VERSION: u64 = 1;

/// The key of an answer: 128 bits of the evaluator and the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EvaluationKey(u128);

impl EvaluationKey {
    /// The key of a question to an evaluator of this identity.
    pub fn new(identity: &str, question: &Question<'_>) -> EvaluationKey {
        let mut hasher = Xxh3Default::new();
        // Each part has a length before it or a fixed one, so that no two
        // questions are the same bytes.
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        part(identity.as_bytes());
        part(&[question.start.size().get(), color_byte(question.color)]);
        for color in [Color::Black, Color::White] {
            part(&question.start.stones(color).iter().flat_map(Point::to_sgf).collect::<Vec<u8>>());
        }
        let moves = question.moves.iter().flat_map(|m| {
            let [x, y] = letters(m.point);
            [color_byte(m.color), x, y]
        });
        part(&moves.collect::<Vec<u8>>());
        // Both zeros mean that there is no komi.
        part(&(question.komi + 0.0).to_le_bytes());
        part(&letters(question.played));
        EvaluationKey(hasher.digest128())
    }

    /// The file of this key in a folder.
    fn path(self, folder: &Path) -> PathBuf {
        let name = self.to_hex();
        folder.join(&name[..2]).join(format!("{}.json", &name[2..]))
    }

    fn to_hex(self) -> String {
        format!("{:032x}", self.0)
    }
}

fn color_byte(color: Color) -> u8 {
    match color {
        Color::Black => b'B',
        Color::White => b'W',
    }
}

/// The letters of a point; two hyphens for none.
fn letters(point: Option<Point>) -> [u8; 2] {
    point.map_or([b'-'; 2], Point::to_sgf)
}

/// Answers in a folder. Several threads and programs may use it at once.
#[derive(Debug)]
pub struct EvaluationCache {
    folder: PathBuf,
    n_hits: AtomicUsize,
    n_misses: AtomicUsize,
    n_damaged: AtomicUsize,
    n_unwritten: AtomicUsize,
}

impl EvaluationCache {
    /// The answers in a folder, which is created if necessary.
    ///
    /// # Errors
    /// If it can't be created.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<EvaluationCache> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        let [n_hits, n_misses, n_damaged, n_unwritten] = Default::default();
        Ok(EvaluationCache { folder, n_hits, n_misses, n_damaged, n_unwritten })
    }

    /// The answer kept under a key. A damaged or foreign file counts as absent.
    pub fn get(&self, key: EvaluationKey) -> Option<Evaluation> {
        let text = fs::read(key.path(&self.folder)).ok();
        let found = text.as_ref().and_then(|text| from_text(text, key));
        if text.is_some() && found.is_none() {
            self.n_damaged.fetch_add(1, Ordering::Relaxed);
        }
        let counter = if found.is_some() { &self.n_hits } else { &self.n_misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// Keeps an answer and replaces an older one. Numbers that are not finite are omitted.
    ///
    /// # Errors
    /// If the file can't be written; such answers are also counted.
    pub fn put(&self, key: EvaluationKey, evaluation: &Evaluation) -> io::Result<()> {
        let written = write_answer(&key.path(&self.folder), &to_text(evaluation, key));
        if written.is_err() {
            self.n_unwritten.fetch_add(1, Ordering::Relaxed);
        }
        written
    }

    /// How many answers were found.
    pub fn n_hits(&self) -> usize {
        self.n_hits.load(Ordering::Relaxed)
    }

    /// How many answers were not found, damaged ones among them.
    pub fn n_misses(&self) -> usize {
        self.n_misses.load(Ordering::Relaxed)
    }

    /// How many files were damaged or not ours.
    pub fn n_damaged(&self) -> usize {
        self.n_damaged.load(Ordering::Relaxed)
    }

    /// How many answers could not be kept.
    pub fn n_unwritten(&self) -> usize {
        self.n_unwritten.load(Ordering::Relaxed)
    }
}

fn write_answer(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = NewFile::create(path)?;
    file.write_all(text.as_bytes())?;
    // A power failure may damage it, which the checksum reveals.
    file.commit_unsynced(IfExists::Replace)
}

fn to_text(evaluation: &Evaluation, key: EvaluationKey) -> String {
    let mut file = Map::new();
    file.insert("v".into(), json!(VERSION));
    file.insert("k".into(), json!(key.to_hex()));
    add(&mut file, "w", evaluation.win_rate);
    add(&mut file, "l", evaluation.lead);
    file.insert("m".into(), evaluation.moves.iter().map(move_to_json).collect());
    let text = Value::Object(file).to_string();
    let checksum = xxh3_64(text.as_bytes());
    format!("{text}\n{checksum:016x}\n")
}

/// Adds a number that is known and finite.
fn add(map: &mut Map<String, Value>, name: &str, number: Option<f64>) {
    if let Some(number) = number.filter(|number| number.is_finite()) {
        map.insert(name.into(), json!(number));
    }
}

fn move_to_json(value: &MoveValue) -> Value {
    let mut map = Map::new();
    map.insert("p".into(), json!(point_text(value.point)));
    map.insert("n".into(), json!(value.visits));
    add(&mut map, "w", value.win_rate);
    add(&mut map, "u", value.bound);
    add(&mut map, "r", value.prior);
    add(&mut map, "l", value.lead);
    map.insert("s".into(), value.line.iter().map(|point| json!(point_text(*point))).collect());
    Value::Object(map)
}

fn point_text(point: Option<Point>) -> String {
    point.map_or(String::new(), |point| point.to_sgf().map(char::from).iter().collect())
}

/// Reads a file; `None` if any part of it has changed.
fn from_text(text: &[u8], key: EvaluationKey) -> Option<Evaluation> {
    let (line, after) = text.split_at(text.iter().position(|byte| *byte == b'\n')?);
    let file: Value = serde_json::from_slice(line).ok()?;
    let (version, end) = match after {
        b"\n" => (UNCHECKED_VERSION, String::new()),
        _ => (VERSION, format!("\n{:016x}\n", xxh3_64(line))),
    };
    if version == VERSION && after != end.as_bytes() {
        return None;
    }
    if file["v"] != json!(version) || file["k"] != json!(key.to_hex()) {
        return None;
    }
    let moves: Option<Vec<MoveValue>> = file["m"].as_array()?.iter().map(move_from_json).collect();
    Some(Evaluation { win_rate: number(&file["w"])?, lead: number(&file["l"])?, moves: moves? })
}

fn move_from_json(value: &Value) -> Option<MoveValue> {
    let line: Option<Vec<Option<Point>>> = value["s"].as_array()?.iter().map(point_from_json).collect();
    Some(MoveValue {
        point: point_from_json(&value["p"])?,
        visits: u32::try_from(value["n"].as_u64()?).ok()?,
        win_rate: number(&value["w"])?,
        bound: number(&value["u"])?,
        prior: number(&value["r"])?,
        lead: number(&value["l"])?,
        line: line?,
    })
}

/// A number that may be absent; `None` for anything else.
fn number(value: &Value) -> Option<Option<f64>> {
    match value {
        Value::Null => Some(None),
        Value::Number(number) => number.as_f64().map(Some),
        _ => None,
    }
}

fn point_from_json(value: &Value) -> Option<Option<Point>> {
    match value.as_str()?.as_bytes() {
        [] => Some(None),
        &[x, y] => Point::from_sgf([x, y]).map(Some),
        _ => None,
    }
}

/// An evaluator that is only asked questions whose answers are not in the cache.
///
/// An answer that can't be kept is still returned; the cache counts it.
pub struct Cached<E> {
    cache: Arc<EvaluationCache>,
    inner: E,
}

impl<E: Evaluator> Cached<E> {
    /// Keeps the answers of an evaluator.
    pub fn new(cache: Arc<EvaluationCache>, inner: E) -> Cached<E> {
        Cached { cache, inner }
    }
}

impl<E: Evaluator> Evaluator for Cached<E> {
    fn identity(&self) -> &str {
        self.inner.identity()
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        let key = EvaluationKey::new(self.inner.identity(), question);
        if let Some(kept) = self.cache.get(key) {
            return Ok(kept);
        }
        let found = self.inner.evaluate(question)?;
        // Counted by the cache: a full disk must not cost the answer.
        let _ = self.cache.put(key, &found);
        Ok(found)
    }

    fn evaluate_queue(&mut self, queue: &mut dyn QuestionQueue<'_>) {
        let identity = self.inner.identity().to_string();
        self.inner.evaluate_queue(&mut UnknownQuestions { queue, cache: &self.cache, identity, keys: HashMap::new() });
    }
}

/// The questions of a queue whose answers are not in the cache.
struct UnknownQuestions<'q, 'g> {
    queue: &'q mut dyn QuestionQueue<'g>,
    cache: &'q EvaluationCache,
    identity: String,
    /// Where the answers that are still to come will be kept.
    keys: HashMap<usize, EvaluationKey>,
}

impl<'g> QuestionQueue<'g> for UnknownQuestions<'_, 'g> {
    fn next_question(&mut self) -> Option<(usize, Question<'g>)> {
        loop {
            let (number, question) = self.queue.next_question()?;
            let key = EvaluationKey::new(&self.identity, &question);
            let Some(kept) = self.cache.get(key) else {
                self.keys.insert(number, key);
                return Some((number, question));
            };
            self.queue.answer(number, Ok(kept));
        }
    }

    fn answer(&mut self, number: usize, answer: Result<Evaluation, EvaluationError>) {
        if let (Ok(found), Some(key)) = (&answer, self.keys.remove(&number)) {
            // As for a single question.
            let _ = self.cache.put(key, found);
        }
        self.queue.answer(number, answer);
    }

    fn is_over(&self) -> bool {
        self.queue.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tejun_games::Move;
    use tejun_games::go::{Board, BoardSize};

    fn any_point() -> impl Strategy<Value = Option<Point>> {
        prop::option::of((0..19_u8, 0..19_u8).prop_map(|(x, y)| Point::new(x, y)))
    }

    fn any_number() -> impl Strategy<Value = Option<f64>> {
        prop::option::of(prop_oneof![0.0..1.0, prop::num::f64::NORMAL | prop::num::f64::ZERO])
    }

    fn any_move() -> impl Strategy<Value = MoveValue> {
        let numbers = (any_number(), any_number(), any_number(), any_number());
        (any_point(), any::<u32>(), numbers, prop::collection::vec(any_point(), 0..6)).prop_map(
            |(point, visits, (win_rate, bound, prior, lead), line)| MoveValue {
                point,
                visits,
                win_rate,
                bound,
                prior,
                lead,
                line,
            },
        )
    }

    fn answer() -> Evaluation {
        let point = Some(Point::new(3, 3));
        let best = MoveValue {
            point,
            visits: 7,
            win_rate: Some(0.1),
            bound: None,
            prior: Some(0.3),
            lead: Some(-2.5),
            line: vec![point, None],
        };
        Evaluation { win_rate: Some(0.1), lead: None, moves: vec![best] }
    }

    /// Counts how often it is asked.
    struct Counting(Arc<AtomicUsize>);

    impl Evaluator for Counting {
        fn identity(&self) -> &str {
            "counting"
        }

        fn evaluate(&mut self, _: &Question<'_>) -> Result<Evaluation, EvaluationError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(answer())
        }
    }

    fn question(board: &Board) -> Question<'_> {
        Question { start: board, moves: &[], board, color: Color::Black, komi: 6.5, played: None }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_written_is_read_back_exactly(
            win_rate in any_number(), lead in any_number(), moves in prop::collection::vec(any_move(), 0..5),
        ) {
            let evaluation = Evaluation { win_rate, lead, moves };
            let key = EvaluationKey(7);
            prop_assert_eq!(from_text(to_text(&evaluation, key).as_bytes(), key), Some(evaluation));
        }
    }

    #[test]
    fn different_questions_have_different_keys() {
        let board = Board::new(BoardSize::NINETEEN);
        let mut handicap = board.clone();
        handicap.place(Color::Black, Point::new(3, 3)).expect("an empty board");
        let small = Board::new(BoardSize::new(9).expect("a size"));
        let moves = |color, point| [Move { color, point }];
        let [one, other, pass] = [Some(Point::new(3, 3)), Some(Point::new(3, 4)), None];
        let [black, white, late, passed] =
            [moves(Color::Black, one), moves(Color::White, one), moves(Color::Black, other), moves(Color::Black, pass)];
        let asked = question(&board);
        let questions = [
            asked,
            Question { start: &handicap, ..asked },
            Question { start: &small, ..asked },
            Question { moves: &black, ..asked },
            Question { moves: &white, ..asked },
            Question { moves: &late, ..asked },
            Question { moves: &passed, ..asked },
            Question { color: Color::White, ..asked },
            Question { komi: 7.5, ..asked },
            Question { played: one, ..asked },
        ];
        let mut keys: Vec<EvaluationKey> = questions.iter().map(|q| EvaluationKey::new("a", q)).collect();
        keys.push(EvaluationKey::new("b", &asked));
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "key {index} is not new");
        }
        assert_eq!(EvaluationKey::new("a", &asked), keys[0]);
    }

    #[test]
    fn a_second_run_asks_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let n_asked = Arc::new(AtomicUsize::new(0));
        let board = Board::new(BoardSize::NINETEEN);
        let asked = question(&board);
        for run in 0..2 {
            let cache = Arc::new(EvaluationCache::open(folder.path().join("kept")).expect("a folder"));
            let mut cached = Cached::new(Arc::clone(&cache), Counting(Arc::clone(&n_asked)));
            for question in [asked, Question { komi: 0.5, ..asked }, asked] {
                assert_eq!(cached.evaluate(&question).expect("an answer"), answer());
            }
            assert_eq!(n_asked.load(Ordering::Relaxed), 2);
            assert_eq!((cache.n_hits(), cache.n_misses()), if run == 0 { (1, 2) } else { (3, 0) });
            assert_eq!((cache.n_damaged(), cache.n_unwritten()), (0, 0));
        }
    }

    #[test]
    fn damaged_and_foreign_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = EvaluationCache::open(folder.path()).expect("a folder");
        let board = Board::new(BoardSize::NINETEEN);
        let key = EvaluationKey::new("a", &question(&board));
        assert_eq!(cache.get(key), None);
        assert_eq!(cache.n_damaged(), 0);
        cache.put(key, &answer()).expect("a written file");
        let whole = fs::read(key.path(folder.path())).expect("a file");
        let text = String::from_utf8_lossy(&whole).into_owned();
        let damaged = [
            Vec::new(),
            whole[..whole.len() / 2].to_vec(),
            b"GIF89a\xff".to_vec(),
            b"[]".to_vec(),
            text.replace("\"v\":2", "\"v\":1").into_bytes(),
            text.replace("\"v\":2", "\"v\":3").into_bytes(),
            text.replace("0.3", "0.8").into_bytes(),
            text.lines().next().unwrap_or_default().as_bytes().to_vec(),
            text.replace("\"dd\"", "\"d\"").into_bytes(),
            text.replace("\"n\":7", "\"n\":-7").into_bytes(),
            text.replace(&key.to_hex(), &EvaluationKey(1).to_hex()).into_bytes(),
        ];
        for (index, bytes) in damaged.iter().enumerate() {
            assert_ne!(*bytes, whole);
            fs::write(key.path(folder.path()), bytes).expect("a written file");
            assert_eq!(cache.get(key), None, "{}", String::from_utf8_lossy(bytes));
            assert_eq!(cache.n_damaged(), index + 1);
            cache.put(key, &answer()).expect("a written file");
            assert_eq!(cache.get(key), Some(answer()));
        }
        let n_files = fs::read_dir(key.path(folder.path()).parent().expect("a folder")).expect("a folder").count();
        assert_eq!(n_files, 1, "no temporary file is left");
    }

    #[test]
    fn every_flipped_bit_is_noticed_and_files_without_checksum_are_read() {
        let key = EvaluationKey(7);
        let whole = to_text(&answer(), key);
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(from_text(&flipped, key), None, "bit {bit}: {}", String::from_utf8_lossy(&flipped));
        }
        let old = whole.replace("\"v\":2", "\"v\":1");
        let old = format!("{}\n", old.lines().next().expect("a line"));
        assert_eq!(from_text(old.as_bytes(), key), Some(answer()));
    }

    #[test]
    fn an_answer_that_cannot_be_kept_is_still_returned() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Arc::new(EvaluationCache::open(folder.path()).expect("a folder"));
        let board = Board::new(BoardSize::NINETEEN);
        let key = EvaluationKey::new("counting", &question(&board));
        // A file where a folder should be.
        fs::write(folder.path().join(&key.to_hex()[..2]), "").expect("a written file");
        let mut cached = Cached::new(Arc::clone(&cache), Counting(Arc::default()));
        assert_eq!(cached.evaluate(&question(&board)).expect("an answer"), answer());
        assert_eq!(cache.n_unwritten(), 1);
    }
}
