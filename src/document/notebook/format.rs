//! Notebooks as a row of the format table.

use std::ops::ControlFlow;

use super::reader::NotebookReader;
use crate::document::anchors::{Anchors, Outline, Slugs};
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use crate::document::json::detect::{self, JsonStart};
use crate::document::markdown::slug::SlugRule;
use crate::document::name_set::NameSet;
use crate::document::{EventSink, Format, Source};
use crate::finder::Rest;

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

    fn first_bytes(&self) -> &'static [u8] {
        b"{"
    }

    /// Recognizes a notebook by the type of its first cell (nbformat 4, "Notebook file format").
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        detect::sniff(head, rest, b'{', |pointer, piece| match (pointer, piece) {
            ("/cells/0/cell_type", JsonStart::Value(kind)) => {
                Some([&b"markdown"[..], b"code", b"raw"].contains(&kind))
            }
            ("" | "/cells" | "/metadata" | "/nbformat" | "/nbformat_minor", _) => None,
            _ if pointer.starts_with("/cells/0") || pointer.starts_with("/metadata/") => None,
            _ => Some(false),
        })
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

    fn heading_names(
        &self,
        outline: &Outline<'_>,
        slugs: Slugs,
        add: &mut dyn FnMut(usize, String),
    ) {
        let headings = || outline.headings.iter().copied();
        Anchors::heading_slugs(outline, add);
        if slugs == Slugs::Pandoc {
            let ids = SlugRule::Pandoc.anchors(headings());
            ids.enumerate().for_each(|(index, id)| add(index, id));
        }
        let ids = headings().map(|heading| heading.trim().replace(' ', "-"));
        ids.enumerate().for_each(|(index, id)| add(index, id));
    }

    /// Returns the names in cells, and the ids that Jupyter, forges, and Quarto make of headings.
    fn anchors(&self, outline: Outline<'_>, slugs: Slugs) -> Anchors {
        let mut names: NameSet = outline.names.iter().copied().collect();
        self.heading_names(&outline, slugs, &mut |_, name| names.insert(&name));
        Anchors::fixed(names, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;

    #[test]
    fn notebooks_are_told_by_their_first_cell() {
        let sniff = |text: &str| Notebook.sniff(text.as_bytes(), Rest::End);
        for text in [
            r#"{"cells":[{"cell_type":"markdown","source":[]}]}"#,
            r#"{"metadata":{"kernelspec":{"name":"x"}},"nbformat":4, "cells": [{"source":"a","cell_type":"code"}]}"#,
        ] {
            assert_eq!(sniff(text), Sniff::Yes, "{text}");
        }
        for text in
            [r#"{"cells":[1]}"#, r#"{"cells":[{"cell_type":"b"}]}"#, r#"{"name":"x"}"#, "[]"]
        {
            assert_ne!(sniff(text), Sniff::Yes, "{text}");
        }
    }

    #[test]
    fn ids_of_headings_have_hyphens() {
        let cell = br##"{"cells":[{"cell_type":"markdown","source":["# Sorted and Unsorted"]}],"nbformat":4}"##;
        let anchors = Anchors::read(Format::named("notebook").unwrap(), cell, Slugs::Github);
        assert!(anchors.contains("Sorted-and-Unsorted") && anchors.contains("sorted-and-unsorted"));
        // It is not an id, and was suggested for a link with a wrong letter.
        assert!(!anchors.contains("Sorted and Unsorted"));
    }
}
