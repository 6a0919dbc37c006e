//! Handles candidates whose URI a line break may cut: in a wrapper, between string literals, in
//! plain text (D3, D5).

use super::delimited::Decision;
use super::dropped_mark;
use super::examine::Examiner;
use super::hunk_heading;
use super::join::{self, JoinedWrapper, WrapperContent};
use super::line_prefix::line_after;
use super::literal::{self, NextLiteral};
use super::rejoin::{self, HeadlessUri, LineContinuation};
use super::right_end::UriEnd;
use super::run::StopReason;
use super::scheme_rules::{CandidateStart, NoMatch};
use super::start::starts_uri;
use super::text_view::TextView;
use super::uri_rest::looks_like_rest;
use super::wrapper::{LOOKBACK, WrapperContext, WrapperEdge};
use crate::error::Reason;
use crate::grammar::table::is_uri_byte;
use crate::kind::Flag;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::options::Rejoin;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

impl<'h> Examiner<'h, '_> {
    /// D3.2–D3.6: decides a candidate in a wrapper with white space in it.
    pub fn wrapped(&mut self, candidate: &CandidateStart<'h>) -> Option<Decision> {
        let CandidateStart { at, context, .. } = candidate;
        let angle = context.angle.is_some();
        if !angle && context.closers != ['"'] && context.closers != ['}'] {
            return None;
        }
        // A wrapper without white space needs no joining. The first byte that could matter decides,
        // so most candidates stop here.
        let inside = self.haystack.part(*at..).clamped(..join::WRAPPER_BYTES);
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'<' | b'"' | b'}');
        let first = inside.iter().copied().find(|b| ends(b))?;
        if !(matches!(first, b'\r' | b'\n') || angle && first.is_ascii_whitespace()) {
            return None;
        }
        self.reach = self.reach.max(at + join::WRAPPER_BYTES);
        let most = self.options.max_wrapper;
        let joins = self.options.rejoin != Rejoin::Never;
        self.with_derived(|examiner, derived| {
            let (wrapper, looked) = join::join(examiner.haystack, *at, context, most, derived);
            examiner.scratch.looked.reach(looked);
            match wrapper {
                JoinedWrapper::Text(content) => {
                    examiner.joined(candidate, derived, &content).filter(|_| {
                        examiner.is_cut = !joins && derived.has(RunOrigin::Joined, content.length);
                        !examiner.is_cut
                    })
                }
                JoinedWrapper::Broken { at: broken, end } if joins => {
                    let view = TextView::raw(examiner.haystack, *at);
                    let ended = examiner.end(&view, candidate, None);
                    // Reported only if a URI starts here, not for every colon in a wrapper.
                    let meant = !matches!(ended, Err(NoMatch::Silent));
                    meant.then_some(Decision::Rejected {
                        span: Span::new(*at, end),
                        reason: Reason::BrokenWrapper,
                        at: broken - at,
                    })
                }
                JoinedWrapper::Doubtful => {
                    examiner.is_cut = true;
                    None
                }
                JoinedWrapper::NotWrapped | JoinedWrapper::Broken { .. } => None,
            }
        })
    }

    /// D3.5: the joined text must be a URI as a whole; otherwise there is no wrapper.
    fn joined(
        &mut self,
        candidate: &CandidateStart<'h>,
        derived: &DerivedText,
        content: &WrapperContent,
    ) -> Option<Decision> {
        let view = TextView::joined(derived, candidate.at);
        let ended = self.end(&view, candidate, Some(content.length)).ok()?;
        Some(self.found(&view, ended, &content.hyphens))
    }

    /// Checks whether the text after the URI may continue it, and sets flags.
    pub fn at_end(
        &mut self,
        candidate: &CandidateStart<'h>,
        view: &TextView<'_>,
        mut ended: UriEnd,
    ) -> Decision {
        let (end, run_end) = (candidate.at + ended.end, candidate.at + ended.run_end);
        if has_space_in_group(self.haystack.part(run_end..), &candidate.context)
            || hunk_heading::cuts(self.haystack, candidate.at, run_end)
        {
            ended.flags.set(Flag::MaybeCut);
        }
        match literal::closer(self.haystack, end, run_end) {
            Some(quote) => self.at_literal_end(candidate, view, ended, quote),
            None if ended.stop == StopReason::Hard && end == run_end => {
                self.at_line_end(candidate, view, ended)
            }
            None => {
                if let Some(next) = dropped_mark::next_line(self.haystack, end) {
                    self.scratch.looked.flags = next;
                    let host = ended.host.map(|(from, to)| view.text.part(from..to));
                    if dropped_mark::cuts(self.haystack, Span::new(candidate.at, end), host) {
                        ended.flags.set(Flag::MaybeWrapped);
                    }
                }
                self.found(view, ended, &[])
            }
        }
    }

    /// D3.9: decides a URI whose string literal closes at `quote`.
    fn at_literal_end(
        &mut self,
        candidate: &CandidateStart<'h>,
        view: &TextView<'_>,
        mut ended: UriEnd,
        quote: usize,
    ) -> Decision {
        let next = literal::next(self.haystack, candidate.at, quote);
        self.scratch.looked.reach(match next {
            NextLiteral::GoesOn { .. } => usize::MAX,
            _ => literal::looked(self.haystack, quote),
        });
        match next {
            NextLiteral::None => return self.found(view, ended, &[]),
            NextLiteral::GoesOn { .. } if self.options.rejoin != Rejoin::Never => {
                if let Some(decision) = self.joined_literals(candidate, quote) {
                    return decision;
                }
            }
            _ => {}
        }
        ended.flags.set(Flag::MaybeWrapped);
        self.found(view, ended, &[])
    }

    /// D3.9: decides the URI up to `quote` together with the literals that continue it.
    fn joined_literals(
        &mut self,
        candidate: &CandidateStart<'h>,
        quote: usize,
    ) -> Option<Decision> {
        self.with_derived(|examiner, derived| {
            let at = candidate.at;
            // Most URIs end in the second literal. Joining the whole row for each URI in it would
            // take quadratic time, so it is read only if that one does not suffice.
            for most in [1, usize::MAX] {
                let joined = literal::join(examiner.haystack, (at, quote), most, derived);
                let view = TextView::joined(derived, at);
                match examiner.end(&view, candidate, None) {
                    // The URI ends in its first literal anyway, so nothing was joined.
                    Ok(ended) if view.source_end(ended.end) <= quote => return None,
                    Ok(mut ended) => {
                        let ends = ended.run_end < joined.length;
                        match joined.next {
                            // The URI reaches the end of the second literal and may continue in a
                            // third.
                            NextLiteral::GoesOn { .. } if !ends && most == 1 => continue,
                            NextLiteral::None => {}
                            _ if ends => {}
                            _ => ended.flags.set(Flag::MaybeWrapped),
                        }
                        return Some(examiner.found(&view, ended, &[]));
                    }
                    Err(NoMatch::Rejected(fault)) => return Some(examiner.rejected(&view, fault)),
                    Err(NoMatch::Silent | NoMatch::Escaped) => return None,
                }
            }
            None
        })
    }

    /// D5: decides a bare URI that may continue in the next line.
    fn at_line_end(
        &mut self,
        candidate: &CandidateStart<'h>,
        view: &TextView<'_>,
        mut ended: UriEnd,
    ) -> Decision {
        let end = candidate.at + ended.end;
        let continuation = rejoin::continuation(self.haystack, candidate.at, end);
        let looked = &mut self.scratch.looked;
        match (continuation, self.options.rejoin) {
            (_, Rejoin::Never | Rejoin::Wrapped) => {
                looked.ends_line = Some(Span::new(candidate.at, end));
            }
            (LineContinuation::None | LineContinuation::Unsure, _) => {
                looked.reach(rejoin::deciding_line(self.haystack, candidate.at, end));
            }
            _ => looked.reach(usize::MAX),
        }
        let joins = match (continuation, self.options.rejoin) {
            (LineContinuation::None, _) if !self.is_cut => return self.found(view, ended, &[]),
            (LineContinuation::Hyphen { .. }, Rejoin::Hyphen | Rejoin::Always) => true,
            (LineContinuation::LongLine { .. }, Rejoin::Always) => true,
            _ => false,
        };
        if joins && let Some(decision) = self.rejoined(candidate, end) {
            return decision;
        }
        ended.flags.set(Flag::MaybeWrapped);
        self.found(view, ended, &[])
    }

    /// D5: decides the URI that ends at the source offset `end`, with the lines that continue it.
    fn rejoined(&mut self, candidate: &CandidateStart<'h>, end: usize) -> Option<Decision> {
        self.with_derived(|examiner, derived| {
            let rejoin = examiner.options.rejoin;
            let hyphens = rejoin::join(examiner.haystack, candidate.at, end, rejoin, derived)?;
            let view = TextView::joined(derived, candidate.at);
            let ended = examiner.end(&view, candidate, None).ok()?;
            Some(examiner.found(&view, ended, &hyphens))
        })
    }

    /// D5: decides a URI whose line ends before its host: `https://⏎a.example/x`,
    /// `https:⏎//a.example/x`. Nothing else can be meant, so it is joined in every mode but
    /// `never`.
    pub fn host_in_next_line(&mut self, candidate: &CandidateStart<'h>) -> Option<Decision> {
        let (haystack, at) = (self.haystack, candidate.at);
        // A host without a scheme has no `//` whose line could end.
        if candidate.host.is_some() {
            return None;
        }
        let head = HeadlessUri::read(haystack, at + candidate.colon)?;
        self.scratch.looked.reach(head.next + rejoin::MAX_LINE_LENGTH);
        self.reach = self.reach.max(head.next + rejoin::MAX_LINE_LENGTH);
        if self.options.rejoin == Rejoin::Never {
            return None;
        }
        let line = head.rest_at(haystack, at)?;
        self.with_derived(|examiner, derived| {
            rejoin::join_host(haystack, at, head, line, derived);
            let view = TextView::joined(derived, at);
            let mut ended = examiner.end(&view, candidate, None).ok()?;
            let end = view.source_end(ended.end);
            let host = ended.host.map(|(from, to)| view.text.part(from..to));
            if rejoin::continuation(haystack, line, end) != LineContinuation::None
                || dropped_mark::cuts(haystack, Span::new(line, end), host)
            {
                ended.flags.set(Flag::MaybeWrapped);
            }
            examiner.scratch.looked.reach(line_after(haystack, end + 1).unwrap_or(end + 1));
            Some(examiner.found(&view, ended, &[]))
        })
    }
}

/// D3.8: true if a space and one word more follow a URI before the brace of TeX closes:
/// `\url{https://a. example/x}`. In a field only if that word has a mark of URIs.
fn has_space_in_group(after: &[u8], context: &WrapperContext<'_>) -> bool {
    let [b' ', rest @ ..] = after.clamped(..LOOKBACK) else { return false };
    if context.closers != ['}'] || !context.is_tex() {
        return false;
    }
    let word = rest.part(..rest.leading(is_uri_byte));
    work_counter::add(word.len());
    let is_more = context.edge == WrapperEdge::Exact
        || word.iter().any(|b| b"/?&=".contains(b))
        || looks_like_rest(word);
    !word.is_empty() && rest.get(word.len()) == Some(&b'}') && is_more && !starts_uri(word)
}
