//! What git knows about a tree: changed lines, renamed files. The command on PATH answers.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use urigrep::audit::paths;

use urigrep::search::Root;

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
fn top(path: &Path) -> Result<PathBuf, String> {
    let directory = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let top = git(directory, &["rev-parse", "--show-toplevel"])?;
    Ok(path_of(top.strip_suffix(b"\n").unwrap_or(&top)))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::new(&*String::from_utf8_lossy(bytes)))
}

/// Returns the paths of the roots, for git.
pub fn directories(roots: &[Root]) -> Vec<PathBuf> {
    let path = |root: &Root| match root {
        Root::Path(path) => path.clone(),
        Root::CurrentDirectory | Root::Stdin => PathBuf::from("."),
    };
    roots.iter().map(path).filter(|path| path.exists()).collect()
}

/// Lines that changed since a revision.
#[derive(Clone, Debug, Default)]
pub struct ChangedLines {
    /// By absolute path without symbolic links.
    files: HashMap<PathBuf, Vec<RangeInclusive<u64>>>,
}

impl ChangedLines {
    /// Asks git for the lines below these paths that changed since a revision. All lines of files
    /// that git does not track, and does not ignore, count as changed.
    ///
    /// # Errors
    /// If git fails: outside of a checkout, or for an unknown revision.
    pub fn since(revision: &str, near: &[PathBuf]) -> Result<Self, CliError> {
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
            let diff = ["diff", "--unified=0", "--no-ext-diff", "--no-renames", &id];
            lines.read_diff(&git(&top, &diff).map_err(failed)?, &top);
            let others = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"]);
            for name in others.map_err(failed)?.split(|byte| *byte == 0).filter(|it| !it.is_empty())
            {
                lines.files.insert(top.join(path_of(name)), vec![1..=u64::MAX]);
            }
        }
        Ok(lines)
    }

    fn read_diff(&mut self, diff: &[u8], top: &Path) {
        let mut file: Option<PathBuf> = None;
        // Removed and added lines come after the header of their hunk, which counts them.
        let mut body = 0_u64;
        for line in diff.split(|byte| *byte == b'\n') {
            if body > 0 && matches!(line.first(), Some(b'+' | b'-')) {
                body -= 1;
            } else if let Some(name) = line.strip_prefix(b"+++ ") {
                let name = name.strip_suffix(b"\t").unwrap_or(name);
                file = name.strip_prefix(b"b/").map(|name| top.join(path_of(name)));
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
                    let lines = self.files.entry(file.clone()).or_default();
                    lines.push(start..=start + added - 1);
                }
            }
        }
    }

    /// True if one of these lines of the file changed.
    pub fn have(&self, path: &Path, first: u64, last: u64) -> bool {
        let Ok(path) = std::fs::canonicalize(path) else { return false };
        let lines = self.files.get(&path);
        lines.is_some_and(|lines| {
            lines.iter().any(|changed| *changed.start() <= last && first <= *changed.end())
        })
    }
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
                     @@ -9,2 +9,0 @@\n-q\n-r\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-s\n";
        lines.read_diff(diff, Path::new("/t"));
        let expected = HashMap::from([(PathBuf::from("/t/a b"), vec![1..=2])]);
        assert_eq!(lines.files, expected);
    }
}
