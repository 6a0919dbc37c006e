//! The name that was meant, among those that are there.
//!
//! Each name is in an index under what a slip of the pen leaves of it: its letters and digits
//! in lower case, the same without an extension, and the same without one character. Two names
//! that share a key are one edit apart (a character more, less, other, or two swapped), or differ in
//! case, punctuation or extension. So a look-up costs the length of the name, however many there are.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// How many names are kept, and how many characters of each count: what bounds the index.
const MOST: usize = 20_000;
const LONGEST: usize = 64;

/// Below this many characters, a name with another character is another name.
const SHORTEST: usize = 4;

/// An index of names that finds the one closest to a misspelled one.
///
/// ```
/// use urigrep::audit::Spellings;
/// let names = Spellings::new(["install.md", "license.md", "usage.md"]);
/// assert_eq!(names.nearest("instal.md"), Some("install.md"));
/// assert_eq!(names.nearest("LICENSE"), Some("license.md"));
/// assert_eq!(names.nearest("nothing.md"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Spellings {
    names: Vec<String>,
    /// By the hash of a key: the first name that has it.
    keys: HashMap<u64, u32>,
}

impl Spellings {
    /// The index of `names`; of very many only the first 20,000 are kept.
    pub fn new<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Self {
        let mut index = Self::default();
        for (at, name) in names.into_iter().take(MOST).enumerate() {
            let name = name.as_ref();
            for key in keys(name) {
                index.keys.entry(key).or_insert(at as u32);
            }
            index.names.push(name.to_owned());
        }
        index
    }

    /// The name that `name` is most likely a slip of, if there is one.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let at = keys(name).find_map(|key| self.keys.get(&key))?;
        self.names.get(*at as usize).map(String::as_str)
    }
}

/// The keys of a name, the surest first.
fn keys(name: &str) -> impl Iterator<Item = u64> {
    let folded = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        let lower = letters.flat_map(char::to_lowercase).take(LONGEST);
        lower.collect::<Vec<char>>()
    };
    let whole = folded(name);
    let stem = match name.rsplit_once('.') {
        Some((stem, _)) => folded(stem),
        None => whole.clone(),
    };
    let without = {
        let whole = whole.clone();
        let places = if whole.len() < SHORTEST { 0 } else { whole.len() };
        (0..places).map(move |at| {
            let before = whole.iter().take(at);
            hash("edit", before.chain(whole.iter().skip(at + 1)))
        })
    };
    let same = (!whole.is_empty()).then(|| hash("same", whole.iter()));
    let missing = (whole.len() >= SHORTEST).then(|| hash("edit", whole.iter()));
    let stem = (stem.len() >= SHORTEST).then(|| hash("stem", stem.iter()));
    same.into_iter().chain(missing).chain(without).chain(stem)
}

fn hash<'c>(kind: &str, key: impl Iterator<Item = &'c char>) -> u64 {
    // The default hasher has fixed keys: the same names give the same answers in every run.
    let mut hasher = DefaultHasher::new();
    kind.hash(&mut hasher);
    key.for_each(|c| c.hash(&mut hasher));
    hasher.finish()
}
