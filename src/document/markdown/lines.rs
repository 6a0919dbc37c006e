//! Lines of a text, and bounded looks around a place in it.

use crate::slice::SliceExt as _;

/// Longest part of a line that is looked at, because one long line may have many candidates.
pub(super) const MAX_LENGTH: usize = 512;

/// True if only white space is left on the line.
pub(super) fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
    rest.is_empty() || rest.starts_with('\n')
}

/// True if only white space precedes on the line.
pub(super) fn is_start(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
    before.is_empty() || before.ends_with('\n')
}

/// Returns the line that contains `at`, with its offset.
pub(super) fn line_at(text: &str, at: usize) -> (usize, &str) {
    let before = text.as_bytes().clamped(..at);
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    (start, first_line(text.clamped(start..)))
}

pub(super) fn first_line(text: &str) -> &str {
    let end = memchr::memchr(b'\n', text.as_bytes());
    let line = text.clamped(..end.unwrap_or(text.len()));
    line.strip_suffix('\r').unwrap_or(line)
}

/// Returns the start of the first line. Bounded, because one long line may have many candidates.
pub(super) fn clipped(text: &str) -> &str {
    let mut most = MAX_LENGTH.min(text.len());
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    first_line(text.clamped(..most))
}

/// Like [`str::lines`], but faster, because it uses memchr.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        if left.is_empty() {
            return None;
        }
        let (line, after) = match memchr::memchr(b'\n', left.as_bytes()) {
            Some(end) => {
                let line = left.clamped(..end);
                (line.strip_suffix('\r').unwrap_or(line), left.clamped(end + 1..))
            }
            None => (left, ""),
        };
        left = after;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_library() {
        for text in ["", "\n", "a", "a\n", "a\r\n\r\nb\r", "\r\n", "\r", "\n\n a \n"] {
            assert!(lines(text).eq(text.lines()), "{text:?}");
        }
    }
}
