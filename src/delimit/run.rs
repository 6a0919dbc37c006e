//! Walks the longest run of characters that a URI may contain (D2, D4.1, D4.2, D4.7–D4.9), in one
//! pass. Brackets are in `bracket`, authorities in `authority`, other marks in `run_marks`.

use super::bracket::KnownUnclosed;
use super::byte_class::{ByteClass, CLASS};
use super::char_reference::{self, CharReference};
use super::colour;
use super::escape::{self, EscapeMeaning, EscapeZone, NextBackslash};
use super::open_brackets::OpenBrackets;
use super::prose::is_drawn;
use super::rejoin;
use super::start::starts_uri;
use super::text_view::{TextView, first_char};
use super::unclosed::{Closers, UnclosedBrackets, WalkRules};
use super::wrapper::WrapperContext;
use crate::error::Reason;
use crate::grammar::table::is_uri_byte;
use crate::offset_map::{DerivedText, RunCursor};
use crate::options::{Charset, Options};
use crate::registry::{LinkTerm, is_default_ignorable, link_term, opener_of};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::trace::Trace;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemeSyntax {
    /// http, https, ftp, ws, wss: a host of letters and digits (D4.9).
    Web,
    /// Any other scheme with `//`.
    Hierarchical,
    /// A scheme without `//`: ASCII only (D2.2).
    Opaque,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkPlan<'p> {
    pub syntax: SchemeSyntax,
    /// First byte after `//`, or after the colon.
    pub body: usize,
    /// Closers that end the URI wherever they are (D3.6).
    pub closers: &'static [char],
    pub brackets: BracketRule,
    pub marks: MarkRule,
    /// True if the scheme is in the text, false if it is assumed (D7).
    pub is_written: bool,
    /// Text before the scheme. It decides which marks may end an authority (D3.7) and which escapes
    /// apply (D2.4).
    pub context: &'p WrapperContext<'p>,
}

/// The rule for brackets (D4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BracketRule {
    Pair,
    /// Only `closer` ends it, because the author delimited exactly (D3.8).
    Free {
        closer: char,
    },
}

/// The rule for quotation marks, dashes, and non-ASCII punctuation (D2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkRule {
    /// They end it, as in prose.
    End,
    /// They belong to it, because another mark delimits it (D3.8).
    Stay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// A character that no URI contains, or the end of the text.
    Hard,
    /// A character that is valid elsewhere, but not here.
    Soft,
    /// An escape that must be decoded first (D2.4).
    Escape,
    /// Longer than `max_uri` (D4.10).
    TooLong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UriFault {
    pub reason: Reason,
    pub at: usize,
}

impl UriFault {
    pub fn new(reason: impl Into<Reason>, at: usize) -> Self {
        let reason = reason.into();
        Self { reason, at }
    }
}

/// A walked run. Offsets are into the view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UriRun {
    /// End of the run before trimming.
    pub end: usize,
    /// The offset at which the walk ended.
    pub reach: usize,
    /// The highest offset that any rule read.
    pub looked: usize,
    pub stop: StopReason,
    /// Host, without userinfo and port; empty for opaque schemes.
    pub host: (usize, usize),
    pub authority_end: usize,
    /// Offsets of the `?` and of the first `#`.
    pub query: Option<usize>,
    pub fragment: Option<usize>,
    /// Offset of the first placeholder: a balanced `{…}` (D2.3), or a variable (D4.8).
    pub placeholder: Option<usize>,
    /// Offset of the first `[…]`, which stands for text that the author left out (D4.5).
    pub ellipsis: Option<usize>,
    /// Offset of the first `(` that is not closed in the run (D4.2).
    pub open_paren: Option<usize>,
    pub fault: Option<UriFault>,
    /// True if the host contains a symbol that IDNA 2008 forbids (D4.9).
    pub has_symbol: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DelimitScratch {
    pub trace: Trace,
    /// Candidates that start after this are skipped. An explanation needs only those at one offset.
    pub latest_start: Option<usize>,
    /// The offset up to which the rules read for the last candidate. Anything they read beyond is
    /// in the same line.
    pub looked: ReachedBytes,
    pub(super) derived: DerivedText,
    pub(super) stack: OpenBrackets,
    pub(super) unclosed: UnclosedBrackets,
    pub(super) backslash: NextBackslash,
}

/// The offset up to which the rules read for a candidate. A stream may report the finding once it
/// has the whole line at that offset.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReachedBytes {
    /// Read to decide where the URI ends.
    pub span: usize,
    /// Read to decide whether a line break may have cut it (D5). Only flags depend on it.
    pub flags: usize,
    /// The URI that ends a line, if `flags` is still to be computed from it. Only streams compute
    /// it.
    pub ends_line: Option<Span>,
}

impl ReachedBytes {
    /// Records that the rules read up to `at`.
    pub fn reach(&mut self, at: usize) {
        self.span = self.span.max(at);
    }

    /// Returns the offset up to which they read for the span and the flags together.
    pub fn total(&self, haystack: &[u8]) -> usize {
        let deciding =
            self.ends_line.map(|uri| rejoin::deciding_line(haystack, uri.start(), uri.end()));
        self.span.max(self.flags).max(deciding.unwrap_or_default())
    }
}

pub(crate) fn walk(
    view: &TextView<'_>,
    plan: &WalkPlan<'_>,
    options: &Options,
    scratch: &mut DelimitScratch,
) -> UriRun {
    scratch.stack.clear();
    let mut run = UriRun {
        end: plan.body,
        reach: plan.body,
        looked: plan.body,
        stop: StopReason::Hard,
        host: (plan.body, plan.body),
        authority_end: plan.body,
        query: None,
        fragment: None,
        placeholder: None,
        ellipsis: None,
        open_paren: None,
        fault: None,
        has_symbol: false,
    };
    let mut walker = RunWalker {
        view,
        plan,
        options,
        scratch,
        i: plan.body,
        run: &mut run,
        first_non_ascii: None,
        apostrophes: 0,
        is_field: None,
        in_rows: None,
        closer: Closer::At(0),
        known: None,
        cursor: RunCursor::default(),
    };
    walker.walk();
    walker.finish();
    run
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkStep {
    Continue,
    Stop(StopReason),
}

/// The place of the closer of the wrapper around the URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    /// At this offset. A mark after it needs another look; 0 means that none was made.
    At(usize),
    /// Not near the first mark.
    Far,
}

pub(super) struct RunWalker<'w, 'v> {
    pub view: &'w TextView<'v>,
    pub plan: &'w WalkPlan<'w>,
    pub options: &'w Options,
    pub(super) scratch: &'w mut DelimitScratch,
    pub i: usize,
    pub run: &'w mut UriRun,
    /// Offset of the first non-ASCII character after the authority.
    pub(super) first_non_ascii: Option<usize>,
    /// Number of apostrophes inside a URI that apostrophes delimit.
    pub(super) apostrophes: usize,
    /// True if the URI is a field of comma-separated text; computed at its first comma.
    pub(super) is_field: Option<bool>,
    /// True if bars separate columns in its line; computed at its first bar.
    pub(super) in_rows: Option<bool>,
    /// Result of the last search for the closer of the wrapper.
    pub(super) closer: Closer,
    /// Openers known to be unclosed; looked up at the first opener.
    pub(super) known: Option<KnownUnclosed>,
    /// Position in the source of the last opener looked up.
    pub(super) cursor: RunCursor,
}

/// Longest class of a pattern, in bytes.
const MAX_CLASS_LENGTH: usize = 32;

impl RunWalker<'_, '_> {
    fn walk(&mut self) {
        let step = match self.plan.syntax {
            SchemeSyntax::Web => self.web_authority(),
            SchemeSyntax::Hierarchical => self.authority(),
            SchemeSyntax::Opaque => WalkStep::Continue,
        };
        self.run.authority_end = self.i;
        let step = match step {
            WalkStep::Continue => self.rest(),
            stop => stop,
        };
        if let WalkStep::Stop(stop) = step {
            self.run.stop = stop;
        }
    }

    fn finish(&mut self) {
        self.run.end = self.i;
        self.run.reach = self.run.reach.max(self.i);
        self.run.looked = self.run.looked.max(self.run.reach);
        work_counter::add(self.run.reach - self.plan.body);
        match self.run.stop {
            // The walk of the decoded text goes further and judges the brackets. Faults found here
            // would be those of half a URI.
            StopReason::Escape => self.remember_unclosed(),
            _ => self.close_brackets(),
        }
    }

    /// Returns the rules of this walk, assuming that any of its closers may stop it.
    pub(super) fn rules(&self) -> WalkRules {
        WalkRules {
            opaque: self.plan.syntax == SchemeSyntax::Opaque,
            dialect: self.plan.context.dialect(),
            style: self.plan.context.style().styles,
            sici: self.names_doi(),
            label: self.has_label(),
            marks: self.plan.marks,
            in_string: self.plan.context.in_string(),
            text: self.view.walked,
            closers: Closers(self.plan.closers),
        }
    }

    pub(super) fn fault(&mut self, reason: Reason, at: usize) {
        if self.run.fault.is_none() {
            self.run.fault = Some(UriFault { reason, at });
        }
    }

    pub(super) fn rejected(&mut self, reason: Reason, at: usize) -> WalkStep {
        self.fault(reason, at);
        WalkStep::Stop(StopReason::Soft)
    }

    fn rest(&mut self) -> WalkStep {
        let text = self.view.text;
        // The limit also bounds the work: a walk never goes further, however long the run is.
        let limit = self.options.max_uri;
        loop {
            let rest = text.part(self.i..);
            // Most bytes are plain, so they are skipped in one tight loop. One byte beyond the
            // limit is enough to detect a URI that is too long.
            let near = rest.clamped(..(limit + 1).saturating_sub(self.i));
            let plain = near.leading(|b| CLASS.get(b) == ByteClass::Plain);
            self.i += plain;
            if self.i > limit {
                return WalkStep::Stop(StopReason::TooLong);
            }
            let Some(&byte) = rest.get(plain) else {
                return WalkStep::Stop(StopReason::Hard);
            };
            let rest = rest.part(plain..);
            let step = match CLASS.get(byte) {
                ByteClass::Plain => WalkStep::Continue,
                ByteClass::Hard if byte == b'<' && self.sici(rest) => WalkStep::Continue,
                ByteClass::Hard if byte == b'|' && self.bar(rest) => WalkStep::Continue,
                ByteClass::Hard if byte == b'"' => self.double_quote(rest),
                ByteClass::Hard if byte == 0x1b => {
                    self.colour().unwrap_or(WalkStep::Stop(StopReason::Hard))
                }
                ByteClass::Hard => WalkStep::Stop(StopReason::Hard),
                ByteClass::Special if byte == b'\\' => self.escape(),
                ByteClass::Special => self.special(byte, rest),
                ByteClass::NonAscii => self.non_ascii(rest),
            };
            if step != WalkStep::Continue {
                return step;
            }
        }
    }

    /// Steps over one character with a possible meaning.
    fn special(&mut self, byte: u8, rest: &[u8]) -> WalkStep {
        match byte {
            b':' if self.splits() => return WalkStep::Stop(StopReason::Soft),
            b'\'' if self.apostrophe_ends(rest) => return WalkStep::Stop(StopReason::Soft),
            b'?' if self.run.fragment.is_none() => {
                self.run.query.get_or_insert(self.i);
            }
            b'#' if self.is_argument(rest) => return self.rejected(Reason::Template, self.i),
            b'#' => {
                self.run.fragment.get_or_insert(self.i);
            }
            b'%' if self.is_placeholder(rest) => return self.rejected(Reason::Template, self.i),
            // Before the variables: `$yTitle` of MARC looks like a variable of a shell.
            b'$' if self.ends_subfield() => return WalkStep::Stop(StopReason::Soft),
            b'$' if self.is_variable(rest) => return self.rejected(Reason::Template, self.i),
            b'$' if self.may_be_variable(rest) => {
                self.run.placeholder.get_or_insert(self.i);
            }
            b',' if self.ends_field(rest) || self.ends_setting(rest) || self.ends_name(rest) => {
                return WalkStep::Stop(StopReason::Soft);
            }
            // D4.7: the `&` belongs to the query that this URI is a value of. As its own, it would
            // be `%26` there.
            b'&' if self.plan.context.in_outer_query() => return WalkStep::Stop(StopReason::Soft),
            b'&' => match char_reference::read(rest) {
                Some(CharReference::Hard(_)) => return WalkStep::Stop(StopReason::Hard),
                // D2.5: stepping over the whole reference keeps its `;` from being trimmed or taken
                // for a separator.
                Some(CharReference::Part { length, .. }) => self.i += length - 1,
                None => {}
            },
            // TeX writes a line end in a string as `^^J`. Without this, the next line would be part
            // of the URI.
            b'^' if is_line_end_of_tex(rest) => return WalkStep::Stop(StopReason::Hard),
            // D2.3: only if URI characters follow
            b'^' => {
                // The bound keeps a row of carets from being read again for each of them.
                let row = rest.clamped(..8).leading(|b| b == b'^');
                if !rest.get(row).is_some_and(|&b| is_uri_byte(b) || b >= 0x80) {
                    return WalkStep::Stop(StopReason::Hard);
                }
                self.i += row - 1;
            }
            b'[' if is_defanged_mark(rest) && self.plan.syntax != SchemeSyntax::Opaque => {
                return self.rejected(Reason::Defanged, self.i);
            }
            // A tag of Template Toolkit
            b'[' if rest.starts_with(b"[% ") || rest.starts_with(b"[%-") => {
                return self.rejected(Reason::Template, self.i);
            }
            // D2.3: a label in quotation marks, `https://a.example/["Part 5"]`
            b'[' if self.opens_quoted_label(rest) => return WalkStep::Stop(StopReason::Soft),
            b'(' | b'[' if opens_pattern(rest) => {
                return self.rejected(Reason::Escaped, self.i);
            }
            b'{' if rest.starts_with(b"{\\") && self.is_group_of_tex(rest) => {
                return WalkStep::Stop(StopReason::Escape);
            }
            b'[' if starts_ellipsis(rest) => {
                self.run.ellipsis.get_or_insert(self.i);
                return self.open('[', 1);
            }
            b'(' | b'[' | b'{' => return self.open(char::from(byte), 1),
            b')' => return self.close('(', 1),
            b']' => return self.close('[', 1),
            b'}' => return self.close('{', 1),
            _ => {}
        }
        self.i += 1;
        WalkStep::Continue
    }

    /// D2.2: handles a non-ASCII character outside the host of a web scheme.
    fn non_ascii(&mut self, rest: &[u8]) -> WalkStep {
        let Some((c, length)) = first_char(rest) else {
            return WalkStep::Stop(StopReason::Hard);
        };
        if self.ends_subfield() {
            return WalkStep::Stop(StopReason::Soft);
        }
        let previous = self.view.byte(self.i.wrapping_sub(1)).unwrap_or(0);
        // Closers come before the classes of UTS #58, because `’` and `»` are allowed inside a
        // link.
        if self.options.charset == Charset::Ascii || self.plan.closers.contains(&c) {
            return WalkStep::Stop(StopReason::Hard);
        }
        if self.plan.syntax == SchemeSyntax::Opaque {
            // D2.2: in `urn:example:naïve` the name continues, and `urn:example:na` is another one.
            // A Chinese letter after a digit starts prose.
            if c.is_alphabetic() && previous.is_ascii_alphabetic() {
                return self.rejected(Reason::NonAscii, self.i);
            }
            return WalkStep::Stop(StopReason::Hard);
        }
        if self.plan.marks == MarkRule::Stay && !c.is_whitespace() && self.is_closed(rest)
            || self.is_inside(c, rest, length)
        {
            self.first_non_ascii.get_or_insert(self.i);
            self.i += length;
            return WalkStep::Continue;
        }
        if matches!(c, '\u{2014}' | '\u{2015}') || is_drawn(c) {
            return WalkStep::Stop(StopReason::Hard);
        }
        if self.resumes_text(c, previous) {
            return WalkStep::Stop(StopReason::Soft);
        }
        match link_term(c) {
            // White space of no width between two URIs: it was pasted from a web page.
            _ if c == '\u{200B}' && starts_uri(rest.part(length..)) => {
                return WalkStep::Stop(StopReason::Hard);
            }
            _ if is_default_ignorable(c) => {}
            LinkTerm::Include => {}
            LinkTerm::Hard => return WalkStep::Stop(StopReason::Hard),
            // D2.2: after ASCII, a comma of another script belongs to the sentence. Inside a title
            // in that script it belongs to the title.
            LinkTerm::Soft if previous.is_ascii() => return WalkStep::Stop(StopReason::Soft),
            LinkTerm::Soft => {}
            // As for soft characters: the brackets contain a remark on the URI.
            LinkTerm::Open if previous.is_ascii() && self.plan.brackets == BracketRule::Pair => {
                return WalkStep::Stop(StopReason::Soft);
            }
            LinkTerm::Open => return self.open(c, length),
            LinkTerm::Close => return self.close(opener_of(c).unwrap_or(c), length),
        }
        self.first_non_ascii.get_or_insert(self.i);
        self.i += length;
        WalkStep::Continue
    }

    /// D2.4: handles a row of sequences for a terminal; `None` if there is none.
    pub(super) fn colour(&mut self) -> Option<WalkStep> {
        let meaning = colour::read(self.view.from(self.i), self.plan.context.style())?;
        let step = match meaning {
            EscapeMeaning::Nothing { width } => {
                self.run.looked = self.run.looked.max(self.i + width + 1);
                StopReason::Escape
            }
            _ => StopReason::Hard,
        };
        Some(WalkStep::Stop(step))
    }

    /// D2.4: handles a backslash: decode first, or end here.
    pub(super) fn escape(&mut self) -> WalkStep {
        // `escape::read` requires a URI character before the backslash.
        if self.i > 0 && !self.view.byte(self.i - 1).is_some_and(|b| is_uri_byte(b) || b >= 0x80) {
            return WalkStep::Stop(StopReason::Hard);
        }
        if let Some(step) = self.colour() {
            return step;
        }
        let text = self.view.text;
        let zone = match self.plan.syntax {
            SchemeSyntax::Opaque => EscapeZone::Opaque,
            _ if self.run.authority_end <= self.plan.body => EscapeZone::Host,
            _ => EscapeZone::Rest,
        };
        // A drive in the place of a host: `file://C:\Users`.
        let is_drive = matches!(text.part(self.plan.body..self.i), [drive, b':'] if drive.is_ascii_alphabetic());
        if zone == EscapeZone::Host && is_drive {
            return self.rejected(Reason::Escaped, self.i);
        }
        // `'…/it\'s-here'`: the string continues, but for `\'s ` of a possessive.
        if let [b'\'', next, after @ ..] = text.part(self.i + 1..)
            && next.is_ascii_alphanumeric()
            && (*next != b's' || !ends_word(after))
            && (self.plan.closers.contains(&'\'') || self.plan.context.in_apostrophes())
        {
            return self.rejected(Reason::Escaped, self.i);
        }
        // The next line decides what a backslash at a line end means.
        match text.part(self.i + 1..) {
            [b'\n', ..] => self.run.looked = self.run.looked.max(self.i + 2),
            [b'\\' | b'\r', b'\n', ..] => self.run.looked = self.run.looked.max(self.i + 3),
            [b'\\', b'\r', b'\n', ..] => self.run.looked = self.run.looked.max(self.i + 4),
            _ => {}
        }
        match escape::read(text, self.i, self.plan.context.dialect(), zone) {
            EscapeMeaning::Char { .. } | EscapeMeaning::Nothing { .. } => {
                WalkStep::Stop(StopReason::Escape)
            }
            EscapeMeaning::Unreadable => self.rejected(Reason::Escaped, self.i),
            EscapeMeaning::Hard => WalkStep::Stop(StopReason::Hard),
        }
    }
}

/// True if `after` starts with the end of a word, with or without the mark of a sentence.
fn ends_word(after: &[u8]) -> bool {
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'\'' | b'"');
    match after {
        [b'.' | b',' | b';' | b':' | b'!' | b'?' | b')', rest @ ..] => {
            rest.first().is_none_or(ends)
        }
        _ => after.first().is_none_or(ends),
    }
}

/// D2.3: true if `text` starts with a control of TeX, `^^J`, that no small letter or digit follows.
fn is_line_end_of_tex(text: &[u8]) -> bool {
    match text {
        [b'^', b'^', b'I' | b'J' | b'M', after @ ..] => {
            !after.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        }
        _ => false,
    }
}

/// D4.6: true for `[.]`, and for `[?]`, `[=]`, `[@]` and `[/]` before a letter or digit. Without
/// one, `[?]` is a remark of an editor.
fn is_defanged_mark(rest: &[u8]) -> bool {
    match rest {
        [b'[', b'.', b']', ..] => true,
        [b'[', b'?' | b'=' | b'@' | b'/', b']', next, ..] => next.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// D4.5: true if `text` starts with dots in brackets, for what the author left out.
pub(super) fn starts_ellipsis(text: &[u8]) -> bool {
    text.starts_with(b"[...]") || text.starts_with("[…]".as_bytes())
}

/// D2.4: true if a group or a class of a regular expression starts here: `(?:`, `([`, `(.*`,
/// `[^/]+`. A note of Markdown, `[^1]`, does not count.
fn opens_pattern(rest: &[u8]) -> bool {
    match rest {
        [b'(', b'?', next, ..] => b":=!<P".contains(next),
        // A group of a pattern may start with a class. Without a quantifier after the class,
        // `([x])` is a remark with a label.
        [b'(', b'[', next, ..] => b"^a-zA-Z0-9\\".contains(next) && closes_class(rest.part(1..)),
        [b'(', b'.', b'*' | b'+', ..] => true,
        [b'[', ..] => closes_class(rest),
        _ => false,
    }
}

/// True for a class that a quantifier follows: `[^/]+`, `[0-9a-f]{40}`.
fn closes_class(rest: &[u8]) -> bool {
    let near = rest.clamped(1..MAX_CLASS_LENGTH);
    let Some(end) = memchr::memchr2(b']', b'[', near) else { return false };
    let inside = near.part(..end);
    // `[1]+` may be a note and a sign. A range, a negation, or an escape is only in a class.
    let is_class =
        inside.first() == Some(&b'^') || inside.contains(&b'-') || inside.contains(&b'\\');
    let quantified = match near.part(end..) {
        [b']', b'+' | b'*', ..] => true,
        [b']', b'{', next, ..] => next.is_ascii_digit(),
        _ => false,
    };
    is_class && quantified
}
