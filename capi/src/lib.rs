//! urigrep for C: an opaque finder, a callback for each match, and functions for one URI.
//!
//! No panic crosses the language boundary. `urigrep.h` declares this interface.

mod json;
mod reader;
mod uri;

use std::ffi::{c_char, c_int, c_void};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use finder::options::{
    Abbreviated, Charset, Email, Embedded, HostMapping, Identifiers, Lax, Refang, Schemes, Unwrap,
};
use finder::{Finder, Flag, Flags, Kind, Uri};

pub use reader::{
    urigrep_reader, urigrep_reader_finish, urigrep_reader_free, urigrep_reader_new,
    urigrep_reader_push,
};
pub use uri::{urigrep_components, urigrep_normalize, urigrep_parse, urigrep_part};

/// The version of this header: `URIGREP_VERSION_MAJOR.URIGREP_VERSION_MINOR.URIGREP_VERSION_PATCH`.
/// `urigrep_version` returns that of the library.
pub const URIGREP_VERSION_MAJOR: u32 = 0;
/// The second number of the version.
pub const URIGREP_VERSION_MINOR: u32 = 2;
/// The third number of the version.
pub const URIGREP_VERSION_PATCH: u32 = 0;

/// Accept only what the RFCs allow; skip URIs that would need repair.
pub const URIGREP_STRICT: u32 = 1;
/// Let every character outside ASCII end a URI.
pub const URIGREP_ASCII: u32 = 1 << 1;
/// Accept only schemes that are registered or in wide use.
pub const URIGREP_KNOWN_SCHEMES: u32 = 1 << 2;
/// Also find URIs inside other URIs.
pub const URIGREP_EMBEDDED: u32 = 1 << 3;
/// Read URIs that were made unclickable: `hxxp`, `[.]`.
pub const URIGREP_REFANG: u32 = 1 << 4;
/// Report the targets of redirectors.
pub const URIGREP_UNWRAP: u32 = 1 << 5;
/// Also find URIs without a scheme.
pub const URIGREP_ABBREVIATED: u32 = 1 << 6;
/// Also find mail addresses without `mailto:`.
pub const URIGREP_EMAIL: u32 = 1 << 7;
/// Also find DOIs, ISBNs, and similar identifiers as people write them.
pub const URIGREP_IDENTIFIERS: u32 = 1 << 8;

/// All options that have a bit.
const KNOWN_OPTIONS: u32 = (URIGREP_IDENTIFIERS << 1) - 1;

/// The text was searched to its end.
pub const URIGREP_DONE: c_int = 0;
/// The callback ended the search.
pub const URIGREP_STOPPED: c_int = 1;
/// An argument is null, or no text has this length.
pub const URIGREP_NULL: c_int = -1;
/// A bug in this library; the matches before it were reported.
pub const URIGREP_FAULT: c_int = -2;
/// The text is not what the function reads.
pub const URIGREP_INVALID: c_int = -3;
/// The result does not fit.
pub const URIGREP_TOO_SMALL: c_int = -4;
/// The text of the reader has ended.
pub const URIGREP_ENDED: c_int = -5;

/// A finder. It is immutable, so threads may share it.
#[allow(non_camel_case_types, reason = "the name is C's")]
pub struct urigrep_finder {
    finder: Finder,
}

/// A match. Its pointers are valid until the callback returns; no text ends in NUL.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name is C's")]
pub struct urigrep_match {
    /// The offset in the text of its first byte.
    pub start: usize,
    /// The offset one past its last byte.
    pub end: usize,
    /// The URI, valid under RFC 3986; UTF-8.
    pub uri: *const c_char,
    /// The length of the URI in bytes.
    pub uri_length: usize,
    /// The start of the host in the URI; `host_length` is 0 if there is no host.
    pub host: *const c_char,
    /// The length of the host in bytes.
    pub host_length: usize,
    /// The length of the scheme, which is the start of the URI.
    pub scheme_length: usize,
    /// `uri`, `iri`, `urn`, `lax`, `abbreviated` or `email`.
    pub kind: *const c_char,
    /// The length of the kind in bytes.
    pub kind_length: usize,
    /// Warnings and facts: one bit each, of which `urigrep_flag` knows the names. A later
    /// version may add members behind this one.
    pub flags: u32,
}

impl urigrep_match {
    /// Describes a match at these offsets of the text.
    fn new(range: Range<usize>, uri: Uri<'_>, kind: Kind, flags: Flags) -> Self {
        let (host, kind) = (uri.host().unwrap_or_default(), kind.name());
        Self {
            start: range.start,
            end: range.end,
            uri: uri.as_str().as_ptr().cast(),
            uri_length: uri.as_str().len(),
            host: host.as_ptr().cast(),
            host_length: host.len(),
            scheme_length: uri.scheme().len(),
            kind: kind.as_ptr().cast(),
            kind_length: kind.len(),
            flags: flags.bits(),
        }
    }
}

/// Receives each match, and the context passed to `urigrep_find`. Returns 0 to continue, and any
/// other value to stop.
#[allow(non_camel_case_types, reason = "the name is C's")]
pub type urigrep_callback =
    Option<extern "C" fn(found: *const urigrep_match, context: *mut c_void) -> c_int>;

/// The version, which ends in NUL.
#[unsafe(no_mangle)]
pub extern "C" fn urigrep_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Creates a finder. `options` is 0 or a combination of `URIGREP_STRICT` and the other options;
/// Returns null if a bit has no meaning in this version, and after a bug in this library.
#[unsafe(no_mangle)]
pub extern "C" fn urigrep_finder_new(options: u32) -> *mut urigrep_finder {
    if options & !KNOWN_OPTIONS != 0 {
        return std::ptr::null_mut();
    }
    let made = catch_unwind(|| Box::into_raw(Box::new(urigrep_finder { finder: made(options) })));
    made.unwrap_or(std::ptr::null_mut())
}

fn made(options: u32) -> Finder {
    fn given<T: Default>(options: u32, flag: u32, on: T) -> T {
        if options & flag != 0 { on } else { T::default() }
    }
    Finder::builder()
        .lax(given(options, URIGREP_STRICT, Lax::Reject))
        .charset(given(options, URIGREP_ASCII, Charset::Ascii))
        .schemes(given(options, URIGREP_KNOWN_SCHEMES, Schemes::Known))
        .embedded(given(options, URIGREP_EMBEDDED, Embedded::Report))
        .refang(given(options, URIGREP_REFANG, Refang::Read))
        .unwrap(given(options, URIGREP_UNWRAP, Unwrap::Redirectors))
        .abbreviated(given(options, URIGREP_ABBREVIATED, Abbreviated::Report))
        .email(given(options, URIGREP_EMAIL, Email::Report))
        .identifiers(given(options, URIGREP_IDENTIFIERS, Identifiers::All))
        .host_mapping(HostMapping::idna().unwrap_or_default())
        .build()
}

/// Creates a finder from options in JSON, such as `{"schemes": ["https"], "email": "report"}`.
/// Names and values are those of the Rust library: `schemes` (`any`, `known`, or a list),
/// `charset`, `lax`, `embedded`, `rejoin`, `refang`, `unwrap`, `abbreviated`, `assume_scheme`,
/// `email`, `identifiers`, `detection`, `grammar`, and `max_uri`.
///
/// Returns null if an option is unknown or has a wrong value. The reason is then in `error`, if
/// that is not null: a text of at most `error_size` bytes that ends in NUL.
///
/// # Safety
/// `options` must have `length` bytes, and `error` must be null or have `error_size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_finder_new_json(
    options: *const c_char,
    length: usize,
    error: *mut c_char,
    error_size: usize,
) -> *mut urigrep_finder {
    let made = match options.is_null() {
        true => catch_unwind(|| json::finder(&[])),
        // SAFETY: the caller guarantees that `length` bytes are there.
        false => match unsafe { bytes(options.cast(), length) } {
            Some(options) => catch_unwind(|| json::finder(options)),
            None => Ok(Err("no text has this length".to_owned())),
        },
    };
    let message = match made {
        Ok(Ok(finder)) => return Box::into_raw(Box::new(urigrep_finder { finder })),
        Ok(Err(message)) => message,
        Err(_) => "a bug in this library".to_owned(),
    };
    if !error.is_null() && error_size > 0 {
        let mut kept = message.len().min(error_size - 1);
        while !message.is_char_boundary(kept) {
            kept -= 1;
        }
        // SAFETY: the caller guarantees that `error_size` bytes are there, of which `kept + 1` are
        // written.
        unsafe {
            std::ptr::copy_nonoverlapping(message.as_ptr(), error.cast::<u8>(), kept);
            error.add(kept).write(0);
        }
    }
    std::ptr::null_mut()
}

/// Returns the bit of a flag by its name, such as `has-credentials`; 0 if this version has no such
/// flag. The bit of a flag is the same in all versions.
///
/// # Safety
/// The name must have `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_flag(name: *const c_char, length: usize) -> u32 {
    // SAFETY: the caller guarantees that `length` bytes are there.
    let name = unsafe { bytes(name.cast(), length) }.unwrap_or_default();
    let flag = Flag::ALL.iter().find(|flag| flag.name().as_bytes() == name);
    flag.map_or(0, |&flag| Flags::from(flag).bits())
}

/// Returns the name of the lowest flag in a set, such as the `flags` of a match; null if there is
/// none. Its length is in `length`, if that is not null; it does not end in NUL.
///
/// # Safety
/// `length` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_flag_name(flags: u32, length: *mut usize) -> *const c_char {
    let name = Flags::from_bits_truncate(flags).iter().next().map_or("", Flag::name);
    if !length.is_null() {
        // SAFETY: not null, and the caller guarantees that it is valid for writes.
        unsafe { length.write(name.len()) };
    }
    match name.is_empty() {
        true => std::ptr::null(),
        false => name.as_ptr().cast(),
    }
}

/// Returns a text of the caller. `None` if it is null, or longer than any text can be (a negative
/// length in C, for example), of which Rust makes no slice.
///
/// # Safety
/// If the length is possible, `length` bytes must be there.
unsafe fn bytes<'a>(text: *const u8, length: usize) -> Option<&'a [u8]> {
    match (text.is_null(), length) {
        (_, 0) => Some(&[]),
        (false, length) if isize::try_from(length).is_ok() => {
            // SAFETY: checked, and as for the caller.
            Some(unsafe { std::slice::from_raw_parts(text, length) })
        }
        _ => None,
    }
}

/// Frees a finder; null is ignored.
///
/// # Safety
/// The finder must come from `urigrep_finder_new` or `urigrep_finder_new_json`, and must not be
/// used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_finder_free(finder: *mut urigrep_finder) {
    if !finder.is_null() {
        // SAFETY: the caller passes a finder of ours and gives it up.
        drop(unsafe { Box::from_raw(finder) });
    }
}

/// Passes each match in a text to a callback, in order. Returns `URIGREP_DONE`, `URIGREP_STOPPED`,
/// `URIGREP_NULL`, or `URIGREP_FAULT`.
///
/// # Safety
/// The finder must come from `urigrep_finder_new`, and the text must have `length` bytes. No other
/// thread may write to the text meanwhile, and the callback must neither throw nor jump.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_find(
    finder: *const urigrep_finder,
    text: *const u8,
    length: usize,
    callback: urigrep_callback,
    context: *mut c_void,
) -> c_int {
    // SAFETY: the caller passes null or a finder of ours.
    let (Some(finder), Some(callback)) = (unsafe { finder.as_ref() }, callback) else {
        return URIGREP_NULL;
    };
    // SAFETY: the caller guarantees that `length` bytes are there.
    let Some(text) = (unsafe { bytes(text, length) }) else {
        return URIGREP_NULL;
    };
    let search = || {
        for m in finder.finder.find_iter(text) {
            let found = urigrep_match::new(m.range(), m.parsed(), m.kind(), m.flags());
            if callback(&found, context) != 0 {
                return URIGREP_STOPPED;
            }
        }
        URIGREP_DONE
    };
    catch_unwind(AssertUnwindSafe(search)).unwrap_or(URIGREP_FAULT)
}
