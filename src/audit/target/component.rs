//! Finds components of a page that add anchors not visible in its document.

use std::path::{Path, PathBuf};

use super::path::{is_index_name, joined};
use super::{generated, language_of};
use crate::audit::census::is_named;
use crate::audit::finding::is_among;
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::{ForgeRule, is_in_tree};
use crate::audit::{LinkContext, PathStatus};
use crate::document::LinkOrigin;

/// Suffixes that an imported path may omit.
const ENDINGS: [&str; 6] = ["", ".tsx", ".jsx", ".js", "/index.tsx", "/index.js"];

/// The directory of files that tags of Jekyll include (Jekyll, "Includes").
pub(in crate::audit) const INCLUDES: &str = "_includes";

/// Number of ancestors of the content that aliases may refer to.
const MAX_ABOVE: usize = 4;

/// True if the source of an imported component renders headings.
pub(super) fn make_headings(
    page: &AuditedPage<'_>,
    document: &Path,
    components: &[String],
) -> bool {
    // The source is only searched for headings, not rendered. If it has any, a missing anchor is
    // not reported: 44 of 59 findings of mise were settings that one component lists.
    // The answer is the same for each anchor that the document lacks and that a page of this site
    // links to.
    let find = || any_makes_headings(page, document, components);
    page.files.has_heading_makers(&page.site, document, &find)
}

fn any_makes_headings(page: &AuditedPage<'_>, document: &Path, components: &[String]) -> bool {
    components.iter().any(|component| {
        if let Some(shortcode) = component.strip_prefix("{{<") {
            return shortcode_makes_headings(page, shortcode);
        }
        if let Some(shortcode) = component.strip_prefix("{{%") {
            // Outside of a site, the renderer of the page is unknown.
            return page.site.content.is_empty() || shortcode_makes_headings(page, shortcode);
        }
        if let Some(include) = component.strip_prefix("{%") {
            return include_makes_headings(page, include);
        }
        let places = places(page, document, component);
        if [".md", ".mdx"].iter().any(|end| component.ends_with(end)) {
            // The anchors of a document that is here are known, unless a program makes it.
            return !places.iter().any(|it| page.files.anchors(it).is_some());
        }
        places.iter().any(|place| {
            ENDINGS.iter().any(|ending| {
                let mut path = place.as_os_str().to_owned();
                path.push(ending);
                let path = Path::new(&path);
                page.files.probe(path) == PathStatus::File && may_render_headings(page, path)
            })
        })
    })
}

/// True if a file that a tag includes may have headings, or is not here: a theme may have it.
fn include_makes_headings(page: &AuditedPage<'_>, include: &str) -> bool {
    let site = &page.site;
    // A forge shows the tag as text.
    if site.rules().forge == ForgeRule::OnForge && !generated::is_elsewhere(page) {
        return false;
    }
    let above = site.content.iter().flat_map(|it| it.ancestors().take(2));
    let mut places = above.filter_map(|above| joined(&above.join(INCLUDES), include));
    let file = places.find(|it| page.files.probe(it) == PathStatus::File);
    file.is_none_or(|file| may_render_headings(page, &file))
}

/// True if a file renders headings, or is outside of the tree, where nothing is read.
pub(super) fn may_render_headings(page: &AuditedPage<'_>, file: &Path) -> bool {
    !is_in_tree(page.directory(), file) || page.files.renders_headings(file)
}

/// True for an address in Markdown that a component of the site turns into a link: how it resolves
/// the address is unknown.
pub(super) fn makes_link(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    page.site.has_link_component()
        && page.is_source()
        && context.link.attribute.is_none()
        && context.link.element == Some("link")
        && context.written.starts_with('/')
}

/// Directories of the templates of shortcodes, beside the content (Hugo, "Shortcode templates").
const SHORTCODES: [&str; 2] = ["layouts/_shortcodes", "layouts/shortcodes"];

/// Shortcodes of Hugo without headings.
const BUILT_IN: &str =
    "figure gist highlight instagram param qr ref relref tweet twitter vimeo x youtube";

/// True if the template of a shortcode may render headings, or belongs to a theme elsewhere: the
/// options of commands in the manual of Jaeger come from one.
fn shortcode_makes_headings(page: &AuditedPage<'_>, shortcode: &str) -> bool {
    // A theme of the checkout may have the template, and one in Markdown has headings without tags.
    match own_template(page, shortcode).or_else(|| of_theme(page, shortcode, "html")) {
        Some(template) => may_render_headings(page, &template),
        None if of_theme(page, shortcode, "md").is_some() => true,
        None => !page.site.content.is_empty() && !is_among(BUILT_IN, shortcode),
    }
}

/// True if the template of the shortcode with this link is in the checkout or built into Hugo.
pub(super) fn has_template(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    let Some(name) = page.facts.shortcode(context.link.span) else { return false };
    if context.link.origin.is_argument() {
        return false;
    }
    let template = || own_template(page, name).or_else(|| of_theme(page, name, "html"));
    name == "figure" || template().is_some_and(|it| !puts_before(context, &it))
}

/// True if the template of a shortcode prefixes the argument with a link.
fn puts_before(context: &LinkContext<'_>, template: &Path) -> bool {
    let page = context.page;
    let source = page.facts.source_text();
    let before = source.get(..context.link.span.start()).unwrap_or_default();
    let Some(before) = before.strip_suffix(b"=\"") else { return false };
    let name = before.rsplit(|byte| !byte.is_ascii_alphanumeric() && !b"-_".contains(byte)).next();
    let name = name.and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
    !name.is_empty() && page.files.puts_before(template, name)
}

/// True if the path of a file in the checkout ends with this path: the template resolves it against
/// another directory.
pub(super) fn is_elsewhere(context: &LinkContext<'_>) -> bool {
    let page = context.page;
    // Many directories have an `image.png`, so a name alone is not evidence.
    if context.link.origin == LinkOrigin::FrontMatterValue {
        return false;
    }
    let inside = context.written.trim_start_matches(['.', '/']);
    let inside = Path::new(inside.split(['?', '#']).next().unwrap_or_default());
    page.files.has_file_with_end(&page.site, inside)
}

/// True for `{{< ref "a.md" >}}`, with which Hugo looks up a page.
pub(super) fn is_reference(context: &LinkContext<'_>) -> bool {
    let name = context.page.facts.shortcode(context.link.span);
    name.is_some_and(|name| is_among("ref relref", name))
}

/// True for a reference to a page whose name no file and no directory of the checkout has: the build
/// stops for it. Modules of Hugo may add pages.
pub(super) fn is_nowhere(context: &LinkContext<'_>) -> bool {
    const INDEXES: [&str; 4] = ["_index.md", "index.md", "_index.html", "_index.adoc"];
    let page = context.page;
    let site = &page.site;
    let (path, _) = context.split();
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let has_modules = || {
        let above = site.content.iter().flat_map(|it| it.ancestors().take(MAX_ABOVE));
        above.map(|it| it.join("go.mod")).any(|it| page.files.probe(&it) == PathStatus::File)
    };
    site.repository.is_some()
        && !is_index_name(Path::new(name))
        && !matches!(name, "" | "." | "..")
        && !name.contains(['{', '$', '%'])
        && !is_named(site, page.files, name)
        && !INDEXES.iter().any(|it| page.files.has_file_with_end(site, &Path::new(name).join(it)))
        && !is_translated(page, name)
        && !has_modules()
}

/// True for the name of a page whose files have a language: `b` of `b.fr.md` and `b/_index.fr.md`
/// (Hugo, "Translation by file name").
fn is_translated(page: &AuditedPage<'_>, name: &str) -> bool {
    let site = &page.site;
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let own = language_of(page.path).into_iter().chain(["en"]);
    let mut languages = site.languages.iter().map(String::as_str).chain(own);
    languages.any(|language| {
        let file = format!("{stem}.{language}.md");
        let index = Path::new(stem).join(format!("_index.{language}.md"));
        is_named(site, page.files, &file) || page.files.has_file_with_end(site, &index)
    })
}

/// Returns the template of a shortcode beside the content.
fn own_template(page: &AuditedPage<'_>, shortcode: &str) -> Option<PathBuf> {
    let above = page.site.content.iter().flat_map(|it| it.ancestors().take(MAX_ABOVE));
    let mut places = above.flat_map(|above| {
        SHORTCODES.iter().map(move |it| above.join(it).join(format!("{shortcode}.html")))
    });
    places.find(|place| page.files.probe(place) == PathStatus::File)
}

/// Most files with the name of a template that are read, for each shortcode of a document.
const MAX_TEMPLATES: usize = 1_000;

/// Returns the template of a shortcode anywhere in the checkout.
fn of_theme(page: &AuditedPage<'_>, shortcode: &str, extension: &str) -> Option<PathBuf> {
    let file = format!("{shortcode}.{extension}");
    let name = file.rsplit('/').next().unwrap_or_default();
    let files = page.files.files_named(&page.site, name);
    let found = files.iter().take(MAX_TEMPLATES).find(|path| {
        let above = path.ancestors().skip(file.split('/').count());
        path.ends_with(&file)
            && above.take(1).any(|above| SHORTCODES.iter().any(|it| above.ends_with(it)))
    });
    found.cloned()
}

/// Returns the possible paths of a component: beside the page, below `/`, or below an alias, which
/// is usually the name of a directory.
fn places(page: &AuditedPage<'_>, document: &Path, component: &str) -> Vec<PathBuf> {
    if component.starts_with('.') {
        return joined(document.parent().unwrap_or(Path::new("")), component).into_iter().collect();
    }
    if component.starts_with('/') {
        return page.site.roots.iter().filter_map(|root| joined(root, component)).collect();
    }
    let named = component.trim_start_matches(['@', '~']);
    let inside = component.split_once('/').map_or(named, |(_, inside)| inside);
    let above = page.site.content.iter().flat_map(|it| it.ancestors().take(MAX_ABOVE));
    // `@/` and `~/` are usually `src`.
    let of_above =
        |above| [joined(above, named), joined(above, inside), joined(&above.join("src"), inside)];
    above.flat_map(of_above).flatten().collect()
}
