//! Faults that are shown once, with all their places: a link in the header of a thousand pages is one fault.

use std::collections::HashMap;

use super::report::ReportedFault;
use super::summary::counted;

/// So many bytes are held back; then what is there is shown, and what comes is new.
const MOST: usize = 16 << 20;

/// So many places of one fault are named; the others are counted.
const NAMED: usize = 4;

#[derive(Debug, Default)]
pub struct Faults {
    /// In the order in which they came.
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
            match known.others.len() < NAMED {
                true => known.others.push(fault.place),
                false => known.more += 1,
            }
            return;
        }
        self.held += fault.head.len() + fault.tail.len() + 2 * fault.key.len() + 128;
        self.by_key.insert(fault.key.clone(), self.faults.len());
        self.faults.push(RepeatedFault { first: fault, others: Vec::new(), more: 0 });
        self.shown += 1;
    }

    /// How many different ones there were.
    pub fn different(&self) -> u64 {
        self.shown
    }

    pub fn are_many(&self) -> bool {
        self.held > MOST
    }

    /// Shows all that are there, and forgets them.
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
