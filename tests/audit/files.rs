//! The file system as the audit looks at it.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urigrep::audit::{AuditOptions, AuditOutcome, Auditor, FileTree, PathStatus, TargetLookup};
use urigrep::search::Search;

struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let name = format!("urigrep-tree-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn tree() -> FileTree {
    FileTree::new(Search::default(), AuditOptions::new())
}

#[test]
fn letter_by_letter() {
    let dir = Temporary::new("look");
    fs::create_dir_all(dir.0.join("Docs/Deep")).unwrap();
    fs::write(dir.0.join("Docs/a.md"), "").unwrap();
    fs::write(dir.0.join("Docs/Deep/x.md"), "").unwrap();
    symlink("Docs", dir.0.join("link")).unwrap();
    symlink("nowhere", dir.0.join("broken")).unwrap();
    let tree = tree();
    let look = |path: &str| tree.look(&dir.0.join(path));
    let missing =
        |nearest: Option<&str>| PathStatus::Missing { nearest: nearest.map(str::to_owned) };
    let other = |path: &str| PathStatus::OtherCase { actual: dir.0.join(path) };
    for _ in 0..2 {
        assert_eq!(look("Docs/a.md"), PathStatus::File);
        assert_eq!(look("Docs"), PathStatus::Directory);
        assert_eq!(look("Docs/"), PathStatus::Directory);
        assert_eq!(look("link/a.md"), PathStatus::File);
        assert_eq!(look("link"), PathStatus::Directory);
        assert_eq!(look("broken"), missing(None));
        assert_eq!(look("docs/a.md"), other("Docs/a.md"));
        assert_eq!(look("Docs/A.md"), other("Docs/a.md"));
        assert_eq!(look("docs/deep/x.md"), other("Docs/Deep/x.md"));
        assert_eq!(look("docs/b/x.md"), missing(None));
        assert_eq!(look("Docs/a.md/x"), missing(None));
        assert_eq!(look("Dosc/a.md"), missing(Some("Docs")));
        assert_eq!(look(&"a/".repeat(5000)), missing(None));
    }
    assert_eq!(tree.look(Path::new("")), PathStatus::Directory);
    assert_eq!(tree.look(Path::new("..")), PathStatus::Directory);
    assert_eq!(tree.look(Path::new("/")), PathStatus::Directory);
    assert_eq!(tree.look(Path::new("Cargo.toml")), PathStatus::File);
    assert_eq!(tree.look(Path::new("./src/../Cargo.toml")), PathStatus::File);
}

#[test]
fn anchors_of_documents_only() {
    let dir = Temporary::new("anchors");
    fs::write(dir.0.join("a.html"), "<p id=here>").unwrap();
    fs::write(dir.0.join("a.rs"), "<p id=here>").unwrap();
    let tree = tree();
    let anchors = |name: &str| tree.anchors(&dir.0.join(name));
    // html's reader decides what they are
    assert!(anchors("a.html").is_some());
    assert!(anchors("a.rs").is_none());
    assert!(anchors("b.html").is_none());
    assert!(tree.anchors(Path::new("/dev/zero")).is_none());
    let first = anchors("a.html").unwrap();
    assert!(Arc::ptr_eq(&first, &anchors("a.html").unwrap()));
}

/// What links lead to is read for its anchors before its turn; its findings are the same as when it
/// is audited alone.
#[test]
fn documents_that_are_read_early() {
    let dir = Temporary::new("early");
    let later = ["b.md", "c.html", "d.md"];
    fs::write(dir.0.join("a.md"), "# A\n[b](b.md#b) [c](c.html#c) [d](d.md#d)\n").unwrap();
    fs::write(dir.0.join(later[0]), "# B\n\n[é](gone.md) [c](c.html#none)\n").unwrap();
    fs::write(
        dir.0.join(later[1]),
        "<p id=c><!-- urigrep-disable-next-line -->\n<a href=gone.md>1</a>\n<a href=lost.md>2</a>",
    )
    .unwrap();
    fs::write(dir.0.join(later[2]), "# D\n\n[b](b.md#b)\n").unwrap();
    let audit = |roots: &[PathBuf]| {
        let mut shown = Vec::new();
        // One thread has them in order.
        let search = Search::builder().threads(1).build().unwrap();
        let run = Auditor::builder().search(search).build().run(
            roots.iter().map(PathBuf::as_path),
            |outcome| outcome,
            |outcome| {
                let AuditOutcome::Audited(document) = outcome else { panic!("{outcome:?}") };
                let of_span =
                    |span: urigrep::Span| document.text().get(span.range()).map(<[u8]>::to_vec);
                let spans = document.findings().iter().map(|it| of_span(it.finding.span));
                shown.push((document.to_string(), document.counts(), spans.collect::<Vec<_>>()));
                ControlFlow::Continue(())
            },
        );
        run.unwrap();
        shown
    };
    let together = audit(std::slice::from_ref(&dir.0));
    let alone: Vec<_> = ["a.md", "b.md", "c.html", "d.md"]
        .iter()
        .flat_map(|name| audit(&[dir.0.join(name)]))
        .collect();
    assert_eq!(together, alone);
    let of_b = &together[1];
    assert!(of_b.0.contains("b.md:3:6: error[missing-target]"), "{}", of_b.0);
    assert_eq!(of_b.2[0].as_deref(), Some("gone.md".as_bytes()), "{of_b:?}");
    assert_eq!(together[2].2, [Some(b"lost.md".to_vec())]);
    assert!(together[3].2.is_empty());
}
