//! Tells the rest of a URI at the start of a line from a word, a key, or a path (D5).

use super::dropped_mark::EXTENSIONS;
use crate::slice::{ByteRuns, SliceExt};

/// Most bytes of a word that are read before a bracket or a mark.
pub(super) const MAX_WORD_LENGTH: usize = 64;

/// True if `run` starts with a letter or digit, or with one mark before which URIs are broken.
pub(super) fn starts_rest(run: &[u8]) -> bool {
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
pub(super) fn is_rest(last: u8, run: &[u8]) -> bool {
    let is_joint = |b: u8| b"/?&=%_.-#+~".contains(&b);
    let run = without_punctuation(run);
    let first = run.first().copied().unwrap_or_default();
    // A URI is seldom broken before a part with these. A line of a program or a list starts so.
    let is_code = run.windows(2).any(|w| matches!(w, b"::" | b"->"))
        || run.iter().any(|b| b",(".contains(b))
        || run.windows(3).any(|w| w == b"://");
    // `P.O.Box`
    let is_code = is_code
        || matches!(run, [a, b'.', b, b'.', ..] if a.is_ascii_uppercase() && b.is_ascii_uppercase());
    // An apostrophe inside a word of the next text
    let is_code = is_code || run.windows(4).any(|w| w == b"#39;");
    let is_more = is_rest_of_path(run);
    let is_segment = last == b'/' && is_more;
    !is_code
        && (looks_like_rest(run) || is_segment)
        && (is_joint(last) || is_joint(first) || is_more)
        // A forum's `?p=3` and `5#reply_38222` are one number, cut by a mailer that counts columns.
        || last.is_ascii_digit() && is_number_with_fragment(run)
}

/// True for the end of a number and a fragment: `5#reply_38222`.
fn is_number_with_fragment(run: &[u8]) -> bool {
    let digits = run.leading(|b| b.is_ascii_digit());
    digits > 0 && matches!(run.part(digits..), [b'#', next, ..] if next.is_ascii_alphanumeric())
}

/// True if `run` has more of a URI than a full stop or a slash between two words: a query, a file
/// extension, several slashes, or a hyphenated name before a slash, `debian-policy/`.
pub(crate) fn is_rest_of_path(run: &[u8]) -> bool {
    let segment = run.part(..run.len() - run.trailing(|b| b".,;:)>]".contains(&b)));
    let slashes = run.iter().filter(|&&b| b == b'/').count();
    slashes > 1
        || run.iter().any(|&b| matches!(b, b'?' | b'&' | b'='))
        || has_extension(run)
        || segment.ends_with(b"/") && segment.contains(&b'-')
}

/// True if `run` ends in a file extension, apart from trailing punctuation.
pub(crate) fn has_extension(run: &[u8]) -> bool {
    let run = run.part(..run.len() - run.trailing(|b| b".,;:)>".contains(&b)));
    let (name, extension) = run.split_at(run.len() - run.trailing(|b| b.is_ascii_alphanumeric()));
    name.last() == Some(&b'.') && EXTENSIONS.contains(&extension)
}

/// True if `run` ends the last name of a path that has no dot yet: `y-analysis.pdf`, `e-code/`.
pub(super) fn ends_name(uri: &[u8], run: &[u8]) -> bool {
    let run = without_punctuation(run);
    let name = uri.tail(MAX_WORD_LENGTH).trailing(|b| b != b'/');
    // A name in capitals, such as `README.md`, is another file.
    !run.first().is_some_and(u8::is_ascii_uppercase)
        && !uri.tail(name).contains(&b'.')
        && (has_extension(run) || run.ends_with(b"/"))
        && run.iter().all(|&b| b.is_ascii_alphanumeric() || b"-_./~%".contains(&b))
}

/// True if `run`, in an indented line, looks like the rest of a URI that ends in `last`. The test
/// is stricter because such a line may belong to a program.
pub(super) fn is_cut(last: u8, run: &[u8]) -> bool {
    let is_joint = |b: u8| b"/?&=%".contains(&b);
    looks_like_rest(run)
        && (is_joint(last) || last == b'_' || last == b'.' || run.iter().any(|&b| is_joint(b)))
}

/// True if one of `/ . ? = & % _` stands between letters or digits.
pub(crate) fn looks_like_rest(run: &[u8]) -> bool {
    run.windows(3).any(|w| {
        matches!(w, [before, b'/' | b'.' | b'?' | b'=' | b'&' | b'%' | b'_', after]
            if before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
    })
}

/// Directories at the root of a file system. A line that starts with one names a file.
#[rustfmt::skip]
const ROOTS: [&[u8]; 21] = [
    b"Applications", b"Library", b"System", b"Users", b"bin", b"boot", b"dev", b"etc", b"home", b"lib", b"mnt",
    b"opt", b"proc", b"root", b"run", b"sbin", b"srv", b"sys", b"tmp", b"usr",
    b"var",
];

/// True for the path of a file at the start of a line: `/usr/include/x.h`.
pub(super) fn names_file(token: &[u8]) -> bool {
    let Some(path) = token.strip_prefix(b"/") else { return false };
    let root = path.part(..path.leading(|b| b != b'/'));
    is_root(root) && root.len() < path.len()
}

/// True for the name of a directory at the root of a file system.
pub(super) fn is_root(name: &[u8]) -> bool {
    ROOTS.contains(&name)
}

/// True if the line starts a sentence: with a hashtag, or with a hyphen and a capital, before another
/// word. `run` is the first word of `line`.
pub(super) fn starts_sentence(run: &[u8], line: &[u8]) -> bool {
    let [b' ', next, ..] = line.part(run.len()..) else { return false };
    match run {
        // An anchor is followed by the rest of its sentence.
        [b'#', first, tag @ ..] => {
            first.is_ascii_uppercase()
                && next.is_ascii_uppercase()
                && tag.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_')
        }
        [b'-', first, word @ ..] => {
            first.is_ascii_uppercase()
                && word.iter().all(u8::is_ascii_lowercase)
                && next.is_ascii_alphanumeric()
        }
        _ => false,
    }
}

/// True for the number of a section, `4.5.2.`, before white space and words.
pub(super) fn is_section(run: &[u8], line: &[u8]) -> bool {
    let number = run.leading(|b| b.is_ascii_digit() || b == b'.');
    number == run.len()
        && run.ends_with(b".")
        && run.iter().filter(|&&b| b == b'.').count() > 2
        && !line.part(run.len()..).trim_ascii().is_empty()
}

/// True for a date at the start of a line: `2026/11/26`, `26.11.2026`.
pub(super) fn is_date(run: &[u8]) -> bool {
    let run = without_punctuation(run);
    let digits = |text: &[u8]| text.leading(|b| b.is_ascii_digit());
    let year = digits(run);
    let Some(&mark @ (b'/' | b'-' | b'.')) = run.get(year) else { return false };
    let mut parts = run.part(year + 1..).split(|&b| b == mark);
    let is_part = |part: &[u8]| (1..=4).contains(&part.len()) && digits(part) == part.len();
    // The year may come first or last, so each part may have up to four digits.
    (1..=4).contains(&year)
        && parts.next().is_some_and(is_part)
        && parts.next().is_some_and(is_part)
        && parts.next().is_none()
}

/// True for the start of a setting, a rule, or a definition: `NAME = …`, `NAME: …`, or `[x]: …`.
pub(super) fn is_key(uri: &[u8], text: &[u8]) -> bool {
    let name = text.leading(|b| b.is_ascii_alphanumeric() || b"_-./$(){}%".contains(&b));
    let rest = text.part(name..);
    let (rest, spaced) = match rest.trim_ascii_start() {
        [b'+' | b'?' | b':', after @ ..] if after.starts_with(b"=") => (after, true),
        after => (after, after.len() < rest.len()),
    };
    match rest {
        // CommonMark §4.7: a definition of a link starts its own line.
        [b'[', ..] if name == 0 => crate::memmem::find(rest, b"]:").is_some(),
        // A line of iCalendar, vCard, or a header
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
        // A name in capitals, `TITLE-HOST/IP=`
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

/// Returns `run` without the marks that end a sentence or close a bracket.
pub(super) fn without_punctuation(run: &[u8]) -> &[u8] {
    run.part(..run.len() - run.trailing(|b| b".,;:)>]'\"".contains(&b)))
}
