//! Files and directories that can't be read, are no files, never end, or lead in circles.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use super::tree::Tree;
use crate::support::{command, finish, has, spawn};

const URI: &str = "http://bad.example/\n";

#[test]
fn a_file_that_is_truncated() {
    let tree = Tree::new();
    let text: String = (0..400_000).map(|n| format!("http://a.example/{n}\n")).collect();
    for threads in ["-j1", "-j4"] {
        tree.dir.file("m-bad", &text);
        // nobody reads its output at first, so it has read but a part when the file gets shorter
        let mut child = spawn(command([threads, "m-bad"]).current_dir(tree.dir.path()));
        let mut first = [0; 1];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        let file = File::options().write(true).open(tree.dir.join("m-bad")).unwrap();
        file.set_len(1000).unwrap();
        let ran = finish(child);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{threads}");
        // the last one may have been cut with the file
        let whole = ran.out().trim_end().rfind('\n').unwrap() + 1;
        assert!(text[1..].starts_with(&ran.out()[..whole]), "{threads}");
    }
    tree.survives(&[], 0, &[]);
}

/// It is searched as far as it went when it was opened.
#[test]
fn a_file_that_grows() {
    let tree = Tree::new();
    tree.dir.file("m-bad", URI.repeat(100));
    // The output goes into the file that is read.
    let out = File::options().append(true).open(tree.dir.join("m-bad")).unwrap();
    let status = command(["m-bad"])
        .current_dir(tree.dir.path())
        .stdin(Stdio::null())
        .stdout(out)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    let text = fs::read_to_string(tree.dir.join("m-bad")).unwrap();
    assert_eq!(text.lines().count(), 200);
    tree.survives(&[], 0, &[]);
}

/// Nothing of it is read, so that it costs no memory.
#[test]
fn a_document_that_is_too_large_for_an_audit() {
    let tree = Tree::new();
    tree.dir.file("m-bad.html", "<a href=none>a</a>".repeat(10_000));
    let file = File::options().write(true).open(tree.dir.join("m-bad.html")).unwrap();
    file.set_len((1 << 30) + 1).unwrap();
    let output = command(["audit", "m-bad.html"]).current_dir(tree.dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "urigrep: m-bad.html: not audited: it is larger than 1024 MiB\n");
    // No audit follows a diff of the fixes, so it says the same.
    let ran = tree.dir.run(["audit", "--fix", "--diff", "m-bad.html"]);
    assert!(ran.status == Some(2) && ran.stderr.contains(said.trim_end()), "{ran:?}");
}

#[test]
fn unreadable_files_and_directories() {
    if !has("setpriv") {
        return;
    }
    let tree = Tree::new();
    tree.dir.file("m-bad/locked", URI).file("m-bad/shut/b", URI);
    let mode = |name: &str, mode| {
        fs::set_permissions(tree.dir.join(name), Permissions::from_mode(mode)).unwrap();
    };
    mode(".", 0o755);
    mode("m-bad/locked", 0);
    mode("m-bad/shut", 0);
    let as_nobody = |args: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--clear-groups", env!("CARGO_BIN_EXE_urigrep")]);
        finish(spawn(command.args(args).current_dir(tree.dir.path()).stdin(Stdio::null())))
    };
    let probe = as_nobody(&["-V"]);
    if probe.status != Some(0) {
        eprintln!("SKIPPED: setpriv can't run the command: {}", probe.stderr);
    } else {
        for flags in [&[][..], &["-L"]] {
            let denied =
                ["locked", "shut"].map(|name| format!("urigrep: m-bad/{name}: Permission denied"));
            tree.survives_as(as_nobody, flags, 2, &denied.each_ref().map(String::as_str));
        }
    }
    mode("m-bad/shut", 0o755);
}

#[test]
fn files_of_proc() {
    if !fs::exists("/proc/self/mem").unwrap() || !fs::exists("/proc/cpuinfo").unwrap() {
        eprintln!("SKIPPED: this test needs /proc");
        return;
    }
    let tree = Tree::new();
    // their size is 0, but there is something in them
    let ran = tree.dir.run(["--json", "--stats", "/proc/cpuinfo"]);
    assert!(ran.out().contains(r#""files":1"#), "{ran:?}");
    assert!(!ran.out().contains(r#""bytes":0"#), "{ran:?}");
    // its first bytes can't be read
    let ran = tree.dir.run(["-I", "-N", "/proc/self/mem", "a.txt"]);
    let clean = tree.dir.run(["-I", "-N", "a.txt"]);
    assert_eq!((ran.status, ran.out()), (Some(2), clean.out()));
    assert_eq!(ran.stderr, "urigrep: /proc/self/mem: Input/output error\n");
    symlink("/proc/self/mem", tree.dir.join("m-bad")).unwrap();
    tree.survives(&["-L"], 2, &["urigrep: m-bad: Input/output error"]);
}

#[test]
fn fifo_socket_device() {
    let tree = Tree::new();
    fs::create_dir(tree.dir.join("m-bad")).unwrap();
    let socket = UnixListener::bind(tree.dir.join("m-bad/socket")).unwrap();
    let made = Command::new("mkfifo").arg(tree.dir.join("m-bad/fifo")).status();
    assert!(made.unwrap().success());
    let made = Command::new("mknod")
        .arg(tree.dir.join("m-bad/device"))
        .args(["c", "1", "5"])
        .stderr(Stdio::null())
        .status();
    let skipped = if made.is_ok_and(|made| made.success()) {
        3
    } else {
        eprintln!("SKIPPED: no device can be made here");
        2
    };
    tree.survives(&[], 0, &[]);
    let ran = tree.dir.run(["--json", "--stats"]);
    let numbers = format!(r#""files":12,"skipped":{skipped},"#);
    assert!(ran.out().contains(&numbers), "{ran:?}");
    drop(socket);
}

#[test]
fn links_that_lead_nowhere() {
    let tree = Tree::new();
    fs::create_dir(tree.dir.join("m-bad")).unwrap();
    symlink("nowhere", tree.dir.join("m-bad/dangling")).unwrap();
    symlink("self", tree.dir.join("m-bad/self")).unwrap();
    symlink("..", tree.dir.join("m-bad/up")).unwrap();
    tree.survives(&[], 0, &[]);
    let said = ["urigrep: m-bad/dangling: No such file or directory", "urigrep: m-bad/self: *"];
    tree.survives(&["-L"], 2, &said);
}

#[test]
fn a_maze_of_links() {
    let tree = Tree::new();
    for room in 0..12 {
        tree.dir.file(format!("m-bad/{room:02}/file"), URI);
        for other in 0..12 {
            let door = tree.dir.join(format!("m-bad/{room:02}/to{other:02}"));
            symlink(format!("../{other:02}"), door).unwrap();
        }
    }
    let ran = tree.survives(&["-L"], 0, &[]);
    // each file once, by whatever way
    assert_eq!(ran.out().matches("http://bad.example/").count(), 12);
}

#[test]
fn directories_deeper_than_a_path_is_long() {
    if !has("python3") {
        return;
    }
    let tree = Tree::new();
    let script = "import os\nos.mkdir('m-bad')\nd = os.open('m-bad', os.O_RDONLY)\n\
        for _ in range(24):\n os.mkdir('d' * 200, dir_fd=d)\n e = os.open('d' * 200, os.O_RDONLY, dir_fd=d)\n \
        os.close(d)\n d = e\nf = os.open('f', os.O_CREAT | os.O_WRONLY, dir_fd=d)\nos.write(f, b'http://bad.example/')\n";
    let mut python = Command::new("python3");
    let made = python.args(["-c", script]).current_dir(tree.dir.path()).status();
    assert!(made.unwrap().success());
    let ran = tree.survives(&[], 2, &["urigrep: m-bad/ddd*"]);
    assert!(ran.stderr.ends_with(": File name too long\n"));
}

#[test]
fn many_files() {
    let tree = Tree::new();
    for file in 0..2000 {
        tree.dir.file(format!("m-bad/{}/{file}", file % 7), URI);
    }
    let ran = tree.survives(&[], 0, &[]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 2000);
}

#[test]
fn names_of_any_bytes() {
    let tree = Tree::new();
    let names: [&[u8]; 3] = [b"m-bad/\xff", b"m-bad/\x1b[31m", "m-bad/\u{202e}\u{2028}".as_bytes()];
    for name in names {
        tree.dir.file(OsStr::from_bytes(name), URI);
    }
    let ran = tree.survives_as(
        |args| {
            let mut ran = tree.dir.run(args);
            // in a pipe the bytes are those of the name; `out` wants UTF-8
            ran.stdout.iter_mut().filter(|byte| **byte == 0xff).for_each(|byte| *byte = b'?');
            ran
        },
        &[],
        0,
        &[],
    );
    assert!(ran.out().contains("m-bad/\x1b[31m:1:http://bad.example/\n"));
    // a line end in a name is told from that of a record by --null
    let name = OsStr::from_bytes(b"m-bad/x\ny");
    tree.dir.file(name, URI);
    let ran = tree.dir.run(["-l0", "m-bad"]);
    let paths: Vec<_> = ran.stdout.split(|&byte| byte == 0).collect();
    assert!(paths.contains(&&b"m-bad/x\ny"[..]) && paths.contains(&&b"m-bad/\xff"[..]));
    let ran = tree.dir.run(["--json", "m-bad"]);
    assert!(ran.out().contains(r#""path":{"bytes":"bS1iYWQv/w=="}"#), "{ran:?}");
    // and in a diagnostic it is shown
    let ran = tree.dir.run([OsStr::new("a.txt"), OsStr::from_bytes(b"no\nsuch\x1b")]);
    assert_eq!(ran.stderr, "urigrep: no\\nsuch\\x1b: No such file or directory\n");
}

/// SQLite: the latest changes of a database that is in use are in another file.
#[test]
fn a_write_ahead_log_is_named() {
    let tree = Tree::new();
    if !has("python3") {
        eprintln!("SKIPPED: a database is made by python3");
        return;
    }
    let program = "import sqlite3, shutil\n\
                   d = sqlite3.connect('live.sqlite'); d.execute('pragma journal_mode=wal')\n\
                   d.execute('create table t (a)'); d.execute(\"insert into t values ('http://wal.example/')\"); d.commit()\n\
                   shutil.copy('live.sqlite', 'old.sqlite'); shutil.copy('live.sqlite-wal', 'old.sqlite-wal')\n";
    let made = Command::new("python3").args(["-c", program]).current_dir(tree.dir.path()).status();
    assert!(made.expect("python3").success());
    let ran = finish(spawn(command(["old.sqlite"]).current_dir(tree.dir.path())));
    let said = "changes of it that are still in `old.sqlite-wal` were not read";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    fs::remove_file(tree.dir.join("old.sqlite-wal")).expect("a file");
    let ran = finish(spawn(command(["old.sqlite"]).current_dir(tree.dir.path())));
    assert!(!ran.stderr.contains("-wal"), "{}", ran.stderr);
}
