//! Mail: mailboxes and messages, their parts and headers, and archives in the manner of real
//! mailers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::json::objects;
use crate::support::{Dir, has};

const MBOX: &str = "From ann@a.example  Tue Mar  1 00:00:00 2005\nFrom: Ann <ann@a.example>\nSubject: =?utf-8?q?caf=C3=A9?=\n\
    Date: Tue, 1 Mar 2005 00:00:00 +0100\nMessage-ID: <1@a.example>\nList-Unsubscribe: <http://l.example/u>\n\
    MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\
    Content-Transfer-Encoding: quoted-printable\n\nsee http://a.example/very/lo=\nng?x=3D1 now\n\n--b\n\
    Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n\
    PGEgaHJlZj0iaHR0cDovL2EuZXhhbXBsZS92ZXJ5L2xvbmc/eD0xIj5zZWU8L2E+IDxhIGhyZWY9\n\
    Imh0dHA6Ly9hLmV4YW1wbGUvaHRtbCI+PC9hPg==\n\n--b--\n\n\
    From bob@b.example  Tue Mar  1 00:01:00 2005\nMessage-ID: <2@b.example>\nIn-Reply-To: <1@a.example>\n\
    Subject: Re: x\n\nhttp://b.example/ and http://b.example/ again, http://a.example/very/long?x=1\n\
    >From here http://c.example/\n\n";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("list.mbox", MBOX);
    dir
}

#[test]
fn parts_are_decoded_and_told_once() {
    let dir = dir();
    assert_eq!(
        dir.run(["list.mbox"]).out(),
        "http://l.example/u\nhttp://a.example/very/long?x=1\nhttp://a.example/html\n\
         http://b.example/\nhttp://b.example/\nhttp://a.example/very/long?x=1\nhttp://c.example/\n"
    );
    assert_eq!(dir.run(["-c", "--all-parts", "list.mbox"]).out(), "8\n");
    assert_eq!(dir.run(["-c", "--dedupe", "message", "list.mbox"]).out(), "6\n");
    assert_eq!(dir.run(["-c", "--dedupe", "thread", "list.mbox"]).out(), "5\n");
    assert_eq!(
        dir.run(["--mail", "never", "list.mbox"]).out().lines().nth(1),
        Some("http://a.example/very/lo=")
    );
}

#[test]
fn objects_know_their_message() {
    let dir = dir();
    let found = objects(&dir.run(["--json", "list.mbox"]));
    let long = &found[1];
    assert_eq!(long["text"], "http://a.example/very/long?x=1");
    assert_eq!(long["flags"], serde_json::json!(["decoded"]));
    assert_eq!(long["ranges"].as_array().map(Vec::len), Some(2));
    let (start, end) = (long["start"].as_u64().unwrap(), long["end"].as_u64().unwrap());
    assert_eq!(&MBOX[start as usize..end as usize], "http://a.example/very/lo=\nng?x=3D1");
    assert_eq!(
        long["mail"],
        serde_json::json!({
            "message_id": "1@a.example", "date": "2005-03-01T00:00:00+01:00",
            "from": "Ann <ann@a.example>", "subject": "caf\u{e9}", "parts": ["1", "2"],
        })
    );
    assert_eq!(found[0]["mail"]["header"], "List-Unsubscribe");
    assert_eq!(found[2]["element"], "a");
    let line = MBOX[..start as usize].matches('\n').count() as u64 + 1;
    assert_eq!(long["line"].as_u64(), Some(line));
}

#[test]
fn headers_and_groups() {
    let dir = dir();
    let ran = dir.run(["--headers", "--scheme", "mid", "list.mbox"]);
    assert_eq!(ran.out(), "mid:1@a.example\nmid:2@b.example\nmid:1@a.example\n");
    let ran = dir.run(["--group-by", "message", "-e", "c.example", "list.mbox"]);
    assert_eq!(ran.out(), "<2@b.example>  Re: x\nhttp://c.example/\n");
    let ran = dir.run(["--group-by", "message", "--json", "list.mbox"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--group-by"), "{}", ran.stderr);
}

#[test]
fn the_same_from_a_pipe_and_compressed() {
    let dir = dir();
    let whole = dir.run(["-n", "list.mbox"]);
    let piped = crate::support::pipe(["-n"], MBOX);
    assert_eq!(piped.out(), whole.out());
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gz, MBOX.as_bytes()).unwrap();
    dir.file("list.mbox.gz", gz.finish().unwrap());
    assert_eq!(dir.run(["-n", "list.mbox.gz"]).out(), whole.out());
}

#[test]
fn a_message_that_is_too_large_is_text_and_the_next_one_is_a_message() {
    let dir = Dir::new();
    let mut mbox = MBOX.to_owned();
    mbox.push_str(
        "From x@x.example  Tue Mar  1 00:02:00 2005\nSubject: large\n\nhttp://d.example/\n",
    );
    mbox.push_str(&"nothing here\n".repeat(400_000));
    mbox.push_str("http://e.example/\n\n");
    mbox.push_str(MBOX);
    dir.file("list.mbox", &mbox);
    let found = objects(&dir.run(["--json", "list.mbox"]));
    let uris: Vec<_> = found.iter().filter_map(|found| found["uri"].as_str()).collect();
    assert_eq!(uris.len(), 7 + 2 + 7);
    assert_eq!(uris[7..9], ["http://d.example/", "http://e.example/"]);
    assert_eq!(uris[..7], uris[9..]);
    for found in &found {
        let (Some(start), Some(text)) = (found["start"].as_u64(), found["text"].as_str()) else {
            continue;
        };
        if found["flags"].as_array().is_some_and(Vec::is_empty) {
            assert!(mbox[start as usize..].starts_with(text), "{found}");
        }
        let line = mbox[..start as usize].matches('\n').count() as u64 + 1;
        assert_eq!(found["line"].as_u64(), Some(line), "{found}");
    }
}

/// A message of one part.
fn message(fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("From: a@a.example\nMessage-ID: <1@a.example>\n{fields}\n\n");
    [head.as_bytes(), body].concat()
}

#[test]
fn what_is_not_read_is_counted_and_told() {
    let dir = Dir::new();
    let body = b"--b\nContent-Type: text/plain\n\nhttp://a.example/\n--b\nContent-Type: text/plain\n\n\
        -----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n--b\n\
        Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUg==\n--b--\n";
    let bytes = message("Content-Type: multipart/mixed; boundary=b", body);
    let text = String::from_utf8_lossy(&bytes);
    let [pgp, png] = ["-----BEGIN", "iVBOR"].map(|start| text.find(start).unwrap());
    dir.file("a.eml", &bytes);
    let ran = dir.run(["--stats", "a.eml"]);
    assert!(
        ran.out().contains(" 1 encrypted part of mail skipped\n  1 binary part of mail skipped\n"),
        "{}",
        ran.out()
    );
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(
        told,
        [
            format!(
                "urigrep: a.eml: part 2 of <1@a.example>, at byte {pgp}, is encrypted and was not searched"
            ),
            format!(
                "urigrep: a.eml: part 3 of <1@a.example>, at byte {png}, is binary and was not searched"
            ),
        ]
    );
    assert_eq!(ran.status, Some(0), "it is no error");
    // a message with parts is read twice for JSON, and counted once
    let found = objects(&dir.run(["--json", "--stats", "a.eml"]));
    assert_eq!(found.last().unwrap()["skipped_parts"], 2);
    assert_eq!(dir.run(["a.eml"]).stderr, "");
}

#[test]
fn what_is_read_twice_is_told_once() {
    let dir = Dir::new();
    // not all of it is Shift JIS, so it is read as it stands, too
    let body = b"http://a.example/x \x81\x20 and \xff http://b.example/\n";
    dir.file("a.eml", message("Content-Type: text/plain; charset=shift_jis", body));
    assert_eq!(dir.run(["a.eml"]).out(), "http://a.example/x\nhttp://b.example/\n");
    // the same place, but another URI
    let fields = "Content-Type: text/plain; charset=utf-7";
    dir.file("b.eml", message(fields, b"http://a.example/+AGI- +2AA-\n"));
    assert_eq!(dir.run(["b.eml"]).out(), "http://a.example/b\nhttp://a.example/+AGI-\n");
    // without parts, what the author repeats is repeated
    let body = b"multipart/mixed: http://a.example/ http://a.example/\n";
    dir.file("c.eml", message("Subject: s", body));
    assert_eq!(dir.run(["-c", "c.eml"]).out(), "2\n");
}

#[test]
fn no_line_in_base64_hides_what_follows() {
    let dir = Dir::new();
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: base64";
    // the second line has 23 letters
    let body = b"aHR0cDovL2EuZXhhbXBsZS8=\n-- list http://l.example/ footer\naHR0cDovL2EuZXhhbXBsZS8yIA==\n";
    dir.file("a.eml", message(fields, body));
    assert_eq!(
        dir.run(["a.eml"]).out(),
        "http://a.example/\nhttp://l.example/\nhttp://a.example/2\n"
    );
    // where the quads are cut otherwise than the lines, they go on
    dir.file("b.eml", message(fields, b"aHR\n0c!D\novL2EuZXhhbXBsZS8=\n"));
    assert_eq!(dir.run(["b.eml"]).out(), "http://a.example/\n");
}

#[test]
fn charsets_that_nobody_decodes_hide_nothing() {
    let dir = Dir::new();
    for (charset, body) in [
        (
            "iso-2022-kr",
            &b"\x1b$)C\x0e>H\x0f http://a.example/1 \x0e>H3g\x0f <http://a.example/2>\n"[..],
        ),
        ("hz-gb-2312", b"~{VPND~} http://a.example/1 ~~ <http://a.example/2>\n"),
        ("x-unknown", b"\xff http://a.example/1 \xfe <http://a.example/2>\n"),
    ] {
        let fields = format!("Content-Type: text/plain; charset={charset}");
        let bytes = message(&fields, body);
        dir.file("a.eml", &bytes);
        let found = objects(&dir.run(["--json", "a.eml"]));
        for (object, uri) in found.iter().zip(["http://a.example/1", "http://a.example/2"]) {
            assert_eq!(object["uri"], uri, "{charset}");
            let start = object["start"].as_u64().unwrap() as usize;
            assert!(bytes[start..].starts_with(uri.as_bytes()));
        }
        assert_eq!(found.len(), 2, "{charset}");
    }
}

#[test]
fn a_large_mailbox_is_the_same_to_all_threads() {
    let dir = Dir::new();
    let mut mbox = String::new();
    for number in 0..11_000 {
        mbox.push_str(&format!(
            "From a@a.example  Tue Mar  1 00:00:00 2005\nFrom: a@a.example\nMessage-ID: <{number}@a.example>\n\
             Subject: <http://s.example/{number}>\nContent-Type: text/plain; charset=us-ascii\n\n\
             http://a.example/{number} and http://a.example/{number} again: \"http://b.example/x\n\n"
        ));
        match number % 1000 {
            7 => mbox.push_str(MBOX),
            8 => mbox.push_str(&format!("begin 644 a.txt\n#8FEN\n`\nend\n{}\n", "x".repeat(9000))),
            9 => mbox.push_str(">From here http://c.example/\n\n"),
            _ => {}
        }
    }
    dir.file("list.mbox", &mbox);
    for flags in [
        &["--json"][..],
        &["-n", "--dedupe", "thread"],
        &["--headers", "-b"],
        &["--invalid", "-b"],
        &["-m", "9999"],
    ] {
        let run = |threads: &str| dir.run([&["-j", threads], flags, &["list.mbox"]].concat());
        let lines = |threads: &str| {
            let out = run(threads).out().to_owned();
            // it says how long it took
            let lines = out.lines().filter(|line| !line.starts_with("{\"type\":\"summary"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let (one, four) = (lines("1"), lines("4"));
        assert!(one.len() > 5000 || flags[0] == "--invalid", "{flags:?}");
        assert!(one == four, "{flags:?}");
    }
}

/// Message-ID and URI; those of a digest's messages count for the digest.
type Facts = BTreeSet<(String, String)>;

fn facts(text: &str) -> Facts {
    let pair = |line: &str| {
        let (id, uri) = line.split_once('\t').expect("two columns");
        (id.to_owned(), uri.to_owned())
    };
    text.lines().map(pair).collect()
}

#[test]
fn an_archive_gives_what_its_manifest_says_and_what_python_reads() {
    if !has("python3") {
        eprintln!("SKIPPED: there is no python3, so no archive is made");
        return;
    }
    let messages = std::env::var("URIGREP_MESSAGES").unwrap_or_else(|_| "1500".to_owned());
    let dir = Dir::new();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let (mbox, manifest) = (dir.join("list.mbox"), dir.join("list.tsv"));
    let made = Command::new("python3")
        .arg(scripts.join("make.py"))
        .args([messages.as_ref(), mbox.as_os_str(), manifest.as_os_str()])
        .status();
    assert!(made.is_ok_and(|status| status.success()), "make.py");
    let wanted = facts(&fs::read_to_string(&manifest).expect("a manifest"));
    assert!(wanted.len() > 1000);
    let read = Command::new("python3")
        .arg(scripts.join("read.py"))
        .arg(&mbox)
        .output()
        .expect("python3 runs");
    assert!(facts(&String::from_utf8_lossy(&read.stdout)) == wanted, "read.py");

    let mut found = Facts::new();
    for object in objects(&dir.run(["--json", "list.mbox"])) {
        if object["type"] != "match" {
            continue;
        }
        let id = object["mail"]["message_id"].as_str().expect("an identifier");
        let outer = id.rsplit_once('.').filter(|(_, last)| last.parse::<u8>().is_ok());
        let id = outer.map_or(id, |(outer, _)| outer).to_owned();
        let uri = object["uri"].as_str().expect("a URI").to_owned();
        assert!(found.insert((id, uri)), "told twice: {object}");
    }
    let missing: Vec<_> = wanted.difference(&found).take(5).collect();
    let wrong: Vec<_> = found.difference(&wanted).take(5).collect();
    assert!(found == wanted, "missing {missing:?}, wrong {wrong:?}");
}
