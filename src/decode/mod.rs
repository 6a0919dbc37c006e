//! Decoders of bytes to UTF-8 text, with a map back to the bytes.
//!
//! Each decoder appends the text of a slice, and the position of its bytes in the slice. What cannot be
//! decoded is copied or reported, so that it can be searched undecoded.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

#[cfg(feature = "documents")]
mod base64;
#[cfg(feature = "documents")]
mod charset;
#[cfg(feature = "documents")]
mod content_lines;
#[cfg(feature = "documents")]
mod encoded_word;
#[cfg(feature = "documents")]
mod flowed;
#[cfg(feature = "documents")]
mod inline;
#[cfg(feature = "documents")]
mod parameter;
#[cfg(feature = "documents")]
mod quoted_printable;
mod unicode;
#[cfg(feature = "documents")]
mod utf7;

#[cfg(feature = "documents")]
pub(crate) use inline::starts_inline_file;
pub use unicode::{Encoding, Transcoder};
#[cfg(feature = "documents")]
pub use {
    base64::{Damage, Quads, base64},
    charset::{MimeCharset, Validity},
    content_lines::content_lines,
    encoded_word::{Words, encoded_words},
    flowed::{DelSp, flowed},
    inline::{Inline, InlineEncoding, InlineFileIter, inline_files, uudecode, ydecode},
    parameter::{Parameter, ParameterSpelling, parameters},
    quoted_printable::quoted_printable,
};

#[cfg(feature = "documents")]
pub(crate) use parameter::Parameters;
