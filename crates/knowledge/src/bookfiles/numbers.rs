//! Numbers in the entries of binary books.

/// The bytes of a number in an entry.
///
/// # Panics
/// If the entry ends before the number does: entries are cut to their size first.
#[inline]
pub(crate) fn part<const N: usize>(entry: &[u8], at: usize) -> [u8; N] {
    *entry[at..].first_chunk().expect("entries are cut to their size first")
}
