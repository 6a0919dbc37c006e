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
/// Most dictionaries and arrays in one another.
const MOST_DEPTH: usize = 8;
/// Most bytes of strings that are kept.
const MOST_BYTES: usize = 16 << 20;

/// Bytes of objects that are read in any file, and in addition for each byte of a file. Objects in streams
/// are packed. What is larger has objects in one another, and would take quadratic time.
const FREE_BYTES: usize = 32 << 20;
const MOST_RATIO: usize = 64;

/// What strings a file hides.
pub(super) struct HiddenStrings {
    /// Those that may hold a URI, each once.
    pub strings: Vec<String>,
    /// Whether objects were left.
    pub is_cut: bool,
}

/// Returns the strings that are not `shown`.
pub(super) fn hidden(file: &PdfFile, shown: &HashSet<String>) -> HiddenStrings {
    let mut found = FoundStrings { shown, seen: HashSet::default(), all: Vec::new(), bytes: 0 };
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
            None => return HiddenStrings { strings: found.all, is_cut: true },
        };
        let dict = match object {
            Object::Dict(dict) => dict,
            Object::Stream(stream) => stream.dict().clone(),
            _ => continue,
        };
        found.add_dict(&dict, 0);
    }
    HiddenStrings { strings: found.all, is_cut: false }
}

struct FoundStrings<'s> {
    shown: &'s HashSet<String>,
    seen: HashSet<String>,
    all: Vec<String>,
    bytes: usize,
}

impl FoundStrings<'_> {
    fn add_dict(&mut self, dict: &Dict<'_>, depth: usize) {
        for (key, value) in dict.entries() {
            let MaybeRef::NotRef(value) = value else { continue };
            self.add(&value, KEYS.contains(&&*key), depth + 1);
        }
    }

    fn add(&mut self, value: &Object<'_>, is_wanted: bool, depth: usize) {
        if depth > MOST_DEPTH {
            return;
        }
        match value {
            Object::String(text) if is_wanted && memchr(b':', text).is_some() => {
                let text = text_string(text);
                if self.bytes + text.len() <= MOST_BYTES
                    && !self.shown.contains(&text)
                    && self.seen.insert(text.clone())
                {
                    self.bytes += text.len();
                    self.all.push(text);
                }
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
}
