//! To which fragments a document has an answer: [`Anchors`].

use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::explicit;
use super::hash::HashSet;
use super::slug::SlugRule;
use crate::audit::{Slugs, Spellings};
use crate::container::document::{
    self, CodeParts, Content, Format, Mark, Marks, Part, Role, Source,
};
use crate::options::Identifiers;
use crate::slice::lossy;

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
    redirect: Option<String>,
    is_open: bool,
    /// What a layout may make of front matter.
    sections: Vec<String>,
    /// Components that may have headings.
    components: Vec<String>,
    /// What anchors start with of headings whose other letters processors write each in its own way.
    vague: Vec<String>,
    spellings: OnceLock<Spellings>,
}

/// Which spellings of a name are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Folding {
    /// Each is its own (HTML Standard, section 7.4.6.4).
    Exact,
    /// Case does not count, nor do variation selectors, which come and go with the emoji before them;
    /// `user-content-` may come before a name. So does GitHub, in its scripts.
    Github,
    /// The same, but case counts, since no script looks for another.
    GithubSlugger,
}

impl Folding {
    fn of(slugs: Slugs) -> Self {
        match slugs {
            Slugs::Any | Slugs::Github | Slugs::Gitlab => Self::Github,
            Slugs::GithubSlugger => Self::GithubSlugger,
            _ => Self::Exact,
        }
    }

    fn fold(self, mut name: String) -> String {
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
        let mut outline = Outline::default();
        // an outline never breaks
        let _ = format.read(Source::new(bytes), &mut outline);
        let names = outline.names.iter().map(String::as_str);
        let headings: Vec<&str> = outline.headings.iter().map(String::as_str).collect();
        match format {
            Format::Markdown => Self::of_markdown(&lossy(bytes), names, &headings, slugs),
            _ => Self::of_names(names, outline.redirect.filter(|_| format == Format::Html)),
        }
    }

    /// Those of a document whose names alone are anchors.
    pub(super) fn of_names<'n>(
        names: impl Iterator<Item = &'n str>,
        redirect: Option<String>,
    ) -> Self {
        Self { redirect, ..Self::new(names.map(str::to_owned).collect(), Folding::Exact) }
    }

    /// Those of Markdown, of which a reader gave the names and headings.
    pub(super) fn of_markdown<'n>(
        text: &str,
        names: impl Iterator<Item = &'n str>,
        headings: &[&str],
        slugs: Slugs,
    ) -> Self {
        let folding = Folding::of(slugs);
        let mut folded: HashSet<String> = names.map(|name| folding.fold(name.to_owned())).collect();
        explicit::ids(text, &mut |id, _| {
            folded.insert(folding.fold(id.to_owned()));
        });
        let is_bare = folded.is_empty() && headings.is_empty();
        let is_open = explicit::includes_others(text) || is_bare && explicit::has_components(text);
        let titles = explicit::titles(text);
        let is_same = titles.iter().map(String::as_str).eq(headings.iter().copied());
        folded.reserve(headings.len());
        for rule in SlugRule::of(slugs) {
            folded.extend(rule.anchors(headings.iter().copied()).map(|slug| folding.fold(slug)));
            if !is_same {
                let titles = titles.iter().map(String::as_str);
                folded.extend(rule.anchors(titles).map(|slug| folding.fold(slug)));
            }
        }
        let tabs = explicit::tabs(text);
        for rule in SlugRule::of(slugs).iter().filter(|_| !tabs.is_empty()) {
            let slugs = rule.anchors(tabs.iter().map(String::as_str));
            folded.extend(slugs.map(|slug| folding.fold(slug)));
        }
        let vague = match slugs {
            Slugs::Any => headings.iter().filter_map(|heading| vague(heading)).collect(),
            _ => Vec::new(),
        };
        Self {
            is_open,
            sections: explicit::sections(text),
            components: explicit::components(text),
            vague,
            ..Self::new(folded, folding)
        }
    }

    fn new(names: HashSet<String>, folding: Folding) -> Self {
        let spellings = OnceLock::new();
        Self {
            names,
            folding,
            redirect: None,
            is_open: false,
            sections: Vec::new(),
            components: Vec::new(),
            vague: Vec::new(),
            spellings,
        }
    }

    /// Where the page leads at once, if it does: by `<meta http-equiv=refresh>` or `location` in a script.
    pub fn redirect(&self) -> Option<&str> {
        self.redirect.as_deref()
    }

    /// True when the document includes others, whose anchors are not known.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// True for what a layout may make of a list in the front matter, where one makes pages.
    pub(super) fn is_section(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section == name)
    }

    /// The paths of its own components that the page shows, as it imports them.
    pub(super) fn components(&self) -> &[String] {
        &self.components
    }

    /// True for what may be the anchor of a heading with an emoji, which some spell out.
    pub(super) fn is_vague(&self, name: &str) -> bool {
        self.vague.iter().any(|start| name.starts_with(start.as_str()))
    }

    /// True when there is an anchor of this name, which is percent-decoded.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || self.names.contains(&self.folding.fold(name.to_owned()))
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
        spellings.nearest(&self.folding.fold(name.to_owned()))
    }
}

/// What the anchor of a heading starts with, before a character that is not ASCII.
fn vague(heading: &str) -> Option<String> {
    /// So little says nothing about a heading.
    const SHORTEST: usize = 4;
    let end = heading.find(|c: char| !c.is_ascii())?;
    let start = heading.get(..end)?;
    let slug = SlugRule::Github.anchors(std::iter::once(start)).next()?;
    (slug.len() >= SHORTEST).then_some(slug)
}

/// What a reader gives of anchors.
#[derive(Debug, Default)]
struct Outline {
    names: Vec<String>,
    headings: Vec<String>,
    redirect: Option<String>,
}

/// Where a page of HTML leads at once, if this part of it says so.
pub(super) fn redirect(part: &Part<'_>) -> Option<String> {
    match (part.element, part.content, part.role) {
        (Some("meta"), Content::Reference, Role::Destination) => {
            Some(String::from_utf8_lossy(part.text).trim().to_owned())
        }
        (Some("script"), _, Role::Code) => location(part.text),
        _ => None,
    }
}

/// The address that a script goes to as soon as it is read: `location.replace("a")`, `location.href = "a"`.
fn location(script: &[u8]) -> Option<String> {
    /// A script that does more than that is no redirect.
    const LONGEST: usize = 512;
    let script = Some(script).filter(|script| script.len() <= LONGEST)?;
    let script = std::str::from_utf8(script).ok()?;
    let starts =
        ["location.replace(", "location.href=", "location.href =", "location=", "location ="];
    let after = starts.iter().find_map(|start| script.split_once(start))?.1.trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let target = after.get(1..)?.split(quote).next()?;
    (!target.is_empty()).then(|| target.to_owned())
}

impl document::PartSink for Outline {
    fn part(&mut self, part: &Part<'_>) -> ControlFlow<()> {
        if self.redirect.is_none() {
            self.redirect = redirect(part);
        }
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

    fn code(&self) -> CodeParts {
        CodeParts::Skipped
    }

    fn identifiers(&self) -> Identifiers {
        Identifiers::Skip
    }
}
