//! Sorts the suffixes of a text and measures their common prefixes.
//!
//! The work is done by libsais (Ilya Grebnov; suffix array by induced sorting
//! after Nong, Zhang and Chan 2009, common prefixes after Kärkkäinen, Manzini
//! and Puglisi 2009), in linear time. It runs in the mode for many texts: each
//! separator counts as a letter of its own, so equal suffixes are in the
//! order of the text and no common prefix holds a separator.

use libsais::{LibsaisError, SuffixArrayConstruction, ThreadCount};

use crate::section::{PositionSection, Section};

/// Suffixes in order, and how much each shares with the one before it.
pub(crate) struct SortedSuffixes {
    pub(crate) positions: PositionSection,
    pub(crate) common: Vec<u32>,
}

/// The longest text whose positions fit in 32 bits for the sorter.
pub(crate) const MAX_NARROW_POSITIONS: usize = i32::MAX as usize;

/// Sorts with 32-bit positions; at its peak 12 bytes per position in addition to the text.
pub(crate) fn sort_narrow(stored: &[u16], threads: ThreadCount) -> Result<SortedSuffixes, LibsaisError> {
    if stored.is_empty() {
        return Ok(SortedSuffixes {
            positions: PositionSection::Narrow(Section::Owned(Vec::new())),
            common: Vec::new(),
        });
    }
    let (positions, common, _, _) = SuffixArrayConstruction::for_text(stored)
        .in_owned_buffer32()
        .multi_threaded(threads)
        .generalized_suffix_array()
        .run()?
        .plcp_construction()
        .multi_threaded(threads)
        .run()?
        .lcp_construction()
        .multi_threaded(threads)
        .run()?
        .into_parts();
    // Neither array holds a negative number, so the bits read the same unsigned.
    Ok(SortedSuffixes {
        positions: PositionSection::Narrow(Section::Owned(bytemuck::cast_vec(positions))),
        common: bytemuck::cast_vec(common),
    })
}

/// Sorts with 64-bit positions; at its peak 20 bytes per position in addition to the text.
pub(crate) fn sort_wide(stored: &[u16], threads: ThreadCount) -> Result<SortedSuffixes, LibsaisError> {
    if stored.is_empty() {
        return Ok(SortedSuffixes { positions: PositionSection::Wide(Section::Owned(Vec::new())), common: Vec::new() });
    }
    let (positions, common_by_position, _) = SuffixArrayConstruction::for_text(stored)
        .in_owned_buffer64()
        .multi_threaded(threads)
        .generalized_suffix_array()
        .run()?
        .plcp_construction()
        .multi_threaded(threads)
        .run()?
        .into_parts();
    // Gathered here and not by libsais, which would use 64 bits for each: a
    // common prefix lies within a segment, whose length fits in 32.
    let common = positions.iter().map(|&position| common_by_position[position as usize] as u32);
    let common = common.collect();
    Ok(SortedSuffixes { positions: PositionSection::Wide(Section::Owned(bytemuck::cast_vec(positions))), common })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Suffixes up to their separator, sorted; equal ones in the order of the text.
    fn naive(stored: &[u16]) -> (Vec<usize>, Vec<u32>) {
        let suffix = |start: usize| stored[start..].split(|&value| value == 0).next();
        let mut positions: Vec<usize> = (0..stored.len()).collect();
        positions.sort_by_key(|&start| (suffix(start), start));
        let shared = |pair: &[usize]| {
            let both = suffix(pair[0]).into_iter().flatten().zip(suffix(pair[1]).into_iter().flatten());
            both.take_while(|(a, b)| a == b).count() as u32
        };
        let common = std::iter::once(0).chain(positions.windows(2).map(shared));
        let common = common.take(stored.len()).collect();
        (positions, common)
    }

    /// A text never has a separator at its start or two in a row.
    fn without_empty_segments(mut stored: Vec<u16>) -> Vec<u16> {
        stored.insert(0, 0);
        stored.dedup_by(|value, before| *value == 0 && *before == 0);
        stored.split_off(1)
    }

    #[track_caller]
    fn check(stored: &[u16], n_threads: u16) {
        let (positions, common) = naive(stored);
        for sort in [sort_narrow, sort_wide] {
            let sorted = sort(stored, ThreadCount::fixed(n_threads)).expect("enough memory");
            assert_eq!(sorted.positions.as_positions().iter().collect::<Vec<_>>(), positions);
            assert_eq!(sorted.common, common);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        #[test]
        fn suffixes_are_sorted_within_their_segments(
            mut stored in prop::collection::vec(prop_oneof![0..4_u16, Just(u16::MAX)], 0..60)
        ) {
            stored.push(0);
            check(&without_empty_segments(stored), 1);
        }
    }

    #[test]
    fn an_empty_text_has_no_suffixes() {
        check(&[], 2);
    }

    #[test]
    fn two_threads_sort_as_one_does() {
        // Long enough for the sorter to use its threads, repetitive enough to
        // need them: 100,000 values with segments of uneven length.
        let stored: Vec<u16> = (0..100_000_u64)
            .map(|at| if at % 37 == 36 || at % 101 == 100 { 0 } else { (at * at / 7 % 5 + 1) as u16 })
            .chain([0])
            .collect();
        check(&without_empty_segments(stored), 2);
    }
}
