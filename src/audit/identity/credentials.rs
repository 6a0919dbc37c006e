//! `credentials`: a password in a URI (RFC 3986 §3.2.1, §7.5), or a token. Redaction uses the same
//! definition of a token.

use super::is_example;
use super::private::is_own_machine;
use crate::audit::finding::is_among;
use crate::audit::{AuditFinding, Check, LinkContext, Severity};
use crate::redact::texts::{ExposedSecret, SecretSign, exposed, tokens};
use crate::{Flag, Span, Uri, percent};

pub static CHECK: Check = Check {
    id: "credentials",
    severity: Severity::Error,
    summary: "a URI with a password or token in it",
    rationale: "It is shown, logged and sent along in clear text; the form is deprecated (RFC 3986 \
                sections 3.2.1 and 7.5).",
    fails: "[a](https://joe:hunter42@a.dev/)",
    passes: "[a](https://a.dev/)",
};

/// Shorter passwords are not real; `a:b@` shows the syntax.
const MIN_LENGTH: usize = 4;

/// Few servers issue login codes longer than this.
const MAX_CODE_LENGTH: usize = 128;

/// Stand-ins for passwords in explanations of the form, alone or combined.
const STAND_INS: &str = "\
    a access api change changeme credentials example here insert key me my mypassword pass passwd password passwort \
    postgres pw pwd redacted replace root secret some test the token user with xxx your yourpassword";

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (parsed, uri) = context.absolute()?;
    if context.may_be_code() || is_example(&uri) {
        return None;
    }
    if let Some((what, sign)) = token(&uri) {
        let message = format!("the URI holds a secret: {what}");
        let finding = context.finding(&CHECK, message).hint("revoke the secret and remove it here");
        return Some(match sign {
            SecretSign::Form => finding,
            // `?sid=` is the public id of a report on one site, and a session on another.
            SecretSign::Name => finding.mild(),
        });
    }
    if !parsed.flags.contains(Flag::HasCredentials) {
        return None;
    }
    let (user, password) = uri.userinfo()?.split_once(':')?;
    if is_stand_in(password) || password == user || is_of_manual(&uri, password) {
        return None;
    }
    let message = "the URI holds a password".to_owned();
    Some(context.finding(&CHECK, message).hint("remove the text before the `@`"))
}

/// Passwords in the examples of manuals for databases and servers. They give access only to a
/// machine whose owner kept them.
const PASSWORDS_IN_MANUALS: &str = "\
    12345 123456 1234567890 admin admin123 foobar guest hunter2 letmein mysecretpassword p4ssw0rd passw0rd \
    password1 password123 pass123 qwerty tiger";

/// True for `scott:tiger@localhost`: a server on the own machine, with a password of a manual.
fn is_of_manual(uri: &Uri<'_>, password: &str) -> bool {
    is_own_machine(uri) && is_among(PASSWORDS_IN_MANUALS, &password.to_ascii_lowercase())
}

/// Describes the token in a URI: one of a known form, a webhook address, or the value of a
/// parameter.
fn token(uri: &Uri<'_>) -> Option<(String, SecretSign)> {
    let text = uri.as_str();
    let is_real = |span: Span| text.get(span.range()).is_some_and(|token| !is_sample(token));
    let is_secret = |span: Span| is_real(span) && !is_name_of_picture(text, span);
    let mut with_form = tokens(text.as_bytes(), 0);
    if let Some((_, name)) = with_form.find(|(span, _)| is_secret(*span)) {
        return Some((name.to_owned(), SecretSign::Form));
    }
    let ExposedSecret { span, name, sign } = exposed(text.as_bytes())?;
    // In `docs://a?token=Type.method`, the token is an identifier for a program.
    let is_word = |span: Span| {
        let token = text.get(span.range()).unwrap_or_default();
        !token.contains(|c: char| c.is_ascii_digit())
    };
    // `?token=` of other schemes was a false finding on unseen trees
    // (docs/measurements/2026-11-25-audit-precision.md).
    let is_web = matches!(uri.scheme(), "http" | "https" | "ws" | "wss");
    if !is_web && name == "token" && is_word(span) {
        return None;
    }
    // A hash of the address.
    let is_public = name == "hmac"
        // An invitation, which a page gives so that its readers join.
        || name.ends_with(" invitation")
        // A ticket of CAS is used up by the first request (CAS Protocol 3.0, section 3.1.1).
        || name == "ticket" && text.get(span.range()).is_some_and(|it| it.starts_with("ST-"))
        // The code that invited people use to join a meeting.
        || name == "pwd" && uri.path().starts_with("/j/")
        // A program.
        || name == "code" && span.len() > MAX_CODE_LENGTH;
    (is_real(span) && !is_public).then_some((name, sign))
}

/// True for a token that is the name of a picture, `eyJ….jpg`: the server signs the pictures that
/// it shows to all readers of the page.
fn is_name_of_picture(uri: &str, token: Span) -> bool {
    const ENDINGS: [&str; 6] = [".avif", ".gif", ".jpeg", ".jpg", ".png", ".webp"];
    let before = uri.get(..token.start()).unwrap_or_default();
    let after = uri.get(token.start()..).unwrap_or_default();
    // The parts of a token end at full stops, so it may have the extension in it.
    let name = after.split(['?', '#']).next().unwrap_or_default();
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    before.ends_with('/') && stem.is_some_and(|stem| stem.len() <= token.len())
}

/// True for a sample that shows the form of a token, and for text of several words: a token is a
/// single word.
fn is_sample(token: &str) -> bool {
    let decoded = percent::decode(token);
    if decoded.iter().any(|&b| b.is_ascii_whitespace() || matches!(b, b'(' | b'{' | b';')) {
        return true;
    }
    /// The start of the payload of the token that jwt.io shows: `{"sub":"1234567890"`.
    const OF_JWT_IO: &str = "eyJzdWIiOiIxMjM0NTY3ODkwIi";
    let lower = token.to_ascii_lowercase();
    token.contains(OF_JWT_IO)
        || ["example", "xxxx", "0000", "1234567890", "abcdefgh", "your", "test_token", "redacted"]
            .iter()
            .any(|sample| lower.contains(sample))
}

/// True for `password`, `YOUR_PASSWORD`, `****`, `$SECRET`, `<token>`: only stand-in words.
fn is_stand_in(password: &str) -> bool {
    let mut words = password.split(|c: char| !c.is_ascii_alphanumeric());
    let is_word = |word: &str| {
        let lower = word.to_ascii_lowercase();
        lower.is_empty() || is_among(STAND_INS, &lower) || lower.bytes().all(|byte| byte == b'x')
    };
    password.len() < MIN_LENGTH
        || words.all(is_word)
        || password.starts_with(['$', '{', '[', '<', '%'])
        || password.contains('_') && !password.contains(|c: char| c.is_ascii_lowercase())
}
