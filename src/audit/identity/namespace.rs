//! `unknown-namespace`: a URN with an unregistered namespace identifier (RFC 8141 §5).

use crate::audit::{AuditFinding, Check, LinkContext, Severity};
use crate::namespace::NamespaceClass;
use crate::{Kind, Urn, registry};

pub static CHECK: Check = Check {
    id: "unknown-namespace",
    severity: Severity::Warning,
    summary: "a URN in a namespace that is not registered",
    rationale: "Only a registered namespace makes a URN a lasting name (RFC 8141 sections 5 and \
                6); someone else may use the same one.",
    fails: "[a](urn:frobnicate:1)",
    passes: "[a](urn:ietf:rfc:3986)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (parsed, uri) = context.absolute()?;
    if context.may_be_code() || parsed.kind != Kind::Urn {
        return None;
    }
    let urn = Urn::parse(uri.as_str()).ok()?;
    let nid = urn.nid();
    let why = match NamespaceClass::for_nid(nid) {
        NamespaceClass::Unregistered => "is not registered with IANA",
        NamespaceClass::Invalid => "can't be registered",
        NamespaceClass::Informal if registry::namespace(nid.as_bytes()).is_none() => {
            "has not been assigned by IANA"
        }
        // RFC 8141 §5.1: formal namespaces of countries and experimental ones need no registration
        // here.
        _ => return None,
    };
    Some(context.finding(&CHECK, format!("the URN namespace `{nid}` {why}")))
}
