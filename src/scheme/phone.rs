//! Telephone numbers: tel (RFC 3966), sms (RFC 5724), fax (RFC 2806) and callto.
//!
//! Authors write local numbers of three digits or more, so `phone-context` is not required. A
//! number that continues after a space, or ends in a hyphen, is rejected as `cut` (D1.6).

use super::syntax::{ByteCursor, alphanumeric, digit, digits_follow, placeholder};
use super::{Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::Reason;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PhoneScheme {
    /// Also fax and callto.
    Tel,
    Sms,
}

/// A shorter number is not a telephone number.
const DIGITS: usize = 3;

impl SchemeRecognizer for PhoneScheme {
    fn may_start(&self, head: &[u8]) -> bool {
        let mut c = ByteCursor::new(head);
        if placeholder(head) || self.is_body_only(head) {
            return true;
        }
        // Count digits across spaces, so that a number written with spaces is recognized and then
        // rejected.
        let mut digits = number(&mut c);
        while digits < DIGITS && digits > 0 && digits_follow(c.rest()) {
            c.run(|byte| !digit(byte));
            digits += number(&mut c);
        }
        digits >= DIGITS
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let target = target.first_of_list();
        let body = target.body();
        if self.is_body_only(body) {
            return target.accept();
        }
        let mut c = ByteCursor::new(body);
        let mut digits = number(&mut c);
        // RFC 5724 allows several recipients, separated by commas.
        while *self == Self::Sms && digits >= DIGITS && c.eat(b',') {
            digits = number(&mut c);
        }
        // A part of a telephone number is a different number, so a cut one is rejected.
        if digits_follow(target.after()) || body.ends_with(b"-") || continues(c.rest()) {
            return target.reject(Reason::Cut, c.rest());
        }
        if digits < DIGITS {
            return target.broken(c.rest());
        }
        // The next field of a MECARD is not a parameter: `TEL:+123;EMAIL:…;;`.
        if starts_field(c.rest()) {
            return target.finish(c.rest(), b"");
        }
        target.finish(c.rest(), self.tail())
    }
}

/// True for `;;` and `;NAME:`, which RFC 3966 has in no parameter.
fn starts_field(rest: &[u8]) -> bool {
    let mut c = ByteCursor::new(rest);
    c.eat(b';') && (c.at(|byte| byte == b';') || !c.run(alphanumeric).is_empty() && c.eat(b':'))
}

impl PhoneScheme {
    /// The parameters of RFC 3966, or the sms-fields of RFC 5724.
    fn tail(self) -> &'static [u8] {
        match self {
            Self::Tel => b";",
            Self::Sms => b";?",
        }
    }

    /// True for `sms:?body=hello`, which leaves the recipient to the reader.
    fn is_body_only(self, text: &[u8]) -> bool {
        self == Self::Sms && ByteCursor::new(text).eat_word(b"?body=")
    }
}

/// Reads digits, visual separators, `*`, `#` and percent-encoded characters, and counts the digits.
fn number(c: &mut ByteCursor<'_>) -> usize {
    let mut digits = 0;
    c.eat(b'+');
    loop {
        let run = c.run(digit).len();
        digits += run;
        let separators = c.run(|byte| b"-.()*#".contains(&byte)).len();
        if run + separators == 0 && !c.eat_triplet() {
            return digits;
        }
    }
}

/// True for `,` and digits: a pause and the digits dialled after it, which no RFC defines.
fn continues(rest: &[u8]) -> bool {
    let mut c = ByteCursor::new(rest);
    !c.run(|byte| byte == b',').is_empty() && c.at(digit)
}
