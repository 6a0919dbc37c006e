//! What is different on a terminal, by `script` of util-linux.

use std::process::{Command, Stdio};

use crate::support::{Dir, finish, on_terminal, shell, spawn};

#[test]
fn headings_colours_links() {
    let dir = Dir::new();
    dir.file("d/a", "\nhttp://a.example/\n").file("d/b", "http://b.example/");
    let plain = [("NO_COLOR", "1")];
    let Some(out) = on_terminal(&dir, "--sort=path d", &plain) else {
        return;
    };
    assert_eq!(out, "d/a\n2:http://a.example/\n\nd/b\n1:http://b.example/\n");
    assert_eq!(on_terminal(&dir, "d/a", &plain).unwrap(), "2:http://a.example/\n");
    assert_eq!(on_terminal(&dir, "--no-heading d/", &plain).unwrap().lines().count(), 2);
    let out = on_terminal(&dir, "--sort=path d", &[]).unwrap();
    assert!(out.contains("\x1b[35md/a\x1b[0m"), "{out:?}");
    assert!(out.contains("\x1b[32m2\x1b[0m:\x1b[1m\x1b[31mhttp://a.example/\x1b[0m\n"), "{out:?}");
    assert!(out.starts_with("\x1b]8;;file://"), "{out:?}");
    let out = on_terminal(&dir, "--hyperlink-format=none d", &[]).unwrap();
    assert!(!out.contains("\x1b]8"), "{out:?}");
    assert!(!on_terminal(&dir, "--color=never d", &[]).unwrap().contains('\x1b'));
}

/// Two URIs, between which whoever writes them takes a while.
const SLOW: &str = "(printf 'http://a.example/\\n'; sleep 1.5; printf 'http://b.example/\\n')";

#[test]
fn progress_goes_before_a_match_comes() {
    let dir = Dir::new();
    let Some(out) = shell(&dir, &format!("{SLOW} | '{}'", env!("CARGO_BIN_EXE_urigrep"))) else {
        return;
    };
    // the first may go on in the next line, so it waits for that
    let (line, matches) = out.split_once("\r\x1b[K").unwrap();
    assert!(line.starts_with("\r0 files  18 B  1"), "{out:?}");
    assert_eq!(matches, "http://a.example/\nhttp://b.example/\n");
}

#[test]
fn progress_is_for_terminals_and_for_those_who_ask() {
    let program = env!("CARGO_BIN_EXE_urigrep");
    let run = |flags: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{SLOW} | '{program}' {flags}")]);
        finish(spawn(command.stdin(Stdio::null())))
    };
    let [auto, always] = ["", "--progress=always"].map(run);
    auto.is(0, "http://a.example/\nhttp://b.example/\n");
    assert_eq!(always.stdout, auto.stdout);
    assert!(always.stderr.contains(" B/s"), "{:?}", always.stderr);
    assert!(always.stderr.ends_with("\r\x1b[K"), "{:?}", always.stderr);
}
