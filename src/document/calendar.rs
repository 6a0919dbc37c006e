//! iCalendar (RFC 5545) and vCard (RFC 6350): text with folded lines.

use std::ops::ControlFlow;

use super::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use super::{EventSink, Part, Role, Source};
use crate::decode::content_lines;
use crate::finder::Rest;
use crate::offset_map::OffsetMap;

/// The format of calendars and contact cards.
pub(super) struct Calendar;

impl DocumentFormat for Calendar {
    fn name(&self) -> &'static str {
        "calendar"
    }

    fn title(&self) -> &'static str {
        "iCalendar and vCard"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["ics", "ical", "icalendar", "ifb", "vcf", "vcard"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["text/calendar", "text/vcard", "text/x-vcard", "text/x-vcalendar"]
    }

    fn first_bytes(&self) -> &'static [u8] {
        b"Bb"
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let starts = |start| Sniff::prefix(head, start, rest, u8::is_ascii_whitespace);
        starts("BEGIN:VCALENDAR").or(starts("BEGIN:VCARD"))
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits::USUAL
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        read(source, sink)
    }
}

/// Emits the whole document as one unfolded text.
fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    // Lines are folded at 75 octets, in the middle of a URI if need be (RFC 5545 §3.1, RFC 6350
    // §3.2).
    let (mut text, mut map) = (Vec::with_capacity(source.bytes.len()), OffsetMap::new());
    content_lines(source.bytes, &mut text, &mut map);
    sink.part(&Part::of_text(&text, source.layers(&map), Role::Text))
}
