//! Recognizes formats that are JSON by their first values.

use super::lexer::{JsonLexer, Token};
use crate::document::format::Sniff;
use crate::document::key_path::KeyPath;
use crate::finder::Rest;
use crate::slice::{SliceExt as _, lossy};

/// A piece of the start of JSON.
#[derive(Clone, Copy, Debug)]
pub(in crate::document) enum JsonStart<'t> {
    /// An object or an array begins.
    Open,
    /// A key, whose value follows.
    Key,
    /// A string as written, a number, or a literal.
    Value(&'t [u8]),
}

/// Asks `decide` about each piece and its pointer, until it answers. `open` is the first byte.
///
/// Streams wait for the answer. So a format must say no at the first piece that it does not have.
pub(in crate::document) fn sniff(
    head: &[u8],
    rest: Rest,
    open: u8,
    mut decide: impl FnMut(&str, JsonStart<'_>) -> Option<bool>,
) -> Sniff {
    match head.first() {
        None => return Sniff::need_more(rest),
        Some(&first) if first == open => {}
        Some(_) => return Sniff::No,
    }
    let mut path = KeyPath::default();
    for token in JsonLexer::new(head) {
        let piece = match token {
            Token::OpenObject | Token::OpenArray => {
                if let Some(answer) = decide(path.as_str(), JsonStart::Open) {
                    return Sniff::yes_if(answer);
                }
                match token {
                    Token::OpenObject => path.open_object(),
                    _ => path.open_array(),
                }
                continue;
            }
            Token::Close => {
                path.close();
                continue;
            }
            Token::Comma => {
                path.comma();
                continue;
            }
            Token::String(span) if path.expects_key() => {
                path.key(&lossy(head.part(span.range())));
                JsonStart::Key
            }
            Token::String(span) | Token::Scalar(span) => {
                // A number at the end of the head may go on.
                if span.end() == head.len() {
                    break;
                }
                JsonStart::Value(head.part(span.range()))
            }
            // A string or a word may end in the bytes to come.
            Token::Broken(at) if is_cut(head.clamped(at..)) => break,
            // JSON has no comments (RFC 8259), and programs write these formats.
            Token::Broken(_) | Token::Comment(_) => return Sniff::No,
            Token::Colon => continue,
        };
        if let Some(answer) = decide(path.as_str(), piece) {
            return Sniff::yes_if(answer);
        }
    }
    Sniff::need_more(rest)
}

/// True for the start of a string, or of a word at the end of the bytes.
fn is_cut(rest: &[u8]) -> bool {
    rest.starts_with(b"\"") || rest.iter().all(u8::is_ascii_alphanumeric)
}
