//! The bytes of an index file: header, section table, what is checked.
//!
//! All numbers are little endian. The page `index-format` of the book has
//! the layout; this file is its only implementation.

use xxhash_rust::xxh3::xxh3_64;

/// The version of the file format that this crate writes and reads.
pub const FORMAT_VERSION: u32 = 1;

pub(crate) const MAGIC: [u8; 8] = *b"TEJUNIDX";
const HEADER_LEN: usize = 64;
const ENTRY_LEN: usize = 32;
const CHECKSUM_AT: usize = 48;
/// Sections begin at multiples of this, so that any number in them is aligned.
const ALIGNMENT: u64 = 64;

/// What a section of the file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionKind {
    /// The stored symbols and separators.
    Text,
    /// The position of each segment's first symbol.
    SegmentStarts,
    /// The positions in suffix order.
    Positions,
    /// The common prefix lengths.
    CommonPrefixes,
    /// The symbol before each suffix.
    LeftNeighbors,
    /// The first rank of each symbol.
    Buckets,
    /// The caller's label.
    Label,
}

impl SectionKind {
    /// All sections in the order of the file.
    pub(crate) const ALL: [Self; 7] = [
        Self::Text,
        Self::SegmentStarts,
        Self::Positions,
        Self::CommonPrefixes,
        Self::LeftNeighbors,
        Self::Buckets,
        Self::Label,
    ];
}

pub(crate) const N_SECTIONS: usize = SectionKind::ALL.len();
const TABLE_END: usize = HEADER_LEN + N_SECTIONS * ENTRY_LEN;

/// Where a section lies in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionEntry {
    pub(crate) element_len: u32,
    pub(crate) offset: u64,
    pub(crate) byte_len: u64,
    pub(crate) checksum: u64,
}

/// The header and section table of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileHeader {
    pub(crate) n_positions: u64,
    pub(crate) n_segments: u64,
    pub(crate) n_symbols: u64,
    pub(crate) position_width: u32,
    pub(crate) sections: [SectionEntry; N_SECTIONS],
}

/// Why the head of a file was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file begins like something else.
    #[error("not an index: the file begins with \"{}\", an index with \"TEJUNIDX\"; \
             give the file that the index was saved to", found.escape_ascii())]
    Foreign {
        /// Its first eight bytes, zeros where it has fewer.
        found: [u8; 8],
    },
    /// The file was written in another version of the format.
    #[error(
        "the index has format version {found}, this program reads {FORMAT_VERSION}; \
             build the index again"
    )]
    OtherVersion {
        /// The version in the file.
        found: u32,
    },
    /// The file is shorter or longer than it was when written.
    #[error(
        "the index has {found} bytes and should have {expected}; \
             copy the file again or build the index again"
    )]
    WrongLength {
        /// What the header says, or the least that a header needs.
        expected: u64,
        /// What the file has.
        found: u64,
    },
    /// The header does not fit its own checksum.
    #[error(
        "the header of the index is damaged: its checksum is {found:016x} and should be \
             {expected:016x}; copy the file again or build the index again"
    )]
    HeaderDamaged {
        /// The checksum in the file.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The table gives a section a place or size that cannot be.
    #[error(
        "the section {section:?} of the index has {byte_len} bytes at {offset}, \
             which does not fit the rest; build the index again"
    )]
    SectionMisplaced {
        /// The section.
        section: SectionKind,
        /// Where it should begin.
        offset: u64,
        /// How long it should be.
        byte_len: u64,
    },
    /// A section does not fit its checksum.
    #[error(
        "the section {section:?} of the index is damaged; \
             copy the file again or build the index again"
    )]
    SectionDamaged {
        /// The section.
        section: SectionKind,
    },
}

impl FileHeader {
    /// Lays out sections with the given element lengths and contents.
    pub(crate) fn for_sections(n_symbols: u64, contents: &[(u32, &[u8]); N_SECTIONS]) -> Self {
        let [(text_element, text), (start_element, starts), (position_width, _), ..] = *contents;
        let n_positions = text.len() as u64 / u64::from(text_element);
        let n_starts = starts.len() as u64 / u64::from(start_element);
        let mut end = TABLE_END as u64;
        let sections = contents.map(|(element_len, bytes)| {
            let offset = end.next_multiple_of(ALIGNMENT);
            let byte_len = bytes.len() as u64;
            end = offset + byte_len;
            SectionEntry { element_len, offset, byte_len, checksum: xxh3_64(bytes) }
        });
        Self { n_positions, n_segments: n_starts - 1, n_symbols, position_width, sections }
    }

    pub(crate) fn file_len(&self) -> u64 {
        let ends = self.sections.iter().map(|section| section.offset + section.byte_len);
        ends.max().unwrap_or(TABLE_END as u64)
    }

    /// Header and table as the bytes of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(TABLE_END);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend((N_SECTIONS as u32).to_le_bytes());
        bytes.extend(self.file_len().to_le_bytes());
        bytes.extend(self.n_positions.to_le_bytes());
        bytes.extend(self.n_segments.to_le_bytes());
        bytes.extend(u64::from(self.position_width).to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend(self.n_symbols.to_le_bytes());
        debug_assert_eq!(bytes.len(), HEADER_LEN);
        for (nth, section) in self.sections.iter().enumerate() {
            bytes.extend((nth as u32 + 1).to_le_bytes());
            bytes.extend(section.element_len.to_le_bytes());
            bytes.extend(section.offset.to_le_bytes());
            bytes.extend(section.byte_len.to_le_bytes());
            bytes.extend(section.checksum.to_le_bytes());
        }
        let checksum = xxh3_64(&bytes);
        bytes[CHECKSUM_AT..CHECKSUM_AT + 8].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the head of a file and checks it against the file's length.
    pub(crate) fn from_bytes(file: &[u8]) -> Result<Self, FormatError> {
        let mut magic = [0; 8];
        let n_magic = file.len().min(8);
        magic[..n_magic].copy_from_slice(&file[..n_magic]);
        if magic != MAGIC {
            return Err(FormatError::Foreign { found: magic });
        }
        let found_len = file.len() as u64;
        let too_short = FormatError::WrongLength { expected: TABLE_END as u64, found: found_len };
        let version = file.get(8..12).map(|_| number(file, 8, 4)).ok_or(too_short)? as u32;
        if version != FORMAT_VERSION {
            return Err(FormatError::OtherVersion { found: version });
        }
        let mut head = file.get(..TABLE_END).ok_or(too_short)?.to_vec();
        head[CHECKSUM_AT..CHECKSUM_AT + 8].fill(0);
        let (expected, found) = (number(file, CHECKSUM_AT, 8), xxh3_64(&head));
        if expected != found {
            return Err(FormatError::HeaderDamaged { expected, found });
        }
        let expected_len = number(file, 16, 8);
        if expected_len != found_len {
            return Err(FormatError::WrongLength { expected: expected_len, found: found_len });
        }
        let header = Self {
            n_positions: number(file, 24, 8),
            n_segments: number(file, 32, 8),
            n_symbols: number(file, 56, 8),
            position_width: number(file, 40, 8) as u32,
            sections: std::array::from_fn(|nth| {
                let at = HEADER_LEN + nth * ENTRY_LEN;
                SectionEntry {
                    element_len: number(file, at + 4, 4) as u32,
                    offset: number(file, at + 8, 8),
                    byte_len: number(file, at + 16, 8),
                    checksum: number(file, at + 24, 8),
                }
            }),
        };
        header.check_sections(found_len).map(|()| header)
    }

    /// A right checksum does not make a right table: another program may have written it.
    fn check_sections(&self, file_len: u64) -> Result<(), FormatError> {
        let width = if self.position_width == 8 { 8 } else { 4 };
        let n_starts = self.n_segments.checked_add(1);
        let expected: [(u32, Option<u64>); N_SECTIONS] = [
            (2, Some(self.n_positions)),
            (8, n_starts),
            (width, Some(self.n_positions)),
            (4, Some(self.n_positions)),
            (2, Some(self.n_positions)),
            (8, None),
            (1, None),
        ];
        for ((entry, section), (element_len, n_elements)) in self.sections.iter().zip(SectionKind::ALL).zip(expected) {
            let element_bytes = u64::from(element_len);
            let is_sized = match n_elements {
                Some(n) => n.checked_mul(element_bytes) == Some(entry.byte_len),
                None => entry.byte_len.is_multiple_of(element_bytes),
            };
            let end = entry.offset.checked_add(entry.byte_len);
            let is_inside = entry.offset >= TABLE_END as u64 && end.is_some_and(|end| end <= file_len);
            let is_aligned = entry.offset.is_multiple_of(ALIGNMENT);
            if !(is_sized && is_inside && is_aligned && entry.element_len == element_len) {
                let (offset, byte_len) = (entry.offset, entry.byte_len);
                return Err(FormatError::SectionMisplaced { section, offset, byte_len });
            }
        }
        Ok(())
    }
}

/// The little-endian number of `len` bytes at an offset that the caller has checked.
fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let mut number = [0; 8];
    number[..len].copy_from_slice(&bytes[at..at + len]);
    u64::from_le_bytes(number)
}
