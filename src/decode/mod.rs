//! Decodes bytes to UTF-8 text, with a map back to the bytes.
//!
//! Each decoder appends the text of a slice and the position of each byte in that slice. Bytes that
//! cannot be decoded are copied or reported, so that they can be searched undecoded.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

#[cfg(feature = "search")]
mod base64;
#[cfg(feature = "search")]
mod charset;
#[cfg(feature = "search")]
mod content_lines;
#[cfg(feature = "search")]
mod ebcdic;
#[cfg(feature = "search")]
mod encoded_word;
#[cfg(feature = "search")]
mod flowed;
#[cfg(feature = "search")]
mod inline;
#[cfg(feature = "search")]
mod parameter;
#[cfg(feature = "search")]
mod quoted_printable;
mod unicode;
#[cfg(feature = "search")]
mod utf7;

#[cfg(feature = "search")]
pub(crate) use inline::starts_inline_file;
pub use unicode::{Encoding, Transcoder};
#[cfg(feature = "search")]
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

#[cfg(feature = "search")]
pub(crate) use parameter::Parameters;
