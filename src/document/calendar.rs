//! iCalendar (RFC 5545) and vCard (RFC 6350): text with folded lines.

use std::ops::ControlFlow;

use memchr::memchr;

use super::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use super::placed::PlacedSink;
use super::{Content, EventSink, Part, Place, Role, Source, html};
use crate::decode::content_lines;
use crate::finder::Rest;
use crate::offset_map::{Layers, OffsetMap};
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};

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

/// Longest content line that is unfolded, in bytes. Pictures in longer ones are base64.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Emits each content line by itself: the values of its parameters, and its own value.
fn read(source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
    let mut line = UnfoldedLine::default();
    let mut at = 0;
    while at < source.bytes.len() {
        let end = line_end(source.bytes, at);
        line.unfold(source.bytes.part(at..end));
        let below = source.part(at);
        line.emit(&below.under(&line.map), sink)?;
        at = end;
    }
    ControlFlow::Continue(())
}

/// Returns the end of a content line, which spaces and tabs continue (RFC 5545 §3.1, RFC 6350
/// §3.2).
fn line_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let rest = bytes.clamped(end..);
        end += memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
        let is_folded = matches!(bytes.get(end), Some(b' ' | b'\t'));
        if !is_folded || end - start > MAX_LINE_BYTES {
            return end;
        }
    }
}

/// A content line without folds and escapes. A fold may be in the middle of a URI.
#[derive(Default)]
struct UnfoldedLine {
    text: Vec<u8>,
    map: OffsetMap,
}

/// Properties whose value is a URI: RFC 5545, RFC 7986, RFC 9073, RFC 6350, and RFC 2426.
const ADDRESSES: &[&[u8]] = &[
    b"URL",
    b"ATTACH",
    b"ATTENDEE",
    b"CALADRURI",
    b"CALURI",
    b"CONFERENCE",
    b"FBURL",
    b"IMAGE",
    b"IMPP",
    b"KEY",
    b"LINK",
    b"LOGO",
    b"MEMBER",
    b"ORGANIZER",
    b"PHOTO",
    b"SOUND",
    b"SOURCE",
    b"STRUCTURED-DATA",
    b"TZURL",
    b"X-SOCIALPROFILE",
];

/// Properties whose value is HTML, without a parameter that says so.
const HTML_VALUES: &[&[u8]] = &[b"X-ALT-DESC"];

impl UnfoldedLine {
    fn unfold(&mut self, line: &[u8]) {
        self.text.clear();
        self.map.clear();
        content_lines(line, &mut self.text, &mut self.map);
    }

    fn emit(&self, source: &Layers<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        let text = self.text.as_slice();
        // A group may precede the name: `item1.URL`.
        let length = text.leading(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
        let whole = text.clamped(..length);
        // Names of properties have no case (RFC 6350 §3.3).
        let name = whole.rsplit(|&byte| byte == b'.').next().unwrap_or(whole).to_ascii_uppercase();
        let value = value_start(text.clamped(length..)).map(|start| length + start);
        let is_named = length > 0 && matches!(text.get(length), Some(b':' | b';'));
        // `//` follows the scheme of a URI in the text, not a name.
        let is_value = |value: &usize| is_named && !text.clamped(*value..).starts_with(b"//");
        let Some(value) = value.filter(is_value) else {
            return sink.part(&Part::of_text(text, *source, Role::Text));
        };
        let parameters = text.clamped(length..value - 1);
        let place = Place::Property(lossy(&name).into_owned().into());
        let place = Some(&place);
        if !parameters.is_empty() {
            let source = source.copied_under(length);
            let part = Part::of_text(parameters, source, Role::Attribute);
            sink.part(&Part { place, ..part })?;
        }
        let bytes = text.clamped(value..);
        let (whole_source, source) = (*source, source.copied_under(value));
        // The type is that of the document at the address (RFC 5545 §3.2.8).
        let is_address = ADDRESSES.contains(&name.as_slice());
        if is_html(&name, parameters)
            && !is_address
            && let Some(place) = place
        {
            let mut sink = PlacedSink { place, sink };
            return html::read(Source::inside(bytes, &source), &mut sink);
        }
        // The line break is not a part of the value.
        let bytes = bytes.trim_ascii_end();
        // Any other property may say so itself (RFC 5545 §3.2.20).
        let is_uri = contains(parameters, b";VALUE=URI");
        let (role, content) = if is_uri || is_address {
            (Role::Destination, Content::Value)
        } else {
            (Role::Text, Content::Text)
        };
        if role == Role::Text && parameters.is_empty() {
            // A line that was not folded may start like this, too: `http://a.example/`.
            return sink.part(&Part { place, ..Part::of_text(text, whole_source, role) });
        }
        sink.part(&Part { place, content, ..Part::of_text(bytes, source, role) })
    }
}

/// Returns the offset after the colon that ends the parameters; quoted values may hold one.
fn value_start(text: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b':' if !is_quoted => return Some(at + 1),
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

fn is_html(name: &[u8], parameters: &[u8]) -> bool {
    HTML_VALUES.contains(&name) || contains(parameters, b";FMTTYPE=TEXT/HTML")
}

/// True if the parameters hold this, in any case.
fn contains(parameters: &[u8], wanted: &[u8]) -> bool {
    parameters.windows(wanted.len()).any(|window| window.eq_ignore_ascii_case(wanted))
}
