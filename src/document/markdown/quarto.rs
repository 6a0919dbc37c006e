//! Cross-references of Quarto: `@fig-plot`, and the ids that they name (Quarto, "Cross
//! References").

use memchr::{memchr, memchr_iter, memchr2_iter, memmem};

use crate::slice::{ByteRuns as _, SliceExt as _, span_within};
use crate::span::Span;
use crate::work_counter;

/// Starts of ids that references may name (Quarto, "Cross-Reference Options"). Without one, `@a` is
/// a citation.
const KINDS: [&str; 22] = [
    "alg", "cau", "cnj", "cor", "def", "eq", "exm", "exr", "fig", "imp", "lem", "lst", "nte",
    "prp", "rem", "sec", "sol", "tbl", "thm", "tip", "wrn", "prf",
];

/// Longest id in bytes. The bound keeps time linear.
const MAX_ID_BYTES: usize = 128;

/// Longest list of attributes, header, or options of a cell that is read, in bytes.
const MAX_LIST_BYTES: usize = 512;

/// Longest list of attributes with a text for those who do not see, in bytes.
const MAX_ALT_BYTES: usize = 4096;

/// An id that references may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CrossId {
    pub span: Span,
    /// True if the cell has several figures or tables, which are `fig-a-1`, `fig-a-2`, ….
    pub has_parts: bool,
}

/// Returns the spans of references, each with its `@`.
pub(super) fn references(text: &[u8]) -> impl Iterator<Item = Span> {
    let mut attributes = CurlyAttributes::default();
    memchr_iter(b'@', text).filter_map(move |at| {
        let length = id(text.clamped(at + 1..))?;
        let end = at + 1 + length;
        let is_mail = text.get(end) == Some(&b'@');
        if is_mail || !may_precede(text.clamped(..at)) {
            return None;
        }
        (!attributes.are_open(text, at)).then(|| Span::new(at, end))
    })
}

/// Attributes of a picture or link, `![a](b){fig-alt="…"}`. Their braces are searched for only
/// before text that looks like a reference, since few documents have any, and each byte is read
/// once.
#[derive(Default)]
struct CurlyAttributes {
    open: Option<usize>,
    seen: usize,
}

impl CurlyAttributes {
    /// True if a place, after the one before, is inside of them.
    fn are_open(&mut self, text: &[u8], at: usize) -> bool {
        let start = self.seen.max(at.saturating_sub(MAX_ALT_BYTES));
        self.seen = at;
        work_counter::add(at - start);
        for brace in memchr2_iter(b'{', b'}', text.clamped(start..at)).map(|it| start + it) {
            if text.get(brace) == Some(&b'}') {
                self.open = None;
            } else if matches!(text.clamped(..brace).last(), Some(b')' | b']')) {
                self.open = Some(brace);
            }
        }
        self.open.is_some_and(|open| at - open < MAX_ALT_BYTES)
    }
}

/// True if a reference may follow this text. After a word, `@` belongs to a mail address, and after
/// a slash to a URI (pandoc, "Citation syntax").
fn may_precede(text: &[u8]) -> bool {
    let before = text.tail(MAX_ID_BYTES);
    let mark = |byte: &u8| b"-_*\"'".contains(byte);
    let marks = before.iter().rev().take_while(|byte| mark(byte)).count();
    let outside = before.clamped(..before.len() - marks);
    match outside.last() {
        None => true,
        // `[a](@fig-b)` is a link.
        Some(b'(') => !outside.ends_with(b"]("),
        Some(byte) if byte.is_ascii_whitespace() || b"[;,|>!~".contains(byte) => true,
        // A dash, `a---@fig-b`.
        Some(byte) if byte.is_ascii_alphanumeric() => before.ends_with(b"--"),
        Some(byte) if byte.is_ascii() => false,
        Some(_) => {
            let last = outside.tail(4).utf8_chunks().last();
            let last = last.and_then(|chunk| chunk.valid().chars().next_back());
            last.is_some_and(|last| !last.is_alphanumeric())
        }
    }
}

/// Returns the length of the id at the start of a text.
fn id(text: &[u8]) -> Option<usize> {
    let hyphen = text.clamped(..4).iter().position(|&byte| byte == b'-')?;
    let kind = text.clamped(..hyphen);
    // `@Fig-a` gives “Figure” at the start of a sentence.
    let is_lower = kind.clamped(1..).iter().all(u8::is_ascii_lowercase);
    let is_kind = |known: &&str| is_lower && known.as_bytes().eq_ignore_ascii_case(kind);
    if !KINDS.iter().any(is_kind) {
        return None;
    }
    let start = hyphen + 1;
    let rest = text.clamped(start..MAX_ID_BYTES.min(text.len())).utf8_chunks().next()?.valid();
    // A mark belongs to it only before a letter, so that a dash, `@sec-a---b`, ends it.
    let mut characters = rest.char_indices().peekable();
    let mut length = 0;
    while let Some((at, c)) = characters.next() {
        let is_inside = characters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if c.is_alphanumeric() {
            length = at + c.len_utf8();
        } else if !"_-:./+".contains(c) || at == 0 || c != '_' && !is_inside {
            break;
        }
    }
    work_counter::add(length);
    (length > 0).then_some(start + length)
}

/// Returns the ids of sections, divs, pictures, equations, listings, and cells.
pub(crate) fn ids(text: &[u8]) -> Vec<CrossId> {
    let mut found = cell_ids(text);
    found.extend(attributes(text).map(|span| CrossId { span, has_parts: false }));
    found.sort_unstable_by_key(|it| it.span.start());
    found
}

/// Returns the ids in lists of attributes, `{#fig-a}`. A caption in such a list may have braces.
fn attributes(text: &[u8]) -> impl Iterator<Item = Span> {
    memchr_iter(b'#', text).filter_map(|at| {
        let length = id(text.clamped(at + 1..))?;
        let before = text.clamped(..at).tail(MAX_LIST_BYTES);
        let is_apart = matches!(before.last(), Some(b'{' | b' ' | b'\t' | b'\r' | b'\n'));
        (is_apart && memchr(b'{', before).is_some()).then(|| Span::new(at + 1, at + 1 + length))
    })
}

/// Returns the ids of code cells: `#| label: fig-a`, `{r fig-a}`, `{r, label="fig-a"}`.
pub(super) fn cell_ids(text: &[u8]) -> Vec<CrossId> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text, LABEL) {
        let before = text.clamped(..at);
        let before = before.strip_suffix(b"lst-").unwrap_or(before).trim_ascii_end();
        let value = text.clamped(at + LABEL.len()..);
        let blank = value.iter().take_while(|byte| b" \t\"'\\".contains(byte)).count();
        let start = at + LABEL.len() + blank;
        if before.ends_with(b"|")
            && let Some(length) = id(text.clamped(start..))
        {
            let span = Span::new(start, start + length);
            found.push(CrossId { span, has_parts: has_parts(text.clamped(start + length..)) });
        }
    }
    for at in memmem::find_iter(text, HEADER) {
        let header = text.clamped(at + HEADER.len()..);
        let header = header.clamped(..MAX_LIST_BYTES.min(header.len()));
        let header = header.clamped(..memchr(b'\n', header).unwrap_or(header.len()));
        for word in header.split(|byte| b" ,{}\t\r".contains(byte)) {
            let word = word.strip_prefix(b"label=").unwrap_or(word);
            let word = word.trim_ascii();
            let bare = match word {
                [b'"' | b'\'', bare @ .., b'"' | b'\''] => bare,
                bare => bare,
            };
            if id(bare) == Some(bare.len())
                && let Some(span) = span_within(bare, text)
            {
                found.push(CrossId { span, has_parts: has_parts(text.clamped(span.end()..)) });
            }
        }
    }
    found
}

const LABEL: &[u8] = b"label:";

const HEADER: &[u8] = b"```{";

/// True if the options after the label of a cell have a list of captions.
fn has_parts(options: &[u8]) -> bool {
    let options = options.clamped(..(2 * MAX_LIST_BYTES).min(options.len()));
    let options = options.clamped(..memmem::find(options, b"```").unwrap_or(options.len()));
    work_counter::add(options.len());
    memmem::find_iter(options, b"cap").any(|at| {
        let value = options.clamped(at + 3..);
        let value = value.strip_prefix(b":").or_else(|| value.strip_prefix(b"="));
        let first = value.map(|value| value.trim_ascii_start().first());
        let is_list = matches!(first, Some(None | Some(b'[' | b'!' | b'#' | b'/' | b'%' | b'\\')))
            || value.is_some_and(|value| value.trim_ascii_start().starts_with(b"c("));
        is_list || options.clamped(..at).ends_with(b"sub")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn referred(text: &str) -> Vec<&str> {
        references(text.as_bytes()).map(|span| &text[span.range()]).collect()
    }

    #[test]
    fn references_by_id() {
        let text = "@sec-a [@fig-b] [-@tbl-c; see @eq-d_1], (@lst-e). @Fig-f: *@thm-g*, a---@sec-h-2---b.\n\
            @sec-größe |@exr-i|—@nte-j";
        let expected = [
            "@sec-a",
            "@fig-b",
            "@tbl-c",
            "@eq-d_1",
            "@lst-e",
            "@Fig-f",
            "@thm-g",
            "@sec-h-2",
            "@sec-größe",
            "@exr-i",
            "@nte-j",
        ];
        assert_eq!(referred(text), expected);
    }

    #[test]
    fn citations_and_addresses_are_no_references() {
        for text in [
            "@knuth1984",
            "@smith-2020",
            "\\@sec-a",
            "a@sec-x.org",
            "b.c-@sec-x.org",
            "é@fig-a",
            "https://a.example/@fig-a",
            "<a.example/@fig-a>",
            "[a](@fig-b)",
            "@fig",
            "@fig-",
            "@figure-a",
            "@FIG-a",
            "@fig-a@b.example",
            "@@fig-a",
            "`@fig-a",
            "![a](b){fig-alt=\"@fig-c\"}",
        ] {
            assert_eq!(referred(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn ids_of_all_kinds() {
        let text = "# A {#sec-a}\n::: {.b #fig-b c=\"{d}\"}\n![e](f){fig-alt=\"{g}\" #fig-h}\n\
            $$ x $$ {#eq-i}\n```{#lst-j .python}\n```\n```{r fig-k, echo=FALSE}\n```\n\
            ```{r, label=\"fig-l\"}\n```\n```{python}\n#| label: tbl-m\n//| lst-label: \"lst-n\"\n\
            #| fig-subcap: [a, b]\n```\n\"#| label: fig-o\\n\", label: fig-p\n[q](#fig-q) #r";
        let found = ids(text.as_bytes());
        let names: Vec<&str> = found.iter().map(|it| &text[it.span.range()]).collect();
        let expected = [
            "sec-a", "fig-b", "fig-h", "eq-i", "lst-j", "fig-k", "fig-l", "tbl-m", "lst-n", "fig-o",
        ];
        assert_eq!(names, expected);
        let parts = found.iter().filter(|it| it.has_parts).map(|it| &text[it.span.range()]);
        assert_eq!(parts.collect::<Vec<_>>(), ["tbl-m", "lst-n"]);
    }
}
