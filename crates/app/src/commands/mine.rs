//! `tejun mine`: the sequences that a collection plays as units.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::bail;
use tejun_games::sgf::write_record;
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{Collection, GameId, GameTable};
use tejun_knowledge::sequences::{
    Dictionary, GameText, Measure, RankOptions, RankedString, Sequence, Tenuki, TextOptions, TextScope,
    by_completeness, plays, without_redundant, write_sequences,
};

use crate::commands::filters::Filters;
use crate::commands::texts::{IndexFile, load_table, manifest, measure_of};
use crate::commands::{Found, Globals};
use crate::inputs::open_collection;
use crate::output::{check_output, write_output};
use crate::reports::sequences::SequenceReport;

/// Find joseki and set sequences in a collection
///
/// Ranks all sequences of moves by how much they are played as a unit. Shows the best ones with the
/// surrounding stones, what is played next, who wins, and when and by whom they were played.
///
/// Example: tejun mine games.parquet --text corner --top 200 --format html -o joseki.html
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Collection or game records [default: the sample games]
    collection: Option<PathBuf>,
    /// Encoding of moves: er (with directions) or es (without directions)
    #[arg(long, value_name = "CODE", default_value = "er", value_parser = ["es", "er"])]
    code: String,
    /// Text of the games: whole (as played), local (local fights) or corner (local fights that begin in a corner)
    #[arg(long, value_name = "TEXT", default_value = "local", value_parser = ["whole", "local", "corner"])]
    text: String,
    /// Measure of units: frequency, entropy (of the neighboring moves), sfp (frequency profile) or msfp (several
    /// frequency profiles)
    #[arg(long, value_name = "MEASURE", default_value = "msfp", value_parser = ["frequency", "entropy", "sfp", "msfp"])]
    measure: String,
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
    #[arg(long)]
    redundant: bool,
    /// Rank by the measure alone, without favoring sequences after which play moves elsewhere
    #[arg(long)]
    measure_alone: bool,
    /// Also list local sequences in which a side played elsewhere
    #[arg(long)]
    tenuki: bool,
    /// Names of known sequences: one line per sequence in SGF letters, the name after #, or an SGF tree with N
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table",
        value_parser = ["table", "json", "csv", "parquet", "sgf", "html"])]
    format: String,
    /// Output file [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of sequences to draw as diagrams below the table
    #[arg(long, value_name = "N", default_value_t = 1)]
    diagrams: usize,
    #[command(flatten)]
    index: IndexFile,
    #[command(flatten)]
    filters: Filters,
}

/// Strings that are looked at more closely; as long as it suffices, a shorter list is the beginning of a longer one.
const POOL: usize = 100_000;

/// Mines and prints.
///
/// # Errors
/// If the collection can't be read, or the output can't be written.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    if args.format == "parquet" && args.output.is_none() {
        bail!("--format parquet cannot be written to stdout; give a file with -o");
    }
    if args.tenuki && args.text == "whole" {
        bail!("--tenuki needs a local text; use --text local or --text corner");
    }
    if let Some(output) = &args.output {
        let inputs = [args.collection.as_deref(), args.dictionary.as_deref(), args.index.path()];
        check_output(output, inputs.into_iter().flatten(), globals)?;
    }
    let measure = measure_of(&args.measure, &args.windows, args.theta)?;
    let open = open_collection(args.collection.as_deref(), globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    let dictionary = args.dictionary.as_deref().map(|path| Dictionary::read(path, table.size())).transpose()?;
    let (code, scope): (Code, TextScope) = (args.code.parse()?, args.text.parse()?);
    let text = args.index.text(&table, TextOptions { size: table.size(), code, scope }, globals)?;
    let tenuki = if args.tenuki { Tenuki::Allow } else { Tenuki::Exclude };
    // Room for those that go, and for those that come up from below.
    let top = args.top.saturating_mul(4).max(POOL);
    let options = RankOptions { min_length: args.min_length, top, tenuki, n_threads: globals.n_threads() };
    let mut ranking = measure.rank(&text, options);
    if !args.measure_alone {
        ranking = by_completeness(&text, &table, &ranking, globals.n_threads());
    }
    if !args.redundant {
        ranking = without_redundant(&text, &ranking, args.min_length);
    }
    let plays = best_plays(&text, &table, &ranking, &args, globals);
    let known = dictionary.as_ref().map(|dictionary| dictionary.names(code, table.size())).unwrap_or_default();
    let names = plays.iter().map(|play| known.get(&play.symbols).map(|name| name.to_string())).collect();
    let manifest = manifest(&open.collection, args.collection.as_deref(), &table, &parameters(&args, &measure));
    let list = SequenceReport { size: table.size(), plays, names, manifest };
    write_output(args.output.as_deref(), &to_bytes(&args, &open.collection, &list)?, globals)?;
    Ok(Found::from(!list.plays.is_empty()))
}

/// The best strings on the board; one that looks like a better one is left out.
///
/// A sequence from a diagonal may have two strings.
fn best_plays(
    text: &GameText,
    table: &GameTable,
    ranking: &[RankedString],
    args: &Args,
    globals: &Globals,
) -> Vec<Sequence> {
    let mut found: Vec<Sequence> = Vec::new();
    let mut seen = HashSet::new();
    let mut rest = ranking;
    while found.len() < args.top && !rest.is_empty() {
        let (next, behind) = rest.split_at(rest.len().min(args.top - found.len()));
        let is_new = |play: &Sequence| args.redundant || seen.insert(play.moves.clone());
        found.extend(plays(text, table, next, globals.n_threads()).into_iter().filter(is_new));
        rest = behind;
    }
    found
}

fn to_bytes(args: &Args, collection: &Collection, list: &SequenceReport) -> anyhow::Result<Vec<u8>> {
    Ok(match args.format.as_str() {
        "json" => format!("{:#}\n", list.to_json()).into_bytes(),
        "csv" => list.to_csv().into_bytes(),
        "parquet" => write_sequences(&list.plays, &list.names, &list.manifest)?,
        "sgf" => list.to_sgf().into_bytes(),
        "html" => list.to_html(&example_games(collection, list)?).into_bytes(),
        _ => list.to_text(args.diagrams).into_bytes(),
    })
}

/// What the ranking depends on, for the manifest.
fn parameters(args: &Args, measure: &Measure) -> [(&'static str, String); 11] {
    let windows = match measure {
        Measure::MultiProfile { windows, .. } => {
            windows.iter().map(|window| window.to_string()).collect::<Vec<_>>().join(",")
        }
        Measure::Profile { window, theta } => format!("{window}, theta {theta}"),
        Measure::Frequency | Measure::Entropy => "none".into(),
    };
    let dictionary = args.dictionary.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    let or_none = |words: String| if words.is_empty() { "none".into() } else { words };
    [
        ("filters", or_none(args.filters.words())),
        ("dictionary", or_none(dictionary.map_or(String::new(), String::from))),
        ("top", args.top.to_string()),
        ("code", args.code.clone()),
        ("text", args.text.clone()),
        ("measure", args.measure.clone()),
        ("windows", windows),
        ("min_length", args.min_length.to_string()),
        ("redundant_strings", if args.redundant { "kept" } else { "excluded" }.into()),
        ("weighed_by_completeness", if args.measure_alone { "no" } else { "yes" }.into()),
        ("tenuki_inside", if args.tenuki { "kept" } else { "excluded" }.into()),
    ]
}

/// The games of all examples as SGF.
fn example_games(collection: &Collection, list: &SequenceReport) -> anyhow::Result<HashMap<GameId, String>> {
    let wanted: HashSet<GameId> = list.plays.iter().flat_map(|play| &play.examples).map(|example| example.id).collect();
    let mut games = HashMap::new();
    for game in collection.games() {
        let game = game?;
        if wanted.contains(&game.id) {
            games.insert(game.id, write_record(&game.record));
        }
    }
    Ok(games)
}
