//! A table with a value for each byte, built by the compiler and indexed without a bounds check.

#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteTable<T>([T; 256]);

#[expect(clippy::indexing_slicing, reason = "there is an entry for each byte")]
impl<T: Copy> ByteTable<T> {
    pub const fn filled(value: T) -> Self {
        Self([value; 256])
    }

    pub const fn with(mut self, byte: u8, value: T) -> Self {
        self.0[byte as usize] = value;
        self
    }

    #[inline(always)]
    pub const fn get(&self, byte: u8) -> T {
        self.0[byte as usize]
    }
}

/// Builds the table of an expression of a byte; the compiler must be able to evaluate it.
macro_rules! byte_table {
    ($byte:ident => $value:expr) => {{
        let $byte = 0u8;
        let mut table = $crate::byte_table::ByteTable::filled($value);
        let mut $byte = 1;
        while $byte < u8::MAX {
            table = table.with($byte, $value);
            $byte += 1;
        }
        table.with($byte, $value)
    }};
}
pub(crate) use byte_table;
