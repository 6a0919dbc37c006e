//! SIGHUP, SIGINT and SIGTERM while records are on their way: they are written to the end, then the signal kills.
//!
//! A signal that comes at any other time kills at once, and so does the second one: whoever reads our
//! output may never read on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::low_level::emulate_default_handler;

use urigrep::search::proc_self;

/// Whether a signal came, whatever becomes of it.
static CAME: AtomicBool = AtomicBool::new(false);
/// Whether a signal kills at once.
static AT_ONCE: AtomicBool = AtomicBool::new(true);
/// The signal that came when it did not.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);

/// Sets the handlers; to be called once. Where that fails, signals kill at once as they always did.
pub fn catch() {
    let ignored = ignored();
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        if ignored >> (signal - 1) & 1 == 1 {
            continue;
        }
        // The order is that of the handlers: the first signal opens the way for the second.
        let _ = flag::register(signal, &CAME)
            .and_then(|_| flag::register_conditional_default(signal, &AT_ONCE))
            .and_then(|_| flag::register(signal, &AT_ONCE))
            .and_then(|_| flag::register_usize(signal, &CAUGHT, signal.unsigned_abs() as usize));
    }
}

/// Writes whole records by `write`.
pub fn shielded<T>(write: impl FnOnce() -> T) -> T {
    AT_ONCE.store(false, Ordering::SeqCst);
    // A handler in another thread may have seen that it kills, and not have done so yet: no record is begun. Either
    // it has, or we see here that the signal came.
    while CAME.load(Ordering::SeqCst) {
        die_of_what_was_caught();
        thread::yield_now();
    }
    let written = write();
    AT_ONCE.store(true, Ordering::SeqCst);
    die_of_what_was_caught();
    written
}

/// Does not come back when a signal was caught.
fn die_of_what_was_caught() {
    if let Ok(signal @ 1..) = i32::try_from(CAUGHT.load(Ordering::SeqCst)) {
        let _ = emulate_default_handler(signal);
    }
}

/// The signals that whoever started us ignores, as shells do for what runs in the background: a bit each. Only
/// Linux tells.
fn ignored() -> u64 {
    let status = proc_self("status");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
