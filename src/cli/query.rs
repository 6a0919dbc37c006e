//! What is looked for: the finder, and which of its findings are wanted.

use urigrep::{Finder, Finding, Relative};

use super::documents::Documents;

use super::select::Selection;

/// Which findings are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Matches.
    Matches,
    /// Rejected candidates.
    Rejected,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    /// What finds.
    pub finder: Finder,
    /// What is wanted of it.
    pub selection: Selection,
    /// Matches, or what was rejected.
    pub report: Report,
    /// How documents are read.
    pub documents: Documents,
}

/// What the query makes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it counts as.
    pub counts: Counts,
    /// Whether it is printed.
    pub usage: Use,
}

impl Verdict {
    fn new(counts: Counts, wanted: bool) -> Self {
        Self {
            counts,
            usage: if wanted { Use::Wanted } else { Use::Unwanted },
        }
    }
}

/// What a finding counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// A match that was selected.
    Match,
    /// A rejected candidate.
    Rejected,
    /// A match that was not selected.
    Nothing,
}

/// Whether a finding is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is.
    Wanted,
    /// It is not.
    Unwanted,
}

impl Query {
    /// What becomes of a finding; depends on nothing else.
    #[inline(always)]
    pub fn judge(&self, finding: &Finding<'_>) -> Verdict {
        match finding {
            Finding::Match(m) => self.verdict(self.selection.takes(m)),
            // only documents have any, and they say to what they resolve
            Finding::Relative(relative) => self.judge_relative(relative, None),
            Finding::Rejected(rejected) => {
                let wanted =
                    self.report == Report::Rejected && self.selection.takes_rejected(rejected);
                Verdict::new(Counts::Rejected, wanted)
            }
        }
    }

    /// What becomes of a relative reference that stands for `target`, if that is known.
    pub fn judge_relative(&self, relative: &Relative<'_>, target: Option<&str>) -> Verdict {
        self.verdict(self.selection.takes_relative(relative, target))
    }

    /// What becomes of something that the selection takes, or does not.
    #[inline(always)]
    fn verdict(&self, taken: bool) -> Verdict {
        let counts = if taken {
            Counts::Match
        } else {
            Counts::Nothing
        };
        Verdict::new(counts, taken && self.report == Report::Matches)
    }
}
