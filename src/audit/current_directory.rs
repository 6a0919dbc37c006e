//! The current directory, read once per document.
//!
//! An audit makes several absolute paths for each link. Asking the system each time took a third of
//! its time.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use super::paths;

thread_local! {
    static KNOWN: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// Runs work during which the program does not change its directory.
pub(super) fn unchanged<T>(work: impl FnOnce() -> T) -> T {
    /// Restores the previous value, even after a panic.
    struct Former(Option<PathBuf>);
    impl Drop for Former {
        fn drop(&mut self) {
            KNOWN.set(self.0.take());
        }
    }
    let _former = Former(KNOWN.replace(std::env::current_dir().ok()));
    work()
}

/// Returns a path below the current directory, if that is known.
pub(super) fn joined(below: &str) -> Option<PathBuf> {
    let join = |directory: &Path| match below {
        // Joined to the empty path, the directory would end in a slash.
        "" => directory.to_path_buf(),
        below => paths::join(directory, below),
    };
    KNOWN
        .with_borrow(|known| known.as_deref().map(join))
        .or_else(|| Some(join(&std::env::current_dir().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_in_work() {
        let current = std::env::current_dir().unwrap();
        unchanged(|| {
            assert_eq!(unchanged(|| joined("")), Some(current.clone()));
            assert!(KNOWN.with_borrow(Option::is_some));
            assert_eq!(joined("a"), Some(current.join("a")));
        });
        assert!(KNOWN.with_borrow(Option::is_none));
        assert!(std::panic::catch_unwind(|| unchanged(|| panic!())).is_err());
        assert!(KNOWN.with_borrow(Option::is_none));
    }
}
