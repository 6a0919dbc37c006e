//! Removes line breaks inside wrappers (D3.2–D3.5, D3.6).
//!
//! RFC 3986 Appendix C allows a URI in `<…>` or `"…"` to continue over line breaks. This builds the
//! text without them, and the map back to the source.

use alloc::vec::Vec;
use core::cell::LazyCell;
use core::ops::Deref;

use super::line_prefix::LinePrefix;
use super::page_break;
use super::quote_pair;
use super::rejoin::is_long;
use super::start::starts_uri;
use super::wrapper::{WrapperContext, WrapperEdge};
use crate::kind::Wrapper;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// D3.5: the closer must follow the opener within this many bytes, or within `max_wrapper` if that
/// is less.
pub(crate) const WRAPPER_BYTES: usize = 4096;
/// Most hyphens of a line that [`is_rule`] reads.
const MAX_RULE_LENGTH: usize = 80;
/// D3.5: most line breaks between opener and closer.
const WRAPPER_BREAKS: usize = 16;

#[derive(Debug)]
pub(crate) enum JoinedWrapper {
    /// The text between scheme and closer, without its line breaks.
    Text(WrapperContent),
    /// Not a wrapper; D4 applies.
    NotWrapped,
    /// Possibly a wrapper, but URIs are not usually broken at its line break.
    Doubtful,
    /// D3.2: a damaged wrapper. `at` is the source offset of the damage.
    Broken { at: usize, end: usize },
}

#[derive(Debug)]
pub(crate) struct WrapperContent {
    /// Length without the text appended from after the wrapper.
    pub length: usize,
    /// D3.3: offsets in the derived text of hyphens that ended a line.
    pub hyphens: Vec<usize>,
}

/// Fills `derived` with the content of the wrapper around the scheme at `haystack[at]`. Also
/// returns how far this read, up to the end of a line.
pub(crate) fn join(
    haystack: &[u8],
    at: usize,
    context: &WrapperContext<'_>,
    most: usize,
    derived: &mut DerivedText,
) -> (JoinedWrapper, usize) {
    let Some(rules) = JoinRules::for_wrapper(haystack, at, context) else {
        return (JoinedWrapper::NotWrapped, at);
    };
    let (opener, closer) = (rules.opener, rules.closer);
    // Most wrappers close in their first line and never need the prefix, so it is read on demand.
    let prefix = LazyCell::new(|| LinePrefix::at(haystack, opener));
    let limit = haystack.len().min(opener + most);
    derived.clear();
    let mut joiner = WrapperJoiner {
        haystack,
        derived,
        rules,
        hyphens: Vec::new(),
        breaks: 0,
        lines: ContinuationLines::Indented,
        looked: at,
    };
    let mut i = at;
    while i < limit
        && let Some(&byte) = haystack.get(i)
    {
        if byte == closer {
            work_counter::add(i - at);
            let looked = joiner.looked;
            let closed = if joiner.closes(i) { joiner.close(i) } else { JoinedWrapper::NotWrapped };
            return (closed, looked.max(i));
        }
        let gap = match byte {
            // D3.5: a second opener shows that the first opened nothing. It also bounds the work:
            // no byte is read for two wrappers.
            b'<' | b'"' => break,
            b if b.is_ascii_whitespace() || b == 0x0b => LineGap::read(haystack, i, limit, &prefix),
            _ => {
                let rest = haystack.part(i..limit);
                let inside = |b: u8| {
                    let ends = matches!(b, 0x0b | b'<' | b'>' | b'"') || b == closer;
                    !b.is_ascii_whitespace() && !ends
                };
                let length = 1 + rest.part(1..).leading(inside);
                let run = rest.part(..length);
                let literals = run.strip_suffix(b"'").and_then(|before| {
                    let gap = LineGap::read(haystack, i + length, limit, &prefix);
                    Some((before, gap.between_literals(haystack)?))
                });
                let comment = || LineGap::after_comment(haystack, (run, i), limit, closer, &prefix);
                let Some((before, gap)) = literals.or_else(comment) else {
                    joiner.derived.copy(run, i);
                    i += length;
                    continue;
                };
                joiner.derived.copy(before, i);
                gap
            }
        };
        i = gap.span.end();
        match joiner.gap(gap) {
            GapStep::Continue => {}
            GapStep::NotWrapped => break,
            GapStep::Doubtful => return (JoinedWrapper::Doubtful, joiner.looked.max(i)),
            GapStep::Broken => {
                return (broken(haystack, at, gap.span.start(), limit, closer), opener + most);
            }
        }
    }
    work_counter::add(i - at);
    (JoinedWrapper::NotWrapped, joiner.looked.max(i))
}

/// D3.2: a wrapper with both a break and a space is broken if its closer follows.
fn broken(haystack: &[u8], start: usize, at: usize, limit: usize, closer: u8) -> JoinedWrapper {
    let rest = haystack.part(at..limit);
    let found = memchr::memchr2(closer, b'<', rest);
    work_counter::add(at - start + found.unwrap_or(rest.len()));
    match found {
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
    space: WrapperSpace,
    edge: WrapperEdge,
}

/// D3.2: how white space other than line breaks is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WrapperSpace {
    /// `<URL:`: removed everywhere.
    Removed,
    /// Follows the opener, so it may also precede the closer.
    AtEnds,
    None,
}

impl JoinRules {
    /// Returns the rules for the wrapper of a scheme at `at`, if breaks are removed from it (D3.2,
    /// D3.6).
    fn for_wrapper(haystack: &[u8], at: usize, context: &WrapperContext<'_>) -> Option<Self> {
        let Some(angle) = context.angle else {
            let is_quote = context.wrapper == Wrapper::Quote && context.closers == ['"'];
            let opener = at.saturating_sub(context.opener_length());
            if context.wrapper == Wrapper::Brace && context.closers == ['}'] && context.is_tex() {
                return Some(Self {
                    opener,
                    closer: b'}',
                    space: WrapperSpace::None,
                    edge: context.edge,
                });
            }
            let is_one = is_quote && !context.holds_many();
            return (is_one && quote_pair::opens(haystack, opener)).then_some(Self {
                opener,
                closer: b'"',
                space: WrapperSpace::None,
                edge: context.edge,
            });
        };
        let space = match haystack.get(angle.at + 1) {
            _ if angle.has_prefix => WrapperSpace::Removed,
            Some(byte) if byte.is_ascii_whitespace() => WrapperSpace::AtEnds,
            _ => WrapperSpace::None,
        };
        Some(Self { opener: angle.at, closer: b'>', space, edge: context.edge })
    }
}

enum GapStep {
    Continue,
    NotWrapped,
    Doubtful,
    Broken,
}

struct WrapperJoiner<'h> {
    haystack: &'h [u8],
    derived: &'h mut DerivedText,
    rules: JoinRules,
    hyphens: Vec<usize>,
    breaks: usize,
    lines: ContinuationLines,
    /// Bytes that the rules read beyond the joined text.
    looked: usize,
}

/// Indentation of the lines that continue the URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContinuationLines {
    Indented,
    Flush,
}

impl WrapperJoiner<'_> {
    fn gap(&mut self, gap: LineGap) -> GapStep {
        let rules = self.rules;
        let after = self.haystack.part(gap.span.end()..);
        if self.derived.text().last() == Some(&b'=') || page_break::may_start(after) {
            self.looked = gap.span.end() + WRAPPER_BYTES;
        }
        if after.first() == Some(&rules.closer) {
            return match gap.breaks {
                // A shell's redirection, not a closer: `wget <http://a.example/⏎ls > x`
                0 if self.breaks > 0 && rules.space == WrapperSpace::None => self.spaced(),
                0 | 1 => GapStep::Continue,
                _ => GapStep::NotWrapped,
            };
        }
        if gap.breaks == 0 {
            return match rules.space {
                WrapperSpace::Removed => self.remove(gap),
                _ => self.spaced(),
            };
        }
        self.breaks += gap.breaks;
        if !self.haystack.part(..gap.span.end()).ends_with(b" ") {
            self.lines = ContinuationLines::Flush;
        }
        // D3.2, D3.4, D3.5: a blank line, the end of the comment, too many lines, another URI, and
        // a ruled line each show that the wrapper never closed.
        if gap.breaks > 1 || gap.is_left || !self.may_break() || starts_uri(after) || is_rule(after)
        {
            return GapStep::NotWrapped;
        }
        // Fortran continues with a string after two marks: `"http://a.example/ab&⏎ &cd"`.
        if self.derived.text().last() == Some(&b'&') && after.first() == Some(&b'&') {
            return GapStep::Doubtful;
        }
        // D3.6: in quotes the text after it may be another item of a list. `<…>` holds one URI
        // only.
        if rules.closer != b'>' && self.ends_item() {
            return GapStep::NotWrapped;
        }
        // In TeX an `=` at a line end belongs to the URI, such as a query that its author broke
        // there.
        if rules.closer != b'}' && self.quoted_printable(gap, after) {
            return GapStep::Broken;
        }
        // A string in quotes may contain the break itself, while `<…>` only ever delimits a URI.
        if rules.closer != b'>' && !self.may_break_between(gap, after) {
            // A group of TeX may hold a text that starts with a URI.
            let near = after.clamped(..WRAPPER_BYTES);
            let word = near.leading(|b| !b.is_ascii_whitespace() && b != rules.closer);
            work_counter::add(word);
            if rules.closer == b'}' && near.get(word) != Some(&b'}') {
                return GapStep::NotWrapped;
            }
            return GapStep::Doubtful;
        }
        if self.derived.text().last() == Some(&b'-') {
            self.hyphens.push(self.derived.text().len() - 1);
        }
        self.remove(gap)
    }

    /// D3.2: a space without a line break. After a break in `<…>` it means that the wrapper is
    /// damaged.
    fn spaced(&self) -> GapStep {
        let was_wrapped = self.breaks > 0 && self.rules.closer == b'>';
        if was_wrapped { GapStep::Broken } else { GapStep::NotWrapped }
    }

    /// D3.6: a string may contain a line break of its own. A break in quotes is therefore removed
    /// only next to a character at which URIs are broken, or after a full line.
    fn may_break_between(&self, gap: LineGap, after: &[u8]) -> bool {
        let is_joint = |byte: &u8| b"/?&=-_.%#+~:".contains(byte);
        let (before, end) = (self.derived.text().last(), gap.span.start());
        let first = after.first();
        let ends = before.is_some_and(is_joint) || first.is_some_and(is_joint);
        // TeX's `%` in the gap
        let is_hidden = self.haystack.get(end) == Some(&b'%');
        first != Some(&b'$')
            && (is_hidden || ends || is_long(self.haystack, self.rules.opener + 1, end))
    }

    /// D3.6: true if the line ends in a `;` or `,`, which separates the items of a list.
    fn ends_item(&self) -> bool {
        matches!(self.derived.text().last(), Some(b';' | b','))
    }

    /// D3.5, D3.6: true if the line breaks so far may be removed. Indentation shows that a line
    /// continues the one before it, so flush lines are allowed fewer.
    fn may_break(&self) -> bool {
        let rules = self.rules;
        let is_exact = rules.edge == WrapperEdge::Exact;
        let most = match self.lines {
            _ if is_exact => WRAPPER_BREAKS,
            ContinuationLines::Indented => WRAPPER_BREAKS,
            ContinuationLines::Flush => 1,
        };
        self.breaks <= most
    }

    /// True if the closer at `at` closes this wrapper.
    fn closes(&self, at: usize) -> bool {
        // The opener and the closer of `"` look alike. After a break, the mark may open the next
        // string instead.
        self.rules.closer != b'"' || self.breaks == 0 || quote_pair::closes(self.haystack, at)
    }

    fn remove(&mut self, gap: LineGap) -> GapStep {
        self.derived.replace(b"", gap.span, RunOrigin::Joined);
        GapStep::Continue
    }

    /// D3.2: true for a soft line break of quoted-printable that was not decoded.
    fn quoted_printable(&self, gap: LineGap, after: &[u8]) -> bool {
        let is_escape =
            |w: &[u8]| matches!(w, [b'=', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        let text = self.derived.text();
        if text.last() != Some(&b'=') {
            return false;
        }
        let before = self.haystack.part(..self.rules.opener);
        let line = self.haystack.part(..gap.span.start());
        let columns = line.len() - memchr::memrchr(b'\n', line).map_or(0, |at| at + 1);
        let after = after.clamped(..WRAPPER_BYTES);
        // The next opener ends a wrapper too.
        let end = memchr::memchr3(self.rules.closer, b'<', b'"', after).unwrap_or(0);
        work_counter::add(end);
        // Any of these shows quoted-printable: an encoded `=` before the wrapper, lines of at most
        // 76 characters (RFC 2045 §6.7), or other escapes.
        before.ends_with(b"=3D")
            || (70..=76).contains(&columns)
            || text.windows(3).any(is_escape)
            || after.part(..end).windows(3).any(is_escape)
    }

    fn close(self, at: usize) -> JoinedWrapper {
        let length = self.derived.text().len();
        // The rules of the end must see the closer and what follows it, as in the source.
        self.derived.copy(self.haystack.clamped(at..at + 64), at);
        let hyphens = self.hyphens;
        JoinedWrapper::Text(WrapperContent { length, hyphens })
    }
}

/// White space, including the line prefixes in it.
#[derive(Clone, Copy, Debug)]
struct LineGap {
    span: Span,
    breaks: usize,
    /// D3.4: the gap leads out of the comment in which the wrapper opened, or to the other side of
    /// a diff.
    is_left: bool,
}

/// True for a line of hyphens, as between the sides of a diff.
fn is_rule(text: &[u8]) -> bool {
    let hyphens = text.clamped(..MAX_RULE_LENGTH).leading(|b| b == b'-');
    hyphens >= 3 && text.get(hyphens).is_none_or(u8::is_ascii_whitespace)
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
        let (mut i, mut breaks, mut is_left) = (at, 0, false);
        while i < limit
            && let Some(&byte) = haystack.get(i)
        {
            match byte {
                b'\n' => {
                    breaks += 1;
                    let line = i + 1;
                    i = prefix.skip(haystack.part(..limit), line);
                    is_left |= prefix.is_left(haystack, line, i)
                        && !blank_line(haystack.part(line..limit));
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => i += 1,
                _ => match page_break::length(haystack.part(i..limit)) {
                    // The footer of a page starts a line. In the middle of one, the same words are
                    // text.
                    Some(length) if breaks > 0 => {
                        i += length;
                        // D3.2: page furniture between two lines counts as a single line break.
                        breaks = 1;
                    }
                    _ => break,
                },
            }
        }
        Self { span: Span::new(at, i), breaks, is_left }
    }

    /// Returns `run` without the `%` at its end, and the gap from there: in a group of TeX, a `%`
    /// hides the line break after it.
    fn after_comment<'r, 'h>(
        haystack: &[u8],
        (run, at): (&'r [u8], usize),
        limit: usize,
        closer: u8,
        prefix: &impl Deref<Target = LinePrefix<'h>>,
    ) -> Option<(&'r [u8], Self)> {
        let end = at + run.len();
        let marks = run.trailing(|b| b == b'%');
        let breaks = matches!(haystack.get(end), Some(b'\n' | b'\r'));
        if closer != b'}' || marks == 0 || !breaks {
            return None;
        }
        let gap = Self::read(haystack, end, limit, prefix);
        let span = Span::new(end - marks, gap.span.end());
        Some((run.part(..run.len() - marks), Self { span, ..gap }))
    }

    /// Returns the gap including the apostrophes on both sides, if there are any: a program joins
    /// string literals, as in `'<a href="http://a.example/'⏎`.
    fn between_literals(self, haystack: &[u8]) -> Option<Self> {
        let span = Span::new(self.span.start() - 1, self.span.end() + 1);
        let opens = haystack.get(self.span.end()) == Some(&b'\'');
        (opens && self.breaks > 0).then_some(Self { span, ..self })
    }
}
