//! Addresses that the settings of Hugo make of sections, dates, and names (Hugo, "Permalinks").

use std::path::Path;

use super::key::{own_name, slugged, stem};
use crate::audit::sites::address_bounds::{MAX_ADDRESS_BYTES, is_bounded};
use crate::audit::sites::discovery::{PatternLine, pattern_lines, value, values};

/// Most patterns: each page is compared with all.
const MAX_PATTERNS: usize = 256;

/// The pattern of the addresses of the pages in a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permalink {
    /// The first directory of the pages.
    section: String,
    pattern: String,
}

/// Reads the patterns for pages; those for sections are others.
pub fn read(settings: &str) -> Vec<Permalink> {
    let mut found = Vec::new();
    let mut is_of_pages = true;
    for line in pattern_lines(settings, "permalinks") {
        match line {
            PatternLine::Head(head) => {
                let kind = head.trim_matches(['[', ']']).strip_prefix("permalinks.");
                is_of_pages = kind.is_none_or(|kind| kind == "page");
            }
            PatternLine::Entry(kind, "") => is_of_pages = kind == "page",
            PatternLine::Entry(section, pattern) => {
                if is_of_pages && is_bounded(pattern) && found.len() < MAX_PATTERNS {
                    let section = section.trim_matches('/').to_owned();
                    found.push(Permalink { section, pattern: pattern.to_owned() });
                }
            }
        }
    }
    found
}

impl Permalink {
    /// Returns the address of a page at a path below the content; `None` for other pages, and for
    /// patterns that are not understood.
    pub fn address(&self, below: &str, path: &Path, front: Option<&str>) -> Option<String> {
        let name = own_name(below);
        // Those of sections have patterns of their own.
        let rest = below.strip_prefix(self.section.as_str())?.strip_prefix('/')?;
        if name.starts_with("_index.") {
            return None;
        }
        let is_bundle = stem(&name) == "index" && rest.contains('/');
        let mut directories: Vec<&str> = below.split('/').collect();
        directories.pop();
        let base = if is_bundle { directories.pop()?.to_owned() } else { stem(&name).to_owned() };
        let of_front = |key: &str| value(front.unwrap_or_default(), &[key]);
        let title = || of_front("title").map(|it| slugged(&it).into_owned());
        let slug = || of_front("slug");
        // Only the first directory is a section without an index.
        let deep = directories.iter().enumerate().skip(1).filter(|&(depth, _)| {
            let up = directories.len() - 1 - depth + usize::from(is_bundle);
            let directory = path.ancestors().nth(up + 1);
            directory.is_some_and(|it| it.join("_index.md").is_file())
        });
        let sections: Vec<&str> =
            directories.iter().take(1).copied().chain(deep.map(|(_, name)| *name)).collect();
        let date = || {
            let dates = ["publishDate", "date"].into_iter();
            dates.flat_map(|key| values(front.unwrap_or_default(), key)).find(|it| it.len() >= 10)
        };
        let part = |from: usize, to: usize| date()?.get(from..to).map(str::to_owned);
        let mut parts: Vec<String> = Vec::new();
        for segment in self.pattern.split('/').filter(|it| !it.is_empty()) {
            if parts.iter().map(|it| it.len() + 1).sum::<usize>() > MAX_ADDRESS_BYTES {
                return None;
            }
            let Some(name) = segment.strip_prefix(':') else {
                // `a-:slug` is rare.
                parts.push((!segment.contains(':')).then(|| segment.to_owned())?);
                continue;
            };
            let (name, range) = name.split_once('[').unwrap_or((name, ""));
            parts.push(match name {
                "year" => part(0, 4)?,
                "month" => part(5, 7)?,
                "day" => part(8, 10)?,
                "section" => sections.first()?.to_string(),
                "sections" => in_range(&sections, range)?.join("/"),
                "title" => title()?,
                "slug" => slug().or_else(title)?,
                "filename" | "contentbasename" => base.clone(),
                "slugorfilename" | "slugorcontentbasename" => {
                    slug().unwrap_or_else(|| base.clone())
                }
                _ => return None,
            });
        }
        Some(parts.join("/"))
    }
}

/// Returns the sections in a range: all, `1:]`, `:2]`, `1:2]`, `0]`, or `last]`.
fn in_range<'s, 'n>(sections: &'s [&'n str], range: &str) -> Option<&'s [&'n str]> {
    let Some(range) = range.strip_suffix(']') else {
        return range.is_empty().then_some(sections);
    };
    let number = |text: &str, other: usize| match text {
        "" => Some(other),
        "last" => Some(sections.len().saturating_sub(1)),
        text => text.parse::<usize>().ok(),
    };
    let all = sections.len();
    let (from, to) = match range.split_once(':') {
        Some((from, to)) => (number(from, 0)?, number(to, all)?),
        None => (number(range, 0)?, number(range, 0)? + 1),
    };
    Some(sections.get(from.min(all)..to.clamp(from.min(all), all)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_settings() {
        let toml = "[permalinks]\n  a = '/b/:sections[1:]/:contentbasename'\n[permalinks.section]\n  a = '/c/'\n[permalinks.page]\nd = \"/:year/:slug/\"\n[e]\nf = '/g/'\n";
        let yaml = "permalinks:\n  # x\n  page:\n    a: /b/:sections[1:]/:contentbasename\n    d: \"/:year/:slug/\"\n  section:\n    a: /c/\ne: f\n";
        for settings in [toml, yaml] {
            let found: Vec<_> =
                read(settings).into_iter().map(|it| (it.section, it.pattern)).collect();
            let expected = [("a", "/b/:sections[1:]/:contentbasename"), ("d", "/:year/:slug/")];
            assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        }
    }

    #[test]
    fn addresses_of_patterns() {
        let front = "title: My Post\ndate: 2020-01-02T00:00:00Z\n";
        for (pattern, below, expected) in [
            ("/b/:sections[1:]/:contentbasename", "a/x.md", Some("b//x")),
            ("/:section/:title/", "a/x.md", Some("a/my-post")),
            ("/:year/:month/:day/:slug/", "a/x/index.md", Some("2020/01/02/my-post")),
            ("/:sections[last]/:filename", "a/x/index.md", Some("a/x")),
            ("/:weekday/:title", "a/x.md", None),
            ("/:title", "b/x.md", None),
            ("/:title", "a/_index.md", None),
        ] {
            let permalink = Permalink { section: "a".to_owned(), pattern: pattern.to_owned() };
            let path = Path::new("/none/content").join(below);
            let address = permalink.address(below, &path, Some(front));
            assert_eq!(address.as_deref(), expected, "{pattern} {below}");
        }
    }
}
