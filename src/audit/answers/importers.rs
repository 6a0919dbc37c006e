//! Documents that others show as a part of them: `import Part from './part.mdx'` of MDX, and
//! `{{#include part.md}}` of mdBook.

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
            let parts: Vec<PathBuf> = imported.chain(included(&document, &text)).collect();
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

/// Returns the documents that mdBook includes, whole or some of their lines.
fn included(document: &Path, text: &str) -> impl Iterator<Item = PathBuf> {
    const OPEN: &str = "{{#include ";
    let above = document.parent().unwrap_or(Path::new("")).to_owned();
    let starts = memmem::find_iter(text.as_bytes(), OPEN).map(|at| at + OPEN.len());
    let paths = starts.filter_map(|at| {
        let path = text.clamped(at..).split(['}', ':', '\n']).next()?.trim();
        path.ends_with(".md").then(|| path.to_owned())
    });
    paths.filter_map(move |path| joined(&above, &path)).filter(|path| path.is_file())
}

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
}
