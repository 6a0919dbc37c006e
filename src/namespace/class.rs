//! The class of a namespace identifier (RFC 8141 §5 and §5.1).

use crate::named::named_enum;
use crate::registry::{self, NamespaceKind};

named_enum! {
    "urigrep::namespace::NamespaceClass", "classes";
    /// The class of a namespace, by its NID (RFC 8141 §5).
    ///
    /// ```
    /// use urigrep::namespace::NamespaceClass;
    /// let classes = ["isbn", "urn-7", "de-kind", "x-acme", "acme", "urn-007"].map(NamespaceClass::for_nid);
    /// let names = classes.map(NamespaceClass::name);
    /// assert_eq!(
    ///     names,
    ///     ["formal", "informal", "reserved", "experimental", "unregistered", "invalid"],
    /// );
    /// ```
    pub enum NamespaceClass {
        /// Registered with a name of its own (§5.1).
        Formal = "formal",
        /// `urn-` and a number without leading zeros, as IANA assigns them (§5.2).
        /// [`registry::namespace`] tells whether this number is assigned.
        Informal = "informal",
        /// Two letters and a hyphen, reserved for country codes, and with it `xn--` (§5.1).
        Reserved = "reserved",
        /// `X-`, which RFC 3406 left to experiments; it can no longer be registered (§5.1).
        Experimental = "experimental",
        /// None of the above; IANA does not list it.
        Unregistered = "unregistered",
        /// IANA cannot assign it: it starts with `urn-` without a number, or has only two
        /// characters (§5.1).
        Invalid = "invalid",
    }
}

impl NamespaceClass {
    /// Returns the class of `nid`, which may be in any case but must have the syntax of a NID (RFC
    /// 8141 §2).
    ///
    /// ```
    /// use urigrep::namespace::NamespaceClass;
    /// assert_eq!(NamespaceClass::for_nid("XN--P1AI"), NamespaceClass::Reserved);
    /// ```
    pub fn for_nid(nid: &str) -> Self {
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
