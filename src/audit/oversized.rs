//! Documents that are too large for their format.

use std::io::{Error, ErrorKind, Result};

use crate::document::format::FormatKind;
use crate::search::InputText;

/// Returns the text, unless it is that of a document that is too large to be read as one. As text it
/// would have no links, and its audit would be green.
///
/// Of data and programs nothing is lost: their absolute links are found in their text.
pub(in crate::audit) fn refuse_oversized(text: InputText) -> Result<InputText> {
    match text.oversized() {
        Some(format) if matches!(format.kind(), FormatKind::Source | FormatKind::Message) => {
            let (most, title) = (format.limits().largest_audited >> 20, format.title());
            let message = format!("it is larger than {most} MiB, the most that is read as {title}");
            Err(Error::new(ErrorKind::FileTooLarge, message))
        }
        _ => Ok(text),
    }
}
