//! Decodes percent triplets, and other escapes in text that is not a valid URI.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::percent::octet;
use crate::slice::SliceExt;

/// Decodes percent triplets repeatedly, including those that decoding creates: `%2540` becomes `@`.
pub(super) fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for &byte in text {
        out.push(byte);
        // A decoded triplet may complete another one.
        while let Some(at) = out.len().checked_sub(3)
            && let Some(read) = octet(&out, at)
        {
            out.truncate(at);
            out.push(read);
        }
    }
    Cow::Owned(out)
}

/// Decodes the percent triplets once; returns `None` if there are none.
pub(super) fn once(text: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = text.get(at) {
        match octet(text, at) {
            Some(read) => {
                out.push(read);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    // Every decoding step shortens the text, so an equal length means that there was nothing to
    // decode.
    (out.len() < text.len()).then_some(out)
}

/// Spellings of `@` that avoid clicks, or escape it in JSON and HTML.
const ATS: [&[u8]; 12] = [
    b"[at]",
    b"(at)",
    b"{at}",
    b"<at>",
    b"[@]",
    b"(@)",
    b"{@}",
    b"\\u0040",
    b"\\x40",
    b"&commat;",
    b"&#64;",
    b"&#x40;",
];

/// Decodes the escapes of JSON and HTML in a malformed text, and each `[at]` to `@`. Returns `None`
/// if there are none.
pub(super) fn plain(text: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = text.get(at) {
        let rest = text.part(at..);
        if let Some(written) = ATS.iter().find(|written| starts(rest, written)) {
            out.push(b'@');
            at += written.len();
        } else if let Some((read, length)) = escape(rest) {
            out.push(read);
            at += length;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    (out.len() < text.len()).then_some(out)
}

fn starts(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// Decodes `\/`, `\u0026`, `&amp;`, `&#38;`: returns the ASCII character and the length of its
/// spelling.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    match text {
        // Both spellings end in two hexadecimal digits, like a percent triplet.
        [b'\\', b'u', b'0', b'0', high, low, ..] | [b'\\', b'x', high, low, ..] => {
            let read = octet(&[b'%', *high, *low], 0)?;
            Some((read, if text[1] == b'u' { 6 } else { 4 }))
        }
        [b'\\', next @ (b'/' | b'"' | b'\''), ..] => Some((*next, 2)),
        [b'&', b'#', ..] => {
            // The longest reference to an ASCII character is short. The limit keeps many `&#`
            // linear.
            let end = text.clamped(..9).iter().position(|&byte| byte == b';')?;
            let digits = core::str::from_utf8(text.get(2..end)?).ok()?;
            let number = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u8::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            Some((number.ok()?, end + 1))
        }
        _ => [(&b"&amp;"[..], b'&'), (b"&colon;", b':'), (b"&equals;", b'='), (b"&sol;", b'/')]
            .into_iter()
            .find(|(word, _)| starts(text, word))
            .map(|(word, read)| (read, word.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_of_triplets() {
        assert_eq!(&*decoded(b"a%252540b%"), b"a@b%");
        assert_eq!(&*decoded(b"%%34%30"), b"@");
        assert_eq!(&*decoded(b"%zz"), b"%zz");
        assert_eq!(once(b"a%2540b%").as_deref(), Some(&b"a%40b%"[..]));
        assert_eq!(once(b"a%zz"), None);
    }

    #[test]
    fn escapes() {
        let plain = |text: &str| plain(text.as_bytes()).map(|out| String::from_utf8(out).unwrap());
        assert_eq!(plain("a[AT]b\\/c\\u003ad&#64;e&amp;f&#x3d;"), Some("a@b/c:d@e&f=".to_owned()));
        assert_eq!(plain("a&b\\c&#"), None);
    }
}
