//! The documents of AsciiDoc around one: those that include it, and what they include: [`Book`].

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Destination, LinkTarget, Unchecked, generated, joined};
use crate::audit::answers::PageFiles;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::antora::{self, Resource};
use crate::audit::{Anchors, LinkContext, PathStatus, Site, paths};
use crate::hash::{HashMap, HashSet};

/// Most documents of a book that are looked at: those of strimzi have 350 parts.
const MAX_DOCUMENTS: usize = 1024;
/// Most names of documents that are looked at. Hostile documents may all include each other.
const MAX_STEPS: usize = 16 << 10;
/// Most values of attributes of others that one document gets.
const MAX_VALUES: usize = 4096;
/// Most documents from whose directories a link is tried.
const MAX_PAGES: usize = 16;
/// Most times that a document is asked for an anchor that another one may have. A page of a book of
/// 350 parts may have 90 broken anchors; beyond that, no more is known of the book.
const MAX_LOOKUPS: usize = 32 << 10;
/// Most directories of pictures of one book.
const MAX_DIRECTORIES: usize = 8;

/// The documents that include a document, and all documents that are a part of these: Asciidoctor
/// reads them as one.
#[derive(Debug, Default)]
pub(in crate::audit) struct Book {
    /// The documents that include it, on all levels.
    pages: Vec<PathBuf>,
    /// These, the document itself, and all of their parts.
    documents: Vec<PathBuf>,
    /// All of them as absolute paths.
    absolute: HashSet<PathBuf>,
    /// The book has more documents than are looked at.
    is_cut: bool,
    /// A document includes others that only a build knows.
    includes_unknown: OnceLock<bool>,
    /// Anchors of the documents with attributes in them: `a-{context}`.
    open_anchors: OnceLock<Vec<String>>,
    /// The values of `:imagesdir:` in the book.
    picture_directories: OnceLock<Vec<String>>,
    /// How often a document was asked for an anchor.
    lookups: AtomicUsize,
}

impl Book {
    /// Finds the book of a document of AsciiDoc.
    pub fn find(files: PageFiles<'_>, site: &Site, document: &Path) -> Self {
        let mut seen: HashSet<PathBuf> = HashSet::default();
        let mut this = Self { documents: vec![document.to_path_buf()], ..Self::default() };
        seen.insert(paths::absolute(document));
        let (mut steps, mut is_cut) = (0, false);
        let mut is_new = |path: &Path| {
            steps += 1;
            is_cut |= steps >= MAX_STEPS || seen.len() >= MAX_DOCUMENTS;
            !is_cut && seen.insert(paths::absolute(path))
        };
        // First the pages, on all levels.
        let mut above = vec![document.to_path_buf()];
        while let Some(part) = above.pop() {
            for composed in files.importers(site, &part).iter().take(MAX_STEPS) {
                if is_new(&composed.page) {
                    above.push(composed.page.clone());
                    this.pages.push(composed.page.clone());
                }
            }
        }
        // Then their parts.
        let mut pending = this.pages.clone();
        pending.push(document.to_path_buf());
        this.documents.extend(this.pages.iter().cloned());
        while let Some(page) = pending.pop() {
            let composed = files.composed(site, &page);
            for part in composed.iter().flat_map(|it| &it.parts).take(MAX_STEPS) {
                if is_new(part) {
                    pending.push(part.clone());
                    this.documents.push(part.clone());
                }
            }
        }
        Self { is_cut, absolute: seen, ..this }
    }

    /// True if other documents include the document.
    pub fn is_part(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Returns the attributes that the other documents set, if all agree on the value.
    pub fn attributes(&self, files: PageFiles<'_>, site: &Site) -> Vec<(String, String)> {
        let others = self.documents.iter().skip(1);
        let all: Vec<_> = others.map(|it| files.attributes(site, it)).collect();
        let mut values: Vec<(String, String)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::default();
        let mut differing: HashSet<&str> = HashSet::default();
        for (name, value) in all.iter().flat_map(|it| it.iter()).take(MAX_VALUES) {
            match places.get(name.as_str()) {
                Some(&at) => {
                    let known = values.get(at);
                    if known.is_some_and(|(_, it)| it != value) {
                        differing.insert(name);
                    }
                }
                None => {
                    places.insert(name.as_str(), values.len());
                    values.push((name.clone(), value.clone()));
                }
            }
        }
        values.retain(|(name, _)| !differing.contains(name.as_str()));
        values
    }

    /// True if a document of the book has an anchor, or may have it: `[id="a-{context}"]` is one
    /// for each context.
    pub fn has_anchor(&self, page: &AuditedPage<'_>, anchor: &str) -> bool {
        if self.documents.len() == 1 {
            return false;
        }
        let is_open = || self.open_anchors(page).iter().any(|name| is_filled_in(name, anchor));
        page.anchors().contains(anchor) || is_open() || self.has_anchor_of_parts(page, anchor)
    }

    fn open_anchors(&self, page: &AuditedPage<'_>) -> &[String] {
        self.open_anchors.get_or_init(|| {
            let mut found = Vec::new();
            let mut add = |anchors: &Anchors| {
                let open = anchors.names().filter(|name| name.contains('{'));
                found.extend(open.take(MAX_VALUES - found.len()).map(str::to_owned));
            };
            add(page.anchors());
            for other in self.documents.iter().skip(1) {
                page.files.anchors(other).iter().for_each(|anchors| add(anchors));
            }
            found
        })
    }

    /// True if a document of the book includes others that only a build knows: these may have any
    /// anchor.
    pub fn is_open(&self, page: &AuditedPage<'_>) -> bool {
        let is_unknown = |it: &PathBuf| page.files.includes_unknown(&page.site, it);
        self.is_cut
            || self.lookups.load(Ordering::Relaxed) > MAX_LOOKUPS
            || *self.includes_unknown.get_or_init(|| self.documents.iter().any(is_unknown))
    }

    /// True if a document of a book that is not this page's has an anchor.
    pub fn has_anchor_of_parts(&self, page: &AuditedPage<'_>, anchor: &str) -> bool {
        let mut others = self.documents.iter().skip(1);
        // Hostile documents all include each other, and refer to anchors that none of them has.
        let asked = self.lookups.fetch_add(others.len(), Ordering::Relaxed);
        asked <= MAX_LOOKUPS
            && others.any(|it| page.files.anchors(it).is_some_and(|it| it.contains(anchor)))
    }

    /// True if a path is that of a document of the book.
    pub fn has_document(&self, path: &Path) -> bool {
        self.absolute.contains(&paths::absolute(path))
    }

    /// Returns the values of `:imagesdir:` in the book.
    fn picture_directories(&self, page: &AuditedPage<'_>) -> &[String] {
        self.picture_directories.get_or_init(|| self.all_picture_directories(page))
    }

    fn all_picture_directories(&self, page: &AuditedPage<'_>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for document in &self.documents {
            for (name, value) in page.files.attributes(&page.site, document).iter() {
                if name == "imagesdir" && !found.contains(value) && found.len() < MAX_DIRECTORIES {
                    found.push(value.clone());
                }
            }
        }
        found
    }
}

/// True for an id that attributes may make of this name: `a-{b}` of `a-c`.
fn is_filled_in(name: &str, id: &str) -> bool {
    let Some((start, rest)) = name.split_once('{') else { return false };
    let end = rest.rsplit_once('}').map_or("", |(_, end)| end);
    let is_known = start.len() + end.len() >= 2;
    is_known && id.len() > start.len() + end.len() && id.starts_with(start) && id.ends_with(end)
}

/// True for an anchor of a book of AsciiDoc, of which both this document and the target are parts:
/// `<<chapter#id>>` is `#id` there (Asciidoctor, "Inter-Document Cross References").
pub(super) fn has_anchor(context: &LinkContext<'_>, target: &LinkTarget<'_>, anchor: &str) -> bool {
    let page = context.page;
    if !page.has_attributes() || page.is_trial {
        return false;
    }
    match target.path.as_deref() {
        Some(path) if !page.book().has_document(path) => {
            page.other_book(path).is_some_and(|book| book.has_anchor_of_parts(page, anchor))
        }
        _ => page.book().has_anchor(page, anchor),
    }
}

/// True for a link of an included document whose target Asciidoctor looks for beside the document
/// that includes it: only `include::` starts at the file that it is in (AsciiDoc, "Includes").
pub(super) fn is_from_pages(context: &LinkContext<'_>) -> bool {
    context.page.has_attributes()
        && matches!(context.link.element, Some("image" | "link" | "media" | "xref"))
        && context.page.book().is_part()
}

/// Returns the destination that a link of an included document has in a document that includes it.
pub(super) fn destination<'s>(
    context: &LinkContext<'s>,
    path: &str,
    fragment: Option<&'s str>,
) -> Option<Destination<'s>> {
    let page = context.page;
    if !page.has_attributes() || path.is_empty() || path.starts_with('/') {
        return None;
    }
    let element = context.link.element;
    let book = page.book();
    let own = std::iter::once(page.path).filter(|_| element == Some("xref"));
    let pages = own.chain(book.pages.iter().map(PathBuf::as_path)).take(MAX_PAGES);
    let is_picture = matches!(element, Some("image" | "media"));
    if !is_picture && !matches!(element, Some("link" | "xref")) {
        return None;
    }
    let directories = if is_picture { book.picture_directories(page) } else { &[] };
    let mut is_unknown = false;
    for shown_in in pages {
        for place in places(shown_in, element, path, directories, &mut is_unknown) {
            let (made, entry) = generated::find(&page.site, page.files, &place);
            if matches!(entry, PathStatus::File | PathStatus::Directory) {
                let place = made.unwrap_or(place).into();
                return Some(Destination::Target(LinkTarget::new(Some(place), entry, fragment)));
            }
        }
    }
    if !book.is_part() {
        return None;
    }
    if element == Some("link") && path.ends_with(".html") {
        // The pages of all books may be in one directory.
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_named = ["adoc", "asc"].iter().any(|extension| {
            let source = Path::new(name).with_extension(extension);
            let source = source.to_str().unwrap_or_default();
            !page.files.files_named(&page.site, source).is_empty()
        });
        return Some(if is_named {
            Destination::Elsewhere
        } else {
            Destination::Unchecked(Unchecked::Part)
        });
    }
    is_unknown.then_some(Destination::Unchecked(Unchecked::Part))
}

/// Returns the places of a target, as a link of this page.
fn places(
    page: &Path,
    element: Option<&str>,
    path: &str,
    directories: &[String],
    is_unknown: &mut bool,
) -> Vec<PathBuf> {
    if let Some(Resource::In { directories, path, .. }) =
        antora::resource(page, &[], &[], element, path)
    {
        return directories.iter().filter_map(|it| joined(it, &path)).collect();
    }
    let directory = page.parent().unwrap_or(Path::new(""));
    let mut found: Vec<PathBuf> = joined(directory, path).into_iter().collect();
    for pictures in directories {
        if pictures.contains("://") || pictures.contains('{') {
            *is_unknown = true;
        } else {
            let below = format!("{}/{path}", pictures.trim_end_matches('/'));
            found.extend(joined(directory, below.trim_start_matches('/')));
        }
    }
    // `<<a#b>>` leaves the extension out, which may be another one.
    if element == Some("xref") && path.ends_with(".adoc") {
        let others = ["asc", "asciidoc", "asciidoctor"];
        let beside: Vec<PathBuf> =
            found.iter().flat_map(|it| others.map(|other| it.with_extension(other))).collect();
        found.extend(beside);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_with_attributes() {
        for (name, id, expected) in [
            ("a-{b}", "a-c", true),
            ("a-{b}-d", "a-c-d", true),
            ("a-{b}", "b-c", false),
            ("{b}", "c", false),
            ("a-b", "a-b", false),
        ] {
            assert_eq!(is_filled_in(name, id), expected, "{name} {id}");
        }
    }
}
