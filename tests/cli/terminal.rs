//! What is different on a terminal, by `script` of util-linux.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use super::support::{Dir, finish, has, spawn};

/// Runs the command on a terminal; both its streams come out of it.
fn on_terminal(dir: &Dir, args: &str, variables: &[(&str, &str)]) -> Option<String> {
    let line = format!("'{}' {args} </dev/null", env!("CARGO_BIN_EXE_urigrep"));
    script(dir, &line, variables)
}

/// Runs a command line on a terminal, without colours.
fn shell(dir: &Dir, line: &str) -> Option<String> {
    script(dir, line, &[("NO_COLOR", "1")])
}

fn script(dir: &Dir, line: &str, variables: &[(&str, &str)]) -> Option<String> {
    if !has("script") {
        return None;
    }
    let mut command = Command::new("script");
    command.args(["-qec", line, "/dev/null"]);
    command
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .envs(variables.iter().copied());
    let ran = finish(spawn(command.current_dir(dir.path()).stdin(Stdio::null())));
    assert!(ran.status.is_some_and(|status| status <= 2), "{ran:?}");
    Some(String::from_utf8(ran.stdout).unwrap().replace("\r\n", "\n"))
}

#[test]
fn headings_colours_links() {
    let dir = Dir::new();
    dir.file("d/a", "\nhttp://a.example/\n")
        .file("d/b", "http://b.example/");
    let plain = [("NO_COLOR", "1")];
    let Some(out) = on_terminal(&dir, "--sort=path d", &plain) else {
        return;
    };
    assert_eq!(
        out,
        "d/a\n2:http://a.example/\n\nd/b\n1:http://b.example/\n"
    );
    assert_eq!(
        on_terminal(&dir, "d/a", &plain).unwrap(),
        "2:http://a.example/\n"
    );
    assert_eq!(
        on_terminal(&dir, "--no-heading d/", &plain)
            .unwrap()
            .lines()
            .count(),
        2
    );
    let out = on_terminal(&dir, "--sort=path d", &[]).unwrap();
    assert!(out.contains("\x1b[35md/a\x1b[0m"), "{out:?}");
    assert!(
        out.contains("\x1b[32m2\x1b[0m:\x1b[1m\x1b[31mhttp://a.example/\x1b[0m\n"),
        "{out:?}"
    );
    assert!(out.starts_with("\x1b]8;;file://"), "{out:?}");
    let out = on_terminal(&dir, "--hyperlink-format=none d", &[]).unwrap();
    assert!(!out.contains("\x1b]8"), "{out:?}");
    assert!(
        !on_terminal(&dir, "--color=never d", &[])
            .unwrap()
            .contains('\x1b')
    );
}

/// Two URIs, between which whoever writes them takes a while.
const SLOW: &str = "(printf 'http://a.example/\\n'; sleep 1.5; printf 'http://b.example/\\n')";

#[test]
fn progress_goes_before_a_match_comes() {
    let dir = Dir::new();
    let Some(out) = shell(
        &dir,
        &format!("{SLOW} | '{}'", env!("CARGO_BIN_EXE_urigrep")),
    ) else {
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

#[test]
fn nothing_reaches_the_terminal_that_it_obeys() {
    let dir = Dir::new();
    let name = OsStr::from_bytes(b"d/x\x1b[31m\n\xff\xe2\x80\xae");
    dir.file(
        name,
        "http://a.example/\u{200b}x\u{202e}y \u{9b}31m <http://b.example/\nc>",
    );
    let Some(out) = on_terminal(
        &dir,
        "-c d 2>&1 d/x$(printf '\\033').missing",
        &[("NO_COLOR", "1")],
    ) else {
        return;
    };
    assert!(
        !out.contains(['\x1b', '\u{202e}', '\u{200b}', '\u{9b}']),
        "{out:?}"
    );
    assert!(out.contains(r"d/x\x1b[31m\n\xff\u{202e}:"), "{out:?}");
    assert!(
        out.contains(r"urigrep: d/x\x1b.missing: No such file or directory"),
        "{out:?}"
    );
    for args in [
        "d",
        "--raw d",
        "--invalid d",
        "-l d",
        "--vimgrep d",
        "--no-such\u{202e}",
    ] {
        let out = on_terminal(&dir, args, &[("NO_COLOR", "1")]).unwrap();
        assert!(
            !out.contains(['\x1b', '\u{202e}', '\u{200b}', '\u{9b}']),
            "{args}: {out:?}"
        );
    }
}
