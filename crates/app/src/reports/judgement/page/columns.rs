//! What the columns of the tables mean.

use tejun_games::go::Color;

use crate::reports::judgement::words::Label;
use crate::reports::judgement::{GameReport, Language};
use crate::reports::writing::escape;

impl GameReport<'_> {
    /// The columns of the table of candidates.
    pub(crate) fn candidate_columns(&self) -> String {
        let [visits, wins, expected, line] = match self.language {
            Language::En => [
                "how often the search tried the move",
                "win rate after the move, as estimated by the search",
                "probability of the move before it was searched",
                "the next moves, as expected by the search",
            ],
            Language::Ja => [
                "探索がその手を試した回数",
                "その手を打った後の勝率（探索による推定）",
                "探索前に見込まれたその手の確率",
                "探索が予想するその後の手順",
            ],
        };
        let rates = [Color::Black, Color::White].map(|color| self.phrases().rate_of(color)).join(" / ");
        columns(&[
            (self.label(Label::Visits), visits),
            (&rates, wins),
            (self.label(Label::Expected), expected),
            (self.label(Label::Line), line),
        ])
    }

    /// The columns of the table of players.
    pub(crate) fn player_columns(&self) -> String {
        let [moves, loss] = match self.language {
            Language::En => ["judged moves, and how many of them got each verdict", "mean win rate lost per move"],
            Language::Ja => ["判定した手の数と、判定ごとの内訳", "一手あたりに失った勝率の平均"],
        };
        columns(&[(self.label(Label::Moves), moves), (self.label(Label::MeanLoss), loss)])
    }
}

fn columns(columns: &[(&str, &str)]) -> String {
    let item = |(name, words): &(&str, &str)| format!("<li><b>{}</b>: {}</li>\n", escape(name), escape(words));
    let items: String = columns.iter().map(item).collect();
    format!("<ul class=\"columns\">\n{items}</ul>\n")
}
