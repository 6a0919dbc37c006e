//! Audits of documents that are not text: EPUB, Office, and PDF.

use crate::support::pack::{Zipped, zip};
use crate::support::{Dir, pipe};

fn package(members: &[(&str, &str)]) -> Vec<u8> {
    zip(members.iter().map(|(name, text)| (*name, text.as_bytes(), Zipped::Deflated)))
}

pub(super) fn book() -> Vec<u8> {
    package(&[
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            r#"<container><rootfiles><rootfile full-path="OPS/b.opf"/></rootfiles></container>"#,
        ),
        (
            "OPS/b.opf",
            r#"<package><manifest><item id="b" href="2.xhtml"/><item id="a" href="1.xhtml"/></manifest>
               <spine><itemref idref="a"/><itemref idref="b"/></spine></package>"#,
        ),
        (
            "OPS/1.xhtml",
            "<html><a href='2.xhtml#here'>a</a>\n<a href='2.xhtml#there'>b</a> <img src='x.png'/>\n\
             <a href='http://a.dev/'>c</a></html>",
        ),
        ("OPS/2.xhtml", "<html><p id='here'><a href='1.XHTML'>d</a></p></html>"),
    ])
}

fn word(body: &str, relationships: &str) -> Vec<u8> {
    package(&[
        ("word/document.xml", &format!("<w:document>{body}</w:document>")),
        (
            "word/_rels/document.xml.rels",
            &format!("<Relationships>{relationships}</Relationships>"),
        ),
    ])
}

const FAULTS: &str = "\
    <w:p><w:bookmarkStart w:name='here'/><w:hyperlink w:anchor='here'><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>\
    <w:p><w:hyperlink w:anchor='there'><w:r><w:t>b</w:t></w:r></w:hyperlink>\
    <w:hyperlink r:id='r1'><w:r><w:t>http://bank.dev/</w:t></w:r></w:hyperlink>\
    <w:hyperlink r:id='r2'><w:r><w:t>c</w:t></w:r></w:hyperlink>\
    <w:hyperlink r:id='r3'><w:r><w:t>d</w:t></w:r></w:hyperlink></w:p>";

const TARGETS: &str = "\
    <Relationship Id='r1' Type='t/hyperlink' Target='http://evil.dev/' TargetMode='External'/>\
    <Relationship Id='r2' Type='t/hyperlink' Target='gone.docx' TargetMode='External'/>\
    <Relationship Id='r3' Type='t/hyperlink' Target='there.docx' TargetMode='External'/>";

#[test]
fn books_are_searched_in_reading_order_and_audited() {
    let dir = Dir::new();
    dir.file("b.epub", book());
    dir.run(["--scheme", "http", "-H", "."]).is(0, "./b.epub!/OPS/1.xhtml:3:http://a.dev/\n");
    for ran in [dir.run(["audit", "b.epub"]), dir.run(["audit", "--no-config"])] {
        let out = ran.out();
        for line in [
            "warning[missing-anchor]: `OPS/2.xhtml` has no anchor `there`\n --> b.epub!/OPS/1.xhtml:2:10\n",
            "error[missing-target]: no such file: `OPS/x.png`\n",
            "error[target-case]: no such file: `OPS/1.XHTML`\n --> b.epub!/OPS/2.xhtml:1:29\n",
        ] {
            assert!(out.contains(line), "{out}");
        }
        assert!(ran.out().contains("2 errors, 1 warning in 2 of 3 documents"), "{}", ran.out());
        assert_eq!(ran.status, Some(1));
    }
    let ran = pipe(["audit", "-"], book());
    assert!(ran.out().contains("2 errors, 1 warning in 2 of 3 documents"), "{}", ran.out());
}

#[test]
fn office_documents_are_audited_by_their_places() {
    let dir = Dir::new();
    dir.file("a.docx", word(FAULTS, TARGETS)).file("there.docx", word("", ""));
    let ran = dir.run(["audit", "a.docx", "there.docx"]);
    assert_eq!(ran.status, Some(1));
    for finding in [
        "warning[missing-anchor]: the document has no anchor `there`
 --> a.docx:paragraph 2
  |
2 | b → #there
  |     ^^^^^^
  = help: did you mean `#here`?\n",
        "warning[misleading-text]: the text is `http://bank.dev/` but the link leads to `http://evil.dev/`
 --> a.docx:paragraph 2\n",
        "error[missing-target]: no such file: `gone.docx`\n --> a.docx:paragraph 2\n",
    ] {
        assert!(ran.out().contains(finding), "{}", ran.out());
    }
    assert!(ran.out().contains("1 error, 2 warnings in 1 of 2 documents"), "{}", ran.out());
    let json = dir.run(["audit", "--json", "a.docx"]);
    assert!(json.out().contains(r#""place":{"paragraph":2}"#), "{}", json.out());
    // Attached to a message, the document is at no place.
    let encoded = base64(&word(FAULTS, TARGETS));
    let mail = format!(
        "From: a@b.dev\nContent-Type: application/octet-stream; name=a.docx\n\
         Content-Transfer-Encoding: base64\n\n{encoded}\n"
    );
    dir.file("m.eml", mail);
    let ran = dir.run(["audit", "m.eml"]);
    assert!(ran.out().contains("warning[misleading-text]"), "{}{}", ran.out(), ran.stderr);
    assert!(ran.out().contains(" --> m.eml!/a.docx:paragraph 2\n"), "{}", ran.out());
    assert!(!ran.out().contains("gone.docx`"), "{}", ran.out());
}

#[test]
fn a_damaged_package_is_reported() {
    let dir = Dir::new();
    let book = book();
    dir.file("b.epub", &book[..book.len() / 2]);
    let ran = dir.run(["audit", "b.epub"]);
    assert_eq!(ran.status, Some(2), "{}{}", ran.out(), ran.stderr);
    assert!(ran.stderr.contains("b.epub: "), "{}", ran.stderr);
}

#[cfg(feature = "pdf")]
#[test]
fn pdf_destinations_are_audited() {
    const PDF: &str = "%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(here) [3 0 R/Fit]]>>>>>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/Annots[
<</Rect[0 0 1 1]/A<</S/GoTo/D(here)>>>><</Rect[0 0 1 1]/A<</S/GoTo/D(there)>>>>
<</Rect[0 0 1 1]/A<</S/GoToR/F(gone.pdf)>>>>
<</Rect[0 0 1 1]/A<</S/URI/URI(docs/gone.html)>>>>
<</Rect[0 0 1 1]/A<</S/URI/URI(www.a.dev/gone.html)>>>>
<</Rect[0 0 1 1]/A<</S/URI/URI(ftp://jane:Xk29dLq8w@a.dev/)>>>>]>> endobj
trailer <</Root 1 0 R>>
";
    let dir = Dir::new();
    dir.file("a.pdf", PDF);
    let ran = dir.run(["audit", "a.pdf"]);
    assert!(ran.out().contains("has no anchor `there`\n --> a.pdf:page 1\n"), "{}", ran.out());
    assert!(ran.out().contains("no such file: `gone.pdf`"), "{}", ran.out());
    // A URI without a scheme is relative, unless it starts with a host.
    assert!(ran.out().contains("no such file: `docs/gone.html`"), "{}", ran.out());
    assert!(!ran.out().contains("www.a.dev"), "{}", ran.out());
    assert!(ran.out().contains("[credentials]"), "{}", ran.out());
    assert!(ran.out().contains("in 1 of 1 document"), "{}", ran.out());
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for (index, chunk) in bytes.chunks(3).enumerate() {
        if index > 0 && index % 19 == 0 {
            out.push('\n');
        }
        let bits = chunk.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            out.push(if digit <= chunk.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    out
}

/// Whoever names or audits such a file must not think that it holds no link.
#[test]
fn documents_that_cannot_be_read_are_failures() {
    let cut = "<w:document><w:p><w:r><w:t>see http://a.dev/b";
    let loop_of_pages = "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
        2 0 obj <</Type/Pages/Kids[2 0 R]/Count 1>> endobj\ntrailer <</Root 1 0 R>>\n";
    let dir = Dir::new();
    dir.file("misnamed.docx", b"\x07\x01\0\x02\x80http://a.dev/b \x01");
    dir.file("misnamed.pdf", b"\x07\x01\0\x02\x80\x01");
    dir.file("cut.docx", package(&[("word/document.xml", cut)]));
    dir.file("empty.xlsx", package(&[("[Content_Types].xml", "<Types/>")]));
    dir.file("loop.pdf", loop_of_pages);
    dir.file("encrypted.pdf", "%PDF-1.4\ntrailer <</Encrypt 9 0 R>>\n");
    // The data of a page end too early.
    let cut_page = "%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n\
        2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n\
        3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R>> endobj\n\
        4 0 obj <</Length 3/Filter/FlateDecode>> stream\nabc\nendstream endobj\n\
        trailer <</Root 1 0 R>>\n";
    dir.file("cut.pdf", cut_page);
    let (no_end, _) = cut_page.split_once("4 0 obj").expect("an object");
    dir.file("no-end.pdf", no_end);
    for (file, message) in [
        ("misnamed.docx", "its name is that of a document (Word), its contents are not"),
        ("misnamed.pdf", "its name is that of a document (PDF), its contents are not"),
        ("cut.docx", "word/document.xml in it is damaged; not all of it was read"),
        ("empty.xlsx", "no text was found in it; it is damaged or misnamed"),
        ("loop.pdf", "no page was found in it; it is damaged"),
        ("encrypted.pdf", "it is encrypted and was not read; remove its password first"),
        ("cut.pdf", "a stream of a page is damaged, or too large; some of its text was not read"),
        ("no-end.pdf", "its end is missing; what is there was read"),
    ] {
        for ran in [dir.run([file]), dir.run(["audit", file])] {
            assert_eq!(ran.status, Some(2), "{file}");
            assert!(ran.stderr.contains(message), "{file}: {}", ran.stderr);
        }
    }
    // The first bytes decide, whatever the name says.
    dir.file("word.pdf", word("<w:p><w:r><w:t>http://a.dev/b</w:t></w:r></w:p>", ""));
    dir.file("word.xlsx", word("<w:p><w:r><w:t>http://a.dev/b</w:t></w:r></w:p>", ""));
    for file in ["word.pdf", "word.xlsx"] {
        dir.run([file]).is(0, "http://a.dev/b\n");
    }
    dir.file("damaged.pdf", "%PDF-1.4\nhttp://a.dev/b\n");
    let ran = dir.run(["damaged.pdf"]);
    assert_eq!((ran.status, ran.out()), (Some(2), "http://a.dev/b\n"));
    // What can be read is still found.
    assert_eq!(dir.run(["misnamed.docx"]).out(), "http://a.dev/b\n");
    assert_eq!(dir.run(["cut.docx"]).out(), "http://a.dev/b\n");
    // Office keeps such a file beside an open document.
    dir.file("~$a.docx", b"\x05Smith\0\0\0");
    assert_eq!(dir.run(["audit", "~$a.docx"]).status, Some(0));
}

/// Damage that only sums, lengths, and a second copy of a name tell.
#[test]
fn damage_without_a_syntax_error_is_told() {
    let dir = Dir::new();
    let word = word("<w:p><w:r><w:t>http://a.dev/b</w:t></w:r></w:p>", "");
    let mut renamed = word.clone();
    let at = renamed.windows(13).rposition(|name| name == b"word/document").expect("a name");
    renamed[at] = b'W';
    dir.file("renamed.docx", renamed);
    // The method of the first file.
    let mut headless = word;
    headless[9] = 0xff;
    dir.file("headless.docx", &headless);
    dir.file("headless.epub", headless);
    let tnef = |sum: &[u8]| {
        [b"\x78\x9f\x3e\x22\x01\0\x01\x0c\x80\x02\0\x02\0\0\0ab".as_slice(), sum].concat()
    };
    dir.file("whole.dat", tnef(b"\xc3\0"));
    dir.file("sum.dat", tnef(b"\xc4\0"));
    dir.file("cut.dat", tnef(b"\xc3"));
    dir.file("open.rtf", r"{\rtf1 see {http://a.dev/b}");
    assert_eq!(dir.run(["whole.dat"]).status, Some(1));
    for (file, message) in [
        ("renamed.docx", "the zip data is corrupt: its header has another name"),
        ("headless.docx", "it is damaged; no file was found in it"),
        ("headless.epub", "it is damaged; no file was found in it"),
        ("sum.dat", "it is damaged; some of it may be missing"),
        ("cut.dat", "it is damaged; some of it may be missing"),
        ("open.rtf", "a group in it does not end; it is damaged, and some of it may be missing"),
    ] {
        let ran = dir.run([file]);
        assert_eq!(ran.status, Some(2), "{file}");
        assert!(ran.stderr.contains(message), "{file}: {}", ran.stderr);
    }
    assert_eq!(dir.run(["open.rtf"]).out(), "http://a.dev/b\n");
}

/// macOS packs attributes of files under the names of these files.
#[test]
fn resource_forks_are_no_files_of_a_document() {
    let fork = ("__MACOSX/word/._document.xml", "\0\x05\x16\x07\0\x02\0\0Mac OS X");
    let main = (
        "word/document.xml",
        "<w:document><w:p><w:r><w:t>http://a.dev/b</w:t></w:r></w:p></w:document>",
    );
    let dir = Dir::new();
    dir.file("a.docx", package(&[main, fork]));
    dir.run(["a.docx"]).is(0, "http://a.dev/b\n");
}

#[test]
fn labels_and_bookmarks_of_rtf() {
    let dir = Dir::new();
    let text = r#"{\rtf1 {\*\bkmkstart here}a{\*\bkmkend here} {\field{\*\fldinst{HYPERLINK \\l "here"}}{\fldrslt b}} {\field{\*\fldinst{HYPERLINK \\l "there"}}{\fldrslt c}} {\field{\*\fldinst{HYPERLINK "http://evil.dev/"}}{\fldrslt http://bank.dev/}}}"#;
    dir.file("a.rtf", text);
    let ran = dir.run(["audit", "a.rtf"]);
    for line in [
        "warning[missing-anchor]: the document has no anchor `there`\n",
        "warning[misleading-text]: the text is `http://bank.dev/` but the link leads to `http://evil.dev/`\n",
    ] {
        assert!(ran.out().contains(line), "{}", ran.out());
    }
    assert!(ran.out().contains("2 warnings in 1 of 1 document"), "{}", ran.out());
    dir.run(["-I", "a.rtf"]).is(0, "http://bank.dev/\nhttp://evil.dev/\n");
}
