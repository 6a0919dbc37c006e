//! Reads hosts without a preceding `//` (D7): where a name starts and where it ends.
//!
//! A name is read from its first dot. Later dots of the same name are skipped, so a long row of
//! labels takes linear time.

use super::text_view::{first_char, last_char};
use crate::chunk::{is_alphanumeric, run, run_back};
use crate::registry::{self, HostTerm, host_term};
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Most bytes between the start of a match and its trigger.
pub(super) const MAX_START_LENGTH: usize = 1024;
/// Longest label in bytes: 63 characters (RFC 1035 §2.3.4) of up to four bytes.
const MAX_LABEL_LENGTH: usize = 252;
/// Longest name in characters. Each takes at least one byte in DNS (RFC 1035 §2.3.4).
const MAX_NAME_LENGTH: usize = 253;

/// Treatment of adjacent text in a script without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScriptBoundary {
    /// Such text ends the name and is not part of it: `请看example.com吧`.
    Splits,
    /// Every character that IDNA allows is part of the name (UTS #58).
    Belongs,
}

/// A name of at least two labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct DomainName {
    /// End of the name, without a trailing dot.
    pub end: usize,
    pub labels: usize,
    /// Start of the last label, and of the one before it.
    pub top: usize,
    pub second: usize,
    pub cut: bool,
}

/// True for a character of a label. `_` is not valid in a host, but counts here so that no name
/// starts or ends next to one.
fn is_label(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => true,
        _ => {
            !c.is_ascii()
                && host_term(c) == HostTerm::Allowed
                && !is_dot(c, ScriptBoundary::Belongs)
        }
    }
}

/// ASCII counterpart of [`is_label`].
fn is_plain(byte: u8) -> bool {
    is_alphanumeric(byte) | (byte == b'-') | (byte == b'_')
}

/// UTS #46 §4.5: true for a separator of labels.
pub(super) fn is_dot(c: char, seam: ScriptBoundary) -> bool {
    c == '.' || seam == ScriptBoundary::Belongs && matches!(c, '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// True for scripts that do not separate words by spaces, and for Hangul, whose particles follow
/// the name directly.
pub(super) fn touches(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{109F}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}'
        | '\u{2E80}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Returns the start of the label that ends before `haystack[end]`.
pub(super) fn label_start(haystack: &[u8], end: usize, seam: ScriptBoundary) -> Option<usize> {
    let before = haystack.get(..end)?;
    // One byte more than a label may have: if all of them are label bytes, the label is too long.
    let plain = run_back(before.tail(MAX_LABEL_LENGTH + 1), is_plain);
    work_counter::add(plain);
    let other = before.part(..before.len() - plain).last();
    if plain > MAX_LABEL_LENGTH || other.is_none_or(u8::is_ascii) {
        return (1..=MAX_LABEL_LENGTH).contains(&plain).then_some(end - plain);
    }
    let mut at = end;
    let mut ascii = true;
    while let Some(c) = last_char(haystack.get(..at)?).filter(|&c| is_label(c)) {
        // The seam is where ASCII meets the script. A label of that script alone is one name, so
        // only ASCII read so far counts.
        if seam == ScriptBoundary::Splits && ascii && at < end && touches(c) {
            break;
        }
        ascii &= c.is_ascii();
        at -= c.len_utf8();
        if end - at > MAX_LABEL_LENGTH {
            work_counter::add(end - at);
            return None;
        }
    }
    work_counter::add(end - at);
    (at < end).then_some(at)
}

/// Returns the longest name at `haystack[at]`, if it has at least two labels that DNS allows.
pub(super) fn read(haystack: &[u8], at: usize, seam: ScriptBoundary) -> Option<DomainName> {
    let mut domain = DomainName { end: at, labels: 1, top: at, second: at, cut: false };
    let (mut i, mut chars) = (at, 0);
    let mut hyphen = false;
    loop {
        let plain = run(haystack.part(i..).clamped(..=MAX_NAME_LENGTH), is_alphanumeric);
        (i, chars) = (i + plain, chars + plain);
        hyphen &= plain == 0;
        if chars > MAX_NAME_LENGTH {
            work_counter::add(i - at);
            return None;
        }
        let rest = haystack.get(i..)?;
        let Some((c, length)) = first_char(rest) else {
            break;
        };
        if is_dot(c, seam) {
            let next = first_char(rest.get(length..)?);
            if !next.is_some_and(|(c, _)| is_label(c) && c != '_') {
                break;
            }
            // RFC 1034 §3.5: a label neither starts nor ends with a hyphen, and is not empty.
            if hyphen || next.is_some_and(|(c, _)| c == '-') || i == domain.top {
                work_counter::add(i - at);
                return None;
            }
            domain.labels += 1;
            domain.second = domain.top;
            domain.top = i + length;
        // After a dot, `_` ends the name, and the caller judges what follows. In the first label
        // it means that this is not a host (below).
        } else if !is_label(c) || c == '_' && domain.labels > 1 {
            break;
        } else if seam == ScriptBoundary::Splits
            && domain.labels > 1
            && touches(c)
            && haystack.part(domain.top..i).is_ascii()
            && is_tld(haystack.part(domain.top..i))
        {
            // An ASCII top-level domain ends the name where text without spaces touches it:
            // `a.com에서`.
            domain.cut = true;
            break;
        } else if c == '_' {
            work_counter::add(i - at);
            return None;
        }
        hyphen = c == '-';
        (i, chars) = (i + length, chars + 1);
    }
    work_counter::add(i - at);
    domain.end = i;
    (domain.labels > 1 && !hyphen && haystack.get(at) != Some(&b'-')).then_some(domain)
}

/// Counts the digits at the start of `text`, up to one more than a port may have.
pub(super) fn port_digits(text: &[u8]) -> usize {
    text.clamped(..6).leading(|b| b.is_ascii_digit())
}

/// True for a top-level domain, in any script or as an A-label.
pub(super) fn is_tld(label: &[u8]) -> bool {
    registry::tld_bytes(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str, seam: ScriptBoundary) -> Option<&str> {
        read(text.as_bytes(), 0, seam).map(|domain| &text[..domain.end])
    }

    #[test]
    fn names_end_where_no_label_follows() {
        for (text, expected) in [
            ("a.example. Next", Some("a.example")),
            ("a.example...", Some("a.example")),
            ("a.example/x.y", Some("a.example")),
            ("a..example", None),
            ("a-.example", None),
            ("a.-example", None),
            ("-a.example", None),
            ("a_b.example", None),
            ("a", None),
        ] {
            assert_eq!(name(text, ScriptBoundary::Splits), expected, "{text}");
        }
        assert_eq!(name("a.com에서", ScriptBoundary::Splits), Some("a.com"));
        assert_eq!(name("a.com에서", ScriptBoundary::Belongs), Some("a.com에서"));
        assert_eq!(name("例。台灣", ScriptBoundary::Belongs), Some("例。台灣"));
        assert_eq!(name("例。台灣", ScriptBoundary::Splits), None);
    }

    #[test]
    fn labels_start_after_what_is_none() {
        let start = |text: &str, seam| label_start(text.as_bytes(), text.len(), seam);
        assert_eq!(start("see www", ScriptBoundary::Splits), Some(4));
        assert_eq!(start("看www", ScriptBoundary::Splits), Some(3));
        assert_eq!(start("看www", ScriptBoundary::Belongs), Some(0));
        assert_eq!(start("bücher", ScriptBoundary::Splits), Some(0));
        assert_eq!(start("(", ScriptBoundary::Splits), None);
        assert_eq!(start(&"a".repeat(300), ScriptBoundary::Splits), None);
    }

    #[test]
    fn top_level_domains() {
        assert!(is_tld(b"COM") && is_tld("рф".as_bytes()) && is_tld(b"xn--p1ai"));
        assert!(!is_tld(b"txt") && !is_tld(b"xn--") && !is_tld(b"\xff"));
    }
}
