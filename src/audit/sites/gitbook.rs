//! [GitBook](https://gitbook.com/docs), which shows the files of a checkout, with anchors of its
//! own.

use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{FILES, MarkerStrength, SiteRules};
use crate::audit::Slugs;
use crate::document::LinkOrigin;

pub(super) static RULES: SiteRules = SiteRules {
    // The directory holds uploaded files.
    markers: &[".gitbook.yaml", ".gitbook.yml", ".gitbook"],
    marker_strength: MarkerStrength::Weak,
    content_keys: &["root"],
    content: &["."],
    slugs: Slugs::Gitbook,
    endings: &[".md", "/README.md", "/index.md", "/readme.md", "/index.html"],
    // GitBook, "Broken links"; the first one is of its older editor.
    dead: &["broken-reference", "/broken/pages/", "/broken/spaces/"],
    has_cut_names: true,
    menus: &[
        MenuFile { path: ".gitbook.yaml", keys: PATHS, values: MenuValues::Sources },
        MenuFile { path: ".gitbook.yml", keys: PATHS, values: MenuValues::Sources },
    ],
    constructs: &[LinkOrigin::GitbookTag, LinkOrigin::QuotedInclude],
    ..FILES
};

/// All paths are relative to `root` (GitBook, "Content configuration").
const PATHS: MenuKeys = MenuKeys::Below(&["redirects", "structure"]);
