//! What is read, how, and what goes wrong.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::thread;

use crate::support::pack::gzip;
use crate::support::{Dir, command, finish, pipe, spawn, wait};

#[test]
fn stdin_when_it_is_offered() {
    let dir = Dir::new();
    dir.file("in", "http://in.example/\n");
    let run = |stdin: Stdio| finish(spawn(command([""; 0]).current_dir(dir.path()).stdin(stdin)));
    run(File::open(dir.join("in")).unwrap().into()).is(0, "http://in.example/\n");
    run(Stdio::null()).is(0, "in:1:http://in.example/\n");
    pipe([""; 0], "http://pipe.example/").is(0, "http://pipe.example/\n");
    let ran = finish(spawn(
        command(["--sort=path", "in", "-"])
            .current_dir(dir.path())
            .stdin(File::open(dir.join("in")).unwrap()),
    ));
    ran.is(0, "<stdin>:1:http://in.example/\nin:1:http://in.example/\n");
}

#[test]
fn stdin_from_where_it_stands() {
    let dir = Dir::new();
    dir.file("in", "http://1.example/ http://2.example/");
    let mut file = File::open(dir.join("in")).unwrap();
    file.read_exact(&mut [0; 17]).unwrap();
    finish(spawn(command(["-b"]).stdin(file))).is(0, "1:http://2.example/\n");
}

#[test]
fn a_path_is_not_a_verb() {
    let dir = Dir::new();
    dir.file("parse", "http://a.example/");
    dir.run(["./parse"]).is(0, "http://a.example/\n");
    dir.file("-x", "http://b.example/");
    dir.run(["--", "-x"]).is(0, "http://b.example/\n");
}

#[test]
fn nul_hides_nothing_in_a_named_file() {
    let dir = Dir::new();
    dir.file("a", "http://a.example/1\n\0\nhttp://a.example/2\0http://a.example/3");
    dir.run(["a"]).is(0, "http://a.example/1\nhttp://a.example/2\nhttp://a.example/3\n");
    pipe(["-c"], fs::read(dir.join("a")).unwrap()).is(0, "3\n");
}

#[test]
fn bytes_that_are_not_utf8() {
    let dir = Dir::new();
    let name = OsStr::from_bytes(b"\xff\x1b[31m");
    dir.file(name, b"\xff\xffhttp://a.example/x\xffhttp://b.example/\xc3");
    let ran = dir.run(["-b"]);
    assert_eq!(
        ran.stdout,
        b"\xff\x1b[31m:1:2:http://a.example/x\n\xff\x1b[31m:1:21:http://b.example/\n"
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let ran = dir.run([OsStr::new("a"), OsStr::from_bytes(b"new\nline\x1b")]);
    assert!(ran.stderr.contains("urigrep: new\\nline\\x1b: No such"), "{}", ran.stderr);
}

#[test]
fn a_named_fifo_is_read() {
    let dir = Dir::new();
    let fifo = dir.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let path = fifo.clone();
    let writer = thread::spawn(move || {
        OpenOptions::new()
            .write(true)
            .open(path)
            .unwrap()
            .write_all(b"x http://a.example/ y\n")
            .unwrap();
    });
    dir.run(["fifo"]).is(0, "http://a.example/\n");
    writer.join().unwrap();
}

#[test]
fn a_stream_is_answered_before_it_ends() {
    let mut child = spawn(command([""; 0]).stdin(Stdio::piped()));
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap());
    to.write_all(b"http://a.example/1\n").unwrap();
    // The rules look ahead; so much text has to follow that nothing can change.
    to.write_all("text and more text\n".repeat(2000).as_bytes()).unwrap();
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    assert_eq!(line, "http://a.example/1\n");
    drop(to);
    assert_eq!(wait(&mut child).code(), Some(0));
}

#[test]
fn utf16_and_utf32() {
    const TEXT: &str = "é 中\nsee <http://a.example/\n x> 😀 http://b.example/ü end\n";
    type Encode = fn(&str) -> Vec<u8>;
    let encodings: [(&str, Encode); 4] = [
        ("utf-16le", |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("utf-16be", |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ("utf-32le", |text| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()),
        ("utf-32be", |text| text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()),
    ];
    for (name, encode) in encodings {
        // with a byte order mark, and told by its zeros
        let plain = "http://a.example/x is in plain ASCII text\n".repeat(3);
        let dir = Dir::new();
        dir.file("marked", encode(&format!("\u{feff}{TEXT}"))).file("plain", encode(&plain));
        dir.run(["-c", "."]).is_sorted(0, &["./marked:2", "./plain:3"]);
        let ran = dir.run(["--json", "marked"]);
        let source = std::fs::read(dir.join("marked")).unwrap();
        let mut seen = Vec::new();
        for line in ran.out().lines() {
            let object: serde_json::Value = serde_json::from_str(line).unwrap();
            if object["type"] != "match" {
                continue;
            }
            let at = |key: &str| usize::try_from(object[key].as_u64().unwrap()).unwrap();
            let text = object["text"].as_str().unwrap();
            assert_eq!(source[at("start")..at("end")], encode(text), "{name}");
            let flags = object["flags"].as_array().unwrap();
            assert!(flags.contains(&"decoded".into()), "{name}: {flags:?}");
            seen.push((at("line"), object["uri"].as_str().unwrap().to_owned()));
        }
        let expected =
            [(2, "http://a.example/x".to_owned()), (3, "http://b.example/%C3%BC".to_owned())];
        assert_eq!(seen, expected, "{name}");
    }
}

#[test]
fn a_large_utf16_file() {
    let dir = Dir::new();
    let line = "some words and http://a.example/päth here\n";
    let text: Vec<u8> = std::iter::once(0xfeff)
        .chain(line.repeat(60_000).encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    dir.file("a", &text);
    dir.run(["-c", "a"]).is(0, "60000\n");
    let ran = dir.run(["-bn", "--column", "a"]);
    let last = ran.out().lines().last().unwrap().to_owned();
    let start = 2 + 2 * (line.chars().count() * 59_999 + 15);
    assert_eq!(last, format!("60000:31:{start}:http://a.example/päth"));
}

#[test]
fn encodings_by_label_and_by_guess() {
    let dir = Dir::new();
    dir.file("l1.txt", b"caf\xe9 http://a.example/caf\xe9?x=\xfc \xe0 voir, d\xe9j\xe0 vu\n");
    let iri = "http://a.example/caf\u{e9}?x=\u{fc}\n";
    for label in ["latin1", "auto", "windows-1252"] {
        assert_eq!(dir.run(["-E", label, "l1.txt"]).out(), iri, "{label}");
    }
    assert_eq!(dir.run(["l1.txt"]).out(), "http://a.example/caf\n");
    let found = dir.run(["--json", "--encoding", "latin1", "l1.txt"]);
    assert!(found.out().contains(r#""start":5,"end":30,"#), "{}", found.out());
    assert!(found.out().contains(r#""flags":["decoded"]"#));
    dir.file("sjis.txt", b"\x83\x65\x83\x58\x83\x67 <http://a.example/\x83\x65> \n");
    assert_eq!(dir.run(["-E", "shift_jis", "sjis.txt"]).out(), "http://a.example/\u{30c6}\n");
    let wide: Vec<u8> =
        "http://a.example/\u{e9}\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    dir.file("wide.txt", wide);
    assert_eq!(dir.run(["-E", "utf-16be", "wide.txt"]).out(), "http://a.example/\u{e9}\n");
    assert_eq!(dir.run(["-E", "none", "wide.txt"]).status, Some(1));
    assert!(dir.run(["-E", "klingon", "l1.txt"]).stderr.contains("Encoding Standard"));
}

/// What an input is does not depend on how much of it comes at once.
/// HTML Standard §13.2.3.2, XML 1.0 §4.3.3
#[test]
fn a_document_in_the_charset_that_it_declares() {
    let dir = Dir::new();
    dir.file("a.html", b"<meta charset=iso-8859-1><p id=\xe9><a href=https://a.example/caf\xe9>");
    dir.file(
        "b.xhtml",
        b"<?xml version='1.0' encoding='koi8-r'?><a href='https://b.example/\xc1'>",
    );
    // Its bytes are UTF-8, whatever it says.
    dir.file("c.html", "<meta charset=latin1><a href=https://c.example/é>");
    let found = "https://a.example/café\nhttps://b.example/а\nhttps://c.example/é\n";
    dir.run(["-I", "-N", "--sort=path", "a.html", "b.xhtml", "c.html"]).is(0, found);
    dir.run(["audit", "-q", "a.html"]).is(0, "");

    // What is not changed stays as it is.
    dir.run(["replace", "--write", "https://a.example/", "https://z.example/", "-q", "a.html"])
        .is(0, "");
    let written = fs::read(dir.join("a.html")).unwrap();
    assert!(written.ends_with(b"<a href=https://z.example/caf\xe9>"), "{written:?}");
}

#[test]
fn in_pieces_of_any_size() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin = "plain text and more of it http://z.example/\n".repeat(5).into_bytes();
    let latin = [&latin[..], b"caf\xe9 http://a.example/caf\xe9?x=\xfc \xe0 voir, d\xe9j\xe0 vu\n"]
        .concat();
    let mail = "From: a@b.example\nSubject: x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/x=\n=3Dy\n";
    let inputs: [(&[&str], Vec<u8>, &str); 8] = [
        (&["-E", "auto"], latin, "http://a.example/caf\u{e9}?x=\u{fc}\n"),
        (&[], wide(&"http://a.example/\n".repeat(40)), "http://a.example/\n"),
        (&[], mail.into(), "http://a.example/x=y\n"),
        (&[], format!("From a@b.example Wed Mar  2 23:56:19 2005\n{mail}").into(), "/x=y\n"),
        (&[], "\u{feff}\n <!doctype html><p id=x>http://a.example/?a&amp;b</p>".into(), "/?a&b\n"),
        (&[], "BEGIN:VCARD\nURL:http://a.example/\n b\nEND:VCARD\n".into(), "a.example/b\n"),
        (&[], gzip(mail.as_bytes()), "http://a.example/x=y\n"),
        (&[], [b"\x51\x2a\x4d\x18\x03\0\0\0abc".as_slice(), ZSTD].concat(), "http://a.example/\n"),
    ];
    for (args, bytes, end) in inputs {
        let whole = pipe(args.iter().chain(&["-o"]), &bytes);
        assert!(whole.out().ends_with(end), "{whole:?}");
        for size in [1, 2, 3, 7, 64] {
            let mut child = spawn(command(args.iter().chain(&["-o"])).stdin(Stdio::piped()));
            let mut to = child.stdin.take().unwrap();
            // so long it takes until each piece was read
            for piece in bytes[..bytes.len().min(150)].chunks(size) {
                to.write_all(piece).unwrap();
                thread::sleep(std::time::Duration::from_micros(300));
            }
            to.write_all(&bytes[bytes.len().min(150)..]).unwrap();
            drop(to);
            let ran = finish(child);
            assert_eq!((ran.status, ran.out()), (whole.status, whole.out()), "{args:?} {size}");
        }
    }
}

/// `http://a.example/` and a line end, as zstd stores it (RFC 8878).
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd\x20\x12\x91\0\0http://a.example/\n";
