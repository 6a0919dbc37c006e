//! Which site a directory is in.
//!
//! The finder walks up from a document to the checkout and looks for markers of generators; the nearest one counts whose
//! content the document is in. The builder then reads the settings of that site. Documents that no generator claims are
//! shown as files, on a forge or by a server.

mod builder;
mod fallback;
mod finder;
mod memory;
mod places;
mod settings;

pub(super) use builder::LanguageDirectory;
pub(in crate::audit) use finder::{DirectoryLister, NamedKind, SiteFinder};
pub(in crate::audit) use memory::SiteMemory;
pub(super) use places::joined;
pub(in crate::audit) use places::{entries, text};
pub(super) use settings::{front_matter, has_fence, value, values};
