//! Bytes into tags, text, comments and the rest (HTML Standard §13.2.5).
//!
//! This is the tokenizer of the standard without what only a tree needs: references stay encoded, names
//! keep their case. In return every token is a span. Invariants: tokens are in order and don't overlap;
//! every byte is in a token, but for the marks around it (`<!--`, `</`) and `</>`; a byte is looked at a
//! fixed number of times; end tags have attributes, and attributes may be duplicated, since both can
//! hold an address.

use memchr::{memchr, memchr2, memmem};

use super::words::{is_words, words};
use crate::byte_table::{ByteTable, byte_table};
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HtmlToken {
    /// Text of words only, up to a tag: there is nothing to decode or to find in it.
    Words(Span),
    Text(Span),
    Cdata(Span),
    /// The text inside an element without tags.
    Raw {
        raw: RawElement,
        name: Span,
        text: Span,
    },
    /// Its attributes are in [`Tokens::attributes`].
    Start {
        name: Span,
        tag: Span,
    },
    /// Its attributes, which mean nothing, are there too.
    End {
        name: Span,
        tag: Span,
    },
    Comment(Span),
    Doctype(Span),
    /// The inside of `<?…>`.
    Instruction(Span),
    /// The inside of any other `<!…>`.
    Declaration(Span),
    /// A tag cut by the end of the document.
    Unfinished(Span),
}

/// An element without tags, by how its text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawElement {
    Script,
    Style,
    /// `title` and `textarea`: with character references.
    Escapable,
    /// `iframe` and `xmp`.
    Text,
    /// `plaintext`: up to the end of the document.
    Plain,
}

impl RawElement {
    /// Without `noscript`, `noframes` and `noembed`: they have tags for readers without scripts but with frames.
    fn of(name: &[u8]) -> Option<Self> {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match name.len() {
            3 if is("xmp") => Some(Self::Text),
            5 if is("style") => Some(Self::Style),
            5 if is("title") => Some(Self::Escapable),
            6 if is("script") => Some(Self::Script),
            6 if is("iframe") => Some(Self::Text),
            8 if is("textarea") => Some(Self::Escapable),
            9 if is("plaintext") => Some(Self::Plain),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeForm {
    Absent,
    Bare,
    Quoted,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub name: Span,
    pub value: Span,
    /// Whether the value is made of words only.
    pub is_words: bool,
    pub form: AttributeForm,
}

#[derive(Debug)]
pub(super) struct Tokens<'d> {
    bytes: &'d [u8],
    at: usize,
    /// Whether the rules of XML apply where HTML differs: `<script/>` and CDATA sections.
    is_xml: bool,
    /// How many elements of SVG or MathML are open.
    foreign: usize,
    /// The element without tags that the last token opened, and its name.
    raw: Option<(RawElement, Span)>,
    attributes: Vec<Attribute>,
}

impl<'d> Tokens<'d> {
    pub fn new(bytes: &'d [u8]) -> Self {
        let head = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self {
            bytes,
            at: 0,
            is_xml: head.trim_ascii_start().starts_with(b"<?xml"),
            foreign: 0,
            raw: None,
            attributes: Vec::new(),
        }
    }

    /// The attributes of the last token's tag.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// True inside SVG and MathML, where `style` and `script` are ordinary elements.
    pub fn is_foreign(&self) -> bool {
        self.foreign > 0
    }

    pub fn next(&mut self) -> Option<HtmlToken> {
        if let Some((raw, name)) = self.raw.take() {
            let end = self.raw_end(raw, name);
            let text = Span::new(self.at, end);
            self.at = end;
            if !text.is_empty() {
                return Some(HtmlToken::Raw { raw, name, text });
            }
        }
        // Most tags come right behind another, or behind words.
        match self.rest(self.at) {
            [b'<', c, ..] if c.is_ascii_alphabetic() => return Some(self.tag(self.at + 1)),
            [b'<', b'/', c, ..] if c.is_ascii_alphabetic() => return Some(self.tag(self.at + 2)),
            _ => {}
        }
        while let [b'<', b'/', b'>', ..] = self.rest(self.at) {
            self.at += 3;
        }
        let start = self.at;
        let words = start + words(self.rest(start));
        let mut from = words;
        while let Some(at) = self.find(b'<', from) {
            let is_markup = match self.rest(at + 1) {
                [b'/', _, ..] | [b'!' | b'?', ..] => true,
                [c, ..] => c.is_ascii_alphabetic(),
                [] => false,
            };
            if !is_markup {
                from = at + 1;
                continue;
            }
            if at > start {
                self.at = at;
                let text = Span::new(start, at);
                return Some(match words == at {
                    true => HtmlToken::Words(text),
                    false => HtmlToken::Text(text),
                });
            }
            return Some(self.markup());
        }
        self.at = self.bytes.len();
        (start < self.at).then(|| HtmlToken::Text(Span::new(start, self.at)))
    }

    /// The token of the `<` here.
    fn markup(&mut self) -> HtmlToken {
        let at = self.at;
        match self.rest(at + 1) {
            [b'/', c, ..] if c.is_ascii_alphabetic() => self.tag(at + 2),
            [b'/', ..] => {
                let inside = self.until(b'>', at + 2);
                HtmlToken::Comment(inside)
            }
            [b'!', b'-', b'-', ..] => HtmlToken::Comment(self.comment(at + 4)),
            [b'!', rest @ ..] => {
                let word = rest.clamped(..7);
                if word.eq_ignore_ascii_case(b"doctype") {
                    HtmlToken::Doctype(self.until(b'>', at + 9))
                } else if word == b"[CDATA[" && (self.is_foreign() || self.is_xml) {
                    let inside = at + 9;
                    let end = memmem::find(self.rest(inside), b"]]>").map(|end| inside + end);
                    self.at = end.map_or(self.bytes.len(), |end| end + 3);
                    work_counter::add(self.at - inside);
                    HtmlToken::Cdata(Span::new(inside, end.unwrap_or(self.at)))
                } else {
                    HtmlToken::Declaration(self.until(b'>', at + 2))
                }
            }
            [b'?', ..] => HtmlToken::Instruction(self.until(b'>', at + 2)),
            _ => self.tag(at + 1),
        }
    }

    /// Up to the next `byte`, which is consumed, or to the end.
    fn until(&mut self, byte: u8, from: usize) -> Span {
        let end = self.find(byte, from);
        self.at = end.map_or(self.bytes.len(), |end| end + 1);
        Span::new(from, end.unwrap_or(self.at))
    }

    /// The inside of the comment here: up to `-->` or `--!>`; `<!-->` and `<!--->` are comments too.
    fn comment(&mut self, inside: usize) -> Span {
        for short in [b">".as_slice(), b"->"] {
            if self.rest(inside).starts_with(short) {
                self.at = inside + short.len();
                return Span::new(inside, inside);
            }
        }
        let mut from = inside;
        while let Some(at) = self.find(b'>', from) {
            from = at + 1;
            let text = self.bytes.clamped(inside..at);
            for end in [b"--".as_slice(), b"--!"] {
                if text.ends_with(end) {
                    self.at = from;
                    return Span::new(inside, at - end.len());
                }
            }
        }
        self.at = self.bytes.len();
        Span::new(inside, self.at)
    }

    fn tag(&mut self, start: usize) -> HtmlToken {
        let open = self.at;
        let is_end = matches!(self.rest(open), [b'<', b'/', ..]);
        let name = self.name(start, &TAG_NAME_END);
        let Some((at, is_empty)) = self.read_attributes(name.end()) else {
            self.at = self.bytes.len();
            self.attributes.clear();
            return HtmlToken::Unfinished(Span::new(start, self.at));
        };
        self.at = at;
        let tag = Span::new(open, at);
        if is_end {
            if self.is_foreign() && is_foreign_root(self.slice(name)) {
                self.foreign -= 1;
            }
            return HtmlToken::End { name, tag };
        }
        self.open(name, is_empty);
        HtmlToken::Start { name, tag }
    }

    /// Updates the state after a start tag, which may end in `/>`.
    fn open(&mut self, name: Span, is_empty: bool) {
        let bytes = self.slice(name);
        if self.is_foreign() && breaks_out(bytes) {
            self.foreign = 0;
        }
        let closed = is_empty && (self.is_foreign() || self.is_xml);
        if is_foreign_root(bytes) {
            self.foreign += usize::from(!is_empty);
        } else if bytes.eq_ignore_ascii_case(b"html") {
            // XML syntax, though the start of the document may not say so.
            let is_xmlns = |attribute: &Attribute| self.slice(attribute.name) == b"xmlns";
            if self.attributes.iter().any(is_xmlns) {
                self.is_xml = true;
            }
        } else if !closed && !self.is_foreign() {
            self.raw = RawElement::of(bytes).map(|raw| (raw, name));
        }
    }

    /// Reads the attributes up to the end of a tag, and that; true if it is `/>`.
    #[inline]
    fn read_attributes(&mut self, from: usize) -> Option<(usize, bool)> {
        self.attributes.clear();
        match self.bytes.get(from) {
            Some(b'>') => Some((from + 1, false)),
            _ => self.read_some_attributes(from),
        }
    }

    fn read_some_attributes(&mut self, from: usize) -> Option<(usize, bool)> {
        let (mut at, mut is_empty) = (from, false);
        loop {
            match *self.bytes.get(at)? {
                b'>' => return Some((at + 1, is_empty)),
                b'/' => is_empty = true,
                c if is_space(c) => is_empty = false,
                _ => {
                    is_empty = false;
                    at = self.attribute(at)?;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Reads an attribute and returns its end.
    fn attribute(&mut self, start: usize) -> Option<usize> {
        // A leading `=` is part of the name.
        let first = start + usize::from(self.bytes.get(start) == Some(&b'='));
        let name = Span::new(start, self.name(first, &ATTRIBUTE_NAME_END).end());
        let mut push = |value, is_words, form| {
            self.attributes.push(Attribute { name, value, is_words, form });
        };
        let absent = Span::new(name.end(), name.end());
        let mut at = name.end();
        // Seldom is there white space around it.
        if self.bytes.get(at) != Some(&b'=') {
            at = skip_space(self.bytes, at);
            if *self.bytes.get(at)? != b'=' {
                push(absent, true, AttributeForm::Absent);
                return Some(at);
            }
        }
        at += 1;
        if self.bytes.get(at) != Some(&b'"') {
            at = skip_space(self.bytes, at);
        }
        match *self.bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                let value = at + 1;
                let words = value + words(self.bytes.clamped(value..));
                let end = find(self.bytes, quote, words)?;
                push(Span::new(value, end), words == end, AttributeForm::Quoted);
                Some(end + 1)
            }
            b'>' => {
                push(absent, true, AttributeForm::Absent);
                Some(at)
            }
            _ => {
                let value = self.bytes.get(at..)?;
                let len = value.iter().position(|&c| c == b'>' || is_space(c));
                work_counter::add(len.unwrap_or(value.len()));
                let end = at + len?;
                let is_words = is_words(value.clamped(..end - at));
                push(Span::new(at, end), is_words, AttributeForm::Bare);
                Some(end)
            }
        }
    }

    /// Reads the attributes of a processing instruction, which are written like those of a tag; false if it
    /// has none. The `>` after it follows.
    pub fn read_instruction(&mut self, inside: Span) -> bool {
        let end = self.read_attributes(inside.start());
        // The `?` before the `>`.
        if self.attributes.last().is_some_and(|a| self.slice(a.name) == b"?") {
            self.attributes.pop();
        }
        end.is_some_and(|(end, _)| end == inside.end() + 1)
    }

    /// The end of the text without tags (§13.2.5.12–14), where the end tag starts.
    fn raw_end(&self, raw: RawElement, name: Span) -> usize {
        let end = match raw {
            RawElement::Plain => None,
            RawElement::Script => self.script_end(),
            _ => {
                let mut ends = memchr::memchr_iter(b'<', self.rest(self.at));
                ends.find_map(|at| {
                    let at = self.at + at;
                    self.is_end_tag(at, self.slice(name)).then_some(at)
                })
            }
        };
        let end = end.unwrap_or(self.bytes.len());
        work_counter::add(end - self.at);
        end
    }

    /// The end of a script: an end tag does not count after both `<!--` and a start tag (§13.2.5.15–31).
    fn script_end(&self) -> Option<usize> {
        enum ScriptState {
            Script,
            Comment,
            ScriptInComment,
        }
        let (mut state, mut from) = (ScriptState::Script, self.at);
        loop {
            let rest = self.bytes.get(from..)?;
            let at = from
                + match state {
                    ScriptState::Script => memchr(b'<', rest)?,
                    _ => memchr2(b'<', b'-', rest)?,
                };
            from = at + 1;
            let rest = self.rest(at);
            state = match state {
                ScriptState::Script | ScriptState::Comment if self.is_end_tag(at, b"script") => {
                    return Some(at);
                }
                ScriptState::Script if rest.starts_with(b"<!--") => {
                    from = at + 2;
                    ScriptState::Comment
                }
                ScriptState::ScriptInComment if self.is_end_tag(at, b"script") => {
                    ScriptState::Comment
                }
                ScriptState::Comment
                    if self.is_tag(at + 1, b"script") && rest.first() == Some(&b'<') =>
                {
                    ScriptState::ScriptInComment
                }
                ScriptState::Comment | ScriptState::ScriptInComment if rest.starts_with(b"-->") => {
                    ScriptState::Script
                }
                state => state,
            };
        }
    }

    fn is_end_tag(&self, at: usize, name: &[u8]) -> bool {
        self.rest(at).starts_with(b"</") && self.is_tag(at + 2, name)
    }

    fn is_tag(&self, at: usize, name: &[u8]) -> bool {
        let (found, after) = match self.rest(at).split_at_checked(name.len()) {
            Some((found, [after, ..])) => (found, *after),
            _ => return false,
        };
        found.eq_ignore_ascii_case(name) && (matches!(after, b'/' | b'>') || is_space(after))
    }

    /// From here to the first byte that `ends` has.
    fn name(&self, start: usize, ends: &ByteTable<bool>) -> Span {
        let rest = self.rest(start);
        let len = rest.iter().position(|&c| ends.of(c)).unwrap_or(rest.len());
        work_counter::add(len);
        Span::new(start, start + len)
    }

    fn find(&self, byte: u8, from: usize) -> Option<usize> {
        find(self.bytes, byte, from)
    }

    fn rest(&self, at: usize) -> &'d [u8] {
        self.bytes.clamped(at..)
    }

    fn slice(&self, span: Span) -> &'d [u8] {
        self.bytes.part(span.range())
    }
}

static TAG_NAME_END: ByteTable<bool> =
    byte_table!(byte => matches!(byte, b'/' | b'>') || is_space(byte));

static ATTRIBUTE_NAME_END: ByteTable<bool> =
    byte_table!(byte => matches!(byte, b'/' | b'>' | b'=') || is_space(byte));

/// The elements with foreign content (§13.2.6.5).
fn is_foreign_root(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"svg") || name.eq_ignore_ascii_case(b"math")
}

/// The elements of HTML that end all of SVG and MathML around them (§13.2.6.5).
fn breaks_out(name: &[u8]) -> bool {
    const NAMES: &str = " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head \
        hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var ";
    let mut names = NAMES.split_ascii_whitespace();
    names.any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

fn find(bytes: &[u8], byte: u8, from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    // After words it is often right here.
    let found = match rest.first() {
        Some(&first) if first == byte => Some(0),
        _ => memchr(byte, rest),
    };
    work_counter::add(found.unwrap_or(rest.len()));
    Some(from + found?)
}

fn skip_space(bytes: &[u8], from: usize) -> usize {
    from + bytes.clamped(from..).leading(is_space)
}

/// ASCII white space (Infra Standard §4.6).
pub(super) const fn is_space(c: u8) -> bool {
    matches!(c, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}
