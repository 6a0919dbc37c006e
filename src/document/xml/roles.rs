//! Meanings of the attributes and elements of XML vocabularies.

use crate::document::{Content, Role};
use crate::slice::span_within;
use crate::span::Span;

/// The meaning of the text of an element or attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    pub role: Role,
    pub content: Content,
}

impl Meaning {
    /// Returns how to read `text`, which has this meaning.
    pub fn content_of(self, text: &[u8]) -> Content {
        match self.content {
            Content::Value => Content::of_value(text),
            content => content,
        }
    }
}

const LINK: Meaning = Meaning { role: Role::Destination, content: Content::Reference };
/// A URI as a whole, or a path that is not one.
const ADDRESS: Meaning = Meaning { role: Role::Destination, content: Content::Value };
const METADATA: Meaning = Meaning { role: Role::Metadata, content: Content::Value };
pub(super) const VALUE: Meaning = Meaning { role: Role::Attribute, content: Content::Value };

/// Attributes that are links in every vocabulary, by local name in lower case: XLink, XInclude,
/// Atom, DocBook, DITA, XBEL, KML, SVG, XSL-FO, and others.
const LINKS: &[&str] = &["href", "src", "external-destination"];

/// Attributes that hold a URI as a whole, but may be something else elsewhere: RSS enclosures,
/// DocBook, OPML, FB2, NuGet, RDF, TEI, manifests.
const ADDRESSES: &[&str] = &[
    "fileref",
    "htmlurl",
    "resource",
    "target",
    "targetnamespace",
    "uri",
    "url",
    "xmlurl",
    "schemalocation",
    "location",
    "codebase",
    "rdf:about",
];

/// Elements whose text is a URI, by local name in lower case.
const ELEMENTS: &[&str] = &[
    // Sitemaps.
    "loc",
    "content_loc",
    "player_loc",
    "thumbnail_loc",
    // RSS, Atom, and their extensions.
    "link",
    "url",
    "uri",
    "guid",
    "comments",
    "commentrss",
    "docs",
    "origlink",
    // Maven and NuGet.
    "downloadurl",
    "organizationurl",
    "projecturl",
    "licenseurl",
    "iconurl",
    // MSBuild.
    "packageprojecturl",
    "packagelicenseurl",
    "packageiconurl",
    "repositoryurl",
    // KML and GPX.
    "href",
    // DOAP and FOAF.
    "homepage",
];

/// Elements whose text is often HTML, escaped or in a CDATA section.
const HTML: &[&str] = &[
    "description",
    "encoded",
    "content",
    "summary",
    "title",
    "desc",
    "text",
    "body",
    "value",
    // XLIFF.
    "source",
    "target",
];

/// Returns the reference in `url("a.png")`, which a link of XSL-FO may be (XSL 1.1, §5.11,
/// `<uri-specification>`).
pub(super) fn uri_specification(value: &[u8]) -> Option<Span> {
    let inside = value.trim_ascii().strip_prefix(b"url(")?.strip_suffix(b")")?.trim_ascii();
    let bare = match inside {
        [b'"', bare @ .., b'"'] | [b'\'', bare @ .., b'\''] => bare,
        bare => bare,
    };
    span_within(bare, value)
}

/// True for an element whose `href` is the file to write: `xsl:result-document` (XSLT 2.0, section
/// 19.1), and `exsl:document` of EXSLT.
pub(super) fn may_be_output(local: &str) -> bool {
    matches!(local, "document" | "result-document")
}

/// Returns the kind of an attribute's value. `name` has its prefix, and both names are in lower
/// case.
pub(super) fn of_attribute(name: &str, local: &str) -> Meaning {
    // Pairs of URIs, and white space between them (XML Schema, part 1, §2.6.3).
    if local == "schemalocation" && name != local {
        return Meaning { content: Content::Text, ..METADATA };
    }
    if is_namespace(name) || local == "nonamespaceschemalocation" && name != local {
        return METADATA;
    }
    if name == "xml:base" || name == "targetnamespace" {
        return METADATA;
    }
    if LINKS.contains(&local) {
        return LINK;
    }
    if ADDRESSES.contains(&local) || name == "rdf:about" { ADDRESS } else { VALUE }
}

/// True for the value of `ext-link-type` of JATS that makes the `xlink:href` beside it the identifier
/// of a database, and no reference: `doi`, `pmid`, `genbank`.
pub(super) fn makes_identifier(attribute: &str, value: &[u8]) -> bool {
    const ADDRESSES: [&[u8]; 6] = [b"", b"uri", b"url", b"http", b"https", b"ftp"];
    let is_kind = |kind: &&[u8]| value.trim_ascii().eq_ignore_ascii_case(kind);
    attribute == "ext-link-type" && !ADDRESSES.iter().any(is_kind)
}

/// True for the declaration of a namespace.
pub(super) fn is_namespace(name: &str) -> bool {
    name == "xmlns" || name.starts_with("xmlns:")
}

/// Returns the kind of an element's text. The local name is in lower case; an attribute may say
/// that the text is an address.
pub(super) fn of_element(local: &str, is_address: bool) -> Meaning {
    if is_address || ELEMENTS.contains(&local) {
        ADDRESS
    } else {
        Meaning { role: Role::Text, content: Content::Text }
    }
}

/// Names of elements and values of attributes that say which identifier a text is, in JATS, PubMed,
/// MODS, DataCite, ONIX and CSL, in lower case, and the label that is read in a text (D7).
const LABELS: [(&[u8], &str); 16] = [
    (b"isbn", "ISBN "),
    (b"eisbn", "ISBN "),
    (b"issn", "ISSN "),
    (b"eissn", "ISSN "),
    (b"e-issn", "ISSN "),
    (b"pissn", "ISSN "),
    (b"p-issn", "ISSN "),
    (b"issnl", "ISSN "),
    (b"issn-l", "ISSN "),
    (b"lissn", "ISSN "),
    (b"pmid", "PMID "),
    (b"pubmed", "PMID "),
    (b"pmcid", "PMCID "),
    (b"pmc", "PMCID "),
    (b"orcid", "ORCID "),
    (b"arxiv", "arXiv "),
];

/// Returns the label of the identifier that `name` announces.
pub(super) fn label(name: &[u8]) -> Option<&'static str> {
    let known = LABELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(known.1)
}

/// True for an attribute that makes the text of its element a URI: `<subfield code="u">` of
/// MARCXML, in the fields for electronic locations.
pub(super) fn makes_address(element: &str, attribute: &str, value: &[u8]) -> bool {
    element == "subfield" && attribute == "code" && value == b"u"
}

/// True if the text of an element may be HTML.
pub(super) fn may_hold_html(local: &str, text: &[u8]) -> bool {
    HTML.contains(&local) && {
        let mut tags = memchr::memchr_iter(b'<', text);
        tags.any(|at| matches!(text.get(at + 1), Some(byte) if byte.is_ascii_alphabetic()))
    }
}
