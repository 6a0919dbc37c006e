//! Ends URIs in arguments of Texinfo, which commas separate: `@uref{mailto:jo@a.example,text}`
//! (D3.7).

use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Maximum length of a command with its brace and the white space after it.
const MAX_OPENER_BYTES: usize = 64;

/// Most bytes of an argument that are read.
const MAX_LENGTH: usize = 2048;

/// Commands whose first argument is a URI. A comma in it is written `@comma{}`.
const COMMANDS: [&[u8]; 4] = [b"@uref{", b"@url{", b"@email{", b"@image{"];

/// Returns the comma that ends the argument at `haystack[at]`, if one does.
pub(super) fn argument_end(haystack: &[u8], at: usize) -> Option<usize> {
    // The cheap test comes first: only these can precede an argument.
    if !matches!(haystack.part(..at).last(), Some(b'{' | b' ' | b'\t' | b'\n' | b'\r')) {
        return None;
    }
    let before = haystack.part(..at).tail(MAX_OPENER_BYTES).trim_ascii_end();
    if before.last() != Some(&b'{') || !COMMANDS.iter().any(|command| before.ends_with(command)) {
        return None;
    }
    let inside = haystack.part(at..).clamped(..MAX_LENGTH);
    let end = inside.iter().position(|b| matches!(b, b',' | b'}' | b'\n'))?;
    work_counter::add(end);
    (inside.get(end) == Some(&b',')).then_some(at + end)
}
