//! Anchors that lines of Markdown may define in addition to those of the reader: [`LineAnchors`].

use std::borrow::Cow;
use std::sync::OnceLock;

use super::slug::{SlugRule, Slugs};
use super::uncoded::without_code;
use super::{components, front, ids, line_titles};
use crate::document::anchors::{Anchors, Folding, Outline, SharedText};
use crate::document::name_set::NameSet;
use crate::slice::lossy;

/// Returns the anchors of Markdown: names from the reader, slugs of headings, and (lazily) anchors
/// of lines.
pub(super) fn anchors(outline: Outline<'_>, slugs: Slugs) -> Anchors {
    let folding = Folding::for_slugs(slugs);
    let text = outline.text();
    let headings = outline.headings.iter().copied();
    let mut names: NameSet =
        outline.names.iter().map(|name| folding.fold((*name).to_owned())).collect();
    names.reserve(headings.len());
    for rule in SlugRule::for_slugs(slugs) {
        names.extend(rule.anchors(headings.clone()).map(|slug| folding.fold(slug)));
    }
    let lines = LineAnchors::new(text, headings, slugs, names.is_empty());
    Anchors::with_lines(names, folding, lines)
}

/// Passes each anchor of each heading to `add`, with the index of the heading.
pub(super) fn heading_names(
    outline: &Outline<'_>,
    slugs: Slugs,
    add: &mut dyn FnMut(usize, String),
) {
    let folding = Folding::for_slugs(slugs);
    let headings = || outline.headings.iter().copied();
    let bare = bare_headings(headings().enumerate(), slugs);
    for rule in SlugRule::for_slugs(slugs) {
        let slugs = rule.anchors(headings()).enumerate();
        slugs.for_each(|(index, slug)| add(index, folding.fold(slug)));
        let slugs = rule.anchors(bare.iter().map(|(_, heading)| heading.as_str()));
        slugs.zip(&bare).for_each(|(slug, (index, _))| add(*index, folding.fold(slug)));
    }
}

/// Returns the headings that have something that is often not part of the anchor, without it.
fn bare_headings<'h>(
    headings: impl Iterator<Item = (usize, &'h str)> + Clone,
    slugs: Slugs,
) -> Vec<(usize, String)> {
    // A shortcode in a heading is often a picture.
    let without = |bare: fn(&str) -> Option<String>| {
        headings.clone().filter_map(move |(index, heading)| Some((index, bare(heading)?)))
    };
    let mut bare: Vec<(usize, String)> = without(without_shortcodes).collect();
    if slugs == Slugs::Mkdocs {
        bare.extend(without(without_icons));
    }
    bare
}

/// Lines of a document, searched for anchors on demand.
#[derive(Debug)]
pub(in crate::document) struct LineAnchors {
    text: SharedText,
    /// Headings from the reader, each followed by [`HEADING_END`].
    headings: String,
    slugs: Slugs,
    is_without_names: bool,
    // Lazy, because the reader's anchors suffice for most documents: searching all lines took 78 of
    // 1,064 million instructions of an audit of the rfcs. The price is that anchors keep the text
    // of their document.
    found: OnceLock<FoundAnchors>,
}

/// A character that no heading contains (CommonMark §2.3).
const HEADING_END: char = '\0';

/// Result of searching the lines.
#[derive(Debug)]
pub(in crate::document) struct FoundAnchors {
    pub names: NameSet,
    /// True if the document includes others.
    pub is_open: bool,
    /// Sections that a layout may make from front matter.
    pub sections: Vec<String>,
    /// Components that may have headings.
    pub components: Vec<String>,
    /// Prefixes of anchors whose other characters depend on the processor.
    pub vague: Vec<String>,
}

impl LineAnchors {
    pub fn new<'h>(
        text: SharedText,
        headings: impl Iterator<Item = &'h str>,
        slugs: Slugs,
        is_without_names: bool,
    ) -> Self {
        let mut joined = String::new();
        for heading in headings {
            joined.push_str(heading);
            joined.push(HEADING_END);
        }
        Self { text, headings: joined, slugs, is_without_names, found: OnceLock::new() }
    }

    /// Returns the size of the text, in names of the same memory use.
    pub fn size(&self) -> usize {
        (self.text.len() + self.headings.len()) / 32
    }

    pub fn headings(&self) -> impl Iterator<Item = &str> + Clone {
        self.headings.split_terminator(HEADING_END)
    }

    pub fn found(&self) -> &FoundAnchors {
        self.found.get_or_init(|| self.find())
    }

    fn find(&self) -> FoundAnchors {
        let folding = Folding::for_slugs(self.slugs);
        let (text, rules) = (&*lossy(&self.text), SlugRule::for_slugs(self.slugs));
        let mut names = NameSet::default();
        ids::ids(text, &mut |id, _| {
            names.insert(&folding.fold(id.to_owned()));
        });
        // A page without any anchor of its own is probably built by its components.
        let is_bare = self.is_without_names && names.is_empty();
        // A file that is included in code is code. Few documents include others, so only these are
        // read twice.
        let may_be_open =
            components::includes_others(text) || is_bare && components::has_components(text);
        let mut components = components::components(text);
        let bare_text = if may_be_open || !components.is_empty() {
            without_code(text)
        } else {
            Cow::Borrowed(text)
        };
        if !components.is_empty() {
            components = components::components(&bare_text);
        }
        let is_open = front::is_of_interface(text)
            || may_be_open
                && (components::includes_others(&bare_text)
                    || is_bare && components::has_components(&bare_text));
        let titles = line_titles::titles(text);
        // Usually the reader saw the same headings, and their slugs are already known.
        if !titles.iter().map(String::as_str).eq(self.headings()) {
            for rule in rules {
                let slugs = rule.anchors(titles.iter().map(String::as_str));
                names.extend(slugs.map(|slug| folding.fold(slug)));
            }
        }
        let bare = bare_headings(self.headings().enumerate(), self.slugs);
        for rule in rules.iter().filter(|_| !bare.is_empty()) {
            let slugs = rule.anchors(bare.iter().map(|(_, heading)| heading.as_str()));
            names.extend(slugs.map(|slug| folding.fold(slug)));
        }
        let tabs = line_titles::tabs(text);
        for rule in rules.iter().filter(|_| !tabs.is_empty()) {
            let slugs = rule.anchors(tabs.iter().map(String::as_str));
            names.extend(slugs.map(|slug| folding.fold(slug)));
        }
        let vague = match self.slugs {
            Slugs::Any | Slugs::Vitepress => self.headings().filter_map(vague).collect(),
            Slugs::Mkdocs if lists_tags(text) => vec![TAG.to_owned()],
            _ => Vec::new(),
        };
        FoundAnchors { names, is_open, sections: front::sections(text), components, vague }
    }
}

/// Returns a heading without `{{< a >}}` and `{{% a %}}`; `None` if it has none.
fn without_shortcodes(heading: &str) -> Option<String> {
    let mut bare = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((_, behind)) = after.split_once("}}") else { break };
        bare.push_str(before);
        rest = behind;
    }
    (rest.len() < heading.len()).then(|| bare + rest)
}

/// The start of the id of a tag (Material for MkDocs, "Built-in tags plugin",
/// `tags_slugify_format`).
const TAG: &str = "tag:";

/// True for a page on which Material for MkDocs lists the documents of each tag.
fn lists_tags(text: &str) -> bool {
    text.contains("<!-- material/tags") || text.lines().any(|line| line.trim() == "[TAGS]")
}

/// Returns a heading without `:material-arrow-right:`, which PyMdown Extensions replaces by a
/// picture that is not part of the anchor (Material for MkDocs, "Icons, Emojis"); `None` if it has
/// none.
fn without_icons(heading: &str) -> Option<String> {
    let mut bare = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once(':') {
        bare.push_str(before);
        match after.split_once(':') {
            Some((name, behind)) if is_icon(name) => rest = behind,
            _ => {
                bare.push(':');
                rest = after;
            }
        }
    }
    bare.push_str(rest);
    (bare.len() < heading.len()).then_some(bare)
}

/// True for the name of an icon or emoji.
fn is_icon(name: &str) -> bool {
    let is_of_name =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_+-".contains(&byte);
    name.len() > 1 && name.bytes().all(is_of_name) && name.bytes().any(|it| it.is_ascii_lowercase())
}

/// Returns the place of `:tada:`, which processors replace by an emoji or leave out.
fn shortcode(heading: &str) -> Option<usize> {
    heading.match_indices(':').find_map(|(at, _)| {
        let name = heading.get(at + 1..)?;
        let name = name.get(..name.bytes().take(32).position(|byte| byte == b':')?)?;
        let is_name = name.len() > 1
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || b"_+-0123456789".contains(&byte))
            && name.bytes().any(|byte| byte.is_ascii_lowercase());
        is_name.then_some(at)
    })
}

/// Returns the start of a heading's anchor, up to the first emoji or other non-ASCII character.
fn vague(heading: &str) -> Option<String> {
    /// A shorter start would match too many anchors.
    const MIN_LENGTH: usize = 4;
    let end = heading.find(|c: char| !c.is_ascii()).or_else(|| shortcode(heading))?;
    let start = heading.get(..end)?;
    let slug = SlugRule::Github.anchors(std::iter::once(start)).next()?;
    (slug.len() >= MIN_LENGTH).then_some(slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_in_headings() {
        for (heading, expected) in [
            (":material-arrow-right: Moving to", Some(" Moving to")),
            ("A :octicons-x-16: b :tada:", Some("A  b ")),
            ("At 10:30:00", None),
            ("A: b :c d:", None),
        ] {
            assert_eq!(without_icons(heading).as_deref(), expected, "{heading}");
        }
    }
}
