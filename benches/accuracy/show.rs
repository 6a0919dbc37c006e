//! Showing places of a text.

use std::ops::Range;

/// The line that `at` is in, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// The nearest character boundary at or before `at`.
pub fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text around `span`, which stands in ⟦⟧, in one line.
pub fn context(text: &str, span: &Range<usize>) -> String {
    let start = floor(text, span.start.saturating_sub(40));
    let end = floor(text, span.end + 30);
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    visible(&format!(
        "{}⟦{}⟧{}",
        part(start..span.start),
        part(span.clone()),
        part(span.end..end.max(span.end))
    ))
}

/// `text` in one line and not too long.
pub fn visible(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '\n' => shown.push('⏎'),
            '\t' => shown.push('→'),
            _ if c.is_control() => shown.extend(c.escape_default()),
            _ => shown.push(c),
        }
    }
    match shown.char_indices().nth(300) {
        Some((at, _)) => format!("{}…[{} bytes]", &shown[..at], text.len()),
        None => shown,
    }
}
