//! Compares playouts and the whole search with the crates goban and go_game_board, and with GNU Go's Monte-Carlo
//! mode.
//!
//! ```text
//! cargo bench -p tejun --bench search -- [--model M] [--gnugo PROGRAM] [--runs N]
//! ```
//!
//! Light playouts choose any legal move that does not fill an own eye, until both sides pass; each board uses its own
//! functions, on one thread. GNU Go is skipped if it is not installed. Boards and threads take turns, so that other
//! work on the machine affects all of them, and the best run of each counts.

mod random;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;
use go_game_board as libego;
use goban::rules::game::Game;
use goban::rules::{GobanSizes, JAPANESE};
use tejun::reports::table::{Align, Table};
use tejun_games::Move;
use tejun_games::go::{Board, BoardSize, Color, Point};
use tejun_knowledge::evaluation::Question;
use tejun_knowledge::models::Model;
use tejun_knowledge::search::{
    Mercy, PlainPredictor, PlayoutEnd, PlayoutOptions, PlayoutPolicy, Prior, Search, SearchOptions, TreeSearch,
    playouts,
};

use crate::random::Random;

/// The position to search; no known opening has these stones.
const OPENING: [&str; 4] = ["B2", "H8", "C7", "G3"];

#[derive(Parser)]
struct Args {
    /// A model whose moves the search tries first, on boards of its size
    #[arg(long)]
    model: Option<PathBuf>,
    /// GNU Go's program
    #[arg(long, default_value = "/usr/games/gnugo")]
    gnugo: PathBuf,
    /// Number of times each measurement is repeated
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Set by Cargo for benchmarks; without it everything runs once and briefly, as a test
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let mut args = Args::parse();
    if !args.bench {
        args.runs = 1;
    }
    for lines in [9, 19] {
        time_playouts(&args, BoardSize::new(lines)?);
    }
    time_searches(&args)
}

/// Timed work and its result.
type Work<'w, A> = Box<dyn FnMut() -> A + 'w>;

/// The fastest run, the median run, and the result of the last one.
struct Timed<A> {
    best: f64,
    median: f64,
    answer: A,
}

/// Times several works in turn, each `n_runs` times.
fn in_turn<A>(n_runs: usize, works: &mut [Work<'_, A>]) -> Vec<Timed<A>> {
    let mut seconds = vec![Vec::new(); works.len()];
    let mut answers = Vec::new();
    for _ in 0..n_runs {
        answers.clear();
        for (work, seconds) in works.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            answers.push(work());
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let timed = answers.into_iter().zip(seconds).map(|(answer, mut seconds)| {
        seconds.sort_by(f64::total_cmp);
        Timed { best: seconds[0], median: seconds[seconds.len() / 2], answer }
    });
    timed.collect()
}

/// The results of playouts.
#[derive(Clone, Copy, Debug, Default)]
struct Ends {
    n: usize,
    n_moves: usize,
    n_moves_most: usize,
    sum: f64,
    sum_of_squares: f64,
    most: i32,
}

impl Ends {
    fn of(ends: impl Iterator<Item = PlayoutEnd>) -> Ends {
        ends.fold(Ends::default(), |all, end| Ends {
            n: all.n + 1,
            n_moves: all.n_moves + end.n_moves,
            n_moves_most: all.n_moves_most.max(end.n_moves),
            sum: all.sum + f64::from(end.score_black),
            sum_of_squares: all.sum_of_squares + f64::from(end.score_black).powi(2),
            most: all.most.max(end.score_black.abs()),
        })
    }

    fn mean(&self) -> f64 {
        self.sum / self.n as f64
    }

    /// The square of the mean's standard error.
    fn error_squared(&self) -> f64 {
        (self.sum_of_squares / self.n as f64 - self.mean().powi(2)) / self.n as f64
    }

    /// A score is at most the number of points, and only endless kos are cut off.
    fn check(&self, size: BoardSize) {
        assert!(self.most as usize <= size.n_points(), "{self:?}");
        assert!(self.n_moves_most <= 3 * size.n_points() && self.n_moves > self.n * size.n_points() / 2, "{self:?}");
    }
}

fn time_playouts(args: &Args, size: BoardSize) {
    // Slow boards play fewer games.
    let few = if args.bench { 160_000 / size.n_points() } else { 4_000 / size.n_points() };
    let many = if args.bench { 20 * few } else { few };
    let empty = &Board::new(size);
    let ours = |policy, mercy| -> Work<'_, Ends> {
        let options = PlayoutOptions { policy, mercy, seed: 1 };
        Box::new(move || Ends::of(playouts(empty, Color::Black, options).take(many)))
    };
    let (names, mut works): (Vec<_>, Vec<Work<'_, Ends>>) = [
        (("light", "tejun"), ours(PlayoutPolicy::Light, Mercy::Never)),
        (("light", "goban"), Box::new(|| rival_ends::<GobanBoard>(size, few))),
        (("light", "go_game_board"), Box::new(|| rival_ends::<libego::Board>(size, many))),
        (("light, mercy", "tejun"), ours(PlayoutPolicy::Light, Mercy::Shown)),
        (("heavy", "tejun"), ours(PlayoutPolicy::Heavy, Mercy::Never)),
        (("heavy, mercy", "tejun"), ours(PlayoutPolicy::Heavy, Mercy::Shown)),
    ]
    .into_iter()
    .unzip();
    let timed = in_turn(args.runs, &mut works);
    let per_second = |timed: &Timed<Ends>| timed.answer.n as f64 / timed.best;
    let mut table = Table::new(&[
        ("playouts, 1 core", Align::Left),
        ("board", Align::Left),
        ("number", Align::Right),
        ("moves", Align::Right),
        ("mean score", Align::Right),
        ("best s", Align::Right),
        ("median s", Align::Right),
        ("playouts/s", Align::Right),
        ("million moves/s", Align::Right),
        ("tejun is x", Align::Right),
    ]);
    for ((what, board), one) in names.into_iter().zip(&timed) {
        let ends = one.answer;
        let is_rival = board != "tejun";
        if what == "light" {
            ends.check(size);
            check_agreement(board, &ends, &timed[0].answer);
        }
        table.push(vec![
            format!("{what} {size}x{size}"),
            board.into(),
            ends.n.to_string(),
            format!("{:.1}", ends.n_moves as f64 / ends.n as f64),
            format!("{:+.2} ±{:.2}", ends.mean(), 1.96 * ends.error_squared().sqrt()),
            format!("{:.3}", one.best),
            format!("{:.3}", one.median),
            format!("{:.0}", per_second(one)),
            format!("{:.2}", ends.n_moves as f64 / one.best / 1e6),
            if is_rival { format!("{:.2}", per_second(&timed[0]) / per_second(one)) } else { "-".into() },
        ]);
    }
    println!("{}", table.to_text());
}

/// Checks that playouts have the same mean, apart from random variation and the way a board selects moves.
fn check_agreement(board: &str, ends: &Ends, ours: &Ends) {
    let error = (ends.error_squared() + ours.error_squared()).sqrt();
    assert!((ends.mean() - ours.mean()).abs() < 4.0 * error, "{board}: {ends:?} {ours:?}");
}

/// A board that plays light playouts.
trait Rival {
    fn empty(size: BoardSize) -> Self;
    /// Plays any move that does not fill an own eye; `false` passes.
    fn play_any(&mut self, color: Color, random: &mut Random) -> bool;
    fn score_black(&self) -> i32;
}

fn rival_ends<R: Rival>(size: BoardSize, n: usize) -> Ends {
    let mut random = Random::new(size.get().into());
    Ends::of((0..n).map(|_| {
        let mut board = R::empty(size);
        let (mut n_moves, mut n_passes, mut color) = (0, 0, Color::Black);
        // Kos can cycle forever.
        while n_passes < 2 && n_moves < 3 * size.n_points() {
            n_passes = if board.play_any(color, &mut random) { 0 } else { n_passes + 1 };
            n_moves += 1;
            color = color.opponent();
        }
        PlayoutEnd { score_black: board.score_black(), n_moves }
    }))
}

/// goban's game, with the points in a changing order, because it has no list of empty points.
struct GobanBoard {
    game: Game,
    size: BoardSize,
    points: Vec<Point>,
}

impl GobanBoard {
    fn stone(&self, point: Point) -> Option<goban::pieces::stones::Color> {
        self.game.goban().get_color((point.y(), point.x()))
    }

    fn is_own_eye(&self, point: Point) -> bool {
        let own = self.game.turn();
        let mut corners = 0;
        let mut n_lost = 0;
        for near in point.diagonal_neighbors(self.size) {
            corners += 1;
            n_lost += usize::from(self.stone(near).is_some_and(|color| color != own));
        }
        point.neighbors(self.size).all(|near| self.stone(near) == Some(own)) && n_lost <= usize::from(corners == 4)
    }
}

impl Rival for GobanBoard {
    fn empty(size: BoardSize) -> GobanBoard {
        let game = Game::new(GobanSizes::Custom(size.get().into(), size.get().into()), JAPANESE);
        GobanBoard { game, size, points: size.points().collect() }
    }

    fn play_any(&mut self, _: Color, random: &mut Random) -> bool {
        let n = self.points.len();
        let has_moved = (0..n).any(|i| {
            let chosen = i + random.below(n - i);
            self.points.swap(i, chosen);
            let point = self.points[i];
            self.stone(point).is_none()
                && !self.is_own_eye(point)
                && self.game.try_play(goban::rules::Move::Play(point.y(), point.x())).is_ok()
        });
        if !has_moved && !self.game.is_over() {
            self.game.play(goban::rules::Move::Pass);
        }
        has_moved
    }

    fn score_black(&self) -> i32 {
        let owner = |color| if color == goban::pieces::stones::Color::Black { 1 } else { -1 };
        let of_point = |point: Point| match self.stone(point) {
            Some(color) => owner(color),
            None => {
                let near = || point.neighbors(self.size).filter_map(|near| self.stone(near)).map(owner);
                i32::from(near().any(|o| o > 0)) - i32::from(near().any(|o| o < 0))
            }
        };
        self.size.points().map(of_point).sum()
    }
}

impl Rival for libego::Board {
    fn empty(size: BoardSize) -> libego::Board {
        libego::Board::with_size(size.get().into(), size.get().into())
    }

    fn play_any(&mut self, color: Color, random: &mut Random) -> bool {
        let player = match color {
            Color::Black => libego::Player::Black,
            Color::White => libego::Player::White,
        };
        let n = self.empty_vertex_count();
        let start = if n > 0 { random.below(n) } else { 0 };
        let mut vertices = (start..n).chain(0..start).map(|i| self.empty_vertex(i));
        let chosen = vertices.find(|&v| !self.hash3x3_at(v).is_eyelike(player) && self.is_legal(player, v));
        self.play_legal(player, chosen.unwrap_or_else(libego::Vertex::pass));
        chosen.is_some()
    }

    fn score_black(&self) -> i32 {
        // The komi of this board cannot be set, and is rounded to 6.
        self.playout_score() + 6
    }
}

fn time_searches(args: &Args) -> anyhow::Result<()> {
    let model = args.model.as_deref().map(|path| Model::open(&from_root(path))).transpose()?;
    let mut table = Table::new(&[
        ("search", Align::Left),
        ("prior", Align::Left),
        ("program", Align::Left),
        ("threads", Align::Right),
        ("number", Align::Right),
        ("best s", Align::Right),
        ("median s", Align::Right),
        ("playouts/s", Align::Right),
        ("of one thread", Align::Right),
    ]);
    for (lines, n_playouts) in [(9, 40_000), (19, 8_000)] {
        let size = BoardSize::new(lines)?;
        let n_playouts = if args.bench { n_playouts } else { 200 };
        let model = model.as_ref().filter(|model| model.size() == size);
        let prior = || -> Prior<'_> { model.map_or_else(|| Box::new(PlainPredictor) as Prior<'_>, Model::prior) };
        let mut works: Vec<Work<'_, u32>> = Vec::new();
        for n_threads in [1, 2] {
            works.push(Box::new(move || search_once(size, n_playouts, n_threads, prior)));
        }
        let timed = in_turn(args.runs, &mut works);
        for (one, n_threads) in timed.iter().zip([1, 2]) {
            assert_eq!(one.answer, n_playouts, "every playout was made");
            table.push(vec![
                format!("{size}x{size}"),
                model.map_or("plain", Model::name).into(),
                "tejun".into(),
                n_threads.to_string(),
                n_playouts.to_string(),
                format!("{:.3}", one.best),
                format!("{:.3}", one.median),
                format!("{:.0}", f64::from(n_playouts) / one.best),
                format!("{:.2}", timed[0].best / one.best),
            ]);
        }
        if lines == 9 && args.gnugo.exists() {
            table.push(time_gnugo(args, n_playouts)?);
        }
    }
    println!("{}", table.to_text());
    Ok(())
}

/// Searches the opening from scratch; returns the number of playouts.
fn search_once<'m>(size: BoardSize, n_playouts: u32, n_threads: usize, prior: impl Fn() -> Prior<'m>) -> u32 {
    let start = Board::new(size);
    let mut board = start.clone();
    let mut moves = Vec::new();
    for (name, color) in OPENING.iter().zip([Color::Black, Color::White].into_iter().cycle()) {
        let point = Point::parse(name, size).expect("a point of a small board");
        board.play(color, point).expect("an empty board");
        moves.push(Move { color, point: Some(point) });
    }
    let options = SearchOptions { n_playouts, n_threads, ..SearchOptions::default() };
    let question =
        Question { start: &start, moves: &moves, board: &board, color: Color::Black, komi: 7.5, played: None };
    let (evaluation, n_made) = Search::new(options, "", prior).search(&question);
    assert_eq!(evaluation.moves.iter().map(|m| m.visits).sum::<u32>(), n_made, "every playout starts with a move");
    n_made
}

/// GNU Go's search of the same position. It makes the given number of playouts; its startup time is subtracted.
fn time_gnugo(args: &Args, n_playouts: u32) -> anyhow::Result<Vec<String>> {
    let (mut bare, mut whole) = (Vec::new(), Vec::new());
    for _ in 0..args.runs {
        bare.push(ask_gnugo(&args.gnugo, 1)?);
        whole.push(ask_gnugo(&args.gnugo, n_playouts)?);
    }
    for seconds in [&mut bare, &mut whole] {
        seconds.sort_by(f64::total_cmp);
    }
    let best = whole[0] - bare[0];
    Ok(vec![
        "9x9".into(),
        "its own".into(),
        "GNU Go".into(),
        "1".into(),
        n_playouts.to_string(),
        format!("{best:.3}"),
        format!("{:.3}", whole[whole.len() / 2] - bare[bare.len() / 2]),
        format!("{:.0}", f64::from(n_playouts) / best),
        "-".into(),
    ])
}

/// The time in seconds that GNU Go takes to answer the opening.
fn ask_gnugo(gnugo: &Path, n_playouts: u32) -> anyhow::Result<f64> {
    let number = n_playouts.to_string();
    let options = ["--mode", "gtp", "--monte-carlo", "--level", "1", "--mc-games-per-level", &number];
    let mut child = Command::new(gnugo).args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().context("a pipe")?;
    let mut lines = BufReader::new(child.stdout.take().context("a pipe")?).lines();
    let mut ask = |line: &str| -> anyhow::Result<()> {
        writeln!(input, "{line}")?;
        let answer = lines.next().context("GNU Go ended")??;
        ensure!(answer.starts_with('='), "GNU Go answers {line:?} with {answer:?}");
        lines.next();
        Ok(())
    };
    ask("boardsize 9")?;
    ask("clear_board")?;
    for (name, color) in OPENING.iter().zip(["b", "w"].iter().cycle()) {
        ask(&format!("play {color} {name}"))?;
    }
    let start = Instant::now();
    ask("genmove b")?;
    let seconds = start.elapsed().as_secs_f64();
    ask("quit")?;
    child.wait()?;
    Ok(seconds)
}

/// Cargo runs benchmarks in the folder of their package.
fn from_root(file: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}
