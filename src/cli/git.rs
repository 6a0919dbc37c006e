//! What git knows about a tree: changed lines, renamed files. The command on PATH answers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use memchr::memmem;
use urigrep::audit::paths;
use urigrep::document::Format;
use urigrep::search::{Root, SearchBuilder};

use super::error::CliError;

/// Runs git in a directory, and returns what it prints.
///
/// # Errors
/// If git is missing or fails; the message has the first line that it prints.
pub fn git(directory: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        // Settings of the user must not change what is printed.
        .args(["-c", "core.quotePath=false", "-c", "color.ui=false", "--no-pager"])
        // Nor may those of a checkout run a program.
        .args(["-c", "core.fsmonitor=false"])
        .args(args)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("git: {}", urigrep::search::describe(&error)))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let first = message.lines().next().unwrap_or("failed").to_owned();
            Err(format!("git: {}", first.trim_start_matches("fatal: ")))
        }
    }
}

/// Returns the top directory of the checkout that holds a path.
pub fn top(path: &Path) -> Result<PathBuf, String> {
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let top = git(directory, &["rev-parse", "--show-toplevel"])?;
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

/// Returns those of the paths that git ignores by its rules of today; none if git fails.
pub fn ignored<'p>(paths: impl Iterator<Item = &'p Path>) -> HashSet<PathBuf> {
    let mut list = Vec::new();
    for path in paths {
        list.extend_from_slice(path.as_os_str().as_encoded_bytes());
        list.push(0);
    }
    let asked = Command::new("git")
        .args(["check-ignore", "--no-index", "--stdin", "-z"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut git) = asked else { return HashSet::new() };
    // Git answers while it reads, so another thread writes.
    let to = git.stdin.take();
    let writing = std::thread::spawn(move || to.map(|mut to| to.write_all(&list)));
    let answers = git.wait_with_output().map(|output| output.stdout).unwrap_or_default();
    drop(writing.join());
    answers.split(|byte| *byte == 0).filter(|it| !it.is_empty()).map(path_of).collect()
}

/// Returns the documents below a directory that git tracks, although its rules ignore them. A walk leaves
/// them out, but they are in every clone.
pub fn tracked_but_ignored(directory: &Path) -> Vec<PathBuf> {
    let listed = git(directory, &["ls-files", "--cached", "--ignored", "--exclude-standard", "-z"]);
    let is_document = |path: &PathBuf| {
        let extension = path.extension().and_then(OsStr::to_str);
        let format = extension.and_then(Format::from_extension);
        format.is_some_and(|format| format.is_source() || format.is_page())
    };
    let listed = listed.unwrap_or_default();
    let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_of);
    let prefix = directory.strip_prefix(".").unwrap_or(directory);
    let paths = names.filter(is_document).map(|name| prefix.join(name));
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

/// How files that git finds renamed count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovedFiles {
    /// Only their changed lines count.
    AreTheSame,
    /// All lines of a file count that was moved to another directory, because its relative links
    /// lead elsewhere.
    HaveChanged,
}

/// Lines that changed since a revision.
#[derive(Debug, Default)]
pub struct ChangedLines {
    /// By absolute path without symbolic links.
    files: HashMap<PathBuf, Vec<RangeInclusive<u64>>>,
    /// The last components of these paths.
    names: HashSet<OsString>,
    /// The absolute paths of files that were asked for, by the path as written: to find one takes
    /// several system calls.
    known: Mutex<HashMap<PathBuf, PathBuf>>,
}

impl ChangedLines {
    /// Asks git for the lines below these paths that changed since a revision. All lines of files
    /// that git does not track, and does not ignore, count as changed.
    ///
    /// # Errors
    /// If git fails: outside of a checkout, or for an unknown revision.
    pub fn since(revision: &str, near: &[PathBuf], moved: MovedFiles) -> Result<Self, CliError> {
        let failed = |message: String| CliError::invalid("--since", message);
        let mut lines = Self::default();
        let mut tops: Vec<PathBuf> = Vec::new();
        for path in near {
            let top = top(path).map_err(failed)?;
            if !tops.contains(&top) {
                tops.push(top);
            }
        }
        for top in tops {
            // A revision that starts with `-` would be read as a flag.
            let commit = format!("{revision}^{{commit}}");
            let verified = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
            let id = git(&top, &verified)
                .map_err(|_| failed(format!("no such revision: `{revision}`")))?;
            let id = String::from_utf8_lossy(&id).trim().to_owned();
            let diff = [
                "diff",
                "--unified=0",
                "--no-ext-diff",
                "--no-textconv",
                "--find-renames",
                "--src-prefix=a/",
                "--dst-prefix=b/",
                &id,
            ];
            lines.read_diff(&git(&top, &diff).map_err(failed)?, &top, moved);
            let others = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"]);
            for name in others.map_err(failed)?.split(|byte| *byte == 0).filter(|it| !it.is_empty())
            {
                lines.add(top.join(path_of(name)), 1..=u64::MAX);
            }
        }
        Ok(lines)
    }

    fn read_diff(&mut self, diff: &[u8], top: &Path, moved: MovedFiles) {
        let mut file: Option<PathBuf> = None;
        let mut old_name = PathBuf::new();
        // Removed and added lines come after the header of their hunk, which counts them.
        let mut body = 0_u64;
        for line in diff.split(|byte| *byte == b'\n') {
            if body > 0 && matches!(line.first(), Some(b'+' | b'-')) {
                body -= 1;
            } else if let Some(name) = line.strip_prefix(b"+++ ") {
                let name = unquoted(name.strip_suffix(b"\t").unwrap_or(name));
                file = name.strip_prefix(b"b/").map(|name| top.join(path_of(name)));
            } else if let Some(name) = line.strip_prefix(b"rename from ") {
                old_name = path_of(&unquoted(name));
            } else if let Some(name) = line.strip_prefix(b"rename to ") {
                let name = path_of(&unquoted(name));
                if moved == MovedFiles::HaveChanged && name.parent() != old_name.parent() {
                    self.add(top.join(name), 1..=u64::MAX);
                }
            } else if let Some(names) = line.strip_prefix(b"Binary files ") {
                // Git counts no lines of such a file, so all of it has changed.
                let names = names.strip_suffix(b" differ").unwrap_or(names);
                let separator = memmem::rfind(names, b" and ");
                let name = separator.map(|at| unquoted(&names[at + b" and ".len()..]));
                if let Some(name) = name.as_deref().and_then(|name| name.strip_prefix(b"b/")) {
                    self.add(top.join(path_of(name)), 1..=u64::MAX);
                }
            } else if let Some(header) = line.strip_prefix(b"@@ -") {
                let header = String::from_utf8_lossy(header);
                let mut places = header.split(' ');
                let place = |place: Option<&str>| {
                    let place = place.unwrap_or_default().trim_start_matches('+');
                    let (start, count) = place.split_once(',').unwrap_or((place, "1"));
                    (start.parse().unwrap_or(0_u64), count.parse().unwrap_or(0_u64))
                };
                let ((_, removed), (start, added)) = (place(places.next()), place(places.next()));
                body = removed + added;
                if let (Some(file), 1..) = (&file, added) {
                    self.add(file.clone(), start..=start + added - 1);
                }
            }
        }
    }

    fn add(&mut self, file: PathBuf, lines: RangeInclusive<u64>) {
        self.names.insert(file.file_name().unwrap_or_default().to_owned());
        self.files.entry(file).or_default().push(lines);
    }

    /// Restricts a search to these lines.
    pub fn limit(self, builder: SearchBuilder) -> SearchBuilder {
        builder.only_lines(move |path, first, last| self.have(path, first, last))
    }

    /// True if one of these lines of the file changed.
    pub fn have(&self, path: &Path, first: u64, last: u64) -> bool {
        // Most files have not changed. Only a symbolic link may have another name than its file.
        let is_link = || std::fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        if !path.file_name().is_some_and(|name| self.names.contains(name)) && !is_link() {
            return false;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match known.get(path) {
            Some(file) => file,
            None => {
                let file = std::fs::canonicalize(path).unwrap_or_default();
                known.entry(path.to_owned()).or_insert(file)
            }
        };
        // Git reports the hunks of a file in order.
        self.files.get(file).is_some_and(|lines| {
            let next = lines.partition_point(|changed| *changed.end() < first);
            lines.get(next).is_some_and(|changed| *changed.start() <= last)
        })
    }
}

/// Decodes a name that git prints in quotes, as a string of C.
fn unquoted(name: &[u8]) -> Cow<'_, [u8]> {
    let Some(quoted) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else {
        return Cow::Borrowed(name);
    };
    let (mut decoded, mut rest) = (Vec::with_capacity(quoted.len()), quoted);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            decoded.push(byte);
            continue;
        }
        let octal = rest.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
        if octal > 0 {
            let digits = rest[..octal].iter().map(|digit| u32::from(digit - b'0'));
            decoded.push(digits.fold(0, |value, digit| value * 8 + digit) as u8);
            rest = &rest[octal..];
        } else if let Some((&letter, after)) = rest.split_first() {
            rest = after;
            decoded.push(match letter {
                b'a' => 0x07,
                b'b' => 0x08,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 0x0B,
                b'f' => 0x0C,
                b'r' => b'\r',
                other => other,
            });
        }
    }
    Cow::Owned(decoded)
}

/// Files that git knows to be renamed: the absolute old path, and the newest one.
#[derive(Debug, Default)]
pub struct RenamedFiles(HashMap<PathBuf, PathBuf>);

/// Renames that are followed from one to the next.
const MAX_RENAMES: usize = 16;

/// Commits with renames that are looked at.
const MAX_COMMITS: &str = "--max-count=2000";

impl RenamedFiles {
    /// Reads the renames in the history of the checkout around a path; none without git.
    pub fn read(near: &Path) -> Self {
        let Ok(top) = top(near) else { return Self::default() };
        let log = [
            "log",
            MAX_COMMITS,
            "--diff-filter=R",
            "--find-renames",
            "--name-status",
            "-z",
            "--format=",
        ];
        let Ok(log) = git(&top, &log) else { return Self::default() };
        let mut renamed = HashMap::new();
        let mut fields = log.split(|byte| *byte == 0);
        while let Some(status) = fields.next() {
            // With an empty format, a line end may come before the status.
            if status.trim_ascii_start().first() != Some(&b'R') {
                continue;
            }
            let (Some(from), Some(to)) = (fields.next(), fields.next()) else { break };
            // The newest rename comes first, and is the one that counts.
            renamed.entry(top.join(path_of(from))).or_insert_with(|| top.join(path_of(to)));
        }
        Self(renamed)
    }

    /// True if no file is known to be renamed.
    #[cfg(feature = "lsp")]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns where a file is now, relative to the current directory if it is below.
    pub fn newest(&self, path: &Path) -> Option<PathBuf> {
        let mut now = &paths::absolute(path);
        for _ in 0..MAX_RENAMES {
            match self.0.get(now) {
                Some(to) => now = to,
                None => break,
            }
            if now.is_file() {
                let current = std::env::current_dir().ok()?;
                return Some(paths::below(&current, now).unwrap_or_else(|| now.clone()));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_diff() {
        let mut lines = ChangedLines::default();
        let diff = b"diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1,2 @@ x\n--- y\n+++ b/c\n+z\n\
                     @@ -9,2 +9,0 @@\n-q\n-r\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-s\n\
                     +++ \"b/\\303\\251\\t\\\"q\"\n@@ -1 +7 @@\n-s\n+t\n\
                     Binary files a/x.pdf and b/x.pdf differ\n";
        let diff = [diff, &b"rename from a/o\nrename to a/p\nrename from a/o\nrename to b/o\n"[..]]
            .concat();
        lines.read_diff(&diff, Path::new("/t"), MovedFiles::HaveChanged);
        let expected = HashMap::from([
            (PathBuf::from("/t/a b"), vec![1..=2]),
            (PathBuf::from("/t/\u{e9}\t\"q"), vec![7..=7]),
            (PathBuf::from("/t/x.pdf"), vec![1..=u64::MAX]),
            (PathBuf::from("/t/b/o"), vec![1..=u64::MAX]),
        ]);
        assert_eq!(lines.files, expected);
    }
}
