//! Errors of the parsers: an offset and a kind. `Copy`, no allocation.

use crate::named::named_enum;
use core::fmt;

/// A string does not match the grammar.
///
/// Its offset is a 0-based byte offset into the parsed string.
///
/// ```
/// use urigrep::{ErrorKind, Uri};
/// let error = Uri::parse("http://a/%zz").unwrap_err();
/// assert_eq!((error.offset(), error.kind()), (9, ErrorKind::PercentTriplet));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError {
    offset: usize,
    kind: ErrorKind,
}

impl ParseError {
    pub(crate) const fn new(offset: usize, kind: ErrorKind) -> Self {
        Self { offset, kind }
    }

    /// Byte offset of the fault in the parsed string.
    ///
    /// ```
    /// assert_eq!(urigrep::Uri::parse("s:a b").unwrap_err().offset(), 3);
    /// ```
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The kind of fault.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Uri};
    /// assert_eq!(Uri::parse("//a").unwrap_err().kind(), ErrorKind::NoScheme);
    /// ```
    pub const fn kind(self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.kind, self.offset)
    }
}

impl core::error::Error for ParseError {}

named_enum! {
    "urigrep::ErrorKind", "errors";
    /// The kind of fault in a string that does not parse.
    ///
    /// `Display` prints a sentence for people; [`ErrorKind::name`] is a fixed word for programs.
    pub enum ErrorKind {
        /// The string is longer than 4,294,967,295 bytes, the largest offset here.
        TooLong = "too-long": "the string is longer than 4 GiB",
        /// No `:` ends a scheme before the string or its first segment ends (RFC 3986 §3.1).
        NoScheme = "no-scheme": "a URI starts with a scheme and a colon; add one, such as `https:`",
        /// A character that is not allowed in a scheme (RFC 3986 §3.1).
        SchemeCharacter = "scheme-character":
            "a scheme is a letter, then letters, digits, `+`, `-` or `.`; remove this character",
        /// The first segment of a relative reference contains a `:` (RFC 3986 §4.2).
        FirstSegmentColon = "first-segment-colon":
            "the part before this `:` is not a scheme, and a relative reference has no `:` in its first segment; write `./` before it",
        /// A `%` without two hexadecimal digits (RFC 3986 §2.1).
        PercentTriplet = "percent-triplet":
            "`%` needs two hexadecimal digits after it; write a literal percent sign as `%25`",
        /// A character that no part of a URI may contain unencoded (RFC 3986 §2).
        Character = "character": "this character is not allowed in a URI; percent-encode it",
        /// A character that is not allowed in a userinfo (RFC 3986 §3.2.1).
        UserinfoCharacter = "userinfo-character": "this character is not allowed before the `@`; percent-encode it",
        /// A character that is not allowed in a registered name (RFC 3986 §3.2.2).
        HostCharacter = "invalid-host": "this character is not allowed in a host; percent-encode or remove it",
        /// An IP literal without a closing `]` (RFC 3986 §3.2.2).
        UnclosedIpLiteral = "unclosed-ip-literal": "the `[` of an IP address is never closed; add `]`",
        /// The text between `[` and `]` is neither an IPv6 address nor an IPvFuture.
        IpLiteral = "ip-literal": "what is between `[` and `]` is not an IPv6 address; check its groups",
        /// A character in a port that is not a decimal digit (RFC 3986 §3.2.3).
        PortCharacter = "invalid-port": "a port holds digits only; remove this character",
        /// A character that is not allowed in a path (RFC 3986 §3.3).
        PathCharacter = "path-character": "this character is not allowed in a path; percent-encode it",
        /// A character that is not allowed in a query (RFC 3986 §3.4).
        QueryCharacter = "query-character": "this character is not allowed in a query; percent-encode it",
        /// A character that is not allowed in a fragment, such as a second `#` (RFC 3986 §3.5).
        FragmentCharacter = "fragment-character":
            "this character is not allowed in a fragment; percent-encode it (a second `#` is `%23`)",
        /// The string does not start with `urn:` (RFC 8141 §2).
        NotUrn = "not-urn": "a URN starts with `urn:`",
        /// The NID has fewer than two characters (RFC 8141 §2.1).
        NidTooShort = "nid-too-short": "the namespace identifier after `urn:` needs at least two characters",
        /// The NID is longer than 32 characters (RFC 8141 §2.1).
        NidTooLong = "nid-too-long": "the namespace identifier after `urn:` has at most 32 characters",
        /// A character that is not allowed in a NID (RFC 8141 §2.1).
        NidCharacter = "nid-character": "a namespace identifier holds letters, digits and hyphens only",
        /// A NID that starts or ends with a hyphen (RFC 8141 §2.1).
        NidHyphen = "nid-hyphen": "a namespace identifier neither starts nor ends with a hyphen",
        /// The NSS is missing or empty (RFC 8141 §2.2).
        EmptyNss = "empty-nss": "nothing follows the namespace identifier; a URN needs a name there",
        /// A character that is not allowed in an NSS (RFC 8141 §2.2).
        NssCharacter = "nss-character": "this character is not allowed in the name of a URN; percent-encode it",
        /// A `?` followed by neither `+` nor `=` (RFC 8141 §2.3).
        BareQuestionMark = "bare-question-mark":
            "in a URN a `?` is followed by `+` or `=`; write a literal question mark as `%3F`",
        /// A `?+` with nothing after it (RFC 8141 §2.3.1).
        EmptyRComponent = "empty-r-component": "`?+` starts an r-component, which may not be empty",
        /// A `?=` with nothing after it (RFC 8141 §2.3.2).
        EmptyQComponent = "empty-q-component": "`?=` starts a q-component, which may not be empty",
        /// A character that is not allowed at this place in an r-component (RFC 8141 §2.3.1).
        RComponentCharacter = "r-component-character":
            "this character is not allowed in an r-component; percent-encode it",
        /// A character that is not allowed at this place in a q-component (RFC 8141 §2.3.2).
        QComponentCharacter = "q-component-character":
            "this character is not allowed in a q-component; percent-encode it",
        /// The NID `urn`, which older grammars reserve (RFC 2141 §2.1).
        NidReserved = "nid-reserved": "the namespace identifier `urn` is reserved; use another one",
        /// `%00`, which older grammars forbid in a URN (rfc2141bis-01 §2.3.3).
        PercentNul = "percent-nul": "`%00` is not allowed in a URN; remove it",
        /// No `//` and host where the older grammar of a scheme requires them (url-1993).
        NoHost = "no-host": "a URL of this scheme needs `//` and a host after the colon",
        /// Neither a host name nor four numbers by an older grammar (url-syntax-05 §4.3.1,
        /// url-1993).
        HostForm = "host-form":
            "this is neither a host name nor an address of four numbers by this grammar; check its labels",
        /// No `/` after the host where the older grammar of a scheme requires one (url-1993).
        NoPath = "no-path": "a URL of this scheme needs a `/` after its host; add it",
        /// A part is empty where an older grammar requires a character (url-1993).
        EmptyPart = "empty-part": "this part must not be empty; the chosen grammar does not allow an empty part here",
        /// Text after the end of a URL by the older grammar of its scheme (url-1993).
        TrailingText = "trailing-text": "a URL of this scheme ends before this character; remove the rest",
        /// A userinfo or a port without a host (RFC 3986 §3.2).
        AuthorityWithoutHost = "authority-without-host": "a userinfo or a port needs a host; set one",
        /// A path after an authority that does not start with `/` (RFC 3986 §3.3).
        RootlessPath = "rootless-path": "after a host, a path is empty or starts with `/`; add the `/`",
        /// A path that starts with `//` without an authority (RFC 3986 §3.3).
        PathSlashes = "path-slashes": "without a host a path does not start with `//`; write `/.` before it",
        /// A character in the length of a WAIS document that is not a digit (url-1993).
        LengthCharacter = "length-character": "the length of a WAIS document holds digits only",
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.meaning())
    }
}

/// The reason why a candidate is not a match.
///
/// ```
/// use urigrep::{Finder, Finding, Reason};
/// let finder = Finder::new();
/// let finding = finder.findings(b"GET http://{host}/x").next();
/// let Some(Finding::Rejected(rejected)) = finding else { panic!("a template has no host") };
/// assert_eq!(rejected.reason(), Reason::Template);
/// assert_eq!(rejected.reason().name(), "template");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The delimited text does not match the grammar of its scheme, or the chosen grammar.
    Grammar(ErrorKind),
    /// A mail address that is obfuscated around its `@` or its dots (D1.6).
    Obfuscated,
    /// A number that continues after a space (D1.6).
    Cut,
    /// A non-ASCII letter directly after an ASCII one where the scheme is ASCII only (D2.2).
    NonAscii,
    /// The text continues after an escape that cannot be decoded (D2.4).
    Escaped,
    /// An angle wrapper that contains both a line break and a space (D3.2).
    BrokenWrapper,
    /// A host that is unclickable on purpose, with `[.]` or `hxxp` (D4.6).
    Defanged,
    /// A template with a placeholder to fill in (D4.8).
    Template,
    /// A host character that IDNA does not allow, or a second `@` (D4.9).
    InvalidHost,
    /// A port that is not a number (D4.9).
    InvalidPort,
    /// The text after `//` cannot be a host (D4.6).
    NoHost,
    /// Longer than the configured maximum (D4.10).
    TooLong,
    /// Characters that no RFC allows, although only valid URIs were requested (D2.3).
    Lax,
    /// Not the syntax of its own scheme (D1.6).
    SchemeSyntax,
    /// A [`DetachedFinding`](crate::finder::DetachedFinding) was attached to a different text.
    OtherText,
}

impl Reason {
    /// The fixed, hyphenated word for programs; `reason` in JSON.
    ///
    /// ```
    /// assert_eq!(urigrep::Reason::Template.name(), "template");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grammar(kind) => kind.name(),
            Self::Obfuscated => "obfuscated",
            Self::Cut => "cut",
            Self::NonAscii => "non-ascii",
            Self::Escaped => "escaped",
            Self::BrokenWrapper => "broken-wrapper",
            Self::Defanged => "defanged",
            Self::Template => "template",
            Self::InvalidHost => "invalid-host",
            Self::InvalidPort => "invalid-port",
            Self::NoHost => "no-host",
            Self::TooLong => "too-long",
            Self::Lax => "lax",
            Self::SchemeSyntax => "scheme-syntax",
            Self::OtherText => "other-text",
        }
    }
}

impl From<ErrorKind> for Reason {
    fn from(kind: ErrorKind) -> Self {
        Self::Grammar(kind)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grammar(kind) => return kind.fmt(f),
            Self::Obfuscated => {
                "the address is spelled out to hide it, such as `joe at example.org`"
            }
            Self::Cut => "incomplete: the number continues, or the scheme starts earlier",
            Self::NonAscii => {
                "a non-ASCII letter continues this word, which its scheme does not allow"
            }
            Self::Escaped => "the URI continues after an escape that can't be decoded",
            Self::BrokenWrapper => "the `<...>` contains both a line break and a space",
            Self::Defanged => "made unclickable",
            Self::Template => "contains a placeholder to fill in",
            Self::InvalidHost => "this character is not allowed in a host name",
            Self::InvalidPort => "the port is not a number",
            Self::NoHost => "no `//` with a host follows the scheme",
            Self::TooLong => "the URI is longer than the limit",
            Self::Lax => "contains characters that RFC 3986 does not allow unescaped",
            Self::SchemeSyntax => "does not follow the syntax of its scheme",
            Self::OtherText => "the finding was attached to a different text",
        })
    }
}
