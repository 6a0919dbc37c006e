//! Tracks the current message, and which of its URIs were already reported.
//!
//! Mail often repeats the same text in several parts. A URI of a message with parts is reported
//! once, with the numbers of all parts that hold it. If those numbers are needed, such a message is
//! read twice: the first pass collects them.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use crate::Span;
use crate::document::mail::{Entity, EntityLocation, EntityReading, FieldCursor, Header};
use crate::offset_map::Layers;
use crate::options::HostMapping;
use crate::redact::redact_text;
use crate::reference::Base;
use crate::search::recent::Recent;
use crate::search::{Dedupe, PartNumbers};
use crate::shorten::shortened_text;
use crate::slice::span_within;

/// The fields of a message header that are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Envelope {
    /// The Message-ID, without angle brackets.
    pub message_id: Option<String>,
    /// The date, in the form of RFC 3339.
    pub date: Option<String>,
    /// The sender, from the field `From`.
    pub from: Option<String>,
    /// The subject, decoded.
    pub subject: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UriAdmission {
    /// Reported, with the numbers of the parts that hold it.
    Reported(Vec<String>),
    /// Already reported, or not to be reported yet.
    Withheld,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Undecided,
    /// Every URI is reported at once.
    ReportAll,
    /// A URI is reported at once, unless it was found before.
    ReportOnce,
    /// The first of two passes, which collects the parts that hold each URI.
    CollectParts,
    /// The second pass.
    ReportCollected,
}

/// A value for each message within an outermost message, by its start offset.
type PerMessage<T> = HashMap<usize, T>;

/// The findings in a message: spans, and hashes of their texts.
#[derive(Debug, Default)]
struct FoundSpans {
    hasher: RandomState,
    new: Vec<(Span, u64)>,
    /// The findings from before the message was read again verbatim.
    known: HashSet<(Span, u64)>,
}

/// The header of a message. It is usually verbatim in the searched window, so it is not copied.
#[derive(Debug)]
enum HeldHeader {
    Window(Span),
    Copied(Vec<u8>),
}

impl Default for HeldHeader {
    fn default() -> Self {
        Self::Window(Span::default())
    }
}

impl HeldHeader {
    #[inline]
    fn hold(&mut self, header: Header<'_>, window: &[u8]) {
        // Nearly all headers are verbatim in the window. A span saves a copy per message; only a
        // message inside an encoded part is copied.
        *self = match span_within(header.as_bytes(), window) {
            Some(span) => Self::Window(span),
            None => Self::Copied(header.as_bytes().to_vec()),
        };
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Window(span) => span.is_empty(),
            Self::Copied(bytes) => bytes.is_empty(),
        }
    }

    #[inline]
    fn header<'h>(&'h self, window: &'h [u8]) -> Header<'h> {
        Header::new(match self {
            Self::Window(span) => window.get(span.range()).unwrap_or_default(),
            Self::Copied(bytes) => bytes,
        })
    }
}

/// The current message, and the URIs that were already reported from it and from its thread.
#[derive(Debug, Default)]
pub struct MailContext {
    dedupe: Dedupe,
    numbers: PartNumbers,
    phase: Phase,
    // The innermost message:
    start: usize,
    header: HeldHeader,
    field: Cell<FieldCursor>,
    envelope: OnceCell<Envelope>,
    redacted: OnceCell<Envelope>,
    /// The hash of the Message-ID that the thread of the message starts with.
    thread: OnceCell<Option<u128>>,
    number: String,
    // The outermost message:
    spans: FoundSpans,
    parts: PerMessage<HashMap<String, Vec<String>>>,
    reported: PerMessage<HashSet<String>>,
    // The whole file:
    /// The first message of the thread that a message belongs to.
    threads: Recent<u128>,
    /// URIs with the first message of their thread.
    reported_in_thread: Recent<()>,
}

impl MailContext {
    pub(crate) fn new(dedupe: Dedupe, numbers: PartNumbers) -> Self {
        Self { dedupe, numbers, ..Self::default() }
    }

    pub(crate) fn begin_message(&mut self) {
        self.spans.new.clear();
        self.spans.known.clear();
        self.parts.clear();
        self.reported.clear();
        self.header = HeldHeader::default();
        self.start = usize::MAX;
        self.phase = Phase::Undecided;
    }

    /// Returns true if the message must be read a second time, and switches to that pass.
    pub(crate) fn begin_second_reading(&mut self) -> bool {
        let learned = self.phase == Phase::CollectParts;
        if learned {
            self.phase = Phase::ReportCollected;
            self.spans.new.clear();
            self.spans.known.clear();
            self.start = usize::MAX;
        }
        learned
    }

    /// Returns the phase for a message whose first header has this media type.
    fn phase(&self, media_type: &str) -> Phase {
        let has_parts = ["multipart/", "message/"].iter().any(|top| media_type.starts_with(top));
        match (self.dedupe, self.numbers) {
            // Without deduplication, each occurrence is reported with its own part, so there is
            // nothing to learn first.
            (Dedupe::Never, _) => Phase::ReportAll,
            // Only a message with parts can repeat a URI in another part, so only such a message is
            // read twice.
            (_, PartNumbers::Listed) if has_parts => Phase::CollectParts,
            (Dedupe::Message, _) => Phase::ReportOnce,
            _ if has_parts => Phase::ReportOnce,
            _ => Phase::ReportAll,
        }
    }

    /// Begins a part of the document in `window`.
    pub(crate) fn begin_part(&mut self, entity: &Entity<'_>, window: &[u8]) {
        if entity.reading == EntityReading::Raw {
            // Parsing as MIME failed, and the message follows again as raw bytes. What was found so
            // far would be found a second time, so it is remembered by span and text.
            self.spans.known.extend(self.spans.new.drain(..));
        }
        if self.phase == Phase::Undecided {
            self.phase = self.phase(entity.media_type);
        }
        self.number.clear();
        self.number.push_str(entity.number);
        if self.start != entity.message_start || self.header.is_empty() {
            self.start = entity.message_start;
            self.header.hold(entity.message, window);
            self.field = Cell::default();
            self.envelope = OnceCell::new();
            self.redacted = OnceCell::new();
            self.thread = OnceCell::new();
        }
    }

    /// The header of the message, in the window in which its parts began.
    #[inline]
    pub(crate) fn header<'h>(&'h self, window: &'h [u8]) -> Header<'h> {
        self.header.header(window)
    }

    pub(crate) fn field_at<'h>(&self, header: Header<'h>, at: usize) -> Option<&'h str> {
        let mut field = self.field.get();
        let name = field.name_at(header, at.checked_sub(self.start)?);
        self.field.set(field);
        name
    }

    /// True if this text was already found at this span when the message was read as MIME. The
    /// message is now being read again verbatim.
    pub(crate) fn was_found(&mut self, source: &Layers<'_>, span: Span, text: &[u8]) -> bool {
        // A verbatim span has only one text.
        let hash = if source.is_copied(span) { 0 } else { self.spans.hasher.hash_one(text) };
        let found = (source.source(span), hash);
        if self.spans.known.contains(&found) {
            return true;
        }
        self.spans.new.push(found);
        false
    }

    /// The envelope in the header of the message.
    pub(crate) fn envelope(&self, header: Header<'_>) -> &Envelope {
        self.envelope.get_or_init(|| {
            // Long fields are shortened because they are printed with every match.
            let short = |field: String| shortened_text(&field).into_owned();
            Envelope {
                message_id: header.message_id().map(short),
                date: header.date().map(|date| date.to_string()),
                from: header.from().map(short),
                subject: header.subject().map(short),
            }
        })
    }

    /// Returns the envelope without secrets.
    pub(crate) fn redacted_envelope(&self, header: Header<'_>) -> &Envelope {
        self.redacted.get_or_init(|| {
            let Envelope { message_id, date, from, subject } = self.envelope(header).clone();
            let redacted = |text: Option<String>| text.map(|text| redact_text(&text).into_owned());
            Envelope {
                message_id: redacted(message_id),
                date,
                from: redacted(from),
                subject: redacted(subject),
            }
        })
    }

    /// True during the first of two passes over a message.
    pub(crate) fn collects_parts(&self) -> bool {
        self.phase == Phase::CollectParts
    }

    /// The number of the part; empty in the header of the outermost message.
    pub(crate) fn number(&self) -> &str {
        &self.number
    }

    /// The number of the part as a list; empty in the header of the outermost message.
    pub(crate) fn part_numbers(&self) -> Vec<String> {
        let number = Some(self.number.clone());
        number.filter(|number| !number.is_empty()).into_iter().collect()
    }

    pub(crate) fn admit<'u>(
        &mut self,
        window: &[u8],
        uri: impl FnOnce() -> Cow<'u, str>,
    ) -> UriAdmission {
        // Nothing in this phase depends on the URI, so it is not computed. Most mailboxes are read
        // this way throughout.
        let reports_all = self.phase == Phase::ReportAll && self.dedupe != Dedupe::Thread;
        if reports_all && self.numbers == PartNumbers::Ignored {
            return UriAdmission::Reported(Vec::new());
        }
        let uri = &*uri();
        if self.phase == Phase::CollectParts {
            let number = self.part_numbers();
            // Collect the numbers of all parts that hold this URI. The second pass reports it with
            // the whole list.
            let parts = self.parts.entry(self.start).or_default();
            let parts = parts.entry(uri.to_owned()).or_default();
            // A message is read part by part, so a number that is known already is the last one.
            if parts.last() != number.last() {
                parts.extend(number);
            }
            return UriAdmission::Withheld;
        }
        let is_new = match (self.dedupe, self.phase) {
            (Dedupe::Thread, _) => self.is_new_in_thread(window, uri),
            (_, Phase::ReportAll) => true,
            _ => {
                let reported = self.reported.entry(self.start).or_default();
                // Looked up first, because `insert` needs a copy of a URI that is known, too.
                !reported.contains(uri) && reported.insert(uri.to_owned())
            }
        };
        if !is_new {
            return UriAdmission::Withheld;
        }
        if self.numbers == PartNumbers::Ignored {
            return UriAdmission::Reported(Vec::new());
        }
        let parts = self.parts.get_mut(&self.start);
        let parts = parts.and_then(|parts| parts.remove(uri));
        UriAdmission::Reported(parts.unwrap_or_else(|| self.part_numbers()))
    }

    fn is_new_in_thread(&mut self, window: &[u8], uri: &str) -> bool {
        let header = self.header.header(window);
        let threads = &mut self.threads;
        let thread = *self.thread.get_or_init(|| {
            // A reply belongs to the known thread of any message that it answers, even if it also
            // answers others.
            let answered = header.references().into_iter();
            let ids = answered.chain(header.message_id());
            let ids: Vec<u128> = ids.map(|id| threads.hash(&id)).collect();
            let known = ids.iter().find_map(|id| threads.get(*id));
            let thread = known.or_else(|| ids.first().copied())?;
            for id in ids {
                if threads.get(id).is_none() {
                    threads.insert(id, thread);
                }
            }
            Some(thread)
        });
        let Some(thread) = thread else {
            return true;
        };
        let reported = self.reported_in_thread.hash(&(thread, uri));
        let is_new = self.reported_in_thread.get(reported).is_none();
        if is_new {
            self.reported_in_thread.insert(reported, ());
        }
        is_new
    }

    /// True if a reported URI was forgotten since the last call, so that it may be reported again.
    pub(crate) fn take_forgotten(&mut self) -> bool {
        let threads = std::mem::take(&mut self.threads.has_forgotten);
        threads | std::mem::take(&mut self.reported_in_thread.has_forgotten)
    }
}

/// Returns the innermost base in the headers of a part and of the parts around it (S4 §5.1, RFC
/// 2110).
pub(crate) fn base_of(
    locations: &[EntityLocation],
    mut outer: Option<Base>,
    hosts: HostMapping,
) -> Option<Base> {
    for location in locations {
        let mut layers = Base::builder().host_mapping(hosts);
        if let Some(base) = &location.content_base {
            layers = layers.content_base(base);
        }
        if let Some(place) = &location.content_location {
            layers = layers.content_location(place);
        }
        if let Some(outer) = &outer {
            layers = layers.encapsulating(outer);
        }
        outer = layers.establish();
    }
    outer
}
