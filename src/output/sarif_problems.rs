//! The problems of a SARIF log, which it lists at its end.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use crate::search::Problem;
use crate::threads::lock;
use serde::Serialize;

use super::sarif::{self, Invocation, Notification, plain};

/// Limit on the problems in the log, in the order of their paths. Standard error has all of them.
const PROBLEMS_MAX: usize = 1000;

/// The problems of all threads, sorted by path. Each pair of path and message is kept once, because
/// a file may be searched twice.
#[derive(Clone, Debug, Default)]
pub struct SarifProblems(Arc<Mutex<SortedProblems>>);

type SortedProblems = BTreeSet<(Vec<u8>, String)>;

impl SarifProblems {
    pub fn add(&self, problem: &Problem) {
        // What other threads collected is still worth a report after one of them panicked.
        let mut problems = lock(&self.0);
        problems.insert((problem.path().to_vec(), problem.message().to_owned()));
        if problems.len() > PROBLEMS_MAX {
            // Threads finish in any order. The first paths are the same in every run, the first
            // problems are not.
            problems.pop_last();
        }
    }

    /// Appends the end of the log of a run with `errors` errors; `counts` are its properties.
    pub fn close(&self, errors: u64, counts: &impl Serialize, out: &mut Vec<u8>) {
        let problems = lock(&self.0);
        let texts: Vec<_> = problems.iter().map(|(path, message)| (path, plain(message))).collect();
        let notifications =
            texts.iter().map(|(path, text)| Notification::error(path, text)).collect();
        sarif::close(&Invocation::new(errors, notifications), counts, out);
    }
}
