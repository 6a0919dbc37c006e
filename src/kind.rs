//! The words in which a finding is described: kind, wrapper and flags.

use std::fmt;

/// What kind of thing a match is; of several that apply, the first in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A mail address without `mailto:` (D7).
    Email,
    /// A URI without its scheme (D7, RFC 3986 section 4.5).
    Abbreviated,
    /// A URN by RFC 8141.
    Urn,
    /// A URI with characters that authors write though no RFC allows them (D2.3);
    /// [`Match::uri`](crate::Match::uri) is the repaired form.
    Lax,
    /// An IRI (RFC 3987): some of its characters are not ASCII.
    Iri,
    /// A URI by RFC 3986.
    Uri,
}

impl Kind {
    /// Every kind, in order of precedence.
    pub const ALL: [Self; 6] = [
        Self::Email,
        Self::Abbreviated,
        Self::Urn,
        Self::Lax,
        Self::Iri,
        Self::Uri,
    ];

    /// The fixed word, as `kind` in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Abbreviated => "abbreviated",
            Self::Urn => "urn",
            Self::Lax => "lax",
            Self::Iri => "iri",
            Self::Uri => "uri",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What stood around a match and delimited it (D3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wrapper {
    /// `<…>`, `<URL:…>`, `<URI:…>`, `URL=<…>` (D3.1).
    Angle,
    /// Any pair of quotation marks (D3.6).
    Quote,
    /// `(…)` (D3.7).
    Paren,
    /// `[…]` (D3.7).
    Bracket,
    /// `{…}` (D3.7).
    Brace,
    /// The marks `*`, `_`, `~`, `+` or `|` on both sides (D3.7).
    Emphasis,
    /// `` `…` `` (D3.6).
    Backtick,
    /// `URL:` or `URI:` before it, without brackets (D3.1).
    Prefix,
    /// Nothing.
    #[default]
    None,
}

impl Wrapper {
    /// The fixed word, as `wrapper` in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Angle => "angle",
            Self::Quote => "quote",
            Self::Paren => "paren",
            Self::Bracket => "bracket",
            Self::Brace => "brace",
            Self::Emphasis => "emphasis",
            Self::Backtick => "backtick",
            Self::Prefix => "prefix",
            Self::None => "none",
        }
    }
}

impl fmt::Display for Wrapper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something worth knowing about a match that does not change what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Flag {
    /// Line breaks were removed from it (D3.2, D5).
    Rejoined,
    /// Escapes were read through (D2.4).
    Decoded,
    /// The author cut it with dots (D4.5).
    Elided,
    /// It was made unclickable on purpose, and is read as it was (D4.6).
    Refanged,
    /// A redirector stood around it ([`unwrap`](crate::unwrap)).
    Unwrapped,
    /// It stands inside another match (D4.7).
    Embedded,
    /// It holds a balanced `{…}` (D2.3).
    Template,
    /// A `%` at its end was dropped (D4.3).
    TrimmedPercent,
    /// It may go on in the next line (D5).
    MaybeWrapped,
    /// Its userinfo holds a password (RFC 3986 §7.5).
    HasCredentials,
    /// It holds `%00` (RFC 8141 §2, RFC 3986 §7.3).
    PercentNul,
    /// A percent triplet in its authority or path stands for a delimiter that, read too early,
    /// changes where that part ends (RFC 3986 §7.3).
    EscapedDelimiter,
    /// Its userinfo looks like a host (RFC 3986 §7.6).
    MisleadingUserinfo,
    /// Its host is an IPv4 address in a rare form (RFC 3986 §7.4); see
    /// [`Uri::rare_ip`](crate::Uri::rare_ip).
    RareIp,
    /// Its port is larger than 65535.
    PortOutOfRange,
    /// A label of its host mixes scripts that are not written together (UTS #39 §5).
    MixedScriptHost,
    /// A URN whose name is not what its namespace asks for; see
    /// [`Urn::check_nss`](crate::Urn::check_nss).
    UrnNssInvalid,
    /// An IRI of which a part mixes writing directions (RFC 3987 §4.2).
    Bidi,
    /// Secrets were taken out of it; see [`Match::redacted`](crate::Match::redacted).
    Redacted,
}

impl Flag {
    /// Every flag, in the order in which they are printed.
    pub const ALL: [Self; 19] = [
        Self::Rejoined,
        Self::Decoded,
        Self::Elided,
        Self::Refanged,
        Self::Unwrapped,
        Self::Embedded,
        Self::Template,
        Self::TrimmedPercent,
        Self::MaybeWrapped,
        Self::HasCredentials,
        Self::PercentNul,
        Self::EscapedDelimiter,
        Self::MisleadingUserinfo,
        Self::RareIp,
        Self::PortOutOfRange,
        Self::MixedScriptHost,
        Self::UrnNssInvalid,
        Self::Bidi,
        Self::Redacted,
    ];

    /// The fixed word, as in `flags` in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rejoined => "rejoined",
            Self::Decoded => "decoded",
            Self::Elided => "elided",
            Self::Refanged => "refanged",
            Self::Unwrapped => "unwrapped",
            Self::Embedded => "embedded",
            Self::Template => "template",
            Self::TrimmedPercent => "trimmed-percent",
            Self::MaybeWrapped => "maybe-wrapped",
            Self::HasCredentials => "has-credentials",
            Self::PercentNul => "percent-nul",
            Self::EscapedDelimiter => "escaped-delimiter",
            Self::MisleadingUserinfo => "misleading-userinfo",
            Self::RareIp => "rare-ip",
            Self::PortOutOfRange => "port-out-of-range",
            Self::MixedScriptHost => "mixed-script-host",
            Self::UrnNssInvalid => "urn-nss-invalid",
            Self::Bidi => "bidi",
            Self::Redacted => "redacted",
        }
    }

    /// What the flag says, in a clause for people.
    ///
    /// ```
    /// use urigrep::Flag;
    /// assert_eq!(Flag::HasCredentials.meaning(), "the userinfo holds a password");
    /// ```
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Rejoined => "line breaks were removed",
            Self::Decoded => "escapes were read",
            Self::Elided => "the author cut it with dots",
            Self::Refanged => "it was made unclickable, and is read as it was",
            Self::Unwrapped => "a redirector stood around it",
            Self::Embedded => "it stands inside another match",
            Self::Template => "it holds a `{...}` to fill in",
            Self::TrimmedPercent => "a `%` at its end was dropped",
            Self::MaybeWrapped => "it may go on in the next line",
            Self::HasCredentials => "the userinfo holds a password",
            Self::PercentNul => "it holds `%00`, which ends a string in some programs",
            Self::EscapedDelimiter => "read too early, an escaped delimiter changes its parts",
            Self::MisleadingUserinfo => "the userinfo before `@` looks like the host",
            Self::RareIp => "the host is an IPv4 address in a rare form",
            Self::PortOutOfRange => "the port is larger than 65535",
            Self::MixedScriptHost => "a label of the host mixes scripts",
            Self::UrnNssInvalid => "the name is not what its namespace asks for",
            Self::Bidi => "a part mixes writing directions",
            Self::Redacted => "secrets in it were replaced",
        }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A small set of [`Flag`]s.
///
/// ```
/// use urigrep::{Flag, Flags};
/// let flags = Flags::default().with(Flag::Elided);
/// assert!(flags.contains(Flag::Elided) && !flags.contains(Flag::Decoded));
/// assert_eq!(flags.iter().map(Flag::name).collect::<Vec<_>>(), ["elided"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u32);

impl Flags {
    /// The set with `flag` in it.
    #[must_use]
    pub const fn with(self, flag: Flag) -> Self {
        Self(self.0 | 1 << flag as u32)
    }

    /// True when `flag` is in the set.
    pub const fn contains(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u32 != 0
    }

    /// True when no flag is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The flags that are set, in the order of [`Flag::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL
            .into_iter()
            .filter(move |&flag| self.contains(flag))
    }

    /// The flags of both sets.
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// let both = Flags::default().with(Flag::Bidi).and(Flags::default().with(Flag::RareIp));
    /// assert!(both.contains(Flag::Bidi) && both.contains(Flag::RareIp));
    /// ```
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set without `flag`.
    pub(crate) const fn without(self, flag: Flag) -> Self {
        Self(self.0 & !(1 << flag as u32))
    }

    pub(crate) fn set(&mut self, flag: Flag) {
        *self = self.with(flag);
    }
}
