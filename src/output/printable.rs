//! Looks for the first byte of a text that an output format has to look at.

/// Returns the length of the start of `bytes` that is printable ASCII without the two `special`
/// bytes.
///
/// Nearly all cells and JSON strings are such a run as a whole, and short. So 8 bytes are tested at
/// once in a register, which needs no set-up as a vector search does.
pub fn printable_run(bytes: &[u8], special: [u8; 2]) -> usize {
    let marks = special.map(|byte| u64::from(byte) * ONES);
    let place = |word: &[u8; 8]| {
        let stops = stops(u64::from_le_bytes(*word), marks);
        (stops != 0).then(|| stops.trailing_zeros() as usize / 8)
    };
    let Some(last) = bytes.last_chunk::<8>() else {
        let [first, second] = special;
        let stops = |&byte: &u8| !matches!(byte, b' '..=b'~') | (byte == first) | (byte == second);
        return bytes.iter().position(stops).unwrap_or(bytes.len());
    };
    for (index, word) in bytes.as_chunks::<8>().0.iter().enumerate() {
        if let Some(at) = place(word) {
            return index * 8 + at;
        }
    }
    // The last word overlaps the one before it, in which nothing was found.
    place(last).map_or(bytes.len(), |at| bytes.len() - last.len() + at)
}

/// A word whose bytes are all 1.
const ONES: u64 = u64::MAX / 0xFF;

/// Sets the highest bit of each byte that ends a run. A borrow or a carry can set it in higher
/// bytes as well, so only the lowest one is exact.
fn stops(word: u64, marks: [u64; 2]) -> u64 {
    let controls = word.wrapping_sub(u64::from(b' ') * ONES);
    let delete = word.wrapping_add(ONES);
    let [first, second] = marks.map(|mark| (word ^ mark).wrapping_sub(ONES));
    (word | controls | delete | first | second) & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn naive(bytes: &[u8], special: [u8; 2]) -> usize {
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~') && !special.contains(byte);
        bytes.iter().take_while(|byte| is_plain(byte)).count()
    }

    proptest! {
        #[test]
        fn runs_are_those_of_a_loop(
            bytes in prop::collection::vec(prop_oneof![30 => 0x1Eu8..=0x82, 1 => any::<u8>()], 0..40),
            special in prop::sample::select(vec![*b"\"\\", *b"\",", *b"\\\\", *b"  "]),
        ) {
            prop_assert_eq!(printable_run(&bytes, special), naive(&bytes, special));
        }
    }

    /// Each byte at each place of a text of each length.
    #[test]
    fn every_byte_at_every_place() {
        for length in 1..=17 {
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut bytes = vec![b'a'; length];
                    bytes[at] = byte;
                    assert_eq!(printable_run(&bytes, *b"\"\\"), naive(&bytes, *b"\"\\"));
                }
            }
        }
    }
}
