//! The output of `tejun tactic`; `UPDATE_GOLDEN=1` regenerates the files.

mod program;

use program::golden::{check, words};
use program::{Program, first_moves, sample, with_header};

fn games() -> Program {
    let program = Program::new();
    let games: Vec<String> = sample().iter().step_by(40).map(|game| first_moves(game, 120)).collect();
    let headers = [
        "SZ[19]PB[Ann Archer]PW[Bob Baker]DT[1990-05-17]",
        "SZ[19]PB[Bob Baker]PW[Ann Archer]DT[1991]",
        "SZ[19]PB[Lee, \"the Stone\"]PW[Ann Archer]DT[1991-02]",
    ];
    let named = games.iter().zip(headers).map(|(game, header)| with_header(game, &format!("GM[1]{header}")));
    let named: Vec<String> = named.collect();
    program.write("games.sgfs", named.concat() + &games[3..].concat());
    program.write("one.sgf", &named[0]);
    // White can capture the stone in the corner.
    program.write("nine.sgf", "(;SZ[9]PB[Ann]PW[Bob];B[aa];W[ba];B[ee];W[ab];B[tt];W[cc])");
    program.write("large.sgf", "(;SZ[21];B[aa])");
    program.write(
        "mine.tactics",
        "let mine = capture & near(2, LAST)  # captures near the last move\n\nlet big = mine | BORDER\n",
    );
    program.write("broken.tactics", "let mine = capture\nlet other = mine &\n");
    program.run(&["import", "games.sgfs", "-o", "games.parquet"]).expect_code(0);
    program
}

#[test]
fn find_counts_and_lists() {
    check(
        &games(),
        "tactic-find.txt",
        &[
            "tactic find 'played in capture' games.parquet --top 3",
            "tactic find 'played in capture and count OPP & H >= 2 and no OWN & H' games.parquet --top 2 --quiet",
            "tactic find 'played in big and not played in mine' games.parquet --library mine.tactics --top 1 --quiet",
            "tactic find 'played in capture' nine.sgf --size 9",
            "tactic find 'count OPP & H > 5' games.parquet --format csv",
            "tactic find 'played in Adj_1(LAST) and count Pre_3(LAST) >= 1' games.parquet --format json --top 1 --quiet",
            "tactic find 'no EMPTY' games.parquet",
            "tactic find 'played in NONE' games.parquet --quiet",
            "tactic find 'no EMPTY' games.parquet --format csv",
            "tactic find H games.parquet --player nobody",
            "tactic find H games.parquet --size 9",
            "tactic find H large.sgf --size 21",
            "tactic find H large.sgf --size 99",
            "tactic find H nowhere.parquet",
            "tactic find H games.parquet -o games.parquet --format html",
        ],
    );
}

#[test]
fn broken_sets_are_shown_with_a_caret() {
    check(
        &games(),
        "tactic-broken.txt",
        &[
            "tactic find 'played in captrue' games.parquet",
            "tactic find 'H and' games.parquet",
            "tactic find 'played capture' games.parquet",
            "tactic find 'H B' games.parquet",
            "tactic find '' games.parquet",
            "tactic find 'H & (B' games.parquet",
            "tactic show 'Adj_9(B)' one.sgf",
            "tactic show 'nothing_like_it' one.sgf",
            "tactic show H one.sgf --library broken.tactics",
            "tactic show H one.sgf --library nowhere.tactics",
            "tactic names --library broken.tactics",
        ],
    );
}

#[test]
fn show_draws_a_set() {
    check(
        &games(),
        "tactic-show.txt",
        &[
            "tactic show capture nine.sgf --move 4",
            "tactic show 'Adj_1(LAST) - Suc_2(B)' nine.sgf --move 4 --steps",
            "tactic show 'Adj_1(LAST) - mine' nine.sgf --library mine.tactics",
            "tactic show capture nine.sgf --move 5",
            "tactic show H one.sgf --move 60",
            "tactic show H one.sgf --move 999",
            "tactic show H large.sgf",
            "tactic show H nowhere.sgf",
            "tactic show H nine.sgf --svg nine.sgf",
            "tactic show H nine.sgf --steps --svg -",
        ],
    );
}

#[test]
fn names_have_meanings_and_sets() {
    let program = games();
    let run = program.run(&["tactic", "names", "--library", "mine.tactics"]).expect_code(0);
    let line = |name: &str| run.stdout.lines().find(|line| line.split(' ').next() == Some(name)).expect(name);
    assert!(line("EMPTY").ends_with("  B & W"));
    assert!(line("mine").contains("captures near the last move") && line("mine").ends_with("capture & near(2, LAST)"));
    assert!(line("big").ends_with("mine | BORDER"));
    let csv = program.run(&["tactic", "names", "--format", "csv"]).expect_code(0).stdout;
    assert!(csv.starts_with("name,depth,meaning,set\n") && csv.lines().any(|line| line.ends_with(",B - W")));
}

#[test]
fn pages_and_pictures_are_whole_files() {
    let program = games();
    let commands = [
        (
            "find.html",
            "tactic find 'played in capture and count Pre_4(P) >= 5' games.parquet --top 4 -o find.html --quiet",
        ),
        ("show.html", "tactic show 'Adj_1(LAST) - BORDER' nine.sgf --move 4 --html show.html"),
        ("show.svg", "tactic show capture nine.sgf --move 4 --svg show.svg"),
        ("step-4.svg", "tactic show 'Adj_1(LAST) - BORDER' nine.sgf --move 4 --steps --svg step.svg"),
    ];
    for (name, command) in commands {
        let arguments = words(command);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        program.run(&arguments).expect_code(0);
        let first = program.read(name);
        program.run(&[&arguments[..], &["--force"]].concat()).expect_code(0);
        assert_eq!(program.read(name), first, "{name} is the same the second time");
    }
    let text = |name: &str| String::from_utf8(program.read(name)).expect("UTF-8");
    let page = text("find.html");
    assert_eq!(page.matches("<figure class=\"board\">").count(), 4);
    assert!(page.contains("played in capture and count Pre_4(P) &gt;= 5") && page.contains("By stage of the game"));
    assert_eq!(text("show.html").matches("<figure class=\"board\">").count(), 4);
    let is_picture = |text: &str| text.starts_with("<svg ") && text.ends_with("</svg>\n");
    for name in ["show.svg", "step-1.svg", "step-4.svg"] {
        assert!(is_picture(&text(name)), "{name}");
    }
    // On stdout, each is written alone.
    let find =
        ["tactic", "find", "played in capture and count Pre_4(P) >= 5", "games.parquet", "--top", "4", "--quiet"];
    assert_eq!(program.run(&[&find[..], &["--format", "html"]].concat()).expect_code(0).stdout, page);
    let survey = ["tactic", "survey", "nine.sgf", "--size", "9", "--sets", "500", "--quiet", "--format", "svg"];
    assert!(is_picture(&program.run(&survey).expect_code(0).stdout));
}

#[test]
fn findings_do_not_depend_on_threads() {
    let program = games();
    let query = ["tactic", "find", "played in Pre_2(EMPTY) and H", "games.parquet", "--format", "json", "--quiet"];
    let with = |threads: &str| program.run(&[&query[..], &["--threads", threads]].concat()).expect_code(0).stdout;
    assert_eq!(with("1"), with("3"));
}

#[test]
fn an_explanation_is_just_the_move() {
    let program = games();
    let explain = ["tactic", "explain", "nine.sgf", "--move", "4", "--sets", "2000"];
    let json = program.run(&[&explain[..], &["--format", "json"]].concat()).expect_code(0).stdout;
    let answer: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&answer["move"], &answer["point"]), (&4.into(), &"A8".into()));
    assert_eq!(answer["points"], serde_json::json!(["A8"]));
    let set = answer["set"].as_str().expect("a set");
    let shown = program.run(&["tactic", "show", set, "nine.sgf", "--move", "4"]).expect_code(0).stdout;
    assert!(shown.contains(&format!("{set}: 1 point\nA8\n")), "{shown}");
    let text = program.run(&explain).expect_code(0).stdout;
    assert!(text.starts_with(&format!("Before move 4, White A8\n{set}\ndepth ")), "{text}");
    program
        .run(&[&explain[..], &["--svg", "step.svg", "--html", "page.html", "--leaves", "all"]].concat())
        .expect_code(0);
    assert!(program.path("step-1.svg").exists());
    let page = String::from_utf8(program.read("page.html")).expect("UTF-8");
    assert!(page.matches("<figure class=\"board\">").count() > 1);
}

#[test]
fn moves_without_an_explanation_are_reported() {
    let program = games();
    program.write("far.sgf", "(;SZ[19];B[pd];W[dp])");
    program.write("none.sgf", "(;SZ[9]AB[aa])");
    let explain = |game: &str, number: &str, code: i32| {
        let arguments = ["tactic", "explain", game, "--move", number, "--sets", "200", "--depth", "5"];
        let run = program.run(&arguments).expect_code(code);
        run.stdout + &run.stderr
    };
    assert!(explain("far.sgf", "2", 1).contains("look alike up to this depth: D16 D4 Q4\n"));
    assert!(explain("nine.sgf", "5", 2).contains("--move 5: the move is a pass, so there is nothing to explain"));
    assert!(explain("nine.sgf", "7", 2).contains("--move 7: the game has only 6 moves"));
    assert!(explain("large.sgf", "1", 2).contains("boards of up to 19"));
    assert!(explain("none.sgf", "1", 2).contains("no moves"));
}

#[test]
fn a_survey_counts_explanations() {
    let program = games();
    let survey = ["tactic", "survey", "nine.sgf", "--size", "9", "--games", "1", "--sets", "500", "--quiet"];
    let csv = program.run(&[&survey[..], &["--format", "csv"]].concat()).expect_code(0).stdout;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "game,move,color,point,explained,depth,size,smallest,sets,seconds,set");
    // Five moves and a pass.
    assert_eq!(lines.len(), 6);
    let n_explained = lines.iter().filter(|line| line.split(',').nth(4) == Some("yes")).count();
    program.run(&[&survey[..], &["-o", "sizes.svg"]].concat()).expect_code(0);
    let text = program.run(&survey).expect_code(0).stdout;
    let explained = text.lines().find(|line| line.starts_with("explained ")).expect("a sum");
    assert_eq!(explained.split_whitespace().nth(1), Some(n_explained.to_string().as_str()), "{text}");
    assert!(text.contains("\nseconds per move: mean "));
    assert!(String::from_utf8(program.read("sizes.svg")).expect("UTF-8").contains("Sizes of explanations"));
    program.run(&["tactic", "survey", "nine.sgf", "--size", "9", "--games", "0"]).expect_code(1);
    program.run(&["tactic", "survey", "games.parquet", "--size", "21"]).expect_code(2);
}

#[test]
fn discovered_sets_are_measured_saved_and_evaluated() {
    let program = games();
    let discover = |more: &str| {
        let line = format!("tactic discover games.parquet --held-out 4 --quiet {more}");
        let few = if more.contains("--tries") { "" } else { " --examples 300 --tries 300" };
        let line = line + few;
        let arguments: Vec<String> = words(&line);
        program.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let printed = discover("--sets 8 -o mine.tactics2 --threads 1").expect_code(0).stdout;
    assert!(printed.starts_with("8 sets, measured on "), "{printed}");
    assert!(printed.contains("with these sets"), "{printed}");
    // The same with more threads, and as JSON.
    assert_eq!(discover("--sets 8 -o other.tactics2 --threads 3").expect_code(0).stdout, printed);
    assert_eq!(program.read("mine.tactics2/mappings.tsv"), program.read("other.tactics2/mappings.tsv"));
    let json: serde_json::Value =
        serde_json::from_str(&discover("--sets 8 --format json").expect_code(0).stdout).expect("JSON");
    assert_eq!(json["sets"].as_array().map(Vec::len), Some(8));
    // Continues from a model, and predicts on top of one.
    let more = discover("--continue mine.tactics2 --sets 12").expect_code(0).stdout;
    assert!(more.starts_with("12 sets, measured on "), "{more}");
    let on_top = discover("--sets 8 --base mine.tactics2 -o top.tactics2").expect_code(0).stdout;
    assert!(on_top.contains("base alone"), "{on_top}");
    // A model cannot be its own base, and a model with a base cannot be a base; the cache distinguishes models.
    let refused = discover("--sets 8 --base mine.tactics2 -o mine.tactics2 --force").expect_code(2).stderr;
    assert!(refused.contains("mine.tactics2: this model is also an input"), "{refused}");
    let refused = discover("--sets 8 --base top.tactics2").expect_code(2).stderr;
    assert!(refused.contains("top.tactics2: this model is itself based on a model"), "{refused}");
    discover("--sets 3 -o few.tactics2").expect_code(0);
    assert_ne!(program.read("few.tactics2/model.json"), program.read("mine.tactics2/model.json"));
    for model in ["mine.tactics2", "top.tactics2"] {
        program.run(&["evaluate", model, "games.parquet", "--quiet"]).expect_code(0);
        program.run(&["predict", "one.sgf", "--model", model, "--move", "20", "--quiet"]).expect_code(0);
    }
    for (more, why) in [
        ("--continue top.tactics2", "top.tactics2: the sets of this model add to another model; use --base "),
        ("--continue mine.tactics2 -o mine.tactics2 --force", "mine.tactics2: this model is also an input"),
        ("-o nowhere/model", "nowhere/model: the folder nowhere does not exist; create it first"),
        ("--examples 200000 --tries 50000", "this needs 90 GB of memory"),
    ] {
        let refused = discover(more).expect_code(2).stderr;
        assert!(refused.contains(why), "{refused}");
    }
    // A truncated list of sets, and a base that was replaced.
    let sets = String::from_utf8(program.read("few.tactics2/mappings.tsv")).expect("UTF-8");
    program.write("few.tactics2/mappings.tsv", sets.lines().next().expect("a set"));
    let refused = program.run(&["evaluate", "few.tactics2", "games.parquet"]).expect_code(2).stderr;
    assert!(refused.contains("mappings.tsv: damaged or from another model"), "{refused}");
    discover("--sets 2 -o mine.tactics2 --force").expect_code(0);
    let refused = program.run(&["evaluate", "top.tactics2", "games.parquet"]).expect_code(2).stderr;
    assert!(refused.contains("top.tactics2: the base model") && refused.contains("learned again after"), "{refused}");
    // Errors name damaged models and the line.
    program.write("mine.tactics2/mappings.tsv", "0.5\tAdj_1(LAST)\n0.5\tAdj_1(LOST)\n");
    let refused = program.run(&["evaluate", "mine.tactics2", "games.parquet"]).expect_code(2).stderr;
    assert!(refused.contains("mine.tactics2/mappings.tsv"), "{refused}");
    let refused = program.run(&["evaluate", "top.tactics2", "games.parquet"]).expect_code(2).stderr;
    assert!(refused.contains("top.tactics2: the base model"), "{refused}");
    // A manifest that names itself.
    let manifest = String::from_utf8(program.read("top.tactics2/model.json")).expect("UTF-8");
    program.write("top.tactics2/model.json", manifest.replace("mine.tactics2\"", "top.tactics2\""));
    let refused = program.run(&["evaluate", "top.tactics2", "games.parquet"]).expect_code(2).stderr;
    assert!(refused.contains("top.tactics2/model.json"), "{refused}");
    // Too few games, and a folder that is not a model.
    let refused = program.run(&["tactic", "discover", "one.sgf"]).expect_code(2).stderr;
    assert!(refused.contains("give more games"), "{refused}");
    program.write("folder/file", "");
    program.run(&["tactic", "discover", "games.parquet", "-o", "folder"]).expect_code(2);
}
