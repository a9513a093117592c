//! KataGo's analysis engine: a line of JSON for a query, a line for its answer.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use xxhash_rust::xxh3::xxh3_64;

use crate::engines::analyze::turn;
use crate::engines::process::{Deadline, Disconnect, Failure, Process};
use crate::engines::session::{keep_first, unclear, untold};
use crate::engines::text::{Excerpt, parse_candidate, parse_move, share};
use crate::engines::{EngineError, EngineFault, EngineKind, EngineOptions, ProtocolFault};
use crate::evaluation::{Evaluation, EvaluationError, MoveValue, Question, QuestionQueue};

/// Moves that were not searched are reported from this probability on.
const LEAST_PRIOR: f64 = 0.01;

/// Questions that the engine may have at once: enough for all its threads, and nothing to lose if it fails.
const N_AT_ONCE: usize = 64;

/// How often to look whether the answers are still wanted.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// A question without an answer so far.
pub(crate) struct OpenQuestion<'g> {
    pub(crate) number: usize,
    pub(crate) question: Question<'g>,
    id: String,
    text: String,
}

impl<'g> OpenQuestion<'g> {
    pub(crate) fn new(number: usize, question: Question<'g>, options: &EngineOptions) -> OpenQuestion<'g> {
        let (id, text) = query(&question, options);
        OpenQuestion { number, question, id, text }
    }
}

/// A running analysis engine. It keeps no position.
pub(crate) struct KataGo {
    process: Process,
    first_noise: Option<String>,
    description: String,
}

impl KataGo {
    /// Greets an engine: asks for its version and its network.
    pub(crate) fn greet(process: Process, deadline: Deadline) -> Result<KataGo, Failure> {
        let mut katago = KataGo { process, first_noise: None, description: String::new() };
        match katago.introduce(deadline) {
            Ok(description) => Ok(KataGo { description, ..katago }),
            Err(EngineFault::Protocol(ProtocolFault::Silent { limit })) => {
                let fault = match katago.first_noise.take() {
                    Some(line) => wrong_protocol(&line),
                    None => EngineFault::Protocol(ProtocolFault::NeverReady { limit }),
                };
                Err(katago.process.end(fault))
            }
            Err(fault) => Err(katago.process.end(fault)),
        }
    }

    /// Program, version and network, as far as the version reports them.
    fn introduce(&mut self, deadline: Deadline) -> Result<String, EngineFault> {
        let mut words = vec!["KataGo".to_string()];
        let version = self.ask(&action("query_version"), "query_version", deadline)?;
        words.extend(version["version"].as_str().map(str::to_string));
        let models = self.ask(&action("query_models"), "query_models", deadline)?;
        words.extend(models["models"][0]["internalName"].as_str().map(str::to_string));
        Ok(Excerpt::new(&words.join(" ")).to_string().trim_matches('"').to_string())
    }

    /// Ends the engine, which failed.
    pub(crate) fn end(self, fault: EngineFault) -> Failure {
        self.process.end(fault)
    }

    /// The engine's name, version and network.
    pub(crate) fn description(&self) -> &str {
        &self.description
    }

    /// Evaluates a position.
    pub(crate) fn evaluate(
        &mut self,
        question: &Question<'_>,
        options: &EngineOptions,
    ) -> Result<Evaluation, EngineFault> {
        let (id, text) = query(question, options);
        let deadline = Deadline::within(options.search_time() + options.grace);
        let answer = self.ask(&text, &id, deadline)?;
        evaluation_of(&answer, &format!("query {id}"), question, options)
    }

    /// Evaluates the open questions and those of a queue, [`N_AT_ONCE`] at once, and passes on answers as they arrive.
    ///
    /// Questions stay open if the engine fails or the queue is over. The limit of a search is a limit for silence here.
    pub(crate) fn evaluate_at_once<'g>(
        &mut self,
        open: &mut Vec<OpenQuestion<'g>>,
        queue: &mut dyn QuestionQueue<'g>,
        options: &EngineOptions,
        n_answers: &mut usize,
    ) -> Result<(), EngineFault> {
        for question in &*open {
            self.process.send(&question.text)?;
        }
        let patience = || Deadline::within(options.search_time() + options.grace);
        let mut deadline = patience();
        loop {
            while open.len() < N_AT_ONCE {
                let Some((number, question)) = queue.next_question() else { break };
                let question = OpenQuestion::new(number, question, options);
                self.process.send(&question.text)?;
                open.push(question);
            }
            if open.is_empty() || queue.is_over() {
                return Ok(());
            }
            let found = self.answer_soon()?.and_then(|answer| {
                let at = open.iter().position(|question| answer["id"] == *question.id)?;
                Some((open.remove(at), answer))
            });
            if let Some((OpenQuestion { number, question, id, .. }, answer)) = found {
                let answer = evaluation_of(&answer, &format!("query {id}"), &question, options);
                let answer = answer.map_err(|fault| EngineError::new(&options.command, 1, fault.into()));
                *n_answers += 1;
                queue.answer(number, answer.map_err(|error| EvaluationError::from(Box::from(error))));
                deadline = patience();
            } else {
                give_up_after(deadline)?;
            }
        }
    }

    /// The next answer to a query, if it arrives soon.
    fn answer_soon(&mut self) -> Result<Option<Value>, EngineFault> {
        match self.next_answer("query", Deadline::within(CHECK_INTERVAL)) {
            Err(EngineFault::Protocol(ProtocolFault::Silent { .. })) => Ok(None),
            // Whose query could not be read is unknown.
            Ok(answer) if answer.get("id").is_none() => refusal(&answer).map_or(Ok(None), Err),
            answer => answer.map(Some),
        }
    }

    /// The answer that bears this id.
    fn ask(&mut self, text: &str, id: &str, deadline: Deadline) -> Result<Value, EngineFault> {
        self.process.send(text)?;
        loop {
            let answer = self.next_answer(&format!("query {id}"), deadline)?;
            // An error in a query that could not be read has no id.
            if answer["id"] == *id || (answer.get("id").is_none() && answer.get("error").is_some()) {
                return Ok(answer);
            }
            give_up_after(deadline)?;
        }
    }

    /// The next answer; warnings and interim reports are passed over.
    fn next_answer(&mut self, request: &str, deadline: Deadline) -> Result<Value, EngineFault> {
        loop {
            let line = self.process.line(deadline)?;
            if line.starts_with('{') {
                let answer = parse_line(&line, request)?;
                if !is_interim(&answer) {
                    return Ok(answer);
                }
            } else {
                self.note_noise(line)?;
            }
            give_up_after(deadline)?;
        }
    }

    /// A program that answers as GTP engines do has been started in the wrong mode.
    fn note_noise(&mut self, line: String) -> Result<(), EngineFault> {
        if line.starts_with(['=', '?']) {
            return Err(wrong_protocol(&line));
        }
        if !line.trim().is_empty() {
            self.first_noise.get_or_insert(line);
        }
        Ok(())
    }
}

/// Ends the wait for an answer among other lines: an engine that never stops writing is silent also.
fn give_up_after(deadline: Deadline) -> Result<(), EngineFault> {
    if deadline.is_past() { Err(Disconnect::Silent { limit: deadline.limit() }.into()) } else { Ok(()) }
}

fn wrong_protocol(line: &str) -> EngineFault {
    EngineFault::WrongProtocol { expected: EngineKind::KataGoJson, line: Excerpt::new(line) }
}

/// A query about the engine itself, which is its own id.
fn action(name: &str) -> String {
    json!({ "id": name, "action": name }).to_string()
}

/// The id and the text of a query: always the same for the same question and options.
fn query(question: &Question<'_>, options: &EngineOptions) -> (String, String) {
    let size = question.start.size();
    // KataGo takes the other side to be next after a move. Where that is not
    // so, the stones are given without the moves that led to them.
    let is_in_turn = question.moves.last().is_none_or(|last| last.color != question.color);
    let (stones, moves) = if is_in_turn { (question.start, question.moves) } else { (question.board, &[][..]) };
    let first = moves.first().map_or(question.color, |first| first.color);
    let mut settings = json!({ "ignorePreRootHistory": false, "reportAnalysisWinratesAs": "SIDETOMOVE" });
    if options.time.is_some() || options.visits.is_none() {
        settings["maxTime"] = json!(options.search_time().as_secs_f64());
    }
    let mut fields = json!({
        "initialStones": stones_of(stones),
        "initialPlayer": first.letter().to_string(),
        "moves": moves.iter().map(|played| named(*played, size)).collect::<Vec<Value>>(),
        "rules": options.rules,
        // The engine takes whole and half points only.
        "komi": (question.komi * 2.0).round() / 2.0,
        "boardXSize": size.get(),
        "boardYSize": size.get(),
        "includePolicy": true,
        "overrideSettings": settings,
    });
    if let Some(visits) = options.visits {
        fields["maxVisits"] = json!(visits);
    }
    let id = format!("{:016x}", xxh3_64(fields.to_string().as_bytes()));
    let mut query = Map::new();
    query.insert("id".into(), json!(id));
    if let Value::Object(fields) = fields {
        query.extend(fields);
    }
    (id, Value::Object(query).to_string())
}

fn stones_of(board: &Board) -> Vec<Value> {
    let stones = |color| board.stones(color).iter().map(move |p| Move { color, point: Some(p) }).collect::<Vec<_>>();
    let all = [Color::Black, Color::White].into_iter().flat_map(stones);
    all.map(|stone| named(stone, board.size())).collect()
}

fn named(played: Move, size: BoardSize) -> Value {
    let place = played.point.map_or("pass".to_string(), |point| point.name(size));
    json!([played.color.letter().to_string(), place])
}

/// The first answer among printed lines, whatever its id; warnings and interim reports are passed over.
pub(crate) fn read_answer(
    printed: &str,
    question: &Question<'_>,
    options: &EngineOptions,
) -> Result<Evaluation, EngineFault> {
    for line in printed.lines().filter(|line| line.starts_with('{')) {
        let answer = parse_line(line, "query")?;
        if !is_interim(&answer) {
            return evaluation_of(&answer, "query", question, options);
        }
    }
    Err(unclear("query", printed))
}

fn parse_line(line: &str, request: &str) -> Result<Value, EngineFault> {
    serde_json::from_str(line).map_err(|_| unclear(request, line))
}

/// Whether the answer itself is still to come.
fn is_interim(answer: &Value) -> bool {
    answer["isDuringSearch"] == true || answer.get("warning").is_some()
}

/// The error that an answer reports instead of an evaluation.
fn refusal(answer: &Value) -> Option<EngineFault> {
    let error = answer["error"].as_str()?;
    let field = answer["field"].as_str().unwrap_or("query");
    Some(EngineFault::Refused { request: Excerpt::new(field), answer: Excerpt::new(error) })
}

/// What an answer says, or why there is nothing in it.
fn evaluation_of(
    answer: &Value,
    request: &str,
    question: &Question<'_>,
    options: &EngineOptions,
) -> Result<Evaluation, EngineFault> {
    if let Some(refusal) = refusal(answer) {
        return Err(refusal);
    }
    parse_answer(answer, question, options).ok_or_else(|| unclear(request, &answer.to_string()))
}

/// What an answer says; nothing if it has neither moves nor a policy.
fn parse_answer(answer: &Value, question: &Question<'_>, options: &EngineOptions) -> Option<Evaluation> {
    let mut infos: Vec<&Value> = answer["moveInfos"].as_array()?.iter().collect();
    infos.sort_by_key(|info| info["order"].as_u64().unwrap_or(u64::MAX));
    let mut moves: Vec<MoveValue> = infos.into_iter().filter_map(|info| parse_info(info, question.board)).collect();
    keep_first(&mut moves);
    add_unsearched(&mut moves, &answer["policy"], question);
    if moves.is_empty() {
        return None;
    }
    let best = (moves[0].win_rate, moves[0].lead);
    let root = &answer["rootInfo"];
    let mut value = untold(None);
    value.win_rate = root["winrate"].as_f64().and_then(share).or(best.0);
    value.lead = root["scoreLead"].as_f64().or(best.1);
    for value in moves.iter_mut().chain([&mut value]) {
        turn(value, options.view, question.color);
    }
    Some(Evaluation { win_rate: value.win_rate, lead: value.lead, moves })
}

fn parse_info(info: &Value, board: &Board) -> Option<MoveValue> {
    let point = parse_candidate(info["move"].as_str()?, board)?;
    let words = info["pv"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let line: Vec<Option<Point>> = words.map_while(|word| parse_move(word.as_str()?, board)).collect();
    let line = if line.first() == Some(&point) { line } else { vec![point] };
    Some(MoveValue {
        visits: u32::try_from(info["visits"].as_u64()?).ok()?,
        win_rate: info["winrate"].as_f64().and_then(share),
        prior: info["prior"].as_f64().and_then(share),
        lead: info["scoreLead"].as_f64(),
        line,
        ..untold(point)
    })
}

/// Moves that the network expected but the search did not try, the likelier first, and the one that was played.
fn add_unsearched(moves: &mut Vec<MoveValue>, policy: &Value, question: &Question<'_>) {
    let Some(policy) = policy.as_array() else { return };
    let size = question.board.size();
    let points = size.points().map(Some).chain([None]);
    // A policy of another length belongs to another board.
    if policy.len() != size.n_points() + 1 {
        return;
    }
    let mut unsearched: Vec<MoveValue> = points
        .zip(policy)
        .filter(|(point, _)| point.is_none_or(|point| question.board.is_empty(point)))
        .filter_map(|(point, prior)| Some((point, prior.as_f64().and_then(share)?)))
        .filter(|(point, prior)| *prior >= LEAST_PRIOR || (point.is_some() && *point == question.played))
        .filter(|(point, _)| moves.iter().all(|known| known.point != *point))
        .map(|(point, prior)| MoveValue { prior: Some(prior), ..untold(point) })
        .collect();
    unsearched.sort_by(|a, b| b.prior.partial_cmp(&a.prior).unwrap_or(std::cmp::Ordering::Equal));
    moves.extend(unsearched);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> EngineOptions {
        EngineOptions { visits: Some(50), ..EngineOptions::new("katago analysis".parse().expect("a command")) }
    }

    fn board(size: u8, stones: &[(Color, u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::new(size).expect("a size"));
        for &(color, x, y) in stones {
            board.place(color, Point::new(x, y)).expect("an empty point");
        }
        board
    }

    #[test]
    fn a_query_says_all_and_always_the_same() {
        let start = board(9, &[(Color::White, 2, 2), (Color::Black, 6, 6)]);
        let moves =
            [Move { color: Color::White, point: Some(Point::new(4, 4)) }, Move { color: Color::Black, point: None }];
        let question =
            Question { start: &start, moves: &moves, board: &start, color: Color::White, komi: 6.3, played: None };
        let (id, text) = query(&question, &options());
        let expected = format!(
            "{{\"id\":\"{id}\",\"initialStones\":[[\"B\",\"G3\"],[\"W\",\"C7\"]],\"initialPlayer\":\"W\",\
             \"moves\":[[\"W\",\"E5\"],[\"B\",\"pass\"]],\"rules\":\"chinese\",\"komi\":6.5,\"boardXSize\":9,\
             \"boardYSize\":9,\"includePolicy\":true,\"overrideSettings\":{{\"ignorePreRootHistory\":false,\
             \"reportAnalysisWinratesAs\":\"SIDETOMOVE\"}},\"maxVisits\":50}}"
        );
        assert_eq!(text, expected);
        assert_eq!(query(&question, &options()), (id.clone(), text));
        let timed = EngineOptions { time: Some(Duration::from_millis(1500)), ..options() };
        assert!(query(&question, &timed).1.contains("\"maxTime\":1.5"));
        let out_of_turn = Question { color: Color::Black, ..question };
        let (other, text) = query(&out_of_turn, &options());
        assert_ne!(other, id);
        assert!(text.contains("\"moves\":[]") && text.contains("\"initialPlayer\":\"B\""), "{text}");
    }

    #[test]
    fn an_answer_is_read_with_what_was_not_searched() {
        let empty = board(2, &[]);
        let question = Question {
            start: &empty,
            moves: &[],
            board: &empty,
            color: Color::White,
            komi: 0.0,
            played: Some(Point::new(1, 1)),
        };
        let answer = json!({
            "id": "x", "rootInfo": { "winrate": 0.4, "scoreLead": -1.5, "visits": 9 },
            "moveInfos": [
                { "move": "B1", "visits": 3, "winrate": 7, "order": 1, "pv": ["A1"] },
                { "move": "A2", "visits": 6, "winrate": 0.45, "scoreLead": -1, "prior": 0.7, "order": 0, "pv": ["A2", "pass"] },
                { "move": "Q16", "visits": 6 }, { "visits": 6 }, 7,
            ],
            "policy": [0.7, 0.2, -1, 0.005, 0.09],
        });
        // B1 is the played point, and searched.
        let found = parse_answer(&answer, &question, &options()).expect("moves");
        assert_eq!((found.win_rate, found.lead), (Some(0.4), Some(-1.5)));
        let found_moves: Vec<_> = found.moves.iter().map(|m| (m.point, m.visits, m.win_rate, m.prior)).collect();
        let points = [Some(Point::new(0, 0)), Some(Point::new(1, 1)), Some(Point::new(1, 0)), None];
        let expected = [(6, Some(0.45), Some(0.7)), (3, None, None), (0, None, Some(0.2)), (0, None, Some(0.09))];
        assert_eq!(found_moves, points.iter().zip(expected).map(|(p, e)| (*p, e.0, e.1, e.2)).collect::<Vec<_>>());
        assert_eq!(found.moves[0].line, [points[0], None]);
        let unsearched = json!({ "moveInfos": [], "policy": [0.7, 0.2, -1, 0.005, 0.002] });
        let found = parse_answer(&unsearched, &question, &options()).expect("moves");
        let found_moves: Vec<_> = found.moves.iter().map(|m| (m.point, m.prior)).collect();
        assert_eq!(found_moves, [(points[0], Some(0.7)), (points[2], Some(0.2)), (points[1], Some(0.005))]);
    }

    #[test]
    fn the_policy_of_an_occupied_point_is_skipped() {
        let taken = board(2, &[(Color::Black, 0, 0)]);
        let question =
            Question { start: &taken, moves: &[], board: &taken, color: Color::White, komi: 0.0, played: None };
        let answer = json!({ "moveInfos": [], "policy": [0.6, 0.4, 0, 0, 0] });
        let found = parse_answer(&answer, &question, &options()).expect("a move");
        assert_eq!(found.moves.iter().map(|m| m.point).collect::<Vec<_>>(), [Some(Point::new(1, 0))]);
    }

    #[test]
    fn answers_without_moves_are_none() {
        let empty = board(9, &[]);
        let question =
            Question { start: &empty, moves: &[], board: &empty, color: Color::Black, komi: 0.0, played: None };
        for answer in [json!({}), json!({ "moveInfos": 3 }), json!({ "moveInfos": [], "policy": [1.0] }), json!([])] {
            assert_eq!(parse_answer(&answer, &question, &options()), None, "{answer}");
        }
    }
}
