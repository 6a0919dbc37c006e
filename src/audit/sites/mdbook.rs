//! [mdBook](https://rust-lang.github.io/mdBook/).

use super::edited::EditKey;
use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{DocumentsBeside, FILES, MissingSources, SiteRules};
use crate::audit::Slugs;
use crate::document::LinkOrigin;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["book.toml", "book.toml.in"],
    content_keys: &["src"],
    base_keys: &["site-url"],
    host_keys: &["cname"],
    edit_key: Some(EditKey::Address("edit-url-template")),
    content: &["src"],
    outputs: &["book"],
    slugs: Slugs::Mdbook,
    hooks: &["#[preprocessor."],
    endings: &["/index.md", "/README.md", "/index.html"],
    swaps: &[(".html", ".md"), ("/index.html", "/README.md")],
    missing_sources: MissingSources::MayBeOfAnotherBook,
    documents_beside: DocumentsBeside::AmongPages,
    menus: &[MenuFile {
        path: "book.toml",
        keys: MenuKeys::Named(&[]),
        values: MenuValues::Sources,
    }],
    file_keys: &["additional-css", "additional-js"],
    constructs: &[LinkOrigin::MdbookInclude],
    ..FILES
};

/// Places of a book's settings, relative to a directory of the checkout.
pub(super) const BOOKS: [&str; 4] =
    ["book.toml", "book/book.toml", "doc/book/book.toml", "docs/book/book.toml"];
