//! The columns of a collection, and the conversion between records and rows.

use std::sync::{Arc, LazyLock};

use arrow::array::{
    Array, ArrayRef, AsArray, Date32Builder, Float32Builder, RecordBatch, StringBuilder, UInt8Builder, UInt16Builder,
    UInt32Builder, UInt64Builder,
};
use arrow::datatypes::{DataType, Field, Float32Type, Schema, SchemaRef, UInt8Type, UInt32Type, UInt64Type};
use tejun_games::go::{BoardSize, Color, Point};
use tejun_games::header::{Date, GameResult};
use tejun_games::{GameRecord, Header, Move};

/// The number of a game in its collection, from 0; equals its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub u32);

/// Version of the columns, stored in the file's metadata.
pub(crate) const SCHEMA_VERSION: &str = "2";

/// The two letters that represent a pass in the column of moves.
pub(crate) const PASS: [u8; 2] = *b"--";

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |name: &str, kind: DataType, nullable: bool| Field::new(name, kind, nullable);
    Arc::new(Schema::new(vec![
        field("id", DataType::UInt32, false),
        field("source", DataType::Utf8, false),
        field("offset", DataType::UInt64, false),
        field("size", DataType::UInt8, false),
        field("komi", DataType::Float32, true),
        field("handicap", DataType::UInt8, false),
        field("rules", DataType::Utf8, true),
        field("black", DataType::Utf8, true),
        field("white", DataType::Utf8, true),
        field("black_rank", DataType::Utf8, true),
        field("white_rank", DataType::Utf8, true),
        field("event", DataType::Utf8, true),
        field("round", DataType::Utf8, true),
        field("place", DataType::Utf8, true),
        field("date", DataType::Utf8, true),
        field("date_precision", DataType::Utf8, true),
        field("date_start", DataType::Date32, true),
        field("result", DataType::Utf8, false),
        field("winner", DataType::Utf8, true),
        field("margin", DataType::Float32, true),
        field("setup_black", DataType::Utf8, false),
        field("setup_white", DataType::Utf8, false),
        field("first_color", DataType::Utf8, false),
        field("moves", DataType::Utf8, false),
        field("colors", DataType::Utf8, true),
        field("n_moves", DataType::UInt16, false),
        field("line_hash", DataType::UInt64, false),
        field("near_duplicate_of", DataType::UInt32, true),
        field("notes", DataType::Utf8, true),
    ]))
});

/// The columns of a collection, which `docs/book/collection.md` describes.
pub fn game_schema() -> SchemaRef {
    SCHEMA.clone()
}

/// One row of a collection.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its number in the collection.
    pub id: GameId,
    /// The file that it comes from; for a file in an archive, the path inside follows `!/`.
    pub source: String,
    /// Its offset in that file, in bytes.
    pub offset: u64,
    /// Header, setup and moves; repairs are listed in [`Game::notes`].
    pub record: GameRecord,
    /// Hash of the main line up to symmetry and color.
    pub line_hash: u64,
    /// The first game of its group, if this is a near duplicate.
    pub near_duplicate_of: Option<GameId>,
    /// A description of what was repaired.
    pub notes: Option<String>,
}

/// A record with the facts for its row.
pub(crate) struct Row<'a> {
    pub(crate) id: u32,
    pub(crate) source: &'a str,
    pub(crate) offset: u64,
    pub(crate) record: &'a GameRecord,
    pub(crate) line_hash: u64,
    pub(crate) near_duplicate_of: Option<u32>,
    pub(crate) notes: Option<&'a str>,
}

/// Collects rows into a batch.
#[derive(Default)]
pub(crate) struct RowBuilder {
    id: UInt32Builder,
    source: StringBuilder,
    offset: UInt64Builder,
    size: UInt8Builder,
    komi: Float32Builder,
    handicap: UInt8Builder,
    texts: [StringBuilder; 8],
    date: StringBuilder,
    date_precision: StringBuilder,
    date_start: Date32Builder,
    result: StringBuilder,
    winner: StringBuilder,
    margin: Float32Builder,
    setup: [StringBuilder; 2],
    first_color: StringBuilder,
    moves: StringBuilder,
    colors: StringBuilder,
    n_moves: UInt16Builder,
    line_hash: UInt64Builder,
    near_duplicate_of: UInt32Builder,
    notes: StringBuilder,
    letters: String,
}

impl RowBuilder {
    pub(crate) fn push(&mut self, row: &Row<'_>) {
        let GameRecord { size, header, setup_black, setup_white, moves, .. } = row.record;
        self.id.append_value(row.id);
        self.source.append_value(row.source);
        self.offset.append_value(row.offset);
        self.size.append_value(size.get());
        self.push_header(header);
        for (builder, points) in self.setup.iter_mut().zip([setup_black, setup_white]) {
            self.letters.clear();
            self.letters.extend(points.iter().flat_map(|p| p.to_sgf()).map(char::from));
            builder.append_value(&self.letters);
        }
        self.push_moves(moves);
        self.line_hash.append_value(row.line_hash);
        self.near_duplicate_of.append_option(row.near_duplicate_of);
        self.notes.append_option(row.notes);
    }

    fn push_header(&mut self, header: &Header) {
        self.komi.append_option(header.komi);
        self.handicap.append_value(header.handicap);
        let texts = [
            &header.rules,
            &header.black,
            &header.white,
            &header.black_rank,
            &header.white_rank,
            &header.event,
            &header.round,
            &header.place,
        ];
        for (builder, text) in self.texts.iter_mut().zip(texts) {
            builder.append_option(text.as_ref());
        }
        self.date.append_option(header.date.map(|date| date.to_string()));
        self.date_precision.append_option(header.date.map(|date| date.precision().name()));
        self.date_start.append_option(header.date.map(days_since_1970));
        self.result.append_value(header.result.to_string());
        self.winner.append_option(header.result.winner().map(letter));
        self.margin.append_option(header.result.points());
    }

    fn push_moves(&mut self, moves: &[Move]) {
        let first = moves.first().map_or(Color::Black, |m| m.color);
        self.first_color.append_value(letter(first));
        self.letters.clear();
        for m in moves {
            let [x, y] = m.point.map_or(PASS, Point::to_sgf);
            self.letters.push(x as char);
            self.letters.push(y as char);
        }
        self.moves.append_value(&self.letters);
        let alternates = moves.windows(2).all(|pair| pair[0].color != pair[1].color);
        if alternates {
            self.colors.append_null();
        } else {
            self.colors.append_value(moves.iter().map(|m| m.color.letter()).collect::<String>());
        }
        // The reader rejects records of more than 65,535 moves.
        self.n_moves.append_value(moves.len() as u16);
    }

    pub(crate) fn finish(&mut self) -> RecordBatch {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            Arc::new(self.source.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.size.finish()),
            Arc::new(self.komi.finish()),
            Arc::new(self.handicap.finish()),
        ];
        columns.extend(self.texts.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef));
        let rest: [ArrayRef; 15] = [
            Arc::new(self.date.finish()),
            Arc::new(self.date_precision.finish()),
            Arc::new(self.date_start.finish()),
            Arc::new(self.result.finish()),
            Arc::new(self.winner.finish()),
            Arc::new(self.margin.finish()),
            Arc::new(self.setup[0].finish()),
            Arc::new(self.setup[1].finish()),
            Arc::new(self.first_color.finish()),
            Arc::new(self.moves.finish()),
            Arc::new(self.colors.finish()),
            Arc::new(self.n_moves.finish()),
            Arc::new(self.line_hash.finish()),
            Arc::new(self.near_duplicate_of.finish()),
            Arc::new(self.notes.finish()),
        ];
        columns.extend(rest);
        RecordBatch::try_new(game_schema(), columns).expect("the builders follow the schema")
    }
}

fn letter(color: Color) -> &'static str {
    if color == Color::Black { "B" } else { "W" }
}

/// The first day that the date may mean, counted from 1970-01-01 in the Gregorian calendar.
fn days_since_1970(date: Date) -> i32 {
    let (year, month, day) = (date.year as i32, date.month.unwrap_or(1) as i32, date.day.unwrap_or(1) as i32);
    // Years start in March here, so that the leap day comes last.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * m + 2) / 5 + day - 1;
    365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + day_of_year - 719_468
}

/// The rows of a batch as games; `None` for a row with invalid moves.
pub(crate) fn games_of(batch: &RecordBatch) -> impl Iterator<Item = Option<Game>> + '_ {
    (0..batch.num_rows()).map(|row| game_at(batch, row))
}

fn game_at(batch: &RecordBatch, row: usize) -> Option<Game> {
    let text = |name: &str| {
        let column = batch.column_by_name(name)?.as_string_opt::<i32>()?;
        column.is_valid(row).then(|| column.value(row).to_string())
    };
    let size_lines = batch.column_by_name("size")?.as_primitive_opt::<UInt8Type>()?.value(row);
    let size = BoardSize::new(size_lines).ok()?;
    let komi = batch.column_by_name("komi")?.as_primitive_opt::<Float32Type>()?;
    let near = batch.column_by_name("near_duplicate_of")?.as_primitive_opt::<UInt32Type>()?;
    let header = Header {
        black: text("black"),
        white: text("white"),
        black_rank: text("black_rank"),
        white_rank: text("white_rank"),
        event: text("event"),
        round: text("round"),
        place: text("place"),
        rules: text("rules"),
        date: text("date").and_then(|date| Date::parse(&date)),
        komi: komi.is_valid(row).then(|| komi.value(row)),
        handicap: batch.column_by_name("handicap")?.as_primitive_opt::<UInt8Type>()?.value(row),
        result: GameResult::parse(&text("result")?).unwrap_or_default(),
    };
    let record = GameRecord {
        size,
        header,
        setup_black: points(&text("setup_black")?, size)?.into_iter().collect::<Option<_>>()?,
        setup_white: points(&text("setup_white")?, size)?.into_iter().collect::<Option<_>>()?,
        moves: moves(&text("first_color")?, &text("moves")?, text("colors").as_deref(), size)?,
        warnings: Vec::new(),
    };
    Some(Game {
        id: GameId(batch.column_by_name("id")?.as_primitive_opt::<UInt32Type>()?.value(row)),
        source: text("source")?,
        offset: batch.column_by_name("offset")?.as_primitive_opt::<UInt64Type>()?.value(row),
        record,
        line_hash: batch.column_by_name("line_hash")?.as_primitive_opt::<UInt64Type>()?.value(row),
        near_duplicate_of: near.is_valid(row).then(|| GameId(near.value(row))),
        notes: text("notes"),
    })
}

/// Points of two letters each; `None` represents a pass.
fn points(letters: &str, size: BoardSize) -> Option<Vec<Option<Point>>> {
    let pairs = letters.as_bytes().chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs
        .map(|pair| match [pair[0], pair[1]] {
            PASS => Some(None),
            letters => Point::from_sgf(letters).filter(|&p| size.has(p)).map(Some),
        })
        .collect()
}

fn moves(first_color: &str, letters: &str, colors: Option<&str>, size: BoardSize) -> Option<Vec<Move>> {
    let points = points(letters, size)?;
    let mut next = if first_color == "W" { Color::White } else { Color::Black };
    let mut written = colors.map(str::bytes);
    let color_of_next = || {
        let color = match written.as_mut() {
            Some(letters) => match letters.next()? {
                b'B' => Color::Black,
                b'W' => Color::White,
                _ => return None,
            },
            None => next,
        };
        next = color.opponent();
        Some(color)
    };
    let colors: Vec<Color> = std::iter::repeat_with(color_of_next).take(points.len()).collect::<Option<_>>()?;
    Some(colors.into_iter().zip(points).map(|(color, point)| Move { color, point }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_match_the_calendar() {
        for (text, days) in
            [("1970-01-01", 0), ("1970", 0), ("2000-03-01", 11_017), ("1926", -16_071), ("1600-02-29", -135_081)]
        {
            assert_eq!(Date::parse(text).map(days_since_1970), Some(days), "{text}");
        }
    }

    #[test]
    fn rows_preserve_the_record() {
        let size = BoardSize::new(9).expect("a size");
        let mut record = GameRecord::new(size);
        record.header.black = Some("Kuro".into());
        record.header.komi = Some(6.5);
        record.header.date = Date::parse("1926-05");
        record.header.result = GameResult::parse("B+3.5").expect("a result");
        record.setup_black = vec![Point::new(2, 2)];
        let black = |x, y| Move { color: Color::Black, point: Some(Point::new(x, y)) };
        let pass = Move { color: Color::White, point: None };
        for moves in [vec![black(1, 1), pass, black(3, 3)], vec![black(1, 1), black(2, 3), pass], vec![pass]] {
            record.moves = moves;
            let mut builder = RowBuilder::default();
            builder.push(&Row {
                id: 7,
                source: "a.sgf",
                offset: 12,
                record: &record,
                line_hash: 99,
                near_duplicate_of: Some(3),
                notes: None,
            });
            let batch = builder.finish();
            let game = games_of(&batch).next().flatten().expect("a game");
            assert_eq!(game.record, record);
            assert_eq!((game.id, game.near_duplicate_of), (GameId(7), Some(GameId(3))));
        }
    }
}
