//! Attached files (ISO 32000-2, 7.11.4): those of the document, and those of annotations.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;

use hayro_syntax::Pdf as PdfFile;
use hayro_syntax::object::{Array, Dict, Object, Stream as PdfStream, String as PdfString};

use super::stream::{self, Decoded};
use super::{MAX_PAGES, links, unread};
use crate::document::mail::attachment::Attachment;
use crate::document::nested::Inside;
use crate::document::{Event, EventSink};
use crate::hash::HashSet;
use crate::span::Span;

/// Most attached files that are read.
const MAX_FILES: usize = 1000;
/// Most bytes that all attached files of a document may unpack to.
const MAX_BYTES: usize = 128 << 20;

/// Reads the attached files, each by its format.
pub(super) fn read(
    catalog: &Dict<'_>,
    file: &PdfFile,
    sink: &mut dyn EventSink,
) -> ControlFlow<()> {
    let mut seen = HashSet::default();
    let mut left = MAX_BYTES;
    let _inside = Inside::new();
    let Specifications { found, is_cut } = specifications(catalog, file);
    if is_cut {
        unread("it lists more than 1000 attached files; the rest was not read", sink);
    }
    for specification in found {
        let Some(file) = AttachedFile::new(&specification) else { continue };
        // An annotation may show a file that the document lists.
        if !seen.insert(file.fingerprint()) {
            continue;
        }
        let decoded = stream::decoded(&file.stream).filter(|it| it.bytes.len() <= left);
        let Some(Decoded { bytes, is_cut }) = decoded else {
            let message = "it is damaged, or too large to be unpacked; it was not read";
            sink.note(&Event::Unread { file: &file.name, message });
            continue;
        };
        if is_cut {
            let message = "it is damaged; what comes after the damage was not read";
            sink.note(&Event::Unread { file: &file.name, message });
        }
        left -= bytes.len();
        let name = Some(file.name.as_bytes()).filter(|name| !name.is_empty());
        Attachment { name, bytes: &bytes, span: Span::default() }.read_inside("pdf", sink)?;
    }
    ControlFlow::Continue(())
}

/// Returns the file specifications that contain a file.
fn specifications<'a>(catalog: &Dict<'a>, file: &'a PdfFile) -> Specifications<'a> {
    let mut found = Specifications::default();
    let is_complete =
        links::walk_names(catalog, file.xref(), b"EmbeddedFiles", |_, specification| {
            if let Object::Dict(specification) = specification {
                found.add(specification.clone());
            }
        });
    found.is_cut |= !is_complete;
    found.add_associated(catalog);
    for page in file.pages().iter().take(MAX_PAGES) {
        found.add_associated(page.raw());
    }
    // The reader of links reports the annotations beyond this limit.
    let mut left = links::MAX_OBJECTS;
    for page in file.pages().iter().take(MAX_PAGES) {
        let annotations = page.raw().get::<Array<'_>>(b"Annots");
        let annotations = annotations.iter().flat_map(|it| it.iter::<Dict<'_>>());
        for annotation in annotations.take(links::MAX_LINKS.min(left)) {
            left -= 1;
            if let Some(specification) = annotation.get::<Dict<'_>>(b"FS") {
                found.add(specification);
            }
            found.add_associated(&annotation);
        }
    }
    found
}

#[derive(Default)]
struct Specifications<'a> {
    found: Vec<Dict<'a>>,
    /// True if there are more than [`MAX_FILES`].
    is_cut: bool,
}

impl<'a> Specifications<'a> {
    fn add(&mut self, specification: Dict<'a>) {
        if self.found.len() < MAX_FILES {
            self.found.push(specification);
        } else {
            self.is_cut = true;
        }
    }

    /// Adds the associated files of an object (ISO 32000-2, 14.13).
    fn add_associated(&mut self, dictionary: &Dict<'a>) {
        let Some(files) = dictionary.get::<Array<'a>>(b"AF") else { return };
        let room = MAX_FILES.saturating_sub(self.found.len());
        let mut files = files.iter::<Dict<'a>>();
        self.found.extend(files.by_ref().take(room));
        self.is_cut |= files.next().is_some();
    }
}

struct AttachedFile<'a> {
    name: String,
    stream: PdfStream<'a>,
}

impl<'a> AttachedFile<'a> {
    fn new(specification: &Dict<'a>) -> Option<Self> {
        let embedded = specification.get::<Dict<'a>>(b"EF")?;
        // `UF` is the newer key, whose names are Unicode; writers give both for older readers
        // (7.11.4).
        let stream = embedded.get::<PdfStream<'a>>(b"F").or_else(|| embedded.get(b"UF"))?;
        let name = specification.get::<PdfString<'_>>(b"UF").or_else(|| specification.get(b"F"));
        let name = name.map(|name| links::text_string(&name)).unwrap_or_default();
        Some(Self { name, stream })
    }

    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name.hash(&mut hasher);
        self.stream.raw_data().hash(&mut hasher);
        hasher.finish()
    }
}
