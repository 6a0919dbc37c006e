//! Strings of whole lines: `<<WORD` of shells, Ruby, and Perl, `<<<WORD` of PHP.

use super::quoted::StringLiteral;
use crate::document::lines::TextLine;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;

/// Longest word after `<<`.
const MAX_WORD_LENGTH: usize = 64;

/// A mark of a heredoc.
pub(super) enum Heredoc {
    /// With these lines, which start at the next line.
    Lines(StringLiteral),
    /// No line ends it.
    Endless,
    /// Something else, such as a shift.
    None,
}

/// Returns the heredoc whose `<<` is at `at`.
pub(super) fn heredoc(bytes: &[u8], at: usize, arrows: usize) -> Heredoc {
    let mut start = at + arrows;
    // `<<-` of shells and `<<~` of Ruby allow the last line to be indented.
    if matches!(bytes.get(start), Some(b'-' | b'~')) {
        start += 1;
    }
    let blanks = if arrows == 3 { bytes.clamped(start..).leading(|byte| byte == b' ') } else { 0 };
    start += blanks;
    let quote = bytes.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    start += usize::from(quote.is_some());
    let rest = bytes.clamped(start..).clamped(..MAX_WORD_LENGTH);
    let length = rest.leading(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let word = rest.clamped(..length);
    // A shift of numbers has no word; `a <<b` of lower case is one.
    let is_word = match quote {
        Some(quote) => rest.get(length) == Some(&quote),
        None => word.first().is_some_and(|byte| byte.is_ascii_uppercase() || *byte == b'_'),
    };
    if word.is_empty() || !is_word {
        return Heredoc::None;
    }
    let first = TextLine::at(bytes, start).next;
    let mut next = first;
    while next < bytes.len() {
        let line = TextLine::at(bytes, next);
        let text = bytes.part(line.text..line.end);
        let after = text.strip_prefix(word).unwrap_or(b"?");
        // Since PHP 7.3 the expression may continue after the word: `EOT;`, `EOT)`.
        if after.is_empty() || after.iter().all(|byte| matches!(byte, b';' | b',' | b')')) {
            let end = line.text + word.len();
            return Heredoc::Lines(StringLiteral { text: Span::new(first, next), end });
        }
        next = line.next;
    }
    Heredoc::Endless
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_up_to_the_word() {
        let text = |source: &str, arrows| match heredoc(source.as_bytes(), 0, arrows) {
            Heredoc::Lines(literal) => Some(source[literal.text.range()].to_owned()),
            Heredoc::Endless => Some("endless".to_owned()),
            Heredoc::None => None,
        };
        assert_eq!(text("<<EOF\na\nEOF\nb", 2).as_deref(), Some("a\n"));
        assert_eq!(text("<<-'eof' | x\n\ta\n\teof\n", 2).as_deref(), Some("\ta\n"));
        assert_eq!(text("<<<'X'\na\n  X;\n", 3).as_deref(), Some("a\n"));
        assert_eq!(text("<< 3", 2), None);
        assert_eq!(text("<<EOF\na\n", 2).as_deref(), Some("endless"));
    }
}
