//! Groups of features, by what they look at.

use crate::patterns::linear::FeatureLists;

/// What speaks for a move, or against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
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

impl Reason {
    /// Of the features that every move has: small ones, the number of templates, shapes.
    pub(crate) const OF_FIXED: [Reason; FeatureLists::N_FIXED] = {
        use Reason::{Answer, Corner, Liberties, Order, Pattern, Place, Tactics};
        [
            Order, Place, Tactics, Tactics, Tactics, Tactics, Liberties, Tactics, Tactics, Answer, Place, Place,
            Order,   //
            Pattern, //
            Liberties, Liberties, Answer, Answer, Answer, Answer, Answer, Answer, Corner, Corner, Order, Order, Answer,
            Answer, Order, Order,
        ]
    };

    /// All of them.
    pub const ALL: [Reason; 8] = [
        Reason::Pattern,
        Reason::Liberties,
        Reason::Answer,
        Reason::Corner,
        Reason::Order,
        Reason::Tactics,
        Reason::Place,
        Reason::Trees,
    ];

    /// The reason of the n-th feature of a move; behind those that every move has come templates.
    pub(crate) fn of(n: usize) -> Reason {
        Reason::OF_FIXED.get(n).copied().unwrap_or(Reason::Pattern)
    }

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Pattern => "pattern",
            Reason::Liberties => "liberties",
            Reason::Answer => "answer",
            Reason::Corner => "corner",
            Reason::Order => "order",
            Reason::Tactics => "tactics",
            Reason::Place => "place",
            Reason::Trees => "trees",
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Pattern => "the stones around it",
            Reason::Liberties => "liberties, captures and ataris",
            Reason::Answer => "as an answer to the last move",
            Reason::Corner => "what stands in the corner",
            Reason::Order => "where the last moves were",
            Reason::Tactics => "captures, ataris and ko",
            Reason::Place => "its place on the board",
            Reason::Trees => "all of this together",
        }
    }
}
