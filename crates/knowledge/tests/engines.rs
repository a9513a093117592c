//! Engines that behave well or badly, simulated by shell scripts.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::engines::{Engine, EngineKind, EngineOptions, PointOfView};
use tejun_knowledge::evaluation::{
    Cached, Evaluation, EvaluationCache, EvaluationError, Evaluator, FailureLimit, PoolError, Question, WorkerPool,
};
use tejun_knowledge::progress::{CancelledAfter, NoProgress, Progress};

/// A GTP engine: `commands` handles the command named in `$1`, whose arguments follow; `say` replies.
fn gtp(commands: &str) -> String {
    format!(
        r#"
say() {{ printf '=%s %s\n\n' "$id" "$1"; }}
refuse() {{ printf '?%s %s\n\n' "$id" "$1"; }}
while read -r id request; do
    [ -n "$id" ] && printf '%s\n' "$request" >> "$folder/heard"
    set -- $request
    case "$1" in
        '') [ -z "$id" ] || printf '? unknown command\n\n' ;;
        name) say Fake ;;
        version) say 1.0 ;;
        {commands}
        boardsize | komi | clear_board | play | undo) say '' ;;
        quit) say ''; exit ;;
        *) refuse 'unknown command' ;;
    esac
done
"#
    )
}

/// A script that acts as an engine, in its own folder where it can write notes.
struct Fake {
    folder: tempfile::TempDir,
    options: EngineOptions,
}

impl Fake {
    fn new(script: &str) -> Fake {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fake-engine");
        let head = format!("folder='{}'\necho $$ >> \"$folder/pids\"\n", folder.path().display());
        fs::write(&path, head + script).expect("a script");
        let command = format!("sh '{}'", path.display()).parse().expect("a command");
        let options = EngineOptions {
            time: Some(Duration::from_secs(20)),
            start_time: Duration::from_secs(20),
            ..EngineOptions::new(command)
        };
        Fake { folder, options }
    }

    fn with(self, change: impl FnOnce(&mut EngineOptions)) -> Fake {
        let mut options = self.options;
        change(&mut options);
        Fake { options, ..self }
    }

    fn engine(&self) -> Engine {
        Engine::new(self.options.clone())
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }

    /// Number of times that it was started.
    fn n_starts(&self) -> usize {
        self.lines("pids").len()
    }

    /// Asks the first question.
    #[track_caller]
    fn value(&self) -> Evaluation {
        ask(&mut self.engine(), &[]).expect("an answer")
    }

    /// Checks that the first question fails with a message that contains all these texts.
    #[track_caller]
    fn check_failure(&self, expected: &[&str]) -> String {
        let message = ask(&mut self.engine(), &[]).expect_err("a failure");
        for text in expected.iter().chain(&["fake-engine"]) {
            assert!(message.contains(text), "{text:?} is missing in: {message}");
        }
        message
    }
}

fn point(name: &str) -> Point {
    Point::parse(name, BoardSize::new(9).expect("a size")).expect("a point")
}

/// Asks about a 9x9 board after these moves, Black first; `*` before a name is a white stone set up.
fn ask(engine: &mut dyn Evaluator, names: &[&str]) -> Result<Evaluation, String> {
    let mut start = Board::new(BoardSize::new(9).expect("a size"));
    for name in names.iter().filter_map(|name| name.strip_prefix('*')) {
        start.place(Color::White, point(name)).expect("an empty point");
    }
    let mut board = start.clone();
    let mut moves = Vec::new();
    let mut color = Color::Black;
    for name in names.iter().filter(|name| !name.starts_with('*')) {
        board.play(color, point(name)).expect("a legal move");
        moves.push(Move { color, point: Some(point(name)) });
        color = color.opponent();
    }
    let question = Question { start: &start, moves: &moves, board: &board, color, komi: 6.5, played: None };
    engine.evaluate(&question).map_err(|error| error.to_string())
}

/// The names of the moves with their visits and win rates.
fn moves_of(found: &Evaluation) -> Vec<(String, u32, Option<f64>)> {
    let size = BoardSize::new(9).expect("a size");
    let name = |point: Option<Point>| point.map_or("pass".to_string(), |point| point.name(size));
    found.moves.iter().map(|m| (name(m.point), m.visits, m.win_rate)).collect()
}

const PLAIN: &str = "list_commands) say 'genmove
reg_genmove
undo' ;; reg_genmove) say E5 ;;";

#[test]
fn plain_engines_name_their_best_move() {
    let fake = Fake::new(&gtp(PLAIN));
    assert_eq!(moves_of(&fake.value()), [("E5".to_string(), 0, None)]);
    assert_eq!(fake.engine().start().expect("an engine"), "Fake 1.0");
}

#[test]
fn moves_are_generated_and_taken_back_as_a_last_resort() {
    let fake = Fake::new(&gtp("list_commands) say 'genmove\nundo' ;; genmove) say E5 ;;"));
    let mut engine = fake.engine();
    for moves in [&[][..], &["C3"], &["C3", "G7"]] {
        assert_eq!(moves_of(&ask(&mut engine, moves).expect("an answer"))[0].0, "E5");
    }
    let expected = [
        "list_commands",
        "boardsize 9",
        "clear_board",
        "komi 6.5",
        "genmove b",
        "undo",
        "play b C3",
        "genmove w",
        "undo",
        "play w G7",
        "genmove b",
        "undo",
    ];
    assert_eq!(fake.lines("heard"), expected);
}

#[test]
fn the_move_list_of_gnugo_has_no_win_rates() {
    let list = "list_commands) say 'top_moves_black\ntop_moves_white' ;; top_moves_black) say 'E5 75.0 C3 7' ;;";
    let found = Fake::new(&gtp(list)).value();
    assert_eq!(moves_of(&found), [("E5".to_string(), 0, None), ("C3".to_string(), 0, None)]);
    let pass = "list_commands) say 'top_moves_black\ntop_moves_white' ;; top_moves_black) say '' ;;";
    assert_eq!(moves_of(&Fake::new(&gtp(pass)).value())[0].0, "pass");
}

#[test]
fn the_common_beginning_of_games_is_reused() {
    let fake = Fake::new(&gtp(PLAIN));
    let mut engine = fake.engine();
    for moves in [&["C3", "G7", "G3"][..], &["C3", "G7", "G3", "C7"], &["C3", "G7", "C7"], &["*A1"]] {
        ask(&mut engine, moves).expect("an answer");
    }
    let expected = [
        "list_commands",
        "boardsize 9",
        "clear_board",
        "komi 6.5",
        "play b C3",
        "play w G7",
        "play b G3",
        "reg_genmove w",
        "play w C7",
        "reg_genmove b",
        "undo",
        "undo",
        "play b C7",
        "reg_genmove w",
        "boardsize 9",
        "clear_board",
        "play w A1",
        "komi 6.5",
        "reg_genmove b",
    ];
    assert_eq!(fake.lines("heard"), expected);
}

const LZ: &str = r#"list_commands) say lz-analyze ;;
lz-analyze)
    printf '=%s\n' "$id"
    echo 'info move C3 visits 10 winrate 4000 prior 1000 order 0 pv C3'
    echo 'unexpected output'
    echo 'info move C3 visits 30 winrate 4500 order 1 pv C3 info move E5 visits 90 winrate 6000 lcb 5900 order 0 pv E5 C3'
    read -r stop
    printf '\n' ;;"#;

#[test]
fn analysis_runs_until_the_visits_or_the_time_are_reached() {
    let begin = Instant::now();
    let fake = Fake::new(&gtp(LZ)).with(|options| options.visits = Some(100));
    let found = fake.value();
    assert_eq!(moves_of(&found), [("E5".to_string(), 90, Some(0.6)), ("C3".to_string(), 30, Some(0.45))]);
    assert_eq!(found.win_rate, Some(0.6));
    assert_eq!(found.moves[0].line, [Some(point("E5")), Some(point("C3"))]);
    let hurried = Fake::new(&gtp(LZ)).with(|options| options.time = Some(Duration::from_millis(300)));
    assert_eq!(hurried.value(), found);
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "both limits end it long before the 20 s that it was given first"
    );
}

#[test]
fn win_rates_are_converted_to_the_side_to_move() {
    let black = Fake::new(&gtp(LZ)).with(|options| {
        options.visits = Some(100);
        options.view = PointOfView::Black;
    });
    let mut engine = black.engine();
    assert_eq!(ask(&mut engine, &[]).expect("an answer").win_rate, Some(0.6));
    assert_eq!(ask(&mut engine, &["G7"]).expect("an answer").win_rate, Some(0.4));
}

#[test]
fn kata_analyze_reports_points_and_is_preferred() {
    let kata = r#"list_commands) say 'lz-analyze
kata-analyze
kata-set-rules' ;;
kata-set-rules) [ "$2" = japanese ] && say '' || refuse 'no such rules' ;;
kata-analyze)
    printf '=%s\n' "$id"
    echo 'info move E5 visits 90 utility 0.1 winrate 0.61 scoreLead 2.5 prior 0.4 order 0 pv E5 C3 pvVisits 3 2'
    read -r stop
    printf '\n' ;;"#;
    let fake = Fake::new(&gtp(kata)).with(|options| {
        options.visits = Some(50);
        options.rules = "japanese".into();
    });
    let found = fake.value();
    assert_eq!((found.win_rate, found.lead, found.moves[0].prior), (Some(0.61), Some(2.5), Some(0.4)));
    fake.with(|options| options.rules = "martian".into()).check_failure(&["kata-set-rules martian", "no such rules"]);
}

#[test]
fn fuego_reports_visits_win_rates_and_bounds() {
    let fuego = r#"list_commands) say 'uct_gfx
uct_value
reg_genmove' ;;
uct_param_player) [ "$2" != ponder ] && say '' || refuse 'no such parameter' ;;
reg_genmove) say E5 ;;
uct_value) say 0.55 ;;
uct_bounds) say 'LABEL E5 0.70 C3 0.50
TEXT PASS=0.1' ;;
uct_gfx) say 'VAR B E5
INFLUENCE E5 0.20 C3 -0.50
LABEL C3 20 E5 700
TEXT N=720' ;;
uct_sequence) say 'VAR b E5 w C3' ;;"#;
    let fake = Fake::new(&gtp(fuego)).with(|options| options.visits = Some(720));
    let found = fake.value();
    assert_eq!(moves_of(&found), [("E5".to_string(), 700, Some(0.6)), ("C3".to_string(), 20, Some(0.25))]);
    assert_eq!((found.win_rate, found.moves[0].bound), (Some(0.55), Some(0.7)));
    assert_eq!(found.moves[0].line.len(), 2);
    let heard = fake.lines("heard");
    assert!(heard.contains(&"uct_param_player max_games 720".to_string()), "{heard:?}");
}

/// KataGo's analysis engine: `answer` is its reply to a query with the id `$id`.
fn katago(answer: &str) -> String {
    format!(
        r#"
echo 'loading the network'
while read -r line; do
    case "$line" in
        *query_version*) echo '{{"action":"query_version","id":"query_version","version":"1.99"}}' ;;
        *query_models*) echo '{{"id":"query_models","models":[{{"internalName":"b6c96"}}]}}' ;;
        *)
            printf '%s\n' "$line" >> "$folder/heard"
            id=${{line#'{{"id":"'}}
            id=${{id%%'"'*}}
            {answer} ;;
    esac
done
"#
    )
}

fn katago_fake(answer: &str) -> Fake {
    Fake::new(&katago(answer)).with(|options| {
        options.kind = EngineKind::KataGoJson;
        options.visits = Some(50);
    })
}

#[test]
fn katago_answers_in_json() {
    let answer = r#"echo '{"id":"another","moveInfos":[]}'
        printf '{"warning":"odd","field":"rules","id":"%s"}\n' "$id"
        printf '{"id":"%s","isDuringSearch":true,"moveInfos":[]}\n' "$id"
        printf '{"id":"%s","isDuringSearch":false,"rootInfo":{"winrate":0.5,"scoreLead":-0.5},"moveInfos":[{"move":"E5","visits":40,"winrate":0.52,"scoreLead":0.5,"prior":0.3,"order":0,"pv":["E5","C3"]}]}\n' "$id""#;
    let fake = katago_fake(answer);
    let found = fake.value();
    assert_eq!(moves_of(&found), [("E5".to_string(), 40, Some(0.52))]);
    assert_eq!((found.win_rate, found.lead, found.moves[0].lead), (Some(0.5), Some(-0.5), Some(0.5)));
    assert!(fake.lines("heard")[0].contains("\"maxVisits\":50"));
    assert_eq!(fake.engine().start().expect("an engine"), "KataGo 1.99 b6c96");
}

#[test]
fn katagos_refusals_are_reported_and_the_next_question_is_asked() {
    let answer = r#"case "$line" in
        *C3*) printf '{"error":"Illegal move 1: C3","field":"moves","id":"%s"}\n' "$id" ;;
        *) printf '{"id":"%s","moveInfos":[{"move":"E5","visits":4,"winrate":0.5}]}\n' "$id" ;;
    esac"#;
    let fake = katago_fake(answer);
    let mut engine = fake.engine();
    let message = ask(&mut engine, &["C3"]).expect_err("a refusal");
    assert!(message.contains("refuses \"moves\": it says \"Illegal move 1: C3\""), "{message}");
    assert_eq!(moves_of(&ask(&mut engine, &["G7"]).expect("an answer"))[0].0, "E5");
    assert_eq!(fake.n_starts(), 1);
}

/// Beginning of an answer to a query with the id `$id`, whose komi comes back as the lead.
const ECHO: &str = r#"komi=${line#*'"komi":'}
        komi=${komi%%,*}
        answer="{\"id\":\"$id\",\"rootInfo\":{\"scoreLead\":$komi},\"moveInfos\":[{\"move\":\"E5\",\"visits\":50}]}"
        "#;

/// An analysis engine that is asked many questions at once, with short limits; `answer` prints `$answer`.
fn batch_fake(answer: &str) -> Fake {
    katago_fake(&format!("{ECHO}{answer}")).with(|options| {
        options.time = None;
        options.longest_search = Duration::from_secs(2);
        options.grace = Duration::ZERO;
    })
}

type Answers = Result<Vec<Result<Evaluation, EvaluationError>>, PoolError<EvaluationError>>;

/// Asks this number of questions, which differ in komi.
fn ask_queue(evaluator: impl Evaluator + Send, start: &Board, n: usize, progress: &dyn Progress) -> Answers {
    let question = Question { start, moves: &[], board: start, color: Color::Black, komi: 0.0, played: None };
    let questions: Vec<Question<'_>> = (0..n).map(|number| Question { komi: number as f64, ..question }).collect();
    let limit = FailureLimit { before_first_answer: 99, after_first_answer: 99 };
    let mut pool = WorkerPool::new(vec![evaluator]).with_limit(limit);
    pool.ask_many(&questions, progress, |evaluator, queue| evaluator.evaluate_queue(queue))
}

/// Checks that all questions are answered but these, which fail with messages that contain the text.
#[track_caller]
fn check_batch(fake: &Fake, n: usize, failing: &[usize], expected: &str) {
    let board = Board::new(BoardSize::new(9).expect("a size"));
    let answers = ask_queue(fake.engine(), &board, n, &NoProgress).expect("not given up");
    for (number, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(found) => {
                assert_eq!(found.lead, Some(number as f64));
                assert!(!failing.contains(&number));
            }
            Err(error) => {
                let error = error.to_string();
                assert!(failing.contains(&number) && error.contains(expected), "{number}: {error}");
            }
        }
    }
}

#[test]
fn many_questions_are_asked_at_once_and_answered_in_any_order() {
    // It waits for 64 queries and answers the last one first; then it answers in pairs.
    let answer = "answers=\"$answer
$answers\"; n=$((n + 1)); [ $n -lt 64 ] || [ $((n % 2)) = 1 ] || { printf %s \"$answers\"; answers=; }";
    let fake = batch_fake(answer);
    check_batch(&fake, 100, &[], "");
    assert_eq!((fake.n_starts(), fake.lines("heard").len()), (1, 100));
    // With a time limit, searches at the same time would take visits from each other.
    let alone =
        batch_fake("read -r next && echo $answer").with(|options| options.time = Some(Duration::from_millis(50)));
    check_batch(&alone, 2, &[0, 1], "gave no answer");
}

#[test]
fn other_answers_and_refusals_do_not_disturb_a_batch() {
    let answer = r#"echo '{"id":"never asked","moveInfos":[]}'
        printf '{"id":"%s","isDuringSearch":true,"moveInfos":[]}\n{"warning":"odd","id":"%s"}\n' "$id" "$id"
        case $komi in
            3.0) printf '{"error":"Illegal komi","field":"komi","id":"%s"}\n' "$id" ;;
            *) echo "$answer"; echo "$answer" ;;
        esac"#;
    let fake = batch_fake(answer);
    check_batch(&fake, 8, &[3], "refuses \"komi\": it says \"Illegal komi\"");
    assert_eq!(fake.n_starts(), 1);
}

#[test]
fn questions_without_an_answer_are_asked_again_when_the_engine_dies() {
    let fake = batch_fake(
        "[ -e \"$folder/died\" ] || [ $komi != 4.0 ] || { : > \"$folder/died\"; exit 1; }; echo \"$answer\"",
    );
    check_batch(&fake, 10, &[], "");
    assert_eq!(fake.n_starts(), 2);
    let mut asked: Vec<String> = fake.lines("heard");
    assert_eq!(asked.len(), 11, "only the question that killed it is heard twice");
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), 10);
}

#[test]
fn a_question_that_always_kills_the_engine_is_found_in_a_batch() {
    let fake = batch_fake("[ $komi != 4.0 ] || kill -9 $$; echo \"$answer\"");
    check_batch(&fake, 10, &[4], "3 times for this position");
    assert_eq!(fake.n_starts(), 5, "with all questions, three times with the one, and with the others");
    let garbled = batch_fake("[ $komi != 4.0 ] || { echo '{\"id\": oops'; continue; }; echo \"$answer\"");
    check_batch(&garbled, 10, &[4], "oops");
    let nameless = batch_fake("[ $komi != 4.0 ] || { echo '{\"error\":\"no query\"}'; continue; }; echo \"$answer\"");
    check_batch(&nameless, 10, &[4], "no query");
}

#[test]
fn an_engine_that_falls_silent_in_a_batch_is_started_again() {
    let once = batch_fake(
        "[ -e \"$folder/hung\" ] || [ $komi != 2.0 ] || { : > \"$folder/hung\"; exec sleep 1000; }; echo \"$answer\"",
    );
    check_batch(&once, 10, &[], "");
    assert_eq!(once.n_starts(), 2);
    // Lines with other ids do not count as answers.
    let chatty =
        batch_fake("while :; do echo '{\"id\":\"never asked\"}'; sleep 0.01; done").with(|o| o.longest_search /= 4);
    check_batch(&chatty, 1, &[0], "gave no answer within 500ms");
    assert_eq!(chatty.n_starts(), 1, "it never answered");
}

#[test]
fn a_batch_ends_at_once_when_it_is_cancelled_and_resumes() {
    let stuck = "[ -e \"$folder/again\" ] || [ $komi != 3.0 ] || exec sleep 1000; echo \"$answer\"";
    let fake = batch_fake(stuck).with(|options| options.longest_search = Duration::from_secs(600));
    let folder = fake.folder.path().to_path_buf();
    let cache = Arc::new(EvaluationCache::open(folder.join("kept")).expect("a folder"));
    let board = Board::new(BoardSize::new(9).expect("a size"));
    let begin = Instant::now();
    let cancelled = ask_queue(Cached::new(cache.clone(), fake.engine()), &board, 10, &CancelledAfter::new(3));
    assert!(matches!(cancelled, Err(PoolError::Cancelled)));
    assert!(begin.elapsed() < Duration::from_secs(60), "the engine would be silent for ten minutes");
    assert!(!is_there(&fake.lines("pids")[0]));
    fs::write(folder.join("again"), "").expect("a written file");
    fs::remove_file(folder.join("heard")).expect("a file");
    let answers = ask_queue(Cached::new(cache.clone(), fake.engine()), &board, 10, &NoProgress).expect("not given up");
    let leads: Vec<Option<f64>> = answers.into_iter().map(|answer| answer.expect("an answer").lead).collect();
    assert_eq!(leads, (0..10).map(|number| Some(f64::from(number))).collect::<Vec<_>>());
    assert_eq!((cache.n_hits(), fake.lines("heard").len()), (3, 7));
}

#[test]
fn long_queries_and_long_answers_at_once_do_not_block() {
    let long = r#"long=$(head -c 20000 /dev/zero | tr '\0' x); echo "${answer%\}},\"long\":\"$long\"}""#;
    let fake = batch_fake(long).with(|options| options.longest_search = Duration::from_secs(60));
    let mut board = Board::new(BoardSize::NINETEEN);
    for (number, point) in BoardSize::NINETEEN.points().enumerate().filter(|(number, _)| number % 6 > 0) {
        board.place(if number % 2 == 0 { Color::Black } else { Color::White }, point).expect("an empty point");
    }
    let answers = ask_queue(fake.engine(), &board, 64, &NoProgress).expect("not given up");
    assert!(answers.iter().all(Result::is_ok));
    let n_bytes: usize = fake.lines("heard").iter().map(String::len).sum();
    assert!(n_bytes > 128_000, "more than a pipe holds: {n_bytes}");
}

#[test]
fn a_missing_program_is_named() {
    let command = "'no such engine' --gtp".parse().expect("a command");
    let message = ask(&mut Engine::new(EngineOptions::new(command)), &[]).expect_err("no program");
    assert!(message.contains("`\"no such engine\" --gtp` could not be started"), "{message}");
    assert!(message.contains("check the path"), "{message}");
}

#[test]
fn an_engine_that_dies_at_once_is_started_three_times_and_quoted() {
    let fake = Fake::new("echo 'no network found' >&2\nexit 3\n");
    fake.check_failure(&["ended before it answered", "exit status: 3", "3 times", "no network found", "by hand"]);
    assert_eq!(fake.n_starts(), 3);
    let once = Fake::new("exit 0").with(|options| options.n_restarts = 0);
    once.check_failure(&["exit status: 0"]);
    assert_eq!(once.n_starts(), 1);
}

#[test]
fn an_engine_that_dies_at_a_question_is_asked_again() {
    let script = PLAIN.replace("say E5", "[ -e \"$folder/died\" ] || { : > \"$folder/died\"; exit 1; }; say E5");
    let fake = Fake::new(&gtp(&script));
    let mut engine = fake.engine();
    assert_eq!(moves_of(&ask(&mut engine, &["C3", "G7"]).expect("an answer"))[0].0, "E5");
    assert_eq!(fake.n_starts(), 2);
    let setup = ["list_commands", "boardsize 9", "clear_board", "komi 6.5", "play b C3", "play w G7", "reg_genmove b"];
    assert_eq!(fake.lines("heard"), [setup, setup].concat());
}

#[test]
fn an_engine_that_always_dies_fails_only_its_questions() {
    let script = PLAIN.replace("say E5", "case \"$2\" in b) kill -9 $$ ;; *) say E5 ;; esac");
    let fake = Fake::new(&gtp(&script));
    let mut engine = fake.engine();
    let message = ask(&mut engine, &[]).expect_err("a dead engine");
    assert!(message.contains("signal: 9") && message.contains("3 times"), "{message}");
    assert_eq!(moves_of(&ask(&mut engine, &["C3"]).expect("an answer"))[0].0, "E5");
    assert_eq!(fake.n_starts(), 4);
}

/// Short limits, for engines that do not answer.
fn hurried(options: &mut EngineOptions) {
    options.time = Some(Duration::from_millis(300));
    options.grace = Duration::from_millis(300);
    options.n_restarts = 1;
}

#[test]
fn an_engine_that_hangs_is_ended() {
    let script = PLAIN.replace("say E5", "exec sleep 1000");
    let fake = Fake::new(&gtp(&script)).with(hurried);
    // If it never answered, starting it again would only double the wait.
    fake.check_failure(&["gave no answer within 600ms", "more time"]);
    assert_eq!(fake.n_starts(), 1);
    let endless = LZ.replace("read -r stop", "while :; do echo 'info move E5 visits 1 winrate 5000'; sleep 0.05; done");
    let fake = Fake::new(&gtp(&endless)).with(hurried);
    fake.check_failure(&["gave no answer within"]);
    let silent = katago_fake("exec sleep 1000").with(hurried);
    silent.check_failure(&["gave no answer within 600ms"]);
}

#[test]
fn an_engine_that_hangs_after_it_answered_is_started_again() {
    let script =
        PLAIN.replace("say E5", "[ -e \"$folder/answered\" ] && exec sleep 1000; : > \"$folder/answered\"; say E5");
    let fake = Fake::new(&gtp(&script)).with(hurried);
    let mut engine = fake.engine();
    ask(&mut engine, &[]).expect("an answer");
    let message = ask(&mut engine, &[]).expect_err("no second answer");
    assert!(message.contains("gave no answer within 600ms") && message.contains("2 times"), "{message}");
    assert_eq!(fake.n_starts(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_started_by_a_script_is_ended_with_the_script() {
    // The script waits for its child, like a script without `exec`.
    let script = PLAIN.replace("say E5", "sleep 1000 & echo $! > \"$folder/child\"; wait");
    let fake = Fake::new(&gtp(&script)).with(hurried);
    fake.check_failure(&["gave no answer within 600ms"]);
    let child = fake.lines("child").concat();
    let is_running = || {
        let status = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    };
    let start = std::time::Instant::now();
    while is_running() && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_running(), "process {child} is still there");
}

#[test]
fn an_engine_that_never_gets_ready_is_not_started_again() {
    for kind in [EngineKind::Auto, EngineKind::KataGoJson] {
        let fake = Fake::new("exec sleep 1000").with(|options| {
            options.kind = kind;
            options.start_time = Duration::from_millis(300);
        });
        fake.check_failure(&["was not ready 300ms after its start", "more time to start"]);
        assert_eq!(fake.n_starts(), 1);
    }
}

#[test]
fn another_program_is_recognized_by_its_output() {
    let chatter = "printf 'Welcome\\033[1m to the shop\\n'; exec sleep 1000";
    let shop = Fake::new(chatter).with(|options| options.start_time = Duration::from_secs(2));
    shop.check_failure(&["does not speak GTP", "Welcome\\u{1b}[1m to the shop", "kind"]);
    let flood = Fake::new("exec yes nonsense");
    flood.check_failure(&["does not speak GTP", "\"nonsense\"", "kind"]);
    assert_eq!(flood.n_starts(), 1);
}

#[test]
fn json_and_gtp_are_distinguished() {
    let json = "while read -r line; do echo '{\"error\":\"Could not parse\"}'; done";
    Fake::new(json).check_failure(&["does not speak GTP", "Could not parse", "kind katago-json"]);
    let gtp = Fake::new(&gtp(PLAIN)).with(|options| options.kind = EngineKind::KataGoJson);
    gtp.check_failure(&["does not speak KataGo's JSON protocol", "unknown command", "katago analysis"]);
}

#[test]
fn an_engine_of_another_kind_is_named() {
    let fake = Fake::new(&gtp(PLAIN)).with(|options| options.kind = EngineKind::Fuego);
    fake.check_failure(&["the kind fuego needs", "uct_gfx", "choose the kind auto"]);
    let useless = Fake::new(&gtp(&PLAIN.replace("reg_genmove", "other").replace("genmove", "other")));
    useless.check_failure(&["does not have the GTP command genmove", "speaks GTP", "katago analysis"]);
}

#[test]
fn answers_that_make_no_sense_are_shown_and_the_next_question_is_asked() {
    let script = PLAIN.replace("say E5", "case \"$2\" in b) say banana ;; *) say E5 ;; esac");
    let fake = Fake::new(&gtp(&script));
    let mut engine = fake.engine();
    let message = ask(&mut engine, &[]).expect_err("no move");
    assert!(message.contains("answers \"reg_genmove b\" with \"banana\""), "{message}");
    assert!(message.contains("kind of engine"), "{message}");
    assert_eq!(moves_of(&ask(&mut engine, &["C3"]).expect("an answer"))[0].0, "E5");
    assert_eq!(fake.n_starts(), 1);
    let other = Fake::new(&gtp(&LZ.replace("info", "fino")));
    let other = other.with(|options| options.time = Some(Duration::from_millis(300)));
    other.check_failure(&["lz-analyze b", "fino", "kind"]);
    katago_fake("echo '{\"id\": oops'").check_failure(&["oops", "kind"]);
    katago_fake("printf '{\"id\":\"%s\"}\\n' \"$id\"").check_failure(&["query", "kind"]);
}

#[test]
fn a_refused_move_is_named_and_the_next_question_is_asked() {
    let script = format!("{PLAIN} play) case \"$3\" in G7) refuse 'illegal move' ;; *) say '' ;; esac ;;");
    let fake = Fake::new(&gtp(&script));
    let mut engine = fake.engine();
    let message = ask(&mut engine, &["C3", "G7", "G3"]).expect_err("a refused move");
    assert!(message.contains("refuses move 2, White at G7: it says \"illegal move\""), "{message}");
    assert!(message.contains("fake-engine") && message.contains("repeated position"), "{message}");
    assert_eq!(moves_of(&ask(&mut engine, &["C3", "C7"]).expect("an answer"))[0].0, "E5");
    let message = ask(&mut engine, &["*G7"]).expect_err("a refused stone");
    assert!(message.contains("refuses the setup stone White at G7"), "{message}");
    assert_eq!(fake.n_starts(), 1);
}

#[test]
fn half_an_answer_is_not_an_answer() {
    let script = PLAIN.replace("say E5", "printf '=%s E' \"$id\"; exit 0");
    Fake::new(&gtp(&script)).check_failure(&["ended before it answered", "exit status: 0"]);
    let half = katago_fake("printf '{\"id\":\"%s\",\"moveInfos\":[{\"move\"' \"$id\"; exit 0");
    half.check_failure(&["ended before it answered"]);
}

#[test]
fn floods_and_endless_lines_are_bounded() {
    let noisy = PLAIN.replace("say E5", "yes 'a warning' | head -n 200000 >&2; echo 'the last word' >&2; exit 1");
    let fake = Fake::new(&gtp(&noisy)).with(|options| options.n_restarts = 0);
    let message = fake.check_failure(&["the last word"]);
    assert_eq!(message.matches("a warning").count(), 4);
    let huge =
        PLAIN.replace("say E5", "printf '=%s ' \"$id\"; head -c 10000000 /dev/zero | tr '\\0' x; printf '\\n\\n'");
    let message = Fake::new(&gtp(&huge)).check_failure(&["xxxx…"]);
    assert!(message.len() < 1000, "the answer is shortened");
    let chatty = PLAIN.replace("say E5", "yes 'a warning' | head -n 200000 >&2; say E5");
    assert_eq!(moves_of(&Fake::new(&gtp(&chatty)).value())[0].0, "E5");
}

#[test]
fn greetings_and_answers_without_numbers_are_understood() {
    let script = format!("echo 'Fake 1.0'; echo '======='; echo\n{}", gtp(PLAIN).replace("=%s %s", "= %.0s%s"));
    assert_eq!(moves_of(&Fake::new(&script).value())[0].0, "E5");
}

/// Whether a process with this id is running or a zombie.
fn is_there(pid: &str) -> bool {
    let mut check = std::process::Command::new("sh");
    check.args(["-c", &format!("kill -0 {pid} 2> \"$0\"")]).arg(Path::new("/dev/null"));
    check.status().expect("a shell").success()
}

#[test]
fn the_process_is_gone_when_the_engine_is_dropped() {
    let fake = Fake::new(&gtp(PLAIN));
    let mut engine = fake.engine();
    assert_eq!(fake.n_starts(), 0, "nothing is started before it is asked");
    ask(&mut engine, &[]).expect("an answer");
    let pids = fake.lines("pids");
    assert!(is_there(&pids[0]));
    drop(engine);
    assert!(!is_there(&pids[0]));
}
