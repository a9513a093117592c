//! Books counted, matched, compared, and written in other formats.

use crate::fixtures::{book, check_refused, number, shelf};
use crate::program::Program;
use crate::program::golden::check;

#[test]
fn books_are_counted() {
    check(
        &shelf(),
        "book-stats.txt",
        &[
            "book stats wide.db",
            "book stats wide.db narrow.db --by-ply",
            "book stats wide.db --format csv --rule best",
            "book stats games.pgn --record-plies 2",
            "book stats nine.dat",
            "book stats pawns.sfen --quiet",
        ],
    );
}

#[test]
fn books_are_matched_exactly() {
    check(
        &shelf(),
        "book-match.txt",
        &[
            "book match wide.db",
            "book match wide.db narrow.db --by-ply --moves 3",
            "book match wide.db --top 0 --check 100000",
            "book match wide.db --top 1 --format csv --rule uniform --max-ply 2",
            "book match wide.db narrow.db --top 1 --rule stored --rule best",
            "book match wide.db --top 1 --start 'lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2'",
            "book match games.pgn --top 2",
            "book match nine.dat",
        ],
    );
}

#[test]
fn books_are_compared() {
    check(
        &shelf(),
        "book-compare.txt",
        &[
            "book compare wide.db narrow.db",
            "book compare wide.db narrow.db --format csv --games pawns.sfen",
            "book compare wide.db narrow.db --rule best --rule uniform --games pawns.sfen",
        ],
    );
}

#[test]
fn positions_that_another_match_lacks_are_listed() {
    let program = shelf();
    let rows = |others: &str| {
        let run = book(&program, &format!("match wide.db --top 3 --format csv --exclude-positions-of {others}"))
            .expect_code(0);
        let from_here = run.stdout.lines().skip_while(|line| !line.starts_with("visits_per_game")).skip(1);
        from_here.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(rows("wide.db"), [""; 0]);
    let only = rows("narrow.db wide.db");
    assert!(!only.is_empty() && only.iter().all(|row| row.split(',').count() >= 4), "{only:?}");
}

#[test]
fn probabilities_are_those_counted_by_hand() {
    let program = shelf();
    let run = book(&program, "match wide.db --format csv").expect_code(0);
    for row in ["0.500000,3,7g7f 3c3d 2g2f,", "0.300000,2,7g7f 8c8d,", "0.200000,2,2g2f 8c8d,"] {
        assert!(run.stdout.contains(row), "{row} is missing in {}", run.stdout);
    }
}

#[test]
fn drawn_games_agree_with_the_exact_match() {
    let program = shelf();
    let chi_squared = (1..=8).map(|seed| {
        let run = book(&program, &format!("match wide.db --top 0 --check 100000 --seed {seed}")).expect_code(0);
        assert_eq!(number(&run, "games"), 100_000.0);
        number(&run, "chi-squared")
    });
    // Three leaving positions have two degrees of freedom: a mean of 2, and a deviation of 2 for one seed.
    let mean = chi_squared.sum::<f64>() / 8.0;
    assert!((mean - 2.0).abs() < 3.0 * 2.0 / 8f64.sqrt(), "{mean}");
}

#[test]
fn pages_and_parquet_files_are_whole() {
    let program = shelf();
    for command in [
        "stats wide.db narrow.db --html stats.html",
        "match wide.db narrow.db --html match.html --parquet match.parquet",
        "compare wide.db narrow.db --html compare.html",
        "match nine.dat --html go.html --parquet go.parquet",
        "match games.pgn --html chess.html --parquet chess.parquet",
        "winrate wide.db --values values.tsv --html winrate.html --parquet winrate.parquet",
    ] {
        book(&program, command).expect_code(0);
    }
    for name in ["stats", "match", "compare", "go", "chess", "winrate"] {
        let page = String::from_utf8(program.read(&format!("{name}.html"))).expect("a page is UTF-8");
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{name}: {page}");
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count(), "{name}");
        assert!(page.contains("<svg"), "{name} has no picture");
    }
    for name in ["match", "go", "chess", "winrate"] {
        let bytes = program.read(&format!("{name}.parquet"));
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
}

/// The table of a book's match with itself is the same in every format.
#[track_caller]
fn check_formats(original: &str, made: &[&str]) {
    let program = shelf();
    let table = |program: &Program, name: &str| -> Vec<String> {
        let run = book(program, &format!("match {name} --format csv --top 50")).expect_code(0);
        // Only the books' names differ.
        let names = format!("{0},{0},", name.split('.').next().unwrap_or(name));
        run.stdout.lines().map(|line| line.replacen(&names, "", 1)).collect()
    };
    let expected = table(&program, original);
    assert!(expected.len() > 4, "{expected:?}");
    for name in made {
        book(&program, &format!("convert {original} -o {name}")).expect_code(0);
        assert_eq!(table(&program, name), expected, "{name}");
        // And back, by way of the format that keeps everything.
        book(&program, &format!("convert {name} -o again.parquet --force")).expect_code(0);
        assert_eq!(table(&program, "again.parquet"), expected, "{name} and back");
    }
}

#[test]
fn a_book_is_the_same_in_every_format() {
    check_formats("wide.db", &["apery.bin", "new.db", "kept.parquet"]);
    check_formats("games.pgn", &["polyglot.bin", "kept.parquet"]);
    check_formats("nine.dat", &["tree.sgf", "kept.parquet"]);
}

#[test]
fn conversions_tell_what_is_lost() {
    check(
        &shelf(),
        "book-convert.txt",
        &[
            "book convert wide.db -o kept.parquet",
            "book convert wide.db -o apery.bin",
            "book convert wide.db -o book --format yaneuraou",
            "book convert games.pgn -o polyglot.bin",
            "book convert nine.dat -o tree.sgf",
            "book convert wide.db -o apery.bin --quiet",
            "book convert wide.db -o apery.bin --quiet --force",
        ],
    );
}

#[test]
fn no_output_destroys_its_input() {
    let program = shelf();
    book(&program, "convert wide.db -o own.parquet").expect_code(0);
    let inputs = ["wide.db", "narrow.db", "own.parquet", "games.pgn", "values.tsv"];
    let before = inputs.map(|name| program.read(name));
    for command in [
        "convert wide.db -o wide.db",
        "convert wide.db -o ./wide.db",
        "prune wide.db -o wide.db",
        "join wide.db narrow.db -o narrow.db",
        "optimize wide.db --values values.tsv -o wide.db",
        "build games.pgn -o games.pgn --format parquet",
        "stats wide.db --html wide.db",
        "match own.parquet --parquet own.parquet",
        "match wide.db narrow.db --html narrow.db",
        "compare wide.db narrow.db --html wide.db",
        "winrate own.parquet --values values.tsv --parquet own.parquet",
        "winrate wide.db --values values.tsv --html values.tsv",
    ] {
        let forced = format!("{command} --force");
        check_refused(&program, &forced, &["would be overwritten", "choose another output"]);
    }
    for (name, bytes) in inputs.iter().zip(before) {
        assert!(program.read(name) == bytes, "{name} was changed");
    }
}
