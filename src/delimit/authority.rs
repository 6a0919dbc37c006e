//! Parses the authority of a run: userinfo, host, port. Recognizes the signs that it is not an
//! authority (D4.6, D4.8, D4.9, RFC 3986 §3.2).

use super::byte_class::{ends_in_percent, is_hard, is_triplet, starts_with};
use super::char_reference::{self, CharReference};
use super::host_placeholder;
use super::prose::{ends_sentence, is_drawn, is_wide_dot};
use super::run::{RunWalker, StopReason, WalkStep};
use super::text_view::first_char;
use super::wrapper::opens_emphasis;
use crate::error::Reason;
use crate::grammar::table::{is_sub_delim, is_unreserved, is_uri_byte};
use crate::kind::Wrapper;
use crate::options::Charset;
use crate::registry::{HostTerm, LinkTerm, host_term, is_default_ignorable, link_term};
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of a row of stars that replaces a password.
const MAX_STARS_BYTES: usize = 64;

/// Maximum length of a password with characters that no URI may contain.
const MAX_PASSWORD_BYTES: usize = 256;

/// Longest label in bytes: 63 characters (RFC 1035 §2.3.4) of four bytes each.
const MAX_LABEL_LENGTH: usize = 4 * 63;
/// Longest userinfo. Tokens used as passwords reach 1,500 bytes. The long look ahead stays linear:
/// another candidate's `//` would end it, so no two of them overlap.
pub(in crate::delimit) const MAX_USERINFO_LENGTH: usize = 2048;
/// Most non-ASCII characters in a userinfo.
const MAX_FOREIGN: usize = 64;

impl RunWalker<'_, '_> {
    /// D4.9: `[userinfo "@"] host [":" port]` of letters, digits, `- . _ ~ %` and what IDNA allows.
    pub(super) fn web_authority(&mut self) -> WalkStep {
        // D7: without a written scheme, the text before an `@` is the local part of an address and
        // is matched on its own.
        if self.plan.is_written {
            self.i = self.userinfo_end().unwrap_or(self.i);
        }
        let host = self.i;
        let go =
            if self.view.byte(self.i) == Some(b'[') { self.ip_literal() } else { self.web_host() };
        self.run.host = (host, self.i);
        if go != WalkStep::Continue {
            return go;
        }
        if self.view.byte(self.i) == Some(b':') {
            let port = self.i;
            self.i += 1;
            while self.view.byte(self.i).is_some_and(|b| b.is_ascii_digit()) {
                self.i += 1;
            }
            if let Some(reason) = self.after_port(port + 1) {
                return self.rejected(reason, port + 1);
            }
        }
        match self.view.byte(self.i) {
            Some(b'/' | b'?' | b'#') => WalkStep::Continue,
            Some(_) => self.after_authority(),
            None => WalkStep::Stop(StopReason::Hard),
        }
    }

    /// D4.9: returns why the text after the port's digits, which start at `digits`, rules out a
    /// port.
    fn after_port(&self, digits: usize) -> Option<Reason> {
        let rest = self.view.from(self.i);
        let [byte, tail @ ..] = rest else { return None };
        if self.closes_emphasis(rest) {
            return None;
        }
        if host_placeholder::angle_placeholder(rest)
            || self.plan.context.takes_variable(rest)
            || host_placeholder::no_host_reason(rest) == Some(Reason::Template)
        {
            return Some(Reason::Template);
        }
        let continues = match byte {
            // D2.4: the group of a pattern, `http://localhost:(\d+)`
            b'(' if self.i == digits && tail.first() == Some(&b'\\') => {
                return Some(Reason::Escaped);
            }
            // D4.9: the first `@` ended the userinfo, so this is a second one, and no reader agrees
            // with another about the host.
            b'@' => return Some(Reason::InvalidHost),
            b'_' | b'-' | b'%' => true,
            // After digits these start other text, such as the next parameter (`:8080&b=1`).
            // Directly after the colon they are an invalid port (RFC 3986 §3.2.3).
            b'+' | b'=' | b'&' | b'$' | b'~' => self.i == digits,
            // Directly after the colon these start a password that no URI may contain, if an `@`
            // follows. After digits they only end a sentence.
            b'!' | b'*' | b'(' | b')' | b',' | b';' | b'\'' if self.i == digits => {
                let run = rest.clamped(..MAX_PASSWORD_BYTES);
                run.get(run.leading(|b| is_uri_byte(b) && b != b'@' && b != b'/')) == Some(&b'@')
            }
            // `:80.` ends a sentence; `:80.x` is not a number.
            b'.' => tail.first().is_some_and(u8::is_ascii_alphanumeric),
            b':' => tail.first().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b':'),
            byte => byte.is_ascii_alphanumeric(),
        };
        continues.then_some(Reason::InvalidPort)
    }

    /// Returns the offset after the `@` of a userinfo, if there is one.
    fn userinfo_end(&mut self) -> Option<usize> {
        let rest = self.view.from(self.i);
        let allowed =
            |b: u8| is_unreserved(b) || matches!(b, b'%' | b':' | b'!' | b'&' | b'+' | b'=' | b'$');
        // A password may contain any sub-delim. Before the colon, `,` and the like separate hosts
        // from prose, so they end a name.
        let in_password = |b: u8| allowed(b) || is_sub_delim(b);
        let rest = rest.clamped(..MAX_USERINFO_LENGTH);
        let (mut length, mut foreign, mut is_password) = (0, 0, false);
        loop {
            let tail = rest.part(length..);
            let run = if is_password { tail.leading(in_password) } else { tail.leading(allowed) };
            length += run;
            let continues = || rest.get(length).is_some_and(|&b| is_sub_delim(b));
            if !is_password && continues() && rest.part(..length).contains(&b':') {
                is_password = true;
                continue;
            }
            match first_char(rest.part(length..)) {
                Some((c, width)) if width > 1 && foreign < MAX_FOREIGN && self.is_included(c) => {
                    (length, foreign) = (length + width, foreign + 1);
                }
                _ => break,
            }
        }
        if !is_password {
            length += self.separated_userinfo(rest, length);
        }
        self.run.reach = self.run.reach.max(self.i + length);
        if rest.get(length) != Some(&b'@') {
            return None;
        }
        // `http://user:$PASS@host` still has its variable, so it is a template and not a userinfo.
        let name = |w: &[u8]| matches!(w, [b'$', b'a'..=b'z' | b'A'..=b'Z' | b'_']);
        let template = rest.part(..length).windows(2).any(name);
        (!template).then_some(self.i + length + 1)
    }

    /// D4.9: returns the length of the end of a userinfo after a name of `length` bytes that a `,`
    /// or the like follows; 0 if it separates two items of a text.
    ///
    /// `http://bank.example;@evil.example/` leads to the host after the `@`, and its first half is
    /// the host that a reader is meant to see. No mail address starts with `@`, and none continues
    /// with a path or a port, so neither is a list of a URI and an address.
    fn separated_userinfo(&self, rest: &[u8], length: usize) -> usize {
        let in_end = |b: u8| {
            let is_closer = || self.plan.closers.contains(&char::from(b));
            (is_unreserved(b) || matches!(b, b'%' | b':') || is_sub_delim(b)) && !is_closer()
        };
        let end = rest.part(length..).leading(in_end);
        let Some((b'@', after)) = rest.part(length + end..).split_first() else {
            return 0;
        };
        let in_host = |b: u8| is_unreserved(b) || matches!(b, b'%' | b'[' | b']');
        let host = after.leading(in_host);
        let has_empty_name = rest.part(..length + end).last().is_some_and(|&b| is_sub_delim(b));
        let continues = matches!(after.get(host), Some(b'/' | b'?' | b'#' | b':'));
        // `,@joe` without a dot calls a person.
        let is_host = after.part(..host).contains(&b'.');
        if host > 0 && (continues || has_empty_name && is_host) { end } else { 0 }
    }

    /// D2.2: true for a non-ASCII character that continues a URI.
    fn is_included(&self, c: char) -> bool {
        self.options.charset == Charset::Iri && link_term(c) == LinkTerm::Include
    }

    fn web_host(&mut self) -> WalkStep {
        let text = self.view.text;
        while let Some(&byte) = text.get(self.i) {
            match byte {
                // Three hyphens are a dash, after which the sentence continues.
                b'-' if text.part(self.i..).starts_with(b"---") && self.is_dash() => break,
                b if is_unreserved(b) => self.i += 1,
                b'%' if is_triplet(text.part(self.i..)) => self.i += 3,
                b'%' if ends_in_percent(text.part(self.i..)) => {
                    self.i += 1;
                    break;
                }
                0x80.. => {
                    let Some((c, length)) = first_char(text.part(self.i..)) else {
                        break;
                    };
                    if self.plan.closers.contains(&c) || self.ends_subfield() {
                        break;
                    }
                    // D2.2: with `--ascii` other characters end a URI. A letter that ends a host
                    // here would leave another host.
                    if self.options.charset == Charset::Ascii {
                        if c.is_alphanumeric() {
                            return self.rejected(Reason::InvalidHost, self.i);
                        }
                        break;
                    }
                    let host = text.part(self.plan.body..self.i);
                    if is_drawn(c) || self.ends_host(c, host) {
                        break;
                    }
                    if is_wide_dot(c, text.part(self.i + length..)) {
                        if ends_sentence(c, host) {
                            break;
                        }
                        self.i += length;
                        continue;
                    }
                    match host_term(c) {
                        HostTerm::Allowed => self.i += length,
                        // D2.2: soft hyphens and zero-width marks come with copied text. UTS #46
                        // maps them to nothing, so the host stays what a browser opens.
                        _ if is_default_ignorable(c) => self.i += length,
                        // No top-level domain has a symbol (D4.9). So one in the last label belongs
                        // to the text around the URI.
                        HostTerm::Rejects if is_symbol(c) && self.has_label_after(length) => {
                            self.run.has_symbol = true;
                            self.i += length;
                        }
                        HostTerm::Rejects => return self.rejected(Reason::InvalidHost, self.i),
                        HostTerm::Ends => break,
                    }
                }
                b'\\' => return self.escape(),
                _ => break,
            }
            if self.i > self.options.max_uri {
                return WalkStep::Stop(StopReason::TooLong);
            }
        }
        WalkStep::Continue
    }

    /// D4.9: true if three hyphens here are a dash. A-labels may contain them (`xn----x`), and so
    /// may the first label of a host: what is before a dash is a host of its own, so it has a dot.
    fn is_dash(&self) -> bool {
        let before = self.view.text.part(self.plan.body..self.i);
        let after = self.view.from(self.i).clamped(..MAX_LABEL_LENGTH);
        let label = after.leading(|b| b.is_ascii_alphanumeric() || b == b'-');
        let continues =
            matches!(after.get(label..), Some([b'.', next, ..]) if next.is_ascii_alphanumeric());
        if continues && !before.contains(&b'.') {
            return false;
        }
        let label = before.tail(before.tail(MAX_LABEL_LENGTH).trailing(|b| b != b'.'));
        !before.is_empty() && !starts_with(label, b"xn-") && !label.eq_ignore_ascii_case(b"xn")
    }

    /// D4.9: true if another label follows the one with a symbol of `length` bytes.
    fn has_label_after(&self, length: usize) -> bool {
        let rest = self.view.from(self.i + length).clamped(..MAX_LABEL_LENGTH);
        let label = rest.leading(|b| b >= 0x80 || b.is_ascii_alphanumeric() || b == b'-');
        matches!(rest.get(label..), Some([b'.', next, ..]) if *next >= 0x80 || next.is_ascii_alphanumeric())
    }

    /// Checks whether the character that ends an authority shows that it is not an authority at
    /// all.
    fn after_authority(&mut self) -> WalkStep {
        let rest = self.view.from(self.i);
        if rest.first() == Some(&b'\\') {
            return self.escape();
        }
        if rest.first() == Some(&0x1b)
            && let Some(step) = self.colour()
        {
            return step;
        }
        // `www.w&#51;.org`: the host continues, but only the container's decoder can read it
        // (D2.5). A host cut there would be another host, so the match is rejected.
        if let Some(CharReference::Part { char, .. }) = char_reference::read(rest)
            && (char.is_alphanumeric() || matches!(char, '.' | '-' | '/' | ':'))
        {
            return self.rejected(Reason::Escaped, self.i);
        }
        if self.closes_emphasis(rest) {
            return WalkStep::Stop(StopReason::Soft);
        }
        if matches!(rest.first(), Some(b'[' | b']' | b')'))
            && self.plan.is_written
            // Inside a wrapper the bracket may close it, and what follows is other text.
            && self.plan.context.wrapper == Wrapper::None
            && hides_host(rest)
        {
            return self.rejected(Reason::InvalidHost, self.i);
        }
        let before = self.view.text.part(self.plan.body..self.i).last().copied();
        let host = self.view.text.part(self.run.host.0..self.run.host.1);
        // `example dot com` is defanged. After a host that is complete, ` dot ` is a word of the
        // sentence.
        let is_word = !rest.starts_with(b" d") && !rest.starts_with(b" D");
        if (is_word || !host.contains(&b'.')) && host_placeholder::half_defanged(before, rest) {
            return self.rejected(Reason::Defanged, self.i);
        }
        match host_placeholder::placeholder_after_host(host, rest) {
            Some(reason) => self.rejected(reason, self.i),
            None => WalkStep::Stop(if rest.first().is_some_and(|&b| is_hard(b)) {
                StopReason::Hard
            } else {
                StopReason::Soft
            }),
        }
    }

    /// D3.7: true if the stars at the start of `rest` close emphasis that opened before the URI.
    fn closes_emphasis(&self, rest: &[u8]) -> bool {
        opens_emphasis(self.plan.context.before, b'*', rest.leading(|b| b == b'*'))
    }

    /// Parses `"[" … "]"`; the grammar later checks the inside.
    fn ip_literal(&mut self) -> WalkStep {
        let rest = self.view.from(self.i);
        let inside = |b| is_unreserved(b) || matches!(b, b':' | b'%');
        // The longest IPv6 address has 45 characters, and a zone (RFC 6874) may follow it.
        let length = rest.clamped(1..65).leading(inside);
        if rest.get(1 + length) == Some(&b']') && length > 0 {
            self.i += length + 2;
            return WalkStep::Continue;
        }
        let reason = host_placeholder::no_host_reason(rest).unwrap_or(Reason::NoHost);
        self.rejected(reason, self.i)
    }

    /// True if the row of stars here ends a userinfo after its colon.
    fn masks_password(&self) -> bool {
        let before = self.view.text.part(self.plan.body..self.i);
        let name = before.part(..before.len() - before.trailing(|b| b == b'*'));
        let rest = self.view.from(self.i);
        let row = rest.clamped(..MAX_STARS_BYTES).leading(|b| b == b'*');
        name.last() == Some(&b':') && rest.get(row) == Some(&b'@')
    }

    /// Parses the authority of RFC 3986 §3.2; [`Self::rest`] reads what remains.
    pub(super) fn authority(&mut self) -> WalkStep {
        if self.view.byte(self.i) == Some(b'[') {
            match self.ip_literal() {
                WalkStep::Continue => {}
                stop => return stop,
            }
        }
        let text = self.view.text;
        while let Some(&byte) = text.get(self.i) {
            match byte {
                b':' if self.splits() => break,
                // A password that a program masked: `redis://:**@h:6379/0`.
                b'*' if self.masks_password() => self.i += 1,
                b'$' | b'*'
                    if host_placeholder::no_host_reason(text.part(self.i..))
                        == Some(Reason::Template) =>
                {
                    return self.rejected(Reason::Template, self.i);
                }
                b'(' if host_placeholder::no_host_reason(text.part(self.i..))
                    == Some(Reason::Defanged) =>
                {
                    return self.rejected(Reason::Defanged, self.i);
                }
                // RFC 3986 §3.2.2 allows these in a host, but there they close what opened before
                // the URI (D4.2, D3.6), or start the next parameter of a query (D4.7).
                b'(' | b')' | b'\'' | b'&' => break,
                b'[' if text.part(..self.i).last() == Some(&b'@') => match self.ip_literal() {
                    WalkStep::Continue => {}
                    stop => return stop,
                },
                b'%' if is_triplet(text.part(self.i..)) => self.i += 3,
                b'[' | b'{' | b'%' => {
                    let (host, rest) = (text.part(self.plan.body..self.i), text.part(self.i..));
                    if let Some(reason) = host_placeholder::placeholder_after_host(host, rest) {
                        return self.rejected(reason, self.i);
                    }
                    break;
                }
                b if is_unreserved(b) || is_sub_delim(b) || matches!(b, b':' | b'@') => self.i += 1,
                _ => break,
            }
            if self.i > self.options.max_uri {
                return WalkStep::Stop(StopReason::TooLong);
            }
        }
        let rest = self.view.from(self.i);
        self.run.host = (self.plan.body, self.i);
        match rest.first() {
            Some(b'\\') => self.escape(),
            Some(0x1b) => self.colour().unwrap_or(WalkStep::Continue),
            Some(b'[') => WalkStep::Stop(StopReason::Soft),
            Some(_) => WalkStep::Continue,
            None => WalkStep::Stop(StopReason::Hard),
        }
    }
}

/// D4.9: returns the offset of an `@` that follows in the run, before a path. Everything before it
/// may be the userinfo, even if it looks like a host.
pub(crate) fn next_at_sign(rest: &[u8]) -> Option<usize> {
    let run = rest.leading(|b| is_uri_byte(b) && !matches!(b, b'/' | b'@'));
    (rest.get(run) == Some(&b'@')).then_some(run)
}

/// D4.9: true if an `@` and a host follow in the run, as in `http://bank.example]@evil.example/`.
/// No userinfo has brackets, but programs that do not check that open the host after it.
fn hides_host(rest: &[u8]) -> bool {
    let rest = rest.clamped(..MAX_USERINFO_LENGTH);
    let Some(at_sign) = next_at_sign(rest) else { return false };
    let after = rest.part(at_sign + 1..);
    let host = after.leading(|b| is_unreserved(b) || b == b'%');
    after.part(..host).contains(&b'.') || matches!(after.get(host), Some(b'/' | b':')) && host > 0
}

/// D4.9: true for emoji, dingbats, and technical signs: UTS #46 keeps them, IDNA 2008 forbids them.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '\u{2300}'..='\u{23FF}' | '\u{2600}'..='\u{2767}' | '\u{2776}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}'
        | '\u{1F000}'..='\u{1FAFF}')
}
