//! Parses `<meta http-equiv=refresh>` (HTML Standard §4.2.5.3, "shared declarative refresh steps").

use super::token::is_space;
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Returns the span of the URI reference in the value of `content`.
pub(super) fn target(value: &[u8]) -> Option<Span> {
    let is_time = |c: u8| c.is_ascii_digit() || c == b'.';
    let at = skip(value, 0, is_space);
    let time = skip(value, at, is_time);
    let after = *value.get(time)?;
    if time == at || !(matches!(after, b';' | b',') || is_space(after)) {
        return None;
    }
    let at = skip(value, time, is_space);
    let separated = matches!(value.get(at), Some(b';' | b','));
    let at = skip(value, at + usize::from(separated), is_space);
    let start = past_name(value, at).unwrap_or(at);
    let rest = value.get(start..)?;
    if let [quote @ (b'"' | b'\''), text @ ..] = rest {
        // The standard also takes a reference without its closing quotation mark.
        let len = text.iter().position(|c| c == quote).unwrap_or(text.len());
        return Some(Span::new(start + 1, start + 1 + len));
    }
    (!rest.is_empty()).then(|| Span::new(start, value.len()))
}

fn past_name(value: &[u8], at: usize) -> Option<usize> {
    let end = at + 3;
    let is_name = value.get(at..end)?.eq_ignore_ascii_case(b"url");
    let at = skip(value, end, is_space);
    (is_name && value.get(at) == Some(&b'=')).then(|| skip(value, at + 1, is_space))
}

fn skip(value: &[u8], from: usize, is: impl Fn(u8) -> bool) -> usize {
    let rest = value.clamped(from..);
    from + rest.iter().take_while(|&&c| is(c)).count()
}
