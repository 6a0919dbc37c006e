//! Addresses that settings derive from titles and dates: [`TitledAddresses`].

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::mounts::MAX_NAMES;
use crate::hash::HashSet;

/// The fixed starts of such addresses. A lookup takes the names of the path, because settings may
/// have thousands of sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TitledAddresses {
    starts: HashSet<PathBuf>,
    /// True if addresses may start with a year.
    has_years: bool,
    /// Number of names in the longest start.
    depth: usize,
}

impl TitledAddresses {
    /// Collects the starts; [`YEAR`] is one that any year has.
    pub fn new(starts: Vec<String>) -> Self {
        let mut all = Self::default();
        for start in starts.into_iter().map(PathBuf::from) {
            let depth = start.components().take(MAX_NAMES + 1).count();
            if start.as_os_str() == YEAR {
                all.has_years = true;
            } else if depth <= MAX_NAMES {
                all.depth = all.depth.max(depth);
                all.starts.insert(start);
            }
        }
        all
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty() && !self.has_years
    }

    /// True for a path that starts like one of these addresses.
    pub fn holds(&self, path: &Path) -> bool {
        let first = || path.iter().next().and_then(OsStr::to_str);
        if self.has_years && first().is_some_and(|year| year.len() == 4 && is_number(year)) {
            return true;
        }
        let deeper = path.components().count().saturating_sub(self.depth);
        path.ancestors().skip(deeper).any(|start| self.starts.contains(start))
    }
}

/// The pattern of an address that starts with a year.
pub(super) const YEAR: &str = ":year";

/// True for digits only.
pub(in crate::audit) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_start_like_their_pattern() {
        let titled = TitledAddresses::new(vec!["blog".into(), "a/b".into(), YEAR.into()]);
        for path in ["blog", "blog/c", "a/b/c/d/e/f", "2020/x", "a//b"] {
            assert!(titled.holds(Path::new(path)), "{path}");
        }
        for path in ["", "blogs", "a", "a/c/b", "x/blog", "20/x"] {
            assert!(!titled.holds(Path::new(path)), "{path}");
        }
    }
}
