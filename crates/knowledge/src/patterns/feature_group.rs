//! Groups of features, by what they look at.

use crate::patterns::linear::FeatureLists;

/// What speaks for a move, or against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureGroup {
    /// The stones around it, in templates of growing size.
    Pattern,
    /// The stones around it with their liberties.
    Liberties,
    /// The stones around it together with the last move.
    Answer,
    /// What stands in its corner of the board.
    Corner,
    /// Where the last moves were.
    Order,
    /// Captures, ataris, ko.
    Tactics,
    /// Its line and place, and how near stones are.
    Place,
    /// What the trees say of it besides.
    Trees,
}

impl FeatureGroup {
    /// Of the features that every move has: small ones, the number of templates, shapes.
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

    /// All of them.
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

    /// The reason of the n-th feature of a move; behind those that every move has come templates.
    pub(crate) fn of(n: usize) -> FeatureGroup {
        FeatureGroup::OF_FIXED.get(n).copied().unwrap_or(FeatureGroup::Pattern)
    }

    /// Its name in options.
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

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            FeatureGroup::Pattern => "the stones around it",
            FeatureGroup::Liberties => "liberties, captures and ataris",
            FeatureGroup::Answer => "as an answer to the last move",
            FeatureGroup::Corner => "what stands in the corner",
            FeatureGroup::Order => "where the last moves were",
            FeatureGroup::Tactics => "captures, ataris and ko",
            FeatureGroup::Place => "its place on the board",
            FeatureGroup::Trees => "all of this together",
        }
    }
}
