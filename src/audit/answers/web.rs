//! Answers about URLs: [`Answers`].

use std::fmt;

use crate::{Uri, normalize};

/// Resolves URLs, usually over the network.
///
/// An audit reads documents in several threads and announces their URLs at once. It requests the
/// answers of a document after all earlier documents were judged. So an implementation can query
/// many servers in parallel, and each URL once.
pub trait Answers: Send + Sync {
    /// Announces a document with these URLs. Called once per document, in any order; it must not
    /// block.
    fn expect(&self, urls: &[UrlKey]) {
        let _ = urls;
    }

    /// Returns one answer per URL, in the same order. It may block.
    fn urls(&self, urls: &[UrlKey]) -> Vec<Answer>;
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
        let mut normal = normalize(*uri).to_string();
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

/// Status of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The resource exists.
    There,
    /// The resource has permanently moved to this URL.
    Moved(String),
    /// The resource does not exist.
    Missing(Evidence),
    /// The status is unknown.
    Unknown(Why),
}

/// Proof that a URL leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The server answers with this status (RFC 9110 section 15).
    Status(u16),
    /// The host has no address (RFC 1035).
    NoHost,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write!(f, "the server answers {status}"),
            Self::NoHost => f.write_str("the host does not exist"),
        }
    }
}

/// Reason why the status of a URL is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The audit does not ask the network.
    Offline,
    /// The server did not answer in time.
    Timeout,
    /// The server refuses to answer programs, or more requests.
    Refused,
    /// The host is private and was not contacted.
    Private,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Offline => "the audit does not ask the network",
            Self::Timeout => "the server did not answer in time",
            Self::Refused => "the server refuses to answer",
            Self::Private => "the host is private, so it is not asked",
        })
    }
}
