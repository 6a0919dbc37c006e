//! A panic while one file is searched becomes a problem of that file.
//!
//! No input is known to cause one. Should one do so, the others are still searched, and the message says where it was.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// Where the last panic was; of two at once, one may get the place of the other.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Prints nothing for a panic, since [`catch_panic`] reports it. To be called once.
pub fn silence_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
}

/// Does what must not end the process, in the threads that help with it, too.
///
/// # Errors
/// When it panics; the message is a diagnostic.
pub fn catch_panic<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    // The caller drops what was being changed; what is shared is locked and consistent.
    catch_unwind(AssertUnwindSafe(act)).map_err(|payload| {
        let place = PLACE
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|place| format!(" ({place})"))
            .unwrap_or_default();
        let message = message(&*payload);
        format!("this is a fault of urigrep, please report it: {message}{place}")
    })
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked")
}

/// Panics when the text holds the value of the variable URIGREP_TEST_PANIC, for tests of what happens then.
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
