//! Finds values of columns in SQL statements: `INSERT INTO a (name, password) VALUES ('joe', '…')`.

use alloc::vec::Vec;

use memchr::{memmem, memrchr};

use super::certain;
use crate::redact::end_of;
use crate::slice::SliceExt;
use crate::span::Span;

/// Longest list of columns.
const MAX_COLUMNS_LENGTH: usize = 512;
/// Maximum number of columns; further ones are not read.
const MAX_COLUMNS: usize = 128;

/// Returns the values in columns of secrets, in order. The rows are in the line of the statement.
pub(super) fn values(text: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut end = 0;
    let [upper, lower] = [&b"VALUES"[..], b"values"].map(memmem::Finder::new);
    let mut starts: Vec<usize> = upper.find_iter(text).chain(lower.find_iter(text)).collect();
    starts.sort_unstable();
    for start in starts {
        if start >= end {
            let columns = columns(text.part(..start));
            if !columns.is_empty() {
                end = rows(text, start + upper.needle().len(), &columns, &mut found);
            }
        }
    }
    found
}

/// Returns the indices of the columns of secrets in the list at the end of a text.
fn columns(before: &[u8]) -> Vec<usize> {
    let Some(list) = before.trim_ascii_end().strip_suffix(b")") else { return Vec::new() };
    let from = list.len().saturating_sub(MAX_COLUMNS_LENGTH);
    let Some(open) = memrchr(b'(', list.part(from..)) else { return Vec::new() };
    let names =
        list.part(from + open + 1..).split(|&byte| byte == b',').take(MAX_COLUMNS).enumerate();
    // A name may be quoted: `password`, "password", [password].
    let is_certain = |name: &[u8]| {
        let is_mark = |byte: &u8| byte.is_ascii_whitespace() || b"`\"[]".contains(byte);
        let start = name.iter().position(|byte| !is_mark(byte)).unwrap_or(name.len());
        let end = name.iter().rposition(|byte| !is_mark(byte)).map_or(start, |last| last + 1);
        certain::is_secret_name(name.clamped(start..end))
    };
    names.filter(|(_, name)| is_certain(name)).map(|(index, _)| index).collect()
}

/// Adds the strings in these columns of the rows that start at `start`. Returns the end of the
/// rows.
fn rows(text: &[u8], start: usize, columns: &[usize], found: &mut Vec<Span>) -> usize {
    let is_blank = |byte: u8| byte == b' ' || byte == b',';
    let line = end_of(text, start, |byte| byte == b'\n');
    let text = text.clamped(..line);
    let mut at = start;
    loop {
        at = end_of(text, at, |byte| !is_blank(byte));
        if text.get(at) != Some(&b'(') {
            return at;
        }
        at += 1;
        let (mut index, mut depth) = (0, 0);
        while let Some(&byte) = text.get(at).filter(|byte| depth > 0 || **byte != b')') {
            match byte {
                b'\'' | b'"' => {
                    let end = string_end(text, at + 1, byte);
                    let value = Span::new(at + 1, end);
                    if columns.contains(&index) && !value.is_empty() {
                        found.push(value);
                    }
                    at = end + 1;
                }
                _ => {
                    // `NOW(6), 'x'`
                    depth += usize::from(byte == b'(');
                    depth -= usize::from(byte == b')');
                    index += usize::from(byte == b',' && depth == 0);
                    at += 1;
                }
            }
        }
        at += 1;
    }
}

/// Returns the end of a string, in which a quotation mark is doubled or escaped by a backslash.
fn string_end(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    loop {
        at = end_of(text, at, |byte| byte == quote || byte == b'\\');
        match (text.get(at), text.get(at + 1)) {
            (Some(b'\\'), _) => at += 2,
            (Some(_), Some(&next)) if next == quote => at += 2,
            _ => return at.min(text.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_in_columns() {
        for (text, hidden) in [
            ("INSERT INTO a (name, password) VALUES ('joe', 'x y'), ('ann', 'b''c');", "x y|b''c"),
            ("insert into a (`password`,b) values (\"x\\\"y\", 1)", "x\\\"y"),
            ("INSERT INTO a (at, password) VALUES (NOW(6, 1), 'x')", "x"),
            ("INSERT INTO a (name) VALUES ('joe')", ""),
            ("INSERT INTO a (password) VALUES (?)", ""),
            ("INSERT INTO a (password)\nVALUES ('x", "x"),
            ("f(password) VALUES", ""),
        ] {
            let found = values(text.as_bytes());
            let found: Vec<_> = found.iter().map(|span| &text[span.range()]).collect();
            assert_eq!(found.join("|"), hidden, "{text}");
        }
    }

    #[test]
    fn many_statements_take_linear_time() {
        let text = "(password) VALUES (".repeat(1 << 12);
        assert!(values(text.as_bytes()).is_empty());
    }
}
