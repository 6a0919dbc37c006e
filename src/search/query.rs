//! The wanted findings, and the way documents are read.

use std::fmt;
use std::str::FromStr;

use crate::document::mail::Headers;
use crate::document::{Format, Packages, TextParts, ValueParts, Wants};
use crate::finder::{Prefilter, PrefilteredFindings, Relative, Rest, Window};
use crate::named::named_enum;
use crate::options::Embedded;
use crate::search::line_filter::LineFilter;
use crate::search::{Limits, Selection, TextEncoding};
use crate::{Finder, Finding, Kind};

/// The findings that a sink gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Report {
    /// Matches.
    #[default]
    Matches,
    /// Rejected candidates.
    Rejected,
    /// Both.
    All,
}

/// The counting of rejected candidates that are not reported.
///
/// ```
/// use urigrep::search::{Rejections, Search, Selection};
/// let urns = Selection::builder().schemes(["urn"]).build().unwrap();
/// let search = Search::builder().selection(urns).rejections(Rejections::Ignored).build();
/// assert!(search.is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rejections {
    /// All are counted: [`Stats::rejected`](crate::search::Stats) is exact.
    #[default]
    Counted,
    /// Some are not counted, so that a search for few schemes may skip text without these schemes.
    Ignored,
}

/// The files to read as mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mail {
    /// Files that look like mail by name, place, or first lines.
    #[default]
    Auto,
    /// All files.
    Always,
    /// No files.
    Never,
}

named_enum! {
    @names "urigrep::search::Mail", "ways to read mail";
    Mail { Auto = "auto", Always = "always", Never = "never", }
}

/// The files to read as markup documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Markup {
    /// Files that look like documents by extension or first bytes.
    #[default]
    Auto,
    /// All files, in this format.
    Always(Format),
    /// No files.
    Never,
}

impl Markup {
    /// Returns the way to read documents that are archives of files.
    pub(crate) fn packages(self) -> Packages {
        match self {
            Self::Auto | Self::Always(_) => Packages::Documents,
            Self::Never => Packages::Archives,
        }
    }
}

/// The repetitions of a URI in mail to leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dedupe {
    /// Repetitions in the same message, if it has parts.
    #[default]
    Parts,
    /// None: each occurrence is reported with its part.
    Never,
    /// Repetitions in the same message.
    Message,
    /// Repetitions in the same thread of the same file.
    Thread,
}

named_enum! {
    @names "urigrep::search::Dedupe", "repetitions in mail";
    Dedupe { Parts = "parts", Never = "never", Message = "message", Thread = "thread", }
}

/// Treatment of relative references in documents.
///
/// ```
/// use urigrep::document::Format;
/// use urigrep::search::{Markup, References, Search, Input};
/// let search = Search::builder()
///     .markup(Markup::Always(Format::HTML))
///     .references(References::Resolved { retrieval: Some("http://a.example/b/".into()) })
///     .build()?;
/// let hits = search.hits(&b"<a href=c>"[..], Input::named("page.html"));
/// let targets: Vec<_> = hits.map(|hit| hit.target().map(str::to_owned)).collect();
/// assert_eq!(targets, [Some("http://a.example/b/c".to_owned())]);
/// # Ok::<(), urigrep::search::SearchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum References {
    /// They stay relative.
    #[default]
    AsWritten,
    /// They are resolved against the base that the document declares, else against `retrieval`,
    /// else against the path of the file (RFC 3986 §5.1).
    Resolved {
        /// The URI that the documents were retrieved from.
        retrieval: Option<String>,
    },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    pub finder: Finder,
    pub selection: Selection,
    pub report: Report,
    pub rejections: Rejections,
    /// Finds candidates that may be wanted; set when the search is built.
    pub prefilter: Option<Prefilter>,
    pub markup: Markup,
    pub references: References,
    pub mail: Mail,
    pub headers: Headers,
    pub dedupe: Dedupe,
    pub encoding: TextEncoding,
    pub limits: Limits,
    /// The lines that are searched; all by default.
    pub lines: Option<LineFilter>,
}

/// The kind of a match: the kind of its URI, or a relative reference of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitKind {
    /// A URI, IRI, URN or address.
    Uri(Kind),
    /// A relative reference.
    Reference,
}

impl HitKind {
    /// The fixed name, as in `kind` of JSON.
    ///
    /// ```
    /// use urigrep::search::HitKind;
    /// assert_eq!(HitKind::Reference.name(), "reference");
    /// assert_eq!("urn".parse::<HitKind>().unwrap().name(), "urn");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uri(kind) => kind.name(),
            Self::Reference => "reference",
        }
    }
}

/// The error for a text that is not the name of a kind of match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Kind::ALL.iter().rev().map(|kind| kind.name()).collect();
        let reference = HitKind::Reference.name();
        write!(f, "the kinds are {}, {reference}", names.join(", "))
    }
}

impl std::error::Error for UnknownKind {}

impl FromStr for HitKind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        let kinds = Kind::ALL.iter().copied().map(Self::Uri);
        let mut all = kinds.chain([Self::Reference]);
        all.find(|kind| kind.name() == word).ok_or(UnknownKind)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub counts: CountsAs,
    /// True if the sink gets the finding.
    pub is_wanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountsAs {
    Match,
    Rejected,
    /// The match was not selected.
    Nothing,
}

impl Query {
    /// Builds the prefilter that the selection allows.
    pub fn make_prefilter(&mut self) {
        // A prefilter skips text with unwanted candidates. Then it is unknown how many would have
        // been rejected, so it is only for searches that do not need that number.
        let is_left_out = self.report == Report::Matches && self.rejections == Rejections::Ignored;
        self.prefilter = is_left_out
            .then(|| self.selection.clue())
            .flatten()
            .and_then(|clue| Prefilter::new(&self.finder, clue));
    }

    /// Returns the parts of text in which the finder may find anything.
    pub fn text_parts(&self) -> TextParts {
        if self.finder.needs_colon() { TextParts::WithColon } else { TextParts::All }
    }

    /// Returns the parts of a document that a search needs.
    pub fn wants(&self) -> Wants {
        Wants::new()
            .identifiers(self.finder.identifiers())
            .text(self.text_parts())
            .mime(self.limits.mime)
            .headers(self.headers)
            .archives(self.limits.archive)
            .values(if self.reads_values() { ValueParts::Documents } else { ValueParts::Text })
    }

    /// True if values of data that hold HTML or Markdown are read as such.
    pub fn reads_values(&self) -> bool {
        self.finder.embedded() == Embedded::Report
    }

    /// Returns the findings in a window of plain text. The prefilter skips only unwanted ones.
    #[inline]
    pub fn findings<'h>(&self, window: Window<'h>, rest: Rest) -> PrefilteredFindings<'_, 'h> {
        self.finder.find_prefiltered(window, rest, self.prefilter.as_ref())
    }

    /// Judges a finding by the finding alone.
    #[inline(always)]
    pub fn judge(&self, finding: &Finding<'_>) -> Judgement {
        match finding {
            Finding::Match(m) => self.judge_match(self.selection.selects(m)),
            Finding::Relative(relative) => self.judge_relative(relative, None),
            Finding::Rejected(rejected) => Judgement {
                counts: CountsAs::Rejected,
                is_wanted: self.report != Report::Matches
                    && self.selection.selects_rejected(rejected),
            },
        }
    }

    /// Judges a relative reference that resolves to `target`, if that is known.
    pub fn judge_relative(&self, relative: &Relative<'_>, target: Option<&str>) -> Judgement {
        self.judge_match(self.selection.selects_relative(relative, target))
    }

    #[inline(always)]
    fn judge_match(&self, is_selected: bool) -> Judgement {
        Judgement {
            counts: if is_selected { CountsAs::Match } else { CountsAs::Nothing },
            is_wanted: is_selected && self.report != Report::Rejected,
        }
    }

    /// True if text outside of documents is searched.
    pub fn takes_text(&self) -> bool {
        self.selection.selects_text()
    }

    /// The largest document of this format that is read as one, in bytes.
    pub fn largest(&self, format: Format) -> usize {
        if format.is_message() { self.limits.message } else { format.limits().largest }
    }
}
