//! Query pairs: `name=value` joined by `&`, as HTML forms write them.
//!
//! RFC 3986 §3.4 does not define pairs; most servers do.

use alloc::borrow::Cow;
use alloc::string::String;
use core::iter::FusedIterator;
use core::str::Split;

use crate::grammar::Uri;
use crate::percent;

/// One `name=value` pair of a query, borrowed from it.
///
/// ```
/// use urigrep::Uri;
/// let uri = Uri::parse("http://a.example/?q=a+b%26c&debug")?;
/// let pairs: Vec<_> = uri.query_pairs().collect();
/// assert_eq!((pairs[0].name(), pairs[0].value()), ("q", Some("a+b%26c")));
/// assert_eq!(pairs[0].decoded_value().unwrap(), "a b&c");
/// assert_eq!((pairs[1].name(), pairs[1].value()), ("debug", None));
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueryPair<'q> {
    text: &'q str,
}

impl<'q> QueryPair<'q> {
    /// The pair as written.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("s:?a=%62")?;
    /// assert_eq!(uri.query_pairs().next().unwrap().as_str(), "a=%62");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'q str {
        self.text
    }

    /// The text before the first `=`, as written.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("s:?a%20b=c")?;
    /// assert_eq!(uri.query_pairs().next().unwrap().name(), "a%20b");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn name(&self) -> &'q str {
        self.text.split_once('=').map_or(self.text, |(name, _)| name)
    }

    /// The text after the first `=`, as written; `None` without one.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("s:?a=b=c&d=")?;
    /// let values: Vec<_> = uri.query_pairs().map(|pair| pair.value()).collect();
    /// assert_eq!(values, [Some("b=c"), Some("")]);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn value(&self) -> Option<&'q str> {
        self.text.split_once('=').map(|(_, value)| value)
    }

    /// The decoded name: `+` becomes a space, and bytes that are not UTF-8 become U+FFFD.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("s:?a+b%3D=c")?;
    /// assert_eq!(uri.query_pairs().next().unwrap().decoded_name(), "a b=");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn decoded_name(&self) -> Cow<'q, str> {
        decoded(self.name())
    }

    /// The value, decoded like the name.
    ///
    /// ```
    /// let uri = urigrep::Uri::parse("s:?a=b+c%C3%A9")?;
    /// assert_eq!(uri.query_pairs().next().unwrap().decoded_value().unwrap(), "b cé");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn decoded_value(&self) -> Option<Cow<'q, str>> {
        self.value().map(decoded)
    }
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['+', '%']) {
        return Cow::Borrowed(text);
    }
    // Replace `+` first: a `+` that was encoded as `%2B` must stay.
    let bytes = percent::decode(&text.replace('+', " ")).into_owned();
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Iterator over the pairs of a query, in order. An empty or absent query has none.
///
/// ```
/// use urigrep::edit::QueryPairs;
/// assert_eq!(QueryPairs::new("a&b=c").count(), 2);
/// assert_eq!(QueryPairs::new("").count(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct QueryPairs<'q> {
    texts: Option<Split<'q, char>>,
}

impl<'q> QueryPairs<'q> {
    /// Creates an iterator over the pairs of `query`, which must not include its `?`.
    ///
    /// ```
    /// let pairs = urigrep::edit::QueryPairs::new("a=b&&c");
    /// assert_eq!(pairs.map(|pair| pair.as_str()).collect::<Vec<_>>(), ["a=b", "", "c"]);
    /// ```
    pub fn new(query: &'q str) -> Self {
        Self { texts: (!query.is_empty()).then(|| query.split('&')) }
    }
}

impl<'q> Iterator for QueryPairs<'q> {
    type Item = QueryPair<'q>;

    fn next(&mut self) -> Option<QueryPair<'q>> {
        let text = self.texts.as_mut()?.next()?;
        Some(QueryPair { text })
    }
}

impl FusedIterator for QueryPairs<'_> {}

impl<'a> Uri<'a> {
    /// Returns the pairs of the query (RFC 3986 §3.4), as HTML forms write them.
    ///
    /// ```
    /// use urigrep::Uri;
    /// let uri = Uri::parse("http://a.example/?page=2&q=x")?;
    /// assert_eq!(uri.query_pairs().find(|pair| pair.name() == "q").unwrap().value(), Some("x"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn query_pairs(&self) -> QueryPairs<'a> {
        QueryPairs::new(self.query().unwrap_or_default())
    }
}
