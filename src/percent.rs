//! Reads percent triplets: `pct-encoded = "%" HEXDIG HEXDIG` (RFC 3986 §2.1).

use std::borrow::Cow;

/// The octet that the triplet at `bytes[at..]` stands for; `None` when none stands there.
pub(crate) fn octet(bytes: &[u8], at: usize) -> Option<u8> {
    let &[b'%', high, low] = bytes.get(at..at + 3)? else {
        return None;
    };
    Some(hex(high)? << 4 | hex(low)?)
}

/// The octets that `text` stands for, each triplet read once.
pub(crate) fn decode(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if !bytes.contains(&b'%') {
        return Cow::Borrowed(bytes);
    }
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let read = octet(bytes, at);
        out.push(read.unwrap_or(byte));
        at += if read.is_some() { 3 } else { 1 };
    }
    Cow::Owned(out)
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets() {
        assert_eq!(&*decode("a%2fb%C3%a9%%4"), b"a/b\xC3\xA9%%4");
        assert_eq!(
            (octet(b"x%00", 1), octet(b"%0", 0), octet(b"%g0", 0)),
            (Some(0), None, None)
        );
    }
}
