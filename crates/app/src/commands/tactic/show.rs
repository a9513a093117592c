//! `tejun tactic show`: shows a set in one position.

use std::path::{Path, PathBuf};

use anyhow::bail;
use tejun_games::GameRecord;
use tejun_games::go::Point;
use tejun_knowledge::tactics::TacticPosition;

use crate::commands::tactic::check_lines;
use crate::commands::tactic::libraries::{LibraryFile, parse_set};
use crate::commands::{Found, Globals};
use crate::inputs::open_game;
use crate::output::{check_free, check_output, print, write_file};
use crate::reports::page::ReportPage;
use crate::reports::tactic::show::{MappingSteps, points_words};
use crate::terminal::count;

/// Show a set of points in a position of a game
///
/// Squares (# in text) mark the points of the set. A circle (@) or a triangle (^) marks the move
/// played next: a circle if it is in the set, a triangle if not. A ring marks the last move.
///
/// Example: tejun tactic show capture game.sgf --move 42 --steps
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Set of points, such as 'Suc_1(OPP & H) & EMPTY', or a name
    #[arg(value_name = "SET")]
    set: String,
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    /// Show the position before this move [default: after the last move]
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_number: Option<u32>,
    /// Also show every part of the set, one after the other
    #[arg(long)]
    steps: bool,
    #[command(flatten)]
    pictures: Pictures,
    #[command(flatten)]
    library: LibraryFile,
}

/// Pictures of a set in a position.
#[derive(Clone, Debug, clap::Args)]
pub struct Pictures {
    /// Write an SVG picture; - for stdout (a single picture only); several pictures go to FILE-1.svg, FILE-2.svg, ...
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write an HTML page with a board for every part
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Whether to draw the parts of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only the set.
    Whole,
    /// All parts, one by one.
    Steps,
}

/// Draws the set.
///
/// # Errors
/// If the set is invalid, or the game or move does not exist.
pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<Found> {
    let library = args.library.open()?;
    let set = parse_set(&args.set, &library)?;
    args.pictures.check(&args.game, &args.library, globals)?;
    let record = open_game(&args.game)?;
    check_lines(record.size, &args.game)?;
    let asked = AskedPosition::new(&record, args.move_number)?;
    let steps = MappingSteps::new(&asked.position, record.size, &set, &library).with_played(asked.played);
    let value = asked.position.value(&set);
    let title = library.print(&set);
    let head = format!("{}\n{title}: {}\n", asked.heading(&record), points_words(value.len()));
    let detail = if args.steps { Detail::Steps } else { Detail::Whole };
    if !args.pictures.write(&title, &asked.heading(&record), &steps, detail, globals)? {
        let boards = if args.steps { steps.to_text() } else { steps.whole().to_text() };
        let names: Vec<String> = value.iter().map(|point| point.name(record.size)).collect();
        let names = if names.is_empty() { String::new() } else { format!("{}\n", names.join(" ")) };
        print(format!("{head}{names}\n{boards}").as_bytes())?;
    }
    for note in &record.warnings {
        globals.status(format_args!("{}:{}: {}", args.game, note.place, note.what));
    }
    Ok(Found::from(!value.is_empty()))
}

/// A position of a game, and the move played there.
pub struct AskedPosition {
    /// The number of moves before it.
    pub index: usize,
    /// The position as sets see it.
    pub position: TacticPosition,
    /// The move; `None` is a pass, or the end of the game.
    pub played: Option<Point>,
}

impl AskedPosition {
    /// The position before a move, or after the last move if no number is given.
    ///
    /// # Errors
    /// If the game has fewer moves.
    pub fn new(record: &GameRecord, move_number: Option<u32>) -> anyhow::Result<AskedPosition> {
        let n_moves = record.moves.len();
        let index = move_number.map_or(n_moves, |number| number as usize - 1);
        if move_number.is_some() && index >= n_moves {
            bail!("--move {}: the game has only {}", index + 1, count(n_moves, "move"));
        }
        let mut position = TacticPosition::start_of(record);
        record.moves[..index].iter().for_each(|&m| position.play(m));
        let next = record.moves.get(index);
        // Records may contain two moves in a row by one side.
        position.to_move = next.map_or(position.to_move, |m| m.color);
        Ok(AskedPosition { index, position, played: next.and_then(|m| m.point) })
    }

    /// A heading such as `Before move 42, Black Q16`.
    pub fn heading(&self, record: &GameRecord) -> String {
        let (number, color) = (self.index + 1, self.position.to_move);
        match (record.moves.get(self.index), self.played) {
            (None, _) => format!("After move {}, {color} to move", self.index),
            (Some(_), None) => format!("Before move {number}, {color} passes"),
            (Some(_), Some(point)) => format!("Before move {number}, {color} {}", point.name(record.size)),
        }
    }
}

impl Pictures {
    /// Refuses outputs that are also inputs, or that may not be overwritten.
    ///
    /// # Errors
    /// If a picture may not be written.
    pub fn check(&self, game: &str, library: &LibraryFile, globals: &Globals) -> anyhow::Result<()> {
        let file = game.rsplit_once('#').map_or(game, |(file, _)| file);
        for output in [&self.svg, &self.html].into_iter().flatten() {
            let inputs = [Path::new(game), Path::new(file)];
            check_output(output, inputs.into_iter().chain(library.path().map(PathBuf::as_path)), globals)?;
        }
        Ok(())
    }

    /// Writes the requested pictures; returns whether one went to stdout in place of the text.
    ///
    /// # Errors
    /// If a picture cannot be written.
    pub fn write(
        &self,
        title: &str,
        lead: &str,
        steps: &MappingSteps,
        detail: Detail,
        globals: &Globals,
    ) -> anyhow::Result<bool> {
        if let Some(path) = &self.html {
            let mut page = ReportPage::new(title, lead);
            steps.add_to(&mut page);
            write_file(path, page.to_html().as_bytes(), globals)?;
        }
        let stdout = Path::new("-");
        match &self.svg {
            Some(path) if detail == Detail::Steps && path == stdout => {
                bail!("--svg -: several pictures cannot be written to stdout; give a file name")
            }
            Some(path) if detail == Detail::Steps => {
                let svgs = steps.to_svgs();
                (1..).take(svgs.len()).try_for_each(|number| check_free(&numbered(path, number), globals))?;
                for (svg, number) in svgs.iter().zip(1..) {
                    write_file(&numbered(path, number), svg.as_bytes(), globals)?;
                }
            }
            Some(path) => write_file(path, steps.whole().to_svg().as_bytes(), globals)?,
            None => {}
        }
        Ok([&self.svg, &self.html].into_iter().flatten().any(|path| path == stdout))
    }
}

/// `step.svg` as `step-1.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or(String::new(), |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{ending}"))
}
