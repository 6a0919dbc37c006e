//! Directories of other projects and of test data, which an audit leaves out and counts.

use std::path::{Component, Path};

use super::paths;
use crate::search::{Input, Origin, Root};

/// Treatment of directories that hold other projects or test data: `vendor`, `third_party`,
/// `node_modules`, `fixtures`, `testdata`, `test/data`, and their like.
///
/// Their links are not the project's to fix, or are broken on purpose. A path that is named is
/// always audited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Vendored {
    /// Leave them out, and count their files.
    #[default]
    LeftOut,
    /// Audit them.
    Audited,
}

/// Names of such directories.
const NAMES: [&str; 9] = [
    "__fixtures__",
    "bower_components",
    "fixtures",
    "node_modules",
    "test-fixtures",
    "testdata",
    "third-party",
    "third_party",
    "vendor",
];

/// Directories of tests whose `data` is such a directory.
const TESTS: [&str; 2] = ["test", "tests"];

/// Returns the name of the directory that makes this input one of another project, or test data.
pub(super) fn directory_of(input: &Input, roots: &[Root]) -> Option<&'static str> {
    let path = input.path().filter(|_| input.origin() == Origin::Tree)?;
    // Most paths have no such name at all, and there may be thousands of roots.
    name_in(path)?;
    // Names above a root say nothing: somebody named what is in them.
    let below = roots.iter().filter_map(|root| match root {
        Root::Stdin => None,
        Root::CurrentDirectory => Some(path.to_owned()),
        Root::Path(root) => paths::below(root, path),
    });
    let mut least = None;
    for below in below {
        least = Some(name_in(&below)?);
    }
    least
}

/// Returns the first such name of a directory on a path.
fn name_in(path: &Path) -> Option<&'static str> {
    let mut last = "";
    for part in path.parent()?.components() {
        let Component::Normal(name) = part else { continue };
        let name = name.to_str().unwrap_or_default();
        if let Some(known) = NAMES.iter().find(|known| **known == name) {
            return Some(known);
        }
        if name == "data" && TESTS.contains(&last) {
            return Some("test/data");
        }
        last = name;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_count_below_the_named_root_only() {
        let name = |path: &str, roots: &[&str]| {
            let roots: Vec<Root> = roots.iter().map(|root| Root::Path(root.into())).collect();
            directory_of(&Input::in_tree(path), &roots)
        };
        assert_eq!(name("a/vendor/b/c.md", &["a"]), Some("vendor"));
        assert_eq!(name("./test/data/c.md", &["."]), Some("test/data"));
        assert_eq!(name("a/vendor/b/c.md", &["a/vendor/b"]), None);
        assert_eq!(name("a/vendor/b/c.md", &["a", "a/vendor"]), None);
        for own in ["a/vendor.md", "a/vendors/b.md", "data/b.md", "a/Fixtures/b.md"] {
            assert_eq!(name(own, &["."]), None, "{own}");
        }
        let named = Input::file("vendor/a.md");
        assert_eq!(directory_of(&named, &[Root::CurrentDirectory]), None);
    }
}
