//! Searches a large mailbox with all threads, and reports the same findings as one thread.
//!
//! Each chunk of the file is read, cut into messages from the first one that starts in it, and
//! searched; the events are kept. But the start of a message depends on the message before it. A
//! message that declares its length may contain text that looks like the start of another. So the
//! merger goes from message to message. If a chunk did not start with the next message, or could
//! not keep all events, the merger reads it again, in order.
//!
//! The report of a message depends on those before it (threads, limits, lines), and explaining a
//! finding takes the text around it. So the workers keep events to replay, not hits.

use std::io::{self, Read};
use std::ops::Range;

use crate::document::mail::{FORMAT as MAIL, Scratch};
use crate::document::mbox::{self, Message, Next};
use crate::finder::Rest;
use crate::ordered::{Item, run_ordered};
use crate::search::document::{DocumentKind, RecordedMessage, WindowDocument};
use crate::search::mailbox::MailboxSearch;
use crate::search::memory_admission::is_light;
use crate::search::parallel::message_events::{EventRecorder, MessageEvents};
use crate::search::parallel::{ChunkHelpers, SplitInput};
use crate::search::query::Query;
use crate::search::source::buffer::Buffer;
use crate::search::source::positioned::PositionedFile;
use crate::search::source::text_source::RawText;
use crate::search::state::{SearchState, go_on};
use crate::search::{End, InputKind, ParallelSink, document};
use crate::slice::SliceExt;

/// Bytes of a chunk.
const CHUNK_SIZE: usize = 256 << 10;
/// Bytes after a chunk that are read with it, for its last message.
const BEHIND: usize = 8 << 10;
/// Limit to which those bytes may grow.
const BEHIND_MAX: usize = 256 << 10;
/// Limit on the bytes of the events of a chunk.
const EVENTS_MAX: usize = 1 << 20;

/// A searched chunk. Offsets count from its start.
struct MailChunk {
    base: u64,
    memory: ChunkMemory,
    /// Length of its text.
    length: usize,
    messages: Vec<SearchedMessage>,
    /// Start of the message after these.
    next_start: usize,
}

/// Memory that is reused from chunk to chunk.
#[derive(Default)]
struct ChunkMemory {
    bytes: Vec<u8>,
    events: MessageEvents,
    scratch: Scratch,
}

struct SearchedMessage {
    message: Message,
    events: Range<usize>,
}

impl SearchedMessage {
    fn start(&self) -> usize {
        self.message.envelope.start()
    }
}

struct MailChunkReader<'s> {
    query: &'s Query,
    source: &'s PositionedFile,
}

pub(crate) fn search(
    state: &mut SearchState<'_>,
    SplitInput { threads, file: source }: SplitInput<'_>,
    sink: &mut dyn ParallelSink,
) -> End {
    let helpers = ChunkHelpers::new(threads, source.len(), CHUNK_SIZE);
    let reader = MailChunkReader { query: state.query, source };
    let bases = (0..source.len()).step_by(CHUNK_SIZE);
    let mut merger = MailboxMerger {
        search: MailboxSearch::new(state, sink),
        reader: &reader,
        buffer: Buffer::default(),
    };
    let searched = run_ordered(
        helpers.options(),
        bases,
        |memory, base| reader.search(memory, base),
        |item| match item {
            Item::Done(chunk) => merger.take(chunk).map(Some),
            Item::NotStarted(base) => merger.search(base).map(|()| None),
        },
    );
    searched.err().unwrap_or(End::Complete)
}

impl MailChunkReader<'_> {
    /// Reads a chunk and searches its messages, up to the first one of the next chunk.
    fn search(&self, memory: ChunkMemory, base: u64) -> MailChunk {
        let ChunkMemory { mut bytes, events, mut scratch } = memory;
        let (length, found, mut next_start) = self.read_messages(&mut bytes, base);
        let window = bytes.part(..length);
        let mut recorder = EventRecorder::new(window, self.query, events, EVENTS_MAX);
        let mut messages = Vec::with_capacity(found.len());
        for message in found {
            let length = message.content.len();
            // A large message needs much memory, and every helper could hold one. The merger
            // searches it in the heavy lane.
            let is_light = length <= self.query.limits.message && is_light(MAIL, length);
            let events = is_light.then(|| recorder.record(&message, &mut scratch));
            let Some(events) = events.flatten() else {
                next_start = message.envelope.start();
                break;
            };
            messages.push(SearchedMessage { message, events });
        }
        let events = recorder.finish();
        MailChunk {
            base,
            memory: ChunkMemory { bytes, events, scratch },
            length,
            messages,
            next_start,
        }
    }

    /// Reads a chunk, and as many bytes after it as its last message needs. Returns the length
    /// read, the messages, and the start of the next message.
    fn read_messages(&self, buffer: &mut Vec<u8>, base: u64) -> (usize, Vec<Message>, usize) {
        let (mut room, mut length) = (CHUNK_SIZE + BEHIND, 0);
        let mut messages = Vec::new();
        let mut cursor = None;
        loop {
            if buffer.len() < room {
                buffer.resize(room, 0);
            }
            let free = buffer.get_mut(length..room).unwrap_or_default();
            let (read, result) = self.source.read_at(free, base + length as u64);
            length += read;
            // A read error occurs again, and is then reported, when the merger reads here.
            let rest = match result {
                Ok(()) if length < room => Rest::End,
                _ => Rest::More,
            };
            let window = buffer.part(..length);
            if cursor.is_none() {
                let start = match base {
                    // The first chunk starts at a message. In all others the first byte belongs to
                    // the message before, so the search for a start begins after it.
                    0 => Some(0),
                    _ => mbox::start(window, 1, rest),
                };
                cursor = start.map(mbox::Cursor::at);
            }
            let Some(cursor) = &mut cursor else {
                return (length, messages, length);
            };
            let mut is_whole = true;
            while cursor.from <= CHUNK_SIZE && is_whole {
                match cursor.next(window, rest) {
                    Next::Message(message) => messages.push(message),
                    Next::Unfinished => is_whole = false,
                    Next::End => break,
                }
            }
            // Beyond the maximum, the merger reads the last message in order. Else one with a large
            // attachment would be read by two threads.
            if is_whole || result.is_err() || room >= CHUNK_SIZE + BEHIND_MAX {
                return (length, messages, cursor.from);
            }
            // The last message does not end in the bytes read so far. Read more in growing steps:
            // most messages are short, and few need the maximum.
            room = (CHUNK_SIZE + 4 * (room - CHUNK_SIZE)).min(CHUNK_SIZE + BEHIND_MAX);
        }
    }
}

struct MailboxMerger<'c, 's> {
    /// Positioned at the start of the next message.
    search: MailboxSearch<'c, 's>,
    reader: &'c MailChunkReader<'c>,
    buffer: Buffer,
}

impl MailboxMerger<'_, '_> {
    /// Reports the messages of a chunk, and returns its memory for reuse.
    fn take(&mut self, chunk: MailChunk) -> Result<ChunkMemory, End> {
        self.replay(&chunk)?;
        self.search(chunk.base).map(|()| chunk.memory)
    }

    fn search(&mut self, base: u64) -> Result<(), End> {
        let until = base + CHUNK_SIZE as u64;
        if until >= self.reader.source.len() {
            self.search_in_order(u64::MAX)?;
        } else if self.search.state.base <= until {
            self.search_in_order(until)?;
        }
        let MailboxSearch { state, sink, .. } = &mut self.search;
        go_on(state.idle(*sink))
    }

    /// Reports the events of a chunk, if it starts with the message that comes next.
    fn replay(&mut self, chunk: &MailChunk) -> Result<(), End> {
        let MailboxSearch { state, mail, sink, .. } = &mut self.search;
        let next = state.base.checked_sub(chunk.base);
        let is_next = |message: &&SearchedMessage| Some(message.start() as u64) == next;
        // The chunk guessed its first message from a `From ` line. If a message before it declares
        // a length that covers this line, the guess is wrong. Its events are dropped, and the
        // merger searches the text itself.
        if chunk.messages.first().filter(is_next).is_none() {
            return Ok(());
        }
        let ChunkMemory { bytes, events, .. } = &chunk.memory;
        let window = bytes.part(..chunk.length);
        state.base = chunk.base;
        for message in &chunk.messages {
            let document = WindowDocument {
                kind: DocumentKind::Message(message.message),
                window,
                offsets: &RawText(()),
            };
            let events = RecordedMessage { events, range: message.events.clone() };
            go_on(document::replay_message(events, document, state, mail, *sink))?;
        }
        state.progress.consumed = chunk.next_start;
        state.advance(window, &RawText(()));
        Ok(())
    }

    /// Searches messages in order, up to the first one that starts after `until`.
    fn search_in_order(&mut self, until: u64) -> Result<(), End> {
        let reader = ReadFrom { source: self.reader.source, at: self.search.state.base };
        if reader.at >= reader.source.len() {
            return Err(End::Complete);
        }
        self.buffer.clear();
        let text = (&mut self.buffer, &mut RawText(reader));
        let searched = self.search.search_until(text, InputKind::File(u64::MAX), until);
        searched.map_or(Ok(()), Err)
    }
}

/// Reads a file from an offset to its end.
struct ReadFrom<'s> {
    source: &'s PositionedFile,
    at: u64,
}

impl Read for ReadFrom<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let (read, result) = self.source.read_at(out, self.at);
        self.at += read as u64;
        match result {
            // Bytes read before an error count; the next read returns the error.
            Err(error) if read == 0 => Err(error),
            _ => Ok(read),
        }
    }
}
