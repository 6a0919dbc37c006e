//! Bounds the output for texts that a file contains once and uses many times.

use crate::document::{Event, EventSink};

/// The repetitions that a part of a package may cause: of shared strings by its cells, or of link
/// targets by its links. Without a bound, a file of 1 kB causes an output of 1 GB.
pub(super) struct Repetitions {
    left: usize,
    is_reported: bool,
}

impl Repetitions {
    /// Bytes of a text that count for none of its uses: a use takes about as many in the part
    /// itself, so these cannot multiply. Most texts are shorter, and are read at each use.
    const SHORT: usize = 256;
    /// Further repeated bytes for each byte of the part.
    const FACTOR: usize = 4;
    /// Further repeated bytes that the smallest part may cause.
    const MIN_BYTES: usize = 256 << 10;

    /// Returns the bound for a part of this many bytes.
    pub fn of_part(bytes: usize) -> Self {
        let left = bytes.saturating_mul(Self::FACTOR).saturating_add(Self::MIN_BYTES);
        Self { left, is_reported: false }
    }

    /// Returns true if a text of this length may be emitted once more. If not, reports that the
    /// first time.
    pub fn allow(&mut self, length: usize, sink: &mut dyn EventSink) -> bool {
        if let Some(left) = self.left.checked_sub(length.saturating_sub(Self::SHORT)) {
            self.left = left;
            return true;
        }
        if !self.is_reported {
            self.is_reported = true;
            let message = "a text or link target in it is used very often; not every use was read";
            sink.note(&Event::Unread { file: "", message });
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    struct Notes(usize);

    impl EventSink for Notes {
        fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            self.0 += usize::from(matches!(event, Event::Unread { .. }));
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn only_so_much_is_repeated() {
        let (mut repetitions, mut notes) = (Repetitions::of_part(1000), Notes(0));
        let mut allowed =
            |length| (0..5000).filter(|_| repetitions.allow(length, &mut notes)).count();
        assert_eq!(allowed(256), 5000);
        assert_eq!(allowed(1256), (4 * 1000 + (256 << 10)) / 1000);
        assert_eq!(notes.0, 1);
    }
}
