//! The documents that others link to: [`LinkedDocuments`].

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use memchr::memmem;

use super::auditor::Auditor;
use super::paths;
use super::target::wikilink;
use crate::audit::TargetLookup as _;
use crate::search::{Root, WalkError};
use crate::slice::SliceExt as _;

/// Front matter after these first bytes is ignored.
const FRONT_BYTES: usize = 1024;

/// Treatment of documents that no other document links to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Orphans {
    /// Not reported.
    #[default]
    Ignored,
    /// Reported. This reads all documents twice, because it needs the links of all of them.
    Reported,
}

/// The paths that documents of a tree lead to.
#[derive(Debug, Default)]
pub(super) struct LinkedDocuments {
    paths: HashSet<PathBuf>,
    /// Directories, with globs of paths below them.
    globs: Vec<(PathBuf, GlobMatcher)>,
}

impl LinkedDocuments {
    /// Reads the same documents as an audit of these roots.
    ///
    /// A glob of a `toctree` links to the documents that it matches beside its own.
    pub fn read(auditor: &Auditor, roots: Vec<Root>) -> Result<Self, WalkError> {
        let mut linked = Self::default();
        // A file that was named on the command line may have links from documents that are not read
        // here.
        let named = roots.iter().filter_map(|root| match root {
            Root::Path(path) if path.is_file() => Some(paths::absolute(path)),
            _ => None,
        });
        linked.paths.extend(named);
        auditor.resolve_all(
            roots,
            |path, document| {
                let own = paths::absolute(path);
                let targets = document.links().filter_map(|(_, target)| target);
                let targets = targets.map(|target| paths::absolute(&target.path));
                let mut targets = targets.filter(|target| *target != own).collect::<Vec<_>>();
                let wikilinks = document.facts().wikilinks().iter();
                let named = wikilinks.filter_map(|link| {
                    let site = auditor.files.site(path, document.facts().format())?;
                    let name = wikilink::parts(&link.text, site.rules().wiki).0;
                    auditor.files.page_named(&site, path, name)
                });
                targets.extend(named.map(|target| paths::absolute(&target)));
                if is_marked_orphan(document.text()) {
                    targets.push(own.clone());
                }
                let directory = own.parent().map(Path::to_owned).unwrap_or_default();
                let globs = document.facts().document_globs().iter();
                let globs = globs.filter_map(|glob| {
                    // A wrong glob matches nothing in Sphinx either.
                    let glob = GlobBuilder::new(glob).literal_separator(true).build().ok()?;
                    Some((directory.clone(), glob.compile_matcher()))
                });
                (targets, globs.collect::<Vec<_>>())
            },
            |(targets, globs)| {
                linked.paths.extend(targets);
                linked.globs.extend(globs);
                ControlFlow::Continue(())
            },
        )?;
        Ok(linked)
    }

    pub fn has(&self, path: &Path) -> bool {
        let path = paths::absolute(path);
        let matches = |(directory, glob): &(PathBuf, GlobMatcher)| {
            let below = path.strip_prefix(directory);
            below.is_ok_and(|below| glob.is_match(below.with_extension("")))
        };
        self.paths.contains(&path) || self.globs.iter().any(matches)
    }
}

/// True for a document that is marked as missing in all Sphinx tables of contents: by the field
/// `:orphan:`, or in front matter.
fn is_marked_orphan(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let head = text.clamped(..FRONT_BYTES);
    head.starts_with(b":orphan:")
        || head.starts_with(b"---") && memmem::find(head, b"\norphan: true").is_some()
}
