//! Markdown without its code: what a tag or an import in code shows is code, too, and has no
//! headings.

use std::borrow::Cow;

/// Returns the text with spaces in place of code in fences and in backticks.
///
/// A rough scan instead of the parser, like the search for tags that it is for. The body of a fence
/// with a name in braces may be Markdown (directives of MyST), and stays.
pub(super) fn without_code(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'`', b'~', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut bare = String::with_capacity(text.len());
    let mut fence: Option<(&str, bool)> = None;
    for line in text.split_inclusive('\n') {
        let mark = fence_mark(line);
        match fence {
            Some((open, is_code)) => {
                let is_end = mark.starts_with(open) && is_alone(line, mark);
                let keep = is_end || !is_code;
                if keep {
                    bare.push_str(line)
                } else {
                    blank(line, &mut bare)
                }
                if is_end {
                    fence = None;
                }
            }
            None if !mark.is_empty() => {
                let name = line.trim_start_matches(|c| c != '`' && c != '~');
                let name = name.trim_start_matches(['`', '~']).trim_start();
                // `{.python}` and `{#id}` are attributes of code (Pandoc).
                let is_directive =
                    name.starts_with('{') && !name.starts_with("{.") && !name.starts_with("{#");
                fence = Some((mark, !is_directive));
                bare.push_str(line);
            }
            None => blank_spans(line, &mut bare),
        }
    }
    Cow::Owned(bare)
}

/// Returns the mark at the start of a line that opens or closes a fence; empty if there is none.
fn fence_mark(line: &str) -> &str {
    // Also in quotes and lists.
    let inside = line.trim_start_matches(|c: char| c.is_whitespace() || "->*+".contains(c));
    let length = |mark: u8| inside.bytes().take_while(|&byte| byte == mark).count();
    let length = length(b'`').max(length(b'~'));
    let (mark, rest) = inside.split_at_checked(length).unwrap_or_default();
    // "```a```" in one line is a code span.
    if length < 3 || mark.starts_with('`') && rest.contains('`') { "" } else { mark }
}

/// True if a line has nothing but this mark.
fn is_alone(line: &str, mark: &str) -> bool {
    line.trim().trim_start_matches(['>', ' ']) == mark
}

fn blank(line: &str, bare: &mut String) {
    bare.extend(line.chars().map(|c| if c == '\n' { c } else { ' ' }));
}

/// Longest line of which code is left out.
const MAX_LINE_BYTES: usize = 16 << 10;

/// Copies a line without its code spans.
fn blank_spans(line: &str, bare: &mut String) {
    // Each run of backticks may look for its end up to the end of the line.
    if line.len() > MAX_LINE_BYTES {
        bare.push_str(line);
        return;
    }
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at_checked(at).unwrap_or_default();
        bare.push_str(before);
        let length = from.bytes().take_while(|&byte| byte == b'`').count();
        let (open, after) = from.split_at_checked(length).unwrap_or_default();
        let Some(end) = closing(after, length) else {
            // A span that ends in another line, or none: only the mark is skipped.
            bare.push_str(open);
            rest = after;
            continue;
        };
        let (inside, behind) = after.split_at_checked(end).unwrap_or_default();
        bare.push_str(open);
        blank(inside, bare);
        bare.push_str(open);
        rest = behind.get(length..).unwrap_or_default();
    }
    bare.push_str(rest);
}

/// Returns where a run of exactly `length` backticks starts.
fn closing(text: &str, length: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'`', bytes.get(at..)?) {
        let start = at + found;
        let run = bytes.get(start..)?.iter().take_while(|&&byte| byte == b'`').count();
        if run == length {
            return Some(start);
        }
        at = start + run;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_blanked() {
        let text = "a `{% b %}` ``c ` d`` `e\n```f\n{{g}}\n```\n~~~~ {h}\n{{i}}\n~~~~\n> ```\n> {{j}}\n> ```\nk\n```\n{{l}}\n";
        let bare = without_code(text);
        for gone in ["b %", "c", " d", "g}", "j}", "l}"] {
            assert!(!bare.contains(gone), "{gone}: {bare}");
        }
        for kept in ["a `", "`e\n", "{h}", "{{i}}", "k\n"] {
            assert!(bare.contains(kept), "{kept}: {bare}");
        }
        assert_eq!(without_code("a"), "a");
    }
}
