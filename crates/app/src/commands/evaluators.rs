//! Who values moves: the search that comes with tejun, or another program.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::{Context, bail};
use tejun_games::go::BoardSize;
use tejun_knowledge::engines::{Engine, EngineFile, EngineKind, EngineOptions, PointOfView};
use tejun_knowledge::evaluation::{Cached, Evaluation, EvaluationCache, EvaluationError, Evaluator, Question};
use tejun_knowledge::judging::Predictors;
use tejun_knowledge::predictor::Predictor;
use tejun_knowledge::search::{Search, SearchOptions};

use crate::commands::Globals;
use crate::commands::learn::learn_sample;
use crate::models::open_model;
use crate::terminal::{count, say};
use tejun_knowledge::models::{Model, ModelInfo};

/// Where values and predictions come from.
#[derive(clap::Args)]
pub struct EvaluatorArgs {
    /// Pattern model that predicts how expected a move is [default: learned once from the sample games]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Pattern model of the paper's earlier method
    #[arg(long, value_name = "MODEL")]
    earlier: Option<PathBuf>,
    /// Pattern model of the paper's newer method
    #[arg(long, value_name = "MODEL")]
    newer: Option<PathBuf>,
    /// Engine that evaluates positions: its command line, or its name in the --engines file [default: built-in search]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// File of engines, each written as `name: command line` with indented settings below
    #[arg(long, value_name = "FILE", requires = "engine")]
    engines: Option<PathBuf>,
    /// Protocol of the engine [default: GTP, by the commands it lists]
    #[arg(long, value_name = "KIND", requires = "engine", value_parser = EngineKind::NAMES.map(|(name, _)| name))]
    engine_kind: Option<String>,
    /// Perspective of the engine's win rates: mover, black or white [default: mover, unless set in the --engines file]
    #[arg(long, value_name = "VIEW", requires = "engine", value_parser = PointOfView::NAMES.map(|(name, _)| name))]
    engine_view: Option<String>,
    /// Seconds per position, with --engine
    #[arg(long, value_name = "S", requires = "engine")]
    engine_time: Option<f64>,
    /// Playouts or visits per position [default: 1500 for the built-in search]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Minimum number of visits per legal move, to make ranks more meaningful; not with --engine
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_visits: u32,
    /// Use plain UCT as described in the paper: UCB1, and playouts without knowledge
    #[arg(long, conflicts_with = "engine")]
    plain_uct: bool,
    /// Random seed of the built-in search; not with --engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for kept answers [default: tejun in the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

/// Models and kept answers, open.
pub struct EvaluatorSet {
    trained: Model,
    model_name: String,
    trained_identity: String,
    earlier: Option<Model>,
    newer: Option<Model>,
    /// Answers on disk.
    pub cache: Arc<EvaluationCache>,
    engine: Option<EngineOptions>,
    search: SearchOptions,
    is_quiet: bool,
}

/// An engine that reports on stderr what it is waiting for.
struct Watched {
    engine: Engine,
    has_answered: bool,
    is_quiet: bool,
}

/// Report every 10 seconds that an answer is still awaited.
const WORTH_A_WORD: Duration = Duration::from_secs(10);

impl Evaluator for Watched {
    fn identity(&self) -> &str {
        self.engine.identity()
    }

    fn evaluate(&mut self, question: &Question<'_>) -> Result<Evaluation, EvaluationError> {
        if self.is_quiet {
            return self.engine.evaluate(question);
        }
        let options = self.engine.options();
        let (command, start_time) = (options.command.to_string(), options.start_time);
        if !self.has_answered {
            say(format_args!("Starting `{command}`; it has {} s to get ready.", start_time.as_secs()));
        }
        let found = std::thread::scope(|scope| {
            let (done, is_done) = std::sync::mpsc::channel::<()>();
            scope.spawn(move || {
                let mut waited = Duration::ZERO;
                while is_done.recv_timeout(WORTH_A_WORD) == Err(RecvTimeoutError::Timeout) {
                    waited += WORTH_A_WORD;
                    say(format_args!("Still waiting for `{command}` to answer after {} s.", waited.as_secs()));
                }
            });
            let found = self.engine.evaluate(question);
            drop(done);
            found
        });
        self.has_answered |= found.is_ok();
        found
    }
}

impl EvaluatorArgs {
    /// Opens what the arguments name; learns from the sample games if there is no model.
    ///
    /// # Errors
    /// If something is missing or damaged, or an engine's command line is not sound.
    pub fn open(&self, globals: &Globals) -> anyhow::Result<EvaluatorSet> {
        let engine = self.engine_options()?;
        let folder = match &self.cache {
            Some(folder) => folder.clone(),
            None => user_cache()?,
        };
        let cache = EvaluationCache::open(folder.join("evaluations"));
        let cache =
            Arc::new(cache.with_context(|| format!("{}: could not open the cache in this folder", folder.display()))?);
        let model = match &self.model {
            Some(model) => model.clone(),
            None => sample_model(&folder, globals)?,
        };
        let open = |path: &Option<PathBuf>| path.as_deref().map(Model::open).transpose();
        let mut search = if self.plain_uct { SearchOptions::plain() } else { SearchOptions::default() };
        search.seed = self.seed;
        search.min_visits = self.min_visits;
        search.n_playouts = self.playouts.unwrap_or(search.n_playouts);
        Ok(EvaluatorSet {
            trained: open_model(&model, globals)?,
            model_name: match &self.model {
                Some(path) => path.display().to_string(),
                None => "learned from the sample games".into(),
            },
            trained_identity: ModelInfo::read(&model)?.identity,
            earlier: open(&self.earlier)?,
            newer: open(&self.newer)?,
            cache,
            engine,
            search,
            is_quiet: globals.quiet,
        })
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
        if let Some(kind) = &self.engine_kind {
            options.kind = kind.parse()?;
        }
        if let Some(view) = &self.engine_view {
            options.view = view.parse()?;
        }
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
    /// Evaluators for so many threads; other programs have their own threads, so there is one of them.
    pub fn evaluators(&self, n_threads: usize) -> Vec<Box<dyn Evaluator + Send + '_>> {
        match &self.engine {
            Some(options) => {
                let engine =
                    Watched { engine: Engine::new(options.clone()), has_answered: false, is_quiet: self.is_quiet };
                vec![Box::new(Cached::new(self.cache.clone(), engine))]
            }
            None => (0..n_threads).map(|_| Box::new(self.cached_search()) as Box<dyn Evaluator + Send + '_>).collect(),
        }
    }

    fn cached_search(&self) -> Cached<Search<'_>> {
        let search = Search::new(self.search.clone(), &self.trained_identity, || self.trained.prior());
        Cached::new(self.cache.clone(), search)
    }

    /// Whether another program values: its win rates are on its own scale.
    pub fn has_engine(&self) -> bool {
        self.engine.is_some()
    }

    /// What tells this run from others, for those who read its results.
    pub fn manifest(&self) -> Vec<(String, String)> {
        let mut manifest = vec![
            ("program".to_string(), format!("tejun {}", env!("CARGO_PKG_VERSION"))),
            ("evaluator".into(), self.evaluator_name()),
            ("model".into(), self.model_name.clone()),
        ];
        if self.engine.is_none() {
            manifest.push(("seed".into(), self.search.seed.to_string()));
        }
        manifest
    }

    /// Who values, in words.
    pub fn evaluator_name(&self) -> String {
        match &self.engine {
            Some(options) => options.command.to_string(),
            None => format!("tejun's search, {}", count(self.search.n_playouts, "playout")),
        }
    }

    /// Predictors for boards of this size; a model of another size is left out.
    pub fn predictors(&self, size: BoardSize) -> Predictors<'_> {
        Predictors {
            earlier: self.earlier.as_ref().and_then(|model| predictor_of(model, size)),
            newer: self.newer.as_ref().and_then(|model| predictor_of(model, size)),
            trained: predictor_of(&self.trained, size),
        }
    }
}

fn predictor_of(model: &Model, size: BoardSize) -> Option<Box<dyn Predictor + '_>> {
    (model.size() == size).then(|| -> Box<dyn Predictor + '_> { model.predictor() })
}

/// The user's folder for files that can be made again.
fn user_cache() -> anyhow::Result<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache")));
    let folder = folder.or_else(|| of("LOCALAPPDATA"));
    Ok(folder.context("could not find a folder for the cache; give one with --cache")?.join("tejun"))
}

/// The model of the sample games, learned at its first use.
fn sample_model(folder: &Path, globals: &Globals) -> anyhow::Result<PathBuf> {
    let path = folder.join(format!("sample-{}.patterns", env!("CARGO_PKG_VERSION")));
    // One that was damaged is learned again: it can be, and nobody made it by hand.
    if open_model(&path, globals).is_err() {
        globals.status(
            "No --model given: learning a model from the sample games. This takes a minute or two and happens only \
             once. For better results, learn a model from professional games (`tejun learn patterns`).",
        );
        learn_sample(&path, &Globals { force: true, ..globals.clone() })?;
    }
    Ok(path)
}
