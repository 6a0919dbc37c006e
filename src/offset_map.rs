//! Derived text back to the source bytes that made it.
//!
//! Rejoining, escapes and (later) transfer decoding all make a text that stands
//! nowhere in the source. This map says where each of its bytes came from. It is
//! kept as runs, not as a word a byte; runs are in order in both texts.

use crate::span::Span;

/// How a run of derived text was made from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Byte for byte: derived and source have the same length.
    Copied,
    /// Other bytes with the same meaning, as `/` for `\/`.
    Decoded,
    /// Other bytes that undo what made a URI unclickable, as `.` for `[.]`.
    Refanged,
    /// White space of a line break that a wrapper lets us remove: no derived bytes.
    Joined,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    derived: Span,
    source: Span,
    origin: Origin,
}

/// A text made from pieces of a source, and the way back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    text: Vec<u8>,
    runs: Vec<Run>,
}

impl Derived {
    /// An empty text with room for `bytes`, and for the runs of most texts.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            text: Vec::with_capacity(bytes),
            runs: Vec::with_capacity(8),
        }
    }

    /// The derived text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// True when a run up to `end` (in derived bytes) was decoded.
    pub fn has(&self, origin: Origin, end: usize) -> bool {
        self.runs
            .iter()
            .any(|run| run.origin == origin && run.derived.start() < end)
    }

    /// Appends `bytes`, which stand in the source as they are, from `source` on.
    pub fn copy(&mut self, bytes: &[u8], source: usize) {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        let (end, source_end) = (self.text.len(), source + bytes.len());
        match self.runs.last_mut() {
            Some(run) if run.origin == Origin::Copied && run.source.end() == source => {
                run.derived = Span::new(run.derived.start(), end);
                run.source = Span::new(run.source.start(), source_end);
            }
            _ => self.runs.push(Run {
                derived: Span::new(start, end),
                source: Span::new(source, source_end),
                origin: Origin::Copied,
            }),
        }
    }

    /// Appends `bytes`, which the source spells as `source`.
    pub fn replace(&mut self, bytes: &[u8], source: Span, origin: Origin) {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        self.runs.push(Run {
            derived: Span::new(start, self.text.len()),
            source,
            origin,
        });
    }

    /// The source offset one past what made the derived bytes up to `end`.
    pub fn source_end(&self, end: usize) -> usize {
        let index = self.runs.partition_point(|run| run.derived.start() < end);
        match index.checked_sub(1).and_then(|last| self.runs.get(last)) {
            None => self.runs.first().map_or(0, |run| run.source.start()),
            Some(run) if end >= run.derived.end() => run.source.end(),
            Some(run) if run.origin == Origin::Copied => {
                run.source.start() + (end - run.derived.start())
            }
            Some(run) => run.source.end(),
        }
    }

    /// The source ranges of the derived bytes up to `end`, neighbours merged.
    pub fn ranges(&self, end: usize) -> Vec<Span> {
        let mut ranges: Vec<Span> = Vec::new();
        for run in self
            .runs
            .iter()
            .filter(|run| run.derived.start() < end && !run.derived.is_empty())
        {
            let stop = if end < run.derived.end() && run.origin == Origin::Copied {
                run.source.start() + (end - run.derived.start())
            } else {
                run.source.end()
            };
            match ranges.last_mut() {
                Some(last) if last.end() == run.source.start() => {
                    *last = Span::new(last.start(), stop)
                }
                _ => ranges.push(Span::new(run.source.start(), stop)),
            }
        }
        ranges
    }

    /// The text up to `end` with escapes decoded, but line breaks as they stand in `source`.
    pub fn unjoined(&self, end: usize, source: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(end);
        for run in self.runs.iter().filter(|run| run.derived.start() < end) {
            match run.origin {
                Origin::Joined => {
                    text.extend_from_slice(source.get(run.source.range()).unwrap_or_default())
                }
                _ => text.extend_from_slice(
                    self.text
                        .get(run.derived.start()..run.derived.end().min(end))
                        .unwrap_or_default(),
                ),
            }
        }
        text
    }
}
