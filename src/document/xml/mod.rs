//! XML: feeds, sitemaps, project files, DocBook, and every other vocabulary.
//!
//! References and CDATA sections are decoded, entities of the document type are inserted, and each
//! text has the path of its element as its place. The names of attributes and elements decide what
//! is a link ([`roles`]). HTML in feeds is read as HTML.

mod attribute;
mod decode;
mod reader;
mod roles;
mod token;

use std::ops::ControlFlow;

use super::format::{
    CommentStyle, DocumentFormat, EscapeStyle, FormatKind, FormatLimits, MarkupFamily, Sniff,
};
use super::{EventSink, Source, declared_charset};
use crate::finder::Rest;
pub(super) use attribute::{attribute, attribute_value};
pub(super) use decode::Entities;
pub(super) use token::{TagForm, XmlAttribute, XmlToken, XmlTokens, local_name};

/// The format of XML.
pub(super) struct Xml;

impl DocumentFormat for Xml {
    fn name(&self) -> &'static str {
        "xml"
    }

    fn title(&self) -> &'static str {
        "XML"
    }

    fn extensions(&self) -> &'static [&'static str] {
        // Documents with a declaration are recognized by their first bytes. `ts`, `config`, and `ui`
        // have other meanings, too, and so are not in the list.
        &[
            "xml", "rss", "atom", "rdf", "opml", "xsd", "xsl", "xslt", "fo", "kml", "gpx", "dbk",
            "docbook", "dita", "ditamap", "tei", "nxml", "fb2", "opf", "ncx", "xbel", "xspf",
            "metalink", "meta4", "csproj", "fsproj", "vbproj", "vcxproj", "nuspec", "props",
            "targets", "pom", "resx", "xaml", "axml", "plist", "webloc", "wsdl", "wadl", "rng",
            "xlf", "xliff", "tmx", "ttml", "fodt", "fods", "fodp", "fodg",
        ]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &[
            "application/xml",
            "text/xml",
            "application/rss+xml",
            "application/atom+xml",
            "application/rdf+xml",
            "application/opml+xml",
            "application/vnd.google-earth.kml+xml",
            "application/gpx+xml",
            "application/docbook+xml",
            "application/xspf+xml",
            "application/x-xbel+xml",
            "application/xliff+xml",
            "application/x-fictionbook+xml",
            "application/metalink4+xml",
        ]
    }

    fn first_bytes(&self) -> &'static [u8] {
        b"<"
    }

    /// Recognizes an XML declaration before anything but a page, which HTML reads.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        const DECLARATION: &[u8] = b"<?xml";
        if !head.starts_with(DECLARATION) {
            return if DECLARATION.starts_with(head) { Sniff::need_more(rest) } else { Sniff::No };
        }
        let mut tokens = XmlTokens::new(head);
        while let Some(token) = tokens.next() {
            if let XmlToken::Start { name, .. } = token {
                let name = head.get(name.range()).unwrap_or_default();
                let is_page = [&b"html"[..], b"svg"].contains(&local_name(name));
                return Sniff::yes_if(!is_page);
            }
        }
        match rest {
            Rest::More => Sniff::NeedMore,
            Rest::End => Sniff::Yes,
        }
    }

    fn limits(&self) -> FormatLimits {
        // Sitemaps have up to 50 MB.
        FormatLimits { largest: 64 << 20, largest_audited: 64 << 20, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn family(&self) -> MarkupFamily {
        MarkupFamily::Xml
    }

    fn escapes(&self) -> EscapeStyle {
        EscapeStyle::References
    }

    fn comments(&self) -> CommentStyle {
        CommentStyle::Html
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let charset = declared_charset::of_xml(source.bytes);
        declared_charset::read(source, charset, sink, reader::read)
    }
}
