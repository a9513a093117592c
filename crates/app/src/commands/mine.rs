//! `tejun mine`: finds the sequences that a collection plays as units.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::bail;
use tejun_games::sgf::write_record;
use tejun_knowledge::corpus::{Collection, GameId};
use tejun_knowledge::progress::NoProgress;
use tejun_knowledge::sequences::{
    Dictionary, Measure, MineOptions, RankBy, Redundant, Tenuki, TextOptions, mine_text, write_sequences,
};

use crate::args::{GamesArgs, MeasureName, OutputArgs, Scope, StringCode, measure_of};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::{GameNames, IndexFile, load_table, manifest};
use crate::reports::mine::SequenceReport;

/// Find joseki and other standard sequences in a collection
///
/// Ranks all sequences of moves by how much they are played as a unit. Shows the best ones with the
/// surrounding stones, the next moves, who wins, and when and by whom they were played.
///
/// Example: tejun mine games.parquet --text corner --top 200 --format html -o joseki.html
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
    /// Encoding of moves
    #[arg(long, value_name = "CODE", value_enum, default_value_t = StringCode::Relative)]
    code: StringCode,
    /// Which part of each game to search: the whole move order, each local fight, or fights that begin in a corner
    #[arg(long, value_name = "TEXT", value_enum, default_value_t = Scope::Local)]
    text: Scope,
    /// Score by which sequences are ranked
    #[arg(long, value_name = "MEASURE", value_enum, default_value_t = MeasureName::Msfp)]
    measure: MeasureName,
    /// Window sizes of the profiles in moves [default: 4,5 for msfp, 6 for sfp]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    windows: Vec<u32>,
    /// Factor by which the frequency rises or falls at the ends of a sequence, for sfp [default: 6]
    #[arg(long, value_name = "FACTOR")]
    theta: Option<f64>,
    /// Minimum number of moves per sequence
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    min_length: u32,
    /// Number of sequences to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Also list near-duplicates of higher-ranked sequences
    #[arg(long, alias = "redundant")]
    keep_redundant: bool,
    /// Rank by the measure alone, without favoring sequences after which play moves elsewhere
    #[arg(long, alias = "measure-alone")]
    no_completeness: bool,
    /// Also list local sequences in which a side played elsewhere
    #[arg(long)]
    tenuki: bool,
    /// Names of known sequences: one line per sequence in SGF letters, the name after #, or an SGF tree with names in N[...]
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs<MineFormat>,
    /// Number of sequences to draw as diagrams below the table
    #[arg(long, value_name = "N", default_value_t = 1)]
    diagrams: usize,
    #[command(flatten)]
    index: IndexFile,
    #[command(flatten)]
    filters: Filters,
}

/// Output formats of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MineFormat {
    /// Aligned columns and diagrams, for people
    #[value(alias = "txt")]
    Table,
    /// JSON
    Json,
    /// Comma-separated values
    Csv,
    /// Parquet, for other programs
    Parquet,
    /// SGF with one variation per sequence
    #[value(alias = "sgfs")]
    Sgf,
    /// A page with diagrams, searchable in the browser
    #[value(alias = "htm")]
    Html,
    /// A picture: the diagrams of all listed sequences, or of the best one with --top 1
    Svg,
}

/// Finds and prints sequences.
///
/// # Errors
/// If the games cannot be read, or the output cannot be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    if args.output.format() == MineFormat::Parquet && args.output.path().is_none() {
        bail!("--format parquet cannot be written to stdout; give a file with -o");
    }
    if args.tenuki && args.text == Scope::Whole {
        bail!("--tenuki needs a local text; use --text local or --text corner");
    }
    let inputs = args.games.paths().iter().chain(&args.dictionary).map(PathBuf::as_path);
    args.output.check(inputs.chain(args.index.path()), globals)?;
    let options = MineOptions {
        code: args.code.into(),
        scope: args.text.into(),
        measure: measure_of(args.measure, &args.windows, args.theta)?,
        min_length: args.min_length,
        top: args.top,
        tenuki: if args.tenuki { Tenuki::Allow } else { Tenuki::Exclude },
        redundant: if args.keep_redundant { Redundant::Keep } else { Redundant::Drop },
        rank_by: if args.no_completeness { RankBy::Measure } else { RankBy::Completeness },
        n_threads: globals.n_threads(),
    };
    let open = args.games.open(globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let dictionary = args.dictionary.as_deref().map(|path| Dictionary::read(path, table.size())).transpose()?;
    let text_options = TextOptions { size: table.size(), code: options.code, scope: options.scope };
    let text = args.index.text(&table, text_options, globals)?;
    let sequences = mine_text(&text, &table, &options, &NoProgress);
    let known = dictionary.as_ref().map(|dictionary| dictionary.names(options.code, table.size())).unwrap_or_default();
    let names = sequences.iter().map(|sequence| known.get(&sequence.symbols).map(|name| name.to_string())).collect();
    let manifest = manifest(&open.collection, args.games.paths(), &table, &parameters(&args, &options));
    let games_by_year = table.games_by_year();
    let game_names = match args.output.format() {
        MineFormat::Html | MineFormat::Sgf => {
            let examples = sequences.iter().flat_map(|sequence| &sequence.examples);
            GameNames::new(&open, examples.map(|example| example.id))?
        }
        _ => GameNames::default(),
    };
    let list = SequenceReport { size: table.size(), sequences, names, games_by_year, manifest, game_names };
    args.output.write(to_bytes(&args, &open.collection, &list)?, globals)?;
    Ok(Found::from(!list.sequences.is_empty()))
}

fn to_bytes(args: &Args, collection: &Collection, list: &SequenceReport) -> anyhow::Result<Vec<u8>> {
    Ok(match args.output.format() {
        MineFormat::Json => format!("{:#}\n", list.to_json()).into_bytes(),
        MineFormat::Csv => list.to_csv().into_bytes(),
        MineFormat::Parquet => write_sequences(&list.sequences, &list.names, &list.manifest)?,
        MineFormat::Sgf => list.to_sgf().into_bytes(),
        MineFormat::Html => list.to_html(&example_games(collection, list)?).into_bytes(),
        MineFormat::Svg => list.to_svg().into_bytes(),
        MineFormat::Table => list.to_text(args.diagrams).into_bytes(),
    })
}

/// The options that determine the ranking, for the manifest.
fn parameters(args: &Args, options: &MineOptions) -> [(&'static str, String); 11] {
    let windows = match &options.measure {
        Measure::MultiProfile { windows, .. } => {
            windows.iter().map(|window| window.to_string()).collect::<Vec<_>>().join(",")
        }
        Measure::Profile { window, theta } => format!("{window}, theta {theta}"),
        Measure::Frequency | Measure::Entropy => "none".into(),
    };
    let dictionary = args.dictionary.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    let or_none = |text: String| if text.is_empty() { "none".into() } else { text };
    [
        ("filters", or_none(args.filters.to_flags())),
        ("dictionary", or_none(dictionary.map_or(String::new(), String::from))),
        ("top", args.top.to_string()),
        ("code", options.code.name().to_string()),
        ("text", options.scope.name().to_string()),
        ("measure", options.measure.name().to_string()),
        ("windows", windows),
        ("min_length", args.min_length.to_string()),
        ("redundant_strings", if args.keep_redundant { "kept" } else { "excluded" }.into()),
        ("weighed_by_completeness", if args.no_completeness { "no" } else { "yes" }.into()),
        ("tenuki_inside", if args.tenuki { "kept" } else { "excluded" }.into()),
    ]
}

/// The games of all examples as SGF.
fn example_games(collection: &Collection, list: &SequenceReport) -> anyhow::Result<HashMap<GameId, String>> {
    let wanted: HashSet<GameId> =
        list.sequences.iter().flat_map(|play| &play.examples).map(|example| example.id).collect();
    let mut games = HashMap::new();
    for game in collection.games() {
        let game = game?;
        if wanted.contains(&game.id) {
            games.insert(game.id, write_record(&game.record));
        }
    }
    Ok(games)
}
