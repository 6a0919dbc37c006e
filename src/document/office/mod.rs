//! Documents of Office: packages of XML (ECMA-376, ODF 1.3).
//!
//! The bytes of a URI are those of a file in the package, which [`Stream`](super::Stream) names.
//! Links are joined with their text, the runs of a paragraph are joined, and fields and formulas
//! are read. Namespaces and identifiers of the format are left out.

mod cell;
mod embedded;
pub(super) mod field;
mod opendocument;
mod relationships;
mod repeats;
mod rest;
mod sheet;
mod sheet_names;
mod story;
mod writer;

use std::ops::ControlFlow;

use super::format::{DocumentFormat, FormatEncoding, FormatKind, FormatLimits, Sniff};
use super::package::{Package, ZIP, sniff_zip};
use super::xml::{Entities, XmlToken, XmlTokens, local_name};
use super::{Event, EventSink, Place, Role, Source};
use crate::finder::Rest;
use crate::hash::{HashMap, HashSet};
use crate::offset_map::DerivedText;
use crate::slice::SliceExt as _;
use relationships::{Relationships, main_by_type};
use story::StoryPlace;
use writer::{At, PartKind, emit, emit_unused};

/// A kind of package.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Office {
    Word,
    Excel,
    PowerPoint,
    OpenDocument,
}

/// Main parts of a package that are read as such.
const MAX_MAIN: usize = 16;

/// Member that OpenDocument has first, with its media type as text.
const ODF_TYPE: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.";

impl Office {
    /// Start of the name of a file that only this kind of package has.
    fn sign(&self) -> &'static [u8] {
        match self {
            Self::Word => b"word/",
            Self::Excel => b"xl/",
            Self::PowerPoint => b"ppt/",
            Self::OpenDocument => ODF_TYPE,
        }
    }

    /// Start of the names of the files with the text.
    const fn text_files(&self) -> &'static str {
        match self {
            Self::Word => "word/",
            Self::Excel => "xl/",
            Self::PowerPoint => "ppt/",
            Self::OpenDocument => "content",
        }
    }
}

impl DocumentFormat for Office {
    fn name(&self) -> &'static str {
        match self {
            Self::Word => "docx",
            Self::Excel => "xlsx",
            Self::PowerPoint => "pptx",
            Self::OpenDocument => "odt",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Word => "Word",
            Self::Excel => "Excel",
            Self::PowerPoint => "PowerPoint",
            Self::OpenDocument => "OpenDocument",
        }
    }

    fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Word => &["docx", "docm", "dotx", "dotm"],
            Self::Excel => &["xlsx", "xlsm", "xltx", "xltm"],
            Self::PowerPoint => &["pptx", "pptm", "ppsx", "potx"],
            Self::OpenDocument => &["odt", "ods", "odp", "odg", "ott", "ots", "otp"],
        }
    }

    fn media_types(&self) -> &'static [&'static str] {
        match self {
            Self::Word => {
                &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"]
            }
            Self::Excel => &["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
            Self::PowerPoint => {
                &["application/vnd.openxmlformats-officedocument.presentationml.presentation"]
            }
            Self::OpenDocument => &[
                "application/vnd.oasis.opendocument.text",
                "application/vnd.oasis.opendocument.spreadsheet",
                "application/vnd.oasis.opendocument.presentation",
            ],
        }
    }

    /// Recognizes a package by the name of a file in it, which precedes the file.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        const FIRST: [&str; 7] =
            ["[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", "mimetype"];
        sniff_zip(head, rest, &FIRST, &[self.sign()])
    }

    fn encoding(&self) -> FormatEncoding {
        FormatEncoding::Binary { signature: ZIP }
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits {
            largest: 256 << 20,
            largest_audited: 256 << 20,
            memory_factor: 8,
            light: 4 << 20,
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        if !source.bytes.starts_with(ZIP) {
            // Its extension was wrong.
            return sink.part(&source.as_text());
        }
        let package = Package::unpack(source.bytes, is_read);
        package.report(sink);
        let mut main = Relationships::of_file(&package, "").targets_of_kind("officeDocument");
        // A file has one.
        if main.len() > MAX_MAIN {
            let message = "it has more than 16 main parts; the others were not read as such";
            sink.note(&Event::Unread { file: "", message });
            main.truncate(MAX_MAIN);
        }
        // A reader may go by the types alone. A type without its file is left to relationships.
        let typed = main_by_type(&package).into_iter();
        let typed: Vec<String> =
            typed.filter(|name| !main.contains(name) && package.file(name).is_some()).collect();
        main.extend(typed);
        let has_text = !main.is_empty() || !package.names(self.text_files(), ".xml").is_empty();
        if !has_text && package.problems().is_empty() {
            let message = "no text was found in it; it is damaged or misnamed";
            sink.note(&Event::Unread { file: "", message });
        }
        let mut read = HashSet::default();
        match self {
            Self::Word => read_word(&package, &main, sink),
            Self::Excel => sheet::read(&package, &main, &mut read, sink),
            Self::PowerPoint => read_slides(&package, &main, &mut read, sink),
            Self::OpenDocument => read_opendocument(&package, sink),
        }?;
        if *self != Self::OpenDocument {
            embedded::read_unusual(&package, &main, &read, self, sink)?;
            read_properties(&package, &["docProps/"], sink)?;
            // Data added by other programs; its properties name only schemas.
            for name in package.names("customXml/item", ".xml") {
                let file = package.file(name).filter(|_| !name.contains("/itemProps"));
                if let Some(file) = file {
                    rest::read(&file, sink)?;
                }
            }
        }
        embedded::read(&package, self.name(), sink)
    }
}

/// True for a file of another format in a package.
fn is_embedded(name: &str) -> bool {
    const EXTENSIONS: &str =
        "docm docx eml htm html mht mhtml odp ods odt pdf pptm pptx rtf svg txt xhtml xlsm xlsx";
    let extension = name.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    name.contains("/embeddings/")
        || EXTENSIONS.split(' ').any(|known| known.eq_ignore_ascii_case(extension))
}

fn is_read(name: &str) -> bool {
    is_xml(name) || is_embedded(name)
}

fn is_xml(name: &str) -> bool {
    // The manifest names the files of the package by words of ODF.
    [".xml", ".rels", ".vml", ".rdf"].iter().any(|end| name.ends_with(end))
        && name != "manifest.rdf"
}

fn read_word(package: &Package, main: &[String], sink: &mut dyn EventSink) -> ControlFlow<()> {
    for name in package.names("word/", ".xml") {
        let base = name.trim_start_matches("word/").trim_end_matches(".xml");
        let story = match base {
            // A file may have the usual name of the main one, which relationships name.
            "document" => "",
            _ if main.iter().any(|main| main == name) => "",
            "footnotes" | "endnotes" | "comments" => base,
            _ if base.starts_with("header") || base.starts_with("footer") => base,
            _ => {
                if let Some(file) = package.file(name) {
                    rest::read(&file, sink)?;
                }
                emit_unused(&Relationships::of_file(package, name), None, sink)?;
                continue;
            }
        };
        if let Some(file) = package.file(name) {
            let mut place = StoryPlace::Text(story.to_owned());
            story::read(&file, Relationships::of_file(package, name), &mut place, sink)?;
        }
    }
    for name in package.names("word/", ".vml") {
        if let Some(file) = package.file(name) {
            rest::read(&file, sink)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the main parts that are there, by whatever names, and the usual one, which may be a
/// decoy.
fn main_parts<'m>(package: &Package, main: &'m [String], usual: &'m str) -> Vec<&'m str> {
    let is_there = |name: &&str| package.file(name).is_some();
    let mut parts: Vec<&str> = main.iter().map(String::as_str).filter(is_there).collect();
    if !parts.contains(&usual) {
        parts.push(usual);
    }
    parts
}

fn read_slides(
    package: &Package,
    main: &[String],
    read: &mut HashSet<String>,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    const FOLDERS: [&str; 4] =
        ["ppt/slides/", "ppt/notesSlides/", "ppt/comments/", "ppt/diagrams/data"];
    let mut slides: Vec<String> = Vec::new();
    for presentation in main_parts(package, main, "ppt/presentation.xml") {
        read.insert(presentation.to_owned());
        slides.extend(slides_of(package, presentation));
    }
    if slides.is_empty() {
        slides.extend(package.names(FOLDERS[0], ".xml").into_iter().map(str::to_owned));
    }
    let mut numbers = HashMap::default();
    for name in &slides {
        let number = u32::try_from(numbers.len() + 1).unwrap_or(u32::MAX);
        numbers.entry(name.clone()).or_insert(number);
    }
    // A presentation may show a slide many times.
    let mut seen = HashSet::default();
    slides.retain(|name| seen.insert(name.clone()));
    let mut names: Vec<String> = Vec::new();
    for folder in FOLDERS {
        names.extend(package.names(folder, ".xml").into_iter().map(str::to_owned));
    }
    // Slides may be in any directory. The files beside them are found through relationships, as
    // programs find them.
    for name in slides {
        let relationships = Relationships::of_file(package, &name);
        names.push(name);
        for kind in ["notesSlide", "comments", "diagramData"] {
            names.extend(relationships.targets_of_kind(kind));
        }
    }
    for name in names {
        let Some(file) = package.file(&name).filter(|_| read.insert(name.clone())) else {
            continue;
        };
        let relationships = Relationships::of_file(package, &name);
        let slide = match relationships.target_of_kind("slide") {
            Some(slide) => numbers.get(&slide).copied(),
            None => numbers.get(&name).copied(),
        };
        let mut place = match slide {
            Some(slide) => StoryPlace::Slide(slide),
            None => StoryPlace::Text(name.trim_end_matches(".xml").to_owned()),
        };
        story::read(&file, relationships, &mut place, sink)?;
    }
    rest::read_folder(package, "ppt/", read, sink)
}

/// Returns the files of the slides of a presentation, in order.
fn slides_of(package: &Package, presentation: &str) -> Vec<String> {
    let relationships = Relationships::of_file(package, presentation);
    let Some(file) = package.file(presentation) else { return Vec::new() };
    let mut slides = Vec::new();
    let mut tokens = XmlTokens::new(file.bytes);
    while let Some(token) = tokens.next() {
        let XmlToken::Start { name, .. } = token else { continue };
        if local_name(file.bytes.part(name.range())) != b"sldId" {
            continue;
        }
        // Both `id` and `r:id` have the same local name.
        let is_id = |name: &[u8]| name.ends_with(b":id");
        let id = tokens.attributes().iter().find(|it| is_id(file.bytes.part(it.name.range())));
        let id = id.map(|id| crate::slice::lossy(file.bytes.part(id.value.range())));
        slides.extend(id.and_then(|id| relationships.target(&id)));
    }
    slides
}

fn read_opendocument(package: &Package, sink: &mut dyn EventSink) -> ControlFlow<()> {
    for (name, story) in [("content.xml", ""), ("styles.xml", "styles")] {
        if let Some(file) = package.file(name) {
            opendocument::read(&file, story, sink)?;
        }
    }
    // Objects in the document, such as its charts and formulas.
    for name in package.names("", "/content.xml") {
        if let Some(file) = package.file(name) {
            opendocument::read(&file, name.trim_end_matches("/content.xml"), sink)?;
        }
    }
    read_properties(package, &["meta"], sink)?;
    // Programs in Basic, settings, dialogs, and RDF about the document.
    let is_left = |name: &&str| {
        let is_read = ["content.xml", "styles.xml", "meta.xml"].contains(name);
        is_xml(name)
            && !is_read
            && !name.ends_with("/content.xml")
            && !name.starts_with("META-INF/")
    };
    for name in package.names("", "").into_iter().filter(is_left) {
        if let Some(file) = package.file(name) {
            rest::read(&file, sink)?;
        }
    }
    ControlFlow::Continue(())
}

/// Emits the texts of files that describe the document.
fn read_properties(
    package: &Package,
    starts: &[&str],
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    for name in starts.iter().flat_map(|start| package.names(start, ".xml")) {
        let Some(file) = package.file(name) else { continue };
        let place = Place::Paragraph { story: name.trim_end_matches(".xml").into(), number: 1 };
        let mut entities = Entities::default();
        let mut text = DerivedText::default();
        let mut tokens = XmlTokens::new(file.bytes);
        while let Some(token) = tokens.next() {
            let at = At { place: Some(&place), stream: file.stream() };
            match token {
                XmlToken::Text(span) => {
                    text.clear();
                    entities.decode(file.bytes.part(span.range()), span.start(), &mut text);
                    emit(&text, at, PartKind::text(Role::Metadata), sink)?;
                }
                // The template of a document, and the page that takes its place after a while.
                XmlToken::Start { .. } => {
                    let is_link = |name: &[u8]| local_name(name) == b"href";
                    let role = (at, Role::Metadata);
                    rest::emit_attributes(&file, tokens.attributes(), is_link, role, sink)?;
                }
                _ => {}
            }
        }
    }
    ControlFlow::Continue(())
}
