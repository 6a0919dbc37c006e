//! Joins lines of plain text (D5).

use alloc::vec::Vec;

use super::byte_class::is_hard;
use super::domain::is_tld as is_top;
use super::line_prefix::{LinePrefix, TextIndent, line_before};
use super::prose::is_reserved_name as is_reserved;
use super::start::starts_uri;
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_uri_byte;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::Rejoin;
use crate::scan::starts_web;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// D5: a line of this many columns may have been cut by a mailer.
const LONG_LINE: usize = 60;
/// A line of this many columns may come from text extracted from a page of two columns.
const HALF_LINE: usize = 34;
/// Bytes of a next line that are read, and most lines that are joined.
const LONGEST_LINE: usize = 1024;
const MOST_LINES: usize = 16;
/// Most bytes of indentation before the first word of the next line.
const LONGEST_INDENT: usize = 16;
/// Most bytes before the parenthesis that closes after a word.
const LONGEST_WORD: usize = 64;

/// Relation of the next line to a URI at the end of its own.
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
    if matches!(haystack.get(next), None | Some(b'\n' | b'\r')) || starts_web(haystack, next) {
        return LineContinuation::None;
    }
    let hyphen = haystack.get(end - 1) == Some(&b'-');
    let found = if hyphen || is_long(haystack, start, end) {
        next_line(haystack, (start, end), next, hyphen)
    } else if breaks_column(haystack, start, end) {
        match next_line(haystack, (start, end), next, hyphen) {
            LineContinuation::LongLine { line } if is_rest_of_path(run_at(haystack, line)) => {
                LineContinuation::Unsure
            }
            _ => LineContinuation::None,
        }
    } else {
        LineContinuation::None
    };
    // The parenthesis opened before the URI and closes after a word of the next line. Either that
    // word is the end of the URI or prose follows it, so only a flag is set.
    if found == LineContinuation::None && closes_paren(haystack, start, next) {
        return LineContinuation::Unsure;
    }
    found
}

/// True if a line break cut a query at the `?` at `end`: the next line starts with `name=`.
#[inline(always)]
pub(crate) fn cuts_query(haystack: &[u8], end: usize) -> bool {
    behind_query(haystack, end).is_some_and(|next| {
        let rest = line(haystack, next, LOOKBACK).trim_ascii_start();
        let name = rest.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
        work_counter::add(name);
        name > 0
            && matches!(rest.part(name..), [b'=', next, ..] if is_uri_byte(*next) && *next != b'=')
    })
}

/// Extensions of files before which a line may break a name: `removals.⏎html`.
#[rustfmt::skip]
const EXTENSIONS: [&[u8]; 24] = [
    b"asp", b"aspx", b"cgi", b"csv", b"doc", b"docx", b"git", b"gz", b"htm", b"html", b"jpg", b"js", b"json", b"jsp",
    b"md", b"pdf", b"php", b"png", b"ps", b"rst", b"txt", b"xhtml", b"xml", b"zip",
];

/// Returns the start of the next line if the full stop at `end`, which D4.3 drops, ends a line.
#[inline(always)]
pub(crate) fn line_behind_full_stop(haystack: &[u8], end: usize) -> Option<usize> {
    if haystack.get(end) == Some(&b'.') { line_after(haystack, end + 1) } else { None }
}

/// Like [`line_behind_full_stop`], but only if the next line starts with a word that starts no
/// sentence.
#[inline(always)]
pub(crate) fn behind_full_stop(haystack: &[u8], end: usize) -> Option<usize> {
    let next = line_behind_full_stop(haystack, end)?;
    // a list of URIs, one per line
    if starts_web(haystack, next) {
        return None;
    }
    let near = haystack.clamped(next..next + LONGEST_INDENT);
    let text = near.part(near.leading(|b| b" \t>#*/|%;-".contains(&b))..);
    text.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit()).then_some(next)
}

/// D5: true if a line break cut the URI from `start` to `end` behind the full stop that D4.3 drops.
/// Either its `host`, set if the URI ends with it, is incomplete and the next line continues it. Or
/// the next line starts with a file extension.
pub(crate) fn cuts_behind_full_stop(
    haystack: &[u8],
    (start, end): (usize, usize),
    host: Option<&[u8]>,
) -> bool {
    let Some(next) = behind_full_stop(haystack, end) else { return false };
    let Some(text) = LinePrefix::of(haystack, start).text(haystack, next) else { return false };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    let word = run.part(..run.leading(|b| b.is_ascii_alphanumeric() || b == b'-'));
    if starts_uri(run)
        || !word.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return false;
    }
    let after = run.part(word.len()..);
    match host {
        Some(host) => {
            let mut labels = host.rsplit(|&b| b == b'.');
            let top = labels.next().unwrap_or_default();
            let is_name = labels.next().is_some();
            let is_whole = is_name && (is_top(top) || top.iter().all(u8::is_ascii_digit));
            let goes_on = matches!(after, [b'.' | b'/' | b':', next, ..] if next.is_ascii_alphanumeric())
                || is_top(word) && matches!(after, [] | [b'/' | b'.' | b',' | b')' | b'>', ..]);
            let is_own = top.eq_ignore_ascii_case(b"localhost") || is_name && is_reserved(top);
            !is_whole && !is_own && goes_on
        }
        None => {
            let ends =
                after.first().is_none_or(|b| !b.is_ascii_alphanumeric() && !b"_=".contains(b));
            // The name may also be cut before its last full stop: `index.⏎page2.html`.
            EXTENSIONS.contains(&word) && ends || has_extension(run)
        }
    }
}

/// Returns the start of the line that decides whether a URI continues there, or `end` if no line
/// has to.
pub(crate) fn asked_line(haystack: &[u8], start: usize, end: usize) -> usize {
    let may_go_on = haystack.get(end - 1) == Some(&b'-')
        || is_long(haystack, start, end)
        || breaks_column(haystack, start, end)
        || line_before(haystack, start).is_some_and(leaves_paren_open);
    match line_after(haystack, end) {
        Some(next) if may_go_on => next,
        _ => end,
    }
}

/// Returns the start of the next line if the `?` at `end` ends a line.
#[inline(always)]
pub(crate) fn behind_query(haystack: &[u8], end: usize) -> Option<usize> {
    if haystack.get(end) == Some(&b'?') { line_after(haystack, end + 1) } else { None }
}

/// Returns up to `most` bytes of the line at `at`.
fn line(haystack: &[u8], at: usize, most: usize) -> &[u8] {
    let near = haystack.clamped(at..at + most);
    memchr::memchr(b'\n', near).map_or(near, |end| near.part(..end))
}

/// Classifies the line at `next`, after a URI that ends a long line or ends in a `hyphen`.
fn next_line(
    haystack: &[u8],
    (start, end): (usize, usize),
    next: usize,
    hyphen: bool,
) -> LineContinuation {
    // Prefixes do not start with a letter, so this cheap test needs none.
    let bare = haystack.get(next).is_some_and(u8::is_ascii_alphabetic);
    if bare && starts_uri(haystack.part(next..)) {
        return LineContinuation::None;
    }
    let Some(text) = LinePrefix::of(haystack, start).text(haystack, next) else {
        return LineContinuation::None;
    };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    if !starts_rest(run) || starts_uri(run) || is_key(haystack.clamped(start..next), rest) {
        return LineContinuation::None;
    }
    let before = haystack.get(end - 1).copied().unwrap_or_default();
    let line = text.at;
    match text.indent {
        TextIndent::None | TextIndent::Same if hyphen => LineContinuation::Hyphen { line },
        TextIndent::None if is_rest(before, run) => LineContinuation::LongLine { line },
        TextIndent::Same if is_rest(before, run) && is_cut(before, run) => {
            LineContinuation::LongLine { line }
        }
        TextIndent::Deeper if hyphen || is_rest(before, run) && is_cut(before, run) => {
            LineContinuation::Unsure
        }
        _ if matches!(run, [b'-', _, ..]) => LineContinuation::Unsure,
        TextIndent::Deeper if run.starts_with(b"#") => LineContinuation::Unsure,
        _ => LineContinuation::None,
    }
}

/// True if `run` starts with a letter or digit, or with one mark before which URIs are broken.
fn starts_rest(run: &[u8]) -> bool {
    match run {
        [first, ..] if first.is_ascii_alphanumeric() => true,
        [
            b'/' | b'?' | b'&' | b'=' | b'%' | b'_' | b'.' | b'-' | b'#' | b'+' | b'~' | b'$'
            | b'@',
            next,
            ..,
        ] => next.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// True if `run` looks like the rest of a URI that ends in `last`. Only a mailer, which counts
/// columns, breaks a line between two letters or digits. Names in programs and abbreviations look
/// alike there, so more evidence is needed.
fn is_rest(last: u8, run: &[u8]) -> bool {
    let is_joint = |b: u8| b"/?&=%_.-#+~".contains(&b);
    let first = run.first().copied().unwrap_or_default();
    let is_code = run.windows(2).any(|w| matches!(w, b"::" | b"->"))
        || run.iter().any(|b| b",(".contains(b))
        || run.windows(3).any(|w| w == b"://");
    let is_more = is_rest_of_path(run);
    let is_segment = last == b'/' && is_more;
    !is_code
        && (looks_like_rest(run) || is_segment)
        && (is_joint(last) || is_joint(first) || is_more)
}

/// True if `run` has more of a URI than a full stop or a slash between two words: a query, a file
/// extension, several slashes, or a hyphenated name before a slash, `debian-policy/`.
fn is_rest_of_path(run: &[u8]) -> bool {
    let segment = run.part(..run.len() - run.trailing(|b| b".,;:)>]".contains(&b)));
    let slashes = run.iter().filter(|&&b| b == b'/').count();
    slashes > 1
        || run.iter().any(|&b| matches!(b, b'?' | b'&' | b'='))
        || has_extension(run)
        || segment.ends_with(b"/") && segment.contains(&b'-')
}

/// Returns the URI characters at `haystack[at]`.
fn run_at(haystack: &[u8], at: usize) -> &[u8] {
    let near = haystack.clamped(at..at + LOOKBACK);
    near.part(..near.leading(is_uri_byte))
}

/// True if `run` ends in a file extension, apart from trailing punctuation.
fn has_extension(run: &[u8]) -> bool {
    let run = run.part(..run.len() - run.trailing(|b| b".,;:)>".contains(&b)));
    let (name, extension) = run.split_at(run.len() - run.trailing(|b| b.is_ascii_alphanumeric()));
    name.last() == Some(&b'.') && EXTENSIONS.contains(&extension)
}

/// True if `run`, in an indented line, looks like the rest of a URI that ends in `last`. The test
/// is stricter because such a line may belong to a program.
fn is_cut(last: u8, run: &[u8]) -> bool {
    let is_joint = |b: u8| b"/?&=%".contains(&b);
    looks_like_rest(run)
        && (is_joint(last) || last == b'_' || last == b'.' || run.iter().any(|&b| is_joint(b)))
}

/// True if a word of the line at `next` closes a parenthesis that opened before the URI at `start`.
fn closes_paren(haystack: &[u8], start: usize, next: usize) -> bool {
    if matches!(haystack.part(..start).last(), None | Some(b'\n')) {
        return false;
    }
    let near = haystack.clamped(next..next + LONGEST_WORD);
    let rest = near.part(near.leading(|b| b.is_ascii_whitespace() && b != b'\n')..);
    let word = rest.part(..rest.leading(|b| is_uri_byte(b) && !matches!(b, b'(' | b')')));
    if word.is_empty() || rest.get(word.len()) != Some(&b')') {
        return false;
    }
    !starts_uri(word) && line_before(haystack, start).is_some_and(leaves_paren_open)
}

fn leaves_paren_open(line: &[u8]) -> bool {
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

/// True for the start of a setting, a rule, or a definition: `NAME = …`, `NAME: …`, or `[x]: …`.
fn is_key(uri: &[u8], text: &[u8]) -> bool {
    let name = text.leading(|b| b.is_ascii_alphanumeric() || b"_-./$(){}%".contains(&b));
    let rest = text.part(name..);
    let (rest, spaced) = match rest.trim_ascii_start() {
        [b'+' | b'?' | b':', after @ ..] if after.starts_with(b"=") => (after, true),
        after => (after, after.len() < rest.len()),
    };
    match rest {
        [b'[', ..] if name == 0 => memchr::memmem::find(rest, b"]:").is_some(),
        // a line of iCalendar, vCard, or a header
        [b':' | b';', ..]
            if name > 2
                && text
                    .part(..name)
                    .iter()
                    .all(|b| b.is_ascii_uppercase() || b"-_".contains(b)) =>
        {
            true
        }
        [b':', after @ ..] => after.first().is_none_or(u8::is_ascii_whitespace),
        [b'=', ..] if spaced => true,
        // A setting, unless the URI has a query that could continue.
        [b'=', ..] => !uri.contains(&b'?') && !text.part(..name).contains(&b'/'),
        _ => false,
    }
}

/// True if the line that ends with the URI is as long as lines that a mailer cuts.
pub(crate) fn is_long(haystack: &[u8], start: usize, end: usize) -> bool {
    has_columns(haystack, start, end, LONG_LINE)
}

/// True if the line is as long as a column of a page, and the URI ends where URIs are broken.
fn breaks_column(haystack: &[u8], start: usize, end: usize) -> bool {
    let is_joint = matches!(haystack.get(end - 1), Some(b'/' | b'=' | b'&' | b'?'));
    is_joint && has_columns(haystack, start, end, HALF_LINE)
}

fn has_columns(haystack: &[u8], start: usize, end: usize, most: usize) -> bool {
    let columns = match haystack.get(start.wrapping_sub(1)) {
        // The URI starts its line, so the start of the line need not be searched for.
        None | Some(b'\n') => end - start,
        _ => {
            let before = haystack.part(end.saturating_sub(most)..end);
            memchr::memrchr(b'\n', before).map_or(before.len(), |at| before.len() - at - 1)
        }
    };
    columns >= most
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
    for lines in 0..MOST_LINES {
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
        let rest = haystack.clamped(line..line + LONGEST_LINE);
        (from, to) = (line, line + rest.leading(|b| !is_hard(b)));
    }
    // The rules also read the text after the last line.
    derived.copy(haystack.clamped(to..to + 64), to);
    Some(hyphens)
}

/// Returns the start of the next line if `end` is a line end.
#[inline(always)]
fn line_after(haystack: &[u8], end: usize) -> Option<usize> {
    match haystack.get(end..)? {
        [b'\n', ..] => Some(end + 1),
        [b'\r', b'\n', ..] => Some(end + 2),
        _ => None,
    }
}

/// True if one of `/ . ? = & % _` stands between letters or digits.
pub(crate) fn looks_like_rest(run: &[u8]) -> bool {
    run.windows(3).any(|w| {
        matches!(w, [before, b'/' | b'.' | b'?' | b'=' | b'&' | b'%' | b'_', after]
            if before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
    })
}
