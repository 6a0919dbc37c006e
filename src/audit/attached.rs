//! Files attached to messages, or embedded in other documents: each is audited as a document of
//! its own.

use std::ops::ControlFlow;

use memchr::memmem;

use super::auditor::Auditor;
use super::members::{Audited, failed};
use crate::document::mail::{MimeLimit, Scratch};
use crate::document::mbox;
use crate::document::nested::{self, Inside};
use crate::document::{Event, EventSink, FileParts, Format, Part, Source, Wants};
use crate::search::{Input, InputText, Limits};

/// Maximum total size of the audited files of a message. They are in memory together with it.
const MAX_BYTES: usize = 64 << 20;

/// Maximum nesting of an audited file: the archives and documents that contain it.
const MAX_NESTING: usize = 8;

/// An attached file, or the reason why it was not read.
pub(super) enum Attached {
    File(Input, Vec<u8>),
    Unread(Vec<u8>, String),
}

/// Returns the documents that are attached to a message or to the messages of a mailbox, directly
/// or in archives. Empty for other documents.
pub(super) fn files(input: &Input, text: &InputText, limits: &Limits) -> Vec<Attached> {
    let Some(format) = text.format().filter(|format| format.is_message()) else {
        return Vec::new();
    };
    let bytes = text.bytes();
    if !mbox::is_mbox(bytes) {
        return files_in(input, format, bytes, limits);
    }
    let mut gather = Gather::new(input, limits);
    // The sink never stops the reader.
    let _ = mbox::read_all(bytes, &mut Scratch::default(), &mut gather);
    gather.files
}

/// Returns the files that a document holds, and its parts that were not read.
pub(super) fn files_in(
    input: &Input,
    format: Format,
    bytes: &[u8],
    limits: &Limits,
) -> Vec<Attached> {
    let mut gather = Gather::new(input, limits);
    // The sink never stops the reader.
    let _ = format.read(Source::new(bytes), &mut gather);
    gather.files
}

struct Gather<'i> {
    input: &'i Input,
    limits: &'i Limits,
    files: Vec<Attached>,
    /// Name of the last stream. Its parts follow each other.
    last: Option<String>,
    size: usize,
    /// The limits of messages that were reported.
    reported_limits: Vec<MimeLimit>,
}

impl<'i> Gather<'i> {
    fn new(input: &'i Input, limits: &'i Limits) -> Self {
        Self { input, limits, files: Vec::new(), last: None, size: 0, reported_limits: Vec::new() }
    }

    fn part(&mut self, part: &Part<'_>) {
        let Some((stream, file)) = part.stream.and_then(|it| Some((it, it.file?))) else { return };
        if self.last.as_deref() == Some(stream.name) {
            return;
        }
        self.last = Some(stream.name.to_owned());
        self.size += stream.bytes.len();
        let limit = if self.size > MAX_BYTES {
            format!("the attachments unpack to more than {} MiB", MAX_BYTES >> 20)
        } else if memmem::find_iter(self.input.display_path(), b"!/").count() >= MAX_NESTING {
            // A file may hold itself.
            format!("files are nested more than {MAX_NESTING} deep")
        } else {
            self.files.push(Attached::File(self.input.extracted(stream), stream.bytes.to_vec()));
            return;
        };
        let message = format!("not audited: {limit}; save and unpack them");
        self.files.push(Attached::Unread(self.input.display_path_of(file), message));
    }
}

impl EventSink for Gather<'_> {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Part(part) => self.part(part),
            // Attachments of two messages may have the same name.
            Event::Entity(_) => self.last = None,
            Event::Unread { file, message } => {
                self.files.push(Attached::Unread(
                    self.input.display_path_of(file),
                    (*message).to_owned(),
                ));
            }
            Event::Limit(limit) if !self.reported_limits.contains(limit) => {
                self.reported_limits.push(*limit);
                self.files
                    .push(Attached::Unread(self.input.display_path().to_vec(), limit.to_string()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::new().files(FileParts::Whole).mime(self.limits.mime).archives(self.limits.archive)
    }
}

impl Auditor {
    /// Audits the files of a message or another document.
    pub(super) fn audit_attached(&self, attached: Vec<Attached>) -> Vec<Audited<'_>> {
        let audit = |attached| match attached {
            Attached::File(input, bytes) => match nested::take_document() {
                Ok(()) => self.collect_file(&input, bytes),
                Err(message) => vec![failed(input.display_path(), message)],
            },
            Attached::Unread(path, message) => vec![failed(&path, message)],
        };
        let _inside = Inside::new();
        attached.into_iter().flat_map(audit).collect()
    }
}
