//! `--pick`, on pseudoterminals of two sizes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Dir, command, finish, has, pipe, spawn};

/// A file with many links.
fn tree() -> Dir {
    let dir = Dir::new();
    let mut text =
        "[first](http://a.dev/first \"t\") and http://www.bank.dev@evil.dev/x\n".to_owned();
    for number in 0..60 {
        text += &format!("line {number} http://h{number}.dev/{}\n", "long/".repeat(number));
    }
    dir.file("a.md", text);
    dir
}

/// The screen before the end, the status, and what was copied; and what was printed.
fn picked(dir: &Dir, size: [usize; 2], keys: &str, args: &[&str]) -> Option<(String, String)> {
    if !has("python3") {
        return None;
    }
    let output = Command::new("python3")
        // Nothing is written into the source tree.
        .arg("-B")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/pick.py"))
        .args(size.map(|size| size.to_string()))
        .args(["printed", keys, env!("CARGO_BIN_EXE_urigrep"), "--pick"])
        .args(args)
        .current_dir(dir.path())
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = fs::read_to_string(dir.join("printed")).expect("a file");
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), printed))
}

#[test]
fn a_list_with_details() {
    let dir = tree();
    let Some((screen, printed)) = picked(&dir, [80, 24], "\r", &["a.md"]) else { return };
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines[0].starts_with(">  ") && lines[0].ends_with("62/62"), "{screen}");
    assert_eq!(lines[1], "   http://a.dev/first");
    assert_eq!(lines[2], " ! http://www.bank.dev@evil.dev/x");
    assert!(lines[13].starts_with("   http://h10.dev/long/") && lines[14].starts_with('─'));
    assert_eq!(lines[15], "a.md:1");
    assert!(screen.contains("    1 [first](http://a.dev/first \"t\")"), "{screen}");
    assert!(lines[23].starts_with("Tab mark  Enter print"), "{screen}");
    assert!(screen.contains("STATUS 0") && printed == "http://a.dev/first\n", "{screen}{printed}");
}

#[test]
fn filter_mark_copy_and_print() {
    let dir = tree();
    let keys = "h5.dev\\t\\x15H7.DEV\\t\\x15\\x19\\r";
    let Some((screen, printed)) = picked(&dir, [120, 40], keys, &["a.md"]) else { return };
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines[0].ends_with("62/62, 2 marked"), "{screen}");
    let url = |number: usize| format!("http://h{number}.dev/{}", "long/".repeat(number));
    assert_eq!(printed, format!("{}\n{}\n", url(5), url(7)));
    assert!(screen.contains("COPIED aHR0cDovL2g1LmRldi9"), "{screen}");
    assert!(lines[39].starts_with("copied"), "{screen}");
    let Some((screen, printed)) = picked(&dir, [80, 24], "nothing\\x0f\\r", &["a.md"]) else {
        return;
    };
    assert!(
        screen.contains("0/62") && screen.contains("STATUS 1") && printed.is_empty(),
        "{screen}"
    );
    let Some((screen, _)) = picked(&dir, [20, 5], "\\x03", &["a.md"]) else { return };
    assert!(screen.contains("STATUS 1"), "{screen}");
}

#[test]
fn only_with_matches_and_a_terminal() {
    let ran = pipe(["--pick"], "no match");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    let ran = pipe(["--pick", "--json"], "http://a.dev/");
    assert_eq!(ran.status, Some(2));
    // In a session of its own, the command has no terminal, whatever the test has.
    if has("setsid") {
        let dir = tree();
        let pick = command(["--pick", "a.md"]);
        let mut apart = Command::new("setsid");
        let apart = apart.arg("--wait").arg(pick.get_program()).args(pick.get_args());
        let ran = finish(spawn(apart.current_dir(dir.path()).stdin(Stdio::null())));
        assert_eq!((ran.status, ran.out()), (Some(2), ""));
        assert_eq!(ran.stderr, "urigrep: --pick needs a terminal\n");
    }
}
