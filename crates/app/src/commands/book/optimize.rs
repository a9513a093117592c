//! `tejun book optimize`: the most varied play at a given loss of win rate.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use tejun_games::game::{PositionKey, Side};
use tejun_knowledge::books::making::optimize::{Allowed, OptimizeOptions, OptimizedBook, Task, optimize_book};
use tejun_knowledge::books::making::prune::{join_books, weigh_chosen};
use tejun_knowledge::books::matching::{MatchOptions, Repetition, match_books};
use tejun_knowledge::engines::PlayedPosition;

use crate::commands::book::engine::position_of;
use crate::commands::book::evaluation::EvaluationArgs;
use crate::commands::book::loading::{ChosenBook, LoadingArgs};
use crate::commands::book::saving::SavingArgs;
use crate::commands::book::winrate::CurveArgs;
use crate::commands::{Found, Globals};
use crate::output::{check_output, print};
use crate::reports::table::{Align, Table};
use crate::terminal::count;

/// Find the weights that make play most varied for a given loss of win rate
///
/// Keeps the moves of the book. Of all weights whose expected win rate is at most --loss below the
/// best possible, finds those with the highest entropy of lines. The opponent's book stays as it
/// is. Leaving positions need values, from a file or from an engine.
///
/// Example: tejun book optimize joseki.db --values values.tsv --loss 0.01 -o varied.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening book
    book: PathBuf,
    /// Opponent's book [default: the same book]
    #[arg(long, value_name = "BOOK")]
    against: Option<PathBuf>,
    #[command(flatten)]
    loading: LoadingArgs,
    /// Side to optimize
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = SideChoice::Both)]
    side: SideChoice,
    /// Maximum loss of win rate compared with the best these moves allow, such as 0.01 for one game in a hundred
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    loss: f64,
    /// Also give weight to known moves that are never chosen
    #[arg(long)]
    all_known: bool,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    curve: CurveArgs,
    #[command(flatten)]
    saving: SavingArgs,
}

/// The sides whose weights change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SideChoice {
    /// The player who moves first
    First,
    /// The other player
    Second,
    /// Each side against the other's unchanged book; the results are joined
    Both,
}

/// Runs the command.
///
/// # Errors
/// If a book, a value or an engine fails, or the books only go in circles.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    if !(0.0..=1.0).contains(&args.loss) {
        bail!("--loss must be from 0 to 1, not {}", args.loss);
    }
    let read: Vec<PathBuf> = args.evaluation.files().collect();
    check_output(&args.saving.output, read.iter().map(PathBuf::as_path), globals)?;
    args.loading.refuse_max_ply("optimize")?;
    let opponent = args.against.clone().unwrap_or_else(|| args.book.clone());
    let paths = [args.book.clone(), opponent];
    let books = args.loading.open(&paths, globals)?;
    args.saving.check(books[0].book().game(), &paths, globals)?;
    let sides: &[Side] = match args.side {
        SideChoice::First => &[Side::First],
        SideChoice::Second => &[Side::Second],
        SideChoice::Both => &[Side::First, Side::Second],
    };
    let allowed = if args.all_known { Allowed::Known } else { Allowed::Weighted };
    let options = OptimizeOptions { loss: args.loss, ..OptimizeOptions::default() };
    let mut found: Vec<(Side, OptimizedBook, OriginalMatch)> = Vec::new();
    // Moves that the program's own rule excludes are never chosen.
    let chosen = weigh_chosen(books[0].book(), &books[0].selection);
    for &side in sides {
        let task = Task { side, book: &chosen, allowed, opponent: books[1].player(), start: None };
        let rates = args.win_rates(&task, &books[0], globals)?;
        let optimized = optimize_book(&task, |key| rates.get(&key).copied(), &options);
        if let Ok(OptimizedBook { n_cut: n @ 1.., .. }) = &optimized {
            globals.status(format_args!(
                "{} excluded, because a side could repeat positions forever at will.",
                count(*n, "move")
            ));
        }
        let original = OriginalMatch::of(side, &books, &rates);
        found.push((side, optimized.with_context(|| args.book.display().to_string())?, original));
    }
    print(tables(&found).as_bytes())?;
    let book = match &found[..] {
        [(_, one, _)] => one.book.clone(),
        [(_, first, _), (_, second, _), ..] => join_books(&first.book, &second.book),
        [] => books[0].book().clone(),
    };
    args.saving.save(&book, &paths, globals)?;
    Ok(Found::Something)
}

/// The same match with the book's own weights.
struct OriginalMatch {
    win_rate: f64,
    line_entropy: f64,
    leaving_entropy: f64,
}

impl OriginalMatch {
    fn of(side: Side, books: &[ChosenBook], first_rates: &HashMap<PositionKey, f64>) -> OriginalMatch {
        let players = match side {
            Side::First => [books[0].player(), books[1].player()],
            Side::Second => [books[1].player(), books[0].player()],
        };
        let options = MatchOptions { repetition: Repetition::Ignored, start: None };
        let played = match_books(books[0].book().game(), players, &options);
        let rated = played.leaving.iter().filter_map(|at| Some((at.probability, *first_rates.get(&at.key)?)));
        let (mass, wins) = rated.fold((0.0, 0.0), |(mass, wins), (p, rate)| (mass + p, wins + p * rate));
        let first_rate = wins / mass;
        let win_rate = if side == Side::First { first_rate } else { 1.0 - first_rate };
        OriginalMatch { win_rate, line_entropy: played.line_entropy, leaving_entropy: played.diversity().entropy }
    }
}

impl Args {
    /// The first player's win rate at every position where an allowed game leaves.
    fn win_rates(
        &self,
        task: &Task<'_>,
        book: &ChosenBook,
        globals: &Globals,
    ) -> anyhow::Result<HashMap<PositionKey, f64>> {
        let game = book.book().game();
        let model = self.curve.given(game)?;
        let widest = task.widest_match();
        let positions: Vec<PlayedPosition> =
            widest.leaving.iter().map(|leaving| position_of(&widest, leaving.node)).collect();
        let values = self.evaluation.values(game, &positions, globals)?;
        let n_missing = values.iter().filter(|value| value.is_none()).count();
        if n_missing > 0 {
            bail!(
                "{n_missing} of {} without a value; use --engine COMMAND --cache-file FILE to evaluate them",
                count(values.len(), "leaving position")
            );
        }
        let rated = widest.leaving.iter().zip(values);
        Ok(rated.filter_map(|(leaving, value)| Some((leaving.key, model.win_rate(value?)))).collect())
    }
}

fn tables(found: &[(Side, OptimizedBook, OriginalMatch)]) -> String {
    let mut sums = Table::new(&[
        ("side", Align::Left),
        ("book", Align::Left),
        ("win rate", Align::Right),
        ("loss to the best", Align::Right),
        ("entropy of lines", Align::Right),
        ("entropy of leaving positions", Align::Right),
    ]);
    let mut curve = Table::new(&[
        ("side", Align::Left),
        ("allowed loss", Align::Right),
        ("win rate", Align::Right),
        ("entropy of lines", Align::Right),
    ]);
    for (side, optimized, original) in found {
        let name = if *side == Side::First { "first" } else { "second" };
        let number = |number: f64| format!("{number:.4}");
        let mut row = |book: &str, win_rate: f64, lines: f64, leaving: f64| {
            let loss = optimized.best_win_rate - win_rate;
            sums.push(vec![name.into(), book.into(), number(win_rate), number(loss), number(lines), number(leaving)]);
        };
        row("original", original.win_rate, original.line_entropy, original.leaving_entropy);
        row("optimized", optimized.win_rate, optimized.entropy_bits, optimized.leaving_entropy_bits);
        for point in &optimized.trade_off {
            curve.push(vec![name.into(), number(point.loss), number(point.win_rate), number(point.entropy_bits)]);
        }
    }
    format!("{}\n{}", sums.to_text(), curve.to_text())
}
