//! Few descriptors and little memory.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use super::tree::Tree;
use crate::support::pack::gzip;
use crate::support::{Dir, Ran, finish, spawn};

fn limited(tree: &Tree, ulimit: &str, args: &[&str]) -> Ran {
    let script = format!("ulimit {ulimit}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_urigrep")]);
    finish(spawn(shell.args(args).current_dir(tree.dir.path()).stdin(Stdio::null())))
}

#[test]
fn few_descriptors() {
    let tree = Tree::new();
    for file in 0..100 {
        let name = format!("m-bad/{}/{}/{}/f", file % 5, file % 7, file);
        tree.dir.file(name, "http://bad.example/\n");
    }
    let ran = tree.survives_as(|args| limited(&tree, "-n 16", args), &[], 0, &[]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 100);
}

/// What needs memory that is not there is an error of its file, or is searched as text.
#[test]
fn little_address_space() {
    let tree = Tree::new();
    // each takes some dozen MiB when it is read as what it is
    tree.dir
        .file("m-bad.md", "[".repeat(500 << 10))
        .file("m-bad.txt.gz", gzip("http://bad.example/ ".repeat(100_000).as_bytes()));
    let needed = [12, 16, 24, 32, 48, 64, 96].into_iter().find(|mib| {
        let probe = limited(&tree, &format!("-v {}", mib << 10), &["-j1", "a.txt"]);
        probe.status == Some(0)
    });
    let needed = needed.expect("96 MiB are enough for a line of text");
    let mut faults = 0;
    for more in [0, 4, 8, 16, 32, 64] {
        let ulimit = format!("-v {}", (needed + more) << 10);
        let ran = limited(&tree, &ulimit, &["-j1", "--sort=path", "-z"]);
        assert!(matches!(ran.status, Some(0 | 2)), "{ulimit}: {ran:?}");
        assert_eq!(ran.status == Some(2), !ran.stderr.is_empty(), "{ulimit}: {ran:?}");
        assert!(
            ran.stderr.lines().all(|line| line.contains("not enough memory")),
            "{ulimit}: {}",
            ran.stderr
        );
        if !ran.stderr.contains("a.txt") {
            assert!(ran.out().starts_with("a.html:"), "{ulimit}: {ran:?}");
        }
        faults += ran.stderr.lines().count();
    }
    assert!(faults > 0, "the limits are too wide to show anything");
}

/// A thread that has no room for a heap of its own makes glibc take all addresses for a moment,
/// again and again. An allocation of another thread then ended the process, once in some thousand
/// searches.
#[test]
#[cfg(target_os = "linux")]
fn no_more_threads_than_addresses() {
    let threads = |mib: usize| {
        let tree = Tree::new();
        let fifo = tree.dir.join("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", mib << 10);
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_urigrep"), "-j4", "a.txt", "fifo"]);
        shell.current_dir(tree.dir.path()).stdout(Stdio::null());
        let mut child = shell.spawn().unwrap();
        // opens as soon as the search has come to it
        let input = File::create(fifo).unwrap();
        let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().count();
        drop(input);
        assert!(child.wait().unwrap().success());
        tasks
    };
    assert_eq!(threads(120), 1);
    assert!(threads(2000) >= 4);
}

/// References that contain each other are kept as labels: 200 kB took 950 MB when each was kept as
/// a whole.
#[test]
fn references_within_each_other() {
    let tree = Tree::new();
    let page = "[".repeat(100_000) + &"a][b]\n".repeat(16_000);
    tree.dir.file("page.md", page);
    let ran = limited(&tree, &format!("-v {}", 400 << 10), &["audit", "page.md"]);
    assert!(matches!(ran.status, Some(0 | 1)), "{ran:?}");
    assert!(!ran.stderr.contains("memory"), "{ran:?}");
}

/// Lines before a match are held up to a limit, which is said: 60 MB of short lines took 1.9 GB.
#[test]
fn millions_of_lines_before_a_match() {
    let tree = Tree::new();
    tree.dir.file("page.txt", "a\n".repeat(4_000_000) + "http://a.example/\n");
    let ran = limited(&tree, &format!("-v {}", 160 << 10), &["-j1", "-B99999999", "page.txt"]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("page.txt: fewer lines before a match"), "{}", ran.stderr);
    assert!(ran.out().ends_with("a\nhttp://a.example/\n"));
    assert!(ran.out().lines().count() > 200_000);
}

/// Distinct URIs are counted in bounded memory, in a file that is searched by several threads too.
#[test]
fn many_different_uris() {
    let uris = if cfg!(debug_assertions) { 400_000 } else { 2_000_000 };
    let dir = Dir::new();
    let lines: String = (0..uris).map(|uri| format!("http://a.example/{uri}\n")).collect();
    dir.file("a.txt", lines);
    for args in [
        &["--json", "--stats"][..],
        &["--format=sarif"],
        &["--stats", "-c"],
        &["--json", "--stats", "-j1"],
    ] {
        let script = "ulimit -v 100000; \"$0\" \"$@\" | tail -n 30";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_urigrep")]).args(args).arg("a.txt");
        let ran = finish(spawn(shell.current_dir(dir.path()).stdin(Stdio::null())));
        assert_eq!(ran.stderr, "", "{args:?}");
        let out = ran.out();
        let number = match args[0] {
            "--stats" => out.lines().find_map(|line| line.trim().strip_suffix(" different URIs")),
            _ => out.rsplit("\"unique\":").next().and_then(|rest| rest.split(',').next()),
        };
        let digits: String = number.unwrap_or(out).chars().filter(char::is_ascii_digit).collect();
        let number: u64 = digits.parse().expect("a number");
        assert!(number.abs_diff(uris) < uris / 30, "{args:?}: {number}");
        assert!(args[0] == "--stats" || out.contains("\"unique_is_about\":true"), "{args:?}");
    }
}

/// What is held of every different URI is asked for: with too little memory there is a diagnostic.
#[test]
fn different_uris_that_are_held() {
    let dir = Dir::new();
    let lines: String = (0..700_000).map(|uri| format!("http://a.example/{uri}\n")).collect();
    dir.file("a.txt", lines);
    for args in [&["--unique"][..], &["--unique", "--json"], &["--top=5"]] {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 100000; \"$0\" \"$@\" >out", env!("CARGO_BIN_EXE_urigrep")]);
        let shell = shell.args(args).arg("a.txt").current_dir(dir.path());
        let ran = finish(spawn(shell.stdin(Stdio::null())));
        let said = "urigrep: out of memory for distinct URIs; the search was stopped\n";
        // Hashes of URIs may fit.
        if ran.status != Some(0) || args.contains(&"--top=5") {
            assert_eq!((ran.status, ran.stderr.as_str()), (Some(2), said), "{args:?}");
        }
        assert!(std::fs::metadata(dir.join("out")).unwrap().len() > 50, "{args:?}");
    }
}

/// Of the threads of a mailbox, what is remembered has a bound.
#[test]
fn very_many_threads() {
    let dir = Dir::new();
    let messages = 470_000;
    let message = |number: u32| {
        format!(
            "From a@b.example Wed Mar  2 23:56:19 2005\nMessage-ID: <{number}@a.example>\n\n\
             http://a.example/{}\n\n",
            number % 7
        )
    };
    let mailbox: String = (0..messages).chain([469_999, 1, 469_998]).map(message).collect();
    dir.file("a.mbox", mailbox);
    let ran = dir.run(["--dedupe=thread", "-c", "-j1", "a.mbox"]);
    // the last one is known to have said the same, the first is forgotten
    assert_eq!(ran.out(), "470001\n");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("URIs of older threads may be reported again"), "{ran:?}");
}
