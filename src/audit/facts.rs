//! One document, read once into what the checks look at: [`Facts`].
//!
//! Facts own what they hold, since the text of a part goes with its part. A URI of running text is a
//! link too, unless the text is that of a link which says where it leads; in code and comments
//! there are none.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::audit::anchors;
use crate::audit::{Anchors, Slugs};
use crate::container::document::{self, Content, Format, Mark, Marks, Part, Role, Source};
use crate::finder::Relative;
use crate::grammar::{UriParts, UriRef};
use crate::namespace::NssFault;
use crate::slice::SliceExt as _;
use crate::{Finder, Finding, Flags, Kind, Match, Reason, Span};

/// What the checks look at in a document; [`read`](super::read) makes it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    format: Option<Format>,
    base: Option<SpannedText>,
    links: Vec<Link>,
    labels: Vec<Label>,
    names: Vec<SpannedText>,
    headings: Vec<Heading>,
    definitions: Vec<LabelDefinition>,
    undefined: Vec<UndefinedLabel>,
    comments: Vec<SpannedText>,
    /// Where a page of HTML leads at once.
    redirect: Option<String>,
    /// The text of Markdown, in which its processors see more anchors than a reader does: looked for when somebody asks.
    markdown: Box<[u8]>,
}

/// A reference: where a link leads, or a URI in the text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Link {
    /// Where it is.
    pub span: Span,
    /// A destination, text or an attribute; code and comments have no links.
    pub role: Role,
    /// The element, as [`Part::element`] has it.
    pub element: Option<Box<str>>,
    /// The attribute, as [`Part::attribute`] has it.
    pub attribute: Option<Box<str>>,
    /// What is written there, entities and escapes undone.
    pub written: String,
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
    /// The reference, valid under RFC 3986.
    pub uri: String,
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

    /// The names that the document gives to places in it.
    pub fn names(&self) -> &[SpannedText] {
        &self.names
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

    /// Where fragments can lead in the document.
    pub fn anchors(&self, slugs: Slugs) -> Anchors {
        let names = self.names.iter().map(|name| name.text.as_str());
        match self.format {
            Some(Format::Markdown) => {
                let headings: Vec<&str> = self.headings.iter().map(|it| it.text.as_str()).collect();
                Anchors::of_markdown(&self.markdown, names, &headings, slugs)
            }
            _ => Anchors::of_names(names, self.redirect.clone()),
        }
    }
}

pub(super) fn read(format: Option<Format>, bytes: &[u8], finder: &Finder) -> Facts {
    let mut reader = FactsReader {
        bytes,
        finder,
        destinations: Destinations::default(),
        facts: Facts { format, ..Facts::default() },
    };
    match format {
        // a reader of facts never breaks
        Some(format) => {
            let _ = format.read(Source::new(bytes), &mut reader);
            if format == Format::Markdown {
                reader.facts.markdown = bytes.into();
            }
        }
        None => {
            for finding in finder.findings(bytes) {
                reader.found(&finding, bytes, None);
            }
        }
    }
    reader.finish()
}

/// Which link has its destination where.
#[derive(Default)]
struct Destinations {
    all: Vec<(Span, usize)>,
    /// So many of them are in the index, for those who look for one far back.
    indexed: usize,
    by_span: HashMap<Span, usize>,
}

impl Destinations {
    fn add(&mut self, span: Span, link: usize) {
        self.all.push((span, link));
    }

    fn link_at(&mut self, span: Span) -> Option<usize> {
        // In HTML and of inline links, a text soon follows its destination.
        let mut last = self.all.iter().rev().take(4);
        if let Some(&(_, link)) = last.find(|(destination, _)| *destination == span) {
            return Some(link);
        }
        self.by_span.extend(self.all.iter().skip(self.indexed).copied());
        self.indexed = self.all.len();
        self.by_span.get(&span).copied()
    }
}

/// True for a text that holds an image of Markdown or HTML.
fn has_image(source: &[u8]) -> bool {
    memchr::memchr2_iter(b'!', b'<', source).any(|at| {
        let rest = source.clamped(at..);
        [&b"!["[..], b"<img", b"<IMG"].iter().any(|start| rest.starts_with(start))
    })
}

struct FactsReader<'r> {
    bytes: &'r [u8],
    finder: &'r Finder,
    destinations: Destinations,
    facts: Facts,
}

impl FactsReader<'_> {
    fn found(&mut self, finding: &Finding<'_>, text: &[u8], part: Option<&Part<'_>>) {
        // What is no URI is just text.
        if !matches!(finding, Finding::Rejected(_)) {
            self.link(Some(finding), text, part);
        }
    }

    fn link(&mut self, finding: Option<&Finding<'_>>, text: &[u8], part: Option<&Part<'_>>) {
        let within = finding.map_or(Span::new(0, text.len()), Finding::span);
        let span = part.map_or(within, |part| part.source.source(within));
        let written = text.get(within.range()).unwrap_or_default();
        let boxed = |name: Option<&str>| name.map(Box::from);
        self.facts.links.push(Link {
            span,
            // a bare URI in Markdown is a link to its readers, but its author did not make it one
            role: part.map_or(Role::Text, |part| part.role),
            element: boxed(part.and_then(|part| part.element)),
            attribute: boxed(part.and_then(|part| part.attribute)),
            written: String::from_utf8_lossy(written).into_owned(),
            kind: finding.map_or(LinkKind::Empty, link_kind),
            label: None,
        });
    }

    /// True when a word, or a bracket that closes, is right before it.
    fn is_glued(&self, span: Span) -> bool {
        let before = span.start().checked_sub(1).and_then(|at| self.bytes.get(at));
        before
            .is_some_and(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b']' | b')'))
    }

    fn written(&self, span: Span) -> String {
        let bytes = self.bytes.get(span.range()).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn finish(self) -> Facts {
        let mut facts = self.facts;
        if facts.links.iter().any(|link| link.role != Role::Destination) {
            facts.drop_repeated();
        }
        for (index, label) in facts.labels.iter().enumerate() {
            if let Some(link) = label.link.and_then(|link| facts.links.get_mut(link)) {
                link.label.get_or_insert(index);
            }
        }
        facts
    }
}

impl Facts {
    /// Drops the URIs of text that are in the text of a link and say no more than it does.
    fn drop_repeated(&mut self) {
        let facts = self;
        let mut around: Vec<(Span, usize)> = Vec::new();
        for (index, label) in facts.labels.iter().enumerate() {
            if label.link.is_some() {
                around.push((label.span, index));
            }
        }
        around.sort_unstable();
        let label = |span: Span| {
            let after = around.partition_point(|(label, _)| label.start() <= span.start());
            let &(label, index) = around.get(after.checked_sub(1)?)?;
            (span.end() <= label.end()).then_some(facts.labels.get(index)?)
        };
        let says_the_same = |link: &Link, label: &Label| {
            let to = label.link.and_then(|to| facts.links.get(to));
            label.text.trim() == link.written || to.is_some_and(|to| to.written == link.written)
        };
        let mut keeps = Vec::with_capacity(facts.links.len());
        for link in &facts.links {
            let repeats = || label(link.span).is_some_and(|label| says_the_same(link, label));
            keeps.push(link.role == Role::Destination || !repeats());
        }
        // The indexes of the labels move with the links.
        let mut moved = Vec::with_capacity(keeps.len());
        let mut next = 0;
        for &keep in &keeps {
            moved.push(next);
            next += usize::from(keep);
        }
        let mut keep = keeps.into_iter();
        facts.links.retain(|_| keep.next().unwrap_or(true));
        for label in &mut facts.labels {
            label.link = label.link.and_then(|link| moved.get(link).copied());
        }
    }
}

impl document::PartSink for FactsReader<'_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        if self.facts.format == Some(Format::Html) && self.facts.redirect.is_none() {
            self.facts.redirect = anchors::redirect(part);
        }
        match part.role {
            Role::Comment => self.facts.comments.push(SpannedText {
                text: String::from_utf8_lossy(part.text).into_owned(),
                span: part.source.source(Span::new(0, part.text.len())),
            }),
            Role::Code | Role::Metadata => {}
            _ => match part.content {
                Content::Reference => {
                    let finding = self.finder.reference(part.text);
                    let whole = part.source.source(Span::new(0, part.text.len()));
                    self.destinations.add(whole, self.facts.links.len());
                    self.link(finding.as_ref(), part.text, Some(part));
                }
                Content::Value | Content::Text | Content::Autolinks => {
                    let value = match part.content {
                        Content::Value => self.finder.value(part.text),
                        _ => None,
                    };
                    if let Some(found) = value {
                        self.found(&Finding::Match(found), part.text, Some(part));
                        return ControlFlow::Continue(());
                    }
                    for finding in self.finder.findings(part.text) {
                        self.found(&finding, part.text, Some(part));
                    }
                }
            },
        }
        ControlFlow::Continue(())
    }

    fn mark(&mut self, mark: &Mark<'_>) {
        let facts = &mut self.facts;
        match *mark {
            // mail is not audited
            Mark::Entity(_) | Mark::Skipped { .. } | Mark::Limit(_) => {}
            Mark::Base { reference, span } => {
                let text = reference.to_owned();
                facts.base.get_or_insert(SpannedText { text, span });
            }
            Mark::Anchor { name, span } => {
                facts.names.push(SpannedText { text: name.to_owned(), span })
            }
            Mark::Heading { level, text, span } => {
                facts.headings.push(Heading { level, text: text.to_owned(), span })
            }
            Mark::Label { text, destination, span } => {
                let source = self.bytes.get(span.range()).unwrap_or_default();
                facts.labels.push(Label {
                    text: text.to_owned(),
                    span,
                    kind: if has_image(source) { LabelKind::Image } else { LabelKind::Text },
                    link: self.destinations.link_at(destination),
                });
            }
            Mark::Definition { label, span } => {
                let whole = self.written(span);
                let value = whole.split_once("]:").map_or("", |(_, value)| value);
                self.facts.definitions.push(LabelDefinition {
                    label: label.to_owned(),
                    value: value.trim().to_owned(),
                    span,
                });
            }
            // `a[i][j]` is an index, no reference
            Mark::Undefined { span, .. } if self.is_glued(span) => {}
            Mark::Undefined { label, span } => {
                let written = self.written(span);
                self.facts.undefined.push(UndefinedLabel {
                    label: label.to_owned(),
                    written,
                    span,
                });
            }
        }
    }

    fn marks(&self) -> Marks {
        Marks::All
    }
}

fn link_kind(finding: &Finding<'_>) -> LinkKind {
    match finding {
        Finding::Match(m) => LinkKind::Absolute(ParsedLink::from(m)),
        Finding::Relative(relative) => LinkKind::Relative(ParsedLink::from(relative)),
        Finding::Rejected(rejected) => {
            let rest = rejected.as_bytes().get(rejected.at()..);
            let rest = String::from_utf8_lossy(rest.unwrap_or_default());
            LinkKind::Rejected { reason: rejected.reason(), at: rest.chars().next() }
        }
    }
}

impl From<&Match<'_>> for ParsedLink {
    fn from(m: &Match<'_>) -> Self {
        Self {
            uri: m.uri().into_owned(),
            kind: m.kind(),
            flags: m.flags(),
            nss_fault: m.nss_fault(),
            alternative: m.alternative().map(str::to_owned),
            parts: m.parsed().parts(),
        }
    }
}

impl From<&Relative<'_>> for ParsedLink {
    fn from(relative: &Relative<'_>) -> Self {
        Self {
            uri: relative.reference().as_str().to_owned(),
            kind: relative.kind(),
            flags: relative.flags(),
            nss_fault: None,
            alternative: None,
            parts: relative.reference().parts(),
        }
    }
}
