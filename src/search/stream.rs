//! Searches one stream of bytes: decodes it, and reads it as a document, as a mailbox, or as text.
//!
//! Small files are read whole. Everything else passes through a window that grows only for an
//! unfinished URI. The findings do not depend on how the input is cut.

use std::io::{self, Read};

use memchr::memchr;

use crate::decode::Encoding;
use crate::document::mail::FORMAT as MAIL;
use crate::document::{Format, InputType, Packages};
use crate::finder::Rest;
use crate::search::document::{self, DocumentKind, WindowDocument};
use crate::search::input_shape::{InputShape, ShapeSniff, binary_format, sniff_shape};
use crate::search::memory_admission::{MemoryAdmission, admit, enter_lane};
use crate::search::parallel::SplitInput;
use crate::search::query::Query;
use crate::search::source::buffer::{Buffer, Filled};
use crate::search::source::charset::{self, CharsetText};
use crate::search::source::text_source::{RawText, TextSource, UnicodeText};
use crate::search::state::{MemoryLane, SearchState, StateOptions, go_on};
use crate::search::{
    End, Flow, Input, InputKind, Mail, Markup, ParallelSink, Problem, ProblemKind, SearchResult,
    TextEncoding, mailbox, parallel,
};
use crate::slice::SliceExt;

/// Files up to this size are read whole.
const WHOLE_MAX: u64 = 1 << 20;
/// Larger files are read in steps of this size.
pub(crate) const STEP: usize = 256 << 10;
/// Bytes of a stream read at a time, if available.
const READ_SIZE: usize = 64 << 10;
/// Up to this size, a window is searched again for every byte that arrives.
const RESCAN_LIMIT: usize = 4 << 10;
/// An input with a NUL in this many first bytes is binary.
pub(crate) const BINARY_SNIFF: usize = 8 << 10;
const BOM_MAX: usize = 4;
/// Number of bytes with zeros among them that suffice to detect an encoding.
const ZEROS: usize = 512;

/// The problem of a document that is searched as text because memory is short.
pub(crate) const TOO_LITTLE_MEMORY: &str =
    "not enough memory to read its format; it was searched as text";

/// Treatment of binary files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Skipped, and counted.
    #[default]
    Skip,
    /// Searched.
    Search,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamOptions<'p> {
    pub kind: InputKind,
    pub binary: Binary,
    /// Set for one large input whose chunks several threads search.
    pub split: Option<SplitInput<'p>>,
    pub lane: MemoryLane,
    pub max_count: Option<u64>,
}

/// Searches streams one after the other with the same buffer.
#[derive(Debug)]
pub(crate) struct StreamSearcher<'q> {
    query: &'q Query,
    buffer: Buffer,
}

impl<'q> StreamSearcher<'q> {
    pub fn new(query: &'q Query) -> Self {
        Self { query, buffer: Buffer::default() }
    }

    /// Searches the bytes of `reader`, which belong to `input`.
    pub fn search(
        &mut self,
        reader: &mut impl Read,
        input: &Input,
        options: StreamOptions<'_>,
        sink: &mut dyn ParallelSink,
    ) -> SearchResult {
        let by =
            StateOptions { kind: options.kind, lane: options.lane, max_count: options.max_count };
        let state = SearchState::new(self.query, input, by, sink);
        self.buffer.clear();
        let (kind, binary) = (options.kind, options.binary);
        let sniffed = match self.fill_start(reader, kind, binary) {
            Ok(sniffed) => sniffed,
            Err(error) => return state.finish(0, End::Failed(error)),
        };
        // Before the test for zeros, which every database and most PDF files have.
        let document = binary_format(self.query, input, self.buffer.window());
        if document.is_some() {
            return self.search_text(state, &mut RawText(reader), options, sink);
        }
        let head = self.buffer.window().clamped(..sniffed);
        let unicode = match self.query.encoding {
            TextEncoding::Unicode | TextEncoding::Guessed => {
                Encoding::detect(head).map(|(encoding, _)| encoding)
            }
            TextEncoding::Wide(encoding) => Some(encoding),
            TextEncoding::Raw | TextEncoding::Charset(_) => None,
        };
        if unicode.is_none()
            && matches!(self.query.encoding, TextEncoding::Unicode | TextEncoding::Guessed)
            && Encoding::has_false_mark(head)
        {
            // Decoding by a wrong mark would make every URI unreadable. As bytes, URIs in ASCII are
            // still found.
            let message = "its byte order mark is wrong: it is searched as bytes";
            sink.problem(&Problem::new(ProblemKind::Read, input.display_path(), message));
        }
        if unicode.is_none() && binary == Binary::Skip && memchr(0, head).is_some() {
            let name = input.name();
            let end = match InputType::guess(self.buffer.window(), name, Packages::Documents) {
                InputType::Unread(unread) => End::Unread(unread.message()),
                InputType::Archive(_) => End::Packed,
                InputType::Document(_) | InputType::Plain => End::Binary,
            };
            return state.finish(0, end);
        }
        let charset = match self.query.encoding {
            TextEncoding::Charset(charset) => Some(charset),
            TextEncoding::Guessed if unicode.is_none() => charset::guess(self.buffer.window()),
            _ => None,
        };
        // Search the bytes in place where possible. Decoding costs a copy, and offsets must then be
        // mapped back to the input.
        if charset.is_none() && unicode.is_none() {
            return self.search_text(state, &mut RawText(reader), options, sink);
        }
        let head = self.buffer.window().to_vec();
        self.buffer.clear();
        let reader = head.as_slice().chain(reader);
        // A decoder works from the start of the input, so no thread can begin in its middle.
        let options = StreamOptions { split: None, ..options };
        match (charset, unicode) {
            (Some(charset), _) => {
                let mut text = CharsetText::new(reader, charset);
                self.search_text(state, &mut text, options, sink)
            }
            (None, Some(encoding)) => {
                let mut text = UnicodeText::new(reader, encoding);
                self.search_text(state, &mut text, options, sink)
            }
            (None, None) => self.search_text(state, &mut RawText(reader), options, sink),
        }
    }

    fn search_text(
        &mut self,
        mut state: SearchState<'_>,
        text: &mut impl TextSource,
        options: StreamOptions<'_>,
        sink: &mut dyn ParallelSink,
    ) -> SearchResult {
        let end = match self.search_shaped(&mut state, text, options, sink) {
            Some(end) => end,
            None if !self.query.takes_text() => End::Complete,
            None => self.search_windows(&mut state, text, options, sink),
        };
        let read = text.source(state.base + self.buffer.window().len() as u64);
        if state.reports_lines() {
            match end {
                End::Stopped => self.report_lines_after_stop(&mut state, text, sink),
                _ => state.report_last_lines(self.buffer.window(), text, sink),
            }
        }
        state.finish(read, end)
    }

    /// Reads on after the last hit that the sink wants, to report the lines after it.
    fn report_lines_after_stop(
        &mut self,
        state: &mut SearchState<'_>,
        text: &mut impl TextSource,
        sink: &mut dyn ParallelSink,
    ) {
        while state.report_lines_after_stop(self.buffer.window(), text, sink) {
            self.buffer.consume(self.buffer.window().len());
            text.forget(state.base);
            let filled = self.buffer.fill(text, 1, READ_SIZE);
            if !matches!(filled, Ok(Filled::More)) {
                return state.report_last_lines(self.buffer.window(), text, sink);
            }
        }
    }

    /// Fills the window with as much as tells the encoding, and returns the number of bytes to look
    /// at.
    ///
    /// # Errors
    /// If nothing can be read. After some bytes, the next read reports the error again, when they
    /// were searched.
    fn fill_start(
        &mut self,
        reader: &mut impl Read,
        kind: InputKind,
        binary: Binary,
    ) -> io::Result<usize> {
        let enough = match (binary, kind) {
            _ if matches!(self.query.encoding, TextEncoding::Guessed) => charset::GUESS_SIZE,
            (_, InputKind::File(size)) => {
                BINARY_SNIFF.min(usize::try_from(size).unwrap_or(BINARY_SNIFF))
            }
            (Binary::Skip, InputKind::Stream) => BINARY_SNIFF,
            // A person who types at a terminal waits for an answer, so only a byte order mark is
            // awaited.
            (Binary::Search, InputKind::Stream) => BOM_MAX,
        };
        let (_, room) = first_read(kind, STEP);
        let mut filled = self.buffer.fill(reader, enough, room);
        // UTF-16 and UTF-32 are detected by the positions of their zeros, which takes more bytes.
        if kind == InputKind::Stream && filled.is_ok() && memchr(0, self.buffer.window()).is_some()
        {
            filled = self.buffer.fill(reader, ZEROS, room);
        }
        if let Err(error) = filled
            && self.buffer.window().is_empty()
        {
            return Err(error);
        }
        let is_awaited = enough == BOM_MAX && kind == InputKind::Stream;
        let start = self.buffer.window().clamped(..BOM_MAX);
        let has_zeros =
            memchr(0, start).is_some() || matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        // Zeros or a byte order mark are not typed by a person, so waiting for more is safe.
        if is_awaited && has_zeros {
            // The next read reports the error again.
            let _ = self.buffer.fill(reader, Encoding::HEAD, room);
        }
        // At a terminal, examine a fixed number of bytes, so that the result does not depend on how
        // many arrived at once.
        Ok(if is_awaited && !has_zeros { BOM_MAX } else { BINARY_SNIFF })
    }

    /// Reads the input as a document or mailbox. Returns `None` if it is text, or too large to be
    /// read as a document.
    fn search_shaped(
        &mut self,
        state: &mut SearchState<'_>,
        text: &mut impl TextSource,
        options: StreamOptions<'_>,
        sink: &mut dyn ParallelSink,
    ) -> Option<End> {
        let query = self.query;
        if query.markup == Markup::Never && query.mail == Mail::Never {
            return None;
        }
        // Decoded text has not been read yet. Filling the buffer reports an error again.
        if self.buffer.window().is_empty() {
            let _ = self.buffer.fill(text, BOM_MAX, READ_SIZE);
        }
        // Read enough to distinguish a header from text, in however many reads.
        let mut rest = Rest::More;
        let shape = loop {
            match sniff_shape(query, state.input, self.buffer.window(), rest) {
                ShapeSniff::Known(shape) => break shape,
                ShapeSniff::NeedMore => {
                    let held = self.buffer.window().len();
                    // The buffer grows by half, so that all attempts together take time linear in
                    // the bytes.
                    let filled = self.buffer.fill(text, held + held / 2 + 1, READ_SIZE);
                    if !matches!(filled, Ok(Filled::More)) {
                        rest = Rest::End;
                    }
                }
            }
        };
        let format = match shape? {
            InputShape::Mailbox => {
                state.read_as(MAIL);
                if let Some(split) = options.split {
                    self.buffer.clear();
                    return Some(parallel::mailbox::search(state, split, sink));
                }
                let text = (&mut self.buffer, text);
                return Some(mailbox::search(text, options.kind, state, sink));
            }
            InputShape::Document(format) => format,
        };
        if format.is_binary() {
            state.ignore_lines();
        }
        // Before the file is read: otherwise every thread could hold a large one. A file above the
        // limit is searched as text, which takes no more memory on all threads.
        if let InputKind::File(size) = options.kind
            && size <= self.query.largest(format) as u64
            && let Err(end) = go_on(enter_lane(format, size, state, sink))
        {
            return Some(end);
        }
        let filled = match self.fill_with_document(format, text, options.kind) {
            Some(filled) => filled,
            None if format.is_binary() => {
                let most = self.query.largest(format) >> 20;
                state.limit_reached(&format!("it is larger than {most} MiB and was not read"));
                return Some(End::Complete);
            }
            None => {
                state.searched_as_text(format);
                return None;
            }
        };
        let window = self.buffer.window();
        if format.is_dense(window) {
            state.searched_as_text(format);
            return None;
        }
        let flow = match admit(format, window.len(), state, sink) {
            MemoryAdmission::Enough => {
                state.read_as(format);
                let kind = DocumentKind::Whole(format);
                document::search(WindowDocument { kind, window, offsets: text }, state, sink)
            }
            MemoryAdmission::Stop(flow) => flow,
            MemoryAdmission::TooLittle => {
                state.limit_reached(TOO_LITTLE_MEMORY);
                return None;
            }
        };
        Some(match (go_on(flow), filled) {
            (Err(end), _) => end,
            (Ok(()), Err(error)) => End::Failed(error),
            (Ok(()), Ok(_)) => End::Complete,
        })
    }

    /// Reads all of a document into the buffer; returns `None` if it is too large.
    fn fill_with_document(
        &mut self,
        format: Format,
        text: &mut impl TextSource,
        kind: InputKind,
    ) -> Option<io::Result<Filled>> {
        let mut enough = match kind {
            InputKind::File(size) => usize::try_from(size).unwrap_or(usize::MAX),
            InputKind::Stream => READ_SIZE,
        };
        // A document is read as a whole, because the maps of its parts lead back to offsets in it.
        // The limit bounds the memory; a larger one is searched as text.
        let largest = self.query.largest(format);
        loop {
            // One byte more than the limit, so that the read sees the end.
            enough = enough.min(largest) + 1;
            match self.buffer.fill(text, enough, enough) {
                Ok(Filled::More) if enough > largest => return None,
                // The buffer doubles, so that copying it takes time linear in its size.
                Ok(Filled::More) => enough *= 2,
                filled => return Some(filled),
            }
        }
    }

    fn search_windows(
        &mut self,
        state: &mut SearchState<'_>,
        text: &mut impl TextSource,
        options: StreamOptions<'_>,
        sink: &mut dyn ParallelSink,
    ) -> End {
        let buffer = &mut self.buffer;
        let (mut enough, mut room) = first_read(options.kind, STEP);
        loop {
            let filled = buffer.fill(text, enough, room);
            // Everything before damage is searched, up to its end.
            let rest = match filled {
                Ok(Filled::More) => Rest::More,
                Ok(Filled::Eof) => Rest::End,
                Err(_) => {
                    state.cut();
                    Rest::End
                }
            };
            if state.search_window(buffer.window(), rest, text, sink) != Flow::Continue {
                return End::Stopped;
            }
            state.report_settled_lines(buffer.window(), text, sink);
            if let Some(end) = ended(filled, state, sink) {
                return end;
            }
            buffer.consume(state.advance(buffer.window(), text));
            text.forget(state.base);
            if let Some(split) = options.split {
                buffer.clear();
                // The first window showed that this is text. All threads search the rest.
                return parallel::text::search(state, split, sink);
            }
            (enough, room) = next_read(options.kind, buffer.window().len(), STEP);
        }
    }
}

/// Returns the way that the search ended, unless more must be read.
pub(crate) fn ended(
    filled: io::Result<Filled>,
    state: &mut SearchState<'_>,
    sink: &mut dyn ParallelSink,
) -> Option<End> {
    match filled {
        Ok(Filled::Eof) => Some(End::Complete),
        Err(error) => Some(End::Failed(error)),
        Ok(Filled::More) => go_on(state.idle(sink)).err(),
    }
}

/// Returns the minimum size of the first window, and the space that it gets.
pub(crate) fn first_read(kind: InputKind, step: usize) -> (usize, usize) {
    match kind {
        // One byte more than the file has, so that the read sees the end.
        InputKind::File(size) if size <= WHOLE_MAX => (size as usize + 1, size as usize + 1),
        InputKind::File(_) => (step, step),
        InputKind::Stream => (1, READ_SIZE),
    }
}

/// Returns the same sizes for a window that starts with `left` bytes.
///
/// The remaining bytes are searched again, so the window must at least double while nothing in it
/// can be dropped (for a stream: grow by half). The total work stays linear.
pub(crate) fn next_read(kind: InputKind, left: usize, step: usize) -> (usize, usize) {
    match kind {
        InputKind::File(_) => (left + step.max(left), left + step.max(left)),
        InputKind::Stream if left <= RESCAN_LIMIT => (left + 1, left + READ_SIZE),
        InputKind::Stream => (left + left / 2, left + READ_SIZE.max(left / 2)),
    }
}
