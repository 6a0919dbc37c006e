//! Reads the links of a [menu](crate::audit::sites::MenuFile): values in data, or in a program.

use std::cell::OnceCell;
use std::ops::{ControlFlow, Range};

use memchr::memmem;

use super::page_names::{self, PageEntry};
use super::{Facts, menu_ids, program_links};
use crate::audit::finding::is_among;
use crate::audit::sites::{MenuFile, MenuKeys, MenuValues};
use crate::document::code::javascript::{JsTokenKind, tokens};
use crate::document::format::FormatKind;
use crate::document::{
    self, CodeParts, Event, Format, LinkOrigin, Part, Place, Role, Source, Wants,
};
use crate::hash::HashSet;
use crate::slice::{ByteRuns as _, SliceExt as _, span_within};
use crate::{Finder, Finding, Span};

/// Endings of the documents that menus name.
const DOCUMENTS: &str = "adoc ipynb markdown md mdx qmd rmd rst topic";

/// Longer values name no page.
pub(super) const MAX_VALUE_BYTES: usize = 1024;

/// Reads the links of a menu in this format. They are those of a document of Markdown, whose links
/// lead where those of the menu do.
///
/// The values of `file_keys` are files that the site shows or loads, and those of `path_keys` are
/// files or directories.
pub(in crate::audit) fn read(
    file: &MenuFile,
    [file_keys, path_keys]: [&[&str]; 2],
    format: Option<Format>,
    bytes: &[u8],
    finder: &Finder,
) -> Facts {
    let facts = Facts { format: Format::named("markdown"), ..Facts::default() };
    let mut reader =
        MenuReader { file, file_keys, path_keys, finder, bytes, facts, sidebars: OnceCell::new() };
    match format {
        _ if matches!(file.values, MenuValues::PageKeys | MenuValues::PageList) => reader.pages(),
        _ if file.values == MenuValues::OfPrograms => reader.markup(),
        Some(format)
            if format.kind() == FormatKind::Data && file.values != MenuValues::AddressesAndIds =>
        {
            // It never stops early.
            let _ = format.read(Source::new(bytes), &mut reader);
        }
        _ => reader.program(),
    }
    reader.facts
}

struct MenuReader<'r> {
    file: &'r MenuFile,
    file_keys: &'r [&'r str],
    path_keys: &'r [&'r str],
    finder: &'r Finder,
    bytes: &'r [u8],
    facts: Facts,
    /// The ids of sidebars, once a value asked for them.
    sidebars: OnceCell<HashSet<&'r [u8]>>,
}

impl document::EventSink for MenuReader<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Part(part) = event
            && !matches!(part.role, Role::Comment | Role::Metadata)
            && let Some(kind) = part.place.and_then(|place| self.kind_of(place))
        {
            self.value(part, kind);
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::all().code(CodeParts::Skipped).identifiers(self.finder.identifiers())
    }
}

impl MenuReader<'_> {
    /// Returns the kind of the value at a place; `None` if it does not count.
    fn kind_of(&self, place: &Place<'_>) -> Option<ValueKind> {
        let (path, divider) = match place {
            Place::Key(path) => (path, '.'),
            Place::Pointer(path) => (path, '/'),
            _ => return None,
        };
        // Items of lists have numbers.
        let is_key = |name: &&str| !name.is_empty() && !name.bytes().all(|it| it.is_ascii_digit());
        let names = || path.split(divider).filter(is_key);
        let is_named = |keys: &[&str]| names().next_back().is_some_and(|it| keys.contains(&it));
        let is_below = |keys: &[&str]| names().any(|it| keys.contains(&it));
        let is_entry = match self.file.keys {
            MenuKeys::Below(keys) => is_below(keys),
            MenuKeys::Named(keys) => is_named(keys),
            MenuKeys::NamedBelow(above, keys) => is_named(keys) && is_below(above),
            MenuKeys::Attributes(_) => false,
        };
        if is_entry {
            Some(ValueKind::Entry)
        } else if is_named(self.path_keys) {
            Some(ValueKind::Path)
        } else {
            is_named(self.file_keys).then_some(ValueKind::File)
        }
    }

    fn value(&mut self, part: &Part<'_>, kind: ValueKind) {
        let value = unquoted(part.text);
        if let Some(within) = span_within(value, part.text) {
            self.link(value, part.source.source(within), kind);
        }
    }

    /// Reads `key: 'value'` in a program, or `key="value"` in XML. Values that it computes are
    /// unknown.
    fn program(&mut self) {
        let (keys, read): (_, ValueReader) = match self.file.keys {
            MenuKeys::Attributes(keys) => (keys, attribute),
            MenuKeys::Below(keys) | MenuKeys::Named(keys) | MenuKeys::NamedBelow(_, keys) => {
                (keys, literal)
            }
        };
        let bytes = self.bytes;
        let mut found = Vec::new();
        for key in keys {
            for at in memmem::find_iter(bytes, key.as_bytes()) {
                found.extend(read(bytes, at, key.len()));
                // Only the settings of Sphinx assign the names of documents.
                if self.file.values == MenuValues::Documents {
                    found.extend(assigned(bytes, at, key.len()));
                }
            }
        }
        if let MenuKeys::Attributes(_) = self.file.keys {
            let comments = comments(bytes);
            found.retain(|span| {
                let next = comments.partition_point(|comment| comment.end <= span.start());
                comments.get(next).is_none_or(|comment| comment.start > span.start())
            });
        }
        if self.file.values == MenuValues::AddressesAndRedirects {
            let targets = menu_ids::in_object(bytes, b"redirects").into_iter();
            found.extend(targets.filter(|span| {
                let value = bytes.part(span.range());
                value.starts_with(b"/") && !value.iter().any(|byte| b"[]*:$\n".contains(byte))
            }));
        }
        if self.file.values == MenuValues::AddressesAndIds {
            found.extend(menu_ids::in_lists(bytes));
            let ids = memmem::find_iter(bytes, ID).filter_map(|at| literal(bytes, at, ID.len()));
            found.extend(ids.filter(|span| menu_ids::is_id(bytes.part(span.range()))));
        }
        let mut found: Vec<_> = found.into_iter().map(|span| (span, ValueKind::Entry)).collect();
        for key in self.file_keys {
            let places = memmem::find_iter(bytes, key.as_bytes());
            let files = places.filter_map(|at| {
                literal(bytes, at, key.len()).or_else(|| assigned(bytes, at, key.len()))
            });
            found.extend(files.map(|span| (span, ValueKind::File)));
            let lists = memmem::find_iter(bytes, key.as_bytes());
            let lists = lists.flat_map(|at| strings_of_list(bytes, at, key.len()));
            found.extend(lists.map(|span| (span, ValueKind::File)));
        }
        for key in self.path_keys {
            let places = memmem::find_iter(bytes, key.as_bytes());
            let paths = places.flat_map(|at| assigned_list(bytes, at, key.len()));
            found.extend(paths.map(|span| (span, ValueKind::Path)));
        }
        found.sort_unstable_by_key(|(span, _)| span.start());
        found.dedup_by_key(|(span, _)| *span);
        for (span, kind) in found {
            self.link(bytes.part(span.range()), span, kind);
        }
    }

    /// Reads the links in the markup of a program.
    fn markup(&mut self) {
        let MenuKeys::Attributes(keys) = self.file.keys else { return };
        for span in program_links::values(self.bytes, keys) {
            self.link(self.bytes.part(span.range()), span, ValueKind::Entry);
        }
    }

    /// Reads the names of pages, and addresses beside them.
    fn pages(&mut self) {
        let mut entries = match self.file.values {
            MenuValues::PageKeys => page_names::of_keys(self.bytes),
            _ => page_names::of_list(self.bytes),
        };
        entries.sort_unstable_by_key(PageEntry::start);
        for entry in entries {
            match entry {
                PageEntry::Name(span, path) => {
                    if path.len() <= MAX_VALUE_BYTES
                        && let Some(finding @ Finding::Relative(_)) =
                            self.finder.reference(path.as_bytes())
                    {
                        let origin = LinkOrigin::PageName;
                        self.facts.links.push_destination(&finding, span, &path, origin);
                    }
                }
                PageEntry::Address(span) => {
                    self.link(self.bytes.part(span.range()), span, ValueKind::Entry);
                }
            }
        }
    }

    /// Returns the key of a value in a program, `to` in `{ to: 'a/b' }`.
    fn key_of(&self, span: Span) -> &[u8] {
        let before = self.bytes.clamped(..span.start().saturating_sub(1)).trim_ascii_end();
        let before = before.strip_suffix(b":").unwrap_or_default().trim_ascii_end();
        let quotes = before.trailing(|byte| matches!(byte, b'"' | b'\''));
        let before = before.clamped(..before.len() - quotes);
        before.tail(before.trailing(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
    }

    /// True for `sidebar:a` in the bar of Quarto, if a sidebar has the id `a` (Quarto, "Hybrid
    /// Navigation").
    fn is_sidebar(&self, value: &str) -> bool {
        let id = value.strip_prefix("sidebar:").filter(|_| self.file.values == MenuValues::Sources);
        id.is_some_and(|id| self.sidebars.get_or_init(|| ids(self.bytes)).contains(id.as_bytes()))
    }

    fn link(&mut self, value: &[u8], span: Span, kind: ValueKind) {
        let Ok(value) = std::str::from_utf8(value) else { return };
        if value.is_empty() || value.len() > MAX_VALUE_BYTES || self.is_sidebar(value) {
            return;
        }
        let Some(finding) = self.finder.reference(value.as_bytes()) else { return };
        let is_uri = matches!(finding, Finding::Match(_));
        if kind != ValueKind::Entry {
            let is_named = match kind {
                // A value of Antora without a dot is the name of a package, or an address.
                ValueKind::Path if self.file.values == MenuValues::Sources => {
                    ["./", "../"].iter().any(|start| value.starts_with(start)) && is_plain(value)
                }
                ValueKind::Path => is_plain(value),
                ValueKind::File | ValueKind::Entry => is_file(value),
            };
            if is_named && matches!(finding, Finding::Relative(_)) {
                self.facts.links.push_destination(&finding, span, value, LinkOrigin::SettingsFile);
            }
            return;
        }
        let counts = is_uri
            || match self.file.values {
                MenuValues::Sources => {
                    let path = value.split(['#', '?']).next().unwrap_or_default();
                    path.rsplit_once('.').is_some_and(|(_, ending)| {
                        is_among(DOCUMENTS, &ending.to_ascii_lowercase())
                    })
                }
                // Globs and patterns only name existing files, and `GET /a` is a page of an
                // interface.
                MenuValues::Documents => !value.contains(['*', '{', ' ']) && !value.contains("/:"),
                MenuValues::AddressesAndIds if menu_ids::is_id(value.as_bytes()) => true,
                // `{ from: 'a.txt', to: 'b.txt' }` copies a file.
                MenuValues::AddressesOfTo
                    if is_of_names(value) && matches!(self.key_of(span), b"docId" | b"to") =>
                {
                    true
                }
                // Starlight adds a slash to addresses; a slug has none.
                MenuValues::AddressesAndRedirects
                    if is_of_names(value) && matches!(self.key_of(span), b"link" | b"slug") =>
                {
                    true
                }
                MenuValues::Addresses
                | MenuValues::AddressesAndIds
                | MenuValues::AddressesAndRedirects
                | MenuValues::AddressesOfTo
                | MenuValues::OfPrograms
                | MenuValues::PageKeys
                | MenuValues::PageList
                | MenuValues::OfTemplates => {
                    value.len() > 1 && value.starts_with('/') && !value.starts_with("//")
                }
            };
        if counts && !matches!(finding, Finding::Rejected(_)) {
            let origin = match self.file.values {
                MenuValues::OfTemplates => LinkOrigin::Data,
                MenuValues::OfPrograms => LinkOrigin::Program,
                _ => LinkOrigin::Menu,
            };
            self.facts.links.push_destination(&finding, span, value, origin);
        }
    }
}

/// What a value of the settings names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueKind {
    /// A page or document.
    Entry,
    /// A picture, style sheet, or script of the site.
    File,
    /// Any file, or a directory.
    Path,
}

/// Endings of the files that settings name: menus, pictures of the site, and what its pages load.
const FILES: &str = "adoc css gif ico jpeg jpg js md mjs png scss svg webp";

/// True for the path of a file.
fn is_file(value: &str) -> bool {
    let ending = value.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_among(FILES, &ending.to_ascii_lowercase()) && is_plain(value)
}

/// True for a path that is not a pattern or the value of something else.
fn is_plain(value: &str) -> bool {
    !value.starts_with("//") && !value.contains(['*', '{', '!', '~', ' '])
}

/// Key of the id of a document.
const ID: &[u8] = b"id";

/// True for `docs/a-b`, a path without extensions.
fn is_of_names(value: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/');
    !value.starts_with('/') && !value.is_empty() && value.chars().all(is_of_name)
}

/// Returns a value of data without white space and quotation marks.
fn unquoted(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    let quote = text.first().filter(|it| matches!(it, b'"' | b'\''));
    match quote {
        Some(quote) => {
            let inside = text.clamped(1..);
            inside.clamped(..memchr::memchr(*quote, inside).unwrap_or(inside.len()))
        }
        None => text,
    }
}

/// Returns the span of the value of a key of this length at an offset.
type ValueReader = fn(&[u8], usize, usize) -> Option<Span>;

/// Returns the span of the value of the attribute at `at` in XML.
fn attribute(bytes: &[u8], at: usize, length: usize) -> Option<Span> {
    let rest = bytes.clamped(at + length..).strip_prefix(b"=\"")?;
    let value = rest.clamped(..MAX_VALUE_BYTES + 1);
    let value = value.clamped(..value.iter().position(|&byte| byte == b'"')?);
    let is_whole = bytes.clamped(..at).last().is_some_and(u8::is_ascii_whitespace);
    is_whole.then(|| span_within(value, bytes)).flatten()
}

/// Returns the comments of XML, in order.
pub(super) fn comments(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = memmem::find(bytes.clamped(at..), b"<!--") {
        let start = at + start;
        let length = memmem::find(bytes.clamped(start..), b"-->");
        at = length.map_or(bytes.len(), |length| start + length + 3);
        found.push(start..at);
    }
    found
}

/// Returns the span of the string that is the value of the key at `at` in a program.
fn literal(bytes: &[u8], at: usize, length: usize) -> Option<Span> {
    let is_of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$' | b'.');
    let mut before = bytes.clamped(..at);
    let mut rest = bytes.clamped(at + length..);
    // `"link": "/a"`
    if let Some(quote @ (b'"' | b'\'')) = before.last().copied() {
        rest = rest.strip_prefix(&[quote])?;
        before = before.clamped(..at - 1);
    }
    if before.last().is_some_and(is_of_name) || is_in_comment(before) {
        return None;
    }
    let blanks = |text: &[u8]| text.leading(|byte| matches!(byte, b' ' | b'\t'));
    rest = rest.clamped(blanks(rest)..).strip_prefix(b":")?;
    rest = rest.clamped(blanks(rest)..);
    let quote = rest.first().copied().filter(|it| matches!(it, b'"' | b'\'' | b'`'))?;
    let inside = rest.clamped(1..);
    let value = inside.clamped(..MAX_VALUE_BYTES + 1);
    let value = value.clamped(..value.iter().position(|&byte| byte == quote)?);
    // The value goes on in `'/a' + b`, and is a template in `/${a}`.
    let after = inside.clamped(value.len() + 1..);
    let is_whole = !after.clamped(blanks(after)..).starts_with(b"+");
    let is_plain = !value.iter().any(|byte| matches!(byte, b'$' | b'\\' | b'\n'));
    (is_whole && is_plain).then(|| span_within(value, bytes)).flatten()
}

/// Longest list of files that is read.
const MAX_LIST_BYTES: usize = 4 << 10;

/// Returns the spans of the strings in the list that is the value of the key at `at` in a program:
/// `customCss: ['./a.css', './b.css']`.
fn strings_of_list(bytes: &[u8], at: usize, length: usize) -> Vec<Span> {
    let before = bytes.clamped(..at);
    let rest = bytes.clamped(at + length..).trim_ascii_start();
    let list = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
    let Some(list) = list.and_then(|it| it.strip_prefix(b"[")) else { return Vec::new() };
    if before.last().is_some_and(u8::is_ascii_alphanumeric) || is_in_comment(before) {
        return Vec::new();
    }
    let list = list.clamped(..MAX_LIST_BYTES.min(list.len()));
    let list = list.clamped(..memchr::memchr(b']', list).unwrap_or_default());
    let strings = tokens(list).filter(|token| token.kind == JsTokenKind::String);
    strings.filter_map(|token| span_within(list.part(token.text.range()), bytes)).collect()
}

/// Returns the values of `id`.
fn ids(bytes: &[u8]) -> HashSet<&[u8]> {
    let values = memmem::find_iter(bytes, b"id:").map(|at| {
        // The bound keeps a long line of them linear.
        let rest = bytes.clamped(at + 3..).clamped(..MAX_VALUE_BYTES);
        unquoted(rest.clamped(..memchr::memchr(b'\n', rest).unwrap_or(rest.len())))
    });
    values.collect()
}

/// Returns the span of the string that a line of Python assigns to the name at `at`.
fn assigned(bytes: &[u8], at: usize, length: usize) -> Option<Span> {
    let is_first = matches!(bytes.clamped(..at).last(), None | Some(b'\n'));
    let rest = bytes.clamped(at + length..);
    let rest = rest.clamped(rest.leading(|byte| byte == b' ')..).strip_prefix(b"=")?;
    let rest = rest.clamped(rest.leading(|byte| byte == b' ')..);
    let quote = rest.first().copied().filter(|it| matches!(it, b'"' | b'\''))?;
    let value = rest.clamped(1..MAX_VALUE_BYTES + 1);
    let value = value.clamped(..value.iter().position(|&byte| byte == quote)?);
    let end = rest.clamped(value.len() + 2..);
    let is_whole = matches!(end.trim_ascii_start().first(), None | Some(b'#'))
        || end.clamped(end.leading(|byte| matches!(byte, b' ' | b'\r'))..).starts_with(b"\n");
    let is_plain = !value.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'{' | b'%'));
    (is_first && is_whole && is_plain).then(|| span_within(value, bytes)).flatten()
}

/// Most entries of a list that are read.
const MAX_ENTRIES: usize = 256;

/// Returns the spans of the strings in the list that is assigned to the name at `at`, up to a value
/// that the program computes: `a = ['b', 'c']`.
fn assigned_list(bytes: &[u8], at: usize, length: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let is_first = matches!(bytes.clamped(..at).last(), None | Some(b'\n'));
    let rest = bytes.clamped(at + length..);
    let blanks = |text: &[u8]| text.leading(|byte| byte == b' ');
    let Some(rest) = rest.clamped(blanks(rest)..).strip_prefix(b"=").filter(|_| is_first) else {
        return found;
    };
    let Some(mut rest) = rest.clamped(blanks(rest)..).strip_prefix(b"[") else { return found };
    while found.len() < MAX_ENTRIES {
        rest = rest.trim_ascii_start();
        let quote = rest.first().copied().filter(|it| matches!(it, b'"' | b'\''));
        let Some(quote) = quote else { break };
        let value = rest.clamped(1..MAX_VALUE_BYTES + 1);
        let Some(length) = value.iter().position(|&byte| byte == quote) else { break };
        let value = value.clamped(..length);
        let after = rest.clamped(length + 2..).trim_ascii_start();
        if !matches!(after.first(), Some(b',' | b']')) || value.contains(&b'\\') {
            break;
        }
        found.extend(span_within(value, bytes));
        rest = after.strip_prefix(b",").unwrap_or_default();
    }
    found
}

/// True after `//` in its line, unless a colon precedes that, as in a URI, and in a line that
/// starts with `*`.
fn is_in_comment(before: &[u8]) -> bool {
    let line = before.tail(MAX_VALUE_BYTES);
    let line = line.clamped(memchr::memrchr(b'\n', line).map_or(0, |end| end + 1)..);
    let slashes =
        memmem::find_iter(line, b"//").find(|&it| it == 0 || line.get(it - 1) != Some(&b':'));
    slashes.is_some() || line.trim_ascii_start().starts_with(b"*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, file: MenuFile, text: &str) -> Vec<String> {
        let facts = read(
            &file,
            [&["logo"], &["paths"]],
            Format::from_extension(name),
            text.as_bytes(),
            &Finder::new(),
        );
        let links = facts.links();
        links
            .map(|link| {
                assert_eq!(&text[link.span.range()], link.written);
                link.written.to_owned()
            })
            .collect()
    }

    #[test]
    fn values_of_data() {
        let file =
            MenuFile { path: "a", keys: MenuKeys::Below(&["nav"]), values: MenuValues::Sources };
        let text = "site: a.md\nnav:\n  - Home: index.md # b.md\n  - C:\n    - 'd/e f.md'\n    - \"G\": https://h.example/\n    - I: j/\n    - l/m.md\nother:\n  - k.md\n";
        assert_eq!(
            found("yml", file, text),
            ["index.md", "d/e f.md", "https://h.example/", "l/m.md"]
        );
        let file = MenuFile {
            path: "a",
            keys: MenuKeys::NamedBelow(&["menu", "menus"], &["url", "pageRef"]),
            values: MenuValues::Addresses,
        };
        let text = "url = \"/a\"\n[[menu.main]]\nurl = \"/b/\" # c\nweight = 1\n[[menus.x]]\npageRef = '/d'\nurl = \"e\"\n";
        assert_eq!(found("toml", file, text), ["/b/", "/d"]);
        let file = MenuFile {
            path: "a",
            keys: MenuKeys::Named(&["pages"]),
            values: MenuValues::Documents,
        };
        let text = r#"{"navigation": [{"group": "a", "pages": ["b/c", "GET /c", {"group": "g", "pages": ["d"]}]}], "e": "f"}"#;
        assert_eq!(found("json", file, text), ["b/c", "d"]);
    }

    #[test]
    fn files_of_settings() {
        let keys = MenuKeys::Named(&["link"]);
        let file = MenuFile { path: "a", keys, values: MenuValues::Addresses };
        let text = "logo = 'a/b.png'  # c\nlogo = x + 'no.png'\nlogo = 'no.png' + x\n logo = 'no.png'\nlogo = '#fff'\nlogo = \"d.svg\"";
        assert_eq!(found("py", file, text), ["a/b.png", "d.svg"]);
        let text = "{ logo: '/a.svg', \"logo\": { src: '/no.svg' }, logo: 'https://a.example/no.svg', link: '/b' }";
        assert_eq!(found("ts", file, text), ["/a.svg", "/b"]);
        assert_eq!(found("yml", file, "logo:\n  - a.css\n  - no\n"), ["a.css"]);
        let text =
            "{ logo: [\n  './a.css', // './no.css'\n  b, \"c.css\",\n], xlogo: ['no.css'], logo: [";
        assert_eq!(found("ts", file, text), ["./a.css", "c.css"]);
    }

    #[test]
    fn values_of_trees() {
        let keys = MenuKeys::Attributes(&["start-page", "topic"]);
        let file = MenuFile { path: "a", keys, values: MenuValues::Sources };
        let text = "<x start-page=\"a.topic\"><!-- <t topic=\"b.md\"/> --><t topic=\"c.md\" toc-title=\"d.md\"/><t\ntopic=\"e.md\" sub-topic=\"f.md\"/>";
        assert_eq!(found("tree", file, text), ["a.topic", "c.md", "e.md"]);
    }

    #[test]
    fn values_of_programs() {
        let file = MenuFile {
            path: "a",
            keys: MenuKeys::Named(&["link", "to"]),
            values: MenuValues::Addresses,
        };
        let text = "export default { nav: [{ text: 'A', link: '/a/#b' }, { \"to\": \"/c\" }, { link:`/d/${e}` },\n\
            // { link: '/f' }\n\
            { link: '/g' + h, auto: '/i', goto: '/j' }, {link: \"https://k.example/\"}] } // link: '/l'\n\
             * link: '/m'\n";
        assert_eq!(found("ts", file, text), ["/a/#b", "/c", "https://k.example/"]);
    }
}
