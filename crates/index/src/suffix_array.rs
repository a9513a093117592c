//! Sorts the suffixes of a text and measures their common prefixes.
//!
//! The work is done by libsais (Ilya Grebnov; suffix array by induced sorting
//! after Nong, Zhang and Chan 2009, common prefixes after Kärkkäinen, Manzini
//! and Puglisi 2009), in linear time. It runs in the mode for many texts: each
//! separator counts as a letter of its own, so equal suffixes stand in the
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

/// Sorts with 32-bit positions; at its peak 12 bytes a position beside the text.
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

/// Sorts with 64-bit positions; at its peak 20 bytes a position beside the text.
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
