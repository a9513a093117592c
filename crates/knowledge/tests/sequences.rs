//! Texts, sequences and searches on the sample games, each compared with a naive implementation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tejun_games::go::{Board, BoardSize, Color, Point, Symmetry};
use tejun_games::{GameRecord, Move};
use tejun_knowledge::codes::{Code, encode};
use tejun_knowledge::corpus::{Collection, GameTable, Selection, write_sample};
use tejun_knowledge::sequences::{
    GameText, Measure, Novelty, RankOptions, Tenuki, TextOpenError, TextOptions, TextScope, by_completeness, find_line,
    profile_of, sequences_of, variants, without_redundant,
};

const SIZE: BoardSize = BoardSize::NINETEEN;

fn records(folder: &Path) -> (Vec<GameRecord>, GameTable) {
    let path = folder.join("sample.parquet");
    write_sample(&path).expect("the sample is sound");
    let collection = Collection::open(&path).expect("a collection");
    let table = GameTable::load(&collection, &Selection::default(), SIZE).expect("a table");
    (collection.games().map(|game| game.expect("a game").record).collect(), table)
}

fn text(table: &GameTable, code: Code, scope: TextScope) -> GameText {
    GameText::build(table, TextOptions { size: SIZE, code, scope }, 2).expect("a small text")
}

fn ranking_options(top: usize) -> RankOptions {
    RankOptions { min_length: 5, top, tenuki: Tenuki::Exclude, n_threads: 2 }
}

#[test]
fn the_table_contains_the_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, table) = records(folder.path());
    assert_eq!(table.n_games(), records.len());
    assert_eq!(table.n_moves(), records.iter().map(|record| record.moves.len()).sum::<usize>());
    for (game, record) in records.iter().enumerate().step_by(50) {
        assert!(table.moves(game).eq(record.moves.iter().copied()));
        assert_eq!(table.facts(game).winner, record.header.result.winner());
        let mut board = Board::new(SIZE);
        for (index, m) in record.moves.iter().enumerate() {
            assert_eq!(table.board_before(game, index).hash(), board.hash());
            m.play_on(&mut board).expect("a legal move");
        }
    }
}

/// Every symbol leads back to its move.
#[test]
fn positions_lead_back_to_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, table) = records(folder.path());
    let text = text(&table, Code::Relative, TextScope::Whole);
    let mut n_symbols = 0;
    for segment in 0..text.index().text().n_segments() {
        let segment = tejun_index::SegmentId(segment as u32);
        let positions = text.index().text().segment_positions(segment).expect("a segment");
        let record = &records[text.game(segment)];
        let runs = encode(Code::Relative, &Board::new(SIZE), record.moves.iter().copied());
        let run = runs.iter().find(|run| run.first_move == text.move_index(positions.start)).expect("its run");
        let symbols = positions.clone().filter_map(|position| text.index().text().symbol_at(position));
        assert!(symbols.eq(run.symbols.iter().copied()));
        assert_eq!(text.move_before(positions.start), None);
        if positions.len() > 1 {
            assert_eq!(text.move_before(positions.start + 1), Some(run.first_move));
        }
        n_symbols += run.symbols.len();
    }
    assert_eq!(n_symbols, records.iter().flat_map(|record| &record.moves).filter(|m| m.point.is_some()).count());
}

type NextMoves = BTreeMap<Option<Point>, usize>;

/// All occurrences of the points in a row, found by examining every move of every game.
fn naive_find(records: &[GameRecord], line: &[Point]) -> (Vec<(usize, usize)>, NextMoves) {
    let (mut places, mut next) = (Vec::new(), BTreeMap::new());
    for (game, record) in records.iter().enumerate() {
        for (first, moves) in record.moves.windows(line.len()).enumerate() {
            let is_turn = moves.windows(2).all(|pair| pair[0].color != pair[1].color);
            let fits = |symmetry: &&Symmetry| {
                moves.iter().zip(line).all(|(m, p)| m.point.map(|q| symmetry.apply(q, SIZE)) == Some(*p))
            };
            let symmetries: Vec<&Symmetry> = Symmetry::ALL.iter().filter(fits).collect();
            if is_turn && !symmetries.is_empty() {
                places.push((game, first));
                let following = record.moves.get(first + line.len()).and_then(|m| m.point);
                let shown = following.and_then(|p| symmetries.iter().map(|s| s.apply(p, SIZE)).min());
                *next.entry(shown).or_insert(0) += 1;
            }
        }
    }
    (places, next)
}

#[test]
fn found_lines_match_a_search_of_every_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, table) = records(folder.path());
    let whole = text(&table, Code::Relative, TextScope::Whole);
    let local = text(&table, Code::Relative, TextScope::Local);
    for (i, record) in records.iter().enumerate().step_by(30) {
        for length in [1, 2, 3, 5, 8] {
            let moves = &record.moves[i % 40..i % 40 + length];
            let Some(line) = moves.iter().map(|m| m.point).collect::<Option<Vec<Point>>>() else { continue };
            // Turned, so that the query has another orientation than the game.
            let line: Vec<Point> = line.iter().map(|&p| Symmetry::ALL[i % 8].apply(p, SIZE)).collect();
            let found = find_line(&whole, &table, &line);
            let (places, next) = naive_find(&records, &line);
            assert_eq!(found.places, places, "{line:?}");
            assert_eq!(found.next.into_iter().collect::<BTreeMap<_, _>>(), next, "{line:?}");
            assert_eq!(found.n_games, places.iter().map(|place| place.0).collect::<BTreeSet<_>>().len());
            // A line played without interruption within one fight is also a line of the whole text.
            let is_local = line
                .windows(2)
                .all(|pair| pair[0].x().abs_diff(pair[1].x()) <= 5 && pair[0].y().abs_diff(pair[1].y()) <= 5);
            if is_local && length > 1 {
                assert!(!find_line(&local, &table, &line).places.is_empty(), "{line:?}");
            }
        }
    }
}

#[test]
fn a_saved_text_opens_only_for_its_games_and_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, table) = records(folder.path());
    let path = folder.path().join("er.index");
    let options = TextOptions { size: SIZE, code: Code::Relative, scope: TextScope::Local };
    let built = text(&table, options.code, options.scope);
    built.save(&path).expect("a file");
    let opened = GameText::open(&path, &table, options).expect("the same games");
    let [.., measure] = Measure::all();
    let ranking = measure.rank(&built, ranking_options(500));
    assert_eq!(measure.rank(&opened, ranking_options(500)), ranking);
    for ranked in &ranking[..20] {
        assert!(opened.occurrences(ranked.string).eq(built.occurrences(ranked.string)));
    }
    let other = GameText::open(&path, &table, TextOptions { scope: TextScope::Whole, ..options });
    assert!(matches!(other, Err(TextOpenError::Other)));
    let selection = Selection { result: Some("B+".into()), ..Selection::default() };
    let collection = Collection::open(&folder.path().join("sample.parquet")).expect("a collection");
    let fewer = GameTable::load(&collection, &selection, SIZE).expect("a table");
    assert!(matches!(GameText::open(&path, &fewer, options), Err(TextOpenError::Other)));
}

type Shape = Vec<(i16, i16)>;

/// The smallest of the eight symmetric images of points, relative to the first point.
fn naive_shape(points: &[Point]) -> Shape {
    let images = Symmetry::ALL.iter().map(|symmetry| {
        let turned: Vec<Point> = points.iter().map(|&p| symmetry.apply(p, SIZE)).collect();
        turned.iter().map(|p| (p.x() as i16 - turned[0].x() as i16, p.y() as i16 - turned[0].y() as i16)).collect()
    });
    images.min().expect("eight images")
}

#[test]
fn variants_match_a_count_of_all_strings() {
    let folder = tempfile::tempdir().expect("a folder");
    let (records, table) = records(folder.path());
    for code in [Code::Simple, Code::Relative] {
        let found = variants(&text(&table, code, TextScope::Whole), &table, &[4, 7], 2);
        for (length, found) in [4, 7].into_iter().zip(found) {
            let mut shapes: BTreeMap<Vec<u16>, (usize, BTreeSet<Shape>)> = BTreeMap::new();
            for record in &records {
                for run in encode(code, &Board::new(SIZE), record.moves.iter().copied()) {
                    for (i, string) in run.symbols.windows(length).enumerate() {
                        let first = run.first_move + i;
                        let points = record.moves[first..first + length].iter().filter_map(|m| m.point);
                        let entry = shapes.entry(string.iter().map(|s| s.0).collect()).or_default();
                        entry.0 += 1;
                        entry.1.insert(naive_shape(&points.collect::<Vec<_>>()));
                    }
                }
            }
            let repeated: Vec<usize> = shapes.into_values().filter(|s| s.0 > 1).map(|s| s.1.len()).collect();
            assert_eq!(found.n_strings, repeated.len() as u64);
            assert_eq!(found.n_shapes, repeated.iter().sum::<usize>() as u64);
            assert_eq!(found.max, repeated.into_iter().max().unwrap_or(0));
        }
    }
}

#[test]
fn plays_are_shown_in_the_upper_right_with_black_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, table) = records(folder.path());
    let text = text(&table, Code::Relative, TextScope::Local);
    let [.., measure] = Measure::all();
    let ranking = measure.rank(&text, ranking_options(2000));
    let distinct = without_redundant(&text, &by_completeness(&text, &table, &ranking, 2), 5);
    assert!(distinct.len() < ranking.len());
    let found = sequences_of(&text, &table, &distinct[..30], 2);
    assert_eq!(found.len(), 30);
    for play in &found {
        let n = play.continuations.n_played;
        assert_eq!(n, play.ranked.string.count());
        assert_eq!(play.moves[0].color, Color::Black);
        assert!(play.moves.windows(2).all(|pair: &[Move]| pair[0].color != pair[1].color));
        assert!(play.n_games <= n && play.n_same_around <= n && play.continuations.n_tenuki <= n);
        let n_followed: usize = play.continuations.continuations.iter().map(|next| next.1).sum();
        assert!(n_followed + play.continuations.n_tenuki <= n);
        let points: Vec<Point> = play.moves.iter().filter_map(|m| m.point).collect();
        let from_corner = |p: &Point| 18 - p.x() as u32 + p.y() as u32;
        let cost: u32 = points.iter().map(from_corner).sum();
        for symmetry in Symmetry::ALL {
            assert!(points.iter().map(|&p| from_corner(&symmetry.apply(p, SIZE))).sum::<u32>() >= cost);
        }
    }
}

#[test]
fn a_game_is_not_counted_against_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut records, table) = records(folder.path());
    let text = text(&table, Code::Relative, TextScope::Whole);
    let record = &mut records[3];
    let own = profile_of(&text, record, 6, 6.0);
    assert_eq!((own.n_copies, own.counts.len()), (1, record.moves.len()));
    assert!(matches!(own.novelty, Novelty::New { .. }), "{:?}", own.novelty);
    // With another last move, it is a new game, and its copy is a game with the same beginning.
    let last = record.moves.pop().expect("a move");
    let corner = Point::new(0, 0);
    let other = if last.point == Some(corner) { Point::new(18, 0) } else { corner };
    record.moves.push(Move { point: Some(other), ..last });
    let changed = profile_of(&text, record, 6, 6.0);
    assert_eq!(changed.n_copies, 0);
    assert_eq!(changed.novelty, Novelty::New { n_known: record.moves.len() - 1, n_alike: 1 });
    // A beginning is not a copy of the games that continue it, and the result does not depend on its orientation.
    record.moves.truncate(4);
    let novelties = Symmetry::ALL.map(|symmetry| {
        let mut twin = record.clone();
        twin.moves.iter_mut().for_each(|m| m.point = m.point.map(|p| symmetry.apply(p, SIZE)));
        profile_of(&text, &twin, 3, 6.0).novelty
    });
    let Novelty::None { n_alike } = novelties[0] else { panic!("{:?}", novelties[0]) };
    let line: Vec<Point> = record.moves.iter().filter_map(|m| m.point).collect();
    let at_the_start = find_line(&text, &table, &line).places.iter().filter(|place| place.1 == 0).count();
    assert_eq!(n_alike, at_the_start);
    assert!(novelties.iter().all(|novelty| *novelty == novelties[0]), "{novelties:?}");
    // After a pass there is nothing to compare with, and setup stones make another game.
    record.moves.push(Move { color: record.moves[0].color, point: None });
    assert_eq!(profile_of(&text, record, 3, 6.0).novelty, Novelty::Unknown { n_known: 4 });
    record.setup_black.push(corner);
    assert_eq!(profile_of(&text, record, 3, 6.0).novelty, Novelty::Unknown { n_known: 0 });
}
