//! The recorded answer of a server, in JSON and SARIF.

use crate::audit::{Evidence, Redirect};
use serde::Serialize;

/// Evidence without the names on the page, which may be thousands.
#[derive(Serialize)]
pub struct EvidenceRecord<'a> {
    url: &'a str,
    time: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    redirects: &'a [Redirect],
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    archived: Option<&'a str>,
}

impl<'a> EvidenceRecord<'a> {
    pub fn new(evidence: &'a Evidence) -> Self {
        Self {
            url: &evidence.url,
            time: evidence.time,
            redirects: &evidence.redirects,
            status: evidence.status,
            fault: evidence.fault.map(|fault| fault.name()),
            archived: evidence.archived.as_deref().filter(|copy| !copy.is_empty()),
        }
    }
}
