//! The pages of a repository on GitHub: files as they are, with the pages of the forge around them.

use super::rules::{FILES, ForgeRule, SiteRules};

pub(super) static RULES: SiteRules = SiteRules { forge: ForgeRule::OnForge, ..FILES };
