//! Output that nobody reads, or that there is no room for; signals.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{Dir, command, finish, spawn, wait};

const LINE: &str = "http://a.example/\n";

fn much() -> Dir {
    let dir = Dir::new();
    for file in 0..50 {
        dir.file(format!("f{file:02}"), LINE.repeat(20_000));
    }
    dir
}

fn start(dir: &Dir, args: &[&str]) -> Child {
    spawn(command(args).current_dir(dir.path()).stdin(Stdio::null()))
}

#[test]
fn a_broken_pipe() {
    let dir = much();
    for args in [&["f01"][..], &["-j1"], &["-j4"], &["--sort=path"], &["--json"], &["f01", "f02"]] {
        let mut child = start(&dir, args);
        let mut line = String::new();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        from.read_line(&mut line).unwrap();
        drop(from);
        let ran = finish(child);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        assert!(line.contains("http://a.example/"));
    }
    // An endless stream ends with its reader.
    let mut child = spawn(command([""; 0]).stdin(Stdio::piped()));
    let mut to = child.stdin.take().unwrap();
    let writer =
        thread::spawn(move || while to.write_all(b"http://a.example/ and so on\n").is_ok() {});
    let mut from = BufReader::new(child.stdout.take().unwrap());
    from.read_line(&mut String::new()).unwrap();
    drop(from);
    assert_eq!(finish(child).status, Some(0));
    writer.join().unwrap();
}

#[test]
fn a_full_disk() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("SKIPPED: this test needs /dev/full");
        return;
    };
    let dir = Dir::new();
    dir.file("a", LINE).file("b.md", "[x](missing.md)");
    for args in [
        &["a"][..],
        &["-j1"],
        &["-j4"],
        &["--sort=path"],
        &["-c"],
        &["--json"],
        &["--format=sarif"],
        &["audit", "."],
        &["--help"],
        &["--type-list"],
    ] {
        let mut command = command(args);
        command.current_dir(dir.path()).stdin(Stdio::null());
        let child = command.stdout(full.try_clone().unwrap()).stderr(Stdio::piped()).spawn();
        let ran = finish(child.unwrap());
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert_eq!(ran.stderr, "urigrep: <stdout>: No space left on device\n", "{args:?}");
    }
}

const SIGNALS: [(&str, i32); 3] = [("-HUP", 1), ("-INT", 2), ("-TERM", 15)];

/// Those of them that are not ignored here, as shells let what runs in the background ignore
/// SIGINT.
fn signals() -> impl Iterator<Item = (&'static str, i32)> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default();
    SIGNALS.into_iter().filter(move |(name, number)| {
        let ignored = mask >> (number - 1) & 1 == 1;
        if ignored {
            eprintln!(
                "SKIPPED {name}: it is ignored here, and so by all that is started from here"
            );
        }
        !ignored
    })
}

fn kill(signal: &str, child: &Child) {
    let status = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(status.unwrap().success());
}

/// Reads a byte, and waits until the pipe is full: then records are being written.
fn until_it_is_full(child: &mut Child) -> u8 {
    let mut first = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    thread::sleep(Duration::from_millis(100));
    first[0]
}

/// What is being written is written to its end, then the signal kills.
#[test]
fn a_signal_cuts_no_record() {
    let dir = much();
    for (signal, number) in signals() {
        for args in [&["f01"][..], &["-j1"], &["-j4"], &["--sort=path"], &["--json"]] {
            let mut child = start(&dir, args);
            let first = until_it_is_full(&mut child);
            kill(signal, &child);
            let mut rest = Vec::new();
            child.stdout.take().unwrap().read_to_end(&mut rest).unwrap();
            let status = wait(&mut child);
            assert_eq!(status.signal(), Some(number), "{signal} {args:?}: {status}");
            let text = String::from_utf8([vec![first], rest].concat()).unwrap();
            assert!(text.ends_with('\n'), "{signal} {args:?}: {:?}", &text[text.len() - 20..]);
            let end = if args == ["--json"] { "}" } else { LINE.trim_end() };
            assert!(text.lines().all(|line| line.ends_with(end)), "{signal} {args:?}");
            assert!(text.lines().count() < 50 * 20_000, "{signal} {args:?}");
        }
    }
}

/// Nobody waits for a reader that does not read.
#[test]
fn a_second_signal_kills_at_once() {
    let dir = much();
    for (signal, number) in signals() {
        let mut child = start(&dir, &["f01"]);
        until_it_is_full(&mut child);
        kill(signal, &child);
        thread::sleep(Duration::from_millis(100));
        assert!(child.try_wait().unwrap().is_none(), "it has records to write");
        kill(signal, &child);
        assert_eq!(wait(&mut child).signal(), Some(number));
    }
}

#[test]
fn a_signal_while_nothing_is_written_kills_at_once() {
    for (signal, number) in signals() {
        let mut child = spawn(command([""; 0]).stdin(Stdio::piped()));
        thread::sleep(Duration::from_millis(100));
        kill(signal, &child);
        assert_eq!(wait(&mut child).signal(), Some(number));
    }
}

/// As shells do for what runs in the background.
#[test]
fn a_signal_that_is_ignored_stays_so() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' INT; exec \"$0\"", env!("CARGO_BIN_EXE_urigrep")]);
    let mut child = spawn(shell.stdin(Stdio::piped()));
    let mut to = child.stdin.take().unwrap();
    thread::sleep(Duration::from_millis(100));
    kill("-INT", &child);
    to.write_all(LINE.as_bytes()).unwrap();
    drop(to);
    finish(child).is(0, LINE);
}
