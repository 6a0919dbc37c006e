//! Big documents: twice the text takes about twice the time, and no more.

use std::path::Path;
use std::time::Duration;

use urigrep::Finder;
use urigrep::audit::{self, AuditOptions};
use urigrep::document::Format;

use super::tree::Memory;
use crate::timing::time;

/// The number of faults of a document, and how long it took.
fn audit(text: &str) -> (usize, Duration) {
    time(|| faults(text))
}

fn faults(text: &str) -> usize {
    let facts = audit::read(Some(Format::MARKDOWN), text.as_bytes(), &Finder::new());
    let mut faults = 0;
    let tree = Memory::default();
    audit::check(Path::new("a.md"), &facts, &AuditOptions::new(), &tree, &mut |_| faults += 1);
    faults
}

/// Fails for what is quadratic: of its four-fold text, sixteen-fold time.
fn is_linear(document: impl Fn(usize) -> String, faults: impl Fn(usize) -> usize) {
    let (few, many) = (5_000, 20_000);
    let (small, large) = (document(few), document(many));
    let fastest = |text: &str| (0..3).map(|_| audit(text).1).min().unwrap_or_default();
    assert_eq!(audit(&large).0, faults(many));
    let (short, long) = (fastest(&small), fastest(&large));
    assert!(long < short * 10 + Duration::from_millis(50), "{short:?}, then {long:?}");
}

#[test]
fn headings_of_one_text() {
    is_linear(|n| "# A b\n".repeat(n) + "[a](#a-b-17)\n", |_| 0);
}

#[test]
fn links_to_one_missing_file_and_one_missing_anchor() {
    is_linear(|n| "[a](none.md) [b](#none)\n\n".repeat(n), |n| 2 * n);
}

#[test]
fn links_to_many_missing_anchors_of_many() {
    let page = |n: usize| {
        let line = |at: usize| format!("# heading {at}\n\n[a](#heading_{at}x)\n\n");
        (0..n).map(line).collect::<String>()
    };
    is_linear(page, |n| n);
}

#[test]
fn definitions_of_one_label() {
    is_linear(|n| "[a]: https://a.org/\n[a]: https://b.org/\n\n".repeat(n), |n| n);
}
