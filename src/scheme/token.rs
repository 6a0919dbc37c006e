//! Schemes that browsers handle internally: about (RFC 6694), javascript, and `file:/path` (RFC
//! 8089), with the `unix:/path` of local sockets.

use super::syntax::{ByteCursor, SchemeShape, brackets_balance, plain, solid, word};
use super::{Recognition, SchemeRecognizer, SchemeTarget};
use crate::error::Reason;
use crate::registry::{ListLookup, slots, words};

/// A known token, then a query or a fragment.
pub(super) static ABOUT: SchemeShape = SchemeShape::new(about, about_token).tail(b"?#");

/// One slash and a path; or a drive letter (RFC 8089 appendix E.2).
pub(super) static FILE: SchemeShape =
    SchemeShape::new(path, |c| path(c) && !c.run(|_| true).is_empty()).cut_by(drive_bar);

/// The tokens of RFC 6694, HTML and CSS, and the pages of current browsers.
#[rustfmt::skip]
static TOKENS: ListLookup<{ slots(89) }> = ListLookup::new(words![
    "about", "addons", "blank", "blocked", "buildconfig", "cache", "cache-entry", "certerror",
    "certificate", "checkerboard", "chrome", "chrome-urls", "compat", "config", "crashes",
    "credits", "customizing", "debugging", "devtools-toolbox", "dino", "downloads", "editprofile",
    "fingerprintingprotection", "firefoxview", "flags", "framecrashed", "glean", "gpu",
    "histograms", "home", "httpsonlyerror", "inprivate", "invalid", "keyboard", "legacy-compat",
    "license", "logging", "logins", "loginsimportreport", "logo", "media-internals", "memory",
    "messagepreview", "mozilla", "navigationcanceled", "net-internals", "neterror", "networking",
    "newprofile", "newtab", "performance", "pioneer", "plugins", "policies", "preferences",
    "printpreview", "privatebrowsing", "processes", "profilemanager", "profiles", "profiling",
    "protections", "rand", "reader", "restartrequired", "rights", "robots", "serviceworkers",
    "sessionrestore", "settings", "srcdoc", "studies", "support", "sync-log", "sync-tabs",
    "tabcrashed", "telemetry", "third-party", "tor", "torconnect", "tracing", "translations",
    "unloads", "url-classifier", "version", "webrtc", "welcome", "welcomeback", "windows-messages",
]);

fn about_token(c: &mut ByteCursor<'_>) -> bool {
    let name = c.run(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit());
    TOKENS.holds(name)
}

/// Reads a token that is the whole word: not `about:home()`, `about:config.xml`, `about:version:2`.
fn about(c: &mut ByteCursor<'_>) -> bool {
    about_token(c) && !c.at(|byte| word(byte) || b"(=/@".contains(&byte)) && {
        c.run(|byte| byte == b'.' || byte == b':').is_empty() || !c.at(word)
    }
}

/// Reads a path that is not the start of a comment or a placeholder, nor the `.test(` after a
/// regular expression.
fn path(c: &mut ByteCursor<'_>) -> bool {
    let mut drive = *c;
    if !c.eat(b'/') {
        // A drive without the leading slash, `file:c:/path`.
        return drive.exactly(1, |byte| byte.is_ascii_alphabetic())
            && drive.eat_word(b":/")
            && drive.at(plain);
    }
    let mut segment = *c;
    let name = segment.run(plain);
    let is_call = name.starts_with(b".") && segment.at(|byte| byte == b'(');
    !name.is_empty() && !is_call
}

/// Rejects `file:/C|/` (RFC 8089 appendix E.2.2): no URI contains `|`.
fn drive_bar(target: &SchemeTarget<'_>) -> Option<Reason> {
    let is_drive = matches!(target.body(), [b'/', drive] if drive.is_ascii_alphabetic());
    (is_drive && target.after().first() == Some(&b'|')).then_some(Reason::SchemeSyntax)
}

pub(super) struct JavascriptScheme;

impl SchemeRecognizer for JavascriptScheme {
    fn may_start(&self, head: &[u8]) -> bool {
        starts_code(head)
    }

    fn recognize(&self, target: &SchemeTarget<'_>) -> Recognition {
        let body = target.body();
        let is_code = starts_code(body) && !is_cut(body, target.after());
        if is_code { target.accept() } else { target.reject(Reason::SchemeSyntax, &[]) }
    }
}

/// True for `void(0)`, `a.b()`, `a=1`, `a;b`, `(function(){…})()`, `;`. A word alone is a word
/// after a colon.
fn starts_code(text: &[u8]) -> bool {
    #[rustfmt::skip]
    const GLOBALS: [&[u8]; 7] = [
        b"document", b"history", b"location", b"parent", b"self", b"top", b"window",
    ];
    let mut c = ByteCursor::new(text);
    // Skip encoded spaces: `javascript:%20void(0)`.
    while c.eat_word(b"%20") {}
    match c.rest() {
        [b';'] | [b';', b'"' | b'\'' | b'>', ..] => return true,
        // `{javascript:!0}` is a table of names.
        [b'!', b'0' | b'1', ..] => return false,
        [b'(' | b'!', next, ..] => return solid(*next) && *next != b')',
        _ => {}
    }
    let Some(first) = identifier(&mut c) else {
        return false;
    };
    let mut names = 1;
    let mut next = c;
    while next.eat(b'.') && identifier(&mut next).is_some() {
        names += 1;
        c = next;
    }
    match c.rest() {
        [b'(', ..] => true,
        // `void%200` is a call with an encoded space.
        [b'%', b'2', b'0', ..] => matches!(first, b"void" | b"return"),
        [b'=' | b';' | b'+', next, ..] => solid(*next) || matches!(next, b'\'' | b'"'),
        [b';'] => true,
        _ => names > 1 && GLOBALS.contains(&first),
    }
}

/// Reads an ECMAScript IdentifierName, in ASCII.
fn identifier<'t>(c: &mut ByteCursor<'t>) -> Option<&'t [u8]> {
    let starts = c.at(|byte| byte.is_ascii_alphabetic() || b"_$".contains(&byte));
    starts.then(|| c.run(|byte| word(byte) || byte == b'$'))
}

/// Keywords that a space and more code may follow.
const KEYWORDS: [&[u8]; 10] =
    [b"delete", b"else", b"function", b"if", b"in", b"new", b"return", b"throw", b"typeof", b"var"];

/// True if code was cut at a space or a `"`. Such code leaves a bracket or a `'` open, or a block
/// follows it.
fn is_cut(code: &[u8], after: &[u8]) -> bool {
    let quotes = code.iter().filter(|&&byte| byte == b'\'').count();
    let word = code.rsplit(|b| !b.is_ascii_alphabetic()).next().unwrap_or_default();
    let continues = match after {
        [b'{' | b'[', ..] => true,
        // `return false`, `a = b`
        [b' ', next, ..] => KEYWORDS.contains(&word) || b"=+-*/%&|<>?:{([!".contains(next),
        _ => false,
    };
    !brackets_balance(code) || quotes % 2 != 0 || continues
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_words() {
        #[rustfmt::skip]
        let texts = [
            "void(0)", "history.back()", "a=1", "(function(){})()", ";", "void%200",
            "location.reload", "x;y()",
        ];
        for text in texts {
            assert!(starts_code(text.as_bytes()), "{text}");
        }
        #[rustfmt::skip]
        let texts = [
            "", "foo", " the", "foo.js", "main.js:12", "( see", "foo:", "=1", "foo; then", "$",
            "[x]", "a = 1",
        ];
        for text in texts {
            assert!(!starts_code(text.as_bytes()), "{text}");
        }
    }
}
