//! Brackets inside a run (D4.2, D4.8): which closer pairs with which opener, and where the run ends
//! when one has no partner.

use super::host_placeholder;
use super::run::{BracketRule, RunWalker, SchemeSyntax, StopReason, WalkStep};
use super::text_view::{MARGIN, first_char};
use super::unclosed::{Closers, KnownOpeners, UnclosedBrackets, WalkRules, WalkedText};
use crate::error::Reason;
use crate::offset_map::RunCursor;
use crate::slice::{ByteRuns, SliceExt};

/// What earlier walks have found out about the openers of a walk; none is added to it while it goes on.
#[derive(Clone, Copy)]
pub(super) struct KnownUnclosed {
    same: KnownOpeners,
    /// Up to an escape, and with what that stands for: the escapes of a source are decoded before it is told what the URI is.
    escaped: Option<(KnownOpeners, KnownOpeners)>,
}

impl KnownUnclosed {
    fn of(rules: WalkRules, unclosed: &UnclosedBrackets) -> Self {
        let of = |text| unclosed.of(WalkRules { text, ..rules });
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
    /// D4.2: an unclosed `(` stays; before any other the URI ends. D4.8: but for a `{`.
    pub(super) fn close_brackets(&mut self) {
        // D4.8: `$(` of a shell or a makefile
        let call = |&&(opener, at): &&(char, usize)| {
            opener == '(' && self.view.text.part(..at).last() == Some(&b'$')
        };
        if let Some(&(_, at)) = self.scratch.stack.iter().find(call) {
            self.fault(Reason::Template, at - 1);
            return;
        }
        let open = self.scratch.stack.iter().find(|(opener, _)| *opener != '(').copied();
        let Some((opener, at)) = open else { return };
        let is_wiki = opener == '{' && host_placeholder::wiki_template(self.view.from(at));
        if opener == '{' && !is_wiki {
            self.fault(Reason::Template, at);
            return;
        }
        if !is_wiki && matches!(self.plan.brackets, BracketRule::Free { .. }) {
            return;
        }
        self.run.end = at;
        self.run.stop = StopReason::Soft;
        self.remember_unclosed();
    }

    /// What is still open is open for every walk by the same rules, unless this one stopped where its text does.
    pub(super) fn remember_unclosed(&mut self) {
        let view = self.view;
        let (mut rules, escaped) = (self.rules(), self.run.stop == StopReason::Escape);
        let is_cut = view.is_part && self.i + MARGIN >= view.text.len();
        let is_free = self.plan.brackets != BracketRule::Pair;
        if is_free || is_cut || escaped && rules.text != WalkedText::Source {
            return;
        }
        let stop = first_char(view.from(self.i));
        if !stop.is_some_and(|(c, _)| self.plan.closers.contains(&c)) {
            rules.closers = Closers::NONE;
        }
        if escaped {
            rules.text = WalkedText::Escaped;
        }
        let open = self.scratch.stack.iter().filter(|(opener, _)| *opener != '(');
        let mut cursor = RunCursor::default();
        let sources = open.map(|&(_, at)| view.next_source_end(&mut cursor, at));
        self.scratch.unclosed.add(rules, sources);
    }

    /// How an earlier walk by the same rules stopped without a closer for the opener here.
    fn unclosed(&mut self) -> Option<StopReason> {
        let known = match self.known {
            Some(known) => known,
            None => *self.known.insert(KnownUnclosed::of(self.rules(), &self.scratch.unclosed)),
        };
        let source = self.view.next_source_end(&mut self.cursor, self.i);
        let unclosed = &self.scratch.unclosed;
        let holds = |openers| unclosed.holds(openers, source);
        match holds(known.same) {
            true => Some(StopReason::Soft),
            false => match known.escaped {
                Some((escaped, decoded)) if holds(escaped) && holds(decoded) => {
                    Some(StopReason::Escape)
                }
                _ => None,
            },
        }
    }

    /// Nothing but parentheses is open.
    fn is_outermost(&self) -> bool {
        self.scratch.stack.iter().all(|(opener, _)| *opener == '(')
    }

    pub(super) fn open(&mut self, opener: char, length: usize) -> WalkStep {
        let ends = opener != '(' && opener != '{' && self.plan.brackets == BracketRule::Pair;
        let rest = self.view.from(self.i);
        // a group of RTF or of subtitles, `{\\i0}`, and a macro of a wiki, `{code}`
        if opener == '{' && (rest.get(1) == Some(&b'\\') || host_placeholder::wiki_macro(rest)) {
            return WalkStep::Stop(StopReason::Hard);
        }
        if ends && closing_tag(rest) {
            return WalkStep::Stop(StopReason::Soft);
        }
        let is_wiki = || {
            opener == '{'
                && self.plan.brackets == BracketRule::Pair
                && self.is_outermost()
                && host_placeholder::wiki_template(rest)
        };
        if (ends || is_wiki())
            && let Some(stop) = self.unclosed()
        {
            return WalkStep::Stop(stop);
        }
        // D4.8: without `//` there is no authority in which else it would be a sign
        let is_variable = opener == '{' && self.view.text.part(..self.i).last() == Some(&b'$');
        if is_variable && self.plan.syntax == SchemeSyntax::Opaque {
            return self.rejected(Reason::Template, self.i);
        }
        self.scratch.stack.push((opener, self.i));
        self.i += length;
        WalkStep::Continue
    }

    /// D4.2: an unpaired closer ends the URI before it. An unclosed `(` is passed over.
    pub(super) fn close(&mut self, opener: char, length: usize) -> WalkStep {
        while let Some(&(top, at)) = self.scratch.stack.last() {
            if top == opener {
                self.scratch.stack.pop();
                if opener == '{' {
                    self.run.braces = Some(self.run.braces.map_or(at, |first| first.min(at)));
                }
                self.i += length;
                return WalkStep::Continue;
            }
            if top != '(' {
                break;
            }
            self.scratch.stack.pop();
        }
        match self.plan.brackets {
            BracketRule::Free { closer } if !pairs(opener, closer) => {
                self.i += length;
                WalkStep::Continue
            }
            _ => WalkStep::Stop(StopReason::Soft),
        }
    }
}

/// D2.3: a closing tag of BBCode, `[/url]`, starts `text`.
fn closing_tag(text: &[u8]) -> bool {
    let Some(name) = text.strip_prefix(b"[/") else { return false };
    let letters = name.clamped(..16).leading(|b| b.is_ascii_alphabetic());
    letters > 0 && name.get(letters) == Some(&b']')
}

/// Whether `closer` closes `opener`.
fn pairs(opener: char, closer: char) -> bool {
    matches!((opener, closer), ('(', ')') | ('[', ']') | ('{', '}'))
}
