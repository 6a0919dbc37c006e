//! A text of any length, in a few pieces that can be changed a little.

use super::fragments::{BYTES, FRAGMENTS};

/// SplitMix64: the same numbers for the same seed, on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// A fragment, some times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gene {
    fragment: usize,
    times: usize,
}

impl Gene {
    fn random(random: &mut Random) -> Self {
        let fragment = random.below(FRAGMENTS.len() + BYTES.len());
        let times = match random.below(16) {
            0 => 1 << random.below(11),
            _ => 1,
        };
        Self { fragment, times }
    }

    fn bytes(self) -> &'static [u8] {
        match FRAGMENTS.get(self.fragment) {
            Some(fragment) => fragment.as_bytes(),
            None => BYTES[(self.fragment - FRAGMENTS.len()) % BYTES.len()],
        }
    }

    fn write(self, text: &mut Vec<u8>) {
        for _ in 0..self.times {
            text.extend_from_slice(self.bytes());
        }
    }
}

/// What a text starts with, one or two units that are repeated, each over its part of the text, and
/// what it ends with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Genome {
    parts: [Vec<Gene>; 4],
}

const HEAD: usize = 0;
const UNIT: usize = 1;
const SECOND: usize = 2;
const TAIL: usize = 3;
/// More genes than these say nothing new.
const MAX_GENES: usize = 12;

impl Genome {
    pub fn random(random: &mut Random) -> Self {
        let mut genome = Self::default();
        for _ in 0..1 + random.below(4) {
            genome.parts[UNIT].push(Gene::random(random));
        }
        for part in [HEAD, SECOND, TAIL] {
            if random.one_in(3) {
                genome.parts[part].push(Gene::random(random));
            }
        }
        genome
    }

    /// The text of about `length` bytes.
    pub fn text(&self, length: usize) -> Vec<u8> {
        let written = self.parts.each_ref().map(|genes| {
            let mut bytes = Vec::new();
            genes.iter().for_each(|gene| gene.write(&mut bytes));
            bytes
        });
        text(&written.each_ref().map(Vec::as_slice), length)
    }

    /// A child, which has something of `other`.
    pub fn changed(&self, other: &Self, random: &mut Random) -> Self {
        let mut child = self.clone();
        for _ in 0..1 + random.below(3) {
            child.change(other, random);
        }
        for part in &mut child.parts {
            part.truncate(MAX_GENES);
        }
        if child.parts[UNIT].is_empty() {
            child.parts[UNIT].push(Gene::random(random));
        }
        child
    }

    fn change(&mut self, other: &Self, random: &mut Random) {
        let part = match random.below(8) {
            0 => HEAD,
            1 => SECOND,
            2 => TAIL,
            _ => UNIT,
        };
        let genes = &mut self.parts[part];
        let at = random.below(genes.len() + 1);
        let within = random.below(genes.len());
        match random.below(10) {
            0..3 => genes.insert(at, Gene::random(random)),
            3..5 if !genes.is_empty() => drop(genes.remove(within)),
            5 if !genes.is_empty() => genes[within] = Gene::random(random),
            6 if !genes.is_empty() => {
                genes[within].times = match random.below(3) {
                    0 => 1,
                    1 => (genes[within].times * 2).min(2048),
                    _ => 1 << random.below(12),
                };
            }
            7 if !genes.is_empty() => {
                let gene = genes.remove(within);
                let to = random.below(4);
                self.parts[to].push(gene);
            }
            8 if !genes.is_empty() => {
                let swapped = random.below(genes.len());
                genes.swap(within, swapped);
            }
            _ => {
                let from = &other.parts[random.below(4)];
                if !from.is_empty() {
                    let first = random.below(from.len());
                    let last = first + 1 + random.below(from.len() - first);
                    let taken: Vec<Gene> = from[first..last].to_vec();
                    self.parts[part].splice(at..at, taken);
                }
            }
        }
    }

    /// As it is written in a test.
    pub fn shown(&self) -> String {
        let mut shown = String::new();
        for (name, part) in ["head", "unit", "second", "tail"].iter().zip(&self.parts) {
            if part.is_empty() {
                continue;
            }
            shown.push_str(&format!("{name} "));
            for gene in part {
                let text = String::from_utf8_lossy(gene.bytes());
                shown.push_str(&format!("{text:?}"));
                if gene.times > 1 {
                    shown.push_str(&format!("*{}", gene.times));
                }
                shown.push(' ');
            }
        }
        shown
    }
}

/// The text of about `length` bytes of what it starts with, one or two units, and what it ends
/// with.
pub fn text(parts: &[&[u8]], length: usize) -> Vec<u8> {
    let part = |at: usize| parts.get(at).copied().unwrap_or_default();
    let mut text = Vec::with_capacity(length + 64);
    text.extend_from_slice(part(HEAD));
    let end = length.saturating_sub(part(TAIL).len());
    let first_end = if part(SECOND).is_empty() { end } else { (text.len() + end) / 2 };
    for (unit, end) in [(part(UNIT), first_end), (part(SECOND), end)] {
        while text.len() < end && !unit.is_empty() {
            text.extend_from_slice(unit);
        }
    }
    text.extend_from_slice(part(TAIL));
    text
}
