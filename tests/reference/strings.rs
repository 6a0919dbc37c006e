//! Strings that are URIs and references, with everything in them that resolving and normalizing
//! look at.

use proptest::prelude::*;
use proptest::sample::select;

/// Segments: dots above all, as they stand and encoded.
const SEGMENTS: &[&str] = &[
    "",
    "",
    "",
    ".",
    ".",
    ".",
    "..",
    "..",
    "..",
    "..",
    "a",
    "b",
    "B",
    "c",
    "d",
    "e",
    "x.y",
    "c;p=1",
    "g.",
    ".g",
    "...",
    "%2E",
    "%2e%2E",
    ".%2e",
    "%7e",
    "%41",
    "%2f",
    "%c3%a9",
    "~",
    "d:e",
    "f@H",
    "!$&'()*+,=",
    "0",
    "1",
    "z",
    "long-segment",
    "_",
    "a.b",
];
const QUERIES: &[&str] = &["", "q", "y/./x", "y/../x", "?", "%7E%3f", "utm_source=a&b=c"];
const AUTHORITIES: &[&str] = &[
    "",
    "a",
    "A.Example",
    "u@h",
    "h:",
    "h:80",
    "h:080",
    "h:443",
    "h:8080",
    "localhost",
    "[::1]",
    "[::0:A]:80",
    "[v1.A]",
    "%41%2d%c3",
    "1.2.3.4",
    "@:",
];
const SCHEMES: &[&str] = &["http", "HTTPS", "s", "file", "ftp", "ws", "x+y"];

/// A path of these segments, which may start with a `/`.
fn path() -> impl Strategy<Value = String> {
    let segments = prop::collection::vec(select(SEGMENTS), 0..8);
    (any::<bool>(), segments).prop_map(|(rooted, segments)| {
        let root = if rooted { "/" } else { "" };
        format!("{root}{}", segments.join("/"))
    })
}

/// `mark` and a component, or nothing.
fn optional(mark: &'static str, from: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::option::of(select(from)).prop_map(move |component| match component {
        Some(component) => format!("{mark}{component}"),
        None => String::new(),
    })
}

fn rest() -> impl Strategy<Value = String> {
    let parts =
        (optional("//", AUTHORITIES), path(), optional("?", QUERIES), optional("#", QUERIES));
    parts.prop_map(|(authority, path, query, fragment)| {
        let slash =
            if authority.is_empty() || path.is_empty() || path.starts_with('/') { "" } else { "/" };
        format!("{authority}{slash}{path}{query}{fragment}")
    })
}

/// A URI; the caller parses it.
pub fn uri() -> impl Strategy<Value = String> {
    (select(SCHEMES), rest()).prop_map(|(scheme, rest)| format!("{scheme}:{rest}"))
}

/// A reference, of which one in about forty does not parse for its first colon.
pub fn reference() -> impl Strategy<Value = String> {
    prop_oneof![1 => uri(), 6 => rest()]
}

/// A path that a writer of dot segments may be given.
pub fn bare_path() -> impl Strategy<Value = String> {
    path()
}
