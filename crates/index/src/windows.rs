//! How often the window at each position occurs.

use crate::index::{Index, IndexView};
use crate::section::PositionSlice;

impl Index {
    /// For every position the count of the string of `width` symbols that
    /// begins there; 0 where it would cross the segment's end, and at separators.
    ///
    /// A count beyond `u32::MAX` is given as `u32::MAX`. Costs one pass over
    /// the suffixes and 4 bytes per position for the answer.
    #[must_use]
    pub fn window_counts(&self, width: u32) -> Vec<u32> {
        let view = self.view();
        let mut counts = vec![0; view.stored.len()];
        let positions = view.positions.within(self.empty_string().ranks());
        match positions {
            PositionSlice::Narrow(positions) => {
                fill_runs(view, width, &mut counts, positions, |&position| position as usize);
            }
            PositionSlice::Wide(positions) => {
                fill_runs(view, width, &mut counts, positions, |&position| position as usize);
            }
        }
        self.clear_short_windows(width, &mut counts);
        counts
    }

    /// The last windows of a segment are too short to be counted. Cleared in
    /// text order, because in suffix order the length of a suffix is unknown.
    fn clear_short_windows(&self, width: u32, counts: &mut [u32]) {
        let starts: &[u64] = &self.text.starts;
        for pair in starts.windows(2) {
            let (start, next) = (pair[0] as usize, pair[1] as usize);
            let first_short = next.saturating_sub(width as usize).max(start);
            counts.get_mut(first_short..next).unwrap_or_default().fill(0);
        }
    }
}

/// Writes the length of each run of suffixes that share `width` symbols to
/// the positions of the run.
fn fill_runs<T>(
    view: IndexView<'_>,
    width: u32,
    counts: &mut [u32],
    positions: &[T],
    to_position: impl Fn(&T) -> usize,
) {
    let common = view.common.get(view.n_separators..).unwrap_or(&[]);
    let mut lo = 0;
    while lo < positions.len() {
        let further = common.get(lo + 1..positions.len()).unwrap_or(&[]);
        let n_more = further.iter().take_while(|&&shared| shared >= width).count();
        let hi = lo + 1 + n_more;
        let count = u32::try_from(hi - lo).unwrap_or(u32::MAX);
        for position in &positions[lo..hi] {
            if let Some(place) = counts.get_mut(to_position(position)) {
                *place = count;
            }
        }
        lo = hi;
    }
}
