//! The README shows what the program prints for the sample games.

mod program;

use std::fs;
use std::path::Path;

use program::Program;

#[test]
fn the_readme_shows_the_first_sequences_and_their_diagram() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A published package has no README of the whole repository.
    let Ok(readme) = fs::read_to_string(root.join("README.md")) else { return };
    let program = Program::new();
    let printed = program.run(&["mine"]).expect_code(0).stdout;
    let shown = readme.split("```").find(|block| block.trim_start().starts_with("rank  played")).expect("a table");
    let rows: Vec<&str> = shown.trim().lines().take_while(|line| *line != "…").collect();
    assert_eq!(rows, printed.lines().take(rows.len()).collect::<Vec<_>>());
    program.run(&["mine", "--top", "1", "-o", "joseki.svg"]).expect_code(0);
    let picture = fs::read(root.join("docs/pictures/joseki.svg")).expect("the picture");
    assert!(program.read("joseki.svg") == picture, "docs/pictures/joseki.svg: make it again with this command");
}
