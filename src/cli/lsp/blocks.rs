//! The blocks of a document, as far as a comment between two of them needs to know: [`blocks`].
//!
//! A block ends at an empty line, unless what follows belongs to it: deeper lines, the next item of
//! a list, the rest of a delimited block or table. Blocks that are too long do no harm, because the
//! comments of a block are outside of it. So all formats share these rules, and a rule of one
//! format may join blocks of another.

use std::ops::Range;

/// The markup that decides where blocks end and how comments are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockSyntax {
    Markdown,
    Mdx,
    Rst,
    AsciiDoc,
    Org,
}

/// A line, without its end.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    pub start: usize,
    pub text: &'t str,
}

impl Line<'_> {
    pub fn end(self) -> usize {
        self.start + self.text.len()
    }

    fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Returns the lines of a text.
pub fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let line = |whole: &str| {
        let at = start;
        start += whole.len();
        at
    };
    let starts: Vec<usize> = text.split_inclusive('\n').map(line).collect();
    let texts = text.split_inclusive('\n').map(|line| line.trim_end_matches(['\n', '\r']));
    starts.into_iter().zip(texts).map(|(start, text)| Line { start, text }).collect()
}

/// Returns the blocks of a document as ranges of its lines. Front matter is left out: it is another
/// language.
pub fn blocks(lines: &[Line<'_>], syntax: BlockSyntax) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut at = front_matter(lines);
    let is_blank = |at: usize| lines.get(at).is_none_or(|line| line.is_blank());
    while at < lines.len() {
        if is_blank(at) {
            at += 1;
            continue;
        }
        let start = at;
        while !is_blank(at) {
            at = after_construct(lines, at, syntax);
            let is_headline = |at: usize| lines.get(at).is_some_and(|it| is_org_headline(it.text));
            if syntax == BlockSyntax::Org && (is_headline(at) || ends_headline(lines, at)) {
                break;
            }
        }
        match blocks.last_mut() {
            Some(last) if continues(lines, last, start, syntax) => last.end = at,
            _ => blocks.push(start..at),
        }
    }
    blocks
}

/// Returns the number of lines of front matter (`---` or `+++` around it).
fn front_matter(lines: &[Line<'_>]) -> usize {
    let Some(mark) = lines.first().map(|line| line.text.trim_end()) else { return 0 };
    if mark != "---" && mark != "+++" {
        return 0;
    }
    let is_end =
        |line: &Line<'_>| matches!(line.text.trim_end(), end if end == mark || end == "...");
    lines.iter().skip(1).position(is_end).map_or(0, |length| length + 2)
}

/// Returns the line after the construct that starts at a line: a delimited block, which may have
/// empty lines, or the line itself.
fn after_construct(lines: &[Line<'_>], at: usize, syntax: BlockSyntax) -> usize {
    let Some(line) = lines.get(at) else { return at + 1 };
    let rest = lines.get(at + 1..).unwrap_or_default();
    let closing = |is_end: &dyn Fn(&str) -> bool| {
        let length = rest.iter().position(|line| is_end(line.text));
        // Without an end, the construct reaches to the end of the document.
        at + 2 + length.unwrap_or(rest.len())
    };
    let text = line.text.trim_start_matches([' ', '\t', '>']).trim_end();
    match syntax {
        BlockSyntax::Markdown | BlockSyntax::Mdx => {
            if let Some(fence) = fence(text) {
                return closing(&|line| is_closing_fence(line, fence));
            }
            // Blocks of HTML that empty lines do not end (CommonMark 4.6, conditions 1 to 5).
            let lower = text.to_ascii_lowercase();
            let raw = [
                ("<!--", "-->"),
                ("<?", "?>"),
                ("<![cdata[", "]]>"),
                ("<pre", "</pre>"),
                ("<script", "</script>"),
                ("<style", "</style>"),
                ("<textarea", "</textarea>"),
                ("{/*", "*/}"),
            ];
            let opened = raw.iter().find(|(open, _)| lower.starts_with(open));
            if let Some((_, close)) = opened.filter(|(_, close)| !lower.contains(close)) {
                return closing(&|line| line.to_ascii_lowercase().contains(close));
            }
        }
        BlockSyntax::Rst if is_border(line.text) => {
            let mut borders = 0;
            for (index, line) in rest.iter().enumerate() {
                borders += usize::from(is_border(line.text));
                let is_last = rest.get(index + 1).is_none_or(|next| next.is_blank());
                // The second border ends the table, or the first one before an empty line.
                if is_border(line.text) && (borders == 2 || is_last) {
                    return at + index + 2;
                }
            }
        }
        BlockSyntax::AsciiDoc if is_delimiter(text) => {
            return closing(&|line| line.trim_end() == text);
        }
        BlockSyntax::Org => {
            let lower = text.to_ascii_lowercase();
            if let Some(name) = lower.strip_prefix("#+begin") {
                let end = format!("#+end{}", name.split_whitespace().next().unwrap_or_default());
                return closing(&|line| line.trim().eq_ignore_ascii_case(&end));
            }
        }
        _ => {}
    }
    at + 1
}

/// Returns the mark of a fence and its length.
fn fence(text: &str) -> Option<(char, usize)> {
    // A fence may be the first line of a list item.
    let text = text.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '-' | '*' | '+' | '.' | ')' | ' ')
    });
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~' | ':'))?;
    let length = text.chars().take_while(|c| *c == mark).count();
    let is_span = mark == '`' && text.trim_start_matches('`').contains('`');
    (length >= 3 && mark != ':' && !is_span).then_some((mark, length))
}

fn is_closing_fence(line: &str, (mark, length): (char, usize)) -> bool {
    let line = line.trim_matches([' ', '\t', '>']);
    line.len() >= length && line.chars().all(|c| c == mark)
}

/// True for the border of a simple table (docutils, "Simple Tables").
fn is_border(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with('=') && line.contains(' ') && line.bytes().all(|it| matches!(it, b'=' | b' '))
}

/// True for the first and last line of a delimited block or table of AsciiDoc.
fn is_delimiter(line: &str) -> bool {
    let mut characters = line.chars();
    let Some(first) = characters.next() else { return false };
    let is_repeated =
        line.len() >= 4 && "-.=*_+/`".contains(first) && characters.all(|c| c == first);
    is_repeated
        || line == "--"
        || line == "```"
        || matches!(line, "|===" | ",===" | ":===" | "!===")
}

fn is_org_headline(line: &str) -> bool {
    let stars = line.bytes().take_while(|byte| *byte == b'*').count();
    stars > 0 && line.as_bytes().get(stars) == Some(&b' ')
}

/// True if a headline of Org precedes a line that need not be next to it, as planning and drawers
/// must (Org syntax, "Headings").
fn ends_headline(lines: &[Line<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| lines.get(at));
    let next = lines.get(at).map(|line| line.text.trim_start()).unwrap_or_default();
    let bound = [":", "SCHEDULED:", "DEADLINE:", "CLOSED:"];
    before.is_some_and(|line| is_org_headline(line.text))
        && !bound.iter().any(|word| next.starts_with(word))
}

/// True if the lines from `start` on belong to the block before them.
fn continues(lines: &[Line<'_>], block: &Range<usize>, start: usize, syntax: BlockSyntax) -> bool {
    let text = |at: usize| lines.get(at).map(|line| line.text).unwrap_or_default();
    let (first, last, next) = (text(block.start), text(block.end - 1), text(start));
    if syntax == BlockSyntax::Org && (is_org_headline(next) || is_org_headline(last)) {
        return false;
    }
    if next.starts_with([' ', '\t']) || is_list_item(first, syntax) && is_list_item(next, syntax) {
        return true;
    }
    match syntax {
        // A quoted literal block has no indentation (docutils, "Quoted Literal Blocks"). A target
        // names what follows it, and a comment between them would be named instead.
        BlockSyntax::Rst => {
            let is_field = |line: &str| line.starts_with(':');
            last.trim_end().ends_with("::") && !next.starts_with(|c: char| c.is_alphanumeric())
                || is_naming_target(last)
                || is_field(first) && is_field(next)
        }
        // `+` attaches what follows to the item.
        BlockSyntax::AsciiDoc => next.starts_with('+') || last.trim_end() == "+",
        _ => false,
    }
}

/// True for `.. _name:` without a destination.
fn is_naming_target(line: &str) -> bool {
    (line.starts_with(".. _") || line.starts_with("__")) && line.trim_end().ends_with(':')
}

/// True for a line that starts with the mark of a list item.
fn is_list_item(line: &str, syntax: BlockSyntax) -> bool {
    let line = line.trim_start();
    let rest =
        line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '(' | '#'));
    let number = line.len() - rest.len();
    if (1..=9).contains(&number) && rest.starts_with(['.', ')']) {
        return rest.get(1..).is_some_and(|rest| rest.starts_with(' ') || rest.is_empty());
    }
    let marks = line.trim_start_matches(['-', '*', '+', '•', '.']);
    let is_marked =
        marks.len() < line.len() && (marks.starts_with([' ', '\t']) || marks.is_empty());
    let is_note = syntax != BlockSyntax::Rst && line.starts_with("[^") && line.contains("]:");
    let is_term = syntax == BlockSyntax::AsciiDoc && line.contains("::");
    let is_directive = syntax == BlockSyntax::Rst && line.starts_with("..");
    is_marked && !is_directive || is_note || is_term
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_where_a_comment_may_be() {
        for (syntax, text, expected) in [
            (BlockSyntax::Markdown, "a\nb\n\nc\n", &[[0, 2], [3, 4]][..]),
            (BlockSyntax::Markdown, "---\na: b\n---\nc\n", &[[3, 4]]),
            (BlockSyntax::Markdown, "- a\n\n- b\n\n  c\n\nd\n", &[[0, 5], [6, 7]]),
            (BlockSyntax::Markdown, "```\na\n\nb\n```\n\nc\n", &[[0, 5], [6, 7]]),
            (BlockSyntax::Markdown, "<pre>\n\na</pre>\n\nb\n", &[[0, 3], [4, 5]]),
            (BlockSyntax::Rst, "== ==\na b\n\nc d\n== ==\n\ne\n", &[[0, 5], [6, 7]]),
            (BlockSyntax::Rst, ".. _a:\n\nT\n=\n\nb\n", &[[0, 4], [5, 6]]),
            (BlockSyntax::Rst, "a::\n\n> b\n\nc\n", &[[0, 3], [4, 5]]),
            (BlockSyntax::AsciiDoc, "|===\n|a\n\n|b\n|===\n\nc\n", &[[0, 5], [6, 7]]),
            (BlockSyntax::AsciiDoc, "* a\n+\n----\n\n----\n\n* b\n", &[[0, 7]]),
            (BlockSyntax::Org, "* A\nb\n* C\n:PROPERTIES:\n:END:\n", &[[0, 1], [1, 2], [2, 5]]),
        ] {
            let found = blocks(&lines(text), syntax);
            let found: Vec<_> = found.iter().map(|block| [block.start, block.end]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
