//! What the columns of tables about books mean, for the pages.

/// Columns of books.
pub const BOOK_COLUMNS: &[(&str, &str)] = &[
    ("rule", "how the book chooses among its moves"),
    ("positions", "positions that can be reached from the start"),
    ("moves", "moves that can be chosen in these positions"),
    ("moves/position", "mean number of moves per position"),
    ("stored", "positions in the file"),
    ("unreached", "positions in the file that no line of play from the start reaches"),
];

/// Columns of matches of two books.
pub const MATCH_COLUMNS: &[(&str, &str)] = &[
    ("first", "the first player's book"),
    ("second", "the second player's book"),
    ("leaving positions", "positions where the side to move has no book move, so that games leave the books"),
    ("entropy", "entropy of the leaving positions in bits: the higher, the more varied the games"),
    ("effective", "number of equally probable leaving positions with the same entropy"),
    ("Hill 2", "number of equally probable leaving positions with the same probability of a repeated position"),
    ("most probable", "probability of the most probable leaving position"),
    ("plies in book", "mean number of moves before a game leaves the books"),
    ("same position", "probability that two games leave in the same position"),
    ("same moves", "probability that two games leave after the same moves"),
    ("entropy of lines", "entropy of the sequences of moves in bits"),
];

/// Columns by number of moves played.
pub const PLY_COLUMNS: &[(&str, &str)] = &[
    ("ply", "number of moves played"),
    ("in book", "probability that the side to move has a book move"),
    ("positions", "different positions of games that are still in book"),
    ("entropy in book", "entropy of these positions in bits"),
    ("entropy with left", "entropy in bits of the positions of all games, including games that have left the books"),
    ("leaving positions", "positions where games leave the books after this number of moves"),
    ("leaving", "probability that a game leaves the books after this number of moves"),
];

/// Columns of expected results.
pub const EXPECTATION_COLUMNS: &[(&str, &str)] = &[
    ("leaving positions", "positions where games leave the books"),
    ("evaluated", "share of games that leave in a position with a value"),
    ("mean value", "mean value for the first player; a pawn is 100"),
    ("deviation", "standard deviation of the values"),
    ("win rate", "mean win rate of the first player"),
    ("of the mean", "win rate of the mean value"),
];
