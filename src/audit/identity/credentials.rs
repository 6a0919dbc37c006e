//! `credentials`: a password in a URI (RFC 3986 §3.2.1, §7.5).

use super::is_example;
use crate::audit::finding::{AuditFinding, Check, Severity};
use crate::audit::identity::private::is_private;
use crate::audit::link_context::LinkContext;
use crate::kind::Flag;

pub static CHECK: Check = Check {
    id: "credentials",
    severity: Severity::Error,
    summary: "a URI with a password in it",
    rationale: "It is shown, logged and sent along in clear text; the form is deprecated (RFC 3986 \
                sections 3.2.1 and 7.5).",
};

/// Nobody has a password of fewer characters; `a:b@` shows where one stands.
const SHORTEST: usize = 4;

/// What stands for a password where the form is explained.
const STAND_INS: [&str; 17] = [
    "credentials",
    "changeme",
    "key",
    "mypassword",
    "pass",
    "passwd",
    "password",
    "passwort",
    "postgres",
    "pw",
    "pwd",
    "root",
    "secret",
    "test",
    "token",
    "xxx",
    "yourpassword",
];

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (parsed, uri) = context.absolute()?;
    if context.may_be_code()
        || !parsed.flags.contains(Flag::HasCredentials)
        || is_example(&uri)
        || is_private(&uri)
    {
        return None;
    }
    let (user, password) = uri.userinfo()?.split_once(':')?;
    if is_stand_in(password) || password == user {
        return None;
    }
    let message = "the URI holds a password".to_owned();
    Some(context.finding(&CHECK, message).hint("remove what stands before the `@`"))
}

/// `password`, `YOUR_PASSWORD`, `****`, `$SECRET`, `<token>`.
fn is_stand_in(password: &str) -> bool {
    let letters = password.chars().filter(char::is_ascii_alphanumeric);
    let word: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    password.len() < SHORTEST
        || word.chars().all(|c| c == 'x')
        || STAND_INS.contains(&word.as_str())
        || ["pass", "token", "secret", "your", "my"].iter().any(|start| word.starts_with(start))
        || password.starts_with(['$', '{', '[', '<', '%'])
        || password.contains('_') && !password.contains(|c: char| c.is_ascii_lowercase())
}
