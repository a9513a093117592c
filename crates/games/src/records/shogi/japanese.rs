//! What KIF and KI2 share: Japanese names of squares, pieces, handicaps and ends.

use crate::game::{Outcome, Side};
use crate::records::shogi::setup::Setup;
use crate::shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// A move as it is written in Japanese.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenMove {
    to: Square,
    kind: PieceKind,
    is_drop: bool,
    is_promotion: bool,
    from: Option<Square>,
    /// Words like 右 and 上 that distinguish pieces of the same kind.
    hints: Vec<char>,
}

/// Why a written move is not one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// No legal move is meant.
    None,
    /// It fits several moves.
    Several(usize),
}

impl WrittenMove {
    /// Reads `７六歩(77)`, `同　銀成`, `５八金右`; 同 is the square of the move before.
    pub(crate) fn parse(text: &str, before: Option<Square>) -> Option<WrittenMove> {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let text = text.trim_start_matches(['▲', '△', '☗', '☖', '▼', '▽']);
        let (to, rest) = match text.strip_prefix('同') {
            Some(rest) => (before?, rest),
            None => {
                let mut letters = text.chars();
                let (file, rank) = (digit(letters.next()?)?, digit(letters.next()?)?);
                (Square::new(file, rank)?, letters.as_str())
            }
        };
        let (kind, rest) = kind_before(rest)?;
        let (rest, from) = match rest.split_once(['(', '（']) {
            Some((rest, origin)) => (rest, Some(origin_square(origin)?)),
            None => (rest, None),
        };
        let mut written = WrittenMove { to, kind, is_drop: false, is_promotion: false, from, hints: Vec::new() };
        let rest = match rest.strip_suffix("不成").or_else(|| rest.strip_suffix('生')) {
            Some(rest) => rest,
            None => match rest.strip_suffix('成') {
                Some(rest) => {
                    written.is_promotion = true;
                    rest
                }
                None => rest,
            },
        };
        for letter in rest.chars() {
            match letter {
                '打' => written.is_drop = true,
                '右' | '左' | '直' | '上' | '行' | '入' | '寄' | '引' | '下' => written.hints.push(letter),
                _ => return None,
            }
        }
        Some(written)
    }

    /// The legal move that is meant.
    pub(crate) fn resolve(&self, position: &Position) -> Result<Move, Unresolved> {
        let mut moves: Vec<Move> = Vec::new();
        let mut drop = None;
        for played in position.legal_moves() {
            match played {
                Move::Drop { piece, to } if to == self.to && piece.piece_kind() == self.kind => drop = Some(played),
                Move::Normal { from, to, promote } if to == self.to && promote == self.is_promotion => {
                    let is_kind = position.piece(from).is_some_and(|piece| piece.piece_kind() == self.kind);
                    let is_from = self.from.is_none_or(|origin| origin == from);
                    moves.extend((is_kind && is_from && self.fits(from, position.to_move())).then_some(played));
                }
                _ => {}
            }
        }
        // 打 is written only where a piece on the board could go there as well.
        if self.is_drop || (moves.is_empty() && self.from.is_none() && self.hints.is_empty() && !self.is_promotion) {
            return drop.ok_or(Unresolved::None);
        }
        self.keep_outermost(&mut moves, position.to_move());
        match moves[..] {
            [] => Err(Unresolved::None),
            [played] => Ok(played),
            _ => Err(Unresolved::Several(moves.len())),
        }
    }

    /// Whether the words on direction hold for a piece that comes from this square.
    fn fits(&self, from: Square, color: Color) -> bool {
        let forward = i16::from(from.relative_rank(color)) - i16::from(self.to.relative_rank(color));
        self.hints.iter().all(|hint| match hint {
            '上' | '行' | '入' => forward > 0,
            '引' | '下' => forward < 0,
            '寄' => forward == 0,
            '直' => forward > 0 && from.file() == self.to.file(),
            _ => true,
        })
    }

    /// Of several pieces 右 is the one furthest to the right, 左 to the left, seen by their owner.
    fn keep_outermost(&self, moves: &mut Vec<Move>, color: Color) {
        let file = |played: &Move| match played {
            Move::Normal { from, .. } => from.relative_file(color),
            Move::Drop { .. } => 0,
        };
        let files = moves.iter().map(file);
        let outermost = match () {
            () if self.hints.contains(&'右') => files.min(),
            () if self.hints.contains(&'左') => files.max(),
            () => None,
        };
        if let Some(outermost) = outermost {
            moves.retain(|played| file(played) == outermost);
        }
    }

    /// Where the piece goes.
    pub(crate) fn to(&self) -> Square {
        self.to
    }
}

/// `77)` after the parenthesis.
fn origin_square(text: &str) -> Option<Square> {
    let mut letters = text.chars();
    Square::new(digit(letters.next()?)?, digit(letters.next()?)?)
}

/// 1 to 9 in any script; full-width digits and kanji are used for files and ranks alike.
fn digit(letter: char) -> Option<u8> {
    let number = match letter {
        '1'..='9' => letter as u32 - '0' as u32,
        '１'..='９' => letter as u32 - '０' as u32,
        _ => "一二三四五六七八九".chars().position(|kanji| kanji == letter)? as u32 + 1,
    };
    Some(number as u8)
}

/// A kanji number up to 99: 二, 十八.
fn kanji_number(text: &str) -> Option<u8> {
    let (tens, ones) = text.split_once('十').map_or((None, text), |(tens, ones)| (Some(tens), ones));
    let one = |text: &str| {
        let mut letters = text.chars();
        digit(letters.next()?).filter(|_| letters.next().is_none())
    };
    let tens = match tens {
        None => 0,
        Some("") => 10,
        Some(tens) => 10 * one(tens)?,
    };
    if ones.is_empty() && tens > 0 { Some(tens) } else { Some(tens + one(ones)?) }
}

/// The piece that a text begins with, and the rest.
fn kind_before(text: &str) -> Option<(PieceKind, &str)> {
    let mut letters = text.chars();
    let first = letters.next()?;
    let promoted = first == '成';
    let name = if promoted { letters.next()? } else { first };
    let kind = kind_of(name)?;
    let kind = if promoted { kind.promote()? } else { kind };
    Some((kind, letters.as_str()))
}

/// A piece by the one letter on it.
pub(crate) fn kind_of(name: char) -> Option<PieceKind> {
    Some(match name {
        '歩' => PieceKind::Pawn,
        '香' => PieceKind::Lance,
        '桂' => PieceKind::Knight,
        '銀' => PieceKind::Silver,
        '金' => PieceKind::Gold,
        '角' => PieceKind::Bishop,
        '飛' => PieceKind::Rook,
        '玉' | '王' => PieceKind::King,
        'と' => PieceKind::ProPawn,
        '杏' => PieceKind::ProLance,
        '圭' => PieceKind::ProKnight,
        '全' => PieceKind::ProSilver,
        '馬' => PieceKind::ProBishop,
        '龍' | '竜' => PieceKind::ProRook,
        _ => return None,
    })
}

/// The start of a handicap game (駒落ち, *komaochi*): who gives it is White and moves first.
pub(crate) fn handicap(name: &str) -> Option<(Setup, Color)> {
    // Squares of White's pieces; left and right are White's own.
    let missing: &[u8] = match name.trim() {
        "平手" => return Some((Setup::start(), Color::Black)),
        "香落ち" => &[11],
        "右香落ち" => &[91],
        "角落ち" => &[22],
        "飛車落ち" | "飛落ち" => &[82],
        "飛香落ち" => &[82, 11],
        "二枚落ち" => &[82, 22],
        "三枚落ち" => &[82, 22, 11],
        "四枚落ち" => &[82, 22, 11, 91],
        "五枚落ち" => &[82, 22, 11, 91, 81],
        "左五枚落ち" => &[82, 22, 11, 91, 21],
        "六枚落ち" => &[82, 22, 11, 91, 81, 21],
        "左七枚落ち" => &[82, 22, 11, 91, 81, 21, 31],
        "右七枚落ち" => &[82, 22, 11, 91, 81, 21, 71],
        "八枚落ち" => &[82, 22, 11, 91, 81, 21, 31, 71],
        "十枚落ち" => &[82, 22, 11, 91, 81, 21, 31, 71, 41, 61],
        _ => return None,
    };
    let mut setup = Setup::start();
    for square in missing {
        setup.put(Square::new(square / 10, square % 10)?, None);
    }
    Some((setup, Color::White))
}

/// A row of a drawn board, `|v香v桂 ・ … |一`.
pub(crate) fn read_row(row: &str, rank: u8, setup: &mut Setup) -> Option<()> {
    let mut letters = row.strip_prefix('|')?.chars();
    for file in (1..=9).rev() {
        let (owner, name) = (letters.next()?, letters.next()?);
        let color = if matches!(owner, 'v' | 'V' | 'ｖ') { Color::White } else { Color::Black };
        let piece = match name {
            '・' | '･' | '．' => None,
            name => Some(Piece::new(kind_of(name)?, color)),
        };
        setup.put(Square::new(file, rank)?, piece);
    }
    Some(())
}

/// Pieces in hand: `飛　金二　歩十八`, or なし.
pub(crate) fn read_hand(text: &str, color: Color, setup: &mut Setup) -> Option<()> {
    for word in text.split_whitespace().filter(|word| *word != "なし") {
        let mut letters = word.chars();
        let kind = kind_of(letters.next()?)?;
        let number = if letters.as_str().is_empty() { 1 } else { kanji_number(letters.as_str())? };
        setup.hold(color, kind, number)?;
    }
    Some(())
}

/// How a game ends, by a word in place of a move; the outer `None` if it is another word.
pub(crate) fn end_word(word: &str, to_move: Side) -> Option<Option<Outcome>> {
    let won = |side| Some(Some(Outcome::won_by(side)));
    match word {
        "投了" | "詰み" | "詰" | "切れ負け" | "時間切れ" | "反則負け" | "不戦敗" => {
            won(to_move.opponent())
        }
        "反則勝ち" | "入玉勝ち" | "勝ち宣言" | "不戦勝" => won(to_move),
        "千日手" | "持将棋" | "引き分け" => Some(Some(Outcome::Draw)),
        "中断" | "封じ手" | "不詰" | "待った" => Some(None),
        _ => None,
    }
}

/// The outcome in a line like まで113手で先手の勝ち.
pub(crate) fn end_sentence(line: &str) -> Option<Outcome> {
    if line.contains("千日手") || line.contains("持将棋") || line.contains("引き分け") {
        return Some(Outcome::Draw);
    }
    let named = [("先手", Side::First), ("下手", Side::First), ("後手", Side::Second), ("上手", Side::Second)];
    let side = named.iter().find(|(name, _)| line.contains(&format!("{name}の")))?.1;
    match (line.contains("勝"), line.contains('負')) {
        (true, _) => Some(Outcome::won_by(side)),
        (false, true) => Some(Outcome::won_by(side.opponent())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sfen: &str, text: &str, expected: Result<&str, Unresolved>) {
        let position: Position = sfen.parse().expect("a position");
        let written = WrittenMove::parse(text, None).expect("a move");
        assert_eq!(written.resolve(&position).map(Position::move_text), expected.map(String::from), "{text}");
    }

    /// Golds on both sides of and below 5h, a silver above.
    const GOLDS: &str = "4k4/9/9/9/9/9/4S4/3G1G3/2KGG4 b GP 1";

    #[test]
    fn words_tell_pieces_apart() {
        check(GOLDS, "５八金右", Ok("4h5h"));
        check(GOLDS, "５八金左寄", Ok("6h5h"));
        check(GOLDS, "５八金直", Ok("5i5h"));
        check(GOLDS, "５八金左上", Ok("6i5h"));
        check(GOLDS, "５八金打", Ok("G*5h"));
        check(GOLDS, "５八金", Err(Unresolved::Several(4)));
        check(GOLDS, "５八金左", Err(Unresolved::Several(2)));
        check(GOLDS, "５八銀引", Err(Unresolved::None));
        check(GOLDS, "５五歩", Ok("P*5e"));
        check(GOLDS, "５八金(48)", Ok("4h5h"));
    }

    #[test]
    fn right_is_the_owners_right() {
        let sfen = "3g1g3/9/9/9/4k4/9/9/9/4K4 w - 1";
        check(sfen, "５二金右", Ok("6a5b"));
        check(sfen, "５二金左", Ok("4a5b"));
    }

    #[test]
    fn promotions_and_promoted_pieces() {
        let sfen = "4k4/9/2S6/9/9/9/9/7+N1/4K4 b - 1";
        check(sfen, "７二銀成", Ok("7c7b+"));
        check(sfen, "７二銀不成", Ok("7c7b"));
        check(sfen, "２七成桂", Ok("2h2g"));
        check(sfen, "２七圭", Ok("2h2g"));
    }

    #[test]
    fn kanji_numbers() {
        let numbers = ["一", "九", "十", "十八", "二十", "", "十十", "百"].map(kanji_number);
        assert_eq!(numbers, [Some(1), Some(9), Some(10), Some(18), Some(20), None, None, None]);
    }

    #[test]
    fn sentences_tell_who_won() {
        let check = |line: &str, outcome| assert_eq!(end_sentence(line), outcome, "{line}");
        check("まで113手で先手の勝ち", Some(Outcome::FirstWon));
        check("まで80手で上手の勝ち", Some(Outcome::SecondWon));
        check("まで80手で後手の反則負け", Some(Outcome::FirstWon));
        check("まで200手で千日手", Some(Outcome::Draw));
        check("まで20手で中断", None);
    }
}
