//! Addresses of pages without a document, which the settings of a site name.

use std::path::PathBuf;

use super::redirects::around_roots;
use crate::audit::sites::discovery::{DirectoryLister, NamedKind, text, value, values};
use crate::audit::sites::{Profile, Site};
use crate::slice::SliceExt as _;

/// Returns the addresses that the settings give to pages without a document.
pub(super) fn addresses(site: &Site, files: &dyn DirectoryLister) -> Vec<String> {
    match site.profile {
        Profile::Docusaurus => {
            let mut found = of_sidebars(site, files);
            found.extend(of_plugins(site, files));
            found
        }
        Profile::Astro => of_integrations(site),
        Profile::Jekyll => kept(site),
        _ => Vec::new(),
    }
}

/// Returns the files of the output that a build of Jekyll keeps, because other programs make them:
/// `keep_files: [javadoc]` (Jekyll, "Configuration Options").
fn kept(site: &Site) -> Vec<String> {
    let named = values(&text(&site.settings), "keep_files").into_iter();
    let named = named.filter(|it| !it.starts_with('.')).take(MAX_READ);
    named.flat_map(|it| [format!("{}{BELOW}", it.trim_end_matches('/')), it]).collect()
}

/// Returns the slugs of categories in `sidebars.js`, and in files of such a name that it imports:
/// `link: { type: "generated-index", slug: "/guides" }` (Docusaurus, "Generated index pages"). They
/// start at the route of the documents.
fn of_sidebars(site: &Site, files: &dyn DirectoryLister) -> Vec<String> {
    const ENDINGS: [&str; 6] = [".js", ".ts", ".mjs", ".cjs", ".mts", ".json"];
    let mut routes: Vec<String> = vec![String::new(), "docs".to_owned()];
    routes.extend(site.mounts.iter().filter_map(|it| Some(it.target.to_str()?.to_owned())));
    routes.sort_unstable();
    routes.dedup();
    let mut found = Vec::new();
    for root in &site.roots {
        if found.len() >= MAX_OF_SIDEBARS {
            break;
        }
        let names = files.names(root);
        let is_sidebar = |name: &&String| {
            name.to_lowercase().contains("sidebar") && ENDINGS.iter().any(|it| name.ends_with(it))
        };
        for name in names.iter().filter(is_sidebar).take(MAX_SIDEBARS) {
            let settings = text(&root.join(name));
            for slug in values(&settings, "slug") {
                // A site may have hundreds of routes, and a file of settings as many thousand
                // slugs.
                let left = MAX_OF_SIDEBARS.saturating_sub(found.len());
                let slug = slug.trim_matches('/');
                found.extend(routes.iter().take(left).map(|it| format!("{it}/{slug}")));
            }
        }
    }
    found
}

/// Most files of sidebars in a directory. Links may lead to one file under many names.
const MAX_SIDEBARS: usize = 64;
/// Most addresses of all slugs in sidebars, and of all routes of integrations.
const MAX_OF_SIDEBARS: usize = 100_000;

/// Directories in which a site of Docusaurus usually has plugins of its own.
const PLUGINS: [&str; 3] = ["plugins", "src/plugins", "packages"];
/// Largest number of directories and of programs that are read.
const MAX_READ: usize = 300;
/// Ends an address below which a plugin makes pages.
pub(super) const BELOW: &str = "/*";

/// Returns the routes that the settings give to presets and plugins, `route: "/api/"`, and those
/// that plugins of the site add: `addRoute({ path: "/plugins" })` (Docusaurus, "Plugin method
/// references"). One that starts with a fixed part, `/plugins/${name}`, ends with [`BELOW`].
fn of_plugins(site: &Site, files: &dyn DirectoryLister) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = Vec::new();
    for root in &site.roots {
        let is_settings = |name: &&String| name.starts_with("docusaurus.config.");
        let names = files.names(root);
        let Some(settings) = names.iter().find(is_settings) else { continue };
        found.extend(values(&text(&root.join(settings)), "route"));
        pending.extend(PLUGINS.iter().map(|it| root.join(it)));
    }
    let mut read = 0;
    while let Some(directory) = pending.pop() {
        for (name, kind) in files.entries(&directory) {
            if read >= MAX_READ {
                return found;
            }
            let is_program = [".js", ".cjs", ".mjs", ".ts"].iter().any(|end| name.ends_with(end));
            match kind {
                NamedKind::Directory if name != "node_modules" && !name.starts_with('.') => {
                    read += 1;
                    pending.push(directory.join(&name));
                }
                NamedKind::File if is_program => {
                    read += 1;
                    found.extend(routes(&text(&directory.join(&name))));
                }
                _ => {}
            }
        }
    }
    found
}

/// Returns the routes that a program adds.
fn routes(program: &str) -> Vec<String> {
    /// Bytes of a call in which its path is.
    const MAX_CALL_BYTES: usize = 300;
    let calls = program.split("addRoute(").skip(1);
    let paths = calls.filter_map(|call| {
        let (_, rest) =
            call.split_once("path:").filter(|(before, _)| before.len() < MAX_CALL_BYTES)?;
        let rest = rest.trim_start();
        let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\'' | '`'))?;
        let path = rest.clamped(1..).split(mark).next()?;
        let route = match path.split_once("${").filter(|_| mark == '`') {
            None => path.to_owned(),
            Some((start, _)) => format!("{}{BELOW}", start.strip_suffix('/')?),
        };
        (route.starts_with('/') && !route.starts_with(BELOW)).then_some(route)
    });
    paths.collect()
}

/// Returns the routes of integrations in the settings of Astro: `route: "dashboard"`.
fn of_integrations(site: &Site) -> Vec<String> {
    const NAMES: [&str; 3] = ["astro.config.mjs", "astro.config.ts", "astro.config.js"];
    let directories = around_roots(site).into_iter();
    let texts = directories.flat_map(|it| NAMES.map(|name| text(&it.join(name))));
    let of = |settings: String| {
        // The lists of posts, and of their authors and tags (starlight-blog, "Configuration").
        let prefix = settings
            .contains("starlight-blog")
            .then(|| value(&settings, &["prefix"]).unwrap_or_else(|| "blog".to_owned()));
        let lists = prefix.into_iter().flat_map(|it| {
            [it.clone(), format!("{it}/authors{BELOW}"), format!("{it}/tags{BELOW}")]
        });
        lists.chain(values(&settings, "route")).collect::<Vec<_>>()
    };
    texts.flat_map(of).take(MAX_OF_SIDEBARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_of_plugins() {
        let program = "addRoute({\n  path: `/plugins/${a}`, x: 1 });\naddRoute({ path: '/plugins' });\n\
            addRoute({ path: `${base}b` }); addRoute({ path: `/${c}` }); addRoute(route)";
        assert_eq!(routes(program), ["/plugins/*", "/plugins"]);
    }
}
