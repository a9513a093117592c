//! The engine: a game, a predictor or a search, and the implementation of each command.

use std::time::{Duration, Instant};

use tejun_games::go::{Board, BoardSize, Color, Point, PointSet};
use tejun_knowledge::evaluation::{DEFAULT_KOMI, Evaluation};
use tejun_knowledge::predictor::{Predictor, Situation};

use crate::gtp::analysis::{Analysis, AnalysisDialect, AnalysisEnd, AnalysisOptions, MoveInfo, info_line, ownership};
use crate::gtp::choice::Choice;
use crate::gtp::clock::Clock;
use crate::gtp::game::Game;
use crate::gtp::gogui;
use crate::gtp::player::{SearchPlayer, TimeBudget};
use crate::gtp::protocol::{Answer, Refused, Request, Vertex};
use crate::inputs::open_game;
use crate::reports::diagram::Diagram;

/// Number of moves that `tejun-expected` and `tejun-line` show by default.
const N_SHOWN: usize = 10;

/// A model or a search that plays and analyzes games.
pub struct Engine<'m> {
    predictor: &'m mut dyn Predictor,
    player: Option<SearchPlayer<'m>>,
    choice: Choice,
    clock: Clock,
    game: Game,
}

type Reply = Result<Answer, Refused>;
type Command = fn(&mut Engine<'_>, &Request<'_>) -> Reply;

/// All commands of the engine.
const COMMANDS: &[(&str, Command)] = &[
    ("protocol_version", |_, _| text("2")),
    ("name", |_, _| text("tejun")),
    ("version", |_, _| text(env!("CARGO_PKG_VERSION"))),
    ("known_command", |_, request| known_command(request)),
    ("list_commands", |_, _| list_commands()),
    ("quit", |_, _| Ok(Answer::Quit)),
    ("boardsize", |engine, request| engine.boardsize(request)),
    ("clear_board", |engine, _| engine.restart(Board::new(engine.game.size()))),
    ("komi", |engine, request| engine.komi(request)),
    ("fixed_handicap", |engine, request| engine.fixed_handicap(request)),
    ("place_free_handicap", |engine, request| engine.place_free_handicap(request)),
    ("set_free_handicap", |engine, request| engine.set_free_handicap(request)),
    ("play", |engine, request| engine.play(request)),
    ("genmove", |engine, request| engine.genmove(request.color(0)?)),
    ("reg_genmove", |engine, request| engine.reg_genmove(request.color(0)?)),
    ("undo", |engine, _| engine.game.undo().map_or(Err(Refused("cannot undo")), |_| text(""))),
    ("loadsgf", |engine, request| engine.loadsgf(request)),
    ("showboard", |engine, _| engine.showboard()),
    ("final_score", |engine, _| engine.final_score()),
    ("final_status_list", |engine, request| engine.final_status_list(request)),
    ("time_settings", |engine, request| engine.clock.set(request).and(text(""))),
    ("time_left", |engine, request| engine.clock.set_left(request).and(text(""))),
    ("kgs-time_settings", |engine, request| engine.clock.set_as_kgs(request).and(text(""))),
    ("lz-analyze", |engine, request| engine.analyze(request, AnalysisDialect::LeelaZero)),
    ("kata-analyze", |engine, request| engine.analyze(request, AnalysisDialect::KataGo)),
    ("lz-genmove_analyze", |engine, request| engine.genmove_analyze(request, AnalysisDialect::LeelaZero)),
    ("kata-genmove_analyze", |engine, request| engine.genmove_analyze(request, AnalysisDialect::KataGo)),
    ("gogui-analyze_commands", |_, _| text(gogui::ANALYZE_COMMANDS)),
    ("tejun-expected", |engine, request| engine.show_expected(request)),
    ("tejun-map", |engine, _| engine.show_map()),
    ("tejun-line", |engine, request| engine.show_line(request)),
];

impl<'m> Engine<'m> {
    /// Creates an engine for boards of the model's size.
    pub fn new(predictor: &'m mut dyn Predictor, size: BoardSize, choice: Choice) -> Engine<'m> {
        let game = Game::new(Board::new(size), DEFAULT_KOMI);
        Engine { predictor, player: None, choice, clock: Clock::default(), game }
    }

    /// Plays and analyzes by search, on boards of any size.
    pub fn with_search(self, player: SearchPlayer<'m>) -> Engine<'m> {
        Engine { player: Some(player), ..self }
    }

    /// Executes a command.
    pub fn answer(&mut self, request: &Request<'_>) -> Reply {
        let (_, command) = COMMANDS.iter().find(|(name, _)| *name == request.name).ok_or(Refused("unknown command"))?;
        command(self, request)
    }

    fn restart(&mut self, start: Board) -> Reply {
        self.game = Game::new(start, self.game.komi);
        self.clock.restart();
        text("")
    }

    fn boardsize(&mut self, request: &Request<'_>) -> Reply {
        const REFUSED: Refused = Refused("unacceptable size");
        let lines: u32 = request.number(0)?;
        let size = u8::try_from(lines).ok().and_then(|lines| BoardSize::new(lines).ok()).ok_or(REFUSED)?;
        if !self.knows_size(size) {
            return Err(REFUSED);
        }
        self.restart(Board::new(size))
    }

    /// A model supports one size, a search all.
    fn knows_size(&self, size: BoardSize) -> bool {
        self.player.is_some() || size == self.game.size()
    }

    fn komi(&mut self, request: &Request<'_>) -> Reply {
        let komi: f64 = request.number(0)?;
        if !komi.is_finite() {
            return Err(Refused::SYNTAX);
        }
        self.game.komi = komi;
        text("")
    }

    fn fixed_handicap(&mut self, request: &Request<'_>) -> Reply {
        let points = fixed_points(self.game.size(), request.number(0)?);
        if points.is_empty() { Err(Refused("invalid number of stones")) } else { self.place_handicap(&points) }
    }

    /// Places fewer stones if the board does not have enough marked points, as the protocol allows.
    fn place_free_handicap(&mut self, request: &Request<'_>) -> Reply {
        let n_stones: u32 = request.number(0)?;
        let points = (2..=n_stones.min(9)).rev().map(|n| fixed_points(self.game.size(), n)).find(|p| !p.is_empty());
        points.map_or(Err(Refused("invalid number of stones")), |points| self.place_handicap(&points))
    }

    fn set_free_handicap(&mut self, request: &Request<'_>) -> Reply {
        let size = self.game.size();
        let mut points = Vec::new();
        for index in 0..request.arguments.len() {
            match request.vertex(index, size)? {
                Vertex::Point(point) if !points.contains(&point) => points.push(point),
                _ => return Err(Refused("bad vertex list")),
            }
        }
        if points.len() < 2 || points.len() >= size.n_points() {
            return Err(Refused("bad vertex list"));
        }
        self.place_handicap(&points).and(text(""))
    }

    fn place_handicap(&mut self, points: &[Point]) -> Reply {
        let size = self.game.size();
        if self.game.board.hash() != Board::new(size).hash() {
            return Err(Refused("board not empty"));
        }
        let mut start = Board::new(size);
        for &point in points {
            start.place(Color::Black, point).map_err(|_| Refused("bad vertex list"))?;
        }
        self.restart(start)?;
        text(points.iter().map(|point| point.name(size)).collect::<Vec<_>>().join(" "))
    }

    fn play(&mut self, request: &Request<'_>) -> Reply {
        let color = request.color(0)?;
        let point = match request.vertex(1, self.game.size())? {
            Vertex::Point(point) => Some(point),
            Vertex::Pass => None,
            // Resigning leaves the board unchanged.
            Vertex::Resign => return text(""),
        };
        self.game.play(color, point).map_err(|_| Refused("illegal move"))?;
        text("")
    }

    fn genmove(&mut self, color: Color) -> Reply {
        let begin = Instant::now();
        let chosen = self.choose(color, |_| true);
        self.clock.spend(color, begin.elapsed());
        self.play_chosen(color, chosen)
    }

    fn play_chosen(&mut self, color: Color, chosen: Vertex) -> Reply {
        let point = match chosen {
            Vertex::Point(point) => Some(point),
            Vertex::Pass => None,
            Vertex::Resign => return text("resign"),
        };
        self.game.play(color, point).map_err(|_| Refused("no move found"))?;
        text(chosen.name(self.game.size()))
    }

    fn reg_genmove(&mut self, color: Color) -> Reply {
        let chosen = self.choose(color, |_| true);
        text(chosen.name(self.game.size()))
    }

    /// Chooses what to play among the wanted points.
    fn choose(&mut self, color: Color, is_wanted: impl Fn(Point) -> bool) -> Vertex {
        let share = self.clock.share(color, self.game.size());
        let Some(player) = &mut self.player else {
            return self.choose_expected(color, is_wanted).map_or(Vertex::Pass, Vertex::Point);
        };
        let evaluation = player.think(&self.game, color, player.budget(share));
        player.choose(&self.game, color, &evaluation, is_wanted)
    }

    /// Chooses an expected move; `None` is a pass.
    fn choose_expected(&mut self, color: Color, is_wanted: impl Fn(Point) -> bool) -> Option<Point> {
        // Two players that never pass would not end the game; real games have fewer than 2.5 moves per point.
        let is_too_long = 2 * self.game.moves.len() >= 5 * self.game.size().n_points();
        if self.game.has_passed(color.opponent()) || is_too_long {
            return None;
        }
        let mut expected = expected(self.predictor, &self.game, color);
        expected.retain(|(point, _)| !self.game.board.is_eye(color, *point) && is_wanted(*point));
        self.choice.choose(&expected)
    }

    /// Loads a game up to the move before the given number, if there is one.
    fn loadsgf(&mut self, request: &Request<'_>) -> Reply {
        const REFUSED: Refused = Refused("cannot load file");
        let (before, parts) = match request.arguments[..] {
            [] => return Err(Refused::SYNTAX),
            [ref parts @ .., number] if !parts.is_empty() && number.parse::<usize>().is_ok() => {
                (request.number(parts.len())?, parts)
            }
            ref parts => (usize::MAX, parts),
        };
        // GoGui puts names with spaces in quotes.
        let name = parts.join(" ");
        let name = name.trim_matches('"');
        // Stdin is used for the commands.
        if name == "-" {
            return Err(REFUSED);
        }
        let record = open_game(name).map_err(|_| REFUSED)?;
        if !self.knows_size(record.size) {
            return Err(Refused("unacceptable size"));
        }
        self.game = Game::of_record(&record, before.saturating_sub(1), self.game.komi);
        text("")
    }

    fn showboard(&self) -> Reply {
        let board = &self.game.board;
        let mut diagram = Diagram::new(board.size());
        for color in [Color::Black, Color::White] {
            diagram = diagram.with_stones(color, &board.stones(color).iter().collect::<Vec<_>>());
        }
        if let Some(point) = self.game.moves.last().and_then(|last| last.point) {
            diagram = diagram.with_last_move(point);
        }
        text(format!("\n{}{} to play", diagram.to_text(), self.game.to_move()))
    }

    fn final_score(&mut self) -> Reply {
        let score = match &mut self.player {
            Some(player) => player.score_black(&self.game),
            None => self.game.score_black(),
        };
        match score {
            0.0 => text("0"),
            _ if score > 0.0 => text(format!("B+{score:.1}")),
            _ => text(format!("W+{:.1}", -score)),
        }
    }

    /// Dead or living chains, one per line; without a search all are alive, and seki is never detected.
    fn final_status_list(&mut self, request: &Request<'_>) -> Reply {
        let status = request.arguments.first().copied().unwrap_or("");
        if !["dead", "alive", "seki"].contains(&status) {
            return Err(Refused::SYNTAX);
        }
        if status == "seki" {
            return text("");
        }
        let dead = self.player.as_mut().map_or(PointSet::EMPTY, |player| player.dead_stones(&self.game));
        let (board, size) = (&self.game.board, self.game.size());
        let is_listed =
            |point: &Point| board.chain_head(*point) == Some(*point) && dead.contains(*point) == (status == "dead");
        let chain = |point| board.chain(point).map(|stone| stone.name(size)).collect::<Vec<_>>().join(" ");
        text(size.points().filter(is_listed).map(chain).collect::<Vec<_>>().join("\n"))
    }

    fn analyze(&mut self, request: &Request<'_>, dialect: AnalysisDialect) -> Reply {
        let analysis = self.analysis(request, dialect, AnalysisEnd::NextLine)?;
        if self.player.is_some() {
            return Ok(Answer::Analysis(analysis));
        }
        Ok(Answer::Stream { text: self.expected_line(&analysis), interval: analysis.options.interval })
    }

    fn genmove_analyze(&mut self, request: &Request<'_>, dialect: AnalysisDialect) -> Reply {
        let analysis = self.analysis(request, dialect, AnalysisEnd::Move)?;
        if self.player.is_some() {
            return Ok(Answer::Analysis(analysis));
        }
        let info = self.expected_line(&analysis);
        let chosen = self.choose(analysis.color, |point| analysis.wants(point));
        match self.play_chosen(analysis.color, chosen)? {
            Answer::Text(name) => text(format!("\n{info}\nplay {name}")),
            other => Ok(other),
        }
    }

    fn analysis(&self, request: &Request<'_>, dialect: AnalysisDialect, end: AnalysisEnd) -> Result<Analysis, Refused> {
        let options = AnalysisOptions::parse(request, self.game.size())?;
        Ok(Analysis { color: options.color.unwrap_or(self.game.to_move()), options, dialect, end })
    }

    fn expected_line(&mut self, analysis: &Analysis) -> String {
        let expected = expected(self.predictor, &self.game, analysis.color);
        let moves = expected.into_iter().map(MoveInfo::expected).collect();
        info_line(analysis.dialect, self.game.size(), &analysis.select(moves))
    }

    /// The budget of an analysis: the time of a move, or unlimited if it repeats its reports.
    pub fn budget(&self, analysis: &Analysis) -> TimeBudget {
        let is_endless = analysis.end == AnalysisEnd::NextLine && analysis.options.interval.is_some();
        let share = self.clock.share(analysis.color, self.game.size());
        self.player.as_ref().filter(|_| !is_endless).map_or(TimeBudget::ENDLESS, |player| player.budget(share))
    }

    /// Continues to search for a while; `None` without a search.
    pub fn think_a_while(&mut self, color: Color, time: Duration, budget: &mut TimeBudget) -> Option<Evaluation> {
        self.player.as_mut().map(|player| player.think_a_while(&self.game, color, time, budget))
    }

    /// The line that reports the results of a search.
    pub fn found_line(&self, analysis: &Analysis, evaluation: &Evaluation) -> String {
        let moves = evaluation.moves.iter().filter(|m| m.visits > 0).map(MoveInfo::searched).collect();
        let line = info_line(analysis.dialect, self.game.size(), &analysis.select(moves));
        let is_asked = analysis.options.wants_ownership && analysis.dialect == AnalysisDialect::KataGo;
        match self.player.as_ref().filter(|_| is_asked) {
            Some(player) => line + &ownership(&player.ownership(analysis.color)),
            None => line,
        }
    }

    /// Plays the best move of a search that took this time, and returns its name.
    pub fn play_found(&mut self, analysis: &Analysis, evaluation: &Evaluation, used: Duration) -> String {
        let (color, game) = (analysis.color, &self.game);
        let wants = |point| analysis.wants(point);
        let chosen = self.player.as_ref().map_or(Vertex::Pass, |p| p.choose(game, color, evaluation, wants));
        self.clock.spend(color, used);
        match self.play_chosen(color, chosen) {
            Ok(Answer::Text(name)) => name,
            _ => Vertex::Resign.name(self.game.size()),
        }
    }

    fn show_expected(&mut self, request: &Request<'_>) -> Reply {
        let n_moves = n_shown(request)?;
        let color = self.game.to_move();
        let mut moves = expected(self.predictor, &self.game, color);
        moves.truncate(n_moves);
        text(gogui::squares(self.game.size(), color, &moves))
    }

    fn show_map(&mut self) -> Reply {
        let color = self.game.to_move();
        let moves = expected(self.predictor, &self.game, color);
        text(gogui::map(self.game.size(), color, &moves))
    }

    fn show_line(&mut self, request: &Request<'_>) -> Reply {
        let mut game = self.game.clone();
        let mut line = Vec::new();
        for _ in 0..n_shown(request)? {
            let color = game.to_move();
            let Some(&(point, _)) = expected(self.predictor, &game, color).first() else { break };
            game.play(color, Some(point)).map_err(|_| Refused("no move found"))?;
            line.push(point);
        }
        text(gogui::variation(game.size(), self.game.to_move(), &line))
    }
}

/// The legal points with their probabilities, highest first.
fn expected(predictor: &mut dyn Predictor, game: &Game, color: Color) -> Vec<(Point, f64)> {
    let legal = game.legal_points(color);
    let situation = Situation { start: &game.start, moves: &game.moves, board: &game.board, color, legal: &legal };
    let values = predictor.predict(&situation);
    let mut moves: Vec<(Point, f64)> = legal.iter().copied().zip(values).collect();
    moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    moves
}

fn text(message: impl Into<String>) -> Reply {
    Ok(Answer::Text(message.into()))
}

fn known_command(request: &Request<'_>) -> Reply {
    let is_known = request.arguments.first().is_some_and(|word| COMMANDS.iter().any(|(name, _)| name == word));
    text(is_known.to_string())
}

fn list_commands() -> Reply {
    text(COMMANDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("\n"))
}

/// The number of moves to show, limited to the length of a game.
fn n_shown(request: &Request<'_>) -> Result<usize, Refused> {
    if request.arguments.is_empty() { Ok(N_SHOWN) } else { Ok(request.number::<usize>(0)?.clamp(1, 500)) }
}

/// The protocol's fixed handicap points; empty if it does not define them.
fn fixed_points(size: BoardSize, n_stones: u32) -> Vec<Point> {
    let n_stones = u8::try_from(n_stones).unwrap_or(u8::MAX);
    if size.get() == 7 && n_stones > 4 {
        return Vec::new();
    }
    // The third stone is in the upper left, unlike the lower right in books.
    let mut points = size.handicap_points(if n_stones == 3 { 4 } else { n_stones });
    if n_stones == 3 && !points.is_empty() {
        points.remove(2);
    }
    points
}
