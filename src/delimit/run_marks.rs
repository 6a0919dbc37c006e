//! Decides whether a mark in a run belongs to the URI: quotation marks, apostrophes, bars, commas,
//! and colons of another URI. The text around the run decides.

use super::byte_class::starts_with;
use super::escape::EscapeDialect;
use super::escape_tex;
use super::host_placeholder;
use super::run::{Closer, MarkRule, RunWalker, SchemeSyntax, StopReason, WalkStep};
use super::separator;
use super::start::{self, AfterColon, MAX_SCHEME_BYTES};
use super::table;
use super::text_view::{first_char, last_char};
use super::wrapper::WrapperEdge;
use crate::error::{ErrorKind, Reason};
use crate::grammar::is_scheme_byte;
use crate::grammar::table::is_uri_byte;
use crate::kind::Wrapper;
use crate::registry::opener_of;
use crate::scheme::{self, MAX_HEAD_BYTES};
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of the name of an inline tag of JSDoc.
const MAX_INLINE_TAG_BYTES: usize = 16;

/// Maximum length of the control segment of a SICI.
const MAX_CONTROL_BYTES: usize = 16;

/// Maximum length of the item segment of a SICI with its closer.
const MAX_SEGMENT_BYTES: usize = 65;

/// Bytes after a quotation mark in a URI that are searched for the next one.
const MAX_QUOTED_LENGTH: usize = 256;
/// Apostrophes inside a URI that apostrophes delimit. Ample for the values of an OData filter.
const MAX_APOSTROPHES: usize = 64;
/// Bytes after such a mark that are searched for a closing bracket around it.
const MAX_REMARK_LENGTH: usize = 64;
/// Longest name of a setting.
const MAX_SETTING_LENGTH: usize = 48;
/// Bytes after a mark that are searched for the closer of the wrapper around the URI.
const MAX_WRAPPED_LENGTH: usize = 512;

impl RunWalker<'_, '_> {
    pub(super) fn names_doi(&self) -> bool {
        // `www.doi.org/10.`, the longest start with a DOI, fits. To search the whole URI for each
        // `<` would take quadratic time.
        let head = self.view.text.get(..self.plan.body + 16);
        let head = head.unwrap_or_default();
        starts_doi(head)
    }

    /// D1.6: steps over the `<…>` of a DOI in SICI form, which `N.N.XX;` follows.
    pub(super) fn sici(&mut self, rest: &[u8]) -> bool {
        let length = if self.names_doi() { sici_segment(rest) } else { None };
        self.i += length.unwrap_or_default();
        length.is_some()
    }

    /// D2.3: steps over a `|` between characters of a query or fragment. Not in a table, where it
    /// separates columns, nor in brackets that contain a label (`<uri|label>`, `[label|uri]`).
    pub(super) fn bar(&mut self, rest: &[u8]) -> bool {
        let bars = rest.clamped(..4).leading(|b| b == b'|');
        let after = rest.part(bars..);
        // In a path, another segment must follow, which shows that the bar is not a shell's pipe.
        let name = after.clamped(..MAX_QUOTED_LENGTH);
        let name =
            name.part(name.leading(|b| b.is_ascii_alphanumeric() || b"-_.~%".contains(&b))..);
        let in_path = bars == 1
            && after.first().is_some_and(u8::is_ascii_alphanumeric)
            && name.first() == Some(&b'/');
        // A drive in an old spelling, `file:///C|/dir`, `file://localhost/C|/dir` (RFC 1738 §3.10).
        let is_drive = || {
            let path = self.view.text.part(self.plan.body..self.i);
            let is_file = starts_with(self.view.text, b"file:");
            let path = path.strip_prefix(b"localhost").filter(|_| is_file).unwrap_or(path);
            matches!(path, [b'/', drive] if drive.is_ascii_alphabetic())
        };
        if bars == 1 && matches!(after.first(), Some(b'/' | b'\\')) && is_drive() {
            self.i += 1;
            return true;
        }
        let is_inside = (in_path || self.run.query.is_some() || self.run.fragment.is_some())
            && !self.has_label()
            && after.first().is_some_and(|&b| is_uri_byte(b) || b >= 0x80)
            && !self.plan.context.in_table()
            && !start::starts_uri(after)
            && !self.is_in_rows();
        self.i += if is_inside { bars } else { 0 };
        is_inside
    }

    /// D2.3: true if the URI is bare and bars separate columns in its line and the next.
    fn is_in_rows(&mut self) -> bool {
        // A wrapper in a cell delimits the URI itself.
        if self.plan.context.wrapper != Wrapper::None {
            return false;
        }
        if self.in_rows.is_none() {
            let (in_rows, looked) = table::is_in_rows(self.view, self.i, self.plan.context);
            self.run.looked = self.run.looked.max(looked);
            self.in_rows = Some(in_rows);
        }
        self.in_rows == Some(true)
    }

    /// D2.4: a `"` ends a URI inside a string. If none opened earlier in the line, two of them
    /// around a part of the URI belong to it. A single one that closes nothing rejects the URI.
    pub(super) fn double_quote(&mut self, rest: &[u8]) -> WalkStep {
        let tail = rest.part(1..);
        let continues = |next: Option<&u8>| {
            next.is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'%' | b'&'))
        };
        if self.plan.context.is_in_outer_string() {
            return WalkStep::Stop(StopReason::Hard);
        }
        if self.plan.marks == MarkRule::Stay
            && !self.plan.closers.contains(&'"')
            && self.is_closed(rest)
        {
            // A mark at the end of the value closes something else, such as an attribute in a
            // string of a program.
            if !tail.first().is_some_and(|&b| is_uri_byte(b)) {
                return WalkStep::Stop(StopReason::Hard);
            }
            self.i += 1;
            return WalkStep::Continue;
        }
        // CSV and Visual Basic double a mark inside a string.
        if let [b'"', next, ..] = tail
            && next.is_ascii_alphanumeric()
            && self.plan.closers.contains(&'"')
        {
            return self.rejected(Reason::Escaped, self.i);
        }
        if self.plan.syntax == SchemeSyntax::Opaque
            || !continues(tail.first())
            || self.plan.context.in_string()
            || self.plan.context.is_quote()
        {
            return WalkStep::Stop(StopReason::Hard);
        }
        let inside = tail.clamped(..MAX_QUOTED_LENGTH).leading(|b| is_uri_byte(b) || b >= 0x80);
        let before = self.view.byte(self.i.wrapping_sub(1)).unwrap_or_default();
        let is_open = !self.scratch.stack.is_empty();
        // The next field, or the next string of a list
        if matches!(before, b',' | b';') && !is_open {
            return WalkStep::Stop(StopReason::Hard);
        }
        // A phrase in quotation marks is the value of a parameter, or a part of one. After a
        // letter, the mark closes: `46.6"N`.
        let opens = is_open || b"=+:&?/|~-_".contains(&before);
        self.run.reach = self.run.reach.max(self.i + 1 + inside);
        if opens && tail.get(inside) == Some(&b'"') {
            self.i += inside + 2;
            return WalkStep::Continue;
        }
        self.rejected(ErrorKind::Character.into(), self.i)
    }

    /// D2.2: true for an apostrophe between two letters, and for text between brackets. Neither
    /// ends the URI.
    pub(super) fn is_inside(&self, c: char, rest: &[u8], length: usize) -> bool {
        let after = rest.part(length..);
        if matches!(c, '\u{2019}' | '\u{2BC}') {
            let before = last_char(self.view.text.part(..self.i));
            let next = first_char(after).map(|(c, _)| c);
            if before.is_some_and(char::is_alphabetic) && next.is_some_and(char::is_alphabetic) {
                return true;
            }
        }
        let near = after.clamped(..MAX_REMARK_LENGTH);
        let inside = near.leading(|b| (is_uri_byte(b) || b >= 0x80) && !matches!(b, b'(' | b')'));
        self.scratch.stack.last().is_some_and(|&(opener, _)| opener == '(')
            && near.get(inside) == Some(&b')')
    }

    /// D2.2: true if the wrapper around the URI closes after `rest` starts, before any white space.
    ///
    /// A wrapper without a closer does not keep its content. Without this, every candidate in a row
    /// of `[a](~~http://a/‘` would walk to the end of the row, and then end at the first mark. So a
    /// look is bounded, and a closer that was found serves all marks before it.
    pub(super) fn is_closed(&mut self, rest: &[u8]) -> bool {
        match self.closer {
            Closer::At(at) if self.i < at => return true,
            // One look that fails is enough for a walk, or each mark would cost one.
            Closer::Far => return false,
            Closer::At(_) => {}
        }
        let near = rest.clamped(..MAX_WRAPPED_LENGTH);
        let closers = self.plan.context.closers;
        let mut open = 0_usize;
        // A closer that pairs with an opener after the mark is not that of the wrapper.
        let mut closes = |byte: u8| {
            let c = char::from(byte);
            if !byte.is_ascii() || !closers.contains(&c) {
                open += usize::from(closers.iter().any(|&closer| opener_of(closer) == Some(c)));
                return false;
            }
            open = match open.checked_sub(1) {
                Some(open) => open,
                None => return true,
            };
            false
        };
        // Stops at the closer. Reading all of `near` for each of many marks that have a closer
        // nearby would read each byte some twenty times.
        let length = near.leading(|byte| !byte.is_ascii_whitespace() && !closes(byte));
        if near.get(length).is_none_or(u8::is_ascii_whitespace) {
            // A stream may continue here.
            self.run.looked = self.run.looked.max(self.i + length);
            // The value of an attribute ends with its text, without its quotation mark.
            let is_end = self.i + length == self.view.text.len();
            self.closer = if is_end { Closer::At(self.view.text.len()) } else { Closer::Far };
            return is_end;
        }
        self.closer = Closer::At(self.i + length);
        true
    }

    /// True if a label may follow the URI, as in `<uri|label>`.
    pub(super) fn has_label(&self) -> bool {
        matches!(self.plan.context.wrapper, Wrapper::Angle | Wrapper::Bracket | Wrapper::Brace)
            || in_inline_tag(self.plan.context.before)
    }

    /// D4.11: true if the URI is a field of comma-separated text and this comma ends it.
    ///
    /// A comma before white space ends the URI in any case, so the surrounding lines are not read.
    pub(super) fn ends_field(&mut self, rest: &[u8]) -> bool {
        if rest.get(1).is_some_and(u8::is_ascii_whitespace) || self.has_scheme_with_comma() {
            return false;
        }
        if self.is_field.is_none() {
            let (is_field, looked) = table::ends_field(self.view, self.i, self.plan.context);
            self.run.looked = self.run.looked.max(looked);
            self.is_field = Some(is_field);
        }
        self.is_field == Some(true)
    }

    /// True for the schemes whose syntax needs a comma: `tag:a.example,2020:b` (RFC 4151),
    /// `geo:52.5,13.4` (RFC 5870), `data:,b` (RFC 2397).
    pub(super) fn has_scheme_with_comma(&self) -> bool {
        let scheme = self.view.text.part(..self.plan.body);
        let names = [&b"tag:"[..], b"geo:", b"data:", b"data://"];
        names.iter().any(|name| scheme.ends_with_ignore_case(name))
    }

    /// D3.6: true if the `'` at the start of `rest` closes one that opened directly before the URI
    /// or earlier in its line.
    pub(super) fn apostrophe_ends(&mut self, rest: &[u8]) -> bool {
        let next = rest.get(1).copied().unwrap_or_default();
        // SQL doubles an apostrophe inside a string, so the URI continues in an encoded form.
        if next == b'\''
            && self.plan.closers.contains(&'\'')
            && rest.get(2).is_some_and(u8::is_ascii_alphanumeric)
        {
            self.fault(Reason::Escaped, self.i);
            return true;
        }
        if !self.plan.closers.contains(&'\'') {
            return !next.is_ascii_alphanumeric()
                && !next.is_ascii_whitespace()
                // 0 stands for the end of the text, where D4.3 trims the apostrophe.
                && next != 0
                && self.plan.context.in_apostrophes();
        }
        // `it's-fine` and `eq%20'Milk'`: belongs to the URI if another one follows that closes.
        if next.is_ascii_alphanumeric() {
            let near = rest.clamped(1..MAX_QUOTED_LENGTH);
            let inside = near.leading(|b| (is_uri_byte(b) || b >= 0x80) && b != b'\'');
            self.run.reach = self.run.reach.max(self.i + 1 + inside);
            self.apostrophes += 1;
            // A row of `='http://a` closes nothing, and each candidate in it would walk to its end.
            if self.apostrophes > MAX_APOSTROPHES {
                self.fault(ErrorKind::Character.into(), self.i);
                return true;
            }
            // The next attribute, without the space before it: `a='urn:x:y'b='…'`.
            let is_attribute = || {
                let name = near.part(..inside).strip_suffix(b"=");
                self.plan.context.edge == WrapperEdge::Exact
                    && name.is_some_and(|name| name.iter().all(|&b| is_of_attribute(b)))
            };
            return near.get(inside) != Some(&b'\'') || is_attribute();
        }
        // The first of two in a row closes the value in the URI, the second the string around it:
        // `'…eq%20'Milk''`.
        let closes_value = next == b'\'' && self.apostrophes % 2 == 1;
        self.apostrophes += usize::from(closes_value);
        !closes_value
    }

    /// D4.7: true if the comma at the start of `rest` ends a setting:
    /// `url=http://a.example/,status=200`.
    pub(super) fn ends_setting(&self, rest: &[u8]) -> bool {
        let name = rest.part(1..);
        let length = name.clamped(..MAX_SETTING_LENGTH).leading(host_placeholder::is_of_name);
        // LDAP names contain settings themselves. The look-back is short because a URI may contain
        // many commas.
        self.run.query.is_none()
            && !self.has_scheme_with_comma()
            && name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.get(length) == Some(&b'=')
            && !self.view.text.part(self.plan.body..self.i).tail(MAX_QUOTED_LENGTH).contains(&b'=')
            && self.is_value_of_setting()
    }

    /// D4.7: true if the URI is the value of a setting, `url=…`. Only then another one can follow.
    fn is_value_of_setting(&self) -> bool {
        matches!(self.plan.context.before, [.., name, b'='] if name.is_ascii_alphanumeric())
    }

    /// D4.7: true if the comma at the start of `rest` separates two names of a certificate, as
    /// openssl writes them: `URI:http://a.example/,DNS:a.example`.
    pub(super) fn ends_name(&self, rest: &[u8]) -> bool {
        const KINDS: [&[u8]; 8] = [
            b"DNS:",
            b"IP:",
            b"RID:",
            b"URI:",
            b"dirName:",
            b"email:",
            b"otherName:",
            b"IP Address:",
        ];
        let name = rest.part(1..);
        self.plan.context.before.ends_with(b"URI:")
            && KINDS.iter().any(|kind| name.starts_with(kind))
    }

    /// D4.8: true for a variable that starts a segment or a value. A version may precede it:
    /// `/v$VERSION`.
    pub(super) fn is_variable(&self, rest: &[u8]) -> bool {
        let starts = matches!(
            self.view.text.part(..self.i),
            [.., b'/' | b'=' | b'-' | b'_' | b'.' | b'?'] | [.., b'/' | b'-', b'v']
        );
        self.plan.syntax != SchemeSyntax::Opaque && starts && host_placeholder::variable(rest)
    }

    /// D4.8: true for a name in small letters that may be a variable: `/$id/x`.
    pub(super) fn may_be_variable(&self, rest: &[u8]) -> bool {
        let before = self.view.text.part(..self.i);
        // The parts of a URN are divided by colons.
        let is_part = before.ends_with(b":") && self.plan.syntax == SchemeSyntax::Opaque;
        let before = if is_part { &b"/"[..] } else { before };
        // In a program, `$` is a part of a name.
        let is_code = || {
            self.plan.syntax == SchemeSyntax::Opaque
                && (starts_with(self.view.text, b"javascript:")
                    || starts_with(self.view.text, b"data:"))
        };
        host_placeholder::may_be_variable(before, rest.part(1..)) && !is_code()
    }

    /// D4.8: true for `%s`, `%1$s`, `%NAME%`. Small letters between percent signs in a fragment are
    /// a name of ECMAScript's specification: `#sec-%typedarray%.from`.
    pub(super) fn is_placeholder(&self, rest: &[u8]) -> bool {
        let is_name = || {
            let name = rest.clamped(1..MAX_QUOTED_LENGTH).leading(|b| b.is_ascii_lowercase());
            name > 1 && rest.get(1 + name) == Some(&b'%')
        };
        host_placeholder::percent_placeholder(rest) && !(self.run.fragment.is_some() && is_name())
    }

    /// D2.3: true for `["a label"]`, unless the URI is in a string itself, or in its query.
    pub(super) fn opens_quoted_label(&self, rest: &[u8]) -> bool {
        rest.starts_with(b"[\"")
            && self.run.query.is_none()
            && !self.plan.context.is_quote()
            && !self.plan.context.in_string()
            && {
                let near = rest.clamped(2..MAX_QUOTED_LENGTH);
                let label = near.leading(|b| b != b'"' && b != b'\n');
                near.part(label..).starts_with(b"\"]")
            }
    }

    /// D1.3: true if the mark here starts the next subfield of a MARC or PICA record, because the
    /// URI itself is a subfield, `$u`.
    pub(super) fn ends_subfield(&self) -> bool {
        let Some(mark) = start::subfield_mark(self.plan.context.before) else { return false };
        let next = self.view.from(self.i).strip_prefix(mark.as_bytes()).and_then(<[u8]>::first);
        next.is_some_and(|&b| {
            start::is_code_of_subfield(b) || b == b'$' || mark == "ƒ" && b.is_ascii_uppercase()
        })
    }

    /// D4.8: true for `#1` in the body of a TeX macro.
    pub(super) fn is_argument(&self, rest: &[u8]) -> bool {
        matches!(rest, [_, b'1'..=b'9', b'}' | b'.' | b'/', ..])
            && self.plan.context.dialect() == EscapeDialect::Tex
    }

    /// D2.4: true for a character of TeX in a group of its own, `{\~{}}`.
    pub(super) fn is_group_of_tex(&self, rest: &[u8]) -> bool {
        self.plan.context.dialect() == EscapeDialect::Tex && escape_tex::group(rest).is_some()
    }

    /// D4.7: true if a new `scheme://` after `,`, `;`, `|`, or a bracket ends this URI.
    ///
    /// In a URI without `//`, any scheme with a recognizer does so too: `tel:1-555,tel:1-556`.
    pub(super) fn splits(&mut self) -> bool {
        let text = self.view.text;
        let follow = AfterColon::classify(self.view.from(self.i + 1));
        // In a path, `a,mailto:b` is a legal segment, and no recognizer could tell a scheme from a
        // word there.
        if follow == AfterColon::Other && self.plan.syntax != SchemeSyntax::Opaque {
            return false;
        }
        // Without `//`, most colons are part of the URI (`urn:ietf:rfc:3986`). So the separator,
        // which is cheap to find, is tested before the scheme.
        if follow == AfterColon::Other && !self.is_after_separator() {
            return false;
        }
        let Some(start) = start::find(text, self.i, follow, self.options) else {
            return false;
        };
        let before = text.part(self.plan.body..start.at);
        let separated = match follow {
            AfterColon::Slashes => separator::divides(before, self.plan.brackets),
            AfterColon::Other => matches!(before.last(), Some(b',' | b';')),
        };
        // The next of some settings: `action-uri=http://a.example/;icon-uri=http://a.example/i`.
        if follow == AfterColon::Slashes
            && let Some(setting) = self.setting_before(before)
        {
            self.i = self.plan.body + setting;
            return true;
        }
        // The field after a number of a MECARD: `TEL:1234;URL:http://a.example;;`.
        let field = before.ends_with(b";URL:");
        if field && self.plan.syntax == SchemeSyntax::Opaque && follow == AfterColon::Slashes {
            self.i = start.at - b";URL:".len();
            return true;
        }
        // Without `//`, `,word:` is common in URNs. Only text that a recognizer accepts after the
        // colon makes a URI of it.
        if !separated || follow == AfterColon::Other && !self.opens_at(start.at) {
            return false;
        }
        self.i = start.at - separator::length_left_out(before);
        // An opening bracket around the new URI belongs to it, not to this one.
        while let Some(&(_, at)) = self.scratch.stack.last()
            && at + 1 == self.i
        {
            self.scratch.stack.pop();
            self.i = at;
        }
        true
    }

    /// D4.7: returns the offset of the `;` in `before`, the text after the scheme, if a setting
    /// starts there and this URI is the value of another one.
    fn setting_before(&self, before: &[u8]) -> Option<usize> {
        if self.run.query.is_some() || !self.is_value_of_setting() {
            return None;
        }
        let name = before.strip_suffix(b"=")?;
        let length = name.tail(MAX_SETTING_LENGTH).trailing(is_of_attribute);
        let outer = name.part(..name.len() - length);
        (length > 0 && outer.last() == Some(&b';')).then(|| outer.len() - 1)
    }

    /// True if a comma or a semicolon precedes the scheme that ends here. Excludes the colons of
    /// `urn:ietf:rfc:3986`.
    pub(super) fn is_after_separator(&self) -> bool {
        let before = self.view.text.part(self.plan.body..self.i);
        let scheme = before.tail(MAX_SCHEME_BYTES + 1).trailing(is_scheme_byte);
        matches!(before.part(..before.len() - scheme).last(), Some(b',' | b';'))
    }

    /// True if a recognizer accepts the text after the scheme from `start` to here.
    pub(super) fn opens_at(&self, start: usize) -> bool {
        let name = self.view.text.part(start..self.i);
        let head = self.view.from(self.i + 1);
        scheme::lookup(name, self.options)
            .is_some_and(|recognizer| recognizer.may_start(head.clamped(..MAX_HEAD_BYTES)))
    }
}

/// D1.6: true for a DOI, or a URI that leads to one.
pub(super) fn starts_doi(uri: &[u8]) -> bool {
    starts_with(uri, b"doi:10.") || crate::memmem::find(uri, b"doi.org/10.").is_some()
}

/// D1.6: returns the length of `<1359::AID-ABC>` at the start of `rest`, if `3.0.CO;` follows it,
/// as in a SICI (ANSI/NISO Z39.56).
pub(super) fn sici_segment(rest: &[u8]) -> Option<usize> {
    // The segment of a SICI has a page and a code of the title; the bound keeps other `<` cheap.
    let inside = rest.clamped(1..65).leading(is_uri_byte);
    let control = rest.get(1 + inside..)?.strip_prefix(b">")?;
    is_control_of_sici(control).then_some(inside + 2)
}

/// D1.6: true for such a segment as `&lt;1359::AID-ABC&gt;3.0.CO;2-D`, which a document format
/// decodes.
pub(super) fn is_sici_in_references(rest: &[u8]) -> bool {
    let Some(inside) = rest.strip_prefix(b"&lt;") else { return false };
    let inside = inside.clamped(..MAX_SEGMENT_BYTES);
    let segment = inside.leading(|b| is_uri_byte(b) && b != b'&');
    inside.part(segment..).strip_prefix(b"&gt;").is_some_and(is_control_of_sici)
}

/// True for `3.0.CO;`, the control segment of a SICI.
fn is_control_of_sici(control: &[u8]) -> bool {
    let mut parts = control.clamped(..MAX_CONTROL_BYTES).split(|&b| b == b'.');
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    parts.next().is_some_and(is_number)
        && parts.next().is_some_and(is_number)
        && matches!(parts.next(), Some([a, b, b';', ..]) if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric())
}

/// True for the bytes of the name of an attribute.
fn is_of_attribute(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte)
}

/// D2.3: true inside `{@link …}` of JSDoc and Javadoc, where a label follows the URI.
fn in_inline_tag(before: &[u8]) -> bool {
    let Some(text) = before.strip_suffix(b" ") else { return false };
    let tag = text.tail(MAX_INLINE_TAG_BYTES).trailing(|b| b.is_ascii_alphabetic());
    tag > 0 && text.part(..text.len() - tag).ends_with(b"{@")
}
