//! Finds the site of a directory.
//!
//! The finder walks up from a document to the root of the checkout and looks for markers of
//! generators. The nearest one wins whose content includes the document. The builder then reads the
//! settings of that site. Documents without a generator are shown as files, by a forge or a server.

mod builder;
mod constants;
mod dialect;
mod directories;
mod fallback;
mod finder;
mod inferred;
mod memory;
mod packages;
mod places;
mod plugins;
mod programs;
mod settings;
mod tree_bounds;
mod unread;

pub(super) use directories::LanguageDirectory;
pub(in crate::audit) use fallback::VAULTS;
pub(super) use finder::PUBLISHED;
pub(in crate::audit) use finder::{DirectoryLister, NamedKind, ShownBy, SiteFinder};
pub(in crate::audit) use inferred::{InferredRoot, is_group};
pub(in crate::audit) use memory::SiteMemory;
pub(super) use places::document_text;
pub(in crate::audit) use places::is_language;
pub(in crate::audit) use places::{entries, text, text_in_tree};
pub(super) use places::{joined, settings as settings_of};
pub(in crate::audit) use settings::front_matter;
pub(in crate::audit) use settings::values;
pub(super) use settings::{PatternLine, has_fence, pattern_lines, string, value};
pub(in crate::audit) use tree_bounds::is_in_tree;
