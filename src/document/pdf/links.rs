//! Links of annotations, actions, and outlines (ISO 32000-2, 12.3, 12.5, 12.6).

use hayro_syntax::object::{Array, Dict, Name, Object, Rect, String as PdfString};

use super::stream::decoded;
use crate::document::writer::link_content;
use crate::document::{Content, Role};
use crate::hash::HashSet;
use crate::percent::{self, PercentSet};
use crate::registry;
use crate::slice::lossy;

/// Most links of one page or outline.
pub(super) const MOST_LINKS: usize = 20_000;
/// Most names of one tree.
const MOST_NAMES: usize = 200_000;
/// Most actions that follow one another.
const MOST_NEXT: usize = 8;
/// Most events of an annotation, and pieces of a form in XML. The standard has 14 events in its
/// largest dictionary (ISO 32000-2, 12.6.3).
const MOST_EVENTS: usize = 32;

/// The links of a page or of a document.
#[derive(Default)]
pub(super) struct FoundLinks {
    pub links: Vec<PdfLink>,
    /// True if a limit was reached, so that there may be more.
    pub is_cut: bool,
}

/// A link, or another text that is not drawn, and where it is on its page.
pub(super) struct PdfLink {
    /// A URI, the path of a file, `#` and the encoded name of a destination, or a text.
    pub uri: String,
    pub kind: LinkKind,
    pub rectangle: Option<Rect>,
    /// The title of an outline, if it is in one.
    pub label: Option<String>,
}

/// The kind of a link's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkKind {
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
    fn new(uri: String, kind: LinkKind) -> Self {
        Self { uri, kind, rectangle: None, label: None }
    }

    /// Returns a link to a destination, unless that is a page and not a name.
    fn to_destination(destination: Object<'_>) -> Option<Self> {
        let name = destination_name(destination)?;
        let uri = format!("#{}", percent::encode(&name, PercentSet::Fragment));
        Some(Self::new(uri, LinkKind::Destination))
    }

    /// Returns the way to search its target.
    pub fn content(&self) -> Content {
        match self.kind {
            LinkKind::Destination => Content::Reference,
            LinkKind::File if is_path(&self.uri) && !self.uri.contains(['#', '?']) => {
                Content::Reference
            }
            // A URI may be relative to the base of the document (ISO 32000-2, 12.6.4.8). Without a
            // scheme, it may also be a host or an address of mail, which viewers complete.
            LinkKind::Uri if is_path(&self.uri) && is_address(&self.uri) => Content::Value,
            LinkKind::Uri => link_content(self.uri.as_bytes()),
            LinkKind::File => Content::Value,
            LinkKind::Script | LinkKind::Note => Content::Text,
        }
    }

    /// Returns what its target is for readers, and the name of where it is on a page.
    pub const fn meaning(&self) -> (Role, &'static str) {
        match self.kind {
            LinkKind::Uri | LinkKind::File | LinkKind::Destination => (Role::Destination, "link"),
            LinkKind::Script => (Role::Code, "script"),
            LinkKind::Note => (Role::Comment, "note"),
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

/// Returns the name of a destination; `None` for an explicit one.
fn destination_name(destination: Object<'_>) -> Option<String> {
    match destination {
        Object::Name(name) => Some(text_string(name.as_ref())),
        Object::String(name) => Some(text_string(&name)),
        _ => None,
    }
}

/// Returns the links of the annotations of a page.
pub(super) fn of_page(page: &Dict<'_>) -> FoundLinks {
    let mut found = FoundLinks::default();
    add_additional(page, &mut found);
    let Some(annotations) = page.get::<Array<'_>>(b"Annots") else {
        return found;
    };
    let mut annotations = annotations.iter::<Dict<'_>>();
    for annotation in annotations.by_ref().take(MOST_LINKS) {
        let before = found.links.len();
        if let Some(action) = annotation.get::<Dict<'_>>(b"A") {
            add_action(action, &mut found);
        }
        let destination = annotation.get::<Object<'_>>(b"Dest");
        found.links.extend(destination.and_then(PdfLink::to_destination));
        add_additional(&annotation, &mut found);
        add_notes(&annotation, &mut found.links);
        let rectangle = annotation.get::<Rect>(b"Rect");
        for link in found.links.iter_mut().skip(before) {
            link.rectangle = rectangle;
        }
    }
    found.is_cut |= annotations.next().is_some();
    found
}

/// Adds the links of additional actions, which events trigger.
fn add_additional(dictionary: &Dict<'_>, found: &mut FoundLinks) {
    let Some(actions) = dictionary.get::<Dict<'_>>(b"AA") else { return };
    let mut keys = actions.keys();
    for key in keys.by_ref().take(MOST_EVENTS) {
        if let Some(action) = actions.get::<Dict<'_>>(&key) {
            add_action(action, found);
        }
    }
    found.is_cut |= keys.next().is_some();
}

/// Adds what was written into an annotation (ISO 32000-2, 12.5.2, 12.7.4).
fn add_notes(annotation: &Dict<'_>, links: &mut Vec<PdfLink>) {
    let kind = annotation.get::<Name<'_>>(b"Subtype");
    let text = match kind.as_ref().map(AsRef::as_ref) {
        // The contents of a link describe its target, and a window shows those of its note.
        Some(b"Link" | b"Popup") => None,
        Some(b"Widget") => {
            let parent = || annotation.get::<Dict<'_>>(b"Parent")?.get::<Object<'_>>(b"V");
            annotation.get::<Object<'_>>(b"V").or_else(parent).and_then(text_of)
        }
        _ => annotation.get::<Object<'_>>(b"Contents").and_then(text_of),
    };
    links.extend(text.map(|text| PdfLink::new(text, LinkKind::Note)));
}

/// Returns a text that is a string or a stream.
fn text_of(object: Object<'_>) -> Option<String> {
    match object {
        Object::String(text) => Some(text_string(&text)),
        Object::Stream(text) => decoded(&text).map(|it| text_string(&it.bytes)),
        _ => None,
    }
}

/// Adds the targets of an action and of those that follow it.
fn add_action(action: Dict<'_>, found: &mut FoundLinks) {
    let mut open = vec![action];
    for _ in 0..MOST_NEXT {
        let Some(action) = open.pop() else { return };
        let kind = action.get::<Name<'_>>(b"S");
        let kind = kind.as_ref().map(AsRef::as_ref);
        let file = |kind| Some(PdfLink::new(file_name(&action)?, kind));
        let link = match kind {
            Some(b"URI") => {
                let uri = action.get::<PdfString<'_>>(b"URI");
                uri.map(|uri| PdfLink::new(text_string(&uri), LinkKind::Uri))
            }
            // A file, which may be given as a URL.
            Some(b"GoToR" | b"GoToE" | b"Thread") => file(LinkKind::File),
            Some(b"Launch") => {
                found.links.extend(launch_parameters(&action));
                file(LinkKind::File)
            }
            Some(b"SubmitForm" | b"ImportData") => file(LinkKind::Uri),
            Some(b"GoTo") => action.get::<Object<'_>>(b"D").and_then(PdfLink::to_destination),
            Some(b"JavaScript") => {
                let script = action.get::<Object<'_>>(b"JS").and_then(text_of);
                script.map(|script| PdfLink::new(script, LinkKind::Script))
            }
            _ => None,
        };
        found.links.extend(link);
        match action.get::<Object<'_>>(b"Next") {
            Some(Object::Dict(next)) => open.push(next),
            Some(Object::Array(next)) => {
                let mut actions = next.iter::<Dict<'_>>();
                let next: Vec<Dict<'_>> = actions.by_ref().take(MOST_NEXT).collect();
                found.is_cut |= actions.next().is_some();
                open.extend(next.into_iter().rev());
            }
            _ => {}
        }
    }
    found.is_cut |= !open.is_empty();
}

/// Returns what an action starts on Windows: a program or file, and what it is given (ISO 32000-1,
/// 12.6.4.5).
fn launch_parameters(action: &Dict<'_>) -> Vec<PdfLink> {
    let Some(windows) = action.get::<Dict<'_>>(b"Win") else { return Vec::new() };
    let text = |key: &[u8]| windows.get::<PdfString<'_>>(key).map(|text| text_string(&text));
    let file = text(b"F").map(|file| PdfLink::new(file, LinkKind::File));
    file.into_iter().chain(text(b"P").map(|it| PdfLink::new(it, LinkKind::Note))).collect()
}

/// Returns the name of the file of an action.
fn file_name(action: &Dict<'_>) -> Option<String> {
    match action.get::<Object<'_>>(b"F")? {
        Object::String(name) => Some(text_string(&name)),
        Object::Dict(file) => {
            let name = file.get::<PdfString<'_>>(b"UF").or_else(|| file.get(b"F"))?;
            Some(text_string(&name))
        }
        _ => None,
    }
}

/// Returns the links of the actions of a document.
pub(super) fn of_catalog(catalog: &Dict<'_>) -> FoundLinks {
    let mut found = FoundLinks::default();
    if let Some(action) = catalog.get::<Dict<'_>>(b"OpenAction") {
        add_action(action, &mut found);
    }
    add_additional(catalog, &mut found);
    // Scripts that run when the document is opened (ISO 32000-2, 12.6.4.17).
    let is_complete = walk_names(catalog, b"JavaScript", |_, action| match action {
        Object::Dict(action) if found.links.len() < MOST_LINKS => {
            add_action(action.clone(), &mut found);
        }
        _ => found.is_cut |= found.links.len() >= MOST_LINKS,
    });
    found.is_cut |= !is_complete;
    found
}

/// Returns the values of the fields of a form, and what their actions lead to (ISO 32000-2, 12.7.4).
/// Fields need no place on a page.
pub(super) fn of_form(catalog: &Dict<'_>) -> FoundLinks {
    let mut found = FoundLinks::default();
    let Some(form) = catalog.get::<Dict<'_>>(b"AcroForm") else { return found };
    let note = |text: Option<String>| text.map(|text| PdfLink::new(text, LinkKind::Note));
    // A form of XML, whole or in pieces with names.
    match form.get::<Object<'_>>(b"XFA") {
        Some(Object::Array(pieces)) => {
            let mut pieces = pieces.iter::<Object<'_>>();
            let streams = pieces.by_ref().take(MOST_EVENTS);
            let streams = streams.filter(|piece| matches!(piece, Object::Stream(_)));
            found.links.extend(streams.filter_map(|piece| note(text_of(piece))));
            found.is_cut |= pieces.next().is_some();
        }
        Some(whole) => found.links.extend(note(text_of(whole))),
        None => {}
    }
    let mut open = fields(&form, b"Fields", &mut found);
    let mut left = MOST_LINKS;
    while let Some(field) = open.pop() {
        left -= 1;
        if left == 0 {
            found.is_cut = true;
            break;
        }
        for key in [b"V".as_slice(), b"DV", b"RV", b"TU"] {
            found.links.extend(note(field.get::<Object<'_>>(key).and_then(text_of)));
        }
        if let Some(action) = field.get::<Dict<'_>>(b"A") {
            add_action(action, &mut found);
        }
        add_additional(&field, &mut found);
        // A field that names itself as its child adds no more fields than this.
        if open.len() < MOST_LINKS {
            open.extend(fields(&field, b"Kids", &mut found));
        }
    }
    found
}

/// Returns the fields that a form or a field lists.
fn fields<'a>(dictionary: &Dict<'a>, key: &[u8], found: &mut FoundLinks) -> Vec<Dict<'a>> {
    let Some(listed) = dictionary.get::<Array<'_>>(key) else { return Vec::new() };
    let mut listed = listed.iter::<Dict<'_>>();
    let fields = listed.by_ref().take(MOST_LINKS).collect();
    found.is_cut |= listed.next().is_some();
    fields
}

/// Returns the base of relative links.
pub(super) fn base(catalog: &Dict<'_>) -> Option<String> {
    let base = catalog.get::<Dict<'_>>(b"URI")?.get::<PdfString<'_>>(b"Base")?;
    Some(text_string(&base))
}

/// Returns the links of the outline, and titles that may hold a URI.
pub(super) fn of_outline(catalog: &Dict<'_>) -> FoundLinks {
    let mut found = FoundLinks::default();
    let first = |dictionary: &Dict<'_>| dictionary.get_ref(b"First");
    let Some(root) = catalog.get::<Dict<'_>>(b"Outlines") else { return found };
    let mut seen = crate::hash::HashSet::default();
    let mut open = vec![root];
    let mut left = MOST_LINKS;
    while let Some(parent) = open.pop() {
        let mut is_new = |dictionary: &Dict<'_>, key: &[u8]| match dictionary.get_ref(key) {
            Some(reference) => seen.insert((reference.obj_number, reference.gen_number)),
            None => true,
        };
        if first(&parent).is_none() || !is_new(&parent, b"First") {
            continue;
        }
        let mut next = parent.get::<Dict<'_>>(b"First");
        while let Some(item) = next.take() {
            left -= 1;
            if left == 0 {
                found.is_cut = true;
                return found;
            }
            let before = found.links.len();
            if let Some(action) = item.get::<Dict<'_>>(b"A") {
                add_action(action, &mut found);
            }
            let destination = item.get::<Object<'_>>(b"Dest");
            found.links.extend(destination.and_then(PdfLink::to_destination));
            let title = item.get::<PdfString<'_>>(b"Title").map(|title| text_string(&title));
            for link in found.links.iter_mut().skip(before) {
                link.label.clone_from(&title);
            }
            if is_new(&item, b"Next") {
                next = item.get::<Dict<'_>>(b"Next");
            }
            open.push(item);
        }
    }
    found
}

/// Returns the names of attached files.
pub(super) fn attachment_names(catalog: &Dict<'_>) -> Vec<String> {
    let mut found = Vec::new();
    walk_names(catalog, b"EmbeddedFiles", |_, file| {
        if let Object::Dict(file) = file {
            let name = file.get::<PdfString<'_>>(b"UF").or_else(|| file.get(b"F"));
            found.extend(name.map(|name| text_string(&name)));
        }
    });
    found
}

/// Returns the names of all destinations (ISO 32000-2, 12.3.2.4); `None` if there are too many to be
/// sure.
pub(super) fn destination_names(catalog: &Dict<'_>) -> Option<HashSet<String>> {
    let mut names = HashSet::default();
    // PDF 1.1 has a dictionary.
    if let Some(dictionary) = catalog.get::<Dict<'_>>(b"Dests") {
        names.extend(dictionary.keys().take(MOST_NAMES).map(|key| text_string(key.as_ref())));
    }
    let is_complete = walk_names(catalog, b"Dests", |name, _| {
        names.insert(text_string(name));
    });
    (is_complete && names.len() < MOST_NAMES).then_some(names)
}

/// Passes the entries of a name tree to `visit` (ISO 32000-2, 7.9.6). Returns false if it has too many.
pub(super) fn walk_names<'a>(
    catalog: &Dict<'a>,
    tree: &[u8],
    mut visit: impl FnMut(&[u8], &Object<'a>),
) -> bool {
    let names = catalog.get::<Dict<'_>>(b"Names");
    let Some(tree) = names.and_then(|names| names.get::<Dict<'_>>(tree)) else {
        return true;
    };
    let mut open = vec![tree];
    let mut left = MOST_NAMES;
    while let Some(node) = open.pop() {
        let names = node.get::<Array<'_>>(b"Names");
        let mut entries = names.iter().flat_map(|names| names.iter::<Object<'_>>());
        while let (Some(Object::String(name)), Some(value)) = (entries.next(), entries.next()) {
            visit(&name, &value);
            left = left.saturating_sub(1);
        }
        if let Some(kids) = node.get::<Array<'_>>(b"Kids") {
            open.extend(kids.iter::<Dict<'_>>().take(MOST_LINKS));
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
