//! Reads the programs around a site: plugins that add headings to its pages, and workflows that
//! publish it.

use std::path::Path;

use super::finder::DirectoryLister;
use super::places::text;

/// Longest heading that a plugin writes.
const MAX_HEADING_BYTES: usize = 64;

/// Returns the headings of Markdown in the programs beside the settings of VitePress, `## Type
/// Declarations`, one a line and in lower case. Each line starts and ends with a line feed.
pub(super) fn written_headings(marker: &Path, files: &dyn DirectoryLister) -> String {
    let mut found = String::new();
    if !marker.file_name().is_some_and(|name| name == ".vitepress" || name == ".vuepress") {
        return found;
    }
    for directory in [marker.to_path_buf(), marker.join("plugins")] {
        let names = files.names(&directory);
        let is_program = |name: &&String| {
            [".ts", ".mts", ".js", ".mjs"].iter().any(|ending| name.ends_with(ending))
        };
        for name in names.iter().filter(is_program) {
            let program = text(&directory.join(name));
            for (at, mark) in program.match_indices("## ") {
                let rest = program.get(at + mark.len()..).unwrap_or_default();
                let is_end = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '-' | '_');
                let title = rest.split(is_end).next().unwrap_or_default().trim();
                if !title.is_empty() && title.len() <= MAX_HEADING_BYTES {
                    found.push_str(&format!("\n{}\n", title.to_lowercase().replace('-', " ")));
                }
            }
        }
    }
    found
}

/// Most levels between a site and the root of its checkout.
const MOST_ABOVE: usize = 4;

/// True if a workflow of the checkout publishes below a directory of the host: by `destination_dir`
/// of actions-gh-pages, or `target-folder` of github-pages-deploy-action. So others may be there.
pub(super) fn is_below_host(above: &Path, files: &dyn DirectoryLister) -> bool {
    const KEYS: [&str; 2] = ["destination_dir:", "target-folder:"];
    let absolute = crate::audit::paths::absolute(above);
    let mut checkouts = absolute.ancestors().take(MOST_ABOVE).filter(|it| it.join(".git").exists());
    let Some(workflows) = checkouts.next().map(|it| it.join(".github/workflows")) else {
        return false;
    };
    let names = files.names(&workflows);
    let is_workflow = |name: &&String| name.ends_with(".yml") || name.ends_with(".yaml");
    names.iter().filter(is_workflow).any(|name| {
        let workflow = text(&workflows.join(name));
        KEYS.iter().any(|key| workflow.contains(key))
    })
}
