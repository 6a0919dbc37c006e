//! The search as it is built finds what the naive one does: another loop, and all the rules for
//! every candidate.
//!
//! `URIGREP_CASES=10000000` in the environment asks for so many texts (.ci/slow); corpus/ is
//! compared by `tests/fuzz` too, under other options.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngSeed, TestRunner};
use urigrep::Finder;
use urigrep::options::{Kernel, Shortcut};

use super::finders::modes;
use super::{TOKENS, texts, whole};
use crate::cases::cases;

/// Each finder as it is built, and its naive twin.
fn twins() -> Vec<(&'static str, Finder, Finder)> {
    let twins = modes().into_iter().map(|(name, builder, _)| {
        let naive = builder.clone().kernel(Kernel::Portable).shortcut(Shortcut::Avoided);
        (name, builder.build(), naive.build())
    });
    twins.collect()
}

#[test]
fn corpus_texts_are_the_same_for_the_naive_twins() {
    for (name, built, naive) in twins() {
        for text in texts() {
            assert_eq!(whole(&built, &text), whole(&naive, &text), "{name}");
        }
    }
}

#[test]
fn token_soup_is_the_same_for_the_naive_twins() {
    let twins = twins();
    let texts = prop::collection::vec(0..TOKENS.len(), 0..12);
    let config = ProptestConfig {
        cases: cases(40_000),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(3987),
        ..ProptestConfig::default()
    };
    let found = std::cell::Cell::new(0);
    let ran = TestRunner::new(config.clone()).run(&(texts, any::<Index>()), |(tokens, which)| {
        let text: String = tokens.iter().map(|&token| TOKENS[token]).collect();
        let (name, built, naive) = &twins[which.index(twins.len())];
        let expected = whole(naive, text.as_bytes());
        found.set(found.get() + expected.len());
        prop_assert_eq!(whole(built, text.as_bytes()), expected, "{} {:?}", name, text);
        Ok(())
    });
    ran.unwrap_or_else(|error| panic!("{error}"));
    assert!(found.get() > config.cases as usize / 4, "hardly anything was found");
}
