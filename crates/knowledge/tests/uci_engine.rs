//! Engines of shogi and chess that behave, and some that do not: shell scripts play their parts.
#![cfg(unix)]

use std::fs;
use std::time::{Duration, Instant};

use tejun_knowledge::engines::{Analysis, BestMove, Dialect, Score, SearchLimit, UciEngine, UciEngineOptions};

/// An engine that is ready when asked: `go` is what it does to analyze the position in `$position`.
fn speaking(dialect: Dialect, go: &str) -> String {
    format!(
        r#"
while read -r line; do
    printf '%s\n' "$line" >> "$folder/heard"
    set -- $line
    case "$1" in
        {dialect}) echo 'Fake 1.0, at your service'; echo 'id name Fake 1.0'; echo 'id author nobody'
            echo 'option name Thread type spin default 2 min 1 max 2'
            echo 'option name Clear Hash type button'
            echo 'option name MultiPV type spin default 1 min 1 max 9'
            echo {dialect}ok ;;
        isready) echo readyok ;;
        position) position="$line" ;;
        go) {go} ;;
        quit) exit ;;
    esac
done
"#
    )
}

/// A script that plays an engine, in a folder of its own where it can leave notes.
struct Fake {
    folder: tempfile::TempDir,
    options: UciEngineOptions,
}

impl Fake {
    fn new(dialect: Dialect, script: &str) -> Fake {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fake-engine");
        let head = format!("folder='{}'\necho $$ >> \"$folder/pids\"\n", folder.path().display());
        fs::write(&path, head + script).expect("a script");
        let command = format!("sh '{}'", path.display()).parse().expect("a command");
        let options = UciEngineOptions {
            limit: SearchLimit::Time(Duration::from_secs(20)),
            start_time: Duration::from_secs(20),
            ..UciEngineOptions::new(command, dialect)
        };
        Fake { folder, options }
    }

    fn usi(go: &str) -> Fake {
        Fake::new(Dialect::Usi, &speaking(Dialect::Usi, go))
    }

    fn uci(go: &str) -> Fake {
        Fake::new(Dialect::Uci, &speaking(Dialect::Uci, go))
    }

    fn with(mut self, change: impl FnOnce(&mut UciEngineOptions)) -> Fake {
        change(&mut self.options);
        self
    }

    fn engine(&self) -> UciEngine {
        UciEngine::new(self.options.clone())
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }

    /// How often it was started.
    fn n_starts(&self) -> usize {
        self.lines("pids").len()
    }

    /// Its analysis of the first position.
    #[track_caller]
    fn analysis(&self) -> Analysis {
        self.engine().analyze("startpos").expect("an answer")
    }

    /// Fails at the first position, with a message that has all these words.
    #[track_caller]
    fn check_failure(&self, words: &[&str]) -> String {
        let message = self.engine().analyze("startpos").expect_err("a failure").to_string();
        for word in words.iter().chain(&["fake-engine"]) {
            assert!(message.contains(word), "{word:?} is missing in: {message}");
        }
        message
    }
}

/// The scores of the lines with their first moves.
fn reported(analysis: &Analysis) -> Vec<(Score, &str)> {
    analysis.lines.iter().map(|line| (line.score, line.moves.first().map_or("", String::as_str))).collect()
}

fn plays(name: &str) -> BestMove {
    BestMove::Move(name.to_string())
}

const GPS: &str = "echo 'info currmove 7g7f'
echo 'info depth 6 seldepth 10 time 556 score cp 14 nodes 123154 nps 221214 pv 7g7f 3c3d 2g2f'
echo 'info depth 6'
echo 'bestmove 7g7f ponder 3c3d'";

#[test]
fn a_shogi_engine_is_asked_in_usi() {
    let fake = Fake::usi(GPS).with(|options| {
        options.settings = vec![("thread".into(), "1".into()), ("USI_Hash".into(), "64".into())];
    });
    let mut engine = fake.engine();
    assert_eq!((engine.name(), fake.n_starts()), (None, 0), "nothing is started before it is asked");
    let analysis = engine.analyze("startpos moves 2g2f").expect("an answer");
    assert_eq!((analysis.best_move.clone(), analysis.depth, analysis.nodes), (plays("7g7f"), Some(6), Some(123_154)));
    assert_eq!(analysis.lines[0].moves, ["7g7f", "3c3d", "2g2f"]);
    assert_eq!(analysis.score(), Some(Score::Centipawns(14)));
    assert_eq!(engine.name(), Some("Fake 1.0"));
    engine.new_game();
    engine.analyze("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1").expect("an answer");
    let expected = [
        "usi",
        "setoption name thread value 1",
        "setoption name USI_Hash value 64",
        "isready",
        "usinewgame",
        "position startpos moves 2g2f",
        "go btime 0 wtime 0 byoyomi 20000",
        "isready",
        "usinewgame",
        "position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "go btime 0 wtime 0 byoyomi 20000",
    ];
    assert_eq!(fake.lines("heard"), expected);
}

#[test]
fn a_chess_engine_is_asked_in_uci() {
    let go = "echo 'info depth 9 multipv 1 score cp -30 nodes 500 pv e7e5 g1f3'; echo 'bestmove e7e5'";
    let fake = Fake::uci(go).with(|options| {
        options.limit = SearchLimit::Depth(9);
        options.settings = vec![("Clear Hash".into(), String::new())];
    });
    let mut engine = fake.engine();
    engine.new_game();
    let analysis = engine.analyze("startpos moves e2e4").expect("an answer");
    assert_eq!(analysis.best_move, plays("e7e5"));
    assert_eq!(reported(&analysis), [(Score::Centipawns(-30), "e7e5")]);
    let expected = [
        "uci",
        "setoption name Clear Hash",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos moves e2e4",
        "go depth 9",
    ];
    assert_eq!(fake.lines("heard"), expected);
}

#[test]
fn several_lines_are_those_of_the_last_whole_iteration() {
    let go = "echo 'info depth 5 multipv 1 score cp 9 pv e2e4'; echo 'info depth 5 multipv 2 score cp 3 pv d2d4'
        echo 'info depth 6 multipv 1 score cp 8 pv e2e4'; echo 'info depth 6 multipv 2 score cp 90 lowerbound pv c2c4'
        echo 'bestmove e2e4'";
    let fake = Fake::uci(go).with(|options| options.n_lines = 2);
    let analysis = fake.analysis();
    assert_eq!(reported(&analysis), [(Score::Centipawns(9), "e2e4"), (Score::Centipawns(3), "d2d4")]);
    assert_eq!(analysis.depth, Some(5));
    assert!(fake.lines("heard").contains(&"setoption name MultiPV value 2".to_string()));
}

#[test]
fn bounds_mates_and_bare_moves_are_read() {
    #[track_caller]
    fn check(info: &str, expected: &[(Score, &str)]) {
        let fake = Fake::usi(&format!("echo 'info {info}'; echo 'bestmove 7g7f'"));
        assert_eq!(reported(&fake.analysis()), expected, "{info}");
    }
    check("depth 3 score cp 40 lowerbound pv 7g7f", &[(Score::Centipawns(40), "7g7f")]);
    check("depth 3 score mate 5 pv 7g7f", &[(Score::Mate(5), "7g7f")]);
    check("depth 3 score mate - pv 7g7f", &[(Score::Mate(-Score::UNKNOWN_MATE_LENGTH), "7g7f")]);
    check("depth 3 score mate +", &[(Score::Mate(Score::UNKNOWN_MATE_LENGTH), "")]);
    check("string score cp 5", &[]);
    let bare = Fake::usi("echo 'bestmove 7g7f'").analysis();
    assert_eq!(bare, Analysis { best_move: plays("7g7f"), lines: Vec::new(), depth: None, nodes: None });
}

#[test]
fn resignations_and_wins_are_read() {
    #[track_caller]
    fn check(fake: &Fake, expected: BestMove) {
        assert_eq!(fake.analysis().best_move, expected);
    }
    check(&Fake::usi("echo 'bestmove resign'"), BestMove::Resign);
    check(&Fake::usi("echo 'bestmove win'"), BestMove::Win);
    check(&Fake::uci("echo 'info depth 0 score mate 0'; echo 'bestmove (none)'"), BestMove::Resign);
    check(&Fake::uci("echo 'bestmove 0000'"), BestMove::Resign);
}

#[test]
fn a_missing_program_is_named() {
    let options = UciEngineOptions::new("'no such engine' -x".parse().expect("a command"), Dialect::Usi);
    let message = UciEngine::new(options).analyze("startpos").expect_err("no program").to_string();
    assert!(message.contains("`\"no such engine\" -x` could not be started"), "{message}");
    assert!(message.contains("check the path"), "{message}");
}

#[test]
fn an_engine_that_dies_is_started_again_and_quoted() {
    let fake = Fake::new(Dialect::Usi, "echo 'no evaluation file' >&2\nexit 3\n");
    fake.check_failure(&["ended before it answered", "exit status: 3", "3 times", "no evaluation file", "by hand"]);
    assert_eq!(fake.n_starts(), 3);
    let talker = Fake::usi("echo 'info string no such depth'; exit 1").with(|options| options.n_restarts = 0);
    talker.check_failure(&["ended before it answered", "info string no such depth"]);
    let once = Fake::usi(&format!("[ -e \"$folder/died\" ] || {{ : > \"$folder/died\"; exit 1; }}; {GPS}"));
    assert_eq!(once.analysis().best_move, plays("7g7f"));
    assert_eq!(once.n_starts(), 2);
}

#[test]
fn a_position_that_kills_costs_only_itself() {
    let fake = Fake::usi(&format!("case \"$position\" in *1a1a*) kill -9 $$ ;; esac; {GPS}"));
    let mut engine = fake.engine();
    let message = engine.analyze("startpos moves 1a1a").expect_err("a dead engine").to_string();
    assert!(message.contains("signal: 9") && message.contains("3 times"), "{message}");
    assert_eq!(engine.analyze("startpos").expect("an answer").best_move, plays("7g7f"));
    assert_eq!(fake.n_starts(), 4);
}

/// Short limits for engines that do not answer.
fn hurried(options: &mut UciEngineOptions) {
    options.limit = SearchLimit::Time(Duration::from_millis(300));
    options.grace = Duration::from_millis(300);
    options.n_restarts = 1;
}

#[test]
fn an_engine_that_hangs_is_ended() {
    let fake = Fake::usi("exec sleep 1000").with(hurried);
    // Before it ever answered, another start would only double the wait.
    fake.check_failure(&["gave no answer within 600ms", "more time"]);
    assert_eq!(fake.n_starts(), 1);
    let endless = Fake::usi("while :; do echo 'info depth 1 score cp 5 pv 7g7f'; done").with(hurried);
    let begin = Instant::now();
    endless.check_failure(&["gave no answer within 600ms"]);
    assert!(begin.elapsed() < Duration::from_secs(10), "reports do not put the deadline off");
}

#[test]
fn an_engine_that_is_never_ready_is_not_tried_again() {
    let brief = |options: &mut UciEngineOptions| options.start_time = Duration::from_millis(300);
    let silent = Fake::new(Dialect::Uci, "exec sleep 1000").with(brief);
    silent.check_failure(&["was not ready 300ms after its start", "more time to start"]);
    assert_eq!(silent.n_starts(), 1);
    let loading = "read -r line; echo 'id name Slow'; echo usiok; echo 'info string loading'; exec sleep 1000";
    let loading = Fake::new(Dialect::Usi, loading).with(brief);
    loading.check_failure(&["was not ready 300ms after its start", "info string loading"]);
    assert_eq!(loading.n_starts(), 1);
}

#[test]
fn another_program_is_recognized_by_what_it_says() {
    let begin = Instant::now();
    let flood = Fake::new(Dialect::Usi, "exec yes nonsense");
    flood.check_failure(&["does not speak USI", "\"nonsense\"", "choose uci"]);
    assert_eq!(flood.n_starts(), 1);
    let stockfish = "while read -r line; do echo \"Unknown command: '$line'.\"; done";
    Fake::new(Dialect::Usi, stockfish).check_failure(&["does not speak USI", "Unknown command: 'usi'", "choose uci"]);
    let gtp = "while read -r line; do printf '? unknown command\\n\\n'; done";
    Fake::new(Dialect::Uci, gtp).check_failure(&["does not speak UCI", "? unknown command", "choose usi"]);
    let other = "while read -r line; do echo uciok; done";
    Fake::new(Dialect::Usi, other).check_failure(&["does not speak USI", "uciok"]);
    assert!(begin.elapsed() < Duration::from_secs(15), "none of them costs the 20 s that it has to start");
    let shop = Fake::new(Dialect::Usi, "printf 'Welcome\\033[1m to the shop\\n'; exec sleep 1000");
    let shop = shop.with(|options| options.start_time = Duration::from_secs(1));
    shop.check_failure(&["does not speak USI", "Welcome\\u{1b}[1m to the shop"]);
}

#[test]
fn answers_that_make_no_sense_are_shown_and_the_next_position_is_asked() {
    let fake = Fake::usi("case \"$position\" in *moves*) echo 'bestmove 7g7f' ;; *) echo 'bestmove banana' ;; esac");
    let mut engine = fake.engine();
    let message = engine.analyze("startpos").expect_err("no move").to_string();
    assert!(message.contains("answers \"go btime 0 wtime 0 byoyomi 20000\" with \"bestmove banana\""), "{message}");
    assert_eq!(engine.analyze("startpos moves 7g7f").expect("an answer").best_move, plays("7g7f"));
    assert_eq!(fake.n_starts(), 1);
    Fake::usi("echo 'bestmove'").check_failure(&["with \"bestmove\""]);
    Fake::uci("echo 'bestmove resign'").check_failure(&["with \"bestmove resign\""]);
    Fake::usi("exec yes banana").check_failure(&["only with lines like \"banana\"", "3 times"]);
    let half = Fake::usi("printf 'bestmove 7g7'; exit 0").with(|options| options.n_restarts = 0);
    half.check_failure(&["ended before it answered"]);
    let huge = Fake::usi("printf 'bestmove '; head -c 10000000 /dev/zero | tr '\\0' x; echo");
    assert!(huge.check_failure(&["xxxx…"]).len() < 1000, "the answer is shortened");
}

#[test]
fn an_unknown_setting_is_refused() {
    let fake = Fake::usi(GPS).with(|options| options.settings = vec![("Threads".into(), "1".into())]);
    fake.check_failure(&["has no setting \"Threads\"", "it lists \"Thread, Clear Hash, MultiPV\""]);
    assert_eq!(fake.n_starts(), 1);
}

#[test]
fn what_does_not_fit_into_a_line_is_never_sent() {
    let fake = Fake::usi(GPS);
    let mut engine = fake.engine();
    let long = format!("startpos moves{}", " 7g7f".repeat(10_000));
    for position in ["", "  ", "startpos\nquit", "startpos\rquit", "startpos\0", &long] {
        let message = engine.analyze(position).expect_err("no position").to_string();
        assert!(message.contains("can't receive the position"), "{message}");
    }
    let setting = Fake::usi(GPS).with(|options| options.settings = vec![("Thread".into(), "1\nquit".into())]);
    setting.check_failure(&["can't receive the setting \"Thread\""]);
    assert_eq!((fake.n_starts(), setting.n_starts()), (0, 0));
}
