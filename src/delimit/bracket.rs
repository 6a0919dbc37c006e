//! Pairs brackets inside a run (D4.2, D4.8), and ends the run at a bracket without a partner.

use super::host_placeholder;
use super::run::{BracketRule, RunWalker, SchemeSyntax, StopReason, WalkStep};
use super::text_view::{MARGIN, first_char};
use super::unclosed::{Closers, KnownOpeners, UnclosedBrackets, WalkRules, WalkedText};
use crate::error::Reason;
use crate::grammar::table::is_uri_byte;
use crate::offset_map::RunCursor;
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of the name of a BBCode tag.
const MAX_TAG_BYTES: usize = 16;

/// Most bytes between a bar in brackets and their closer.
const MAX_ALTERNATIVES_LENGTH: usize = 128;

/// Openers that earlier walks found unclosed. A snapshot: the current walk adds to it only at its
/// end.
#[derive(Clone, Copy)]
pub(super) struct KnownUnclosed {
    same: KnownOpeners,
    /// Results for text up to an escape and for its decoded form. The raw text is walked first and
    /// stops at an escape, so an opener is known to be unclosed only if both walks left it open.
    escaped: Option<(KnownOpeners, KnownOpeners)>,
}

impl KnownUnclosed {
    fn for_rules(rules: WalkRules, unclosed: &UnclosedBrackets) -> Self {
        let of = |text| unclosed.openers(WalkRules { text, ..rules });
        let escaped = match rules.text {
            WalkedText::Source => {
                Some((of(WalkedText::Escaped), of(WalkedText::Decoded(rules.dialect))))
            }
            _ => None,
        };
        Self { same: of(rules.text), escaped }
    }
}

impl RunWalker<'_, '_> {
    /// D4.2: an unclosed `(` stays in the URI; any other unclosed bracket ends it. D4.8: an
    /// unclosed `{` rejects it.
    pub(super) fn close_brackets(&mut self) {
        // D4.8: `$(` of a shell or a makefile
        let call = |&&(opener, at): &&(char, usize)| {
            opener == '(' && self.view.text.part(..at).last() == Some(&b'$')
        };
        let call = self.scratch.stack.iter().find(call).copied();
        if let Some((_, at)) = call {
            self.fault(Reason::Template, at - 1);
            return;
        }
        // D2.4: `/(blob|commit)/` of a pattern. Before `|`, the URI would be half of it.
        if let Some(&(opener, at)) = self.scratch.stack.last()
            && opener != '{'
            // D2.3: in a table the bar divides cells.
            && !self.plan.context.in_table()
            && matches!(self.view.from(self.i), [b'|', next, ..] if next.is_ascii_alphanumeric())
            && self.closes_after_bar(opener)
        {
            self.fault(Reason::Escaped, at);
            return;
        }
        let paren = self.scratch.stack.iter().find(|(opener, _)| *opener == '(');
        self.run.open_paren = paren.map(|&(_, at)| at);
        let open = self.scratch.stack.others().next().copied();
        let Some((opener, at)) = open else { return };
        let is_wiki = opener == '{' && host_placeholder::wiki_template(self.view.from(at));
        if opener == '{' && !is_wiki {
            self.fault(Reason::Template, at);
            return;
        }
        // D3.8: between exact delimiters a bracket needs no partner. A wiki's template after the
        // URI is not part of it there either.
        if !is_wiki && matches!(self.plan.brackets, BracketRule::Free { .. }) {
            return;
        }
        self.run.end = at;
        self.run.stop = StopReason::Soft;
        self.remember_unclosed();
    }

    /// True if the bar here and the closer of `opener` are in the same run.
    fn closes_after_bar(&self, opener: char) -> bool {
        let closer = if opener == '(' { b')' } else { b']' };
        let near = self.view.from(self.i).clamped(..MAX_ALTERNATIVES_LENGTH);
        let inside = near.leading(|b| (is_uri_byte(b) || b == b'|') && b != closer);
        near.get(inside) == Some(&closer)
    }

    /// Records the brackets that are still open, so that later walks by the same rules stop there
    /// at once. Without this, a text of many openers would take quadratic time. A walk that stopped
    /// because its text ended proves nothing and is not recorded.
    pub(super) fn remember_unclosed(&mut self) {
        let view = self.view;
        let (mut rules, escaped) = (self.rules(), self.run.stop == StopReason::Escape);
        let is_cut = view.is_part && self.i + MARGIN >= view.text.len();
        let is_free = self.plan.brackets != BracketRule::Pair;
        // Such a walk proves nothing: brackets were free, its text was only a part, or an escape of
        // a derived text stopped it.
        if is_free || is_cut || escaped && rules.text != WalkedText::Source {
            return;
        }
        let stop = first_char(view.from(self.i));
        // No closer ended this walk. A walk with other closers ends no later, so the result holds
        // for it, too.
        if !stop.is_some_and(|(c, _)| self.plan.closers.contains(&c)) {
            rules.closers = Closers::NONE;
        }
        if escaped {
            rules.text = WalkedText::Escaped;
        }
        let open = self.scratch.stack.others();
        let mut cursor = RunCursor::default();
        let sources = open.map(|&(_, at)| view.next_source_end(&mut cursor, at));
        self.scratch.unclosed.add(rules, sources);
    }

    /// Returns how an earlier walk by the same rules stopped, if it found no closer for the opener
    /// here.
    fn unclosed(&mut self) -> Option<StopReason> {
        let known = match self.known {
            Some(known) => known,
            None => {
                *self.known.insert(KnownUnclosed::for_rules(self.rules(), &self.scratch.unclosed))
            }
        };
        let source = self.view.next_source_end(&mut self.cursor, self.i);
        let unclosed = &self.scratch.unclosed;
        let holds = |openers| unclosed.holds(openers, source);
        if holds(known.same) {
            Some(StopReason::Soft)
        } else {
            match known.escaped {
                Some((escaped, decoded)) if holds(escaped) && holds(decoded) => {
                    Some(StopReason::Escape)
                }
                _ => None,
            }
        }
    }

    pub(super) fn open(&mut self, opener: char, length: usize) -> WalkStep {
        let ends = opener != '(' && opener != '{' && self.plan.brackets == BracketRule::Pair;
        let rest = self.view.from(self.i);
        // A group of RTF or of subtitles, `{\\i0}`, or a wiki macro, `{code}`.
        if opener == '{' && (rest.get(1) == Some(&b'\\') || host_placeholder::wiki_macro(rest)) {
            return WalkStep::Stop(StopReason::Hard);
        }
        // D2.3: `[*]` starts an item of a list in BBCode. In a query it is an index, `?q=a[*].b`.
        let is_item = || rest.starts_with(b"[*]") && self.run.query.is_none();
        if ends && (closing_tag(rest) || is_item()) {
            return WalkStep::Stop(StopReason::Soft);
        }
        let is_wiki = || {
            opener == '{'
                && self.plan.brackets == BracketRule::Pair
                && self.scratch.stack.is_outermost()
                && host_placeholder::wiki_template(rest)
        };
        if (ends || is_wiki())
            && let Some(stop) = self.unclosed()
        {
            return WalkStep::Stop(stop);
        }
        // D4.8: with `//`, the authority checks reject such a template; an opaque URI has no
        // authority, so this check must.
        let is_variable = opener == '{' && self.view.text.part(..self.i).last() == Some(&b'$');
        if is_variable && self.plan.syntax == SchemeSyntax::Opaque {
            return self.rejected(Reason::Template, self.i);
        }
        self.scratch.stack.push(opener, self.i);
        self.i += length;
        WalkStep::Continue
    }

    /// D4.2: an unpaired closer ends the URI before it. An unclosed `(` after the opener is
    /// dropped, since it stays in the URI.
    pub(super) fn close(&mut self, opener: char, length: usize) -> WalkStep {
        while let Some(&(top, at)) = self.scratch.stack.last() {
            if top == opener {
                self.scratch.stack.pop();
                // D4.8: `$(NAME)` of a makefile
                if opener == '{' || self.view.text.part(..at).last() == Some(&b'$') {
                    self.run.placeholder =
                        Some(self.run.placeholder.map_or(at, |first| first.min(at)));
                }
                self.i += length;
                return WalkStep::Continue;
            }
            // Where the author delimited exactly, a square bracket may have no partner (D3.8).
            let is_free = top == '[' && self.plan.brackets != BracketRule::Pair;
            if top != '(' && !is_free {
                break;
            }
            self.scratch.stack.pop();
        }
        match self.plan.brackets {
            // D3.8: of the closers, only that of the wrapper itself ends an exact URI.
            BracketRule::Free { closer } if !pairs(opener, closer) => {
                self.i += length;
                WalkStep::Continue
            }
            _ => WalkStep::Stop(StopReason::Soft),
        }
    }
}

/// D2.3: true if `text` starts with a closing BBCode tag, `[/url]`, `[/h2]`.
fn closing_tag(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"[/") else { return false };
    let letters = name.clamped(..MAX_TAG_BYTES).leading(|b| b.is_ascii_alphabetic());
    let digit = usize::from(name.get(letters).is_some_and(u8::is_ascii_digit));
    letters > 0 && name.get(letters + digit) == Some(&b']')
}

/// True if `closer` closes `opener`.
fn pairs(opener: char, closer: char) -> bool {
    matches!((opener, closer), ('(', ')') | ('[', ']') | ('{', '}'))
}
