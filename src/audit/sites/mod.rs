//! The sites of documents, which decide where links lead.
//!
//! | file | contents |
//! |---|---|
//! | `rules.rs` | the differences between generators |
//! | `hugo.rs`, `mkdocs.rs`, … | one generator each: its markers, and its deviations |
//! | `profile.rs` | the table of generators |
//! | `menu.rs`, `menu_file.rs` | the menu: documents that it names, and files with its links |
//! | `edited.rs` | the repository in which pages are edited |
//! | `discovery/` | finds the site of a directory |
//! | `site.rs` | a site: its rules, roots, and settings |
//! | `address_bounds.rs` | maximum lengths of addresses and patterns in settings |
//! | `program.rs`, `titled.rs` | words of settings programs, and addresses, for many links |
//! | `mounts.rs`, `mount_table.rs` | content shown at other paths |
//! | `pages/` | addresses that differ from paths: front matter, redirects, dates |
//! | `repository.rs` | its checkout, and forge URLs of its files |

mod address_bounds;
pub(super) mod antora;
mod any;
mod astro;
mod discovery;
pub(super) mod docusaurus;
mod dynamic;
mod edited;
mod eleventy;
mod gitbook;
mod github;
mod gitlab;
mod html;
mod hugo;
mod jekyll;
pub(crate) mod maven;
mod mdbook;
mod menu;
mod menu_file;
mod mintlify;
mod mkdocs;
mod mount_table;
mod mounts;
mod outside_documents;
mod pages;
mod playbook;
mod profile;
mod program;
pub(super) mod quarto;
pub(in crate::audit) mod readme;
mod repository;
mod root_index;
mod rspress;
mod rules;
mod rustdoc;
mod site;
pub(super) mod sphinx;
mod titled;
mod vitepress;
mod wiki;
mod writerside;
mod zola;

pub(super) use discovery::{
    DirectoryLister, InferredRoot, NamedKind, ShownBy, SiteFinder, SiteMemory, VAULTS, entries,
    front_matter, is_group, is_in_tree, is_language, text, values,
};
pub use menu_file::is_settings;
pub(in crate::audit) use menu_file::{FoundMenu, hidden_menus};
pub(super) use menu_file::{MenuFile, MenuKeys, MenuValues};
pub use pages::{PageRedirect, SitePage};
pub(super) use pages::{SitePages, is_part, names_fingerprint};
pub use profile::Profile;
pub(super) use repository::ForgePlace;
pub use repository::Repository;
pub(super) use rules::{
    AutolinkRule, BaseRule, CollectionRule, DirectoryRule, DocumentRule, DocumentsBeside,
    FileLookup, ForgeRule, FrontMatterRule, IndexRule, LayoutRule, LinkBase, MarkdownRule,
    MenuPaths, MissingSources, NameRule, PageRule, ResourceRule, SettingsPaths, SourceNames,
    TranslationRule, UnderscoredIndex, UnresolvedLinks, WikiRule,
};
pub(super) use site::PathLookup;
pub use site::Site;
pub(super) use sphinx::INTERSPHINX;
pub(super) use titled::is_number;
