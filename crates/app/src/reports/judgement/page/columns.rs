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
            Language::Zh => [
                "搜索尝试这一手的次数",
                "下这一手之后的胜率（搜索的估计）",
                "搜索之前预测的这一手的概率",
                "搜索预想的后续着手",
            ],
            Language::Ko => [
                "탐색이 그 수를 시도한 횟수",
                "그 수를 둔 뒤의 승률(탐색의 추정)",
                "탐색 전에 예상한 그 수의 확률",
                "탐색이 예상하는 이후의 수순",
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
            Language::Zh => ["评判的手数及各类评价的数量", "平均每手损失的胜率"],
            Language::Ko => ["판정한 수와 판정별 개수", "한 수에 잃은 승률의 평균"],
        };
        columns(&[(self.label(Label::Moves), moves), (self.label(Label::MeanLoss), loss)])
    }
}

fn columns(columns: &[(&str, &str)]) -> String {
    let item = |(name, words): &(&str, &str)| format!("<li><b>{}</b>: {}</li>\n", escape(name), escape(words));
    let items: String = columns.iter().map(item).collect();
    format!("<ul class=\"columns\">\n{items}</ul>\n")
}
