//! Published HTML, such as the output of a generator.
//!
//! The markers are files that Sphinx, rustdoc, and mdBook write beside their pages.

use super::rules::{DocumentRule, FILES, SettingsRule, SiteRules};

pub(super) static RULES: SiteRules = SiteRules {
    markers: &[
        "static.files",
        "objects.inv",
        "searchindex.js",
        "searchindex.json",
        "genindex.html",
    ],
    content: &["."],
    endings: &["/index.html", ".html"],
    documents: DocumentRule::Pages,
    settings: SettingsRule::Nothing,
    ..FILES
};
