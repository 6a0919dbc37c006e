//! Trims the right end of a run: labels, soft characters, marks, dots (D2.3, D3.7, D4.3–D4.5).
//!
//! Each step only moves the end to the left over the characters it drops, so all steps take linear
//! time.

use super::byte_class::starts_with;
use super::char_reference::{self, CharReference};
use super::email::is_top;
use super::rejoin::leaves_paren_open;
use super::run::{UriRun, starts_ellipsis};
use super::text_view::{TextView, first_char, last_char};
use super::wrapper::{WrapperContext, opens_emphasis};
use crate::grammar::table::is_uri_byte;
use crate::kind::{Flag, Flags};
use crate::registry::{LinkTerm, ListLookup, is_default_ignorable, link_term, slots, words};
use crate::scheme::is_tagging_entity;
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::trace::Trace;
use crate::work_counter;

/// Longest `[label]` that ends a URI before it; a longer one belongs to the URI.
const MAX_LABEL_LENGTH: usize = 256;

/// Most bytes between the start of a comment and a URI at its end.
const MAX_COMMENT_LENGTH: usize = 96;

/// Sections of git's configuration that have a URI in their names (D3.7).
pub(super) const SECTIONS: [&[u8]; 3] = [b"credential.", b"http.", b"url."];

/// Tags of BBCode and of Rich's markup around URIs.
const TAGS: [&[u8]; 12] = [
    b"b", b"code", b"color", b"email", b"i", b"img", b"link", b"list", b"quote", b"size", b"u",
    b"url",
];

/// A run without trailing characters that are not part of the URI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrimmedRun {
    pub end: usize,
    pub flags: Flags,
    /// True if the marks before the scheme were closed (D3.7).
    pub marks_closed: bool,
}

/// Most bytes of a remark after the space in it.
const MAX_REMARK_LENGTH: usize = 96;

/// Longest name of a setting.
const MAX_SETTING_LENGTH: usize = 48;

/// Fewest marks in a row that frame a URI.
const FRAME_MARKS: usize = 3;

/// Bytes of a URI in which the marks that opened before it may close, or the next setting may
/// start.
const MAX_SEARCHED_LENGTH: usize = 4096;

/// Returns where in a URI the `**` closes that opened before it (D3.7).
fn bold_closer(text: &[u8], context: &WrapperContext<'_>) -> Option<usize> {
    // D3.7: one star may be a wildcard, and underscores are common in paths.
    if context.marks != b"**" {
        return None;
    }
    let near = text.clamped(..MAX_SEARCHED_LENGTH);
    crate::memmem::find(near, b"**").filter(|&at| {
        at > 0 && text.get(at + 2).is_some_and(|&b| b.is_ascii_alphabetic() || b >= 0x80)
    })
}

/// Returns the end of the character after the `**` that closes in this text, the rest of a URI and
/// what follows it.
pub(super) fn bold_end(text: &[u8], context: &WrapperContext<'_>) -> Option<usize> {
    let letter = bold_closer(text, context)? + 2;
    let is_inside = |b: u8| (0x80..0xC0).contains(&b);
    Some(letter + 1 + text.clamped(letter + 1..letter + 4).leading(is_inside))
}

/// D4.5: true if dots at the end of `uri` say that its author cut it.
pub(super) fn ends_in_dots(uri: &[u8]) -> bool {
    uri.ends_with(b"...") || uri.ends_with("…".as_bytes())
}

/// D4.5: true if dots stand where an exact URI has a segment or a value. After a word they may
/// belong to a title, `Wait...`.
pub(super) fn ends_in_dots_alone(uri: &[u8]) -> bool {
    let before = uri.strip_suffix(b"...").or_else(|| uri.strip_suffix("…".as_bytes()));
    before.is_some_and(|uri| matches!(uri.last(), Some(b'/' | b'=' | b'?' | b'&' | b'#')))
}

/// D4.7: returns where in a URI and what follows it the next setting of a connection string starts,
/// and where its name ends: `Endpoint=http://a.example/;AccountKey=x`. The URI is the value of a
/// setting. Names of settings start with capitals, those of the parameters of a path do not
/// (`;jsessionid=x`).
fn next_setting(text: &[u8], before: &[u8]) -> Option<(usize, usize)> {
    let name = before.strip_suffix(b"=")?;
    let name = name.tail(name.tail(MAX_SETTING_LENGTH).trailing(|b| b.is_ascii_alphanumeric()));
    if name.len() < 2 || !name.first().is_some_and(u8::is_ascii_uppercase) {
        return None;
    }
    let near = text.clamped(..MAX_SEARCHED_LENGTH);
    let mut at = 0;
    loop {
        // Step by step, because a text may have a URI and the next setting every few bytes.
        let part = near.part(at..).leading(|b| is_uri_byte(b) && !matches!(b, b';' | b'?' | b'#'));
        at += part;
        work_counter::add(part);
        let name = near.part(at..).strip_prefix(b";")?;
        let length = name.clamped(..MAX_SETTING_LENGTH).leading(|b| b.is_ascii_alphanumeric());
        if length > 1
            && name.first().is_some_and(u8::is_ascii_uppercase)
            && name.get(length) == Some(&b'=')
        {
            return Some((at, at + 1 + length));
        }
        at += 1;
    }
}

/// Returns the end of the name of the next setting.
pub(super) fn setting_end(text: &[u8], context: &WrapperContext<'_>) -> Option<usize> {
    next_setting(text, context.before).map(|(_, end)| end + 1)
}

impl TrimmedRun {
    /// Keeps the whole run, because its author delimited it exactly (D3.8).
    pub fn whole(run: &UriRun) -> Self {
        Self { end: run.end, flags: Flags::default(), marks_closed: false }
    }
}

pub(crate) fn trim(
    view: &TextView<'_>,
    run: &UriRun,
    context: &WrapperContext<'_>,
    body: usize,
    trace: &mut Trace,
) -> TrimmedRun {
    let mut trimmer = RunTrimmer {
        view,
        run,
        end: run.end,
        body,
        flags: Flags::default(),
        marks_closed: false,
        trace,
    };
    // These three need the end of the run itself, so they come before any trim.
    trimmer.arrow(context);
    trimmer.format_breaks(context.before);
    trimmer.bold(context);
    trimmer.setting(context.before);
    trimmer.remark(context.before);
    trimmer.frame(context.before);
    trimmer.next_setting(context.before);
    // Dropping one kind of character may expose another: `**http://a.example/**.` ends in a full
    // stop, then in marks. So the steps repeat until none applies.
    while trimmer.marks(context)
        || trimmer.emphasis(context)
        || trimmer.texinfo_brace(context.before)
        || trimmer.comment(context.before)
        || trimmer.label(context.before)
        || trimmer.soft()
        || trimmer.percent()
        || trimmer.hyphen()
    {}
    // After the loop: `'s` counts only if nothing else is left after the authority (D4.4).
    trimmer.possessive();
    trimmer.elided();
    TrimmedRun { end: trimmer.end, flags: trimmer.flags, marks_closed: trimmer.marks_closed }
}

struct RunTrimmer<'t, 'v> {
    view: &'t TextView<'v>,
    run: &'t UriRun,
    end: usize,
    body: usize,
    flags: Flags,
    marks_closed: bool,
    trace: &'t mut Trace,
}

impl RunTrimmer<'_, '_> {
    fn cut(&mut self, end: usize, rule: &'static str, what: &'static str) {
        let source = |at| self.view.source_end(at);
        if self.trace.is_on() {
            let span = Span::new(source(end), source(self.end));
            self.trace.note(rule, what, span);
        }
        self.end = end;
    }

    fn text(&self) -> &[u8] {
        self.view.text.part(self.body..self.end)
    }

    /// D4.3: drops the `-` of an arrow `->` and of the end of a comment, `-->`.
    fn arrow(&mut self, context: &WrapperContext<'_>) {
        let hyphens = self.text().trailing(|b| b == b'-');
        let after = self.view.from(self.end);
        // In a string inside a page, the `>` of `-->` may be written by its code.
        let is_arrow = after.first() == Some(&b'>')
            || hyphens > 1 && (starts_with(after, b"\\x3e") || starts_with(after, b"\\u003e"));
        // Inside `<…>` the `>` closes the wrapper, and the hyphen belongs to the URI.
        if hyphens > 0 && context.angle.is_none() && is_arrow {
            let continues = matches!(after, [b'>', letter, ..] if letter.is_ascii_alphanumeric());
            let is_host = self.end == self.run.authority_end && self.run.host.0 < self.end;
            self.cut(self.end - hyphens, "D4.3", "the shaft of an arrow");
            if continues && is_host && self.is_half_host() {
                self.flags.set(Flag::MaybeCut);
            }
        }
    }

    /// D4.3: drops the line breaks at the end of a format of Erlang or Lisp,
    /// `"… http://a.example/x~n"`.
    fn format_breaks(&mut self, before: &[u8]) {
        if self.view.byte(self.end) != Some(b'"') {
            return;
        }
        let text = self.text();
        let uri = text.len() - format_breaks(text);
        // A string that is only a URI may lead to the page of a user: `"http://a.example/~n"`.
        let is_whole = before.ends_with(b"\"") && text.part(..uri).ends_with(b"/");
        if uri < text.len() && !is_whole {
            self.cut(self.body + uri, "D4.3", "a line break of a format");
        }
    }

    /// D3.7: drops the marks that opened directly before the scheme.
    fn marks(&mut self, context: &WrapperContext<'_>) -> bool {
        if self.marks_closed {
            return false;
        }
        let count = context.marks.len();
        let start = self.text().len().checked_sub(count);
        let closes = start.is_some_and(|at| at > 0 && context.marks_start(self.text().part(at..)));
        // An authority already ended before its marks.
        let closed = context.marks_start(self.view.from(self.end));
        if closes {
            self.cut(self.end - count, "D3.7", "the marks that opened before it");
        }
        if closes || closed {
            self.marks_closed = true;
        }
        closes
    }

    /// D3.7: drops stars or underscores that opened earlier in the line or paragraph.
    fn emphasis(&mut self, context: &WrapperContext<'_>) -> bool {
        let Some(&mark @ (b'*' | b'_')) = self.text().last() else { return false };
        let row = self.text().trailing(|b| b == mark);
        // A quotation mark that opened after the marks closes before them.
        let behind = first_char(self.view.from(self.run.end));
        if context.is_quote() && behind.is_some_and(|(c, _)| context.closers.contains(&c)) {
            return false;
        }
        let closes = !self.marks_closed && opens_emphasis(context.before, mark, row);
        if closes {
            let end = self.end - row;
            self.cut(end, "D3.7", "an emphasis that opened in the line");
            self.marks_closed = true;
        }
        closes
    }

    /// D3.7: drops the first `**` in the URI and what follows, if a letter does and `**` opened
    /// directly before the scheme: `**http://a.example/x**Text`. No pattern, `/**/`, has a letter
    /// there.
    fn bold(&mut self, context: &WrapperContext<'_>) {
        if let Some(at) = bold_closer(self.text(), context) {
            self.cut(self.body + at, "D3.7", "the marks that opened before it");
            self.marks_closed = true;
        }
    }

    /// Drops the name of a setting of git after the URI that it is for:
    /// `credential.https://a.example.username` (D3.7).
    fn setting(&mut self, before: &[u8]) {
        #[rustfmt::skip]
        const NAMES: [&[u8]; 12] = [
            b"cookieFile", b"extraHeader", b"helper", b"insteadOf", b"provider", b"proxy",
            b"pushInsteadOf", b"sslCert", b"sslKey", b"sslVerify", b"useHttpPath", b"username",
        ];
        let text = self.text();
        let is_setting = SECTIONS.iter().any(|section| before.ends_with(section));
        let Some(dot) = memchr::memrchr(b'.', text).filter(|_| is_setting) else { return };
        let name = text.part(dot + 1..);
        if NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            self.cut(self.body + dot, "D3.7", "a setting of git");
        }
    }

    /// D4.2: drops a remark in parentheses that closes after a space,
    /// `http://a.example/x(in Chinese)`. After a mark that joins two words, the name may continue
    /// there: `/wiki/Foo_(bar baz)`.
    fn remark(&mut self, before: &[u8]) {
        let Some(paren) = self.run.open_paren.filter(|_| self.view.byte(self.end) == Some(b' '))
        else {
            return;
        };
        let near = self.view.from(self.end).clamped(..MAX_REMARK_LENGTH);
        let inside = near.part(..near.leading(|b| !matches!(b, b'(' | b')' | b'\n')));
        work_counter::add(inside.len());
        let line = before.tail(before.trailing(|b| b != b'\n'));
        if near.get(inside.len()) != Some(&b')') || leaves_paren_open(line) {
            return;
        }
        self.flags.set(Flag::MaybeCut);
        let is_name = |at: usize| self.view.byte(at).is_some_and(|b| b.is_ascii_alphanumeric());
        let ends = is_name(paren - 1) || self.view.byte(paren - 1) == Some(b'/');
        if ends && is_name(paren + 1) {
            self.cut(paren, "D4.2", "a remark in parentheses");
        }
    }

    /// D4.7: drops the settings after the one whose value the URI is.
    fn next_setting(&mut self, before: &[u8]) {
        if let Some((at, _)) = next_setting(self.text(), before) {
            self.cut(self.body + at, "D4.7", "the next setting");
        }
    }

    /// D3.7: drops a row of one mark if such a row stands directly before the scheme, as a frame:
    /// `=====http://a.example/=====`.
    fn frame(&mut self, before: &[u8]) {
        let Some(&mark) = before.last().filter(|b| b"=-+~_*#".contains(b)) else { return };
        if before.tail(FRAME_MARKS).trailing(|b| b == mark) < FRAME_MARKS {
            return;
        }
        let row = self.text().trailing(|b| b == mark);
        if row > 1 && row < self.text().len() {
            self.cut(self.end - row, "D3.7", "a frame of marks");
        }
    }

    /// D3.7: drops the `@` of `@{…@}`, Texinfo's braces.
    fn texinfo_brace(&mut self, before: &[u8]) -> bool {
        let closes = before.ends_with(b"@{")
            && self.text().last() == Some(&b'@')
            && self.view.byte(self.end) == Some(b'}');
        if closes {
            self.cut(self.end - 1, "D3.7", "a brace of Texinfo");
        }
        closes
    }

    /// D3.7: drops the end of a comment that opened before the URI in its line:
    /// `/* http://a.example/*/`.
    fn comment(&mut self, before: &[u8]) -> bool {
        // The last byte of an end is hard, or is a closer without its opener.
        let behind = self.view.byte(self.end).filter(|_| self.end == self.run.end);
        let (opener, closer, length): (&[u8], &[u8], usize) = match (self.text(), behind) {
            ([.., b'*', b'/'], _) => (b"/*", b"*/", 2),
            ([.., b'*'], Some(b')')) => (b"(*", b"*)", 1),
            ([.., b'#'], Some(b'}')) => (b"{#", b"#}", 1),
            ([.., b'-'], Some(b'}')) => (b"{-", b"-}", 1),
            _ => return false,
        };
        let line = before.tail(MAX_COMMENT_LENGTH);
        let line = line.tail(line.trailing(|b| b != b'\n'));
        let opened = crate::memmem::rfind(line, opener);
        // `/*` in the path of another URI opens nothing.
        let is_open = opened.is_some_and(|at| {
            line.part(..at).last().is_none_or(|b| b.is_ascii_whitespace() || b";,{}()".contains(b))
                && crate::memmem::rfind(line, closer) < Some(at)
        });
        if is_open {
            self.cut(self.end - length, "D3.7", "the end of a comment");
        }
        is_open
    }

    /// D2.3: drops a `[…]` at the end of the run, which is a label. After `link:` of AsciiDoc it
    /// cannot be anything else.
    fn label(&mut self, before: &[u8]) -> bool {
        let text = self.text();
        if text.last() != Some(&b']') {
            return false;
        }
        let mut depth = 0usize;
        for (back, &byte) in text.iter().rev().take(MAX_LABEL_LENGTH).enumerate() {
            match byte {
                b']' => depth += 1,
                // Cannot underflow: the last byte is a `]`, and the loop ends at depth zero.
                b'[' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let open = text.len() - 1 - back;
                if self.is_part(self.body + open) {
                    return false;
                }
                let label = text.part(open..);
                let is_elided = starts_ellipsis(label);
                // D2.3: no label follows a colon, which a path of VMS has before its directory.
                let may_be_part = starts_optional(label)
                    || text.part(..open).ends_with(b":")
                    || self.body + open > self.run.authority_end
                        && may_be_index(text.part(..open), label);
                if is_elided {
                    self.flags.set(Flag::Elided);
                }
                if may_be_part && !before.ends_with(b"link:") {
                    self.flags.set(Flag::MaybeCut);
                }
                self.cut(self.body + open, "D2.3", "a label");
                return true;
            }
        }
        false
    }

    /// D2.3: true if the `[…]` at `open` that ends the run is part of the URI: an IP literal, a
    /// folder of a mailbox, or the index or value of a name in a query.
    fn is_part(&self, open: usize) -> bool {
        let Self { view, run, .. } = self;
        let starts = |part: Option<usize>| part.is_some_and(|at| at < open);
        let label = view.text.part(open..self.end);
        // The path of an `imap` URI names a mailbox, which may end in brackets (D2.3).
        // A scheme without `//` may start with an IP literal: `sip:[2001:db8::1]`.
        if open < run.authority_end
            || open == self.body
            || starts_with(view.text, b"imap")
            || is_glob(label)
        {
            return true;
        }
        // `…/Sprite_[computer_graphics]`: a label follows a whole word, not the mark that joins
        // two.
        if matches!(view.text.part(..open).last(), Some(b'_' | b'-' | b'=' | b'+' | b'~')) {
            return true;
        }
        // Arrays of PHP and Rails, `ids[]=1`, are in queries. In a path or a fragment a bracket at
        // the end is a label.
        let Some(query) = run.query.filter(|&at| at < open && !starts(run.fragment)) else {
            return false;
        };
        let before = view.text.part(query + 1..open);
        let name = before.tail(MAX_LABEL_LENGTH).rsplit(|&b| matches!(b, b'&' | b';'));
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"_-.[]%".contains(b);
        let names = name.take(1).all(|name| !name.is_empty() && name.iter().all(is_name));
        names || before.last() == Some(&b'=') || label == b"[]"
    }

    /// D4.3: drops characters that may occur in a URI, but do not end it.
    fn soft(&mut self) -> bool {
        let text = self.text();
        let length = match text.last() {
            Some(b';') if char_reference::closes(text) => 0,
            // Without it, a tag is not a URI (RFC 4151 §2.1)
            Some(b':') if self.ends_tag_head() => 0,
            Some(b'\'') if self.run.authority_end > self.body && closes_value(text) => 0,
            // RFC 3986 allows all of them at the end. In text they belong to the sentence far more
            // often (Appendix C).
            Some(b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'') => 1,
            // `wget http://a.example/x&& tar …`: an operator of a shell
            Some(b'&') if text.ends_with(b"&&") => 2,
            // A bracket that opens after a URI. In a URI without an authority it may belong to a
            // program (D1.6).
            Some(b'(') if self.run.authority_end > self.body => 1,
            Some(0x80..) => match last_char(text) {
                Some(c)
                    if is_default_ignorable(c)
                        || is_sentence_mark(c)
                        || link_term(c) == LinkTerm::Soft =>
                {
                    c.len_utf8()
                }
                _ => 0,
            },
            // `wget http://a.example/x;chmod 777 x`: the next command of a shell
            Some(_)
                if self.run.authority_end > self.body && self.view.byte(self.end) == Some(b' ') =>
            {
                command_of_shell(text)
            }
            _ => 0,
        };
        if length > 0 {
            self.cut(self.end - length, "D4.3", "a soft character");
        }
        length > 0
    }

    /// True if the run ends in the colon after the date of a `tag:` URI.
    fn ends_tag_head(&self) -> bool {
        let before = self.view.text.part(..self.body);
        before.len() >= 4
            && before.tail(4).eq_ignore_ascii_case(b"tag:")
            && self.text().strip_suffix(b":").is_some_and(is_tagging_entity)
    }

    /// D4.3: drops a percent sign with fewer than two digits after it.
    fn percent(&mut self) -> bool {
        let length = match self.text() {
            [.., b'%'] => 1,
            [.., b'%', digit] if digit.is_ascii_hexdigit() => 2,
            _ => return false,
        };
        let end = self.end - length;
        self.cut(end, "D4.3", "a percent sign without its digits");
        self.flags.set(Flag::TrimmedPercent);
        true
    }

    /// D4.3: drops the hyphens after a host. At the end of a line they may be the typesetter's
    /// (D5).
    fn hyphen(&mut self) -> bool {
        let hyphens = self.text().trailing(|b| b == b'-');
        let ends_line = matches!(self.view.byte(self.run.end), Some(b'\n' | b'\r'));
        let is_host = self.end == self.run.authority_end && self.run.host.0 < self.end;
        // RFC 1034 §3.5: no label ends in a hyphen. A host of hyphens alone is left for the check
        // of hosts to reject.
        let ends = hyphens > 0 && is_host && !ends_line && hyphens < self.text().len();
        if ends {
            self.cut(self.end - hyphens, "D4.3", "a hyphen after a host");
            // `https://us- east.a.example`, `http://host-[a-z]+`, `ftp://ftp.fu- berlin.de`
            if self.is_half_host() {
                self.flags.set(Flag::MaybeCut);
            }
        }
        ends
    }

    /// True if the URI ends in a host that has no known top-level domain and is not an address.
    /// Most hosts in text have one, so this is more likely a part.
    fn is_half_host(&self) -> bool {
        let host = self.view.text.part(self.run.host.0..self.end);
        let host = host.part(..host.leading(|b| b != b':'));
        let (name, top) = host.split_at(host.len() - host.trailing(|b| b != b'.'));
        !top.is_empty()
            && !top.ends_with(b"]")
            && (name.is_empty() || !top.iter().all(u8::is_ascii_digit) && !is_top(top))
    }

    /// D4.4: drops `'s` directly after an authority.
    fn possessive(&mut self) {
        if self.view.text.get(self.run.authority_end..self.end) == Some(b"'s") {
            self.cut(self.end - 2, "D4.4", "a possessive");
        }
    }

    /// D4.5: flags dots which show that the author shortened the URI.
    fn elided(&mut self) {
        let dropped = self.view.text.part(self.end..self.run.end);
        let after = self.view.from(self.run.end);
        let cut = dropped.windows(3).any(ends_in_dots)
            || after.starts_with("…".as_bytes())
            || after.starts_with(b"...")
            || starts_ellipsis(after)
            || char_reference::read(after) == Some(CharReference::Hard('…'));
        if cut {
            self.flags.set(Flag::Elided);
            let end = self.view.source_end(self.end);
            self.trace.note("D4.5", "cut by its author", Span::new(end, end));
        }
    }
}

/// True if the `'` at the end of `text` closes a value in it: `$filter=name%20eq%20'Milk'`.
fn closes_value(text: &[u8]) -> bool {
    let Some((_, inside)) = text.split_last() else { return false };
    let near = inside.tail(MAX_LABEL_LENGTH);
    let Some(open) = memchr::memrchr(b'\'', near) else { return false };
    let (before, value) = near.split_at(open);
    let opens = before.last().is_some_and(|b| b"=(,[:+".contains(b)) || before.ends_with(b"%20");
    // Two apostrophes in a row open and close nothing.
    opens && value.len() > 1
}

/// D2.3: true if a label looks like an index, `a[b]`: a name in small letters right after one.
fn may_be_index(before: &[u8], label: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let inside = label.strip_prefix(b"[").and_then(|label| label.strip_suffix(b"]"));
    before.last().is_some_and(u8::is_ascii_alphanumeric)
        && inside.is_some_and(|it| it.iter().all(is_name) && it.iter().any(u8::is_ascii_lowercase))
}

/// D2.3: true if `after` starts with the optional part of a template, `s3://NAME[/PATH]`, and not
/// with a closing tag.
pub(super) fn starts_optional(after: &[u8]) -> bool {
    match after {
        [b'[', b'?' | b'&' | b':' | b'#', next, ..] => next.is_ascii_alphanumeric(),
        [b'[', b'/', rest @ ..] => {
            let name = rest.clamped(..MAX_LABEL_LENGTH).leading(|b| b.is_ascii_alphabetic());
            let tag = rest.part(..name);
            let is_tag = match rest.part(name..) {
                [b']', ..] => TAGS.iter().any(|known| known.eq_ignore_ascii_case(tag)),
                // A heading, `[/h2]`
                [b'1'..=b'6', b']', ..] => tag.eq_ignore_ascii_case(b"h"),
                _ => false,
            };
            name > 0 && !is_tag
        }
        _ => false,
    }
}

/// True for `[1-10]`, a range that curl expands to URIs.
fn is_glob(label: &[u8]) -> bool {
    let inside = label.strip_prefix(b"[").and_then(|label| label.strip_suffix(b"]"));
    let ends = inside.and_then(|inside| inside.split_at_checked(memchr::memchr(b'-', inside)?));
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    ends.is_some_and(|(from, to)| is_number(from) && is_number(to.part(1..)))
}

/// True for punctuation that UTS #58 allows at the end of a link (D4.3). It belongs to a sentence
/// or points to a note, and no name ends in it.
fn is_sentence_mark(c: char) -> bool {
    matches!(c, '·' | '・' | '\u{2010}'..='\u{205E}' | '™' | '®' | '©' | '²' | '³' | '¹' | '⁰'..='⁹')
}

/// Returns the length of the line breaks that end a format: `~n` of Erlang, `~%` of Lisp.
#[inline]
pub(super) fn format_breaks(text: &[u8]) -> usize {
    let mut rest = text;
    while let [before @ .., b'~', b'n' | b'%'] = rest {
        rest = before;
    }
    text.len() - rest.len()
}

/// Commands of a shell that often follow the one that fetches a URI.
#[rustfmt::skip]
static COMMANDS: ListLookup<{ slots(40) }> = ListLookup::new(words![
    "apt", "bash", "busybox", "cat", "cd", "chmod", "chown", "cp", "curl", "docker", "echo",
    "exit", "export", "find", "git", "grep", "ls", "make", "mkdir", "mv", "nohup", "npm", "perl",
    "php", "pip", "python", "rm", "sed", "sh", "sleep", "source", "sudo", "tar", "tee", "tftp",
    "touch", "unzip", "wget", "xargs", "yum",
]);

/// Longest of them with its operator, in bytes.
const MAX_COMMAND_LENGTH: usize = 9;

/// D4.3: returns how many bytes at the end of a URI are the next command of a shell and the
/// operator before it: `;chmod`, `&&cd`. RFC 3986 allows both in a URI, and a shell in none without
/// quotes.
fn command_of_shell(uri: &[u8]) -> usize {
    let near = uri.tail(MAX_COMMAND_LENGTH + 1);
    let word = near.trailing(|b| b.is_ascii_lowercase());
    let (before, name) = near.split_at(near.len() - word);
    let operator = match before {
        [.., b'&', b'&'] => 2,
        [.., b';'] => 1,
        _ => return 0,
    };
    if COMMANDS.holds(name) { operator + word } else { 0 }
}
