//! The facts of one document that the checks examine, read once: [`Facts`].
//!
//! Facts own their text, because the text of a part lives only as long as the part. They hold it in
//! few allocations, because the facts of many documents may wait to be audited. A URI in text
//! counts as a link, unless the text belongs to a link with that destination. Code and comments
//! have no links.

mod anchor_places;
mod code;
mod extracted;
mod front_matter;
mod link;
pub(super) mod menu;
mod menu_ids;
mod page_names;
mod program_links;
mod reader;
pub(super) mod topics;

pub use anchor_places::AnchorPlaces;
pub(super) use extracted::extract;
pub use link::{Link, LinkKind, ParsedLink};
pub(super) use reader::{is_of_page, read};

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;

use self::link::LinkList;
use crate::audit::finding::is_among;
use crate::audit::{Anchors, Slugs};
use crate::document::{Content, Format, NameSpace, Outline, Part, Scope, SharedText};
use crate::offset_map::Layers;
use crate::text_list::TextList;
use crate::{Finder, Span};

/// The facts of a document that the checks look at; [`read`](super::read) returns them.
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
    /// References to headings and targets by name.
    title_references: Vec<SpannedText>,
    /// Texts of `[[wikilinks]]`.
    wikilinks: Vec<SpannedText>,
    /// Destinations whose spaces make them plain text.
    malformed: Vec<SpannedText>,
    /// What was not read of the document itself. Messages tell it with their files.
    unread: Vec<String>,
    /// Globs of documents in a `toctree`.
    document_globs: Vec<String>,
    comments: Vec<SpannedText>,
    /// Immediate redirect of a page of HTML.
    redirect: Option<String>,
    /// Text of a source, kept so that processor-specific anchors can be found lazily.
    source_text: SharedText,
    /// Blocks of AsciiDoc that depend on attributes, found when a check needs them.
    conditional_blocks: OnceLock<Vec<Range<usize>>>,
    /// Whether it has a table of contributors, once a check asked for it.
    has_contributors: OnceLock<bool>,
    /// The address that front matter gives to the page. Stored because every link may need it.
    address: Option<String>,
    /// True for HTML that starts with the syntax of a template engine.
    is_template: bool,
    /// True if front matter describes the page that a site makes of the document.
    is_of_page: bool,
    /// True for HTML with a document type or the element `html`.
    is_whole_page: bool,
}

/// The text of a link.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Label<'f> {
    /// The text without markup.
    pub text: &'f str,
    /// Its span in the document.
    pub span: Span,
    /// Kind of its content.
    pub kind: LabelKind,
    /// Index of its link in [`Facts::links`]; `None` if the destination is empty.
    pub link: Option<usize>,
}

/// Properties of a label besides its text.
#[derive(Clone, Debug)]
struct KeptLabel {
    span: Span,
    kind: LabelKind,
    link: Option<u32>,
}

/// Kind of the content of a link's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// Text.
    Text,
    /// An image; the label has its alternative text.
    Image,
}

/// A name, reference, or comment, without delimiters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SpannedText {
    /// The text.
    pub text: String,
    /// Span of the text.
    pub span: Span,
}

/// A heading.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Heading<'f> {
    /// Its level, 1 to 6.
    pub level: u8,
    /// The text without markup.
    pub text: &'f str,
    /// Its span in the document.
    pub span: Span,
}

/// A link reference definition of Markdown.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LabelDefinition {
    /// The label, as written.
    pub label: String,
    /// The text after `]:`, as written.
    pub value: String,
    /// Span of the whole definition.
    pub span: Span,
}

/// A Markdown reference to a label without a definition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UndefinedLabel {
    /// [`NameSpace::Label`], [`NameSpace::Shortcut`], [`NameSpace::Term`],
    /// [`NameSpace::Substitution`], or [`NameSpace::CrossReference`] for `@fig-a` of Quarto, which
    /// this document may define.
    pub space: NameSpace,
    /// The label, as written.
    pub label: String,
    /// Scope of the definition; with project scope, another document may define the label.
    pub scope: Scope,
    /// Span of the whole reference.
    pub span: Span,
}

impl Facts {
    /// Returns the format of the document; `None` for plain text.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the reference of the first `<base href>`.
    pub fn base(&self) -> Option<&SpannedText> {
        self.base.as_ref()
    }

    /// Returns the links, in document order.
    pub fn links(&self) -> impl ExactSizeIterator<Item = Link<'_>> + Clone {
        self.links.iter()
    }

    /// Returns the link at an index from a [`Label`].
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

    /// Returns the texts of links. Several reference links may share one destination.
    pub fn labels(&self) -> impl ExactSizeIterator<Item = Label<'_>> + Clone {
        self.labels.iter().map(|(text, kept)| kept.label(text))
    }

    /// Returns the label at an index from a [`Link`].
    pub fn label(&self, index: usize) -> Option<Label<'_>> {
        self.labels.get(index).map(|(text, kept)| kept.label(text))
    }

    /// Returns the names of anchors in the document, with their spans.
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

    /// Returns the headings.
    pub fn headings(&self) -> impl ExactSizeIterator<Item = Heading<'_>> + Clone {
        self.headings.iter().map(|(text, &(level, span))| Heading { level, text, span })
    }

    /// Returns all label definitions, duplicates included.
    pub fn definitions(&self) -> &[LabelDefinition] {
        &self.definitions
    }

    /// Returns the text of a source; for pages of HTML, none.
    pub(in crate::audit) fn source_text(&self) -> &[u8] {
        &self.source_text
    }

    /// Returns the references without a definition.
    pub fn undefined(&self) -> &[UndefinedLabel] {
        &self.undefined
    }

    /// Returns the references to headings and targets of the document by name, such as `` `A b`_ ``
    /// of reStructuredText and `[[*A b]]` of Org. They have no destination, so they are not links.
    ///
    /// ```
    /// use urigrep::{Finder, audit, document::Format};
    /// let facts = audit::read(Format::named("org"), b"* A b\n[[*A b]]\n", &Finder::new());
    /// let reference = &facts.title_references()[0];
    /// assert_eq!((reference.text.as_str(), reference.span.start()), ("A b", 9));
    /// ```
    pub fn title_references(&self) -> &[SpannedText] {
        &self.title_references
    }

    /// Returns the comments.
    ///
    /// ```
    /// use urigrep::{Finder, audit, document::Format};
    /// let facts = audit::read(Format::named("html"), b"<!-- urigrep: off -->", &Finder::new());
    /// assert_eq!(facts.comments()[0].text.trim(), "urigrep: off");
    /// ```
    pub fn comments(&self) -> &[SpannedText] {
        &self.comments
    }

    /// True for a document with a table that the program all-contributors writes.
    pub(super) fn has_contributors(&self) -> bool {
        *self.has_contributors.get_or_init(|| {
            self.comments.iter().any(|comment| comment.text.contains("ALL-CONTRIBUTORS"))
        })
    }

    /// Returns what was not read of the document, for users.
    pub(super) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Returns the destinations that are plain text, because they have spaces.
    pub(super) fn malformed(&self) -> &[SpannedText] {
        &self.malformed
    }

    /// Returns the texts of `[[wikilinks]]`, which are links only in trees that use them.
    pub(super) fn wikilinks(&self) -> &[SpannedText] {
        &self.wikilinks
    }

    /// Returns the globs by which a `toctree` names documents (Sphinx, `:glob:`).
    pub(super) fn document_globs(&self) -> &[String] {
        &self.document_globs
    }

    /// Returns the number of bytes of source text that are kept.
    pub(super) fn kept_text(&self) -> usize {
        self.source_text.len()
    }

    /// Returns the facts of a document whose only link is this one, with another reference; `None`
    /// if that is not a reference.
    pub(super) fn with_reference(
        &self,
        link: &Link<'_>,
        reference: &str,
        finder: &Finder,
    ) -> Option<Self> {
        let text = reference.as_bytes();
        let part = Part {
            text,
            source: Layers::copied(0),
            role: link.role,
            content: Content::Reference,
            element: link.element,
            attribute: link.attribute,
            origin: link.origin,
            label: None,
            place: None,
            stream: None,
        };
        let finding = finder.reference(text)?;
        let mut links = LinkList::default();
        links.push(Some(&finding), link.span, text, Some(&part));
        Some(Self {
            format: self.format,
            base: self.base.clone(),
            links,
            address: self.address.clone(),
            is_template: self.is_template,
            is_of_page: self.is_of_page,
            ..Self::default()
        })
    }

    /// Returns at most this many bytes of the source text before a place in it.
    pub(super) fn text_before(&self, at: usize, most: usize) -> &[u8] {
        self.source_text.get(at.saturating_sub(most)..at).unwrap_or_default()
    }

    /// Returns the source text from a place in it.
    fn text_after(&self, at: usize) -> &[u8] {
        self.source_text.get(at..).unwrap_or_default()
    }

    /// True for an anchor in attribute-list syntax that looks like an empty link: `[](){#a}`.
    pub(super) fn is_anchor(&self, label: &Label<'_>) -> bool {
        let after = self.text_after(label.span.end());
        label.text.trim().is_empty()
            && [&b"](){#"[..], b"](){:"].iter().any(|it| after.starts_with(it))
    }

    /// True for the text of an inline link of Markdown, `[text](…)`.
    pub(super) fn is_inline_link(&self, label: &Label<'_>) -> bool {
        let after = self.text_after(label.span.end());
        after.starts_with(b"](")
    }

    /// True for a place in a block of AsciiDoc that depends on an attribute, `ifdef::env-cloud[]`
    /// to `endif::[]`, or in one of Markdown that is the text of a variable.
    pub(super) fn is_conditional(&self, span: Span) -> bool {
        let Some(format) = self.format else { return false };
        // Found once: a document may have thousands of links.
        let blocks =
            self.conditional_blocks.get_or_init(|| format.conditional_blocks(&self.source_text));
        let next = blocks.partition_point(|block| block.end <= span.start());
        blocks.get(next).is_some_and(|block| block.start <= span.start())
    }

    /// True for text in a formula, `\[ … \]`, which goldmark passes through (Hugo, "Mathematics").
    pub(super) fn is_in_formula(&self, span: Span) -> bool {
        const MAX_FORMULA_BYTES: usize = 2048;
        let before = self.text_before(span.start(), MAX_FORMULA_BYTES);
        let open = memmem::rfind(before, b"\n\\[");
        open.is_some_and(|open| memmem::rfind(before, b"\\]").is_none_or(|close| close < open))
    }

    /// True for a destination in a role `:doc:` or `{doc}`, not in a table of contents.
    pub(super) fn is_in_role(&self, destination: Span) -> bool {
        const MAX_LABEL_LENGTH: usize = 512;
        let before = self.text_before(destination.start(), MAX_LABEL_LENGTH);
        let open = memchr::memrchr(b'`', before)
            .map_or(&[][..], |open| before.get(..open).unwrap_or_default());
        open.ends_with(b"doc:") || open.ends_with(b"doc}")
    }

    /// Returns the search option after the path of a link of Org, and its span: `*Heading` of
    /// `[[file:a.org::*Heading]]` (Org, "Search Options in File Links").
    ///
    /// ```
    /// use urigrep::{Finder, audit, document::Format};
    /// let facts = audit::read(Format::named("org"), b"[[file:a.org::*B]]", &Finder::new());
    /// let link = facts.links().next().unwrap();
    /// assert_eq!(facts.search_option(&link).unwrap().text, "*B");
    /// ```
    pub fn search_option(&self, link: &Link<'_>) -> Option<SpannedText> {
        let (text, span) = self.format?.search_option(&self.source_text, link.span.end())?;
        Some(SpannedText { text, span })
    }

    /// Returns the name of the shortcode around a link, `{{< name src="a.png" >}}`.
    pub(super) fn shortcode(&self, destination: Span) -> Option<&str> {
        const MAX_SHORTCODE_BYTES: usize = 512;
        let before = self.text_before(destination.start(), MAX_SHORTCODE_BYTES);
        let open = memmem::rfind(before, b"{{")?;
        let inside = std::str::from_utf8(before.get(open + 3..)?).ok()?;
        // In a definition, `_` takes the place of each space.
        let is_filled = inside.starts_with('_')
            || !inside.contains(char::is_whitespace)
                && inside.trim_end_matches(['"', '\'']).ends_with('_');
        if is_filled {
            inside.split('_').find(|it| !it.is_empty())
        } else {
            inside.split_whitespace().next()
        }
    }

    /// True if the source starts with front matter.
    pub(super) fn has_front_matter(&self) -> bool {
        self.source_text.get(0..3).is_some_and(|start| start == b"---")
    }

    /// True if front matter describes the page that a site makes of the document.
    pub(super) fn is_of_page(&self) -> bool {
        self.is_of_page
    }

    /// True if a template engine renders blocks of the document by functions of the site, `{% tip
    /// %}` to `{% endtip %}`: each block is a separate Markdown document.
    pub(super) fn has_rendered_blocks(&self) -> bool {
        const BUILT_IN: &str = "autoescape block call capture case comment filter for form highlight if macro \
            paginate raw schema set tablerow unless verbatim with";
        memmem::find_iter(&self.source_text, b"{% end").any(|at| {
            let rest = self.text_after(at + "{% end".len());
            let length = rest.iter().take(64).take_while(|it| it.is_ascii_alphanumeric()).count();
            let name = rest.get(..length).and_then(|name| std::str::from_utf8(name).ok());
            name.is_some_and(|name| !name.is_empty() && !is_among(BUILT_IN, name))
        })
    }

    /// True for HTML that is the input of a template engine.
    pub(super) fn is_template(&self) -> bool {
        self.is_template
    }

    /// True for HTML that is a page, and not a part of one.
    pub(super) fn is_whole_page(&self) -> bool {
        self.is_whole_page
    }

    pub(super) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// Frees unused capacity.
    pub(super) fn shrink(&mut self) {
        self.links.shrink();
        self.labels.shrink();
        self.names.shrink();
        self.headings.shrink();
    }

    /// Returns the name by which links refer to a heading. In Org, it does not include statistics
    /// cookies (`[1/2]`).
    pub fn heading_name<'h>(&self, heading: &Heading<'h>) -> Cow<'h, str> {
        match self.format {
            Some(format) => format.heading_name(heading.text),
            None => Cow::Borrowed(heading.text),
        }
    }

    /// Returns the anchors that a link may name, each with its place: the names in the document,
    /// and the usual anchor of each heading.
    ///
    /// ```
    /// use urigrep::{Finder, audit, audit::Slugs, document::Format};
    /// let markdown = b"# A b\n\n<a id=c></a>\n\n# A b\n";
    /// let facts = audit::read(Format::named("markdown"), markdown, &Finder::new());
    /// let anchors = facts.placed_anchors(Slugs::Github);
    /// let names: Vec<&str> = anchors.iter().map(|(name, _)| name.as_str()).collect();
    /// assert_eq!(names, ["c", "a-b", "a-b-1"]);
    /// ```
    pub fn placed_anchors(&self, slugs: Slugs) -> Vec<(String, Span)> {
        let names = self.names().map(|(name, span)| (name.to_owned(), span));
        let text = || self.source_text.clone();
        let ids = self.format.map(|format| format.heading_ids(self.outline(&text), slugs));
        let headings = ids.unwrap_or_default().into_iter().zip(self.headings());
        names.chain(headings.map(|(id, heading)| (id, heading.span))).collect()
    }

    /// Returns the place of an anchor; `None` if the document has none of this name.
    pub fn place_of(&self, anchor: &str, slugs: Slugs) -> Option<Span> {
        self.anchor_places(slugs).get(self, anchor)
    }

    /// Returns the places of all anchors, for many calls of [`place_of`](Self::place_of).
    pub fn anchor_places(&self, slugs: Slugs) -> AnchorPlaces {
        AnchorPlaces::new(self, slugs)
    }

    /// Returns the anchors of the document.
    pub fn anchors(&self, slugs: Slugs) -> Anchors {
        let text = || self.source_text.clone();
        let outline = self.outline(&text);
        match self.format {
            Some(format) => format.anchors(outline, slugs),
            None => Anchors::named(outline),
        }
    }

    fn outline<'o>(&'o self, text: &'o dyn Fn() -> SharedText) -> Outline<'o> {
        Outline {
            names: self.names.iter().map(|(name, _)| name).collect(),
            headings: self.headings.iter().map(|(text, _)| text).collect(),
            redirect: self.redirect.clone(),
            text,
        }
    }
}

impl KeptLabel {
    fn label<'f>(&self, text: &'f str) -> Label<'f> {
        let link = self.link.map(|link| link as usize);
        Label { text, span: self.span, kind: self.kind, link }
    }
}
