//! Comments in Japanese.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{CornerPoint, MoveTag, Shape, Verdict};
use tejun_knowledge::sequences::{Joseki, JosekiLine};

use crate::reports::judgement::words::{
    Label, MAX_KNOWN, Phrases, Place, Preference, Rated, SMALL_GAP, one_in, percent,
};

/// What Japanese says.
pub(crate) struct Japanese;

impl Phrases for Japanese {
    fn point(&self, size: BoardSize, point: Option<Point>) -> String {
        point.map_or("パス".into(), |point| point.name(size))
    }

    fn color(&self, color: Color) -> &'static str {
        if color == Color::Black { "黒" } else { "白" }
    }

    fn heading(&self, number: usize, color: Color, name: &str) -> String {
        format!("{number}手目　{}{name}", self.color(color))
    }

    fn tag(&self, tag: MoveTag, place: Place) -> Option<String> {
        Some(match tag {
            MoveTag::Captures { n_stones } => format!("{n_stones}子を取る"),
            MoveTag::TakesKo => "コウを取る".into(),
            MoveTag::Atari { n_stones: 1 } => "アタリ".into(),
            MoveTag::Atari { n_stones } => format!("{n_stones}子へのアタリ"),
            MoveTag::DoubleAtari => "両アタリ".into(),
            MoveTag::Ladder { n_stones } => format!("シチョウで{n_stones}子は逃げられない"),
            MoveTag::NoEscape { n_stones } => format!("{n_stones}子は逃げられない"),
            MoveTag::Saves { n_stones } => format!("アタリの{n_stones}子を助ける"),
            MoveTag::SelfAtari { .. } => "自らアタリになる".into(),
            MoveTag::Connects { .. } => "ツギ".into(),
            MoveTag::Cuts => "キリ".into(),
            MoveTag::Corner(point) => format!("{}の{}", self::place(place), corner_point(point)),
            MoveTag::Approach(form) => format!("{}への{}", self::place(place), approach(form)),
            MoveTag::Enclosure(form) => format!("{}の{}", self::place(place), enclosure(form)),
            MoveTag::Shape(form) => shape(form).into(),
            MoveTag::Elsewhere => "手抜き".into(),
            MoveTag::Line(line) => format!("{}の手", line_word(line)?),
        })
    }

    fn what(&self, color: Color, name: &str, details: &[String]) -> String {
        let color = self.color(color);
        if details.is_empty() {
            format!("{color}{name}。")
        } else {
            format!("{color}{name}：{}。", details.join("、"))
        }
    }

    fn joseki(&self, joseki: &Joseki, size: BoardSize) -> String {
        match joseki {
            Joseki::Follows { line, is_complete: true, .. } => format!("{}が完成。", line_name(line)),
            Joseki::Follows { line, .. } => format!("{}のとおり。", line_name(line)),
            Joseki::Leaves { line, known } => {
                let points: Vec<String> = known.iter().take(MAX_KNOWN).map(|p| p.name(size)).collect();
                format!("ここで{}を外れる。知られている手は{}。", line_name(line), points.join("、"))
            }
        }
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Good => "好手",
            Verdict::Interesting => "面白い手",
            Verdict::Ordinary => "普通の手",
            Verdict::Doubtful => "疑問手",
            Verdict::Bad => "悪手",
        }
    }

    fn judged(&self, verdict: Verdict, probability: f64) -> String {
        let (name, percent) = (self.verdict(verdict), 100.0 * probability);
        let likely = if probability < 0.5 { "かもしれない" } else { "と思われる" };
        let (n, n_all) = one_in(probability);
        match verdict {
            Verdict::Good => format!("{name}{likely}（解説者が褒めるのは{n_all}回に{n}回ほど）。"),
            Verdict::Bad => format!("{name}{likely}（解説者が批判するのは{n_all}回に{n}回ほど）。"),
            _ => format!("{name}（確率{percent:.0}%）。"),
        }
    }

    fn expected(&self, rank: Option<f64>, share: Option<f64>) -> Option<String> {
        Some(match (rank.map(f64::round), share) {
            (Some(1.0), Some(share)) => format!("予想の第一候補（{}）。", percent(share)),
            (Some(rank), Some(share)) if share < 0.05 => {
                format!("予想しにくい手で、第{rank}候補（{}）。", percent(share))
            }
            (Some(rank), Some(share)) => format!("予想では第{rank}候補（{}）。", percent(share)),
            (Some(rank), None) => format!("予想では第{rank}候補。"),
            (None, Some(share)) => format!("予想された割合は{}。", percent(share)),
            (None, None) => return None,
        })
    }

    fn preference(&self, preference: &Preference) -> Vec<String> {
        let color = self.color(preference.color);
        let rate = |rated: &Rated| rated.win_rate.map(|share| format!("{color}の勝率{}", percent(share)));
        let best = &preference.best;
        let in_brackets = rate(best).map_or(String::new(), |rate| format!("（{rate}）"));
        let mut first = if preference.is_played {
            format!("探索の第一候補と一致{in_brackets}。")
        } else {
            format!("探索の第一候補は{}{in_brackets}。", best.name)
        };
        if let Some(other) = &preference.other
            && let Some(of_other) = rate(other)
        {
            if preference.is_played {
                first.push_str(&format!("次善の{}なら{of_other}。", other.name));
            } else {
                let gap = best.win_rate.zip(other.win_rate).map(|(high, low)| match high - low {
                    gap if gap < SMALL_GAP => "で、評価はほぼ同じ".to_string(),
                    gap => format!("で、その差{}", percent(gap)),
                });
                let points = preference.points_lost.map(|points| format!("、{points:.1}目の損"));
                let [gap, points] = [gap, points].map(Option::unwrap_or_default);
                first.push_str(&format!("{}なら{of_other}{gap}{points}。", other.name));
            }
        }
        let line = (preference.line.len() > 1).then(|| format!("想定手順：{}。", preference.line.join(" ")));
        [first].into_iter().chain(line).collect()
    }

    fn rate_of(&self, color: Color) -> String {
        format!("{}の勝率", self.color(color))
    }

    fn alternative(&self, color: Color, win_rate: f64) -> String {
        format!("探索の想定図（{}の勝率{}）。", self.color(color), percent(win_rate))
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::Curve => "黒の勝率",
            Label::MoveNumber => "手数",
            Label::Players => "対局者別",
            Label::Player => "対局者",
            Label::Moves => "着手",
            Label::MeanLoss => "平均損失",
            Label::Moments => "この碁の焦点",
            Label::NoMoments => "取り上げるべき手はありません。",
            Label::Candidate => "候補",
            Label::Visits => "探索回数",
            Label::Expected => "予想",
            Label::Line => "想定手順",
            Label::Played => "実戦",
            Label::Preferred => "探索の想定手順",
            Label::Komi => "コミ",
            Label::Handicap => "置石",
            Label::Result => "結果",
            Label::Made => "作成条件",
            Label::Game => "棋譜",
            Label::Evaluator => "評価",
            Label::Version => "版",
            Label::Caution => {
                "勝率は探索による見積もりです。損失は失った勝率を表します。「予想」は打ち手がその手を選ぶと見込まれる割合です。"
            }
        }
    }
}

fn line_name(JosekiLine { number, name }: &JosekiLine) -> String {
    match name {
        Some(name) => format!("定石{number}「{name}」"),
        None => format!("定石{number}"),
    }
}

fn corner_point(point: CornerPoint) -> &'static str {
    match point {
        CornerPoint::ThreeThree => "三々",
        CornerPoint::ThreeFour => "小目",
        CornerPoint::Star => "星",
        CornerPoint::FiveThree => "目外し",
        CornerPoint::FiveFour => "高目",
    }
}

fn approach(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "小ゲイマガカリ",
        Shape::LargeKnight => "大ゲイマガカリ",
        Shape::OneSpace => "一間高ガカリ",
        Shape::TwoSpace => "二間高ガカリ",
        _ => "カカリ",
    }
}

fn enclosure(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "小ゲイマジマリ",
        Shape::LargeKnight => "大ゲイマジマリ",
        Shape::OneSpace => "一間ジマリ",
        Shape::TwoSpace => "二間ジマリ",
        _ => "シマリ",
    }
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Extension => "ノビ",
        Shape::Descent => "サガリ",
        Shape::Hane => "ハネ",
        Shape::Diagonal => "コスミ",
        Shape::DiagonalContact => "コスミツケ",
        Shape::Wedge => "ワリコミ",
        Shape::Contact => "ツケ",
        Shape::ShoulderHit => "カタツキ",
        Shape::OneSpace => "一間トビ",
        Shape::SmallKnight => "ケイマ",
        Shape::TwoSpace => "二間トビ",
        Shape::SideExtension => "二間ビラキ",
        Shape::LargeKnight => "大ゲイマ",
    }
}

fn place(Place { column, row }: Place) -> &'static str {
    const NAMES: [[&str; 3]; 3] = [["左上", "上辺", "右上"], ["左辺", "中央", "右辺"], ["左下", "下辺", "右下"]];
    NAMES[row][column]
}

/// Lines up to the fourth have their say.
fn line_word(line: u8) -> Option<&'static str> {
    ["一線", "二線", "三線", "四線"].get(usize::from(line).checked_sub(1)?).copied()
}
