//! Runs the `git` on PATH: changed lines, renamed files, and revisions of a tree.
//!
//! | file | subject |
//! |---|---|
//! | `mod` | runs git; lists the files that it tracks and ignores |
//! | `changed` | lines that changed since a revision |
//! | `config_file` | the grammar of git's files of configuration |
//! | `left_out` | documents that a walk skips |
//! | `patch` | reads the output of `git diff` |
//! | `renamed` | renames in the history |
//! | `submodules` | checkouts of other repositories inside |
//! | `tree` | lists trees, within bounds |
//! | `vetted` | makes sure that git can read what it will open |
//!
//! A tree by strangers may have a `.git/config`, which can name programs: to print signatures, to
//! filter contents, to fetch what a partial clone lacks. [`command`] lets none of them run. What is
//! in `.git` may also be no regular file.

mod changed;
mod config_file;
mod left_out;
mod patch;
mod renamed;
mod submodules;
mod tree;
mod vetted;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use urigrep::document::Format;
use urigrep::internal::is_settings;
use urigrep::search::Root;

pub use changed::{LinesSince, MovedFiles, empty_tree};
pub use left_out::LeftOutDocuments;
pub use renamed::{RenamedFiles, renames};
pub use submodules::{is_fetched, removed_submodules, submodules};
pub use tree::{MAX_TREE_BYTES, TreeContents, check_contents, check_tree, list_tree};
pub use vetted::vetted_repository;

/// Settings for one command. Those of the user must not change what is printed, and those of a
/// checkout must not run a program: a monitor of the file system, a hook when the index is written,
/// a program that checks signatures.
const SETTINGS: [&str; 7] = [
    "core.quotePath=false",
    "color.ui=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    // To find renames, git compares pairs of files: the configuration of a checkout could demand
    // any number of them, and files of any size.
    "diff.renameLimit=1000",
    "core.bigFileThreshold=64m",
];

/// The environment of git. A partial clone fetches missing objects by itself, over a connection
/// that `core.sshCommand` or an address `ext::PROGRAM` opens; a filter of Git LFS downloads files.
/// All of urigrep works offline.
const ENVIRONMENT: [(&str, &str); 7] = [
    ("GIT_NO_LAZY_FETCH", "1"),
    // No protocol has this name
    ("GIT_ALLOW_PROTOCOL", "none"),
    // A question for a password would wait forever, because standard input is empty.
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    // The index is not written only because it was read
    ("GIT_OPTIONAL_LOCKS", "0"),
    // Values for `--config-env`
    (EMPTY, ""),
    (FALSE, "false"),
];

/// Maximum length of git's messages that is kept.
const MAX_MESSAGE_BYTES: u64 = 4 << 10;

const EMPTY: &str = "URIGREP_EMPTY";
const FALSE: &str = "URIGREP_FALSE";

/// Returns a command that runs git in a directory. It runs no program that a checkout names, except
/// for filters: [`without_filters`] is for the commands that have contents filtered.
///
/// # Errors
/// If git must not read something in the repository.
pub fn command(directory: &Path) -> Result<Command, String> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    vetted::vetted(directory)?;
    let mut git = Command::new("git");
    git.arg("-C").arg(directory).arg("--no-pager").envs(ENVIRONMENT).stdin(Stdio::null());
    git.args(SETTINGS.iter().flat_map(|setting| ["-c", setting]));
    Ok(git)
}

/// Returns the settings that switch off the filters of a checkout's own configuration:
/// `filter.NAME.clean`, `smudge`, and `process` are programs, which `git diff` and
/// `git checkout-index` run. So are regular expressions for the heads of hunks, which may take
/// forever. The user's own filters stay. `asked` is a git command for the repository that will be
/// read, because another repository has other settings.
///
/// # Errors
/// If git can't list the filters, for example because it is too old for `--show-scope`.
pub fn without_filters(mut asked: Command) -> Result<Vec<OsString>, String> {
    let settings = "^filter\\.|^diff\\..*\\.x?funcname$";
    asked.args(["config", "--null", "--show-scope", "--name-only", "--get-regexp", settings]);
    let output = asked.output().map_err(|error| not_run(&error))?;
    let listed = match output.status.code() {
        Some(0) => output.stdout,
        // There are none
        Some(1) => Vec::new(),
        _ => return Err(first_line(&output.stderr)),
    };
    let mut fields = listed.split(|byte| *byte == 0);
    let mut settings = Vec::new();
    while let (Some(scope), Some(name)) = (fields.next(), fields.next()) {
        // What a user configured for all repositories is trusted. These scopes came with the tree.
        if matches!(scope, b"local" | b"worktree") {
            // A name may have a `=`, where `-c NAME=VALUE` ends it. `--config-env` ends it at the
            // last one.
            let mut setting = OsString::from("--config-env=");
            setting.push(path_of(name));
            // An empty filter filters nothing, and cannot be required. An empty expression is found
            // at once.
            setting.push("=");
            setting.push(if name.ends_with(b".required") { FALSE } else { EMPTY });
            settings.push(setting);
        }
    }
    Ok(settings)
}

/// Runs git in a directory, and returns its output.
///
/// # Errors
/// If git is missing or fails; the message has the first line that it prints.
pub fn git(directory: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    printed(command(directory)?.args(args))
}

/// Runs `git diff` with these arguments in a checkout, against a commit or another tree, and passes
/// on what it prints. Settings could change each of the others; submodules are left to the caller,
/// because git would start another one for each, with what their own settings name.
///
/// # Errors
/// As for [`streamed`], and if the tree is too large.
pub fn diff<T>(
    top: &Path,
    args: &[&str],
    old: &str,
    read: impl FnOnce(&mut GitOutput) -> Result<T, String>,
) -> Result<T, String> {
    check_tree(self::command(top)?, old)?;
    let mut command = command(top)?;
    command.args(without_filters(self::command(top)?)?).arg("diff").args([
        "--find-renames",
        "--no-color",
        // Programs that attributes and settings name for a comparison.
        "--no-ext-diff",
        "--no-textconv",
        "--no-relative",
        "--ignore-submodules=all",
    ]);
    streamed(command.args(args).arg(old), read)
}

/// Runs a command of git, and returns its output.
///
/// # Errors
/// As for [`git`].
pub fn printed(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output().map_err(|error| not_run(&error))?;
    if output.status.success() { Ok(output.stdout) } else { Err(first_line(&output.stderr)) }
}

/// Standard output of a running git.
pub type GitOutput = BufReader<ChildStdout>;

/// Starts a thread for a pipe of git.
///
/// # Errors
/// If the system allows none. Git is ended then.
fn start_beside<T: Send + 'static>(
    git: &mut Child,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, String> {
    thread::Builder::new().spawn(work).map_err(|error| {
        drop(git.kill());
        drop(git.wait());
        format!("git: no thread for its output: {error}")
    })
}

/// Runs a command of git, and passes on its output, which is too large to hold for a large tree.
///
/// # Errors
/// As for [`git`], and if `read` fails. Git is ended then.
pub fn streamed<T>(
    command: &mut Command,
    read: impl FnOnce(&mut GitOutput) -> Result<T, String>,
) -> Result<T, String> {
    let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut git = spawned.map_err(|error| not_run(&error))?;
    let (Some(from), Some(complaints)) = (git.stdout.take(), git.stderr.take()) else {
        return Err("git: no pipe".to_owned());
    };
    // Git blocks if its standard error is not drained. Only the first line is reported.
    let reading = start_beside(&mut git, move || {
        let (mut first, mut complaints) = (Vec::new(), complaints);
        drop(complaints.by_ref().take(MAX_MESSAGE_BYTES).read_to_end(&mut first));
        drop(io::copy(&mut complaints, &mut io::sink()));
        first
    })?;
    let mut from = BufReader::with_capacity(64 << 10, from);
    let result = read(&mut from);
    if result.is_err() {
        drop(git.kill());
    }
    drop(from);
    let ended = git.wait();
    let complaints = reading.join().unwrap_or_default();
    let value = result?;
    if ended.map_err(|error| not_run(&error))?.success() {
        Ok(value)
    } else {
        Err(first_line(&complaints))
    }
}

/// Returns the first line that git prints about a failure.
fn first_line(complaints: &[u8]) -> String {
    let message = String::from_utf8_lossy(complaints);
    let first = message.lines().next().unwrap_or("failed");
    format!("git: {}", first.trim_start_matches("fatal: "))
}

/// Says why git did not run.
pub fn not_run(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "the command `git` is not on PATH; install it".to_owned(),
        _ => format!("git: {}", urigrep::search::describe(error)),
    }
}

/// Returns the name of the commit that a revision means.
///
/// # Errors
/// If there is none; in a shallow clone, the message says so.
pub fn commit(top: &Path, revision: &str) -> Result<String, String> {
    // A revision that starts with `-` would be read as a flag.
    let commit = format!("{revision}^{{commit}}");
    let verified = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
    match git(top, &verified) {
        Ok(id) => Ok(String::from_utf8_lossy(&id).trim().to_owned()),
        Err(_) => Err(format!("no such revision: `{revision}`{}", why_unknown(top))),
    }
}

/// Returns the name of the tree that a revision means; that of `HEAD` is empty as long as the
/// repository has no commits. So the hook that audits what is new also works for the first commit.
///
/// # Errors
/// If there is none; in a shallow clone, the message says so.
pub fn old_tree(top: &Path, revision: &str) -> Result<String, String> {
    commit(top, revision)
        .or_else(|error| if is_unborn(top, revision) { empty_tree(top) } else { Err(error) })
}

/// True for the `HEAD` of a repository without commits, in which everything is new.
pub fn is_unborn(top: &Path, revision: &str) -> bool {
    revision == "HEAD" && why_unknown(top) == NO_COMMITS
}

const NO_COMMITS: &str = "; the repository has no commits yet, so all of it is new";

/// Returns the advice for a revision that git does not know.
pub fn why_unknown(top: &Path) -> &'static str {
    let says =
        |args: &[&str], answer: &[u8]| git(top, args).is_ok_and(|it| it.trim_ascii() == answer);
    if says(&["rev-parse", "--is-shallow-repository"], b"true") {
        "; this clone is shallow: `git fetch --unshallow` gets the other commits \
         (`fetch-depth: 0` in GitHub Actions, `GIT_DEPTH: 0` on GitLab)"
    } else if says(&["rev-list", "--max-count=1", "--all"], b"") {
        NO_COMMITS
    } else {
        ""
    }
}

/// Returns the top directory of the checkout that holds a path.
pub fn top(path: &Path) -> Result<PathBuf, String> {
    // git changes to the directory that it is given, which a file is not.
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let top = git(directory, &["rev-parse", "--show-toplevel"]).map_err(|message| {
        match message.contains("not a git repository") {
            // The directory of a path without `/` is empty.
            true if directory.as_os_str().is_empty() => "`.` is not in a git checkout".to_owned(),
            true => format!("`{}` is not in a git checkout", directory.display()),
            false => message,
        }
    })?;
    Ok(path_of(top.strip_suffix(b"\n").unwrap_or(&top)))
}

#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::new(&*String::from_utf8_lossy(bytes)))
}

/// Returns the paths that git ignores by today's rules; none if git fails.
pub fn ignored<'p>(paths: impl Iterator<Item = &'p Path>) -> HashSet<PathBuf> {
    let mut list = Vec::new();
    for path in paths {
        list.extend_from_slice(path.as_os_str().as_encoded_bytes());
        list.push(0);
    }
    let Ok(mut asked) = command(Path::new(".")) else { return HashSet::new() };
    let asked = asked
        // Without `--no-index`, git calls no file ignored that it tracks, although a walk by its
        // rules leaves it out.
        .args(["check-ignore", "--no-index", "--stdin", "-z"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut git) = asked else { return HashSet::new() };
    // Git answers while it reads, so another thread writes.
    let to = git.stdin.take();
    let write = move || to.map(|mut to| to.write_all(&list));
    let Ok(writing) = start_beside(&mut git, write) else { return HashSet::new() };
    let answers = git.wait_with_output().map(|output| output.stdout).unwrap_or_default();
    drop(writing.join());
    answers.split(|byte| *byte == 0).filter(|it| !it.is_empty()).map(path_of).collect()
}

/// True for a document by the extension of its name.
fn is_document(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    let format = extension.and_then(Format::from_extension);
    format.is_some_and(|format| format.is_source() || format.is_page())
}

/// False for a directory in which git would find no work tree: starting it takes longer than to
/// look for `.git`, and an editor may open thousands of directories.
pub fn may_be_in_checkout(directory: &Path) -> bool {
    let absolute = std::path::absolute(directory).unwrap_or_default();
    std::env::var_os("GIT_DIR").is_some()
        || absolute.ancestors().any(|above| above.join(".git").exists())
}

/// Returns the documents and menus of sites below a directory that git tracks, although its rules
/// ignore them. A walk leaves them out, but they are in every clone.
pub fn tracked_but_ignored(directory: &Path) -> Vec<PathBuf> {
    if !may_be_in_checkout(directory) {
        return Vec::new();
    }
    let listed = git(directory, &["ls-files", "--cached", "--ignored", "--exclude-standard", "-z"]);
    let listed = listed.unwrap_or_default();
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_of);
    let prefix = directory.strip_prefix(".").unwrap_or(directory);
    let paths =
        names.filter(|name| is_document(name) || is_settings(name)).map(|name| prefix.join(name));
    // The index may still list a file that was deleted.
    paths.filter(|path| path.is_file()).collect()
}

/// Returns the paths of the roots, for git.
pub fn directories(roots: &[Root]) -> Vec<PathBuf> {
    let path = |root: &Root| match root {
        Root::Path(path) => path.clone(),
        Root::CurrentDirectory | Root::Stdin => PathBuf::from("."),
    };
    roots.iter().map(path).filter(|path| path.exists()).collect()
}
