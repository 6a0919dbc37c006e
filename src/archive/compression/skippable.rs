//! Skippable frames, with which both Zstandard and LZ4 may start (RFC 8878 section 3.1.2).

/// The magic number and the length of a skippable frame.
pub(super) const HEADER_BYTES: usize = 8;

const MAGIC_AFTER_FIRST: [u8; 3] = [0x2a, 0x4d, 0x18];

/// True for the magic number of a skippable frame, or the start of one.
pub(super) fn is_skippable(head: &[u8]) -> bool {
    let (first, rest) = head.split_first().map_or((0x50, head), |(first, rest)| (*first, rest));
    matches!(first, 0x50..=0x5f)
        && (rest.starts_with(&MAGIC_AFTER_FIRST) || MAGIC_AFTER_FIRST.starts_with(rest))
}

/// The first frame with data, after any skippable frames.
pub(super) enum FirstFrame<'h> {
    /// There is no skippable frame first.
    AtStart,
    /// The bytes after the skippable frames.
    After(&'h [u8]),
    /// It is beyond the known bytes.
    OutOfSight,
}

/// Finds the first frame that is not skippable.
pub(super) fn first_frame(head: &[u8]) -> FirstFrame<'_> {
    let mut rest = head;
    while is_skippable(rest) && rest.len() >= 4 {
        let length = rest.get(4..).and_then(|rest| rest.first_chunk());
        let length = length.map(|length| u32::from_le_bytes(*length));
        let after = length
            .and_then(|length| rest.get(HEADER_BYTES..)?.get(usize::try_from(length).ok()?..));
        match after {
            Some(after) if !after.is_empty() => rest = after,
            _ => return FirstFrame::OutOfSight,
        }
    }
    if rest.len() == head.len() {
        FirstFrame::AtStart
    } else if rest.len() < 4 {
        FirstFrame::OutOfSight
    } else {
        FirstFrame::After(rest)
    }
}
