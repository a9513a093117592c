//! Evaluators on the command line: models and engines are opened, and games are read to be evaluated.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use tejun_games::GameRecord;
use tejun_games::go::BoardSize;
use tejun_games::records::{OnIllegal, read_records};
use tejun_games::sgf::{Reader, Tree};
use tejun_knowledge::corpus::InputGame;
use tejun_knowledge::engines::{Engine, EngineError, EngineFault, EngineFile, EngineKind, EngineOptions, PointOfView};
use tejun_knowledge::evaluation::{
    Cached, Evaluation, EvaluationCache, EvaluationError, Evaluator, Question, QuestionQueue,
};
use tejun_knowledge::judging::{
    GameEvaluator, JudgeError, Judgement, JudgementFileError, LossScale, NamedPredictor, PredictorName, Reliability,
};
use tejun_knowledge::models::{Model, ModelInfo};
use tejun_knowledge::network::{Network, NetworkWorker};
use tejun_knowledge::search::{
    AnySizeSearch, NetworkSearch, NetworkSearchOptions, PlainPredictor, Search, SearchOptions,
};

use crate::commands::Globals;
use crate::commands::learn::learn_sample;
use crate::inputs::input_of;
use crate::models::open_model;
use crate::output::is_same_place;
use crate::terminal::{count, say};

/// Where values and predictions come from.
#[derive(clap::Args)]
pub struct EvaluatorArgs {
    /// Pattern model that predicts how expected a move is [default: the network that comes with tejun]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Network file to use instead of the network that comes with tejun
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// What the built-in search is based on [default: network; other boards than 19x19 are searched by playouts]
    #[arg(long, value_name = "KIND", conflicts_with = "engine", value_enum)]
    search: Option<SearchKind>,
    /// Pattern model of a method of Nakanishi and Nakamura, for comparison; NAME is earlier or newer; can be repeated
    #[arg(long, value_name = "NAME=PATH", value_parser = paper_model)]
    paper_model: Vec<(PredictorName, PathBuf)>,
    /// Engine that evaluates positions: its command line, or its name in the --engines file [default: built-in search]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// File of engines, each written as `name: command line` with indented settings below
    #[arg(long, value_name = "FILE", requires = "engine")]
    engines: Option<PathBuf>,
    /// Protocol of the engine [default: GTP, by the commands it lists]
    #[arg(long, value_name = "KIND", requires = "engine", value_enum)]
    engine_kind: Option<EngineProtocol>,
    /// Perspective of the engine's win rates [default: mover, unless set in the --engines file]
    #[arg(long, value_name = "VIEW", requires = "engine", value_enum)]
    engine_view: Option<EngineView>,
    /// Seconds per position, with --engine
    #[arg(long, value_name = "S", requires = "engine")]
    engine_time: Option<f64>,
    /// Playouts or visits per position [default: 200 with the network, 1500 by playouts]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Minimum number of visits per legal move, to make ranks more meaningful; not with --engine
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_visits: u32,
    /// Use plain UCT as Nakanishi and Nakamura do: UCB1, and playouts without knowledge
    #[arg(long, conflicts_with = "engine")]
    plain_uct: bool,
    /// Random seed of the built-in search; not with --engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder in which evaluations are kept [default: tejun in the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

/// What the built-in search is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SearchKind {
    /// The network
    Network,
    /// Playouts, with the moves of the model first
    Playouts,
}

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineProtocol {
    /// GTP, with the commands that the engine lists
    Auto,
    /// GTP with lz-analyze (Leela Zero)
    Lz,
    /// GTP with kata-analyze (KataGo)
    Kata,
    /// GTP with the commands of Fuego
    Fuego,
    /// GTP with the commands of Pachi
    Pachi,
    /// GTP without win rates (GNU Go)
    Plain,
    /// KataGo's analysis engine
    KatagoJson,
}

impl From<EngineProtocol> for EngineKind {
    fn from(protocol: EngineProtocol) -> EngineKind {
        match protocol {
            EngineProtocol::Auto => EngineKind::Auto,
            EngineProtocol::Lz => EngineKind::LzAnalyze,
            EngineProtocol::Kata => EngineKind::KataAnalyze,
            EngineProtocol::Fuego => EngineKind::Fuego,
            EngineProtocol::Pachi => EngineKind::Pachi,
            EngineProtocol::Plain => EngineKind::PlainGtp,
            EngineProtocol::KatagoJson => EngineKind::KataGoJson,
        }
    }
}

/// Whose win rates an engine reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineView {
    /// The side to move
    Mover,
    /// Always Black
    Black,
    /// Always White
    White,
}

impl From<EngineView> for PointOfView {
    fn from(view: EngineView) -> PointOfView {
        match view {
            EngineView::Mover => PointOfView::SideToMove,
            EngineView::Black => PointOfView::Black,
            EngineView::White => PointOfView::White,
        }
    }
}

/// Reads `earlier=PATH` or `newer=PATH`.
fn paper_model(text: &str) -> Result<(PredictorName, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("expected NAME=PATH")?;
    match name {
        "earlier" => Ok((PredictorName::Earlier, path.into())),
        "newer" => Ok((PredictorName::Newer, path.into())),
        _ => Err(format!("no paper model is named {name:?}; choose earlier or newer")),
    }
}

/// Models, engine and cache, open.
pub struct EvaluatorSet {
    trained: Model,
    model_name: String,
    trained_identity: String,
    /// Searches positions on boards with 19 lines, unless playouts were asked for.
    network: Option<Arc<Network>>,
    paper_models: Vec<(PredictorName, Model)>,
    cache: Arc<EvaluationCache>,
    engine: Option<EngineOptions>,
    search: SearchOptions,
    network_search: NetworkSearchOptions,
    is_quiet: bool,
}

/// An engine whose user learns on stderr what the program is waiting for.
struct Watched {
    engine: Engine,
    has_answered: bool,
    is_quiet: bool,
}

/// Visits per position of the search with a network, unless the user says otherwise.
const N_VISITS: u32 = 200;
/// Report every 10 seconds that an answer is still awaited.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

impl Evaluator for Watched {
    fn identity(&self) -> &str {
        self.engine.identity()
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        self.engine.evaluate(question)
    }

    fn evaluate_queue(&mut self, queue: &mut dyn QuestionQueue<'_>) {
        if self.is_quiet {
            return self.engine.evaluate_queue(queue);
        }
        let command = self.engine.options().command.to_string();
        let start_time = self.engine.options().start_time.as_secs();
        let notice = format!("Starting `{command}`; it has {start_time} s to get ready.");
        let (signs, received) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(move || report_silence(&command, &received));
            let notice = (!self.has_answered).then_some(notice);
            // It holds the sender, so the thread ends with it.
            let mut watched = WatchedQueue { queue, notice, signs, has_answered: &mut self.has_answered };
            self.engine.evaluate_queue(&mut watched);
            drop(watched);
        });
    }
}

/// Reports that an answer is awaited, from the first question on, until no more signs of life can come.
fn report_silence(command: &str, signs: &Receiver<()>) {
    if signs.recv().is_err() {
        return;
    }
    let mut waited = Duration::ZERO;
    loop {
        match signs.recv_timeout(REPORT_INTERVAL) {
            Ok(()) => waited = Duration::ZERO,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                waited += REPORT_INTERVAL;
                say(format_args!("Still waiting for `{command}` to answer after {} s.", waited.as_secs()));
            }
        }
    }
}

/// Questions that only an engine can answer.
struct WatchedQueue<'q, 'g> {
    queue: &'q mut dyn QuestionQueue<'g>,
    /// Printed before the first question; there is none if the cache has all answers.
    notice: Option<String>,
    /// Receives a sign with each question and each answer.
    signs: Sender<()>,
    has_answered: &'q mut bool,
}

impl<'g> QuestionQueue<'g> for WatchedQueue<'_, 'g> {
    fn next_question(&mut self) -> Option<(usize, Question<'g>)> {
        let next = self.queue.next_question()?;
        if let Some(notice) = self.notice.take() {
            say(notice);
        }
        let _ = self.signs.send(());
        Some(next)
    }

    fn answer(&mut self, number: usize, answer: Result<Evaluation, EvaluationError>) {
        *self.has_answered |= answer.is_ok();
        let _ = self.signs.send(());
        self.queue.answer(number, answer);
    }

    fn is_over(&self) -> bool {
        self.queue.is_over()
    }
}

impl EvaluatorArgs {
    /// Opens what the arguments name; learns from the sample games if there is no model.
    ///
    /// # Errors
    /// If something is missing or damaged, or an engine's command line can't be read.
    pub fn open(&self, globals: &Globals) -> anyhow::Result<EvaluatorSet> {
        let engine = self.engine_options()?;
        let folder = cache_folder(self.cache.as_deref())?;
        let cache = EvaluationCache::open(folder.join("evaluations"));
        let cache =
            Arc::new(cache.with_context(|| format!("{}: could not open the cache in this folder", folder.display()))?);
        let network = match &self.network {
            Some(path) => Arc::new(Network::open(path)?),
            None => Network::built_in(),
        };
        let (trained, trained_identity, model_name) = match &self.model {
            Some(path) => (open_model(path, globals)?, ModelInfo::read(path)?.identity, path.display().to_string()),
            // Playouts ask for the probabilities of moves more often than a network can answer.
            None if self.kind() == SearchKind::Playouts && engine.is_none() => {
                let path = sample_model(&folder, globals)?;
                (open_model(&path, globals)?, ModelInfo::read(&path)?.identity, "learned from the sample games".into())
            }
            None => (Model::Network(network.clone()), network.identity(), self.network_name()),
        };
        let network_search =
            NetworkSearchOptions { n_visits: self.playouts.unwrap_or(N_VISITS), ..NetworkSearchOptions::default() };
        let mut search = if self.plain_uct { SearchOptions::plain() } else { SearchOptions::default() };
        search.seed = self.seed;
        search.min_visits = self.min_visits;
        search.n_playouts = self.playouts.unwrap_or(search.n_playouts);
        Ok(EvaluatorSet {
            trained,
            model_name,
            trained_identity,
            network: (self.kind() == SearchKind::Network).then_some(network),
            network_search,
            paper_models: self.paper_models()?,
            cache,
            engine,
            search,
            is_quiet: globals.quiet,
        })
    }

    /// What the search is based on; the papers' settings are those of playouts.
    fn kind(&self) -> SearchKind {
        let has_playout_settings = self.plain_uct || self.min_visits > 0;
        self.search.unwrap_or(if has_playout_settings { SearchKind::Playouts } else { SearchKind::Network })
    }

    fn network_name(&self) -> String {
        match &self.network {
            Some(path) => path.display().to_string(),
            None => "the network that comes with tejun".into(),
        }
    }

    fn paper_models(&self) -> anyhow::Result<Vec<(PredictorName, Model)>> {
        let open = |(name, path): &(PredictorName, PathBuf)| Ok((*name, Model::open(path)?));
        self.paper_model.iter().map(open).collect()
    }

    fn engine_options(&self) -> anyhow::Result<Option<EngineOptions>> {
        let Some(name) = &self.engine else { return Ok(None) };
        let mut options = match &self.engines {
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                let file = EngineFile::parse(&text).with_context(|| path.display().to_string())?;
                let found = file.options(name).cloned();
                found.with_context(|| format!("{}: no engine is named {name} in this file", path.display()))?
            }
            None => EngineOptions::new(name.parse().with_context(|| format!("--engine {name:?}"))?),
        };
        options.kind = self.engine_kind.map_or(options.kind, EngineKind::from);
        options.view = self.engine_view.map_or(options.view, PointOfView::from);
        if let Some(seconds) = self.engine_time {
            if !(seconds > 0.0 && seconds.is_finite()) {
                bail!("--engine-time: the number of seconds must be more than 0");
            }
            options.time = Some(Duration::from_secs_f64(seconds));
        }
        options.visits = self.playouts.or(options.visits);
        Ok(Some(options))
    }
}

impl EvaluatorSet {
    /// An evaluator of games, with as many threads as there may be; an engine has its own threads.
    pub fn game_evaluator(&self, globals: &Globals) -> GameEvaluator<'_> {
        GameEvaluator::new(self.evaluators(globals.n_threads()), self.predictors())
    }

    fn evaluators(&self, n_threads: usize) -> Vec<Box<dyn Evaluator + Send + '_>> {
        match &self.engine {
            Some(options) => {
                let engine =
                    Watched { engine: Engine::new(options.clone()), has_answered: false, is_quiet: self.is_quiet };
                vec![Box::new(Cached::new(self.cache.clone(), engine))]
            }
            None => (0..n_threads).map(|_| self.cached_search()).collect(),
        }
    }

    fn cached_search(&self) -> Box<dyn Evaluator + Send + '_> {
        let playouts = match &self.trained {
            // A network answers too slowly to be asked in playouts.
            Model::Network(_) => Search::new(self.search.clone(), "plain", || Box::new(PlainPredictor)),
            trained => Search::new(self.search.clone(), &self.trained_identity, || trained.prior()),
        };
        match &self.network {
            Some(network) => {
                let network = NetworkSearch::new(self.network_search.clone(), network);
                Box::new(Cached::new(self.cache.clone(), AnySizeSearch::new(network, playouts)))
            }
            None => Box::new(Cached::new(self.cache.clone(), playouts)),
        }
    }

    fn predictors(&self) -> Vec<NamedPredictor<'_>> {
        let models = self.paper_models.iter().map(|(name, model)| (*name, model));
        let models = models.chain(std::iter::once((PredictorName::Trained, &self.trained)));
        models
            .map(|(name, model)| NamedPredictor { name, size: Some(model.size()), predictor: model.predictor() })
            .collect()
    }

    /// The judgement, by default the built-in one with the scale that fits the evaluator.
    pub fn judgement_or_built_in(&self, judgement: Option<Judgement>) -> Judgement {
        judgement.unwrap_or_else(|| {
            let mut judgement = Judgement::built_in();
            if self.engine.is_some() || self.network.is_some() {
                // The built-in scale is for the search by playouts.
                judgement.scale = LossScale::default();
            }
            judgement
        })
    }

    /// A worker of the network that evaluates positions of this size; `None` if something else does.
    pub fn network_worker(&self, size: BoardSize) -> Option<NetworkWorker<'_>> {
        let is_asked = self.engine.is_none() && size == BoardSize::NINETEEN;
        self.network.as_ref().filter(|_| is_asked).map(|network| network.worker())
    }

    /// How reliable the evaluator is.
    pub fn reliability(&self) -> Reliability {
        match &self.engine {
            Some(_) => Reliability::ENGINE,
            None if self.network.is_some() => Reliability::NETWORK,
            None => Reliability::PLAYOUTS,
        }
    }

    /// What distinguishes this run from others, for the readers of its results.
    pub fn manifest(&self) -> Vec<(String, String)> {
        let mut manifest = vec![
            ("program".to_string(), format!("tejun {}", env!("CARGO_PKG_VERSION"))),
            ("evaluator".into(), self.evaluator_name()),
            ("model".into(), self.model_name.clone()),
        ];
        if self.engine.is_none() && self.network.is_none() {
            manifest.push(("seed".into(), self.search.seed.to_string()));
        }
        manifest
    }

    /// The evaluator in words.
    pub fn evaluator_name(&self) -> String {
        match &self.engine {
            Some(options) => options.command.to_string(),
            None if self.network.is_some() => {
                format!("tejun's search with its network, {}", count(self.network_search.n_visits, "visit"))
            }
            None => format!("tejun's search, {}", count(self.search.n_playouts, "playout")),
        }
    }
}

/// Opens a judgement file; `None` if there is no path.
///
/// # Errors
/// If it is not a judgement; says how to make one.
pub fn open_judgement(path: Option<&Path>) -> anyhow::Result<Option<Judgement>> {
    let explain = |error| match error {
        JudgementFileError::File { .. } | JudgementFileError::Text { .. } => {
            let why = std::error::Error::source(&error).map_or(String::new(), |why| format!(" ({why})"));
            anyhow!("{error}{why}; run `tejun learn judge` to make one")
        }
        error => error.into(),
    };
    path.map(Judgement::open).transpose().map_err(explain)
}

/// The error with what to do.
pub fn with_advice(error: JudgeError) -> anyhow::Error {
    use EngineFault::{Lacks, Unclear, WrongProtocol};
    let advice = match &error {
        JudgeError::Cancelled => {
            return anyhow!("stopped, results so far are kept; run the same command again to resume");
        }
        JudgeError::GivenUp { source, .. } => match source.downcast_ref::<EngineError>().map(|error| &error.fault) {
            Some(WrongProtocol { .. } | Lacks { .. } | Unclear { .. }) => "use --engine-kind to choose its protocol",
            _ => return error.into(),
        },
    };
    anyhow::Error::new(error).context(format!("the engine did not understand tejun ({advice})"))
}

/// Reports why positions could not be evaluated; returns their number.
pub fn report_failures(evaluator: &GameEvaluator<'_>) -> usize {
    for failure in evaluator.failures() {
        say(format_args!("{} could not be evaluated: {}", count(failure.n_positions, "position"), failure.reason));
    }
    evaluator.failures().iter().map(|failure| failure.n_positions).sum()
}

/// A game to be evaluated.
pub struct LoadedGame {
    /// The file.
    pub source: String,
    /// The file, and the number of the game in it if there are more.
    pub name: String,
    /// The main line.
    pub record: GameRecord,
    sgf: String,
}

impl LoadedGame {
    fn new(game: InputGame) -> anyhow::Result<LoadedGame> {
        let InputGame { source, name, sgf } = game;
        let sgf = sgf.map_err(|why| anyhow!(why))?;
        let found = read_records(sgf.as_bytes(), OnIllegal::Cut).swap_remove(0);
        let record = found.record.map_err(|error| anyhow!("{name}:{error}"))?;
        if record.moves.is_empty() {
            bail!("{name}: the game has no moves");
        }
        Ok(LoadedGame { source, name, record, sgf })
    }

    /// The game with its variations and comments.
    pub fn tree(&self) -> Tree<'_> {
        Reader::new(&self.sgf).next().expect("the record was read from it")
    }

    /// The path of the file that would hold only this game: `games-17.sgf` for game 17 of `games.sgf`.
    pub fn own_path(&self) -> PathBuf {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let Some((file, number)) = self.name.rsplit_once('#').filter(|(_, number)| is_number(number)) else {
            return PathBuf::from(&self.source);
        };
        let stem = Path::new(file).file_stem().filter(|stem| *stem != "-");
        let stem = stem.map_or("game".into(), |stem| stem.to_string_lossy());
        Path::new(file).with_file_name(format!("{stem}-{number}.sgf"))
    }

    /// The number of positions before and after the first moves.
    pub fn n_positions(&self, n_moves: usize) -> usize {
        n_moves.min(self.record.moves.len()) + 1
    }
}

/// The games of files, folders, archives and collections, or why they can't be read. What is in the folder `output`
/// is skipped: it contains the results of an earlier run.
///
/// # Errors
/// If a file does not exist.
pub fn read_games(paths: &[PathBuf], output: Option<&Path>) -> anyhow::Result<Vec<anyhow::Result<LoadedGame>>> {
    let mut games = Vec::new();
    let input = input_of(paths, None)?;
    let skipped = output.filter(|output| !paths.iter().any(|path| is_same_place(path, output)));
    input.for_each_game_except(skipped.unwrap_or(Path::new("")), |game| {
        games.push(LoadedGame::new(game));
        true
    })?;
    Ok(games)
}

/// All games of files and folders; those that can't be read are reported and skipped.
///
/// # Errors
/// If a file does not exist.
pub fn read_all(paths: &[PathBuf], globals: &Globals) -> anyhow::Result<Vec<LoadedGame>> {
    let mut games = Vec::new();
    for game in read_games(paths, None)? {
        match game {
            Ok(game) => games.push(game),
            Err(error) => globals.status(format_args!("skipped: {error:#}")),
        }
    }
    Ok(games)
}

/// The folder for files that can be recreated: the one that was given, or the user's.
///
/// # Errors
/// If the system does not name one.
pub fn cache_folder(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    given.map_or_else(user_cache, |folder| Ok(folder.to_path_buf()))
}

/// The user's folder for files that can be recreated.
fn user_cache() -> anyhow::Result<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache")));
    let folder = folder.or_else(|| of("LOCALAPPDATA"));
    Ok(folder.context("could not find a folder for the cache; give one with --cache")?.join("tejun"))
}

/// The model of the sample games, learned at its first use.
///
/// # Errors
/// If it can't be learned or opened.
pub fn sample_model(folder: &Path, globals: &Globals) -> anyhow::Result<PathBuf> {
    let path = folder.join(format!("sample-{}.patterns", env!("CARGO_PKG_VERSION")));
    // A damaged one is learned again: it can be, and nobody made it by hand.
    if open_model(&path, globals).is_err() {
        globals.status(
            "No --model given: learning a pattern model from the sample games. This takes a minute or two and happens only \
             once. For better results, learn a model from professional games (`tejun learn patterns`).",
        );
        learn_sample(&path, &Globals { force: true, ..globals.clone() })?;
    }
    Ok(path)
}
