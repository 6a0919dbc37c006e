//! An owned URI: [`UriBuf`].

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;
use core::str::FromStr;

use super::builder::UriBuilder;
use crate::error::ParseError;
use crate::grammar::{Uri, UriParts};

/// An owned [`Uri`]: it relates to `Uri` as `PathBuf` to `Path`.
///
/// It dereferences to `str`, and compares and hashes like one; [`as_uri`](Self::as_uri) has the
/// components.
///
/// ```
/// use urigrep::UriBuf;
/// let uri: UriBuf = "http://a.example/b?c".parse()?;
/// assert_eq!((uri.as_uri().host(), uri.len()), (Some("a.example"), 20));
/// assert_eq!(uri.edit().set_host("b.example")?.set_query(None)?.build()?, "http://b.example/b");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct UriBuf {
    text: String,
    parts: UriParts,
}

impl UriBuf {
    /// Parses `text` like [`Uri::parse`] and takes ownership of it.
    ///
    /// ```
    /// use urigrep::{ErrorKind, UriBuf};
    /// assert_eq!(UriBuf::parse("urn:example:a")?.as_uri().scheme(), "urn");
    /// assert_eq!(UriBuf::parse("a b").unwrap_err().kind(), ErrorKind::NoScheme);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Uri::parse`].
    pub fn parse(text: impl Into<String>) -> Result<Self, ParseError> {
        let text = text.into();
        let parts = Uri::parse(&text)?.parts();
        Ok(Self { text, parts })
    }

    /// Borrows the URI, without another parse.
    ///
    /// ```
    /// use urigrep::UriBuf;
    /// assert_eq!(UriBuf::parse("http://a.example/b")?.as_uri().path(), "/b");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn as_uri(&self) -> Uri<'_> {
        Uri::with_parts(&self.text, self.parts)
    }

    /// The URI as a string.
    ///
    /// ```
    /// assert_eq!(urigrep::UriBuf::parse("s:a")?.as_str(), "s:a");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the owned string.
    ///
    /// ```
    /// assert_eq!(urigrep::UriBuf::parse("s:a")?.into_string(), String::from("s:a"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns a builder with the components of this URI.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/b#c")?;
    /// assert_eq!(uri.edit().set_fragment(None)?.build()?, "http://a.example/b");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn edit(&self) -> UriBuilder {
        UriBuilder::from(self.as_uri())
    }
}

impl Uri<'_> {
    /// Copies the URI and its text.
    ///
    /// ```
    /// use urigrep::{Uri, UriBuf};
    /// let uri: UriBuf = Uri::parse("http://a.example/")?.to_buf();
    /// assert_eq!(uri, "http://a.example/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn to_buf(&self) -> UriBuf {
        UriBuf { text: self.as_str().to_owned(), parts: self.parts() }
    }
}

impl Deref for UriBuf {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for UriBuf {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for UriBuf {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<str> for UriBuf {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<&str> for UriBuf {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}

impl PartialEq<String> for UriBuf {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}

impl PartialEq<Cow<'_, str>> for UriBuf {
    fn eq(&self, other: &Cow<'_, str>) -> bool {
        self.text == *other
    }
}

impl PartialOrd for UriBuf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UriBuf {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for UriBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Debug for UriBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UriBuf").field(&self.text).finish()
    }
}

impl fmt::Display for UriBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl From<Uri<'_>> for UriBuf {
    fn from(uri: Uri<'_>) -> Self {
        uri.to_buf()
    }
}

impl FromStr for UriBuf {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl TryFrom<String> for UriBuf {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}
