//! Groups of features, by what they describe.

use crate::patterns::linear::FeatureLists;

/// A group of features that raise or lower the score of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureGroup {
    /// The surrounding stones, in templates of growing size.
    Pattern,
    /// The surrounding stones with their liberties.
    Liberties,
    /// The surrounding stones together with the last move.
    Answer,
    /// The stones in its corner of the board.
    Corner,
    /// The positions of the last moves.
    Order,
    /// Captures, ataris, ko.
    Tactics,
    /// Its line and position, and the distance to the nearest stones.
    Place,
    /// What the trees add to the other groups.
    Trees,
}

impl FeatureGroup {
    /// The groups of the features that every move has: small ones, the number of templates, shapes.
    pub(crate) const OF_FIXED: [FeatureGroup; FeatureLists::N_FIXED] = {
        use FeatureGroup::{Answer, Corner, Liberties, Order, Pattern, Place, Tactics};
        [
            Order, Place, Tactics, Tactics, Tactics, Tactics, Liberties, Tactics, Tactics, Answer, Place, Place,
            Order,   //
            Pattern, //
            Liberties, Liberties, Answer, Answer, Answer, Answer, Answer, Answer, Corner, Corner, Order, Order, Answer,
            Answer, Order, Order,
        ]
    };

    /// All groups.
    pub const ALL: [FeatureGroup; 8] = [
        FeatureGroup::Pattern,
        FeatureGroup::Liberties,
        FeatureGroup::Answer,
        FeatureGroup::Corner,
        FeatureGroup::Order,
        FeatureGroup::Tactics,
        FeatureGroup::Place,
        FeatureGroup::Trees,
    ];

    /// The group of the n-th feature of a move; templates come after the features that every move has.
    pub(crate) fn of(n: usize) -> FeatureGroup {
        FeatureGroup::OF_FIXED.get(n).copied().unwrap_or(FeatureGroup::Pattern)
    }

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            FeatureGroup::Pattern => "pattern",
            FeatureGroup::Liberties => "liberties",
            FeatureGroup::Answer => "answer",
            FeatureGroup::Corner => "corner",
            FeatureGroup::Order => "order",
            FeatureGroup::Tactics => "tactics",
            FeatureGroup::Place => "place",
            FeatureGroup::Trees => "trees",
        }
    }

    /// A short description.
    pub fn words(self) -> &'static str {
        match self {
            FeatureGroup::Pattern => "the surrounding stones",
            FeatureGroup::Liberties => "liberties, captures and ataris",
            FeatureGroup::Answer => "the answer to the last move",
            FeatureGroup::Corner => "the stones in the corner",
            FeatureGroup::Order => "the positions of the last moves",
            FeatureGroup::Tactics => "captures, ataris and ko",
            FeatureGroup::Place => "the position on the board",
            FeatureGroup::Trees => "all features combined (trees)",
        }
    }
}
