//! Judgements as files: JSON that a person can read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::judging::judgement::{FEATURES, Judgement, LossScale, Scaling, Weights};

/// The version of the format.
const VERSION: u64 = 1;
/// Learned from 36 professional games with comments; see the book.
const BUILT_IN: &str = include_str!("../../data/judgement.json");

/// Why a file is not a judgement.
#[derive(Debug, thiserror::Error)]
pub enum JudgementFileError {
    /// It could not be read.
    #[error("{}: not a judgement file", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{}: not a judgement file", .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<JudgementFileError>,
    },
    /// It is not JSON, or something in it is missing or has the wrong type.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is of another version.
    #[error("the file is from another version of tejun; learn it again")]
    OtherVersion,
    /// A feature is missing or in another place.
    #[error("feature {number} must be {expected}")]
    Feature {
        /// Its number, from 1.
        number: usize,
        /// Its name.
        expected: &'static str,
    },
}

#[derive(Deserialize)]
struct VersionView {
    #[serde(default)]
    judgement: Value,
}

/// A file, with its names and its order.
#[derive(Serialize, Deserialize)]
struct JudgementView {
    judgement: u64,
    loss: LossView,
    features: Vec<FeatureView>,
    alone: ClassView,
    #[serde(default)]
    made_of: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct LossView {
    stretch: f64,
    bias: f64,
    noise: f64,
}

#[derive(Serialize, Deserialize)]
struct FeatureView {
    name: String,
    mean: f64,
    deviation: f64,
    good: f64,
    bad: f64,
}

/// A number for good moves and one for bad moves.
#[derive(Serialize, Deserialize)]
struct ClassView {
    good: f64,
    bad: f64,
}

impl Judgement {
    /// The judgement that comes with tejun, for its own search.
    pub fn built_in() -> Judgement {
        Judgement::parse(BUILT_IN).expect("the file that comes with the library is sound")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it can't be read or is not a judgement.
    pub fn open(path: &Path) -> Result<Judgement, JudgementFileError> {
        let text = fs::read_to_string(path).map_err(|source| JudgementFileError::File { path: path.into(), source })?;
        Judgement::parse(&text).map_err(|error| JudgementFileError::Text { path: path.into(), source: error.into() })
    }

    /// Reads the text of a file.
    ///
    /// ```
    /// use tejun_knowledge::judging::Judgement;
    ///
    /// let text = Judgement::built_in().to_json(&[("games", "36".into())]);
    /// assert_eq!(Judgement::parse(&text)?, Judgement::built_in());
    /// # Ok::<(), tejun_knowledge::judging::JudgementFileError>(())
    /// ```
    ///
    /// # Errors
    /// If it is not JSON, is of another version, or lacks a number.
    pub fn parse(text: &str) -> Result<Judgement, JudgementFileError> {
        let version: VersionView = serde_json::from_str(text)?;
        if version.judgement.as_u64() != Some(VERSION) {
            return Err(JudgementFileError::OtherVersion);
        }
        let view: JudgementView = serde_json::from_str(text)?;
        let mut features = view.features.iter();
        let mut next = |n: usize| {
            let feature = features.next().filter(|feature| feature.name == FEATURES[n]);
            feature.ok_or(JudgementFileError::Feature { number: n + 1, expected: FEATURES[n] })
        };
        let features = [next(0)?, next(1)?, next(2)?, next(3)?];
        Ok(Judgement {
            scale: LossScale { stretch: view.loss.stretch, bias: view.loss.bias, noise: view.loss.noise.max(1e-6) },
            scaling: features.map(|feature| Scaling { mean: feature.mean, deviation: feature.deviation.max(1e-9) }),
            good: Weights { features: features.map(|feature| feature.good), intercept: view.alone.good },
            bad: Weights { features: features.map(|feature| feature.bad), intercept: view.alone.bad },
        })
    }

    /// The text of a file; `made_of` says what the judgement was learned from.
    pub fn to_json(&self, made_of: &[(&str, String)]) -> String {
        let feature = |n: usize| FeatureView {
            name: FEATURES[n].into(),
            mean: self.scaling[n].mean,
            deviation: self.scaling[n].deviation,
            good: self.good.features[n],
            bad: self.bad.features[n],
        };
        let LossScale { stretch, bias, noise } = self.scale;
        let view = JudgementView {
            judgement: VERSION,
            loss: LossView { stretch, bias, noise },
            features: (0..FEATURES.len()).map(feature).collect(),
            alone: ClassView { good: self.good.intercept, bad: self.bad.intercept },
            made_of: made_of.iter().map(|(name, value)| ((*name).into(), value.clone().into())).collect(),
        };
        let text = serde_json::to_string_pretty(&view).expect("numbers and strings under string keys");
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an error and of its sources.
    fn words(error: &dyn std::error::Error) -> String {
        error.source().map_or(error.to_string(), |source| format!("{error}: {}", words(source)))
    }

    #[test]
    fn files_are_read_back_and_faults_are_named() {
        let built_in = Judgement::built_in();
        let text = built_in.to_json(&[("games", "3".into())]);
        assert_eq!(Judgement::parse(&text).expect("what was written"), built_in);
        for (bad, why) in [
            ("{}", "another version"),
            ("[", "EOF"),
            (&text.replace("\"name\": \"unexpected\"", "\"name\": \"odd\""), "feature 1 must be unexpected"),
            (&text.replace("\"stretch\"", "\"x\""), "missing field `stretch`"),
            (&text.replace("\"stretch\": ", "\"stretch\": \"much\", \"x\": "), "invalid type: string \"much\""),
        ] {
            let error = words(&Judgement::parse(bad).expect_err("broken"));
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn the_built_in_file_is_written_as_it_is_read() {
        let file: JudgementView = serde_json::from_str(BUILT_IN).expect("sound");
        let made_of: Vec<(&str, String)> =
            file.made_of.iter().map(|(name, value)| (name.as_str(), value.as_str().expect("text").into())).collect();
        assert_eq!(Judgement::built_in().to_json(&made_of), BUILT_IN);
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let error = Judgement::open(Path::new("nowhere.json")).expect_err("no such file");
        assert!(words(&error).starts_with("nowhere.json: not a judgement file: "), "{error}");
    }
}
