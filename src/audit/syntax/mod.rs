//! Checks of the syntax of a reference.

pub mod broken;
pub mod hyphen;
pub mod invalid;
pub mod junk;
pub mod lax;
pub mod normal;
pub mod percent;
