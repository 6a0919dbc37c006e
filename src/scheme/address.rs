//! Addresses, `user@host`: mailto (RFC 6068), sip and sips (RFC 3261), xmpp (RFC 5122),
//! acct (RFC 7565), im and pres (RFC 3860, RFC 3859).
//!
//! A spelled-out address, `mailto:joe at example.org`, is rejected as `obfuscated` (D1.6). Text
//! without an `@` is a word before a colon.

use super::syntax::{ByteCursor, alphanumeric, digit, dotted, placeholder, plain, word};
use super::{Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::Reason;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressScheme {
    Mailto,
    /// Also sips.
    Sip,
    Xmpp,
    Acct,
    /// Also pres.
    Im,
}

impl SchemeRecognizer for AddressScheme {
    fn may_start(&self, head: &[u8]) -> bool {
        let mut c = ByteCursor::new(head);
        // A placeholder is not an address, but it is meant as one: it must be rejected as a
        // template and not be dropped as a word.
        if *self == Self::Mailto && (placeholder(head) || header_field(&mut c)) {
            return true;
        }
        let user = c.run(|byte| self.user(byte));
        // Check the first character of the host. `user@` alone is not an address.
        let whole = !user.is_empty() && c.eat(b'@') && (c.at(host_start) || placeholder(c.rest()));
        whole
            || self.encoded_at(user)
            || spelled_out(head)
            || self.bare_host(&mut ByteCursor::new(head))
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let target = target.first_of_list();
        let body = target.body();
        let mut c = ByteCursor::new(body);
        if *self == Self::Mailto && header_field(&mut c) {
            return target.accept();
        }
        // The text after the URI continues the address, as in `joe@example dot org`. Half of it
        // would be a different address.
        if dot_follows(target.after()) {
            return target.reject(Reason::Obfuscated, &[]);
        }
        let rest = c;
        if self.address(&mut c) {
            // RFC 6068 separates addresses with a comma; authors also write a semicolon.
            while *self == Self::Mailto && (c.eat(b',') || c.eat(b';')) {
                if !self.address(&mut c) {
                    return target.broken(c.rest());
                }
            }
            if *self == Self::Mailto && is_size(c.rest()) {
                return target.before(c.rest());
            }
            return target.finish(c.rest(), self.tail());
        }
        if spelled_out(target.head()) {
            return target.reject(Reason::Obfuscated, &[]);
        }
        c = rest;
        if self.bare_host(&mut c) {
            target.finish(c.rest(), self.tail())
        } else {
            target.broken(rest.rest())
        }
    }
}

impl AddressScheme {
    /// True for a byte that may precede the `@`.
    fn user(self, byte: u8) -> bool {
        plain(byte)
            || match self {
                // RFC 6068: atext, and characters that authors leave unencoded in practice.
                Self::Mailto | Self::Im => b"!$'*+&=/".contains(&byte),
                // RFC 3261: unreserved, user-unreserved, and the `:` of a password.
                Self::Sip => b"!*'()&=+$,;?/:".contains(&byte),
                Self::Xmpp | Self::Acct => b"!$&'()*+,;=".contains(&byte),
            }
    }

    /// Returns the bytes that may follow the address.
    fn tail(self) -> &'static [u8] {
        match self {
            Self::Mailto => b"?#",
            Self::Sip => b";?",
            Self::Xmpp => b"/?#",
            Self::Acct => b"",
            Self::Im => b"?",
        }
    }

    /// Reads `user@host`; for mailto also with an encoded `@`, for sip with a port.
    fn address(self, c: &mut ByteCursor<'_>) -> bool {
        let user = c.run(|byte| self.user(byte));
        if !c.eat(b'@') {
            return self.encoded_at(user);
        }
        !user.is_empty() && host(c) && self.port(c)
    }

    fn encoded_at(self, user: &[u8]) -> bool {
        // The encoded `@` must not be the first character: the user part is not empty.
        self == Self::Mailto && user.windows(3).skip(1).any(|triplet| triplet == b"%40")
    }

    /// Reads a host alone, which is an address of sip and xmpp: a dotted name whose last label is a
    /// word, or four numbers. A single label is a word after a colon.
    fn bare_host(self, c: &mut ByteCursor<'_>) -> bool {
        if !matches!(self, Self::Sip | Self::Xmpp) {
            return false;
        }
        // An address of IPv6 has two colons at least.
        if c.at(|byte| byte == b'[') {
            let literal = *c;
            let is_literal = self == Self::Sip && host(c);
            let length = literal.rest().len() - c.rest().len();
            let text = literal.rest().get(..length).unwrap_or_default();
            let colons = text.iter().filter(|&&byte| byte == b':').count();
            return is_literal && colons > 1 && self.port(c);
        }
        let name = c.run(|byte| alphanumeric(byte) || byte == b'-' || byte == b'.');
        let name = name.strip_suffix(b".").unwrap_or(name);
        let top = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
        let numbers = || {
            name.split(|&byte| byte == b'.').filter(|part| part.iter().all(|&b| digit(b))).count()
        };
        dotted(name)
            && (top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic) || numbers() == 4)
            && self.port(c)
            // These would continue code or another address.
            && !c.at(|byte| b"(=[@".contains(&byte))
    }

    fn port(self, c: &mut ByteCursor<'_>) -> bool {
        self != Self::Sip || !c.eat(b':') || !c.run(digit).is_empty()
    }
}

/// True for the largest size of a report, `!10m` (RFC 7489 §6.2), which is not part of the URI.
fn is_size(rest: &[u8]) -> bool {
    let mut c = ByteCursor::new(rest);
    c.eat(b'!') && !c.run(digit).is_empty() && {
        c.run(|byte| b"kmgt".contains(&byte));
        c.is_done() || c.at(|byte| byte == b',')
    }
}

/// Reads RFC 6068 hfields without an address: `?to=…`.
fn header_field(c: &mut ByteCursor<'_>) -> bool {
    let mut field = *c;
    field.eat(b'?') && !field.run(plain).is_empty() && field.eat(b'=')
}

fn host_start(byte: u8) -> bool {
    word(byte) || byte == b'[' || byte == b'%'
}

/// Reads a name, or an address literal in brackets.
fn host(c: &mut ByteCursor<'_>) -> bool {
    if c.eat(b'[') {
        !c.run(|byte| plain(byte) || byte == b':').is_empty() && c.eat(b']')
    } else {
        c.at(host_start) && !c.run(plain).is_empty()
    }
}

/// True for an obfuscated address (D1.6): `joe at example.org`, `joe (at) example.org`,
/// `joe[at]example.org`, `joe @ example.org`.
pub(super) fn spelled_out(text: &[u8]) -> bool {
    let mut c = ByteCursor::new(text);
    let name = c.run(|byte| plain(byte) || byte == b'+');
    !name.is_empty() && apart(&mut c, &[b"at", b"@"]) && c.at(word)
}

/// True if the host continues after an obfuscated dot: `joe@example dot org`, `joe@example[.]org`.
fn dot_follows(after: &[u8]) -> bool {
    let mut c = ByteCursor::new(after);
    apart(&mut c, &[b"dot", b"."]) && c.at(word)
}

/// Reads one of the words with white space or a bracket on either side.
fn apart(c: &mut ByteCursor<'_>, words: &[&[u8]]) -> bool {
    let before = c.run(|byte| b" \t([{<".contains(&byte));
    let found = words.iter().any(|word| c.eat_word(word));
    let behind = c.run(|byte| b" \t)]}>".contains(&byte));
    !before.is_empty() && found && !behind.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_out_addresses() {
        #[rustfmt::skip]
        let texts = [
            "joe at example.org", "joe AT x", "joe (at) x", "joe[at]x", "r-help @ stat",
            "a.b <at> c",
        ];
        for text in texts {
            assert!(spelled_out(text.as_bytes()), "{text}");
        }
        #[rustfmt::skip]
        let texts = [
            "joe", "joe attends", "joe at", "at once", "joe at, x", " at x", "joe@x at y",
        ];
        for text in texts {
            assert!(!spelled_out(text.as_bytes()), "{text}");
        }
        assert!(dot_follows(b" dot org") && dot_follows(b"[.]org") && dot_follows(b"(dot)org"));
        assert!(!dot_follows(b". Or") && !dot_follows(b" dots") && !dot_follows(b""));
    }
}
