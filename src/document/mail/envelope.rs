//! Typed access to header fields: author, date, subject, thread (RFC 5322 §3.6).

use super::date::Date;
use super::header::Header;
use super::identifier::identifiers;
use crate::decode::encoded_words;
use crate::offset_map::OffsetMap;
use crate::slice::SliceExt as _;

/// ```
/// use urigrep::document::mail::Header;
/// let header = Header::new(
///     b"From: =?utf-8?q?J=C3=B6rg?= <joerg@a.example>\nSubject: Re:\n links\n\
///       Message-ID: <2@a.example>\nReferences: <1@a.example>\nDate: 3 Mar 2005 09:56:19 +1100\n",
/// );
/// assert_eq!(header.from().unwrap(), "Jörg <joerg@a.example>");
/// assert_eq!(header.subject().unwrap(), "Re: links");
/// assert_eq!(header.message_id().unwrap(), "2@a.example");
/// assert_eq!(header.thread().unwrap(), "1@a.example");
/// assert_eq!(header.date().unwrap().to_string(), "2005-03-03T09:56:19+11:00");
/// ```
impl Header<'_> {
    /// Returns the `Message-ID`, without its angle brackets.
    pub fn message_id(self) -> Option<String> {
        self.identifiers("Message-ID").into_iter().next()
    }

    /// Returns the messages that this one answers, oldest first, from `References` or else
    /// `In-Reply-To`.
    pub fn references(self) -> Vec<String> {
        let references = self.identifiers("References");
        if references.is_empty() {
            return self.identifiers("In-Reply-To");
        }
        references
    }

    /// Returns the first message of the thread, as far as known; itself if it answers none.
    pub fn thread(self) -> Option<String> {
        // `References` starts with the first message of the thread (RFC 5322 §3.6.4).
        let first = self.references().into_iter().next();
        first.or_else(|| self.message_id())
    }

    /// Returns the `Date`.
    pub fn date(self) -> Option<Date> {
        let field = self.field("Date")?;
        Date::parse(&String::from_utf8_lossy(field.value))
    }

    /// Returns `From`, decoded and on one line.
    pub fn from(self) -> Option<String> {
        self.text("From")
    }

    /// Returns `Subject`, decoded and on one line.
    pub fn subject(self) -> Option<String> {
        self.text("Subject")
    }

    /// Returns the text of a field, decoded and on one line.
    pub fn text(self, name: &str) -> Option<String> {
        let field = self.field(name)?;
        let mut text = Vec::new();
        encoded_words(field.value, &mut text, &mut OffsetMap::new());
        let text = String::from_utf8_lossy(&text);
        // Unfold the lines (RFC 5322 §2.2.3).
        let lines = text.split(['\r', '\n']).filter(|line| !line.is_empty());
        Some(lines.collect())
    }

    fn identifiers(self, name: &str) -> Vec<String> {
        let Some(field) = self.field(name) else {
            return Vec::new();
        };
        let identifier = |span: crate::span::Span| {
            let bytes = field.value.part(span.range());
            let text = String::from_utf8_lossy(bytes);
            text.split_ascii_whitespace().collect()
        };
        identifiers(field.value).map(identifier).collect()
    }
}
