//! Splits bytes into tags, text, comments, and other tokens (HTML Standard §13.2.5).
//!
//! This is the tokenizer of the standard, without the parts that only a tree needs: references stay
//! encoded, and names keep their case. In return, every token is a span.
//!
//! Invariants: tokens are in order and do not overlap. Every byte is in a token, except for
//! delimiters (`<!--`, `</`) and `</>`. A byte is looked at a bounded number of times. End tags
//! have attributes, and attributes may be duplicated, because both can contain an address.

use memchr::{memchr, memchr2, memchr3, memmem};

use super::decode::SPECIAL;
use super::name::{HtmlName, IN_ATTRIBUTE_NAME, IN_TAG_NAME, packed};
use super::words::{is_words, words};
use crate::byte_table::ByteTable;
use crate::slice::{ByteRuns as _, SliceExt as _};
use crate::span::Span;
use crate::work_counter;

#[derive(Clone, Copy, Debug)]
pub(super) enum HtmlToken {
    /// Text of words only, with nothing to decode or find in it.
    Words(Span),
    /// Any other text.
    Text {
        text: Span,
        form: TokenTextForm,
    },
    Cdata(Span),
    /// Text in an element that cannot contain tags.
    Raw {
        raw: RawElement,
        name: HtmlName,
        text: Span,
    },
    /// A start tag, whose attributes are in [`Tokens::attributes`].
    Start {
        name: HtmlName,
        tag: Span,
    },
    /// An end tag, whose attributes are there, too, although browsers ignore them.
    End {
        name: HtmlName,
        tag: Span,
    },
    Comment(Span),
    Doctype(Span),
    /// The inside of `<?…>`.
    Instruction(Span),
    /// The inside of any other `<!…>`.
    Declaration(Span),
    /// A tag cut off by the end of the document.
    Unfinished(Span),
}

/// Tells whether a text must be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenTextForm {
    Plain,
    /// It has a byte that may start a character reference or a soft hyphen.
    Encoded,
}

/// Elements that cannot contain tags, by the treatment of their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawElement {
    Script,
    Style,
    /// `title` and `textarea`, with character references.
    Escapable,
    /// `iframe` and `xmp`.
    Text,
    /// `plaintext`, up to the end of the document.
    Plain,
}

impl RawElement {
    /// `noscript`, `noframes`, and `noembed` are left out: browsers that ignore scripts see tags in
    /// them.
    fn from_name(name: HtmlName, bytes: &[u8]) -> Option<Self> {
        match name.packed() {
            XMP | IFRAME => Some(Self::Text),
            STYLE => Some(Self::Style),
            TITLE | TEXTAREA => Some(Self::Escapable),
            SCRIPT => Some(Self::Script),
            // The only name of more than eight bytes.
            0 if bytes.eq_ignore_ascii_case(b"plaintext") => Some(Self::Plain),
            _ => None,
        }
    }

    /// In SVG and MathML, these elements may contain tags, but their text is still code.
    pub fn of_foreign(name: HtmlName) -> Option<Self> {
        match name.packed() {
            STYLE => Some(Self::Style),
            SCRIPT => Some(Self::Script),
            _ => None,
        }
    }
}

const XMP: u64 = packed("xmp");
const IFRAME: u64 = packed("iframe");
const STYLE: u64 = packed("style");
const TITLE: u64 = packed("title");
const TEXTAREA: u64 = packed("textarea");
const SCRIPT: u64 = packed("script");
const HTML: u64 = packed("html");
const SVG: u64 = packed("svg");
const MATH: u64 = packed("math");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeForm {
    Absent,
    Bare,
    Quoted,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub name: HtmlName,
    pub value: Span,
    /// True if the value is made of words only.
    pub is_words: bool,
    pub form: AttributeForm,
}

// A full tokenizer would be html5gum, but it drops duplicate attributes and attributes of end tags,
// and decodes without a map to the source (docs/decisions/0007). A property test holds these tokens
// against its tokens.
#[derive(Debug)]
pub(super) struct Tokens<'d> {
    bytes: &'d [u8],
    at: usize,
    /// True if XML rules apply where HTML differs: `<script/>` and CDATA sections.
    is_xml: bool,
    /// Number of open SVG and MathML elements.
    foreign: usize,
    /// Element without tags that the last token opened, and its name.
    raw: Option<(RawElement, HtmlName)>,
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

    /// Returns the attributes of the last tag. Most `class="…"` made of words are left out.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// True inside SVG and MathML, where `style` and `script` are ordinary elements.
    pub fn is_foreign(&self) -> bool {
        self.foreign > 0
    }

    pub fn next(&mut self) -> Option<HtmlToken> {
        if let Some((raw, name)) = self.raw {
            self.raw = None;
            let end = self.raw_end(raw, name);
            let text = Span::new(self.at, end);
            self.at = end;
            if !text.is_empty() {
                return Some(HtmlToken::Raw { raw, name, text });
            }
        }
        // Fast path: most tags directly follow another tag, or words.
        // Checked before the loop below, which first looks for words.
        match self.rest(self.at) {
            [b'<', c, ..] if c.is_ascii_alphabetic() => return Some(self.start_tag()),
            [b'<', b'/', c, ..] if c.is_ascii_alphabetic() => return Some(self.end_tag()),
            _ => {}
        }
        loop {
            let start = self.at;
            let end = start + words(self.rest(start));
            if end < self.bytes.len() && !self.is_markup(end) {
                return Some(self.text(start, end));
            }
            if end > start {
                self.at = end;
                return Some(HtmlToken::Words(Span::new(start, end)));
            }
            match self.rest(start) {
                [] => return None,
                // `</>` makes nothing at all (§13.2.5.7).
                [b'<', b'/', b'>', ..] => self.at = start + 3,
                _ => return Some(self.markup()),
            }
        }
    }

    /// Reads the text from `start` to the next markup, which is not before `from`.
    fn text(&mut self, start: usize, mut from: usize) -> HtmlToken {
        let mut form = TokenTextForm::Plain;
        self.at = loop {
            let found = match form {
                TokenTextForm::Plain => self.find_special(from),
                TokenTextForm::Encoded => self.find(b'<', from),
            };
            match found {
                Some(at) if self.bytes.get(at) != Some(&b'<') => {
                    form = TokenTextForm::Encoded;
                    from = at;
                }
                Some(at) if self.is_markup(at) => break at,
                Some(at) => from = at + 1,
                None => break self.bytes.len(),
            }
        };
        HtmlToken::Text { text: Span::new(start, self.at), form }
    }

    /// Returns the next `<`, or an earlier byte that may need decoding.
    fn find_special(&self, from: usize) -> Option<usize> {
        let [reference, hyphen] = SPECIAL;
        let found = memchr3(b'<', reference, hyphen, self.rest(from));
        work_counter::add(found.unwrap_or(self.bytes.len() - from));
        Some(from + found?)
    }

    /// True for a `<` that starts markup.
    #[inline(always)]
    fn is_markup(&self, at: usize) -> bool {
        match self.rest(at) {
            // Even `</` before another character is markup: it starts a bogus comment.
            [b'<', b'/', rest @ ..] => !rest.is_empty(),
            [b'<', c, ..] => c.is_ascii_alphabetic() || matches!(c, b'!' | b'?'),
            _ => false,
        }
    }

    /// Reads the token that starts with the `<` at the current offset.
    fn markup(&mut self) -> HtmlToken {
        let at = self.at;
        match self.rest(at + 1) {
            [c, ..] if c.is_ascii_alphabetic() => self.start_tag(),
            [b'/', c, ..] if c.is_ascii_alphabetic() => self.end_tag(),
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
            _ => HtmlToken::Instruction(self.until(b'>', at + 2)),
        }
    }

    /// Reads up to the next `byte`, which is consumed, or to the end.
    fn until(&mut self, byte: u8, from: usize) -> Span {
        let end = self.find(byte, from);
        self.at = end.map_or(self.bytes.len(), |end| end + 1);
        Span::new(from, end.unwrap_or(self.at))
    }

    /// Reads a comment up to `-->` or `--!>`. `<!-->` and `<!--->` are comments, too.
    fn comment(&mut self, inside: usize) -> Span {
        // `<!-->` and `<!--->` are whole comments (§13.2.5.43, §13.2.5.44).
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
            // `--!>` is an error, and ends a comment all the same (§13.2.5.52).
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

    #[inline]
    fn start_tag(&mut self) -> HtmlToken {
        let open = self.at;
        let name = self.name(open + 1, &IN_TAG_NAME);
        let Some(is_empty) = self.read_attributes(name.span.end()) else {
            return self.unfinished(open + 1);
        };
        self.open(name, is_empty);
        HtmlToken::Start { name, tag: Span::new(open, self.at) }
    }

    #[inline]
    fn end_tag(&mut self) -> HtmlToken {
        let open = self.at;
        let name = self.name(open + 2, &IN_TAG_NAME);
        if self.bytes.get(name.span.end()) == Some(&b'>') {
            // Fast path: nearly all end tags have no attributes.
            self.attributes.clear();
            self.at = name.span.end() + 1;
        } else if self.read_attributes(name.span.end()).is_none() {
            return self.unfinished(open + 2);
        }
        if self.is_foreign() && is_foreign_root(name) {
            self.foreign -= 1;
        }
        HtmlToken::End { name, tag: Span::new(open, self.at) }
    }

    fn unfinished(&mut self, start: usize) -> HtmlToken {
        self.at = self.bytes.len();
        self.attributes.clear();
        HtmlToken::Unfinished(Span::new(start, self.at))
    }

    /// Updates the state after a start tag; `is_empty` if it ends in `/>`.
    #[inline]
    fn open(&mut self, name: HtmlName, is_empty: bool) {
        // A misplaced HTML element ends foreign content in browsers, so `<style>` after it is raw
        // again.
        if self.is_foreign() && breaks_out(self.slice(name.span)) {
            self.foreign = 0;
        }
        if is_foreign_root(name) {
            // `<svg/>` opens nothing: in foreign content, a slash closes the element (§13.2.6.5).
            self.foreign += usize::from(!is_empty);
        } else if name.packed() == HTML {
            // An `xmlns` attribute implies XML, even without an XML declaration.
            let is_xmlns = |attribute: &Attribute| self.slice(attribute.name.span) == b"xmlns";
            if self.attributes.iter().any(is_xmlns) {
                self.is_xml = true;
            }
        } else if !(self.is_foreign() || is_empty && self.is_xml) {
            self.raw = RawElement::from_name(name, self.slice(name.span)).map(|raw| (raw, name));
        }
    }

    /// Reads the attributes and the end of a tag. True if it ends in `/>`; `None` if the document
    /// ends first.
    #[inline]
    fn read_attributes(&mut self, from: usize) -> Option<bool> {
        self.attributes.clear();
        let (mut at, mut is_empty) = (from, false);
        loop {
            match *self.bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(is_empty);
                }
                // A slash closes the tag only right before its `>` (§13.2.5.40).
                b'/' => is_empty = true,
                c if is_space(c) => {
                    is_empty = false;
                    if let Some(after) = self.class(at + 1) {
                        at = after;
                        continue;
                    }
                }
                _ => {
                    is_empty = false;
                    at = self.attribute(at)?;
                    continue;
                }
            }
            at += 1;
        }
    }

    /// Returns the end of a class of words that follows white space. Half of all attributes are
    /// such classes, and they are never needed. Without white space before it, the text may belong
    /// to another name.
    #[inline(always)]
    fn class(&self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        // Skipping these, and tags with known names, took a search of libstdc++'s manual from 5,980
        // to 5,518 million instructions.
        let value = rest.strip_prefix(b"class=\"")?;
        let length = words(value);
        let before = rest.len() - value.len();
        (value.get(length) == Some(&b'"')).then_some(at + before + length + 1)
    }

    /// Reads an attribute and returns its end.
    fn attribute(&mut self, start: usize) -> Option<usize> {
        let mut name = self.name(start, &IN_ATTRIBUTE_NAME);
        if name.span.is_empty() {
            // A leading `=` belongs to the name.
            name = HtmlName::unusual(Span::new(
                start,
                self.name(start + 1, &IN_ATTRIBUTE_NAME).span.end(),
            ));
        }
        let end = name.span.end();
        let (value, is_words, form) = match self.rest(end) {
            // Fast path: nearly all values follow directly in double quotes.
            [b'=', b'"', ..] => self.quoted(b'"', end + 2)?,
            _ => {
                let at = skip_space(self.bytes, end);
                match *self.bytes.get(at)? {
                    b'=' => self.value(skip_space(self.bytes, at + 1))?,
                    _ => (Span::new(at, at), true, AttributeForm::Absent),
                }
            }
        };
        let after = value.end() + usize::from(form == AttributeForm::Quoted);
        let value = if form == AttributeForm::Absent { Span::new(end, end) } else { value };
        self.attributes.push(Attribute { name, value, is_words, form });
        Some(after)
    }

    /// Reads the value after a `=`; a missing value is empty.
    fn value(&self, at: usize) -> Option<(Span, bool, AttributeForm)> {
        let value = self.rest(at);
        Some(match *value.first()? {
            quote @ (b'"' | b'\'') => self.quoted(quote, at + 1)?,
            // In `<a href=>`, the value is missing (§13.2.5.35).
            b'>' => (Span::new(at, at), true, AttributeForm::Absent),
            _ => {
                let length = value.iter().position(|&c| c == b'>' || is_space(c));
                work_counter::add(length.unwrap_or(value.len()));
                let span = Span::new(at, at + length?);
                (span, is_words(self.slice(span)), AttributeForm::Bare)
            }
        })
    }

    /// Reads the value after its opening quote.
    #[inline(always)]
    fn quoted(&self, quote: u8, at: usize) -> Option<(Span, bool, AttributeForm)> {
        let words = at + words(self.rest(at));
        let end = find(self.bytes, quote, words)?;
        Some((Span::new(at, end), words == end, AttributeForm::Quoted))
    }

    /// Reads the attributes of a processing instruction, which look like those of a tag; false if
    /// there are none. `inside` must be followed by `>`.
    pub fn read_instruction(&mut self, inside: Span) -> bool {
        // The instruction was already consumed, so parse its inside and restore the offset.
        let after = self.at;
        let is_read = self.read_attributes(inside.start()).is_some();
        let is_all = is_read && self.at == inside.end() + 1;
        self.at = after;
        // Remove the `?` before the `>`.
        if self.attributes.last().is_some_and(|a| self.slice(a.name.span) == b"?") {
            self.attributes.pop();
        }
        is_all
    }

    /// Returns the start of the end tag of an element without tags (§13.2.5.12–14).
    fn raw_end(&self, raw: RawElement, name: HtmlName) -> usize {
        let end = match raw {
            RawElement::Plain => None,
            RawElement::Script => self.script_end(),
            _ => {
                // The end tag must have the name of the element; other tags are text here.
                let mut ends = memchr::memchr_iter(b'<', self.rest(self.at));
                ends.find_map(|at| {
                    let at = self.at + at;
                    self.is_end_tag(at, self.slice(name.span)).then_some(at)
                })
            }
        };
        let end = end.unwrap_or(self.bytes.len());
        work_counter::add(end - self.at);
        end
    }

    /// Returns the end of a script. After both `<!--` and a start tag, an end tag does not count
    /// (§13.2.5.15–31).
    fn script_end(&self) -> Option<usize> {
        // Old pages hide scripts from old browsers in comments, and such a script may write another
        // one: `<!-- document.write("<script>…</script>") -->`.
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
                    // Its hyphens may be those of the end: `<!-->`.
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

    #[inline(always)]
    fn name(&self, start: usize, ends: &ByteTable<u8>) -> HtmlName {
        HtmlName::read(self.rest(start), start, ends)
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

/// True for the roots of foreign content (§13.2.6.5).
fn is_foreign_root(name: HtmlName) -> bool {
    matches!(name.packed(), SVG | MATH)
}

/// True for HTML elements that close all SVG and MathML elements around them (§13.2.6.5).
fn breaks_out(name: &[u8]) -> bool {
    const NAMES: &str = " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head \
        hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var ";
    let mut names = NAMES.split_ascii_whitespace();
    names.any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

fn find(bytes: &[u8], byte: u8, from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    // Fast path: after words, the byte is often right here.
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

/// True for ASCII white space (Infra Standard §4.6).
pub(super) const fn is_space(c: u8) -> bool {
    matches!(c, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}
