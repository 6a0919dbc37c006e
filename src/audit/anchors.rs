//! To which fragments a document has an answer: [`Anchors`].

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::options::Slugs;
use super::slug::SlugRule;
use super::spellings::Spellings;
use crate::container::document::{self, Format, Mark, Marks, Part, Source};

/// Where fragments can lead in a document.
///
/// These are the names that it gives itself (`id`, `<a name>`, `{#…}`), and for Markdown those that a
/// processor makes of its headings.
///
/// ```
/// use urigrep::audit::{Anchors, Slugs};
/// use urigrep::container::document::Format;
/// let anchors = Anchors::read(Format::Html, b"<p id=a>", Slugs::Any);
/// assert!(anchors.contains("a") && !anchors.contains("A"));
/// ```
#[derive(Debug)]
pub struct Anchors {
    names: HashSet<String>,
    folding: Folding,
    spellings: std::sync::OnceLock<Spellings>,
}

/// Which spellings of a name are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Folding {
    /// Each is its own (HTML Standard, section 7.4.6.4).
    Exact,
    /// Case does not count, nor do variation selectors, which come and go with the emoji before them;
    /// `user-content-` may stand before a name. So does GitHub, in its scripts.
    Github,
}

impl Folding {
    fn of(format: Option<Format>, slugs: Slugs) -> Self {
        match (format, slugs) {
            (Some(Format::Markdown), Slugs::Any | Slugs::Github | Slugs::Gitlab) => Self::Github,
            _ => Self::Exact,
        }
    }

    fn fold(self, name: &str) -> String {
        match self {
            Self::Exact => name.to_owned(),
            Self::Github => {
                let is_selector = |c: &char| matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{200D}');
                let kept = name.chars().filter(|c| !is_selector(c));
                let lower: String = kept.flat_map(char::to_lowercase).collect();
                match lower.strip_prefix("user-content-") {
                    Some(rest) => rest.to_owned(),
                    None => lower,
                }
            }
        }
    }
}

impl Anchors {
    /// The anchors of a document, without a look at its links.
    pub fn read(format: Format, bytes: &[u8], slugs: Slugs) -> Self {
        let mut outline = Outline::default();
        // an outline never breaks
        let _ = format.read(Source::new(bytes), &mut outline);
        let names = outline.names.iter().map(String::as_str);
        let headings = outline.headings.iter().map(String::as_str);
        Self::new(Some(format), names, headings, slugs)
    }

    pub(super) fn new<'n>(
        format: Option<Format>,
        names: impl Iterator<Item = &'n str>,
        headings: impl Iterator<Item = &'n str> + Clone,
        slugs: Slugs,
    ) -> Self {
        let folding = Folding::of(format, slugs);
        let rules: &[SlugRule] = match (format, slugs) {
            (Some(Format::Markdown), Slugs::Any) => &SlugRule::ALL,
            (Some(Format::Markdown), Slugs::Github) => &[SlugRule::Github],
            (Some(Format::Markdown), Slugs::Gitlab) => &[SlugRule::Gitlab],
            (Some(Format::Markdown), Slugs::Mdbook) => &[SlugRule::Mdbook],
            (Some(Format::Markdown), Slugs::Mkdocs) => &[SlugRule::Mkdocs],
            _ => &[],
        };
        let mut all: HashSet<String> = names.map(|name| folding.fold(name)).collect();
        for rule in rules {
            let slugs = rule.anchors(headings.clone());
            all.extend(slugs.map(|slug| folding.fold(&slug)));
        }
        Self { names: all, folding, spellings: std::sync::OnceLock::new() }
    }

    /// True when there is an anchor of this name, which is percent-decoded.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || self.names.contains(&self.folding.fold(name))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The anchor that `name` is most likely a slip of.
    ///
    /// ```
    /// use urigrep::audit::{Anchors, Slugs};
    /// use urigrep::container::document::Format;
    /// let anchors = Anchors::read(Format::Html, b"<p id=instal>", Slugs::Any);
    /// assert_eq!(anchors.nearest("install"), Some("instal"));
    /// ```
    pub fn nearest(&self, name: &str) -> Option<&str> {
        let spellings = self.spellings.get_or_init(|| {
            // in an order that is the same in every run
            let mut names: Vec<&String> = self.names.iter().collect();
            names.sort_unstable();
            Spellings::new(names)
        });
        spellings.nearest(&self.folding.fold(name))
    }
}

/// The names and headings of a document, in its order.
#[derive(Default)]
struct Outline {
    names: Vec<String>,
    headings: Vec<String>,
}

impl document::PartSink for Outline {
    fn part(&mut self, _: &Part<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn mark(&mut self, mark: &Mark<'_>) {
        match mark {
            Mark::Anchor { name, .. } => self.names.push((*name).to_owned()),
            Mark::Heading { text, .. } => self.headings.push((*text).to_owned()),
            _ => {}
        }
    }

    fn marks(&self) -> Marks {
        Marks::All
    }
}
