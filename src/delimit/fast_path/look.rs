//! Decides a candidate, from its scheme to the next line (D1.2, D4.10, D5).

use super::super::abbreviated::{self, BareStart};
use super::super::dropped_mark;
use super::super::hunk_heading;
use super::super::literal;
use super::super::message_id;
use super::super::rejoin::{LineContinuation, continuation};
use super::super::spaced::may_continue_in_line;
use super::super::wrapper::WrapperEdge;
use super::ending::{end, is_field, may_be_userinfo};
use super::matched::FastMatch;
use super::opaque::{self, OpaqueScheme};
use super::opener::{FastOpener, opener};
use super::walk::{FastWalk, WebWalk};
use crate::grammar::Grammar;
use crate::options::{Detection, Options, Refang};
use crate::scan::{Candidate, KernelLoops, Trigger};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Bytes after a match that the fast path reads: the start of the next line (D5).
pub(crate) const FAST_PATH_LOOKAHEAD_BYTES: usize = 512;

/// True if the options allow the fast path. Each option tested here changes what a plain URI is.
pub(in super::super) fn applies(options: &Options) -> bool {
    options.refang() == Refang::Reject
        && options.detection() == Detection::Rules
        && options.grammar() == Grammar::default()
        && options.recognizers.is_empty()
}

/// Result of the fast path for a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FastOutcome {
    Match(FastMatch),
    /// The examiner would find nothing either.
    Nothing,
    Unknown,
}

/// Decides a candidate without a colon (D7), if it is plain. Inlined into its only caller.
#[inline(always)]
pub(crate) fn look(
    haystack: &[u8],
    candidate: Candidate,
    options: &Options,
    loops: &KernelLoops,
) -> FastOutcome {
    let at = candidate.at;
    match candidate.trigger {
        Trigger::Dot => host(haystack, at, options, loops),
        Trigger::At if message_id::names_message(haystack, at) => FastOutcome::Nothing,
        _ => FastOutcome::Unknown,
    }
}

/// Decides the URI whose scheme is at `start` and whose authority is at `body`, if it is plain.
/// Separate from [`look`] and inlined, because in most texts nearly all candidates are `http` and
/// `https`.
#[inline(always)]
pub(crate) fn look_web(
    haystack: &[u8],
    start: usize,
    body: usize,
    options: &Options,
    loops: &KernelLoops,
) -> Option<FastMatch> {
    let (opener, edge) = opener(haystack, start)?;
    let before = haystack.part(..start);
    let walk = WebWalk { text: haystack, before, body, opener, options, loops };
    let walked = walk.walk()?;
    if may_be_userinfo(haystack, walked.end) {
        return None;
    }
    finish(haystack, start, (opener, edge), walked, options)
}

/// Returns the start of the first of these schemes, in small letters, that ends `before` in any
/// case.
pub(super) fn scheme_start(before: &[u8], schemes: &[&[u8]]) -> Option<usize> {
    let scheme = schemes.iter().find(|scheme| before.ends_with_ignore_case(scheme))?;
    Some(before.len() - scheme.len())
}

/// Decides the URI whose scheme ends at `colon`, in any case and also without `//`, if it is plain.
/// Separate from [`look`], like [`look_web`], because lists of URNs and the like are long.
#[inline(always)]
pub(crate) fn look_colon(
    haystack: &[u8],
    colon: usize,
    options: &Options,
    loops: &KernelLoops,
) -> Option<FastMatch> {
    let before = haystack.part(..colon);
    if haystack.part(colon + 1..).starts_with(b"//") {
        let start = scheme_start(before, &[b"http", b"https", b"ftp"])?;
        return look_web(haystack, start, colon + 3, options, loops);
    }
    let scheme = OpaqueScheme::before(before)?;
    let start = colon - scheme.name().len();
    let (opener, edge) = opener(haystack, start)?;
    // D1.6: a scheme is not a parameter of a content line.
    if matches!(haystack.part(..start).last(), Some(b'=' | b';' | b',')) {
        return None;
    }
    let walked = opaque::walk(haystack, colon + 1, scheme, loops)?;
    let found = finish(haystack, start, (opener, edge), walked, options)?;
    let body = colon + 1;
    scheme.accepts(haystack.part(body..), found.span.end() - body).then_some(found)
}

/// D7: decides the host whose first dot is at `dot`.
fn host(haystack: &[u8], dot: usize, options: &Options, loops: &KernelLoops) -> FastOutcome {
    let host = match abbreviated::start(haystack, dot, options.identifiers()) {
        Some(BareStart::Host(host)) => host,
        Some(BareStart::Repository(_)) => return FastOutcome::Unknown,
        None => return FastOutcome::Nothing,
    };
    if host.cut || !haystack.part(host.at..host.end).is_ascii() {
        return FastOutcome::Unknown;
    }
    let found = || {
        let (opener, edge) = opener(haystack, host.at)?;
        let before = haystack.part(..host.at);
        let walk = WebWalk { text: haystack, before, body: host.at, opener, options, loops };
        let walked = walk.walk_after_host(host.end)?;
        finish(haystack, host.at, (opener, edge), walked, options)
    };
    found().map_or(FastOutcome::Unknown, FastOutcome::Match)
}

/// Returns the match from `start` on that ends where its run does, or before a character that D4.3
/// drops.
#[inline(always)]
fn finish(
    haystack: &[u8],
    start: usize,
    (opener, edge): (FastOpener, WrapperEdge),
    walked: FastWalk,
    options: &Options,
) -> Option<FastMatch> {
    work_counter::add(walked.end - walked.body);
    // D4.10
    if walked.end - start > options.max_uri {
        return None;
    }
    if is_field(haystack.part(..start), &walked) {
        return None;
    }
    // D3.9: a program may join the next string literal to this one. Both tests are needed: the
    // first reads two bytes and refuses nearly all candidates.
    if literal::may_close(haystack, walked.end) && literal::is_followed(haystack, start, walked.end)
    {
        return None;
    }
    let (end, wrapper) = end(haystack, (opener, edge), &walked)?;
    // D2.4: a URI alone in its line that may continue after a space
    if may_continue_in_line(haystack.part(..start), haystack.part(end..)) {
        return None;
    }
    // D5: a URI that ends its line may continue in the next. The fast path sets no flags, so any
    // doubtful case goes to the examiner.
    let may_continue = if end == walked.end {
        continuation(haystack, start, end) != LineContinuation::None
    } else {
        dropped_mark::may_cut(haystack, end)
    };
    if may_continue || hunk_heading::cuts(haystack, start, walked.end) {
        return None;
    }
    Some(FastMatch::new(Span::new(start, end), wrapper, walked))
}
