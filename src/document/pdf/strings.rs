//! Strings that no page shows: descriptions of pictures and tables (ISO 32000-2, 14.9.3),
//! expansions of abbreviations, choices of fields, titles of bookmarks, and addresses of actions
//! that no page has.

use hayro_syntax::Pdf as PdfFile;
use hayro_syntax::object::{Dict, MaybeRef, Object, ObjectIdentifier};
use memchr::memchr;

use super::is_encrypted;
use super::links::text_string;
use crate::hash::HashSet;
use crate::slice::{SliceExt as _, lossy};

/// Maximum length of a reference to an object, with white space.
const MAX_REFERENCE_BYTES: usize = 48;

/// The keys of such strings.
const KEYS: [&[u8]; 7] = [b"Alt", b"Desc", b"E", b"Opt", b"TU", b"Title", b"URI"];
/// Maximum nesting of dictionaries and arrays.
const MAX_DEPTH: usize = 8;
/// Most bytes of strings that are kept.
const MAX_BYTES: usize = 16 << 20;

/// Bytes of objects that are read in any file, and in addition for each byte of a file, because
/// objects in streams are packed. Beyond this, objects overlap, and reading all of them would take
/// quadratic time.
const FREE_BYTES: usize = 32 << 20;
const MAX_RATIO: usize = 64;

/// Trailers of a file that are read: each change appended to a file adds one.
const MAX_TRAILERS: usize = 64;
/// Most properties with names of the author's choice that are read.
const MAX_PROPERTIES: usize = 1000;

/// Returns the strings of the document information dictionary whose names are not in the standard
/// (ISO 32000-2, 14.3.3), if they may hold a URI.
pub(super) fn of_information(file: &PdfFile) -> Vec<String> {
    let bytes: &[u8] = file.data().as_ref();
    let trailers = memchr::memmem::rfind_iter(bytes, b"/Info").take(MAX_TRAILERS);
    // The library does not give access to the dictionary of the last trailer.
    let found = trailers.filter_map(|at| reference(bytes.clamped(at + b"/Info".len()..)));
    let Some(information) = found.filter_map(|id| file.xref().get::<Dict<'_>>(id)).next() else {
        return Vec::new();
    };
    let mut strings = Vec::new();
    let mut left = MAX_BYTES;
    for (key, value) in information.entries().take(MAX_PROPERTIES) {
        let MaybeRef::NotRef(Object::String(text)) = value else { continue };
        let is_known = INFORMATION.contains(&&*key) || text.starts_with(b"D:");
        if is_known || memchr(b':', &text).is_none() || text.len() > left {
            continue;
        }
        left -= text.len();
        strings.push(text_string(&text));
    }
    strings
}

/// Keys of the standard, whose values are read by their names.
const INFORMATION: [&[u8]; 6] =
    [b"Title", b"Author", b"Subject", b"Keywords", b"Creator", b"Producer"];

/// Returns the object that `1 0 R` names at the start of a text.
fn reference(text: &[u8]) -> Option<ObjectIdentifier> {
    let mut words = text
        .clamped(..MAX_REFERENCE_BYTES)
        .split(u8::is_ascii_whitespace)
        .filter(|it| !it.is_empty());
    let mut number = || lossy(words.next()?).parse::<u32>().ok();
    let (object, generation) = (number()?, number()?);
    let is_reference = words.next().is_some_and(|word| word.starts_with(b"R"));
    is_reference.then(|| ObjectIdentifier {
        obj_number: object,
        gen_number: i32::try_from(generation).unwrap_or_default(),
    })
}

/// Strings that no page shows.
pub(super) struct HiddenStrings {
    /// The strings that may contain a URI, each once.
    pub strings: Vec<String>,
    /// True if objects that nest were not read.
    pub is_nested: bool,
    /// True if strings beyond [`MAX_BYTES`] were not kept.
    pub is_full: bool,
}

/// Returns the strings that are not `shown`.
pub(super) fn hidden(file: &PdfFile, shown: &HashSet<String>) -> HiddenStrings {
    let mut found = FoundStrings::new(shown);
    let bytes: &[u8] = file.data().as_ref();
    let mut left = bytes.len().saturating_mul(MAX_RATIO).saturating_add(FREE_BYTES);
    // The bytes of a stream would be decrypted to be counted.
    let is_encrypted = is_encrypted(bytes);
    for object in file.objects() {
        let size = match &object {
            Object::Dict(dict) => dict.data().len(),
            Object::Array(list) => list.data().len(),
            Object::String(text) => text.len(),
            Object::Stream(stream) if is_encrypted => stream.dict().data().len(),
            Object::Stream(stream) => stream.dict().data().len() + stream.raw_data().len(),
            _ => 0,
        };
        left = match left.checked_sub(size) {
            Some(left) => left,
            None => {
                found.hidden.is_nested = true;
                break;
            }
        };
        let dict = match object {
            Object::Dict(dict) => dict,
            Object::Stream(stream) => stream.dict().clone(),
            _ => continue,
        };
        found.add_dict(&dict, 0);
    }
    found.hidden
}

struct FoundStrings<'s> {
    shown: &'s HashSet<String>,
    seen: HashSet<String>,
    hidden: HiddenStrings,
    bytes: usize,
}

impl<'s> FoundStrings<'s> {
    fn new(shown: &'s HashSet<String>) -> Self {
        let hidden = HiddenStrings { strings: Vec::new(), is_nested: false, is_full: false };
        Self { shown, seen: HashSet::default(), hidden, bytes: 0 }
    }

    fn add_dict(&mut self, dict: &Dict<'_>, depth: usize) {
        for (key, value) in dict.entries() {
            // The target of a reference is an object, and the caller walks all objects.
            let MaybeRef::NotRef(value) = value else { continue };
            self.add(&value, KEYS.contains(&&*key), depth + 1);
        }
    }

    fn add(&mut self, value: &Object<'_>, is_wanted: bool, depth: usize) {
        match value {
            // A URI has a colon. Most strings have none, and decoding them would take time.
            Object::String(text) if is_wanted && memchr(b':', text).is_some() => {
                self.add_text(text_string(text));
            }
            Object::Dict(_) | Object::Array(_) if depth > MAX_DEPTH => self.hidden.is_nested = true,
            Object::Dict(dict) => self.add_dict(dict, depth),
            Object::Array(list) => {
                for item in list.raw_iter() {
                    if let MaybeRef::NotRef(item) = item {
                        self.add(&item, is_wanted, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }
    /// Keeps a new string, or notes that it does not fit.
    fn add_text(&mut self, text: String) {
        if self.shown.contains(&text) || self.seen.contains(&text) {
            return;
        }
        if self.bytes + text.len() > MAX_BYTES {
            self.hidden.is_full = true;
            return;
        }
        self.bytes += text.len();
        self.seen.insert(text.clone());
        self.hidden.strings.push(text);
    }
}
