//! Archives attached to messages: their files are read like named files.
//!
//! `attachments.eml` was made by Python's `email` and `zipfile`. Its zip holds a text, a page, a
//! message, a text in UTF-16, and another zip; a gzip file, two formats that are not read, and the
//! start of the zip follow.

use super::json::objects;
use crate::support::{Dir, pack, pipe};

const MAIL: &[u8] = include_bytes!("attachments.eml");

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("a.eml", MAIL);
    let envelope: &[u8] = b"From jim@a.example  Wed Mar  2 23:56:19 2005\n";
    dir.file("a.mbox", [envelope, MAIL, b"\n"].concat().repeat(150));
    dir
}

#[test]
fn files_of_attached_archives_are_found_by_their_paths() {
    let dir = dir();
    let ran = dir.run(["-Hn", "a.eml"]);
    assert_eq!(
        ran.out(),
        "a.eml:12:http://body.example/\n\
         a.eml!/report.zip!/docs/a.txt:2:http://zip.example/a?x=1\n\
         a.eml!/report.zip!/docs/b.html:1:http://zip.example/b?x=1&y=2\n\
         a.eml!/report.zip!/mail/c.eml:7:http://inner.example/\u{fc}\n\
         a.eml!/report.zip!/u16.txt:1:http://utf16.example/\u{fc}\n\
         a.eml!/report.zip!/inner.zip!/deep.txt:1:http://deep.example/\n\
         a.eml!/log.txt.gz:3:http://gz.example/log\n\
         a.eml!/x.pdf:2:http://pdf.example/\n"
    );
    assert_eq!(ran.status, Some(2));
    let errors = &ran.stderr;
    assert!(
        errors.contains("a.eml!/x.rar: a RAR archive is not read; unpack it first"),
        "{errors}"
    );
    assert!(errors.contains("a.eml!/cut.zip!/mail/c.eml: the zip data ends too early"), "{errors}");
}

#[test]
fn objects_have_offsets_in_the_file_and_the_context_of_the_message() {
    let dir = dir();
    let all = objects(&dir.run(["--json", "a.eml"]));
    let page = all.iter().find(|it| it["text"] == "http://zip.example/b?x=1&y=2").unwrap();
    assert_eq!(page["stream"], "mail!/report.zip+zip!/docs/b.html");
    assert_eq!(page["format"], "html");
    assert_eq!((&page["start"], &page["end"]), (&12.into(), &44.into()));
    assert_eq!(page["mail"]["message_id"], "1@b.example");
    assert_eq!(page["role"], "destination");
    assert!(all.iter().any(|it| it["type"] == "error" && it["path"] == "a.eml!/x.rar"));
}

#[test]
fn mailboxes_are_read_alike_by_any_number_of_threads() {
    let dir = dir();
    let one = dir.run(["--json", "--threads", "1", "--all-parts", "a.mbox"]);
    let four = dir.run(["--json", "--threads", "4", "--all-parts", "a.mbox"]);
    assert_eq!(one.out(), four.out());
    assert_eq!(one.out().matches("http://gz.example/log").count() % 150, 0);
    // hundreds of messages of one kind say nothing more
    assert!(one.stderr.contains("more attached files were not read"), "{}", one.stderr);
    assert_eq!(one.stderr.lines().count(), 101);
}

#[test]
fn attached_files_are_audited() {
    let dir = dir();
    let ran = dir.run(["audit", "--severity", "note", "a.eml"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.out().contains(" --> a.eml!/report.zip!/docs/b.html:1:13\n"), "{}", ran.out());
}

#[test]
fn an_audit_unpacks_standard_input() {
    let text: &[u8] = b"[x](http://a.dev/%zz)\n";
    let ran = pipe(["audit", "-"], pack::gzip(text));
    assert_eq!(ran.out(), pipe(["audit", "-"], text).out());
    assert!(ran.out().contains("%zz"), "{}", ran.out());
}

/// A document of Word, which is a zip archive, attached by its type, by its name, and in another
/// archive.
#[test]
fn attached_packages_are_documents() {
    let dir = Dir::new();
    dir.file("p.eml", include_bytes!("packages.eml"));
    let expected: String = ["d.docx", "e.docx", "g.zip!/in/f.docx"]
        .iter()
        .flat_map(|file| {
            ["http://docx.example/?a=1&b=2", "http://text.example/x"].map(|uri| (file, uri))
        })
        .map(|(file, uri)| format!("p.eml!/{file}:paragraph 1:{uri}\n"))
        .collect();
    dir.run(["-Hn", "--all-parts", "p.eml"]).is(0, &expected);
}
