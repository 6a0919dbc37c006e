//! One document, read once into what the checks look at: [`Facts`].
//!
//! Facts own what they hold, since the text of a part goes with its part. A URI of running text is a
//! link too, unless the text is that of a link which says where it leads; in code and comments
//! there are none.

mod code;
mod reader;

use std::borrow::Cow;
use std::mem::replace;
use std::sync::Arc;

pub(super) use reader::read;

use crate::audit::{Anchors, Slugs};
use crate::container::document::{Format, Role};
use crate::finder::Relative;
use crate::grammar::{UriParts, UriRef};
use crate::namespace::NssFault;
use crate::slice::{SliceExt, lossy, utf8};
use crate::{Flags, Kind, Match, Reason, Span};

/// What the checks look at in a document; [`read`](super::read) makes it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    format: Option<Format>,
    base: Option<SpannedText>,
    links: Vec<Link>,
    labels: Vec<Label>,
    names: NameList,
    headings: Vec<Heading>,
    definitions: Vec<LabelDefinition>,
    undefined: Vec<UndefinedLabel>,
    comments: Vec<SpannedText>,
    /// Where a page of HTML leads at once.
    redirect: Option<String>,
    /// The text of Markdown, in which its processors see more anchors than a reader does: looked for when somebody asks.
    markdown: MarkdownText,
    /// The address that the front matter of Markdown gives to its page: each link may ask for it.
    address: Option<String>,
    /// True for HTML that starts with what a template engine reads.
    is_template: bool,
}

/// A reference: where a link leads, or a URI in the text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Link {
    /// Where it is.
    pub span: Span,
    /// A destination, text or an attribute; code and comments have no links.
    pub role: Role,
    /// The element, as [`Part::element`](crate::container::document::Part::element) has it.
    pub element: Option<Cow<'static, str>>,
    /// The attribute, as [`Part::attribute`](crate::container::document::Part::attribute) has it.
    pub attribute: Option<Cow<'static, str>>,
    /// What is written there, entities and escapes undone.
    pub written: Arc<str>,
    /// How the finder reads it.
    pub kind: LinkKind,
    /// The first of the labels that lead here, as an index into [`Facts::labels`].
    pub label: Option<usize>,
}

/// What a finder says of a link.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LinkKind {
    /// It is a URI.
    Absolute(ParsedLink),
    /// It is a relative reference.
    Relative(ParsedLink),
    /// It is neither.
    Rejected {
        /// Why not.
        reason: Reason,
        /// The character that it founders on.
        at: Option<char>,
    },
    /// Nothing is there.
    Empty,
}

/// A reference that was understood.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParsedLink {
    /// The reference, valid under RFC 3986; mostly the text that is written there.
    pub uri: Arc<str>,
    /// What kind of thing it is.
    pub kind: Kind,
    /// What is worth knowing of it.
    pub flags: Flags,
    /// What is wrong with the name of a URN.
    pub nss_fault: Option<NssFault>,
    /// The same without the hyphens that may be the typesetter's ([`Match::alternative`]).
    pub alternative: Option<String>,
    /// Where the components are in `uri`.
    parts: UriParts,
}

impl ParsedLink {
    /// The components; nothing is parsed again.
    pub(super) fn reference(&self) -> UriRef<'_> {
        UriRef::with_parts(&self.uri, self.parts)
    }
}

/// The text of a link.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Label {
    /// The text without markup.
    pub text: String,
    /// Where it is.
    pub span: Span,
    /// What is seen of it.
    pub kind: LabelKind,
    /// Its link, as an index into [`Facts::links`]; `None` when its destination is empty.
    pub link: Option<usize>,
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its text without markup.
    pub text: String,
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
    /// The whole reference, as it is written.
    pub written: String,
    /// Where the whole reference is.
    pub span: Span,
}

/// The text of a document, of which it is known whether it is UTF-8.
#[derive(Clone, Debug)]
enum MarkdownText {
    Utf8(Arc<str>),
    Bytes(Vec<u8>),
}

impl Default for MarkdownText {
    fn default() -> Self {
        Self::Utf8(Arc::default())
    }
}

impl MarkdownText {
    fn new(bytes: &[u8]) -> Self {
        match utf8(bytes) {
            Some(text) => Self::Utf8(text.into()),
            None => Self::Bytes(bytes.to_vec()),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    fn utf8(&self) -> Option<&str> {
        match self {
            Self::Utf8(text) => Some(text),
            Self::Bytes(_) => None,
        }
    }

    fn text(&self) -> Arc<str> {
        match self {
            Self::Utf8(text) => Arc::clone(text),
            Self::Bytes(bytes) => lossy(bytes).into(),
        }
    }
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
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The texts of links. Of reference links there may be many to one destination.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The names that the document gives to places in it, and where they are.
    ///
    /// ```
    /// use urigrep::{Finder, audit, container::document::Format};
    /// let facts = audit::read(Some(Format::Html), b"<p id=a><p id=bc>", &Finder::new());
    /// let names: Vec<&str> = facts.names().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["a", "bc"]);
    /// ```
    pub fn names(&self) -> impl ExactSizeIterator<Item = (&str, Span)> {
        self.names.iter()
    }

    /// The headings.
    pub fn headings(&self) -> &[Heading] {
        &self.headings
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
    /// use urigrep::{Finder, audit, container::document::Format};
    /// let facts = audit::read(Some(Format::Html), b"<!-- urigrep: off -->", &Finder::new());
    /// assert_eq!(facts.comments()[0].text.trim(), "urigrep: off");
    /// ```
    pub fn comments(&self) -> &[SpannedText] {
        &self.comments
    }

    /// How many bytes of its text it holds.
    #[cfg(feature = "search")]
    pub(super) fn kept_text(&self) -> usize {
        self.markdown.bytes().len()
    }

    /// True for an anchor of attribute lists that is written as a link without text: `[](){#a}`.
    pub(super) fn is_anchor(&self, label: &Label) -> bool {
        let after = self.markdown.bytes().get(label.span.end()..).unwrap_or_default();
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

    /// Where fragments can lead in the document.
    pub fn anchors(&self, slugs: Slugs) -> Anchors {
        let names = self.names.iter().map(|(name, _)| name);
        match self.format {
            Some(Format::Markdown) => {
                let headings = self.headings.iter().map(|it| it.text.as_str());
                Anchors::of_markdown(self.markdown.text(), names, headings, slugs)
            }
            _ => Anchors::of_names(names, self.redirect.clone()),
        }
    }
}

/// Names in one text: a page of HTML may have hundreds, and what one thread took another gives back.
#[derive(Clone, Debug, Default)]
struct NameList {
    text: String,
    /// Where each ends in `text`, and where it is in the document.
    ends: Vec<(usize, Span)>,
}

impl NameList {
    fn push(&mut self, name: &str, span: Span) {
        self.text.push_str(name);
        self.ends.push((self.text.len(), span));
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = (&str, Span)> {
        let mut start = 0;
        self.ends
            .iter()
            .map(move |&(end, span)| (self.text.part(replace(&mut start, end)..end), span))
    }
}

/// `uri`, which shares the memory of what is `written` where that is the same.
fn shared(uri: Cow<'_, str>, written: &Arc<str>) -> Arc<str> {
    if *uri == **written { Arc::clone(written) } else { Arc::from(uri) }
}

impl ParsedLink {
    fn of_match(m: &Match<'_>, written: &Arc<str>) -> Self {
        Self {
            uri: shared(m.uri(), written),
            kind: m.kind(),
            flags: m.flags(),
            nss_fault: m.nss_fault(),
            alternative: m.alternative().map(str::to_owned),
            parts: m.parsed().parts(),
        }
    }

    fn of_relative(relative: &Relative<'_>, written: &Arc<str>) -> Self {
        let reference = relative.reference();
        Self {
            uri: shared(Cow::Borrowed(reference.as_str()), written),
            kind: relative.kind(),
            flags: relative.flags(),
            nss_fault: None,
            alternative: None,
            parts: reference.parts(),
        }
    }
}
