//! Finds URIs by composing the stages: scan → delimit → grammar → [`Match`].

mod data;
mod exact;
mod finding;
mod findings;
mod flag_steps;
mod matched;
mod owned;
mod plan;
#[cfg(feature = "search")]
mod prefilter;
#[cfg(feature = "search")]
mod prefiltered;
#[cfg(feature = "std")]
mod reader;
mod window;

pub use exact::Relative;
pub use finding::{DetachedFinding, Finding, Rejected};
pub use findings::{FindIter, Findings};
pub use matched::Match;
pub use owned::OwnedMatch;
#[cfg(feature = "search")]
pub(crate) use prefilter::{Prefilter, Restriction};
#[cfg(feature = "search")]
pub(crate) use prefiltered::PrefilteredFindings;
#[cfg(feature = "std")]
pub use reader::{Feed, ReaderMatch, ReaderMatches};
pub use window::{Certainty, Progress, Rest, Resume, Window};

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use plan::SearchPlan;

use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::delimit::ExplainTarget;
use crate::error::ParseError;
use crate::grammar::{Grammar, HostMapping};
use crate::options::{
    Abbreviated, AssumedScheme, Charset, Detection, Email, Embedded, Identifiers, Lax, Options,
    Refang, Rejoin, SchemeSet, Shortcut, Unwrap,
};
use crate::scan::Kernel;
pub use crate::scheme::Recognizer;
pub use crate::trace::Step;

/// Finds URIs and URNs in bytes.
///
/// A finder holds its options and a search plan derived from them. It is cheap to clone, `Send` and
/// `Sync`; it opens no file and starts no thread.
///
/// ```
/// use urigrep::Finder;
/// let finder = Finder::new();
/// let m = finder.find(b"(see http://example.com/a_(b).)").unwrap();
/// assert_eq!((m.start(), m.end()), (5, 29));
/// assert_eq!(m.uri(), "http://example.com/a_(b)");
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    options: Options,
    plan: SearchPlan,
}

/// A finder is not changed by a search, so a panic in the host mapping of the caller leaves it whole.
impl UnwindSafe for Finder {}
impl RefUnwindSafe for Finder {}

impl Default for Finder {
    fn default() -> Self {
        FinderBuilder::default().build()
    }
}

impl Finder {
    /// Creates a finder with the default options: any scheme, IRIs, lax repair, Appendix C
    /// rejoining.
    ///
    /// ```
    /// assert!(urigrep::Finder::new().is_match(b"see http://a.example"));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a builder to choose other options.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Lax;
    /// let strict = Finder::builder().lax(Lax::Reject).build();
    /// assert!(!strict.is_match(b"http://a.example/{b}|c"));
    /// ```
    pub fn builder() -> FinderBuilder {
        FinderBuilder::default()
    }

    /// Returns the matches in `haystack`, in order and without overlap (except with
    /// [`Embedded::Report`]).
    ///
    /// If the haystack is a `str`, every span and range starts and ends on a character boundary, so
    /// it can index the `str`.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let finder = Finder::new();
    /// let mut found = finder.find_iter("http://a.example, urn:ietf:rfc:3986.");
    /// assert_eq!(found.next().unwrap().uri(), "http://a.example");
    /// assert_eq!(found.next().unwrap().uri(), "urn:ietf:rfc:3986");
    /// assert!(found.next().is_none());
    /// ```
    #[doc(alias = "extract")]
    #[doc(alias = "find_urls")]
    #[doc(alias = "links")]
    pub fn find_iter<'f, 'h>(
        &'f self,
        haystack: &'h (impl AsRef<[u8]> + ?Sized),
    ) -> FindIter<'f, 'h> {
        FindIter::new(self.findings(haystack))
    }

    /// Returns the text with other texts in place of its matches, or the same text if it has none.
    ///
    /// [`linkify`](crate::linkify) makes HTML, and `change` edits documents in the syntax of each
    /// place.
    ///
    /// ```
    /// let finder = urigrep::Finder::new();
    /// let text = "see <http://a.example/\nb> and urn:example:a.";
    /// let short = finder.replace_all(text, |m| format!("[{}]", m.host().unwrap_or("-")));
    /// assert_eq!(short, "see <[a.example]> and [-].");
    /// ```
    pub fn replace_all<'h, R: AsRef<str>>(
        &self,
        text: &'h str,
        mut replacement: impl FnMut(&Match<'h>) -> R,
    ) -> Cow<'h, str> {
        let mut out = String::new();
        let mut end = 0;
        for m in self.find_iter(text) {
            // A match may be inside the one before it (D4.7).
            let Some(between) = text.get(end..m.start()) else { continue };
            out.push_str(between);
            out.push_str(replacement(&m).as_ref());
            end = m.end();
        }
        if end == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(text.get(end..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// Returns the first match.
    ///
    /// ```
    /// let m = urigrep::Finder::new().find("see urn:example:a, urn:example:b").unwrap();
    /// assert_eq!(m.uri(), "urn:example:a");
    /// ```
    pub fn find<'h>(&self, haystack: &'h (impl AsRef<[u8]> + ?Sized)) -> Option<Match<'h>> {
        self.find_iter(haystack).next()
    }

    /// True if there is a match.
    ///
    /// ```
    /// assert!(!urigrep::Finder::new().is_match("note: 12:30, std::fmt"));
    /// ```
    pub fn is_match(&self, haystack: &(impl AsRef<[u8]> + ?Sized)) -> bool {
        self.find(haystack).is_some()
    }

    /// Returns matches and rejected candidates, in order.
    ///
    /// ```
    /// use urigrep::{Finder, Finding};
    /// let finder = Finder::new();
    /// let found: Vec<_> = finder.findings(b"http://a.example hxxp://b[.]example").collect();
    /// assert!(matches!(found[..], [Finding::Match(_), Finding::Rejected(_)]));
    /// ```
    pub fn findings<'f, 'h>(
        &'f self,
        haystack: &'h (impl AsRef<[u8]> + ?Sized),
    ) -> Findings<'f, 'h> {
        self.find_in(haystack.as_ref(), Rest::End)
    }

    #[cfg(feature = "search")]
    pub(crate) fn identifiers(&self) -> Identifiers {
        self.options.identifiers()
    }

    #[cfg(feature = "search")]
    pub(crate) fn embedded(&self) -> Embedded {
        self.options.embedded
    }

    /// True if no text without a `:` has a match, so that a caller may skip such texts. With the
    /// default options it is true; [`Abbreviated`], [`Email`] and [`Identifiers`] look for more.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Email;
    /// assert!(Finder::new().needs_colon());
    /// assert!(!Finder::builder().email(Email::Report).build().needs_colon());
    /// ```
    pub fn needs_colon(&self) -> bool {
        self.plan.needs_colon()
    }

    /// False if `haystack` cannot contain a match. It spares callers with many short texts the
    /// setup of a search.
    #[cfg(feature = "search")]
    #[inline]
    pub(crate) fn may_find(&self, haystack: &[u8]) -> bool {
        !self.plan.needs_colon() || memchr::memchr(b':', haystack).is_some()
    }

    /// Returns the position from which a text must be searched, or `None` if it has no match. This
    /// is cheaper than starting a search.
    #[cfg(feature = "search")]
    #[inline]
    pub(crate) fn first_lead(&self, haystack: &[u8]) -> Option<Resume> {
        match self.plan.first(haystack) {
            Some(at) => (at < haystack.len()).then(|| Resume::at(at)),
            None => self.may_find(haystack).then(Resume::default),
        }
    }

    /// Returns the rules that decided a finding of this finder, in order, each with the text that
    /// it acted on. Its flags follow under their names.
    ///
    /// ```
    /// let finder = urigrep::Finder::new();
    /// let finding = finder.findings(b"<http://a.example>").next().unwrap();
    /// assert_eq!(finder.explain(&finding)[0].rule, "D1.2");
    /// ```
    pub fn explain<'h>(&self, finding: &Finding<'h>) -> Vec<Step<'h>> {
        let (haystack, span, rejected) = match finding {
            Finding::Match(m) => (m.haystack, m.span(), None),
            Finding::Rejected(rejected) => {
                (rejected.haystack, rejected.span(), Some(rejected.reason()))
            }
            // Its format found its ends, not a rule.
            Finding::Relative(_) => return Vec::new(),
        };
        let mut steps =
            crate::delimit::explain(haystack, ExplainTarget { span, rejected }, &self.options);
        if let Finding::Match(m) = finding {
            steps.extend(m.flag_steps());
        }
        steps
    }

    /// Returns the mapping of hosts beyond ASCII; see [`FinderBuilder::host_mapping`].
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::HostMapping;
    /// assert_eq!(Finder::new().host_mapping(), HostMapping::PERCENT_ENCODED);
    /// ```
    pub fn host_mapping(&self) -> HostMapping {
        self.options.hosts
    }

    /// Returns the findings that are certain in a window of a longer text.
    ///
    /// With [`Rest::More`], a finding that more text could change is held back. Once the iterator
    /// ends, [`Findings::progress`] returns the number of consumed bytes and the state to resume
    /// with. Drop these bytes, append the next ones, and search [`Window::resumed`]. The findings
    /// do not depend on how the text is cut. Offsets count from the start of the window. A window
    /// never needs to hold more than the longest URI (`max_uri`) and [`Finder::LOOKAHEAD`].
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::finder::{Rest, Window};
    /// let (finder, mut window) = (Finder::new(), b"see http://exam".to_vec());
    /// let mut findings = finder.find_in(&window[..], Rest::More);
    /// assert!(findings.next().is_none()); // the host may continue
    /// let progress = findings.progress();
    /// window.drain(..progress.consumed);
    /// window.extend_from_slice(b"ple.com/");
    /// let found = finder.find_in(Window::resumed(&window, progress.resume), Rest::End).next();
    /// assert!(found.is_some());
    /// ```
    pub fn find_in<'f, 'h>(
        &'f self,
        window: impl Into<Window<'h>>,
        rest: Rest,
    ) -> Findings<'f, 'h> {
        Findings::new((&self.options, &self.plan), window.into(), rest)
    }

    /// The most bytes after its opening at which a wrapper may close (D3.5).
    pub const MAX_WRAPPER_LENGTH: usize = crate::delimit::WRAPPER_BYTES;

    /// The most bytes past the end of a URI that the rules may read (D3.5, and the text after a
    /// wrapper).
    pub const LOOKAHEAD: usize = crate::delimit::LOOKAHEAD;

    /// The most bytes before the `:` of a scheme that the rules may read. A window needs no more
    /// bytes before the position at which it resumes.
    pub const LOOKBEHIND: usize = crate::delimit::LOOKBEHIND;
}

/// Options of a [`Finder`].
///
/// ```
/// use urigrep::options::Schemes;
/// use urigrep::Finder;
/// let finder = Finder::builder().schemes(Schemes::Known).build();
/// assert!(!finder.is_match(b"myapp://open"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FinderBuilder {
    options: Options,
}

impl FinderBuilder {
    /// Sets the schemes of URIs: [`Schemes::Any`](crate::options::Schemes::Any) by default,
    /// [`Schemes::Known`](crate::options::Schemes::Known), or a list.
    ///
    /// With a list, nothing else is reported, whether it has a scheme, is
    /// [abbreviated](Self::abbreviated), or is rejected. Case does not matter.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Schemes;
    /// let finder = Finder::builder().schemes(Schemes::Known).build();
    /// assert!(finder.is_match("http://a.example") && !finder.is_match("myapp://a.example"));
    /// let finder = Finder::builder().schemes(["https", "urn"]).build();
    /// assert!(finder.is_match("HTTPS://a.example") && !finder.is_match("http://a.example"));
    /// ```
    pub fn schemes(mut self, schemes: impl Into<SchemeSet>) -> Self {
        let SchemeSet { rule, only } = schemes.into();
        self.options.schemes = rule;
        self.options.only_schemes = only;
        self
    }

    /// Sets the characters of which a URI consists; [`Charset::Iri`] by default.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Charset;
    /// let finder = Finder::builder().charset(Charset::Ascii).build();
    /// assert_eq!(finder.find("http://a.example/b。".as_bytes()).unwrap().uri(), "http://a.example/b");
    /// ```
    pub fn charset(mut self, charset: Charset) -> Self {
        self.options.charset = charset;
        self
    }

    /// Sets whether URIs with characters that no RFC allows are repaired; [`Lax::Repair`] by
    /// default.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Lax;
    /// let text = b"http://a.example/{b}";
    /// assert_eq!(Finder::new().find(text).unwrap().uri(), "http://a.example/%7Bb%7D");
    /// assert!(!Finder::builder().lax(Lax::Reject).build().is_match(text));
    /// ```
    pub fn lax(mut self, lax: Lax) -> Self {
        self.options.lax = lax;
        self
    }

    /// Sets whether URIs inside URIs are reported; [`Embedded::Skip`] by default.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Embedded;
    /// let finder = Finder::builder().embedded(Embedded::Report).build();
    /// assert_eq!(finder.find_iter(b"http://a.example/?u=http://b.example/").count(), 2);
    /// ```
    pub fn embedded(mut self, embedded: Embedded) -> Self {
        self.options.embedded = embedded;
        self
    }

    /// Sets which line breaks inside a URI are removed; [`Rejoin::Wrapped`] by default.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Rejoin;
    /// let finder = Finder::builder().rejoin(Rejoin::Never).build();
    /// assert_eq!(finder.find(b"<http://a.example/\nb>").unwrap().uri(), "http://a.example/");
    /// ```
    pub fn rejoin(mut self, rejoin: Rejoin) -> Self {
        self.options.rejoin = rejoin;
        self
    }

    /// Sets the handling of defanged URIs, which are unclickable on purpose; [`Refang::Reject`] by
    /// default.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Refang;
    /// let finder = Finder::builder().refang(Refang::Read).build();
    /// assert_eq!(finder.find(b"hxxp://a[.]example").unwrap().uri(), "http://a.example");
    /// ```
    pub fn refang(mut self, refang: Refang) -> Self {
        self.options.refang = refang;
        self
    }

    /// Sets whether redirectors are replaced by their targets; [`Unwrap::Never`] by default.
    ///
    /// ```
    /// use urigrep::options::Unwrap;
    /// use urigrep::{Finder, Flag};
    /// let finder = Finder::builder().unwrap(Unwrap::Redirectors).build();
    /// let m = finder.find(b"https://www.google.com/url?q=http://a.example/&sa=D").unwrap();
    /// assert_eq!(m.uri(), "http://a.example/");
    /// assert_eq!(m.as_bytes(), b"https://www.google.com/url?q=http://a.example/&sa=D");
    /// assert!(m.flags().contains(Flag::Unwrapped));
    /// ```
    pub fn unwrap(mut self, unwrap: Unwrap) -> Self {
        self.options.unwrap = unwrap;
        self
    }

    /// Sets whether URIs without a scheme are reported (D7); [`Abbreviated::Skip`] by default.
    ///
    /// ```
    /// use urigrep::options::Abbreviated;
    /// use urigrep::{Finder, Kind};
    /// let finder = Finder::builder().abbreviated(Abbreviated::Report).build();
    /// let m = finder.find(b"(see www.example.com/a_(b).)").unwrap();
    /// assert_eq!((m.as_bytes(), m.kind()), (&b"www.example.com/a_(b)"[..], Kind::Abbreviated));
    /// assert_eq!(m.uri(), "https://www.example.com/a_(b)");
    /// assert!(!finder.is_match(b"fn main() of main.rs, e.g. self.name"));
    /// ```
    pub fn abbreviated(mut self, abbreviated: Abbreviated) -> Self {
        self.options.abbreviated = abbreviated;
        self
    }

    /// Sets the scheme of URIs without one; [`AssumedScheme::Https`] by default.
    ///
    /// ```
    /// use urigrep::options::{Abbreviated, AssumedScheme};
    /// use urigrep::Finder;
    /// let builder = Finder::builder().abbreviated(Abbreviated::Report);
    /// let finder = builder.assume_scheme(AssumedScheme::Http).build();
    /// assert_eq!(finder.find(b"www.example.com").unwrap().uri(), "http://www.example.com");
    /// ```
    pub fn assume_scheme(mut self, scheme: AssumedScheme) -> Self {
        self.options.assume = scheme;
        self
    }

    /// Sets whether mail addresses without `mailto:` are reported (D7); [`Email::Skip`] by default.
    ///
    /// ```
    /// use urigrep::options::Email;
    /// use urigrep::{Finder, Kind};
    /// let finder = Finder::builder().email(Email::Report).build();
    /// let m = finder.find(b"Write to jo+list@example.org.").unwrap();
    /// assert_eq!((m.as_bytes(), m.kind()), (&b"jo+list@example.org"[..], Kind::Email));
    /// assert_eq!(m.uri(), "mailto:jo+list@example.org");
    /// ```
    pub fn email(mut self, email: Email) -> Self {
        self.options.email = email;
        self
    }

    /// Sets whether DOIs, ISBNs and similar identifiers are reported as people write them (D7);
    /// [`Identifiers::Skip`] by default. Each is reported as its URI, with kind
    /// [`Kind::Abbreviated`](crate::Kind::Abbreviated).
    ///
    /// ```
    /// use urigrep::options::Identifiers;
    /// use urigrep::{Finder, Flag};
    /// let finder = Finder::builder().identifiers(Identifiers::All).build();
    /// let text = b"DOI 10.17487/RFC6537, ISBN 978-0-306-40615-7";
    /// let found: Vec<_> = finder.find_iter(text).map(|m| m.uri().into_owned()).collect();
    /// assert_eq!(found, ["doi:10.17487/RFC6537", "urn:isbn:9780306406157"]);
    /// let wrong = finder.find(b"ISBN 978-0-306-40615-8").unwrap();
    /// assert!(wrong.flags().contains(Flag::UrnNssInvalid));
    /// ```
    pub fn identifiers(mut self, identifiers: Identifiers) -> Self {
        self.options.identifiers = identifiers;
        self
    }

    /// Sets the rules that find links; [`Detection::Rules`] by default.
    ///
    /// ```
    /// use urigrep::options::Detection;
    /// use urigrep::Finder;
    /// let finder = Finder::builder().detection(Detection::Uts58).build();
    /// let m = finder.find("See example.com/αβγ/δεζ?δ. εφ".as_bytes()).unwrap();
    /// assert_eq!(m.text(), "example.com/αβγ/δεζ?δ".as_bytes());
    /// ```
    pub fn detection(mut self, detection: Detection) -> Self {
        self.options.detection = detection;
        self
    }

    /// Sets the grammar that judges a URI once its ends are found; [`Grammar::Rfc3986`] by default.
    ///
    /// The grammar does not decide where a URI starts and ends, with one exception: under
    /// [`Grammar::Rfc2141bis01`] and [`Grammar::Rfc2141`] a URN ends before the first character
    /// that they exclude. These and [`Grammar::Rfc8141`] judge only URNs. A URI that the grammar
    /// does not accept is rejected with its reason. An accepted one must still be a URI under RFC
    /// 3986, or become one by repair. Addresses without `mailto:` are not judged.
    ///
    /// ```
    /// use urigrep::{ErrorKind, Finder, Finding, Grammar, Reason};
    /// let finder = Finder::builder().grammar(Grammar::Url1993).build();
    /// assert!(finder.is_match(b"gopher://gopher.micro.umn.edu/00/About"));
    /// let Some(Finding::Rejected(rejected)) = finder.findings(b"http://a.example/~x").next() else {
    ///     panic!("`~` came later")
    /// };
    /// assert_eq!((rejected.at(), rejected.reason()), (17, Reason::Grammar(ErrorKind::PathCharacter)));
    ///
    /// let finder = Finder::builder().grammar(Grammar::Rfc2141bis01).build();
    /// assert_eq!(finder.find(b"urn:example:a/b").unwrap().uri(), "urn:example:a");
    /// ```
    pub fn grammar(mut self, grammar: Grammar) -> Self {
        self.options.grammar = grammar;
        self
    }

    /// Adds a custom scheme that is written without `//`, with its own syntax; see [`Recognizer`].
    ///
    /// It overrides the built-in recognizer of that scheme.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let digits = |text: &[u8]| Some(text.iter().take_while(|byte| byte.is_ascii_digit()).count()).filter(|&n| n > 0);
    /// let finder = Finder::builder().recognizer("bug", digits)?.build();
    /// assert_eq!(finder.find(b"see bug:1234.").unwrap().uri(), "bug:1234");
    /// assert!(!finder.is_match(b"a bug:none"));
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `scheme` is not a scheme of 2 to 64 characters (RFC 3986 §3.1).
    pub fn recognizer(
        mut self,
        scheme: &str,
        recognizer: impl Recognizer + 'static,
    ) -> Result<Self, ParseError> {
        let recognizers = &mut self.options.recognizers;
        recognizers.add(scheme, Arc::new(recognizer))?;
        Ok(self)
    }

    /// Sets how a host beyond ASCII is mapped to the host of a URI;
    /// [`HostMapping::PERCENT_ENCODED`] by default, regardless of the compiled features.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::HostMapping;
    /// let text = "http://bücher.example".as_bytes();
    /// assert_eq!(Finder::new().find(text).unwrap().uri(), "http://b%C3%BCcher.example");
    /// if let Ok(idna) = HostMapping::idna() {
    ///     let finder = Finder::builder().host_mapping(idna).build();
    ///     assert_eq!(finder.find(text).unwrap().uri(), "http://xn--bcher-kva.example");
    /// }
    /// ```
    pub fn host_mapping(mut self, hosts: HostMapping) -> Self {
        self.options.hosts = hosts;
        self
    }

    /// Sets the longest URI in bytes (1 MiB by default, 2 GiB at most). A longer URI is rejected,
    /// never cut (D4.10).
    ///
    /// ```
    /// let finder = urigrep::Finder::builder().max_uri(20).build();
    /// assert!(finder.is_match(b"http://a.example/b") && !finder.is_match(b"http://a.example/bcdef"));
    /// ```
    pub fn max_uri(mut self, bytes: usize) -> Self {
        self.options.max_uri = bytes.min(i32::MAX as usize);
        self
    }

    /// Sets how many bytes after its opening a wrapper may close (D3.5).
    /// [`Finder::MAX_WRAPPER_LENGTH`] is the default and the maximum, because [`Finder::LOOKAHEAD`]
    /// follows from it. In a longer wrapper, a URI ends with its line.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let text = b"<http://a.example/\n  b>";
    /// assert_eq!(Finder::new().find(text).unwrap().uri(), "http://a.example/b");
    /// let finder = Finder::builder().max_wrapper(20).build();
    /// assert_eq!(finder.find(text).unwrap().uri(), "http://a.example/");
    /// ```
    pub fn max_wrapper(mut self, bytes: usize) -> Self {
        self.options.max_wrapper = bytes.min(Finder::MAX_WRAPPER_LENGTH);
        self
    }

    /// Sets the loop that scans for candidates, for tests and benchmarks; [`Kernel::Auto`] by
    /// default.
    ///
    /// ```
    /// use urigrep::Finder;
    /// use urigrep::options::Kernel;
    /// let finder = Finder::builder().kernel(Kernel::Portable).build();
    /// assert!(finder.is_match(b"http://a.example"));
    /// ```
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.options.kernel = kernel;
        self
    }

    /// Sets whether the common case is delimited in one pass; for tests.
    #[doc(hidden)]
    pub fn shortcut(mut self, shortcut: Shortcut) -> Self {
        self.options.shortcut = shortcut;
        self
    }

    /// Builds the finder.
    ///
    /// ```
    /// assert!(urigrep::Finder::builder().build().is_match(b"http://a.example"));
    /// ```
    pub fn build(self) -> Finder {
        Finder { plan: SearchPlan::new(&self.options), options: self.options }
    }
}

#[cfg(test)]
mod tests {
    use super::Finder;

    #[test]
    fn is_send_and_sync() {
        fn shared<T: Send + Sync>(_: T) {}
        shared(Finder::new());
    }
}
