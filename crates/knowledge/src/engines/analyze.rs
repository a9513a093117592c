//! `lz-analyze` and `kata-analyze`: a search that reports until it is interrupted.

use std::cmp::Reverse;

use tejun_games::go::{Board, Color};

use crate::engines::gtp::{Answer, Gtp, refused};
use crate::engines::process::Deadline;
use crate::engines::session::{keep_first, letter, unclear};
use crate::engines::text::{parse_candidate, parse_move, share};
use crate::engines::{EngineFault, EngineOptions, PointOfView, ProtocolFault};
use crate::evaluation::{Evaluation, MoveValue, Question};

/// Values a position by the last report of a search.
pub(crate) fn analyze(
    gtp: &mut Gtp,
    command: &str,
    question: &Question<'_>,
    options: &EngineOptions,
) -> Result<Evaluation, EngineFault> {
    let search = Deadline::within(options.search_time());
    // Ten reports in the time, five a second at least.
    let interval = (options.search_time().as_millis() / 100).clamp(1, 20);
    let request = format!("{command} {} {interval}", letter(question.color));
    let first = match gtp.begin(&request, Deadline::within(options.search_time() + options.grace))? {
        Answer::Given(text) => text,
        Answer::Refused(text) => {
            while gtp.more(Deadline::within(options.grace))?.is_some() {}
            return Err(refused(&request, &text));
        }
    };
    let mut report = Report::new(question.board, command);
    report.read(&first);
    let limit = u64::from(options.visits.unwrap_or(u32::MAX));
    loop {
        match gtp.more(search) {
            Ok(Some(line)) => report.read(&line),
            // It ended the search by itself.
            Ok(None) => return report.finish(&request, question.color, options.view),
            Err(EngineFault::Protocol(ProtocolFault::Silent { .. })) => break,
            Err(fault) => return Err(fault),
        }
        if report.n_visits() >= limit || search.is_past() {
            break;
        }
    }
    gtp.interrupt()?;
    let stop = Deadline::within(options.grace);
    while let Some(line) = gtp.more(stop)? {
        report.read(&line);
        // A search that continues to report has not read the command.
        if stop.is_past() {
            return Err(EngineFault::Protocol(ProtocolFault::Silent { limit: stop.limit() }));
        }
    }
    report.finish(&request, question.color, options.view)
}

/// What a search has reported so far.
pub(crate) struct Report<'q> {
    board: &'q Board,
    command: &'q str,
    moves: Vec<Info>,
    last_line: String,
}

/// One move of a report.
#[derive(Debug, PartialEq)]
struct Info {
    order: Option<u32>,
    value: MoveValue,
}

impl<'q> Report<'q> {
    /// Nothing yet, of a search of this board by this command.
    pub(crate) fn new(board: &'q Board, command: &'q str) -> Report<'q> {
        Report { board, command, moves: Vec::new(), last_line: String::new() }
    }

    /// A line without information leaves the earlier reports as they are.
    pub(crate) fn read(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        self.last_line = line.to_string();
        let moves = parse_infos(line, self.command, self.board);
        if !moves.is_empty() {
            self.moves = moves;
        }
    }

    fn n_visits(&self) -> u64 {
        self.moves.iter().map(|info| u64::from(info.value.visits)).sum()
    }

    /// The moves, the best first, as the side to move sees them.
    pub(crate) fn finish(mut self, request: &str, color: Color, view: PointOfView) -> Result<Evaluation, EngineFault> {
        if self.moves.is_empty() {
            return Err(unclear(request, &self.last_line));
        }
        self.moves.sort_by_key(|info| (info.order.unwrap_or(u32::MAX), Reverse(info.value.visits)));
        let mut moves: Vec<MoveValue> = self.moves.into_iter().map(|info| info.value).collect();
        keep_first(&mut moves);
        for value in &mut moves {
            turn(value, view, color);
        }
        Ok(Evaluation { win_rate: moves[0].win_rate, lead: moves[0].lead, moves })
    }
}

/// Converts a value to the perspective of the side to move.
pub(crate) fn turn(value: &mut MoveValue, view: PointOfView, color: Color) {
    if view.is_against(color) {
        value.win_rate = value.win_rate.map(|rate| 1.0 - rate);
        value.lead = value.lead.map(|lead| -lead);
    }
}

/// The moves of a line of reports. Unclear parts are skipped.
fn parse_infos(line: &str, command: &str, board: &Board) -> Vec<Info> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let parts = words.split(|word| *word == "info").skip(1);
    parts.filter_map(|part| parse_info(part, command, board)).collect()
}

fn parse_info(words: &[&str], command: &str, board: &Board) -> Option<Info> {
    let word = |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1)).copied();
    let number = |key: &str| word(key)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let point = parse_candidate(word("move")?, board)?;
    let visits = word("visits").and_then(|visits| visits.parse().ok());
    let win_rate = word("winrate").and_then(|text| parse_share(text, command));
    if visits.is_none() && win_rate.is_none() {
        return None;
    }
    let line = words.iter().skip_while(|word| **word != "pv").skip(1).map_while(|word| parse_move(word, board));
    let mut line: Vec<_> = line.collect();
    if line.first() != Some(&point) {
        line = vec![point];
    }
    let value = MoveValue {
        point,
        visits: visits.unwrap_or(0),
        win_rate,
        bound: None,
        prior: word("prior").and_then(|text| parse_share(text, command)),
        lead: number("scoreLead").or_else(|| number("scoreMean")),
        line,
    };
    Some(Info { order: word("order").and_then(|order| order.parse().ok()), value })
}

/// A share as a fraction or in ten-thousandths; `1` is the latter for `lz-analyze`, all for `kata-analyze`.
fn parse_share(text: &str, command: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    let is_fraction = number <= 1.0 && (command == "kata-analyze" || text.contains('.'));
    share(if is_fraction { number } else { number / 10_000.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tejun_games::go::{BoardSize, Point};

    fn board() -> Board {
        Board::new(BoardSize::new(9).expect("a size"))
    }

    #[track_caller]
    fn check(line: &str, command: &str, expected: &[(&str, u32, Option<f64>, Option<f64>)]) {
        let name = |point: Option<Point>| point.map_or("pass".to_string(), |p| p.name(board().size()));
        let infos = parse_infos(line, command, &board());
        let found: Vec<_> =
            infos.iter().map(|i| (name(i.value.point), i.value.visits, i.value.win_rate, i.value.prior)).collect();
        let expected: Vec<_> = expected.iter().map(|e| (e.0.to_string(), e.1, e.2, e.3)).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn reports_are_read_in_both_scales() {
        let lz = "info move E5 visits 12 winrate 4721 prior 1500 lcb 4000 order 0 pv E5 D4 \
                  info move pass visits 1 winrate 1 prior 10000 order 1 pv pass";
        check(lz, "lz-analyze", &[("E5", 12, Some(0.4721), Some(0.15)), ("pass", 1, Some(0.0001), Some(1.0))]);
        let kata = "info move E5 visits 12 edgeVisits 12 utility -0.1 winrate 1 scoreMean 2 scoreLead 3.5 prior 0.25 \
                    order 0 pv E5 C3 pvVisits 12 3";
        check(kata, "kata-analyze", &[("E5", 12, Some(1.0), Some(0.25))]);
        check("info move C3 visits 1 winrate 0.5", "lz-analyze", &[("C3", 1, Some(0.5), None)]);
        let info = &parse_infos(kata, "kata-analyze", &board())[0];
        assert_eq!(info.value.lead, Some(3.5));
        assert_eq!(info.value.line, [Some(Point::new(4, 4)), Some(Point::new(2, 6))]);
    }

    #[test]
    fn nonsense_is_skipped() {
        check("info", "lz-analyze", &[]);
        check("info move", "lz-analyze", &[]);
        check("info move Z99 visits 3 winrate 5000", "lz-analyze", &[]);
        check("info move E5", "lz-analyze", &[]);
        check("visits 3 move E5 winrate 5000", "lz-analyze", &[]);
        check("info move E5 visits -3 winrate nan", "lz-analyze", &[]);
        check("info move E5 visits 3 winrate nan prior inf", "kata-analyze", &[("E5", 3, None, None)]);
        check("info move E5 visits 3 winrate -0.5 prior 99999", "kata-analyze", &[("E5", 3, None, None)]);
    }

    #[test]
    fn the_best_move_comes_first_once_and_is_turned_to_the_mover() {
        let line = "info move C3 visits 9 winrate 0.3 order 1 info move E5 visits 5 winrate 0.6 scoreLead 2 order 0 \
                    info move C3 visits 1 winrate 0.9 order 2";
        let board = board();
        let mut report = Report::new(&board, "kata-analyze");
        report.read(line);
        report.read("garbage");
        assert_eq!(report.n_visits(), 15);
        let found = report.finish("kata-analyze w 10", Color::White, PointOfView::Black).expect("moves");
        assert_eq!((found.win_rate, found.lead), (Some(0.4), Some(-2.0)));
        assert_eq!(found.moves.iter().map(|m| m.visits).collect::<Vec<_>>(), [5, 9]);
    }

    proptest! {
        #[test]
        fn any_line_can_be_read(line in "(info|move|visits|winrate|pv|order|E5|pass|nan|-1|1e999|[ -~é]| ){0,40}") {
            for info in parse_infos(&line, "lz-analyze", &board()) {
                prop_assert!(info.value.win_rate.is_none_or(|rate| (0.0..=1.0).contains(&rate)));
            }
        }
    }
}
