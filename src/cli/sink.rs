//! Where the search pushes what it finds.

use std::borrow::Cow;

use urigrep::container::document::Role;
use urigrep::container::document::mail::Skipped;
use urigrep::{Finding, Normalizer, Span, Step, Uri};

use super::lines::Place;
use super::messages::{Messages, Numbers};
use super::offsets::{Offsets, Relation};

/// What a sink wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More.
    Continue,
    /// No more of this input.
    StopInput,
    /// No more of anything.
    StopAll,
    /// No more now: this input needs much memory, and is to be searched from its start by the thread for that.
    Later,
}

/// A finding and where it stands in its input.
#[derive(Clone, Copy)]
pub struct Hit<'a> {
    /// The finding; its offsets count from `base`.
    pub finding: &'a Finding<'a>,
    /// Absolute offset of the window that was searched.
    pub base: u64,
    /// The place of its first byte, when somebody asked for places.
    pub place: Option<Place>,
    /// Where the text came from.
    pub offsets: &'a dyn Offsets,
    /// The normal form of a match, when a printer before this one had a use for it.
    pub normal: Option<&'a str>,
    /// What it is in its document, when that says so.
    pub standing: Option<&'a Standing<'a>>,
    /// The URI that a relative reference stands for, when there is a base and it was asked for.
    pub target: Option<&'a str>,
    /// What is printed in place of the text of the finding, when that holds secrets.
    pub shown: Option<&'a [u8]>,
}

/// What a finding is in its document.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// What the part is that it stands in.
    pub role: Role,
    /// The element that the part belongs to.
    pub element: Option<&'a str>,
    /// The attribute whose value the part is.
    pub attribute: Option<&'a str>,
    /// The message that it stands in.
    pub letter: Option<Letter<'a>>,
}

/// What a finding is in its message.
#[derive(Clone, Copy, Debug)]
pub struct Letter<'a> {
    /// The message.
    pub message: &'a Messages,
    /// The numbers of the parts that hold it, when somebody asked for [`Sink::numbers`].
    pub parts: &'a [String],
    /// When it stands in a header: the field if that is known, and where it stands.
    pub header: Option<(Option<&'a str>, usize)>,
}

impl<'a> Letter<'a> {
    /// The field of the header that it stands in.
    pub fn field(&self) -> Option<&'a str> {
        let (name, stands) = self.header?;
        name.or_else(|| self.message.field_at(stands))
    }
}

impl<'a> Hit<'a> {
    /// The same for the next printer, which need not normalize again.
    pub fn with_normal<'n>(&self, normal: &'n str) -> Hit<'n>
    where
        'a: 'n,
    {
        Hit {
            normal: Some(normal),
            ..*self
        }
    }

    /// The offset in the input, in its own bytes, of an offset of the finding.
    pub fn offset(&self, at: usize) -> u64 {
        self.offsets.source(self.base + at as u64)
    }

    /// The span in the input, in its own bytes, of a span of the finding.
    pub fn span(&self, span: Span) -> [u64; 2] {
        let end = self.offsets.source_end(self.base + span.end() as u64);
        [self.offset(span.start()), end]
    }

    /// The ranges in the input that make up a finding, when they are more than one.
    pub fn ranges(&self, span: Span, ranges: &[Span]) -> Vec<[u64; 2]> {
        let whole = [span];
        let ranges = if ranges.is_empty() { &whole } else { ranges };
        let of = |range: &Span| {
            let [start, end] = [range.start(), range.end()].map(|at| self.base + at as u64);
            self.offsets.ranges(start, end)
        };
        let all: Vec<_> = ranges.iter().flat_map(of).collect();
        if all.len() > 1 { all } else { Vec::new() }
    }

    /// Whether what was searched are the bytes of the input.
    pub fn relation(&self, span: Span) -> Relation {
        let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
        self.offsets.relation(start, end)
    }

    /// The text of a step of [`urigrep::Finder::explain`], if it tells nothing that is not shown.
    pub fn step<'t>(&'t self, step: &Step<'t>) -> &'t [u8] {
        let finding = self.finding.span();
        match self.shown {
            Some(shown) if step.span == finding => shown,
            Some(shown)
                if step.span.start() < finding.end()
                    && finding.start() < step.span.end()
                    && memchr::memmem::find(shown, step.text).is_none() =>
            {
                b"REDACTED"
            }
            _ => step.text,
        }
    }

    /// The bytes of the input, as they stand, or what is shown for them; `text` are those that were searched.
    pub fn raw<'t>(&'t self, span: Span, text: &'t [u8]) -> &'t [u8] {
        if let Some(shown) = self.shown {
            return shown;
        }
        self.source(span, text)
    }

    /// The bytes of the input, as they stand; `text` are those that were searched.
    pub fn source<'t>(&'t self, span: Span, text: &'t [u8]) -> &'t [u8] {
        let [start, end] = [span.start(), span.end()].map(|at| self.base + at as u64);
        self.offsets.raw(start, end).unwrap_or(text)
    }

    /// The normal form of a finding that is no reject, by which it is told from others; a relative
    /// reference without a base is its own.
    pub fn normalized(&self, normalizer: &Normalizer) -> Option<Cow<'_, str>> {
        match (self.finding, self.target) {
            (Finding::Match(m), _) => Some(normalizer.normalize(m.parsed())),
            (Finding::Relative(_), Some(target)) => Some(match Uri::parse(target) {
                Ok(uri) => normalizer.normalize(uri),
                Err(_) => Cow::Borrowed(target),
            }),
            (Finding::Relative(relative), None) => {
                Some(Cow::Borrowed(relative.reference().as_str()))
            }
            (Finding::Rejected(_), _) => None,
        }
    }
}

/// A part of mail that is not searched.
#[derive(Clone, Copy)]
pub struct SkippedPart<'a> {
    /// Why.
    pub reason: Skipped,
    /// Where it starts in the input.
    pub offset: u64,
    /// The message that it is a part of.
    pub message: &'a Messages,
}

/// Takes the findings of one input, in order.
pub trait Sink {
    /// Takes a finding that was selected.
    fn hit(&mut self, hit: &Hit<'_>) -> Flow;

    /// Whether it tells the numbers of the parts of messages.
    fn numbers(&self) -> Numbers {
        Numbers::default()
    }

    /// Told of a part of mail that is not searched.
    fn skipped(&mut self, _part: &SkippedPart<'_>) {}

    /// Told that all findings up to here were given, before more is waited for.
    fn idle(&mut self) -> Flow;

    /// Told before something that needs much memory.
    fn heavy(&mut self) -> Flow {
        Flow::Continue
    }
}
