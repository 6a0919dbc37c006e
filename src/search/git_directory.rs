//! Locates the directory in which git keeps the data of a work tree: [`GitDirectory`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::auxiliary::read_regular;

/// A file that names a directory is one line.
const MAX_LINK_BYTES: u64 = 4 << 10;

/// The directories of git for a work tree (gitrepository-layout). They are the same one, except in
/// a linked work tree, which has a `HEAD` of its own and shares settings and remotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitDirectory {
    /// `$GIT_DIR`: the `HEAD` and the index of this work tree.
    pub own: PathBuf,
    /// `$GIT_COMMON_DIR`: `config`, `info/exclude`, and `refs`.
    pub common: PathBuf,
}

/// A file that names a directory of git, but cannot be read.
#[derive(Debug)]
pub struct UnreadableLink {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub error: io::Error,
}

impl GitDirectory {
    /// Returns those of the work tree that has its top here; `None` if it is the top of none.
    ///
    /// # Errors
    /// If a file that names a directory is not a regular one, or is too long for that.
    pub fn find(top: &Path) -> Result<Option<Self>, UnreadableLink> {
        let entry = top.join(".git");
        let own = match fs::metadata(&entry) {
            Ok(metadata) if metadata.is_dir() => entry,
            // In a linked work tree or a submodule, `.git` is a file that names the directory.
            Ok(_) => match named(&entry)?.strip_prefix(b"gitdir: ") {
                Some(named) => top.join(path_of(named)),
                None => return Ok(None),
            },
            Err(_) => return Ok(None),
        };
        // A linked work tree has this file; without it, both directories are the same
        // (gitrepository-layout).
        let link = own.join("commondir");
        // Unlike `metadata`, this also sees a link that leads nowhere, which is an error and no
        // missing file.
        let common = match fs::symlink_metadata(&link) {
            Ok(_) => own.join(path_of(&named(&link)?)),
            Err(_) => own.clone(),
        };
        Ok(Some(Self { own, common }))
    }
}

/// Returns what such a file has, as git reads it: a name may have line ends and blanks.
fn named(file: &Path) -> Result<Vec<u8>, UnreadableLink> {
    let mut bytes = read_regular(file, MAX_LINK_BYTES)
        .map_err(|error| UnreadableLink { file: file.to_owned(), error })?;
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n'));
    bytes.truncate(end.map_or(0, |last| last + 1));
    Ok(bytes)
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(&*String::from_utf8_lossy(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_work_trees() {
        let top = std::env::temp_dir().join(format!("urigrep-git-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = top.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("a file");
        };
        write("main/.git/HEAD", "ref: refs/heads/main\n");
        write("linked/.git", "gitdir: ../main/.git/worktrees/linked\n");
        write("main/.git/worktrees/linked/commondir", "../..\n");
        write("other/.git", "hello\n");
        write("lines/.git", "gitdir: a\nb \r\n");
        write("none/file", "");
        let of = |name: &str| GitDirectory::find(&top.join(name));
        let main = of("main").expect("a main work tree").expect("a directory of git");
        assert_eq!((&main.own, &main.common), (&top.join("main/.git"), &top.join("main/.git")));
        let linked = of("linked").expect("a linked work tree").expect("a directory of git");
        assert_eq!(linked.own, top.join("linked/../main/.git/worktrees/linked"));
        assert_eq!(linked.common, linked.own.join("../.."));
        let lines = of("lines").expect("two lines").expect("a directory of git");
        assert_eq!(lines.own, top.join("lines/a\nb "));
        assert_eq!(of("none").expect("no work tree"), None);
        assert_eq!(of("other").expect("no link"), None);
        write("long/.git", &"x".repeat(5000));
        let unreadable = of("long").expect_err("too long");
        assert_eq!(unreadable.file, top.join("long/.git"));
        fs::remove_dir_all(&top).expect("a temporary directory");
    }
}
