//! Selects the syntax for the rest of a URI by its scheme (D1.4–D1.6), and checks for the parts
//! that it requires (D4.6).

use super::byte_class::{is_hard, is_triplet};
use super::escape::{self, SlashSpelling};
use super::prose::is_sentence;
use super::refang;
use super::run::{SchemeSyntax, UriFault, UriRun};
use super::start;
use super::text_view::{TextView, first_char};
use super::wrapper::WrapperContext;
use crate::error::Reason;
use crate::grammar::table::{is_scheme_byte, is_uri_byte};
use crate::options::Options;
use crate::scheme::{
    self, MAX_HEAD_BYTES, NestedScheme, QuoteState, SchemeRecognizer, SchemeTarget,
};
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of a digest in base64. SHA-512 takes 88 bytes.
const MAX_DIGEST_BYTES: usize = 90;

/// Most nested schemes, as in `view-source:jar:`.
// The bound makes the record of a candidate an array, without an allocation.
const MAX_NESTING: usize = 4;

#[derive(Clone, Copy, Debug)]
pub(super) enum NoMatch {
    Silent,
    /// It has escapes that must be decoded first.
    Escaped,
    /// A URI, but a broken one.
    Rejected(UriFault),
}

impl From<UriFault> for NoMatch {
    fn from(fault: UriFault) -> Self {
        Self::Rejected(fault)
    }
}

pub(super) fn rejected(reason: Reason, at: usize) -> NoMatch {
    NoMatch::Rejected(UriFault { reason, at })
}

/// Syntax that a scheme selects for the rest.
#[derive(Clone, Copy)]
pub(super) struct SchemeRules<'o> {
    pub syntax: SchemeSyntax,
    pub at: usize,
    /// Start of the innermost scheme, and the colon after it.
    pub start: usize,
    pub colon: usize,
    pub recognizer: Option<&'o dyn SchemeRecognizer>,
    /// Schemes around it, outermost first, each with the offset of the URI that it wraps.
    pub nested: [Option<(NestedScheme, usize)>; MAX_NESTING],
}

/// A candidate and the text before it. Offsets into views count from the scheme.
pub(super) struct CandidateStart<'h> {
    pub at: usize,
    /// Colon after the scheme, counted from the scheme.
    pub colon: usize,
    pub is_known: bool,
    pub context: WrapperContext<'h>,
    /// End of the host, if there is no scheme (D7).
    pub host: Option<usize>,
}

impl CandidateStart<'_> {
    /// D1.5: true directly inside `<URL:` or `<URI:`, where any scheme is accepted.
    pub fn announced(&self) -> bool {
        self.context.angle.is_some_and(|angle| angle.has_prefix)
    }
}

/// Returns the syntax for the text after the colon; `options` may add recognizers.
//
// Most URIs are of the web, and are known by a few bytes. The rest stays a function of its own, so
// that the heuristics of the compiler do not decide whether this one is inlined.
#[inline]
pub(super) fn read<'o>(
    view: &TextView<'_>,
    candidate: &CandidateStart<'_>,
    options: &'o Options,
) -> Result<SchemeRules<'o>, NoMatch> {
    if candidate.host.is_some() {
        return Ok(SchemeRules::for_syntax(SchemeSyntax::Web, 0, 0));
    }
    let colon = candidate.colon;
    let is_web = candidate.is_known
        && view.from(colon + 1).starts_with(b"//")
        && matches!(view.text.part(..colon), b"http" | b"https")
        // `s/http://g`
        && !candidate.context.before.ends_with(b"s/");
    if is_web {
        Ok(SchemeRules::for_syntax(SchemeSyntax::Web, colon + 3, colon))
    } else {
        read_any(view, candidate, options)
    }
}

/// As [`read`] does, for any scheme.
#[inline(never)]
fn read_any<'o>(
    view: &TextView<'_>,
    candidate: &CandidateStart<'_>,
    options: &'o Options,
) -> Result<SchemeRules<'o>, NoMatch> {
    let mut rules = SchemeRules::for_syntax(SchemeSyntax::Opaque, 0, 0);
    let (mut start, mut colon) = (0, candidate.colon);
    for slot in &mut rules.nested {
        let name = view.text.part(start..colon);
        let Some(kind) = scheme::nested(name) else {
            break;
        };
        // `feed://` is an ordinary scheme; only `feed:http://` wraps another.
        if kind == NestedScheme::Feed && view.from(colon + 1).starts_with(b"//") {
            break;
        }
        start = colon + 1;
        colon = match (kind, scheme_end(view, start)) {
            (_, Some(end)) => end,
            // An opaque origin: `blob:null/uuid`
            (NestedScheme::Blob, None) if view.from(start).starts_with(b"null/") => {
                *slot = Some((kind, start));
                (rules.at, rules.start, rules.colon) = (start, start, colon);
                return Ok(rules);
            }
            (_, None) => return Err(NoMatch::Silent),
        };
        // A driver that parses the rest itself: `jdbc:h2:mem:x`.
        if kind == NestedScheme::Jdbc
            && !matches!(
                escape::slashes(view.from(colon + 1)),
                SlashSpelling::Plain | SlashSpelling::Escaped(_)
            )
            && scheme::has_subprotocol(view.from(start).clamped(..MAX_HEAD_BYTES))
            && !has_slashes_after_type(view, colon)
        {
            *slot = Some((kind, start));
            (rules.at, rules.start, rules.colon) = (colon + 1, start, colon);
            return Ok(rules);
        }
        // A driver or a type before the scheme: `jdbc:microsoft:sqlserver://`.
        if matches!(kind, NestedScheme::Jdbc | NestedScheme::Service)
            && let Some(end) = scheme_end(view, colon + 1)
        {
            colon = end;
        }
        *slot = Some((kind, start));
    }
    let name = view.text.part(start..colon);
    let rest = view.from(colon + 1);
    (rules.at, rules.start, rules.colon) = (colon + 1, start, colon);
    let slashes = escape::slashes(rest);
    if matches!(slashes, SlashSpelling::Escaped(_)) {
        return Err(NoMatch::Escaped);
    }
    // A URN has no authority (RFC 8141 §2), so `urn://` goes to its recognizer below.
    if slashes == SlashSpelling::Plain && !name.eq_ignore_ascii_case(b"urn") {
        if refang::is_defanged(name) {
            return Err(rejected(Reason::Defanged, start));
        }
        // A known scheme is whole, even if `https` ends like it.
        if !candidate.is_known && is_cut_web(name) {
            return Err(rejected(Reason::Cut, start));
        }
        let before = candidate.context.before;
        // `s/DNS://g`
        if before.ends_with(b"s/") && is_substitution(before, rest) {
            return Err(NoMatch::Silent);
        }
        if !candidate.is_known
            && !candidate.announced()
            && (!plausible(rest.part(2..)) || is_substitution(before, rest) || is_digest(rest))
        {
            return Err(NoMatch::Silent);
        }
        rules.at = colon + 3;
        // Its syntax says what follows the authority (RFC 6920 §3).
        if name.eq_ignore_ascii_case(b"ni") || name.eq_ignore_ascii_case(b"nih") {
            rules.recognizer = scheme::lookup(name, options);
        }
        rules.syntax = if is_web(name) { SchemeSyntax::Web } else { SchemeSyntax::Hierarchical };
        return Ok(rules);
    }
    let head = rest.clamped(..MAX_HEAD_BYTES);
    match scheme::lookup(name, options) {
        Some(recognizer) if recognizer.may_start(head) => {
            rules.recognizer = Some(recognizer);
            Ok(rules)
        }
        // The text that distinguishes a URI from a word before a colon may be after an escape.
        Some(_) if view.derived.is_none() && continues_escaped(head) => Err(NoMatch::Escaped),
        Some(_) if starts_template(head) => Err(rejected(Reason::Template, rules.at)),
        // D1.5: inside `<URL:` the author says that this is a URI, so its syntax need not be known.
        None if candidate.announced() && head.first().is_some_and(|&b| is_uri_byte(b)) => Ok(rules),
        _ => Err(NoMatch::Silent),
    }
}

/// True for `jdbc:microsoft:sqlserver://`: `//` follows the type or scheme after `colon`.
fn has_slashes_after_type(view: &TextView<'_>, colon: usize) -> bool {
    scheme_end(view, colon + 1).is_some_and(|end| view.from(end + 1).starts_with(b"//"))
}

/// D4.8: true if the first part of a name is followed by a placeholder: `pkg:npm/{name}`,
/// `did:web:$host`.
fn starts_template(head: &[u8]) -> bool {
    let part =
        head.leading(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'+'));
    part > 1
        && matches!(head.get(part), Some(b'/' | b':'))
        && scheme::placeholder(head.part(part + 1..))
}

/// True if `head` starts with URI characters and then a backslash.
fn continues_escaped(head: &[u8]) -> bool {
    match memchr::memchr(b'\\', head) {
        Some(end) if end > 0 => head.iter().take(end).copied().all(is_uri_byte),
        _ => false,
    }
}

/// Returns the colon after the scheme at `start`, if there is one.
fn scheme_end(view: &TextView<'_>, start: usize) -> Option<usize> {
    let text = view.from(start);
    let length = text.clamped(..start::MAX_SCHEME_BYTES).leading(is_scheme_byte);
    (length > 0 && text.get(length) == Some(&b':')).then_some(start + length)
}

impl SchemeRules<'_> {
    /// Those of a scheme that no other one wraps.
    fn for_syntax(syntax: SchemeSyntax, at: usize, colon: usize) -> Self {
        let nested = [None; MAX_NESTING];
        Self { syntax, at, start: 0, colon, recognizer: None, nested }
    }

    /// Applies the syntax of the schemes, innermost first, and returns the end that they give.
    pub fn recognize(
        &self,
        view: &TextView<'_>,
        candidate: &CandidateStart<'_>,
        end: usize,
        quote: QuoteState,
    ) -> Result<usize, NoMatch> {
        let end_of = |recognition, start: usize| match recognition {
            scheme::Recognition::Match { end } => Ok(start + end),
            scheme::Recognition::Reject { reason, at } => Err(rejected(reason, start + at)),
        };
        let mut end = end;
        if let Some(recognizer) = self.recognizer {
            let target = SchemeTarget {
                text: view.from(self.start),
                colon: self.colon - self.start,
                end: end - self.start,
                quote,
            };
            end = end_of(recognizer.recognize(&target), self.start)?;
        }
        // An outer scheme needs the end of the URI that it wraps, so the innermost comes first.
        for (nested, inner) in self.nested.iter().flatten().rev() {
            let target = SchemeTarget { text: view.text, colon: candidate.colon, end, quote };
            end = end_of(nested.recognize(&target, *inner), 0)?;
        }
        Ok(end)
    }
}

/// True for http, https, ftp, ws, and wss, also after a `+`.
pub(super) fn is_web(scheme: &[u8]) -> bool {
    let last = scheme.rsplit(|&b| b == b'+').next().unwrap_or(scheme);
    start::is_web_scheme(last)
}

/// Most bytes of a pattern before a word and `://` that are searched for its start.
const PATTERN_BYTES: usize = 64;

/// D1.4: true for `s/name://g`, a command of sed or Perl. `rest` follows the colon.
fn is_substitution(before: &[u8], rest: &[u8]) -> bool {
    let flags = rest.part(2..);
    // Commands have fewer flags than four. A longer word after `//` is a host.
    let length = flags.clamped(..4).leading(|b| b"gimsepIM0123456789".contains(&b));
    let ends = flags.get(length).is_none_or(|b| b.is_ascii_whitespace() || b"'\";`)".contains(b));
    // The pattern may start with more than the name: `s/^name://g`, `s/the name://g`.
    let line = before.tail(PATTERN_BYTES);
    let pattern = line.trailing(|b| b != b'/' && b != b'\n');
    let command = line.part(..line.len() - pattern);
    let is_command = pattern == 0 && command.last() == Some(&b'/')
        || matches!(
            command,
            [b's', b'/']
                | [.., b' ' | b'\t' | b'\n' | b'\'' | b'"' | b'/' | b';' | b'{', b's', b'/']
        );
    is_command && length < 4 && ends
}

/// D1.4: true for a digest in base64 (`h1:` of Go), which may start with slashes.
fn is_digest(rest: &[u8]) -> bool {
    let in_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    let length = rest.clamped(..MAX_DIGEST_BYTES).leading(in_base64);
    let ends = rest.part(length..).clamped(..4).leading(|b| b == b'=');
    // RFC 4648 §4: base64 comes in groups of four, padded with `=`. Without padding it looks like a
    // host.
    ends > 0 && (length + ends).is_multiple_of(4) && length + ends >= 8
}

/// D1.4: true for the end of `http` or `https`. Its first letters are elsewhere: in a dump, or in
/// another string.
fn is_cut_web(name: &[u8]) -> bool {
    let ends = |web: &[u8]| (2..web.len()).contains(&name.len()) && web.ends_with_ignore_case(name);
    ends(b"http") || ends(b"https")
}

/// D1.4: true if the text after `//` makes an unknown word before it plausible as a scheme.
fn plausible(authority: &[u8]) -> bool {
    let inside = |b| is_uri_byte(b) && !matches!(b, b'@' | b'/');
    let userinfo = authority.clamped(..MAX_HEAD_BYTES).leading(inside);
    let host = match authority.get(userinfo) {
        Some(b'@') => authority.part(userinfo + 1..),
        _ => authority,
    };
    match host {
        // A path without a host: `cert:///path/to/file`
        [b'/', path @ ..] => {
            let near = path.clamped(..MAX_HEAD_BYTES);
            path.first().is_some_and(u8::is_ascii_alphanumeric)
                && near.part(..near.leading(|b| !is_hard(b))).contains(&b'/')
        }
        _ => first_char(host).is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '_' | '[')),
    }
}

/// D4.6: checks the text after `//`.
pub(super) fn has_host(
    view: &TextView<'_>,
    run: &UriRun,
    rules: &SchemeRules<'_>,
) -> Result<(), NoMatch> {
    let (start, end) = run.host;
    let host = view.text.part(start..end);
    let has = match rules.syntax {
        SchemeSyntax::Opaque => true,
        SchemeSyntax::Web => {
            // D4.6: after `www` alone, a program or the next line adds the rest. With a path it is
            // the name of a machine.
            let is_cut = is_www(host) && run.end <= end + 1;
            host.first() == Some(&b'[')
                || !is_cut && !has_broken_label(host) && names_something(host)
        }
        SchemeSyntax::Hierarchical => {
            // A password may hold an `@` that was not encoded, so the last one ends the userinfo.
            let host = host.iter().rposition(|&b| b == b'@').map_or(start, |at| start + at + 1);
            let host = view.text.part(host..run.end);
            match host {
                // A number, or a query without a host: `tel://+1212`,
                // `nbd+unix://?socket=/run/nbd`.
                [b'+', next, ..] => next.is_ascii_digit(),
                // A path that some programs write where the host is: `file://../LICENSE`. RFC 3986
                // §3.2.2 allows dots in a registered name.
                [b'.', b'/', ..] | [b'.', b'.', b'/', ..] => true,
                [b'?', next, ..] => next.is_ascii_alphabetic(),
                // The host may be the path of a socket: `postgres://%2Frun%2Fpg/db`.
                _ if is_triplet(host) => true,
                _ => first_char(host)
                    .is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '/' | '[' | '_')),
            }
        }
    };
    if has { Ok(()) } else { Err(rejected(Reason::NoHost, rules.at)) }
}

/// True if `host` contains a letter or digit and is not a sentence.
fn names_something(host: &[u8]) -> bool {
    let has = |host: &str| host.contains(char::is_alphanumeric) && !is_sentence(host);
    host.first().is_some_and(u8::is_ascii_alphanumeric) || core::str::from_utf8(host).is_ok_and(has)
}

/// True for `www`, alone or with its full stop, to which a program may append the rest.
pub(super) fn is_www(host: &[u8]) -> bool {
    host.strip_suffix(b".").unwrap_or(host).eq_ignore_ascii_case(b"www")
}

/// True if a label of `host` starts with a hyphen, or the first one is empty.
pub(super) fn has_broken_label(host: &[u8]) -> bool {
    matches!(host.first(), Some(b'-' | b'.')) || host.windows(2).any(|pair| pair == b".-")
}
