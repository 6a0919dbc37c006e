//! The old paths of [`document`](crate::document) and of archives, so that programs written for 0.2 still compile.

#[doc(hidden)]
pub use crate::archive;
#[doc(hidden)]
pub use crate::document;
#[doc(hidden)]
pub use crate::document::mbox;
