//! Line breaks inside wrappers (D3.2–D3.5, D3.6).
//!
//! RFC 3986 Appendix C lets a URI in `<…>` or `"…"` go on over line breaks. This builds
//! the text without them, with the map back to the source.

use alloc::vec::Vec;
use core::cell::LazyCell;
use core::ops::Deref;

use super::page_break;
use super::start::starts_uri;
use super::wrapper::{LOOKBACK, WrapperContext};
use crate::kind::Wrapper;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::Rejoin;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// D3.5: the closer comes within this many bytes of the opener, or fewer (`max_wrapper`).
pub(crate) const WRAPPER_BYTES: usize = 4096;
/// D3.5: and within this many line breaks.
const WRAPPER_BREAKS: usize = 16;

#[derive(Debug)]
pub(crate) enum JoinedWrapper {
    /// The text between scheme and closer, without its line breaks.
    Text(WrapperContent),
    /// It is no wrapper, and D4 applies.
    NotWrapped,
    /// D3.2: it was one once; where it stops making sense (source offset).
    Broken { at: usize, end: usize },
}

#[derive(Debug)]
pub(crate) struct WrapperContent {
    /// Its length, without what was appended from behind the wrapper.
    pub length: usize,
    /// D3.3: where in the derived text a hyphen ended a line.
    pub hyphens: Vec<usize>,
}

/// Makes of `derived` the content of the wrapper of a scheme at `haystack[at]`.
pub(crate) fn join(
    haystack: &[u8],
    at: usize,
    context: &WrapperContext<'_>,
    (rejoin, most): (Rejoin, usize),
    derived: &mut DerivedText,
) -> JoinedWrapper {
    let Some(rules) = JoinRules::of(at, context, rejoin) else {
        return JoinedWrapper::NotWrapped;
    };
    let (opener, closer) = (rules.opener, rules.closer);
    let prefix = LazyCell::new(|| LinePrefix::of(haystack, opener));
    let limit = haystack.len().min(opener + most);
    derived.clear();
    let mut joiner = WrapperJoiner { haystack, derived, rules, hyphens: Vec::new(), breaks: 0 };
    let mut i = at;
    while i < limit
        && let Some(&byte) = haystack.get(i)
    {
        if byte == closer {
            work_counter::add(i - at);
            return joiner.close(i);
        }
        let gap = match byte {
            b'<' | b'"' => break,
            b if b.is_ascii_whitespace() || b == 0x0b => LineGap::read(haystack, i, limit, &prefix),
            _ => {
                let rest = haystack.part(i..limit);
                let inside =
                    |b: u8| !b.is_ascii_whitespace() && !matches!(b, 0x0b | b'<' | b'>' | b'"');
                let length = 1 + rest.part(1..).leading(inside);
                let run = rest.part(..length);
                let literals = run.strip_suffix(b"'").and_then(|before| {
                    let gap = LineGap::read(haystack, i + length, limit, &prefix);
                    Some((before, gap.between_literals(haystack)?))
                });
                let Some((before, gap)) = literals else {
                    joiner.derived.copy(run, i);
                    i += length;
                    continue;
                };
                joiner.derived.copy(before, i);
                gap
            }
        };
        match joiner.gap(gap) {
            GapStep::Continue => i = gap.span.end(),
            GapStep::NotWrapped => break,
            GapStep::Broken => return broken(haystack, at, gap.span.start(), limit, closer),
        }
    }
    work_counter::add(i - at);
    JoinedWrapper::NotWrapped
}

/// D3.2: both a break and a space, and a closer behind them.
fn broken(haystack: &[u8], start: usize, at: usize, limit: usize, closer: u8) -> JoinedWrapper {
    work_counter::add(limit - start);
    let rest = haystack.part(at..limit);
    match memchr::memchr2(closer, b'<', rest) {
        Some(found) if rest.get(found) == Some(&closer) => {
            JoinedWrapper::Broken { at, end: at + found }
        }
        _ => JoinedWrapper::NotWrapped,
    }
}

#[derive(Clone, Copy, Debug)]
struct JoinRules {
    opener: usize,
    closer: u8,
    /// `<URL:` is there, so that white space without a line break is removed, too.
    removes_space: bool,
    breaks: usize,
    rejoin: Rejoin,
}

impl JoinRules {
    /// Those of the wrapper of a scheme at `at`, if breaks are removed from it (D3.2, D3.6).
    fn of(at: usize, context: &WrapperContext<'_>, rejoin: Rejoin) -> Option<Self> {
        let removes_space = context.angle.is_some_and(|angle| angle.has_prefix);
        let (opener, closer, breaks) = match context.angle {
            Some(angle) => (angle.at, b'>', WRAPPER_BREAKS),
            None if context.wrapper == Wrapper::Quote && context.closers == ['"'] => {
                (at.saturating_sub(1), b'"', 1)
            }
            None => return None,
        };
        Some(Self { opener, closer, removes_space, breaks, rejoin })
    }
}

enum GapStep {
    Continue,
    NotWrapped,
    Broken,
}

struct WrapperJoiner<'h> {
    haystack: &'h [u8],
    derived: &'h mut DerivedText,
    rules: JoinRules,
    hyphens: Vec<usize>,
    breaks: usize,
}

impl WrapperJoiner<'_> {
    fn gap(&mut self, gap: LineGap) -> GapStep {
        let rules = self.rules;
        let after = self.haystack.part(gap.span.end()..);
        if after.first() == Some(&rules.closer) {
            let blank_line = gap.breaks > 1;
            return if blank_line { GapStep::NotWrapped } else { GapStep::Continue };
        }
        if gap.breaks == 0 {
            return match self.breaks {
                _ if rules.removes_space => self.remove(gap),
                1.. if rules.closer == b'>' => GapStep::Broken,
                _ => GapStep::NotWrapped,
            };
        }
        self.breaks += gap.breaks;
        let over = gap.breaks > 1 || self.breaks > rules.breaks || gap.leaves_comment;
        if over || rules.rejoin == Rejoin::Never || starts_uri(after) {
            return GapStep::NotWrapped;
        }
        if self.quoted_printable(gap, after) {
            return GapStep::Broken;
        }
        if self.derived.text().last() == Some(&b'-') {
            self.hyphens.push(self.derived.text().len() - 1);
        }
        self.remove(gap)
    }

    fn remove(&mut self, gap: LineGap) -> GapStep {
        self.derived.replace(b"", gap.span, RunOrigin::Joined);
        GapStep::Continue
    }

    /// D3.2: a soft line break of quoted-printable that is still there.
    fn quoted_printable(&mut self, gap: LineGap, after: &[u8]) -> bool {
        let is_escape =
            |w: &[u8]| matches!(w, [b'=', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        let text = self.derived.text();
        if text.last() != Some(&b'=') {
            return false;
        }
        let line = self.haystack.part(..gap.span.start());
        let columns = line.len() - memchr::memrchr(b'\n', line).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'>', after).unwrap_or(0).min(WRAPPER_BYTES);
        text.windows(3).any(is_escape)
            || (70..=76).contains(&columns)
            || after.part(..end).windows(3).any(is_escape)
    }

    fn close(self, at: usize) -> JoinedWrapper {
        let length = self.derived.text().len();
        self.derived.copy(self.haystack.clamped(at..at + 64), at);
        let hyphens = self.hyphens;
        JoinedWrapper::Text(WrapperContent { length, hyphens })
    }
}

/// White space, with the line prefixes in it.
#[derive(Clone, Copy, Debug)]
struct LineGap {
    span: Span,
    breaks: usize,
    /// It leads out of the comment in which the wrapper opened: to code.
    leaves_comment: bool,
}

fn blank_line(line: &[u8]) -> bool {
    let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
    line.part(..end).trim_ascii().is_empty()
}

impl LineGap {
    fn read<'h>(
        haystack: &[u8],
        at: usize,
        limit: usize,
        prefix: &impl Deref<Target = LinePrefix<'h>>,
    ) -> Self {
        let (mut i, mut breaks, mut leaves_comment) = (at, 0, false);
        while i < limit
            && let Some(&byte) = haystack.get(i)
        {
            match byte {
                b'\n' => {
                    breaks += 1;
                    let line = i + 1;
                    i = prefix.skip(haystack.part(..limit), line);
                    leaves_comment |=
                        i == line && prefix.is_comment() && !blank_line(haystack.part(line..limit));
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => i += 1,
                _ => match page_break::length(haystack.part(i..limit)) {
                    Some(length) if breaks > 0 => {
                        i += length;
                        breaks = 1;
                    }
                    _ => break,
                },
            }
        }
        Self { span: Span::new(at, i), breaks, leaves_comment }
    }

    /// The gap with the apostrophes around it, if there is one on each side: a program puts the pieces of a string
    /// together, as in `'<a href="http://a.example/'⏎`.
    fn between_literals(self, haystack: &[u8]) -> Option<Self> {
        let span = Span::new(self.span.start() - 1, self.span.end() + 1);
        let opens = haystack.get(self.span.end()) == Some(&b'\'');
        (opens && self.breaks > 0).then_some(Self { span, ..self })
    }
}

/// D3.4: what the line that opened the wrapper starts with, after indentation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePrefix<'h> {
    /// Without the space after it; empty when there is none.
    mark: &'h [u8],
}

/// The marks of quotations and comments, longest first.
const PREFIXES: [&[u8]; 14] = [
    b"/**", b"/*!", b"///", b"//!", b"//", b".\\\"", b";;", b"--", b"/*", b"|", b"#", b"%", b"*",
    b">",
];

impl<'h> LinePrefix<'h> {
    pub fn of(haystack: &'h [u8], at: usize) -> Self {
        let floor = at.saturating_sub(LOOKBACK);
        let before = haystack.part(floor..at);
        let line = match memchr::memrchr(b'\n', before) {
            Some(newline) => before.part(newline + 1..),
            None if floor == 0 => before,
            None => return Self { mark: b"" },
        };
        let line = line.trim_ascii_start();
        let mark = if line.first() == Some(&b'>') {
            quote_marks(line)
        } else {
            let found = PREFIXES.iter().find(|mark| line.starts_with(mark));
            let found =
                found.filter(|mark| line.get(mark.len()).is_none_or(u8::is_ascii_whitespace));
            found.map_or(&b""[..], |mark| line.part(..mark.len()))
        };
        // a C comment goes on with ` * `
        Self { mark: if mark.starts_with(b"/*") { b"*" } else { mark } }
    }

    /// A mark of comments: every line of one has it, while mailers lose that of a quotation.
    fn is_comment(&self) -> bool {
        !matches!(self.mark.first(), None | Some(b'>' | b'|' | b'*'))
    }

    /// D5: the offset past the prefix of the line that starts at `at`, and the space after
    /// it; `None` when the prefix is missing or the text behind it is indented.
    pub fn required(&self, haystack: &[u8], at: usize) -> Option<usize> {
        let past = self.skip(haystack, at);
        let past = match (self.mark.is_empty(), past == at) {
            (true, _) => at,
            (false, true) => return None,
            (false, false) => past + usize::from(haystack.get(past) == Some(&b' ')),
        };
        haystack.get(past).is_some_and(|b| !b.is_ascii_whitespace()).then_some(past)
    }

    /// The offset past indentation and prefix of the line that starts at `at`.
    pub fn skip(&self, haystack: &[u8], at: usize) -> usize {
        if self.mark.is_empty() {
            return at;
        }
        let line = haystack.part(at..);
        let indent = line.leading(|b| matches!(b, b' ' | b'\t'));
        let line = line.part(indent..);
        let length = if self.mark.first() == Some(&b'>') {
            let marks = quote_marks(line);
            let depth = |marks: &[u8]| marks.iter().filter(|&&b| b == b'>').count();
            if depth(marks) == depth(self.mark) {
                marks.len()
            } else {
                return at;
            }
        } else if line.starts_with(self.mark) {
            self.mark.len()
        } else {
            return at;
        };
        at + indent + length
    }
}

/// `>`, `>>`, `> >`: the quotation marks of mail at the start of `line`.
fn quote_marks(line: &[u8]) -> &[u8] {
    let mut length = 0;
    while line.get(length) == Some(&b'>') {
        length += 1;
        if line.get(length) == Some(&b' ') && line.get(length + 1) == Some(&b'>') {
            length += 1;
        }
    }
    line.part(..length)
}
