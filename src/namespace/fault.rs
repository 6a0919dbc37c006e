//! Why an NSS is not what its namespace asks for: an offset and a kind. `Copy`, no allocation.

use std::fmt;

/// An offset into the NSS, and what is wrong there.
pub(super) type Broken = (usize, NssFaultKind);

/// The name in a URN does not follow the syntax of its namespace.
///
/// `Display` is a sentence that says what is wrong, how it is written, and where.
///
/// ```
/// let urn = urigrep::Urn::parse("urn:issn:0167-6424")?;
/// let fault = urn.check_nss().unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "the check digit does not fit the other digits; an ISSN has 4 and 4 digits with a hyphen \
///      between (at byte 17)",
/// );
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NssFault {
    offset: usize,
    kind: NssFaultKind,
    form: &'static str,
}

impl NssFault {
    pub(super) const fn new(offset: usize, kind: NssFaultKind, form: &'static str) -> Self {
        Self { offset, kind, form }
    }

    /// Where in the URN the fault stands (0-based, bytes).
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// What is wrong there.
    pub const fn kind(self) -> NssFaultKind {
        self.kind
    }

    /// How a name of this namespace is written, in a few words.
    pub const fn form(self) -> &'static str {
        self.form
    }
}

impl fmt::Display for NssFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, kind, form } = self;
        write!(f, "{kind}; {form} (at byte {offset})")
    }
}

impl std::error::Error for NssFault {}

/// What is wrong with a name in a URN.
///
/// `Display` is a clause for people, [`NssFaultKind::name`] a fixed word for programs.
///
/// ```
/// assert_eq!(urigrep::NssFaultKind::CheckDigit.name(), "nss-check-digit");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NssFaultKind {
    /// A character that may not stand there.
    Character,
    /// It ends too early.
    TooShort,
    /// It goes on where it had to end.
    TooLong,
    /// The number of digits is wrong.
    Length,
    /// A number starts with a zero that does not count.
    LeadingZero,
    /// The check digit is not the one that the other digits give.
    CheckDigit,
    /// The digits do not start as they must.
    Prefix,
    /// The word at this place is none that the namespace knows.
    Keyword,
    /// Nothing stands in a part that may not be empty.
    EmptyPart,
}

impl NssFaultKind {
    /// The fixed, hyphenated word for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Character => "nss-character",
            Self::TooShort => "nss-too-short",
            Self::TooLong => "nss-too-long",
            Self::Length => "nss-length",
            Self::LeadingZero => "nss-leading-zero",
            Self::CheckDigit => "nss-check-digit",
            Self::Prefix => "nss-prefix",
            Self::Keyword => "nss-keyword",
            Self::EmptyPart => "nss-empty-part",
        }
    }

    /// The clause that `Display` writes.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Character => "this character may not stand here",
            Self::TooShort => "it ends too early",
            Self::TooLong => "it is too long",
            Self::Length => "the number of digits is wrong",
            Self::LeadingZero => "this number has a leading zero",
            Self::CheckDigit => "the check digit does not fit the other digits",
            Self::Prefix => "the first digits are none that it can start with",
            Self::Keyword => "this word is not known here",
            Self::EmptyPart => "a part is empty",
        }
    }
}

impl fmt::Display for NssFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.meaning())
    }
}
