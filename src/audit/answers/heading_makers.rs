//! Components and templates that render headings: [`HeadingMakers`].

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::templates;
use super::tree::FileTree;
use crate::audit::answers::TargetLookup as _;
use crate::audit::answers::cache::Cache;
use crate::audit::sites::{DirectoryLister as _, is_in_tree};
use crate::audit::{PathStatus, Site};

/// Maximum number of included files that are read for the headings of one template.
const MAX_INCLUDED: usize = 64;

/// Whether each component renders headings, and whether a component of each document does. Many
/// anchors may be missing in the pages that show one component.
#[derive(Debug, Default)]
pub(super) struct HeadingMakers {
    components: Cache<PathBuf, bool>,
    /// By the first content directory of the site, and the document.
    documents: Cache<(PathBuf, PathBuf), bool>,
}

impl HeadingMakers {
    /// True if a component, or a file that it includes, renders headings.
    pub fn has(&self, component: &Path, files: &FileTree) -> bool {
        let bytes = component.as_os_str().len();
        *self.components.get(component, || (renders_headings(component, files), bytes))
    }

    /// True if a component of a document does, for the pages of a site. `find` computes the answer.
    pub fn of_document(&self, site: &Site, document: &Path, find: &dyn Fn() -> bool) -> bool {
        let content = site.content.first().cloned().unwrap_or_default();
        let bytes = content.as_os_str().len() + document.as_os_str().len();
        *self.documents.get(&(content, document.to_path_buf()), || (find(), bytes))
    }
}

fn renders_headings(component: &Path, files: &FileTree) -> bool {
    let (mut pending, mut seen) = (vec![component.to_path_buf()], HashSet::new());
    while let Some(file) = pending.pop() {
        // A template may name one file often.
        if seen.contains(&file) {
            continue;
        }
        if seen.len() >= MAX_INCLUDED || files.probe(&file) != PathStatus::File {
            return !seen.is_empty();
        }
        let source = files.text(&file);
        let includes = templates::directory_of_includes(&file);
        let has_headings = templates::renders_headings(&source)
            || includes.is_some() && templates::has_markdown_heading(&source);
        match includes.map(|includes| templates::included(&source, includes)) {
            _ if has_headings => return true,
            None => {}
            Some(Some(parts)) => {
                let own = file.parent().unwrap_or(Path::new(""));
                pending.extend(parts.into_iter().filter(|part| is_in_tree(own, part)));
            }
            Some(None) => return true,
        }
        seen.insert(file);
    }
    false
}
