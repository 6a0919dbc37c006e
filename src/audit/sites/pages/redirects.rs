//! Redirects in the settings of a site and its server.

use std::path::PathBuf;

use crate::audit::sites::Site;
use crate::audit::sites::discovery::{text, value};

/// A redirect of an address, or of a pattern of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The pattern: `/old`, `/docs/:version/why`, `/blog/*`.
    pub from: String,
    /// The destination, if the settings have it in a supported form.
    pub to: Option<String>,
}

impl Redirect {
    /// Returns a redirect with this status. A rewrite (200) shows other content at the same
    /// address, and an error page (404) shows that nothing is there. So neither creates an address.
    fn new(from: String, to: Option<String>, status: Option<&str>) -> Option<Self> {
        let status = status.map(|status| status.trim_end_matches('!'));
        let leads_on = status.is_none_or(|status| !matches!(status, "200" | "404" | "410"));
        (leads_on && from.starts_with('/')).then_some(Self { from, to })
    }
}

/// Reads the redirects of `_redirects`, `netlify.toml`, `vercel.json`, and settings of generators.
pub fn read(site: &Site) -> Vec<Redirect> {
    let mut found: Vec<Redirect> = Vec::new();
    let mut directories: Vec<PathBuf> = Vec::new();
    // The settings may be in a root, or in the directory of the site around it.
    for root in &site.roots {
        directories.extend([root.clone(), root.join("..")]);
    }
    for directory in directories {
        found.extend(text(&directory.join("_redirects")).lines().filter_map(line));
        found.extend(netlify(&text(&directory.join("netlify.toml"))));
        found.extend(vercel(&text(&directory.join("vercel.json"))));
        let book = table(&text(&directory.join("book.toml")), "output.html.redirect");
        let mkdocs = table(&text(&directory.join("mkdocs.yml")), "redirect_maps");
        found.extend(book.into_iter().chain(mkdocs).map(|from| Redirect { from, to: None }));
    }
    found
}

/// Parses a line of `_redirects`: `/from [name=:value]... /to [status] [Condition=...]`.
fn line(line: &str) -> Option<Redirect> {
    let mut words = line.split_whitespace();
    let from = words.next().filter(|word| word.starts_with('/'))?;
    let to = words.find(|word| word.starts_with('/') || word.contains("://"));
    let status = words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    Redirect::new(from.to_owned(), to.map(str::to_owned), status)
}

/// Parses the tables `[[redirects]]` of `netlify.toml`.
fn netlify(settings: &str) -> impl Iterator<Item = Redirect> {
    // A table ends where the next one starts.
    let tables = settings
        .split("\n[")
        .filter_map(|table| table.trim_start_matches('[').strip_prefix("redirects]]"));
    tables.filter_map(|table| {
        let status = value(table, &["status"]);
        Redirect::new(value(table, &["from"])?, value(table, &["to"]), status.as_deref())
    })
}

/// Parses the objects of the list `redirects` in `vercel.json`. Only this list, because `rewrites`
/// and `headers` have a `source`, too.
fn vercel(settings: &str) -> Vec<Redirect> {
    let mut found = Vec::new();
    let Some((_, list)) = settings.split_once("\"redirects\"") else { return found };
    // Only the bounds of each object are needed, so this tracks braces outside strings.
    let (mut depth, mut is_string, mut is_escaped, mut start) = (0_usize, false, false, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let object = list.get(start..=at).unwrap_or_default();
                    let source = value(object, &["source"]);
                    let to = value(object, &["destination"]);
                    found.extend(source.and_then(|source| Redirect::new(source, to, None)));
                }
            }
            b']' if depth == 0 => break,
            _ => {}
        }
    }
    found
}

/// Returns the quoted paths that are keys of a table: `"/a.html" = "b.html"`, `'a.md': 'b.md'`.
fn table(text: &str, name: &str) -> Vec<String> {
    let Some((_, after)) = text.split_once(name) else {
        return Vec::new();
    };
    let quoted = |line: &str| {
        let line = line.trim();
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        match quote {
            Some(quote) => line.get(1..)?.split(quote).next().map(str::to_owned),
            None => line.split_once(".md:").map(|(name, _)| format!("{name}.md")),
        }
    };
    let lines = after.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines.map_while(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirect(from: &str, to: &str) -> Redirect {
        Redirect { from: from.to_owned(), to: Some(to.to_owned()) }
    }

    #[test]
    fn files_of_servers() {
        assert_eq!(line("/a/* /b/:splat 301!"), Some(redirect("/a/*", "/b/:splat")));
        assert_eq!(line("/a id=:id https://b.dev/:id"), Some(redirect("/a", "https://b.dev/:id")));
        assert_eq!(line("/* /index.html 200"), None);
        assert_eq!(line("# /a /b"), None);
        let toml = "[build]\nx = 1\n[[redirects]]\n  from = \"/a\"\n  to = \"/b\"\n  status = 301\n\n\
                    [[redirects]]\nfrom = '/*'\nto = '/404'\nstatus = 404\n[[headers]]\nfrom = '/c'\n";
        assert_eq!(netlify(toml).collect::<Vec<_>>(), [redirect("/a", "/b")]);
        let json = "{\"rewrites\": [{\"source\": \"/x\"}], \"redirects\": [\n\
                    {\"source\": \"/a/:v/b\", \"has\": [{\"type\": \"]}\"}], \"destination\": \"/b\"},\n\
                    {\n\"source\": \"/c\",\n\"destination\": \"/d\"\n}], \"headers\": [{\"source\": \"/y\"}]}";
        assert_eq!(vercel(json), [redirect("/a/:v/b", "/b"), redirect("/c", "/d")]);
    }

    #[test]
    fn tables() {
        assert_eq!(
            table(
                "x\n[output.html.redirect]\n\"/a.html\" = \"b\"\n'c' = \"d\"\n[x]\n",
                "output.html.redirect"
            ),
            ["/a.html", "c"]
        );
    }
}
