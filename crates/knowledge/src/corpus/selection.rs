//! Selecting games of a collection.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch, UInt32Array};
use arrow::compute::filter_record_batch;
use tejun_files::IfExists;
use tejun_games::header::{Date, Rank};

use crate::corpus::collection::{Collection, CollectionError, CollectionWriter};
use crate::corpus::expression::Expression;
use crate::corpus::schema::{Game, game_schema, games_of};

/// Which games are wanted: those that meet all conditions that are set.
///
/// ```
/// use tejun_games::{BoardSize, Date};
/// use tejun_knowledge::corpus::{GameTable, Input, Selection};
/// use tejun_knowledge::progress::NoProgress;
///
/// let selection = Selection { from: Date::parse("1960"), result: Some("B+".into()), ..Selection::default() };
/// let games = Input::sample().open(2, &NoProgress)?;
/// let table = GameTable::load(&games.collection, &selection, BoardSize::NINETEEN)?;
/// assert!(table.n_games() < games.collection.n_games());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Part of either player's name, ignoring case.
    pub player: Option<String>,
    /// Part of Black's name.
    pub black: Option<String>,
    /// Part of White's name.
    pub white: Option<String>,
    /// Both players' ranks.
    pub rank: Option<RangeInclusive<Rank>>,
    /// Earliest date; a date of which only the year is known counts as that year.
    pub from: Option<Date>,
    /// Latest date.
    pub to: Option<Date>,
    /// Start of the result, such as `B+` or `W+R`.
    pub result: Option<String>,
    /// Part of the event's name.
    pub event: Option<String>,
    /// Board size in lines.
    pub size: Option<u8>,
    /// Number of handicap stones.
    pub handicap: Option<RangeInclusive<u32>>,
    /// Number of moves in the main line.
    pub moves: Option<RangeInclusive<u32>>,
    /// Whether near duplicates are wanted.
    pub near_duplicates: NearDuplicates,
    /// Any other condition.
    pub condition: Option<Expression>,
}

/// Whether games marked as near duplicates are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NearDuplicates {
    /// Treat them like other games.
    #[default]
    Included,
    /// Include only the first game of each group.
    Excluded,
    /// Include only them.
    Only,
}

/// Why a selection failed.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// The collection can't be read or written.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The output is the collection itself.
    #[error("the output is the collection itself; choose another output file")]
    SameFile,
}

impl Selection {
    /// Whether the selection includes a game.
    pub fn wants(&self, game: &Game) -> bool {
        let header = &game.record.header;
        let names_hold = |part: &Option<String>, names: &[&Option<String>]| {
            part.as_ref().is_none_or(|part| {
                let part = part.to_lowercase();
                names.iter().filter_map(|name| name.as_ref()).any(|name| name.to_lowercase().contains(&part))
            })
        };
        let is_rank = |text: &Option<String>| {
            self.rank
                .as_ref()
                .is_none_or(|wanted| text.as_deref().and_then(Rank::parse).is_some_and(|rank| wanted.contains(&rank)))
        };
        let is_near = game.near_duplicate_of.is_some();
        let n_moves = game.record.moves.len() as u32;
        names_hold(&self.player, &[&header.black, &header.white])
            && names_hold(&self.black, &[&header.black])
            && names_hold(&self.white, &[&header.white])
            && names_hold(&self.event, &[&header.event])
            && is_rank(&header.black_rank)
            && is_rank(&header.white_rank)
            && self.from.is_none_or(|from| header.date.is_some_and(|date| last_day(date) >= first_day(from)))
            && self.to.is_none_or(|to| header.date.is_some_and(|date| first_day(date) <= last_day(to)))
            && self
                .result
                .as_ref()
                .is_none_or(|start| header.result.to_string().to_lowercase().starts_with(&start.to_lowercase()))
            && self.size.is_none_or(|size| game.record.size.get() == size)
            && self.handicap.as_ref().is_none_or(|wanted| wanted.contains(&(header.handicap as u32)))
            && self.moves.as_ref().is_none_or(|wanted| wanted.contains(&n_moves))
            && match self.near_duplicates {
                NearDuplicates::Included => true,
                NearDuplicates::Excluded => !is_near,
                NearDuplicates::Only => is_near,
            }
            && self.condition.as_ref().is_none_or(|condition| condition.holds(game))
    }
}

fn first_day(date: Date) -> (u16, u8, u8) {
    (date.year, date.month.unwrap_or(1), date.day.unwrap_or(1))
}

fn last_day(date: Date) -> (u16, u8, u8) {
    (date.year, date.month.unwrap_or(12), date.day.unwrap_or(31))
}

/// Writes the selected games as a new collection with new numbers; returns their number.
///
/// A near duplicate is marked with the first selected game of its group.
///
/// # Errors
/// If the collection can't be read, or the output can't be written or already exists and must not be overwritten.
pub fn select(
    collection: &Collection,
    selection: &Selection,
    output: &Path,
    if_exists: IfExists,
) -> Result<usize, SelectError> {
    if matches!((collection.path().canonicalize(), output.canonicalize()), (Ok(a), Ok(b)) if a == b) {
        return Err(SelectError::SameFile);
    }
    let mut manifest = collection.manifest();
    manifest.retain(|(key, _)| !["tejun.version", "tejun.schema"].contains(&key.as_str()));
    manifest.push(("tejun.selection".into(), format!("{selection:?}")));
    let mut writer = CollectionWriter::create(output, &manifest)?;
    let mut numbering = Numbering { new_ids: vec![None; collection.n_games()], n_kept: 0 };
    let mut n_read = 0;
    for batch in collection.batches() {
        let batch = batch?;
        let first = numbering.n_kept;
        let damaged = |row| CollectionError::DamagedRow { path: collection.path().into(), row: n_read + row };
        let games: Vec<Game> = games_of(&batch)
            .enumerate()
            .map(|(row, game)| game.ok_or_else(|| damaged(row)))
            .collect::<Result<_, _>>()?;
        n_read += games.len();
        let keep: Vec<bool> = games.iter().map(|game| selection.wants(game)).collect();
        let near: Vec<Option<u32>> =
            games.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(game, _)| numbering.add(game)).collect();
        let kept = filter_record_batch(&batch, &BooleanArray::from(keep)).expect("the mask is as long as the batch");
        writer.write(&renumbered(kept, first, near))?;
    }
    writer.finish()?.commit(if_exists)?;
    Ok(numbering.n_kept as usize)
}

/// Maps old numbers to new ones, and each group of near duplicates to the number of its first selected game.
struct Numbering {
    new_ids: Vec<Option<u32>>,
    n_kept: u32,
}

impl Numbering {
    /// Numbers a game; returns the selected game that it is a near duplicate of, if any.
    fn add(&mut self, game: &Game) -> Option<u32> {
        let new_id = self.n_kept;
        self.n_kept += 1;
        let group = game.near_duplicate_of.unwrap_or(game.id).0 as usize;
        match self.new_ids.get_mut(group) {
            Some(Some(first)) if game.near_duplicate_of.is_some() => Some(*first),
            Some(slot) => {
                slot.get_or_insert(new_id);
                None
            }
            None => None,
        }
    }
}

fn renumbered(games: RecordBatch, first: u32, near: Vec<Option<u32>>) -> RecordBatch {
    let schema = game_schema();
    let ids = UInt32Array::from_iter_values(first..first + games.num_rows() as u32);
    let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for field in schema.fields() {
        columns.push(match field.name().as_str() {
            "id" => Arc::new(ids.clone()),
            "near_duplicate_of" => Arc::new(UInt32Array::from(near.clone())),
            name => games.column_by_name(name).expect("a collection has our columns").clone(),
        });
    }
    RecordBatch::try_new(schema, columns).expect("only values changed")
}
