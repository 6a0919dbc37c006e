//! Compressed files and archives: bytes into bounded streams.
//!
//! [`walk`] takes off one compression after the other, goes through the members of what archives it comes
//! upon, and gives each stream of plain bytes to a [`Visitor`]. Nothing is written anywhere, and memory is
//! bounded by what the decoders must look back on; [`Limits`] says how much one input may unpack to.
//! What was read before damage was given to the visitor, and each [`Problem`] is told once.
//!
//! ```
//! use std::io::Read;
//! use std::ops::ControlFlow;
//! use urigrep::container::archive::{Input, Limits, Member, Place, Problem, Visitor, walk};
//!
//! #[derive(Default)]
//! struct Texts(Vec<(String, String)>);
//!
//! impl Visitor for Texts {
//!     fn member(&mut self, mut member: Member<'_>) -> ControlFlow<()> {
//!         let mut text = String::new();
//!         if member.reader.read_to_string(&mut text).is_ok() {
//!             let stream = String::from_utf8_lossy(member.place.stream()).into_owned();
//!             self.0.push((stream, text));
//!         }
//!         ControlFlow::Continue(())
//!     }
//!
//!     fn skipped(&mut self, _: &Place) {}
//!
//!     fn problem(&mut self, _: &Place, problem: Problem) {
//!         panic!("{problem}");
//!     }
//! }
//!
//! let mut ar = b"!<arch>\na.txt/          0           0     0     644     17        `\n".as_slice();
//! let mut ar = (&mut ar).chain(b"http://a.example/".as_slice());
//! let mut texts = Texts::default();
//! walk(Input::Stream(&mut ar), b"a.ar", &Limits::default(), &mut texts);
//! assert_eq!(texts.0, [("ar!/a.txt".to_owned(), "http://a.example/".to_owned())]);
//! ```

mod compression;
mod format;
mod limits;
mod members;
mod place;
mod problem;
mod stream;
mod walk;

pub use format::{Format, HEAD};
pub use limits::Limits;
pub use place::Place;
pub use problem::{Limit, Problem};
pub use walk::{Input, Member, ReadSeek, Visitor, walk};
