//! Damaged Parquet files, on which the reader panics or reads past the end.

use std::cell::Cell;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

thread_local! {
    /// Whether panics of this thread are caught, so that the hook prints nothing.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs the Parquet reader, which panics on some damaged files, and turns a panic into an error without any output.
///
/// The first call installs a panic hook; it passes other panics to the previous hook.
pub(crate) fn catch_panics<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_GUARDED.get() {
                others(info);
            }
        }));
    });
    let was_guarded = IS_GUARDED.replace(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(was_guarded);
    read.unwrap_or_else(|_| Err(ParquetError::General("damaged".into())))
}

/// A file in which reading past the end is an error.
///
/// A page header may claim billions of list items, and the Parquet reader skips
/// them one by one even if the file ended long before.
pub(crate) struct EofIsError<R>(pub R);

impl<R: Length> Length for EofIsError<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for EofIsError<R> {
    type T = EofIsError<R::T>;

    fn get_read(&self, start: u64) -> Result<EofIsError<R::T>, ParquetError> {
        self.0.get_read(start).map(EofIsError)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.0.get_bytes(start, length)
    }
}

impl<R: Read> Read for EofIsError<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            n => Ok(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_past_the_end() {
        let file = EofIsError(Bytes::from_static(b"moves"));
        let mut read = file.get_read(2).expect("a place inside");
        let mut rest = Vec::new();
        assert_eq!(read.by_ref().take(3).read_to_end(&mut rest).expect("three bytes are left"), 3);
        assert_eq!((rest.as_slice(), read.read(&mut []).expect("nothing is asked for")), (&b"ves"[..], 0));
        let error = io::copy(&mut read.take(1), &mut io::sink()).expect_err("the end");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }
}
