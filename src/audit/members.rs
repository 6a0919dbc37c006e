//! The documents in one input: itself, or the members of an archive.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;

use super::auditor::{Auditor, MAX_DOCUMENT_BYTES};
use super::collect::Collected;
use super::other_files::is_no_document;
use crate::archive::{ArchiveInput, ArchiveProblem, Member, MemberPath, Visitor, walk};
use crate::audit::AuditOutcome;
use crate::document::{Format, InputType, Packages};
use crate::search::opened::Opened;
use crate::search::{Compressed, Input, InputKind, Level, Origin, Problem, ProblemKind};

/// Larger members are not audited: several are in memory while an archive is unpacked.
const MAX_MEMBER_BYTES: u64 = 64 << 20;

/// State of a document when its worker is done with it.
pub(super) enum Audited<'a> {
    Outcome(AuditOutcome),
    /// Must wait for answers about its URLs.
    Waiting(Box<Collected<'a>>),
}

impl Auditor {
    /// Collects an input, or all members of an archive.
    pub(super) fn collect_all(&self, input: &Input) -> Vec<Audited<'_>> {
        if !self.is_opened_by_type(input) {
            return self.advance_all(self.collect_caught(input));
        }
        let Ok(open) = input.open() else {
            // Collecting it reports the error.
            return self.advance_all(self.collect_caught(input));
        };
        let opened = Opened::read(open.reader, open.kind, input.name(), Packages::Documents);
        let mut reader = opened.reader;
        // Without this, an audit of `a.md.gz` or `book.epub` would find 0 links and succeed.
        if let InputType::Archive(_) = opened.input_type {
            // The list of members at the end of a file is better than the headers between them.
            return match input.path().and_then(|path| File::open(path).ok()) {
                Some(mut file) => self.collect_members(input, ArchiveInput::File(&mut file)),
                None => self.collect_members(input, ArchiveInput::Stream(&mut reader)),
            };
        }
        if let InputType::Unread(unread) = opened.input_type {
            return vec![failed(input.display_path(), unread.message())];
        }
        if let InputType::Document(format) = opened.input_type {
            return self.collect_binary(input, format, &mut reader);
        }
        if open.kind == InputKind::Stream || input.is_stdin() {
            return self.collect_stream(input, &mut reader);
        }
        // A link may have caused it to be read already, so it is opened again only if needed.
        drop(reader);
        self.advance_all(self.collect_caught(input))
    }

    /// Collects an input that can be read only once.
    fn collect_stream(&self, input: &Input, reader: &mut dyn Read) -> Vec<Audited<'_>> {
        let mut bytes = Vec::new();
        if let Err(error) = reader.take(MAX_DOCUMENT_BYTES + 1).read_to_end(&mut bytes) {
            return vec![failed(input.display_path(), error.to_string())];
        }
        if bytes.len() as u64 > MAX_DOCUMENT_BYTES {
            let message = format!("it is larger than {} MiB", MAX_DOCUMENT_BYTES >> 20);
            return vec![failed(input.display_path(), message)];
        }
        self.advance_all(self.collect_bytes_caught(input, bytes))
    }

    /// Collects a file that is in memory: a member of an archive, or an attachment.
    pub(super) fn collect_file(&self, input: &Input, bytes: Vec<u8>) -> Vec<Audited<'_>> {
        match InputType::guess(&bytes, input.name(), Packages::Documents) {
            InputType::Document(format) => {
                self.collect_binary(input, format, &mut bytes.as_slice())
            }
            InputType::Unread(unread) => vec![failed(input.display_path(), unread.message())],
            InputType::Archive(_) | InputType::Plain => {
                self.advance_all(self.collect_bytes_caught(input, bytes))
            }
        }
    }

    /// Collects a file that is in memory, and may be an archive.
    pub(super) fn collect_opened(&self, input: &Input, bytes: Vec<u8>) -> Vec<Audited<'_>> {
        match InputType::guess(&bytes, input.name(), Packages::Documents) {
            InputType::Archive(_) => {
                self.collect_members(input, ArchiveInput::File(&mut Cursor::new(bytes)))
            }
            _ => self.collect_file(input, bytes),
        }
    }

    fn collect_members(&self, archive: &Input, input: ArchiveInput<'_>) -> Vec<Audited<'_>> {
        let limits = self.settings.search.limits().archive;
        let mut members = Members { auditor: self, archive, audited: Vec::new(), index: 0 };
        walk(input, archive.name(), &limits, &mut members);
        members.audited
    }

    /// True for an input that may be an archive or a document that is not text: standard input, a
    /// named file, any file with `-z`, and a file with the extension of such a document.
    fn is_opened_by_type(&self, input: &Input) -> bool {
        let is_asked = input.origin() == Origin::Named
            || self.settings.search.compressed() == Compressed::Unpacked
            || input.extension().is_some_and(is_binary);
        is_asked && input.path().is_none_or(|path| self.settings.filter.takes_path(path))
    }

    /// Judges a collected document and the files attached to it.
    pub(super) fn advance_all<'a>(
        &'a self,
        mut collected: Result<Option<Collected<'a>>, Problem>,
    ) -> Vec<Audited<'a>> {
        let attached = match &mut collected {
            Ok(Some(collected)) => std::mem::take(&mut collected.attached),
            _ => Vec::new(),
        };
        let mut audited = vec![self.advance(collected)];
        audited.extend(self.audit_attached(attached));
        audited
    }

    /// Judges a collected document, unless answers are missing.
    pub(super) fn advance<'a>(
        &'a self,
        collected: Result<Option<Collected<'a>>, Problem>,
    ) -> Audited<'a> {
        match collected {
            Ok(Some(collected)) if collected.waits() => Audited::Waiting(Box::new(collected)),
            Ok(collected) => Audited::Outcome(self.judge_caught(collected)),
            Err(problem) => Audited::Outcome(AuditOutcome::Failed(problem)),
        }
    }
}

pub(super) fn failed(path: &[u8], message: String) -> Audited<'static> {
    Audited::Outcome(AuditOutcome::Failed(Problem::new(ProblemKind::Unread, path, message)))
}

/// True for the extension of a document that is not text.
fn is_binary(extension: &str) -> bool {
    Format::from_extension(extension).is_some_and(Format::is_binary)
}

/// Audits each member as it arrives.
struct Members<'a, 'i> {
    auditor: &'a Auditor,
    archive: &'i Input,
    audited: Vec<Audited<'a>>,
    index: u64,
}

impl Members<'_, '_> {
    fn read(&self, member: &mut Member<'_>, input: &Input) -> io::Result<Option<Vec<u8>>> {
        // Style sheets and pictures in an archive are not audited.
        let is_other = |extension: &str| is_no_document(extension) && !is_binary(extension);
        if input.level() == Level::Member && input.extension().is_some_and(is_other) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        member.reader.take(MAX_MEMBER_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_MEMBER_BYTES {
            let message = format!("it is larger than {} MiB", MAX_MEMBER_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        Ok(Some(bytes))
    }
}

impl Visitor for Members<'_, '_> {
    fn is_whole(&self, _: &MemberPath, name: &[u8], head: &[u8]) -> bool {
        InputType::document(head, name, Packages::Documents).is_some()
    }

    fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
        let input = self.archive.member(member.path, member.name, self.index);
        self.index += 1;
        match self.read(&mut member, &input) {
            Ok(Some(bytes)) => self.audited.extend(self.auditor.collect_file(&input, bytes)),
            Ok(None) => self.audited.push(Audited::Outcome(AuditOutcome::LeftOut)),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let message = format!("not audited: {error}");
                self.audited.push(failed(input.display_path(), message));
            }
            // The archive reader reports damaged streams itself.
            Err(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn skipped(&mut self, _: &MemberPath) {
        self.audited.push(Audited::Outcome(AuditOutcome::LeftOut));
    }

    fn problem(&mut self, place: &MemberPath, problem: ArchiveProblem) {
        let path = self.archive.display_path_in(place);
        let problem = Problem::new(ProblemKind::Archive, path, problem.to_string());
        self.audited.push(Audited::Outcome(AuditOutcome::Failed(problem)));
    }
}
