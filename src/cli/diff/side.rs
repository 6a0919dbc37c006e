//! The sides of a comparison: paths, standard input, and git objects.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write, copy, sink as nothing};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use urigrep::internal::DotIgnore;
use urigrep::search::{Input, Problem, ProblemKind, Root, Search};

use super::places::PlacesSink;
use crate::cli::error::CliError;
use crate::cli::git::{
    MAX_TREE_BYTES, TreeContents, check_tree, command, empty_tree, git, ignored, is_fetched,
    list_tree, not_run, path_of, top, why_unknown,
};

/// The source of the URIs of one side.
#[derive(Debug)]
pub enum Side {
    Stdin,
    Path(PathBuf),
    Revision(Revision),
    /// A path that only the other side has.
    Absent(PathBuf),
}

/// A file or a directory as git has stored it.
#[derive(Debug)]
pub struct Revision {
    /// The object: a blob or a tree.
    id: String,
    is_tree: bool,
    /// Its path from the current directory; empty for that directory itself.
    path: PathBuf,
}

/// Returns the two sides that the arguments name.
///
/// # Errors
/// If one is neither a path nor known to git.
pub fn sides(old: &OsStr, new: Option<&OsStr>) -> Result<[Side; 2], CliError> {
    let range = old.to_str().filter(|old| new.is_none() && !Path::new(old).exists());
    if let Some(range) = range
        && let Some((old, new)) = range.split_once("..")
    {
        let or_head = |revision: &str| match revision {
            "" => "HEAD".to_owned(),
            revision => revision.to_owned(),
        };
        let (old, new) = (or_head(old), or_head(new.strip_prefix('.').unwrap_or(new)));
        let old = if range.contains("...") { merge_base(&old, &new)? } else { old };
        return Ok([Side::new(old.as_ref())?, Side::new(new.as_ref())?]);
    }
    let stored = new.and_then(stored_path);
    let below = match (&stored, new) {
        (Some(path), _) => Side::below(old, path, Elsewhere::Absent),
        (None, Some(new)) => Side::below(old, Path::new(new), Elsewhere::IfKnown),
        (None, None) => None,
    };
    let old_side = below.map_or_else(|| Side::new(old), Ok)?;
    // `REV:PATH` alone is compared with PATH.
    let same = match &old_side {
        Side::Revision(Revision { path, .. }) if new.is_none() && !path.as_os_str().is_empty() => {
            Some(path.clone().into_os_string())
        }
        _ => None,
    };
    if let Some(path) = same.as_ref().map(Path::new)
        && !path.exists()
    {
        let path = path.display();
        return Err(CliError::general(format!(
            "`{path}` is no longer there; name what to compare `{}` with",
            old.display()
        )));
    }
    let new = new.map(OsStr::to_owned).or(same).unwrap_or_else(|| ".".into());
    if old == "-" && new == "-" {
        return Err(CliError::general("standard input can be only one side"));
    }
    let path = stored.as_deref().unwrap_or(Path::new(&new));
    let same = path.strip_prefix(".").unwrap_or(path);
    let new_side = Side::new(&new).or_else(|error| match &old_side {
        // A path of the old side that has been removed since then.
        Side::Revision(old) if old.path == same => Ok(Side::Absent(old.path.clone())),
        _ => Err(error),
    })?;
    Ok([old_side, new_side])
}

/// Returns PATH of `REV:PATH` from the current directory, if git knows REV; it may not have PATH.
fn stored_path(name: &OsStr) -> Option<PathBuf> {
    let (revision, path) = name.to_str()?.split_once(':')?;
    let is_path = !path.is_empty() && fs::symlink_metadata(name).is_err();
    (is_path && Revision::new(revision).is_some()).then(|| from_here(path))
}

/// The kind of a path that a revision does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elsewhere {
    /// A path of another revision, which is new since.
    Absent,
    /// New since, if git tracks it, or would track that directory: a release that git ignores is
    /// compared as a whole.
    IfKnown,
}

fn merge_base(old: &str, new: &str) -> Result<String, CliError> {
    let base = git(Path::new("."), &["merge-base", "--end-of-options", old, new]);
    let base = base.map_err(|_| {
        CliError::general(format!("no common ancestor of the revisions `{old}` and `{new}`"))
    })?;
    Ok(String::from_utf8_lossy(&base).trim().to_owned())
}

impl Side {
    fn new(name: &OsStr) -> Result<Self, CliError> {
        if name == "-" {
            return Ok(Self::Stdin);
        }
        if fs::symlink_metadata(name).is_ok() {
            return Ok(Self::Path(PathBuf::from(name)));
        }
        let missing = || {
            let name = name.display();
            let here = Path::new(".");
            let why = match top(here).map(|_| why_unknown(here)) {
                Err(outside) => format!("; {outside}"),
                Ok("") => "; a file of a revision is REV:PATH".to_owned(),
                Ok(why) => why.to_owned(),
            };
            CliError::general(format!("no such file or git revision: `{name}`{why}"))
        };
        Revision::new(name.to_str().ok_or_else(missing)?).map(Self::Revision).ok_or_else(missing)
    }

    /// Returns the directory or file of a revision that is compared with the same path of today:
    /// `diff main docs` means `diff main:docs docs`, as for `git diff`. `None` if neither git nor
    /// the revision knows the path: an unpacked release, say, is compared with the whole of the
    /// revision.
    fn below(revision: &OsStr, path: &Path, elsewhere: Elsewhere) -> Option<Self> {
        let name =
            revision.to_str().filter(|name| !name.contains(':') && !Path::new(name).exists())?;
        let below = path.strip_prefix(".").unwrap_or(path);
        if below.as_os_str().is_empty() || below.is_absolute() {
            return None;
        }
        let below = below.to_str()?.trim_end_matches('/');
        let relative = if below.starts_with("../") { "" } else { "./" };
        if let Some(found) = Revision::new(&format!("{name}:{relative}{below}")) {
            return Some(Self::Revision(found));
        }
        Revision::new(name)?;
        let is_known = || {
            let mut asked = vec!["ls-files", "-z"];
            // A file that git does not track may be an archive of another revision.
            if Path::new(below).is_dir() {
                asked.extend(["--cached", "--others", "--exclude-standard"]);
            }
            asked.extend(["--", below]);
            let known = git(Path::new("."), &asked).unwrap_or_default();
            // An untracked checkout of another repository ends with a slash.
            let mut known = known.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            known.any(|name| !name.ends_with(b"/"))
        };
        let is_absent = elsewhere == Elsewhere::Absent || is_known();
        is_absent.then(|| Self::Absent(PathBuf::from(below)))
    }

    /// True for a path above or below the current directory. Its files would be compared with
    /// themselves and with the files around them.
    pub fn overlaps_current_directory(&self) -> bool {
        let Self::Path(path) = self else { return false };
        let (Ok(path), Ok(here)) = (fs::canonicalize(path), fs::canonicalize(".")) else {
            return false;
        };
        path != here && (path.starts_with(&here) || here.starts_with(&path))
    }

    /// Passes the URIs of this side to the sink.
    ///
    /// # Errors
    /// If git fails, or the walk can't start.
    pub fn search(&self, search: &Search, sink: &mut PlacesSink<'_>) -> Result<(), CliError> {
        let root = match self {
            Self::Revision(revision) => return revision.search(search, sink),
            Self::Absent(_) => return Ok(()),
            Self::Stdin => Root::Stdin,
            Self::Path(path) if path == Path::new(".") => Root::CurrentDirectory,
            Self::Path(path) => Root::Path(path.clone()),
        };
        let searched = search.run([root], sink);
        searched.map(drop).map_err(|error| crate::cli::config::walk_error(&error))
    }

    /// The start of the displayed paths, which may differ between the sides.
    pub fn prefix(&self) -> &Path {
        match self {
            Self::Stdin => Path::new("<stdin>"),
            Self::Path(path) | Self::Absent(path) => path.strip_prefix(".").unwrap_or(path),
            Self::Revision(revision) => &revision.path,
        }
    }
}

/// A file that git has stored.
struct StoredFile {
    id: String,
    path: PathBuf,
}

/// The files of one repository: that of the current directory, or of a submodule.
struct Stored {
    /// A directory of its checkout.
    directory: PathBuf,
    files: Vec<StoredFile>,
}

fn is_in_checkout() -> bool {
    let told = git(Path::new("."), &["rev-parse", "--is-inside-work-tree"]);
    told.is_ok_and(|told| told.starts_with(b"true"))
}

/// Returns the path of `REV:PATH` from the current directory. Without `./` or `../` at its start,
/// it is one from the top of the checkout (gitrevisions(7)).
fn from_here(path: &str) -> PathBuf {
    if path.starts_with("./") || path.starts_with("../") {
        return PathBuf::from(path.strip_prefix("./").unwrap_or(path));
    }
    let asked = |what: &str| {
        let told = git(Path::new("."), &["rev-parse", what]).unwrap_or_default();
        path_of(told.strip_suffix(b"\n").unwrap_or(&told))
    };
    match Path::new(path).strip_prefix(asked("--show-prefix")) {
        Ok(below) => below.to_owned(),
        Err(_) => asked("--show-cdup").join(path),
    }
}

impl Revision {
    fn new(name: &str) -> Option<Self> {
        let object = |name: &str| {
            let id = git(
                Path::new("."),
                &["rev-parse", "--verify", "--quiet", "--end-of-options", name],
            );
            let id = String::from_utf8_lossy(&id.ok()?).trim().to_owned();
            let kind = git(Path::new("."), &["cat-file", "-t", &id]).ok()?;
            Some((id, String::from_utf8_lossy(&kind).trim().to_owned()))
        };
        let (id, kind) = object(name)?;
        let path = match name.split_once(':') {
            Some((_, path)) => from_here(path),
            None => PathBuf::new(),
        };
        let (id, kind) = match kind.as_str() {
            // As for all paths here, the current directory is meant, not the top of the checkout.
            "commit" | "tag" => match object(&format!("{name}:./")) {
                Some(directory) => directory,
                // A bare repository has no current directory inside.
                None if !is_in_checkout() => object(&format!("{name}:"))?,
                // The revision is older than the directory.
                None => (empty_tree(Path::new(".")).ok()?, "tree".to_owned()),
            },
            _ => (id, kind),
        };
        Some(Self { is_tree: kind == "tree", id, path })
    }

    fn search(&self, search: &Search, sink: &mut PlacesSink<'_>) -> Result<(), CliError> {
        let stored = if self.is_tree {
            self.files(search).map_err(CliError::general)?
        } else {
            let file = StoredFile { id: self.id.clone(), path: self.path.clone() };
            vec![Stored { directory: PathBuf::from("."), files: vec![file] }]
        };
        let mut left = MAX_TREE_BYTES;
        for stored in &stored {
            let input =
                |path: &Path| if self.is_tree { Input::in_tree(path) } else { Input::file(path) };
            stored.search(search, input, sink, &mut left)?;
            if sink.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the files of a directory that a search would read, with those of its submodules: a
    /// walk over the tree of today enters these, too.
    fn files(&self, search: &Search) -> Result<Vec<Stored>, String> {
        let mut rules = (!search.reads_ignored_files()).then(DotIgnore::default);
        let mut trees = vec![(PathBuf::from("."), self.id.clone(), self.path.clone())];
        let mut all = Vec::new();
        while let Some((directory, tree, prefix)) = trees.pop() {
            let mut files = Vec::new();
            // Checked before its files are collected.
            check_tree(command(&directory)?, &tree)?;
            list_tree(command(&directory)?, &tree, TreeContents::Unread, |entry| {
                let Some(tab) = memchr::memchr(b'\t', entry) else { return };
                let (about, name) = (String::from_utf8_lossy(&entry[..tab]), &entry[tab + 1..]);
                let mut about = about.split(' ');
                let (mode, kind, id) = (about.next(), about.next(), about.next());
                let (name, id) = (path_of(name), id.unwrap_or_default().to_owned());
                let path = prefix.join(&name);
                if kind == Some("commit") {
                    // Otherwise it was not fetched.
                    if is_fetched(&prefix, &name) {
                        trees.push((path.clone(), id, path));
                    }
                    return;
                }
                // The targets of symbolic links are files of their own.
                if mode == Some("120000") || kind != Some("blob") {
                    return;
                }
                let takes = match &mut rules {
                    Some(rules) => search.takes_path_by(&path, rules),
                    None => search.takes_path(&path),
                };
                if takes {
                    files.push(StoredFile { id, path });
                }
            })?;
            all.push(Stored { directory, files });
        }
        if let Some(mut rules) = rules {
            let paths = all.iter().flat_map(|stored| &stored.files).map(|file| file.path.as_path());
            let ignored = ignored(paths);
            for stored in &mut all {
                let is_ignored = |path: &Path| ignored.contains(path);
                stored.files.retain(|file| !rules.ignores(&file.path, is_ignored(&file.path)));
            }
        }
        Ok(all)
    }
}

impl Stored {
    fn search(
        &self,
        search: &Search,
        input: impl Fn(&Path) -> Input,
        sink: &mut PlacesSink<'_>,
        left: &mut u64,
    ) -> Result<(), CliError> {
        let failed = |error: std::io::Error| CliError::general(not_run(&error));
        let mut git = command(&self.directory)
            .map_err(CliError::general)?
            // One process answers for all files; one for each would take longer than the search.
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(mut to), Some(from)) = (git.stdin.take(), git.stdout.take()) else {
            return Err(CliError::general("git: no pipe"));
        };
        let ids: String = self.files.iter().map(|file| format!("{}\n", file.id)).collect();
        // Git stops reading while its answers are not read, so another thread writes the requests.
        let ask = move || to.write_all(ids.as_bytes());
        let asking = thread::Builder::new().spawn(ask).map_err(failed)?;
        let mut answers = BufReader::with_capacity(64 << 10, from);
        for file in &self.files {
            let mut header = String::new();
            answers.read_line(&mut header).map_err(failed)?;
            let size = header.trim().rsplit(' ').next().and_then(|size| size.parse().ok());
            let Some(size) = size else {
                let message = format!("git: {}", header.trim());
                let path = file.path.as_os_str().as_encoded_bytes();
                sink.report(Problem::new(ProblemKind::Read, path, message));
                continue;
            };
            // A tree may hold one large file any number of times.
            let Some(rest) = left.checked_sub(size) else {
                let path = file.path.as_os_str().as_encoded_bytes();
                let message = format!(
                    "that revision has more than {MAX_TREE_BYTES} bytes; the rest was not read"
                );
                sink.report(Problem::new(ProblemKind::Limit, path, message));
                break;
            };
            *left = rest;
            let mut contents = answers.by_ref().take(size);
            search.reader(&mut contents, &input(&file.path), sink);
            // The search may stop within a file, but the next header comes after its end.
            copy(&mut contents, &mut nothing()).map_err(failed)?;
            // A line feed follows the contents.
            answers.read_exact(&mut [0]).map_err(failed)?;
            if sink.is_full() {
                break;
            }
        }
        // When its output is closed, git ends, and so does the thread that writes the requests.
        // That matters if the search stopped early.
        drop(answers);
        drop(asking.join());
        drop(git.wait());
        Ok(())
    }
}
