//! Detects long link titles. For each line of a title, the parser walks from its start to find the
//! end, so it takes quadratic time in the number of lines.

use memchr::{memchr3, memmem};

use super::link;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// A link whose title has more lines is not read as a link.
const MAX_LINES: usize = 64;

/// Returns the `(` of each inline link whose title has more than [`MAX_LINES`] lines, or no end.
pub(super) fn with_long_titles(text: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(text, b"](")
        .map(|bracket| bracket + 1)
        .filter(|&open| title(text, open + 1).is_some_and(|opener| is_long(text, opener)))
}

/// Returns the opener of the title of a link whose `(` precedes `at` (CommonMark §6.3).
fn title(text: &[u8], at: usize) -> Option<usize> {
    let (_, end) = link::destination(text, skip_separator(text, at))?;
    let at = skip_separator(text, end);
    matches!(text.get(at)?, b'"' | b'\'' | b'(').then_some(at)
}

/// Skips white space and, after a line break, all block quote marks. The number of quotes is
/// unknown for a line that only continues a block quote.
fn skip_separator(text: &[u8], at: usize) -> usize {
    let rest = text.clamped(at..);
    let is_space = |b: u8| matches!(b, b'\t'..=b'\r' | b' ');
    let space = rest.leading(is_space);
    if rest.part(..space).contains(&b'\n') {
        at + rest.leading(|b| is_space(b) || b == b'>')
    } else {
        at + space
    }
}

/// True if the title at `opener` is neither closed nor opened again within [`MAX_LINES`].
fn is_long(text: &[u8], opener: usize) -> bool {
    let Some(&open) = text.get(opener) else { return false };
    let close = if open == b'(' { b')' } else { open };
    let mut at = opener + 1;
    let mut lines = 0;
    while let Some(found) = memchr3(open, close, b'\n', text.clamped(at..)) {
        let inside = text.part(at..at + found);
        at += found + 1;
        if text.get(at - 1) == Some(&b'\n') {
            lines += 1;
            if lines > MAX_LINES {
                return true;
            }
        // In an even number of backslashes, each escapes the next one, so the quotation mark
        // counts.
        } else if inside.trailing(|b| b == b'\\').is_multiple_of(2) {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<usize> {
        with_long_titles(text.as_bytes()).collect()
    }

    #[test]
    fn of_many_lines() {
        let lines = |n: usize| "x\n".repeat(n);
        let befores = ["[a](b ", "[a](\n  <b c>\n", "[a](\n> b\n> ", "[a](b\\((c(d))\t", "[a]("];
        for (before, open) in
            befores.iter().flat_map(|before| ["\"", "'", "("].map(|q| (before, q)))
        {
            let long = |n: usize, close: &str| links(&format!("{before}{open}{}{close}", lines(n)));
            let expected: Vec<usize> = if *before == "[a](" { vec![] } else { vec![3] };
            assert_eq!(long(66, ""), expected, "{before}");
            assert_eq!(long(66, "\")'"), expected, "{before}");
            assert_eq!(long(60, "\")'"), [0_usize; 0], "{before}");
            assert_eq!(long(60, ""), [0_usize; 0], "{before}");
        }
        let many = lines(99);
        for before in
            ["[a](b \"c\" d)", "[a](b)", "[a](b) \"", "[a] \"", "[a](<b \"", "[a](b \"\\\\\" "]
        {
            assert_eq!(links(&format!("{before}{many}")), [0_usize; 0], "{before}");
        }
        // An escaped quote does not close a title.
        assert_eq!(links(&format!("[a](b \"\\\"{many}")), [3]);
        assert_eq!(links(&format!("[a](b \"{}", "\\\"\n".repeat(99))), [3]);
        // Unusual destinations and white space, as the parser accepts them.
        let deep = format!("[a]({}{} \"{many}", "(".repeat(33), ")".repeat(33));
        assert_eq!(links(&deep), [3]);
        assert_eq!(links(&format!("[a](b\x7f\x0b\"{many}")), [3]);
        // The end of one title may look like the start of another.
        assert_eq!(links(&format!("[a](b \"c \") [d](e \" {many}")), [15]);
    }

    #[test]
    fn work_is_linear() {
        for unit in ["](", "](x", "](<", "](\\(", "](\n> ", "](b \"\\\"", "](b (", "](b \"\n"] {
            assert!(links(&unit.repeat(100_000)).len() < 65, "{unit}");
        }
    }
}
