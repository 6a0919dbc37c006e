//! The strings of a column in one buffer, and the end of each.

use arrow_array::StringArray;
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};

use super::ColumnsError;

/// Reserves space for `times` times as many values, without holding much that is never written.
pub fn reserve<T>(values: &mut Vec<T>, times: usize) {
    const MAX: usize = 64 << 20;
    values.reserve(values.len().saturating_mul(times).min(MAX / size_of::<T>()));
}

/// Strings, one after the other.
pub struct Texts {
    ends: Ends,
    bytes: Vec<u8>,
    nulls: NullBufferBuilder,
}

impl Texts {
    pub fn new() -> Self {
        Self { ends: Ends::new(), bytes: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }

    pub fn push(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push_bytes(text.as_bytes()),
            None => {
                self.nulls.append_null();
                self.ends.push(self.bytes.len());
            }
        }
    }

    /// Appends bytes. All of them are checked to be UTF-8 at once, when the column is finished.
    #[inline]
    pub fn push_bytes(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.nulls.append_non_null();
        self.ends.push(self.bytes.len());
    }

    pub fn push_lowercase(&mut self, text: &[u8]) {
        let from = self.bytes.len();
        self.push_bytes(text);
        self.bytes[from..].make_ascii_lowercase();
    }

    pub fn append(&mut self, other: Self) {
        self.ends.append(&other.ends, self.bytes.len());
        self.bytes.extend_from_slice(&other.bytes);
        let mut nulls = other.nulls;
        match nulls.finish() {
            None => self.nulls.append_n_non_nulls(other.ends.len()),
            Some(nulls) => self.nulls.append_buffer(&nulls),
        }
    }

    /// Reserves space for `times` times as many strings.
    pub fn reserve(&mut self, times: usize) {
        reserve(&mut self.bytes, times);
        self.ends.reserve(times);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn finish(mut self) -> Result<StringArray, ColumnsError> {
        let offsets = self.ends.finish(self.bytes.len())?;
        let made = StringArray::try_new(offsets, Buffer::from_vec(self.bytes), self.nulls.finish());
        made.map_err(|error| ColumnsError::Producer(error.to_string()))
    }
}

/// The end of each value, after a 0, as in Arrow.
pub struct Ends(Vec<i32>);

impl Ends {
    pub fn new() -> Self {
        Self(vec![0])
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// Appends an end. Ends that do not fit are detected when the column is finished.
    #[inline]
    pub fn push(&mut self, at: usize) {
        self.0.push(i32::try_from(at).unwrap_or(i32::MAX));
    }

    /// Appends the same end a number of times, which may be any.
    pub fn repeat(&mut self, at: usize, count: usize) -> Result<(), ColumnsError> {
        self.0.try_reserve(count).map_err(|_| ColumnsError::OutOfMemory)?;
        self.0.resize(self.0.len() + count, i32::try_from(at).unwrap_or(i32::MAX));
        Ok(())
    }

    /// Appends the ends of values that come after `before` bytes or items.
    pub fn append(&mut self, other: &Self, before: usize) {
        let before = i32::try_from(before).unwrap_or(i32::MAX);
        self.0.extend(other.0.iter().skip(1).map(|at| at.saturating_add(before)));
    }

    pub fn reserve(&mut self, times: usize) {
        reserve(&mut self.0, times);
    }

    pub fn finish(self, length: usize) -> Result<OffsetBuffer<i32>, ColumnsError> {
        // The last end is the largest. If it fits, all ends before it were exact and none was
        // saturated.
        if i32::try_from(length).is_err() {
            return Err(ColumnsError::TooLarge);
        }
        Ok(OffsetBuffer::new(ScalarBuffer::from(self.0)))
    }
}
