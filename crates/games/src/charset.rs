//! Text of unknown origin made into Unicode.
//!
//! What a file says of its charset (`CA`) is believed if the text bears it
//! out; else the text decides. In Shift_JIS, Big5 and GB18030 the bytes of `]`
//! and `\` also occur inside characters, so decoding comes before parsing.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::records::WarningKind;

/// The number of bytes beyond ASCII that is enough to recognize a charset.
const MIN_BEYOND_ASCII: usize = 24;

/// A decoded text and what had to be forgiven to get it.
#[derive(Clone, Debug)]
pub struct Decoded<'b> {
    /// The text, without byte order mark.
    pub text: Cow<'b, str>,
    /// The charset it was in, by its usual name.
    pub charset: &'static str,
    /// What was not as it should be.
    pub warnings: Vec<WarningKind>,
}

/// Decodes a text; `guess` is the charset of its neighbors, where it gives no hint itself.
///
/// Never fails: bytes that no charset explains become U+FFFD.
///
/// ```
/// use tejun_games::charset::decode;
///
/// let decoded = decode(b"(;CA[Shift_JIS]PB[\x96\x7b\x88\xf6\x96\x56\x8f\x47\x8d\xf4])", None);
/// assert_eq!(decoded.charset, "Shift_JIS");
/// assert_eq!(decoded.text, "(;CA[Shift_JIS]PB[本因坊秀策])");
/// ```
pub fn decode<'b>(bytes: &'b [u8], guess: Option<&'static Encoding>) -> Decoded<'b> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return by_encoding(&bytes[mark..], encoding, None);
    }
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return by_encoding(bytes, encoding, None);
    }
    if has_escape_sequence(bytes)
        && let Some(text) = ISO_2022_JP.decode_without_bom_handling_and_without_replacement(bytes)
    {
        return Decoded { text, charset: ISO_2022_JP.name(), warnings: Vec::new() };
    }
    let label = named_label(bytes);
    let named = label.and_then(charset_of);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let is_otherwise = label.is_some_and(|label| !label.is_empty()) && named != Some(UTF_8);
        return as_utf8(bytes, text, named, is_otherwise.then_some(WarningKind::WrongCharset { found: UTF_8.name() }));
    }
    let clean =
        |encoding: &&'static Encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some();
    if let Some(encoding) = named.filter(clean) {
        return by_encoding(bytes, encoding, None);
    }
    // A few broken characters in UTF-8 are better than all of them in another charset.
    let min_good = if named == Some(UTF_8) { 1 } else { 4 };
    if is_mostly_utf8(bytes, min_good) {
        return by_encoding(bytes, UTF_8, None);
    }
    // A few characters say little; then the neighbors are a better guide.
    let n_beyond_ascii = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let guess = guess.filter(|_| n_beyond_ascii < MIN_BEYOND_ASCII).filter(clean);
    let encoding = guess.unwrap_or_else(|| detect(bytes));
    let found = encoding.name();
    let warning = match named {
        Some(_) => WarningKind::WrongCharset { found },
        None => WarningKind::GuessedCharset { found },
    };
    by_encoding(bytes, encoding, Some(warning))
}

/// The charset that the text looks like, whatever it says.
pub fn detect(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    match detector.guess(None, Utf8Detection::Deny) {
        // GB18030 holds all of GBK and what newer programs write.
        encoding if encoding == GBK => GB18030,
        encoding => encoding,
    }
}

fn by_encoding<'b>(bytes: &'b [u8], encoding: &'static Encoding, warning: Option<WarningKind>) -> Decoded<'b> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, charset: encoding.name(), warnings: Vec::from_iter(warning) }
}

/// UTF-8 by its bytes; but short Chinese text in GBK may look like it by accident.
fn as_utf8<'b>(
    bytes: &'b [u8],
    text: &'b str,
    named: Option<&'static Encoding>,
    if_utf8: Option<WarningKind>,
) -> Decoded<'b> {
    let utf8 = |warnings| Decoded { text: Cow::Borrowed(text), charset: UTF_8.name(), warnings };
    if text.is_ascii() {
        return utf8(Vec::new());
    }
    if let Some(encoding) = named.filter(|&e| e != UTF_8) {
        // East Asian characters have three bytes in UTF-8 and two elsewhere.
        let has_long = text.chars().any(|c| c.len_utf8() > 2);
        if !has_long
            && !encoding.is_single_byte()
            && encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
        {
            return by_encoding(bytes, encoding, None);
        }
    }
    utf8(Vec::from_iter(if_utf8))
}

/// What the first `CA` property says.
fn named_label(bytes: &[u8]) -> Option<&str> {
    let start = memchr::memmem::find(bytes, b"CA[")? + 3;
    let length = memchr::memchr(b']', bytes.get(start..start + 40.min(bytes.len() - start))?)?;
    std::str::from_utf8(&bytes[start..start + length]).ok().map(str::trim)
}

/// The charset of a label, if we know it and `CA` could be read at all in it.
fn charset_of(label: &str) -> Option<&'static Encoding> {
    let is_gb = ["gb", "gbk", "gb2312", "gb-2312", "gb18030", "cp936"].contains(&label.to_lowercase().as_str());
    if is_gb { Some(GB18030) } else { Encoding::for_label(label.as_bytes()).filter(|e| e.is_ascii_compatible()) }
}

fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => Some(UTF_16LE),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether the text switches to Japanese characters by escape sequences.
fn has_escape_sequence(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"\x1b$B").is_some() || memchr::memmem::find(bytes, b"\x1b$@").is_some()
}

/// Whether there are more than `min_good` whole characters for each broken one.
fn is_mostly_utf8(bytes: &[u8], min_good: usize) -> bool {
    let (mut n_good, mut n_bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        n_good += chunk.valid().chars().filter(|c| c.len_utf8() > 2).count();
        n_bad += usize::from(!chunk.invalid().is_empty());
    }
    n_good > min_good * n_bad
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, SHIFT_JIS, WINDOWS_1252};

    const CHINESE: &str = "(;PB[聂卫平]PW[马晓春]C[黑棋占据了左下角的大场，白棋应该考虑打入右边的阵势。])";
    const TAIWANESE: &str = "(;PB[周俊勳]PW[王立誠]C[黑棋佔據了左下角的大場，白棋應該考慮打入右邊的陣勢。])";
    const JAPANESE: &str = "(;PB[坂田栄男]PW[藤沢秀行]C[黒は右下の大場を占めました。白は打ち込みを考えるべきです。])";
    const KOREAN: &str = "(;PB[이창호]PW[조훈현]C[흑은 좌하귀의 큰 자리를 차지했습니다. 백은 침입을 생각해야 합니다.])";
    const FRENCH: &str = "(;PB[Hervé]PW[François]C[Une séquence très élégante, jouée à Besançon.])";

    #[track_caller]
    fn check(text: &str, encoding: &'static Encoding) {
        let (bytes, _, has_errors) = encoding.encode(text);
        assert!(!has_errors, "{} can't write the example", encoding.name());
        let decoded = decode(&bytes, None);
        assert_eq!(decoded.text, text, "{} read as {}", encoding.name(), decoded.charset);
        // The same with its charset named, and with a wrong one.
        for label in [encoding.name(), "UTF-8"] {
            let named = text.replacen("(;", &format!("(;CA[{label}]"), 1);
            let (bytes, _, _) = encoding.encode(&named);
            assert_eq!(decode(&bytes, None).text, named, "{label} for {}", encoding.name());
        }
    }

    #[test]
    fn charsets_named_missing_and_wrong() {
        check(CHINESE, GB18030);
        check(CHINESE, UTF_8);
        check(TAIWANESE, BIG5);
        check(JAPANESE, SHIFT_JIS);
        check(JAPANESE, EUC_JP);
        check(JAPANESE, ISO_2022_JP);
        check(KOREAN, EUC_KR);
        check(FRENCH, WINDOWS_1252);
    }

    #[test]
    fn utf16_with_and_without_mark() {
        for (mark, to_bytes) in [(true, u16::to_le_bytes as fn(u16) -> [u8; 2]), (false, u16::to_be_bytes)] {
            let mut bytes: Vec<u8> = if mark { to_bytes(0xfeff).to_vec() } else { Vec::new() };
            bytes.extend(JAPANESE.encode_utf16().flat_map(to_bytes));
            assert_eq!(decode(&bytes, None).text, JAPANESE);
        }
    }

    #[test]
    fn short_names_that_look_like_utf8() {
        let (bytes, _, _) = GB18030.encode("(;CA[GB2312]PB[模牛])");
        assert!(std::str::from_utf8(&bytes).is_ok(), "the example is chosen for it");
        assert_eq!(decode(&bytes, None).text, "(;CA[GB2312]PB[模牛])");
    }

    #[test]
    fn a_lost_byte_costs_one_character() {
        let mut bytes = "(;CA[UTF-8]C[囲碁は面白い])".as_bytes().to_vec();
        bytes.remove(14);
        assert!(decode(&bytes, None).text.contains("\u{fffd}碁は面白い"));
    }
}
