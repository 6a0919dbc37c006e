//! CSL-JSON as a row of the format table.

use std::ops::ControlFlow;

use super::entry::CslEntries;
use crate::document::format::{DocumentFormat, FormatKind, FormatLimits, Sniff};
use crate::document::json::JsonReader;
use crate::document::json::detect::{self, JsonStart};
use crate::document::{EventSink, Source};
use crate::finder::Rest;

/// Types of entries (CSL 1.0.2, appendix III).
const TYPES: [&[u8]; 45] = [
    b"article",
    b"article-journal",
    b"article-magazine",
    b"article-newspaper",
    b"bill",
    b"book",
    b"broadcast",
    b"chapter",
    b"classic",
    b"collection",
    b"dataset",
    b"document",
    b"entry",
    b"entry-dictionary",
    b"entry-encyclopedia",
    b"event",
    b"figure",
    b"graphic",
    b"hearing",
    b"interview",
    b"legal_case",
    b"legislation",
    b"manuscript",
    b"map",
    b"motion_picture",
    b"musical_score",
    b"pamphlet",
    b"paper-conference",
    b"patent",
    b"performance",
    b"periodical",
    b"personal_communication",
    b"post",
    b"post-weblog",
    b"regulation",
    b"report",
    b"review",
    b"review-book",
    b"software",
    b"song",
    b"speech",
    b"standard",
    b"thesis",
    b"treaty",
    b"webpage",
];

/// Variables that other data hardly has.
const SIGNS: [&str; 12] = [
    "author/0/family",
    "editor/0/family",
    "issued/date-parts",
    "issued/raw",
    "container-title",
    "title-short",
    "citation-key",
    "publisher-place",
    "DOI",
    "ISBN",
    "ISSN",
    "URL",
];

/// CSL-JSON.
pub(in crate::document) struct Csl;

impl DocumentFormat for Csl {
    fn name(&self) -> &'static str {
        "csl"
    }

    fn title(&self) -> &'static str {
        "CSL-JSON (bibliographies of Zotero, pandoc, and others)"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["csljson"]
    }

    fn media_types(&self) -> &'static [&'static str] {
        &["application/vnd.citationstyles.csl+json"]
    }

    fn refines(&self) -> Option<&'static str> {
        Some("json")
    }

    fn first_bytes(&self) -> &'static [u8] {
        b"["
    }

    /// Recognizes an array by its first object: a type of CSL, an id, and a variable of CSL.
    fn sniff(&self, head: &[u8], rest: Rest) -> Sniff {
        let (mut has_id, mut has_type, mut has_sign) = (false, false, false);
        detect::sniff(head, rest, b'[', |pointer, piece| {
            let name = match pointer.strip_prefix("/0") {
                None if pointer.is_empty() => return None,
                None => return Some(false),
                Some(name) => name.trim_start_matches('/'),
            };
            match (name, piece) {
                ("id", JsonStart::Value(_)) => has_id = true,
                ("type", JsonStart::Value(value)) if TYPES.contains(&value) => has_type = true,
                ("type", JsonStart::Value(_)) => return Some(false),
                _ => has_sign |= SIGNS.contains(&name),
            }
            // An id and a type are not enough: `event`, `post`, and `report` are also types in
            // other data.
            (has_id && has_type && has_sign).then_some(true)
        })
    }

    fn limits(&self) -> FormatLimits {
        FormatLimits { memory_factor: 8, ..FormatLimits::DATA }
    }

    fn kind(&self) -> FormatKind {
        FormatKind::Data
    }

    fn read(&self, source: Source<'_>, sink: &mut dyn EventSink) -> ControlFlow<()> {
        JsonReader::with_records(source, CslEntries, sink).read()
    }
}
