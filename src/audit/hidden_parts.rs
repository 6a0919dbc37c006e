//! Documents in hidden directories that audited documents include. A walk skips these
//! directories, but their texts are on pages.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::auditor::Auditor;
use super::collect::document_path;
use super::link_context::AuditedPage;
use super::members::Audited;
use crate::audit::{TargetLookup as _, paths};
use crate::document::Format;
use crate::hash::HashSet;
use crate::search::{Input, Origin};

/// Maximum nesting of included documents.
const MAX_LEVELS: usize = 8;

impl Auditor {
    /// Collects an input of a walk, and then the hidden documents that it is the first page to
    /// include: 33 of 57 links that an audit of 13 trees missed were in such documents.
    pub(super) fn collect_with_parts(&self, input: &Input) -> Vec<Audited<'_>> {
        let mut audited = self.collect_all(input);
        let mut level = self.hidden_parts(input);
        // Documents may include each other, and themselves.
        let mut read = HashSet::default();
        for _ in 0..MAX_LEVELS {
            let parts = std::mem::take(&mut level);
            for part in parts {
                if !read.insert(document_path(&part).into_owned()) {
                    continue;
                }
                self.hidden_parts_read.fetch_add(1, Ordering::Relaxed);
                audited.extend(self.collect_all(&part));
                level.extend(self.hidden_parts(&part));
            }
        }
        audited
    }

    /// Returns the number of documents in hidden directories that were audited as parts of others.
    pub fn audited_parts(&self) -> u64 {
        self.hidden_parts_read.load(Ordering::Relaxed)
    }

    fn hidden_parts(&self, input: &Input) -> Vec<Input> {
        if input.path().is_none() || input.origin() != Origin::Tree {
            return Vec::new();
        }
        let path = document_path(input);
        let format = Format::of_path(&path);
        let Some(site) = self.files.site(&path, format).filter(|it| it.has_includes) else {
            return Vec::new();
        };
        let here = paths::absolute(&path);
        let is_first_page = |part: &Path| {
            let pages = self.files.importers(&site, part);
            pages.first().is_some_and(|it| paths::absolute(&it.page) == here)
        };
        let search = &self.settings.search;
        let is_hidden = |part: &Path| {
            let mut inside = site.content.iter().filter_map(|content| paths::below(content, part));
            // Files that a glob excludes stay excluded.
            let is_left_out =
                |it: PathBuf| !search.takes_path(&it) && search.takes_path(without_dots(&it));
            inside.next().is_some_and(is_left_out)
        };
        // Walks do not follow symbolic links either.
        let is_real = |part: &Path| {
            let mut contents = site.content.iter();
            contents.any(|content| {
                let below = paths::below(content, part);
                below.is_some_and(|below| paths::is_real_file(content, &below))
            })
        };
        let parts = self.files.shown_by(&site, &path);
        parts
            .iter()
            .filter(|it| is_hidden(it) && is_real(it) && is_first_page(it))
            .map(Input::in_tree)
            .collect()
    }
}

/// Returns a path whose names do not start with a dot.
fn without_dots(path: &Path) -> PathBuf {
    path.iter().map(|name| name.to_string_lossy().trim_start_matches('.').to_owned()).collect()
}

/// Returns the first page that includes a document in a hidden directory, which has no page of its
/// own: its links start there.
pub(super) fn page_that_shows(page: &AuditedPage<'_>) -> Option<PathBuf> {
    let site = &page.site;
    if !site.has_includes {
        return None;
    }
    let mut inside = site.content.iter().filter_map(|it| paths::below(it, page.path));
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    if !inside.next()?.iter().any(is_hidden) {
        return None;
    }
    Some(page.files.importers(site, page.path).first()?.page.clone())
}
