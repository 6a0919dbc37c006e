//! The data of matches and relative references without their text: [`MatchData`], and the accessors
//! that [`Match`](super::Match) and [`OwnedMatch`](super::OwnedMatch) share.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use crate::delimit::{Delimited, DerivedIri, DerivedUri};
use crate::grammar::{Uri, UriParts};
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::redact::{TextForm, redact, redacted};
use crate::scan::ascii_str;
use crate::span::Span;

/// A match without its text. It borrows nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MatchData {
    pub span: Span,
    pub kind: Kind,
    pub wrapper: Wrapper,
    pub flags: Flags,
    pub parts: UriParts,
    /// `None` for a plain match: its text is its URI.
    pub derived: Option<Box<DerivedUri>>,
}

impl From<Delimited> for MatchData {
    #[inline]
    fn from(found: Delimited) -> Self {
        Self {
            span: found.span,
            kind: found.kind,
            wrapper: found.wrapper,
            flags: found.flags,
            parts: found.parts,
            derived: found.derived,
        }
    }
}

impl MatchData {
    /// Returns the URI or reference; `source` is the text of the match.
    pub fn uri<'a>(&'a self, source: &'a [u8]) -> &'a str {
        self.derived.as_deref().map_or_else(|| plain(source), |derived| &derived.uri)
    }

    /// Returns the IRI; `source` is the text of the match.
    pub fn iri<'a>(&'a self, source: &'a [u8]) -> Option<&'a str> {
        self.derived.as_deref()?.iri.as_ref()?.read(source)
    }

    pub fn decoded(&self) -> Option<&[u8]> {
        self.derived.as_deref()?.text.as_deref()
    }

    pub fn ranges(&self) -> &[Span] {
        self.derived.as_deref().map_or(&[], |derived| &derived.ranges)
    }

    pub fn alternative(&self) -> Option<&str> {
        self.derived.as_deref()?.alternative.as_deref()
    }

    /// Returns the match with its secrets replaced, or `None` if it holds none. `flags` are all
    /// flags of the match.
    pub fn redacted(&self, source: &[u8], flags: Flags) -> Option<Self> {
        let text = redacted(self.decoded().unwrap_or(source), TextForm::Reference);
        let uri = redact(self.uri(source));
        let iri = self.iri(source).map(redact);
        let alternative = self.alternative().map(redact);
        let cleaned = |part: &Option<Cow<'_, str>>| matches!(part, Some(Cow::Owned(_)));
        let in_uri = matches!(uri, Cow::Owned(_)) || cleaned(&iri) || cleaned(&alternative);
        let text = match text {
            None if !in_uri => return None,
            // The URI shows that there is a secret, but not where it is in a text that was decoded
            // or rejoined. So the redacted URI or IRI replaces the text.
            _ if in_uri => iri.as_deref().unwrap_or(&uri).as_bytes().to_vec(),
            text => text?,
        };
        // A redacted URI of an older grammar may no longer parse under RFC 3986. None of it is
        // shown then.
        let parts = Uri::parse(&uri).map(|uri| uri.parts());
        let (uri, parts) = match parts {
            Ok(parts) => (uri.into_owned(), parts),
            Err(_) => whole(self.uri(source))?,
        };
        let derived = DerivedUri {
            text: Some(text),
            iri: iri.map(|iri| DerivedIri::Owned(iri.into_owned())),
            uri,
            ranges: self.ranges().to_vec(),
            alternative: alternative.map(Cow::into_owned),
        };
        Some(Self {
            flags: flags.with(Flag::Redacted),
            // `REDACTED` may be longer than the secret it replaces.
            parts,
            derived: Some(Box::new(derived)),
            ..*self
        })
    }

    /// True if `haystack` may be the text of this match, so that the accessors can slice it there.
    pub fn fits(&self, haystack: &[u8]) -> bool {
        let source = haystack.get(self.span.range());
        // A plain match takes its URI from the text as ASCII; a match that was made brings its own.
        source.is_some_and(|source| self.derived.is_some() || source.is_ascii())
    }
}

/// Keeps the scheme of `uri` and replaces the rest with `REDACTED`.
fn whole(uri: &str) -> Option<(String, UriParts)> {
    let scheme = uri.split(':').next().filter(|scheme| scheme.len() < uri.len());
    let whole = format!("{}:REDACTED", scheme.unwrap_or("x"));
    let parts = Uri::parse(&whole).or(Uri::parse("x:REDACTED")).ok()?.parts();
    Some((whole, parts))
}

/// Returns the URI of a plain match. The grammar of RFC 3986 accepted it, so it is ASCII.
pub(super) fn plain(source: &[u8]) -> &str {
    ascii_str(source).unwrap_or_default()
}

/// Accessors of relative references and rejected candidates; both have `haystack` and `data`.
macro_rules! source_accessors {
    () => {
        /// Byte span in the haystack, without the white space and delimiters around it.
        ///
        /// ```
        /// use urigrep::{Finder, Finding};
        /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
        /// assert_eq!(r.span().range(), 1..4);
        /// let Some(Finding::Rejected(r)) = Finder::new().reference(b"http://{b}/") else { panic!() };
        /// assert_eq!(r.span().range(), 0..11);
        /// ```
        pub fn span(&self) -> Span {
            self.data.span
        }

        /// Byte offset of its start.
        ///
        /// ```
        /// use urigrep::{Finder, Finding};
        /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
        /// assert_eq!(r.start(), 1);
        /// ```
        pub fn start(&self) -> usize {
            self.data.span.start()
        }

        /// Byte offset just past its end.
        ///
        /// ```
        /// use urigrep::{Finder, Finding};
        /// let Some(Finding::Relative(r)) = Finder::new().reference(b" a/b ") else { panic!() };
        /// assert_eq!(r.end(), 4);
        /// ```
        pub fn end(&self) -> usize {
            self.data.span.end()
        }

        /// The bytes of the source, unchanged.
        ///
        /// ```
        /// use urigrep::{Finder, Finding};
        /// let Some(Finding::Rejected(r)) = Finder::new().findings(b" http://{b}/").next() else { panic!() };
        /// assert_eq!(r.as_bytes(), b"http://{b}/");
        /// ```
        pub fn as_bytes(&self) -> &'h [u8] {
            self.haystack.get(self.data.span.range()).unwrap_or_default()
        }
    };
}

/// Accessors of borrowed and owned matches; both have `data` and `as_bytes()`.
macro_rules! match_accessors {
    () => {
        /// Byte span in the haystack; delimiters and prefixes are outside.
        ///
        /// ```
        /// use urigrep::{Finder, Span};
        /// let m = Finder::new().find(b"<URL:http://a.example>").unwrap();
        /// assert_eq!(m.span(), Span::new(5, 21));
        /// assert_eq!(m.to_owned_match().span(), m.span());
        /// ```
        pub fn span(&self) -> Span {
            self.data.span
        }

        /// Byte offset of its start.
        ///
        /// ```
        /// assert_eq!(urigrep::Finder::new().find(b"(http://a.example)").unwrap().start(), 1);
        /// ```
        pub fn start(&self) -> usize {
            self.data.span.start()
        }

        /// Byte offset just past its end.
        ///
        /// ```
        /// assert_eq!(urigrep::Finder::new().find(b"(http://a.example)").unwrap().end(), 17);
        /// ```
        pub fn end(&self) -> usize {
            self.data.span.end()
        }

        /// The span as a range that can index the haystack.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"(http://a.example)").unwrap();
        /// assert_eq!(&b"(http://a.example)"[m.range()], b"http://a.example");
        /// ```
        pub fn range(&self) -> Range<usize> {
            self.data.span.range()
        }

        /// The IRI, rejoined and decoded, for [`Kind::Iri`] (RFC 3987 §2.2).
        ///
        /// ```
        /// use urigrep::Finder;
        /// let m = Finder::new().find("http://a.example/é".as_bytes()).unwrap();
        /// assert_eq!((m.iri(), &*m.uri()), (Some("http://a.example/é"), "http://a.example/%C3%A9"));
        /// ```
        pub fn iri(&self) -> Option<&str> {
            self.data.iri(self.as_bytes())
        }

        /// The URI that the author meant: rejoined and decoded. An IRI stays an IRI; a lax match is
        /// repaired.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"<http://a.example/\n  b>").unwrap();
        /// assert_eq!(m.intended(), "http://a.example/b");
        /// ```
        pub fn intended(&self) -> &str {
            self.iri().unwrap_or_else(|| self.uri_str())
        }

        /// [`intended`](Self::intended) as bytes; for a plain match, those of the source.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"see urn:example:a").unwrap();
        /// assert_eq!(m.intended_bytes(), m.as_bytes());
        /// ```
        pub fn intended_bytes(&self) -> &[u8] {
            match self.data.derived {
                None => self.as_bytes(),
                Some(_) => self.intended().as_bytes(),
            }
        }

        /// The components of the URI (RFC 3986 §3), without another parse.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"http://a.example:8080/b?c").unwrap();
        /// assert_eq!((m.parsed().port(), m.parsed().query()), (Some("8080"), Some("c")));
        /// ```
        pub fn parsed(&self) -> Uri<'_> {
            Uri::with_parts(self.uri_str(), self.data.parts)
        }

        /// The URI in its normal form (RFC 3986 §6.2.2 and §6.2.3), as from
        /// [`normalize`](crate::normalize).
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"HTTP://A.example:80/b/../%7Ec").unwrap();
        /// assert_eq!(m.normalized(), "http://a.example/~c");
        /// ```
        pub fn normalized(&self) -> Cow<'_, str> {
            Normalizer::new().normalize(self.parsed())
        }

        /// The components of a URN (RFC 8141 §2). `None` unless the kind is [`Kind::Urn`], or
        /// [`Kind::Abbreviated`] with a URN as its URI, like `ISBN 0451450523`.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"urn:isbn:0451450523").unwrap();
        /// assert_eq!(m.urn().map(|urn| urn.nss()), Some("0451450523"));
        /// ```
        pub fn urn(&self) -> Option<Urn<'_>> {
            self.is_urn().then(|| Urn::parse(self.uri_str()).ok()).flatten()
        }

        /// The DOI, ISBN, or the like that the URI identifies, in one spelling.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"see https://doi.org/10.1000/ABC").unwrap();
        /// let identifier = m.identifier().unwrap();
        /// assert_eq!((identifier.value(), identifier.canonical()), ("10.1000/abc", "doi:10.1000/abc"));
        /// ```
        pub fn identifier(&self) -> Option<Identifier> {
            Identifier::from_uri(self.parsed())
        }

        /// The NID of a URN, even if only the chosen older grammar accepts the URN.
        ///
        /// ```
        /// use urigrep::{Finder, Grammar};
        /// let finder = Finder::builder().grammar(Grammar::Rfc2141bis01).build();
        /// let m = finder.find(b"urn:example:a?b").unwrap();
        /// assert_eq!((m.nid(), m.urn()), (Some("example"), None));
        /// ```
        pub fn nid(&self) -> Option<&str> {
            let nid = || self.parsed().path().split(':').next();
            self.is_urn().then(nid).flatten()
        }

        fn is_urn(&self) -> bool {
            let is_urn = || self.scheme_as_written().eq_ignore_ascii_case("urn");
            match self.data.kind {
                Kind::Urn => true,
                Kind::Abbreviated => is_urn(),
                _ => false,
            }
        }

        /// The scheme in lower case (RFC 3986 §3.1).
        ///
        /// ```
        /// assert_eq!(urigrep::Finder::new().find("HTTP://a.example").unwrap().scheme(), "http");
        /// ```
        #[doc(alias = "protocol")]
        pub fn scheme(&self) -> Cow<'_, str> {
            let scheme = self.scheme_as_written();
            if scheme.bytes().any(|byte| byte.is_ascii_uppercase()) {
                Cow::Owned(scheme.to_ascii_lowercase())
            } else {
                Cow::Borrowed(scheme)
            }
        }

        /// The scheme as the author wrote it.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find("HTTP://a.example").unwrap();
        /// assert_eq!(m.scheme_as_written(), "HTTP");
        /// ```
        pub fn scheme_as_written(&self) -> &str {
            self.parsed().scheme()
        }

        /// The host of the URI as written; an IP literal has its brackets (RFC 3986 §3.2.2).
        ///
        /// ```
        /// let m = urigrep::Finder::new().find("see https://me@a.example:8443/b").unwrap();
        /// assert_eq!((m.host(), m.port()), (Some("a.example"), Some(8443)));
        /// ```
        #[doc(alias = "domain")]
        #[doc(alias = "hostname")]
        pub fn host(&self) -> Option<&str> {
            self.parsed().host()
        }

        /// The port of the URI as a number; `None` if it is absent, empty, or larger than 65535.
        /// [`parsed`](Self::parsed) has its text.
        pub fn port(&self) -> Option<u16> {
            self.parsed().port_number()
        }

        /// The segments of the path, encoded; see [`Uri::path_segments`].
        ///
        /// ```
        /// let m = urigrep::Finder::new().find("see https://a.example/b/c").unwrap();
        /// assert!(m.path_segments().eq(["b", "c"]));
        /// ```
        pub fn path_segments(&self) -> impl Iterator<Item = &str> + Clone {
            self.parsed().path_segments()
        }

        /// The kind of the match.
        ///
        /// ```
        /// use urigrep::{Finder, Kind};
        /// assert_eq!(Finder::new().find(b"urn:example:a").unwrap().kind(), Kind::Urn);
        /// ```
        pub fn kind(&self) -> Kind {
            self.data.kind
        }

        /// The delimiters around it (RFC 3986 Appendix C).
        ///
        /// ```
        /// use urigrep::{Finder, Wrapper};
        /// assert_eq!(Finder::new().find(b"<http://a.example>").unwrap().wrapper(), Wrapper::Angle);
        /// ```
        pub fn wrapper(&self) -> Wrapper {
            self.data.wrapper
        }

        /// The flags of the match, together with the flags of its URI ([`Uri::flags`]) and its IRI
        /// ([`Iri::flags`]). The flags of the IRI are computed here, in time linear in the match.
        ///
        /// ```
        /// use urigrep::{Finder, Flag};
        /// let m = Finder::new().find(b"go to http://bank.example.com@0x7f.1/").unwrap();
        /// let names: Vec<_> = m.flags().iter().map(Flag::name).collect();
        /// assert_eq!(names, ["misleading-userinfo", "rare-ip"]);
        /// ```
        pub fn flags(&self) -> Flags {
            let iri = self.iri().and_then(|iri| Iri::parse(iri).ok());
            let shown = iri.map(|iri| iri.flags()).unwrap_or_default();
            // Most URIs cannot have a flag. A cheap test of their bytes avoids the full check.
            let own = if $crate::security::may_have_flags(self.uri_bytes(), self.data.parts) {
                self.parsed().flags()
            } else {
                Flags::default()
            };
            let flags = self.data.flags.union(own).union(shown);
            if self.is_elided() { flags.without(Flag::UrnNssInvalid) } else { flags }
        }

        /// The reason for [`Flag::UrnNssInvalid`]: the fault in the name of a URN
        /// ([`Urn::check_nss`]).
        /// `None` for a name that its author abbreviated with dots: it is incomplete, not wrong.
        /// ```
        /// use urigrep::namespace::NssFaultKind;
        /// use urigrep::Finder;
        /// let m = Finder::new().find(b"the book urn:isbn:0451450524").unwrap();
        /// assert_eq!(m.nss_fault().map(|fault| fault.kind()), Some(NssFaultKind::CheckDigit));
        /// ```
        pub fn nss_fault(&self) -> Option<NssFault> {
            let urn = self.urn().filter(|_| !self.is_elided())?;
            urn.check_nss().err()
        }

        fn is_elided(&self) -> bool {
            self.data.flags.contains(Flag::Elided)
        }

        /// The source ranges that make up the match if it has several; otherwise empty.
        ///
        /// ```
        /// use urigrep::{Finder, Span};
        /// let m = Finder::new().find(b"<http://a.example/\nb>").unwrap();
        /// assert_eq!(m.ranges(), [Span::new(1, 18), Span::new(19, 20)]);
        /// ```
        pub fn ranges(&self) -> &[Span] {
            self.data.ranges()
        }

        /// The same URI without hyphens at line ends that the typesetter may have added (D3.3, RFC
        /// 3986 Appendix C).
        ///
        /// ```
        /// let m = urigrep::Finder::new().find(b"<http://a.example/b-\nc>").unwrap();
        /// assert_eq!((&*m.uri(), m.alternative()), ("http://a.example/b-c", Some("http://a.example/bc")));
        /// ```
        pub fn alternative(&self) -> Option<&str> {
            self.data.alternative()
        }

        /// The URI as bytes; for a plain match, those of the source.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find("http://a.example/é".as_bytes()).unwrap();
        /// assert_eq!(m.uri_bytes(), b"http://a.example/%C3%A9");
        /// ```
        pub fn uri_bytes(&self) -> &[u8] {
            match &self.data.derived {
                Some(derived) => derived.uri.as_bytes(),
                None => self.as_bytes(),
            }
        }

        /// [`scheme`](Self::scheme) as bytes.
        ///
        /// ```
        /// assert_eq!(urigrep::Finder::new().find(b"HTTP://a.example").unwrap().scheme_bytes(), b"HTTP");
        /// ```
        pub fn scheme_bytes(&self) -> &[u8] {
            let scheme = self.data.parts.scheme();
            scheme.and_then(|range| self.uri_bytes().get(range)).unwrap_or_default()
        }

        /// The host of [`parsed`](Self::parsed) as bytes.
        ///
        /// ```
        /// assert_eq!(urigrep::Finder::new().find(b"http://a.example/b").unwrap().host_bytes(), Some(&b"a.example"[..]));
        /// ```
        pub fn host_bytes(&self) -> Option<&[u8]> {
            self.uri_bytes().get(self.data.parts.host()?)
        }

        /// The URI, borrowed: what `Display` writes.
        ///
        /// ```
        /// let m = urigrep::Finder::new().find("see <http://a.example/\nb>").unwrap();
        /// assert_eq!(m.as_str(), "http://a.example/b");
        /// assert_eq!(m.into_owned().as_str(), "http://a.example/b");
        /// ```
        pub fn as_str(&self) -> &str {
            self.uri_str()
        }

        fn uri_str(&self) -> &str {
            self.data.uri(self.as_bytes())
        }
    };
}

pub(super) use {match_accessors, source_accessors};
