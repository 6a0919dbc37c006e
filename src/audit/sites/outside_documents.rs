//! Addresses that a site publishes besides its documents: redirects of a template, other versions,
//! and files of a theme.

use std::path::{Path, PathBuf};

use super::Site;

/// Maximum number of names of an address that are looked up in a template of redirects.
const MAX_REDIRECTED: usize = 8;

impl Site {
    /// True for an address that the redirect template may contain: one of its lines starts with a
    /// directory around the address, or it has the first `missing` directory in quotation marks.
    pub(in crate::audit) fn may_redirect(&self, path: &str, missing: impl Fn() -> String) -> bool {
        if self.redirecting.is_empty() {
            return false;
        }
        let inside = path.strip_prefix(self.base.as_str()).unwrap_or(path).trim_matches('/');
        let whole = format!("\n/{inside} ");
        let mut around = String::from("\n");
        let is_below = inside.split('/').take(MAX_REDIRECTED).any(|name| {
            around.push('/');
            around.push_str(name);
            ["/*", "/:"].iter().any(|end| self.redirecting.contains(&format!("{around}{end}")))
        });
        is_below
            || self.redirecting.contains(&whole)
            || self.redirecting.contains(&format!("\"{}\"", missing()))
    }

    /// Returns the places of an address in all versions of the documentation. Their pages may or
    /// may not be below the name of their content.
    pub(in crate::audit) fn in_versions(&self, inside: &Path) -> impl Iterator<Item = PathBuf> {
        self.mounts.iter().flat_map(move |mount| {
            let around = mount.target.parent().unwrap_or(Path::new(""));
            let below = inside.strip_prefix(around).unwrap_or(inside);
            [mount.source.join(inside), mount.source.join(below)]
        })
    }

    /// True for a file that the theme of the site may have.
    pub(in crate::audit) fn is_of_theme(&self, path: &Path) -> bool {
        let directories = self.rules().theme.map_or(&[][..], |theme| theme.directories);
        self.has_theme
            && self.below(path).any(|below| directories.iter().any(|it| below.starts_with(it)))
    }
}
