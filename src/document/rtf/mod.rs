//! Rich Text Format 1.9: text in groups with control words, and links as fields. RTF that was made
//! from HTML holds it (MS-OXRTFEX), and is read as that.

mod nested_text;
mod reader;

use std::ops::ControlFlow;

use reader::RtfReader;

use super::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use super::{EventSink, Source};
use crate::finder::Rest;
use crate::slice::SliceExt as _;

const START: &[u8] = b"{\\rtf";

/// The shortest start of a file that Word opens as RTF. Blanks may precede it.
const LEAST_START: &[u8] = b"{\\rt";

/// The format of RTF.
pub(in crate::document) struct Rtf;

impl DocumentFormat for Rtf {
    fn name(&self) -> &'static str {
        "rtf"
    }

    fn title(&self) -> &'static str {
        "Rich Text Format"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["rtf"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/rtf", "text/rtf"]
    }

    fn first_bytes(&self) -> &'static [u8] {
        START.clamped(..1)
    }

    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        match head.get(..START.len()) {
            Some(start) => Sniff::yes_if(start == START),
            None if START.starts_with(head) => Sniff::need_more(rest),
            None => Sniff::No,
        }
    }

    fn limits(&self) -> FormatLimits {
        // Pictures make these files large.
        FormatLimits { largest: 64 << 20, largest_audited: 64 << 20, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        if !source.bytes.trim_ascii_start().starts_with(LEAST_START) {
            // Its extension was wrong.
            return sink.part(&source.as_text());
        }
        RtfReader::new(source, sink).read()
    }
}
