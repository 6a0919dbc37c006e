//! Shows URIs to people: decodes the characters that are safe to decode, by RFC 3987 §3.2 and the
//! formatting of Unicode UTS #58.
//!
//! Invariant: the shown text means the same URI. Delimiters are never decoded, and decoded text
//! maps back to its octets. Invisible characters are never shown, nor those that change the writing
//! direction or end a link. Takes time linear in the URI.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::Uri;
use crate::byte_table::{ByteTable, byte_table};
use crate::grammar::table::{is_ucschar, is_unreserved};
use crate::grammar::{HostMapping, HostType};
use crate::named::named_enum;
use crate::percent::octet;
use crate::registry::{LinkTerm, is_default_ignorable, link_term, opener_of};
use crate::slice::SliceExt;

named_enum! {
    "urigrep::readable::Shown", "places to show a URI";
    /// The place where a readable URI is shown.
    #[derive(Default)]
    pub enum Shown {
        /// In running text: it ends with a character that readers do not mistake for punctuation.
        #[default]
        InText = "in-text",
        /// Alone, as in an address bar: its end is clear, and characters that look like punctuation
        /// stay.
        Alone = "alone",
    }
}

impl<'a> Uri<'a> {
    /// The URI in readable form; borrowed if that is the URI itself.
    ///
    /// Percent triplets become the characters they encode. Exceptions are delimiters, white space,
    /// private, unassigned and invisible characters, and those that would end a link in running
    /// text (UTS #58). A-labels stay; [`readable_with`](Self::readable_with) can show them. In a
    /// URN, only non-ASCII characters are decoded: `%61` is not `a` there (RFC 8141 §3.1).
    ///
    /// The result is an IRI that maps to an equivalent URI. Only `http` and `https` follow UTS #58
    /// beyond that, because it was made for them. An unmatched closing bracket, and final
    /// characters that look like punctuation, are percent-encoded. `%22`, and a `%25` without two
    /// hexadecimal digits after it, are decoded, because every browser reads them back.
    ///
    /// ```
    /// use urigrep::readable::Shown;
    /// use urigrep::Uri;
    /// let uri = Uri::parse("https://a.example/Herv%C3%A9%2F%20/%7Eb?c=%E2%80%AEd.")?;
    /// assert_eq!(uri.readable(Shown::InText), "https://a.example/Hervé%2F%20/~b?c=%E2%80%AEd%2E");
    /// assert_eq!(uri.readable(Shown::Alone), "https://a.example/Hervé%2F%20/~b?c=%E2%80%AEd.");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn readable(&self, shown: Shown) -> Cow<'a, str> {
        self.readable_with(shown, HostMapping::default())
    }

    /// Like [`readable`](Self::readable). With [`HostMapping::idna`], an A-label becomes a U-label
    /// if it maps back and does not mix scripts.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::options::HostMapping;
    /// use urigrep::readable::Shown;
    /// if let Ok(idna) = HostMapping::idna() {
    ///     let uri = Uri::parse("http://xn--bcher-kva.example/")?;
    ///     assert_eq!(uri.readable_with(Shown::Alone, idna), "http://bücher.example/");
    /// }
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn readable_with(&self, shown: Shown, hosts: HostMapping) -> Cow<'a, str> {
        if self.is_surely_readable() {
            return Cow::Borrowed(self.as_str());
        }
        let readable = self.written_readably(shown, hosts);
        if readable == self.as_str() { Cow::Borrowed(self.as_str()) } else { Cow::Owned(readable) }
    }

    /// A cheap test for a URI that is shown as it is, as nearly all are: it has no triplet, no
    /// A-label, no bracket, and no punctuation at its end. False decides nothing.
    fn is_surely_readable(&self) -> bool {
        static PLAIN: ByteTable<bool> = byte_table!(byte => byte.is_ascii_alphanumeric() || matches!(byte, b'-'..=b'/' | b'_' | b'~' | b':' | b'?' | b'#' | b'&' | b'=' | b'+' | b'@'));
        let text = self.as_str().as_bytes();
        let ends_link = |last: &u8| link_term(char::from(*last)) != LinkTerm::Include;
        text.iter().all(|byte| PLAIN.get(*byte))
            && !text.last().is_some_and(ends_link)
            // An A-label contains `--` (RFC 5890 §2.3.1).
            && !self.host().is_some_and(|host| host.contains('-'))
    }

    fn written_readably(&self, shown: Shown, hosts: HostMapping) -> String {
        let text = self.as_str();
        let mut writer = Writer::new(self);
        let authority = self.authority().map_or(0, |authority| authority.len() + 2);
        let path = self.scheme().len() + 1 + authority;
        match self.host().filter(|_| self.host_type() == Some(HostType::RegName)) {
            Some(host) => {
                let port = self.port().map_or(0, |port| port.len() + 1);
                let end = path - port;
                writer.out.push_str(&text[..end - host.len()]);
                writer.out.push_str(&hosts.unicode(host));
                writer.out.push_str(&text[end..path]);
            }
            None => writer.out.push_str(&text[..path]),
        }
        writer.component(ReadablePart::Path, self.path());
        if let Some(query) = self.query() {
            writer.start('?');
            writer.component(ReadablePart::Query, query);
        }
        if let Some(fragment) = self.fragment() {
            writer.start('#');
            writer.component(ReadablePart::Fragment, fragment);
        }
        writer.finish(shown)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadableKind {
    /// By UTS #58.
    Web,
    /// Equivalence by RFC 3986 §6.2.2.
    Generic,
    /// Equivalence by RFC 8141 §3.1.
    Urn,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadablePart {
    Path,
    Query,
    Fragment,
}

/// A character of a URI as written.
#[derive(Clone, Copy)]
enum UriToken<'t> {
    Raw(char),
    /// Percent-encoded, with its triplets.
    Encoded(char, &'t str),
    /// A triplet that is not part of a character.
    Octet(&'t str),
}

/// Writes the readable form and tracks the state it depends on.
struct Writer<'t> {
    out: String,
    kind: ReadableKind,
    /// Open brackets.
    open: Vec<char>,
    /// Offsets of decoded `%`.
    percents: Vec<usize>,
    /// The last character if it looks like punctuation, and its offset in `out`.
    soft: Option<(usize, UriToken<'t>)>,
}

impl<'t> Writer<'t> {
    fn new(uri: &Uri<'_>) -> Self {
        let is = |scheme: &str| uri.scheme().eq_ignore_ascii_case(scheme);
        Self {
            out: String::with_capacity(uri.as_str().len()),
            kind: if is("http") || is("https") {
                ReadableKind::Web
            } else if is("urn") {
                ReadableKind::Urn
            } else {
                ReadableKind::Generic
            },
            open: Vec::new(),
            percents: Vec::new(),
            soft: None,
        }
    }

    fn start(&mut self, delimiter: char) {
        self.out.push(delimiter);
        self.open.clear();
        self.soft = None;
    }

    fn component(&mut self, component: ReadablePart, text: &'t str) {
        let mut at = 0;
        while let Some((token, next)) = token(text, at) {
            match token {
                UriToken::Octet(triplet) => self.include(triplet),
                // Whether this `%` may stay decoded depends on the two characters after it. They
                // are not written yet, so `finish` decides.
                UriToken::Encoded('%', _) if self.kind == ReadableKind::Web => {
                    self.percents.push(self.out.len());
                    self.include("%");
                }
                UriToken::Encoded(c, triplets) if !self.may_show(c) => self.include(triplets),
                UriToken::Encoded(c, _) | UriToken::Raw(c) => self.character(c, token),
            }
            let clears = match component {
                ReadablePart::Path => matches!(token, UriToken::Raw('/')),
                ReadablePart::Query => matches!(token, UriToken::Raw('=' | '&')),
                ReadablePart::Fragment => {
                    text.get(..next).is_some_and(|read| read.ends_with(":~:"))
                }
            };
            if clears {
                self.open.clear();
            }
            at = next;
        }
    }

    /// True if a percent-encoded `c` may be shown decoded.
    fn may_show(&self, c: char) -> bool {
        match (c, self.kind) {
            ('\0'..='\x7F', ReadableKind::Urn) => false,
            ('"', kind) => kind == ReadableKind::Web,
            ('\0'..='\x7F', _) => is_unreserved(c as u8),
            _ => is_ucschar(c) && !is_default_ignorable(c) && link_term(c) != LinkTerm::Hard,
        }
    }

    /// Writes a character that continues the link, or its triplets if needed.
    fn character(&mut self, c: char, token: UriToken<'t>) {
        match link_term(c) {
            LinkTerm::Soft => {
                // A soft character is shown as it is. Only if nothing follows it, `finish` encodes
                // it.
                self.soft = Some((self.out.len(), token));
                self.out.push(c);
                return;
            }
            LinkTerm::Open => self.open.push(c),
            LinkTerm::Close if opener_of(c).is_some_and(|o| self.open.last() == Some(&o)) => {
                self.open.pop();
            }
            // A closing bracket without its opener would end the link (UTS #58), so it is encoded.
            LinkTerm::Close => return self.encoded(token),
            LinkTerm::Include | LinkTerm::Hard => {}
        }
        self.out.push(c);
        self.soft = None;
    }

    /// Writes the triplets of a character. Outside the web, only existing ones, because encoding a
    /// reserved character changes it (RFC 3986 §2.2).
    fn encoded(&mut self, token: UriToken<'t>) {
        match token {
            UriToken::Encoded(_, triplets) | UriToken::Octet(triplets) => self.include(triplets),
            UriToken::Raw(c) if self.kind == ReadableKind::Web && c.is_ascii() => {
                self.include(&format!("%{:02X}", u32::from(c)));
            }
            UriToken::Raw(c) => self.include(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Writes text that continues the link.
    fn include(&mut self, text: &str) {
        self.out.push_str(text);
        self.soft = None;
    }

    fn finish(mut self, shown: Shown) -> String {
        // In running text, the link would end before a final soft character.
        if let (Shown::InText, Some((at, token))) = (shown, self.soft) {
            self.out.truncate(at);
            self.encoded(token);
        }
        if self.percents.is_empty() {
            return self.out;
        }
        // A decoded `%` before two hexadecimal digits would read as a triplet, so it stays encoded.
        let (mut whole, mut from) = (String::with_capacity(self.out.len() + 2), 0);
        for at in self.percents {
            let digits = self.out.as_bytes().get(at + 1..at + 3);
            if digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                whole.push_str(self.out.part(from..at));
                whole.push_str("%25");
                from = at + 1;
            }
        }
        whole.push_str(self.out.clamped(from..));
        whole
    }
}

/// Returns the character at `at`, and the offset of the next one.
fn token(text: &str, at: usize) -> Option<(UriToken<'_>, usize)> {
    let bytes = text.as_bytes();
    let Some(first) = octet(bytes, at) else {
        let c = text.get(at..)?.chars().next()?;
        return Some((UriToken::Raw(c), at + c.len_utf8()));
    };
    let mut octets = [first; 4];
    let width = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    // Read as many triplets as the first octet announces. A missing triplet yields 0, which is
    // never a continuation byte, so the check below fails.
    for (index, slot) in octets.iter_mut().enumerate().take(width) {
        *slot = octet(bytes, at + 3 * index).unwrap_or(0);
    }
    let decoded = core::str::from_utf8(octets.get(..width)?).ok();
    match (decoded.and_then(|text| text.chars().next()), width) {
        (Some(c), _) if c.len_utf8() == width => {
            let end = at + 3 * width;
            Some((UriToken::Encoded(c, text.get(at..end)?), end))
        }
        _ => Some((UriToken::Octet(text.get(at..at + 3)?), at + 3)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The cheap test says yes only where the writer changes nothing.
        #[test]
        fn what_is_surely_readable_is_written_as_it_is(
            uri in "(http|HTTPS|ftp|urn:example|s)://?(u@)?[aX.-]{0,4}(xn--bcher-kva|)(:8)?[/a?#&=:;,.()@%~!'*+_-]{0,12}(%41|%C3%A9)?[a/.):]?",
        ) {
            if let Ok(uri) = Uri::parse(&uri) {
                for shown in [Shown::InText, Shown::Alone] {
                    let hosts = HostMapping::idna().unwrap_or_default();
                    let written = uri.written_readably(shown, hosts);
                    prop_assert!(!uri.is_surely_readable() || written == uri.as_str(), "{written}");
                }
            }
        }
    }

    #[test]
    fn most_uris_are_surely_readable() {
        let is = |uri| Uri::parse(uri).unwrap().is_surely_readable();
        assert!(is("https://www.example.org/a_b/page-1.html?c=d&e=f#g") && is("http://a.example/"));
        assert!(!is("https://a.example/b%20") && !is("http://xn--bcher-kva.example/"));
        assert!(!is("https://a.example/b.") && !is("https://a.example/b)c"));
    }
}
