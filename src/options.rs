//! What a search may take for a URI. One enum a choice.

use crate::delimit::WRAPPER_BYTES;
use crate::grammar::Grammar;
use crate::scan::Kernel;

/// Which characters a URI may be made of (D2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// RFC 3986 and RFC 3987: non-ASCII characters may continue a URI.
    #[default]
    Iri,
    /// RFC 3986 only: every non-ASCII character ends a URI.
    Ascii,
}

/// Which schemes start a URI (D1.2, D1.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schemes {
    /// Known schemes, and any other word before `//` and a plausible authority.
    #[default]
    Any,
    /// Known schemes only: registered with IANA or in wide use.
    Known,
}

/// What happens to URIs with characters that no RFC allows (D2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lax {
    /// They match, and [`Match::uri`](crate::Match::uri) is repaired.
    #[default]
    Repair,
    /// They are rejected.
    Reject,
}

/// What happens to a URI inside another one (D4.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Embedded {
    /// Only the outer one is reported.
    #[default]
    Skip,
    /// Both are reported, the outer one first.
    Report,
}

/// What happens to URIs that were made unclickable on purpose (D4.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refang {
    /// They are rejected.
    #[default]
    Reject,
    /// They are read as they were: `hxxp`, `[.]`, `[:]//`, `(dot)` and the like.
    Read,
}

/// What happens to redirectors: URIs that mail gateways put around those that authors wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unwrap {
    /// They match as they stand.
    #[default]
    Never,
    /// [`Match::uri`](crate::Match::uri) is what they lead to; see [`unwrap`](crate::unwrap).
    Redirectors,
}

/// Which line breaks inside a URI are removed (D3.2, D5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rejoin {
    /// None.
    Never,
    /// Those inside `<…>` and double quotes, as RFC 3986 Appendix C says.
    #[default]
    Wrapped,
    /// Also those right after a `-` that ends a line.
    Hyphen,
    /// Also those that a long line ends with.
    Always,
}

/// What happens to URIs whose author left the scheme out (D7, RFC 3986 section 4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abbreviated {
    /// They are not looked for.
    #[default]
    Skip,
    /// They match: `www.` hosts, and bare domains with a known top-level domain.
    Report,
}

/// The scheme that an abbreviated URI gets (D7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AssumedScheme {
    /// `https://`.
    #[default]
    Https,
    /// `http://`.
    Http,
}

impl AssumedScheme {
    /// The scheme with its `://`.
    ///
    /// ```
    /// assert_eq!(urigrep::AssumedScheme::Http.prefix(), "http://");
    /// ```
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Https => "https://",
            Self::Http => "http://",
        }
    }
}

/// What happens to mail addresses without `mailto:` (D7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Email {
    /// They are not looked for.
    #[default]
    Skip,
    /// They match.
    Report,
}

/// Whose rules find links (D7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detection {
    /// Those of this crate.
    #[default]
    Rules,
    /// Unicode UTS #58, to the letter, for http, https, mailto and links without a scheme, which
    /// it always reports; the rules of this crate for all other schemes.
    Uts58,
}

/// Whether the common case is delimited in one pass, which gives the same in less time.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shortcut {
    #[default]
    Taken,
    /// Every candidate goes through all the rules: the twin that tests compare with.
    Avoided,
}

/// All options of a search.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub schemes: Schemes,
    pub charset: Charset,
    pub lax: Lax,
    pub embedded: Embedded,
    pub rejoin: Rejoin,
    pub refang: Refang,
    pub unwrap: Unwrap,
    pub abbreviated: Abbreviated,
    pub assume: AssumedScheme,
    pub email: Email,
    pub detection: Detection,
    pub grammar: Grammar,
    pub max_uri: usize,
    pub max_wrapper: usize,
    pub kernel: Kernel,
    pub shortcut: Shortcut,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            schemes: Schemes::default(),
            charset: Charset::default(),
            lax: Lax::default(),
            embedded: Embedded::default(),
            rejoin: Rejoin::default(),
            refang: Refang::default(),
            unwrap: Unwrap::default(),
            abbreviated: Abbreviated::default(),
            assume: AssumedScheme::default(),
            email: Email::default(),
            detection: Detection::default(),
            grammar: Grammar::default(),
            max_uri: 1 << 20,
            max_wrapper: WRAPPER_BYTES,
            kernel: Kernel::default(),
            shortcut: Shortcut::default(),
        }
    }
}
