//! One document, read once into what the checks look at: [`Facts`].
//!
//! Facts own what they hold, since the text of a part goes with its part, and hold it in few pieces, since those of many
//! documents may wait for their turn. A URI of running text is a
//! link too, unless the text is that of a link which says where it leads; in code and comments
//! there are none.

mod code;
mod link;
mod reader;

pub use link::{Link, LinkKind, ParsedLink};
pub(super) use reader::read;

use self::link::LinkList;
use crate::Span;
use crate::audit::{Anchors, Slugs};
use crate::document::{Format, Outline, Scope, SharedText};
use crate::text_list::TextList;

/// What the checks look at in a document; [`read`](super::read) makes it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    format: Option<Format>,
    base: Option<SpannedText>,
    links: LinkList,
    labels: TextList<KeptLabel>,
    names: TextList<Span>,
    headings: TextList<(u8, Span)>,
    definitions: Vec<LabelDefinition>,
    undefined: Vec<UndefinedLabel>,
    comments: Vec<SpannedText>,
    /// Where a page of HTML leads at once.
    redirect: Option<String>,
    /// The text of a source, kept so that anchors that only its processors see can be found lazily.
    source_text: SharedText,
    /// The address that the front matter of Markdown gives to its page: each link may ask for it.
    address: Option<String>,
    /// True for HTML that starts with what a template engine reads.
    is_template: bool,
}

/// The text of a link.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Label<'f> {
    /// The text without markup.
    pub text: &'f str,
    /// Where it is.
    pub span: Span,
    /// What is seen of it.
    pub kind: LabelKind,
    /// Its link, as an index into [`Facts::links`]; `None` when its destination is empty.
    pub link: Option<usize>,
}

/// What is known of a label besides its text.
#[derive(Clone, Debug)]
struct KeptLabel {
    span: Span,
    kind: LabelKind,
    link: Option<u32>,
}

/// What is seen of the text of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// The text.
    Text,
    /// An image, whose alternative text is in the label.
    Image,
}

/// A name, a reference or a comment without its delimiters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SpannedText {
    /// The text.
    pub text: String,
    /// Where the text is.
    pub span: Span,
}

/// A heading.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Heading<'f> {
    /// 1 to 6.
    pub level: u8,
    /// Its text without markup.
    pub text: &'f str,
    /// Where it is.
    pub span: Span,
}

/// A link reference definition of Markdown.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LabelDefinition {
    /// Its label, as it is written.
    pub label: String,
    /// What follows the `]:`, as it is written.
    pub value: String,
    /// Where the whole definition is.
    pub span: Span,
}

/// A reference of Markdown whose label nothing defines.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UndefinedLabel {
    /// Its label, as it is written.
    pub label: String,
    /// Where it would have to be defined; in the project, other documents may define it.
    pub scope: Scope,
    /// The whole reference, as it is written.
    pub written: String,
    /// Where the whole reference is.
    pub span: Span,
}

impl Facts {
    /// The format of the document; `None` is plain text.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The reference of the first `<base href>`.
    pub fn base(&self) -> Option<&SpannedText> {
        self.base.as_ref()
    }

    /// The links, in the order of the document.
    pub fn links(&self) -> impl ExactSizeIterator<Item = Link<'_>> + Clone {
        self.links.iter()
    }

    /// The link at an index, as a [`Label`] has it.
    ///
    /// ```
    /// use urigrep::{Finder, audit, document::Format};
    /// let facts = audit::read(Format::named("html"), b"<a href=b>c</a>", &Finder::new());
    /// let label = facts.labels().next().unwrap();
    /// assert_eq!(facts.link(label.link.unwrap()).unwrap().written, "b");
    /// ```
    pub fn link(&self, index: usize) -> Option<Link<'_>> {
        self.links.get(index)
    }

    /// The texts of links. Of reference links there may be many to one destination.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Label<'_>> + Clone {
        self.labels.iter().map(|(text, kept)| kept.label(text))
    }

    /// The text at an index, as a [`Link`] has it.
    pub fn label(&self, index: usize) -> Option<Label<'_>> {
        self.labels.get(index).map(|(text, kept)| kept.label(text))
    }

    /// The names that the document gives to places in it, and where they are.
    ///
    /// ```
    /// use urigrep::{Finder, audit, document::Format};
    /// let facts = audit::read(Format::named("html"), b"<p id=a><p id=bc>", &Finder::new());
    /// let names: Vec<&str> = facts.names().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["a", "bc"]);
    /// ```
    pub fn names(&self) -> impl ExactSizeIterator<Item = (&str, Span)> {
        self.names.iter().map(|(name, &span)| (name, span))
    }

    /// The headings.
    pub fn headings(&self) -> impl ExactSizeIterator<Item = Heading<'_>> + Clone {
        self.headings.iter().map(|(text, &(level, span))| Heading { level, text, span })
    }

    /// The definitions, all of them.
    pub fn definitions(&self) -> &[LabelDefinition] {
        &self.definitions
    }

    /// The references that nothing defines.
    pub fn undefined(&self) -> &[UndefinedLabel] {
        &self.undefined
    }

    /// The comments.
    ///
    /// ```
    /// use urigrep::{Finder, audit, document::Format};
    /// let facts = audit::read(Format::named("html"), b"<!-- urigrep: off -->", &Finder::new());
    /// assert_eq!(facts.comments()[0].text.trim(), "urigrep: off");
    /// ```
    pub fn comments(&self) -> &[SpannedText] {
        &self.comments
    }

    /// How many bytes of its text it holds.
    pub(super) fn kept_text(&self) -> usize {
        self.source_text.len()
    }

    /// True for an anchor of attribute lists that is written as a link without text: `[](){#a}`.
    pub(super) fn is_anchor(&self, label: &Label<'_>) -> bool {
        let after = self.source_text.get(label.span.end()..).unwrap_or_default();
        label.text.trim().is_empty()
            && [&b"](){#"[..], b"](){:"].iter().any(|it| after.starts_with(it))
    }

    /// True for HTML of which a template engine makes pages.
    pub(super) fn is_template(&self) -> bool {
        self.is_template
    }

    pub(super) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Gives back the memory that it does not need.
    pub(super) fn shrink(&mut self) {
        self.links.shrink();
        self.labels.shrink();
        self.names.shrink();
        self.headings.shrink();
    }

    /// Where fragments can lead in the document.
    pub fn anchors(&self, slugs: Slugs) -> Anchors {
        let outline = Outline {
            names: self.names.iter().map(|(name, _)| name).collect(),
            headings: self.headings.iter().map(|(text, _)| text).collect(),
            redirect: self.redirect.clone(),
            text: &|| self.source_text.clone(),
        };
        match self.format {
            Some(format) => format.anchors(outline, slugs),
            None => Anchors::named(outline),
        }
    }
}

impl KeptLabel {
    fn label<'f>(&self, text: &'f str) -> Label<'f> {
        let link = self.link.map(|link| link as usize);
        Label { text, span: self.span, kind: self.kind, link }
    }
}
