//! `tejun tactic discover`: finds sets of points that predict moves.

use std::path::PathBuf;

use anyhow::bail;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::models::{MadeOf, Model, TacticFolder};
use tejun_knowledge::predictor::{Predictor, measure};
use tejun_knowledge::tactics::{Base, DiscoverOptions, Library, Mapping, Search, TacticModel, Trial, Weighted};

use crate::args::{DataFormat, GamesArgs};
use crate::commands::tactic::check_lines;
use crate::commands::tactic::libraries::LibraryFile;
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{load_table, manifest};
use crate::interrupt::is_stopped;
use crate::models::{check_model_output, save_model};
use crate::output::print;
use crate::progress::long_progress;
use crate::reports::tactic::discover::DiscoveryReport;
use crate::terminal::count;

/// Discover sets of points that predict moves, and learn a model from them
///
/// Tries sets made with few operators, unions and intersections of the good sets, and random
/// changes of them. Repeatedly keeps the set that makes the moves of the games most likely, given
/// the sets kept before. Measures the sets on held-out games. The model predicts moves
/// (`tejun evaluate`, `tejun predict`, `tejun gtp`), alone or on top of another model (--base),
/// which should have learned from different games.
///
/// Example: tejun tactic discover games.parquet -o games.tactics
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Output folder of the model
    #[arg(long, short, value_name = "MODEL")]
    output: Option<PathBuf>,
    /// Find sets that add to this model
    #[arg(long, value_name = "MODEL")]
    base: Option<PathBuf>,
    /// Continue from the sets of this model
    #[arg(long = "continue", value_name = "MODEL")]
    earlier: Option<PathBuf>,
    /// Number of sets to find
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=1000))]
    sets: u16,
    /// Number of moves to learn from
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=200_000))]
    examples: u32,
    /// Number of sets with few operators to start with; memory use grows with this and --examples
    #[arg(long, value_name = "N", default_value_t = 6_000, value_parser = clap::value_parser!(u32).range(10..=50_000))]
    tries: u32,
    /// Maximum depth of a set (nested operators)
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u8).range(2..=30))]
    depth: u8,
    /// Hold out every N-th game to measure the sets
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(2..))]
    held_out: u16,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    library: LibraryFile,
    /// Number of sets to list
    #[arg(long, value_name = "N", default_value_t = 30)]
    top: usize,
    /// Output format; csv and json include all sets
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = DataFormat::Table)]
    format: DataFormat,
    #[command(flatten)]
    filters: Filters,
}

/// Number of held-out moves on which sets are measured.
const N_TRIED: usize = 20_000;
/// Number of held-out games that the model predicts.
const N_PREDICTED: usize = 100;

/// Measured memory per set and move, and the maximum total.
const BYTES_OF_TRY: f64 = 9.0;
const MAX_BYTES: f64 = 16e9;

/// Number of sets in the small cover, and the maximum mean number of points of each.
const COVER: (usize, f64) = (15, 12.0);

/// Discovers and measures sets, prints them, and saves the model.
///
/// # Errors
/// If the collection or a model cannot be read, or the model cannot be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let n_bytes = BYTES_OF_TRY * f64::from(args.tries) * f64::from(args.examples);
    if n_bytes > MAX_BYTES {
        bail!("this needs {:.0} GB of memory; lower --examples or --tries", n_bytes / 1e9);
    }
    let library = args.library.open()?;
    let models = Models::open(args, globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    check_lines(table.size(), "--size")?;
    if let (Some(base), Some(path)) = (&models.base, &args.base) {
        let (games, size) = (table.size(), base.size());
        if games != size {
            bail!(
                "{}: the model is for {size}x{size}, the games are on {games}x{games}; use --size {size}",
                path.display()
            );
        }
    }
    let (learned, held_out) = table.split(args.held_out.into());
    if learned.n_moves() < 1_000 || held_out.n_moves() == 0 {
        bail!(
            "only {} to learn from and {} held out; give more games or a smaller --held-out",
            count(learned.n_moves(), "move"),
            count(held_out.n_moves(), "move")
        );
    }
    let made_of = manifest(&open.collection, args.games.paths(), &table, &args.parameters());
    models.warn_of_other_games(&made_of, globals);
    let model = models.learn(args, &learned, &library, globals)?;
    if let Some(path) = &args.output {
        let folder = TacticFolder::new(model.clone(), table.size(), args.base.as_deref());
        save_model(Model::Tactics(folder), path, &MadeOf::new(made_of, &learned), globals)?;
    }
    let mappings: Vec<Mapping> = model.weighted.iter().map(|Weighted { mapping, .. }| mapping.clone()).collect();
    let trial = |games: &GameTable| Trial::new(games, N_TRIED, args.seed, globals.n_threads());
    let (n_cover, max_points) = COVER;
    let cover = trial(&learned).cover(&mappings, n_cover, max_points);
    let covering: Vec<Mapping> = cover.iter().map(|&i| mappings[i].clone()).collect();
    let trial = trial(&held_out);
    let report = DiscoveryReport {
        model: &model,
        library: &library,
        measured: trial.measure(&mappings),
        cover: cover.into_iter().zip(trial.together(&covering)).collect(),
        names: trial.names(&mappings, &library),
        scores: predicted(&model, models.base.as_ref(), &held_out, globals),
    };
    let output = match args.format {
        DataFormat::Csv => report.to_csv(),
        DataFormat::Json => format!("{:#}\n", report.to_json()),
        DataFormat::Table => report.to_text(args.top),
    };
    print(output)?;
    Ok(Found::Something)
}

impl Args {
    /// Identifies a run.
    fn parameters(&self) -> [(&'static str, String); 9] {
        let name = |path: Option<&PathBuf>| path.map_or(String::new(), |path| path.display().to_string());
        [
            ("library", name(self.library.path())),
            ("continue", name(self.earlier.as_ref())),
            ("filters", self.filters.to_flags()),
            ("sets", self.sets.to_string()),
            ("examples", self.examples.to_string()),
            ("tries", self.tries.to_string()),
            ("depth", self.depth.to_string()),
            ("held_out", format!("every {}", self.held_out)),
            ("seed", self.seed.to_string()),
        ]
    }
}

/// The models that a run starts from.
struct Models {
    base: Option<Model>,
    earlier: Option<TacticFolder>,
}

impl Models {
    fn open(args: &Args, globals: &Globals) -> anyhow::Result<Models> {
        if let Some(output) = &args.output {
            check_model_output(output, globals)?;
            let is_output = |path: &PathBuf| path.canonicalize().ok() == output.canonicalize().ok();
            if output.exists() && args.base.iter().chain(&args.earlier).any(is_output) {
                bail!("{}: this model is also an input; choose another name for the new model", output.display());
            }
        }
        args.base.as_deref().map(TacticFolder::check_base).transpose()?;
        let earlier = match &args.earlier {
            None => None,
            Some(path) => match Model::open(path)? {
                Model::Tactics(folder) => {
                    let base = args.base.as_ref().and_then(|base| base.canonicalize().ok());
                    if let Some(other) = folder.base_path.as_ref().filter(|other| Some(*other) != base.as_ref()) {
                        bail!(
                            "{}: the sets of this model add to another model; use --base {}",
                            path.display(),
                            other.display()
                        );
                    }
                    Some(folder)
                }
                _ => bail!("{}: not a model of `tejun tactic discover`", path.display()),
            },
        };
        Ok(Models { base: args.base.as_deref().map(Model::open).transpose()?, earlier })
    }

    /// Warns if the earlier sets may have been learned from games that are held out now.
    fn warn_of_other_games(&self, made_of: &[(String, String)], globals: &Globals) {
        let Some(known) = &self.earlier else { return };
        let is_other = |pair: &&(String, String)| {
            ["moves_hash", "held_out"].contains(&pair.0.as_str()) && !known.made_of.contains(pair)
        };
        if made_of.iter().any(|pair| is_other(&pair)) {
            globals.status(
                "--continue: this model was learned from other games or held out other games; results may be too optimistic",
            );
        }
    }

    /// Finds sets and fits their weights.
    fn learn(
        &self,
        args: &Args,
        learned: &GameTable,
        library: &Library,
        globals: &Globals,
    ) -> anyhow::Result<TacticModel> {
        let make = || self.base.as_ref().map(Model::predictor).expect("a base exists");
        let maker: Base<'_> = self.base.as_ref().map(|_| &make as &(dyn Fn() -> Box<dyn Predictor + Send> + Sync));
        let options = DiscoverOptions {
            n_mappings: args.sets.into(),
            n_choices: args.examples as usize,
            n_enumerated: args.tries as usize,
            max_depth: args.depth.into(),
            seed: args.seed,
            n_threads: globals.n_threads(),
            ..DiscoverOptions::default()
        };
        let mut search = Search::new(learned, library, &options, maker);
        if search.n_choices() == 0 {
            bail!("all moves are passes; give other games");
        }
        if let Some(known) = &self.earlier {
            search.keep(known.model.weighted.iter().map(|weighted| weighted.mapping.clone()));
        }
        search.run(&*long_progress("sets", globals));
        report_missing(search.n_kept(), options.n_mappings, globals);
        let model = TacticModel { weighted: search.finish(learned, maker) };
        if model.weighted.is_empty() {
            bail!("no sets found; give more games or a larger --examples");
        }
        Ok(model)
    }
}

/// Reports why there are fewer sets than asked for.
fn report_missing(n_found: usize, n_wanted: usize, globals: &Globals) {
    if n_found < n_wanted {
        let why = if is_stopped() { "stopped" } else { "no further set helps" };
        globals
            .status(format_args!("{why}: {n_found} of {}; use --continue MODEL to find more", count(n_wanted, "set")));
    }
}

/// How well the model predicts some of the held-out games, and the base without it.
fn predicted(
    model: &TacticModel,
    base: Option<&Model>,
    held_out: &GameTable,
    globals: &Globals,
) -> Vec<(&'static str, tejun_knowledge::predictor::Scores)> {
    let (_, some) = held_out.split(held_out.n_games().div_ceil(N_PREDICTED).max(1));
    let make = || {
        let own: Box<dyn Predictor> = Box::new(model.predictor(base.map(|base| base.predictor())));
        let base = base.map(|base| base.predictor() as Box<dyn Predictor>);
        std::iter::once(own).chain(base).collect::<Vec<_>>()
    };
    ["with these sets", "base alone"].into_iter().zip(measure(&some, globals.n_threads(), make)).collect()
}
