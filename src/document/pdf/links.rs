//! Links of annotations, actions, and outlines (ISO 32000-2, 12.3, 12.5, 12.6).

use std::ops::ControlFlow;

use hayro_syntax::object::{Array, Dict, Name, Object, Rect, String as PdfString};
use hayro_syntax::xref::XRef;

use super::objects::ObjectWalk;
use super::stream::decoded;
use crate::document::writer::link_content;
use crate::document::{Content, Event, EventSink, Role, Source, Wants, html};
use crate::hash::HashSet;
use crate::percent::{self, PercentSet};
use crate::registry;
use crate::slice::lossy;

/// Most links of one page or outline.
pub(super) const MAX_LINKS: usize = 20_000;
/// Most annotations, fields, bookmarks, and actions of a file, and most bytes of their dictionaries
/// and of their texts.
pub(super) const MAX_OBJECTS: usize = 1_000_000;
const MAX_DATA: usize = 512 << 20;
const MAX_BYTES: usize = 64 << 20;
/// Most names of one tree. A name with a longer value counts once for each of these bytes.
const MAX_NAMES: usize = 200_000;
const NAME_BYTES: usize = 1 << 10;
/// Most actions that follow one another.
const MAX_NEXT: usize = 8;
/// Most events of an annotation, and pieces of a form in XML. The standard has 14 events in its
/// largest dictionary (ISO 32000-2, 12.6.3).
const MAX_EVENTS: usize = 32;

/// The links that were found, and what a file may still add. Pages may share their annotations, and
/// annotations their texts, so that all of them together would take quadratic time and memory.
pub(super) struct FoundLinks {
    pub links: Vec<PdfLink>,
    /// True if a limit was reached, so there may be more.
    pub is_cut: bool,
    objects: usize,
    /// Bytes of dictionaries, which a reference takes as long to follow.
    data: usize,
    bytes: usize,
}

impl Default for FoundLinks {
    fn default() -> Self {
        let (objects, data, bytes) = (MAX_OBJECTS, MAX_DATA, MAX_BYTES);
        Self { links: Vec::new(), is_cut: false, objects, data, bytes }
    }
}

impl FoundLinks {
    /// Returns the links since the last call.
    pub fn take(&mut self) -> Vec<PdfLink> {
        std::mem::take(&mut self.links)
    }

    /// Counts an annotation, field, bookmark, or action; false if there is no room for another one.
    fn has_room_for(&mut self, dictionary: &Dict<'_>) -> bool {
        self.objects = self.objects.saturating_sub(1);
        self.data = self.data.saturating_sub(dictionary.data().len());
        let has_room = self.objects > 0 && self.data > 0 && self.bytes > 0;
        self.is_cut |= !has_room;
        has_room
    }

    /// Decodes a text string, if there is room for it.
    fn text(&mut self, bytes: &[u8]) -> Option<String> {
        self.bytes = self.bytes.saturating_sub(bytes.len());
        self.is_cut |= self.bytes == 0;
        (self.bytes > 0).then(|| text_string(bytes))
    }

    /// Returns a text that is a string or a stream.
    fn text_of(&mut self, object: Object<'_>) -> Option<String> {
        match object {
            Object::String(text) => self.text(&text),
            Object::Stream(text) => decoded(&text).and_then(|it| self.text(&it.bytes)),
            _ => None,
        }
    }

    /// Adds a link to a destination, unless that is a page and not a name.
    fn add_destination(&mut self, destination: Option<Object<'_>>) {
        let name = match destination {
            Some(Object::Name(name)) => self.text(name.as_ref()),
            Some(Object::String(name)) => self.text(&name),
            _ => None,
        };
        let uri = name.map(|name| format!("#{}", percent::encode(&name, PercentSet::Fragment)));
        self.add(uri, PdfLinkKind::Destination);
    }

    fn add(&mut self, text: Option<String>, kind: PdfLinkKind) {
        self.links.extend(text.map(|text| PdfLink::new(text, kind)));
    }
}

/// A link, or another text that is not drawn, and where it is on its page.
pub(super) struct PdfLink {
    /// A URI, the path of a file, `#` and the encoded name of a destination, or a text.
    pub uri: String,
    pub kind: PdfLinkKind,
    pub rectangle: Option<Rect>,
    /// The title of an outline, if it is in one.
    pub label: Option<String>,
}

/// The kind of a link's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PdfLinkKind {
    Uri,
    File,
    /// A named destination of the same document.
    Destination,
    /// The text of a script.
    Script,
    /// Text of an author or reader: a note on the page, or the value of a field.
    Note,
}

impl PdfLink {
    fn new(uri: String, kind: PdfLinkKind) -> Self {
        Self { uri, kind, rectangle: None, label: None }
    }

    /// Returns the way to search its target.
    pub fn content(&self) -> Content {
        match self.kind {
            PdfLinkKind::Destination => Content::Reference,
            PdfLinkKind::File if is_path(&self.uri) && !self.uri.contains(['#', '?']) => {
                Content::Reference
            }
            // A URI may be relative to the base of the document (ISO 32000-2, 12.6.4.8). Without a
            // scheme, it may also be a host or an address of mail, which viewers complete.
            PdfLinkKind::Uri if is_path(&self.uri) && is_address(&self.uri) => Content::Value,
            PdfLinkKind::Uri => link_content(self.uri.as_bytes()),
            PdfLinkKind::File => Content::Value,
            PdfLinkKind::Script | PdfLinkKind::Note => Content::Text,
        }
    }

    /// Returns a description of its target for people, and the name of its place on a page.
    pub const fn meaning(&self) -> (Role, &'static str) {
        match self.kind {
            PdfLinkKind::Uri | PdfLinkKind::File | PdfLinkKind::Destination => {
                (Role::Destination, "link")
            }
            PdfLinkKind::Script => (Role::Code, "script"),
            PdfLinkKind::Note => (Role::Comment, "note"),
        }
    }
}

/// True for a relative path. A file may be given with a drive, or as a URL.
fn is_path(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with("//")
        && !text.contains([':', '\\', ' ', '<', '>', '"', '\n'])
}

/// True for a host or an address of mail without a scheme.
fn is_address(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_host = first.starts_with("www.")
        || first.rsplit_once('.').is_some_and(|(_, last)| registry::tld(last))
            && !first.starts_with('.');
    is_host || text.contains('@')
}

/// Adds the links of the annotations of a page.
pub(super) fn add_of_page(page: &Dict<'_>, found: &mut FoundLinks) {
    add_additional(page, found);
    let Some(annotations) = page.get::<Array<'_>>(b"Annots") else { return };
    let mut annotations = annotations.iter::<Dict<'_>>();
    for annotation in annotations.by_ref().take(MAX_LINKS) {
        if !found.has_room_for(&annotation) {
            return;
        }
        let before = found.links.len();
        if let Some(action) = annotation.get::<Dict<'_>>(b"A") {
            add_action(action, found);
        }
        let destination = annotation.get::<Object<'_>>(b"Dest");
        found.add_destination(destination);
        add_additional(&annotation, found);
        add_notes(&annotation, found);
        let rectangle = annotation.get::<Rect>(b"Rect");
        for link in found.links.iter_mut().skip(before) {
            link.rectangle = rectangle;
        }
    }
    found.is_cut |= annotations.next().is_some();
}

/// Adds the links of additional actions, which events trigger.
fn add_additional(dictionary: &Dict<'_>, found: &mut FoundLinks) {
    let Some(actions) = dictionary.get::<Dict<'_>>(b"AA") else { return };
    let mut keys = actions.keys();
    for key in keys.by_ref().take(MAX_EVENTS) {
        if let Some(action) = actions.get::<Dict<'_>>(&key) {
            add_action(action, found);
        }
    }
    found.is_cut |= keys.next().is_some();
}

/// Adds the texts that were written into an annotation (ISO 32000-2, 12.5.2, 12.7.4).
fn add_notes(annotation: &Dict<'_>, found: &mut FoundLinks) {
    let kind = annotation.get::<Name<'_>>(b"Subtype");
    let text = match kind.as_ref().map(AsRef::as_ref) {
        // The contents of a link describe its target; a window shows the contents of its note.
        Some(b"Link" | b"Popup") => None,
        Some(b"Widget") => {
            let mut parent = || {
                let parent = annotation.get::<Dict<'_>>(b"Parent");
                parent.filter(|it| found.has_room_for(it))?.get::<Object<'_>>(b"V")
            };
            annotation.get::<Object<'_>>(b"V").or_else(&mut parent)
        }
        _ => annotation.get::<Object<'_>>(b"Contents"),
    };
    let text = text.and_then(|text| found.text_of(text));
    let rich = annotation.get::<Object<'_>>(b"RC").and_then(|text| found.text_of(text));
    if let Some(rich) = rich {
        // Both have the same text, unless only the richer one was written.
        let seen = if text.is_some() { RichText::Links } else { RichText::All };
        let mut sink = RichTextSink { seen, found };
        let _ = html::read(Source::new(rich.as_bytes()), &mut sink);
    }
    found.add(text, PdfLinkKind::Note);
}

/// The new text in the rich text of an annotation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RichText {
    All,
    /// Its links: another entry has its text.
    Links,
}

/// Adds the content of rich text, which is XHTML (ISO 32000-2, 12.7.4.4).
struct RichTextSink<'f> {
    seen: RichText,
    found: &'f mut FoundLinks,
}

impl EventSink for RichTextSink<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Part(part) = event {
            let kind = match part.role {
                Role::Destination => Some(PdfLinkKind::Uri),
                Role::Text if self.seen == RichText::All => Some(PdfLinkKind::Note),
                _ => None,
            };
            if let Some(kind) = kind {
                self.found.add(Some(lossy(part.text).into_owned()), kind);
            }
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::new()
    }
}

/// Adds the targets of an action and of those that follow it.
fn add_action(action: Dict<'_>, found: &mut FoundLinks) {
    let mut open = vec![action];
    for _ in 0..MAX_NEXT {
        let Some(action) = open.pop() else { return };
        if !found.has_room_for(&action) {
            return;
        }
        let kind = action.get::<Name<'_>>(b"S");
        match kind.as_ref().map(AsRef::as_ref) {
            Some(b"URI") => {
                let uri = action.get::<PdfString<'_>>(b"URI");
                let uri = uri.and_then(|uri| found.text(&uri));
                found.add(uri, PdfLinkKind::Uri);
            }
            // A file, which may be given as a URL.
            Some(b"GoToR" | b"GoToE" | b"Thread") => add_file(&action, PdfLinkKind::File, found),
            Some(b"Launch") => {
                add_launch_parameters(&action, found);
                add_file(&action, PdfLinkKind::File, found);
            }
            Some(b"SubmitForm" | b"ImportData") => add_file(&action, PdfLinkKind::Uri, found),
            Some(b"GoTo") => found.add_destination(action.get::<Object<'_>>(b"D")),
            Some(b"JavaScript") => {
                let script = action.get::<Object<'_>>(b"JS");
                let script = script.and_then(|script| found.text_of(script));
                found.add(script, PdfLinkKind::Script);
            }
            _ => {}
        }
        match action.get::<Object<'_>>(b"Next") {
            Some(Object::Dict(next)) => open.push(next),
            Some(Object::Array(next)) => {
                let mut actions = next.iter::<Dict<'_>>();
                let next: Vec<Dict<'_>> = actions.by_ref().take(MAX_NEXT).collect();
                found.is_cut |= actions.next().is_some();
                open.extend(next.into_iter().rev());
            }
            _ => {}
        }
    }
    found.is_cut |= !open.is_empty();
}

/// Adds what an action starts on Windows: a program or file, and what it is given (ISO 32000-1,
/// 12.6.4.5).
fn add_launch_parameters(action: &Dict<'_>, found: &mut FoundLinks) {
    let Some(windows) = action.get::<Dict<'_>>(b"Win") else { return };
    for (key, kind) in [(b"F", PdfLinkKind::File), (b"P", PdfLinkKind::Note)] {
        let text = windows.get::<PdfString<'_>>(key.as_slice());
        let text = text.and_then(|text| found.text(&text));
        found.add(text, kind);
    }
}

/// Adds the name of the file of an action.
fn add_file(action: &Dict<'_>, kind: PdfLinkKind, found: &mut FoundLinks) {
    let name = match action.get::<Object<'_>>(b"F") {
        Some(Object::String(name)) => Some(name),
        Some(Object::Dict(file)) => file.get::<PdfString<'_>>(b"UF").or_else(|| file.get(b"F")),
        _ => None,
    };
    let name = name.and_then(|name| found.text(&name));
    found.add(name, kind);
}

/// Adds the links of the actions of a document.
pub(super) fn add_of_catalog<'a>(catalog: &Dict<'a>, xref: &'a XRef, found: &mut FoundLinks) {
    if let Some(action) = catalog.get::<Dict<'_>>(b"OpenAction") {
        add_action(action, found);
    }
    add_additional(catalog, found);
    // Scripts that run when the document is opened (ISO 32000-2, 12.6.4.17).
    let is_complete = walk_names(catalog, xref, b"JavaScript", |_, action| match action {
        Object::Dict(action) if found.has_room_for(action) => add_action(action.clone(), found),
        _ => {}
    });
    found.is_cut |= !is_complete;
}

/// Adds the values of the fields of a form, and what their actions lead to (ISO 32000-2, 12.7.4).
/// Fields need no place on a page.
pub(super) fn add_of_form<'a>(catalog: &Dict<'a>, xref: &'a XRef, found: &mut FoundLinks) {
    let Some(form) = catalog.get::<Dict<'_>>(b"AcroForm") else { return };
    // A form of XML, whole or in pieces with names.
    match form.get::<Object<'_>>(b"XFA") {
        Some(Object::Array(pieces)) => {
            let mut pieces = pieces.iter::<Object<'_>>();
            for piece in pieces.by_ref().take(MAX_EVENTS) {
                if matches!(piece, Object::Stream(_)) {
                    let text = found.text_of(piece);
                    found.add(text, PdfLinkKind::Note);
                }
            }
            found.is_cut |= pieces.next().is_some();
        }
        Some(whole) => {
            let text = found.text_of(whole);
            found.add(text, PdfLinkKind::Note);
        }
        None => {}
    }
    let mut walk = ObjectWalk::new(xref);
    let mut open = fields(&form, b"Fields", &mut walk, found);
    while let Some(field) = open.pop() {
        if !found.has_room_for(&field) {
            return;
        }
        for key in [b"V".as_slice(), b"DV", b"RV", b"TU"] {
            let text = field.get::<Object<'_>>(key).and_then(|text| found.text_of(text));
            found.add(text, PdfLinkKind::Note);
        }
        if let Some(action) = field.get::<Dict<'_>>(b"A") {
            add_action(action, found);
        }
        add_additional(&field, found);
        // Fields without numbers are bounded by this.
        if open.len() < MAX_LINKS {
            open.extend(fields(&field, b"Kids", &mut walk, found));
        }
    }
}

/// Returns the fields that a form or a field lists.
fn fields<'a>(
    dictionary: &Dict<'a>,
    key: &[u8],
    walk: &mut ObjectWalk<'a>,
    found: &mut FoundLinks,
) -> Vec<Dict<'a>> {
    let Some(listed) = dictionary.get::<Array<'a>>(key) else { return Vec::new() };
    let mut listed = walk.items(&listed);
    let fields = listed.by_ref().take(MAX_LINKS).collect();
    found.is_cut |= listed.next().is_some();
    fields
}

/// Returns the base of relative links.
pub(super) fn base(catalog: &Dict<'_>) -> Option<String> {
    let base = catalog.get::<Dict<'_>>(b"URI")?.get::<PdfString<'_>>(b"Base")?;
    Some(text_string(&base))
}

/// Adds the links of the outline, and titles that may contain a URI.
pub(super) fn add_of_outline<'a>(catalog: &Dict<'a>, xref: &'a XRef, found: &mut FoundLinks) {
    let mut walk = ObjectWalk::new(xref);
    let Some(root) = walk.entry(catalog, b"Outlines") else { return };
    let mut open = vec![root];
    while let Some(parent) = open.pop() {
        let mut next = walk.entry(&parent, b"First");
        while let Some(item) = next.take() {
            if !found.has_room_for(&item) {
                return;
            }
            let before = found.links.len();
            if let Some(action) = item.get::<Dict<'_>>(b"A") {
                add_action(action, found);
            }
            let destination = item.get::<Object<'_>>(b"Dest");
            found.add_destination(destination);
            let title = item.get::<PdfString<'_>>(b"Title").and_then(|title| found.text(&title));
            for link in found.links.iter_mut().skip(before) {
                link.label.clone_from(&title);
            }
            next = walk.entry(&item, b"Next");
            open.push(item);
        }
    }
}

/// Returns the names of attached files.
pub(super) fn attachment_names<'a>(
    catalog: &Dict<'a>,
    xref: &'a XRef,
    found: &mut FoundLinks,
) -> Vec<String> {
    let mut names = Vec::new();
    walk_names(catalog, xref, b"EmbeddedFiles", |_, file| {
        if let Object::Dict(file) = file {
            let name = file.get::<PdfString<'_>>(b"UF").or_else(|| file.get(b"F"));
            names.extend(name.and_then(|name| found.text(&name)));
        }
    });
    names
}

/// Returns the names of all destinations (ISO 32000-2, 12.3.2.4); `None` if there are too many to
/// be sure.
pub(super) fn destination_names<'a>(catalog: &Dict<'a>, xref: &'a XRef) -> Option<HashSet<String>> {
    let mut names = HashSet::default();
    // PDF 1.1 has a dictionary.
    if let Some(dictionary) = catalog.get::<Dict<'_>>(b"Dests") {
        names.extend(dictionary.keys().take(MAX_NAMES).map(|key| text_string(key.as_ref())));
    }
    let is_complete = walk_names(catalog, xref, b"Dests", |name, _| {
        names.insert(text_string(name));
    });
    (is_complete && names.len() < MAX_NAMES).then_some(names)
}

/// Passes the entries of a name tree to `visit` (ISO 32000-2, 7.9.6). Returns false if it has too
/// many.
pub(super) fn walk_names<'a>(
    catalog: &Dict<'a>,
    xref: &'a XRef,
    tree: &[u8],
    mut visit: impl FnMut(&[u8], &Object<'a>),
) -> bool {
    let names = catalog.get::<Dict<'_>>(b"Names");
    let mut walk = ObjectWalk::new(xref);
    let Some(tree) = names.and_then(|names| walk.entry(&names, tree)) else {
        return true;
    };
    let mut open = vec![tree];
    let mut left = MAX_NAMES;
    while let Some(node) = open.pop() {
        let names = node.get::<Array<'_>>(b"Names");
        let mut entries = names.iter().flat_map(|names| names.iter::<Object<'_>>());
        while let (Some(Object::String(name)), Some(value)) = (entries.next(), entries.next()) {
            visit(&name, &value);
            // Many entries may share a long name or value.
            let size = if let Object::Dict(value) = &value { value.data().len() } else { 0 };
            left = left.saturating_sub(1 + (name.len() + size) / NAME_BYTES);
            if left == 0 {
                return false;
            }
        }
        if let Some(kids) = node.get::<Array<'_>>(b"Kids") {
            open.extend(walk.items(&kids).take(MAX_LINKS));
        }
        left = left.saturating_sub(1);
        if left == 0 {
            return false;
        }
    }
    true
}

/// Decodes a text string: UTF-16 with a mark, else UTF-8 or bytes (ISO 32000-2, 7.9.2.2).
pub(super) fn text_string(bytes: &[u8]) -> String {
    let units = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = rest.chunks_exact(2).map(|pair| match pair {
            [first, second] => unit([*first, *second]),
            _ => 0,
        });
        char::decode_utf16(units).map(|it| it.unwrap_or('\u{fffd}')).collect::<String>()
    };
    match bytes {
        [0xfe, 0xff, rest @ ..] => units(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => units(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::text_string;

    #[test]
    fn text_strings() {
        assert_eq!(text_string(b"\xfe\xff\0h\0t"), "ht");
        assert_eq!(text_string("é".as_bytes()), "é");
        assert_eq!(text_string(b"\xe9"), "é");
    }
}
