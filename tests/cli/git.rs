//! What git is asked: settings of a user and of a checkout change no answer, and run nothing.

use std::fs;
use std::path::PathBuf;

use crate::support::{Dir, Ran, command, finish, spawn};

/// A checkout with one commit.
fn checkout() -> Dir {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    dir.file("a.md", lines(1..=9)).file("b.md", lines(1..=9));
    commit(&dir, "one");
    dir
}

fn lines(numbers: std::ops::RangeInclusive<u8>) -> String {
    numbers.map(|number| format!("http://a.example/{number}\n")).collect()
}

fn commit(dir: &Dir, message: &str) {
    dir.git(&["add", "-A"]);
    dir.git(&["commit", "-qm", message]);
}

/// A program of the checkout; it leaves a trace if it runs.
#[cfg(unix)]
fn program(dir: &Dir, name: &str) -> (String, PathBuf) {
    use std::os::unix::fs::PermissionsExt;

    let (path, trace) = (dir.join(name), dir.join(format!(".git/ran-{name}")));
    fs::write(&path, format!("#!/bin/sh\ntouch '{}'\ncat\n", trace.display())).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    (path.display().to_string(), trace)
}

#[cfg(unix)]
#[test]
fn no_setting_of_a_checkout_runs_a_program() {
    let dir = checkout();
    dir.file(".gitattributes", "*.md filter=e diff=e\na.md filter=a=b\n")
        .file("to-move.md", "# T\n\ntext\n");
    commit(&dir, "attributes");
    dir.git(&["mv", "to-move.md", "moved.md"]);
    dir.git(&["commit", "-qm", "moved"]);
    dir.file("a.md", "[x](to-move.md)\nhttp://a.example/2\n");
    let mut traces = Vec::new();
    let mut set = |keys: &[&str]| {
        let (program, trace) = program(&dir, &format!("p{}", traces.len()));
        for key in keys {
            dir.git(&["config", key, &program]);
        }
        traces.push(trace);
    };
    set(&["filter.e.clean"]);
    set(&["filter.e.smudge"]);
    set(&["filter.e.process"]);
    // `-c filter.a=b.clean=` would set `filter.a`.
    set(&["filter.a=b.clean", "filter.a=b.smudge"]);
    set(&["diff.e.textconv"]);
    set(&["diff.e.command", "diff.external"]);
    set(&["core.fsmonitor"]);
    set(&["gpg.program"]);
    set(&["core.pager", "pager.log", "pager.diff"]);
    set(&["core.sshCommand"]);
    dir.git(&["config", "log.showSignature", "true"]);
    let (_, trace) = program(&dir, "post-index-change");
    fs::create_dir_all(dir.join(".git/hooks")).expect("a directory");
    fs::rename(dir.join("post-index-change"), dir.join(".git/hooks/post-index-change"))
        .expect("a hook");
    traces.push(trace);
    // Git asks for the signature of what looks like one.
    let raw = dir.git(&["cat-file", "commit", "HEAD"]);
    let (head, message) = raw.split_once("\n\n").expect("a commit");
    let signed = format!(
        "{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n{message}"
    );
    dir.file(".git/signed", signed);
    let id = dir.git(&["hash-object", "-t", "commit", "-w", ".git/signed"]);
    dir.git(&["update-ref", "HEAD", id.trim()]);
    // A blob that is missing: a partial clone fetches it by the command above.
    let blob = dir.git(&["rev-parse", "HEAD:b.md"]);
    let (folder, name) = blob.trim().split_at(2);
    fs::remove_file(dir.join(format!(".git/objects/{folder}/{name}"))).expect("an object");
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.url", "ssh://a.example/x"),
        ("remote.origin.promisor", "true"),
        ("protocol.allow", "always"),
    ] {
        dir.git(&["config", key, value]);
    }
    dir.file("b.md", "http://a.example/3\n");
    for arguments in [
        &["audit"][..],
        &["audit", "--untrusted"],
        &["audit", "--since", "HEAD"],
        &["audit", "--new-since", "HEAD"],
        &["diff", "HEAD"],
        &["--since", "HEAD"],
        &["replace", "--since", "HEAD", "http://a.example/", "http://b.example/"],
    ] {
        dir.run(arguments);
        let ran: Vec<_> = traces.iter().filter(|trace| trace.exists()).collect();
        assert!(ran.is_empty(), "{arguments:?}: {ran:?}");
    }
}

/// The filters of a removed submodule are asked of its own repository.
#[cfg(unix)]
#[test]
fn what_git_keeps_of_a_submodule_runs_no_program() {
    let (dir, other) = (checkout(), checkout());
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    dir.git(&[&add[..], &[&other.path().display().to_string(), "sub"]].concat());
    commit(&dir, "two");
    dir.git(&["rm", "-q", "sub"]);
    commit(&dir, "three");
    let kept = dir.join(".git/modules/sub");
    let (program, trace) = program(&dir, "p");
    dir.file(".git/modules/sub/info/attributes", "* filter=e\n");
    let config = kept.join("config").display().to_string();
    dir.git(&["config", "--file", &config, "filter.e.smudge", &program]);
    // Git finds this one if it is run in that directory.
    dir.git(&["init", "-q", &kept.join("inner").display().to_string()]);
    fs::rename(kept.join("inner/.git"), kept.join(".git")).expect("moved");
    dir.run(["audit", "--new-since", "HEAD~1"]);
    assert!(!trace.exists());
}

/// The tree of a revision is written to a temporary directory, and nowhere else.
#[cfg(unix)]
#[test]
fn no_link_of_an_old_tree_is_written_through() {
    use std::os::unix::fs::symlink;

    let (dir, other, victim) = (checkout(), checkout(), Dir::new());
    victim.file("file", "mine\n").file("docs/urigrep.toml", "mine\n").file("sub/a.md", "mine\n");
    fs::create_dir(victim.join("empty")).expect("a directory");
    let link = |to: &str, name: &str| symlink(victim.join(to), dir.join(name)).expect("a link");
    link("file", "urigrep.toml");
    link("docs", "docs");
    link("empty", "link");
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    dir.git(&[&add[..], &[&other.path().display().to_string(), "sub"]].concat());
    let modules = fs::read_to_string(dir.join(".gitmodules")).expect("a file");
    dir.file(".gitmodules", modules.replace("path = sub", "path = link/../sub"));
    commit(&dir, "two");
    dir.git(&["rm", "-rq", "--cached", "."]);
    for name in ["urigrep.toml", "docs", "link", ".gitmodules"] {
        fs::remove_file(dir.join(name)).expect("removed");
    }
    fs::remove_dir_all(dir.join("sub")).expect("removed");
    dir.file("urigrep.toml", "# new\n").file("docs/urigrep.toml", "# new\n");
    commit(&dir, "three");
    for arguments in [&[][..], &["--config", "docs/urigrep.toml"]] {
        let ran = dir.run([&["audit", "--new-since", "HEAD~1"], arguments].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        for name in ["file", "docs/urigrep.toml", "sub/a.md"] {
            assert_eq!(fs::read_to_string(victim.join(name)).expect("a file"), "mine\n");
        }
        assert_eq!(fs::read_dir(victim.path()).expect("a directory").count(), 4);
    }
}

#[test]
fn settings_change_no_answer() {
    let dir = checkout();
    let text = |new: [usize; 2]| {
        let line = |number: usize| {
            if new.contains(&number) {
                format!("http://new.example/{number}\n")
            } else {
                format!("http://a.example/{number}\n")
            }
        };
        (1..=9).map(line).collect::<String>()
    };
    dir.file("a.md", text([3, 8])).file("b.md", text([5, 5]));
    let expected =
        "a.md:3:http://new.example/3\na.md:8:http://new.example/8\nb.md:5:http://new.example/5\n";
    for setting in [
        ["color.diff", "always"],
        ["color.ui", "always"],
        ["diff.interHunkContext", "20"],
        ["diff.context", "9"],
        ["diff.noprefix", "true"],
        ["diff.mnemonicPrefix", "true"],
        ["diff.submodule", "log"],
        ["diff.relative", "true"],
        ["diff.wordRegex", "."],
        ["log.showSignature", "true"],
        ["core.quotePath", "true"],
    ] {
        dir.git(&["config", setting[0], setting[1]]);
        dir.run(["--since", "HEAD", "-n", "--sort", "path"]).is(0, expected);
    }
}

/// How many files git compares is not up to a checkout.
#[test]
fn renames_are_found_whatever_the_limit() {
    let dir = Dir::new();
    dir.git(&["init", "-q", "-b", "main"]);
    let text = |name: &str, end: &str| {
        let line = |number: u8| format!("http://{name}.example/{number}\n");
        (1..=9).map(line).collect::<String>() + end
    };
    let names = ["a", "b", "c"];
    for name in names {
        dir.file(format!("{name}.md"), text(name, ""));
    }
    commit(&dir, "one");
    for name in names {
        let old = format!("{name}.md");
        dir.git(&["mv", &old, &format!("moved-{name}.md")]);
        dir.file(format!("moved-{name}.md"), text(name, "http://new.example/\n"));
    }
    commit(&dir, "two");
    dir.git(&["config", "diff.renameLimit", "1"]);
    dir.run(["--since", "HEAD~1", "-IN"]).is(0, &"http://new.example/\n".repeat(3));
}

/// A history can be made so that git compares files for hours. What it has printed by then is used.
#[cfg(unix)]
#[test]
fn a_slow_history_ends() {
    use std::os::unix::fs::PermissionsExt;

    let dir = checkout();
    dir.file("x.md", "[x](old.md)\n").file("new.md", "");
    let path = std::env::var("PATH").expect("a path");
    let shim = "#!/bin/sh\nPATH=\"$REAL_PATH\"\ncase \" $* \" in *' log '*)\nprintf 'R100\\0old.md\\0new.md\\0R1'; exec sleep 300;;\nesac\nexec git \"$@\"\n";
    dir.file("bin/git", shim);
    fs::set_permissions(dir.join("bin/git"), fs::Permissions::from_mode(0o755)).expect("a program");
    let mut audit = command(["audit", "x.md"]);
    let first = format!("{}:{path}", dir.join("bin").display());
    audit.current_dir(dir.path()).env("REAL_PATH", path).env("PATH", first);
    let ran = finish(spawn(&mut audit));
    assert!(ran.out().contains("new.md"), "{ran:?}");
}

#[test]
fn binary_files_have_any_name() {
    let dir = checkout();
    for name in ["x and y.md", "a and b and a and b.md"] {
        dir.file(name, b"\xFF\xFEh\0t\0t\0p\0:\0/\0/\0a\0.\0b\0/\x001\0");
    }
    commit(&dir, "two");
    for name in ["x and y.md", "a and b and a and b.md"] {
        dir.file(name, b"\xFF\xFEh\0t\0t\0p\0:\0/\0/\0a\0.\0b\0/\x002\0");
    }
    let ran = dir.run(["--since", "HEAD", "--sort", "path"]);
    ran.is(0, "a and b and a and b.md:1:http://a.b/2\nx and y.md:1:http://a.b/2\n");
}

/// Submodules are searched as part of the tree, so their changes count.
#[test]
fn submodules() {
    let (dir, other) = (checkout(), checkout());
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    let path = other.path().display().to_string();
    dir.git(&[&add[..], &[&path, "sub"]].concat());
    commit(&dir, "two");
    dir.run(["diff", "HEAD"]).is(0, "");
    dir.run(["diff", "HEAD~1", "--only", "added", "-c"]);
    dir.run(["--since", "HEAD"]).is(1, "");
    dir.file("sub/a.md", lines(1..=9).replace("/3\n", "/33\n"));
    dir.run(["--since", "HEAD", "-n"]).is(0, "sub/a.md:3:http://a.example/33\n");
    dir.run(["diff", "HEAD"])
        .is(1, "- sub/a.md:3:http://a.example/3\n+ sub/a.md:3:http://a.example/33\n");
    // All of a submodule is new since the commit before it.
    assert_eq!(dir.run(["--since", "HEAD~1"]).out().lines().count(), 18);
}

/// A broken link that a submodule has had all along is not new.
#[test]
fn findings_in_submodules_are_known() {
    let (dir, other) = (checkout(), checkout());
    other
        .file("old.md", "[x](gone.md)\n")
        .file("moved.md", "[x](gone-too.md) and some more text\n");
    commit(&other, "two");
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    let path = other.path().display().to_string();
    dir.git(&[&add[..], &[&path, "sub"]].concat());
    commit(&dir, "two");
    assert_eq!(dir.run(["audit"]).status, Some(1));
    assert_eq!(dir.run(["audit", "--new-since", "HEAD"]).status, Some(0));
    dir.git(&["-C", "sub", "mv", "moved.md", "new-name.md"]);
    dir.file("sub/new.md", "[x](none.md)\n");
    let ran = dir.run(["audit", "--new-since", "HEAD", "--format", "csv"]);
    assert_eq!((ran.status, ran.out().lines().count()), (Some(1), 2), "{}", ran.out());
    // Before the commit, there was no submodule.
    assert_eq!(dir.run(["audit", "--new-since", "HEAD~1"]).status, Some(1));
}

/// Links that the removal of a submodule broke are new.
#[test]
fn a_removed_submodule_was_there() {
    let (dir, other) = (checkout(), checkout());
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    let path = other.path().display().to_string();
    dir.file("links.md", "[x](sub/a.md) [y](sub/gone.md)\n");
    dir.git(&[&add[..], &[&path, "sub"]].concat());
    commit(&dir, "two");
    dir.git(&["rm", "-q", "sub"]);
    commit(&dir, "three");
    let ran = dir.run(["audit", "--new-since", "HEAD~1", "--format", "csv"]);
    assert_eq!((ran.status, ran.out().lines().count()), (Some(1), 2), "{}", ran.out());
    assert!(ran.out().contains("sub/a.md"), "{}", ran.out());
    // Without its objects, nobody knows what was there, and it is said: the links were not judged,
    // and lead nowhere now.
    std::fs::remove_dir_all(dir.join(".git/modules")).expect("a directory");
    let ran = dir.run(["audit", "--new-since", "HEAD~1", "--format", "csv"]);
    assert_eq!((ran.status, ran.out().lines().count()), (Some(1), 3), "{}", ran.out());
    assert!(ran.stderr.contains("note: git has nothing of the submodule `sub`"), "{}", ran.stderr);
}

#[test]
fn untracked_checkouts_inside() {
    let dir = checkout();
    for name in ["empty", "other"] {
        dir.file(format!("new/{name}/x.md"), "http://b.example/x\n");
        let path = dir.join(format!("new/{name}")).display().to_string();
        dir.git(&["init", "-q", "-b", "main", &path]);
        if name == "other" {
            dir.git(&["-C", &path, "add", "x.md"]);
            dir.git(&["-C", &path, "commit", "-qm", "one"]);
        }
    }
    dir.file("new/other/untracked.md", "http://b.example/y\n");
    // `git status` shows `new/` as untracked: all of it is new.
    dir.run(["--since", "HEAD", "--sort=path"]).is(
        0,
        "new/empty/x.md:1:http://b.example/x\nnew/other/untracked.md:1:http://b.example/y\n\
         new/other/x.md:1:http://b.example/x\n",
    );
    // One that git can't read has no other files than those that are there.
    dir.file("new/other/.git/config", "[core]\nrepositoryformatversion = 99\n");
    assert_eq!(dir.run(["--since", "HEAD"]).out().lines().count(), 3);
}

#[test]
fn a_repository_without_commits_says_so() {
    let dir = Dir::new();
    dir.git(&["init", "-q"]);
    for args in [&["--since", "main"][..], &["audit", "--new-since", "main"]] {
        let ran = dir.run(args);
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains("the repository has no commits yet"), "{}", ran.stderr);
    }
    // The hook of the cookbook, before the first commit: everything is new.
    dir.file("a.md", "[a](gone.md)\n");
    for args in [&["add", "a.md"][..], &["status", "-s"]] {
        for since in ["--since", "--new-since"] {
            let ran = dir.run(["audit", since, "HEAD"]);
            assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        }
        dir.git(args);
    }
}

#[test]
fn ignore_files_keep_hidden_ones_on_both_sides() {
    let dir = checkout();
    dir.file(".ignore", "!/.github/\n").file(".gitignore", ".*\n!.circleci\n");
    dir.file(".github/x.md", "http://hidden.example/")
        .file(".circleci/x.md", "http://hidden.example/");
    dir.file(".other/x.md", "http://hidden.example/");
    dir.git(&["add", "-A", "-f"]);
    dir.git(&["commit", "-qm", "two"]);
    dir.run(["diff", "HEAD"]).is(0, "");
    let ran = dir.run(["diff", "HEAD~1", "HEAD"]);
    let added: Vec<&str> = ran.out().lines().filter(|line| line.contains("hidden")).collect();
    assert_eq!(added.len(), 2, "{}", ran.out());
}

/// As for `git diff REV PATH`.
#[test]
fn a_path_of_a_revision_is_compared_with_its_own() {
    let dir = checkout();
    dir.file("docs/c.md", lines(1..=2));
    commit(&dir, "two");
    dir.file("docs/c.md", lines(1..=3)).file("a.md", "");
    for path in ["docs", "docs/", "./docs", "docs/c.md"] {
        let dot = if path.starts_with('.') { "./" } else { "" };
        let expected = format!("+ {dot}docs/c.md:3:http://a.example/3\n");
        dir.run(["diff", "HEAD", path]).is(1, &expected);
    }
    // A file that the revision does not have is compared with all of it.
    dir.git(&["archive", "-o", "old.tar", "HEAD"]);
    dir.run(["diff", "HEAD", "old.tar"]).is(0, "");
}

/// A path that one side lacks was not there.
#[test]
fn paths_of_one_side() {
    let dir = checkout();
    dir.file("new/c.md", lines(1..=1));
    dir.git(&["rm", "-q", "a.md"]);
    commit(&dir, "two");
    let added = "+ new/c.md:1:http://a.example/1\n";
    dir.run(["diff", "HEAD~1", "new"]).is(1, added);
    let removed = dir.run(["diff", "HEAD~1", "a.md"]);
    assert_eq!((removed.status, removed.out().lines().count()), (Some(1), 9), "{removed:?}");
    assert!(removed.out().lines().all(|line| line.starts_with("- a.md:")), "{removed:?}");
    let inside = finish(spawn(command(["diff", "HEAD~1"]).current_dir(dir.join("new"))));
    inside.is(1, "+ c.md:1:http://a.example/1\n");
    assert_eq!(dir.run(["diff", "HEAD~1", "none.md"]).status, Some(2));
    // Another name that is no file is a revision, or nothing at all.
    dir.run(["diff", "HEAD~1:a.md", "HEAD~1:a.md"]).is(0, "");
    assert_eq!(dir.run(["diff", "HEAD~1:a.md", "none.md"]).status, Some(2));
    let url = format!("file://{}", dir.path().display());
    dir.git(&["clone", "-q", "--bare", &url, "bare"]);
    let bare = finish(spawn(command(["diff", "@~1", "@"]).current_dir(dir.join("bare"))));
    assert_eq!(bare.out().lines().count(), 9, "{bare:?}");
}

#[test]
fn a_shallow_clone_says_so() {
    let dir = checkout();
    dir.file("a.md", "");
    commit(&dir, "two");
    let url = format!("file://{}", dir.path().display());
    dir.git(&["clone", "-q", "--depth=1", &url, "shallow"]);
    let said = |ran: Ran| {
        assert_eq!(ran.status, Some(2));
        ran.stderr
    };
    let shallow = said(dir.run(["--since", "HEAD~1", "shallow"]));
    assert!(shallow.contains("this clone is shallow: `git fetch --unshallow`"), "{shallow}");
    let whole = said(dir.run(["--since", "HEAD~9"]));
    assert!(!whole.contains("shallow"), "{whole}");
}

/// Git would read a device until all memory is gone, and wait for a pipe forever.
#[cfg(unix)]
#[test]
fn git_is_not_run_where_it_would_read_a_device() {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    let pipe = |dir: &Dir, name: &str| {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        drop(fs::remove_file(&path));
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    };
    let setting = |dir: &Dir, text: &str| {
        let file = dir.join(".git/config");
        let config = fs::read_to_string(&file).expect("a configuration");
        fs::write(file, config + text).expect("written");
    };
    type Fault<'f> = (&'f str, &'f dyn Fn(&Dir));
    let faults: [Fault<'_>; 19] = [
        ("commondir", &|dir| symlink("/dev/zero", dir.join(".git/commondir")).expect("a link")),
        ("index", &|dir| pipe(dir, ".git/index")),
        ("main", &|dir| pipe(dir, ".git/refs/heads/main")),
        ("info", &|dir| symlink("/proc/self", dir.join(".git/info/x")).expect("a link")),
        ("config", &|dir| pipe(dir, ".git/config")),
        ("p", &|dir| {
            pipe(dir, "p");
            setting(dir, "[include]\n\tpath = ../p\n");
        }),
        ("q", &|dir| {
            pipe(dir, ".git/info/q");
            setting(dir, "[core]\n\texcludesFile = .git/info/q\n");
        }),
        // Values as git reads them.
        ("p", &|dir| {
            pipe(dir, "p");
            setting(dir, "[include]\n\tpath = ../p ; c\n");
        }),
        ("p", &|dir| {
            pipe(dir, "p");
            setting(dir, "[includeIf \"onbranch:main\"] path = ../\\\np\n");
        }),
        ("q", &|dir| {
            pipe(dir, "q");
            setting(dir, "[core]\n\tattributesFile = \"./\"q # c\n");
        }),
        ("known to git only", &|dir| setting(dir, "[core]\n\texcludesFile = ~root/x\n")),
        // What is outside of the work tree.
        (".gitignore", &|dir| {
            pipe(dir, ".git/info/elsewhere/.gitignore");
            setting(dir, "[core]\n\tworktree = info/elsewhere\n");
        }),
        ("alternates", &|dir| {
            dir.file(".git/objects/info/alternates", "../../borrowed\n");
            fs::create_dir_all(dir.join("borrowed/pack")).expect("a directory");
            pipe(dir, "borrowed/info/alternates");
        }),
        // Git goes on to the directories above one that has no valid `HEAD`.
        ("index", &|dir| {
            pipe(dir, ".git/index");
            for name in ["objects", "refs"] {
                fs::create_dir_all(dir.join("sub/.git").join(name)).expect("a directory");
            }
            dir.file("sub/.git/HEAD", "x\n");
        }),
        (".gitattributes", &|dir| pipe(dir, "sub/.gitattributes")),
        (".gitignore", &|dir| pipe(dir, "sub/.gitignore")),
        (".mailmap", &|dir| pipe(dir, ".mailmap")),
        ("larger than", &|dir| {
            let file = fs::File::create(dir.join(".mailmap")).expect("a file");
            file.set_len(1 << 40).expect("a sparse file");
        }),
        ("HEAD", &|dir| {
            drop(fs::remove_dir_all(dir.join(".git")));
            pipe(dir, "HEAD");
        }),
    ];
    for (name, break_it) in faults {
        let dir = checkout();
        dir.file("c.md", "[gone](gone.md)\n");
        break_it(&dir);
        dir.file("sub/c.md", "[gone](gone.md)\n");
        let since = ["audit", "--since", "HEAD", "sub/c.md"];
        for arguments in [&["audit", "a.md", "c.md"][..], &since] {
            let ran = dir.run(arguments);
            let is_said = ran.stderr.contains("git was not run") && ran.stderr.contains(name);
            // Without --since, git is only asked for a hint.
            assert!(is_said || arguments.len() == 3, "{name}: {ran:?}");
            assert!(ran.status != Some(0), "{name}: {ran:?}");
        }
    }
    // What is legitimate stays so.
    let dir = checkout();
    setting(
        &dir,
        "[core]\n\texcludesFile = /dev/null\n\thooksPath = /dev/null\n[include]\n\tpath = gone\n",
    );
    dir.file("a.md", "http://a.example/new\n");
    dir.run(["-IN", "--since", "HEAD"]).is(0, "http://a.example/new\n");
}
