//! `tejun book prune`: a book without what is not wanted.

use std::path::PathBuf;

use tejun_games::game::Side;
use tejun_knowledge::books::making::prune::{PruneOptions, PruneReport, Reach, Reason, Weightless, prune_book};

use crate::commands::book::opening::OpeningArgs;
use crate::commands::book::saving::SavingArgs;
use crate::commands::{Found, Globals};
use crate::output::print;
use crate::reports::table::{Align, Table};

/// Drop moves and positions from a book, and count them by reason
///
/// Example: tejun book prune joseki.db --min-chance 0.05 --reach one-sided -o small.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening book
    book: PathBuf,
    #[command(flatten)]
    opening: OpeningArgs,
    /// Drop moves with a probability below this (0 to 1), including moves that the rule excludes
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    min_chance: f64,
    /// Drop known moves that are never chosen
    #[arg(long)]
    drop_zero: bool,
    /// Drop moves that are worse than the best move of their position by more than this, in centipawns
    #[arg(long, value_name = "CP")]
    max_value_loss: Option<i32>,
    /// Drop positions that do not occur in play: anything keeps all; one-sided keeps those that occur when one side
    /// plays by the book and the other plays any move that the book knows
    #[arg(long, value_name = "REACH", default_value = "anything", value_parser = ["anything", "one-sided"])]
    reach: String,
    /// Drop positions visited less often than this, per game, when the book plays itself; not with --reach
    #[arg(long, value_name = "P", conflicts_with = "reach")]
    min_probability: Option<f64>,
    /// Drop positions N or more moves from the start
    #[arg(long, value_name = "N")]
    drop_from_ply: Option<u32>,
    /// Keep only the moves of this side
    #[arg(long, value_name = "SIDE", value_parser = ["first", "second"])]
    only: Option<String>,
    #[command(flatten)]
    saving: SavingArgs,
}

/// Runs the command.
///
/// # Errors
/// If the book can't be read or written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let chosen = args.opening.open_one(&args.book, globals)?;
    let reach = match (args.min_probability, args.reach.as_str()) {
        (Some(min_probability), _) => Reach::SelfMatch { min_probability },
        (None, "one-sided") => Reach::OneSided,
        _ => Reach::Anything,
    };
    let options = PruneOptions {
        min_chance: args.min_chance,
        weightless: if args.drop_zero { Weightless::Dropped } else { Weightless::Kept },
        max_value_loss: args.max_value_loss,
        reach,
        max_ply: args.drop_from_ply,
        only: args.only.as_deref().map(|side| if side == "first" { Side::First } else { Side::Second }),
    };
    let (pruned, report) = prune_book(chosen.book(), &chosen.selection, &options);
    print(report_table(&report).to_text().as_bytes())?;
    args.saving.save(&pruned, std::slice::from_ref(&args.book), globals)?;
    Ok(Found::from(!pruned.positions().is_empty()))
}

fn report_table(report: &PruneReport) -> Table {
    let mut table = Table::new(&[("", Align::Left), ("positions", Align::Right), ("moves", Align::Right)]);
    let mut row = |words: &str, (positions, moves): (usize, usize)| {
        table.push(vec![words.into(), positions.to_string(), moves.to_string()])
    };
    row("before", report.before);
    for (reason, positions, moves) in &report.dropped {
        row(&format!("dropped: {}", words(*reason)), (*positions, *moves));
    }
    row("after", report.after);
    table
}

fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Value => "worse than the best move",
        Reason::Chance => "rarely chosen",
        Reason::Weightless => "never chosen",
        Reason::Empty => "without moves",
        Reason::Unreached => "never occurs",
        Reason::Ply => "too far from the start",
        Reason::Side => "the other side's",
    }
}
