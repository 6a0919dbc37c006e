//! Notebooks as a row of the format table.

use std::ops::ControlFlow;

use super::reader::NotebookReader;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits};
use crate::document::{EventSink, Format, Source};

/// Jupyter notebooks.
pub(in crate::document) struct Notebook;

impl DocumentFormat for Notebook {
    fn name(&self) -> &'static str {
        "notebook"
    }

    fn title(&self) -> &'static str {
        "Jupyter notebooks"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ipynb"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/x-ipynb+json"]
    }

    fn limits(&self) -> FormatLimits {
        // Pictures in outputs make notebooks large, but only one cell at a time is parsed.
        FormatLimits {
            largest: 64 << 20,
            largest_audited: 64 << 20,
            memory_factor: 8,
            light: Format::LARGEST,
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Source
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        NotebookReader::new(source, sink).read()
    }

    /// Returns the names in cells, and the ids that Jupyter and forges make of headings.
    fn anchors(&self, outline: Outline<'_>, _: Slugs) -> Anchors {
        let mut names = Anchors::names_and_slugs(&outline);
        for heading in &outline.headings {
            names.insert(&heading.trim().replace(' ', "-"));
        }
        Anchors::fixed(names, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;

    #[test]
    fn ids_of_headings_have_hyphens() {
        let cell = br##"{"cells":[{"cell_type":"markdown","source":["# Sorted and Unsorted"]}],"nbformat":4}"##;
        let anchors = Anchors::read(Format::named("notebook").unwrap(), cell, Slugs::Github);
        assert!(anchors.contains("Sorted-and-Unsorted") && anchors.contains("sorted-and-unsorted"));
        // It is no id, and was suggested for a link with a wrong letter.
        assert!(!anchors.contains("Sorted and Unsorted"));
    }
}
