//! `tejun explain`: shows why a move is expected.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde_json::json;
use tejun_games::GameRecord;
use tejun_games::go::{Board, BoardSize, Color, Point, Suicide};
use tejun_knowledge::corpus::{GameId, GameTable, OpenInput};
use tejun_knowledge::patterns::{Explanation, Precedent, precedents};
use tejun_knowledge::predictor::Situation;

use crate::args::{OutputArgs, TextFormat};
use crate::commands::{Found, Globals};
use crate::evaluators::{cache_folder, sample_model};
use crate::filters::Filters;
use crate::games::{GameNames, load_table};
use crate::inputs::{open_collection, open_game};
use crate::models::open_model;
use crate::output::{check_output, write_file};
use crate::reports::diagram::{Diagram, Mark, Numbering, Region};
use crate::reports::table::{Align, Table};
use crate::reports::writing::rounded;
use crate::terminal::count;
use tejun_knowledge::models::Model;
use tejun_knowledge::network::{Network, NetworkPredictor};
use tejun_knowledge::predictor::{MoveRank, Predictor};

/// Show why a move of a game is expected: its pattern, features and precedents
///
/// The picture shows the largest known pattern around the move. The counts show how often it was
/// the largest known pattern around a legal move, and how often that move was played. With
/// --collection, lists the games in which the surroundings of the move were most alike.
///
/// Example: tejun explain game.sgf --move 42 --model games.patterns --collection games.parquet
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// Game: FILE, FILE#3 (its third game) or COLLECTION#17 (game 17, counting from 0); - for stdin
    game: String,
    /// Number of the move to explain [default: the last move]
    #[arg(long = "move", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    move_number: Option<u32>,
    /// Explain this point instead of the move played, such as Q16
    #[arg(long, value_name = "POINT")]
    point: Option<String>,
    /// Model folder of `tejun learn patterns` [default: learned once from the sample games]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// Folder in which the model of the sample games is kept [default: tejun in the user's cache folder]
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Search this collection or game records for precedents
    #[arg(long, value_name = "COLLECTION")]
    collection: Option<PathBuf>,
    /// Number of precedents to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,
    /// Write a picture of the pattern as SVG; - for stdout
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs<TextFormat>,
    #[command(flatten)]
    filters: Filters,
}

/// Explains and prints.
///
/// # Errors
/// If the game, move, point or model does not exist.
pub fn run(args: Args, globals: &Globals) -> anyhow::Result<Found> {
    let folder = match &args.model {
        Some(folder) => folder.clone(),
        None => sample_model(&cache_folder(args.cache.as_deref())?, globals)?,
    };
    let Model::Patterns(model) = open_model(&folder, globals)? else {
        bail!("{}: not a trained pattern model; run `tejun learn patterns` to make one", folder.display());
    };
    if let Some(path) = &args.svg {
        let file = args.game.rsplit_once('#').map_or(args.game.as_str(), |(file, _)| file);
        let collection = args.collection.as_deref().unwrap_or(&folder);
        check_output(path, [Path::new(&args.game), Path::new(file), &folder, collection], globals)?;
    }
    let record = open_game(&args.game)?;
    crate::models::check_size(record.size, model.size(), &args.game)?;
    let question = AskedMove::new(&record, args.move_number, args.point.as_deref())?;
    let legal = Situation::legal_points(&question.board, question.color, Some(question.point));
    let candidate = legal.iter().position(|&p| p == question.point).expect("the point is legal");
    let (start, board) = (record.start_board(), &question.board);
    let moves = &record.moves[..question.index];
    let situation = Situation { start: &start, moves, board, color: question.color, legal: &legal };
    let explanation = model.predictor().explain(&situation, candidate);
    let precedents = match &args.collection {
        None => Vec::new(),
        Some(path) => {
            let open = open_collection(Some(path), globals)?;
            let table = load_table(&open.collection, &args.filters, globals)?;
            if let Some(table) = table.as_ref().filter(|table| table.size() != record.size) {
                let (size, other) = (record.size, table.size());
                bail!(
                    "{}: the games are on {other}x{other}, this game is on {size}x{size}; use --size {size}",
                    path.display()
                );
            }
            let played = (question.color, question.point);
            match table {
                None => Vec::new(),
                Some(table) => {
                    let found = precedents(&table, board, played, args.top, globals.n_threads());
                    GamePrecedent::all(&table, found, &open)?
                }
            }
        }
    };
    let expectation = NetworkExpectation::of(&situation, candidate);
    let answer = ExplainReport { record: &record, question: &question, explanation, expectation, precedents };
    if let Some(path) = &args.svg {
        write_file(path, answer.diagram().to_svg().as_bytes(), globals)?;
    }
    if args.svg.as_deref() != Some(Path::new("-")) {
        let text = if args.output.format() == TextFormat::Json {
            format!("{:#}\n", answer.to_json())
        } else {
            answer.to_text()
        };
        args.output.write(text, globals)?;
    }
    Ok(Found::Something)
}

/// The move to explain.
struct AskedMove {
    index: usize,
    color: Color,
    point: Point,
    board: Board,
}

impl AskedMove {
    fn new(record: &GameRecord, move_number: Option<u32>, point: Option<&str>) -> anyhow::Result<AskedMove> {
        let n_moves = record.moves.len();
        let index = move_number.map_or(n_moves, |number| number as usize).wrapping_sub(1);
        let Some(played) = record.moves.get(index) else {
            bail!("--move: the game has only {}", count(n_moves, "move"));
        };
        let board = record.board_before(index);
        let asked = point.map(|name| Point::parse(name, record.size)).transpose()?;
        let Some(point) = asked.or(played.point) else {
            bail!("--move {}: the move is a pass, so there is nothing to explain", index + 1);
        };
        if let (Some(_), Err(error)) = (asked, board.check(played.color, point, Suicide::Allowed)) {
            bail!("--point {}: {error}", point.name(record.size));
        }
        Ok(AskedMove { index, color: played.color, point, board })
    }
}

/// A precedent with information about its game.
struct GamePrecedent {
    precedent: Precedent,
    id: GameId,
    /// What the game is opened by.
    name: String,
    players: [String; 2],
    date: String,
}

impl GamePrecedent {
    fn all(table: &GameTable, found: Vec<Precedent>, open: &OpenInput) -> anyhow::Result<Vec<GamePrecedent>> {
        let names = GameNames::new(open, found.iter().map(|precedent| table.facts(precedent.game).id))?;
        Ok(found.into_iter().map(|precedent| GamePrecedent::new(table, precedent, &names)).collect())
    }

    fn new(table: &GameTable, precedent: Precedent, names: &GameNames) -> GamePrecedent {
        let facts = table.facts(precedent.game);
        let name = |player: Option<u32>| player.map_or("?".to_string(), |number| table.player(number).to_string());
        GamePrecedent {
            precedent,
            id: facts.id,
            name: names.get(facts.id).map_or_else(|| facts.id.0.to_string(), String::from),
            players: facts.players.map(name),
            date: facts.date.map_or(String::new(), |date| date.to_string()),
        }
    }
}

/// What the network that comes with the program expects of a move.
struct NetworkExpectation {
    probability: f64,
    rank: u32,
}

impl NetworkExpectation {
    /// Of one of the legal moves; `None` on boards that the network does not know.
    fn of(situation: &Situation<'_>, candidate: usize) -> Option<NetworkExpectation> {
        let network = Network::built_in();
        let mut predictor = NetworkPredictor::new(network.worker());
        let is_known = situation.board.size() == BoardSize::NINETEEN;
        let probabilities = is_known.then(|| predictor.predict(situation))?;
        let rank = MoveRank::of(&probabilities, candidate).n_better as u32 + 1;
        Some(NetworkExpectation { probability: probabilities[candidate], rank })
    }
}

struct ExplainReport<'a> {
    record: &'a GameRecord,
    question: &'a AskedMove,
    explanation: Explanation,
    expectation: Option<NetworkExpectation>,
    precedents: Vec<GamePrecedent>,
}

impl ExplainReport<'_> {
    /// The largest known pattern, with the move.
    fn diagram(&self) -> Diagram {
        let mut record = self.record.clone();
        record.moves.truncate(self.question.index);
        let mut diagram = Diagram::of_game(&record, Numbering::none());
        if let Some(last) = record.moves.last().and_then(|m| m.point) {
            diagram = diagram.with_last_move(last);
        }
        let region = Region::around(self.record.size, &self.explanation.cells, 1);
        diagram.with_mark(self.question.point, Mark::Triangle).with_region(region)
    }

    fn to_text(&self) -> String {
        let Explanation { probability, rank, n_templates, cells, counts: [played, passed_over], .. } =
            &self.explanation;
        let seen = u64::from(*played) + u64::from(*passed_over);
        let name = self.question.point.name(self.record.size);
        let mut reasons = Table::new(&[("reason", Align::Left), ("times as likely", Align::Right)]);
        for (reason, logarithm) in &self.explanation.reasons {
            reasons.push(vec![reason.words().into(), format!("{:.2}", logarithm.exp())]);
        }
        let pattern = match n_templates {
            0 => "There is no known pattern around the move.".to_string(),
            _ => format!(
                "The largest known pattern has {} (template {n_templates}). The pattern occurred {} and was played {} \
                 ({:.1}%).",
                count(cells.len(), "point"),
                count(seen, "time"),
                count(*played, "time"),
                100.0 * f64::from(*played) / seen.max(1) as f64
            ),
        };
        let mut text = format!(
            "Move {}, {} {name}: probability {:.2}%, rank {}\n\n{}\n\
             {pattern}\n\nCompared with the average legal move:\n{}",
            self.question.index + 1,
            self.question.color,
            100.0 * probability,
            rank.n_better + 1,
            self.diagram().to_text(),
            reasons.to_text(),
        );
        if let Some(NetworkExpectation { probability, rank }) = &self.expectation {
            let percent = 100.0 * probability;
            text.push_str(&format!(
                "\nThe network that comes with tejun, which sees the whole board: probability {percent:.2}%, rank {rank}\n"
            ));
        }
        if !self.precedents.is_empty() {
            text.push_str(&format!(
                "\nNearest precedents (`tejun show GAME` shows a game)\n{}",
                self.precedent_table().to_text()
            ));
        }
        text
    }

    fn precedent_table(&self) -> Table {
        let mut table = Table::new(&[
            ("game", Align::Left),
            ("move", Align::Right),
            ("same templates", Align::Right),
            ("date", Align::Left),
            ("black", Align::Left),
            ("white", Align::Left),
        ]);
        for GamePrecedent { precedent, name, players: [black, white], date, .. } in &self.precedents {
            table.push(vec![
                name.clone(),
                (precedent.move_index + 1).to_string(),
                precedent.n_templates.to_string(),
                date.clone(),
                black.clone(),
                white.clone(),
            ]);
        }
        table
    }

    fn to_json(&self) -> serde_json::Value {
        let name = |point: Point| point.name(self.record.size);
        let Explanation { probability, rank, n_templates, cells, counts: [played, passed_over], reasons } =
            &self.explanation;
        let reasons = reasons.iter().map(|(reason, logarithm)| json!({ "reason": reason.words(), "log": logarithm }));
        let precedents = self.precedents.iter().map(|p| {
            json!({
                "game": p.id.0, "move": p.precedent.move_index + 1, "templates": p.precedent.n_templates,
                "date": p.date, "black": p.players[0], "white": p.players[1],
            })
        });
        json!({
            "move": self.question.index + 1,
            "color": self.question.color.letter().to_string(),
            "point": name(self.question.point),
            "probability": probability,
            "rank": rank.n_better + 1,
            "pattern": {
                "template": n_templates,
                "points": cells.iter().map(|&cell| name(cell)).collect::<Vec<_>>(),
                "played": played,
                "passed_over": passed_over,
            },
            "network": self.expectation.as_ref().map(|network| {
                json!({ "probability": rounded(network.probability, 6), "rank": network.rank })
            }),
            "reasons": reasons.collect::<Vec<_>>(),
            "precedents": precedents.collect::<Vec<_>>(),
        })
    }
}
