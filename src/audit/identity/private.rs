//! `private-host`: a link to a host that only exists in the author's network.
//!
//! Documentation may say "open <http://localhost:8080/>". So text is not checked, nor is a
//! destination whose text shows the host. The remaining links look as if they worked for everyone.

use std::net::IpAddr;

use super::{is_one_of, last_label};
use crate::Uri;
use crate::audit::{AuditFinding, Check, LinkContext, Severity};
use crate::grammar::HostType;

pub static CHECK: Check = Check {
    id: "private-host",
    severity: Severity::Note,
    summary: "a link to a host that can't be reached from elsewhere",
    rationale: "The name or address means something else, or nothing, in every other network \
                (RFC 1918, RFC 4193, RFC 6761, RFC 6762).",
    fails: "[manual](http://localhost:8000/)",
    passes: "[manual](https://a.dev/manual)",
};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let (_, uri) = context.absolute()?;
    // A `file:` URI usually has no host, so the checks of hosts below would not see it.
    // Org writes paths relative to the document as `file:a.org`.
    let is_relative = uri.authority().is_none() && !uri.path().starts_with(['/', '~']);
    let is_file = uri.scheme().eq_ignore_ascii_case("file");
    if is_file && !is_relative && context.is_destination() {
        // Saved or built pages record their origin in `<link>`, which readers do not follow.
        let is_shown = context.page.is_source() || context.link.element != Some("link");
        let message = "`file:` means the machine of each reader".to_owned();
        return is_shown.then(|| context.finding(&CHECK, message));
    }
    let host = uri.host()?;
    if !context.is_destination() || !is_private(&uri) {
        return None;
    }
    let shown = host.trim_matches(['[', ']']);
    let says_so = |text: &str| text.contains(shown) || text.contains("local");
    let looks_public = match context.label() {
        Some(label) => !says_so(&label.text.to_ascii_lowercase()),
        // An autolink shows its host, but an image does not.
        None => context.is_embedded(),
    };
    if !looks_public {
        return None;
    }
    let message = format!("`{host}` can only be reached from the author's own network");
    Some(context.finding(&CHECK, message))
}

/// Returns the address that the host of a URI is. An IPv4 address in the form of IPv6
/// (`::ffff:127.0.0.1`) counts as itself. A name such as `127.evil.dev` is not an address.
fn address(uri: &Uri<'_>) -> Option<IpAddr> {
    let host = uri.host().unwrap_or_default();
    let address: Option<IpAddr> = match uri.host_type() {
        Some(HostType::RegName) => None,
        _ => host.trim_matches(['[', ']']).parse().ok(),
    };
    address.map(|address| address.to_canonical())
}

/// True for the machine of each reader: its addresses, and `localhost` with the names below it
/// (RFC 6761 section 6.3).
pub(super) fn is_own_machine(uri: &Uri<'_>) -> bool {
    match address(uri) {
        Some(address) => address.is_loopback() || address.is_unspecified(),
        None => is_one_of(last_label(uri.host().unwrap_or_default()).1, &["localhost"]),
    }
}

/// True for hosts of the machine itself or of a private network.
fn is_private(uri: &Uri<'_>) -> bool {
    if is_own_machine(uri) {
        return true;
    }
    match address(uri) {
        Some(IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Some(IpAddr::V6(address)) => address.is_unique_local() || address.is_unicast_link_local(),
        None => {
            let names = ["local", "internal", "localdomain", "lan", "intranet", "corp"];
            let (above, last) = last_label(uri.host().unwrap_or_default());
            // `home.arpa` is for home networks (RFC 8375).
            is_one_of(last, &names)
                || is_one_of(last, &["arpa"]) && is_one_of(last_label(above).1, &["home"])
        }
    }
}
