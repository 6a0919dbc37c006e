//! Finds the intended name among the existing ones.
//!
//! The index stores each name under keys that survive a typo: its letters and digits in lower case,
//! the same without an extension, and the same without one character. Two names that share a key
//! are one edit apart (a character more, less, different, or two swapped), or differ in case,
//! punctuation or extension. So a lookup takes time linear in the length of the name, however many
//! names there are.

use crate::hash::HashMap;

/// Maximum number of names, and of characters per name that count. Both bound the index.
const MAX_NAMES: usize = 20_000;
const MAX_LENGTH: usize = 64;

/// In a shorter name, a different character makes a different name.
const MIN_LENGTH: usize = 4;

/// An index of names that finds the closest one to a misspelled name.
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
    /// By the hash of a key: the first name with that key.
    keys: HashMap<u64, u32>,
}

impl Spellings {
    /// Builds the index of `names`; only the first 20,000 are kept.
    pub fn new<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().take(MAX_NAMES);
        let names: Vec<String> = names.map(|name| name.as_ref().to_owned()).collect();
        let mut index = HashMap::default();
        // One key per character, and those without a missing one.
        index.reserve(names.iter().map(|name| name.len().min(MAX_LENGTH) + 3).sum());
        for (at, name) in names.iter().enumerate() {
            // If several names share a key, the first one wins.
            for key in keys(name) {
                index.entry(key).or_insert(at as u32);
            }
        }
        Self { names, keys: index }
    }

    /// Returns the name that `name` is most likely a typo of.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let at = keys(name).find_map(|key| self.keys.get(&key))?;
        self.names.get(*at as usize).map(String::as_str)
    }
}

/// Returns the keys of a name, the most reliable first.
fn keys(name: &str) -> impl Iterator<Item = u64> {
    let folded = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        let lower = letters.flat_map(char::to_lowercase).take(MAX_LENGTH);
        lower.collect::<Vec<char>>()
    };
    let whole = folded(name);
    // A name without an extension matches one with an extension, so both are stored under the stem.
    let stem = match name.rsplit_once('.') {
        Some((stem, _)) => folded(stem),
        None => whole.clone(),
    };
    let same = (!whole.is_empty()).then(|| kind(SAME, hash(&whole)));
    let missing = (whole.len() >= MIN_LENGTH).then(|| kind(EDIT, hash(&whole)));
    let stem = (stem.len() >= MIN_LENGTH).then(|| kind(STEM, hash(&stem)));
    let without = if whole.len() < MIN_LENGTH { Vec::new() } else { without_one(&whole) };
    let without = without.into_iter().map(|key| kind(EDIT, key));
    same.into_iter().chain(missing).chain(without).chain(stem)
}

/// The purpose of a key.
const SAME: u64 = 1;
const EDIT: u64 = 2;
const STEM: u64 = 3;

fn kind(kind: u64, hash: u64) -> u64 {
    // The purpose is mixed into the upper bits, so that the same characters get different keys for
    // each purpose.
    hash ^ kind << 62
}

/// Any odd number with many bits set. It is constant, so that hashes are the same in every run.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// Hashes a sequence of characters, as the digits of a number to the base [`FACTOR`].
fn hash(key: &[char]) -> u64 {
    key.iter().fold(0, |hash, &c| digit(hash, c))
}

fn digit(hash: u64, c: char) -> u64 {
    hash.wrapping_mul(FACTOR).wrapping_add(u64::from(c) + 1)
}

/// Returns the hashes of a sequence of characters with each one left out in turn, in linear time.
fn without_one(key: &[char]) -> Vec<u64> {
    // Hash of the text after a character, and the factor by which it shifts the text before it.
    // The hash is a polynomial. Removing a character joins the hash of the text before it, shifted
    // by the length of the rest, and the hash of the rest. Both are known for all positions after
    // one pass in each direction.
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
