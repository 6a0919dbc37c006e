//! The work or object that a URI identifies: [`Identifier`].

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::kind::IdentifierKind;
use super::{names, numbers, resolvers};
use crate::grammar::Uri;
use crate::percent::{PercentSet, encode};
use crate::reference::Normalizer;

/// An identifier, spelled in one way.
///
/// Two URIs that identify the same thing by the rules of their namespace have equal identifiers:
/// letter case, hyphens, the length of an ISBN, percent-encoding, and the resolver don't matter.
/// The text is checked as far as the namespace allows, including check digits.
///
/// ```
/// use urigrep::Identifier;
/// use urigrep::Uri;
/// let of = |text| Identifier::from_uri(Uri::parse(text).unwrap());
/// let doi = of("https://dx.doi.org/10.1000%2FABC").unwrap();
/// assert_eq!((doi.kind().name(), doi.value()), ("doi", "10.1000/abc"));
/// assert_eq!(doi.canonical(), "doi:10.1000/abc");
/// assert_eq!(Some(doi), of("DOI:10.1000/aBc"));
/// assert_eq!(of("https://doi.org/help.html"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier {
    kind: IdentifierKind,
    value: String,
    canonical: String,
}

impl Identifier {
    /// Returns the thing that `uri` identifies, or `None` if it is only an address.
    ///
    /// Query and fragment are not part of an identifier, unless a resolver expects it in its query;
    /// [`identity`] keeps them.
    ///
    /// ```
    /// use urigrep::Identifier;
    /// use urigrep::Uri;
    /// let arxiv = Identifier::from_uri(Uri::parse("https://arxiv.org/pdf/2101.00001v2.pdf")?).unwrap();
    /// assert_eq!(arxiv.canonical(), "arxiv:2101.00001v2");
    /// assert_eq!(Identifier::from_uri(Uri::parse("https://a.example/10.1000/182")?), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn from_uri(uri: Uri<'_>) -> Option<Self> {
        if !may_identify(uri) {
            return None;
        }
        let normal = Normalizer::new().normalize(uri);
        Some(identify(Uri::parse(&normal).ok()?)?.identifier)
    }

    /// The namespace that it belongs to.
    ///
    /// ```
    /// use urigrep::identifier::{Identifier, IdentifierKind};
    /// use urigrep::Uri;
    /// let identifier = Identifier::from_uri(Uri::parse("pmid:12345678")?).unwrap();
    /// assert_eq!(identifier.kind(), IdentifierKind::Pmid);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn kind(&self) -> IdentifierKind {
        self.kind
    }

    /// The identifier in its normal spelling, decoded, and without a scheme or label.
    ///
    /// ```
    /// use urigrep::Identifier;
    /// use urigrep::Uri;
    /// let identifier = Identifier::from_uri(Uri::parse("doi:10.1000/456%23789")?).unwrap();
    /// assert_eq!(identifier.value(), "10.1000/456#789");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The URI that stands for all spellings. It is valid under RFC 3986, and its own identifier.
    ///
    /// Where a namespace has no scheme of its own, it is the URL that the namespace recommends.
    ///
    /// ```
    /// use urigrep::Identifier;
    /// use urigrep::Uri;
    /// let uri = Uri::parse("https://gallica.bnf.fr/ark:/12148/btv1b-8449691v?info")?;
    /// assert_eq!(Identifier::from_uri(uri).unwrap().canonical(), "ark:12148/btv1b8449691v");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Creates an identifier whose canonical form is `prefix`, the encoded value, and `suffix`.
    pub(super) fn new(kind: IdentifierKind, value: String) -> Self {
        let [prefix, suffix] = match kind {
            IdentifierKind::Doi => ["doi:", ""],
            IdentifierKind::Isbn => ["urn:isbn:", ""],
            IdentifierKind::Issn => ["urn:issn:", ""],
            IdentifierKind::Ark => ["ark:", ""],
            IdentifierKind::Nbn => ["urn:nbn:", ""],
            IdentifierKind::Handle => ["hdl:", ""],
            // ORCID has no scheme; its documentation requires the URL as the full form.
            IdentifierKind::Orcid => ["https://orcid.org/", ""],
            IdentifierKind::Arxiv => ["arxiv:", ""],
            IdentifierKind::Pmid => ["pmid:", ""],
            IdentifierKind::Pmcid => ["https://pmc.ncbi.nlm.nih.gov/articles/", "/"],
            IdentifierKind::Swhid => ["swh:", ""],
            IdentifierKind::Urn => ["urn:", ""],
        };
        // Names of ARKs, URNs, and SWHIDs are kept as URIs spell them, so their triplets stay.
        let is_decoded = matches!(kind, IdentifierKind::Doi | IdentifierKind::Handle);
        let name = if is_decoded {
            encode(&value, PercentSet::Path)
        } else {
            Cow::Borrowed(value.as_str())
        };
        let canonical = [prefix, &name, suffix].concat();
        Self { kind, value, canonical }
    }

    /// Replaces the canonical form, for output that must not be clickable.
    #[cfg(feature = "search")]
    pub(crate) fn defanged(self) -> Self {
        let canonical = crate::defang(&self.canonical).into_owned();
        Self { canonical, ..self }
    }
}

impl fmt::Display for Identifier {
    /// Writes the canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical)
    }
}

/// Returns the text that is the same for all URIs that name the same: the canonical form of an
/// identifier with the query and fragment that do not belong to it, or else the normal form.
///
/// ```
/// use urigrep::identifier::identity;
/// use urigrep::reference::Normalizer;
/// use urigrep::Uri;
/// let key = |text| identity(Uri::parse(text).unwrap(), &Normalizer::new()).into_owned();
/// assert_eq!(key("https://doi.org/10.1000/ABC#s2"), "doi:10.1000/abc#s2");
/// assert_eq!(key("HTTP://A.example"), "http://a.example/");
/// ```
pub fn identity<'u>(uri: Uri<'u>, normalizer: &Normalizer) -> Cow<'u, str> {
    let normal = normalizer.normalize(uri);
    match may_identify(uri).then(|| key(&normal)).flatten() {
        Some(key) => Cow::Owned(key),
        None => normal,
    }
}

/// Like [`identity`], of a URI that is in its normal form.
#[cfg(feature = "search")]
pub(crate) fn shared_key(normal: &str) -> Cow<'_, str> {
    key(normal).map_or(Cow::Borrowed(normal), Cow::Owned)
}

fn key(normal: &str) -> Option<String> {
    let uri = Uri::parse(normal).ok()?;
    let Identified { identifier, query } = identify(uri)?;
    let mut key = identifier.canonical;
    if query == QueryRole::Apart
        && let Some(query) = uri.query()
    {
        key.extend(["?", query]);
    }
    if let Some(fragment) = uri.fragment() {
        key.extend(["#", fragment]);
    }
    Some(key)
}

/// The relation of the query of a URI to its identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueryRole {
    /// The resolver reads the identifier from it, or it asks for a description of the identified.
    OfIdentifier,
    Apart,
}

/// An identifier and the role of the query beside it.
pub(super) struct Identified {
    pub identifier: Identifier,
    pub query: QueryRole,
}

/// A cheap test that rules out nearly all addresses of the web.
pub(crate) fn may_identify(uri: Uri<'_>) -> bool {
    match uri.host() {
        Some(host) => resolvers::may_resolve(host, uri.path()),
        None => true,
    }
}

/// Returns the identifier in a URI in its normal form.
fn identify(uri: Uri<'_>) -> Option<Identified> {
    let apart = |identifier| Identified { identifier, query: QueryRole::Apart };
    if uri.authority().is_none() {
        return match uri.scheme() {
            "urn" => names::urn(uri.as_str()).map(apart),
            // RFC 4452 §3: a namespace, `/`, and the identifier.
            "info" => {
                let (label, name) = uri.path().split_once('/')?;
                labelled(label, name).map(apart)
            }
            "ark" => {
                let identifier = names::ark(uri.path())?;
                Some(Identified { identifier, query: names::ark_query(uri.query()) })
            }
            scheme => labelled(scheme, uri.path()).map(apart),
        };
    }
    let is_web = matches!(uri.scheme(), "http" | "https");
    // A port or a user is a sign of another service on the same machine.
    let is_plain = uri.port().is_none() && uri.userinfo().is_none();
    if is_web && is_plain { resolvers::identify(uri) } else { None }
}

/// Returns the identifier after a label: a scheme, a namespace of `info`, or a prefix of a
/// resolver of all kinds. `text` is encoded as in a URI.
pub(super) fn labelled(label: &str, text: &str) -> Option<Identifier> {
    // Longer labels are not in the list, and would be copied for nothing.
    if label.len() > "handle".len() {
        return None;
    }
    match label.to_ascii_lowercase().as_str() {
        "doi" => names::doi(text),
        "hdl" | "handle" => names::handle(text),
        "ark" => names::ark(text),
        "arxiv" => names::arxiv(text),
        "swh" => names::swhid(text),
        "isbn" => numbers::isbn(text),
        "issn" => numbers::issn(text),
        "orcid" => numbers::orcid(text),
        "pmid" | "pubmed" => numbers::pmid(text),
        "pmc" | "pmcid" => numbers::pmcid(text),
        _ => None,
    }
}
