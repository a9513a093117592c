//! A child process that is talked to line by line.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use crate::engines::text::Excerpt;
use crate::engines::{EngineCommand, EngineFault};

/// Bytes of a line that are kept; an answer for a large board has a tenth of it.
const LINE_LEN: usize = 1 << 20;
/// Lines that wait to be read before the engine must wait.
const N_WAITING: usize = 16;
/// Last lines of the error output that are kept.
const N_LAST_WORDS: usize = 20;
/// How long a process that closed its output may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// Until when an answer is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// As long as this from now on.
    pub(crate) fn within(limit: Duration) -> Deadline {
        let now = Instant::now();
        // A limit too long for the clock is as good as a day.
        let at = now.checked_add(limit).unwrap_or_else(|| now + Duration::from_secs(86_400));
        Deadline { at, limit }
    }

    /// Whether it is over.
    pub(crate) fn is_past(&self) -> bool {
        Instant::now() >= self.at
    }

    /// How long it was.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}

/// How a process was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disconnect {
    /// It ended while an answer was due.
    Ended,
    /// It gave no answer in time.
    Silent {
        /// How long it was waited for.
        limit: Duration,
    },
}

/// What a program does instead of answering, in the words of its protocol.
pub(crate) trait Fault: From<Disconnect> {
    /// Whether the process is of no more use, and a new one may do better.
    fn is_fatal(&self) -> bool;

    /// Whether it ended by itself.
    fn has_ended(&self) -> bool;

    /// Whether it gave no answer in time.
    fn is_silent(&self) -> bool;
}

/// A process that was ended because it failed.
pub(crate) struct Failure<F = EngineFault> {
    /// What it did.
    pub(crate) fault: F,
    /// How it ended, if it ended by itself.
    pub(crate) status: Option<ExitStatus>,
    /// The last lines of its error output.
    pub(crate) stderr: Vec<Excerpt>,
}

/// A running program. Dropping it ends it, with all programs that it started (on Unix).
pub(crate) struct Process {
    child: Child,
    input: Sender<String>,
    lines: Receiver<String>,
    last_words: Arc<Mutex<VecDeque<Excerpt>>>,
    stderr_end: Receiver<()>,
}

impl<F: Fault> From<F> for Failure<F> {
    /// A fault of a process that may continue, or that never ran.
    fn from(fault: F) -> Failure<F> {
        Failure { fault, status: None, stderr: Vec::new() }
    }
}

impl Process {
    /// Starts a program.
    pub(crate) fn start(command: &EngineCommand) -> io::Result<Process> {
        let mut start = Command::new(&command.program);
        start.args(&command.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, for two reasons: an engine that a script starts
        // is ended with it, and an interrupt from the keyboard is for us only:
        // the engine finishes its position, and we end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut child = start.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("the program has no pipes"));
        };
        let (send_line, lines) = bounded(N_WAITING);
        let (at_end, stderr_end) = bounded(0);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&last_words);
        // A thread that writes: an engine that does not read while it writes can't block us, and timeouts still apply.
        let (input, unsent) = unbounded();
        thread::spawn(move || write_lines(stdin, &unsent));
        thread::spawn(move || pass_lines(stdout, &send_line));
        thread::spawn(move || keep_last_words(stderr, &kept, at_end));
        Ok(Process { child, input, lines, last_words, stderr_end })
    }

    /// Sends a line. Does not wait until the program reads it, so the caller limits how much is unanswered.
    ///
    /// # Errors
    /// If the program is known to be gone.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Disconnect> {
        self.input.send(format!("{line}\n")).map_err(|_| Disconnect::Ended)
    }

    /// The next line, without its end.
    pub(crate) fn line(&self, deadline: Deadline) -> Result<String, Disconnect> {
        self.lines.recv_deadline(deadline.at).map_err(|why| match why {
            RecvTimeoutError::Timeout => Disconnect::Silent { limit: deadline.limit },
            RecvTimeoutError::Disconnected => Disconnect::Ended,
        })
    }

    /// Ends the process, which failed, and says what is left of it.
    pub(crate) fn end<F: Fault>(mut self, fault: F) -> Failure<F> {
        let status = if fault.has_ended() { self.wait_for_end() } else { None };
        self.kill();
        // Whoever inherited the error output may keep it open.
        let _ = self.stderr_end.recv_timeout(FAREWELL);
        let kept = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        Failure { fault, status, stderr: kept.iter().cloned().collect() }
    }

    fn wait_for_end(&mut self) -> Option<ExitStatus> {
        let deadline = Deadline::within(FAREWELL);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if !deadline.is_past() => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    fn kill(&mut self) {
        // The group first: its number stays taken until the child is waited for. Both fail only if all is over.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes lines until the program is gone or there are no more.
fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Hands on the lines of a program until it closes its output or nobody listens.
fn pass_lines(output: impl Read, lines: &Sender<String>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(line)) = read_line(&mut output) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Keeps the last lines; the sender is dropped, and so closed, at the end.
fn keep_last_words(output: impl Read, kept: &Mutex<VecDeque<Excerpt>>, _at_end: Sender<()>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(line)) = read_line(&mut output) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == N_LAST_WORDS {
            kept.pop_front();
        }
        kept.push_back(Excerpt::new(&line));
    }
}

/// The next whole line, cut to [`LINE_LEN`]; a last line without an end is skipped.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    loop {
        let bytes = match input.fill_buf() {
            Err(why) if why.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        let end = bytes.iter().position(|b| *b == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(LINE_LEN - line.len())]);
        let n_read = part.len() + usize::from(end.is_some());
        input.consume(n_read);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&line).trim_end_matches('\r').to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &[u8], expected: &[&str]) {
        let mut input = BufReader::with_capacity(3, text);
        let lines: Vec<String> = std::iter::from_fn(|| read_line(&mut input).expect("bytes")).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn lines_end_with_either_end_and_the_last_half_is_skipped() {
        check(b"= a\r\n\r\nb\nhalf", &["= a", "", "b"]);
        check(b"\xff\n", &["\u{fffd}"]);
        check(b"", &[]);
    }

    #[test]
    fn long_lines_are_cut() {
        let text = [vec![b'x'; 3 * LINE_LEN], b"\nnext\n".to_vec()].concat();
        let mut input = BufReader::new(&text[..]);
        assert_eq!(read_line(&mut input).expect("bytes").map(|line| line.len()), Some(LINE_LEN));
        assert_eq!(read_line(&mut input).expect("bytes").as_deref(), Some("next"));
    }
}
