//! The ids that templates of a site give to elements. Their pages have more anchors than their
//! documents show.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::audit::sites::{entries, text};
use crate::slice::SliceExt as _;

/// Directories of templates, beside the content or above it.
const TEMPLATE_DIRECTORIES: [&str; 14] = [
    ".vitepress/theme",
    "_includes",
    "_layouts",
    "_templates",
    "_theme",
    "components",
    "layouts",
    "overrides",
    "src/components",
    "src/layouts",
    "src/theme",
    "templates",
    "theme",
    "themes",
];
const TEMPLATE_EXTENSIONS: [&str; 14] = [
    ".astro", ".ejs", ".erb", ".hbs", ".html", ".j2", ".jsx", ".liquid", ".mdx", ".njk", ".slim",
    ".svelte", ".tsx", ".vue",
];
/// Largest number of directory entries that are listed.
const MOST_ENTRIES: usize = 10_000;
/// Largest number of templates that are read.
const MOST_TEMPLATES: usize = 2_000;

/// Returns the ids in the templates of these directories.
pub(super) fn ids(directories: &[&Path]) -> HashSet<String> {
    let mut ids = HashSet::new();
    let mut pending: Vec<PathBuf> = directories
        .iter()
        .flat_map(|directory| TEMPLATE_DIRECTORIES.iter().map(|name| directory.join(name)))
        .collect();
    let (mut seen, mut read) = (HashSet::new(), 0);
    let mut listed = 0;
    while let Some(directory) = pending.pop() {
        if listed > MOST_ENTRIES || !seen.insert(directory.clone()) {
            continue;
        }
        for entry in entries(&directory) {
            listed += 1;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && name != "node_modules" {
                pending.push(directory.join(&*name));
            } else if kind.is_file()
                && read < MOST_TEMPLATES
                && TEMPLATE_EXTENSIONS.iter().any(|extension| name.ends_with(extension))
            {
                read += 1;
                ids.extend(ids_of(&text(&directory.join(&*name))));
            }
        }
    }
    ids
}

/// True if the template of a Hugo shortcode prefixes this argument, so that the argument alone is not a
/// reference: `href="{{ $base }}/blob/main/{{ .Get "href" }}"`.
pub(super) fn puts_before(template: &str, argument: &str) -> bool {
    /// Longest start of an action. The bound keeps time linear.
    const MAX_START_BYTES: usize = 16;
    let is_prefixed = |mark: char| {
        let get = format!(".Get {mark}{argument}{mark}");
        memmem::find_iter(template.as_bytes(), &get).any(|at| {
            let before = template.as_bytes().clamped(at.saturating_sub(MAX_START_BYTES)..at);
            let Some(open) = memmem::rfind(before, b"{{") else { return false };
            // `{{ with .Get "a" }}` only tests it.
            let is_written = before.clamped(open + 2..).iter().all(|byte| b" -$".contains(byte));
            let last = before.clamped(..open).last();
            is_written
                && last
                    .is_some_and(|byte| !byte.is_ascii_whitespace() && !b"\"'=>`(".contains(byte))
        })
    };
    ['"', '`'].into_iter().any(is_prefixed)
}

/// Returns the values of `id="…"` and `name="…"`.
fn ids_of(text: &str) -> Vec<String> {
    // A rough scan instead of a parser: templates have many syntaxes.
    let mut found = Vec::new();
    for mark in ["id=\"", "id='", "id={\"", "name=\""] {
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.clamped(at + mark.len()..);
            let value = rest.split(['"', '\'', '\n']).next().unwrap_or_default();
            let is_whole_word =
                at == 0 || text.as_bytes().get(at - 1).is_some_and(u8::is_ascii_whitespace);
            if is_whole_word && !value.is_empty() && !value.contains(['{', '<', '$']) {
                found.push(value.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_before_arguments() {
        let puts = |template: &str| puts_before(template, "href");
        assert!(puts("<a href=\"{{ $.Site.Params.repo }}/blob/{{ $b }}/{{.Get \"href\"}}\">"));
        assert!(puts("<a href=\"https://a.dev/{{- .Get `href` -}}\">"));
        assert!(!puts("<a href=\"{{ .Get \"href\" }}\">"));
        assert!(!puts("<a href={{ .Get \"href\" | relURL }}>{{ with .Get \"href\" }}"));
        assert!(!puts("/{{ .Get \"src\" }}"));
    }

    #[test]
    fn ids_are_found() {
        let text = "<a id=\"b\"> <a name=\"c\"> <A id={\"d\"}/> <a data-id=\"e\" id=\"{{ f }}\">";
        let mut found = ids_of(text);
        found.sort_unstable();
        assert_eq!(found, ["b", "c", "d"]);
    }
}
