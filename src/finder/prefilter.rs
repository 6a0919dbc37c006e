//! Which candidates may give a match that is wanted: what is seen at once, without delimiting them.
//!
//! A test may say yes to what is not wanted, never no to what is. So it says yes wherever a rule may read something else than
//! what stands there: escapes (D2.4), line breaks that are removed (D3.2–D3.6, D3.9), characters that are mapped (D2.2).

use alloc::string::String;
use alloc::vec::Vec;

use crate::delimit::{Joint, has_slashes, joint};
use crate::finder::Finder;
use crate::grammar::is_scheme_byte;
use crate::options::{Detection, Rejoin};
use crate::scan::{Candidate, Literals, Trigger};
use crate::slice::{ByteRuns, SliceExt};

/// What every wanted match has; none of the lists is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clue {
    /// One of these schemes.
    Schemes(Vec<String>),
    /// A host that ends in one of these.
    HostEnds(Vec<String>),
    /// One of these strings in its URI or IRI, in any case.
    Literals(Vec<Vec<u8>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Prefilter {
    clue: KnownClue,
    max_wrapper: usize,
}

#[derive(Clone, Debug)]
enum KnownClue {
    Schemes { names: Vec<Vec<u8>>, endings: [u32; 32], literals: Literals },
    HostEnds { names: Vec<Vec<u8>>, literals: Literals },
    Literals(Literals),
}

/// What is ahead of the candidates that were asked about: each is looked for once.
#[derive(Clone, Debug, Default)]
pub(super) struct LookAhead {
    literal: SightedLiteral,
    backslash: Sighted,
    line_end: Sighted,
    /// What may open a wrapper or is an escape, and what may close a literal.
    opener: Sighted,
    apostrophe: Sighted,
}

/// The first of a kind at or after `from`.
#[derive(Clone, Copy, Debug, Default)]
struct Sighted {
    from: usize,
    at: usize,
}

impl Sighted {
    /// Where it is, or the end of the text.
    fn first(&mut self, from: usize, find: impl FnOnce(usize) -> Option<usize>) -> usize {
        if from > self.at || from < self.from || self.at == 0 {
            *self = Self { from, at: find(from).unwrap_or(usize::MAX) };
        }
        self.at
    }
}

/// The first literal at or after `from`, as far as the text was searched.
#[derive(Clone, Copy, Debug, Default)]
struct SightedLiteral {
    from: usize,
    /// Where it is, or how far there is none.
    at: usize,
    is_there: bool,
}

impl SightedLiteral {
    /// Where it is, unless that is `end` or behind it.
    fn first_before(
        &mut self,
        end: usize,
        from: usize,
        text: &[u8],
        literals: &Literals,
    ) -> Option<usize> {
        let is_known = (self.from..=self.at).contains(&from) && (self.is_there || end <= self.at);
        if !is_known {
            // not much further, for what is wanted may be known by then
            let near = text.clamped(..end.max(from + LITERALS_AHEAD));
            let found = literals.find(near, from);
            *self = Self { from, at: found.unwrap_or(near.len()), is_there: found.is_some() };
        }
        Some(self.at).filter(|&at| self.is_there && at < end)
    }
}

/// The longest authority that is looked at.
const LONGEST_AUTHORITY: usize = 256;
/// To skip less than this is not worth a search.
pub(super) const NEAR: usize = 1024;
/// How far the text is searched for literals at a time, in lines that are shorter.
const LITERALS_AHEAD: usize = 1024;
/// Before a colon: white space, an opener, and the longest scheme.
pub(super) const LONGEST_BEFORE: usize = 64;

impl Prefilter {
    /// `None` when `finder` finds more than what its colons give, or when nothing is to be seen of the clue.
    pub fn new(finder: &Finder, clue: Clue) -> Option<Self> {
        let options = &finder.options;
        let is_plain = finder.plan.is_plain()
            && options.detection == Detection::Rules
            && matches!(options.rejoin, Rejoin::Never | Rejoin::Wrapped);
        if !is_plain {
            return None;
        }
        let bytes = |names: Vec<String>| names.into_iter().map(String::into_bytes);
        let clue = match clue {
            Clue::Schemes(names) => {
                let names: Vec<_> = bytes(names).collect();
                let mut endings = [0; 32];
                for name in &names {
                    let [.., b, a] = name.as_slice() else { return None };
                    *endings.get_mut(usize::from(b & 31))? |= 1 << (a & 31);
                }
                let spellings =
                    |name: &Vec<u8>| [&b":"[..], b"\\:"].map(|colon| [name, colon].concat());
                let literals = Literals::new(names.iter().flat_map(spellings))?;
                KnownClue::Schemes { names, endings, literals }
            }
            Clue::HostEnds(names) => {
                let names: Vec<_> = bytes(names).map(|name| plain_host(&name).to_vec()).collect();
                if names.iter().any(Vec::is_empty) {
                    return None;
                }
                let literals = Literals::new(names.iter().cloned())?;
                KnownClue::HostEnds { names, literals }
            }
            Clue::Literals(literals) => KnownClue::Literals(Literals::new(literals)?),
        };
        Some(Self { clue, max_wrapper: options.max_wrapper })
    }

    /// Whether the candidate may give a match that is wanted; `is_last` says that nothing follows `text`.
    #[inline(always)]
    pub(super) fn wants(
        &self,
        text: &[u8],
        is_last: bool,
        candidate: Candidate,
        ahead: &mut LookAhead,
    ) -> bool {
        match &self.clue {
            KnownClue::Schemes { names, endings, .. } => {
                ends_in_scheme(text, candidate, names, endings)
            }
            KnownClue::HostEnds { names, .. } => may_have_host(text, candidate, names),
            KnownClue::Literals(literals) => ahead.may_hold(text, is_last, candidate, literals),
        }
    }

    /// Where to look for the next candidate that may be wanted, not before `from`, as far as that is known without the others.
    /// No match starts before `position`.
    pub(super) fn leap(
        &self,
        text: &[u8],
        position: usize,
        from: usize,
        ahead: &mut LookAhead,
    ) -> usize {
        let before = from.saturating_sub(LONGEST_BEFORE + 2).max(position);
        match &self.clue {
            KnownClue::Schemes { literals, .. } => {
                let next = ahead.literal.first_before(text.len(), before, text, literals);
                next.unwrap_or(text.len()).max(from)
            }
            KnownClue::HostEnds { literals, .. } | KnownClue::Literals(literals) => {
                ahead.plain_lines(text, before, from, literals)
            }
        }
    }

    /// The start of a line behind `from`, of `most` lines before `near`, into which nothing goes on that starts at `from` or
    /// behind it.
    pub(super) fn line_apart(
        &self,
        text: &[u8],
        from: usize,
        near: usize,
        most: usize,
    ) -> Option<usize> {
        let mut near = near;
        for _ in 0..most {
            let line = from + memchr::memrchr(b'\n', text.part(from..near))? + 1;
            near = match joint(text, line, from, self.max_wrapper) {
                None => return Some(line),
                Some(Joint::Literals) => line - 1,
                Some(Joint::Wrapper(opener)) => opener.max(from),
            };
        }
        None
    }
}

/// A scheme is never broken or escaped; only its colon may be, in `http\://` (D2.4).
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

/// `host` without what D4.3 leaves out at the end of one.
fn plain_host(host: &[u8]) -> &[u8] {
    host.part(..host.len() - host.trailing(|b| matches!(b, b'.' | b'-' | b'_')))
}

fn may_have_host(text: &[u8], candidate: Candidate, names: &[Vec<u8>]) -> bool {
    let authority = match text.part(candidate.at + 1..) {
        [b'/', b'/', authority @ ..] => authority.clamped(..LONGEST_AUTHORITY),
        [b' ' | b'\t' | b'\n' | b'\r', ..] => return may_be_opened(text, candidate),
        rest @ [b'/' | b'\\', ..] => return has_slashes(rest),
        [] => return true,
        // no authority
        _ => return false,
    };
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    let host = authority.leading(is_plain);
    // `https` may be the end of a longer scheme, by which a host is read otherwise
    let is_web = || match candidate.trigger {
        Trigger::Web(start) => !text.part(..start).last().is_some_and(|&byte| is_scheme_byte(byte)),
        _ => false,
    };
    let ends = match authority.part(host..) {
        [b'/' | b'?' | b'#' | b'>', ..] => true,
        // in an authority that is no host of a web server
        [b')' | b',' | b';', ..] => is_web(),
        [b'\'', next, ..] => !may_join(*next) && is_web(),
        [b'"', next, ..] => !may_join(*next),
        [b' ' | b'\n' | b'\r', ..] => !may_be_opened(text, candidate),
        [b':', port @ ..] => {
            let digits = port.leading(|b| b.is_ascii_digit());
            matches!(port.get(digits), Some(b'/' | b'?' | b'#'))
        }
        _ => false,
    };
    let host = plain_host(authority.part(..host));
    !ends || names.iter().any(|name| host.ends_with_ignore_case(name))
}

/// What follows a quotation mark behind which another literal may go on (D3.9).
fn may_join(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"\\+.&~|<>^_".contains(&byte)
}

/// A wrapper in which line breaks are removed may open before the candidate (D3.2, D3.6).
fn may_be_opened(text: &[u8], candidate: Candidate) -> bool {
    let before = text.part(..candidate.at).tail(LONGEST_BEFORE);
    let skipped = |b: u8| is_scheme_byte(b) || matches!(b, b'*' | b'_' | b'~' | b'=');
    let before = before.part(..before.len() - before.trailing(skipped));
    let opener = before.trim_ascii_end();
    match (before.last(), opener.last()) {
        (Some(byte), _) if !byte.is_ascii_whitespace() => matches!(byte, b'<' | b'"' | b':'),
        // white space may be before and behind `URL:`
        (_, Some(byte)) => matches!(byte, b'<' | b':'),
        (_, None) => candidate.at >= LONGEST_BEFORE,
    }
}

impl LookAhead {
    /// The start of the first line behind `from` that has a literal, or something by which one may be read that is not
    /// there. The literal starts at `before` or behind it.
    fn plain_lines(
        &mut self,
        text: &[u8],
        before: usize,
        from: usize,
        literals: &Literals,
    ) -> usize {
        let find = |found: Option<usize>, from| Some(from + found?);
        let opener = |from| find(memchr::memchr3(b'<', b'"', b'\\', text.clamped(from..)), from);
        let apostrophe = |from| find(memchr::memchr(b'\'', text.clamped(from..)), from);
        let near = self.opener.first(from, opener).min(self.apostrophe.first(from, apostrophe));
        let near = near.min(text.len());
        if near <= from + NEAR {
            return from;
        }
        let literal = self.literal.first_before(near, before, text, literals);
        let near = literal.unwrap_or(near).max(from);
        let plain = text.clamped(from..near);
        let ascii = match plain.is_ascii() {
            true => plain,
            false => plain.part(..plain.leading(|b| b.is_ascii())),
        };
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
        let line_end = self.line_end.first(at, |from| find(b'\n', from));
        if line_end == usize::MAX && !is_last {
            return true;
        }
        // a scheme is never broken
        let before = text.part(..at).tail(LONGEST_BEFORE);
        let start = at - before.trailing(|byte| !byte.is_ascii_whitespace());
        let line_end = line_end.min(text.len());
        self.literal.first_before(line_end, start, text, literals).is_some()
            || self.backslash.first(at.saturating_sub(1), |from| find(b'\\', from)) < line_end
            || !text.part(at..line_end).is_ascii()
            || may_go_on(text, candidate, line_end)
            || joins_literals(text.part(at..line_end))
    }
}

/// A program may put two literals of `line` together (D3.9).
fn joins_literals(line: &[u8]) -> bool {
    let joins = |at: usize| line.get(at + 1).is_some_and(|&next| may_join(next));
    memchr::memchr2_iter(b'"', b'\'', line).any(joins)
}

/// The candidate may go on in the line behind `line_end` (D3.2, D3.6, D3.9).
fn may_go_on(text: &[u8], candidate: Candidate, line_end: usize) -> bool {
    let line = text.part(candidate.at..line_end);
    let end = line.len() - line.trailing(may_join);
    matches!(line.part(..end).last(), Some(b'"' | b'\''))
        || may_be_opened(text, candidate) && memchr::memchr3(b'<', b'>', b'"', line).is_none()
}
