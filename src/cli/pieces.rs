//! A large file over all threads, with the findings of one thread.
//!
//! A search is a chain: what is found depends on where the finding before ended. Here
//! each piece of the file is read and searched as if nothing reached into it. Then the chain
//! is followed through the pieces: where it enters a piece as was supposed, the findings
//! of the piece are its own; where not, it goes on by itself until it stands, after some
//! finding, where the search of the piece stood after the same one. From there on both
//! are the same, because where it stands is all that the search knows.
//!
//! The thread that follows the chain prints. What it searches itself it prints as it finds it.

use std::io;

use urigrep::finder::Rest;
use urigrep::{DetachedFinding, Finder, Findings, Progress, Resume, Window};

use super::desk::{self, Turn};
use super::guard;
use super::large::Source;
use super::offsets::Plain;
use super::pass::Pass;
use super::query::{Counts, Query, Use};
use super::search::{End, given};
use super::sink::Sink;

/// Bytes that a thread searches at a time; some of them fit into the cache that is its own.
const PIECE: usize = 128 << 10;
/// Findings of a piece that wait for their turn; what is behind them is searched when it comes.
const MOST: usize = 4096;
/// Bytes behind a piece that are read with it, so that it seldom ends in something that is not certain.
const BEHIND: usize = Finder::LOOKAHEAD + (1 << 10);
/// What is read at first to go on where pieces do not.
const BRIDGE: usize = 64 << 10;

/// How a file is cut.
#[derive(Clone, Copy, Debug)]
struct Cut {
    piece: usize,
    most: usize,
}

/// A finding, and how far the search was after it.
struct Found {
    start: usize,
    after: Progress,
    counts: Counts,
    /// Only when it is wanted; of the text of its piece.
    finding: Option<DetachedFinding>,
}

/// A piece that was searched.
struct Piece {
    /// Where its text starts in the file: so far before it that all that the rules look at is there.
    base: u64,
    buffer: Vec<u8>,
    /// How much of the buffer is text.
    length: usize,
    /// Where the search was supposed to enter it.
    enter: Progress,
    found: Vec<Found>,
    /// How far it came.
    leave: Progress,
    /// How the file ends, if it ends here.
    last: Option<io::Result<()>>,
}

/// What is searched for a piece; offsets count from its start.
#[derive(Clone, Copy)]
struct Text<'w> {
    bytes: &'w [u8],
    /// Where the next piece starts.
    until: usize,
    at_eof: bool,
}

/// What all pieces are cut from.
struct Whole<'s, S> {
    query: &'s Query,
    source: &'s S,
    cut: Cut,
}

/// Goes on where the pass stands to the end of the file.
pub fn search(
    pass: &mut Pass<'_>,
    threads: usize,
    source: &impl Source,
    sink: &mut dyn Sink,
) -> End {
    let cut = Cut {
        piece: PIECE,
        most: MOST,
    };
    search_cut(pass, threads, source, cut, sink)
}

fn search_cut(
    pass: &mut Pass<'_>,
    threads: usize,
    source: &impl Source,
    cut: Cut,
    sink: &mut dyn Sink,
) -> End {
    let whole = Whole {
        query: pass.query,
        source,
        cut,
    };
    let pieces = desk::Cut {
        from: pass.base,
        piece: cut.piece as u64,
        end: source.len(),
    };
    let work = |buffer, base| whole.piece(buffer, base);
    let mut chain = Chain {
        pass,
        whole: &whole,
        buffer: Vec::new(),
    };
    desk::run(threads, pieces, work, |turn| match turn {
        Turn::Made(piece) => chain.print(piece, sink).map(Some),
        Turn::Open(base) => chain.open(base, sink).map(|()| None),
    })
}

impl<S: Source> Whole<'_, S> {
    /// Where in its text a piece ends.
    fn until(&self) -> usize {
        Finder::LOOKBEHIND + self.cut.piece
    }

    /// The text of a piece, which is shorter than its buffer where the file ends.
    fn text<'w>(&self, bytes: &'w [u8]) -> Text<'w> {
        Text {
            bytes,
            until: self.until(),
            at_eof: bytes.len() < self.until() + BEHIND,
        }
    }

    /// Reads a piece and what is around it, and searches it.
    fn piece(&self, mut buffer: Vec<u8>, base: u64) -> Piece {
        if buffer.is_empty() {
            buffer = vec![0; self.until() + BEHIND];
        }
        let (length, result) = self.source.read_at(&mut buffer, base);
        let text = self.text(buffer.get(..length).unwrap_or_default());
        guard::provoke(text.bytes);
        let mut findings = text.findings(self.query, 0, Resume::at(Finder::LOOKBEHIND));
        let enter = findings.progress();
        let mut found: Vec<Found> = Vec::new();
        let mut leave = None;
        while let Some(finding) = findings.next() {
            let after = findings.progress();
            // what stands in a match, which may be reported behind it, stays with it
            let before = found.last().map_or(enter, |last| last.after);
            if found.len() >= self.cut.most && before != after {
                leave = Some(before);
                break;
            }
            let verdict = self.query.judge(&finding);
            let wanted = verdict.usage == Use::Wanted;
            found.push(Found {
                start: finding.span().start(),
                after,
                counts: verdict.counts,
                finding: wanted.then(|| finding.detach()),
            });
        }
        let leave = leave.unwrap_or_else(|| findings.progress());
        Piece {
            base,
            length,
            enter,
            found,
            leave,
            last: (length <= self.until()).then_some(result),
            buffer,
        }
    }
}

/// The findings of the whole file, followed.
struct Chain<'c, 'q, S> {
    /// Where it stands.
    pass: &'c mut Pass<'q>,
    whole: &'c Whole<'c, S>,
    buffer: Vec<u8>,
}

impl<S: Source> Chain<'_, '_, S> {
    /// Follows the chain through a piece that nobody has searched.
    fn open(&mut self, base: u64, sink: &mut dyn Sink) -> Printed {
        let until = self.whole.until();
        self.bridge(base + until as u64, until + BEHIND, sink)?;
        given(sink.idle())
    }

    /// Follows the chain up to a piece and through it, and gives back its buffer.
    fn print(&mut self, mut piece: Piece, sink: &mut dyn Sink) -> Result<Vec<u8>, End> {
        self.bridge(piece.base + Finder::LOOKBEHIND as u64, BRIDGE, sink)?;
        // what stands before it may reach over it
        let next = piece.base + self.whole.cut.piece as u64;
        if (piece.base..next).contains(&self.pass.base) {
            self.follow(&mut piece, sink)?;
        }
        if let Some(result) = piece.last {
            let end = piece.base + piece.length as u64;
            self.bridge(end, BRIDGE, sink)?;
            return Err(self.ended(end, result));
        }
        given(sink.idle()).map(|()| piece.buffer)
    }

    /// Follows the chain through a piece that it enters.
    fn follow(&mut self, piece: &mut Piece, sink: &mut dyn Sink) -> Printed {
        let pass = &mut *self.pass;
        let text = self
            .whole
            .text(piece.buffer.get(..piece.length).unwrap_or_default());
        let left = usize::try_from(pass.base - piece.base).unwrap_or(usize::MAX);
        pass.base = piece.base;
        let mut ours = std::mem::take(&mut piece.found).into_iter().peekable();
        let mut joined = left == 0 && pass.progress == piece.enter;
        if !joined {
            let mut findings = text.findings(self.whole.query, left, pass.progress.resume);
            while let Some(finding) = findings.next() {
                given(pass.take((text.bytes, left), &finding, &Plain(()), sink))?;
                let (at, after) = (
                    left + finding.span().start(),
                    moved(findings.progress(), left),
                );
                while ours.next_if(|found| found.start < at).is_some() {}
                let same = |found: &Found| found.start == at && found.after == after;
                if ours.next_if(same).is_some() {
                    joined = true;
                    break;
                }
            }
            pass.progress = moved(findings.progress(), left);
        }
        if joined {
            for found in ours {
                pass.count(found.counts);
                if let Some(finding) = found.finding {
                    let finding = finding.attach(text.bytes);
                    given(pass.give((text.bytes, 0), &finding, &Plain(()), sink))?;
                }
            }
            pass.progress = piece.leave;
        }
        pass.advance(text.bytes, &Plain(()));
        Ok(())
    }

    /// Searches by itself up to `end`, `size` bytes at a time: what was left to it, and what is behind something that
    /// is too long, or too much, for a piece.
    fn bridge(&mut self, end: u64, mut size: usize, sink: &mut dyn Sink) -> Printed {
        let pass = &mut *self.pass;
        let first = size;
        while pass.base + (Finder::LOOKBEHIND as u64) < end {
            if self.buffer.len() < size {
                self.buffer.resize(size, 0);
            }
            let room = self.buffer.get_mut(..size).unwrap_or_default();
            let (length, result) = self.whole.source.read_at(room, pass.base);
            let bytes = self.buffer.get(..length).unwrap_or_default();
            let until = usize::try_from(end - pass.base).unwrap_or(usize::MAX);
            let at_eof = length < size;
            given(pass.over_until((bytes, until), at_eof, &Plain(()), sink))?;
            let ended = at_eof && length <= until;
            let from = pass.base;
            let consumed = pass.advance(bytes, &Plain(()));
            if ended {
                return Err(self.ended(from + length as u64, result));
            }
            size = if consumed == 0 { 2 * size } else { first };
        }
        Ok(())
    }

    /// The file ends here.
    fn ended(&mut self, at: u64, result: io::Result<()>) -> End {
        self.pass.base = at;
        match result {
            Ok(()) => End::Complete,
            Err(error) => End::Failed(error),
        }
    }
}

/// Whether to go on; if not, how the search ended.
type Printed = Result<(), End>;

impl<'w> Text<'w> {
    fn findings<'q>(self, query: &'q Query, left: usize, from: Resume) -> Findings<'q, 'w> {
        let rest = self.bytes.get(left..).unwrap_or_default();
        let window = Window::resumed(rest, from).until(self.until.saturating_sub(left));
        query
            .finder
            .find_in(window, if self.at_eof { Rest::End } else { Rest::More })
    }
}

fn moved(progress: Progress, by: usize) -> Progress {
    Progress {
        consumed: progress.consumed + by,
        ..progress
    }
}

#[cfg(test)]
pub mod tests {
    use clap::Parser;
    use urigrep::{Embedded, Finder};

    use super::super::documents::Documents;
    use super::super::limits::Limits;
    use super::super::lines::{Lines, Place};
    use super::super::query::Report;
    use super::super::select::Selection;
    use super::super::sink::{Flow, Hit};
    use super::*;
    use crate::cli::flags::Cli;
    use urigrep::Finding;

    #[derive(Default)]
    struct Seen(Vec<(u64, Place, Vec<u8>)>);

    impl Sink for Seen {
        fn hit(&mut self, hit: &Hit<'_>) -> Flow {
            let text = match hit.finding {
                Finding::Match(m) => m.as_bytes(),
                Finding::Relative(relative) => relative.as_bytes(),
                Finding::Rejected(rejected) => rejected.as_bytes(),
            };
            self.0.push((
                hit.base + hit.finding.span().start() as u64,
                hit.place.unwrap(),
                text.to_vec(),
            ));
            Flow::Continue
        }

        fn idle(&mut self) -> Flow {
            Flow::Continue
        }
    }

    const PIECES: [&[u8]; 12] = [
        b"http://a.example/b(c)d, ",
        b"<http://b.example/\n  rest> ",
        b"urn:example:a?b://c http://[::1/:// ",
        b"word: c:\\windows std::string \n",
        b"https://c.example/?u=http://d.example/,http://e.example/ ",
        b"\xff\0 mailto:a@b.example\r\n",
        b"data:text/plain,xxxxx:xxxxxxxxxxx://xxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        b"http://f.example/%zz{x} tel:301-405-2721 12 \n\n",
        b"<URL:ftp://g.example/a-\nb> \"http://h.example/\"\n",
        b"http://http://http://http://http://",
        b"http://i.example/a|http://j.example/b;http://k.example",
        b"http://{host}/x:y:z://q ",
    ];

    /// A source in memory.
    pub struct Bytes<'b>(pub &'b [u8]);

    impl Source for Bytes<'_> {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, out: &mut [u8], at: u64) -> (usize, io::Result<()>) {
            let rest = usize::try_from(at).ok().and_then(|at| self.0.get(at..));
            let rest = rest.unwrap_or_default();
            let count = rest.len().min(out.len());
            out[..count].copy_from_slice(&rest[..count]);
            (count, Ok(()))
        }
    }

    /// Texts in which much reaches from one piece into the next.
    fn texts() -> impl Iterator<Item = Vec<u8>> {
        let mut seed = 1_u32;
        (0..40).map(move |round| {
            let mut text = Vec::new();
            while text.len() < 40_000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.extend_from_slice(PIECES[(seed >> 16) as usize % PIECES.len()]);
                if round % 5 == 0 && seed >> 24 == 7 {
                    text.extend_from_slice(b" data:text/plain,");
                    text.resize(text.len() + 30_000, b'x');
                }
            }
            text
        })
    }

    #[test]
    fn the_same_as_in_one_piece() {
        let selection = Selection::new(
            &Cli::parse_from(["urigrep"]).search.select,
            &Limits::default(),
        )
        .unwrap();
        for (round, text) in texts().enumerate() {
            let report = if round % 2 == 0 {
                Report::Matches
            } else {
                Report::Rejected
            };
            let embedded = if round % 3 == 0 {
                Embedded::Report
            } else {
                Embedded::Skip
            };
            let finder = Finder::builder().embedded(embedded).build();
            let query = Query {
                finder,
                selection: selection.clone(),
                report,
                documents: Documents::default(),
            };
            let mut one = (Pass::new(&query, Some(Lines::default())), Seen::default());
            one.0.over(&text, true, &Plain(()), &mut one.1);
            assert!(one.1.0.len() > 50);
            for piece in [333, 4096, 20_000, 50_000]
                .into_iter()
                .skip(usize::from(round > 3))
            {
                for most in [3, 1000] {
                    let mut many = (Pass::new(&query, Some(Lines::default())), Seen::default());
                    let cut = Cut { piece, most };
                    let end = search_cut(&mut many.0, 3, &Bytes(&text), cut, &mut many.1);
                    assert!(matches!(end, End::Complete));
                    assert!(many.1.0 == one.1.0, "{piece} {most} {round}");
                    assert_eq!(many.0.base, text.len() as u64);
                    assert_eq!(
                        (many.0.matches, many.0.rejected),
                        (one.0.matches, one.0.rejected)
                    );
                }
            }
        }
    }
}
