//! `tejun book prune`: a book without the moves and positions that are not wanted.

use std::path::PathBuf;

use tejun_games::game::Side;
use tejun_knowledge::books::making::prune::{PruneOptions, PruneReason, PruneReport, Reach, ZeroWeight, prune_book};

use crate::commands::book::loading::LoadingArgs;
use crate::commands::book::saving::SavingArgs;
use crate::commands::{Found, Globals};
use crate::output::print;
use crate::reports::table::{Align, Table};

/// Drop moves and positions from a book, and count them by reason
///
/// Example: tejun book prune joseki.db --min-move-probability 0.05 --reach one-sided -o small.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Opening book
    book: PathBuf,
    #[command(flatten)]
    loading: LoadingArgs,
    /// Drop moves with a probability below this (0 to 1), including moves that the rule excludes
    #[arg(long, value_name = "P", default_value_t = 0.0)]
    min_move_probability: f64,
    /// Drop known moves that are never chosen
    #[arg(long)]
    drop_zero: bool,
    /// Drop moves that are worse than the best move of their position by more than this, in centipawns
    #[arg(long, value_name = "CP")]
    max_value_loss: Option<i32>,
    /// Positions to keep, by how they occur in play
    #[arg(long, value_name = "REACH", value_enum, default_value_t = ReachName::Anything)]
    reach: ReachName,
    /// Drop positions visited less often than this, per game, when the book plays itself; not with --reach
    #[arg(long, value_name = "P", conflicts_with = "reach")]
    min_probability: Option<f64>,
    /// Drop positions N or more moves from the start
    #[arg(long, value_name = "N")]
    drop_from_ply: Option<u32>,
    /// Keep only the moves of this side
    #[arg(long, value_name = "SIDE", value_enum)]
    only: Option<SideName>,
    #[command(flatten)]
    saving: SavingArgs,
}

/// Which positions are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReachName {
    /// All positions
    Anything,
    /// Those that occur when one side plays by the book and the other plays any move that the book knows
    OneSided,
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SideName {
    /// The player who moves first
    First,
    /// The other player
    Second,
}

impl From<SideName> for Side {
    fn from(side: SideName) -> Side {
        match side {
            SideName::First => Side::First,
            SideName::Second => Side::Second,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If the book can't be read or written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let chosen = args.loading.open_one(&args.book, globals)?;
    let reach = match (args.min_probability, args.reach) {
        (Some(min_probability), _) => Reach::SelfMatch { min_probability },
        (None, ReachName::OneSided) => Reach::OneSided,
        (None, ReachName::Anything) => Reach::Anything,
    };
    let options = PruneOptions {
        min_move_probability: args.min_move_probability,
        zero_weight: if args.drop_zero { ZeroWeight::Drop } else { ZeroWeight::Keep },
        max_value_loss: args.max_value_loss,
        reach,
        max_ply: args.drop_from_ply,
        only: args.only.map(Side::from),
    };
    let (pruned, report) = prune_book(chosen.book(), &chosen.selection, &options);
    print(report_table(&report).to_text().as_bytes())?;
    args.saving.save(&pruned, std::slice::from_ref(&args.book), globals)?;
    Ok(Found::from(!pruned.positions().is_empty()))
}

fn report_table(report: &PruneReport) -> Table {
    let mut table = Table::new(&[("", Align::Left), ("positions", Align::Right), ("moves", Align::Right)]);
    let mut row = |name: &str, (positions, moves): (usize, usize)| {
        table.push(vec![name.into(), positions.to_string(), moves.to_string()])
    };
    row("before", report.before);
    for (reason, positions, moves) in &report.dropped {
        row(&format!("dropped: {}", reason_text(*reason)), (*positions, *moves));
    }
    row("after", report.after);
    table
}

fn reason_text(reason: PruneReason) -> &'static str {
    match reason {
        PruneReason::Value => "worse than the best move",
        PruneReason::Probability => "rarely chosen",
        PruneReason::NeverChosen => "never chosen",
        PruneReason::Empty => "without moves",
        PruneReason::Unreached => "never occurs",
        PruneReason::Ply => "too far from the start",
        PruneReason::Side => "the other side's",
    }
}
