//! Reads defanged URIs (`--refang`, D4.6), also without a scheme.

use alloc::vec::Vec;

use super::byte_class::{is_hard, starts_with};
use super::decode::{self, DecodedExtent};
use super::email;
use super::host_placeholder::{BracketedPart, bracketed_part};
use super::unschemed::Unschemed;
use crate::grammar::table::is_scheme_byte;
use crate::kind::Kind;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::AssumedScheme;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Misspelled schemes, and the schemes they stand for.
#[rustfmt::skip]
const SCHEMES: [(&[u8], &[u8]); 16] = [
    (b"hxxp", b"http"), (b"hxxps", b"https"), (b"htxp", b"http"), (b"htxps", b"https"),
    (b"hxtp", b"http"), (b"hxtps", b"https"), (b"hzzp", b"http"), (b"hzzps", b"https"),
    (b"h00p", b"http"), (b"h00ps", b"https"), (b"h--p", b"http"), (b"h--ps", b"https"),
    (b"hxxx", b"http"), (b"fxp", b"ftp"), (b"fxps", b"ftps"), (b"fxtp", b"sftp"),
];

/// Length of the longest of [`SCHEMES`].
const MAX_SCHEME_LENGTH: usize = 5;

/// Schemes of addresses, which are not followed by `//`.
const ADDRESSES: [&[u8]; 7] = [b"mailto", b"sip", b"sips", b"xmpp", b"acct", b"im", b"pres"];

/// Spellings of `://`. A longer one precedes its own prefixes.
const SEPARATORS: [&[u8]; 13] = [
    b"://",
    b"[://]",
    b"(://)",
    b"[:]//",
    b"(:)//",
    b"[:][/][/]",
    b"[:]/[/]",
    b"[:][//]",
    b":[//]",
    b":[/][/]",
    b":/[/]",
    b":\\\\",
    b"[:]\\\\",
];

/// Meaning of a backslash in a defanged URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backslash {
    Hard,
    /// `hxxp:\\host\path`: the separator of Windows.
    Slash,
}

/// Spellings of one character, in any case. The first [`ANYWHERE`] apply everywhere. The others
/// apply only in an authority, because a path may contain them literally.
#[rustfmt::skip]
const CHARACTERS: [(&[u8], &[u8; 1]); 25] = [
    (b"[.]", b"."), (b"[dot]", b"."), (b"[/]", b"/"), (b"[?]", b"?"), (b"[=]", b"="), (b"[&]", b"&"),
    (b"[#]", b"#"), (b"[@]", b"@"), (b"[:]", b":"), (b"(.)", b"."), (b"{.}", b"."),
    (b"<.>", b"."), (b"(dot)", b"."), (b"{dot}", b"."), (b"\\.", b"."),
    (b"(:)", b":"), (b"[at]", b"@"), (b"(at)", b"@"), (b" [.] ", b"."), (b" [dot] ", b"."),
    (b" (dot) ", b"."), (b" dot ", b"."), (b" [@] ", b"@"), (b" [at] ", b"@"), (b" (at) ", b"@"),
];
const ANYWHERE: usize = 9;
/// Longest host or address without a scheme, in bytes.
const MAX_NAME_LENGTH: usize = 253;
const OPENERS: &[u8] = b"[({<\\ ";
const CLOSERS: &[u8] = b"])}";

/// Returns the end of the scheme before the colon at `haystack[colon]`. The colon may be in a
/// bracket.
pub(crate) fn scheme_end(haystack: &[u8], colon: usize) -> usize {
    match haystack.get(..colon) {
        Some([.., b'[' | b'(']) => colon - 1,
        _ => colon,
    }
}

/// Fills `derived` with the refanged URI whose scheme is `haystack[at..end]`, up to about `most`
/// bytes; `None` if nothing in it is defanged.
pub(crate) fn refang(
    haystack: &[u8],
    at: usize,
    end: usize,
    most: usize,
    derived: &mut DerivedText,
) -> Option<DecodedExtent> {
    let scheme = haystack.get(at..end)?;
    derived.restart(most.min(decode::MAX_RESERVED_BYTES) + decode::LOOKAHEAD_BYTES);
    match plain_scheme(scheme) {
        Some((start, plain)) => {
            derived.copy(scheme.part(..start), at);
            derived.replace(plain, Span::new(at + start, end), RunOrigin::Refanged);
        }
        None => derived.copy(scheme, at),
    }
    let rest = haystack.get(end..)?;
    let i = match SEPARATORS.iter().find(|separator| rest.starts_with(separator)) {
        Some(&b"://") => {
            derived.copy(b"://", end);
            end + b"://".len()
        }
        Some(separator) => {
            let i = end + separator.len();
            derived.replace(b"://", Span::new(end, i), RunOrigin::Refanged);
            i
        }
        // `mailto:jo[at]a[.]example`: only the address after the colon is defanged.
        None if rest.first() == Some(&b':') && is_address(scheme) => {
            derived.copy(b":", end);
            end + 1
        }
        None => return None,
    };
    // `hxxp:// 1.2.3.4`: a space keeps programs from linking it
    let i = match haystack.get(i..) {
        Some([b' ', host @ ..]) if is_defanged(scheme) && starts_host(host) => {
            derived.replace(b"", Span::new(i, i + 1), RunOrigin::Refanged);
            i + 1
        }
        _ => i,
    };
    let backslash =
        if haystack.part(..i).ends_with(b"\\") { Backslash::Slash } else { Backslash::Hard };
    let extent = rest_of(haystack, i, most, backslash, derived);
    // Without a replacement the URI is an ordinary one, which the other rules decide.
    let refanged = derived.has(RunOrigin::Refanged, derived.text().len());
    refanged.then_some(extent)
}

/// True if `text` starts with a host that contains a dot.
fn starts_host(text: &[u8]) -> bool {
    let word = text.clamped(..MAX_NAME_LENGTH);
    let word = word.part(..word.leading(|b| !is_hard(b)));
    let dot = memchr::memchr(b'.', word);
    word.first().is_some_and(u8::is_ascii_alphanumeric)
        && dot.is_some_and(|dot| dot + 1 < word.len())
}

/// D4.6: true for a scheme that is misspelled so that nothing opens its URI.
pub(super) fn is_defanged(scheme: &[u8]) -> bool {
    SCHEMES.iter().any(|(fanged, _)| scheme.eq_ignore_ascii_case(fanged))
}

/// Returns what a misspelled scheme stands for, and where its misspelled part starts: in
/// `git+hxxps`, the part after the `+` is what a program would open.
fn plain_scheme(scheme: &[u8]) -> Option<(usize, &'static [u8])> {
    let start = scheme.len() - scheme.trailing(|b| b != b'+');
    meant_by(scheme.part(start..)).map(|plain| (start, plain))
}

fn meant_by(name: &[u8]) -> Option<&'static [u8]> {
    let known = SCHEMES.iter().find(|(fanged, _)| name.eq_ignore_ascii_case(fanged));
    known.map(|&(_, plain)| plain)
}

/// A misspelled scheme of a URI inside another: `?u=hxxps://b[.]example`.
struct MisspelledScheme {
    /// Its misspelled part, and what that stands for.
    name: Span,
    plain: &'static [u8],
    /// The length of the separator after it.
    separator: usize,
}

/// Returns the first misspelled scheme in the first `length` bytes of `rest`, which follow
/// `before`.
fn nested_scheme(before: &[u8], rest: &[u8], length: usize) -> Option<MisspelledScheme> {
    let run = rest.part(..length);
    // A separator in brackets ends the run.
    let colons = memchr::memchr_iter(b':', run).chain([length]);
    let mut from = 0;
    for colon in colons {
        let text = run.part(from..colon);
        // No misspelled scheme is longer. After a `+` is the name of what a program would open.
        let near = text.tail(MAX_SCHEME_LENGTH + 1);
        let name = near.tail(near.trailing(|byte| is_scheme_byte(byte) && byte != b'+'));
        let is_joined =
            name.len() == colon && before.last().is_some_and(|&byte| is_scheme_byte(byte));
        from = colon;
        let Some(plain) = meant_by(name).filter(|_| !is_joined) else { continue };
        let mut separators = SEPARATORS.iter().filter(|separator| !separator.contains(&b'\\'));
        if let Some(separator) = separators.find(|it| rest.part(colon..).starts_with(it)) {
            let name = Span::new(colon - name.len(), colon);
            return Some(MisspelledScheme { name, plain, separator: separator.len() });
        }
    }
    None
}

/// True if `rest`, the text after a scheme, starts with a separator and a host or a path.
pub(super) fn starts_authority(rest: &[u8]) -> bool {
    let separator = SEPARATORS.iter().find(|separator| rest.starts_with(separator));
    let after = separator.and_then(|separator| rest.get(separator.len()));
    after.is_some_and(|&b| b.is_ascii_alphanumeric() || b >= 0x80)
}

fn is_address(scheme: &[u8]) -> bool {
    ADDRESSES.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Appends the text after the scheme to `derived`, from `haystack[from]` on, up to about `most`
/// bytes in all.
pub(super) fn rest_of(
    haystack: &[u8],
    from: usize,
    most: usize,
    backslash: Backslash,
    derived: &mut DerivedText,
) -> DecodedExtent {
    let mut i = from;
    let mut in_authority = true;
    while derived.text().len() < most {
        let rest = haystack.part(i..);
        let Some(&byte) = rest.first() else { break };
        if byte == b'\\' && backslash == Backslash::Slash {
            derived.replace(b"/", Span::new(i, i + 1), RunOrigin::Refanged);
            (i, in_authority) = (i + 1, false);
            continue;
        }
        let known = match in_authority {
            _ if !OPENERS.contains(&byte) => &[],
            true => &CHARACTERS[..],
            false => &CHARACTERS[..ANYWHERE],
        };
        let found = known.iter().find(|(fanged, _)| starts_with(rest, fanged));
        if let Some((fanged, plain)) = found {
            derived.replace(*plain, Span::new(i, i + fanged.len()), RunOrigin::Refanged);
            i += fanged.len();
            in_authority &= !matches!(plain, [b'/' | b'?' | b'#']);
            continue;
        }
        if in_authority && let Some(part) = bracketed_part(derived.text(), rest) {
            let BracketedPart { name, is_dotted, length } = part;
            let plain = [if is_dotted { b"." } else { &b""[..] }, rest.part(name.range())].concat();
            derived.replace(&plain, Span::new(i, i + length), RunOrigin::Refanged);
            i += length;
            continue;
        }
        if in_authority && let Some((length, plain)) = half_dot(haystack.part(..i), rest) {
            derived.replace(plain, Span::new(i, i + length), RunOrigin::Refanged);
            i += length;
            continue;
        }
        if is_hard(byte) {
            break;
        }
        // Everything up to the next possible bracket is copied in one piece.
        let inside = |b| !is_hard(b) && !OPENERS.contains(&b) && !CLOSERS.contains(&b);
        let length = 1 + rest.clamped(1..most).leading(inside);
        let run_end = i + length;
        in_authority &= !rest.part(..length).iter().any(|b| matches!(b, b'/' | b'?' | b'#'));
        // In one pass over the run, so that many nested URIs take linear time.
        while let Some(nested) = nested_scheme(derived.text(), haystack.part(i..), run_end - i) {
            let (start, end) = (i + nested.name.start(), i + nested.name.end());
            derived.copy(haystack.part(i..start), i);
            derived.replace(nested.plain, Span::new(start, end), RunOrigin::Refanged);
            i = end + nested.separator;
            match haystack.part(end..i) {
                b"://" => derived.copy(b"://", end),
                _ => derived.replace(b"://", Span::new(end, i), RunOrigin::Refanged),
            }
            in_authority = false;
            if i >= run_end {
                break;
            }
        }
        if i < run_end {
            derived.copy(haystack.part(i..run_end), i);
            i = run_end;
        }
    }
    work_counter::add(i - from);
    decode::end_part(derived, haystack, i, most)
}

/// Returns the length and the meaning of half a defanged dot at the start of `rest`:
/// `example[.com`, `example.]com`.
fn half_dot(before: &[u8], rest: &[u8]) -> Option<(usize, &'static [u8])> {
    match rest {
        [b'[' | b'(' | b'{', b'.', next, ..] if next.is_ascii_alphanumeric() => Some((2, b".")),
        // The dot before the bracket has been copied.
        [b']' | b')' | b'}', next, ..]
            if next.is_ascii_alphanumeric() && before.ends_with(b".") =>
        {
            Some((1, b""))
        }
        _ => None,
    }
}

/// True if `text` ends in `[.]` or another spelling of a dot.
pub(super) fn ends_in_dot(text: &[u8]) -> bool {
    let brackets = CHARACTERS.iter().filter(|(fanged, plain)| *plain == b"." && fanged.len() > 2);
    let mut brackets = brackets.map(|(fanged, _)| fanged);
    let closes = text.last().is_some_and(|byte| b"])}>".contains(byte));
    closes && brackets.any(|end| text.ends_with_ignore_case(end))
}

/// Returns the host or address without a scheme (D7) in which the bracket at `haystack[bracket]`
/// stands for a `.` or an `@`.
pub(super) fn unschemed(
    haystack: &[u8],
    bracket: usize,
    assume: AssumedScheme,
) -> Option<Unschemed> {
    // `joe [at] example` has a space before the bracket, and the name ends before that space.
    let is_spaced = haystack.part(..bracket).last() == Some(&b' ');
    let before = haystack.part(..bracket - usize::from(is_spaced));
    let in_local = |b: u8| b.is_ascii_alphanumeric() || b"-_.+@".contains(&b);
    let length = before.tail(MAX_NAME_LENGTH).trailing(in_local);
    work_counter::add(length);
    let name = before.tail(length);
    // Neither a host nor an address starts with a mark. Those before it belong to a list or to
    // emphasis.
    let name = name.part(name.leading(|b| !b.is_ascii_alphanumeric())..);
    let at = before.len() - name.len();
    if name.is_empty() || !may_precede(haystack.part(..at)) {
        return None;
    }
    let (host, marks, length) = plain_name(haystack.part(at..));
    let ats = host.iter().filter(|&&b| b == b'@').count();
    let domain = host.rsplit(|&b| b == b'@').next().unwrap_or_default();
    let is_name = marks > 0 && is_host(domain);
    let (scheme, kind) = match ats {
        0 if !host.contains(&b'+') => (assume.prefix(), Kind::Abbreviated),
        // `@name[.]example` mentions an account and lacks the local part of an address.
        1 if host.first() != Some(&b'@') => ("mailto:", Kind::Email),
        _ => return None,
    };
    // An address ends with its host; a comma after it belongs to the surrounding text.
    let end = (kind == Kind::Email).then_some(at + length);
    is_name.then_some(Unschemed { at, rest: at, scheme, kind, end })
}

/// True if the text before the name does not make it part of something longer.
fn may_precede(before: &[u8]) -> bool {
    match before {
        [.., b'/', b'/'] | [.., b'.', b'.'] => true,
        [.., b'.'] => false,
        [.., b] => !b.is_ascii_alphanumeric() && !b"/\\])}>^$%#&?@:".contains(b),
        [] => true,
    }
}

/// Returns the name at the start of `text` with its spellings replaced, the number of replacements,
/// and its length in the source.
fn plain_name(text: &[u8]) -> (Vec<u8>, usize, usize) {
    let (mut name, mut marks, mut i) = (Vec::with_capacity(64), 0, 0);
    while name.len() < MAX_NAME_LENGTH {
        let rest = text.part(i..);
        match rest.first() {
            Some(&b) if b.is_ascii_alphanumeric() || b"-_.+@".contains(&b) => {
                name.push(b);
                i += 1;
            }
            Some(b) if OPENERS.contains(b) => {
                let found = CHARACTERS.iter().find(|(fanged, _)| starts_with(rest, fanged));
                let Some((fanged, plain @ (b"." | b"@"))) = found else {
                    break;
                };
                name.extend_from_slice(*plain);
                marks += 1;
                i += fanged.len();
            }
            _ => break,
        }
    }
    work_counter::add(i);
    (name, marks, i)
}

/// True for a name with a top-level domain, or an IPv4 address. A trailing dot is not part of it.
fn is_host(name: &[u8]) -> bool {
    let name = name.strip_suffix(b".").unwrap_or(name);
    let mut labels = name.split(|&b| b == b'.');
    let is_number =
        |label: &[u8]| core::str::from_utf8(label).is_ok_and(|label| label.parse::<u8>().is_ok());
    let is_label = |label: &[u8]| {
        let ends = [label.first(), label.last()];
        ends.iter().all(|b| b.is_some_and(|&b| b != b'-')) && !label.contains(&b'+')
    };
    let (count, top) = (labels.clone().count(), labels.clone().next_back().unwrap_or_default());
    let is_address = count == 4 && labels.clone().all(is_number);
    is_address || count > 1 && labels.all(is_label) && email::is_top(top)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_start_all_that_is_known() {
        for (fanged, _) in CHARACTERS {
            assert!(OPENERS.contains(&fanged[0]), "{fanged:?}");
        }
    }

    #[test]
    fn reads_what_was_meant() {
        for (text, scheme, expected) in [
            ("hxxps://a[.]example[.]com/x[.]exe ", 5, "https://a.example.com/x.exe "),
            ("fxp[:]//a(dot)b{.}c/(.) ", 3, "ftp://a.b.c/(.) "),
            ("http[://]a\\.b ", 4, "http://a.b "),
            ("git+hxxps://a[.]b ", 9, "git+https://a.b "),
            ("im:jo[@]a[.]b ", 2, "im:jo@a.b "),
            ("hxxp://a/?q=hxxps://b[.]c/&r=fxp[:]//d ", 4, "http://a/?q=https://b.c/&r=ftp://d "),
            ("hxxp://a/xhxxp://b,git+hxxp://c ", 4, "http://a/xhxxp://b,git+http://c "),
            ("http://a/?q=hxxp://b ", 4, "http://a/?q=http://b "),
        ] {
            let mut derived = DerivedText::default();
            let extent = refang(text.as_bytes(), 0, scheme, 1000, &mut derived).unwrap();
            assert_eq!((derived.text(), extent), (expected.as_bytes(), DecodedExtent::Whole));
        }
        assert!(refang(b"http://a.example/ ", 0, 4, 1000, &mut DerivedText::default()).is_none());
    }
}
