//! Compressed files and archives, as a user sees them.

use std::fs;

use crate::support::pack::{Zipped, ar, deb, gzip, tar, zip};
use crate::support::{Dir, Ran, pipe};

fn members() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("./dir/a.txt", b"x\nhttp://a.example/1 http://a.example/2\n".to_vec()),
        ("b", b"http://b.example/\n".to_vec()),
        ("bin", b"\0http://bin.example/\n".to_vec()),
    ]
}

fn zipped(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let with = members.iter().map(|(name, bytes)| (*name, &bytes[..], Zipped::Deflated));
    zip(with)
}

/// Asserts status, output, and the one line on standard error.
#[track_caller]
fn is_with_fault(ran: &Ran, stdout: &str, fault: &str) {
    assert_eq!(ran.out(), stdout);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(2), fault));
}

#[test]
fn a_compressed_file_is_like_the_file() {
    let dir = Dir::new();
    let packed = gzip(b"x\n http://a.example/\n");
    dir.file("a.gz", &packed).file("plain", "http://p.example/");
    dir.run(["a.gz"]).is(0, "http://a.example/\n");
    dir.run(["-nb", "a.gz"]).is(0, "2:3:http://a.example/\n");
    dir.run(["--sort=path", "a.gz", "plain"])
        .is(0, "a.gz:2:http://a.example/\nplain:1:http://p.example/\n");
    pipe(["-n"], &packed).is(0, "2:http://a.example/\n");
    pipe(["-c"], [&packed[..], &packed].concat()).is(0, "2\n");
    let ran = dir.run(["--json", "a.gz"]);
    for part in
        [r#""path":"a.gz""#, r#""line":2,"column":2,"start":3,"end":20"#, r#""stream":"gzip""#]
    {
        assert!(ran.out().contains(part), "{part}: {}", ran.out());
    }
}

#[test]
fn a_compressed_document_is_a_document() {
    let dir = Dir::new();
    let html = b"<p>x <a href='http://a.example/?b&amp;c'>y</a>";
    dir.file("a.html", html)
        .file("a.html.gz", gzip(html))
        .file("a.zip", zipped(&[("i.html", html.to_vec())]));
    let plain = dir.run(["a.html"]);
    dir.run(["a.html.gz"]).is(0, plain.out());
    dir.run(["-I", "-N", "a.zip"]).is(0, plain.out());
}

/// A limit is a guard, so none at all unpacks nothing, whatever the format.
#[test]
fn without_any_depth_nothing_is_unpacked() {
    let dir = Dir::new();
    let inner = zipped(&[("a.txt", b"http://a.example/\n".to_vec())]);
    dir.file("a.zip", zipped(&[("b.zip", inner)])).file("a.gz", gzip(b"http://a.example/\n"));
    for path in ["a.zip", "a.gz"] {
        let ran = dir.run(["--limit", "depth=0", path]);
        assert_eq!((ran.status, ran.out()), (Some(2), ""), "{path}: {ran:?}");
        assert!(ran.stderr.contains("nested more than 0 deep"), "{path}: {ran:?}");
    }
    let ran = dir.run(["--limit", "depth=1", "a.zip"]);
    assert!(ran.stderr.contains("nested more than 1 deep"), "{ran:?}");
    dir.run(["--limit", "depth=2", "a.zip"]).is(0, "a.zip!/b.zip!/a.txt:1:http://a.example/\n");
}

/// Large enough for members to be unpacked ahead; some are damaged, stored, encrypted, or archives
/// themselves.
#[test]
fn a_large_zip_is_the_same_for_any_number_of_threads() {
    let dir = Dir::new();
    let (mut seed, mut members) = (1_u32, Vec::new());
    for number in 0..300 {
        let mut text = format!("http://a.example/{number}\n").into_bytes();
        for _ in 0..(number % 7 + 1) * 4000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(b' ' + (seed >> 25) as u8 % 90);
        }
        text.extend_from_slice(format!("\nhttp://b.example/{number}\n").as_bytes());
        let how = [Zipped::Deflated, Zipped::Stored, Zipped::SizesFollow, Zipped::Encrypted];
        let inner = if number % 50 == 0 { gzip(&text) } else { text };
        members.push((how[[0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3][number % 11]], inner));
    }
    let mut bytes = zip(members.iter().map(|(how, text)| ("a.txt", &text[..], *how)));
    assert!(bytes.len() > 3 << 20);
    let middle = bytes.len() / 2;
    bytes[middle..middle + 10].fill(0xff);
    dir.file("a.zip", &bytes);
    for flags in [&["-z", "-n"][..], &["-z", "--json"], &["-z", "-m", "200"]] {
        let run = |threads: &str| dir.run([flags, &[threads, "a.zip"]].concat());
        let one = run("-j1");
        assert!(one.out().lines().count() > 150, "{flags:?}");
        assert!(flags[1] == "-m" || one.stderr.contains("encrypted"), "{}", one.stderr);
        for threads in ["-j2", "-j4"] {
            let more = run(threads);
            assert!(more.stdout == one.stdout, "{threads} {flags:?}");
            assert_eq!((more.status, &more.stderr), (one.status, &one.stderr), "{flags:?}");
        }
    }
}

#[test]
fn members_are_like_files() {
    let dir = Dir::new();
    dir.file("a.zip", zipped(&members()))
        .file("a.tar", tar(&members()))
        .file("a.tgz", gzip(&tar(&members())));
    for name in ["a.zip", "a.tar", "a.tgz"] {
        let lines = |of: &str| of.replace("@", name);
        dir.run([name]).is(0, &lines("@!/dir/a.txt:2:http://a.example/1\n@!/dir/a.txt:2:http://a.example/2\n@!/b:1:http://b.example/\n"));
        dir.run(["-a", "-e", "bin", name]).is(0, &lines("@!/bin:1:http://bin.example/\n"));
        dir.run(["-c", name]).is(0, &lines("@!/dir/a.txt:2\n@!/b:1\n"));
        dir.run(["-l", name]).is(0, &lines("@!/dir/a.txt\n@!/b\n"));
        dir.run(["-m1", "-I", "-N", name]).is(0, "http://a.example/1\nhttp://b.example/\n");
        dir.run(["-q", name]).is(0, "");
        dir.run(["--heading", name]).is(0, &lines("@!/dir/a.txt\n2:http://a.example/1\n2:http://a.example/2\n\n@!/b\n1:http://b.example/\n"));
        let stats = dir.run(["-I", "--stats", name]);
        for line in [
            " 2 files with matches\n",
            " 2 files searched\n",
            " 1 binary or special file skipped\n",
        ] {
            assert!(stats.out().contains(line), "{}", stats.out());
        }
    }
    let stdin = pipe(["-n"], gzip(&tar(&members())));
    assert!(stdin.out().starts_with("<stdin>!/dir/a.txt:2:http://a.example/1\n"), "{stdin:?}");
}

#[test]
fn json_says_which_stream() {
    let dir = Dir::new();
    let inner = [("x.tgz", gzip(&tar(&[("y", b"http://y.example/".to_vec())])))];
    dir.file("a.zip", zipped(&inner));
    let ran = dir.run(["--json", "a.zip"]);
    let out = ran.out();
    assert!(out.contains(r#""path":"a.zip""#), "{out}");
    assert!(out.contains(r#""stream":"zip!/x.tgz+gzip+tar!/y""#), "{out}");
    dir.run(["a.zip"]).is(0, "a.zip!/x.tgz!/y:1:http://y.example/\n");
}

#[test]
fn in_directories_only_with_z() {
    let dir = Dir::new();
    dir.file("d/a.gz", gzip(b"http://a.example/"))
        .file("d/b.zip", zipped(&members()))
        .file("d/c", "http://c.example/");
    dir.run(["d"]).is(0, "d/c:1:http://c.example/\n");
    for threads in ["-j1", "-j2"] {
        for order in ["--sort=none", "--sort=path"] {
            dir.run(["-z", threads, order, "d"]).is_sorted(
                0,
                &[
                    "d/a.gz:1:http://a.example/",
                    "d/b.zip!/b:1:http://b.example/",
                    "d/b.zip!/dir/a.txt:2:http://a.example/1",
                    "d/b.zip!/dir/a.txt:2:http://a.example/2",
                    "d/c:1:http://c.example/",
                ],
            );
        }
    }
}

#[test]
fn unique_keeps_the_first_member() {
    let dir = Dir::new();
    let text = |text: &str| text.as_bytes().to_vec();
    let members = [("b", text("xxx http://a.example/")), ("a", text("http://a.example/"))];
    dir.file("a.tar", tar(&members));
    dir.run(["--unique", "a.tar"]).is(0, "a.tar!/b:1:http://a.example/\n");
}

#[test]
fn what_comes_before_damage_is_kept() {
    let dir = Dir::new();
    let line = |i: u32| format!("{} http://a.example/{i}\n", i.wrapping_mul(2_654_435_761));
    let text: String = (0..20_000).map(line).collect();
    let packed = gzip(text.as_bytes());
    dir.file("whole", &text)
        .file("a.gz", &packed[..packed.len() / 2])
        .file("a.tgz", {
            let packed = gzip(&tar(&[("t", text.clone().into_bytes()), ("u", Vec::new())]));
            packed[..packed.len() / 2].to_vec()
        })
        .file("good", "http://good.example/");
    let whole = dir.run(["whole"]);
    // The last match is what there is of it.
    let complete = |ran: &Ran| {
        let lines = ran.out().trim_end().rfind('\n').expect("many lines") + 1;
        ran.out().lines().count() > 5_000 && whole.out().starts_with(&ran.out()[..lines])
    };
    let ran = dir.run(["a.gz"]);
    assert!(complete(&ran));
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(2), "urigrep: a.gz: the gzip data ends too early\n")
    );
    let ran = dir.run(["-IN", "a.tgz"]);
    assert!(complete(&ran));
    assert_eq!(ran.stderr, "urigrep: a.tgz!/t: the gzip data ends too early\n");
    let ran = dir.run(["-c", "good", "a.gz"]);
    assert!(ran.out().contains("good:1\n"), "{ran:?}");
    let ran = dir.run(["--json", "a.tgz"]);
    assert!(ran.out().contains(
        r#"{"type":"error","path":"a.tgz!/t","message":"the gzip data ends too early"}"#
    ));
}

/// Few bytes before the damage are searched too.
#[test]
fn damage_near_the_start() {
    let dir = Dir::new();
    let packed = gzip(b"http://a.example/1 http://a.example/2 ");
    dir.file("a.gz", &packed[..packed.len() - 6]);
    let ran = dir.run(["a.gz"]);
    is_with_fault(
        &ran,
        "http://a.example/1\nhttp://a.example/2\n",
        "urigrep: a.gz: the gzip data ends too early\n",
    );
}

#[test]
fn one_bad_member_of_many() {
    let dir = Dir::new();
    let mut bad = gzip(b"http://bad.example/ and more");
    let at = bad.len() - 5;
    bad[at] ^= 1;
    dir.file("a.tar", tar(&[("bad.gz", bad), ("b", b"http://b.example/".to_vec())]));
    let ran = dir.run(["-IN", "a.tar"]);
    assert_eq!(ran.out(), "http://bad.example/\nhttp://b.example/\n");
    assert_eq!(ran.status, Some(2));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.starts_with("urigrep: a.tar!/bad.gz: the gzip data is corrupt: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn encrypted_members() {
    let dir = Dir::new();
    let members = [("a", Zipped::Encrypted), ("b", Zipped::Stored)];
    dir.file("a.zip", zip(members.map(|(name, how)| (name, &b"http://b.example/"[..], how))));
    let ran = dir.run(["a.zip"]);
    is_with_fault(
        &ran,
        "a.zip!/b:1:http://b.example/\n",
        "urigrep: a.zip: a member is encrypted and was skipped\n",
    );
}

#[test]
fn odd_names_are_shown_and_nothing_is_written() {
    let dir = Dir::new();
    let mut archive =
        tar(&[("../up", b"http://up.example/".to_vec()), ("XX", b"http://x.example/".to_vec())]);
    // The name becomes two bytes that are not UTF-8; their sum is that of the two letters.
    let at = archive.windows(3).position(|name| name == b"XX\0").unwrap();
    archive[at..at + 2].copy_from_slice(b"\xa8\x08");
    dir.file("a.tar", &archive);
    let ran = dir.run(["a.tar"]);
    assert_eq!(
        ran.stdout,
        b"a.tar!/../up:1:http://up.example/\na.tar!/\xa8\x08:1:http://x.example/\n"
    );
    assert_eq!(ran.status, Some(0));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert!(!dir.path().parent().unwrap().join("up").exists());
}

#[test]
fn a_package() {
    let dir = Dir::new();
    let data = tar(&[("./usr/doc", b"http://d.example/\n".to_vec())]);
    dir.file("a.deb", deb(&gzip(&tar(&[])), &gzip(&data)));
    dir.run(["a.deb"]).is(0, "a.deb!/data.tar.gz!/usr/doc:1:http://d.example/\n");
    dir.file("a.ar", ar(&[("m", b"http://m.example/".to_vec())]));
    dir.run(["a.ar"]).is(0, "a.ar!/m:1:http://m.example/\n");
}

/// The checksum is right, and the size of the second member is not a number.
#[test]
fn a_size_of_tar_that_is_not_a_number() {
    let mut bytes = tar(&members());
    let header = 1024..1536;
    bytes[header.start + 124] = 0x81;
    // The checksum counts its own field as eight spaces (POSIX.1-2024, "ustar Interchange Format").
    bytes[header.start + 148..header.start + 156].fill(b' ');
    let sum: u32 = bytes[header.clone()].iter().map(|byte| u32::from(*byte)).sum();
    bytes[header.start + 148..header.start + 156]
        .copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let dir = Dir::new();
    dir.file("a.tar", bytes);
    let ran = dir.run(["a.tar"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.out().contains("http://a.example/2"), "{ran:?}");
    assert!(ran.stderr.contains("a size that is not a number"), "{}", ran.stderr);
}
