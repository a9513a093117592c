//! How text and numbers are written in pages and pictures.

/// Text escaped for an element or a quoted attribute, in HTML or XML.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            // XML has no way to write these.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if c.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A written number with a comma before every three digits of its whole part.
pub(crate) fn grouped(number: &str) -> String {
    let whole = number.find('.').unwrap_or(number.len());
    let mut grouped = String::with_capacity(number.len() + whole / 3);
    for (i, c) in number.char_indices() {
        let follows_digit = grouped.ends_with(|c: char| c.is_ascii_digit());
        if follows_digit && i < whole && (whole - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(c);
    }
    grouped
}

/// Rounded to this many decimal places, which removes digits that depend on the order of a sum.
pub(crate) fn rounded(value: f64, n_decimals: i32) -> f64 {
    let unit = 10f64.powi(n_decimals);
    // Adding zero turns a negative zero positive.
    (value * unit).round() / unit + 0.0
}

/// To a hundredth, so that sums of fractions are written short.
pub(crate) fn short(value: f64) -> f64 {
    rounded(value, 2)
}

/// A picture for use inside HTML, where the namespace is implied.
pub(crate) fn inline_svg(svg: &str) -> String {
    svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_escaped() {
        assert_eq!(escape("<a b='c'>\"&\"\n\u{1b}"), "&lt;a b=&#39;c&#39;&gt;&quot;&amp;&quot; \u{fffd}");
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        let cases = [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-123456", "-123,456"),
            ("1234567.8901", "1,234,567.8901"),
        ];
        for (plain, expected) in cases {
            assert_eq!(grouped(plain), expected);
        }
    }
}
