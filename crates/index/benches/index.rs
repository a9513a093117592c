//! Compares the index with the underlying suffix sorter, and checks the results.
//!
//! ```text
//! cargo bench -p tejun-index -- 7000000      a generated text of this many symbols
//! cargo bench -p tejun-index -- FILE         little-endian u16 symbols, 65535 ends a segment
//! ```

use std::num::NonZeroU16;
use std::time::Instant;

use libsais::{SuffixArrayConstruction, ThreadCount};
use tejun_index::{BuildOptions, Index, PositionWidth, Symbol, Text, TextBuilder};

const N_THREADS: u16 = 2;
const N_QUERIES: usize = 200_000;
const WINDOW: u32 = 6;

fn main() {
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    // As a test, without the flag, a short text is used.
    let given = given.unwrap_or_else(|| if is_bench { "2000000" } else { "20000" }.to_owned());
    let segments = match given.parse() {
        Ok(n_symbols) => generated_segments(n_symbols),
        Err(_) => read_segments(&given),
    };
    let index = report_build(&segments);
    report_passes(&index);
    report_queries(&index);
    report_reopening(&index);
}

/// Builds the index and compares it with its parts; returns it.
fn report_build(segments: &[Vec<u16>]) -> Index {
    let n_positions = text_of(segments).n_positions();
    println!("{} segments, {} symbols", segments.len(), n_positions - segments.len());
    let before = memory_bytes("VmRSS:");
    let (index, whole) = timed(1, || build(segments));
    let used = memory_bytes("VmHWM:").saturating_sub(before);
    let per_position = used as f64 / n_positions as f64;
    println!("memory at the peak of building   {per_position:9.1} bytes per position");
    drop(index);

    let stored = stored_values(segments);
    let threads = ThreadCount::fixed(N_THREADS);
    let sort = || {
        SuffixArrayConstruction::for_text(&stored)
            .in_owned_buffer32()
            .multi_threaded(threads)
            .generalized_suffix_array()
            .run()
            .expect("the generated text is sortable")
    };
    let (sorted, sorting) = timed(3, sort);
    let (common, measuring) = timed(3, || {
        let sorted = sort();
        let start = Instant::now();
        let common = sorted.plcp_construction().multi_threaded(threads).run();
        let common = common.and_then(|plcp| plcp.lcp_construction().multi_threaded(threads).run());
        (common.expect("prefixes of a sorted text"), start.elapsed().as_secs_f64())
    });
    let measuring = measuring.min(common.1);
    let (index, rebuilt) = timed(2, || build(segments));
    let (whole, sorter) = (whole.min(rebuilt), sorting + measuring);
    println!("libsais suffix array             {:9.1} ms", sorting * 1e3);
    println!("libsais common prefixes          {:9.1} ms", measuring * 1e3);
    println!("whole build, from segments       {:9.1} ms, {:.2} of libsais", whole * 1e3, whole / sorter);
    let everywhere = index.occurrences(index.empty_string());
    let expected = sorted.suffix_array()[segments.len()..].iter().map(|&position| position as usize);
    assert!(everywhere.eq(expected), "the index has the sorter's order");
    index
}

fn report_passes(index: &Index) {
    let (counts, seconds) = timed(3, || index.window_counts(WINDOW));
    println!("window_counts({WINDOW})                 {:9.1} ms", seconds * 1e3);
    let (ngrams, seconds) = timed(3, || index.ngram_counts());
    println!("ngram_counts                     {:9.1} ms", seconds * 1e3);
    let (listed, seconds) = timed(3, || {
        index.repeats().fold((0, 0), |(n_classes, n_strings), class| {
            (n_classes + 1, n_strings + u64::from(class.depth - class.parent_depth))
        })
    });
    println!("repeats                          {:9.1} ms, {} classes", seconds * 1e3, listed.0);
    let (n_left, seconds) =
        timed(1, || index.repeats().map(|class| index.preceding(class.longest()).len()).sum::<usize>());
    println!("preceding, of all repeats        {:9.1} ms, {n_left} neighbors", seconds * 1e3);
    let (n_right, seconds) =
        timed(1, || index.repeats().map(|class| index.following(class.longest()).count()).sum::<usize>());
    println!("following, of all repeats        {:9.1} ms, {n_right} neighbors", seconds * 1e3);
    assert!(n_right > listed.0, "the longest string of a class continues in several ways");

    let shares = counts.iter().filter(|&&count| count > 0).map(|&count| 1.0 / f64::from(count));
    let n_windows = ngrams.distinct.get(WINDOW as usize).copied().unwrap_or(0);
    assert_eq!(shares.sum::<f64>().round() as u64, n_windows, "every window counted");
    assert_eq!(listed.1, ngrams.total_repeated(), "every repeated string listed");
    let (distinct, repeated) = (ngrams.total_distinct(), ngrams.total_repeated());
    println!("{distinct} different strings, {repeated} of them repeated");
}

fn report_queries(index: &Index) {
    let mut random = Random(7);
    let text = index.text();
    let mut queries = Vec::with_capacity(N_QUERIES);
    while queries.len() < N_QUERIES {
        let start = random.below(text.n_positions());
        let len = 1 + random.below(12);
        let string: Vec<_> = (start..start + len).filter_map(|at| text.symbol_at(at)).collect();
        if string.len() == len {
            queries.push((start, string));
        }
    }
    let (n_found, seconds) =
        timed(3, || queries.iter().map(|(_, string)| index.count(string)).fold(0_usize, usize::wrapping_add));
    let per_second = N_QUERIES as f64 / seconds;
    println!("count, 1 to 12 symbols           {per_second:9.0} per second, {n_found} occurrences");
    for len in 1..=12 {
        let counts = index.window_counts(len);
        for (start, string) in queries.iter().filter(|(_, string)| string.len() == len as usize) {
            assert_eq!(index.count(string), counts[*start] as usize, "count of {string:?}");
        }
    }
}

fn report_reopening(index: &Index) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bench.index");
    let ((), saving) = timed(1, || index.save(&path).expect("the index is writable"));
    let (opened, opening) = timed(3, || Index::open(&path).expect("the index opens"));
    let (_, checking) = timed(1, || Index::open_checked(&path).expect("the index is whole"));
    println!("save                             {:9.1} ms", saving * 1e3);
    println!("open                             {:9.3} ms", opening * 1e3);
    println!("open_checked                     {:9.1} ms", checking * 1e3);
    assert!(opened.repeats().eq(index.repeats()), "the file contains the same index");
}

fn build(segments: &[Vec<u16>]) -> Index {
    let options =
        BuildOptions { threads: NonZeroU16::new(N_THREADS).expect("not zero"), width: PositionWidth::Fitting };
    Index::build(text_of(segments), options).expect("there is enough memory")
}

fn text_of(segments: &[Vec<u16>]) -> Text {
    let mut text = TextBuilder::new();
    for segment in segments {
        text.push_segment(segment.iter().copied().map(Symbol)).expect("valid symbols");
    }
    text.finish()
}

fn stored_values(segments: &[Vec<u16>]) -> Vec<u16> {
    let with_separators = |segment: &Vec<u16>| segment.iter().map(|symbol| symbol + 1).chain([0]).collect::<Vec<_>>();
    segments.iter().flat_map(with_separators).collect()
}

fn read_segments(path: &str) -> Vec<Vec<u16>> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (pairs, _) = bytes.as_chunks();
    let symbols: Vec<u16> = pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect();
    let mut segments: Vec<_> = symbols.split(|&s| s == u16::MAX).map(<[u16]>::to_vec).collect();
    segments.retain(|segment| !segment.is_empty());
    segments
}

/// Segments of about 200 symbols over 738 symbols: half fixed phrases, half noise.
fn generated_segments(n_symbols: usize) -> Vec<Vec<u16>> {
    let mut random = Random(2002);
    let mut phrases = Vec::new();
    for _ in 0..2000 {
        let len = 3 + random.below(15);
        phrases.push((0..len).map(|_| random.symbol()).collect::<Vec<_>>());
    }
    let mut segments = Vec::new();
    let mut n_made = 0;
    while n_made < n_symbols {
        let mut segment = Vec::new();
        while segment.len() < 200 {
            // Multiplying two draws favors the first phrases, as in a language.
            let nth = random.below(phrases.len()) * random.below(phrases.len()) / phrases.len();
            segment.extend(&phrases[nth]);
            let n_noise = random.below(18);
            segment.extend((0..n_noise).map(|_| random.symbol()));
        }
        segment.truncate(n_symbols - n_made);
        n_made += segment.len();
        segments.push(segment);
    }
    segments
}

/// A small generator (xorshift, Marsaglia 2003), so that every run has the same text.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn symbol(&mut self) -> u16 {
        (self.below(738) * self.below(738) / 738) as u16
    }
}

/// The last result and the shortest time of several runs, in seconds.
fn timed<T>(n_runs: usize, mut run: impl FnMut() -> T) -> (T, f64) {
    let mut shortest = f64::INFINITY;
    let mut answer = None;
    for _ in 0..n_runs {
        drop(answer.take());
        let start = Instant::now();
        answer = Some(run());
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    (answer.expect("at least one run"), shortest)
}

/// The memory of this process, current or peak, if the system reports it.
fn memory_bytes(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or("0");
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}
