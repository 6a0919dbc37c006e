//! Tells whether a URI continues after a space: in a string, in a destination of Markdown, in its
//! line (D2.4, D3.8).
//!
//! No URI contains a space, so the span ends before it. Some authors write one nevertheless, and
//! then the URI is [`Flag::MaybeCut`].

use super::text_view::TextView;
use super::value::{self, StringRole};
use super::wrapper::{WrapperContext, WrapperEdge};
use crate::grammar::table::is_uri_byte;
#[cfg(doc)]
use crate::kind::Flag;
use crate::kind::Wrapper;
use crate::scheme::MAX_HEAD_BYTES;
use crate::slice::{ByteRuns, SliceExt};

/// Longest indentation and bullet before a URI that is alone in its line.
const MAX_BULLET_LENGTH: usize = 16;

/// Most words after a space that are taken for the rest of a file name, and not for prose.
const MAX_WORDS: usize = 8;

/// Starts of media types (RFC 6838), which have a slash and are not paths.
const MEDIA_TYPES: [&[u8]; 7] =
    [b"application/", b"audio/", b"font/", b"image/", b"message/", b"text/", b"video/"];

/// Most letters and digits of an extension: `.xhtml`.
const MAX_EXTENSION_LENGTH: usize = 5;

/// True if the URI that ends at `end` seems to continue after a space. Its text after the colon
/// starts at `body`.
pub(super) fn continues(
    view: &TextView<'_>,
    (body, end): (usize, usize),
    context: &WrapperContext<'_>,
) -> bool {
    destination_continues(view, end, context)
        || wrapper_continues(view, end, context)
        || value_continues(view, end, context)
        || quotation_continues(view, (body, end), context)
        || line_continues(context.before, view.text.part(body..end), view.from(end))
}

/// D3.8: true if a space, a word, and then the closer follow in a destination of Markdown:
/// `](https://a.example/my file.pdf)`. CommonMark reads no link there, and most authors mean the
/// whole text. A size is not part of it: `](a.png =100x200)`, `](a.png width=50)`.
fn destination_continues(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    let before = context.before;
    let closer = match context.wrapper {
        Wrapper::Paren if context.edge == WrapperEdge::Exact => b')',
        Wrapper::Angle if before.ends_with(b"](<") || before.ends_with(b"]: <") => b'>',
        _ => return false,
    };
    let [b' ', rest @ ..] = view.from(at).clamped(..MAX_HEAD_BYTES) else { return false };
    let line = rest.leading(|b| b != b'\n');
    let inside = rest.part(..line);
    let mut depth = 0_usize;
    let ends = |&byte: &u8| {
        match byte {
            b'(' if closer == b')' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' | b'>' | b'(' | b'[' | b'=' | b'<' => return true,
            _ => {}
        }
        false
    };
    let Some(close) = inside.iter().position(ends) else { return false };
    inside.get(close) == Some(&closer)
        && !opens_title(inside)
        && inside.first().is_some_and(|b| !matches!(b, b')' | b'>') && !b.is_ascii_whitespace())
        // Another URI in the parentheses is a target of its own.
        && !has_uri(inside.part(..close))
}

/// D3.8: true if one word after a space names a file and ends the wrapper:
/// `<https://a.example/my file.html>`.
fn wrapper_continues(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    let closer = match context.wrapper {
        Wrapper::Paren => b')',
        Wrapper::Angle => b'>',
        _ => return false,
    };
    matches!(view.from(at), [b' ', word @ ..] if is_file_name(word, Some(closer)))
}

/// D3.8: true if the string of a program continues with more of a URI after a space or another
/// character that no URI contains: `"url": "https://a.example/my file.pdf"`.
fn value_continues(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    let Some(mark) = closing_mark(context) else { return false };
    let rest = view.from(at).clamped(..MAX_HEAD_BYTES);
    let inside = rest.part(..rest.leading(|b| b != mark && b != b'\n'));
    // `"https://a.example/\"x\""`: the value continues after the mark that is escaped in it.
    let is_nested = context.before.tail(2).first() == Some(&b'\\');
    // Inside an escaped string the escaped mark closes the URI itself.
    if !is_nested
        && matches!(rest, [b'\\', quote, next, ..] if *quote == mark && next.is_ascii_alphanumeric())
    {
        return true;
    }
    // In a string of a program, both marks are escaped, and what follows is more of that string.
    let is_escaped = is_nested && inside.ends_with(b"\\");
    let close = inside.len();
    let (inside, after) = if is_escaped {
        (inside.part(..close - 1), rest.clamped(close..=close))
    } else {
        (inside, rest.part(close..))
    };
    let [first @ (b' ' | b'|' | b'`' | b'^' | b'>'), more @ ..] = inside else { return false };
    let continues = match first {
        b' ' => {
            is_rest_of_uri(inside)
                || context.before.ends_with(b": \"") && is_last_word(view.text.part(..at), inside)
                || names_uri(context.before)
                    && inside.split(|&b| b == b' ').count() <= MAX_WORDS + 1
        }
        // The last character of a program's string is intended: `"http://a.example/?q=a|"`.
        b'|' | b'^' if more.is_empty() => true,
        _ => more.first().is_some_and(|&b| is_uri_byte(b)),
    };
    continues
        && rest.get(close) == Some(&mark)
        && !has_uri(inside)
        && value::role(context.before, view.text.part(..at), after) == StringRole::Value
}

/// D3.8: true if a quotation mark right before the scheme closes after a space and the rest of a
/// path: `open "https://a.example/My Documents/a.pdf" now`. A sentence in quotation marks has no
/// path that stops in the middle of a name.
fn quotation_continues(
    view: &TextView<'_>,
    (body, at): (usize, usize),
    context: &WrapperContext<'_>,
) -> bool {
    let Some(mark) = closing_mark(context) else { return false };
    let rest = view.from(at).clamped(..MAX_HEAD_BYTES);
    let inside = rest.part(..rest.leading(|b| b != mark && b != b'\n'));
    let [b' ', more @ ..] = inside else { return false };
    let uri = view.text.part(body..at);
    let segment = uri.tail(uri.trailing(|b| b != b'/'));
    let is_name = segment.len() < uri.len()
        && segment.last().is_some_and(u8::is_ascii_alphanumeric)
        && !segment.contains(&b'.');
    let last = more.tail(more.trailing(|b| b != b' '));
    is_name
        && rest.get(inside.len()) == Some(&mark)
        && split_extension(last)
            .is_some_and(|(_, extension)| extension.iter().any(u8::is_ascii_alphabetic))
        && is_rest_of_uri(more)
        && !has_uri(more)
}

/// True if another URI is in `text`, also with escaped slashes, as in JSON.
fn has_uri(text: &[u8]) -> bool {
    text.windows(3).any(|w| matches!(w, b"://" | b":\\/"))
}

/// True if `before` ends in a key whose value is a URI and nothing else: `"license_url": "`.
fn names_uri(before: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"url", b"uri", b"href", b"link"];
    let Some(key) = before.strip_suffix(b"\"") else { return false };
    let Some(key) = key.trim_ascii_end().strip_suffix(b":") else { return false };
    let Some(key) = key.trim_ascii_end().strip_suffix(b"\"") else { return false };
    NAMES.iter().any(|name| key.ends_with_ignore_case(name))
}

/// True if one word in small letters follows a path and ends a value of JSON.
fn is_last_word(uri: &[u8], inside: &[u8]) -> bool {
    let word = inside.trim_ascii();
    word.len() > 2
        && word.iter().all(u8::is_ascii_lowercase)
        && uri.last().is_some_and(u8::is_ascii_alphanumeric)
        // The host itself is followed by words of a description; a path by the rest of a name.
        && uri.rsplit(|&b| b == b'/').nth(1).is_some_and(|before| !before.is_empty())
}

/// D2.4: true if a URI is alone in its line, but for a bullet, and the line continues after a space
/// as a path or the name of a file does: `* https://a.example/My Project/src/x.java`. `uri` starts
/// after `//`.
fn line_continues(before: &[u8], uri: &[u8], after: &[u8]) -> bool {
    if !may_continue_in_line(before, after) {
        return false;
    }
    let near = after.clamped(..MAX_HEAD_BYTES);
    let line = near.part(..near.leading(|b| b != b'\n'));
    let segment = uri.tail(uri.trailing(|b| b != b'/'));
    let is_name = !segment.is_empty() && segment.len() < uri.len() && !segment.contains(&b'.');
    // A line that is longer than what is read may end in anything.
    line.len() < MAX_HEAD_BYTES
        && is_name
        && is_rest_of_uri(line.trim_ascii_end())
        && !has_uri(line)
}

/// True if the text of a line that starts with a URI may continue with more of it after a space.
/// Reads few bytes, because it is called for many URIs.
///
/// Sentences go on with small letters, so that these must be one word, which names a file.
pub(super) fn may_continue_in_line(before: &[u8], after: &[u8]) -> bool {
    let [b' ', word @ ..] = after else { return false };
    let ends_group = || before.ends_with(b"(") && is_file_name(word, Some(b')'));
    match word.first() {
        Some(b'A'..=b'Z' | b'0'..=b'9' | b'(') => starts_line(before) || ends_group(),
        Some(b'a'..=b'z' | b'_') => {
            (starts_line(before) || before.ends_with(b": ")) && is_file_name(word, None)
                || ends_group()
        }
        _ => false,
    }
}

/// True for one word with an extension, and nothing after it in the line, or the closer of a
/// wrapper.
fn is_file_name(rest: &[u8], closer: Option<u8>) -> bool {
    let near = rest.clamped(..MAX_HEAD_BYTES);
    let length = near.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    length < MAX_HEAD_BYTES
        && match closer {
            Some(closer) => rest.get(length) == Some(&closer),
            None => matches!(rest.get(length), None | Some(b'\n' | b'\r')),
        }
        && split_extension(near.part(..length))
            .is_some_and(|(stem, _)| stem.last().is_some_and(u8::is_ascii_alphanumeric))
}

/// Splits the name of a file at the dot before its extension, which is a few letters and digits.
pub(crate) fn split_extension(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = name.trailing(|b| b.is_ascii_alphanumeric());
    let (stem, extension) = name.split_at(name.len() - length);
    (1..=MAX_EXTENSION_LENGTH).contains(&length).then_some((stem.strip_suffix(b".")?, extension))
}

/// True if no letter or digit precedes a URI in its line.
fn starts_line(before: &[u8]) -> bool {
    let near = before.tail(MAX_BULLET_LENGTH);
    let marks = near.trailing(|b| b.is_ascii() && !b.is_ascii_alphanumeric() && b != b'\n');
    near.part(..near.len() - marks).last().map_or(marks == before.len(), |&b| b == b'\n')
}

/// True if the words of `text` look like the rest of a URI with spaces: a parameter, a path, or the
/// name of a file.
fn is_rest_of_uri(text: &[u8]) -> bool {
    let words = || text.split(|&b| b == b' ').filter(|word| !word.is_empty());
    let Some(last) = words().next_back() else { return false };
    // `http://www.w3.org/2002/07/owl# Ontology application/owl+xml`
    if MEDIA_TYPES.iter().any(|kind| last.starts_with(kind)) {
        return false;
    }
    let is_file = split_extension(last).is_some_and(|(stem, extension)| {
        extension.iter().any(u8::is_ascii_alphabetic)
            && stem.last().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b')' | b']'))
    });
    let has_parameter = || {
        words().any(|word| {
            let value = memchr::memchr(b'=', word);
            let name = memchr::memchr(b'&', word);
            name.zip(value).is_some_and(|(name, value)| name + 1 < value)
        })
    };
    // More words are a sentence that ends in the name of a file.
    words().count() <= MAX_WORDS && (is_file || last.contains(&b'/') || has_parameter())
}

/// Returns the mark that closes the string around the URI, if it is one of ASCII.
pub(super) fn closing_mark(context: &WrapperContext<'_>) -> Option<u8> {
    match (context.wrapper, context.closers) {
        (Wrapper::Quote, ['"']) => Some(b'"'),
        (Wrapper::Quote, ['\'']) => Some(b'\''),
        _ => None,
    }
}

/// True if a title of Markdown starts here, also in a string of a program: `\"title\"`. Nothing but
/// the end of the link follows one in parentheses: `my (1).png)` has none.
pub(super) fn opens_title(text: &[u8]) -> bool {
    match text {
        [b'"' | b'\'', ..] | [b'\\', b'"' | b'\'', ..] => true,
        [b'(', inside @ ..] => {
            // Only this line is read: a stream need not have the next one.
            let near = inside.clamped(..MAX_HEAD_BYTES);
            let title = near.leading(|b| !matches!(b, b'(' | b')' | b'\n'));
            match near.part(title..) {
                [b')', after @ ..] => {
                    let space = after.leading(|b| matches!(b, b' ' | b'\t'));
                    matches!(after.get(space), None | Some(b')' | b'\n' | b'\r'))
                }
                [b'(', ..] => false,
                _ => true,
            }
        }
        _ => false,
    }
}
