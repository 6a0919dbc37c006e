//! Emits the text of a page and its links.

use std::ops::ControlFlow;

use hayro_syntax::object::Rect;

use super::glyphs::Glyph;
use super::lines::PlacedText;
use super::links::PdfLink;
use super::{ExtractedText, emit_texts, join};
use crate::document::{EventSink, Part, Place, Role, Stream};
use crate::offset_map::Layers;

/// Maximum number of glyphs that are examined for the labels of a page.
const MAX_LABEL_STEPS: usize = 100_000_000;
/// Maximum number of annotations of one link, which is broken over as many lines.
const MAX_PIECES: usize = 16;
/// Longest label of a link.
const MAX_LABEL_LENGTH: usize = 512;

/// Emits the text and the links of a page.
pub(super) fn emit_page(
    number: u32,
    glyphs: &[Glyph],
    links: &[PdfLink],
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let place = Place::Page(number);
    let layout = PlacedText::new(glyphs);
    let text = &layout.text;
    let joined = join::joined(&layout, links);
    let name = format!("page {number}");
    let stream = Stream::extracted(&name, text.as_bytes());
    if text.trim().len() > 4 {
        let part = Part::of_text(joined.text(), Layers::new(joined.map()), Role::Text);
        sink.part(&Part { place: Some(&place), stream: Some(&stream), ..part })?;
    }
    let labels = labels(glyphs, links);
    let lines: Vec<ExtractedText> = links
        .iter()
        .zip(labels)
        .map(|(link, label)| {
            let (role, element) = link.meaning();
            let kind = (role, Some(element));
            ExtractedText { text: link.uri.clone(), label, kind, content: link.content() }
        })
        .collect();
    emit_texts(&format!("page {number} links"), Some(&place), &lines, sink)
}

/// Returns the texts of links.
///
/// A link that is broken over lines has an annotation on each line. These follow one another, and
/// all of them get the whole text.
fn labels(glyphs: &[Glyph], links: &[PdfLink]) -> Vec<Option<String>> {
    let mut labels = Vec::with_capacity(links.len());
    // Each label is looked for among all glyphs.
    let mut left = MAX_LABEL_STEPS / (glyphs.len() + 1);
    for pieces in links.chunk_by(|first, second| first.uri == second.uri) {
        left = left.saturating_sub(pieces.len());
        if left == 0 {
            labels.extend(pieces.iter().map(|_| None));
            continue;
        }
        let texts = pieces.iter().filter(|link| link.meaning().0 == Role::Destination);
        let texts = texts.filter_map(|link| label(glyphs, link.rectangle?));
        let whole = texts.take(MAX_PIECES).reduce(|whole, text| {
            // The visible text of a URI may lack the scheme, and have a hyphen at the end of a
            // line.
            let starts = [whole.as_str(), whole.trim_end_matches('-')];
            let mut joined = starts.iter().map(|start| format!("{start}{text}"));
            let is_of_uri = |text: &String| pieces.iter().any(|link| link.uri.contains(text));
            joined.find(is_of_uri).unwrap_or_else(|| format!("{whole} {text}"))
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
    let layout = PlacedText::new(glyphs.iter().filter(is_inside).take(MAX_LABEL_LENGTH));
    let text = layout.text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
