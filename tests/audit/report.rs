//! Reports of the library, without the command.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use urigrep::audit::report::{ReportError, ReportFormat};
use urigrep::audit::{Auditor, Check};

fn auditor() -> Auditor {
    let check = Check::named("no-gopher").build();
    Auditor::builder()
        .check(check, |link| (link.uri()?.scheme() == "gopher").then_some("nobody reads it"))
        .build()
}

/// A directory with one fault in each of two documents.
struct Tree(PathBuf);

impl Tree {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("urigrep-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("a.md"), "[none](none.md)\n").unwrap();
        fs::write(path.join("b.md"), "<gopher://a.dev/>\n").unwrap();
        fs::write(path.join("c.md"), "no links\n").unwrap();
        Self(path)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn report(tree: &Tree, format: ReportFormat) -> String {
    let mut out = Vec::new();
    let summary = auditor().report([&tree.0], format, &mut out).unwrap();
    assert_eq!(summary.sentence, "1 error, 1 warning in 2 of 3 documents", "{format}");
    assert!(summary.counts.has_faults());
    String::from_utf8(out).unwrap()
}

#[test]
fn every_format_has_both_findings() {
    let tree = Tree::new("formats");
    for &format in ReportFormat::ALL {
        let text = report(&tree, format);
        assert!(text.contains("none.md") && text.contains("nobody reads it"), "{format}: {text}");
    }
}

/// A check of one's own is a rule like the others.
#[test]
fn sarif_is_one_document_with_rules() {
    let log: serde_json::Value =
        serde_json::from_str(&report(&Tree::new("sarif"), ReportFormat::Sarif)).unwrap();
    let run = &log["runs"][0];
    let ids = |list: &serde_json::Value, key: &str| -> Vec<String> {
        let ids = list.as_array().unwrap().iter().map(|it| it[key].as_str().unwrap().to_owned());
        ids.collect()
    };
    assert_eq!(ids(&run["results"], "ruleId"), ["missing-target", "no-gopher"]);
    let rules = ids(&run["tool"]["driver"]["rules"], "id");
    assert!(rules.contains(&"no-gopher".to_owned()) && rules.len() > 20);
}

#[test]
fn a_full_disk_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error =
        auditor().report([&Tree::new("full").0], ReportFormat::Json, &mut Full).unwrap_err();
    assert!(matches!(error, ReportError::Write(_)));
}
