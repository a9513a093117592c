//! Records of chess in PGN, with variations.

use crate::game::{Game, GamePosition, GameTree, Outcome, TreeWarningKind};
use crate::records::Place;
use crate::records::chess::san::{NotOneMove, resolve};
use crate::records::tree_builder::{TreeBookmark, TreeBuilder};
use crate::records::{TreeRejection, TreeRejectionKind};

/// Variations within variations that are read; deeper ones are skipped.
const MAX_DEPTH: usize = 1000;

/// Whether a line is a tag, `[White "…"]`, or the first move.
pub(crate) fn is_characteristic(line: &str) -> bool {
    let first = line.strip_prefix("1.").map(|rest| rest.trim_start_matches(['.', ' ']));
    let is_move = first.is_some_and(|rest| rest.starts_with(|letter: char| "abcdefghNBRQKO{".contains(letter)));
    is_move || tag(line).is_some()
}

/// The name and the value of a tag.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix('[')?.trim_start().split_once(|letter: char| letter.is_whitespace())?;
    let value = rest.trim_start().strip_prefix('"')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let end = value.rfind('"').unwrap_or(value.len());
    is_name.then_some((name, &value[..end]))
}

/// Reads all games; one ends with its result, or where tags begin again.
pub(crate) fn read(text: &str) -> Vec<Result<GameTree, TreeRejection>> {
    let mut reader = PgnReader { games: Vec::new(), game: PgnReading::new() };
    let mut is_comment = false;
    for (number, line) in (1..).zip(text.lines()) {
        if !is_comment && line.starts_with('%') {
            continue;
        }
        match tag(line.trim()).filter(|_| !is_comment) {
            Some((name, value)) => reader.read_tag(number, name, value),
            None => reader.read_words(number, line, &mut is_comment),
        }
    }
    reader.end_game();
    reader.games
}

struct PgnReader {
    games: Vec<Result<GameTree, TreeRejection>>,
    game: PgnReading,
}

/// A game while it is read.
struct PgnReading {
    players: [Option<String>; 2],
    outcome: Option<Outcome>,
    has_tags: bool,
    start: Option<GamePosition>,
    error: Option<TreeRejection>,
    /// Once the first move is read.
    game: Option<TreeBuilder>,
    /// Variations that are open.
    open: Vec<TreeBookmark>,
    /// Open variations that lie too deep.
    n_skipped: usize,
}

impl PgnReading {
    fn new() -> PgnReading {
        PgnReading {
            players: [None, None],
            outcome: None,
            has_tags: false,
            start: None,
            error: None,
            game: None,
            open: Vec::new(),
            n_skipped: 0,
        }
    }

    fn growing(&mut self) -> &mut TreeBuilder {
        let start = &mut self.start;
        self.game.get_or_insert_with(|| TreeBuilder::new(start.take().unwrap_or_else(|| Game::Chess.start())))
    }

    fn read_word(&mut self, line: u32, word: &str) {
        if self.n_skipped > 0 {
            return;
        }
        let game = self.growing();
        let GamePosition::Chess(position) = game.board() else { return };
        let text = word.to_string();
        match resolve(word, position) {
            Ok(played) => game.play(line, played.into()),
            Err(NotOneMove::NoMove) => game.cut(line, TreeWarningKind::NoMove { text }),
            Err(NotOneMove::Illegal) => {
                let position = position.to_string();
                game.cut(line, TreeWarningKind::IllegalMove { text, position });
            }
            Err(NotOneMove::Several(n_moves)) => {
                let position = position.to_string();
                game.cut(line, TreeWarningKind::AmbiguousMove { text, position, n_moves });
            }
        }
    }

    fn open(&mut self) {
        if self.open.len() >= MAX_DEPTH || self.n_skipped > 0 {
            self.n_skipped += 1;
            return;
        }
        let bookmark = self.growing().branch_here();
        self.open.push(bookmark);
    }

    fn close(&mut self) {
        if self.n_skipped > 0 {
            self.n_skipped -= 1;
        } else if let (Some(bookmark), Some(game)) = (self.open.pop(), &mut self.game) {
            game.resume(bookmark);
        }
    }
}

impl PgnReader {
    fn read_tag(&mut self, line: u32, name: &str, value: &str) {
        if self.game.game.is_some() {
            self.end_game();
        }
        let game = &mut self.game;
        game.has_tags = true;
        let known = || Some(value.to_string()).filter(|name| !matches!(name.as_str(), "" | "?"));
        let refused = |why| Some(TreeRejection { place: Place { line, column: 1 }, why });
        let found = || value.chars().take(100).collect();
        match name {
            "White" => game.players[0] = known(),
            "Black" => game.players[1] = known(),
            "Result" => game.outcome = outcome(value).unwrap_or(game.outcome),
            "Variant" if !matches!(value.to_ascii_lowercase().as_str(), "standard" | "chess" | "from position") => {
                game.error = refused(TreeRejectionKind::OtherGame { found: found() });
            }
            "FEN" => match GamePosition::parse(Game::Chess, value) {
                Ok(start) => game.start = Some(start),
                Err(_) => game.error = refused(TreeRejectionKind::NoPosition { found: found() }),
            },
            _ => {}
        }
    }

    fn read_words(&mut self, number: u32, line: &str, is_comment: &mut bool) {
        let mut rest = line;
        loop {
            if *is_comment {
                let Some((_, after)) = rest.split_once('}') else { return };
                *is_comment = false;
                rest = after;
            }
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return };
            let after = &rest[first.len_utf8()..];
            match first {
                ';' => return,
                '{' => *is_comment = true,
                '(' => self.game.open(),
                ')' => self.game.close(),
                _ => {
                    let end = rest.find([' ', '\t', '{', '}', '(', ')', ';']).unwrap_or(rest.len());
                    // A move like e8(Q) has parentheses of its own.
                    let end = if rest[end..].starts_with("(Q)") { end + 3 } else { end };
                    self.read_token(number, &rest[..end]);
                    rest = if end == 0 { after } else { &rest[end..] };
                    continue;
                }
            }
            rest = after;
        }
    }

    fn read_token(&mut self, line: u32, token: &str) {
        if let Some(outcome) = outcome(token) {
            if self.game.open.is_empty() && self.game.n_skipped == 0 {
                self.game.outcome = outcome.or(self.game.outcome);
                self.game.growing();
                self.end_game();
            }
            return;
        }
        let word = without_number(token);
        let is_note =
            word.is_empty() || word.starts_with('$') || word == "e.p." || word.chars().all(|c| "!?+#=-".contains(c));
        let is_null = matches!(word, "--" | "Z0");
        if !is_note || is_null {
            self.game.read_word(line, word);
        }
    }

    fn end_game(&mut self) {
        let mut game = std::mem::replace(&mut self.game, PgnReading::new());
        if let Some(error) = game.error {
            self.games.push(Err(error));
        } else if game.has_tags || game.game.is_some() {
            game.growing();
            let Some(mut played) = game.game.map(TreeBuilder::finish) else { return };
            played.players = game.players;
            played.outcome = game.outcome;
            self.games.push(Ok(played));
        }
    }
}

/// A result; the inner `None` is `*`, a game without one.
fn outcome(text: &str) -> Option<Option<Outcome>> {
    Some(match text {
        "1-0" => Some(Outcome::FirstWon),
        "0-1" => Some(Outcome::SecondWon),
        "1/2-1/2" | "1/2" => Some(Outcome::Draw),
        "*" => None,
        _ => return None,
    })
}

/// A word without a move number before it, `12.` or `12...`.
fn without_number(token: &str) -> &str {
    let after = token.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // Castling may be written with zeros.
    if after.len() < token.len() && !after.starts_with('.') && !after.is_empty() {
        return token;
    }
    after.trim_start_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::read_game_trees;

    fn line(game: &GameTree) -> String {
        let mut board = game.start.clone();
        let mut words = Vec::new();
        for played in game.main_line() {
            words.push(board.move_text(played));
            board.play(played).expect("was played");
        }
        words.join(" ")
    }

    const GAME: &str = "[Event \"x\"]\n[White \"Ann [A]\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 {best\nby test} e5 $1 (1... c5 2. Nf3 (2. Nc3 d6) 2... d6)\n\
        (1...e6) 2.Nf3! ; rest of line e4\n% escaped e4\nNc6 3. Bb5 a6?! 4. 0-0 1-0\n";

    #[test]
    fn a_game_with_variations_and_comments() {
        let game = read_game_trees(GAME.as_bytes()).remove(0).expect("a game");
        assert_eq!(game.warnings, []);
        assert_eq!(line(&game), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1");
        assert_eq!((game.outcome, game.moves.len()), (Some(Outcome::FirstWon), 13));
        assert_eq!(game.players, [Some("Ann [A]".into()), None]);
        let parents: Vec<Option<u32>> = game.moves.iter().map(|played| played.parent).collect();
        assert_eq!(parents[..9], [None, Some(0), Some(0), Some(2), Some(2), Some(4), Some(3), Some(0), Some(1)]);
    }

    #[test]
    fn several_games_with_and_without_tags() {
        let two = format!("{GAME}\n{GAME}\n1. d4 d5 1/2-1/2 1. c4 *\n[White \"a\"]\n1. e4");
        let games: Vec<GameTree> = read(&two).into_iter().map(|game| game.expect("a game")).collect();
        assert_eq!(games.iter().map(|game| game.main_line().len()).collect::<Vec<_>>(), [7, 7, 2, 1, 1]);
        assert_eq!(games[2].outcome, Some(Outcome::Draw));
        assert_eq!(games[3].outcome, None);
    }

    #[test]
    fn starts_and_broken_starts() {
        let games = read(
            "[FEN \"7k/8/8/8/8/8/4P3/K7 w - - 0 1\"]\n1. e4 *\n\n[FEN \"nonsense\"]\n1. e4 *\n\n[Variant \"Atomic\"]\n1. e4 *\n",
        );
        assert_eq!(line(games[0].as_ref().expect("a game")), "e2e4");
        let messages: Vec<String> =
            games[1..].iter().filter_map(|game| game.as_ref().err()).map(|e| e.to_string()).collect();
        assert_eq!(messages[0], "4:1: \"nonsense\" is not a starting position");
        assert_eq!(messages[1], "7:1: \"Atomic\" is a game other than shogi, chess and Go on a square board");
    }

    #[test]
    fn bad_moves_cut_their_line_only() {
        let game =
            read("1. e4 e5 (1... Zz 2. Nf3) 2. Ke3 (2. Nf3 Nc6) Nf6 (2... d6) 3. -- 0-1").remove(0).expect("a game");
        assert_eq!(line(&game), "e2e4 e7e5");
        assert_eq!(game.outcome, Some(Outcome::SecondWon));
        // The variation of the second move is kept; the move before the other one could not be read.
        assert_eq!(game.moves.len(), 4);
        assert_eq!(game.warnings.len(), 2);
    }

    #[test]
    fn deep_nesting_does_not_overflow() {
        let deep = format!("1. e4 {} 1. d4", "(".repeat(100_000));
        assert_eq!(read(&deep).len(), 1);
    }
}
