//! Searches mailboxes: message after message, each as a document.

use crate::document::mail::{FORMAT as MAIL, Scratch};
use crate::document::mbox;
use crate::finder::{Progress, Rest, Resume};
use crate::search::document::{self, DocumentKind, MailReading, WindowDocument};
use crate::search::mail_context::MailContext;
use crate::search::memory_admission::{MemoryAdmission, admit};
use crate::search::source::buffer::{Buffer, Filled};
use crate::search::source::text_source::{SourceOffsets, TextSource};
use crate::search::state::SearchState;
use crate::search::stream::{STEP, TOO_LITTLE_MEMORY, ended, first_read, next_read};
use crate::search::{End, Flow, InputKind, ParallelSink};

/// The longest line before a message.
const ENVELOPE_MAX: usize = 8 << 10;

/// Searches a mailbox, from the start of a message at the current state.
pub(crate) struct MailboxSearch<'m, 's> {
    pub state: &'m mut SearchState<'s>,
    /// The current message, and the URIs that were reported from the messages before it.
    pub mail: MailContext,
    pub sink: &'m mut dyn ParallelSink,
    scratch: Scratch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MailboxMode {
    Messages,
    /// As text, up to the next message.
    Text,
}

#[derive(Clone, Copy)]
struct MailboxWindow<'w> {
    bytes: &'w [u8],
    offsets: &'w dyn SourceOffsets,
    rest: Rest,
}

/// Searches consecutive messages, each as a document. A message too large for that is searched as
/// text.
pub(crate) fn search(
    text: (&mut Buffer, &mut impl TextSource),
    kind: InputKind,
    state: &mut SearchState<'_>,
    sink: &mut dyn ParallelSink,
) -> End {
    let searched = MailboxSearch::new(state, sink).search_until(text, kind, u64::MAX);
    searched.unwrap_or(End::Complete)
}

impl<'m, 's> MailboxSearch<'m, 's> {
    pub fn new(state: &'m mut SearchState<'s>, sink: &'m mut dyn ParallelSink) -> Self {
        Self {
            mail: MailContext::new(
                state.query.dedupe,
                sink.needs(state.input.level()).part_numbers,
            ),
            scratch: Scratch::default(),
            state,
            sink,
        }
    }

    /// Searches up to the first message that starts after the byte `until` of the input. Returns
    /// `None` if there is one.
    pub fn search_until(
        &mut self,
        (buffer, text): (&mut Buffer, &mut impl TextSource),
        kind: InputKind,
        until: u64,
    ) -> Option<End> {
        let mut mode = MailboxMode::Messages;
        let mut cursor = mbox::Cursor::default();
        let (mut enough, mut room) = first_read(kind, STEP);
        loop {
            let filled = buffer.fill(text, enough, room);
            let rest = match filled {
                Ok(Filled::More) => Rest::More,
                _ => Rest::End,
            };
            loop {
                let window = MailboxWindow { bytes: buffer.window(), offsets: text, rest };
                let before = mode;
                let flow;
                (mode, flow) = match mode {
                    MailboxMode::Messages => self.search_messages(window, &mut cursor, until),
                    MailboxMode::Text => self.search_text(window),
                };
                if flow != Flow::Continue {
                    return Some(End::Stopped);
                }
                self.state.report_searched_lines(window.bytes, text, self.sink);
                let consumed = self.state.advance(window.bytes, text);
                buffer.consume(consumed);
                text.forget(self.state.base);
                if mode == MailboxMode::Messages && self.state.base > until {
                    return None;
                }
                match mode {
                    MailboxMode::Messages if before == mode => cursor.drop(consumed),
                    // After text, the cursor's offsets refer to a window that no longer exists.
                    _ => cursor = mbox::Cursor::default(),
                }
                // No progress in this mode: more input is needed. A change of mode alone continues,
                // as the same bytes may be searchable in the other mode.
                if consumed == 0 && mode == before {
                    break;
                }
            }
            if let Some(end) = ended(filled, self.state, self.sink) {
                return Some(end);
            }
            let left = buffer.window().len();
            (enough, room) = next_read(kind, left, STEP);
            // Don't wait for a large read of the next message: a complete message is reported at
            // once. The cursor keeps its position, so nothing is scanned twice.
            if mode == MailboxMode::Messages && kind == InputKind::Stream {
                enough = left + 1;
            }
        }
    }

    /// Searches the complete messages of a window that start no later than `until`, up to one that
    /// is too large. Returns the mode for the text after them.
    fn search_messages(
        &mut self,
        window: MailboxWindow<'_>,
        cursor: &mut mbox::Cursor,
        until: u64,
    ) -> (MailboxMode, Flow) {
        let until = until.saturating_sub(self.state.base);
        let until = usize::try_from(until).unwrap_or(usize::MAX);
        let (mode, flow) = self.search_whole_messages(window, cursor, until);
        self.state.progress.consumed = cursor.from;
        let is_unfinished = mode == MailboxMode::Messages && cursor.from <= until;
        let largest = self.state.query.limits.message;
        // An unfinished message makes the window grow until it ends. Beyond the limit it is
        // searched as text, so that a file without a next message takes bounded memory.
        if is_unfinished && window.bytes.len() - cursor.from > largest {
            self.state.message_too_large();
            return (MailboxMode::Text, flow);
        }
        (mode, flow)
    }

    fn search_whole_messages(
        &mut self,
        window: MailboxWindow<'_>,
        cursor: &mut mbox::Cursor,
        until: usize,
    ) -> (MailboxMode, Flow) {
        while cursor.from <= until {
            let here = *cursor;
            let mbox::Next::Message(message) = cursor.next(window.bytes, window.rest) else {
                break;
            };
            let length = message.content.len();
            let is_too_large = length > self.state.query.limits.message;
            let admission = if is_too_large {
                MemoryAdmission::TooLittle
            } else {
                admit(MAIL, length, self.state, self.sink)
            };
            let flow = match admission {
                MemoryAdmission::Enough => {
                    let document = WindowDocument {
                        kind: DocumentKind::Message(message),
                        window: window.bytes,
                        offsets: window.offsets,
                    };
                    let reading = MailReading { mail: &mut self.mail, scratch: &mut self.scratch };
                    document::search_message(document, reading, self.state, self.sink)
                }
                MemoryAdmission::Stop(flow) => flow,
                MemoryAdmission::TooLittle => {
                    if is_too_large {
                        self.state.message_too_large()
                    } else {
                        self.state.limit_reached(TOO_LITTLE_MEMORY)
                    }
                    // The message is searched as text. Step back to its start, as the cursor has
                    // already passed it.
                    *cursor = here;
                    return (MailboxMode::Text, Flow::Continue);
                }
            };
            if flow != Flow::Continue {
                return (MailboxMode::Messages, flow);
            }
        }
        (MailboxMode::Messages, Flow::Continue)
    }

    /// Searches a window as text, up to the next message.
    fn search_text(&mut self, window: MailboxWindow<'_>) -> (MailboxMode, Flow) {
        let MailboxWindow { bytes, offsets, rest } = window;
        // From byte 1: the window starts at the message that is too large, and that start must not
        // be found again.
        let end = mbox::start(bytes, 1, rest);
        let text = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or(bytes);
        let is_all = end.is_some() || rest == Rest::End;
        let flow = if self.state.query.takes_text() {
            let rest = if is_all { Rest::End } else { Rest::More };
            self.state.search_window(text, rest, offsets, self.sink)
        } else {
            // The last bytes may be the start of the line that begins the next message.
            self.state.progress.consumed = text.len().saturating_sub(ENVELOPE_MAX);
            Flow::Continue
        };
        if !is_all {
            return (MailboxMode::Text, flow);
        }
        self.state.progress = Progress { consumed: text.len(), resume: Resume::default() };
        (MailboxMode::Messages, flow)
    }
}
