//! Patterns on the sample games: fast against naive counts, saved against learned models, and answers that add up.

use std::collections::HashMap;

use std::sync::Mutex;

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point, Suicide};
use tejun_knowledge::corpus::{Collection, GameTable, Selection, write_sample};
use tejun_knowledge::patterns::{
    PaperMethod, PaperModel, Partial, PatternBoard, PatternCounts, PatternModel, PatternOptions, harvest_patterns,
    precedents,
};
use tejun_knowledge::predictor::{MoveRank, Predictor, Situation, for_each_situation, measure};
use tejun_knowledge::progress::{CancelledAfter, NoProgress, Progress};

/// The first stage of learning.
const HARVEST: &str = "collecting patterns";

/// Remembers the stages of the work.
#[derive(Default)]
struct Stages(Mutex<Vec<String>>);

impl Stages {
    fn names(&self) -> Vec<String> {
        self.0.lock().expect("no thread panics").clone()
    }
}

impl Progress for Stages {
    fn start(&self, stage: &str, _: Option<u64>) {
        self.0.lock().expect("no thread panics").push(stage.into());
    }
}

/// Every n-th game of the sample.
fn sample(n: usize) -> GameTable {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample.parquet");
    write_sample(&path).expect("the sample is sound");
    let collection = Collection::open(&path).expect("a collection");
    GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table").split(n).1
}

fn options() -> PatternOptions {
    PatternOptions { held_out: 4, n_trees: 12, n_threads: 2, without: Vec::new() }
}

fn learned(games: &GameTable) -> PatternModel {
    PatternModel::learn(games, &options(), None, &NoProgress).expect("a small table")
}

/// The predictions for every move of a game, asked in this order.
fn answers(predictor: &mut dyn Predictor, games: &GameTable, game: usize, is_reversed: bool) -> Vec<Vec<f64>> {
    let mut found = Vec::new();
    let mut situations: Vec<(Vec<Move>, Board, Color, Vec<Point>)> = Vec::new();
    for_each_situation(games, game, |_, s, _| {
        situations.push((s.moves.to_vec(), s.board.clone(), s.color, s.legal.to_vec()));
    });
    let start = games.board_before(game, 0);
    let mut ask = |(moves, board, color, legal): &(Vec<Move>, Board, Color, Vec<Point>)| {
        found.push(predictor.predict(&Situation { start: &start, moves, board, color: *color, legal }));
    };
    if is_reversed {
        situations.iter().rev().for_each(&mut ask)
    } else {
        situations.iter().for_each(&mut ask)
    }
    if is_reversed {
        found.reverse();
    }
    found
}

#[test]
fn counts_match_a_naive_walk() {
    let games = sample(90);
    let n_templates = 5;
    let mut n_played: HashMap<u64, u32> = HashMap::new();
    let fresh_keys = |board: &Board, color: Color, point: Point| -> Vec<u64> {
        PatternBoard::new(board).keys(color, point).take(n_templates).collect()
    };
    for game in 0..games.n_games() {
        for_each_situation(&games, game, |_, s, played| {
            for key in fresh_keys(s.board, s.color, s.legal[played]) {
                *n_played.entry(key).or_default() += 1;
            }
        });
    }
    n_played.retain(|_, n| *n >= 2);
    let table = harvest_patterns(&games, n_templates, 2);
    assert_eq!(table.n_keys(), n_played.len());
    let counts = PatternCounts::count(&games, &table, 2);
    let mut naive: HashMap<u64, [u32; 2]> = HashMap::new();
    for game in 0..games.n_games().min(2) {
        for_each_situation(&games, game, |_, s, played| {
            let patterns = PatternBoard::new(s.board);
            for (i, &point) in s.legal.iter().enumerate() {
                let known =
                    patterns.keys(s.color, point).take(n_templates).take_while(|key| n_played.contains_key(key));
                if let Some(largest) = known.last() {
                    naive.entry(largest).or_default()[usize::from(i != played)] += 1;
                }
            }
        });
    }
    // The same two games alone, with the fast count.
    let two = first_games(&games, 2);
    let of_two = PatternCounts::count(&two, &table, 1);
    for (key, [p, n]) in naive {
        let slot = table.find(key).expect("it is in the dictionary");
        assert_eq!(of_two.of_slot(slot), [p, n]);
        assert!(counts.of_slot(slot)[0] >= p && counts.of_slot(slot)[1] >= n);
        assert_eq!(of_two.score(slot), f64::from(p + 1) / f64::from(p + n + 2));
    }
}

/// The first games of a table.
fn first_games(games: &GameTable, n: usize) -> GameTable {
    let mut part = games.clone();
    while part.n_games() > n {
        part = part.split(part.n_games()).0;
    }
    part
}

#[test]
fn answers_add_up_and_do_not_depend_on_earlier_questions() {
    let games = sample(60);
    let trained = learned(&games);
    let papers = [PaperMethod::Earlier, PaperMethod::Newer].map(|method| PaperModel::learn(&games, method, 2));
    let make = |n: usize| -> Box<dyn Predictor + '_> {
        match n {
            0 => Box::new(trained.predictor()),
            n => Box::new(papers[n - 1].predictor()),
        }
    };
    for n in 0..3 {
        let forward = answers(&mut *make(n), &games, 1, false);
        for values in &forward {
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            assert!(values.iter().all(|p| *p >= 0.0));
        }
        let mut asked_before = make(n);
        answers(&mut *asked_before, &games, 2, false);
        assert_eq!(forward, answers(&mut *asked_before, &games, 1, true), "features kept up to date are fresh ones");
        let mut staying = make(n);
        for_each_situation(&games, 1, |index, situation, _| {
            if index == 10 {
                staying.prepare(situation);
            }
        });
        assert_eq!(forward, answers(&mut *staying, &games, 1, true), "a place to come back to changes nothing");
    }
}

#[test]
fn a_saved_model_answers_as_before() {
    let games = sample(60);
    let folder = tempfile::tempdir().expect("a folder");
    let model = learned(&games);
    let before = answers(&mut model.predictor(), &games, 3, false);
    model.save(folder.path()).expect("files");
    let opened = PatternModel::open(folder.path()).expect("a model");
    assert_eq!(before, answers(&mut opened.predictor(), &games, 3, false));
    for method in [PaperMethod::Earlier, PaperMethod::Newer] {
        let folder = tempfile::tempdir().expect("a folder");
        let model = PaperModel::learn(&games, method, 2);
        model.save(folder.path()).expect("files");
        let opened = PaperModel::open(folder.path()).expect("a model");
        assert_eq!(opened.method(), method);
        let [a, b] = [&model, &opened].map(|model| answers(&mut model.predictor(), &games, 3, false));
        assert_eq!(a, b);
    }
    std::fs::write(folder.path().join("counts.row"), b"tejun").expect("a file");
    assert!(PatternModel::open(folder.path()).is_err(), "a damaged file");
}

#[test]
fn threads_do_not_change_the_model() {
    let games = sample(120);
    let [one, two] = [1, 3].map(|n_threads| {
        let model = PatternModel::learn(&games, &PatternOptions { n_threads, ..options() }, None, &NoProgress);
        answers(&mut model.expect("a small table").predictor(), &games, 0, false)
    });
    assert_eq!(one, two);
}

#[test]
fn a_resumed_run_gives_the_same_model() {
    let games = sample(40);
    let folder = tempfile::tempdir().expect("a folder");
    let partial = Partial::beside(&folder.path().join("m"));
    // One batch of games.
    let stopped = PatternModel::learn(&games, &options(), Some(&partial), &CancelledAfter::new(1));
    assert!(stopped.is_err() && partial.folder().exists());
    let stages = Stages::default();
    let resumed = PatternModel::learn(&games, &options(), Some(&partial), &stages);
    assert!(!stages.names().contains(&HARVEST.to_string()), "patterns are not collected again");
    let [a, b] = [&resumed.expect("a model"), &learned(&games)].map(|m| answers(&mut m.predictor(), &games, 0, false));
    assert_eq!(a, b);
    // Other options start a new run.
    let other = PatternOptions { held_out: 3, ..options() };
    let stages = Stages::default();
    PatternModel::learn(&games, &other, Some(&partial), &stages).expect("a model");
    assert!(stages.names().contains(&HARVEST.to_string()), "other options start a new run");
}

#[test]
fn learning_helps_and_can_be_stopped() {
    let games = sample(12);
    let (learned_games, others) = games.split(6);
    let model = learned(&learned_games);
    let [earlier, newer] =
        [PaperMethod::Earlier, PaperMethod::Newer].map(|method| PaperModel::learn(&learned_games, method, 2));
    let scores = measure(&others, 2, || {
        vec![Box::new(model.predictor()), Box::new(earlier.predictor()), Box::new(newer.predictor())]
    });
    let top10: Vec<f64> = scores.iter().map(|scores| scores.top_shares()[2]).collect();
    assert!(top10[0] > 0.4 && top10[0] > top10[1] && top10[0] > top10[2], "{top10:?}");
    assert!(scores[0].bits(None) < scores[2].bits(None));
    assert!(PatternModel::learn(&games, &options(), None, &CancelledAfter::new(0)).is_err());
}

#[test]
fn a_move_is_its_own_nearest_precedent() {
    let games = sample(100);
    let model = learned(&games);
    let mut is_asked = false;
    for_each_situation(&games, 2, |index, situation, played| {
        if index == 40 {
            is_asked = true;
            let point = situation.legal[played];
            let explanation = model.predictor().explain(situation, played);
            let values = model.predictor().predict(situation);
            assert_eq!(explanation.rank, MoveRank::of(&values, played));
            assert!(explanation.cells.contains(&point));
            let found = precedents(&games, situation.board, (situation.color, point), 3, 2);
            assert_eq!((found[0].game, found[0].move_index, found[0].n_templates), (2, 40, 13));
            assert!(found.windows(2).all(|pair| pair[0].n_templates >= pair[1].n_templates));
        }
    });
    assert!(is_asked);
}

#[test]
fn suicide_and_captures_keep_a_predictor_on_the_board() {
    let games = sample(120);
    let model = learned(&games);
    // Two white stones in the corner capture themselves, as some records contain; then Black plays there.
    let size = BoardSize::NINETEEN;
    let mut board = Board::new(size);
    let points = [(2, 0), (0, 0), (1, 1), (9, 9), (0, 1), (1, 0), (9, 8), (5, 5), (8, 9), (5, 6), (10, 9), (5, 7)];
    let moves: Vec<Move> = points
        .into_iter()
        .chain([(9, 10), (0, 0)])
        .enumerate()
        .map(|(i, (x, y))| Move {
            color: if i % 2 == 0 { Color::Black } else { Color::White },
            point: Some(Point::new(x, y)),
        })
        .collect();
    let start = board.clone();
    let mut predictor = model.predictor();
    let mut n_taken = 0;
    for (i, m) in moves.iter().enumerate() {
        let legal = Situation::legal_points(&board, m.color, m.point);
        let situation = Situation { start: &start, moves: &moves[..i], board: &board, color: m.color, legal: &legal };
        assert_eq!(predictor.predict(&situation), model.predictor().predict(&situation), "before move {}", i + 1);
        let n_before = board.stones(Color::White).len();
        board.play_with(m.color, m.point.expect("a point"), Suicide::Allowed).expect("legal in a record");
        n_taken += n_before.saturating_sub(board.stones(Color::White).len());
    }
    assert_eq!(n_taken, 2, "one by suicide, one captured");
    let none = Situation { start: &start, moves: &[], board: &start, color: Color::Black, legal: &[] };
    assert!(predictor.predict(&none).is_empty(), "no legal move, no answer");
}
