//! Decides what an input is by its first bytes and its name, for files, standard input,
//! attachments, and members of archives.

use super::format::Sniff;
use super::package::ZIP;
use super::unread::Unread;
use super::{Format, index};
use crate::archive::{ArchiveFormat, HEAD_BYTES};
use crate::finder::Rest;
use crate::slice::SliceExt as _;

/// Bytes that decide on the kind of a package. Word and Excel pad the files at its start, and
/// LibreOffice first writes those that describe the document: the names of the others follow after
/// 1 KiB.
const PACKAGE_HEAD_BYTES: usize = 4096;

/// The way to read an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputType {
    /// A document whose bytes are not text.
    Document(Format),
    /// An archive or a compressed file.
    Archive(ArchiveFormat),
    /// A known format without a reader, or a file whose content does not match its name.
    Unread(Unread),
    /// Anything else: text, a document in a text format, or binary data.
    Plain,
}

/// The way to read documents that are archives of files, as those of Office are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packages {
    /// As one document.
    Documents,
    /// As archives, and other binary documents as bytes.
    Archives,
}

impl InputType {
    /// Decides by the first [`head_bytes`](Self::head_bytes) bytes, or all of them, and the file
    /// name.
    ///
    /// No more bytes count, so that the answer does not depend on how many have arrived.
    pub fn guess(head: &[u8], name: &[u8], packages: Packages) -> Self {
        // Documents come first, because a package of Office is a zip archive, too.
        if let Some(format) = Self::document(head, name, packages) {
            return Self::Document(format);
        }
        let head = head.clamped(..HEAD_BYTES);
        let archive = ArchiveFormat::guess(head, name);
        if let Some(format) = archive.or_else(|| ArchiveFormat::promised(head, name)) {
            return Self::Archive(format);
        }
        let Some(unread) = Unread::detect(head, name) else { return Self::Plain };
        Self::Unread(match Self::document(head, name, Packages::Documents) {
            Some(format) if packages == Packages::Archives => Unread::TurnedOff(format),
            _ => unread,
        })
    }

    /// Returns the format of a document that is not text. Cheaper than [`guess`](Self::guess),
    /// which also asks every reader of archives.
    pub fn document(head: &[u8], name: &[u8], packages: Packages) -> Option<Format> {
        let head = head.clamped(..Self::head_bytes(head));
        let is_begun = |(_, signature): &(Format, &[u8])| head.starts_with(signature);
        // Most files are ruled out here, before their names are looked up.
        if packages == Packages::Archives || !index::binary().iter().any(is_begun) {
            return None;
        }
        let named = Format::from_file_name(name);
        // A text about PDF may start with the magic number of PDF.
        if named.is_some_and(|format| !format.is_binary()) {
            return None;
        }
        let is_start = |format: &Format| format.sniffed(head, Rest::End) == Sniff::Yes;
        let recognized = index::binary().iter().map(|&(format, _)| format).find(is_start);
        // The first bytes of a package may fit several kinds. Then its name decides.
        let named = named.filter(|named| {
            let signature = index::binary().iter().find(|(format, _)| format == named);
            signature.is_some_and(is_begun)
        });
        recognized.or(named)
    }

    /// Returns how many of the first bytes are needed to decide, given those that have arrived.
    pub fn head_bytes(head: &[u8]) -> usize {
        if head.starts_with(ZIP) { PACKAGE_HEAD_BYTES } else { HEAD_BYTES }
    }

    /// True if more bytes after `head` could decide. A reader of a terminal need not wait for
    /// [`head_bytes`](Self::head_bytes): the first line of a text is enough.
    pub fn needs_more(head: &[u8]) -> bool {
        let is_open = || {
            let needs_more = |format: Format| format.sniffed(head, Rest::More) == Sniff::NeedMore;
            index::binary().iter().any(|&(format, _)| needs_more(format))
        };
        head.len() < Self::head_bytes(head) && (ArchiveFormat::needs_more(head) || is_open())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &[u8] = b"PK\x03\x04\x14\0\0\0\x08\0....................word/document.xml";
    const ZIP: &[u8] = b"PK\x03\x04\x14\0\0\0\x08\0.............a.txt";

    fn guess(head: &[u8], name: &str) -> InputType {
        InputType::guess(head, name.as_bytes(), Packages::Documents)
    }

    fn is_document(guessed: InputType, name: &str) -> bool {
        matches!(guessed, InputType::Document(format) if format.name() == name)
    }

    #[test]
    fn packages_are_documents_by_content_or_by_name_and_signature() {
        assert!(is_document(guess(WORD, ""), "docx"));
        assert!(is_document(guess(ZIP, "a.XLSX"), "xlsx"));
        assert_eq!(guess(ZIP, "a.zip"), InputType::Archive(ArchiveFormat::Zip));
        assert_eq!(guess(b"PK is short for", "a.docx"), InputType::Plain);
    }

    #[test]
    fn an_archive_that_holds_a_package_is_an_archive() {
        let head =
            b"PK\x03\x04\x14\0\0\0\x08\0....................a.docxPK\x03\x04word/document.xml";
        assert_eq!(guess(head, "a.zip"), InputType::Archive(ArchiveFormat::Zip));
    }

    #[test]
    fn names_after_filled_up_files_decide() {
        let file = |name: &str| [b"PK\x03\x04".as_slice(), &[0; 26], name.as_bytes()].concat();
        let head = [file("[Content_Types].xml"), vec![7; 1500], file("xl/_rels/workbook")].concat();
        assert!(is_document(guess(&head, ""), "xlsx"));
        assert!(InputType::needs_more(&head[..1000]));
        let head = [file("a.xml"), vec![7; 1500], file("xl/_rels/workbook")].concat();
        assert_eq!(guess(&head, "a.zip"), InputType::Archive(ArchiveFormat::Zip));
        assert!(!InputType::needs_more(&head[..1000]));
    }

    #[test]
    fn packages_are_archives_on_request() {
        let guessed = InputType::guess(WORD, b"a.docx", Packages::Archives);
        assert_eq!(guessed, InputType::Archive(ArchiveFormat::Zip));
    }

    #[test]
    fn the_name_of_a_text_format_wins() {
        assert!(!matches!(guess(b"%PDF-1.7 is the first line", "a.md"), InputType::Document(_)));
    }

    #[test]
    fn unread_formats_are_named() {
        let guessed = guess(b"Rar!\x1a\x07\x01\0", "a.rar");
        assert!(matches!(guessed, InputType::Unread(unread) if unread.message().contains("RAR")));
        assert_eq!(guess(b"text", ""), InputType::Plain);
    }

    #[test]
    fn a_short_start_of_a_package_is_undecided() {
        assert!(InputType::needs_more(b"PK\x03\x04"));
        assert!(!InputType::needs_more(b"Dear all,\n\nthe first line of a text decides."));
    }
}
