//! Recognizes a line break after a mark that trimming drops (D5): `https://wiki.⏎example.org/x`.
//!
//! The mark usually ends a sentence. Only the start of the next line shows that it belongs to the
//! URI.

use super::domain::is_tld as is_top;
use super::line_likeness::starts_alike;
use super::line_prefix::{LinePrefix, line, line_after};
use super::prose::is_reserved_name as is_reserved;
use super::start::starts_uri;
use super::uri_rest::{has_extension, looks_like_rest, without_punctuation};
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_uri_byte;
use crate::scan::starts_web;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Most bytes of indentation before the first word of the next line.
const MAX_INDENT: usize = 16;
/// Most bytes of that word that decide whether the rules are applied.
const MAX_WORD_LENGTH: usize = 64;

/// Extensions of files before which a line may break a name: `removals.⏎html`.
#[rustfmt::skip]
pub(super) const EXTENSIONS: [&[u8]; 26] = [
    b"asp", b"aspx", b"cgi", b"csv", b"doc", b"docx", b"git", b"gz", b"htm", b"html", b"jpg", b"js", b"json", b"jsp",
    b"md", b"pdf", b"php", b"png", b"ps", b"ps1", b"psm1", b"rst", b"txt", b"xhtml", b"xml", b"zip",
];
/// The extensions among them that are also written in capitals, but seldom start a sentence.
const CAPITALS: [&[u8]; 6] = [b"DOC", b"HTM", b"HTML", b"JPG", b"PDF", b"TXT"];

/// The mark between a URI and a line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DroppedMark {
    FullStop,
    Question,
    Colon,
    Paren,
    /// U+2010, or a soft hyphen.
    Hyphen,
}

/// Returns the mark at `end`, where a URI ends, and the start of the next line if the mark ends its
/// own.
#[inline(always)]
fn mark(haystack: &[u8], end: usize) -> Option<(DroppedMark, usize)> {
    let (mark, length) = match haystack.get(end..)? {
        [b'.', ..] => (DroppedMark::FullStop, 1),
        [b'?', ..] => (DroppedMark::Question, 1),
        [b':', ..] => (DroppedMark::Colon, 1),
        [b'(', ..] => (DroppedMark::Paren, 1),
        [0xE2, 0x80, 0x90, ..] => (DroppedMark::Hyphen, 3),
        [0xC2, 0xAD, ..] => (DroppedMark::Hyphen, 2),
        _ => return None,
    };
    Some((mark, line_after(haystack, end + length)?))
}

/// Returns the start of the next line if such a mark at `end` ends its line.
#[inline(always)]
pub(crate) fn next_line(haystack: &[u8], end: usize) -> Option<usize> {
    mark(haystack, end).map(|(_, next)| next)
}

/// True if [`cuts`] may be, decided by the first word of the next line alone.
#[inline(always)]
pub(crate) fn may_cut(haystack: &[u8], end: usize) -> bool {
    mark(haystack, end).is_some_and(|(mark, next)| may_start_rest(haystack, mark, next))
}

#[inline(always)]
fn may_start_rest(haystack: &[u8], mark: DroppedMark, next: usize) -> bool {
    // A list of URIs, one per line
    if starts_web(haystack, next) {
        return false;
    }
    let near = haystack.clamped(next..next + MAX_INDENT + MAX_WORD_LENGTH);
    let indent = near.clamped(..MAX_INDENT).leading(|b| b" \t>#*/|%;-~".contains(&b));
    let text = near.part(indent..);
    match (mark, text.first()) {
        // A capital after a full stop starts a sentence, unless its word looks like a host, a
        // path, or an extension.
        (DroppedMark::FullStop, Some(b'A'..=b'Z')) => {
            let word = without_punctuation(text.part(..text.leading(is_uri_byte)));
            word.iter().any(|b| matches!(b, b'.' | b'/')) || CAPITALS.contains(&word)
        }
        // The part of a URI after a colon at a line end is always a port. Any other word starts the
        // text that the colon announces.
        (DroppedMark::Colon, Some(first)) => first.is_ascii_digit(),
        (DroppedMark::Paren, Some(_)) => true,
        (_, Some(first)) => first.is_ascii_alphanumeric() || *first == b'_',
        (_, None) => false,
    }
}

/// D5: true if a line break cut the `uri` after the mark at its end. `host` is set if it ends with
/// its host.
pub(crate) fn cuts(haystack: &[u8], uri: Span, host: Option<&[u8]>) -> bool {
    let Some((mark, next)) = mark(haystack, uri.end()) else { return false };
    if !may_start_rest(haystack, mark, next) {
        return false;
    }
    let Some(text) = LinePrefix::at(haystack, uri.start()).text(haystack, next) else {
        return false;
    };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    let continues = !starts_uri(run)
        && match mark {
            DroppedMark::FullStop => match host {
                Some(host) => continues_host(host, run),
                None => continues_path(haystack.part(uri.range()), run),
            },
            DroppedMark::Question => starts_query(run),
            DroppedMark::Colon => host.is_some() && starts_port(run),
            DroppedMark::Paren => closes_paren(run),
            DroppedMark::Hyphen => run.first().is_some_and(u8::is_ascii_alphanumeric),
        };
    continues && !starts_alike(haystack, uri.start(), next)
}

/// True for `name=value`.
fn starts_query(run: &[u8]) -> bool {
    let name = run.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    name > 0 && matches!(run.part(name..), [b'=', next, ..] if *next != b'=')
}

/// True for `8080/path`.
fn starts_port(run: &[u8]) -> bool {
    let digits = run.leading(|b| b.is_ascii_digit());
    // One digit is more often the number of an item than a port. A number without a path counts
    // something (`12 of them`).
    (2..=5).contains(&digits) && matches!(run.get(digits), Some(b'/' | b'?' | b'#'))
}

/// True if `run` closes the parenthesis before it.
fn closes_paren(run: &[u8]) -> bool {
    let inside = run.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    inside > 0 && run.get(inside) == Some(&b')')
}

/// True if `run` continues the `host` before a full stop.
fn continues_host(host: &[u8], run: &[u8]) -> bool {
    let mut labels = host.rsplit(|&b| b == b'.');
    let top = labels.next().unwrap_or_default();
    let is_name = labels.next().is_some();
    let is_own = top.eq_ignore_ascii_case(b"localhost") || is_name && is_reserved(top);
    let is_address = host.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let is_whole = is_name && (is_top(top) || is_own || is_address);
    let next = HostStart::read(run);
    // D5: a host with a path in the next line may continue any host. Without a path it continues
    // only one that has no known top-level domain.
    if next.is_host && next.has_path {
        return true;
    }
    if is_whole || is_own {
        return false;
    }
    let starts_small = run.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    next.is_host || starts_small && next.may_continue
}

/// The start of a line as the rest of a host.
struct HostStart {
    /// Several labels, of which the last is a top-level domain.
    is_host: bool,
    has_path: bool,
    /// A label, and a separator of URIs or a top-level domain.
    may_continue: bool,
}

impl HostStart {
    fn read(run: &[u8]) -> Self {
        let name = run.leading(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
        let (name, rest) = run.split_at(name);
        let has_path = rest.first() == Some(&b'/');
        let name = name.strip_suffix(b".").unwrap_or(name);
        let top = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
        let is_host = top.len() < name.len()
            && (is_top(top) || is_reserved(top))
            && name.split(|&b| b == b'.').all(|label| {
                label.first().is_some_and(u8::is_ascii_alphanumeric) && !label.ends_with(b"-")
            });
        let word = run.part(..run.leading(|b| b.is_ascii_alphanumeric() || b == b'-'));
        let after = run.part(word.len()..);
        let may_continue = matches!(after, [b'.' | b'/' | b':', next, ..] if next.is_ascii_alphanumeric())
            || is_top(word) && matches!(after, [] | [b'/' | b'.' | b',' | b')' | b'>', ..]);
        Self { is_host, has_path, may_continue: may_continue && !word.is_empty() }
    }
}

/// True if `run` starts with a host that has a known top-level domain.
pub(super) fn starts_host(run: &[u8]) -> bool {
    HostStart::read(run).is_host
}

/// True if `run` continues the path or the query of `uri` before a full stop.
fn continues_path(uri: &[u8], run: &[u8]) -> bool {
    let word = run.part(..run.leading(|b| b.is_ascii_alphanumeric() || b == b'-'));
    let after = run.part(word.len()..);
    let ends = after.first().is_none_or(|b| !b.is_ascii_alphanumeric() && !b"_=".contains(b));
    if continues_identifier(uri, without_punctuation(run)) {
        return true;
    }
    match run.first() {
        Some(b'A'..=b'Z') => CAPITALS.contains(&word) && ends,
        // The name may also be cut before its last full stop: `index.⏎page2.html`.
        _ => EXTENSIONS.contains(&word) && ends || has_extension(run),
    }
}

/// True if `uri` ends inside a DOI or the number of arXiv, and `run` continues it.
fn continues_identifier(uri: &[u8], run: &[u8]) -> bool {
    let is_number =
        |text: &[u8], from: usize| text.len() >= from && text.iter().all(u8::is_ascii_digit);
    let near = uri.tail(LOOKBACK);
    let first = run.first().copied().unwrap_or_default();
    if !first.is_ascii_alphanumeric() {
        return false;
    }
    // The searches come last: few URIs end as an identifier does.
    let has = |part: &[u8]| crate::memmem::find(near, part).is_some();
    let is_arxiv =
        || near.starts_with(b"arxiv:") || near.starts_with(b"arXiv:") || has(b"arxiv.org/");
    let month = near.trailing(|b| b.is_ascii_digit());
    if month == 4 && is_arxiv() {
        let digits = run.leading(|b| b.is_ascii_digit());
        let version = run.part(digits..);
        let is_version = version.first() == Some(&b'v') && is_number(version.part(1..), 1);
        return matches!(digits, 4 | 5)
            && (version.is_empty() || is_version || version.starts_with(b".pdf"));
    }
    if [&b"/10"[..], b":10", b"=10"].iter().any(|end| near.ends_with(end)) {
        return first.is_ascii_digit() && looks_like_rest(run) && !is_arxiv();
    }
    let short = near.tail(near.trailing(|b| b.is_ascii_alphanumeric()));
    let has_digit = || run.iter().any(u8::is_ascii_digit);
    let is_doi = || near.starts_with(b"doi:") || has(b"doi.org/10.") || has(b"/doi/10.");
    // Elsevier's `10.1016/j.cell.2020.01.001`; a sentence does not start with such a word.
    let continues = matches!(short, [letter] if letter.is_ascii_alphabetic())
        || first.is_ascii_lowercase() && has_digit() && looks_like_rest(run);
    continues && is_doi() && !is_arxiv()
}
