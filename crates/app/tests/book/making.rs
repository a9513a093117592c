//! Books built, pruned, joined, optimized and expanded.

use crate::fixtures::{book, check_refused, engine, n_asked, number, shelf};
use crate::program::golden::check;

#[test]
fn a_book_is_built_of_games() {
    check(
        &shelf(),
        "book-build.txt",
        &[
            "book build games.pgn -o all.parquet",
            "book build games.pgn -o won.bin --weigh wins --min-games 2",
            "book build games.pgn -o few.bin --min-position-games 2 --min-wins 1.5 --min-relative-rate 0.85 --top 1",
            "book build games.pgn -o ann.bin --only-player Ann --plies 2",
            "book build games.pgn -o winner.bin --count winner --weigh lower-bound --top 2",
            "book build games.pgn -o own.bin --boost-player Ann --boost 5 --boost-moves-only --top 2",
            "book build games.pgn -o none.bin --like-bonanza",
            "book match won.bin",
        ],
    );
}

#[test]
fn lists_have_the_last_word() {
    let program = shelf();
    program.write("excluded.txt", "# Never again.\n\nstartpos\tf2f3\nstartpos moves e2e4\tc7c5\n");
    program.write(
        "forced.txt",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\tg8f6\nstartpos moves a2a3\ta7a6\n",
    );
    let run = book(&program, "build games.pgn -o listed.bin --exclude-moves excluded.txt --force-moves forced.txt")
        .expect_code(0);
    assert!(run.stderr.contains("1 forced move never played in these games"), "{}", run.stderr);
    assert!(run.stdout.contains("excluded and forced moves"), "{}", run.stdout);
    let run = book(&program, "match listed.bin --format csv --top 50").expect_code(0);
    let lines: Vec<&str> = run.stdout.lines().filter_map(|line| line.split(',').nth(2)).collect();
    let has = |line: &str| lines.iter().any(|known| known.starts_with(line));
    assert!(has("e2e4 e7e5") && has("d2d4 g8f6"), "{}", run.stdout);
    assert!(!has("f2f3") && !has("e2e4 c7c5") && !has("d2d4 d7d5"), "{}", run.stdout);
}

#[test]
fn a_wrong_line_of_a_list_is_named() {
    let program = shelf();
    for (text, place) in [
        ("startpos\te2e4\nstartpos e2e4\n", "list.txt:2: expected a position, a tab and a move"),
        ("# ok\n\nstartpos\tbanana\n", "list.txt:3"),
        ("nowhere\te2e4\n", "list.txt:1"),
        ("startpos moves e2e5\te7e5\n", "list.txt:1"),
    ] {
        program.write("list.txt", text);
        for list in ["--exclude-moves", "--force-moves"] {
            check_refused(&program, &format!("build games.pgn -o out.bin {list} list.txt"), &[place]);
        }
        assert!(!program.path("out.bin").exists());
    }
    check_refused(&program, "build games.pgn -o out.bin --exclude-moves none.txt", &["none.txt"]);
}

#[test]
fn books_are_pruned_and_joined() {
    check(
        &shelf(),
        "book-prune.txt",
        &[
            "book prune wide.db -o zero.db --drop-zero",
            "book prune wide.db -o often.db --min-move-probability 0.45",
            "book prune wide.db -o good.db --max-value-loss 5 --reach one-sided",
            "book prune wide.db -o rare.db --min-probability 0.35",
            "book prune wide.db -o short.db --drop-from-ply 2",
            "book prune wide.db -o black.db --only first",
            "book join wide.db narrow.db -o joined.db",
            "book match joined.db --top 5",
        ],
    );
}

#[test]
fn more_loss_allows_more_variety() {
    let program = shelf();
    let optimize = |loss: &str| {
        let command = format!("optimize wide.db --values values.tsv --curve 0,0.01 --side first --loss {loss}");
        let run = book(&program, &format!("{command} -o loss-{loss}.db")).expect_code(0);
        let row: Vec<f64> = run
            .stdout
            .lines()
            .find(|line| line.starts_with("first") && line.contains("optimized"))
            .map_or(Vec::new(), |row| row.split_whitespace().filter_map(|cell| cell.parse().ok()).collect());
        assert_eq!(row.len(), 4, "{}", run.stdout);
        (row[0] + row[1], row[0], row[2])
    };
    let (best, rate, sure) = optimize("0");
    assert!((best - rate).abs() < 1e-3, "nothing is lost: {best} {rate}");
    let (_, varied_rate, varied) = optimize("0.05");
    assert!(varied > sure + 0.01, "{sure} {varied}");
    assert!(varied_rate >= best - 0.0501, "{best} {varied_rate}");
    // The books play what the tables promise.
    let entropy = |name: &str| {
        let run = book(&program, &format!("match {name} wide.db --top 0 --format csv")).expect_code(0);
        run.stdout.lines().nth(1).and_then(|row| row.split(',').nth(3)?.parse::<f64>().ok()).expect("an entropy")
    };
    assert!(entropy("loss-0.05.db") > entropy("loss-0.db"));
    check_refused(&program, "optimize wide.db --values values.tsv --loss 2 -o x.db", &["--loss must be from 0 to 1"]);
    check_refused(
        &program,
        "optimize narrow.db --values values.tsv -o x.db",
        &["1 of 2 leaving positions", "--cache-file"],
    );
    check_refused(&program, "optimize wide.db -o x.db", &["--engine COMMAND", "--values FILE"]);
}

/// Two moves a position that are legal in every line of such moves.
const UCI: &str = r#"case "$side$board" in
                w*PPPPPPPP*) first=e2e4 second=d2d4 ;;
                w*) first=a2a3 second=h2h3 ;;
                b*pppppppp*) first=a7a6 second=h7h6 ;;
                *) first=b8c6 second=g8f6 ;;
            esac
            echo "info depth 5 multipv 1 score cp 30 pv $first"; echo "info depth 5 multipv 2 score cp 20 pv $second"
            echo "bestmove $first""#;

#[test]
fn an_expansion_is_added_to() {
    let program = shelf();
    engine(&program, "uci.sh", "uci", UCI);
    let command = "expand -o grown.parquet --game chess --engine 'sh uci.sh' --seconds 5 --last-ply 3 --save-every 1";
    let first = book(&program, &format!("{command} --steps 2")).expect_code(0);
    assert!(first.stderr.contains("grown.parquet: 2 steps"), "{}", first.stderr);
    assert_eq!(n_asked(&program), 2);
    let n_first = number(&book(&program, "stats grown.parquet").expect_code(0), "grown  Parquet  stored");
    check_refused(&program, &format!("{command} --steps 2"), &["grown.parquet already exists", "--force"]);
    let more = command.replace(" --game chess", "");
    book(&program, &format!("{more} --steps 2 --append")).expect_code(0);
    assert!(!program.path("grown.parquet.partial").exists());
    assert_eq!(n_asked(&program), 4, "what was asked is not asked again");
    let n_second = number(&book(&program, "stats grown.parquet").expect_code(0), "grown  Parquet  stored");
    assert!(n_second > n_first, "{n_first} {n_second}");
}

#[test]
fn expansions_that_can_not_be_are_refused() {
    let program = shelf();
    engine(&program, "uci.sh", "uci", UCI);
    let end = "--engine 'sh uci.sh'";
    check_refused(&program, &format!("expand -o grown.bin --game chess {end}"), &["grown.bin", ".parquet"]);
    check_refused(&program, &format!("expand -o grown.parquet {end}"), &["--game shogi, chess or 19"]);
    check_refused(&program, &format!("expand -o grown.parquet --game checkers {end}"), &["checkers"]);
    check_refused(&program, "expand -o grown.parquet --game chess", &["--engine COMMAND"]);
    check_refused(&program, "expand -o grown.parquet --game chess --engine 'no such program'", &["no such program"]);
    check_refused(&program, &format!("expand wide.db -o grown.parquet {end}"), &["does not speak USI"]);
    assert!(n_asked(&program) == 0 && !program.path("grown.parquet").exists());
    book(&program, "convert wide.db -o there.parquet").expect_code(0);
    let other = format!("expand -o there.parquet --game chess {end}");
    check_refused(&program, &other, &["there.parquet already exists", "use --force to overwrite it"]);
    assert!(!program.path("there.parquet.partial").exists() && !program.path("grown.parquet.partial").exists());
}

#[test]
fn games_of_an_engine_make_a_book() {
    let program = shelf();
    // Pushes pawns, and gives up with White's second move.
    let go = r#"case "$side$board" in
                b*PPPPPPPPP*) played=7g7f ;;
                w*ppppppppp*) played=3c3d ;;
                b*) played=2g2f ;;
                *) played=resign ;;
            esac
            echo "info depth 2 score cp 10 pv $played"; echo "bestmove $played""#;
    engine(&program, "usi.sh", "usi", go);
    let command = "expand -o grown.parquet --game shogi --method meta-mcts --engine 'sh usi.sh' --seconds 5 --steps 3";
    let run = book(&program, command).expect_code(0);
    assert!(run.stderr.contains("grown.parquet: 3 steps"), "{}", run.stderr);
    assert_eq!(program.read("started").len(), 2 * 2, "one engine advises, and one plays all games");
    let matched = book(&program, "match grown.parquet --format csv").expect_code(0);
    assert!(matched.stdout.contains(",7g7f,"), "the move that won is chosen: {}", matched.stdout);
    book(&program, &command.replace("--game shogi", "--append")).expect_code(0);
}
