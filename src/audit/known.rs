//! Findings that are known already, and not reported: [`KnownFindings`].

use std::collections::BTreeMap;

use crate::audit::AuditFinding;

/// What a finding is recognized by, wherever its lines move: its check, and a hash of what it is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingKey {
    check: String,
    hash: String,
}

impl FindingKey {
    /// The key of a check's id and a hash, as they were written before.
    pub fn new(check: impl Into<String>, hash: impl Into<String>) -> Self {
        Self { check: check.into(), hash: hash.into() }
    }

    /// The key of a finding: by its URI, by its message when it is about none.
    pub fn of(finding: &AuditFinding) -> Self {
        let about = finding.uri.as_deref().unwrap_or(&finding.message);
        Self::new(finding.check.id, format!("{:016x}", fnv(about.as_bytes())))
    }

    /// The id of the check.
    pub fn check(&self) -> &str {
        &self.check
    }

    /// The hash, which shows nothing of a URI that may hold a secret.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

/// FNV-1a with 64 bits: the same on every machine and in every version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The findings of one document that are known, and how many there are of each.
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
    /// Adds `count` findings of this key.
    pub fn add(&mut self, key: FindingKey, count: u64) {
        *self.0.entry(key).or_default() += count;
    }

    /// The keys in order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&FindingKey, u64)> {
        self.0.iter().map(|(key, &count)| (key, count))
    }

    /// Takes one finding of this kind out, if there is one left.
    pub(super) fn take(&mut self, finding: &AuditFinding) -> bool {
        if self.0.is_empty() {
            return false;
        }
        match self.0.get_mut(&FindingKey::of(finding)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}
