//! A program outside of the crate, with the feature `search` alone, finds in a tree what the
//! command finds.
//!
//! `program.rs` is compiled in a directory of its own against this crate, with what the tests were
//! compiled with and without a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::pack::{Zipped, gzip, tar, zip};
use crate::support::{Dir, finish, spawn};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The manifest of the program. It has the profile of this crate, so that no dependency is compiled
/// again.
fn manifest() -> String {
    let own = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let profile: String = own
        .split_inclusive("\n[")
        .skip_while(|table| !table.starts_with("profile.dev]"))
        .take_while(|table| table.starts_with("profile.dev"))
        .collect();
    assert!(profile.contains("opt-level"), "{own}");
    let urigrep = root().display();
    format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [[bin]]\nname = \"outside\"\npath = \"program.rs\"\n\
         [dependencies]\nurigrep = {{ path = '{urigrep}', default-features = false, features = [\"search\"] }}\n\
         [workspace]\n[{}",
        profile.trim_end_matches('[')
    )
}

/// The program, compiled.
fn program(dir: &Dir) -> PathBuf {
    dir.file("outside/Cargo.toml", manifest())
        .file("outside/program.rs", include_str!("program.rs"));
    let lock = dir.join("outside/Cargo.lock");
    fs::copy(root().join("Cargo.lock"), lock).expect("Cargo.lock");
    let command = Path::new(env!("CARGO_BIN_EXE_urigrep"));
    let target = command.ancestors().nth(2).expect("the target directory");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--offline", "--target-dir"])
        .arg(target)
        .env_remove("CARGO_BUILD_TARGET")
        .current_dir(dir.join("outside"))
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{said}");
    target.join("debug/outside")
}

const MESSAGE: &str = "From jo@example.org Mon May  6 07:08:09 2024\nFrom: Jo <jo@example.org>\n\
    Message-ID: <m1@example.org>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
    Content-Transfer-Encoding: quoted-printable\n\nhttp://lists.example/find?group=3D53&month=\n=3D2\n";

/// Text, documents, a mailbox, and all of that in archives.
fn tree(dir: &Dir) {
    let text =
        "http://a.example/x,\n<http://b.example/long/\npath> urn:isbn:0451450523 http://{host}/\n";
    let page = "<p><a href='a?b&amp;c'>http://c.example/</a> http://bücher.example/ä";
    let members = [("a.txt", text), ("b/page.html", page), ("b/list.mbox", MESSAGE)];
    for (name, content) in members {
        dir.file(Path::new("tree").join(name), content);
    }
    let bytes = members.map(|(name, content)| (name, content.as_bytes().to_vec()));
    let zipped = members.map(|(name, content)| (name, content.as_bytes(), Zipped::Deflated));
    dir.file("tree/c.tar.gz", gzip(&tar(&bytes)))
        .file("tree/d.zip", zip(zipped))
        .file("tree/e.mbox.gz", gzip(MESSAGE.as_bytes()));
}

#[test]
#[ignore = "compiles the crate once more; .ci/run asks for it"]
fn finds_what_the_command_finds() {
    let dir = Dir::new();
    tree(&dir);
    let corpus = ["corpus/delimiting", "corpus/documents"];
    let [vectors, documents] = corpus.map(|folder| root().join(folder).display().to_string());
    let paths = ["tree", &vectors, &documents];
    let theirs = finish(spawn(Command::new(program(&dir)).args(paths).current_dir(dir.path())));
    let ours = dir.run(["-Hnz"].iter().chain(&paths));
    assert_eq!((theirs.status, theirs.stderr.as_str()), (Some(0), ""));
    assert_eq!((ours.status, ours.stderr.as_str()), (Some(0), ""));
    assert!(ours.sorted().len() > 1000, "{} lines", ours.sorted().len());
    assert_eq!(theirs.sorted(), ours.sorted());
}
