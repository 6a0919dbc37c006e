//! The text of settings that are a program: [`ProgramText`].
//!
//! A link to something that such settings mention may lead to a page that they generate. Words are
//! looked up for each link, so after some lookups, an index of the text pays off.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::slice::SliceExt as _;

/// Bytes by which the places of the text are sorted. Places that have more in common are compared
/// one by one.
const SORTED_BYTES: usize = 64;
/// Places that are compared one by one.
const MAX_COMPARED: usize = 64;
/// Bytes that may be searched before the index is made, which takes as long as many searches.
const SEARCHED_BYTES: usize = 256 << 10;

/// A text in which many words are looked up. Clones share it.
#[derive(Clone, Default)]
pub(super) struct ProgramText(Arc<Indexed>);

#[derive(Default)]
struct Indexed {
    text: String,
    /// Bytes that were searched so far.
    searched: AtomicUsize,
    /// The places of the text, sorted by what starts there.
    places: OnceLock<Vec<u32>>,
}

impl fmt::Debug for ProgramText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.text.fmt(out)
    }
}

impl PartialEq for ProgramText {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
    }
}

impl ProgramText {
    pub fn new(text: &str) -> Self {
        Self(Arc::new(Indexed { text: text.to_owned(), ..Indexed::default() }))
    }

    pub fn len(&self) -> usize {
        self.0.text.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.text.is_empty()
    }

    /// True if the text contains these words. Also true for long words that start like many others
    /// in the text, which are not compared to the end.
    pub fn contains(&self, words: &str) -> bool {
        let Indexed { text, searched, places } = &*self.0;
        // Relaxed suffices: the number only decides which way is the faster one.
        if searched.fetch_add(text.len(), Ordering::Relaxed) < SEARCHED_BYTES {
            return text.contains(words);
        }
        let places = places.get_or_init(|| sorted_places(text.as_bytes()));
        let start = words.as_bytes().clamped(..SORTED_BYTES);
        let at = |place: u32| text.as_bytes().clamped(place as usize..);
        let first = places.partition_point(|&place| at(place).clamped(..SORTED_BYTES) < start);
        let alike = places.get(first..).unwrap_or_default().iter();
        let mut alike = alike.take_while(|&&place| at(place).starts_with(start)).take(MAX_COMPARED);
        let mut compared = 0;
        alike.any(|&place| {
            compared += 1;
            compared == MAX_COMPARED || at(place).starts_with(words.as_bytes())
        })
    }
}

/// Returns the places of a text, sorted by the bytes that start there.
fn sorted_places(text: &[u8]) -> Vec<u32> {
    // With `usize`, the index would be eight times as large as the text, not four times.
    let mut places: Vec<u32> = (0..u32::try_from(text.len()).unwrap_or(u32::MAX)).collect();
    let at = |place: u32| {
        let place = place as usize;
        text.clamped(place..place.saturating_add(SORTED_BYTES))
    };
    places.sort_unstable_by(|&one, &other| at(one).cmp(at(other)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive twin searches the text.
    #[test]
    fn an_index_finds_what_a_search_finds() {
        let text = "import a from './é/b';\nexport { a: '/a/b', b: \"/a/b/c.png\", c: 'ab/a/b' }";
        let program = ProgramText::new(text);
        program.0.searched.store(SEARCHED_BYTES, Ordering::Relaxed);
        for start in 0..text.len() {
            for length in [1, 3, 20, 70] {
                let Some(words) = text.get(start..start + length) else { continue };
                assert!(program.contains(words), "{words}");
                let other = format!("{words}+");
                assert_eq!(program.contains(&other), text.contains(&other), "{other}");
            }
        }
        assert!(!program.contains("/a/d") && !program.contains("~") && program.contains(""));
    }

    #[test]
    fn words_that_many_places_have_are_not_compared_to_the_end() {
        let program = ProgramText::new(&"a".repeat(1000));
        program.0.searched.store(SEARCHED_BYTES, Ordering::Relaxed);
        assert!(program.contains(&"a".repeat(500)));
        assert!(!program.contains("ab"));
    }
}
