//! Reads lists and mappings in brackets: `[a, b]` and `{c: d}` (YAML 1.2 §7.4).

use std::ops::ControlFlow;

use super::reader::{MAX_KEY_BYTES, OpenLevel, YamlReader};
use crate::document::Role;
use crate::document::lines::TextLine;
use crate::slice::{ByteRuns as _, SliceExt as _, lossy};
use crate::work_counter;

/// A bracket that is not closed yet.
struct OpenBracket {
    /// Number of levels of the reader outside of it.
    levels: usize,
    /// True for a list.
    is_list: bool,
    /// True once the current entry has a key.
    has_key: bool,
    /// Start of the current entry.
    entry: usize,
}

/// True for a value in brackets. Templates such as `{{ x }}` are filled in before the file is YAML.
pub(super) fn is_flow(value: &[u8]) -> bool {
    matches!(value, [b'[', ..] | [b'{', ..]) && !matches!(value, [b'{', b'{' | b'%' | b'#', ..])
}

impl YamlReader<'_, '_> {
    /// Reads the brackets that start at `start`, which may go on over lines; returns their end.
    /// A line that is indented no deeper than `limit` ends them even if a bracket is missing, so that
    /// one mistake does not hide the keys of the rest.
    pub(super) fn flow(&mut self, start: usize, limit: Option<usize>) -> ControlFlow<(), usize> {
        let outside = self.levels.len();
        let mut open: Vec<OpenBracket> = Vec::new();
        // Quotation marks start a string only where a value starts: `[it's]`.
        let mut starts_value = true;
        let mut at = start;
        while let Some(&byte) = self.bytes.get(at) {
            let next = self.bytes.get(at + 1).copied();
            match byte {
                b'\n' if self.ends_flow(at + 1, limit) => break,
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'"' | b'\'' if starts_value => {
                    at = self.string_end(at, limit);
                    starts_value = false;
                    continue;
                }
                b'#' if self.bytes.get(at.wrapping_sub(1)).is_some_and(u8::is_ascii_whitespace) => {
                    let comment = TextLine::at(self.bytes, at);
                    self.flush(at)?;
                    self.writer.emit_to(comment.end, Role::Comment)?;
                    at = comment.end;
                    continue;
                }
                b'[' | b'{' if starts_value => {
                    self.open(at, byte == b'[', &mut open)?;
                }
                b']' | b'}' => {
                    self.flush(at)?;
                    self.writer.markup(at + 1)?;
                    let Some(bracket) = open.pop() else { break };
                    self.levels.truncate(bracket.levels);
                    self.place();
                    starts_value = false;
                    if open.is_empty() {
                        at += 1;
                        break;
                    }
                }
                b',' => {
                    self.next_entry(at, open.last_mut())?;
                    starts_value = true;
                }
                b':' if self.is_key_end(at, next) => {
                    starts_value = self.key_of_entry(at, open.last_mut())?;
                }
                _ => starts_value = false,
            }
            at += 1;
        }
        let at = at.min(self.bytes.len());
        work_counter::add(at - start);
        if !open.is_empty() {
            self.flush(at)?;
            self.levels.truncate(outside);
            self.place();
        }
        ControlFlow::Continue(at)
    }

    /// Returns the end of the string in quotation marks at `start`, which may go on over lines that are
    /// indented deeper than `limit`.
    pub(super) fn string_end(&self, start: usize, limit: Option<usize>) -> usize {
        let quote = self.bytes.get(start).copied();
        let mut at = start + 1;
        while let Some(&byte) = self.bytes.get(at) {
            let next = self.bytes.get(at + 1).copied();
            match byte {
                b'\n' if self.ends_flow(at + 1, limit) => return at,
                // The next character is escaped (YAML 1.2 §7.3.1, §7.3.2).
                b'\\' if quote == Some(b'"') && next.is_some_and(|it| it != b'\n') => at += 1,
                b'\'' if quote == Some(b'\'') && next == Some(b'\'') => at += 1,
                _ if quote == Some(byte) => return at + 1,
                _ => {}
            }
            at += 1;
        }
        at.min(self.bytes.len())
    }

    /// True if the line at `start` belongs to what surrounds a value.
    fn ends_flow(&self, start: usize, limit: Option<usize>) -> bool {
        let rest = self.bytes.clamped(start..);
        let indent = rest.leading(|byte| matches!(byte, b' ' | b'\t'));
        let first = rest.get(indent);
        // Programs accept the last bracket below the start of its key.
        let goes_on = matches!(first, None | Some(b'\r' | b'\n' | b']' | b'}'));
        !goes_on && limit.is_some_and(|limit| indent <= limit)
    }

    fn open(&mut self, at: usize, is_list: bool, open: &mut Vec<OpenBracket>) -> ControlFlow<()> {
        self.flush(at)?;
        self.writer.markup(at + 1)?;
        let levels = self.levels.len();
        open.push(OpenBracket { levels, is_list, has_key: false, entry: at + 1 });
        if is_list {
            self.enter(OpenLevel::item(usize::MAX));
            self.place();
        }
        ControlFlow::Continue(())
    }

    /// Ends an entry at its comma.
    fn next_entry(&mut self, at: usize, bracket: Option<&mut OpenBracket>) -> ControlFlow<()> {
        self.flush(at)?;
        self.writer.markup(at + 1)?;
        if let Some(bracket) = bracket {
            self.levels.truncate(bracket.levels + usize::from(bracket.is_list));
            if let Some(item) = self.levels.get_mut(bracket.levels).filter(|_| bracket.is_list) {
                item.count();
            }
            (bracket.has_key, bracket.entry) = (false, at + 1);
            self.place();
        }
        ControlFlow::Continue(())
    }

    /// True for the colon at `at` if it ends a key: before white space, before another indicator, and
    /// behind a quotation mark (YAML 1.2 §7.4.2). That of `https://a.example` does not.
    fn is_key_end(&self, at: usize, next: Option<u8>) -> bool {
        let is_indicator = |byte: u8| matches!(byte, b',' | b'[' | b']' | b'{' | b'}');
        let before = self.bytes.get(at.wrapping_sub(1));
        next.is_none_or(|byte| byte.is_ascii_whitespace() || is_indicator(byte))
            || matches!(before, Some(b'"' | b'\''))
    }

    /// Takes what is before the colon at `at` as the key of its entry, and returns true if it is one.
    fn key_of_entry(
        &mut self,
        at: usize,
        bracket: Option<&mut OpenBracket>,
    ) -> ControlFlow<(), bool> {
        let Some(bracket) = bracket.filter(|it| !it.has_key && at - it.entry <= MAX_KEY_BYTES)
        else {
            return ControlFlow::Continue(false);
        };
        let key = lossy(self.bytes.part(bracket.entry..at));
        let key = key.trim().trim_matches(['"', '\'']).to_owned();
        self.flush(bracket.entry)?;
        self.enter(OpenLevel::key(usize::MAX, key));
        self.place();
        // A key may be a URI.
        self.writer.markup(at + 1)?;
        bracket.has_key = true;
        ControlFlow::Continue(true)
    }
}
