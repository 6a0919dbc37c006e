//! [Writerside](https://www.jetbrains.com/help/writerside/writerside-cfg.html).

use super::menu_file::{MenuFile, MenuKeys, MenuValues};
use super::rules::{FILES, SearchedDirectory, SiteRules};
use crate::audit::Slugs;
use crate::document::LinkOrigin;

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["writerside.cfg", "project.ihp"],
    content: &["topics"],
    slugs: Slugs::Writerside,
    // Of topics and pictures only the name counts (Writerside, "Links", "Images").
    searched: &[
        SearchedDirectory {
            element: "topics",
            attributes: &["dir"],
            default: "topics",
            has_names: true,
        },
        SearchedDirectory {
            element: "images",
            attributes: &["dir"],
            default: "images",
            has_names: true,
        },
        SearchedDirectory {
            element: "snippets",
            // The schema of JetBrains has `dir`, and its examples have both.
            attributes: &["dir", "src"],
            default: "codeSnippets",
            has_names: false,
        },
    ],
    menus: &[MenuFile {
        path: "*.tree",
        keys: MenuKeys::Attributes(&["start-page", "topic"]),
        values: MenuValues::Sources,
    }],
    constructs: &[LinkOrigin::CodeSource, LinkOrigin::TopicInclude, LinkOrigin::TopicElement],
    ..FILES
};
