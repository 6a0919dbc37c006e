//! Files that a site derives from the tree, by profile: pages without extension, indexes, code
//! items.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::audit::answers::PageFiles;
use crate::audit::census::is_picture;
use crate::audit::finding::is_among;
use crate::audit::fix::moved_file;
use crate::audit::form::LinkForm;
use crate::audit::link_context::{AuditedPage, is_code_path};
use crate::audit::sites::{DirectoryRule, ForgeRule, NameRule, UnresolvedLinks};
use crate::audit::target::{Destination, LinkTarget, Unchecked};
use crate::audit::{LinkContext, LinkKind, PathStatus, Site, paths};
use crate::document::{Format, LinkOrigin};

/// Returns the status of `path`. If the site derives it from another file, also returns the path
/// of that file.
pub(super) fn find(
    site: &Site,
    files: PageFiles<'_>,
    path: &Path,
) -> (Option<PathBuf>, PathStatus) {
    let rules = site.rules();
    // `a.md` names a file, whose name is case-sensitive, and not an address.
    let is_slugged =
        rules.names.is_slugged() && !path.extension().is_some_and(|it| it == "md" || it == "mdx");
    let has = |path: PathBuf| match files.probe(&path) {
        PathStatus::File => Some(path),
        PathStatus::OtherCase { actual } if is_slugged => Some(actual),
        _ => None,
    };
    // The page of `v0.26.md` is `v026`.
    let is_other_name = rules.names == NameRule::FileSlugged && has_dot(site, path);
    let with = |ending: &str| {
        if is_other_name {
            return None;
        }
        let mut name = OsString::with_capacity(path.as_os_str().len() + ending.len());
        name.push(path);
        name.push(if path.as_os_str().is_empty() {
            ending.trim_start_matches('/')
        } else {
            ending
        });
        has(PathBuf::from(name))
    };
    // Most of many roots lack the directory, so one lookup saves those for all suffixes.
    let endings_beside = || {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        match directory.map(|directory| files.probe(directory)) {
            Some(PathStatus::Missing { .. }) => &[],
            _ => rules.endings,
        }
    };
    let index = || {
        rules
            .endings
            .iter()
            .filter(|ending| ending.starts_with('/'))
            .find_map(|ending| with(ending))
    };
    let made = || {
        let swapped = || {
            let text = path.to_str()?;
            rules.swaps.iter().find_map(|(from, to)| {
                has(PathBuf::from(format!("{}{to}", text.strip_suffix(from)?)))
            })
        };
        // Suffixes may only be appended to the whole name.
        endings_beside()
            .iter()
            .filter(|ending| !ending.starts_with('/'))
            .find_map(|ending| with(ending))
            .or_else(swapped)
    };
    match files.probe(path) {
        PathStatus::Directory if rules.directories == DirectoryRule::NeedsIndex => {
            match index().or_else(made) {
                Some(page) => (Some(page), PathStatus::File),
                None => (None, PathStatus::Missing { nearest: None }),
            }
        }
        PathStatus::OtherCase { actual } if is_slugged => {
            let entry = files.look(&actual);
            (Some(actual), entry)
        }
        PathStatus::Missing { nearest } => match made() {
            Some(page) => (Some(page), PathStatus::File),
            None => (None, PathStatus::Missing { nearest }),
        },
        entry => (None, entry),
    }
}

/// True for a name with a dot in content whose names the generator turns into slugs, which have no
/// dot.
fn has_dot(site: &Site, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    memchr::memchr(b'.', name).is_some()
        && site
            .content
            .iter()
            .any(|content| !content.ends_with("pages") && paths::below(content, path).is_some())
}

/// Returns the index page of a directory.
pub(super) fn index(site: &Site, files: PageFiles<'_>, directory: &Path) -> Option<PathBuf> {
    let endings = site.rules().endings.iter().chain(&["/index.html"]);
    endings.filter_map(|ending| ending.strip_prefix('/')).find_map(|name| {
        let path = directory.join(name);
        (files.look(&path) == PathStatus::File).then_some(path)
    })
}

/// Returns the meaning that the site's tool gives to a reference without a file.
pub(super) fn instead<'s>(context: &LinkContext<'s>, path: &str) -> Option<Destination<'s>> {
    let item = Some(Destination::Unchecked(Unchecked::Item));
    let written = context.written;
    if is_alias(context, path) || is_item_of_program(context) {
        return item;
    }
    if is_of_exdoc(context.page)
        && let Some(why) = of_exdoc(context.page, path)
    {
        return Some(Destination::Unchecked(why));
    }
    if is_address(context, path) {
        return Some(Destination::Unchecked(Unchecked::Route));
    }
    if let Some(page) = page_of_asciidoc(context, path) {
        return Some(Destination::Target(LinkTarget::new(
            Some(page.into()),
            PathStatus::File,
            context.parsed().and_then(|parsed| parsed.reference().fragment()),
        )));
    }
    if context.page.site.has_texts_for_models() && is_text_for_models(path) {
        return Some(Destination::Unchecked(Unchecked::Generated));
    }
    // Other readers of reStructuredText have no such patterns, but Sphinx may include the text.
    let site = &context.page.site;
    if path.ends_with(".*")
        && context.page.has_directives()
        && site.unresolved != UnresolvedLinks::Sphinx
    {
        return Some(Destination::Elsewhere);
    }
    match site.unresolved {
        // An alias has the name of no directory beside the page.
        UnresolvedLinks::Bundler if is_below_directory(context, path) => None,
        UnresolvedLinks::Bundler => item,
        // An unknown generator may build style sheets from its own directory.
        _ if context.page.is_style()
            && context.page.site.is_guessed()
            && !path.starts_with(['.', '/'])
            && path.ends_with(".css") =>
        {
            item
        }
        // Plugins of bundlers create these.
        _ if matches!(path, "uno.css" | "virtual:uno.css" | "windi.css" | "virtual:windi.css") => {
            item
        }
        // A bundler resolves `@import "package/part"`.
        _ if context.page.is_style() && (!path.contains('.') || names_package(context, path)) => {
            item
        }
        _ if !context.page.is_source() => None,
        UnresolvedLinks::Missing => {
            let has_label = || context.page.files.has_label(&context.page.site, path);
            (is_log(context.page.path) && has_label()).then_some(Destination::Elsewhere)
        }
        // A build adds chapters that the tree does not have: all of 60 judged findings in nix were
        // false.
        UnresolvedLinks::Build => Some(Destination::Unchecked(Unchecked::Prepared)),
        UnresolvedLinks::Routes => None,
        UnresolvedLinks::Hooks if is_name(path) => item,
        UnresolvedLinks::Hooks => None,
        UnresolvedLinks::Rust => {
            let is_item =
                is_page_of_rustdoc(path) || is_type(written) || is_code_path(written, true);
            is_item.then_some(Destination::Unchecked(Unchecked::Item))
        }
        UnresolvedLinks::Sphinx if context.page.files.has_label(&context.page.site, path) => {
            Some(Destination::Elsewhere)
        }
        UnresolvedLinks::Sphinx if is_of_script(context.page, path) => {
            Some(Destination::Unchecked(Unchecked::Prepared))
        }
        UnresolvedLinks::Sphinx if is_output(path) => {
            Some(Destination::Unchecked(Unchecked::Generated))
        }
        // Sphinx generates `genindex`.
        UnresolvedLinks::Sphinx if context.page.site.rules().generated.contains(&path) => {
            Some(Destination::Elsewhere)
        }
        UnresolvedLinks::Sphinx if path.ends_with(".*") => picture_of(context),
        // MyST writes citations as links.
        UnresolvedLinks::Sphinx if is_doi(path) => Some(Destination::Elsewhere),
        UnresolvedLinks::Sphinx if path.starts_with('/') && is_of_myst(context) => {
            Some(Destination::Unchecked(Unchecked::NoRoot))
        }
        UnresolvedLinks::Sphinx if names_file(context) => None,
        UnresolvedLinks::Sphinx => {
            let is_object =
                path.contains('.') && !path.contains('/') && !is_among(DOCUMENTS, extension(path));
            let is_object = is_object || context.page.site.may_define(path);
            is_object.then_some(Destination::Unchecked(Unchecked::Item))
        }
    }
}

/// True for a label that a build writes into documents: by a script of the tree, or by
/// `sphinx_tags`, which has one for its overview of tags. Eight of 14 findings in napari's
/// documents were such labels.
pub(super) fn is_of_script(page: &AuditedPage<'_>, label: &str) -> bool {
    let site = &page.site;
    label == "tagoverview" && site.program_has("sphinx_tags")
        || page.files.has_script_label(site, label)
}

/// True for a file in a directory to which the builders of Sphinx copy files that documents name,
/// and pictures that sphinx-gallery draws: raw HTML may refer to it there.
fn is_output(path: &str) -> bool {
    let inside = path.trim_start_matches("../").trim_start_matches('/');
    ["_downloads/", "_images/", "_sources/"].iter().any(|start| inside.starts_with(start))
}

/// Extensions of the pictures among which Sphinx chooses for `a.*`
/// (`supported_image_types` of its builders).
const PICTURES: [&str; 9] = ["svg", "png", "gif", "jpg", "jpeg", "webp", "avif", "pdf", "svgz"];

/// Returns the destination of `a.*`, for which Sphinx chooses the best format for each output;
/// `None` if there is none.
fn picture_of<'s>(context: &LinkContext<'_>) -> Option<Destination<'s>> {
    let page = context.page;
    let is_there = |place: &PathBuf| {
        PICTURES.iter().any(|it| page.files.probe(&place.with_extension(it)) == PathStatus::File)
    };
    if !is_picture(context) {
        return Some(Destination::Unchecked(Unchecked::Generated));
    }
    super::places(context).iter().any(is_there).then_some(Destination::Elsewhere)
}

/// True for `@name/a`, which a bundler resolves.
fn is_alias(context: &LinkContext<'_>, path: &str) -> bool {
    let rules = context.page.site.rules();
    let is_content = rules.content_prefix.is_some_and(|start| path.starts_with(start));
    context.page.is_source() && path.starts_with(rules.aliases) && !is_content
}

/// True for a document of an Elixir project.
fn is_of_exdoc(page: &AuditedPage<'_>) -> bool {
    let mut content = page.site.content.iter();
    page.is_source()
        && page.site.is_guessed()
        && content.any(|it| page.files.probe(&it.join("mix.exs")) == PathStatus::File)
}

/// Returns how ExDoc resolves a reference: all pages are in one directory, with those of modules,
/// and it copies assets there.
fn of_exdoc(page: &AuditedPage<'_>, path: &str) -> Option<Unchecked> {
    let stem = path.strip_suffix(".md").or_else(|| path.strip_suffix(".html"));
    if path.starts_with("assets/") || path.ends_with(".epub") {
        return Some(Unchecked::Prepared);
    }
    let stem = stem.filter(|stem| !stem.contains('/'))?;
    if stem.starts_with(|c: char| c.is_ascii_uppercase()) && !path.ends_with(".md") {
        Some(Unchecked::Item)
    } else {
        page.files.has_name(&page.site, stem).then_some(Unchecked::Route)
    }
}

/// True for references that tools for code documentation resolve: `@ref` (Julia), and a name in
/// backquotes (Elixir).
fn is_item_of_program(context: &LinkContext<'_>) -> bool {
    let written = context.written;
    context.page.is_source()
        && (names_reference(written)
            || written.len() > 2 && written.starts_with('`') && written.ends_with('`'))
}

/// True for `:doc:` with the name of a document that may belong to another project, which Sphinx
/// looks up there (`sphinx.ext.intersphinx`): all 7 false errors in scrapy's documents named
/// documents of Python or Twisted.
pub(super) fn is_of_other_project(context: &LinkContext<'_>, places: &[PathBuf]) -> bool {
    let page = context.page;
    let written = context.written;
    let is_directory = |path: &Path| page.files.probe(path) == PathStatus::Directory;
    let is_near = |place: &PathBuf| {
        if written.contains('/') {
            place.parent().is_some_and(is_directory)
        } else {
            page.site.rules().endings.iter().any(|ending| {
                let mut path = place.as_os_str().to_owned();
                path.push(ending);
                let status = page.files.look(Path::new(&path));
                matches!(status, PathStatus::Missing { nearest: Some(_) })
            })
        }
    };
    context.link.origin == LinkOrigin::DocumentName
        && page.site.has_documents_elsewhere()
        && !written.starts_with(['/', '.'])
        && page.facts.is_in_role(context.link.span)
        && !places.iter().any(is_near)
        && !places.iter().any(|place| moved_file(context, place).is_some())
}

/// True for the table of contents, by its usual name, that `sphinx-apidoc` writes before a build
/// (sphinx-apidoc(1), `--tocfile`).
pub(super) fn is_of_apidoc(context: &LinkContext<'_>) -> bool {
    context.page.site.unresolved == UnresolvedLinks::Sphinx
        && context.link.origin == LinkOrigin::DocumentName
        && context.written.rsplit('/').next() == Some("modules")
}

/// True for `llms.txt` (llmstxt.org), and for the source of a page beside it.
fn is_text_for_models(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    matches!(name, "llms.txt" | "llms-full.txt") || name.ends_with(".html.md")
}

/// True for `@ref` and similar words, with or without the name of their target
/// (Documenter.jl, "@ref link").
pub(in crate::audit) fn names_reference(written: &str) -> bool {
    let word = written.split([' ', '#']).next().unwrap_or_default();
    matches!(word, "@ref" | "@id" | "@extref" | "@cite" | "@citet" | "@citep")
}

/// True for a possible address of a page, if addresses differ from file names.
fn is_address(context: &LinkContext<'_>, path: &str) -> bool {
    let page = context.page;
    let site = &page.site;
    let trimmed = path.trim_end_matches('/');
    let (above, name) = trimmed.rsplit_once('/').unwrap_or(("", trimmed));
    if name.contains('.') && !name.ends_with(".html") || !page.is_source() {
        return false;
    }
    // A program answers requests, so any address may exist: of 2,481 findings in expressjs.com,
    // most were false.
    if site.unresolved == UnresolvedLinks::Routes {
        return !(path.starts_with('/') && are_nearly_all_found(context));
    }
    if is_elsewhere(page) && names_page(page, path) {
        return true;
    }
    let leads_elsewhere = || {
        let around = super::path::joined(page.directory(), above);
        around.is_some_and(|around| page.is_absent(&around))
    };
    site.is_guessed()
        && !site.content.is_empty()
        && (path.starts_with("../")
            || page.files.has_name(site, name)
            || !path.starts_with('/') && leads_elsewhere())
}

/// True if nearly all links of this form lead to a file, so that the program which answers requests
/// follows the rule by which they are found.
pub(super) fn are_nearly_all_found(context: &LinkContext<'_>) -> bool {
    let counts = LinkForm::counts_of(context, Path::new(""));
    counts.is_some_and(|counts| counts.site.are_nearly_all_found())
}

/// Returns `a.adoc` for `a.html`, which Asciidoctor writes beside it.
fn page_of_asciidoc(context: &LinkContext<'_>, path: &str) -> Option<PathBuf> {
    let page = context.page;
    let stem =
        path.strip_suffix(".html").filter(|_| page.has_attributes() && !path.starts_with('/'))?;
    let source = super::path::joined(page.directory(), &format!("{stem}.adoc"))?;
    (page.files.probe(&source) == PathStatus::File).then_some(source)
}

/// True for a document on a forge that belongs to a site built elsewhere: its front matter names
/// the title of a page, or it links to `b` or `b.html` instead of `b.md`, as most documents around
/// it do.
pub(super) fn is_elsewhere(page: &AuditedPage<'_>) -> bool {
    // Both the document and most documents around it must link to pages. Without this rule,
    // react-router had 438 findings; with it, 53.
    *page.is_elsewhere.get_or_init(|| {
        page.site.rules().forge == ForgeRule::OnForge
            && page.site.content.is_empty()
            && page.is_source()
            && (page.facts.is_of_page() || is_of_hugo(page) || links_to_pages(page))
    })
}

/// True for a document beside `_index.md`, which only Hugo and Zola read.
fn is_of_hugo(page: &AuditedPage<'_>) -> bool {
    page.files.probe(&page.directory().join("_index.md")) == PathStatus::File
}

/// True if the document links to addresses of pages, as most documents around it do.
fn links_to_pages(page: &AuditedPage<'_>) -> bool {
    page.facts.links().any(|link| {
        matches!(link.kind, LinkKind::Relative(_))
            && (names_page(page, link.written) || names_rooted_page(page, link.written))
    }) && page.files.has_addresses(&page.site, page.path)
}

/// True for `/b/c` without an extension, if the checkout has no such file.
fn names_rooted_page(page: &AuditedPage<'_>, written: &str) -> bool {
    let path = written.split(['#', '?']).next().unwrap_or_default().trim_end_matches('/');
    let Some(inside) = path.strip_prefix('/').filter(|inside| !inside.is_empty()) else {
        return false;
    };
    let repository = page.site.repository.as_ref();
    let place = repository.and_then(|it| super::path::joined(&it.directory, inside));
    !inside.contains(['.', ':']) && place.is_some_and(|it| page.is_absent(&it))
}

/// True for `../b` and `b.html` if `b.md` exists there.
fn names_page(page: &AuditedPage<'_>, written: &str) -> bool {
    let path = written.split('#').next().unwrap_or_default().trim_end_matches('/');
    let stem = path.strip_suffix(".html").unwrap_or(path);
    let name = stem.rsplit('/').next().unwrap_or_default();
    let is_page = !path.starts_with('/') && !name.is_empty() && !name.contains([':', '.']);
    is_page
        && [".md", ".mdx", ".md.njk"].iter().any(|ending| {
            let place = super::path::joined(page.directory(), &format!("{stem}{ending}"));
            place.is_some_and(|place| page.files.probe(&place) == PathStatus::File)
        })
}

/// True for a DOI, such as `10.1000/182`.
fn is_doi(path: &str) -> bool {
    let registrant = path.strip_prefix("10.").and_then(|rest| rest.split_once('/'));
    registrant.is_some_and(|(registrant, _)| {
        registrant.len() >= 4 && registrant.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    })
}

/// True for `package/style.css` if there is a `package.json` above, and no directory of this name.
fn names_package(context: &LinkContext<'_>, path: &str) -> bool {
    let page = context.page;
    let Some((first, _)) = path.split_once('/').filter(|(first, _)| !first.contains('.')) else {
        return false;
    };
    let has_manifest =
        |above: &Path| page.files.probe(&above.join("package.json")) == PathStatus::File;
    !first.is_empty()
        && path.ends_with(".css")
        && page.is_absent(&page.directory().join(first))
        && page.directory().ancestors().any(has_manifest)
}

/// True for `styles/a.css` in the attribute of a page beside the directory `styles`.
fn is_below_directory(context: &LinkContext<'_>, path: &str) -> bool {
    let page = context.page;
    let first = path.split_once('/').map(|(first, _)| first).unwrap_or_default();
    context.link.attribute.is_some()
        && page.facts.format().is_some_and(Format::is_page)
        && !first.is_empty()
        && super::path::joined(page.directory(), first)
            .is_some_and(|it| page.files.probe(&it) == PathStatus::Directory)
}

/// True for a link that can only name a file, not an object of a program.
fn names_file(context: &LinkContext<'_>) -> bool {
    matches!(context.link.element, Some("download" | "image" | "include"))
        || context.link.origin == LinkOrigin::SettingsFile
        || context.written.starts_with("project:")
        || context.written.starts_with("path:")
}

/// True for a MyST project, which may be one of several in its site.
fn is_of_myst(context: &LinkContext<'_>) -> bool {
    let content = context.page.site.content.iter();
    content
        .map(|content| content.join("myst.yml"))
        .any(|settings| context.page.files.probe(&settings) == PathStatus::File)
}

/// True for documents that documentation usually includes from its parent directory.
pub(in crate::audit) fn is_log(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    is_among("changelog changes contributing history news", &stem.to_ascii_lowercase())
}

/// True for a name without slashes and without the extension of a file.
fn is_name(path: &str) -> bool {
    !path.contains('/') && (!path.contains('.') || !is_among(DOCUMENTS, extension(path)))
}

const DOCUMENTS: &str =
    "md rst html htm txt ipynb png svg jpg jpeg gif pdf css js py toml yml yaml json";

fn extension(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

/// Prefixes of rustdoc's pages of items.
const ITEMS: &str = "\
    attr constant derive enum fn index keyword macro mod primitive static struct trait traitalias \
    type union all";

/// True for a Rust type to rustdoc: `Option`, `HashMap#method.new`. `LICENSE` and `COPYING` are
/// files.
fn is_type(written: &str) -> bool {
    let name = written.split('#').next().unwrap_or_default();
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.contains(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// True for `struct.Foo.html`, and for the index of a crate.
pub(super) fn is_page_of_rustdoc(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    if name == "index.html" && path != name {
        return true;
    }
    let mut parts = name.split('.');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(kind), Some(_), Some("html" | "md"), None) => is_among(ITEMS, kind),
        _ => false,
    }
}
