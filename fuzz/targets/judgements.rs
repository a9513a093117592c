//! Files of `tejun learn judge`: any text is a judgement or an error, and a judgement is written back unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_knowledge::judging::Judgement;

fuzz_target!(|text: &str| match Judgement::parse(text) {
    Ok(judgement) => {
        let written = judgement.to_json(&[("games", "3".into())]);
        assert_eq!(Judgement::parse(&written).expect("what was written"), judgement, "{written}");
    }
    Err(error) => assert!(!error.to_string().is_empty()),
});
