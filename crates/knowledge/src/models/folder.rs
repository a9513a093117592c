//! The folder of a model and its manifest.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tejun_files::{IfExists, NewFolder, checksum_of, checksum_of_bytes, is_temporary};

use crate::corpus::GameTable;
use crate::models::error::ModelError;
use crate::models::grammar::GrammarFacts;
use crate::models::tactic::TacticFacts;

/// What a model was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MadeOf {
    /// Facts such as the collection and the options, in the order in which they are shown.
    pub facts: Vec<(String, String)>,
    /// Fingerprints of the games that it was learned from, in ascending order.
    games: Vec<u64>,
}

impl MadeOf {
    /// A model that was learned from these games.
    pub fn new(facts: Vec<(String, String)>, games: &GameTable) -> MadeOf {
        let mut games: Vec<u64> = games.game_fingerprints().collect();
        games.sort_unstable();
        MadeOf { facts, games }
    }
}

/// The fingerprints of the games that a model was learned from, eight bytes each, the lowest byte first.
const GAMES: &str = "games.fingerprints";
/// The name of the manifest.
const MANIFEST: &str = "model.json";
/// The key of the manifest's own checksum.
const CHECKSUM: &str = "checksum";
/// Version of the folder's layout.
const VERSION: u64 = 2;
/// The last layout without checksums.
const UNCHECKED_VERSION: u64 = 1;

/// The kind of a model, with the manifest entries of that kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "lowercase")]
pub(crate) enum Kind {
    Grammar(GrammarFacts),
    Patterns,
    Paper,
    Tactics(TacticFacts),
}

/// A parsed manifest.
pub(crate) struct Manifest {
    pub(crate) kind: Kind,
    pub(crate) made_of: Vec<(String, String)>,
    /// The whole manifest, used for verification and to distinguish models.
    text: Value,
}

/// The facts in a model's manifest, available without opening the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// What the model was made of: facts in the order in which they are shown.
    pub made_of: Vec<(String, String)>,
    /// Whether damage can be detected; models of the first versions of tejun have no checksums.
    pub has_checksums: bool,
    /// Models with different answers have different identities.
    pub identity: String,
}

impl ModelInfo {
    /// Reads the manifest of a model.
    ///
    /// # Errors
    /// If there is none, or it is from another version.
    pub fn read(folder: &Path) -> Result<ModelInfo, ModelError> {
        let manifest = Manifest::read(folder)?;
        let has_checksums = !manifest.is_unchecked();
        Ok(ModelInfo { has_checksums, identity: manifest.text.to_string(), made_of: manifest.made_of })
    }

    /// Counts the games that the model in a folder was learned from; 0 for models of older versions, which do not say.
    ///
    /// # Errors
    /// If the file with the fingerprints can't be read.
    pub fn n_known_games(folder: &Path, games: &GameTable) -> Result<usize, ModelError> {
        let path = folder.join(GAMES);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            bytes => bytes.map_err(|source| ModelError::File { path, source })?,
        };
        let learned: HashSet<u64> =
            bytes.as_chunks().0.iter().map(|fingerprint| u64::from_le_bytes(*fingerprint)).collect();
        Ok(games.game_fingerprints().filter(|fingerprint| learned.contains(fingerprint)).count())
    }
}

impl Manifest {
    pub(crate) fn read(folder: &Path) -> Result<Manifest, ModelError> {
        let not_a_model = |source: Box<dyn std::error::Error + Send + Sync>| ModelError::NotAModel {
            path: folder.into(),
            source: Some(source),
        };
        let text = fs::read_to_string(folder.join(MANIFEST)).map_err(|e| not_a_model(e.into()))?;
        let text: Value = serde_json::from_str(&text).map_err(|e| not_a_model(e.into()))?;
        if text["layout"] != json!(VERSION) && text["layout"] != json!(UNCHECKED_VERSION) {
            return Err(ModelError::OtherVersion { path: folder.into() });
        }
        let kind = Kind::deserialize(&text).map_err(|e| not_a_model(e.into()))?;
        let made_of = text["made_of"].as_object().into_iter().flatten();
        let made_of = made_of.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().into())).collect();
        Ok(Manifest { kind, made_of, text })
    }

    fn is_unchecked(&self) -> bool {
        // A single flipped bit can hide one of the three, but not all of them.
        let has_none = self.text["files"].is_null() && self.text[CHECKSUM].is_null();
        self.text["layout"] == json!(UNCHECKED_VERSION) && has_none
    }

    /// Fails if a file is missing, damaged or replaced since the model was learned.
    pub(crate) fn check_files(&self, folder: &Path) -> Result<(), ModelError> {
        if self.is_unchecked() {
            return Ok(());
        }
        let mut rest = self.text.clone();
        let checksum = rest.as_object_mut().and_then(|rest| rest.shift_remove(CHECKSUM));
        if checksum != Some(json!(checksum_of_bytes(rest.to_string().as_bytes()))) {
            return Err(ModelError::Damaged { path: folder.join(MANIFEST) });
        }
        for (name, checksum) in self.text["files"].as_object().into_iter().flatten() {
            let path = folder.join(name);
            let found = checksum_of(&path).map_err(|source| ModelError::File { path: path.clone(), source })?;
            if *checksum != json!(found) {
                return Err(ModelError::Damaged { path });
            }
        }
        Ok(())
    }

    /// A file in the folder that no model contains; it must not be lost when the model is replaced.
    fn foreign_file(&self, folder: &Path) -> Option<PathBuf> {
        let files = &self.text["files"];
        let is_ours = |name: &str| {
            let is_old = files.is_null() && [".row", ".index", ".tsv"].iter().any(|ending| name.ends_with(ending));
            name == MANIFEST || files.get(name).is_some() || is_old || is_temporary(name.as_ref())
        };
        let is_ours = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(is_ours);
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).find(|path| !is_ours(path))
    }
}

/// Checks that the output folder is free or contains a model; call it before long work.
///
/// The caller decides whether an existing model may be replaced.
///
/// # Errors
/// If the folder contains something other than a model.
pub fn check_output(folder: &Path) -> Result<(), ModelError> {
    if !folder.exists() {
        return Ok(());
    }
    let manifest = Manifest::read(folder).map_err(|_| ModelError::Occupied { path: folder.into() })?;
    manifest.foreign_file(folder).map_or(Ok(()), |path| Err(ModelError::ForeignFile { path }))
}

/// Writes the folder of a model atomically.
pub(crate) fn save_folder<T>(
    folder: &Path,
    kind: Kind,
    made_of: &MadeOf,
    if_exists: IfExists,
    save: impl FnOnce(&Path) -> Result<T, ModelError>,
) -> Result<T, ModelError> {
    check_output(folder)?;
    let failed = |source| ModelError::Write { path: folder.into(), source };
    let new = NewFolder::create(folder).map_err(failed)?;
    let saved = save(new.path())?;
    let mut text = serde_json::to_value(kind).expect("a manifest is JSON");
    text["layout"] = json!(VERSION);
    text["made_of"] =
        made_of.facts.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>().into();
    let fingerprints: Vec<u8> = made_of.games.iter().flat_map(|fingerprint| fingerprint.to_le_bytes()).collect();
    fs::write(new.path().join(GAMES), fingerprints).map_err(failed)?;
    text["files"] = checksums(new.path()).map_err(failed)?.into();
    text[CHECKSUM] = json!(checksum_of_bytes(text.to_string().as_bytes()));
    fs::write(new.path().join(MANIFEST), format!("{text:#}\n")).map_err(failed)?;
    new.commit(if_exists).map_err(failed)?;
    Ok(saved)
}

/// The checksums of the files in a model's folder, by name.
fn checksums(folder: &Path) -> io::Result<Map<String, Value>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        names.insert(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != MANIFEST && !name.starts_with('.'));
    names.into_iter().map(|name| Ok((name.clone(), json!(checksum_of(&folder.join(name))?)))).collect()
}
