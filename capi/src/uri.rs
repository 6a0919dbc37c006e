//! One URI: its components, and its normal form.

use std::ffi::{c_char, c_int};
use std::panic::catch_unwind;

use finder::grammar::Rule;
use finder::options::HostMapping;
use finder::{Grammar, Iri, Uri, UriRef};

use crate::{URIGREP_DONE, URIGREP_FAULT, URIGREP_INVALID, URIGREP_NULL, URIGREP_TOO_SMALL, bytes};

/// A part of a text.
#[repr(C)]
#[derive(Clone, Copy, Default)]
#[allow(non_camel_case_types, reason = "the name is C's")]
pub struct urigrep_part {
    /// The offset of its first byte in the text.
    pub start: usize,
    /// Its length in bytes; a component that is present may be empty.
    pub length: usize,
    /// 1 if the component is present, and 0 if it is not.
    pub is_present: c_int,
}

/// The components of a URI, an IRI, or a reference (RFC 3986 section 3).
#[repr(C)]
#[derive(Clone, Copy, Default)]
#[allow(non_camel_case_types, reason = "the name is C's")]
pub struct urigrep_components {
    /// The scheme, without its `:`; absent from a relative reference.
    pub scheme: urigrep_part,
    /// The text before the `@`.
    pub userinfo: urigrep_part,
    /// The host, with the brackets of an IPv6 address.
    pub host: urigrep_part,
    /// The port, without its `:`.
    pub port: urigrep_part,
    /// The path, which is always present.
    pub path: urigrep_part,
    /// The query, without its `?`.
    pub query: urigrep_part,
    /// The fragment, without its `#`.
    pub fragment: urigrep_part,
}

/// Parses all of a text as a URI, an IRI, or a relative reference, and writes its components to
/// `components`. Returns `URIGREP_DONE`; `URIGREP_INVALID` if the text is none of these, with the
/// offset of the fault in `error_at`, if that is not null; `URIGREP_NULL`, or `URIGREP_FAULT`.
///
/// # Safety
/// The text must have `length` bytes, `components` must be null or valid for writes, and so must
/// `error_at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_parse(
    text: *const c_char,
    length: usize,
    components: *mut urigrep_components,
    error_at: *mut usize,
) -> c_int {
    // SAFETY: the caller guarantees that `length` bytes are there.
    let Some(text) = (unsafe { bytes(text.cast(), length) }) else {
        return URIGREP_NULL;
    };
    if components.is_null() {
        return URIGREP_NULL;
    }
    match catch_unwind(|| parsed(text)) {
        Ok(Ok(found)) => {
            // SAFETY: not null, and the caller guarantees that it is valid for writes.
            unsafe { components.write(found) };
            URIGREP_DONE
        }
        Ok(Err(at)) => {
            if !error_at.is_null() {
                // SAFETY: not null, and the caller guarantees that it is valid for writes.
                unsafe { error_at.write(at) };
            }
            URIGREP_INVALID
        }
        Err(_) => URIGREP_FAULT,
    }
}

/// Returns the components, or the offset of the fault.
fn parsed(text: &[u8]) -> Result<urigrep_components, usize> {
    let text = std::str::from_utf8(text).map_err(|error| error.valid_up_to())?;
    let part = |component: Option<&str>| component.map(|it| part_of(text, it)).unwrap_or_default();
    if text.is_ascii() {
        let uri = UriRef::parse(text).map_err(|error| error.offset())?;
        return Ok(urigrep_components {
            scheme: part(uri.scheme()),
            userinfo: part(uri.userinfo()),
            host: part(uri.host()),
            port: part(uri.port()),
            path: part(Some(uri.path())),
            query: part(uri.query()),
            fragment: part(uri.fragment()),
        });
    }
    let iri = Grammar::Rfc3986.parse_reference(text).map_err(|error| error.offset())?;
    Ok(urigrep_components {
        scheme: part(iri.get(Rule::Scheme)),
        userinfo: part(iri.get(Rule::Userinfo)),
        host: part(iri.get(Rule::Host)),
        port: part(iri.get(Rule::Port)),
        path: part(Some(iri.get(Rule::Path).unwrap_or_default())),
        query: part(iri.get(Rule::Query)),
        fragment: part(iri.get(Rule::Fragment)),
    })
}

/// Returns the place of a component in its text.
fn part_of(text: &str, component: &str) -> urigrep_part {
    // Only an empty component may lie elsewhere; its place is then the start.
    let start = component.as_ptr().addr().checked_sub(text.as_ptr().addr());
    let start = start.filter(|start| start + component.len() <= text.len()).unwrap_or_default();
    urigrep_part { start, length: component.len(), is_present: 1 }
}

/// Writes the normal form of a URI or an IRI (RFC 3986 sections 6.2.2 and 6.2.3) and a NUL to
/// `out`, which has `out_size` bytes. `needed` gets the number of bytes that this takes, with the
/// NUL.
///
/// Returns `URIGREP_DONE`; `URIGREP_TOO_SMALL` if `out` is too small, and nothing is written to it;
/// `URIGREP_INVALID` if the text is no URI and no IRI; `URIGREP_NULL`, or `URIGREP_FAULT`. To ask
/// for the size alone, pass null and 0 for `out`.
///
/// # Safety
/// The text must have `length` bytes, `out` must be null or have `out_size` bytes, and `needed`
/// must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urigrep_normalize(
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    out_size: usize,
    needed: *mut usize,
) -> c_int {
    // SAFETY: the caller guarantees that `length` bytes are there.
    let Some(text) = (unsafe { bytes(text.cast(), length) }) else {
        return URIGREP_NULL;
    };
    let normal = match catch_unwind(|| normalized(text)) {
        Ok(Some(normal)) => normal,
        Ok(None) => return URIGREP_INVALID,
        Err(_) => return URIGREP_FAULT,
    };
    let size = normal.len() + 1;
    if !needed.is_null() {
        // SAFETY: not null, and the caller guarantees that it is valid for writes.
        unsafe { needed.write(size) };
    }
    if out.is_null() || out_size < size {
        return URIGREP_TOO_SMALL;
    }
    // SAFETY: the caller guarantees `out_size` bytes, of which `size` are written: the normal form,
    // and the NUL behind it. A new string does not overlap with them.
    unsafe {
        std::ptr::copy_nonoverlapping(normal.as_ptr(), out.cast::<u8>(), normal.len());
        out.add(normal.len()).write(0);
    }
    URIGREP_DONE
}

fn normalized(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let hosts = HostMapping::idna().unwrap_or_default();
    let uri = Iri::parse(text).ok()?.to_uri_with(hosts).ok()?;
    Some(finder::normalize(Uri::parse(&uri).ok()?).into_string())
}
