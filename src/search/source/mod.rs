//! The bytes of an input: buffered, decoded, read at any offset, with lines counted.

pub(crate) mod buffer;
pub(crate) mod charset;
pub(crate) mod counted;
pub(crate) mod line_counter;
pub(crate) mod part_offsets;
pub(crate) mod positioned;
pub(crate) mod preprocessed;
pub(crate) mod sticky;
pub(crate) mod text_source;
