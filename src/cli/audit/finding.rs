//! What is reported: a fault of a document, and where it stands.

use urigrep::audit::{Fault, Severity};

use super::place::{Lines, Place};
use urigrep::search::Input;
use urigrep::search::InputText;

/// A fault that is reported.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong; its span is one of the text.
    pub fault: Fault,
    /// How bad it is here, which the configuration may say.
    pub severity: Severity,
    /// Where it starts.
    pub start: Place,
    /// What follows it.
    pub end: Place,
    /// Its first byte in the file, and the one that follows it.
    pub bytes: [u64; 2],
}

/// A document with the findings that are reported of it, in order.
#[derive(Clone, Copy, Debug)]
pub struct Audited<'a> {
    /// Where it came from.
    pub input: &'a Input,
    /// Its text.
    pub text: &'a InputText,
    /// Its lines.
    pub lines: &'a Lines,
    /// At least one.
    pub findings: &'a [Finding],
}
