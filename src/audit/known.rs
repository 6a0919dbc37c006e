//! Known findings that are not reported again: [`KnownFindings`].

use std::collections::BTreeMap;

use crate::audit::AuditFinding;

/// Identity of a finding that survives moved lines: its check, and a hash of its subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingKey {
    check: String,
    hash: String,
}

impl FindingKey {
    /// Returns the key of a check id and a stored hash.
    pub fn new(check: impl Into<String>, hash: impl Into<String>) -> Self {
        Self { check: check.into(), hash: hash.into() }
    }

    /// Returns the key of a finding, by its URI or else its message.
    pub fn from_finding(finding: &AuditFinding) -> Self {
        // Not by line or offset: those change with every edit above the finding.
        let about = finding.uri.as_deref().unwrap_or(&finding.message);
        Self::new(finding.check.id, format!("{:016x}", fnv(about.as_bytes())))
    }

    /// Returns the id of the check.
    pub fn check(&self) -> &str {
        &self.check
    }

    /// Returns the hash, which reveals nothing about a URI that may hold a secret.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// 64-bit FNV-1a. Baselines are stored in files, so the hash must be the same on every machine and
/// in every version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Known findings of one document, with the number of each.
///
/// ```
/// use urigrep::audit::{FindingKey, KnownFindings};
/// let mut known = KnownFindings::default();
/// known.add(FindingKey::new("missing-target", "00f1"), 2);
/// assert_eq!(known.iter().next().unwrap().1, 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFindings(BTreeMap<FindingKey, u64>);

impl KnownFindings {
    /// Adds `count` findings with this key.
    pub fn add(&mut self, key: FindingKey, count: u64) {
        *self.0.entry(key).or_default() += count;
    }

    /// Returns the keys in order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&FindingKey, u64)> {
        self.0.iter().map(|(key, &count)| (key, count))
    }

    /// Removes one finding of this key; false if none is left.
    pub(super) fn take(&mut self, finding: &AuditFinding) -> bool {
        if self.0.is_empty() {
            return false;
        }
        match self.0.get_mut(&FindingKey::from_finding(finding)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}
