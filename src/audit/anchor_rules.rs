//! Infers from the links of a site by which rule it makes anchors from headings: [`OtherRule`].
//!
//! A plugin, a theme, or a setting may choose another rule than the usual one of a generator. Then
//! the links name the anchors of that rule, and most anchors that only one of the two rules makes
//! are missing by the usual rule.

use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use super::census::MissingGroup;
use super::first_link::FirstLink;
use super::paths;
use crate::audit::answers::PageFiles;
use crate::audit::sites::ForgeRule;
use crate::audit::{Anchors, LinkContext, Slugs};
use crate::document::markdown::slug::SlugRule;
use crate::hash::{HashMap, HashSet, RandomState};

/// A rule must explain at least this many anchors that the usual rule cannot. Three are too few:
/// vitest has three that are misspelled.
const MIN_EXPLAINED_ANCHORS: usize = 5;
/// The rules that a site may have, the most usual first.
const RULES: [Slugs; 10] = [
    Slugs::Github,
    Slugs::Mkdocs,
    Slugs::Blackfriday,
    Slugs::Gitlab,
    Slugs::Vitepress,
    Slugs::Jekyll,
    Slugs::Pandoc,
    Slugs::Mdbook,
    Slugs::GithubAscii,
    Slugs::Sphinx,
];
/// Maximum number of documents that are read by all rules. More would show the same rule.
const MAX_BY_ALL: usize = 32;
/// Maximum number of anchors that are counted. In a larger site, the first ones show the rule.
const MAX_COUNTED: usize = 100_000;

/// Another rule, by which more links find their anchor.
#[derive(Clone, Debug)]
pub struct OtherRule {
    pub slugs: Slugs,
    /// The links that would find their anchor by it.
    pub links: MissingGroup,
}

/// The rule that the links of a site show, if it is not the usual one.
#[derive(Debug)]
pub(super) struct ShownRule {
    rule: OtherRule,
    /// The anchors that only this rule makes, by their hash.
    anchors: HashSet<u64>,
    hasher: RandomState,
}

impl ShownRule {
    /// Returns the rule if it makes this anchor.
    pub fn with(&self, document: &Path, anchor: &str) -> Option<OtherRule> {
        let document = paths::absolute(document);
        let is_made = self.anchors.contains(&self.hasher.hash_one((&*document, anchor)));
        is_made.then(|| self.rule.clone())
    }

    /// Returns the number of anchors.
    pub fn len(&self) -> usize {
        self.anchors.len()
    }
}

/// The anchors of a document that links name.
#[derive(Default)]
struct NamedAnchors {
    found: HashSet<String>,
    /// With the first link to each.
    missing: HashMap<String, Option<FirstLink>>,
}

impl NamedAnchors {
    /// Returns the headings of which some rule may make a missing anchor.
    fn missing_headings<'a>(&self, anchors: &'a Anchors) -> Vec<&'a str> {
        anchors.headings_like(self.missing.keys().map(String::as_str))
    }
}

/// Counts links to anchors.
#[derive(Default)]
pub(super) struct AnchorCounter {
    documents: HashMap<PathBuf, NamedAnchors>,
    slugs: Option<Slugs>,
    counted: usize,
}

impl AnchorCounter {
    /// Counts a link to an anchor of a document, both at their absolute paths.
    pub fn take(
        &mut self,
        of: PathBuf,
        anchor: String,
        is_missing: bool,
        context: &LinkContext<'_>,
    ) {
        let site = &context.page.site;
        // The rule of a forge is certain, and so is one that the settings choose.
        let is_known = site.rules().forge == ForgeRule::OnForge || site.slugs != site.rules().slugs;
        if is_known
            || site.slugs == Slugs::Any
            || *self.slugs.get_or_insert(site.slugs) != site.slugs
            || self.counted >= MAX_COUNTED
        {
            return;
        }
        self.counted += 1;
        let named = self.documents.entry(of).or_default();
        if !is_missing {
            named.found.insert(anchor);
            return;
        }
        let document = paths::absolute(context.page.path);
        let first = named.missing.entry(anchor).or_default();
        FirstLink::update(first, &document, context.link.span.start());
    }

    /// Returns the rule that makes the most of the missing anchors, if they are at least
    /// [`MIN_EXPLAINED_ANCHORS`], and more than those that links find by the usual rule alone.
    pub fn finish(self, files: PageFiles<'_>) -> Option<ShownRule> {
        let usual = self.slugs?;
        let documents = self.documents.iter().filter(|(_, named)| !named.missing.is_empty());
        let mut documents: Vec<(&PathBuf, &NamedAnchors)> = documents.collect();
        if documents.iter().map(|(_, named)| named.missing.len()).sum::<usize>()
            < MIN_EXPLAINED_ANCHORS
        {
            return None;
        }
        // Sort, so that the same documents are read by all rules in every run.
        documents.sort_unstable_by_key(|(path, _)| *path);
        let (sample, _) = documents.split_at(documents.len().min(MAX_BY_ALL));
        let mut counts = RULES.map(|slugs| (0, slugs));
        for (document, named) in sample {
            let Some(anchors) = files.anchors(document) else { continue };
            let headings = named.missing_headings(&anchors);
            for (count, slugs) in &mut counts {
                let made = anchors_by(*slugs, &headings);
                *count += named.missing.keys().filter(|it| made.contains(*it)).count();
            }
        }
        // `max_by_key` returns the last of several maxima, but the first rule must win.
        let most = counts.into_iter().rev().max_by_key(|(count, _)| *count);
        let (_, slugs) = most.filter(|(count, _)| *count > 0)?;
        let made = missing_made_by(slugs, &documents, files);
        if made.len() < MIN_EXPLAINED_ANCHORS {
            return None;
        }
        if self.found_by_usual_only(usual, slugs, made.len(), files) >= made.len() {
            return None;
        }
        let link = |&(document, anchor): &(&Path, &str)| {
            self.documents.get(document)?.missing.get(anchor)?.as_ref()
        };
        let links = MissingGroup {
            first: made.iter().filter_map(link).min()?.clone(),
            targets: made.len(),
        };
        let hasher = RandomState::default();
        let anchors = made.iter().map(|it| hasher.hash_one(it)).collect();
        Some(ShownRule { rule: OtherRule { slugs, links }, anchors, hasher })
    }

    /// Returns the number of anchors that links find by the usual rule, and not by the other one.
    fn found_by_usual_only(
        &self,
        usual: Slugs,
        other: Slugs,
        most: usize,
        files: PageFiles<'_>,
    ) -> usize {
        let mut count = 0;
        for (document, named) in self.documents.iter().filter(|(_, it)| !it.found.is_empty()) {
            let Some(anchors) = files.anchors(document) else { continue };
            let headings = anchors.headings_like(named.found.iter().map(String::as_str));
            let (usual, other) = (anchors_by(usual, &headings), anchors_by(other, &headings));
            count +=
                named.found.iter().filter(|it| usual.contains(*it) && !other.contains(*it)).count();
            if count >= most {
                break;
            }
        }
        count
    }
}

/// Returns the missing anchors of documents that a rule makes.
fn missing_made_by<'n>(
    slugs: Slugs,
    documents: &[(&'n PathBuf, &'n NamedAnchors)],
    files: PageFiles<'_>,
) -> Vec<(&'n Path, &'n str)> {
    let of_document = |&(document, named): &(&'n PathBuf, &'n NamedAnchors)| {
        let anchors = files.anchors(document)?;
        let made = anchors_by(slugs, &named.missing_headings(&anchors));
        let missing = named.missing.keys().filter(move |it| made.contains(*it));
        Some(missing.map(|it| (document.as_path(), it.as_str())))
    };
    documents.iter().filter_map(of_document).flatten().collect()
}

/// Returns the anchors that a rule makes of these headings.
fn anchors_by(slugs: Slugs, headings: &[&str]) -> HashSet<String> {
    let rules = SlugRule::for_slugs(slugs).iter();
    rules.flat_map(|rule| rule.anchors(headings.iter().copied())).collect()
}
