//! Turns a panic while one file is searched into a problem of that file.
//!
//! No known input causes one. If one does, all other files are still searched, and the message
//! names the place of the panic.

use crate::threads::lock;
use std::any::Any;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// The place of the last panic. If two threads panic at once, one may report the place of the
/// other.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Installs a hook that prints nothing, because [`catch_panic`] reports panics. Call it once.
pub fn silence_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        *lock(&PLACE) = place;
    }));
}

/// Runs `act` so that a panic does not end the process, even in helper threads.
///
/// # Errors
/// If it panics; the message is a diagnostic.
pub fn catch_panic<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    // Unwind safety: the caller drops every value that was being changed, and shared values are
    // behind locks that leave them consistent.
    catch_unwind(AssertUnwindSafe(act)).map_err(|payload| {
        let place = lock(&PLACE).as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        let message = message(&*payload);
        format!("this is a fault of urigrep, please report it: {message}{place}")
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    // `panic!` with a literal has a `&str` as its payload, and with arguments a `String`.
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}

/// Panics if the text holds the value of the variable URIGREP_TEST_PANIC, so that tests can check
/// the recovery.
#[cfg(debug_assertions)]
pub fn panic_for_test(text: &[u8]) {
    static WANTED: std::sync::LazyLock<Option<std::ffi::OsString>> =
        std::sync::LazyLock::new(|| std::env::var_os("URIGREP_TEST_PANIC"));
    if let Some(wanted) = &*WANTED {
        let is_there = memchr::memmem::find(text, wanted.as_encoded_bytes()).is_some();
        assert!(!is_there, "provoked");
    }
}

/// Does nothing: a release build does not read the variable.
#[cfg(not(debug_assertions))]
pub fn panic_for_test(_text: &[u8]) {}
