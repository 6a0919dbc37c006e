//! Joins string literals that a program concatenates (D3.9).
//!
//! `"http://a.example/long/"⏎"path"` is one URI in C, Python, and a gettext catalogue, but two
//! strings in a list without commas. Certain cases are joined; uncertain ones are flagged.

use super::byte_class::is_hard;
use super::line_prefix::{LinePrefix, line_before};
use super::rejoin::is_long;
use super::shell_array;
use super::start::{MAX_SCHEME_BYTES, starts_uri};
use super::uri_rest::looks_like_rest;
use super::wrapper::LOOKBACK;
use crate::grammar::table::is_scheme_byte;
use crate::offset_map::{DerivedText, RunOrigin};
use crate::registry;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Most white space on each side of the line break between two literals.
const MAX_SPACE_BYTES: usize = 128;
/// Longest distance to the end of the next literal.
pub(crate) const MAX_LITERAL_LENGTH: usize = 1024;
/// Most literals that are joined.
pub(crate) const MAX_LITERALS: usize = 16;

/// Operators that concatenate literals, at the end of a line or at the start of the next.
const OPERATORS: [&[u8]; 9] = [b"+", b".", b"&", b"++", b"<>", b"||", b"~", b"..", b"^"];
/// The operators that are unambiguous within one line, too.
const APPENDING: [&[u8]; 7] = [b"+", b".", b"&", b"++", b"..", b"<>", b"||"];
/// Characters that continue a line in the next, after an operator or alone.
const LINE_ENDS: [u8; 2] = [b'\\', b'_'];

/// Relation of the next literal to a URI that ends with its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextLiteral {
    None,
    /// The URI may continue there.
    Unsure,
    /// It continues with the literal between these quotation marks.
    GoesOn {
        open: usize,
        close: usize,
    },
}

/// True if a literal may close at `end` and another follow it. Inlined, because the fast path calls
/// it for every URI.
#[inline(always)]
pub(crate) fn may_close(haystack: &[u8], end: usize) -> bool {
    let Some(&[quote, next, ..]) = haystack.get(end..) else {
        return false;
    };
    // Most URIs have no quotation mark after them.
    matches!(quote, b'"' | b'\'')
        && matches!(next, b'\n' | b'\r' | b' ' | b'\t' | b'\\' | b'+' | b'.' | b'&' | b'~')
}

/// Returns the quotation mark after a URI that ends at `end` and whose run ends at `run_end`, if a
/// literal may close there.
pub(crate) fn closer(haystack: &[u8], end: usize, run_end: usize) -> Option<usize> {
    let soft = haystack.get(end..run_end)?;
    let quote = match soft.split_last() {
        Some((b'\'', _)) => run_end - 1,
        _ => run_end,
    };
    may_close(haystack, quote).then_some(quote)
}

/// True if a literal of the same kind follows the one that closes at `quote`, after a URI that
/// starts at `start`.
pub(crate) fn is_followed(haystack: &[u8], start: usize, quote: usize) -> bool {
    LiteralGap::read(haystack, start, quote).is_some()
}

/// Returns how far [`next`] reads, up to the end of a line, unless it finds a literal that
/// continues the URI.
pub(crate) fn looked(haystack: &[u8], quote: usize) -> usize {
    let rest = haystack.clamped(quote + 1..quote + 1 + MAX_SPACE_BYTES);
    match memchr::memchr(b'\n', rest) {
        Some(end) if joint(rest.part(..end).trim_ascii()).is_some() => quote + 1 + end + 1,
        _ => quote,
    }
}

/// Returns the text after the literal that closes at `quote`, after a URI that starts at `start`.
pub(crate) fn next(haystack: &[u8], start: usize, quote: usize) -> NextLiteral {
    next_in_row(haystack, start, quote, LiteralRow::First)
}

fn next_in_row(haystack: &[u8], start: usize, quote: usize, row: LiteralRow) -> NextLiteral {
    LiteralGap::read(haystack, start, quote)
        .and_then(|gap| LiteralPair::new(haystack, (start, quote), gap, row))
        .map_or(NextLiteral::None, |pair| pair.judged())
}

/// The text of a URI joined with the literals that continue it.
pub(crate) struct JoinedLiterals {
    /// Length without the text appended from after the last literal.
    pub length: usize,
    /// The token after the last literal.
    pub next: NextLiteral,
}

/// Fills `derived` with the URI from `start` to `quote`, joined with up to `most` of the literals
/// that continue it.
pub(crate) fn join(
    haystack: &[u8],
    (start, quote): (usize, usize),
    most: usize,
    derived: &mut DerivedText,
) -> JoinedLiterals {
    derived.clear();
    let (mut from, mut to) = (start, quote);
    derived.copy(haystack.part(from..to), from);
    let (mut literals, mut row) = (0, LiteralRow::First);
    let next = loop {
        let next = next_in_row(haystack, from, to, row);
        let NextLiteral::GoesOn { open, close } = next else {
            break next;
        };
        if literals == most.min(MAX_LITERALS) {
            break next;
        }
        (literals, row) = (literals + 1, LiteralRow::Joined);
        derived.replace(b"", Span::new(to, open + 1), RunOrigin::Joined);
        (from, to) = (open + 1, close);
        let text = haystack.part(from..to);
        derived.copy(text, from);
        work_counter::add(text.len());
        if text.iter().any(|&b| is_hard(b)) {
            break NextLiteral::None;
        }
    };
    let length = derived.text().len();
    // The rules must see a closing `"`, which ends a run. An apostrophe does not end one.
    if haystack.get(to) == Some(&b'"') {
        derived.copy(haystack.clamped(to..to + 64), to);
    }
    JoinedLiterals { length, next }
}

/// The text between two literals: a line break, white space, an operator.
#[derive(Clone, Copy, Debug)]
struct LiteralGap {
    /// Quotation mark that opens the second literal.
    open: usize,
    joint: LiteralJoint,
    /// Column of the second literal, after the line prefix.
    column: LiteralColumn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralJoint {
    /// Only a line break.
    Break,
    /// A backslash, which may also end an argument of a shell.
    Backslash,
    Operator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralColumn {
    First,
    Indented,
}

impl LiteralGap {
    /// Returns the offset in `rest`, the text after a literal and `before` spaces, of another
    /// literal that an operator appends in the same line.
    fn open_in_line(rest: &[u8], before: usize, mark: u8) -> Option<usize> {
        let sign = rest.clamped(..3).leading(|b| b"+.&|<>".contains(&b));
        if !APPENDING.contains(&rest.part(..sign)) {
            return None;
        }
        let spaces = rest.part(sign..).leading(|b| matches!(b, b' ' | b'\t'));
        // The full stop of a sentence, and two spaces
        if before == 0 && rest.starts_with(b".  ") {
            return None;
        }
        Some(sign + spaces + opening(rest.part(sign + spaces..), mark)?)
    }

    fn read(haystack: &[u8], start: usize, quote: usize) -> Option<Self> {
        let &mark = haystack.get(quote)?;
        let rest = haystack.clamped(quote + 1..quote + 1 + MAX_SPACE_BYTES);
        // Most text after a literal starts with no operator, which this detects first.
        let spaces = rest.leading(|b| matches!(b, b' ' | b'\t'));
        if let Some(open) = Self::open_in_line(rest.part(spaces..), spaces, mark) {
            let open = quote + 1 + spaces + open;
            return Some(Self {
                open,
                joint: LiteralJoint::Operator,
                column: LiteralColumn::Indented,
            });
        }
        let (end, mut joint) = match rest.get(spaces)? {
            b'\n' => (spaces, LiteralJoint::Break),
            // The most common bytes after an attribute, an argument, and an item. Each shows that
            // no literal is appended.
            b'>' | b'/' | b')' | b',' => return None,
            first if first.is_ascii_alphanumeric() => return None,
            _ => {
                let end = memchr::memchr(b'\n', rest)?;
                (end, joint(rest.part(..end).trim_ascii())?)
            }
        };
        let line = quote + 1 + end + 1;
        let rest = haystack.clamped(line..line + MAX_SPACE_BYTES);
        // Cheap test before the prefix of the line is read: most next lines contain no literal, or
        // another URI of a list.
        let text = rest.part(rest.leading(is_mark)..);
        let inside = text.part(opening(text, mark)? + 1..);
        // D3.9: the next literal of a list of URIs. Comparing four bytes first spares most literals
        // the test for a scheme.
        if inside.starts_with(b"http") && starts_uri(inside) {
            return None;
        }
        let prefix = LinePrefix::at(haystack, start);
        let text = prefix.skip(haystack, line);
        if prefix.is_left(haystack, line, text) {
            return None;
        }
        let rest = haystack.clamped(text..text + MAX_SPACE_BYTES);
        let indent = rest.leading(|b| matches!(b, b' ' | b'\t'));
        let column = if indent <= usize::from(prefix.has_mark()) {
            LiteralColumn::First
        } else {
            LiteralColumn::Indented
        };
        let mut skipped = indent;
        // A plus sign in the first column belongs to a diff, or to an item of a list.
        let is_item = prefix.is_any() && text == line;
        if joint == LiteralJoint::Break && column == LiteralColumn::Indented && !is_item {
            let sign = rest.part(indent..).leading(|b| b"+.&|<>~^".contains(&b));
            if OPERATORS.contains(&rest.part(indent..indent + sign)) {
                joint = LiteralJoint::Operator;
                skipped += sign;
                skipped += rest.part(skipped..).leading(|b| matches!(b, b' ' | b'\t'));
            }
        }
        let open = text + skipped + opening(rest.part(skipped..), mark)?;
        Some(Self { open, joint, column })
    }
}

/// True for characters of line prefixes and operators.
fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ' | b'!' | b'#' | b'%' | b'&' | b'*'..=b'/' | b';' | b'<' | b'>' | b'\\' | b'^' | b'|' | b'~')
}

/// Returns what joins two lines, given the text after the quotation mark in the first.
fn joint(text: &[u8]) -> Option<LiteralJoint> {
    match text {
        [] => Some(LiteralJoint::Break),
        b"\\" => Some(LiteralJoint::Backslash),
        [before @ .., last] if LINE_ENDS.contains(last) => {
            OPERATORS.contains(&before.trim_ascii_end()).then_some(LiteralJoint::Operator)
        }
        _ => OPERATORS.contains(&text).then_some(LiteralJoint::Operator),
    }
}

/// Returns the offset of the quotation mark that opens a literal at the start of `text`, after
/// prefix letters such as Python's.
fn opening(text: &[u8], mark: u8) -> Option<usize> {
    let letters = text.clamped(..3).leading(|b| b.is_ascii_alphanumeric());
    (text.get(letters) == Some(&mark) && is_literal_prefix(text.part(..letters))).then_some(letters)
}

/// True for the letters of `f"…"`, `rb'…'`, `u8"…"`, `L"…"`, or none.
fn is_literal_prefix(letters: &[u8]) -> bool {
    match letters {
        [] => true,
        [a] => b"frbuFRBUL".contains(a),
        [a, b] => b"frbuFRBU".contains(a) && b"frbuFRBU8".contains(b),
        _ => false,
    }
}

/// Returns where the literal around a URI opened in `line`, the part of its line before it; `mark`
/// surrounds it.
fn opened(line: &[u8], mark: u8) -> Option<usize> {
    open_literal(line).filter(|&(_, open)| open == mark).map(|(at, _)| at)
}

/// Returns the quotation mark that opened in `line` and is not closed at its end.
pub(super) fn open_mark(line: &[u8]) -> Option<u8> {
    open_literal(line).map(|(_, mark)| mark)
}

/// Returns the offset and quotation mark of the literal that is open at the end of `line`.
fn open_literal(line: &[u8]) -> Option<(usize, u8)> {
    let mut inside: Option<(usize, u8)> = None;
    let mut i = 0;
    while let Some(&byte) = line.get(i) {
        match (byte, inside) {
            // An escaped quotation mark neither opens nor closes
            (b'\\', _) => i += 1,
            (b'"' | b'\'', Some((_, open))) if open == byte => inside = None,
            (b'"', None) => inside = Some((i, byte)),
            (b'\'', None) => {
                // After other letters it is an apostrophe.
                let before = line.part(..i);
                let letters = before.trailing(|b| b.is_ascii_alphanumeric());
                if is_literal_prefix(before.tail(letters)) {
                    inside = Some((i, byte));
                }
            }
            _ => {}
        }
        i += 1;
    }
    inside
}

/// Whether literals were already joined, which shows that they are not a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralRow {
    First,
    Joined,
}

/// Two literals, of which the first ends with a URI.
struct LiteralPair<'h> {
    haystack: &'h [u8],
    /// Start of the URI.
    start: usize,
    /// Quotation mark that closes the first literal.
    quote: usize,
    gap: LiteralGap,
    row: LiteralRow,
    /// Part of the line before the URI, and the offset in it at which the first literal opened.
    line: &'h [u8],
    opened: Option<usize>,
    /// Text after the opening mark of the second literal, up to the end of its line. [`looked`]
    /// relies on the rules reading no further.
    text: &'h [u8],
    /// Offset in `text` at which that literal ends.
    close: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LiteralVerdict {
    None,
    Unsure,
    GoesOn,
}

impl<'h> LiteralPair<'h> {
    fn new(
        haystack: &'h [u8],
        (start, quote): (usize, usize),
        gap: LiteralGap,
        row: LiteralRow,
    ) -> Option<Self> {
        let &mark = haystack.get(quote)?;
        let line = line_before(haystack, start);
        let opened = line.and_then(|line| opened(line, mark));
        let text = haystack.clamped(gap.open + 1..gap.open + 1 + MAX_LITERAL_LENGTH);
        let text = memchr::memchr(b'\n', text).map_or(text, |end| text.part(..end));
        let close = closing(text, mark);
        work_counter::add(close.unwrap_or(text.len()) + line.map_or(LOOKBACK, <[u8]>::len));
        let line = line.unwrap_or_default();
        Some(Self { haystack, start, quote, gap, row, line, opened, text, close })
    }

    fn judged(&self) -> NextLiteral {
        let open = self.gap.open;
        match (self.verdict(), self.opened, self.close) {
            (LiteralVerdict::None, _, _) => NextLiteral::None,
            (LiteralVerdict::GoesOn, Some(_), Some(close)) => {
                NextLiteral::GoesOn { open, close: open + 1 + close }
            }
            _ => NextLiteral::Unsure,
        }
    }

    fn verdict(&self) -> LiteralVerdict {
        let run = self.text.clamped(..LOOKBACK);
        let run = run.part(..run.leading(is_rest));
        let run = run.part(..run.len() - run.trailing(|b| matches!(b, b'.' | b':' | b'?')));
        let has_name = run.iter().any(|&b| b.is_ascii_alphanumeric() || b == b'/');
        // Options and paths of a command
        let is_argument =
            // A command's list of arguments has literals below each other, too.
            [&b"--"[..], b"./", b"../", b"~/"].iter().any(|start| self.text.starts_with(start));
        // A literal that starts with punctuation ends the sentence. A placeholder, a triplet, and a
        // letter of another script may continue a URI.
        if !has_name && !matches!(self.text.first(), Some(b'{' | b'%' | 0x80..))
            || starts_uri(self.text)
            || starts_scheme(self.text)
            || is_argument
            || starts_format_break(self.text)
            || self.is_other_field()
            || self.is_in_array_of_shell()
        {
            return LiteralVerdict::None;
        }
        if self.calls_method() || self.is_pair_of_lisp() {
            return LiteralVerdict::None;
        }
        if self.gap.joint == LiteralJoint::Break && self.is_in_list_of_lisp() {
            // Words, such as those that explain a variable
            return if self.text.part(..self.close.unwrap_or(self.text.len())).contains(&b' ') {
                LiteralVerdict::None
            } else {
                LiteralVerdict::Unsure
            };
        }
        // A key and its value, or two arguments
        if self.after_close().is_some_and(|after| matches!(after.first(), Some(b'"' | b'\''))) {
            return LiteralVerdict::Unsure;
        }
        let last = self.haystack.part(..self.quote).last().copied().unwrap_or_default();
        let first = self.text.first().copied().unwrap_or_default();
        match last {
            // As likely as not the end of a sentence.
            b'.' | b',' | b';' | b':' | b'!' | b'\'' if looks_like_rest(run) => self.joined(run),
            // URNs and the like are broken after a colon, and more parts with colons follow.
            b':' if run.contains(&b':') || self.gap.joint == LiteralJoint::Operator => {
                self.joined(run)
            }
            b'.' if self.is_filled_catalogue() => self.joined(run),
            b'.' | b',' | b';' | b':' | b'!' | b'\'' => match first {
                b'a'..=b'z' | b'0'..=b'9' => LiteralVerdict::Unsure,
                _ => LiteralVerdict::None,
            },
            // A question also ends like this. Only `name=` shows that a query starts.
            b'?' if !run.contains(&b'=') => LiteralVerdict::Unsure,
            _ => self.joined(run),
        }
    }

    /// Decides if neither literal shows that the URI ends.
    fn joined(&self, run: &[u8]) -> LiteralVerdict {
        if self.gap.joint == LiteralJoint::Operator {
            return LiteralVerdict::GoesOn;
        }
        let last = self.haystack.part(..self.quote).last().copied().unwrap_or_default();
        let first = self.text.first().copied().unwrap_or_default();
        // The second literal ends here, or a delimiter in it closes the URI.
        let text = self.text.part(..self.close.unwrap_or(self.text.len()));
        let ends = text.part(run.len()..).trim_ascii().is_empty()
            || matches!(self.text.get(run.len()), Some(b')' | b']' | b'}' | b'>' | b'<' | b'\\'));
        let is_name =
            !run.iter().all(u8::is_ascii_alphanumeric) || run.iter().all(u8::is_ascii_digit);
        // No text ends in half of a triplet, so the literal was cut in it.
        let is_cut_triplet = matches!(self.haystack.part(..self.quote), [.., b'%', digit] if digit.is_ascii_hexdigit())
            && first.is_ascii_hexdigit();
        match last {
            _ if is_cut_triplet => LiteralVerdict::GoesOn,
            // A file and its name
            _ if self.may_end_argument()
                && last.is_ascii_alphanumeric()
                && (first.is_ascii_alphanumeric() || first == b'$') =>
            {
                LiteralVerdict::None
            }
            _ if matches!(first, b'$' | 0x80..) || self.may_end_argument() => {
                LiteralVerdict::Unsure
            }
            b'/' | b'+' | b'~' | b'@' | b'.' | b',' | b';' | b':' | b'!' => {
                let continues = last == b'/' && self.row == LiteralRow::Joined;
                if is_name || ends || continues || self.is_filled_catalogue() {
                    LiteralVerdict::GoesOn
                } else {
                    LiteralVerdict::Unsure
                }
            }
            // No list has items that end so; each of these needs more of a URI after it.
            b'?' | b'&' | b'=' | b'-' | b'_' | b'%' | b'#' => LiteralVerdict::GoesOn,
            // The next item of a list, or an option of a command.
            _ if first == b'-' && !looks_like_rest(run) => LiteralVerdict::Unsure,
            _ if b"/?&=#%_-.~+:".contains(&first) => LiteralVerdict::GoesOn,
            // Either a word that was cut, or two words of a list. Only a full line of a sentence
            // with a likely rest is certain enough.
            _ => {
                let is_sentence =
                    self.opened.is_some_and(|at| self.line.part(at + 1..).contains(&b' '));
                let is_cut = is_long(self.haystack, self.start, self.quote);
                match (is_sentence && is_cut && looks_like_rest(run), is_name || ends) {
                    (true, _) => LiteralVerdict::GoesOn,
                    (false, true) => LiteralVerdict::Unsure,
                    (false, false) if self.row == LiteralRow::Joined => LiteralVerdict::Unsure,
                    (false, false) => LiteralVerdict::None,
                }
            }
        }
    }

    /// True if the backslash between the literals may belong to a shell command, whose arguments
    /// they are. The first literal has no space, and is not part of an expression or a macro.
    fn may_end_argument(&self) -> bool {
        let Some(opened) = self.opened else {
            return false;
        };
        let before = self.line.part(..opened).trim_ascii();
        let in_expression = before.ends_with(b"return")
            || before.starts_with(b"#")
            || before.last().is_some_and(|b| b"=([{+".contains(b));
        self.row == LiteralRow::First
            && self.gap.joint == LiteralJoint::Backslash
            && !self.line.part(opened + 1..).contains(&b' ')
            && !in_expression
    }

    /// True if the literals are elements of a shell array.
    fn is_in_array_of_shell(&self) -> bool {
        self.gap.joint != LiteralJoint::Operator
            && self.row != LiteralRow::Joined
            && shell_array::is_open(self.haystack.part(..self.start))
    }

    /// True if the first literal follows a symbol in a list of Lisp, where two strings are two
    /// elements: `(name "…"`.
    fn is_in_list_of_lisp(&self) -> bool {
        let Some(opened) = self.opened else { return false };
        let before = self.line.part(..opened);
        let text = before.trim_ascii_start();
        let Some(inside) = text.strip_prefix(b"(").or_else(|| text.strip_prefix(b"'(")) else {
            return false;
        };
        let symbol = inside.leading(|b| b.is_ascii_alphanumeric() || b"-*+/<>=!?:.".contains(&b));
        symbol > 0
            && inside.get(symbol) == Some(&b' ')
            && !inside.iter().any(|b| b",;=".contains(b))
    }

    /// True if both literals are a pair of Lisp, `("…" . "…")`. Perl and PHP append with the same
    /// sign, but in an expression, whose line has a `$`, a `;` or a name before the parenthesis.
    fn is_pair_of_lisp(&self) -> bool {
        // A quote of Lisp, `'(`, opens no literal, so only the mark before the URI counts.
        let Some(before) = self.line.strip_suffix(b"\"") else { return false };
        let between = self.haystack.part(self.quote + 1..self.gap.open);
        let [first, .., last] = between else { return false };
        let is_spaced = first.is_ascii_whitespace() && last.is_ascii_whitespace();
        let Some(before) = before.trim_ascii_end().strip_suffix(b"(") else { return false };
        let after = self.after_close().unwrap_or_default();
        is_spaced
            && between.trim_ascii() == b"."
            && before.last().is_none_or(|b| b.is_ascii_whitespace() || b"('`)".contains(b))
            && matches!(after, [b')'] | [b')', b')' | b'(' | b' ' | b'\t', ..])
            && !self.line.contains(&b'$')
            && !after.iter().any(|b| b"$;{".contains(b))
    }

    /// Returns the text after the second literal in its line.
    fn after_close(&self) -> Option<&'h [u8]> {
        Some(self.text.part(self.close? + 1..).trim_ascii())
    }

    /// True if the second literal is not appended itself, but the object of a call:
    /// `'/storage/' + '/'.join(names)`.
    fn calls_method(&self) -> bool {
        let after = self.after_close().unwrap_or_default();
        self.gap.joint == LiteralJoint::Operator && after.starts_with(b".join(")
    }

    /// True if the text after the second literal shows that it is a key, or another cell of a
    /// table.
    fn is_other_field(&self) -> bool {
        let Some(after) = self.after_close() else {
            return false;
        };
        // The full stop of Smalltalk, which ends a statement, looks like an operator of Perl.
        if after.starts_with(b"->") || after.starts_with(b"=>") {
            return true;
        }
        if self.gap.joint == LiteralJoint::Operator {
            return false;
        }
        match after {
            [] => false,
            [b':' | b'=', ..] => true,
            // Code aligns what it appends. At the start of a line, more text after the literal is
            // the next cell of a row.
            _ if self.gap.column == LiteralColumn::Indented => false,
            _ => after.leading(|b| b"),;]}\\+.".contains(&b)) < after.len(),
        }
    }

    /// True if both lines belong to a gettext catalogue and the first is full. gettext wrapped a
    /// single text there.
    fn is_filled_catalogue(&self) -> bool {
        let label = self.opened.map(|at| self.line.part(..at));
        let is_label = |label: &[u8]| {
            let label = [&b"#~| "[..], b"#~ ", b"#| "]
                .iter()
                .find_map(|mark| label.strip_prefix(*mark))
                .unwrap_or(label);
            label.is_empty() || label.starts_with(b"msg")
        };
        let ends =
            self.close.is_some_and(|close| matches!(self.text.part(close + 1..), [] | [b'\r', ..]));
        self.gap.joint == LiteralJoint::Break
            && self.gap.column == LiteralColumn::First
            && label.is_some_and(is_label)
            && ends
            && is_long(self.haystack, self.start, self.quote)
    }
}

/// True if a literal starts with the line break of a format, `~n` of Erlang or `~%` of Lisp. In
/// front of a letter, `~n` is the start of a user's name.
fn starts_format_break(text: &[u8]) -> bool {
    match text {
        [b'~', b'%', ..] => true,
        [b'~', b'n', after @ ..] => !after.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    }
}

/// True if `text` starts with a scheme of the registry, also without `//`: another URI.
fn starts_scheme(text: &[u8]) -> bool {
    let name = text.clamped(..MAX_SCHEME_BYTES).leading(is_scheme_byte);
    text.get(name) == Some(&b':') && registry::is_scheme(text.part(..name))
}

/// True for characters that continue a URI in the next literal. Excludes those that close a bracket
/// or end a sentence.
fn is_rest(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/?&=%_#.-~+:@$*{}".contains(&byte)
}

/// Returns the end of a literal; `line` is the rest of its line after the opener.
fn closing(line: &[u8], mark: u8) -> Option<usize> {
    let mut i = 0;
    while let Some(&byte) = line.get(i) {
        match byte {
            b'\\' => i += 1,
            _ if byte == mark => return Some(i),
            _ => {}
        }
        i += 1;
    }
    None
}
