//! iCalendar (RFC 5545) and vCard (RFC 6350): text in folded lines.

use std::ops::ControlFlow;

use super::{Part, PartSink, Role, Source};
use crate::decode::content_lines;
use crate::offset_map::OffsetMap;

/// How such a text starts.
const STARTS: [&[u8]; 2] = [b"BEGIN:VCALENDAR", b"BEGIN:VCARD"];

/// Whether `head` starts a calendar or a card.
pub(super) fn starts(head: &[u8]) -> bool {
    STARTS.iter().any(|start| {
        head.get(..start.len()).is_some_and(|word| word.eq_ignore_ascii_case(start))
            && head.get(start.len()).is_none_or(u8::is_ascii_whitespace)
    })
}

/// Whether `head` may be part of such a start.
pub(super) fn may_start(head: &[u8]) -> bool {
    STARTS
        .iter()
        .any(|start| start.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head)))
}

/// Gives the whole of it as one text, unfolded.
pub(super) fn read(source: Source<'_>, sink: &mut dyn PartSink) -> ControlFlow<()> {
    let (mut text, mut map) = (Vec::with_capacity(source.bytes.len()), OffsetMap::new());
    content_lines(source.bytes, &mut text, &mut map);
    sink.part(&Part::of_text(&text, source.layers(&map), Role::Text))
}
