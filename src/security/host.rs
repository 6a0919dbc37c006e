//! Hosts that are not what they look like: labels of mixed scripts (UTS #39 §5), ports that no
//! port can have.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::grammar::HostType;
use crate::registry::{punycode, script};
use crate::{Uri, percent};

/// A port is at most 65535 (RFC 9293 §3.1); the grammar takes any digits.
pub(super) fn is_port_out_of_range(uri: &Uri<'_>) -> bool {
    let port = uri.port().unwrap_or_default().trim_start_matches('0');
    port.len() > 5 || port.parse::<u32>().is_ok_and(|port| port > 65535)
}

pub(super) fn mixes_scripts(uri: &Uri<'_>) -> bool {
    let is_name = uri.host_type() == Some(HostType::RegName);
    let mut labels = uri.host().filter(|_| is_name).unwrap_or_default().split('.');
    labels.any(|label| unicode(label).is_some_and(|label| !is_one_script(&label)))
}

/// The label as people read it, unless it is plain ASCII.
fn unicode(label: &str) -> Option<Cow<'_, str>> {
    match label.split_at_checked(4) {
        Some((prefix, encoded)) if prefix.eq_ignore_ascii_case("xn--") => {
            punycode::decode(encoded.as_bytes()).map(Cow::Owned)
        }
        _ if label.contains('%') => {
            String::from_utf8(percent::decode(label).into_owned()).ok().map(Cow::Owned)
        }
        _ => None,
    }
}

/// The combinations that are written together every day (UTS #39 §5.2, Highly Restrictive):
/// Japanese, Chinese with Bopomofo, Korean, each with Latin.
const TOGETHER: [&[&str]; 3] =
    [&["Latn", "Hani", "Hira", "Kana"], &["Latn", "Hani", "Bopo"], &["Latn", "Hani", "Hang"]];

/// True when all characters of `label` are of one script, or of scripts that are written together.
/// What several scripts share counts for none (UTS #39 §5.1).
pub(crate) fn is_one_script(label: &str) -> bool {
    let scripts = || label.chars().filter_map(script);
    let Some(first) = scripts().next() else {
        return true;
    };
    scripts().all(|script| script == first)
        || TOGETHER.iter().any(|set| scripts().all(|script| set.contains(&script)))
}
