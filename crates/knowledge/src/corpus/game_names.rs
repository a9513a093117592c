//! What the games of an open input are called: a name that [`Input::game`](crate::corpus::Input::game) opens.

use std::collections::{HashMap, HashSet};

use tejun_games::Move;
use tejun_games::records::{OnIllegal, read_records};

use crate::corpus::input::{InputError, OpenInput, for_each_text_block, is_sample};
use crate::corpus::schema::{Game, GameId, games_of};
use crate::corpus::sources::{Block, Content, Source};

impl OpenInput {
    /// The names of games: `COLLECTION#17`, or `FILE#3` if the records were imported for this purpose only.
    ///
    /// Reads the files again in the second case. Games from standard input or a pipe have no name.
    ///
    /// ```
    /// use tejun_knowledge::corpus::{GameId, Input};
    /// use tejun_knowledge::progress::NoProgress;
    ///
    /// let open = Input::sample().open(1, &NoProgress)?;
    /// assert_eq!(open.names_of([GameId(259)])?[&GameId(259)], "sample#259");
    /// # Ok::<(), tejun_knowledge::corpus::InputError>(())
    /// ```
    ///
    /// # Errors
    /// If a file can't be read any more.
    pub fn names_of(&self, ids: impl IntoIterator<Item = GameId>) -> Result<HashMap<GameId, String>, InputError> {
        let ids: HashSet<GameId> = ids.into_iter().collect();
        if let Some(name) = &self.name {
            return Ok(ids.into_iter().map(|id| (id, format!("{name}#{}", id.0))).collect());
        }
        let mut finder = NameFinder::default();
        for game in self.collection.games() {
            let game = game?;
            if ids.contains(&game.id) {
                finder.wanted.entry((game.source.clone(), game.offset)).or_default().push(game);
            }
        }
        for source in self.sources.iter().filter(|source| can_be_read_again(source)) {
            finder.n_before.clear();
            for_each_text_block(std::slice::from_ref(source), |block| {
                finder.look_at(source, block);
                finder.names.len() < ids.len()
            })?;
        }
        Ok(finder.names)
    }
}

/// Whether a source is still there: a pipe is empty after it was read, and opening it again may wait forever.
fn can_be_read_again(source: &Source) -> bool {
    match source {
        Source::Stdin => false,
        Source::Bytes(..) => true,
        Source::Path(path) | Source::Game { path, .. } => {
            let is_open_file = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
            let is_there = |data: std::fs::Metadata| data.is_file() || data.is_dir();
            is_sample(path) || !is_open_file && std::fs::metadata(path).is_ok_and(is_there)
        }
    }
}

/// Looks for games where they came from.
#[derive(Default)]
struct NameFinder {
    /// Games by their file and their offset in it; a file that had to be decoded has one offset for several games.
    wanted: HashMap<(String, u64), Vec<Game>>,
    names: HashMap<GameId, String>,
    /// The number of games read from each file or archive.
    n_before: HashMap<String, usize>,
}

impl NameFinder {
    fn look_at(&mut self, source: &Source, block: &Block) {
        let file = block.source.split("!/").next().unwrap_or_default();
        let first = match source {
            Source::Bytes(..) => 0,
            _ => 1,
        };
        let n_before = self.n_before.get(file).copied().unwrap_or(0);
        let name = |index: usize| match source {
            Source::Game { path, number } => format!("{}#{number}", path.display()),
            _ => format!("{file}#{}", n_before + first + index),
        };
        let n_games = match &block.content {
            Content::Text(text) if block.offset > 0 && text.trim_ascii().is_empty() => 0,
            Content::Text(text) => {
                let found = read_records(text, OnIllegal::Cut);
                for (index, found) in found.iter().enumerate() {
                    if let Ok(record) = &found.record {
                        self.name(&block.source, block.offset + found.offset as u64, &record.moves, || name(index));
                    }
                }
                found.len()
            }
            Content::Rows(rows) => {
                for (index, game) in games_of(rows).enumerate() {
                    if let Some(game) = game {
                        let name = || match source {
                            Source::Game { .. } => name(index),
                            _ => format!("{file}#{}", n_before + index),
                        };
                        self.name(&game.source, game.offset, &game.record.moves, name);
                    }
                }
                rows.num_rows()
            }
            Content::Unreadable(_) | Content::Foreign => 0,
        };
        *self.n_before.entry(file.to_string()).or_default() += n_games;
    }

    fn name(&mut self, source: &str, offset: u64, moves: &[Move], name: impl Fn() -> String) {
        for game in self.wanted.get(&(source.to_string(), offset)).into_iter().flatten() {
            if game.record.moves == moves {
                self.names.entry(game.id).or_insert_with(&name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::Input;
    use crate::progress::NoProgress;

    #[test]
    fn every_name_opens_its_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path.display().to_string()
        };
        // The second game is a copy and the third is not a game of Go, so the numbers in the file have gaps.
        let games = "(;SZ[9];B[ee];W[cc])(;SZ[9];B[ee];W[cc])(;GM[2]SZ[8];B[aa])(;SZ[9];B[bb];W[cc];B[dd])";
        let several = write("several.sgf", games);
        let one = write("one.sgf", "(;SZ[9];B[aa];W[ii];B[ee])");
        let below = folder.path().display().to_string();
        let last = format!("{several}#4");
        let names: [&[&str]; 4] = [&[&several], &[&below], &[&one, &several], &[&last]];
        for names in names {
            let open = Input::named(names.iter().copied()).expect("files").open(1, &NoProgress).expect("games");
            let ids: Vec<_> = open.collection.games().map(|game| game.expect("a game").id).collect();
            let names = open.names_of(ids.iter().copied()).expect("names");
            for game in open.collection.games() {
                let game = game.expect("a game");
                let again = Input::game(&names[&game.id]).expect("the game");
                assert_eq!(again.moves, game.record.moves, "{}", names[&game.id]);
            }
        }
    }
}
