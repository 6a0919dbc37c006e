//! The evidence for a missing file. An error is certain: the settings of the site, or the forge that
//! shows the document, decide where a link leads. What depends on a guess is a warning if something
//! else supports it, and otherwise a note.

use std::path::Path;

use super::path::joined;
use super::{Unchecked, apart, generated};
use crate::audit::link_context::AuditedPage;
use crate::audit::{LinkContext, PathStatus, Severity};

/// Returns why a missing file cannot be reported: only a guess about the site says that it should be
/// there.
pub fn too_weak(context: &LinkContext<'_>, path: &Path, entry: &PathStatus) -> Option<Unchecked> {
    let PathStatus::Missing { nearest } = entry else { return None };
    if !is_guess(context) {
        return None;
    }
    let site = &context.page.site;
    let is_directory = |path: &Path| context.page.files.probe(path) == PathStatus::Directory;
    let is_supported = nearest.is_some()
        || names_file_beside(context, path)
        || context.written.starts_with('/') && site.infers(context.written, is_directory);
    if is_supported && !is_published(context) {
        return None;
    }
    Some(match context.page.is_source() {
        _ if context.written.starts_with('/') => Unchecked::NoRoot,
        true => Unchecked::Route,
        false => Unchecked::Compiled,
    })
}

/// Returns the highest severity of a finding about a missing file.
pub fn severity(context: &LinkContext<'_>, path: &Path) -> Severity {
    let is_address = context.written.starts_with('/');
    // That a template renders it is a guess, too.
    let is_guess = is_guess(context) || context.is_in_front_matter();
    match is_guess || is_address && apart::is_guess(context.page, path) {
        true => Severity::Warning,
        false => Severity::Error,
    }
}

/// True for a reference whose meaning depends on a guess about the site.
fn is_guess(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    let is_absolute = context.absolute().is_some();
    // A root that was named is certain, and leaves no content to guess.
    let has_guessed_content = page.site.is_guessed() && !page.site.content.is_empty();
    !is_absolute && (has_guessed_content || generated::is_elsewhere(page) || is_of_package(page))
}

/// True for a reference to a file, not an address, in a directory that exists: a second reason to
/// report that it is missing.
fn names_file_beside(context: &LinkContext<'_>, path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_file = extension.is_some_and(|it| {
        !matches!(it, "html" | "htm") && it.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    let directory = path.parent().unwrap_or(Path::new(""));
    is_file
        && !context.written.starts_with('/')
        && context.page.files.probe(directory) == PathStatus::Directory
}

/// True for a file that HTML names as it stands in the directory that a package publishes, beside
/// the page: `favicon.ico` for `public/favicon.ico`.
fn is_published(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    let written = context.written.split(['?', '#']).next().unwrap_or_default();
    let place = |above: &Path| joined(&above.join("public"), written);
    let is_there = |above: &Path| {
        place(above).is_some_and(|place| page.files.probe(&place) == PathStatus::File)
    };
    !page.is_source() && page.directory().ancestors().any(is_there)
}

/// True for HTML and CSS among the sources of a package: a build may move them, and add to them.
fn is_of_package(page: &AuditedPage<'_>) -> bool {
    let Some(repository) = &page.site.repository else { return false };
    if page.is_source() || !page.site.content.is_empty() {
        return false;
    }
    let has_manifest =
        |above: &Path| page.files.probe(&above.join("package.json")) == PathStatus::File;
    let top = &repository.directory;
    page.directory().ancestors().take_while(|above| *above != top).any(has_manifest)
        || has_manifest(top)
}
