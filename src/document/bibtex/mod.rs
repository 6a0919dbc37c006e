//! BibTeX and BibLaTeX.
//!
//! Fields are emitted with their names, because `isbn = {…}` marks an identifier. Fields of URLs
//! are destinations, without the escapes of TeX.

mod format;
mod reader;

pub(super) use format::Bibtex;
