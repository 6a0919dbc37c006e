//! Names of a document and the references to them.

use std::borrow::Cow;

use memchr::memmem;

use super::names;
use super::reader::RstReader;
use crate::document::{Event, NameSpace, Scope};
use crate::hash::{HashMap, HashSet};
use crate::slice::{SliceExt as _, lossy};
use crate::span::Span;

/// The names of a document, and references to be resolved at its end.
#[derive(Default)]
pub(super) struct RstReferences {
    /// Destinations by normalized name; `None` for names within the document.
    pub targets: HashMap<String, Option<Span>>,
    pending: Vec<PendingReference>,
    /// Names of substitutions that the document defines.
    pub substitutions: HashSet<String>,
    /// References to substitutions, as written, with their spans.
    pub substituted: Vec<(String, Span)>,
    /// References to footnotes and citations by label, with their spans.
    pub notes: Vec<(String, Span)>,
    /// Texts of anonymous references, and destinations for them, each in order.
    pub anonymous: (Vec<LinkText>, Vec<Span>),
    /// Names of targets without a value, which share the next destination: `.. _a:` above `.. _b:
    /// uri`.
    pub chained: Vec<String>,
}

struct PendingReference {
    name: String,
    text: LinkText,
    whole: Span,
}

/// The text of a link whose destination is not known yet.
pub(super) struct LinkText {
    /// Its span in the text around all tables.
    span: Span,
    /// The text, if it is in a cell. Otherwise it is not stored, because the span has it.
    text: Option<Box<str>>,
}

impl RstReader<'_, '_> {
    /// Records the destination of a name; the first one wins.
    pub(super) fn define_quietly(&mut self, name: &str, destination: Span) {
        self.references.targets.entry(names::normalized(name)).or_insert(Some(destination));
    }

    pub(super) fn refer(&mut self, name: Span, whole: Span) {
        if self.wants.all_events() {
            let text = self.link_text(self.embedded_text(name));
            let name = names::written(self.bytes.part(name.range()));
            let whole = self.outside(whole);
            self.references.pending.push(PendingReference { name, text, whole });
        }
    }

    /// Returns the span of a name without backquotes.
    pub(super) fn embedded_text(&self, name: Span) -> Span {
        let is_quoted = self.bytes.get(name.start()) == Some(&b'`') && name.len() > 1;
        if is_quoted { Span::new(name.start() + 1, name.end() - 1) } else { name }
    }

    /// Maps a span of the text of a cell to the text around the table.
    pub(super) fn outside(&self, span: Span) -> Span {
        self.cell.map_or(span, |map| map.source(span))
    }

    fn link_text(&self, span: Span) -> LinkText {
        let span = self.trimmed(span);
        let text = self.cell.map(|_| lossy(self.bytes.part(span.range())).into());
        LinkText { span: self.outside(span), text }
    }

    pub(super) fn refer_anonymous(&mut self, text: Span) {
        if self.wants.all_events() {
            let text = self.link_text(text);
            self.references.anonymous.0.push(text);
        }
    }

    /// Reports the name of a document. A colon stands after the name of another project
    /// (`sphinx.ext.intersphinx`).
    pub(super) fn refer_to_document(&mut self, name: Span) {
        let space = if self.bytes.part(name.range()).contains(&b':') {
            NameSpace::OtherProject
        } else {
            NameSpace::Document
        };
        self.refer_to(name, space);
    }

    /// Reports a name that the project or another one has.
    pub(super) fn refer_to(&mut self, name: Span, space: NameSpace) {
        let name = self.trimmed(name);
        let bytes = self.bytes.part(name.range());
        if self.wants.all_events() && !bytes.is_empty() {
            let span = self.source.span(name);
            let (name, scope) = (lossy(bytes), Scope::Project);
            self.sink.note(&Event::Refer { space, name: &name, scope, span });
        }
    }

    pub(super) fn refer_to_substitution(&mut self, name: Span, whole: Span) {
        let name = names::written(self.bytes.part(name.range()));
        let whole = self.outside(whole);
        self.references.substituted.push((name, whole));
    }

    /// Reports the term of a glossary.
    pub(super) fn refer_to_term(&mut self, name: Span, whole: Span) {
        if self.wants.all_events() {
            let span = self.source.span(whole);
            let name = names::written(self.bytes.part(name.range()));
            let (space, scope) = (NameSpace::Term, Scope::Project);
            self.sink.note(&Event::Refer { space, name: &name, scope, span });
        }
    }

    pub(super) fn refer_in_project(&mut self, name: Span, whole: Span) {
        if self.wants.all_events() {
            let span = self.source.span(whole);
            let name = names::written(self.bytes.part(name.range()));
            let (space, scope) = (NameSpace::Label, Scope::Project);
            self.sink.note(&Event::Refer { space, name: &name, scope, span });
        }
    }

    /// Resolves references, and reports those that are undefined.
    pub(super) fn finish(&mut self) {
        // The first anonymous reference leads to the first anonymous target, and so on.
        let (texts, destinations) = std::mem::take(&mut self.references.anonymous);
        // Included text may have more targets.
        let is_complete = memmem::find(self.bytes, b"include::").is_none();
        for (index, text) in texts.iter().enumerate() {
            match destinations.get(index) {
                Some(&destination) => self.label_later(text, destination),
                None if is_complete && !text.span.is_empty() => {
                    let name = lossy(self.bytes.part(text.span.range()));
                    let span = self.source.span(text.span);
                    let (space, scope) = (NameSpace::Label, Scope::Document);
                    self.sink.note(&Event::Refer { space, name: &name, scope, span });
                }
                None => {}
            }
        }
        for (name, whole) in std::mem::take(&mut self.references.substituted) {
            // Included text may have the definition.
            if !self.references.substitutions.contains(&names::normalized(&name)) {
                let span = self.source.span(whole);
                let (space, scope) = (NameSpace::Substitution, Scope::Document);
                self.sink.note(&Event::Refer { space, name: &name, scope, span });
            }
        }
        for (label, whole) in std::mem::take(&mut self.references.notes) {
            if !self.has_note(&label) {
                let span = self.source.span(whole);
                let (space, scope) = (NameSpace::Note, Scope::Document);
                self.sink.note(&Event::Refer { space, name: &label, scope, span });
            }
        }
        for reference in std::mem::take(&mut self.references.pending) {
            match self.references.targets.get(&names::normalized(&reference.name)).copied() {
                Some(Some(destination)) => self.label_later(&reference.text, destination),
                Some(None) => {
                    let span = self.source.span(reference.text.span);
                    let (space, scope) = (NameSpace::Title, Scope::Document);
                    let name = &reference.name;
                    self.sink.note(&Event::Refer { space, name, scope, span });
                }
                None => {
                    let span = self.source.span(reference.whole);
                    let (space, scope) = (NameSpace::Label, Scope::Document);
                    let name = &reference.name;
                    self.sink.note(&Event::Refer { space, name, scope, span });
                }
            }
        }
    }

    /// True if the document has a footnote or citation with this label. One without a label gets a
    /// number, which other references may name (reStructuredText, "Auto-Numbered Footnotes").
    fn has_note(&self, label: &str) -> bool {
        let targets = &self.references.targets;
        let is_number = label.bytes().all(|byte| byte.is_ascii_digit());
        targets.contains_key(&names::normalized(label)) || is_number && targets.contains_key("#")
    }

    /// Emits the text of a link, once its destination is known.
    fn label_later(&mut self, text: &LinkText, destination: Span) {
        if text.span.is_empty() {
            return;
        }
        let label = match &text.text {
            Some(text) => Cow::Borrowed(&**text),
            None => lossy(self.bytes.part(text.span.range())),
        };
        let span = self.source.span(text.span);
        self.sink.note(&Event::Label { text: &label, destination, span, stream: None });
    }
}
