//! Lists of MAPI properties (MS-OXTNEF 2.1.3.4).

use super::attributes::number;
use crate::slice::SliceExt as _;
use crate::span::Span;

pub(super) const BODY: u16 = 0x1000;
pub(super) const BODY_HTML: u16 = 0x1013;
pub(super) const PACKED_RTF: u16 = 0x1009;
pub(super) const CODE_PAGE: u16 = 0x3fde;
pub(super) const ATTACHED_DATA: u16 = 0x3701;
pub(super) const LONG_FILE_NAME: u16 = 0x3707;
pub(super) const DISPLAY_NAME: u16 = 0x3001;

/// The type of a value, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueType {
    /// A text in the code page of the message.
    Text,
    /// UTF-16.
    WideText,
    Bytes,
    /// A number and the like.
    Other,
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub id: u16,
    pub value_type: ValueType,
    pub data: Span,
}

/// Yields the values of the properties in an attribute, up to damage. Spans are those of the
/// document.
pub(super) struct Properties<'d> {
    bytes: &'d [u8],
    at: usize,
    end: usize,
    /// Properties that are left.
    left: u32,
    /// Values that are left of the current property.
    values: Option<PropertyValues>,
    /// True if a value does not fit, so that those after it are lost.
    is_damaged: bool,
}

#[derive(Clone, Copy)]
struct PropertyValues {
    id: u16,
    kind: u16,
    left: u32,
}

impl<'d> Properties<'d> {
    pub fn new(bytes: &'d [u8], attribute: Span) -> Self {
        let left = number(bytes.part(attribute.range()));
        Self {
            bytes,
            at: attribute.start() + 4,
            end: attribute.end(),
            left,
            values: None,
            is_damaged: false,
        }
    }

    /// True if damage ended the list.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    fn take(&mut self, length: usize) -> Option<Span> {
        let Some(end) = self.at.checked_add(length).filter(|&end| end <= self.end) else {
            self.is_damaged = true;
            return None;
        };
        let span = Span::new(self.at, end);
        self.at = end;
        Some(span)
    }

    fn take_number(&mut self) -> Option<u32> {
        let span = self.take(4)?;
        Some(number(self.bytes.part(span.range())))
    }

    /// Takes a number of bytes, and those that fill up a multiple of four.
    fn take_padded(&mut self, length: u32) -> Option<Span> {
        let length = usize::try_from(length).ok()?;
        let span = self.take(length)?;
        // `-length` modulo 4: three more bytes follow five.
        self.at = self.at.saturating_add(length.wrapping_neg() % 4);
        Some(span)
    }

    fn next_property(&mut self) -> Option<PropertyValues> {
        const MULTIPLE: u16 = 0x1000;
        const FIRST_NAMED: u16 = 0x8000;
        self.left = self.left.checked_sub(1)?;
        let head = self.take_number()?;
        let (kind, id) = ((head & 0xffff) as u16, (head >> 16) as u16);
        if id >= FIRST_NAMED {
            // A set of names, and in it a number or a name.
            self.take(16)?;
            let is_name = self.take_number()? == 1;
            let number = self.take_number()?;
            if is_name {
                self.take_padded(number)?;
            }
        }
        // Values of any length have a count, even if there is only one.
        let has_count = kind & MULTIPLE != 0 || is_variable(kind & !MULTIPLE);
        let left = if has_count { self.take_number()? } else { 1 };
        Some(PropertyValues { id, kind: kind & !MULTIPLE, left })
    }

    fn next_value(&mut self, kind: u16) -> Option<Span> {
        match kind {
            kind if is_variable(kind) => {
                let length = self.take_number()?;
                self.take_padded(length)
            }
            // Two bytes, filled up to four, and four.
            0x02 | 0x0b | 0x03 | 0x04 | 0x0a => self.take(4),
            // Numbers, amounts of money, and times; below, a GUID (MS-OXCDATA 2.11.1).
            0x05 | 0x06 | 0x07 | 0x14 | 0x40 => self.take(8),
            0x48 => self.take(16),
            _ => {
                self.is_damaged = true;
                None
            }
        }
    }
}

/// True for texts, bytes, and objects, which have a length.
fn is_variable(kind: u16) -> bool {
    // PtypObject, PtypString8, PtypString, and PtypBinary (MS-OXCDATA 2.11.1).
    matches!(kind, 0x0d | 0x1e | 0x1f | 0x102)
}

impl Iterator for Properties<'_> {
    type Item = Property;

    fn next(&mut self) -> Option<Property> {
        loop {
            let values = match self.values.take() {
                Some(values) if values.left > 0 => values,
                _ => self.next_property()?,
            };
            let Some(left) = values.left.checked_sub(1) else { continue };
            self.values = Some(PropertyValues { left, ..values });
            let data = self.next_value(values.kind)?;
            let value_type = match values.kind {
                0x1e => ValueType::Text,
                0x1f => ValueType::WideText,
                0x0d | 0x102 => ValueType::Bytes,
                _ => ValueType::Other,
            };
            return Some(Property { id: values.id, value_type, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_apart() {
        let mut bytes = vec![3, 0, 0, 0];
        // A number, two texts of a named property, and a body.
        bytes.extend_from_slice(&[3, 0, 1, 0x0e, 9, 0, 0, 0]);
        bytes.extend_from_slice(&[0x1e, 0x10, 0, 0x80]);
        bytes.extend_from_slice(&[0; 16]);
        bytes.extend_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0, b'n', 0, 0, 0]);
        bytes
            .extend_from_slice(&[2, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 1, 0, 0, 0, b'b', 0, 0, 0]);
        bytes.extend_from_slice(&[0x1e, 0, 0, 0x10, 1, 0, 0, 0, 5, 0, 0, 0]);
        bytes.extend_from_slice(b"hello");
        let mut whole = Properties::new(&bytes, Span::new(0, bytes.len()));
        let all: Vec<_> = whole.by_ref().collect();
        assert!(!whole.is_damaged());
        let texts: Vec<_> = all.iter().map(|it| &bytes[it.data.range()]).collect();
        assert_eq!(texts, [&[9, 0, 0, 0][..], b"a", b"b", b"hello"]);
        assert_eq!(all[3].id, BODY);
        let mut cut = Properties::new(&bytes, Span::new(0, 20));
        assert_eq!((cut.by_ref().count(), cut.is_damaged()), (1, true));
    }
}
