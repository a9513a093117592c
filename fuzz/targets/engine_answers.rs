//! What engines answer: any text gives an evaluation or an analysis that makes sense, or a fault.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::engines::{
    Analysis, BestMove, CachedAnalysis, Dialect, EngineKind, EngineOptions, PointOfView, Score, read_analysis,
    read_evaluation,
};
use tejun_knowledge::evaluation::{Evaluation, Question};

/// Limits on the lines of play and their moves.
const MAX_LINES: usize = 600;
const MAX_MOVES: usize = 256;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for (_, kind) in EngineKind::NAMES {
        let mut board = Board::new(BoardSize::new(if kind == EngineKind::KataGoJson { 3 } else { 9 }).expect("a size"));
        let center = Point::new(board.size().get() / 2, board.size().get() / 2);
        board.place(Color::Black, center).expect("an empty board");
        let question = Question {
            start: &board,
            moves: &[],
            board: &board,
            color: Color::White,
            komi: 6.5,
            played: Some(Point::new(0, 0)),
        };
        let command = "engine".parse().expect("a command");
        let own = EngineOptions { kind, ..EngineOptions::new(command) };
        let turned = EngineOptions { view: PointOfView::Black, ..own.clone() };
        match (read_evaluation(&text, &question, &own), read_evaluation(&text, &question, &turned)) {
            (Ok(own), Ok(turned)) => {
                check_evaluation(&own, &board);
                check_evaluation(&turned, &board);
                assert_eq!(own.moves.len(), turned.moves.len());
            }
            (Err(one), Err(other)) => {
                assert_eq!(one.to_string(), other.to_string());
                check_message(&one.to_string());
            }
            (own, _) => panic!("the perspective of win rates decides whether there are any: {}", own.is_ok()),
        }
    }
    for (_, dialect) in Dialect::NAMES {
        match read_analysis(&text, dialect) {
            Ok(analysis) => check_analysis(&analysis),
            Err(fault) => check_message(&fault.to_string()),
        }
    }
    if let Ok(score) = text.parse::<Score>() {
        assert_eq!(score.to_string().parse(), Ok(score));
    }
});

fn check_evaluation(evaluation: &Evaluation, board: &Board) {
    let is_share = |share: Option<f64>| share.is_none_or(|share| (0.0..=1.0).contains(&share));
    let is_finite = |number: Option<f64>| number.is_none_or(f64::is_finite);
    assert!(is_share(evaluation.win_rate) && is_finite(evaluation.lead), "{evaluation:?}");
    let mut known = HashSet::new();
    for value in &evaluation.moves {
        assert!(known.insert(value.point), "a move is listed twice: {evaluation:?}");
        assert!(value.point.is_none_or(|point| board.size().has(point) && board.is_empty(point)));
        assert_eq!(value.line.first(), Some(&value.point));
        assert!(value.line.iter().flatten().all(|point| board.size().has(*point)));
        assert!(is_share(value.win_rate) && is_share(value.prior), "{value:?}");
        assert!(is_finite(value.lead) && is_finite(value.bound), "{value:?}");
    }
}

fn check_analysis(analysis: &Analysis) {
    assert!(analysis.lines.len() <= MAX_LINES);
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic());
    assert!(!matches!(&analysis.best_move, BestMove::Move(word) if !is_word(word)), "{analysis:?}");
    for line in &analysis.lines {
        assert!(line.moves.len() <= MAX_MOVES && line.moves.iter().all(|word| is_word(word)), "{line:?}");
        assert_eq!(line.score.to_string().parse(), Ok(line.score));
        assert!(line.score.centipawns().abs() <= 30_000);
    }
    // It is kept as one line with five columns after the position.
    let kept = CachedAnalysis::from(analysis).to_string();
    assert!(kept.split('\t').count() == 5 && !kept.contains('\n'), "{kept:?}");
}

/// Checks that a message is safe for a terminal.
fn check_message(message: &str) {
    assert!(!message.is_empty() && !message.contains(char::is_control), "{message:?}");
    assert!(message.chars().count() < 3000, "{message:?}");
}
