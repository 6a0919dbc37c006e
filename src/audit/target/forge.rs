//! Forge pages around the files of a repository: `../../issues`, `../main/a.md`.
//!
//! A forge resolves a relative reference against `/owner/name/blob/branch/directory/`.

use std::path::Path;

use crate::audit::finding::is_among;
use crate::audit::sites::{ForgePlace, ForgeRule};
use crate::audit::{LinkContext, paths};

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
    if site.rules().forge != ForgeRule::OnForge || !context.page.is_source() {
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
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(stack.pop()),
            name => stack.push(name),
        }
    }
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
