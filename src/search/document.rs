//! Passes one document through its reader and the finder into a [`Sink`].
//!
//! A document is read as a whole. The maps of its parts lead back to offsets in the input.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use crate::document::mail::{FORMAT as MAIL, HEADER, Scratch};
use crate::document::mbox;
use crate::document::{Event, EventSink, Format, Part, Place, Role, Source, Stream, Wants};
use crate::finder::Relative;
use crate::reference::resolved;
use crate::reference::{Base, BaseSource};
use crate::search::hit::HitDocument;
use crate::search::link_labels::{LinkLabels, MAX_LABELS};
use crate::search::mail_context::{MailContext, UriAdmission, base_of};
use crate::search::parallel::message_events::MessageEvents;
use crate::search::query::{CountsAs, Query};
use crate::search::recent::REMEMBERED;
use crate::search::source::part_offsets::PartOffsets;
use crate::search::source::text_source::{RawText, SourceOffsets};
use crate::search::state::SearchState;
use crate::search::{
    Flow, Hit, Input, Labels, Level, LineCounter, MailHit, ParallelSink, References, SkippedPart,
};
use crate::shorten::shortened_text;
use crate::slice::SliceExt;
use crate::{Finding, Span};

/// Longest base URI of a document that references are resolved against.
const BASE_MAX: usize = 4096;

/// Returns the base of a document that declares `content` as its base, if references are resolved
/// (RFC 3986 §5.1).
fn document_base(query: &Query, input: &Input, content: Option<&str>) -> Option<Base> {
    let References::Resolved { retrieval } = &query.references else {
        return None;
    };
    let retrieval = match retrieval {
        Some(retrieval) => Cow::Borrowed(retrieval.as_str()),
        // RFC 3986 §5.1.3: without a base in the content, the retrieval URI counts. For a local
        // file that is its `file:` URI. An archive member has none, so its references stay
        // relative.
        None => Cow::Owned(input.file_uri()?),
    };
    let hosts = query.finder.host_mapping();
    let layers = Base::builder().host_mapping(hosts).retrieval(&retrieval);
    content.map_or(layers, |content| layers.content(content)).establish()
}

/// A document in a window of the input.
#[derive(Clone, Copy)]
pub(crate) struct WindowDocument<'w> {
    pub kind: DocumentKind,
    pub window: &'w [u8],
    pub offsets: &'w dyn SourceOffsets,
}

#[derive(Clone, Copy)]
pub(crate) enum DocumentKind {
    /// A document of this format, which fills the window.
    Whole(Format),
    /// A message of a mailbox.
    Message(mbox::Message),
}

impl WindowDocument<'_> {
    fn format(&self) -> Format {
        match self.kind {
            DocumentKind::Whole(format) => format,
            DocumentKind::Message(_) => MAIL,
        }
    }

    fn read(&self, scratch: &mut Scratch, sink: &mut dyn EventSink) -> ControlFlow<()> {
        match self.kind {
            DocumentKind::Whole(format) => format.read(Source::new(self.window), sink),
            DocumentKind::Message(message) => message.read_with(self.window, scratch, sink),
        }
    }
}

/// State that one message of a mailbox passes to the next.
pub(crate) struct MailReading<'m> {
    pub mail: &'m mut MailContext,
    pub scratch: &'m mut Scratch,
}

/// The events of a message that was read and searched by another thread.
pub(crate) struct RecordedMessage<'e> {
    pub events: &'e MessageEvents,
    pub range: Range<usize>,
}

pub(crate) fn search(
    document: WindowDocument<'_>,
    state: &mut SearchState<'_>,
    sink: &mut dyn ParallelSink,
) -> Flow {
    if let Some(name) = unread_companion(document.format(), state.input) {
        let message = format!("changes of it that are still in `{name}` were not read");
        state.unread_file("", &message, sink);
    }
    let mut mail =
        MailContext::new(state.query.dedupe, sink.needs(state.input.level()).part_numbers);
    let mut scratch = Scratch::default();
    let mut reading = DocumentSearch::new(document, state, &mut mail, sink);
    reading.read(|reading| document.read(&mut scratch, reading))
}

/// Returns the name of the file beside a document that holds changes of it, if there is one with
/// content.
fn unread_companion(format: Format, input: &Input) -> Option<String> {
    let end = format.unread_companion()?;
    let path = input.path().filter(|_| input.level() == Level::File)?;
    let mut name = path.file_name()?.to_owned();
    name.push(end);
    let companion = std::fs::symlink_metadata(path.with_file_name(&name)).ok()?;
    (companion.is_file() && companion.len() > 0).then(|| name.to_string_lossy().into_owned())
}

pub(crate) fn search_message(
    document: WindowDocument<'_>,
    MailReading { mail, scratch }: MailReading<'_>,
    state: &mut SearchState<'_>,
    sink: &mut dyn ParallelSink,
) -> Flow {
    mail.begin_message();
    let mut reading = DocumentSearch::new(document, state, mail, sink);
    reading.read(|reading| document.read(scratch, reading))
}

/// Reports a message of a mailbox that was read and searched by another thread.
pub(crate) fn replay_message(
    RecordedMessage { events, range }: RecordedMessage<'_>,
    document: WindowDocument<'_>,
    state: &mut SearchState<'_>,
    mail: &mut MailContext,
    sink: &mut dyn ParallelSink,
) -> Flow {
    mail.begin_message();
    let mut reading = DocumentSearch::new(document, state, mail, sink);
    reading.read(|reading| {
        events.replay(range.clone(), document.window, reading, |reading, finding, part| {
            reading.give(finding, part)
        })
    })
}

/// Emits the findings in a part of the document that fills all of `window`.
#[inline]
pub(crate) fn findings_in<'p>(
    part: &Part<'p>,
    window: &[u8],
    query: &Query,
    mut give: impl FnMut(Finding<'p>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let selects = |role| query.selection.selects_role(role);
    match part.roles() {
        [role] if selects(*role) => part.find(window, &query.finder, give),
        roles if roles.iter().any(|&role| selects(role)) => {
            part.find(window, &query.finder, |finding| {
                if selects(part.role_of(&finding)) {
                    give(finding)
                } else {
                    ControlFlow::Continue(())
                }
            })
        }
        _ => ControlFlow::Continue(()),
    }
}

fn is_file(part: &Part<'_>) -> bool {
    part.stream.is_some_and(|stream| stream.file.is_some())
}

struct DocumentSearch<'r, 'q> {
    document: WindowDocument<'r>,
    state: &'r mut SearchState<'q>,
    sink: &'r mut dyn ParallelSink,
    mail: &'r mut MailContext,
    /// True if the next parts belong to a message.
    in_message: bool,
    base: Option<Base>,
    flow: Flow,
    /// The texts of its links, once they were needed.
    labels: Option<LinkLabels>,
    /// The text that the last hits were found in, if its bytes are not those of the document.
    stream: Option<StreamPlace>,
}

/// A text of a document whose bytes are not those of the document: its name as an input, and the
/// lines in it.
struct StreamPlace {
    name: String,
    input: Input,
    lines: Option<LineCounter>,
}

impl<'r, 'q> DocumentSearch<'r, 'q> {
    fn new(
        document: WindowDocument<'r>,
        state: &'r mut SearchState<'q>,
        mail: &'r mut MailContext,
        sink: &'r mut dyn ParallelSink,
    ) -> Self {
        Self {
            base: document_base(state.query, state.input, None),
            document,
            state,
            sink,
            mail,
            in_message: false,
            flow: Flow::Continue,
            labels: None,
            stream: None,
        }
    }

    /// Runs `read` twice if part numbers are needed: the first pass only collects them.
    fn read(&mut self, mut read: impl FnMut(&mut Self) -> ControlFlow<()>) -> Flow {
        // The return value only says that the flow stopped, and `self.flow` has that.
        let _ = read(self);
        if self.mail.begin_second_reading() {
            let _ = read(self);
        }
        self.flow
    }

    fn give<'a>(&mut self, finding: &Finding<'_>, part: &'a Part<'a>) -> ControlFlow<()> {
        if self.in_message && part.stream.is_none() {
            let text = part.text.part(finding.span().range());
            // Damaged MIME is read a second time as raw bytes. Findings of the first reading come
            // again there.
            if self.mail.was_found(&part.source, finding.span(), text) {
                return ControlFlow::Continue(());
            }
        }
        let query = self.state.query;
        let target = match finding {
            // A file inside a document has no place of its own.
            Finding::Relative(_) if !self.in_message && is_file(part) => None,
            Finding::Relative(relative) => self.target(relative),
            _ => None,
        };
        let judgement = match finding {
            Finding::Relative(relative) => query.judge_relative(relative, target.as_deref()),
            _ => query.judge(finding),
        };
        if query.selection.restricts_place() && !self.selects_place(finding, part) {
            return ControlFlow::Continue(());
        }
        let Some(parts) = self.part_numbers(finding, target.as_deref(), judgement.counts) else {
            return ControlFlow::Continue(());
        };
        self.state.count(judgement.counts);
        if !judgement.is_wanted {
            return ControlFlow::Continue(());
        }
        let at = finding.span().start();
        let at = part.source.source(Span::new(at, at)).start();
        if let Some(stream) = part.stream {
            self.enter_stream(stream);
        }
        // A link in a documentation comment has the role of the comment.
        let is_link =
            part.role == Role::Destination || part.role == Role::Comment && part.element.is_some();
        if is_link && part.label.is_none() {
            self.read_labels(part);
        }
        let labels = self.labels.as_ref().filter(|_| is_link);
        let (window, base, below): (_, _, &dyn SourceOffsets) = match part.stream {
            Some(stream) => (stream.bytes, 0, &RawText(())),
            None => (self.document.window, self.state.base, self.document.offsets),
        };
        let stream = self.stream.as_mut().filter(|_| part.stream.is_some());
        let (input, lines) = match stream {
            Some(stream) => (&stream.input, stream.lines.as_mut()),
            None => (self.state.input, self.state.lines.as_mut()),
        };
        // Positions may go backwards: a part that can't be parsed as MIME is read again verbatim.
        let position = lines.map(|lines| lines.position_anywhere(window, base, at, below));
        let is_header = self.in_message && part.element == Some(HEADER);
        let (element, attribute) =
            if is_header { (None, None) } else { (part.element_of(finding), part.attribute) };
        let place = part.place.map(Place::shortened);
        let element = element.map(shortened_text);
        let attribute = attribute.map(shortened_text);
        let document = HitDocument {
            format: part
                .stream
                .and_then(|stream| stream.format)
                .unwrap_or_else(|| self.document.format()),
            role: part.role_of(finding),
            place: place.as_ref(),
            label: part.label.or_else(|| labels?.label(part, self.mail.number())),
            element: element.as_deref(),
            attribute: attribute.as_deref(),
            mail: self.in_message.then(|| MailHit {
                context: self.mail,
                message: self.mail.header(self.document.window),
                parts: &parts,
                header: is_header.then_some((part.attribute, at)),
                redacted: None,
            }),
        };
        let offsets = PartOffsets { document: window, base, layers: part.source, below };
        let hit = Hit::new(input, finding, 0, position, &offsets);
        let hit = Hit { document: Some(&document), target: target.as_deref(), ..hit };
        if !self.state.takes_line(&hit) {
            return ControlFlow::Continue(());
        }
        if self.state.reports_lines() && part.stream.is_none() {
            self.state.add_line_match(part.source.source(finding.span()));
        }
        self.flow = self.state.give_hit(&hit, self.sink);
        match self.flow {
            Flow::Continue => ControlFlow::Continue(()),
            Flow::StopInput | Flow::StopAll => ControlFlow::Break(()),
        }
    }

    /// Reads the texts of the links, if they are wanted and this is the first link without one.
    fn read_labels(&mut self, destination: &Part<'_>) {
        let format = destination.stream.and_then(|stream| stream.format);
        // In binary formats, readers know the text with the destination. In text, it may stand
        // after it.
        let is_after = !format.unwrap_or_else(|| self.document.format()).is_binary();
        let needs = || self.sink.needs(self.state.input.level());
        if self.labels.is_some() || !is_after || needs().labels == Labels::Known {
            return;
        }
        let document = self.document;
        let labels = LinkLabels::collect(self.state.query, |sink| {
            // The return value only says that there were too many labels.
            let _ = document.read(&mut Scratch::default(), sink);
        });
        if labels.is_full() {
            let message = format!("the labels of links after the first {MAX_LABELS} are not shown");
            self.state.limit_reached(&message);
        }
        self.labels = Some(labels);
    }

    /// Prepares for hits in a text whose bytes are not those of the document.
    fn enter_stream(&mut self, stream: &Stream<'_>) {
        if self.stream.as_ref().is_some_and(|known| known.name == stream.name) {
            return;
        }
        let input = self.state.input.extracted(stream);
        // A file in the document may be shown with lines, though the document is not.
        let positions = if input.level() == self.state.input.level() {
            self.state.positions
        } else {
            self.sink.needs(input.level()).positions
        };
        self.stream = Some(StreamPlace {
            name: stream.name.to_owned(),
            input,
            lines: LineCounter::for_positions(positions),
        });
    }

    /// True if hits in this part of this document are wanted.
    fn selects_place(&self, finding: &Finding<'_>, part: &Part<'_>) -> bool {
        let envelope =
            self.in_message.then(|| self.mail.envelope(self.mail.header(self.document.window)));
        let element = part.element_of(finding);
        self.state.query.selection.selects_place(element, part.place, envelope)
    }

    /// Returns the numbers of the message parts that hold a finding, or `None` if it is not
    /// reported now.
    fn part_numbers(
        &mut self,
        finding: &Finding<'_>,
        target: Option<&str>,
        counts: CountsAs,
    ) -> Option<Vec<String>> {
        if !self.in_message {
            return Some(Vec::new());
        }
        if counts != CountsAs::Match {
            return (!self.mail.collects_parts()).then(|| self.mail.part_numbers());
        }
        if self.mail.take_forgotten() {
            self.state.limit_reached(&format!(
                "more than {REMEMBERED} messages or URIs; URIs of older threads may be reported again"
            ));
        }
        let admission = match finding {
            Finding::Match(m) => self.mail.admit(self.document.window, || m.uri()),
            Finding::Relative(relative) => {
                let uri = target.unwrap_or(relative.reference().as_str());
                self.mail.admit(self.document.window, || Cow::Borrowed(uri))
            }
            // Unreachable: a rejected candidate does not count as a match.
            Finding::Rejected(_) => UriAdmission::Withheld,
        };
        match admission {
            UriAdmission::Reported(parts) => Some(parts),
            UriAdmission::Withheld => None,
        }
    }

    /// Ignores an overlong base: every resolved reference would repeat it.
    fn bound_base(&mut self) {
        let is_named =
            |base: &Base| !matches!(base.source(), BaseSource::Retrieval | BaseSource::Default);
        if self
            .base
            .as_ref()
            // The retrieval URI is a path of this system, or was given by the user. Only a
            // document's own base may be hostile.
            .is_some_and(|base| is_named(base) && base.uri().as_str().len() > BASE_MAX)
        {
            self.base = None;
            self.state.limit_reached(&format!("a base of more than {BASE_MAX} bytes was not used"));
        }
    }

    fn target(&self, relative: &Relative<'_>) -> Option<String> {
        let base = self.base.as_ref()?;
        Some(resolved(base.uri(), relative.reference()))
    }
}

impl EventSink for DocumentSearch<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            event => {
                self.note(event);
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        self.state.query.wants()
    }
}

impl DocumentSearch<'_, '_> {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        let (query, window) = (self.state.query, self.document.window);
        findings_in(part, window, query, |finding| self.give(&finding, part))
    }

    fn note(&mut self, event: &Event<'_>) {
        let (query, input) = (self.state.query, self.state.input);
        match event {
            Event::Base { reference, .. } => {
                self.base = match &self.base {
                    // A base in the content may itself be relative to that of the part and the
                    // message around it (RFC 3986 §5.1.2).
                    Some(outer) if self.in_message => {
                        let inner = Base::builder()
                            .host_mapping(query.finder.host_mapping())
                            .encapsulating(outer);
                        inner.content(reference).establish()
                    }
                    _ => document_base(query, input, Some(reference)),
                };
                self.bound_base();
            }
            Event::Entity(entity) => {
                self.in_message = true;
                // Attachments of two messages may have the same name.
                self.stream = None;
                self.mail.begin_part(entity, self.document.window);
                if query.references != References::AsWritten {
                    let outer = document_base(query, input, None);
                    self.base = base_of(entity.locations, outer, query.finder.host_mapping());
                    self.bound_base();
                }
            }
            // The first of two readings only collects part numbers. Both would count the part
            // twice.
            Event::Skipped { reason, span } if !self.mail.collects_parts() => {
                self.state.skipped_parts.count(*reason);
                let offset = self.document.offsets.source(self.state.base + span.start() as u64);
                let part = SkippedPart::new(
                    offset,
                    *reason,
                    self.mail,
                    self.mail.header(self.document.window),
                );
                self.sink.skipped_part(input, &part);
            }
            Event::Unread { file, message } if !self.mail.collects_parts() => {
                self.state.unread_file(file, message, self.sink);
            }
            Event::Limit(limit) => self.state.limit_reached(&limit.to_string()),
            _ => {}
        }
    }
}
