//! PDF (ISO 32000): links with their page and label, page text, outlines, and metadata.
//!
//! [`hayro_syntax`] reads the objects, also of damaged files. Everything that a hostile file could
//! make long is bounded here ([`stream`], [`page`]). A file has no text of its own: the text of a
//! page is laid out from its glyphs, and the `stream` of a part names it.

mod attachments;
mod font;
mod glyphs;
mod join;
mod lines;
mod links;
mod objects;
mod page;
mod resources;
mod rules;
mod stream;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod unpack;
mod wrap;
mod xmp;

use std::ops::ControlFlow;

use hayro_syntax::object::{Dict, Stream as PdfStream};
use hayro_syntax::xref::XRef;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf as PdfFile};

use links::{FoundLinks, PdfLink, PdfLinkKind};
use resources::SharedResources;

use super::format::{DocumentFormat, FormatEncoding, FormatKind, FormatLimits};
use super::{Content, Event, EventSink, NameSpace, Part, Place, Role, Source, Stream};
use crate::hash::HashSet;
use crate::offset_map::Layers;
use crate::percent;
use crate::slice::{SliceExt as _, lossy};

/// The format of PDF.
pub(super) struct Pdf;

const START: &[u8] = b"%PDF-";
const ENCRYPTED: &str = "it is encrypted and was not read; remove its password first";
const DAMAGED: &str = "it is damaged and was searched as bytes, not as PDF";
/// Pages beyond this number are not read.
const MAX_PAGES: usize = 20_000;

impl DocumentFormat for Pdf {
    fn name(&self) -> &'static str {
        "pdf"
    }

    fn title(&self) -> &'static str {
        "PDF"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pdf"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/pdf"]
    }

    fn encoding(&self) -> FormatEncoding {
        FormatEncoding::Binary { signature: START }
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits {
            largest: 512 << 20,
            largest_audited: 512 << 20,
            memory_factor: 4,
            light: 8 << 20,
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        // Viewers look at the first 1,024 bytes, but a PDF can hide behind more than that.
        if memchr::memmem::find(source.bytes, START).is_none() {
            // Its extension was wrong.
            return sink.part(&source.as_text());
        }
        let mut resources = SharedResources::default();
        if !stream::is_affordable(source.bytes, &mut resources) {
            unread("a stream in it unpacks to too many bytes; it was not read", sink);
            return ControlFlow::Continue(());
        }
        resources.add_file(source.bytes);
        if !resources.are_affordable(source.bytes.len()) {
            unread("its pages share too many resources; it was searched as bytes", sink);
            return sink.part(&source.as_text());
        }
        drop(resources);
        if !stream::has_ends(source.bytes) {
            unread(DAMAGED, sink);
            return sink.part(&source.as_text());
        }
        match PdfFile::new(source.bytes.to_vec()) {
            Ok(file) => {
                if !has_end(source.bytes) {
                    unread("its end is missing; what is there was read", sink);
                }
                read(&file, sink)
            }
            Err(error) => {
                let message = match error {
                    LoadPdfError::Decryption(DecryptionError::PasswordProtected) => ENCRYPTED,
                    LoadPdfError::Decryption(_) => {
                        "its encryption is not supported; it was not read"
                    }
                    // A damaged file, whose objects are found by their bytes, may be encrypted,
                    // too.
                    LoadPdfError::Invalid if is_encrypted(source.bytes) => {
                        unread(ENCRYPTED, sink);
                        return sink.part(&source.as_text());
                    }
                    LoadPdfError::Invalid => {
                        unread(DAMAGED, sink);
                        return sink.part(&source.as_text());
                    }
                };
                unread(message, sink);
                ControlFlow::Continue(())
            }
        }
    }
}

/// True if the bytes name the dictionary of an encryption, as a trailer does (ISO 32000-2, 7.6.2).
fn is_encrypted(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"/Encrypt").is_some()
}

/// True if a trailer follows the last object, as at the end of every file and of every change that
/// was appended to one (ISO 32000-2, 7.5.5). Without it, objects were cut off: the readers of PDF
/// find the others by their bytes, and say nothing.
fn has_end(bytes: &[u8]) -> bool {
    let after = bytes.clamped(memchr::memmem::rfind(bytes, b"endobj").unwrap_or_default()..);
    let has = |word: &[u8]| memchr::memmem::find(after, word).is_some();
    has(b"startxref") || has(b"trailer")
}

/// Reports the parts that were not read.
fn unread(message: &str, sink: &mut dyn EventSink) {
    sink.note(&Event::Unread { file: "", message });
}

fn read(file: &PdfFile, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let xref = file.xref();
    let catalog = xref.get::<Dict<'_>>(xref.root_id()).unwrap_or_else(Dict::empty);
    if let Some(base) = links::base(&catalog) {
        sink.note(&Event::Base { reference: &base, span: crate::Span::default() });
    }
    let is_audit = sink.wants().all_events();
    if is_audit {
        define_destinations(&catalog, file, sink);
    }
    let mut fonts = font::Fonts::default();
    let mut budget = page::Budget::of_size(file.data().as_ref().len());
    let mut shown = HashSet::default();
    let mut found = FoundLinks::default();
    for (index, page) in file.pages().iter().enumerate().take(MAX_PAGES) {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        links::add_of_page(page.raw(), &mut found);
        let mut links = found.take();
        // Only an audit looks at links within the document.
        links.retain(|link| is_audit || link.kind != PdfLinkKind::Destination);
        let repeated = links.iter().filter(|link| link.kind != PdfLinkKind::Destination);
        shown.extend(repeated.map(|link| link.uri.clone()));
        let glyphs = page::glyphs(page, &mut fonts, &mut budget);
        text::emit_page(number, &glyphs, &links, sink)?;
    }
    if file.pages().is_empty() {
        unread("no page was found in it; it is damaged", sink);
    }
    if file.pages().len() > MAX_PAGES {
        unread("its pages beyond the first 20000 were not read", sink);
    }
    if budget.is_spent() || fonts.is_spent() {
        unread("its pages draw too much; some of their text was not read", sink);
    }
    if budget.is_damaged() {
        unread("a stream of a page is damaged, or too large; some of its text was not read", sink);
    }
    let document = document_links(&catalog, xref, &shown, &mut found);
    let names = links::attachment_names(&catalog, xref, &mut found);
    if found.is_cut {
        unread("it has more links, fields, or notes than are read; some were not read", sink);
    }
    emit_document(&catalog, file, (document, names), shown, sink)
}

/// Reports the names of destinations; if they cannot be known, those that links name.
fn define_destinations<'a>(catalog: &Dict<'a>, file: &'a PdfFile, sink: &mut dyn EventSink) {
    let xref = file.xref();
    let mut define = |name: &str| {
        let (space, span) = (NameSpace::Anchor, crate::Span::default());
        sink.note(&Event::Define { space, name, span });
    };
    if let Some(names) = links::destination_names(catalog, xref) {
        return names.iter().for_each(|name| define(name));
    }
    let pages = file.pages().iter().take(MAX_PAGES);
    let mut found = FoundLinks::default();
    pages.for_each(|page| links::add_of_page(page.raw(), &mut found));
    links::add_of_catalog(catalog, xref, &mut found);
    links::add_of_outline(catalog, xref, &mut found);
    for link in found.links {
        if let Some(name) = link.uri.strip_prefix('#') {
            define(&lossy(&percent::decode(name)));
        }
    }
}

/// Returns the links of a document's form, actions, and outline. Fields that pages show are not
/// repeated.
fn document_links<'a>(
    catalog: &Dict<'a>,
    xref: &'a XRef,
    shown: &HashSet<String>,
    found: &mut FoundLinks,
) -> Vec<PdfLink> {
    links::add_of_form(catalog, xref, found);
    let mut seen = HashSet::default();
    found.links.retain(|link| !shown.contains(&link.uri) && seen.insert(link.uri.clone()));
    links::add_of_catalog(catalog, xref, found);
    links::add_of_outline(catalog, xref, found);
    found.take()
}

/// Emits what belongs to the document: these links of it, names of attached files, and its
/// metadata.
fn emit_document(
    catalog: &Dict<'_>,
    file: &PdfFile,
    (links, attached): (Vec<PdfLink>, Vec<String>),
    mut shown: HashSet<String>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut lines = Vec::new();
    for link in &links {
        if link.kind == PdfLinkKind::Destination && !sink.wants().all_events() {
            continue;
        }
        let kind = match link.meaning() {
            (Role::Destination, _) => (Role::Destination, Some("outline")),
            (role, element) => (role, Some(element)),
        };
        let (text, label) = (link.uri.clone(), link.label.clone());
        lines.push(ExtractedText { text, label, kind, content: link.content() });
    }
    for name in attached {
        let kind = (Role::Metadata, Some("attachment"));
        lines.push(ExtractedText { text: name, label: None, kind, content: Content::Text });
    }
    let metadata = file.metadata();
    let known = [
        &metadata.title,
        &metadata.author,
        &metadata.subject,
        &metadata.keywords,
        &metadata.creator,
        &metadata.producer,
    ];
    for text in known.into_iter().flatten() {
        let text = links::text_string(text);
        let kind = (Role::Metadata, None);
        lines.push(ExtractedText { text, label: None, kind, content: Content::Text });
    }
    for text in strings::of_information(file) {
        let kind = (Role::Metadata, None);
        lines.push(ExtractedText { text, label: None, kind, content: Content::Text });
    }
    shown.extend(lines.iter().map(|line| line.text.clone()));
    let hidden = strings::hidden(file, &shown);
    if hidden.is_nested {
        unread("its objects are nested too deeply; some strings of them were not read", sink);
    }
    if hidden.is_full {
        unread("its hidden strings exceed 16 MiB; some of them were not read", sink);
    }
    for text in hidden.strings {
        let kind = (Role::Metadata, None);
        lines.push(ExtractedText { text, label: None, kind, content: Content::Text });
    }
    emit_texts("document", None, &lines, sink)?;
    let xmp = catalog.get::<PdfStream<'_>>(b"Metadata").and_then(|it| stream::decoded(&it));
    if let Some(xmp) = xmp {
        xmp::read(&xmp.bytes, sink)?;
    }
    attachments::read(catalog, file, sink)
}

/// A text that has no bytes of its own in the file.
struct ExtractedText {
    text: String,
    label: Option<String>,
    /// The role, and the element.
    kind: (Role, Option<&'static str>),
    content: Content,
}

/// Emits texts as the lines of a stream.
fn emit_texts(
    name: &str,
    place: Option<&Place<'_>>,
    lines: &[ExtractedText],
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let bytes: Vec<u8> = lines.iter().flat_map(|it| [it.text.as_bytes(), b"\n"].concat()).collect();
    let stream = Stream::extracted(name, &bytes);
    let mut start = 0;
    for line in lines {
        let (role, element) = line.kind;
        let part = Part::of_text(line.text.as_bytes(), Layers::copied(start), role);
        let label = line.label.as_deref();
        let stream = Some(&stream);
        sink.part(&Part { content: line.content, element, label, place, stream, ..part })?;
        start += line.text.len() + 1;
    }
    ControlFlow::Continue(())
}
