//! Settings of generators that are there but can't be read: [`UnreadSettings`].
//!
//! Without them, an audit would judge links by other rules, and say nothing. A hostile tree may have
//! a link to `/dev/zero` in their place, or gigabytes of comments.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::places::LARGEST;
use super::tree_bounds::is_beside_in_tree;
use crate::audit::sites::Profile;
use crate::search::describe;
use crate::threads::lock;

/// Most files that are kept; more say nothing new.
const MAX_FILES: usize = 32;

/// Settings that no marker names.
const OTHERS: [&str; 4] = ["_redirects", "netlify.toml", "vercel.json", "mint.json"];

/// Endings of files that are settings if a marker names them. `docs.json` and `index.md` may be
/// anything else.
const ENDINGS: [&str; 9] = [".yml", ".yaml", ".toml", ".py", ".js", ".mjs", ".cjs", ".ts", ".mts"];

/// The files, with the reason for each.
#[derive(Debug, Default)]
pub struct UnreadSettings(Mutex<BTreeMap<PathBuf, String>>);

impl UnreadSettings {
    /// Adds the settings in a directory with these names.
    pub fn look(&self, directory: &Path, names: &[String]) {
        for name in names.iter().filter(|name| is_of_settings(name)) {
            let path = directory.join(name);
            if let Some(reason) = fault(&path) {
                let mut files = lock(&self.0);
                if files.len() < MAX_FILES {
                    files.insert(path, reason);
                }
            }
        }
    }

    /// Returns the files and reasons, sorted by path.
    pub fn take(&self) -> BTreeMap<PathBuf, String> {
        std::mem::take(&mut lock(&self.0))
    }
}

fn is_of_settings(name: &str) -> bool {
    // Programs of any kind have `config.toml`, and it may be a link to anywhere.
    if name.starts_with("config.") {
        return false;
    }
    let is_marker = |marker: &str| {
        let file = marker.split('#').next().unwrap_or_default();
        match file.strip_suffix('*') {
            Some(start) => !start.contains('/') && name.starts_with(start),
            None => file == name,
        }
    };
    let mut markers = Profile::ALL.iter().flat_map(|profile| profile.rules().markers);
    OTHERS.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending)) && markers.any(|it| is_marker(it))
}

/// Returns the reason why a file can't be read.
fn fault(path: &Path) -> Option<String> {
    match fs::metadata(path) {
        // A link to nothing, as in tests and on machines of others, is no file.
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => Some(describe(&error)),
        Ok(found) if found.is_dir() => None,
        Ok(found) if !found.is_file() => Some("not a regular file".to_owned()),
        Ok(found) if found.len() > LARGEST => Some(format!("larger than {} MiB", LARGEST >> 20)),
        Ok(_) if !is_beside_in_tree(path) => Some("a link that leads out of the tree".to_owned()),
        Ok(_) => File::open(path).err().map(|error| describe(&error)),
    }
}
