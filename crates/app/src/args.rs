//! Arguments shared by several commands, so that the same options have the same names everywhere.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::error::ErrorKind;
use clap::{ArgMatches, FromArgMatches, ValueEnum};
use tejun_knowledge::codes::Code;
use tejun_knowledge::corpus::{Input, OpenInput};
use tejun_knowledge::grammar::Smoothing;
use tejun_knowledge::sequences::{Measure, TextScope};

use crate::commands::Globals;
use crate::inputs::{input_of, open_games};
use crate::output::{check_output, write_output};

/// The games that a command works on.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct GamesArgs {
    /// Collections, game files, folders, archives, single games (FILE#3), or - for stdin [default: the sample games]
    #[arg(value_name = "GAMES")]
    paths: Vec<PathBuf>,
}

impl GamesArgs {
    /// The paths as given.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The only path; `None` if there are none or several.
    pub fn single_path(&self) -> Option<&Path> {
        match &self.paths[..] {
            [path] => Some(path),
            _ => None,
        }
    }

    /// Opens the games as one collection.
    ///
    /// # Errors
    /// If a path does not exist or nothing in it can be read.
    pub fn open(&self, globals: &Globals) -> anyhow::Result<OpenInput> {
        open_games(&self.paths, globals)
    }
}

/// Records to read one after the other, for importing, checking and converting.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct InputArgs {
    /// Files, folders, archives, collections, single games (FILE#3) or quoted glob patterns; - for stdin
    #[arg(value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Read more paths from this file, one per line
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
}

impl InputArgs {
    /// The records in the paths and in the list of paths.
    ///
    /// # Errors
    /// If there is no path, the list cannot be read, or a pattern matches nothing.
    pub fn open(&self) -> anyhow::Result<Input> {
        let input = input_of(&self.paths, self.files_from.as_deref())?;
        if input.sources().is_empty() {
            bail!("no input files; give files, folders or archives, or - for stdin");
        }
        Ok(input)
    }

    /// The file with the list of paths.
    pub fn list(&self) -> Option<&Path> {
        self.files_from.as_deref()
    }
}

/// The output file and its format.
#[derive(Clone, Debug)]
pub struct OutputArgs<F> {
    output: Option<PathBuf>,
    format: F,
}

/// [`OutputArgs`] as given.
#[derive(clap::Args)]
struct GivenOutput<F: ValueEnum + Clone + Send + Sync + 'static> {
    /// Output file [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<F>,
}

impl<F: ValueEnum + Clone + Send + Sync + 'static> clap::Args for OutputArgs<F> {
    fn augment_args(command: clap::Command) -> clap::Command {
        let default = names_of::<F>().swap_remove(0);
        let help = format!("Output format [default: by the ending of -o, otherwise {default}]");
        GivenOutput::<F>::augment_args(command).mut_arg("format", |format| format.help(help))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl<F: ValueEnum + Clone + Send + Sync + 'static> FromArgMatches for OutputArgs<F> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let GivenOutput { output, format } = GivenOutput::from_arg_matches(matches)?;
        let format = format_of(format, output.as_deref())
            .map_err(|unknown| clap::Error::raw(ErrorKind::ValueValidation, format!("{unknown}\n")))?;
        Ok(OutputArgs { output, format })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<F: Clone> OutputArgs<F> {
    /// The format: as given, by the ending of the output file, or the default.
    pub fn format(&self) -> F {
        self.format.clone()
    }

    /// The output file; `None` for stdout.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Checks the output before the work begins.
    ///
    /// # Errors
    /// If it cannot be written or is among the inputs.
    pub fn check<'p>(&self, inputs: impl IntoIterator<Item = &'p Path>, globals: &Globals) -> anyhow::Result<()> {
        self.path().map_or(Ok(()), |path| check_output(path, inputs, globals))
    }

    /// Writes the result.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, bytes: impl AsRef<[u8]>, globals: &Globals) -> anyhow::Result<()> {
        write_output(self.path(), bytes.as_ref(), globals)
    }
}

/// The ending of an output file that names none of the command's formats.
#[derive(Debug, PartialEq, Eq)]
struct UnknownEnding {
    file: PathBuf,
    ending: String,
    formats: Vec<String>,
}

impl fmt::Display for UnknownEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownEnding { file, ending, formats } = self;
        let (file, formats) = (file.display(), formats.join(", "));
        write!(f, "{file}: .{ending} is not a format of this command; use another ending or --format ({formats})")
    }
}

/// The given format; otherwise the one named by the ending of the output file; without an ending, the first.
fn format_of<F: ValueEnum + Clone>(format: Option<F>, output: Option<&Path>) -> Result<F, UnknownEnding> {
    let default = || F::value_variants()[0].clone();
    let file = match (format, output) {
        (Some(format), _) => return Ok(format),
        (None, None) => return Ok(default()),
        (None, Some(file)) => file,
    };
    // The default is always text.
    let ending = file.extension().map(|ending| ending.to_string_lossy()).filter(|ending| *ending != "txt");
    let Some(ending) = ending else { return Ok(default()) };
    F::from_str(&ending, true).map_err(|_| UnknownEnding {
        file: file.into(),
        ending: ending.into_owned(),
        formats: names_of::<F>(),
    })
}

fn names_of<F: ValueEnum>() -> Vec<String> {
    let values = F::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    values.map(|value| value.get_name().to_string()).collect()
}

/// Formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Aligned columns, for people
    #[value(alias = "txt")]
    Table,
    /// Comma-separated values
    Csv,
}

/// Formats of a table with additional data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataFormat {
    /// Aligned columns, for people
    #[value(alias = "txt")]
    Table,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
}

/// Formats of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CurveFormat {
    /// Aligned columns, for people
    #[value(alias = "txt")]
    Table,
    /// Comma-separated values
    Csv,
    /// JSON
    Json,
    /// A picture of the curve
    Svg,
}

/// Formats of a text with additional data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// Text, for people
    #[value(alias = "txt")]
    Table,
    /// JSON
    Json,
}

/// Encodings of moves for finding sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StringCode {
    /// Distances to the previous move (ES in Nakamura 2002)
    Simple,
    /// Steps from the previous move, with directions (ER in Nakamura 2002)
    Relative,
}

impl From<StringCode> for Code {
    fn from(code: StringCode) -> Code {
        match code {
            StringCode::Simple => Code::Simple,
            StringCode::Relative => Code::Relative,
        }
    }
}

/// Encodings of moves for prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GrammarCode {
    /// Distances to the center (Ep in Kajiyama and Nakamura)
    Position,
    /// Distances to the previous move (Er in Kajiyama and Nakamura)
    Distance,
    /// The stones on the four neighboring points (Es in Kajiyama and Nakamura)
    Surroundings,
    /// Steps from the previous move, with directions
    Relative,
}

impl From<GrammarCode> for Code {
    fn from(code: GrammarCode) -> Code {
        match code {
            GrammarCode::Position => Code::Position,
            GrammarCode::Distance => Code::Distance,
            GrammarCode::Surroundings => Code::Surroundings,
            GrammarCode::Relative => Code::Relative,
        }
    }
}

/// All encodings of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnyCode {
    /// Distances to the previous move, without direction
    Simple,
    /// Steps from the previous move, with directions
    Relative,
    /// Distances to the center
    Position,
    /// Distances to the previous move; the first move to the center
    Distance,
    /// The stones on the four neighboring points
    Surroundings,
}

impl From<AnyCode> for Code {
    fn from(code: AnyCode) -> Code {
        match code {
            AnyCode::Simple => Code::Simple,
            AnyCode::Relative => Code::Relative,
            AnyCode::Position => Code::Position,
            AnyCode::Distance => Code::Distance,
            AnyCode::Surroundings => Code::Surroundings,
        }
    }
}

/// The texts that a game is split into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// The game as it was played
    Whole,
    /// Each local fight by itself
    Local,
    /// Local fights that begin in a corner
    Corner,
}

impl From<Scope> for TextScope {
    fn from(scope: Scope) -> TextScope {
        match scope {
            Scope::Whole => TextScope::Whole,
            Scope::Local => TextScope::Local,
            Scope::Corner => TextScope::Corner,
        }
    }
}

/// Measures of how much a sequence is a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MeasureName {
    /// How often it is played, given its length
    Frequency,
    /// How varied the moves before and after it are
    Entropy,
    /// Frequency profile: how sharply the frequency rises and falls at its ends
    Sfp,
    /// Frequency profiles of several window sizes
    Msfp,
}

/// The measure of this name, with the given windows and factor instead of the default.
///
/// # Errors
/// If the measure does not use windows, or a window is empty, or the factor is invalid.
pub fn measure_of(name: MeasureName, windows: &[u32], theta: Option<f64>) -> anyhow::Result<Measure> {
    if windows.contains(&0) {
        bail!("--windows: a window must have at least one move");
    }
    let [frequency, entropy, sfp, msfp] = Measure::all();
    let mut measure = match name {
        MeasureName::Frequency => frequency,
        MeasureName::Entropy => entropy,
        MeasureName::Sfp => sfp,
        MeasureName::Msfp => msfp,
    };
    match &mut measure {
        Measure::MultiProfile { windows: usual, .. } if !windows.is_empty() => *usual = windows.to_vec(),
        Measure::Profile { window, .. } if windows.len() == 1 => *window = windows[0],
        Measure::Profile { .. } if windows.len() > 1 => {
            bail!("--windows: sfp takes only one window; use msfp for several")
        }
        Measure::Frequency | Measure::Entropy if !windows.is_empty() => {
            bail!("--windows: {} does not use windows", measure.name())
        }
        _ => {}
    }
    match (&mut measure, theta) {
        (_, Some(theta)) if theta.is_nan() || theta <= 1.0 => bail!("--theta: the factor must be above 1"),
        (Measure::Profile { theta: usual, .. }, Some(theta)) => *usual = theta,
        (_, Some(_)) => bail!("--theta: only for sfp"),
        _ => {}
    }
    Ok(measure)
}

/// Methods for turning counts into probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SmoothingMethod {
    /// The method of Kajiyama and Nakamura
    Paper,
    /// Witten-Bell smoothing
    WittenBell,
    /// Kneser-Ney smoothing
    KneserNey,
}

impl From<SmoothingMethod> for Smoothing {
    fn from(method: SmoothingMethod) -> Smoothing {
        match method {
            SmoothingMethod::Paper => Smoothing::Paper,
            SmoothingMethod::WittenBell => Smoothing::WittenBell,
            SmoothingMethod::KneserNey => Smoothing::KneserNey,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_follows_from_the_ending() {
        let of = |format: Option<DataFormat>, output: &str| format_of(format, Some(Path::new(output)));
        assert_eq!(of(None, "a.CSV"), Ok(DataFormat::Csv));
        assert_eq!(of(None, "a.json"), Ok(DataFormat::Json));
        assert_eq!(of(None, "a.txt"), Ok(DataFormat::Table));
        assert_eq!(of(None, "/dev/stdout"), Ok(DataFormat::Table));
        assert_eq!(of(Some(DataFormat::Table), "a.json"), Ok(DataFormat::Table));
        assert_eq!(of(Some(DataFormat::Json), "a.dat"), Ok(DataFormat::Json));
        assert_eq!(format_of::<DataFormat>(None, None), Ok(DataFormat::Table));
        let why = of(None, "a.html").expect_err("not a format of data").to_string();
        assert!(why.starts_with("a.html: .html is not a format") && why.ends_with("(table, csv, json)"), "{why}");
    }
}
