//! The ids that templates of a site give to elements: pages have more anchors than their documents
//! show.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::sample::all_documents_below;
use crate::audit::sites::{entries, front_matter, text, values};
use crate::audit::target::{INCLUDES, joined};
use crate::document::markdown::slug::SlugRule;
use crate::slice::SliceExt as _;

/// Directories of templates, beside the content or above it.
const TEMPLATE_DIRECTORIES: [&str; 14] = [
    ".vitepress/theme",
    "_includes",
    "_layouts",
    "_templates",
    "_theme",
    "components",
    "layouts",
    "overrides",
    "src/components",
    "src/layouts",
    "src/theme",
    "templates",
    "theme",
    "themes",
];
const TEMPLATE_EXTENSIONS: [&str; 14] = [
    ".astro", ".ejs", ".erb", ".hbs", ".html", ".j2", ".jsx", ".liquid", ".mdx", ".njk", ".slim",
    ".svelte", ".tsx", ".vue",
];
/// Largest number of directory entries that are listed.
const MAX_ENTRIES: usize = 10_000;
/// Largest number of templates that are read.
const MAX_TEMPLATES: usize = 2_000;

/// The ids that the templates of a site give to elements.
#[derive(Debug, Default)]
pub(super) struct TemplateIds {
    names: HashSet<String>,
    /// Ids that a template computes, except for a fixed part: `{{ name }}-guidance`.
    patterns: Vec<IdPattern>,
    /// Slugs of the titles of documents, if a template makes ids of titles:
    /// `{{ child.title | slugify }}`.
    titles: HashSet<String>,
    /// True if a template computes whole ids from data, so that a page may have any id.
    computes: bool,
}

impl TemplateIds {
    /// Reads the templates in these directories, and the titles of the documents below `content`.
    pub fn read(directories: &[&Path], content: &[PathBuf]) -> Self {
        let mut this = Self::default();
        let mut has_titles = false;
        for text in texts(directories) {
            // Arguments of shortcodes are in documents, and headings have their own rules.
            let is_of_document = [".Get ", ".Inner", ".Anchor"].iter().any(|it| text.contains(it));
            for value in ids_of(&text) {
                match IdPattern::parse(value) {
                    None => _ = this.names.insert(value.to_owned()),
                    Some(_) if is_of_title(value) => has_titles = true,
                    Some(pattern) if pattern.is_telling() && this.patterns.len() < MAX_PATTERNS => {
                        this.patterns.push(pattern);
                    }
                    Some(pattern) => {
                        this.computes |=
                            !is_of_document && pattern.fixed.iter().all(String::is_empty);
                    }
                }
            }
        }
        if has_titles {
            let slug = |path: PathBuf| {
                let text = text(&path);
                let front = front_matter(text.as_bytes())?;
                let title = values(&front, "title").into_iter().next()?;
                SlugRule::Github.anchors(std::iter::once(&*title)).next()
            };
            this.titles = all_documents_below(content).into_iter().filter_map(slug).collect();
        }
        this
    }

    /// True for an id that a template has or may make; without an id, true if a template computes
    /// whole ids.
    pub fn may_have(&self, id: Option<&str>) -> bool {
        let Some(id) = id else { return self.computes };
        self.names.contains(id)
            || self.titles.contains(id)
            || self.patterns.iter().any(|pattern| pattern.matches(id))
    }

    /// Returns the number of ids.
    pub fn len(&self) -> usize {
        self.names.len() + self.patterns.len() + self.titles.len()
    }
}

/// Returns the texts of the templates in these directories.
fn texts(directories: &[&Path]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut pending: Vec<PathBuf> = directories
        .iter()
        .flat_map(|directory| TEMPLATE_DIRECTORIES.iter().map(|name| directory.join(name)))
        .collect();
    let (mut seen, mut read) = (HashSet::new(), 0);
    let mut listed = 0;
    while let Some(directory) = pending.pop() {
        if listed > MAX_ENTRIES || !seen.insert(directory.clone()) {
            continue;
        }
        for entry in entries(&directory) {
            listed += 1;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && name != "node_modules" {
                pending.push(directory.join(&*name));
            } else if kind.is_file()
                && read < MAX_TEMPLATES
                && TEMPLATE_EXTENSIONS.iter().any(|extension| name.ends_with(extension))
            {
                read += 1;
                texts.push(text(&directory.join(&*name)));
            }
        }
    }
    texts
}

/// True if the template of a Hugo shortcode prefixes this argument, so that the argument alone is
/// not a reference: `href="{{ $base }}/blob/main/{{ .Get "href" }}"`.
pub(super) fn puts_before(template: &str, argument: &str) -> bool {
    /// Longest start of an action. The bound keeps time linear.
    const MAX_START_BYTES: usize = 16;
    let is_prefixed = |mark: char| {
        let get = format!(".Get {mark}{argument}{mark}");
        memmem::find_iter(template.as_bytes(), &get).any(|at| {
            let before = template.as_bytes().clamped(at.saturating_sub(MAX_START_BYTES)..at);
            let Some(open) = memmem::rfind(before, b"{{") else { return false };
            // `{{ with .Get "a" }}` only tests it.
            let is_written = before.clamped(open + 2..).iter().all(|byte| b" -$".contains(byte));
            let last = before.clamped(..open).last();
            is_written
                && last
                    .is_some_and(|byte| !byte.is_ascii_whitespace() && !b"\"'=>`(".contains(byte))
        })
    };
    ['"', '`'].into_iter().any(is_prefixed)
}

/// Signs of headings in the source of a component or template.
const HEADINGS: [&str; 12] = [
    "<APIDocs",
    "<TSDoc",
    "<h1",
    "<h2",
    "<h3",
    "<h4",
    "<h5",
    "<Heading",
    "dangerouslySetInnerHTML",
    "readFile",
    "set:html",
    "v-html",
];

/// True if the source of a component or template may make headings.
pub(super) fn renders_headings(source: &str) -> bool {
    // The text of a page in a template of Hugo. `<snippet.Content />` of Astro shows a document.
    let has_content = || source.contains("{{") && source.contains(".Content");
    HEADINGS.iter().any(|heading| source.contains(heading))
        || has_content()
        || renders_other_text(source)
        || computes_anchors(source)
}

/// Values that a document gives to a template, so that it has them itself.
const ARGUMENTS: [&str; 3] = [".Get ", ".Inner", "include."];

/// True if a template makes anchors of what is not an argument: rows of a table of options in pmd
/// have `<a name="{{ option_id }}">`.
fn computes_anchors(template: &str) -> bool {
    /// Longest action or tag. The bound keeps time linear.
    const MAX_BYTES: usize = 200;
    const STARTS: [&str; 4] = [" id=\"{{", " id='{{", " name=\"{{", " name='{{"];
    let bytes = template.as_bytes();
    STARTS.iter().any(|start| {
        memmem::find_iter(bytes, start).any(|at| {
            let before = bytes.clamped(at.saturating_sub(MAX_BYTES)..at);
            let tag = before.clamped(memchr::memrchr(b'<', before).unwrap_or(before.len())..);
            // The name of a field of a form is no anchor.
            let is_anchor = start.starts_with(" id") || tag.starts_with(b"<a ") || tag == b"<a";
            let rest = bytes.clamped(at + start.len()..).clamped(..MAX_BYTES);
            let action = rest.clamped(..memmem::find(rest, b"}}").unwrap_or(rest.len()));
            is_anchor && !ARGUMENTS.iter().any(|it| memmem::find(action, it.as_bytes()).is_some())
        })
    })
}

/// True if a template renders Markdown that is neither an argument (part of a line) nor in the
/// document. Four shortcodes of Mastodon's documents render such captions.
fn renders_other_text(template: &str) -> bool {
    /// Longest action. The bound keeps time linear.
    const MAX_ACTION_BYTES: usize = 200;
    ["markdownify", ".RenderString"].iter().any(|function| {
        memmem::find_iter(template.as_bytes(), function).any(|at| {
            let before = template.as_bytes().clamped(at.saturating_sub(MAX_ACTION_BYTES)..at);
            let start = memmem::rfind(before, b"{{").unwrap_or_default();
            let behind = template.as_bytes().clamped(at..at + MAX_ACTION_BYTES);
            let behind = behind.clamped(..memmem::find(behind, b"}}").unwrap_or(behind.len()));
            let has = |it: &&str| {
                [before.clamped(start..), behind]
                    .iter()
                    .any(|part| memmem::find(part, it.as_bytes()).is_some())
            };
            !ARGUMENTS.iter().any(has)
        })
    })
}

/// True for a line that starts like a heading. Markdown is rendered after files are included.
pub(super) fn has_markdown_heading(source: &str) -> bool {
    source.lines().any(|line| line.trim_start().starts_with('#'))
}

/// Returns the directory of includes that contains this file.
pub(super) fn directory_of_includes(file: &Path) -> Option<&Path> {
    file.ancestors().find(|it| it.file_name().is_some_and(|name| name == INCLUDES))
}

/// Returns the files that tags of Jekyll include, below this directory; `None` if a name is
/// computed.
pub(super) fn included(source: &str, directory: &Path) -> Option<Vec<PathBuf>> {
    let tags = source.split("{%").skip(1).map(|tag| tag.trim_start_matches('-').trim_start());
    let names = tags.filter_map(|tag| {
        let rest = tag.strip_prefix("include").or_else(|| tag.strip_prefix("render"))?;
        Some(rest.split(|c: char| c.is_whitespace() || c == '%').find(|it| !it.is_empty()))
    });
    let file = |name: Option<&str>| {
        let name = name.map(|name| name.trim_matches(['"', '\''])).filter(|it| it.contains('.'))?;
        joined(directory, name)
    };
    names.map(file).collect()
}

/// Returns the values of `id="…"` and `name="…"`.
fn ids_of(text: &str) -> Vec<&str> {
    // A rough scan instead of a parser: templates have many syntaxes.
    let mut found = Vec::new();
    for mark in ["id=\"", "id='", "id={\"", "id={`", "name=\""] {
        let end = mark.chars().next_back().unwrap_or_default();
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let is_whole_word =
                at == 0 || text.as_bytes().get(at - 1).is_some_and(u8::is_ascii_whitespace);
            let value = value(text.clamped(at + mark.len()..), end);
            found.extend(value.filter(|value| is_whole_word && !value.is_empty()));
        }
    }
    found
}

/// Returns the value of an attribute up to its closing quotation mark. Quotation marks in `{{ … }}`
/// do not count.
fn value(text: &str, end: char) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().take(MAX_VALUE) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '\n' => return None,
            c if c == end && depth == 0 => return Some(text.clamped(..at)),
            _ => {}
        }
    }
    None
}

/// Longest value of an attribute.
const MAX_VALUE: usize = 300;
/// Largest number of patterns: each missing anchor is compared with all.
const MAX_PATTERNS: usize = 500;
/// Functions of templates that turn a text into an anchor.
const SLUGGERS: [&str; 4] = ["anchorize", "slug", "urlize", "urlencode"];

/// True if a template makes this value only from the title of a page.
fn is_of_title(value: &str) -> bool {
    let is_computed =
        IdPattern::parse(value).is_some_and(|it| it.fixed.iter().all(String::is_empty));
    is_computed
        && value.to_ascii_lowercase().contains("title")
        && SLUGGERS.iter().any(|it| value.contains(it))
}

/// An id with parts that a template computes.
#[derive(Debug)]
struct IdPattern {
    /// The fixed parts around the computed ones, at least two.
    fixed: Vec<String>,
}

impl IdPattern {
    /// Reads the value of an attribute; `None` if nothing of it is computed.
    fn parse(value: &str) -> Option<Self> {
        const MARKS: [(&str, &str); 5] =
            [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}"), ("{", "}")];
        // The parts around a condition exclude each other.
        let is_condition = ["{%", "<%", "{{ if", "{{if"].iter().any(|it| value.contains(it));
        let (mut fixed, mut rest) = (Vec::new(), value);
        while let Some((at, (open, close))) =
            MARKS.iter().filter_map(|it| Some((rest.find(it.0)?, it))).min_by_key(|it| it.0)
        {
            fixed.push(rest.clamped(..at).to_owned());
            let inside = rest.clamped(at + open.len()..);
            rest = inside.split_once(close).map_or("", |(_, rest)| rest);
        }
        if fixed.is_empty() {
            // `<` and `$` of other syntaxes.
            return value.contains(['<', '$']).then(|| Self { fixed: vec![String::new(); 2] });
        }
        fixed.push(rest.to_owned());
        if is_condition {
            fixed = vec![String::new(); 2];
        }
        Some(Self { fixed })
    }

    /// True if a fixed part is long enough to tell ids of this form from others.
    fn is_telling(&self) -> bool {
        const LEAST_LETTERS: usize = 4;
        let letters = |part: &String| part.bytes().filter(u8::is_ascii_alphabetic).count();
        self.fixed.iter().any(|part| letters(part) >= LEAST_LETTERS)
    }

    fn matches(&self, id: &str) -> bool {
        let [first, middle @ .., last] = self.fixed.as_slice() else { return false };
        let Some(mut rest) =
            id.strip_prefix(first.as_str()).and_then(|it| it.strip_suffix(last.as_str()))
        else {
            return false;
        };
        for part in middle {
            match rest.split_once(part.as_str()) {
                Some((_, behind)) => rest = behind,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_before_arguments() {
        let puts = |template: &str| puts_before(template, "href");
        assert!(puts("<a href=\"{{ $.Site.Params.repo }}/blob/{{ $b }}/{{.Get \"href\"}}\">"));
        assert!(puts("<a href=\"https://a.dev/{{- .Get `href` -}}\">"));
        assert!(!puts("<a href=\"{{ .Get \"href\" }}\">"));
        assert!(!puts("<a href={{ .Get \"href\" | relURL }}>{{ with .Get \"href\" }}"));
        assert!(!puts("/{{ .Get \"src\" }}"));
    }

    #[test]
    fn templates_render_headings() {
        assert!(
            renders_headings("<h2>{{ .Get 0 }}</h2>") && renders_headings("{{ .Page.Content }}")
        );
        assert!(renders_headings("{{ $text | markdownify }} {{ .Get \"a\" }}"));
        assert!(!renders_headings(
            "{{ .Get \"a\" | markdownify }}{{ with .Inner | $.Page.RenderString }}"
        ));
        assert!(!renders_headings("<p>{{ include.text | markdownify }}</p>"));
        assert!(renders_headings("<td><a class='x' name=\"{{ option_id }}\">"));
        assert!(!renders_headings("<a name=\"{{ include.id }}\"><input name=\"{{ option_id }}\">"));
        assert!(has_markdown_heading("a\n ## b") && !has_markdown_heading("a # b"));
    }

    #[test]
    fn included_files() {
        let included = |source| included(source, Path::new("_includes"));
        let both = vec![PathBuf::from("_includes/a.html"), PathBuf::from("_includes/b/c.md")];
        assert_eq!(included("{% include a.html b=\"c\" %} {%- include \"b/c.md\" -%}"), Some(both));
        assert_eq!(included("{% include {{ a }} %}"), None);
        assert_eq!(included("{% if a %}"), Some(Vec::new()));
    }

    #[test]
    fn ids_are_found() {
        let text = "<a id=\"b\"> <a name=\"c\"> <A id={\"d\"}/> <a data-id=\"e\" id=\"{{ f | g: \"h\" }}-i\">";
        let mut found = ids_of(text);
        found.sort_unstable();
        assert_eq!(found, ["b", "c", "d", "{{ f | g: \"h\" }}-i"]);
    }

    #[test]
    fn computed_ids_match_by_their_fixed_parts() {
        let matches = |value: &str, id: &str| {
            IdPattern::parse(value).is_some_and(|it| it.is_telling() && it.matches(id))
        };
        assert!(matches("{{ key }}-guidance", "button-guidance"));
        assert!(!matches("{{ key }}-guidance", "button-preview"));
        assert!(matches("using-the-{{ key }}-{{ page.type }}", "using-the-button-component"));
        assert!(matches("tab-panel-${name}", "tab-panel-a"));
        assert!(
            !matches("a-{{ b }}", "a-c")
                && !matches("{{ title }}", "a")
                && !matches("about", "about")
        );
        assert!(!matches("{% if a %}title{% else %}other{% endif %}", "title"));
        assert!(
            is_of_title("{{ child.title | slugify }}") && !is_of_title("x-{{ title | slugify }}")
        );
    }
}
