//! `undefined-reference` of Sphinx: `` :ref:`a` `` or `` {numref}`a` `` without a label, which
//! Sphinx shows as text with a warning.

use std::path::PathBuf;

use super::generated::is_of_script;
use super::joined;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{INTERSPHINX, Site, is_in_tree, sphinx};
use crate::audit::{PathStatus, Severity};

/// Labels that Sphinx has without a document (`StandardDomain.initial_data`).
const BUILT_IN: [&str; 4] = ["genindex", "modindex", "py-modindex", "search"];

/// Extensions that make labels of titles, code, or scripts.
const WRITERS: [&str; 13] = [
    "autoapi",
    "autodoc2",
    "automodapi",
    "breathe",
    "doxy",
    "exhale",
    // Addresses may have the word alone, as that of `pyramid_jinja2`.
    "sphinx_jinja",
    "sphinxcontrib.jinja",
    "kerneldoc",
    "nbsphinx",
    "sphinx_click",
    "sphinx_gallery",
    "sphinx_needs",
];

/// What is known of a label without a definition.
pub(super) struct UndefinedProjectLabel {
    pub severity: Severity,
    pub nearest: Option<String>,
}

/// Judges the label of a project; `None` if it is defined, or may be another project's.
pub(super) fn judge(page: &AuditedPage<'_>, written: &str) -> Option<UndefinedProjectLabel> {
    let site = page.site.documentation.as_deref().unwrap_or(&page.site);
    let words: Vec<&str> = written.split_whitespace().collect();
    let label = words.join(" ").to_lowercase();
    if BUILT_IN.contains(&&*label) || page.files.has_label(&page.site, &label) {
        return None;
    }
    let has_projects = site.program_has(INTERSPHINX);
    if has_projects && is_of_named_project(site, written) {
        return None;
    }
    let nearest = page.files.nearest_label(site, &label);
    // Scrapy names 30 labels of other projects without the project. Those start like none of its
    // own.
    let makes_labels = site.program_has(sphinx::SECTION_LABELS);
    let is_of_document = makes_labels && site.program_has(sphinx::PREFIXED_LABELS);
    let title = is_of_document.then(|| has_title(page, site, written)).flatten();
    if title == Some(true) {
        return None;
    }
    let may_be_elsewhere = has_projects && nearest.is_none() && title.is_none();
    let may_be_title = makes_labels && title.is_none() && nearest.is_none();
    let is_open = may_be_elsewhere
        || page.site.documentation.is_some()
        || page.is_part()
        // The other settings may have extensions.
        || site.program_has("import *")
        || site.may_define(&label)
        || WRITERS.iter().any(|it| site.program_has(it))
        || is_of_script(page, &label)
        || may_be_title
        || is_of_document && title.is_none() && written.contains(':')
        || page.files.computes_labels(site);
    let severity = if is_open { Severity::Note } else { Severity::Warning };
    Some(UndefinedProjectLabel { severity, nearest })
}

/// True for `name:label` with the name of a project in the settings (`sphinx.ext.intersphinx`).
fn is_of_named_project(site: &Site, written: &str) -> bool {
    let Some((name, _)) = written.split_once(':') else { return false };
    let quoted = ['"', '\''].into_iter().any(|it| site.program_has(&format!("{it}{name}{it}")));
    !name.is_empty() && (quoted || site.program_has(&format!("{name}=")))
}

/// True if a document has the title with this label, `a/b:Title`, although the list of labels lacks
/// it; `None` if that is unknown, as for all titles without the name of a document. A document may
/// include text, and that of code.
fn has_title(page: &AuditedPage<'_>, site: &Site, written: &str) -> Option<bool> {
    let (name, title) = written.split_once(':')?;
    let file = document_of(page, site, name).filter(|it| is_in_tree(page.directory(), it))?;
    page.files.included_text(&file)?.has_title(title)
}

/// Returns the document with a name.
fn document_of(page: &AuditedPage<'_>, site: &Site, name: &str) -> Option<PathBuf> {
    let roots = site.content.iter();
    let mut places = roots.flat_map(|root| {
        let endings = site.rules().endings.iter();
        endings.filter_map(move |ending| joined(root, &format!("{name}{ending}")))
    });
    places.find(|place| page.files.probe(place) == PathStatus::File)
}
