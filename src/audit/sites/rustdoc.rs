//! [rustdoc](https://doc.rust-lang.org/rustdoc/): the Markdown of a crate.

use super::rules::{DocumentRule, FILES, ForgeRule, MarkerStrength, SiteRules, UnresolvedLinks};

pub(super) static RULES: SiteRules = SiteRules {
    markers: &["Cargo.toml"],
    content: &["."],
    outputs: &["target/doc"],
    unresolved: UnresolvedLinks::Rust,
    forge: ForgeRule::OnForge,
    marker_strength: MarkerStrength::Weak,
    documents: DocumentRule::Sources,
    ..FILES
};
