//! Finds secrets by their own form ([`FORMS`], [`WORDS`]) or by their address ([`ADDRESSES`]).

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::{memchr2, memchr3};

use super::decode::decoded;
use super::escapes;
use super::form_table::FORMS;
use super::forms::{ADDRESSES, SecretAddress, TokenBody, TokenForm, WORDS, WordTail};
use crate::byte_table::{ByteTable, byte_table};
use crate::percent::octet;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Returns the tokens in a text from `from` on with the names of their forms, sorted by start. What
/// stands before the path may be a token in a word of a text, rather than a scheme: `AKIA…:`.
pub(super) fn tokens_from(
    text: &[u8],
    from: usize,
    path: usize,
) -> impl Iterator<Item = (Span, &'static str)> {
    let mut runs = TokenRuns::read(text, path);
    let mut at = from;
    // Without these, a token can only start after the end of a word, so the letters of words need
    // not be examined.
    let next_start = match memchr3(b'%', b'\\', b'[', text) {
        Some(_) => next_start,
        None => behind_word,
    };
    core::iter::from_fn(move || {
        let mut is_start = begins(text, at);
        while at < text.len() {
            let found = if is_start {
                token_at(text, at, &mut runs).or_else(|| marked_word(text, at))
            } else {
                None
            };
            match found {
                Some((end, name)) => {
                    let span = Span::new(at, end);
                    at = end;
                    return Some((span, name));
                }
                None => (at, is_start) = (behind_payload(text, next_start(text, at)), true),
            }
        }
        None
    })
}

/// True where a token may start: not inside a word, except after a percent triplet and an escape.
fn begins(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
        || is_behind_triplet(text, at)
        || escapes::ends_at(text, at)
}

fn is_behind_triplet(text: &[u8], at: usize) -> bool {
    at.checked_sub(3).is_some_and(|triplet| octet(text, triplet).is_some())
}

/// A lookup table, because a URI may be a whole document (RFC 2397) and most of its bytes are
/// letters and digits.
static ALPHANUMERIC: ByteTable<bool> = byte_table!(byte => byte.is_ascii_alphanumeric());

/// Returns the next offset after `at` where [`begins`] is true: after a word, or after a percent
/// triplet or an escape that reaches into it.
fn next_start(text: &[u8], at: usize) -> usize {
    let after = behind_word(text, at);
    let mut inside = (at + 1)..after.min(at + 3);
    let triplet = inside.find(|&at| is_behind_triplet(text, at));
    [triplet, escapes::next_end(text, at, after)].into_iter().flatten().min().unwrap_or(after)
}

/// Returns the end of the payload of a `data:` URI (RFC 2397) that starts at `at`, or `at`. In 100
/// kB of a base64 picture, some part has the form of nearly any token.
fn behind_payload(text: &[u8], at: usize) -> usize {
    if text.clamped(..at).ends_with(b";base64,") {
        at + text.clamped(at..).leading(|b| ALPHANUMERIC.get(b) || matches!(b, b'+' | b'/'))
    } else {
        at
    }
}

/// Returns the next offset after `at` that follows the end of a word.
fn behind_word(text: &[u8], at: usize) -> usize {
    at + text.clamped(at..).leading(|byte| ALPHANUMERIC.get(byte)) + 1
}

/// Number of second bytes that [`STARTS`] distinguishes. In WebAssembly, the table would add to the
/// size of a page, so only the first byte counts there, and more forms are compared.
const SECOND_BYTES: usize = if cfg!(target_family = "wasm") { 1 } else { 128 };

/// For each pair of bytes that starts a token: one more than the index in [`FORMS`] of its first
/// form, and that of its last.
static STARTS: [[[u8; 2]; SECOND_BYTES]; 128] = {
    const fn note(pair: &mut [u8; 2], form: usize) {
        // Forms are noted from the last to the first, so the first note has the highest index. The
        // final value of the other field is the lowest.
        if pair[1] == 0 {
            pair[1] = form as u8;
        }
        pair[0] = form as u8;
    }
    let mut starts = [[[0; 2]; SECOND_BYTES]; 128];
    let mut form = FORMS.len();
    while form > 0 {
        let mut prefix = 0;
        while prefix < FORMS[form - 1].prefixes.len() {
            match FORMS[form - 1].prefixes[prefix].as_bytes() {
                [first, second, ..] => {
                    note(&mut starts[*first as usize][*second as usize % SECOND_BYTES], form);
                }
                // A number and a colon, so its first bytes are any two digits.
                _ => {
                    let mut digits = 0;
                    while digits < 100 {
                        let (first, second) = (digits / 10, digits % 10);
                        let second = (b'0' as usize + second) % SECOND_BYTES;
                        note(&mut starts[b'0' as usize + first][second], form);
                        digits += 1;
                    }
                }
            }
            prefix += 1;
        }
        form -= 1;
    }
    starts
};

fn token_at(text: &[u8], at: usize, runs: &mut TokenRuns) -> Option<(usize, &'static str)> {
    let rest = text.part(at..);
    let [first, second, ..] = rest else {
        return None;
    };
    // Most positions are rejected by this lookup of two bytes.
    let second_byte = if SECOND_BYTES == 1 { 0 } else { usize::from(*second) };
    let [from, to] = *STARTS.get(usize::from(*first))?.get(second_byte)?;
    // A numeric prefix is empty and is not compared: `memcmp` of zero bytes is slow with AVX-512.
    let starts = |prefix: &[u8]| match prefix {
        [] => true,
        [a, b, tail @ ..] => (a, b) == (first, second) && rest.part(2..).starts_with(tail),
        [_] => rest.starts_with(prefix),
    };
    for form in FORMS.get(usize::from(from.checked_sub(1)?)..usize::from(to))? {
        for prefix in form.prefixes {
            if starts(prefix.as_bytes())
                && let Some(end) = token_end(text, at + prefix.len(), form, runs)
            {
                return Some((end, form.name));
            }
        }
    }
    None
}

/// Returns the end of a token whose body starts here, or `None` if it does not have this form.
fn token_end(text: &[u8], start: usize, form: &TokenForm, runs: &mut TokenRuns) -> Option<usize> {
    let rest = text.get(start..)?;
    let count = |test: fn(&u8) -> bool| rest.leading(|byte| test(&byte));
    match form.body {
        TokenBody::Alphanumeric => {
            let length = count(u8::is_ascii_alphanumeric);
            let fits = length >= form.least && is_mixed(rest.clamped(..length));
            fits.then(|| runs.base64.around(text, start).end)
        }
        TokenBody::Capital => {
            let length = count(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
            (length >= form.least).then(|| runs.base64.around(text, start).end)
        }
        TokenBody::Hex => {
            let length = count(u8::is_ascii_hexdigit);
            let end = start + length;
            // The number of hexadecimal digits must be exact: otherwise any commit hash with the
            // right prefix would match.
            let rest = text.part(end..runs.base64.around(text, start).end);
            // The marks of emphasis and of comments may follow.
            let marks = rest.leading(|byte| matches!(byte, b'_' | b'-'));
            let is_end = marks == rest.len() || matches!(rest, [b'-', b'0'..=b'9']);
            (length == form.least && is_end)
                .then_some(end + rest.len() - if is_end && marks == rest.len() { marks } else { 0 })
        }
        TokenBody::Base64Url => {
            let run = runs.base64.around(text, start);
            (run.end >= start + form.least && run.is_mixed(start)).then_some(run.end)
        }
        TokenBody::Base64 => {
            let in_path = start < runs.path_end;
            let run = if in_path {
                runs.base64_plus.around(text, start)
            } else {
                runs.base64_slash.around(text, start)
            };
            (run.end >= start + form.least && run.is_mixed(start)).then_some(run.end)
        }
        TokenBody::Random => {
            let run = runs.base64.around(text, start);
            let body = text.part(start..run.end.max(start));
            (body.len() >= form.least && changes_often(body) && !is_of_words(body))
                .then_some(run.end)
        }
        TokenBody::Pieces(divider, lengths) => Some(start + pieces(rest, divider, lengths)?),
        TokenBody::Dotted | TokenBody::Parts => {
            let whole = runs.base64.around(text, start).end;
            let run = runs.dotted.around(text, start);
            let fits = match form.body {
                // The first part alone must have the minimum length, and another part must follow:
                // a JSON Web Token has three.
                TokenBody::Parts => whole >= start + form.least.min(10) && run.end > whole + 1,
                _ => run.is_mixed(start),
            };
            // A full stop at the end belongs to a sentence.
            let end = || run.end - text.clamped(start..run.end).trailing(|byte| byte == b'.');
            Some(fits.then(end)?).filter(|&end| end >= start + form.least)
        }
        TokenBody::Numbered => {
            let number = count(u8::is_ascii_digit);
            let body = start + number + 1;
            if !(6..=17).contains(&number) || !matches!(rest.get(number), Some(b':' | b'|')) {
                return None;
            }
            let run = runs.base64.around(text, body);
            // `920398604589:acd2…` is the number of a project and a checksum. Ids of Asana have 16
            // digits, and its tokens hexadecimal ones: `1/4767806579242908:f2fd…`.
            let is_checksum = || {
                let checksum = text.clamped(body..run.end);
                number != 16
                    && checksum.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            };
            let is_token = run.end >= body + form.least && run.is_mixed(body) && !is_checksum();
            is_token.then_some(run.end)
        }
        TokenBody::Anything => Some(part_end(text, start)),
        TokenBody::PrivateKey => Some(part_end(text, start + key_label(rest)?)),
    }
}

/// Returns the end and name of a word with a mark that starts here.
fn marked_word(text: &[u8], at: usize) -> Option<(usize, &'static str)> {
    /// The shortest word, apart from one that ends in `Q~`.
    const MIN_LENGTH: usize = 15;
    let length = text.clamped(at..).leading(|byte| ALPHANUMERIC.get(byte));
    let end = at + length;
    // Most words are shorter than this and need no other check.
    if length < MIN_LENGTH && text.get(end) != Some(&b'~') {
        return None;
    }
    let word = text.part(at..end);
    WORDS.iter().filter(|known| (known.length[0]..=known.length[1]).contains(&length)).find_map(
        |known| {
            let mark = end - known.before_end;
            let has_mark = text.part(mark..).starts_with(known.mark.as_bytes());
            let start = end.max(mark + known.mark.len());
            let rest = text.get(start..).filter(|_| has_mark && is_mixed(word))?;
            let is_secret = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
            let tail = match known.tail {
                WordTail::Nothing => 0,
                WordTail::Digits => rest.leading(|byte| byte.is_ascii_digit()),
                WordTail::Secret(_) => rest.leading(is_secret),
                WordTail::Pieces(divider, lengths) => pieces(rest, divider, lengths)?,
            };
            let is_tail = match known.tail {
                WordTail::Digits => (1..=2).contains(&tail),
                WordTail::Secret(least) => tail >= least,
                WordTail::Nothing | WordTail::Pieces(..) => true,
            };
            let is_end = rest.get(tail).is_none_or(|&byte| !ALPHANUMERIC.get(byte));
            (is_tail && is_end).then_some((start + tail, known.name))
        },
    )
}

/// Returns the length of the pieces at the start of a text; see [`TokenBody::Pieces`].
fn pieces(text: &[u8], divider: u8, lengths: &[[usize; 2]]) -> Option<usize> {
    let is_base64 = |byte: u8| matches!(byte, b'-' | b'_') && divider == b'.';
    let mut at = 0;
    for (i, &[least, most]) in lengths.iter().enumerate() {
        if i > 0 {
            (text.get(at) == Some(&divider)).then_some(())?;
            at += 1;
        }
        let piece = text.clamped(at..at + most + 1);
        let length = piece.leading(|byte| ALPHANUMERIC.get(byte) || is_base64(byte));
        (least..=most).contains(&length).then_some(())?;
        at += length;
    }
    is_mixed(text.part(..at)).then_some(at)
}

/// A longer part of a run would be read again for each token that may start in it.
const MAX_COMPARED: usize = 64;

/// True for words in small letters with hyphens between them, as in the address of a page:
/// `module-as-of-lucene-8-1-7d139c998b2`. Random base64 of this length has capital letters.
fn is_of_words(body: &[u8]) -> bool {
    let body = body.clamped(..MAX_COMPARED);
    let is_word = |piece: &[u8]| piece.len() > 1 && piece.iter().all(u8::is_ascii_lowercase);
    let is_small = |byte: &u8| !byte.is_ascii_uppercase() && *byte != b'_';
    body.iter().all(is_small)
        && body.split(|&byte| byte == b'-').filter(|piece| is_word(piece)).count() > 1
}

/// True if at least every third character is of another kind than the one before. In random base64,
/// more than half are; in words, one in seven.
fn changes_often(body: &[u8]) -> bool {
    let body = body.clamped(..MAX_COMPARED);
    // A hyphen counts as a small letter, or `a-b-c` would change all the time.
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    body.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count() * 3 >= body.len()
}

/// Returns the end of the part of a URI that contains `start`.
fn part_end(text: &[u8], start: usize) -> usize {
    let ends = |byte: u8| b"&?#\"'<>".contains(&byte) || byte.is_ascii_whitespace();
    start + text.part(start..).leading(|byte| !ends(byte))
}

/// Returns the length of ` PRIVATE KEY`, ` RSA PRIVATE KEY` and similar labels (RFC 7468 §10), with
/// `+` for the spaces in a query.
pub(super) fn key_label(rest: &[u8]) -> Option<usize> {
    const MAX_LENGTH: usize = 48;
    let is_space = |byte: u8| matches!(byte, b' ' | b'+');
    let label = rest.clamped(..MAX_LENGTH);
    let length = label.leading(|byte| byte.is_ascii_uppercase() || is_space(byte));
    let mut words = label.part(..length).rsplit(|byte| is_space(*byte));
    // OpenPGP: `PGP PRIVATE KEY BLOCK` (RFC 9580 §6.2).
    let last = words.next().filter(|last| *last != b"BLOCK").or_else(|| words.next());
    let is_key = last == Some(b"KEY") && words.next() == Some(b"PRIVATE");
    (is_key && rest.first().is_some_and(|byte| is_space(*byte))).then_some(length)
}

/// True if `body` is not only lower-case letters, as words are.
fn is_mixed(body: &[u8]) -> bool {
    TokenRun::read(body, 0, |_| true).is_mixed(0)
}

/// Caches the run of characters around the last offset, so that each run is read once.
struct TokenRuns {
    base64: RunMemo,
    base64_plus: RunMemo,
    base64_slash: RunMemo,
    dotted: RunMemo,
    /// Before it, a `/` divides segments.
    path_end: usize,
}

impl TokenRuns {
    fn read(text: &[u8], path: usize) -> Self {
        let path_end = match text.get(path) {
            Some(b'/') => memchr2(b'?', b'#', text.part(path..)).map_or(text.len(), |at| path + at),
            // The path of an opaque URI has no segments.
            _ => path,
        };
        Self {
            base64: RunMemo::new(b""),
            // A `%` may encode the others.
            base64_plus: RunMemo::new(b"+=%"),
            base64_slash: RunMemo::new(b"+/=%"),
            dotted: RunMemo::new(b"."),
            path_end,
        }
    }
}

/// The last run of letters, digits, `-`, `_`, and `others`.
struct RunMemo {
    run: TokenRun,
    others: &'static [u8],
}

impl RunMemo {
    fn new(others: &'static [u8]) -> Self {
        Self { run: TokenRun::default(), others }
    }

    fn around(&mut self, text: &[u8], at: usize) -> &TokenRun {
        // Tokens overlap in long runs of letters, so each position would otherwise scan to the end
        // of the same run.
        if !(self.run.start..self.run.end).contains(&at) {
            self.run = TokenRun::read(text, at, |byte| {
                ALPHANUMERIC.get(byte) || matches!(byte, b'-' | b'_') || self.others.contains(&byte)
            });
        }
        &self.run
    }
}

/// A run of characters, with the last offset of each kind.
#[derive(Default)]
struct TokenRun {
    start: usize,
    end: usize,
    digits: usize,
    capitals: usize,
    smalls: usize,
}

impl TokenRun {
    fn read(text: &[u8], start: usize, test: impl Fn(u8) -> bool) -> Self {
        let mut run = Self { start, end: start, ..Self::default() };
        for &byte in text.clamped(start..).iter().take_while(|byte| test(**byte)) {
            run.end += 1;
            match byte {
                b'0'..=b'9' => run.digits = run.end,
                b'A'..=b'Z' => run.capitals = run.end,
                b'a'..=b'z' => run.smalls = run.end,
                _ => {}
            }
        }
        run
    }

    /// True if the text from `from` is not only lower-case letters, as words are.
    fn is_mixed(&self, from: usize) -> bool {
        self.digits > from || self.capitals > from && self.smalls > from
    }
}

/// Returns the start of the secret part of a URI whose address is secret; its path starts at
/// `path`.
pub(crate) fn address(
    text: &[u8],
    host: &[u8],
    path: usize,
) -> Option<(usize, &'static SecretAddress)> {
    let rest = text.get(path..)?;
    // Servers and browsers compare normalized hosts and paths (RFC 3986 §6.2.2), so another
    // spelling must not hide the secret. DNS names may end in a dot.
    let host = decoded(host);
    let host = host.strip_suffix(b".").unwrap_or(&host);
    ADDRESSES.iter().filter(|known| is_below(host, known.host.as_bytes())).find_map(|known| {
        let length = behind_path(rest, known.path.as_bytes())?;
        Some((path + length, known))
    })
}

/// Returns the length of the start of a path that is equivalent to `known`: segments, of which `*`
/// stands for any, and the start of one more segment.
fn behind_path(path: &[u8], known: &[u8]) -> Option<usize> {
    /// Longer starts of paths are not compared. No service has such paths, and it bounds the work.
    const MAX_LENGTH: usize = 512;
    let path = path.clamped(..MAX_LENGTH);
    let count = known.iter().filter(|&&byte| byte == b'/').count() - 1;
    let mut segments: Vec<(Cow<'_, [u8]>, usize)> = Vec::new();
    let mut at = 0;
    for segment in path.split(|&byte| byte == b'/') {
        let name = decoded(segment);
        match &*name {
            b"" | b"." => {}
            b".." => drop(segments.pop()),
            _ => segments.push((name, at)),
        }
        at += segment.len() + 1;
    }
    let mut expected = known.split(|&byte| byte == b'/').skip(1);
    let is_equal = |((name, _), expected): (&(Cow<'_, [u8]>, usize), &[u8])| {
        expected == b"*" || **name == *expected
    };
    let is_known = segments.iter().zip(expected.by_ref().take(count)).all(is_equal);
    let (last, start) = segments.get(count).filter(|_| is_known)?;
    let rest = expected.next().unwrap_or_default();
    last.starts_with(rest).then(|| start + rest.len())
}

/// True for `domain` and its subdomains.
pub(super) fn is_below(host: &[u8], domain: &[u8]) -> bool {
    let Some((before, end)) = host.split_at_checked(host.len().wrapping_sub(domain.len())) else {
        return false;
    };
    end.eq_ignore_ascii_case(domain) && matches!(before, [] | [.., b'.'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_forms_are_compared() {
        // All forms between the first and the last with the same two bytes are.
        let pairs = STARTS.iter().flatten();
        let longest = pairs.map(|&[from, to]| usize::from(to) + 1 - usize::from(from.max(1))).max();
        assert!(longest <= Some(20), "{longest:?}: sort the table by its first two bytes");
    }

    proptest! {
        #[test]
        fn no_start_is_passed(text in "[a%2/\\\\n;m-]{0,24}|[u0m\\\\\\[;-]{0,24}", from in 0..24usize) {
            let text = text.as_bytes();
            let naive: Vec<usize> = (from..text.len()).filter(|&at| begins(text, at)).collect();
            let places = core::iter::successors(Some(from), |&at| Some(next_start(text, at)));
            let places = places.take_while(|&at| at < text.len());
            let found: Vec<usize> = places.filter(|&at| begins(text, at)).collect();
            prop_assert_eq!(found, naive);
        }
    }
}
