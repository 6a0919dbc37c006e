//! Strings that no page shows: descriptions of pictures and tables (ISO 32000-2, 14.9.3), expansions of
//! abbreviations, choices of fields, titles of bookmarks, and addresses of actions that no page has.

use hayro_syntax::Pdf as PdfFile;
use hayro_syntax::object::{Dict, MaybeRef, Object};
use memchr::memchr;

use super::is_encrypted;
use super::links::text_string;
use crate::hash::HashSet;

/// The keys of such strings.
const KEYS: [&[u8]; 6] = [b"Alt", b"Desc", b"E", b"Opt", b"Title", b"URI"];
/// How deep dictionaries and arrays may nest.
const MOST_DEPTH: usize = 8;
/// Most bytes of strings that are kept.
const MOST_BYTES: usize = 16 << 20;

/// Bytes of objects that are read in any file, and in addition for each byte of a file, because
/// objects in streams are packed. Beyond this, objects overlap, and reading all of them would take
/// quadratic time.
const FREE_BYTES: usize = 32 << 20;
const MOST_RATIO: usize = 64;

/// Strings that no page shows.
pub(super) struct HiddenStrings {
    /// Those that may hold a URI, each once.
    pub strings: Vec<String>,
    /// True if objects that nest were not read.
    pub is_nested: bool,
    /// True if strings beyond [`MOST_BYTES`] were not kept.
    pub is_full: bool,
}

/// Returns the strings that are not `shown`.
pub(super) fn hidden(file: &PdfFile, shown: &HashSet<String>) -> HiddenStrings {
    let mut found = FoundStrings::new(shown);
    let bytes: &[u8] = file.data().as_ref();
    let mut left = bytes.len().saturating_mul(MOST_RATIO).saturating_add(FREE_BYTES);
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
            // What a reference leads to is an object of its own, and the caller walks all objects.
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
            Object::Dict(_) | Object::Array(_) if depth > MOST_DEPTH => {
                self.hidden.is_nested = true
            }
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
        if self.bytes + text.len() > MOST_BYTES {
            self.hidden.is_full = true;
            return;
        }
        self.bytes += text.len();
        self.seen.insert(text.clone());
        self.hidden.strings.push(text);
    }
}
