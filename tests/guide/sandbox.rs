//! A directory in which the commands of a page run.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::page::Example;
use crate::support::{Dir, Ran, command, finish, spawn};

pub struct Sandbox {
    files: Dir,
    /// Holds `urigrep`, for `PATH`.
    programs: Dir,
}

impl Sandbox {
    /// A copy of a directory.
    pub fn new(from: &Path) -> Self {
        let (files, programs) = (Dir::new(), Dir::new());
        copy(from, files.path());
        let program = command([""; 0]).get_program().to_owned();
        std::os::unix::fs::symlink(program, programs.join("urigrep")).expect("a link");
        Self { files, programs }
    }

    /// Runs a command of a page. With `update`, its output becomes the example's.
    pub fn check(
        &self,
        example: &mut Example,
        has_output: bool,
        update: bool,
    ) -> Result<(), String> {
        let ran = self.run(&example.command);
        // Where the sandbox is differs from run to run.
        let out = ran.out().replace(&*self.files.path().to_string_lossy(), "/home/jo");
        let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
        if !has_output {
            let is_good = matches!(ran.status, Some(0 | 1)) && !lines.is_empty();
            return is_good.then_some(()).ok_or_else(|| format!("{ran:?}"));
        }
        if matches(&example.output, &lines) {
            return Ok(());
        }
        if update && !example.output.iter().any(|line| line == "…") {
            // The blank lines that stand before the next command stay.
            let blank = example.output.iter().rev().take_while(|line| line.is_empty()).count();
            example.output = lines.iter().map(|line| (*line).to_owned()).collect();
            example.output.extend((0..blank).map(|_| String::new()));
            return Ok(());
        }
        Err(format!("should print\n{}\nprints\n{}", example.output.join("\n"), lines.join("\n")))
    }

    fn run(&self, line: &str) -> Ran {
        let mut path = OsString::from(self.programs.path());
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("exec 2>&1\n{line}")).current_dir(self.files.path());
        shell.env_remove("URIGREP_CONFIG_PATH").env("PATH", path).env("HOME", self.files.path());
        shell.env("NO_COLOR", "1").env("TZ", "UTC").env("LC_ALL", "C.UTF-8");
        finish(spawn(shell.stdin(Stdio::null())))
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the files of the guide") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            fs::create_dir(&to).expect("a directory");
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), &to).expect("a file");
        }
    }
}

/// Whether a page shows these lines, ignoring blank lines at the end; `…` stands for any lines.
fn matches(shown: &[String], lines: &[&str]) -> bool {
    let end = shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let lines =
        &lines[..lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1)];
    let pieces: Vec<&[String]> = shown[..end].split(|line| line == "…").collect();
    let mut rest = lines;
    for (index, piece) in pieces.iter().enumerate() {
        let is_last = index + 1 == pieces.len();
        let starts = 0..=rest.len().saturating_sub(piece.len());
        let mut starts = starts.filter(|&at| {
            rest.len() >= at + piece.len()
                && (index > 0 || at == 0)
                && (!is_last || at + piece.len() == rest.len())
                && piece.iter().zip(&rest[at..]).all(|(shown, line)| shown.trim_end() == *line)
        });
        let Some(at) = starts.next() else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty() || pieces.len() > 1
}

#[test]
fn output_matches_with_gaps() {
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&shown("a\nb\n\n"), &["a", "b"]) && matches(&[], &[]));
    assert!(matches(&shown("a\n…\nd"), &["a", "b", "c", "d"]) && matches(&shown("…"), &["a"]));
    assert!(!matches(&shown("a\n…\nd"), &["a", "b"]) && !matches(&shown("a"), &["a", "b"]));
    assert!(!matches(&shown("a\nb"), &["a"]) && !matches(&shown("…\nd"), &["d", "e"]));
}
