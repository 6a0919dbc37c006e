//! Passes arrays to and from Python, by the Arrow C data interface in capsules.
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::checked;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn failed(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Arrays from Python: a single one, or the chunks of a stream.
pub enum Incoming {
    Array(Option<ArrayRef>),
    Stream { stream: Box<FFI_ArrowArrayStream>, schema: Box<FFI_ArrowSchema> },
}

impl Incoming {
    /// Takes the arrays of an object that has `__arrow_c_array__` or `__arrow_c_stream__`.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.hasattr("__arrow_c_array__")? {
            let capsules = object.call_method0("__arrow_c_array__")?;
            let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
                capsules.extract()?;
            let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
            let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
            // SAFETY: capsules of these names hold such structs, which are ours to move out of.
            let array = unsafe {
                let array = FFI_ArrowArray::from_raw(array.as_ptr());
                checked::import(array, schema.as_ref())
            };
            return Ok(Self::Array(Some(array.map_err(failed)?)));
        }
        if !object.hasattr("__arrow_c_stream__")? {
            let name = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "an Arrow array is searched, or what has __arrow_c_array__ or __arrow_c_stream__, not '{name}'"
            )));
        }
        let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of this name holds such a struct, which is ours to move out of.
        let mut stream = Box::new(unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) });
        let mut schema = Box::new(FFI_ArrowSchema::empty());
        let get = stream.get_schema().ok_or_else(|| failed("the stream was released"))?;
        // SAFETY: the stream was not released, and `schema` is valid for writes.
        let code = unsafe { get(&mut *stream, &mut *schema) };
        succeeded(&mut stream, code)?;
        // SAFETY: the producer has written it.
        unsafe { checked::check_schema(&schema) }.map_err(failed)?;
        Ok(Self::Stream { stream, schema })
    }

    /// Returns the next array. A stream that Python implements may run Python code.
    pub fn next(&mut self, _: Python<'_>) -> PyResult<Option<ArrayRef>> {
        let (stream, schema) = match self {
            Self::Array(array) => return Ok(array.take()),
            Self::Stream { stream, schema } => (stream, schema),
        };
        let mut array = FFI_ArrowArray::empty();
        let get = stream.get_next().ok_or_else(|| failed("the stream was released"))?;
        // SAFETY: the stream was not released, and `array` is valid for writes.
        let code = unsafe { get(&mut **stream, &mut array) };
        succeeded(stream, code)?;
        // A released array marks the end of the stream (Arrow C stream interface).
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer guarantees that the array has this schema.
        let array = unsafe { checked::import(array, schema) };
        Ok(Some(array.map_err(failed)?))
    }
}

/// Converts an error code of the stream's producer to an error.
fn succeeded(stream: &mut FFI_ArrowArrayStream, code: i32) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    let message = stream.get_last_error().and_then(|get| {
        // SAFETY: the stream was not released.
        let message = unsafe { get(stream) };
        // SAFETY: the message is null, or a text that ends in NUL and lives until the next call.
        (!message.is_null())
            .then(|| unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
    });
    Err(failed(message.unwrap_or_else(|| format!("the stream failed ({code})"))))
}

/// Exports the type of an array.
pub fn schema<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(array.data_type()).map_err(failed)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Exports an array with its type.
pub fn array<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    // By hand instead of pyo3-arrow, which wants other versions of PyO3 and arrow than the current
    // ones.
    let (array, schema) = to_ffi(&array.to_data()).map_err(failed)?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, array, ARRAY)?])
}

/// Exports the batch as a stream of one batch.
pub fn stream<'py>(py: Python<'py>, batch: RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, STREAM)
}
