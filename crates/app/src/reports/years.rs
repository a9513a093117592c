//! Years on a common axis, several years per bar where games are few.

use std::collections::BTreeMap;

/// The least number of games for which a share is shown: with fewer, a share says little.
pub(crate) const MIN_GAMES: usize = 20;
/// Bars have room for no more than this.
const MAX_BARS: u16 = 100;
/// Years per bar, from fine to coarse.
const WIDTHS: [u16; 8] = [1, 2, 5, 10, 20, 50, 100, 1000];

/// The years that all charts of a page show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YearAxis {
    first: u16,
    last: u16,
    years_per_bar: u16,
    /// Games of each bar; empty if the number of games per year is unknown.
    n_games: Vec<usize>,
}

impl YearAxis {
    /// An axis for shares of the games of each year.
    ///
    /// Bars are as narrow as possible while nine games in ten are in bars with enough games.
    pub(crate) fn of_games(games: &BTreeMap<u16, usize>) -> Option<YearAxis> {
        let (first, last) = ends(games)?;
        let n_all: usize = games.range(first..=last).map(|(_, n)| n).sum();
        let axes = WIDTHS.into_iter().map(|width| {
            let axis = YearAxis { first, last, years_per_bar: width, n_games: Vec::new() };
            YearAxis { n_games: axis.sums(games), ..axis }
        });
        let fitting: Vec<YearAxis> = axes.filter(YearAxis::fits).collect();
        let n_shown = |axis: &YearAxis| -> usize { axis.n_games.iter().filter(|n| **n >= MIN_GAMES).sum() };
        // Of equal maxima, max_by_key takes the last.
        let most = || fitting.iter().rev().max_by_key(|axis| n_shown(axis));
        fitting.iter().find(|axis| 10 * n_shown(axis) >= 9 * n_all).or_else(most).cloned()
    }

    /// An axis for counts, where the number of games of each year is unknown.
    pub(crate) fn of_counts(counts: &BTreeMap<u16, usize>) -> Option<YearAxis> {
        let (first, last) = ends(counts)?;
        let mut axes =
            WIDTHS.into_iter().map(|years_per_bar| YearAxis { first, last, years_per_bar, n_games: Vec::new() });
        axes.find(YearAxis::fits)
    }

    fn fits(&self) -> bool {
        self.n_bars() <= usize::from(MAX_BARS)
    }

    /// The first and the last year with games.
    pub(crate) fn ends(&self) -> (u16, u16) {
        (self.first, self.last)
    }

    pub(crate) fn years_per_bar(&self) -> u16 {
        self.years_per_bar
    }

    pub(crate) fn n_bars(&self) -> usize {
        usize::from(self.last / self.years_per_bar - self.first / self.years_per_bar) + 1
    }

    /// The first and the last year of a bar; bars start at multiples of their width.
    pub(crate) fn bar_years(&self, bar: usize) -> (u16, u16) {
        let start = (usize::from(self.first / self.years_per_bar) + bar) * usize::from(self.years_per_bar);
        let start = u16::try_from(start).unwrap_or(u16::MAX);
        (start, start.saturating_add(self.years_per_bar - 1))
    }

    /// `1965`, or `1965–1969`.
    pub(crate) fn bar_name(&self, bar: usize) -> String {
        match self.bar_years(bar) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}–{last}"),
        }
    }

    /// The bar of a year; nothing if the axis does not show it.
    pub(crate) fn bar_of(&self, year: u16) -> Option<usize> {
        let is_shown = (self.first..=self.last).contains(&year);
        is_shown.then(|| usize::from(year / self.years_per_bar - self.first / self.years_per_bar))
    }

    /// Counts by year as counts by bar.
    pub(crate) fn sums(&self, counts: &BTreeMap<u16, usize>) -> Vec<usize> {
        let mut sums = vec![0; self.n_bars()];
        for (&year, n) in counts {
            if let Some(bar) = self.bar_of(year) {
                sums[bar] += n;
            }
        }
        sums
    }

    /// Whether the number of games of each year is known.
    pub(crate) fn knows_games(&self) -> bool {
        !self.n_games.is_empty()
    }

    /// The games of a bar, if there are enough for shares.
    pub(crate) fn games(&self, bar: usize) -> Option<usize> {
        self.n_games.get(bar).copied().filter(|n| *n >= MIN_GAMES)
    }
}

/// The first and the last year, except for one count in a thousand at the beginning.
///
/// A few very old games would press all others together.
fn ends(counts: &BTreeMap<u16, usize>) -> Option<(u16, u16)> {
    let n_all: usize = counts.values().sum();
    let mut n_before = 0;
    let first = counts.iter().find(|(_, n)| {
        n_before += **n;
        n_before > n_all / 1000
    });
    Some((*first?.0, *counts.keys().next_back()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_games(games: &[(u16, usize)]) -> YearAxis {
        YearAxis::of_games(&games.iter().copied().collect()).expect("there are years")
    }

    #[test]
    fn bars_widen_until_they_have_enough_games() {
        let many: Vec<(u16, usize)> = (1950..1990).map(|year| (year, 20)).collect();
        assert_eq!(of_games(&many).years_per_bar(), 1);
        let few: Vec<(u16, usize)> = (1951..1990).map(|year| (year, 5)).collect();
        let axis = of_games(&few);
        assert_eq!((axis.years_per_bar(), axis.n_bars()), (5, 8));
        assert_eq!((axis.bar_name(0), axis.games(0), axis.games(1)), ("1950–1954".to_string(), Some(20), Some(25)));
        assert_eq!(axis.sums(&BTreeMap::from([(1951, 1), (1954, 2), (1955, 4)]))[..2], [3, 4]);
    }

    #[test]
    fn bars_with_few_games_have_no_share() {
        let axis = of_games(&[(1950, 300), (1951, 19), (1953, 20)]);
        assert_eq!([0, 1, 2, 3].map(|bar| axis.games(bar)), [Some(300), None, None, Some(20)]);
        let axis = of_games(&[(1990, 3)]);
        assert_eq!((axis.bar_name(0), axis.games(0)), ("1990".to_string(), None));
    }

    #[test]
    fn a_few_old_games_do_not_stretch_the_axis() {
        assert_eq!(of_games(&[(1650, 1), (1980, 1000), (1985, 1000)]).ends(), (1980, 1985));
        let counts = BTreeMap::from([(1650, 1), (2020, 1)]);
        let axis = YearAxis::of_counts(&counts).expect("there are years");
        assert_eq!((axis.n_bars(), axis.years_per_bar(), axis.knows_games()), (75, 5, false));
        let counts = BTreeMap::from([(0, 1), (u16::MAX, 1)]);
        assert_eq!(YearAxis::of_counts(&counts).map(|axis| axis.n_bars()), Some(66));
        assert_eq!(YearAxis::of_games(&BTreeMap::new()), None);
    }
}
