//! Splits a source into comments and strings; the rest is code.

use super::heredoc::{Heredoc, heredoc};
use super::language::{Block, Characters, Escape, Language, Nesting, Trait};
use super::quoted::{StringLiteral, character, cpp_raw, lua_long, quoted, regex, rust_raw};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

/// Maximum indentation of a statement.
const MAX_INDENTATION_BYTES: usize = 256;

/// A comment, a string, or text outside of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SourceToken {
    /// All of it, with its marks.
    pub whole: Span,
    pub kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Comment,
    /// A documentation comment of one line, which others may follow.
    DocLine,
    DocBlock,
    /// A string with this text.
    String {
        text: Span,
        escape: Escape,
    },
    /// A string that documents the item around it.
    DocString {
        text: Span,
        escape: Escape,
    },
    /// Text outside of the code, as in PHP.
    Text,
}

/// Nested template strings beyond this number are read as one.
const MAX_TEMPLATES: usize = 32;

pub(super) struct Lexer<'d> {
    bytes: &'d [u8],
    language: &'d Language,
    at: usize,
    /// Bytes that may start a comment or string.
    starts: [bool; 256],
    /// The lines of a heredoc that starts at the next line.
    pending: Option<StringLiteral>,
    /// False once a heredoc had no end: searching for the end reads the rest of the file.
    has_heredocs: bool,
    /// For each open template string, the number of open braces in its `${…}`.
    templates: Vec<usize>,
    /// Number of open brackets.
    brackets: usize,
    is_outside: bool,
}

impl<'d> Lexer<'d> {
    pub fn new(bytes: &'d [u8], language: &'d Language) -> Self {
        let mut starts = [false; 256];
        let mut add = |text: &str| {
            if let Some(start) =
                text.bytes().next().and_then(|byte| starts.get_mut(usize::from(byte)))
            {
                *start = true;
            }
        };
        language.line_comments.iter().for_each(|it| add(it));
        language.block_comments.iter().for_each(|it| add(it.open));
        language.strings.iter().for_each(|it| add(it.open));
        match language.characters {
            Characters::None => {}
            Characters::Quoted => add("'"),
            Characters::Backslash => add("\\"),
            Characters::Dollar => add("$"),
        }
        for it in language.traits {
            match it {
                Trait::RustRaw => add("r"),
                Trait::Regex => add("/"),
                Trait::Template => ["`", "{", "}"].into_iter().for_each(&mut add),
                Trait::Heredoc | Trait::PhpHeredoc => add("<"),
                Trait::LuaLong => add("["),
                Trait::Docstrings => ["(", ")", "[", "]", "{", "}"].into_iter().for_each(&mut add),
                Trait::PhpTags => add("?"),
                Trait::Pod => add("="),
                Trait::CppRaw | Trait::PythonPrefix | Trait::CommentAtWord | Trait::LineSplice => {}
            }
        }
        Self {
            bytes,
            language,
            at: 0,
            starts,
            pending: None,
            has_heredocs: true,
            templates: Vec::new(),
            brackets: 0,
            is_outside: language.has(Trait::PhpTags),
        }
    }

    fn rest(&self) -> &'d [u8] {
        self.bytes.clamped(self.at..)
    }

    fn before(&self) -> Option<u8> {
        self.at.checked_sub(1).and_then(|at| self.bytes.get(at)).copied()
    }

    /// Returns the token that starts here, or moves past characters that start no token.
    fn token(&mut self, byte: u8) -> Option<SourceToken> {
        let token = self.comment().or_else(|| self.literal(byte));
        if token.is_none() {
            self.at += 1;
        }
        token
    }

    fn take(&mut self, end: usize, kind: TokenKind) -> SourceToken {
        let whole = Span::new(self.at, end.max(self.at).min(self.bytes.len()));
        self.at = whole.end();
        SourceToken { whole, kind }
    }

    fn take_string(&mut self, literal: StringLiteral, escape: Escape) -> SourceToken {
        self.take(literal.end, TokenKind::String { text: literal.text, escape })
    }

    fn comment(&mut self) -> Option<SourceToken> {
        let (rest, language) = (self.rest(), self.language);
        if let Some(end) = self.pod() {
            return Some(self.take(end, TokenKind::Comment));
        }
        let is_lua = language.has(Trait::LuaLong) && rest.starts_with(b"--[");
        if is_lua && let Some(long) = lua_long(self.bytes, self.at + 2) {
            return Some(self.take(long.end, TokenKind::Comment));
        }
        let starts = |mark: &str| rest.starts_with(mark.as_bytes());
        if let Some(block) = language.block_comments.iter().find(|block| starts(block.open)) {
            // `(*)` is an operator of OCaml.
            if block.open == "(*" && rest.starts_with(b"(*)") {
                return None;
            }
            let end = self.at + block_length(rest, block);
            let kind = if self.is_doc() { TokenKind::DocBlock } else { TokenKind::Comment };
            return Some(self.take(end, kind));
        }
        let mark = language.line_comments.iter().find(|mark| starts(mark))?;
        // A URI outside of comments and strings is an error in most languages, but must not be cut.
        let before = self.bytes.clamped(..self.at);
        if *mark == "//" && matches!(before, [.., letter, b':'] if letter.is_ascii_alphabetic()) {
            return None;
        }
        let is_word = |byte: u8| !byte.is_ascii_whitespace() && !b";{}()&|".contains(&byte);
        if language.has(Trait::CommentAtWord) && self.before().is_some_and(is_word) {
            return None;
        }
        let kind = if self.is_doc() { TokenKind::DocLine } else { TokenKind::Comment };
        Some(self.take(self.at + self.line_length(), kind))
    }

    /// True if a documentation comment starts here.
    fn is_doc(&self) -> bool {
        let rest = self.rest();
        let mut starts = self.language.docs.starts.iter();
        starts.any(|start| {
            // `/**/` and `////` are not.
            let after = rest.strip_prefix(start.as_bytes());
            after.is_some_and(|after| !matches!(after.first(), Some(b'/' | b'*')))
        })
    }

    /// Returns the length of a comment to the end of the line.
    fn line_length(&self) -> usize {
        let rest = self.rest();
        let mut length = 0;
        loop {
            let line = rest.clamped(length..);
            length += memchr::memchr(b'\n', line).unwrap_or(line.len());
            let is_spliced = self.language.has(Trait::LineSplice)
                && rest.clamped(..length).trim_ascii_end().last() == Some(&b'\\')
                && length < rest.len();
            if !is_spliced {
                break;
            }
            length += 1;
        }
        work_counter::add(length);
        let line = rest.clamped(..length);
        if self.language.has(Trait::PhpTags) {
            // In PHP the end of the code ends a comment of one line, too.
            memchr::memmem::find(line, b"?>").unwrap_or(length)
        } else {
            length
        }
    }

    /// Returns the end of a block of documentation between lines that start with `=`.
    fn pod(&self) -> Option<usize> {
        let rest = self.rest();
        let is_at_line = self.before().is_none_or(|byte| byte == b'\n');
        if !self.language.has(Trait::Pod) || !is_at_line || rest.first() != Some(&b'=') {
            return None;
        }
        if !rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        // Ruby has one pair of marks. In Perl any command of perlpod starts documentation, and only
        // `=cut` ends it.
        let mark: &[u8] = if rest.starts_with(b"=begin") { b"\n=end" } else { b"\n=cut" };
        let found = memchr::memmem::find(rest, mark);
        work_counter::add(found.unwrap_or(rest.len()));
        Some(self.at + found.map_or(rest.len(), |found| found + mark.len()))
    }

    fn literal(&mut self, byte: u8) -> Option<SourceToken> {
        let (bytes, at, language) = (self.bytes, self.at, self.language);
        // Checked before brackets are counted, because the count treats this brace like any other.
        let closes_template = byte == b'}' && self.templates.last() == Some(&0);
        self.count_brackets(byte);
        match byte {
            b'r' if language.has(Trait::RustRaw) => {
                // `br"…"` and `cr"…"` are raw strings; in `for"` the letter ends a word.
                if self.before().is_some_and(|byte| is_name(byte) && !b"bc".contains(&byte)) {
                    return None;
                }
                return rust_raw(bytes, at).map(|literal| self.take_string(literal, Escape::None));
            }
            b'"' if language.has(Trait::CppRaw) && self.before() == Some(b'R') => {
                if let Some(literal) = cpp_raw(bytes, at) {
                    return Some(self.take_string(literal, Escape::None));
                }
            }
            b'/' if language.has(Trait::Regex) => {
                self.at = regex(bytes, at).map_or(at, |end| end - 1);
                return None;
            }
            b'[' if language.has(Trait::LuaLong) => {
                return lua_long(bytes, at).map(|literal| self.take_string(literal, Escape::None));
            }
            b'`' if language.has(Trait::Template) => return Some(self.template(at + 1)),
            b'}' if closes_template => {
                self.templates.pop();
                return Some(self.template(at + 1));
            }
            b'<' => self.look_for_heredoc(),
            b'?' if bytes.clamped(at..).starts_with(b"?>") => {
                self.is_outside = true;
                self.at += 1;
                return None;
            }
            b'\\' if language.characters == Characters::Backslash => {
                self.at += 1;
                return None;
            }
            b'$' if language.characters == Characters::Dollar => {
                self.at += 1;
                return None;
            }
            b'\'' if language.characters == Characters::Quoted => {
                // `x'` of Haskell is a name with a prime. `L'a'` of C and `b'a'` of Rust are
                // characters.
                let is_in_name = self.before().is_some_and(is_name)
                    && !self.bytes.clamped(..at).ends_with(b"L")
                    && !self.bytes.clamped(..at).ends_with(b"b");
                let end = character(bytes, at).filter(|_| !is_in_name);
                self.at = end.map_or(at, |end| end - 1);
                return None;
            }
            _ => {}
        }
        self.string()
    }

    fn string(&mut self) -> Option<SourceToken> {
        let rest = self.rest();
        let quotes =
            self.language.strings.iter().find(|it| rest.starts_with(it.open.as_bytes()))?;
        let literal = quoted(self.bytes, self.at + quotes.open.len(), quotes);
        if !self.language.has(Trait::PythonPrefix) {
            return Some(self.take_string(literal, quotes.escape));
        }
        let before = self.bytes.clamped(..self.at);
        let length = before.tail(3).trailing(|byte| byte.is_ascii_alphabetic());
        let is_raw = before.tail(length).iter().any(|byte| matches!(byte, b'r' | b'R'));
        let escape = if is_raw { Escape::None } else { quotes.escape };
        // A string that is a statement has nothing but white space before it on its line.
        let before = before.clamped(..before.len() - length);
        let blanks =
            before.tail(MAX_INDENTATION_BYTES).trailing(|byte| matches!(byte, b' ' | b'\t'));
        let line = before.len() - blanks;
        let is_statement = line == 0 || before.get(line - 1) == Some(&b'\n');
        let text = literal.text;
        // PEP 257 asks for three marks. A string in brackets that starts its line is an element.
        let kind = if is_statement && self.brackets == 0 && quotes.open.len() == 3 {
            TokenKind::DocString { text, escape }
        } else {
            TokenKind::String { text, escape }
        };
        Some(self.take(literal.end, kind))
    }

    fn count_brackets(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.brackets += 1,
            b')' | b']' | b'}' => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        if let Some(open) = self.templates.last_mut() {
            match byte {
                b'{' => *open += 1,
                b'}' => *open = open.saturating_sub(usize::from(*open > 0)),
                _ => {}
            }
        }
    }

    /// Returns the piece of a template string that starts at `start`, up to `` ` `` or `${`.
    fn template(&mut self, start: usize) -> SourceToken {
        let mut at = start;
        let end = loop {
            let rest = self.bytes.clamped(at..);
            let found = memchr::memchr3(b'`', b'\\', b'$', rest);
            work_counter::add(found.unwrap_or(rest.len()) + 1);
            let Some(found) = found else { break self.bytes.len() };
            at += found;
            match self.bytes.clamped(at..) {
                [b'`', ..] => break at,
                [b'$', b'{', ..] if self.templates.len() < MAX_TEMPLATES => break at,
                [b'\\', ..] => at += 2,
                _ => at += 1,
            }
        };
        let is_open = self.bytes.get(end) == Some(&b'$');
        if is_open {
            self.templates.push(0);
        }
        let text = Span::new(start.min(end), end);
        let close = if is_open { 2 } else { 1 };
        self.take(end + close, TokenKind::String { text, escape: Escape::Backslash })
    }

    fn look_for_heredoc(&mut self) {
        let rest = self.rest();
        let arrows = if self.language.has(Trait::PhpHeredoc) { 3 } else { 2 };
        let is_mark = rest.starts_with(b"<<<".clamped(..arrows));
        if !is_mark || self.pending.is_some() || !self.has_heredocs {
            return;
        }
        match heredoc(self.bytes, self.at, arrows) {
            Heredoc::Lines(literal) => self.pending = Some(literal),
            Heredoc::Endless => self.has_heredocs = false,
            Heredoc::None => {}
        }
    }

    /// Returns the length of the template string that a text starts with, with the code in it.
    pub fn template_length(text: &[u8], language: &Language) -> usize {
        let mut lexer = Lexer::new(text, language);
        while lexer.next().is_some() {
            if lexer.templates.is_empty() {
                return lexer.at;
            }
        }
        text.len()
    }

    /// Returns the text up to the next `<?`.
    fn outside(&mut self) -> Option<SourceToken> {
        self.is_outside = false;
        let rest = self.rest();
        // Code starts with `<?php`, `<?=`, or, in old programs, `<?` alone.
        let length = memchr::memmem::find(rest, b"<?").unwrap_or(rest.len());
        work_counter::add(length);
        let token = self.take(self.at + length, TokenKind::Text);
        (!token.whole.is_empty()).then_some(token)
    }
}

impl Iterator for Lexer<'_> {
    type Item = SourceToken;

    fn next(&mut self) -> Option<SourceToken> {
        loop {
            if self.is_outside
                && let Some(token) = self.outside()
            {
                return Some(token);
            }
            if let Some(lines) = self.pending.filter(|lines| self.at >= lines.text.start()) {
                self.pending = None;
                if lines.end > self.at {
                    let text = Span::new(self.at.min(lines.text.end()), lines.text.end());
                    return Some(self.take_string(StringLiteral { text, ..lines }, Escape::None));
                }
            }
            let &byte = self.bytes.get(self.at)?;
            if !self.starts.get(usize::from(byte)).copied().unwrap_or_default() {
                self.at += 1;
                continue;
            }
            if let Some(token) = self.token(byte) {
                return Some(token);
            }
        }
    }
}

/// True for a byte of names in all languages.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Returns the length of a block comment.
fn block_length(rest: &[u8], block: &Block) -> usize {
    let (open, close) = (block.open.as_bytes(), block.close.as_bytes());
    let [Some(&opening), Some(&closing)] = [open.first(), close.first()] else { return rest.len() };
    let (mut at, mut depth) = (open.len(), 1);
    while let Some(found) = memchr::memchr2(opening, closing, rest.clamped(at..)) {
        work_counter::add(found + 1);
        at += found;
        let here = rest.clamped(at..);
        if here.starts_with(close) {
            at += close.len();
            depth -= 1;
            if depth == 0 {
                return at;
            }
        } else if block.nesting == Nesting::Nested && here.starts_with(open) {
            at += open.len();
            depth += 1;
        } else {
            at += 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::super::languages::{self, ALL};
    use super::*;

    fn tokens(language: &'static Language, source: &str) -> Vec<String> {
        let show = |token: SourceToken| {
            let text = match token.kind {
                TokenKind::String { text, .. } => return format!("s:{}", &source[text.range()]),
                TokenKind::DocString { text, .. } => return format!("d:{}", &source[text.range()]),
                _ => &source[token.whole.range()],
            };
            format!("{}:{text}", if token.kind == TokenKind::Text { "t" } else { "c" })
        };
        Lexer::new(source.as_bytes(), language).map(show).collect()
    }

    #[test]
    fn strings_and_comments_of_each_other() {
        use languages::*;
        for (language, source, expected) in [
            (
                &C,
                "a(\"/* b\"); /* \"c */ '\"' // d\\\n e\nf",
                &["s:/* b", "c:/* \"c */", "c:// d\\\n e"][..],
            ),
            (
                &RUST,
                "fn a<'b>(c: &'b str) { r#\"d\"#; 'e' } /* /* f */ */",
                &["s:d", "c:/* /* f */ */"],
            ),
            (
                &JAVASCRIPT,
                "a = /['\"`]/; `b${c({d: \"e\"})}f` // g",
                &["s:b", "s:e", "s:f", "c:// g"],
            ),
            (&PYTHON, "'''a'''\nb = r'\\'c' # d\n(\n'''e''')", &["d:a", "s:\\'c", "c:# d", "s:e"]),
            (
                &SHELL,
                "a#b # c\ncat <<EOF \"d\"\ne # f\nEOF\n'g'",
                &["c:# c", "s:d", "s:e # f\n", "s:g"],
            ),
            (&LUA, "--[[ a\n]] b [=[c]=] -- d", &["c:--[[ a\n]]", "s:c", "c:-- d"]),
            (&PHP, "<p>a</p><?php # b ?>c<? 'd'", &["t:<p>a</p>", "c:# b ", "t:c", "s:d"]),
            (&SQL, "'a''b' -- c", &["s:a''b", "c:-- c"]),
            (&RUBY, "=begin\na\n=end\nb", &["c:=begin\na\n=end"]),
            (&OCAML, "(*) a (* b (* c *) *) 'd", &["c:(* b (* c *) *)"]),
            (&ERLANG, "$\" % a", &["c:% a"]),
        ] {
            assert_eq!(tokens(language, source), expected, "{}: {source}", language.name);
        }
    }

    #[test]
    fn nothing_is_lost_or_read_twice() {
        let source =
            "a \"b\n<<EOF `c${ /* -- # % ; (* {- r#\" R\"x( [==[ ''' \"\"\" <?php ?> =begin\n\\";
        for language in ALL {
            for end in 0..source.len() {
                let mut last = 0;
                for token in Lexer::new(&source.as_bytes()[..end], language) {
                    assert!(token.whole.start() >= last && token.whole.end() <= end);
                    last = token.whole.end();
                }
            }
        }
    }
}
