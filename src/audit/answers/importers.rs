//! Documents of MDX that others import: `import Part from './part.mdx'` shows it within another page.

use std::path::{Path, PathBuf};

use super::sample::sources_below;
use crate::audit::paths;
use crate::audit::sites::text;
use crate::audit::target::joined;
use crate::hash::HashMap;

/// Endings that an import may leave out.
const ENDINGS: [&str; 3] = ["", ".mdx", ".md"];
/// How far above the content `@site/` may be.
const MOST_ABOVE: usize = 4;

/// The importing documents of each imported one, by absolute path.
#[derive(Debug, Default)]
pub(super) struct Importers(HashMap<PathBuf, Vec<PathBuf>>);

impl Importers {
    /// Reads the imports of the documents below these directories.
    pub fn read(directories: &[PathBuf]) -> Self {
        let mut found = Self::default();
        for document in sources_below(directories) {
            for path in imports(&text(&document)) {
                let places = places(&document, path, directories);
                if let Some(imported) = places.into_iter().find(|place| place.is_file()) {
                    let imported = paths::absolute(&imported);
                    found.0.entry(imported).or_default().push(document.clone());
                }
            }
        }
        found
    }

    /// Returns the documents that import this one.
    pub fn of(&self, document: &Path) -> &[PathBuf] {
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
