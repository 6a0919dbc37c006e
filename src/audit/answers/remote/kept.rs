//! Bounds the memory of the evidence that a run keeps: [`KeptEvidence`].

use super::cache::{names_size, size};
use crate::audit::Evidence;

/// Maximum size of the names of all pages, in bytes. A document of 80 kB whose 2,000 links led to
/// pages with 20,000 names each took 2 GB.
const MAX_NAME_BYTES: usize = 64 << 20;

/// Maximum size of all evidence, in bytes: as much as the records of a cache.
const MAX_BYTES: usize = 512 << 20;

/// The memory that evidence takes until a run ends.
#[derive(Debug)]
pub(super) struct KeptEvidence {
    names: usize,
    all: usize,
    max_names: usize,
    max_all: usize,
}

impl Default for KeptEvidence {
    fn default() -> Self {
        Self { names: 0, all: 0, max_names: MAX_NAME_BYTES, max_all: MAX_BYTES }
    }
}

/// Whether there is room for more evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvidenceRoom {
    Left,
    Full,
}

impl KeptEvidence {
    /// Counts evidence. If there is no room for the names of its page, they count as unknown.
    pub fn add(&mut self, evidence: &mut Evidence) -> EvidenceRoom {
        let names = names_size(evidence);
        if self.names + names > self.max_names {
            // An empty list says that the page was read.
            evidence.names = Some(Vec::new());
        } else {
            self.names += names;
        }
        self.all += size(evidence);
        if self.all > self.max_all { EvidenceRoom::Full } else { EvidenceRoom::Left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Redirect;

    #[test]
    fn names_beyond_the_bound_are_unknown() {
        let mut kept = KeptEvidence { max_names: 100_000, ..KeptEvidence::default() };
        let page = |number: usize| Evidence {
            names: Some(vec!["name".to_owned(); 1_000]),
            ..Evidence::status(format!("https://a.example/{number}"), 200)
        };
        let known = (0..100).filter(|number| {
            let mut page = page(*number);
            assert_eq!(kept.add(&mut page), EvidenceRoom::Left);
            page.names != Some(Vec::new())
        });
        assert_eq!(known.count(), 3);
        // A page without names is not one whose names are unknown.
        let mut page = Evidence::status("https://a.example/", 404);
        kept.add(&mut page);
        assert_eq!(page.names, None);
    }

    #[test]
    fn redirects_count() {
        let mut kept = KeptEvidence { max_all: 100_000, ..KeptEvidence::default() };
        let page = || Evidence {
            redirects: vec![Redirect::new(
                301,
                "https://a.example/".to_owned() + &"a".repeat(9_000),
            )],
            ..Evidence::status("https://a.example/", 200)
        };
        let taken = (0..100).take_while(|_| kept.add(&mut page()) == EvidenceRoom::Left);
        assert_eq!(taken.count(), 10);
    }
}
