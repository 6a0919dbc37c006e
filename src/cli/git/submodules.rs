//! Checkouts of other repositories that a checkout names: [`submodules`].

use std::path::{Path, PathBuf};

use memchr::memchr;

use super::{command, git, path_of, printed};

/// The mode of an entry that is a commit of another repository.
const MODE: &[u8] = b"160000 ";

/// A checkout inside of another one.
#[derive(Debug)]
pub struct Submodule {
    /// Its path below the top of the outer one.
    pub path: PathBuf,
    /// The commit that a tree of the outer one names; `None` if it is newer than that tree.
    pub commit: Option<String>,
}

impl Submodule {
    /// Says that something failed in it.
    pub fn failed(&self, message: &str) -> String {
        format!("submodule {}: {message}", self.path.display())
    }
}

/// Returns the submodules of a checkout, with their commits in a tree. One that was not fetched has no files.
///
/// # Errors
/// If git fails.
pub fn submodules(top: &Path, tree: &str) -> Result<Vec<Submodule>, String> {
    if !top.join(".gitmodules").is_file() {
        return Ok(Vec::new());
    }
    let listed = git(top, &["ls-files", "--stage", "-z"])?;
    let entries = listed.split(|byte| *byte == 0).filter(|entry| entry.starts_with(MODE));
    let name = |entry: &[u8]| memchr(b'\t', entry).map(|tab| path_of(&entry[tab + 1..]));
    let is_fetched = |path: &PathBuf| top.join(path).join(".git").exists();
    let fetched = entries.filter_map(name).filter(is_fetched);
    fetched.map(|path| Ok(Submodule { commit: stored(top, tree, &path)?, path })).collect()
}

/// Returns the commit that a tree names for a submodule.
fn stored(top: &Path, tree: &str, submodule: &Path) -> Result<Option<String>, String> {
    let listed = printed(command(top).args(["ls-tree", "-z", tree, "--"]).arg(submodule))?;
    let commit = listed.strip_prefix(MODE).and_then(|entry| entry.strip_prefix(b"commit "));
    let id = commit.and_then(|entry| entry.split(|byte| *byte == b'\t').next());
    Ok(id.map(|id| String::from_utf8_lossy(id).into_owned()))
}
