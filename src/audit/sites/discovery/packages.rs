//! Versions of packages of JavaScript that a checkout names: [`major_version`].

use std::path::Path;

use super::places::text;
use crate::audit::paths;

/// How far above the settings of a site its package may be.
const MOST_ABOVE: usize = 4;

/// Returns the major version of a package that the nearest `package.json` names, or the catalogue of
/// pnpm to which that refers.
pub fn major_version(directory: &Path, package: &str) -> Option<u32> {
    let directory = paths::absolute(directory);
    for above in directory.ancestors().take(MOST_ABOVE) {
        let files = ["package.json", "pnpm-workspace.yaml"].map(|name| text(&above.join(name)));
        if let Some(version) = files.iter().find_map(|text| version(text, package)) {
            return Some(version);
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}

/// Returns the major version behind the name of a package, in JSON or YAML.
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
