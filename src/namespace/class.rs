//! The class of a namespace identifier (RFC 8141 §5 and §5.1).

use crate::named::named_enum;
use crate::registry::{self, NamespaceKind};

named_enum! {
    "urigrep::namespace::NamespaceClass", "classes";
    /// What a NID says of its namespace (RFC 8141 §5).
    ///
    /// ```
    /// use urigrep::namespace::NamespaceClass;
    /// let classes = ["isbn", "urn-7", "de-kind", "x-acme", "acme", "urn-007"].map(NamespaceClass::of);
    /// let names = classes.map(NamespaceClass::name);
    /// assert_eq!(
    ///     names,
    ///     ["formal", "informal", "reserved", "experimental", "unregistered", "invalid"],
    /// );
    /// ```
    pub enum NamespaceClass {
        /// Registered with a name of its own (§5.1).
        Formal = "formal",
        /// `urn-` and a number without leading zeros, as IANA assigns them (§5.2); whether this number
        /// has been assigned, [`registry::namespace`] says.
        Informal = "informal",
        /// Two letters and a hyphen, kept for country codes, and so for `xn--` (§5.1).
        Reserved = "reserved",
        /// `X-`, which RFC 3406 left to experiments; it is not registered any more (§5.1).
        Experimental = "experimental",
        /// None of these; IANA does not list it.
        Unregistered = "unregistered",
        /// IANA can't assign it: it starts with `urn-`, and no number follows, or has only two
        /// characters (§5.1).
        Invalid = "invalid",
    }
}

impl NamespaceClass {
    /// The class of `nid`, which is in any case and has the syntax of a NID (RFC 8141 §2).
    ///
    /// ```
    /// use urigrep::namespace::NamespaceClass;
    /// assert_eq!(NamespaceClass::of("XN--P1AI"), NamespaceClass::Reserved);
    /// ```
    pub fn of(nid: &str) -> Self {
        if let Some(info) = registry::namespace(nid.as_bytes()) {
            return match info.kind {
                NamespaceKind::Formal => Self::Formal,
                NamespaceKind::Informal => Self::Informal,
            };
        }
        match nid.as_bytes() {
            [b'u' | b'U', b'r' | b'R', b'n' | b'N', b'-', number @ ..] => match number {
                [b'1'..=b'9', more @ ..] if more.iter().all(u8::is_ascii_digit) => Self::Informal,
                _ => Self::Invalid,
            },
            [b'x' | b'X', b'-', ..] => Self::Experimental,
            [a, b, b'-', ..] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => {
                Self::Reserved
            }
            [] | [_] | [_, _] => Self::Invalid,
            _ => Self::Unregistered,
        }
    }
}
