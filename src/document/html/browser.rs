//! Spells references as browsers read them (WHATWG URL §4.4): tabs do not count, and `\` is `/`.

use super::decode::DecodedText;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// The schemes in which browsers take `\` for `/`. `file:` is another one, but a path with `\` is
/// more likely a mistake there than an address.
const WEB_SCHEMES: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

/// The schemes of programs.
const PROGRAM_SCHEMES: [&[u8]; 2] = [b"javascript", b"vbscript"];

/// A reference as browsers read it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BrowserReading {
    /// Without its tabs.
    Tabs,
    /// Without its tabs, and with `/` for `\`. Slashes from this offset on, two or more of either
    /// kind, stand before a host.
    Slashes(usize),
}

/// Writes the reference as browsers read it, and its map to the text that has it at `at`. Returns
/// false if that is how it is written.
pub(super) fn respell(text: &[u8], at: usize, into: &mut DecodedText) -> bool {
    if memchr::memchr2(b'\t', b'\\', text).is_none() {
        return false;
    }
    let Some(reading) = reading(text) else { return false };
    into.clear();
    // Only the authority and the path have slashes.
    let (mut done, mut is_hierarchy) = (0, reading != BrowserReading::Tabs);
    // The slashes before a host that were written, while no other character has followed.
    let mut slashes = match reading {
        BrowserReading::Slashes(start) => Some((start, 0)),
        BrowserReading::Tabs => None,
    };
    for (offset, &byte) in text.iter().enumerate() {
        let is_slash = is_hierarchy && matches!(byte, b'/' | b'\\');
        match &mut slashes {
            Some((start, _)) if offset < *start => {}
            // All slashes after the second are skipped (WHATWG URL §4.4, "special authority ignore
            // slashes state").
            Some((_, count)) if is_slash => {
                *count += 1;
                if *count > 2 {
                    into.copy(text.part(done..offset), at + done);
                    done = offset + 1;
                    continue;
                }
            }
            Some(_) if byte != b'\t' => slashes = None,
            _ => {}
        }
        match byte {
            b'?' | b'#' => is_hierarchy = false,
            b'\t' => {
                into.copy(text.part(done..offset), at + done);
                done = offset + 1;
            }
            b'\\' if is_slash => {
                into.copy(text.part(done..offset), at + done);
                into.text.push(b'/');
                into.map.replace(1, Span::new(at + offset, at + offset + 1));
                done = offset + 1;
            }
            _ => {}
        }
    }
    into.copy(text.clamped(done..), at + done);
    into.text != text
}

/// Returns a reference as browsers read it, if that is not how it is written.
#[cfg(feature = "search")]
pub(crate) fn respelled(text: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = DecodedText::default();
    respell(text, 0, &mut decoded).then_some(decoded.text)
}

/// Returns how browsers read a reference; `None` for the pieces of programs, which keep their
/// quotation marks, braces, and `\/`.
fn reading(text: &[u8]) -> Option<BrowserReading> {
    let blanks = text.leading(|byte| byte.is_ascii_whitespace());
    let rest = text.clamped(blanks..);
    let before = rest.leading(|byte| !matches!(byte, b':' | b'/' | b'\\' | b'?' | b'#'));
    let is_absolute = rest.get(before) == Some(&b':');
    let scheme = rest.part(..before).iter().filter(|&&byte| byte != b'\t');
    // One letter more than `javascript`, the longest of these schemes.
    let scheme: Vec<u8> = scheme.take(11).map(u8::to_ascii_lowercase).collect();
    // A program may contain any character; the browser removes tabs before it examines the scheme.
    if is_absolute && PROGRAM_SCHEMES.contains(&scheme.as_slice()) {
        return Some(BrowserReading::Tabs);
    }
    if memchr::memchr3(b'"', b'\'', b'{', text).is_some() {
        return None;
    }
    if is_absolute && !WEB_SCHEMES.contains(&scheme.as_slice()) {
        return Some(BrowserReading::Tabs);
    }
    let start = blanks + if is_absolute { before + 1 } else { 0 };
    let hierarchy = text.clamped(start..);
    let slashes = hierarchy.leading(|byte| matches!(byte, b'/' | b'\\' | b'\t'));
    // JSON may write each slash as `\/`; no other format does.
    let is_escaped = hierarchy.starts_with(b"\\/\\/")
        || hierarchy.clamped(slashes..).windows(2).any(|pair| pair == b"\\/")
        || !is_absolute && hierarchy.starts_with(b"\\/");
    let is_host = hierarchy.part(..slashes).iter().filter(|&&byte| byte != b'\t').count() >= 2;
    (!is_escaped).then_some(BrowserReading::Slashes(if is_host { start } else { text.len() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_as_by_browsers() {
        let respelled = |text: &str| {
            let mut decoded = DecodedText::default();
            let is_other = respell(text.as_bytes(), 0, &mut decoded);
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
            ("java\tscript:a('\t')", Some("javascript:a('')")),
            ("HTTP:\\/a.dev\\b", Some("HTTP://a.dev/b")),
            ("http:\\\\\\a.dev", Some("http://a.dev")),
            (" /\\a.dev", Some(" //a.dev")),
            ("mailto:a\t@b.dev", Some("mailto:a@b.dev")),
            ("http:\\/\\/a.dev", None),
        ] {
            assert_eq!(respelled(text).as_deref(), expected, "{text:?}");
        }
    }
}
