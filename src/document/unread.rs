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
    /// A reader supports the format, but the search reads documents as text, and this one has none.
    TurnedOff(Format),
}

/// A format that no reader supports.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnreadFormat {
    /// Offset of its mark, which is 0 but for a few old formats.
    at: usize,
    /// The bytes that every file of it has there.
    mark: &'static [u8],
    what: &'static str,
    /// Advice for the user.
    advice: &'static str,
}

impl UnreadFormat {
    const fn new(mark: &'static [u8], what: &'static str, advice: &'static str) -> Self {
        Self { at: 0, mark, what, advice }
    }

    const fn behind(self, at: usize) -> Self {
        Self { at, ..self }
    }

    const fn archive(mark: &'static [u8], what: &'static str) -> Self {
        Self::new(mark, what, "unpack it first")
    }

    fn is(&self, head: &[u8]) -> bool {
        head.get(self.at..).is_some_and(|head| head.starts_with(self.mark))
    }
}

/// Formats whose text is packed or encrypted, so that a search of their bytes would miss it in
/// silence. PDF is one only in builds without its reader.
static FORMATS: [UnreadFormat; 21] = [
    // Only without the feature `pdf`: with it, a reader recognizes the file first.
    UnreadFormat::new(
        b"%PDF-",
        "the text of a PDF",
        "use the feature `pdf` of the library, or convert it to text first, as with `pdftotext FILE -`",
    ),
    UnreadFormat::new(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "a document of old Office or Outlook (OLE)",
        "save it as .docx, .xlsx, .pptx, or .eml",
    ),
    UnreadFormat::archive(b"Rar!\x1a\x07", "a RAR archive"),
    UnreadFormat::archive(b"MSCF\0\0\0\0", "a CAB archive"),
    UnreadFormat::archive(b"xar!\0", "a XAR archive"),
    UnreadFormat::archive(b"MSWIM\0\0\0", "a WIM archive"),
    UnreadFormat::archive(b"**ACE**", "an ACE archive").behind(7),
    UnreadFormat::archive(b"-lh5-", "an LHA archive").behind(2),
    UnreadFormat::archive(b"\x89LZO\0\r\n\x1a\n", "an lzop file"),
    UnreadFormat::archive(b"hsqs", "a SquashFS image"),
    UnreadFormat::new(b"\xed\xab\xee\xdb", "an RPM package", "unpack it first, as with `rpm2cpio`"),
    UnreadFormat::new(b"ITSF\x03\0\0\0", "Compiled HTML Help (CHM)", "unpack it first"),
    UnreadFormat::new(b"AT&TFORM", "DjVu", "convert it to text first, as with `djvutxt`"),
    UnreadFormat::new(b"BOOKMOBI", "a book of Mobipocket or Kindle", "convert it to EPUB")
        .behind(60),
    UnreadFormat::new(
        b"!BDN",
        "a store of Outlook (PST)",
        "convert it to mbox first, as with `readpst`",
    ),
    UnreadFormat::new(
        b"PACK\0\0\0",
        "a git pack",
        "search a checkout, or the output of `git log -p`",
    ),
    UnreadFormat::new(b"PAR1\x15", "a Parquet file", COLUMNS),
    UnreadFormat::new(b"Obj\x01", "an Avro file", COLUMNS),
    UnreadFormat::new(b"\x03\xd9\xa2\x9a", "a database of KeePass", "export what it holds"),
    UnreadFormat::new(b"age-encryption.org/v1\n", "an encrypted file (age)", "decrypt it first"),
    UnreadFormat::new(
        b"-----BEGIN AGE ENCRYPTED FILE-----",
        "an encrypted file (age)",
        "decrypt it first",
    ),
];

/// Advice for files of columns.
const COLUMNS: &str = "load it as a data frame, and search a column in Python";

impl Unread {
    /// Returns the reason for an input that starts with `head`, if there is one.
    pub(super) fn detect(head: &[u8], name: &[u8]) -> Option<Self> {
        if let Some(format) = FORMATS.iter().find(|format| format.is(head)) {
            return Some(Self::Format(format));
        }
        // Beside an open document, Office keeps a short file with the name of its user.
        if name.starts_with(b"~$") {
            return None;
        }
        let named = Format::from_file_name(name).filter(|format| format.is_binary())?;
        // A text with the name of a document is read as text, and nothing is lost.
        // Text has hardly any of these control characters. UTF-16 and UTF-32 have zeros in it.
        let is_binary = head.iter().any(|&byte| byte < b'\t') && Encoding::detect(head).is_none();
        is_binary.then_some(Self::Misnamed(named))
    }

    /// Returns the message for the user.
    pub fn message(&self) -> String {
        match self {
            Self::Format(format) => format!("{} is not read; {}", format.what, format.advice),
            Self::TurnedOff(format) => format!(
                "{} is not read with `--markup never`; leave that out, or convert it to text first",
                format.title(),
            ),
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
        let message = Unread::detect(b"%PDF-1.7\n", b"").map(|unread| unread.message());
        assert!(message.is_some_and(|it| it.starts_with("the text of a PDF is not read; ")));
        let is = |format: &'static UnreadFormat| {
            let head = [&vec![b'x'; format.at], format.mark].concat();
            Unread::detect(&head, b"") == Some(Unread::Format(format))
        };
        assert!(FORMATS.iter().all(is));
        assert_eq!(Unread::detect(b"PDF", b""), None);
    }

    #[test]
    fn misnamed_documents_are_recognized() {
        let message =
            |head: &[u8], name: &str| Some(Unread::detect(head, name.as_bytes())?.message());
        assert!(message(b"\x01\0\x07", "a.docx").is_some_and(|it| it.contains("(Word)")));
        assert_eq!(message(b"see http://a.example/", "a.docx"), None);
        assert_eq!(message(b"\x01\0\x07", "~$a.docx"), None);
        assert_eq!(message(b"\x01\0\x07", "a.bin"), None);
    }
}
