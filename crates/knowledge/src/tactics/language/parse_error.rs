//! Why a text is no mapping: where, what stood there, what would be right.

use std::fmt;

/// Operators inside each other, written or by name.
pub(crate) const MAX_DEPTH: usize = 200;
/// Operators and leaves when all names are replaced by what they stand for.
pub(crate) const MAX_SIZE: usize = 100_000;

/// Why a text is no mapping, library or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMappingError {
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// What stood there; empty at the end of the text.
    pub found: String,
    /// What is wrong with it; shown as what would be right.
    pub fault: MappingFault,
    /// A name that looks like the one that stood there.
    pub near: Option<String>,
}

/// What is wrong at a place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MappingFault {
    /// No set begins here.
    #[error("a set begins with B, W, O, P, LAST, LAST2, a name, `!`, `(` or a function such as `Adj_1(B)`")]
    NoOperand,
    /// Neither an operator nor the end.
    #[error("join sets by `&`, `|`, `-` or `^`, and end definitions by a new line or `;`")]
    NoOperator,
    /// A name that stands for nothing.
    #[error("no set has this name; define it before, as `let NAME = SET`")]
    UnknownName,
    /// A function without its parentheses.
    #[error("functions have their arguments in parentheses, as `Adj_1(B)`, `near(2, B)`, `line(3)`")]
    NoArguments,
    /// A comma belongs here.
    #[error("a `,` is missing")]
    NoComma,
    /// A whole number belongs here.
    #[error("a whole number belongs here")]
    NoNumber,
    /// The number is none of those from first to last.
    #[error("numbers go from {0} to {1}")]
    NotBetween(u8, u8),
    /// Chains of five liberties and more are not told apart.
    #[error("numbers go from 1 to 4; `Pre_5(EMPTY) - EMPTY` is five liberties or more")]
    ManyLiberties,
    /// A parenthesis of the same line, at this column, is never closed.
    #[error("a `)` is missing for the `(` at column {0}")]
    NoClosing(usize),
    /// A parenthesis at this line and column is never closed.
    #[error("a `)` is missing for the `(` at line {0}, column {1}")]
    NoClosingBelow(usize, usize),
    /// It closes nothing.
    #[error("no `(` is open here")]
    NoOpening,
    /// `let` needs a name.
    #[error("a name has letters, digits and `_`, and begins with a letter")]
    NoName,
    /// `let NAME` needs `=`.
    #[error("write `let NAME = SET`")]
    NoEquals,
    /// The name is a word of the language.
    #[error("it is a word of the language; take another name")]
    Reserved,
    /// The name was defined before, in this line.
    #[error("line {0} has defined this name already")]
    DefinedTwice(usize),
    /// A library has nothing but definitions.
    #[error("a library has lines `let NAME = SET  # words` and nothing else")]
    NoDefinition,
    /// Conditions are joined by `and`.
    #[error("join sets by `&`, `|`, `-` or `^`, and conditions by `and`")]
    NoAnd,
    /// `played` needs `in`, and `not` needs both.
    #[error("write `played in SET` or `not played in SET`; `no SET` is for sets without points")]
    NoPlayedIn,
    /// `count` needs a comparison.
    #[error("compare with a number by `>=`, `<=`, `=`, `<` or `>`")]
    NoComparison,
    /// Parts inside parts inside parts.
    #[error("at most {MAX_DEPTH} operators may stand inside each other")]
    TooDeep,
    /// More parts than anybody can read.
    #[error("a set may have at most {MAX_SIZE} parts, with all names spelled out")]
    TooLarge,
}

impl ParseMappingError {
    /// What would be right.
    pub fn hint(&self) -> String {
        self.near.as_ref().map_or_else(|| self.fault.to_string(), |near| format!("did you mean `{near}`?"))
    }
}

impl fmt::Display for ParseMappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match self.found.as_str() {
            "" => f.write_str("the text ends here; ")?,
            found => write!(f, "found `{found}`; ")?,
        }
        f.write_str(&self.hint())
    }
}

impl std::error::Error for ParseMappingError {}

/// The name that takes the fewest changed letters, if that is few for its length.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let word: Vec<char> = word.to_lowercase().chars().take(MAX_NAME).collect();
    let distance = |name: &str| edit_distance(&word, &name.to_lowercase().chars().collect::<Vec<_>>());
    let (distance, name) = names.map(|name| (distance(name), name)).min()?;
    (distance <= word.len().max(2) / 3).then(|| name.to_string())
}

/// Longer words are compared by their beginnings.
const MAX_NAME: usize = 60;

/// Letters to add, drop or change (Levenshtein), or to exchange with the next one.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let changed = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
