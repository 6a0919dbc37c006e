//! Directories into which plugins of a site write pages.

use std::sync::Arc;

use super::settings::values;
use crate::audit::sites::mounts::Mount;
use crate::audit::sites::rules::InterfaceKeys;
use crate::audit::sites::site::WrittenDirectory;

/// Maximum number of plugin directories that links are compared with.
const MAX_WRITTEN: usize = 64;

/// Returns the directories into which plugins write pages, such as those that describe an API.
pub fn written(
    program: &str,
    interfaces: Vec<String>,
    mounts: &[Mount],
) -> Arc<[WrittenDirectory]> {
    let directories = values(program, "outputDir")
        .into_iter()
        .chain(interfaces)
        .map(|directory| directory.trim_start_matches("./").trim_end_matches('/').to_owned());
    let directories = directories.filter(|directory| !directory.is_empty()).take(MAX_WRITTEN);
    directories
        .map(|directory| {
            let mount = mounts.iter().find(|mount| mount.source.ends_with(&directory));
            WrittenDirectory { target: mount.map(|mount| mount.target.clone()), directory }
        })
        .collect()
}

/// Returns the directories of the pages that are generated from descriptions of interfaces.
pub fn interfaces(keys: Option<InterfaceKeys>, settings: &str) -> Vec<String> {
    let Some(keys) = keys else { return Vec::new() };
    if !keys.sources.iter().any(|key| settings.contains(&format!("\"{key}\""))) {
        return Vec::new();
    }
    let mut directories = values(settings, keys.directory);
    directories.push(keys.default.to_owned());
    directories
}
