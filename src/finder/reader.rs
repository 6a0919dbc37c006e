//! Finds matches in any reader, with bounded memory: [`ReaderMatches`].

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::vec::Vec;

use super::window::{Rest, Resume, Window};
use super::{Finder, Finding, OwnedMatch};

/// Bytes per read.
const READ_SIZE: usize = 64 << 10;
/// A window of up to this size is searched again after every read.
const RESCAN_LIMIT: usize = 4 << 10;

impl Finder {
    /// Returns the matches in the bytes of `reader`, each as soon as no further byte can change it.
    ///
    /// Memory is bounded by the longest URI ([`max_uri`](super::FinderBuilder::max_uri)) and the
    /// look-ahead of the rules. After an error of the reader, the bytes read before it are searched
    /// to their end, and then the iterator ends with the error.
    ///
    /// ```
    /// let text = b"see http://a.example/1 and <http://b.example/\n 2>".as_slice();
    /// let finder = urigrep::Finder::new();
    /// let matches: Result<Vec<_>, _> = finder.read_iter(text).collect();
    /// let found: Vec<_> = matches?.iter().map(|m| (m.offset(), m.uri().to_owned())).collect();
    /// assert_eq!(found, [(4, "http://a.example/1".into()), (28, "http://b.example/2".into())]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read_iter<R: Read>(&self, reader: R) -> ReaderMatches<'_, R> {
        ReaderMatches { feed: self.feed(), reader, end: None }
    }

    /// Returns a search of bytes that arrive in chunks, such as the body of a request in an
    /// asynchronous program. [`Finder::read_iter`] is for readers.
    ///
    /// ```
    /// let finder = urigrep::Finder::new();
    /// let mut feed = finder.feed();
    /// let mut found = Vec::new();
    /// for chunk in ["see http://a.ex", "ample/1 and urn:", "example:b"] {
    ///     found.extend(feed.push(chunk).map(|m| (m.offset(), m.to_string())));
    /// }
    /// found.extend(feed.finish().map(|m| (m.offset(), m.to_string())));
    /// assert_eq!(found, [(4, "http://a.example/1".into()), (27, "urn:example:b".into())]);
    /// ```
    pub fn feed(&self) -> Feed<'_> {
        Feed {
            finder: self,
            window: Vec::new(),
            base: 0,
            resume: Resume::default(),
            ready: VecDeque::new(),
            enough: 1,
        }
    }
}

/// Search of bytes that arrive in chunks; see [`Finder::feed`]. Memory is bounded as in
/// [`Finder::read_iter`].
#[derive(Debug)]
pub struct Feed<'f> {
    finder: &'f Finder,
    window: Vec<u8>,
    /// Offset of the window in all bytes.
    base: u64,
    resume: Resume,
    ready: VecDeque<ReaderMatch>,
    /// Bytes that the window needs before it is searched again.
    enough: usize,
}

impl Feed<'_> {
    /// Takes the next bytes, and returns the matches that no further byte can change.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) -> impl Iterator<Item = ReaderMatch> {
        self.window.extend_from_slice(chunk.as_ref());
        if self.window.len() >= self.enough {
            self.search(Rest::More);
        }
        self.ready.drain(..)
    }

    /// Ends the text, and returns the rest of its matches.
    pub fn finish(mut self) -> impl Iterator<Item = ReaderMatch> {
        self.search(Rest::End);
        self.ready.into_iter()
    }

    /// Searches the window and queues its matches.
    fn search(&mut self, rest: Rest) {
        let window = Window::resumed(&self.window, self.resume);
        let mut findings = self.finder.find_in(window, rest);
        for finding in findings.by_ref() {
            if let Finding::Match(m) = finding {
                self.ready.push_back(ReaderMatch {
                    offset: self.base + m.start() as u64,
                    matched: m.into_owned().moved_by(self.base),
                });
            }
        }
        let progress = findings.progress();
        self.resume = progress.resume;
        self.base += progress.consumed as u64;
        self.window.drain(..progress.consumed);
        // The remaining bytes are searched again. The window grows by half of them each time, so
        // the total work is linear.
        let left = self.window.len();
        self.enough = match left {
            ..=RESCAN_LIMIT => left + 1,
            _ => left + left / 2,
        };
    }
}

/// Iterator over the matches in a reader; see [`Finder::read_iter`].
#[derive(Debug)]
pub struct ReaderMatches<'f, R> {
    feed: Feed<'f>,
    reader: R,
    /// The end or error of the reader; taken once reported.
    end: Option<io::Result<()>>,
}

/// A match in a reader, which dereferences to [`OwnedMatch`]. All its offsets count from the first
/// byte read.
///
/// ```
/// let text = b"see http://a.example/1 and http://b.example/2".as_slice();
/// let m = urigrep::Finder::new().read_iter(text).nth(1).unwrap()?;
/// assert_eq!((m.offset(), m.range(), m.host()), (27, 27..45, Some("b.example")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReaderMatch {
    offset: u64,
    matched: OwnedMatch,
}

impl ReaderMatch {
    /// Byte offset of its start. It is exact even where `usize`, which the spans of the match have,
    /// is too small for a long stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the match.
    pub fn into_match(self) -> OwnedMatch {
        self.matched
    }
}

impl fmt::Display for ReaderMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.matched.fmt(f)
    }
}

impl Deref for ReaderMatch {
    type Target = OwnedMatch;

    fn deref(&self) -> &OwnedMatch {
        &self.matched
    }
}

impl<R: Read> ReaderMatches<'_, R> {
    /// Reads until the window has enough bytes or the reader ends.
    fn fill(&mut self) -> Option<io::Result<()>> {
        let Feed { window, enough, .. } = &mut self.feed;
        while window.len() < *enough {
            let length = window.len();
            let room = length + READ_SIZE;
            window.resize(room, 0);
            let read = self.reader.read(window.get_mut(length..).unwrap_or_default());
            window.truncate(length + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Some(Ok(())),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

impl<R: Read> Iterator for ReaderMatches<'_, R> {
    type Item = io::Result<ReaderMatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(m) = self.feed.ready.pop_front() {
                return Some(Ok(m));
            }
            match &mut self.end {
                None => {
                    self.end = self.fill();
                    let rest = if self.end.is_some() { Rest::End } else { Rest::More };
                    self.feed.search(rest);
                }
                // An error is returned once. Every later call returns `None`.
                Some(end) => return std::mem::replace(end, Ok(())).err().map(Err),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;

    /// Returns at most this many bytes per read, then an error.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(out.len());
            let (given, rest) = self.0.split_at(count);
            out[..count].copy_from_slice(given);
            self.0 = rest;
            match count {
                0 => Err(io::Error::other("gone")),
                count => Ok(count),
            }
        }
    }

    #[test]
    fn same_for_every_step_and_errors_come_last() {
        let mut text = b"a http://a.example/1\n<http://b.example/\n  x> data:text/plain,".to_vec();
        text.extend(std::iter::repeat_n(b'x', 9000));
        text.extend_from_slice(b" mailto:a@b.example, http://c.example/");
        let finder = Finder::new();
        let whole: Vec<(u64, String)> =
            finder.find_iter(&text).map(|m| (m.start() as u64, m.uri().into_owned())).collect();
        assert_eq!(whole.len(), 5);
        for step in [1, 2, 3, 7, 64, 4096, usize::MAX] {
            let mut found = Vec::new();
            let mut matches = finder.read_iter(Slow(&text, step));
            let error = loop {
                match matches.next() {
                    Some(Ok(m)) => {
                        assert_eq!(m.start() as u64, m.offset());
                        assert!(m.ranges().is_empty() || m.ranges()[0].start() == m.start());
                        found.push((m.offset(), String::from(m.uri())));
                    }
                    Some(Err(error)) => break error,
                    None => panic!("an error comes"),
                }
            };
            assert_eq!((found, error.kind()), (whole.clone(), ErrorKind::Other));
            assert!(matches.next().is_none());
            let mut feed = finder.feed();
            let mut pushed: Vec<(u64, String)> = Vec::new();
            for chunk in text.chunks(step.min(text.len())) {
                pushed.extend(feed.push(chunk).map(|m| (m.offset(), String::from(m.uri()))));
            }
            pushed.extend(feed.finish().map(|m| (m.offset(), String::from(m.uri()))));
            assert_eq!(pushed, whole);
        }
    }
}
