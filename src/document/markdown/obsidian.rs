//! Rewrites Markdown of Obsidian for a CommonMark parser: it has comments.

use memchr::memmem;

use super::dialects::{for_each_line, is_fence};
use super::unseen::is_for_urigrep;
use crate::slice::SliceExt as _;

const MARK: &[u8] = b"%%";

/// Blanks comments, in a line and over several, `%%a%%` (Obsidian Help, "Basic formatting syntax",
/// "Comments"), except for those for urigrep. In code, the marks have no meaning: comments of
/// Mermaid start in the same way.
pub(super) fn blank_comments(text: &mut [u8]) {
    let marks = marks(text);
    for pair in marks.chunks_exact(2) {
        let &[open, close] = pair else { continue };
        let Some(comment) = text.get_mut(open..close + MARK.len()) else { continue };
        if !is_for_urigrep(comment.clamped(MARK.len()..)) {
            let shown = comment.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r'));
            shown.for_each(|byte| *byte = b' ');
        }
    }
}

/// Returns the offsets of the marks outside of code.
fn marks(text: &mut [u8]) -> Vec<usize> {
    let (mut found, mut at, mut is_in_fence) = (Vec::new(), 0, false);
    for_each_line(text, |line| {
        let is_in_comment = found.len() % 2 == 1;
        if is_fence(line.trim_ascii_start()) && !is_in_comment {
            is_in_fence = !is_in_fence;
        } else if !is_in_fence {
            found.extend(marks_of(line).map(|mark| at + mark));
        }
        at += line.len() + 1;
    });
    found
}

/// Returns the offsets of the marks in a line, outside of code spans (CommonMark §6.1).
fn marks_of(line: &[u8]) -> impl Iterator<Item = usize> {
    let (mut at, mut code) = (0, 0);
    memmem::find_iter(line, MARK).filter(move |&mark| {
        let before = line.clamped(at..mark);
        code += before.iter().filter(|byte| **byte == b'`').count();
        at = mark;
        code % 2 == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        let mut text = b"a %%b%% c\n%%\n[[d]]\n%%\n`%%` e `f`\n```\n%% g\n```\n%%urigrep-disable-line%% %% h\n".to_vec();
        blank_comments(&mut text);
        let shown =
            "a       c\n  \n     \n  \n`%%` e `f`\n```\n%% g\n```\n%%urigrep-disable-line%% %% h\n";
        assert_eq!(String::from_utf8_lossy(&text), shown);
    }
}
