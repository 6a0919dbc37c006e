//! An input of which the first bytes were read, so that it is known how to read it.

use std::io::{Cursor, ErrorKind, Read};

use crate::archive::{ArchiveFormat, HEAD_BYTES};
use crate::document::{InputType, Packages};
use crate::search::InputKind;

pub(crate) type InputReader<'r> = Box<dyn Read + 'r>;

/// An opened input, for searches and audits.
pub(crate) struct Opened<'r> {
    /// Reads all of it, from its first byte.
    pub reader: InputReader<'r>,
    pub input_type: InputType,
}

impl<'r> Opened<'r> {
    /// Reads the first bytes of an input with this file name.
    pub fn read(
        mut reader: InputReader<'r>,
        kind: InputKind,
        name: &[u8],
        packages: Packages,
    ) -> Self {
        let mut head = Vec::with_capacity(HEAD_BYTES);
        let is_open = |head: &[u8]| {
            // A file is read to the full head at once. A pipe or terminal is only waited for while
            // a format is still possible.
            kind != InputKind::Stream
                || ArchiveFormat::may_be_named(name)
                || InputType::needs_more(head)
        };
        // The bytes wanted grow with those read: a tar needs 512, a text only a few.
        while head.len() < InputType::head_bytes(&head) && is_open(&head) {
            let mut more = [0; HEAD_BYTES];
            let room = HEAD_BYTES.min(InputType::head_bytes(&head) - head.len());
            match reader.read(&mut more[..room]) {
                Ok(0) => break,
                Ok(count) => head.extend_from_slice(&more[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // The next read reports the error again.
                Err(_) => break,
            }
        }
        let input_type = InputType::guess(&head, name, packages);
        Self { reader: Box::new(Cursor::new(head).chain(reader)), input_type }
    }
}
