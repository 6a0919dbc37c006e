//! Checks structs of the Arrow C data interface before `arrow` reads them.
//!
//! `arrow` trusts its producer: it asserts, or follows a null pointer, where a struct is released
//! or malformed. A caller of Python made a mistake then, and gets a `ValueError`.
//! <https://arrow.apache.org/docs/format/CDataInterface.html>

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{ArrayRef, make_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::DataType;

/// Deeper types are refused: they are read by recursion.
const MAX_DEPTH: usize = 32;
/// More children than any table has columns.
const MAX_CHILDREN: i64 = 1 << 16;

/// The published layout of `struct ArrowSchema`.
#[repr(C)]
struct RawSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const RawSchema,
    dictionary: *const RawSchema,
    release: *const c_void,
    private_data: *const c_void,
}

/// The published layout of `struct ArrowArray`.
#[repr(C)]
struct RawArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *const *const RawArray,
    dictionary: *const RawArray,
    release: *const c_void,
    private_data: *const c_void,
}

/// Imports an array, whose struct is moved out of.
///
/// # Errors
/// If the structs are released or malformed, or contradict each other.
///
/// # Safety
/// The pointers that the structs hold lead to what the interface says, or are null.
pub unsafe fn import(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, String> {
    let raw_schema = std::ptr::from_ref(schema).cast::<RawSchema>();
    let raw_array = std::ptr::from_ref(&array).cast::<RawArray>();
    // SAFETY: both structs of `arrow` have the published layout, and are borrowed here.
    unsafe { pair(&*raw_array, &*raw_schema, 0)? };
    // What is left are contradictions in buffers, which `arrow` asserts.
    let imported = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as for the caller.
        let data = unsafe { from_ffi(array, schema) }.map_err(|error| error.to_string())?;
        data.validate().map_err(|error| error.to_string())?;
        check_values(&data)?;
        Ok(make_array(data))
    }));
    imported.unwrap_or_else(|_| Err("the array is malformed".to_owned()))
}

/// Checks the schema of a stream, whose arrays come later.
///
/// # Safety
/// As for [`import`].
pub unsafe fn check_schema(schema: &FFI_ArrowSchema) -> Result<(), String> {
    // SAFETY: the struct of `arrow` has the published layout.
    unsafe { check_type(&*std::ptr::from_ref(schema).cast::<RawSchema>(), 0) }
}

/// # Safety
/// As for [`import`].
unsafe fn check_type(schema: &RawSchema, depth: usize) -> Result<(), String> {
    if schema.release.is_null() {
        return Err("the schema was released".to_owned());
    }
    if depth > MAX_DEPTH {
        return Err(format!("the type is nested more than {MAX_DEPTH} levels deep"));
    }
    if schema.format.is_null() {
        return Err("the schema has no format".to_owned());
    }
    // SAFETY: the format is a text that ends in NUL.
    if unsafe { CStr::from_ptr(schema.format) }.to_str().is_err() {
        return Err("the format of the schema is not UTF-8".to_owned());
    }
    // SAFETY: the name is null, or a text that ends in NUL.
    if !schema.name.is_null() && unsafe { CStr::from_ptr(schema.name) }.to_str().is_err() {
        return Err("a name in the schema is not UTF-8".to_owned());
    }
    // SAFETY: the caller vouches for the children.
    for child in unsafe { children(schema.children, schema.n_children)? } {
        // SAFETY: checked not to be null.
        unsafe { check_type(&**child, depth + 1)? };
    }
    // SAFETY: null, or a schema.
    match unsafe { schema.dictionary.as_ref() } {
        // SAFETY: as above.
        Some(values) => unsafe { check_type(values, depth + 1) },
        None => Ok(()),
    }
}

/// Checks an array and its schema against each other.
///
/// # Safety
/// As for [`import`].
unsafe fn pair(array: &RawArray, schema: &RawSchema, depth: usize) -> Result<(), String> {
    if depth == 0 {
        // SAFETY: as for the caller.
        unsafe { check_type(schema, 0)? };
    }
    if array.release.is_null() {
        return Err("the array was released".to_owned());
    }
    let is_size = |number: i64| (0..=i64::from(i32::MAX) << 16).contains(&number);
    if !is_size(array.length) || !is_size(array.offset) || array.null_count < -1 {
        return Err("the array has an impossible length".to_owned());
    }
    if array.null_count > array.length {
        return Err("the array has more nulls than values".to_owned());
    }
    if !(0..=MAX_CHILDREN).contains(&array.n_buffers)
        || array.n_buffers > 0 && array.buffers.is_null()
    {
        return Err("the array has no buffers".to_owned());
    }
    if array.n_children != schema.n_children
        || array.dictionary.is_null() != schema.dictionary.is_null()
    {
        return Err("the array has another shape than its schema".to_owned());
    }
    // SAFETY: checked above; the caller vouches for the rest.
    unsafe { check_buffers(array, schema)? };
    // SAFETY: the caller vouches for the children, and their numbers are equal.
    let (arrays, schemas) = unsafe {
        (children(array.children, array.n_children)?, children(schema.children, schema.n_children)?)
    };
    for (array, schema) in arrays.iter().zip(schemas) {
        // SAFETY: checked not to be null.
        unsafe { pair(&**array, &**schema, depth + 1)? };
    }
    // SAFETY: null, or what they claim to be; both or none is null.
    if let (Some(array), Some(schema)) =
        unsafe { (array.dictionary.as_ref(), schema.dictionary.as_ref()) }
    {
        // SAFETY: as above.
        unsafe { pair(array, schema, depth + 1)? };
    }
    Ok(())
}

/// Checks that the buffers with the values of strings are there.
///
/// # Safety
/// `array` has as many buffers as it says, and `schema` a format.
unsafe fn check_buffers(array: &RawArray, schema: &RawSchema) -> Result<(), String> {
    // SAFETY: the format was checked.
    let format = unsafe { CStr::from_ptr(schema.format) }.to_bytes();
    let (least, needed) = match format {
        b"u" | b"U" | b"z" | b"Z" => (3, 1),
        b"vu" | b"vz" => (3, 1),
        b"+l" | b"+L" => (2, 1),
        [b'c' | b'C' | b's' | b'S' | b'i' | b'I' | b'l' | b'L'] => (2, 1),
        _ => return Ok(()),
    };
    if array.n_buffers < least {
        return Err("the array has too few buffers".to_owned());
    }
    // SAFETY: there are at least two buffers.
    if array.null_count > 0 && unsafe { *array.buffers }.is_null() {
        return Err("the array has nulls, but does not say which".to_owned());
    }
    // SAFETY: as above.
    let values = unsafe { *array.buffers.add(needed) };
    match values.is_null() && array.length > 0 {
        true => Err("a buffer of the array is missing".to_owned()),
        false => Ok(()),
    }
}

/// Returns the children, none of which is null.
///
/// # Safety
/// `first` is null or leads to `count` pointers.
unsafe fn children<'a, T>(first: *const *const T, count: i64) -> Result<&'a [*const T], String> {
    if count == 0 {
        return Ok(&[]);
    }
    if !(0..=MAX_CHILDREN).contains(&count) || first.is_null() {
        return Err("the number of children is impossible".to_owned());
    }
    let count = usize::try_from(count).map_err(|error| error.to_string())?;
    // SAFETY: the caller vouches for the pointers, and the number was checked.
    let all = unsafe { std::slice::from_raw_parts(first, count) };
    match all.iter().any(|child| child.is_null()) {
        true => Err("a child is missing".to_owned()),
        false => Ok(all),
    }
}

/// Checks that each value is within its buffer: `arrow` reads them unchecked. Characters are not
/// checked here, because a column has millions.
fn check_values(data: &ArrayData) -> Result<(), String> {
    let rows = data.offset()..data.offset() + data.len();
    match data.data_type() {
        DataType::Dictionary(..) => data.validate_values().map_err(|error| error.to_string())?,
        DataType::Utf8 | DataType::Binary if !data.is_empty() => {
            let offsets = data.buffers()[0].typed_data::<i32>();
            check_order(&offsets[rows.start..=rows.end])?;
        }
        DataType::LargeUtf8 | DataType::LargeBinary if !data.is_empty() => {
            let offsets = data.buffers()[0].typed_data::<i64>();
            check_order(&offsets[rows.start..=rows.end])?;
        }
        DataType::Utf8View | DataType::BinaryView => {
            let (views, values) = data.buffers().split_first().ok_or("the array has no buffers")?;
            let views = views.typed_data::<u128>();
            // A view without a value may be anything.
            let is_read = |row: &usize| data.nulls().is_none_or(|nulls| nulls.is_valid(*row));
            let mut read = views[rows].iter().enumerate().filter(|(row, _)| is_read(row));
            read.try_for_each(|(_, &view)| check_view(view, values))?;
        }
        _ => {}
    }
    data.child_data().iter().try_for_each(check_values)
}

fn check_order<T: PartialOrd>(offsets: &[T]) -> Result<(), String> {
    match offsets.is_sorted() {
        true => Ok(()),
        false => Err("the offsets of the array decrease".to_owned()),
    }
}

/// Checks a view: a length, then the text itself, or four bytes of it, a buffer, and an offset.
fn check_view(view: u128, buffers: &[Buffer]) -> Result<(), String> {
    let field = |at: u32| usize::try_from(view >> (32 * at) & 0xffff_ffff).unwrap_or(usize::MAX);
    let (length, buffer, offset) = (field(0), field(2), field(3));
    let is_inside = buffers.get(buffer).is_some_and(|it| it.len() >= offset + length);
    match length <= 12 || is_inside {
        true => Ok(()),
        false => Err("a view of the array leads out of its buffers".to_owned()),
    }
}
