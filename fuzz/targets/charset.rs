//! Text of unknown charset: every file can be decoded, and ASCII stays unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tejun_games::charset::{decode, detect};

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode(bytes, None);
    assert_eq!(decoded.text, decode(bytes, None).text);
    let _ = decode(bytes, Some(detect(bytes)));
    // ISO-2022-JP is recognized by its escapes, UTF-16 by its zeros.
    let is_plain = |b: &u8| *b != 0x1b && *b != 0;
    if bytes.is_ascii() && bytes.iter().all(is_plain) {
        assert_eq!(decoded.text.as_bytes(), bytes);
    }
    if bytes.starts_with(b"(;CA[") && bytes.iter().all(is_plain) {
        assert!(decoded.text.starts_with("(;CA["), "decoded as {}", decoded.charset);
    }
    if decoded.charset == "UTF-8" {
        let again = decode(decoded.text.as_bytes(), None);
        // One byte order mark is removed each time; a file may begin with several.
        let without_marks = |text: &str| text.trim_start_matches('\u{feff}').to_string();
        assert!(again.charset != "UTF-8" || without_marks(&again.text) == without_marks(&decoded.text));
    }
});
