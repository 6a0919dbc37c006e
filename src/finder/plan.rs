//! Settings that a search derives from its options.

use crate::delimit;
use crate::options::{Embedded, Options, Shortcut, Unwrap};
use crate::scan::{KernelLoops, Triggers};

/// Values derived from the options once, because many texts are too short to derive them per text.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchPlan {
    pub triggers: Triggers,
    pub loops: KernelLoops,
    shortcut: Shortcut,
    /// True if the options can report or unwrap a URI inside a match.
    pub looks_inside: bool,
}

impl SearchPlan {
    /// True if every match is at its colon, and matches inside matches are not reported.
    #[cfg(feature = "search")]
    pub fn is_plain(&self) -> bool {
        self.triggers.are_plain_colons() && !self.looks_inside
    }

    /// Returns an offset before which there is no match, if the colons alone can prove that.
    #[cfg(feature = "search")]
    #[inline]
    pub fn first(&self, haystack: &[u8]) -> Option<usize> {
        self.triggers.are_plain_colons().then(|| (self.loops.first)(haystack))
    }

    /// True if the fast path may decide a candidate. A build for web pages does without it: there,
    /// bytes to load count more than time.
    #[inline]
    pub fn takes_shortcut(&self) -> bool {
        !cfg!(target_family = "wasm") && self.shortcut == Shortcut::Taken
    }

    /// True if a text without a colon cannot contain a match.
    pub fn needs_colon(&self) -> bool {
        self.triggers.are_colons()
    }

    pub fn new(options: &Options) -> Self {
        Self {
            triggers: Triggers::for_options(options),
            loops: options.kernel.loops(),
            shortcut: delimit::shortcut(options),
            looks_inside: (options.embedded, options.unwrap()) != (Embedded::Skip, Unwrap::Never)
                // The loop that looks inside also drops the schemes that are not selected, so that
                // the other loops need no test for them.
                || !options.only_schemes.is_empty(),
        }
    }
}
