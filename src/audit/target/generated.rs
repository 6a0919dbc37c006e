//! What a generator makes: pages of Markdown files, and places that only a forge or rustdoc has.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::audit::link_context::LinkContext;
use crate::audit::lookup::{Entry, TargetLookup};
use crate::audit::options::Slugs;

/// The source of the page at `path`, where the processor makes one.
pub(super) fn made_of(
    context: &LinkContext<'_>,
    path: &Path,
    files: &dyn TargetLookup,
) -> Option<PathBuf> {
    let slugs = context.scope.options.slugs;
    let extension = path.extension().and_then(OsStr::to_str);
    let has = |path: PathBuf| (files.look(&path) == Entry::File).then_some(path);
    if matches!(slugs, Slugs::Github | Slugs::Gitlab) {
        return None;
    }
    match extension {
        Some("html" | "htm") if context.scope.is_markdown() => has(path.with_extension("md"))
            .or_else(|| {
                let is_index = path.file_stem() == Some(OsStr::new("index"));
                is_index.then(|| has(path.with_file_name("README.md"))).flatten()
            }),
        // `a` or `a/`, for which most servers give `a.html`
        _ if slugs != Slugs::Mdbook => ["md", "html"].into_iter().find_map(|extension| {
            let mut name = path.file_name()?.to_owned();
            name.push(".");
            name.push(extension);
            has(path.with_file_name(name))
        }),
        _ => None,
    }
}

/// The pages of a repository on a forge, next to its files.
const PAGES: [&str; 21] = [
    "actions",
    "branches",
    "commit",
    "commits",
    "compare",
    "contributors",
    "discussions",
    "graphs",
    "issues",
    "labels",
    "merge_requests",
    "milestones",
    "network",
    "packages",
    "projects",
    "pull",
    "pulls",
    "pulse",
    "releases",
    "tags",
    "wiki",
];

/// What rustdoc calls the pages of items.
const ITEMS: [&str; 17] = [
    "attr",
    "constant",
    "derive",
    "enum",
    "fn",
    "index",
    "keyword",
    "macro",
    "mod",
    "primitive",
    "static",
    "struct",
    "trait",
    "traitalias",
    "type",
    "union",
    "all",
];

/// True for a place that no file of a tree can be: `../../issues` on GitHub, `struct.Foo.html` of
/// rustdoc.
pub(super) fn is_elsewhere(context: &LinkContext<'_>) -> bool {
    if !context.scope.is_markdown() {
        return false;
    }
    let written = context.link.written.trim();
    let path = written.split(['?', '#']).next().unwrap_or_default();
    is_page_of_forge(path) || is_page_of_rustdoc(path) || is_type(written)
}

/// A path that goes up, out of the repository or the branch, and then to a page or to a branch.
fn is_page_of_forge(path: &str) -> bool {
    let mut segments = path.split('/').skip_while(|segment| *segment == ".").peekable();
    let mut ups = 0;
    while segments.next_if_eq(&"..").is_some() {
        ups += 1;
    }
    match segments.next() {
        Some("blob" | "tree" | "raw" | "main" | "master") => ups > 0,
        Some(page) => ups > 1 && PAGES.contains(&page),
        None => false,
    }
}

/// `Option`, `HashMap#method.new`: a type of Rust, to rustdoc. `LICENSE` and `COPYING` are files.
fn is_type(written: &str) -> bool {
    let name = written.split('#').next().unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `struct.Foo.html`, and the index of a crate.
fn is_page_of_rustdoc(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    if name == "index.html" && path != name {
        return true;
    }
    let mut parts = name.split('.');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(kind), Some(_), Some("html"), None) => ITEMS.contains(&kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_page_of_forge, is_page_of_rustdoc, is_type};

    #[test]
    fn pages() {
        assert!(is_page_of_forge("../../issues") && is_page_of_forge("../../../releases/latest"));
        assert!(is_page_of_forge("../blob/main/a.md") && is_page_of_forge("../main/a.md"));
        assert!(is_type("Option") && !is_type("LICENSE") && !is_type("a"));
        assert!(!is_page_of_forge("../issues") && !is_page_of_forge("../../docs/a.md"));
        assert!(is_page_of_rustdoc("struct.Foo.html") && is_page_of_rustdoc("a/trait.B.html"));
        assert!(!is_page_of_rustdoc("guide.html") && !is_page_of_rustdoc("a.b.html"));
    }
}
