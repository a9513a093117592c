//! Models that were learned: a folder with a file for each grammar and one that says what they are.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use tejun_knowledge::codes::Code;
use tejun_knowledge::grammar::{Grammar, GrammarPredictor, Product, Smoothing};

/// The file that says what is in the folder.
const MANIFEST: &str = "model.json";
/// The layout of the folder.
const VERSION: u64 = 1;

/// Grammars that predict together.
pub struct Model {
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
    /// Writes the folder; it appears when it is whole.
    ///
    /// # Errors
    /// If it can't be written, or something that is no model has its name.
    pub fn save(self, folder: &Path, manifest: &[(String, String)]) -> anyhow::Result<Model> {
        if folder.exists() && !folder.join(MANIFEST).exists() {
            bail!("{}: is there already, and no model; give another name", folder.display());
        }
        let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = tempfile::Builder::new().prefix(".tejun-").tempdir_in(parent);
        let temporary = temporary.with_context(|| format!("{}: can't write a folder there", parent.display()))?;
        let Model { grammars, powers, smoothing } = self;
        let names: Vec<&str> = grammars.iter().map(|g| code_name(g.options().code)).collect();
        let made_of: serde_json::Map<String, Value> = manifest.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
        let words = json!({
            "model": "grammar", "layout": VERSION, "codes": names, "powers": powers,
            "smoothing": smoothing.name(), "made_of": made_of,
        });
        let save = |(grammar, name): (Grammar, &&str)| grammar.save(&temporary.path().join(format!("{name}.index")));
        let grammars = grammars.into_iter().zip(&names).map(save).collect::<Result<Vec<_>, _>>()?;
        fs::write(temporary.path().join(MANIFEST), format!("{words:#}\n"))?;
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        fs::rename(temporary.keep(), folder).with_context(|| folder.display().to_string())?;
        Ok(Model { grammars, powers, smoothing })
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// If it is no model, damaged, or of another version.
    pub fn open(folder: &Path) -> anyhow::Result<Model> {
        let name = || format!("{}: no model; `tejun learn` makes one", folder.display());
        let text = fs::read_to_string(folder.join(MANIFEST)).with_context(name)?;
        let words: Value = serde_json::from_str(&text).with_context(name)?;
        if words["layout"] != json!(VERSION) {
            bail!("{}: a model of another version; learn it again", folder.display());
        }
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
        Ok(Model { grammars, powers, smoothing })
    }

    /// All grammars together.
    pub fn predictor(&self) -> Product<'_> {
        let parts = self.grammars.iter().zip(&self.powers);
        Product { parts: parts.map(|(g, &power)| (GrammarPredictor::new(g, self.smoothing), power)).collect() }
    }
}
