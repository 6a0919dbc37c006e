//! Answers about URLs: [`Answers`].

use std::fmt;
use std::sync::Arc;

use super::evidence::{Evidence, Fault};
use crate::Uri;
use crate::reference::Normalizer;

/// Resolves URLs, usually over the network.
///
/// An audit reads documents in several threads and announces their links at once. It requests the
/// answers of a document after all earlier documents were judged. So an implementation can query
/// many servers in parallel, and each URL once.
pub trait Answers: Send + Sync {
    /// Announces a document with these links. Called once per document, in any order; it must not
    /// block.
    fn expect(&self, links: &[UrlLink]) {
        let _ = links;
    }

    /// Returns one answer per link, in the same order. It may block.
    fn urls(&self, links: &[UrlLink]) -> Vec<Answer>;

    /// True if it also answers about the domains of `mailto:` links.
    fn takes_mail(&self) -> bool {
        false
    }

    /// Returns the URL that is requested instead of that of the link, if it is another one. Then
    /// even a host that is reserved for examples gets a request.
    fn remapped(&self, link: &UrlLink) -> Option<String> {
        let _ = link;
        None
    }
}

// So that the program that waits can also keep a handle, for its progress and its end.
impl<A: Answers + ?Sized> Answers for Arc<A> {
    fn expect(&self, links: &[UrlLink]) {
        (**self).expect(links);
    }

    fn urls(&self, links: &[UrlLink]) -> Vec<Answer> {
        (**self).urls(links)
    }

    fn takes_mail(&self) -> bool {
        (**self).takes_mail()
    }

    fn remapped(&self, link: &UrlLink) -> Option<String> {
        (**self).remapped(link)
    }
}

/// A normalized URL without its fragment: links with the same key share an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlKey(String);

impl UrlKey {
    /// Returns the key of a URI.
    ///
    /// ```
    /// use urigrep::{Uri, audit::UrlKey};
    /// let key = UrlKey::new(&Uri::parse("HTTP://A.example/%7eb#c").unwrap());
    /// assert_eq!(key.as_str(), "http://a.example/~b");
    /// ```
    pub fn new(uri: &Uri<'_>) -> Self {
        // Servers never see a fragment, so links that differ in it only share a request.
        let mut normal = Normalizer::new().normalize(*uri).to_string();
        if let Some(hash) = normal.find('#') {
            normal.truncate(hash);
        }
        Self(normal)
    }

    /// Returns the URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A link to a URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlLink {
    /// The URL.
    pub key: UrlKey,
    /// The fragment that the page should define, percent-decoded.
    pub fragment: Option<String>,
}

/// Start of the URL that stands for all mail addresses of a domain: each has this one (RFC 5321
/// section 4.5.1).
pub(super) const POSTMASTER: &str = "mailto:postmaster@";

impl UrlLink {
    /// Returns the link to the domain of a `mailto:` URI (RFC 6068), if that has an address.
    pub(in crate::audit) fn mail(uri: &Uri<'_>) -> Option<Self> {
        let first = uri.path().split(',').next().unwrap_or_default();
        let (_, domain) = first.rsplit_once('@')?;
        // An address literal is not a domain.
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        let is_domain = domain.contains('.') && domain.bytes().all(is_name);
        let key = UrlKey(format!("{POSTMASTER}{}", domain.to_ascii_lowercase()));
        is_domain.then_some(Self { key, fragment: None })
    }

    /// Returns the link that a URI makes.
    ///
    /// ```
    /// use urigrep::{Uri, audit::UrlLink};
    /// let link = UrlLink::new(&Uri::parse("https://a.example/b#caf%C3%A9").unwrap());
    /// assert_eq!(link.fragment.as_deref(), Some("café"));
    /// ```
    pub fn new(uri: &Uri<'_>) -> Self {
        let decode = |fragment: &str| {
            String::from_utf8_lossy(&crate::percent::decode(fragment)).into_owned()
        };
        Self { key: UrlKey::new(uri), fragment: uri.fragment().and_then(named).map(decode) }
    }
}

/// Returns the part of a fragment that names an element, or `None` if a script or a browser
/// interprets the fragment.
fn named(fragment: &str) -> Option<&str> {
    // The rest is a text to find (URL Fragment Text Directives, section 3).
    let name = fragment.split(":~:").next().unwrap_or_default();
    // `#` and `#top` are the top of any page (HTML Standard, section 7.4.6.4). `#!…` and `#/…` are
    // addresses inside an application. `#L10` and `#L10-L20` are lines, which forges number by
    // script. `a=b` are parameters, such as `page=3` of a PDF.
    let is_of_script = name.starts_with(['!', '/', '?']) || name.contains(['=', '&']);
    let is_lines = name.strip_prefix('L').is_some_and(|lines| {
        lines.starts_with(|c: char| c.is_ascii_digit())
            && lines.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | 'L' | 'C' | ','))
    });
    (!name.is_empty() && !name.eq_ignore_ascii_case("top") && !is_of_script && !is_lines)
        .then_some(name)
}

/// An answer about a link, with its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The judgment.
    pub verdict: Verdict,
    /// The record of the lookup.
    pub evidence: Option<Arc<Evidence>>,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, evidence: None }
    }
}

impl Answer {
    /// Adds the record of the lookup.
    #[must_use]
    pub fn with_evidence(self, evidence: Arc<Evidence>) -> Self {
        Self { evidence: Some(evidence), ..self }
    }
}

/// The judgment of a link to a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The resource exists.
    Alive,
    /// The resource has permanently moved to this URL.
    Moved(String),
    /// The resource is also at this `https` URL, which the audit requires.
    Insecure(String),
    /// The server redirects to this page, which is not the linked one.
    Elsewhere(Landing, String),
    /// The page has no element of the name in the fragment. It may have one with a similar name.
    NoAnchor(Option<String>),
    /// The resource does not exist.
    Dead(Death),
    /// Nothing can be said.
    Unknown(Why),
}

/// The kind of page that a server redirects to instead of the linked one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Landing {
    /// The front page of a site.
    FrontPage,
    /// A page that asks for a name and password.
    Login,
}

impl fmt::Display for Landing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FrontPage => "a front page",
            Self::Login => "a login page",
        })
    }
}

/// Proof that a URL leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Death {
    /// The server answers with this status (RFC 9110 section 15).
    Status(u16),
    /// The host does not exist (RFC 1035).
    NoHost,
    /// The domain takes no mail (RFC 7505).
    NoMail,
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => Evidence::status("", *status).fmt(f),
            Self::NoHost => Fault::NoHost.fmt(f),
            Self::NoMail => Fault::NoMail.fmt(f),
        }
    }
}

/// Reason why nothing can be said about a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The audit does not ask the network, and no earlier answer is known.
    Offline,
    /// The server answers with this status, which says nothing about the resource.
    Status(u16),
    /// The server asks to prove that a person sent the request.
    Challenge,
    /// There was no answer.
    Fault(Fault),
    /// The host asked for a long pause, or for many.
    HostPaused,
    /// The page is too large or not HTML, so its names are not known.
    Anchors,
    /// The time of the audit was over.
    Budget,
    /// The audit was interrupted.
    Interrupted,
    /// It was seen dead for the first time less than a day ago.
    Quarantined,
}

impl Why {
    /// Returns a short word for counts, such as `403` or `timeout`.
    pub fn word(self) -> std::borrow::Cow<'static, str> {
        match self {
            Self::Offline => "offline".into(),
            Self::Status(status) => status.to_string().into(),
            Self::Challenge => "challenge".into(),
            Self::Fault(fault) => fault.name().into(),
            Self::HostPaused => "host paused".into(),
            Self::Anchors => "anchors".into(),
            Self::Budget => "out of time".into(),
            Self::Interrupted => "interrupted".into(),
            Self::Quarantined => "quarantined".into(),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Offline => "the audit is offline",
            Self::Status(status) => return Evidence::status("", *status).fmt(f),
            Self::Challenge => "the server only answers browsers",
            Self::Fault(fault) => return fault.fmt(f),
            Self::HostPaused => "its host asks for fewer requests",
            Self::Anchors => "the names on the page could not be read",
            Self::Budget => "the audit ran out of time",
            Self::Interrupted => "the audit was interrupted",
            Self::Quarantined => "it was first seen dead less than a day ago",
        })
    }
}
