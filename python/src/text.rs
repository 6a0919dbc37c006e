//! A `str` or a bytes-like object as bytes without a copy, and offsets in it.

use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

// Part of the stable ABI since Python 3.2, although no header declares it any more. The newer
// `PyObject_GetBuffer` is in the stable ABI only from 3.11 on, and the wheel supports 3.10.
unsafe extern "C" {
    fn PyObject_AsReadBuffer(
        object: *mut ffi::PyObject,
        buffer: *mut *const c_void,
        length: *mut ffi::Py_ssize_t,
    ) -> c_int;
}

/// The unit of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Characters,
}

/// The bytes of a Python object.
pub struct Text {
    bytes: Bytes,
    /// If every character is one byte, offsets need not be counted.
    pub unit: Unit,
    pub source: Source,
}

/// The type of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Str,
    Bytes,
}

enum Bytes {
    /// The bytes of an object that outlives them.
    Borrowed {
        at: NonNull<[u8]>,
        _keeps: Py<PyAny>,
    },
    Owned(Vec<u8>),
}

// SAFETY: nothing writes to the bytes while a `Text` exists: it keeps alive the immutable object
// that owns them.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl Text {
    /// Returns the text of an object.
    ///
    /// # Errors
    /// If it is neither a `str` nor bytes-like.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Self::of_str(text);
        }
        let borrowed = |bytes: &[u8], keeps: &Bound<'_, PyAny>| Bytes::Borrowed {
            at: NonNull::from(bytes),
            _keeps: keeps.clone().unbind(),
        };
        let bytes = match object.cast::<PyBytes>() {
            Ok(bytes) => borrowed(bytes.as_bytes(), object),
            Err(_) => {
                let view = PyMemoryView::from(object).map_err(|_| type_error(object))?;
                // Its bytes are addresses of memory.
                if view.getattr("format")?.extract::<String>()?.contains('O') {
                    return Err(type_error(object));
                }
                // Another thread may write to any other buffer, so that is copied.
                match is_immutable(&view)? && view.getattr("c_contiguous")?.is_truthy()? {
                    // Keep the view, not the object: only the view pins the buffer of, for example,
                    // an `mmap`.
                    true => borrowed(read_buffer(&view)?, &view),
                    false => Bytes::Owned(view.call_method0("tobytes")?.extract()?),
                }
            }
        };
        Ok(Self { bytes, unit: Unit::Bytes, source: Source::Bytes })
    }

    fn of_str(text: &Bound<'_, PyString>) -> PyResult<Self> {
        let bytes = match text.to_str() {
            Ok(utf8) => Bytes::Borrowed {
                at: NonNull::from(utf8.as_bytes()),
                _keeps: text.clone().into_any().unbind(),
            },
            // The `str` has lone surrogates. Encode each as three bytes, as UTF-8 would. No URI
            // contains one.
            Err(_) => {
                // Not by a method of the text, whose class may have another one.
                let class = text.py().get_type::<PyString>();
                let encoded = class.call_method1("encode", (text, "utf-8", "surrogatepass"))?;
                Bytes::Owned(encoded.extract()?)
            }
        };
        let mut text = Self { bytes, unit: Unit::Characters, source: Source::Str };
        let length = text.bytes().len();
        // In ASCII, byte offsets and character offsets are the same. The check is one fast pass,
        // and then no match needs counting.
        if text.bytes().is_ascii() && length > 0 {
            text.unit = Unit::Bytes;
        }
        Ok(text)
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            // SAFETY: the bytes belong to an immutable object that is kept alive, or to a view that
            // pins a read-only buffer.
            Bytes::Borrowed { at, .. } => unsafe { at.as_ref() },
            Bytes::Owned(bytes) => bytes,
        }
    }
}

fn type_error(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("a str or a bytes-like object is searched, not '{name}'"))
}

/// True if nothing in this process writes to the buffer of a view. That a view is read-only doesn't
/// say so: its owner may be writable, or be itself a view of something else, as arrays of NumPy
/// are.
fn is_immutable(view: &Bound<'_, PyMemoryView>) -> PyResult<bool> {
    let owner = view.getattr("obj")?;
    if owner.is_instance_of::<PyBytes>() {
        return Ok(true);
    }
    // Such a file is large, and is meant to be read where it is.
    let is_mapped = owner.get_type().is(&view.py().import("mmap")?.getattr("mmap")?);
    Ok(is_mapped && PyMemoryView::from(&owner)?.getattr("readonly")?.is_truthy()?)
}

/// Returns the bytes that a view pins as long as it lives.
fn read_buffer<'a>(view: &'a Bound<'_, PyMemoryView>) -> PyResult<&'a [u8]> {
    let (mut at, mut length) = (ptr::null(), 0);
    // SAFETY: the object is alive, and both pointers are valid for writes.
    if unsafe { PyObject_AsReadBuffer(view.as_ptr(), &mut at, &mut length) } != 0 {
        return Err(PyErr::fetch(view.py()));
    }
    let length = usize::try_from(length).unwrap_or(0);
    // The pointer of an empty buffer may be null, which `from_raw_parts` forbids.
    if length == 0 {
        return Ok(&[]);
    }
    // SAFETY: `length` bytes are there. No other code has this view, and dropping it releases the
    // buffer.
    Ok(unsafe { std::slice::from_raw_parts(at.cast(), length) })
}

/// Counts characters up to offsets that usually grow.
#[derive(Clone, Copy, Debug)]
pub struct OffsetCounter<'t> {
    bytes: &'t [u8],
    unit: Unit,
    byte: usize,
    characters: usize,
}

impl<'t> OffsetCounter<'t> {
    pub fn new(bytes: &'t [u8], unit: Unit) -> Self {
        Self { bytes, unit, byte: 0, characters: 0 }
    }

    /// Resumes counting at `byte`, with `characters` characters before it.
    pub fn resumed(bytes: &'t [u8], unit: Unit, (byte, characters): (usize, usize)) -> Self {
        Self { bytes, unit, byte, characters }
    }

    /// Returns the offset of this byte in the unit of the text.
    pub fn offset(&mut self, byte: usize) -> usize {
        if self.unit == Unit::Bytes {
            return byte;
        }
        let between =
            |from: usize, to: usize| characters(self.bytes.get(from..to).unwrap_or_default());
        self.characters = match byte >= self.byte {
            true => self.characters + between(self.byte, byte),
            false => self.characters - between(byte, self.byte),
        };
        self.byte = byte;
        self.characters
    }

    /// Returns the current place: the byte, and the characters before it.
    pub fn place(&self) -> (usize, usize) {
        (self.byte, self.characters)
    }
}

/// Counts the characters that start in these bytes.
fn characters(bytes: &[u8]) -> usize {
    usize::try_from(urigrep::search::count_characters(bytes)).unwrap_or(usize::MAX)
}
