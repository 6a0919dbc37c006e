//! HAR, the HTTP archive of browsers and proxies.
//!
//! It is JSON ([`json`](super::json)) whose records are bodies: a body is decoded and read by its
//! media type.

mod body;
mod format;

pub(super) use format::Har;
