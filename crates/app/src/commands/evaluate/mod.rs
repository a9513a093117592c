//! `tejun evaluate`: measures how well a model predicts games.

pub mod judge;

use std::path::PathBuf;

use anyhow::bail;
use tejun_knowledge::corpus::GameTable;
use tejun_knowledge::grammar::{Evaluation, MethodScores, Smoothing};
use tejun_knowledge::predictor::{N_STAGES, Scores, measure, stage_name};

use crate::args::{OutputArgs, SmoothingMethod, TableFormat};
use crate::commands::{Found, Globals};
use crate::filters::Filters;
use crate::games::load_table;
use crate::inputs::open_games;
use crate::models::open_model;
use crate::output::{check_outputs, write_file};
use crate::reports::evaluate::PredictionReport;
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};
use crate::terminal::count;
use tejun_knowledge::models::{GrammarModel, Model, ModelInfo};

/// Measure how well a model predicts games it has not seen
///
/// Shows the share of moves among the top N, and bits per move with a 95% interval over games. For
/// pattern models, also shows the shares by stage of the game, and calibration. For grammars, also
/// shows the mean branching by symbol and by point, recall by rank, and the top 8 by stage. A
/// product of grammars multiplies their values; the last product has fitted powers.
///
/// Example: tejun evaluate games.grammar test.parquet --format csv
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    what: Option<Evaluated>,
    /// Model folder, network file, or `network` for the network that comes with tejun
    #[arg(required = true)]
    model: Option<PathBuf>,
    /// Collections, game files, folders or archives that the model has not learned from
    #[arg(required = true, value_name = "GAMES")]
    test: Vec<PathBuf>,
    /// Smoothing of counts into probabilities [default: the model's]
    #[arg(long, value_name = "SMOOTHING", value_enum)]
    smoothing: Option<SmoothingMethod>,
    /// Write a plot of recall by rank as SVG; - for stdout
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a plot of the top 8 share by stage as SVG
    #[arg(long, value_name = "FILE")]
    stage_svg: Option<PathBuf>,
    /// Write a plot of predicted probabilities against observed frequencies as SVG
    #[arg(long, value_name = "FILE")]
    reliability_svg: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs<TableFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Other things to evaluate.
#[derive(clap::Subcommand)]
enum Evaluated {
    Judge(judge::Args),
}

/// Ranks at which recall is printed.
const RANKS: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Measures and prints.
///
/// # Errors
/// If the model or the games cannot be read.
pub fn run(mut args: Args, globals: &Globals) -> anyhow::Result<Found> {
    if let Some(Evaluated::Judge(args)) = args.what.take() {
        return judge::run(&args, globals);
    }
    let Some(folder) = args.model.as_ref().filter(|_| !args.test.is_empty()) else {
        bail!("give a model and games to evaluate it on")
    };
    let is_built_in = folder.as_os_str() == "network" && !folder.exists();
    let model = if is_built_in { Model::built_in() } else { open_model(folder, globals)? };
    let outputs = [&args.svg, &args.stage_svg, &args.reliability_svg];
    let inputs: Vec<PathBuf> = args.test.iter().chain([folder]).cloned().collect();
    check_outputs(&outputs, &inputs, globals)?;
    args.output.check(inputs.iter().map(PathBuf::as_path), globals)?;
    let open = open_games(&args.test, globals)?;
    let Some(table) = load_table(&open.collection, &args.filters, globals)? else { return Ok(Found::Nothing) };
    if table.size() != model.size() {
        let (size, other) = (table.size(), model.size());
        bail!("the games are on {size}x{size}, the model is for {other}x{other}; use --size {other} to select games");
    }
    // A network file does not list the games that it was trained on.
    let is_network = matches!(model, Model::Network(_));
    let n_known = if is_network { 0 } else { ModelInfo::n_known_games(folder, &table)? };
    if n_known > 0 {
        globals.status(format_args!(
            "Warning: the model was learned from {n_known} of the {}, so the results are too optimistic; use other games.",
            count(table.n_games(), "test game")
        ));
    }
    match &model {
        Model::Grammar(model) => evaluate_grammars(&args, model, &table, globals)?,
        _ => evaluate_patterns(&args, &model, &table, globals)?,
    }
    Ok(Found::Something)
}

fn evaluate_grammars(args: &Args, model: &GrammarModel, table: &GameTable, globals: &Globals) -> anyhow::Result<()> {
    if args.reliability_svg.is_some() {
        bail!("--reliability-svg: only for pattern models");
    }
    let smoothing = args.smoothing.map_or(model.smoothing, Smoothing::from);
    let found = model.evaluate(smoothing, table, globals.n_threads());
    let names = Names { model };
    let output =
        if args.output.format() == TableFormat::Csv { to_csv(&names, &found) } else { to_text(&names, &found) };
    if let Some(path) = &args.svg {
        write_file(path, plot(&names, &found).to_svg().as_bytes(), globals)?;
    }
    if let Some(path) = &args.stage_svg {
        write_file(path, stage_plot(&names, &found).to_svg().as_bytes(), globals)?;
    }
    args.output.write(output, globals)
}

fn evaluate_patterns(args: &Args, model: &Model, table: &GameTable, globals: &Globals) -> anyhow::Result<()> {
    if args.smoothing.is_some() {
        bail!("--smoothing: only for grammars");
    }
    let started = std::time::Instant::now();
    let scores = measure(table, globals.n_threads(), || vec![model.predictor()]);
    let seconds = started.elapsed().as_secs_f64() * globals.n_threads() as f64;
    let report = PredictionReport { name: model.name(), scores: &scores[0] };
    globals.status(format_args!("{:.0} positions per second per thread", scores[0].n_moves() as f64 / seconds));
    for (path, plot) in [
        (&args.svg, report.rank_plot()),
        (&args.stage_svg, report.stage_plot()),
        (&args.reliability_svg, report.reliability_plot()),
    ] {
        if let Some(path) = path {
            write_file(path, plot.to_svg().as_bytes(), globals)?;
        }
    }
    let output = if args.output.format() == TableFormat::Csv { report.to_csv() } else { report.to_text() };
    args.output.write(output, globals)
}

struct Names<'m> {
    model: &'m GrammarModel,
}

impl Names<'_> {
    fn grammar(&self, number: usize) -> &'static str {
        self.model.grammars[number].options().code.name()
    }

    /// For example `position x distance`, or with powers `position^0.30 x distance^0.70`.
    fn method(&self, method: &MethodScores) -> String {
        let part = |&(number, power): &(usize, f64)| {
            if power == 1.0 { self.grammar(number).to_string() } else { format!("{}^{power:.2}", self.grammar(number)) }
        };
        method.parts.iter().map(part).collect::<Vec<_>>().join(" x ")
    }
}

/// A number with a fixed number of digits; `-` if there is none, as for a stage without moves.
fn fixed(value: f64, n_digits: usize) -> String {
    if value.is_nan() { "-".into() } else { format!("{value:.n_digits$}") }
}

fn percent(share: f64) -> String {
    fixed(100.0 * share, 1)
}

fn to_text(names: &Names<'_>, found: &Evaluation) -> String {
    let right = |name: &'static str| (name, Align::Right);
    let mut tops = Table::new(&[
        ("grammars", Align::Left),
        right("moves"),
        right("top 1"),
        right("top 5"),
        right("top 10"),
        right("top 20"),
        right("bits per move"),
    ]);
    for method in &found.methods {
        let mut cells = vec![names.method(method), method.scores.n_moves().to_string()];
        cells.extend(method.scores.top_shares().map(percent));
        cells.push(format!("{} ± {}", fixed(method.scores.bits(None), 3), fixed(method.scores.bits_margin(), 3)));
        tops.push(cells);
    }
    let ranks: Vec<String> = RANKS.iter().map(|rank| rank.to_string()).collect();
    let mut columns = vec![("grammars", Align::Left)];
    columns.extend(ranks.iter().map(|rank| (rank.as_str(), Align::Right)));
    let mut recall = Table::new(&columns);
    for method in &found.methods {
        let shares = RANKS.iter().map(|&rank| percent(method.scores.recall_at(rank)));
        recall.push(std::iter::once(names.method(method)).chain(shares).collect());
    }
    format!(
        "Top-N accuracy, percent (ties in random order)\n{}\n\
         Mean branching factor, symbols / points\n{}\n\
         Recall at corrected rank N, percent\n{}\n\
         Top-8 accuracy, percent\n{}\n\
         Bits per move\n{}",
        tops.to_text(),
        branching(names, found).to_text(),
        recall.to_text(),
        by_stage(names, found, |method, stage| percent(method.scores.top8(stage))).to_text(),
        by_stage(names, found, |method, stage| fixed(method.scores.bits(Some(stage)), 2)).to_text(),
    )
}

fn branching(names: &Names<'_>, found: &Evaluation) -> Table {
    let columns: Vec<&str> = (0..found.grammars.len()).map(|number| names.grammar(number)).collect();
    let mut table = Table::new(
        &std::iter::once(("moves", Align::Left))
            .chain(columns.iter().map(|name| (*name, Align::Right)))
            .collect::<Vec<_>>(),
    );
    for stage in (0..N_STAGES).map(Some).chain([None]) {
        let name = stage.map_or("all".into(), stage_name);
        let cells = found.grammars.iter().map(|grammar| {
            let [symbols, points] = grammar.branching(stage);
            format!("{} / {}", fixed(symbols, 1), fixed(points, 1))
        });
        table.push(std::iter::once(name).chain(cells).collect());
    }
    table
}

fn by_stage(names: &Names<'_>, found: &Evaluation, cell: impl Fn(&MethodScores, usize) -> String) -> Table {
    let stages: Vec<String> = (0..N_STAGES).map(stage_name).collect();
    let mut columns = vec![("grammars", Align::Left)];
    columns.extend(stages.iter().map(|name| (name.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    for method in &found.methods {
        let cells = (0..N_STAGES).map(|stage| cell(method, stage));
        table.push(std::iter::once(names.method(method)).chain(cells).collect());
    }
    table
}

/// All numbers as rows of `what, grammars, stage or rank, value`.
fn to_csv(names: &Names<'_>, found: &Evaluation) -> String {
    let mut table = Table::new(&["what", "grammars", "at", "value"].map(|name| (name, Align::Left)));
    let mut push = |what: &str, name: &str, at: String, value: f64| {
        table.push(vec![what.into(), name.into(), at, format!("{value:.6}")]);
    };
    for method in &found.methods {
        let name = names.method(method);
        for (n, share) in Scores::TOPS.into_iter().zip(method.scores.top_shares()) {
            push("top", &name, n.to_string(), share);
        }
        push("bits", &name, "all".into(), method.scores.bits(None));
        push("bits_margin", &name, "all".into(), method.scores.bits_margin());
        (1..=361).for_each(|rank| push("recall", &name, rank.to_string(), method.scores.recall_at(rank)));
        for stage in 0..N_STAGES {
            push("top8", &name, stage_name(stage), method.scores.top8(stage));
            push("bits", &name, stage_name(stage), method.scores.bits(Some(stage)));
        }
    }
    for (number, grammar) in found.grammars.iter().enumerate() {
        for stage in (0..N_STAGES).map(Some).chain([None]) {
            let at = || stage.map_or("all".into(), stage_name);
            let [symbols, points] = grammar.branching(stage);
            push("branching_symbols", names.grammar(number), at(), symbols);
            push("branching_points", names.grammar(number), at(), points);
        }
        push("symbol_bits", names.grammar(number), "all".into(), grammar.symbol_bits());
    }
    table.to_csv()
}

fn plot(names: &Names<'_>, found: &Evaluation) -> Plot {
    let plot = Plot::new("Recall by rank").with_axes("corrected rank", "percent");
    found.methods.iter().fold(plot, |plot, method| {
        let curve = (1..=50).map(|rank| (rank as f64, 100.0 * method.scores.recall_at(rank))).collect();
        plot.with_line(&names.method(method), curve)
    })
}

fn stage_plot(names: &Names<'_>, found: &Evaluation) -> Plot {
    let plot = Plot::new("Top-8 accuracy").with_axes("move", "percent");
    found.methods.iter().fold(plot, |plot, method| {
        let curve = (0..N_STAGES).map(|stage| ((20 * stage + 10) as f64, 100.0 * method.scores.top8(stage))).collect();
        plot.with_line(&names.method(method), curve)
    })
}
