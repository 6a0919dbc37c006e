//! The path of a stream within an input.

use super::ArchiveFormat;
use crate::redact::redacted_text;
use crate::shorten::shortened;

/// The path of a stream within an input: the decoded formats, and the members on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberPath {
    members: Vec<u8>,
    stream: Vec<u8>,
}

#[derive(Clone, Copy)]
pub(super) struct PathMark(usize, usize);

impl MemberPath {
    /// The members on the way, each after `!/`: `!/b.zip!/dir/a.txt`. Empty outside of archives.
    /// The names are the bytes of the archive, without a leading `./` or `/`. A long name is
    /// shortened to its start and end.
    pub fn members(&self) -> &[u8] {
        &self.members
    }

    /// The path including formats: `gzip`, `zip!/dir/a.txt`, `gzip+tar!/b.zip+zip!/a.txt`.
    pub fn stream(&self) -> &[u8] {
        &self.stream
    }

    /// Returns the path without secrets in the names of members; `None` if there are none.
    pub(crate) fn redacted(&self) -> Option<Self> {
        let members = redacted_text(&self.members)?;
        let stream = redacted_text(&self.stream).unwrap_or_else(|| self.stream.clone());
        Some(Self { members, stream })
    }

    /// Returns the path of a text that the stream holds in another form, or as the file with this
    /// path.
    pub(crate) fn extracted(&self, name: &str, file: Option<&str>) -> Self {
        let mut path = self.clone();
        if let Some(file) = file {
            path.members.extend_from_slice(b"!/");
            path.members.extend_from_slice(&shortened(file.as_bytes()));
        }
        if !path.stream.is_empty() {
            path.stream.push(b'+');
        }
        path.stream.extend_from_slice(&shortened(name.as_bytes()));
        path
    }

    pub(super) fn mark(&self) -> PathMark {
        PathMark(self.members.len(), self.stream.len())
    }

    pub(super) fn return_to(&mut self, PathMark(members, stream): PathMark) {
        self.members.truncate(members);
        self.stream.truncate(stream);
    }

    pub(super) fn push_format(&mut self, format: ArchiveFormat) {
        if !self.stream.is_empty() {
            self.stream.push(b'+');
        }
        self.stream.extend_from_slice(format.name().as_bytes());
    }

    pub(super) fn push_member(&mut self, mut name: &[u8]) {
        while let Some(rest) = name.strip_prefix(b"./").or(name.strip_prefix(b"/")) {
            name = rest;
        }
        let name = shortened(name);
        for names in [&mut self.members, &mut self.stream] {
            names.extend_from_slice(b"!/");
            names.extend_from_slice(&name);
        }
    }
}
