//! Recognizes arrays of a shell, `NAME=(`, whose elements have no commas between them (D3.9).

use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Most bytes that are searched for the start of an array.
const MAX_ARRAY_LENGTH: usize = 256;

/// True if an array is open at the end of `before`. In other languages, an assignment at the start
/// of a line has spaces around its sign.
pub(super) fn is_open(before: &[u8]) -> bool {
    let before = before.tail(MAX_ARRAY_LENGTH);
    work_counter::add(before.len());
    // A line that ends in `)` closes an array before this one.
    for line in before.rsplit(|&b| b == b'\n') {
        if opens(line) {
            return true;
        }
        if line.trim_ascii_end().ends_with(b")") {
            return false;
        }
    }
    false
}

/// True for `NAME=(` and `NAME+=(` at the start of a line, also as a local variable.
fn opens(line: &[u8]) -> bool {
    const WORDS: [&[u8]; 3] = [b"local ", b"declare -a ", b"readonly "];
    let inner = line.trim_ascii_start();
    let text = WORDS.iter().find_map(|word| inner.strip_prefix(*word)).unwrap_or(line);
    let name = text.leading(|b| b.is_ascii_alphanumeric() || b == b'_');
    let sign = text.part(name..);
    name > 0 && (sign.starts_with(b"=(") || sign.starts_with(b"+=("))
}
