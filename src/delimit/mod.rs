//! Appendix C of RFC 3986: where a URI in free text starts and where it ends.
//!
//! A candidate goes through these files in order; each knows one group of rules.
//!
//! | file | what it decides | rules |
//! |---|---|---|
//! | `fast_path` | the common case, all at once | D1.2, D2.4, D3, D4.1–D4.3 |
//! | `start` | the scheme before the colon | D1 |
//! | `wrapper` | what opened before the scheme | D3.1, D3.6–D3.8 |
//! | `join`, `page_break` | line breaks and page breaks inside a wrapper | D3.2–D3.5 |
//! | `decode`, `escape` | backslashes that can be read through | D2.4 |
//! | `scheme_rules` | by whose rules the rest is read | D1.4–D1.6, D4.6 |
//! | `refang` | URIs that were made unclickable on purpose | D4.6 |
//! | `run`, `byte_class`, `char_reference` | how far the characters of a URI go | D2, D4.1, D4.2, D4.7 |
//! | `authority`, `host_placeholder` | host and port, and the signs that there are none | D4.6, D4.8, D4.9 |
//! | `trim` | what at its end only followed it | D2.3, D4.3–D4.5 |
//! | `rejoin` | line breaks in plain text | D5 |
//! | `domain` | hosts without `//` before them | D7 |
//! | `abbreviated`, `email` | URIs and addresses without a scheme | D7 |
//! | `uts58` | links by the rules of UTS #58 | D7 |
//! | `exact` | what the format of its document delimits as one reference | D3.8 |
//! | `finish` | repair, mapping to a URI, grammar | D2.2, D2.3 |
//!
//! A truncated URI is never given as if it were whole: what can't be read is rejected with a
//! reason and takes the rest of its run with it.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod abbreviated;
mod authority;
mod bracket;
mod byte_class;
mod char_reference;
mod decode;
mod delimited;
mod domain;
mod email;
mod escape;
mod exact;
mod examine;
mod explain;
mod fast_path;
mod finish;
mod host_placeholder;
mod join;
mod page_break;
mod refang;
mod rejoin;
mod run;
mod scheme_rules;
mod start;
mod text_view;
mod trim;
mod uts58;
mod wrapper;

use alloc::vec::Vec;

use crate::options::{Detection, Options, Shortcut};
use crate::scan::{Candidate, Scanner, Trigger, Triggers};
use crate::span::Span;
use crate::trace::{Step, Trace};

pub(crate) use byte_class::hard_end;
pub(crate) use delimited::{Decision, Delimited, DerivedUri};
pub(crate) use exact::{ExactText, read as read_exact};
pub(crate) use fast_path::{FastMatch, REACH, find as find_fast};
pub(crate) use join::WRAPPER_BYTES;
pub(crate) use run::DelimitScratch;
pub(crate) use start::LONGEST_SCHEME;

/// How far past the end of a run any rule looks (D3.5, D5), with room to spare.
pub(crate) const LOOKAHEAD: usize = 8192;
/// How far before a colon any rule looks: scheme, opener, line prefix (D1.1, D3.4), and the
/// line of a URI that may be wrapped (D5).
pub(crate) const LOOKBEHIND: usize = 2048;

/// The candidate at `haystack[candidate.at]`; the number says how far the rules looked.
///
/// No mail address starts before `floor`, where the last finding ended.
pub(crate) fn examine(
    haystack: &[u8],
    candidate: Candidate,
    floor: usize,
    options: &Options,
    scratch: &mut DelimitScratch,
) -> (Decision, usize) {
    let Candidate { at, trigger } = candidate;
    match (options.detection, trigger) {
        (Detection::Rules, Trigger::Colon | Trigger::Web(_)) => {
            examine::Examiner::new(haystack, options, scratch).colon(at)
        }
        (Detection::Rules, Trigger::Dot) => {
            examine::Examiner::new(haystack, options, scratch).abbreviated(at)
        }
        (Detection::Rules, Trigger::At) => {
            let (decision, reach) = email::examine(haystack, at, floor);
            explain::link(&mut scratch.trace, "a mail address", &decision);
            (decision, reach)
        }
        (Detection::Uts58, _) => match uts58::examine(haystack, candidate, floor, options) {
            Some((decision, reach)) => {
                explain::link(&mut scratch.trace, "a link by UTS #58", &decision);
                (decision, reach)
            }
            None => examine::Examiner::new(haystack, options, scratch).colon(at),
        },
    }
}

/// Whether [`find_fast`] may be tried before [`examine`].
pub(crate) fn shortcut(options: &Options) -> Shortcut {
    if fast_path::applies(options) && options.max_wrapper >= WRAPPER_BYTES {
        options.shortcut
    } else {
        Shortcut::Avoided
    }
}

/// How far before its trigger a match may start.
pub(crate) fn look_back(triggers: Triggers) -> usize {
    if triggers.are_colons() { start::LONGEST_SCHEME } else { domain::LONGEST_START }
}

/// The steps of the candidate whose scheme starts at `haystack[start]`.
pub(crate) fn explain<'h>(haystack: &'h [u8], start: usize, options: &Options) -> Vec<Step<'h>> {
    let triggers = Triggers::of(options);
    let mut from = start;
    let mut scanner = Scanner::new(triggers, options.kernel.loops());
    while let Some(candidate) = scanner.next(haystack, from) {
        let mut scratch = DelimitScratch { trace: Trace::on(), ..DelimitScratch::default() };
        let (decision, _) = examine(haystack, candidate, start, options, &mut scratch);
        let span = match decision {
            Decision::Found(found) => found.span,
            Decision::Rejected { span, .. } => span,
            Decision::Nothing => Span::new(0, 0),
        };
        if span.start() == start && !span.is_empty() {
            return scratch.trace.into_steps(haystack);
        }
        from = candidate.at + 1;
        if from > start + LOOKBEHIND {
            break;
        }
    }
    Vec::new()
}
