//! Checkouts of other repositories that a checkout names: [`submodules`].

use std::path::{Path, PathBuf};

use memchr::memchr;

use super::{command, git, path_of, printed};

/// The mode of an entry that is a commit of another repository.
const MODE: &[u8] = b"160000 ";

/// Returns the paths of the submodules of a checkout, below its top. One that was not fetched has no files.
///
/// # Errors
/// If git fails.
pub fn submodules(top: &Path) -> Result<Vec<PathBuf>, String> {
    if !top.join(".gitmodules").is_file() {
        return Ok(Vec::new());
    }
    let listed = git(top, &["ls-files", "--stage", "-z"])?;
    let entries = listed.split(|byte| *byte == 0).filter(|entry| entry.starts_with(MODE));
    let name = |entry: &[u8]| memchr(b'\t', entry).map(|tab| path_of(&entry[tab + 1..]));
    let is_fetched = |path: &PathBuf| top.join(path).join(".git").exists();
    Ok(entries.filter_map(name).filter(is_fetched).collect())
}

/// Returns the commit that a tree names for a submodule.
///
/// # Errors
/// If git fails.
pub fn stored(top: &Path, tree: &str, submodule: &Path) -> Result<Option<String>, String> {
    let listed = printed(command(top).args(["ls-tree", "-z", tree, "--"]).arg(submodule))?;
    let commit = listed.strip_prefix(MODE).and_then(|entry| entry.strip_prefix(b"commit "));
    let id = commit.and_then(|entry| entry.split(|byte| *byte == b'\t').next());
    Ok(id.map(|id| String::from_utf8_lossy(id).into_owned()))
}

/// Says in which submodule something failed.
pub fn within(submodule: &Path, message: &str) -> String {
    format!("submodule {}: {message}", submodule.display())
}
