//! Makes sure that git can read what it will open.
//!
//! An untrusted tree may have a `.git` in which a link leads to `/dev/zero`, or a pipe replaces the
//! index. Git reads the first until all memory is gone, and waits for the second forever. So every
//! entry of the directory of git must be a regular file or a directory, and so must be every file
//! that its configuration names.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use urigrep::internal::paths;
use urigrep::internal::{GitDirectory, read_regular};
use urigrep::search::describe;

use super::config_file::{Variable, variables};
use super::path_of;

/// Maximum size of a link in `.git`, and of its configuration. Real ones are much shorter.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Git reads such a file as a whole, and has no limit for most of them.
pub(super) const MAX_RULES_BYTES: u64 = 16 << 20;
/// Most files of configuration that name each other.
const MAX_INCLUDED: usize = 32;
/// File systems whose files are without end, or act when they are read.
const DEVICES: [&str; 3] = ["/dev", "/proc", "/sys"];

/// Git directories in which everything can be read. A language server asks at each change of a
/// document.
static VETTED: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Checks all files that git may read of the repository that contains a directory.
///
/// # Errors
/// If git must not read something; the message has its path.
pub fn vetted(directory: &Path) -> Result<(), String> {
    for directory in paths::absolute(directory).ancestors() {
        // On its way up, git reads `HEAD` in each directory, to see whether it is a bare
        // repository, and all of `commondir` if there is one.
        regular(&directory.join("HEAD"))?;
        if ["HEAD", "commondir"].iter().all(|name| directory.join(name).exists()) {
            return Err(refused(directory, "a directory that belongs to a repository elsewhere"));
        }
        for git in repositories(directory) {
            if VETTED.lock().unwrap_or_else(PoisonError::into_inner).contains(&git) {
                return Ok(());
            }
            // Git skips a `.git` that is not a git directory, such as an empty one.
            let repository = of_repository(directory, &git)?;
            if repository.is_one {
                let real = |path: &Path| fs::canonicalize(path).ok();
                if repository.trees.iter().any(|tree| real(tree) != real(directory)) {
                    // Git would go through all of that one, which may be `/`.
                    return Err(refused(&git, "its work tree is elsewhere"));
                }
                // Only after everything was checked: a refusal must be repeated for the next
                // command.
                VETTED.lock().unwrap_or_else(PoisonError::into_inner).insert(git);
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Checks all files that git may read of a repository, given its git directory.
///
/// # Errors
/// If git must not read something; the message has its path.
pub fn vetted_repository(git: &Path) -> Result<(), String> {
    of_repository(git, git).map(drop)
}

/// Result of checking a repository.
struct VettedRepository {
    /// Git treats it as a repository.
    is_one: bool,
    /// The work trees that its configuration names.
    trees: Vec<PathBuf>,
}

/// Checks all files that git may read of a repository.
fn of_repository(tree: &Path, git: &Path) -> Result<VettedRepository, String> {
    let GitDirectory { own, common } = if git == tree {
        GitDirectory { own: git.to_owned(), common: git.to_owned() }
    } else {
        let found = GitDirectory::find(tree);
        match found.map_err(|it| refused(&it.file, &describe(&it.error)))? {
            Some(directories) => directories,
            // Git ignores a `.git` that is not a repository.
            None => return Ok(VettedRepository { is_one: false, trees: Vec::new() }),
        }
    };
    let is_one =
        has_head(&own) && ["objects", "refs"].iter().all(|name| common.join(name).is_dir());
    let mut directories = vec![own.clone()];
    if common != own {
        directories.push(common.clone());
    }
    let mut trees = configuration(&own.join("config.worktree"), tree)?.trees;
    for directory in &directories {
        entries(directory)?;
        alternates(&directory.join("objects"))?;
        let configuration = configuration(&directory.join("config"), tree)?;
        // A linked work tree shares this file, but not that value of it.
        if own == common || configuration.is_of_each_tree {
            trees.extend(configuration.trees);
        }
    }
    if is_one && git != tree {
        rules(tree)?;
    }
    Ok(VettedRepository { is_one, trees })
}

/// True if a directory of git has a `HEAD` that git accepts. Otherwise it continues to the
/// directories above.
fn has_head(git: &Path) -> bool {
    let head = git.join("HEAD");
    let (bytes, is_link) = match fs::read_link(&head) {
        Ok(target) => (target.into_os_string().into_encoded_bytes(), true),
        Err(_) => (read_regular(&head, MAX_FILE_BYTES).unwrap_or_default(), false),
    };
    let name = match bytes.strip_prefix(b"ref:") {
        _ if is_link => &bytes,
        Some(name) => name.trim_ascii_start(),
        // A detached `HEAD` holds the name of a commit.
        None => return bytes.get(..40).is_some_and(|id| id.iter().all(u8::is_ascii_hexdigit)),
    };
    name.starts_with(b"refs/")
}

/// Looks at the files that git reads in each directory of a work tree. They are few, but any may
/// wait.
fn rules(top: &Path) -> Result<(), String> {
    const NAMES: [&str; 4] = [".gitattributes", ".gitignore", ".gitmodules", ".mailmap"];
    let mut pending = vec![top.to_owned()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            if kind.is_dir() {
                if name != ".git" {
                    pending.push(entry.path());
                }
                continue;
            }
            if !NAMES.iter().any(|rules| name == *rules) {
                continue;
            }
            let path = entry.path();
            regular(&path)?;
            if fs::metadata(&path).is_ok_and(|it| it.is_file() && it.len() > MAX_RULES_BYTES) {
                return Err(refused(&path, &format!("larger than {MAX_RULES_BYTES} bytes")));
            }
        }
    }
    Ok(())
}

/// Returns the paths that git may take for a git directory: `.git`, or a bare repository itself.
fn repositories(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let git = directory.join(".git");
    let git = fs::symlink_metadata(&git).is_ok().then_some(git);
    let is_bare = ["HEAD", "objects", "refs"].iter().all(|name| directory.join(name).exists());
    git.into_iter().chain(is_bare.then(|| directory.to_owned()))
}

/// Looks at every entry below a directory of git.
fn entries(top: &Path) -> Result<(), String> {
    let mut pending = vec![top.to_owned()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_file() => {}
                // The repositories of submodules are looked at when git is run in them.
                Ok(kind) if kind.is_dir() => {
                    if directory != top || entry.file_name() != "modules" {
                        pending.push(path);
                    }
                }
                Ok(kind) if kind.is_symlink() => {
                    if regular(&path)? && path.is_dir() && !is_shared(&path) {
                        return Err(refused(&path, "a link that leads out of the repository"));
                    }
                }
                _ => return Err(refused(&path, "not a regular file")),
            }
        }
    }
    Ok(())
}

/// True for a link into another repository: some tools share the directories of one.
fn is_shared(link: &Path) -> bool {
    let Ok(real) = fs::canonicalize(link) else { return false };
    real.components().any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name.ends_with(".git") || name.ends_with(".repo")
    })
}

/// Settings of work trees in a configuration file.
#[derive(Default)]
struct Configuration {
    trees: Vec<PathBuf>,
    /// Each linked work tree has its own file in addition, and then git also reads the files that
    /// this one names.
    is_of_each_tree: bool,
}

/// Checks the files that the values in a configuration file name, and the files that it includes.
fn configuration(file: &Path, tree: &Path) -> Result<Configuration, String> {
    let mut pending = vec![file.to_owned()];
    let (mut seen, mut found) = (HashSet::new(), Configuration::default());
    while let Some(file) = pending.pop() {
        if fs::symlink_metadata(&file).is_err() || !seen.insert(file.clone()) {
            continue;
        }
        if seen.len() > MAX_INCLUDED {
            return Err(refused(&file, "too many files of configuration include each other"));
        }
        for Variable { section, name, value } in variables(&read(&file)?) {
            match (section.as_str(), name.as_str()) {
                ("core", "worktree") => {
                    found.trees.push(paths::parent(&file).join(path_of(&value)))
                }
                ("extensions", "worktreeconfig") => found.is_of_each_tree = true,
                _ => {}
            }
            // A file with this prefix may be missing (git-config(1), "pathname").
            let value = value.strip_prefix(b":(optional)").unwrap_or(&value);
            if value.is_empty() {
                continue;
            }
            let value = match (value.strip_prefix(b"~/"), std::env::home_dir()) {
                (Some(below), Some(home)) => home.join(path_of(below)),
                _ => path_of(value),
            };
            // git resolves some values against the file and some against the work tree. Which value
            // names a file is not known here, so both are looked at.
            let beside = paths::parent(&file).join(&value);
            for path in [&beside, &tree.join(&value)] {
                regular(path)?;
            }
            let is_unknown = || ["~", "%(prefix)"].iter().any(|it| starts_with(&value, it));
            if ["path", "file"].iter().any(|it| name.ends_with(it)) && is_unknown() {
                return Err(refused(&file, "a path in it is known to git only"));
            }
            if matches!(section.as_str(), "include" | "includeif")
                && name == "path"
                && beside.is_file()
            {
                pending.push(beside);
            }
        }
    }
    Ok(found)
}

fn starts_with(path: &Path, prefix: &str) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(prefix.as_bytes())
}

/// Looks at the directories whose objects a repository borrows (gitrepository-layout,
/// `info/alternates`).
fn alternates(objects: &Path) -> Result<(), String> {
    let mut pending = vec![objects.to_owned()];
    let mut seen = HashSet::new();
    while let Some(objects) = pending.pop() {
        if !seen.insert(objects.clone()) {
            continue;
        }
        let file = objects.join("info/alternates");
        if seen.len() > MAX_INCLUDED {
            return Err(refused(&file, "too many repositories borrow objects from each other"));
        }
        if fs::symlink_metadata(&file).is_err() {
            continue;
        }
        for line in read(&file)?.split(|byte| *byte == b'\n') {
            match line.first() {
                None | Some(b'#') => {}
                Some(b'"') => return Err(refused(&file, "a name in quotation marks")),
                Some(_) => {
                    let other = objects.join(path_of(line));
                    entries(&other)?;
                    pending.push(other);
                }
            }
        }
    }
    Ok(())
}

/// True for an existing regular file or directory.
fn regular(path: &Path) -> Result<bool, String> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(false) };
    // `core.excludesFile = /dev/null` switches a setting off.
    if path == Path::new("/dev/null") {
        return Ok(true);
    }
    let is_device = || {
        // A link may lead through others; only the last name shows where it ends.
        let real = fs::canonicalize(path).unwrap_or_default();
        DEVICES.iter().any(|device| real.starts_with(device))
    };
    if (metadata.is_file() || metadata.is_dir()) && !is_device() {
        Ok(true)
    } else {
        Err(refused(path, "not a regular file"))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    read_regular(path, MAX_FILE_BYTES).map_err(|error| refused(path, &describe(&error)))
}

fn refused(path: &Path, why: &str) -> String {
    format!("git was not run: {}: {why}", path.display())
}
