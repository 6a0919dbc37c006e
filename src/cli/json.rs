//! JSON Lines, and the objects that every verb prints alike.

use std::time::Duration;

use serde::Serialize;
use urigrep::search::{Bytes, Problem};

/// Appends an object as a line.
pub fn push(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    append(object, out);
    if out.len() > start {
        out.push(b'\n');
    }
}

/// Appends an object.
pub fn append(object: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    // Strings and numbers into a vector do not fail.
    if serde_json::to_writer(&mut *out, object).is_err() {
        out.truncate(start);
    }
}

/// What went wrong with an input.
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
            path: Some(Bytes(problem.path())).filter(|path| !path.0.is_empty()),
            message: problem.message(),
        }
    }
}

/// The counts of the whole run.
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
mod tests {
    use super::*;

    #[test]
    fn strings_and_bytes() {
        let mut out = Vec::new();
        push(&Bytes("é\n".as_bytes()), &mut out);
        push(&Bytes(b"\xff"), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "\"é\\n\"\n{\"bytes\":\"/w==\"}\n");
    }
}
