//! Numbers in the entries of binary books.

/// The bytes of a number in an entry.
///
/// # Panics
/// If the entry ends before the number does: entries are cut to their size first.
#[inline]
pub(crate) fn part<const N: usize>(entry: &[u8], at: usize) -> [u8; N] {
    *entry[at..].first_chunk().expect("entries are cut to their size first")
}

/// A weight in sixteen bits, scaled if the heaviest of its position does not fit; one that was not 0 stays so.
pub(crate) fn scaled(weight: u32, heaviest: u32) -> u16 {
    let most = u32::from(u16::MAX);
    if heaviest <= most || weight == 0 {
        return weight.min(most) as u16;
    }
    (u64::from(weight) * u64::from(most) / u64::from(heaviest)).max(1) as u16
}
