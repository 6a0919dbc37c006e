//! The file system as the audit looks at it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urigrep::audit::{AuditOptions, Entry, FileTree, TargetLookup};
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
    let missing = |nearest: Option<&str>| Entry::Missing { nearest: nearest.map(str::to_owned) };
    let other = |path: &str| Entry::OtherCase { actual: dir.0.join(path) };
    for _ in 0..2 {
        assert_eq!(look("Docs/a.md"), Entry::File);
        assert_eq!(look("Docs"), Entry::Directory);
        assert_eq!(look("Docs/"), Entry::Directory);
        assert_eq!(look("link/a.md"), Entry::File);
        assert_eq!(look("link"), Entry::Directory);
        assert_eq!(look("broken"), missing(None));
        assert_eq!(look("docs/a.md"), other("Docs/a.md"));
        assert_eq!(look("Docs/A.md"), other("Docs/a.md"));
        assert_eq!(look("docs/deep/x.md"), other("Docs/Deep/x.md"));
        assert_eq!(look("docs/b/x.md"), missing(None));
        assert_eq!(look("Docs/a.md/x"), missing(None));
        assert_eq!(look("Dosc/a.md"), missing(Some("Docs")));
        assert_eq!(look(&"a/".repeat(5000)), missing(None));
    }
    assert_eq!(tree.look(Path::new("")), Entry::Directory);
    assert_eq!(tree.look(Path::new("..")), Entry::Directory);
    assert_eq!(tree.look(Path::new("/")), Entry::Directory);
    assert_eq!(tree.look(Path::new("Cargo.toml")), Entry::File);
    assert_eq!(tree.look(Path::new("./src/../Cargo.toml")), Entry::File);
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
