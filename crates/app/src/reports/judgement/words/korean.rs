//! Comments in Korean.
//!
//! Names of points are never followed by a particle, since its form depends on their sound.

use tejun_games::go::{BoardSize, Color, Point};
use tejun_knowledge::judging::{CornerPoint, ExchangeKind, Height, MomentReason, MoveTag, Shape, Verdict};
use tejun_knowledge::sequences::{Joseki, JosekiLine};

use crate::reports::judgement::words::{Facts, Frequency, Label, MAX_KNOWN, Phrases, Place, percent, probability};

/// What Korean says.
pub(crate) struct Korean;

impl Phrases for Korean {
    fn point(&self, size: BoardSize, point: Option<Point>) -> String {
        point.map_or("패스".into(), |point| point.name(size))
    }

    fn color(&self, color: Color) -> &'static str {
        if color == Color::Black { "흑" } else { "백" }
    }

    fn heading(&self, number: usize, color: Color, name: &str) -> String {
        format!("{number}수 {} {name}", self.color(color))
    }

    fn tag(&self, tag: MoveTag, place: Place) -> Option<String> {
        Some(match tag {
            MoveTag::Captures { n_stones } => format!("{n_stones}점 따냄"),
            MoveTag::TakesKo => "패 따냄".into(),
            MoveTag::Atari { n_stones: 1 } => "단수".into(),
            MoveTag::Atari { n_stones } => format!("{n_stones}점 단수"),
            MoveTag::DoubleAtari => "양단수".into(),
            MoveTag::Ladder { n_stones } => format!("{n_stones}점을 축으로 잡음"),
            MoveTag::NoEscape { n_stones } => format!("단수, {n_stones}점은 달아날 수 없음"),
            MoveTag::Saves { n_stones } => format!("단수된 {n_stones}점을 살림"),
            MoveTag::SelfAtari { .. } => "스스로 단수가 되는 수".into(),
            MoveTag::ThrowIn => "먹여치기".into(),
            MoveTag::KoThreat => "팻감".into(),
            MoveTag::Peep => "들여다보기".into(),
            MoveTag::Connects { .. } => "이음".into(),
            MoveTag::Cuts => "끊음".into(),
            MoveTag::Corner(point) => format!("{} {}", self::place(place), corner_point(point)),
            MoveTag::Approach(form) => format!("{} {}", self::place(place), approach(form)),
            MoveTag::ApproachAt(point) => format!("{} {} 걸침", self::place(place), corner_point(point)),
            MoveTag::Pincer { n_spaces, height } => format!("{} {}협공", spaces(n_spaces)?, self::height(height)),
            MoveTag::ThreeThree => "삼삼 침입".into(),
            MoveTag::Invasion => format!("{} 침입", self::place(place)),
            MoveTag::Splits => format!("{} 갈라치기", self::place(place)),
            MoveTag::Reduction => "삭감".into(),
            MoveTag::Enclosure(form) => format!("{} {}", self::place(place), enclosure(form)),
            MoveTag::Shape(form) => shape(form).into(),
            MoveTag::Elsewhere => "손뺌".into(),
            MoveTag::Line(line) => format!("{}의 수", line_word(line)?),
        })
    }

    fn what(&self, color: Color, name: &str, details: &[String]) -> String {
        let color = self.color(color);
        if details.is_empty() { format!("{color} {name}.") } else { format!("{color} {name}: {}.", details.join(", ")) }
    }

    fn joseki(&self, joseki: &Joseki, size: BoardSize) -> String {
        match joseki {
            Joseki::Follows { line, is_complete: true, .. } => format!("여기까지 {}이 일단락됐다.", line_name(line)),
            Joseki::Follows { line, .. } => format!("{}대로 진행됐다.", line_name(line)),
            Joseki::Leaves { line, known } => {
                let points: Vec<String> = known.iter().take(MAX_KNOWN).map(|p| p.name(size)).collect();
                format!("여기서 {}을 벗어났다. 정석의 수: {}.", line_name(line), points.join(", "))
            }
        }
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Good => "호수",
            Verdict::Interesting => "흥미로운 수",
            Verdict::Ordinary => "보통 수",
            Verdict::Unclear => "판단 보류",
            Verdict::Doubtful => "의문수",
            Verdict::Bad => "악수",
        }
    }

    fn judged(&self, facts: &Facts) -> Option<String> {
        let color = self.color(facts.color);
        let name = self.verdict(facts.verdict);
        Some(match facts.verdict {
            Verdict::Bad | Verdict::Doubtful => {
                let loss = match (facts.rates.map(|rates| rates.map(percent)), facts.points_lost) {
                    (Some([before, after]), Some(points)) => {
                        format!(" {color}의 승률이 {before}에서 {after}로 떨어지고 {points:.1}집을 손해 봤다.")
                    }
                    (Some([before, after]), None) => format!(" {color}의 승률이 {before}에서 {after}로 떨어졌다."),
                    (None, Some(points)) => format!(" {points:.1}집을 손해 봤다."),
                    (None, None) => String::new(),
                };
                format!("{name}.{loss}")
            }
            Verdict::Good => match &facts.expected {
                Some((name, worse)) => {
                    format!("눈에 잘 띄지 않는 호수. 예상되는 자리({name})였다면 승률이 {} 떨어진다.", percent(*worse))
                }
                None => "눈에 잘 띄지 않는 호수.".into(),
            },
            Verdict::Interesting => "보기 드문 수지만 손해는 없다.".into(),
            Verdict::Unclear => {
                let [before, after] = facts.rates?;
                let [before, after, error] = [before, after, facts.error].map(percent);
                format!("손해일 수도 있지만 오차 범위 안이다(승률 {before}에서 {after}, 오차 ±{error}).")
            }
            Verdict::Ordinary => {
                let [before, after] = facts.rates.map(|rates| rates.map(percent))?;
                match before == after {
                    true => format!("{color}의 승률은 {after} 그대로다."),
                    false => format!("{color}의 승률은 {before}에서 {after}로 바뀌었다."),
                }
            }
        })
    }

    fn expected(&self, share: f64) -> String {
        let who = match Frequency::of(share) {
            Frequency::Most => "대부분 이렇게 둔다",
            Frequency::Many => "이렇게 두는 사람이 많다",
            Frequency::Some => "이렇게 두는 사람도 있다",
            Frequency::Few => "이렇게 두는 사람은 적다",
            Frequency::HardlyAny => "이렇게 두는 사람은 거의 없다",
        };
        format!("{who}({}).", probability(share))
    }

    fn better(&self, line: &[String]) -> String {
        match line {
            [first, rest @ ..] if !rest.is_empty() => format!("더 나은 수: {first}(이하 {}).", rest.join(" ")),
            _ => format!("더 나은 수: {}.", line.join(" ")),
        }
    }

    fn moment(&self, reason: MomentReason, color: Color) -> Option<String> {
        let color = self.color(color);
        match reason {
            MomentReason::TurningPoint => Some(format!("승부의 갈림길. 여기서 {color}이 우세를 잃었다.")),
            MomentReason::NewMove => Some("수록된 기보에 전례가 없는 수.".into()),
            MomentReason::Find | MomentReason::Mistake | MomentReason::LeavesJoseki => None,
        }
    }

    fn exchange(&self, kind: ExchangeKind, first: usize, last: usize) -> String {
        let what = match kind {
            ExchangeKind::Ko => "패싸움은",
            ExchangeKind::Atari => "교환은",
        };
        format!("{first}수부터 {last}수까지의 {what} 하나로 묶어 평가했다.")
    }

    fn rate_of(&self, color: Color) -> String {
        format!("{} 승률", self.color(color))
    }

    fn alternative(&self, color: Color, win_rate: f64) -> String {
        format!("이렇게 진행되면 {}의 승률은 {}.", self.color(color), percent(win_rate))
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::Curve => "흑 승률",
            Label::MoveNumber => "수",
            Label::Players => "대국자별",
            Label::Player => "대국자",
            Label::Moves => "수",
            Label::MeanLoss => "평균 손실",
            Label::Moments => "이 바둑의 승부처",
            Label::NoMoments => "따로 짚어 볼 만한 수가 없습니다.",
            Label::Candidate => "후보",
            Label::Visits => "탐색 횟수",
            Label::Expected => "예상",
            Label::Line => "예상 수순",
            Label::Played => "실전",
            Label::Preferred => "탐색의 예상 수순",
            Label::Komi => "덤",
            Label::Handicap => "접바둑",
            Label::Result => "결과",
            Label::Made => "작성 조건",
            Label::Game => "기보",
            Label::Evaluator => "평가",
            Label::Version => "버전",
            Label::Caution => {
                "승률은 탐색으로 추정한 값이며 잡음을 제거했습니다. 손실은 잃은 승률입니다. ‘예상’은 대국자가 그 수를 둘 \
                 확률입니다."
            }
            Label::Points => "흑의 우세(집)",
            Label::Replay => "수순 따라가기",
            Label::Start => "대국 시작",
            Label::FirstMove => "처음으로(Home)",
            Label::TenBack => "10수 뒤로(Page Up)",
            Label::OneBack => "한 수 뒤로(←)",
            Label::OneForward => "한 수 앞으로(→)",
            Label::TenForward => "10수 앞으로(Page Down)",
            Label::LastMove => "끝으로(End)",
            Label::PreviousMoment => "이전 주요 장면(↑)",
            Label::NextMoment => "다음 주요 장면(↓)",
            Label::Keys => {
                "키: ←와 →는 언제나 쓸 수 있습니다. Page Up, Page Down, Home, End와 ↑, ↓(주요 장면)는 바둑판이나 그래프를 클릭한 뒤에 쓸 수 있습니다."
            }
            Label::Details => "이 장면의 그림과 후보",
            Label::JudgedMoves => "판정한 수",
            Label::Opening => "포석(1–50)",
            Label::MiddleGame => "중반(51–150)",
            Label::Endgame => "끝내기(151–)",
            Label::WholeGame => "전체",
            Label::AsExpected => "예상된 수를 둔 비율",
            Label::Verdicts => "판정",
            Label::Highlights => "가장 좋은 수와 나쁜 수",
            Label::BestMove => "가장 좋은 수",
            Label::WorstMove => "가장 나쁜 수",
            Label::MeanLossMeans => "한 수에 잃은 승률의 평균(퍼센트포인트)",
            Label::AsExpectedMeans => "가장 둘 만하다고 예상된 수를 실제로 둔 비율",
            Label::HighlightsMean => {
                "가장 좋은 수: 좋은 수 가운데 예상된 수와의 차이가 가장 큰 수(숫자는 승률의 차이). 가장 나쁜 수: 승률을 가장 많이 잃은 수"
            }
            Label::VisitsMean => "탐색이 그 수를 시도한 횟수",
            Label::RateMeans => "그 수를 둔 뒤의 승률(그래프와 같은 척도)",
            Label::ExpectedMeans => "기사가 그 수를 둘 확률(실전의 수와 가장 예상된 수만)",
            Label::LineMeans => "탐색이 예상하는 이후의 수순",
            Label::OwnershipMeans => "■□: 두기 전에 예상되는 집",
            Label::LostStones => "이 수로 잃는 돌",
            Label::GroupDies => "{point}의 {color} {n}점이 잡힌다.",
            Label::GroupWouldDie => "{move}에 두면 {point}의 {color} {n}점이 잡힌다.",
        }
    }
}

/// Ends in 번, which takes the particles 이 and 을.
fn line_name(JosekiLine { number, name }: &JosekiLine) -> String {
    match name {
        Some(name) => format!("‘{name}’ 정석 {number}번"),
        None => format!("정석 {number}번"),
    }
}

fn corner_point(point: CornerPoint) -> &'static str {
    match point {
        CornerPoint::ThreeThree => "삼삼",
        CornerPoint::ThreeFour => "소목",
        CornerPoint::Star => "화점",
        CornerPoint::FiveThree => "외목",
        CornerPoint::FiveFour => "고목",
    }
}

fn approach(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "날일자 걸침",
        Shape::LargeKnight => "눈목자 걸침",
        Shape::OneSpace => "한 칸 높은 걸침",
        Shape::TwoSpace => "두 칸 높은 걸침",
        _ => "걸침",
    }
}

fn enclosure(form: Shape) -> &'static str {
    match form {
        Shape::SmallKnight => "날일자 굳힘",
        Shape::LargeKnight => "눈목자 굳힘",
        Shape::OneSpace => "한 칸 굳힘",
        Shape::TwoSpace => "두 칸 굳힘",
        _ => "굳힘",
    }
}

fn spaces(n: u8) -> Option<&'static str> {
    ["한 칸", "두 칸", "세 칸"].get(usize::from(n).checked_sub(1)?).copied()
}

fn height(height: Height) -> &'static str {
    match height {
        Height::Low => "",
        Height::High => "높은 ",
    }
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Extension => "뻗음",
        Shape::Descent => "내려섬",
        Shape::Hane => "젖힘",
        Shape::Diagonal => "마늘모",
        Shape::DiagonalContact => "마늘모 붙임",
        Shape::Wedge => "끼움",
        Shape::Contact => "붙임",
        Shape::ShoulderHit => "어깨짚기",
        Shape::Cap => "모자",
        Shape::OneSpace => "한 칸 뜀",
        Shape::SmallKnight => "날일자",
        Shape::TwoSpace => "두 칸 뜀",
        Shape::SideExtension => "두 칸 벌림",
        Shape::LargeKnight => "눈목자",
    }
}

fn place(Place { column, row }: Place) -> &'static str {
    const NAMES: [[&str; 3]; 3] =
        [["좌상귀", "상변", "우상귀"], ["좌변", "중앙", "우변"], ["좌하귀", "하변", "우하귀"]];
    NAMES[row][column]
}

/// The lines up to the fourth, which are mentioned.
fn line_word(line: u8) -> Option<&'static str> {
    ["1선", "2선", "3선", "4선"].get(usize::from(line).checked_sub(1)?).copied()
}
