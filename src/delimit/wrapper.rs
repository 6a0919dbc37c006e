//! Reads the text before a scheme: wrappers, prefixes, and marks (D3).

use core::cell::OnceCell;

use super::colour::{self, OpenedStyles};
use super::escape::EscapeDialect;
use super::literal;
use super::run::{BracketRule, MarkRule};
use super::table;
use super::text_view::last_char;
use super::value;
use crate::grammar::table::is_uri_byte;
use crate::kind::Wrapper;
use crate::scan::is_prefix;
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of a row of emphasis marks.
const MAX_MARKS_BYTES: usize = 16;

/// Bytes before a scheme that are searched for an opener or a line prefix (D3.4).
pub(crate) const LOOKBACK: usize = 256;

/// Whether the author delimited the URI exactly (D3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrapperEdge {
    Exact,
    Open,
}

impl WrapperEdge {
    #[inline(always)]
    pub fn exact_if(exact: bool) -> Self {
        if exact { Self::Exact } else { Self::Open }
    }
}

/// The text before a candidate, read from its scheme to the left.
#[derive(Clone, Debug)]
pub(crate) struct WrapperContext<'h> {
    pub wrapper: Wrapper,
    pub edge: WrapperEdge,
    pub closers: &'static [char],
    /// Marks directly before the scheme, outermost first (D3.7).
    pub marks: &'h [u8],
    /// Up to [`LOOKBACK`] bytes before the scheme.
    pub before: &'h [u8],
    /// The `<` that opened, and whether it contains `URL:` or `URI:`.
    pub angle: Option<OpeningAngle>,
    // These four are rarely needed and cost a search each, so they are computed on first use.
    dialect: OnceCell<EscapeDialect>,
    in_table: OnceCell<bool>,
    in_outer_query: OnceCell<bool>,
    literal: OnceCell<OpenLiteral>,
}

/// The literal that the quotation marks earlier in the line left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenLiteral {
    None,
    /// Opened by this quotation mark.
    By(u8),
    /// The line starts too far away to decide.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OpeningAngle {
    pub at: usize,
    /// True if `URL:` or `URI:` is between it and the scheme.
    pub has_prefix: bool,
}

/// Returns the context of the scheme at `haystack[at]`.
pub(crate) fn before(haystack: &[u8], at: usize) -> WrapperContext<'_> {
    let floor = at.saturating_sub(LOOKBACK);
    let text = haystack.part(floor..at);
    let (outer, has_prefix) = strip_prefix(text);
    let mut context = WrapperContext {
        wrapper: Wrapper::None,
        edge: WrapperEdge::Open,
        closers: &[],
        marks: &[],
        before: text,
        angle: None,
        dialect: OnceCell::new(),
        in_table: OnceCell::new(),
        in_outer_query: OnceCell::new(),
        literal: OnceCell::new(),
    };
    if outer.last() == Some(&b'<') {
        let at = floor + outer.len() - 1;
        context.angle = Some(OpeningAngle { at, has_prefix });
        context.open(Wrapper::Angle, WrapperEdge::Exact, &['>']);
    } else if has_prefix {
        context.wrapper = Wrapper::Prefix;
        // D3.6: an opener on another line does not wrap this URI.
        if !text.part(outer.len()..).contains(&b'\n') {
            context.opener(outer);
        }
    } else if tex_group(text) {
        let edge = WrapperEdge::exact_if(url_command(text));
        context.open(Wrapper::Brace, edge, &['}']);
    } else {
        context.marks = marks(text);
        context.opener(text.part(..text.len() - context.marks.len()));
    }
    context
}

/// D1.5: true if `<URL:` or `<URI:` precedes `haystack[at]`, so that any scheme is accepted.
pub(crate) fn announces(haystack: &[u8], at: usize) -> bool {
    let text = haystack.part(at.saturating_sub(LOOKBACK)..at);
    let (outer, has_prefix) = strip_prefix(text);
    has_prefix && outer.ends_with(b"<")
}

impl WrapperContext<'_> {
    /// D2.4: returns the dialect of escapes in the URI. Computed only if there is a backslash.
    pub fn dialect(&self) -> EscapeDialect {
        *self.dialect.get_or_init(|| dialect(self.before))
    }

    /// D2.4: returns the colours and styles that terminal sequences directly before the URI turned
    /// on.
    pub fn style(&self) -> OpenedStyles {
        colour::before(self.before)
    }

    /// D2.3: true if a bar before the URI separates columns.
    pub fn in_table(&self) -> bool {
        *self.in_table.get_or_init(|| table::has_bar(self.before))
    }

    /// D4.7: true if the URI is the value of a parameter in a relative reference,
    /// `/p?u=http://x/&b=1`.
    pub fn in_outer_query(&self) -> bool {
        *self.in_outer_query.get_or_init(|| opens_parameter(self.before))
    }

    /// D2.4: true if a `"` may be open before the URI in its line.
    pub fn in_string(&self) -> bool {
        matches!(self.literal(), OpenLiteral::By(b'"') | OpenLiteral::Unknown)
    }

    /// D4.8: true if a shell puts a variable in quotation marks after the URI, where `rest` starts:
    /// `http://a.example/"$x"`.
    pub fn takes_variable(&self, rest: &[u8]) -> bool {
        matches!(rest, [b'"', after @ ..] if value::is_variable(after))
            && !self.is_quote()
            && !self.in_string()
    }

    /// D3.6: true if the URI is in `'…'` that opened earlier in its line.
    pub fn in_apostrophes(&self) -> bool {
        match self.literal() {
            OpenLiteral::By(mark) => mark == b'\'',
            OpenLiteral::None => false,
            OpenLiteral::Unknown => opens_string(self.before),
        }
    }

    /// D3.6: true if a `"` closes a string that opened before the apostrophe around the URI:
    /// `"href='http://a.example/"+id+"'"`.
    pub fn is_in_outer_string(&self) -> bool {
        self.closers == ['\''] && self.literal() == OpenLiteral::By(b'"')
    }

    fn literal(&self) -> OpenLiteral {
        *self.literal.get_or_init(|| {
            let line = match memchr::memrchr(b'\n', self.before) {
                Some(at) => self.before.part(at + 1..),
                // Treating it as open is the safe side: a `"` then ends the URI and is not taken
                // for a part of it (D2.4).
                None if self.before.len() == LOOKBACK => return OpenLiteral::Unknown,
                None => self.before,
            };
            literal::open_mark(line).map_or(OpenLiteral::None, OpenLiteral::By)
        })
    }

    /// D2.2, D3.8: returns whether non-ASCII marks are part of the URI.
    pub fn marks_rule(&self) -> MarkRule {
        match (self.edge, self.closers) {
            (WrapperEdge::Exact, _) | (_, ['"' | '\'']) => MarkRule::Stay,
            _ => MarkRule::End,
        }
    }

    /// D3.6: true if the closer ends the URI wherever it is.
    pub fn is_quote(&self) -> bool {
        matches!(self.wrapper, Wrapper::Quote | Wrapper::Backtick)
    }

    /// Returns how many bytes before the scheme the opener starts, including a prefix `URL:` in
    /// between.
    pub fn opener_length(&self) -> usize {
        let (outer, _) = strip_prefix(self.before);
        let between = self.before.part(outer.len()..);
        match self.wrapper {
            Wrapper::Prefix => between.trim_ascii_start().len(),
            _ => self.before.len().min(between.len() + 1),
        }
    }

    /// D3.7: true if `text` starts with the marks before the scheme in reverse order.
    pub fn marks_start(&self, text: &[u8]) -> bool {
        let head = text.clamped(..self.marks.len());
        !self.marks.is_empty() && head.iter().eq(self.marks.iter().rev())
    }

    /// D3.8, D4.2: in attributes, `<…>`, and `\url{…}`, an unpaired bracket was written on purpose.
    pub fn brackets(&self) -> BracketRule {
        match (self.edge, self.wrapper, self.closers) {
            (WrapperEdge::Exact, Wrapper::Quote | Wrapper::Angle | Wrapper::Brace, &[closer]) => {
                BracketRule::Free { closer }
            }
            _ => BracketRule::Pair,
        }
    }

    /// D3.8: true if a command of TeX or a field of BibTeX opened the brace before the scheme.
    pub fn is_tex(&self) -> bool {
        tex_group(self.before)
    }

    /// D3.8: true if the attribute before the scheme contains exactly one URI, so that a space
    /// belongs to it. `srcset` and `title` contain more.
    pub fn holds_one_uri(&self) -> bool {
        self.attribute().is_some_and(|name| {
            name.eq_ignore_ascii_case(b"href") || name.eq_ignore_ascii_case(b"src")
        })
    }

    /// D3.6: true if the attribute before the scheme contains pairs of URIs (XML Schema, part 1,
    /// §2.6.3) or a list, so that a line break in it ends a URI.
    pub fn holds_many(&self) -> bool {
        self.attribute().is_some_and(|name| {
            let local = name.rsplit(|&b| b == b':').next().unwrap_or_default();
            [&b"schemaLocation"[..], b"ping"].iter().any(|list| local.eq_ignore_ascii_case(list))
        })
    }

    /// Returns the name of the attribute whose value starts with the URI.
    fn attribute(&self) -> Option<&[u8]> {
        let quoted = self.before.strip_suffix(b"=\"");
        let before = quoted.or_else(|| self.before.strip_suffix(b"='"))?;
        before.rsplit(u8::is_ascii_whitespace).next()
    }

    fn open(&mut self, wrapper: Wrapper, edge: WrapperEdge, closers: &'static [char]) {
        self.wrapper = wrapper;
        self.edge = edge;
        self.closers = closers;
    }

    /// D3.6, D3.7: sets the wrapper from the character that ends `text`.
    fn opener(&mut self, text: &[u8]) {
        let Some(opener) = last_char(text) else {
            return self.marked();
        };
        let before = text.len().checked_sub(1 + opener.len_utf8()).and_then(|at| text.get(at));
        let exact_after = |sign| WrapperEdge::exact_if(before == Some(&sign));
        let (wrapper, edge, closers): (_, _, &'static [char]) = match opener {
            '"' => (Wrapper::Quote, exact_after(b'='), &['"']),
            '\'' => (Wrapper::Quote, exact_after(b'='), &['\'']),
            '`' => (Wrapper::Backtick, WrapperEdge::Open, &['`']),
            // Languages use these marks in opposite roles (`“…”`, `„…“`, `»…«`, `”…”`), so several
            // closers are accepted for most openers.
            '“' | '”' => (Wrapper::Quote, WrapperEdge::Open, &['”', '“']),
            '‘' => (Wrapper::Quote, WrapperEdge::Open, &['’']),
            '„' | '‚' => (Wrapper::Quote, WrapperEdge::Open, &['“', '”', '‘', '’']),
            '«' => (Wrapper::Quote, WrapperEdge::Open, &['»']),
            '»' => (Wrapper::Quote, WrapperEdge::Open, &['«', '»']),
            '‹' | '›' => (Wrapper::Quote, WrapperEdge::Open, &['›', '‹']),
            '「' => (Wrapper::Quote, WrapperEdge::Open, &['」']),
            '『' => (Wrapper::Quote, WrapperEdge::Open, &['』']),
            // D3.8: in Markdown's `](…)` the author delimited the destination. Elsewhere a
            // parenthesis is a remark in prose.
            '(' => (Wrapper::Paren, exact_after(b']'), &[')']),
            '[' => (Wrapper::Bracket, WrapperEdge::Open, &[']']),
            '{' => (Wrapper::Brace, WrapperEdge::Open, &['}']),
            // A substitution of reST, `|uri|`, or a column: both end at the next bar.
            '|' => (Wrapper::Emphasis, WrapperEdge::Open, &['|']),
            _ => return self.marked(),
        };
        self.open(wrapper, edge, closers);
    }

    /// Sets the wrapper if only marks precede the scheme.
    fn marked(&mut self) {
        if !self.marks.is_empty() {
            self.wrapper = Wrapper::Emphasis;
        }
    }
}

/// True if the last apostrophe in `before` opens a string of a program, because an operator or a
/// bracket precedes it. The start of the line is too far away to count them.
fn opens_string(before: &[u8]) -> bool {
    const BEFORE: &[u8] = b"=+(,:[?";
    let Some(at) = memchr::memrchr(b'\'', before) else { return false };
    match before.part(..at) {
        // It closes a string of one mark, `split(',')`.
        [.., a, b'\'', b] if BEFORE.contains(a) && BEFORE.contains(b) => false,
        [.., b] => BEFORE.contains(b) && before.len() > at + 1,
        [] => false,
    }
}

/// D3.7: true if a row of `count` marks after a URI, stars or underscores, closes an emphasis that
/// opened in its line or, for two, at the start of an earlier line of the paragraph. `before` is
/// the text before the scheme.
pub(crate) fn opens_emphasis(before: &[u8], mark: u8, count: usize) -> bool {
    if count == 0 {
        return false;
    }
    let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    opens_in_line(before.part(line..), mark, count)
        || count == 2 && opens_in_paragraph(before.part(..line), mark)
}

/// As in Markdown, an opening row follows white space or a bracket and precedes a word. A closing
/// row directly follows a word. A bullet is neither, and an underscore inside a word is not a
/// wrapper.
fn opens_in_line(line: &[u8], mark: u8, count: usize) -> bool {
    let mut open = false;
    for (at, row) in rows(line, mark) {
        let previous = line.part(..at).last().copied().unwrap_or(b' ');
        let next = line.get(at + row).copied().unwrap_or(b'x');
        let is_inside = mark == b'_' && is_word(previous) && is_word(next) && at + row < line.len();
        if row != count || is_inside {
            continue;
        }
        let starts_word = previous.is_ascii_whitespace() || b"([{<\"'|>_*".contains(&previous);
        open = if open {
            previous.is_ascii_whitespace()
        } else {
            starts_word && !next.is_ascii_whitespace()
        };
    }
    open
}

/// True if two marks at the start of one of `lines` opened an emphasis that none of them closes.
/// Elsewhere in an earlier line, such marks may be an operator or a pattern.
fn opens_in_paragraph(lines: &[u8], mark: u8) -> bool {
    let start = crate::memmem::rfind(lines, b"\n\n").map_or(0, |at| at + 2);
    let text = lines.part(start..);
    let mut pairs = rows(text, mark).filter(|&(_, row)| row == 2);
    let Some((first, _)) = pairs.next() else { return false };
    let indent = text.part(..first).trailing(|b| matches!(b, b' ' | b'\t' | b'>'));
    matches!(text.part(..first - indent).last(), None | Some(b'\n'))
        // `** ` is a bullet of Org or AsciiDoc.
        && text.get(first + 2) != Some(&b' ')
        && pairs.count() % 2 == 0
}

/// Returns the offset and length of each row of `mark`.
fn rows(text: &[u8], mark: u8) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    core::iter::from_fn(move || {
        let at = from + memchr::memchr(mark, text.part(from..))?;
        let row = text.part(at..).leading(|b| b == mark);
        from = at + row;
        Some((at, row))
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Returns `text` without a trailing `URL:` or `URI:` and the space around it, and whether there
/// was one.
///
/// Space may separate the prefix from an opener before it, and a scheme from a `<`.
fn strip_prefix(text: &[u8]) -> (&[u8], bool) {
    let inner = trim_space_end(text);
    match inner.split_last_chunk() {
        Some((before, word))
            if is_prefix(word) && !before.last().is_some_and(u8::is_ascii_alphanumeric) =>
        {
            (trim_space_end(before), true)
        }
        _ if inner.last() == Some(&b'<') => (inner, false),
        _ => (text, false),
    }
}

/// D3.1: drops trailing white space, unless it contains more than one line break.
fn trim_space_end(text: &[u8]) -> &[u8] {
    let inner = text.trim_ascii_end();
    let space = text.part(inner.len()..);
    if space.iter().filter(|&&b| b == b'\n').count() > 1 { text } else { inner }
}

/// Returns the row of `*`, `_`, `~`, and `+` at the end of `text`.
///
/// A lone `~` or `=` marks code and verbatim text in Org, and `@` marks code in Haddock. They count
/// only after white space or an opener, as in those formats. Elsewhere they are a home directory,
/// an assignment, or a part of an address.
fn marks(text: &[u8]) -> &[u8] {
    let length = text.tail(MAX_MARKS_BYTES).trailing(|b| matches!(b, b'*' | b'_' | b'~' | b'+'));
    match text {
        // AsciiDoc's passthrough
        [.., b'$', b'$'] => text.tail(2),
        [before @ .., b'~' | b'=' | b'@'] if length < 2 => {
            let opens =
                before.last().is_none_or(|&b| b.is_ascii_whitespace() || b"([{'\"".contains(&b));
            text.tail(usize::from(opens))
        }
        _ => text.tail(length),
    }
}

/// True if `before` ends in a path, a query, and the `=` of a parameter, without scheme and
/// authority.
fn opens_parameter(before: &[u8]) -> bool {
    if before.last() != Some(&b'=') {
        return false;
    }
    let ends = |b: u8| b.is_ascii_whitespace() || b"\"'`<>()[]{}|,;".contains(&b);
    let token = before.tail(before.trailing(|b| !ends(b)));
    let mut parts = token.splitn(2, |&b| b == b'?');
    let path = parts.next().unwrap_or_default();
    // A colon means a scheme before the path, and the outer URI is a candidate of its own.
    let is_path = path.iter().all(|&b| is_uri_byte(b) && b != b':');
    !path.is_empty() && is_path && parts.next().is_some()
}

/// D2.4: returns the dialect of escapes in a URI after `before`.
pub(super) fn dialect(before: &[u8]) -> EscapeDialect {
    if before.ends_with(b"](") || defines(before) {
        return EscapeDialect::Markdown;
    }
    let mut depth = 0usize;
    // Backwards over balanced groups to the brace that is still open: its command decides.
    for at in memchr::memrchr2_iter(b'{', b'}', before) {
        match before.get(at) {
            Some(b'}') => depth += 1,
            _ if depth > 0 => depth -= 1,
            _ => {
                let (opener, inside) = before.split_at(at + 1);
                // The group starts with a command: a font in TeX, or a group of RTF.
                let starts_command =
                    matches!(inside, [b'\\', next, ..] if next.is_ascii_alphabetic());
                if tex_group(opener) || starts_command {
                    return EscapeDialect::Tex;
                }
                break;
            }
        }
    }
    if is_troff(before) {
        return EscapeDialect::Troff;
    }
    let newline = memchr::memrchr(b'\n', before);
    let line = newline.map_or(before, |at| before.part(at + 1..));
    match literal::open_mark(line) {
        Some(_) => EscapeDialect::String,
        None if newline.is_none() && before.len() == LOOKBACK => EscapeDialect::LongLine,
        None => EscapeDialect::Plain,
    }
}

/// D2.4: true if `text` looks like a man page: a request such as `.SH` starts a line, or a font, a
/// hyphen, or a break of troff is in it.
fn is_troff(text: &[u8]) -> bool {
    let is_request = |line: &[u8]| {
        let Some(name) = line.strip_prefix(b".") else { return false };
        let (name, after) = name.split_at(name.clamped(..3).leading(|b| b.is_ascii_alphabetic()));
        match name {
            [] => after.starts_with(b"\\\""),
            [_, _] | [b'A'..=b'Z'] => {
                // Not the selector of a style sheet, `.hd {`
                let space = after.leading(|b| b.is_ascii_whitespace() && b != b'\n');
                after.first().is_none_or(u8::is_ascii_whitespace) && after.get(space) != Some(&b'{')
            }
            _ => false,
        }
    };
    let is_escape = |at: usize| match text.part(at + 1..) {
        [b'f', b'B' | b'I' | b'R' | b'P' | b'1'..=b'5' | b'(' | b'[', ..] => true,
        [b'-', next, ..] => next.is_ascii_alphanumeric() || matches!(next, b'-' | b'\\'),
        [b':' | b'%' | b'&'] => true,
        _ => false,
    };
    is_request(text)
        || memchr::memchr_iter(b'\n', text).any(|at| is_request(text.part(at + 1..)))
        || may_have_escape(text) && memchr::memchr_iter(b'\\', text).any(is_escape)
}

/// False only for a text without an escape that [`is_troff`] looks for. A list of URIs with `\_`
/// has dozens of backslashes in front of each, so they are first tested without a branch, in
/// vectors.
fn may_have_escape(text: &[u8]) -> bool {
    let starts = |(&mark, &next): (&u8, &u8)| (mark == b'\\') & ((next == b'f') | (next == b'-'));
    let pairs = text.iter().zip(text.get(1..).unwrap_or_default());
    text.ends_with(b"\\:")
        || text.ends_with(b"\\%")
        || text.ends_with(b"\\&")
        || pairs.fold(false, |found, pair| found | starts(pair))
}

/// True if `text` ends in the label of a Markdown definition, `[label]: `, at the start of its
/// line.
fn defines(text: &[u8]) -> bool {
    let Some(label) = text.trim_ascii_end().strip_suffix(b"]:") else {
        return false;
    };
    if memchr::memchr(b'\n', text.part(label.len()..)).is_some() {
        return false;
    }
    let line = memchr::memrchr(b'\n', label).map_or(label, |at| label.part(at + 1..));
    let label = line.trim_ascii_start();
    label.len() > 1 && label.starts_with(b"[")
}

/// True if `text` ends in a `{` that a TeX command or a BibTeX field opened, or in `{\tt `.
fn tex_group(text: &[u8]) -> bool {
    if text.ends_with(b"\\tt ") || text.ends_with(b"\\tt{") {
        return true;
    }
    let Some(before) = before_group(text) else {
        return false;
    };
    if let Some(field) = before.trim_ascii_end().strip_suffix(b"=") {
        return field.trim_ascii_end().last().is_some_and(u8::is_ascii_alphabetic);
    }
    command(before).is_some()
}

/// D3.8: true if `text` ends in `\url{`, `\href{`, or the like.
fn url_command(text: &[u8]) -> bool {
    let Some(before) = before_group(text) else {
        return false;
    };
    matches!(command(before), Some(b"url" | b"href" | b"nolinkurl" | b"path"))
}

/// Returns the text before the `{` that ends `text`, and before an option in brackets.
fn before_group(text: &[u8]) -> Option<&[u8]> {
    let before = text.strip_suffix(b"{")?;
    let inside = before.strip_suffix(b"]");
    // `\href[options]{` of hyperref.
    let option = inside.and_then(|inside| memchr::memrchr(b'[', inside));
    Some(option.map_or(before, |option| before.part(..option)))
}

/// Returns the name of the TeX command at the end of `text`.
fn command(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_suffix(b"*").unwrap_or(text);
    let letters = text.trailing(|b| b.is_ascii_alphabetic());
    let (before, name) = text.split_at(text.len() - letters);
    (letters > 0 && before.last() == Some(&b'\\')).then_some(name)
}
