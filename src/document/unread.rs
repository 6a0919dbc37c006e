//! Formats that are recognized but not supported, with advice for the user.

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

impl UnreadFormat {
    /// Returns the message for the user.
    pub fn message(&self) -> String {
        format!("{} is not read; {}", self.what, self.advice)
    }
}

/// Returns the format of an input that starts with `head`, if no reader supports it.
pub(super) fn format_of(head: &[u8]) -> Option<&'static UnreadFormat> {
    FORMATS.iter().find(|format| head.starts_with(format.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_start() {
        let message = format_of(b"%PDF-1.7\n").map(UnreadFormat::message);
        assert!(message.is_some_and(|it| it.starts_with("PDF is not read; ")));
        assert!(FORMATS.iter().all(|format| format_of(format.start) == Some(format)));
        assert_eq!(format_of(b"PDF"), None);
    }
}
