//! The reviewed deviations (`waivers.toml`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::case::Case;

/// Deviations of one suite for one reason. A case is named by its file, its number and the checksum
/// of what it asks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waiver {
    suite: String,
    rule: String,
    reason: String,
    cases: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Waiver>,
}

/// What a waiver says, and which of them have been of use.
#[derive(Debug)]
pub struct Waivers {
    /// By suite and checksum: the place of the case, the rule and the reason.
    by_case: BTreeMap<(String, String), (String, String)>,
    used: BTreeSet<(String, String)>,
}

impl Waivers {
    pub fn load() -> Result<Self, String> {
        let file: File = toml::from_str(include_str!("../waivers.toml"))
            .map_err(|e| format!("waivers.toml: {e}"))?;
        let mut by_case = BTreeMap::new();
        for Waiver { suite, rule, reason, cases } in file.waiver {
            for case in cases {
                let wrong =
                    || format!("waivers.toml: {suite}: a case has a place and a checksum: {case}");
                let (place, sum) = case.rsplit_once(' ').ok_or_else(wrong)?;
                let said = (place.to_owned(), format!("{rule}: {reason}"));
                by_case.insert((suite.clone(), sum.to_owned()), said);
            }
        }
        Ok(Self { by_case, used: BTreeSet::new() })
    }

    /// Why a case may deviate.
    pub fn of(&mut self, suite: &str, case: &Case) -> Option<&str> {
        let id = case.id();
        let sum = id.rsplit(' ').next().unwrap_or_default();
        let key = (suite.to_owned(), sum.to_owned());
        let (_, why) = self.by_case.get(&key)?;
        self.used.insert(key);
        Some(why)
    }

    /// The cases of waivers that no deviation needed.
    pub fn stale(&self, suite: &str) -> Vec<&str> {
        let of_suite = self.by_case.iter().filter(|((name, _), _)| name == suite);
        of_suite
            .filter(|(key, _)| !self.used.contains(*key))
            .map(|(_, (place, _))| place.as_str())
            .collect()
    }
}
