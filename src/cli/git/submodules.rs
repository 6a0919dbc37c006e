//! Checkouts of other repositories that a checkout names: [`submodules`], and
//! [`removed_submodules`].

use std::fs;
use std::path::{Component, Path, PathBuf};

use memchr::memchr;
use urigrep::internal::GitDirectory;
use urigrep::internal::paths;

use super::vetted::MAX_RULES_BYTES;
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

/// Returns the submodules of a checkout, with their commits in a tree. One that was not fetched has
/// no files.
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
    let fetched = entries.filter_map(name).filter(|path| is_fetched(top, path));
    fetched.map(|path| Ok(Submodule { commit: stored(top, tree, &path)?, path })).collect()
}

/// True if a submodule has a checkout at this path below a directory.
///
/// Where the tree has a link at that path, or a `.git` that names another repository, git would
/// answer for one that has nothing to do with this tree. Without any `.git`, it would answer for
/// the outer checkout.
pub fn is_fetched(directory: &Path, path: &Path) -> bool {
    let mut submodule = directory.to_owned();
    for part in path.components() {
        submodule.push(part);
        let is_directory = fs::symlink_metadata(&submodule).is_ok_and(|it| it.is_dir());
        if !is_directory || !matches!(part, Component::Normal(_)) {
            return false;
        }
    }
    let own = |top: &Path| GitDirectory::find(top).ok().flatten();
    let Some(git) = own(&submodule).and_then(|it| fs::canonicalize(it.own).ok()) else {
        return false;
    };
    let outer = paths::absolute(&submodule).ancestors().skip(1).find_map(own);
    let outer = outer.map_or_else(Vec::new, |it| vec![it.own, it.common]);
    let mut places = outer.iter().map(PathBuf::as_path).chain([submodule.as_path()]);
    places.any(|place| fs::canonicalize(place).is_ok_and(|place| git.starts_with(place)))
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

/// Returns the submodules of a tree that were removed since. Git keeps their objects in its own
/// directory.
///
/// # Errors
/// If git fails.
pub fn removed_submodules(top: &Path, tree: &str) -> Result<Vec<RemovedSubmodule>, String> {
    let settings = format!("{tree}:.gitmodules");
    // Git reads all of it.
    let size = git(top, &["cat-file", "-s", &settings]).unwrap_or_default();
    let size = String::from_utf8_lossy(&size).trim().parse().unwrap_or(0);
    if size > MAX_RULES_BYTES {
        return Err(format!(
            "`.gitmodules` of that revision has more than {MAX_RULES_BYTES} bytes"
        ));
    }
    let asked =
        ["config", "--null", "--blob", &settings, "--get-regexp", "^submodule\\..*\\.path$"];
    // It fails if the tree has no such file.
    let Ok(listed) = git(top, &asked) else { return Ok(Vec::new()) };
    let mut removed = Vec::new();
    for setting in listed.split(|byte| *byte == 0) {
        let Some(end) = memchr(b'\n', setting) else { continue };
        let (key, path) = (&setting[..end], path_of(&setting[end + 1..]));
        // The tree is untrusted: no path may lead out of it, and no name out of the git directory.
        let is_inside =
            |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside(&path) {
            continue;
        }
        if is_fetched(top, &path) {
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
