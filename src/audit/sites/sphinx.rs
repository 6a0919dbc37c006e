//! [Sphinx](https://www.sphinx-doc.org/) with [MyST](https://mystmd.org/), and Jupyter Book.

use super::menu::MenuRule;
use super::rules::{FILES, SiteRules, UnresolvedLinks};
use crate::audit::Slugs;
use crate::document::Dialect;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["conf.py", "myst.yml", "_toc.yml", "conf.py.in"],
    base_keys: &["html_baseurl"],
    content: &["."],
    statics: &["_static", "_extra"],
    part_keys: &["exclude_patterns"],
    static_keys: &["html_extra_path"],
    outputs: &["_build/html", "build/html"],
    slugs: Slugs::Sphinx,
    endings: &[".md", ".rst", ".ipynb", ".txt"],
    swaps: &[(".html", ".md"), (".html", ".rst")],
    generated: &["genindex", "modindex", "py-modindex", "search", "_modules"],
    schemes: &["inv", "myst", "path", "project", "ror", "rrid", "wiki", "xref"],
    dialect: Dialect::Myst,
    menu: MenuRule::TableOfContents,
    unresolved: UnresolvedLinks::Sphinx,
    ..FILES
};

/// Places of Sphinx settings in a repository.
pub(super) const CONFS: [&str; 4] =
    ["docs/conf.py", "doc/conf.py", "docs/source/conf.py", "doc/source/conf.py"];

/// Returns the names of schemes that a `conf.py` defines.
pub(super) fn schemes(settings: &str) -> Vec<String> {
    let Some((_, after)) = settings.split_once("myst_url_schemes") else {
        return Vec::new();
    };
    let block = after.split("\n\n").next().unwrap_or_default();
    let words = block.split(['"', '\'']).skip(1).step_by(2);
    words.filter(|word| !word.contains(['/', ' '])).map(str::to_owned).take(MOST_SCHEMES).collect()
}

/// Most schemes of a site: each link with another scheme is compared with them.
const MOST_SCHEMES: usize = 1000;

/// True if a `conf.py` opens a document for writing. All eight errors of jupyterhub/zero-to-jupyterhub-k8s
/// were links to the labels of such a document.
pub(super) fn writes_documents(settings: &str) -> bool {
    let is_written = |rest: &str| {
        let call = rest.split(')').next().unwrap_or_default();
        let is_document = [".md\"", ".md'", ".rst\"", ".rst'"].iter().any(|end| call.contains(end));
        is_document && ["\"w", "'w"].iter().any(|mode| call.contains(mode))
    };
    settings.split("open(").skip(1).any(is_written)
}
