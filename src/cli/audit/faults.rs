//! Shows each fault once, with all its places. A link in the header of a thousand pages is one
//! fault.

use std::collections::HashMap;

use super::report::ReportedFault;
use urigrep::internal::counted;

/// Limit on the bytes held back. When it is reached, the held faults are shown, and later ones
/// count as new.
const MAX_HELD_BYTES: usize = 16 << 20;

/// Maximum number of places listed per fault; the others are counted.
const MAX_LISTED_PLACES: usize = 4;

#[derive(Debug, Default)]
pub struct Faults {
    /// In order of first appearance.
    faults: Vec<RepeatedFault>,
    by_key: HashMap<String, usize>,
    held: usize,
    shown: u64,
}

#[derive(Debug)]
struct RepeatedFault {
    first: ReportedFault,
    others: Vec<String>,
    more: u64,
}

impl Faults {
    pub fn add(&mut self, fault: ReportedFault) {
        let known = self.by_key.get(&fault.key).and_then(|&at| self.faults.get_mut(at));
        if let Some(known) = known {
            if known.others.len() < MAX_LISTED_PLACES {
                known.others.push(fault.place)
            } else {
                known.more += 1
            }
            return;
        }
        // The key is held twice, in the map and in the fault; 128 bytes are an estimate for the
        // rest.
        self.held += fault.head.len() + fault.tail.len() + 2 * fault.key.len() + 128;
        self.by_key.insert(fault.key.clone(), self.faults.len());
        self.faults.push(RepeatedFault { first: fault, others: Vec::new(), more: 0 });
        self.shown += 1;
    }

    /// Returns the number of different faults so far.
    pub fn different(&self) -> u64 {
        self.shown
    }

    pub fn are_many(&self) -> bool {
        self.held > MAX_HELD_BYTES
    }

    /// Shows all held faults, and removes them.
    pub fn show(&mut self, out: &mut Vec<u8>) {
        for fault in self.faults.drain(..) {
            out.extend_from_slice(&fault.first.head);
            if !fault.others.is_empty() {
                out.extend_from_slice(&fault.first.aside);
                out.extend_from_slice(format!("also at {}", fault.others.join(", ")).as_bytes());
                if fault.more > 0 {
                    let more = counted(fault.more, "more place");
                    out.extend_from_slice(format!(" and {more}").as_bytes());
                }
                out.push(b'\n');
            }
            out.extend_from_slice(&fault.first.tail);
        }
        self.by_key.clear();
        self.held = 0;
    }
}
