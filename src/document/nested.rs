//! The bytes that nested documents may unpack to: [`Inside`].
//!
//! A document of ten kilobytes may name one file a hundred times, which names another one a hundred
//! times, and so on. So all files in an outermost document share one number of bytes.
//!
//! The number is kept per thread: a document and what is in it are read by one thread, and no sink
//! of a caller can forget to pass it on.

use std::cell::Cell;

/// Most bytes that all files in one document may unpack to.
const MAX_BYTES: u64 = 256 << 20;
/// Counted for each document in addition to its unpacked bytes, because even a small one takes
/// time.
const OWN_BYTES: u64 = 4 << 10;

thread_local!(static LEFT: Cell<Option<u64>> = const { Cell::new(None) });

/// Exists while files in a document are read.
#[must_use]
pub(crate) struct Inside {
    is_outermost: bool,
}

impl Inside {
    pub fn new() -> Self {
        let is_outermost = LEFT.get().is_none();
        if is_outermost {
            LEFT.set(Some(MAX_BYTES));
        }
        Self { is_outermost }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        if self.is_outermost {
            LEFT.set(None);
        }
    }
}

/// Returns the bytes that are left. An outermost document has only its own limits.
pub(crate) fn left() -> u64 {
    LEFT.get().unwrap_or(u64::MAX)
}

/// Counts unpacked bytes.
pub(crate) fn spend(bytes: u64) {
    LEFT.set(LEFT.get().map(|left| left.saturating_sub(bytes)));
}

/// Counts a document that is not text, before it is read.
///
/// # Errors
/// If no bytes are left, with a message for users.
pub(crate) fn take_document() -> Result<(), String> {
    match left() {
        0 => Err(format!(
            "nested documents unpack to more than {} MiB; save and unpack them",
            MAX_BYTES >> 20
        )),
        _ => {
            spend(OWN_BYTES);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_document_share_and_the_next_document_has_its_own() {
        for _ in 0..2 {
            let _outer = Inside::new();
            assert!(take_document().is_ok());
            {
                let _inner = Inside::new();
                spend(MAX_BYTES);
                assert_eq!(left(), 0);
            }
            assert!(take_document().is_err_and(|it| it.contains("256 MiB")));
        }
        assert_eq!(left(), u64::MAX);
        assert!(take_document().is_ok());
    }
}
