//! Compressed files and archives: damaged, nested, and made to be large.

use std::fs;
use std::io::Write;
use std::process::Command;

use super::tree::Tree;
use crate::support::pack::{Zipped, gzip, seven_zip, tar, zip};
use crate::support::{Dir, finish, has, spawn};

/// Lines that do not compress well.
fn text() -> String {
    let noise = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let line = |i| format!("{:016x} http://bad.example/{i}\n", noise(i));
    (0..15_000).map(line).collect()
}

/// What `program` makes of the text; `None` when it is not there.
fn packed(dir: &Dir, program: &str, name: &str) -> Option<Vec<u8>> {
    if !has(program) {
        return None;
    }
    let mut command = Command::new(program);
    command.args(["-q", "-c", name]).current_dir(dir.path());
    let made = command.output().expect("it runs");
    assert!(made.status.success(), "{program}");
    Some(made.stdout)
}

/// The formats with what they say of themselves, packed.
///
/// What is lost with the damage is a chunk of 64 KiB of packed data with xz, a block of 900 kB with
/// bzip2, and one of 4 MiB with lz4.
fn formats(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let dir = Dir::new();
    dir.file("t", text);
    let member = [("t", text.as_bytes(), Zipped::Deflated)];
    let mut formats = vec![("gzip", gzip(text.as_bytes())), ("zip", zip(member))];
    for (name, program) in [("zstd", "zstd"), ("xz", "xz"), ("bzip2", "bzip2"), ("lz4", "lz4")] {
        if let Some(packed) = packed(&dir, program, "t") {
            formats.push((name, packed));
        }
    }
    formats
}

#[test]
fn a_truncated_archive() {
    let text = text();
    for (format, packed) in formats(&text) {
        let tree = Tree::new();
        tree.dir.file("m-bad", &packed[..packed.len() * 3 / 4]);
        let ran = tree.survives(&[], 2, &["urigrep: m-bad*"]);
        assert!(
            ran.stderr.contains(&format!("the {format} data ends too early")),
            "{format}: {}",
            ran.stderr
        );
        let kept = ran.out().matches("http://bad.example/").count();
        assert!(
            kept > 5_000 || ["bzip2", "lz4"].contains(&format),
            "{format}: {kept} matches are kept"
        );
    }
}

#[test]
fn a_corrupt_archive() {
    let text = text();
    for (format, mut packed) in formats(&text) {
        let tree = Tree::new();
        let at = packed.len() * 3 / 4;
        packed[at..at + 32].fill(0xa5);
        tree.dir.file("m-bad", &packed);
        // a block of bzip2 is unpacked before its checksum is seen: noise, which is binary
        let ran = tree.survives(&["-a"], 2, &["urigrep: m-bad*"]);
        assert!(ran.stderr.contains("corrupt"), "{format}: {}", ran.stderr);
        let kept = ran.out().matches("http://bad.example/").count();
        assert!(
            kept > 5_000 || ["bzip2", "lz4"].contains(&format),
            "{format}: {kept} matches are kept"
        );
    }
}

#[test]
fn several_members() {
    for (format, packed) in formats("http://bad.example/\n") {
        if format == "zip" {
            continue;
        }
        let tree = Tree::new();
        tree.dir.file("m-bad", [&packed[..], &packed, &packed].concat());
        let ran = tree.survives(&[], 0, &[]);
        assert_eq!(ran.out().matches("http://bad.example/").count(), 3, "{format}");
    }
}

fn bomb() -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(1));
    let zeros = vec![0; 1 << 20];
    encoder.write_all(b"http://start.example/ ").unwrap();
    for _ in 0..if cfg!(debug_assertions) { 256 } else { 1024 } {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.write_all(b"http://end.example/").unwrap();
    encoder.finish().unwrap()
}

/// Zeros by the gigabyte, twice packed, with URIs around them.
#[test]
fn a_bomb_needs_no_memory() {
    let dir = Dir::new();
    dir.file("bomb.gz.gz", gzip(&bomb()));
    if !has("sh") {
        return;
    }
    // In KiB, of addresses: what is in memory is less.
    let limited = "ulimit -v 131072; exec \"$0\" -j1 bomb.gz.gz";
    let mut child = Command::new("sh");
    child.args(["-c", limited, env!("CARGO_BIN_EXE_urigrep")]);
    finish(spawn(child.current_dir(dir.path())))
        .is(0, "http://start.example/\nhttp://end.example/\n");
}

/// What was unpacked up to a limit is searched.
#[test]
fn a_bomb_is_cut_at_the_limits() {
    let tree = Tree::new();
    tree.dir.file("m-bad/x.gz", bomb());
    let ran = tree.survives(
        &["-a", "--limit=unpacked=16M"],
        2,
        &["urigrep: m-bad/x.gz: it unpacks to more than 16777216 bytes; the rest was not read"],
    );
    assert!(ran.out().contains("m-bad/x.gz:1:http://start.example/\n"));
    assert!(!ran.out().contains("end.example"));
}

#[test]
fn a_member_of_a_parent_directory() {
    let tree = Tree::new();
    let members = [("../../up", b"http://up.example/".to_vec())];
    tree.dir.file("m-bad.tar", tar(&members));
    let zipped = members.iter().map(|(name, bytes)| (*name, &bytes[..], Zipped::Stored));
    tree.dir.file("m-bad.zip", zip(zipped));
    let before = fs::read_dir(tree.dir.path()).unwrap().count();
    let ran = tree.survives(&[], 0, &[]);
    for path in ["m-bad.tar!/../../up", "m-bad.zip!/../../up"] {
        assert!(ran.out().contains(&format!("{path}:1:http://up.example/\n")), "{ran:?}");
    }
    // nothing was written, here or there
    assert_eq!(fs::read_dir(tree.dir.path()).unwrap().count(), before);
    for above in [tree.dir.join("../../up"), tree.dir.join("../up")] {
        assert!(!above.exists(), "{}", above.display());
    }
}

/// A dictionary that is larger than the memory that decoders may have.
#[test]
fn a_dictionary_that_is_too_large() {
    let tree = Tree::new();
    tree.dir.file("plain", text());
    if let Some(packed) = packed(&tree.dir, "xz", "plain") {
        tree.dir.file("m-bad.xz", packed);
        fs::remove_file(tree.dir.join("plain")).unwrap();
        let ran = tree.survives(
            &["--limit=window=1M"],
            2,
            &["urigrep: m-bad.xz: this xz data is not read: *"],
        );
        assert!(ran.stderr.contains("memory"), "{}", ran.stderr);
        tree.survives(&[], 0, &[]);
    }
}

/// 62 bytes that promise 2^33 members, packed streams or folders, where 128 MiB of addresses are to
/// be had.
#[test]
fn a_7z_archive_that_promises() {
    let promised = b"\xf2\0\0\0\0";
    let lists: [(&[u8], &[u8]); 3] =
        [(b"\x01\x05", b""), (b"\x01\x04\x06\0", b"\x09"), (b"\x01\x04\x07\x0b", b"")];
    let dir = Dir::new();
    for (before, after) in lists {
        let mut header = [before, promised, after].concat();
        header.resize(30, 0);
        dir.file("a.7z", seven_zip(b"", &header));
        if !has("sh") {
            return;
        }
        let limited = "ulimit -v 131072; exec \"$0\" -j1 a.7z";
        let mut child = Command::new("sh");
        child.args(["-c", limited, env!("CARGO_BIN_EXE_urigrep")]);
        let ran = finish(spawn(child.current_dir(dir.path())));
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("a.7z: the 7z data is"), "{ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
}

/// Its header is at the end, so that nothing is known without it; what is damaged before that is
/// one member.
#[test]
fn a_7z_archive_that_is_damaged() {
    let tree = Tree::new();
    let header = b"\x01\x04\x06\0\x01\x09\x28\0\x07\x0b\x01\0\x01\x01\0\x0c\x28\0\x08\x0d\x02\x09\x14\x0a\x01\x71\x47\x19\xd1\0\0\0\0\0\0\x05\x02\x11\x09\0a\0\0\0b\0\0\0\0\0";
    let archive = seven_zip(b"http://bad.example/1http://bad.example/2", header);
    tree.dir.file("m-bad.7z", &archive);
    // only the first has the checksum that it should have
    let wrong = "urigrep: m-bad.7z!/b: the 7z data is corrupt: the checksum is wrong";
    let ran = tree.survives(&[], 2, &[wrong]);
    assert_eq!(ran.out().matches("http://bad.example/").count(), 2);
    tree.dir.file("m-bad.7z", &archive[..archive.len() - 1]);
    let said = "urigrep: m-bad.7z: the 7z data ends too early";
    assert!(!tree.survives(&[], 2, &[said]).out().contains("bad.example"));
}

/// The last URI of what could be read may go on in what could not.
#[test]
fn a_uri_at_the_cut_is_flagged() {
    let dir = Dir::new();
    let packed = gzip(text().as_bytes());
    for cut in [packed.len() / 2, packed.len() / 2 + 7, packed.len() / 3] {
        dir.file("a.gz", &packed[..cut]);
        let ran = dir.run(["--json", "a.gz"]);
        let hits: Vec<&str> =
            ran.out().lines().filter(|line| line.contains("\"type\":\"match\"")).collect();
        let flagged = |line: &&&str| line.contains("maybe-cut");
        let (last, before) = hits.split_last().expect("hits");
        assert_eq!(before.iter().filter(flagged).count(), 0);
        let number = last.split("\"uri\":\"http://bad.example/").nth(1);
        let number = number.and_then(|rest| rest.split('"').next()).unwrap_or_default();
        // It is whole only if the line end behind it was read.
        let is_whole = number.parse::<usize>().is_ok_and(|it| it + 1 == hits.len());
        assert!(flagged(&last) || is_whole, "{last}");
    }
    dir.file("a.gz", &packed);
    assert!(!dir.run(["--json", "a.gz"]).out().contains("maybe-cut"));
}
