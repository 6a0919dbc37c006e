//! [Sphinx](https://www.sphinx-doc.org/) with [MyST](https://mystmd.org/), and Jupyter Book.

use std::path::{Path, PathBuf};

use super::discovery::{DirectoryLister, text, value};
use super::menu::MenuRule;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{FILES, FrontMatterRule, LinkBase, SiteRules, UnresolvedLinks};
use crate::audit::{Slugs, paths};
use crate::document::Dialect;
use crate::slice::SliceExt as _;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["conf.py", "myst.yml", "_toc.yml", "conf.py.in"],
    base_keys: &["html_baseurl"],
    content: &["."],
    // Files of `html_static_path` are published below `_static/`, where they are in the sources,
    // too.
    statics: &["_extra"],
    part_keys: &["exclude_patterns"],
    static_keys: &["html_extra_path"],
    outputs: &["_build/html", "build/html"],
    slugs: Slugs::Sphinx,
    endings: &[".md", ".rst", ".ipynb", ".txt"],
    swaps: &[(".html", ".md"), (".html", ".rst")],
    generated: &["genindex", "modindex", "py-modindex", "search", "_modules"],
    schemes: &["inv", "myst", "path", "project", "ror", "rrid", "wiki", "xref"],
    dialect: Dialect::Myst,
    // Sphinx, "File-wide metadata".
    front_matter: FrontMatterRule::Metadata,
    menu: MenuRule::TableOfContents,
    menus: &[
        MenuFile { path: "_toc.yml", keys: FILES_OF_TOC, values: MenuValues::Documents },
        MenuFile { path: "myst.yml", keys: FILES_OF_TOC, values: MenuValues::Documents },
        MenuFile { path: "conf.py", keys: FIRST_DOCUMENT, values: MenuValues::Documents },
        MenuFile { path: "_config.yml", keys: MenuKeys::Named(&[]), values: MenuValues::Documents },
    ],
    file_keys: &[
        "article",
        "banner",
        "extra_css",
        "favicon",
        "footer",
        "html_favicon",
        "html_logo",
        "latex_logo",
        "logo",
        "style",
        "thumbnail",
    ],
    path_keys: &["bibliography", "bibtex_bibfiles", "html_extra_path", "html_static_path"],
    unresolved: UnresolvedLinks::Sphinx,
    ..FILES
};

/// The extension that makes labels of titles.
pub(in crate::audit) const SECTION_LABELS: &str = "sphinx.ext.autosectionlabel";

/// Its setting by which a label starts with the name of its document.
pub(in crate::audit) const PREFIXED_LABELS: &str = "autosectionlabel_prefix_document";

/// Keys of documents in the table of contents of Jupyter Book and of MyST.
const FILES_OF_TOC: MenuKeys = MenuKeys::Named(&["file", "root"]);

/// Settings with the name of the document at the top (Sphinx, `root_doc`).
pub(super) const FIRST_DOCUMENT: MenuKeys = MenuKeys::Named(&["root_doc", "master_doc"]);

/// Maximum number of directories from the settings up to those of the requirements.
const MAX_ABOVE: usize = 4;

/// True if the requirements of the checkout allow no Sphinx from version 5 on: `Sphinx<5,>=3`.
/// Until then, it looks for the documents of `:doc:` in other projects.
pub(super) fn is_before_5(above: &Path, files: &dyn DirectoryLister) -> bool {
    let directories = paths::absolute(above);
    for directory in directories.ancestors().take(MAX_ABOVE) {
        let names = files.names(directory);
        let is_list = |name: &&String| name.starts_with("requirements") && name.ends_with(".txt");
        let mut lists = names.iter().filter(is_list).map(|name| text(&directory.join(name)));
        if lists.any(|list| list.lines().any(pins_before_5)) {
            return true;
        }
        if directory.join(".git").exists() {
            break;
        }
    }
    false
}

/// True for a line of requirements such as `sphinx==4.5.0` or `Sphinx<5,>=3`.
fn pins_before_5(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default().to_lowercase();
    let Some(bounds) = line.trim().strip_prefix("sphinx") else { return false };
    bounds.split(',').any(|bound| {
        let bound = bound.trim();
        let version = |mark: &str| {
            let version = bound.strip_prefix(mark)?.trim_start();
            version.split('.').next()?.trim_end().parse::<u32>().ok()
        };
        version("<").is_some_and(|it| it <= 5)
            || ["<=", "==", "~="].iter().any(|mark| version(mark).is_some_and(|it| it < 5))
    })
}

/// The setting that names the projects whose labels and terms documents may name, too
/// (`sphinx.ext.intersphinx`).
pub(in crate::audit) const INTERSPHINX: &str = "intersphinx_mapping";

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
    words.filter(|word| !word.contains(['/', ' '])).map(str::to_owned).take(MAX_SCHEMES).collect()
}

/// Most schemes of a site: each link with another scheme is compared with them.
const MAX_SCHEMES: usize = 1000;

/// Returns the directories of the projects that sphinx-multiproject builds with one `conf.py`, each
/// the source directory of its own (its documentation, "Configuration"):
/// `multiproject_projects = {"user": {"path": "guide"}}`. Without a path, it is the name.
pub(super) fn projects(settings: &str) -> Vec<String> {
    let Some((_, after)) = settings.split_once("multiproject_projects") else { return Vec::new() };
    let table = after.trim_start().strip_prefix('=').map(str::trim_start);
    let Some(table) = table.filter(|table| table.starts_with('{')) else { return Vec::new() };
    let (mut depth, mut found): (usize, Vec<String>) = (0, Vec::new());
    let mut key = None;
    let mut rest = table;
    while let Some(c) = rest.chars().next() {
        rest = rest.clamped(c.len_utf8()..);
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => break,
            '}' => depth -= 1,
            '#' => rest = rest.split_once('\n').map_or("", |(_, below)| below),
            '"' | '\'' => {
                let Some((word, behind)) = rest.split_once(c) else { break };
                rest = behind;
                let is_key = rest.trim_start().starts_with(':');
                match (depth, is_key) {
                    (1, true) if found.len() < MAX_PROJECTS => found.push(word.to_owned()),
                    (2, true) => key = Some(word),
                    // The path is relative to the directory of `conf.py`.
                    (2, false) if key.take() == Some("path") => {
                        found.iter_mut().last().into_iter().for_each(|it| *it = word.to_owned());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the source directory if `conf.py` is outside of it (sphinx-build(1), `-c`): the only
/// directory beside it with the root document.
pub(super) fn source_directory(
    above: &Path,
    settings: &str,
    files: &dyn DirectoryLister,
) -> Option<PathBuf> {
    const ENDS: [&str; 4] = [".rst", ".md", ".ipynb", ".txt"];
    let named = value(settings, &["root_doc", "master_doc"]);
    let first = named.as_deref().unwrap_or("index");
    let has_first =
        |directory: &Path| ENDS.iter().any(|end| directory.join(format!("{first}{end}")).is_file());
    if has_first(above) {
        return None;
    }
    let names = files.names(above);
    let visible = names.iter().filter(|name| !name.starts_with(['.', '_']));
    let mut found = visible.map(|name| above.join(name)).filter(|it| has_first(it));
    // Several such directories are the chapters of a book, whose source directory is above them.
    found.next().filter(|_| found.next().is_none())
}

/// Most projects of one `conf.py`.
const MAX_PROJECTS: usize = 100;

/// Returns the base of links in HTML written by hand, if the site is built with a directory for
/// each page (Sphinx, `DirectoryHTMLBuilder`): `builder: dirhtml` for Read the Docs, `-b dirhtml`
/// in a Makefile. The Makefile of old versions of `sphinx-quickstart` had both builders.
pub(super) fn html_links(read_the_docs: &str, make_file: &str) -> Option<LinkBase> {
    let builder = value(read_the_docs, &["builder"]);
    let has = |builder: &str| {
        make_file.split("-b ").skip(1).any(|it| it.split_whitespace().next() == Some(builder))
    };
    match builder.as_deref() {
        Some("dirhtml") => Some(LinkBase::Page),
        Some(_) => None,
        None if has("dirhtml") && has("html") => Some(LinkBase::Either),
        None => has("dirhtml").then_some(LinkBase::Page),
    }
}

/// True if a `conf.py` opens a document for writing: a rough test. All eight false errors in
/// jupyterhub/zero-to-jupyterhub-k8s were links to the labels of such a document.
pub(super) fn writes_documents(settings: &str) -> bool {
    let is_written = |rest: &str| {
        let call = rest.split(')').next().unwrap_or_default();
        let is_document = [".md\"", ".md'", ".rst\"", ".rst'"].iter().any(|end| call.contains(end));
        is_document && ["\"w", "'w"].iter().any(|mode| call.contains(mode))
    };
    settings.split("open(").skip(1).any(is_written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_before_5() {
        for line in ["Sphinx<5,>=3  # theme", "sphinx==4.5.0", "sphinx ~= 3.2", "sphinx<=4"] {
            assert!(pins_before_5(line), "{line}");
        }
        for line in ["sphinx", "sphinx>=3", "sphinx-design<1", "sphinx<6", "# sphinx<5"] {
            assert!(!pins_before_5(line), "{line}");
        }
    }

    #[test]
    fn projects_of_one_configuration() {
        let settings = "multiproject_projects = {\n  # 'no': {}\n  \"user\": {\"use_config_file\": False, 'config': {'project': 'x', 'path': 'y'}},\n  'dev': {'path': '../guide'},\n}\nx = {'z': {}}\n";
        assert_eq!(projects(settings), ["user", "../guide"]);
        assert_eq!(projects("from multiproject_projects import x\n"), [""; 0]);
        assert_eq!(projects("multiproject_projects = load('a': {'b': "), [""; 0]);
    }

    #[test]
    fn builders() {
        let rtd = "sphinx:\n  builder: dirhtml\n";
        assert_eq!(html_links(rtd, ""), Some(LinkBase::Page));
        assert_eq!(html_links("sphinx:\n  builder: html\n", "-b dirhtml"), None);
        assert_eq!(html_links("", "x -b dirhtml . out\n"), Some(LinkBase::Page));
        assert_eq!(html_links("", "x -b html a\nx -b dirhtml b"), Some(LinkBase::Either));
        assert_eq!(html_links("", "x -b html a"), None);
    }
}
