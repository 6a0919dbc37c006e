//! Forge pages around the files of a repository: `../../issues`, `../main/a.md`.
//!
//! A forge resolves a relative reference against `/owner/name/blob/branch/directory/`.

use std::path::Path;

use super::{Destination, LinkTarget};
use crate::UriRef;
use crate::audit::finding::is_among;
use crate::audit::sites::{ForgePlace, ForgeRule, WikiRule};
use crate::audit::{LinkContext, PathStatus, paths};

/// Pages of a repository beside its files.
const PAGES: &str = "\
    - actions activity blame branches commit commits compare contributors deployments discussions forks graphs issues \
    labels merge_requests milestone milestones network packages projects pull pulls pulse releases search security \
    settings stargazers subscription tags watchers wiki";

/// Those below `security`.
const OF_SECURITY: &str = "advisories code-scanning dependabot overview policy secret-scanning";

/// Resolves a path that leaves the directory of its branch; `None` if it does not, or names
/// nothing.
pub(super) fn around(context: &LinkContext<'_>, path: &str) -> Option<ForgePlace> {
    let site = &context.page.site;
    let rules = site.rules();
    // The pages of a wiki have addresses of their own.
    if rules.forge != ForgeRule::OnForge
        || rules.wiki != WikiRule::None
        || !context.page.is_source()
    {
        return None;
    }
    let Some(repository) = &site.repository else {
        return goes_to_page(path).then_some(ForgePlace::Other);
    };
    let document = paths::below(&repository.directory, context.page.path)?;
    let depth = document.components().count().saturating_sub(1);
    // The path of a document on the forge has these segments. Above `owner/name` are other
    // repositories.
    let mut stack = vec!["owner", "name", "blob", "branch"];
    // `/a` is below the top of the repository: `/../../issues` is a page of it in every document.
    let depth = if path.starts_with('/') { 0 } else { depth };
    stack.extend(std::iter::repeat_n("directory", depth));
    // The text of a template is shown at `/owner/name/pull/1`.
    if is_template_of_forge(&document) {
        stack = vec!["owner", "name", "pull"];
    }
    // Walk the path on the forge: a document at `docs/a.md` is shown at
    // `/owner/name/blob/branch/docs/a.md`.
    let stack = walked(stack, path);
    match stack.as_slice() {
        ["owner", "name", "blob", "branch", ..] => None,
        ["owner", "name"] => Some(ForgePlace::Other),
        ["owner", "name", "security", page, ..] if !is_among(OF_SECURITY, page) => None,
        ["owner", "name", page, ..] if is_among(PAGES, page) => Some(ForgePlace::Other),
        ["owner", "name", view, _, ..]
            if matches!(*view, "blob" | "tree" | "raw" | "edit" | "blame") =>
        {
            Some(repository.view(&stack.get(2..)?.join("/")))
        }
        ["owner", "name", ..] => None,
        _ => Some(ForgePlace::Other),
    }
}

/// Returns the README that the front page of this repository shows, for a URL with an anchor
/// (GitHub, "About the repository README file").
pub(super) fn readme_of_front_page<'s>(
    context: &LinkContext<'s>,
    reference: &UriRef<'s>,
) -> Option<Destination<'s>> {
    let repository = context.page.site.repository.as_ref()?;
    let fragment = reference.fragment().filter(|it| !is_of_front_page(it))?;
    // The query names another tab: `?tab=security-ov-file`.
    let is_of_readme = reference.query().is_none_or(|it| it == "tab=readme-ov-file");
    if !is_of_readme || !repository.is_front_page(reference.host()?, reference.path()) {
        return None;
    }
    let places = [".github", "", "docs"].iter().map(|it| repository.directory.join(it));
    let readme = places.into_iter().find_map(|place| {
        let names = context.page.files.names_in(&place);
        let name = names.iter().find(|name| is_readme(name))?;
        Some(place.join(name))
    })?;
    Some(Destination::Target(LinkTarget::new(
        Some(readme.into()),
        PathStatus::File,
        Some(fragment),
    )))
}

/// True for a README whose headings are known.
fn is_readme(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "readme.md" | "readme.markdown" | "readme.adoc" | "readme.rst")
}

/// True for a place of the page around the README: its tabs have such names.
fn is_of_front_page(fragment: &str) -> bool {
    fragment.is_empty()
        || fragment.ends_with("-ov-file")
        || is_among("readme start-of-content", &fragment.to_ascii_lowercase())
}

/// True for the template of a pull request or an issue (GitHub, "About issue and pull request
/// templates"; GitLab, "Description templates").
fn is_template_of_forge(document: &Path) -> bool {
    const NAMES: [&str; 4] =
        ["issue_template", "issue_templates", "merge_request_templates", "pull_request_template"];
    document.components().any(|name| {
        let name = name.as_os_str().to_string_lossy().to_ascii_lowercase();
        is_among(&NAMES.join(" "), name.strip_suffix(".md").unwrap_or(&name))
    })
}

/// Returns the segments of a path that starts at these.
pub(super) fn walked<'p>(mut stack: Vec<&'p str>, path: &'p str) -> Vec<&'p str> {
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(stack.pop()),
            name => stack.push(name),
        }
    }
    stack
}

/// True for the name of a page of a repository, or of a view of its files.
pub(super) fn is_page(name: &str) -> bool {
    is_among(PAGES, name) || matches!(name, "blob" | "tree" | "raw" | "edit" | "blame")
}

/// True for a path that leaves the repository and then names a forge page; used if the repository
/// is unknown.
fn goes_to_page(path: &str) -> bool {
    let mut segments = path.split('/').skip_while(|segment| *segment == ".").peekable();
    let mut ups = 0;
    while segments.next_if_eq(&"..").is_some() {
        ups += 1;
    }
    match segments.next() {
        Some("blob" | "tree" | "raw") => ups > 0,
        Some(page) => ups > 1 && is_among(PAGES, page),
        None => false,
    }
}
