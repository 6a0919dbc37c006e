//! The files of a book: the package document, the pages in the order of its spine, and the rest.

use std::ops::ControlFlow;

use crate::document::package::{Package, PackageFile, joined};
use crate::document::xml::{XmlToken, XmlTokens, attribute_value, local_name};
use crate::document::{EventSink, Format, Source, Stream};
use crate::hash::{HashMap, HashSet};
use crate::percent;
use crate::slice::{SliceExt as _, lossy};

/// The file that names the package document.
pub(super) const CONTAINER: &str = "META-INF/container.xml";
/// Extensions of the files that are read.
const READ: [&str; 9] = ["xhtml", "html", "htm", "xml", "opf", "ncx", "css", "svg", "smil"];

/// Extensions of files that are text. They may hold URLs that programs of the book request.
const TEXT: [&str; 6] = ["csv", "js", "json", "md", "mjs", "txt"];

/// An unpacked book.
#[derive(Debug)]
pub struct Book {
    package: Package,
    order: ReadingOrder,
}

/// A file of a book.
pub(crate) struct BookFile<'b> {
    file: PackageFile<'b>,
    pub format: Format,
}

/// An item of the manifest.
struct ManifestItem {
    name: String,
    media_type: String,
}

impl Book {
    /// Unpacks a book; what cannot be read is left out.
    pub(crate) fn open(bytes: &[u8]) -> Self {
        let package = Package::unpack(bytes, |name| {
            READ.contains(&extension(name)) || TEXT.contains(&extension(name))
        });
        let mut order = ReadingOrder::default();
        // A hostile container may name the same package document many times.
        let mut seen = HashSet::default();
        for name in package_documents(&package) {
            if seen.insert(name.clone()) {
                order.add(&package, &name, "application/xml");
                order.add_manifest(&package, &name);
            }
        }
        // A book with a damaged manifest still has its pages.
        for name in package.names("", "") {
            if !name.starts_with("META-INF/") && READ.contains(&extension(name)) {
                order.add(&package, name, "");
            }
        }
        Self { package, order }
    }

    /// Returns messages for users about the parts that were not read.
    pub(crate) fn problems(&self) -> &[String] {
        self.package.problems()
    }

    /// Returns the files that are read, in reading order.
    pub(crate) fn files(&self) -> impl Iterator<Item = BookFile<'_>> {
        self.order.names.iter().filter_map(|(name, format)| {
            Some(BookFile { file: self.package.file(name)?, format: *format })
        })
    }

    /// Returns the other files that are text.
    pub(super) fn texts(&self) -> impl Iterator<Item = PackageFile<'_>> {
        let names = self.package.names("", "").into_iter();
        let is_other = |name: &&str| !self.order.places.contains_key(*name);
        let names = names.filter(|name| TEXT.contains(&extension(name))).filter(is_other);
        names.filter_map(|name| self.package.file(name))
    }

    /// Returns the file of this name, if it is read.
    pub(crate) fn file(&self, name: &str) -> Option<BookFile<'_>> {
        let (_, format) = self.order.names.get(*self.order.places.get(name)?)?;
        Some(BookFile { file: self.package.file(name)?, format: *format })
    }

    /// Returns the names of all files.
    pub(crate) fn names(&self) -> &HashSet<String> {
        self.package.all_names()
    }
}

impl BookFile<'_> {
    /// Returns its name as a stream of the book.
    pub fn stream(&self) -> Stream<'_> {
        Stream { file: Some(self.file.name), format: Some(self.format), ..self.file.stream() }
    }

    pub fn read(&self, sink: &mut dyn EventSink) -> ControlFlow<()> {
        self.format.read(Source::new(self.file.bytes), sink)
    }
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The order of the files that are read, each with its format; each is read once.
#[derive(Debug, Default)]
struct ReadingOrder {
    names: Vec<(String, Format)>,
    /// Index of each name. A book may have 65,536 files, and a link to each of them.
    places: HashMap<String, usize>,
}

impl ReadingOrder {
    fn add(&mut self, package: &Package, name: &str, media_type: &str) {
        let by_extension = || match extension(name) {
            "opf" | "ncx" | "smil" => Format::named("xml"),
            extension => Format::from_extension(extension),
        };
        let by_type = match media_type {
            "application/x-dtbncx+xml" | "application/smil+xml" => Format::named("xml"),
            media_type => Format::from_media_type(media_type),
        };
        // The media type of the manifest decides in a book (EPUB 3.3, section 5.6.2), and a name
        // may have any extension.
        let Some(format) = by_type.or_else(by_extension).filter(|it| !it.is_binary()) else {
            return;
        };
        if package.file(name).is_some() && !self.places.contains_key(name) {
            self.places.insert(name.to_owned(), self.names.len());
            self.names.push((name.to_owned(), format));
        }
    }

    /// Adds the files of a package document: those of its spine, then the others.
    fn add_manifest(&mut self, package: &Package, name: &str) {
        let Some(file) = package.file(name) else { return };
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut items: Vec<ManifestItem> = Vec::new();
        let mut by_id: HashMap<String, usize> = HashMap::default();
        let mut spine = Vec::new();
        let mut tokens = XmlTokens::new(file.bytes);
        while let Some(token) = tokens.next() {
            let XmlToken::Start { name, .. } = token else { continue };
            let value = |key| attribute_value(file.bytes, tokens.attributes(), key);
            match local_name(file.bytes.part(name.range())) {
                b"item" => {
                    let (Some(id), Some(href)) = (value(b"id"), value(b"href")) else { continue };
                    let href = href.split('#').next().unwrap_or_default();
                    // An `href` is a URL, but the names in the package are not encoded.
                    let name = joined(folder, &lossy(&percent::decode(href)));
                    let media_type = value(b"media-type").unwrap_or_default();
                    by_id.insert(id, items.len());
                    items.push(ManifestItem { name, media_type });
                }
                b"itemref" => spine.extend(value(b"idref")),
                _ => {}
            }
        }
        let in_spine = spine.iter().filter_map(|id| items.get(*by_id.get(id)?));
        // Readers see the spine. Style sheets, navigation, and notes are in the manifest only.
        for item in in_spine.chain(&items) {
            self.add(package, &item.name, &item.media_type);
        }
    }
}

/// Returns the names of the package documents of a book.
fn package_documents(package: &Package) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(file) = package.file(CONTAINER) {
        let mut tokens = XmlTokens::new(file.bytes);
        while let Some(token) = tokens.next() {
            let XmlToken::Start { name, .. } = token else { continue };
            if local_name(file.bytes.part(name.range())) == b"rootfile" {
                // A container may name several renditions of a book.
                names.extend(attribute_value(file.bytes, tokens.attributes(), b"full-path"));
            }
        }
    }
    // A damaged container must not hide the book.
    if names.is_empty() {
        names.extend(package.names("", ".opf").into_iter().map(str::to_owned));
    }
    names
}
