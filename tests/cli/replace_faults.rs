//! What may go wrong while files are changed: nothing is lost, and nothing is left over.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Dir, LIMIT, command, wait};

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

/// After ^C each file is the old or the new one, and no temporary file is left.
#[test]
fn a_signal_between_two_files() {
    const FILES: usize = 60;
    for (args, old, new) in changes() {
        let dir = Dir::new();
        // Few lines: an edit in a document takes longer than one in plain text.
        let (old, new) = [old, new].map(|uri| format!("see {uri}\n\n").repeat(300)).into();
        let is_fix = args.contains(&"--fix");
        let name = |number: usize| format!("{number:02}.{}", if is_fix { "md" } else { "txt" });
        for number in 0..FILES {
            dir.file(name(number), &old);
        }
        dir.file("b.md", "# B\n");
        let mut child = command(&args).current_dir(dir.path()).arg(".").spawn().expect("it runs");
        let started = Instant::now();
        let read = |number| fs::read_to_string(dir.join(name(number))).expect("a file");
        while !(0..FILES).any(|number| read(number) == new) {
            assert!(started.elapsed() < LIMIT, "nothing is changed");
            thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let status = wait(&mut child);
        assert!(status.signal() == Some(2) || status.code().is_some_and(|it| it < 2), "{status}");
        assert_eq!(names(dir.path()).len(), FILES + 1, "{:?}", names(dir.path()));
        for number in 0..FILES {
            let text = read(number);
            assert!(text == old || text == new, "{args:?}: {number}");
        }
    }
}

/// Read-only files and those with other names stay; a symbolic link stays one, and permissions
/// stay.
#[test]
fn files_that_must_not_change_are_left_alone() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for (args, old, new) in changes() {
        let dir = Dir::new();
        dir.file("linked.md", old).file("read-only.md", old).file("mode.md", old);
        dir.file("real/target.md", old).file("b.md", "# B\n").file("real/b.md", "# B\n");
        symlink("real/target.md", dir.join("symlink.md")).expect("a link");
        fs::hard_link(dir.join("linked.md"), dir.join("other-name.md")).expect("a link");
        let mode = |name: &str, mode| {
            fs::set_permissions(dir.join(name), fs::Permissions::from_mode(mode)).expect("a mode");
        };
        mode("read-only.md", 0o444);
        mode("mode.md", 0o640);
        let names = ["linked.md", "read-only.md", "mode.md", "symlink.md"];
        let ran = dir.run(args.iter().chain(&names));
        assert_eq!(ran.status, Some(2), "{args:?}: {}", ran.stderr);
        for said in [
            "linked.md: not changed: it has other names",
            "read-only.md: not changed: it is read-only",
        ] {
            assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
        }
        let read = |name: &str| fs::read_to_string(dir.join(name)).expect("a file");
        assert_eq!(names.map(read), [old, old, new, new], "{args:?}");
        let is_link = fs::symlink_metadata(dir.join("symlink.md")).expect("a file").is_symlink();
        let mode = fs::metadata(dir.join("mode.md")).expect("a file").permissions().mode();
        assert!(is_link && mode & 0o777 == 0o640, "{args:?}");
        let files = fs::read_dir(dir.path()).expect("a directory").count();
        assert_eq!(files, 7, "{args:?}: no temporary file is left");
    }
}

/// Without its access control list, a file could be read by more people than before.
#[test]
fn attributes_and_access_control_lists_stay() {
    // An entry is a tag, permissions, and a user (acl(5)): user, user 12345, group, mask, others.
    const ENTRIES: [(u16, u16, u32); 5] = [
        (0x01, 6, u32::MAX),
        (0x02, 4, 12_345),
        (0x04, 0, u32::MAX),
        (0x10, 4, u32::MAX),
        (0x20, 0, u32::MAX),
    ];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, user) in ENTRIES {
        list.extend([tag.to_le_bytes(), permissions.to_le_bytes()].concat());
        list.extend(user.to_le_bytes());
    }
    let attributes = [("user.origin", b"a".as_slice()), ("system.posix_acl_access", &list)];
    for (args, old, new) in changes() {
        let dir = Dir::new();
        dir.file("a.md", old).file("b.md", "# B\n");
        let file = dir.join("a.md");
        for (name, value) in attributes {
            if let Err(error) = xattr::set(&file, name, value) {
                eprintln!("SKIPPED: {name}: {error}");
                return;
            }
        }
        let ran = dir.run(args.iter().chain(&["a.md"]));
        assert_eq!(fs::read_to_string(&file).expect("a file"), new, "{args:?}: {}", ran.stderr);
        for (name, value) in attributes {
            let kept = xattr::get(&file, name).expect("attributes");
            assert_eq!(kept.as_deref(), Some(value), "{args:?}: {name}");
        }
    }
}

/// A full disk leaves the old baseline.
#[test]
fn a_baseline_is_written_at_once() {
    let dir = Dir::new();
    dir.file("a.md", "[x](old.md)\n");
    let write = ["audit", "--write-baseline", "--baseline", "known.json", "."];
    assert_eq!(dir.run(write).status, Some(0));
    let before = fs::read_to_string(dir.join("known.json")).expect("a baseline");
    let links: String = (0..2_000).map(|number| format!("![x](m{number}.png)\n\n")).collect();
    dir.file("a.md", links);
    let line = format!("trap '' XFSZ; ulimit -f 64; exec '{PROGRAM}' \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line, "sh"]).args(write).current_dir(dir.path());
    let ran = shell.output().expect("a shell");
    assert_eq!(ran.status.code(), Some(2), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(fs::read_to_string(dir.join("known.json")).expect("a baseline") == before);
    assert_eq!(names(dir.path()).len(), 2, "{:?}", names(dir.path()));
}

/// Reading a pipe would wait for a writer.
#[cfg(unix)]
#[test]
fn a_baseline_that_is_a_pipe_is_refused() {
    let dir = Dir::new();
    dir.file("a.md", "[x](old.md)\n");
    let fifo = dir.join("known.json");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let ran = dir.run(["audit", "--write-baseline", "--baseline", "known.json", "."]);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("known.json"), "{}", ran.stderr);
}

/// A file that is another one by the time that it is written stays as it is.
#[cfg(unix)]
#[test]
fn a_hostile_name_adds_no_lines_to_the_diff() {
    let dir = Dir::new();
    let name = "y\n--- a/victim\n+++ b/victim\n@@ -1 +1 @@\n-victim\n+OWNED";
    dir.file(name, "http://old.dev/\n").file("a b.txt", "http://old.dev/\n");
    let diff = dir.run(["replace", "http://old.dev", "http://new.dev", "."]);
    let names: Vec<_> = diff.out().lines().filter(|line| line.starts_with("+++ ")).collect();
    assert_eq!(names.len(), 2, "{}", diff.out());
    assert!(diff.out().contains("+++ b/a b.txt\t\n"));
    assert!(diff.out().contains("+++ \"b/y\\n--- a/victim\\n+++ b/victim\\n"), "{}", diff.out());
}

/// The URI would end the string around it, and what follows would be run.
#[test]
fn no_replacement_ends_the_string_around_it() {
    let dir = Dir::new();
    let wrapped = "https://www.google.com/url?q=https%3A%2F%2Fx.dev%2F%27a%3Bid%3B%27a&sa=D";
    dir.file("a.sh", format!("curl '{wrapped}'\n")).file("b.toml", "d = 'http://old.dev/w'\n");
    dir.file("c.md", "it's [x](http://old.dev/w) isn't\n");
    let ran = dir.run(["replace", "--unwrap", "--write", "a.sh"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("a program may act on"), "{ran:?}");
    let ran = dir.run(["replace", "--write", "http://old.dev", "http://new.dev/q'a", "b.toml"]);
    assert!(ran.status == Some(2) && ran.stderr.contains("quotation mark"), "{ran:?}");
    let text = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    assert!(text("a.sh").contains(wrapped) && text("b.toml").contains("'http://old.dev/w'"));
    // Markup says where a destination ends.
    dir.run(["replace", "--write", "http://old.dev", "http://new.dev/q'a", "c.md"]);
    assert_eq!(text("c.md"), "it's [x](http://new.dev/q'a/w) isn't\n");
}

#[test]
fn files_are_changed_though_nobody_reads_on() {
    let dir = Dir::new();
    for at in 0..60 {
        dir.file(format!("{at}.txt"), "http://old.dev/a\n");
    }
    let args = ["replace", "--write", "--json", "http://old.dev", "http://new.dev", "."];
    let mut child = command(args).current_dir(dir.path()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    dir.run(["-IN", "--count-by=host", "."]).is(0, "60 new.dev\n");
}

#[test]
fn what_is_redacted_is_not_shown_unasked() {
    let dir = Dir::new();
    let log = "{\"password\": \"hunter2\"}\nAuthorization: Basic am86cHc=\nsecretKey=a1/b2+c3==\n\
               GET http://jo:pw@a.dev/\n";
    let redacted = "{\"password\": \"REDACTED\"}\nAuthorization: Basic REDACTED\nsecretKey=REDACTED\n\
                    GET http://REDACTED@a.dev/\n";
    assert_eq!(crate::support::pipe(["replace", "--redact"], log).out(), redacted);
    dir.file("app.log", log);
    let ran = dir.run(["replace", "--redact", "app.log"]);
    assert!(ran.stderr.contains("shows the secrets"), "{}", ran.stderr);
    let ran = dir.run(["replace", "--redact", "--json", "app.log"]);
    assert!(
        !["hunter2", "am86cHc", "c3==", "pw@"].iter().any(|it| ran.out().contains(it)),
        "{ran:?}"
    );
    let ran = dir.run(["--redact", "https://jo:hunter2@a.dev/"]);
    assert!(ran.status == Some(2) && !ran.stderr.contains("hunter2"), "{}", ran.stderr);
    dir.file("a.md", "[x](B.md) http://jo:pw@a.dev/\n").file("b.md", "");
    let ran = dir.run(["audit", "--redact", "--diff", "a.md"]);
    assert!(ran.stderr.contains("with their secrets"), "{}", ran.stderr);
    dir.run(["replace", "--redact", "--write", "app.log"]);
    assert_eq!(std::fs::read_to_string(dir.join("app.log")).unwrap(), redacted);
}

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

/// Somebody else who may write to a tree puts a link in the place of a directory or a file, after the walk has seen it
/// and before it is changed: nothing outside of the tree changes.
#[cfg(unix)]
#[test]
fn a_link_that_came_meanwhile() {
    use std::os::unix::fs::symlink;
    use urigrep::change::{FileSnapshot, ReplaceError};
    let dir = Dir::new();
    dir.file("tree/sub/a.txt", "http://a.dev/x\n").file("out/a.txt", "http://a.dev/x\n");
    let (tree, sub) = (dir.join("tree"), dir.join("tree/sub"));
    let read = || FileSnapshot::read_below(&tree, Path::new("sub/a.txt"));
    let before = read().expect("a file");
    let is_refused = |replaced| matches!(replaced, Err(ReplaceError::Changed));
    fs::rename(&sub, dir.join("tree/old")).unwrap();
    symlink(dir.join("out"), &sub).unwrap();
    assert!(is_refused(before.replace(b"https://b.dev/x\n")));
    assert!(is_refused(read().map(drop)));
    fs::remove_file(&sub).unwrap();
    fs::rename(dir.join("tree/old"), &sub).unwrap();
    fs::remove_file(sub.join("a.txt")).unwrap();
    symlink(dir.join("out/a.txt"), sub.join("a.txt")).unwrap();
    assert!(is_refused(before.replace(b"https://b.dev/x\n")));
    assert!(is_refused(read().map(drop)));
    assert_eq!(fs::read(dir.join("out/a.txt")).unwrap(), b"http://a.dev/x\n");
    assert_eq!(
        (names(&dir.join("out")), names(&sub)),
        (vec!["a.txt".into()], vec!["a.txt".into()])
    );
    // A link that the user names is followed.
    FileSnapshot::read(&sub.join("a.txt")).unwrap().replace(b"new").unwrap();
    assert_eq!(fs::read(dir.join("out/a.txt")).unwrap(), b"new");
}

#[test]
fn a_long_name() {
    let dir = Dir::new();
    let name = format!("{}.txt", "n".repeat(251));
    dir.file(&name, "http://a.dev/x\n");
    let ran = dir.run(["replace", "-w", "http://a.dev", "https://b.dev", "."]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(fs::read(dir.join(&name)).unwrap(), b"https://b.dev/x\n");
}

#[test]
fn no_change_is_lost_to_another_one() {
    use urigrep::change::{FileSnapshot, ReplaceError};
    const THREADS: usize = 4;
    const CHANGES: usize = 100;
    let dir = Dir::new();
    dir.file("a.txt", "");
    let path = dir.join("a.txt");
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut count = 0;
                while count < CHANGES {
                    let read = FileSnapshot::read(&path).expect("a file");
                    match read.replace(&[read.bytes(), b"x"].concat()) {
                        Ok(()) => count += 1,
                        Err(ReplaceError::Changed | ReplaceError::Locked) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    assert_eq!(fs::read(&path).expect("a file").len(), THREADS * CHANGES);
}

/// A pipe was read, and then opened again to change it: nobody writes to it a second time.
#[test]
fn a_named_pipe() {
    let dir = Dir::new();
    let fifo = dir.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let writer = thread::spawn(move || fs::write(fifo, "see http://a.dev/x\n"));
    let ran = dir.run(["replace", "-w", "http://a.dev", "https://b.dev", "fifo"]);
    writer.join().expect("a thread").expect("a pipe");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("fifo: not changed: it is not a regular file"), "{}", ran.stderr);
}

/// A binary file in a folder is left alone, so it may be larger than what can be changed.
#[test]
fn a_large_binary_file() {
    let dir = Dir::new();
    let file = fs::File::create(dir.join("a.bin")).expect("a file");
    // The file has no blocks, so the disk holds nothing of it.
    file.set_len(1100 << 20).expect("a length");
    let ran = dir.run(["replace", "-w", "--redact", "."]);
    assert!(!ran.stderr.contains("not changed"), "{}", ran.stderr);
    assert_ne!(ran.status, Some(2), "{}", ran.stderr);
}
