//! Named mappings.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use crate::tactics::language::forms;
use crate::tactics::language::mapping::Mapping;
use crate::tactics::language::parse::{MAX_LINE, MappingParser, SizedMapping};
use crate::tactics::language::parse_error::{MAX_DEPTH, MAX_SIZE, MappingFault, ParseMappingError};
use crate::tactics::language::tokens::TokenKind;
use crate::tactics::normal::{normal_form, simplify};

/// Mappings by name, in the order of their definitions.
///
/// ```
/// use tejun_knowledge::tactics::Library;
/// let library = Library::standard().with("let mine = capture & near(2, LAST)  # captures near the last move")?;
/// let mapping = library.mapping("mine - BORDER")?;
/// assert_eq!(library.print(&mapping), "mine - BORDER");
/// # Ok::<(), tejun_knowledge::tactics::ParseMappingError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Library {
    named: Vec<Named>,
    /// How many of them existed before the last ones were added.
    n_given: usize,
    measured: Vec<SizedMapping>,
    numbers: HashMap<String, usize>,
    /// The text of each mapping; the first of several names.
    texts: HashMap<Mapping, String>,
    /// By normal form: the mapping of the first name that has it.
    equals: OnceLock<HashMap<Mapping, Mapping>>,
}

/// Larger parts are not compared with the names.
const MAX_COMPARED: usize = 500;

/// A mapping with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name in text.
    pub name: String,
    /// Its description for people; empty if the file has none.
    pub words: String,
    /// The mapping.
    pub mapping: Mapping,
}

static STANDARD: LazyLock<Library> =
    LazyLock::new(|| Library::parse(include_str!("library.tactics")).expect("the built-in library is valid"));

impl Library {
    /// The built-in names.
    pub fn standard() -> &'static Library {
        &STANDARD
    }

    /// Reads definitions `let NAME = SET  # description`.
    ///
    /// # Errors
    /// Reports the first place that cannot be parsed, and the expected text.
    pub fn parse(text: &str) -> Result<Library, ParseMappingError> {
        Library::default().with(text)
    }

    /// This library extended with the definitions of a text. A redefined name gets its new meaning.
    ///
    /// # Errors
    /// Reports the first place that cannot be parsed, and the expected text.
    pub fn with(&self, text: &str) -> Result<Library, ParseMappingError> {
        let mut parser = MappingParser::new(text, self);
        parser.definitions()?;
        let next = parser.tokens.peek();
        if next.kind != TokenKind::End {
            return Err(parser.tokens.error(next, MappingFault::NoDefinition));
        }
        let definitions = parser.definitions;
        let mut library = self.clone();
        library.n_given = self.named.len();
        for definition in definitions {
            let mapping = definition.measured.mapping.clone();
            library
                .insert(Named { name: definition.name, words: definition.description, mapping }, definition.measured);
        }
        library.texts = library.known_texts();
        library.equals = OnceLock::new();
        Ok(library)
    }

    fn insert(&mut self, named: Named, measured: SizedMapping) {
        match self.numbers.get(&named.name) {
            Some(&number) => {
                self.named[number] = named;
                self.measured[number] = measured;
            }
            None => {
                self.numbers.insert(named.name.clone(), self.named.len());
                self.named.push(named);
                self.measured.push(measured);
            }
        }
    }

    /// All names; of equal ones, those added to a library come first.
    fn by_preference(&self) -> impl Iterator<Item = &Named> {
        let (given, added) = self.named.split_at(self.n_given);
        added.iter().chain(given)
    }

    /// Names first, then the functions that take only numbers.
    fn known_texts(&self) -> HashMap<Mapping, String> {
        let mut texts = HashMap::new();
        for named in self.by_preference() {
            texts.entry(named.mapping.clone()).or_insert_with(|| named.name.clone());
        }
        for n in 1..=MAX_LINE {
            texts.entry(forms::line(n)).or_insert_with(|| format!("line({n})"));
            for m in n..=MAX_LINE {
                texts.entry(forms::at(n, m)).or_insert_with(|| format!("at({n}, {m})"));
            }
        }
        for n in 1..=4 {
            texts.entry(forms::liberties(n)).or_insert_with(|| format!("liberties({n})"));
        }
        texts
    }

    /// Reads a set; the text may contain definitions before it.
    ///
    /// # Errors
    /// Reports the first place that cannot be parsed, and the expected text.
    pub fn mapping(&self, text: &str) -> Result<Mapping, ParseMappingError> {
        let mut parser = MappingParser::new(text, self);
        parser.definitions()?;
        let set = parser.set()?;
        parser.end()?;
        Ok(set.mapping)
    }

    /// All named mappings, in the order of their definitions.
    pub fn named(&self) -> impl Iterator<Item = &Named> {
        self.named.iter()
    }

    /// The mapping of a name.
    pub fn get(&self, name: &str) -> Option<&Named> {
        self.numbers.get(name).map(|&number| &self.named[number])
    }

    pub(crate) fn measured(&self, name: &str) -> Option<&SizedMapping> {
        self.numbers.get(name).map(|&number| &self.measured[number])
    }

    /// Like `print`, but also uses names for parts that are only equivalent to named mappings.
    ///
    /// Reads back to a mapping with the same value in every position.
    pub fn describe(&self, mapping: &Mapping) -> String {
        let variants = [mapping.clone(), simplify(mapping), normal_form(mapping)];
        let renamed = variants.iter().map(|variant| self.renamed(variant));
        // Names may describe more than the parts that they replace.
        let readable = renamed.filter(|mapping| mapping.depth() <= MAX_DEPTH && mapping.size() <= MAX_SIZE);
        readable.map(|mapping| self.print(&mapping)).min_by_key(String::len).unwrap_or_else(|| self.print(mapping))
    }

    /// The mapping with its parts replaced by equal named ones, large parts first.
    fn renamed(&self, mapping: &Mapping) -> Mapping {
        let equal = if mapping.size() <= MAX_COMPARED { self.equals().get(&normal_form(mapping)) } else { None };
        match (equal, mapping) {
            (Some(equal), _) => equal.clone(),
            (None, Mapping::Leaf(leaf)) => (*leaf).into(),
            (None, Mapping::Not(of)) => self.renamed(of).complement(),
            (None, Mapping::Count(kind, n, of)) => Mapping::count(*kind, *n, self.renamed(of)),
            (None, Mapping::Join(join, a, b)) => self.renamed(a).join(*join, self.renamed(b)),
        }
    }

    fn equals(&self) -> &HashMap<Mapping, Mapping> {
        self.equals.get_or_init(|| {
            let mut equals = HashMap::new();
            for named in self.by_preference().filter(|named| named.mapping.size() <= MAX_COMPARED) {
                equals.entry(normal_form(&named.mapping)).or_insert_with(|| named.mapping.clone());
            }
            equals
        })
    }

    /// The name or function whose mapping is exactly this one.
    pub fn text_of(&self, mapping: &Mapping) -> Option<&str> {
        self.texts.get(mapping).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mapping = Library::standard().mapping(text).expect(text);
        assert_eq!(Library::standard().describe(&mapping), expected, "{text}");
    }

    #[test]
    fn equal_parts_get_their_names() {
        check("Suc_1(!O - Pre_2(P & O)) & B & W", "capture");
        check("!(!LAST | !B | !W)", "EMPTY & LAST");
        check("Adj_1(!W | !B)", "Adj_1(!EMPTY)");
        check("W & B - Adj_1(O - P)", "O - Adj_1(OWN)");
    }

    #[test]
    fn later_definitions_come_first() {
        let library = Library::standard()
            .with("let capture = LAST # ours\n\nlet two = capture; # both\n")
            .expect("valid definitions");
        let description = |name: &str| library.get(name).map(|named| named.words.as_str());
        assert_eq!(
            (description("capture"), description("two"), description("three")),
            (Some("ours"), Some("both"), None)
        );
        assert_eq!(library.mapping("two"), library.mapping("LAST"));
        assert_eq!(library.named().count(), Library::standard().named().count() + 1);
        let old = Library::standard().mapping("capture").expect("a mapping");
        assert_eq!(library.mapping(&library.print(&old)), Ok(old));
        let library = library.with("let mine = B & W").expect("valid definitions");
        let empty = library.mapping("EMPTY").expect("a mapping");
        assert_eq!((library.print(&empty).as_str(), library.describe(&empty).as_str()), ("mine", "mine"));
    }

    #[test]
    fn libraries_have_definitions_only() {
        let error = Library::parse("let a = B\na & W").expect_err("no definition");
        assert_eq!((error.line, error.column, error.fault), (2, 1, MappingFault::NoDefinition));
    }
}
