//! The vocabulary of findings: kind, wrapper and flags.

use crate::named::named_enum;
use core::fmt;

named_enum! {
    "urigrep::Kind", "kinds";
    /// The kind of a match; if several apply, the first in this order.
    pub enum Kind {
        /// A mail address without `mailto:` (D7).
        Email = "email",
        /// A URI without its scheme (D7, RFC 3986 §4.5).
        Abbreviated = "abbreviated",
        /// A URN by RFC 8141.
        Urn = "urn",
        /// A URI with characters that authors write although no RFC allows them (D2.3).
        /// [`Match::uri`](crate::Match::uri) is the repaired form.
        Lax = "lax",
        /// An IRI (RFC 3987): it has non-ASCII characters.
        Iri = "iri",
        /// A URI by RFC 3986.
        Uri = "uri",
    }
}

named_enum! {
    "urigrep::Wrapper", "wrappers";
    /// The delimiters around a match (D3).
    #[derive(Default)]
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
    "urigrep::Flag", "flags";
    /// A property of a match that does not change its kind.
    pub enum Flag {
        /// Line breaks were removed from it (D3.2, D5).
        Rejoined = "rejoined": "line breaks were removed",
        /// Escapes in it were decoded (D2.4).
        Decoded = "decoded": "escapes were decoded",
        /// The author abbreviated it with dots (D4.5).
        Elided = "elided": "the author shortened it with dots",
        /// It was defanged, and is reported in its original form (D4.6).
        Refanged = "refanged": "it was defanged, and is printed without that",
        /// A redirector was removed around it ([`unwrap`](crate::redirect::unwrap)).
        Unwrapped = "unwrapped": "a redirector around it was removed",
        /// It is inside another match (D4.7).
        Embedded = "embedded": "it is inside another match",
        /// It contains a balanced `{…}` (D2.3).
        Template = "template": "it holds a `{...}` or a `$name` to fill in",
        /// A `%` at its end was dropped (D4.3).
        TrimmedPercent = "trimmed-percent": "a `%` at its end was dropped",
        /// It may continue on the next line (D5).
        MaybeWrapped = "maybe-wrapped": "it may continue on the next line",
        /// Its userinfo contains a password (RFC 3986 §7.5).
        HasCredentials = "has-credentials": "the userinfo contains a password",
        /// It contains `%00` (RFC 8141 §2, RFC 3986 §7.3).
        PercentNul = "percent-nul": "it holds `%00`, which ends a string in some programs",
        /// A percent triplet in its authority or path stands for a delimiter that would move the
        /// end of that part if it were decoded too early (RFC 3986 §7.3).
        EscapedDelimiter = "escaped-delimiter": "decoding an escaped delimiter too early changes its parts",
        /// Its userinfo looks like a host (RFC 3986 §7.6).
        MisleadingUserinfo = "misleading-userinfo": "the userinfo before `@` looks like the host",
        /// Its host is an IPv4 address in a rare form (RFC 3986 §7.4); see
        /// [`Uri::rare_ip`](crate::Uri::rare_ip).
        RareIp = "rare-ip": "the host is an IPv4 address in a rare form",
        /// Its port is larger than 65535.
        PortOutOfRange = "port-out-of-range": "the port is larger than 65535",
        /// A label of its host mixes scripts that are not normally used together (UTS #39 §5).
        MixedScriptHost = "mixed-script-host": "a label of the host mixes scripts",
        /// A URN whose name does not follow the rules of its namespace; see
        /// [`Urn::check_nss`](crate::Urn::check_nss).
        UrnNssInvalid = "urn-nss-invalid": "the name does not follow the syntax of its namespace",
        /// An IRI with a part that mixes writing directions (RFC 3987 §4.2).
        Bidi = "bidi": "a part mixes writing directions",
        /// Secrets in it were replaced; see [`Match::redacted`](crate::Match::redacted).
        Redacted = "redacted": "secrets in it were replaced",
        /// Its host contains a symbol that IDNA 2008 forbids but browsers open (D4.9).
        IdnaSymbol = "idna-symbol": "the host holds a symbol that IDNA 2008 forbids",
        /// Letters directly follow the mark that ends it, so it may continue (D2.2).
        MaybeCut = "maybe-cut": "it may continue after the mark that ends it, or where its file is cut off",
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
    /// The set including `flag`.
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// assert!(Flags::default().with(Flag::Bidi).contains(Flag::Bidi));
    /// ```
    #[must_use]
    pub const fn with(self, flag: Flag) -> Self {
        Self(self.0 | 1 << flag as u32)
    }

    /// True if `flag` is in the set.
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// assert!(!Flags::default().contains(Flag::Bidi));
    /// ```
    pub const fn contains(self, flag: Flag) -> bool {
        self.0 & 1 << flag as u32 != 0
    }

    /// True if no flag is set.
    ///
    /// ```
    /// assert!(urigrep::Flags::default().is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The flags in the set, in the order of [`Flag::ALL`].
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// let flags: Flags = [Flag::Redacted, Flag::Bidi].into_iter().collect();
    /// assert!(flags.iter().eq([Flag::Bidi, Flag::Redacted]));
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Flag> {
        Flag::ALL.iter().copied().filter(move |&flag| self.contains(flag))
    }

    /// The flags of either set.
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// let both = Flags::from(Flag::Bidi).union(Flags::from(Flag::RareIp));
    /// assert!(both.contains(Flag::Bidi) && both.contains(Flag::RareIp));
    /// ```
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// One bit per flag, the lowest for the first of [`Flag::ALL`]. The bit of a flag never
    /// changes.
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// assert_eq!(Flags::from(Flag::Decoded).bits(), 0b10);
    /// ```
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set with these bits; bits of unknown flags are ignored.
    ///
    /// ```
    /// use urigrep::{Flag, Flags};
    /// let flags = Flags::from_bits_truncate(0b10 | 1 << 31);
    /// assert_eq!(flags, Flags::from(Flag::Decoded));
    /// ```
    pub const fn from_bits_truncate(bits: u32) -> Self {
        Self(bits & ((1 << Flag::ALL.len()) - 1))
    }

    /// The set without `flag`.
    pub(crate) const fn without(self, flag: Flag) -> Self {
        Self(self.0 & !(1 << flag as u32))
    }

    pub(crate) fn set(&mut self, flag: Flag) {
        *self = self.with(flag);
    }
}

impl From<Flag> for Flags {
    fn from(flag: Flag) -> Self {
        Self::default().with(flag)
    }
}

/// Writes the names with spaces between them, as `{flags}` does in the templates of the command.
///
/// ```
/// use urigrep::{Flag, Flags};
/// let flags = Flags::default().with(Flag::Elided).with(Flag::Decoded);
/// assert_eq!(flags.to_string(), "decoded elided");
/// ```
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, flag) in self.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " " })?;
            f.write_str(flag.name())?;
        }
        Ok(())
    }
}

impl FromIterator<Flag> for Flags {
    fn from_iter<I: IntoIterator<Item = Flag>>(flags: I) -> Self {
        flags.into_iter().fold(Self::default(), Self::with)
    }
}
