//! A change of one span: [`Edit`], and the reasons to refuse one.

use crate::named::named_enum;

/// A change of one span of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub(super) bytes: [u64; 2],
    pub(super) from: Vec<u8>,
    pub(super) to: Replacement,
}

/// The new text of an [`Edit`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Replacement {
    /// A URI or reference, as a reader of the document sees it; it is escaped for its place.
    Uri(String),
    /// Text that need not be a URI, such as `hxxp://a[.]example/`; it is escaped, too.
    Text(String),
    /// The destination of a link, in place of text that was meant as a destination but is not read
    /// as one: `my%20file.md` for `my file.md` in Markdown. It is written as it is.
    Destination(String),
}

impl Replacement {
    /// Returns the text.
    pub fn text(&self) -> &str {
        match self {
            Self::Uri(text) | Self::Text(text) | Self::Destination(text) => text,
        }
    }
}

impl Edit {
    /// Replaces the text `from` at the byte offsets `bytes` of the input. `from` is what a reader
    /// of the document sees there, without escapes. If it is not there, the edit is refused.
    pub fn new(bytes: [u64; 2], from: impl Into<Vec<u8>>, to: Replacement) -> Self {
        Self { bytes, from: from.into(), to }
    }

    /// Returns the byte offsets of the span in the input.
    pub fn bytes(&self) -> [u64; 2] {
        self.bytes
    }

    /// Returns the old text, as a reader of the document sees it.
    pub fn from(&self) -> &[u8] {
        &self.from
    }

    /// Returns the new text.
    pub fn to(&self) -> &Replacement {
        &self.to
    }
}

/// Returns the lengths of the common start and the common end of two texts, in bytes. No character
/// is cut, and the two do not overlap.
pub fn common_ends(old: &str, new: &str) -> (usize, usize) {
    let equal = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let is_boundary = |at: &usize| old.is_char_boundary(*at) && new.is_char_boundary(*at);
    let prefix = (0..=equal).rev().find(is_boundary).unwrap_or(0);
    let rests = [old, new].map(|text| text.get(prefix..).unwrap_or_default());
    let [old, new] = rests;
    let equal = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    let is_boundary =
        |at: &usize| old.is_char_boundary(old.len() - at) && new.is_char_boundary(new.len() - at);
    (prefix, (0..=equal).rev().find(is_boundary).unwrap_or(0))
}

named_enum! {
    "urigrep::change::Refusal", "reasons to refuse an edit";
    /// Reason why an edit was not made.
    pub enum Refusal {
        /// Its text is not at its place.
        Changed = "changed": "the text is no longer there",
        /// It overlaps with an earlier edit.
        Overlaps = "overlaps": "inside another URI that changes",
        /// Its new text is not a URI reference.
        NotUri = "not-uri": "the result is not a URI",
        /// The new start has a fragment, after which the rest of the URI would be part of it.
        Components = "components": "TO has a fragment, and more of the URI would follow it",
        /// No spelling of the new text is read back at its place: in base64, for example.
        Encoded = "encoded": "the new URI cannot be written in the encoding of its place",
        /// With it, other parts of the document would be read differently.
        Structure = "structure": "the document around it would be read differently",
        /// It has a quotation mark that may end the string around it.
        Quoted = "quoted": "the new URI has a quotation mark that may end the string around it",
        /// The target of a redirector has characters that a shell or a program may act on.
        Active = "active": "the target of the redirector has characters that a program may act on",
        /// Its place is in a compressed file or archive.
        Member = "member": "inside a compressed file or archive",
        /// The input is binary, or its text was extracted from one.
        Binary = "binary": "inside a binary file",
    }
}
