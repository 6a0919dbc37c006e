//! Whether a dot may be that of a host without scheme (D7): most dotted words are file names, numbers and code, and
//! their last label says so.

use crate::byte_table::{ByteTable, byte_table};
use crate::chunk::is_alphanumeric;
use crate::registry;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// How far behind a dot a name is looked at; for a longer one all the rules decide.
const LONGEST: usize = 96;

/// What precedes names that are a part of something longer: an address, a variable, a fragment.
pub(crate) const SIGNS: [u8; 5] = *b"@$%#}";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameByte {
    /// `ALPHA / DIGIT / "-"`
    Label,
    Dot,
    End,
    /// Above ASCII.
    Other,
}

static KIND: ByteTable<NameByte> = byte_table!(byte => match byte {
    b'.' => NameByte::Dot,
    b'-' => NameByte::Label,
    _ if is_alphanumeric(byte) => NameByte::Label,
    0x80.. => NameByte::Other,
    _ => NameByte::End,
});

/// The name around the last dot that was looked at: from that dot to its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DottedName {
    first_dot: usize,
    end: usize,
}

impl DottedName {
    /// False when no rule starts a host at the dot between two labels at `dot`, whatever follows `haystack`: it is not the
    /// first dot of its name, or the name has no top-level domain and no `www`.
    #[inline]
    pub fn may_start(&mut self, haystack: &[u8], dot: usize) -> bool {
        if self.first_dot < dot && dot < self.end {
            return false;
        }
        let (before, after) = (haystack.part(..dot), haystack.part(dot + 1..));
        let Some((end, last)) = last_label(after.clamped(..LONGEST)) else {
            *self = Self { first_dot: dot, end: dot + 1 };
            return true;
        };
        *self = Self { first_dot: dot, end: dot + 1 + end };
        (registry::may_be_tld(last) || ends_www(before)) && !is_behind_sign(before)
    }
}

/// The end of the name in which the dot before `after` is, and its last label; `None` where it may go on or text of
/// another script touches it.
#[inline(always)]
fn last_label(after: &[u8]) -> Option<(usize, &[u8])> {
    let mut start = 0;
    for (at, &byte) in after.iter().enumerate() {
        match KIND.of(byte) {
            NameByte::Label => {}
            NameByte::Dot => match KIND.of(*after.get(at + 1)?) {
                NameByte::Label => start = at + 1,
                NameByte::Other => return None,
                _ => return Some((at, after.part(start..at))),
            },
            NameByte::End => {
                work_counter::add(at);
                return Some((at, after.part(start..at)));
            }
            NameByte::Other => return None,
        }
    }
    None
}

/// A name behind one of [`SIGNS`] is a part of something longer (D7).
fn is_behind_sign(before: &[u8]) -> bool {
    let label =
        before.tail(LONGEST).trailing(|byte| KIND.of(byte) == NameByte::Label || byte == b'_');
    before.part(..before.len() - label).last().is_some_and(|byte| SIGNS.contains(byte))
}

/// `www` and `www2` (D7).
fn ends_www(before: &[u8]) -> bool {
    let digit = usize::from(before.last().is_some_and(u8::is_ascii_digit));
    before.part(..before.len() - digit).tail(3).eq_ignore_ascii_case(b"www")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_start(text: &str) -> bool {
        let dot = text.find('.').unwrap();
        DottedName::default().may_start(text.as_bytes(), dot)
    }

    #[test]
    fn last_labels() {
        for text in
            ["a.com ", "a.b.COM, ", "a.com. ", "www.x ", "WWW2.x ", "a.com", "a.x", "a.x吧 "]
        {
            assert!(may_start(text), "{text}");
        }
        for text in ["main.c ", "0.05, ", "a.com.txt ", "a.x_", "a.b.c. ", "a.com- "] {
            assert!(!may_start(text), "{text}");
        }
        assert!(may_start("a.com..x ") && may_start("a.xn--p1ai ") && may_start("a.xn--x "));
    }

    #[test]
    fn a_name_is_looked_at_once() {
        let text = b"a.b.com c.d.com ";
        let mut name = DottedName::default();
        let found = [1, 3, 9, 11].map(|dot| name.may_start(text, dot));
        assert_eq!(found, [true, false, true, false]);
        assert!(DottedName::default().may_start(text, 3));
        // the search may come back to it
        assert!(name.may_start(text, 9));
    }
}
