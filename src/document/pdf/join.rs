//! Joins the lines of URIs that a link of their page, or a mark at the end of the line, confirms.

use memchr::memmem;

use super::lines::PlacedText;
use super::links::{PdfLink, PdfLinkKind};
use super::wrap;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Links of a page that are looked for in its text.
const MAX_JOINED: usize = 500;
/// Marks of typesetters for a line that continues, as in listings.
const MARKS: [&str; 4] = ["\u{2190}-", "\u{2190}", "\u{21a9}", "\u{21b5}"];

/// Returns the text without the line ends inside of URIs that a link of the page confirms.
///
/// The finder cannot decide whether a URI continues in the next line. A link to the same URI shows
/// that, and whether a hyphen before the line end belongs to it. Without such a link, the positions
/// of the glyphs may show it.
pub(super) fn joined(layout: &PlacedText, links: &[PdfLink]) -> DerivedText {
    let text = layout.text.as_bytes();
    let of_text = links.iter().filter(|link| link.kind == PdfLinkKind::Uri);
    let mut uris: Vec<&str> = of_text.flat_map(|link| shown_forms(&link.uri)).collect();
    uris.sort_unstable();
    uris.dedup();
    // Each is searched for in the whole text of the page.
    uris.truncate(MAX_JOINED);
    let ends: Vec<Span> =
        memchr::memchr_iter(b'\n', text).map(|at| line_end_with_mark(text, at)).collect();
    let mut removed: Vec<Span> =
        ends.iter().copied().filter(|&end| is_marked_in_word(text, end)).collect();
    if !uris.is_empty() {
        removed.extend(Compact::new(text, &ends).breaks_in(text, &uris));
    }
    removed.sort_unstable_by_key(|span| (span.end(), span.start()));
    let is_whole = |uri: &[u8]| {
        let uri = std::str::from_utf8(uri).unwrap_or_default().trim_end_matches('/');
        uris.iter().any(|whole| whole.trim_end_matches('/') == uri)
    };
    removed.extend(wrap::line_ends_in_uris(layout, &removed, is_whole));
    removed.sort_unstable_by_key(|span| (span.end(), span.start()));
    let mut joined = DerivedText::default();
    let mut done = 0;
    for span in removed.into_iter().filter(|span| !span.is_empty()) {
        // A link and a mark may confirm the same line end.
        if span.start() < done {
            continue;
        }
        joined.copy(text.part(done..span.start()), done);
        joined.replace(b"", span, RunOrigin::Joined);
        done = span.end();
    }
    joined.copy(text.clamped(done..), done);
    joined
}

/// Returns the forms in which a page may show a URI: complete, without the scheme, or the
/// identifier alone that it resolves, after another scheme (`doi:10.1000/182` for
/// `https://doi.org/10.1000/182`).
fn shown_forms(uri: &str) -> impl Iterator<Item = &str> {
    let without_scheme = uri.split_once("://").map(|(_, rest)| rest);
    let path = without_scheme.and_then(|rest| rest.split_once('/')).map(|(_, path)| path);
    let identifier = path.filter(|path| path.starts_with("10."));
    [Some(uri), without_scheme, identifier].into_iter().flatten()
}

/// Returns a line feed, with a hyphen or another mark before it.
fn line_end_with_mark(text: &[u8], at: usize) -> Span {
    let line = text.clamped(..at);
    let mark = MARKS.iter().find(|mark| line.ends_with(mark.as_bytes()));
    let mark = mark.map_or_else(|| usize::from(line.ends_with(b"-")), |mark| mark.len());
    Span::new(at - mark, at + 1)
}

/// True if a line end has a mark, and is in the middle of a word: the mark says that the line goes
/// on. A hyphen may be one of the word, so it says nothing.
fn is_marked_in_word(text: &[u8], end: Span) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_graphic());
    let start = end.start();
    text.get(start).is_some_and(|byte| !byte.is_ascii())
        && is_word(start.checked_sub(1).and_then(|before| text.get(before)))
        && is_word(text.get(end.end()))
}

/// A text without white space, hyphens, and the marks at the ends of lines.
///
/// A typesetter may break a URI after one of its own hyphens, and after one that it adds, within
/// the same URI. Without any hyphen all of these are alike.
struct Compact {
    text: Vec<u8>,
    /// The original offset of each byte.
    origins: Vec<usize>,
    /// Marks at the ends of lines, apart from hyphens.
    marks: Vec<Span>,
}

impl Compact {
    fn new(text: &[u8], ends: &[Span]) -> Self {
        let marks = ends.iter().copied();
        let marks = marks.filter(|mark| text.get(mark.start()).is_some_and(|it| !it.is_ascii()));
        let mut compact = Self { text: Vec::new(), origins: Vec::new(), marks: marks.collect() };
        let mut marks = compact.marks.iter().peekable();
        for (at, &byte) in text.iter().enumerate() {
            while marks.next_if(|mark| mark.end() <= at).is_some() {}
            let is_mark = marks.peek().is_some_and(|mark| mark.range().contains(&at));
            if !(is_mark || is_ignored(byte)) {
                compact.text.push(byte);
                compact.origins.push(at);
            }
        }
        compact
    }

    /// Returns the white space and marks within these URIs.
    fn breaks_in(&self, text: &[u8], uris: &[&str]) -> Vec<Span> {
        let mut breaks = Vec::new();
        for uri in uris {
            // The visible text may lack the slash at the end.
            let uri = uri.trim_end_matches('/').as_bytes();
            // A shorter text, such as the host alone, may be in the prose of the page by chance.
            if uri.len() < 10 {
                continue;
            }
            let letters: Vec<u8> = uri.iter().copied().filter(|&byte| !is_ignored(byte)).collect();
            for found in memmem::find_iter(&self.text, &letters) {
                let Some(&start) = self.origins.get(found) else { continue };
                breaks.extend(self.breaks_at(text.clamped(start..), uri, start));
            }
        }
        breaks
    }

    /// Returns what a text has within a URI that it starts with: white space, and a mark or a
    /// hyphen before a line end. Nothing if it has another URI with the same letters.
    fn breaks_at(&self, text: &[u8], uri: &[u8], start: usize) -> Vec<Span> {
        let mut breaks = Vec::new();
        let mut at = 0;
        for &byte in uri {
            let skipped = self.skipped(text, byte, at, start);
            if skipped > 0 {
                breaks.push(Span::new(start + at, start + at + skipped));
            }
            at += skipped;
            if text.get(at) != Some(&byte) {
                return Vec::new();
            }
            at += 1;
        }
        breaks
    }

    /// Returns the length of the break before the next byte of a URI.
    fn skipped(&self, text: &[u8], next: u8, at: usize, start: usize) -> usize {
        let rest = text.clamped(at..);
        let mark = self.marks.binary_search_by_key(&(start + at), |mark| mark.start());
        let mark = mark.ok().and_then(|index| self.marks.get(index));
        let mark = mark.map_or_else(
            // A hyphen that the URI has itself stays; only one that the typesetter added is part of
            // the break.
            || usize::from(next != b'-' && rest.starts_with(b"-\n")),
            |mark| mark.end() - mark.start(),
        );
        let is_between = |byte: u8| byte.is_ascii_whitespace() && byte != next;
        mark + rest.clamped(mark..).leading(is_between)
    }
}

/// True for white space and the hyphen, which a page may have within a URI or not.
const fn is_ignored(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, uris: &[&str]) -> String {
        let link = |uri: &&str| PdfLink {
            uri: (*uri).to_owned(),
            kind: PdfLinkKind::Uri,
            rectangle: None,
            label: None,
        };
        let links: Vec<PdfLink> = uris.iter().map(link).collect();
        let layout = PlacedText::of_text(text);
        String::from_utf8_lossy(joined(&layout, &links).text()).into_owned()
    }

    #[test]
    fn only_confirmed_uris_are_joined() {
        let text = "see http://a.example/long-\npath/x\nand http://b.example/\nnext";
        assert_eq!(
            with(text, &["http://a.example/long-path/x"]),
            "see http://a.example/long-path/x\nand http://b.example/\nnext"
        );
        assert_eq!(with(text, &["http://b.example/"]), text);
        assert_eq!(
            with("doi:10.1000/S(01)\n254-7", &["https://doi.org/10.1000/S(01)254-7"]),
            "doi:10.1000/S(01)254-7"
        );
    }

    #[test]
    fn hyphens_of_the_typesetter_are_left_out() {
        let text = "http://a.exam-\nple/fo-\nrum and http://b-\nc.example/";
        assert_eq!(
            with(text, &["http://a.example/forum", "http://b-c.example/"]),
            "http://a.example/forum and http://b-c.example/"
        );
    }

    #[test]
    fn hyphens_of_both_and_spaces() {
        assert_eq!(
            with("http://a.exam-\nple/b-\nc/x-\ny z", &["http://a.example/b-c/xy"]),
            "http://a.example/b-c/xy z"
        );
        assert_eq!(
            with("at http://a.example/b/ c and more", &["http://a.example/b/c"]),
            "at http://a.example/b/c and more"
        );
        let other = "http://a.example/b-c\nd";
        assert_eq!(with(other, &["http://a.example/bc"]), other, "it has another hyphen");
    }

    #[test]
    fn marks_join_lines_without_a_link() {
        assert_eq!(
            with("http://a.\u{2190}-\nexample/\u{2190}\nb c \u{2190}\nd", &[]),
            "http://a.example/b c \u{2190}\nd"
        );
    }
}
