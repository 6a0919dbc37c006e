//! The site of a project of [Maven](https://maven.apache.org/plugins/maven-site-plugin/): documents
//! in `src/site`, a directory for each format. Their pages are beside each other, whatever the
//! format, and beside the files in `resources` ("Creating Content").

use std::path::{Path, PathBuf};

use crate::audit::paths;

/// The directories of documents, each with the extensions of their files.
const DIRECTORIES: [(&str, &[&str]); 7] = [
    ("markdown", &["md", "markdown"]),
    ("xdoc", &["xml"]),
    ("apt", &["apt"]),
    ("asciidoc", &["adoc", "asciidoc"]),
    ("fml", &["fml"]),
    ("xhtml", &["xhtml"]),
    ("xhtml5", &["xhtml"]),
];

/// The directory of the files that are copied.
const RESOURCES: &str = "resources";

/// A page of a site of Maven.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MavenPage {
    /// The directory `src/site`.
    pub site: PathBuf,
    /// The path of the page below the top of the site, with the extension of its document.
    pub below: PathBuf,
}

/// Returns the page of a document; `None` outside of `src/site`.
pub(crate) fn page(document: &Path) -> Option<MavenPage> {
    let site = document.ancestors().find(|it| it.ends_with("src/site"))?;
    let inside = paths::below(site, document)?;
    let first = inside.iter().next()?.to_str()?;
    let is_directory = first == RESOURCES || DIRECTORIES.iter().any(|(name, _)| *name == first);
    let below = if is_directory {
        inside.strip_prefix(first).ok()?.to_path_buf()
    } else if inside.iter().count() == 1 {
        // `site.xml` has the menus.
        inside
    } else {
        return None;
    };
    Some(MavenPage { site: site.to_path_buf(), below })
}

/// Returns the files from which a path of the site may come.
pub(crate) fn sources(site: &Path, below: &Path) -> Vec<PathBuf> {
    let mut found = vec![site.join(RESOURCES).join(below)];
    if below.extension().is_some_and(|it| it == "html") {
        for (directory, extensions) in DIRECTORIES {
            let page = site.join(directory).join(below);
            for extension in extensions {
                found.push(page.with_extension(extension));
                // Velocity fills it in first.
                found.push(page.with_extension(format!("{extension}.vm")));
            }
        }
    }
    found
}

/// Returns the anchor of a heading: spaces become underscores, and other characters than letters,
/// digits, and `-_:.` are left out (Doxia, `DoxiaUtils.encodeId`).
pub(crate) fn anchor(heading: &str) -> String {
    let heading = heading.trim();
    let start = if heading.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "a" };
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('_'),
        c if c.is_ascii_alphanumeric() || "-_:.".contains(c) => Some(c),
        _ => None,
    });
    start.chars().chain(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_their_sources() {
        let found = page(Path::new("a/src/site/xdoc/b/c.xml")).unwrap();
        assert_eq!(found, MavenPage { site: "a/src/site".into(), below: "b/c.xml".into() });
        assert_eq!(page(Path::new("src/site/site.xml")).unwrap().below, Path::new("site.xml"));
        assert_eq!(page(Path::new("src/site/fr/b.md")), None);
        assert_eq!(page(Path::new("src/main/b.md")), None);
        let sources = sources(Path::new("s"), Path::new("b.html"));
        assert!(sources.contains(&"s/markdown/b.md".into()), "{sources:?}");
        assert!(sources.contains(&"s/resources/b.html".into()), "{sources:?}");
    }

    #[test]
    fn anchors_of_headings() {
        assert_eq!(anchor("Overall architecture (1.0)"), "Overall_architecture_1.0");
        assert_eq!(anchor("2. Setup"), "a2._Setup");
    }
}
