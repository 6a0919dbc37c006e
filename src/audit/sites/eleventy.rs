//! [Eleventy](https://www.11ty.dev/docs/).

use std::path::{Path, PathBuf};

use super::discovery::{DirectoryLister, joined, string, text, text_in_tree, value};
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::mounts::Mount;
use super::rules::{
    ContentStart, FEEDS, FILES, FileLookup, LinkBase, LiquidRule, MarkerStrength, MoreMounts,
    PageDirectoryRule, RootRule, SiteRules,
};
use super::site::MAX_ROOTS;
use crate::audit::Slugs;
use crate::document::code::javascript::{JsTokenKind, tokens};
use crate::document::{Dialect, LinkOrigin};
use crate::slice::SliceExt as _;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &[".eleventy.js", "eleventy.config.*", ".eleventy.cjs"],
    marker_strength: MarkerStrength::Weak,
    content_keys: &["input"],
    content_start: ContentStart::Build,
    base_keys: &["pathPrefix"],
    content: &["."],
    outputs: &["_site"],
    // Eleventy makes no anchors; plugins do, each with a function of its own.
    slugs: Slugs::Any,
    endings: &[
        ".md",
        ".html",
        ".njk",
        ".liquid",
        ".webc",
        ".11ty.js",
        "/index.md",
        "/index.html",
        "/index.njk",
        "/index.liquid",
        "/index.webc",
        "/index.11ty.js",
    ],
    swaps: &[(".html", ".md"), (".html", ".njk"), (".html", ".liquid"), (".html", ".webc")],
    links: LinkBase::Either,
    html_links: LinkBase::Either,
    page_directories: PageDirectoryRule::Always,
    // `InputPathToUrlTransformPlugin` starts at the input directory, too, and so do paths that
    // start with `./` (seen in a build).
    lookup: FileLookup::ContentAnyway,
    root: RootRule::Inferred,
    address_keys: &["permalink"],
    more_mounts: MoreMounts::Copied,
    generated: FEEDS,
    menus: &[MenuFile {
        path: "_data/",
        keys: MenuKeys::Named(&["href", "link", "url"]),
        values: MenuValues::OfTemplates,
    }],
    liquid: Some(LiquidRule { includes_key: "includes", includes: "_includes", is_quoted: true }),
    constructs: &[LinkOrigin::QuotedInclude, LinkOrigin::CodeInclude, LinkOrigin::TagArgument],
    dialect: Dialect::Eleventy,
    ..FILES
};

/// Returns what the settings copy, `addPassthroughCopy("src/img")` and
/// `addPassthroughCopy({ "a": "b" })`, and where it is then.
pub(super) fn copied(settings: &str, input: &str) -> Vec<Mount> {
    const CALL: &str = "addPassthroughCopy(";
    let (mut found, mut rest) = (Vec::new(), settings);
    while found.len() < MAX_ROOTS
        && let Some((_, argument)) = rest.split_once(CALL)
    {
        let argument = argument.trim_start();
        rest = argument;
        if let Some(object) = argument.strip_prefix('{') {
            // Continue after the object: otherwise each of 256 calls in it would read it again.
            let (pairs, behind) = pairs_of(object);
            let mounts = pairs.into_iter();
            found.extend(mounts.filter_map(|(from, to)| mount(from.unwrap_or(UNKNOWN), to)));
            rest = behind;
        } else if argument.starts_with(['"', '\'', '`'])
            && let Some(from) = string(argument)
        {
            let from = from.trim_start_matches("./");
            let below = from.strip_prefix(input.trim_start_matches("./")).unwrap_or(from);
            found.extend(mount(from, below));
        }
    }
    found.truncate(MAX_ROOTS);
    found.shrink_to_fit();
    found
}

/// Stands for a source that the settings compute. No tree has it.
const UNKNOWN: &str = "node_modules/urigrep-unknown";
/// Longest object that is read.
const MAX_OBJECT_BYTES: usize = 16 << 10;

/// Returns the pairs of strings in an object of JavaScript, and the text after it. A key may be
/// computed.
fn pairs_of(whole: &str) -> (Vec<(Option<&str>, &str)>, &str) {
    let (object, behind) = whole.split_at(whole.floor_char_boundary(MAX_OBJECT_BYTES));
    let (mut found, mut key, mut depth) = (Vec::new(), None, 0_usize);
    let mut is_value = false;
    for token in tokens(object.as_bytes()) {
        match token.kind {
            JsTokenKind::String | JsTokenKind::Template => {
                let text = object.clamped(token.text.range());
                match (is_value, depth) {
                    (true, 0) => found.push((key.take(), text)),
                    (false, 0) => key = Some(text),
                    _ => {}
                }
                is_value = false;
            }
            JsTokenKind::Punctuation(b'}') if depth == 0 => {
                return (found, whole.clamped(token.text.end()..));
            }
            JsTokenKind::Punctuation(b'{' | b'[' | b'(') => depth += 1,
            JsTokenKind::Punctuation(b'}' | b']' | b')') => depth = depth.saturating_sub(1),
            kind => {
                is_value = kind == JsTokenKind::Punctuation(b':');
                if kind == JsTokenKind::Punctuation(b',') {
                    key = None;
                }
            }
        }
    }
    (found, behind)
}

/// Returns the mount of a path or a pattern of paths.
fn mount(from: &str, to: &str) -> Option<Mount> {
    let is_pattern = |name: &&str| name.contains(['*', '{', '!']);
    let names: Vec<&str> = from.split('/').filter(|it| !matches!(*it, "" | ".")).collect();
    let fixed = names.iter().position(is_pattern).unwrap_or(names.len());
    let source: PathBuf = names.get(..fixed)?.iter().collect();
    let target: PathBuf = to
        .split('/')
        .filter(|it| !matches!(*it, "" | "."))
        .take_while(|it| !is_pattern(it))
        .collect();
    (!source.as_os_str().is_empty()).then_some(Mount { source, target, is_of_content: false })
}

/// Names of plugins that make anchors.
const PLUGINS: [&str; 7] = [
    "IdAttributePlugin",
    "markdown-it-anchor",
    "markdown-it-github-headings",
    "markdown-it-named-headings",
    "eleventy-plugin-ids",
    "rehype-slug",
    "remark-slug",
];
/// Most files that the settings import and that are read.
const MAX_IMPORTED: usize = 64;

/// True if a plugin makes anchors of headings.
pub(super) fn makes_anchors(settings: &str, above: &Path, files: &dyn DirectoryLister) -> bool {
    let has_plugin = |text: &str| PLUGINS.iter().any(|name| text.contains(name));
    if has_plugin(settings) {
        return true;
    }
    // Packages that are only installed may be unused, but the settings need not name those that
    // they use.
    if files.names(above).iter().any(|name| name == "package.json")
        && has_plugin(&text(&above.join("package.json")))
    {
        return true;
    }
    let imported = settings.lines().filter_map(imported).take(MAX_IMPORTED);
    imported.into_iter().any(|module| has_plugin(&text_in_tree(above, &joined(above, &module))))
}

/// Returns the path of a module beside the settings: `import a from "./config/a.js"`,
/// `require("./config/a")`.
fn imported(line: &str) -> Option<String> {
    let at = ["from ", "require(", "import "].iter().find_map(|word| {
        let at = line.find(word)? + word.len();
        ["\"./", "'./"]
            .iter()
            .any(|it| line.get(at..).is_some_and(|rest| rest.starts_with(it)))
            .then_some(at)
    })?;
    let module = string(line.get(at..)?.split(')').next()?)?;
    Some(if module.ends_with("js") { module } else { format!("{module}.js") })
}

/// Returns the input directory of the settings.
pub(super) fn input(settings: &str) -> String {
    value(settings, &["input"]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_settings() {
        let settings = "c.addPassthroughCopy(\"src/img\");\nc.addPassthroughCopy({\n  \"src/js/*.js\": \"js/\",\n  './public/': '/',\n  [x(\"z\")]: \"y\",\n  // [n(\"b\")]: it's\n  \"n/a/b.{css,js}\": `static/`,\n});\nc.addPassthroughCopy('src/blog/*.png');c.addPassthroughCopy(\"public\");c.addPassthroughCopy({ \"a/b.css\": \"css/b.css\" });c.addPassthroughCopy(x)";
        let found: Vec<_> = copied(settings, "src")
            .into_iter()
            .map(|it| format!("{} {}", it.source.display(), it.target.display()))
            .collect();
        let expected = [
            "src/img img",
            "src/js js",
            "public ",
            "node_modules/urigrep-unknown y",
            "n/a static",
            "src/blog blog",
            "public public",
            "a/b.css css/b.css",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn modules_of_settings() {
        for (line, expected) in [
            ("import a from \"./config/a.js\";", Some("./config/a.js")),
            ("const a = require('./a');", Some("./a.js")),
            ("c.addPlugin(require(\"./b.cjs\"));", Some("./b.cjs")),
            ("import x from \"x\";", None),
        ] {
            assert_eq!(imported(line).as_deref(), expected, "{line}");
        }
    }
}
