//! Files and words that can't be: each failure names what is wrong, and nothing panics.

use crate::fixtures::{book, check_refused, engine, shelf};

#[test]
fn files_that_are_not_books_are_named() {
    let program = shelf();
    program.write("empty.db", "");
    program.write("cut.dat", [0, 0, 0, 1, 0, 0, 0x40]);
    program.write("head.dat", [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]);
    program.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    program.write("text.txt", "Dear reader, this is not a book.\n");
    program.write("foreign.parquet", b"PAR1 and no more PAR1");
    std::fs::create_dir(program.path("nothing")).expect("a folder");
    for (name, words) in [
        ("empty.db", "is empty"),
        ("picture.png", "--book-format"),
        ("text.txt", "--book-format"),
        ("cut.dat", ""),
        ("head.dat", ""),
        ("foreign.parquet", ""),
        ("missing.db", "No such file"),
        ("nothing", "no game could be read"),
    ] {
        for command in ["stats", "match", "compare", "prune -o out.db", "convert -o out.db"] {
            check_refused(&program, &format!("{command} {name}"), &[name, words]);
        }
    }
    check_refused(&program, "stats cut.dat --book-format gps", &["cut.dat", "GPS"]);
    check_refused(&program, "stats head.dat --book-format gps", &["head.dat", "GPS"]);
    check_refused(&program, "build text.txt -o out.db", &["text.txt"]);
    check_refused(&program, "build nothing -o out.db", &["nothing: no game could be read"]);
    assert!(!program.path("out.db").exists());
}

#[test]
fn every_beginning_of_a_book_is_read_or_refused() {
    let program = shelf();
    for (original, made) in [("wide.db", "apery.bin"), ("wide.db", "own.parquet"), ("games.pgn", "polyglot.bin")] {
        book(&program, &format!("convert {original} -o {made}")).expect_code(0);
        let whole = program.read(made);
        for n_bytes in [1, 7, 15, whole.len() / 2, whole.len() - 1] {
            program.write("cut", &whole[..n_bytes]);
            // A hashed book that is cut between two entries is a smaller book.
            let run = book(&program, "stats cut");
            assert!(
                run.code == Some(2) && run.stderr.contains("cut") || run.code == Some(0),
                "{made} {n_bytes}: {run:?}"
            );
        }
    }
}

#[test]
fn games_do_not_mix() {
    let program = shelf();
    let words = ["wide.db is a shogi book", "games.pgn is a chess book", "all books must be of the same game"];
    for command in ["match", "compare", "winrate --values values.tsv", "join -o out.db"] {
        check_refused(&program, &format!("{command} wide.db games.pgn"), &words);
    }
    check_refused(&program, "optimize wide.db --against games.pgn --values values.tsv -o out.db", &words);
    check_refused(&program, "convert wide.db -o out.sgf", &["out.sgf", "shogi"]);
    check_refused(&program, "convert games.pgn -o out.db", &["out.db", "chess"]);
    check_refused(&program, "convert wide.db -o out.xyz", &["out.xyz", "--format"]);
    assert!(!program.path("out.db").exists() && !program.path("out.sgf").exists());
}

#[test]
fn wrong_words_are_refused() {
    let program = shelf();
    for (command, words) in [
        ("stats wide.db --rule banana", &["banana", "--rule"][..]),
        ("match wide.db --rule gps --rule best --rule stored", &["--rule is given 3 times for 2 books"]),
        ("match wide.db --rule yaneuraou:depth=deep", &["--rule"]),
        ("stats wide.db --power -1", &["--power"]),
        ("stats wide.db --power NaN", &["--power must be a number, 0 or more"]),
        ("match wide.db --start nowhere", &["--start"]),
        ("stats wide.db --book-format tarot", &["tarot"]),
        ("optimize wide.db --values values.tsv --fit games.csa -o out.db", &["--fit"]),
        ("play wide.db --engine 'sh usi.sh' --fit games.csa", &["--fit"]),
    ] {
        check_refused(&program, command, words);
    }
}

#[test]
fn engines_that_are_not_there_are_named() {
    let program = shelf();
    engine(&program, "uci.sh", "uci", "echo 'bestmove e2e4'");
    for command in ["winrate wide.db", "optimize wide.db -o out.db", "play wide.db"] {
        check_refused(&program, &format!("{command} --engine ./no-such-engine"), &["no-such-engine", "check the path"]);
        check_refused(&program, &format!("{command} --engine \"'open\""), &["quote"]);
        check_refused(&program, &format!("{command} --engine 'sh uci.sh'"), &["does not speak USI", "sh uci.sh"]);
        check_refused(&program, &format!("{command} --engine 'sh uci.sh' --seconds 0"), &["--seconds"]);
        check_refused(&program, &format!("{command} --engine 'sh uci.sh' --set Threads"), &["NAME=VALUE"]);
    }
}
