//! The name that was meant, among those that are there.
//!
//! Each name is in an index under what a slip of the pen leaves of it: its letters and digits
//! in lower case, the same without an extension, and the same without one character. Two names
//! that share a key are one edit apart (a character more, less, other, or two swapped), or differ in
//! case, punctuation or extension. So a look-up costs the length of the name, however many there are.

use crate::hash::HashMap;

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
        let names = names.into_iter().take(MOST);
        let names: Vec<String> = names.map(|name| name.as_ref().to_owned()).collect();
        let mut index = HashMap::default();
        // one for each character, and those without one
        index.reserve(names.iter().map(|name| name.len().min(LONGEST) + 3).sum());
        for (at, name) in names.iter().enumerate() {
            for key in keys(name) {
                index.entry(key).or_insert(at as u32);
            }
        }
        Self { names, keys: index }
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
    let same = (!whole.is_empty()).then(|| kind(SAME, hash(&whole)));
    let missing = (whole.len() >= SHORTEST).then(|| kind(EDIT, hash(&whole)));
    let stem = (stem.len() >= SHORTEST).then(|| kind(STEM, hash(&stem)));
    let without = match whole.len() < SHORTEST {
        true => Vec::new(),
        false => without_one(&whole),
    };
    let without = without.into_iter().map(|key| kind(EDIT, key));
    same.into_iter().chain(missing).chain(without).chain(stem)
}

/// What a key is for.
const SAME: u64 = 1;
const EDIT: u64 = 2;
const STEM: u64 = 3;

fn kind(kind: u64, hash: u64) -> u64 {
    hash ^ kind << 62
}

/// Any odd number with many bits set: what names hash to is the same in every run.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of a row of characters, as the digits of a number to the base [`FACTOR`].
fn hash(key: &[char]) -> u64 {
    key.iter().fold(0, |hash, &c| digit(hash, c))
}

fn digit(hash: u64, c: char) -> u64 {
    hash.wrapping_mul(FACTOR).wrapping_add(u64::from(c) + 1)
}

/// The hashes of a row of characters without one of them, for each of them, in linear time.
fn without_one(key: &[char]) -> Vec<u64> {
    // What follows a character, and how far that moves what is before it.
    let mut after = Vec::with_capacity(key.len());
    let (mut rest, mut power) = (0u64, 1u64);
    for &c in key.iter().rev() {
        after.push((rest, power));
        rest = rest.wrapping_add((u64::from(c) + 1).wrapping_mul(power));
        power = power.wrapping_mul(FACTOR);
    }
    let mut before = 0u64;
    let places = key.iter().zip(after.into_iter().rev());
    let hashes = places.map(|(&c, (rest, power))| {
        let hash = before.wrapping_mul(power).wrapping_add(rest);
        before = digit(before, c);
        hash
    });
    hashes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_left_out() {
        let key: Vec<char> = "übermorgen".chars().collect();
        let expected: Vec<u64> =
            (0..key.len()).map(|at| hash(&[&key[..at], &key[at + 1..]].concat())).collect();
        assert_eq!(without_one(&key), expected);
    }
}
