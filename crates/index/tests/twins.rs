//! Every fast answer of the index compared with a slow one that can hardly be wrong.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use proptest::prelude::*;
use tejun_index::{BuildOptions, Index, Neighbor, PositionWidth, Symbol, TextBuilder};

type Segments = Vec<Vec<u16>>;

fn build(segments: &Segments, width: PositionWidth) -> Index {
    let mut text = TextBuilder::new();
    for segment in segments {
        text.push_segment(symbols(segment)).expect("valid symbols");
    }
    let threads = NonZeroU16::new(2).expect("not zero");
    Index::build(text.finish(), BuildOptions { threads, width }).expect("enough memory")
}

fn symbols(values: &[u16]) -> Vec<Symbol> {
    values.iter().copied().map(Symbol).collect()
}

/// Where each distinct string occurs: text position, neighbor before, neighbor after.
type Naive = BTreeMap<Vec<u16>, Vec<(usize, Neighbor, Neighbor)>>;

fn all_substrings(segments: &Segments) -> Naive {
    let mut found = Naive::new();
    let mut start_of_segment = 0;
    for segment in segments {
        let at = |offset: Option<usize>, border| {
            let symbol = offset.and_then(|offset| segment.get(offset));
            symbol.map_or(border, |&value| Neighbor::Symbol(Symbol(value)))
        };
        for start in 0..segment.len() {
            let before = at(start.checked_sub(1), Neighbor::SegmentStart);
            for end in start..=segment.len() {
                let after = at(Some(end), Neighbor::SegmentEnd);
                let place = (start_of_segment + start, before, after);
                found.entry(segment[start..end].to_vec()).or_default().push(place);
            }
        }
        start_of_segment += segment.len() + usize::from(!segment.is_empty());
    }
    found
}

fn tally(neighbors: impl Iterator<Item = Neighbor>) -> Vec<(Neighbor, usize)> {
    let mut counts = BTreeMap::new();
    neighbors.for_each(|neighbor| *counts.entry(neighbor).or_insert(0) += 1);
    counts.into_iter().collect()
}

/// Asks the index everything about every substring and compares.
#[track_caller]
fn check(index: &Index, segments: &Segments) {
    let naive = all_substrings(segments);
    for (string, places) in &naive {
        check_string(index, string, places);
    }
    check_repeats(index, &naive);
    check_windows(index, segments, &naive);
    for absent in [&[9][..], &[0, 9], &[u16::MAX], &[0, u16::MAX]] {
        assert_eq!(index.count(&symbols(absent)), 0, "{absent:?}");
    }
}

#[track_caller]
fn check_string(index: &Index, string: &[u16], places: &[(usize, Neighbor, Neighbor)]) {
    let found = index.find(&symbols(string)).expect("it occurs");
    assert_eq!(found.count(), places.len(), "{string:?}");
    assert_eq!(found.len() as usize, string.len());
    assert_eq!(index.symbols(found).collect::<Vec<_>>(), symbols(string));
    let mut positions: Vec<_> = index.occurrences(found).collect();
    positions.sort_unstable();
    assert_eq!(positions, places.iter().map(|place| place.0).collect::<Vec<_>>());
    assert_eq!(index.preceding(found), tally(places.iter().map(|place| place.1)), "{string:?}");
    assert_eq!(tally(index.preceding_each(found)), index.preceding(found));
    let following: Vec<_> = index.following(found).map(|next| (next.neighbor, next.count)).collect();
    assert_eq!(following, tally(places.iter().map(|place| place.2)), "{string:?}");
    for next in index.following(found) {
        let extended = match next.neighbor {
            Neighbor::Symbol(symbol) => index.extend(found, symbol),
            _ => None,
        };
        assert_eq!(next.extended, extended);
    }
    assert_eq!(index.extend(found, Symbol(9)), None);
    let walked =
        symbols(string).into_iter().try_fold(index.empty_string(), |so_far, symbol| index.extend(so_far, symbol));
    assert_eq!(walked, Some(found));
}

#[track_caller]
fn check_repeats(index: &Index, naive: &Naive) {
    let expected = naive.iter().filter(|(string, places)| !string.is_empty() && places.len() > 1);
    let expected: BTreeMap<_, _> = expected.map(|(string, places)| (symbols(string), places.len())).collect();
    let mut listed = BTreeMap::new();
    for class in index.repeats() {
        assert!(
            index.following(class.longest()).count() > 1
                || index.following(class.longest()).all(|next| next.neighbor == Neighbor::SegmentEnd)
        );
        for string in class.lengths().filter_map(|len| class.with_len(len)) {
            let before = listed.insert(index.symbols(string).collect(), string.count());
            assert_eq!(before, None, "listed twice");
        }
    }
    assert_eq!(listed, expected);
    for n_parts in [1, 2, 3, 7] {
        let parts = index.repeats_in_parts(n_parts);
        assert!(parts.len() <= n_parts);
        assert!(parts.into_iter().flatten().eq(index.repeats()), "{n_parts} parts");
    }
    for length in 1..5 {
        let listed: Vec<(Vec<u16>, usize)> =
            index.ngrams(length).map(|s| (index.symbols(s).map(|s| s.0).collect(), s.count())).collect();
        let expected = naive.iter().filter(|(string, _)| string.len() == length as usize);
        assert_eq!(listed, expected.map(|(string, places)| (string.clone(), places.len())).collect::<Vec<_>>());
    }
    let ngrams = index.ngram_counts();
    for (len, (&distinct, &repeated)) in ngrams.distinct.iter().zip(&ngrams.repeated).enumerate() {
        let of_len = naive.iter().filter(|(string, _)| len > 0 && string.len() == len);
        assert_eq!(distinct, of_len.count() as u64, "length {len}");
        assert_eq!(repeated, expected.keys().filter(|string| string.len() == len).count() as u64);
    }
    let n_nonempty = naive.keys().filter(|string| !string.is_empty()).count();
    assert_eq!(ngrams.total_distinct(), n_nonempty as u64);
    assert_eq!(ngrams.total_repeated(), expected.len() as u64);
}

#[track_caller]
fn check_windows(index: &Index, segments: &Segments, naive: &Naive) {
    for width in 0..9 {
        let mut expected = Vec::new();
        for segment in segments {
            for start in 0..segment.len() {
                let window = segment.get(start..start + width);
                expected.push(window.map_or(0, |window| naive[window].len() as u32));
            }
            expected.extend((!segment.is_empty()).then_some(0));
        }
        assert_eq!(index.window_counts(width as u32), expected, "width {width}");
    }
}

fn segments() -> impl Strategy<Value = Segments> {
    let symbol = prop_oneof![8 => 0..3_u16, 1 => Just(65_534_u16)];
    prop::collection::vec(prop::collection::vec(symbol, 0..14), 0..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn answers_equal_the_naive_ones(segments in segments()) {
        check(&build(&segments, PositionWidth::Fitting), &segments);
    }

    #[test]
    fn wide_positions_answer_alike(segments in segments()) {
        check(&build(&segments, PositionWidth::Wide), &segments);
    }

    #[test]
    fn a_saved_index_answers_alike(segments in segments(), label in prop::collection::vec(0..=255_u8, 0..9)) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("some.index");
        for width in [PositionWidth::Fitting, PositionWidth::Wide] {
            build(&segments, width).with_label(label.clone()).save(&path).expect("writable");
            let opened = Index::open_checked(&path).expect("just saved");
            prop_assert_eq!(opened.label(), &label);
            check(&opened, &segments);
        }
    }
}

/// Runs longer than what is read one by one before galloping.
#[test]
fn frequent_strings_are_counted_in_full() {
    let segments: Segments = (0..9).map(|nth| [nth % 2, 1, 1, 2].repeat(20 + usize::from(nth))).collect();
    check(&build(&segments, PositionWidth::Fitting), &segments[..].to_vec());
}

#[test]
fn symbol_counts_add_up_to_the_text() {
    let segments = vec![vec![5, 5, 2], vec![], vec![2, 5, 65_534]];
    let index = build(&segments, PositionWidth::Fitting);
    let counts: Vec<_> = index.symbol_counts().map(|(symbol, count)| (symbol.0, count)).collect();
    assert_eq!(counts, [(2, 2), (5, 3), (65_534, 1)]);
}

#[test]
fn a_text_without_symbols_has_no_strings() {
    for segments in [vec![], vec![vec![]], vec![vec![], vec![]]] {
        let index = build(&segments, PositionWidth::Fitting);
        check(&index, &segments);
        assert_eq!(index.empty_string().count(), 0);
        assert_eq!(index.repeats().count(), 0);
    }
}
