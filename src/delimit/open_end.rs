//! Decides whether a URI at the end of a line is incomplete (D5).

use super::line_prefix::{LinePrefix, TextIndent, line, line_before};
use super::start::starts_uri;
use super::uri_rest::{
    MAX_WORD_LENGTH, has_extension, is_key, is_root, looks_like_rest, names_file,
    without_punctuation,
};
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Maximum indentation before the first word of the next line.
pub(super) const MAX_INDENT: usize = 16;

/// True if the line at `next` may start with a path. Cheap, because it is called for every URI at
/// the end of its line.
#[inline]
pub(super) fn may_start_path(haystack: &[u8], next: usize) -> bool {
    // Most lines start with a word.
    if haystack.get(next).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let near = haystack.clamped(next..next + MAX_INDENT);
    let marks = near.leading(|b| b" \t>#*|%;-".contains(&b));
    matches!(near.part(marks..), [b'/' | b'~', second, ..] if second.is_ascii_alphanumeric() || *second == b'/')
}

/// True if few URIs end in the last character, or if a DOI or a project must follow.
#[inline]
pub(super) fn ends_open(uri: &[u8]) -> bool {
    // Two underscores are a mark of emphasis.
    matches!(uri, [.., b'_' | b'=' | b'&']) && !uri.ends_with(b"__")
        || ends_before_doi(uri)
        || ends_in_owner(uri)
}

/// True if the URI ends in a character that ends no sentence, and the line at `next` fits after
/// it. Both ends show the break, so the width of the line does not matter.
pub(super) fn open_end(
    haystack: &[u8],
    (start, end): (usize, usize),
    next: usize,
    wide: bool,
) -> bool {
    let Some(text) = LinePrefix::at(haystack, start).text(haystack, next) else { return false };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len());
    let uri = haystack.part(start..end);
    let in_query = uri.last() == Some(&b'&');
    // After `&`, `name=value` is the next parameter. Elsewhere it is a setting in a line of its
    // own.
    if starts_uri(run) || !in_query && is_key(uri, rest) {
        return false;
    }
    let token = without_punctuation(run);
    let starts = |is: fn(&u8) -> bool| token.first().is_some_and(is);
    // A URI that has its line for itself may be one of a list of URIs and paths.
    let is_deeper = text.indent == TextIndent::Deeper;
    let is_first = is_alone(haystack, start);
    let is_alone = is_first && !is_deeper;
    // A sentence has no slash before a word, and a list of paths starts each of them alike.
    starts_path(token) && (!is_alone || rest.part(run.len()..).trim_ascii().len() > 1)
        || is_deeper && !is_first && is_word_in_path(token) && ends_in_file(uri)
        || match uri.last() {
            Some(b'_') => starts(|b| b.is_ascii_alphanumeric() || *b == b'('),
            Some(b'=') => {
                ends_in_name(uri)
                    // After `id=` a number is meant even in a short line. A word may be the next
                    // one of the sentence there.
                    && (starts(u8::is_ascii_digit) || wide && starts(u8::is_ascii_alphanumeric))
            }
            Some(b'&') => {
                let token = token.strip_prefix(b"&").unwrap_or(token);
                let name = token.leading(|b| b.is_ascii_alphanumeric() || b == b'_');
                // A parameter without a value is one word like any other, so a mark must end it.
                name > 0 && (matches!(token.get(name), Some(b'=')) || token.len() < run.len())
            }
            Some(b'/') => {
                starts_doi(uri, token)
                    || wide && (is_segment(token) || has_query(token))
                    || is_project(uri, token)
                    || !is_alone && ends_in_owner(uri) && is_repository(token, run)
            }
            _ => false,
        }
}

/// D5: true if the line at `next` continues the last name of the URI: `.html`, `_3.html`, `=value`
/// after the name of a parameter, `c+d` after `a+b+`, or the rest of a split extension, `.h⏎tml`.
/// No sentence starts like these.
#[inline]
pub(super) fn continues_name(haystack: &[u8], (start, end): (usize, usize), next: usize) -> bool {
    let uri = haystack.part(start..end);
    // Most lines start with a letter, and most URIs end in no letters that start an extension.
    let after_name = uri.ends_with(b"+") || has_short_end(uri);
    if haystack.get(next).is_some_and(u8::is_ascii_alphanumeric) && !after_name {
        return false;
    }
    let near = haystack.clamped(next..next + MAX_INDENT);
    let marks = near.leading(|b| b" \t>#*|%;-".contains(&b));
    let may_continue = after_name
        || matches!(near.part(marks..), [b'.' | b'_' | b'=', second, ..] if second.is_ascii_alphanumeric());
    may_continue && is_rest_of_name(haystack, uri, start, next)
}

/// True if one or two letters after a full stop end the URI, as the start of an extension does.
fn has_short_end(uri: &[u8]) -> bool {
    matches!(uri, [.., b'.', b'a'..=b'z'] | [.., b'.', b'a'..=b'z', b'a'..=b'z'])
}

#[cold]
fn is_rest_of_name(haystack: &[u8], uri: &[u8], start: usize, next: usize) -> bool {
    let Some(text) = LinePrefix::at(haystack, start).text(haystack, next) else { return false };
    let rest = line(haystack, text.at, LOOKBACK);
    let run = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(run.len() + uri.len());
    let token = without_punctuation(run);
    let has_query = uri.contains(&b'?');
    match token {
        // Not the selector of a style sheet, nor the request of a man page
        [b'.', extension @ ..] => {
            let is_selector = rest.part(run.len()..).trim_ascii_start().starts_with(b"{");
            ends_in_file(uri) && PAGES.contains(&extension) && !is_selector
        }
        [b'_', ..] => ends_in_file(uri) && has_extension(token),
        [b'=', ..] => {
            let near = uri.tail(MAX_WORD_LENGTH);
            let name = near.trailing(|b| b.is_ascii_alphanumeric() || b == b'_');
            name > 0 && matches!(near.part(..near.len() - name).last(), Some(b'?' | b'&'))
        }
        _ if uri.ends_with(b"+") => has_query && token.contains(&b'+'),
        _ => {
            let letters = uri.tail(2).trailing(|b| b.is_ascii_lowercase());
            let (name, head) = uri.split_at(uri.len() - letters);
            let tail = token.part(..token.leading(|b| b.is_ascii_lowercase()));
            let is_extension =
                |page: &&[u8]| page.strip_prefix(head).is_some_and(|rest| rest == tail);
            letters > 0
                && name.ends_with(b".")
                && tail.len() > 1
                && ends_in_file(uri)
                && PAGES.iter().any(is_extension)
        }
    }
}

/// Extensions of pages and files that a line break divides from their names, or in two.
#[rustfmt::skip]
const PAGES: [&[u8]; 14] = [
    b"asp", b"aspx", b"cgi", b"gif", b"htm", b"html", b"jpg", b"jsp", b"pdf", b"php", b"shtml", b"txt", b"xml",
    b"zip",
];

/// True if a URI without a query has a path and ends in a letter or digit.
fn ends_in_file(uri: &[u8]) -> bool {
    let slashes = uri.iter().filter(|&&b| b == b'/').count();
    slashes > 2 && !uri.contains(&b'?') && uri.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// True if nothing but white space and marks precedes the URI in its line.
fn is_alone(haystack: &[u8], start: usize) -> bool {
    let is_word = |line: &str| line.contains(char::is_alphanumeric);
    line_before(haystack, start).is_some_and(|line| !core::str::from_utf8(line).is_ok_and(is_word))
}

/// True if a query ends in the name of a parameter and `=`.
fn ends_in_name(uri: &[u8]) -> bool {
    let Some(before) = uri.strip_suffix(b"=") else { return false };
    let near = before.tail(MAX_WORD_LENGTH);
    let name = near.trailing(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
    let mark = near.part(..near.len() - name).last();
    name > 0 && matches!(mark, Some(b'?' | b'&' | b';'))
}

/// True for the path of a URI at the start of a line: `/papers/x.html`, `~smith/`.
fn starts_path(token: &[u8]) -> bool {
    match token {
        [b'/', path @ ..] => {
            !names_file(token)
                && path.first().is_some_and(u8::is_ascii_alphanumeric)
                && looks_like_rest(path)
        }
        // The home page of a user, `~smith/`. `~5` is a number that is about right.
        [b'~', first, ..] => first.is_ascii_alphabetic() && token.len() > 3,
        _ => false,
    }
}

/// True for `/word`, of four letters or more.
fn is_word_in_path(token: &[u8]) -> bool {
    token.strip_prefix(b"/").is_some_and(|word| {
        word.len() > 3 && word.iter().all(u8::is_ascii_lowercase) && !is_root(word)
    })
}

/// True for a word after `/` that no sentence contains: `amd64`, `downloads/`, `Index#top`,
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
        // English has `and/or`, so a slash inside says nothing. A slash at the end, an anchor, and
        // two digits do.
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

/// Hosts of projects, whose paths start with an owner and a name.
const HOSTS: [&[u8]; 4] =
    [b"//github.com/", b"//gitlab.com/", b"//codeberg.org/", b"//bitbucket.org/"];

/// True if the URI ends in the name of an owner on a host of projects, and the next line starts
/// with the rest of that name and a project: `https://github.com/rdic⏎osmo/parmap`.
pub(super) fn cuts_owner(uri: &[u8], run: &[u8]) -> bool {
    const WORDS: [&[u8]; 4] = [b"and/or", b"he/she", b"his/her", b"either/or"];
    let near = uri.tail(MAX_WORD_LENGTH);
    let owner = near.trailing(|b| b.is_ascii_alphanumeric() || b == b'-');
    let before = near.part(..near.len() - owner);
    let token = without_punctuation(run);
    let is_name = |part: &[u8]| {
        !part.is_empty() && part.iter().all(|&b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    let mut parts = token.split(|&b| b == b'/');
    owner > 0
        && HOSTS.iter().any(|host| before.ends_with(host))
        && parts.next().is_some_and(is_name)
        && parts.next().is_some_and(is_name)
        && parts.next().is_none()
        // An owner and a project look like two words of a sentence with a slash between them.
        && !WORDS.contains(&token)
}

/// True if the URI is the root of a host of projects, and a name with its owner follows.
fn is_project(uri: &[u8], token: &[u8]) -> bool {
    HOSTS.iter().any(|host| uri.ends_with(host))
        && token
            .windows(3)
            .any(|w| matches!(w, [before, b'/', after] if *before != b'/' && *after != b'/'))
}

/// True for the page of an owner on a host of projects, `https://github.com/owner/`. Without a
/// project, few write the slash at its end.
fn ends_in_owner(uri: &[u8]) -> bool {
    let Some(before) = uri.strip_suffix(b"/") else { return false };
    let near = before.tail(MAX_WORD_LENGTH);
    let owner = near.trailing(|b| b.is_ascii_alphanumeric() || b == b'-');
    let host = near.part(..near.len() - owner);
    owner > 0 && HOSTS.iter().any(|end| host.ends_with(end))
}

/// True for the name of a project: a mark of punctuation follows it, or it has one, or a digit,
/// which few words of a sentence have.
fn is_repository(token: &[u8], run: &[u8]) -> bool {
    let is_name = token.iter().all(|&b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    let is_shaped = token.iter().any(|&b| b.is_ascii_digit() || b"-_.".contains(&b));
    is_name
        && token.first().is_some_and(u8::is_ascii_alphabetic)
        && (is_shaped || token.len() < run.len())
}

/// True if the URI ends before a DOI, or inside one, and the rest of it follows.
fn starts_doi(uri: &[u8], token: &[u8]) -> bool {
    let has_digit = token.iter().any(u8::is_ascii_digit);
    let starts_name = token.first().is_some_and(u8::is_ascii_alphanumeric);
    if uri.ends_with(RESOLVER) {
        token.starts_with(b"10.")
    } else {
        ends_before_doi(uri) && starts_name && has_digit && token.len() > 4
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
    let near = before.tail(MAX_WORD_LENGTH);
    let registrant = near.trailing(|b| b.is_ascii_digit());
    let rest = near.part(..near.len() - registrant);
    // The number of a registrant has at least four digits. Fewer of them are a version, `/10.2/`.
    registrant > 3 && [&b"/10."[..], b":10.", b"=10."].iter().any(|start| rest.ends_with(start))
}
