//! (pending)
use crate::record::*;
pub(crate) fn is_ugf(_: &str) -> bool {
    false
}
pub(crate) fn parse_ugf(_: &str) -> Result<GameRecord, RecordError> {
    Err(RecordError { place: Place { line: 1, column: 1 }, why: Refusal::NoGame })
}
