//! Documents that are not text: PDF, Office, EPUB.
//!
//! | file | contents |
//! |---|---|
//! | `book.rs` | the files of a book, whose links lead to one another |
//! | `beside.rs` | the files beside a document |

mod beside;
mod book;

use std::io::{self, Read};

use super::attached::{self, Attached};
use super::auditor::{Auditor, caught};
use super::collect::Collected;
use super::facts;
use super::members::Audited;
use crate::audit::answers::ReadDocument;
use crate::audit::{Nowhere, TargetLookup};
use crate::document::{Dialect, Format};
use crate::search::{Input, InputText, Level};
use beside::FilesBeside;
use book::BookFiles;

impl Auditor {
    /// Collects a document that is not text: itself, or the files in it.
    pub(super) fn collect_binary(
        &self,
        input: &Input,
        format: Format,
        reader: &mut dyn Read,
    ) -> Vec<Audited<'_>> {
        match caught(input, || self.read_binary(input, format, reader)) {
            Ok(collected) => {
                collected.into_iter().flat_map(|it| self.advance_all(Ok(Some(it)))).collect()
            }
            Err(problem) => self.advance_all(Err(problem)),
        }
    }

    fn read_binary(
        &self,
        input: &Input,
        format: Format,
        reader: &mut dyn Read,
    ) -> io::Result<Vec<Collected<'_>>> {
        let most = format.limits().largest_audited as u64;
        let mut bytes = Vec::new();
        // One byte more shows that it is too large, even if its size is unknown, as in an
        // archive.
        reader.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            let message = format!("it is larger than {} MiB", most >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        match format.book(&bytes) {
            Some(book) => self.collect_book(input, BookFiles::new(book)),
            None => Ok(vec![self.collect_extracted(input, format, &bytes)?]),
        }
    }

    /// Collects a document whose links do not correspond to bytes of the file.
    fn collect_extracted(
        &self,
        input: &Input,
        format: Format,
        bytes: &[u8],
    ) -> io::Result<Collected<'_>> {
        let extracted = facts::extract(format, bytes, self.settings.search.finder());
        let text = InputText::extracted(extracted.text, extracted.places);
        let document = ReadDocument { facts: extracted.facts, bytes: bytes.len() as u64 };
        let beside = FilesBeside(&self.files);
        let files: &dyn TargetLookup = match input.level() {
            // Members of archives and attachments have no files beside them.
            Level::File if !input.is_stdin() => &beside,
            _ => &Nowhere,
        };
        let path = super::collect::document_path(input);
        let collected = self.check_document(input, &document, Some(text), (&path, files))?;
        let unread =
            |(file, message): (String, _)| Attached::Unread(input.display_path_of(&file), message);
        let attached = if extracted.has_files {
            attached::files_in(input, format, bytes, self.settings.search.limits())
        } else {
            extracted.unread.into_iter().map(unread).collect()
        };
        Ok(Collected { attached, ..collected })
    }

    fn collect_book(&self, input: &Input, files: BookFiles) -> io::Result<Vec<Collected<'_>>> {
        let mut all = Vec::new();
        for file in files.book.files() {
            let stream = file.stream();
            let input = input.extracted(&stream);
            let text = InputText::of_document(stream.bytes.to_vec(), file.format);
            let path = files.path(&stream);
            let document =
                ReadDocument::new(&Dialect::ByExtension, &text, self.settings.search.finder());
            all.push(self.check_document(&input, &document, Some(text), (path, &files))?);
        }
        let unread = files
            .book
            .problems()
            .iter()
            .map(|message| Attached::Unread(input.display_path().to_vec(), message.clone()));
        let unread: Vec<Attached> = unread.collect();
        match all.last_mut() {
            // Problems of the book are reported after its last page, because the book itself has
            // no record.
            Some(last) => last.attached.extend(unread),
            None if unread.is_empty() => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "no page was found in it"));
            }
            None => {
                let message = files.book.problems().join("; ");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(all)
    }
}
