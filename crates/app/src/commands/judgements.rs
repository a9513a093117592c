//! Judgements as files: JSON that a person can read.

use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tejun_knowledge::judging::{FEATURES, Judgement, LossScale, Verdict};

/// The layout of the file.
const VERSION: u64 = 1;
/// What `tejun learn judge` made of 36 professional games with comments; see the book.
const BUILT_IN: &str = include_str!("../../data/judgement.json");

/// The judgement of a file, or the one that comes with tejun.
///
/// # Errors
/// If the file is no judgement.
pub fn open_judgement(path: Option<&Path>) -> anyhow::Result<Judgement> {
    match path {
        None => Ok(from_json(BUILT_IN).expect("what comes with the program is sound")),
        Some(path) => {
            let name = || format!("{}: not a judgement file; run `tejun learn judge` to make one", path.display());
            from_json(&std::fs::read_to_string(path).with_context(name)?).with_context(name)
        }
    }
}

/// The text of the file.
pub fn to_json(judgement: &Judgement, made_of: &[(&str, String)]) -> String {
    let features: Vec<Value> = FEATURES
        .iter()
        .enumerate()
        .map(|(n, name)| {
            let (mean, deviation) = judgement.spread[n];
            json!({
                "name": name, "mean": mean, "deviation": deviation,
                "good": judgement.good[n], "bad": judgement.bad[n],
            })
        })
        .collect();
    let average: serde_json::Map<String, Value> =
        Verdict::ALL.iter().zip(judgement.average).map(|(verdict, p)| (verdict.name().into(), json!(p))).collect();
    let made_of: serde_json::Map<String, Value> =
        made_of.iter().map(|(name, value)| ((*name).into(), json!(value))).collect();
    let whole = json!({
        "judgement": VERSION,
        "loss": {
            "stretch": judgement.scale.stretch,
            "bias": judgement.scale.bias,
            "noise": judgement.scale.noise,
            "share": judgement.scale.share,
        },
        "features": features,
        "alone": { "good": judgement.good[FEATURES.len()], "bad": judgement.bad[FEATURES.len()] },
        "cuts": { "good": judgement.cuts[0], "bad": judgement.cuts[1] },
        "average": average,
        "made_of": made_of,
    });
    format!("{whole:#}\n")
}

/// Reads the text of a file.
///
/// # Errors
/// If it is not JSON, is of another version, or lacks a number.
pub fn from_json(text: &str) -> anyhow::Result<Judgement> {
    let whole: Value = serde_json::from_str(text)?;
    if whole["judgement"] != json!(VERSION) {
        bail!("the file is from another version of tejun; learn it again");
    }
    let number = |value: &Value, what: &str| {
        value.as_f64().filter(|number| number.is_finite()).with_context(|| format!("{what} is missing or not a number"))
    };
    let mut judgement = Judgement {
        scale: LossScale {
            stretch: number(&whole["loss"]["stretch"], "loss.stretch")?,
            bias: number(&whole["loss"]["bias"], "loss.bias")?,
            noise: number(&whole["loss"]["noise"], "loss.noise")?.max(1e-6),
            share: number(&whole["loss"]["share"], "loss.share")?.max(1e-6),
        },
        spread: [(0.0, 1.0); FEATURES.len()],
        good: [0.0; FEATURES.len() + 1],
        bad: [0.0; FEATURES.len() + 1],
        cuts: [number(&whole["cuts"]["good"], "cuts.good")?, number(&whole["cuts"]["bad"], "cuts.bad")?],
        average: [0.0; 5],
    };
    for (n, name) in FEATURES.iter().enumerate() {
        let feature = &whole["features"][n];
        if feature["name"] != json!(name) {
            bail!("feature {} must be {name}", n + 1);
        }
        let of = |what: &str| number(&feature[what], &format!("{name}.{what}"));
        judgement.spread[n] = (of("mean")?, of("deviation")?.max(1e-9));
        (judgement.good[n], judgement.bad[n]) = (of("good")?, of("bad")?);
    }
    let alone = |what: &str| number(&whole["alone"][what], &format!("alone.{what}"));
    judgement.good[FEATURES.len()] = alone("good")?;
    judgement.bad[FEATURES.len()] = alone("bad")?;
    for (average, verdict) in judgement.average.iter_mut().zip(Verdict::ALL) {
        *average = number(&whole["average"][verdict.name()], &format!("average.{}", verdict.name()))?;
    }
    Ok(judgement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_say_what_was_written() {
        let built_in = open_judgement(None).expect("sound");
        let text = to_json(&built_in, &[("games", "3".into())]);
        assert_eq!(from_json(&text).expect("what was written"), built_in);
        for (bad, why) in [
            ("{}", "another version"),
            ("[", "EOF"),
            (&text.replace("\"name\": \"unexpected\"", "\"name\": \"odd\""), "feature 1 must be unexpected"),
            (&text.replace("\"stretch\": ", "\"stretch\": \"much\", \"x\": "), "loss.stretch is missing"),
        ] {
            let error = format!("{:#}", from_json(bad).expect_err("broken"));
            assert!(error.contains(why), "{error}");
        }
    }
}
