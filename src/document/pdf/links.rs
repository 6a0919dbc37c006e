//! Links of annotations, actions, and outlines (ISO 32000-2, 12.3, 12.5, 12.6).

use hayro_syntax::object::{Array, Dict, Name, Object, Rect, String as PdfString};

use crate::slice::lossy;

/// Most links of one page or outline.
const MOST_LINKS: usize = 20_000;
/// Most actions that follow one another.
const MOST_NEXT: usize = 8;

/// A link, and where it is on its page.
pub(super) struct PdfLink {
    pub uri: String,
    pub rectangle: Option<Rect>,
    /// The title of an outline, if it is in one.
    pub label: Option<String>,
}

impl PdfLink {
    fn new(uri: String) -> Self {
        Self { uri, rectangle: None, label: None }
    }
}

/// Returns the links of the annotations of a page.
pub(super) fn of_page(page: &Dict<'_>) -> Vec<PdfLink> {
    let mut links = Vec::new();
    add_additional(page, &mut links);
    let Some(annotations) = page.get::<Array<'_>>(b"Annots") else {
        return links;
    };
    for annotation in annotations.iter::<Dict<'_>>().take(MOST_LINKS) {
        let before = links.len();
        if let Some(action) = annotation.get::<Dict<'_>>(b"A") {
            add_action(action, &mut links);
        }
        add_additional(&annotation, &mut links);
        let rectangle = annotation.get::<Rect>(b"Rect");
        for link in links.iter_mut().skip(before) {
            link.rectangle = rectangle;
        }
    }
    links
}

/// Adds the links of additional actions, which events trigger.
fn add_additional(dictionary: &Dict<'_>, links: &mut Vec<PdfLink>) {
    let Some(actions) = dictionary.get::<Dict<'_>>(b"AA") else { return };
    for key in actions.keys().take(MOST_NEXT * 4) {
        if let Some(action) = actions.get::<Dict<'_>>(&key) {
            add_action(action, links);
        }
    }
}

/// Adds the targets of an action and of those that follow it.
fn add_action(action: Dict<'_>, links: &mut Vec<PdfLink>) {
    let mut next = Some(action);
    for _ in 0..MOST_NEXT {
        let Some(action) = next.take() else { return };
        let kind = action.get::<Name<'_>>(b"S");
        let kind = kind.as_ref().map(AsRef::as_ref);
        let uri = match kind {
            Some(b"URI") => action.get::<PdfString<'_>>(b"URI").map(|uri| text_string(&uri)),
            // A file, which may be given as a URL.
            Some(b"GoToR" | b"Launch" | b"SubmitForm" | b"ImportData") => file_name(&action),
            _ => None,
        };
        links.extend(uri.map(PdfLink::new));
        next = action.get::<Dict<'_>>(b"Next");
    }
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
pub(super) fn of_catalog(catalog: &Dict<'_>) -> Vec<PdfLink> {
    let mut links = Vec::new();
    if let Some(action) = catalog.get::<Dict<'_>>(b"OpenAction") {
        add_action(action, &mut links);
    }
    add_additional(catalog, &mut links);
    links
}

/// Returns the base of relative links.
pub(super) fn base(catalog: &Dict<'_>) -> Option<String> {
    let base = catalog.get::<Dict<'_>>(b"URI")?.get::<PdfString<'_>>(b"Base")?;
    Some(text_string(&base))
}

/// Returns the links of the outline, and titles that may hold a URI.
pub(super) fn of_outline(catalog: &Dict<'_>) -> Vec<PdfLink> {
    let mut links = Vec::new();
    let first = |dictionary: &Dict<'_>| dictionary.get_ref(b"First");
    let Some(root) = catalog.get::<Dict<'_>>(b"Outlines") else { return links };
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
                return links;
            }
            let before = links.len();
            if let Some(action) = item.get::<Dict<'_>>(b"A") {
                add_action(action, &mut links);
            }
            let title = item.get::<PdfString<'_>>(b"Title").map(|title| text_string(&title));
            for link in links.iter_mut().skip(before) {
                link.label.clone_from(&title);
            }
            if is_new(&item, b"Next") {
                next = item.get::<Dict<'_>>(b"Next");
            }
            open.push(item);
        }
    }
    links
}

/// Returns the names of attached files.
pub(super) fn attachment_names(catalog: &Dict<'_>) -> Vec<String> {
    let names = catalog.get::<Dict<'_>>(b"Names");
    let Some(tree) = names.and_then(|names| names.get::<Dict<'_>>(b"EmbeddedFiles")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut open = vec![tree];
    for _ in 0..MOST_LINKS {
        let Some(node) = open.pop() else { break };
        if let Some(names) = node.get::<Array<'_>>(b"Names") {
            for file in names.iter::<Object<'_>>().take(MOST_LINKS) {
                if let Object::Dict(file) = file {
                    let name = file.get::<PdfString<'_>>(b"UF").or_else(|| file.get(b"F"));
                    found.extend(name.map(|name| text_string(&name)));
                }
            }
        }
        if let Some(kids) = node.get::<Array<'_>>(b"Kids") {
            open.extend(kids.iter::<Dict<'_>>().take(1024));
        }
    }
    found
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
