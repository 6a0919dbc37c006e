//! TNEF (MS-OXTNEF): `winmail.dat`, in which Outlook packs the body and the attachments of a
//! message.

mod attributes;
mod message;
mod packed_rtf;
mod properties;

use std::ops::ControlFlow;

use super::format::{DocumentFormat, FormatEncoding, FormatKind, FormatLimits};
use super::{Event, EventSink, Format, Source};

/// The format of TNEF.
pub(super) struct Tnef;

/// 0x223E9F78 in little-endian order.
const SIGNATURE: &[u8] = b"\x78\x9f\x3e\x22";

impl DocumentFormat for Tnef {
    fn name(&self) -> &'static str {
        "tnef"
    }

    fn title(&self) -> &'static str {
        "attachments of Outlook (TNEF, winmail.dat)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tnef"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/ms-tnef", "application/vnd.ms-tnef"]
    }

    fn encoding(&self) -> FormatEncoding {
        FormatEncoding::Binary { signature: SIGNATURE }
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits {
            largest: 64 << 20,
            largest_audited: 64 << 20,
            memory_factor: 12,
            light: Format::LARGEST,
        }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        if !source.bytes.starts_with(SIGNATURE) {
            // Its name or label was wrong.
            return sink.part(&source.as_text());
        }
        message::read(source, sink)
    }
}

/// Reports the parts that were not read.
fn unread(message: &str, sink: &mut dyn EventSink) {
    sink.note(&Event::Unread { file: "", message });
}
