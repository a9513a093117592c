//! From a tree to the game that was played: header, setup and main line.

use crate::go::{BoardSize, Color, Point, PointSet};
use crate::header::{Date, GameResult, RuleSet, repair_komi};
use crate::records::{GameRecord, Move, Place, Rejection, RejectionKind, Warning, WarningKind};
use crate::sgf::text::simple_text;
use crate::sgf::tree::{Name, Node, Property, Tree};

/// The game of a tree: what the header says, the setup, and the first line of play.
///
/// Header properties count wherever they first appear on the main line. Moves
/// are read, not played: whether they are legal is [`GameRecord::replay`]'s.
///
/// # Errors
/// If the tree is of another game, of a board that is not square, or a move
/// is not a point on the board.
pub fn main_line(tree: &Tree<'_>) -> Result<GameRecord, Rejection> {
    read(tree).map_err(|(offset, why)| Rejection { place: tree.place(offset), why })
}

/// Where a move of the main line is in the text, its number from 1; the game's start if there is no such move.
pub(crate) fn place_of_move(tree: &Tree<'_>, number: u16) -> Place {
    let is_move = |p: &Property<'_, '_>| [BLACK, WHITE].contains(&p.name_key());
    let moves = tree.main_nodes().flat_map(|node| node.properties().filter(is_move));
    let offset = moves.skip(number as usize - 1).map(|p| p.offset()).next();
    tree.place(offset.unwrap_or(tree.offset()))
}

/// Where something is refused, in bytes, and why.
pub(crate) type OffsetRejection = (usize, RejectionKind);

struct Gathering<'a, 't> {
    record: GameRecord,
    warnings: Vec<(usize, WarningKind)>,
    black: PointSet,
    white: PointSet,
    komi: Option<Property<'a, 't>>,
    /// Where the property is in which the file ends.
    torn: Option<usize>,
    /// Where stones were set up after the first move, and the number of the next move.
    cut: Option<(usize, u16)>,
}

fn read(tree: &Tree<'_>) -> Result<GameRecord, OffsetRejection> {
    let root = tree.root().ok_or((tree.offset(), RejectionKind::NoNode))?;
    if let Some(game) = root.property("GM") {
        check_game(&game)?;
    }
    let size = match root.property("SZ") {
        Some(property) => match board_size(&property)? {
            // Whoever writes so few lines means something else, or nothing.
            size if size.get() < 5 => return Err((property.offset(), RejectionKind::BadSize)),
            size => size,
        },
        None => BoardSize::NINETEEN,
    };
    let mut game = Gathering {
        record: GameRecord::new(size),
        warnings: tree.warnings.iter().map(|&(offset, what)| (offset as usize, what)).collect(),
        black: PointSet::EMPTY,
        white: PointSet::EMPTY,
        komi: None,
        torn: torn_property(tree),
        cut: None,
    };
    game.record.moves.reserve(tree.nodes.len());
    for node in tree.main_nodes() {
        game.add_node(node)?;
        if let Some((offset, number)) = game.cut
            && game.record.moves.len() >= number as usize
        {
            game.record.moves.truncate(number as usize - 1);
            game.warnings.push((offset, WarningKind::CutAtSetup { number }));
            break;
        }
    }
    game.repair_komi();
    game.place_handicap(root.offset());
    let Gathering { mut record, mut warnings, black, white, .. } = game;
    record.setup_black = black.iter().collect();
    record.setup_white = white.iter().collect();
    warnings.sort_by_key(|warning| warning.0);
    let mut places = tree.places;
    record.warnings = warnings.into_iter().map(|(offset, what)| Warning { place: places.at(offset), what }).collect();
    if record.moves.is_empty() {
        return Err((root.offset(), RejectionKind::NoMoves));
    }
    Ok(record)
}

impl<'a, 't> Gathering<'a, 't> {
    fn add_node(&mut self, node: Node<'a, 't>) -> Result<(), OffsetRejection> {
        let n_moves_before = self.record.moves.len();
        for property in node.properties() {
            match property.name_key() {
                BLACK => self.add_move(Color::Black, &property)?,
                WHITE => self.add_move(Color::White, &property)?,
                ADD_BLACK | ADD_WHITE | ADD_EMPTY => self.set_up(&property),
                _ => self.read_header(property),
            }
        }
        if self.record.moves.len() > n_moves_before + 1 {
            self.warnings.push((node.offset(), WarningKind::TwoMoves));
        }
        Ok(())
    }

    fn add_move(&mut self, color: Color, property: &Property<'_, '_>) -> Result<(), OffsetRejection> {
        let number = self.record.moves.len() as u32 + 1;
        if self.torn == Some(property.offset()) {
            self.warnings.push((property.offset(), WarningKind::CutShort));
            return Ok(());
        }
        let fail = |why| Err((property.offset(), why));
        let Ok(number) = u16::try_from(number) else { return fail(RejectionKind::TooLong) };
        // A property without value is a move that got lost, not a pass.
        let Some(value) = property.values().next() else {
            return fail(RejectionKind::UnreadableMove { number });
        };
        // Blanks around the letters are rare, and looking for them costs more than the move.
        let letters = if value.len() == 2 { value } else { value.trim() };
        let point = match letters.as_bytes() {
            b"" => None,
            b"tt" if self.record.size.get() <= 19 => None,
            &[x, y] => match Point::from_sgf([x, y]).filter(|&p| self.record.size.has(p)) {
                Some(point) => Some(point),
                None => return fail(RejectionKind::UnreadableMove { number }),
            },
            _ => return fail(RejectionKind::UnreadableMove { number }),
        };
        self.record.moves.push(Move { color, point });
        Ok(())
    }

    fn set_up(&mut self, property: &Property<'_, '_>) {
        if !self.record.moves.is_empty() {
            let number = self.record.moves.len() as u16 + 1;
            self.cut.get_or_insert((property.offset(), number));
            return;
        }
        for value in property.values() {
            match points_of(value, self.record.size) {
                None => self.warnings.push((property.offset(), WarningKind::SetupOffBoard)),
                Some(points) => {
                    self.black = self.black - points;
                    self.white = self.white - points;
                    match property.name_key() {
                        ADD_BLACK => self.black |= points,
                        ADD_WHITE => self.white |= points,
                        _ => {}
                    }
                }
            }
        }
    }

    fn read_header(&mut self, property: Property<'a, 't>) {
        let header = &mut self.record.header;
        let text_field = match property.name_key() {
            BLACK_NAME => &mut header.black,
            WHITE_NAME => &mut header.white,
            BLACK_RANK => &mut header.black_rank,
            WHITE_RANK => &mut header.white_rank,
            EVENT => &mut header.event,
            ROUND => &mut header.round,
            PLACE => &mut header.place,
            RULES => &mut header.rules,
            DATE | DATE_NIHON_KIIN => return self.read_date(&property),
            KOMI | KOMI_NIHON_KIIN => {
                self.komi.get_or_insert(property);
                return;
            }
            HANDICAP => return self.read_handicap(&property),
            RESULT => return self.read_result(&property),
            _ => return,
        };
        if text_field.is_none() {
            *text_field = Some(simple_text(property.value())).filter(|text| !text.is_empty());
        }
    }

    fn read_date(&mut self, property: &Property<'_, '_>) {
        let text = simple_text(property.value());
        if self.record.header.date.is_none() && !text.is_empty() {
            self.record.header.date = Date::parse(&text);
            let warning = WarningKind::of_date(self.record.header.date);
            self.warnings.extend(warning.map(|warning| (property.offset(), warning)));
        }
    }

    fn read_handicap(&mut self, property: &Property<'_, '_>) {
        let text = simple_text(property.value());
        match text.parse::<u8>() {
            Ok(stones) if self.record.header.handicap == 0 => self.record.header.handicap = stones,
            Ok(_) => {}
            Err(_) if text.is_empty() => {}
            Err(_) => self.warnings.push((property.offset(), WarningKind::UnreadableHandicap)),
        }
    }

    fn read_result(&mut self, property: &Property<'_, '_>) {
        if self.record.header.result == GameResult::Unknown {
            match GameResult::parse(&simple_text(property.value())) {
                Some(result) => self.record.header.result = result,
                None => self.warnings.push((property.offset(), WarningKind::UnreadableResult)),
            }
        }
    }

    fn repair_komi(&mut self) {
        let Some(property) = self.komi else { return };
        let text = simple_text(property.value());
        let Some(written) = number_in(&text) else {
            if !text.is_empty() {
                self.warnings.push((property.offset(), WarningKind::UnreadableKomi));
            }
            return;
        };
        let komi = repair_komi(written, RuleSet::named(self.record.header.rules.as_deref()));
        if komi != written {
            self.warnings.push((property.offset(), WarningKind::Komi { written, komi }));
        }
        self.record.header.komi = Some(komi);
    }

    /// Puts handicap stones that the header counts and the file does not place.
    fn place_handicap(&mut self, offset: usize) {
        let stones = self.record.header.handicap;
        let starts_white = self.record.moves.first().is_some_and(|m| m.color == Color::White);
        if stones >= 2 && starts_white && self.black.is_empty() && self.white.is_empty() {
            let points = self.record.size.handicap_points(stones);
            if !points.is_empty() {
                self.black = points.into_iter().collect();
                self.warnings.push((offset, WarningKind::HandicapWithoutStones { stones }));
            }
        }
    }
}

/// The last property of a file that ends within its value.
fn torn_property(tree: &Tree<'_>) -> Option<usize> {
    let is_open = tree.warnings.iter().any(|(_, what)| *what == WarningKind::OpenValue);
    tree.nodes().last().filter(|_| is_open).and_then(|node| node.properties().last()).map(|p| p.offset())
}

/// `6.5`, and `黒6目半` as the Nihon Kiin writes it.
fn number_in(text: &str) -> Option<f32> {
    let text = text.trim_start_matches(['黒', '黑', '白']);
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let number: f32 = digits.parse().ok()?;
    let half = if unit.contains(['半', '반']) { 0.5 } else { 0.0 };
    number.is_finite().then_some(number + half)
}

/// A point, or a rectangle of points written `aa:cc`; `None` if any is off the board.
pub(crate) fn points_of(value: &str, size: BoardSize) -> Option<PointSet> {
    let point = |text: &str| match text.trim().as_bytes() {
        &[x, y] => Point::from_sgf([x, y]).filter(|&p| size.has(p)),
        _ => None,
    };
    let Some((from, to)) = value.split_once(':') else {
        return point(value).map(|p| PointSet::from_iter([p]));
    };
    let (from, to) = (point(from)?, point(to)?);
    let columns = from.x().min(to.x())..=from.x().max(to.x());
    let rows = from.y().min(to.y())..=from.y().max(to.y());
    Some(rows.flat_map(|y| columns.clone().map(move |x| Point::new(x, y))).collect())
}

pub(crate) fn check_game(property: &Property<'_, '_>) -> Result<(), OffsetRejection> {
    const GAMES: [&str; 17] = [
        "no game",
        "Go",
        "Othello",
        "chess",
        "Gomoku",
        "Nine Men's Morris",
        "Backgammon",
        "Chinese chess",
        "shogi",
        "Lines of Action",
        "Ataxx",
        "Hex",
        "Jungle",
        "Neutron",
        "Philosopher's Football",
        "Quadrature",
        "Trax",
    ];
    // Anything but a number was written by a program that knows only Go.
    let number: u32 = property.value().trim().parse().unwrap_or(1);
    let name = GAMES.get(number as usize).copied().unwrap_or("another game");
    if number == 1 { Ok(()) } else { Err((property.offset(), RejectionKind::NotGo { number, name })) }
}

pub(crate) fn board_size(property: &Property<'_, '_>) -> Result<BoardSize, OffsetRejection> {
    let fail = |why| Err((property.offset(), why));
    let value = property.value().trim();
    let (columns, rows) = value.split_once([':', 'x']).unwrap_or((value, value));
    match (columns.trim().parse::<u8>(), rows.trim().parse::<u8>()) {
        _ if value.is_empty() => Ok(BoardSize::NINETEEN),
        (Ok(columns), Ok(rows)) if columns != rows => fail(RejectionKind::NotSquare { columns, rows }),
        (Ok(lines), Ok(_)) => BoardSize::new(lines).or_else(|_| fail(RejectionKind::BadSize)),
        _ => fail(RejectionKind::BadSize),
    }
}

const BLACK: Name = Name::new("B");
const WHITE: Name = Name::new("W");
const ADD_BLACK: Name = Name::new("AB");
const ADD_WHITE: Name = Name::new("AW");
const ADD_EMPTY: Name = Name::new("AE");
const BLACK_NAME: Name = Name::new("PB");
const WHITE_NAME: Name = Name::new("PW");
const BLACK_RANK: Name = Name::new("BR");
const WHITE_RANK: Name = Name::new("WR");
const EVENT: Name = Name::new("EV");
const ROUND: Name = Name::new("RO");
const PLACE: Name = Name::new("PC");
const RULES: Name = Name::new("RU");
const DATE: Name = Name::new("DT");
const DATE_NIHON_KIIN: Name = Name::new("RD");
const KOMI: Name = Name::new("KM");
const KOMI_NIHON_KIIN: Name = Name::new("KO");
const HANDICAP: Name = Name::new("HA");
const RESULT: Name = Name::new("RE");
