//! Nothing: the exit status says it all.

use super::AuditReport;
use urigrep::audit::AuditedDocument;

/// Reports nothing.
#[derive(Clone, Copy, Debug)]
pub struct QuietReport;

impl AuditReport for QuietReport {
    fn document(&self, _audited: &AuditedDocument, _out: &mut Vec<u8>) {}
}
