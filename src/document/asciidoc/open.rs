//! Cross references of AsciiDoc that lack their brackets.

use memchr::memmem;

use super::inline::{MAX_BYTES, XREF};
use super::reader::AsciiDocReader;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::span::Span;

impl AsciiDocReader<'_, '_> {
    /// Reports each `xref:a.adoc` without brackets. Asciidoctor takes what follows up to the next
    /// `[` for its target, or leaves it as text (`InlineXrefMacroRx`).
    pub(super) fn open_references(&mut self, span: Span) {
        if !self.writer.wants_names() {
            return;
        }
        let text = self.bytes.part(span.range());
        for at in memmem::find_iter(text, XREF) {
            let before = at.checked_sub(1).and_then(|at| text.get(at));
            let inside = text.clamped(at..).clamped(..MAX_BYTES);
            let length = inside.leading(|byte| {
                !byte.is_ascii_whitespace() && !matches!(byte, b'[' | b']' | b'`' | b'+' | b',')
            });
            let is_open = inside.get(length).is_none_or(u8::is_ascii_whitespace);
            let word = inside.clamped(..length);
            let name = word.clamped(..length - word.trailing(|byte| b".;:!?)".contains(&byte)));
            let is_quoted = before.is_some_and(|byte| b"`+\\\"'".contains(byte));
            // A target may have spaces, but then its bracket is in the same line.
            let line = inside.clamped(..inside.leading(|byte| byte != b'\n'));
            if is_open && !is_quoted && name.ends_with(b".adoc") && !line.contains(&b'[') {
                let start = span.start() + at;
                self.writer.refer_unlinked(&lossy(name), Span::new(start, start + name.len()));
            }
        }
    }
}
