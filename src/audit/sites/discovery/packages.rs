//! Reads the packages of JavaScript in a checkout: [`major_version`], [`homepage`].

use std::path::Path;

use super::places::text;
use super::settings::value;
use crate::audit::paths;
use crate::audit::sites::site::{base_path, host_of};

/// Maximum number of directories from the settings of a site up to its package.
const MAX_ABOVE: usize = 4;

/// Returns the major version of a package that the nearest `package.json` names, or the catalogue
/// of pnpm to which that refers.
pub fn major_version(directory: &Path, package: &str) -> Option<u32> {
    nearest(directory, |above| {
        let files = ["package.json", "pnpm-workspace.yaml"].map(|name| text(&above.join(name)));
        files.iter().find_map(|text| version(text, package))
    })
}

/// Returns the host of the `homepage` that the nearest `package.json` names, if it has the path of
/// the site. A homepage on a forge is a repository, and not the site of the checkout.
pub fn homepage(directory: &Path, base: Option<&str>) -> Option<String> {
    const OF_OTHERS: [&str; 5] =
        ["bitbucket.org", "codeberg.org", "github.com", "gitlab.com", "npmjs.com"];
    let address = nearest(directory, |above| {
        let manifest = text(&above.join("package.json"));
        value(&manifest, &["homepage"])
    })?;
    let is_at_base = base_path(&address) == base_path(base.unwrap_or_default());
    let host = host_of(&address).filter(|_| is_at_base)?;
    let name = host.strip_prefix("www.").unwrap_or(&host);
    (!OF_OTHERS.contains(&name)).then_some(host)
}

/// Returns the answer of the nearest directory above, up to the root of the checkout, that has one.
fn nearest<T>(directory: &Path, answer: impl Fn(&Path) -> Option<T>) -> Option<T> {
    let directory = paths::absolute(directory);
    for above in directory.ancestors().take(MAX_ABOVE) {
        if let Some(found) = answer(above) {
            return Some(found);
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}

/// Returns the major version after the name of a package, in JSON or YAML.
fn version(text: &str, package: &str) -> Option<u32> {
    const QUOTES: [char; 2] = ['"', '\''];
    text.lines().find_map(|line| {
        let rest = line.trim().trim_start_matches(QUOTES).strip_prefix(package)?;
        let version = rest.trim_start_matches(QUOTES).trim_start().strip_prefix(':')?;
        let version =
            version.trim().trim_start_matches(QUOTES).trim_start_matches(['^', '~', '=', 'v']);
        version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for text in ["\"a\": \"^2.0.0-alpha.1\",", "  a: ~2.1", "'a': 2.x", "\"a\":\"2\"}"] {
            assert_eq!(version(text, "a"), Some(2), "{text}");
        }
        for text in ["\"a\": \"catalog:docs\"", "\"ab\": \"2\"", "\"a\": \"a dev\"", "\"a\": \"*\""]
        {
            assert_eq!(version(text, "a"), None, "{text}");
        }
    }
}
