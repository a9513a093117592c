//! Board pictures with one-line claims: `tests/positions/*.txt`.

use tejun_games::go::{Board, BoardSize, Color, IllegalMove, Point, Suicide};

#[derive(Default)]
struct Picture {
    title: String,
    rows: Vec<String>,
}

impl Picture {
    fn board(&self) -> Board {
        let size = BoardSize::new(self.rows.len() as u8).expect("a square picture");
        let mut board = Board::new(size);
        for (y, row) in self.rows.iter().enumerate() {
            for (x, cell) in row.split_whitespace().enumerate() {
                let color = match cell {
                    "X" => Color::Black,
                    "O" => Color::White,
                    _ => continue,
                };
                board.place(color, Point::new(x as u8, y as u8)).expect("one stone a point");
            }
        }
        board
    }
}

fn color_of(word: &str) -> Color {
    if word == "black" { Color::Black } else { Color::White }
}

/// `black c3: takes 2`, `white a1: ko`, `liberties b2: 3`, `then black a1: legal`, `eye black a1: yes`, `area black: 7`.
#[track_caller]
fn check(picture: &Picture, board: &mut Board, claim: &str) {
    let (left, expected) = claim.split_once(": ").expect("a claim has a colon");
    let mut words: Vec<&str> = left.split_whitespace().collect();
    if let ["area", color] = words[..] {
        assert_eq!(board.area(color_of(color)).len().to_string(), expected, "{}: {claim}\n{board:?}", picture.title);
        return;
    }
    let point = Point::parse(words.pop().unwrap_or(""), board.size()).expect("a point");
    let found = match words[..] {
        ["eye", color] => if board.is_eye(color_of(color), point) { "yes" } else { "no" }.to_string(),
        ["liberties"] => board.liberties(point).to_string(),
        ["then", color] => match board.play(color_of(color), point) {
            Ok(n) => format!("takes {n}"),
            Err(why) => name(why).to_string(),
        },
        [color, "suicidal"] => match board.check(color_of(color), point, Suicide::Allowed) {
            Ok(()) => "legal".to_string(),
            Err(why) => name(why).to_string(),
        },
        [color] => match board.clone().play(color_of(color), point) {
            Ok(n) => format!("takes {n}"),
            Err(why) => name(why).to_string(),
        },
        _ => panic!("no such claim: {claim}"),
    };
    assert_eq!(found, expected, "{}: {claim}\n{board:?}", picture.title);
}

fn name(why: IllegalMove) -> &'static str {
    match why {
        IllegalMove::OffBoard => "off board",
        IllegalMove::Occupied => "occupied",
        IllegalMove::Ko => "ko",
        IllegalMove::Suicide => "suicide",
        IllegalMove::Superko => "superko",
    }
}

#[test]
fn claims_hold() {
    let mut n_claims = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/positions")).expect("the folder") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("text");
        for block in text.split("\n\n") {
            let mut picture = Picture::default();
            let mut board = None;
            for line in block.lines().filter(|l| !l.trim().is_empty()) {
                if let Some(title) = line.strip_prefix("# ") {
                    picture.title = title.to_string();
                } else if line.contains(':') {
                    check(&picture, board.get_or_insert_with(|| picture.board()), line);
                    n_claims += 1;
                } else {
                    picture.rows.push(line.to_string());
                }
            }
        }
    }
    assert!(n_claims >= 20, "only {n_claims} claims");
}
