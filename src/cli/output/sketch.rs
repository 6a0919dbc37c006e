//! Counts distinct hashes in bounded memory: exactly up to a limit, then by estimate.
//!
//! The sketch is a HyperLogLog (Flajolet et al. 2007) of 2^14 registers. It is read by the
//! estimator of O. Ertl ("New cardinality estimation algorithms for HyperLogLog sketches", 2017,
//! algorithm 6), which has no bias to correct. Its standard error is 0.8 %. The estimate depends
//! neither on the order nor on the number of threads.

use std::collections::HashSet;

/// Maximum number of hashes that are counted exactly.
const MAX_EXACT: usize = 1 << 16;
/// Number of leading hash bits that select a register.
const INDEX_BITS: u32 = 14;
const REGISTERS: usize = 1 << INDEX_BITS;
/// Number of hash bits whose leading zeros a register counts.
const RANK_BITS: u32 = u64::BITS - INDEX_BITS;

/// The number of distinct hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistinctCount {
    Exact(u64),
    Estimated(u64),
}

impl DistinctCount {
    pub fn number(self) -> u64 {
        match self {
            Self::Exact(number) | Self::Estimated(number) => number,
        }
    }
}

/// Counts distinct hashes.
#[derive(Clone, Debug)]
pub enum Sketch {
    Exact(HashSet<u64>),
    Estimated(Box<[u8; REGISTERS]>),
}

impl Default for Sketch {
    fn default() -> Self {
        Self::Exact(HashSet::new())
    }
}

impl Sketch {
    pub fn insert(&mut self, hash: u64) {
        match self {
            Self::Exact(hashes) => {
                hashes.insert(hash);
                if hashes.len() > MAX_EXACT {
                    // The exact set is turned into registers once. From here on memory is constant.
                    *self = Self::Estimated(registers(hashes));
                }
            }
            Self::Estimated(registers) => add(registers, hash),
        }
    }

    /// Adds the hashes that another sketch counted.
    pub fn merge(&mut self, other: Self) {
        match (&mut *self, other) {
            // Registers are a pure function of the set of hashes. So merging in any order, at any
            // size, gives the same registers as counting in one thread.
            (_, Self::Exact(hashes)) => hashes.into_iter().for_each(|hash| self.insert(hash)),
            (Self::Exact(hashes), Self::Estimated(mut registers)) => {
                hashes.iter().for_each(|&hash| add(&mut registers, hash));
                *self = Self::Estimated(registers);
            }
            (Self::Estimated(registers), Self::Estimated(others)) => {
                for (register, other) in registers.iter_mut().zip(*others) {
                    *register = other.max(*register);
                }
            }
        }
    }

    pub fn count(&self) -> DistinctCount {
        match self {
            Self::Exact(hashes) => DistinctCount::Exact(hashes.len() as u64),
            Self::Estimated(registers) => DistinctCount::Estimated(estimate(registers)),
        }
    }
}

fn registers(hashes: &HashSet<u64>) -> Box<[u8; REGISTERS]> {
    let mut registers = Box::new([0; REGISTERS]);
    hashes.iter().for_each(|&hash| add(&mut registers, hash));
    registers
}

/// Updates a register. It holds the largest number of leading zeros among its hashes, plus one.
fn add(registers: &mut [u8; REGISTERS], hash: u64) {
    // The shift fills with zeros at the right: without the bound, a hash of nothing but zeros
    // after the index would count them, too.
    let rank = (hash << INDEX_BITS).leading_zeros().min(RANK_BITS) + 1;
    if let Some(register) = registers.get_mut((hash >> RANK_BITS) as usize) {
        *register = (*register).max(rank as u8);
    }
}

fn estimate(registers: &[u8; REGISTERS]) -> u64 {
    // A register holds 0 if it is empty, else 1 to RANK_BITS + 1.
    let mut counts = [0_u32; RANK_BITS as usize + 2];
    for &register in registers {
        if let Some(count) = counts.get_mut(usize::from(register)) {
            *count += 1;
        }
    }
    let all = REGISTERS as f64;
    // Ertl's algorithm 6 needs only how many registers have each value. Empty and saturated
    // registers are corrected by `sigma` and `tau`.
    let [empty, between @ .., full] = counts.map(f64::from);
    let mut sum = all * tau(1.0 - full / all);
    for count in between.into_iter().rev() {
        sum = 0.5 * (sum + count);
    }
    sum += all * sigma(empty / all);
    (all * all / (2.0 * std::f64::consts::LN_2 * sum)).round() as u64
}

/// The sum of x^(2^k) 2^(k-1) over all k, and x (Ertl, equation 14), for x < 1; otherwise the sum
/// grows without bound.
fn sigma(mut x: f64) -> f64 {
    let (mut power, mut sum) = (1.0, x);
    loop {
        x *= x;
        let before = sum;
        sum += x * power;
        power += power;
        if sum == before || !sum.is_finite() {
            return sum;
        }
    }
}

/// (1 - x - the sum of (1 - x^(2^-k))² 2^-k over all k) / 3 (Ertl, equation 21).
fn tau(mut x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return 0.0;
    }
    let (mut power, mut sum) = (1.0, 1.0 - x);
    loop {
        x = x.sqrt();
        let before = sum;
        power *= 0.5;
        sum -= (1.0 - x).powi(2) * power;
        if sum == before {
            return sum / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    use super::*;

    fn filled(numbers: impl Iterator<Item = u64>) -> Sketch {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut sketch = Sketch::default();
        numbers.for_each(|number| sketch.insert(hasher.hash_one(number)));
        sketch
    }

    #[test]
    fn few_are_exact() {
        let few = MAX_EXACT as u64;
        assert_eq!(filled((0..few).chain(0..few)).count(), DistinctCount::Exact(few));
        assert!(matches!(filled(0..=few).count(), DistinctCount::Estimated(_)));
    }

    /// Estimates are within four standard errors, from the size at which estimating begins.
    #[test]
    fn many_are_nearly_right() {
        for number in [MAX_EXACT as u64 + 1, 100_000, 200_000, 500_000] {
            for start in [0, 1 << 40] {
                let count = filled(start..start + number).count().number();
                let error = (count as f64 - number as f64).abs() / number as f64;
                assert!(error < 0.033, "{number}: {count}");
            }
        }
    }

    /// The order of the parts, and their number, do not matter.
    #[test]
    fn parts_come_to_the_whole() {
        for whole in [1000, 70_000, 200_000] {
            let all = filled(0..whole).count();
            for parts in [2, 3, 7] {
                let mut merged = Sketch::default();
                for part in (0..parts).rev() {
                    merged.merge(filled((0..whole).filter(|number| number % parts == part)));
                }
                assert_eq!(merged.count(), all, "{whole} in {parts}");
            }
        }
    }
}
