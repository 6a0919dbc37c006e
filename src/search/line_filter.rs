//! Restricts a search to some lines of files, such as those that changed.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::search::{Hit, Input};

/// Says whether any line from the first to the second number of a file is searched.
type LinePredicate = dyn Fn(&Path, u64, u64) -> bool + Send + Sync;

#[derive(Clone)]
pub(crate) struct LineFilter(Arc<LinePredicate>);

impl LineFilter {
    pub fn new(takes: impl Fn(&Path, u64, u64) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(takes))
    }

    /// True if a line of the file is searched. Other files are not even opened.
    pub fn takes_input(&self, input: &Input) -> bool {
        self.takes_lines(input, 1, u64::MAX)
    }

    pub fn takes_hit(&self, hit: &Hit<'_>) -> bool {
        match hit.position().filter(|_| hit.input().stream().is_none()) {
            Some(position) => self.takes_lines(hit.input(), position.line, position.line),
            // Lines of an unpacked or extracted text are not lines of the file.
            None => self.takes_input(hit.input()),
        }
    }

    fn takes_lines(&self, input: &Input, first: u64, last: u64) -> bool {
        input.path().is_some_and(|path| (self.0)(path, first, last))
    }
}

impl fmt::Debug for LineFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineFilter").finish_non_exhaustive()
    }
}
