//! Interprets backslashes in a run (D2.4).

use super::escape_troff::{
    font_within_word, glyph, has_hyphen, inside_run, is_break, is_quote_string,
};
use super::text_view::first_char;
use super::uri_rest::{has_extension, looks_like_rest};
use super::{escape_code, escape_tex};
use crate::chunk;
use crate::grammar::table::is_uri_byte;
use crate::slice::{ByteRuns, SliceExt};
use crate::work_counter;

/// Maximum length of a name after a backslash, or of a file that ends a URI before one.
const MAX_NAME_BYTES: usize = 64;

/// The format whose escapes a text uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EscapeDialect {
    /// Any text: `\u0026`, and troff's hyphens.
    #[default]
    Plain,
    /// The source of a man page, in which `\:` and the like are nothing.
    Troff,
    /// JSON with `/` written as `\/`.
    Json,
    /// The argument of a TeX command.
    Tex,
    /// The destination of a Markdown link or definition.
    Markdown,
    /// A Java properties file, which escapes the colon of the scheme: `http\://`.
    Properties,
    /// A string of a program or of JSON that opened earlier in the line.
    String,
    /// Unknown, because the line starts too far away. Lines of this length are programs and data.
    LongLine,
}

/// The part of a URI in which an escape occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeZone {
    /// In the scheme or the authority.
    Host,
    /// In the path, query or fragment.
    Rest,
    /// After a scheme without `//`, whose syntax may use backslashes itself.
    Opaque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeMeaning {
    Char {
        char: char,
        width: usize,
    },
    Nothing {
        width: usize,
    },
    Hard,
    /// The URI continues in a way that cannot be decoded.
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlashSpelling {
    Plain,
    Escaped(EscapeDialect),
    None,
}

/// Classifies the slashes at the start of `rest`, the text after a colon.
#[inline]
pub(crate) fn slashes(rest: &[u8]) -> SlashSpelling {
    match rest {
        [b'/', b'/', ..] => SlashSpelling::Plain,
        [b'\\', ..] | [b'/', b'\\', ..] => escaped_slashes(rest),
        _ => SlashSpelling::None,
    }
}

fn escaped_slashes(rest: &[u8]) -> SlashSpelling {
    let (mut at, mut found, mut dialect) = (0, 0, EscapeDialect::Plain);
    // A row of troff breaks may stand between the slashes; 32 bytes bound the work per colon.
    while found < 2 && at < 32 {
        match rest.get(at) {
            Some(b'/') => (at, found) = (at + 1, found + 1),
            Some(b'\\') => match read(rest, at, EscapeDialect::Json, EscapeZone::Host) {
                EscapeMeaning::Char { char: '/', width } => {
                    (at, found) = (at + width, found + 1);
                    // Not a slash that is written by its code.
                    if rest.get(at + width - 1) == Some(&b'/') {
                        dialect = EscapeDialect::Json;
                    }
                }
                EscapeMeaning::Nothing { width } => at += width,
                _ => return SlashSpelling::None,
            },
            _ => return SlashSpelling::None,
        }
    }
    match found {
        2 => SlashSpelling::Escaped(dialect),
        _ => SlashSpelling::None,
    }
}

/// Position of the next backslash, cached. It may be far away with many candidates before it, and
/// each would search that text again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NextBackslash {
    /// `from..at` contains no backslash.
    from: usize,
    at: usize,
}

impl NextBackslash {
    /// Returns the first backslash at or after `from`, or the end of the text.
    pub fn find(&mut self, haystack: &[u8], from: usize) -> usize {
        if !(self.from..=self.at).contains(&from) {
            *self = Self { from, at: from };
        }
        let rest = haystack.clamped(self.at..);
        if rest.first() != Some(&b'\\') {
            let skipped = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
            work_counter::add(skipped);
            self.at += skipped;
        }
        self.at.min(haystack.len())
    }
}

/// True if `rest`, the text after a colon, starts with two slashes in any spelling.
#[cfg(feature = "search")]
pub(crate) fn has_slashes(rest: &[u8]) -> bool {
    slashes(rest) != SlashSpelling::None
}

/// Interprets the backslash at `text[at]`, directly after a URI character.
pub(crate) fn read(
    text: &[u8],
    at: usize,
    dialect: EscapeDialect,
    zone: EscapeZone,
) -> EscapeMeaning {
    let rest = text.part(at + 1..);
    let two = |char| EscapeMeaning::Char { char, width: 2 };
    let row = rest.clamped(..MAX_ROW_LENGTH).leading(|b| b == b'\\');
    if row > 1 {
        return in_row(text, at, row, dialect, zone);
    }
    match (dialect, rest) {
        // Strings of troff. pod2man defines those of quotation marks, which follow a URI; any other
        // string could expand to anything, so the URI is unreadable.
        (_, [b'*', string @ ..]) if is_quote_string(string) => EscapeMeaning::Hard,
        // A backslash at the end of a line continues it in C, shells, and makefiles. If the next
        // line looks like the rest of the URI, the part before it is only half.
        (_, [b'\n', next @ ..] | [b'\r', b'\n', next @ ..]) => {
            if starts_rest(next) && !starts_argument(text.part(..at), next) {
                EscapeMeaning::Unreadable
            } else {
                EscapeMeaning::Hard
            }
        }
        // Two backslashes end a row of TeX, so only an indented rest shows that the line continues.
        (_, [b'\\', b'\n', next @ ..] | [b'\\', b'\r', b'\n', next @ ..])
            if starts_indented_rest(next) =>
        {
            EscapeMeaning::Unreadable
        }
        (_, [b'*', ..]) => EscapeMeaning::Unreadable,
        // JSON inside a string of JSON
        (EscapeDialect::Json, [b'\\', b'/', ..]) => EscapeMeaning::Char { char: '/', width: 3 },
        (_, [b'\\', code @ ..]) if let Some(meaning) = nested_code(code, 2, dialect, zone) => {
            meaning
        }
        // Markdown in a string of JSON, which escapes the backslash of Markdown's escape
        (_, [b'\\', c @ (b'_' | b'#' | b'~'), next, ..])
            if zone == EscapeZone::Rest && is_uri_byte(*next) =>
        {
            EscapeMeaning::Char { char: char::from(*c), width: 3 }
        }
        (_, [b'\\', b'@', ..]) => EscapeMeaning::Unreadable,
        // The address of another machine: `?page=\\10.0.0.1\share`
        (_, [b'\\', b'0'..=b'9', ..]) if text.part(..at).last() == Some(&b'=') => {
            EscapeMeaning::Unreadable
        }
        // A backslash that a program's string itself escapes: a regular expression, most likely.
        (_, [b'\\', b'?' | b'.' | b'+' | b'*' | b'(' | b'[' | b'{' | b'^' | b'$' | b'/', ..]) => {
            EscapeMeaning::Unreadable
        }
        // Troff prints `\e` as a backslash. The example in the man page continues in the next line,
        // as a shell would.
        (_, [b'e', b'\n', ..] | [b'e', b'\r', b'\n', ..]) => EscapeMeaning::Unreadable,
        (_, [letter, ..])
            if (*letter != b'x' || zone != EscapeZone::Opaque)
                && let Some(meaning) = escape_code::read(rest, 1) =>
        {
            meaning
        }
        (EscapeDialect::Json, [b'/', ..]) => two('/'),
        (EscapeDialect::Markdown, [c, ..]) if c.is_ascii_punctuation() && *c != b'\\' => {
            two(char::from(*c))
        }
        (EscapeDialect::Properties, [c @ (b':' | b'=' | b'#' | b'!'), ..]) => two(char::from(*c)),
        (EscapeDialect::Tex, _) if let Some(meaning) = escape_tex::character(text.part(at..)) => {
            meaning
        }
        // A mark of mathematics. Of these, a URI has only the tilde.
        (EscapeDialect::Tex, _) if text.part(..at).ends_with(b"$") => {
            match escape_tex::group(text.part(at - 1..)) {
                Some(EscapeMeaning::Char { char, width }) => {
                    EscapeMeaning::Char { char, width: width - 1 }
                }
                _ => EscapeMeaning::Unreadable,
            }
        }
        // Troff's names of characters, and of a break without a hyphen
        (_, [b'(' | b'[', ..]) if let Some(meaning) = glyph(rest) => meaning,
        // A font of troff that changes within a URI shows a name to fill in: `/\fIname\fR/x`.
        (_, [b'f', font @ ..]) if zone != EscapeZone::Opaque && font_within_word(font) => {
            EscapeMeaning::Unreadable
        }
        (_, [b'e', b':', next, ..]) if is_uri_byte(*next) => EscapeMeaning::Nothing { width: 3 },
        (_, [c @ (b'-' | b'&' | b':' | b'%' | b'|'), tail @ ..]) if inside_run(rest) => match c {
            b'-' => two('-'),
            // Not troff: a shell or TeX quotes these characters. Dropping them would give another
            // URI.
            b'&' if starts_parameter(tail) || tail.starts_with(b"amp;") => two('&'),
            b'%' if starts_triplet(tail) => two('%'),
            _ if dialect == EscapeDialect::Troff
                || is_break(text.part(..at), tail)
                || has_hyphen(tail) =>
            {
                EscapeMeaning::Nothing { width: 2 }
            }
            b':' if zone != EscapeZone::Host || is_port(tail) => two(':'),
            b'&' if zone == EscapeZone::Rest => two('&'),
            _ => EscapeMeaning::Unreadable,
        },
        (_, [c, tail @ ..]) => quoted(*c, tail, dialect, zone),
        (_, []) => EscapeMeaning::Hard,
    }
}

/// Most backslashes in a row that are read.
const MAX_ROW_LENGTH: usize = 16;

/// Interprets a row of more than two backslashes, as strings inside strings have them, like its
/// last one or two. It is unknown how often the text was escaped, so only the `/` of JSON and the
/// code of a character are decoded.
fn in_row(
    text: &[u8],
    at: usize,
    row: usize,
    dialect: EscapeDialect,
    zone: EscapeZone,
) -> EscapeMeaning {
    if dialect == EscapeDialect::Json && text.get(at + 1 + row) == Some(&b'/') {
        return EscapeMeaning::Char { char: '/', width: row + 2 };
    }
    if let Some(meaning) = nested_code(text.part(at + 1 + row..), row + 1, dialect, zone) {
        return meaning;
    }
    let is_end = row < MAX_ROW_LENGTH
        && read(text, at + row - row % 2, dialect, zone) == EscapeMeaning::Hard;
    if is_end { EscapeMeaning::Hard } else { EscapeMeaning::Unreadable }
}

/// Interprets the code of a character after `slashes` backslashes: each string around a text doubles
/// them. TeX and troff give two backslashes a meaning of their own.
fn nested_code(
    code: &[u8],
    slashes: usize,
    dialect: EscapeDialect,
    zone: EscapeZone,
) -> Option<EscapeMeaning> {
    let is_string = slashes.is_power_of_two()
        && !matches!(dialect, EscapeDialect::Tex | EscapeDialect::Troff)
        && (zone != EscapeZone::Opaque || code.first() != Some(&b'x'));
    if is_string { escape_code::read(code, slashes) } else { None }
}

/// True if the digits of a port start here and end the authority.
fn is_port(text: &[u8]) -> bool {
    let digits = text.clamped(..6).leading(|b| b.is_ascii_digit());
    let ends = |b: &u8| b.is_ascii_whitespace() || b"/?#\"'`<>),;".contains(b);
    digits > 0 && text.get(digits).is_none_or(ends)
}

/// True if the word of a shell continues after an escaped space, as a path or the name of a file:
/// `My\ File.pdf`.
fn continues_in_word(text: &[u8]) -> bool {
    let near = text.clamped(..PATTERN);
    let mut end = 0;
    loop {
        end += near.part(end..).leading(is_uri_byte);
        match near.part(end..) {
            [b'\\', b' ', ..] => end += 2,
            _ => break,
        }
    }
    let word = near.part(..end);
    word.first().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'(')
        && (has_extension(word) || word.iter().any(|b| b"/\\".contains(b)))
}

/// True if the line `next`, after a backslash at a line end, may be the rest of a URI. Prose,
/// indented text, and brackets are not.
fn starts_rest(next: &[u8]) -> bool {
    let run = next.clamped(..PATTERN);
    let run = run.part(..run.leading(is_uri_byte));
    let is_word = run.iter().all(u8::is_ascii_alphabetic);
    let ends_line = matches!(next.get(run.len()), None | Some(b'\n' | b'\r' | b'"' | b'\''));
    let flush = !run.is_empty()
        && !matches!(run.first(), Some(b'[' | b'(' | b'*' | b'|'))
        && (!is_word || ends_line);
    flush || starts_indented_rest(next)
}

/// D2.4: true if the indented line `next` is another argument of a command, as `uri` is one that
/// ends in the name of a file: `http://a.example/x.xsl\⏎  a/b.xml`.
fn starts_argument(uri: &[u8], next: &[u8]) -> bool {
    let near = uri.tail(MAX_NAME_BYTES);
    let segment = near.trailing(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
    let (directory, name) = near.split_at(near.len() - segment);
    let extension = name.trailing(|b| b != b'.');
    let is_file = matches!(directory, [.., before, b'/'] if *before != b'/')
        && (2..=5).contains(&extension)
        && extension + 1 < name.len();
    let indent = next.clamped(..PATTERN).leading(|b| b == b' ' || b == b'\t');
    is_file && indent > 0 && next.get(indent).is_some_and(u8::is_ascii_alphanumeric)
}

/// True if an indented line may be the rest of a URI. Indented code is common after a continuation,
/// so such a line must look like the rest of a URI itself.
fn starts_indented_rest(next: &[u8]) -> bool {
    let indent = next.clamped(..PATTERN).leading(|b| b == b' ' || b == b'\t');
    let text = next.clamped(..PATTERN).part(indent..);
    let text = text.part(..text.leading(is_uri_byte));
    let continues = matches!(text, [b'#' | b'/' | b'?' | b'&', next, ..] if next.is_ascii_alphanumeric())
        || looks_like_rest(text);
    indent > 0 && continues
}

/// Interprets a backslash before `c` in any text; `tail` follows both.
///
/// Markdown, reST, shells, and patterns put one before punctuation. Before a letter it starts a
/// command, an escape in a program's string, or a character class of a pattern.
fn quoted(c: u8, tail: &[u8], dialect: EscapeDialect, zone: EscapeZone) -> EscapeMeaning {
    let char = EscapeMeaning::Char { char: char::from(c), width: 2 };
    let continues = first_char(tail).is_some_and(|(c, _)| !c.is_ascii() || is_uri_byte(c as u8));
    match (zone, c) {
        (EscapeZone::Host | EscapeZone::Rest, b'(') if interpolates(tail) => {
            EscapeMeaning::Unreadable
        }
        // In a template of JavaScript, this is not a placeholder but these characters.
        (EscapeZone::Host | EscapeZone::Rest, b'$') if tail.starts_with(b"{") => {
            EscapeMeaning::Unreadable
        }
        (EscapeZone::Host, b'.') if tail.first().is_some_and(u8::is_ascii_alphanumeric) => char,
        // Browsers treat the backslash as a slash, other programs the text before the `@` as a
        // userinfo.
        (EscapeZone::Host, b'.' | b'-' | b'@') => EscapeMeaning::Unreadable,
        (EscapeZone::Host, b'_' | b'~' | b'#') if continues => char,
        (EscapeZone::Host, b'?') if starts_parameter(tail) => char,
        (EscapeZone::Host, b'?' | b'/' | b'+' | b'$' | b'^' | b'{' | b'!' | b'=') if continues => {
            EscapeMeaning::Unreadable
        }
        (EscapeZone::Host | EscapeZone::Rest, b' ')
            if dialect != EscapeDialect::Tex && continues_in_word(tail) =>
        {
            EscapeMeaning::Unreadable
        }
        // octal: a letter or a mark, unlike the controls of a terminal
        (EscapeZone::Host | EscapeZone::Rest, b'0')
            if matches!(tail, [b'4'..=b'7', b'0'..=b'7', ..]) =>
        {
            EscapeMeaning::Unreadable
        }
        (EscapeZone::Host, _) if is_class(c, tail) => EscapeMeaning::Unreadable,
        (EscapeZone::Host, _) => before_word(c, tail, dialect),
        (EscapeZone::Opaque, b'_' | b'.' | b'-' | b'~') if continues => char,
        (EscapeZone::Opaque, b'(') if closes_paren(tail) => EscapeMeaning::Unreadable,
        (EscapeZone::Opaque, b'+') if continues => EscapeMeaning::Unreadable,
        (EscapeZone::Opaque, _) if is_class(c, tail) => EscapeMeaning::Unreadable,
        (EscapeZone::Opaque, _) => EscapeMeaning::Hard,
        (EscapeZone::Rest, b'?') if starts_parameter(tail) => char,
        (EscapeZone::Rest, b'(') if closes_paren(tail) => char,
        (EscapeZone::Rest, b')') => char,
        (EscapeZone::Rest, b'_' | b'.' | b';' | b'-' | b'~' | b'#' | b'!' | b',' | b'=')
            if continues =>
        {
            char
        }
        // Markdown writes `\_` for an underscore at the end of a word, too: `/\_name\_ is`.
        (EscapeZone::Rest, b'_') if tail.first().is_none_or(u8::is_ascii_whitespace) => char,
        (EscapeZone::Rest, b'+' | b'?' | b'$' | b'^' | b'{' | b'[' | b'/' | b'@') if continues => {
            EscapeMeaning::Unreadable
        }
        (EscapeZone::Rest, _) if is_class(c, tail) => EscapeMeaning::Unreadable,
        (EscapeZone::Rest, _) => before_word(c, tail, dialect),
    }
}

/// Longest command of TeX or RTF in [`COMMANDS`], in bytes.
const MAX_COMMAND_BYTES: usize = 24;

/// Commands of TeX and RTF that occur directly after a URI.
#[rustfmt::skip]
const COMMANDS: [&[u8]; 60] = [
    b"and", b"author", b"begin", b"bf", b"bibitem", b"bigskip", b"break", b"bye", b"cell", b"centering", b"cf",
    b"cite", b"color", b"cr", b"em", b"emph", b"end", b"endgroup", b"endinput", b"fi", b"fill", b"footnote", b"footnotemark",
    b"fs", b"hfil", b"hfill", b"hline", b"hskip", b"hspace", b"href", b"index", b"item", b"it", b"label", b"ldblquote",
    b"line", b"linebreak", b"lquote", b"medskip", b"newblock", b"newline", b"newpage", b"noindent", b"normalsize", b"page",
    b"par", b"pard", b"plain", b"qquad", b"quad", b"rdblquote", b"rquote", b"rm", b"row", b"sf", b"smallskip", b"tab",
    b"tt", b"ul", b"vspace",
];

/// Interprets a backslash after which no URI continues in a known way; `c` and `tail` follow it.
///
/// A program's string ends a URI with `\n` or `\t`, a man page with a font, TeX with a command.
/// Before any other word, the backslash belongs to a path written with the separators of Windows. A
/// URI that ended there would be half of that path, so it is rejected (D2.4).
fn before_word(c: u8, tail: &[u8], dialect: EscapeDialect) -> EscapeMeaning {
    let in_string = matches!(dialect, EscapeDialect::String | EscapeDialect::Json);
    let next = tail.first().copied().unwrap_or_default();
    let word = tail.clamped(..MAX_COMMAND_BYTES).leading(|b| b.is_ascii_alphabetic());
    let ends = match c {
        _ if dialect == EscapeDialect::Tex || !c.is_ascii_alphabetic() && c != b'\\' => true,
        b'\\' => match tail {
            [b'n' | b'r' | b't', after @ ..] => !is_path(after),
            // The end of a table row, or a line break in an address of TeX
            [letter, after @ ..] if letter.is_ascii_alphabetic() => !in_string && !is_path(after),
            _ => true,
        },
        b'n' | b'r' | b't' => {
            // `\nmodule.exports` is no path, `\new.html` is.
            let is_name = dialect == EscapeDialect::LongLine && !has_separator_or_extension(tail);
            in_string || is_name || !is_path(tail)
        }
        b'f' if matches!(next, b'A'..=b'Z' | b'0'..=b'9' | b'(' | b'[') => true,
        b'a' | b'b' | b'e' | b'f' | b'v' if in_string => true,
        // A bell, a word boundary, the end of a quoted part, or the end of a line that continues.
        b'a' | b'b' | b'e' | b'f' | b'v' | b'c' | b'z' | b'A' | b'B' | b'E' | b'Q' | b'Z'
            if word == 0 =>
        {
            !is_path(tail)
        }
        // Troff's motions
        b'h' | b'v' if next == b'\'' => true,
        _ if word == 0 => false,
        _ => in_commands(c, tail.part(..word)) || tail.get(word) == Some(&b'{'),
    };
    if ends { EscapeMeaning::Hard } else { EscapeMeaning::Unreadable }
}

fn in_commands(c: u8, rest: &[u8]) -> bool {
    COMMANDS.iter().any(|command| {
        command.split_first().is_some_and(|(first, others)| *first == c && others == rest)
    })
}

/// True if `text`, after a backslash and a letter, continues like a path: `ew.html`, `ew\file`,
/// `ew/x`.
fn is_path(text: &[u8]) -> bool {
    let name =
        text.clamped(..PATTERN).leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    match text.part(name..) {
        [b'.' | b'/', next, ..] => next.is_ascii_alphanumeric(),
        [b'\\', b'\\', next, ..] | [b'\\', next, ..] => {
            // These letters make the second backslash an escape of its own: a string ends lines
            // with `\r\n`.
            next.is_ascii_alphabetic() && !matches!(next, b'n' | b'r' | b't' | b'f' | b'e')
        }
        _ => false,
    }
}

/// True if the word at the start of `text` is the name of a file, or part of a path.
fn has_separator_or_extension(text: &[u8]) -> bool {
    let near = text.clamped(..PATTERN);
    let word = near.part(..near.leading(is_uri_byte));
    // In a string of a program, the next escape is no separator.
    let is_directory =
        matches!(near.part(word.len()..), [b'\\', next, ..] if !b"nrt".contains(next));
    has_extension(word) || word.contains(&b'/') || is_directory
}

/// Most brackets that may open after an escaped one before it closes. Bounds the search.
const MAX_INSIDE: usize = 4;

/// True if an escaped `)` is in the run at the start of `text`. Without one, `\(` is a glyph of
/// troff.
fn closes_paren(text: &[u8]) -> bool {
    let mut inside = 0;
    let mut rest = text.clamped(..PATTERN);
    loop {
        let plain = rest.leading(|b| is_run(b) && b != b'\\');
        match rest.part(plain..) {
            [b'\\', b')', ..] => return true,
            [b'\\', b'(', ..] if inside == MAX_INSIDE => return false,
            [b'\\', b'(', tail @ ..] => {
                inside += 1;
                rest = tail;
            }
            [b'\\', tail @ ..] => rest = tail,
            _ => return false,
        }
    }
}

/// True if Swift interpolates a value here, `\(name)`. troff writes glyphs the same way; their
/// names have two letters.
fn interpolates(tail: &[u8]) -> bool {
    const GLYPHS: [&[u8]; 20] = [
        b"aq", b"dq", b"lq", b"rq", b"oq", b"cq", b"em", b"en", b"hy", b"bu", b"co", b"rg", b"tm",
        b"ti", b"ha", b"rs", b"at", b"sh", b"mi", b"ga",
    ];
    let name = tail
        .clamped(..MAX_NAME_BYTES)
        .leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    let is_glyph = GLYPHS.iter().any(|glyph| tail.starts_with(glyph));
    let is_name = tail.first().is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_');
    let closes = tail.get(name) == Some(&b')') && !(is_glyph && name == 2);
    is_name && (closes || !is_glyph && tail.get(name) != Some(&b'\\'))
}

/// True for a character of a run that may contain a pattern or an escaped bracket. Without
/// branches, for [`chunk::run`].
pub(super) fn is_run(byte: u8) -> bool {
    (byte > b' ') & (byte != b'"') & (byte != b'`')
}

/// True if `\c`, followed by `tail`, is a character class or a group reference of a pattern.
fn is_class(c: u8, tail: &[u8]) -> bool {
    let is_letter = tail.first().is_some_and(u8::is_ascii_alphabetic);
    match (c, tail) {
        // A size of troff: `\s-2`
        (b's', [b'+' | b'-', b'0'..=b'9', ..]) => false,
        (b'd' | b'w' | b's' | b'D' | b'W' | b'S', _) => !is_letter,
        // The group of a pattern. `\0` starts an octal code instead.
        (b'1'..=b'9', _) => true,
        _ => false,
    }
}

/// Bytes searched for the signs of a pattern.
pub(super) const PATTERN: usize = 256;

/// True if the escaped text `run`, preceded by `before`, is a regular expression: its author wrote
/// no URI (D2.4).
pub(crate) fn is_pattern(before: &[u8], run: &[u8], dialect: EscapeDialect) -> bool {
    // Both escape single characters of an ordinary URI, and neither contains patterns.
    if matches!(dialect, EscapeDialect::Tex | EscapeDialect::Properties) {
        return false;
    }
    let run = run.clamped(..PATTERN);
    let run = run.part(..chunk::run(run, is_run));
    let is_class_at = |at| match run.part(at..) {
        [_, c, tail @ ..] if tail.len() >= 2 => c.is_ascii_alphabetic() && is_class(*c, tail),
        _ => false,
    };
    if memchr::memchr_iter(b'\\', run).any(is_class_at) || opens_pattern(before) {
        return true;
    }
    let is_json = dialect == EscapeDialect::Json;
    let is_string = is_json && before.last() == Some(&b'"');
    if dialect == EscapeDialect::Markdown || is_string {
        return false;
    }
    // The second byte of each sign is rare in URIs, so it is searched for.
    let is_sign = |at: usize| match run.part(..=at) {
        [.., b'.' | b']', b'*' | b'+'] | [.., b'(', b'?'] => true,
        // Footnotes do not follow `\/`, so these are a class of a pattern and Ruby's interpolation
        // into one.
        [.., b'[', b'^'] | [.., b'#', b'{'] => is_json,
        _ => false,
    };
    memchr::memchr3_iter(b'*', b'+', b'?', run).any(is_sign)
        || is_json && memchr::memchr2_iter(b'^', b'{', run).any(is_sign)
}

/// True if a pattern opens directly before a URI: `/`, `^`, a group, or Perl's `m#` and `qr{`.
fn opens_pattern(before: &[u8]) -> bool {
    match before {
        [.., b'/' | b'^'] | [.., b'^', b'(' | b'{'] | [.., b'(', b'?', b':'] => true,
        [rest @ .., b'#' | b'!' | b'{' | b'|' | b'%' | b','] => {
            let name = rest.tail(rest.trailing(|b| b.is_ascii_alphanumeric()));
            matches!(name, b"m" | b"qr" | b"s")
        }
        _ => false,
    }
}

/// True for `name=`, as after the `&` of a query.
fn starts_parameter(text: &[u8]) -> bool {
    let name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    // A shell user who escapes the `&` escapes the `=` as well.
    let value = text.part(text.clamped(..MAX_NAME_BYTES).leading(name)..);
    value.starts_with(b"=") || value.starts_with(b"\\=")
}

/// True for two hexadecimal digits that do not start a word: one of them is a decimal digit.
fn starts_triplet(text: &[u8]) -> bool {
    let [a, b, ..] = text else { return false };
    a.is_ascii_hexdigit() && b.is_ascii_hexdigit() && (a.is_ascii_digit() || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_escaped_bracket_closes() {
        for closes in ["a\\)", "\\)", "a\\(b\\)", "\\(\\(\\(\\(\\)", "\\\\)", "a\\.b\\)"] {
            assert!(closes_paren(closes.as_bytes()), "{closes}");
        }
        for open in ["", "a", "a\\", "a)", "a \\)", "\\(\\(\\(\\(\\(\\)"] {
            assert!(!closes_paren(open.as_bytes()), "{open}");
        }
    }

    proptest! {
        /// This also holds if a candidate sees only part of the text, or if an earlier offset is
        /// queried again.
        #[test]
        fn the_next_backslash_is_the_next(
            text in "[a\\\\]{0,9}",
            asked in prop::collection::vec((0usize..9, 0usize..9), 1..9),
        ) {
            let mut next = NextBackslash::default();
            for (from, end) in asked {
                let seen = text.as_bytes().clamped(..end.max(from));
                let from = from.min(seen.len());
                let expected = seen[from..].iter().position(|&b| b == b'\\').map(|at| from + at);
                prop_assert_eq!(next.find(seen, from), expected.unwrap_or(seen.len()));
            }
        }
    }
}
