//! Formats that are recognized but not supported, with advice for the user.

/// A format that no reader supports.
#[derive(Debug)]
pub(crate) struct UnreadFormat {
    /// Its first bytes.
    start: &'static [u8],
    what: &'static str,
    /// Advice for the user.
    advice: &'static str,
}

/// The formats by first bytes. Current Office documents are zip archives of XML, which are read as
/// such.
const FORMATS: [UnreadFormat; 6] = [
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
    UnreadFormat {
        start: b"SQLite format 3\0",
        what: "a database of SQLite",
        advice: "search the output of `sqlite3 FILE .dump`",
    },
];

/// Returns the message about an input that starts with `head`, if its format is not supported.
pub(crate) fn message(head: &[u8]) -> Option<String> {
    let found = FORMATS.iter().find(|format| head.starts_with(format.start))?;
    Some(format!("{} is not read; {}", found.what, found.advice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_start() {
        assert!(message(b"%PDF-1.7\n").is_some_and(|it| it.starts_with("PDF is not read; ")));
        assert!(FORMATS.iter().all(|format| message(format.start).is_some()));
        assert_eq!(message(b"PDF"), None);
    }
}
