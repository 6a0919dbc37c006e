//! Visits all documents of a folder, and rewrites their links as edits of the protocol: [`Tree`].

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urigrep::audit::{
    Auditor, Link, LinkAddresses, ResolvedDocument, ResolvedTarget, ResolvedWikilink,
};
use urigrep::change::{self, Edit, Replacement};
use urigrep::search::{Input, Root};

use super::file_uri::uri_of;
use super::folder::{Folder, clean};
use super::message::Failure;
use super::position::{DocumentLines, PositionEncoding};
use super::types::{TextEdit, WorkspaceEdit};

/// A span of a document and its new text.
pub type TextChange = (Range<usize>, String);

/// Returns the changes of the `[[wikilinks]]` of a document. `part` returns the part of the text
/// between the brackets that changes, and the new one.
pub fn changed_wikilinks(
    document: &ResolvedDocument,
    part: impl Fn(&ResolvedWikilink) -> Option<TextChange>,
) -> Vec<TextChange> {
    let change = |link: &ResolvedWikilink| {
        let span = link.text.span.range();
        let source = document.text().get(span.clone())?;
        // The span may include the brackets.
        let at = memchr::memmem::find(source, link.text.text.as_bytes())?;
        let (within, new) = part(link)?;
        let start = span.start + at;
        Some((start + within.start..start + within.end, new))
    };
    document.wikilinks().iter().filter_map(change).collect()
}

/// The new text of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewReference {
    /// Written in the syntax of the document.
    Uri(String),
    /// Written unescaped, if the link was.
    Literal(String),
    /// Written in place of the source.
    Source(String),
}

/// A link in its document.
pub struct PlacedLink<'l> {
    /// The path at which the links of the document start.
    pub own: &'l Path,
    pub link: &'l Link<'l>,
    pub source: &'l str,
    pub addresses: LinkAddresses,
}

/// The documents of a folder, for tasks that visit all of them.
pub struct Tree {
    auditor: Arc<Auditor>,
    walk_roots: Vec<Root>,
    /// Open documents that the walk does not find.
    unsaved: Vec<PathBuf>,
    root: PathBuf,
    pub encoding: PositionEncoding,
}

impl Tree {
    pub fn new(folder: &Folder, encoding: PositionEncoding) -> Self {
        let (auditor, root) = (Arc::clone(&folder.auditor), folder.root().to_owned());
        let (walk_roots, unsaved) = (folder.walk_roots(), folder.unsaved());
        Self { auditor, walk_roots, unsaved, root, encoding }
    }

    /// Returns the absolute path of a name of the audit.
    pub fn path_of(&self, name: &Path) -> PathBuf {
        self.root.join(clean(name))
    }

    /// Rewrites all links for which `reference` returns a new one; `others` returns the changes
    /// of a document other than those of its links.
    pub fn rewrite(
        &self,
        is_cancelled: &AtomicBool,
        reference: impl Fn(&PlacedLink<'_>, &ResolvedTarget) -> Option<NewReference> + Sync,
        others: impl Fn(&Path, &ResolvedDocument) -> Vec<TextChange> + Sync,
    ) -> Result<WorkspaceEdit, Failure> {
        let work = |name: &Path, document: ResolvedDocument| {
            let path = self.path_of(name);
            let start = self.path_of(document.start(name));
            let (mut edits, mut changes) = (Vec::new(), Vec::<TextChange>::new());
            for (link, target) in document.links() {
                let span = link.span.range();
                let source = document.text().get(span.clone()).unwrap_or_default();
                let source = std::str::from_utf8(source).unwrap_or_default();
                let addresses = document.addresses();
                let placed = PlacedLink { own: &start, link: &link, source, addresses };
                let new = target.and_then(|target| reference(&placed, target));
                let Some(new) = new else { continue };
                match new {
                    NewReference::Source(new) => changes.push((span, new)),
                    // If the source has escapes, a reader of the format must write them.
                    NewReference::Literal(new) if source == link.written => {
                        changes.push((span, new));
                    }
                    NewReference::Uri(new) | NewReference::Literal(new) => {
                        let bytes = [link.span.start() as u64, link.span.end() as u64];
                        edits.push(Edit::new(bytes, link.written, Replacement::Uri(new)));
                    }
                }
            }
            changes.extend(others(&path, &document));
            changes.extend(apply(&self.auditor, &Input::in_tree(name), document.text(), &edits));
            changes.sort_by_key(|(span, _)| span.start);
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
            if is_cancelled.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        for name in &self.unsaved {
            if let Ok(Some(document)) = self.auditor.resolve(&Input::in_tree(name))
                && take(work(name, document)).is_break()
            {
                return Ok(());
            }
        }
        let walked = self.auditor.resolve_all(self.walk_roots.clone(), work, take);
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
    let lines = DocumentLines::of_file(text, encoding);
    let edit = |(span, new_text)| TextEdit { range: lines.range(text, span), new_text };
    changes.into_iter().map(edit).collect()
}
