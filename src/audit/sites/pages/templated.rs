//! Addresses of pages from front matter and data files of Eleventy, which may contain values of the
//! page (Eleventy, "Permalinks", "Directory Specific Data Files").

use std::cell::LazyCell;
use std::path::{Path, PathBuf};

use super::key::{dated, own_name, slugged};
use crate::audit::sites::address_bounds::MAX_ADDRESS_BYTES;
use crate::audit::sites::discovery::{text, value};
use crate::hash::HashMap;
use crate::slice::SliceExt as _;

/// The address of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatedAddress {
    Known(String),
    /// A pattern, `/tags/:0/` or `/(page-[\w.-]*)/`, because the value of an expression is unknown.
    Pattern(String),
    /// Everything below this path, since an expression may have slashes.
    Below(String),
}

/// The addresses that a data file defines.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DataAddress {
    Template(String),
    /// A function.
    Computed,
}

/// Data files that were read.
#[derive(Debug, Default)]
pub struct DataFiles(HashMap<PathBuf, Option<DataAddress>>);

/// Deepest directory whose data files are read.
const MAX_DIRECTORIES: usize = 32;
/// Longest template. Each page below a data file has a copy of its own.
const MAX_TEMPLATE_BYTES: usize = 4 << 10;

impl DataFiles {
    /// Returns the addresses of a page with this path, which is `below` the input directory, if
    /// they are not its path.
    pub fn addresses(
        &mut self,
        path: &Path,
        below: &str,
        front: Option<&str>,
    ) -> Vec<TemplatedAddress> {
        let own = front.and_then(permalink).map(DataAddress::Template);
        let (stem, start) = (stem_of(below), own_name(below));
        match own.or_else(|| self.of_data(path, below)) {
            Some(DataAddress::Template(template)) if template != "false" => {
                variants(&template).iter().filter_map(|it| filled(it, &stem, front)).collect()
            }
            // Most functions leave out some pages, or change only the names in their directory.
            Some(DataAddress::Computed) => {
                let directory = below.strip_suffix(start.as_str()).unwrap_or_default();
                match directory.trim_end_matches('/') {
                    "" => Vec::new(),
                    directory => vec![TemplatedAddress::Below(directory.to_owned())],
                }
            }
            Some(DataAddress::Template(_)) | None => Vec::new(),
        }
    }

    /// Returns the address in the data file of the page, or of the nearest directory around it.
    fn of_data(&mut self, path: &Path, below: &str) -> Option<DataAddress> {
        let name = path.file_name()?.to_str()?;
        let own = path.with_file_name(name.split('.').next()?);
        let directories = below.matches('/').count() + 1;
        let around = path.ancestors().skip(1).take(directories.min(MAX_DIRECTORIES));
        let around = around.filter_map(|it| Some(it.join(it.file_name()?)));
        let mut all: Vec<PathBuf> = around.collect();
        all.insert(0, own);
        all.into_iter().find_map(|base| self.read(base))
    }

    /// Reads `BASE.json`, `BASE.11tydata.json`, and `BASE.11tydata.js`.
    fn read(&mut self, base: PathBuf) -> Option<DataAddress> {
        const ENDINGS: [&str; 5] =
            [".11tydata.js", ".11tydata.mjs", ".11tydata.cjs", ".11tydata.json", ".json"];
        if let Some(known) = self.0.get(&base) {
            return known.clone();
        }
        let file = |ending: &str| {
            let mut file = base.clone().into_os_string();
            file.push(ending);
            text(Path::new(&file))
        };
        let found = ENDINGS.iter().map(|it| file(it)).find_map(|it| data(&it));
        self.0.insert(base, found.clone());
        found
    }
}

/// Returns the addresses that the text of a data file defines.
fn data(text: &str) -> Option<DataAddress> {
    let at = text.find("permalink")?;
    let rest = text.clamped(at + "permalink".len()..).trim_start_matches(['"', '\'']).trim_start();
    let rest = rest.strip_prefix(':').map(str::trim_start);
    let Some(quote) = rest.and_then(|it| it.chars().next()).filter(|it| "\"'`".contains(*it))
    else {
        return Some(match rest {
            Some(rest) if rest.starts_with("false") => DataAddress::Template("false".to_owned()),
            _ => DataAddress::Computed,
        });
    };
    let inside = rest?.get(1..)?.split(quote).next()?;
    Some(if inside.len() > MAX_TEMPLATE_BYTES || inside.contains("${") {
        DataAddress::Computed
    } else {
        DataAddress::Template(inside.to_owned())
    })
}

/// Returns the permalink of front matter, in which a template needs no quotation marks.
fn permalink(front: &str) -> Option<String> {
    let line = front.lines().find_map(|it| it.trim_start().strip_prefix("permalink:"))?;
    let text = line.trim().trim_end_matches(',');
    (!text.is_empty() && text.len() <= MAX_TEMPLATE_BYTES)
        .then(|| text.trim_matches(['"', '\'']).to_owned())
}

/// Returns the path of a page below the input directory without its extensions, and without the
/// date of its name.
fn stem_of(below: &str) -> String {
    let name = own_name(below);
    let directory = below.strip_suffix(name.as_str()).unwrap_or_default();
    format!("{directory}{}", without_date(name.split('.').next().unwrap_or_default()))
}

/// Removes a date from a name: `2020-01-02-a` is `a`.
fn without_date(name: &str) -> &str {
    match dated(name) {
        Some(_) => name.splitn(4, '-').nth(3).unwrap_or(name),
        None => name,
    }
}

/// Returns a template with each branch of its first condition, and without it:
/// `a/{% if b %}c/{% endif %}` is `a/` and `a/c/`.
fn variants(template: &str) -> Vec<String> {
    let split = || {
        let (before, rest) = template.split_once("{% if ")?;
        let (_, rest) = rest.split_once("%}")?;
        let (inside, after) = rest.split_once("{% endif %}")?;
        let branches: Vec<&str> = match inside.split_once("{% else %}") {
            Some((first, second)) => vec![first, second],
            None => vec!["", inside],
        };
        Some(branches.iter().map(|it| format!("{before}{it}{after}")).collect())
    };
    split().unwrap_or_else(|| vec![template.to_owned()])
}

/// A character that stands for an unknown value. No path contains it.
const UNKNOWN: char = '\u{1}';

/// Fills in the values of a page. `stem` is its path without extension and date. The result is
/// bounded, because each expression of a long template could insert a long title. No server accepts
/// longer addresses.
fn filled(template: &str, stem: &str, front: Option<&str>) -> Option<TemplatedAddress> {
    let (mut known, mut rest) = (String::new(), template);
    let title = LazyCell::new(|| Some(slugged(&value(front?, &["title"])?).into_owned()));
    while let Some(at) = find_pair(rest, *b"{", *b"{%") {
        known.push_str(rest.clamped(..at));
        if known.len() > MAX_ADDRESS_BYTES {
            return None;
        }
        let inside = rest.clamped(at + 2..);
        let end = find_pair(inside, *b"}%", *b"}");
        let expression = inside.clamped(..end.unwrap_or(inside.len())).trim_matches(['-', ' ']);
        rest = inside.clamped(end.map_or(inside.len(), |end| end + 2)..);
        match of_page(expression, stem, || title.clone()) {
            Some(value) => known.push_str(&value),
            // The path of another page has slashes.
            None if expression.contains("Path") || expression.contains("url") => {
                return Some(TemplatedAddress::Below(known.trim_matches('/').to_owned()));
            }
            None => known.push(UNKNOWN),
        }
    }
    known.push_str(rest);
    if known.len() > MAX_ADDRESS_BYTES {
        return None;
    }
    Some(if known.contains(UNKNOWN) {
        TemplatedAddress::Pattern(pattern(&known))
    } else {
        TemplatedAddress::Known(known)
    })
}

/// Returns the offset of the first of these pairs of bytes. A search for each pair on its own would
/// read the rest of the text for each expression if one pair is missing.
fn find_pair<const A: usize, const B: usize>(
    text: &str,
    first: [u8; A],
    second: [u8; B],
) -> Option<usize> {
    let mut pairs = text.as_bytes().windows(2);
    pairs.position(|pair| matches!(pair, [a, b] if first.contains(a) && second.contains(b)))
}

/// Returns the pattern of an address in which some values are unknown.
fn pattern(address: &str) -> String {
    let path = address.trim_end_matches("index.html").trim_end_matches(".html");
    let segment = |(at, segment): (usize, &str)| match segment.contains(UNKNOWN) {
        false => segment.to_owned(),
        true if segment.chars().all(|c| c == UNKNOWN) => format!(":{at}"),
        true => {
            let parts: Vec<String> = segment.split(UNKNOWN).map(regex::escape).collect();
            format!("({})", parts.join(r"[\w.-]*"))
        }
    };
    let segments: Vec<String> = path.split('/').enumerate().map(segment).collect();
    segments.join("/")
}

/// Returns the value of an expression about the page.
fn of_page(expression: &str, stem: &str, title: impl Fn() -> Option<String>) -> Option<String> {
    let mut parts = expression.split('|').map(str::trim);
    let name = parts.next()?;
    let is_slug = parts.all(|filter| matches!(filter, "slug" | "slugify" | "url"));
    if !is_slug {
        return None;
    }
    match name {
        "page.filePathStem" => Some(format!("/{stem}")),
        "page.fileSlug" => {
            let mut names = stem.rsplit('/');
            let last = names.next()?;
            // An index page has the name of its directory.
            Some(match last {
                "index" => without_date(names.next().unwrap_or_default()).to_owned(),
                last => last.to_owned(),
            })
        }
        "title" if expression.contains('|') => title(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let known = |text: &str| TemplatedAddress::Known(text.to_owned());
        let pattern = |text: &str| TemplatedAddress::Pattern(text.to_owned());
        for (template, below, expected) in [
            ("/blog/{{ page.fileSlug }}/", "blog/2020-01-02-a.md", known("/blog/a/")),
            ("/blog/{{page.fileSlug | slugify}}/", "blog/b/index.md", known("/blog/b/")),
            ("/{{ page.fileSlug }}/", "2020-01-02-b/index.md", known("/b/")),
            ("{{ page.filePathStem }}.html", "x/2020-01-02-a.njk", known("/x/a.html")),
            ("/{{ title | slugify }}/", "a.md", known("/my-title/")),
            ("/a/b/", "c.md", known("/a/b/")),
            ("/tags/{{ tag | slugify }}/", "t.njk", pattern("/tags/:2/")),
            ("blog/page-{{ n + 1 }}/index.html", "t.njk", pattern(r"blog/(page\-[\w.-]*)/")),
            ("/a{{ x.filePathStem }}/", "t.njk", TemplatedAddress::Below("a".to_owned())),
        ] {
            let address = filled(template, &stem_of(below), Some("title: My Title"));
            assert_eq!(address, Some(expected), "{template}");
        }
        let index = "{{page.fileSlug}}".repeat(100);
        assert_eq!(filled(&index, &stem_of("index.md"), None), Some(known("")));
        let long = "{{ title | slugify }}".repeat(1_000);
        assert_eq!(filled(&long, "a", Some("title: My Title")), None);
    }

    #[test]
    fn conditions() {
        assert_eq!(variants("a/{% if b %}c/{% endif %}d"), ["a/d", "a/c/d"]);
        assert_eq!(variants("{% if b %}c{% else %}d{% endif %}/"), ["c/", "d/"]);
        assert_eq!(variants("a/{{ b }}/"), ["a/{{ b }}/"]);
    }

    #[test]
    fn data_files() {
        let template = |text: &str| Some(DataAddress::Template(text.to_owned()));
        assert_eq!(data("{ \"permalink\": \"/a/{{ x }}/\" }"), template("/a/{{ x }}/"));
        assert_eq!(data("module.exports = { permalink: '/a/', }"), template("/a/"));
        assert_eq!(data("{ permalink: false }"), template("false"));
        assert_eq!(data("{ permalink: (data) => `/a/` }"), Some(DataAddress::Computed));
        assert_eq!(data("{ permalink: `/${a}/` }"), Some(DataAddress::Computed));
        assert_eq!(data("{ \"tags\": [] }"), None);
        let long = format!("{{ permalink: '/{}/' }}", "a".repeat(5_000));
        assert_eq!(data(&long), Some(DataAddress::Computed));
        assert_eq!(permalink("a: b\npermalink: {{ x }}/\n").as_deref(), Some("{{ x }}/"));
    }
}
