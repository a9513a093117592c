//! Kills every long command at random moments and runs it again: the result equals that of an uninterrupted run.
//!
//! The moments depend on a seed: `TEJUN_SEED=7 cargo test -p tejun --test kills`.
#![cfg(unix)]

mod program;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use program::golden::words;
use program::{Program, Random, first_moves, sample};
use tejun_files::is_temporary;

const DEFAULT_SEED: u64 = 20_260_725;
/// Number of kills per command.
const N_KILLS: u32 = 20;
/// Number of runs that are killed several times before they may finish, and the maximum number of kills in a row.
const N_CHAINS: u32 = 3;
const LONGEST_CHAIN: u32 = 6;
/// Maximum time of a run.
const PATIENCE: Duration = Duration::from_secs(60);

/// The contents of a folder by path; `None` for folders.
type Tree = BTreeMap<String, Option<Vec<u8>>>;

/// A command in its own folder, and the files it creates there.
struct Case {
    program: Program,
    command: String,
    arguments: Vec<String>,
    /// Outputs that are folders and are replaced as a whole.
    models: &'static [&'static str],
    before: Tree,
    after: Tree,
    duration: Duration,
    seed: u64,
    random: Random,
    n_kills: u32,
    n_hits: u32,
}

impl Case {
    /// Runs a command to its end in a folder that contains all its inputs.
    #[track_caller]
    fn new(program: Program, command: &str, models: &'static [&'static str]) -> Case {
        let seed = std::env::var("TEJUN_SEED").ok();
        let seed = seed.map_or(DEFAULT_SEED, |seed| seed.parse().expect("TEJUN_SEED is a number"));
        // Each command has its own moments (FNV-1a hash of the command).
        let of_command = command
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        let before = tree(&program);
        let mut case = Case {
            arguments: words(command),
            command: command.into(),
            models,
            after: Tree::new(),
            duration: Duration::MAX,
            seed,
            random: Random((of_command ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)),
            n_kills: 0,
            n_hits: 0,
            before,
            program,
        };
        let moment = case.moment("before any kill");
        // The shorter of two runs, so that most kills hit the following ones.
        for _ in 0..2 {
            case.restore();
            let start = Instant::now();
            let (status, stderr) = case.run(&moment);
            case.duration = case.duration.min(start.elapsed());
            assert_eq!(status.code(), Some(0), "{moment}: {stderr}");
            let after = tree(&case.program);
            assert!(case.after.is_empty() || difference(&case.after, &after).is_empty(), "{moment}: other bytes");
            case.after = after;
        }
        assert!(!difference(&case.before, &case.after).is_empty(), "{moment}: no output");
        let leftovers: Vec<&String> = case.after.keys().filter(|path| is_leftover(path)).collect();
        assert!(leftovers.is_empty(), "{moment}: {leftovers:?} are left");
        case
    }

    /// A description of the moment, for investigating a failure.
    fn moment(&self, event: &str) -> String {
        format!("seed {}, `tejun {}`, {event}", self.seed, self.command)
    }

    /// Kills the command [`N_KILLS`] times, and runs it to its end after each kill.
    #[track_caller]
    fn survives_kills(&mut self) {
        for number in 1..=N_KILLS {
            self.restore();
            let (n_hits, delay) = (self.n_hits, self.random_delay(110));
            let moment = self.kill(&format!("kill {number}"), delay);
            if self.n_hits == n_hits {
                // The load of the machine may change over time.
                self.duration = self.duration.min(delay);
            }
            self.finish(&moment);
        }
        self.check_hits();
    }

    /// Kills the command several times in a row before it may finish.
    #[track_caller]
    fn survives_chains(&mut self) {
        for chain in 1..=N_CHAINS {
            self.restore();
            let mut moment = self.moment("not killed");
            for link in 1..=LONGEST_CHAIN {
                let delay = self.random_delay(80);
                moment = self.kill(&format!("chain {chain}, kill {link}"), delay);
                if self.is_done() {
                    break;
                }
            }
            self.finish(&moment);
        }
        self.check_hits();
    }

    #[track_caller]
    fn check_hits(&mut self) {
        let (n_hits, n_kills) = (std::mem::take(&mut self.n_hits), std::mem::take(&mut self.n_kills));
        let summary = format!("{n_hits} of {n_kills} kills hit it; one run takes {:?}", self.duration);
        println!("{}", self.moment(&summary));
        assert!(2 * n_hits >= n_kills, "{}", self.moment(&summary));
    }

    /// A random delay of up to this percentage of the command's usual time.
    fn random_delay(&mut self, percent: u64) -> Duration {
        self.duration * self.random.below(10 * percent) as u32 / 1000
    }

    /// Starts the command, kills it, and checks the files.
    #[track_caller]
    fn kill(&mut self, name: &str, delay: Duration) -> String {
        let moment = self.moment(&format!("{name}, after {delay:?} of {:?}", self.duration));
        let mut child = self.start(Stdio::null());
        std::thread::sleep(delay);
        self.n_kills += 1;
        self.n_hits += u32::from(child.try_wait().expect("a child").is_none());
        child.kill().expect("a child can be killed, or has ended");
        wait(&mut child, &moment);
        self.check_whole(&moment);
        moment
    }

    /// Checks that every file is either the old or the new one, and every model as a whole.
    #[track_caller]
    fn check_whole(&self, moment: &str) {
        let now = tree(&self.program);
        let of_model = |path: &str| self.models.iter().any(|model| Path::new(path).starts_with(model));
        let paths = now.keys().chain(self.before.keys()).filter(|path| !is_leftover(path) && !of_model(path));
        for path in paths {
            let there = now.get(path);
            let is_whole = there == self.before.get(path) || there.is_some() && there == self.after.get(path);
            assert!(is_whole, "{moment}: {path} is neither the old file nor the new one");
        }
        for model in self.models {
            let part = |tree: &Tree| -> Tree {
                let paths = tree.iter().filter(|(path, _)| Path::new(path).starts_with(model));
                paths.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
            };
            let there = part(&now);
            let is_whole = there == part(&self.before) || there == part(&self.after);
            assert!(is_whole, "{moment}: {model} is neither the old model nor the new one");
        }
    }

    /// Whether all outputs have their final names; leftovers may remain.
    fn is_done(&self) -> bool {
        let mut now = tree(&self.program);
        now.retain(|path, _| !is_leftover(path));
        now == self.after
    }

    /// Runs the command to its end after a kill.
    #[track_caller]
    fn finish(&self, moment: &str) {
        let is_done = self.is_done();
        let has = |word: &str| self.arguments.iter().any(|known| known == word);
        let has_partial = tree(&self.program).keys().any(|path| path.ends_with(".partial"));
        let (status, stderr) = self.run(moment);
        // A run that was almost finished may not know it; then its own output is refused as existing.
        let is_refused = is_done && !has("--force") && status.code() == Some(2) && stderr.contains("already exists");
        assert!(is_refused || status.code() == Some(0), "{moment}: {status}: {stderr}");
        let mut differences = difference(&self.after, &tree(&self.program));
        // Games that were appended may be appended once more.
        if is_done && has("--append") && !has_partial {
            differences.retain(|path| is_leftover(path));
        }
        assert!(differences.is_empty(), "{moment}: the next run gives different contents of {differences:?}");
    }

    fn start(&self, stderr: Stdio) -> Child {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let mut command = self.program.command(&arguments);
        // Nothing may be written there: it would appear as an additional file.
        command.env("HOME", self.program.path("home")).env_remove("XDG_CACHE_HOME");
        command.stdout(Stdio::null()).stderr(stderr).spawn().expect("the program starts")
    }

    #[track_caller]
    fn run(&self, moment: &str) -> (ExitStatus, String) {
        let mut file = tempfile::tempfile().expect("a file");
        let mut child = self.start(file.try_clone().expect("a second handle").into());
        let status = wait(&mut child, moment);
        let mut stderr = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut stderr)).expect("a file of ours");
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        assert!(!stderr.contains("panicked"), "{moment}: {stderr}");
        (status, stderr)
    }

    /// Restores the folder to its state before the command.
    fn restore(&self) {
        let now = tree(&self.program);
        for (path, bytes) in now.iter().rev().filter(|(path, _)| !self.before.contains_key(*path)) {
            let path = self.program.path(path);
            if bytes.is_some() { fs::remove_file(path) } else { fs::remove_dir(path) }.expect("a file of ours");
        }
        for (path, bytes) in self.before.iter().filter(|(path, bytes)| now.get(*path) != Some(*bytes)) {
            match bytes {
                Some(bytes) => self.program.write(path, bytes),
                None => fs::create_dir_all(self.program.path(path)).expect("a folder"),
            }
        }
    }
}

/// Waits for a child that exits soon; kills it if it hangs.
#[track_caller]
fn wait(child: &mut Child, moment: &str) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("a child");
            panic!("{moment}: still running after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Everything in the folder of a program.
fn tree(program: &Program) -> Tree {
    let mut tree = Tree::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(program.path(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("a name of ours");
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if entry.file_type().expect("a type").is_dir() {
                folders.push(path.clone());
                tree.insert(path, None);
            } else {
                tree.insert(path, Some(fs::read(entry.path()).expect("a file")));
            }
        }
    }
    tree
}

/// Paths that exist in only one of two folders, or whose contents differ.
fn difference(one: &Tree, other: &Tree) -> Vec<String> {
    let paths = one.keys().chain(other.keys().filter(|path| !one.contains_key(*path)));
    paths.filter(|path| one.get(*path) != other.get(*path)).cloned().collect()
}

/// Whether a path is a temporary file or working folder, or inside one.
fn is_leftover(path: &str) -> bool {
    // The note of `judge` exists while the files of a game get their names.
    let endings = [".partial", ".new", ".tejun-judge"];
    path.split('/').any(|name| is_temporary(name.as_ref()) || endings.iter().any(|ending| name.ends_with(ending)))
}

/// A folder with a collection of a few short games.
fn collection(n_games: usize, n_moves: usize) -> Program {
    let program = Program::new();
    let sample = sample();
    let games: Vec<String> =
        sample.iter().step_by(sample.len() / n_games).map(|game| first_moves(game, n_moves)).collect();
    program.write("games.sgfs", games.concat());
    program.run(&["import", "games.sgfs", "-o", "games.parquet"]).expect_code(0);
    program
}

/// A folder with files of games that make up several units of work.
fn files() -> Program {
    let program = Program::new();
    let sample = sample();
    for copy in 0..6 {
        let games: Vec<String> = sample.iter().map(|game| game.replace("PB[", &format!("PB[{copy} ")) + "\n").collect();
        program.write(&format!("games/{copy}.sgfs"), games.concat());
    }
    let old: Vec<String> = sample.iter().take(200).map(|game| first_moves(game, 90)).collect();
    program.write("old.sgfs", old.concat());
    program
}

/// A folder with a small model and annotated games.
fn marked() -> Program {
    let program = collection(16, 20);
    program.run(&["learn", "patterns", "games.parquet", "-o", "m", "--held-out", "8", "--trees", "3"]).expect_code(0);
    let sample = sample();
    for number in 0..3 {
        let mut nodes: Vec<String> = first_moves(&sample[10 + number], 10)
            .trim_end_matches([')', '\n'])
            .split(';')
            .map(str::to_string)
            .collect();
        // The root comes second, after the parenthesis.
        for (node, mark) in [(4, "TE[1]"), (7, "BM[1]"), (9, "TE[1]")] {
            nodes[node] += mark;
        }
        program.write(&format!("marked/{number}.sgf"), nodes.join(";") + ")\n");
    }
    program
}

#[test]
fn import() {
    let mut case = Case::new(files(), "import games -o all.parquet", &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn import_with_append() {
    let program = files();
    program.run(&["import", "old.sgfs", "-o", "all.parquet"]).expect_code(0);
    let mut case = Case::new(program, "import games -o all.parquet --append", &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn import_with_force() {
    let program = files();
    program.run(&["import", "old.sgfs", "-o", "all.parquet"]).expect_code(0);
    Case::new(program, "import games -o all.parquet --force", &[]).survives_kills();
}

#[test]
fn mine_with_an_index() {
    let program = collection(604, 400);
    Case::new(program, "mine games.parquet --index games.index --format csv -o mined.csv", &[]).survives_kills();
}

#[test]
fn learn_grammar() {
    Case::new(collection(50, 60), "learn grammar games.parquet -o model", &["model"]).survives_kills();
}

#[test]
fn learn_grammar_with_force() {
    let program = collection(50, 60);
    program
        .run(&["learn", "grammar", "games.parquet", "-o", "model", "--codes", "distance,surroundings"])
        .expect_code(0);
    Case::new(program, "learn grammar games.parquet -o model --force", &["model"]).survives_kills();
}

#[test]
fn learn_patterns() {
    let command = "learn patterns games.parquet -o model --held-out 8 --trees 3";
    let mut case = Case::new(collection(16, 20), command, &["model"]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn learn_judge() {
    let command = "learn judge marked -o own.json --model m --search playouts --playouts 30 --cache kept";
    let mut case = Case::new(marked(), command, &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn judge() {
    let command = "judge marked/0.sgf -o judged.sgf --model m --search playouts --playouts 60 --cache kept";
    let mut case = Case::new(marked(), command, &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn judge_several_games() {
    let command = "judge marked --output-dir judged --model m --search playouts --playouts 30 --cache kept";
    let mut case = Case::new(marked(), command, &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn book_build() {
    let program = Program::new();
    let games =
        [("1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5"), ("0-1", "1. e4 c5 2. Nf3 d6"), ("1/2-1/2", "1. d4 d5 2. c4 e6")];
    let game = |number: usize| {
        let (result, moves) = games[number % games.len()];
        format!("[White \"W{number}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    program.write("games.pgn", (0..30_000).map(game).collect::<String>());
    Case::new(program, "book build games.pgn -o built.parquet", &[]).survives_kills();
}

/// An engine that suggests two moves for a position, legal in every line of such moves, after a short delay.
const ENGINE: &str = r#"while read -r line; do
    set -- $line
    case "$1" in
        uci) echo 'id name Fake'; echo 'option name MultiPV type spin default 1 min 1 max 9'; echo uciok ;;
        isready) echo readyok ;;
        position) board=$3 side=$4 ;;
        go)
            case "$side$board" in
                w*PPPPPPPP*) first=e2e4 second=d2d4 ;;
                w*) first=a2a3 second=h2h3 ;;
                b*pppppppp*) first=a7a6 second=h7h6 ;;
                *) first=b8c6 second=g8f6 ;;
            esac
            sleep 0.02
            echo "info depth 5 multipv 1 score cp 30 pv $first"; echo "info depth 5 multipv 2 score cp 20 pv $second"
            echo "bestmove $first" ;;
        quit) exit ;;
        *) echo "Unknown command: $1" ;;
    esac
done
"#;

const EXPAND: &str = "book expand -o grown.parquet --engine 'sh engine.sh' --seconds 5 --last-ply 3 --save-every 1";

#[test]
fn book_expand() {
    let program = Program::new();
    program.write("engine.sh", ENGINE);
    let mut case = Case::new(program, &format!("{EXPAND} --game chess --steps 7"), &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn book_expand_with_append() {
    let program = Program::new();
    program.write("engine.sh", ENGINE);
    let first = words(&format!("{EXPAND} --game chess --steps 2"));
    program.run(&first.iter().map(String::as_str).collect::<Vec<_>>()).expect_code(0);
    let mut case = Case::new(program, &format!("{EXPAND} --append --steps 4"), &[]);
    case.survives_kills();
    case.survives_chains();
}

#[test]
fn tactic_discover() {
    let command = "tactic discover games.parquet -o model --held-out 4 --sets 5 --examples 200 --tries 200";
    Case::new(collection(36, 60), command, &["model"]).survives_kills();
}
