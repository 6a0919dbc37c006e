//! Reads URIs without their scheme (D7): identifiers as people write them, and defanged hosts and
//! addresses.

use super::colour;
use super::decode::{self, RunSpelling};
use super::escape::EscapeDialect;
use super::examine::Examiner;
use super::identifier::{self, LabelledValue, ListEnd};
use super::refang;
use super::run::DelimitScratch;
use super::wrapper;
use super::{Decision, email, explain};
use crate::kind::Kind;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::{Abbreviated, Options};
use crate::scan::{Candidate, Trigger};
use crate::slice::SliceExt;
use crate::span::Span;

/// `urigrep/lite` of npm finds no identifiers, so the compiler leaves their rules out.
const HAS_IDENTIFIERS: bool = !cfg!(urigrep_lite);

/// Bytes of a DOI that contain its prefix.
const MAX_HEAD_BYTES: usize = 48;
/// Most bytes after a trigger that decide its shape.
pub(super) const AHEAD: usize = 512;

/// A text that means a URI with `scheme`. Offsets are into the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unschemed {
    /// Start of the match, and start of its part that is in the URI.
    pub at: usize,
    pub rest: usize,
    /// Scheme with its colon and slashes.
    pub scheme: &'static str,
    pub kind: Kind,
    /// End of the match, if known.
    pub end: Option<usize>,
}

/// Decides a candidate of a DOI, a label, or a bracket; also returns how far the rules read.
pub(super) fn examine(
    haystack: &[u8],
    Candidate { at, trigger }: Candidate,
    floor: usize,
    options: &Options,
    scratch: &mut DelimitScratch,
) -> (Decision, usize) {
    let nothing = (Decision::Nothing, at + AHEAD);
    if trigger == Trigger::Label {
        // A value may be in the line after its label.
        scratch.looked.reach(at + AHEAD);
    }
    match trigger {
        Trigger::Doi => match HAS_IDENTIFIERS.then(|| identifier::doi(haystack, at)).flatten() {
            Some(doi) => after_scheme((haystack, floor), doi, options, scratch),
            // `10.0.0.1:80` starts like a DOI, and `10.1.a.example` too.
            None if options.abbreviated == Abbreviated::Report => {
                Examiner::new(haystack, floor, options, scratch).abbreviated(at)
            }
            None => nothing,
        },
        Trigger::Label if !HAS_IDENTIFIERS => nothing,
        Trigger::Label => {
            let Some((value, end)) = identifier::labelled(haystack, at, floor) else {
                return nothing;
            };
            let (mut decision, reach) = match value {
                LabelledValue::Rest(rest) => {
                    after_scheme((haystack, floor), rest, options, scratch)
                }
                LabelledValue::Whole(span, uri) => {
                    let decision = email::found(haystack, span, uri, Kind::Abbreviated);
                    let decision = decision.unwrap_or(Decision::Nothing);
                    explain::link(&mut scratch.trace, "an identifier after its label", &decision);
                    (decision, span.end() + AHEAD)
                }
                LabelledValue::Broken(span, reason) => {
                    (Decision::Rejected { span, reason, at: span.len() }, at + AHEAD)
                }
            };
            if let Decision::Found(found) = &mut decision {
                scratch.looked.reach(found.span.end() + AHEAD);
                // The label is read again, for the value after this one.
                if end == ListEnd::Later {
                    found.next = at;
                }
            }
            (decision, reach)
        }
        _ => match refang::unschemed(haystack, at, options.assume) {
            Some(found) => {
                let derive = |most: usize, derived: &mut DerivedText| {
                    start(found, most, derived);
                    let haystack = haystack.clamped(..found.end.unwrap_or(haystack.len()));
                    Some(refang::rest_of(
                        haystack,
                        found.rest,
                        most,
                        refang::Backslash::Hard,
                        derived,
                    ))
                };
                Examiner::new(haystack, floor, options, scratch).unschemed(found, derive)
            }
            None => nothing,
        },
    }
}

fn after_scheme(
    (haystack, floor): (&[u8], usize),
    found: Unschemed,
    options: &Options,
    scratch: &mut DelimitScratch,
) -> (Decision, usize) {
    let head = haystack.part(found.rest..).clamped(..MAX_HEAD_BYTES);
    // Only JSON escapes the slash of a DOI's prefix: `10.1000\/182`.
    let dialect = match crate::memmem::find(head, b"\\/") {
        Some(_) => EscapeDialect::Json,
        None => wrapper::before(haystack, found.at).dialect(),
    };
    let writing = RunSpelling { dialect, style: colour::before(haystack.part(..found.at)) };
    let derive = |most: usize, derived: &mut DerivedText| {
        start(found, most, derived);
        let window = haystack.clamped(found.rest..found.rest + most);
        let end = match identifier::end_of_first(window) {
            Some(end) => found.rest + end,
            None => haystack.len(),
        };
        Some(decode::append(haystack.part(..end), found.rest, writing, most, derived))
    };
    Examiner::new(haystack, floor, options, scratch).unschemed(found, derive)
}

/// Starts `derived` with the missing scheme.
fn start(found: Unschemed, most: usize, derived: &mut DerivedText) {
    derived.restart(most.min(decode::MAX_RESERVED_BYTES) + decode::LOOKAHEAD_BYTES);
    let left_out = Span::new(found.at, found.rest);
    derived.replace(found.scheme.as_bytes(), left_out, RunOrigin::Assumed);
}
