//! The encoding in an XML declaration (XML 1.0, section 4.3.3).

use memchr::memmem;

use crate::decode::MimeCharset;
use crate::slice::{ByteRuns as _, SliceExt as _};

/// Longest declaration.
const MAX_BYTES: usize = 256;

/// Returns the charset that the declaration names, if the bytes have to be decoded.
///
/// UTF-16 is decoded before, by its byte order mark or its zeros. So what is UTF-8 now may be declared
/// as something else: it has been decoded, or its declaration is wrong.
pub(super) fn declared(bytes: &[u8]) -> Option<MimeCharset> {
    let declaration = bytes.clamped(..MAX_BYTES).trim_ascii_start();
    if !declaration.starts_with(b"<?xml") || std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    let declaration = declaration.clamped(..memmem::find(declaration, b"?>")?);
    let at = memmem::find(declaration, b"encoding")? + b"encoding".len();
    let value = declaration.clamped(at..).trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let charset = value.clamped(..value.leading(|byte| byte != *quote));
    // A text whose declaration can be read is not in UTF-16.
    if charset.to_ascii_lowercase().starts_with(b"utf-16") {
        return None;
    }
    MimeCharset::for_label(charset).filter(|charset| !charset.is_text(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_encodings_are_decoded() {
        let is_decoded = |text: &[u8]| declared(text).is_some();
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
