//! Games divided into phrases: learning from mined sequences, parsing, and measuring.

use std::ops::Range;

use tejun_games::GameRecord;
use tejun_games::go::Board;
use tejun_index::Symbol;

use crate::codes::{Code, encode};
use crate::corpus::GameTable;
use crate::grammar::phrases::{Phrase, Phrases};
use crate::sequences::{GameText, MineOptions, RankBy, TextScope, rank_strings};

/// A part of a game.
pub struct GamePhrase<'p> {
    /// The indexes of its moves.
    pub moves: Range<usize>,
    /// Their symbols.
    pub symbols: Vec<Symbol>,
    /// The phrase; `None` for a move that no learned game contains.
    pub phrase: Option<&'p Phrase>,
}

/// How well phrases describe games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PhraseScores {
    /// Number of moves.
    pub n_moves: usize,
    /// Number of phrases that the games are divided into.
    pub n_phrases: usize,
    /// Bits of all moves.
    pub bits: f64,
}

impl Phrases {
    /// Learns phrases from the sequences that games play as units: the first `top` of at least `min_length` symbols.
    ///
    /// The text must be that of whole games in the relative code.
    pub fn of_games(text: &GameText, table: &GameTable, top: usize, min_length: u32, n_threads: usize) -> Phrases {
        let options = MineOptions {
            scope: TextScope::Whole,
            min_length,
            top,
            rank_by: RankBy::Measure,
            n_threads,
            ..MineOptions::default()
        };
        let mut ranking = rank_strings(text, table, &options);
        ranking.truncate(top);
        Phrases::learn(text, &ranking)
    }

    /// The most probable way to divide a game into phrases.
    pub fn parse_game(&self, record: &GameRecord) -> Vec<GamePhrase<'_>> {
        let mut found = Vec::new();
        for run in encode(Code::Relative, &Board::new(record.size), record.moves.iter().copied()) {
            for (range, phrase) in self.parse(&run.symbols) {
                let moves = run.first_move + range.start..run.first_move + range.end;
                found.push(GamePhrase { moves, symbols: run.symbols[range].to_vec(), phrase });
            }
        }
        found
    }

    /// Measures how many bits and phrases games take.
    pub fn measure(&self, games: &GameTable) -> PhraseScores {
        let mut scores = PhraseScores::default();
        for game in 0..games.n_games() {
            for run in encode(Code::Relative, &Board::new(games.size()), games.moves(game)) {
                scores.n_moves += run.symbols.len();
                scores.n_phrases += self.parse(&run.symbols).len();
                scores.bits += self.bits(&run.symbols);
            }
        }
        scores
    }
}

impl PhraseScores {
    /// Mean bits per move.
    pub fn bits_per_move(&self) -> f64 {
        self.bits / self.n_moves.max(1) as f64
    }

    /// Mean number of moves per phrase.
    pub fn moves_per_phrase(&self) -> f64 {
        self.n_moves as f64 / self.n_phrases.max(1) as f64
    }
}
