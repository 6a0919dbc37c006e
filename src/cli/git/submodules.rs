//! Checkouts of other repositories that a checkout names: [`submodules`], and [`removed_submodules`].

use std::path::{Component, Path, PathBuf};

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
    // Without its own `.git`, git would take the directory for a part of the outer checkout and
    // answer for that.
    let is_fetched = |path: &PathBuf| top.join(path).join(".git").exists();
    let fetched = entries.filter_map(name).filter(is_fetched);
    fetched.map(|path| Ok(Submodule { commit: stored(top, tree, &path)?, path })).collect()
}

/// A submodule of a tree that the checkout no longer has.
#[derive(Debug)]
pub struct RemovedSubmodule {
    /// Its path below the top of the outer checkout.
    pub path: PathBuf,
    pub commit: String,
    /// The directory in which git keeps its objects, if there is one.
    pub repository: Option<PathBuf>,
}

/// Returns the submodules of a tree that were removed since. Git keeps their objects in its own directory.
///
/// # Errors
/// If git fails.
pub fn removed_submodules(top: &Path, tree: &str) -> Result<Vec<RemovedSubmodule>, String> {
    let settings = format!("{tree}:.gitmodules");
    let asked =
        ["config", "--null", "--blob", &settings, "--get-regexp", "^submodule\\..*\\.path$"];
    // It fails if the tree has no such file.
    let Ok(listed) = git(top, &asked) else { return Ok(Vec::new()) };
    let mut removed = Vec::new();
    for setting in listed.split(|byte| *byte == 0) {
        let Some(end) = memchr(b'\n', setting) else { continue };
        let (key, path) = (&setting[..end], path_of(&setting[end + 1..]));
        // The tree may be by strangers: no path leads out of it, and no name out of the directory of git.
        let is_inside =
            |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside(&path) {
            continue;
        }
        if top.join(&path).join(".git").exists() {
            continue;
        }
        let Some(commit) = stored(top, tree, &path)? else { continue };
        let name = key.strip_prefix(b"submodule.").and_then(|key| key.strip_suffix(b".path"));
        let name = path_of(name.unwrap_or_default());
        let kept = is_inside(&name).then(|| kept(top, &name)).flatten();
        removed.push(RemovedSubmodule { path, commit, repository: kept });
    }
    Ok(removed)
}

fn kept(top: &Path, name: &Path) -> Option<PathBuf> {
    let name = Path::new("modules").join(name);
    let mut asked = command(top).ok()?;
    asked.args(["rev-parse", "--path-format=absolute", "--git-path"]).arg(name);
    let path = printed(&mut asked).ok()?;
    Some(path_of(path.trim_ascii_end())).filter(|path| path.join("objects").is_dir())
}

/// Returns the commit that a tree names for a submodule.
fn stored(top: &Path, tree: &str, submodule: &Path) -> Result<Option<String>, String> {
    let listed = printed(command(top)?.args(["ls-tree", "-z", tree, "--"]).arg(submodule))?;
    let commit = listed.strip_prefix(MODE).and_then(|entry| entry.strip_prefix(b"commit "));
    let id = commit.and_then(|entry| entry.split(|byte| *byte == b'\t').next());
    Ok(id.map(|id| String::from_utf8_lossy(id).into_owned()))
}
