//! The links of a document: [`Link`], as checks see it, and its compact stored form.

use std::borrow::Cow;

use crate::document::{Content, LinkOrigin, Part, Role};
use crate::finder::Relative;
use crate::grammar::{UriParts, UriRef};
use crate::namespace::NssFault;
use crate::slice::lossy;
use crate::text_list::TextList;
use crate::{Finding, Flags, Kind, Match, Reason, Span};

/// A link or a URI in text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Link<'f> {
    /// Its span in the document.
    pub span: Span,
    /// A destination, text, or attribute; code and comments have no links.
    pub role: Role,
    /// Its element, as in [`Part::element`](crate::document::Part::element).
    pub element: Option<&'f str>,
    /// Its attribute, as in [`Part::attribute`](crate::document::Part::attribute).
    pub attribute: Option<&'f str>,
    /// Construct that it was read from.
    pub origin: LinkOrigin,
    /// How the part with it is searched.
    pub content: Content,
    /// The text of the reference, with entities and escapes decoded.
    pub written: &'f str,
    /// The finder's reading of it.
    pub kind: LinkKind<'f>,
    /// Index into [`Facts::labels`](super::Facts::labels) of the first label that leads here.
    pub label: Option<usize>,
}

/// Interpretation of a link by the finder.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum LinkKind<'f> {
    /// A URI.
    Absolute(ParsedLink<'f>),
    /// A relative reference.
    Relative(ParsedLink<'f>),
    /// Not a valid reference.
    Rejected {
        /// The reason.
        reason: Reason,
        /// The offending character.
        at: Option<char>,
    },
    /// An empty destination.
    Empty,
}

/// A valid reference.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ParsedLink<'f> {
    /// The reference, valid under RFC 3986; usually equal to the written text.
    pub uri: &'f str,
    /// Kind of the reference.
    pub kind: Kind,
    /// Notable properties.
    pub flags: Flags,
    /// Fault in the name of a URN.
    pub nss_fault: Option<NssFault>,
    /// The reference without hyphens that a typesetter may have added ([`Match::alternative`]).
    pub alternative: Option<&'f str>,
    /// Offsets of the components in `uri`.
    parts: UriParts,
}

impl<'f> ParsedLink<'f> {
    /// Returns the reference with its stored components, without parsing again.
    pub(in crate::audit) fn reference(&self) -> UriRef<'f> {
        UriRef::with_parts(self.uri, self.parts)
    }
}

/// The links of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkList {
    links: TextList<KeptLink>,
    /// Names of elements and attributes outside [`USUAL`].
    names: Vec<String>,
}

/// Properties of a link besides its text.
// Kept small, because the facts of many documents may wait for their turn. With one text for all
// links, a link takes 104 bytes instead of 224 and an allocation of its own. For Python's manual,
// that is 48 MB in memory at once instead of 68.
#[derive(Clone, Debug)]
struct KeptLink {
    span: Span,
    role: Role,
    content: Content,
    element: Option<InternedName>,
    attribute: Option<InternedName>,
    origin: LinkOrigin,
    kind: KeptKind,
    label: Option<u32>,
}

/// Name of an element or attribute: an index into [`USUAL`] and, beyond its end, into
/// `LinkList::names`.
#[derive(Clone, Copy, Debug)]
struct InternedName(u32);

/// Most common names of elements and attributes.
const USUAL: [&str; 12] = [
    "a",
    "href",
    "link",
    "img",
    "src",
    "script",
    "image",
    "definition",
    "autolink",
    "style",
    "use",
    "xlink:href",
];

#[derive(Clone, Debug)]
enum KeptKind {
    Absolute(KeptReference),
    Relative(KeptReference),
    Rejected { reason: Reason, at: Option<char> },
    Empty,
}

#[derive(Clone, Debug)]
struct KeptReference {
    parts: UriParts,
    kind: Kind,
    flags: Flags,
    rare: Option<Box<RareFacts>>,
}

/// Rare properties, boxed to keep [`KeptReference`] small.
#[derive(Clone, Debug)]
struct RareFacts {
    /// The URI, if it differs from the written text.
    uri: Option<String>,
    nss_fault: Option<NssFault>,
    alternative: Option<String>,
}

impl LinkList {
    pub fn expect(&mut self, links: usize) {
        self.links.expect(links);
    }

    pub fn shrink(&mut self) {
        self.links.shrink();
    }

    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Adds a finding in the text of a part, or of a document without parts.
    pub fn push(
        &mut self,
        finding: Option<&Finding<'_>>,
        span: Span,
        text: &[u8],
        part: Option<&Part<'_>>,
    ) {
        let within = finding.map_or(Span::new(0, text.len()), Finding::span);
        let written = lossy(text.get(within.range()).unwrap_or_default());
        self.push_written(finding, span, &written, part);
    }

    /// Adds a finding in another spelling of the text.
    pub fn push_written(
        &mut self,
        finding: Option<&Finding<'_>>,
        span: Span,
        written: &str,
        part: Option<&Part<'_>>,
    ) {
        let link = KeptLink {
            span,
            // In Markdown, a bare URI is shown as a link, but its author did not mark it as one.
            role: part.map_or(Role::Text, |part| part.role),
            content: part.map_or(Content::Text, |part| part.content),
            element: part.and_then(|part| part.element).map(|name| self.name(name)),
            attribute: part.and_then(|part| part.attribute).map(|name| self.name(name)),
            origin: part.map_or(LinkOrigin::Element, |part| part.origin),
            kind: finding
                .map_or(KeptKind::Empty, |finding| KeptKind::from_finding(finding, written)),
            label: None,
        };
        self.links.push(written, link);
    }

    /// Adds a destination that is in no part of its document.
    pub fn push_destination(
        &mut self,
        finding: &Finding<'_>,
        span: Span,
        written: &str,
        origin: LinkOrigin,
    ) {
        let link = KeptLink {
            span,
            role: Role::Destination,
            content: Content::Reference,
            element: None,
            attribute: None,
            origin,
            kind: KeptKind::from_finding(finding, written),
            label: None,
        };
        self.links.push(written, link);
    }

    fn name(&mut self, name: &str) -> InternedName {
        // An index of four bytes instead of a text per link.
        let usual = USUAL.iter().position(|usual| *usual == name);
        let index = usual.unwrap_or_else(|| {
            // Neighbouring links usually share their names, so the last four suffice. A search of
            // all names would take quadratic time for a document with many different ones.
            let last = self.names.iter().rposition(|known| known == name);
            let index = last.filter(|&at| at + 4 >= self.names.len()).unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            });
            USUAL.len() + index
        });
        InternedName(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn name_of(&self, InternedName(index): InternedName) -> &str {
        let index = index as usize;
        let other = || self.names.get(index.checked_sub(USUAL.len())?).map(String::as_str);
        USUAL.get(index).copied().or_else(other).unwrap_or_default()
    }

    pub fn get(&self, index: usize) -> Option<Link<'_>> {
        self.links.get(index).map(|link| self.link(link))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Link<'_>> + Clone {
        self.links.iter().map(|link| self.link(link))
    }

    #[inline(always)]
    fn link<'f>(&'f self, (written, kept): (&'f str, &'f KeptLink)) -> Link<'f> {
        Link {
            span: kept.span,
            role: kept.role,
            content: kept.content,
            element: kept.element.map(|name| self.name_of(name)),
            attribute: kept.attribute.map(|name| self.name_of(name)),
            origin: kept.origin,
            written,
            kind: match &kept.kind {
                KeptKind::Absolute(reference) => LinkKind::Absolute(reference.parsed(written)),
                KeptKind::Relative(reference) => LinkKind::Relative(reference.parsed(written)),
                KeptKind::Rejected { reason, at } => {
                    LinkKind::Rejected { reason: *reason, at: *at }
                }
                KeptKind::Empty => LinkKind::Empty,
            },
            label: kept.label.map(|label| label as usize),
        }
    }

    /// Sets the label of a link, unless it already has one.
    pub fn set_label(&mut self, link: usize, label: usize) {
        if let Some(link) = self.links.get_mut(link) {
            link.label = link.label.or(u32::try_from(label).ok());
        }
    }

    pub fn retain(&mut self, keeps: &[bool]) {
        self.links.retain(keeps);
    }
}

impl KeptKind {
    fn from_finding(finding: &Finding<'_>, written: &str) -> Self {
        match finding {
            Finding::Match(m) => Self::Absolute(KeptReference::of_match(m, written)),
            Finding::Relative(relative) => {
                Self::Relative(KeptReference::of_relative(relative, written))
            }
            Finding::Rejected(rejected) => {
                let rest = rejected.as_bytes().get(rejected.at()..);
                let rest = lossy(rest.unwrap_or_default());
                Self::Rejected { reason: rejected.reason(), at: rest.chars().next() }
            }
        }
    }
}

impl KeptReference {
    fn of_match(m: &Match<'_>, written: &str) -> Self {
        let uri = other(m.uri(), written);
        let (nss_fault, alternative) = (m.nss_fault(), m.alternative());
        // Most URIs equal the written text, so nothing needs to be boxed.
        let is_rare = uri.is_some() || nss_fault.is_some() || alternative.is_some();
        let rare = is_rare.then(|| {
            let alternative = alternative.map(str::to_owned);
            Box::new(RareFacts { uri, nss_fault, alternative })
        });
        Self { parts: m.parsed().parts(), kind: m.kind(), flags: m.flags(), rare }
    }

    fn of_relative(relative: &Relative<'_>, written: &str) -> Self {
        let rare = other(Cow::Borrowed(relative.reference().as_str()), written)
            .map(|uri| Box::new(RareFacts { uri: Some(uri), nss_fault: None, alternative: None }));
        Self { parts: relative.parts(), kind: relative.kind(), flags: relative.flags(), rare }
    }

    fn parsed<'f>(&'f self, written: &'f str) -> ParsedLink<'f> {
        let rare = self.rare.as_deref();
        ParsedLink {
            uri: rare.and_then(|rare| rare.uri.as_deref()).unwrap_or(written),
            kind: self.kind,
            flags: self.flags,
            nss_fault: rare.and_then(|rare| rare.nss_fault),
            alternative: rare.and_then(|rare| rare.alternative.as_deref()),
            parts: self.parts,
        }
    }
}

/// Returns `uri` if it differs from `written`.
fn other(uri: Cow<'_, str>, written: &str) -> Option<String> {
    (*uri != *written).then(|| uri.into_owned())
}
