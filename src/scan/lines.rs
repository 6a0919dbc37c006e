//! What the lines of a header are made of (RFC 5322 §2.2), some bytes at a time.

/// Bytes that are looked at together: a bit each.
pub(crate) const BLOCK: usize = u64::BITS as usize;

/// Where in a block something stands, the lowest bit for the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// What lines end with.
    pub feeds: u64,
    /// What names are made of.
    pub names: u64,
    /// What ends a name.
    pub colons: u64,
    /// What a line starts with that goes on with the one before.
    pub blanks: u64,
    /// What the names start with that somebody asks for: `c`, in any case.
    pub initials: u64,
    /// What lines start with that delimit parts.
    pub dashes: u64,
    /// What encoded words start with, and
    pub equals: u64,
    /// what comes next in them.
    pub questions: u64,
}

pub(super) const FEED: u8 = 1;
pub(super) const NAME: u8 = 1 << 1;
pub(super) const COLON: u8 = 1 << 2;
pub(super) const BLANK: u8 = 1 << 3;
pub(super) const INITIAL: u8 = 1 << 4;
pub(super) const EQUALS: u8 = 1 << 5;
pub(super) const QUESTION: u8 = 1 << 6;
pub(super) const DASH: u8 = 1 << 7;

/// What a byte is.
pub(super) const fn kinds(byte: u8) -> u8 {
    match byte {
        b'\n' => FEED,
        b' ' | b'\t' => BLANK,
        b':' => COLON,
        b'=' => NAME | EQUALS,
        b'?' => NAME | QUESTION,
        b'c' | b'C' => NAME | INITIAL,
        b'-' => NAME | DASH,
        _ if is_in_name(byte) => NAME,
        _ => 0,
    }
}

/// A character of names (RFC 5322 §3.6.8).
pub(crate) const fn is_in_name(byte: u8) -> bool {
    (byte.wrapping_sub(b'!') <= b'~' - b'!') & (byte != b':')
}

#[expect(
    clippy::indexing_slicing,
    reason = "the compiler does it, and would notice"
)]
const KINDS: [u8; 256] = {
    let mut kinds_of = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds_of[byte] = kinds(byte as u8);
        byte += 1;
    }
    kinds_of
};

impl Lines {
    /// By asking `of` for each kind.
    #[inline(always)]
    pub(super) fn of(of: impl Fn(u8) -> u64) -> Self {
        Self {
            feeds: of(FEED),
            names: of(NAME),
            colons: of(COLON),
            blanks: of(BLANK),
            initials: of(INITIAL),
            dashes: of(DASH),
            equals: of(EQUALS),
            questions: of(QUESTION),
        }
    }
}

/// On any machine.
#[expect(
    clippy::indexing_slicing,
    reason = "a table has an entry for each byte"
)]
pub(super) fn portable(block: &[u8; BLOCK]) -> Lines {
    let (words, _) = block.as_chunks::<8>();
    let mut all = [0; BLOCK / 8];
    for (kinds, word) in all.iter_mut().zip(words) {
        *kinds = u64::from_le_bytes(word.map(|byte| KINDS[byte as usize]));
    }
    Lines::of(|kind| {
        let eight = all.iter().rev();
        eight.fold(0, |bits, kinds| bits << 8 | gathered(*kinds, kind))
    })
}

/// The bytes of `kinds` that have the bit `kind`, a bit each.
#[inline(always)]
fn gathered(kinds: u64, kind: u8) -> u64 {
    const LOWEST: u64 = u64::from_le_bytes([1; 8]);
    let bits = kinds >> kind.trailing_zeros() & LOWEST;
    // each bit comes to the highest byte at another place
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}
