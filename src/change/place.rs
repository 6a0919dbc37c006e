//! The place of an edit in its document, and the ways to write a text there.

use std::ops::Range;

use super::edit::{Edit, Refusal, common_ends};
use super::pieces::input_bytes;
use super::spelling::{LinePlace, Spelling};
use crate::decode::Encoding;
use crate::document::{Content, Format, Part, Role};
use crate::finder::Finder;
use crate::hash::HashMap;
use crate::search::InputText;
use crate::slice::SliceExt;
use crate::{Finding, Span};

/// Bytes at the start of a text by which its source is recognized.
const KNOWN_START: usize = 3;

/// State of an edit.
pub(super) enum EditState {
    /// Its spellings, and the index of the one that is tried.
    Tried {
        spellings: Vec<WrittenEdit>,
        at: usize,
    },
    Refused(Refusal),
    /// It changes nothing.
    Nothing,
}

impl EditState {
    /// Returns the spellings of an edit that is tried, which changes nothing from now on.
    pub fn withhold(&mut self) -> Option<Vec<WrittenEdit>> {
        match std::mem::replace(self, Self::Nothing) {
            Self::Tried { spellings, .. } => Some(spellings),
            other => {
                *self = other;
                None
            }
        }
    }
}

/// A spelling of an edit: new bytes for a range of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenEdit {
    pub range: Range<usize>,
    pub bytes: Vec<u8>,
}

/// The URIs of a part: their spans, and what the finder reads there if it finds a URI.
pub(super) type PartSpans = Vec<(Span, Option<String>)>;

/// Returns all spans of a part that may be edited, by their bytes in the input.
pub(super) fn spans_of(
    finder: &Finder,
    text: &InputText,
    part: &Part<'_>,
) -> HashMap<[u64; 2], (Span, Option<String>)> {
    let mut spans: HashMap<_, _> = HashMap::default();
    // A destination that is empty or no reference can be edited as a whole.
    if part.content == Content::Reference {
        let whole = Span::new(0, part.text.len());
        spans.insert(input_bytes(text, part, whole), (whole, None));
    }
    for (span, uri) in found_in(finder, part.content, part.text) {
        spans.insert(input_bytes(text, part, span), (span, uri));
    }
    spans
}

/// Returns the span of any text that the part copies from the input, URI or not.
pub(super) fn verbatim(
    text: &InputText,
    part: &Part<'_>,
    edit: &Edit,
) -> Option<(Span, Option<String>)> {
    let start = text.source(part.source.source(Span::new(0, 0)).start());
    let [from, to] = edit.bytes.map(|at| usize::try_from(at.checked_sub(start)?).ok());
    let span = Span::new(from?, to?);
    let is_copied = span.end() <= part.text.len() && part.source.is_copied(span);
    (is_copied && input_bytes(text, part, span) == edit.bytes).then_some((span, None))
}

pub(super) fn found_in(finder: &Finder, content: Content, text: &[u8]) -> PartSpans {
    let uri = |finding: &Finding<'_>| match finding {
        Finding::Match(m) => Some(m.iri().map_or_else(|| m.uri().into_owned(), str::to_owned)),
        Finding::Relative(relative) => Some(relative.intended().into_owned()),
        Finding::Rejected(_) => None,
    };
    let whole = match content {
        Content::Reference => finder.reference(text),
        Content::Value => finder.value(text).map(Finding::Match),
        Content::Text | Content::Autolinks => None,
    };
    match whole {
        Some(finding) => vec![(finding.span(), uri(&finding))],
        None if content == Content::Reference => Vec::new(),
        None => finder.findings(text).map(|it| (it.span(), uri(&it))).collect(),
    }
}

/// The place of an edit in its document.
pub(super) struct EditPlace<'p> {
    pub text: &'p InputText,
    pub part: &'p Part<'p>,
    pub span: Span,
    /// The URI as the finder reads it.
    pub uri: Option<&'p str>,
}

impl EditPlace<'_> {
    /// Returns the spellings of the new text in the bytes that change.
    pub fn state(&self, edit: &Edit, source: &[u8]) -> EditState {
        let (from, to) = (&*edit.from, edit.to.text());
        if from == to.as_bytes() {
            return EditState::Nothing;
        }
        let Some(whole) = range(edit.bytes, source) else {
            return EditState::Refused(Refusal::Changed);
        };
        if self.may_end_string(to, whole.clone(), source) {
            return EditState::Refused(Refusal::Quoted);
        }
        let mut spellings = Vec::new();
        let escaped = self.uri.filter(|uri| uri.as_bytes() != from);
        if let Some(uri) = escaped {
            let raw = source.get(whole.clone()).unwrap_or_default();
            let bytes = self.spelling_of_escapes(uri, to, raw, whole.start);
            spellings.extend(bytes.map(|bytes| WrittenEdit { range: whole.clone(), bytes }));
        }
        // In base64 and the like, no escape of single characters can be read back.
        let raw = source.get(whole.clone()).unwrap_or_default();
        let start = from.len().min(KNOWN_START);
        let style = self.style(from, raw, whole.start);
        let middle = self.middle(from, to, whole.clone());
        // A reader may add a directory to what is written; the rest is a spelling then.
        let is_added = middle.is_some() && from.ends_with(raw);
        if style.is_empty() && raw.get(..start) != from.get(..start) && !is_added {
            return EditState::Refused(Refusal::Encoded);
        }
        // What both have in common stays as it is written: an escape in it, or a line break.
        if let Some((range, from, to)) = middle {
            spellings.extend(self.spell(from, to, range, source, &style));
        }
        spellings.extend(self.spell(from, to, whole, source, &style));
        EditState::Tried { spellings, at: 0 }
    }

    /// True if the new text has a quotation mark that the old one has not, between two of the kind
    /// in its line. A URI may hold `'`, but a program that holds the URI ends its string there, and
    /// runs what follows. Readers of markup know where a value ends, and prove it.
    fn may_end_string(&self, to: &str, whole: Range<usize>, source: &[u8]) -> bool {
        /// A string that is longer is hardly one of a program.
        const MAX_LENGTH: usize = 4096;
        if self.text.format().is_some_and(Format::is_markup) && self.part.role != Role::Code {
            return false;
        }
        let before = source.clamped(whole.start.saturating_sub(MAX_LENGTH)..whole.start);
        let after = source.clamped(whole.end..whole.end.saturating_add(MAX_LENGTH));
        let old = source.clamped(whole);
        let before = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let after = after.split(|&byte| byte == b'\n').next().unwrap_or_default();
        b"'\"`".iter().any(|quote| {
            to.as_bytes().contains(quote)
                && !old.contains(quote)
                && before.contains(quote)
                && after.contains(quote)
        })
    }

    /// Returns the spelling of a text with escapes that the finder decodes, such as `http:\/\/a/`
    /// in a string of JSON: `uri` is what it reads there.
    fn spelling_of_escapes(
        &self,
        uri: &str,
        to: &str,
        raw: &[u8],
        start: usize,
    ) -> Option<Vec<u8>> {
        let place = LinePlace { column: start, end: "\n" };
        let encode = |spelling: Spelling, text: &str| {
            encoded(&spelling.write(text, &place), self.text.encoding())
        };
        let mut styles = Spelling::ESCAPES.into_iter();
        let style = styles.find(|style| encode(*style, uri) == raw)?;
        Some(encode(style, to))
    }

    /// Returns the part of the source that changes, and its old and new text.
    fn middle<'e>(
        &self,
        from: &'e [u8],
        to: &'e str,
        whole: Range<usize>,
    ) -> Option<(Range<usize>, &'e [u8], &'e str)> {
        let from_text = std::str::from_utf8(from).ok()?;
        let (prefix, suffix) = common_ends(from_text, to);
        let at = self.span.start();
        let before = input_bytes(self.text, self.part, Span::new(at, at + prefix));
        let end = self.span.end();
        let after = input_bytes(self.text, self.part, Span::new(end - suffix, end));
        let start = if prefix == 0 { whole.start } else { usize::try_from(before[1]).ok()? };
        let end = if suffix == 0 { whole.end } else { usize::try_from(after[0]).ok()? };
        // An escape may stand for bytes on both sides.
        let is_apart = whole.start <= start && start <= end && end <= whole.end;
        let from = from.get(prefix..from.len() - suffix)?;
        let to = to.get(prefix..to.len() - suffix)?;
        is_apart.then_some((start..end, from, to))
    }

    /// Returns the spellings of the text that the source may have, in the encoding of the input.
    fn style(&self, text: &[u8], raw: &[u8], start: usize) -> Vec<Spelling> {
        let text = String::from_utf8_lossy(text);
        let place = LinePlace { column: start, end: "\n" };
        let all = Spelling::candidates(self.text.format()).iter().copied();
        all.filter(|it| encoded(&it.write(&text, &place), self.text.encoding()) == raw).collect()
    }

    /// Returns the spellings of `to` for a range of the source that reads as `from`, in a URI of
    /// this style.
    fn spell(
        &self,
        from: &[u8],
        to: &str,
        range: Range<usize>,
        source: &[u8],
        style: &[Spelling],
    ) -> Vec<WrittenEdit> {
        let encoding = self.text.encoding();
        let place = LinePlace::at(range.start, source);
        let from = String::from_utf8_lossy(from);
        let raw = source.get(range.clone()).unwrap_or_default();
        let is_whole =
            input_bytes(self.text, self.part, self.span) == [range.start as u64, range.end as u64];
        // Brackets go around the whole, once.
        let is_bracketed = range.start > 0 && source.get(range.start - 1) == Some(&b'<');
        let takes = |it: &&Spelling| **it != Spelling::Angle || is_whole && !is_bracketed;
        let candidates = Spelling::candidates(self.text.format()).iter().filter(takes);
        let encode =
            |spelling: &Spelling, text: &str| encoded(&spelling.write(text, &place), encoding);
        // The spelling of the old text goes first, so that a document keeps its style.
        let (mut same, mut others): (Vec<&Spelling>, Vec<&Spelling>) =
            candidates.partition(|spelling| encode(spelling, &from) == raw);
        same.sort_by_key(|spelling| !style.contains(spelling));
        others.retain(|it| !it.is_of_old_text_only());
        let mut spellings = Vec::new();
        for spelling in same.into_iter().chain(others) {
            let written = WrittenEdit { range: range.clone(), bytes: encode(spelling, to) };
            if !spellings.contains(&written) {
                spellings.push(written);
            }
        }
        spellings
    }
}

/// Returns bytes of the input as a range of the source.
pub(super) fn range(bytes: [u64; 2], source: &[u8]) -> Option<Range<usize>> {
    let [start, end] = bytes.map(|at| usize::try_from(at).unwrap_or(usize::MAX));
    (start <= end && end <= source.len()).then_some(start..end)
}

/// Returns a text in the encoding of the input.
pub(super) fn encoded(text: &str, encoding: Option<Encoding>) -> Vec<u8> {
    match encoding {
        None => text.as_bytes().to_vec(),
        Some(Encoding::Utf16Le) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Some(Encoding::Utf16Be) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Some(Encoding::Utf32Le) => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        Some(Encoding::Utf32Be) => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
    }
}
