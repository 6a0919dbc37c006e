//! The SARIF 2.1.0 log: one JSON document, written from start to end as results arrive.
//!
//! Numbers in parentheses are sections of the OASIS standard. The structs are the parts of the
//! format in use, with their fields in order. A log consists of [`open`], results with
//! [`SEPARATOR`] between them, and [`close`]. Columns count code points (§3.14.17); byte offsets
//! count bytes of the file (§3.30.11).

use crate::search::percent_encoded;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::json::append;

/// The separator between two results.
pub const SEPARATOR: &[u8] = b",\n";

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SarifLevel {
    Note,
    Warning,
    Error,
}

/// A kind of result (§3.49).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifRule<'a> {
    pub id: &'a str,
    pub short_description: SarifMessage<'a>,
    pub default_configuration: Configuration,
}

impl<'a> SarifRule<'a> {
    /// Creates a rule described by one sentence.
    pub fn new(id: &'a str, sentence: &'a str, level: SarifLevel) -> Self {
        Self {
            id,
            short_description: SarifMessage { text: sentence },
            default_configuration: Configuration { level },
        }
    }
}

/// The default configuration of a rule (§3.50).
#[derive(Clone, Debug, Serialize)]
pub struct Configuration {
    pub level: SarifLevel,
}

/// A text for people (§3.11).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SarifMessage<'a> {
    /// In a message of a result or notification, `[` and `]` make links; see [`plain`].
    pub text: &'a str,
}

/// A finding (§3.27).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult<'a, P: Serialize> {
    pub rule_id: &'a str,
    pub level: SarifLevel,
    pub message: SarifMessage<'a>,
    pub locations: [SarifLocation<'a>; 1],
    /// Identifies the result across runs (§3.27.17).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_fingerprints: Option<PartialFingerprints>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<SarifFix<'a>>,
    /// All other facts about it (§3.8).
    pub properties: P,
}

/// Fingerprints by their names; `/v1` is the version of the algorithm.
#[derive(Debug, Serialize)]
pub struct PartialFingerprints {
    #[serde(rename = "urigrep/v1")]
    pub finding: String,
}

/// A change that removes the problem (§3.55).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifFix<'a> {
    pub description: SarifMessage<'a>,
    artifact_changes: [ArtifactChange<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange<'a> {
    artifact_location: ArtifactLocation,
    replacements: Vec<SarifReplacement<'a>>,
}

/// New text for a region (§3.57).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifReplacement<'a> {
    deleted_region: DeletedRegion,
    inserted_content: SarifContent<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletedRegion {
    byte_offset: u64,
    byte_length: u64,
}

impl<'a> SarifReplacement<'a> {
    /// Replaces the bytes of the file between two offsets.
    pub fn new([start, end]: [u64; 2], text: &'a str) -> Self {
        Self {
            deleted_region: DeletedRegion { byte_offset: start, byte_length: end - start },
            inserted_content: SarifContent::Text(text),
        }
    }
}

impl<'a> SarifFix<'a> {
    /// Changes the file of this path.
    pub fn new(path: &[u8], description: &'a str, replacements: Vec<SarifReplacement<'a>>) -> Self {
        let artifact_location = ArtifactLocation::in_checkout(path);
        Self {
            description: SarifMessage { text: description },
            artifact_changes: [ArtifactChange { artifact_location, replacements }],
        }
    }
}

/// A place (§3.28).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifLocation<'a> {
    physical_location: PhysicalLocation<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region<'a>>,
}

/// The root of the checkout, as services that show findings call it.
const CHECKOUT: &str = "%SRCROOT%";

/// A file (§3.4).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    /// The base of a relative URI.
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

impl ArtifactLocation {
    fn in_checkout(path: &[u8]) -> Self {
        let uri = artifact_uri(path);
        // An absolute URI must have no base (§3.4.4), and nor does an absolute path.
        let uri_base_id = (!uri.contains(':') && !uri.starts_with('/')).then_some(CHECKOUT);
        Self { uri, uri_base_id }
    }
}

impl<'a> SarifLocation<'a> {
    /// Creates a region of the file of this path, or the whole file.
    pub fn new(path: &[u8], region: Option<Region<'a>>) -> Self {
        Self {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: artifact_uri(path), uri_base_id: None },
                region,
            },
        }
    }

    /// Like [`new`](Self::new), for a path relative to the checkout.
    pub fn in_checkout(path: &[u8], region: Option<Region<'a>>) -> Self {
        let artifact_location = ArtifactLocation::in_checkout(path);
        Self { physical_location: PhysicalLocation { artifact_location, region } }
    }
}

/// A part of a file (§3.30). Its lines, columns and bytes describe the same part.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region<'a> {
    /// The line it starts in, from 1.
    pub start_line: u64,
    /// The column it starts at, from 1, in code points.
    pub start_column: u64,
    pub end_line: u64,
    /// The column after its last, in code points of that line.
    pub end_column: u64,
    pub byte_offset: u64,
    pub byte_length: u64,
    /// The content, if it is to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<SarifContent<'a>>,
}

/// The content of a place (§3.3): text, or bytes that are not text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SarifContent<'a> {
    Text(&'a str),
    Binary(String),
}

impl<'a> SarifContent<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            // `text` must be Unicode (§3.3.2); `binary` is base64 (§3.3.3).
            Err(_) => Self::Binary(STANDARD.encode(bytes)),
        }
    }
}

/// A problem (§3.58).
#[derive(Debug, Serialize)]
pub struct Notification<'a> {
    level: SarifLevel,
    message: SarifMessage<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<SarifLocation<'a>>,
}

impl<'a> Notification<'a> {
    /// Creates an error about the file of this path; an empty path means no file.
    pub fn error(path: &[u8], message: &'a str) -> Self {
        let location = (!path.is_empty()).then(|| SarifLocation::new(path, None));
        Self {
            level: SarifLevel::Error,
            message: SarifMessage { text: message },
            locations: location.into_iter().collect(),
        }
    }
}

/// The end of the run (§3.20).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation<'a> {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification<'a>>,
}

impl<'a> Invocation<'a> {
    /// Describes a run with `errors` errors, of which these are listed.
    pub fn new(errors: u64, notifications: Vec<Notification<'a>>) -> Self {
        Self { execution_successful: errors == 0, tool_execution_notifications: notifications }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifDriver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: &'a [SarifRule<'a>],
}

/// Appends the start of a log whose results have these rules.
pub fn open(rules: &[SarifRule<'_>], out: &mut Vec<u8>) {
    let driver = SarifDriver {
        name: "urigrep",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules,
    };
    out.extend_from_slice(b"{\"$schema\":\"");
    out.extend_from_slice(SCHEMA.as_bytes());
    out.extend_from_slice(b"\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":");
    append(&driver, out);
    out.extend_from_slice(b"},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n");
}

/// Appends the end of a log; `counts` are the properties of the run.
pub fn close(invocation: &Invocation<'_>, counts: &impl Serialize, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\n],\"invocations\":[");
    append(invocation, out);
    out.extend_from_slice(b"],\"properties\":");
    append(counts, out);
    out.extend_from_slice(b"}]}\n");
}

/// Escapes a text so that it is literal in a message: no link (§3.11.6) and no placeholder
/// (§3.11.5).
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

/// Converts a path to a URI reference (§3.4.3): relative to the working directory, or a `file:`
/// URI.
fn artifact_uri(path: &[u8]) -> String {
    // Percent-encoding leaves no `:`, so the first segment of a relative path can't be read as a
    // scheme (RFC 3986 §4.2).
    let start = if path.starts_with(b"/") { "file://" } else { "" };
    format!("{start}{}", percent_encoded(path))
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
        append(&[SarifContent::new(b"a"), SarifContent::new(b"\xff")], &mut out);
        assert_eq!(out, br#"[{"text":"a"},{"binary":"/w=="}]"#);
    }
}
