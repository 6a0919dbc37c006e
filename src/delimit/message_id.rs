//! Recognizes message identifiers, which look like mail addresses in `<…>` (D7, RFC 5322 §3.6.4).
//!
//! Either a header field announces them, or they have a shape that mail programs generate.

use crate::chunk::{is_alphanumeric, run, run_back};
use crate::scan::message_field;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Bytes before an identifier that are searched for its field. Identifiers further down the field
/// are not recognized by it.
const LOOKBACK: usize = 1024;
/// Longest side of an identifier.
// RFC 5321 §4.5.3.1.2: the longest domain. Generated local parts stay below it as well.
const MAX_LENGTH: usize = 255;
/// Most lines of a folded field that are read.
const MAX_LINES: usize = 16;

/// Domains that occur only in message identifiers.
#[rustfmt::skip]
const DOMAINS: [&[u8]; 4] = [
    b"mail.gmail.com", b"phx.gbl", b".prod.outlook.com", b".prod.exchangelabs.com",
];

/// True if the text in `<…>`, with its `@` at `haystack[at]`, names a message.
pub(super) fn names_message(haystack: &[u8], at: usize) -> bool {
    let after = haystack.part(at + 1..).clamped(..MAX_LENGTH);
    let (domain, after) = after.split_at(run(after, in_domain));
    // The cheapest test comes first: addresses outside of `<…>` fail here.
    if after.first() != Some(&b'>') {
        return false;
    }
    let before = haystack.part(at.saturating_sub(LOOKBACK)..at);
    let (before, local) =
        before.split_at(before.len() - run_back(before.tail(MAX_LENGTH), in_local));
    work_counter::add(domain.len() + local.len());
    if before.last() != Some(&b'<') {
        return false;
    }
    match field_before(before) {
        Some(name) => message_field::holds_identifiers(name),
        None => is_generated(local, domain),
    }
}

/// Allows more characters than the local part of an address does.
#[inline(always)]
fn in_local(byte: u8) -> bool {
    let graphic = byte.wrapping_sub(b'!') <= b'~' - b'!';
    graphic & (byte != b'<') & (byte != b'>') & (byte != b'"')
}

#[inline(always)]
fn in_domain(byte: u8) -> bool {
    is_alphanumeric(byte) | (byte == b'.') | (byte == b'-') | (byte >= 0x80)
}

/// Returns the name of the header field whose value `text` ends in. The field may be quoted or
/// folded.
fn field_before(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    for _ in 0..MAX_LINES {
        // Most identifiers are near the start of their line, so this backward search is short.
        let start = rest.len() - run_back(rest, |byte| byte != b'\n');
        let line = rest.part(start..);
        work_counter::add(line.len());
        let inside = line.part(line.leading(|b| b">| \t".contains(&b))..);
        let name = inside.part(..run(inside, |byte| is_alphanumeric(byte) | (byte == b'-')));
        if !name.is_empty() && inside.get(name.len()) == Some(&b':') {
            return Some(name);
        }
        let quote = line.part(..line.len() - inside.len());
        // A continuation line starts with white space. After the marks of a quotation, one space
        // belongs to the quotation, so a tab or two spaces are needed.
        let is_folded = matches!(quote, [.., b'\t'] | [b' ', ..] | [.., b' ', b' ']);
        if !is_folded || start == 0 {
            return None;
        }
        rest = rest.part(..start - 1);
    }
    None
}

/// True for a shape that people do not choose for addresses. `+` and `=` are excluded: lists and
/// services use them in addresses that are as long.
fn is_generated(local: &[u8], domain: &[u8]) -> bool {
    if DOMAINS.iter().any(|known| domain.ends_with_ignore_case(known)) {
        return true;
    }
    if local.iter().any(|&b| matches!(b, b'+' | b'=')) {
        return false;
    }
    let is_program = local.starts_with(b"Pine.")
        || local.starts_with(b"alpine.")
        // Gnus puts `.fsf` after a number in base 36. A short name before it may be a person's:
        // `jo.fsf`.
        || crate::memmem::find(local, b".fsf").is_some_and(|at| at > 4);
    is_program || is_uuid(local) || is_timestamp(local) || has_numbers(local) || is_mixed(local)
}

fn is_uuid(local: &[u8]) -> bool {
    let lengths = local.split(|&b| b == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12]) && local.iter().all(|&b| b.is_ascii_hexdigit() || b == b'-')
}

/// `20050731220710.GA1234`: a date and time to the second, then more.
fn is_timestamp(local: &[u8]) -> bool {
    let digits = local.leading(|b| b.is_ascii_digit());
    // Fourteen digits are a time to the second. Without more after them they may be a telephone
    // number as an address.
    digits >= 14 && digits < local.len()
}

/// `42ED4B8E.1090504`, `1122392445.42e6597dcfeed`: at least two long numbers.
fn has_numbers(local: &[u8]) -> bool {
    let number = |part: &&[u8]| {
        part.len() > 5
            && part.iter().all(u8::is_ascii_hexdigit)
            && part.iter().filter(|b| b.is_ascii_digit()).count() > 2
    };
    local.split(|&b| matches!(b, b'.' | b'-')).filter(number).count() > 1
}

/// `p0611040fbe09be51ff30`: alternating letters and digits.
fn is_mixed(local: &[u8]) -> bool {
    let turns = local.windows(2).filter(|pair| match pair {
        [a, b] => {
            a.is_ascii_digit() && b.is_ascii_alphabetic()
                || a.is_ascii_alphabetic() && b.is_ascii_digit()
        }
        _ => false,
    });
    // `x1y2z3` and `jo1970` are names that people choose.
    local.len() > 15 && turns.count() > 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::Kernel;
    use proptest::prelude::*;

    proptest! {
        /// An `@` that the vector kernels refuse must name a message by the full rules.
        #[test]
        fn fields_are_those_of_the_rules(text in "(Message-ID: |References: |In-Reply-To:|X-Msgid: <|\n|\t|>| |<|\"|a{0,70}|@|\\.|é|b-c){0,30}") {
            let text = text.as_bytes();
            for at in memchr::memchr_iter(b'@', text) {
                if message_field::is_near(text, at, &Kernel::Auto.loops()) {
                    prop_assert!(names_message(text, at), "{at}");
                }
            }
        }
    }

    #[test]
    fn near_fields() {
        let loops = Kernel::Auto.loops();
        for (text, is_near) in [
            ("a\nMessage-ID: <a.b@c.example>", true),
            ("a\nReferences: <a@b> <a@c.example>", true),
            ("a\nTo: <a@c.example>", false),
            ("a\nMessage-ID: <a@c.example", false),
            ("a\n\t<a@c.example>", false),
        ] {
            let at = memchr::memrchr(b'@', text.as_bytes()).unwrap();
            let found = message_field::is_near(text.as_bytes(), at, &loops);
            assert_eq!(found, is_near && loops.field.is_some(), "{text}");
        }
    }

    #[test]
    fn shapes() {
        #[rustfmt::skip]
        let ids = [
            "42ED4B8E.1090504", "20050731220710.GA1234", "87fyu1abc2.fsf", "Pine.LNX.4.44.0508011",
            "p0611040fbe09be51ff30", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "1122392445.42e6597dcfeed", "OF1A2B3C4D.12345678-ON85257",
        ];
        for id in ids {
            assert!(is_generated(id.as_bytes(), b"a.example"), "{id}");
        }
        #[rustfmt::skip]
        let addresses = [
            "jo", "jo.bloggs", "13800138000", "jo1970", "bounces+12345678-ab12-cd34ef@x",
            "reply+a1b2c3d4e5f6a7b8c9", "team-2024-05", "x1y2z3", "jo.fsf",
        ];
        for address in addresses {
            assert!(!is_generated(address.as_bytes(), b"a.example"), "{address}");
        }
        assert!(is_generated(b"CAF+abc=x_Y-z", b"mail.gmail.com"));
    }

    #[test]
    fn fields() {
        let field = |text: &str| {
            field_before(text.as_bytes()).map(|name| String::from_utf8_lossy(name).into_owned())
        };
        assert_eq!(field("Message-ID: <").as_deref(), Some("Message-ID"));
        assert_eq!(field("a\nReferences: <x@y>\n\t<").as_deref(), Some("References"));
        assert_eq!(field("> References: <x@y>\r\n>   <").as_deref(), Some("References"));
        assert_eq!(field("From: Jo\n <").as_deref(), Some("From"));
        assert_eq!(field("References: x\n\nsee <"), None);
        assert_eq!(field("he wrote in <"), None);
    }
}
