//! Messages that are made to be hard: nothing in them is hidden, and they end no process.
//!
//! More of them, and that time stays linear, are in tests/mail/hostile.rs.

use super::tree::Tree;

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
