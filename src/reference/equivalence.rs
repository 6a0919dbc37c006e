//! Compares URIs by the ladder of RFC 3986 §6.2 and by RFC 8141 §3.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::normalize::{NormalForm, Normalizer};
use super::spell::{LetterCase, SpellingRules, Triplets, parting};
use crate::grammar::{Uri, Urn};
use crate::identifier::identity;
use crate::named::named_enum;

named_enum! {
    "urigrep::reference::Rung", "rungs";
    /// The rung of the ladder on which two URIs are the same (RFC 3986 §6.2).
    ///
    /// ```
    /// use urigrep::reference::Rung;
    /// assert!(Rung::String < Rung::Syntax);
    /// assert_eq!(Rung::Urn.name(), "urn");
    /// ```
    #[derive(PartialOrd, Ord)]
    pub enum Rung {
        /// They are the same string (§6.2.1).
        String = "string",
        /// They differ only in spelling (§6.2.2).
        Syntax = "syntax",
        /// They are the same under the rules of their scheme (§6.2.3).
        Scheme = "scheme",
        /// They are URN-equivalent (RFC 8141 §3.1), which ignores r-, q- and f-component.
        Urn = "urn",
        /// They have the same [`Identifier`](crate::Identifier) by the rules of its namespace: an
        /// ISBN of ten and of thirteen digits, or a DOI and its URL at a resolver.
        Namespace = "namespace",
    }
}

named_enum! {
    "urigrep::reference::Component", "components";
    /// A component of a URI (RFC 3986 §3) or URN (RFC 8141 §2).
    pub enum Component {
        /// RFC 3986 §3.1.
        Scheme = "scheme",
        /// RFC 3986 §3.2.1.
        Userinfo = "userinfo",
        /// RFC 3986 §3.2.2. Absent without an authority, which differs from an empty host.
        Host = "host",
        /// RFC 3986 §3.2.3.
        Port = "port",
        /// RFC 3986 §3.3.
        Path = "path",
        /// RFC 3986 §3.4.
        Query = "query",
        /// RFC 3986 §3.5.
        Fragment = "fragment",
        /// RFC 8141 §2.1.
        Nid = "nid",
        /// RFC 8141 §2.2.
        Nss = "nss",
    }
}

/// The first difference between two URIs that are not equivalent, as found by [`compare`].
///
/// ```
/// use urigrep::reference::compare;
/// use urigrep::Uri;
/// let difference = compare(Uri::parse("s:a")?, Uri::parse("s:ab")?).unwrap_err();
/// assert_eq!(difference.to_string(), "they differ in the path, at byte 3 and byte 3");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    component: Component,
    a: usize,
    b: usize,
}

impl Difference {
    /// The first component whose normal spellings differ.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::reference::{Component, compare};
    /// let difference = compare(Uri::parse("s://a/b")?, Uri::parse("s://a/c")?).unwrap_err();
    /// assert_eq!(difference.component(), Component::Path);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn component(self) -> Component {
        self.component
    }

    /// Byte offset in the first URI at which that component differs from the other, ignoring case
    /// and encoding. For an absent component, the offset at which it would be.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::reference::compare;
    /// let difference = compare(Uri::parse("s:%61b")?, Uri::parse("s:ac")?).unwrap_err();
    /// assert_eq!((difference.a(), difference.b()), (5, 3));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn a(self) -> usize {
        self.a
    }

    /// The byte offset in the second URI.
    ///
    /// ```
    /// use urigrep::Uri;
    /// use urigrep::reference::compare;
    /// assert_eq!(compare(Uri::parse("s:a")?, Uri::parse("s:b")?).unwrap_err().b(), 2);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn b(self) -> usize {
        self.b
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { component, a, b } = self;
        write!(f, "they differ in the {component}, at byte {a} and byte {b}")
    }
}

/// Returns the first rung on which `a` and `b` are the same, or `None`.
///
/// False negatives remain, as RFC 3986 §6.1 requires; false positives do not. The fragment counts,
/// unless both are URNs. Triplets in a URN are not decoded, so `urn:example:%61` is not
/// `urn:example:a` (RFC 8141 §3.1).
///
/// ```
/// use urigrep::reference::{Rung, equivalent};
/// use urigrep::Uri;
/// let uri = |text| Uri::parse(text).unwrap();
/// let here = uri("http://a.example/~b");
/// assert_eq!(equivalent(here, uri("http://a.example/~b")), Some(Rung::String));
/// assert_eq!(equivalent(here, uri("HTTP://a.example/./%7eb")), Some(Rung::Syntax));
/// assert_eq!(equivalent(here, uri("http://a.example:80/~b")), Some(Rung::Scheme));
/// assert_eq!(equivalent(here, uri("http://a.example/~B")), None);
/// let name = uri("urn:example:a");
/// assert_eq!(equivalent(name, uri("urn:Example:a?=query#b")), Some(Rung::Urn));
/// let doi = uri("doi:10.1000/182");
/// assert_eq!(equivalent(doi, uri("https://doi.org/10.1000/182")), Some(Rung::Namespace));
/// ```
pub fn equivalent(a: Uri<'_>, b: Uri<'_>) -> Option<Rung> {
    if a.as_str() == b.as_str() {
        return Some(Rung::String);
    }
    // The rungs are tried from the lowest. Each costs two normal forms, so equal strings are tested
    // before.
    let same = |form: NormalForm| {
        let normalizer = Normalizer::new().form(form);
        normalizer.normalize(a) == normalizer.normalize(b)
    };
    if same(NormalForm::Syntax) {
        return Some(Rung::Syntax);
    }
    // URN-equivalence ignores the components after the NSS, so it applies only if both are URNs.
    match (urn(a), urn(b)) {
        (Some(urn_a), Some(urn_b)) if assigned_name(urn_a) == assigned_name(urn_b) => {
            Some(Rung::Urn)
        }
        (Some(_), Some(_)) => (a.identifier()? == b.identifier()?).then_some(Rung::Namespace),
        _ if same(NormalForm::Scheme) => Some(Rung::Scheme),
        _ => {
            let identifies_one = a.identifier()? == b.identifier()? && {
                let normalizer = Normalizer::new();
                identity(a, &normalizer) == identity(b, &normalizer)
            };
            identifies_one.then_some(Rung::Namespace)
        }
    }
}

/// Like [`equivalent`], but returns where two URIs differ if they are not equivalent.
///
/// # Errors
///
/// Returns a [`Difference`] if `a` and `b` are not equivalent.
///
/// ```
/// use urigrep::reference::{Component, compare};
/// use urigrep::Uri;
/// let (a, b) = (Uri::parse("http://A/%7Eb?c")?, Uri::parse("http://a/~x?c")?);
/// let difference = compare(a, b).unwrap_err();
/// assert_eq!(difference.component(), Component::Path);
/// assert_eq!((difference.a(), difference.b()), (12, 10));
/// # Ok::<(), urigrep::ParseError>(())
/// ```
pub fn compare(a: Uri<'_>, b: Uri<'_>) -> Result<Rung, Difference> {
    equivalent(a, b).ok_or_else(|| difference(a, b))
}

fn urn(uri: Uri<'_>) -> Option<Urn<'_>> {
    urn_of(uri.as_str())
}

fn urn_of(text: &str) -> Option<Urn<'_>> {
    Urn::parse(text).ok()
}

/// Returns the assigned-name in its normal spelling, which URN-equivalence compares (RFC 8141
/// §3.1).
fn assigned_name(urn: Urn<'_>) -> Option<String> {
    let normal = Normalizer::new().normalize(urn.to_uri());
    urn_of(&normal).map(|urn| urn.assigned_name().to_owned())
}

/// The range of a component in a URI (for an absent one, its position) and its normal spelling.
struct ComparedUri<'n> {
    component: Component,
    range: Range<usize>,
    normal: Option<&'n str>,
}

/// Returns the relevant components, in order, of a URI and its normal form.
fn generic<'n>(uri: Uri<'_>, normal: Uri<'n>) -> Vec<ComparedUri<'n>> {
    let parts = uri.parts();
    let empty = |at: usize| at..at;
    let scheme = parts.scheme().unwrap_or(0..0);
    let path = parts.path();
    let authority = parts.authority().unwrap_or(empty(scheme.end + 1));
    let host = parts.host().unwrap_or(authority.clone());
    let query = parts.query().unwrap_or(empty(path.end));
    let fragment = parts.fragment(uri.as_str().len()).unwrap_or(empty(query.end));
    let sides = [
        (Component::Scheme, scheme, Some(normal.scheme())),
        (
            Component::Userinfo,
            parts.userinfo().unwrap_or(empty(authority.start)),
            normal.userinfo(),
        ),
        (Component::Host, host.clone(), normal.host()),
        (Component::Port, parts.port().unwrap_or(empty(host.end)), normal.port()),
        (Component::Path, path, Some(normal.path())),
        (Component::Query, query, normal.query()),
        (Component::Fragment, fragment, normal.fragment()),
    ];
    sides.into_iter().map(ComparedUri::from).collect()
}

/// Returns the relevant components of a URN and its normal form.
fn named<'n>(urn: Urn<'_>, normal: Urn<'n>) -> Vec<ComparedUri<'n>> {
    let end = urn.assigned_name().len();
    let nss = end - urn.nss().len();
    let nid = nss - 1 - urn.nid().len();
    let sides = [
        (Component::Nid, nid..nss - 1, Some(normal.nid())),
        (Component::Nss, nss..end, Some(normal.nss())),
    ];
    sides.into_iter().map(ComparedUri::from).collect()
}

impl<'n> From<(Component, Range<usize>, Option<&'n str>)> for ComparedUri<'n> {
    fn from((component, range, normal): (Component, Range<usize>, Option<&'n str>)) -> Self {
        Self { component, range, normal }
    }
}

/// Finds the first difference of two URIs that are not equivalent.
fn difference(a: Uri<'_>, b: Uri<'_>) -> Difference {
    let normalizer = Normalizer::new();
    let (normal_a, normal_b) = (normalizer.normalize(a), normalizer.normalize(b));
    let (sides_a, sides_b) = match (urn(a), urn(b), urn_of(&normal_a), urn_of(&normal_b)) {
        (Some(a), Some(b), Some(normal_a), Some(normal_b)) => {
            (named(a, normal_a), named(b, normal_b))
        }
        _ => {
            // A normal form is always a URI, so the fallback is unreachable.
            let normal = |text, uri| Uri::parse(text).unwrap_or(uri);
            (generic(a, normal(&normal_a, a)), generic(b, normal(&normal_b, b)))
        }
    };
    let mut pairs = sides_a.into_iter().zip(sides_b);
    let differing = pairs.find(|(a, b)| a.normal != b.normal);
    let Some((side_a, side_b)) = differing else {
        // Unreachable: if all components are the same, so are the URIs.
        return Difference { component: Component::Scheme, a: 0, b: 0 };
    };
    let component = side_a.component;
    let (at_a, at_b) = parting(
        &a.as_str()[side_a.range.clone()],
        &b.as_str()[side_b.range.clone()],
        spelling(component),
    );
    Difference { component, a: side_a.range.start + at_a, b: side_b.range.start + at_b }
}

/// Returns the differences in spelling that do not count in a component.
fn spelling(component: Component) -> SpellingRules {
    match component {
        Component::Scheme | Component::Host | Component::Nid => {
            SpellingRules::new(Triplets::Decoded, LetterCase::Lower)
        }
        Component::Nss => SpellingRules::new(Triplets::Kept, LetterCase::Kept),
        _ => SpellingRules::new(Triplets::Decoded, LetterCase::Kept),
    }
}
