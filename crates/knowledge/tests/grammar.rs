//! Grammars on the sample games: saved against learned grammars, and products that are probabilities.

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{Collection, GameTable, Selection, write_sample};
use tejun_knowledge::grammar::{
    Grammar, GrammarError, GrammarOptions, GrammarPredictor, Product, Smoothing, evaluate, fit_powers,
};
use tejun_knowledge::predictor::{Predictor, Situation};
use tejun_knowledge::sequences::{GameText, TextOptions, TextScope};

const CODES: [Code; 4] = [Code::Position, Code::Distance, Code::Surroundings, Code::Relative];

fn sample(folder: &std::path::Path) -> GameTable {
    let path = folder.join("sample.parquet");
    write_sample(&path).expect("the sample is sound");
    let collection = Collection::open(&path).expect("a collection");
    GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table")
}

fn learn(table: &GameTable, code: Code) -> Grammar {
    Grammar::learn(table, GrammarOptions { code, order: 5 }, 2).expect("a small text")
}

/// Asks for the prediction of every move of a game.
fn answers(predictor: &mut impl Predictor, table: &GameTable, game: usize) -> Vec<Vec<f64>> {
    let moves: Vec<Move> = table.moves(game).collect();
    let start = table.board_before(game, 0);
    let mut board = start.clone();
    let mut answers = Vec::new();
    for (index, m) in moves.iter().enumerate() {
        let legal = Situation::legal_points(&board, m.color, m.point);
        let moves = &moves[..index];
        answers.push(predictor.predict(&Situation {
            start: &start,
            moves,
            board: &board,
            color: m.color,
            legal: &legal,
        }));
        let _ = m.play_on(&mut board);
    }
    answers
}

#[test]
fn a_saved_grammar_answers_as_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = sample(folder.path());
    for code in CODES {
        let path = folder.path().join(code.name());
        let grammar = learn(&table, code).save(&path).expect("a file");
        let opened = Grammar::open(&path).expect("a grammar");
        assert_eq!((opened.options(), opened.n_moves()), (grammar.options(), grammar.n_moves()));
        for smoothing in Smoothing::ALL {
            let before = answers(&mut GrammarPredictor::new(&grammar, smoothing), &table, 7);
            assert_eq!(answers(&mut GrammarPredictor::new(&opened, smoothing), &table, 7), before);
        }
    }
    let other = folder.path().join("er.index");
    let options = TextOptions { size: BoardSize::NINETEEN, code: Code::Relative, scope: TextScope::Whole };
    GameText::build(&table, options, 1).expect("a text").save(&other).expect("a file");
    assert!(matches!(Grammar::open(&other), Err(GrammarError::NoGrammar)));
}

#[test]
fn answers_are_probabilities_in_any_order_of_questions() {
    let folder = tempfile::tempdir().expect("a folder");
    let (learned, test) = sample(folder.path()).split(100);
    assert_eq!(learned.n_games() + test.n_games(), tejun_knowledge::corpus::N_SAMPLE_GAMES);
    let grammars = CODES.map(|code| learn(&learned, code));
    for smoothing in Smoothing::ALL {
        let new = || Product { parts: grammars.iter().map(|g| (GrammarPredictor::new(g, smoothing), 0.5)).collect() };
        let mut product = new();
        let [first, second] = [0, 1].map(|game| answers(&mut product, &test, game));
        for values in first.iter().chain(&second) {
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(values.iter().all(|p| *p > 0.0));
        }
        assert_eq!(answers(&mut new(), &test, 1), second, "the game before leaves no trace");
    }
}

#[test]
fn fitted_powers_beat_equal_ones_and_threads_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (learned, rest) = sample(folder.path()).split(10);
    let (held_out, test) = rest.split(2);
    let grammars = CODES.map(|code| learn(&learned, code));
    let powers = fit_powers(&grammars, Smoothing::KneserNey, &held_out);
    let products = [vec![(3, 1.0)], (0..4).map(|i| (i, 1.0)).collect(), powers.into_iter().enumerate().collect()];
    let found = evaluate(&grammars, Smoothing::KneserNey, &products, &test, 1);
    let bits: Vec<f64> = found.methods.iter().map(|method| method.scores.bits(None)).collect();
    assert!(bits[2] < bits[0] && bits[2] < bits[1], "{bits:?}");
    let again = evaluate(&grammars, Smoothing::KneserNey, &products, &test, 3);
    for (a, b) in found.methods.iter().zip(&again.methods) {
        assert_eq!(a.scores.top_shares().map(|s| (1e9 * s).round()), b.scores.top_shares().map(|s| (1e9 * s).round()));
        assert!(
            (a.scores.bits(None) - b.scores.bits(None)).abs() < 1e-9
                && (a.scores.bits_margin() - b.scores.bits_margin()).abs() < 1e-9
        );
    }
    assert!(
        found.methods.iter().all(|m| m.scores.recall_at(361) == 1.0 && m.scores.recall_at(5) <= m.scores.recall_at(6))
    );
    for grammar in &found.grammars {
        let [symbols, points] = grammar.branching(None);
        assert!(symbols > 1.0 && points > 1.0 && points < 361.0);
    }
}

#[test]
fn a_question_out_of_turn_or_on_another_start_has_no_side_effects() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = sample(folder.path());
    let moves: Vec<Move> = table.moves(3).take(20).collect();
    let empty = table.board_before(3, 0);
    let mut handicap = empty.clone();
    let far = moves.iter().filter_map(|m| m.point).next_back().and_then(|p| p.neighbors(empty.size()).next());
    handicap.place(Color::White, far.expect("a neighbor")).expect("an empty point");
    let last = moves.last().expect("a move").color;
    for code in CODES {
        let grammar = learn(&table, code);
        let new = || GrammarPredictor::new(&grammar, Smoothing::KneserNey);
        let ask = |predictor: &mut GrammarPredictor<'_>, start: &Board, color| {
            let legal: Vec<Point> = start.size().points().filter(|p| start.is_empty(*p)).collect();
            predictor.predict(&Situation { start, moves: &moves, board: start, color, legal: &legal })
        };
        let mut asked = new();
        for (start, color) in [(&empty, last), (&empty, last.opponent()), (&handicap, last.opponent()), (&empty, last)]
        {
            assert_eq!(ask(&mut asked, start, color), ask(&mut new(), start, color), "{}", code.name());
        }
    }
}
