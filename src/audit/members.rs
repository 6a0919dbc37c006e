//! The documents in one input: itself, or the members of an archive.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use super::auditor::{Auditor, MAX_DOCUMENT_BYTES};
use super::collect::Collected;
use super::other_files::is_no_document;
use crate::archive::{
    ArchiveFormat, ArchiveInput, ArchiveProblem, HEAD_BYTES, Member, MemberPath, Visitor, walk,
};
use crate::audit::AuditOutcome;
use crate::document::office;
use crate::search::{Compressed, Input, Level, Origin, Problem, ProblemKind, unread};

/// Larger members are not audited: several are in memory while an archive is unpacked.
const MAX_MEMBER_BYTES: u64 = 64 << 20;

/// Progress of a document when its worker is done with it.
pub(super) enum Audited<'a> {
    Outcome(AuditOutcome),
    /// Must wait for answers about its URLs.
    Waiting(Box<Collected<'a>>),
}

impl Auditor {
    /// Collects an input, or all members of an archive.
    pub(super) fn collect_all(&self, input: &Input) -> Vec<Audited<'_>> {
        if input.is_stdin() {
            return self.collect_stream(input);
        }
        let (head, mut file) = match self.head(input) {
            Some(opened) => opened,
            None => return self.advance_all(self.collect_caught(input)),
        };
        let name = input.name();
        // Without this, an audit of `a.md.gz` or `book.epub` would find 0 links and succeed.
        let is_archive = ArchiveFormat::guess(&head, name)
            .or_else(|| ArchiveFormat::promised(&head, name))
            .is_some_and(|_| !office::is_package(&head, name));
        if is_archive {
            return self.collect_members(input, ArchiveInput::File(&mut file));
        }
        // The input is opened again when it is collected.
        drop(file);
        if office::is_package(&head, name) {
            let message = "Office documents are searched, but not audited".to_owned();
            return vec![failed(input.display_path(), message)];
        }
        if let Some(message) = unread::message(&head) {
            return vec![failed(input.display_path(), message)];
        }
        self.advance_all(self.collect_caught(input))
    }

    /// Collects standard input, which can be read only once.
    fn collect_stream(&self, input: &Input) -> Vec<Audited<'_>> {
        let read = || -> io::Result<_> {
            let mut reader = input.open()?.reader;
            let mut head = Vec::with_capacity(HEAD_BYTES);
            reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head)?;
            Ok((head, reader))
        };
        let failed = |message| vec![failed(input.display_path(), message)];
        let (mut head, reader) = match read() {
            Ok(opened) => opened,
            Err(error) => return failed(error.to_string()),
        };
        if ArchiveFormat::guess(&head, b"").is_some() {
            let mut reader = head.as_slice().chain(reader);
            return self.collect_members(input, ArchiveInput::Stream(&mut reader));
        }
        if let Some(message) = unread::message(&head) {
            return failed(message);
        }
        if let Err(error) = reader.take(MAX_DOCUMENT_BYTES).read_to_end(&mut head) {
            return failed(error.to_string());
        }
        if head.len() as u64 > MAX_DOCUMENT_BYTES {
            return failed(format!("it is larger than {} MiB", MAX_DOCUMENT_BYTES >> 20));
        }
        self.advance_all(self.collect_bytes_caught(input, head))
    }

    fn collect_members(&self, archive: &Input, input: ArchiveInput<'_>) -> Vec<Audited<'_>> {
        let limits = self.settings.search.archive_limits();
        let mut members = Members { auditor: self, archive, audited: Vec::new(), index: 0 };
        walk(input, archive.name(), &limits, &mut members);
        members.audited
    }

    /// Reads the first bytes of a file that may be an archive or an unsupported format: a named
    /// file, or any file with `-z`. `None` for other files. A file that cannot be opened is
    /// reported later, when it is collected.
    fn head(&self, input: &Input) -> Option<(Vec<u8>, File)> {
        let is_named = input.origin() == Origin::Named;
        if !is_named && self.settings.search.compressed() == Compressed::AsStored {
            return None;
        }
        let path = input.path().filter(|path| self.settings.filter.takes_path(path))?;
        // Reading from a pipe would consume its bytes.
        if !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            return None;
        }
        let mut file = File::open(path).ok()?;
        let mut head = Vec::with_capacity(HEAD_BYTES);
        file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).ok()?;
        file.seek(SeekFrom::Start(0)).ok()?;
        Some((head, file))
    }

    /// Judges a collected document and the files attached to it.
    fn advance_all<'a>(
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

/// Audits each member as it arrives.
struct Members<'a, 'i> {
    auditor: &'a Auditor,
    archive: &'i Input,
    audited: Vec<Audited<'a>>,
    index: u64,
}

impl Members<'_, '_> {
    fn read(&self, member: &mut Member<'_>, input: &Input) -> io::Result<Option<Vec<u8>>> {
        // Style sheets and pictures in a package are not audited.
        if input.level() == Level::Member && input.extension().is_some_and(is_no_document) {
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
    fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
        let input = self.archive.member(member.path, member.name, self.index);
        self.index += 1;
        match self.read(&mut member, &input) {
            Ok(Some(bytes)) => match unread::message(&bytes) {
                Some(message) => self.audited.push(failed(input.display_path(), message)),
                None => {
                    let collected = self.auditor.collect_bytes_caught(&input, bytes);
                    self.audited.extend(self.auditor.advance_all(collected));
                }
            },
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
