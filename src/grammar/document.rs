//! Selects the document whose grammar judges a text: [`Grammar`], and the dispatch to its parser.

use super::component::Ucs;
use super::legacy::{rfc2141, rfc2396bis, url_1993, url_syntax};
use super::parsed::{Form, ParseTree, Parsed, Rule};
use super::parts::UriParts;
use super::urn::Urn;
use crate::error::ParseError;
use crate::named::named_enum;

named_enum! {
    "urigrep::Grammar", "grammars";
    /// A document that defines URIs, URLs or URNs.
    ///
    /// The older documents are complete grammars, not restrictions of the newest: each accepts
    /// texts that later ones reject, and the other way round. (But every URL of 1993 is one of
    /// 1997.)
    ///
    /// Where the grammar and the prose of a document differ, the grammar wins. That shows in these
    /// places:
    ///
    /// - [`Grammar::UrlSyntax05`]: by the greedy rule of §4.4, `//` always starts a site. An invalid
    ///   site, such as `a_b.example`, `h?q` or `example.com.`, makes the URL opaque.
    /// - [`Grammar::Rfc2396bis01`]: by the same rule (§4.3), `//` always starts an authority. If it is
    ///   not a server, such as `a_b.example` or `h:8a`, it is a reg-name. Any `?` after the first
    ///   character of an opaque part belongs to it.
    /// - [`Grammar::Url1993`] allows `generic` for all schemes, even those with an address: `http:a`
    ///   and `news:9` are `generic`. It has `//` only in addresses. Parts of a path, searches and
    ///   fragments are never empty, telnet has no path, and `gopher://h/` lacks a type. A host
    ///   continues with any `xalpha`: in `http://user@h/` it is `user@h`, and `h:8a` is a host, too.
    ///   Its schemes are lower case. From its errata: a path recurses, `"` and space are never
    ///   unencoded, ftp has user, password and port, and a scheme is a letter and then letters,
    ///   digits, `+`, `-` and `.`.
    /// - [`Grammar::Rfc2141`] has a NID of 1 to 32 characters. From its rule `reserved`, `?` and `#`
    ///   start a query and a fragment, `%` starts an escape, and `/` occurs only in those two.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// let accepts = |text| Vec::from_iter(Grammar::ALL.iter().map(|grammar| grammar.parse(text).is_ok()));
    /// // rfc3986, rfc2396bis-01, url-syntax-05, url-1993, rfc8141, rfc2141bis-01, rfc2141
    /// assert_eq!(accepts("http://[::1]/~x"), [true, true, false, false, false, false, false]);
    /// assert_eq!(accepts("2mail:a"), [false, false, true, false, false, false, false]);
    /// assert_eq!(accepts("urn:x-:a"), [false, true, true, true, false, true, true]);
    /// ```
    #[derive(Default)]
    pub enum Grammar {
        /// RFC 3986 and RFC 3987, and for the scheme `urn` RFC 8141 as well.
        #[default]
        Rfc3986 = "rfc3986",
        /// draft-fielding-uri-rfc2396bis-01 (2003).
        Rfc2396bis01 = "rfc2396bis-01",
        /// draft-fielding-url-syntax-05 (1997).
        UrlSyntax05 = "url-syntax-05",
        /// "Uniform Resource Locators", the Internet Draft of 14 July 1993.
        Url1993 = "url-1993",
        /// RFC 8141: URNs only.
        Rfc8141 = "rfc8141",
        /// draft-ietf-urnbis-rfc2141bis-urn-01 (2011): URNs only.
        Rfc2141bis01 = "rfc2141bis-01",
        /// RFC 2141 (1997): URNs only.
        Rfc2141 = "rfc2141",
    }
}

impl Grammar {
    /// Parses all of `text` in its absolute form, with an optional fragment: `URI` or `IRI` (RFC
    /// 3986), `absolute-URI-reference` (rfc2396bis-01), `absoluteURL [ "#" fragment ]`
    /// (url-syntax-05), `fragmentaddress` (url-1993), or a URN with its query and fragment.
    ///
    /// ```
    /// use urigrep::grammar::{Form, Rule};
    /// use urigrep::{ErrorKind, Grammar};
    /// let uri = Grammar::Rfc2396bis01.parse("mailto:list[1]@example.com#x")?;
    /// assert_eq!(uri.form(), Form::OpaquePart);
    /// assert_eq!(uri.get(Rule::OpaquePart), Some("list[1]@example.com"));
    /// let error = Grammar::Rfc3986.parse(uri.as_str()).unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (11, ErrorKind::PathCharacter));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the byte offset of the first byte that does not fit, and the reason. If the grammar
    /// has alternatives, the error is that of the one that got furthest.
    pub fn parse(self, text: &str) -> Result<Parsed<'_>, ParseError> {
        let tree = self.tree(text)?;
        Ok(Parsed::new(text, self, tree))
    }

    /// Parses all of `text` as a reference, which is absolute or relative: `URI-reference` or
    /// `IRI-reference` (RFC 3986), `URI-reference` (rfc2396bis-01 §4), `URL-reference`
    /// (url-syntax-05 §3), a URL or a partial form (url-1993). A URN has no relative form.
    ///
    /// ```
    /// use urigrep::grammar::{Form, Rule};
    /// use urigrep::Grammar;
    /// let reference = Grammar::UrlSyntax05.parse_reference("../g;x=1?y#s")?;
    /// assert_eq!(reference.form(), Form::RelativeUrl);
    /// assert_eq!(reference.get(Rule::Path), Some("../g;x=1"));
    /// assert_eq!(Grammar::Rfc3986.parse_reference("g")?.form(), Form::RelativeRef);
    /// assert_eq!(Grammar::Rfc3986.parse_reference("g:h")?.form(), Form::Uri);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`Grammar::parse`].
    pub fn parse_reference(self, text: &str) -> Result<Parsed<'_>, ParseError> {
        let bytes = text.as_bytes();
        let tree = match self {
            Self::Rfc3986 if !starts_urn(bytes) => {
                let parts = UriParts::parse_reference::<Ucs>(bytes)?;
                generic(bytes, parts)
            }
            Self::Rfc2396bis01 => rfc2396bis::reference(bytes)?,
            Self::UrlSyntax05 => url_syntax::reference(bytes)?,
            Self::Url1993 => url_1993::reference(bytes)?,
            _ => self.tree(text)?,
        };
        Ok(Parsed::new(text, self, tree))
    }

    fn tree(self, text: &str) -> Result<ParseTree, ParseError> {
        let bytes = text.as_bytes();
        match self {
            Self::Rfc3986 if starts_urn(bytes) => urn(text),
            Self::Rfc3986 => {
                let parts = UriParts::parse::<Ucs>(bytes)?;
                Ok(generic(bytes, parts))
            }
            Self::Rfc2396bis01 => rfc2396bis::absolute(bytes),
            Self::UrlSyntax05 => url_syntax::absolute(bytes),
            Self::Url1993 => url_1993::absolute(bytes),
            Self::Rfc8141 => urn(text),
            Self::Rfc2141bis01 => rfc2141::BIS_01.parse(bytes),
            Self::Rfc2141 => rfc2141::RFC_2141.parse(bytes),
        }
    }

    /// Judges a delimited text by an older grammar of URIs. The other grammars accept everything
    /// here: the newest one is checked in any case, and those of URNs where a URN is recognized.
    #[inline]
    pub(crate) fn judge(self, text: &[u8]) -> Result<(), ParseError> {
        match self {
            Self::Rfc3986 | Self::Rfc8141 | Self::Rfc2141bis01 | Self::Rfc2141 => Ok(()),
            Self::Rfc2396bis01 => rfc2396bis::absolute(text).map(drop),
            Self::UrlSyntax05 => url_syntax::absolute(text).map(drop),
            Self::Url1993 => url_1993::absolute(text).map(drop),
        }
    }
}

fn starts_urn(bytes: &[u8]) -> bool {
    bytes.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"urn:"))
}

/// Returns the tree of an IRI or IRI reference (RFC 3987 §2.2). Without a character beyond ASCII it
/// is a URI or URI reference (RFC 3986 §4.1).
fn generic(bytes: &[u8], parts: UriParts) -> ParseTree {
    let form = match parts.scheme() {
        None => Form::RelativeRef,
        Some(_) if bytes.is_ascii() => Form::Uri,
        Some(_) => Form::Iri,
    };
    let mut tree = ParseTree::new(form);
    tree.host_type = parts.host_type;
    tree.push_some(Rule::Scheme, parts.scheme());
    tree.push_some(Rule::Authority, parts.authority());
    tree.push_some(Rule::Userinfo, parts.userinfo());
    tree.push_some(Rule::Host, parts.host());
    tree.push_some(Rule::Port, parts.port());
    tree.push(Rule::Path, parts.path());
    tree.push_some(Rule::Query, parts.query());
    tree.push_some(Rule::Fragment, parts.fragment(bytes.len()));
    tree
}

/// Parses a `namestring` (RFC 8141 §2), with the components of its URI.
fn urn(text: &str) -> Result<ParseTree, ParseError> {
    let urn = Urn::parse(text)?;
    let parts = urn.to_uri().parts();
    let mut tree = ParseTree::new(Form::Urn);
    tree.push_some(Rule::Scheme, parts.scheme());
    tree.push(Rule::Path, parts.path());
    let nid_end = parts.path().start + urn.nid().len();
    tree.push(Rule::Nid, parts.path().start..nid_end);
    tree.push(Rule::Nss, nid_end + 1..parts.path().end);
    tree.push_some(Rule::Query, parts.query());
    let mut end = parts.path().end;
    for (rule, component) in
        [(Rule::RComponent, urn.r_component()), (Rule::QComponent, urn.q_component())]
    {
        if let Some(component) = component {
            // Skip the `?+` or `?=`.
            let start = end + 2;
            end = start + component.len();
            tree.push(rule, start..end);
        }
    }
    tree.push_some(Rule::Fragment, parts.fragment(text.len()));
    tree.push_some(Rule::FComponent, parts.fragment(text.len()));
    Ok(tree)
}
