//! Tables for the terminal and for other programs.

use unicode_width::UnicodeWidthStr;

use crate::terminal::visible;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of cells with a header.
#[derive(Clone, Debug, Default)]
pub struct Table {
    head: Vec<(String, Option<Align>)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub fn new(columns: &[(&str, Align)]) -> Table {
        let head = columns.iter().map(|&(name, align)| (name.to_string(), Some(align))).collect();
        Table { head, rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The names of the columns and their alignment.
    pub(crate) fn columns(&self) -> Vec<(&str, Align)> {
        self.head.iter().map(|(name, align)| (name.as_str(), align.unwrap_or(Align::Left))).collect()
    }

    /// The rows without the head; cells may be missing.
    pub(crate) fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Text in columns; wide characters count as two, and characters that would act on a terminal are escaped.
    pub fn to_text(&self) -> String {
        let cell =
            |row: &[String], column: usize| row.get(column).map_or(String::new(), |cell| visible(cell).into_owned());
        let width = |column: usize| {
            let widths = self.rows.iter().map(|row| cell(row, column).width());
            widths.chain([self.head[column].0.width()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let head: Vec<String> = self.head.iter().map(|column| column.0.clone()).collect();
        let mut text = String::new();
        for row in std::iter::once(&head).chain(&self.rows) {
            let mut line = String::new();
            for (column, &width) in widths.iter().enumerate() {
                let cell = cell(row, column);
                let gap = " ".repeat(width - cell.width());
                let padded = match self.head[column].1 {
                    Some(Align::Right) => gap + &cell,
                    _ => cell + &gap,
                };
                line.push_str(if column > 0 { "  " } else { "" });
                line.push_str(&padded);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The same as CSV (RFC 4180); titles become column names such as `top_10`, and percentages of numeric columns
    /// become shares.
    pub fn to_csv(&self) -> String {
        let head: Vec<String> = self.head.iter().map(|column| column_name(&column.0)).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&self.head).map(|(cell, (_, align))| match align {
                Some(Align::Right) => share_of(cell).unwrap_or_else(|| cell.clone()),
                _ => cell.clone(),
            });
            csv_line(&cells.collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>())
        };
        std::iter::once(csv_line(&head)).chain(self.rows.iter().map(line)).collect()
    }
}

/// A percentage such as `21.75%` as a share with the same digits, `0.2175`; `None` for other cells.
fn share_of(cell: &str) -> Option<String> {
    let number = cell.strip_suffix('%')?;
    let n_decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let percent: f64 = number.parse().ok()?;
    Some(format!("{:.1$}", percent / 100.0, n_decimals + 2))
}

/// A title as the name of a column: small letters and digits, joined by underscores.
fn column_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.to_lowercase().chars() {
        match c {
            '%' => name.push_str("percent"),
            '/' => name.push_str("_per_"),
            '@' => name.push_str("_at_"),
            c if c.is_alphanumeric() => name.push(c),
            _ if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    name.trim_end_matches('_').to_string()
}

/// One line of CSV with its end.
pub fn csv_line(fields: &[&str]) -> String {
    let quote = |field: &&str| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.to_string()
        }
    };
    fields.iter().map(quote).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_keep_columns_straight() {
        let mut table = Table::new(&[("name", Align::Left), ("games", Align::Right)]);
        table.push(vec!["坂田栄男".into(), "7".into()]);
        table.push(vec!["Lee".into(), "120".into()]);
        assert_eq!(table.to_text(), "name      games\n坂田栄男      7\nLee         120\n");
        assert_eq!(table.to_csv(), "name,games\n坂田栄男,7\nLee,120\n");
    }

    #[test]
    fn columns_have_names_of_one_style() {
        let names = [
            ("top 10", "top_10"),
            ("P@100", "p_at_100"),
            ("moves/position", "moves_per_position"),
            ("G2", "g2"),
            ("here per 1000 games", "here_per_1000_games"),
        ];
        for (title, name) in names.into_iter().chain([("first side wins", "first_side_wins"), ("n_moves", "n_moves")]) {
            assert_eq!(column_name(title), name);
        }
    }

    #[test]
    fn percentages_are_numbers_in_csv() {
        let mut table = Table::new(&[("move", Align::Left), ("probability", Align::Right)]);
        table.push(vec!["100%".into(), "21.75%".into()]);
        table.push(vec!["Q16".into(), "-".into()]);
        table.push(vec!["Q17".into(), "7%".into()]);
        assert_eq!(table.to_csv(), "move,probability\n100%,0.2175\nQ16,-\nQ17,0.07\n");
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        assert_eq!(csv_line(&["a,b", "say \"go\"", "plain"]), "\"a,b\",\"say \"\"go\"\"\",plain\n");
    }
}
