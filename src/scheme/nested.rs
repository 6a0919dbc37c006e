//! Schemes that wrap another URI: view-source, blob (W3C File API), jar, jdbc, feed, service (RFC
//! 2609).
//!
//! The delimiter peels off the layers and checks the inner URI by the rules of its own scheme. This
//! module has the additional rules of the wrapping.

use super::syntax::{ByteCursor, alphanumeric, hex};
use super::{Recognition, SchemeTarget};
use crate::slice::SliceExt;

/// A scheme whose body is a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NestedScheme {
    ViewSource,
    Blob,
    Jar,
    Jdbc,
    Feed,
    /// `service:printer.lpr://host`, where the type replaces the scheme.
    Service,
}

/// Returns the wrapping scheme with this name, in any case.
pub(crate) fn nested(scheme: &[u8]) -> Option<NestedScheme> {
    const ALL: [(&[u8], NestedScheme); 6] = [
        (b"view-source", NestedScheme::ViewSource),
        (b"blob", NestedScheme::Blob),
        (b"jar", NestedScheme::Jar),
        (b"jdbc", NestedScheme::Jdbc),
        (b"feed", NestedScheme::Feed),
        (b"service", NestedScheme::Service),
    ];
    ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme)).map(|&(_, nested)| nested)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InnerScheme {
    Slashes,
    /// `file:/path`
    File,
    /// A wrapping scheme, which is checked as a layer of its own.
    Nested,
    /// No scheme, or one with an opaque body.
    Other,
}

impl NestedScheme {
    /// Judges `target`, whose inner URI starts at `inner`.
    pub(crate) fn recognize(self, target: &SchemeTarget<'_>, inner: usize) -> Recognition {
        let text = target.text.part(inner..target.end);
        let (kind, body) = read(text);
        let fits = match self {
            Self::ViewSource => kind != InnerScheme::Other,
            // The `!/` separates the archive from the path inside it.
            Self::Jar => kind != InnerScheme::Other && body.windows(2).any(|pair| pair == b"!/"),
            Self::Feed => kind == InnerScheme::Slashes,
            Self::Jdbc => kind == InnerScheme::Slashes || has_driver(text) || has_subprotocol(text),
            Self::Service => kind == InnerScheme::Slashes || has_driver(text),
            // A blob URL has an origin and an identifier, so there must be a path.
            Self::Blob => is_opaque_origin(text) || kind == InnerScheme::Slashes && has_path(body),
        };
        if fits { target.accept() } else { target.broken(text) }
    }
}

/// Returns the kind of the inner URI, and the text after its scheme and slashes.
fn read(text: &[u8]) -> (InnerScheme, &[u8]) {
    let mut c = ByteCursor::new(text);
    let scheme = c.run(|byte| alphanumeric(byte) || b"+-.".contains(&byte));
    if scheme.is_empty() || !c.eat(b':') {
        return (InnerScheme::Other, c.rest());
    }
    let kind = if c.eat_word(b"//") {
        InnerScheme::Slashes
    } else if scheme.eq_ignore_ascii_case(b"file") && c.eat(b'/') {
        InnerScheme::File
    } else if nested(scheme).is_some() {
        InnerScheme::Nested
    } else {
        InnerScheme::Other
    };
    (kind, c.rest())
}

/// True if a driver precedes the scheme: `microsoft:sqlserver://`.
fn has_driver(text: &[u8]) -> bool {
    let mut c = ByteCursor::new(text);
    let schemes = c.run(|byte| alphanumeric(byte) || b"+-.:".contains(&byte));
    schemes.first().is_some_and(u8::is_ascii_alphabetic)
        && schemes.ends_with(b":")
        && c.eat_word(b"//")
}

/// The JDBC drivers whose URLs have no authority, or have one after a text of their own.
#[rustfmt::skip]
const SUBPROTOCOLS: [&[u8]; 16] = [
    b"calcite", b"clickhouse", b"db2", b"derby", b"duckdb", b"firebirdsql", b"h2", b"hsqldb", b"informix-sqli", b"mariadb",
    b"mysql", b"oracle", b"postgresql", b"sqlite", b"sqlserver", b"ucanaccess",
];

/// True for the name of a driver and text that only it parses: `h2:mem:x`, `sqlite:x.db`,
/// `oracle:thin:@//h:1521/x`.
pub(crate) fn has_subprotocol(text: &[u8]) -> bool {
    let mut c = ByteCursor::new(text);
    let name = c.run(|byte| alphanumeric(byte) || byte == b'-');
    let is_known = SUBPROTOCOLS.iter().any(|known| known.eq_ignore_ascii_case(name));
    is_known && c.eat(b':') && c.at(|byte| alphanumeric(byte) || b"/.~@:%_".contains(&byte))
}

/// True for an authority and a non-empty path.
fn has_path(body: &[u8]) -> bool {
    let mut c = ByteCursor::new(body);
    c.run(|byte| byte != b'/');
    c.eat(b'/') && !c.is_done()
}

/// True for `null/` and a UUID, or the UUID alone.
fn is_opaque_origin(text: &[u8]) -> bool {
    let mut c = ByteCursor::new(text);
    c.eat_word(b"null/");
    // A UUID has 36 characters with its hyphens.
    c.run(|byte| hex(byte) || byte == b'-').len() == 36 && c.is_done()
}
