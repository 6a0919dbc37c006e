//! [Quarto](https://quarto.org/docs/websites/), websites and books.

use super::menu::MenuRule;
use super::rules::{FILES, SiteRules};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["_quarto.yml", "_quarto.yaml"],
    base_keys: &["site-url"],
    content: &["."],
    outputs: &["_site", "_book", "_manuscript"],
    slugs: Slugs::Pandoc,
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
    ],
    swaps: &[
        (".html", ".qmd"),
        (".html", ".md"),
        (".html", ".ipynb"),
        (".html", ".Rmd"),
        // The page of a notebook that `{{< embed >}}` shows in another one (Quarto, "Notebook
        // Links").
        ("-preview.html", ".ipynb"),
        ("-preview.html", ".qmd"),
    ],
    address_keys: &["aliases"],
    // A feed per list of posts, and what the search of the pages reads.
    generated: &["index.xml", "listings.json", "robots.txt", "search.json", "sitemap.xml"],
    menu: MenuRule::Automatic,
    ..FILES
};
