//! Compares the kernels with each other, with a loop over bytes, and with all recognizers.

use proptest::prelude::*;

use super::*;
use crate::options::Options;
use crate::registry::OPAQUE;

const KERNELS: [Kernel; 3] = [Kernel::Portable, Kernel::Avx2, Kernel::Avx512];
/// Runs one of this many cases: Miri is some hundred times slower than the machine.
const ONE_OF: usize = if cfg!(miri) { 29 } else { 1 };

fn found(kernel: Kernel, haystack: &[u8], from: usize) -> Vec<usize> {
    let mut scanner = Scanner::new(Triggers::for_options(&Options::default()), kernel.loops());
    let mut found = Vec::new();
    let mut from = from;
    while let Some(Candidate { at, .. }) = scanner.next(haystack, from) {
        found.push(at);
        from = at + 1;
    }
    found
}

fn expected(haystack: &[u8], from: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = from;
    while let Some(at) = naive(haystack, from) {
        found.push(at);
        from = at + 1;
    }
    found
}

/// Texts in which most colons are nearly candidates.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a:/ \n<\\\\é\"]{0,40}",
        Just("http://a".to_owned()),
        Just("std::x: y urn::b:c".to_owned()),
        Just("<URL: foo:bar>".to_owned()),
        "[0-9a:]{0,9}",
        Just("\"http:\n//".to_owned()),
        Just("mailto:a".to_owned()),
        "(12|a1|1a|é1):[0-9é]{1,2}",
        "[a-z ]{0,90}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// Classifies one byte at a time.
fn naive_masks(text: &[u8], at: usize) -> RunMasks {
    let bits = |is: fn(u8) -> bool| {
        let bit = |n: usize| u64::from(is(text.get(at + n).copied().unwrap_or(0))) << n;
        (0..MASK_BYTES).map(bit).sum()
    };
    RunMasks {
        host: bits(|byte| !plain_bytes::in_host(byte)),
        path: bits(|byte| !plain_bytes::in_path(byte)),
        hyphens: bits(|byte| byte == b'-'),
    }
}

#[test]
fn masks_have_every_byte() {
    for byte in (0..=u8::MAX).step_by(ONE_OF) {
        for length in [0, 1, 15, 16, 30, 31, 32, 33, 62, 63, 64, 65] {
            for tail in [0, 1, 31, 32, 80] {
                let text = [&vec![b'a'; length][..], &[byte], &vec![b'-'; tail]].concat();
                for kernel in KERNELS {
                    let masks = (kernel.loops().masks)(&text, 0);
                    assert_eq!(masks, naive_masks(&text, 0), "{kernel:?} {byte} {length} {tail}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn masks_equal_naive(text in "[a-z0-9./?é*+-]{0,140}", from in 0usize..150) {
        let text = text.as_bytes();
        for kernel in KERNELS {
            prop_assert_eq!((kernel.loops().masks)(text, from), naive_masks(text, from));
        }
    }

    /// No candidate precedes the first colon found.
    #[cfg(feature = "search")]
    #[test]
    fn firsts_lose_nothing(text in text(), after in "[a-z: ]{0,200}") {
        for text in [text.as_str(), after.as_str()].map(str::as_bytes) {
            for kernel in KERNELS {
                let first = (kernel.loops().first)(text);
                prop_assert!(text.get(first).is_none_or(|byte| *byte == b':') && first <= text.len());
                prop_assert!(naive(text, 0).is_none_or(|at| at >= first), "{:?}", kernel);
            }
        }
    }

    #[test]
    fn kernels_equal_naive(text in text(), from in 0usize..200) {
        for kernel in KERNELS {
            prop_assert_eq!(found(kernel, text.as_bytes(), from), expected(text.as_bytes(), from));
        }
    }
}

/// Tries every position of a candidate in a step of the widest kernel, with every length of text
/// around it.
#[test]
fn kernels_find_a_candidate_at_every_alignment() {
    for before in (0..200).step_by(ONE_OF) {
        for after in (0..140).step_by(ONE_OF) {
            let text = [&vec![b'.'; before][..], b"::http://", &vec![b':'; after]].concat();
            for kernel in KERNELS {
                let at = before + 6;
                assert_eq!(found(kernel, &text, 0), [at], "{kernel:?} {before} {after}");
                assert_eq!(found(kernel, &text[1.min(before)..], 0).len(), 1);
                assert_eq!(found(kernel, &text, at), [at]);
                #[cfg(feature = "search")]
                assert!(
                    (kernel.loops().first)(&text) >= before && (kernel.loops().first)(&text) <= at
                );
                assert!(found(kernel, &text, at + 1).is_empty());
            }
        }
    }
}

/// Tries more colons in a row than a batch can hold.
#[test]
fn rows_of_colons_do_not_hide_a_candidate() {
    for row in [":", "a:", "n:", "aa:", "a:\n", "a::", "n::", "12:3"] {
        let counts = [60, 100, 127, 300, 3000];
        for count in counts.into_iter().filter(|count| *count < 3000 || !cfg!(miri)) {
            for shift in 0..3 {
                let text = [&"-".repeat(shift), &row.repeat(count), " http://a"].concat();
                for kernel in KERNELS {
                    let found = found(kernel, text.as_bytes(), 0);
                    assert_eq!(found, expected(text.as_bytes(), 0), "{kernel:?} {row} {count}");
                    assert_eq!(found.last(), Some(&(text.len() - 4)));
                }
            }
        }
    }
}

#[test]
fn jumps_do_not_lose_candidates() {
    let text = b"a http://b c http://d e http://f ".repeat(40);
    for kernel in KERNELS {
        for step in [1, 20, 63, 64, 65, 127, 128, 129, 400].into_iter().step_by(ONE_OF) {
            let mut scanner =
                Scanner::new(Triggers::for_options(&Options::default()), kernel.loops());
            let mut from = 0;
            while let Some(Candidate { at, .. }) = scanner.next(&text, from) {
                assert_eq!(Some(at), naive(&text, from), "{kernel:?} {step}");
                from = at + step;
            }
            assert_eq!(naive(&text, from), None);
        }
    }
}

#[test]
fn drops_what_no_rule_accepts() {
    #[rustfmt::skip]
    let texts = [
        "C:/x", ":a", "12: x", "a::", "key: value", "x:", "12:30", "wrote:\nx", "std::x", "a:b",
        "todo:x", "qz:/x", "run::x",
    ];
    for text in texts {
        assert_eq!(naive(text.as_bytes(), 0), None, "{text}");
    }
    for (text, at) in [
        ("see http://x", 8),
        ("<URL: foo:bar>", 9),
        ("urn::x", 3),
        ("<http:\n//x>", 5),
        ("http:\\/\\/x", 4),
        ("\"https:\r\n//x\"", 6),
    ] {
        assert_eq!(naive(text.as_bytes(), 0), Some(at), "{text}");
    }
}

#[test]
fn lets_through_what_has_a_recognizer() {
    for name in OPAQUE {
        let upper = name.to_uppercase();
        for text in [format!("{name}:a"), format!("{upper}:/a"), format!("{name}:1")] {
            assert_eq!(naive(text.as_bytes(), 0), Some(name.len()), "{text}");
        }
    }
}

/// The loops for mail.
#[cfg(feature = "search")]
mod mail {
    use super::lines::{BLOCK, LineKinds};
    use super::*;

    fn scalar_lines(block: &[u8; BLOCK]) -> LineKinds {
        LineKinds::collect(|kind| {
            let bits = block.iter().rev().map(|byte| u64::from(lines::kinds(*byte) & kind != 0));
            bits.fold(0, |all, bit| all << 1 | bit)
        })
    }

    fn loops() -> impl Iterator<Item = kernel::MailLoops> {
        let all = KERNELS.into_iter();
        all.filter_map(|kernel| kernel.loops().mail)
    }

    #[test]
    fn lines_know_every_byte() {
        for byte in (0..=u8::MAX).step_by(ONE_OF) {
            for at in 0..BLOCK {
                let mut block = [0; BLOCK];
                block[at] = byte;
                let expected =
                    LineKinds::collect(|kind| u64::from(lines::kinds(byte) & kind != 0) << at);
                for loops in loops() {
                    assert_eq!((loops.lines)(&block), expected, "{byte} {at}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn outlines_equal_naive(text in "(([Cc]ontent-[a-z]{0,3}|[a-zA-Z-]{0,70})[:=? \n\t-]|[a-z=?]{0,90}:(\n [a-z]{900})?\n){0,20}", at in 0usize..70) {
            let text = text.as_bytes();
            let at = at.min(text.len());
            let expected = HeaderOutline::scan_with(scalar_lines, text, at);
            for loops in loops() {
                prop_assert_eq!((loops.outline)(text, at), expected);
            }
        }

        #[test]
        fn openings_equal_naive(text in "[\\n>Fb=xé\u{8a}“]{0,150}|([a-zéâ ]{0,70}\n[>FbgX])*", from in 0usize..150) {
            let text = text.as_bytes();
            let opens = |at: &usize| matches!(&text[at - 1..=*at], b"\nF" | b"\nb" | b"\n=" | b">F");
            let expected = (from.max(1)..text.len()).find(opens).unwrap_or(text.len());
            for loops in loops() {
                prop_assert_eq!((loops.opening)(text, from), expected);
            }
            prop_assert_eq!(opening::scalar(text, from), expected);
        }

        #[test]
        fn lines_equal_naive(block in prop::collection::vec(any::<u8>(), BLOCK)) {
            let block = block.first_chunk().expect("it is as long");
            let expected = scalar_lines(block);
            for loops in loops() {
                prop_assert_eq!((loops.lines)(block), expected);
            }
        }
    }
}

/// Each landmark at each place of a step, with and without bytes that are nearly one.
#[cfg(feature = "search")]
#[test]
fn landmarks_are_those_of_a_loop() {
    use super::landmark::{FOLD, Landmarks, scalar};
    for percent in [Percent::Ignored, Percent::Found] {
        let landmarks = Landmarks { pair: [b'x' | FOLD, b'.' | FOLD], distance: 3, percent };
        for filler in [b"a".as_slice(), b"xab", b"X..", b"\x0e\x1c\x27\x2b,"] {
            for byte in (0..=u8::MAX).step_by(ONE_OF) {
                for at in [0, 1, 31, 32, 63, 64, 126, 127, 128, 129, 257, 300] {
                    let mut text: Vec<u8> = filler.iter().copied().cycle().take(310).collect();
                    text[at] = byte;
                    text[at + 3] = b'.';
                    for from in [0, at.saturating_sub(5), at, at + 1, 310] {
                        let expected = scalar(&text, from, &landmarks);
                        for kernel in KERNELS {
                            let found = (kernel.loops().landmark)(&text, from, &landmarks);
                            assert_eq!(found, expected, "{kernel:?} {byte} at {at} from {from}");
                        }
                    }
                }
            }
        }
    }
}

/// Each length around a vector, with a byte beyond ASCII at each place and without one.
#[test]
fn only_ascii_is_text() {
    let text = [b'a'; 100];
    for length in 0..text.len() {
        assert_eq!(ascii_str(&text[..length]), core::str::from_utf8(&text[..length]).ok());
        for at in 0..length {
            let mut broken = text;
            broken[at] = 0x80;
            assert_eq!(ascii_str(&broken[..length]), None, "{at} of {length}");
        }
    }
}
