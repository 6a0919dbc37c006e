//! The sites of documents, which decide where links lead.
//!
//! | file | what is there |
//! |---|---|
//! | `rules.rs` | in which ways generators differ |
//! | `hugo.rs`, `mkdocs.rs`, … | one generator each: how it is detected, and what it does otherwise |
//! | `profile.rs` | the table of generators |
//! | `discovery/` | which site a directory is in |
//! | `site.rs` | a site: its rules, roots, and settings |
//! | `mounts.rs` | what it shows in other places than where it is |
//! | `pages/` | addresses that are not those of files: front matter, redirects, dates |
//! | `repository.rs` | the checkout around it, and its addresses on a forge |

mod antora;
mod any;
mod astro;
mod discovery;
mod docusaurus;
mod github;
mod gitlab;
mod html;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
mod mounts;
mod pages;
mod profile;
mod repository;
mod rules;
mod rustdoc;
mod site;
mod sphinx;
mod vitepress;
mod zola;

pub(super) use discovery::{DirectoryLister, NamedKind, SiteFinder, SiteMemory, entries, text};
pub use pages::SitePage;
pub(super) use pages::SitePages;
pub use profile::Profile;
pub(super) use repository::ForgePlace;
pub use repository::Repository;
pub(super) use rules::{
    DirectoryRule, DocumentsBeside, FileLookup, ForgeRule, IndexRule, LinkBase, MissingSources,
    NameRule, UnresolvedLinks,
};
pub(super) use site::PathLookup;
pub use site::Site;
