//! The common case in one pass: a web URI of plain characters between plain neighbours.
//!
//! Nearly every URI is `http`, `https`, or `ftp`, a host, and characters that only D4.3 treats
//! specially, between neighbours that end it by D2.4 or D3. Such a URI is delimited and parsed here
//! in one walk, without allocation and without [`Examiner`](super::examine::Examiner)'s state.
//!
//! The examiner is the naive twin: every function here either agrees with it or returns `None`,
//! which hands the candidate over. So each new rule needs a test at the byte that it depends on:
//! what precedes the scheme ([`opener`]), what the run may contain ([`walk`]), what follows the run
//! ([`close`]), what is trimmed, and what the next line may add. `tests/invariants/fast_path.rs`
//! compares both for every combination of such bytes.

use alloc::boxed::Box;

use super::abbreviated;
use super::byte_class::is_triplet;
use super::delimited::DerivedUri;
use super::literal;
use super::message_id;
use super::rejoin::{LineContinuation, behind_full_stop, continuation, cuts_query};
use super::scheme_rules::is_www;
use super::wrapper::WrapperEdge;
use crate::byte_table::{ByteTable, byte_table};
use crate::chunk;
use crate::grammar::{Grammar, HostType, UriParts, host_type, offset};
use crate::kind::{Kind, Wrapper};
use crate::options::{AssumedScheme, Detection, Options, Refang};
use crate::scan::{Candidate, KernelLoops, Trigger, is_prefix};
use crate::slice::{ByteRuns, SliceExt};
use crate::span::Span;
use crate::work_counter;

/// Bytes after a match that the fast path reads: the start of the next line (D5).
pub(crate) const FAST_PATH_LOOKAHEAD_BYTES: usize = 512;

/// Most white space before a scheme in bytes; with more, the candidate goes to the examiner.
const MAX_SPACE_BYTES: usize = 64;

/// True if the options allow the fast path. Each option tested here changes what a plain URI is.
pub(super) fn applies(options: &Options) -> bool {
    options.refang == Refang::Reject
        && options.detection == Detection::Rules
        && options.grammar == Grammar::default()
        && options.recognizers.is_empty()
}

/// A plain match without flags: a URI that is its text, or a host whose URI is its text after the
/// assumed scheme (D7).
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastMatch {
    start: usize,
    /// Start of the authority; equals `start` if the match has no scheme.
    body: usize,
    end: usize,
    pub wrapper: Wrapper,
    walked: FastWalk,
}

/// Result of the fast path for a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FastOutcome {
    Match(FastMatch),
    /// The examiner would find nothing either.
    Nothing,
    Unknown,
}

/// Decides `candidate`, if it is plain.
#[inline(always)]
pub(crate) fn look(
    haystack: &[u8],
    candidate: Candidate,
    options: &Options,
    loops: &KernelLoops,
) -> FastOutcome {
    let at = candidate.at;
    let start = match candidate.trigger {
        Trigger::Web(start) => Some(start),
        Trigger::Colon => scheme(haystack, at),
        Trigger::Dot => return host(haystack, at, options, loops),
        Trigger::At if message_id::names_message(haystack, at) => return FastOutcome::Nothing,
        _ => None,
    };
    if let Some(start) = start
        && let Some(found) = delimit(haystack, (start, at + 3), None, options, loops)
    {
        return FastOutcome::Match(found);
    }
    FastOutcome::Unknown
}

/// D7: decides the host whose first dot is at `dot`. Not inlined, because a search for colons would
/// pay for its registers.
#[inline(never)]
fn host(haystack: &[u8], dot: usize, options: &Options, loops: &KernelLoops) -> FastOutcome {
    let Some(host) = abbreviated::host(haystack, dot, options.identifiers) else {
        return FastOutcome::Nothing;
    };
    if host.cut || !haystack.part(host.at..host.end).is_ascii() {
        return FastOutcome::Unknown;
    }
    let found = delimit(haystack, (host.at, host.at), Some(host.end), options, loops);
    found.map_or(FastOutcome::Unknown, FastOutcome::Match)
}

/// Returns the match from `start` on with its authority at `body`, if it is plain. `host` is the
/// end of its host, if known.
#[inline(always)]
fn delimit(
    haystack: &[u8],
    (start, body): (usize, usize),
    host: Option<usize>,
    options: &Options,
    loops: &KernelLoops,
) -> Option<FastMatch> {
    let opener = opener(haystack, start)?;
    let walked = walk(haystack, body, host, loops)?;
    work_counter::add(walked.end - body);
    // D4.10
    if walked.end - start > options.max_uri {
        return None;
    }
    let before = haystack.part(..start).last().copied();
    // D4.11: a field of comma-separated text. D4.7: a setting, or a parameter in the query of a
    // relative reference. Both depend on the text around the URI, which only the examiner reads.
    let cell = walked.has_comma && matches!(before, None | Some(b'\n' | b',' | b'='));
    if cell || walked.has_ampersand && before == Some(b'=') {
        return None;
    }
    // D3.9: a program may join the next string literal to this one. Both tests are needed: the
    // first reads two bytes and refuses nearly all candidates.
    if literal::may_close(haystack, walked.end) && literal::is_followed(haystack, start, walked.end)
    {
        return None;
    }
    let (wrapper, edge) = close(haystack, opener, walked.end)?;
    let end = match edge {
        WrapperEdge::Exact => walked.end,
        WrapperEdge::Open => trim(haystack, body, walked.end)?,
    };
    // D3.8: a program's string keeps its whole URI, and the program completes one that ends in an
    // authority (D4.8).
    if wrapper == Wrapper::Quote && end < walked.end {
        return None;
    }
    // D5: a URI that ends its line may continue in the next. The fast path has no flags, so any
    // doubt goes to the examiner.
    let may_go_on = match end == walked.end {
        true => continuation(haystack, start, end) != LineContinuation::None,
        false => cuts_query(haystack, end) || behind_full_stop(haystack, end).is_some(),
    };
    if may_go_on {
        return None;
    }
    Some(FastMatch { start, body, end, wrapper, walked })
}

/// D1.2: returns the start of `http`, `https`, or `ftp` before `colon`, if `//` follows it.
#[inline]
fn scheme(haystack: &[u8], colon: usize) -> Option<usize> {
    let (before, [b':', b'/', b'/', ..]) = haystack.split_at_checked(colon)? else {
        return None;
    };
    match before {
        [.., b'h', b't', b't', b'p', b's'] => Some(colon - 5),
        [.., b'h', b't', b't', b'p'] => Some(colon - 4),
        [.., b'f', b't', b'p'] => Some(colon - 3),
        _ => None,
    }
}

/// The plain text directly before a scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FastOpener {
    None,
    /// `URL:` or `URI:`.
    Prefix,
    Quote,
    Apostrophe,
    Backtick,
    Paren,
    Bracket,
    Angle,
}

/// D3.1, D3.6, D3.7 for simple cases; `None` hands the candidate to the examiner.
#[inline(always)]
fn opener(haystack: &[u8], start: usize) -> Option<(FastOpener, WrapperEdge)> {
    let text = haystack.part(..start);
    let Some((&byte, before)) = text.split_last() else {
        return Some((FastOpener::None, WrapperEdge::Open));
    };
    let exact_after = |sign| WrapperEdge::exact_if(before.last() == Some(&sign));
    let opener = match BEFORE.of(byte) {
        ByteBefore::Plain => (FastOpener::None, WrapperEdge::Open),
        ByteBefore::Rules => return None,
        ByteBefore::Space => {
            let before = without_space(before)?;
            match before.last() {
                Some(b':') => match label(before)? {
                    // D3.1: not over a blank line
                    FastOpener::Prefix if breaks(text.part(before.len()..)) > 1 => {
                        return None;
                    }
                    opener => (opener, WrapperEdge::Open),
                },
                // D3.1: `< http://…>`; TeX's `\tt `
                Some(b'<') => return None,
                Some(b't') if before.ends_with(b"\\tt") => return None,
                _ => (FastOpener::None, WrapperEdge::Open),
            }
        }
        ByteBefore::Colon => (label(text)?, WrapperEdge::Open),
        // D3.7: an emphasis mark of Org, unless the `=` assigns a value.
        ByteBefore::Equals => match before.last() {
            Some(byte) if !byte.is_ascii_whitespace() && !b"([{'\"".contains(byte) => {
                (FastOpener::None, WrapperEdge::Open)
            }
            _ => return None,
        },
        ByteBefore::Opener(opener @ (FastOpener::Quote | FastOpener::Apostrophe)) => {
            (opener, exact_after(b'='))
        }
        ByteBefore::Opener(FastOpener::Paren) => (FastOpener::Paren, exact_after(b']')),
        ByteBefore::Opener(FastOpener::Angle) => (FastOpener::Angle, WrapperEdge::Exact),
        ByteBefore::Opener(opener) => (opener, WrapperEdge::Open),
    };
    Some(opener)
}

fn breaks(space: &[u8]) -> usize {
    space.iter().filter(|&&byte| byte == b'\n').count()
}

/// Returns `text` without trailing white space, unless there is too much of it.
#[inline]
fn without_space(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    while let [before @ .., byte] = rest
        && byte.is_ascii_whitespace()
    {
        if text.len() - rest.len() == MAX_SPACE_BYTES {
            return None;
        }
        rest = before;
    }
    Some(rest)
}

/// D3.1: true if the colon at the end of `text` belongs to `URL:` or `URI:`, and nothing opened
/// before it.
fn label(text: &[u8]) -> Option<FastOpener> {
    let Some((before, word)) = text.split_last_chunk::<4>() else {
        return Some(FastOpener::None);
    };
    match before.last() {
        _ if !is_prefix(word) => Some(FastOpener::None),
        None => Some(FastOpener::Prefix),
        Some(byte) if byte.is_ascii_alphanumeric() => Some(FastOpener::None),
        Some(byte) if byte.is_ascii_whitespace() => {
            let word = before.trim_ascii_end().last();
            let plain = word.is_none_or(u8::is_ascii_alphanumeric);
            plain.then_some(FastOpener::Prefix)
        }
        Some(_) => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteBefore {
    Plain,
    Space,
    Colon,
    Equals,
    Opener(FastOpener),
    Rules,
}

static BEFORE: ByteTable<ByteBefore> = byte_table!(byte => match byte {
    b' ' | b'\t' | b'\n' | b'\r' | 0x0c => ByteBefore::Space,
    b':' => ByteBefore::Colon,
    b'=' => ByteBefore::Equals,
    b'"' => ByteBefore::Opener(FastOpener::Quote),
    b'\'' => ByteBefore::Opener(FastOpener::Apostrophe),
    b'`' => ByteBefore::Opener(FastOpener::Backtick),
    b'(' => ByteBefore::Opener(FastOpener::Paren),
    b'[' => ByteBefore::Opener(FastOpener::Bracket),
    b'<' => ByteBefore::Opener(FastOpener::Angle),
    // marks, TeX, escapes, scheme characters, other scripts
    b'*' | b'_' | b'~' | b'@' | b'|' | b'{' | b'\\' | b'+' | b'-' | b'.' | 0x80.. => {
        ByteBefore::Rules
    }
    b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => ByteBefore::Rules,
    _ => ByteBefore::Plain,
});

#[derive(Clone, Copy, Debug)]
struct FastWalk {
    end: usize,
    host_end: usize,
    path_start: usize,
    query: usize,
    fragment: usize,
    has_comma: bool,
    has_ampersand: bool,
}

/// D4.1, D4.9: walks the run whose authority starts at `body`, if all of it is plain. The path
/// after a known `host` is walked only where one starts: it may contain many more hosts, and
/// walking it for each took quadratic time (`www.a.de!www.a.de!…`).
#[inline(always)]
fn walk(text: &[u8], body: usize, host: Option<usize>, loops: &KernelLoops) -> Option<FastWalk> {
    if !text.get(body)?.is_ascii_alphanumeric() {
        return None;
    }
    let (host_end, path_end) = match host {
        None => (loops.host_and_path)(text, body),
        // A dot after the host is the DNS root or a full stop.
        Some(end) => (end + usize::from(text.get(end) == Some(&b'.')), usize::MAX),
    };
    let path_start = match text.get(host_end) {
        Some(b':') => port(text, host_end)?,
        _ => host_end,
    };
    let mut walked = FastWalk {
        end: path_start,
        host_end,
        path_start,
        query: usize::MAX,
        fragment: usize::MAX,
        has_comma: false,
        has_ampersand: false,
    };
    // D4.6: no label starts with a hyphen. D4.9: three hyphens end a host. Two are tested for,
    // because one compare of shifted bytes finds a pair. Hosts with `xn--` go to the examiner, but
    // they are rare.
    let name = text.part(body..);
    let length = host_end - body;
    if chunk::may_have_pair(name, length, *b".-", b'-') {
        return None;
    }
    // D4.6: `www` alone names nothing.
    if host_end - body <= "www.".len() && is_www(text.part(body..host_end)) {
        return None;
    }
    if !matches!(text.get(path_start), Some(b'/' | b'?' | b'#')) {
        // D4.3: a hyphen after a host is not part of it.
        if text.part(body..path_start).last() == Some(&b'-') {
            return None;
        }
        return Some(walked);
    }
    let is_walked = host.is_none() && path_start == host_end;
    let mut at = if is_walked { path_end } else { (loops.path)(text, path_start) };
    loop {
        match text.get(at) {
            Some(b'?') if walked.fragment == usize::MAX => walked.query = walked.query.min(at),
            Some(b'?') => {}
            Some(b'#') if walked.fragment == usize::MAX => walked.fragment = at,
            // D4.8: `%02d` looks like a triplet. No text contains the control characters that `%0x`
            // would encode, so the few URIs that do go to the examiner.
            Some(b'%') if is_triplet(text.part(at..)) && text.get(at + 1) != Some(&b'0') => {}
            Some(b'%') => return None,
            // D2.5: `&` and a later `;` may be a character reference.
            Some(b'&') => walked.has_ampersand = true,
            Some(b';') if walked.has_ampersand => return None,
            Some(b';') => {}
            Some(b',') => walked.has_comma = true,
            _ => break,
        }
        at = (loops.path)(text, at + 1);
    }
    walked.end = at;
    Some(walked)
}

/// Most digits of a port below 65536.
const MAX_PORT_DIGITS: usize = 5;

/// Returns the end of the port whose colon is at `colon`, if what follows the digits cannot make
/// the port invalid (D4.9).
fn port(text: &[u8], colon: usize) -> Option<usize> {
    let rest = text.get(colon + 1..)?;
    let digits = rest.clamped(..=MAX_PORT_DIGITS).leading(|b| b.is_ascii_digit());
    // Other characters may show that this is not a port (D4.9), which the examiner decides.
    let ends = match rest.get(digits) {
        None | Some(b'/' | b'?' | b'#' | b'"' | b'>' | b')') => true,
        Some(byte) => byte.is_ascii_whitespace(),
    };
    (ends && (1..=MAX_PORT_DIGITS).contains(&digits)).then_some(colon + 1 + digits)
}

/// Returns the wrapper formed by `opener` and the text at `end`, and whether it is exact. `None` if
/// a full rule must decide.
#[inline(always)]
fn close(
    haystack: &[u8],
    (opener, edge): (FastOpener, WrapperEdge),
    end: usize,
) -> Option<(Wrapper, WrapperEdge)> {
    let after = haystack.get(end).copied();
    let closed = match after {
        Some(b'"') if opener == FastOpener::Quote => true,
        // D2.4: a quotation mark that closes nothing
        Some(b'"') if may_be_inside(haystack, end) => return None,
        Some(b'"') => false,
        Some(b'`') => opener == FastOpener::Backtick,
        // D4.6: half of a defanged dot, `example.]com`
        Some(b')' | b']')
            if haystack.part(..end).last() == Some(&b'.') && may_be_inside(haystack, end) =>
        {
            return None;
        }
        Some(b')') => opener == FastOpener::Paren,
        Some(b']') => opener == FastOpener::Bracket,
        // D3.6: an apostrophe of a word, `it's`, does not close
        Some(b'\'') if opener == FastOpener::Apostrophe && !may_be_inside(haystack, end) => true,
        Some(b'>') if opener == FastOpener::Angle => true,
        // D4.3: an arrow, `->`
        Some(b'>') if haystack.part(..end).last() == Some(&b'-') => return None,
        Some(b'>') => false,
        // D4.8: anything but a closing tag may be a placeholder. D1.6: a SICI contains `<…>`.
        Some(b'<') if haystack.get(end + 1) == Some(&b'/') && !sici(haystack, end) => false,
        Some(b',' | b';') => false,
        // D4.6: a defanged dot between spaces, `example [.] com`
        Some(b' ') if matches!(haystack.get(end + 1), Some(b'[' | b'(' | b'd' | b'D')) => {
            return None;
        }
        Some(byte) if byte.is_ascii_whitespace() => false,
        None => false,
        _ => return None,
    };
    // D3.2, D3.6: a wrapper that is still open may be closed in the next line.
    if !closed
        && (edge == WrapperEdge::Exact || matches!(opener, FastOpener::Quote | FastOpener::Angle))
    {
        return None;
    }
    let wrapper = match opener {
        // `[uri text]` of a wiki: the space ends the URI
        FastOpener::Bracket if after.is_some_and(|b| b.is_ascii_whitespace()) => Wrapper::Bracket,
        FastOpener::Prefix => Wrapper::Prefix,
        _ if !closed => Wrapper::None,
        FastOpener::None => Wrapper::None,
        FastOpener::Quote | FastOpener::Apostrophe => Wrapper::Quote,
        FastOpener::Backtick => Wrapper::Backtick,
        FastOpener::Paren => Wrapper::Paren,
        FastOpener::Bracket => Wrapper::Bracket,
        FastOpener::Angle => Wrapper::Angle,
    };
    Some((wrapper, edge))
}

/// True if the text after the mark at `at` may continue a URI.
fn may_be_inside(haystack: &[u8], at: usize) -> bool {
    let next = haystack.get(at + 1);
    next.is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'%' | b'&' | b'\''))
}

/// True if a DOI may start shortly before `end`.
fn sici(haystack: &[u8], end: usize) -> bool {
    let near = haystack.part(end.saturating_sub(96)..end);
    memchr::memmem::find(near, b"10.").is_some()
}

/// D4.3: trims one soft character. A row of them may mean something else, which the examiner
/// decides.
#[inline]
fn trim(haystack: &[u8], body: usize, end: usize) -> Option<usize> {
    let soft = |b: u8| matches!(b, b'.' | b',' | b';' | b'!' | b'?');
    match haystack.get(body..end)? {
        [.., b, a] if soft(*a) => (!soft(*b)).then_some(end - 1),
        _ => Some(end),
    }
}

impl FastMatch {
    #[inline(always)]
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Returns how far the rules read, up to the end of a line. At a line end the next line
    /// matters, which only the examiner can decide.
    pub fn looked(&self, haystack: &[u8]) -> usize {
        let end = self.walked.end;
        match haystack.get(end) {
            None | Some(b'\n' | b'\r') => usize::MAX,
            Some(b'"' | b'\'') => literal::looked(haystack, end),
            _ => end,
        }
    }

    /// Returns the URI if it differs from the text.
    #[inline(always)]
    pub fn made(&self, haystack: &[u8], assumed: AssumedScheme) -> Option<Box<DerivedUri>> {
        if self.has_scheme() { None } else { self.behind(assumed, haystack) }
    }

    /// Returns the URI with the `assumed` scheme. Not inlined, so that matches with a scheme do not
    /// pay for it.
    #[inline(never)]
    fn behind(&self, assumed: AssumedScheme, haystack: &[u8]) -> Option<Box<DerivedUri>> {
        // the walk accepts ASCII only
        let text = core::str::from_utf8(haystack.get(self.span().range())?).ok()?;
        let uri = [assumed.prefix(), text].concat();
        Some(Box::new(DerivedUri { uri, ..DerivedUri::default() }))
    }

    #[inline(always)]
    fn has_scheme(&self) -> bool {
        self.start < self.body
    }

    #[inline(always)]
    pub fn kind(&self) -> Kind {
        if self.has_scheme() { Kind::Uri } else { Kind::Abbreviated }
    }

    /// Returns the components of the URI. Offsets fit because `max_uri` bounds its length.
    #[inline(always)]
    pub fn parts(&self, haystack: &[u8], assumed: AssumedScheme) -> UriParts {
        let Self { start, body, end, walked, .. } = *self;
        let host_end = walked.host_end.min(end);
        let query_end = walked.fragment.min(end);
        let host_type = match haystack.get(body..host_end) {
            // Only a host that ends in a digit can be an IPv4 address, and IP literals never get
            // here.
            Some(host @ [.., b'0'..=b'9']) => host_type(host),
            _ => HostType::RegName,
        };
        let prefix = if self.has_scheme() { 0 } else { assumed.prefix().len() };
        let offset = |at: usize| offset(at - start + prefix);
        let host_start = offset(body);
        UriParts {
            hier_start: host_start - 2,
            host_start,
            host_end: offset(host_end),
            path_start: offset(walked.path_start.min(end)),
            path_end: offset(walked.query.min(query_end)),
            query_end: offset(query_end),
            host_type: Some(host_type),
        }
    }
}
