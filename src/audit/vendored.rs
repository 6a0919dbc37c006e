//! Directories of other projects and of test data, which an audit skips and counts.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::facts::is_of_page;
use super::finding::is_among;
use super::paths;
use super::sites::text;
use crate::search::{Input, Origin, Root};

/// Treatment of directories that hold other projects or test data: `vendor`, `third_party`,
/// `node_modules`, `fixtures`, `testdata`, `test/data`, expected results of tests
/// (`a.verified.md`), pages below the `tests` of a program, and the like.
///
/// Their links are not the project's to fix, or are broken on purpose. A path on the command line
/// is always audited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Vendored {
    /// Skip them, and count their files.
    #[default]
    LeftOut,
    /// Audit them.
    Audited,
}

/// Names of such directories.
const NAMES: [&str; 12] = [
    "TestData",
    "__fixtures__",
    "__snapshots__",
    "bower_components",
    "fixtures",
    "node_modules",
    "test-data",
    "test-fixtures",
    "testdata",
    "third-party",
    "third_party",
    "vendor",
];

/// Directories of tests, in which directories of these names hold data: `tests/data`, and
/// `src/test/resources` of Maven.
const TESTS: [&str; 2] = ["test", "tests"];
const OF_TESTS: [(&str, &str); 4] = [
    ("data", "test/data"),
    ("expected", "test/expected"),
    ("resources", "test/resources"),
    ("sample_data", "test/sample_data"),
];

/// Words in the names of expected results that test programs write (Verify, ApprovalTests):
/// 169 of 234 findings in docfx were in such files.
const OF_RESULTS: [(&str, &str); 3] = [
    (".approved.", "*.approved.*"),
    (".received.", "*.received.*"),
    (".verified.", "*.verified.*"),
];

/// Returns the name of the directory that makes this input one of another project, or test data.
pub(super) fn directory_of(input: &Input, roots: &[Root]) -> Option<&'static str> {
    let path = input.path().filter(|_| input.origin() == Origin::Tree)?;
    // Most paths have no such name, and there may be thousands of roots.
    name_in(path).or_else(|| data_of_tests(path, path))?;
    // Names above a root say nothing, since the user named the root.
    let below = roots.iter().filter_map(|root| match root {
        Root::Stdin => None,
        Root::CurrentDirectory => Some(path.to_owned()),
        Root::Path(root) => paths::below(root, path),
    });
    let mut least = None;
    for below in below {
        least = Some(name_in(&below).or_else(|| data_of_tests(path, &below))?);
    }
    least
}

/// True for a page of a site in a directory about other people's programs, such as
/// `wiki/third-party`: it has front matter, which the documents of such programs lack.
pub(super) fn is_chapter(directory: &str, input: &Input) -> bool {
    const NAMES: [&str; 2] = ["third-party", "third_party"];
    let path = input.path().filter(|_| NAMES.contains(&directory));
    path.is_some_and(|path| is_of_page(text(path).as_bytes()))
}

/// Files beside the directory of tests of a program.
const MANIFESTS: [&str; 11] = [
    "CMakeLists.txt",
    "Cargo.toml",
    "Gemfile",
    "__init__.py",
    "build.gradle",
    "composer.json",
    "go.mod",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
];

/// Names of documents that a forge displays, and of directories of documents about tests.
const FOR_READERS: &str = "contributing doc docs documentation guide readme";
/// Extensions of pages. Among tests, only programs read or compare them.
const PAGES: &str = "css htm html svg xhtml xml";

/// Returns the name for test data outside of directories with a usual name: pages anywhere below
/// the tests of a program, and documents in a directory there. 29 of 30 findings in pelican were
/// false: `pelican/tests/output/` and the sources that its tests read.
fn data_of_tests(path: &Path, below: &Path) -> Option<&'static str> {
    let parts: Vec<&OsStr> = path.iter().collect();
    let above = parts.len().saturating_sub(below.iter().count());
    let is_tests = |part: &&OsStr| TESTS.iter().any(|name| **part == **name);
    let at = above + parts.get(above..parts.len().saturating_sub(1))?.iter().position(is_tests)?;
    let inside = parts.get(at + 1..)?;
    let is_for_readers = |part: &&OsStr| {
        let stem = Path::new(part).file_stem().and_then(OsStr::to_str).unwrap_or_default();
        is_among(FOR_READERS, &stem.to_ascii_lowercase())
    };
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_data = inside.len() > 1 || is_among(PAGES, extension);
    if !is_data || inside.iter().any(is_for_readers) {
        return None;
    }
    let around: PathBuf = parts.get(..at)?.iter().collect();
    // Without a manifest beside it, `tests` may be a chapter of a manual.
    MANIFESTS.iter().any(|name| around.join(name).is_file()).then_some("tests")
}

/// Returns the first such name of a directory on a path.
fn name_in(path: &Path) -> Option<&'static str> {
    let file = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    if let Some((_, shown)) = OF_RESULTS.iter().find(|(word, _)| file.contains(word)) {
        return Some(shown);
    }
    let mut last = "";
    for part in path.parent()?.components() {
        let Component::Normal(name) = part else { continue };
        let name = name.to_str().unwrap_or_default();
        if let Some(known) = NAMES.iter().find(|known| **known == name) {
            return Some(known);
        }
        // Elsewhere, such a directory may hold documents for readers.
        let data = OF_TESTS.iter().find(|(data, _)| *data == name && TESTS.contains(&last));
        if let Some((_, shown)) = data {
            return Some(shown);
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
        assert_eq!(name("a/src/test/resources/c.md", &["."]), Some("test/resources"));
        assert_eq!(name("a/b.verified.md", &["."]), Some("*.verified.*"));
        assert_eq!(name("a/vendor/b/c.md", &["a/vendor/b"]), None);
        assert_eq!(name("a/vendor/b/c.md", &["a", "a/vendor"]), None);
        for own in
            ["a/vendor.md", "a/vendors/b.md", "data/b.md", "a/Fixtures/b.md", "resources/b.md"]
        {
            assert_eq!(name(own, &["."]), None, "{own}");
        }
        let named = Input::file("vendor/a.md");
        assert_eq!(directory_of(&named, &[Root::CurrentDirectory]), None);
    }
}
