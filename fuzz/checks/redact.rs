//! Redaction: done after one time, what was a URI is one, and a planted secret goes, whatever is
//! around it.

use std::fmt::Write;

use urigrep::{Uri, redact, redact_text};

const SECRET: &str = "aB3xY9qZ7Wk2";

/// Asserts all of this for a text, and for URIs of which it is a part.
pub fn check(text: &str) {
    let once = redact(text);
    assert_eq!(redact(&once), once, "twice: {text:?}");
    let once = redact_text(text);
    assert_eq!(redact_text(&once), once, "twice: {text:?}");
    if Uri::parse(text).is_ok() {
        let redacted = redact(text);
        assert!(Uri::parse(&redacted).is_ok(), "{text:?} becomes {redacted:?}");
    }
    let part: String = text.chars().filter(|c| !c.is_whitespace() && !"?#".contains(*c)).collect();
    let inner = format!("https://joe:{SECRET}@a.example/{part}");
    for planted in [
        format!("https://a.example/{part}?access_token={SECRET}"),
        format!("https://a.example/?{part}&access_token={SECRET}&{part}"),
        format!("https://a.example/{part}#access_token={SECRET}"),
        format!("https://a.example/?u={}", encoded(&inner)),
        format!("https://a.example/{}", encoded(&encoded(&inner))),
        inner,
    ] {
        let redacted = redact(&planted);
        assert!(!redacted.contains(SECRET), "{planted:?} becomes {redacted:?}");
        let redacted = redact_text(&planted);
        assert!(!redacted.contains(SECRET), "as text, {planted:?} becomes {redacted:?}");
    }
    let planted = format!("{text} https://joe:{SECRET}@a.example/ {text}");
    let redacted = redact_text(&planted);
    assert!(!redacted.contains(SECRET), "{planted:?} becomes {redacted:?}");
}

/// All but letters and digits as percent triplets.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("a string takes all");
        }
    }
    out
}
