//! Reads lists and mappings in brackets, and strings in quotation marks, which may go on over
//! lines: `[a, b]` and `{c: "d"}` (YAML 1.2 §7.3, §7.4).

use std::ops::ControlFlow;

use super::reader::{MAX_KEY_BYTES, YamlReader, plain_key};
use crate::document::brackets::Brackets;
use crate::document::lines::TextLine;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::work_counter;

/// True for a value in brackets. Templates such as `{{ x }}` are filled in before the file is YAML.
pub(super) fn is_flow(value: &[u8]) -> bool {
    matches!(value, [b'[', ..] | [b'{', ..]) && !matches!(value, [b'{', b'{' | b'%' | b'#', ..])
}

impl YamlReader<'_, '_> {
    /// Reads the brackets that start at `start`, which may go on over lines; returns their end. A
    /// line that is indented no deeper than `limit` ends them even if a bracket is missing, so that
    /// one mistake does not hide the keys of the rest.
    pub(super) fn flow(&mut self, start: usize, limit: Option<usize>) -> ControlFlow<(), usize> {
        let bytes = self.bytes;
        let path = self.path();
        let mut brackets = Brackets::new(&mut self.writer, path);
        // Quotation marks start a string only where a value starts: `[it's]`.
        let mut starts_value = true;
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied();
            match byte {
                b'\n' if ends_value(bytes, at + 1, limit) => break,
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'"' | b'\'' if starts_value => {
                    at = string_end(bytes, at, limit);
                    starts_value = false;
                    continue;
                }
                b'#' if bytes.get(at.wrapping_sub(1)).is_some_and(u8::is_ascii_whitespace) => {
                    let comment = TextLine::at(bytes, at);
                    brackets.comment(at, comment.end)?;
                    at = comment.end;
                    continue;
                }
                b'[' | b'{' if starts_value => brackets.open(at)?,
                b']' | b'}' => {
                    brackets.close(at)?;
                    starts_value = false;
                    if brackets.are_closed() {
                        at += 1;
                        break;
                    }
                }
                b',' => {
                    brackets.comma(at)?;
                    starts_value = true;
                }
                b':' if is_key_end(bytes, at, next) => match brackets.key(at) {
                    Some(key) if key.len() <= MAX_KEY_BYTES => {
                        brackets.name(at, &plain_key(key))?;
                        starts_value = true;
                    }
                    _ => starts_value = false,
                },
                _ => starts_value = false,
            }
            at += 1;
        }
        work_counter::add(at - start);
        brackets.finish(at)?;
        self.place();
        ControlFlow::Continue(at)
    }
}

/// Returns the end of the string in quotation marks at `start`. Without its second mark it ends
/// before a line that is indented no deeper than `limit`.
pub(super) fn string_end(bytes: &[u8], start: usize, limit: Option<usize>) -> usize {
    let quote = bytes.get(start).copied();
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match byte {
            b'\n' if ends_value(bytes, at + 1, limit) => break,
            // The next character is escaped (YAML 1.2 §7.3.1, §7.3.2).
            b'\\' if quote == Some(b'"') && next.is_some_and(|it| it != b'\n') => at += 1,
            b'\'' if quote == Some(b'\'') && next == Some(b'\'') => at += 1,
            _ if quote == Some(byte) => {
                at += 1;
                break;
            }
            _ => {}
        }
        at += 1;
    }
    let end = at.min(bytes.len());
    work_counter::add(end - start);
    end
}

/// True if the line at `start` does not go on with a value.
fn ends_value(bytes: &[u8], start: usize, limit: Option<usize>) -> bool {
    let rest = bytes.clamped(start..);
    let indent = rest.leading(|byte| matches!(byte, b' ' | b'\t'));
    let first = rest.get(indent);
    // Programs accept the last bracket below the start of its key.
    let goes_on = matches!(first, None | Some(b'\r' | b'\n' | b']' | b'}'));
    !goes_on && limit.is_some_and(|limit| indent <= limit)
}

/// True for the colon at `at` if it ends a key: before white space, before another indicator, and
/// after a quotation mark (YAML 1.2 §7.4.2). That of `https://a.example` does not.
fn is_key_end(bytes: &[u8], at: usize, next: Option<u8>) -> bool {
    let is_indicator = |byte: u8| matches!(byte, b',' | b'[' | b']' | b'{' | b'}');
    let before = bytes.get(at.wrapping_sub(1));
    next.is_none_or(|byte| byte.is_ascii_whitespace() || is_indicator(byte))
        || matches!(before, Some(b'"' | b'\''))
}
