//! A URI with escapes (D2.4): decoded once into a reused buffer, then walked like any other.

use alloc::boxed::Box;

use super::super::decode::{self, DecodedExtent};
use super::super::delimited::{Delimited, derivation, derive};
use super::super::escape::{self, EscapeDialect, EscapeMeaning, EscapeZone, SlashSpelling};
use super::super::finish::Finished;
use super::super::run::DelimitScratch;
use super::super::spaced::may_continue_in_line;
use super::super::text_view::TextView;
use super::super::unclosed::WalkedText;
use super::super::wrapper;
use super::encoded::FastEncoding;
use super::ending::{end, is_field, may_be_userinfo};
use super::look::scheme_start;
use super::matched::FastMatch;
use super::opener::opener;
use super::walk::WebWalk;
use crate::kind::{Flag, Flags};
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::Options;
use crate::scan::{Candidate, KernelLoops, Trigger};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;

/// Most bytes of a URI that are decoded. Longer ones go to the examiner, which decodes them in
/// parts.
const MAX_BYTES: usize = 256;

/// Decides a web URI whose run contains an escape, if it is plain once decoded.
#[inline(never)]
pub(crate) fn look_escaped(
    haystack: &[u8],
    candidate: Candidate,
    options: &Options,
    loops: &KernelLoops,
    scratch: &mut DelimitScratch,
) -> Option<Delimited> {
    let colon = candidate.at;
    let start = web_start(haystack, candidate)?;
    let near = haystack.clamped(colon..start + MAX_BYTES);
    let backslash = colon + memchr::memchr(b'\\', near)?;
    let (opener, edge) = opener(haystack, start)?;
    let before = haystack.part(..start);
    let dialect = if backslash == colon + 1 {
        // Only JSON writes slashes so directly after a colon.
        match escape::slashes(haystack.part(colon + 1..)) {
            SlashSpelling::Escaped(EscapeDialect::Json) => EscapeDialect::Json,
            _ => return None,
        }
    } else {
        // The rules must get as far as the escape.
        let walk = WebWalk { text: haystack, before, body: colon + 3, opener, options, loops };
        let walked = walk.walk()?;
        if walked.end != backslash || walked.path_start == backslash {
            return None;
        }
        wrapper::dialect(before.tail(wrapper::LOOKBACK))
    };
    match escape::read(haystack, backslash, dialect, EscapeZone::Rest) {
        EscapeMeaning::Char { .. } | EscapeMeaning::Nothing { .. } => {}
        EscapeMeaning::Hard | EscapeMeaning::Unreadable => return None,
    }
    if escape::is_pattern(before.tail(wrapper::LOOKBACK), haystack.part(start..), dialect) {
        return None;
    }
    let derived = &mut scratch.derived;
    if decode::decode(haystack, start, dialect, MAX_BYTES, derived) != DecodedExtent::Whole {
        return None;
    }
    let text = derived.text();
    let walk = WebWalk { text, before, body: colon + 3 - start, opener, options, loops };
    let walked = walk.walk()?;
    let is_plain = walked.encoding == FastEncoding::None
        && walked.end <= options.max_uri
        && !may_be_userinfo(text, walked.end)
        && !is_field(before, &walked);
    if !is_plain {
        return None;
    }
    let (end, wrapper) = end(text, (opener, edge), &walked)?;
    let found = FastMatch::new(Span::new(0, end), wrapper, walked);
    let found = delimited(haystack, start, derived, dialect, found, options)?;
    // D2.4: a URI alone in its line that may continue after a space
    let may_continue = may_continue_in_line(before, haystack.part(found.span.end()..));
    (!may_continue).then_some(found)
}

/// Returns the match of a URI in `derived`, unless all of it is a copy of the source.
fn delimited(
    haystack: &[u8],
    start: usize,
    derived: &DerivedText,
    dialect: EscapeDialect,
    found: FastMatch,
    options: &Options,
) -> Option<Delimited> {
    let view = TextView::derived(derived, start, WalkedText::Decoded(dialect));
    let (end, kind) = (found.span.end(), found.kind());
    let is_decoded = derivation(&view, end)?.has(RunOrigin::Decoded, end);
    let flags = Flags::default();
    let parts = found.parts(derived.text(), options.assume);
    let finished = Finished { kind, parts, uri: None, hosts: options.hosts };
    let span = view.span(end);
    Some(Delimited {
        span,
        kind,
        wrapper: found.wrapper,
        flags: if is_decoded { flags.with(Flag::Decoded) } else { flags },
        parts,
        next: span.end(),
        derived: Some(Box::new(derive(&view, end, finished, &[], haystack))),
    })
}

/// Returns the start of the scheme `http` or `https`, if it is followed by two slashes in any
/// spelling.
fn web_start(haystack: &[u8], candidate: Candidate) -> Option<usize> {
    let colon = candidate.at;
    match candidate.trigger {
        Trigger::Web(start) => Some(start),
        Trigger::Colon if matches!(haystack.get(colon + 1), Some(b'/' | b'\\')) => {
            scheme_start(haystack.part(..colon), &[b"http", b"https"])
        }
        _ => None,
    }
}
