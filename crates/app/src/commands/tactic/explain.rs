//! `tejun tactic explain`: explains a move by the smallest set that contains it alone.

use anyhow::bail;
use serde_json::{Value, json};
use tejun_games::GameRecord;
use tejun_games::go::Point;
use tejun_knowledge::tactics::{ExplainOptions, Leaf, Library, MoveExplanation, Points, Unexplained, explain};

use crate::args::TextFormat;
use crate::commands::tactic::check_lines;
use crate::commands::tactic::libraries::LibraryFile;
use crate::commands::tactic::show::{AskedPosition, Detail, Pictures};
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::output::print;
use crate::reports::tactic::show::MappingSteps;

/// Explain a move by the smallest set of points that contains it alone
///
/// Draws the set part by part. If the position is symmetric, points that look the same as the move
/// are also in the set. Not every move has such a set: on an almost empty board, the far corners
/// look alike up to a certain depth.
///
/// Example: tejun tactic explain game.sgf --move 42 --html explained.html
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    /// Number of the move to explain [default: the last move]
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_number: Option<u32>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    pictures: Pictures,
    #[command(flatten)]
    library: LibraryFile,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TextFormat::Table)]
    format: TextFormat,
}

/// The sets that explanations are built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Leaves {
    /// O, P and LAST
    Own,
    /// B and W, as in the paper of Satou, Anada and Tsutsumi
    Bw,
    /// All basic sets
    All,
}

/// Options of the search for explanations.
#[derive(Clone, Debug, clap::Args)]
pub struct Effort {
    /// Basic sets to start from
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Leaves::Own)]
    leaves: Leaves,
    /// Maximum depth of a set [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: Option<u32>,
    /// Number of sets to try one by one before combining them; more take longer [default: 200000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    sets: Option<u32>,
    /// Try this many random trees instead, as Satou, Anada and Tsutsumi do, for comparison
    #[arg(long, value_name = "N", conflicts_with = "sets", value_parser = clap::value_parser!(u32).range(1..))]
    random: Option<u32>,
}

impl Effort {
    /// The search options for these flags.
    pub fn options(&self) -> ExplainOptions {
        let usual = ExplainOptions::default();
        let leaves = match self.leaves {
            Leaves::Own => usual.leaves,
            Leaves::Bw => vec![Leaf::Black, Leaf::White],
            Leaves::All => Leaf::ALL.to_vec(),
        };
        ExplainOptions {
            n_random: self.random.map(|n| n as usize),
            leaves,
            max_depth: self.depth.map_or(usual.max_depth, |n| n as usize),
            max_sets: self.sets.map_or(usual.max_sets, |n| n as usize),
        }
    }
}

/// Explains and prints.
///
/// # Errors
/// If the game or move does not exist, or a picture cannot be written.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let library = args.library.open()?;
    args.pictures.check(&args.game, &args.library, globals)?;
    let record = open_game(&args.game)?;
    check_lines(record.size, &args.game)?;
    if record.moves.is_empty() {
        bail!("{}: the game has no moves, so there is nothing to explain", args.game);
    }
    let asked = AskedPosition::new(&record, args.move_number.or(Some(record.moves.len() as u32)))?;
    let Some(point) = asked.played else {
        bail!("--move {}: the move is a pass, so there is nothing to explain", asked.index + 1);
    };
    let explained = explain(&asked.position, point, record.size, &args.effort.options());
    let answer = ExplanationReport { record: &record, asked: &asked, point, library: &library };
    let is_shown = match &explained {
        Ok(found) => args.pictures.write(
            &answer.title(found),
            &asked.heading(&record),
            &answer.steps(found),
            Detail::Steps,
            globals,
        )?,
        Err(_) => false,
    };
    if !is_shown {
        let text = match args.format {
            TextFormat::Json => format!("{:#}\n", answer.to_json(&explained)),
            TextFormat::Table => answer.to_text(&explained),
        };
        print(text.as_bytes())?;
    }
    for note in &record.warnings {
        globals.status(format_args!("{}:{}: {}", args.game, note.place, note.what));
    }
    Ok(Found::from(explained.is_ok()))
}

struct ExplanationReport<'a> {
    record: &'a GameRecord,
    asked: &'a AskedPosition,
    point: Point,
    library: &'a Library,
}

impl ExplanationReport<'_> {
    fn title(&self, found: &MoveExplanation) -> String {
        self.library.print(&found.mapping)
    }

    fn steps(&self, found: &MoveExplanation) -> MappingSteps {
        let steps = MappingSteps::new(&self.asked.position, self.record.size, &found.mapping, self.library);
        steps.with_played(Some(self.point))
    }

    fn names(&self, points: &Points) -> Vec<String> {
        points.iter().map(|point| point.name(self.record.size)).collect()
    }

    fn to_text(&self, explained: &Result<MoveExplanation, Unexplained>) -> String {
        let head = self.asked.heading(self.record);
        match explained {
            Err(Unexplained::Impossible { like }) => {
                format!(
                    "{head}: no explanation\nThese points look alike up to this depth: {}\n",
                    self.names(like).join(" ")
                )
            }
            Err(error) => format!("{head}: no explanation\n{error}\n"),
            Ok(found) => {
                let (depth, size) = (found.mapping.depth(), found.mapping.size());
                let smallest = if found.is_smallest { "the smallest possible" } else { "perhaps not the smallest" };
                let twins = match found.value.len() {
                    1 => String::new(),
                    _ => format!("Symmetric points: {}\n", self.names(&found.value).join(" ")),
                };
                format!(
                    "{head}\n{}\ndepth {depth}, {size} operators and leaves; {smallest}\n{twins}\n{}",
                    self.title(found),
                    self.steps(found).to_text()
                )
            }
        }
    }

    fn to_json(&self, explained: &Result<MoveExplanation, Unexplained>) -> Value {
        let mut answer = json!({
            "move": self.asked.index + 1,
            "color": self.asked.position.to_move.letter().to_string(),
            "point": self.point.name(self.record.size),
        });
        match explained {
            Ok(found) => {
                answer["set"] = self.title(found).into();
                answer["depth"] = found.mapping.depth().into();
                answer["size"] = found.mapping.size().into();
                answer["is_smallest"] = found.is_smallest.into();
                answer["points"] = self.names(&found.value).into();
                answer["sets_tried"] = found.n_sets.into();
            }
            Err(error) => {
                answer["set"] = Value::Null;
                answer["why"] = error.to_string().into();
                if let Unexplained::Impossible { like } = error {
                    answer["alike"] = self.names(like).into();
                }
            }
        }
        answer
    }
}
