//! Comments in Japanese.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{CornerPoint, ExchangeKind, Height, MomentReason, MoveTag, Shape, Verdict};
use tejun_knowledge::sequences::{Joseki, JosekiLine};

use crate::reports::judgement::words::{Facts, Frequency, Label, MAX_KNOWN, Phrases, Place, percent, probability};

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
            MoveTag::Ladder { n_stones } => format!("シチョウで{n_stones}子を取る"),
            MoveTag::NoEscape { n_stones } => format!("アタリで{n_stones}子は逃げられない"),
            MoveTag::Saves { n_stones } => format!("アタリの{n_stones}子を助ける"),
            MoveTag::SelfAtari { .. } => "自らアタリになる手".into(),
            MoveTag::ThrowIn => "ホウリコミ".into(),
            MoveTag::KoThreat => "コウ材".into(),
            MoveTag::Peep => "ノゾキ".into(),
            MoveTag::Connects { .. } => "ツギ".into(),
            MoveTag::Cuts => "キリ".into(),
            MoveTag::Corner(point) => format!("{}の{}", self::place(place), corner_point(point)),
            MoveTag::Approach(form) => format!("{}への{}", self::place(place), approach(form)),
            MoveTag::ApproachAt(point) => format!("{}への{}からのカカリ", self::place(place), corner_point(point)),
            MoveTag::Pincer { n_spaces, height } => format!("{}{}", spaces(n_spaces)?, pincer(height)),
            MoveTag::ThreeThree => "三々入り".into(),
            MoveTag::Invasion => format!("{}への打ち込み", self::place(place)),
            MoveTag::Splits => format!("{}のワリウチ", self::place(place)),
            MoveTag::Reduction => "消し".into(),
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
            Joseki::Follows { line, is_complete: true, .. } => format!("これで{}が一段落。", line_name(line)),
            Joseki::Follows { line, .. } => format!("{}どおりの進行。", line_name(line)),
            Joseki::Leaves { line, known } => {
                let points: Vec<String> = known.iter().take(MAX_KNOWN).map(|p| p.name(size)).collect();
                format!("ここで{}を外れた。定石は{}。", line_name(line), points.join("、"))
            }
        }
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Good => "好手",
            Verdict::Interesting => "面白い手",
            Verdict::Ordinary => "普通の手",
            Verdict::Unclear => "判定保留",
            Verdict::Doubtful => "疑問手",
            Verdict::Bad => "悪手",
        }
    }

    fn judged(&self, facts: &Facts) -> Option<String> {
        let color = self.color(facts.color);
        let points = facts.points_lost.map_or(String::new(), |points| format!("り、{points:.1}目の損"));
        let end = if points.is_empty() { "る" } else { &points };
        let drop = facts.rates.map_or(String::new(), |[before, after]| {
            format!("{color}の勝率が{}から{}に下が{end}。", percent(before), percent(after))
        });
        Some(match facts.verdict {
            Verdict::Bad => format!("悪手。{drop}"),
            Verdict::Doubtful => format!("疑問手。{drop}"),
            Verdict::Good => match &facts.expected {
                Some((name, worse)) => {
                    format!("気付きにくい好手。予想される{name}では勝率が{}下がる。", percent(*worse))
                }
                None => "気付きにくい好手。".into(),
            },
            Verdict::Interesting => "珍しい手だが、損はない。".into(),
            Verdict::Unclear => {
                let [before, after] = facts.rates?;
                let [before, after, error] = [before, after, facts.error].map(percent);
                format!("損の可能性もあるが、誤差の範囲内（勝率{before}から{after}、誤差±{error}）。")
            }
            Verdict::Ordinary => {
                let [before, after] = facts.rates.map(|rates| rates.map(percent))?;
                match before == after {
                    true => format!("{color}の勝率は{after}で変わらない。"),
                    false => format!("{color}の勝率は{before}から{after}に。"),
                }
            }
        })
    }

    fn expected(&self, share: f64) -> String {
        let who = match Frequency::of(share) {
            Frequency::Most => "多くの人がこう打つ",
            Frequency::Many => "こう打つ人も多い",
            Frequency::Some => "こう打つ人もいる",
            Frequency::Few => "こう打つ人は少ない",
            Frequency::HardlyAny => "こう打つ人はまずいない",
        };
        format!("{who}（{}）。", probability(share))
    }

    fn better(&self, line: &[String]) -> String {
        match line {
            [first, rest @ ..] if !rest.is_empty() => format!("ここは{first}がまさった（以下{}）。", rest.join(" ")),
            _ => format!("ここは{}がまさった。", line.join(" ")),
        }
    }

    fn moment(&self, reason: MomentReason, color: Color) -> Option<String> {
        let color = self.color(color);
        match reason {
            MomentReason::TurningPoint => Some(format!("勝負の分岐点。ここで{color}は優勢を失った。")),
            MomentReason::NewMove => Some("収録された棋譜に前例のない手。".into()),
            MomentReason::Find | MomentReason::Mistake | MomentReason::LeavesJoseki => None,
        }
    }

    fn exchange(&self, kind: ExchangeKind, first: usize, last: usize) -> String {
        let what = match kind {
            ExchangeKind::Ko => "コウ争い",
            ExchangeKind::Atari => "応酬",
        };
        format!("{first}手目から{last}手目までの{what}は、まとめて評価した。")
    }

    fn rate_of(&self, color: Color) -> String {
        format!("{}の勝率", self.color(color))
    }

    fn alternative(&self, color: Color, win_rate: f64) -> String {
        format!("この進行なら{}の勝率は{}。", self.color(color), percent(win_rate))
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
            Label::Points => "黒のリード（目）",
            Label::Replay => "棋譜を並べる",
            Label::Start => "対局開始",
            Label::FirstMove => "最初へ（Home）",
            Label::TenBack => "10手戻る（PageUp）",
            Label::OneBack => "一手戻る（←）",
            Label::OneForward => "一手進む（→）",
            Label::TenForward => "10手進む（PageDown）",
            Label::LastMove => "最後へ（End）",
            Label::PreviousMoment => "前の焦点（↑）",
            Label::NextMoment => "次の焦点（↓）",
            Label::Keys => {
                "キー操作：←と→はいつでも使えます。PageUp、PageDown、Home、End、↑と↓（焦点）は、盤かグラフをクリックしてから使えます。"
            }
            Label::Details => "この焦点の図と候補手",
            Label::JudgedMoves => "判定した手",
            Label::Opening => "序盤（1–50）",
            Label::MiddleGame => "中盤（51–150）",
            Label::Endgame => "終盤（151–）",
            Label::WholeGame => "全局",
            Label::AsExpected => "予想どおりの手",
            Label::Verdicts => "判定",
            Label::Highlights => "最善手と最悪手",
            Label::BestMove => "最善手",
            Label::WorstMove => "最悪手",
            Label::MeanLossMeans => "一手あたりに失った勝率の平均",
            Label::AsExpectedMeans => "打ち手が最も選びそうな手を実際に打った割合",
            Label::HighlightsMean => {
                "最善手：好手のうち、予想される手との差が最も大きいもの（数字はその差）。最悪手：勝率を最も失った手"
            }
            Label::VisitsMean => "探索がその手を試した回数",
            Label::RateMeans => "その手を打った後の勝率（グラフと同じ尺度）",
            Label::ExpectedMeans => "打ち手がその手を選ぶと見込まれる割合（実戦の手と、最も予想された手のみ）",
            Label::LineMeans => "探索が予想するその後の手順",
            Label::OwnershipMeans => "■□：着手前に見込まれる地",
            Label::LostStones => "この手で失われる石",
            Label::GroupDies => "{point}の{color}{n}子が死ぬ。",
            Label::GroupWouldDie => "{move}なら{point}の{color}{n}子が死ぬ。",
        }
    }
}

fn line_name(JosekiLine { number, name }: &JosekiLine) -> String {
    match name {
        Some(name) => format!("定石「{name}」（{number}番）"),
        None => format!("定石{number}番"),
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

fn spaces(n: u8) -> Option<&'static str> {
    ["一間", "二間", "三間"].get(usize::from(n).checked_sub(1)?).copied()
}

fn pincer(height: Height) -> &'static str {
    match height {
        Height::Low => "バサミ",
        Height::High => "高バサミ",
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
        Shape::Cap => "ボウシ",
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
