//! Document formats: the interface of a format ([`DocumentFormat`]), and the table of all formats
//! ([`FORMATS`]).
//!
//! A new format is a folder with an implementation and a row in the table. Search, `--markup`, the
//! audit, the parts of mail, the conformance test, the fuzz targets, and the search for slow inputs
//! all read the table.

mod handle;
mod interface;
mod properties;
mod table;

pub use handle::{Format, Sniffed, UnknownFormat};
pub use interface::DocumentFormat;
pub use properties::{
    CommentStyle, EscapeStyle, FormatEncoding, FormatKind, FormatLimits, MarkupFamily, PathTest,
    Reading,
};
pub use table::FORMATS;

pub use crate::sniff::Sniff;
