//! GitLab: like GitHub, with different anchors.

use super::rules::{AutolinkRule, FILES, ForgeRule, SiteRules};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules = SiteRules {
    slugs: Slugs::Gitlab,
    forge: ForgeRule::OnForge,
    autolinks: AutolinkRule::Linked,
    ..FILES
};
