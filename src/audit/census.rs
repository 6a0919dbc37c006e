//! Counts links of a whole tree, for faults that no single link shows: [`Census`].
//!
//! Suppose that many links lead into one directory or page, all of them are broken, and nothing
//! else in the tree has the names that they look for. Then a program creates the targets, or all
//! were deleted. So the first of these links is a finding, and the others are notes. This is
//! different if a file or heading was only renamed or moved: then its neighbours are still there,
//! or its name is elsewhere.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::anchor_rules::{AnchorCounter, OtherRule, ShownRule};
use super::first_link::FirstLink;
use super::form::{Ending, FormCounter, FormCounts, FormTallies, LinkForm};
use super::layouts::Layouts;
use super::link_context::AuditedPage;
use super::paths;
use super::search_path::BareNames;
use super::target::{anchor, decoded, index_of};
use crate::audit::answers::PageFiles;
use crate::audit::sites::UnresolvedLinks;
use crate::audit::{LinkContext, PathStatus, Site};
use crate::hash::{HashMap, HashSet};

/// This many different targets are too few to decide.
const TOO_FEW_TARGETS: usize = 4;
/// Like [`TOO_FEW_TARGETS`], for targets below a missing directory that many documents name.
const TOO_FEW_TARGETS_BELOW: usize = 2;
/// Like [`TOO_FEW_TARGETS`], for labels.
const TOO_FEW_LABELS: usize = 1;
/// Like [`TOO_FEW_TARGETS`], for anchors of documents to which a layout adds others. A sample may
/// contain few anchors with one start: 71 findings in developer.chrome.com were about `property-`.
const TOO_FEW_ANCHORS_OF_LAYOUT: usize = 1;
/// Like [`TOO_FEW_TARGETS`], for files of one name, each in another directory: it takes a build to
/// put so many there.
const TOO_FEW_TARGETS_NAMED: usize = 8;
/// At least this many documents must link there. Authors would notice a deletion that breaks so
/// many.
const MANY_DOCUMENTS: usize = 5;
/// Minimum number of missing targets per target that exists.
const MISSING_PER_FOUND: usize = 5;
/// Extensions of the sources of pages, one of which may have the name of a page.
const SOURCES: [&str; 7] = ["adoc", "html", "ipynb", "md", "mdx", "qmd", "rst"];

/// A place that links lead to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LinkPlace {
    /// Files of one extension in a directory.
    In(PathBuf, String),
    /// Anywhere below a directory that is missing.
    Below(PathBuf),
    /// Files with this name beside their documents, which a build puts there.
    Named(OsString),
    /// Files of one extension, wherever they are, whose names start with these two words:
    /// `rules_java_design.html` and `rules_java_errors.html`.
    NamedLike(String, String),
    /// Files in a directory whose names end in this variant: `a-js.md` for `a.md`.
    Variants(PathBuf, String),
    /// Labels that start with this word. MyST looks up a name that is not a file beside the
    /// document among the labels of all documents.
    Labels(String),
    /// Anchors of a document.
    Of(PathBuf),
    /// Anchors of the documents in a directory that start with this word.
    Starting(PathBuf, String),
}

/// The targets of links that lead to one place.
#[derive(Debug, Default)]
struct Targets {
    found: BTreeSet<String>,
    missing: BTreeSet<String>,
    /// Documents that link to missing targets, at most [`MANY_DOCUMENTS`].
    documents: BTreeSet<PathBuf>,
    first: Option<FirstLink>,
}

impl Targets {
    /// True if few of the targets exist.
    fn are_mostly_missing(&self) -> bool {
        self.found.len() * MISSING_PER_FOUND <= self.missing.len()
    }

    fn miss(&mut self, name: String, context: &LinkContext<'_>) {
        self.missing.insert(name);
        let document = paths::absolute(context.page.path);
        FirstLink::update(&mut self.first, &document, context.link.span.start());
        if self.documents.len() < MANY_DOCUMENTS {
            self.documents.insert(document);
        }
    }
}

/// A name that links expect at a place and that nothing there has.
#[derive(Clone, Debug)]
pub struct MissingGroup {
    pub(super) first: FirstLink,
    /// Number of different targets.
    pub targets: usize,
}

impl MissingGroup {
    /// True for the link that is reported for all of them.
    pub(super) fn is_first(&self, context: &LinkContext<'_>) -> bool {
        self.first.is(context)
    }
}

/// The places whose targets a program makes.
#[derive(Debug, Default)]
pub(super) struct Census {
    made: HashMap<LinkPlace, MissingGroup>,
    /// The ids in documents of AsciiDoc, several of which may be parts of one book.
    ids: HashSet<String>,
    forms: FormTallies,
    rule: Option<ShownRule>,
    /// Missing files that a search path has.
    searched: HashSet<PathBuf>,
}

/// Counts the links of documents.
#[derive(Default)]
pub(super) struct CensusTaker {
    places: HashMap<LinkPlace, Targets>,
    ids: HashSet<String>,
    documents: Vec<PathBuf>,
    forms: FormCounter,
    anchors: AnchorCounter,
    bare: BareNames,
}

impl Census {
    /// Counts the links of one document.
    pub fn count(page: &AuditedPage<'_>) -> Self {
        let mut taker = CensusTaker::default();
        taker.take(page);
        taker.finish(&page.site, page.files)
    }

    /// Returns the missing files that links name in the directory of this one, if a program makes
    /// them.
    pub fn files(
        &self,
        files: PageFiles<'_>,
        path: &Path,
        extension: &str,
    ) -> Option<MissingGroup> {
        if self.made.is_empty() {
            return None;
        }
        let labels = LinkPlace::Labels(first_word(path));
        let alike = named_like(path, extension);
        let mut places = places(files, path, extension).into_iter().chain([labels]).chain(alike);
        places.find_map(|place| self.made.get(&place)).cloned()
    }

    /// Returns the missing files with the name of this one beside many documents, if a build puts one
    /// beside each of them.
    pub fn files_named_alike(&self, path: &Path) -> Option<MissingGroup> {
        self.made.get(&LinkPlace::Named(path.file_name()?.to_owned())).cloned()
    }

    /// True for a missing file that another directory contains, if the same directory contains most
    /// files that links name without a directory.
    pub fn is_searched(&self, path: &Path) -> bool {
        !self.searched.is_empty() && self.searched.contains(&paths::absolute(path))
    }

    /// Returns the missing anchors of a document that links name, if a program makes them, and this
    /// one is among them.
    pub fn anchors(&self, document: &Path, anchor: &str) -> Option<MissingGroup> {
        if self.made.is_empty() {
            return None;
        }
        let of_document = self.made.get(&LinkPlace::Of(paths::absolute(document)));
        of_document.or_else(|| self.made.get(&starting(document, anchor))).cloned()
    }

    /// True if a document of AsciiDoc has this id.
    pub fn has_id(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Returns how many links of a form lead to a file.
    pub fn form_counts(&self, document: &Path, form: &LinkForm, target: &Path) -> FormCounts {
        self.forms.form_counts(document, form, target)
    }

    /// Returns the rule that makes this anchor, if the site seems to have another one than usual.
    pub fn other_rule(&self, document: &Path, anchor: &str) -> Option<OtherRule> {
        self.rule.as_ref()?.with(document, anchor)
    }

    /// Returns the number of places, ids, tallies, and anchors.
    pub fn len(&self) -> usize {
        let anchors = self.rule.as_ref().map_or(0, ShownRule::len);
        self.made.len() + self.ids.len() + self.forms.len() + self.searched.len() + anchors
    }
}

impl CensusTaker {
    /// Counts the links of a page. The page must not use a census itself.
    pub fn take(&mut self, page: &AuditedPage<'_>) {
        let page = page.with_facts(page.facts);
        self.documents.push(page.path.to_owned());
        if page.has_attributes() {
            self.ids.extend(page.facts.names().map(|(name, _)| name.to_owned()));
        }
        let document = paths::absolute(page.path);
        self.forms.start(&document);
        for link in page.facts.links() {
            let context = &LinkContext::new(link, &page);
            // Most links lead to the web, and have no place in the tree to be looked up.
            if context.absolute().is_some() || context.link.origin.is_of_template() {
                continue;
            }
            self.forms.take(&document, context);
            let target = context.target();
            if let Some(path) = target.and_then(|it| it.path.as_deref()) {
                match target.map(|it| &it.entry) {
                    Some(PathStatus::Missing { .. }) => self.bare.miss(path, context),
                    Some(PathStatus::File) => self.bare.find(path, context),
                    _ => {}
                }
            }
            self.take_name(context);
            // A missing picture is not made by a program.
            if is_picture(context) {
                continue;
            }
            let Some(target) = target else { continue };
            let path = target.path.as_deref().unwrap_or(page.path);
            // The anchors of a directory are those of its index.
            let index = match (&target.entry, target.fragment) {
                (PathStatus::Directory, Some(_)) => index_of(&page, path),
                _ => None,
            };
            if let (Some(index), Some(fragment)) = (&index, target.fragment) {
                let finding = anchor::check(context);
                let is_missing = finding.is_some_and(|it| it.check == &anchor::CHECK);
                self.take_start(index, fragment, is_missing, context);
            }
            match &target.entry {
                PathStatus::Missing { .. } => {
                    let labels = may_be_label(context).then(|| LinkPlace::Labels(first_word(path)));
                    let extension = extension(context);
                    let alike = named_like(path, &extension);
                    let places = places(page.files, path, &extension).into_iter();
                    for place in places.chain(labels).chain(alike) {
                        let name = path.to_string_lossy().into_owned();
                        self.places.entry(place).or_default().miss(name, context);
                    }
                }
                PathStatus::File => {
                    if target.path.is_some() {
                        let (written, _) = context.split();
                        let alike = named_like(Path::new(written), &extension(context));
                        let place = LinkPlace::In(above(path), extension(context));
                        for place in alike.into_iter().chain([place]) {
                            let found = &mut self.places.entry(place).or_default().found;
                            found.insert(path.to_string_lossy().into_owned());
                        }
                    }
                    if let Some(fragment) = target.fragment {
                        let finding = anchor::check(context);
                        let is_missing =
                            finding.as_ref().is_some_and(|it| it.check == &anchor::CHECK);
                        let of = paths::absolute(path);
                        let name = decoded(fragment).unwrap_or_default();
                        // Slugs are a matter of Markdown.
                        if !page.has_attributes() && (is_missing || finding.is_none()) {
                            self.anchors.take(of.clone(), name.clone(), is_missing, context);
                        }
                        self.take_start(path, fragment, is_missing, context);
                        if is_missing {
                            self.places.entry(LinkPlace::Of(of)).or_default().miss(name, context);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Counts the files that the links of a style sheet name beside it. Other rules say where their
    /// other links lead.
    pub fn take_names(&mut self, page: &AuditedPage<'_>) {
        for link in page.facts.links() {
            self.take_name(&LinkContext::new(link, page));
        }
    }

    /// Counts a file by its name, if the link names one beside its document.
    fn take_name(&mut self, context: &LinkContext<'_>) {
        if context.absolute().is_some() || !names_file_beside(context) {
            return;
        }
        let Some(target) = context.target() else { return };
        let Some(path) = target.path.as_deref() else { return };
        let place = LinkPlace::Named(path.file_name().unwrap_or_default().to_owned());
        let targets = self.places.entry(place).or_default();
        let name = path.to_string_lossy().into_owned();
        match &target.entry {
            PathStatus::Missing { .. } => targets.miss(name, context),
            PathStatus::File => _ = targets.found.insert(name),
            _ => {}
        }
    }

    /// Counts an anchor of a document by its first word.
    fn take_start(
        &mut self,
        document: &Path,
        fragment: &str,
        is_missing: bool,
        context: &LinkContext<'_>,
    ) {
        let name = decoded(fragment).unwrap_or_default();
        let starting = self.places.entry(starting(document, &name)).or_default();
        if is_missing {
            starting.miss(format!("{}#{name}", document.display()), context)
        } else {
            starting.found.insert(name);
        }
    }

    /// Decides about the places.
    pub fn finish(self, site: &Site, files: PageFiles<'_>) -> Census {
        let Self { places, ids, documents, forms, anchors, bare } = self;
        let mut layouts = Layouts::new(&documents);
        for (place, targets) in &places {
            if let LinkPlace::Starting(directory, _) = place
                && targets.missing.len() > TOO_FEW_TARGETS
                && targets.are_mostly_missing()
            {
                layouts.learn(directory, &targets.missing);
            }
        }
        let elsewhere = anchors_elsewhere(&places, &documents, files);
        let is_made = |(place, targets): &(LinkPlace, Targets)| {
            let missing = &targets.missing;
            let few = match place {
                LinkPlace::Below(_) if targets.documents.len() >= MANY_DOCUMENTS => {
                    TOO_FEW_TARGETS_BELOW
                }
                // The same name in two directories cannot be a file.
                LinkPlace::Labels(_) => TOO_FEW_LABELS,
                LinkPlace::Named(_) => TOO_FEW_TARGETS_NAMED,
                LinkPlace::Starting(..) => TOO_FEW_ANCHORS_OF_LAYOUT,
                _ => TOO_FEW_TARGETS,
            };
            missing.len() > few
                && match place {
                    // A program combines the variants, such as those for several languages.
                    LinkPlace::Variants(..) => true,
                    LinkPlace::Named(_) => targets.are_mostly_missing(),
                    LinkPlace::In(..) | LinkPlace::NamedLike(..) | LinkPlace::Below(_) => {
                        let elsewhere = missing.iter().filter(|it| is_named(site, files, it));
                        // If files of these names are elsewhere in the tree, they were moved, and
                        // no program makes them.
                        // If they are few, one may have the name of something else by chance.
                        let share = if missing.len() > TOO_FEW_TARGETS { 4 } else { 3 };
                        targets.are_mostly_missing() && elsewhere.count() * share <= missing.len()
                    }
                    LinkPlace::Labels(_) => {
                        has_name_from_two(missing)
                            && !missing.iter().any(|it| is_named(site, files, it))
                    }
                    LinkPlace::Starting(directory, _) => {
                        targets.are_mostly_missing() && layouts.explain(directory, missing)
                    }
                    LinkPlace::Of(document) => {
                        // A document that has headings has more likely lost these anchors.
                        let has = files.anchors(document).map_or(0, |anchors| anchors.len());
                        let others =
                            missing.iter().filter(|name| elsewhere.contains(&name.to_lowercase()));
                        missing.len() > 2 * has && others.count() * 2 <= missing.len()
                    }
                }
        };
        let made = places.into_iter().filter(is_made).filter_map(|(place, targets)| {
            Some((place, MissingGroup { first: targets.first?, targets: targets.missing.len() }))
        });
        let made = one_first_of_each_directory(made.collect());
        let rule = anchors.finish(files);
        Census { made, ids, forms: forms.finish(), rule, searched: bare.finish() }
    }
}

/// Returns those anchors, in lower case, that many links miss in one document, and that a document
/// has in any case of the letters. Those of the document itself are few.
fn anchors_elsewhere(
    places: &HashMap<LinkPlace, Targets>,
    documents: &[PathBuf],
    files: PageFiles<'_>,
) -> HashSet<String> {
    let many = places.iter().filter(|(place, targets)| {
        matches!(place, LinkPlace::Of(_)) && targets.missing.len() > TOO_FEW_TARGETS
    });
    let missing = many.flat_map(|(_, targets)| &targets.missing);
    let missing: HashSet<String> = missing.map(|name| name.to_lowercase()).collect();
    if missing.is_empty() {
        return missing;
    }
    let mut found = HashSet::default();
    // Each document is read once. Looking for each name in each document took quadratic time.
    for document in documents {
        let Some(anchors) = files.anchors(document) else { continue };
        let names = anchors.names().map(str::to_lowercase);
        found.extend(names.filter(|name| missing.contains(name)));
    }
    found
}

/// Returns the place of anchors that start like this one: `method` of `method-connect`.
fn starting(document: &Path, anchor: &str) -> LinkPlace {
    let word = anchor.split(['-', '_', '/', '.']).next().unwrap_or_default();
    LinkPlace::Starting(paths::absolute(&above(document)), word.to_owned())
}

/// Keeps one first link for all the anchors of a directory, whatever they start with.
fn one_first_of_each_directory(
    mut made: HashMap<LinkPlace, MissingGroup>,
) -> HashMap<LinkPlace, MissingGroup> {
    let mut all: HashMap<PathBuf, MissingGroup> = HashMap::default();
    for (place, group) in &made {
        let LinkPlace::Starting(directory, _) = place else { continue };
        all.entry(directory.clone())
            .and_modify(|all| {
                all.targets += group.targets;
                if group.first < all.first {
                    all.first = group.first.clone();
                }
            })
            .or_insert_with(|| group.clone());
    }
    for (place, group) in &mut made {
        if let LinkPlace::Starting(directory, _) = place
            && let Some(all) = all.get(directory)
        {
            group.clone_from(all);
        }
    }
    made
}

/// True for a link of MyST that may name a label: it has no directory.
fn may_be_label(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    page.site.unresolved == UnresolvedLinks::Sphinx
        && page.is_source()
        && !page.has_directives()
        && context.link.element == Some("link")
        && context.link.attribute.is_none()
        && !context.split().0.contains('/')
}

/// Returns the first word of a name: names that a program makes start alike.
fn first_word(path: &Path) -> String {
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    stem.split(['_', '-', '.']).next().unwrap_or_default().to_owned()
}

/// Returns the place of files whose names start like that of a page. Those that a program makes of its
/// rules, say, start alike.
fn named_like(path: &Path, extension: &str) -> Option<LinkPlace> {
    /// Fewest letters of the two words.
    const LEAST_BYTES: usize = 6;
    let stem = path.file_stem().and_then(OsStr::to_str)?;
    let is_page = extension == "html" || extension.is_empty();
    let mut ends = stem.match_indices(['_', '-']).map(|(at, _)| at);
    let start = stem.get(..ends.nth(1)?).filter(|it| is_page && it.len() >= LEAST_BYTES)?;
    Some(LinkPlace::NamedLike(start.to_owned(), extension.to_owned()))
}

/// True if two directories have the same missing name.
fn has_name_from_two(missing: &BTreeSet<String>) -> bool {
    let mut seen = HashSet::default();
    missing.iter().any(|it| !seen.insert(Path::new(it).file_name().unwrap_or_default()))
}

/// True for `a.css` and `./a.css`, which name a file beside the document that is neither a document
/// nor a picture. Authors forget to write those beside each document that they copy.
pub(super) fn names_file_beside(context: &LinkContext<'_>) -> bool {
    let (path, _) = context.split();
    let name = path.strip_prefix("./").unwrap_or(path);
    !name.contains('/') && matches!(Ending::from_path(name), Ending::Other(it) if !it.is_empty())
}

/// True for a picture, or other content shown as a part of the document.
pub(super) fn is_picture(context: &LinkContext<'_>) -> bool {
    let link = context.link();
    matches!(link.attribute, Some("src" | "srcset" | "poster" | "data" | "style"))
        || matches!(link.element, Some("image" | "img" | "style"))
}

/// Returns the extension that a link names, in lower case.
pub(super) fn extension(context: &LinkContext<'_>) -> String {
    let path = context.parsed().map(|parsed| parsed.reference().path().to_owned());
    let path = path.unwrap_or_default();
    let extension = Path::new(&path).extension().and_then(OsStr::to_str);
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// Returns the directory of an address: `a/index.md` is in the same one as `a`.
fn above(path: &Path) -> PathBuf {
    let mut above = paths::absolute(path);
    let is_index = is_index(&above);
    above.pop();
    // `a/index.md` and `a.md` are two files for one address, so both are beside the same pages.
    if is_index {
        above.pop();
    }
    above
}

fn is_index(path: &Path) -> bool {
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    ["index", "_index", "readme"].iter().any(|index| stem.eq_ignore_ascii_case(index))
}

/// Returns the places of a missing file.
fn places(files: PageFiles<'_>, path: &Path, extension: &str) -> Vec<LinkPlace> {
    let is_absent = |path: &Path| matches!(files.probe(path), PathStatus::Missing { .. });
    let mut found = vec![LinkPlace::In(above(path), extension.to_owned())];
    let directory = paths::absolute(path.parent().unwrap_or(Path::new("")));
    let variants = files.variants(path).into_iter();
    found.extend(variants.map(|it| LinkPlace::Variants(directory.clone(), it)));
    // The outermost directory that is missing, since a program that makes pages makes all below it.
    let above = path.ancestors().skip(1).take_while(|it| !it.as_os_str().is_empty());
    if let Some(top) = above.take_while(|it| is_absent(it)).last() {
        found.push(LinkPlace::Below(paths::absolute(top)));
    }
    found
}

/// True if a file of the tree has the name of a missing one.
pub(super) fn is_named(site: &Site, files: PageFiles<'_>, missing: &str) -> bool {
    let path = Path::new(missing);
    let path = if is_index(path) { path.parent().unwrap_or(path) } else { path };
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let has = |name: &str| !files.files_named(site, name).is_empty();
    let is_address = path.extension().is_none_or(|it| it == "html" || it == "htm" || it == "md");
    let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
    has(name)
        || is_address && SOURCES.iter().any(|extension| has(&format!("{stem}.{extension}")))
        || path.extension().is_none() && files.has_name(site, name)
}
