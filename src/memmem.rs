//! Searches for short byte strings.
//!
//! Uses memchr, except in WebAssembly, where its searchers would add 4 kB (compressed) to a page.
//! They take linear time for any needle. So does a plain comparison here, because the needles of
//! the finder are constants of a few bytes.

#[cfg(not(target_family = "wasm"))]
pub use memchr::memmem::{find, find_iter, rfind};
#[cfg(target_family = "wasm")]
pub use small::{find, find_iter, rfind};

/// Splits a text at the first `mark`. The searcher of `str::split_once` would add 3 kB to a page.
pub fn split_once<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text.as_bytes(), mark.as_bytes())?;
    Some((text.get(..at)?, text.get(at + mark.len()..)?))
}

#[cfg(any(test, target_family = "wasm"))]
mod small {
    use core::iter;

    use memchr::{memchr_iter, memrchr_iter};

    use crate::slice::SliceExt as _;

    pub fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
        let Some((&first, rest)) = needle.split_first() else { return Some(0) };
        memchr_iter(first, text).find(|&at| text.part(at + 1..).starts_with(rest))
    }

    pub fn rfind(text: &[u8], needle: &[u8]) -> Option<usize> {
        let Some((&first, rest)) = needle.split_first() else { return Some(text.len()) };
        memrchr_iter(first, text).find(|&at| text.part(at + 1..).starts_with(rest))
    }

    /// Returns the places of a needle that is not empty; they do not overlap.
    pub fn find_iter<'t>(text: &'t [u8], needle: &'t [u8]) -> impl Iterator<Item = usize> + 't {
        let mut from = 0;
        iter::from_fn(move || {
            let at = from + find(text.part(from..), needle)?;
            from = at + needle.len();
            Some(at)
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::small;

    #[test]
    fn the_small_search_finds_what_memchr_finds() {
        let mut state = 3986_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..5000 {
            let mut bytes = |least: usize, most: usize| -> Vec<u8> {
                (0..least + random(most)).map(|_| b"ab-"[random(3)]).collect()
            };
            let (text, needle) = (bytes(0, 40), bytes(1, 4));
            let finder = memchr::memmem::Finder::new(&needle);
            assert_eq!(small::find(&text, &needle), finder.find(&text));
            assert_eq!(small::rfind(&text, &needle), memchr::memmem::rfind(&text, &needle));
            let all: Vec<usize> = small::find_iter(&text, &needle).collect();
            assert_eq!(all, finder.find_iter(&text).collect::<Vec<_>>());
        }
    }
}
