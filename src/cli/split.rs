//! One large window over all threads, with the findings of one thread.
//!
//! A search is a chain: what is found depends on where the finding before ended. Here
//! each piece of the window is searched as if nothing reached into it. Then the chain
//! is followed through the pieces: where it enters a piece as was supposed, the findings
//! of the piece are its own; where not, it goes on by itself until it stands, after some
//! finding, where the search of the piece stood after the same one. From there on both
//! are the same, because where it stands is all that the search knows.

use rayon::ThreadPool;
use rayon::prelude::*;
use urigrep::{Finding, Findings, Progress, Resume, Window};

use super::guard;
use super::offsets::Offsets;
use super::pass::Pass;
use super::query::{Counts, Query, Use};
use super::sink::{Flow, Sink};

/// Bytes that a thread searches at a time.
pub const PIECE: usize = 128 << 10;
/// Pieces a thread gets of a window.
const SHARE: usize = 4;

/// The size of a window that is worth splitting over this pool.
pub fn block(pool: &ThreadPool) -> usize {
    pool.current_num_threads() * SHARE * PIECE
}

/// True when there is more than one piece.
pub fn pays(window: &[u8]) -> bool {
    window.len() > 2 * PIECE
}

/// One match in fewer bytes is so many that to keep them until their turn costs more than it saves.
const SPARSE: u64 = 512;

/// True when what follows a window with so many matches is worth splitting.
pub fn pays_next(window: &[u8], matches: u64) -> bool {
    matches * SPARSE <= window.len() as u64
}

/// A finding, and how far the search was after it.
struct Found<'w> {
    start: usize,
    after: Progress,
    counts: Counts,
    /// Only when it is wanted.
    finding: Option<Finding<'w>>,
}

/// What was found in a piece.
struct Piece<'w> {
    /// Where the search was supposed to enter it.
    enter: Progress,
    found: Vec<Found<'w>>,
    /// How far it came.
    leave: Progress,
}

/// What is searched, in pieces.
#[derive(Clone, Copy)]
struct Text<'q, 'w> {
    query: &'q Query,
    window: &'w [u8],
    at_eof: bool,
}

/// The same as [`Pass::over`].
pub fn over(
    pass: &mut Pass<'_>,
    pool: &ThreadPool,
    window: &[u8],
    at_eof: bool,
    offsets: &dyn Offsets,
    sink: &mut dyn Sink,
) -> Flow {
    over_pieces(pass, pool, (window, PIECE), at_eof, offsets, sink)
}

fn over_pieces(
    pass: &mut Pass<'_>,
    pool: &ThreadPool,
    (window, piece): (&[u8], usize),
    at_eof: bool,
    offsets: &dyn Offsets,
    sink: &mut dyn Sink,
) -> Flow {
    let text = Text {
        query: pass.query,
        window,
        at_eof,
    };
    let count = window.len().div_ceil(piece).max(1);
    let first = pass.progress.resume;
    let search = |index: usize| {
        guard::provoke(window.chunks(piece).nth(index).unwrap_or_default());
        let from = if index == 0 {
            first
        } else {
            Resume::at(index * piece)
        };
        text.search(from, until(index, count, piece))
    };
    let pieces: Vec<Piece<'_>> = pool.install(|| {
        (0..count)
            .into_par_iter()
            .with_max_len(1)
            .map(search)
            .collect()
    });
    pass.progress = text.findings(first, usize::MAX).progress();
    for (index, piece_found) in pieces.into_iter().enumerate() {
        let flow = text.follow(pass, piece_found, until(index, count, piece), offsets, sink);
        if flow != Flow::Continue {
            return flow;
        }
    }
    Flow::Continue
}

/// Where a piece ends; the last is open.
fn until(index: usize, count: usize, piece: usize) -> usize {
    if index + 1 == count {
        usize::MAX
    } else {
        (index + 1) * piece
    }
}

impl<'q: 'w, 'w> Text<'q, 'w> {
    fn findings(&self, from: Resume, until: usize) -> Findings<'q, 'w> {
        let window = Window::resumed(self.window, from).until(until);
        self.query.finder.find_in(window, self.at_eof)
    }

    /// Searches a piece.
    fn search(&self, from: Resume, until: usize) -> Piece<'w> {
        let mut findings = self.findings(from, until);
        let enter = findings.progress();
        let mut found = Vec::new();
        while let Some(finding) = findings.next() {
            let verdict = self.query.judge(&finding);
            found.push(Found {
                start: finding.span().start(),
                after: findings.progress(),
                counts: verdict.counts,
                finding: (verdict.usage == Use::Wanted).then_some(finding),
            });
        }
        Piece {
            enter,
            found,
            leave: findings.progress(),
        }
    }

    /// Follows the chain through a piece.
    fn follow(
        &self,
        pass: &mut Pass<'_>,
        piece: Piece<'w>,
        until: usize,
        offsets: &dyn Offsets,
        sink: &mut dyn Sink,
    ) -> Flow {
        let mut ours = piece.found.into_iter().peekable();
        let mut joined = pass.progress == piece.enter;
        if !joined {
            // What was searched is left behind, as it would be with the next window.
            let left = pass.progress.consumed;
            let rest = self.window.get(left..).unwrap_or_default();
            let window =
                Window::resumed(rest, pass.progress.resume).until(until.saturating_sub(left));
            let mut findings = self.query.finder.find_in(window, self.at_eof);
            while let Some(finding) = findings.next() {
                let verdict = self.query.judge(&finding);
                pass.count(verdict.counts);
                if verdict.usage == Use::Wanted {
                    let flow = pass.give((self.window, left), &finding, offsets, sink);
                    if flow != Flow::Continue {
                        return flow;
                    }
                }
                let (at, after) = (
                    left + finding.span().start(),
                    moved(findings.progress(), left),
                );
                while ours.next_if(|found| found.start < at).is_some() {}
                if ours
                    .next_if(|found| found.start == at && found.after == after)
                    .is_some()
                {
                    joined = true;
                    break;
                }
            }
            pass.progress = moved(findings.progress(), left);
        }
        if !joined {
            return Flow::Continue;
        }
        for found in ours {
            pass.count(found.counts);
            if let Some(finding) = &found.finding {
                let flow = pass.give((self.window, 0), finding, offsets, sink);
                if flow != Flow::Continue {
                    return flow;
                }
            }
        }
        pass.progress = piece.leave;
        Flow::Continue
    }
}

/// The same place, seen from a window that starts `by` bytes earlier.
fn moved(progress: Progress, by: usize) -> Progress {
    Progress {
        consumed: progress.consumed + by,
        ..progress
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rayon::ThreadPoolBuilder;
    use urigrep::{Embedded, Finder};

    use super::super::documents::Documents;
    use super::super::limits::Limits;
    use super::super::lines::{Lines, Place};
    use super::super::offsets::Plain;
    use super::super::query::Report;
    use super::super::select::Selection;
    use super::super::sink::Hit;
    use super::*;
    use crate::cli::flags::Cli;

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

    #[test]
    fn the_same_as_in_one_piece() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let selection = Selection::new(
            &Cli::parse_from(["urigrep"]).search.select,
            &Limits::default(),
        )
        .unwrap();
        let mut seed = 1_u32;
        for round in 0..60 {
            let mut text = Vec::new();
            while text.len() < 30_000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.extend_from_slice(PIECES[(seed >> 16) as usize % PIECES.len()]);
            }
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
            for at_eof in [true, false] {
                let mut one = (Pass::new(&query, Some(Lines::default())), Seen::default());
                one.0.over(&text, at_eof, &Plain(()), &mut one.1);
                assert!(one.1.0.len() > 50);
                for piece in [1, 7, 64, 333, 4096, 20_000, 40_000]
                    .into_iter()
                    .skip(if round < 4 { 0 } else { 2 })
                {
                    let mut many = (Pass::new(&query, Some(Lines::default())), Seen::default());
                    over_pieces(
                        &mut many.0,
                        &pool,
                        (&text, piece),
                        at_eof,
                        &Plain(()),
                        &mut many.1,
                    );
                    assert!(many.1.0 == one.1.0, "{piece} {round}");
                    assert_eq!(many.0.progress, one.0.progress, "{piece} {round}");
                    assert_eq!(
                        (many.0.matches, many.0.rejected),
                        (one.0.matches, one.0.rejected)
                    );
                }
            }
        }
    }
}
