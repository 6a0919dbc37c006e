//! Documents that are included in others: `import Part from './part.mdx'` of MDX, and
//! the directives of all programs that name a document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};

use super::sample::sources_below;
use crate::audit::paths;
use crate::audit::sites::antora::{self, Resource};
use crate::audit::sites::{is_in_tree, text};
use crate::audit::target::joined;
use crate::document::Format;
use crate::document::asciidoc::parts::{DocumentParts, may_be_document};
use crate::hash::{HashMap, HashSet};
use crate::slice::SliceExt as _;

/// Endings that an import may leave out.
const ENDINGS: [&str; 3] = ["", ".mdx", ".md"];
/// Most levels between a document and the directory of `@site/`.
const MAX_ABOVE: usize = 4;

/// A page that includes other documents.
#[derive(Debug)]
pub struct Composed {
    /// Its path.
    pub page: PathBuf,
    /// The paths of the included documents.
    pub parts: Vec<PathBuf>,
}

/// The pages that include each document, and the documents that each page includes, by absolute
/// path.
#[derive(Debug, Default)]
pub(super) struct Importers {
    pages: HashMap<PathBuf, Arc<Vec<Arc<Composed>>>>,
    /// By the path of the page.
    composed: HashMap<PathBuf, Arc<Composed>>,
    /// The files that tags and directives certainly include. A line of prose with the word
    /// "include" does not count.
    shown: HashMap<PathBuf, Arc<Vec<PathBuf>>>,
    /// The attributes that each document of AsciiDoc sets.
    attributes: HashMap<PathBuf, Arc<Vec<(String, String)>>>,
    /// Documents of AsciiDoc that include others by the value of an attribute which a build sets.
    open: HashSet<PathBuf>,
}

impl Importers {
    /// Reads the imports of the documents below these directories.
    pub fn read(directories: &[PathBuf]) -> Self {
        let mut found = Self::default();
        let finder = LineFinder::new();
        let mut places = ImportDirectories::new(directories);
        let documents = sources_below(directories);
        let mut listed: HashSet<PathBuf> = documents.iter().map(|it| paths::absolute(it)).collect();
        // Parts may be in hidden directories, which the list leaves out.
        let mut hidden = Vec::new();
        for document in documents {
            found.add(document, &mut places, &finder, &mut hidden);
        }
        while let Some(document) = hidden.pop() {
            if listed.insert(paths::absolute(&document)) {
                found.add(document, &mut places, &finder, &mut hidden);
            }
        }
        found
    }

    /// Reads the documents that one includes; the certain ones are added to `shown_by_all`.
    fn add(
        &mut self,
        document: PathBuf,
        places: &mut ImportDirectories<'_>,
        finder: &LineFinder,
        shown_by_all: &mut Vec<PathBuf>,
    ) {
        let text = text(&document);
        let (mut parts, mut shown) = (Vec::new(), Vec::new());
        // Each is looked for once, however often the document names it: that takes time, and a page
        // that shows a part twice has no more links to judge.
        let mut named: [HashSet<&str>; 4] = Default::default();
        let [imports, directives, marks, tags] = &mut named;
        if is_asciidoc(&document) {
            let DocumentParts { includes, entries } = DocumentParts::read(text.as_bytes());
            parts.extend(includes.iter().filter_map(|name| included_by_asciidoc(&document, name)));
            if includes.iter().any(|it| it.contains('{') && may_be_document(it.as_bytes())) {
                self.open.insert(paths::absolute(&document));
            }
            if !entries.is_empty() {
                self.attributes.insert(paths::absolute(&document), Arc::new(entries));
            }
        }
        for line in finder.lines(&text) {
            let imported = imported(line).filter(|path| imports.insert(path));
            let imported = imported.map(|path| places.of_import(&document, path));
            let imported = imported.into_iter().flatten().find(|place| place.is_file());
            parts.extend(imported.clone());
            shown.extend(imported);
            for name in named_in_directive(line).filter(|name| directives.insert(name)) {
                parts.extend(places.file_beside_parts(&document, name));
            }
            shown.extend(named_by_markdown_it(line).filter(|name| marks.insert(name)).filter_map(
                |name| {
                    let mut places = places.beside(&document, name);
                    // If it does not exist, the page has unknown anchors.
                    places.find(|place| place.is_file()).or_else(|| joined(Path::new(""), name))
                },
            ));
            for name in named_in_tags(line).filter(|name| tags.insert(name)) {
                let found = places.file_beside_parts(&document, name);
                parts.extend(found.clone().filter(|_| is_document(name)));
                shown.extend(found);
            }
        }
        // Nothing outside of the tree is read. A page that shows such a file has unknown anchors,
        // like one whose part does not exist.
        let directory = document.parent().unwrap_or(Path::new(""));
        for part in shown.iter_mut().filter(|part| !is_in_tree(directory, part)) {
            part.clear();
        }
        parts.retain(|part| is_in_tree(directory, part));
        let mut known = HashSet::default();
        parts = parts.into_iter().map(|part| places.real(part)).collect();
        parts.retain(|part| known.insert(paths::absolute(part)));
        if !shown.is_empty() {
            shown_by_all.extend(shown.iter().cloned());
            self.shown.insert(paths::absolute(&document), Arc::new(shown));
        }
        if parts.is_empty() {
            return;
        }
        let composed = Arc::new(Composed { page: document, parts });
        self.composed.insert(paths::absolute(&composed.page), Arc::clone(&composed));
        for part in &composed.parts {
            let pages = self.pages.entry(paths::absolute(part)).or_default();
            Arc::make_mut(pages).push(Arc::clone(&composed));
        }
    }

    /// Returns the pages that include this document.
    pub fn pages_including(&self, document: &Path) -> Arc<Vec<Arc<Composed>>> {
        found_in(&self.pages, document)
    }

    /// Returns a page with the documents that it includes.
    pub fn composed(&self, page: &Path) -> Option<Arc<Composed>> {
        if self.composed.is_empty() {
            return None;
        }
        self.composed.get(&paths::absolute(page)).cloned()
    }

    /// Returns the files that a page includes.
    pub fn shown_by(&self, page: &Path) -> Arc<Vec<PathBuf>> {
        found_in(&self.shown, page)
    }

    /// Returns the attributes that a document of AsciiDoc sets, in their order.
    pub fn attributes(&self, document: &Path) -> Arc<Vec<(String, String)>> {
        found_in(&self.attributes, document)
    }

    /// True for a document of AsciiDoc that includes others which only a build knows.
    pub fn is_open(&self, document: &Path) -> bool {
        !self.open.is_empty() && self.open.contains(&paths::absolute(document))
    }

    pub fn len(&self) -> usize {
        let pages = self.pages.values().map(|importers| 1 + importers.len()).sum::<usize>();
        pages
            + self.composed.len()
            + self.open.len()
            + self.shown.values().map(|shown| 1 + shown.len()).sum::<usize>()
            + self.attributes.values().map(|values| 1 + values.len()).sum::<usize>()
    }
}

fn found_in<T>(lists: &HashMap<PathBuf, Arc<Vec<T>>>, path: &Path) -> Arc<Vec<T>> {
    // Few trees have any, and the absolute path takes time.
    if lists.is_empty() {
        return Arc::default();
    }
    lists.get(&paths::absolute(path)).map(Arc::clone).unwrap_or_default()
}

fn is_asciidoc(document: &Path) -> bool {
    Format::of_path(document).is_some_and(Format::has_attributes)
}

/// Returns the document that `include::` names: relative to the one with the include, or a resource
/// of Antora. Text in a file of another name is AsciiDoc, too, but code is not.
fn included_by_asciidoc(document: &Path, name: &str) -> Option<PathBuf> {
    let is_document = |place: &PathBuf| {
        let name = place.file_name().unwrap_or_default().as_encoded_bytes();
        may_be_document(name) && place != document && place.is_file()
    };
    if name.contains('$') {
        let found = antora::resource(document, &[], &[], Some("include"), name)?;
        let Resource::In { directories, path, .. } = found else { return None };
        let mut places = directories.iter().filter_map(|it| joined(it, &path));
        return places.find(is_document);
    }
    joined(document.parent()?, name).filter(is_document)
}

/// Returns the path that a line of MDX imports, if it may be a document. Only other documents leave
/// the extension out.
fn imported(line: &str) -> Option<&str> {
    let (_, path) = line.strip_prefix("import ")?.split_once(" from ")?;
    let path = path.trim_matches([';', '"', '\'', ' ']);
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_document = !name.contains('.') || name.ends_with(".md") || name.ends_with(".mdx");
    // Mintlify's paths start at the directory of its settings.
    (is_document && path.starts_with(['.', '@', '/'])).then_some(path)
}

/// The start of imports of MDX.
const IMPORT: &str = "import ";
/// The start of tags of Liquid and Nunjucks.
const TAG: &str = "{%";
/// Words of directives that include another document, in any program: `{{#include a.md}}`,
/// `.. include:: a.rst`, `include::a.adoc[]`, `--8<-- "a.md"`, `{{% readfile "a.md" %}}`.
const DIRECTIVES: [&str; 6] = ["include", "INCLUDE", "--8<--", "readfile", "snippet", "transclude"];

/// Longer lines do not name a document.
const MAX_LINE_LENGTH: usize = 1_000;

/// Finds the lines that may name a part of their document. Nearly all documents have none, so one
/// pass over the text for all words takes most of the time.
struct LineFinder(Option<AhoCorasick>);

impl LineFinder {
    fn new() -> Self {
        let words = DIRECTIVES.iter().chain(&[IMPORT, TAG]);
        // An automaton of so few words is always small enough.
        Self(AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(words).ok())
    }

    /// Returns each line with one of the words once.
    fn lines<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let mut end = 0;
        let words = self.0.iter().flat_map(move |it| it.find_iter(text));
        words.filter_map(move |word| {
            // The line was returned for an earlier word.
            if word.start() < end {
                return None;
            }
            let start = memchr::memrchr(b'\n', text.clamped(..word.start()).as_bytes());
            let length = memchr::memchr(b'\n', text.clamped(word.start()..).as_bytes());
            end = length.map_or(text.len(), |it| word.start() + it);
            let line = text.clamped(start.map_or(0, |it| it + 1)..end);
            (line.len() <= MAX_LINE_LENGTH).then_some(line)
        })
    }
}

/// Extensions of documents that may be included in others.
const ENDS: [&str; 8] = [".adoc", ".asc", ".asciidoc", ".md", ".mdx", ".qmd", ".rst", ".txt"];

/// Returns the names of documents in a line with a directive. Links are not part of one.
fn named_in_directive(line: &str) -> impl Iterator<Item = &str> {
    let is_directive = DIRECTIVES.iter().any(|word| line.contains(word));
    let line = if is_directive { line } else { "" };
    let is_end = |c: char| c.is_whitespace() || "'\"`()[]{}<>=:;|,!#".contains(c);
    // `<!--@include: ./f.md-->`
    let words = line.split(is_end).map(|word| word.trim_end_matches('-'));
    let names = words.filter(|name| ENDS.iter().any(|end| name.ends_with(end)));
    let is_link =
        move |name: &str| !line.contains("[!INCLUDE") && line.contains(&format!("]({name}"));
    names.filter(move |name| !is_link(name))
}

fn is_document(name: &str) -> bool {
    ENDS.iter().any(|end| name.ends_with(end))
}

/// Returns the paths in `!!!include(a.md)!!!` (markdown-it-include), which start at the working
/// directory.
fn named_by_markdown_it(line: &str) -> impl Iterator<Item = &str> {
    let includes = line.split("!!!").filter_map(|inside| {
        let inside = inside.trim_start().strip_prefix("include")?.trim();
        Some(inside.strip_prefix('(')?.strip_suffix(')')?.trim())
    });
    includes.filter(|path| !path.is_empty())
}

/// Returns the files that tags of any program name: `{% Partial 'a/b.md' %}`.
fn named_in_tags(line: &str) -> impl Iterator<Item = &str> {
    const ENDS: [&str; 4] = [".html", ".liquid", ".md", ".njk"];
    line.split(TAG).skip(1).filter_map(|tag| {
        let inside = tag.split("%}").next()?.trim_start_matches('-').trim_start();
        let (name, rest) = inside.split_once([' ', '\t'])?;
        let rest = rest.trim_start();
        let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
        let path = rest.clamped(1..).split(mark).next()?;
        let is_tag = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (is_tag && ENDS.iter().any(|end| path.ends_with(end))).then_some(path)
    })
}

/// Names of the directories from which tags and shortcodes include files.
const OF_PARTS: [&str; 4] = ["_includes", "_partials", "includes", "partials"];

/// Most directories from which paths may start. Settings may name hundreds, and each path would be
/// looked for in all of them.
const MAX_BASES: usize = 16;

/// The places in which the parts of documents are looked for.
struct ImportDirectories<'d> {
    /// Directories of the content.
    directories: &'d [PathBuf],
    /// Those from which a directive may start: the content, and the directory around it.
    bases: Vec<&'d Path>,
    /// Those from which `@site/` may start.
    sites: Vec<&'d Path>,
    /// Directories of parts, by the directory of a document.
    parts: HashMap<PathBuf, Vec<PathBuf>>,
    /// Directories of the content, each with its path without symbolic links.
    real: Vec<(&'d Path, PathBuf)>,
}

impl<'d> ImportDirectories<'d> {
    fn new(directories: &'d [PathBuf]) -> Self {
        let above = |most: usize| {
            let mut known = HashSet::default();
            let all = directories.iter().flat_map(|it| it.ancestors().take(most));
            all.filter(|it| known.insert(*it)).take(MAX_BASES).collect()
        };
        let real = directories
            .iter()
            .filter_map(|it| Some((it.as_path(), std::fs::canonicalize(paths::or_here(it)).ok()?)));
        Self {
            directories,
            bases: above(2),
            sites: above(MAX_ABOVE),
            parts: HashMap::default(),
            real: real.take(MAX_BASES).collect(),
        }
    }

    /// Returns the path of a document without the symbolic links of the tree: the modules of
    /// strimzi's books are links to one directory.
    fn real(&self, document: PathBuf) -> PathBuf {
        let Ok(real) = std::fs::canonicalize(&document) else { return document };
        let mut below =
            self.real.iter().filter_map(|(top, it)| Some(top.join(real.strip_prefix(it).ok()?)));
        match below.next() {
            Some(place) if paths::absolute(&place) != paths::absolute(&document) => place,
            _ => document,
        }
    }

    /// Returns the places of a document that a directive names: relative to its own, or to the
    /// site.
    fn beside<'n>(
        &'n self,
        document: &'n Path,
        name: &'n str,
    ) -> impl Iterator<Item = PathBuf> + 'n {
        // In `@/a.md` and `@a/b.md`, the mark is the directory of the sources (VitePress, "Markdown
        // File Inclusion").
        let below = name.strip_prefix('@').map(|below| below.trim_start_matches('/'));
        let own = [document.parent().unwrap_or(Path::new(""))].into_iter();
        let bases = own.filter(move |_| below.is_none()).chain(self.bases.iter().copied());
        bases.filter_map(move |base| joined(base, below.unwrap_or(name)))
    }

    /// Returns another file that a tag or directive names: also in a directory of parts beside the
    /// document, or above it.
    fn file_beside_parts(&mut self, document: &Path, name: &str) -> Option<PathBuf> {
        let is_other = |place: &PathBuf| place.is_file() && place != document;
        if let Some(found) = self.beside(document, name).find(is_other) {
            return Some(found);
        }
        let directories = self.directories;
        let own = document.parent().unwrap_or(Path::new(""));
        if !self.parts.contains_key(own) {
            let above = own.ancestors();
            let above = above.take_while(|it| directories.iter().any(|top| it.starts_with(top)));
            let parts = above.flat_map(|it| OF_PARTS.iter().map(move |parts| it.join(parts)));
            self.parts.insert(own.to_owned(), parts.filter(|it| it.is_dir()).collect());
        }
        let mut parts = self.parts.get(own)?.iter().filter_map(|base| joined(base, name));
        parts.find(is_other)
    }

    /// Returns the places of a document that MDX imports.
    fn of_import(&self, document: &Path, path: &str) -> Vec<PathBuf> {
        let (bases, inside) = if path.starts_with('.') {
            (document.parent().into_iter().collect(), path)
        } else {
            // `@site/a` starts at the directory of the settings.
            (self.sites.clone(), path.split_once('/').map_or("", |(_, inside)| inside))
        };
        let with = |base: &Path| {
            let ends = ENDINGS.iter().map(|ending| format!("{inside}{ending}"));
            ends.filter_map(|path| joined(base, &path)).collect::<Vec<_>>()
        };
        bases.into_iter().flat_map(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_documents() {
        let text = "import A from './a.mdx';\nimport b from \"@site/b\"\nimport c from './c.js'\nimport d from 'e'\n";
        let finder = LineFinder::new();
        let paths: Vec<_> = finder.lines(text).filter_map(imported).collect();
        assert_eq!(paths, ["./a.mdx", "@site/b"]);
    }

    #[test]
    fn names_in_directives() {
        let text = "{{#include a.md:1:2}}\n.. include:: ../b.rst\ninclude::c/d.adoc[]\n--8<-- \"e.md\"\n\
            <!--@include: ./f.md-->\n{!include g.md!}\n[!INCLUDE [x](h.md)]\nIt includes [i](i.md).\nSee j.md.\n\
            import k.md\n--8<-- \"snippets/l.md\"";
        let finder = LineFinder::new();
        let names: Vec<_> = finder.lines(text).flat_map(named_in_directive).collect();
        let expected =
            ["a.md", "../b.rst", "c/d.adoc", "e.md", "./f.md", "g.md", "h.md", "snippets/l.md"];
        assert_eq!(names, expected);
    }

    #[test]
    fn names_in_tags_and_marks() {
        let text = "a {% Partial 'b/c.md' %} {%- render \"d.njk\", e: 'f.md' -%} {% if 'g' %} {% h i.md %}";
        assert_eq!(named_in_tags(text).collect::<Vec<_>>(), ["b/c.md", "d.njk"]);
        let text = "!!!include(a/b.md)!!! x !!! include (c.md) !!! !!!note!!!";
        assert_eq!(named_by_markdown_it(text).collect::<Vec<_>>(), ["a/b.md", "c.md"]);
    }
}
