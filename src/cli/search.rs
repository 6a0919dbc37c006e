//! Bytes through the finder into a [`Sink`].
//!
//! Small files are read whole, everything else through a window that grows only for a
//! URI that is not finished; what is found is the same for every way of cutting.

use std::io::{self, Read};

use memchr::memchr;
use urigrep::container::document::{Format, Role};
use urigrep::decode::Encoding;

use super::buffer::{Buffer, Filled};
use super::documents::{self, Mail, Markup, Room, Shape};
use super::labelled::{self, Charsets, Labelled};
use super::large::Large;
use super::letters;
use super::lines::Lines;
use super::mailbox;
use super::offsets::{Decoded, Feed, Plain};
use super::pass::Pass;
use super::pieces;
use super::query::Query;
use super::sink::{Flow, Sink};
use super::subject::{Delivery, Subject};
use super::tally::Unread;

/// Files up to this size are read whole.
const WHOLE: u64 = 1 << 20;
/// Larger ones in steps of this size.
pub const STEP: usize = 256 << 10;
/// What is read of a stream at a time, if there is so much.
const SIP: usize = 64 << 10;
/// Up to this size a window is searched again for every byte that comes.
const EAGER: usize = 4 << 10;
/// Binary means a NUL among so many first bytes.
const SNIFF: usize = 8 << 10;
/// The longest byte order mark.
const MARK: usize = 4;

/// What is said of a document that is searched as text for want of memory.
pub const TOO_LITTLE: &str =
    "there is not enough memory to read it as what it is; it was searched as text";

/// Whether lines and columns are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// They are.
    Counted,
    /// They are, in characters too.
    InCharacters,
    /// Nobody asked.
    Ignored,
}

/// What happens to binary files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binaries {
    /// They are searched.
    Search,
    /// They are not.
    Skip,
}

/// How the search of one input ended.
#[derive(Debug)]
pub enum End {
    /// All of it was searched.
    Complete,
    /// The sink had enough.
    Stopped,
    /// It is binary, and was not searched.
    Binary,
    /// It could not be read to the end; what had been read was searched.
    Failed(io::Error),
}

/// What the search of one input came to.
#[derive(Debug)]
pub struct Searched {
    /// Bytes that were read.
    pub bytes: u64,
    /// Matches that were selected.
    pub matches: u64,
    /// Candidates that were rejected.
    pub rejected: u64,
    /// Parts of mail that were not searched.
    pub unread: Unread,
    /// The limits that were reached, for people.
    pub reached: Vec<String>,
    /// How it ended.
    pub end: End,
}

impl Searched {
    /// Of an input of which nothing was wanted.
    pub fn nothing() -> Self {
        Self::ended(End::Complete)
    }

    /// Of an input that could not be opened.
    pub fn failed(error: io::Error) -> Self {
        Self::ended(End::Failed(error))
    }

    fn ended(end: End) -> Self {
        Self {
            bytes: 0,
            matches: 0,
            rejected: 0,
            unread: Unread::default(),
            reached: Vec::new(),
            end,
        }
    }
}

/// Searches one input after the other with the same buffer.
#[derive(Debug)]
pub struct Searcher<'q> {
    query: &'q Query,
    places: Places,
    buffer: Buffer,
}

/// Whether the other threads help with one large input.
#[derive(Clone, Copy, Debug)]
pub enum Help<'p> {
    /// They have other things to do.
    None,
    /// They do: so many with this one, and all of them can read it.
    Threads(usize, &'p Large),
}

impl<'q> Searcher<'q> {
    /// A searcher for `query`.
    pub fn new(query: &'q Query, places: Places) -> Self {
        Self {
            query,
            places,
            buffer: Buffer::default(),
        }
    }

    /// Searches what `reader` gives, which is `subject` or stands in it.
    pub fn search(
        &mut self,
        reader: &mut impl Read,
        subject: &Subject,
        delivery: Delivery,
        binaries: Binaries,
        help: Help<'_>,
        sink: &mut dyn Sink,
    ) -> Searched {
        let lines = match self.places {
            Places::Counted => Some(Lines::default()),
            Places::InCharacters => Some(Lines::with_characters()),
            Places::Ignored => None,
        };
        let pass = Pass::new(self.query, lines);
        self.buffer.clear();
        let enough = match (binaries, delivery) {
            (_, Delivery::File(size)) => SNIFF.min(usize::try_from(size).unwrap_or(SNIFF)),
            (Binaries::Skip, Delivery::Stream) => SNIFF,
            // Whoever types waits for an answer.
            (Binaries::Search, Delivery::Stream) => MARK,
        };
        let (_, room) = first(delivery, STEP);
        if let Err(error) = self.buffer.fill(reader, enough, room)
            // else it comes again, after what was read before it
            && self.buffer.window().is_empty()
        {
            return pass.searched(0, End::Failed(error));
        }
        let head = self.buffer.window();
        let head = &head[..head.len().min(SNIFF)];
        let charsets = self.query.documents.charsets;
        let encoding = match charsets {
            Charsets::Unicode | Charsets::Guessed => {
                Encoding::detect(head).map(|(encoding, _)| encoding)
            }
            Charsets::Wide(encoding) => Some(encoding),
            Charsets::Raw | Charsets::Labelled(_) => None,
        };
        if encoding.is_none() && binaries == Binaries::Skip && memchr(0, head).is_some() {
            return pass.searched(0, End::Binary);
        }
        let charset = match charsets {
            Charsets::Labelled(charset) => Some(charset),
            Charsets::Guessed if encoding.is_none() => labelled::guess(self.buffer.window()),
            _ => None,
        };
        if let Some(charset) = charset {
            let head = self.buffer.window().to_vec();
            self.buffer.clear();
            let mut feed = Labelled::new(head.as_slice().chain(reader), charset);
            return self.run(pass, &mut feed, subject, delivery, Help::None, sink);
        }
        match encoding {
            Some(encoding) => {
                let head = self.buffer.window().to_vec();
                self.buffer.clear();
                let mut feed = Decoded::new(head.as_slice().chain(reader), encoding);
                self.run(pass, &mut feed, subject, delivery, Help::None, sink)
            }
            None => self.run(pass, &mut Plain(reader), subject, delivery, help, sink),
        }
    }

    fn run(
        &mut self,
        mut pass: Pass<'_>,
        feed: &mut impl Feed,
        subject: &Subject,
        delivery: Delivery,
        help: Help<'_>,
        sink: &mut dyn Sink,
    ) -> Searched {
        let end = match self.shaped(&mut pass, feed, subject, (delivery, help), sink) {
            Some(end) => end,
            None if !pass.query.selection.takes_role(Role::Text) => End::Complete,
            None => self.windows(&mut pass, feed, delivery, help, sink),
        };
        let read = feed.source(pass.base + self.buffer.window().len() as u64);
        pass.searched(read, end)
    }

    /// Reads the input as what it is; `None` when it is text, or too large to be read as a document.
    fn shaped(
        &mut self,
        pass: &mut Pass<'_>,
        feed: &mut impl Feed,
        subject: &Subject,
        (delivery, help): (Delivery, Help<'_>),
        sink: &mut dyn Sink,
    ) -> Option<End> {
        let documents = &pass.query.documents;
        if documents.markup == Markup::Never && documents.mail == Mail::Never {
            return None;
        }
        // decoded text has not come yet
        if self.buffer.window().is_empty() {
            // An error comes again when the buffer is filled.
            let _ = self.buffer.fill(feed, MARK, SIP);
        }
        let format = match documents.shape(subject, self.buffer.window())? {
            Shape::Mailbox => {
                if let Help::Threads(threads, large) = help {
                    self.buffer.clear();
                    return Some(letters::search(pass, threads, large, subject, sink));
                }
                let text = (&mut self.buffer, feed);
                return Some(mailbox::search(text, delivery, pass, subject, sink));
            }
            Shape::Document(format) => format,
        };
        let mut enough = match delivery {
            Delivery::File(size) => usize::try_from(size).unwrap_or(usize::MAX),
            Delivery::Stream => SIP,
        };
        let largest = documents.largest(format);
        // one byte more than there is, so that the end is seen
        let filled = loop {
            enough = enough.min(largest) + 1;
            match self.buffer.fill(feed, enough, enough) {
                Ok(Filled::More) if enough > largest => {
                    if format == Format::Mail {
                        pass.too_large();
                    }
                    return None;
                }
                Ok(Filled::More) => enough *= 2,
                filled => break filled,
            }
        };
        let window = self.buffer.window();
        let flow = match documents::room(format, window, sink) {
            Room::Enough => documents::read(format, (window, feed), subject, pass, sink),
            Room::Stop(flow) => flow,
            Room::TooLittle => {
                pass.reach(TOO_LITTLE);
                return None;
            }
        };
        Some(match (flow, filled) {
            (Flow::StopInput | Flow::StopAll | Flow::Later, _) => End::Stopped,
            (Flow::Continue, Err(error)) => End::Failed(error),
            (Flow::Continue, Ok(_)) => End::Complete,
        })
    }

    fn windows(
        &mut self,
        pass: &mut Pass<'_>,
        feed: &mut impl Feed,
        delivery: Delivery,
        help: Help<'_>,
        sink: &mut dyn Sink,
    ) -> End {
        let buffer = &mut self.buffer;
        let (mut enough, mut room) = first(delivery, STEP);
        loop {
            let filled = buffer.fill(feed, enough, room);
            // What comes before damage is searched to its end.
            let at_eof = !matches!(filled, Ok(Filled::More));
            if pass.over(buffer.window(), at_eof, feed, sink) != Flow::Continue {
                return End::Stopped;
            }
            if let Some(end) = ended(filled, sink) {
                return end;
            }
            buffer.consume(pass.advance(buffer.window(), feed));
            feed.forget(pass.base);
            if let Help::Threads(threads, large) = help {
                buffer.clear();
                return pieces::search(pass, threads, large, sink);
            }
            (enough, room) = next(delivery, buffer.window().len(), STEP);
        }
    }
}

impl Pass<'_> {
    fn searched(self, bytes: u64, end: End) -> Searched {
        Searched {
            bytes,
            matches: self.matches,
            rejected: self.rejected,
            unread: self.unread,
            reached: self.reached,
            end,
        }
    }
}

/// Whether to go on after something was given to a sink; if not, how the search ended.
pub fn given(flow: Flow) -> Result<(), End> {
    match flow {
        Flow::Continue => Ok(()),
        _ => Err(End::Stopped),
    }
}

/// How the search ended, unless there is more to be read.
pub fn ended(filled: io::Result<Filled>, sink: &mut dyn Sink) -> Option<End> {
    match filled {
        Ok(Filled::Eof) => Some(End::Complete),
        Err(error) => Some(End::Failed(error)),
        Ok(Filled::More) if sink.idle() != Flow::Continue => Some(End::Stopped),
        Ok(Filled::More) => None,
    }
}

/// How many bytes the first window needs and has room for.
pub fn first(delivery: Delivery, step: usize) -> (usize, usize) {
    match delivery {
        // One more than there is, so that the end is seen.
        Delivery::File(size) if size <= WHOLE => (size as usize + 1, size as usize + 1),
        Delivery::File(_) => (step, step),
        Delivery::Stream => (1, SIP),
    }
}

/// The same for a window that starts with `left` bytes.
///
/// What is left over is searched again, so the window at least doubles (a stream: half
/// as much again) while nothing of it can be dropped; the sum is linear.
pub fn next(delivery: Delivery, left: usize, step: usize) -> (usize, usize) {
    match delivery {
        Delivery::File(_) => (left + step.max(left), left + step.max(left)),
        Delivery::Stream if left <= EAGER => (left + 1, left + SIP),
        Delivery::Stream => (left + left / 2, left + SIP.max(left / 2)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use urigrep::{Finder, Finding};

    use super::super::documents::Documents;
    use super::super::limits::Limits;
    use super::super::query::Report;
    use super::super::select::Selection;
    use super::super::sink::Hit;
    use super::*;
    use crate::cli::flags::Cli;

    /// Gives at most `step` bytes a read.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(out.len());
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[derive(Default)]
    struct Seen(Vec<(u64, u64, u64, String)>);

    impl Sink for Seen {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let (Finding::Match(m), Some(place)) = (hit.finding, hit.place) else {
                panic!("a match with a place")
            };
            self.0.push((
                hit.base + m.start() as u64,
                place.line,
                place.column,
                m.uri().into_owned(),
            ));
            Flow::Continue
        }

        fn idle(&mut self) -> Flow {
            Flow::Continue
        }
    }

    fn found(text: &[u8], step: usize, delivery: Delivery) -> Vec<(u64, u64, u64, String)> {
        let selection = Selection::new(
            &Cli::parse_from(["urigrep"]).search.select,
            &Limits::default(),
        )
        .unwrap();
        let query = Query {
            finder: Finder::new(),
            selection,
            report: Report::Matches,
            documents: Documents::default(),
        };
        let mut searcher = Searcher::new(&query, Places::Counted);
        let mut seen = Seen::default();
        let searched = searcher.search(
            &mut Drip(text, step),
            &Subject::Stdin,
            delivery,
            Binaries::Search,
            Help::None,
            &mut seen,
        );
        assert!(matches!(searched.end, End::Complete));
        assert_eq!(
            (searched.bytes, searched.matches),
            (text.len() as u64, seen.0.len() as u64)
        );
        seen.0
    }

    #[test]
    fn same_for_every_chunk() {
        let mut text = b"a http://a.example/1\n<http://b.example/\n  x> ".to_vec();
        text.extend_from_slice(b"data:text/plain,");
        text.extend(std::iter::repeat_n(b'x', 9000));
        text.extend_from_slice(b"\n\n mailto:a@b.example, urn:isbn:0451450523\nhttp://c.example/");
        let whole = found(&text, usize::MAX, Delivery::File(text.len() as u64));
        assert_eq!(whole.len(), 6, "{whole:?}");
        for step in [1, 2, 3, 7, 64, 4096] {
            assert_eq!(found(&text, step, Delivery::Stream), whole, "{step}");
            assert_eq!(
                found(&text, step, Delivery::File(WHOLE + 1)),
                whole,
                "{step}"
            );
        }
    }
}
