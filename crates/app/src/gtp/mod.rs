//! The Go Text Protocol, version 2 (Farnebäck 2002): a model or a search as an engine of Sabaki, GoGui and others.
//!
//! Reads commands and writes answers. The engine has a game, a predictor and perhaps a search, and does not know
//! which kind of model predicts. Without a search, the analysis commands of Leela Zero and KataGo show probabilities
//! where those programs show values.
//!
//! ```text
//! 1 play black Q16
//! =1
//!
//! 2 genmove white
//! =2 D4
//! ```

mod analysis;
mod choice;
mod clock;
mod engine;
mod game;
mod gogui;
mod player;
mod protocol;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::gtp::analysis::{Analysis, AnalysisEnd};
use crate::gtp::protocol::{Answer, Request, clean, write_answer};

pub use crate::gtp::choice::{Choice, ParseTemperatureError, Temperature};
pub use crate::gtp::engine::Engine;
pub use crate::gtp::player::{Limits, SearchPlayer};

/// The maximum time that an incoming line waits for a search.
const SLICE: Duration = Duration::from_millis(250);

/// The lines of stdin, read by a thread so that they can end an analysis; closed at the end of input.
pub fn stdin_lines() -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut bytes = Vec::new();
            let is_end = stdin.read_until(b'\n', &mut bytes).map_or(true, |n| n == 0);
            if is_end || sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                break;
            }
        }
    });
    lines
}

/// Answers lines until `quit` or the end of input.
///
/// # Errors
/// If an answer cannot be written.
pub fn serve(engine: &mut Engine<'_>, lines: &Receiver<String>, output: &mut impl Write) -> io::Result<()> {
    let mut unread = None;
    while let Some(line) = unread.take().or_else(|| lines.recv().ok()) {
        let line = clean(&line);
        let Some(request) = Request::parse(&line) else { continue };
        match engine.answer(&request) {
            Ok(Answer::Text(text)) => write_answer(output, '=', request.id, &text)?,
            Ok(Answer::Stream { text, interval }) => {
                writeln!(output, "={}", request.id)?;
                unread = repeat(&text, interval, lines, output)?;
                writeln!(output)?;
            }
            Ok(Answer::Analysis(analysis)) => {
                writeln!(output, "={}", request.id)?;
                unread = search_on(engine, &analysis, lines, output)?;
                writeln!(output)?;
            }
            Ok(Answer::Quit) => {
                write_answer(output, '=', request.id, "")?;
                return output.flush();
            }
            Err(refused) => write_answer(output, '?', request.id, refused.0)?,
        }
        output.flush()?;
    }
    Ok(())
}

/// Writes a text at every interval until the next line arrives, and returns that line; `None` at the end of input.
fn repeat(
    text: &str,
    interval: Option<Duration>,
    lines: &Receiver<String>,
    output: &mut impl Write,
) -> io::Result<Option<String>> {
    loop {
        writeln!(output, "{text}")?;
        output.flush()?;
        let next = match interval {
            Some(interval) => lines.recv_timeout(interval),
            None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(line) => return Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Searches and reports the results at every interval; returns the line that arrived meanwhile.
///
/// An analysis that ends with a move does not read lines, and continues for the time of a move.
fn search_on(
    engine: &mut Engine<'_>,
    analysis: &Analysis,
    lines: &Receiver<String>,
    output: &mut impl Write,
) -> io::Result<Option<String>> {
    let begin = Instant::now();
    let mut budget = engine.budget(analysis);
    loop {
        let reported = Instant::now();
        let mut next = Err(TryRecvError::Empty);
        let evaluation = loop {
            let left = analysis.options.interval.map_or(SLICE, |interval| interval.saturating_sub(reported.elapsed()));
            let Some(found) = engine.think_a_while(analysis.color, left.min(SLICE), &mut budget) else {
                return Ok(None);
            };
            if analysis.end == AnalysisEnd::NextLine {
                next = lines.try_recv();
            }
            let is_time = analysis.options.interval.is_some_and(|interval| reported.elapsed() >= interval);
            if is_time || budget.is_spent() || next != Err(TryRecvError::Empty) {
                break found;
            }
        };
        writeln!(output, "{}", engine.found_line(analysis, &evaluation))?;
        if analysis.end == AnalysisEnd::Move && budget.is_spent() {
            writeln!(output, "play {}", engine.play_found(analysis, &evaluation, begin.elapsed()))?;
            return Ok(None);
        }
        output.flush()?;
        match next {
            Ok(line) => return Ok(Some(line)),
            Err(TryRecvError::Disconnected) => return Ok(None),
            Err(TryRecvError::Empty) if budget.is_spent() => return Ok(lines.recv().ok()),
            Err(TryRecvError::Empty) => {}
        }
    }
}
