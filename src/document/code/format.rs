//! Languages as rows of the format table.

use std::ops::ControlFlow;

use super::language::Language;
use super::reader;
use crate::document::format::{
    CommentStyle, DocumentFormat, FormatKind, FormatLimits, Reading, Sniff,
};
use crate::document::{EventSink, Source};
use crate::finder::Rest;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Most bytes of the first line that are read.
const MAX_FIRST_LINE_LENGTH: usize = 128;

impl DocumentFormat for Language {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn file_names(&self) -> &'static [&'static str] {
        self.file_names
    }

    fn first_bytes(&self) -> &'static [u8] {
        if self.interpreters.is_empty() { b"" } else { b"#" }
    }

    /// Recognizes the interpreter in the first line: `#!/usr/bin/env python3`.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        if self.interpreters.is_empty() {
            return Sniff::No;
        }
        let Some(line) = head.clamped(..MAX_FIRST_LINE_LENGTH).strip_prefix(b"#!") else {
            return if b"#!".starts_with(head) { Sniff::need_more(rest) } else { Sniff::No };
        };
        let Some(end) = memchr::memchr(b'\n', line) else {
            return if head.len() < MAX_FIRST_LINE_LENGTH {
                Sniff::need_more(rest)
            } else {
                Sniff::No
            };
        };
        let mut words = line.clamped(..end).split(|byte| byte.is_ascii_whitespace());
        let is_name = |word: &[u8]| {
            let name = word.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
            let version = name.trailing(|byte| byte.is_ascii_digit() || byte == b'.');
            let name = name.clamped(..name.len() - version);
            self.interpreters.iter().any(|known| known.as_bytes() == name)
        };
        // After `env` and its flags, or at once.
        Sniff::yes_if(words.any(is_name))
    }

    fn reading(&self) -> Reading {
        Reading::OnRequest
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { largest: 16 << 20, ..FormatLimits::USUAL }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Code
    }

    fn comments(&self) -> CommentStyle {
        match self.line_comments.first() {
            Some(&"//") => CommentStyle::Slashes,
            Some(&"#") => CommentStyle::Hash,
            Some(&"%") => CommentStyle::Percent,
            _ => CommentStyle::None,
        }
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        reader::read(self, source, sink)
    }
}
