//! What the columns and rows of the tables mean.

use tejun_games::go::Color;

use crate::reports::judgement::GameReport;
use crate::reports::judgement::words::Label;
use crate::reports::writing::escape;

impl GameReport<'_> {
    /// The columns of the table of candidates.
    pub(crate) fn candidate_columns(&self) -> String {
        let rates = [Color::Black, Color::White].map(|color| self.phrases().rate_of(color)).join(" / ");
        self.columns(&[
            (self.label(Label::Visits), Label::VisitsMean),
            (&rates, Label::RateMeans),
            (self.label(Label::Expected), Label::ExpectedMeans),
            (self.label(Label::Line), Label::LineMeans),
        ])
    }

    /// The rows of the table of players.
    pub(crate) fn player_rows(&self) -> String {
        self.columns(&[
            (self.label(Label::MeanLoss), Label::MeanLossMeans),
            (self.label(Label::AsExpected), Label::AsExpectedMeans),
            (self.label(Label::Highlights), Label::HighlightsMean),
        ])
    }

    fn columns(&self, columns: &[(&str, Label)]) -> String {
        let item = |&(name, meaning): &(&str, Label)| {
            format!("<li><b>{}</b>: {}</li>\n", escape(name), escape(self.label(meaning)))
        };
        let items: String = columns.iter().map(item).collect();
        format!("<ul class=\"columns\">\n{items}</ul>\n")
    }
}
