//! Which files of a directory are searched, and in which order.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::support::{Dir, Ran, command, finish, spawn};

const URI: &str = "http://a.example/\n";

fn paths(ran: &Ran) -> Vec<String> {
    let mut paths: Vec<_> = ran.out().lines().map(str::to_owned).collect();
    paths.sort_unstable();
    paths
}

#[track_caller]
fn finds(dir: &Dir, args: &[&str], wanted: &[&str]) {
    let ran = dir.run(["-l"].iter().chain(args));
    assert_eq!(paths(&ran), wanted, "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stderr, "", "{args:?}");
}

fn tree() -> Dir {
    let dir = Dir::new();
    dir.file("a.md", URI)
        .file("b.rs", URI)
        .file(".hidden/c.md", URI)
        .file("d/e/f.md", URI)
        .file("d/ignored.md", URI)
        .file("d/.ignore", "ignored.md\n")
        .file("binary.bin", format!("\0{URI}"))
        .file(
            "utf16.txt",
            "\u{feff}http://utf16.example/\n"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>(),
        );
    dir
}

#[test]
fn hidden_ignored_binary() {
    let dir = tree();
    finds(&dir, &[], &["a.md", "b.rs", "d/e/f.md", "utf16.txt"]);
    finds(&dir, &["--hidden"], &[".hidden/c.md", "a.md", "b.rs", "d/e/f.md", "utf16.txt"]);
    finds(&dir, &["-.", "d"], &["d/e/f.md"]);
    finds(&dir, &["--no-ignore", "d"], &["d/e/f.md", "d/ignored.md"]);
    finds(&dir, &["-u", "d"], &["d/e/f.md", "d/ignored.md"]);
    finds(
        &dir,
        &["-uu", "."],
        &["./.hidden/c.md", "./a.md", "./b.rs", "./d/e/f.md", "./d/ignored.md", "./utf16.txt"],
    );
    for flag in ["-uuu", "-a", "--text", "--binary"] {
        assert!(paths(&dir.run(["-l", flag])).contains(&"binary.bin".to_owned()), "{flag}");
    }
    finds(
        &dir,
        &["d/ignored.md", ".hidden/c.md", "binary.bin"],
        &[".hidden/c.md", "binary.bin", "d/ignored.md"],
    );
    let ran = dir.run(["--stats", "-I"]);
    assert!(ran.out().contains(" 1 binary or special file skipped\n"), "{ran:?}");
}

#[test]
fn types_globs_depth_size() {
    let dir = tree();
    finds(&dir, &["-t", "markdown"], &["a.md", "d/e/f.md"]);
    finds(&dir, &["-T", "markdown", "-T", "txt"], &["b.rs"]);
    finds(&dir, &["-g", "*.rs"], &["b.rs"]);
    finds(&dir, &["-g", "!*.md", "-g", "!*.txt"], &["b.rs"]);
    finds(&dir, &["--iglob", "*.RS"], &["b.rs"]);
    finds(&dir, &["-g", "*.RS"], &[]);
    finds(&dir, &["-d", "1"], &["a.md", "b.rs", "utf16.txt"]);
    finds(&dir, &["-d2", "d"], &["d/e/f.md"]);
    finds(&dir, &["--max-filesize", "18", "--one-file-system"], &["a.md", "b.rs", "d/e/f.md"]);
    finds(&dir, &["-t", "rust", "a.md"], &["a.md"]);
}

#[test]
fn links() {
    let dir = Dir::new();
    dir.file("real/a", URI);
    symlink("real", dir.join("link")).unwrap();
    symlink("real/a", dir.join("file")).unwrap();
    symlink("..", dir.join("real/up")).unwrap();
    finds(&dir, &[], &["real/a"]);
    finds(&dir, &["link"], &["link/a"]);
    finds(&dir, &["file"], &["file"]);
    finds(&dir, &["-L"], &["file", "link/a"]);

    symlink("nowhere", dir.join("dangling")).unwrap();
    symlink("self", dir.join("self")).unwrap();
    finds(&dir, &[], &["real/a"]);
    let ran = dir.run(["-lL"]);
    assert_eq!((ran.status, paths(&ran)), (Some(2), vec!["file".to_owned(), "link/a".to_owned()]));
    let mut said: Vec<_> = ran.stderr.lines().collect();
    said.sort_unstable();
    assert_eq!(said.len(), 2, "{}", ran.stderr);
    assert_eq!(said[0], "urigrep: dangling: No such file or directory");
    assert!(said[1].starts_with("urigrep: self: "), "{said:?}");
}

/// In whatever order: a walk in one thread calls it a link, not a directory.
#[test]
fn a_link_to_a_directory_is_entered_where_it_is_given() {
    let dir = Dir::new();
    dir.file("real/a.md", URI);
    symlink("real", dir.join("link")).unwrap();
    for args in [&["-l", "link"][..], &["-l", "--sort=path", "link"], &["-l", "-j1", "link"]] {
        let ran = dir.run(args.iter().copied());
        assert_eq!((ran.status, ran.stderr.as_str(), ran.out()), (Some(0), "", "link/a.md\n"));
    }
    let ran = dir.run(["audit", "--no-config", "link"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{}", ran.out());
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let dir = Dir::new();
    for file in 0..300 {
        let mut text = String::new();
        for line in 0..file * 7 % 50 {
            text += &format!("http://h{line}.example/{file}\nurn:x{file}\n");
        }
        dir.file(format!("d{}/e{}/f{file}", file % 3, file % 7), text);
    }
    fs::write(dir.join("big"), "http://big.example/x\n".repeat(200_000)).unwrap();
    let one = dir.run(["-j1"]);
    let sorted = dir.run(["-j1", "--sort=path"]);
    assert_eq!(one.sorted(), sorted.sorted());
    assert!(one.sorted().len() > 200_000);
    for threads in ["-j2", "-j4", "-j0"] {
        assert_eq!(dir.run([threads]).sorted(), one.sorted(), "{threads}");
        assert!(dir.run([threads, "--sort=path"]).stdout == sorted.stdout, "{threads}");
        let heading = dir.run([threads, "--heading", "--sort=path"]);
        assert!(heading.stdout == dir.run(["-j1", "--heading", "--sort=path"]).stdout, "{threads}");
    }
    let files = |ran: Ran| {
        let mut files: Vec<_> =
            ran.out().lines().map(|line| line.split(':').next().unwrap().to_owned()).collect();
        files.dedup();
        files.len()
    };
    // The lines of a file stay together.
    assert_eq!(files(dir.run(["-j4"])), files(dir.run(["--sort=path"])));
    assert_eq!(
        dir.run(["-j4", "--sort=path", "d2", "big", "d0"]).out().lines().next().unwrap(),
        "big:1:http://big.example/x"
    );
}

#[test]
fn stdout_is_not_searched() {
    let dir = Dir::new();
    dir.file("a", URI);
    let out = fs::File::create(dir.join("out")).unwrap();
    let status = crate::support::command([""; 0])
        .current_dir(dir.path())
        .stdin(std::process::Stdio::null())
        .stdout(out)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(fs::read_to_string(dir.join("out")).unwrap(), "a:1:http://a.example/\n");
}

type Variables<'v> = &'v [(&'v str, &'v str)];

/// Git's file of exclusions for all repositories, wherever git looks for it; outside a repository
/// it says nothing.
#[test]
fn global_excludes() {
    let dir = Dir::new();
    dir.file("home/excludes", "a.md\n")
        .file("named/config", "[core]\n\tExcludesFile = ~/excludes\n")
        .file("unnamed/config", "[core]\n\tpager = less\n")
        .file("default/git/ignore", "a.md\n")
        .file("configured/git/config", "[core]\nexcludesfile=~/excludes\n")
        .file(
            "with-config/.gitconfig",
            format!("[core]\nEXCLUDESFILE = {}\n", dir.join("home/excludes").display()),
        )
        .file("with-default/.config/git/ignore", "a.md\n")
        .file("repository/.git/HEAD", "")
        .file("plain/a.md", URI)
        .file("repository/a.md", URI)
        .file("repository/b.md", URI);
    let home = ("HOME", "home");
    let all = ["a.md", "b.md"];
    let one = ["b.md"];
    let cases: [(Variables<'_>, &[&str]); 9] = [
        (&[home], &all),
        (&[home, ("XDG_CONFIG_HOME", "default")], &one),
        (&[home, ("XDG_CONFIG_HOME", "configured")], &one),
        (&[home, ("GIT_CONFIG_GLOBAL", "named/config")], &one),
        (&[home, ("GIT_CONFIG_SYSTEM", "named/config")], &one),
        (&[home, ("GIT_CONFIG_SYSTEM", "unnamed/config")], &all),
        (&[("HOME", "with-config")], &one),
        (&[("HOME", "with-default")], &one),
        (&[("HOME", "with-default"), ("XDG_CONFIG_HOME", "home")], &all),
    ];
    for (variables, wanted) in cases {
        for (place, wanted) in [("repository", wanted), ("plain", &["a.md"])] {
            for args in [["-l", "-j1"], ["-l", "-j2"], ["--files", "-j2"]] {
                let mut command = command(args);
                for name in ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"] {
                    command.env_remove(name);
                }
                command.env("GIT_CONFIG_SYSTEM", dir.join("none"));
                command.envs(variables.iter().map(|(name, path)| (name, dir.join(path))));
                command.current_dir(dir.join(place)).stdin(Stdio::null());
                let ran = finish(spawn(&mut command));
                assert_eq!(paths(&ran), wanted, "{variables:?} {args:?}: {}", ran.stderr);
            }
        }
    }
}
