//! What the search reports: [`Match`] and [`Rejected`].

use std::borrow::Cow;
use std::ops::Range;

use super::whole::Relative;
use crate::delimit::DerivedUri;
use crate::error::Reason;
use crate::grammar::{Iri, Parts, Uri, Urn};
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::namespace::NssFault;
use crate::options::{Options, Unwrap};
use crate::redact::{Form, redact, redacted};
use crate::redirect::unwrap;
use crate::span::Span;

/// One thing the search has to say.
#[derive(Clone, Debug)]
pub enum Finding<'h> {
    /// A URI, IRI or URN.
    Match(Match<'h>),
    /// A relative reference; only [`Finder::reference`](crate::Finder::reference) gives one.
    Relative(Relative<'h>),
    /// Something that was meant to be one, and why it is not reported as a match.
    Rejected(Rejected<'h>),
}

impl Finding<'_> {
    /// Where it stands, in 0-based bytes of the text that was searched.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let finder = Finder::new();
    /// let spans: Vec<_> = finder.findings(b"http://a, http://{b}").map(|found| found.span().range()).collect();
    /// assert_eq!(spans, [0..8, 10..20]);
    /// ```
    pub fn span(&self) -> Span {
        match self {
            Self::Match(m) => m.span(),
            Self::Relative(relative) => relative.span(),
            Self::Rejected(rejected) => rejected.span(),
        }
    }

    /// The same finding in another text, which has the same bytes at the same offsets.
    ///
    /// So a finding can wait beside a buffer that goes from one thread to another: without a text,
    /// [`in_text(b"")`](Self::in_text), it borrows nothing, and has no bytes until it is given one again.
    ///
    /// ```
    /// use urigrep::{Finder, Finding};
    /// let (finder, text) = (Finder::new(), b"see http://a.example".to_vec());
    /// let waiting: Vec<Finding<'static>> = finder.findings(&text).map(|found| found.in_text(b"")).collect();
    /// let moved = text;
    /// let found = waiting.into_iter().next().unwrap().in_text(&moved);
    /// assert!(matches!(found, Finding::Match(m) if m.uri() == "http://a.example"));
    /// ```
    #[must_use]
    pub fn in_text(self, text: &[u8]) -> Finding<'_> {
        match self {
            Self::Match(m) => Finding::Match(Match {
                haystack: text,
                span: m.span,
                kind: m.kind,
                wrapper: m.wrapper,
                flags: m.flags,
                parts: m.parts,
                made: m.made,
            }),
            Self::Relative(relative) => Finding::Relative(relative.in_text(text)),
            Self::Rejected(rejected) => Finding::Rejected(Rejected {
                haystack: text,
                span: rejected.span,
                reason: rejected.reason,
                at: rejected.at,
            }),
        }
    }

    /// The same, delimited by what its format says; see [`Finder::reference`](crate::Finder::reference).
    #[must_use]
    pub fn delimited_by(mut self, by: Wrapper) -> Self {
        match &mut self {
            Self::Match(m) => m.wrapper = by,
            Self::Relative(relative) => relative.wrapper = by,
            Self::Rejected(_) => {}
        }
        self
    }
}

/// A URI, IRI or URN in a text.
///
/// Offsets are 0-based bytes into the haystack or window that was searched, which the
/// match borrows. A plain match owns nothing; one that was rejoined, decoded, mapped or
/// repaired owns the result.
#[derive(Clone, Debug)]
pub struct Match<'h> {
    pub(super) haystack: &'h [u8],
    pub(super) span: Span,
    pub(super) kind: Kind,
    pub(super) wrapper: Wrapper,
    pub(super) flags: Flags,
    pub(super) parts: Parts,
    pub(super) made: Option<Box<DerivedUri>>,
}

impl<'h> Match<'h> {
    /// Where the match stands in the haystack; delimiters and prefixes are outside.
    pub fn span(&self) -> Span {
        self.span
    }

    /// First byte of the match.
    pub fn start(&self) -> usize {
        self.span.start()
    }

    /// One past the last byte of the match.
    pub fn end(&self) -> usize {
        self.span.end()
    }

    /// The span as a range.
    pub fn range(&self) -> Range<usize> {
        self.span.range()
    }

    /// The bytes of the source, as they stand.
    pub fn as_bytes(&self) -> &'h [u8] {
        self.haystack.get(self.span.range()).unwrap_or_default()
    }

    /// What stands in the source after decoding, before rejoining and repair.
    ///
    /// The same as [`Match::as_bytes`] unless [`Flag::Decoded`](crate::Flag::Decoded) is set.
    pub fn text(&self) -> Cow<'h, [u8]> {
        match self.made.as_deref().and_then(|made| made.text.as_ref()) {
            Some(text) => Cow::Owned(text.clone()),
            None => Cow::Borrowed(self.as_bytes()),
        }
    }

    /// The URI: rejoined, decoded, mapped and repaired, always valid under RFC 3986.
    ///
    /// Borrowed from the haystack for a plain match.
    pub fn uri(&self) -> Cow<'h, str> {
        match &self.made {
            Some(made) => Cow::Owned(made.uri.clone()),
            None => Cow::Borrowed(self.plain()),
        }
    }

    /// The IRI, rejoined and decoded, for [`Kind::Iri`].
    pub fn iri(&self) -> Option<&str> {
        self.made.as_deref().and_then(|made| made.iri.as_deref())
    }

    /// What the author meant: rejoined and decoded; an IRI as an IRI, a lax one repaired.
    pub fn intended(&self) -> &str {
        self.iri().unwrap_or_else(|| self.uri_str())
    }

    /// [`Match::intended`] as bytes, which for a plain match are those of the source.
    pub fn intended_bytes(&self) -> &[u8] {
        match self.made {
            None => self.as_bytes(),
            Some(_) => self.intended().as_bytes(),
        }
    }

    /// The components of [`Match::uri`].
    pub fn parsed(&self) -> Uri<'_> {
        Uri::with_parts(self.uri_str(), self.parts)
    }

    /// The components of a URN; `None` unless the kind is [`Kind::Urn`].
    pub fn urn(&self) -> Option<Urn<'_>> {
        if self.kind == Kind::Urn {
            Urn::parse(self.uri_str()).ok()
        } else {
            None
        }
    }

    /// The NID of a URN, also of one that only the older grammar that was chosen accepts.
    ///
    /// ```
    /// use urigrep::{Finder, Grammar};
    /// let finder = Finder::builder().grammar(Grammar::Rfc2141bis01).build();
    /// let m = finder.find(b"urn:example:a?b").unwrap();
    /// assert_eq!((m.nid(), m.urn()), (Some("example"), None));
    /// ```
    pub fn nid(&self) -> Option<&str> {
        let nid = || self.parsed().path().split(':').next();
        (self.kind == Kind::Urn).then(nid).flatten()
    }

    /// The scheme as it was written.
    pub fn scheme(&self) -> &str {
        self.parsed().scheme()
    }

    /// What kind of thing it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What delimited it.
    pub fn wrapper(&self) -> Wrapper {
        self.wrapper
    }

    /// What else is worth knowing: how it was found, and what its URI ([`Uri::flags`]) and its IRI
    /// ([`Iri::flags`]) give. The latter is worked out here, in time linear in the match.
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
        let flags = self.flags.and(self.parsed().flags()).and(shown);
        if self.is_elided() {
            flags.without(Flag::UrnNssInvalid)
        } else {
            flags
        }
    }

    /// Why [`Flag::UrnNssInvalid`] is set: what is wrong with the name of a URN
    /// ([`Urn::check_nss`]). One that its author cut with dots is never complete, and not wrong.
    ///
    /// ```
    /// use urigrep::{Finder, NssFaultKind};
    /// let m = Finder::new().find(b"the book urn:isbn:0451450524").unwrap();
    /// assert_eq!(m.nss_fault().map(|fault| fault.kind()), Some(NssFaultKind::CheckDigit));
    /// ```
    pub fn nss_fault(&self) -> Option<NssFault> {
        let urn = self.urn().filter(|_| !self.is_elided())?;
        urn.check_nss().err()
    }

    fn is_elided(&self) -> bool {
        self.flags.contains(Flag::Elided)
    }

    /// The source ranges it was made from, when more than one; else empty.
    pub fn ranges(&self) -> &[Span] {
        self.made.as_deref().map_or(&[], |made| &made.ranges)
    }

    /// The same URI without the hyphens that ended a line and may be the typesetter's
    /// (D3.3, RFC 3986 Appendix C).
    pub fn alternative(&self) -> Option<&str> {
        self.made
            .as_deref()
            .and_then(|made| made.alternative.as_deref())
    }

    /// The match with `REDACTED` in place of the secrets that it holds ([`redact`](crate::redact)); `None`
    /// when it holds none.
    ///
    /// Its URI, IRI, text and alternative hold none any more, and [`Flag::Redacted`](crate::Flag::Redacted)
    /// is set. Its flags, its span and [`Match::as_bytes`] are those of the source.
    ///
    /// ```
    /// use urigrep::{Finder, Flag};
    /// let m = Finder::new().find(b"ftp://joe:pw@a.example/").unwrap();
    /// let redacted = m.redacted().unwrap();
    /// assert_eq!(redacted.uri(), "ftp://REDACTED@a.example/");
    /// assert_eq!(redacted.span(), m.span());
    /// assert!(redacted.flags().contains(Flag::HasCredentials));
    /// ```
    pub fn redacted(&self) -> Option<Match<'h>> {
        let text = redacted(&self.text(), Form::Reference);
        let uri = redact(self.uri_str());
        let iri = self.iri().map(redact);
        let alternative = self.alternative().map(redact);
        let cleaned = |part: &Option<Cow<'_, str>>| matches!(part, Some(Cow::Owned(_)));
        let in_uri = matches!(uri, Cow::Owned(_)) || cleaned(&iri) || cleaned(&alternative);
        let text = match text {
            None if !in_uri => return None,
            // How secrets stand in a text that was read through or rejoined is not looked into.
            _ if in_uri => iri.as_deref().unwrap_or(&uri).as_bytes().to_vec(),
            text => text?,
        };
        let made = DerivedUri {
            text: Some(text),
            iri: iri.map(Cow::into_owned),
            uri: uri.into_owned(),
            ranges: self.ranges().to_vec(),
            alternative: alternative.map(Cow::into_owned),
        };
        Some(Match {
            haystack: self.haystack,
            span: self.span,
            kind: self.kind,
            wrapper: self.wrapper,
            flags: self.flags().with(Flag::Redacted),
            // Whatever part a secret stood in may hold what stands there now.
            parts: Uri::parse(&made.uri).ok()?.parts(),
            made: Some(Box::new(made)),
        })
    }

    /// What a redirector leads to, when that was asked for; the source stays what it is.
    pub(super) fn unwrap_redirectors(&mut self, options: &Options) {
        if options.unwrap == Unwrap::Never || matches!(self.kind, Kind::Email | Kind::Urn) {
            return;
        }
        let Some(uri) = unwrap(self.parsed()) else {
            return;
        };
        let Ok(parts) = Uri::parse(&uri).map(|uri| uri.parts()) else {
            return;
        };
        let made = self.made.take().map(|made| *made).unwrap_or_default();
        self.kind = Kind::Uri;
        self.parts = parts;
        self.flags.set(Flag::Unwrapped);
        self.made = Some(Box::new(DerivedUri {
            uri,
            iri: None,
            alternative: None,
            ..made
        }));
    }

    fn uri_str(&self) -> &str {
        self.made
            .as_deref()
            .map_or_else(|| self.plain(), |made| &made.uri)
    }

    fn plain(&self) -> &'h str {
        // A match without `made` was parsed by the RFC 3986 grammar, so it is ASCII.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

/// A candidate that is not a match, and why.
#[derive(Clone, Debug)]
pub struct Rejected<'h> {
    pub(super) haystack: &'h [u8],
    pub(super) span: Span,
    pub(super) reason: Reason,
    pub(super) at: usize,
}

impl<'h> Rejected<'h> {
    /// What was rejected, with everything that belongs to it.
    pub fn span(&self) -> Span {
        self.span
    }

    /// First byte of the rejected text.
    pub fn start(&self) -> usize {
        self.span.start()
    }

    /// One past the last byte of the rejected text.
    pub fn end(&self) -> usize {
        self.span.end()
    }

    /// The bytes of the source, as they stand.
    pub fn as_bytes(&self) -> &'h [u8] {
        self.haystack.get(self.span.range()).unwrap_or_default()
    }

    /// Why it was rejected.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Where in [`Rejected::as_bytes`] the fault stands (0-based, bytes).
    pub fn at(&self) -> usize {
        self.at
    }

    /// [`Rejected::as_bytes`] with `REDACTED` in place of secrets ([`redact`](crate::redact)); `None` when
    /// it holds none. What is broken may hide where a userinfo ends: all before the last `@` is taken out.
    ///
    /// ```
    /// use urigrep::{Finder, Finding};
    /// let finder = Finder::new();
    /// let finding = finder.findings(b"http://joe:p/w@a.example/").next();
    /// let Some(Finding::Rejected(rejected)) = finding else { unreachable!() };
    /// assert_eq!(rejected.redacted().unwrap(), b"http://REDACTED@a.example/");
    /// ```
    pub fn redacted(&self) -> Option<Vec<u8>> {
        redacted(self.as_bytes(), Form::Broken)
    }
}
