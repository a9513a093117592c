//! A running GTP engine: its board, and the commands by which it is asked.

use std::collections::HashSet;

use tejun_games::Move;
use tejun_games::go::{Board, Color, Point};

use crate::engines::analyze::analyze;
use crate::engines::fuego::{prepare_fuego, value_by_fuego};
use crate::engines::gtp::{Answer, Gtp};
use crate::engines::process::{Deadline, Failure};
use crate::engines::text::{Excerpt, parse_candidate};
use crate::engines::{EngineFault, EngineKind, EngineOptions};
use crate::evaluation::{Evaluation, MoveValue, Question};

/// How a GTP engine is asked for its evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnalysisCommand {
    /// `kata-analyze` or `lz-analyze`.
    Analyze(&'static str),
    /// Fuego's own commands.
    Fuego,
    /// GNU Go's list of moves with values that are not win rates.
    TopMoves,
    /// The best move, not played.
    RegGenmove,
    /// The best move, played and taken back.
    Genmove,
}

/// The position on the engine's board.
#[derive(Debug)]
struct EngineBoard {
    start: Board,
    moves: Vec<Move>,
    komi: f64,
}

/// A GTP engine with a position on its board.
pub(crate) struct GtpSession {
    gtp: Gtp,
    command: AnalysisCommand,
    board: Option<EngineBoard>,
}

impl GtpSession {
    /// Chooses the commands for an engine that has been greeted, and sets it up.
    pub(crate) fn new(mut gtp: Gtp, options: &EngineOptions) -> Result<GtpSession, Failure> {
        let prepared = choose_command(options.kind, |command| gtp.has(command))
            .and_then(|command| prepare(&mut gtp, command, options).map(|()| command));
        match prepared {
            Ok(command) => Ok(GtpSession { gtp, command, board: None }),
            Err(fault) => Err(gtp.end(fault)),
        }
    }

    /// Ends the engine, which failed.
    pub(crate) fn end(self, fault: EngineFault) -> Failure {
        self.gtp.end(fault)
    }

    /// The name and version that the engine reports.
    pub(crate) fn describe(&mut self, deadline: Deadline) -> Result<String, EngineFault> {
        let mut words = Vec::new();
        for request in ["name", "version"] {
            if let Answer::Given(text) = self.gtp.try_ask(request, deadline)? {
                words.push(text);
            }
        }
        Ok(words.join(" ").trim().to_string())
    }

    /// Evaluates a position.
    pub(crate) fn evaluate(
        &mut self,
        question: &Question<'_>,
        options: &EngineOptions,
    ) -> Result<Evaluation, EngineFault> {
        self.set_up(question, Deadline::within(options.patience()))?;
        match self.command {
            AnalysisCommand::Analyze(command) => analyze(&mut self.gtp, command, question, options),
            AnalysisCommand::Fuego => value_by_fuego(&mut self.gtp, question, options),
            AnalysisCommand::TopMoves => self.top_moves(question, options),
            AnalysisCommand::RegGenmove => self.best_move("reg_genmove", question, options),
            AnalysisCommand::Genmove => self.generated_move(question, options),
        }
    }

    /// Puts the position on the engine's board, with as few commands as possible.
    fn set_up(&mut self, question: &Question<'_>, deadline: Deadline) -> Result<(), EngineFault> {
        if !self.take_back_to(question, deadline)? {
            self.clear(question, deadline)?;
        }
        let Some(board) = &mut self.board else { return Ok(()) };
        if board.komi != question.komi {
            self.gtp.ask(&format!("komi {}", question.komi), deadline)?;
            board.komi = question.komi;
        }
        for (index, &played) in question.moves.iter().enumerate().skip(board.moves.len()) {
            play(&mut self.gtp, question.start, index + 1, played, deadline)?;
            board.moves.push(played);
        }
        Ok(())
    }

    /// Takes moves back until the engine's moves begin the question's; `false` if that can't be done or is dearer.
    fn take_back_to(&mut self, question: &Question<'_>, deadline: Deadline) -> Result<bool, EngineFault> {
        let Some(board) = &mut self.board else { return Ok(false) };
        if !is_same(&board.start, question.start) {
            return Ok(false);
        }
        let n_common = board.moves.iter().zip(question.moves).take_while(|(a, b)| a == b).count();
        let n_back = board.moves.len() - n_common;
        if n_back > 0 && (n_back > n_common || !self.gtp.has("undo")) {
            return Ok(false);
        }
        for _ in 0..n_back {
            if let Answer::Refused(_) = self.gtp.try_ask("undo", deadline)? {
                return Ok(false);
            }
            board.moves.pop();
        }
        Ok(true)
    }

    /// An empty board with the setup stones.
    fn clear(&mut self, question: &Question<'_>, deadline: Deadline) -> Result<(), EngineFault> {
        self.board = None;
        self.gtp.ask(&format!("boardsize {}", question.start.size()), deadline)?;
        self.gtp.ask("clear_board", deadline)?;
        // Every part of a chain that has a liberty in the end has one before,
        // so stones can be played in any order and none is taken.
        for color in [Color::Black, Color::White] {
            for point in question.start.stones(color).iter() {
                play(&mut self.gtp, question.start, 0, Move { color, point: Some(point) }, deadline)?;
            }
        }
        // No number is equal to this, so komi is sent.
        self.board = Some(EngineBoard { start: question.start.clone(), moves: Vec::new(), komi: f64::NAN });
        Ok(())
    }

    /// GNU Go's moves, the best first; none is a pass.
    fn top_moves(&mut self, question: &Question<'_>, options: &EngineOptions) -> Result<Evaluation, EngineFault> {
        let request = match question.color {
            Color::Black => "top_moves_black",
            Color::White => "top_moves_white",
        };
        let answer = self.gtp.ask(request, Deadline::within(options.patience()))?;
        parse_top_moves(request, &answer, question)
    }

    /// The best move, which the engine does not play.
    fn best_move(
        &mut self,
        command: &str,
        question: &Question<'_>,
        options: &EngineOptions,
    ) -> Result<Evaluation, EngineFault> {
        let request = format!("{command} {}", letter(question.color));
        let answer = self.gtp.ask(&request, Deadline::within(options.patience()))?;
        best_only(&request, &answer, question)
    }

    /// The best move, which the engine plays and takes back.
    fn generated_move(&mut self, question: &Question<'_>, options: &EngineOptions) -> Result<Evaluation, EngineFault> {
        let board = self.board.take();
        let found = self.best_move("genmove", question, options)?;
        // After a resignation, there is no move that undo would take
        // back, so the board is set up again.
        let is_played = !found.moves.is_empty() && self.gtp.has("undo");
        if is_played && matches!(self.gtp.try_ask("undo", Deadline::within(options.grace))?, Answer::Given(_)) {
            self.board = board;
        }
        Ok(found)
    }
}

/// Chooses how to ask an engine that has these commands.
fn choose_command(kind: EngineKind, has: impl Fn(&str) -> bool) -> Result<AnalysisCommand, EngineFault> {
    let needs = |command: &'static str, chosen: AnalysisCommand| {
        if has(command) { Ok(chosen) } else { Err(EngineFault::Lacks { kind, command }) }
    };
    let plain = || match (has("top_moves_black") && has("top_moves_white"), has("reg_genmove")) {
        (true, _) => Ok(AnalysisCommand::TopMoves),
        (false, true) => Ok(AnalysisCommand::RegGenmove),
        (false, false) => needs("genmove", AnalysisCommand::Genmove),
    };
    let analyzing = |command: &'static str| has(command).then_some(AnalysisCommand::Analyze(command));
    match kind {
        EngineKind::KataAnalyze => needs("kata-analyze", AnalysisCommand::Analyze("kata-analyze")),
        EngineKind::LzAnalyze => needs("lz-analyze", AnalysisCommand::Analyze("lz-analyze")),
        EngineKind::Fuego => needs("uct_gfx", AnalysisCommand::Fuego),
        EngineKind::Pachi => analyzing("lz-analyze").map_or_else(plain, Ok),
        EngineKind::PlainGtp | EngineKind::KataGoJson => plain(),
        EngineKind::Auto => match analyzing("kata-analyze").or(analyzing("lz-analyze")) {
            Some(command) => Ok(command),
            None if has("uct_gfx") && has("uct_value") => Ok(AnalysisCommand::Fuego),
            None => plain(),
        },
    }
}

/// Sets an engine up, once.
fn prepare(gtp: &mut Gtp, command: AnalysisCommand, options: &EngineOptions) -> Result<(), EngineFault> {
    let deadline = Deadline::within(options.patience());
    match command {
        AnalysisCommand::Fuego => prepare_fuego(gtp, options, deadline),
        AnalysisCommand::Analyze(_) if gtp.has("kata-set-rules") => {
            gtp.ask(&format!("kata-set-rules {}", options.rules), deadline).map(drop)
        }
        AnalysisCommand::RegGenmove | AnalysisCommand::Genmove if gtp.has("time_settings") => match options.time {
            Some(time) => gtp.try_ask(&format!("time_settings 0 {} 1", time.as_secs_f64().ceil()), deadline).map(drop),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Plays a move on the engine's board.
fn play(gtp: &mut Gtp, start: &Board, number: usize, played: Move, deadline: Deadline) -> Result<(), EngineFault> {
    let size = start.size();
    let place = played.point.map_or("pass".to_string(), |point| point.name(size));
    match gtp.try_ask(&format!("play {} {place}", letter(played.color)), deadline)? {
        Answer::Given(_) => Ok(()),
        Answer::Refused(text) => Err(EngineFault::MoveRefused { number, played, size, answer: Excerpt::new(&text) }),
    }
}

/// Whether two boards have the same stones.
fn is_same(one: &Board, other: &Board) -> bool {
    let has_same = |color| one.stones(color) == other.stones(color);
    one.size() == other.size() && has_same(Color::Black) && has_same(Color::White)
}

/// The color as GTP writes it.
pub(crate) fn letter(color: Color) -> char {
    color.letter().to_ascii_lowercase()
}

/// A move without a report.
pub(crate) fn untold(point: Option<Point>) -> MoveValue {
    MoveValue { point, visits: 0, win_rate: None, bound: None, prior: None, lead: None, line: vec![point] }
}

/// Keeps the first occurrence of each move; engines may name one twice.
pub(crate) fn keep_first(moves: &mut Vec<MoveValue>) {
    let mut known = HashSet::new();
    moves.retain(|value| known.insert(value.point));
}

/// Moves of which only the order is known.
fn ranked(moves: Vec<MoveValue>) -> Evaluation {
    Evaluation { win_rate: None, lead: None, moves }
}

/// GNU Go's list of moves with values, the best first; an empty one is a pass.
pub(crate) fn parse_top_moves(request: &str, answer: &str, question: &Question<'_>) -> Result<Evaluation, EngineFault> {
    let words: Vec<&str> = answer.split_whitespace().collect();
    let moves: Option<Vec<MoveValue>> = words
        .chunks(2)
        .map(|pair| match pair {
            [name, value] if value.parse::<f64>().is_ok() => parse_candidate(name, question.board).map(untold),
            _ => None,
        })
        .collect();
    match moves {
        Some(moves) if moves.is_empty() => Ok(ranked(vec![untold(None)])),
        Some(mut moves) => {
            keep_first(&mut moves);
            Ok(ranked(moves))
        }
        None => Err(unclear(request, answer)),
    }
}

/// The answer of an engine that names one move; none if it would resign.
pub(crate) fn best_only(request: &str, answer: &str, question: &Question<'_>) -> Result<Evaluation, EngineFault> {
    if answer.eq_ignore_ascii_case("resign") {
        return Ok(ranked(Vec::new()));
    }
    let point = parse_candidate(answer, question.board).ok_or_else(|| unclear(request, answer))?;
    Ok(ranked(vec![untold(point)]))
}

/// An answer that makes no sense.
pub(crate) fn unclear(request: &str, answer: &str) -> EngineFault {
    EngineFault::Unclear { request: Excerpt::new(request), answer: Excerpt::new(answer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: EngineKind, commands: &[&str], expected: Result<AnalysisCommand, &str>) {
        let found = choose_command(kind, |command| commands.contains(&command));
        assert_eq!(found.map_err(|fault| fault.to_string()), expected.map_err(str::to_string));
    }

    #[test]
    fn commands_are_chosen_by_what_the_engine_has() {
        check(
            EngineKind::Auto,
            &["lz-analyze", "kata-analyze", "genmove"],
            Ok(AnalysisCommand::Analyze("kata-analyze")),
        );
        check(EngineKind::Auto, &["lz-analyze", "uct_gfx", "uct_value"], Ok(AnalysisCommand::Analyze("lz-analyze")));
        check(EngineKind::Auto, &["uct_gfx", "uct_value", "reg_genmove"], Ok(AnalysisCommand::Fuego));
        check(EngineKind::Auto, &["top_moves_black", "top_moves_white", "reg_genmove"], Ok(AnalysisCommand::TopMoves));
        check(EngineKind::PlainGtp, &["lz-analyze", "reg_genmove"], Ok(AnalysisCommand::RegGenmove));
        check(EngineKind::Pachi, &["genmove"], Ok(AnalysisCommand::Genmove));
        check(
            EngineKind::Auto,
            &["quit"],
            Err("does not have the GTP command genmove, which every kind of engine needs"),
        );
        check(
            EngineKind::LzAnalyze,
            &["genmove"],
            Err("does not have the command lz-analyze, which the kind lz needs"),
        );
    }
}
