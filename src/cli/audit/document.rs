//! A file as the text that is audited.

use std::io::{self, Read};

use memchr::memchr;
use urigrep::container::document::Format;
use urigrep::decode::{Encoding, Transcoder};

use crate::cli::documents::Documents;
use crate::cli::search::Binaries;
use crate::cli::subject::{Origin, Subject};

/// Binary means a NUL among so many first bytes, as in a search.
const SNIFF: u64 = 8 << 10;
/// A larger file is not audited: all of a document is in memory.
pub const LARGEST: u64 = 64 << 20;

/// A text in UTF-8, mostly, and where it came from.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text.
    pub bytes: Vec<u8>,
    /// The way back, if it was UTF-16 or UTF-32.
    transcoder: Option<Transcoder>,
}

impl Text {
    /// A text that is the file.
    pub fn plain(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            transcoder: None,
        }
    }

    fn decoded(encoding: Encoding, source: &[u8]) -> Self {
        let mut transcoder = Transcoder::new(encoding, 0);
        let mut bytes = Vec::new();
        transcoder.push(source, &mut bytes);
        transcoder.finish(&mut bytes);
        Self {
            bytes,
            transcoder: Some(transcoder),
        }
    }

    /// The offset in the file of the offset `at` in the text.
    pub fn source(&self, at: usize) -> u64 {
        match &self.transcoder {
            Some(transcoder) => transcoder.source_of(at as u64),
            None => at as u64,
        }
    }
}

/// Which files of a directory are audited; those that are named all are.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What is a document.
    pub documents: Documents,
    /// Whether text that is none is audited.
    pub others: Others,
    /// What happens to binary files.
    pub binaries: Binaries,
}

/// What happens to the text files of a directory that are no documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// They are audited, as plain text.
    Audited,
    /// They are not.
    LeftOut,
}

/// What reading a file came to.
#[derive(Debug)]
pub enum Opened {
    /// A document, or text without a format; and how many bytes were read.
    Text(Option<Format>, Text, u64),
    /// Something that nobody asked for.
    Other,
}

impl Choice {
    /// Reads a file, if it is to be audited.
    ///
    /// # Errors
    /// When it can't be read, or is too large.
    pub fn open(&self, subject: &Subject) -> io::Result<Opened> {
        let mut reader = subject.open()?.reader;
        let mut source = Vec::new();
        reader.by_ref().take(SNIFF).read_to_end(&mut source)?;
        let encoding = Encoding::detect(&source).map(|(encoding, _)| encoding);
        let in_tree = subject.origin() == Origin::Tree;
        if in_tree
            && self.binaries == Binaries::Skip
            && encoding.is_none()
            && memchr(0, &source).is_some()
        {
            return Ok(Opened::Other);
        }
        let format = match encoding {
            Some(encoding) => {
                let head = Text::decoded(encoding, &source);
                self.documents.markup(subject, &head.bytes)
            }
            None => self.documents.markup(subject, &source),
        };
        if in_tree && format.is_none() && self.others == Others::LeftOut {
            return Ok(Opened::Other);
        }
        reader
            .take((LARGEST + 1).saturating_sub(source.len() as u64))
            .read_to_end(&mut source)?;
        if source.len() as u64 > LARGEST {
            let most = LARGEST >> 20;
            return Err(io::Error::other(format!(
                "not audited: it is larger than {most} MiB"
            )));
        }
        let read = source.len() as u64;
        let text = match encoding {
            Some(encoding) => Text::decoded(encoding, &source),
            None => Text::plain(source),
        };
        // what is larger is searched as text, too
        let format = format.filter(|_| text.bytes.len() <= Format::LARGEST);
        Ok(Opened::Text(format, text, read))
    }
}
