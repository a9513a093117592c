//! Mining, predicting and judging with collections of Go, shogi and chess game records.
//!
//! Nothing here prints: functions take plain options, report to a [`progress::Progress`], and return types.
//!
//! Import games and find the sequences that they play as units:
//!
//! ```
//! use tejun_games::BoardSize;
//! use tejun_knowledge::corpus::{GameTable, Input, Selection};
//! use tejun_knowledge::progress::NoProgress;
//! use tejun_knowledge::sequences::{MineOptions, mine};
//!
//! let games = Input::sample().open(2, &NoProgress)?; // or Input::named(["games.zip"])
//! let table = GameTable::load(&games.collection, &Selection::default(), BoardSize::NINETEEN)?;
//! let sequences = mine(&table, &MineOptions { top: 3, ..MineOptions::default() }, &NoProgress)?;
//! assert_eq!(sequences.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Find where a sequence was played, in any orientation:
//!
//! ```
//! # use tejun_knowledge::corpus::{GameTable, Input, Selection};
//! # use tejun_knowledge::progress::NoProgress;
//! # use tejun_games::BoardSize;
//! use tejun_games::Point;
//! use tejun_knowledge::codes::Code;
//! use tejun_knowledge::sequences::{GameText, TextOptions, TextScope, find_line};
//!
//! # let games = Input::sample().open(2, &NoProgress)?;
//! # let table = GameTable::load(&games.collection, &Selection::default(), BoardSize::NINETEEN)?;
//! let options = TextOptions { size: table.size(), code: Code::Relative, scope: TextScope::Local };
//! let text = GameText::build(&table, options, 2)?;
//! let line = [Point::parse("R16", table.size())?, Point::parse("P17", table.size())?];
//! let found = find_line(&text, &table, &line);
//! assert!(found.n_games > 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Open a model of any kind and ask it for the next move:
//!
//! ```no_run
//! use tejun_games::GameRecord;
//! use tejun_knowledge::models::Model;
//! use tejun_knowledge::predictor::Prediction;
//!
//! let model = Model::open("pro.patterns".as_ref())?;
//! let game = GameRecord::parse("(;SZ[19];B[pd];W[dp];B[pp])")?;
//! let prediction = Prediction::new(&mut *model.predictor(), &game, 3);
//! let (point, probability) = prediction.moves[0];
//! println!("{} {:.0}%", point.name(game.size), 100.0 * probability);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Judge a game with the built-in search, or with any [`evaluation::Evaluator`], such as [`engines::Engine`]:
//!
//! ```
//! use tejun_games::GameRecord;
//! use tejun_knowledge::evaluation::Evaluator;
//! use tejun_knowledge::judging::{GameEvaluator, Judge, JudgeOptions};
//! use tejun_knowledge::progress::NoProgress;
//! use tejun_knowledge::search::{PlainPredictor, Search, SearchOptions};
//!
//! let options = SearchOptions { n_playouts: 20, ..SearchOptions::default() };
//! let search: Box<dyn Evaluator + Send> = Box::new(Search::new(options, "plain", || Box::new(PlainPredictor)));
//! let mut judge = Judge::new(GameEvaluator::new(vec![search], vec![]), JudgeOptions::default());
//! let review = judge.judge(&GameRecord::parse("(;SZ[9];B[ee];W[ec];B[gd])")?, &NoProgress)?;
//! assert_eq!(review.game.moves.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Load two opening books and match them exactly:
//!
//! ```no_run
//! use tejun_knowledge::books::matching::{MatchOptions, Player, match_books};
//! use tejun_knowledge::books::{LoadOptions, Rule, Selection, load};
//!
//! let books = load(&["first.db", "second.bin"], &LoadOptions::default())?;
//! let selection = Selection { rule: Rule::AsStored, power: 1.0, max_ply: None };
//! let players = [&books[0].book, &books[1].book].map(|book| Player { book, selection: &selection });
//! let played = match_books(books[0].book.game(), players, &MatchOptions::default());
//! println!("{:.1} plies in book", played.expected_plies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Complete programs are in the folder `examples` of the crate.
//!
//! # Modules
//!
//! Collections: [`corpus`] imports and selects games; [`codes`] turns moves into symbols; [`sequences`] finds what is
//! played as a unit.
//!
//! Predictions: [`predictor`] defines the question which move comes next; [`grammar`] answers it from the order of
//! moves, [`patterns`] from the stones on the board, [`tactics`] from sets of points that it discovers; [`models`]
//! saves and opens models of every kind.
//!
//! Evaluations: [`evaluation`] defines the question who is winning; [`search`] answers it with Monte Carlo tree
//! search, [`engines`] with other programs; [`judging`] combines evaluations and predictions into judgements of moves.
//!
//! Opening books: [`books`] loads, matches, builds, expands and prunes them, and reads and writes their files.
//!
//! For all of them: [`progress`] to watch and to stop long work, [`statistics`] for shares and intervals.

pub mod corpus;

pub mod codes;
pub mod sequences;

pub mod predictor;

pub mod grammar;
pub mod patterns;
pub mod tactics;

pub mod models;

pub mod network;

pub mod evaluation;

pub mod engines;
pub mod search;

pub mod judging;

pub mod books;

pub mod progress;
pub mod statistics;

mod threads;

pub use corpus::{Collection, GameTable, Input, Selection};
pub use models::Model;
pub use predictor::{Prediction, Predictor};
pub use sequences::{GameText, MineOptions, Sequence, find_line, mine};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
