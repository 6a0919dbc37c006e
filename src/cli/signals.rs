//! Handles SIGHUP, SIGINT and SIGTERM while records are written: the records are completed, then
//! the signal kills.
//!
//! A signal at any other time kills at once, and so does a second one, because the reader of our
//! output may never read on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::emulate_default_handler;

use urigrep::internal::proc_self;

/// True once a signal arrived, even if it kills at once.
static CAME: AtomicBool = AtomicBool::new(false);
/// True if a signal kills at once.
static AT_ONCE: AtomicBool = AtomicBool::new(true);
/// True while no signal kills, because the program ends by itself when one arrives.
static HELD: AtomicBool = AtomicBool::new(false);
/// The signal that was held back.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);

/// Installs the handlers. Call it once. If that fails, signals kill at once, as by default.
pub fn catch() {
    let ignored = ignored();
    // The signals that ask a program to end: a terminal that closes, Ctrl-C, and `kill`. Others
    // mean a fault.
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        // A handler would end the ignoring. `nohup urigrep …` must survive SIGHUP, and a background
        // job of a shell must survive SIGINT.
        if ignored >> (signal - 1) & 1 == 1 {
            continue;
        }
        // Handlers run in order of registration: the first signal sets the flag that makes the
        // second one kill.
        let _ = flag::register(signal, &CAME)
            .and_then(|_| flag::register_conditional_default(signal, &AT_ONCE))
            .and_then(|_| flag::register(signal, &AT_ONCE))
            .and_then(|_| flag::register_usize(signal, &CAUGHT, signal.unsigned_abs() as usize));
    }
}

/// Writes whole records with `write`, so that no signal cuts one.
pub fn shielded<T>(write: impl FnOnce() -> T) -> T {
    if HELD.load(Ordering::SeqCst) {
        return write();
    }
    AT_ONCE.store(false, Ordering::SeqCst);
    // A handler in another thread may already have decided to kill but not done so yet. Then no
    // record may begin. Either it kills now, or this loop sees that the signal arrived.
    while CAME.load(Ordering::SeqCst) {
        die_of_what_was_caught();
        thread::yield_now();
    }
    let written = write();
    // A signal from here on kills at once. One that came during the write was only recorded, so it
    // is looked for after this store, not before.
    AT_ONCE.store(true, Ordering::SeqCst);
    die_of_what_was_caught();
    written
}

/// From now on, the first signal does not kill: the caller looks for it by [`came`] and ends.
pub fn hold() {
    HELD.store(true, Ordering::SeqCst);
    AT_ONCE.store(false, Ordering::SeqCst);
}

/// True if a signal arrived.
pub fn came() -> bool {
    CAME.load(Ordering::SeqCst)
}

/// Ends [`hold`]. Does not return if a signal arrived: it kills, so that a shell sees the reason.
pub fn release() {
    HELD.store(false, Ordering::SeqCst);
    AT_ONCE.store(true, Ordering::SeqCst);
    die_of_what_was_caught();
}

/// Does not return if a signal was held back.
fn die_of_what_was_caught() {
    if let Ok(signal @ 1..) = i32::try_from(CAUGHT.load(Ordering::SeqCst)) {
        let _ = emulate_default_handler(signal);
    }
}

/// Returns the signals that the parent process made us ignore, one bit each. Shells do so for
/// background jobs. Only Linux reports them.
fn ignored() -> u64 {
    let status = proc_self("status");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
