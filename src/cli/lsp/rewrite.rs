//! Visits all documents of a folder, and rewrites their links as edits of the protocol: [`Tree`].

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urigrep::audit::{Auditor, Link, ResolvedDocument, ResolvedTarget};
use urigrep::change::{self, Edit, Replacement};
use urigrep::search::{Input, Root};

use super::file_uri::uri_of;
use super::folder::{Folder, clean};
use super::message::Failure;
use super::position::{DocumentLines, PositionEncoding};
use super::types::{TextEdit, WorkspaceEdit};

/// The documents of a folder, for tasks that visit all of them.
pub struct Tree {
    auditor: Arc<Auditor>,
    walk_root: Root,
    /// Documents that the walk does not find.
    unsaved: Vec<PathBuf>,
    root: PathBuf,
    pub encoding: PositionEncoding,
}

impl Tree {
    pub fn new(folder: &Folder, encoding: PositionEncoding) -> Self {
        let (auditor, root) = (Arc::clone(&folder.auditor), folder.root().to_owned());
        let (walk_root, unsaved) = (folder.walk_root(), folder.unsaved());
        Self { auditor, walk_root, unsaved, root, encoding }
    }

    /// Returns the absolute path of a name of the audit.
    pub fn path_of(&self, name: &Path) -> PathBuf {
        self.root.join(clean(name))
    }

    /// Rewrites all links for which `reference` returns a new one; it gets the document's path.
    pub fn rewrite(
        &self,
        is_cancelled: &AtomicBool,
        reference: impl Fn(&Path, &Link<'_>, &ResolvedTarget) -> Option<String> + Sync,
    ) -> Result<WorkspaceEdit, Failure> {
        let work = |name: &Path, document: ResolvedDocument| {
            let path = self.path_of(name);
            let edit = |(link, target): (Link<'_>, Option<&ResolvedTarget>)| {
                let to = Replacement::Uri(reference(&path, &link, target?)?);
                let bytes = [link.span.start() as u64, link.span.end() as u64];
                Some(Edit::new(bytes, link.written, to))
            };
            let edits: Vec<Edit> = document.links().filter_map(edit).collect();
            let changes = apply(&self.auditor, &Input::in_tree(name), document.text(), &edits);
            (path, text_edits(document.text(), self.encoding, changes))
        };
        let mut changes: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
        self.visit(is_cancelled, work, |(path, edits)| {
            if !edits.is_empty() {
                changes.insert(uri_of(&path), edits);
            }
        })?;
        Ok(WorkspaceEdit { changes })
    }

    /// Resolves all documents, those that were never saved first, and turns each into a result.
    pub fn visit<T: Send>(
        &self,
        is_cancelled: &AtomicBool,
        work: impl Fn(&Path, ResolvedDocument) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<(), Failure> {
        let mut take = |result| {
            take(result);
            match is_cancelled.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        for name in &self.unsaved {
            if let Ok(Some(document)) = self.auditor.resolve(&Input::in_tree(name))
                && take(work(name, document)).is_break()
            {
                return Ok(());
            }
        }
        let walked = self.auditor.resolve_all([self.walk_root.clone()], work, take);
        walked.map_err(|error| Failure::refused(error.to_string()))
    }
}

/// Applies edits to a text, and returns the changed spans with their new texts.
pub fn apply(
    auditor: &Auditor,
    input: &Input,
    text: &[u8],
    edits: &[Edit],
) -> Vec<(Range<usize>, String)> {
    if edits.is_empty() {
        return Vec::new();
    }
    let changed = auditor.apply(input, text, edits);
    let edit = |applied: &change::AppliedEdit| {
        let new = changed.bytes().get(applied.new.clone())?;
        Some((applied.old.clone(), String::from_utf8(new.to_vec()).ok()?))
    };
    changed.applied().iter().filter_map(edit).collect()
}

/// Returns changes as edits.
pub fn text_edits(
    text: &[u8],
    encoding: PositionEncoding,
    changes: Vec<(Range<usize>, String)>,
) -> Vec<TextEdit> {
    if changes.is_empty() {
        return Vec::new();
    }
    let lines = DocumentLines::new(text, encoding);
    let edit = |(span, new_text)| TextEdit { range: lines.range(text, span), new_text };
    changes.into_iter().map(edit).collect()
}
