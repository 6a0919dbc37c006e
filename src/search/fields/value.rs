//! The value of a field, as each output takes it.

use std::borrow::Cow;

use crate::document::Place;
use crate::namespace::NssFault;
use crate::{Flags, Identifier};

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue<'a> {
    /// The hit has no such field.
    Absent,
    /// A number.
    Number(u64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes of the input, or of the name of a file, which need not be UTF-8.
    Bytes(Cow<'a, [u8]>),
    /// Flags.
    Flags(Flags),
    /// Texts.
    Texts(&'a [String]),
    /// Ranges of bytes.
    Ranges(Cow<'a, [[u64; 2]]>),
    /// Why a URN is not allowed by its namespace.
    Fault(NssFault),
    /// A place in a document.
    Place(&'a Place<'a>),
    /// The DOI, ISBN, or the like that a URI identifies.
    Identifier(Identifier),
}

fn bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

impl<'a> FieldValue<'a> {
    /// True if JSON has no member for this value.
    #[cfg(feature = "serde")]
    pub(crate) fn is_left_out(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Ranges(ranges) => ranges.is_empty(),
            _ => false,
        }
    }

    /// Converts the value to one text, with spaces between the entries of a list. Returns `None` if
    /// it is absent.
    pub fn into_text(self) -> Option<Cow<'a, [u8]>> {
        let owned = |text: String| Some(Cow::Owned(text.into_bytes()));
        match self {
            Self::Absent => None,
            Self::Number(number) => owned(number.to_string()),
            Self::Text(text) => Some(bytes(text)),
            Self::Bytes(bytes) => Some(bytes),
            // A match without flags has the field, which is empty. It is not absent.
            Self::Flags(flags) if flags.is_empty() => Some(Cow::Borrowed(b"")),
            Self::Flags(flags) => {
                let names: Vec<_> = flags.iter().map(|flag| flag.name()).collect();
                owned(names.join(" "))
            }
            Self::Texts(texts) => owned(texts.join(" ")),
            Self::Ranges(ranges) if ranges.is_empty() => None,
            Self::Ranges(ranges) => {
                let ranges: Vec<_> =
                    ranges.iter().map(|[start, end]| format!("{start}-{end}")).collect();
                owned(ranges.join(" "))
            }
            Self::Fault(fault) => owned(fault.to_string()),
            Self::Place(place) => owned(place.to_string()),
            Self::Identifier(identifier) => owned(identifier.canonical().to_owned()),
        }
    }
}

impl<'a> From<Cow<'a, str>> for FieldValue<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a str> for FieldValue<'a> {
    fn from(text: &'a str) -> Self {
        Cow::Borrowed(text).into()
    }
}

impl From<String> for FieldValue<'_> {
    fn from(text: String) -> Self {
        Cow::<str>::Owned(text).into()
    }
}

impl<'a> From<&'a [u8]> for FieldValue<'a> {
    fn from(text: &'a [u8]) -> Self {
        Self::Bytes(Cow::Borrowed(text))
    }
}

impl From<u64> for FieldValue<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<'a, T: Into<FieldValue<'a>>> From<Option<T>> for FieldValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}
