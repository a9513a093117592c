//! `tejun learn`: learns models that predict moves.

pub mod judge;

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::builder::TypedValueParser;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::models::{GrammarModel, GrammarModelOptions, MadeOf, Model};
use tejun_knowledge::patterns::{
    FeatureGroup, PaperMethod, PaperModel, Partial, PatternError, PatternModel, PatternOptions,
};
use tejun_knowledge::progress::NoProgress;

use crate::args::{GamesArgs, GrammarCode, SmoothingMethod};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{load_table, manifest};
use crate::models::{check_model_output, save_model};
use crate::progress::StatusProgress;
use crate::terminal::count;

/// Learn a model that predicts moves or judges them
///
/// Example: tejun learn grammar games.parquet -o games.grammar
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(subcommand)]
    model: LearnedModel,
}

/// What to learn.
#[derive(clap::Subcommand)]
enum LearnedModel {
    Grammar(GrammarArgs),
    Patterns(PatternArgs),
    Judge(judge::Args),
}

/// Learn a stochastic grammar, which predicts a move from the moves before it
///
/// Example: tejun learn grammar games.parquet -o games.grammar --codes relative --smoothing paper
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct GrammarArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Output folder
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Codes; the model has one grammar per code
    #[arg(
        long,
        value_name = "CODES",
        value_delimiter = ',',
        value_enum,
        default_value = "position,distance,surroundings,relative"
    )]
    codes: Vec<GrammarCode>,
    /// Smoothing of counts into probabilities
    #[arg(long, value_name = "SMOOTHING", value_enum, default_value_t = SmoothingMethod::KneserNey)]
    smoothing: SmoothingMethod,
    /// Maximum length of counted strings in symbols; smoothing as in Kajiyama and Nakamura has no limit
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=30))]
    order: u8,
    /// Hold out every N-th game to fit the powers of the product; 0 leaves all powers at 1
    #[arg(long, value_name = "N", default_value_t = 200)]
    held_out: usize,
    #[command(flatten)]
    filters: Filters,
}

/// Learn patterns, which predict a move from the stones on the board
///
/// The trained model learns a weight for every pattern, shape and tactical feature by comparing the
/// moves played with all other legal moves. Trees then correct the scores of the best candidates.
/// The two methods of Nakanishi and Nakamura are available for comparison.
///
/// Example: tejun learn patterns games.parquet -o games.patterns
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct PatternArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Output folder
    #[arg(long, short, value_name = "MODEL")]
    output: PathBuf,
    /// Model to learn: the trained model, or the earlier or newer method of Nakanishi and Nakamura
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = PatternMethod::Trained)]
    method: PatternMethod,
    /// Hold out every N-th game to learn the trees from; 0 learns no trees
    #[arg(long, value_name = "N", default_value_t = 25)]
    held_out: usize,
    /// Number of trees, which correct the scores of the best candidates
    #[arg(long, value_name = "N", default_value_t = 240)]
    trees: usize,
    /// Feature groups to exclude (without weight), to measure what they add; the trees are one group
    #[arg(long, value_name = "GROUPS", value_delimiter = ',', value_parser = feature_groups())]
    without: Vec<FeatureGroup>,
    #[command(flatten)]
    filters: Filters,
}

/// Methods for learning patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PatternMethod {
    /// Patterns, shapes and trees with trained weights
    Trained,
    /// The earlier method of Nakanishi and Nakamura
    Earlier,
    /// The newer method of Nakanishi and Nakamura
    Newer,
}

impl PatternMethod {
    fn name(self) -> &'static str {
        self.of_paper().map_or("trained", PaperMethod::name)
    }

    fn of_paper(self) -> Option<PaperMethod> {
        match self {
            PatternMethod::Trained => None,
            PatternMethod::Earlier => Some(PaperMethod::Earlier),
            PatternMethod::Newer => Some(PaperMethod::Newer),
        }
    }
}

/// Parses the name of a feature group.
fn feature_groups() -> impl TypedValueParser<Value = FeatureGroup> {
    let of_name = |name: String| FeatureGroup::ALL.into_iter().find(|group| group.name() == name);
    clap::builder::PossibleValuesParser::new(FeatureGroup::ALL.map(FeatureGroup::name))
        .try_map(move |name| of_name(name).ok_or("unknown feature group"))
}

/// Learns and saves a model.
///
/// # Errors
/// If the collection cannot be read or the model cannot be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    match args.model {
        LearnedModel::Grammar(args) => learn_grammar(&args, globals),
        LearnedModel::Patterns(args) => learn_patterns(&args, globals),
        LearnedModel::Judge(args) => judge::run(&args, globals),
    }
}

fn learn_grammar(args: &GrammarArgs, globals: &Globals) -> anyhow::Result<Found> {
    check_model_output(&args.output, globals)?;
    let codes: Vec<Code> = args.codes.iter().map(|&code| code.into()).collect();
    if let Some(twice) = codes.iter().enumerate().find(|(i, code)| codes[..*i].contains(code)) {
        bail!("--codes: {} is listed twice", twice.1);
    }
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let options = GrammarModelOptions {
        codes,
        smoothing: args.smoothing.into(),
        order: args.order,
        held_out: args.held_out,
        n_threads: globals.n_threads(),
    };
    let model = GrammarModel::learn(&table, &options, &NoProgress)?;
    if model.powers.iter().any(|power| *power != 1.0) {
        for (grammar, power) in model.grammars.iter().zip(&model.powers) {
            globals.status(format_args!("power of {}: {power:.3}", grammar.options().code));
        }
    }
    let parameters = [
        ("filters", args.filters.to_flags()),
        ("order", args.order.to_string()),
        ("held_out", format!("every {}", args.held_out)),
    ];
    let made_of = manifest(&open.collection, args.games.paths(), &table, &parameters);
    save_model(Model::Grammar(model), &args.output, &MadeOf::new(made_of, &table), globals)?;
    globals.status(format_args!("{}: learned from {}", args.output.display(), count(table.n_moves(), "move")));
    Ok(Found::Something)
}

fn learn_patterns(args: &PatternArgs, globals: &Globals) -> anyhow::Result<Found> {
    let partial = Partial::beside(&args.output);
    // A run that was killed after naming its model leaves this folder to the next run.
    partial.remove_if_finished(&args.output);
    check_model_output(&args.output, globals)?;
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let n_threads = globals.n_threads();
    let mut parameters = vec![("filters", args.filters.to_flags()), ("method", args.method.name().to_string())];
    let n_patterns = match args.method.of_paper() {
        Some(method) => {
            let made_of = manifest(&open.collection, args.games.paths(), &table, &parameters);
            let model = PaperModel::learn(&table, method, n_threads);
            let n_patterns = model.n_patterns();
            save_model(Model::Paper(model), &args.output, &MadeOf::new(made_of, &table), globals)?;
            n_patterns
        }
        None => {
            if args.held_out == 1 {
                bail!("--held-out 1 leaves no games to learn from; use 25, for example, to hold out every 25th game");
            }
            parameters.push(("held_out", format!("every {}", args.held_out)));
            parameters.push(("trees", args.trees.to_string()));
            let without: Vec<&str> = args.without.iter().map(|group| group.name()).collect();
            parameters.push(("without", without.join(", ")));
            let made_of = manifest(&open.collection, args.games.paths(), &table, &parameters);
            let without = args.without.clone();
            let options = PatternOptions { held_out: args.held_out, n_trees: args.trees, n_threads, without };
            let model = learn_trained(&table, &options, &partial, globals)?;
            let n_patterns = model.n_patterns();
            check_model_output(&args.output, globals)?;
            let made_of = MadeOf::new(made_of, &table);
            Model::save_patterns(model, &partial, &args.output, (&made_of, globals.if_exists()))?;
            partial.remove();
            n_patterns
        }
    };
    let (n_patterns, n_moves) = (count(n_patterns, "pattern"), count(table.n_moves(), "move"));
    globals.status(format_args!("{}: {n_patterns} learned from {n_moves}", args.output.display()));
    Ok(Found::Something)
}

/// Learns the trained model from the sample games.
///
/// # Errors
/// If the model cannot be written, or learning was stopped.
pub(crate) fn learn_sample(output: &Path, globals: &Globals) -> anyhow::Result<()> {
    let args = PatternArgs {
        games: GamesArgs::default(),
        output: output.to_path_buf(),
        method: PatternMethod::Trained,
        held_out: 25,
        trees: 100,
        without: Vec::new(),
        filters: Filters::default(),
    };
    learn_patterns(&args, &Globals { quiet: true, ..globals.clone() }).map(drop)
}

/// Learns the trained model, with progress on stderr; Ctrl-C stops it, and the same command resumes it.
fn learn_trained(
    table: &GameTable,
    options: &PatternOptions,
    partial: &Partial,
    globals: &Globals,
) -> anyhow::Result<PatternModel> {
    PatternModel::learn(table, options, Some(partial), &StatusProgress::new(globals)).map_err(|error| match error {
        PatternError::Stopped => {
            anyhow!("stopped; run the same command again to resume from {}", partial.folder().display())
        }
        error => error.into(),
    })
}
