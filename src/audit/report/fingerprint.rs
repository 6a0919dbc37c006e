//! The identity of a finding across runs, for services that show only new ones.

use std::collections::HashMap;

use crate::audit::LocatedFinding;

/// Computes the fingerprints of the findings of a document, in order.
///
/// Lines and columns are not part of them, because they change with every edit above. Equal
/// findings of a document are numbered.
pub struct Fingerprints<'d> {
    path: &'d [u8],
    seen: HashMap<u64, u64>,
}

impl<'d> Fingerprints<'d> {
    /// The path is that in the checkout.
    pub fn new(path: &'d [u8]) -> Self {
        Self { path, seen: HashMap::new() }
    }

    pub fn next(&mut self, located: &LocatedFinding) -> String {
        let finding = &located.finding;
        let about = finding.uri.as_deref().unwrap_or(&finding.message);
        let path = self.path.strip_prefix(b"./").unwrap_or(self.path);
        let hash = [path, finding.check.id.as_bytes(), about.as_bytes()]
            .into_iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, part| {
                part.iter().chain(b"\0").fold(hash, |hash, byte| fnv(hash, *byte))
            });
        let number = self.seen.entry(hash).or_default();
        *number += 1;
        let bytes = number.to_le_bytes();
        format!("{:016x}", bytes.iter().fold(hash, |hash, byte| fnv(hash, *byte)))
    }
}

/// A step of FNV-1a: fingerprints are stored by services, so they must never change.
fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}
