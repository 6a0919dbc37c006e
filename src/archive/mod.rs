//! Compressed files and archives: bytes into bounded streams.
//!
//! [`walk`] decodes one compression after the other, goes through the members of archives, and
//! passes each stream of plain bytes to a [`Visitor`]. It writes nothing, and memory is bounded by
//! the windows of the decoders; [`ArchiveLimits`] bounds the unpacked size of an input. Bytes
//! before damage still reach the visitor, and each [`ArchiveProblem`] is reported once.
//!
//! ```
//! use std::io::Read;
//! use std::ops::ControlFlow;
//! use urigrep::archive::{ArchiveInput, ArchiveLimits, Member, MemberPath, ArchiveProblem, Visitor, walk};
//!
//! #[derive(Default)]
//! struct Texts(Vec<(String, String)>);
//!
//! impl Visitor for Texts {
//!     fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
//!         let mut text = String::new();
//!         if member.reader.read_to_string(&mut text).is_ok() {
//!             let stream = String::from_utf8_lossy(member.path.stream()).into_owned();
//!             self.0.push((stream, text));
//!         }
//!         ControlFlow::Continue(())
//!     }
//!
//!     fn skipped(&mut self, _: &MemberPath) {}
//!
//!     fn problem(&mut self, _: &MemberPath, problem: ArchiveProblem) {
//!         panic!("{problem}");
//!     }
//! }
//!
//! let mut ar = b"!<arch>\na.txt/          0           0     0     644     17        `\n".as_slice();
//! let mut ar = (&mut ar).chain(b"http://a.example/".as_slice());
//! let mut texts = Texts::default();
//! walk(ArchiveInput::Stream(&mut ar), b"a.ar", &ArchiveLimits::default(), &mut texts);
//! assert_eq!(texts.0, [("ar!/a.txt".to_owned(), "http://a.example/".to_owned())]);
//! ```

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod compression;
mod format;
mod limits;
mod members;
mod path;
mod problem;
mod reader;
mod readers;
mod shared;
mod stop;
mod stream;
mod walk;
mod walker;

#[cfg(test)]
mod conformance;

pub use format::{ArchiveFormat, HEAD_BYTES};
pub use limits::ArchiveLimits;
pub use path::MemberPath;
pub use problem::{ArchiveLimit, ArchiveProblem};
pub use shared::ReadAt;
use stop::{Stop, WalkResult};
pub(crate) use stream::copy_error;
pub use walk::{ArchiveInput, Member, ReadSeek, Visitor, walk};
