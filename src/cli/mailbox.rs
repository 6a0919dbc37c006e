//! Mailboxes: messages that stand one after the other, each searched as a document.

use urigrep::container::document::mail::Scratch;
use urigrep::container::document::{Format, Role};
use urigrep::container::mbox;
use urigrep::{Progress, Resume};

use super::ahead::{self, Given, Way};
use super::buffer::{Buffer, Filled};
use super::documents::{self, Room};
use super::messages::Messages;
use super::offsets::{Feed, Offsets};
use super::pass::Pass;
use super::search::{End, Help, STEP, TOO_LITTLE, ended, first, next};
use super::sink::{Flow, Sink};
use super::subject::{Delivery, Subject};

/// What is found ahead waits in memory, so no more than this is searched so at a time, and what was left before.
const WINDOW: usize = 2 << 20;

/// No line before a message is longer.
const ENVELOPE: usize = 8 << 10;

/// Searches messages that stand one after the other, each as a document; one that is too large for
/// that is searched as text.
pub fn search(
    buffer: &mut Buffer,
    pass: &mut Pass<'_>,
    feed: &mut impl Feed,
    subject: &Subject,
    (delivery, mut help): (Delivery, Help<'_>),
    sink: &mut dyn Sink,
) -> End {
    let step = match help {
        Help::None => STEP,
        Help::Threads(pool, _) => ahead::block(pool).clamp(STEP, WINDOW),
    };
    let largest = pass.query.documents.message;
    let mut messages = Messages::new(pass.query.documents.repeats, sink.numbers());
    let mut reading = Reading::Messages;
    let mut cursor = mbox::Cursor::default();
    let mut scratch = Scratch::default();
    let (mut enough, mut room) = first(delivery, step);
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
                    let (next, flow) = each(
                        (window, feed),
                        (&mut cursor, rest, &mut help),
                        subject,
                        pass,
                        (&mut messages, &mut scratch),
                        sink,
                    );
                    pass.progress.consumed = cursor.from;
                    reading = next;
                    if window.len() - cursor.from > largest && reading == Reading::Messages {
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
                return End::Stopped;
            }
            let consumed = pass.advance(window, feed);
            buffer.consume(consumed);
            feed.forget(pass.base);
            match reading {
                Reading::Messages if before == reading => cursor.drop(consumed),
                _ => cursor = mbox::Cursor::default(),
            }
            if consumed == 0 && reading == before {
                break;
            }
        }
        if let Some(end) = ended(filled, sink) {
            return end;
        }
        (enough, room) = next(delivery, buffer.window().len(), step);
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

/// Searches the messages that are whole in a window, up to one that is too large; says how what comes next is read.
fn each(
    (window, offsets): (&[u8], &dyn Offsets),
    (cursor, rest, help): (&mut mbox::Cursor, mbox::Rest, &mut Help<'_>),
    subject: &Subject,
    pass: &mut Pass<'_>,
    (messages, scratch): (&mut Messages, &mut Scratch),
    sink: &mut dyn Sink,
) -> (Reading, Flow) {
    let mut all = Vec::new();
    let mut reading = Reading::Messages;
    loop {
        let here = *cursor;
        let mbox::Next::Message(message) = cursor.next(window, rest) else {
            break;
        };
        let bytes = window.get(message.content.range()).unwrap_or_default();
        if bytes.len() > pass.query.documents.message {
            pass.too_large();
            reading = Reading::Text;
        } else {
            match documents::room(Format::Mail, bytes, sink) {
                Room::Enough => {}
                Room::Stop(flow) => return (reading, flow),
                Room::TooLittle => {
                    pass.reach(TOO_LITTLE);
                    reading = Reading::Text;
                }
            }
        }
        if reading == Reading::Text {
            *cursor = here;
            break;
        }
        all.push(message);
    }
    let ahead = match *help {
        Help::Threads(pool, _) if ahead::pays(window) && window.len() <= WINDOW + WINDOW / 2 => {
            ahead::search(&all, window, pass.query, pool)
        }
        _ => Vec::new(),
    };
    let in_turn = |given: &&Given<'_>| matches!(given, Given::Message(Way::InTurn));
    // where most messages have to be decoded it only costs
    if ahead.iter().flatten().filter(in_turn).count() * 2 > all.len() {
        *help = Help::None;
    }
    let mut ahead = ahead.into_iter().flatten().peekable();
    for message in all {
        let place = (window, offsets);
        let flow = match ahead.next() {
            Some(Given::Message(Way::Ahead)) => {
                documents::message_ahead(&mut ahead, place, subject, pass, messages, sink)
            }
            _ => {
                let kept = (&mut *messages, &mut *scratch);
                documents::message(message, place, subject, pass, kept, sink)
            }
        };
        if flow != Flow::Continue {
            return (reading, flow);
        }
    }
    (reading, Flow::Continue)
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
