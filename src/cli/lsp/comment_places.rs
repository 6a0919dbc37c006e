//! Places for a comment that turns a check off: [`places`].
//!
//! A comment must not change the content of the document. So its place depends on the construct
//! around the finding: within the line where a comment may follow text, or else before the block,
//! or around it. `actions.rs` tries the places in order, and compares the document before and
//! after.

use std::ops::Range;

use urigrep::document::Format;

use super::blocks::{BlockSyntax, Line, blocks, lines};

/// Insertions, by offset, that turn a check off.
pub type Insertions = Vec<(usize, String)>;

/// The syntax of the comments of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentSyntax {
    /// Comments are blocks, or follow text, as the block syntax says.
    Blocks(BlockSyntax),
    /// Comments are between tags.
    Tags(TagLanguage),
    /// Comments follow text in a line, or are lines.
    Lines(Format),
}

/// The languages of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagLanguage {
    Html,
    Xml,
}

/// Returns the places for a comment about the finding at `span`, the best first.
pub fn places(text: &str, span: Range<usize>, syntax: CommentSyntax, id: &str) -> Vec<Insertions> {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let context = CommentContext { text, lines: lines(text), line_end, span, id };
    match syntax {
        CommentSyntax::Tags(tags) => context.among_tags(tags),
        CommentSyntax::Lines(format) => context.in_lines(format),
        CommentSyntax::Blocks(syntax) => context.in_blocks(syntax),
    }
    .unwrap_or_default()
}

struct CommentContext<'t> {
    text: &'t str,
    lines: Vec<Line<'t>>,
    line_end: &'static str,
    span: Range<usize>,
    id: &'t str,
}

impl CommentContext<'_> {
    fn line_at(&self, offset: usize) -> usize {
        self.lines.partition_point(|line| line.start <= offset).saturating_sub(1)
    }

    fn line(&self, at: usize) -> &str {
        self.lines.get(at).map(|line| line.text).unwrap_or_default()
    }

    fn directive(&self, word: &str) -> String {
        format!("urigrep-{word} {}", self.id)
    }

    fn line_start(&self, at: usize) -> Option<usize> {
        self.lines.get(at).map(|line| line.start)
    }

    fn in_blocks(&self, syntax: BlockSyntax) -> Option<Vec<Insertions>> {
        let at = self.line_at(self.span.start);
        let block = blocks(&self.lines, syntax).into_iter().find(|block| block.contains(&at))?;
        let mut places = match syntax {
            BlockSyntax::Markdown | BlockSyntax::Mdx => self.in_markdown(syntax, &block, at)?,
            BlockSyntax::Rst | BlockSyntax::AsciiDoc | BlockSyntax::Org => Vec::new(),
        };
        places.extend(self.around_block(syntax, &block, at)?);
        Some(places)
    }

    /// Returns the places in a line of Markdown, and before it.
    fn in_markdown(
        &self,
        syntax: BlockSyntax,
        block: &Range<usize>,
        at: usize,
    ) -> Option<Vec<Insertions>> {
        let mut places = Vec::new();
        let comment = written(syntax, &self.directive("disable-line"));
        let line = self.line(at);
        let start = self.line_start(at)?;
        let end = start + line.trim_end().len();
        if self.is_table(block, at) {
            // In the last cell: a line of its own ends the table, and a comment after the last bar
            // is another cell (GFM 4.10).
            let row = line.trim_end();
            let has_bar = row.ends_with('|') && !row.ends_with("\\|");
            places.push(match has_bar {
                true if row.ends_with(" |") => vec![(end - 1, format!("{comment} "))],
                true => vec![(end - 1, format!(" {comment} "))],
                false => vec![(end, format!(" {comment}"))],
            });
        } else if self.span.end <= end && self.may_end_with_comment(block, at, syntax) {
            places.push(vec![(end, format!(" {comment}"))]);
        }
        // Between definitions and headings, too: both end where a comment starts.
        let is_apart = is_definition(line) || is_heading(line);
        if syntax == BlockSyntax::Markdown && at > block.start && is_apart {
            let content = line.trim_start_matches([' ', '\t', '>']);
            let prefix = line.get(..line.len() - content.len()).unwrap_or_default();
            let comment = written(syntax, &self.directive("disable-next-line"));
            places.push(vec![(start, format!("{prefix}{comment}{}", self.line_end))]);
        }
        Some(places)
    }

    /// Returns the places before a block, and around it.
    fn around_block(
        &self,
        syntax: BlockSyntax,
        block: &Range<usize>,
        at: usize,
    ) -> Option<Vec<Insertions>> {
        let end = self.line_end;
        let first = self.line(block.start);
        let is_explicit = |line: &str| line.starts_with("..") || line.starts_with("__ ");
        let apart = match syntax {
            // Explicit markup needs no empty line between its blocks (docutils, "Explicit Markup
            // Blocks"). In AsciiDoc and Org, what is attached to a block starts with a mark.
            BlockSyntax::Rst if is_explicit(first) => "",
            BlockSyntax::AsciiDoc | BlockSyntax::Org => "",
            _ => end,
        };
        let start = self.line_start(block.start)?;
        let stop = self.lines.get(block.end.checked_sub(1)?)?.end();
        let before = |word| format!("{}{end}{apart}", written(syntax, &self.directive(word)));
        let mut places = Vec::new();
        if at == block.start {
            places.push(vec![(start, before("disable-next-line"))]);
        } else if syntax == BlockSyntax::Rst && is_explicit(self.line(at)) {
            let comment = written(syntax, &self.directive("disable-next-line"));
            places.push(vec![(self.line_start(at)?, format!("{comment}{end}"))]);
        }
        let enable = written(syntax, &self.directive("enable"));
        places.push(vec![(start, before("disable")), (stop, format!("{end}{end}{enable}"))]);
        Some(places)
    }

    /// True for a row of a table (GFM 4.10).
    fn is_table(&self, block: &Range<usize>, at: usize) -> bool {
        let is_delimiter = |at: &usize| {
            let row = self.line(*at).trim_start_matches([' ', '\t', '>']).trim_end();
            row.contains('-')
                && row.contains('|')
                && row.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t'))
        };
        let delimiter = block.clone().skip(1).find(is_delimiter);
        delimiter.is_some_and(|delimiter| at + 1 >= delimiter)
    }

    /// True for a line of a paragraph that a comment may follow.
    fn may_end_with_comment(&self, block: &Range<usize>, at: usize, syntax: BlockSyntax) -> bool {
        let (line, first) = (self.line(at), self.line(block.start).trim_start());
        let content = line.trim_end();
        let is_last = at + 1 >= block.end;
        if is_heading(line) {
            return false;
        }
        // CommonMark 6.7. At the end of a block, there is no line to break.
        if content.ends_with('\\') || line.ends_with("  ") && !is_last {
            return false;
        }
        // The underline of a heading (CommonMark 4.3).
        let next = self.line(at + 1).trim_matches([' ', '\t', '>']);
        let is_underline = |mark| !next.is_empty() && next.chars().all(|c| c == mark);
        if !is_last && (is_underline('=') || is_underline('-')) {
            return false;
        }
        // Attribute lists and blocks end their line (kramdown, Python-Markdown, Pandoc).
        let starts = ["!!!", "???", ":::", "=== \""];
        let starts_block = starts.iter().any(|mark| content.trim_start().starts_with(mark));
        if starts_block || syntax == BlockSyntax::Markdown && content.ends_with('}') {
            return false;
        }
        let raw = ["<pre", "<script", "<style", "<textarea", "<title"];
        let opens = |open: &&str| {
            first.get(..open.len()).is_some_and(|start| start.eq_ignore_ascii_case(open))
        };
        if raw.iter().any(opens) {
            return false;
        }
        // A tag alone in the first line of a block starts HTML, and with a comment after it a
        // paragraph (CommonMark 4.6, condition 7).
        if at == block.start && content.trim_start().starts_with('<') && content.ends_with('>') {
            return false;
        }
        let is_module = first.starts_with("import ")
            || first.starts_with("export ")
            || line.trim_start().starts_with('<');
        if syntax == BlockSyntax::Mdx && is_module {
            return false;
        }
        // The destination or the title of a definition may be on its next line (CommonMark 4.7).
        let near = [Some(at), at.checked_sub(1), at.checked_sub(2)];
        let mut near = near.into_iter().flatten().filter(|at| block.contains(at));
        if near.any(|at| is_definition(self.line(at))) {
            return false;
        }
        // Last, because it walks back through the document.
        let end = self.lines.get(at).map_or(self.text.len(), |line| line.end());
        tag_around(self.text, self.span.start).is_none_or(|tag| tag.end <= end)
    }

    fn among_tags(&self, tags: TagLanguage) -> Option<Vec<Insertions>> {
        let wrap = |span: Range<usize>| {
            let [disable, enable] =
                ["disable", "enable"].map(|word| format!("<!-- {} -->", self.directive(word)));
            vec![(span.start, disable), (span.end, enable)]
        };
        let comment = self.directive("disable-line");
        let at = self.line_at(self.span.start);
        let end = self.lines.get(at)?.end();
        let raw = raw_element(self.text, self.span.start);
        let tag = tag_around(self.text, self.span.start);
        Some(match (raw, tag) {
            (Some(raw), None) if raw.name == "style" && self.span.end <= end => {
                vec![vec![(end, format!(" /* {comment} */"))], wrap(raw.span)]
            }
            (Some(raw), None) if raw.has_code() => vec![wrap(raw.span)],
            // White space has a meaning there, or the text cannot contain a comment.
            (Some(raw), None) if raw.name != "pre" => Vec::new(),
            (raw, tag) => {
                let ends_in_line = tag.as_ref().is_none_or(|tag| tag.end <= end);
                let is_last_tag = tag_around(self.text, end).is_none();
                let is_plain =
                    tags == TagLanguage::Html && raw.is_none() && ends_in_line && is_last_tag;
                let next = raw_element(self.text, end);
                let mut places = Vec::new();
                if is_plain && next.is_none() {
                    places.push(vec![(end, format!(" <!-- {comment} -->"))]);
                }
                // Next to the tag, the comments add no space.
                places.extend(tag.filter(|tag| !starts_raw(self.text, tag)).map(wrap));
                places
            }
        })
    }

    fn in_lines(&self, format: Format) -> Option<Vec<Insertions>> {
        let comment = |word: &str| format.comments().comment(&self.directive(word));
        let [first, last] = [self.span.start, self.span.end].map(|it| self.line_at(it));
        let line = self.line(first);
        let content = line.trim_start();
        let indent = line.get(..line.len() - content.len()).unwrap_or_default();
        let at = self.lines.get(first)?;
        let behind = || Some(vec![(at.end(), format!(" {}", comment("disable-line")?))]);
        let above = || {
            let comment = comment("disable-next-line")?;
            Some(vec![(at.start, format!("{indent}{comment}{}", self.line_end))])
        };
        Some([(first == last).then(behind).flatten(), above()].into_iter().flatten().collect())
    }
}

/// Returns the comment that holds a directive.
fn written(syntax: BlockSyntax, directive: &str) -> String {
    match syntax {
        BlockSyntax::Markdown => format!("<!-- {directive} -->"),
        // `<!--` is a syntax error in MDX 2 and 3.
        BlockSyntax::Mdx => format!("{{/* {directive} */}}"),
        BlockSyntax::Rst => format!(".. {directive}"),
        BlockSyntax::AsciiDoc => format!("// {directive}"),
        BlockSyntax::Org => format!("# {directive}"),
    }
}

/// True for a line that starts a link reference definition; a footnote is text.
fn is_definition(line: &str) -> bool {
    let content = line.trim_start_matches([' ', '\t', '>']);
    content.starts_with('[') && !content.starts_with("[^") && content.contains("]:")
}

/// True for a heading with `#`. What is after its closing `#` is text, and its anchor changes with
/// its text (CommonMark 4.2).
fn is_heading(line: &str) -> bool {
    line.trim_start_matches([' ', '\t', '>']).starts_with('#')
}

/// An element whose text has no tags, or whose white space counts.
struct UncommentedElement {
    name: &'static str,
    span: Range<usize>,
}

impl UncommentedElement {
    fn has_code(&self) -> bool {
        matches!(self.name, "script" | "style")
    }
}

const RAW: [&str; 9] =
    ["style", "script", "textarea", "title", "pre", "iframe", "xmp", "noembed", "noframes"];

/// Returns the innermost raw element around an offset.
fn raw_element(text: &str, offset: usize) -> Option<UncommentedElement> {
    let (before, after) = text.split_at_checked(offset)?;
    let around = RAW.iter().filter_map(|name| {
        let tags = before.rmatch_indices('<').map(|(at, _)| at);
        // The last tag of this name, which opens an element or closes it.
        let start = tags.clone().find(|at| opens(text, *at, name))?;
        let is_open = !tags.take_while(|at| *at > start).any(|at| closes(text, at, name));
        let mut tags_after = after.match_indices('<').map(|(at, _)| offset + at);
        let close = tags_after.find(|at| closes(text, *at, name))?;
        let end = close + text.get(close..)?.find('>')? + 1;
        is_open.then_some(UncommentedElement { name, span: start..end })
    });
    around.max_by_key(|element| element.span.start)
}

/// True if the name of a start tag, in lower case, follows the `<` at this offset.
fn opens(text: &str, at: usize, name: &str) -> bool {
    let rest = text.as_bytes().get(at + 1..).unwrap_or_default();
    let (found, rest) = rest.split_at_checked(name.len()).unwrap_or_default();
    found.eq_ignore_ascii_case(name.as_bytes())
        && rest
            .first()
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
}

/// True if `/` and this name follow the `<` at this offset.
fn closes(text: &str, at: usize, name: &str) -> bool {
    let rest = text.as_bytes().get(at + 1..).and_then(|rest| rest.strip_prefix(b"/"));
    let found = rest.and_then(|rest| rest.get(..name.len()));
    found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
}

/// True for the start tag of a raw element.
fn starts_raw(text: &str, tag: &Range<usize>) -> bool {
    RAW.iter().any(|name| *name != "pre" && opens(text, tag.start, name))
}

/// Returns the tag around an offset (HTML Standard 13.1.2).
fn tag_around(text: &str, offset: usize) -> Option<Range<usize>> {
    let is_tag = |at: &usize| {
        let next = text.as_bytes().get(at + 1);
        next.is_some_and(|byte| byte.is_ascii_alphabetic())
    };
    let before = text.get(..offset)?;
    let start = before.rmatch_indices('<').map(|(at, _)| at).find(is_tag)?;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match (quote, byte) {
            (None, b'>') => return (at >= offset).then_some(start..at + 1),
            (None, b'"' | b'\'') if at > start => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}
