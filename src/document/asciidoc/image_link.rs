//! The links of images in AsciiDoc: `image::a.png[link=b.html]`.

use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use super::inline::ReferenceForm;
use super::reader::AsciiDocReader;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

impl AsciiDocReader<'_, '_> {
    /// Reads the link in the attributes of an image, `link=a.html` or `xref=a.adoc` (Antora);
    /// returns where the text goes on. URIs are found in the text anyway.
    pub(super) fn link_of_image(&mut self, attributes: Span) -> ControlFlow<(), usize> {
        const NAMES: [&[u8]; 2] = [b"link=", b"xref="];
        let text = self.bytes.part(attributes.range());
        work_counter::add(text.len());
        let found = NAMES.iter().find_map(|name| {
            let mut places = memmem::find_iter(text, name);
            let at = places.find(|&at| {
                at.checked_sub(1).is_none_or(|at| matches!(text.get(at), Some(b',' | b' ')))
            })?;
            Some((*name, at + name.len()))
        });
        let Some((name, at)) = found else { return ControlFlow::Continue(attributes.start()) };
        let rest = text.clamped(at..);
        let (quotes, length) = match rest.first() {
            Some(b'"') => (1, memchr(b'"', rest.clamped(1..)).unwrap_or(0)),
            _ => (0, memchr(b',', rest).unwrap_or(rest.len())),
        };
        let value = rest.clamped(quotes..quotes + length);
        let start = attributes.start() + at + quotes;
        let target = Span::new(start, start + value.len());
        // The picture itself (Asciidoctor, `link=self`).
        let is_own = matches!(value, b"" | b"self" | b"none");
        let is_absolute = memmem::find(value, b"://").is_some() || value.starts_with(b"mailto:");
        if is_own || is_absolute || value.contains(&b'\n') {
            return ControlFlow::Continue(attributes.start());
        }
        if name == b"link=" {
            self.writer.prose(target.start())?;
            self.target(target, "link")?;
        } else {
            self.reference_by_name(target, target, ReferenceForm::Macro)?;
        }
        ControlFlow::Continue(target.end())
    }
}
