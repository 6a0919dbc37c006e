//! To which fragments a document has an answer: [`Anchors`].

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

pub use super::markdown::Slugs;
use super::markdown::{FoundAnchors, LineAnchors};
use super::name_set::NameSet;
use super::{CodeParts, Event, EventSink, Format, NameSpace, Part, Source, Wants, html};
use crate::options::Identifiers;
use crate::spellings::Spellings;

/// The text of a document, shared by everything that was read from it.
pub(crate) type SharedText = Arc<Vec<u8>>;

/// Where fragments can lead in a document.
///
/// These are the names that it gives itself (`id`, `<a name>`, `{#…}`), and for Markdown those that a
/// processor makes of its headings.
///
/// ```
/// use urigrep::audit::{Anchors, Slugs};
/// use urigrep::document::Format;
/// let anchors = Anchors::read(Format::HTML, b"<p id=a>", Slugs::Any);
/// assert!(anchors.contains("a") && !anchors.contains("A"));
/// ```
#[derive(Debug)]
pub struct Anchors {
    /// Those of the reader: of Markdown, they hold nearly all that links lead to.
    names: NameSet,
    folding: Folding,
    redirect: Option<String>,
    /// What else Markdown may have.
    lines: Option<Box<LineAnchors>>,
    /// True if the document includes what has other anchors.
    is_open: bool,
    spellings: OnceLock<Spellings>,
}

/// Which spellings of a name are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folding {
    /// Each is its own (HTML Standard, section 7.4.6.4).
    Exact,
    /// Case does not count, nor do variation selectors, which come and go with the emoji before them;
    /// `user-content-` may come before a name. So does GitHub, in its scripts.
    Github,
    /// The same, but case counts, since no script looks for another.
    GithubSlugger,
}

impl Folding {
    pub(super) fn of(slugs: Slugs) -> Self {
        match slugs {
            Slugs::Any | Slugs::Github | Slugs::Gitlab => Self::Github,
            Slugs::GithubSlugger => Self::GithubSlugger,
            _ => Self::Exact,
        }
    }

    pub(super) fn fold(self, mut name: String) -> String {
        if self == Self::Exact {
            return name;
        }
        match (self, name.is_ascii()) {
            (Self::GithubSlugger, true) => {}
            (_, true) => name.make_ascii_lowercase(),
            (_, false) => {
                name.retain(|c| !matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}'));
                if self == Self::Github {
                    name = name.chars().flat_map(char::to_lowercase).collect();
                }
            }
        }
        match name.strip_prefix("user-content-") {
            Some(rest) => rest.to_owned(),
            None => name,
        }
    }
}

impl Anchors {
    /// The anchors of a document, without a look at its links.
    pub fn read(format: Format, bytes: &[u8], slugs: Slugs) -> Self {
        let mut reader = OutlineReader { is_page: format.is_page(), ..OutlineReader::default() };
        // An outline never breaks.
        let _ = format.read(Source::new(bytes), &mut reader);
        let outline = Outline {
            names: reader.names.iter().map(String::as_str).collect(),
            headings: reader.headings.iter().map(String::as_str).collect(),
            redirect: reader.redirect,
            text: &|| Arc::new(bytes.to_vec()),
        };
        format.anchors(outline, slugs)
    }

    /// The anchors of a document in which only names are anchors.
    pub(crate) fn named(outline: Outline<'_>) -> Self {
        Self {
            names: outline.names.into_iter().collect(),
            folding: Folding::Exact,
            redirect: outline.redirect,
            lines: None,
            is_open: false,
            spellings: OnceLock::new(),
        }
    }

    /// The anchors of a document in which names are found as they are written; an open one may have more.
    pub(super) fn fixed(names: NameSet, is_open: bool) -> Self {
        Self {
            names,
            folding: Folding::Exact,
            redirect: None,
            lines: None,
            is_open,
            spellings: OnceLock::new(),
        }
    }

    /// The anchors of a document whose lines may have more.
    pub(super) fn with_lines(names: NameSet, folding: Folding, lines: LineAnchors) -> Self {
        Self {
            names,
            folding,
            redirect: None,
            lines: Some(Box::new(lines)),
            is_open: false,
            spellings: OnceLock::new(),
        }
    }

    /// What the lines of Markdown have besides: most documents are asked only for what a reader gives.
    fn lines(&self) -> Option<&FoundAnchors> {
        self.lines.as_ref().map(|lines| lines.found())
    }

    /// Where the page leads at once, if it does: by `<meta http-equiv=refresh>` or `location` in a script.
    pub fn redirect(&self) -> Option<&str> {
        self.redirect.as_deref()
    }

    /// True when the document includes others, whose anchors are not known.
    pub fn is_open(&self) -> bool {
        self.is_open || self.lines().is_some_and(|lines| lines.is_open)
    }

    /// True for what a layout may make of a list in the front matter, where one makes pages.
    pub(crate) fn is_section(&self, name: &str) -> bool {
        self.lines().is_some_and(|lines| lines.sections.iter().any(|section| section == name))
    }

    /// The paths of its own components that the page shows, as it imports them.
    pub(crate) fn components(&self) -> &[String] {
        self.lines().map_or(&[], |lines| &lines.components)
    }

    /// True for what may be the anchor of a heading with an emoji, which some spell out.
    pub(crate) fn is_vague(&self, name: &str) -> bool {
        self.lines().is_some_and(|lines| lines.vague.iter().any(|start| name.starts_with(start)))
    }

    /// True when there is an anchor of this name, which is percent-decoded.
    pub fn contains(&self, name: &str) -> bool {
        if self.names.contains(name) {
            return true;
        }
        let folded = self.folding.fold(name.to_owned());
        let has = |names: &NameSet| names.contains(name) || names.contains(&folded);
        self.names.contains(&folded) || self.lines().is_some_and(|lines| has(&lines.names))
    }

    /// All of them, in an order that is the same in every run.
    fn all(&self) -> Vec<&str> {
        let mut all: Vec<_> = self.names.iter().collect();
        all.extend(self.lines().iter().flat_map(|lines| lines.names.iter()));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.lines().is_none_or(|lines| lines.names.is_empty())
    }

    /// How much of memory they take, in names.
    pub(crate) fn size(&self) -> usize {
        1 + self.names.len() + self.lines.as_ref().map_or(0, |lines| lines.size())
    }

    /// The anchor that `name` is most likely a slip of.
    ///
    /// ```
    /// use urigrep::audit::{Anchors, Slugs};
    /// use urigrep::document::Format;
    /// let anchors = Anchors::read(Format::HTML, b"<p id=instal>", Slugs::Any);
    /// assert_eq!(anchors.nearest("install"), Some("instal"));
    /// ```
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let spellings = self.spellings.get_or_init(|| Spellings::new(self.all()));
        spellings.nearest(&self.folding.fold(name.to_owned()))
    }
}

/// What a reader says of the anchors of a document, for [`Format::anchors`].
#[derive(Clone)]
#[non_exhaustive]
pub struct Outline<'o> {
    /// The names that it defines, in order.
    pub names: Vec<&'o str>,
    /// The texts of its headings, in order.
    pub headings: Vec<&'o str>,
    /// Where the page leads at once.
    pub redirect: Option<String>,
    pub(crate) text: &'o dyn Fn() -> SharedText,
}

impl Outline<'_> {
    /// The text of the document; only some formats need it, and then it is copied.
    pub(super) fn text(&self) -> SharedText {
        (self.text)()
    }
}

/// Collects an outline.
#[derive(Debug, Default)]
struct OutlineReader {
    is_page: bool,
    names: Vec<String>,
    headings: Vec<String>,
    redirect: Option<String>,
}

impl EventSink for OutlineReader {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            event => {
                self.note(event);
                ControlFlow::Continue(())
            }
        }
    }

    fn wants(&self) -> Wants {
        Wants::all().code(CodeParts::Skipped).identifiers(Identifiers::Skip)
    }
}

impl OutlineReader {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        if self.is_page && self.redirect.is_none() {
            self.redirect = html::redirect(part);
        }
        ControlFlow::Continue(())
    }

    fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Define { space: NameSpace::Anchor, name, .. } => {
                self.names.push((*name).to_owned())
            }
            Event::Heading { text, .. } => self.headings.push((*text).to_owned()),
            _ => {}
        }
    }
}
