//! One document through its reader and the finder into a [`Sink`].
//!
//! A document is read as a whole; where its parts stand in the input is for their maps to say.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use urigrep::container::document::mail::{self, HEADER, Headers, Scratch, Store};
use urigrep::container::document::{self, Format, Mark, Part, Source};
use urigrep::container::mbox;
use urigrep::{Base, Finding, Relative, Span, resolve};

use super::hyperlink::encode_path;
use super::labelled::Charsets;
use super::mapped::Mapped;
use super::memory;
use super::messages::{self, Messages, Repeats, Taken};
use super::offsets::Offsets;
use super::pass::Pass;
use super::query::{Counts, Query, Use};
use super::record::Record;
use super::sink::{Flow, Hit, Letter, Sink, SkippedPart, Standing};
use super::subject::{Level, Subject};

/// How documents are read.
#[derive(Clone, Debug)]
pub struct Documents {
    /// Which files are documents.
    pub markup: Markup,
    /// What becomes of relative references.
    pub references: References,
    /// Which files are mail.
    pub mail: Mail,
    /// What is taken of headers.
    pub headers: Headers,
    /// Which repetitions in mail are told.
    pub repeats: Repeats,
    /// By what bytes are read as text.
    pub charsets: Charsets,
    /// What of a message is read as MIME.
    pub limits: mail::MimeLimits,
    /// The largest message that is read as one, in bytes.
    pub message: usize,
}

/// Which files are mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mail {
    /// Those whose name, place or first bytes show it.
    #[default]
    Detect,
    /// None.
    Never,
    /// All.
    Always,
}

/// How an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As one document.
    Document(Format),
    /// As messages one after the other.
    Mailbox,
}

/// Which files are documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// Those whose extension or first bytes show it.
    #[default]
    Detect,
    /// None.
    Never,
    /// All, of this format.
    Always(Format),
}

/// What becomes of relative references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum References {
    /// They stay relative.
    #[default]
    AsTheyAre,
    /// They are resolved, against this base where the document names none, else against its path.
    Resolved {
        /// Where the documents were retrieved from.
        retrieval: Option<String>,
    },
}

impl Default for Documents {
    fn default() -> Self {
        Self {
            markup: Markup::default(),
            references: References::default(),
            mail: Mail::default(),
            headers: Headers::default(),
            repeats: Repeats::default(),
            charsets: Charsets::default(),
            limits: mail::MimeLimits::default(),
            message: Format::LARGEST,
        }
    }
}

impl Documents {
    /// The largest document of this format that is read as one, in bytes.
    pub fn largest(&self, format: Format) -> usize {
        match format {
            Format::Mail => self.message,
            format => format.largest(),
        }
    }

    /// How an input of this name that starts with `head` is read, if not as text.
    pub fn shape(&self, subject: &Subject, head: &[u8]) -> Option<Shape> {
        if self.mail != Mail::Never && mbox::is_mbox(head) {
            return Some(Shape::Mailbox);
        }
        let format = match (self.mail, self.markup) {
            (Mail::Always, _) => Some(Format::Mail),
            (_, Markup::Always(format)) => Some(format),
            _ => self.format(subject, head),
        };
        let is_wanted = |format: &Format| match format {
            Format::Mail => self.mail != Mail::Never,
            _ => self.markup != Markup::Never,
        };
        format.filter(is_wanted).map(Shape::Document)
    }

    /// The format of markup of a document of this name that starts with `head`.
    pub fn markup(&self, subject: &Subject, head: &[u8]) -> Option<Format> {
        let format = match self.markup {
            Markup::Never => None,
            Markup::Always(format) => Some(format),
            Markup::Detect => self.format(subject, head),
        };
        format.filter(|format| *format != Format::Mail)
    }

    /// What the name and the first bytes show.
    fn format(&self, subject: &Subject, head: &[u8]) -> Option<Format> {
        if let Some(format) = subject.extension().and_then(Format::of_extension) {
            return Some(format);
        }
        let store = || subject.path().and_then(Store::of_path);
        match Format::of_content(head) {
            None if store() == Some(Store::Maildir) => Some(Format::Mail),
            format => format,
        }
    }

    /// The base of a document whose content names `content`, if references are to be resolved.
    fn base(&self, subject: &Subject, content: Option<&str>) -> Option<Base> {
        let References::Resolved { retrieval } = &self.references else {
            return None;
        };
        let retrieval = match retrieval {
            Some(retrieval) => Cow::Borrowed(retrieval.as_str()),
            None => Cow::Owned(file_uri(subject)?),
        };
        let mut layers = Base::builder().retrieval(&retrieval);
        if let Some(content) = content {
            layers = layers.content(content);
        }
        layers.establish()
    }
}

/// The URI of a file (RFC 8089); a member of an archive has none.
fn file_uri(subject: &Subject) -> Option<String> {
    if subject.level() == Level::Member {
        return None;
    }
    let path = String::from_utf8(encode_path(subject.path()?)?).ok()?;
    Some(format!("file://{path}"))
}

/// Whether a document can be read as one now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// It can.
    Enough,
    /// There is not enough memory: it is text.
    TooLittle,
    /// The sink wants no more.
    Stop(Flow),
}

/// What reading a document takes, at most, as a multiple of its size, where it is made to be hard; and how
/// large it may be that all threads may read one at once (tests/faults/bounds.py).
fn cost(format: Format) -> (usize, usize) {
    match format {
        Format::Markdown => (160, 96 << 10),
        Format::Mail => (20, 512 << 10),
        _ => (4, 2 << 20),
    }
}

/// Makes sure of the memory that reading a document takes.
pub fn room(format: Format, document: &[u8], sink: &mut dyn Sink) -> Room {
    let (times, light) = cost(format);
    if document.len() > light {
        let flow = sink.heavy();
        if flow != Flow::Continue {
            return Room::Stop(flow);
        }
    }
    match memory::is_there(times * document.len()) {
        true => Room::Enough,
        false => Room::TooLittle,
    }
}

/// True when all threads may read a document of this length at once, and there is the memory.
pub fn is_light(format: Format, length: usize) -> bool {
    let (times, light) = cost(format);
    length <= light && memory::is_there(times * length)
}

/// Searches the document that is all of `window`.
pub fn read(
    format: Format,
    (window, offsets): (&[u8], &dyn Offsets),
    subject: &Subject,
    pass: &mut Pass<'_>,
    sink: &mut dyn Sink,
) -> Flow {
    let mut messages = Messages::new(pass.query.documents.repeats, sink.numbers());
    let mut reading = Reading::new((window, offsets), subject, pass, sink, &mut messages);
    reading.read(|reading| {
        // It breaks when the flow does.
        let _ = format.read(Source::new(window), reading);
    })
}

/// Searches a message of a mailbox, which stands in `window`.
pub fn message(
    message: mbox::Message,
    (window, offsets): (&[u8], &dyn Offsets),
    subject: &Subject,
    pass: &mut Pass<'_>,
    (messages, scratch): (&mut Messages, &mut Scratch),
    sink: &mut dyn Sink,
) -> Flow {
    messages.next();
    let mut reading = Reading::new((window, offsets), subject, pass, sink, messages);
    reading.read(|reading| {
        // It breaks when the flow does.
        let _ = message.read_with(window, scratch, reading);
    })
}

/// Tells what was recorded of a message of a mailbox, which stands in `window`.
pub fn message_recorded(
    (record, events): (&Record, Range<usize>),
    (window, offsets): (&[u8], &dyn Offsets),
    subject: &Subject,
    pass: &mut Pass<'_>,
    messages: &mut Messages,
    sink: &mut dyn Sink,
) -> Flow {
    messages.next();
    let mut reading = Reading::new((window, offsets), subject, pass, sink, messages);
    reading.read(|reading| {
        // It breaks when the flow does.
        let _ = record.tell(events.clone(), window, reading, |reading, finding, part| {
            reading.give(finding, part)
        });
    })
}

/// Gives what is found in a part of the document that is all of `window`.
#[inline]
pub fn findings_in<'p>(
    part: &Part<'p>,
    window: &[u8],
    query: &Query,
    give: impl FnMut(Finding<'p>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if !query.selection.takes_role(part.role) {
        return ControlFlow::Continue(());
    }
    part.find(window, &query.finder, give)
}

/// The state of reading one document.
struct Reading<'r, 'q> {
    window: &'r [u8],
    offsets: &'r dyn Offsets,
    subject: &'r Subject,
    pass: &'r mut Pass<'q>,
    sink: &'r mut dyn Sink,
    messages: &'r mut Messages,
    /// True when what comes stands in a message.
    letter: bool,
    base: Option<Base>,
    flow: Flow,
}

impl<'r, 'q> Reading<'r, 'q> {
    fn new(
        (window, offsets): (&'r [u8], &'r dyn Offsets),
        subject: &'r Subject,
        pass: &'r mut Pass<'q>,
        sink: &'r mut dyn Sink,
        messages: &'r mut Messages,
    ) -> Self {
        Self {
            base: pass.query.documents.base(subject, None),
            window,
            offsets,
            subject,
            pass,
            sink,
            messages,
            letter: false,
            flow: Flow::Continue,
        }
    }

    /// Reads once or twice, of which only the last time tells anything.
    fn read(&mut self, mut read: impl FnMut(&mut Self)) -> Flow {
        read(self);
        if self.messages.again() {
            read(self);
        }
        self.flow
    }

    /// Gives a finding to the sink, if it is wanted.
    fn give(&mut self, finding: &Finding<'_>, part: &Part<'_>) -> ControlFlow<()> {
        if self.letter {
            let text = part.text.get(finding.span().range()).unwrap_or_default();
            if self.messages.is_again(&part.source, finding.span(), text) {
                return ControlFlow::Continue(());
            }
        }
        let query = self.pass.query;
        let target = match finding {
            Finding::Relative(relative) => self.target(relative),
            _ => None,
        };
        let verdict = match finding {
            Finding::Relative(relative) => query.judge_relative(relative, target.as_deref()),
            _ => query.judge(finding),
        };
        let parts = match (finding, verdict.counts) {
            _ if !self.letter => Vec::new(),
            (_, Counts::Match) => {
                let taken = match finding {
                    Finding::Match(m) => self.messages.take(|| m.uri()),
                    Finding::Relative(r) => self.messages.take(|| {
                        Cow::Borrowed(target.as_deref().unwrap_or(r.reference().as_str()))
                    }),
                    Finding::Rejected(_) => Taken::Held,
                };
                match taken {
                    Taken::Told(parts) => parts,
                    Taken::Held => return ControlFlow::Continue(()),
                }
            }
            _ if self.messages.is_learning() => return ControlFlow::Continue(()),
            _ => self.messages.part(),
        };
        self.pass.count(verdict.counts);
        if verdict.usage == Use::Unwanted {
            return ControlFlow::Continue(());
        }
        let mapped = Mapped {
            window: self.window,
            base: self.pass.base,
            layers: part.source,
            below: self.offsets,
        };
        let stands = || {
            let at = finding.span().start();
            part.source.source(Span::new(at, at)).start()
        };
        let base = self.pass.base;
        let place = self.pass.lines.as_mut().map(|lines| {
            // what could not be parsed is read again as it stands
            lines.place_anywhere(self.window, base, stands(), self.offsets)
        });
        let is_header = self.letter && part.element == Some(HEADER);
        let letter = self.letter.then(|| Letter {
            message: self.messages,
            parts: &parts,
            header: is_header.then(|| (part.attribute, stands())),
        });
        let standing = Standing {
            role: part.role,
            element: part.element.filter(|_| !is_header),
            attribute: part.attribute.filter(|_| !is_header),
            letter,
        };
        self.flow = self.sink.hit(&Hit {
            finding,
            base: 0,
            place,
            offsets: &mapped,
            normal: None,
            standing: Some(&standing),
            target: target.as_deref(),
            shown: None,
        });
        match self.flow {
            Flow::Continue => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }

    /// The URI that a relative reference stands for.
    fn target(&self, relative: &Relative<'_>) -> Option<String> {
        let base = self.base.as_ref()?;
        Some(resolve(base.uri(), relative.reference()))
    }
}

impl document::PartSink for Reading<'_, '_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let (query, window) = (self.pass.query, self.window);
        findings_in(part, window, query, |finding| self.give(&finding, part))
    }

    fn mark(&mut self, mark: &Mark<'_>) {
        let documents = &self.pass.query.documents;
        match mark {
            Mark::Base { reference, .. } => {
                self.base = match &self.base {
                    Some(outer) if self.letter => {
                        let inner = Base::builder().encapsulating(outer);
                        inner.content(reference).establish()
                    }
                    _ => documents.base(self.subject, Some(reference)),
                };
            }
            Mark::Entity(entity) => {
                self.letter = true;
                self.messages.enter(entity);
                if documents.references != References::AsTheyAre {
                    let outer = documents.base(self.subject, None);
                    self.base = messages::base(entity.locations, outer);
                }
            }
            Mark::Skipped { reason, span } if !self.messages.is_learning() => {
                self.pass.unread.count(*reason);
                self.sink.skipped(&SkippedPart {
                    reason: *reason,
                    offset: self.offsets.source(self.pass.base + span.start() as u64),
                    message: self.messages,
                });
            }
            Mark::Limit(limit) => self.pass.reach(&limit.to_string()),
            _ => {}
        }
    }

    fn limits(&self) -> mail::MimeLimits {
        self.pass.query.documents.limits
    }

    fn headers(&self) -> Headers {
        self.pass.query.documents.headers
    }
}
