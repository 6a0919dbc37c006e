//! Edits that remove secrets from a text: those of its words and values, beside those of its URIs.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::cmp::Reverse;
use std::ops::Deref;

use super::apply::{AppliedEdit, Changed};
use super::edit::{Edit, Replacement};
use super::place::range;
use crate::Span;
use crate::redact::texts::{changed_spans, push_spans, secret_values, shows_something, united};
use crate::redact::{redact, secret_words};
use crate::slice::{ByteRuns as _, SliceExt as _};

const MARK: &str = "REDACTED";
/// Most soft line breaks in one value.
const MAX_SOFT_BREAKS: usize = 32;

/// Returns edits that replace the secrets in the words of a text, as [`redact_text`] does: tokens
/// in a log, for example. Of a word at the place of one of `edits`, which must be sorted, only the
/// rest is looked at.
///
/// ```
/// let edits = urigrep::change::redacted_words(b"got token=c0ffee1234abcd", &[]);
/// assert_eq!(edits[0].bytes(), [10, 24]);
/// ```
///
/// [`redact_text`]: crate::redact_text
pub fn redacted_words(text: &[u8], edits: &[Edit]) -> Vec<Edit> {
    let mut found = Vec::new();
    for (word, redacted) in secret_words(text) {
        let near = touching(edits, word);
        if near.is_empty() {
            push_secrets(text, word, &redacted, &mut found);
            continue;
        }
        let mut at = word.start();
        let ends = near.iter().map(|edit| edit_span(edit, text));
        for edit in ends.chain([Span::new(word.end(), word.end())]) {
            let rest = text.clamped(at..edit.start());
            for (part, redacted) in secret_words(rest) {
                let part = Span::new(at + part.start(), at + part.end());
                push_secrets(text, part, &redacted, &mut found);
            }
            at = at.max(edit.end());
        }
    }
    found
}

/// Returns edits that replace the values after names of secrets, as in logs, settings, headers
/// of HTTP, arguments of commands, and elements of XML, and the text of private keys. Values at the
/// places of `edits`, which must be sorted, are left out.
///
/// ```
/// let edits = urigrep::change::redacted_values(b"{\"password\": \"hunter2\"}", &[]);
/// assert_eq!((edits[0].from(), edits[0].to().text()), (&b"hunter2"[..], "REDACTED"));
/// ```
pub fn redacted_values(text: &[u8], edits: &[Edit]) -> Vec<Edit> {
    redacted_values_behind(b"", text, edits)
}

/// Like [`redacted_values`], for a text after another one: a token in the first line may be one
/// because the line before ends with `Bearer`.
pub fn redacted_values_behind(before: &[u8], text: &[u8], edits: &[Edit]) -> Vec<Edit> {
    let values = secret_values(before, text).into_iter();
    let free = values.filter(|value| touching(edits, *value).is_empty());
    free.map(|value| redacting(text, value)).collect()
}

/// Returns these edits and those that remove all other secrets of a text after `before`, sorted. A
/// secret that is more than a URI replaces the edit of the URI.
pub fn with_redactions(before: &[u8], text: &[u8], edits: Vec<Edit>) -> Vec<Edit> {
    let mut edits = edits;
    edits.sort_by_key(Edit::bytes);
    let mut values = Vec::new();
    let is_quoted = LazyCell::new(|| is_quoted_printable(text));
    for value in secret_values(before, text) {
        let value = over_soft_breaks(text, value, &is_quoted);
        let near = touching(&edits, value);
        match near {
            [] => values.push(value),
            [edit] if is_settled(text, value, edit) => {}
            [first, .., last] | [first @ last] => {
                let (start, end) = (edit_span(first, text).start(), edit_span(last, text).end());
                values.push(Span::new(value.start().min(start), value.end().max(end)));
            }
        }
    }
    let values: Vec<Edit> =
        united(values).into_iter().map(|value| redacting(text, value)).collect();
    edits.retain(|edit| touching(&values, edit_span(edit, text)).is_empty());
    edits.extend(values);
    edits.sort_by_key(Edit::bytes);
    let words = redacted_words(text, &edits);
    edits.extend(words);
    edits.sort_by_key(Edit::bytes);
    edits
}

/// True for mail in quoted-printable. A rough test, which only decides whether more is removed.
fn is_quoted_printable(text: &[u8]) -> bool {
    let name = b"quoted-printable";
    memchr::memchr_iter(b'-', text)
        .filter_map(|at| text.get(at.checked_sub(6)?..at + 10))
        .any(|found| found.eq_ignore_ascii_case(name))
}

/// Returns a value with its rest in the next lines, if soft line breaks of quoted-printable divide
/// it (RFC 2045 §6.7): `=` at the end of a line. Otherwise half of a secret would stay.
fn over_soft_breaks(text: &[u8], value: Span, is_quoted: &impl Deref<Target = bool>) -> Span {
    let mut end = value.end();
    for _ in 0..MAX_SOFT_BREAKS {
        let rest = text.clamped(end..);
        let mark = usize::from(!text.clamped(..end).ends_with(b"=") && rest.starts_with(b"="));
        let is_break = mark == 1 || text.clamped(..end).ends_with(b"=");
        let line_end = match rest.clamped(mark..) {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => break,
        };
        let next = rest.clamped(mark + line_end..);
        let length = next.leading(|b| !b.is_ascii_whitespace() && !b"\"'<>,;".contains(&b));
        if !is_break || length == 0 || !**is_quoted {
            break;
        }
        end += mark + line_end + length;
    }
    Span::new(value.start(), end)
}

/// True if an edit removes a value, or all of a value but marks is a URI, of which an edit leaves
/// what is no secret.
fn is_settled(text: &[u8], value: Span, edit: &Edit) -> bool {
    let uri = edit_span(edit, text);
    let is_mark = |byte: &u8| !byte.is_ascii_alphanumeric();
    let outside = [value.start()..uri.start(), uri.end()..value.end()];
    // `x1y2://joe:…@a.example/` is a password rather than a URI.
    let scheme = text.part(uri.range());
    let scheme = scheme.clamped(..scheme.leading(|byte| byte != b':'));
    let is_uri = value != uri || !scheme.iter().any(u8::is_ascii_digit);
    // A shorter one may stand there by chance.
    let secret = text.part(value.range());
    let is_removed = secret.len() < 6
        || memchr::memmem::find(edit.to.text().as_bytes(), secret).is_none()
        || value == uri;
    outside.into_iter().all(|rest| text.clamped(rest).iter().all(is_mark)) && is_uri && is_removed
}

/// Makes those edits of `changed` that were refused and that remove secrets from what is written in
/// the source as a reader sees it. Nothing proves that the document is read as before, but no
/// secret stays. What may be an ordinary word stays, because letters alone are no proof of a
/// secret.
pub fn force_redactions(source: &[u8], edits: &[Edit], changed: Changed) -> Changed {
    let forced: Vec<(usize, Vec<Span>)> = (changed.refused.iter())
        .filter_map(|(index, _)| Some((*index, forced_spans(source, edits.get(*index)?)?)))
        .collect();
    if forced.is_empty() {
        return changed;
    }
    // What is written where, in the order of the source.
    let mut written: Vec<(Span, usize, &[u8])> = (changed.applied.iter())
        .map(|it| {
            let old = Span::new(it.old.start, it.old.end);
            (old, it.edit, changed.bytes.part(it.new.clone()))
        })
        .collect();
    for (index, spans) in &forced {
        written.extend(spans.iter().map(|span| (*span, *index, MARK.as_bytes())));
    }
    // Where two overlap, the one that is forced has the secret.
    written.sort_by_key(|(span, edit, _)| (span.start(), Reverse(span.end()), *edit));
    let (mut bytes, mut applied) = (Vec::with_capacity(source.len() + 64), Vec::new());
    let mut at = 0;
    for (old, edit, new) in written {
        if old.start() < at {
            at = at.max(old.end());
            continue;
        }
        bytes.extend_from_slice(source.part(at..old.start()));
        let start = bytes.len();
        bytes.extend_from_slice(new);
        at = old.end();
        applied.push(AppliedEdit { edit, old: old.range(), new: start..bytes.len() });
    }
    bytes.extend_from_slice(source.clamped(at..));
    let is_forced = |edit: usize| forced.iter().any(|(index, _)| *index == edit);
    let refused = changed.refused.iter().copied().filter(|(edit, _)| !is_forced(*edit)).collect();
    Changed { bytes, applied, refused, ..changed }
}

/// Returns the spans of the secrets that an edit removes, if the source has its text.
fn forced_spans(source: &[u8], edit: &Edit) -> Option<Vec<Span>> {
    let range = range(edit.bytes, source)?;
    let is_written = source.get(range.clone()) == Some(&*edit.from);
    let from = String::from_utf8_lossy(&edit.from);
    // Other changes are not forced.
    let redacted = match &edit.to {
        Replacement::Text(to) if to.contains(MARK) => Cow::Borrowed(to.as_str()),
        _ => redact(&from),
    };
    let spans = changed_spans(&edit.from, redacted.as_bytes()).filter(|_| is_written)?;
    let spans = spans.into_iter();
    let spans: Vec<Span> =
        spans.map(|span| Span::new(range.start + span.start(), range.start + span.end())).collect();
    let is_uri = matches!(edit.to, Replacement::Uri(_)) || edit.to.text() != MARK;
    let is_secret = |span: &Span| is_uri || is_hardly_a_word(source.part(span.range()));
    let spans = if spans.iter().all(is_secret) { spans } else { Vec::new() };
    (!spans.is_empty()).then_some(spans)
}

fn is_hardly_a_word(text: &[u8]) -> bool {
    const MIN_LENGTH: usize = 6;
    let has = |test: fn(&u8) -> bool| text.iter().any(test);
    text.len() >= MIN_LENGTH && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// Adds edits for the secrets of a word.
fn push_secrets(text: &[u8], word: Span, redacted: &[u8], edits: &mut Vec<Edit>) {
    let mut spans = Vec::new();
    push_spans(text, word, redacted, &mut spans);
    spans.retain(|span| shows_something(text.part(span.range())));
    edits.extend(spans.into_iter().map(|span| redacting(text, span)));
}

fn redacting(text: &[u8], secret: Span) -> Edit {
    let bytes = [secret.start() as u64, secret.end() as u64];
    Edit::new(bytes, text.part(secret.range()), Replacement::Text(MARK.to_owned()))
}

fn edit_span(edit: &Edit, text: &[u8]) -> Span {
    let [start, end] = edit.bytes.map(|at| usize::try_from(at).unwrap_or(text.len()));
    let end = end.min(text.len());
    Span::new(start.min(end), end)
}

/// Returns those of the sorted edits that overlap a span.
fn touching(edits: &[Edit], span: Span) -> &[Edit] {
    let [start, end] = [span.start() as u64, span.end() as u64];
    let first = edits.partition_point(|edit| edit.bytes[1] <= start);
    let rest = edits.clamped(first..);
    rest.clamped(..rest.partition_point(|edit| edit.bytes[0] < end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_goes_on_after_a_soft_line_break() {
        let redacted = |text: &str| {
            let mut text = text.as_bytes().to_vec();
            for edit in with_redactions(b"", &text.clone(), Vec::new()).iter().rev() {
                text.splice(range(edit.bytes, &text).unwrap(), MARK.bytes());
            }
            String::from_utf8(text).unwrap()
        };
        let head = "Content-Transfer-Encoding: Quoted-Printable\r\n\r\n";
        for (body, expected) in [
            ("your password: S3cr3t=\r\nTok3nXyz1=\r\n23 is", "your password: REDACTED is"),
            ("your password: S3cr3t=\nTok3nXyz1\nsee", "your password: REDACTED\nsee"),
            ("your password: S3cr3tTok=\n is", "your password: REDACTED\n is"),
        ] {
            assert_eq!(redacted(&format!("{head}{body}")), format!("{head}{expected}"));
        }
        let plain = "your password: S3cr3tTok=\nTok3nXyz1";
        assert_eq!(redacted(plain), "your password: REDACTED\nTok3nXyz1");
    }
}
