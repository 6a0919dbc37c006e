//! Bounds the output for texts that a file contains once and uses many times.

use crate::document::{Event, EventSink};

/// The repetitions that a part of a package may cause: of shared strings by its cells, or of link
/// targets by its links. Without a bound, a file of 1 kB causes an output of 1 GB.
pub(super) struct Repetitions {
    left: usize,
    is_reported: bool,
}

impl Repetitions {
    /// Repeated bytes for each byte of the part. A use takes at least 20 bytes, and a URI is
    /// seldom longer than 80.
    const FACTOR: usize = 4;
    /// Repeated bytes that the smallest part may cause.
    const MIN_BYTES: usize = 64 << 10;

    /// Returns the bound for a part of this many bytes.
    pub fn of_part(bytes: usize) -> Self {
        let left = bytes.saturating_mul(Self::FACTOR).saturating_add(Self::MIN_BYTES);
        Self { left, is_reported: false }
    }

    /// Returns true if a text of this length may be emitted once more. If not, reports that the
    /// first time.
    pub fn allow(&mut self, length: usize, sink: &mut dyn EventSink) -> bool {
        if let Some(left) = self.left.checked_sub(length) {
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
        let allowed = (0..1000).filter(|_| repetitions.allow(1000, &mut notes)).count();
        assert_eq!((allowed, notes.0), (69, 1));
    }
}
