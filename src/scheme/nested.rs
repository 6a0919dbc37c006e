//! Schemes that wrap another URI: view-source, blob (W3C File API), jar, jdbc.
//!
//! The delimiter peels the layers and checks the inner URI by the rules of its own scheme;
//! here stands what the wrapping adds to them.

use super::syntax::{Cursor, alphanumeric, hex};
use super::{Outcome, Target};

/// A scheme whose body is a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nested {
    ViewSource,
    Blob,
    Jar,
    Jdbc,
}

/// The wrapping scheme of this name, in any case.
pub(crate) fn nested(scheme: &[u8]) -> Option<Nested> {
    const ALL: [(&[u8], Nested); 4] = [
        (b"view-source", Nested::ViewSource),
        (b"blob", Nested::Blob),
        (b"jar", Nested::Jar),
        (b"jdbc", Nested::Jdbc),
    ];
    ALL.iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(scheme))
        .map(|&(_, nested)| nested)
}

/// What follows the scheme of the inner URI.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    /// `scheme://`
    Slashes,
    /// `file:/path`
    File,
    /// A wrapping scheme, which is checked as a layer of its own.
    Nested,
    /// No scheme, or one with an opaque body.
    Other,
}

impl Nested {
    /// The verdict on `target`, whose inner URI starts at `inner`.
    pub(crate) fn recognize(self, target: &Target<'_>, inner: usize) -> Outcome {
        let text = target.text.get(inner..target.end).unwrap_or_default();
        let (kind, body) = read(text);
        let fits = match self {
            Self::ViewSource => kind != Inner::Other,
            Self::Jar => kind != Inner::Other && body.windows(2).any(|pair| pair == b"!/"),
            Self::Jdbc => kind == Inner::Slashes || has_driver(text),
            Self::Blob => is_opaque_origin(text) || kind == Inner::Slashes && has_path(body),
        };
        if fits {
            target.accept()
        } else {
            target.broken(text)
        }
    }
}

/// The kind of the inner URI, and what follows its scheme and slashes.
fn read(text: &[u8]) -> (Inner, &[u8]) {
    let mut c = Cursor::new(text);
    let scheme = c.run(|byte| alphanumeric(byte) || b"+-.".contains(&byte));
    if scheme.is_empty() || !c.eat(b':') {
        return (Inner::Other, c.rest());
    }
    let kind = if c.eat_word(b"//") {
        Inner::Slashes
    } else if scheme.eq_ignore_ascii_case(b"file") && c.eat(b'/') {
        Inner::File
    } else if nested(scheme).is_some() {
        Inner::Nested
    } else {
        Inner::Other
    };
    (kind, c.rest())
}

/// `microsoft:sqlserver://`: a driver in front of the scheme.
fn has_driver(text: &[u8]) -> bool {
    let mut c = Cursor::new(text);
    let schemes = c.run(|byte| alphanumeric(byte) || b"+-.:".contains(&byte));
    schemes.first().is_some_and(u8::is_ascii_alphabetic)
        && schemes.ends_with(b":")
        && c.eat_word(b"//")
}

/// An authority, and a path with something in it.
fn has_path(body: &[u8]) -> bool {
    let mut c = Cursor::new(body);
    c.run(|byte| byte != b'/');
    c.eat(b'/') && !c.is_done()
}

/// `null/` and a UUID, or the UUID alone.
fn is_opaque_origin(text: &[u8]) -> bool {
    let mut c = Cursor::new(text);
    c.eat_word(b"null/");
    c.run(|byte| hex(byte) || byte == b'-').len() == 36 && c.is_done()
}
