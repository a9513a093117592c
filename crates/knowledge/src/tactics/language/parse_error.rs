//! Why a text is not a mapping: the place, the text found there, and the expected text.

use std::fmt;

/// Maximum depth of nested operators, with names expanded.
pub(crate) const MAX_DEPTH: usize = 200;
/// Maximum number of operators and leaves, with names expanded.
pub(crate) const MAX_SIZE: usize = 100_000;

/// Why a text is not a valid mapping, library or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMappingError {
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// The text found there; empty at the end of the text.
    pub found: String,
    /// The problem; its message describes the expected text.
    pub fault: MappingFault,
    /// A known name that is similar to the one found.
    pub near: Option<String>,
}

/// A problem at one place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MappingFault {
    /// A set was expected.
    #[error("a set starts with B, W, O, P, LAST, LAST2, a name, `!`, `(` or a function such as `Adj_1(B)`")]
    NoOperand,
    /// Neither an operator nor the end.
    #[error("join sets with `&`, `|`, `-` or `^`, and end definitions with a line break or `;`")]
    NoOperator,
    /// An unknown name.
    #[error("unknown name; define it first with `let NAME = SET`")]
    UnknownName,
    /// A function without parentheses.
    #[error("put the arguments of functions in parentheses, as in `Adj_1(B)`, `near(2, B)`, `line(3)`")]
    NoArguments,
    /// A comma was expected.
    #[error("a `,` is missing")]
    NoComma,
    /// A whole number was expected.
    #[error("expected a whole number")]
    NoNumber,
    /// The number is outside the range.
    #[error("the number must be from {0} to {1}")]
    NotBetween(u8, u8),
    /// Chains with five or more liberties are not distinguished.
    #[error("the number must be from 1 to 4; for five or more liberties, use `Pre_5(EMPTY) - EMPTY`")]
    ManyLiberties,
    /// A parenthesis of the same line, at this column, is never closed.
    #[error("a `)` is missing for the `(` at column {0}")]
    NoClosing(usize),
    /// A parenthesis at this line and column is never closed.
    #[error("a `)` is missing for the `(` at line {0}, column {1}")]
    NoClosingBelow(usize, usize),
    /// A closing parenthesis without an opening one.
    #[error("no open `(` to close")]
    NoOpening,
    /// `let` needs a name.
    #[error("a name consists of letters, digits and `_`, and starts with a letter")]
    NoName,
    /// `let NAME` needs `=`.
    #[error("write `let NAME = SET`")]
    NoEquals,
    /// The name is a reserved word.
    #[error("this is a reserved word; choose another name")]
    Reserved,
    /// The name is already defined, in this line.
    #[error("this name is already defined in line {0}")]
    DefinedTwice(usize),
    /// A library contains only definitions.
    #[error("a library may contain only lines like `let NAME = SET  # description`")]
    NoDefinition,
    /// Conditions are joined by `and`.
    #[error("join sets with `&`, `|`, `-` or `^`, and conditions with `and`")]
    NoAnd,
    /// `played` needs `in`, and `not` needs both.
    #[error("write `played in SET` or `not played in SET`; `no SET` is for sets without points")]
    NoPlayedIn,
    /// `count` needs a comparison.
    #[error("compare with a number using `>=`, `<=`, `=`, `<` or `>`")]
    NoComparison,
    /// Too many nested operators.
    #[error("operators may be nested at most {MAX_DEPTH} deep")]
    TooDeep,
    /// Too many parts.
    #[error("a set may have at most {MAX_SIZE} parts, with all names expanded")]
    TooLarge,
}

impl ParseMappingError {
    /// Describes the expected text.
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

/// The most similar name, if it is similar enough.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let word: Vec<char> = word.to_lowercase().chars().take(MAX_NAME).collect();
    let distance = |name: &str| edit_distance(&word, &name.to_lowercase().chars().collect::<Vec<_>>());
    let (distance, name) = names.map(|name| (distance(name), name)).min()?;
    (distance <= word.len().max(2) / 3).then(|| name.to_string())
}

/// Only the start of longer words is compared.
const MAX_NAME: usize = 60;

/// Number of letters to add, drop, change (Levenshtein) or swap with the next one.
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
