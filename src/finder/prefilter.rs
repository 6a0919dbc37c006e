//! Cheap tests that rule out candidates without delimiting them.
//!
//! False positives are fine; false negatives lose matches. So a test answers yes wherever a rule
//! may read anything other than the plain bytes: escapes (D2.4), removed line breaks and joined
//! literals (D3.2–D3.6, D3.9), or mapped characters (D2.2).

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::delimit::{LineDependency, has_slashes, lacks_host, line_dependency, next_at_sign};
use crate::finder::Finder;
use crate::grammar::is_scheme_byte;
use crate::options::{Detection, Rejoin};
use crate::scan::{
    Candidate, Literals, Percent, StretchEnd, StretchFinder, Trigger, is_end_of_web,
};
use crate::slice::{ByteRuns, SliceExt};

/// A property that every wanted match has. No list is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Restriction {
    /// One of these schemes.
    Schemes(Vec<String>),
    /// A host that ends in one of these.
    HostEnds(Vec<String>),
    /// One of these strings in its URI or IRI, in any case.
    Literals(Vec<Vec<u8>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Prefilter {
    restriction: PreparedRestriction,
    max_wrapper: usize,
}

#[derive(Clone, Debug)]
enum PreparedRestriction {
    Schemes { names: Vec<Vec<u8>>, endings: [u32; 32], literals: Literals },
    HostEnds { names: Vec<Vec<u8>>, literals: Literals, stretch: Option<StretchFinder> },
    Literals { literals: Literals, stretch: Option<StretchFinder> },
}

/// The next occurrences of bytes and literals after the current candidate, each searched for once.
#[derive(Clone, Debug, Default)]
pub(super) struct LiteralCursor {
    literal: NextLiteralOccurrence,
    stretch: KnownStretch,
    /// The next backslash or escape character.
    escape: NextOccurrence,
    line_end: NextOccurrence,
    /// The next `<`, `"`, or backslash, which may open a wrapper or start an escape.
    opener: NextOccurrence,
    /// The next apostrophe or escape character of a terminal.
    apostrophe: NextOccurrence,
}

/// The first occurrence at or after `from`, cached so that a text is scanned once.
#[derive(Clone, Copy, Debug, Default)]
struct NextOccurrence {
    from: usize,
    at: usize,
}

impl NextOccurrence {
    /// Returns its offset, or `usize::MAX` if there is no other.
    fn first(&mut self, from: usize, find: impl FnOnce(usize) -> Option<usize>) -> usize {
        // `at` is 0 before the first search.
        if from > self.at || from < self.from || self.at == 0 {
            *self = Self { from, at: find(from).unwrap_or(usize::MAX) };
        }
        self.at
    }
}

/// The end of the stretch from an offset on, cached so that a text is scanned once.
#[derive(Clone, Copy, Debug, Default)]
struct KnownStretch {
    before: usize,
    from: usize,
    end: Option<StretchEnd>,
}

impl KnownStretch {
    fn end(&mut self, text: &[u8], before: usize, from: usize, by: &StretchFinder) -> StretchEnd {
        match self.end {
            Some(end @ (StretchEnd::Literal(at) | StretchEnd::Other(at)))
                if self.before <= before && (self.from..=at).contains(&from) =>
            {
                end
            }
            _ => {
                let end = by.end(text, before, from);
                *self = Self { before, from, end: Some(end) };
                end
            }
        }
    }
}

/// The first literal at or after `from`, within the part of the text that was searched.
#[derive(Clone, Copy, Debug, Default)]
struct NextLiteralOccurrence {
    from: usize,
    /// Its offset, or the offset up to which it is known to be absent.
    at: usize,
    is_there: bool,
}

impl NextLiteralOccurrence {
    /// Returns its offset if that is before `end`.
    fn first_before(
        &mut self,
        end: usize,
        from: usize,
        text: &[u8],
        literals: &Literals,
    ) -> Option<usize> {
        let is_known = (self.from..=self.at).contains(&from) && (self.is_there || end <= self.at);
        if !is_known {
            // Search not much further than needed: the caller often finds its literal before that.
            let near = text.clamped(..end.max(from + LITERAL_WINDOW_BYTES));
            let found = literals.find(near, from);
            *self = Self { from, at: found.unwrap_or(near.len()), is_there: found.is_some() };
        }
        Some(self.at).filter(|&at| self.is_there && at < end)
    }
}

/// The most bytes of an authority to compare with the wanted hosts.
const MAX_AUTHORITY_BYTES: usize = 256;
/// Skipping less than this costs more than it saves.
pub(super) const MIN_LEAP_BYTES: usize = 1024;
/// Bytes to search for literals at a time.
const LITERAL_WINDOW_BYTES: usize = 1024;
/// The most bytes before a colon at which its URI may start, including white space and an opener.
pub(super) const LOOKBEHIND_BYTES: usize = 64;

impl Prefilter {
    /// Returns `None` if `finder` does not start matches from colons alone, or if bytes cannot show
    /// the restriction.
    pub fn new(finder: &Finder, restriction: Restriction) -> Option<Self> {
        let options = &finder.options;
        // With other triggers, detection rules or rejoining modes, a match may depend on bytes that
        // these tests do not look at.
        if !finder.has_independent_lines() {
            return None;
        }
        let loops = options.kernel.loops();
        let bytes = |names: Vec<String>| names.into_iter().map(String::into_bytes);
        let restriction = match restriction {
            Restriction::Schemes(names) => {
                let names: Vec<_> = bytes(names).collect();
                // The last two letters of each name are a bit set: one lookup rules out most
                // candidates before any name is compared. `& 31` also folds the case of a letter.
                let mut endings = [0; 32];
                for name in &names {
                    let [.., b, a] = name.as_slice() else { return None };
                    *endings.get_mut(usize::from(b & 31))? |= 1 << (a & 31);
                }
                let spellings =
                    |name: &Vec<u8>| [&b":"[..], b"\\:"].map(|colon| [name, colon].concat());
                // The colon of a scheme may be escaped (D2.4), so both spellings are literals.
                let literals = Literals::new(names.iter().flat_map(spellings))?;
                PreparedRestriction::Schemes { names, endings, literals }
            }
            Restriction::HostEnds(names) => {
                let names: Vec<_> = bytes(names).map(|name| plain_host(&name).to_vec()).collect();
                if names.iter().any(Vec::is_empty) {
                    return None;
                }
                // A percent-encoded character hides the name from a search for its bytes.
                let bytes: BTreeSet<u8> = names.concat().into_iter().collect();
                let encoded = bytes.into_iter().map(|byte| format!("%{byte:02x}").into_bytes());
                // So does one in upper case, and one beyond ASCII that is mapped to it by UTS #46.
                let others = ["%4", "%5", "%c", "%d", "%e", "%f"];
                let encoded = encoded.chain(others.map(|start| start.into()));
                let literals = Literals::new(names.iter().cloned().chain(encoded))?;
                let stretch =
                    only(&names).and_then(|name| StretchFinder::new(name, Percent::Found, &loops));
                PreparedRestriction::HostEnds { names, literals, stretch }
            }
            Restriction::Literals(literals) => {
                let stretch = only(&literals)
                    .and_then(|literal| StretchFinder::new(literal, Percent::Ignored, &loops));
                PreparedRestriction::Literals { literals: Literals::new(literals)?, stretch }
            }
        };
        Some(Self { restriction, max_wrapper: options.max_wrapper })
    }

    /// True if the candidate may lead to a wanted match. `is_last` means that nothing follows
    /// `text`.
    #[inline(always)]
    pub(super) fn wants(
        &self,
        text: &[u8],
        is_last: bool,
        candidate: Candidate,
        ahead: &mut LiteralCursor,
    ) -> bool {
        match &self.restriction {
            PreparedRestriction::Schemes { names, endings, .. } => {
                ends_in_scheme(text, candidate, names, endings)
            }
            PreparedRestriction::HostEnds { names, .. } => may_have_host(text, candidate, names),
            PreparedRestriction::Literals { literals, .. } => {
                ahead.may_hold(text, is_last, candidate, literals)
            }
        }
    }

    /// Returns an offset, at or after `from`, before which no candidate is wanted. No match starts
    /// before `position`.
    pub(super) fn leap(
        &self,
        text: &[u8],
        position: usize,
        from: usize,
        ahead: &mut LiteralCursor,
    ) -> usize {
        let before = from.saturating_sub(LOOKBEHIND_BYTES + 2).max(position);
        match &self.restriction {
            PreparedRestriction::Schemes { literals, .. } => {
                let next = ahead.literal.first_before(text.len(), before, text, literals);
                next.unwrap_or(text.len()).max(from)
            }
            PreparedRestriction::HostEnds { stretch: Some(stretch), .. }
            | PreparedRestriction::Literals { stretch: Some(stretch), .. } => {
                ahead.plain_stretch(text, before, from, stretch)
            }
            PreparedRestriction::HostEnds { literals, .. }
            | PreparedRestriction::Literals { literals, .. } => {
                ahead.plain_lines(text, before, from, literals)
            }
        }
    }

    /// Returns the start of an independent line after `from`. Tries at most `most` lines, backwards
    /// from `near`.
    pub(super) fn independent_line(
        &self,
        text: &[u8],
        from: usize,
        near: usize,
        most: usize,
    ) -> Option<usize> {
        let mut near = near;
        for _ in 0..most {
            let line = from + memchr::memrchr(b'\n', text.part(from..near))? + 1;
            near = match line_dependency(text, line, from, self.max_wrapper) {
                None => return Some(line),
                Some(LineDependency::Line) => line - 1,
                Some(LineDependency::Wrapper(opener)) => opener.max(from),
            };
        }
        None
    }
}

impl Finder {
    /// True if [`line_dependency`] knows all lines into which a URI of this finder may continue.
    pub(crate) fn has_independent_lines(&self) -> bool {
        let options = &self.options;
        self.plan.is_plain()
            && options.detection() == Detection::Rules
            && matches!(options.rejoin, Rejoin::Never | Rejoin::Wrapped)
    }

    /// Returns the most bytes between an opener and its closer.
    pub(crate) fn max_wrapper(&self) -> usize {
        self.options.max_wrapper
    }
}

/// Returns the only entry of a list.
fn only(list: &[Vec<u8>]) -> Option<&Vec<u8>> {
    match list {
        [only] => Some(only),
        _ => None,
    }
}

/// A scheme is never broken or escaped; only its colon may be escaped, as in `http\://` (D2.4).
#[inline(always)]
fn ends_in_scheme(
    text: &[u8],
    candidate: Candidate,
    names: &[Vec<u8>],
    endings: &[u32; 32],
) -> bool {
    let before = text.part(..candidate.at);
    let before = before.strip_suffix(b"\\").unwrap_or(before);
    let [.., b, a] = before else { return false };
    let ends = endings.get(usize::from(b & 31)).is_some_and(|second| second >> (a & 31) & 1 == 1);
    ends && names.iter().any(|name| before.ends_with_ignore_case(name))
}

/// Returns `host` without the characters that D4.3 trims at its end.
fn plain_host(host: &[u8]) -> &[u8] {
    host.part(..host.len() - host.trailing(|b| matches!(b, b'.' | b'-' | b'_')))
}

fn may_have_host(text: &[u8], candidate: Candidate, names: &[Vec<u8>]) -> bool {
    let authority = match text.part(candidate.at + 1..) {
        [b'/', b'/', authority @ ..] => authority.clamped(..MAX_AUTHORITY_BYTES),
        // D5: the slashes and the host may follow in the next line.
        [b'\n' | b'\r', ..] if is_end_of_web(text, candidate.at) => return true,
        [b' ' | b'\t' | b'\n' | b'\r', ..] => return may_be_opened(text, candidate),
        rest @ [b'/' | b'\\', ..] => return has_slashes(rest),
        [] => return true,
        // There is no authority.
        _ => return false,
    };
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    let host = authority.leading(is_plain);
    // `https` may be the end of a longer scheme, whose host is read by other rules.
    let is_web = || match candidate.trigger {
        Trigger::Web(start) => !text.part(..start).last().is_some_and(|&byte| is_scheme_byte(byte)),
        _ => false,
    };
    let after = authority.part(host..);
    let ends = match after {
        [b'/' | b'?' | b'#' | b'>', ..] => true,
        // D4.9: what looks like the host may be a userinfo.
        [b')' | b']' | b',' | b';' | b'\'', ..] if next_at_sign(after).is_some() => false,
        // These end a web host only; another authority may contain them.
        [b')' | b',' | b';', ..] => is_web(),
        [b'\'', next, ..] => !may_join(*next) && is_web(),
        [b'"', next, ..] => !may_join(*next),
        // D5: the host may follow in the next line.
        [b'\n' | b'\r', ..] if host == 0 || authority.part(..host) == b"www." => false,
        [b' ' | b'\n' | b'\r', ..] => !may_be_opened(text, candidate),
        [b':', port @ ..] => {
            let digits = port.leading(|b| b.is_ascii_digit());
            // D4.9: other characters may show that this is a password.
            matches!(port.get(digits), Some(b'/' | b'?' | b'#'))
        }
        _ => false,
    };
    let host = authority.part(..host);
    // A dash made of hyphens ends a host earlier (D4.9).
    let has_dash = crate::memmem::find(host, b"---").is_some();
    let host = plain_host(host);
    !ends || has_dash || names.iter().any(|name| host.ends_with_ignore_case(name))
}

/// True for a byte after a quotation mark that may lead to another literal (D3.9).
fn may_join(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\\+.&~|<>^_".contains(&byte)
}

/// True if a wrapper that allows line breaks may open before the candidate (D3.2, D3.6).
fn may_be_opened(text: &[u8], candidate: Candidate) -> bool {
    let before = text.part(..candidate.at).tail(LOOKBEHIND_BYTES);
    let skipped = |b: u8| is_scheme_byte(b) || matches!(b, b'*' | b'_' | b'~' | b'=');
    let before = before.part(..before.len() - before.trailing(skipped));
    let opener = before.trim_ascii_end();
    match (before.last(), opener.last()) {
        (Some(byte), _) if !byte.is_ascii_whitespace() => matches!(byte, b'<' | b'"' | b':' | b'{'),
        // White space may surround `URL:`.
        (_, Some(byte)) => matches!(byte, b'<' | b':'),
        // All that was read is white space, so an opener may be further to the left.
        (_, None) => candidate.at >= LOOKBEHIND_BYTES,
    }
}

impl LiteralCursor {
    /// Like [`Self::plain_lines`], in one pass over the text.
    fn plain_stretch(
        &mut self,
        text: &[u8],
        before: usize,
        from: usize,
        stretch: &StretchFinder,
    ) -> usize {
        let end = self.stretch.end(text, before, from, stretch);
        let near = match end {
            StretchEnd::Literal(at) => at,
            // An opener or escape nearby makes a leap too short to pay off.
            StretchEnd::Other(at) if at <= from + MIN_LEAP_BYTES => return from,
            StretchEnd::Other(at) => at,
        };
        memchr::memrchr(b'\n', text.part(from..near.max(from))).map_or(from, |line| from + line + 1)
    }

    /// Returns the start of the first line after `from` that has a literal, or has something that
    /// may decode to one. The literal starts at or after `before`.
    fn plain_lines(
        &mut self,
        text: &[u8],
        before: usize,
        from: usize,
        literals: &Literals,
    ) -> usize {
        let find = |found: Option<usize>, from| Some(from + found?);
        let opener = |from| find(memchr::memchr3(b'<', b'"', b'\\', text.clamped(from..)), from);
        let apostrophe = |from| find(memchr::memchr2(b'\'', 0x1b, text.clamped(from..)), from);
        let near = self.opener.first(from, opener).min(self.apostrophe.first(from, apostrophe));
        let near = near.min(text.len());
        // An opener or escape nearby makes a leap too short to pay off.
        if near <= from + MIN_LEAP_BYTES {
            return from;
        }
        let literal = self.literal.first_before(near, before, text, literals);
        let near = literal.unwrap_or(near).max(from);
        let plain = text.clamped(from..near);
        let ascii =
            if plain.is_ascii() { plain } else { plain.part(..plain.leading(|b| b.is_ascii())) };
        memchr::memrchr(b'\n', ascii).map_or(from, |line| from + line + 1)
    }

    fn may_hold(
        &mut self,
        text: &[u8],
        is_last: bool,
        candidate: Candidate,
        literals: &Literals,
    ) -> bool {
        let at = candidate.at;
        let find = |byte, from: usize| Some(from + memchr::memchr(byte, text.part(from..))?);
        let escape = |from: usize| Some(from + memchr::memchr2(b'\\', 0x1b, text.part(from..))?);
        let line_end = self.line_end.first(at, |from| find(b'\n', from));
        if line_end == usize::MAX && !is_last {
            return true;
        }
        // A scheme is never broken by white space, so the URI starts in this run.
        let before = text.part(..at).tail(LOOKBEHIND_BYTES);
        let start = at - before.trailing(|byte| !byte.is_ascii_whitespace());
        let line_end = line_end.min(text.len());
        self.literal.first_before(line_end, start, text, literals).is_some()
            || self.escape.first(at.saturating_sub(1), escape) < line_end
            || !text.part(at..line_end).is_ascii()
            || may_continue(text, candidate, line_end)
            || joins_literals(text.part(at..line_end))
    }
}

/// True if a program may concatenate two literals of `line` (D3.9).
fn joins_literals(line: &[u8]) -> bool {
    let joins = |at: usize| line.get(at + 1).is_some_and(|&next| may_join(next));
    memchr::memchr2_iter(b'"', b'\'', line).any(joins)
}

/// True if the candidate may continue on the line after `line_end` (D3.2, D3.6, D3.9, D5).
fn may_continue(text: &[u8], candidate: Candidate, line_end: usize) -> bool {
    let line = text.part(candidate.at..line_end);
    let end = line.len() - line.trailing(may_join);
    matches!(line.part(..end).last(), Some(b'"' | b'\''))
        || lacks_host(text.part(..line_end))
        || may_be_opened(text, candidate) && memchr::memchr3(b'<', b'>', b'"', line).is_none()
}
