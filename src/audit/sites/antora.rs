//! [Antora](https://docs.antora.org/): AsciiDoc in `modules/`.

use super::rules::{FILES, SiteRules};

// AsciiDoc is not read, so only the Markdown and HTML of such a site are checked.
pub(super) static RULES: SiteRules = SiteRules {
    markers: &["antora.yml"],
    content: &["modules"],
    statics: &["modules/ROOT/pages", "modules/ROOT/assets"],
    outputs: &["build/site"],
    endings: &[".adoc", "/index.adoc"],
    swaps: &[(".html", ".adoc")],
    ..FILES
};
