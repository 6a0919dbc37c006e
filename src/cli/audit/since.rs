//! `--new-since REF`: findings that the tree of a revision has, too, are known.
//!
//! The tree of the revision is written into a temporary directory and audited there by the same
//! flags and settings. So a finding is also new if its line did not change: a rename breaks links
//! in other files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use urigrep::audit::{AuditOutcome, FindingKey, KnownFindings};
use urigrep::internal::paths;
use urigrep::search::{Root, describe};

use super::plan::AuditPlan;
use super::settings;
use crate::cli::diagnostics::complain;
use crate::cli::error::CliError;
use crate::cli::flags::audit::AuditFlags;
use crate::cli::git::{
    check_contents, command, commit, directories, git, is_unborn, path_of, printed,
    removed_submodules, renames, submodules, top, vetted_repository, without_filters,
};
use crate::cli::signals;

/// The findings of the tree of a revision.
#[derive(Debug, Default)]
pub struct OldFindings {
    /// By absolute path of today.
    by_path: HashMap<PathBuf, KnownFindings>,
}

/// The tree of a revision, which is removed in the end.
struct OldTree(PathBuf);

impl Drop for OldTree {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn failed(message: impl ToString) -> CliError {
    CliError::invalid("--new-since", message.to_string())
}

impl OldFindings {
    /// Audits the tree of a revision.
    ///
    /// # Errors
    /// If git fails, or the tree can't be written.
    pub fn at(revision: &str, flags: &AuditFlags, roots: &[Root]) -> Result<Self, CliError> {
        if roots.contains(&Root::Stdin) {
            return Err(failed("standard input has no revisions"));
        }
        let near = directories(roots);
        let near = near.first().map_or(Path::new("."), PathBuf::as_path);
        let top = top(near).map_err(failed)?;
        let id = match commit(&top, revision) {
            Ok(id) => id,
            Err(_) if is_unborn(&top, revision) => return Ok(Self::default()),
            Err(message) => return Err(failed(message)),
        };
        // A signal must not leave the old tree behind.
        signals::hold();
        let _released = Released;
        let tree = written(&top, &id)?;
        let renamed = renamed(&top, &id).map_err(failed)?;
        let mut old_flags = old_flags(flags, &top, &tree.0)?;
        // A renamed file is judged where it was.
        let wanted: Vec<PathBuf> =
            directories(roots).iter().map(|it| paths::absolute(it)).collect();
        let is_wanted = |to: &PathBuf| wanted.iter().any(|root| top.join(to).starts_with(root));
        if !old_flags.paths.is_empty() {
            let moved = renamed.iter().filter(|(_, to)| is_wanted(to));
            old_flags.paths.extend(moved.map(|(from, _)| tree.0.join(from).into_os_string()));
        }
        // Messages have paths relative to the current directory. Only in the same place of the old
        // tree are those of equal findings equal.
        let here = std::env::current_dir().map_err(|error| failed(describe(&error)))?;
        let there = paths::below(&top, &here).map_or_else(|| tree.0.clone(), |it| tree.0.join(it));
        // A directory that is new has no old findings.
        if !there.is_dir() {
            return Ok(Self::default());
        }
        let _here = CurrentDirectory::change(here, &there)?;
        let found = audited(&old_flags)?;
        let by_path = found.into_iter().filter_map(|(path, known)| {
            let below = paths::below(&tree.0, &path)?;
            Some((top.join(renamed.get(&below).unwrap_or(&below)), known))
        });
        Ok(Self { by_path: by_path.collect() })
    }

    pub fn known_findings(&self, path: &Path) -> KnownFindings {
        self.by_path.get(&paths::absolute(path)).cloned().unwrap_or_default()
    }
}

/// The current directory, which is restored in the end.
struct CurrentDirectory(PathBuf);

impl CurrentDirectory {
    fn change(from: PathBuf, to: &Path) -> Result<Self, CliError> {
        std::env::set_current_dir(to).map_err(|error| failed(describe(&error)))?;
        Ok(Self(from))
    }
}

impl Drop for CurrentDirectory {
    fn drop(&mut self) {
        drop(std::env::set_current_dir(&self.0));
    }
}

/// Lets signals kill again.
struct Released;

impl Drop for Released {
    fn drop(&mut self) {
        signals::release();
    }
}

/// Creates a directory that other users can't read: the checkout may be private.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // It must not exist: another user may have created it, with their own files in it.
    builder.create(path)
}

/// Writes the tree of a commit into a new directory, with the trees of its submodules.
fn written(top: &Path, id: &str) -> Result<OldTree, CliError> {
    let name = format!("urigrep-{}-{}", std::process::id(), id.get(..12).unwrap_or(id));
    // Links to files are compared with real paths.
    let temporary =
        fs::canonicalize(std::env::temp_dir()).map_err(|error| failed(describe(&error)))?;
    let tree = OldTree(temporary.join(name));
    create_private(&tree.0).map_err(|error| failed(describe(&error)))?;
    write(top, id, &tree.0).map_err(failed)?;
    Ok(tree)
}

fn write(top: &Path, id: &str, directory: &Path) -> Result<(), String> {
    write_files(top, id, directory, None)?;
    // The remotes show which URLs belong to this repository.
    let own = directory.join(".git");
    let config = git(top, &["rev-parse", "--path-format=absolute", "--git-path", "config"]);
    let config = config.map(|path| path_of(path.trim_ascii_end()));
    let created =
        fs::create_dir(&own).and_then(|()| fs::write(own.join("HEAD"), "ref: refs/heads/main\n"));
    created.map_err(|error| describe(&error))?;
    if let Ok(config) = config {
        drop(fs::copy(config, own.join("config")));
    }
    for submodule in submodules(top, id)? {
        if let Some(id) = &submodule.commit {
            let inside = made(directory, &submodule.path)?;
            write(&top.join(&submodule.path), id, &inside)
                .map_err(|message| submodule.failed(&message))?;
        }
    }
    for removed in removed_submodules(top, id)? {
        let inside = made(directory, &removed.path)?;
        let kept = removed.repository.as_deref();
        let written = kept.map(|kept| write_files(top, &removed.commit, &inside, Some(kept)));
        if written.is_none_or(|written| written.is_err()) {
            let path = removed.path.display();
            complain(&format!(
                "note: git has nothing of the submodule `{path}` any more, so broken links into it count as known"
            ));
        }
    }
    Ok(())
}

/// Makes a directory below the old tree. A link of that tree on the way there may lead anywhere,
/// and so is replaced.
fn made(directory: &Path, below: &Path) -> Result<PathBuf, String> {
    let mut path = directory.to_owned();
    for part in below.components() {
        let Component::Normal(part) = part else {
            return Err(format!("{} leads out of the tree", below.display()));
        };
        path.push(part);
        if !fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir()) {
            drop(fs::remove_file(&path));
            fs::create_dir(&path).map_err(|error| describe(&error))?;
        }
    }
    Ok(path)
}

/// Writes the files of a commit. `kept` is the git directory of a submodule without a checkout.
fn write_files(top: &Path, id: &str, directory: &Path, kept: Option<&Path>) -> Result<(), String> {
    let index = directory.join(".git-index");
    let repository = || {
        let mut command = command(top)?;
        // The checkout and its own index stay as they are.
        command.env("GIT_INDEX_FILE", &index);
        if let Some(kept) = kept {
            vetted_repository(kept)?;
            command.env("GIT_DIR", kept).env("GIT_WORK_TREE", directory);
        }
        Ok::<_, String>(command)
    };
    let filters = without_filters(repository()?)?;
    check_contents(repository, id)?;
    let run = |args: &[&str]| printed(repository()?.args(&filters).args(args)).map(drop);
    run(&["read-tree", id])?;
    let mut prefix = directory.to_owned().into_os_string();
    prefix.push("/");
    run(&["checkout-index", "--all", "--force", &format!("--prefix={}", prefix.display())])?;
    drop(fs::remove_file(&index));
    Ok(())
}

/// Returns the flags for the old tree.
fn old_flags(flags: &AuditFlags, top: &Path, tree: &Path) -> Result<AuditFlags, CliError> {
    let mut old = flags.clone();
    old.checks.new_since = None;
    old.checks.baseline = None;
    old.checks.write_baseline = false;
    old.checks.ignore_baseline = true;
    old.scope.since = None;
    // Standard input is the text of this file today; the old tree has its old text.
    old.stdin_path = None;
    // A path of today may be missing in the old tree, which is not an error there.
    let moved = |path: &OsString| {
        let path = Path::new(path);
        let below = if path.is_absolute() { paths::below(top, path) } else { None };
        below.map_or_else(|| path.to_owned(), |it| tree.join(it)).into_os_string()
    };
    let paths = match &flags.stdin_path {
        Some(path) => vec![path.clone().into_os_string()],
        None => flags.scope.paths(&flags.paths)?,
    };
    old.paths = paths.iter().map(moved).collect();
    old.scope.files_from = None;
    // Uses today's settings: those of the revision may differ.
    let first = old_root(flags);
    let config = flags.checks.config.clone().or_else(|| settings::find(&first));
    if let Some(config) = config.filter(|_| !flags.checks.no_config) {
        let config = paths::absolute(&config);
        old.checks.config = Some(match paths::below(top, &config) {
            Some(below) => copied(&config, tree, &below).map_err(failed)?,
            None => config,
        });
    }
    Ok(old)
}

/// Copies a file to its place in the old tree.
fn copied(file: &Path, tree: &Path, below: &Path) -> Result<PathBuf, String> {
    let place = made(tree, below.parent().unwrap_or(Path::new("")))?
        .join(below.file_name().unwrap_or_default());
    // A link of the old tree would have its target overwritten.
    drop(fs::remove_file(&place));
    fs::copy(file, &place).map_err(|error| describe(&error))?;
    Ok(place)
}

fn old_root(flags: &AuditFlags) -> PathBuf {
    let named = flags.stdin_path.as_deref().or_else(|| flags.paths.first().map(Path::new));
    named.unwrap_or(Path::new(".")).to_owned()
}

/// Returns the findings of an audit, by absolute path.
fn audited(flags: &AuditFlags) -> Result<HashMap<PathBuf, KnownFindings>, CliError> {
    let plan = AuditPlan::new(flags)?;
    let roots: Vec<Root> = plan
        .roots
        .iter()
        .filter(|root| !matches!(root, Root::Path(path) if !path.exists()))
        .cloned()
        .collect();
    let mut found: HashMap<PathBuf, KnownFindings> = HashMap::new();
    let work = |outcome: AuditOutcome| match outcome {
        AuditOutcome::Audited(document) if !document.findings().is_empty() => {
            let mut known = KnownFindings::default();
            for located in document.findings() {
                known.add(FindingKey::from_finding(&located.finding), 1);
            }
            Some((paths::absolute(document.input().path()?), known))
        }
        _ => None,
    };
    let ran = plan.auditor.run(roots, work, |record| {
        if let Some((path, known)) = record {
            let all = found.entry(path).or_default();
            known.iter().for_each(|(key, count)| all.add(key.clone(), count));
        }
        if signals::came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ran.map_err(|error| crate::cli::config::walk_error(&error))?;
    Ok(found)
}

/// Returns the files that were renamed since a commit: the new path by the old one, below `top`.
fn renamed(top: &Path, id: &str) -> Result<HashMap<PathBuf, PathBuf>, String> {
    let listed = renames(top, id)?;
    let mut fields = listed.split(|byte| *byte == 0);
    let mut all = HashMap::new();
    while let (Some(status), Some(from), Some(to)) = (fields.next(), fields.next(), fields.next()) {
        if status.first() == Some(&b'R') {
            all.insert(path_of(from), path_of(to));
        }
    }
    for submodule in submodules(top, id)? {
        if let Some(id) = &submodule.commit {
            let path = &submodule.path;
            let inside =
                renamed(&top.join(path), id).map_err(|message| submodule.failed(&message))?;
            all.extend(inside.iter().map(|(from, to)| (path.join(from), path.join(to))));
        }
    }
    Ok(all)
}
