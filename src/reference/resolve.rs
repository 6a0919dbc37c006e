//! A reference and a base give a target: RFC 3986 §5.2 and the three algorithms before it.
//!
//! Each differs from its successor, and each is kept to its letter, but for one thing: what is
//! written reads as the components that were meant. So a path that starts with `//` and has no
//! authority before it gets `/.` in front (RFC 3986 §3.3 forbids it, §5.2 makes it all the same; the
//! URL Standard, fluent-uri and iri-string write it so), and a relative path gets a `/` after an
//! authority whose path is empty (RFC 3986 §5.2.3), which S4 and S5 forget.
//!
//! S3 is draft-fielding-uri-rfc2396bis-01, S4 draft-fielding-url-syntax-05, S5 Berners-Lee's draft
//! "Uniform Resource Locators" of July 1993.

use std::fmt;

use super::dots::{Dots, PathWriter};
use crate::grammar::{Uri, UriRef};

/// By which document references are resolved.
///
/// A base is a URI, its fragment is not looked at, and `.` and `..` count only as they stand, not
/// as `%2E`. What the algorithms make of the base `http://a/b/c/d;p?q`:
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
/// use urigrep::{Resolution, Uri, UriRef};
///
/// let base = Uri::parse("http://a/b/c/d;p?q")?;
/// let reference = UriRef::parse("../../../g")?;
/// assert_eq!(Resolution::Rfc3986.resolve(base, reference).to_string(), "http://a/g");
/// assert_eq!(Resolution::Rfc2396bis01.resolve(base, reference).to_string(), "http://a/../g");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Resolution {
    /// RFC 3986 §5.2, for strict parsers: `http:g` is absolute.
    #[default]
    Rfc3986,
    /// The same for the sake of what was written before (§5.4.2): a scheme that is that of the base
    /// is not looked at, so that `http:g` is `g`.
    Rfc3986Lenient,
    /// draft-fielding-uri-rfc2396bis-01 §5.2 (S3), for validating parsers.
    Rfc2396bis01,
    /// The same for parsers that do not validate, which ignore the scheme of the base.
    Rfc2396bis01Lenient,
    /// draft-fielding-url-syntax-05 §5.2 (S4), which takes the query for a part of the path.
    UrlSyntax05,
    /// The partial form of Berners-Lee's draft of July 1993 (S5). It has rules for paths alone:
    /// the search part stays as it is, and an empty reference is the empty relative path.
    Url1993,
}

impl Resolution {
    /// All of them, the newest first.
    pub const ALL: [Self; 6] = [
        Self::Rfc3986,
        Self::Rfc3986Lenient,
        Self::Rfc2396bis01,
        Self::Rfc2396bis01Lenient,
        Self::UrlSyntax05,
        Self::Url1993,
    ];

    /// The fixed word for programs.
    ///
    /// ```
    /// assert_eq!(urigrep::Resolution::UrlSyntax05.name(), "url-syntax-05");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc3986 => "rfc3986",
            Self::Rfc3986Lenient => "rfc3986-lenient",
            Self::Rfc2396bis01 => "rfc2396bis-01",
            Self::Rfc2396bis01Lenient => "rfc2396bis-01-lenient",
            Self::UrlSyntax05 => "url-syntax-05",
            Self::Url1993 => "url-1993",
        }
    }

    /// What `reference` stands for in a document whose base is `base`.
    ///
    /// The target is a URI by RFC 3986, as long as it is no longer than 4 GiB.
    ///
    /// ```
    /// use urigrep::{Resolution, Target, Uri, UriRef};
    ///
    /// let base = Uri::parse("http://a/b/c/d;p?q")?;
    /// let target = Resolution::UrlSyntax05.resolve(base, UriRef::parse("#s")?);
    /// assert_eq!(target, Target::CurrentDocument { fragment: Some("s") });
    /// assert_eq!(target.to_string(), "(current document)#s");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn resolve<'r>(self, base: Uri<'_>, reference: UriRef<'r>) -> Target<'r> {
        let same_document = self.scheme(base, reference).is_none()
            && reference.authority().is_none()
            && reference.path().is_empty()
            && reference.query().is_none();
        if same_document && self.has_current_document() {
            return Target::CurrentDocument {
                fragment: reference.fragment(),
            };
        }
        Target::Uri(self.uri(base, reference))
    }

    /// The scheme of the reference, unless it is one to ignore.
    fn scheme<'r>(self, base: Uri<'_>, reference: UriRef<'r>) -> Option<&'r str> {
        let ignored = |scheme: &str| match self {
            Self::Rfc3986Lenient | Self::Rfc2396bis01Lenient => {
                scheme.eq_ignore_ascii_case(base.scheme())
            }
            _ => false,
        };
        reference.scheme().filter(|scheme| !ignored(scheme))
    }

    /// The target of a reference that is not to the current document.
    fn uri(self, base: Uri<'_>, reference: UriRef<'_>) -> String {
        let scheme = self.scheme(base, reference);
        let (path, mut query) = (reference.path(), reference.query());
        // The reference says by itself where it leads, but for the scheme.
        let complete = scheme.is_some() || reference.authority().is_some();

        let room = base.as_str().len() + reference.as_str().len() + "://./".len();
        let mut out = String::with_capacity(room);
        out.push_str(scheme.unwrap_or(base.scheme()));
        out.push(':');
        let authority = if complete {
            reference.authority()
        } else {
            base.authority()
        };
        if let Some(authority) = authority {
            out.push_str("//");
            out.push_str(authority);
        }

        let mut target = PathWriter::new(&mut out, self.dots());
        if complete || path.starts_with('/') {
            match self.dots() {
                Dots::Rfc3986 => target.push(path),
                Dots::Kept | Dots::Url1993 => target.verbatim(path),
            }
        } else if path.is_empty() && self.keeps_base_path() {
            target.verbatim(base.path());
            query = query.or(base.query());
        } else {
            target.push(self.directory(base));
            match (self, query.take()) {
                (Self::UrlSyntax05, Some(query)) => target.push(&format!("{path}?{query}")),
                (_, own) => {
                    target.push(path);
                    query = own;
                }
            }
        }
        target.finish(authority.is_some());

        for (mark, component) in [('?', query), ('#', reference.fragment())] {
            if let Some(component) = component {
                out.push(mark);
                out.push_str(component);
            }
        }
        out
    }

    /// The path of the base up to its last `/`, which a relative path is appended to
    /// (RFC 3986 §5.2.3).
    fn directory<'b>(self, base: Uri<'b>) -> &'b str {
        let path = base.path();
        match path.rfind('/') {
            Some(slash) => &path[..=slash],
            None if path.is_empty() && (base.authority().is_some() || self.is_rfc2396bis()) => "/",
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

    /// An empty reference leads nowhere else (S3 §4.2, S4 §5.2 step 2).
    fn has_current_document(self) -> bool {
        self.is_rfc2396bis() || self == Self::UrlSyntax05
    }

    /// A reference without a path has that of the base, last segment included.
    fn keeps_base_path(self) -> bool {
        self.is_rfc2396bis() || self.dots() == Dots::Rfc3986
    }
}

impl fmt::Display for Resolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a reference stands for.
///
/// `Display` prints it as the tables of S3 and S4 do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target<'r> {
    /// The URI it was resolved to.
    Uri(String),
    /// The document that the reference stands in (S3 §4.2, S4 §5.2 step 2); not in RFC 3986.
    CurrentDocument {
        /// The fragment of the reference, which it borrows from.
        fragment: Option<&'r str>,
    },
}

impl Target<'_> {
    /// The URI; `None` for the current document.
    ///
    /// ```
    /// use urigrep::Target;
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
            Self::CurrentDocument {
                fragment: Some(fragment),
            } => write!(f, "(current document)#{fragment}"),
        }
    }
}

/// What `reference` stands for in a document whose base is `base`, by RFC 3986 §5.2 (strict).
///
/// The fragment of the base is not looked at. The target is a URI, as long as it is no longer than
/// 4 GiB. The other algorithms are methods of [`Resolution`].
///
/// ```
/// use urigrep::{Uri, UriRef, resolve};
///
/// let base = Uri::parse("http://a/b/c/d;p?q")?;
/// assert_eq!(resolve(base, UriRef::parse("../g?y#s")?), "http://a/b/g?y#s");
/// // Not `x://c`, in which `c` would be a host (RFC 3986 §3.3).
/// assert_eq!(resolve(Uri::parse("x:/a")?, UriRef::parse(".//c")?), "x:/.//c");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
pub fn resolve(base: Uri<'_>, reference: UriRef<'_>) -> String {
    Resolution::Rfc3986.uri(base, reference)
}
