//! Sets of points discovered in the sample games, and their predictive value.

use tejun_games::go::BoardSize;
use tejun_knowledge::corpus::{Collection, GameTable, Selection, write_sample};
use tejun_knowledge::predictor::{Predictor, for_each_situation, measure};
use tejun_knowledge::search::PlainPredictor;
use tejun_knowledge::tactics::{
    DiscoverOptions, Library, Mapping, Search, TacticModel, TacticPosition, Trial, Weighted,
};

/// Every n-th game of the sample.
fn sample(n: usize) -> GameTable {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sample.parquet");
    write_sample(&path).expect("the sample is sound");
    let collection = Collection::open(&path).expect("a collection");
    GameTable::load(&collection, &Selection::default(), BoardSize::NINETEEN).expect("a table").split(n).1
}

fn options(n_threads: usize) -> DiscoverOptions {
    DiscoverOptions {
        n_mappings: 12,
        n_choices: 600,
        n_enumerated: 500,
        n_mutations: 10,
        n_threads,
        ..DiscoverOptions::default()
    }
}

fn discover(games: &GameTable, options: &DiscoverOptions) -> Vec<Weighted> {
    let mut search = Search::new(games, Library::standard(), options, None);
    let mut likelihood = search.likelihood();
    while search.n_kept() < options.n_mappings && search.step() {
        assert!(search.likelihood() > likelihood, "every step helps");
        likelihood = search.likelihood();
    }
    search.finish(games, None)
}

#[test]
fn discovered_sets_predict_held_out_games() {
    let (learned, held_out) = sample(8).split(5);
    let weighted = discover(&learned, &options(2));
    assert_eq!(weighted.len(), 12);
    assert!(weighted.iter().all(|weighted| weighted.mapping.depth() <= options(1).max_depth));
    let model = TacticModel { weighted: weighted.clone() };
    let make = || -> Vec<Box<dyn Predictor + '_>> { vec![Box::new(model.predictor(None)), Box::new(PlainPredictor)] };
    let scores = measure(&held_out, 2, make);
    // At random, the move is among the first ten of about 250 points in 4 of 100 positions.
    assert!(scores[0].top_shares()[2] > 0.3, "{:?}", scores[0].top_shares());
    // A base is extended, not replaced: the combination knows what the sets know.
    let on_plain =
        || -> Vec<Box<dyn Predictor + '_>> { vec![Box::new(model.predictor(Some(Box::new(PlainPredictor))))] };
    let joined = &measure(&held_out, 2, on_plain)[0];
    assert!(joined.top_shares()[2] > scores[1].top_shares()[2], "{:?}", joined.top_shares());
    // The number of threads does not matter.
    assert_eq!(discover(&learned, &options(1)), weighted);
}

#[test]
fn measures_match_a_naive_walk() {
    let games = sample(40);
    let library = Library::standard();
    let texts = ["capture", "Adj_1(LAST)", "legal", "NONE"];
    let mappings: Vec<Mapping> = texts.iter().map(|text| library.mapping(text).expect("a mapping")).collect();
    // More than there are, so every move of every game is used.
    let trial = Trial::new(&games, 100_000, 1, 2);
    let measured = trial.measure(&mappings);
    let mut naive = vec![(0, 0); mappings.len()];
    let mut n_moves = 0;
    let mut is_covered = Vec::new();
    for game in 0..games.n_games() {
        for_each_situation(&games, game, |_, situation, played| {
            let mut position = TacticPosition::of_board(situation.board, situation.color);
            let mut last = situation.moves.iter().rev().map(|m| m.point);
            position.last = [last.next().flatten(), last.next().flatten()];
            let values: Vec<_> = mappings.iter().map(|mapping| position.value(mapping)).collect();
            for (value, (n_played, n_selected)) in values.iter().zip(&mut naive) {
                *n_played += usize::from(value.contains(situation.legal[played]));
                *n_selected += situation.legal.iter().filter(|&&point| value.contains(point)).count() as u64;
            }
            is_covered.push([0, 1].map(|i| values[i].contains(situation.legal[played])));
            n_moves += 1;
        });
    }
    for ((text, measured), (n_played, n_selected)) in texts.iter().zip(&measured).zip(&naive) {
        assert_eq!(
            (measured.n_moves, measured.n_played, measured.n_selected),
            (n_moves, *n_played, *n_selected),
            "{text}"
        );
    }
    // All legal moves except a ko that may not be retaken.
    assert!((measured[2].lift() - 1.0).abs() < 0.001, "{}", measured[2].lift());
    assert!(measured[0].lift() > 5.0, "captures are played: {}", measured[0].lift());
    // Sets that select few points, the one that adds most first.
    assert_eq!(trial.cover(&mappings, 5, 10.0), [1, 0]);
    // Sets that do not beat a random choice are excluded, however many points are allowed.
    assert_eq!(trial.cover(&mappings, 5, 400.0), [1, 0]);
    let both = is_covered.iter().filter(|covered| covered.contains(&true)).count();
    let together = trial.together(&[mappings[1].clone(), mappings[0].clone()]);
    assert!((together[0] - measured[1].coverage()).abs() < 1e-9);
    assert!((together[1] - both as f64 / n_moves as f64).abs() < 1e-9);
    // A set with a name is found by its name.
    let again = library.mapping("EMPTY & Suc_1(H & OPP)").expect("a mapping");
    let names = trial.names(&[again], library);
    let (named, likeness) = names[0].expect("a name");
    assert_eq!((named.name.as_str(), likeness), ("capture", 1.0));
}
