//! Documents in the charset that they declare themselves.

use std::ops::ControlFlow;

use memchr::memmem;

use super::{EventSink, Source};
use crate::decode::MimeCharset;
use crate::offset_map::OffsetMap;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Longest XML declaration.
const MAX_BYTES: usize = 256;

/// Reads `source` with `read`, in `charset` if it has to be decoded.
pub(super) fn read(
    source: Source<'_>,
    charset: Option<MimeCharset>,
    sink: &mut dyn EventSink,
    read: impl FnOnce(Source<'_>, &mut dyn EventSink) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(charset) = charset else { return read(source, sink) };
    let (mut text, mut map) = (Vec::new(), OffsetMap::new());
    // Bytes that are invalid in the charset are replaced: no URI contains them.
    let _ = charset.decode(source.bytes, &mut text, &mut map);
    let layers = source.layers(&map);
    read(Source::inside(&text, &layers), sink)
}

/// Returns the charset of a label in `bytes`, if they have to be decoded.
///
/// UTF-16 was decoded earlier, by its byte order mark or its zeros. So a text that is UTF-8 now may
/// declare something else: it has been decoded, or its declaration is wrong.
pub(super) fn for_label(label: &[u8], bytes: &[u8]) -> Option<MimeCharset> {
    let label = label.trim_ascii();
    // A text whose declaration can be read is not in UTF-16.
    if label.clamped(..6).eq_ignore_ascii_case(b"utf-16") {
        return None;
    }
    let charset = MimeCharset::for_label(label).filter(|charset| !charset.is_text(bytes))?;
    // Nor is one in EBCDIC.
    if charset.is_ebcdic() {
        return None;
    }
    std::str::from_utf8(bytes).is_err().then_some(charset)
}

/// Returns the charset that an XML declaration names (XML 1.0, section 4.3.3), if the bytes have to
/// be decoded.
pub(super) fn of_xml(bytes: &[u8]) -> Option<MimeCharset> {
    let declaration = bytes.clamped(..MAX_BYTES).trim_ascii_start();
    if !declaration.starts_with(b"<?xml") {
        return None;
    }
    let declaration = declaration.clamped(..memmem::find(declaration, b"?>")?);
    let at = memmem::find(declaration, b"encoding")? + b"encoding".len();
    let value = declaration.clamped(at..).trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    for_label(value.clamped(..value.leading(|byte| byte != *quote)), bytes)
}

/// Bytes of a PO file that hold its header, after the comments of translators.
const PO_HEADER: usize = 16 << 10;

/// Returns the charset that the header of a PO file names (gettext, "Filling in the Header Entry"),
/// if the bytes have to be decoded.
pub(super) fn of_po(bytes: &[u8]) -> Option<MimeCharset> {
    const NAME: &[u8] = b"charset=";
    let head = bytes.clamped(..PO_HEADER);
    let field = head.clamped(memmem::find(head, b"\"Content-Type:")?..);
    let field = field.clamped(..memchr::memchr(b'\n', field).unwrap_or(field.len()));
    let label = field.clamped(memmem::find(field, NAME)? + NAME.len()..);
    let length = label.leading(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte));
    for_label(label.clamped(..length), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_translations_names_their_charset() {
        let header = |charset: &str, text: &[u8]| {
            let header = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=";
            of_po(&[header.as_bytes(), charset.as_bytes(), b"\\n\"\n", text].concat()).is_some()
        };
        assert!(header("ISO-8859-1", b"\xe4"));
        assert!(!header("UTF-8", b"\xe4") && !header("CHARSET", b"\xe4"));
        assert!(!header("ISO-8859-1", "ä".as_bytes()));
    }

    #[test]
    fn only_other_encodings_are_decoded() {
        let is_decoded = |text: &[u8]| of_xml(text).is_some();
        assert!(is_decoded(b"<?xml version='1.0' encoding = 'ISO-8859-1'?><a>\xe4</a>"));
        assert!(is_decoded(b"<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>\xe4</a>"));
        for text in [
            &b"<?xml version='1.0' encoding='UTF-8'?><a>\xe4</a>"[..],
            b"<?xml version='1.0' encoding='UTF-16'?><a>\xe4</a>",
            b"<?xml version='1.0' encoding='nonsense'?><a>\xe4</a>",
            b"<?xml version='1.0'?><a>\xe4</a>",
            b"<?xml encoding='ISO-8859-1' <a>\xe4</a>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a>ä</a>".as_bytes(),
            b"<a encoding='ISO-8859-1'>\xe4</a>",
        ] {
            assert!(!is_decoded(text), "{}", String::from_utf8_lossy(text));
        }
    }
}
