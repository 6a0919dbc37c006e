//! Walks the run of a web URI, if all of it is plain (D2.1, D4.1, D4.2, D4.7–D4.9).

use super::super::byte_class::is_triplet;
use super::super::host_placeholder::{may_be_variable, wiki_macro};
use super::super::prose::{is_cjk_letter, may_be_particle};
use super::super::scheme_rules::is_www;
use super::super::text_view::first_char;
use super::encoded::{FastEncoding, letter_length};
use super::opener::FastOpener;
use crate::grammar::is_scheme_byte;
use crate::options::{Charset, Lax, Options};
use crate::scan::{KernelLoops, MASK_BYTES, RunMasks};
use crate::slice::{ByteRuns, SliceExt};

/// Bytes before a scheme in which an apostrophe may open (D3.6), and the longest scheme.
const LOOKBACK: usize = 256;
const MAX_SCHEME_BYTES: usize = 64;
/// Bytes of a run in which brackets, apostrophes, colons, and dollar signs may be. A look that
/// fails at one of them must not have read much: the examiner may end the URI early, and the next
/// candidate would read the rest again.
const MAX_MARK_BYTES: usize = 512;
/// Most digits of a port below 65536.
const MAX_PORT_DIGITS: usize = 5;

/// The forms of a plain URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FastForm {
    /// A scheme, `//`, and a host.
    Web,
    /// A host without a scheme (D7).
    Unschemed,
    Urn,
    /// Another scheme without `//`.
    Opaque,
}

/// A walked run. Offsets are into the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct FastWalk {
    pub form: FastForm,
    /// First byte after `//`, or after the colon.
    pub body: usize,
    pub end: usize,
    pub host_start: usize,
    pub host_end: usize,
    pub path_start: usize,
    pub query: usize,
    pub fragment: usize,
    pub has_comma: bool,
    pub has_ampersand: bool,
    pub encoding: FastEncoding,
    /// Bytes that are percent-encoded.
    pub encoded: usize,
}

/// The bytes of a run that are not plain, in order.
pub(super) struct Marks<'t> {
    text: &'t [u8],
    loops: &'t KernelLoops,
    /// Bits of the bytes from `base` on that are not visited yet.
    bits: u64,
    base: usize,
}

impl<'t> Marks<'t> {
    /// Starts at `from`, at or after the `base` of `masks`.
    #[inline(always)]
    pub fn new(
        text: &'t [u8],
        loops: &'t KernelLoops,
        masks: RunMasks,
        base: usize,
        from: usize,
    ) -> Self {
        let skip = from - base;
        if skip < MASK_BYTES {
            return Self { text, loops, bits: masks.path & u64::MAX << skip, base };
        }
        Self { text, loops, bits: (loops.masks)(text, from).path, base: from }
    }

    /// Returns the offset of the next one. The end of the text counts as one.
    #[inline(always)]
    pub fn next(&mut self) -> usize {
        while self.bits == 0 {
            self.base += MASK_BYTES;
            self.bits = (self.loops.masks)(self.text, self.base).path;
        }
        let at = self.base + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        at
    }

    /// Skips those before `at`, which is after the last one.
    #[inline(always)]
    pub fn skip_to(&mut self, at: usize) {
        let skip = at - self.base;
        if skip < MASK_BYTES {
            self.bits &= u64::MAX << skip;
        } else {
            (self.bits, self.base) = ((self.loops.masks)(self.text, at).path, at);
        }
    }
}

/// The walk of a URI whose authority is at `body`.
#[derive(Clone, Copy)]
pub(super) struct WebWalk<'t> {
    pub text: &'t [u8],
    /// Text before the scheme.
    pub before: &'t [u8],
    pub body: usize,
    pub opener: FastOpener,
    pub options: &'t Options,
    pub loops: &'t KernelLoops,
}

impl WebWalk<'_> {
    /// Walks authority, path, query, and fragment.
    #[inline(always)]
    pub fn walk(&self) -> Option<FastWalk> {
        let Self { text, body, .. } = *self;
        // An IP literal, a placeholder (D4.8), or an encoded byte starts otherwise. Only the
        // examiner reads those.
        if !text.get(body)?.is_ascii_alphanumeric() {
            return None;
        }
        let masks = (self.loops.masks)(text, body);
        let mut host_start = body;
        let mut host_end = end_of(body, masks.host)?;
        let mut path_start = match text.get(host_end) {
            Some(b':') => self.port(host_end).unwrap_or(host_end),
            _ => host_end,
        };
        // A colon without a port may precede a password.
        if path_start == host_end && matches!(text.get(host_end), Some(b':' | b'@')) {
            host_start = self.userinfo_end(masks.host)?;
            let after = u64::MAX.checked_shl((host_start - body) as u32)?;
            host_end = end_of(body, masks.host & after)?;
            path_start = match text.get(host_end) {
                Some(b':') => self.port(host_end)?,
                _ => host_end,
            };
        }
        // D4.6: no label starts with a hyphen. D4.9: three hyphens end a host. Hosts with `xn--` go
        // to the examiner, but they are rare.
        let hyphens = masks.hyphens & !(u64::MAX.checked_shl((host_end - body) as u32)?);
        if hyphens != 0 && self.has_broken_label(host_start, hyphens) {
            return None;
        }
        let walked = self.walked(FastForm::Web, host_start, host_end, path_start)?;
        if !self.has_path(path_start) {
            return Some(walked);
        }
        self.rest(walked, Marks::new(text, self.loops, masks, body, path_start))
    }

    /// D7: walks what follows a host that is known to end at `host_end`. The path is walked only
    /// where one starts: it may contain many more hosts, and walking it for each took quadratic
    /// time (`www.a.de!www.a.de!…`).
    #[inline(always)]
    pub fn walk_after_host(&self, host_end: usize) -> Option<FastWalk> {
        let Self { text, body, .. } = *self;
        // A dot after the host is the DNS root or a full stop.
        let host_end = host_end + usize::from(text.get(host_end) == Some(&b'.'));
        let path_start = match text.get(host_end) {
            Some(b':') => self.port(host_end)?,
            _ => host_end,
        };
        let name = text.part(body..host_end);
        if !name.first()?.is_ascii_alphanumeric()
            || name.windows(2).any(|pair| matches!(pair, b".-" | b"--"))
        {
            return None;
        }
        let walked = self.walked(FastForm::Unschemed, body, host_end, path_start)?;
        if !self.has_path(path_start) {
            return Some(walked);
        }
        let masks = (self.loops.masks)(text, path_start);
        self.rest(walked, Marks::new(text, self.loops, masks, path_start, path_start))
    }

    fn has_path(&self, path_start: usize) -> bool {
        matches!(self.text.get(path_start), Some(b'/' | b'?' | b'#'))
    }

    /// Returns the walk up to the end of the authority, if its host is one.
    #[inline(always)]
    fn walked(
        &self,
        form: FastForm,
        host_start: usize,
        host_end: usize,
        path_start: usize,
    ) -> Option<FastWalk> {
        let Self { text, body, .. } = *self;
        // D4.6: `www` alone names nothing.
        if host_end - host_start <= "www.".len() && is_www(text.part(host_start..host_end)) {
            return None;
        }
        // D4.3: a hyphen after a host is not part of it, also before a `?` that is dropped.
        if text.part(..path_start).last() == Some(&b'-') && text.get(path_start) != Some(&b'/') {
            return None;
        }
        Some(FastWalk {
            form,
            body,
            end: path_start,
            host_start,
            host_end,
            path_start,
            query: usize::MAX,
            fragment: usize::MAX,
            has_comma: false,
            has_ampersand: false,
            encoding: FastEncoding::None,
            encoded: 0,
        })
    }

    /// Returns the end of the port whose colon is at `colon`, if what follows the digits cannot
    /// make the port invalid, or a password (D4.9).
    fn port(self, colon: usize) -> Option<usize> {
        let rest = self.text.get(colon + 1..)?;
        let digits = rest.clamped(..=MAX_PORT_DIGITS).leading(|b| b.is_ascii_digit());
        // Other characters may show that this is not a port (D4.9), which the examiner decides.
        let ends = match rest.part(digits..) {
            [] | [b'/' | b'?' | b'#' | b'"' | b'>', ..] => true,
            // A password may contain brackets.
            [b')', after @ ..] => after.first().is_none_or(u8::is_ascii_whitespace),
            [byte, ..] => byte.is_ascii_whitespace(),
        };
        (ends && (1..=MAX_PORT_DIGITS).contains(&digits)).then_some(colon + 1 + digits)
    }

    /// D4.9: returns the start of the host after a userinfo of plain characters and colons. `hosts`
    /// has the bytes that are not plain in a host.
    fn userinfo_end(self, mut hosts: u64) -> Option<usize> {
        while hosts != 0 {
            let at = self.body + hosts.trailing_zeros() as usize;
            match self.text.get(at)? {
                b'@' => {
                    let is_host = self.text.get(at + 1)?.is_ascii_alphanumeric();
                    return is_host.then_some(at + 1);
                }
                b':' => hosts &= hosts - 1,
                _ => return None,
            }
        }
        None
    }

    /// True if one of the `hyphens` of the host from `host_start` on follows a dot or a hyphen.
    fn has_broken_label(self, host_start: usize, mut hyphens: u64) -> bool {
        while hyphens != 0 {
            let at = self.body + hyphens.trailing_zeros() as usize;
            let before = self.text.part(..at).last();
            if at > host_start && matches!(before, Some(b'.' | b'-')) {
                return true;
            }
            hyphens &= hyphens - 1;
        }
        false
    }

    /// Walks path, query, and fragment.
    #[inline(always)]
    fn rest(&self, mut walked: FastWalk, mut marks: Marks<'_>) -> Option<FastWalk> {
        let text = self.text;
        let limit = self.body + MAX_MARK_BYTES;
        let mut open = BracketBits::default();
        let mut has_letters = false;
        walked.end = loop {
            let at = marks.next();
            match text.get(at) {
                Some(b'?') if walked.fragment == usize::MAX => walked.query = walked.query.min(at),
                Some(b'?') => {}
                // D4.8: `#1/` may be the argument of a TeX macro.
                Some(b'#') if matches!(text.get(at + 1), Some(b'1'..=b'9')) => return None,
                Some(b'#') if walked.fragment == usize::MAX => walked.fragment = at,
                // D4.8: `%02d` looks like a triplet. No text contains the control characters that
                // `%0x` would encode, so the few URIs that do go to the examiner.
                Some(b'%') if is_triplet(text.part(at..)) && text.get(at + 1) != Some(&b'0') => {}
                Some(b'%') => return None,
                // D4.3: an operator of a shell
                Some(b'&') if text.get(at + 1) == Some(&b'&') => return None,
                // D2.5: `&` and a later `;` may be a character reference.
                Some(b'&') => walked.has_ampersand = true,
                Some(b';') if walked.has_ampersand => return None,
                // D4.3: the next command of a shell. D4.7: the next setting
                Some(b';') if text.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => return None,
                Some(b';') => {}
                Some(b',') => walked.has_comma = true,
                None | Some(b'\0'..=b' ') => break at,
                Some(_) if at > limit => return None,
                // D2.4: a group or a class of a pattern
                Some(b'(') if matches!(text.get(at + 1), Some(b'?' | b'[' | b'.')) => return None,
                Some(b'(') => open.push(b'(')?,
                Some(b'[')
                    if matches!(
                        text.get(at + 1),
                        Some(b'/' | b'.' | b'^' | b'*' | b'?' | b'=' | b'@')
                    ) =>
                {
                    return None;
                }
                Some(b'{') if self.may_end_at_brace(at) => return None,
                Some(opener @ (b'[' | b'{')) if self.options.lax == Lax::Repair => {
                    open.push(*opener)?;
                    walked.encoding = walked.encoding.max(FastEncoding::of_bracket(*opener));
                    walked.encoded += 1;
                }
                // D4.2: a closer without its opener ends the URI.
                Some(b')' | b']' | b'}') if open.is_empty() => break at,
                // D2.4: `[0-9]+`, `[a-f]{4}`
                Some(b']') if matches!(text.get(at + 1), Some(b'+' | b'*' | b'{')) => return None,
                Some(closer @ (b')' | b']' | b'}')) => {
                    open.pop(*closer)?;
                    walked.encoded += usize::from(*closer != b')');
                }
                Some(b'\'') if self.keeps_apostrophe(at) => {}
                Some(b':') if self.may_split(at) => return None,
                Some(b':') => {}
                Some(b'$') if is_plain_dollar(text, at) => {}
                // Only the first of several may resume the text.
                Some(0x80..) if !has_letters && self.may_resume_text(at, walked.path_start) => {
                    return None;
                }
                Some(0x80..) if self.keeps_letters(at) => {
                    let end = self.letters_end(at, limit);
                    marks.skip_to(end);
                    walked.encoding = walked.encoding.max(FastEncoding::Iri);
                    walked.encoded += end - at;
                    has_letters = true;
                }
                _ => break at,
            }
        };
        let is_own = walked.encoding == FastEncoding::None || walked.form == FastForm::Web;
        (open.is_empty() && is_own).then_some(walked)
    }

    /// D3.6: true if the apostrophe at `at` belongs to the URI: none opened directly before the
    /// URI, and either a word continues, as in `joe's`, or none opened in the line.
    fn keeps_apostrophe(self, at: usize) -> bool {
        let before = self.before.tail(LOOKBACK);
        self.opener != FastOpener::Apostrophe
            && (self.text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
                || memchr::memchr(b'\'', before).is_none())
    }

    /// D4.7: true if the colon at `at` may end the scheme of another URI, which a separator before
    /// that scheme would start.
    fn may_split(self, at: usize) -> bool {
        if !self.text.part(at + 1..).starts_with(b"//") {
            return false;
        }
        let before = self.text.part(self.body..at);
        let length = before.tail(MAX_SCHEME_BYTES).trailing(is_scheme_byte);
        let outer = before.part(..before.len() - length);
        // The value of the next setting
        if outer.last() == Some(&b'=') && self.before.last() == Some(&b'=') {
            return true;
        }
        matches!(
            outer.strip_suffix(b"'").unwrap_or(outer).last(),
            Some(b',' | b';' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'^')
        )
    }

    /// D4.2, D4.8: true if the brace at `at` may open a macro or a template of a wiki.
    fn may_end_at_brace(self, at: usize) -> bool {
        let rest = self.text.part(at..);
        rest.get(1) == Some(&b'{') || wiki_macro(rest)
    }

    /// D2.2: true if a letter at `at` continues the URI. After a comma and the like, a sentence may
    /// go on.
    fn keeps_letters(self, at: usize) -> bool {
        let before = self.text.part(..at).last();
        !matches!(before, Some(b',' | b';' | b'!'))
            && self.options.charset == Charset::Iri
            && letter_length(self.text.part(at..)) > 0
    }

    /// D4.12: true if the letter at `at` may resume text in a script that puts no spaces around a
    /// URI.
    fn may_resume_text(self, at: usize, path_start: usize) -> bool {
        let Some((letter, _)) = first_char(self.text.part(at..)) else { return true };
        is_cjk_letter(letter)
            && match self.text.part(..at).last() {
                Some(b'/') => {
                    let before = self.before.strip_suffix(b" ").unwrap_or(self.before);
                    at == path_start + 1 || may_be_particle(letter) || before.last() >= Some(&0x80)
                }
                Some(byte) => byte.is_ascii_alphanumeric() || letter == 'を',
                None => true,
            }
    }

    /// Returns the end of the letters from `at` on, which may be after `limit`.
    fn letters_end(self, at: usize, limit: usize) -> usize {
        let mut end = at;
        while end <= limit {
            match letter_length(self.text.part(end..)) {
                0 => break,
                length => end += length,
            }
        }
        end
    }
}

/// The brackets that are open, the innermost in the lowest two bits.
#[derive(Clone, Copy, Default)]
struct BracketBits(u64);

impl BracketBits {
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds an opener, if there is room for it.
    fn push(&mut self, opener: u8) -> Option<()> {
        let kind = match opener {
            b'(' => 1,
            b'[' => 2,
            _ => 3,
        };
        *self = Self(self.0 << 2 | kind);
        // Two bits each make room for 31. The top pair must stay free, because the next shift would
        // lose an opener.
        (self.0 >> 62 == 0).then_some(())
    }

    /// Removes the innermost opener, if `closer` closes it.
    fn pop(&mut self, closer: u8) -> Option<()> {
        let kind = match closer {
            b')' => 1,
            b']' => 2,
            _ => 3,
        };
        let pairs = self.0 & 3 == kind;
        *self = Self(self.0 >> 2);
        pairs.then_some(())
    }
}

/// D4.8: true if the `$` at `at` starts no variable and is not part of a format.
fn is_plain_dollar(text: &[u8], at: usize) -> bool {
    let before = text.part(..at);
    match text.get(at + 1) {
        Some(b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'(' | b'{') => false,
        // `%1$s` numbers its argument; `?a=1$s` is so rare that the examiner may decide it, too.
        Some(b's' | b'd' | b'@') if before.last().is_some_and(u8::is_ascii_digit) => false,
        // The examiner sets the flag.
        _ => !may_be_variable(before, text.part(at + 1..)),
    }
}

/// Returns the offset of the first of `bits`, which stand for the bytes from `base` on.
#[inline(always)]
fn end_of(base: usize, bits: u64) -> Option<usize> {
    (bits != 0).then(|| base + bits.trailing_zeros() as usize)
}
