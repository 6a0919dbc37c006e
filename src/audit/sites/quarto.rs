//! [Quarto](https://quarto.org/docs/websites/), websites and books.

use std::path::Path;

use super::discovery::values;
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{FILES, SiteRules, SourceNames};
use crate::audit::Slugs;
use crate::audit::finding::is_among;
use crate::document::markdown::quarto::ids;
use crate::document::{Dialect, LinkOrigin};
use crate::hash::HashSet;
use crate::slice::{SliceExt as _, lossy};

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["_quarto.yml", "_quarto.yaml"],
    base_keys: &["site-url"],
    content: &["."],
    outputs: &["_site", "_book", "_manuscript"],
    slugs: Slugs::Pandoc,
    dialect: Dialect::Pandoc,
    endings: &[
        ".qmd",
        ".md",
        ".ipynb",
        ".Rmd",
        ".html",
        "/index.qmd",
        "/index.md",
        "/index.ipynb",
        "/index.html",
        // Pictures without an extension have that of the format, which is HTML (Quarto,
        // `default-image-extension`).
        ".png",
    ],
    swaps: &[
        (".html", ".qmd"),
        (".html", ".md"),
        (".html", ".ipynb"),
        (".html", ".Rmd"),
        // A script that Quarto renders (Quarto, "Rendering Script Files").
        (".html", ".qmd.py"),
        // The page of a notebook that `{{< embed >}}` shows in another one (Quarto, "Notebook
        // Links").
        ("-preview.html", ".ipynb"),
        ("-preview.html", ".qmd"),
    ],
    address_keys: &["aliases"],
    // A feed per list of posts, and the index for searching the pages.
    generated: &["index.xml", "listings.json", "robots.txt", "search.json", "sitemap.xml"],
    menu: MenuRule::Automatic,
    menus: &[MenuFile {
        path: "_quarto.*",
        keys: MenuKeys::Named(&[
            "appendices",
            "chapters",
            "contents",
            "file",
            "href",
            "left",
            "right",
        ]),
        values: MenuValues::Sources,
    }],
    file_keys: &["css", "favicon", "image", "logo"],
    script_keys: &["post-render", "pre-render"],
    constructs: &[LinkOrigin::QuartoFile],
    cross_ids: true,
    source_names: SourceNames::OfFile,
    ..FILES
};

/// True for a source, which has ids and cross-references. Those in pages of HTML are outputs.
pub(in crate::audit) fn has_ids(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    is_among("Rmd ipynb markdown md qmd", extension)
}

/// Most figures of one cell that references name by number.
const MAX_PARTS: usize = 32;

/// Returns the patterns of files that a project publishes besides the pages of its sources, if it
/// lists what it renders (Quarto, "Project Basics", "Render Targets" and "Site Resources").
pub(super) fn published(settings: &str) -> Option<Vec<String>> {
    let rendered = values(settings, "render");
    let all = || rendered.iter().cloned().chain(values(settings, "resources"));
    (!rendered.is_empty()).then(|| all().filter(|it| !it.starts_with('!')).collect())
}

/// Adds the ids of a document that cross-references may name.
pub(in crate::audit) fn add_ids(text: &[u8], all: &mut HashSet<String>) {
    for id in ids(text) {
        let name = lossy(text.clamped(id.span.range()));
        if id.has_parts {
            all.extend((1..=MAX_PARTS).map(|number| format!("{name}-{number}")));
        }
        all.insert(name.into_owned());
    }
}
