//! Walks the longest run of characters that a URI may contain (D2, D4.1, D4.2, D4.7–D4.9), in one
//! pass. Brackets are in `bracket`, authorities in `authority`.

use alloc::vec::Vec;

use super::bracket::KnownUnclosed;
use super::byte_class::{ByteClass, CLASS};
use super::char_reference::{self, CharReference};
use super::escape::{self, EscapeDialect, EscapeMeaning, EscapeZone, NextBackslash};
use super::host_placeholder;
use super::prose::is_drawn;
use super::rejoin;
use super::start::{self, AfterColon, MAX_SCHEME_BYTES};
use super::table;
use super::text_view::{TextView, first_char, last_char};
use super::unclosed::{Closers, UnclosedBrackets, WalkRules};
use super::wrapper::WrapperContext;
use crate::error::{ErrorKind, Reason};
use crate::grammar::is_scheme_byte;
use crate::grammar::table::is_uri_byte;
use crate::kind::Wrapper;
use crate::offset_map::{DerivedText, RunCursor};
use crate::options::{Charset, Options};
use crate::registry::{LinkTerm, is_default_ignorable, link_term, opener_of};
use crate::scheme::{self, HEAD};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::trace::Trace;
use crate::work_counter;

/// Bytes after a quotation mark in a URI that are searched for the next one.
const LONGEST_QUOTED: usize = 256;
/// Apostrophes inside a URI that apostrophes delimit. Ample for the values of an OData filter.
const MOST_APOSTROPHES: usize = 64;
/// Bytes after such a mark that are searched for a closing bracket around it.
const LONGEST_REMARK: usize = 64;
/// Bytes after a mark that are searched for the closer of the wrapper around the URI.
const LONGEST_WRAPPED: usize = 512;

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

/// How brackets delimit a URI (D4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BracketRule {
    Pair,
    /// Only `closer` ends it, because the author delimited exactly (D3.8).
    Free {
        closer: char,
    },
}

/// How quotation marks, dashes, and non-ASCII punctuation delimit a URI (D2.2).
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
    /// How far the walk went.
    pub reach: usize,
    /// How far any rule read.
    pub looked: usize,
    pub stop: StopReason,
    /// Host, without userinfo and port; empty for opaque schemes.
    pub host: (usize, usize),
    pub authority_end: usize,
    /// Offsets of the `?` and of the first `#`.
    pub query: Option<usize>,
    pub fragment: Option<usize>,
    /// Offset of the first balanced `{…}` (D2.3).
    pub braces: Option<usize>,
    pub fault: Option<UriFault>,
    /// True if the host contains a symbol that IDNA 2008 forbids (D4.9).
    pub has_symbol: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DelimitScratch {
    pub trace: Trace,
    /// Candidates that start after this are skipped. An explanation needs only those at one offset.
    pub latest_start: Option<usize>,
    /// How far the rules read for the last candidate. Anything they read beyond is in the same
    /// line.
    pub looked: ReachedBytes,
    pub(super) derived: DerivedText,
    pub(super) stack: Vec<(char, usize)>,
    pub(super) unclosed: UnclosedBrackets,
    pub(super) backslash: NextBackslash,
}

/// How far the rules read for a candidate. A stream may report the finding once it has the whole
/// line at that offset.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReachedBytes {
    /// Read to decide where the URI ends.
    pub span: usize,
    /// Read to decide whether a line break may have cut it (D5). Only flags depend on it.
    pub flags: usize,
    /// The URI that ends a line, if `flags` is still to be computed from it. Only streams compute it.
    pub ends_line: Option<Span>,
}

impl ReachedBytes {
    /// Records that the rules read up to `at`.
    pub fn reach(&mut self, at: usize) {
        self.span = self.span.max(at);
    }

    /// Returns how far they read for span and flags together.
    pub fn whole(&self, haystack: &[u8]) -> usize {
        let asked = self.ends_line.map(|uri| rejoin::asked_line(haystack, uri.start(), uri.end()));
        self.span.max(self.flags).max(asked.unwrap_or_default())
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
        braces: None,
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
        foreign: None,
        apostrophes: 0,
        is_field: None,
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

/// Where the closer of the wrapper around the URI is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closer {
    /// At this offset. A mark after it needs another look; 0 means that none was made.
    At(usize),
    /// Not within [`LONGEST_WRAPPED`] bytes of the first mark.
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
    pub(super) foreign: Option<usize>,
    /// Number of apostrophes inside a URI that apostrophes delimit.
    apostrophes: usize,
    /// True if the URI is a field of comma-separated text; computed at its first comma.
    is_field: Option<bool>,
    /// Result of the last search for the closer of the wrapper.
    closer: Closer,
    /// Openers known to be unclosed; looked up at the first opener.
    pub(super) known: Option<KnownUnclosed>,
    /// Position in the source of the last opener looked up.
    pub(super) cursor: RunCursor,
}

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
            StopReason::Escape => self.remember_unclosed(),
            _ => self.close_brackets(),
        }
    }

    /// Returns the rules of this walk, assuming that any of its closers may stop it.
    pub(super) fn rules(&self) -> WalkRules {
        WalkRules {
            opaque: self.plan.syntax == SchemeSyntax::Opaque,
            dialect: self.plan.context.dialect(),
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
            let plain = near.leading(|b| CLASS.of(b) == ByteClass::Plain);
            self.i += plain;
            if self.i > limit {
                return WalkStep::Stop(StopReason::TooLong);
            }
            let Some(&byte) = rest.get(plain) else {
                return WalkStep::Stop(StopReason::Hard);
            };
            let rest = rest.part(plain..);
            let step = match CLASS.of(byte) {
                ByteClass::Plain => WalkStep::Continue,
                ByteClass::Hard if byte == b'<' && self.sici(rest) => WalkStep::Continue,
                ByteClass::Hard if byte == b'|' && self.bar(rest) => WalkStep::Continue,
                ByteClass::Hard if byte == b'"' => self.double_quote(rest),
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

    fn names_doi(&self) -> bool {
        let head = self.view.text.get(..self.plan.body + 16);
        let head = head.unwrap_or_default();
        head.starts_with(b"doi:10.") || memchr::memmem::find(head, b"doi.org/10.").is_some()
    }

    /// D1.6: steps over the `<…>` of a DOI in SICI form, which `N.N.XX;` follows.
    fn sici(&mut self, rest: &[u8]) -> bool {
        if !self.names_doi() {
            return false;
        }
        let inside = rest.clamped(1..65).leading(is_uri_byte);
        let Some([b'>', control @ ..]) = rest.get(1 + inside..) else {
            return false;
        };
        let mut parts = control.clamped(..16).split(|&b| b == b'.');
        let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let pairs = parts.next().is_some_and(is_number)
            && parts.next().is_some_and(is_number)
            && matches!(parts.next(), Some([a, b, b';', ..]) if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
        if pairs {
            self.i += inside + 2;
        }
        pairs
    }

    /// D2.3: steps over a `|` between characters of a query or fragment. Not in a table, where it
    /// separates columns, nor in brackets that contain a label (`<uri|label>`, `[label|uri]`).
    fn bar(&mut self, rest: &[u8]) -> bool {
        let bars = rest.clamped(..4).leading(|b| b == b'|');
        let after = rest.part(bars..);
        // In a path, another segment must follow, which shows that the bar is not a shell's pipe.
        let name = after.clamped(..LONGEST_QUOTED);
        let name =
            name.part(name.leading(|b| b.is_ascii_alphanumeric() || b"-_.~%".contains(&b))..);
        let in_path = bars == 1
            && after.first().is_some_and(u8::is_ascii_alphanumeric)
            && name.first() == Some(&b'/');
        // A drive in an old spelling, `file:///C|/dir`.
        let is_drive = bars == 1
            && matches!(after.first(), Some(b'/' | b'\\'))
            && matches!(self.view.text.part(self.plan.body..self.i), [b'/', drive] if drive.is_ascii_alphabetic());
        if is_drive {
            self.i += 1;
            return true;
        }
        let is_inside = (in_path || self.run.query.is_some() || self.run.fragment.is_some())
            && !self.has_label()
            && after.first().is_some_and(|&b| is_uri_byte(b) || b >= 0x80)
            && !self.plan.context.in_table()
            && !start::starts_uri(after);
        self.i += if is_inside { bars } else { 0 };
        is_inside
    }

    /// D2.4: a `"` ends a URI inside a string. If none opened earlier in the line, two of them
    /// around a part of the URI belong to it. A single one that closes nothing rejects the URI.
    fn double_quote(&mut self, rest: &[u8]) -> WalkStep {
        let tail = rest.part(1..);
        let goes_on = |next: Option<&u8>| {
            next.is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'%' | b'&'))
        };
        if self.plan.marks == MarkRule::Stay
            && !self.plan.closers.contains(&'"')
            && self.is_closed(rest)
        {
            if !tail.first().is_some_and(|&b| is_uri_byte(b)) {
                return WalkStep::Stop(StopReason::Hard);
            }
            self.i += 1;
            return WalkStep::Continue;
        }
        if self.plan.syntax == SchemeSyntax::Opaque
            || !goes_on(tail.first())
            || self.plan.context.in_string()
            || self.plan.context.is_quote()
        {
            return WalkStep::Stop(StopReason::Hard);
        }
        let inside = tail.clamped(..LONGEST_QUOTED).leading(|b| is_uri_byte(b) || b >= 0x80);
        let before = self.view.byte(self.i.wrapping_sub(1)).unwrap_or_default();
        let is_open = !self.scratch.stack.is_empty();
        // the next field, or the next string of a list
        if matches!(before, b',' | b';') && !is_open {
            return WalkStep::Stop(StopReason::Hard);
        }
        let opens = is_open || b"=+:&?/|~-_".contains(&before);
        self.run.reach = self.run.reach.max(self.i + 1 + inside);
        if opens && tail.get(inside) == Some(&b'"') {
            self.i += inside + 2;
            return WalkStep::Continue;
        }
        self.rejected(ErrorKind::Character.into(), self.i)
    }

    /// D2.2: true for an apostrophe between two letters, and for text between brackets. Neither
    /// ends the URI.
    fn is_inside(&self, c: char, rest: &[u8], length: usize) -> bool {
        let after = rest.part(length..);
        if matches!(c, '\u{2019}' | '\u{2BC}') {
            let before = last_char(self.view.text.part(..self.i));
            let next = first_char(after).map(|(c, _)| c);
            if before.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic) {
                return true;
            }
        }
        let near = after.clamped(..LONGEST_REMARK);
        let inside = near.leading(|b| (is_uri_byte(b) || b >= 0x80) && !matches!(b, b'(' | b')'));
        self.scratch.stack.last().is_some_and(|&(opener, _)| opener == '(')
            && near.get(inside) == Some(&b')')
    }

    /// D2.2: true if the wrapper around the URI closes after `rest` starts, before any white space.
    ///
    /// A wrapper without a closer does not keep its content. Without this, every candidate in a row
    /// of `[a](~~http://a/‘` would walk to the end of the row, and then end at the first mark. So a
    /// look is bounded, and a closer that was found serves all marks before it.
    fn is_closed(&mut self, rest: &[u8]) -> bool {
        match self.closer {
            Closer::At(at) if self.i < at => return true,
            // One look that fails is enough for a walk, or each mark would cost one.
            Closer::Far => return false,
            Closer::At(_) => {}
        }
        let near = rest.clamped(..LONGEST_WRAPPED);
        let closers = self.plan.context.closers;
        let mut open = 0_usize;
        // A closer that pairs with an opener after the mark is not that of the wrapper.
        let mut closes = |byte: u8| {
            let c = char::from(byte);
            if !byte.is_ascii() || !closers.contains(&c) {
                open += usize::from(closers.iter().any(|&closer| opener_of(closer) == Some(c)));
                return false;
            }
            open = match open.checked_sub(1) {
                Some(open) => open,
                None => return true,
            };
            false
        };
        // Stops at the closer. Reading all of `near` for each of many marks that have a closer
        // nearby would read each byte some twenty times.
        let length = near.leading(|byte| !byte.is_ascii_whitespace() && !closes(byte));
        if near.get(length).is_none_or(u8::is_ascii_whitespace) {
            // A stream may continue here.
            self.run.looked = self.run.looked.max(self.i + length);
            // The value of an attribute ends with its text, without its quotation mark.
            let is_end = self.i + length == self.view.text.len();
            self.closer = if is_end { Closer::At(self.view.text.len()) } else { Closer::Far };
            return is_end;
        }
        self.closer = Closer::At(self.i + length);
        true
    }

    /// True if a label may follow the URI, as in `<uri|label>`.
    fn has_label(&self) -> bool {
        matches!(self.plan.context.wrapper, Wrapper::Angle | Wrapper::Bracket | Wrapper::Brace)
    }

    /// D4.11: true if the URI is a field of comma-separated text and this comma ends it.
    ///
    /// A comma before white space ends the URI in any case, so the surrounding lines are not read.
    fn ends_field(&mut self, rest: &[u8]) -> bool {
        if rest.get(1).is_some_and(u8::is_ascii_whitespace) || self.has_scheme_with_comma() {
            return false;
        }
        if self.is_field.is_none() {
            let (is_field, looked) = table::ends_field(self.view, self.i, self.plan.context);
            self.run.looked = self.run.looked.max(looked);
            self.is_field = Some(is_field);
        }
        self.is_field == Some(true)
    }

    /// True for the schemes whose syntax needs a comma: `tag:a.example,2020:b` (RFC 4151),
    /// `geo:52.5,13.4` (RFC 5870), `data:,b` (RFC 2397).
    fn has_scheme_with_comma(&self) -> bool {
        let scheme = self.view.text.part(..self.plan.body);
        [&b"tag:"[..], b"geo:", b"data:"].iter().any(|name| scheme.ends_with_ignore_case(name))
    }

    /// D3.6: true if the `'` at the start of `rest` closes one that opened directly before the URI
    /// or earlier in its line.
    fn apostrophe_ends(&mut self, rest: &[u8]) -> bool {
        let next = rest.get(1).copied().unwrap_or_default();
        // SQL doubles an apostrophe inside a string, so the URI continues in an encoded form.
        if next == b'\''
            && self.plan.closers.contains(&'\'')
            && rest.get(2).is_some_and(u8::is_ascii_alphanumeric)
        {
            self.fault(Reason::Escaped, self.i);
            return true;
        }
        if !self.plan.closers.contains(&'\'') {
            return !next.is_ascii_alphanumeric()
                && !next.is_ascii_whitespace()
                && next != 0
                && self.plan.context.in_apostrophes();
        }
        // `it's-fine` and `eq%20'Milk'`: belongs to the URI if another one follows that closes.
        if next.is_ascii_alphanumeric() {
            let near = rest.clamped(1..LONGEST_QUOTED);
            let inside = near.leading(|b| (is_uri_byte(b) || b >= 0x80) && b != b'\'');
            self.run.reach = self.run.reach.max(self.i + 1 + inside);
            self.apostrophes += 1;
            // A row of `='http://a` closes nothing, and each candidate in it would walk to its end.
            if self.apostrophes > MOST_APOSTROPHES {
                self.fault(ErrorKind::Character.into(), self.i);
                return true;
            }
            return near.get(inside) != Some(&b'\'');
        }
        let closes_value = next == b'\'' && self.apostrophes % 2 == 1;
        self.apostrophes += usize::from(closes_value);
        !closes_value
    }

    /// D4.7: true if the comma at the start of `rest` ends a setting:
    /// `url=http://a.example/,status=200`.
    fn ends_setting(&self, rest: &[u8]) -> bool {
        let name = rest.part(1..);
        let length = name
            .clamped(..48)
            .leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
        // LDAP names contain settings themselves. The look-back is short because a URI may contain
        // many commas.
        self.run.query.is_none()
            && name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.get(length) == Some(&b'=')
            && !self.view.text.part(self.plan.body..self.i).tail(LONGEST_QUOTED).contains(&b'=')
            && matches!(self.plan.context.before, [.., before, b'='] if before.is_ascii_alphanumeric())
    }

    /// D4.8: true for a variable that starts a segment or a value.
    fn is_variable(&self, rest: &[u8]) -> bool {
        self.plan.syntax != SchemeSyntax::Opaque
            && matches!(
                self.view.byte(self.i.wrapping_sub(1)),
                Some(b'/' | b'=' | b'-' | b'_' | b'.')
            )
            && host_placeholder::variable(rest)
    }

    /// D4.8: true for `#1` in the body of a TeX macro.
    fn is_argument(&self, rest: &[u8]) -> bool {
        matches!(rest, [_, b'1'..=b'9', b'}' | b'.' | b'/', ..])
            && self.plan.context.dialect() == EscapeDialect::Tex
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
            b'%' if host_placeholder::percent_placeholder(rest) => {
                return self.rejected(Reason::Template, self.i);
            }
            b'$' if self.is_variable(rest) => return self.rejected(Reason::Template, self.i),
            b',' if self.ends_field(rest) || self.ends_setting(rest) => {
                return WalkStep::Stop(StopReason::Soft);
            }
            b'&' if self.plan.context.in_outer_query() => return WalkStep::Stop(StopReason::Soft),
            b'&' => match char_reference::read(rest) {
                Some(CharReference::Hard(_)) => return WalkStep::Stop(StopReason::Hard),
                Some(CharReference::Part { length, .. }) => self.i += length - 1,
                None => {}
            },
            // D2.3: only if URI characters follow
            b'^' => {
                let row = rest.clamped(..8).leading(|b| b == b'^');
                if !rest.get(row).is_some_and(|&b| is_uri_byte(b) || b >= 0x80) {
                    return WalkStep::Stop(StopReason::Hard);
                }
                self.i += row - 1;
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
        let previous = self.view.byte(self.i.wrapping_sub(1)).unwrap_or(0);
        if self.options.charset == Charset::Ascii || self.plan.closers.contains(&c) {
            return WalkStep::Stop(StopReason::Hard);
        }
        if self.plan.syntax == SchemeSyntax::Opaque {
            if c.is_alphabetic() && previous.is_ascii_alphabetic() {
                return self.rejected(Reason::NonAscii, self.i);
            }
            return WalkStep::Stop(StopReason::Hard);
        }
        if self.plan.marks == MarkRule::Stay && !c.is_whitespace() && self.is_closed(rest)
            || self.is_inside(c, rest, length)
        {
            self.foreign.get_or_insert(self.i);
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
            _ if is_default_ignorable(c) => {}
            LinkTerm::Include => {}
            LinkTerm::Hard => return WalkStep::Stop(StopReason::Hard),
            LinkTerm::Soft if previous.is_ascii() => return WalkStep::Stop(StopReason::Soft),
            LinkTerm::Soft => {}
            // As for soft characters: the brackets contain a remark on the URI.
            LinkTerm::Open if previous.is_ascii() && self.plan.brackets == BracketRule::Pair => {
                return WalkStep::Stop(StopReason::Soft);
            }
            LinkTerm::Open => return self.open(c, length),
            LinkTerm::Close => return self.close(opener_of(c).unwrap_or(c), length),
        }
        self.foreign.get_or_insert(self.i);
        self.i += length;
        WalkStep::Continue
    }

    /// D2.4: handles a backslash: decode first, or end here.
    pub(super) fn escape(&mut self) -> WalkStep {
        // `escape::read` requires a URI character before the backslash.
        if self.i > 0 && !self.view.byte(self.i - 1).is_some_and(|b| is_uri_byte(b) || b >= 0x80) {
            return WalkStep::Stop(StopReason::Hard);
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
        // The next line decides what a backslash at a line end means.
        match text.part(self.i + 1..) {
            [b'\n', ..] => self.run.looked = self.run.looked.max(self.i + 2),
            [b'\r', b'\n', ..] => self.run.looked = self.run.looked.max(self.i + 3),
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

    /// D4.7: true if a new `scheme://` after `,`, `;`, `|`, or a bracket ends this URI.
    ///
    /// In a URI without `//`, any scheme with a recognizer does so too: `tel:1-555,tel:1-556`.
    pub(super) fn splits(&mut self) -> bool {
        let text = self.view.text;
        let follow = AfterColon::of(self.view.from(self.i + 1));
        if follow == AfterColon::Other && self.plan.syntax != SchemeSyntax::Opaque {
            return false;
        }
        // Without `//`, most colons are part of the URI (`urn:ietf:rfc:3986`). So the separator,
        // which is cheap to find, is tested before the scheme.
        if follow == AfterColon::Other && !self.is_behind_separator() {
            return false;
        }
        let Some(start) = start::find(text, self.i, follow, self.options) else {
            return false;
        };
        let before = last_char(text.part(self.plan.body..start.at));
        let separated = match (before, follow) {
            (Some(',' | ';'), _) => true,
            (Some('|' | '(' | ')' | '[' | ']' | '{' | '}'), AfterColon::Slashes) => {
                self.plan.brackets == BracketRule::Pair
            }
            // the comma of another script
            (Some(c), AfterColon::Slashes) if !c.is_ascii() => link_term(c) == LinkTerm::Soft,
            _ => false,
        };
        if !separated || follow == AfterColon::Other && !self.opens_at(start.at) {
            return false;
        }
        self.i = start.at;
        // An opening bracket around the new URI belongs to it, not to this one.
        while let Some(&(_, at)) = self.scratch.stack.last()
            && at + 1 == self.i
        {
            self.scratch.stack.pop();
            self.i = at;
        }
        true
    }

    /// True if a comma or a semicolon precedes the scheme that ends here. Excludes the colons of
    /// `urn:ietf:rfc:3986`.
    fn is_behind_separator(&self) -> bool {
        let before = self.view.text.part(self.plan.body..self.i);
        let scheme = before.tail(MAX_SCHEME_BYTES + 1).trailing(is_scheme_byte);
        matches!(before.part(..before.len() - scheme).last(), Some(b',' | b';'))
    }

    /// True if a recognizer accepts the text after the scheme from `start` to here.
    fn opens_at(&self, start: usize) -> bool {
        let name = self.view.text.part(start..self.i);
        let head = self.view.from(self.i + 1);
        scheme::lookup(name, self.options)
            .is_some_and(|recognizer| recognizer.opens(head.clamped(..HEAD)))
    }
}
