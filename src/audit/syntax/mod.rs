//! Whether what is written is a reference, and written as it should be.

pub mod hyphen;
pub mod invalid;
pub mod junk;
pub mod lax;
pub mod normal;
pub mod percent;
