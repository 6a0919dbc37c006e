//! Notes, headers, and properties of the document: texts written within another one that are not
//! part of it.

use std::mem::{replace, take};
use std::ops::ControlFlow;

use super::reader::{FieldDestination, GroupKind, RtfField, RtfReader};
use crate::document::{Part, Place, Role};
use crate::offset_map::DerivedText;

/// Name of the properties of the document.
pub(super) const INFORMATION: &str = "info";

/// The text around a note, a header, or a property of the document, which continues after it.
pub(super) struct OuterText {
    text: DerivedText,
    fields: Vec<RtfField>,
    links: Vec<FieldDestination>,
    story: &'static str,
}

/// A paragraph of a note or a header, emitted after the paragraph around it.
pub(super) struct ApartText {
    pub text: DerivedText,
    pub links: Vec<FieldDestination>,
    pub story: &'static str,
}

impl RtfReader<'_, '_> {
    /// Starts the text of a destination that is not part of the text around it.
    pub(super) fn start_apart(&mut self, story: &'static str) {
        let group = self.groups.last_mut().filter(|_| self.too_deep == 0 && !self.is_html);
        let Some(group) = group.filter(|group| !group.is_apart) else { return };
        group.is_apart = true;
        group.kind = GroupKind::Text;
        self.outer.push(OuterText {
            text: take(&mut self.text),
            fields: take(&mut self.fields),
            links: take(&mut self.links),
            story: replace(&mut self.story, story),
        });
    }

    /// Ends such a text, and continues the text around it.
    pub(super) fn end_apart(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        self.keep_apart();
        // A field ends with its group, and readers don't show the rest of it.
        let open = replace(&mut self.fields, outer.fields);
        self.hidden.extend(open.into_iter().map(|field| field.instruction));
        self.text = outer.text;
        self.links = outer.links;
        self.story = outer.story;
    }

    /// Keeps a paragraph of such a text until the paragraph around it has ended.
    pub(super) fn keep_apart(&mut self) {
        let text = take(&mut self.text);
        let links = take(&mut self.links);
        self.apart.push(ApartText { text, links, story: self.story });
    }

    /// Emits the texts that were within a paragraph, but are not part of it.
    pub(super) fn emit_apart(&mut self) -> ControlFlow<()> {
        let apart = take(&mut self.apart);
        apart.iter().try_for_each(|apart| self.emit_paragraph(apart))
    }

    /// Emits a paragraph, and then its links: their instructions are within the text.
    pub(super) fn emit_paragraph(&mut self, paragraph: &ApartText) -> ControlFlow<()> {
        let ApartText { text, links, story } = paragraph;
        let place = Place::Paragraph { story: (*story).into(), number: self.paragraph };
        if text.text().trim_ascii().len() > 4 {
            let role = if *story == INFORMATION { Role::Metadata } else { Role::Text };
            let part = Part::of_text(text.text(), self.source.layers(text.map()), role);
            self.sink.part(&Part { place: Some(&place), ..part })?;
        }
        links.iter().try_for_each(|link| self.emit_link(link, text, &place))
    }
}
