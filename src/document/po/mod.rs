//! Translations of gettext.
//!
//! The strings of a message are joined over lines and decoded, so that a URI may span lines.

mod format;
mod reader;

pub(super) use format::Po;
