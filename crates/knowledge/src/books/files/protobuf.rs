//! Fields of a message in Protocol Buffers, without a schema.

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldValue<'a> {
    /// A whole number.
    Number(u64),
    /// Text, bytes, or a message inside.
    Bytes(&'a [u8]),
    /// Four or eight bytes that no field here has.
    Fixed,
}

/// Why a message cannot be read on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Torn {
    /// It ends inside a field, which would end at this byte if it is known.
    Ends(Option<u64>),
    /// The bytes are not a field.
    NoField,
}

/// Reads a message field by field; a torn one ends it.
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Fields<'a> {
    /// The fields of a message.
    pub(crate) fn new(bytes: &'a [u8]) -> Fields<'a> {
        Fields { bytes, at: 0 }
    }

    /// The byte that is read next.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn number(&mut self) -> Result<u64, Torn> {
        let mut number = 0;
        for shift in (0..70).step_by(7) {
            let byte = *self.bytes.get(self.at).ok_or(Torn::Ends(None))?;
            self.at += 1;
            number |= u64::from(byte & 127).checked_shl(shift).unwrap_or(0);
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(Torn::NoField)
    }

    fn take(&mut self, n: u64) -> Result<&'a [u8], Torn> {
        let rest = &self.bytes[self.at..];
        let taken = usize::try_from(n).ok().and_then(|n| rest.get(..n));
        let taken = taken.ok_or(Torn::Ends(Some(n.saturating_add(self.at as u64))))?;
        self.at += taken.len();
        Ok(taken)
    }

    fn field(&mut self) -> Result<(u64, FieldValue<'a>), Torn> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => FieldValue::Number(self.number()?),
            1 => self.take(8).map(|_| FieldValue::Fixed)?,
            2 => {
                let n = self.number()?;
                FieldValue::Bytes(self.take(n)?)
            }
            5 => self.take(4).map(|_| FieldValue::Fixed)?,
            _ => return Err(Torn::NoField),
        };
        if tag >> 3 == 0 { Err(Torn::NoField) } else { Ok((tag >> 3, value)) }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, FieldValue<'a>), Torn>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.at = self.bytes.len();
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_until_one_is_torn() {
        let fields: Vec<_> = Fields::new(b"\x08\x96\x01\x12\x02ab\x1a\x05x").collect();
        let expected = [Ok((1, FieldValue::Number(150))), Ok((2, FieldValue::Bytes(b"ab"))), Err(Torn::Ends(Some(14)))];
        assert_eq!(fields, expected);
    }

    #[test]
    fn negative_numbers_have_ten_bytes() {
        let bytes = b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
        assert_eq!(Fields::new(bytes).next(), Some(Ok((1, FieldValue::Number(u64::MAX)))));
        assert_eq!(Fields::new(b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff").next(), Some(Err(Torn::NoField)));
    }
}
