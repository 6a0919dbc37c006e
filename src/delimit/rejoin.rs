//! Joins lines of plain text (D5).

use alloc::vec::Vec;

use super::byte_class::is_hard;
use super::dropped_mark::starts_host;
use super::line_likeness::starts_alike;
use super::line_prefix::{LinePrefix, TextIndent, line, line_after, line_before};
use super::open_end::{
    MAX_INDENT, continues_name, cuts_owner, ends_open, may_start_path, open_end,
};
use super::start::starts_uri;
use super::uri_rest::{
    MAX_WORD_LENGTH, ends_name, is_cut, is_date, is_key, is_rest, is_rest_of_path, is_section,
    names_file, starts_rest, starts_sentence,
};
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_uri_byte;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::Rejoin;
use crate::scan::starts_web;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// D5: a line of this many columns may have been cut by a mailer.
// Mailers wrap at 65 to 78 columns (RFC 5322 §2.1.1 advises 78 at most), and a word that did not
// fit leaves the line shorter.
const LONG_LINE: usize = 60;
/// A line of this many columns may come from text extracted from a page of two columns.
const HALF_LINE: usize = 34;
/// Bytes of a next line that are read, and most lines that are joined.
pub(crate) const MAX_LINE_LENGTH: usize = 1024;
const MAX_LINES: usize = 16;
/// Longest option of a command.
const MAX_OPTION_LENGTH: usize = 4;

/// Relation of the next line to a URI at the end of the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineContinuation {
    None,
    /// The URI ends in a hyphen; the next line starts at `line`.
    Hyphen {
        line: usize,
    },
    /// The line is long, and the next one looks like the rest of a URI.
    LongLine {
        line: usize,
    },
    /// The URI may continue, but no mode joins the lines.
    Unsure,
}

/// Classifies the line after a URI from `start` to `end`.
#[inline(always)]
pub(crate) fn continuation(haystack: &[u8], start: usize, end: usize) -> LineContinuation {
    // Cheap tests first: most URIs do not end a line, or end a short one.
    let Some(next) = line_after(haystack, end) else {
        return LineContinuation::None;
    };
    if matches!(haystack.get(next), None | Some(b'\n' | b'\r'))
        || starts_web(haystack, next)
        || repeats_scheme(haystack.part(start..), haystack.part(next..))
    {
        return LineContinuation::None;
    }
    let found = related(haystack, (start, end), next);
    // A list, a log, or a table: each line starts anew.
    if found != LineContinuation::None && starts_alike(haystack, start, next) {
        return LineContinuation::None;
    }
    found
}

/// True if `line` starts with the scheme that `uri` has, as in a list of URNs. With another scheme
/// it may be the rest of the URI: `…&redirect_uri=⏎urn:ietf:wg:oauth:2.0:oob`.
#[inline(always)]
fn repeats_scheme(uri: &[u8], line: &[u8]) -> bool {
    // The longest scheme that often makes lists is `mailto`. Its first bytes already tell most
    // other lines apart.
    let (Some(uri), Some(line)) = (uri.first_chunk::<7>(), line.first_chunk::<7>()) else {
        return false;
    };
    uri.first_chunk::<4>() == line.first_chunk::<4>()
        && (uri[3] == b':' || uri == line && uri[6] == b':')
}

/// Classifies the line at `next` by the end of the URI, the width of its line, and its own start.
fn related(haystack: &[u8], (start, end): (usize, usize), next: usize) -> LineContinuation {
    let last = haystack.part(..end).last().copied().unwrap_or_default();
    let hyphen = last == b'-';
    let columns = columns(haystack, start, end, LONG_LINE);
    let wide = columns >= HALF_LINE;
    let width = match () {
        // A hyphen at the line end needs no long line: typesetters and authors break a URI there at
        // any width.
        () if hyphen || columns >= LONG_LINE => LineWidth::Long,
        // As long as a column of a page, and the URI ends where URIs are broken
        () if wide && matches!(last, b'/' | b'=' | b'&' | b'?') => LineWidth::Half,
        () => LineWidth::Short,
    };
    let found = match width {
        LineWidth::Short => LineContinuation::None,
        _ => next_line(haystack, (start, end), next, width),
    };
    if found != LineContinuation::None {
        return found;
    }
    // The parenthesis opened before the URI and closes after a word of the next line. Either that
    // word is the end of the URI or prose follows it, so only a flag is set.
    let may_be_open = ends_open(haystack.part(start..end))
        || wide && (last == b'/' || may_start_path(haystack, next));
    if may_be_open && open_end(haystack, (start, end), next, wide)
        || continues_encoded(haystack, (start, end), next, wide)
        || wide && continues_in_query(haystack, (start, end), next)
        || wide && continues_name(haystack, (start, end), next)
        || closes_paren(haystack, start, next)
    {
        LineContinuation::Unsure
    } else {
        LineContinuation::None
    }
}

/// True if the line at `next` starts with a percent-encoded character, as no sentence does. Slides
/// are narrow, so a URI that has such characters itself needs no wide line: `?u=http%3A⏎%2F%2Fb`.
fn continues_encoded(
    haystack: &[u8],
    (start, end): (usize, usize),
    next: usize,
    wide: bool,
) -> bool {
    // Most lines start with a word. The prefix is classified only where it matters.
    let near = haystack.clamped(next..next + MAX_INDENT);
    let marks = near.leading(|b| b" \t>#*|;-/".contains(&b));
    if !starts_with_triplet(near.part(marks..)) {
        return false;
    }
    let text = LinePrefix::at(haystack, start).text(haystack, next);
    text.is_some_and(|text| starts_with_triplet(haystack.part(text.at..)))
        // The bytes of one character are several triplets, so a URI that has some continues with
        // more.
        && (wide || haystack.part(start..end).contains(&b'%'))
}

/// True if the line at `next` starts with a parameter, `&state=xyz`, and the URI has a query. RFCs
/// and manuals break long requests there.
fn continues_in_query(haystack: &[u8], (start, end): (usize, usize), next: usize) -> bool {
    let near = haystack.clamped(next..next + MAX_INDENT);
    let text = near.part(near.leading(|b| b == b' ' || b == b'\t')..);
    let [b'&', name @ ..] = text else { return false };
    let length = name.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    length > 0
        && matches!(name.get(length), Some(b'=') | None)
        && haystack.part(start..end).contains(&b'?')
}

/// RFC 3986 §2.1. Comments of TeX and formats of programs start with letters alone: `%define`,
/// `%ad`. A triplet of letters therefore counts only before another one.
fn starts_with_triplet(text: &[u8]) -> bool {
    matches!(text, [b'%', high, low, rest @ ..]
        if high.is_ascii_hexdigit()
            && low.is_ascii_hexdigit()
            && (high.is_ascii_digit() || low.is_ascii_digit() || rest.starts_with(b"%")))
}

/// True if a URI with an authority has a path that ends in a letter or a digit, as the path of a
/// file does.
fn has_path(uri: &[u8]) -> bool {
    // The scheme and its slashes are at the start. Without the bound, each line of a long URI would
    // be searched to its end.
    let authority = crate::memmem::find(uri.clamped(..LOOKBACK), b"://").map(|at| at + 3);
    authority.is_some_and(|at| uri.part(at..).contains(&b'/'))
        && uri.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns the start of the line that decides whether a URI that ends at `end` continues there, or
/// `end` if no line has to.
///
/// A stream waits for that line. So after a short line, only a URI with an unusual end needs it,
/// and a log is shown as it grows.
pub(crate) fn deciding_line(haystack: &[u8], start: usize, end: usize) -> usize {
    let may_continue = haystack.get(end - 1) == Some(&b'-')
        || ends_open(haystack.part(start..end))
        || columns(haystack, start, end, HALF_LINE) >= HALF_LINE
        || haystack.part(start..end).contains(&b'%')
        || line_before(haystack, start).is_some_and(leaves_paren_open);
    match line_after(haystack, end) {
        Some(next) if may_continue => next,
        _ => end,
    }
}

/// Whether a program may have cut a line for its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineWidth {
    Long,
    /// As long as a column of a page.
    Half,
    Short,
}

impl LineWidth {
    /// The relation of a line at `line` that looks like the rest of the URI.
    fn joined(self, line: usize) -> LineContinuation {
        match self {
            Self::Long => LineContinuation::LongLine { line },
            Self::Half | Self::Short => LineContinuation::Unsure,
        }
    }
}

/// Classifies the line at `next`, after a URI that ends a line of this `width` or in a hyphen.
fn next_line(
    haystack: &[u8],
    (start, end): (usize, usize),
    next: usize,
    width: LineWidth,
) -> LineContinuation {
    // Prefixes do not start with a letter, so this cheap test needs none.
    let bare = haystack.get(next).is_some_and(u8::is_ascii_alphabetic);
    if bare && starts_uri(haystack.part(next..)) {
        return LineContinuation::None;
    }
    let Some(text) = LinePrefix::at(haystack, start).text(haystack, next) else {
        return LineContinuation::None;
    };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    let before = haystack.get(end - 1).copied().unwrap_or_default();
    let hyphen = before == b'-';
    let has_path = || has_path(haystack.part(start..end));
    if !starts_rest(run)
        || starts_uri(run)
        || is_key(haystack.clamped(start..next), rest)
        || names_file(run)
        || is_date(run)
        || starts_sentence(run, rest)
        || is_section(run, rest)
        || width == LineWidth::Half && !is_rest_of_path(run)
        || !hyphen && has_path() && starts_host(run)
    {
        return LineContinuation::None;
    }
    let line = text.at;
    // A reference in a list: the rest is alone in its line.
    let is_alone = rest.part(run.len()..).trim_ascii().is_empty();
    match text.indent {
        // A line that starts further left is another paragraph or another item.
        TextIndent::Less => LineContinuation::None,
        TextIndent::None | TextIndent::Same if hyphen => LineContinuation::Hyphen { line },
        // Flush left, the line is the mailer's. With indentation it may belong to a program, so the
        // next two need more evidence.
        TextIndent::None if is_rest(before, run) => width.joined(line),
        TextIndent::Same if is_rest(before, run) && is_cut(before, run) => width.joined(line),
        TextIndent::Deeper if hyphen || is_rest(before, run) && is_cut(before, run) => {
            if width == LineWidth::Long || is_alone {
                LineContinuation::Unsure
            } else {
                LineContinuation::None
            }
        }
        _ if width == LineWidth::Half => LineContinuation::None,
        _ if is_alone && has_path() && ends_name(haystack.part(start..end), run) => {
            LineContinuation::Unsure
        }
        // Not an option of a command, `-O2`
        _ if matches!(run, [b'-', ..]) && run.len() > MAX_OPTION_LENGTH => LineContinuation::Unsure,
        TextIndent::Deeper if run.starts_with(b"#") => LineContinuation::Unsure,
        _ if cuts_owner(haystack.part(start..end), run) => LineContinuation::Unsure,
        _ => LineContinuation::None,
    }
}

/// Returns the URI characters at `haystack[at]`.
fn run_at(haystack: &[u8], at: usize) -> &[u8] {
    let near = haystack.clamped(at..at + LOOKBACK);
    near.part(..near.leading(is_uri_byte))
}

/// True if a word of the line at `next` closes a parenthesis that opened before the URI at `start`.
fn closes_paren(haystack: &[u8], start: usize, next: usize) -> bool {
    // A URI at the start of its line has nothing before it that could be open.
    if matches!(haystack.part(..start).last(), None | Some(b'\n')) {
        return false;
    }
    let near = haystack.clamped(next..next + MAX_WORD_LENGTH);
    let rest = near.part(near.leading(|b| b.is_ascii_whitespace() && b != b'\n')..);
    let word = rest.part(..rest.leading(|b| is_uri_byte(b) && !matches!(b, b'(' | b')')));
    if word.is_empty() || rest.get(word.len()) != Some(&b')') {
        return false;
    }
    !starts_uri(word) && line_before(haystack, start).is_some_and(leaves_paren_open)
}

/// True if a parenthesis that opened in `line` is open at its end.
pub(super) fn leaves_paren_open(line: &[u8]) -> bool {
    let mut depth = 0usize;
    for &byte in line {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

/// True if the line that ends with the URI is as long as lines that a mailer cuts.
pub(crate) fn is_long(haystack: &[u8], start: usize, end: usize) -> bool {
    columns(haystack, start, end, LONG_LINE) >= LONG_LINE
}

/// Returns the columns of the line up to `end`; of a longer line, some number above `most`.
#[inline]
fn columns(haystack: &[u8], start: usize, end: usize, most: usize) -> usize {
    let length = match haystack.get(start.wrapping_sub(1)) {
        // The URI starts its line, so the start of the line need not be searched for.
        None | Some(b'\n') => end - start,
        _ => length_of_line(haystack, end, most),
    };
    // Few bytes take no more columns.
    if length < HALF_LINE || haystack.part(end - length..end).is_ascii() {
        length
    } else {
        columns_of_others(haystack, end, most)
    }
}

/// Counts the columns of a line with characters above ASCII.
#[cold]
fn columns_of_others(haystack: &[u8], end: usize, most: usize) -> usize {
    let length = length_of_line(haystack, end, most * MAX_CHARACTER_LENGTH);
    haystack.part(end - length..end).iter().map(|&byte| columns_of(byte)).sum()
}

/// Returns the bytes of the line up to `end`, at most `most`.
#[inline]
fn length_of_line(haystack: &[u8], end: usize, most: usize) -> usize {
    let before = haystack.part(end.saturating_sub(most)..end);
    memchr::memrchr(b'\n', before).map_or(before.len(), |at| before.len() - at - 1)
}

/// Bytes of a character in UTF-8.
const MAX_CHARACTER_LENGTH: usize = 4;

/// Returns the columns that a character takes, by its first byte in UTF-8. Han, kana, Hangul, and
/// the signs of full width (U+3000 to U+DFFF, U+F000 to U+FFFF, and emoji) take two. Mail programs
/// count columns or characters, never bytes.
fn columns_of(byte: u8) -> usize {
    match byte {
        0x80..0xC0 => 0,
        0xE3..=0xED | 0xEF.. => 2,
        _ => 1,
    }
}

/// Fills `derived` with the URI from `start` to `end`, joined with the lines that continue it.
/// Returns the offsets in it at which a hyphen ended a line.
pub(crate) fn join(
    haystack: &[u8],
    start: usize,
    end: usize,
    rejoin: Rejoin,
    derived: &mut DerivedText,
) -> Option<Vec<usize>> {
    derived.clear();
    let mut hyphens = Vec::new();
    let (mut from, mut to) = (start, end);
    for lines in 0..MAX_LINES {
        derived.copy(haystack.get(from..to)?, from);
        let line = match (continuation(haystack, start, to), rejoin) {
            (LineContinuation::Hyphen { line }, Rejoin::Hyphen | Rejoin::Always) => {
                hyphens.push(derived.text().len() - 1);
                line
            }
            (LineContinuation::LongLine { line }, Rejoin::Always) => line,
            _ if lines == 0 => return None,
            _ => break,
        };
        derived.replace(b"", Span::new(to, line), RunOrigin::Joined);
        let rest = haystack.clamped(line..line + MAX_LINE_LENGTH);
        (from, to) = (line, line + rest.leading(|b| !is_hard(b)));
    }
    // The rules also read the text after the last line.
    derived.copy(haystack.clamped(to..to + 64), to);
    Some(hyphens)
}

/// The start of a URI that ends its line before the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadlessUri {
    /// End of the scheme and what follows it: `:`, `://`, `://www.`.
    end: usize,
    /// True if the slashes are in the next line, too.
    lacks_slashes: bool,
    /// Start of the next line.
    pub next: usize,
}

impl HeadlessUri {
    /// Reads what follows the scheme's `colon`.
    pub fn read(haystack: &[u8], colon: usize) -> Option<Self> {
        let rest = haystack.part(colon + 1..);
        let length = match rest.strip_prefix(b"//") {
            Some(rest) if rest.starts_with(b"www.") => b"//www.".len(),
            Some(_) => b"//".len(),
            None => 0,
        };
        let end = colon + 1 + length;
        Some(Self { end, lacks_slashes: length == 0, next: line_after(haystack, end)? })
    }

    /// Returns the start of the text in the next line if it starts with a host that has a known
    /// top-level domain. `start` is that of the URI.
    pub fn rest_at(self, haystack: &[u8], start: usize) -> Option<usize> {
        let text = text_at(haystack, start, self.next)?;
        let run = run_at(haystack, text);
        work_counter::add(run.len());
        let host = match self.lacks_slashes {
            // A word alone in its line may be a label or a key of a program, before a comment.
            true if is_first_in_line(haystack, start) => return None,
            true => run.strip_prefix(b"//")?,
            false => run,
        };
        (!starts_uri(host) && starts_host(host)).then_some(text)
    }
}

/// True if nothing but white space precedes `haystack[at]` in its line.
fn is_first_in_line(haystack: &[u8], at: usize) -> bool {
    line_before(haystack, at).is_some_and(|line| line.trim_ascii().is_empty())
}

/// Returns the start of the text in the line at `next`, after the prefix of the line of `start`.
fn text_at(haystack: &[u8], start: usize, next: usize) -> Option<usize> {
    let prefix = LinePrefix::at(haystack, start);
    let text = match prefix.text(haystack, next) {
        Some(text) => text.at,
        // A star may also be the bullet of a list.
        None if prefix.is_star() => next,
        None => return None,
    };
    Some(text + blanks(haystack.clamped(text..text + LOOKBACK)))
}

/// Returns the length of the indentation at the start of `line`. Browsers that print a page indent
/// with no-break spaces.
fn blanks(line: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += match line.part(length..) {
            [b' ' | b'\t', ..] => 1,
            [0xC2, 0xA0, ..] => 2,
            _ => return length,
        };
    }
}

/// Fills `derived` with the `head` of a URI from `start` on, and the rest from `line` on.
pub(crate) fn join_host(
    haystack: &[u8],
    start: usize,
    head: HeadlessUri,
    line: usize,
    derived: &mut DerivedText,
) {
    derived.clear();
    derived.copy(haystack.part(start..head.end), start);
    derived.replace(b"", Span::new(head.end, line), RunOrigin::Joined);
    // The rules also read the text after the URI.
    derived.copy(haystack.clamped(line..line + MAX_LINE_LENGTH), line);
}
