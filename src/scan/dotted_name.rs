//! Decides whether a dot may belong to a host without a scheme (D7). Most dotted words are file
//! names, numbers, and code, which their last label shows.

use core::ops::Range;

use super::kernel::KernelLoops;
use crate::byte_table::{ByteTable, byte_table};
use crate::chunk::{is_alphanumeric, run_back};
use crate::registry;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Maximum length of a local part with ` at ` after it. RFC 5321 allows 64 bytes.
const MAX_LOCAL_PART_BYTES: usize = 80;

/// Most bytes around a dot that are read; the full rules decide about longer names. One less than a
/// vector.
pub(super) const MAX_LENGTH: usize = 63;

/// Signs before a name that make it part of something longer: an address, a variable, a fragment.
/// Only `git@` before a host starts a repository (D7).
pub(crate) const SIGNS: [u8; 5] = *b"@$%#}";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameByte {
    Alphanumeric,
    Hyphen,
    Dot,
    /// A byte above ASCII.
    Other,
    Outside,
}

static KIND: ByteTable<NameByte> = byte_table!(byte => match byte {
    b'.' => NameByte::Dot,
    b'-' => NameByte::Hyphen,
    _ if is_alphanumeric(byte) => NameByte::Alphanumeric,
    0x80.. => NameByte::Other,
    _ => NameByte::Outside,
});

/// True for an ASCII byte of a label.
pub(super) const fn is_label(byte: u8) -> bool {
    is_alphanumeric(byte) | (byte == b'-')
}

/// True if a dot next to this byte may be between labels.
fn is_edge(byte: Option<&u8>) -> bool {
    byte.is_some_and(|&byte| matches!(KIND.get(byte), NameByte::Alphanumeric | NameByte::Other))
}

/// The last name examined, from its first dot to its end. Remembered so that its other dots are
/// refused without reading it again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DottedName {
    first_dot: usize,
    end: usize,
}

impl DottedName {
    /// Returns false if no rule starts a host at the dot between two labels at `dot`, whatever
    /// follows `haystack`. Either it is not the first dot of its name, or the name has neither a
    /// top-level domain nor `www`.
    #[inline]
    pub fn may_start(&mut self, haystack: &[u8], dot: usize, loops: &KernelLoops) -> bool {
        if self.first_dot < dot && dot < self.end {
            return false;
        }
        let (before, after) = (haystack.part(..dot), haystack.part(dot + 1..));
        // Not all of the name is visible, so only the text before it can rule it out.
        let Some(last) = (loops.last_label)(after) else {
            return may_follow(before);
        };
        *self = Self { first_dot: dot, end: dot + 1 + last.end };
        let has_tld = registry::may_start_with_tld(after.part(last.start..), last.len());
        let is_known = has_tld
            || ends_www(before)
            || may_be_address(after.part(last.start..).first(), after.get(last.end));
        is_known && may_follow(before)
    }
}

/// D7: true if a name may be an IPv4 address with a port or a path, given the first byte of its
/// last label and the byte after it.
#[inline]
pub(super) fn may_be_address(first: Option<&u8>, after: Option<&u8>) -> bool {
    first.is_some_and(u8::is_ascii_digit) & matches!(after, Some(b':' | b'/'))
}

/// Returns the last label of the name that continues in `after`, after a dot. `None` if the name
/// is too long or text of another script touches it.
pub(super) fn last_label(after: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    for (at, &byte) in after.clamped(..MAX_LENGTH).iter().enumerate() {
        let ends = match KIND.get(byte) {
            NameByte::Alphanumeric | NameByte::Hyphen => false,
            NameByte::Other => return None,
            NameByte::Outside => true,
            NameByte::Dot => {
                !is_edge(after.part(..at).last()) || !is_edge(Some(after.get(at + 1)?))
            }
        };
        if ends {
            work_counter::add(at);
            return Some(start..at);
        }
        if byte == b'.' {
            start = at + 1;
        }
    }
    work_counter::add(MAX_LENGTH);
    None
}

/// D7: true if the label at the end of `before` starts a name that is not part of something longer.
fn may_follow(before: &[u8]) -> bool {
    let (before, label) =
        before.split_at(before.len() - run_back(before.tail(MAX_LENGTH), is_label));
    work_counter::add(label.len());
    match before {
        // A single slash is a path. `://` is a URI, which the colon finds; `//` alone is a
        // reference without a scheme or a comment.
        [.., b':', b'/', b'/'] => false,
        [.., b'/', b'/'] => true,
        [.., b'/'] => false,
        [rest @ .., b'.'] => !is_edge(rest.last()) || !is_edge(label.first()),
        [rest @ .., b'_'] => {
            let marks = rest.tail(MAX_LENGTH).trailing(|byte| is_label(byte) || byte == b'_');
            !rest.part(..rest.len() - marks).last().is_some_and(|sign| SIGNS.contains(sign))
        }
        [.., b' '] => !is_spelled_out(before) || is_www(label),
        [.., b'@'] => before.ends_with(b"git@"),
        [.., sign] => !SIGNS.contains(sign),
        [] => true,
    }
}

/// True for a spelled-out address: `jo.b at a.example`, `<jo at a.example>`, `From jo at
/// a.example`.
pub(crate) fn is_spelled_out(before: &[u8]) -> bool {
    let Some(near) = before.tail(MAX_LOCAL_PART_BYTES).strip_suffix(b" at ") else {
        return false;
    };
    let word = |byte: u8| is_label(byte) | (byte == b'.') | (byte == b'_') | (byte == b'+');
    let (rest, local) = near.split_at(near.len() - run_back(near, word));
    work_counter::add(local.len());
    let letters = run_back(local, |byte| (byte | 0x20).wrapping_sub(b'a') < 26);
    letters + 1 < local.len()
        || rest.last().is_some_and(|b| b"<:[".contains(b))
        || rest.ends_with(b"From ")
        || rest.ends_with(b"From: ")
}

/// True for `www` and `www2` (D7).
pub(crate) fn is_www(label: &[u8]) -> bool {
    without_digit(label).eq_ignore_ascii_case(b"www")
}

/// Also true for `\nwww`, whose `n` belongs to an escape.
#[inline]
fn ends_www(before: &[u8]) -> bool {
    without_digit(before).ends_with_ignore_case(b"www")
}

fn without_digit(label: &[u8]) -> &[u8] {
    let digit = usize::from(label.last().is_some_and(u8::is_ascii_digit));
    label.part(..label.len() - digit)
}

#[cfg(test)]
mod tests {
    use super::super::Kernel;
    use super::*;
    use proptest::prelude::*;

    fn may_start(text: &str) -> bool {
        let dot = text.find('.').unwrap();
        DottedName::default().may_start(text.as_bytes(), dot, &Kernel::Auto.loops())
    }

    #[test]
    fn last_labels() {
        for text in
            ["a.com ", "a.b.COM, ", "a.com. ", "www.x ", "WWW2.x ", "a.com", "a.x", "a.x吧 "]
        {
            assert!(may_start(text), "{text}");
        }
        for text in [
            "main.c ",
            "0.05, ",
            "a.com.txt ",
            "a.x_",
            "a.b.c. ",
            "a.com- ",
            "@a.com ",
            "@b_a.com ",
        ] {
            assert!(!may_start(text), "{text}");
        }
        assert!(may_start("a.com..x ") && may_start("a.xn--p1ai ") && may_start("a.xn--x "));
    }

    #[test]
    fn a_name_is_looked_at_once() {
        let text = b"a.b.com c.d.com ";
        let loops = Kernel::Auto.loops();
        let mut name = DottedName::default();
        let found = [1, 3, 9, 11].map(|dot| name.may_start(text, dot, &loops));
        assert_eq!(found, [true, false, true, false]);
        // Another dot of the name is refused too, and the search may return to its start.
        assert!(!DottedName::default().may_start(text, 3, &loops));
        assert!(name.may_start(text, 9, &loops));
    }

    proptest! {
        #[test]
        fn all_kernels_find_the_same(text in "([a.-]{0,70}|[a-z.@é吧 -]|\\.){0,12}.{0,70}") {
            for kernel in [Kernel::Avx2, Kernel::Avx512] {
                prop_assert_eq!((kernel.loops().last_label)(text.as_bytes()), last_label(text.as_bytes()));
            }
        }
    }
}
