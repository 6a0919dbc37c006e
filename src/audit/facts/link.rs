//! The links of a document: what a check sees of one, [`Link`], and how little is kept of it.

use std::borrow::Cow;

use crate::document::{Part, Role};
use crate::finder::Relative;
use crate::grammar::{UriParts, UriRef};
use crate::namespace::NssFault;
use crate::slice::lossy;
use crate::text_list::TextList;
use crate::{Finding, Flags, Kind, Match, Reason, Span};

/// A reference: where a link leads, or a URI in the text.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Link<'f> {
    /// Where it is.
    pub span: Span,
    /// A destination, text or an attribute; code and comments have no links.
    pub role: Role,
    /// The element, as [`Part::element`](crate::document::Part::element) has it.
    pub element: Option<&'f str>,
    /// The attribute, as [`Part::attribute`](crate::document::Part::attribute) has it.
    pub attribute: Option<&'f str>,
    /// What is written there, entities and escapes undone.
    pub written: &'f str,
    /// How the finder reads it.
    pub kind: LinkKind<'f>,
    /// The first of the labels that lead here, as an index into [`Facts::labels`](super::Facts::labels).
    pub label: Option<usize>,
}

/// What a finder says of a link.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum LinkKind<'f> {
    /// It is a URI.
    Absolute(ParsedLink<'f>),
    /// It is a relative reference.
    Relative(ParsedLink<'f>),
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
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ParsedLink<'f> {
    /// The reference, valid under RFC 3986; mostly the text that is written there.
    pub uri: &'f str,
    /// What kind of thing it is.
    pub kind: Kind,
    /// What is worth knowing of it.
    pub flags: Flags,
    /// What is wrong with the name of a URN.
    pub nss_fault: Option<NssFault>,
    /// The same without the hyphens that may be the typesetter's ([`Match::alternative`]).
    pub alternative: Option<&'f str>,
    /// Where the components are in `uri`.
    parts: UriParts,
}

impl<'f> ParsedLink<'f> {
    /// The components; nothing is parsed again.
    pub(in crate::audit) fn reference(&self) -> UriRef<'f> {
        UriRef::with_parts(self.uri, self.parts)
    }
}

/// The links of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkList {
    links: TextList<KeptLink>,
    /// Names of elements and attributes that are not [`USUAL`].
    names: Vec<String>,
}

/// What is known of a link besides what is written.
#[derive(Clone, Debug)]
struct KeptLink {
    span: Span,
    role: Role,
    element: Option<Name>,
    attribute: Option<Name>,
    kind: KeptKind,
    label: Option<u32>,
}

/// The name of an element or attribute: an index into [`USUAL`], and behind that into the names of the list.
#[derive(Clone, Copy, Debug)]
struct Name(u32);

/// What most links are in.
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

/// What few references have.
#[derive(Clone, Debug)]
struct RareFacts {
    /// The URI, where it is not what is written.
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

    /// Adds what a finder found in the text of a part, or of a document without parts.
    pub fn push(
        &mut self,
        finding: Option<&Finding<'_>>,
        span: Span,
        text: &[u8],
        part: Option<&Part<'_>>,
    ) {
        let within = finding.map_or(Span::new(0, text.len()), Finding::span);
        let written = lossy(text.get(within.range()).unwrap_or_default());
        let link = KeptLink {
            span,
            // a bare URI in Markdown is a link to its readers, but its author did not make it one
            role: part.map_or(Role::Text, |part| part.role),
            element: part.and_then(|part| part.element).map(|name| self.name(name)),
            attribute: part.and_then(|part| part.attribute).map(|name| self.name(name)),
            kind: finding.map_or(KeptKind::Empty, |finding| KeptKind::of(finding, &written)),
            label: None,
        };
        self.links.push(&written, link);
    }

    fn name(&mut self, name: &str) -> Name {
        let usual = USUAL.iter().position(|usual| *usual == name);
        let index = usual.unwrap_or_else(|| {
            // What one link is in, the next ones often are.
            let last = self.names.iter().rposition(|known| known == name);
            let index = last.filter(|&at| at + 4 >= self.names.len()).unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            });
            USUAL.len() + index
        });
        Name(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn name_of(&self, Name(index): Name) -> &str {
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
            element: kept.element.map(|name| self.name_of(name)),
            attribute: kept.attribute.map(|name| self.name_of(name)),
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

    /// Says that a label leads to a link; the first that does counts.
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
    fn of(finding: &Finding<'_>, written: &str) -> Self {
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
        let is_rare = uri.is_some() || nss_fault.is_some() || alternative.is_some();
        let rare = is_rare.then(|| {
            let alternative = alternative.map(str::to_owned);
            Box::new(RareFacts { uri, nss_fault, alternative })
        });
        Self { parts: m.parsed().parts(), kind: m.kind(), flags: m.flags(), rare }
    }

    fn of_relative(relative: &Relative<'_>, written: &str) -> Self {
        let rare = (relative.rewritten())
            .and_then(|uri| other(Cow::Borrowed(uri), written))
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

/// `uri` if it is another text than what is `written`.
fn other(uri: Cow<'_, str>, written: &str) -> Option<String> {
    (*uri != *written).then(|| uri.into_owned())
}
