//! Messages and groups of them: news and nntp (RFC 5538), mid and cid (RFC 2392), matrix.
//!
//! A message or content identifier is recognized by its `@`, a newsgroup by its dots, and a Matrix
//! identifier by the letter of its kind and a `/`.

use super::address::spelled_out;
use super::syntax::{ByteCursor, SchemeShape, plain, solid, word};
use super::{Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::Reason;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageScheme {
    /// Also nntp.
    News,
    Mid,
    Cid,
}

/// `u/user:host`, `r/room:host`, `roomid/id:host`, each perhaps followed by `/e/event` (the Matrix
/// specification, appendix "matrix: URI scheme").
pub(super) static MATRIX: SchemeShape = SchemeShape::new(matrix, matrix).tail(b"/?#");

/// Reads a kind, a name and its server.
fn matrix(c: &mut ByteCursor<'_>) -> bool {
    let kind =
        [&b"u/"[..], b"user/", b"r/", b"room/", b"roomid/"].iter().any(|kind| c.eat_word(kind));
    let name = |byte| plain(byte) || b"!$&'*+=".contains(&byte);
    kind && !c.run(name).is_empty()
        && c.eat(b':')
        && !c.run(|byte| name(byte) || byte == b':').is_empty()
}

impl SchemeRecognizer for MessageScheme {
    fn may_start(&self, head: &[u8]) -> bool {
        let mut c = ByteCursor::new(head);
        if identifier(&mut c) {
            return true;
        }
        c = ByteCursor::new(head);
        // Code has dotted names after a colon, too, as in `news:a.b(c)`. Reject what only code
        // continues with.
        *self == Self::News && group(&mut c) && !is_code(c) || hidden(head)
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let target = target.first_of_list();
        let mut c = ByteCursor::new(target.body());
        if !identifier(&mut c) {
            if hidden(target.head()) {
                return target.reject(Reason::Obfuscated, &[]);
            }
            c = ByteCursor::new(target.body());
            if *self != Self::News || !group(&mut c) {
                return target.broken(c.rest());
            }
        }
        // RFC 2392: a message, and one of its body parts.
        if *self == Self::Mid && c.eat(b'/') && !identifier(&mut c) {
            return target.broken(c.rest());
        }
        target.finish(c.rest(), b"")
    }
}

/// Reads id-left `@` id-right; RFC 5538 §2.2 and RFC 2392 require percent-encoding for other
/// characters.
fn identifier(c: &mut ByteCursor<'_>) -> bool {
    let side = |byte| plain(byte) || b"!$&'*+=".contains(&byte);
    let left = c.run(side);
    if left.is_empty() || !c.eat(b'@') {
        return false;
    }
    if c.eat(b'[') {
        !c.run(|byte| plain(byte) || byte == b':').is_empty() && c.eat(b']')
    } else {
        !c.run(side).is_empty()
    }
}

/// Reads an RFC 5536 newsgroup-name: components with dots between them, the last of which may be
/// `*`. The first one must be lower case, as in all hierarchies.
fn group(c: &mut ByteCursor<'_>) -> bool {
    let first =
        c.run(|byte| byte.is_ascii_lowercase() || b"+-_".contains(&byte) || byte.is_ascii_digit());
    if !first.first().is_some_and(u8::is_ascii_lowercase) {
        return false;
    }
    let mut components = 1;
    loop {
        let mut next = *c;
        let found = next.eat(b'.')
            && (!next.run(|byte| word(byte) || byte == b'+' || byte == b'-').is_empty()
                || next.eat(b'*'));
        if !found {
            // A single component is a word after a colon.
            return components > 1;
        }
        components += 1;
        *c = next;
    }
}

/// True for text that follows dotted names in code, but not in a sentence.
fn is_code(mut c: ByteCursor<'_>) -> bool {
    let assigned = c.rest().starts_with(b"=") && c.rest().get(1).is_some_and(|&byte| solid(byte));
    assigned
        || c.at(|byte| b"([".contains(&byte))
        || c.eat(b':') && c.at(|byte| word(byte) || byte == b':')
}

/// True for a message identifier as list archives print it, `87abc.fsf at example.org`. A sentence
/// has no dot after its `at`.
fn hidden(text: &[u8]) -> bool {
    let mut c = ByteCursor::new(text);
    c.run(|byte| byte != b' ' && byte != b'\n');
    c.run(|byte| byte == b' ');
    c.eat_word(b"at ")
        && c.run(|byte| word(byte) || byte == b'-').len() > 1
        && c.eat(b'.')
        && c.at(word)
        && spelled_out(text)
}
