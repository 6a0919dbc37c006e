//! Changes URIs in texts: exactly their spans, in the syntax of the place, and nothing else.
//!
//! [`apply`] replaces spans of a document and proves the result by reading it again: every part of
//! the document must read as before, except that the changed URIs are the new ones. So a format
//! needs no code for changes. A place may need an escape (`&amp;` in HTML, `=3D` in
//! quoted-printable mail), and the first [`Spelling`] that is read back is taken. An edit that
//! nothing can prove is refused with a reason ([`Refusal`]) and changes nothing.
//!
//! | file | content |
//! |---|---|
//! | `edit.rs` | [`Edit`], [`Refusal`] |
//! | `spelling.rs` | ways to write a text in a document |
//! | `pieces.rs` | the parts of a document, for comparison |
//! | `place.rs` | the text and markup at the place of an edit |
//! | `window.rs` | where text becomes a link |
//! | `apply.rs` | [`apply`]: finds the spellings that are read back |
//! | `parts.rs` | applies edits to long plain text, part by part |
//! | `groups.rs` | finds the edits that a document cannot take |
//! | `redaction.rs` | edits that remove secrets |
//! | `diff.rs` | [`unified_diff`] |
//! | `divide.rs` | [`TextDivider`]: plain text that arrives in pieces |
//! | `file.rs` | [`FileSnapshot`]: reads a file, and replaces it atomically |
//! | `temporary.rs` | the new file beside the old one |
//! | `directory.rs` | the open directory of both |
//!
//! ```
//! use urigrep::change::{self, Edit, Replacement};
//! use urigrep::search::{Input, Search};
//!
//! let html = b"<a href='http://a.example/?b&amp;c'>x</a>";
//! let to = Replacement::Uri("https://b.example/?d&e".to_owned());
//! let edit = Edit::new([9, 34], "http://a.example/?b&c", to);
//! let changed = change::apply(&Search::default(), &Input::named("a.html"), html, &[edit]);
//! assert_eq!(changed.bytes(), b"<a href='https://b.example/?d&amp;e'>x</a>");
//! ```

mod apply;
pub(crate) mod diff;
mod directory;
mod divide;
pub(crate) mod edit;
mod file;
mod groups;
mod parts;
mod pieces;
mod place;
mod redaction;
mod spelling;
mod temporary;
mod window;

pub(crate) use apply::apply_as_read;
pub use apply::{AppliedEdit, Changed, apply, apply_all_to_text, apply_to_text};
pub use diff::{DiffNames, has_diff, unified_diff};
pub use divide::{SecretBlocks, TextDivider};
pub use edit::{Edit, Refusal, Replacement};
pub use file::{FileSnapshot, MAX_CHANGED_BYTES, ReplaceError, write_at_once};
pub use redaction::{
    force_redactions, redacted_values, redacted_values_behind, redacted_words, with_redactions,
};
pub use spelling::Spelling;
