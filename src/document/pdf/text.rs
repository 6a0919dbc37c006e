//! Lays out the text of a page from its glyphs, and joins links with it.

use std::ops::ControlFlow;

use hayro_syntax::object::Rect;
use memchr::memmem;

use super::glyphs::Glyph;
use super::links::PdfLink;
use super::{Line, give_lines};
use crate::document::{EventSink, Part, Place, Role, Stream};
use crate::offset_map::{DerivedText, Layers, RunOrigin};
use crate::slice::SliceExt as _;
use crate::span::Span;

/// A change of the baseline by more than this part of the size starts a line.
const LINE: f32 = 0.5;
/// A step back by more than this part of the size starts a line.
const BACK: f32 = 1.5;
/// A gap of more than this part of the size is a space.
const GAP: f32 = 0.17;
/// Links of a page that are looked for in its text.
const MOST_JOINED: usize = 500;
/// Glyphs that are looked at for the labels of a page.
const MOST_LABEL_STEPS: usize = 100_000_000;
/// Annotations of one link, on as many lines.
const MOST_PIECES: usize = 16;
/// Longest label of a link.
const LONGEST_LABEL: usize = 512;

/// Emits the text and the links of a page.
pub(super) fn give_page(
    number: u32,
    glyphs: &[Glyph],
    links: &[PdfLink],
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let place = Place::Page(number);
    let text = laid_out(glyphs);
    let joined = joined(text.as_bytes(), links);
    let name = format!("page {number}");
    let stream = Stream::extracted(&name, text.as_bytes());
    if text.trim().len() > 4 {
        let part = Part::of_text(joined.text(), Layers::new(joined.map()), Role::Text);
        sink.part(&Part { place: Some(&place), stream: Some(&stream), ..part })?;
    }
    let labels = labels(glyphs, links);
    let lines: Vec<Line> = links
        .iter()
        .zip(labels)
        .map(|(link, label)| Line {
            text: link.uri.clone(),
            label,
            kind: (Role::Destination, Some("link")),
            content: link.content(),
        })
        .collect();
    give_lines(&format!("page {number} links"), Some(&place), &lines, sink)
}

/// Returns the text of glyphs, with spaces and line ends where they are apart.
fn laid_out<'g>(glyphs: impl IntoIterator<Item = &'g Glyph>) -> String {
    let mut text = String::new();
    let mut last: Option<&Glyph> = None;
    for glyph in glyphs {
        if let Some(last) = last {
            let size = last.size.max(glyph.size).max(0.1);
            let gap = glyph.along - (last.along + last.width);
            if (glyph.across - last.across).abs() > LINE * size || gap < -BACK * size {
                text.push('\n');
            } else if gap > GAP * size && !text.ends_with([' ', '\n']) && !glyph.text.is_space() {
                text.push(' ');
            }
        }
        text.extend(glyph.text.chars());
        last = Some(glyph);
    }
    text
}

/// Returns the texts of links.
///
/// A link that is broken over lines has an annotation on each. They follow one another, and all of
/// them get the whole text.
fn labels(glyphs: &[Glyph], links: &[PdfLink]) -> Vec<Option<String>> {
    let mut labels = Vec::with_capacity(links.len());
    // Each label is looked for among all glyphs.
    let mut left = MOST_LABEL_STEPS / (glyphs.len() + 1);
    for pieces in links.chunk_by(|first, second| first.uri == second.uri) {
        left = left.saturating_sub(pieces.len());
        if left == 0 {
            labels.extend(pieces.iter().map(|_| None));
            continue;
        }
        let texts = pieces.iter().filter_map(|link| label(glyphs, link.rectangle?));
        let whole = texts.take(MOST_PIECES).reduce(|whole, text| {
            let joined = format!("{whole}{text}");
            // What a reader sees of a URI may lack the scheme.
            match pieces.first().is_some_and(|link| link.uri.contains(&joined)) {
                true => joined,
                false => format!("{whole} {text}"),
            }
        });
        labels.extend(pieces.iter().map(|_| whole.clone()));
    }
    labels
}

/// Returns the text in the rectangle of a link.
fn label(glyphs: &[Glyph], rectangle: Rect) -> Option<String> {
    let [x0, y0, x1, y1] =
        [rectangle.x0, rectangle.y0, rectangle.x1, rectangle.y1].map(|it| it as f32);
    let is_inside = |glyph: &&Glyph| {
        let (x, y) = (glyph.x + glyph.width / 2., glyph.y + glyph.size / 4.);
        x >= x0 && x <= x1 && y >= y0 && y <= y1
    };
    let text = laid_out(glyphs.iter().filter(is_inside).take(LONGEST_LABEL));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// Returns the text without the line ends inside of URIs that a link of the page confirms.
///
/// The finder cannot tell whether a URI goes on in the next line. A link to the same URI can.
fn joined(text: &[u8], links: &[PdfLink]) -> DerivedText {
    let mut compact = Vec::with_capacity(text.len());
    let mut origins = Vec::with_capacity(text.len());
    for (at, &byte) in text.iter().enumerate() {
        if byte != b'\n' {
            compact.push(byte);
            origins.push(at);
        }
    }
    let mut removed = Vec::new();
    let mut uris: Vec<&str> = links.iter().map(|link| link.uri.as_str()).collect();
    uris.sort_unstable();
    uris.dedup();
    // What a reader sees may lack the slash at the end.
    for uri in uris.into_iter().take(MOST_JOINED) {
        let uri = uri.trim_end_matches('/').as_bytes();
        if uri.len() < 10 {
            continue;
        }
        for found in memmem::find_iter(&compact, uri) {
            let inside = origins.part(found..found + uri.len());
            for pair in inside.windows(2) {
                if let [before, after] = *pair {
                    removed.extend(before + 1..after);
                }
            }
        }
    }
    removed.sort_unstable();
    removed.dedup();
    let mut joined = DerivedText::default();
    let mut done = 0;
    for at in removed {
        joined.copy(text.part(done..at), done);
        joined.replace(b"", Span::new(at, at + 1), RunOrigin::Joined);
        done = at + 1;
    }
    joined.copy(text.clamped(done..), done);
    joined
}

#[cfg(test)]
mod tests {
    use super::super::links::LinkKind;
    use super::*;

    fn link(uri: &str) -> PdfLink {
        let kind = LinkKind::Uri;
        PdfLink { uri: uri.to_owned(), kind, rectangle: None, label: None }
    }

    #[test]
    fn only_confirmed_uris_are_joined() {
        let text = b"see http://a.example/long-\npath/x\nand http://b.example/\nnext";
        let with =
            |links: &[PdfLink]| String::from_utf8_lossy(joined(text, links).text()).into_owned();
        assert_eq!(
            with(&[link("http://a.example/long-path/x")]),
            "see http://a.example/long-path/x\nand http://b.example/\nnext"
        );
        assert_eq!(with(&[link("http://b.example/")]).as_bytes(), text);
    }
}
