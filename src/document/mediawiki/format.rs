//! MediaWiki text as a row of the format table.

use std::ops::ControlFlow;

use super::reader::MediaWikiReader;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{CommentStyle, DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Source};

/// MediaWiki text.
pub(in crate::document) struct MediaWiki;

impl DocumentFormat for MediaWiki {
    fn name(&self) -> &'static str {
        "mediawiki"
    }

    fn title(&self) -> &'static str {
        "MediaWiki text"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["mediawiki", "wiki", "wikitext"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/x-wiki", "text/mediawiki"]
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::TEXT_MARKUP
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Html
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        MediaWikiReader::new(source, sink).read()
    }

    fn heading_names(&self, outline: &Outline<'_>, _: Slugs, add: &mut dyn FnMut(usize, String)) {
        Anchors::heading_slugs(outline, add);
    }

    /// Returns the names in the text, and the slugs that GitHub makes of headings.
    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        Anchors::with_slugs(&outline)
    }
}
