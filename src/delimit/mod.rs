//! Appendix C of RFC 3986: where a URI in free text starts and where it ends.
//!
//! A candidate passes through these files in order. Each implements one group of rules.
//!
//! | file | subject | rules |
//! |---|---|---|
//! | `fast_path` | the common case in one walk | D1.2, D1.6, D2.4, D3, D4.1–D4.3 |
//! | `start` | the scheme before the colon | D1 |
//! | `wrapper` | openers before the scheme | D3.1, D3.6–D3.8 |
//! | `texinfo` | arguments of Texinfo commands | D3.7 |
//! | `join`, `page_break` | line breaks and page breaks inside a wrapper | D3.2–D3.6 |
//! | `line_breaks` | URIs that a line break may cut; calls the next five | D3.2–D3.9, D5 |
//! | `line_prefix` | prefixes of lines in quotations, comments, and diffs | D3.4 |
//! | `quote_pair` | pairs of double quotes on two lines | D3.6 |
//! | `literal`, `shell_array` | string literals that a program concatenates | D3.9 |
//! | `decode`, `escape` | backslashes that can be decoded | D2.4 |
//! | `colour` | sequences for terminals inside a URI | D2.4 |
//! | `escape_code`, `escape_tex`, `escape_troff` | characters by code, of TeX, of man pages | D2.4 |
//! | `scheme_rules` | the syntax that a scheme selects for the rest | D1.4–D1.6, D4.6 |
//! | `refang` | defanged URIs | D4.6 |
//! | `bracket`, `unclosed` | paired brackets, and brackets never closed | D4.2 |
//! | `run`, `byte_class`, `char_reference` | the characters of a URI | D2, D4.1, D4.2, D4.7 |
//! | `separator` | characters between two URIs in one run | D4.7 |
//! | `rejected_run` | where the run of a rejected URI ends | D4.7 |
//! | `prose`, `table` | prose that continues, cells that end | D2.3, D4.11, D4.12 |
//! | `authority`, `host_placeholder` | host and port, and placeholders for them | D4.6, D4.8, D4.9 |
//! | `trim` | trailing characters that are not part of the URI | D2.3, D4.3–D4.5 |
//! | `value` | string literals that are a whole URI | D3.8 |
//! | `rejoin`, `open_end`, `uri_rest` | line breaks in plain text | D5 |
//! | `dropped_mark` | line breaks after a mark that trimming drops | D5 |
//! | `hunk_heading` | headings of hunks that a program cut | D5 |
//! | `line_likeness` | lines that start alike, as in a log | D5 |
//! | `domain` | hosts without a preceding `//` | D7 |
//! | `host_context` | dotted words in prose or in code | D7 |
//! | `abbreviated`, `email` | URIs and addresses without a scheme | D7 |
//! | `message_id` | message identifiers | D7 |
//! | `unschemed`, `identifier` | DOIs, ISBNs and hosts in `[.]`, without a scheme | D7, D4.6 |
//! | `uts58` | links by the rules of UTS #58 | D7 |
//! | `line_dependency` | lines that no URI continues into, for prefilters | D3.2–D3.6, D3.9 |
//! | `exact` | references that a document format delimits | D3.8 |
//! | `finish` | repair, mapping to a URI, grammar | D2.2, D2.3 |
//!
//! A truncated URI is never reported as complete. Text that cannot be read is rejected with a
//! reason, and takes the rest of its run with it.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod abbreviated;
mod authority;
mod bracket;
mod byte_class;
mod char_reference;
mod colour;
mod decode;
mod delimited;
mod domain;
mod dropped_mark;
mod email;
mod escape;
mod escape_code;
mod escape_tex;
mod escape_troff;
mod exact;
mod examine;
mod explain;
mod fast_path;
mod finish;
mod host_context;
mod host_placeholder;
mod hunk_heading;
mod identifier;
mod join;
mod line_breaks;
#[cfg(feature = "search")]
mod line_dependency;
mod line_likeness;
mod line_prefix;
mod literal;
mod message_id;
mod open_brackets;
mod open_end;
mod page_break;
mod prose;
mod quote_pair;
mod refang;
mod rejected_run;
mod rejoin;
mod repository;
mod right_end;
mod run;
mod run_marks;
mod scheme_rules;
mod separator;
mod shell_array;
mod spaced;
mod start;
mod substitution;
mod table;
mod texinfo;
mod text_view;
mod trim;
mod unclosed;
mod unschemed;
pub(crate) mod uri_rest;
mod uts58;
mod value;
mod wrapper;

use alloc::vec::Vec;
use core::mem::take;

use repository::RepositoryAddress;

use crate::error::Reason;
use crate::options::{Abbreviated, Detection, Identifiers, Options, Refang, Shortcut};
use crate::scan::{Candidate, Scanner, Trigger, Triggers};
use crate::scheme::MAX_HEAD_BYTES;
use crate::slice::SliceExt;
use crate::span::Span;
use crate::trace::{Step, Trace};

#[cfg(feature = "search")]
pub(crate) use authority::next_at_sign;
pub(crate) use delimited::{Decision, Delimited, DerivedIri, DerivedUri};
#[cfg(feature = "search")]
pub(crate) use escape::EscapeMeaning;
#[cfg(feature = "search")]
pub(crate) use escape::has_slashes;
#[cfg(feature = "search")]
pub(crate) use escape_tex::{character as tex_character, group as tex_group};
#[cfg(feature = "search")]
pub(crate) use escape_troff::character as troff_character;
pub(crate) use exact::{ExactText, read as read_exact};
pub(crate) use fast_path::{
    FAST_PATH_LOOKAHEAD_BYTES, FastMatch, FastOutcome, look, look_colon, look_escaped, look_web,
};
#[cfg(feature = "search")]
pub(crate) use host_placeholder::{LOOK_ELEMENTS, NAME_ELEMENTS, angle_placeholder};
pub(crate) use join::WRAPPER_BYTES;
#[cfg(feature = "search")]
pub(crate) use line_dependency::{LineDependency, end_dependency, lacks_host, line_dependency};
#[cfg(feature = "search")]
pub(crate) use literal::{MAX_LITERAL_LENGTH, MAX_LITERALS};
pub(crate) use rejected_run::rejected_end;
pub(crate) use run::{DelimitScratch, ReachedBytes};
#[cfg(feature = "search")]
pub(crate) use spaced::split_extension;
pub(crate) use start::MAX_SCHEME_BYTES;

/// Most bytes past the end of a run that any rule reads (D3.5, D5), with room to spare.
pub(crate) const LOOKAHEAD: usize = 8192;
/// Most bytes before a colon that any rule reads: scheme, opener, line prefix (D1.1, D3.4), and the
/// line of a URI that may be wrapped (D5).
pub(crate) const LOOKBEHIND: usize = 2048;

/// Decides the candidate at `haystack[candidate.at]`; also returns how far the rules read.
///
/// No finding starts before `floor`, the end of the last finding. Such a candidate is refused
/// before its run is walked.
pub(crate) fn examine(
    haystack: &[u8],
    candidate: Candidate,
    floor: usize,
    options: &Options,
    scratch: &mut DelimitScratch,
) -> (Decision, usize) {
    let Candidate { at, trigger } = candidate;
    scratch.looked = ReachedBytes { span: at, ..ReachedBytes::default() };
    let mut examined = match (options.detection(), trigger) {
        (_, Trigger::Doi | Trigger::Label | Trigger::Fang) => {
            unschemed::examine(haystack, candidate, floor, options, scratch)
        }
        (Detection::Rules, Trigger::Colon | Trigger::Web(_)) => {
            examine::Examiner::new(haystack, floor, options, scratch).colon(at)
        }
        (Detection::Rules, Trigger::Dot) => {
            examine::Examiner::new(haystack, floor, options, scratch).abbreviated(at)
        }
        // The dot of its host is a candidate too, and reads the whole address.
        (Detection::Rules, Trigger::At)
            if options.abbreviated == Abbreviated::Report
                && RepositoryAddress::at_host(haystack, at + 1).is_some() =>
        {
            (Decision::Nothing, at + MAX_HEAD_BYTES)
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
            // UTS #58 covers http, https, and mailto; all other schemes follow our own rules.
            None => examine::Examiner::new(haystack, floor, options, scratch).colon(at),
        },
    };
    if let Decision::Found(Delimited { span, .. }) | Decision::Rejected { span, .. } = &examined.0 {
        scratch.looked.reach(span.end());
    }
    // The bracket after it is a candidate too, and reads the whole address.
    if options.refang() == Refang::Read
        && trigger == Trigger::At
        && matches!(examined.0, Decision::Rejected { reason: Reason::Defanged, .. })
    {
        examined.0 = Decision::Nothing;
    }
    examined
}

/// Returns whether [`look`] and [`look_web`] may run before [`examine`].
pub(crate) fn shortcut(options: &Options) -> Shortcut {
    if fast_path::applies(options) && options.max_wrapper >= WRAPPER_BYTES {
        options.shortcut
    } else {
        Shortcut::Avoided
    }
}

/// Returns how far before its trigger a match may start.
pub(crate) fn look_back(triggers: Triggers) -> usize {
    if triggers.are_colons() { start::MAX_SCHEME_BYTES } else { domain::MAX_START_LENGTH }
}

/// Returns the steps that led to the finding at `span`.
///
/// The first attempt reads only a little of the text after the finding, which nearly always gives
/// the same result. Only if it does not, a second attempt reads more. So a text of many findings is
/// not read to its end for each of them.
pub(crate) fn explain<'h>(
    haystack: &'h [u8],
    verdict: ExplainTarget,
    options: &Options,
) -> Vec<Step<'h>> {
    let span = verdict.span;
    let ahead = |most| haystack.clamped(..span.end().saturating_add(most));
    let near = steps(ahead(EXPLAIN_LOOKAHEAD_BYTES), span, options);
    let near = near.filter(|(found, _)| verdict.is_that_of(*found));
    let far = || steps(ahead(EXPLAIN_MAX_LOOKAHEAD_BYTES), span, options);
    near.or_else(far).map(|(_, steps)| steps).unwrap_or_default()
}

/// A finding to explain, or the result of deciding it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExplainTarget {
    pub span: Span,
    pub rejected: Option<Reason>,
}

impl ExplainTarget {
    /// True if `again` is the same finding. Rejections need only the same start: a rejected
    /// candidate takes the rest of its run (D4.7), and the end of that depends on how much text was
    /// visible.
    fn is_that_of(self, again: Self) -> bool {
        match self.rejected {
            None => self == again,
            Some(_) => self.rejected == again.rejected && self.span.start() == again.span.start(),
        }
    }
}

/// Bytes after a finding that the first attempt at an explanation reads.
const EXPLAIN_LOOKAHEAD_BYTES: usize = 64;
/// Bytes that the second attempt reads, if the first gave another result.
const EXPLAIN_MAX_LOOKAHEAD_BYTES: usize = 1024;

/// Returns the first finding that starts where `span` does, and its steps. Candidates too far away
/// for that are skipped: each could be walked to the end of a long finding.
fn steps<'h>(
    haystack: &'h [u8],
    span: Span,
    options: &Options,
) -> Option<(ExplainTarget, Vec<Step<'h>>)> {
    let within = |length: usize, is_examined: fn(Trigger) -> bool| {
        let from = span.start().saturating_sub(length);
        steps_from(haystack, span, from, is_examined, options)
    };
    if options.identifiers() == Identifiers::Skip {
        return within(0, |_| true);
    }
    // A label precedes its value, and that of a list may be far away. Only labels are examined
    // there: with every candidate, each finding of a dense text took the work of a hundred others.
    within(identifier::MAX_LABEL_LENGTH, |_| true)
        .or_else(|| within(identifier::MAX_LIST_LENGTH, |trigger| trigger == Trigger::Label))
}

/// Like [`steps`], but examines the candidates from `from` on that have such a trigger.
fn steps_from<'h>(
    haystack: &'h [u8],
    span: Span,
    mut from: usize,
    is_examined: fn(Trigger) -> bool,
    options: &Options,
) -> Option<(ExplainTarget, Vec<Step<'h>>)> {
    let triggers = Triggers::for_options(options);
    // A trigger is at most this far after the start of its match. Later ones belong to other
    // findings.
    let end = span.end().min(span.start() + look_back(triggers) + 1);
    let near = haystack.clamped(..end + triggers.width());
    let mut scanner = Scanner::new(triggers, options.kernel.loops());
    let mut scratch =
        DelimitScratch { latest_start: Some(span.start()), ..DelimitScratch::default() };
    while let Some(candidate) = scanner.next(near, from)
        && candidate.at < end
    {
        from = candidate.at + 1;
        if !is_examined(candidate.trigger) {
            continue;
        }
        scratch.trace = Trace::on();
        let (decision, _) = examine(haystack, candidate, span.start(), options, &mut scratch);
        let found = match decision {
            Decision::Found(found) => Some(ExplainTarget { span: found.span, rejected: None }),
            Decision::Rejected { span, reason, .. } => {
                Some(ExplainTarget { span, rejected: Some(reason) })
            }
            Decision::Nothing => None,
        };
        let starts_there = |ExplainTarget { span: found, .. }: &ExplainTarget| {
            *found == span || found.start() == span.start() && !found.is_empty()
        };
        if let Some(found) = found.filter(starts_there) {
            return Some((found, take(&mut scratch.trace).into_steps(haystack)));
        }
    }
    None
}
