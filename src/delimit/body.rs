//! What a scheme says about the rest of its URI: by whose rules it is read (D1.4–D1.6),
//! and whether it has what it needs (D4.6).

use super::class::is_triplet;
use super::escape::{self, Slashes};
use super::run::{Fault, Run, Syntax};
use super::start::{self, Standing};
use super::view::{View, first_char};
use super::wrapper::{Context, Prefix};
use crate::error::Reason;
use crate::grammar::Grammar;
use crate::grammar::table::{is_scheme_byte, is_uri_byte};
use crate::scheme::{self, HEAD, Nested, Quote, Recognizer, Target};

/// Schemes whose host follows D4.9.
const WEB: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];
/// Spellings that make a URI unclickable (D4.6).
const DEFANGED: [&[u8]; 4] = [b"hxxp", b"hxxps", b"fxp", b"fxps"];
/// `view-source:jar:` and the like.
const DEEPEST_NESTING: usize = 4;

/// Why a text gives no match.
#[derive(Clone, Copy, Debug)]
pub(super) enum Miss {
    /// It is no URI.
    Silent,
    /// It has escapes that must be decoded first.
    Escaped,
    /// It is one, and is broken.
    Rejected(Fault),
}

impl From<Fault> for Miss {
    fn from(fault: Fault) -> Self {
        Self::Rejected(fault)
    }
}

pub(super) fn rejected(reason: Reason, at: usize) -> Miss {
    Miss::Rejected(Fault { reason, at })
}

/// What the scheme says about the rest.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub syntax: Syntax,
    /// Its first byte.
    pub at: usize,
    /// Where the innermost scheme starts, and the colon after it.
    pub start: usize,
    pub colon: usize,
    pub recognizer: Option<&'static dyn Recognizer>,
    /// The schemes around it, outermost first, each with the offset of what it wraps.
    pub nested: [Option<(Nested, usize)>; DEEPEST_NESTING],
}

/// A candidate with what stands before it. Offsets into views count from the scheme.
pub(super) struct Case<'h> {
    /// The source offset of the scheme.
    pub at: usize,
    /// The colon after it, counted from the scheme.
    pub colon: usize,
    pub standing: Standing,
    pub context: Context<'h>,
    /// Where the host ends when there is no scheme (D7).
    pub host: Option<usize>,
}

impl Case<'_> {
    /// D1.5: directly inside `<URL:` or `<URI:`, where any scheme is taken.
    pub fn announced(&self) -> bool {
        self.context
            .angle
            .is_some_and(|angle| angle.prefix == Prefix::Present)
    }
}

/// What follows the colon, and by whose rules it is read; `grammar` says which are those of URNs.
pub(super) fn body(view: &View<'_>, case: &Case<'_>, grammar: Grammar) -> Result<Body, Miss> {
    let mut nested = [None; DEEPEST_NESTING];
    if case.host.is_some() {
        return Ok(Body {
            syntax: Syntax::Web,
            at: 0,
            start: 0,
            colon: 0,
            recognizer: None,
            nested,
        });
    }
    let (mut start, mut colon) = (0, case.colon);
    for slot in &mut nested {
        let name = view.text.get(start..colon).unwrap_or_default();
        let Some(kind) = scheme::nested(name) else {
            break;
        };
        start = colon + 1;
        colon = match (kind, scheme_end(view, start)) {
            (_, Some(end)) => end,
            // an opaque origin: `blob:null/uuid`
            (Nested::Blob, None) if view.from(start).starts_with(b"null/") => {
                *slot = Some((kind, start));
                return Ok(Body {
                    syntax: Syntax::Opaque,
                    at: start,
                    start,
                    colon,
                    recognizer: None,
                    nested,
                });
            }
            (_, None) => return Err(Miss::Silent),
        };
        // a driver before the scheme: `jdbc:microsoft:sqlserver://`
        if kind == Nested::Jdbc
            && let Some(end) = scheme_end(view, colon + 1)
        {
            colon = end;
        }
        *slot = Some((kind, start));
    }
    let name = view.text.get(start..colon).unwrap_or_default();
    let rest = view.from(colon + 1);
    let body = Body {
        syntax: Syntax::Opaque,
        at: colon + 1,
        start,
        colon,
        recognizer: None,
        nested,
    };
    let slashes = escape::slashes(rest);
    if matches!(slashes, Slashes::Escaped(_)) {
        return Err(Miss::Escaped);
    }
    if slashes == Slashes::Plain && !name.eq_ignore_ascii_case(b"urn") {
        if DEFANGED.iter().any(|bad| name.eq_ignore_ascii_case(bad)) {
            return Err(rejected(Reason::Defanged, start));
        }
        if case.standing == Standing::Unknown && !plausible(rest.get(2..).unwrap_or_default()) {
            return Err(Miss::Silent);
        }
        let syntax = if is_web(name) {
            Syntax::Web
        } else {
            Syntax::Hierarchical
        };
        return Ok(Body {
            syntax,
            at: colon + 3,
            ..body
        });
    }
    let head = rest.get(..rest.len().min(HEAD)).unwrap_or_default();
    match scheme::lookup(name, grammar) {
        Some(recognizer) if recognizer.opens(head) => Ok(Body {
            recognizer: Some(recognizer),
            ..body
        }),
        // what tells it from a word before a colon may stand behind an escape
        Some(_) if view.derived.is_none() && goes_on_escaped(head) => Err(Miss::Escaped),
        None if case.announced() && head.first().is_some_and(|&b| is_uri_byte(b)) => Ok(body),
        _ => Err(Miss::Silent),
    }
}

/// URI characters and then a backslash start `head`.
fn goes_on_escaped(head: &[u8]) -> bool {
    match memchr::memchr(b'\\', head) {
        Some(end) if end > 0 => head.iter().take(end).copied().all(is_uri_byte),
        _ => false,
    }
}

/// The colon after the scheme that starts at `start`, if one does.
fn scheme_end(view: &View<'_>, start: usize) -> Option<usize> {
    let text = view.from(start);
    let length = text
        .iter()
        .take(start::LONGEST_SCHEME)
        .take_while(|&&b| is_scheme_byte(b))
        .count();
    (length > 0 && text.get(length) == Some(&b':')).then_some(start + length)
}

impl Body {
    /// The end that the scheme's own syntax gives, innermost first.
    pub fn recognize(
        &self,
        view: &View<'_>,
        case: &Case<'_>,
        end: usize,
        quote: Quote,
    ) -> Result<usize, Miss> {
        let outcome = |outcome, start: usize| match outcome {
            scheme::Outcome::Match { end } => Ok(start + end),
            scheme::Outcome::Reject { reason, at } => Err(rejected(reason, start + at)),
        };
        let mut end = end;
        if let Some(recognizer) = self.recognizer {
            let target = Target {
                text: view.from(self.start),
                colon: self.colon - self.start,
                end: end - self.start,
                quote,
            };
            end = outcome(recognizer.recognize(&target), self.start)?;
        }
        for (nested, inner) in self.nested.iter().flatten().rev() {
            let target = Target {
                text: view.text,
                colon: case.colon,
                end,
                quote,
            };
            end = outcome(nested.recognize(&target, *inner), 0)?;
        }
        Ok(end)
    }
}

/// http, https, ftp, ws, wss, also behind a `+`.
pub(super) fn is_web(scheme: &[u8]) -> bool {
    let last = scheme.rsplit(|&b| b == b'+').next().unwrap_or(scheme);
    WEB.iter().any(|web| last.eq_ignore_ascii_case(web))
}

/// D1.4: what makes an unknown word before `//` a scheme.
fn plausible(authority: &[u8]) -> bool {
    let userinfo = authority
        .iter()
        .take(HEAD)
        .take_while(|&&b| is_uri_byte(b) && !matches!(b, b'@' | b'/'))
        .count();
    let host = match authority.get(userinfo) {
        Some(b'@') => authority.get(userinfo + 1..).unwrap_or_default(),
        _ => authority,
    };
    first_char(host).is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '_' | '['))
}

/// D4.6: what stands after `//`.
pub(super) fn has_host(view: &View<'_>, run: &Run, body: &Body) -> Result<(), Miss> {
    let (start, end) = run.host;
    let host = view.text.get(start..end).unwrap_or_default();
    let has = match body.syntax {
        Syntax::Opaque => true,
        Syntax::Web => {
            host.first() == Some(&b'[')
                || host.iter().any(u8::is_ascii_alphanumeric)
                || std::str::from_utf8(host).is_ok_and(|host| host.contains(char::is_alphanumeric))
        }
        Syntax::Hierarchical => {
            let host = host
                .iter()
                .rposition(|&b| b == b'@')
                .map_or(start, |at| start + at + 1);
            let host = view.text.get(host..run.end).unwrap_or_default();
            // a socket's path may stand there: `postgres://%2Frun%2Fpg/db`
            is_triplet(host)
                || first_char(host)
                    .is_some_and(|(c, _)| c.is_alphanumeric() || matches!(c, '/' | '[' | '_'))
        }
    };
    if has {
        Ok(())
    } else {
        Err(rejected(Reason::NoHost, body.at))
    }
}
