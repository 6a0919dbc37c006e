//! Inputs whose contents no reader supports, with advice for the user.

use super::Format;
use crate::decode::Encoding;

/// The reason why the contents of an input are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// No reader supports the format.
    Format(&'static UnreadFormat),
    /// The name promises a document of this format, but the bytes are something else.
    Misnamed(Format),
}

/// A format that no reader supports.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnreadFormat {
    /// Its first bytes.
    start: &'static [u8],
    what: &'static str,
    /// Advice for the user.
    advice: &'static str,
}

/// The formats by first bytes. PDF is one only in builds without its reader.
static FORMATS: [UnreadFormat; 5] = [
    UnreadFormat {
        start: b"%PDF-",
        what: "PDF",
        advice: "convert it to text first, as with `pdftotext FILE -`",
    },
    UnreadFormat {
        start: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        what: "a document of old Office or Outlook (OLE)",
        advice: "save it as .docx, .xlsx, .pptx, or .eml",
    },
    UnreadFormat { start: b"Rar!\x1a\x07", what: "a RAR archive", advice: "unpack it first" },
    UnreadFormat {
        start: b"!BDN",
        what: "a store of Outlook (PST)",
        advice: "convert it to mbox first, as with `readpst`",
    },
    UnreadFormat {
        start: b"PACK\0\0\0",
        what: "a git pack",
        advice: "search a checkout, or the output of `git log -p`",
    },
];

impl Unread {
    /// Returns the reason for an input that starts with `head`, if there is one.
    pub(super) fn of(head: &[u8], name: &[u8]) -> Option<Self> {
        if let Some(format) = FORMATS.iter().find(|format| head.starts_with(format.start)) {
            return Some(Self::Format(format));
        }
        // Beside an open document, Office keeps a short file with the name of its user.
        if name.starts_with(b"~$") {
            return None;
        }
        let named = Format::from_file_name(name).filter(|format| format.is_binary())?;
        // A text with the name of a document is read as text, and nothing is lost.
        let is_binary = head.iter().any(|&byte| byte < b'\t') && Encoding::detect(head).is_none();
        is_binary.then_some(Self::Misnamed(named))
    }

    /// Returns the message for the user.
    pub fn message(&self) -> String {
        match self {
            Self::Format(format) => format!("{} is not read; {}", format.what, format.advice),
            Self::Misnamed(format) => format!(
                "its name is that of a document ({}), its contents are not; it is damaged or misnamed",
                format.title(),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_start() {
        let message = Unread::of(b"%PDF-1.7\n", b"").map(|unread| unread.message());
        assert!(message.is_some_and(|it| it.starts_with("PDF is not read; ")));
        let is = |format: &'static UnreadFormat| {
            Unread::of(format.start, b"") == Some(Unread::Format(format))
        };
        assert!(FORMATS.iter().all(is));
        assert_eq!(Unread::of(b"PDF", b""), None);
    }

    #[test]
    fn misnamed_documents_are_recognized() {
        let message = |head: &[u8], name: &str| Some(Unread::of(head, name.as_bytes())?.message());
        assert!(message(b"\x01\0\x07", "a.docx").is_some_and(|it| it.contains("(Word)")));
        assert_eq!(message(b"see http://a.example/", "a.docx"), None);
        assert_eq!(message(b"\x01\0\x07", "~$a.docx"), None);
        assert_eq!(message(b"\x01\0\x07", "a.bin"), None);
    }
}
