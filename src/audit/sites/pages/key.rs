//! Keys that identify a page independent of the form of its address: [`key`].

use std::borrow::Cow;
use std::path::Path;

use crate::audit::sites::NameRule;
use crate::percent;
use crate::slice::{SliceExt, lossy};

/// Returns the key of an address or path.
pub fn key(address: &str, names: NameRule) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let decoded = percent::decode(path);
    let decoded = lossy(&decoded);
    let mut key = String::with_capacity(decoded.len());
    for part in decoded.split('/') {
        match part {
            "" | "." => continue,
            ".." => {
                key.truncate(last_name(&key));
                continue;
            }
            _ => {}
        }
        if !key.is_empty() {
            key.push('/');
        }
        match names {
            names if names.is_slugged() => key.push_str(&slugged(part)),
            _ => key.push_str(part),
        }
    }
    let last = last_name(&key);
    key.truncate(stem(&key).len().max(last));
    let name = key.clamped(last..);
    if is_index(name.strip_prefix('/').unwrap_or(name)) {
        key.truncate(last);
    }
    key
}

/// Returns the key of a file with this path below the content.
pub fn file_key(below: &str, path: &Path, names: NameRule) -> String {
    // The pages that Astro has as routes have the names of their files.
    let is_route = || path.to_str().is_some_and(|it| it.contains("src/pages/"));
    if names != NameRule::FileSlugged || is_route() {
        // `%` in the name of a file starts no escape.
        return key(&below.replace('%', "%25"), names);
    }
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | ' ');
    key(&stem(below).chars().filter(is_kept).collect::<String>(), names)
}

/// Returns the offset of the last name of a key, including the slash before it.
fn last_name(key: &str) -> usize {
    memchr::memrchr(b'/', key.as_bytes()).unwrap_or(0)
}

pub const EXTENSIONS: [&str; 15] = [
    ".md",
    ".mdx",
    ".markdown",
    ".html",
    ".htm",
    ".adoc",
    ".rst",
    ".ipynb",
    ".astro",
    ".qmd",
    ".Rmd",
    // Templates of Eleventy.
    ".11ty.js",
    ".liquid",
    ".njk",
    ".webc",
];

pub fn is_page(name: &str) -> bool {
    EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// True for `_part.mdx`: generators make no page of it.
pub fn is_part(name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("_index.")
}

/// Converts a name to lower case with hyphens for spaces and without a leading number: `01-Intro`
/// becomes `intro`.
pub fn slugged(name: &str) -> Cow<'_, str> {
    let is_slug =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    if name.bytes().all(is_slug) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    // `_docs` is a collection of Jekyll.
    let name = name.strip_prefix('_').unwrap_or(name);
    let lower = name.to_lowercase().replace([' ', '_'], "-");
    // `01-intro` becomes `intro`, but `2020-01-02-title` and `1.2.3` stay.
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let rest = lower.clamped(digits..).trim_start_matches(' ');
    match rest.strip_prefix(['-', '.']) {
        Some(rest)
            if digits > 0
                && !rest.starts_with(|c: char| c.is_ascii_digit())
                && !rest.is_empty() =>
        {
            Cow::Owned(rest.to_owned())
        }
        _ => Cow::Owned(lower),
    }
}

/// Removes the extension of a page from a name.
pub fn stem(name: &str) -> &str {
    EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(name)
}

/// True for the index page of a directory. `Index` is another page; only `README` has many
/// spellings.
pub fn is_index(stem: &str) -> bool {
    matches!(stem, "index" | "_index" | "") || stem.eq_ignore_ascii_case("readme")
}

/// True for a key that may come from a date in a name: `2020/01/02/title`.
pub fn is_dated(key: &str) -> bool {
    let mut names = key.split('/');
    [4, 2, 2].iter().all(|&length| {
        names.next().is_some_and(|it| it.len() == length && it.bytes().all(|b| b.is_ascii_digit()))
    })
}

pub fn own_name(below: &str) -> String {
    below.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Most names of a path at which a date may start.
const MAX_NAMES: usize = 16;

/// Converts `2020-01-02-title.md` to `2020/01/02/title`.
pub fn dated(name: &str) -> Option<String> {
    with_date(name, &['-'])
}

/// Converts a path with a date, `a/2024-01-02-b/index.md` or `2024/01-02-b.md`, to `2024/01/02/b`
/// (Docusaurus, "Blog", "Creating posts").
pub fn dated_directory(below: &str) -> Option<String> {
    let whole = stem(below);
    let whole = whole.strip_suffix("/index").unwrap_or(whole);
    let inner = memchr::memchr_iter(b'/', whole.as_bytes()).map(|at| at + 1);
    let mut starts = std::iter::once(0).chain(inner).take(MAX_NAMES);
    starts.find_map(|at| with_date(whole.get(at..)?, &['-', '/']).filter(|it| !it.ends_with('/')))
}

/// Returns a text that starts with a date, whose numbers are before these marks, as an address.
fn with_date(text: &str, marks: &[char]) -> Option<String> {
    let mut parts = text.splitn(4, marks);
    let mut number = |length: usize| {
        parts.next().filter(|part| part.len() == length && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    Some(format!("{year}/{month}/{day}/{}", parts.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        for (address, expected) in [
            ("/a/B c/index.html", "a/b-c"),
            ("docs/01-Intro.md", "docs/intro"),
            ("a/../b/?x#y", "b"),
            ("/", ""),
            ("3.0/x.md", "3.0/x"),
        ] {
            assert_eq!(key(address, NameRule::Slugged), expected);
        }
        for (below, root, expected) in [
            ("a/v0.26.md", "src/content/docs", "a/v026"),
            ("1.0/C# (a).mdx", "src/content/docs", "10/c-a"),
            ("v0.26.md", "src/pages", "v0.26"),
        ] {
            let path = Path::new(root).join(below);
            assert_eq!(file_key(below, &path, NameRule::FileSlugged), expected);
        }
        assert_eq!(key("A/README.md", NameRule::Exact), "A");
        assert_eq!(dated("2020-01-02-a-b.md").as_deref(), Some("2020/01/02/a-b.md"));
    }
}
