//! Spells references as browsers read them (WHATWG URL §4.4): tabs do not count, and `\` is `/`.

use super::decode::Decoded;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// The schemes in which browsers take `\` for `/`. `file:` is another one, but a path with `\` is
/// more likely a mistake there than an address.
const WEB_SCHEMES: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

/// Writes the reference without tabs and backslashes, and its map to `text`. Returns false if it has
/// none that browsers replace.
pub(super) fn respell(text: &[u8], into: &mut Decoded) -> bool {
    if memchr::memchr2(b'\t', b'\\', text).is_none() || !is_address(text) {
        return false;
    }
    into.clear();
    // Only the authority and the path have slashes.
    let (mut done, mut is_hierarchy) = (0, true);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'?' | b'#' => is_hierarchy = false,
            b'\t' => {
                into.copy(text.part(done..at), done);
                done = at + 1;
            }
            b'\\' if is_hierarchy => {
                into.copy(text.part(done..at), done);
                into.text.push(b'/');
                into.map.replace(1, Span::new(at, at + 1));
                done = at + 1;
            }
            _ => {}
        }
    }
    into.copy(text.clamped(done..), done);
    true
}

/// True for a reference to the web or within a site. Others keep their tabs and backslashes, as do
/// pieces of programs with quotation marks or `\/`.
fn is_address(text: &[u8]) -> bool {
    let is_code = |pair: &[u8]| pair == b"\\/";
    if memchr::memchr3(b'"', b'\'', b'{', text).is_some() || text.windows(2).any(is_code) {
        return false;
    }
    let text = text.trim_ascii();
    let before = text.leading(|byte| !matches!(byte, b':' | b'/' | b'\\' | b'?' | b'#'));
    if text.get(before) != Some(&b':') {
        return true;
    }
    let scheme = text.part(..before).iter().filter(|&&byte| byte != b'\t');
    let scheme: Vec<u8> = scheme.take(8).map(u8::to_ascii_lowercase).collect();
    WEB_SCHEMES.contains(&scheme.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_as_by_browsers() {
        let respelled = |text: &str| {
            let mut decoded = Decoded::default();
            let is_other = respell(text.as_bytes(), &mut decoded);
            is_other.then(|| String::from_utf8_lossy(&decoded.text).into_owned())
        };
        for (text, expected) in [
            ("http://ex\tample.dev/", Some("http://example.dev/")),
            ("ht\ttp:\\\\a.dev\\b?c\\d", Some("http://a.dev/b?c\\d")),
            ("docs\\page.html#a\\b", Some("docs/page.html#a\\b")),
            ("\\\\a.dev\\b", Some("//a.dev/b")),
            ("http://a.dev/", None),
            ("C:\\docs\\page.html", None),
            ("javascript:a('\\n')", None),
            ("http:\\/\\/a.dev", None),
        ] {
            assert_eq!(respelled(text).as_deref(), expected, "{text:?}");
        }
    }
}
