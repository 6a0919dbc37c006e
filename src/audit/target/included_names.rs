//! Names that the files which a document includes may define: [`IncludedFiles`].

use std::cell::Cell;
use std::path::PathBuf;

use memchr::memmem;

use crate::audit::link_context::AuditedPage;
use crate::audit::sites::is_in_tree;
use crate::audit::{Link, LinkContext, PathStatus};
use crate::document::asciidoc::parts::{included_targets, may_be_document};

/// Most files that one document includes.
const MAX_FILES: usize = 64;
/// Most names of one document that are looked for in them. The time is that of both together.
const MAX_NAMES: usize = 64;

/// Whether the files that a document includes define a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InIncluded {
    Defined,
    /// The document includes nothing, or only files without the name.
    Missing,
    /// A file is not here, or includes others.
    Unknown,
}

/// The files that the directives of a document include.
#[derive(Debug, Default)]
pub(in crate::audit) struct IncludedFiles {
    /// Files that are documents, whose anchors are known.
    documents: Vec<PathBuf>,
    others: Vec<PathBuf>,
    /// True if one is not in the tree.
    is_partial: bool,
    /// True if the id of an anchor of the document may be an attribute of another one.
    has_filled_in_ids: bool,
    /// Number of names that were looked for.
    names: Cell<usize>,
}

impl IncludedFiles {
    /// Looks up what a document of AsciiDoc or reStructuredText includes.
    pub fn find(page: &AuditedPage<'_>) -> Self {
        let mut this = Self::default();
        if !page.has_attributes() && !page.has_directives() {
            return this;
        }
        let mut paths = Vec::new();
        // Code defines no anchors.
        let is_text =
            |link: &Link<'_>| !page.has_attributes() || may_be_document(link.written.as_bytes());
        let includes = page.facts.links().filter(|link| link.element == Some("include"));
        let includes = includes.filter(is_text);
        for (index, link) in includes.take(MAX_FILES + 1).enumerate() {
            if index == MAX_FILES {
                this.is_partial = true;
                break;
            }
            let context = LinkContext::new(link, page);
            let found = context.target().filter(|it| it.entry == PathStatus::File);
            let path = found.and_then(|it| it.path.as_deref());
            match path.filter(|path| is_in_tree(page.directory(), path)) {
                Some(path) => paths.push(path.to_path_buf()),
                None => this.is_partial = true,
            }
        }
        (this.documents, this.others) =
            paths.into_iter().partition(|path| page.files.anchors(path).is_some());
        this.has_filled_in_ids = page.anchors().names().any(|name| name.contains('{'));
        let text = page.facts.source_text();
        this.is_partial |= page.has_attributes() && has_filled_in(text)
            || page.has_directives() && has_docstrings(text);
        this
    }

    /// Looks for a name in the files.
    pub(super) fn look_for(&self, page: &AuditedPage<'_>, name: &str) -> InIncluded {
        self.look_in(self.documents.iter().chain(&self.others), page, name)
    }

    fn look_in<'p>(
        &self,
        paths: impl Iterator<Item = &'p PathBuf>,
        page: &AuditedPage<'_>,
        name: &str,
    ) -> InIncluded {
        let mut paths = paths.peekable();
        if paths.peek().is_none() && !self.is_partial {
            return InIncluded::Missing;
        }
        self.names.set(self.names.get() + 1);
        if self.names.get() > MAX_NAMES {
            return InIncluded::Unknown;
        }
        let mut found = if self.is_partial { InIncluded::Unknown } else { InIncluded::Missing };
        for path in paths {
            match page.files.included_text(path).and_then(|text| text.may_define(name)) {
                Some(true) => return InIncluded::Defined,
                Some(false) => {}
                None => found = InIncluded::Unknown,
            }
        }
        found
    }
}

/// True if all files that a document of AsciiDoc includes are here, and none has this anchor.
pub(super) fn lack_anchor(page: &AuditedPage<'_>, anchor: &str) -> bool {
    let files = page.included_files();
    if !page.has_attributes() || files.has_filled_in_ids {
        return false;
    }
    if files.is_partial || files.documents.is_empty() && files.others.is_empty() {
        return false;
    }
    let lacks = |path: &PathBuf| match page.files.anchors(path) {
        Some(anchors) => !anchors.is_open() && !anchors.contains(anchor),
        None => false,
    };
    files.documents.iter().all(lacks)
        && files.look_in(files.others.iter(), page, anchor) == InIncluded::Missing
}

/// True for a document of Sphinx into which a directive writes docstrings, `.. automodule:: a`: they
/// may define names of the document (`sphinx.ext.autodoc`).
fn has_docstrings(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    lines.any(|line| line.starts_with(b".. auto") && memmem::find(line, b"::").is_some())
}

/// True if an attribute of another document is in the name of an included file.
fn has_filled_in(text: &[u8]) -> bool {
    included_targets(text).any(|target| target.contains(&b'{') && may_be_document(target))
}
