//! `percent-encoding`: a `%` without two hexadecimal digits (RFC 3986 §2.1), or the octet `%00`,
//! which ends a string in some programs (§7.3).

use crate::Flag;
use crate::audit::rare_bytes::RareBytes;
use crate::audit::target::Destination;
use crate::audit::{AuditFinding, Check, LinkContext, Safety, Severity};
use crate::percent::octet;

pub static CHECK: Check = Check {
    id: "percent-encoding",
    severity: Severity::Warning,
    summary: "a `%` without two hexadecimal digits after it, or `%00`",
    rationale: "A percent sign only starts a triplet; write a literal one as `%25` (RFC 3986 \
                sections 2.1 and 2.4). `%00` ends the string in some programs (section 7.3).",
    fails: "[a](https://a.dev/50%-off)",
    passes: "[a](https://a.dev/50%25-off)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let parsed = context.parsed()?;
    if !context.rare_bytes.has(RareBytes::PERCENT) {
        return None;
    }
    let bytes = context.link.written.as_bytes();
    if context.may_be_code() || context.is_program() || context.is_of_engine {
        return None;
    }
    if parsed.flags.contains(Flag::PercentNul) {
        return Some(context.finding(&CHECK, "`%00` ends a string in some programs".to_owned()));
    }
    let bad = memchr::memchr_iter(b'%', bytes).find(|&at| octet(bytes, at).is_none())?;
    let shown = context.link.written.get(bad..).unwrap_or_default();
    let shown: String = shown.chars().take(3).collect();
    let message = format!("`{shown}` is not a percent-encoded octet");
    let finding = context.finding(&CHECK, message).hint("write `%25` for a percent sign");
    // Browsers first compare the literal fragment (HTML Standard, section 7.4.6.4).
    let is_followed = memchr::memchr(b'#', bytes).is_some_and(|fragment| fragment < bad);
    let finding = if is_followed { finding.mild() } else { finding };
    let encoded = encoded_signs(context.link.written);
    // Encoding does not help if the file is missing in either spelling.
    let is_local = matches!(context.destination(), Destination::Target(_));
    Some(if is_local && !context.would_pass(&encoded) {
        finding
    } else {
        finding.fix(Safety::Safe, encoded)
    })
}

/// Returns a reference with each percent sign encoded that starts no triplet.
fn encoded_signs(written: &str) -> String {
    let mut encoded = String::with_capacity(written.len() + 4);
    for (at, c) in written.char_indices() {
        encoded.push(c);
        if c == '%' && octet(written.as_bytes(), at).is_none() {
            encoded.push_str("25");
        }
    }
    encoded
}
