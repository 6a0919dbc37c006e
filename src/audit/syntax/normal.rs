//! `not-normalized`: a URI with an equivalent, preferable spelling (RFC 3986 §6.2).
//!
//! Only unintended differences are reported: the case of scheme and host, the digits of triplets,
//! dot segments, a redundant port.

use crate::audit::{AuditFinding, Check, LinkContext, Safety, Severity};
use crate::grammar::HostType;
use crate::reference::Normalizer;
use crate::slice::SliceExt as _;
use crate::{Kind, Uri};

pub static CHECK: Check = Check {
    id: "not-normalized",
    severity: Severity::Note,
    summary: "a URI that is not in its normal spelling",
    rationale: "Caches, indexes, and searches compare URIs character by character (RFC 3986 \
                section 6.2.1); write the normal form (sections 6.2.2 and 6.2.3).",
    fails: "[a](HTTPS://A.dev/b/../c)",
    passes: "[a](https://a.dev/c)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (parsed, uri) = context.absolute()?;
    if context.may_be_code() || parsed.kind != Kind::Uri || uri.host().is_none_or(str::is_empty) {
        return None;
    }
    let what = what(&uri)?;
    let finding = context.finding(&CHECK, what.to_owned());
    let normal = Normalizer::new().normalize(uri);
    Some(finding.hint(format!("write `{normal}`")).fix(Safety::Safe, normal))
}

fn what(uri: &Uri<'_>) -> Option<&'static str> {
    let upper = |text: &str| text.bytes().any(|byte| byte.is_ascii_uppercase());
    let host = uri.host().unwrap_or_default();
    let is_name = uri.host_type() == Some(HostType::RegName) && !host.contains('%');
    if upper(uri.scheme()) {
        return Some("the scheme is not in lower case");
    }
    if is_name && upper(host) {
        return Some("the host is not in lower case");
    }
    if uri.port().is_some_and(|port| is_implied(uri.scheme(), port)) {
        return Some("the port is the default of the scheme");
    }
    let mut segments = uri.path().as_bytes().split(|&byte| byte == b'/');
    if segments.any(|segment| matches!(segment, b"." | b"..")) {
        return Some("the path has dot segments");
    }
    has_lower_triplet(uri.as_str()).then_some("a percent triplet is not in upper case")
}

/// True for a redundant port (RFC 3986 §6.2.3).
fn is_implied(scheme: &str, port: &str) -> bool {
    match scheme {
        "http" | "ws" => matches!(port, "" | "80"),
        "https" | "wss" => matches!(port, "" | "443"),
        "ftp" => matches!(port, "" | "21"),
        _ => port.is_empty(),
    }
}

/// True for `%3a` instead of `%3A` (RFC 3986 §6.2.2.1).
fn has_lower_triplet(uri: &str) -> bool {
    let bytes = uri.as_bytes();
    memchr::memchr_iter(b'%', bytes)
        .any(|at| bytes.clamped(at + 1..at + 3).iter().any(u8::is_ascii_lowercase))
}
