//! Establishes the base URI of a document (RFC 3986 §5.1, S4 §5.1).
//!
//! The layers are those of the figure in §5.1; the innermost one present wins. The reader of a
//! container knows its layers: `<BASE HREF>` in HTML, header fields in a message. A relative base
//! is first resolved against the layers around it.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned;
use alloc::string::String;

use super::resolve::resolved;
use crate::grammar::{HostMapping, IriRef, Uri, UriParts, UriRef};
use crate::named::named_enum;

named_enum! {
    "urigrep::reference::BaseSource", "sources of a base";
    /// The layer of RFC 3986 §5.1 that a base comes from, innermost first.
    #[derive(PartialOrd, Ord)]
    pub enum BaseSource {
        /// The content, such as `<BASE HREF>` in HTML (§5.1.1; S4 appendix D).
        Content = "content",
        /// The header field `Content-Base` (S4 §5.1.1).
        ContentBase = "content-base",
        /// The header field `Content-Location` (S4 §5.1.1).
        ContentLocation = "content-location",
        /// The base of the entity that contains the document (§5.1.2).
        EncapsulatingEntity = "encapsulating-entity",
        /// The URI from which the document was retrieved (§5.1.3).
        Retrieval = "retrieval",
        /// The default of the application (§5.1.4).
        Default = "default",
    }
}

/// The base of a document: an absolute URI without a fragment, with the layer it comes from.
///
/// A message with an HTML part:
///
/// ```
/// use urigrep::reference::{Base, BaseSource};
/// use urigrep::{UriRef, resolve};
/// let message = Base::builder()
///     .retrieval("http://archive.example/2024/17")
///     .content_base("http://www.ics.uci.edu/\r\n Test/a/b/c")
///     .content_location("ignored/then")
///     .establish()
///     .unwrap();
/// assert_eq!(message.uri().as_str(), "http://www.ics.uci.edu/Test/a/b/c");
/// assert_eq!(message.source(), BaseSource::ContentBase);
///
/// let part = Base::builder()
///     .encapsulating(&message)
///     .content_location("../part.html")
///     .establish()
///     .unwrap();
/// assert_eq!(part.uri().as_str(), "http://www.ics.uci.edu/Test/a/part.html");
/// assert_eq!(part.source(), BaseSource::ContentLocation);
/// assert_eq!(resolve(part.uri(), UriRef::parse("x")?), "http://www.ics.uci.edu/Test/a/x");
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Base {
    uri: String,
    parts: UriParts,
    source: BaseSource,
}

impl Base {
    /// Returns a builder without any layer.
    ///
    /// ```
    /// use urigrep::reference::Base;
    /// assert!(Base::builder().establish().is_none());
    /// ```
    pub fn builder<'a>() -> BaseBuilder<'a> {
        BaseBuilder::default()
    }

    /// The base, without a fragment.
    ///
    /// ```
    /// use urigrep::reference::Base;
    /// let base = Base::builder().retrieval("http://a.example/b#c").establish().unwrap();
    /// assert_eq!(base.uri().as_str(), "http://a.example/b");
    /// ```
    pub fn uri(&self) -> Uri<'_> {
        Uri::with_parts(&self.uri, self.parts)
    }

    /// The layer it comes from.
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder().retrieval("http://a.example/").establish().unwrap();
    /// assert_eq!(base.source(), BaseSource::Retrieval);
    /// ```
    pub const fn source(&self) -> BaseSource {
        self.source
    }
}

/// The known layers around a document; see [`Base`].
///
/// ```
/// use urigrep::reference::Base;
/// let known = Base::builder().retrieval("http://a.example/b").content_base("not absolute");
/// assert_eq!(known.establish().unwrap().source().name(), "retrieval");
/// ```
///
/// Each layer is an unprocessed string, an IRI or, where allowed, an IRI reference. Invalid layers
/// are skipped, and so are relative ones without an absolute layer around them. The fragment of a
/// layer is ignored (RFC 3986 §5.1).
#[derive(Clone, Copy, Debug, Default)]
pub struct BaseBuilder<'a> {
    content: Option<&'a str>,
    content_base: Option<&'a str>,
    content_location: Option<&'a str>,
    encapsulating: Option<&'a Base>,
    retrieval: Option<&'a str>,
    default: Option<&'a str>,
    hosts: HostMapping,
}

impl<'a> BaseBuilder<'a> {
    /// Sets the base in the content, such as the `HREF` of `<BASE>` in HTML with entities decoded.
    /// White space around it is removed; it may be relative, as the HTML Standard allows.
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder().retrieval("http://a.example/").content(" b ").establish();
    /// assert_eq!(base.unwrap().source(), BaseSource::Content);
    /// ```
    pub fn content(self, href: &'a str) -> Self {
        Self { content: Some(href), ..self }
    }

    /// Sets the header field `Content-Base` of the entity that is the document. White space in it
    /// is ignored; it must be absolute (S4 §5.1.1).
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder().retrieval("http://a.example/").content_base("http://b.example/").establish();
    /// assert_eq!(base.unwrap().source(), BaseSource::ContentBase);
    /// ```
    pub fn content_base(self, value: &'a str) -> Self {
        Self { content_base: Some(value), ..self }
    }

    /// Sets the header field `Content-Location` of the entity that is the document. White space in
    /// it is ignored; it may be relative (S4 §5.1.1).
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder().retrieval("http://a.example/").content_location("b").establish();
    /// assert_eq!(base.unwrap().source(), BaseSource::ContentLocation);
    /// ```
    pub fn content_location(self, value: &'a str) -> Self {
        Self { content_location: Some(value), ..self }
    }

    /// Sets the base of the message, or other entity, that contains the document.
    ///
    /// ```
    /// use urigrep::reference::Base;
    /// let message = Base::builder().retrieval("http://a.example/b").establish().unwrap();
    /// assert_eq!(Base::builder().encapsulating(&message).establish().unwrap().uri(), message.uri());
    /// ```
    pub fn encapsulating(self, base: &'a Base) -> Self {
        Self { encapsulating: Some(base), ..self }
    }

    /// Sets the URI from which the document was retrieved; after redirections, the last one.
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder().retrieval("http://b.example/").establish();
    /// assert_eq!(base.unwrap().source(), BaseSource::Retrieval);
    /// ```
    pub fn retrieval(self, uri: &'a str) -> Self {
        Self { retrieval: Some(uri), ..self }
    }

    /// Sets the fallback of the application.
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder().application_default("http://b.example/").establish();
    /// assert_eq!(base.unwrap().source(), BaseSource::Default);
    /// ```
    pub fn application_default(self, uri: &'a str) -> Self {
        Self { default: Some(uri), ..self }
    }

    /// Sets how the host of a layer that is an IRI is mapped; percent-encoded by default.
    ///
    /// ```
    /// use urigrep::options::HostMapping;
    /// use urigrep::reference::Base;
    /// let builder = Base::builder().retrieval("http://é.example/");
    /// let base = builder.host_mapping(HostMapping::PERCENT_ENCODED).establish().unwrap();
    /// assert_eq!(base.uri().as_str(), "http://%C3%A9.example/");
    /// ```
    pub fn host_mapping(self, hosts: HostMapping) -> Self {
        Self { hosts, ..self }
    }

    /// Returns the winning base. `None` if no layer has one; all references must then be absolute
    /// (S4 §5.1.4).
    ///
    /// ```
    /// use urigrep::reference::{Base, BaseSource};
    /// let base = Base::builder()
    ///     .retrieval("http://a.example/b/c#d")
    ///     .content(" e/ ")
    ///     .establish()
    ///     .unwrap();
    /// assert_eq!((base.uri().as_str(), base.source()), ("http://a.example/b/e/", BaseSource::Content));
    /// assert_eq!(Base::builder().content("e/").establish(), None);
    /// ```
    pub fn establish(&self) -> Option<Base> {
        let without_space = |text: &'a str| -> Cow<'a, str> {
            if text.bytes().any(|byte| byte.is_ascii_whitespace()) {
                Cow::Owned(text.split_ascii_whitespace().collect())
            } else {
                Cow::Borrowed(text)
            }
        };
        let mut base: Option<Base> = None;
        // From the outermost to the innermost layer: each is resolved against the base so far.
        let encapsulating = self.encapsulating.map(|base| base.uri.as_str());
        let layers = [
            (BaseSource::Default, self.default.map(Cow::Borrowed)),
            (BaseSource::Retrieval, self.retrieval.map(Cow::Borrowed)),
            (BaseSource::EncapsulatingEntity, encapsulating.map(Cow::Borrowed)),
            (BaseSource::ContentLocation, self.content_location.map(without_space)),
            (BaseSource::ContentBase, self.content_base.map(without_space)),
            (BaseSource::Content, self.content.map(|href| Cow::Borrowed(href.trim_ascii()))),
        ];
        for (source, text) in layers {
            // Content-Base must be absolute (S4 §5.1.1), and so must the layers from outside the
            // document.
            let may_be_relative =
                matches!(source, BaseSource::ContentLocation | BaseSource::Content);
            let around = base.as_ref().filter(|_| may_be_relative).map(Base::uri);
            if let Some((uri, parts)) = text.and_then(|text| absolute(&text, around, self.hosts)) {
                base = Some(Base { uri, parts, source });
            }
        }
        base
    }
}

/// Resolves `text` against `base` if it is relative, and removes its fragment.
fn absolute(text: &str, base: Option<Uri<'_>>, hosts: HostMapping) -> Option<(String, UriParts)> {
    let mapped = IriRef::parse(text).and_then(|iri| iri.to_uri_ref_with(hosts)).ok()?;
    let reference = UriRef::parse(&mapped).ok()?;
    let mut uri = match (reference.to_uri(), base) {
        (Some(uri), _) => uri.as_str().to_owned(),
        (None, base) => resolved(base?, reference),
    };
    // A base has no fragment (RFC 3986 §5.1).
    uri.truncate(uri.find('#').unwrap_or(uri.len()));
    // Fails if it grew beyond 4 GiB.
    let parts = Uri::parse(&uri).ok()?.parts();
    Some((uri, parts))
}
