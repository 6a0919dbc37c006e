//! BibTeX and BibLaTeX.
//!
//! Fields are emitted with their names, because `isbn = {…}` is what tells an identifier. Fields of URLs
//! are destinations, without the escapes of TeX.

mod format;
mod reader;

pub(super) use format::Bibtex;
