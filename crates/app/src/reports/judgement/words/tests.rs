//! Comments in all languages.

use super::*;
use crate::reports::judgement::fixtures;

#[track_caller]
fn check(language: Language, index: usize, expected: &str) {
    let game = fixtures::small_game();
    let report = game.report(language);
    assert_eq!(report.comment(&game.judged.moves[index]).as_deref().unwrap_or("(nothing)"), expected.trim());
}

#[test]
fn english_comments() {
    check(Language::En, 0, "(nothing)");
    check(
        Language::En,
        1,
        "\
White R14: low approach (small knight).
Follows “slide” (joseki 1).
A good move that few would find: the expected D4 would have cost 8% of win rate.
Hardly anyone would choose it (0.8%).",
    );
    check(
        Language::En,
        2,
        "\
Black O16: one-space jump.
Leaves “slide” (joseki 1); the known move is O17.
Turning point: Black loses the lead here.
A mistake that costs 2.4 points: Black's win rate falls from 55% to 38%.
Better: O17 pass D4.
Most players would choose it (55%).",
    );
}

#[test]
fn japanese_comments() {
    check(
        Language::Ja,
        1,
        "\
白R14：右上への小ゲイマガカリ。
定石「slide」（1番）どおりの進行。
気付きにくい好手。予想されるD4では勝率が8%下がる。
こう打つ人はまずいない（0.8%）。",
    );
    check(
        Language::Ja,
        2,
        "\
黒O16：一間トビ。
ここで定石「slide」（1番）を外れた。定石はO17。
勝負の分岐点。ここで黒は優勢を失った。
悪手。黒の勝率が55%から38%に下がり、2.4目の損。
ここはO17がまさった（以下パス D4）。
多くの人がこう打つ（55%）。",
    );
}

#[test]
fn chinese_comments() {
    check(
        Language::Zh,
        1,
        "\
白R14：右上角小飞挂。
按定式“slide”（第1型）进行。
不易发现的好手：若按常见的D4下，胜率会下降8%。
几乎没有人这样下（0.8%）。",
    );
    check(
        Language::Zh,
        2,
        "\
黑O16：单关跳。
由此脱离定式“slide”（第1型），定式下法是O17。
胜负的转折点：黑棋由此失去优势。
恶手：黑棋胜率从55%降到38%，损失2.4目。
此手O17更好（以下停一手 D4）。
多数人会这样下（55%）。",
    );
}

#[test]
fn korean_comments() {
    check(
        Language::Ko,
        1,
        "\
백 R14: 우상귀 날일자 걸침.
‘slide’ 정석 1번대로 진행됐다.
눈에 잘 띄지 않는 호수. 예상되는 자리(D4)였다면 승률이 8% 떨어진다.
이렇게 두는 사람은 거의 없다(0.8%).",
    );
    check(
        Language::Ko,
        2,
        "\
흑 O16: 한 칸 뜀.
여기서 ‘slide’ 정석 1번을 벗어났다. 정석의 수: O17.
승부의 갈림길. 여기서 흑이 우세를 잃었다.
악수. 흑의 승률이 55%에서 38%로 떨어지고 2.4집을 손해 봤다.
더 나은 수: O17(이하 패스 D4).
대부분 이렇게 둔다(55%).",
    );
}

#[test]
fn what_is_not_known_is_not_mentioned() {
    let mut game = fixtures::small_game();
    let judged = &mut game.judged.moves[2];
    judged.signals = Default::default();
    (judged.loss, judged.rates, judged.points_lost, judged.moment) = (None, None, None, None);
    for value in judged.evaluation.iter_mut().flat_map(|e| &mut e.moves) {
        value.win_rate = None;
    }
    let judged = judged.clone();
    assert_eq!(game.report(Language::En).sentences(&judged)[2..], ["A mistake.", "Better: O17 pass D4."]);
    let silent = JudgedMove { evaluation: None, ..judged };
    let rest = |language: Language| game.report(language).sentences(&silent)[2..].to_vec();
    assert_eq!(rest(Language::Ja), ["悪手。"]);
    assert_eq!(rest(Language::Zh), ["恶手。"]);
    assert_eq!(rest(Language::Ko), ["악수."]);
}

#[test]
fn the_most_telling_details_come_first() {
    let mut game = fixtures::small_game();
    let mut check = |tags: Vec<MoveTag>, expected: &str| {
        let mut judged = game.judged.moves[1].clone();
        judged.tags = tags;
        game.judged.moves[1] = judged.clone();
        assert_eq!(what(Language::En.phrases(), game.record.size, &judged), format!("White R14: {expected}."));
    };
    let low = tejun_knowledge::judging::Height::Low;
    let hane = MoveTag::Shape(tejun_knowledge::judging::Shape::Hane);
    let [atari, saves] = [MoveTag::Atari { n_stones: 2 }, MoveTag::Saves { n_stones: 3 }];
    check(
        vec![atari, saves, MoveTag::Cuts, MoveTag::KoThreat, hane],
        "ko threat, atari on 2 stones, saves 3 stones from atari",
    );
    check(vec![MoveTag::Captures { n_stones: 1 }, MoveTag::TakesKo, MoveTag::Line(2)], "takes the ko");
    check(vec![atari, MoveTag::Ladder { n_stones: 2 }], "catches 2 stones in a ladder");
    check(
        vec![MoveTag::Pincer { n_spaces: 1, height: low }, MoveTag::Elsewhere, MoveTag::Line(3)],
        "one-space low pincer",
    );
    check(vec![hane, MoveTag::Elsewhere, MoveTag::Line(3)], "hane, plays elsewhere");
    check(vec![MoveTag::Line(3)], "on the third line");
}

/// All languages, each with its phrases.
fn all() -> Vec<&'static dyn Phrases> {
    Language::value_variants().iter().map(|language| language.phrases()).collect()
}

/// Checks that each language has its own words: English in ASCII, the other ones in their script.
#[track_caller]
fn check_words(what: &dyn std::fmt::Debug, words: impl Fn(&dyn Phrases) -> String) {
    let words: Vec<String> = all().into_iter().map(words).collect();
    let is_english = |c: char| c.is_ascii() || "–±“”".contains(c);
    let has = |words: &str, first: char, last: char| words.chars().any(|c| (first..=last).contains(&c));
    assert!(!words[0].is_empty() && words[0].chars().all(is_english), "{what:?}: {words:?}");
    assert!(has(&words[1], '\u{3040}', '\u{30ff}') || has(&words[1], '\u{4e00}', '\u{9fff}'), "{what:?}: {words:?}");
    assert!(has(&words[2], '\u{4e00}', '\u{9fff}'), "{what:?}: {words:?}");
    assert!(!has(&words[2], '\u{3040}', '\u{30ff}'), "{what:?}: {words:?}");
    assert!(has(&words[3], '\u{ac00}', '\u{d7a3}'), "{what:?}: {words:?}");
}

#[test]
fn every_sight_has_words_in_all_languages() {
    use tejun_knowledge::judging::{CornerPoint, Height, Shape};
    let shapes = [
        Shape::Extension,
        Shape::Descent,
        Shape::Hane,
        Shape::Diagonal,
        Shape::DiagonalContact,
        Shape::Wedge,
        Shape::Contact,
        Shape::ShoulderHit,
        Shape::Cap,
        Shape::SideExtension,
        Shape::OneSpace,
        Shape::SmallKnight,
        Shape::TwoSpace,
        Shape::LargeKnight,
    ];
    let corners = [
        CornerPoint::ThreeThree,
        CornerPoint::ThreeFour,
        CornerPoint::Star,
        CornerPoint::FiveThree,
        CornerPoint::FiveFour,
    ];
    let mut tags = vec![
        MoveTag::Captures { n_stones: 2 },
        MoveTag::TakesKo,
        MoveTag::Atari { n_stones: 1 },
        MoveTag::Atari { n_stones: 2 },
        MoveTag::DoubleAtari,
        MoveTag::Ladder { n_stones: 3 },
        MoveTag::NoEscape { n_stones: 1 },
        MoveTag::NoEscape { n_stones: 2 },
        MoveTag::Saves { n_stones: 4 },
        MoveTag::SelfAtari { n_stones: 1 },
        MoveTag::ThrowIn,
        MoveTag::KoThreat,
        MoveTag::Peep,
        MoveTag::Connects { n_chains: 2 },
        MoveTag::Cuts,
        MoveTag::ThreeThree,
        MoveTag::Invasion,
        MoveTag::Splits,
        MoveTag::Reduction,
        MoveTag::Elsewhere,
    ];
    tags.extend(shapes.map(MoveTag::Shape));
    tags.extend(shapes[10..].iter().flat_map(|&shape| [MoveTag::Approach(shape), MoveTag::Enclosure(shape)]));
    tags.extend(corners.iter().flat_map(|&point| [MoveTag::Corner(point), MoveTag::ApproachAt(point)]));
    tags.extend((1..=4).map(MoveTag::Line));
    let heights = [Height::Low, Height::High];
    tags.extend((1..=3).flat_map(|n_spaces| heights.map(|height| MoveTag::Pincer { n_spaces, height })));
    let place = Place { column: 2, row: 0 };
    for tag in tags {
        check_words(&tag, |phrases| phrases.tag(tag, place).unwrap_or_default());
    }
}

#[test]
fn every_judgement_has_words_in_all_languages() {
    for verdict in Verdict::ALL {
        check_words(&verdict, |phrases| phrases.verdict(verdict).into());
        for points_lost in [None, Some(2.4)] {
            let facts = Facts {
                verdict,
                color: Color::White,
                rates: Some([0.5, 0.4]),
                error: 0.08,
                points_lost,
                expected: Some(("Q16".into(), 0.08)),
            };
            check_words(&verdict, |phrases| phrases.judged(&facts).unwrap_or_default());
        }
    }
    for reason in [MomentReason::TurningPoint, MomentReason::NewMove] {
        check_words(&reason, |phrases| phrases.moment(reason, Color::Black).unwrap_or_default());
    }
    for kind in [ExchangeKind::Ko, ExchangeKind::Atari] {
        check_words(&kind, |phrases| phrases.exchange(kind, 12, 25));
    }
    for share in [0.6, 0.4, 0.2, 0.1, 0.01] {
        check_words(&share, |phrases| phrases.expected(share));
    }
    check_words(&"color", |phrases| phrases.color(Color::Black).into());
}

#[test]
fn how_often_a_move_is_chosen_agrees_with_the_verdicts() {
    let limits = tejun_knowledge::judging::VerdictLimits::default();
    assert_eq!(Frequency::of(limits.unexpected - 0.001), Frequency::Few);
    assert_eq!(Frequency::of(limits.surprising - 0.001), Frequency::HardlyAny);
}

#[test]
fn languages_are_named() {
    for &language in Language::value_variants() {
        assert_eq!(Language::from_str(language.code(), false), Ok(language));
    }
    assert!(Language::from_str("fr", false).is_err());
    assert_eq!(Language::of_locale("ja_JP.UTF-8"), Language::Ja);
    assert_eq!(Language::of_locale("zh_CN.UTF-8"), Language::Zh);
    assert_eq!(Language::of_locale("ko"), Language::Ko);
    assert_eq!(Language::of_locale("C"), Language::En);
    assert_eq!(Language::of_locale("kok_IN"), Language::En);
}
