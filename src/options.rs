//! Options of a search, one enum per choice.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::delimit::WRAPPER_BYTES;
use crate::grammar::Grammar;
pub use crate::grammar::{HostMapping, MissingFeature};
pub use crate::named::UnknownName;
use crate::named::named_enum;
pub use crate::scan::Kernel;
use crate::scheme::CustomSchemes;

named_enum! {
    "urigrep::options::Charset", "alphabets";
    /// The characters of which a URI consists (D2.2).
    #[derive(Default)]
    pub enum Charset {
        /// RFC 3986 and RFC 3987: non-ASCII characters may continue a URI.
        #[default]
        Iri = "iri",
        /// RFC 3986 only: every non-ASCII character ends a URI.
        Ascii = "ascii",
    }
}

named_enum! {
    "urigrep::options::Schemes", "sets of schemes";
    /// The schemes that start a URI (D1.2, D1.4).
    #[derive(Default)]
    pub enum Schemes {
        /// Known schemes, and any other word before `//` and a plausible authority.
        #[default]
        Any = "any",
        /// Known schemes only: registered with IANA or in wide use.
        Known = "known",
    }
}

/// The schemes of a finder: a rule, or a list of names; see
/// [`FinderBuilder::schemes`](crate::FinderBuilder::schemes).
///
/// ```
/// use urigrep::options::{SchemeSet, Schemes};
/// let names: Vec<String> = vec!["https".into(), "mailto".into()];
/// let _: [SchemeSet; 3] = [Schemes::Known.into(), ["https"].into(), names.into()];
/// ```
#[derive(Clone, Debug, Default)]
pub struct SchemeSet {
    pub(crate) rule: Schemes,
    pub(crate) only: Arc<[String]>,
}

impl From<Schemes> for SchemeSet {
    fn from(rule: Schemes) -> Self {
        Self { rule, ..Self::default() }
    }
}

impl<S: AsRef<str>> From<&[S]> for SchemeSet {
    fn from(names: &[S]) -> Self {
        let only = names.iter().map(|name| name.as_ref().to_ascii_lowercase()).collect();
        Self { rule: Schemes::Any, only }
    }
}

impl<S: AsRef<str>, const N: usize> From<[S; N]> for SchemeSet {
    fn from(names: [S; N]) -> Self {
        names.as_slice().into()
    }
}

impl<S: AsRef<str>> From<Vec<S>> for SchemeSet {
    fn from(names: Vec<S>) -> Self {
        names.as_slice().into()
    }
}

impl Options {
    /// True if URIs of this scheme are reported.
    pub(crate) fn allows(&self, scheme: &[u8]) -> bool {
        let mut only = self.only_schemes.iter();
        self.only_schemes.is_empty()
            || only.any(|name| name.as_bytes().eq_ignore_ascii_case(scheme))
    }
}

named_enum! {
    "urigrep::options::Lax", "ways to treat lax URIs";
    /// The treatment of URIs with characters that no RFC allows (D2.3).
    #[derive(Default)]
    pub enum Lax {
        /// They match, and [`Match::uri`](crate::Match::uri) is repaired.
        #[default]
        Repair = "repair",
        /// They are rejected.
        Reject = "reject",
    }
}

named_enum! {
    "urigrep::options::Embedded", "ways to treat embedded URIs";
    /// The treatment of a URI inside another one (D4.7).
    #[derive(Default)]
    pub enum Embedded {
        /// Report only the outer one.
        #[default]
        Skip = "skip",
        /// Report both, the outer one first. Searches of documents also read HTML and Markdown in
        /// values of data ([`ValueParts`](crate::document::ValueParts)).
        Report = "report",
    }
}

named_enum! {
    "urigrep::options::Refang", "ways to treat defanged URIs";
    /// The treatment of defanged URIs, which are unclickable on purpose (D4.6).
    #[derive(Default)]
    pub enum Refang {
        /// Reject them.
        #[default]
        Reject = "reject",
        /// Read their original form: `hxxp`, `[.]`, `[:]//`, `(dot)` and similar.
        Read = "read",
    }
}

named_enum! {
    "urigrep::options::Unwrap", "ways to treat redirectors";
    /// The treatment of redirectors: URIs that mail gateways put around those of the author.
    #[derive(Default)]
    pub enum Unwrap {
        /// Report them unchanged.
        #[default]
        Never = "never",
        /// Replace [`Match::uri`](crate::Match::uri) with their target; see
        /// [`unwrap`](crate::redirect::unwrap).
        Redirectors = "redirectors",
    }
}

named_enum! {
    "urigrep::options::Rejoin", "ways to rejoin";
    /// The line breaks inside a URI that are removed (D3.2, D5).
    #[derive(Default)]
    pub enum Rejoin {
        /// Keep all of them.
        Never = "never",
        /// Remove those inside `<…>` and double quotes, as RFC 3986 Appendix C describes.
        #[default]
        Wrapped = "wrapped",
        /// Remove also those right after a `-` that ends a line.
        Hyphen = "hyphen",
        /// Remove also those at the end of a long line.
        Always = "always",
    }
}

named_enum! {
    "urigrep::options::Abbreviated", "ways to treat abbreviated URIs";
    /// The treatment of URIs without a scheme (D7, RFC 3986 §4.5).
    #[derive(Default)]
    pub enum Abbreviated {
        /// Do not report them.
        #[default]
        Skip = "skip",
        /// Report `www.` hosts, and bare domains with a known top-level domain.
        Report = "report",
    }
}

named_enum! {
    "urigrep::options::AssumedScheme", "schemes to assume";
    /// The scheme of a URI that was written without one (D7).
    #[derive(Default)]
    pub enum AssumedScheme {
        /// `https://`.
        #[default]
        Https = "https",
        /// `http://`.
        Http = "http",
    }
}

impl AssumedScheme {
    /// The scheme with its `://`.
    ///
    /// ```
    /// assert_eq!(urigrep::options::AssumedScheme::Http.prefix(), "http://");
    /// ```
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Https => "https://",
            Self::Http => "http://",
        }
    }
}

named_enum! {
    "urigrep::options::Email", "ways to treat mail addresses";
    /// The treatment of mail addresses without `mailto:` (D7).
    #[derive(Default)]
    pub enum Email {
        /// Do not look for them.
        #[default]
        Skip = "skip",
        /// Report them.
        Report = "report",
    }
}

named_enum! {
    "urigrep::options::Identifiers", "ways to treat identifiers";
    /// The treatment of identifiers of papers, books and journals as people write them (D7).
    #[derive(Default)]
    pub enum Identifiers {
        /// Do not look for them.
        #[default]
        Skip = "skip",
        /// Report DOIs: `doi: 10.1000/182`, `doi.org/10.1000/182`, `10.1000/182`.
        Doi = "doi",
        /// Report DOIs, and numbers after `ISBN`, `ISSN`, `PMID`, `PMCID`, `arXiv` or `ORCID`.
        All = "all",
    }
}

named_enum! {
    "urigrep::options::Detection", "sets of rules";
    /// The rules that find links (D7).
    #[derive(Default)]
    pub enum Detection {
        /// The rules of this crate.
        #[default]
        Rules = "rules",
        /// Unicode UTS #58, to the letter, for http, https, mailto and links without a scheme,
        /// which it always reports. The rules of this crate apply to all other schemes.
        Uts58 = "uts58",
    }
}

/// The use of the fast path: a single pass over the common case, with the same result.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shortcut {
    #[default]
    Taken,
    /// Apply all rules to every candidate: the naive twin that tests compare with.
    Avoided,
}

/// All options of a search.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub schemes: Schemes,
    /// The only schemes to report, in lower case; empty for all.
    pub only_schemes: Arc<[String]>,
    pub charset: Charset,
    pub lax: Lax,
    pub embedded: Embedded,
    pub rejoin: Rejoin,
    pub refang: Refang,
    pub unwrap: Unwrap,
    pub abbreviated: Abbreviated,
    pub assume: AssumedScheme,
    pub email: Email,
    pub identifiers: Identifiers,
    pub detection: Detection,
    pub grammar: Grammar,
    pub recognizers: CustomSchemes,
    pub hosts: HostMapping,
    pub max_uri: usize,
    pub max_wrapper: usize,
    pub kernel: Kernel,
    pub shortcut: Shortcut,
}

/// Returns the value of an option; in a build for `urigrep/lite` its default, so that the compiler
/// leaves out what only other values need (`js/build.js`).
#[inline(always)]
pub(crate) fn full_only<T: Default>(value: T) -> T {
    if cfg!(urigrep_lite) { T::default() } else { value }
}

/// Options that `urigrep/lite` does not have are read only here.
impl Options {
    pub fn refang(&self) -> Refang {
        full_only(self.refang)
    }

    pub fn unwrap(&self) -> Unwrap {
        full_only(self.unwrap)
    }

    pub fn identifiers(&self) -> Identifiers {
        full_only(self.identifiers)
    }

    pub fn detection(&self) -> Detection {
        full_only(self.detection)
    }

    pub fn grammar(&self) -> Grammar {
        full_only(self.grammar)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            schemes: Schemes::default(),
            only_schemes: Arc::default(),
            charset: Charset::default(),
            lax: Lax::default(),
            embedded: Embedded::default(),
            rejoin: Rejoin::default(),
            refang: Refang::default(),
            unwrap: Unwrap::default(),
            abbreviated: Abbreviated::default(),
            assume: AssumedScheme::default(),
            email: Email::default(),
            identifiers: Identifiers::default(),
            detection: Detection::default(),
            grammar: Grammar::default(),
            recognizers: CustomSchemes::default(),
            hosts: HostMapping::default(),
            max_uri: 1 << 20,
            max_wrapper: WRAPPER_BYTES,
            kernel: Kernel::default(),
            shortcut: Shortcut::default(),
        }
    }
}
