//! Results of a search: a [`Finding`] is a match, a relative reference or a [`Rejected`] candidate.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::data::{MatchData, source_accessors};
use super::exact::Relative;
use super::matched::{DebugText, Match};
use crate::error::Reason;
#[cfg(feature = "search")]
use crate::kind::Flag;
use crate::kind::{Flags, Wrapper};
use crate::redact::{TextForm, redacted};
use crate::span::Span;

/// One result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding<'h> {
    /// A URI, IRI or URN.
    Match(Match<'h>),
    /// A relative reference; only [`Finder::reference`](crate::Finder::reference) returns one.
    Relative(Relative<'h>),
    /// A candidate that was probably meant as a URI, and why it is not a match.
    Rejected(Rejected<'h>),
}

impl<'h> Finding<'h> {
    /// Marks a match that may continue where its text was cut.
    #[cfg(feature = "search")]
    pub(crate) fn mark_cut(&mut self) {
        if let Finding::Match(found) = self {
            found.data.flags.set(Flag::MaybeCut);
        }
    }

    /// The bytes of the searched text, unchanged.
    ///
    /// ```
    /// use urigrep::Finder;
    /// let finder = Finder::new();
    /// assert_eq!(finder.findings(b"(tel:110)").next().unwrap().as_bytes(), b"tel:110");
    /// ```
    pub fn as_bytes(&self) -> &'h [u8] {
        match self {
            Self::Match(m) => m.as_bytes(),
            Self::Relative(relative) => relative.as_bytes(),
            Self::Rejected(rejected) => rejected.as_bytes(),
        }
    }

    /// Span in 0-based bytes of the searched text.
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

    /// The scheme as written, or the text before the first colon of a rejected candidate. Empty for
    /// a relative reference.
    pub(super) fn scheme(&self) -> &[u8] {
        match self {
            Self::Match(m) => m.scheme_as_written().as_bytes(),
            Self::Relative(_) => b"",
            Self::Rejected(rejected) => {
                rejected.as_bytes().split(|&byte| byte == b':').next().unwrap_or_default()
            }
        }
    }

    /// The delimiters around it; `None` for a rejected candidate.
    ///
    /// ```
    /// use urigrep::{Finder, Wrapper};
    /// let finder = Finder::new();
    /// let finding = finder.findings(b"see <http://a.example/>").next().unwrap();
    /// assert_eq!(finding.wrapper(), Some(Wrapper::Angle));
    /// ```
    pub fn wrapper(&self) -> Option<Wrapper> {
        match self {
            Self::Match(m) => Some(m.wrapper()),
            Self::Relative(relative) => Some(relative.wrapper()),
            Self::Rejected(_) => None,
        }
    }

    /// Its flags; a rejected candidate has none.
    ///
    /// ```
    /// use urigrep::{Finder, Flag};
    /// let finder = Finder::new();
    /// let finding = finder.findings(b"http://jo:pw@a.example/").next().unwrap();
    /// assert!(finding.flags().contains(Flag::HasCredentials));
    /// ```
    pub fn flags(&self) -> Flags {
        match self {
            Self::Match(m) => m.flags(),
            Self::Relative(relative) => relative.flags(),
            Self::Rejected(_) => Flags::default(),
        }
    }

    /// The spans that make it up, if there are several; empty for the usual finding of one
    /// [`span`](Self::span).
    ///
    /// ```
    /// use urigrep::Finder;
    /// let finder = Finder::new();
    /// let text = b"<http://a.example/\n  b> and http://c.example/";
    /// let findings: Vec<_> = finder.findings(text).collect();
    /// let spans: Vec<_> = findings[0].ranges().iter().map(|span| span.range()).collect();
    /// assert_eq!(spans, [1..18, 21..22]);
    /// assert!(findings[1].ranges().is_empty());
    /// ```
    pub fn ranges(&self) -> &[Span] {
        match self {
            Self::Match(m) => m.ranges(),
            Self::Relative(relative) => relative.ranges(),
            Self::Rejected(_) => &[],
        }
    }

    /// Detaches the finding from its text. The result borrows nothing, so it can be sent to another
    /// thread separately from the buffer.
    ///
    /// ```
    /// use urigrep::finder::DetachedFinding;
    /// use urigrep::{Finder, Finding};
    /// let text = b"see http://a.example".to_vec();
    /// let waiting: Vec<DetachedFinding> = Finder::new().findings(&text).map(Finding::detach).collect();
    /// let moved = text;
    /// let found = waiting.into_iter().map(|finding| finding.attach(&moved)).next();
    /// assert!(matches!(found, Some(Finding::Match(m)) if m.uri() == "http://a.example"));
    /// ```
    #[must_use]
    pub fn detach(self) -> DetachedFinding {
        DetachedFinding(match self {
            Self::Match(m) => Detached::Match(m.data),
            Self::Relative(relative) => Detached::Relative(relative.data),
            Self::Rejected(rejected) => Detached::Rejected(rejected.data),
        })
    }

    /// Returns the finding with the delimiters that its format has; see
    /// [`Finder::reference`](crate::Finder::reference).
    ///
    /// ```
    /// use urigrep::{Finder, Finding, Wrapper};
    /// let finding = Finder::new().reference(b"http://a.example").unwrap();
    /// let Finding::Match(m) = finding.delimited_by(Wrapper::Quote) else { panic!() };
    /// assert_eq!(m.wrapper(), Wrapper::Quote);
    /// ```
    #[must_use]
    pub fn delimited_by(mut self, by: Wrapper) -> Self {
        match &mut self {
            Self::Match(m) => m.data.wrapper = by,
            Self::Relative(relative) => relative.data.wrapper = by,
            Self::Rejected(_) => {}
        }
        self
    }
}

/// A [`Finding`] without its text: `Send`, `'static`, and unusable until [`attach`](Self::attach)
/// gives it a text again.
///
/// ```
/// use urigrep::finder::DetachedFinding;
/// use urigrep::Finder;
/// let text = b"(http://a.example)";
/// let detached: DetachedFinding = Finder::new().findings(text).next().unwrap().detach();
/// assert_eq!(detached.span().range(), 1..17);
/// assert_eq!(detached.attach(text).span().range(), 1..17);
/// ```
#[derive(Clone, Debug)]
pub struct DetachedFinding(Detached);

#[derive(Clone, Debug)]
enum Detached {
    Match(MatchData),
    Relative(MatchData),
    Rejected(RejectedData),
}

impl DetachedFinding {
    /// Span in 0-based bytes of the searched text.
    ///
    /// ```
    /// let finding = urigrep::Finder::new().findings(b"<http://a.example>").next().unwrap();
    /// assert_eq!(finding.detach().span().range(), 1..17);
    /// ```
    pub fn span(&self) -> Span {
        match &self.0 {
            Detached::Match(data) | Detached::Relative(data) => data.span,
            Detached::Rejected(data) => data.span,
        }
    }

    /// Returns the finding in `text`, which must have the same bytes at its span as the searched
    /// text.
    ///
    /// If `text` is too short, or is not ASCII where a plain match was, the result is
    /// [`Finding::Rejected`] with [`Reason::OtherText`]. Its `as_bytes()` is empty if `text` is too
    /// short.
    ///
    /// ```
    /// use urigrep::{Finder, Finding, Reason};
    /// let finding = Finder::new().findings(b"see http://a.example").next().unwrap().detach();
    /// let Finding::Rejected(rejected) = finding.attach(b"see") else { panic!() };
    /// assert_eq!((rejected.reason(), rejected.as_bytes()), (Reason::OtherText, &b""[..]));
    /// ```
    #[must_use]
    pub fn attach(self, haystack: &[u8]) -> Finding<'_> {
        match self.0 {
            Detached::Match(data) if data.fits(haystack) => {
                Finding::Match(Match { haystack, data })
            }
            Detached::Relative(data) if data.fits(haystack) => {
                Finding::Relative(Relative { haystack, data })
            }
            Detached::Match(data) | Detached::Relative(data) => {
                Rejected::finding(haystack, data.span, Reason::OtherText, 0)
            }
            Detached::Rejected(data) => Finding::Rejected(Rejected { haystack, data }),
        }
    }
}

/// A candidate that is not a match, and why.
///
/// ```
/// use urigrep::{Finder, Finding, Reason};
/// let Some(Finding::Rejected(rejected)) = Finder::new().findings(b"hxxp://a[.]example").next() else { panic!() };
/// assert_eq!(rejected.reason(), Reason::Defanged);
/// ```
#[derive(Clone)]
pub struct Rejected<'h> {
    pub(super) haystack: &'h [u8],
    data: RejectedData,
}

/// A rejected candidate without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RejectedData {
    span: Span,
    reason: Reason,
    at: usize,
}

impl<'h> Rejected<'h> {
    pub(super) fn finding(
        haystack: &'h [u8],
        span: Span,
        reason: Reason,
        at: usize,
    ) -> Finding<'h> {
        let data = RejectedData { span, reason, at };
        Finding::Rejected(Rejected { haystack, data })
    }

    source_accessors!();

    /// Reason for the rejection.
    ///
    /// ```
    /// let finder = urigrep::Finder::new();
    /// let Some(urigrep::Finding::Rejected(r)) = finder.findings(b" http://{b}/").next() else { panic!() };
    /// assert_eq!(r.reason(), urigrep::Reason::Template);
    /// ```
    pub fn reason(&self) -> Reason {
        self.data.reason
    }

    /// Byte offset of the fault in [`Rejected::as_bytes`].
    ///
    /// ```
    /// let finder = urigrep::Finder::new();
    /// let Some(urigrep::Finding::Rejected(r)) = finder.findings(b" http://{b}/").next() else { panic!() };
    /// assert_eq!(r.at(), 7);
    /// ```
    pub fn at(&self) -> usize {
        self.data.at
    }

    /// [`Rejected::as_bytes`] with `REDACTED` in place of secrets ([`redact`](crate::redact)), or
    /// `None` if it holds none. A malformed URI may not show where its userinfo ends, so everything
    /// before the last `@` is removed.
    ///
    /// ```
    /// use urigrep::{Finder, Finding};
    /// let finder = Finder::new();
    /// let finding = finder.findings(b"http://joe:p/w@a.example/").next();
    /// let Some(Finding::Rejected(rejected)) = finding else { unreachable!() };
    /// assert_eq!(rejected.redacted().unwrap(), b"http://REDACTED@a.example/");
    /// ```
    pub fn redacted(&self) -> Option<Vec<u8>> {
        redacted(self.as_bytes(), TextForm::Broken)
    }
}

/// Writes its text, with U+FFFD for bytes that are not UTF-8.
impl fmt::Display for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.as_bytes()))
    }
}

/// Candidates are equal if their texts, their places, and the reasons are.
impl PartialEq for Rejected<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data && self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Rejected<'_> {}

/// Writes the URI of a match, the reference, or the text of a rejected candidate.
///
/// ```
/// let finder = urigrep::Finder::new();
/// let found: Vec<_> = finder.findings(b"http://a.example/, http://{b}/").collect();
/// assert_eq!(format!("{} {}", found[0], found[1]), "http://a.example/ http://{b}/");
/// ```
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Match(found) => found.fmt(f),
            Self::Relative(relative) => relative.fmt(f),
            Self::Rejected(rejected) => rejected.fmt(f),
        }
    }
}

impl fmt::Debug for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("span", &self.data.span.range())
            .field("text", &DebugText(self.as_bytes()))
            .field("reason", &self.data.reason)
            .field("at", &self.data.at)
            .finish()
    }
}
