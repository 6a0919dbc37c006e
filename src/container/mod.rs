//! What holds text: formats that say more about it than its bytes do.
//!
//! Nothing here knows what a URI is; [`Finder`](crate::Finder) knows nothing of files. Who searches a file
//! brings them together.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

#[cfg(feature = "archives")]
pub mod archive;
#[cfg(feature = "documents")]
pub mod document;
#[cfg(feature = "documents")]
pub mod mbox;
