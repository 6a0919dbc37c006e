//! A large mailbox over all threads, with the findings of one thread.
//!
//! Each chunk of the file is read, cut into messages from the first that starts in it, and searched; the events are
//! kept. Where a message starts depends on the one before it, though: one that says its own
//! length may hold what looks like the start of another. So the merger goes from message to
//! message, and where a chunk did not start with the next one, or could not keep all, it reads it again, in order.
//!
//! What is reported of a message depends on those before it (threads, limits, lines), and explaining a finding takes the
//! text around it. So the workers keep events that are replayed, and no hits.

use std::io::{self, Read};
use std::ops::Range;

use crate::container::document::Format;
use crate::container::document::mail::Scratch;
use crate::container::mbox::{self, Message, Next};
use crate::finder::Rest;
use crate::search::document;
use crate::search::input::InputKind;
use crate::search::mailbox::MailboxSearch;
use crate::search::outcome::End;
use crate::search::parallel::message_events::{EventRecorder, MessageEvents};
use crate::search::parallel::ordered_pool::{PoolSize, Turn, run_ordered};
use crate::search::query::Query;
use crate::search::sink::Sink;
use crate::search::source::buffer::Buffer;
use crate::search::source::positioned::ReadAt;
use crate::search::source::text_source::RawText;
use crate::search::state::{SearchState, go_on};
use crate::slice::SliceExt;

/// How a mailbox is cut into chunks.
#[derive(Clone, Copy, Debug)]
struct MailChunkSizes {
    bytes: usize,
    /// Bytes behind a chunk that are read with it, for its last message,
    behind: usize,
    /// and how many at most.
    behind_max: usize,
    /// Bytes that the events of a chunk may take.
    events_max: usize,
}

const SIZES: MailChunkSizes = MailChunkSizes {
    bytes: 256 << 10,
    behind: 8 << 10,
    behind_max: 256 << 10,
    events_max: 1 << 20,
};

/// A chunk that was searched. Offsets count from its start.
struct MailChunk {
    base: u64,
    memory: ChunkMemory,
    /// How much of its bytes is text.
    length: usize,
    messages: Vec<SearchedMessage>,
    /// Where the message starts that follows these.
    next_start: usize,
}

/// Memory that is used for one chunk after the other.
#[derive(Default)]
struct ChunkMemory {
    bytes: Vec<u8>,
    events: MessageEvents,
    scratch: Scratch,
}

/// A message that was searched.
struct SearchedMessage {
    start: usize,
    events: Range<usize>,
}

/// What all chunks have in common.
struct MailChunkReader<'s, S> {
    query: &'s Query,
    source: &'s S,
    sizes: MailChunkSizes,
}

/// Searches a mailbox from its start.
pub(crate) fn search(
    state: &mut SearchState<'_>,
    threads: usize,
    source: &impl ReadAt,
    sink: &mut dyn Sink,
) -> End {
    let bytes = source.len();
    let pool = PoolSize::for_chunks(threads, bytes, SIZES.bytes);
    search_chunks(state, pool, (source, SIZES), sink)
}

fn search_chunks(
    state: &mut SearchState<'_>,
    pool: PoolSize,
    (source, sizes): (&impl ReadAt, MailChunkSizes),
    sink: &mut dyn Sink,
) -> End {
    let reader = MailChunkReader { query: state.query, source, sizes };
    let bases = (0..source.len()).step_by(sizes.bytes);
    let mut merger = MailboxMerger {
        search: MailboxSearch::new(state, sink),
        reader: &reader,
        buffer: Buffer::default(),
    };
    let searched = run_ordered(
        pool,
        bases,
        |memory, base| reader.search(memory, base),
        |turn| match turn {
            Turn::Done(chunk) => merger.take(chunk).map(Some),
            Turn::Open(base) => merger.search(base).map(|()| None),
        },
    );
    searched.err().unwrap_or(End::Complete)
}

impl<S: ReadAt> MailChunkReader<'_, S> {
    /// Reads a chunk, and searches the messages that start behind its first byte, up to the first one of the next.
    fn search(&self, memory: ChunkMemory, base: u64) -> MailChunk {
        let ChunkMemory { mut bytes, events, mut scratch } = memory;
        let (length, found, mut next_start) = self.read_messages(&mut bytes, base);
        let window = bytes.part(..length);
        let mut recorder = EventRecorder::new(window, self.query, events, self.sizes.events_max);
        let mut messages = Vec::with_capacity(found.len());
        for message in found {
            let (start, length) = (message.envelope.start(), message.content.len());
            let is_light =
                length <= self.query.limits.message && document::is_light(Format::Mail, length);
            let events = is_light.then(|| recorder.record(&message, &mut scratch));
            let Some(events) = events.flatten() else {
                next_start = start;
                break;
            };
            messages.push(SearchedMessage { start, events });
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

    /// Reads a chunk, and as much behind it as its last message needs; gives how much that is, the messages,
    /// and where the next one starts.
    fn read_messages(&self, buffer: &mut Vec<u8>, base: u64) -> (usize, Vec<Message>, usize) {
        let MailChunkSizes { bytes: size, behind, behind_max, .. } = self.sizes;
        let (mut room, mut length) = (size + behind, 0);
        let mut messages = Vec::new();
        let mut cursor = None;
        loop {
            if buffer.len() < room {
                buffer.resize(room, 0);
            }
            let free = buffer.get_mut(length..room).unwrap_or_default();
            let (read, result) = self.source.read_at(free, base + length as u64);
            length += read;
            // An error comes again, and is reported, when the merger reads here.
            let rest = match result {
                Ok(()) if length < room => Rest::End,
                _ => Rest::More,
            };
            let window = buffer.part(..length);
            if cursor.is_none() {
                let start = match base {
                    0 => Some(0),
                    _ => mbox::start(window, 1, rest),
                };
                cursor = start.map(mbox::Cursor::at);
            }
            let Some(cursor) = &mut cursor else {
                return (length, messages, length);
            };
            let mut is_whole = true;
            while cursor.from <= size && is_whole {
                match cursor.next(window, rest) {
                    Next::Message(message) => messages.push(message),
                    Next::Unfinished => is_whole = false,
                    Next::End => break,
                }
            }
            if is_whole || result.is_err() || room >= size + behind_max {
                return (length, messages, cursor.from);
            }
            room = (size + 4 * (room - size)).min(size + behind_max);
        }
    }
}

/// Reports the messages of all chunks, in order.
struct MailboxMerger<'c, 's, S> {
    /// It is where the next message starts.
    search: MailboxSearch<'c, 's>,
    reader: &'c MailChunkReader<'c, S>,
    buffer: Buffer,
}

impl<S: ReadAt> MailboxMerger<'_, '_, S> {
    /// Reports the messages of a chunk, and gives back its memory.
    fn take(&mut self, chunk: MailChunk) -> Result<ChunkMemory, End> {
        self.replay(&chunk)?;
        self.search(chunk.base).map(|()| chunk.memory)
    }

    /// Searches what was not reported of a chunk.
    fn search(&mut self, base: u64) -> Result<(), End> {
        let until = base + self.reader.sizes.bytes as u64;
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
        let is_next = |message: &&SearchedMessage| Some(message.start as u64) == next;
        if chunk.messages.first().filter(is_next).is_none() {
            return Ok(());
        }
        let ChunkMemory { bytes, events, .. } = &chunk.memory;
        let window = bytes.part(..chunk.length);
        state.base = chunk.base;
        for message in &chunk.messages {
            go_on(document::replay_message(
                (events, message.events.clone()),
                (window, &RawText(())),
                state,
                mail,
                *sink,
            ))?;
        }
        state.progress.consumed = chunk.next_start;
        state.advance(window, &RawText(()));
        Ok(())
    }

    /// Searches messages in order up to the first that starts behind `until`.
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

/// Reads a source from an offset on.
struct ReadFrom<'s, S> {
    source: &'s S,
    at: u64,
}

impl<S: ReadAt> Read for ReadFrom<'_, S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let (read, result) = self.source.read_at(out, self.at);
        self.at += read as u64;
        match result {
            // What was read before the error counts; the next read gives the error.
            Err(error) if read == 0 => Err(error),
            _ => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::hit::Hit;
    use crate::search::input::Input;
    use crate::search::limits::Limits;
    use crate::search::mailbox;
    use crate::search::parallel::text::tests::{InMemory, OPTIONS};
    use crate::search::query::Dedupe;
    use crate::search::sink::{Flow, PartNumbers};

    #[derive(Default)]
    struct SeenMail {
        hits: Vec<String>,
        limit: usize,
    }

    impl Sink for SeenMail {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let mail = hit.mail().map(|mail| {
                let id = mail.envelope().message_id.clone();
                (mail.parts().to_vec(), id, mail.header())
            });
            let position = hit.position().map(|position| (position.line, position.column));
            self.hits.push(format!(
                "{} {:?} {:?} {position:?} {:?} {:?} {mail:?}",
                hit.uri(),
                hit.bytes(),
                hit.ranges(),
                hit.role(),
                hit.element(),
            ));
            match self.hits.len() == self.limit {
                true => Flow::StopInput,
                false => Flow::Continue,
            }
        }

        fn part_numbers(&self) -> PartNumbers {
            PartNumbers::Listed
        }
    }

    const QP: &str = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
        <a href=3D\"http://a.example/=\n?x=3D1&amp;y=3D=C3=A9\">see</a> http://b.example/=20\n";
    const BASE64: &str = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\
        aHR0cDovL2MuZXhhbXBsZS8xIGFuZCBodHRwOi8vZC5leGFtcGxlLzIK\n";

    /// Messages of all kinds; some are longer than a piece, some say how long they are and hold what looks like
    /// the start of another.
    fn mailbox(seed: u32) -> Vec<u8> {
        let mut seed = seed;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        let mut mailbox = String::new();
        for number in 0..80 {
            let from = "From a@b.example Wed Mar  2 23:56:19 2005\n";
            let id =
                format!("Message-ID: <{number}@b.example>\nSubject: http://s.example/{number}\n");
            let message = match random(8) {
                0 => format!("{id}{QP}\n"),
                1 => format!("{id}{BASE64}\n"),
                2 => format!(
                    "{id}Content-Type: multipart/alternative; boundary=x\n\n--x\n{BASE64}\n--x\n{QP}\n\
                     --x\nContent-Type: application/octet-stream\n\n\0\0\n--x--\n\n"
                ),
                3 => {
                    let body = format!("a\n\n{from}{id}\nhttp://inner.example/{number}\n");
                    format!("Content-Length: {}\n{id}\n{body}\n", body.len())
                }
                4 => format!(
                    "{id}\n{}\n",
                    "http://long.example/ some text\n".repeat(random(90) as usize)
                ),
                5 => format!("{id}\n>From x http://q.example/{number}\nhttp://r.example/\n  y\n\n"),
                6 => format!("{id}\nFrom here on http://t.example/\n\n"),
                _ => format!("{id}\n\n"),
            };
            mailbox.push_str(from);
            mailbox.push_str(&message);
        }
        mailbox.into_bytes()
    }

    #[test]
    fn the_same_as_in_order() {
        let input = Input::stdin();
        for round in 0..12 {
            let mailbox = mailbox(round);
            let limits =
                Limits { message: if round < 6 { 1 << 20 } else { 1500 }, ..Limits::default() };
            let query = Query {
                dedupe: [Dedupe::Parts, Dedupe::Never, Dedupe::Thread][round as usize % 3],
                limits,
                ..Query::default()
            };
            let mut expected = SeenMail::default();
            let mut one = SearchState::new(&query, &input, OPTIONS, &expected);
            let mut source = RawText(mailbox.as_slice());
            let text = (&mut Buffer::default(), &mut source);
            let kind = InputKind::File(mailbox.len() as u64);
            let end = mailbox::search(text, kind, &mut one, &mut expected);
            assert!(matches!(end, End::Complete));
            assert!(expected.hits.len() > 80, "{}", expected.hits.len());
            for (bytes, events_max) in
                [(300, 1 << 20), (2000, 1 << 20), (2000, 3000), (1 << 16, 9000)]
            {
                let sizes =
                    MailChunkSizes { bytes, behind: bytes / 8, behind_max: bytes, events_max };
                for limit in [usize::MAX, 50] {
                    let mut seen = SeenMail { limit, ..SeenMail::default() };
                    let mut many = SearchState::new(&query, &input, OPTIONS, &seen);
                    let source = (&InMemory(&mailbox), sizes);
                    let end = search_chunks(
                        &mut many,
                        PoolSize { helpers: 2, ahead: 3 },
                        source,
                        &mut seen,
                    );
                    let hits = &expected.hits[..expected.hits.len().min(limit)];
                    let other = seen.hits.iter().zip(hits).find(|(many, one)| many != one);
                    assert_eq!(other, None, "{round} {sizes:?}");
                    assert_eq!(seen.hits.len(), hits.len(), "{round} {sizes:?}");
                    if limit == 50 {
                        assert!(matches!(end, End::Stopped));
                        continue;
                    }
                    assert!(matches!(end, End::Complete));
                    assert_eq!(many.base, mailbox.len() as u64);
                    assert_eq!(
                        (many.matches, &many.limits_reached, many.skipped_parts),
                        (one.matches, &one.limits_reached, one.skipped_parts)
                    );
                }
            }
        }
    }
}
