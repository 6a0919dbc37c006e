//! `urn:` in running text: RFC 8141 by the grammar, with D6 for its `?` and D1.6 for its cut
//! numbers; and the older URNs, which end before the first character that their documents exclude.

use super::syntax::{
    ByteCursor, alphanumeric, digit, digits_follow, has_placeholder, placeholder, soft,
};
use super::{Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::Reason;
use crate::grammar::Urn;
use crate::grammar::rfc2141::UrnDialect;
use crate::slice::SliceExt;

pub(super) struct UrnNamestring;

impl SchemeRecognizer for UrnNamestring {
    /// D6: any text directly after the colon is meant as a NID, and rejected if it is not one.
    fn may_start(&self, head: &[u8]) -> bool {
        placeholder(head)
            || ByteCursor::new(head).at(|byte| alphanumeric(byte) || b"-_:%".contains(&byte))
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let target = before_question(&target.first_of_list());
        let text = target.text.part(..target.end);
        let Ok(text) = core::str::from_utf8(text) else {
            return target.reject(Reason::NonAscii, &[]);
        };
        match Urn::parse(text) {
            Ok(_) if is_cut(&target) => target.reject(Reason::Cut, &[]),
            Ok(_) => target.accept(),
            // A placeholder explains the fault better than its syntax does.
            Err(_) if has_placeholder(target.body()) => target.broken(&[]),
            Err(error) => Recognition::Reject { reason: error.kind().into(), at: error.offset() },
        }
    }
}

/// A URN by a document before RFC 8141.
pub(super) struct OlderUrn(pub(super) UrnDialect);

impl SchemeRecognizer for OlderUrn {
    fn may_start(&self, head: &[u8]) -> bool {
        UrnNamestring.may_start(head)
    }

    /// rfc2141bis-01 §2.3.3: "the NSS part ends when an octet/character from the excluded character
    /// set is encountered".
    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let whole = target.first_of_list();
        let text = whole.text.part(..whole.end);
        let end = self.0.end_in_text(text);
        let target = SchemeTarget { end, ..whole };
        match self.0.check(text.part(..end)) {
            _ if has_placeholder(whole.body()) => whole.broken(&[]),
            Ok(()) if is_cut(&target) => target.reject(Reason::Cut, &[]),
            Ok(()) => target.accept(),
            Err(error) => Recognition::Reject { reason: error.kind().into(), at: error.offset() },
        }
    }
}

/// D6: a `?` that opens neither an r- nor a q-component ends the URN if soft text follows.
fn before_question<'t>(target: &SchemeTarget<'t>) -> SchemeTarget<'t> {
    let body = target.body();
    let mut c = ByteCursor::new(body);
    let name = c.run(|byte| byte != b'?' && byte != b'#');
    if !c.eat(b'?') || !(c.is_done() || c.at(soft)) {
        return *target;
    }
    // The text before the `?` may itself end in punctuation.
    let length = name.iter().rposition(|&byte| !soft(byte)).map_or(0, |last| last + 1);
    SchemeTarget { end: target.colon + 1 + length, ..*target }
}

/// True for `urn:isbn:0 395 36341 1`: a number that is too short for its namespace, followed by
/// digits.
fn is_cut(target: &SchemeTarget<'_>) -> bool {
    let mut c = ByteCursor::new(target.body());
    let digits = match c.run(|byte| byte != b':') {
        nid if nid.eq_ignore_ascii_case(b"isbn") => 10,
        nid if nid.eq_ignore_ascii_case(b"issn") => 8,
        _ => return false,
    };
    c.rest().iter().filter(|&&byte| digit(byte)).count() < digits && digits_follow(target.after())
}
