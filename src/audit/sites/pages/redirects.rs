//! Redirects in the settings of a site and its server.

use std::path::{Path, PathBuf};

use crate::audit::paths;
use crate::audit::sites::Site;
use crate::audit::sites::address_bounds::is_bounded;
use crate::audit::sites::discovery::{
    PatternLine, joined, pattern_lines, string, text, text_in_tree, value, values,
};
use crate::hash::HashSet;

/// A redirect of an address, or of a pattern of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteRedirect {
    /// The pattern: `/old`, `/docs/:version/why`, `/blog/*`.
    pub from: String,
    /// The destination, if the settings have it in a supported form.
    pub to: Option<String>,
    /// True if it stays (RFC 9110 sections 15.4.2 and 15.4.9).
    pub is_permanent: bool,
}

impl SiteRedirect {
    /// Returns a redirect with this status. A rewrite (200) shows other content at the same
    /// address, and an error page (404) shows that nothing is there. So neither creates an address.
    fn new(from: String, to: Option<String>, status: Option<&str>) -> Option<Self> {
        let status = status.map(|status| status.trim_end_matches('!'));
        let leads_on = status.is_none_or(|status| !matches!(status, "200" | "404" | "410"));
        let is_permanent = status.is_none_or(|status| matches!(status, "301" | "308"));
        let is_known = leads_on && from.starts_with('/') && is_bounded(&from);
        is_known.then(|| Self { from, to: to.filter(|to| is_bounded(to)), is_permanent })
    }

    /// Returns the redirect of a page that a generator makes in place of an old one.
    fn of_page(from: String, to: Option<String>) -> Self {
        Self { from, to: to.filter(|to| is_bounded(to)), is_permanent: true }
    }
}

/// Most files of redirects that settings may name.
const MAX_FILES: usize = 8;
/// Directories with further redirects are not read: a line of ten bytes takes two hundred.
const MAX_REDIRECTS: usize = 200_000;

/// Reads the redirects of `_redirects`, `netlify.toml`, `vercel.json`, and settings of generators.
pub fn read(site: &Site) -> Vec<SiteRedirect> {
    let mut found: Vec<SiteRedirect> = Vec::new();
    let own = site.directory_of_settings().map(Path::to_path_buf);
    for directory in distinct(around_roots(site).into_iter().chain(own)) {
        if found.len() > MAX_REDIRECTS {
            break;
        }
        found.extend(text(&directory.join("_redirects")).lines().filter_map(line));
        found.extend(netlify(&text(&directory.join("netlify.toml"))));
        found.extend(vercel(&text(&directory.join("vercel.json"))));
        for name in ["docs.json", "mint.json"] {
            let settings = text(&directory.join(name));
            found.extend(vercel(&settings));
            // Mintlify may have them in a file of their own.
            let files = values(&settings, "$ref").into_iter().filter(|it| it.contains("redirect"));
            for file in files.take(MAX_FILES) {
                let list = text_in_tree(&directory, &joined(&directory, &file));
                found.extend(objects(&list, "[").into_iter().filter_map(listed));
            }
        }
        let book = table(&text(&directory.join("book.toml")), "output.html.redirect");
        found.extend(book.into_iter().map(|(from, to)| {
            let to = to.map(|to| beside(&from, &to));
            SiteRedirect::of_page(from, to)
        }));
        for name in [".gitbook.yaml", ".gitbook.yml"] {
            found.extend(gitbook(&text(&directory.join(name))));
        }
        for name in ["mkdocs.yml", "properdocs.yml"] {
            let mkdocs = table(&text(&directory.join(name)), "redirect_maps");
            found.extend(mkdocs.into_iter().map(|(from, to)| {
                // Both are files below `docs_dir`.
                let to = to.map(|to| if to.contains("://") { to } else { format!("/{to}") });
                SiteRedirect::of_page(from, to)
            }));
        }
        for name in ["astro.config.mjs", "astro.config.ts", "astro.config.js"] {
            let settings = text(&directory.join(name));
            let mut astro = table(&settings, "redirects:");
            let mut read: Vec<&str> = modules(&settings).collect();
            read.sort_unstable();
            read.dedup();
            for module in read.into_iter().take(MAX_FILES) {
                astro.extend(pairs(&module_text(&directory, module)));
            }
            found.extend(astro.into_iter().map(|(from, to)| {
                let to = to.map(|to| dynamic(&to));
                SiteRedirect::of_page(dynamic(&from), to)
            }));
        }
        for name in ["docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"] {
            let settings = text(&directory.join(name));
            found.extend(docusaurus(objects(&settings, "redirects:")));
            for module in modules(&settings).take(MAX_FILES) {
                found.extend(docusaurus(innermost(&module_text(&directory, module))));
            }
        }
    }
    found
}

/// Returns the directories in which settings of a site may be: its roots, and those above them.
/// Many roots may have the same parent, which counts once.
pub(super) fn around_roots(site: &Site) -> Vec<PathBuf> {
    let directories = site.roots.iter().flat_map(|root| [root.clone(), root.join("..")]);
    distinct(directories).collect()
}

/// Returns each directory once.
fn distinct(directories: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = PathBuf> {
    let mut seen = HashSet::default();
    directories.filter(move |directory| seen.insert(paths::absolute(directory)))
}

/// Returns the paths of modules with redirects that settings import:
/// `import redirects from "./redirects.js"`, `import { redirects } from "./config/site.mjs"`.
fn modules(settings: &str) -> impl Iterator<Item = &str> {
    settings.lines().filter_map(|line| {
        let (_, from) = line.strip_prefix("import ")?.split_once(" from ")?;
        let path = from.trim_end_matches([';', ' ']).trim_matches(['"', '\'']);
        let is_of_redirects = path.starts_with('.') && line.to_lowercase().contains("redirect");
        is_of_redirects.then_some(path)
    })
}

/// Returns the pairs of addresses in a module, whatever its table is called: `'/a/': '/b/'`.
fn pairs(module: &str) -> Vec<(String, Option<String>)> {
    module.lines().filter_map(quoted).filter(|(from, _)| from.starts_with('/')).collect()
}

/// True if a program puts the redirects of these settings together, so that they are not known:
/// their `redirects` are neither a table nor those of a module that could be read.
pub fn are_computed(settings: &str, directory: &Path) -> bool {
    // `redirects,` is short for `redirects: redirects`.
    let is_short = |line: &str| matches!(line.trim(), "redirects," | "redirects");
    let is_computed = |line: &str| {
        let value = line.trim_start().strip_prefix("redirects:").map(str::trim_start);
        is_short(line) || value.is_some_and(|it| !it.is_empty() && !it.starts_with(['{', '[']))
    };
    let mut modules = modules(settings).take(MAX_FILES);
    // In `{ site: 'a', redirects: b, c }`, it is not the first of its line.
    settings.split(['\n', '{', ',']).any(is_computed)
        && !modules.any(|module| {
            let module = module_text(directory, module);
            !pairs(&module).is_empty() || !docusaurus(innermost(&module)).is_empty()
        })
}

/// Returns the text of a module, which an import may name without its extension.
fn module_text(directory: &Path, name: &str) -> String {
    let place = joined(directory, name);
    let more = paths::modules(&place);
    let found = std::iter::once(place).chain(more).find(|place| place.is_file());
    found.map_or_else(String::new, |place| text_in_tree(directory, &place))
}

/// Returns the insides of the objects without others in them, whatever holds them: a module may
/// export its list by any name.
fn innermost(module: &str) -> Vec<&str> {
    let objects = module.split('{').filter_map(|it| it.split_once('}'));
    objects.map(|(inside, _)| inside).collect()
}

/// Returns a pattern of Astro in the form of the others: `/a/[b]/[...c]` becomes `/a/:b/:c*`
/// (Astro, "Routing", "Dynamic redirects").
fn dynamic(path: &str) -> String {
    let segment = |segment: &str| {
        let name = segment.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let is_name =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match name.map(|name| (name, name.strip_prefix("..."))) {
            Some((_, Some(rest))) if is_name(rest) => format!(":{rest}*"),
            Some((name, None)) if is_name(name) => format!(":{name}"),
            _ => segment.to_owned(),
        }
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// Returns a redirect of mdBook as a path from the root: it is relative to the old page.
fn beside(from: &str, to: &str) -> String {
    if to.starts_with('/') || to.contains("://") {
        to.to_owned()
    } else {
        let directory = from.rsplit_once('/').map_or("", |(directory, _)| directory);
        format!("/{}/{to}", directory.trim_start_matches('/'))
    }
}

/// Parses the objects in the list `redirects` of `@docusaurus/plugin-client-redirects`:
/// `{from: '/a', to: '/b'}`, where `from` may be a list.
fn docusaurus(objects: Vec<&str>) -> Vec<SiteRedirect> {
    let redirects = objects.into_iter().flat_map(|object| {
        // It is copied for each old address.
        let to = value(object, &["to"]).filter(|to| is_bounded(to));
        let from = values(object, "from").into_iter();
        from.filter_map(move |from| SiteRedirect::new(from, to.clone(), None)).collect::<Vec<_>>()
    });
    redirects.collect()
}

/// Parses the table `redirects` of GitBook: `old/page: new/page.md`, relative to the content.
fn gitbook(settings: &str) -> impl Iterator<Item = SiteRedirect> {
    let rooted = |path: &str| format!("/{}", path.trim_start_matches("./").trim_matches('/'));
    pattern_lines(settings, "redirects").filter_map(move |line| match line {
        PatternLine::Entry(from, to) if !to.is_empty() => {
            Some(SiteRedirect::of_page(rooted(from), Some(rooted(to))))
        }
        _ => None,
    })
}

/// Parses a line of `_redirects`: `/from [name=:value]... /to [status] [Condition=...]`.
fn line(line: &str) -> Option<SiteRedirect> {
    let mut words = line.split_whitespace();
    let from = words.next().filter(|word| word.starts_with('/'))?;
    let to = words.find(|word| word.starts_with('/') || word.contains("://"));
    let status = words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    SiteRedirect::new(from.to_owned(), to.map(str::to_owned), status)
}

/// Parses the tables `[[redirects]]` of `netlify.toml`.
fn netlify(settings: &str) -> impl Iterator<Item = SiteRedirect> {
    // A table ends where the next one starts.
    let tables = settings
        .split("\n[")
        .filter_map(|table| table.trim_start_matches('[').strip_prefix("redirects]]"));
    tables.filter_map(|table| {
        let status = value(table, &["status"]);
        SiteRedirect::new(value(table, &["from"])?, value(table, &["to"]), status.as_deref())
    })
}

/// Parses the list `redirects` in `vercel.json`. Only this list, because `rewrites` and `headers`
/// have a `source`, too.
fn vercel(settings: &str) -> Vec<SiteRedirect> {
    objects(settings, "\"redirects\"").into_iter().filter_map(listed).collect()
}

/// Parses an object of this list.
fn listed(object: &str) -> Option<SiteRedirect> {
    let is_temporary = object.split_once("\"permanent\"").is_some_and(|(_, after)| {
        after.trim_start_matches([':', ' ', '\t', '\n']).starts_with("false")
    });
    let status = value(object, &["statusCode"]);
    let status = if is_temporary { Some("307") } else { status.as_deref() };
    SiteRedirect::new(value(object, &["source"])?, value(object, &["destination"]), status)
}

/// Returns the objects of the list after a key.
fn objects<'t>(settings: &'t str, key: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let Some((_, list)) = settings.split_once(key) else { return found };
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
                    found.push(list.get(start..=at).unwrap_or_default());
                }
            }
            b']' if depth == 0 => break,
            _ => {}
        }
    }
    found
}

/// Returns the paths that are keys of a table, each with its value: `"/a.html" = "b.html"`,
/// `'a.md': 'b.md'`.
fn table(text: &str, name: &str) -> Vec<(String, Option<String>)> {
    let Some((_, after)) = text.split_once(name) else {
        return Vec::new();
    };
    // `...redirects,` and comments stand between the pairs of a program.
    let is_pair = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("...") && !line.starts_with("//")
    };
    let lines = after.lines().skip(1).filter(is_pair);
    lines.map_while(quoted).collect()
}

/// Returns the key and the value of a line in such a table.
fn quoted(line: &str) -> Option<(String, Option<String>)> {
    let line = line.trim();
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let (key, value) = match quote {
        Some(quote) => {
            let (key, value) = line.get(1..)?.split_once(quote)?;
            (key.to_owned(), value)
        }
        None => line.split_once(".md:").map(|(name, value)| (format!("{name}.md"), value))?,
    };
    Some((key, string(value.trim_start().trim_start_matches([':', '=']))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redirect(from: &str, to: &str) -> SiteRedirect {
        SiteRedirect::of_page(from.to_owned(), Some(to.to_owned()))
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
        let json = r#"{"redirects": [{"source": "/a", "destination": "/b", "permanent": false}]}"#;
        assert!(!vercel(json)[0].is_permanent && !line("/a /b 302").unwrap().is_permanent);
        let js = "plugins: [['@docusaurus/plugin-client-redirects', {\n  redirects: [\n\
                  { from: ['/a', '/b'], to: '/c' },\n{\n  to: '/e',\n  from: '/d',\n},\n],\n}]]";
        let expected = [redirect("/a", "/c"), redirect("/b", "/c"), redirect("/d", "/e")];
        assert_eq!(docusaurus(objects(js, "redirects:")), expected);
        let module = "const r: O['redirects'] = [\n  // { from: x }\n  { from: ['/a', '/b'], to: '/c' },\n  {\n    from: '/d',\n    to: '/e'\n  }\n];\nexport default r;";
        assert_eq!(docusaurus(innermost(module)), expected);
    }

    #[test]
    fn tables() {
        let pair = |from: &str, to: &str| (from.to_owned(), Some(to.to_owned()));
        assert_eq!(
            table(
                "x\n[output.html.redirect]\n\"/a.html\" = \"b\"\n'c' = \"d\"\n[x]\n",
                "output.html.redirect"
            ),
            [pair("/a.html", "b"), pair("c", "d")]
        );
        let yaml = "  redirect_maps:\n    'a.md': 'b/c.md'\n    d.md: e.md # moved\nnav:\n";
        assert_eq!(table(yaml, "redirect_maps"), [pair("a.md", "b/c.md"), pair("d.md", "e.md")]);
        assert_eq!(table("redirects: {\n  '/a': '/b',\n},", "redirects:"), [pair("/a", "/b")]);
        let spread = "redirects: {\n  ...others,\n  // Old.\n  '/a': '/b',\n},";
        assert_eq!(table(spread, "redirects:"), [pair("/a", "/b")]);
        let imports = "import a from './a.js';\nimport { r } from \"./old/redirects.mjs\";\n";
        assert_eq!(modules(imports).collect::<Vec<_>>(), ["./old/redirects.mjs"]);
        let module = "import { x } from 'y';\nexport const r = {\n  '/a': '/b',\n  ...c,\n  '/d': '/e',\n};\n'f'";
        assert_eq!(pairs(module), [pair("/a", "/b"), pair("/d", "/e")]);
        for (settings, expected) in [
            ("  redirects: await load(),\n", true),
            ("import { redirects } from './none.mjs';\n  redirects,\n", true),
            ("defineConfig({ site: 'a', redirects: r, x })", true),
            ("  redirects: {\n    '/a': '/b',\n  },\n", false),
            ("  redirects: [\n", false),
        ] {
            assert_eq!(are_computed(settings, Path::new("")), expected, "{settings}");
        }
        assert_eq!(beside("/a/old.html", "../new.html"), "/a/../new.html");
        assert_eq!(dynamic("/a/[b]/[...c]"), "/a/:b/:c*");
        assert_eq!(dynamic("/a/[b]-[c]/[d.e]"), "/a/[b]-[c]/[d.e]");
    }
}
