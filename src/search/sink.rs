//! Where a search gives what it finds.

use crate::document::mail::{Header, Skipped};
use crate::finder::Certainty;
use crate::search::mail_context::MailContext;
use crate::search::{Hit, Input, InputKind, Level, Outcome, Problem};

/// What a sink wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// More.
    Continue,
    /// No more of this input.
    StopInput,
    /// No more of anything.
    StopAll,
}

/// Which positions a sink needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Positions {
    /// None: lines are not counted.
    #[default]
    Ignored,
    /// Lines and columns in bytes.
    Bytes,
    /// Columns in characters too.
    Characters,
}

/// Whether a sink needs the numbers of all parts of a message that hold a URI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PartNumbers {
    /// No; messages are read once.
    #[default]
    Ignored,
    /// Yes; messages with parts are read twice.
    Listed,
}

/// A part of mail that was not searched.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct SkippedPart<'a> {
    /// Where it starts in the input, in bytes.
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
                "" => "1",
                number => number,
            },
            message_id: mail.envelope(message).message_id.as_deref(),
        }
    }
}

/// Takes what is found, one input after the other: `begin`, then hits in order, then `finish`.
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

    /// Takes a rejected candidate, when they are [reported](crate::search::Report).
    fn rejected(&mut self, _hit: &Hit<'_>) -> Flow {
        Flow::Continue
    }

    /// Called before each input. Members of an archive are inputs of their own; the archive itself is none.
    fn begin(&mut self, _input: &Input) {}

    /// Takes what went wrong with an input; the search goes on.
    fn problem(&mut self, _problem: &Problem) {}

    /// Takes a part of mail that is not searched.
    fn skipped_part(&mut self, _input: &Input, _part: &SkippedPart<'_>) {}

    /// Called before [`Sink::idle`] for a stream of text: no later hit starts before the byte `at` of the input.
    fn settled(&mut self, _at: u64) {}

    /// Called between two reads of an input, when all that is certain was given; the next read of a
    /// [stream](InputKind::Stream) may take a while.
    fn idle(&mut self, _kind: InputKind) -> Flow {
        Flow::Continue
    }

    /// Called after each input, with what searching it has come to.
    fn finish(&mut self, _input: &Input, _outcome: &Outcome) {}

    /// Which positions are needed for inputs of this level.
    fn positions(&self, _level: Level) -> Positions {
        Positions::Bytes
    }

    /// Whether the numbers of the parts of messages are needed.
    fn part_numbers(&self) -> PartNumbers {
        PartNumbers::Ignored
    }

    /// What has to be certain of a match before it is given: of a pipe whose writer pauses, the last one of a line comes
    /// earlier without its flag for lines that may be wrapped.
    fn certainty(&self) -> Certainty {
        Certainty::Whole
    }

    /// What makes the records of all further hits of this input, for a thread that searches ahead; `None` when a
    /// record depends on more than its hit, or the sink makes none. Asked only where each hit is wanted.
    fn recorder(&self) -> Option<Box<dyn Recorder>> {
        None
    }

    /// Takes the records of so many hits, as [`Sink::recorder`] made them, when their turn has come.
    fn records(&mut self, _records: &[u8], _hits: u64) -> Flow {
        Flow::Continue
    }

    /// Asked before a file is searched once more from its start: forgets all that it was given of the file, or
    /// says that it can't.
    fn forget(&mut self) -> Forget {
        Forget::Impossible
    }
}

/// Makes records of hits for a [`Sink`], in another thread and ahead of their turn. Some are made in vain.
pub trait Recorder: Send {
    /// Appends what the sink would make of a match or a rejected candidate.
    fn record(&mut self, hit: &Hit<'_>, records: &mut Vec<u8>);
}

/// Whether a sink forgot what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forget {
    /// It is as it was before the file.
    Done,
    /// Some of it can't be taken back.
    Impossible,
}
