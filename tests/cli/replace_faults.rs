//! What may go wrong while files are changed: nothing is lost, and nothing is left over.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Dir, command};

const PROGRAM: &str = env!("CARGO_BIN_EXE_urigrep");
/// Larger than the limit of `ulimit -f`, so that writing fails in its middle.
const LINES: usize = 20_000;

fn text(uri: &str) -> String {
    format!("see {uri}\n").repeat(LINES)
}

/// Verbs that change files, and what the URI in them becomes.
fn changes() -> [(Vec<&'static str>, &'static str, &'static str); 2] {
    let replace = vec!["replace", "-q", "-w", "http://a.dev", "https://b.dev"];
    let fix = vec!["audit", "-q", "--fix"];
    [(replace, "http://a.dev/x", "https://b.dev/x"), (fix, "[x](B.md)", "[x](b.md)")]
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

/// No room for the new file: the old one stays, and the error is reported.
#[test]
fn a_full_disk() {
    for (args, old, _) in changes() {
        let dir = Dir::new();
        dir.file("a.md", text(old)).file("b.md", "# B\n");
        // A limit of the size of files is met like a full disk, if its signal is ignored.
        let line = format!("trap '' XFSZ; ulimit -f 64; exec '{PROGRAM}' \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, "sh"]).args(&args).arg("a.md").current_dir(dir.path());
        let ran = shell.output().expect("a shell");
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("a.md: "), "{args:?}: {said}");
        assert!(fs::read_to_string(dir.join("a.md")).expect("a file") == text(old), "{args:?}");
        assert_eq!(names(dir.path()).len(), 2, "{args:?}: {:?}", names(dir.path()));
    }
}

fn end(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "it hangs");
        thread::sleep(Duration::from_millis(5));
    }
}

/// After ^C each file is the old or the new one, and no temporary file is left.
#[test]
fn a_signal_between_two_files() {
    const FILES: usize = 60;
    let dir = Dir::new();
    let (args, old, new) = (&changes()[0].0, text("http://a.dev/x"), text("https://b.dev/x"));
    for number in 0..FILES {
        dir.file(format!("{number:02}.txt"), &old);
    }
    let mut child = command(args).current_dir(dir.path()).arg(".").spawn().expect("it runs");
    let started = Instant::now();
    let is_new =
        |name: &str| fs::metadata(dir.join(name)).is_ok_and(|file| file.len() == new.len() as u64);
    while !(0..FILES).any(|number| is_new(&format!("{number:02}.txt"))) {
        assert!(started.elapsed() < Duration::from_secs(30), "nothing is changed");
        thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let status = end(&mut child);
    assert!(status.signal() == Some(2) || status.success(), "{status}");
    assert_eq!(names(dir.path()).len(), FILES, "{:?}", names(dir.path()));
    for number in 0..FILES {
        let file = fs::read_to_string(dir.join(format!("{number:02}.txt"))).expect("a file");
        assert!(file == old || file == new, "{number}");
    }
}

/// A file that is another one by the time that it is written stays as it is.
#[test]
fn a_file_that_changed_meanwhile() {
    use urigrep::change::{FileSnapshot, ReplaceError};
    let dir = Dir::new();
    dir.file("a.txt", "http://a.dev/x\n");
    let read = FileSnapshot::read(&dir.join("a.txt")).expect("a file");
    dir.file("a.txt", "http://a.dev/x\nmore\n");
    let replaced = read.replace(b"https://b.dev/x\n");
    assert!(matches!(replaced, Err(ReplaceError::Changed)), "{replaced:?}");
    assert_eq!(fs::read(dir.join("a.txt")).expect("a file"), b"http://a.dev/x\nmore\n");
    assert_eq!(names(dir.path()), ["a.txt"]);
    fs::remove_file(dir.join("a.txt")).expect("removed");
    let replaced = read.replace(b"https://b.dev/x\n");
    assert!(matches!(replaced, Err(ReplaceError::Io(_))), "{replaced:?}");
    assert_eq!(names(dir.path()).len(), 0);
}
