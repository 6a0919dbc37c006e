//! Messages that are made to be hard: nothing in them is hidden, and they end no process.
//!
//! More of them, and that time stays linear, are in tests/mail/hostile.rs.

use std::ops::Range;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::tree::Tree;
use crate::support::pack::{Zipped, gzip, zip};
use crate::support::pipe;

const SECRET: &str = "aHR0cDovL2Jhc2U2NC5leGFtcGxlLw==";

/// Recursion would end the process here, also where it drops what it has built.
#[test]
fn deep_nesting() {
    let tree = Tree::new();
    let mut message = String::from("From: a@b.example\nMIME-Version: 1.0\n");
    for _ in 0..33_000 {
        message += "Content-Type: message/rfc822\n\nMIME-Version: 1.0\n";
    }
    message += "\nhttp://deep.example/\n";
    tree.dir.file("m-bad.eml", message);
    let ran = tree.survives(
        &[],
        2,
        &["urigrep: m-bad.eml: parts of a message are nested more than 64 deep; *"],
    );
    assert!(ran.out().contains("http://deep.example/\n"));
}

fn multipart(parts: usize) -> String {
    let mut message = String::from(
        "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n",
    );
    for part in 0..parts {
        message += &format!("--b\n\nhttp://part.example/{part}\n");
    }
    message + "--b--\n"
}

#[test]
fn very_many_parts() {
    let tree = Tree::new();
    tree.dir.file("m-bad.eml", multipart(12_000));
    let ran =
        tree.survives(&[], 2, &["urigrep: m-bad.eml: a message has more than 10000 parts; *"]);
    assert_eq!(ran.out().matches("http://part.example/").count(), 12_000);
    tree.dir.file("m-bad.eml", multipart(100_000));
    let ran = tree.dir.run(["-c", "m-bad.eml"]);
    assert_eq!((ran.status, ran.out()), (Some(2), "100000\n"));
}

#[test]
fn a_boundary_that_is_missing() {
    let tree = Tree::new();
    let message = format!(
        "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=nowhere\n\n\
         http://plain.example/\n\nContent-Transfer-Encoding: base64\n\n{SECRET}\n"
    );
    tree.dir.file("m-bad.eml", message);
    let ran = tree.survives(&[], 0, &[]);
    assert!(ran.out().contains("http://plain.example/\n"), "{ran:?}");
}

#[test]
fn a_message_that_is_too_large() {
    let tree = Tree::new();
    let message = format!(
        "From x@y.example  Tue Mar  1 00:00:00 2005\nFrom: a@b.example\nSubject: x\n\n{}http://end.example/\n",
        "text\n".repeat(300_000)
    );
    tree.dir.file("m-bad/mbox", message);
    let said = "urigrep: m-bad/mbox: a message larger than 1048576 bytes was searched as text";
    let ran = tree.survives(&["--limit=message=1M"], 2, &[said]);
    assert!(ran.out().contains("http://end.example/\n"));
    tree.survives(&[], 0, &[]);
}

/// A limit above the default reads larger messages as what they are.
#[test]
fn a_large_message_below_a_raised_limit() {
    let tree = Tree::new();
    let encoded = BASE64_STANDARD.encode("text\n".repeat(900_000) + "http://bad.example/");
    let head =
        "From: a@b.example\nDate: x\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n";
    tree.dir.file("m-bad.eml", format!("{head}{encoded}"));
    let ran = tree.survives(&["--limit=message=16M"], 0, &[]);
    assert!(ran.out().contains("http://bad.example/\n"));
}

/// A message with one attached file.
fn attached(name: &str, bytes: &[u8]) -> Vec<u8> {
    let encoded = BASE64_STANDARD.encode(bytes);
    format!(
        "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
         Content-Type: application/octet-stream; name=\"{name}\"\nContent-Transfer-Encoding: base64\n\n\
         {encoded}\n--b--\n"
    )
    .into_bytes()
}

/// Wraps a text again and again, checks that it is found at these levels, and that the limit is
/// said in the end.
fn nest(path: &str, levels: usize, read: Range<usize>, wrap: impl Fn(usize, &[u8]) -> Vec<u8>) {
    let tree = Tree::new();
    let mut bytes = b"http://deep.example/\n".to_vec();
    for level in 0..levels {
        bytes = wrap(level, &bytes);
        tree.dir.file(path, &bytes);
        if read.contains(&level) {
            assert!(tree.survives(&[], 0, &[]).out().contains("http://deep.example/\n"));
        }
    }
    let said = format!("urigrep: {path}: more than 4 encoded messages are inside each other; *");
    tree.survives(&[], 2, &[&said]);
}

/// Beyond the limit, a message in an archive was searched as the text of its encoding, and nothing
/// was said.
#[test]
fn messages_in_archives_in_messages() {
    nest("m-bad.eml", 6, 0..5, |level, message| {
        let name = if level == 0 { "x.txt" } else { "x.eml" };
        attached("x.zip", &zip([(name, message, Zipped::Stored)]))
    });
}

/// Each level held its bytes, and recursion had no end.
#[test]
fn mailboxes_in_compressed_files_in_mailboxes() {
    nest("m-bad/mbox", 60, 3..4, |_, mailbox| {
        let message = attached("x.mbox.gz", &gzip(mailbox));
        [b"From x@y.example  Tue Mar  1 00:00:00 2005\n", &message[..]].concat()
    });
}

/// A part that is not encoded makes a message in an archive no binary file.
#[test]
fn a_message_with_a_binary_part_in_an_archive() {
    let tree = Tree::new();
    let mut mailbox = b"From x@y.example  Tue Mar  1 00:00:00 2005\nFrom: a@b.example\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://in.example/\n--b\n\
        Content-Type: image/png\nContent-Transfer-Encoding: binary\n\n"
        .to_vec();
    mailbox.extend([0; 64]);
    mailbox.extend_from_slice(b"\n--b--\n");
    tree.dir.file("m-bad.eml", attached("x.gz", &gzip(&mailbox)));
    assert!(tree.survives(&[], 0, &[]).out().contains("http://in.example/\n"));
}

/// An audit reads what a search reads, so it says what it did not read.
#[test]
fn an_audit_says_which_limits_a_message_reached() {
    let tree = Tree::new();
    let mut message = b"Subject: x\n\nhttp://deep.example/\n".to_vec();
    for _ in 0..6 {
        let encoded = BASE64_STANDARD.encode(&message);
        message = format!(
            "From: a@b.example\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\
             Content-Transfer-Encoding: base64\n\n{encoded}\n"
        )
        .into_bytes();
    }
    tree.dir.file("m-bad.eml", &message);
    for arguments in [&["m-bad.eml"][..], &["audit", "m-bad.eml"]] {
        let ran = tree.dir.run(arguments);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        let said = "urigrep: m-bad.eml: more than 4 encoded messages are inside each other";
        assert_eq!(ran.stderr.matches(said).count(), 1, "{ran:?}");
    }
}

/// A message or a document on standard input was audited without what is in it.
#[test]
fn attached_files_on_standard_input_are_audited() {
    let archive = zip([("a.md", &b"[x](#gone)\n"[..], Zipped::Stored)]);
    let message = attached("x.zip", &archive);
    for (name, bytes) in [("x.eml", &message), ("x.zip", &archive)] {
        let ran = pipe(["audit", "--no-config", "--stdin-path", name], bytes);
        assert!(ran.status == Some(1) && ran.out().contains("missing-anchor"), "{name}: {ran:?}");
    }
    let bomb = attached("x.gz", &gzip(&vec![0; 33 << 20]));
    let ran = pipe(["audit", "--no-config", "--stdin-path", "x.eml"], bomb);
    assert!(ran.status == Some(2) && ran.stderr.contains("only the first 32 MiB"), "{ran:?}");
}
