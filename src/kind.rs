//! The words in which a finding is described: kind, wrapper and flags.

use core::fmt;

/// An enum whose variants have fixed names, those of the JSON output.
macro_rules! named_enum {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[$doc])* $variant,)*
        }

        impl $type {
            /// All of them, in the order in which they are listed.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The fixed name, as in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named_enum! {
    /// What kind of thing a match is; of several that apply, the first in this order ([`Kind::ALL`]).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Kind {
        /// A mail address without `mailto:` (D7).
        Email = "email",
        /// A URI without its scheme (D7, RFC 3986 section 4.5).
        Abbreviated = "abbreviated",
        /// A URN by RFC 8141.
        Urn = "urn",
        /// A URI with characters that authors write though no RFC allows them (D2.3);
        /// [`Match::uri`](crate::Match::uri) is the repaired form.
        Lax = "lax",
        /// An IRI (RFC 3987): some of its characters are not ASCII.
        Iri = "iri",
        /// A URI by RFC 3986.
        Uri = "uri",
    }
}

named_enum! {
    /// What stood around a match and delimited it (D3).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Wrapper {
        /// `<…>`, `<URL:…>`, `<URI:…>`, `URL=<…>` (D3.1).
        Angle = "angle",
        /// Any pair of quotation marks (D3.6).
        Quote = "quote",
        /// `(…)` (D3.7).
        Paren = "paren",
        /// `[…]` (D3.7).
        Bracket = "bracket",
        /// `{…}` (D3.7).
        Brace = "brace",
        /// The marks `*`, `_`, `~`, `+` or `|` on both sides (D3.7).
        Emphasis = "emphasis",
        /// `` `…` `` (D3.6).
        Backtick = "backtick",
        /// `URL:` or `URI:` before it, without brackets (D3.1).
        Prefix = "prefix",
        /// Nothing.
        #[default]
        None = "none",
    }
}

named_enum! {
    /// Something worth knowing about a match that does not change what it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Flag {
        /// Line breaks were removed from it (D3.2, D5).
        Rejoined = "rejoined",
        /// Escapes were read through (D2.4).
        Decoded = "decoded",
        /// The author cut it with dots (D4.5).
        Elided = "elided",
        /// It was made unclickable on purpose, and is read as it was (D4.6).
        Refanged = "refanged",
        /// A redirector stood around it ([`unwrap`](crate::unwrap)).
        Unwrapped = "unwrapped",
        /// It stands inside another match (D4.7).
        Embedded = "embedded",
        /// It holds a balanced `{…}` (D2.3).
        Template = "template",
        /// A `%` at its end was dropped (D4.3).
        TrimmedPercent = "trimmed-percent",
        /// It may go on in the next line (D5).
        MaybeWrapped = "maybe-wrapped",
        /// Its userinfo holds a password (RFC 3986 §7.5).
        HasCredentials = "has-credentials",
        /// It holds `%00` (RFC 8141 §2, RFC 3986 §7.3).
        PercentNul = "percent-nul",
        /// A percent triplet in its authority or path stands for a delimiter that, read too early,
        /// changes where that part ends (RFC 3986 §7.3).
        EscapedDelimiter = "escaped-delimiter",
        /// Its userinfo looks like a host (RFC 3986 §7.6).
        MisleadingUserinfo = "misleading-userinfo",
        /// Its host is an IPv4 address in a rare form (RFC 3986 §7.4); see
        /// [`Uri::rare_ip`](crate::Uri::rare_ip).
        RareIp = "rare-ip",
        /// Its port is larger than 65535.
        PortOutOfRange = "port-out-of-range",
        /// A label of its host mixes scripts that are not written together (UTS #39 §5).
        MixedScriptHost = "mixed-script-host",
        /// A URN whose name is not what its namespace asks for; see
        /// [`Urn::check_nss`](crate::Urn::check_nss).
        UrnNssInvalid = "urn-nss-invalid",
        /// An IRI of which a part mixes writing directions (RFC 3987 §4.2).
        Bidi = "bidi",
        /// Secrets were taken out of it; see [`Match::redacted`](crate::Match::redacted).
        Redacted = "redacted",
    }
}

impl Flag {
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
