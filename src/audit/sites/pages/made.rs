//! Addresses of pages without a document, which the settings of a site name.

use crate::audit::sites::discovery::{DirectoryLister, text, values};
use crate::audit::sites::{Profile, Site};

/// Returns the addresses that the settings give to pages without a document.
pub(super) fn addresses(site: &Site, files: &dyn DirectoryLister) -> Vec<String> {
    match site.profile {
        Profile::Docusaurus => of_sidebars(site, files),
        Profile::Astro => of_integrations(site),
        _ => Vec::new(),
    }
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
        let names = files.names(root);
        let is_sidebar = |name: &&String| {
            name.to_lowercase().contains("sidebar") && ENDINGS.iter().any(|it| name.ends_with(it))
        };
        for name in names.iter().filter(is_sidebar) {
            let settings = text(&root.join(name));
            for slug in values(&settings, "slug") {
                found.extend(routes.iter().map(|it| format!("{it}/{}", slug.trim_matches('/'))));
            }
        }
    }
    found
}

/// Returns the routes of integrations in the settings of Astro: `route: "dashboard"`.
fn of_integrations(site: &Site) -> Vec<String> {
    const NAMES: [&str; 3] = ["astro.config.mjs", "astro.config.ts", "astro.config.js"];
    let directories = site.roots.iter().flat_map(|root| [root.clone(), root.join("..")]);
    let texts = directories.flat_map(|it| NAMES.map(|name| text(&it.join(name))));
    texts.flat_map(|settings| values(&settings, "route")).collect()
}
