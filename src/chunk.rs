//! Measures runs of bytes, sixteen at a time and without branches, so that the compiler emits
//! vector instructions.
//!
//! The predicates must not branch either: join comparisons with `|`, and use neither `||` nor a
//! table.

/// Longer than most words, and the size of a vector register on every x86-64 machine.
pub(crate) const CHUNK: usize = 16;

/// Returns how many bytes at the start of `text` satisfy `of`.
#[inline(always)]
fn run_at_start(text: &[u8; CHUNK], of: impl Fn(u8) -> bool) -> usize {
    (others(text, of).trailing_zeros() / u8::BITS) as usize
}

/// Returns how many bytes at the end of `text` satisfy `of`.
#[inline(always)]
pub(crate) fn run_at_end(text: &[u8; CHUNK], of: impl Fn(u8) -> bool) -> usize {
    (others(text, of).leading_zeros() / u8::BITS) as usize
}

/// Returns how many bytes at the start of a text of any length satisfy `of`.
#[inline(always)]
pub(crate) fn run(text: &[u8], of: impl Fn(u8) -> bool) -> usize {
    let (chunks, tail) = text.as_chunks();
    let mut length = 0;
    for chunk in chunks {
        let run = run_at_start(chunk, &of);
        length += run;
        if run < CHUNK {
            return length;
        }
    }
    length + tail.iter().take_while(|&&byte| of(byte)).count()
}

/// Returns how many bytes at the end of a text of any length satisfy `of`.
#[inline(always)]
pub(crate) fn run_back(text: &[u8], of: impl Fn(u8) -> bool) -> usize {
    let (head, chunks) = text.as_rchunks();
    let mut length = 0;
    for chunk in chunks.iter().rev() {
        let run = run_at_end(chunk, &of);
        length += run;
        if run < CHUNK {
            return length;
        }
    }
    length + head.iter().rev().take_while(|&&byte| of(byte)).count()
}

/// Returns a mask with all bits of each byte set that does not satisfy `of`.
#[inline(always)]
fn others(text: &[u8; CHUNK], of: impl Fn(u8) -> bool) -> u128 {
    let mut marks = [0; CHUNK];
    for (mark, &byte) in marks.iter_mut().zip(text) {
        // A whole byte per position, not a bit: this compiles to a vector comparison, and counting
        // zeros finds the run.
        *mark = if of(byte) { 0 } else { u8::MAX };
    }
    u128::from_le_bytes(marks)
}

/// `ALPHA / DIGIT`.
#[inline(always)]
pub(crate) const fn is_alphanumeric(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    letter | digit
}

/// `ALPHA / DIGIT / "+" / "-" / "."`: the characters of a scheme.
#[inline(always)]
pub(crate) const fn is_in_scheme(byte: u8) -> bool {
    is_alphanumeric(byte) | (byte == b'+') | (byte == b'-') | (byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_equal_naive(text in prop::array::uniform16("[a-z0-9é/:]".prop_map(|s| s.as_bytes()[0]))) {
            let is = |byte: &&u8| byte.is_ascii_alphanumeric();
            let start = text.iter().take_while(is).count();
            let end = text.iter().rev().take_while(is).count();
            prop_assert_eq!(run_at_start(&text, is_alphanumeric), start);
            prop_assert_eq!(run_at_end(&text, is_alphanumeric), end);
        }
    }

    proptest! {
        #[test]
        fn long_runs_equal_naive(text in "[a-z0-9]{0,40}[/:]?[a-z0-9]{0,40}") {
            let text = text.as_bytes();
            let is = |byte: &&u8| byte.is_ascii_alphanumeric();
            prop_assert_eq!(run(text, is_alphanumeric), text.iter().take_while(is).count());
            let back = text.iter().rev().take_while(is).count();
            prop_assert_eq!(run_back(text, is_alphanumeric), back);
        }
    }

    #[test]
    fn bytes() {
        for byte in 0..=u8::MAX {
            let alphanumeric = byte.is_ascii_alphanumeric();
            assert_eq!(is_alphanumeric(byte), alphanumeric, "{byte}");
            assert_eq!(is_in_scheme(byte), crate::grammar::is_scheme_byte(byte), "{byte}");
        }
    }
}
