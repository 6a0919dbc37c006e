//! Finds the scheme before a colon, where a URI may start (D1.1–D1.5).
//!
//! The text before it has no other influence (D1.7).

use super::colour;
use super::escape::EscapeMeaning;
use super::escape_code;
use super::substitution;
use super::text_view::last_char;
use super::trim;
use crate::chunk;
use crate::grammar::is_scheme_byte;
use crate::options::{Options, Schemes};
use crate::registry;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Longest scheme accepted, which also bounds the look-back (D1.1).
pub(crate) const MAX_SCHEME_BYTES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SchemeStart {
    pub at: usize,
    /// In the registry, or joined by `+` to a scheme in it (D1.2, D1.3). Otherwise any word before
    /// `//` (D1.4) or inside `<URL:…>` (D1.5).
    pub is_known: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterColon {
    /// `//`, also as `\/\/`.
    Slashes,
    Other,
}

impl AfterColon {
    pub fn classify(rest: &[u8]) -> Self {
        match rest {
            [b'/', b'/', ..] => Self::Slashes,
            _ => Self::Other,
        }
    }
}

/// Returns the scheme that ends at `colon`, if there is one.
pub(crate) fn find(
    haystack: &[u8],
    colon: usize,
    follow: AfterColon,
    options: &Options,
) -> Option<SchemeStart> {
    let run = run_before(haystack, colon);
    let at = colon - run.len();
    let known = |from: usize| SchemeStart { at: from, is_known: true };
    // TeX's `\verb` delimits by any character: `\verb+uri+`.
    let verb = b"verb+".len();
    if run.starts_with(b"verb+") && haystack.part(..at).ends_with(b"\\") {
        let start = known(at + verb);
        return is_known(run.part(verb..), follow, options).then_some(start);
    }
    // White space in a pattern: `\s+https://`.
    if let [b's' | b'S', b'+', rest @ ..] = run
        && haystack.part(..at).ends_with(b"\\")
        && is_known(rest, follow, options)
    {
        return Some(known(at + 2));
    }
    // D4.7: the delimiter of a command, `s+https://a.example/+…`.
    if let Some(plus) = memchr::memrchr(b'+', run)
        && is_web_scheme(run.part(plus + 1..))
        && substitution::argument_end(haystack, at + plus + 1).is_some()
    {
        return Some(known(at + plus + 1));
    }
    // D1.4: a provider of Kafka, `${file:/secrets/x.properties:key}`.
    if follow == AfterColon::Other && run == b"file" && haystack.part(..at).ends_with(b"${") {
        return None;
    }
    if follow == AfterColon::Slashes
        && !is_web_scheme(run)
        && matches!(haystack.part(..at), [.., letter, b'_'] if letter.is_ascii_alphanumeric())
    {
        return end_of_word(run, colon);
    }
    if is_known(run, follow, options) {
        return Some(known(at));
    }
    // The code of a MARC subfield is not part of the scheme: `$aark:/13030/x`.
    if subfield_mark(haystack.part(..=at)).is_some() && is_known(run.part(1..), follow, options) {
        return Some(known(at + 1));
    }
    // D1.4: the value of the variable decides which scheme this is. `http` after it is whole and
    // was accepted above.
    if follow == AfterColon::Slashes && is_half_name(haystack.part(..at)) {
        return None;
    }
    let escape = escape_len(haystack, at, run, follow, options);
    let run = from_first_letter(haystack.get(at + escape..colon)?);
    let at = colon - run.len();
    if run.is_empty() {
        return None;
    }
    if escape > 0 && is_known(run, follow, options) {
        return Some(known(at));
    }
    let is_whole = match (follow, haystack.part(..at).last()) {
        // Without `//`, the part after a hyphen in a file name is not a scheme:
        // `/tmp/.X11-unix:/x`.
        (AfterColon::Other, Some(b'/' | b'\\' | b'.' | b'~' | b'$' | b'@')) => true,
        // A quotation mark right before a scheme shows that it is whole: `"webhook-https://…"`.
        (AfterColon::Slashes, Some(b'"' | b'\'')) => {
            !trim::SECTIONS.iter().any(|section| run.starts_with(section))
        }
        _ => false,
    };
    if !is_whole && let Some(skip) = known_suffix(run, follow, options) {
        return Some(known(at + skip));
    }
    // A scheme whose first letter is written by its code is not decoded, and no other one is there.
    if follow == AfterColon::Other || is_code_of_letter(haystack.part(..at), run) {
        return None;
    }
    if let Some(web) = end_of_word(run, colon) {
        return Some(web);
    }
    // D1.7: the word continues to the left, `schéma://`.
    if last_char(haystack.part(..at)).is_some_and(is_latin_letter) {
        return None;
    }
    // D1.4: one letter is a drive of Windows, `C://`.
    let generic = options.schemes == Schemes::Any && run.len() >= 2 && !is_uuencoded(haystack, at);
    generic.then_some(SchemeStart { at, is_known: false })
}

/// True for a letter of Latin script beyond ASCII.
fn is_latin_letter(c: char) -> bool {
    c.is_alphabetic() && matches!(c, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}

/// D1.4: true if an unknown run starts with the code of a letter, as in `\u0068ttps`.
fn is_code_of_letter(before: &[u8], run: &[u8]) -> bool {
    before.ends_with(b"\\")
        && matches!(
            escape_code::read(run, 1),
            Some(EscapeMeaning::Char { char, .. }) if char.is_ascii_alphabetic()
        )
}

/// D1.3b: returns a web scheme at the end of a longer word, which lacks its space. Right after a
/// full stop or a hyphen it is a part of a name instead (D1.3).
fn end_of_word(run: &[u8], colon: usize) -> Option<SchemeStart> {
    let web = [&b"https"[..], b"http", b"ftp"]
        .into_iter()
        .find(|name| run.ends_with_ignore_case(name))?;
    let before = run.part(..run.len() - web.len());
    let is_one = match web {
        // `ssh2.sftp`
        b"ftp" => before.iter().any(|b| matches!(b, b'.' | b'-')),
        _ => matches!(before.last(), Some(b'.' | b'-' | b'+')),
    };
    (!is_one).then_some(SchemeStart { at: colon - web.len(), is_known: true })
}

/// D1.5: returns any scheme of at least two letters, for use where the text before it announces a
/// URI.
pub(crate) fn announced(haystack: &[u8], colon: usize) -> Option<SchemeStart> {
    let run = run_before(haystack, colon);
    (run.len() >= 2).then_some(SchemeStart { at: colon - run.len(), is_known: false })
}

/// True if `before` starts a content line and the scheme would be its last parameter:
/// `TEL;TYPE=FAX:555-3333` (RFC 6350 §3.3).
pub(super) fn is_parameter(before: &[u8]) -> bool {
    // RFC 5545 §3.1: these precede a value of a parameter. Any other byte means that a word starts
    // with the scheme.
    if !matches!(before.last(), Some(b'=' | b';' | b',')) {
        return false;
    }
    let line = before.tail(MAX_SCHEME_BYTES * 2);
    let line = memchr::memrchr(b'\n', line).map_or(line, |at| line.part(at + 1..));
    work_counter::add(line.len());
    let name = line.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'));
    name > 1
        && line.get(name) == Some(&b';')
        // RFC 6350 §3.3 allows small letters, but programs write capitals, and `note;see=tel:…` is
        // prose.
        && line.part(..name).iter().all(|b| !b.is_ascii_lowercase())
        && !line.iter().any(|&b| b == b':' || b == b' ')
}

/// D1.6: true if the scheme that ends before `after` is the name of a property or a label with a
/// local number: `TEL:555-3333` (RFC 2426 §3.3.1), `Fax:555-3334`. Programs write the property in
/// capitals at the start of a line. A `tel:` URI of such a number has a context (RFC 3966 §5.1.5).
/// `fax:` is obsolete (RFC 3966 §1), so a word before a number of a signature is more often a
/// label.
pub(super) fn is_property(before: &[u8], scheme: &[u8], after: &[u8]) -> bool {
    let is_label = match scheme {
        b"TEL" => matches!(before.last(), None | Some(b'\n' | b'\r')),
        // Where it is delimited, it is a URI.
        b"fax" | b"Fax" | b"FAX" => {
            !matches!(before.last(), Some(b'"' | b'\'' | b'<' | b'=' | b'`'))
        }
        _ => false,
    };
    is_label && after.first().is_some_and(|b| b.is_ascii_digit() || *b == b'(')
}

/// Returns the longest run of scheme characters before `colon` that starts with a letter.
fn run_before(haystack: &[u8], colon: usize) -> &[u8] {
    let window = haystack.part(colon.saturating_sub(MAX_SCHEME_BYTES)..colon);
    let length = window.trailing(is_scheme_byte);
    work_counter::add(length);
    let run = window.tail(length);
    match run {
        // The digits of a triplet: `%3dphp://`
        [a, b, rest @ ..]
            if window.part(..window.len() - length).last() == Some(&b'%')
                && a.is_ascii_hexdigit()
                && b.is_ascii_hexdigit()
                // One letter after a triplet is not a scheme, so the digits belong to it.
                && rest.len() > 1 =>
        {
            from_first_letter(rest)
        }
        _ => without_colour(haystack.part(..colon), from_first_letter(run)),
    }
}

/// D1.3a: returns `run`, the end of `text`, without the letter that ends a terminal's colour
/// sequence.
fn without_colour<'h>(text: &'h [u8], run: &'h [u8]) -> &'h [u8] {
    match run {
        [b'm' | b'K', rest @ ..]
            if colour::ends_in_parameters(text.part(..text.len() - run.len())) =>
        {
            from_first_letter(rest)
        }
        _ => run,
    }
}

/// D1.4: true if what follows `before` is only the end of a name: of a variable (`$PROTO://`), or
/// of a placeholder (`${lower:d}ap://`).
fn is_half_name(before: &[u8]) -> bool {
    match before {
        [.., b'$'] => true,
        [inside @ .., b'}'] => {
            let near = inside.tail(MAX_SCHEME_BYTES);
            memchr::memrchr(b'{', near).is_some_and(|at| near.part(..at).last() == Some(&b'$'))
        }
        _ => false,
    }
}

/// D1.4: true inside a full line of uuencode (POSIX): `M`, the sign of 45 bytes, and 60 characters
/// without small letters.
fn is_uuencoded(haystack: &[u8], at: usize) -> bool {
    const LENGTH: usize = 61;
    let before = haystack.part(at.saturating_sub(LENGTH)..at);
    let start = at - before.trailing(|b| b != b'\n');
    let line = haystack.clamped(start..start + LENGTH);
    line.len() == LENGTH
        && line.first() == Some(&b'M')
        && line.iter().all(|byte| matches!(byte, b' '..=b'`'))
        && matches!(haystack.get(start + LENGTH), None | Some(b'\n' | b'\r'))
}

/// Returns the mark of a MARC or PICA subfield if `before` ends in one and a code, `$u`.
pub(super) fn subfield_mark(before: &[u8]) -> Option<&'static str> {
    let (code, text) = before.split_last()?;
    let mark = ["$", "ƒ", "‡"].into_iter().find(|mark| text.ends_with(mark.as_bytes()))?;
    // There a `$` starts a variable of a template or a shell; a subfield follows text.
    let is_variable =
        mark == "$" && matches!(text, [.., b'{' | b'(' | b'"' | b'\'' | b'/' | b'=', _]);
    // The codes of PICA are letters of both cases.
    let is_code = is_code_of_subfield(*code) || mark == "ƒ" && code.is_ascii_uppercase();
    (is_code && !is_variable).then_some(mark)
}

/// True for the code of a subfield.
pub(super) fn is_code_of_subfield(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn from_first_letter(run: &[u8]) -> &[u8] {
    run.part(run.leading(|b| !b.is_ascii_alphabetic())..)
}

/// True for a scheme in the registry or added by the program. Before `//`, also for one joined by
/// `+` to a scheme in the registry: `git+ssh`.
fn is_known(run: &[u8], follow: AfterColon, options: &Options) -> bool {
    // The most frequent schemes skip the registry.
    let is_web = matches!(run, b"http" | b"https");
    if is_web || registry::is_scheme(run) || options.recognizers.get(run).is_some() {
        return true;
    }
    if follow == AfterColon::Other || !run.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let Some(plus) = memchr::memrchr(b'+', run) else {
        return false;
    };
    let whole = run.split(|&b| b == b'+').all(|part| !part.is_empty());
    let first = run.part(..run.leading(|b| b != b'+'));
    // `sqlite+aiosqlite`: a database and its driver
    whole && (registry::is_scheme(run.part(plus + 1..)) || registry::is_scheme(first))
}

/// D1.3: returns how many bytes to skip to the longest known suffix after a `+`, `-`, or `.`.
///
/// Before `//`, a full stop or hyphen is part of the name (`akka.tcp://`). Only before a web scheme
/// it is not: there a space is missing.
fn known_suffix(run: &[u8], follow: AfterColon, options: &Options) -> Option<usize> {
    (1..run.len()).find(|&at| {
        let suffix = run.part(at..);
        let separated = match (run.part(..at), follow) {
            ([.., b'-' | b'.'], AfterColon::Slashes) => is_web_scheme(suffix),
            ([.., b'-' | b'.'], AfterColon::Other) => true,
            // Only if a part around the `+` is empty
            ([b'+'] | [.., b'+', b'+'], _) => true,
            _ => false,
        };
        separated && is_known(suffix, follow, options)
    })
}

/// True for http, https, ftp, ws, and wss, whose hosts follow D4.9.
pub(super) fn is_web_scheme(name: &[u8]) -> bool {
    [&b"http"[..], b"https", b"ftp", b"ws", b"wss"].iter().any(|web| name.eq_ignore_ascii_case(web))
}

/// D1.3a: returns how many bytes of the run belong to an escape.
fn escape_len(
    haystack: &[u8],
    at: usize,
    run: &[u8],
    follow: AfterColon,
    options: &Options,
) -> usize {
    let before = haystack.part(..at);
    match (before.last(), run) {
        // Troff's fonts, `\fB`, `\f5`, and glyphs and fonts with two-letter names, `\f(CW`, `\(aq`.
        (Some(b'\\'), [b'f', _, rest @ ..]) if is_known(rest, follow, options) => 2,
        (Some(b'\\'), [b'f', b'A'..=b'Z' | b'0'..=b'9', _, ..]) => 2,
        (Some(b'('), [_, _, _, ..])
            if [&b"\\f("[..], b"\\(", b"\\*("]
                .iter()
                .any(|escape| before.ends_with_ignore_case(escape)) =>
        {
            2
        }
        // `\Q` of Perl quotes what follows.
        (Some(b'\\'), [b'Q', rest @ ..]) if is_known(rest, follow, options) => 1,
        (Some(b'\\'), [b'n' | b'r' | b't' | b'v' | b'f' | b'b' | b'a' | b'e', ..]) => 1,
        _ => 0,
    }
}

/// True if `text` starts with something like a scheme and its colon.
pub(super) fn starts_with_scheme(text: &[u8]) -> bool {
    let scheme = text.clamped(..MAX_SCHEME_BYTES).leading(is_scheme_byte);
    scheme > 1 && text.get(scheme) == Some(&b':')
}

/// True if `text` starts with `scheme://`.
pub(crate) fn starts_uri(text: &[u8]) -> bool {
    let near = text.get(..MAX_SCHEME_BYTES).unwrap_or(text);
    let scheme = chunk::run(near, chunk::is_in_scheme);
    scheme >= 2 && text.part(scheme..).starts_with(b"://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scheme(text: &str) -> Option<&str> {
        let colon = text.find(':')?;
        let follow = AfterColon::classify(&text.as_bytes()[colon + 1..]);
        let start = find(text.as_bytes(), colon, follow, &Options::default())?;
        Some(&text[start.at..colon])
    }

    #[test]
    fn schemes_before_a_colon() {
        for (text, expected) in [
            ("http://x", Some("http")),
            ("see.http://x", Some("http")),
            ("x++https://x", Some("https")),
            ("git+ssh://x", Some("git+ssh")),
            ("path+file:///x", Some("path+file")),
            ("\\ftp://x", Some("ftp")),
            ("\\nhttp://x", Some("http")),
            ("\\f5https://x", Some("https")),
            ("\\u0068ttps://x", None),
            ("\\x68ttps://x", None),
            ("\\u0022http://x", Some("http")),
            ("\\u201chttp://x", Some("http")),
            ("\\x0ahttps://x", Some("https")),
            ("\\xhttps://x", Some("https")),
            ("\\fBhttps://x", Some("https")),
            ("\x1b[0;1mhttp://x", Some("http")),
            ("\x1b[31mgit+https://x", Some("git+https")),
            ("\x1b[4;38;2;166;226;46mmyapp://x", Some("myapp")),
            ("\x1b[m+https://x", Some("https")),
            ("\\u{1b}[31m\x1b[Kbzr+ssh://x", Some("bzr+ssh")),
            ("[31mgit+https://x", Some("mgit+https")),
            ("listhttps://x", Some("https")),
            ("zotero://select", Some("zotero")),
            ("schéma://x", None),
            ("打开zotero://select", Some("zotero")),
            ("\\Qgit://x", Some("git")),
            ("\\Qfoo://x", Some("Qfoo")),
            ("akka.tcp://x", Some("akka.tcp")),
            ("my-service://x", Some("my-service")),
            ("see-https://x", Some("https")),
            ("TODO:x", None),
            ("12http://x", Some("http")),
        ] {
            assert_eq!(scheme(text), expected, "{text}");
        }
    }
}
