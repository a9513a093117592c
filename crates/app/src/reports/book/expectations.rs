//! The expected result of a match, as tables, plots and a page.

use tejun_games::game::GameMove;
use tejun_knowledge::books::matching::{Leaving, Match};
use tejun_knowledge::books::{Estimate, Expectation, VALUE_STEP, WinFit, WinModel};

use crate::reports::book::{EXPECTATION_COLUMNS, leaving_figure};
use crate::reports::page::{Figure, ReportPage};
use crate::reports::plot::Plot;
use crate::reports::table::{Align, Table};

/// Positions drawn at each end of a page.
const N_BOARDS: usize = 6;

/// The sums, the histogram of values, and the best and worst positions for the first player.
pub fn expectation_tables(names: [&str; 2], played: &Match, expected: &Expectation, top: usize) -> Vec<Table> {
    let mut tables = vec![sum_table(names, played, expected), histogram_table(expected)];
    if top > 0 {
        tables.push(position_table(played, expected, top));
    }
    tables
}

fn sum_table([first, second]: [&str; 2], played: &Match, expected: &Expectation) -> Table {
    let mut table = Table::new(&[
        ("first", Align::Left),
        ("second", Align::Left),
        ("leaving positions", Align::Right),
        ("evaluated", Align::Right),
        ("mean value", Align::Right),
        ("deviation", Align::Right),
        ("win rate", Align::Right),
        ("win rate of the mean", Align::Right),
    ]);
    table.push(vec![
        first.to_string(),
        second.to_string(),
        played.leaving.len().to_string(),
        format!("{:.4}", expected.covered),
        format!("{:.1}", expected.mean),
        format!("{:.1}", expected.deviation),
        format!("{:.4}", expected.win_rate),
        format!("{:.4}", expected.win_rate_of_mean),
    ]);
    table
}

fn histogram_table(expected: &Expectation) -> Table {
    let mut table = Table::new(&[("value", Align::Right), ("probability", Align::Right)]);
    for (bin, probability) in &expected.histogram {
        let half = VALUE_STEP / 2;
        table.push(vec![format!("{} to {}", bin - half, bin + half - 1), format!("{probability:.4}")]);
    }
    table
}

fn position_table(played: &Match, expected: &Expectation, top: usize) -> Table {
    let columns = [("value", Align::Right), ("probability", Align::Right), ("moves", Align::Left)];
    let mut table = Table::new(&columns);
    for (leaving, value) in ends(expected, top) {
        let (_, moves) = played.way(leaving.node);
        let texts: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
        table.push(vec![format!("{value:.0}"), format!("{:.6}", leaving.probability), texts.join(" ")]);
    }
    table
}

/// The best and then the worst positions, each only once.
fn ends(expected: &Expectation, top: usize) -> impl Iterator<Item = &(Leaving, f64)> {
    let n = expected.evaluated.len();
    let n_worst = top.min(n.saturating_sub(top));
    expected.evaluated.iter().take(top).chain(expected.evaluated.iter().skip(n - n_worst))
}

/// A move and the moves before it, as text.
pub fn leaving_rows(played: &Match, node: u32, next: GameMove) -> [String; 2] {
    let (board, moves) = played.way(node);
    let (_, turns) = board.normal();
    let texts: Vec<&str> = moves.iter().map(|(_, text)| text.as_str()).collect();
    [board.move_text(board.move_before_turn(next, turns[0])), texts.join(" ")]
}

/// A fitted curve with standard errors.
pub fn fit_table(fit: &WinFit) -> Table {
    let columns =
        [("term", Align::Left), ("estimate", Align::Right), ("standard error", Align::Right), ("games", Align::Right)];
    let mut table = Table::new(&columns);
    let mut row = |name: &str, estimate: &Estimate, digits: usize, n_games: usize| {
        let cells = [estimate.value, estimate.error].map(|number| format!("{number:.digits$}"));
        let [value, error] = cells;
        table.push(vec![name.to_string(), value, error, n_games.to_string()]);
    };
    row("intercept", &fit.intercept, 4, fit.n_games);
    row("slope per centipawn", &fit.slope, 7, fit.n_games);
    for (name, estimate, n_games) in &fit.strengths {
        row(&format!("strength of {name}"), estimate, 3, *n_games);
    }
    for name in &fit.one_sided {
        table.push(vec![format!("{name}: excluded (won or lost every game)"), "-".into(), "-".into(), "-".into()]);
    }
    table
}

/// A page about the expected result.
pub fn expectation_page(
    names: [&str; 2],
    played: &Match,
    expected: &Expectation,
    model: &WinModel,
    fit: Option<&WinFit>,
) -> ReportPage {
    let title = format!("{} – {}: expected result", names[0], names[1]);
    let lead = "The value of every position where games leave the books, and the corresponding win rate.";
    let mut page = ReportPage::new(&title, lead);
    page.explained_table(&sum_table(names, played, expected), EXPECTATION_COLUMNS);
    let bars = expected.histogram.iter().map(|(bin, probability)| (f64::from(*bin), *probability)).collect();
    let histogram = Plot::new("Values of leaving positions")
        .with_axes("value for the first player, a pawn is 100", "probability")
        .with_bars("", bars)
        .with_bar_width(f64::from(VALUE_STEP))
        .with_mark(expected.mean, "mean");
    page.plot(&histogram, "Probability of the values, in steps of 20.");
    let reach = expected.evaluated.iter().map(|(_, value)| value.abs()).fold(100.0, f64::max).min(1000.0);
    let curve = (-50..=50).map(|step| {
        let value = f64::from(step) * reach / 50.0;
        (value, model.win_rate(value))
    });
    let plot = Plot::new("Win rate of the first player").with_axes("value", "win rate");
    page.plot(&plot.with_line("", curve.collect()), "The curve that converts values to win rates.");
    if let Some(fit) = fit {
        page.heading("The curve, fitted to games");
        page.table_of(&fit_table(fit));
    }
    page.heading("Best for the first player");
    let figure = |(leaving, value): &(Leaving, f64)| leaving_figure(played, leaving, &format!("value {value:.0}"));
    let best: Vec<Figure> = expected.evaluated.iter().take(N_BOARDS).map(figure).collect();
    page.boards(&best);
    page.heading("Worst for the first player");
    let worst: Vec<Figure> = expected.evaluated.iter().rev().take(N_BOARDS).map(figure).collect();
    page.boards(&worst);
    page
}
