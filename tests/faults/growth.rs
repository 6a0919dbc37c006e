//! Hostile trees of which two parts multiplied: twice the tree takes about twice the time.

use std::time::{Duration, Instant};

use crate::support::Dir;
use crate::support::pack::{Zipped, zip};

/// Fails for what is quadratic: of its four-fold tree, sixteen-fold time.
#[track_caller]
fn takes_linear_time(few: usize, write: impl Fn(&Dir, usize)) {
    let fastest = |number: usize| {
        let dir = Dir::new();
        write(&dir, number);
        let run = || {
            let start = Instant::now();
            let ran = dir.run(["audit", "--severity", "note", "--format", "json"]);
            assert!(ran.status < Some(2), "{}", ran.stderr);
            start.elapsed()
        };
        (0..2).map(|_| run()).min().unwrap_or_default()
    };
    let (short, long) = (fastest(few), fastest(4 * few));
    assert!(long < short * 10 + Duration::from_millis(200), "{short:?}, then {long:?}");
}

/// Each of its lines has a number.
fn lines(number: usize, line: impl Fn(usize) -> String) -> String {
    (0..number).map(line).collect()
}

#[test]
fn anchors_that_many_documents_miss() {
    takes_linear_time(120, |dir, n| {
        for document in 0..n {
            let text = lines(60, |it| format!("[a](#x{document}k{it})\n"));
            dir.file(format!("d{document}.md"), text);
        }
    });
}

#[test]
fn links_of_a_page_with_a_long_address() {
    takes_linear_time(400, |dir, n| {
        let links = lines(n, |it| format!("[a](b{it}.md)\n"));
        dir.file("_config.yml", "title: x\n");
        dir.file("index.md", format!("---\npermalink: /{}\n---\n{links}", "a/".repeat(n)));
    });
}

#[test]
fn labels_of_a_file_that_pages_include_often() {
    takes_linear_time(8, |dir, n| {
        dir.file("_config.yml", "title: x\n");
        dir.file("_includes/p.md", "[lab]: x\n".repeat(10_000));
        let tags = "{% include p.md %}\n".repeat(64);
        for page in 0..n {
            dir.file(format!("p{page}.md"), format!("---\nt: x\n---\n{tags}[A b][cc]\n"));
        }
    });
}

#[test]
fn anchors_that_a_template_may_add() {
    takes_linear_time(500, |dir, n| {
        dir.file("_config.yml", "title: x\n");
        dir.file("_includes/part.njk", "<p>x</p>\n".repeat(12 * n));
        let links = lines(n, |it| format!("[a](#b{it})\n"));
        dir.file("index.md", format!("---\nt: x\n---\n# T\n{{% render \"part.njk\" %}}\n{links}"));
    });
}

#[test]
fn links_of_a_part_that_many_pages_show() {
    takes_linear_time(150, |dir, n| {
        dir.file("mkdocs.yml", "site_name: x\n");
        for page in 0..n {
            dir.file(format!("docs/p{page}/a.md"), "--8<-- \"docs/part.md\"\n");
        }
        dir.file("docs/part.md", lines(n, |it| format!("[a](b{it}.md)\n")));
    });
}

#[test]
fn wikilinks_to_files_of_one_name() {
    takes_linear_time(300, |dir, n| {
        dir.file(".obsidian/x", "");
        for directory in 0..n {
            dir.file(format!("d{directory}/a.md"), "[[a]]\n");
        }
        dir.file("z.md", lines(n, |it| format!("[[d{it}/a]] [[a]]\n")));
    });
}

#[test]
fn comments_and_anchors_of_contributors() {
    takes_linear_time(1_500, |dir, n| {
        let links = lines(n, |it| format!("[a](#doc-{it})\n\n"));
        dir.file("README.md", format!("# T\n{}{links}", "<!-- urigrep-x -->\n".repeat(n)));
    });
}

#[test]
fn missing_files_whose_names_many_start_with() {
    takes_linear_time(800, |dir, n| {
        for file in 0..n {
            dir.file(format!("a-{file}.txt"), "");
        }
        dir.file("z.md", "[x](a.md)\n".repeat(n));
    });
}

#[test]
fn keys_of_pages_and_words_of_anchors() {
    takes_linear_time(200, |dir, n| {
        let keys = lines(n, |it| format!("k{it}: x\n"));
        for page in 0..3 {
            let links = lines(2 * n, |it| format!("[a](#w{}-{page}{})\n", it / 2, it % 2));
            dir.file(format!("a{page}.md"), format!("---\n{keys}---\n# T\n{links}"));
        }
        for page in 0..20 {
            dir.file(format!("b{page}.md"), "---\nz: x\n---\n# T\n");
        }
    });
}

/// 250 languages with 250 mounts: 62,500 places of each link took 50 ms.
#[test]
fn languages_and_mounts() {
    let dir = Dir::new();
    let name =
        |it: usize| format!("{}{}", (b'a' + it as u8 / 26) as char, (b'a' + it as u8 % 26) as char);
    let languages =
        lines(250, |it| format!("[languages.{0}]\ncontentDir=\"content/{0}\"\n", name(it)));
    let mounts =
        lines(250, |it| format!("[[module.mounts]]\nsource=\"m{it}\"\ntarget=\"content\"\n"));
    dir.file("hugo.toml", format!("title=\"x\"\n[languages]\n{languages}{mounts}"));
    for it in 0..250 {
        dir.file(format!("m{it}/x"), "").file(format!("content/{}/x.md", name(it)), "");
    }
    dir.file("content/aa/a.md", lines(300, |it| format!("[a](b{it}.png) [c](/d{it}.png)\n")));
    let start = Instant::now();
    dir.run(["audit"]);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Returns a package of files.
fn package(files: &[(&str, &str)]) -> Vec<u8> {
    zip(files.iter().map(|(name, text)| (*name, text.as_bytes(), Zipped::Stored)))
}

/// Returns a PDF of these objects, which start with the catalog and the root of the pages.
fn pdf(objects: impl IntoIterator<Item = (usize, String)>) -> String {
    let objects = objects.into_iter().map(|(number, it)| format!("{number} 0 obj {it} endobj\n"));
    let objects: String = objects.collect();
    format!("%PDF-1.4\n{objects}trailer <</Root 1 0 R>>\nstartxref\n0\n%%EOF\n")
}

/// Returns the matches of a document, and what is said of it.
#[track_caller]
fn matches(name: &str, document: impl AsRef<[u8]>) -> (usize, String) {
    let dir = Dir::new();
    dir.file(name, document);
    let ran = dir.run(["-c", name]);
    (ran.out().trim().parse().unwrap_or_default(), ran.stderr)
}

#[test]
fn package_documents_of_a_book() {
    takes_linear_time(600, |dir, n| {
        let roots = "<rootfile full-path='b.opf'/>".repeat(n);
        let items = lines(n, |it| format!("<item id='i{it}' href='0.xhtml'/>"));
        let spine = lines(n, |it| format!("<itemref idref='i{it}'/>"));
        let book = package(&[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", &format!("<container>{roots}</container>")),
            ("b.opf", &format!("<package>{items}{spine}</package>")),
            ("0.xhtml", "<html><a href='http://a.example/'>x</a></html>"),
        ]);
        dir.file("a.epub", book);
    });
}

/// 79 kB were 1.5 GB of matches.
#[test]
fn cells_with_one_long_text() {
    let workbook = |cells: usize, text: &str| {
        let string = "<c t='s'><v>0</v></c>".repeat(cells);
        package(&[
            ("xl/workbook.xml", "<workbook><sheets><sheet name='S' r:id='s'/></sheets></workbook>"),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id='s' Type='x/worksheet' Target='s.xml'/>\
                 <Relationship Id='t' Type='x/sharedStrings' Target='t.xml'/></Relationships>",
            ),
            ("xl/s.xml", &format!("<worksheet><row>{string}</row></worksheet>")),
            ("xl/t.xml", &format!("<sst><si><t>{text}</t></si></sst>")),
        ])
    };
    let (count, said) = matches("a.xlsx", workbook(1_000, &"http://a.example/ ".repeat(1_000)));
    assert!((1_000..80_000).contains(&count), "{count}");
    assert!(said.contains("not every use was read"), "{said}");
    // A short one is read in each cell.
    assert_eq!(matches("a.xlsx", workbook(5_000, "http://a.example/")), (5_000, String::new()));
}

/// 260 kB were 1.3 GB of matches.
#[test]
fn links_with_one_long_address() {
    let word = |links: usize, length: usize| {
        let link = "<w:p><w:hyperlink r:id='h'>x</w:hyperlink></w:p>".repeat(links);
        let address = "a".repeat(length);
        package(&[
            ("word/document.xml", &format!("<w:document>{link}</w:document>")),
            (
                "word/_rels/document.xml.rels",
                &format!(
                    "<Relationships><Relationship Id='h' Type='x/hyperlink' \
                     Target='http://a.example/{address}' TargetMode='External'/></Relationships>"
                ),
            ),
        ])
    };
    let (count, said) = matches("a.docx", word(2_000, 40_000));
    assert!((1..60).contains(&count), "{count}");
    assert!(said.contains("not every use was read"), "{said}");
    assert_eq!(matches("a.docx", word(2_000, 200)), (2_000, String::new()));
}

/// A name of 200 kB was printed with each of 8,000 matches.
#[test]
fn matches_with_a_long_place() {
    let dir = Dir::new();
    let cell =
        format!("<c r='{}'><v>{}</v></c>", "n".repeat(50_000), "http://a.example/ ".repeat(1_000));
    let sheet = format!("<worksheet><row>{cell}</row></worksheet>");
    dir.file("a.xlsx", package(&[("xl/worksheets/sheet1.xml", &sheet)]));
    let ran = dir.run(["--json", "a.xlsx"]);
    assert!(ran.out().contains("nnn…nnn"));
    assert!(ran.stdout.len() < 2 << 20, "{}", ran.stdout.len());
}

#[test]
fn bookmarks_in_a_row() {
    takes_linear_time(3_000, |dir, n| {
        let pages = [
            (1, "<</Type/Catalog/Pages 2 0 R/Outlines<</First 20 0 R>>>>".to_owned()),
            (2, "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned()),
            (3, "<</Type/Page/Parent 2 0 R>>".to_owned()),
        ];
        let item = |it: usize| (20 + it, format!("<</Title(a)/Next {} 0 R>>", 21 + it));
        dir.file("a.pdf", pdf(pages.into_iter().chain((0..n).map(item))));
    });
}

/// Nodes of trees that each name the next one twice were read as often as the limits allowed.
#[test]
fn trees_whose_nodes_meet_again() {
    let number = 60;
    let catalog = "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[20 0 R]>>\
                   /Names<</JavaScript 20 0 R>>>>";
    let pages = [
        (1, catalog.to_owned()),
        (2, "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned()),
        (3, "<</Type/Page/Parent 2 0 R>>".to_owned()),
    ];
    let node = |it: usize| {
        let next = 21 + it;
        let script = format!("<</S/JavaScript/JS(http://b.example/{it})>>");
        let names = format!("/Names[(a){script}]");
        (20 + it, format!("<</V(http://a.example/{it}){names}/Kids[{next} 0 R {next} 0 R]>>"))
    };
    let objects = pages.into_iter().chain((0..number).map(node));
    assert_eq!(matches("a.pdf", pdf(objects)), (2 * number, String::new()));
}

/// Pages and arrays of contents that share one stream.
#[test]
fn pages_with_one_text() {
    let shared = |pages: usize, streams: usize, comment: usize| {
        // A comment takes the least time.
        let comment = "a".repeat(comment);
        let text = "(http://a.example/) Tj 0 10 Td ".repeat(2);
        let text = format!("%{comment}\nBT /F 12 Tf 50 50 Td {text}ET");
        let kids = lines(pages, |it| format!("{} 0 R ", 20 + it));
        let resources = "/Resources<</Font<</F<</Type/Font/Subtype/Type1>>>>>>";
        let contents = "4 0 R ".repeat(streams);
        let page = |it| (20 + it, format!("<</Type/Page{resources}/Contents[{contents}]>>"));
        let objects = [
            (1, "<</Type/Catalog/Pages 2 0 R>>".to_owned()),
            (2, format!("<</Type/Pages/Kids[{kids}]/Count {pages}>>")),
            (4, format!("<</Length {}>> stream\n{text}\nendstream", text.len())),
        ];
        matches("a.pdf", pdf(objects.into_iter().chain((0..pages).map(page))))
    };
    let said = "its pages draw too much; some of their text was not read";
    for (pages, streams, comment) in [(400, 1, 93_000), (1, 6_000, 6_200)] {
        let (_, stderr) = shared(pages, streams, comment);
        assert!(stderr.contains(said), "{stderr}");
    }
    // A letterhead is on each page.
    assert_eq!(shared(300, 1, 10_000), (600, String::new()));
    // The pages may share the array, too, and the stream may be empty.
    let pages = 400;
    let kids = lines(pages, |it| format!("{} 0 R ", 20 + it));
    let page = |it| (20 + it, "<</Type/Page/Contents 5 0 R>>".to_owned());
    let objects = [
        (1, "<</Type/Catalog/Pages 2 0 R>>".to_owned()),
        (2, format!("<</Type/Pages/Kids[{kids}]/Count {pages}>>")),
        (4, "<</Length 0>> stream\n\nendstream".to_owned()),
        (5, format!("[{}]", "4 0 R ".repeat(6_000))),
    ];
    let (_, stderr) = matches("a.pdf", pdf(objects.into_iter().chain((0..pages).map(page))));
    assert!(stderr.contains(said), "{stderr}");
}

/// The library searches the rest of the file for the end of each stream.
#[test]
fn streams_without_ends() {
    let objects = (0..6_000).map(|it| (20 + it, "<<>> stream\nBT (a) Tj ET\n".to_owned()));
    let (_, said) = matches("a.pdf", pdf(objects));
    assert!(said.contains("it is damaged and was searched as bytes"), "{said}");
}
