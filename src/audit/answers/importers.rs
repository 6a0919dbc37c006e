//! Documents that others show as a part of them: `import Part from './part.mdx'` of MDX, and
//! the directives of all programs that name a document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use super::sample::sources_below;
use crate::audit::paths;
use crate::audit::sites::text;
use crate::audit::target::joined;
use crate::hash::HashMap;
use crate::slice::SliceExt as _;

/// Endings that an import may leave out.
const ENDINGS: [&str; 3] = ["", ".mdx", ".md"];
/// How far above the content `@site/` may be.
const MOST_ABOVE: usize = 4;

/// A page that shows other documents as parts of it.
#[derive(Debug)]
pub struct Composed {
    /// Its path.
    pub page: PathBuf,
    /// Those of the other documents.
    pub parts: Vec<PathBuf>,
}

/// The pages that show each document, by its absolute path.
#[derive(Debug, Default)]
pub(super) struct Importers(HashMap<PathBuf, Vec<Arc<Composed>>>);

impl Importers {
    /// Reads the imports of the documents below these directories.
    pub fn read(directories: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for document in sources_below(directories) {
            let text = text(&document);
            let imported = imports(&text).filter_map(|path| {
                let mut places = places(&document, path, directories).into_iter();
                places.find(|place| place.is_file())
            });
            let parts: Vec<PathBuf> =
                imported.chain(included(&document, &text, directories)).collect();
            if parts.is_empty() {
                continue;
            }
            let composed = Arc::new(Composed { page: document, parts });
            for part in &composed.parts {
                found.0.entry(paths::absolute(part)).or_default().push(Arc::clone(&composed));
            }
        }
        found
    }

    /// Returns the pages that show this document.
    pub fn of(&self, document: &Path) -> &[Arc<Composed>] {
        // Few trees have any, and the absolute path takes time.
        match self.0.is_empty() {
            true => &[],
            false => self.0.get(&paths::absolute(document)).map_or(&[], Vec::as_slice),
        }
    }

    pub fn len(&self) -> usize {
        self.0.values().map(|importers| 1 + importers.len()).sum()
    }
}

/// Returns the paths of imports that may be documents. Only other documents leave the extension out.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| line.starts_with("import "));
    lines.filter_map(|line| {
        let (_, path) = line.split_once(" from ")?;
        let path = path.trim_matches([';', '"', '\'', ' ']);
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_document = !name.contains('.') || name.ends_with(".md") || name.ends_with(".mdx");
        (is_document && path.starts_with(['.', '@'])).then_some(path)
    })
}

/// Words of directives that show another document, whatever program reads them: `{{#include a.md}}`,
/// `.. include:: a.rst`, `include::a.adoc[]`, `--8<-- "a.md"`, `{{% readfile "a.md" %}}`.
const WORDS: [&str; 6] = ["include", "INCLUDE", "--8<--", "readfile", "snippet", "transclude"];

/// Returns the documents that directives name, relative to their document or to the site.
fn included(document: &Path, text: &str, directories: &[PathBuf]) -> Vec<PathBuf> {
    let above = document.parent().unwrap_or(Path::new(""));
    let bases = || {
        let around = directories.iter().flat_map(|it| it.ancestors().take(2));
        [above].into_iter().chain(around)
    };
    named_in_directives(text)
        .filter_map(|name| {
            let mut places = bases().filter_map(|base| joined(base, name));
            places.find(|place| place.is_file() && place != document)
        })
        .collect()
}

/// Returns the names of documents in lines with a directive. Links are no part of one.
fn named_in_directives(text: &str) -> impl Iterator<Item = &str> {
    let lines = WORDS.iter().flat_map(move |word| {
        let mut end = 0;
        let starts = memmem::find_iter(text.as_bytes(), word.as_bytes());
        starts.filter_map(move |at| {
            // One line for all occurrences in it, so that the time is linear.
            if at < end {
                return None;
            }
            let before = text.clamped(..at).rfind('\n').map_or(0, |it| it + 1);
            end = text.clamped(at..).find('\n').map_or(text.len(), |it| at + it);
            let line = text.clamped(before..end);
            (line.len() <= LONGEST_LINE).then_some(line)
        })
    });
    lines.flat_map(|line| {
        let is_end = |c: char| c.is_whitespace() || "'\"`()[]{}<>=:;|,!#".contains(c);
        // `<!--@include: ./f.md-->`
        let words = line.split(is_end).map(|word| word.trim_end_matches('-'));
        let names = words.filter(|name| ENDS.iter().any(|end| name.ends_with(end)));
        let is_link =
            move |name: &str| !line.contains("[!INCLUDE") && line.contains(&format!("]({name}"));
        names.filter(move |name| !is_link(name))
    })
}

/// Longer lines have no directive.
const LONGEST_LINE: usize = 1_000;
/// Extensions of documents that may be parts of others.
const ENDS: [&str; 6] = [".adoc", ".md", ".mdx", ".qmd", ".rst", ".txt"];

fn places(document: &Path, path: &str, directories: &[PathBuf]) -> Vec<PathBuf> {
    let bases: Vec<&Path> = match path.starts_with('.') {
        true => document.parent().into_iter().collect(),
        // `@site/a` starts at the directory of the settings.
        false => directories.iter().flat_map(|it| it.ancestors().take(MOST_ABOVE)).collect(),
    };
    let inside = match path.starts_with('.') {
        true => path,
        false => path.split_once('/').map_or("", |(_, inside)| inside),
    };
    let with = |base: &Path| {
        let ends = ENDINGS.iter().map(|ending| format!("{inside}{ending}"));
        ends.filter_map(|path| joined(base, &path)).collect::<Vec<_>>()
    };
    bases.into_iter().flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_documents() {
        let text = "import A from './a.mdx';\nimport b from \"@site/b\"\nimport c from './c.js'\nimport d from 'e'\n";
        assert_eq!(imports(text).collect::<Vec<_>>(), ["./a.mdx", "@site/b"]);
    }

    #[test]
    fn names_in_directives() {
        let text = "{{#include a.md:1:2}}\n.. include:: ../b.rst\ninclude::c/d.adoc[]\n--8<-- \"e.md\"\n\
            <!--@include: ./f.md-->\n{!include g.md!}\n[!INCLUDE [x](h.md)]\nIt includes [i](i.md).\nSee j.md.\n";
        let names: Vec<_> = named_in_directives(text).collect();
        assert_eq!(names, ["a.md", "../b.rst", "c/d.adoc", "./f.md", "g.md", "h.md", "e.md"]);
    }
}
