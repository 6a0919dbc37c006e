//! The pages of a repository on GitLab: as on GitHub, with anchors of its own.

use super::rules::{FILES, ForgeRule, SiteRules};
use crate::audit::Slugs;

pub(super) static RULES: SiteRules =
    SiteRules { slugs: Slugs::Gitlab, forge: ForgeRule::OnForge, ..FILES };
