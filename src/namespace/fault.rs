//! Faults in an NSS by the rules of its namespace: an offset and a kind. `Copy`, no allocation.

use crate::named::named_enum;
use core::fmt;

/// An offset into the NSS, and the fault there.
pub(crate) type NssFaultAt = (usize, NssFaultKind);

/// The name in a URN does not follow the syntax of its namespace.
///
/// `Display` prints a sentence with the fault, the expected form, and the offset.
///
/// ```
/// let urn = urigrep::Urn::parse("urn:issn:0167-6424")?;
/// let fault = urn.check_nss().unwrap_err();
/// assert_eq!(
///     fault.to_string(),
///     "the check digit does not fit the other digits; an ISSN has two groups of four digits, \
///      separated by a hyphen (at byte 17)",
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

    /// Byte offset of the fault in the URN.
    ///
    /// ```
    /// let fault = urigrep::Urn::parse("urn:isbn:0451450524")?.check_nss().unwrap_err();
    /// assert_eq!(fault.offset(), 18);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The kind of fault.
    ///
    /// ```
    /// use urigrep::namespace::NssFaultKind;
    /// let fault = urigrep::Urn::parse("urn:isbn:045145052")?.check_nss().unwrap_err();
    /// assert_eq!(fault.kind(), NssFaultKind::Length);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn kind(self) -> NssFaultKind {
        self.kind
    }

    /// A short description of the valid form in this namespace.
    ///
    /// ```
    /// let fault = urigrep::Urn::parse("urn:oid:1.02")?.check_nss().unwrap_err();
    /// assert!(fault.form().starts_with("an object identifier consists"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
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

impl core::error::Error for NssFault {}

named_enum! {
    "urigrep::namespace::NssFaultKind", "faults";
    /// The kind of fault in the name of a URN.
    ///
    /// `Display` prints a clause for people; [`NssFaultKind::name`] is a fixed word for programs.
    ///
    /// ```
    /// assert_eq!(urigrep::namespace::NssFaultKind::CheckDigit.name(), "nss-check-digit");
    /// ```
    pub enum NssFaultKind {
        /// A character that is not allowed at this place.
        Character = "nss-character": "this character is not allowed here",
        /// It ends too early.
        TooShort = "nss-too-short": "it ends too early",
        /// It continues where it must end.
        TooLong = "nss-too-long": "it is too long",
        /// The number of digits is wrong.
        Length = "nss-length": "the number of digits is wrong",
        /// A number has a leading zero.
        LeadingZero = "nss-leading-zero": "this number has a leading zero",
        /// The check digit does not match the other digits.
        CheckDigit = "nss-check-digit": "the check digit does not fit the other digits",
        /// The first digits are not valid.
        Prefix = "nss-prefix": "the first digits are none that it can start with",
        /// The namespace does not define the word at this place.
        Keyword = "nss-keyword": "this word is not known here",
        /// A part that must not be empty is empty.
        EmptyPart = "nss-empty-part": "a part is empty",
    }
}

impl fmt::Display for NssFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.meaning())
    }
}
