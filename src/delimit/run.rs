//! The longest run of characters that a URI may hold (D2, D4.1, D4.2, D4.7–D4.9). One pass; its
//! brackets are in `bracket`, and the authority of a web scheme has rules of its own in `authority`.

use alloc::vec::Vec;

use super::byte_class::{ByteClass, CLASS};
use super::char_reference::{self, CharReference};
use super::escape::{self, EscapeDialect, EscapeMeaning};
use super::host_placeholder;
use super::start::{self, AfterColon};
use super::text_view::{TextView, first_char, last_char};
use super::wrapper::WrapperContext;
use crate::error::Reason;
use crate::grammar::table::is_uri_byte;
use crate::offset_map::DerivedText;
use crate::options::{Charset, Options};
use crate::registry::{LinkTerm, is_default_ignorable, link_term, opener_of};
use crate::scheme::{self, HEAD};
use crate::slice::{ByteRuns, SliceExt};
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
    /// The first byte behind `//`, or behind the colon.
    pub body: usize,
    /// What ends the URI wherever it is (D3.6).
    pub closers: &'static [char],
    pub brackets: BracketRule,
    /// What is before the scheme: marks may end an authority (D3.7), and it says whose escapes these are (D2.4).
    pub context: &'p WrapperContext<'p>,
}

/// Whether brackets say where a URI ends (D4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BracketRule {
    Pair,
    /// The author delimited exactly (D3.8): only this one ends it.
    Free {
        closer: char,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// A character that no URI holds, or the end of the text.
    Hard,
    /// A character that is allowed elsewhere, but not here.
    Soft,
    /// An escape that has to be decoded first (D2.4).
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

/// The run. Offsets are into the view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UriRun {
    /// One past its last byte, before trimming.
    pub end: usize,
    pub reach: usize,
    pub stop: StopReason,
    /// Host, without userinfo and port; empty for opaque schemes.
    pub host: (usize, usize),
    pub authority_end: usize,
    /// Where the `?` and the first `#` are.
    pub query: Option<usize>,
    pub fragment: Option<usize>,
    /// A balanced `{…}` is in it (D2.3).
    pub braces: Option<usize>,
    pub fault: Option<UriFault>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct DelimitScratch {
    pub trace: Trace,
    pub(super) derived: DerivedText,
    pub(super) stack: Vec<(char, usize)>,
    /// Openers known to be never closed, as source offsets: without them a row of
    /// `http://a/[x=` would be walked to its end once for each.
    pub(super) unclosed: Vec<usize>,
    /// By which rules the walk went that found them: others may go further.
    pub(super) unclosed_by: Option<WalkRules>,
}

/// What says where a run stops, besides its own characters and the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WalkRules {
    /// Whether only ASCII is in it (D2.2).
    opaque: bool,
    dialect: EscapeDialect,
    /// Whether a `<…>` may be in it.
    sici: bool,
    derived: bool,
}

pub(crate) fn walk(
    view: &TextView<'_>,
    plan: &WalkPlan<'_>,
    options: &Options,
    scratch: &mut DelimitScratch,
) -> UriRun {
    scratch.stack.clear();
    let run = UriRun {
        end: plan.body,
        reach: plan.body,
        stop: StopReason::Hard,
        host: (plan.body, plan.body),
        authority_end: plan.body,
        query: None,
        fragment: None,
        braces: None,
        fault: None,
    };
    let mut walker = RunWalker { view, plan, options, scratch, i: plan.body, run, foreign: None };
    walker.walk();
    walker.finish()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkStep {
    Continue,
    Stop(StopReason),
}

pub(super) struct RunWalker<'w, 'v> {
    pub view: &'w TextView<'v>,
    pub plan: &'w WalkPlan<'w>,
    pub options: &'w Options,
    pub(super) scratch: &'w mut DelimitScratch,
    pub i: usize,
    pub run: UriRun,
    /// Where the first non-ASCII character behind the authority is.
    foreign: Option<usize>,
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

    fn finish(mut self) -> UriRun {
        self.run.end = self.i;
        self.run.reach = self.run.reach.max(self.i);
        work_counter::add(self.run.reach - self.plan.body);
        if self.run.stop != StopReason::Escape {
            self.close_brackets();
        }
        self.run
    }

    pub(super) fn rules(&self) -> WalkRules {
        WalkRules {
            opaque: self.plan.syntax == SchemeSyntax::Opaque,
            dialect: self.plan.context.dialect(),
            sici: self.names_doi(),
            derived: self.view.derived.is_some(),
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
        let limit = self.options.max_uri;
        loop {
            let rest = text.part(self.i..);
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

    /// D1.6: the `<…>` of a DOI in SICI form, which `N.N.XX;` follows.
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

    /// Steps over one character that may mean something.
    fn special(&mut self, byte: u8, rest: &[u8]) -> WalkStep {
        match byte {
            b':' if self.splits() => return WalkStep::Stop(StopReason::Soft),
            b'\'' if self.plan.closers.contains(&'\'') => return WalkStep::Stop(StopReason::Soft),
            b'?' if self.run.fragment.is_none() => {
                self.run.query.get_or_insert(self.i);
            }
            b'#' => {
                self.run.fragment.get_or_insert(self.i);
            }
            b'%' if rest.get(1) == Some(&b's') => return self.rejected(Reason::Template, self.i),
            b'&' => match char_reference::read(rest) {
                Some(CharReference::Hard(_)) => return WalkStep::Stop(StopReason::Hard),
                Some(CharReference::Part { length, .. }) => self.i += length - 1,
                None => {}
            },
            // D2.3: only when URI characters follow
            b'^' if !rest.get(1).is_some_and(|&b| is_uri_byte(b) || b >= 0x80) => {
                return WalkStep::Stop(StopReason::Hard);
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

    /// D2.2, outside the host of a web scheme.
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
        if matches!(c, '\u{2014}' | '\u{2015}') {
            return WalkStep::Stop(StopReason::Hard);
        }
        match link_term(c) {
            _ if is_default_ignorable(c) => {}
            LinkTerm::Include if self.resumes_text(c, previous) => {
                return WalkStep::Stop(StopReason::Soft);
            }
            LinkTerm::Include => {}
            LinkTerm::Hard => return WalkStep::Stop(StopReason::Hard),
            LinkTerm::Soft if previous.is_ascii() => return WalkStep::Stop(StopReason::Soft),
            LinkTerm::Soft => {}
            // as for soft ones: brackets hold a remark on the URI
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

    /// D2.2: at `c`, an Include that follows `previous`, the sentence around the URI goes on.
    ///
    /// So it does with the particle that marks the object in Japanese, for which alone U+3092 is
    /// written, right after ASCII; and with a letter right behind a mark that lacks its space, when
    /// the path was ASCII so far: `https://a.example/2.0/,速度很快`.
    fn resumes_text(&self, c: char, previous: u8) -> bool {
        let is_open = self.plan.brackets == BracketRule::Pair && self.plan.closers.is_empty();
        if !is_open || !previous.is_ascii() {
            return false;
        }
        let in_path = self.run.query.is_none() && self.run.fragment.is_none();
        c == 'を'
            || matches!(previous, b',' | b';' | b'!')
                && in_path
                && self.foreign.is_none()
                && c.is_alphabetic()
    }

    /// D2.4: decode first, or end here.
    pub(super) fn escape(&mut self) -> WalkStep {
        if self.i > 0 && !self.view.byte(self.i - 1).is_some_and(|b| is_uri_byte(b) || b >= 0x80) {
            return WalkStep::Stop(StopReason::Hard);
        }
        match escape::read(self.view.text, self.i, self.plan.context.dialect()) {
            EscapeMeaning::Char { .. } | EscapeMeaning::Nothing { .. } => {
                WalkStep::Stop(StopReason::Escape)
            }
            EscapeMeaning::Unreadable => self.rejected(Reason::Escaped, self.i),
            EscapeMeaning::Hard => {
                let in_host = self.run.authority_end <= self.plan.body;
                if in_host
                    && self.plan.syntax != SchemeSyntax::Opaque
                    && host_placeholder::no_host_reason(self.view.from(self.i))
                        == Some(Reason::Escaped)
                {
                    return self.rejected(Reason::Escaped, self.i);
                }
                WalkStep::Stop(StopReason::Hard)
            }
        }
    }

    /// D4.7: a new `scheme://` after `,`, `;`, `|` or a bracket ends this URI before it.
    ///
    /// In a URI without `//` so does any scheme that has a recognizer: `tel:1-555,tel:1-556`.
    pub(super) fn splits(&mut self) -> bool {
        let text = self.view.text;
        let follow = AfterColon::of(self.view.from(self.i + 1));
        if follow == AfterColon::Other && self.plan.syntax != SchemeSyntax::Opaque {
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
        // a bracket that opens around the new one
        while let Some(&(_, at)) = self.scratch.stack.last()
            && at + 1 == self.i
        {
            self.scratch.stack.pop();
            self.i = at;
        }
        true
    }

    /// A recognizer takes what follows the scheme that starts at `start` and ends here.
    fn opens_at(&self, start: usize) -> bool {
        let name = self.view.text.part(start..self.i);
        let head = self.view.from(self.i + 1);
        scheme::lookup(name, self.options)
            .is_some_and(|recognizer| recognizer.opens(head.clamped(..HEAD)))
    }
}
