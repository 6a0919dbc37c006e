//! Flags that files decide: that of a person, and `urigrep.toml` of a project.

use crate::support::{Dir, Ran, command, finish, spawn};

const TEXT: &str = "\nhttp://a.example/ https://b.example/\n";

fn run(dir: &Dir, config: Option<&str>, args: &[&str]) -> Ran {
    let mut command = command(args);
    command.current_dir(dir.path());
    match config {
        Some(path) => command.env("URIGREP_CONFIG_PATH", path),
        None => command.env_remove("URIGREP_CONFIG_PATH"),
    };
    finish(spawn(&mut command))
}

#[test]
fn flags_of_a_person() {
    let dir = Dir::new();
    dir.file("a.txt", TEXT).file("rc", "# mine\n\n  --scheme=https  \n-n\n");
    run(&dir, Some("rc"), &["a.txt"]).is(0, "2:https://b.example/\n");
    run(&dir, Some("rc"), &["--no-config", "a.txt"])
        .is(0, "http://a.example/\nhttps://b.example/\n");
    run(&dir, Some("rc"), &["-N", "--scheme=http", "a.txt"])
        .is(0, "http://a.example/\nhttps://b.example/\n");
    // Verbs have flags of their own.
    run(&dir, Some("rc"), &["normalize", "HTTP://a.example"]).is(0, "http://a.example/\n");
    let ran = run(&dir, Some("no/rc"), &["a.txt"]);
    assert_eq!((ran.status, ran.out().lines().count()), (Some(0), 2));
    assert!(ran.stderr.starts_with("urigrep: URIGREP_CONFIG_PATH: no/rc: "), "{ran:?}");
    dir.file("wrong", "--no-such-flag\n");
    let ran = run(&dir, Some("wrong"), &["a.txt"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("wrong:1: "), "{ran:?}");
    for (line, said) in
        [("--hiden", "did you mean `--hidden`?"), ("--scheme https", "write `--scheme=https`")]
    {
        dir.file("wrong", line);
        let ran = run(&dir, Some("wrong"), &["a.txt"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(said), "{ran:?}");
    }
}

#[test]
fn messages_are_redacted_as_a_file_asks() {
    let dir = Dir::new();
    dir.file("a.txt", TEXT).file("rc", "--redact=all\n");
    let ran = run(&dir, Some("rc"), &["a.txt", "http://joe:planted@a.example/x"]);
    assert_eq!(ran.status, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("a.example/x") && !ran.stderr.contains("planted"), "{ran:?}");
}

#[test]
fn defaults_of_a_project() {
    let dir = Dir::new();
    dir.file("a.txt", TEXT).file("d/.b.txt", "http://c.example/");
    dir.file("urigrep.toml", "[search]\nscheme = [\"http\"]\nhidden = true\nstrict = false\n\n[audit]\nslugs = \"github\"\n");
    run(&dir, None, &["a.txt"]).is(0, "http://a.example/\n");
    run(&dir, None, &["-IN", "d"]).is(0, "http://c.example/\n");
    assert_eq!(run(&dir, None, &["--no-config", "d"]).status, Some(1));
    assert_eq!(run(&dir, None, &["audit", "a.txt"]).status, Some(0));
    for (line, why) in [
        ("pre = \"x\"", "not allowed in a project"),
        ("json = true", "not allowed in a project"),
        ("no-messages = true", "not allowed in a project"),
        ("nothing = 1", "unknown flag"),
        ("hidden = 1", "must be true or false"),
        ("scheme = true", "needs a value"),
        ("scheme = ", "urigrep.toml:2:10: "),
    ] {
        dir.file("urigrep.toml", format!("[search]\n{line}\n"));
        let ran = run(&dir, None, &["a.txt"]);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{line}");
        assert!(ran.stderr.contains(why), "{line}: {}", ran.stderr);
    }
}

/// A tree by strangers may bring settings that hide something.
#[test]
fn settings_of_a_tree_are_no_secret() {
    let dir = Dir::new();
    dir.file("urigrep.toml", "[search]\nglob = [\"!*.txt\"]\ndomain = [\"b.dev\"]\n");
    dir.file("a.txt", "http://a.dev/\n").file(".ignore", "b.md\n").file("b.md", "http://a.dev/\n");
    let ran = dir.run(["."]);
    assert_eq!((ran.status, ran.out()), (Some(1), ""));
    let note = "urigrep.toml sets --domain, --glob, which --no-config ignores\n";
    assert!(
        ran.stderr.starts_with("urigrep: nothing found; ") && ran.stderr.ends_with(note),
        "{ran:?}"
    );
    assert_eq!(dir.run(["-q", "."]).stderr, "");
    dir.file("c/urigrep.toml", "[search]\nmax-uri = 1\n").file("c/a.txt", "http://a.dev/\n");
    let ran = dir.run(["c"]);
    assert!(ran.stderr.contains("sets --max-uri, which --no-config ignores"), "{ran:?}");
    std::fs::remove_dir_all(dir.join("c")).unwrap();
    dir.run(["--untrusted", "."])
        .is_sorted(0, &["./a.txt:1:http://a.dev/", "./b.md:1:http://a.dev/"]);
}

/// `--write-baseline` writes the file that the settings name.
#[test]
fn a_baseline_of_a_tree_replaces_no_other_file() {
    let dir = Dir::new();
    let settings = |path: &str| format!("[audit]\nbaseline = \"{path}\"\n");
    dir.file("tree/a.md", "[x](gone.md)\n").file("mine.txt", "mine");
    for path in ["../mine.txt", "/etc/passwd", ".git/config"] {
        dir.file("tree/urigrep.toml", settings(path));
        let ran = dir.run(["audit", "--write-baseline", "tree"]);
        assert!(ran.stderr.contains("must be below the directory of this file"), "{ran:?}");
        assert_eq!(ran.status, Some(2));
    }
    dir.file("tree/urigrep.toml", settings("a.md"));
    let ran = dir.run(["audit", "--write-baseline", "tree"]);
    assert!(ran.stderr.contains("it is not a baseline, and was not replaced"), "{ran:?}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../mine.txt", dir.join("tree/link.json")).unwrap();
        dir.file("tree/urigrep.toml", settings("link.json"));
        let ran = dir.run(["audit", "--write-baseline", "tree"]);
        assert!(ran.stderr.contains("it is a link to another directory"), "{ran:?}");
        std::os::unix::fs::symlink("..", dir.join("tree/up")).unwrap();
        dir.file("tree/urigrep.toml", settings("up/new.json"));
        let ran = dir.run(["audit", "--write-baseline", "tree"]);
        assert!(ran.stderr.contains("must be below the directory of this file"), "{ran:?}");
        assert!(!dir.join("new.json").exists());
    }
    assert_eq!(std::fs::read_to_string(dir.join("mine.txt")).unwrap(), "mine");
    dir.file("tree/urigrep.toml", settings("known.json"));
    for _ in 0..2 {
        assert_eq!(dir.run(["audit", "--write-baseline", "tree"]).status, Some(0));
    }
    assert_eq!(dir.run(["audit", "tree"]).status, Some(0));
    assert_eq!(dir.run(["audit", "--untrusted", "tree"]).status, Some(1));
}

#[test]
fn untrusted_ignore_files_excuse_no_link() {
    let dir = Dir::new();
    dir.file(".git/HEAD", "ref: refs/heads/main\n");
    dir.file(".gitignore", "*\n");
    dir.file("a.md", "[x](no.md)\n");
    // What a build makes may be missing, and this tree says that it makes everything.
    let audit = |flags: &[&str]| dir.run([&["audit", "--no-ignore"], flags, &["."]].concat());
    assert_eq!(audit(&[]).status, Some(0));
    let ran = audit(&["--untrusted"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out().contains("[missing-target]: no such file: `no.md`"), "{ran:?}");
}
