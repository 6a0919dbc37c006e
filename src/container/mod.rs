//! The old paths of [`document`](crate::document) and of archives, so that programs written for 0.2 still compile.

#[cfg(feature = "archives")]
#[doc(hidden)]
pub use crate::archive;
#[cfg(feature = "documents")]
#[doc(hidden)]
pub use crate::document;
#[cfg(feature = "documents")]
#[doc(hidden)]
pub use crate::document::mbox;
