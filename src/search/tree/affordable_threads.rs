//! How many threads the system gives.

use std::sync::{Arc, Mutex, mpsc};
use std::thread;

/// It may give fewer than are asked for, and none at all; a walk can't go on without those it was promised.
pub(crate) fn affordable_threads(threads: usize) -> usize {
    let (hold, wait) = mpsc::channel::<()>();
    let wait = Arc::new(Mutex::new(wait));
    let mut probes = Vec::new();
    for _ in 0..threads {
        let wait = Arc::clone(&wait);
        let probe = thread::Builder::new().spawn(move || {
            // Ends when the sender is gone.
            drop(wait.lock().map(|wait| wait.recv()));
        });
        match probe {
            Ok(probe) => probes.push(probe),
            Err(_) => break,
        }
    }
    drop(hold);
    let given = probes.len();
    for probe in probes {
        drop(probe.join());
    }
    if given < threads { given / 2 } else { given }
}
