//! What the pictures of positions have in common.

use crate::reports::writing::{escape, short};

pub(crate) const WOOD: &str = "#f2d29a";
pub(crate) const PAPER: &str = "#fdf8ec";
pub(crate) const LINE: &str = "#4a3a1c";
pub(crate) const INK: &str = "#111";
pub(crate) const WHITE: &str = "#fff";
// Of the palette of Okabe and Ito (2008), the one that wood leaves clearest.
pub(crate) const SHADE: &str = "#009e73";

/// A place in the picture, rightward and downward.
pub(crate) type SheetSpot = (f64, f64);

/// What part of the plane is seen; the board's upper left corner is the origin.
pub(crate) struct Sheet<'t> {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: &'t str,
    /// Further attributes of the whole.
    pub(crate) attributes: &'t str,
}

impl Sheet<'_> {
    /// A picture on paper of its own, for pages that are dark.
    pub(crate) fn to_svg(&self, content: &str) -> String {
        let Sheet { left, top, width, height, title, attributes } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" text-anchor=\"middle\" {attributes}>\n<title>{}</title>\n\
             <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"{PAPER}\"/>\n\
             {content}</svg>\n",
            escape(title)
        )
    }
}

/// A group with shared attributes; nothing if it is empty.
pub(crate) fn group(attributes: &str, content: &str) -> String {
    if content.is_empty() { String::new() } else { format!("<g {attributes}>\n{content}</g>\n") }
}

/// A shape of path data; nothing if it is empty.
pub(crate) fn path(d: &str, attributes: &str) -> String {
    if d.is_empty() { String::new() } else { format!("<path d=\"{d}\" {attributes}/>\n") }
}

/// A text whose baseline is so far below its middle.
pub(crate) fn text((x, y): SheetSpot, drop: f64, text: &str) -> String {
    format!("<text x=\"{}\" y=\"{}\">{}</text>\n", short(x), short(y + drop), escape(text))
}

/// What a picture is called: the side to move and the move before.
pub(crate) fn title(game: &str, to_move: &str, last_move: Option<&str>) -> String {
    let after = last_move.map_or_else(String::new, |text| format!(" after {text}"));
    format!("{game} position{after}, {to_move} to move")
}
