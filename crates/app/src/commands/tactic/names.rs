//! `tejun tactic names`: lists the named sets.

use crate::args::TableFormat;
use crate::commands::Found;
use crate::commands::tactic::libraries::LibraryFile;
use crate::output::print;
use crate::reports::table::{Align, Table};

/// List the named sets with their meaning and depth
///
/// Example: tejun tactic names --library mine.tactics
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    #[command(flatten)]
    library: LibraryFile,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TableFormat::Table)]
    format: TableFormat,
}

/// Prints the names.
///
/// # Errors
/// If the library cannot be read.
pub fn run(args: &Args) -> anyhow::Result<Found> {
    let library = args.library.open()?;
    let columns = [("name", Align::Left), ("depth", Align::Right), ("meaning", Align::Left), ("set", Align::Left)];
    let mut table = Table::new(&columns);
    for named in library.named() {
        let depth = named.mapping.depth().to_string();
        table.push(vec![named.name.clone(), depth, named.words.clone(), library.print_apart(&named.mapping)]);
    }
    let text = if args.format == TableFormat::Csv { table.to_csv() } else { table.to_text() };
    print(text.as_bytes())?;
    Ok(Found::Something)
}
