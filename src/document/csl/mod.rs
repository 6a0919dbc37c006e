//! CSL-JSON, the bibliographies of Zotero, pandoc, and citeproc.
//!
//! It is JSON ([`json`](super::json)) whose records are entries. The key of a value marks an
//! identifier: `"DOI": "10.1000/182"`.

mod entry;
mod format;

pub(super) use format::Csl;
