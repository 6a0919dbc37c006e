//! Texts that replace files: the audit reads them, and says which documents depend on them.

use std::fs;
use std::path::{Path, PathBuf};

use urigrep::Finder;
use urigrep::audit::{self, AuditOutcome, AuditedDocument, Auditor, Overlay, PathStatus, Slugs};
use urigrep::document::Format;
use urigrep::search::Input;

fn audited(auditor: &Auditor, path: &Path) -> AuditedDocument {
    match auditor.audit(&Input::in_tree(path)) {
        AuditOutcome::Audited(document) => *document,
        other => panic!("{other:?}"),
    }
}

fn checks(document: &AuditedDocument) -> Vec<&str> {
    document.findings().iter().map(|located| located.finding.check.id).collect()
}

fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = std::env::temp_dir().join(format!("urigrep-{name}-{}", std::process::id()));
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn a_changed_text_changes_what_depends_on_it() {
    let root = tree(
        "overlay",
        &[
            ("a.md", "[b](b.md#one) [c](c.md) [l](d.rs#L2)"),
            ("b.md", "# One\n"),
            ("c.md", ""),
            ("d.rs", "1\n2\n"),
        ],
    );
    let [a, b, d] = ["a.md", "b.md", "d.rs"].map(|name| root.join(name));
    let overlay = Overlay::default();
    let auditor = Auditor::builder().overlay(overlay.clone()).build();
    let document = audited(&auditor, &a);
    assert_eq!(checks(&document), [""; 0]);
    assert_eq!(document.depends_on(), [b.clone(), d.clone()]);

    overlay.set(&b, b"# Two\n".to_vec());
    auditor.forget(&b);
    assert_eq!(checks(&audited(&auditor, &a)), ["missing-anchor"]);

    overlay.set(&d, b"1\n".to_vec());
    auditor.forget(&d);
    assert_eq!(checks(&audited(&auditor, &a)), ["missing-anchor", "missing-anchor"]);

    overlay.remove(&b);
    overlay.remove(&d);
    auditor.forget(&b);
    auditor.forget(&d);
    assert_eq!(checks(&audited(&auditor, &a)), [""; 0]);

    overlay.set(&a, b"[b](none.md)".to_vec());
    auditor.forget(&a);
    assert_eq!(checks(&audited(&auditor, &a)), ["missing-target"]);
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn unsaved_documents_are_there_for_others() {
    let root = tree("unsaved", &[("a.md", "[b](b.md#b) [c](b.md#c) [s](s.yml)")]);
    let overlay = Overlay::default();
    overlay.set(&root.join("b.md"), b"# B\n".to_vec());
    // Only documents: settings without a file describe no site.
    overlay.set(&root.join("s.yml"), b"a: b\n".to_vec());
    let auditor = Auditor::builder().overlay(overlay.clone()).build();
    let found = ["missing-anchor", "missing-target"];
    assert_eq!(checks(&audited(&auditor, &root.join("a.md"))), found);
    assert_eq!(checks(&audited(&auditor, &root.join("b.md"))), [""; 0]);
    overlay.remove(&root.join("b.md"));
    let auditor = Auditor::builder().overlay(overlay).build();
    let found = ["missing-target"; 3];
    assert_eq!(checks(&audited(&auditor, &root.join("a.md"))), found);
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn links_are_resolved_and_anchors_have_places() {
    let text =
        "[own](#two) [b](b.rst#one) [web](https://a.example/) [none](none.md)\n\n# One\n\n## Two\n";
    let root = tree("resolved", &[("a.md", text), ("b.rst", "One\n===\n\nOne\n")]);
    let auditor = Auditor::builder().build();
    let document = auditor.resolve(&Input::in_tree(root.join("a.md"))).unwrap().unwrap();
    let targets: Vec<_> = document.links().map(|(_, target)| target.cloned()).collect();
    let [Some(own), Some(b), None, Some(none)] = targets.as_slice() else { panic!("{targets:?}") };
    assert_eq!((own.path.as_path(), own.fragment.as_deref()), (&*root.join("a.md"), Some("two")));
    assert_eq!((b.path.as_path(), b.fragment.as_deref()), (&*root.join("b.rst"), Some("one")));
    assert!(matches!(none.status, PathStatus::Missing { .. }));
    let place = document.facts().place_of("two", document.slugs()).unwrap();
    assert_eq!(&text[place.start()..place.end()], "## Two\n");
    assert_eq!(document.facts().place_of("three", document.slugs()), None);
    fs::remove_dir_all(&root).unwrap();
}

/// `config.json` may be the settings of Hugo, or anything: then a walk leaves it out, and its URIs
/// are not those of a document.
#[test]
fn only_a_menu_in_data_is_resolved() {
    let hugo = "baseURL: https://a.dev/\nmenu:\n  main:\n    - url: /b/\n";
    let files =
        [("config.yml", hugo), ("content/b.md", "# B\n"), ("c/config.json", "{\"url\": \"/b/\"}")];
    let root = tree("menus", &files);
    let auditor = Auditor::builder().build();
    let resolve = |name| auditor.resolve(&Input::in_tree(root.join(name))).unwrap();
    let menu = resolve("config.yml").unwrap();
    let links: Vec<_> =
        menu.links().map(|(link, target)| (link.written, target.is_some())).collect();
    assert_eq!(links, [("/b/", true)]);
    assert!(resolve("c/config.json").is_none() && resolve("content/b.md").is_some());
    fs::remove_dir_all(&root).unwrap();
}

/// An anchor that is offered exists, and its place is that of its heading or name.
#[test]
fn placed_anchors_are_anchors() {
    let texts = [
        ("markdown", "# A b\n\n<a id=c></a>\n\nA b\n===\n\n## *D* `e`\n"),
        ("rst", "A b\n===\n\n.. _c:\n\nD e\n---\n"),
        ("asciidoc", "= T\n\n== A b\n\n[[c]]\n== A b\n"),
        ("asciidoc", ":idprefix:\n:idseparator: -\n\n= T\n\n== A b\n"),
        ("org", "* A b\n#+NAME: c\n** D e\n"),
        ("html", "<h1 id=a>A</h1><p id=c>"),
    ];
    for (format, text) in texts {
        let facts = audit::read(Format::named(format), text.as_bytes(), &Finder::new());
        for slugs in [Slugs::Github, Slugs::Any, Slugs::Mkdocs] {
            let anchors = facts.anchors(slugs);
            let placed = facts.placed_anchors(slugs);
            assert!(placed.len() > 1, "{text}");
            for (name, span) in placed {
                assert!(anchors.contains(&name), "{name}: {text}");
                assert_eq!(facts.place_of(&name, slugs), Some(span), "{name}: {text}");
            }
        }
        assert_eq!(facts.place_of("no such", Slugs::Any), None);
    }
}

/// Links may spell the anchor of a heading in several ways. The first heading with a spelling counts.
#[test]
fn other_spellings_of_headings_have_places() {
    /// An anchor, and its place.
    type Placed = (&'static str, Option<usize>);
    let texts: [(&str, &str, Slugs, &[Placed]); 6] = [
        (
            "markdown",
            "# A b\n\n<a id=c></a>\n\n# A b\n\n# A `{{< x >}}`\n",
            Slugs::Github,
            // The name `c` is no heading.
            &[
                ("A-B", Some(0)),
                ("A-B-1", Some(1)),
                ("user-content-a-b", Some(0)),
                ("C", None),
                ("d", None),
            ],
        ),
        ("markdown", "# A b\n\n# A b\n", Slugs::Mkdocs, &[("a-b_1", Some(1)), ("A-b", None)]),
        (
            "asciidoc",
            "== A b\n\n== A b\n\n== C\n",
            Slugs::Github,
            &[("A b", Some(0)), ("a-b", Some(0)), ("a-b-2", Some(1)), ("C", Some(2)), ("D", None)],
        ),
        ("rst", "A b\n===\n\nC\n=\n", Slugs::Sphinx, &[("id2", Some(1)), ("id3", None)]),
        (
            "mediawiki",
            "== A b ==\n== A b ==\n",
            Slugs::Any,
            &[("a-b", Some(0)), ("a-b-1", Some(1))],
        ),
        ("org", "* A b\n* C\n", Slugs::Any, &[("a-b", Some(0)), ("c", Some(1)), ("d", None)]),
    ];
    for (format, text, slugs, expected) in texts {
        let facts = audit::read(Format::named(format), text.as_bytes(), &Finder::new());
        let places = facts.anchor_places(slugs);
        for (anchor, index) in expected {
            let heading = index.and_then(|index| facts.headings().nth(index));
            let span = heading.map(|heading| heading.span);
            assert_eq!(places.get(&facts, anchor), span, "{anchor}: {text}");
        }
    }
}
