//! Renames in the history of a checkout.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use memchr::memrchr;
use urigrep::internal::paths;

use super::{command, diff, may_be_in_checkout, not_run, path_of, start_beside, top};

/// Files that git knows to be renamed. Paths are absolute.
#[derive(Debug, Default)]
pub struct RenamedFiles {
    /// The next path of each old one.
    to: HashMap<PathBuf, PathBuf>,
    /// The path before each new one.
    from: HashMap<PathBuf, PathBuf>,
}

/// Renames that are followed from one to the next.
const MAX_RENAMES: usize = 16;

/// Maximum number of commits with renames that are examined.
// git compares the trees of each commit to find a rename, which takes long in a large history.
const MAX_COMMITS: &str = "--max-count=2000";

/// A hostile history of 1 MB takes git half an hour. The newest renames come first.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Returns the output of git within this time, up to the last NUL.
fn printed_within(time: Duration, top: &Path, args: &[&str]) -> Vec<u8> {
    let Ok(mut asked) = command(top) else { return Vec::new() };
    let Ok(mut git) = asked.args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
        return Vec::new();
    };
    let Some(mut from) = git.stdout.take() else { return Vec::new() };
    let (sender, done) = mpsc::channel();
    let reading = start_beside(&mut git, move || {
        let mut printed = Vec::new();
        drop(from.read_to_end(&mut printed));
        // If it took too long, the receiver no longer waits.
        let _ = sender.send(());
        printed
    });
    let Ok(reading) = reading else { return Vec::new() };
    if done.recv_timeout(time).is_err() {
        drop(git.kill());
    }
    drop(git.wait());
    let mut printed = reading.join().unwrap_or_default();
    printed.truncate(memrchr(0, &printed).map_or(0, |last| last + 1));
    printed
}

/// Returns the renames between a tree and the checkout, as `git diff --name-status -z` prints them.
///
/// # Errors
/// As for [`diff`].
pub fn renames(top: &Path, old: &str) -> Result<Vec<u8>, String> {
    diff(top, &["--name-status", "--diff-filter=R", "-z"], old, |printed| {
        let mut all = Vec::new();
        printed.read_to_end(&mut all).map_err(|error| not_run(&error))?;
        Ok(all)
    })
}

/// Percentage of a file's lines that stay, if it counts as the same file under another name.
const MIN_SIMILARITY: u8 = 75;

/// True if a file was moved: it keeps its name, or most of its lines. Git itself takes half of them
/// for a rename, as in `R056`, and that may be one page deleted and another one added.
fn is_move(status: &[u8], from: &Path, to: &Path) -> bool {
    let digits = status.trim_ascii_start().get(1..).unwrap_or_default();
    let similarity = std::str::from_utf8(digits).ok().and_then(|it| it.parse::<u8>().ok());
    from.file_name() == to.file_name() || similarity.is_none_or(|it| it >= MIN_SIMILARITY)
}

impl RenamedFiles {
    /// Reads the renames of the checkout around a path, in its history and not committed yet; none
    /// without git.
    pub fn read(near: &Path) -> Self {
        if !may_be_in_checkout(near) {
            return Self::default();
        }
        let Ok(top) = top(near) else { return Self::default() };
        let log = [
            "log",
            MAX_COMMITS,
            "--diff-filter=R",
            "--find-renames",
            "--name-status",
            "-z",
            "--format=",
            "--no-color",
            "--no-notes",
            "--no-relative",
            "--ignore-submodules=all",
        ];
        // Uncommitted renames count, because links are fixed in the same commit that moves the
        // file.
        let uncommitted = renames(&top, "HEAD");
        let mut listed = uncommitted.unwrap_or_default();
        listed.extend(printed_within(MAX_TIME, &top, &log));
        let mut renamed = Self::default();
        let mut fields = listed.split(|byte| *byte == 0);
        while let Some(status) = fields.next() {
            // With an empty format, a line end may come before the status.
            if status.trim_ascii_start().first() != Some(&b'R') {
                continue;
            }
            let (Some(from), Some(to)) = (fields.next(), fields.next()) else { break };
            // The newest rename comes first, and wins.
            let (from, to) = (top.join(path_of(from)), top.join(path_of(to)));
            if !is_move(status, &from, &to) {
                continue;
            }
            renamed.from.entry(to.clone()).or_insert_with(|| from.clone());
            renamed.to.entry(from).or_insert(to);
        }
        renamed
    }

    /// True if no file is known to be renamed.
    #[cfg(feature = "lsp")]
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Returns where a file is now, relative to the current directory if it is below.
    pub fn newest(&self, path: &Path) -> Option<PathBuf> {
        let mut now = &paths::absolute(path);
        // Renames may form a cycle: a file was renamed and back.
        for _ in 0..MAX_RENAMES {
            match self.to.get(now) {
                Some(to) => now = to,
                None => break,
            }
            // An intermediate name may be in use again; the link can lead to the first one that
            // exists.
            if now.is_file() {
                return near_current(now);
            }
        }
        None
    }

    /// Returns where a file was before its renames, newest first.
    pub fn former(&self, path: &Path) -> Vec<PathBuf> {
        let mut now = &paths::absolute(path);
        let mut former = Vec::new();
        while let Some(from) = self.from.get(now).filter(|_| former.len() < MAX_RENAMES) {
            former.extend(near_current(from));
            now = from;
        }
        former
    }
}

/// Returns a path relative to the current directory, if it is below.
fn near_current(path: &Path) -> Option<PathBuf> {
    let current = std::env::current_dir().ok()?;
    Some(paths::below(&current, path).unwrap_or_else(|| path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_keep_the_name_or_most_lines() {
        for (status, from, to, expected) in [
            ("R100", "a.md", "b.md", true),
            ("\nR075", "a.md", "b/c.md", true),
            ("R056", "a.md", "c.md", false),
            ("R056", "a.md", "b/a.md", true),
            ("R", "a.md", "c.md", true),
        ] {
            let found = is_move(status.as_bytes(), Path::new(from), Path::new(to));
            assert_eq!(found, expected, "{status} {from} {to}");
        }
    }
}
