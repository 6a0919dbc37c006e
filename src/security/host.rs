//! Misleading hosts: labels of mixed scripts (UTS #39 §5), and ports that cannot exist.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::grammar::HostType;
use crate::registry::{punycode, script};
use crate::{Uri, percent};

/// True for a port above 65535 (RFC 9293 §3.1); the grammar allows any digits.
pub(super) fn is_port_out_of_range(uri: &Uri<'_>) -> bool {
    let port = uri.port().unwrap_or_default().trim_start_matches('0');
    // Six digits without leading zeros are always too many, so the number cannot overflow.
    port.len() > 5 || port.parse::<u32>().is_ok_and(|port| port > 65535)
}

pub(super) fn mixes_scripts(uri: &Uri<'_>) -> bool {
    let is_name = uri.host_type() == Some(HostType::RegName);
    let mut labels = uri.host().filter(|_| is_name).unwrap_or_default().split('.');
    labels.any(|label| unicode(label).is_some_and(|label| !is_one_script(&label)))
}

/// Returns the label in readable form, unless it is plain ASCII.
fn unicode(label: &str) -> Option<Cow<'_, str>> {
    match label.split_at_checked(4) {
        Some((prefix, encoded)) if prefix.eq_ignore_ascii_case("xn--") => {
            punycode::decode(encoded.as_bytes()).map(Cow::Owned)
        }
        _ if label.as_bytes().contains(&b'%') => {
            String::from_utf8(percent::decode(label).into_owned()).ok().map(Cow::Owned)
        }
        _ => None,
    }
}

/// Scripts that are commonly written together (UTS #39 §5.2, Highly Restrictive): Japanese, Chinese
/// with Bopomofo, Korean, each with Latin.
const TOGETHER: [&[&str]; 3] =
    [&["Latn", "Hani", "Hira", "Kana"], &["Latn", "Hani", "Bopo"], &["Latn", "Hani", "Hang"]];

/// True if all characters of `label` have one script, or scripts that are written together.
/// Characters that several scripts share are ignored (UTS #39 §5.1).
pub(crate) fn is_one_script(label: &str) -> bool {
    let scripts = || label.chars().filter_map(script);
    let Some(first) = scripts().next() else {
        return true;
    };
    scripts().all(|script| script == first)
        || TOGETHER.iter().any(|set| scripts().all(|script| set.contains(&script)))
}
