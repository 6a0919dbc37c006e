//! Builds a URI component by component: [`UriBuilder`].

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::glob;
use super::query::{QueryPair, QueryPairs};
use super::uri_buf::UriBuf;
use crate::error::{ErrorKind, ParseError};
use crate::grammar::{CharRule, Uri, check_host, check_scheme, table};
use crate::percent::{PercentSet, encode};

/// Builds a URI, or edits one ([`UriBuf::edit`]).
///
/// Each setter checks its component by its rule in RFC 3986; `None` removes the component. The
/// caller percent-encodes it where needed ([`encode`] does that). Offsets of errors refer to the
/// value. The names and values of query pairs may be any text: the builder encodes them.
///
/// ```
/// use urigrep::edit::UriBuilder;
/// let uri = UriBuilder::new("https")?
///     .set_host("a.example")?
///     .set_port("8080")?
///     .set_path("/search")?
///     .append_pair("q", "cats & dogs")
///     .build()?;
/// assert_eq!(uri, "https://a.example:8080/search?q=cats%20%26%20dogs");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UriBuilder {
    scheme: String,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<String>,
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

impl UriBuilder {
    /// Creates a URI with a scheme and nothing else.
    ///
    /// ```
    /// use urigrep::edit::UriBuilder;
    /// assert_eq!(UriBuilder::new("tel")?.set_path("+1-816-555-1212")?.build()?, "tel:+1-816-555-1212");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`set_scheme`](Self::set_scheme).
    pub fn new(scheme: &str) -> Result<Self, ParseError> {
        check_scheme(scheme)?;
        Ok(Self {
            scheme: scheme.to_owned(),
            userinfo: None,
            host: None,
            port: None,
            path: String::new(),
            query: None,
            fragment: None,
        })
    }

    /// Sets the scheme, without its `:` (RFC 3986 §3.1).
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/")?;
    /// assert_eq!(uri.edit().set_scheme("https")?.build()?, "https://a.example/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoScheme`] if it is empty, [`ErrorKind::SchemeCharacter`] at a character that
    /// it must not contain.
    pub fn set_scheme(&mut self, scheme: &str) -> Result<&mut Self, ParseError> {
        check_scheme(scheme)?;
        self.scheme = scheme.to_owned();
        Ok(self)
    }

    /// Sets the userinfo, without its `@` (RFC 3986 §3.2.1); it needs a host.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("ftp://joe:pw@a.example/")?;
    /// assert_eq!(uri.edit().set_userinfo("jo")?.build()?, "ftp://jo@a.example/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UserinfoCharacter`] or [`ErrorKind::PercentTriplet`].
    pub fn set_userinfo<'v>(
        &mut self,
        userinfo: impl Into<Option<&'v str>>,
    ) -> Result<&mut Self, ParseError> {
        self.userinfo = checked(userinfo.into(), |text| CharRule::Userinfo.check(text))?;
        Ok(self)
    }

    /// Sets the host: a name, an IPv4 address, or an IP literal with its brackets (RFC 3986
    /// §3.2.2). Without a host there is no `//`.
    ///
    /// ```
    /// use urigrep::UriBuf;
    /// let uri = UriBuf::parse("file:/etc/hosts")?;
    /// assert_eq!(uri.edit().set_host("")?.build()?, "file:///etc/hosts");
    /// assert_eq!(uri.edit().set_host("[::1]")?.build()?, "file://[::1]/etc/hosts");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::HostCharacter`], [`ErrorKind::IpLiteral`], [`ErrorKind::UnclosedIpLiteral`] or
    /// [`ErrorKind::PercentTriplet`].
    pub fn set_host<'v>(
        &mut self,
        host: impl Into<Option<&'v str>>,
    ) -> Result<&mut Self, ParseError> {
        self.host = checked(host.into(), check_host)?;
        Ok(self)
    }

    /// Sets the port, which is digits or empty, without its `:` (RFC 3986 §3.2.3); it needs a host.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example:80/")?;
    /// assert_eq!(uri.edit().set_port(None)?.build()?, "http://a.example/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PortCharacter`] at the first character that is not a digit.
    pub fn set_port<'v>(
        &mut self,
        port: impl Into<Option<&'v str>>,
    ) -> Result<&mut Self, ParseError> {
        self.port = checked(port.into(), |text| match table::DIGIT.skip(text.as_bytes(), 0) {
            end if end == text.len() => Ok(()),
            end => Err(ParseError::new(end, ErrorKind::PortCharacter)),
        })?;
        Ok(self)
    }

    /// Sets the path, which may be empty (RFC 3986 §3.3).
    ///
    /// ```
    /// use urigrep::ErrorKind;
    /// let uri = urigrep::UriBuf::parse("http://a.example/b")?;
    /// assert_eq!(uri.edit().set_path("/c/d")?.build()?, "http://a.example/c/d");
    /// let error = uri.edit().set_path("/c d").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (2, ErrorKind::Character));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PathCharacter`], [`ErrorKind::Character`] or [`ErrorKind::PercentTriplet`].
    pub fn set_path(&mut self, path: &str) -> Result<&mut Self, ParseError> {
        CharRule::Path.check(path)?;
        self.path = path.to_owned();
        Ok(self)
    }

    /// Sets the query, without its `?` (RFC 3986 §3.4).
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/?b")?;
    /// assert_eq!(uri.edit().set_query("c=d")?.build()?, "http://a.example/?c=d");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::QueryCharacter`], [`ErrorKind::Character`] or [`ErrorKind::PercentTriplet`].
    pub fn set_query<'v>(
        &mut self,
        query: impl Into<Option<&'v str>>,
    ) -> Result<&mut Self, ParseError> {
        self.query = checked(query.into(), |text| CharRule::Query.check(text))?;
        Ok(self)
    }

    /// Sets the fragment, without its `#` (RFC 3986 §3.5).
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/")?;
    /// assert_eq!(uri.edit().set_fragment("top")?.build()?, "http://a.example/#top");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::FragmentCharacter`], [`ErrorKind::Character`] or [`ErrorKind::PercentTriplet`].
    pub fn set_fragment<'v>(
        &mut self,
        fragment: impl Into<Option<&'v str>>,
    ) -> Result<&mut Self, ParseError> {
        self.fragment = checked(fragment.into(), |text| CharRule::Fragment.check(text))?;
        Ok(self)
    }

    /// Returns the pairs of the query.
    ///
    /// ```
    /// let builder = urigrep::UriBuf::parse("http://a.example/?b=c&d")?.edit();
    /// assert_eq!(builder.pairs().map(|pair| pair.name()).collect::<Vec<_>>(), ["b", "d"]);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn pairs(&self) -> QueryPairs<'_> {
        QueryPairs::new(self.query.as_deref().unwrap_or_default())
    }

    /// Appends a pair to the query, encoding any text.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/?b")?;
    /// assert_eq!(uri.edit().append_pair("c", "1+1=2").build()?, "http://a.example/?b&c=1%2B1%3D2");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn append_pair(&mut self, name: &str, value: &str) -> &mut Self {
        let query = self.query.get_or_insert_default();
        if !query.is_empty() {
            query.push('&');
        }
        push_pair(name, value, query);
        self
    }

    /// Sets the value of the first pair with this name and removes the others; appends a pair if
    /// there is none.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/?p=1&q=x&p=2")?;
    /// assert_eq!(uri.edit().set_pair("p", "3").build()?, "http://a.example/?p=3&q=x");
    /// assert_eq!(uri.edit().set_pair("r", "4").build()?, "http://a.example/?p=1&q=x&p=2&r=4");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn set_pair(&mut self, name: &str, value: &str) -> &mut Self {
        let mut pairs = Vec::new();
        let mut new = String::new();
        push_pair(name, value, &mut new);
        // The new pair takes the place of the first one, and others of the name go.
        let mut set = Some(&*new);
        for pair in self.pairs() {
            if pair.decoded_name() == name {
                pairs.extend(set.take())
            } else {
                pairs.push(pair.as_str())
            }
        }
        pairs.extend(set);
        self.query = Some(pairs.join("&"));
        self
    }

    /// Removes the pairs whose decoded name matches `glob`, in which `*` matches any text and `?`
    /// any character. Removing the last pair removes the query.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/?utm_source=x&q=1&utm_medium=y")?;
    /// assert_eq!(uri.edit().remove_pairs("utm_*").build()?, "http://a.example/?q=1");
    /// assert_eq!(uri.edit().remove_pairs("*").build()?, "http://a.example/");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn remove_pairs(&mut self, glob: &str) -> &mut Self {
        self.retain_pairs(|pair| !glob::matches(glob, &pair.decoded_name()))
    }

    /// Keeps only the pairs for which `keep` is true. Removing the last pair removes the query.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/?a=&b=1")?;
    /// let mut builder = uri.edit();
    /// builder.retain_pairs(|pair| pair.value() != Some(""));
    /// assert_eq!(builder.build()?, "http://a.example/?b=1");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn retain_pairs(&mut self, mut keep: impl FnMut(&QueryPair<'_>) -> bool) -> &mut Self {
        let count = self.pairs().count();
        let kept: Vec<_> = self.pairs().filter(|pair| keep(pair)).collect();
        // If nothing was removed, keep the query as it is, even an empty one.
        if kept.len() < count {
            self.query = joined(&kept);
        }
        self
    }

    /// Sorts the pairs by their names as written; pairs with the same name stay in order.
    ///
    /// ```
    /// let uri = urigrep::UriBuf::parse("http://a.example/?b=2&a=2&a=1")?;
    /// assert_eq!(uri.edit().sort_pairs().build()?, "http://a.example/?a=2&a=1&b=2");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn sort_pairs(&mut self) -> &mut Self {
        let mut pairs: Vec<_> = self.pairs().collect();
        // The sort is stable, which keeps pairs with the same name in order.
        pairs.sort_by_key(QueryPair::name);
        if let Some(query) = joined(&pairs) {
            self.query = Some(query);
        }
        self
    }

    /// Builds the URI.
    ///
    /// ```
    /// use urigrep::ErrorKind;
    /// use urigrep::edit::UriBuilder;
    /// let mut builder = UriBuilder::new("http")?;
    /// let error = builder.set_host("a.example")?.set_path("b")?.build().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::RootlessPath);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Errors that involve several components (RFC 3986 §3.2 and §3.3):
    /// [`ErrorKind::AuthorityWithoutHost`], [`ErrorKind::RootlessPath`] after a host,
    /// [`ErrorKind::PathSlashes`] without one, and [`ErrorKind::TooLong`]. The offset refers to the
    /// URI.
    pub fn build(&self) -> Result<UriBuf, ParseError> {
        let mut uri = String::with_capacity(self.scheme.len() + self.path.len() + 64);
        uri.push_str(&self.scheme);
        uri.push(':');
        match &self.host {
            Some(host) => {
                uri.push_str("//");
                if let Some(userinfo) = &self.userinfo {
                    uri.extend([userinfo, "@"]);
                }
                uri.push_str(host);
                if let Some(port) = &self.port {
                    uri.extend([":", port]);
                }
            }
            None if self.userinfo.is_some() || self.port.is_some() => {
                return Err(ParseError::new(uri.len(), ErrorKind::AuthorityWithoutHost));
            }
            None => {}
        }
        match (&self.host, &*self.path) {
            // Each component is valid on its own. Only the combination may read as something else.
            (Some(_), path) if !path.is_empty() && !path.starts_with('/') => {
                return Err(ParseError::new(uri.len(), ErrorKind::RootlessPath));
            }
            (None, path) if path.starts_with("//") => {
                return Err(ParseError::new(uri.len(), ErrorKind::PathSlashes));
            }
            (_, path) => uri.push_str(path),
        }
        if let Some(query) = &self.query {
            uri.extend(["?", query]);
        }
        if let Some(fragment) = &self.fragment {
            uri.extend(["#", fragment]);
        }
        // Parsing also checks the length, and yields the offsets of the components.
        UriBuf::parse(uri)
    }
}

impl From<Uri<'_>> for UriBuilder {
    fn from(uri: Uri<'_>) -> Self {
        let own = |part: Option<&str>| part.map(ToOwned::to_owned);
        Self {
            scheme: uri.scheme().to_owned(),
            userinfo: own(uri.userinfo()),
            host: own(uri.host()),
            port: own(uri.port()),
            path: uri.path().to_owned(),
            query: own(uri.query()),
            fragment: own(uri.fragment()),
        }
    }
}

fn checked(
    text: Option<&str>,
    check: impl Fn(&str) -> Result<(), ParseError>,
) -> Result<Option<String>, ParseError> {
    text.map(|text| check(text).map(|()| text.to_owned())).transpose()
}

fn push_pair(name: &str, value: &str, query: &mut String) {
    query.push_str(&encode(name, PercentSet::QueryValue));
    query.push('=');
    query.push_str(&encode(value, PercentSet::QueryValue));
}

/// Joins pairs to a query; returns `None` if there are no pairs.
fn joined(pairs: &[QueryPair<'_>]) -> Option<String> {
    let texts: Vec<_> = pairs.iter().map(QueryPair::as_str).collect();
    (!texts.is_empty()).then(|| texts.join("&"))
}
