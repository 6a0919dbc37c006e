//! Walks the tree of a message's parts, in byte order (RFC 2046 §5.1).
//!
//! One loop with a stack of at most [`MimeLimits::depth`] levels. The search for delimiter lines
//! resumes after the last one. So each byte is looked at once, however the levels are nested.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use memchr::{memchr, memmem};

use super::attachment::AttachmentPlace;
use super::head::Head;
use super::header::Header;
use super::{
    BOM, Entity, EntityLocation, EntityReading, InlineFiles, KnownMessage, MAX_ENCODED, MimeLimit,
    MimeLimits, Multipart, Scratch, body, emit, starts_with_mark,
};
use crate::document::{Event, EventSink, Format, Role, Source};
use crate::scan::HeaderOutline;
use crate::slice::SliceExt as _;
use crate::span::Span;
use crate::work_counter;

enum MessageStep {
    /// A header at this offset: of a part, or of a message, whose body has its own number.
    Entity {
        at: usize,
        is_message: bool,
    },
    Line(Delimiter),
    End,
}

/// A delimiter line, `--boundary` or `--boundary--`.
#[derive(Clone, Copy, Debug)]
struct Delimiter {
    line: Span,
    level: usize,
    closes: bool,
}

/// An open multipart or message.
#[derive(Debug)]
struct MultipartLevel {
    /// `None` for messages.
    boundary: Option<Vec<u8>>,
    kind: Multipart,
    /// True after the last delimiter, when only an epilogue should follow.
    closed: bool,
    parts: usize,
    /// State for everything in it.
    state: WalkState,
}

#[derive(Clone, Copy, Debug)]
struct WalkState {
    /// Length of the part of the number that belongs to the container.
    number: usize,
    /// Number of locations that belong to the container.
    locations: usize,
    message: Span,
    multipart: Option<Multipart>,
}

pub(super) struct MessageWalk<'d, 's> {
    source: Source<'d>,
    /// Bytes up to the end of the message.
    bytes: &'d [u8],
    pub sink: &'s mut dyn EventSink,
    pub scratch: &'s mut Scratch,
    start: usize,
    /// Outline of the message's own header, if known.
    outline: Option<HeaderOutline>,
    files: InlineFiles,
    levels: Vec<MultipartLevel>,
    number: String,
    locations: Vec<EntityLocation>,
    state: WalkState,
    parts: usize,
    limits: MimeLimits,
    /// Number of encoded messages around this one.
    encoded: usize,
}

impl<'d, 's> MessageWalk<'d, 's> {
    /// Starts a walk over the message at `span` of `source`.
    pub fn new(
        source: Source<'d>,
        span: Span,
        scratch: &'s mut Scratch,
        sink: &'s mut dyn EventSink,
    ) -> Self {
        let state =
            WalkState { number: 0, locations: 0, message: Span::default(), multipart: None };
        let mut number = std::mem::take(&mut scratch.number);
        number.clear();
        let wants = sink.wants();
        Self {
            source,
            bytes: source.bytes.get(..span.end()).unwrap_or(source.bytes),
            limits: wants.mime,
            sink,
            scratch,
            start: span.start(),
            outline: None,
            files: InlineFiles::Possible,
            levels: Vec::new(),
            number,
            locations: Vec::new(),
            state,
            parts: 0,
            // A mailbox in a file is nested in that file.
            encoded: wants.nesting,
        }
    }

    pub fn known(self, known: Option<KnownMessage>) -> Self {
        Self {
            outline: known.map(|known| known.outline),
            files: known.map_or(InlineFiles::Possible, |known| known.files),
            ..self
        }
    }

    /// Sets the state for a message that was encoded as a whole in the part with this number.
    pub fn inside(self, number: &str, locations: &[EntityLocation]) -> Self {
        Self {
            number: number.to_owned(),
            locations: locations.to_vec(),
            state: WalkState { number: number.len(), locations: locations.len(), ..self.state },
            ..self
        }
    }

    pub fn run(mut self) -> ControlFlow<()> {
        let walked = self.walk();
        let Self { number, scratch, .. } = self;
        scratch.number = number;
        walked
    }

    fn walk(&mut self) -> ControlFlow<()> {
        let mut next = MessageStep::Entity { at: self.start, is_message: true };
        loop {
            next = match next {
                MessageStep::Entity { at, is_message } if self.parts < self.limits.parts => {
                    self.entity(at, is_message)?
                }
                MessageStep::Entity { at, .. } => {
                    // The rest is emitted undecoded, so that it is still searched.
                    self.reached(MimeLimit::Parts(self.limits.parts));
                    self.enter("", EntityReading::Raw);
                    let rest = Span::new(at, self.bytes.len());
                    emit(self.source, rest, Role::Text, self.sink)?;
                    MessageStep::End
                }
                MessageStep::Line(delimiter) => self.delimiter(delimiter)?,
                MessageStep::End => return ControlFlow::Continue(()),
            };
        }
    }

    fn entity(&mut self, at: usize, is_whole: bool) -> ControlFlow<(), MessageStep> {
        self.parts += 1;
        let outline = self.outline.take();
        // A byte order mark is not part of the name of the first field.
        let mark = starts_with_mark(self.bytes.clamped(at..)).then_some(BOM.len());
        let (at, outline) = (at + mark.unwrap_or(0), outline.filter(|_| mark.is_none()));
        let outline = outline.unwrap_or_else(|| HeaderOutline::read(self.bytes, at));
        let delimits = |line| self.delimiter_at(line).is_some();
        let mut head = Head::read(self.bytes, at, outline, delimits);
        if is_whole {
            self.state.message = head.header;
        }
        if head.media.name.is_empty() {
            let in_digest = !is_whole && self.state.multipart == Some(Multipart::Digest);
            // Defaults of RFC 2046 §5.1.5 and RFC 2045 §5.2.
            let default = if in_digest { "message/rfc822" } else { "text/plain" };
            head.media.name = Cow::Borrowed(default);
        }
        if head.location != EntityLocation::default() {
            self.locations.push(std::mem::take(&mut head.location));
        }
        self.enter(&head.media.name, EntityReading::Parsed);
        head.emit(self.source, self.sink)?;

        let deeper = self.levels.len() < self.limits.depth;
        let multipart = multipart(&head.media.name);
        let mut reading = EntityReading::Parsed;
        match multipart {
            // A composite type has no encoding of its own, even if its header names one (RFC 2045
            // §6.4).
            Some(kind) if deeper => {
                if let Some(next) = self.multipart(kind, &head)? {
                    return ControlFlow::Continue(next);
                }
                // There is no delimiter, so this is not a multipart. If it has an encoding, it is
                // decoded like any other body.
                if head.transfer.is_identity() {
                    reading = EntityReading::Raw;
                }
            }
            Some(_) => {
                self.reached(MimeLimit::Depth(self.limits.depth));
                reading = EntityReading::Raw;
            }
            None => {}
        }
        if is_whole {
            // The body of a message has a number of its own (RFC 9051 §6.4.5.1).
            let one = if self.number.is_empty() { "1" } else { ".1" };
            self.number.push_str(one);
        }
        let is_message = is_message(&head.media.name);
        if is_message && !deeper {
            self.reached(MimeLimit::Depth(self.limits.depth));
            reading = EntityReading::Raw;
        }
        if is_message && deeper && head.transfer.is_identity() {
            self.push(None, Multipart::Mixed);
            return ControlFlow::Continue(MessageStep::Entity { at: head.body, is_message: true });
        }
        let (end, next) = self.next(head.body);
        let body = Span::new(head.body, end);
        if reading == EntityReading::Raw || is_whole {
            self.enter(&head.media.name, reading);
        }
        if reading == EntityReading::Raw {
            emit(self.source, body, Role::Text, self.sink)?;
        } else {
            let (source, files) = (self.source, self.files);
            body::Leaf { source, head: &head, span: body, files }.emit(self)?;
        }
        ControlFlow::Continue(next)
    }

    fn multipart(
        &mut self,
        kind: Multipart,
        head: &Head<'_>,
    ) -> ControlFlow<(), Option<MessageStep>> {
        let boundary = head.media.parameter("boundary").map(<[u8]>::trim_ascii_end);
        let boundary = boundary.filter(|boundary| !boundary.is_empty());
        let own = self.levels.len();
        self.push(boundary.map(<[u8]>::to_vec), kind);
        let (mut end, mut next) = self.next(head.body);
        let is_own =
            |next: &MessageStep| matches!(next, MessageStep::Line(line) if line.level == own);
        if !is_own(&next) {
            // The boundary parameter is wrong or missing, so guess it from the body.
            let guess = guess(self.bytes.part(..end), head.body);
            let Some(level) = self.levels.last_mut().filter(|_| guess.is_some()) else {
                if let Some(level) = self.levels.pop() {
                    self.state = level.state;
                }
                return ControlFlow::Continue(None);
            };
            level.boundary = guess.map(<[u8]>::to_vec);
            (end, next) = self.next(head.body);
        }
        emit(self.source, Span::new(head.body, end), Role::Text, self.sink)?;
        ControlFlow::Continue(Some(next))
    }

    /// Continues after a delimiter line, which closes all levels inside its own.
    fn delimiter(&mut self, delimiter: Delimiter) -> ControlFlow<(), MessageStep> {
        // Inner multiparts without a closing delimiter end here, too (RFC 2046 §5.1.2).
        self.levels.truncate(delimiter.level + 1);
        let Some(level) = self.levels.last_mut() else {
            return ControlFlow::Continue(MessageStep::End);
        };
        level.closed = delimiter.closes;
        self.state = level.state;
        self.state.multipart = Some(level.kind);
        self.number.truncate(self.state.number);
        self.locations.truncate(self.state.locations);
        let after = delimiter.line.end();
        if !delimiter.closes {
            level.parts += 1;
            let separator = if self.number.is_empty() { "" } else { "." };
            let _ = write!(self.number, "{separator}{}", level.parts);
            return ControlFlow::Continue(MessageStep::Entity { at: after, is_message: false });
        }
        let (end, next) = self.next(after);
        let epilogue = Span::new(after, end);
        if !self.bytes.part(epilogue.range()).trim_ascii().is_empty() {
            self.enter("", EntityReading::Raw);
            emit(self.source, epilogue, Role::Text, self.sink)?;
        }
        ControlFlow::Continue(next)
    }

    fn push(&mut self, boundary: Option<Vec<u8>>, kind: Multipart) {
        self.state.number = self.number.len();
        self.state.locations = self.locations.len();
        self.levels.push(MultipartLevel {
            boundary,
            kind,
            closed: false,
            parts: 0,
            state: self.state,
        });
    }

    fn reached(&mut self, limit: MimeLimit) {
        self.sink.note(&Event::Limit(limit));
    }

    /// Emits the part that the following events belong to.
    pub fn enter(&mut self, media_type: &str, reading: EntityReading) {
        let header = self.state.message;
        self.sink.note(&Event::Entity(&Entity {
            number: &self.number,
            message: Header::new(self.bytes.part(header.range())),
            message_start: self.source.span(Span::new(header.start(), header.start())).start(),
            multipart: self.state.multipart,
            media_type,
            reading,
            locations: &self.locations,
        }));
    }

    /// Returns the place of an attachment in the part that was entered last.
    pub fn place(&self) -> AttachmentPlace {
        let start = self.state.message.start();
        AttachmentPlace {
            number: self.number.clone(),
            message_start: self.source.span(Span::new(start, start)).start(),
            encoded: self.encoded,
        }
    }

    /// Reads a message that was encoded as a whole; `None` if too many are nested.
    pub fn message(&mut self, source: Source<'_>) -> Option<ControlFlow<()>> {
        if self.encoded >= MAX_ENCODED {
            self.reached(MimeLimit::Encoded(MAX_ENCODED));
            return None;
        }
        let span = Span::new(0, source.bytes.len());
        let mut walk = MessageWalk::new(source, span, &mut *self.scratch, &mut *self.sink);
        walk.encoded = self.encoded + 1;
        // This recurses, but never deeper than the constant.
        Some(walk.inside(&self.number, &self.locations).run())
    }

    /// Returns the end of the text that starts at `from`, and the next step.
    fn next(&self, from: usize) -> (usize, MessageStep) {
        let found = self.find(from);
        let end = found.map_or(self.bytes.len(), |delimiter| delimiter.line.end());
        work_counter::add(end.saturating_sub(from));
        match found {
            Some(delimiter) => {
                // The line break before a delimiter belongs to the delimiter.
                let before = self.bytes.part(from..delimiter.line.start());
                let before = before.strip_suffix(b"\n").unwrap_or(before);
                let before = before.strip_suffix(b"\r").unwrap_or(before);
                (from + before.len(), MessageStep::Line(delimiter))
            }
            None => (self.bytes.len(), MessageStep::End),
        }
    }

    /// Returns the first delimiter line at or after `from`, which must start a line.
    fn find(&self, from: usize) -> Option<Delimiter> {
        if self.levels.iter().all(|level| level.boundary.is_none()) {
            return None;
        }
        if let Some(delimiter) = self.delimiter_at(from) {
            return Some(delimiter);
        }
        // `\n--` is searched for, and not each boundary: one pass serves all levels.
        let rest = self.bytes.get(from..)?;
        memmem::find_iter(rest, b"\n--").find_map(|found| self.delimiter_at(from + found + 1))
    }

    /// Returns the delimiter on the line at `at`. White space may follow it (RFC 2046 §5.1.1).
    fn delimiter_at(&self, at: usize) -> Option<Delimiter> {
        let rest = self.bytes.get(at..)?;
        let text = rest.strip_prefix(b"--")?;
        let length = memchr(b'\n', text).unwrap_or(text.len());
        work_counter::add(length);
        let name = text.get(..length)?.trim_ascii_end();
        // A boundary may itself end in `--`, so try the whole name before a closing delimiter.
        let (level, closes) = match (self.level(name), name.strip_suffix(b"--")) {
            (Some(level), _) => (level, false),
            (None, Some(name)) => (self.level(name.trim_ascii_end())?, true),
            (None, None) => return None,
        };
        let end = (at + 2 + length + 1).min(self.bytes.len());
        Some(Delimiter { line: Span::new(at, end), level, closes })
    }

    /// Returns the innermost multipart with this boundary. An open one takes precedence over a
    /// closed one.
    fn level(&self, boundary: &[u8]) -> Option<usize> {
        let is = |level: &MultipartLevel| level.boundary.as_deref() == Some(boundary);
        let open = |level: &MultipartLevel| !level.closed && is(level);
        let levels = &self.levels;
        let found = levels.iter().rposition(open);
        found.or_else(|| levels.iter().rposition(is))
    }
}

/// Guesses the boundary of a multipart: the first line with dashes that is followed by a header
/// field.
fn guess(bytes: &[u8], body: usize) -> Option<&[u8]> {
    let text = bytes.get(body..)?;
    work_counter::add(text.len());
    let first = text.starts_with(b"--").then_some(0);
    let others = memmem::find_iter(text, b"\n--").map(|found| found + 1);
    first.into_iter().chain(others).find_map(|at| {
        let rest = text.get(at + 2..)?;
        let length = memchr(b'\n', rest)?;
        let name = rest.get(..length)?.trim_ascii_end();
        // The length of `content-`, with which nearly all fields of a part begin. After a line of
        // dashes in a text, something else follows.
        let after = rest.get(length + 1..)?.get(..8)?;
        // Also for `boundary=""`, by which a line of two dashes is a delimiter.
        after.eq_ignore_ascii_case(b"content-").then_some(name)
    })
}

fn multipart(media_type: &str) -> Option<Multipart> {
    Some(match media_type.strip_prefix("multipart/")? {
        "alternative" => Multipart::Alternative,
        "related" => Multipart::Related,
        "digest" => Multipart::Digest,
        "signed" => Multipart::Signed,
        "encrypted" => Multipart::Encrypted,
        "report" => Multipart::Report,
        _ => Multipart::Mixed,
    })
}

/// True for types whose body is a message with a header.
fn is_message(media_type: &str) -> bool {
    Format::from_media_type(media_type).is_some_and(Format::is_message)
}
