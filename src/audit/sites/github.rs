//! GitHub: files are shown unchanged, with pages of the forge around them.

use super::rules::{FILES, ForgeRule, SiteRules};

pub(super) static RULES: SiteRules = SiteRules { forge: ForgeRule::OnForge, ..FILES };
