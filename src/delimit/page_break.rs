//! Skips the text that a formatter puts between two pages: a footer with the page number, a form
//! feed, a header. In RFCs and drafts in plain text, these interrupt URIs in wrappers (D3.2).

use crate::slice::{ByteRuns, SliceExt};

/// Longest line that counts as a footer or a header.
const MAX_LENGTH: usize = 120;

/// Returns the length of the page furniture at the start of `text`, including the white space after
/// it.
///
/// `text` must start at the first character of a line, after a line break.
pub(crate) fn length(text: &[u8]) -> Option<usize> {
    let footer = line(text)?;
    if !is_footer(footer) {
        return None;
    }
    let (after, has_form_feed) = blank(text, footer.len());
    let header = line(text.get(after..)?)?;
    // Without the form feed, the next line may be ordinary text.
    if !has_form_feed && !names_series(header) {
        return None;
    }
    let is_header = names_series(header) || columns(header) >= 2;
    let end = if is_header { after + header.len() } else { after };
    Some(blank(text, end).0)
}

/// True if `text` starts with a footer, after which [`length`] reads on.
pub(crate) fn may_start(text: &[u8]) -> bool {
    line(text).is_some_and(is_footer)
}

/// Returns the first line of `text` without its end.
fn line(text: &[u8]) -> Option<&[u8]> {
    let near = text.clamped(..MAX_LENGTH);
    let end = memchr::memchr(b'\n', near)?;
    Some(near.part(..end).trim_ascii_end())
}

/// Returns the end of the white space at `text[at..]`, and whether it contains a form feed.
fn blank(text: &[u8], at: usize) -> (usize, bool) {
    let rest = text.part(at..);
    let length = rest.leading(|b| b.is_ascii_whitespace());
    (at + length, rest.part(..length).contains(&0x0c))
}

/// True for a line such as `Berners-Lee                 [Page 12]`.
fn is_footer(line: &[u8]) -> bool {
    let Some(page) = line.strip_suffix(b"]") else {
        return false;
    };
    let digits = page.trailing(|b| b.is_ascii_digit());
    let before = page.part(..page.len() - digits);
    digits > 0 && (before.ends_with(b"[Page ") || before.ends_with(b"[page "))
}

/// True for a line such as `RFC 1738      Uniform Resource Locators      December 1994`.
fn names_series(line: &[u8]) -> bool {
    [&b"RFC "[..], b"Internet-Draft", b"INTERNET-DRAFT", b"Internet Draft", b"INTERNET DRAFT"]
        .iter()
        .any(|series| line.starts_with(series))
}

/// Counts the wide gaps of a line; a header is set in columns.
fn columns(line: &[u8]) -> usize {
    // The header of a page of an RFC has a number, a title, and a date, with wide gaps between
    // them.
    line.split(|&b| b != b' ').filter(|gap| gap.len() >= 2).count()
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn pages_of_an_rfc() {
        let furniture = "Somebody, et al.                [Page 7]\n\x0c\nRFC 9999      A Title      May 2000\n\n   ";
        let text = format!("{furniture}rest of it\n");
        assert_eq!(length(text.as_bytes()), Some(furniture.len()));
        let stripped = "Somebody     [Page 7]\n\nRFC 9999   A Title   May 2000\n\nrest\n";
        assert_eq!(length(stripped.as_bytes()), Some(stripped.len() - 5));
        assert_eq!(length(b"Somebody     [Page 7]\n\nrest of it\n"), None);
        assert_eq!(length(b"some words\n\x0c\nRFC 9999\n"), None);
        assert_eq!(length(b""), None);
    }
}
