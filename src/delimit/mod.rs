//! Appendix C of RFC 3986: where a URI in free text starts and where it ends.
//!
//! A candidate goes through these files in order; each knows one group of rules.
//!
//! | file | what it decides | rules |
//! |---|---|---|
//! | `start` | the scheme before the colon | D1 |
//! | `wrapper` | what opened before the scheme | D3.1, D3.6–D3.8 |
//! | `join`, `furniture` | line breaks and page breaks inside a wrapper | D3.2–D3.5 |
//! | `decode`, `escape` | backslashes that can be read through | D2.4 |
//! | `body` | by whose rules the rest is read | D1.4–D1.6, D4.6 |
//! | `refang` | URIs that were made unclickable on purpose | D4.6 |
//! | `run`, `class`, `reference` | how far the characters of a URI go | D2, D4.1, D4.2, D4.7 |
//! | `authority`, `hole` | host and port, and the signs that there are none | D4.6, D4.8, D4.9 |
//! | `trim` | what at its end only followed it | D2.3, D4.3–D4.5 |
//! | `rejoin` | line breaks in plain text | D5 |
//! | `settle` | repair, mapping to a URI, grammar | D2.2, D2.3 |
//!
//! Never emit a truncated URI as if it were whole: what can't be read is rejected with a
//! reason and takes the rest of its run with it.

mod authority;
mod body;
mod class;
mod decode;
mod escape;
mod examine;
mod explain;
mod furniture;
mod hole;
mod join;
mod outcome;
mod refang;
mod reference;
mod rejoin;
mod run;
mod settle;
mod start;
mod trim;
mod view;
mod wrapper;

use crate::options::Options;
use crate::trace::{Step, Trace};

pub(crate) use class::hard_end;
pub(crate) use outcome::{Delimited, Made, Outcome};
pub(crate) use run::Scratch;
pub(crate) use start::LONGEST_SCHEME;

/// How far past the end of a run any rule looks (D3.5, D5), with room to spare.
pub(crate) const LOOKAHEAD: usize = 8192;
/// How far before a colon any rule looks: scheme, opener, line prefix (D1.1, D3.4), and the
/// line of a URI that may be wrapped (D5).
pub(crate) const LOOKBEHIND: usize = 2048;

/// Examines the candidate at `haystack[colon]`; `reach` says how far it looked.
pub(crate) fn examine(
    haystack: &[u8],
    colon: usize,
    options: &Options,
    scratch: &mut Scratch,
) -> (Outcome, usize) {
    examine::Examiner::new(haystack, options, scratch).candidate(colon)
}

/// The steps of the candidate whose scheme starts at `haystack[start]`.
pub(crate) fn explain<'h>(haystack: &'h [u8], start: usize, options: &Options) -> Vec<Step<'h>> {
    let near = haystack.get(start..).unwrap_or_default();
    let Some(colon) = memchr::memchr(b':', near) else {
        return Vec::new();
    };
    let mut scratch = Scratch::default();
    scratch.trace = Trace::on();
    drop(examine(haystack, start + colon, options, &mut scratch));
    scratch.trace.into_steps(haystack)
}
