//! Archives: one format a file. Each goes through its members in order and gives their bytes on.

pub(super) mod ar;
mod checked;
pub(super) mod seven_zip;
pub(super) mod tar;
pub(super) mod zip;
