//! Ends URIs in commands of sed and Perl, whose delimiter may be a character of URIs:
//! `s#http://a.example/#http://b.example/#` (D4.7).

use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Bytes around a URI that are searched for the other delimiters of its command.
const MAX_LENGTH: usize = 256;

/// Delimiters that a URI may contain. Every other one ends it anyway.
const DELIMITERS: &[u8] = b"#@!~%+_,";

/// Returns the delimiter that ends the pattern or the replacement at `haystack[at]`, if the text is
/// such a command.
pub(super) fn argument_end(haystack: &[u8], at: usize) -> Option<usize> {
    // The cheap test comes first: few URIs follow a delimiter.
    let before = haystack.part(..at);
    // A pattern that matches a whole URI is anchored: `s#^http://…#`.
    let (&mark, before) = before.strip_suffix(b"^").unwrap_or(before).split_last()?;
    if !DELIMITERS.contains(&mark) {
        return None;
    }
    let rest = haystack.part(at..).clamped(..MAX_LENGTH);
    let rest = rest.part(..rest.leading(|b| b != b'\n'));
    let end = memchr::memchr(mark, rest);
    work_counter::add(end.unwrap_or(rest.len()));
    let end = end?;
    let is_argument = match command(before) {
        Some(PatternCommand::Match) => true,
        // The replacement must end, too.
        Some(PatternCommand::Substitute) => memchr::memchr(mark, rest.part(end + 1..)).is_some(),
        None => follows_pattern(before, mark) && ends(rest.part(end + 1..)),
    };
    is_argument.then_some(at + end)
}

enum PatternCommand {
    /// `m#…#`, `qr#…#`
    Match,
    /// `s#…#…#`
    Substitute,
}

/// Returns the command of one or two letters that ends `before`.
fn command(before: &[u8]) -> Option<PatternCommand> {
    let (command, name) = match before {
        [rest @ .., b's'] => (PatternCommand::Substitute, rest),
        [rest @ .., b'm'] => (PatternCommand::Match, rest),
        [rest @ .., b'q', b'r'] => (PatternCommand::Match, rest),
        _ => return None,
    };
    let starts = name.last().is_none_or(|&b| {
        // sed allows an address before a command (`3s#…`, `/x/s#…`), vi a range (`%s!…`), and Perl
        // an operator (`=~ m!…`).
        b.is_ascii_whitespace() || b.is_ascii_digit() || b"'\"`;{}/$%!(=~".contains(&b)
    });
    starts.then_some(command)
}

/// True if `before` ends in `s`, the delimiter, and a pattern without it.
fn follows_pattern(before: &[u8], mark: u8) -> bool {
    let near = before.tail(MAX_LENGTH);
    let pattern = near.trailing(|b| b != mark && b != b'\n');
    let (before, pattern) = near.split_at(near.len() - pattern);
    !pattern.is_empty()
        && before.last() == Some(&mark)
        && matches!(command(before.part(..before.len() - 1)), Some(PatternCommand::Substitute))
}

/// True if the flags of a command and its end follow the last delimiter.
fn ends(after: &[u8]) -> bool {
    let flags = after.clamped(..8).leading(|b| b"gimsepxrIM0123456789".contains(&b));
    after.get(flags).is_none_or(|b| b.is_ascii_whitespace() || b"'\"`;}),".contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_end_arguments() {
        for (text, expected) in [
            ("sed s#^http://a/#b#g", Some("http://a/")),
            ("s,^http://a/,http://b/,", Some("http://a/")),
            ("sed 's#http://a/#http://b/#g'", Some("http://a/")),
            ("s#x#http://b/#g", Some("http://b/")),
            ("s+http://a/+c+", Some("http://a/")),
            ("qr!http://a/!", Some("http://a/")),
            ("urls#http://a/#b#", None),
            ("see #http://a/#b", None),
            ("s#http://a/#b", None),
            ("s#x#http://b/#top", None),
        ] {
            let at = text.find("http").unwrap();
            let end = argument_end(text.as_bytes(), at);
            assert_eq!(end.map(|end| &text[at..end]), expected, "{text}");
        }
    }
}
