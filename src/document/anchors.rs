//! Fragments that a document defines: [`Anchors`].

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

pub use super::markdown::Slugs;
use super::markdown::slug::SlugRule;
use super::markdown::{FoundAnchors, LineAnchors};
use super::name_set::NameSet;
use super::{CodeParts, Dialect, Event, EventSink, Format, NameSpace, Part, Source, Wants, html};
use crate::hash::{HashMap, HashSet};
use crate::options::Identifiers;
use crate::spellings::Spellings;

/// The text of a document, shared by everything read from it.
pub(crate) type SharedText = Arc<Vec<u8>>;

/// The anchors of a document.
///
/// These are the names that it defines (`id`, `<a name>`, `{#…}`) and, for Markdown, those that a
/// processor derives from headings.
///
/// ```
/// use urigrep::audit::{Anchors, Slugs};
/// use urigrep::document::Format;
/// let anchors = Anchors::read(Format::HTML, b"<p id=a>", Slugs::Any);
/// assert!(anchors.contains("a") && !anchors.contains("A"));
/// ```
#[derive(Debug)]
pub struct Anchors {
    /// Names from the reader; for Markdown, nearly all anchors that links use.
    names: NameSet,
    /// Further names of headings, such as their titles, that links may use. No hint suggests them.
    others: NameSet,
    folding: Folding,
    /// The names of headings, in formats whose links have their own syntax for headings (Org).
    titles: Titles,
    redirect: Option<String>,
    /// Further anchors of Markdown, found lazily.
    // Boxed, because only Markdown has them.
    lines: Option<Box<LineAnchors>>,
    /// True if the document includes others that have their own anchors.
    is_open: bool,
    spellings: OnceLock<Spellings>,
    /// Anchors by their letters and digits; `None` if several anchors have the same ones.
    respelled: OnceLock<HashMap<String, Option<String>>>,
}

/// Names of headings.
#[derive(Debug, Default)]
struct Titles {
    all: Vec<String>,
    /// In lower case.
    folded: NameSet,
    spellings: OnceLock<Spellings>,
}

impl Titles {
    fn new(all: Vec<String>) -> Self {
        let mut folded = NameSet::default();
        all.iter().for_each(|title| folded.insert(&title.to_lowercase()));
        Self { all, folded, spellings: OnceLock::new() }
    }
}

/// Returns the letters and digits of a name, in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Rules for equal spellings of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folding {
    /// Names must be equal (HTML Standard, section 7.4.6.4).
    Exact,
    /// Ignores case, variation selectors (which come and go with the emoji before them), and a
    /// `user-content-` prefix, as GitHub's scripts do.
    Github,
    /// Like `Github`, but with case: no script looks for another spelling.
    GithubSlugger,
}

impl Folding {
    pub(super) fn for_slugs(slugs: Slugs) -> Self {
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
    /// Reads the anchors of a document without its links.
    pub fn read(format: Format, bytes: &[u8], slugs: Slugs) -> Self {
        Self::read_in_dialect(format, bytes, &Dialect::ByExtension, slugs)
    }

    /// Reads the anchors of a document of this dialect; `bytes` are prepared for it.
    pub(crate) fn read_in_dialect(
        format: Format,
        bytes: &[u8],
        dialect: &Dialect,
        slugs: Slugs,
    ) -> Self {
        let mut reader = OutlineReader { is_page: format.is_page(), ..OutlineReader::default() };
        // An outline reader never stops early.
        let _ = format.read(Source::new(bytes).in_dialect(dialect), &mut reader);
        let outline = Outline {
            names: reader.names.iter().map(String::as_str).collect(),
            headings: reader.headings.iter().map(String::as_str).collect(),
            redirect: reader.redirect,
            text: &|| Arc::new(bytes.to_vec()),
        };
        format.anchors(outline, slugs)
    }

    /// Returns the anchors of a document whose only anchors are names.
    pub(crate) fn named(outline: Outline<'_>) -> Self {
        Self {
            names: outline.names.into_iter().collect(),
            others: NameSet::default(),
            folding: Folding::Exact,
            titles: Titles::default(),
            redirect: outline.redirect,
            lines: None,
            is_open: false,
            spellings: OnceLock::new(),
            respelled: OnceLock::new(),
        }
    }

    /// Returns the names of a document, and the slugs of its headings: in every markup that it
    /// renders, GitHub gives headings its own ids beside those of the markup.
    pub(super) fn names_and_slugs(outline: &Outline<'_>) -> NameSet {
        let mut names: NameSet = outline.names.iter().copied().collect();
        Self::heading_slugs(outline, &mut |_, slug| names.insert(&slug));
        names
    }

    /// Passes the slug of each heading to `add`, with its index.
    pub(super) fn heading_slugs(outline: &Outline<'_>, add: &mut dyn FnMut(usize, String)) {
        let slugs = SlugRule::Github.anchors(outline.headings.iter().copied());
        slugs.enumerate().for_each(|(index, slug)| add(index, slug));
    }

    /// Returns the anchors of a document with names and slugs, and no others.
    pub(super) fn with_slugs(outline: &Outline<'_>) -> Self {
        Self::fixed(Self::names_and_slugs(outline), false)
    }

    /// Returns a fixed set of exact anchors; an open document may have more.
    pub(super) fn fixed(names: NameSet, is_open: bool) -> Self {
        Self {
            names,
            others: NameSet::default(),
            folding: Folding::Exact,
            titles: Titles::default(),
            redirect: None,
            lines: None,
            is_open,
            spellings: OnceLock::new(),
            respelled: OnceLock::new(),
        }
    }

    /// Adds names that links may use, and that no hint suggests.
    pub(super) fn and_others(self, others: NameSet) -> Self {
        Self { others, ..self }
    }

    /// Adds the names by which links may refer to headings, in upper or lower case.
    pub(super) fn and_titles<T: AsRef<str>>(self, titles: impl IntoIterator<Item = T>) -> Self {
        let titles = titles.into_iter().map(|title| title.as_ref().to_owned()).collect();
        Self { titles: Titles::new(titles), ..self }
    }

    /// Returns the anchors of a document whose lines may define more.
    pub(super) fn with_lines(names: NameSet, folding: Folding, lines: LineAnchors) -> Self {
        Self {
            names,
            others: NameSet::default(),
            folding,
            titles: Titles::default(),
            redirect: None,
            lines: Some(Box::new(lines)),
            is_open: false,
            spellings: OnceLock::new(),
            respelled: OnceLock::new(),
        }
    }

    /// Returns the additional anchors of Markdown. They are computed on demand, because the
    /// reader's anchors suffice for most documents.
    fn lines(&self) -> Option<&FoundAnchors> {
        self.lines.as_ref().map(|lines| lines.found())
    }

    /// Returns the immediate redirect of the page, from `<meta http-equiv=refresh>` or `location`
    /// in a script.
    pub fn redirect(&self) -> Option<&str> {
        self.redirect.as_deref()
    }

    /// True if the document includes others, whose anchors are unknown.
    pub fn is_open(&self) -> bool {
        self.is_open || self.lines().is_some_and(|lines| lines.is_open)
    }

    /// True for a list in the front matter, which a layout may render as a section.
    pub(crate) fn is_section(&self, name: &str) -> bool {
        self.lines().is_some_and(|lines| lines.sections.iter().any(|section| section == name))
    }

    /// Returns the import paths of the site's own components on the page.
    pub(crate) fn components(&self) -> &[String] {
        self.lines().map_or(&[], |lines| &lines.components)
    }

    /// True for a possible anchor of a heading with an emoji, which some processors spell out.
    pub(crate) fn is_vague(&self, name: &str) -> bool {
        self.lines().is_some_and(|lines| lines.vague.iter().any(|start| name.starts_with(start)))
    }

    /// Returns the Markdown headings from which some rule may make one of these names. The rules
    /// differ in punctuation, in numbers around a title, and in letters beyond ASCII. So only few
    /// headings must be tried with each rule.
    pub(crate) fn headings_like<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<&str> {
        let Some(lines) = &self.lines else { return Vec::new() };
        let key = |text: &str| letters(text).trim_matches(char::is_numeric).to_owned();
        let keys: HashSet<String> = names.map(key).collect();
        let is_like = |title: &&str| !title.is_ascii() || keys.contains(&key(title));
        lines.headings().filter(is_like).collect()
    }

    /// True for the start of the anchor that a rule makes from a heading, up to the end of a word:
    /// a slug function may leave out the rest, such as the arguments in `## a.b(c)`.
    pub(crate) fn starts_heading(&self, start: &str) -> bool {
        /// Headings that are compared with each name, so that time stays linear.
        const MAX_COMPARED: usize = 1_000;
        let Some(lines) = self.lines.as_ref().filter(|_| !start.is_empty()) else { return false };
        let rules = [SlugRule::Vitepress, SlugRule::Github];
        lines.headings().take(MAX_COMPARED).any(|heading| {
            rules.iter().any(|rule| {
                let mut anchors = rule.anchors(std::iter::once(heading));
                anchors.next().is_some_and(|it| {
                    it.strip_prefix(start).is_some_and(|rest| rest.starts_with('-'))
                })
            })
        })
    }

    /// True if there is an anchor with this percent-decoded name.
    pub fn contains(&self, name: &str) -> bool {
        // Fast path without folding or reading lines: most links are written exactly like the
        // anchor.
        if self.names.contains(name) || self.others.contains(name) {
            return true;
        }
        let folded = self.folding.fold(name.to_owned());
        let has = |names: &NameSet| names.contains(name) || names.contains(&folded);
        self.names.contains(&folded) || self.lines().is_some_and(|lines| has(&lines.names))
    }

    /// True if a heading has this name, in upper or lower case.
    pub(crate) fn has_title(&self, name: &str) -> bool {
        self.titles.folded.contains(&name.to_lowercase())
    }

    /// Returns the name of a heading that `name` is most likely a misspelling of.
    pub(crate) fn nearest_title(&self, name: &str) -> Option<&str> {
        let spellings = self.titles.spellings.get_or_init(|| Spellings::new(&self.titles.all));
        spellings.nearest(name)
    }

    /// Returns the only anchor that has the same letters and digits as `name`, in any case.
    pub(crate) fn only_respelled(&self, name: &str) -> Option<&str> {
        let wanted = letters(name);
        if wanted.is_empty() {
            return None;
        }
        // Made once: a page may have as many wrong links as anchors.
        let respelled = self.respelled.get_or_init(|| {
            let mut by_letters = HashMap::default();
            // A heading with several names has no certain one.
            for anchor in self.all().into_iter().chain(self.others.iter()) {
                let only = by_letters.entry(letters(anchor));
                only.and_modify(|only| *only = None).or_insert_with(|| Some(anchor.to_owned()));
            }
            by_letters
        });
        // The words of a title are no id.
        respelled.get(&wanted)?.as_deref().filter(|name| !name.contains(' '))
    }

    /// Returns all anchors, some of them more than once.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let of_lines = self.lines().into_iter().flat_map(|lines| lines.names.iter());
        self.names.iter().chain(of_lines)
    }

    /// Returns all anchors, in a deterministic order.
    fn all(&self) -> Vec<&str> {
        let mut all: Vec<_> = self.names().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns a number that changes when something changes on which links to the document depend.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.all().hash(&mut hasher);
        self.others.iter().collect::<Vec<_>>().hash(&mut hasher);
        self.titles.all.hash(&mut hasher);
        self.redirect.hash(&mut hasher);
        self.is_open.hash(&mut hasher);
        if let Some(lines) = self.lines() {
            (lines.is_open, &lines.sections, &lines.components, &lines.vague).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the number of anchors.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// True if there are no anchors.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.lines().is_none_or(|lines| lines.names.is_empty())
    }

    /// Returns the estimated memory use, in names.
    pub(crate) fn size(&self) -> usize {
        1 + self.names.len()
            + self.others.len()
            + 2 * self.titles.all.len()
            + self.lines.as_ref().map_or(0, |lines| lines.size())
    }

    /// Returns the anchor that `name` is most likely a misspelling of.
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

/// The first heading that each name refers to, by its index.
#[derive(Debug)]
pub(crate) struct HeadingPlaces(HashMap<String, usize>);

impl HeadingPlaces {
    pub(super) fn new(each_name: impl FnOnce(&mut dyn FnMut(usize, String))) -> Self {
        let mut places = HashMap::default();
        each_name(&mut |index, name| {
            // Each rule passes all headings.
            let first = places.entry(name).or_insert(index);
            *first = index.min(*first);
        });
        Self(places)
    }

    /// Returns the index of the heading that links may name in this way.
    pub fn get(&self, name: &str, slugs: Slugs) -> Option<usize> {
        let folded = Folding::for_slugs(slugs).fold(name.to_owned());
        let folded = self.0.get(&folded).copied();
        self.0.get(name).copied().into_iter().chain(folded).min()
    }
}

/// The input for [`Format::anchors`], collected by a reader.
#[derive(Clone)]
#[non_exhaustive]
pub struct Outline<'o> {
    /// Names that the document defines, in order.
    pub names: Vec<&'o str>,
    /// Texts of its headings, in order.
    pub headings: Vec<&'o str>,
    /// Immediate redirect of the page.
    pub redirect: Option<String>,
    pub(crate) text: &'o dyn Fn() -> SharedText,
}

impl Outline<'_> {
    /// Returns the text of the document. Only some formats need it, so it is copied on demand.
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
        // Neither code nor plain text defines an anchor, so readers need not emit them.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_ids_of_github_too() {
        for (format, text) in [
            ("mediawiki", "== BIP Editor: 1 & 2 ==\n=== Signer ===\n=== Signer ===\n"),
            ("textile", "h2. BIP Editor: 1 & 2\n\nh3. Signer\n\nh3. Signer\n"),
        ] {
            let format = Format::named(format).unwrap();
            let anchors = Anchors::read(format, text.as_bytes(), Slugs::Github);
            for anchor in ["bip-editor-1--2", "signer", "signer-1"] {
                assert!(anchors.contains(anchor), "{anchor}");
            }
            assert!(!anchors.contains("signer-2"));
            // The id of MediaWiki itself.
            assert_eq!(anchors.contains("BIP_Editor:_1_&_2"), format.name() == "mediawiki");
        }
    }
}
