//! Classes of bytes in the lines of a header (RFC 5322 §2.2), a block at a time.

/// Bytes of a block, a bit each.
pub(crate) const BLOCK: usize = u64::BITS as usize;

/// Positions in a block by class; the lowest bit is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineKinds {
    /// Line feeds.
    pub feeds: u64,
    /// Characters of field names.
    pub names: u64,
    /// Colons, which end a name.
    pub colons: u64,
    /// White space, which at the start of a line continues the one before.
    pub blanks: u64,
    /// First letters of the field names of interest: `c`, in any case.
    pub initials: u64,
    /// Hyphens, which start the delimiters of parts.
    pub dashes: u64,
    /// Equals signs, which start encoded words.
    pub equals: u64,
    /// Question marks, which follow them there.
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

/// Returns the classes of a byte.
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

/// True for a character of field names (RFC 5322 §3.6.8).
pub(crate) const fn is_in_name(byte: u8) -> bool {
    // One unsigned comparison tests both bounds: bytes below `!` wrap around to large values.
    (byte.wrapping_sub(b'!') <= b'~' - b'!') & (byte != b':')
}

impl LineKinds {
    /// Collects the result of `of` for each class.
    #[inline(always)]
    pub(super) fn collect(of: impl Fn(u8) -> u64) -> Self {
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
