//! The rows of an array as bytes, for each type of text or bytes.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    BinaryType, BinaryViewType, ByteArrayType, ByteViewType, LargeBinaryType, LargeUtf8Type,
    StringViewType, Utf8Type,
};
use arrow_array::{Array, ArrayRef, GenericByteArray, GenericByteViewArray, OffsetSizeTrait};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

use super::ColumnsError;

/// Rows of text or bytes.
///
/// Offsets from a producer are never trusted: a row outside of its buffers is empty.
pub struct Rows<'a> {
    values: Values<'a>,
    nulls: Option<NullBuffer>,
    len: usize,
}

enum Values<'a> {
    None,
    /// Offsets into one buffer.
    Short {
        offsets: &'a [i32],
        data: &'a [u8],
    },
    Large {
        offsets: &'a [i64],
        data: &'a [u8],
    },
    /// Views into several (Arrow 1.4, "Variable-size Binary View Layout").
    Views {
        views: &'a [u128],
        buffers: Vec<&'a [u8]>,
    },
    /// Keys of other rows.
    Dictionary {
        keys: Vec<usize>,
        values: Box<Rows<'a>>,
    },
    Fixed {
        size: usize,
        data: &'a [u8],
    },
}

impl<'a> Rows<'a> {
    /// Returns the rows of an array.
    pub fn of(array: &'a ArrayRef) -> Result<Self, ColumnsError> {
        let array: &'a dyn Array = array.as_ref();
        let values = match array.data_type() {
            DataType::Utf8 => short(array.as_bytes::<Utf8Type>()),
            DataType::Binary => short(array.as_bytes::<BinaryType>()),
            DataType::LargeUtf8 => large(array.as_bytes::<LargeUtf8Type>()),
            DataType::LargeBinary => large(array.as_bytes::<LargeBinaryType>()),
            DataType::Utf8View => views(array.as_byte_view::<StringViewType>()),
            DataType::BinaryView => views(array.as_byte_view::<BinaryViewType>()),
            DataType::FixedSizeBinary(size) => Values::Fixed {
                size: usize::try_from(*size).unwrap_or(0),
                data: array.as_fixed_size_binary().value_data(),
            },
            DataType::Dictionary(_, _) => {
                let dictionary = array.as_any_dictionary();
                // The value of a null key does not matter.
                let keys = match dictionary.values().is_empty() {
                    true => Vec::new(),
                    false => dictionary.normalized_keys(),
                };
                Values::Dictionary { keys, values: Box::new(Self::of(dictionary.values())?) }
            }
            DataType::Null => Values::None,
            other => return Err(ColumnsError::Type(other.to_string())),
        };
        let nulls = match values {
            // Such an array has no buffers, and may be longer than memory.
            Values::None => None,
            _ => array.logical_nulls(),
        };
        Ok(Self { values, nulls, len: array.len() })
    }

    /// True if the type of the array has no values.
    pub fn is_all_null(&self) -> bool {
        matches!(self.values, Values::None)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes of a row, or `None` for null.
    pub fn get(&self, row: usize) -> Option<&'a [u8]> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        match &self.values {
            Values::None => None,
            Values::Short { offsets, data } => Some(slice(offsets, data, row)),
            Values::Large { offsets, data } => Some(slice(offsets, data, row)),
            Values::Views { views, buffers } => Some(viewed(views, buffers, row)),
            Values::Dictionary { keys, values } => values.get(*keys.get(row)?),
            Values::Fixed { size, data } => data.get(row * size..(row + 1) * size),
        }
    }
}

fn short<T: ByteArrayType<Offset = i32>>(array: &GenericByteArray<T>) -> Values<'_> {
    Values::Short { offsets: array.value_offsets(), data: array.value_data() }
}

fn large<T: ByteArrayType<Offset = i64>>(array: &GenericByteArray<T>) -> Values<'_> {
    Values::Large { offsets: array.value_offsets(), data: array.value_data() }
}

fn views<T: ByteViewType>(array: &GenericByteViewArray<T>) -> Values<'_> {
    let buffers = array.data_buffers().iter().map(|buffer| buffer.as_slice()).collect();
    Values::Views { views: array.views(), buffers }
}

fn slice<'a, O: OffsetSizeTrait>(offsets: &[O], data: &'a [u8], row: usize) -> &'a [u8] {
    let at = |row: usize| offsets.get(row).and_then(|offset| offset.to_usize());
    let range = at(row).zip(at(row + 1));
    // Checked slices: wrong offsets from a producer give an empty row, not a read outside of the
    // buffer.
    range.and_then(|(start, end)| data.get(start..end)).unwrap_or_default()
}

fn viewed<'a>(views: &'a [u128], buffers: &[&'a [u8]], row: usize) -> &'a [u8] {
    const INLINE: usize = 12;
    let Some(view) = views.get(row) else {
        return &[];
    };
    let length = *view as u32 as usize;
    if length <= INLINE {
        // SAFETY: the format stores a short value inside the view itself, in memory order.
        let bytes =
            unsafe { std::slice::from_raw_parts(std::ptr::from_ref(view).cast::<u8>(), 16) };
        return bytes.get(4..4 + length).unwrap_or_default();
    }
    // Length, prefix, buffer index and offset have 32 bits each (Arrow 1.4, "Variable-size Binary
    // View Layout").
    let (buffer, offset) = ((view >> 64) as u32 as usize, (view >> 96) as u32 as usize);
    let buffer = buffers.get(buffer).copied().unwrap_or_default();
    buffer.get(offset..offset + length).unwrap_or_default()
}
