//! Inputs that are not a document as they are: compressed files, archives, messages, and formats
//! that are not read.

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use urigrep::audit::{AuditOutcome, Auditor};

use crate::pack::{Zipped, zip};

/// What an audit of a file of this name says: for each document its path and the checks, and each
/// failure.
fn audit(name: &str, bytes: &[u8]) -> Vec<String> {
    let directory =
        std::env::temp_dir().join(format!("urigrep-inputs-{}-{name}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let path: PathBuf = directory.join(name);
    fs::write(&path, bytes).unwrap();
    let mut said = Vec::new();
    let auditor = Auditor::builder().build();
    let ran = auditor.run(
        [&path],
        |outcome| outcome,
        |outcome| {
            said.push(match outcome {
                AuditOutcome::Audited(document) => {
                    let path =
                        String::from_utf8_lossy(document.input().display_path()).into_owned();
                    let path = path.rsplit(std::path::MAIN_SEPARATOR).next().unwrap_or_default();
                    let findings = document.findings().iter();
                    let checks: Vec<_> = findings.map(|it| it.finding.check.id).collect();
                    format!("{path}: {}", checks.join(" "))
                }
                AuditOutcome::Failed(problem) => format!("failed: {}", problem.message()),
                AuditOutcome::LeftOut => "left out".to_owned(),
                AuditOutcome::Vendored(name) => format!("in {name}"),
            });
            ControlFlow::Continue(())
        },
    );
    ran.unwrap();
    fs::remove_dir_all(&directory).unwrap();
    said
}

const MISLEADING: &str =
    "<a href='http://evil.test/'>http://bank.example/</a> <a href='gone.html'>x</a>";

#[test]
fn a_compressed_document_is_audited_as_the_document() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(b"[a](missing.md)").unwrap();
    assert_eq!(audit("a.md.gz", &gzip.finish().unwrap()), ["a.md.gz: missing-target"]);
}

#[test]
fn members_are_audited_without_their_relative_links() {
    let name = "a.html";
    let mut ar = b"!<arch>\n".to_vec();
    let length = MISLEADING.len();
    ar.extend(
        format!("{:<16}0           0     0     644     {length:<10}`\n", format!("{name}/"))
            .bytes(),
    );
    ar.extend(MISLEADING.bytes());
    assert_eq!(audit("b.ar", &ar), ["a.html: misleading-text"]);
}

#[test]
fn messages_are_audited_without_their_relative_links() {
    let message =
        format!("From: a@b.example\nTo: c@d.example\nContent-Type: text/html\n\n{MISLEADING}\n");
    assert_eq!(audit("m.eml", message.as_bytes()), ["m.eml: misleading-text"]);
    let mbox = format!(
        "From a Wed Mar  2 23:56:19 2005\n{message}\nFrom b Wed Mar  2 23:56:19 2005\n{message}"
    );
    assert_eq!(audit("m.mbox", mbox.as_bytes()), ["m.mbox: misleading-text misleading-text"]);
}

#[test]
fn notebooks_and_other_markup_are_audited() {
    let notebook = r#"{"cells": [{"cell_type": "markdown", "source": ["\n", "[a](none.md)"]}]}"#;
    assert_eq!(audit("a.ipynb", notebook.as_bytes()), ["a.ipynb: missing-target"]);
    assert_eq!(audit("a.adoc", b"xref:none.adoc[]"), ["a.adoc: missing-target"]);
    assert_eq!(audit("a.org", b"[[file:none.org]]"), ["a.org: missing-target"]);
}

#[test]
fn what_is_not_read_says_so() {
    let said = audit("a.rar", b"Rar!\x1a\x07\x01\0");
    assert!(said[0].starts_with("failed: a RAR archive is not read; unpack"), "{said:?}");
    let said = audit("a.pdf", b"%PDF-1.7\n");
    let message = if cfg!(feature = "pdf") {
        "failed: it is damaged and was searched as bytes, not as PDF"
    } else {
        "failed: PDF is not read; convert"
    };
    assert!(said.iter().any(|it| it.starts_with(message)), "{said:?}");
    let damaged =
        b"{\\rtf1{\\field{\\*\\fldinst HYPERLINK \"https://www.bank.com@evil.dev/\"}{\\fldrslt x";
    let said = audit("a.rtf", damaged);
    assert!(said.iter().any(|it| it.starts_with("failed: a group in it does not end")), "{said:?}");
    assert!(said.iter().any(|it| it.contains("misleading-userinfo")), "{said:?}");
}

/// A document of Word with these files, beside its text.
fn word(embedded: &[(&str, &[u8])], text: &str) -> Vec<u8> {
    let text = format!("<w:document><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:document>");
    let own = [("word/document.xml", text.as_bytes())];
    zip(own.iter().chain(embedded).map(|(name, bytes)| (*name, *bytes, Zipped::Deflated)))
}

/// A picture refers to its own ids, and a page to its own files, not to those of the document
/// around them.
#[test]
fn files_in_a_document_are_audited_as_documents_of_their_own() {
    let picture = b"<svg><linearGradient id='a'/><path fill='url(#a)'/><use href='#gone'/></svg>";
    let bytes = word(
        &[("word/media/a.svg", picture), ("word/chunk.html", MISLEADING.as_bytes())],
        "http://a.example/",
    );
    assert_eq!(
        audit("a.docx", &bytes),
        ["a.docx: ", "chunk.html: misleading-text", "a.svg: missing-anchor"]
    );
}

/// Each of few documents holds others, which would unpack to more than the limit together.
#[test]
fn documents_in_one_another_share_a_limit() {
    let inner = word(&[], &"x".repeat(8 << 20));
    let names: Vec<String> = (0..8).map(|it| format!("word/embeddings/{it}.docx")).collect();
    let around = |bytes: &[u8]| {
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, bytes)).collect();
        word(&files, "http://a.example/")
    };
    let said = audit("outer.docx", &around(&around(&inner)));
    let limit = "nested documents unpack to more than 256 MiB";
    assert!(said.iter().any(|it| it.contains(limit)), "{said:#?}");
    assert!(said.len() > 8, "{said:#?}");
}
