//! Joins the lines of URIs that a link of their page, or a mark at the end of the line, confirms.

use memchr::memmem;

use super::lines::Layout;
use super::links::{LinkKind, PdfLink};
use super::wrap;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// Links of a page that are looked for in its text.
const MOST_JOINED: usize = 500;
/// Marks with which typesetters say that a line goes on, as in listings.
const MARKS: [&str; 4] = ["\u{2190}-", "\u{2190}", "\u{21a9}", "\u{21b5}"];

/// Returns the text without the line ends inside of URIs that a link of the page confirms.
///
/// The finder cannot tell whether a URI goes on in the next line. A link to the same URI can, also
/// whether a hyphen before the line end belongs to it. Where no link does, the places of the glyphs may.
pub(super) fn joined(layout: &Layout, links: &[PdfLink]) -> DerivedText {
    let text = layout.text.as_bytes();
    let of_text = links.iter().filter(|link| link.kind == LinkKind::Uri);
    let mut uris: Vec<&str> = of_text.flat_map(|link| shown_forms(&link.uri)).collect();
    uris.sort_unstable();
    uris.dedup();
    uris.truncate(MOST_JOINED);
    let ends: Vec<LineEnd> =
        memchr::memchr_iter(b'\n', text).map(|at| LineEnd::at(text, at)).collect();
    let mut removed: Vec<Span> =
        ends.iter().filter(|end| end.goes_on(text)).map(|end| end.with_mark).collect();
    if !uris.is_empty() {
        let bare = ends.iter().map(|end| end.bare);
        removed.extend(Compact::new(text, bare).breaks_in(&uris));
        let hyphenated = ends.iter().map(|end| end.with_mark);
        removed.extend(Compact::new(text, hyphenated).breaks_in(&uris));
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

/// Returns what a page may show of a URI: all of it, it without the scheme, or the identifier alone
/// that it resolves, after another scheme (`doi:10.1000/182` for `https://doi.org/10.1000/182`).
fn shown_forms(uri: &str) -> impl Iterator<Item = &str> {
    let without_scheme = uri.split_once("://").map(|(_, rest)| rest);
    let path = without_scheme.and_then(|rest| rest.split_once('/')).map(|(_, path)| path);
    let identifier = path.filter(|path| path.starts_with("10."));
    [Some(uri), without_scheme, identifier].into_iter().flatten()
}

/// The end of a line.
struct LineEnd {
    /// Its line feed.
    bare: Span,
    /// The same with a hyphen or another mark before it.
    with_mark: Span,
}

impl LineEnd {
    fn at(text: &[u8], at: usize) -> Self {
        let line = text.clamped(..at);
        let mark = MARKS.iter().find(|mark| line.ends_with(mark.as_bytes()));
        let mark = mark.map_or_else(|| usize::from(line.ends_with(b"-")), |mark| mark.len());
        Self { bare: Span::new(at, at + 1), with_mark: Span::new(at - mark, at + 1) }
    }

    /// True if a mark in the middle of a word says that the line goes on.
    fn goes_on(&self, text: &[u8]) -> bool {
        let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_graphic());
        let start = self.with_mark.start();
        text.get(start).is_some_and(|byte| !byte.is_ascii())
            && is_word(start.checked_sub(1).and_then(|before| text.get(before)))
            && is_word(text.get(self.with_mark.end()))
    }
}

/// A text without some spans.
struct Compact {
    text: Vec<u8>,
    /// Where each byte was.
    origins: Vec<usize>,
}

impl Compact {
    fn new(text: &[u8], without: impl Iterator<Item = Span>) -> Self {
        let mut compact = Self { text: Vec::new(), origins: Vec::new() };
        let mut done = 0;
        for span in without.chain([Span::new(text.len(), text.len())]) {
            compact.text.extend(text.clamped(done..span.start()));
            compact.origins.extend(done..span.start().max(done));
            done = span.end();
        }
        compact
    }

    /// Returns the spans that were left out within these URIs.
    fn breaks_in(&self, uris: &[&str]) -> Vec<Span> {
        let mut breaks = Vec::new();
        for uri in uris {
            // What a reader sees may lack the slash at the end.
            let uri = uri.trim_end_matches('/').as_bytes();
            if uri.len() < 10 {
                continue;
            }
            for found in memmem::find_iter(&self.text, uri) {
                let inside = self.origins.part(found..found + uri.len());
                for pair in inside.windows(2) {
                    if let [before, after] = *pair {
                        breaks.push(Span::new(before + 1, after));
                    }
                }
            }
        }
        breaks.retain(|span| !span.is_empty());
        breaks.dedup();
        breaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, uris: &[&str]) -> String {
        let link = |uri: &&str| PdfLink {
            uri: (*uri).to_owned(),
            kind: LinkKind::Uri,
            rectangle: None,
            label: None,
        };
        let links: Vec<PdfLink> = uris.iter().map(link).collect();
        let layout = Layout::of_text(text);
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
    fn marks_join_lines_without_a_link() {
        assert_eq!(
            with("http://a.\u{2190}-\nexample/\u{2190}\nb c \u{2190}\nd", &[]),
            "http://a.example/b c \u{2190}\nd"
        );
    }
}
