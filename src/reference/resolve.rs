//! Resolves a reference against a base: RFC 3986 §5.2 and the three algorithms before it.
//!
//! The algorithms differ, and each is implemented to the letter, with one exception: the result
//! must read as the intended components. So a path that starts with `//` without an authority gets
//! a `/.` prefix. RFC 3986 §3.3 forbids such a path, but §5.2 can create it; the URL Standard,
//! fluent-uri and iri-string write it the same way. And a relative path gets a `/` after an
//! authority with an empty path (RFC 3986 §5.2.3), which S4 and S5 omit.
//!
//! S3 is draft-fielding-uri-rfc2396bis-01, S4 draft-fielding-url-syntax-05, S5 Berners-Lee's draft
//! "Uniform Resource Locators" of July 1993.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::dots::{Dots, PathWriter};
use crate::edit::UriBuf;
use crate::error::ParseError;
use crate::grammar::{Grammar, Parsed, Rule, Uri, UriRef};
use crate::named::named_enum;
use crate::slice::SliceExt;

named_enum! {
    "urigrep::reference::Resolution", "resolutions";
    /// The document whose algorithm resolves references.
    ///
    /// A base is a URI; its fragment is ignored. `.` and `..` count only in this form, not as
    /// `%2E`. Results for the base `http://a/b/c/d;p?q`:
    ///
    /// | reference | RFC 3986 | S3 | S4 | S5 |
    /// |---|---|---|---|---|
    /// | `..` | `http://a/b/` | `http://a/b/` | `http://a/b/` | `http://a/b` |
    /// | `?y` | `http://a/b/c/d;p?y` | `http://a/b/c/d;p?y` | `http://a/b/c/?y` | `http://a/b/c/?y` |
    /// | `../../../g` | `http://a/g` | `http://a/../g` | `http://a/../g` | `http://a/../g` |
    /// | `/./g` | `http://a/g` | `http://a/./g` | `http://a/./g` | `http://a/./g` |
    /// | `g?y/../x` | `http://a/b/c/g?y/../x` | `http://a/b/c/g?y/../x` | `http://a/b/c/x` | `http://a/b/c/g?y/../x` |
    /// | `#s` | `http://a/b/c/d;p?q#s` | current document | current document | `http://a/b/c/#s` |
    ///
    /// ```
    /// use urigrep::reference::Resolution;
    /// use urigrep::{Uri, UriRef};
    /// let base = Uri::parse("http://a/b/c/d;p?q")?;
    /// let reference = UriRef::parse("../../../g")?;
    /// assert_eq!(Resolution::Rfc3986.resolve(base, reference).to_string(), "http://a/g");
    /// assert_eq!(Resolution::Rfc2396bis01.resolve(base, reference).to_string(), "http://a/../g");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    #[derive(Default)]
    pub enum Resolution {
        /// RFC 3986 §5.2, for strict parsers: `http:g` is absolute.
        ///
        /// By the letter of §5.2.2, dot segments are removed from the path of any reference, even
        /// an absolute one without a root. `urn:example:a/../b` resolves to `urn:/b`, which is not
        /// a URN. [`normalize`](crate::normalize) leaves such a path unchanged.
        #[default]
        Rfc3986 = "rfc3986",
        /// The same for backward compatibility (§5.4.2): a scheme that equals that of the base is
        /// ignored, so `http:g` means `g`.
        Rfc3986Lenient = "rfc3986-lenient",
        /// draft-fielding-uri-rfc2396bis-01 §5.2 (S3), for validating parsers.
        Rfc2396bis01 = "rfc2396bis-01",
        /// The same for parsers that do not validate: they ignore a scheme that equals that of the
        /// base.
        Rfc2396bis01Lenient = "rfc2396bis-01-lenient",
        /// draft-fielding-url-syntax-05 §5.2 (S4), which treats the query as a part of the path.
        UrlSyntax05 = "url-syntax-05",
        /// The partial form of Berners-Lee's draft of July 1993 (S5). It has rules only for paths:
        /// the search part stays unchanged, and an empty reference is the empty relative path.
        Url1993 = "url-1993",
    }
}

impl Resolution {
    /// Returns the algorithm of a grammar's document, for strict parsers.
    ///
    /// The grammars of URNs use that of RFC 3986: they have no relative references.
    ///
    /// ```
    /// use urigrep::reference::Resolution;
    /// use urigrep::Grammar;
    /// assert_eq!(Resolution::for_grammar(Grammar::Url1993), Resolution::Url1993);
    /// assert_eq!(Resolution::for_grammar(Grammar::Rfc2141), Resolution::Rfc3986);
    /// ```
    pub const fn for_grammar(grammar: Grammar) -> Self {
        match grammar {
            Grammar::Rfc2396bis01 => Self::Rfc2396bis01,
            Grammar::UrlSyntax05 => Self::UrlSyntax05,
            Grammar::Url1993 => Self::Url1993,
            Grammar::Rfc3986 | Grammar::Rfc8141 | Grammar::Rfc2141bis01 | Grammar::Rfc2141 => {
                Self::Rfc3986
            }
        }
    }

    /// Returns the variant that ignores a scheme equal to that of the base, or `None` if the
    /// document does not define it.
    ///
    /// ```
    /// use urigrep::reference::Resolution;
    /// assert_eq!(Resolution::Rfc3986.lenient(), Some(Resolution::Rfc3986Lenient));
    /// assert_eq!(Resolution::Url1993.lenient(), None);
    /// ```
    pub const fn lenient(self) -> Option<Self> {
        match self {
            Self::Rfc3986 | Self::Rfc3986Lenient => Some(Self::Rfc3986Lenient),
            Self::Rfc2396bis01 | Self::Rfc2396bis01Lenient => Some(Self::Rfc2396bis01Lenient),
            Self::UrlSyntax05 | Self::Url1993 => None,
        }
    }

    /// Resolves `reference` in a document with the given `base`.
    ///
    /// The target is a URI by RFC 3986 unless it is longer than 4 GiB.
    ///
    /// ```
    /// use urigrep::reference::{Resolution, Target};
    /// use urigrep::{Uri, UriRef};
    /// let base = Uri::parse("http://a/b/c/d;p?q")?;
    /// let target = Resolution::UrlSyntax05.resolve(base, UriRef::parse("#s")?);
    /// assert_eq!(target, Target::CurrentDocument { fragment: Some("s") });
    /// assert_eq!(target.to_string(), "(current document)#s");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn resolve<'r>(self, base: Uri<'_>, reference: UriRef<'r>) -> Target<'r> {
        self.target(FiveComponents::from(UriRef::from(base)), FiveComponents::from(reference))
    }

    /// Like [`resolve`](Self::resolve), for texts parsed by a [`Grammar`], which need not be URIs
    /// by RFC 3986: the base by [`Grammar::parse`], the reference by [`Grammar::parse_reference`].
    ///
    /// The components are those of the regular expression in appendix B of S3, S4 and RFC 3986.
    /// Only the scheme of a reference depends on its grammar.
    ///
    /// ```
    /// use urigrep::reference::Resolution;
    /// use urigrep::Grammar;
    /// let by = Grammar::UrlSyntax05;
    /// let (base, reference) = (by.parse("2web://a/b/c")?, by.parse_reference("../d")?);
    /// let target = Resolution::for_grammar(by).resolve_parsed(&base, &reference);
    /// assert_eq!(target.uri(), Some("2web://a/d"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn resolve_parsed<'r>(self, base: &Parsed<'_>, reference: &Parsed<'r>) -> Target<'r> {
        self.target(FiveComponents::from(base), FiveComponents::from(reference))
    }

    fn target<'r>(self, base: FiveComponents<'_>, reference: FiveComponents<'r>) -> Target<'r> {
        let same_document = self.scheme(base, reference).is_none()
            && reference.authority.is_none()
            && reference.path.is_empty()
            && reference.query.is_none();
        if same_document && self.has_current_document() {
            return Target::CurrentDocument { fragment: reference.fragment };
        }
        Target::Uri(self.uri(base, reference))
    }

    /// Returns the scheme of the reference, unless it is to be ignored.
    fn scheme<'r>(
        self,
        base: FiveComponents<'_>,
        reference: FiveComponents<'r>,
    ) -> Option<&'r str> {
        let ignored = |scheme: &str| match self {
            Self::Rfc3986Lenient | Self::Rfc2396bis01Lenient => {
                base.scheme.is_some_and(|base| scheme.eq_ignore_ascii_case(base))
            }
            _ => false,
        };
        reference.scheme.filter(|scheme| !ignored(scheme))
    }

    /// Returns the target of a reference that is not to the current document.
    fn uri(self, base: FiveComponents<'_>, reference: FiveComponents<'_>) -> String {
        let scheme = self.scheme(base, reference);
        let (path, mut query) = (reference.path, reference.query);
        // Only the scheme may come from the base then.
        let complete = scheme.is_some() || reference.authority.is_some();

        let mut out = String::with_capacity(base.len() + reference.len());
        if let Some(scheme) = scheme.or(base.scheme) {
            out.push_str(scheme);
            out.push(':');
        }
        let authority = if complete { reference.authority } else { base.authority };
        if let Some(authority) = authority {
            out.push_str("//");
            out.push_str(authority);
        }

        let mut target = PathWriter::new(&mut out, self.dots());
        if complete || path.starts_with('/') {
            // RFC 3986 §5.2.2 removes dot segments from every path. The older algorithms leave a
            // complete reference or an absolute path as it is: `/./g` keeps its dot.
            match self.dots() {
                Dots::Rfc3986 => target.push(path),
                Dots::Kept | Dots::Url1993 => target.verbatim(path),
            }
        } else if path.is_empty() && self.keeps_base_path() {
            target.verbatim(base.path);
            query = query.or(base.query);
        } else {
            target.push(self.directory(base));
            match (self, query.take()) {
                // S4 treats the query as a part of the path, so dot segments in a query count.
                (Self::UrlSyntax05, Some(query)) => target.push(&format!("{path}?{query}")),
                (_, own) => {
                    target.push(path);
                    query = own;
                }
            }
        }
        target.finish(authority.is_some());

        for (mark, component) in [('?', query), ('#', reference.fragment)] {
            if let Some(component) = component {
                out.push(mark);
                out.push_str(component);
            }
        }
        out
    }

    /// Returns the path of the base up to its last `/`, to which a relative path is appended (RFC
    /// 3986 §5.2.3).
    fn directory<'b>(self, base: FiveComponents<'b>) -> &'b str {
        let path = base.path;
        match path.rfind('/') {
            Some(slash) => path.part(..=slash),
            // RFC 3986 §5.2.3 adds a `/` after an authority with an empty path. S3 adds it even
            // without an authority.
            None if path.is_empty() && (base.authority.is_some() || self.is_rfc2396bis()) => "/",
            None => "",
        }
    }

    fn dots(self) -> Dots {
        match self {
            Self::Rfc3986 | Self::Rfc3986Lenient => Dots::Rfc3986,
            Self::Rfc2396bis01 | Self::Rfc2396bis01Lenient | Self::UrlSyntax05 => Dots::Kept,
            Self::Url1993 => Dots::Url1993,
        }
    }

    fn is_rfc2396bis(self) -> bool {
        matches!(self, Self::Rfc2396bis01 | Self::Rfc2396bis01Lenient)
    }

    /// True if an empty reference means the current document (S3 §4.2, S4 §5.2 step 2).
    fn has_current_document(self) -> bool {
        self.is_rfc2396bis() || self == Self::UrlSyntax05
    }

    /// True if a reference without a path gets the whole path of the base, including its last
    /// segment.
    fn keeps_base_path(self) -> bool {
        self.is_rfc2396bis() || self.dots() == Dots::Rfc3986
    }
}

/// The five components that resolution works on (RFC 3986 §5.2.2).
#[derive(Clone, Copy)]
struct FiveComponents<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl FiveComponents<'_> {
    /// An upper bound of the length of the text, including a `/.` before the path.
    fn len(&self) -> usize {
        let Self { scheme, authority, path, query, fragment } = *self;
        // No delimiter of a component is longer than `//`.
        let marked = |part: Option<&str>| part.map_or(0, |part| part.len() + "//".len());
        let parts = [scheme, authority, query, fragment].map(marked);
        parts.iter().sum::<usize>() + path.len() + "/.".len()
    }
}

impl<'a> From<UriRef<'a>> for FiveComponents<'a> {
    fn from(reference: UriRef<'a>) -> Self {
        Self {
            scheme: reference.scheme(),
            authority: reference.authority(),
            path: reference.path(),
            query: reference.query(),
            fragment: reference.fragment(),
        }
    }
}

impl<'a> From<&Parsed<'a>> for FiveComponents<'a> {
    fn from(parsed: &Parsed<'a>) -> Self {
        let scheme = parsed.get(Rule::Scheme);
        let hier_start = scheme.map_or(0, |scheme| scheme.len() + 1);
        // The older grammars name other parts than these five, so the text is divided as in RFC
        // 3986 appendix B.
        let rest = parsed.as_str().clamped(hier_start..);
        let (rest, fragment) = split(rest, '#');
        let (rest, query) = split(rest, '?');
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (rest.get(..end), rest.part(end..))
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query, fragment }
    }
}

/// Splits `text` at the first `mark`.
fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// The target of a reference.
///
/// `Display` prints it like the tables of S3 and S4.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target<'r> {
    /// The URI that the reference resolves to.
    Uri(String),
    /// The document that contains the reference (S3 §4.2, S4 §5.2 step 2); not in RFC 3986.
    CurrentDocument {
        /// The fragment of the reference.
        fragment: Option<&'r str>,
    },
}

impl Target<'_> {
    /// The URI, or `None` for the current document.
    ///
    /// ```
    /// use urigrep::reference::Target;
    /// assert_eq!(Target::Uri("http://a/".to_owned()).uri(), Some("http://a/"));
    /// assert_eq!(Target::CurrentDocument { fragment: None }.uri(), None);
    /// ```
    pub fn uri(&self) -> Option<&str> {
        match self {
            Self::Uri(uri) => Some(uri),
            Self::CurrentDocument { .. } => None,
        }
    }
}

impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uri(uri) => f.write_str(uri),
            Self::CurrentDocument { fragment: None } => f.write_str("(current document)"),
            Self::CurrentDocument { fragment: Some(fragment) } => {
                write!(f, "(current document)#{fragment}")
            }
        }
    }
}

/// Resolves `reference` in a document with the given `base`, by RFC 3986 §5.2 (strict).
///
/// The fragment of the base is ignored. [`Resolution`] has the other algorithms. A target longer
/// than 4 GiB, which a [`Uri`] can't have, is given up: the base is returned.
///
/// ```
/// use urigrep::{Uri, UriRef, resolve};
/// let base = Uri::parse("http://a/b/c/d;p?q")?;
/// let target = resolve(base, UriRef::parse("../g?y#s")?);
/// assert_eq!((target.as_str(), target.as_uri().query()), ("http://a/b/g?y#s", Some("y")));
/// // Not `x://c`, in which `c` would be a host (RFC 3986 §3.3).
/// assert_eq!(resolve(Uri::parse("x:/a")?, UriRef::parse(".//c")?), "x:/.//c");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[doc(alias = "join")]
pub fn resolve(base: Uri<'_>, reference: UriRef<'_>) -> UriBuf {
    UriBuf::parse(resolved(base, reference)).unwrap_or_else(|_| base.into())
}

impl Uri<'_> {
    /// Resolves a reference against this URI, like [`resolve`].
    ///
    /// ```
    /// let base = urigrep::Uri::parse("http://a.example/b/c")?;
    /// assert_eq!(base.join("../d")?, "http://a.example/d");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the reference is invalid; see [`UriRef::parse`].
    pub fn join(&self, reference: &str) -> Result<UriBuf, ParseError> {
        Ok(resolve(*self, UriRef::parse(reference)?))
    }
}

impl UriBuf {
    /// Resolves a reference against this URI, like [`resolve`].
    ///
    /// ```
    /// let base: urigrep::UriBuf = "http://a.example/b/c".parse()?;
    /// assert_eq!(base.join("?d")?, "http://a.example/b/c?d");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the reference is invalid; see [`UriRef::parse`].
    pub fn join(&self, reference: &str) -> Result<UriBuf, ParseError> {
        self.as_uri().join(reference)
    }
}

/// Like [`resolve`], as text.
pub(crate) fn resolved(base: Uri<'_>, reference: UriRef<'_>) -> String {
    Resolution::Rfc3986
        .uri(FiveComponents::from(UriRef::from(base)), FiveComponents::from(reference))
}
