//! The result of [`Grammar::parse`](super::Grammar::parse): the rule that a text matched as a
//! whole, and its components under the names of the document.

use alloc::vec::Vec;
use core::ops::Range;

use super::document::Grammar;
use super::host::HostType;
use super::urn::Urn;
use crate::named::named_enum;
use crate::slice::SliceExt;

/// A text that a [`Grammar`] accepts, with its components.
///
/// All returned values borrow from the parsed text; nothing is decoded or normalized. An absent
/// component is not listed; an empty one is `""`.
///
/// ```
/// use urigrep::grammar::{Form, Rule};
/// use urigrep::Grammar;
/// let url = Grammar::Url1993.parse("gopher://gopher.micro.umn.edu/00/About")?;
/// assert_eq!(url.form(), Form::GopherAddress);
/// assert_eq!(url.get(Rule::Gtype), Some("0"));
/// assert_eq!(url.get(Rule::Selector), Some("0/About"));
/// let names: Vec<_> = url.components().map(|(rule, _)| rule.name()).collect();
/// assert_eq!(names, ["scheme", "host", "gtype", "selector"]);
/// # Ok::<(), urigrep::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    text: &'a str,
    grammar: Grammar,
    tree: ParseTree,
}

impl<'a> Parsed<'a> {
    /// Combines `text` and the tree that parsing it by `grammar` produced.
    pub(super) fn new(text: &'a str, grammar: Grammar, tree: ParseTree) -> Self {
        Self { text, grammar, tree }
    }

    /// The text as parsed.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// assert_eq!(Grammar::Rfc3986.parse("s:a")?.as_str(), "s:a");
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// The grammar that accepted it.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// assert_eq!(Grammar::Url1993.parse("news:*")?.grammar(), Grammar::Url1993);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn grammar(&self) -> Grammar {
        self.grammar
    }

    /// The rule of the grammar that the text matched, among those that a whole text may match.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// use urigrep::grammar::Form;
    /// assert_eq!(Grammar::Rfc3986.parse("urn:example:a")?.form(), Form::Urn);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn form(&self) -> Form {
        self.tree.form
    }

    /// The alternative of `host` that the host matches, if there is a host.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// use urigrep::grammar::HostType;
    /// let url = Grammar::UrlSyntax05.parse("http://a-b.example/")?;
    /// assert_eq!(url.host_type(), Some(HostType::Hostname));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub const fn host_type(&self) -> Option<HostType> {
        self.tree.host_type
    }

    /// The components that are present, in the order of their starts; one that contains others
    /// comes before them. [`Rule::Params`] and [`Rule::Attributes`] may occur several times.
    ///
    /// ```
    /// use urigrep::grammar::Rule;
    /// use urigrep::Grammar;
    /// let url = Grammar::UrlSyntax05.parse("ftp://me:@host.com/a;type=i")?;
    /// let parts: Vec<_> = url.components().collect();
    /// assert_eq!(parts[1..5], [
    ///     (Rule::Site, "me:@host.com"), (Rule::User, "me"), (Rule::Password, ""), (Rule::Host, "host.com"),
    /// ]);
    /// assert_eq!(parts[5..], [(Rule::Path, "/a;type=i"), (Rule::Params, "type=i")]);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn components(&self) -> impl Iterator<Item = (Rule, &'a str)> + '_ {
        self.tree.pieces.iter().map(|(rule, range)| (*rule, self.slice(range)))
    }

    /// The first component that matches `rule`.
    ///
    /// ```
    /// use urigrep::grammar::Rule;
    /// use urigrep::Grammar;
    /// let uri = Grammar::Rfc2396bis01.parse("http://a_b.example/")?;
    /// assert_eq!((uri.get(Rule::RegName), uri.get(Rule::Host)), (Some("a_b.example"), None));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn get(&self, rule: Rule) -> Option<&'a str> {
        let found = self.tree.pieces.iter().find(|(name, _)| *name == rule);
        found.map(|(_, range)| self.slice(range))
    }

    /// `urn:` NID `:` NSS, the part of a URN that names (RFC 8141 §1.1). `None` for any other text.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// let urn = Grammar::Rfc2141.parse("URN:foo:a123,456#b")?;
    /// assert_eq!(urn.assigned_name(), Some("URN:foo:a123,456"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn assigned_name(&self) -> Option<&'a str> {
        let mut pieces = self.tree.pieces.iter();
        let (_, nss) = pieces.find(|(rule, _)| *rule == Rule::Nss)?;
        self.text.get(..nss.end)
    }

    /// The text as a URN by RFC 8141, under the grammars that use it.
    ///
    /// ```
    /// use urigrep::Grammar;
    /// assert_eq!(Grammar::Rfc3986.parse("urn:isbn:0451450523")?.urn().unwrap().nid(), "isbn");
    /// assert!(Grammar::Rfc3986.parse("http://a.example/")?.urn().is_none());
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn urn(&self) -> Option<Urn<'a>> {
        match self.grammar {
            Grammar::Rfc3986 | Grammar::Rfc8141 if self.form() == Form::Urn => {
                Urn::parse(self.text).ok()
            }
            _ => None,
        }
    }

    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.part(range.clone())
    }
}

/// The result of a parser without the text: byte offsets of the components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParseTree {
    pub(super) form: Form,
    pub(super) host_type: Option<HostType>,
    pieces: Vec<(Rule, Range<usize>)>,
}

impl ParseTree {
    pub(super) fn new(form: Form) -> Self {
        Self { form, host_type: None, pieces: Vec::new() }
    }

    /// Creates the tree of a text whose scheme ends with the colon at `colon`.
    pub(super) fn with_scheme(form: Form, colon: usize) -> Self {
        let mut tree = Self::new(form);
        tree.push(Rule::Scheme, 0..colon);
        tree
    }

    pub(super) fn push(&mut self, rule: Rule, range: Range<usize>) {
        self.pieces.push((rule, range));
    }

    pub(super) fn push_some(&mut self, rule: Rule, range: Option<Range<usize>>) {
        if let Some(range) = range {
            self.push(rule, range);
        }
    }
}

named_enum! {
    "urigrep::grammar::Form", "forms";
    /// The rule that a whole text matched. `Display` and [`Form::name`] print the rule as its
    /// document writes it.
    ///
    /// ```
    /// use urigrep::grammar::Form;
    /// use urigrep::Grammar;
    /// let form = |text| Grammar::UrlSyntax05.parse(text).map(|url| url.form());
    /// assert_eq!(form("http://a-b.example/"), Ok(Form::GenericUrl));
    /// assert_eq!(form("http://a_b.example/"), Ok(Form::OpaqueUrl));
    /// assert_eq!(Form::OpaqueUrl.name(), "opaque-URL");
    /// ```
    pub enum Form {
        /// `URI` (RFC 3986 §3).
        Uri = "URI",
        /// `IRI`, with a character beyond ASCII (RFC 3987 §2.2).
        Iri = "IRI",
        /// A URN: RFC 8141 §2, RFC 2141 §2 or rfc2141bis-01 §2.
        Urn = "URN",
        /// `relative-ref` (RFC 3986 §4.2).
        RelativeRef = "relative-ref",
        /// `hier-part`: `//` authority, a path that starts with `/`, or no path (rfc2396bis-01 §3).
        HierPart = "hier-part",
        /// `opaque-part`: anything that does not start with `/` (rfc2396bis-01 §3).
        OpaquePart = "opaque-part",
        /// `relative-URI` (rfc2396bis-01 §5).
        RelativeUri = "relative-URI",
        /// `generic-URL` (url-syntax-05 §4.2).
        GenericUrl = "generic-URL",
        /// `opaque-URL`, for a text that is not a `generic-URL` (url-syntax-05 §4.2).
        OpaqueUrl = "opaque-URL",
        /// `relativeURL` (url-syntax-05 §5).
        RelativeUrl = "relativeURL",
        /// `generic`, with any scheme, including `x-` ones (url-1993).
        Generic = "generic",
        /// `httpaddress` (url-1993).
        HttpAddress = "httpaddress",
        /// `fileaddress`, whose scheme is ftp (url-1993).
        FileAddress = "fileaddress",
        /// `afsaddress` (url-1993).
        AfsAddress = "afsaddress",
        /// `newsaddress`: a group, an article or `*` (url-1993).
        NewsAddress = "newsaddress",
        /// `waisindex` (url-1993).
        WaisIndex = "waisindex",
        /// `waisdoc` (url-1993).
        WaisDoc = "waisdoc",
        /// `prosperolink` (url-1993).
        ProsperoLink = "prosperolink",
        /// `telnetaddress`, including the schemes rlogin and tn3270 (url-1993).
        TelnetAddress = "telnetaddress",
        /// `gopheraddress` (url-1993).
        GopherAddress = "gopheraddress",
        /// A partial form (url-1993, "Partial form"); the document has no rule for it.
        Partial = "partial form",
    }
}

impl Form {
    /// True for a reference without a scheme.
    ///
    /// ```
    /// use urigrep::grammar::Form;
    /// assert!(Form::RelativeRef.is_relative() && !Form::Uri.is_relative());
    /// ```
    pub const fn is_relative(self) -> bool {
        matches!(self, Self::RelativeRef | Self::RelativeUri | Self::RelativeUrl | Self::Partial)
    }
}

named_enum! {
    "urigrep::grammar::Rule", "rules";
    /// The rule that a component matched.
    pub enum Rule {
        /// The scheme, without its `:`.
        Scheme = "scheme",
        /// The text after `//` (RFC 3986 §3.2, rfc2396bis-01 §3.2).
        Authority = "authority",
        /// The text after `//` (url-syntax-05 §4.3.1).
        Site = "site",
        /// An authority that does not name a server (rfc2396bis-01 §3.2.1).
        RegName = "reg-name",
        /// The text before the `@` (RFC 3986 §3.2.1, rfc2396bis-01 §3.2.2).
        Userinfo = "userinfo",
        /// The user before the `@` (url-syntax-05 §4.3.1, url-1993).
        User = "user",
        /// The password after the `:` after the user (url-syntax-05 §4.3.1, url-1993 "FTP").
        Password = "password",
        /// The host; [`Parsed::host_type`] returns its type.
        Host = "host",
        /// The port after the `:` after the host.
        Port = "port",
        /// The cell of an afs URL (url-1993).
        Cellname = "cellname",
        /// The path, including its first `/` except in url-1993.
        Path = "path",
        /// A parameter after a `;` of the path (url-syntax-05 §4.3.2).
        Params = "params",
        /// The text after the scheme in an opaque URI (rfc2396bis-01 §3).
        OpaquePart = "opaque-part",
        /// The text after the scheme in an opaque URL (url-syntax-05 §4.1).
        SchemeSpecificPart = "scheme-specific-part",
        /// `*`, all news groups (url-1993).
        Groupart = "groupart",
        /// A news group (url-1993).
        Group = "group",
        /// A news article: its whole message identifier (url-1993).
        Article = "article",
        /// A WAIS database (url-1993).
        Database = "database",
        /// The type of a WAIS document (url-1993).
        Wtype = "wtype",
        /// The length of a WAIS document (url-1993).
        Digits = "digits",
        /// The name of an object at its host (url-1993 "Prospero").
        Hsoname = "hsoname",
        /// The version of that object (url-1993 "Prospero").
        Version = "version",
        /// One of its attributes (url-1993 "Prospero").
        Attributes = "attributes",
        /// The type character of a Gopher item (url-1993).
        Gtype = "gtype",
        /// The Gopher selector, without the type character (url-1993).
        Selector = "selector",
        /// The namespace identifier of a URN (RFC 8141 §2.1).
        Nid = "NID",
        /// The namespace specific string of a URN (RFC 8141 §2.2).
        Nss = "NSS",
        /// The text after `?`.
        Query = "query",
        /// The text after `?` (url-1993).
        Search = "search",
        /// The r-component of a URN, without its `?+` (RFC 8141 §2.3.1).
        RComponent = "r-component",
        /// The q-component of a URN, without its `?=` (RFC 8141 §2.3.2).
        QComponent = "q-component",
        /// The text after `#`.
        Fragment = "fragment",
        /// The text after `#` (url-1993).
        Fragmentid = "fragmentid",
        /// The f-component of a URN (RFC 8141 §2.3.3).
        FComponent = "f-component",
    }
}

impl Rule {
    /// True for a component that may occur several times.
    ///
    /// ```
    /// use urigrep::grammar::Rule;
    /// assert!(Rule::Params.repeats() && !Rule::Host.repeats());
    /// ```
    pub const fn repeats(self) -> bool {
        matches!(self, Self::Params | Self::Attributes)
    }
}
