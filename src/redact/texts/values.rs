//! Finds the secrets of a text that may contain URIs: values after names and below them, also if
//! terminal colours separate them.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{colours, lists, pairs, passages};
use crate::redact::{MARK, replaced, secret_words};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Bytes before a value in which a colour may separate it from its name.
const BYTES_NEAR: usize = 256;

/// Returns a text without its values, or `None` if it has none.
pub(in crate::redact) fn without_values(text: &[u8]) -> Option<Vec<u8>> {
    let mut values = secret_values(b"", text);
    values.retain(|value| shows_something(text.part(value.range())));
    replaced(text, &values)
}

/// Returns the secrets after names, also those that a colour separates from their name, in order
/// and without overlaps.
pub(crate) fn secret_values(before: &[u8], text: &[u8]) -> Vec<Span> {
    let joined =
        if before.is_empty() { Cow::Borrowed(text) } else { Cow::Owned([before, text].concat()) };
    let named = |text: &[u8]| {
        let mut found = pairs::values(text);
        found.extend(passages::secrets(text));
        lists::add_joined(text, &mut found);
        found
    };
    // In a text with colours, a colour may look like a value. Only nearby colours count: a part of
    // the text must not be read differently because another part has a colour.
    let colours = colours::find(&joined);
    let is_coloured = |span: Span| {
        let from = span.start().saturating_sub(BYTES_NEAR);
        let first = colours.partition_point(|colour| colour.end() <= from);
        colours.get(first).is_some_and(|colour| colour.start() < span.end())
    };
    let mut secrets = named(&joined);
    secrets.retain(|span| !is_coloured(*span));
    for plain in colours::removed(&joined) {
        let mut found = named(plain.text());
        for (word, redacted) in secret_words(plain.text()) {
            push_spans(plain.text(), word, &redacted, &mut found);
        }
        let found = found.into_iter().map(|span| plain.source(span));
        let found = found.filter(|span| is_coloured(*span));
        secrets.extend(found.filter(|span| shows_something(joined.part(span.range()))));
    }
    let behind = |value: Span| {
        let [start, end] = [value.start(), value.end()].map(|at| at.checked_sub(before.len()));
        Some(Span::new(start?, end?))
    };
    united(secrets).into_iter().filter_map(behind).collect()
}

/// Returns the spans in order. Overlapping ones are merged: if one were left out, its end would be
/// shown.
pub(crate) fn united(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| (span.start(), Reverse(span.end())));
    let mut apart: Vec<Span> = Vec::new();
    for span in spans {
        match apart.last_mut().filter(|last| span.start() < last.end()) {
            Some(last) => *last = Span::new(last.start(), last.end().max(span.end())),
            None => apart.push(span),
        }
    }
    apart
}

/// True unless a secret consists only of marks, colours, and text that is already redacted: the
/// quotation mark before a value is not a value.
pub(crate) fn shows_something(secret: &[u8]) -> bool {
    let plain = colours::removed(secret).pop();
    let mut rest = plain.as_ref().map_or(secret, |plain| plain.text());
    while let Some(at) = memchr::memmem::find(rest, MARK) {
        if rest.part(..at).iter().any(u8::is_ascii_alphanumeric) {
            return true;
        }
        rest = rest.part(at + MARK.len()..);
    }
    rest.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

pub(crate) fn push_spans(text: &[u8], word: Span, redacted: &[u8], spans: &mut Vec<Span>) {
    match changed_spans(text.part(word.range()), redacted) {
        Some(found) => spans.extend(
            found
                .into_iter()
                .map(|span| Span::new(word.start() + span.start(), word.start() + span.end())),
        ),
        None => spans.push(word),
    }
}

/// Returns the spans of a text that are `REDACTED` in its redacted form; `None` if they are not
/// known.
pub(crate) fn changed_spans(text: &[u8], redacted: &[u8]) -> Option<Vec<Span>> {
    let marks: Vec<usize> = memchr::memmem::find_iter(redacted, MARK).collect();
    let mut spans = Vec::new();
    let first = *marks.first()?;
    let mut at = text.starts_with(redacted.part(..first)).then_some(first)?;
    for (index, mark) in marks.iter().enumerate() {
        let next = marks.get(index + 1);
        let kept = redacted.part(mark + MARK.len()..next.copied().unwrap_or(redacted.len()));
        let end = match next {
            None => text.len().checked_sub(kept.len()).filter(|_| text.ends_with(kept))?,
            // It is unknown where one of two adjacent secrets ends.
            Some(_) if kept.is_empty() => return None,
            Some(_) => at + 1 + memchr::memmem::find(text.clamped(at + 1..), kept)?,
        };
        let secret = Span::new(at, (end > at).then_some(end)?);
        if text.part(secret.range()) != MARK {
            spans.push(secret);
        }
        at = end + kept.len();
    }
    Some(spans)
}
