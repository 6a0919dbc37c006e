//! The SARIF 2.1.0 log: one JSON document, written from its start to its end as results come.
//!
//! Numbers in brackets are sections of the OASIS standard. The structs are the parts of the format that are
//! used: their fields in their order. What a log is made of: [`open`], results with [`SEPARATOR`] between, and
//! [`close`]. Columns count code points (§3.14.17); byte offsets count bytes of the file (§3.30.11).

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

/// What stands between two results.
pub const SEPARATOR: &[u8] = b",\n";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// How bad a result is (§3.27.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something worth knowing.
    Note,
    /// A problem.
    Warning,
    /// A serious one.
    Error,
}

/// A kind of result (§3.49).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule<'a> {
    /// By which results refer to it.
    pub id: &'a str,
    /// One sentence.
    pub short_description: Message<'a>,
    /// The level of its results.
    pub default_configuration: Configuration,
}

impl<'a> Rule<'a> {
    /// A rule that says in one sentence what it is about.
    pub fn new(id: &'a str, sentence: &'a str, level: Level) -> Self {
        Self {
            id,
            short_description: Message { text: sentence },
            default_configuration: Configuration { level },
        }
    }
}

/// What a rule is unless somebody says otherwise (§3.50).
#[derive(Clone, Debug, Serialize)]
pub struct Configuration {
    /// The level of its results.
    pub level: Level,
}

/// A text for people (§3.11).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Message<'a> {
    /// In a message of a result or notification, `[` and `]` make links; see [`plain`].
    pub text: &'a str,
}

/// Something that was found (§3.27).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult<'a, P: Serialize> {
    /// The rule that it is a result of.
    pub rule_id: &'a str,
    /// How bad it is.
    pub level: Level,
    /// What it is, for people.
    pub message: Message<'a>,
    /// Where it is: one place.
    pub locations: [Location<'a>; 1],
    /// Whatever else there is to say of it (§3.8).
    pub properties: P,
}

/// A place (§3.28).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location<'a> {
    physical_location: PhysicalLocation<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region<'a>>,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

impl<'a> Location<'a> {
    /// A region of the file of this path, or the whole file.
    pub fn new(path: &[u8], region: Option<Region<'a>>) -> Self {
        Self {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation {
                    uri: artifact_uri(path),
                },
                region,
            },
        }
    }
}

/// A part of a file (§3.30); lines, columns and bytes say the same.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region<'a> {
    /// The line it starts in, from 1.
    pub start_line: u64,
    /// The column it starts at, from 1, in code points.
    pub start_column: u64,
    /// The line it ends in.
    pub end_line: u64,
    /// The column after its last, in code points of that line.
    pub end_column: u64,
    /// Its first byte, from 0.
    pub byte_offset: u64,
    /// How many bytes it has.
    pub byte_length: u64,
    /// What stands there, if it is to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Content<'a>>,
}

/// What stands somewhere (§3.3): text, or bytes that are none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Content<'a> {
    /// UTF-8.
    Text(&'a str),
    /// Base64 of other bytes.
    Binary(String),
}

impl<'a> Content<'a> {
    /// These bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(_) => Self::Binary(STANDARD.encode(bytes)),
        }
    }
}

/// Something that went wrong (§3.58).
#[derive(Debug, Serialize)]
pub struct Notification<'a> {
    level: Level,
    message: Message<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
}

impl<'a> Notification<'a> {
    /// An error about the file of this path; about none when it is empty.
    pub fn error(path: &[u8], message: &'a str) -> Self {
        let location = (!path.is_empty()).then(|| Location::new(path, None));
        Self {
            level: Level::Error,
            message: Message { text: message },
            locations: location.into_iter().collect(),
        }
    }
}

/// How the run ended (§3.20).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation<'a> {
    /// False when anything went wrong.
    pub execution_successful: bool,
    /// What went wrong.
    pub tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: &'a [Rule<'a>],
}

/// Appends the start of a log, whose results are of these rules.
pub fn open(rules: &[Rule<'_>], out: &mut Vec<u8>) {
    let driver = Driver {
        name: "urigrep",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules,
    };
    out.extend_from_slice(b"{\"$schema\":\"");
    out.extend_from_slice(SCHEMA.as_bytes());
    out.extend_from_slice(b"\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":");
    push(&driver, out);
    out.extend_from_slice(b"},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
}

/// Appends a result.
pub fn result<P: Serialize>(result: &SarifResult<'_, P>, out: &mut Vec<u8>) {
    push(result, out);
}

/// Appends the end of a log; `properties` are those of the run.
pub fn close(invocation: &Invocation<'_>, properties: &impl Serialize, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\n],\"invocations\":[");
    push(invocation, out);
    out.extend_from_slice(b"],\"properties\":");
    push(properties, out);
    out.extend_from_slice(b"}]}\n");
}

fn push(value: &impl Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    // Strings and numbers into a vector do not fail.
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
    }
}

/// A text that means itself in a message: no link (§3.11.6), no placeholder (§3.11.5).
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '[' | ']' | '\\' => out.extend(['\\', c]),
            '{' | '}' => out.extend([c, c]),
            _ => out.push(c),
        }
    }
    out
}

/// The path of a file as a URI-reference (§3.4.3): relative to where the command ran, or a `file:` URI.
fn artifact_uri(path: &[u8]) -> String {
    let mut uri = String::new();
    if path.starts_with(b"/") {
        uri.push_str("file://");
    }
    for &byte in path {
        match byte {
            // No `:`, so that a first segment is no scheme (RFC 3986 §4.2).
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            // Writing to a string does not fail.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_paths() {
        assert_eq!(plain("[a](b) {0} \\"), "\\[a\\](b) {{0}} \\\\");
        assert_eq!(artifact_uri(b"/a b/c:d"), "file:///a%20b/c%3Ad");
        assert_eq!(artifact_uri(b"./a:b\xff"), "./a%3Ab%FF");
        assert_eq!(artifact_uri(b"<stdin>"), "%3Cstdin%3E");
    }

    #[test]
    fn bytes() {
        let mut out = Vec::new();
        push(&[Content::new(b"a"), Content::new(b"\xff")], &mut out);
        assert_eq!(out, br#"[{"text":"a"},{"binary":"/w=="}]"#);
    }
}
