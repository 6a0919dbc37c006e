//! Formats that contain text: documents, mail, mailboxes and archives.
//!
//! Nothing here knows what a URI is, and [`Finder`](crate::Finder) knows nothing of files.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

#[cfg(feature = "archives")]
#[doc(hidden)]
pub use crate::archive;
#[cfg(feature = "documents")]
pub mod document;
#[cfg(feature = "documents")]
pub mod mbox;
