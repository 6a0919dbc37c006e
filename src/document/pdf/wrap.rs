//! Tells from the places and faces of glyphs whether a URI continues in the next line.
//!
//! The finder sees only characters, and flags uncertain ends. A page shows more: whether the line
//! is full, whether the face stays, whether the page hyphenates words.

use super::lines::{LineEnd, PlacedText};
use crate::delimit::uri_rest::{has_extension, is_rest_of_path, looks_like_rest};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

/// Longest URI that is followed over lines.
const MAX_LENGTH: usize = 4 << 10;
/// Longest piece of the next line that is read.
const MAX_PIECE_LENGTH: usize = 512;
/// Letters and digits of a segment that is not a word.
const LONG_HASH: usize = 28;
/// Minimum number of digits of a number that is neither a page number nor a year.
const LONG_NUMBER: usize = 5;
/// Names of a page whose words are looked for in it.
const MAX_NAMES: usize = 32;
/// Lines that a page must have before it counts as one that does not hyphenate.
const FEW_LINES: usize = 8;

/// Returns the line ends inside of URIs, apart from those in `known`.
///
/// `is_whole` is true for URIs that are also the target of a link on the page, unchanged.
pub(super) fn line_ends_in_uris(
    layout: &PlacedText,
    known: &[Span],
    is_whole: impl Fn(&[u8]) -> bool,
) -> Vec<Span> {
    let text = layout.text.as_bytes();
    let hyphenates = hyphenates(layout);
    let mut names = MAX_NAMES;
    let mut found = Vec::new();
    let mut uri = LastWord::default();
    let mut line_start = 0;
    let mut known = known.iter().peekable();
    for end in &layout.ends {
        let line = text.part(line_start..end.at);
        uri.go_on(line, line_start);
        line_start = end.at + 1;
        // Both lists are in order, so each is walked once.
        while known.next_if(|span| span.end() <= end.at).is_some() {}
        let is_known = known.peek().is_some_and(|span| span.range().contains(&end.at));
        let is_inside = is_known
            || end.is_full
                && uri.bytes.len() <= MAX_LENGTH
                && !uri.uri().is_some_and(&is_whole)
                && continues(layout, &uri, *end, hyphenates, &mut names);
        if !is_inside {
            uri = LastWord::default();
        } else if !is_known {
            found.push(Span::new(end.at, end.at + 1));
            uri.lines += 1;
        }
    }
    found
}

/// The last word so far, without the line ends in it.
#[derive(Default)]
struct LastWord {
    bytes: Vec<u8>,
    /// Its offset in the text.
    start: usize,
    /// Line ends in it that no link confirms.
    lines: usize,
    /// True if it takes up all of its last line.
    is_line: bool,
}

impl LastWord {
    fn go_on(&mut self, line: &[u8], line_start: usize) {
        let word = line.len() - line.trailing(|byte| !byte.is_ascii_whitespace());
        self.is_line = word == 0;
        if !self.is_line || self.bytes.is_empty() {
            *self = Self { start: line_start + word, is_line: self.is_line, ..Self::default() };
        }
        if self.bytes.len() <= MAX_LENGTH {
            self.bytes.extend(line.part(word..));
        }
    }

    /// Returns the text that starts like a URI.
    fn uri(&self) -> Option<&[u8]> {
        let after_scheme = |at: &usize| {
            let rest = self.bytes.clamped(at + 3..);
            rest.first().is_some_and(u8::is_ascii_alphanumeric)
        };
        let colon = memchr::memmem::find(&self.bytes, b"://").filter(after_scheme);
        let scheme =
            colon.map(|at| at - self.bytes.part(..at).trailing(|byte| byte.is_ascii_alphabetic()));
        let at = scheme
            .or_else(|| memchr::memmem::find(&self.bytes, b"www."))
            .or_else(|| memchr::memmem::find(&self.bytes, b"doi:"))
            .or_else(|| self.cut_scheme())?;
        Some(self.bytes.clamped(at..))
    }

    /// Returns the start of a scheme whose slashes are in the next line.
    fn cut_scheme(&self) -> Option<usize> {
        let before = self.bytes.strip_suffix(b"/").unwrap_or(&self.bytes).strip_suffix(b":")?;
        let name = before.trailing(|byte| byte.is_ascii_alphabetic());
        let at = before.len() - name;
        matches!(before.clamped(at..), b"http" | b"https" | b"ftp").then_some(at)
    }
}

/// True if the words of a page are hyphenated at the ends of its lines, or if it has too few words
/// to decide.
fn hyphenates(layout: &PlacedText) -> bool {
    let text = layout.text.as_bytes();
    layout.ends.len() < FEW_LINES
        || layout.ends.iter().any(|end| {
            let line = text.clamped(..end.at).tail(MAX_PIECE_LENGTH);
            let Some(word) = line.strip_suffix(b"-") else { return false };
            let word = word.tail(word.trailing(|byte| !byte.is_ascii_whitespace()));
            word.len() > 1
                && word.iter().all(u8::is_ascii_alphabetic)
                && text.get(end.at + 1).is_some_and(u8::is_ascii_lowercase)
        })
}

/// True if a text that starts like a URI continues after the end of its line.
fn continues(
    layout: &PlacedText,
    word: &LastWord,
    end: LineEnd,
    hyphenates: bool,
    names: &mut usize,
) -> bool {
    let text = layout.text.as_bytes();
    let next = text.clamped(end.at + 1..).clamped(..MAX_PIECE_LENGTH);
    let next = next.part(..next.leading(|byte| !byte.is_ascii_whitespace()));
    let (Some(uri), Some(&first)) = (word.uri(), next.first()) else { return false };
    let [.., before, last] = *uri else { return false };
    if memchr::memmem::find(next, b"://").is_some() || next.starts_with(b"www.") {
        return false;
    }
    if matches!(uri, [.., b':'] | [.., b':', b'/']) && word.cut_scheme().is_some() {
        let slashes = if last == b':' { &b"//"[..] } else { b"/" };
        let host = next.strip_prefix(slashes).and_then(<[u8]>::first);
        return host.is_some_and(u8::is_ascii_alphanumeric);
    }
    // A DOI is broken after its scheme, and in its number.
    let is_doi = uri.starts_with(b"doi:");
    if is_doi && (uri == b"doi:" || uri == b"doi:10.") {
        let rest = next.strip_prefix(b"10.").filter(|_| uri == b"doi:").unwrap_or(next);
        return rest.leading(|byte| byte.is_ascii_digit()) >= 4 && rest.contains(&b'/');
    }
    // A URI may be in several fonts.
    let start = word.start + word.bytes.len() - uri.len();
    let has_face = |face: Option<u32>| face.is_none_or(|face| layout.has_face(start..end.at, face));
    if !has_face(layout.face(end.at + 1)) {
        return false;
    }
    let before_word = word_before(text, start);
    let is_set_apart = !has_face(before_word.and_then(|at| layout.face(at)));
    let is_marked = is_rest_of_path(next) || has_extension(next) || has_marks(next);
    let is_last = text.get(end.at + 1 + next.len()).is_none_or(|&b| b == b'\n');
    let is_alone = word.is_line && is_last;
    if is_hash_piece(uri, next, is_last) {
        return true;
    }
    match (last, first) {
        // URIs do not end with such a character, and do not start with such a byte.
        (b'_' | b'=' | b'&' | b'?' | b'%' | b'#' | b'~', _) => {
            first.is_ascii_alphanumeric() || first == b'_' || first == b'%'
        }
        (_, b'?' | b'&' | b'=' | b'_' | b'%' | b'#') => {
            last.is_ascii_alphanumeric() && next.get(1).is_some_and(u8::is_ascii_alphanumeric)
        }
        (b'/', _) if first.is_ascii_alphanumeric() || first == b'~' => {
            is_set_apart
                || is_marked
                || is_doi && looks_like_rest(next)
                || is_alone && memchr::memchr_iter(b'-', next).count() > 1
                || is_last && is_last_segment(&layout.text, start, next)
        }
        // A path of a program may also start like this.
        (_, b'/') => {
            is_set_apart
                && last.is_ascii_alphanumeric()
                && next.get(1).is_some_and(u8::is_ascii_alphanumeric)
        }
        (b'-', _) if first.is_ascii_alphanumeric() || first == b'_' => {
            before.is_ascii_digit()
                || !first.is_ascii_lowercase()
                || is_hyphen_of_name(text, [uri, next], hyphenates, names)
        }
        // The next sentence may be a DOI.
        (b'.', _) if next.starts_with(b"10.") => false,
        (b'.', _) => {
            is_set_apart && first.is_ascii_alphanumeric() && is_marked
                || before.is_ascii_alphanumeric() && has_extension(&[b".", next].concat())
                || before.is_ascii_digit() && first.is_ascii_digit()
                || is_marked && is_host(uri) && starts_with_domain(next)
        }
        (_, b'.') => {
            last.is_ascii_alphanumeric()
                && (has_extension(next)
                    || is_host(uri) && starts_with_domain(next.clamped(1..))
                    || is_set_apart && next.get(1).is_some_and(u8::is_ascii_alphanumeric))
        }
        // A port, and the path after it.
        (b':', _) => first.is_ascii_digit() && next.contains(&b'/'),
        _ => {
            // Only a typesetter that knows nothing of URIs breaks them between two letters.
            let is_piece = last.is_ascii_alphanumeric() && first.is_ascii_alphanumeric();
            let is_more = is_marked || word.lines > 0 && next.contains(&b'/');
            let is_line =
                word.is_line && is_more && (is_set_apart || word.lines > 0 || uri.contains(&b'%'));
            is_piece && (is_line || is_quoted(text, start, next))
        }
    }
}

/// True for the rest of a hash, which has no place where a line may be broken: letters and digits
/// after a segment that is longer than words are, and not as long as the usual hashes.
fn is_hash_piece(uri: &[u8], next: &[u8], is_last: bool) -> bool {
    let segment = uri.tail(uri.trailing(|byte| byte.is_ascii_alphanumeric()));
    let digits = |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_whole =
        // Sums of MD5, SHA-1, and SHA-256: nothing can follow these.
        matches!(segment.len(), 32 | 40 | 64) && segment.iter().all(u8::is_ascii_hexdigit);
    let rest = next.part(..next.len() - next.trailing(|byte| b".,;:)>]".contains(&byte)));
    segment.len() >= LONG_HASH
        && !is_whole
        && digits(segment) > 2
        && !rest.is_empty()
        && rest.iter().all(u8::is_ascii_alphanumeric)
        && (is_last || digits(rest) > 0)
}

/// True for a word after the slash at the end of a URI that cannot belong to the text: letters
/// alone where the text before the URI is in a script that puts no spaces between words, or a long
/// number in a line that starts before the URI.
fn is_last_segment(text: &str, start: usize, next: &[u8]) -> bool {
    let Some(before) = text.get(..start).and_then(|it| it.chars().next_back()) else {
        return false;
    };
    let is = |test: fn(&u8) -> bool| next.iter().all(test);
    is_unspaced(before) && is(u8::is_ascii_lowercase)
        || before != '\n' && next.len() >= LONG_NUMBER && is(u8::is_ascii_digit)
}

/// True for a character of Chinese or Japanese, also a mark.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ff9f}')
}

/// True if a quotation mark opens right before the URI, and closes in the rest of it.
fn is_quoted(text: &[u8], start: usize, next: &[u8]) -> bool {
    let mark = start.checked_sub(1).and_then(|before| text.get(before));
    mark == Some(&b'"') && next.contains(&b'"')
}

/// True if a URI has only a scheme and labels of its host.
fn is_host(uri: &[u8]) -> bool {
    let rest = memchr::memmem::find(uri, b"://").map_or(uri, |colon| uri.clamped(colon + 3..));
    rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(byte))
}

/// True for a top-level domain and the path after it.
fn starts_with_domain(next: &[u8]) -> bool {
    let (label, rest) = next.split_at(next.leading(|byte| byte.is_ascii_alphabetic()));
    !label.is_empty()
        && rest.starts_with(b"/")
        && std::str::from_utf8(label).is_ok_and(crate::registry::tld)
}

/// True if the words of the page say that a hyphen at the line end belongs to a name: it has the
/// word after it as such, but not both as one word. On a page that hyphenates nothing else, the
/// word before is enough; on others the name must have more hyphens.
fn is_hyphen_of_name(
    text: &[u8],
    [uri, next]: [&[u8]; 2],
    hyphenates: bool,
    left: &mut usize,
) -> bool {
    let segment = uri.tail(uri.trailing(|byte| byte != b'/'));
    let is_name = memchr::memchr_iter(b'-', segment).count() > 1 || next.contains(&b'-');
    let before = segment.strip_suffix(b"-").unwrap_or(segment);
    let before = before.tail(before.trailing(|byte| byte.is_ascii_alphabetic()));
    let behind = next.part(..next.leading(|byte| byte.is_ascii_alphabetic()));
    if hyphenates && !is_name || *left == 0 {
        return false;
    }
    *left -= 1;
    let count = |word: &[u8]| {
        work_counter::add(text.len());
        let words = text.split(|byte| !byte.is_ascii_alphabetic());
        words.filter(|other| other.eq_ignore_ascii_case(word)).count()
    };
    // Each is also in its own line.
    let is_word = |word: &[u8]| word.len() > 1 && count(word) > 1;
    count(&[before, behind].concat()) == 0 && (is_word(behind) || !hyphenates && is_word(before))
}

/// True if a word has a mark that only URIs and names of files have.
fn has_marks(word: &[u8]) -> bool {
    let word = word.part(..word.len() - word.trailing(|byte| b".,;:)>]".contains(&byte)));
    let is_path = word.contains(&b'/')
        && word.iter().any(|byte| byte.is_ascii_digit() || b"-._~".contains(byte));
    word.iter().any(|byte| b"_=%&?#~".contains(byte)) || is_path || word.ends_with(b"/")
}

/// Returns the place of the last character before a word, apart from white space and brackets.
fn word_before(text: &[u8], start: usize) -> Option<usize> {
    let before = text.clamped(..start);
    let skipped = before.trailing(|byte| byte.is_ascii_whitespace() || b"(<[".contains(&byte));
    before.len().checked_sub(skipped + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_after_the_last_slash() {
        let is_rest =
            |before: &str, next: &str| is_last_segment(before, before.len(), next.as_bytes());
        assert!(is_rest("こと：", "curriculum"));
        assert!(is_rest("SLES11, ", "12139"));
        assert!(!is_rest("See ", "today"));
        assert!(!is_rest("", "12139"));
        assert!(!is_rest("a\n", "12139"), "a heading, and what is below it");
        assert!(!is_rest("See ", "2019"));
    }
}
