//! Files of `tejun learn judge`: any text is a judgement or an error, and a judgement is written back unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun::commands::judgements::{from_json, to_json};

fuzz_target!(|text: &str| match from_json(text) {
    Ok(judgement) => {
        let written = to_json(&judgement, &[("games", "3".into())]);
        assert_eq!(from_json(&written).expect("what was written"), judgement, "{written}");
    }
    Err(error) => assert!(!format!("{error:#}").is_empty()),
});
