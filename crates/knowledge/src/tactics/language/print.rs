//! Mappings as text that parses to the same mapping.

use std::fmt::{self, Write};

use crate::tactics::language::library::Library;
use crate::tactics::language::mapping::{Mapping, NeighborOperator, SetOperator};
use crate::tactics::language::parse::{Level, MAX_STEPS};

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { out: f, library: None }.write(self)
    }
}

impl Library {
    /// Prints a mapping with names for its parts. Parses to the same mapping with this library.
    pub fn print(&self, mapping: &Mapping) -> String {
        let mut text = String::new();
        let printed = Printer { out: &mut text, library: Some(self) }.write(mapping);
        printed.expect("writing to a string cannot fail");
        text
    }
}

impl Library {
    /// Like `print`, but expands the mapping itself even if it has a name.
    pub fn print_apart(&self, mapping: &Mapping) -> String {
        let mut text = String::new();
        let printed = Printer { out: &mut text, library: Some(self) }.write_apart(mapping);
        printed.expect("writing to a string cannot fail");
        text
    }
}

struct Printer<'w, W> {
    out: &'w mut W,
    library: Option<&'w Library>,
}

impl<'w, W: Write> Printer<'w, W> {
    fn name_of(&self, mapping: &Mapping) -> Option<&'w str> {
        self.library.and_then(|library| library.text_of(mapping))
    }

    fn write(&mut self, mapping: &Mapping) -> fmt::Result {
        if let Some(name) = self.name_of(mapping) {
            return self.out.write_str(name);
        }
        self.write_apart(mapping)
    }

    fn write_apart(&mut self, mapping: &Mapping) -> fmt::Result {
        match mapping {
            Mapping::Leaf(leaf) => self.out.write_str(leaf.name()),
            Mapping::Not(of) => {
                self.out.write_char('!')?;
                self.write_part(of, |_| true)
            }
            Mapping::Count(kind, n, _) => self.write_count(*kind, *n, mapping),
            Mapping::Join(join, a, b) => {
                if let Some((n, of)) = self.ring(mapping) {
                    return self.write_function("ring", n, of);
                }
                let here = Level::of(*join);
                self.write_part(a, |level| level < here)?;
                write!(self.out, " {} ", join.sign())?;
                self.write_part(b, |level| level <= here)
            }
        }
    }

    /// Writes an operand, with parentheses if precedence requires them.
    fn write_part(&mut self, part: &Mapping, needs_parentheses: impl Fn(Level) -> bool) -> fmt::Result {
        match part {
            Mapping::Join(join, ..) if needs_parentheses(Level::of(*join)) && self.is_bare(part) => {
                self.out.write_char('(')?;
                self.write(part)?;
                self.out.write_char(')')
            }
            _ => self.write(part),
        }
    }

    /// Whether a join is written with its operator.
    fn is_bare(&self, join: &Mapping) -> bool {
        self.name_of(join).is_none() && self.ring(join).is_none()
    }

    fn write_count(&mut self, kind: NeighborOperator, n: u8, mapping: &Mapping) -> fmt::Result {
        let (n_times, of) = self.repeated(kind, n, mapping);
        if self.library.is_some() && (kind, n) == (NeighborOperator::Adj, 1) && n_times > 1 {
            return self.write_function("near", n_times, of);
        }
        write!(self.out, "{}_{n}", kind.name())?;
        if n_times > 1 {
            write!(self.out, "^{n_times}")?;
        }
        self.out.write_char('(')?;
        self.write(of)?;
        self.out.write_char(')')
    }

    fn write_function(&mut self, name: &str, n: u8, of: &Mapping) -> fmt::Result {
        write!(self.out, "{name}({n}, ")?;
        self.write(of)?;
        self.out.write_char(')')
    }

    /// How often a count is repeated, and its innermost part; stops at named parts.
    fn repeated<'m>(&self, kind: NeighborOperator, n: u8, mapping: &'m Mapping) -> (u8, &'m Mapping) {
        let (mut n_times, mut inside) = (0, mapping);
        while let Mapping::Count(its_kind, its_n, of) = inside {
            let is_named = n_times > 0 && self.name_of(inside).is_some();
            if (*its_kind, *its_n) != (kind, n) || n_times == MAX_STEPS || is_named {
                break;
            }
            n_times += 1;
            inside = of;
        }
        (n_times, inside)
    }

    /// The number and the set of `ring(n, A)`; none when printing without a library.
    fn ring<'m>(&self, mapping: &'m Mapping) -> Option<(u8, &'m Mapping)> {
        let Mapping::Join(SetOperator::Minus, larger, smaller) = mapping else { return None };
        let Mapping::Count(NeighborOperator::Adj, 1, of) = &**larger else { return None };
        if self.library.is_none() || of != smaller || self.name_of(larger).is_some() {
            return None;
        }
        if self.name_of(smaller).is_some() {
            return Some((1, smaller));
        }
        let (n_times, of) = self.repeated(NeighborOperator::Adj, 1, smaller);
        (n_times < MAX_STEPS).then_some((n_times + 1, of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactics::language::mapping::Leaf;
    use proptest::prelude::*;

    /// Mappings of a few operators.
    fn mappings() -> impl Strategy<Value = Mapping> {
        let leaf = proptest::sample::select(&Leaf::ALL[..]).prop_map(Mapping::from);
        leaf.prop_recursive(8, 60, 2, |inner| {
            let count = (proptest::sample::select(&NeighborOperator::ALL[..]), 1..=5u8, 1..4u8, inner.clone());
            let counted =
                count.prop_map(|(kind, n, n_times, of)| (0..n_times).fold(of, |of, _| Mapping::count(kind, n, of)));
            let pair = (proptest::sample::select(&SetOperator::ALL[..]), inner.clone(), inner.clone());
            let near = (1..4u8, inner.clone());
            prop_oneof![
                inner.prop_map(Mapping::complement),
                counted,
                pair.prop_map(|(join, a, b)| a.join(join, b)),
                near.prop_map(|(n, of)| crate::tactics::language::forms::ring(n, of)),
                proptest::sample::select(Library::standard().named().collect::<Vec<_>>())
                    .prop_map(|named| named.mapping.clone()),
            ]
        })
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mapping: Mapping = text.parse().expect(text);
        assert_eq!(mapping.to_string(), expected);
        assert_eq!(expected.parse(), Ok(mapping));
    }

    #[test]
    fn only_needed_parentheses_are_written() {
        check("((B & W) - O)", "B & W - O");
        check("B & (W - O)", "B & (W - O)");
        check("(B | (W ^ (O & P)))", "B | W ^ O & P");
        check("((B | W) ^ O) & P", "((B | W) ^ O) & P");
        check("!(!(B)) - (!W)", "!!B - !W");
        check("!(B & W)", "!(B & W)");
        check("Adj1(Adj_1((B)))", "Adj_1^2(B)");
        check("B ^ (W ^ O) ^ P", "B ^ (W ^ O) ^ P");
    }

    #[test]
    fn names_and_functions_are_used_where_they_fit() {
        let library = Library::standard();
        for text in ["ring(2, LAST)", "near(3, OWN) - near(1, LAST)", "liberties(2) & OPP", "at(3, 9)", "line(6)"] {
            let mapping = library.mapping(text).expect(text);
            assert_eq!(library.print(&mapping), text.replace("near(1, LAST)", "Adj_1(LAST)"));
        }
        let mapping = library.mapping("!(B & W) & Adj_1(O - P)").expect("a mapping");
        assert_eq!(library.print(&mapping), "!EMPTY & Adj_1(OWN)");
    }

    proptest! {
        #[test]
        fn printed_mappings_parse_to_the_same(mapping in mappings()) {
            prop_assert_eq!(mapping.to_string().parse::<Mapping>(), Ok(mapping.clone()));
            let library = Library::standard();
            prop_assert_eq!(library.mapping(&library.print(&mapping)), Ok(mapping));
        }
    }
}
