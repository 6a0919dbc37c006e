//! Pages whose addresses are not the paths of their files.

#[cfg(feature = "search")]
mod addresses;
#[cfg(feature = "search")]
mod key;
#[cfg(feature = "search")]
mod lookup;
mod page;
#[cfg(feature = "search")]
mod redirects;

#[cfg(feature = "search")]
pub(in crate::audit) use lookup::SitePages;
pub use page::SitePage;
