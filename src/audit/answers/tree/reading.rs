//! Reads the files of a tree: listings, documents, and their anchors.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use super::super::directory::FileKind;
use super::super::prefetched::ReadDocument;
use super::FileTree;
use crate::audit::answers::PageFiles;
use crate::audit::auditor::MAX_DOCUMENT_BYTES;
use crate::audit::oversized::refuse_oversized;
use crate::audit::paths;
use crate::audit::sites::{DirectoryLister, NamedKind};
use crate::audit::target::Book;
use crate::audit::{Anchors, Site, TargetLookup as _};
use crate::document::format::FormatKind;
use crate::document::{AttributeValues, Dialect, Format};
use crate::search::{Input, InputText, read_regular};

/// Lines of larger files are not counted.
const MAX_SOURCE_BYTES: u64 = 64 << 20;

impl DirectoryLister for FileTree {
    fn names(&self, directory: &Path) -> Arc<Vec<String>> {
        self.paths.list(directory).sorted_names()
    }

    fn entries(&self, directory: &Path) -> Vec<(String, NamedKind)> {
        let listed = self.paths.list(directory);
        let entries = listed.entries.iter().flatten().filter_map(|(name, kind)| {
            let kind = match kind {
                FileKind::File => NamedKind::File,
                FileKind::Directory => NamedKind::Directory,
                FileKind::Other => return None,
            };
            Some((name.to_str()?.to_owned(), kind))
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        entries
    }

    fn has_directory(&self, directory: &Path, name: &str) -> bool {
        let listed = self.paths.list(directory);
        let kind = listed.entries.as_ref().ok().and_then(|entries| entries.get(OsStr::new(name)));
        kind == Some(&FileKind::Directory)
    }

    fn text(&self, path: &Path) -> Arc<String> {
        self.shown.text(path)
    }

    fn named(&self, checkout: Option<&Path>, name: &str) -> Arc<[PathBuf]> {
        match checkout {
            Some(checkout) => self.names.in_checkout(checkout, name, &self.search),
            None => self.names.files(name, &self.search),
        }
    }
}

impl FileTree {
    /// Reads the anchors of a regular file, if it is a document.
    pub(super) fn read(&self, path: &Path) -> Option<Anchors> {
        let is_overlaid = self.overlaid(path).is_some();
        let is_empty = match fs::metadata(path) {
            // Reading a pipe could block forever.
            Ok(metadata) if !metadata.is_file() || !self.is_within(path) => return None,
            Ok(metadata) => metadata.len() == 0 && !is_overlaid,
            Err(_) if is_overlaid => false,
            Err(_) => return None,
        };
        let has_anchors =
            |format: Option<Format>| format.is_some_and(|it| it.kind() != FormatKind::Style);
        let input = Input::in_tree(path);
        let text = if is_empty {
            // A symbolic link to `/proc/self/pagemap` claims to be empty, but reading it would
            // never end.
            self.search.text_of(&input, Vec::new()).filter(|it| has_anchors(it.format()))
        } else {
            self.read_text(&input, has_anchors).ok().flatten()
        }?;
        let format = text.format()?;
        let site = self.site_of(path, Some(format));
        let slugs = site.slugs;
        let dialect = self.dialect(path, &text);
        if !self.prefetched.takes(path) {
            let text = text.prepared(&dialect);
            return Some(Anchors::read_in_dialect(format, &text, &dialect, slugs));
        }
        // This document is still to be audited: keep everything that was read, not only the
        // anchors.
        let mut document = ReadDocument::new(&dialect, &text, self.search.finder());
        // Free the text first: the facts live for a long time, and their shrunk copies may reuse
        // its memory.
        drop(text);
        document.facts.shrink();
        let anchors = document.facts.anchors(slugs);
        self.prefetched.keep(path, document);
        Some(anchors)
    }

    /// Reads a document, or the text that replaces it, like [`Search::read_text`].
    pub(in crate::audit) fn read_text(
        &self,
        input: &Input,
        is_wanted: impl FnOnce(Option<Format>) -> bool,
    ) -> io::Result<Option<InputText>> {
        match self.overlaid_text(input) {
            Some(text) => Ok(text.filter(|text| is_wanted(text.format()))),
            None => {
                let text = self.search.read_text(input, MAX_DOCUMENT_BYTES, is_wanted)?;
                text.map(refuse_oversized).transpose()
            }
        }
    }

    /// Returns the text that replaces a document, if any.
    pub(super) fn overlaid_text(&self, input: &Input) -> Option<Option<InputText>> {
        let text = self.overlaid(input.path()?)?;
        Some(self.search.text_of(input, Arc::unwrap_or_clone(text)))
    }

    pub(in crate::audit) fn overlaid(&self, path: &Path) -> Option<Arc<Vec<u8>>> {
        self.overlay.as_ref()?.get(path)
    }

    /// True if texts may change between two audits.
    pub(in crate::audit) fn has_overlay(&self) -> bool {
        self.overlay.is_some()
    }

    /// Forgets everything that depends on the text of one file.
    pub(in crate::audit) fn forget(&self, path: &Path) {
        // Documents name a file relative to themselves; settings may name it absolutely.
        for path in [paths::without_dots(path), paths::absolute(path)] {
            self.anchors.remove(path.as_os_str());
            self.lines.remove(path.as_os_str());
            self.prefetched.forget(&path);
        }
    }

    /// Counts the lines of a regular file, unless it is too large.
    pub(super) fn count_lines(&self, path: &Path) -> Option<u64> {
        let bytes = match self.overlaid(path) {
            Some(text) => text,
            None if !self.is_within(path) => return None,
            None => Arc::new(read_regular(path, MAX_SOURCE_BYTES).ok()?),
        };
        let breaks = memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Some(breaks + u64::from(bytes.last().is_some_and(|&last| last != b'\n')))
    }

    /// Registers roots whose files will be audited.
    pub(in crate::audit) fn expect<'p>(&self, roots: impl Iterator<Item = &'p Path>) {
        let roots: Vec<&Path> = roots.collect();
        self.names.expect(&roots);
        self.prefetched.expect(roots.into_iter());
    }

    /// Returns the dialect of the text at a path.
    pub(in crate::audit) fn dialect(&self, path: &Path, text: &InputText) -> Dialect {
        let format = text.format();
        // Only sources have dialects; published pages and other files are read as they are named,
        // except for the addresses that a template engine fills in.
        if !format.is_some_and(Format::is_source) {
            if memmem::find(text.bytes(), b"{{").is_some()
                && let filled @ (Dialect::Kramdown(_) | Dialect::Eleventy) =
                    self.site_of(path, format).dialect()
            {
                return filled.clone();
            }
            return Dialect::ByExtension.of_file(path);
        }
        let site = self.site_of(path, format);
        if format.is_some_and(Format::has_attributes) {
            return self.attributes_around(path, &site, text.bytes());
        }
        match site.dialect().of_file(path) {
            // It takes long to find out whether a tree is a vault, and few documents have the mark
            // of a comment.
            Dialect::ByExtension
                if memmem::find(text.bytes(), b"%%").is_some() && self.has_wikilinks(&site) =>
            {
                Dialect::Obsidian
            }
            dialect => dialect,
        }
    }

    /// Returns the dialect of a document of AsciiDoc: the attributes that the settings of Antora and
    /// the documents that include it set.
    fn attributes_around(&self, path: &Path, site: &Site, text: &[u8]) -> Dialect {
        let mut values = site.attributes.to_vec();
        // Others are looked up only for a document that uses attributes.
        if memchr::memchr(b'{', text).is_some() {
            let files = PageFiles::new(self);
            values.extend(Book::find(files, site, path).attributes(files, site));
        }
        Dialect::AsciiDoc(AttributeValues::new(values))
    }

    /// Removes and returns a document that was read before its audit.
    pub(in crate::audit) fn prefetched_document(&self, path: &Path) -> Option<ReadDocument> {
        self.prefetched.take(path)
    }
}
