//! Comments in Chinese, in simplified characters.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{CornerPoint, ExchangeKind, Height, MomentReason, MoveTag, Shape, Verdict};
use tejun_knowledge::sequences::{Joseki, JosekiLine};

use crate::reports::judgement::words::{Facts, Frequency, Label, MAX_KNOWN, Phrases, Place, percent, probability};

/// What Chinese says.
pub(crate) struct Chinese;

impl Phrases for Chinese {
    fn point(&self, size: BoardSize, point: Option<Point>) -> String {
        point.map_or("停一手".into(), |point| point.name(size))
    }

    fn color(&self, color: Color) -> &'static str {
        if color == Color::Black { "黑" } else { "白" }
    }

    fn heading(&self, number: usize, color: Color, name: &str) -> String {
        format!("第{number}手　{}{name}", self.color(color))
    }

    fn tag(&self, tag: MoveTag, place: Place) -> Option<String> {
        Some(match tag {
            MoveTag::Captures { n_stones } => format!("提{n_stones}子"),
            MoveTag::TakesKo => "提劫".into(),
            MoveTag::Atari { n_stones: 1 } => "打吃".into(),
            MoveTag::Atari { n_stones } => format!("打吃{n_stones}子"),
            MoveTag::DoubleAtari => "双打吃".into(),
            MoveTag::Ladder { n_stones } => format!("征吃{n_stones}子"),
            MoveTag::NoEscape { n_stones } => format!("打吃，{n_stones}子已跑不掉"),
            MoveTag::Saves { n_stones } => format!("救出被打吃的{n_stones}子"),
            MoveTag::SelfAtari { .. } => "送吃".into(),
            MoveTag::ThrowIn => "扑".into(),
            MoveTag::KoThreat => "劫材".into(),
            MoveTag::Peep => "刺".into(),
            MoveTag::Connects { .. } => "接".into(),
            MoveTag::Cuts => "断".into(),
            MoveTag::Corner(point) => format!("{}{}", self::place(place), corner_point(point)),
            MoveTag::Approach(form) => format!("{}{}", self::place(place), approach(form)),
            MoveTag::ApproachAt(point) => format!("{}{}挂", self::place(place), corner_point(point)),
            MoveTag::Pincer { n_spaces, height } => format!("{}{}夹", spaces(n_spaces)?, self::height(height)),
            MoveTag::ThreeThree => "点三三".into(),
            MoveTag::Invasion => format!("打入{}", self::place(place)),
            MoveTag::Splits => format!("{}分投", self::place(place)),
            MoveTag::Reduction => "浅消".into(),
            MoveTag::Enclosure(form) => format!("{}{}", self::place(place), enclosure(form)),
            MoveTag::Shape(form) => shape(form).into(),
            MoveTag::Elsewhere => "脱先".into(),
            MoveTag::Line(line) => format!("{}上的一手", line_word(line)?),
        })
    }

    fn what(&self, color: Color, name: &str, details: &[String]) -> String {
        let color = self.color(color);
        if details.is_empty() {
            format!("{color}{name}。")
        } else {
            format!("{color}{name}：{}。", details.join("，"))
        }
    }

    fn joseki(&self, joseki: &Joseki, size: BoardSize) -> String {
        match joseki {
            Joseki::Follows { line, is_complete: true, .. } => format!("{}至此告一段落。", line_name(line)),
            Joseki::Follows { line, .. } => format!("按{}进行。", line_name(line)),
            Joseki::Leaves { line, known } => {
                let points: Vec<String> = known.iter().take(MAX_KNOWN).map(|p| p.name(size)).collect();
                format!("由此脱离{}，定式下法是{}。", line_name(line), points.join("、"))
            }
        }
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Good => "好手",
            Verdict::Interesting => "趣向",
            Verdict::Ordinary => "普通的一手",
            Verdict::Unclear => "难以判断",
            Verdict::Doubtful => "疑问手",
            Verdict::Bad => "恶手",
        }
    }

    fn judged(&self, facts: &Facts) -> Option<String> {
        let color = self.color(facts.color);
        let name = self.verdict(facts.verdict);
        let points = facts.points_lost.map(|points| format!("损失{points:.1}目"));
        let drop =
            facts.rates.map(|[before, after]| format!("{color}棋胜率从{}降到{}", percent(before), percent(after)));
        Some(match facts.verdict {
            Verdict::Bad | Verdict::Doubtful => match drop.into_iter().chain(points).collect::<Vec<_>>().join("，") {
                loss if loss.is_empty() => format!("{name}。"),
                loss => format!("{name}：{loss}。"),
            },
            Verdict::Good => match &facts.expected {
                Some((name, worse)) => {
                    format!("不易发现的好手：若按常见的{name}下，胜率会下降{}。", percent(*worse))
                }
                None => "不易发现的好手。".into(),
            },
            Verdict::Interesting => "少见的下法，但并不吃亏。".into(),
            Verdict::Unclear => {
                let [before, after] = facts.rates?;
                let [before, after, error] = [before, after, facts.error].map(percent);
                format!("可能有损，但仍在误差范围内（胜率从{before}到{after}，误差±{error}）。")
            }
            Verdict::Ordinary => {
                let [before, after] = facts.rates.map(|rates| rates.map(percent))?;
                match before == after {
                    true => format!("{color}棋胜率保持在{after}。"),
                    false => format!("{color}棋胜率从{before}变为{after}。"),
                }
            }
        })
    }

    fn expected(&self, share: f64) -> String {
        let who = match Frequency::of(share) {
            Frequency::Most => "多数人会这样下",
            Frequency::Many => "不少人会这样下",
            Frequency::Some => "有些人会这样下",
            Frequency::Few => "很少有人这样下",
            Frequency::HardlyAny => "几乎没有人这样下",
        };
        format!("{who}（{}）。", probability(share))
    }

    fn better(&self, line: &[String]) -> String {
        match line {
            [first, rest @ ..] if !rest.is_empty() => format!("此手{first}更好（以下{}）。", rest.join(" ")),
            _ => format!("此手{}更好。", line.join(" ")),
        }
    }

    fn moment(&self, reason: MomentReason, color: Color) -> Option<String> {
        let color = self.color(color);
        match reason {
            MomentReason::TurningPoint => Some(format!("胜负的转折点：{color}棋由此失去优势。")),
            MomentReason::NewMove => Some("棋谱库中没有先例的一手。".into()),
            MomentReason::Find | MomentReason::Mistake | MomentReason::LeavesJoseki => None,
        }
    }

    fn exchange(&self, kind: ExchangeKind, first: usize, last: usize) -> String {
        let what = match kind {
            ExchangeKind::Ko => "劫争",
            ExchangeKind::Atari => "交换",
        };
        format!("第{first}手至第{last}手的{what}作为整体评价。")
    }

    fn rate_of(&self, color: Color) -> String {
        format!("{}棋胜率", self.color(color))
    }

    fn alternative(&self, color: Color, win_rate: f64) -> String {
        format!("如此进行，{}棋胜率为{}。", self.color(color), percent(win_rate))
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::Curve => "黑棋胜率",
            Label::MoveNumber => "手数",
            Label::Players => "双方表现",
            Label::Player => "棋手",
            Label::Moves => "手数",
            Label::MeanLoss => "平均损失",
            Label::Moments => "本局焦点",
            Label::NoMoments => "本局没有需要点评的着手。",
            Label::Candidate => "候选点",
            Label::Visits => "搜索次数",
            Label::Expected => "预测",
            Label::Line => "后续变化",
            Label::Played => "实战",
            Label::Preferred => "搜索预想的变化",
            Label::Komi => "贴目",
            Label::Handicap => "让子",
            Label::Result => "结果",
            Label::Made => "生成信息",
            Label::Game => "棋谱",
            Label::Evaluator => "评估",
            Label::Version => "版本",
            Label::Caution => "胜率是搜索的估计值，已去除误差波动。损失指失去的胜率。“预测”是棋手选择该手的概率。",
            Label::Points => "黑棋领先目数",
            Label::Replay => "逐手打谱",
            Label::Start => "对局开始",
            Label::FirstMove => "回到开头（Home）",
            Label::TenBack => "后退10手（Page Up）",
            Label::OneBack => "后退一手（←）",
            Label::OneForward => "前进一手（→）",
            Label::TenForward => "前进10手（Page Down）",
            Label::LastMove => "跳到最后（End）",
            Label::PreviousMoment => "上一个焦点（↑）",
            Label::NextMoment => "下一个焦点（↓）",
            Label::Keys => {
                "按键：←和→随时可用；Page Up、Page Down、Home、End以及↑和↓（焦点）在点击棋盘或曲线之后可用。"
            }
            Label::Details => "这一焦点的图和候选点",
            Label::JudgedMoves => "评判的手数",
            Label::Opening => "布局（1–50）",
            Label::MiddleGame => "中盘（51–150）",
            Label::Endgame => "官子（151起）",
            Label::WholeGame => "全局",
            Label::AsExpected => "下出预测的一手",
            Label::Verdicts => "评价",
            Label::Highlights => "最佳与最差的一手",
            Label::BestMove => "最佳",
            Label::WorstMove => "最差",
            Label::MeanLossMeans => "平均每手损失的胜率（百分点）",
            Label::AsExpectedMeans => "棋手下出最可能的一手的比例",
            Label::HighlightsMean => "最佳：好手中与预测的一手相差最大者（数字为胜率之差）；最差：损失胜率最多的一手",
            Label::VisitsMean => "搜索尝试这一手的次数",
            Label::RateMeans => "下这一手之后的胜率（与曲线同一尺度）",
            Label::ExpectedMeans => "棋手选择这一手的概率（仅限实战的一手和最可能的一手）",
            Label::LineMeans => "搜索预想的后续着手",
            Label::OwnershipMeans => "■□：这一手之前可能的地域",
            Label::LostStones => "因这一手而失去的棋子",
            Label::GroupDies => "{point}处{color}{n}子被吃。",
            Label::GroupWouldDie => "若下{move}，{point}处{color}{n}子被吃。",
        }
    }
}

fn line_name(JosekiLine { number, name }: &JosekiLine) -> String {
    match name {
        Some(name) => format!("定式“{name}”（第{number}型）"),
        None => format!("定式第{number}型"),
    }
}

fn corner_point(point: CornerPoint) -> &'static str {
    match point {
        CornerPoint::ThreeThree => "三三",
        CornerPoint::ThreeFour => "小目",
        CornerPoint::Star => "星位",
        CornerPoint::FiveThree => "目外",
        CornerPoint::FiveFour => "高目",
    }
}

fn approach(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "小飞挂",
        Shape::LargeKnight => "大飞挂",
        Shape::OneSpace => "一间高挂",
        Shape::TwoSpace => "二间高挂",
        _ => "挂角",
    }
}

fn enclosure(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "小飞守角",
        Shape::LargeKnight => "大飞守角",
        Shape::OneSpace => "单关守角",
        Shape::TwoSpace => "二间守角",
        _ => "守角",
    }
}

fn spaces(n: u8) -> Option<&'static str> {
    ["一间", "二间", "三间"].get(usize::from(n).checked_sub(1)?).copied()
}

fn height(height: Height) -> &'static str {
    match height {
        Height::Low => "低",
        Height::High => "高",
    }
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Extension => "长",
        Shape::Descent => "立",
        Shape::Hane => "扳",
        Shape::Diagonal => "尖",
        Shape::DiagonalContact => "尖顶",
        Shape::Wedge => "挖",
        Shape::Contact => "碰",
        Shape::ShoulderHit => "尖冲",
        Shape::Cap => "镇",
        Shape::OneSpace => "单关跳",
        Shape::SmallKnight => "小飞",
        Shape::TwoSpace => "二间跳",
        Shape::SideExtension => "拆二",
        Shape::LargeKnight => "大飞",
    }
}

fn place(Place { column, row }: Place) -> &'static str {
    const NAMES: [[&str; 3]; 3] =
        [["左上角", "上边", "右上角"], ["左边", "中腹", "右边"], ["左下角", "下边", "右下角"]];
    NAMES[row][column]
}

/// The lines up to the fourth, which are mentioned.
fn line_word(line: u8) -> Option<&'static str> {
    ["一路", "二路", "三路", "四路"].get(usize::from(line).checked_sub(1)?).copied()
}
