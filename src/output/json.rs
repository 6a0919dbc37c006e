//! JSON Lines, and the objects that all verbs print in the same form.

mod hit;
mod string;

use std::io;
use std::time::Duration;

use crate::search::{Bytes, Problem};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::escape::is_unsafe;
pub use hit::push_hit;
use string::write_escape;

pub fn push(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    append(object, out);
    // A record that failed leaves nothing, and an empty line is not JSON.
    if out.len() > start {
        out.push(b'\n');
    }
}

/// Writes characters that a terminal would obey or hide as escapes such as `\u202e`. JSON does not
/// require that, but the string stays the same (RFC 8259 §7).
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Nearly all fragments are short and printable ASCII. Without branches, so that the
        // compiler tests many bytes at once.
        let is_plain = |byte: u8| byte.wrapping_sub(b' ') <= b'~' - b' ';
        if fragment.bytes().fold(true, |plain, byte| plain & is_plain(byte)) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut plain = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| !matches!(c, ' '..='~')) {
            if is_unsafe(c) {
                writer.write_all(fragment.as_bytes().get(plain..at).unwrap_or_default())?;
                plain = at + c.len_utf8();
                write_escape(c, writer)?;
            }
        }
        writer.write_all(fragment.as_bytes().get(plain..).unwrap_or_default())
    }
}

pub fn append(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    // Serializing strings and numbers into a vector does not fail.
    if object.serialize(&mut Serializer::with_formatter(&mut *out, Visible)).is_err() {
        out.truncate(start);
    }
}

#[derive(Serialize)]
pub struct ProblemRecord<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Bytes<'a>>,
    message: &'a str,
}

impl<'a> From<&'a Problem> for ProblemRecord<'a> {
    fn from(problem: &'a Problem) -> Self {
        Self {
            r#type: "error",
            // A problem of the whole run is about no file.
            path: Some(Bytes(problem.path())).filter(|path| !path.0.is_empty()),
            message: problem.message(),
        }
    }
}

#[derive(Serialize)]
pub struct SummaryRecord<C: Serialize> {
    r#type: &'static str,
    #[serde(flatten)]
    counts: C,
    seconds: f64,
}

impl<C: Serialize> SummaryRecord<C> {
    pub fn new(counts: C, elapsed: Duration) -> Self {
        Self { r#type: "summary", counts, seconds: elapsed.as_secs_f64() }
    }
}

#[cfg(test)]
mod tests;
