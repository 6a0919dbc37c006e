//! Pages whose addresses differ from the paths of their files.

mod addresses;
mod generated;
mod glossary;
mod included;
mod key;
mod lookup;
mod page;
mod patterns;
mod permalinks;
pub(super) mod redirects;
mod templated;

pub(in crate::audit) use addresses::names_fingerprint;
pub(in crate::audit) use key::is_part;
pub(in crate::audit) use lookup::SitePages;
pub use page::{PageRedirect, SitePage};
