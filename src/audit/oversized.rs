//! Documents that are too large for their format.

use std::io::{Error, ErrorKind, Result};

use crate::document::format::FormatKind;
use crate::search::InputText;

/// Returns the text, unless it is a document that is too large for its format. As plain text it
/// would have no relative links, and would pass the audit.
///
/// In data and source code, nothing is lost: their absolute links are still found.
pub(in crate::audit) fn refuse_oversized(text: InputText) -> Result<InputText> {
    match text.oversized() {
        Some(format) if matches!(format.kind(), FormatKind::Source | FormatKind::Message) => {
            let (most, title) = (format.limits().largest_audited >> 20, format.title());
            let message = format!("larger than {most} MiB, the limit for {title}");
            Err(Error::new(ErrorKind::FileTooLarge, message))
        }
        _ => Ok(text),
    }
}
