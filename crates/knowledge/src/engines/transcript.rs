//! What engines have printed, read without starting one.

use crate::engines::analyze::Report;
use crate::engines::fuego::FuegoTree;
use crate::engines::gtp::{Answer, parse_status, refused};
use crate::engines::katago::read_answer;
use crate::engines::session::{best_only, parse_top_moves, unclear};
use crate::engines::{EngineFault, EngineKind, EngineOptions};
use crate::evaluation::{Evaluation, Question};

/// The evaluation in what an engine of Go printed after it was asked this question.
///
/// `printed` is the output of one question, without the commands: the answer
/// to `lz-analyze`, `kata-analyze`, `reg_genmove` or `top_moves_black`, Fuego's
/// answers to `reg_genmove`, `uct_gfx`, `uct_bounds`, `uct_value` and
/// `uct_sequence`, or KataGo's lines of JSON. Greetings and diagnostics before
/// an answer are skipped. `options.kind` says which of these it is
/// ([`EngineKind::Auto`] is read as [`EngineKind::PlainGtp`]), `options.view`
/// whose win rates are printed. Starts no program, and does not compare ids.
///
/// # Errors
/// If the engine refuses the command, or if its answer makes no sense.
pub fn read_evaluation(
    printed: &str,
    question: &Question<'_>,
    options: &EngineOptions,
) -> Result<Evaluation, EngineFault> {
    match options.kind {
        EngineKind::KataGoJson => read_answer(printed, question, options),
        EngineKind::KataAnalyze => read_analysis(printed, "kata-analyze", question, options),
        EngineKind::LzAnalyze | EngineKind::Pachi => read_analysis(printed, "lz-analyze", question, options),
        EngineKind::Fuego => read_fuego(printed, question, options),
        EngineKind::Auto | EngineKind::PlainGtp => {
            let answer = given(answers(printed).next(), "reg_genmove", printed)?;
            // A list has a value after each move, and none at all is a pass.
            let is_one = answer.split_whitespace().count() == 1;
            let read = if is_one { best_only } else { parse_top_moves };
            read("reg_genmove", &answer, question)
        }
    }
}

fn read_analysis(
    printed: &str,
    command: &str,
    question: &Question<'_>,
    options: &EngineOptions,
) -> Result<Evaluation, EngineFault> {
    let answer = given(answers(printed).next(), command, printed)?;
    let mut report = Report::new(question.board, command);
    answer.lines().for_each(|line| report.read(line));
    report.finish(command, question.color, options.view)
}

fn read_fuego(printed: &str, question: &Question<'_>, options: &EngineOptions) -> Result<Evaluation, EngineFault> {
    let mut answers = answers(printed);
    let best = best_only("reg_genmove", &given(answers.next(), "reg_genmove", printed)?, question)?;
    // As with a running Fuego, missing reports are skipped.
    let [gfx, bounds, value, sequence] =
        ["uct_gfx", "uct_bounds", "uct_value", "uct_sequence"].map(|request| given(answers.next(), request, ""));
    let [gfx, bounds, value, sequence] = [gfx, bounds, value, sequence].map(Result::unwrap_or_default);
    let tree = FuegoTree { gfx: &gfx, bounds: &bounds, value: &value, sequence: &sequence };
    Ok(tree.evaluation(best, question, options))
}

/// The text of an answer that is there and no refusal.
fn given(answer: Option<Answer>, request: &str, printed: &str) -> Result<String, EngineFault> {
    match answer {
        Some(Answer::Given(text)) => Ok(text),
        Some(Answer::Refused(text)) => Err(refused(request, &text)),
        None => Err(unclear(request, printed)),
    }
}

/// The answers of GTP: each from its sign to the next empty line, without anything between them.
fn answers(printed: &str) -> impl Iterator<Item = Answer> {
    let mut lines = printed.lines();
    std::iter::from_fn(move || {
        let (_, mut answer) = lines.by_ref().find_map(parse_status)?;
        let (Answer::Given(text) | Answer::Refused(text)) = &mut answer;
        for line in lines.by_ref().take_while(|line| !line.trim().is_empty()) {
            text.push('\n');
            text.push_str(line);
        }
        *text = text.trim().to_string();
        Some(answer)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tejun_games::go::{Board, BoardSize, Color, Point};

    /// The best move with its visits and win rate, or what is wrong.
    #[track_caller]
    fn check(kind: EngineKind, printed: &str, expected: Result<(&str, u32, Option<f64>), &str>) {
        let board = Board::new(BoardSize::new(9).expect("a size"));
        let question =
            Question { start: &board, moves: &[], board: &board, color: Color::White, komi: 6.5, played: None };
        let options = EngineOptions { kind, ..EngineOptions::new("engine".parse().expect("a command")) };
        let found = read_evaluation(printed, &question, &options).map_err(|fault| match fault {
            EngineFault::Refused { .. } => "refused",
            EngineFault::Unclear { .. } => "unclear",
            _ => "another fault",
        });
        let name = |point: Option<Point>| point.map_or("pass".to_string(), |point| point.name(board.size()));
        match (found, expected) {
            (Ok(found), Ok((best, visits, win_rate))) => {
                let first = found.moves.first().expect("a move");
                assert_eq!((name(first.point).as_str(), first.visits, found.win_rate), (best, visits, win_rate));
            }
            (found, expected) => assert_eq!(found.err(), expected.err(), "{printed}"),
        }
    }

    #[test]
    fn each_kind_is_read_as_when_it_runs() {
        let report =
            "hello\n=7\ninfo move C3 visits 3 winrate 0.25 order 1 info move E5 visits 9 winrate 0.5 order 0\n\n";
        check(EngineKind::LzAnalyze, report, Ok(("E5", 9, Some(0.5))));
        check(EngineKind::KataAnalyze, report, Ok(("E5", 9, Some(0.5))));
        check(EngineKind::PlainGtp, "= E5\n\n", Ok(("E5", 0, None)));
        check(EngineKind::PlainGtp, "= E5 75.0 C3 7\n\n", Ok(("E5", 0, None)));
        check(EngineKind::PlainGtp, "=\n\n", Ok(("pass", 0, None)));
        let fuego = "= E5\n\n= VAR w E5\nLABEL E5 700\n\n? unknown command\n\n= 0.55\n\n= VAR w E5\n\n";
        check(EngineKind::Fuego, fuego, Ok(("E5", 700, Some(0.55))));
        let json = "loading\n{\"warning\":\"odd\"}\n{\"moveInfos\":[{\"move\":\"E5\",\"visits\":4,\"winrate\":0.5}]}\n";
        check(EngineKind::KataGoJson, json, Ok(("E5", 4, Some(0.5))));
    }

    #[test]
    fn refusals_and_nonsense_are_distinguished() {
        check(EngineKind::PlainGtp, "?3 no\n\n", Err("refused"));
        check(EngineKind::LzAnalyze, "=\nfino\n\n", Err("unclear"));
        check(EngineKind::KataAnalyze, "hello\n", Err("unclear"));
        check(EngineKind::KataGoJson, "{\"error\":\"no\"}", Err("refused"));
        check(EngineKind::KataGoJson, "", Err("unclear"));
    }
}
