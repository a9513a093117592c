//! Models that were learned: a folder with large files and one that says what they are.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tejun_files::{NewFolder, checksum_of, checksum_of_bytes, is_temporary};
use tejun_games::go::BoardSize;
use tejun_knowledge::codes::Code;
use tejun_knowledge::grammar::{Grammar, GrammarPredictor, Product, Smoothing};
use tejun_knowledge::patterns::{PaperModel, PatternModel};
use tejun_knowledge::predictor::{Predictor, Situation};
use tejun_knowledge::search::{PlainPredictor, Prior};
use tejun_knowledge::tactics::{TacticModel, TacticPosition};

use crate::commands::Globals;
use crate::output::check_free;
use crate::terminal::say;

/// The file that says what is in the folder.
const MANIFEST: &str = "model.json";
/// Where the manifest's own checksum stands in it.
const CHECKSUM: &str = "checksum";
/// The layout of the folder.
const VERSION: u64 = 2;
/// The layout that has no checksums yet.
const UNCHECKED_VERSION: u64 = 1;

/// A model of any kind.
pub enum Model {
    /// The order of moves.
    Grammar(GrammarModel),
    /// What stands on the board, trained.
    Patterns(Box<PatternModel>),
    /// The paper's patterns.
    Paper(PaperModel),
    /// Weighted mappings.
    Tactics(TacticFolder),
}

/// Weighted mappings, and the model whose answers they add to.
pub struct TacticFolder {
    /// The mappings.
    pub model: TacticModel,
    /// The size of the boards they were learned on.
    pub size: BoardSize,
    base: Option<Box<Model>>,
    /// Where the base is.
    pub base_path: Option<PathBuf>,
    /// What they were made of.
    pub made_of: Value,
}

/// Grammars that predict together.
pub struct GrammarModel {
    /// One grammar a code.
    pub grammars: Vec<Grammar>,
    /// The power of each in the product.
    pub powers: Vec<f64>,
    /// How counts become probabilities.
    pub smoothing: Smoothing,
}

/// The codes of grammars, by the names of their papers.
pub const CODES: [(&str, Code); 4] =
    [("ep", Code::Position), ("er", Code::Distance), ("es", Code::Surroundings), ("er-relative", Code::Relative)];

/// The name of a grammar's code.
pub fn code_name(code: Code) -> &'static str {
    CODES.iter().find(|(_, known)| *known == code).map_or(code.name(), |(name, _)| name)
}

impl Model {
    /// Opens a folder.
    ///
    /// # Errors
    /// If it is no model, damaged, or of another version.
    pub fn open(folder: &Path) -> anyhow::Result<Model> {
        let (kind, words) = read_manifest(folder)?;
        check_files(folder, &words)?;
        let name = || folder.display().to_string();
        Ok(match kind.as_str() {
            "grammar" => Model::Grammar(GrammarModel::from_manifest(folder, &words)?),
            "patterns" => Model::Patterns(Box::new(PatternModel::open(folder).with_context(name)?)),
            "paper" => Model::Paper(PaperModel::open(folder).with_context(name)?),
            "tactics" => Model::Tactics(TacticFolder::from_manifest(folder, &words)?),
            _ => bail!("{}: unknown kind of model; this version of tejun cannot read it", folder.display()),
        })
    }

    /// The size of its boards.
    pub fn size(&self) -> BoardSize {
        match self {
            Model::Grammar(model) => model.grammars[0].size(),
            Model::Patterns(model) => model.size(),
            Model::Paper(model) => model.size(),
            Model::Tactics(model) => model.size,
        }
    }

    /// What it is called in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Grammar(_) => "grammar",
            Model::Patterns(_) => "trained",
            Model::Paper(model) => model.method().name(),
            Model::Tactics(_) => "tactics",
        }
    }

    /// Asks it.
    pub fn predictor(&self) -> Box<dyn Predictor + Send + '_> {
        match self {
            Model::Grammar(model) => Box::new(model.predictor()),
            Model::Patterns(model) => Box::new(model.predictor()),
            Model::Paper(model) => Box::new(model.predictor()),
            Model::Tactics(folder) => {
                Box::new(folder.model.predictor(folder.base.as_ref().map(|base| base.predictor())))
            }
        }
    }

    /// Asks it about boards of its size, and a few simple rules about others.
    pub fn prior(&self) -> Prior<'_> {
        Box::new(SizedPrior { size: self.size(), model: self.predictor() })
    }

    /// Refuses a game on another board.
    ///
    /// # Errors
    /// If it is.
    pub fn check_size(&self, size: BoardSize, game: &str) -> anyhow::Result<()> {
        check_size(size, self.size(), game)
    }
}

/// A model for boards of its size.
struct SizedPrior<'m> {
    size: BoardSize,
    model: Box<dyn Predictor + Send + 'm>,
}

impl Predictor for SizedPrior<'_> {
    fn predict(&mut self, situation: &Situation<'_>) -> Vec<f64> {
        if situation.board.size() == self.size {
            self.model.predict(situation)
        } else {
            PlainPredictor.predict(situation)
        }
    }

    fn prepare(&mut self, situation: &Situation<'_>) {
        if situation.board.size() == self.size {
            self.model.prepare(situation);
        }
    }
}

/// What tells a model from others: all that its manifest says.
///
/// # Errors
/// If it can't be read.
pub fn model_identity(folder: &Path) -> anyhow::Result<String> {
    Ok(read_manifest(folder)?.1.to_string())
}

/// Refuses a game on another board than the model's.
///
/// # Errors
/// If it is.
pub fn check_size(size: BoardSize, other: BoardSize, game: &str) -> anyhow::Result<()> {
    if size != other {
        bail!("{game}: the game is on {size}x{size}, the model is for {other}x{other}");
    }
    Ok(())
}

/// The kind of a model, and all that its manifest says.
fn read_manifest(folder: &Path) -> anyhow::Result<(String, Value)> {
    let name = || format!("{}: not a model; run `tejun learn` to make one", folder.display());
    let text = fs::read_to_string(folder.join(MANIFEST)).with_context(name)?;
    let words: Value = serde_json::from_str(&text).with_context(name)?;
    if words["layout"] != json!(VERSION) && words["layout"] != json!(UNCHECKED_VERSION) {
        bail!("{}: the model is from another version of tejun; learn it again", folder.display());
    }
    let kind = words["model"].as_str().with_context(name)?.to_string();
    Ok((kind, words))
}

/// Writes the folder of a model; it appears when it is whole. Its manifest has a checksum of every other file.
///
/// # Errors
/// If it cannot be written, or something has its name that may not be replaced.
pub fn save_model<T>(
    folder: &Path,
    mut words: Value,
    made_of: &[(String, String)],
    globals: &Globals,
    save: impl FnOnce(&Path) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    check_model_output(folder, globals)?;
    let name = || format!("{} could not be written", folder.display());
    let new = NewFolder::create(folder).with_context(name)?;
    let saved = save(new.path())?;
    words["layout"] = json!(VERSION);
    words["made_of"] = made_of.iter().map(|(k, v)| (k.clone(), json!(v))).collect::<serde_json::Map<_, _>>().into();
    words["files"] = checksums(new.path()).with_context(name)?.into();
    words[CHECKSUM] = json!(checksum_of_bytes(words.to_string().as_bytes()));
    fs::write(new.path().join(MANIFEST), format!("{words:#}\n")).with_context(name)?;
    new.commit(globals.if_exists()).with_context(name)?;
    Ok(saved)
}

/// The checksums of the files in a model's folder, by name.
fn checksums(folder: &Path) -> std::io::Result<serde_json::Map<String, Value>> {
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != MANIFEST && !name.starts_with('.'));
    names.sort();
    names.into_iter().map(|name| Ok((name.clone(), json!(checksum_of(&folder.join(name))?)))).collect()
}

/// Refuses a folder in which a file is missing, was exchanged or was damaged since the model was learned.
fn check_files(folder: &Path, words: &Value) -> anyhow::Result<()> {
    // A flipped bit can hide one of the three, not all.
    let has_none = words["files"].is_null() && words[CHECKSUM].is_null();
    if words["layout"] == json!(UNCHECKED_VERSION) && has_none {
        say(format_args!(
            "{}: no checksums in it (an older version of tejun wrote it), so damage would not be noticed; learn it \
             again to add them.",
            folder.display()
        ));
        return Ok(());
    }
    let mut rest = words.clone();
    let checksum = rest.as_object_mut().and_then(|rest| rest.shift_remove(CHECKSUM));
    if checksum != Some(json!(checksum_of_bytes(rest.to_string().as_bytes()))) {
        let path = folder.join(MANIFEST);
        bail!("{}: damaged (it does not match its checksum); learn the model again", path.display());
    }
    for (name, checksum) in words["files"].as_object().into_iter().flatten() {
        let path = folder.join(name);
        let found = checksum_of(&path).with_context(|| path.display().to_string())?;
        if *checksum != json!(found) {
            bail!("{}: damaged or from another model (it does not match its checksum); learn it again", path.display());
        }
    }
    Ok(())
}

/// A file in the folder of a model that no model has; it must not go when the model is replaced.
fn foreign_file(folder: &Path, words: &Value) -> Option<PathBuf> {
    let is_ours = |name: &str| {
        let is_listed = words["files"].get(name).is_some();
        let is_old = words["files"].is_null() && [".row", ".index", ".tsv"].iter().any(|ending| name.ends_with(ending));
        name == MANIFEST || is_listed || is_old || is_temporary(name.as_ref())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).find(|path| !path.file_name().and_then(|name| name.to_str()).is_some_and(is_ours))
}

/// Refuses to write a model where something else is; to be asked before long work.
///
/// # Errors
/// If something is there.
pub fn check_model_output(folder: &Path, globals: &Globals) -> anyhow::Result<()> {
    if folder.exists() {
        let foreign = read_manifest(folder).map(|(_, words)| foreign_file(folder, &words));
        match foreign {
            Err(_) => bail!("{} exists and is not a model; choose another name", folder.display()),
            Ok(Some(path)) => bail!("{} does not belong to the model there; choose another name", path.display()),
            Ok(None) => {}
        }
    }
    check_free(folder, globals)
}

/// What tells mappings and weights from others, as a manifest has it.
fn fingerprint(model: &TacticModel) -> String {
    format!("{:016x}", model.fingerprint())
}

impl TacticFolder {
    /// The mappings in a folder, a line each.
    const MAPPINGS: &'static str = "mappings.tsv";

    /// Writes the folder; it appears when it is whole.
    ///
    /// # Errors
    /// If it can't be written, or something that is no model has its name.
    pub fn save(
        folder: &Path,
        model: &TacticModel,
        boards: (BoardSize, Option<&Path>),
        made_of: &[(String, String)],
        globals: &Globals,
    ) -> anyhow::Result<()> {
        let (size, base) = boards;
        // The base stays where it is, wherever the program is called from.
        let path = base.map(|base| base.canonicalize().with_context(|| base.display().to_string())).transpose()?;
        let words = json!({
            "model": "tactics",
            "size": size.get(),
            "base": path.map(|path| path.display().to_string()),
            // Answers are kept by what the manifest says: it has to change when they do.
            "base_identity": base.map(model_identity).transpose()?,
            "mappings_hash": fingerprint(model),
        });
        save_model(folder, words, made_of, globals, |temporary| {
            Ok(fs::write(temporary.join(TacticFolder::MAPPINGS), model.to_text())?)
        })
    }

    /// Refuses a model as a base that has a base itself.
    ///
    /// # Errors
    /// If it is no model, or has a base.
    pub fn check_base(base: &Path) -> anyhow::Result<()> {
        if read_manifest(base)?.1["base"].is_string() {
            bail!("{}: this model has a base itself; use that model as the base", base.display());
        }
        Ok(())
    }

    fn from_manifest(folder: &Path, words: &Value) -> anyhow::Result<TacticFolder> {
        let name = || format!("{}: not a model; run `tejun tactic discover` to make one", folder.display());
        let lines = words["size"].as_u64().and_then(|lines| u8::try_from(lines).ok()).with_context(name)?;
        let size = BoardSize::new(lines).ok().filter(|&size| TacticPosition::fits(size)).with_context(name)?;
        let file = folder.join(TacticFolder::MAPPINGS);
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let model = TacticModel::parse(&text).with_context(|| file.display().to_string())?;
        if words["mappings_hash"] != json!(fingerprint(&model)) {
            bail!("{}: these are not the sets listed in {MANIFEST}; make the model again", file.display());
        }
        let base_path = match &words["base"] {
            Value::Null => None,
            base => Some(PathBuf::from(base.as_str().with_context(name)?)),
        };
        let of_base = || format!("{}: its base model", folder.display());
        let base = base_path.as_deref().map(|path| TacticFolder::open_base(path, words)).transpose();
        let base = base.with_context(of_base)?;
        if let Some(other) = base.as_ref().map(Model::size).filter(|other| *other != size) {
            bail!("{}: the model is for {size}x{size}, its base for {other}x{other}", folder.display());
        }
        Ok(TacticFolder { model, size, base: base.map(Box::new), base_path, made_of: words["made_of"].clone() })
    }

    /// Opens the base that a manifest names, if it is still the same.
    fn open_base(path: &Path, words: &Value) -> anyhow::Result<Model> {
        TacticFolder::check_base(path)?;
        if words["base_identity"] != json!(model_identity(path)?) {
            bail!("{}: this model was learned again since; run `tejun tactic discover` again", path.display());
        }
        Model::open(path)
    }
}

impl GrammarModel {
    /// Writes the folder; it appears when it is whole.
    ///
    /// # Errors
    /// If it can't be written, or something that is no model has its name.
    pub fn save(self, folder: &Path, made_of: &[(String, String)], globals: &Globals) -> anyhow::Result<GrammarModel> {
        let GrammarModel { grammars, powers, smoothing } = self;
        let names: Vec<&str> = grammars.iter().map(|g| code_name(g.options().code)).collect();
        let words = json!({ "model": "grammar", "codes": names, "powers": powers, "smoothing": smoothing.name() });
        let grammars = save_model(folder, words, made_of, globals, |temporary| {
            let save = |(grammar, name): (Grammar, &&str)| grammar.save(&temporary.join(format!("{name}.index")));
            Ok(grammars.into_iter().zip(&names).map(save).collect::<Result<Vec<_>, _>>()?)
        })?;
        Ok(GrammarModel { grammars, powers, smoothing })
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// If it is no grammar, damaged, or of another version.
    pub fn open(folder: &Path) -> anyhow::Result<GrammarModel> {
        match Model::open(folder)? {
            Model::Grammar(model) => Ok(model),
            _ => bail!("{}: not a grammar; run `tejun learn grammar` to make one", folder.display()),
        }
    }

    fn from_manifest(folder: &Path, words: &Value) -> anyhow::Result<GrammarModel> {
        let name = || format!("{}: not a model; run `tejun learn` to make one", folder.display());
        let codes = words["codes"].as_array().with_context(name)?;
        let powers = words["powers"].as_array().with_context(name)?;
        let powers: Vec<f64> = powers.iter().filter_map(Value::as_f64).collect();
        let smoothing: Smoothing = words["smoothing"].as_str().with_context(name)?.parse().with_context(name)?;
        let mut grammars = Vec::new();
        for code in codes.iter().filter_map(Value::as_str) {
            let file = folder.join(format!("{code}.index"));
            grammars.push(Grammar::open(&file).with_context(|| file.display().to_string())?);
        }
        if grammars.is_empty() || grammars.len() != powers.len() {
            bail!("{}", name());
        }
        Ok(GrammarModel { grammars, powers, smoothing })
    }

    /// All grammars together.
    pub fn predictor(&self) -> Product<'_> {
        let parts = self.grammars.iter().zip(&self.powers);
        Product { parts: parts.map(|(g, &power)| (GrammarPredictor::new(g, self.smoothing), power)).collect() }
    }
}
