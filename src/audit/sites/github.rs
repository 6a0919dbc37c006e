//! GitHub: files are shown unchanged, with pages of the forge around them.

use super::rules::{AutolinkRule, FILES, ForgeRule, SiteRules};

pub(super) static RULES: SiteRules =
    SiteRules { forge: ForgeRule::OnForge, autolinks: AutolinkRule::Linked, ..FILES };
