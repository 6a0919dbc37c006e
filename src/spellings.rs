//! Finds the intended name among the existing ones.
//!
//! The index stores each name under keys that survive a typo: its letters and digits in lower case,
//! the same without an extension, and the same without one character, with the position of that
//! character. So it finds names that are one edit apart (a character more, less, different, or two
//! swapped), or that differ in case, punctuation, or extension. Without the position, `insstall`
//! and `ainstall` would have the key `install` in common. A lookup takes time linear in the length
//! of the name, however many names there are.

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
            for key in FoldedName::new(name).keys() {
                index.entry(key).or_insert(at as u32);
            }
        }
        Self { names, keys: index }
    }

    /// Returns the name that `name` is most likely a typo of.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let name = FoldedName::new(name);
        let found = |key: u64| Some(*self.keys.get(&key)? as usize);
        let at = found(name.same())
            .or_else(|| name.one_more().find_map(found))
            .or_else(|| name.one_less().find_map(found))
            .or_else(|| name.one_different().find_map(found))
            .or_else(|| name.two_swapped().into_iter().find_map(found))
            .or_else(|| found(name.stem()?))?;
        self.names.get(at).map(String::as_str)
    }
}

/// The letters and digits of a name in lower case.
struct FoldedName {
    whole: Vec<char>,
    /// Without an extension. A name with one matches a name without one, so both are stored under
    /// this.
    stem: Vec<char>,
}

impl FoldedName {
    fn new(name: &str) -> Self {
        let folded = |text: &str| {
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            let lower = letters.flat_map(char::to_lowercase).take(MAX_LENGTH);
            lower.collect::<Vec<char>>()
        };
        let whole = folded(name);
        let stem = match name.rsplit_once('.') {
            Some((stem, _)) => folded(stem),
            None => whole.clone(),
        };
        Self { whole, stem }
    }

    /// Returns the keys under which this name is stored.
    fn keys(&self) -> impl Iterator<Item = u64> {
        let same = (!self.whole.is_empty()).then(|| self.same());
        same.into_iter().chain(self.one_different()).chain(self.stem())
    }

    fn same(&self) -> u64 {
        kind(SAME, hash(&self.whole))
    }

    fn stem(&self) -> Option<u64> {
        (self.stem.len() >= MIN_LENGTH).then(|| kind(STEM, hash(&self.stem)))
    }

    /// Returns the keys of this name without a character, which the names with another one there
    /// have, too.
    fn one_different(&self) -> impl Iterator<Item = u64> {
        self.without_one().into_iter().enumerate().map(|(at, hash)| edit(hash, at))
    }

    /// Returns the keys of the names that have one more character.
    fn one_more(&self) -> impl Iterator<Item = u64> {
        let (hash, length) = (hash(&self.whole), self.whole.len());
        let places = if length < MIN_LENGTH { 0..0 } else { 0..length + 1 };
        places.map(move |at| edit(hash, at))
    }

    /// Returns the keys of the names that lack one character.
    fn one_less(&self) -> impl Iterator<Item = u64> {
        let are_long_enough = self.whole.len() > MIN_LENGTH;
        let hashes = if are_long_enough { self.without_one() } else { Vec::new() };
        hashes.into_iter().map(|hash| kind(SAME, hash))
    }

    /// Returns the keys of the names in which two characters are swapped.
    fn two_swapped(&self) -> Vec<u64> {
        if self.whole.len() < MIN_LENGTH {
            return Vec::new();
        }
        let second = self.whole.iter().skip(1);
        let rest = suffix_hashes(&self.whole).into_iter().skip(2);
        let mut before = 0;
        let swapped = self.whole.iter().zip(second).zip(rest).map(|((&a, &b), (rest, power))| {
            let swapped = digit(digit(before, b), a);
            before = digit(before, a);
            kind(SAME, swapped.wrapping_mul(power).wrapping_add(rest))
        });
        swapped.collect()
    }

    fn without_one(&self) -> Vec<u64> {
        if self.whole.len() < MIN_LENGTH { Vec::new() } else { without_one(&self.whole) }
    }
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

/// Returns the key of a name that lacks the character at this position.
fn edit(hash: u64, at: usize) -> u64 {
    // With the factor of the hash, a position would equal a difference between last characters.
    const OTHER_FACTOR: u64 = 0xC2B2_AE3D_27D4_EB4F;
    kind(EDIT, hash.wrapping_add((at as u64 + 1).wrapping_mul(OTHER_FACTOR)))
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
///
/// The hash is a polynomial. Removing a character joins the hash of the text before it, shifted by
/// the length of the rest, and the hash of the rest.
fn without_one(key: &[char]) -> Vec<u64> {
    let mut before = 0u64;
    let places = key.iter().zip(suffix_hashes(key).into_iter().skip(1));
    let hashes = places.map(|(&c, (rest, power))| {
        let hash = before.wrapping_mul(power).wrapping_add(rest);
        before = digit(before, c);
        hash
    });
    hashes.collect()
}

/// Returns the hash of the text from each position to the end, and the factor by which it shifts
/// the text before it. The last one is that of the empty text.
fn suffix_hashes(key: &[char]) -> Vec<(u64, u64)> {
    let mut all = vec![(0u64, 1u64)];
    let (mut rest, mut power) = (0u64, 1u64);
    for &c in key.iter().rev() {
        rest = rest.wrapping_add((u64::from(c) + 1).wrapping_mul(power));
        power = power.wrapping_mul(FACTOR);
        all.push((rest, power));
    }
    all.reverse();
    all
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

    #[test]
    fn two_are_swapped() {
        let key: Vec<char> = "übermorgen".chars().collect();
        let swapped = |at: usize| {
            let mut key = key.clone();
            key.swap(at, at + 1);
            kind(SAME, hash(&key))
        };
        let expected: Vec<u64> = (0..key.len() - 1).map(swapped).collect();
        assert_eq!(FoldedName::new("übermorgen").two_swapped(), expected);
    }

    /// The first names are two edits away, the second ones one edit.
    #[test]
    fn one_edit_wins_over_two() {
        for (typed, names, expected) in [
            ("insstall.md", ["ainstall.md", "install.md"], "install.md"),
            ("htttp", ["dhttp", "http"], "http"),
            ("htpp", ["https", "http"], "http"),
            ("urnn", ["turn", "urns"], "urns"),
            ("isntall", ["iinstall", "install"], "install"),
            ("insxall", ["xinsall", "install"], "install"),
            ("instal", ["xnstal", "install"], "install"),
        ] {
            assert_eq!(Spellings::new(names).nearest(typed), Some(expected), "{typed}");
        }
        assert_eq!(Spellings::new(["ainstall"]).nearest("insstall"), None);
        assert_eq!(Spellings::new(["one"]).nearest("none"), None);
    }
}
