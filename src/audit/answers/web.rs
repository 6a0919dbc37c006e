//! What URLs lead to: [`Answers`].

use std::fmt;

use crate::{Uri, normalize};

/// Finds out what URLs lead to.
///
/// An audit reads documents in several threads and says at once which URLs they have; it asks for the answers of a
/// document when all documents before it were judged. So an implementation can ask many servers at the same time, and
/// each of them once.
pub trait Answers: Send + Sync {
    /// Says that there is a document with these URLs. It is called once for each document, in any order, and must not
    /// wait.
    fn expect(&self, urls: &[UrlKey]) {
        let _ = urls;
    }

    /// Returns an answer for each URL, in the same order; it may wait.
    fn urls(&self, urls: &[UrlKey]) -> Vec<Answer>;
}

/// A URL without its fragment, in its normal form: links with the same key lead to the same answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlKey(String);

impl UrlKey {
    /// The key of a URI.
    ///
    /// ```
    /// use urigrep::{Uri, audit::UrlKey};
    /// let key = UrlKey::new(&Uri::parse("HTTP://A.example/%7eb#c").unwrap());
    /// assert_eq!(key.as_str(), "http://a.example/~b");
    /// ```
    pub fn new(uri: &Uri<'_>) -> Self {
        let mut normal = normalize(*uri).to_string();
        if let Some(hash) = normal.find('#') {
            normal.truncate(hash);
        }
        Self(normal)
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a URL leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Something is there.
    There,
    /// It is at another URL for good.
    Moved(String),
    /// Nothing is there.
    Missing(Evidence),
    /// Not known.
    Unknown(Why),
}

/// What proves that nothing is at a URL.
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

/// Why it is not known what a URL leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The audit does not ask the network.
    Offline,
    /// The server did not answer in time.
    Timeout,
    /// The server refuses to answer programs, or more requests.
    Refused,
    /// The host is a private one, which is not asked.
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
