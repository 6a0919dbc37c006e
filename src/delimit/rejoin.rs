//! Joins lines of plain text (D5).

use alloc::vec::Vec;

use super::byte_class::is_hard;
use super::dropped_mark::{EXTENSIONS, starts_host};
use super::line_likeness::starts_alike;
use super::line_prefix::{LinePrefix, TextIndent, line_before};
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
pub(crate) const LONGEST_LINE: usize = 1024;
const MOST_LINES: usize = 16;
/// Most bytes of indentation before the first word of the next line.
const LONGEST_INDENT: usize = 16;
/// Longest option of a command.
const LONGEST_OPTION: usize = 4;
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
    let found = related(haystack, (start, end), next);
    // A list, a log, or a table: each line starts anew.
    if found != LineContinuation::None && starts_alike(haystack, start, next) {
        return LineContinuation::None;
    }
    found
}

/// Classifies the line at `next` by the end of the URI, the width of its line, and its own start.
fn related(haystack: &[u8], (start, end): (usize, usize), next: usize) -> LineContinuation {
    let last = haystack.part(..end).last().copied().unwrap_or_default();
    let hyphen = last == b'-';
    let columns = columns(haystack, start, end, LONG_LINE);
    let wide = columns >= HALF_LINE;
    let found = if hyphen || columns >= LONG_LINE {
        next_line(haystack, (start, end), next, hyphen)
    // as long as a column of a page, and the URI ends where URIs are broken
    } else if wide && matches!(last, b'/' | b'=' | b'&' | b'?') {
        match next_line(haystack, (start, end), next, hyphen) {
            LineContinuation::LongLine { line } if is_rest_of_path(run_at(haystack, line)) => {
                LineContinuation::Unsure
            }
            _ => LineContinuation::None,
        }
    } else {
        LineContinuation::None
    };
    if found != LineContinuation::None {
        return found;
    }
    // The parenthesis opened before the URI and closes after a word of the next line. Either that
    // word is the end of the URI or prose follows it, so only a flag is set.
    let may_be_open = ends_open(haystack.part(start..end))
        || wide && (last == b'/' || may_start_path(haystack, next));
    match may_be_open && open_end(haystack, (start, end), next, wide)
        || closes_paren(haystack, start, next)
    {
        true => LineContinuation::Unsure,
        false => LineContinuation::None,
    }
}

/// True if the line at `next` may start with a path. Cheap, because it is asked for every URI at
/// the end of its line.
fn may_start_path(haystack: &[u8], next: usize) -> bool {
    // Most lines start with a word.
    if haystack.get(next).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let near = haystack.clamped(next..next + LONGEST_INDENT);
    let marks = near.leading(|b| b" \t>#*|%;-".contains(&b));
    matches!(near.part(marks..), [b'/' | b'~', second, ..] if second.is_ascii_alphanumeric() || *second == b'/')
}

/// True if a URI ends in a character that few URIs end in, or where a DOI must follow.
fn ends_open(uri: &[u8]) -> bool {
    // Two underscores are a mark of emphasis.
    matches!(uri, [.., b'_' | b'=' | b'&']) && !uri.ends_with(b"__") || ends_before_doi(uri)
}

/// True if the URI ends in a character that ends no sentence, and the line at `next` fits behind
/// it. Both ends show the break, so the width of the line does not matter.
fn open_end(haystack: &[u8], (start, end): (usize, usize), next: usize, wide: bool) -> bool {
    let Some(text) = LinePrefix::of(haystack, start).text(haystack, next) else { return false };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    let uri = haystack.part(start..end);
    let in_query = uri.last() == Some(&b'&');
    if starts_uri(run) || !in_query && is_key(uri, rest) {
        return false;
    }
    let token = without_punctuation(run);
    let starts = |is: fn(&u8) -> bool| token.first().is_some_and(is);
    // A URI that has its line for itself may be one of a list of URIs and paths.
    let is_alone = is_alone(haystack, start) && text.indent != TextIndent::Deeper;
    starts_path(token) && (!is_alone || rest.part(run.len()..).trim_ascii().len() > 1)
        || match uri.last() {
            Some(b'_') => starts(|b| b.is_ascii_alphanumeric() || *b == b'('),
            Some(b'=') => {
                ends_in_name(uri)
                    && (starts(u8::is_ascii_digit) || wide && starts(u8::is_ascii_alphanumeric))
            }
            Some(b'&') => {
                let token = token.strip_prefix(b"&").unwrap_or(token);
                let name = token.leading(|b| b.is_ascii_alphanumeric() || b == b'_');
                name > 0 && (matches!(token.get(name), Some(b'=')) || token.len() < run.len())
            }
            Some(b'/') => {
                starts_doi(uri, token)
                    || wide && (is_segment(token) || has_query(token))
                    || is_project(uri, token)
            }
            _ => false,
        }
}

/// True if nothing but white space and marks precedes the URI in its line.
fn is_alone(haystack: &[u8], start: usize) -> bool {
    let before = line_before(haystack, start);
    before.is_some_and(|line| !line.iter().any(u8::is_ascii_alphanumeric))
}

/// True if a query ends in the name of a parameter and `=`.
fn ends_in_name(uri: &[u8]) -> bool {
    let Some(before) = uri.strip_suffix(b"=") else { return false };
    let near = before.tail(LONGEST_WORD);
    let name = near.trailing(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    let mark = near.part(..near.len() - name).last();
    name > 0 && matches!(mark, Some(b'?' | b'&' | b';'))
}

/// Directories at the root of a file system. A line that starts with one names a file.
#[rustfmt::skip]
const ROOTS: [&[u8]; 21] = [
    b"Applications", b"Library", b"System", b"Users", b"bin", b"boot", b"dev", b"etc", b"home", b"lib", b"mnt",
    b"opt", b"proc", b"root", b"run", b"sbin", b"srv", b"sys", b"tmp", b"usr",
    b"var",
];

/// True for the path of a file at the start of a line: `/usr/include/x.h`.
fn names_file(token: &[u8]) -> bool {
    let Some(path) = token.strip_prefix(b"/") else { return false };
    let root = path.part(..path.leading(|b| b != b'/'));
    ROOTS.contains(&root) && root.len() < path.len()
}

/// True if a URI with an authority has a path that ends in a letter or a digit, as the path of a
/// file does.
fn has_path(uri: &[u8]) -> bool {
    let authority = memchr::memmem::find(uri.clamped(..LOOKBACK), b"://").map(|at| at + 3);
    authority.is_some_and(|at| uri.part(at..).contains(&b'/'))
        && uri.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// True for the path of a URI at the start of a line: `/papers/x.html`, `~smith/`.
fn starts_path(token: &[u8]) -> bool {
    match token {
        [b'/', path @ ..] => {
            !names_file(token)
                && path.first().is_some_and(u8::is_ascii_alphanumeric)
                && looks_like_rest(path)
        }
        [b'~', first, ..] => first.is_ascii_alphabetic() && token.len() > 3,
        _ => false,
    }
}

/// True for a word behind `/` that no sentence contains: `amd64`, `downloads/`, `Index#top`,
/// `issues/12`.
fn is_segment(token: &[u8]) -> bool {
    let digits = token.iter().filter(|b| b.is_ascii_digit()).count();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"-_./#".contains(&b);
    let has_anchor = token.windows(3).any(|w| {
        matches!(w, [before, b'#', after] if before.is_ascii_alphanumeric() && after.is_ascii_alphabetic())
    });
    let starts_small = token.first().is_some_and(u8::is_ascii_lowercase);
    token.leading(is_word) == token.len()
        && token.first().is_some_and(u8::is_ascii_alphanumeric)
        && (has_anchor
            || token.len() > 2 && token.ends_with(b"/")
            || starts_small && token.len() > 4 && digits > 1)
}

/// True for a name with a query, `pulls?q=`.
fn has_query(token: &[u8]) -> bool {
    let (name, query) = token.split_at(token.leading(|b| b.is_ascii_alphanumeric()));
    let Some(query) = query.strip_prefix(b"?") else { return false };
    let parameter = query.leading(|b| b.is_ascii_alphanumeric() || b == b'_');
    !name.is_empty() && parameter > 0 && query.get(parameter) == Some(&b'=')
}

/// True if the URI is the root of a host of projects, and a name with its owner follows.
fn is_project(uri: &[u8], token: &[u8]) -> bool {
    const HOSTS: [&[u8]; 4] =
        [b"//github.com/", b"//gitlab.com/", b"//codeberg.org/", b"//bitbucket.org/"];
    HOSTS.iter().any(|host| uri.ends_with(host))
        && token
            .windows(3)
            .any(|w| matches!(w, [before, b'/', after] if *before != b'/' && *after != b'/'))
}

/// True if the URI ends before a DOI, or inside one, and the rest of it follows.
fn starts_doi(uri: &[u8], token: &[u8]) -> bool {
    let has_digit = token.iter().any(u8::is_ascii_digit);
    let starts_name = token.first().is_some_and(u8::is_ascii_alphanumeric);
    match uri.ends_with(RESOLVER) {
        true => token.starts_with(b"10."),
        false => ends_before_doi(uri) && starts_name && has_digit && token.len() > 4,
    }
}

/// The end of a URL before its DOI.
const RESOLVER: &[u8] = b"doi.org/";

/// True if a URI ends before a DOI, or with its prefix, `10.1000/`.
fn ends_before_doi(uri: &[u8]) -> bool {
    let Some(before) = uri.strip_suffix(b"/") else { return false };
    if uri.ends_with(RESOLVER) {
        return true;
    }
    let near = before.tail(LONGEST_WORD);
    let registrant = near.trailing(|b| b.is_ascii_digit());
    let rest = near.part(..near.len() - registrant);
    registrant > 3 && [&b"/10."[..], b":10.", b"=10."].iter().any(|start| rest.ends_with(start))
}

/// Returns `run` without the marks that end a sentence or close a bracket.
pub(super) fn without_punctuation(run: &[u8]) -> &[u8] {
    run.part(..run.len() - run.trailing(|b| b".,;:)>]'\"".contains(&b)))
}

/// Returns the start of the line that decides whether a URI that ends at `end` continues there, or
/// `end` if no line has to.
///
/// A stream waits for that line. So behind a short line, it is asked only where few URIs end, and
/// a log is shown as it grows.
pub(crate) fn asked_line(haystack: &[u8], start: usize, end: usize) -> usize {
    let may_go_on = haystack.get(end - 1) == Some(&b'-')
        || ends_open(haystack.part(start..end))
        || columns(haystack, start, end, HALF_LINE) >= HALF_LINE
        || line_before(haystack, start).is_some_and(leaves_paren_open);
    match line_after(haystack, end) {
        Some(next) if may_go_on => next,
        _ => end,
    }
}

/// Returns up to `most` bytes of the line at `at`.
pub(super) fn line(haystack: &[u8], at: usize, most: usize) -> &[u8] {
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
    if !starts_rest(run)
        || starts_uri(run)
        || is_key(haystack.clamped(start..next), rest)
        || names_file(run)
        || is_date(run)
        || !hyphen && has_path(haystack.part(start..end)) && starts_host(run)
    {
        return LineContinuation::None;
    }
    let before = haystack.get(end - 1).copied().unwrap_or_default();
    let line = text.at;
    match text.indent {
        TextIndent::Less => LineContinuation::None,
        TextIndent::None | TextIndent::Same if hyphen => LineContinuation::Hyphen { line },
        TextIndent::None if is_rest(before, run) => LineContinuation::LongLine { line },
        TextIndent::Same if is_rest(before, run) && is_cut(before, run) => {
            LineContinuation::LongLine { line }
        }
        TextIndent::Deeper if hyphen || is_rest(before, run) && is_cut(before, run) => {
            LineContinuation::Unsure
        }
        // not an option of a command, `-O2`
        _ if matches!(run, [b'-', ..]) && run.len() > LONGEST_OPTION => LineContinuation::Unsure,
        TextIndent::Deeper if run.starts_with(b"#") => LineContinuation::Unsure,
        _ => LineContinuation::None,
    }
}

/// True for a date at the start of a line: `2026/11/26`, `26.11.2026`.
fn is_date(run: &[u8]) -> bool {
    let run = without_punctuation(run);
    let digits = |text: &[u8]| text.leading(|b| b.is_ascii_digit());
    let year = digits(run);
    let Some(&mark @ (b'/' | b'-' | b'.')) = run.get(year) else { return false };
    let mut parts = run.part(year + 1..).split(|&b| b == mark);
    let is_part = |part: &[u8]| (1..=4).contains(&part.len()) && digits(part) == part.len();
    (1..=4).contains(&year)
        && parts.next().is_some_and(is_part)
        && parts.next().is_some_and(is_part)
        && parts.next().is_none()
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
    let run = without_punctuation(run);
    let first = run.first().copied().unwrap_or_default();
    let is_code = run.windows(2).any(|w| matches!(w, b"::" | b"->"))
        || run.iter().any(|b| b",(".contains(b))
        || run.windows(3).any(|w| w == b"://");
    // `P.O.Box`
    let is_code = is_code
        || matches!(run, [a, b'.', b, b'.', ..] if a.is_ascii_uppercase() && b.is_ascii_uppercase());
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
pub(super) fn has_extension(run: &[u8]) -> bool {
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
        // a name in capitals, `TITLE-HOST/IP=`
        [b'=', ..]
            if name > 2
                && text.part(..name).iter().all(|b| !b.is_ascii_lowercase())
                && text.part(..name).contains(&b'-') =>
        {
            true
        }
        // A setting, unless the URI has a query that could continue.
        [b'=', ..] => !uri.contains(&b'?') && !text.part(..name).contains(&b'/'),
        _ => false,
    }
}

/// True if the line that ends with the URI is as long as lines that a mailer cuts.
pub(crate) fn is_long(haystack: &[u8], start: usize, end: usize) -> bool {
    columns(haystack, start, end, LONG_LINE) >= LONG_LINE
}

/// Returns the columns of the line up to `end`, at most `most` unless the URI starts the line.
fn columns(haystack: &[u8], start: usize, end: usize, most: usize) -> usize {
    match haystack.get(start.wrapping_sub(1)) {
        // The URI starts its line, so the start of the line need not be searched for.
        None | Some(b'\n') => end - start,
        _ => {
            let before = haystack.part(end.saturating_sub(most)..end);
            memchr::memrchr(b'\n', before).map_or(before.len(), |at| before.len() - at - 1)
        }
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
pub(super) fn line_after(haystack: &[u8], end: usize) -> Option<usize> {
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

/// Returns the start of the next line if the `//` behind the scheme's `colon`, or `//www.`, ends its
/// line.
pub(crate) fn line_behind_slashes(haystack: &[u8], colon: usize) -> Option<usize> {
    let rest = haystack.part(colon..).strip_prefix(b"://")?;
    let www = if rest.starts_with(b"www.") { 4 } else { 0 };
    line_after(haystack, colon + 3 + www)
}

/// Returns the start of the text in the line at `next` if it starts with a host that has a known
/// top-level domain.
pub(crate) fn host_at(haystack: &[u8], start: usize, next: usize) -> Option<usize> {
    let prefix = LinePrefix::of(haystack, start);
    let text = match prefix.text(haystack, next) {
        Some(text) => text.at,
        // A star may also be the bullet of a list.
        None if prefix.is_star() => next,
        None => return None,
    };
    let text = text + blanks(haystack.clamped(text..text + LOOKBACK));
    let run = run_at(haystack, text);
    work_counter::add(run.len());
    (!starts_uri(run) && starts_host(run)).then_some(text)
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

/// Fills `derived` with scheme and slashes from `start`, and the host and more from `line` on.
pub(crate) fn join_host(
    haystack: &[u8],
    (start, colon): (usize, usize),
    line: usize,
    derived: &mut DerivedText,
) {
    derived.clear();
    let head = haystack.part(start..);
    let www = if head.part(colon..).starts_with(b"://www.") { 4 } else { 0 };
    let end = start + colon + 3 + www;
    derived.copy(haystack.part(start..end), start);
    derived.replace(b"", Span::new(end, line), RunOrigin::Joined);
    // The rules also read the text after the URI.
    derived.copy(haystack.clamped(line..line + LONGEST_LINE), line);
}
