//! What is different on a terminal, by `script` of util-linux.

use std::process::{Command, Stdio};

use crate::support::{Dir, finish, on_terminal, pipe, shell, spawn};

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

#[test]
fn hosts_that_mislead_are_marked() {
    let dir = Dir::new();
    dir.file("a", "http://\u{430}pple.com/ http://www.bank.com@evil.dev/ http://apple.com/\n");
    let Some(out) = on_terminal(&dir, "--no-line-number a", &[("NO_COLOR", "1")]) else {
        return;
    };
    let marked = "http://\u{430}pple.com/  \u{26a0} mixed-script-host\n\
        http://www.bank.com@evil.dev/  \u{26a0} misleading-userinfo\nhttp://apple.com/\n";
    assert_eq!(out, marked);
    // A program gets the URIs alone.
    let piped = dir.run(["a"]);
    assert!(!piped.out().contains('\u{26a0}'), "{}", piped.out());
}

#[test]
fn formats_of_links() {
    let help = pipe(["--help"], "");
    let aliases =
        "none default cursor file grep+ kitty macvim textmate vscode vscode-insiders vscodium";
    for alias in aliases.split(' ') {
        assert!(help.out().contains(alias), "{alias}");
        assert_eq!(pipe(["--hyperlink-format", alias], "").status, Some(1), "{alias}");
    }
    for wrong in [
        "foo",
        "file:",
        "{path}",
        "x:{path",
        "x:{file}",
        "x:{path}{column}",
        "x:{path}\x1b",
        "1:{path}",
    ] {
        assert_eq!(pipe(["--hyperlink-format", wrong], "").status, Some(2), "{wrong}");
    }
    let dir = Dir::new();
    dir.file("a b", "\nurn:a1:b");
    let ran = dir.run(["--color=always", "--hyperlink-format=kitty", "-nH", "a b"]);
    assert!(ran.out().contains("/a%20b#2\x1b\\\x1b[35ma b\x1b[0m:"), "{ran:?}");
    assert!(ran.out().contains("\x1b]8;;\x1b\\:"), "{ran:?}");
}

/// Two URIs, between which whoever writes them takes a while.
const SLOW: &str = "(printf 'http://a.example/\\n'; sleep 1.5; printf 'http://b.example/\\n')";

#[test]
fn progress_goes_before_a_match_comes() {
    let dir = Dir::new();
    let Some(out) = shell(&dir, &format!("{SLOW} | '{}'", env!("CARGO_BIN_EXE_urigrep"))) else {
        return;
    };
    let (line, last) = out.split_once("\r\x1b[K").unwrap();
    assert!(line.starts_with("http://a.example/\n\r0 files  18 B  1"), "{out:?}");
    assert_eq!(last, "http://b.example/\n");
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
    // A log gets whole lines, one per second.
    assert!(always.stderr.ends_with(" B/s\n"), "{:?}", always.stderr);
    assert!(!always.stderr.contains(['\r', '\x1b']), "{:?}", always.stderr);
}

#[test]
fn audits_show_progress_to_those_who_ask() {
    let program = env!("CARGO_BIN_EXE_urigrep");
    let mut command = Command::new("sh");
    let dir = Dir::new();
    dir.file("a.md", "[x](y.md)\n");
    // The second document arrives late.
    command.args(["-c", &format!("mkfifo b.md; {{ sleep 1.5; echo >b.md; }} & '{program}' audit --progress=always a.md b.md")]);
    let ran = finish(spawn(command.current_dir(dir.path()).stdin(Stdio::null())));
    assert!(ran.stderr.contains("document") && ran.stderr.contains("/s\n"), "{ran:?}");
}

/// Colours, and excerpts that fit the terminal.
#[test]
fn verbs_have_a_look() {
    let dir = Dir::new();
    let out = on_terminal(&dir, "compare http://a.example/x http://a.example/y", &[]);
    let Some(out) = out else { return };
    assert!(out.contains("\n  http://a.example/y\n                   \x1b[1m\x1b[31m^"), "{out:?}");
    let out = on_terminal(&dir, "parse http://a.example/", &[]).unwrap();
    assert!(out.contains("\x1b[36mscheme\x1b[0m     http\n"), "{out:?}");
    let out = on_terminal(&dir, "registry schemes magnet", &[]).unwrap();
    assert!(out.starts_with("\x1b[36mmagnet\x1b[0m  provisional"), "{out:?}");
    let ran = dir.run(["compare", "--color=always", "http://a.example/x", "http://a.example/x"]);
    assert_eq!(ran.out(), "\x1b[1m\x1b[32mstring\x1b[0m\n");
    dir.file("a.txt", "see http://$HOST/status\n");
    let out = on_terminal(&dir, "--invalid -I a.txt", &[("NO_COLOR", "1")]).unwrap();
    assert!(out.contains("http://$HOST/status\n    template: contains a placeholder"), "{out:?}");
}
