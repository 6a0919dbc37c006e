//! A large mailbox over all threads, with what one thread tells.
//!
//! Each piece of the file is read, cut into messages from the first that starts in it, and searched, and what is
//! to be told of it kept. Where a message starts depends on the one before it, though: one that says its own
//! length may hold what looks like the start of another. So what is told goes from message to
//! message, and where a piece did not start with the next one, or could not keep all, it is read again, in order.

use std::io::{Read, Result as Reads};
use std::ops::Range;

use urigrep::container::document::Format;
use urigrep::container::document::mail::Scratch;
use urigrep::container::mbox::{self, Message, Next, Rest};

use super::buffer::Buffer;
use super::desk::{self, Cut, Turn};
use super::documents;
use super::large::Source;
use super::mailbox::{self, State};
use super::offsets::Plain;
use super::pass::Pass;
use super::query::Query;
use super::record::{Record, Recorder};
use super::search::{End, given};
use super::sink::Sink;
use super::subject::{Delivery, Subject};

/// How a mailbox is cut.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Bytes of a piece.
    piece: usize,
    /// Bytes behind it that are read with it, for its last message,
    behind: usize,
    /// and how many at most.
    most_behind: usize,
    /// Bytes that what is kept of it may take.
    kept: usize,
}

const SIZES: Sizes = Sizes {
    piece: 256 << 10,
    behind: 8 << 10,
    most_behind: 256 << 10,
    kept: 1 << 20,
};

/// What was made of a piece. Offsets count from its start.
struct Piece {
    base: u64,
    memory: Memory,
    /// How much of its bytes is text.
    length: usize,
    letters: Vec<Letter>,
    /// Where the message starts that comes after the letters.
    leave: usize,
}

/// What is used for one piece after the other.
#[derive(Default)]
struct Memory {
    bytes: Vec<u8>,
    record: Record,
    scratch: Scratch,
}

/// A message that was read.
struct Letter {
    start: usize,
    events: Range<usize>,
}

/// What all pieces are cut from.
struct Whole<'s, S> {
    query: &'s Query,
    source: &'s S,
    sizes: Sizes,
}

/// Searches a mailbox from its start.
pub fn search(
    pass: &mut Pass<'_>,
    threads: usize,
    source: &impl Source,
    subject: &Subject,
    sink: &mut dyn Sink,
) -> End {
    search_cut(pass, threads, (source, SIZES), subject, sink)
}

fn search_cut(
    pass: &mut Pass<'_>,
    threads: usize,
    (source, sizes): (&impl Source, Sizes),
    subject: &Subject,
    sink: &mut dyn Sink,
) -> End {
    let whole = Whole {
        query: pass.query,
        source,
        sizes,
    };
    let cut = Cut {
        from: 0,
        piece: sizes.piece as u64,
        end: source.len(),
    };
    let state = State::new(pass.query, sink);
    let mut told = Told {
        pass,
        whole: &whole,
        subject,
        state,
        buffer: Buffer::default(),
    };
    let work = |memory, base| whole.piece(memory, base);
    desk::run(threads, cut, work, |turn| match turn {
        Turn::Made(piece) => told.tell(piece, sink).map(Some),
        Turn::Open(base) => told.open(base, sink).map(|()| None),
    })
}

impl<S: Source> Whole<'_, S> {
    /// Reads a piece, and records the messages that start behind its first byte, up to the first one of the next.
    fn piece(&self, memory: Memory, base: u64) -> Piece {
        let Memory {
            mut bytes,
            record,
            mut scratch,
        } = memory;
        let (length, messages, mut leave) = self.cut(&mut bytes, base);
        let window = bytes.get(..length).unwrap_or_default();
        let mut recorder = Recorder::new(window, self.query, record, self.sizes.kept);
        let mut letters = Vec::with_capacity(messages.len());
        for message in messages {
            let (start, length) = (message.envelope.start(), message.content.len());
            let is_light =
                length <= self.query.documents.message && documents::is_light(Format::Mail, length);
            let events = is_light.then(|| recorder.message(&message, &mut scratch));
            let Some(events) = events.flatten() else {
                leave = start;
                break;
            };
            letters.push(Letter { start, events });
        }
        let record = recorder.record();
        Piece {
            base,
            memory: Memory {
                bytes,
                record,
                scratch,
            },
            length,
            letters,
            leave,
        }
    }

    /// Reads a piece, and as much behind it as its last message needs; gives how much that is, the messages,
    /// and where the next one starts.
    fn cut(&self, buffer: &mut Vec<u8>, base: u64) -> (usize, Vec<Message>, usize) {
        let Sizes {
            piece,
            behind,
            most_behind,
            ..
        } = self.sizes;
        let (mut room, mut length) = (piece + behind, 0);
        let mut messages = Vec::new();
        let mut cursor = None;
        loop {
            if buffer.len() < room {
                buffer.resize(room, 0);
            }
            let free = buffer.get_mut(length..room).unwrap_or_default();
            let (read, result) = self.source.read_at(free, base + length as u64);
            length += read;
            // where it can't be read, who reads it again says so
            let rest = match result {
                Ok(()) if length < room => Rest::End,
                _ => Rest::More,
            };
            let window = buffer.get(..length).unwrap_or_default();
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
            while cursor.from <= piece && is_whole {
                match cursor.next(window, rest) {
                    Next::Message(message) => messages.push(message),
                    Next::Unfinished => is_whole = false,
                    Next::End => break,
                }
            }
            if is_whole || result.is_err() || room >= piece + most_behind {
                return (length, messages, cursor.from);
            }
            room = (piece + 4 * (room - piece)).min(piece + most_behind);
        }
    }
}

/// What was told of a mailbox.
struct Told<'t, 'q, S> {
    /// It stands where the next message starts.
    pass: &'t mut Pass<'q>,
    whole: &'t Whole<'t, S>,
    subject: &'t Subject,
    state: State,
    buffer: Buffer,
}

impl<S: Source> Told<'_, '_, S> {
    /// Tells what is in a piece, and gives back its buffer.
    fn tell(&mut self, piece: Piece, sink: &mut dyn Sink) -> Result<Memory, End> {
        self.recorded(&piece, sink)?;
        self.open(piece.base, sink).map(|()| piece.memory)
    }

    /// Tells what is in a piece, as far as it was not told.
    fn open(&mut self, base: u64, sink: &mut dyn Sink) -> Result<(), End> {
        let until = base + self.whole.sizes.piece as u64;
        if until >= self.whole.source.len() {
            self.in_order(u64::MAX, sink)?;
        } else if self.pass.base <= until {
            self.in_order(until, sink)?;
        }
        given(sink.idle())
    }

    /// Tells what was recorded, if that starts with the message that comes next.
    fn recorded(&mut self, piece: &Piece, sink: &mut dyn Sink) -> Result<(), End> {
        let pass = &mut *self.pass;
        let next = pass.base.checked_sub(piece.base);
        let is_next = |letter: &&Letter| Some(letter.start as u64) == next;
        if piece.letters.first().filter(is_next).is_none() {
            return Ok(());
        }
        let Memory { bytes, record, .. } = &piece.memory;
        let window = bytes.get(..piece.length).unwrap_or_default();
        pass.base = piece.base;
        for letter in &piece.letters {
            given(documents::message_recorded(
                (record, letter.events.clone()),
                (window, &Plain(())),
                self.subject,
                pass,
                &mut self.state.messages,
                sink,
            ))?;
        }
        pass.progress.consumed = piece.leave;
        pass.advance(window, &Plain(()));
        Ok(())
    }

    /// Reads messages in order up to the first that starts behind `until`.
    fn in_order(&mut self, until: u64, sink: &mut dyn Sink) -> Result<(), End> {
        let from = From {
            source: self.whole.source,
            at: self.pass.base,
        };
        if from.at >= from.source.len() {
            return Err(End::Complete);
        }
        self.buffer.clear();
        let searched = mailbox::search_until(
            (&mut self.buffer, &mut Plain(from)),
            (Delivery::File(u64::MAX), until),
            (&mut self.state, self.pass),
            self.subject,
            sink,
        );
        searched.map_or(Ok(()), Err)
    }
}

/// Reads a source from an offset on.
struct From<'s, S> {
    source: &'s S,
    at: u64,
}

impl<S: Source> Read for From<'_, S> {
    fn read(&mut self, out: &mut [u8]) -> Reads<usize> {
        let (read, result) = self.source.read_at(out, self.at);
        self.at += read as u64;
        match result {
            // what comes before it counts; who reads on gets the error
            Err(error) if read == 0 => Err(error),
            _ => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use urigrep::{Finder, Finding};

    use super::super::documents::Documents;
    use super::super::limits::Limits;
    use super::super::lines::Lines;
    use super::super::messages::{Numbers, Repeats};
    use super::super::pieces::tests::Bytes;
    use super::super::query::Report;
    use super::super::select::Selection;
    use super::super::sink::{Flow, Hit};
    use super::*;
    use crate::cli::flags::Cli;

    #[derive(Default)]
    struct Seen {
        hits: Vec<String>,
        limit: usize,
    }

    impl Sink for Seen {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let span = hit.finding.span();
            let [start, end] = [span.start() as u64, span.end() as u64];
            let ranges = hit.offsets.ranges(hit.base + start, hit.base + end);
            let uri = match hit.finding {
                Finding::Match(m) => m.uri().into_owned(),
                Finding::Relative(relative) => relative.reference().as_str().to_owned(),
                Finding::Rejected(rejected) => format!("{:?}", rejected.as_bytes()),
            };
            let standing = hit.standing.map(|standing| {
                let letter = standing.letter.as_ref().map(|letter| {
                    let message = letter.message;
                    let header = letter
                        .header
                        .map(|(name, at)| name.or_else(|| message.field_at(at)).map(str::to_owned));
                    let envelope = message.envelope();
                    (letter.parts.to_vec(), envelope.message_id.clone(), header)
                });
                format!("{:?} {:?} {letter:?}", standing.role, standing.element)
            });
            let place = hit.place.map(|place| (place.line, place.column));
            self.hits
                .push(format!("{uri} {ranges:?} {place:?} {standing:?}"));
            match self.hits.len() == self.limit {
                true => Flow::StopInput,
                false => Flow::Continue,
            }
        }

        fn numbers(&self) -> Numbers {
            Numbers::Told
        }

        fn idle(&mut self) -> Flow {
            Flow::Continue
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
        let flags = Cli::parse_from(["urigrep"]);
        let selection = Selection::new(&flags.search.select, &Limits::default()).unwrap();
        for round in 0..12 {
            let mailbox = mailbox(round);
            let documents = Documents {
                repeats: [Repeats::NotInParts, Repeats::All, Repeats::NotInThread]
                    [round as usize % 3],
                message: if round < 6 { 1 << 20 } else { 1500 },
                ..Documents::default()
            };
            let query = Query {
                finder: Finder::new(),
                selection: selection.clone(),
                report: Report::Matches,
                documents,
            };
            let subject = Subject::Stdin;
            let mut one = (Pass::new(&query, Some(Lines::default())), Seen::default());
            let mut feed = Plain(mailbox.as_slice());
            let text = (&mut Buffer::default(), &mut feed);
            let delivery = Delivery::File(mailbox.len() as u64);
            let end = mailbox::search(text, delivery, &mut one.0, &subject, &mut one.1);
            assert!(matches!(end, End::Complete));
            assert!(one.1.hits.len() > 80, "{}", one.1.hits.len());
            for (piece, kept) in [
                (300, 1 << 20),
                (2000, 1 << 20),
                (2000, 3000),
                (1 << 16, 9000),
            ] {
                let sizes = Sizes {
                    piece,
                    behind: piece / 8,
                    most_behind: piece,
                    kept,
                };
                for limit in [usize::MAX, 50] {
                    let seen = Seen {
                        limit,
                        ..Seen::default()
                    };
                    let mut many = (Pass::new(&query, Some(Lines::default())), seen);
                    let source = (&Bytes(&mailbox), sizes);
                    let end = search_cut(&mut many.0, 3, source, &subject, &mut many.1);
                    let hits = &one.1.hits[..one.1.hits.len().min(limit)];
                    let other = many.1.hits.iter().zip(hits).find(|(many, one)| many != one);
                    assert_eq!(other, None, "{round} {sizes:?}");
                    assert_eq!(many.1.hits.len(), hits.len(), "{round} {sizes:?}");
                    if limit == 50 {
                        assert!(matches!(end, End::Stopped));
                        continue;
                    }
                    assert!(matches!(end, End::Complete));
                    assert_eq!(many.0.base, mailbox.len() as u64);
                    assert_eq!(
                        (many.0.matches, &many.0.reached),
                        (one.0.matches, &one.0.reached)
                    );
                    assert_eq!(many.0.unread, one.0.unread);
                }
            }
        }
    }
}
