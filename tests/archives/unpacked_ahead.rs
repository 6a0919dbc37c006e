//! Members of a zip that other threads unpack before their turn: nothing that is seen may differ
//! from one thread's.

use proptest::collection::vec;
use proptest::prelude::*;
use urigrep::archive::ArchiveLimits;

use super::{filed, filed_within};
use crate::support::pack::{Zipped, zip};

/// Text that does not get short when it is packed.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut bytes = Vec::with_capacity(length);
    while bytes.len() < length {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.push(b' ' + (state >> 25) as u8 % 90);
    }
    bytes
}

fn members() -> impl Strategy<Value = Vec<(usize, Zipped)>> {
    let how = prop_oneof![
        8 => Just(Zipped::Deflated),
        2 => Just(Zipped::Stored),
        2 => Just(Zipped::SizesFollow),
        1 => Just(Zipped::Encrypted),
    ];
    // around what is unpacked at once, and what is too long to be kept
    let length = prop_oneof![
        6 => 0_usize..2000,
        4 => 2000_usize..100_000,
        1 => (2_usize << 20) - 1..(2 << 20) + 2,
    ];
    vec((length, how), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn damage_is_told_as_by_one_thread(members in members(), seed: u32, flips in vec((any::<u32>(), 0_u8..8), 0..4)) {
        let bytes: Vec<_> =
            (seed..).zip(&members).map(|(seed, (length, _))| noise(seed, *length)).collect();
        let entries = bytes.iter().zip(&members).map(|(bytes, (_, how))| ("a", &bytes[..], *how));
        let mut archive = zip(entries);
        for (at, bit) in flips {
            let at = at as usize % archive.len();
            archive[at] ^= 1 << bit;
        }
        let seen = filed(&archive, "a.zip");
        prop_assert!(!seen.streams.is_empty() || !seen.skipped.is_empty() || !seen.problems.is_empty());
        let mut limits = ArchiveLimits::default();
        limits.members = 5;
        limits.bytes = 300_000;
        filed_within(&archive, "a.zip", &limits);
    }
}
