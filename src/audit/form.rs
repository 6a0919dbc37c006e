//! Forms of links, and how many links of each form lead to a target: [`LinkForm`], [`FormTallies`].
//!
//! A site decides where each form of link leads. It may have plugins, hooks, and scripts that the
//! audit does not know. Its own links show whether our rule is right: if nearly all links of a form
//! work, one that does not is broken. If none works, the site may have another rule.

use std::ffi::OsStr;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};

use super::census::is_picture;
use super::first_link::FirstLink;
use super::paths;
use crate::audit::{LinkContext, PathStatus, Profile};
use crate::document::{Format, LinkOrigin, picture};
use crate::hash::{HashMap, HashSet, RandomState};

/// The form in which a link names a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinkForm {
    profile: Profile,
    /// True in documents from which pages are made.
    is_source: bool,
    /// True for attributes of HTML, also within sources: generators resolve these differently.
    pub(super) is_attribute: bool,
    pub(super) purpose: Purpose,
    pub(super) start: Start,
    pub(super) ending: Ending,
}

/// The use of a link's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// The link leads to the target.
    Leads,
    /// The page shows a picture, or runs a script.
    Shows,
    /// The document includes the target's text.
    Includes,
    /// The link leads to a document by its name.
    Names,
    /// A menu lists the page by its id. Relative links of documents look alike, but another rule
    /// says where they lead.
    Lists,
}

impl Purpose {
    pub fn from_context(context: &LinkContext<'_>) -> Self {
        match (context.link.origin, context.link.element) {
            (LinkOrigin::DocumentName, _) => Self::Names,
            (LinkOrigin::Menu, _) if !context.written.starts_with(['/', '.']) => Self::Lists,
            (origin, _) if origin.is_included() => Self::Includes,
            (_, Some("include" | "download")) => Self::Includes,
            _ if is_picture(context) => Self::Shows,
            _ => Self::Leads,
        }
    }

    /// True for a link that readers follow, of a document or of a menu.
    pub fn leads(self) -> bool {
        matches!(self, Self::Leads | Self::Lists)
    }
}

/// The start of a link's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Start {
    /// `/a`.
    Root,
    /// `../a`.
    Above,
    /// `a`, `./a`.
    Here,
    /// `@a/b`, `~/a`, `a$b`, `a:b`, which a program resolves.
    Other,
}

/// The end of a link's path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ending {
    /// No extension: the address of a page, or a directory.
    Address,
    /// The extension of a document from which pages are made.
    Source,
    /// The extension of a page.
    Page,
    Picture,
    /// Any other extension, in lower case.
    Other(String),
}

impl LinkForm {
    /// Returns the counts of the links with the form of this one, which leads to `target`.
    pub(super) fn counts_of(context: &LinkContext<'_>, target: &Path) -> Option<FormCounts> {
        context.page.form_counts(&Self::from_context(context)?, target)
    }

    /// Returns the form of a link; `None` for URIs, and for links to an anchor of the document.
    pub(super) fn from_context(context: &LinkContext<'_>) -> Option<Self> {
        let origin = context.link.origin;
        if context.absolute().is_some() || origin.is_of_template() || origin == LinkOrigin::PageName
        {
            return None;
        }
        let parsed = context.parsed()?;
        let reference = parsed.reference();
        let path = reference.path();
        if path.is_empty() {
            return None;
        }
        let purpose = Purpose::from_context(context);
        let start = match path {
            _ if path.starts_with('/') => Start::Root,
            _ if path.starts_with("../") || path == ".." => Start::Above,
            _ if reference.scheme().is_some()
                || path.starts_with(['@', '~', '$'])
                || path.contains(['$', ':']) =>
            {
                Start::Other
            }
            _ => Start::Here,
        };
        Some(Self {
            profile: context.page.site.profile,
            is_source: context.page.is_source(),
            is_attribute: context.link.attribute.is_some(),
            purpose,
            start,
            ending: Ending::from_path(path),
        })
    }
}

/// Longest extension. `announcing-the-new-release-of-1.the-second` has none.
const MAX_EXTENSION_LENGTH: usize = 8;

/// Names of files that are not pages, and have no extension.
const PLAIN_FILES: [&str; 9] = [
    "AUTHORS",
    "CODEOWNERS",
    "COPYING",
    "Dockerfile",
    "LICENCE",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "OWNERS",
];

impl Ending {
    pub(super) fn from_path(path: &str) -> Self {
        let extension = Path::new(path).extension().and_then(OsStr::to_str).unwrap_or_default();
        let extension = extension.to_ascii_lowercase();
        // The dot of a version, as in `release-1.2`, does not start an extension, so an extension
        // needs a letter.
        let is_extension = extension.bytes().all(|it| it.is_ascii_alphanumeric())
            && extension.bytes().any(|it| it.is_ascii_alphabetic())
            && extension.len() <= MAX_EXTENSION_LENGTH;
        // These names are files without an extension, even where other such names are addresses of
        // pages.
        if PLAIN_FILES.contains(&path.rsplit('/').next().unwrap_or_default()) {
            return Self::Other(String::new());
        }
        match extension.as_str() {
            _ if !is_extension || path.ends_with('/') => Self::Address,
            "htm" | "html" => Self::Page,
            it if picture::is_extension(it.as_bytes()) => Self::Picture,
            it if Format::from_extension(it).is_some_and(Format::is_source) => Self::Source,
            _ => Self::Other(extension),
        }
    }
}

/// Numbers of distinct targets of links of one form.
#[derive(Clone, Debug, Default)]
pub struct FormTally {
    pub(super) found: usize,
    pub(super) missing: usize,
    /// The first link whose target is missing.
    first: Option<FirstLink>,
}

/// Minimum number of targets that exist, and minimum per missing target, for nearly all to exist.
const ENOUGH_FOUND: usize = 10;
const FOUND_PER_MISSING: usize = 5;

impl FormTally {
    /// True if nearly all targets exist.
    pub(super) fn are_nearly_all_found(&self) -> bool {
        self.found >= ENOUGH_FOUND && self.found >= FOUND_PER_MISSING * self.missing
    }

    /// Counts a missing target of a document at this absolute path.
    pub(super) fn miss(&mut self, document: &Path, start: usize) {
        self.missing += 1;
        FirstLink::update(&mut self.first, document, start);
    }

    /// True for the link that is reported for all of them.
    pub(super) fn is_first(&self, context: &LinkContext<'_>) -> bool {
        self.first.as_ref().is_some_and(|first| first.is(context))
    }
}

/// Counts of the links that have the same form as a broken one.
#[derive(Clone, Debug, Default)]
pub struct FormCounts {
    /// Throughout the site.
    pub(super) site: FormTally,
    /// True if other links lead to missing targets below the missing place.
    pub(super) is_above_others: bool,
    /// In the document, of all forms with the same start; `None` if its links were not counted.
    pub(super) document: Option<FormTally>,
}

/// The tallies of a site.
#[derive(Debug, Default)]
pub(super) struct FormTallies {
    site: HashMap<LinkForm, FormTally>,
    /// By the start of links; only the forms with missing targets.
    documents: HashMap<PathBuf, HashMap<Start, FormTally>>,
    /// The directories above missing targets, by their hash.
    above: HashSet<u64>,
    hasher: RandomState,
}

impl FormTallies {
    /// Returns the tallies of a form, for a missing target.
    pub fn form_counts(&self, document: &Path, form: &LinkForm, target: &Path) -> FormCounts {
        let tallies = self.documents.get(&paths::absolute(document));
        FormCounts {
            site: self.site.get(form).cloned().unwrap_or_default(),
            is_above_others: self.above.contains(&self.hasher.hash_one(target)),
            document: tallies.map(|it| it.get(&form.start).cloned().unwrap_or_default()),
        }
    }

    /// Returns the number of tallies and documents.
    pub fn len(&self) -> usize {
        self.site.len() + 2 * self.documents.len() + self.above.len()
    }
}

/// Counts the links of documents by their form.
#[derive(Default)]
pub(super) struct FormCounter {
    site: HashMap<LinkForm, TargetHashes>,
    documents: HashMap<PathBuf, HashMap<Start, TargetHashes>>,
    above: HashSet<u64>,
    hasher: RandomState,
}

/// Maximum number of directories above a missing target that are examined.
const MAX_ABOVE: usize = 8;

/// The distinct targets, by a hash of their paths. A collision matters little.
#[derive(Default)]
struct TargetHashes {
    found: HashSet<u64>,
    missing: HashSet<u64>,
    first: Option<FirstLink>,
}

impl TargetHashes {
    fn add(&mut self, target: u64, is_missing: bool, (document, start): (&Path, usize)) {
        if !is_missing {
            self.found.insert(target);
            return;
        }
        self.missing.insert(target);
        FirstLink::update(&mut self.first, document, start);
    }

    fn tally(self) -> FormTally {
        FormTally { found: self.found.len(), missing: self.missing.len(), first: self.first }
    }
}

impl FormCounter {
    /// Adds a document, at its absolute path.
    pub fn start(&mut self, document: &Path) {
        self.documents.entry(document.to_owned()).or_default();
    }

    /// Counts a link of a document.
    pub fn take(&mut self, document: &Path, context: &LinkContext<'_>) {
        let Some(target) = context.target() else { return };
        let Some(path) = &target.path else { return };
        let is_missing = match &target.entry {
            PathStatus::File | PathStatus::Directory => false,
            PathStatus::Missing { .. } => true,
            // A name in the wrong case has its own finding, and an unknown path says nothing about
            // the form.
            PathStatus::OtherCase { .. } | PathStatus::Unknown => return,
        };
        let Some(form) = LinkForm::from_context(context) else { return };
        let hash = self.hasher.hash_one(path);
        if is_missing {
            let above = path.ancestors().skip(1).take(MAX_ABOVE);
            self.above.extend(above.map(|it| self.hasher.hash_one(it)));
        }
        let start = context.link.span.start();
        if let Some(of_document) = self.documents.get_mut(document) {
            of_document.entry(form.start).or_default().add(hash, is_missing, (document, start));
        }
        self.site.entry(form).or_default().add(hash, is_missing, (document, start));
    }

    pub fn finish(self) -> FormTallies {
        let with_missing = |of_document: HashMap<Start, TargetHashes>| {
            // Only missing targets use these tallies, so the others need no memory.
            let targets = of_document.into_iter().filter(|(_, it)| !it.missing.is_empty());
            targets.map(|(start, targets)| (start, targets.tally())).collect()
        };
        let documents = self.documents.into_iter();
        FormTallies {
            site: self.site.into_iter().map(|(form, targets)| (form, targets.tally())).collect(),
            documents: documents.map(|(document, it)| (document, with_missing(it))).collect(),
            above: self.above,
            hasher: self.hasher,
        }
    }
}
