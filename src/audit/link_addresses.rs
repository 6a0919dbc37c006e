//! The addresses that a site gives to its files, for programs that rewrite links:
//! [`LinkAddresses`].

use std::path::{Path, PathBuf};

use super::link_context::AuditedPage;
use super::sites::LinkBase;
use super::target::{base_of_links, is_file_name, is_index_name};

/// The form in which links of a document name the pages of its site, and the directories from which
/// their paths start.
///
/// ```
/// use std::path::Path;
/// use urigrep::audit::LinkAddresses;
/// assert_eq!(LinkAddresses::directory(Path::new("docs/a.md")), Path::new("docs/a"));
/// assert_eq!(LinkAddresses::directory(Path::new("docs/a/index.md")), Path::new("docs/a"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkAddresses {
    /// The bases of links in the markup and in HTML.
    bases: [LinkBase; 2],
    form: AddressForm,
}

/// The form of the address of `a.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressForm {
    /// `a/`, as MkDocs and Hugo write it.
    Directory,
    /// `a`, as VitePress writes it.
    Stem,
    /// `a.md`: the files of a repository.
    File,
}

impl LinkAddresses {
    pub(super) fn for_page(page: &AuditedPage<'_>) -> Self {
        let site = &page.site;
        let bases = [false, true].map(|is_html| base_of_links(page, is_html));
        let has_stems = site.rules().endings.iter().any(|ending| ending.starts_with('.'));
        // The Sphinx builder `dirhtml` makes a directory for each page; HTML links then start at
        // the page.
        let has_directories = site.has_page_directories || bases[1] == LinkBase::Page;
        let form = match has_stems {
            true if has_directories && !site.is_flat => AddressForm::Directory,
            true => AddressForm::Stem,
            false => AddressForm::File,
        };
        Self { bases, form }
    }

    /// Returns the form of the address of a page.
    pub fn form(self) -> AddressForm {
        self.form
    }

    /// Returns the directory that is the address of the page of a file, where pages are
    /// directories.
    pub fn directory(file: &Path) -> PathBuf {
        if is_index_name(file) { directory_of(file) } else { file.with_extension("") }
    }

    /// Returns the directories from which this path of a link may start, if the document is at
    /// `own`. The most likely one is first, and the order is the same for each document.
    pub fn starts(self, own: &Path, path: &str, is_html: bool) -> Vec<PathBuf> {
        let (file, page) = (directory_of(own), Self::directory(own));
        let is_named = is_file_name(path.rsplit('/').next().unwrap_or_default());
        match self.bases[usize::from(is_html)] {
            LinkBase::File => vec![file],
            LinkBase::Page => vec![page, file],
            LinkBase::Unresolved if is_named => vec![file, page],
            LinkBase::Unresolved => vec![page, file],
            // The browser resolves links that the generator leaves alone.
            LinkBase::Either if self.form == AddressForm::Directory && (is_html || !is_named) => {
                vec![page, file]
            }
            LinkBase::Either => vec![file, page],
        }
    }
}

fn directory_of(file: &Path) -> PathBuf {
    file.parent().map(Path::to_path_buf).unwrap_or_default()
}
