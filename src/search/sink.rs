//! The interface that takes the results of a search.

use crate::document::mail::{Header, Skipped};
use crate::finder::Certainty;
use crate::search::mail_context::MailContext;
use crate::search::{
    ContextLine, ContextLines, Hit, Input, InputKind, Level, Problem, SearchResult,
};

/// The answer of a sink: continue or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop searching this input.
    StopInput,
    /// Stop the whole search.
    StopAll,
}

/// The positions that a sink needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Positions {
    /// No positions: lines are not counted.
    Ignored,
    /// Lines, and columns in bytes.
    #[default]
    Bytes,
    /// Lines, and columns in bytes and in characters.
    Characters,
}

/// A sink's choice about the numbers of all parts of a message that hold a URI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PartNumbers {
    /// No; messages are read once.
    #[default]
    Ignored,
    /// Yes; messages with parts are read twice.
    Listed,
}

/// A sink's choice about the texts of links ([`Hit::label`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Labels {
    /// Only those that a reader knows with the destination, as in Office files and PDF.
    #[default]
    Known,
    /// All, also those after the destination, as in HTML and Markdown; documents with a destination
    /// among their hits are read twice.
    All,
}

/// The needs of a [`Sink`]. The less it needs, the faster the search.
///
/// ```
/// use urigrep::search::{Needs, Positions};
/// let needs = Needs::new().positions(Positions::Ignored);
/// assert_ne!(needs, Needs::new());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub(crate) positions: Positions,
    pub(crate) part_numbers: PartNumbers,
    pub(crate) labels: Labels,
    pub(crate) certainty: Certainty,
    pub(crate) context: ContextLines,
}

impl Needs {
    /// Lines and columns in bytes, all flags, no lines of context, and only labels that are known
    /// anyway.
    pub fn new() -> Self {
        Self::default()
    }

    /// Chooses how positions are counted.
    #[must_use]
    pub fn positions(self, positions: Positions) -> Self {
        Self { positions, ..self }
    }

    /// Chooses whether the parts of messages are numbered.
    #[must_use]
    pub fn part_numbers(self, part_numbers: PartNumbers) -> Self {
        Self { part_numbers, ..self }
    }

    /// Chooses which links have labels.
    #[must_use]
    pub fn labels(self, labels: Labels) -> Self {
        Self { labels, ..self }
    }

    /// Chooses how much of a match must be certain before the sink gets it. A sink that does
    /// without the flag for wrapped lines gets the last match of a line before the next line has
    /// arrived.
    #[must_use]
    pub fn certainty(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }

    /// Chooses the lines that [`Sink::context`] gets.
    #[must_use]
    pub fn context(self, context: ContextLines) -> Self {
        Self { context, ..self }
    }
}

/// A part of mail that was not searched.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct SkippedPart<'a> {
    /// The offset in the input at which it starts, in bytes.
    pub offset: u64,
    /// Why it was skipped.
    pub reason: Skipped,
    /// The number of the part in its message, such as `1.2`.
    pub number: &'a str,
    /// The Message-ID of its message, without angle brackets.
    pub message_id: Option<&'a str>,
}

impl<'a> SkippedPart<'a> {
    pub(crate) fn new(
        offset: u64,
        reason: Skipped,
        mail: &'a MailContext,
        message: Header<'_>,
    ) -> Self {
        Self {
            offset,
            reason,
            number: match mail.number() {
                // A message without parts has part 1 only, as in IMAP (RFC 3501 §6.4.5).
                "" => "1",
                number => number,
            },
            message_id: mail.envelope(message).message_id.as_deref(),
        }
    }
}

/// Takes the results of a search, one input after the other: `begin`, then hits in order, then
/// `finish`.
///
/// ```
/// use urigrep::search::{Flow, Hit, Input, Search, Sink};
///
/// #[derive(Default)]
/// struct Uris(Vec<String>);
///
/// impl Sink for Uris {
///     fn hit(&mut self, hit: &Hit<'_>) -> Flow {
///         self.0.push(hit.uri().into_owned());
///         Flow::Continue
///     }
/// }
///
/// let mut uris = Uris::default();
/// let text = b"see http://a.example/ and urn:isbn:0451450523".as_slice();
/// Search::default().reader(text, &Input::named("notes"), &mut uris);
/// assert_eq!(uris.0, ["http://a.example/", "urn:isbn:0451450523"]);
/// ```
pub trait Sink {
    /// Takes a match that was selected.
    fn hit(&mut self, hit: &Hit<'_>) -> Flow;

    /// Takes a rejected candidate, if they are [reported](crate::search::Report).
    fn rejected(&mut self, _hit: &Hit<'_>) -> Flow {
        Flow::Continue
    }

    /// Takes a line that holds matches or is near one, if [`Needs::context`] requests lines. Lines
    /// come in order, each after the hits that start in it.
    fn context(&mut self, _line: &ContextLine<'_>) -> Flow {
        Flow::Continue
    }

    /// Called before each input. This includes each archive member, but not the archive.
    fn begin(&mut self, _input: &Input) {}

    /// Takes a problem with an input; the search continues.
    fn problem(&mut self, _problem: &Problem) {}

    /// Called between two reads of an input, after every hit that is certain; the next read of a
    /// [stream](InputKind::Stream) may block.
    fn idle(&mut self, _kind: InputKind) -> Flow {
        Flow::Continue
    }

    /// Called after each input.
    fn finish(&mut self, _input: &Input, _result: &SearchResult) {}

    /// Returns what the sink needs to know of hits in inputs of this level. Called before each
    /// input.
    fn needs(&self, _level: Level) -> Needs {
        Needs::default()
    }
}

/// A sink that supports several threads. It can have its records made ahead of their turn, and
/// discard an input that is searched again. All of it is optional.
pub trait ParallelSink: Sink {
    /// Returns a recorder for a thread that searches ahead in the same input, or `None` if a record
    /// depends on more than its hit. Called only if every hit is wanted.
    fn recorder(&self) -> Option<Box<dyn Recorder>> {
        None
    }

    /// Takes the records of the next `hits` hits, made by a recorder.
    fn records(&mut self, _records: &[u8], _hits: u64) -> Flow {
        Flow::Continue
    }

    /// Drops the output of the current file, which is searched again from its start. Returns false
    /// if part of it was already written.
    fn discard_pending(&mut self) -> bool {
        false
    }

    /// Takes a part of mail that was not searched.
    fn skipped_part(&mut self, _input: &Input, _part: &SkippedPart<'_>) {}
}

/// Makes records of hits for a [`ParallelSink`] in another thread, ahead of their turn. Some
/// records are dropped.
pub trait Recorder: Send {
    /// Appends the record of a match or a rejected candidate.
    fn record(&mut self, hit: &Hit<'_>, records: &mut Vec<u8>);
}

/// Wraps any sink, without support for several threads.
pub(crate) struct PlainSink<'s>(pub &'s mut dyn Sink);

impl Sink for PlainSink<'_> {
    fn hit(&mut self, hit: &Hit<'_>) -> Flow {
        self.0.hit(hit)
    }

    fn rejected(&mut self, hit: &Hit<'_>) -> Flow {
        self.0.rejected(hit)
    }

    fn context(&mut self, line: &ContextLine<'_>) -> Flow {
        self.0.context(line)
    }

    fn begin(&mut self, input: &Input) {
        self.0.begin(input);
    }

    fn problem(&mut self, problem: &Problem) {
        self.0.problem(problem);
    }

    fn idle(&mut self, kind: InputKind) -> Flow {
        self.0.idle(kind)
    }

    fn finish(&mut self, input: &Input, result: &SearchResult) {
        self.0.finish(input, result);
    }

    fn needs(&self, level: Level) -> Needs {
        self.0.needs(level)
    }
}

impl ParallelSink for PlainSink<'_> {}
