//! The site of documents that belong to no known generator.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::builder::{self, named_host};
use super::finder::{SiteFinder, has};
use super::memory::SiteKey;
use super::places::joined;
use super::settings;
use crate::audit::sites::{
    Profile, Repository, Site, UnresolvedLinks, WikiRule, mdbook, sphinx, wiki,
};
use crate::document::Format;

/// Returns the site of documents that belong to no known generator.
pub fn site(
    finder: &SiteFinder<'_>,
    above: &[PathBuf],
    format: Option<Format>,
    repository: Option<&Repository>,
) -> Site {
    let is_gitlab = repository.is_some_and(|repository| {
        !repository.remotes.is_empty()
            && repository.remotes.iter().all(|remote| remote.starts_with("gitlab."))
    });
    if let Some(repository) = repository.filter(|_| finder.options.profile.is_none())
        && format.is_some_and(Format::has_directives)
        && let Some(project) = project(finder, above, repository)
    {
        return project;
    }
    let profile = finder.options.profile.unwrap_or(match format {
        Some(format) if format.is_published() => Profile::Html,
        _ if is_wiki(finder, above, repository) => Profile::Wiki,
        _ if is_gitlab => Profile::Gitlab,
        _ => Profile::Github,
    });
    let mut site = Site::for_profile(profile);
    if is_gitlab && site.rules().wiki != WikiRule::None {
        site.slugs = Profile::Gitlab.rules().slugs;
    }
    match repository {
        Some(repository) => add_documentation(finder, repository, &mut site),
        // Most vaults are no checkouts.
        None => {
            let is_vault = |above: &&PathBuf| {
                let names = finder.files.names(above);
                VAULTS.iter().any(|marker| has(&names, marker)) || wiki::are_names(&names)
            };
            site.vault = above.iter().find(is_vault).cloned();
        }
    }
    let is_html = finder.options.profile.is_none_or(|profile| profile == Profile::Html);
    if format.is_some_and(Format::is_published) && is_html {
        // The root of a published site is a directory with an index page. Any directory above may
        // be it, so try all.
        let inside = above.iter().take_while(|above| {
            Some(above.as_path())
                != repository.map(|it| it.directory.parent().unwrap_or(Path::new("/")))
        });
        let mut tops = Vec::new();
        for above in inside {
            if has(&finder.files.names(above), "index.html") {
                tops.push(above.clone());
            }
        }
        tops.reverse();
        let public = |top: &PathBuf| [top.clone(), top.join("public"), top.join("static")];
        site.roots = tops.iter().flat_map(public).collect();
        site.host = named_host(site.roots.iter().cloned());
        if site.roots.is_empty()
            && let Some(repository) = repository
        {
            // Without an index page, the links show the directory.
            site.inferred = finder.memory.inferred(&repository.directory);
            let sure = site.inferred.iter().filter(|root| root.is_sufficient());
            site.roots = sure.map(|root| root.directory.clone()).collect();
        }
        // With a bundler, `/a.js` in a page may be a module or a path of its server.
        if is_bundled(finder, above, repository) {
            site.unresolved = UnresolvedLinks::Bundler;
        }
    }
    site
}

/// True for documents of a wiki: its clone, or the directory of its pages.
fn is_wiki(finder: &SiteFinder<'_>, above: &[PathBuf], repository: Option<&Repository>) -> bool {
    let top = repository.map(|it| it.directory.as_path());
    let outside = above.iter().position(|above| Some(above.as_path()) == top);
    let inside = outside.map_or(1, |at| at + 1);
    repository.is_some_and(wiki::is_clone)
        || above.iter().take(inside).any(|above| wiki::are_names(&finder.files.names(above)))
}

/// Returns the project of Sphinx that documents of reStructuredText seem to be, although its
/// settings are elsewhere, as with the builder of Symfony's documentation: the outermost directory
/// whose index has a table of contents, which only Sphinx has.
fn project(finder: &SiteFinder<'_>, above: &[PathBuf], repository: &Repository) -> Option<Site> {
    const INDEX: &str = "index.rst";
    let inside = above.iter().position(|above| *above == repository.directory)?;
    let mut inside = above.iter().take(inside + 1).rev();
    let is_project = |place: &&PathBuf| {
        has(&finder.files.names(place), INDEX)
            && finder.memory.text(&place.join(INDEX)).contains(".. toctree::")
    };
    let place = inside.find(is_project)?.clone();
    let marker = joined(&place, INDEX);
    let key = SiteKey { profile: Profile::Sphinx, above: place, marker, version: None };
    let site = finder.memory.site(&key, || builder::build(finder.files, &key));
    Some(Site::clone(&site))
}

/// Adds the documentation of a checkout, which may include documents outside it, such as a change
/// log.
fn add_documentation(finder: &SiteFinder<'_>, repository: &Repository, site: &mut Site) {
    for conf in sphinx::CONFS.map(|conf| joined(&repository.directory, conf)) {
        let settings = finder.memory.text(&conf);
        if settings.is_empty() {
            continue;
        }
        site.documentation = conf.parent().map(|docs| {
            let content = vec![docs.to_path_buf()];
            Arc::new(Site { content, ..Site::for_profile(Profile::Sphinx) })
        });
        site.schemes.extend(sphinx::schemes(&settings));
        site.schemes.extend(sphinx::RULES.schemes.iter().map(|&it| it.to_owned()));
    }
}

/// Returns the book of a checkout. A tool may copy documents beside the book into it.
pub fn book(finder: &SiteFinder<'_>, above: &[PathBuf], own: Option<&Path>) -> Option<Site> {
    let inside = above.iter().position(|above| Some(above.as_path()) == own)?;
    let mut above = above.iter().take(inside + 1);
    let book = above.find_map(|above| {
        let names = finder.files.names(above);
        mdbook::BOOKS.iter().find_map(|place| finder.marker(above, place, &names))
    })?;
    let content = settings::value(&finder.memory.text(&book), &["src"]);
    let content = content.unwrap_or_else(|| "src".to_owned());
    let content = vec![joined(book.parent()?, &content)];
    Some(Site { content, ..Site::for_profile(Profile::Mdbook) })
}

/// True if settings of a bundler are in a directory above, within the same package.
fn is_bundled(finder: &SiteFinder<'_>, above: &[PathBuf], repository: Option<&Repository>) -> bool {
    let own = repository.map(|repository| repository.directory.as_path());
    for above in above {
        let names = finder.files.names(above);
        if names.iter().any(|name| BUNDLERS.iter().any(|it| name.starts_with(it))) {
            return true;
        }
        if has(&names, "package.json") || own == Some(above.as_path()) {
            break;
        }
    }
    false
}

/// Files and directories that show that a tree uses wikilinks.
pub(in crate::audit) const VAULTS: [&str; 5] =
    [".obsidian", ".foam", ".logseq", "dendron.yml", "quartz.config.ts"];

/// Start of the names of bundler settings.
const BUNDLERS: [&str; 11] = [
    "astro.config.",
    "docusaurus.config.",
    "next.config.",
    "nuxt.config.",
    "parcel.config.",
    "rollup.config.",
    "rsbuild.config.",
    "rspack.config.",
    "svelte.config.",
    "vite.config.",
    "webpack.config.",
];
