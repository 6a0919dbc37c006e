//! Mailboxes: messages that stand one after the other, each searched as a document.

use urigrep::container::document::mail::Scratch;
use urigrep::container::document::{Format, Role};
use urigrep::container::mbox;
use urigrep::{Progress, Resume};

use super::buffer::{Buffer, Filled};
use super::documents::{self, Room};
use super::messages::Messages;
use super::offsets::{Feed, Offsets};
use super::pass::Pass;
use super::query::Query;
use super::search::{End, STEP, TOO_LITTLE, ended, first, next};
use super::sink::{Flow, Sink};
use super::subject::{Delivery, Subject};

/// No line before a message is longer.
const ENVELOPE: usize = 8 << 10;

/// What is kept from one message to the next.
pub struct State {
    /// What was told of them.
    pub messages: Messages,
    scratch: Scratch,
}

impl State {
    /// No message has come.
    pub fn new(query: &Query, sink: &dyn Sink) -> Self {
        Self {
            messages: Messages::new(query.documents.repeats, sink.numbers()),
            scratch: Scratch::default(),
        }
    }
}

/// Searches messages that stand one after the other, each as a document; one that is too large for
/// that is searched as text.
pub fn search(
    text: (&mut Buffer, &mut impl Feed),
    delivery: Delivery,
    pass: &mut Pass<'_>,
    subject: &Subject,
    sink: &mut dyn Sink,
) -> End {
    let mut state = State::new(pass.query, sink);
    let searched = search_until(
        text,
        (delivery, u64::MAX),
        (&mut state, pass),
        subject,
        sink,
    );
    searched.unwrap_or(End::Complete)
}

/// The same from where the pass stands, which is where a message starts, up to the first one that starts behind
/// the byte `until` of the input; `None` when there is one.
pub fn search_until(
    (buffer, feed): (&mut Buffer, &mut impl Feed),
    (delivery, until): (Delivery, u64),
    (state, pass): (&mut State, &mut Pass<'_>),
    subject: &Subject,
    sink: &mut dyn Sink,
) -> Option<End> {
    let largest = pass.query.documents.message;
    let mut reading = Reading::Messages;
    let mut cursor = mbox::Cursor::default();
    let (mut enough, mut room) = first(delivery, STEP);
    loop {
        let filled = buffer.fill(feed, enough, room);
        let rest = match filled {
            Ok(Filled::More) => mbox::Rest::More,
            _ => mbox::Rest::End,
        };
        loop {
            let window = buffer.window();
            let before = reading;
            let flow = match reading {
                Reading::Messages => {
                    let until = until.saturating_sub(pass.base);
                    let until = usize::try_from(until).unwrap_or(usize::MAX);
                    let (next, flow) = each(
                        (window, feed),
                        (&mut cursor, rest, until),
                        (state, pass),
                        subject,
                        sink,
                    );
                    pass.progress.consumed = cursor.from;
                    reading = next;
                    let is_unfinished = reading == Reading::Messages && cursor.from <= until;
                    if is_unfinished && window.len() - cursor.from > largest {
                        pass.too_large();
                        reading = Reading::Text;
                    }
                    flow
                }
                Reading::Text => {
                    let end = mbox::start(window, 1, rest);
                    if end.is_some() || rest == mbox::Rest::End {
                        reading = Reading::Messages;
                    }
                    text((window, feed), end, rest, pass, sink)
                }
            };
            if flow != Flow::Continue {
                return Some(End::Stopped);
            }
            let consumed = pass.advance(window, feed);
            buffer.consume(consumed);
            feed.forget(pass.base);
            if reading == Reading::Messages && pass.base > until {
                return None;
            }
            match reading {
                Reading::Messages if before == reading => cursor.drop(consumed),
                _ => cursor = mbox::Cursor::default(),
            }
            if consumed == 0 && reading == before {
                break;
            }
        }
        if let Some(end) = ended(filled, sink) {
            return Some(end);
        }
        (enough, room) = next(delivery, buffer.window().len(), STEP);
    }
}

/// How what comes next in a mailbox is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Message by message.
    Messages,
    /// As text, up to the next message.
    Text,
}

/// Searches the messages that are whole in a window and start not behind `until`, up to one that is too large; says
/// how what comes next is read.
fn each(
    (window, offsets): (&[u8], &dyn Offsets),
    (cursor, rest, until): (&mut mbox::Cursor, mbox::Rest, usize),
    (state, pass): (&mut State, &mut Pass<'_>),
    subject: &Subject,
    sink: &mut dyn Sink,
) -> (Reading, Flow) {
    while cursor.from <= until {
        let here = *cursor;
        let mbox::Next::Message(message) = cursor.next(window, rest) else {
            break;
        };
        let bytes = window.get(message.content.range()).unwrap_or_default();
        let room = match bytes.len() > pass.query.documents.message {
            true => None,
            false => Some(documents::room(Format::Mail, bytes, sink)),
        };
        let flow = match room {
            Some(Room::Enough) => {
                let kept = (&mut state.messages, &mut state.scratch);
                documents::message(message, (window, offsets), subject, pass, kept, sink)
            }
            Some(Room::Stop(flow)) => flow,
            Some(Room::TooLittle) => {
                pass.reach(TOO_LITTLE);
                *cursor = here;
                return (Reading::Text, Flow::Continue);
            }
            None => {
                pass.too_large();
                *cursor = here;
                return (Reading::Text, Flow::Continue);
            }
        };
        if flow != Flow::Continue {
            return (Reading::Messages, flow);
        }
    }
    (Reading::Messages, Flow::Continue)
}

/// Searches a window, or as much of it as comes before `end`, as text.
fn text(
    (window, offsets): (&[u8], &dyn Offsets),
    end: Option<usize>,
    rest: mbox::Rest,
    pass: &mut Pass<'_>,
    sink: &mut dyn Sink,
) -> Flow {
    let text = window.get(..end.unwrap_or(window.len())).unwrap_or(window);
    let is_all = end.is_some() || rest == mbox::Rest::End;
    let flow = match pass.query.selection.takes_role(Role::Text) {
        true => pass.over(text, is_all, offsets, sink),
        false => {
            // the line of the next message may have begun
            pass.progress.consumed = text.len().saturating_sub(ENVELOPE);
            Flow::Continue
        }
    };
    if is_all {
        pass.progress = Progress {
            consumed: text.len(),
            resume: Resume::default(),
        };
    }
    flow
}
