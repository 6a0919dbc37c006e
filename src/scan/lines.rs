//! What the lines of a header are made of (RFC 5322 §2.2), some bytes at a time.

/// Bytes that are looked at together: a bit each.
pub(crate) const BLOCK: usize = u64::BITS as usize;

/// Where in a block something is, the lowest bit for the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineKinds {
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

impl LineKinds {
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
