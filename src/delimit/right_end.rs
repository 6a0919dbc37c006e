//! Finds the right end of a URI: walks its run, trims it, and parses the rest (D2–D4).

use super::abbreviated;
use super::byte_class::{is_hard, starts_with};
use super::colour;
use super::delimited::wrapper_of;
use super::escape::EscapeDialect;
use super::examine::Examiner;
use super::explain;
use super::finish::{Finished, finish, finish_with_prefix};
use super::host_placeholder;
use super::prose;
use super::run::SchemeSyntax;
use super::run::{self, BracketRule, MarkRule, StopReason, UriRun, WalkPlan};
use super::run_marks::is_sici_in_references;
use super::scheme_rules::{self, CandidateStart, NoMatch, SchemeRules, has_host, rejected};
use super::spaced::{self, closing_mark, opens_title};
use super::start::{starts_uri, starts_with_scheme};
use super::text_view::{TextView, first_char};
use super::trim::{self, TrimmedRun};
use super::unclosed::WalkedText;
use super::value::{self, StringRole};
use super::wrapper::{WrapperContext, WrapperEdge};
use crate::error::{ErrorKind, Reason};
use crate::grammar::table::is_uri_byte;
use crate::kind::{Flag, Flags, Kind, Wrapper};
use crate::options::Lax;
use crate::scheme::{MAX_HEAD_BYTES, QuoteState};
use crate::slice::{ByteRuns, SliceExt};

/// A URI with its right end. Offsets are into the view.
pub(super) struct UriEnd {
    pub end: usize,
    /// End of the run before trimming.
    pub run_end: usize,
    /// The host, if the URI ends with it.
    pub host: Option<(usize, usize)>,
    pub next: usize,
    pub stop: StopReason,
    pub wrapper: Wrapper,
    pub flags: Flags,
    pub finished: Finished,
}

impl Examiner<'_, '_> {
    /// Returns the right end of the URI in `view`. D3.5: in a wrapper, it must be at `required`.
    pub fn end(
        &mut self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        required: Option<usize>,
    ) -> Result<UriEnd, NoMatch> {
        self.scratch.trace.restart();
        let context = &candidate.context;
        let rules = scheme_rules::read(view, candidate, self.options)?;
        let run = self.walk(view, candidate, &rules);
        self.check(&run)?;
        // D3.5: a joined text that is not a URI up to its closer was not wrapped at all. The caller
        // then reads the source instead.
        if required.is_some_and(|end| run.end != end) {
            return Err(NoMatch::Silent);
        }
        let closed = closes(view, run.end, context);
        let trimmed = self.trim(view, candidate, &rules, &run, closed)?;
        has_host(view, &run, &rules)?;
        let quote = quote_state(view.from(run.end), context, closed);
        let end = rules.recognize(view, candidate, trimmed.end, quote)?;
        // D3.5: the joined text must be a URI as a whole.
        if required.is_some() && end != trimmed.end {
            return Err(NoMatch::Silent);
        }
        let finished = self.finish(view, candidate, &run, end)?;
        if self.scratch.trace.is_on() {
            explain::finished(&mut self.scratch.trace, view, (end, trimmed.end), &finished);
        }
        let mut flags = trimmed.flags;
        if run.placeholder.is_some_and(|at| at < end) {
            flags.set(Flag::Template);
        }
        if run.ellipsis.is_some_and(|at| at < end) {
            flags.set(Flag::Elided);
        }
        if run.has_symbol {
            flags.set(Flag::IdnaSymbol);
        }
        let may_continue = || {
            let after = view.from(end);
            let continues = if end > run.authority_end {
                prose::continues(context.before, after)
                    || prose::path_continues(context.before, view.text.part(..end), after)
            } else {
                let host = view.text.part(run.host.0..end.min(run.host.1));
                prose::host_continues(context.before, host, after)
            };
            continues
                || prose::is_undecoded(after)
                || is_open_value(view.text.part(..end), after)
                || is_cut_at_bracket(context.before, view.text.part(..end), after)
                || is_sici_in_references(after)
                || matches!(after, [b'\\', b' ', next, ..] if next.is_ascii_alphanumeric())
                    // In TeX `\ ` is a space between words, and the URI is complete.
                    && context.dialect() != EscapeDialect::Tex
        };
        // PowerShell escapes a `$` in this way: ``?`$filter=``. The mark before it is trimmed.
        let is_escaped =
            || closing_mark(context) == Some(b'"') && view.from(run.end).starts_with(b"`$");
        let is_cut = || {
            spaced::continues(view, (rules.at, end), context) || is_part_of_word(view, end, context)
        };
        if end == run.end && (may_continue() || is_cut())
            || ends_before_closer(view, end, context)
            || is_escaped()
            || colour::cuts(view.from(run.end))
        {
            flags.set(Flag::MaybeCut);
        }
        Ok(UriEnd {
            end,
            run_end: run.end,
            host: (run.host.0 < run.host.1 && end <= run.authority_end)
                .then_some((run.host.0, end.min(run.host.1))),
            // The text that a recognizer rejects is not searched again: `tel:1/tel:1/…` would take
            // quadratic time.
            next: if end < trimmed.end { run.end } else { end },
            stop: run.stop,
            wrapper: wrapper_of(context, closed, trimmed.marks_closed, view.byte(run.end)),
            flags,
            finished,
        })
    }

    /// D2, D4.1, D4.2: walks the run of URI characters. If a wrapper that allows unpaired brackets
    /// is not closed after the run, the run is walked again with brackets that pair.
    fn walk(
        &mut self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        rules: &SchemeRules<'_>,
    ) -> UriRun {
        let context = &candidate.context;
        // D3.7: the marks before the scheme close at these, whatever follows. Without this, each
        // URI of `**a:1**a:1…` would walk to the end of all. D4.7: so would those of settings.
        let closer = trim::bold_end(view.from(rules.at), context)
            .or_else(|| trim::setting_end(view.from(rules.at), context));
        let near = closer.map(|end| TextView { text: view.text.part(..rules.at + end), ..*view });
        let view = near.as_ref().unwrap_or(view);
        let mut plan = WalkPlan {
            syntax: rules.syntax,
            body: rules.at,
            closers: if context.is_quote() { context.closers } else { &[] },
            brackets: context.brackets(),
            marks: context.marks_rule(),
            is_written: candidate.host.is_none() && view.walked != WalkedText::Unschemed,
            context,
        };
        let mut run = run::walk(view, &plan, self.options, self.scratch);
        let mut looked = run.looked;
        if let Some((closer, length)) = value_continues(view, (rules.at, run.end), context) {
            plan.brackets = BracketRule::Free { closer };
            looked = looked.max(run.end + length);
            run = run::walk(view, &plan, self.options, self.scratch);
            looked = looked.max(run.looked);
        }
        // The first walk trusted an opener whose closer is not after the run, so its rules were
        // too generous.
        let is_free = plan.brackets != BracketRule::Pair || plan.marks != MarkRule::End;
        if is_free && !closes(view, run.end, context) && depends_on_marks(view, &run, rules.at) {
            plan.brackets = BracketRule::Pair;
            plan.marks = MarkRule::End;
            run = run::walk(view, &plan, self.options, self.scratch);
            looked = looked.max(run.looked);
        }
        (self.walked, self.looked) = (run.reach, looked);
        let looked = view.source_end(looked.min(view.text.len()));
        self.reach = self.reach.max(looked);
        self.scratch.looked.reach(looked);
        if self.scratch.trace.is_on() {
            explain::start(&mut self.scratch.trace, self.haystack, view, candidate, run.end);
            explain::end(&mut self.scratch.trace, view, &run, rules, plan.closers);
        }
        run
    }

    /// Rejects a run with a fault, an escape that must be decoded first (D2.4), or too many bytes
    /// (D4.10).
    fn check(&self, run: &UriRun) -> Result<(), NoMatch> {
        match (run.fault, run.stop) {
            (Some(fault), _) => Err(fault.into()),
            (None, StopReason::Escape) => Err(NoMatch::Escaped),
            (None, StopReason::TooLong) => Err(rejected(Reason::TooLong, self.options.max_uri)),
            (None, StopReason::Hard | StopReason::Soft) => Ok(()),
        }
    }

    /// D4.3–D4.5: trims the run, unless the wrapper gives the exact end (D3.8). D4.8: rejects it if
    /// a placeholder follows.
    fn trim(
        &mut self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        rules: &SchemeRules<'_>,
        run: &UriRun,
        closed: bool,
    ) -> Result<TrimmedRun, NoMatch> {
        let context = &candidate.context;
        match (context.edge, closed) {
            (WrapperEdge::Exact, true) if completes_attribute(view, run, context) => {
                Err(rejected(Reason::Template, run.end))
            }
            (WrapperEdge::Exact, true) => {
                let mut trimmed = TrimmedRun::whole(run);
                if trim::ends_in_dots_alone(view.text.part(..run.end)) {
                    trimmed.flags.set(Flag::Elided);
                }
                Ok(trimmed)
            }
            // D3.8: the closer comes later, after a character that no URI contains. What ends here
            // is half of the value.
            (WrapperEdge::Exact, false) if continues(view, run.end, context, rules.syntax) => {
                Err(rejected(ErrorKind::Character.into(), run.end))
            }
            _ if host_placeholder::placeholder_follows(view.from(run.end))
                || host_placeholder::tagged_name(view.text.part(..run.end), view.from(run.end))
                || context.takes_variable(view.from(run.end))
                || is_completed_authority(view, run, context)
                || runs_command(view, run.end, context)
                || fills_string(view, run, context)
                || fills_tex(view, run.end, context) =>
            {
                Err(rejected(Reason::Template, run.end))
            }
            (WrapperEdge::Open, true) if context.wrapper == Wrapper::Quote => {
                match value::role(context.before, view.text.part(..run.end), view.from(run.end)) {
                    role if is_cut_authority(view, run, role) => {
                        Err(rejected(Reason::Template, run.end))
                    }
                    StringRole::Prose => {
                        Ok(trim::trim(view, run, context, rules.at, &mut self.scratch.trace))
                    }
                    // D3.9: the comma divides the items of a list that a program joins.
                    StringRole::Value if is_item(view, run.end, context) => {
                        Ok(TrimmedRun { end: run.end - 1, ..TrimmedRun::whole(run) })
                    }
                    StringRole::Value | StringRole::Operand => Ok(TrimmedRun::whole(run)),
                }
            }
            _ => Ok(trim::trim(view, run, context, rules.at, &mut self.scratch.trace)),
        }
    }

    /// D2.2, D2.3: parses the text up to `end` as a URI. D7: prepends the assumed scheme.
    #[inline(always)]
    fn finish(
        &self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        run: &UriRun,
        end: usize,
    ) -> Result<Finished, NoMatch> {
        let text = view.text.part(..end);
        let authority = run.authority_end.min(end);
        let mut finished = match candidate.host {
            None => finish(text, authority, self.options.hosts)?,
            Some(host) if abbreviated::ends(view, run, host, end) => finish_with_prefix(
                self.options.assume.prefix(),
                text,
                authority,
                self.options.hosts,
            )?,
            // The walk went past the host that made this a candidate. The longer text may be no
            // host, and a shorter one was not written.
            Some(host) => return Err(rejected(Reason::InvalidHost, host)),
        };
        if finished.kind == Kind::Lax && self.options.lax == Lax::Reject {
            return Err(rejected(Reason::Lax, 0));
        }
        if candidate.host.is_some() {
            finished.kind = Kind::Abbreviated;
        }
        Ok(finished)
    }
}

/// D4.8: true if a string ends in an authority that a program completes: `"http://a.example:" +
/// port`.
fn is_cut_authority(view: &TextView<'_>, run: &UriRun, role: StringRole) -> bool {
    // A port's colon without digits is not part of the host. No complete URI in a program ends with
    // it.
    let last = view.text.part(..run.end).last();
    run.end == run.authority_end
        && run.host.0 < run.end
        && match role {
            StringRole::Prose => false,
            StringRole::Value => last == Some(&b':'),
            StringRole::Operand => matches!(last, Some(b':' | b'-' | b'.' | b'_')),
        }
}

/// D4.8: true if a parameter has no value but markup, which an attacker put there:
/// `?q=<script>alert(1)</script>`.
fn is_open_value(uri: &[u8], after: &[u8]) -> bool {
    uri.ends_with(b"=")
        && matches!(after, [b'<', next, ..] if next.is_ascii_alphabetic() || *next == b'!')
}

/// D4.2: true if a bracket without its partner ends a URI where no label and no group does: an
/// opener after the sign of a value, `?q=[a b]`, or a `}` in a word, if no brace opened before it.
fn is_cut_at_bracket(before: &[u8], uri: &[u8], after: &[u8]) -> bool {
    match after {
        // The optional part of a template, `ldap:///[<base>]`
        [b'[', b'<', next, ..] if next.is_ascii_alphabetic() => true,
        // Tags of BBCode and labels of AsciiDoc are not part of a URI.
        [b'[', next, ..] if !matches!(next, b'/' | b'*' | b'"') => {
            matches!(uri.last(), Some(b'=' | b'+' | b'&')) && !before.ends_with(b"link:")
        }
        [b'}', next, ..] => {
            next.is_ascii_alphanumeric()
                && uri.last().is_some_and(u8::is_ascii_alphanumeric)
                && memchr::memrchr(b'{', before).is_none()
        }
        _ => false,
    }
}

/// D3.9: true if the string that closes at `at` ends in a comma, and the next string, which a
/// program joins to it, is another URI: `"http://a.example/x,"⏎"http://a.example/y"`.
fn is_item(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    let Some(mark) = closing_mark(context) else { return false };
    let after = view.from(at).clamped(..MAX_GAP);
    let next = after.part(1..).trim_ascii_start();
    view.text.part(..at).ends_with(b",")
        && after.part(1..after.len() - next.len()).contains(&b'\n')
        && next.strip_prefix(&[mark]).is_some_and(starts_uri)
}

/// Most bytes from the end of a string to the scheme in the next one.
const MAX_GAP: usize = 128;

/// D4.8: true if what looks like an attribute is a string that a program completes:
/// `u="http://a.example:"+p`.
fn completes_attribute(view: &TextView<'_>, run: &UriRun, context: &WrapperContext<'_>) -> bool {
    context.wrapper == Wrapper::Quote
        && run.end == run.authority_end
        && is_cut_authority(
            view,
            run,
            value::role(context.before, view.text.part(..run.end), view.from(run.end)),
        )
}

/// D4.8: true if the URI ends in an authority and its `:`, inside a string that has more before it,
/// or before a pattern: `"-Durl=http://localhost:" + port`, `\"http://localhost:\" & port`.
fn is_completed_authority(view: &TextView<'_>, run: &UriRun, context: &WrapperContext<'_>) -> bool {
    let last = view.text.part(..run.end).last();
    if run.end != run.authority_end || run.host.0 == run.end || last != Some(&b':') {
        return false;
    }
    match view.from(run.end) {
        [b'\\', b'"' | b'\'', ..] | [b'.', b'*' | b'+', ..] => true,
        [b'"', ..] => !context.is_quote() && context.in_string(),
        [b'\'', ..] => !context.is_quote() && context.in_apostrophes(),
        _ => false,
    }
}

/// D4.8: true if a shell runs a command after the URI and puts its output there: ``?u=`id` ``.
fn runs_command(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    let is_value = matches!(view.text.part(..at).last(), Some(b'=' | b'/'));
    let line = context.before.tail(context.before.trailing(|b| b != b'\n'));
    // Where a backtick is open already, the one after the URI closes a span of code.
    let is_open = || line.iter().filter(|&&b| b == b'`').count() % 2 == 1;
    is_value
        && matches!(view.from(at), [b'`', next, ..] if next.is_ascii_alphabetic())
        && context.wrapper != Wrapper::Backtick
        && !is_open()
}

/// D4.8: true if the last segment of a URI in backticks or quotation marks is a name in brackets,
/// to be filled in: `` `https://a.example/channel/[id]` ``. They have no room for a label.
fn fills_string(view: &TextView<'_>, run: &UriRun, context: &WrapperContext<'_>) -> bool {
    let text = view.text.part(run.authority_end..run.end);
    let Some(inside) = text.strip_suffix(b"]") else { return false };
    let name = inside.trailing(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    context.is_quote()
        && closes(view, run.end, context)
        // `[1-10]` is a range of curl.
        && inside.tail(name).first().is_some_and(u8::is_ascii_alphabetic)
        && inside.part(..inside.len() - name).ends_with(b"/[")
}

/// D3.8: returns the closing mark and its distance if the string of a program continues after an
/// unpaired bracket at `at`. In such a value, the bracket was written on purpose.
fn value_continues(
    view: &TextView<'_>,
    (body, at): (usize, usize),
    context: &WrapperContext<'_>,
) -> Option<(char, usize)> {
    if context.edge == WrapperEdge::Exact && context.wrapper == Wrapper::Paren {
        return destination_continues(view, body, at).map(|length| (')', length));
    }
    let mark = closing_mark(context)?;
    // Only an unpaired closer ends a run early that a string would keep whole (D4.2).
    if !matches!(view.byte(at), Some(b')' | b']' | b'}')) {
        return None;
    }
    let rest = view.from(at).clamped(..MAX_HEAD_BYTES);
    let length = rest.leading(|b| (is_uri_byte(b) || matches!(b, b'{' | b'}')) && b != mark);
    let closes = rest.get(length) == Some(&mark)
        && value::role(context.before, view.text.part(..at), rest.part(length..))
            != StringRole::Prose;
    closes.then_some((char::from(mark), length))
}

/// D3.8: returns the distance to the end of a destination of Markdown that continues after an
/// unpaired square bracket at `at`. Only parentheses have a meaning there.
fn destination_continues(view: &TextView<'_>, body: usize, at: usize) -> Option<usize> {
    if !matches!(view.byte(at), Some(b'[' | b']')) {
        return None;
    }
    let near = view.text.part(body..).clamped(..at - body + MAX_HEAD_BYTES);
    let mut depth = 0_usize;
    for (length, &byte) in near.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return (body + length).checked_sub(at),
            b')' => depth -= 1,
            _ if is_hard(byte) => return None,
            _ => {}
        }
    }
    None
}

/// D4.8: true if a command of TeX is in the argument that is the URI:
/// `\url{https://a.example/x-\year}`.
fn fills_tex(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    context.edge == WrapperEdge::Exact
        && context.closers == ['}']
        && matches!(view.from(at), [b'\\', next, ..] if next.is_ascii_alphabetic())
}

/// D4.8: true if a shell appends a variable to the string that closes at `at`.
fn is_part_of_word(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    let Some(mark) = closing_mark(context) else { return false };
    let after = view.from(at).strip_prefix(&[mark]);
    after.is_some_and(|after| value::continues_in_word(mark, after))
}

/// D3.6: returns whether a quotation mark opened before the scheme, and whether it closed.
fn quote_state(after: &[u8], context: &WrapperContext<'_>, closed: bool) -> QuoteState {
    // Inside a string, a quotation mark is escaped: `"url(\"data:,x\")"`.
    let is_escaped_quote = || {
        let opener = context.before.tail(2);
        opener.first() == Some(&b'\\') && after.starts_with(opener)
    };
    match (context.is_quote(), closed || is_escaped_quote()) {
        (false, _) => QuoteState::None,
        (true, true) => QuoteState::Closed,
        (true, false) => QuoteState::Open,
    }
}

/// D2.2, D4.2: true if a walk with paired brackets and ending marks could end elsewhere than `run`.
/// Skips a second walk in the common case.
fn depends_on_marks(view: &TextView<'_>, run: &UriRun, body: usize) -> bool {
    let pairs = |byte: &u8| {
        matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'"') || !byte.is_ascii()
    };
    run.stop != StopReason::Hard
        || run.fault.is_some()
        || view.text.part(body..run.end).iter().any(pairs)
}

/// True if the wrapper's closer is at `at`.
fn closes(view: &TextView<'_>, at: usize, context: &WrapperContext<'_>) -> bool {
    match first_char(view.from(at)) {
        Some((c, _)) if context.closers.contains(&c) => true,
        // A title may follow the destination in Markdown: `](uri "title")`.
        Some((' ', _))
            if context.edge == WrapperEdge::Exact && context.wrapper == Wrapper::Paren =>
        {
            opens_title(view.from(at + 1))
        }
        _ => false,
    }
}

/// D3.8: true if the author delimited exactly, but the URI ends before the closer, because of its
/// syntax. The author may have meant more. A bar and a label may follow a URI in `<…>`.
fn ends_before_closer(view: &TextView<'_>, end: usize, context: &WrapperContext<'_>) -> bool {
    if context.edge != WrapperEdge::Exact
        || !matches!(context.wrapper, Wrapper::Quote | Wrapper::Angle)
        || closes(view, end, context)
    {
        return false;
    }
    let rest = view.from(end).clamped(..MAX_HEAD_BYTES);
    let rest = rest.part(..rest.leading(|b| b != b'\n'));
    let Some(between) = up_to_closer(rest, context) else { return false };
    match between {
        // A list
        [b',' | b';', next @ ..] => {
            !starts_with_scheme(next) && next.first().is_some_and(u8::is_ascii_graphic)
        }
        [b' ', words @ ..] => context.holds_one_uri() && !words.trim_ascii().is_empty(),
        [next, ..] => next.is_ascii_graphic() && !matches!(next, b'|' | b'&' | b'\\'),
        [] => false,
    }
}

/// D3.8: true if the author delimited exactly, but a character that no URI may contain precedes the
/// closer. A URI that ended there would be only half of the text. Angle brackets follow D3.5
/// instead.
fn continues(
    view: &TextView<'_>,
    at: usize,
    context: &WrapperContext<'_>,
    syntax: SchemeSyntax,
) -> bool {
    let rest = view.from(at).clamped(..MAX_HEAD_BYTES);
    let end = match rest {
        // Opaque schemes have a recognizer, which decides more precisely. A program has none.
        [b' ' | b'\t', ..]
            if syntax != SchemeSyntax::Opaque && context.holds_one_uri()
                || starts_with(view.text, b"javascript:") && context.wrapper == Wrapper::Quote =>
        {
            rest.iter().position(|b| matches!(b, b'\n' | b'<' | b'>'))
        }
        // The string around the wrapper closes, unless a word continues there.
        [b'"', after @ ..]
            if context.is_in_outer_string()
                && !after.first().is_some_and(u8::is_ascii_alphanumeric) =>
        {
            return false;
        }
        [b'"' | b'`' | b'|' | b'^' | b'&', tail @ ..]
            if context.wrapper != Wrapper::Angle && !starts_uri(tail) =>
        {
            rest.iter().position(u8::is_ascii_whitespace)
        }
        _ => return false,
    };
    let inside = rest.part(..end.unwrap_or(rest.len()));
    // HTML strips spaces around a URI ("valid URL potentially surrounded by spaces").
    up_to_closer(inside, context).is_some_and(|between| !between.trim_ascii().is_empty())
}

/// Returns the text before the first closer of the wrapper.
fn up_to_closer<'t>(text: &'t [u8], context: &WrapperContext<'_>) -> Option<&'t [u8]> {
    let closer = text.iter().position(|&b| context.closers.contains(&char::from(b)))?;
    Some(text.part(..closer))
}
