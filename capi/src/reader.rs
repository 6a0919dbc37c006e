//! Text that arrives in chunks: a reader, which takes bytes and reports their matches.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use finder::Finder;
use finder::finder::{Feed, ReaderMatch};

use crate::{
    URIGREP_DONE, URIGREP_ENDED, URIGREP_FAULT, URIGREP_NULL, URIGREP_STOPPED, bytes,
    urigrep_callback, urigrep_finder, urigrep_match,
};

/// A search of text that arrives in chunks. It has a copy of its finder. One thread may use it at a
/// time.
#[allow(non_camel_case_types, reason = "the name is C's")]
pub struct urigrep_reader {
    /// Borrows from `finder`; gone once the text has ended.
    feed: Option<Feed<'static>>,
    /// From `Box::into_raw`: a `Box` would claim to be the only way to the finder.
    finder: *mut Finder,
}

impl Drop for urigrep_reader {
    fn drop(&mut self) {
        self.feed = None;
        // SAFETY: it comes from `Box::into_raw`, is freed only here, and nothing borrows it any
        // more.
        drop(unsafe { Box::from_raw(self.finder) });
    }
}

/// Creates a reader; null if the finder is null. The finder may be freed before the reader.
///
/// # Safety
/// The finder must be null or come from `urigrep_finder_new` or `urigrep_finder_new_json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_reader_new(finder: *const urigrep_finder) -> *mut urigrep_reader {
    // SAFETY: the caller passes null or a finder of ours.
    let Some(finder) = (unsafe { finder.as_ref() }) else {
        return std::ptr::null_mut();
    };
    let made = catch_unwind(AssertUnwindSafe(|| {
        let finder = Box::into_raw(Box::new(finder.finder.clone()));
        // SAFETY: it was made above, nothing changes it, and it is freed after the feed.
        let feed = unsafe { &*finder }.feed();
        Box::into_raw(Box::new(urigrep_reader { feed: Some(feed), finder }))
    }));
    made.unwrap_or(std::ptr::null_mut())
}

/// Takes the next bytes of the text, and passes the matches that no further byte can change to a
/// callback, in order. Their offsets count from the first byte of the text.
///
/// Memory is bounded by the longest URI. Returns `URIGREP_DONE`; `URIGREP_STOPPED` if the callback
/// ended the search, or `URIGREP_FAULT`, both of which end the reader; `URIGREP_ENDED` if it has
/// ended, or `URIGREP_NULL`.
///
/// # Safety
/// The reader must be null or come from `urigrep_reader_new`, and the chunk must have `length`
/// bytes. The callback must not use the reader, and must neither throw nor jump.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_reader_push(
    reader: *mut urigrep_reader,
    chunk: *const u8,
    length: usize,
    callback: urigrep_callback,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the caller passes null or a reader of ours, which nothing else uses meanwhile.
    let (Some(reader), Some(callback)) = (unsafe { reader.as_mut() }, callback) else {
        return URIGREP_NULL;
    };
    // SAFETY: the caller guarantees that `length` bytes are there.
    let Some(chunk) = (unsafe { bytes(chunk, length) }) else {
        return URIGREP_NULL;
    };
    // Taken, so that a reader that was stopped or has failed has ended.
    let Some(mut feed) = reader.feed.take() else {
        return URIGREP_ENDED;
    };
    let push = || {
        let matches = feed.push(chunk);
        let result = report(matches, callback, context);
        (result, feed)
    };
    match catch_unwind(AssertUnwindSafe(push)) {
        Ok((URIGREP_DONE, feed)) => {
            reader.feed = Some(feed);
            URIGREP_DONE
        }
        Ok((result, _)) => result,
        Err(_) => URIGREP_FAULT,
    }
}

/// Ends the text, and passes the rest of its matches to a callback. Returns what
/// `urigrep_reader_push` does; afterwards, the reader can only be freed.
///
/// # Safety
/// As for `urigrep_reader_push`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_reader_finish(
    reader: *mut urigrep_reader,
    callback: urigrep_callback,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the caller passes null or a reader of ours, which nothing else uses meanwhile.
    let (Some(reader), Some(callback)) = (unsafe { reader.as_mut() }, callback) else {
        return URIGREP_NULL;
    };
    let Some(feed) = reader.feed.take() else {
        return URIGREP_ENDED;
    };
    let finish = AssertUnwindSafe(|| report(feed.finish(), callback, context));
    catch_unwind(finish).unwrap_or(URIGREP_FAULT)
}

/// Frees a reader; null is ignored.
///
/// # Safety
/// The reader must come from `urigrep_reader_new`, and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_reader_free(reader: *mut urigrep_reader) {
    if !reader.is_null() {
        // SAFETY: the caller passes a reader of ours and gives it up.
        drop(unsafe { Box::from_raw(reader) });
    }
}

fn report(
    matches: impl Iterator<Item = ReaderMatch>,
    callback: extern "C" fn(*const urigrep_match, *mut c_void) -> c_int,
    context: *mut c_void,
) -> c_int {
    for m in matches {
        let found = urigrep_match::new(m.range(), m.parsed(), m.kind(), m.flags());
        if callback(&found, context) != 0 {
            return URIGREP_STOPPED;
        }
    }
    URIGREP_DONE
}
