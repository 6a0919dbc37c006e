//! Right and wrong spans, and the figures made from them.

use std::ops::{AddAssign, Range};

use crate::labels::{Document, Label, has_slashes, overlap};

/// Which labels count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Those with `scheme://` that stand in one line.
    Plain,
}

/// How many spans are right, found and labelled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    pub right: usize,
    pub found: usize,
    pub labelled: usize,
}

impl Score {
    pub fn precision(self) -> f64 {
        share(self.right, self.found)
    }

    pub fn recall(self) -> f64 {
        share(self.right, self.labelled)
    }

    /// The harmonic mean of both.
    pub fn f1(self) -> f64 {
        share(2 * self.right, self.found + self.labelled)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.found += other.found;
        self.labelled += other.labelled;
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// A span that is not as labelled.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// A label that nothing overlaps.
    Missed(Range<usize>),
    /// A match that overlaps no label.
    Extra(Range<usize>),
    /// A label, and the matches that overlap it.
    Differs(Range<usize>, Vec<Range<usize>>),
}

impl Wrong {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            Wrong::Missed(_) => "missed",
            Wrong::Extra(_) => "extra",
            Wrong::Differs(label, found) => match &found[..] {
                [found] => match (found.start == label.start, found.end.cmp(&label.end)) {
                    (true, std::cmp::Ordering::Less) => "too short",
                    (true, _) => "too long",
                    (false, std::cmp::Ordering::Equal) => "wrong start",
                    (false, _) => "wrong start and end",
                },
                _ => "in pieces",
            },
        }
    }
}

/// The score of `found`, and what is wrong.
pub fn score(document: &Document, found: &[Range<usize>], scope: Scope) -> (Score, Vec<Wrong>) {
    let counts = |label: &&Label| scope == Scope::All || document.is_plain(label);
    let labels: Vec<_> = document.labels.iter().filter(counts).map(|l| &l.span).collect();
    let left_out: Vec<_> = document
        .labels
        .iter()
        .filter(|label| !counts(label))
        .map(|label| &label.span)
        .chain(&document.disputed)
        .collect();
    let found: Vec<_> = found
        .iter()
        .filter(|span| {
            labels.contains(span)
                || !left_out.iter().any(|out| overlap(out, span))
                    && (scope == Scope::All
                        || has_slashes(document.slice(span))
                        || labels.iter().any(|label| overlap(label, span)))
        })
        .collect();
    let score = Score {
        right: found.iter().filter(|span| labels.contains(span)).count(),
        found: found.len(),
        labelled: labels.len(),
    };
    let mut wrong = Vec::new();
    for &label in labels.iter().filter(|label| !found.contains(label)) {
        let near: Vec<_> = found.iter().filter(|span| overlap(label, span)).collect();
        wrong.push(if near.is_empty() {
            Wrong::Missed(label.clone())
        } else {
            Wrong::Differs(label.clone(), near.into_iter().map(|&s| s.clone()).collect())
        });
    }
    for &span in &found {
        if !labels.iter().any(|label| overlap(label, span)) {
            wrong.push(Wrong::Extra(span.clone()));
        }
    }
    (score, wrong)
}
