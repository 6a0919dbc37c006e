//! Redirectors that carry their target in a query parameter, percent-encoded.

use alloc::borrow::Cow;

use super::is_below;
use crate::{Uri, percent};

/// A redirector: its domain including subdomains, the prefix of its paths, and the parameters that
/// may carry the target.
struct Redirector {
    domain: &'static str,
    path: &'static str,
    names: &'static [&'static str],
}

const fn at(
    domain: &'static str,
    path: &'static str,
    names: &'static [&'static str],
) -> Redirector {
    Redirector { domain, path, names }
}

/// From the documentation of their operators, or from links that they created.
const REDIRECTORS: [Redirector; 20] = [
    // Microsoft Safe Links: mail, and Teams and Office below `/ap/`
    at("safelinks.protection.outlook.com", "/", &["url"]),
    at("safelinks.protection.office365.us", "/", &["url"]),
    at("safelinks.protection.partner.outlook.cn", "/", &["url"]),
    // The links lead through `l.facebook.com` and `lm.facebook.com`; subdomains are included.
    at("facebook.com", "/l.php", &["u"]),
    at("facebook.com", "/flx/warn", &["u"]),
    at("l.messenger.com", "/l.php", &["u"]),
    at("l.instagram.com", "/", &["u"]),
    at("l.threads.net", "/", &["u"]),
    at("youtube.com", "/redirect", &["q"]),
    at("linkedin.com", "/redir/redirect", &["url"]),
    at("linkedin.com", "/safety/go", &["url"]),
    at("slack-redir.net", "/link", &["url"]),
    at("steamcommunity.com", "/linkfilter", &["url", "u"]),
    at("out.reddit.com", "/", &["url"]),
    at("t.umblr.com", "/redirect", &["z"]),
    at("vk.com", "/away.php", &["to"]),
    // The version without scripts links its results through this.
    at("duckduckgo.com", "/l/", &["uddg"]),
    // Barracuda, Symantec, Trend Micro
    at("linkprotect.cudasvc.com", "/url", &["a"]),
    at("clicktime.symantec.com", "/", &["u"]),
    at("trendmicro.com", "/wis/clicktime", &["url", "u"]),
];

/// Path segments of the archives of list servers; below them, a redirecting link counts clicks.
const ARCHIVES: [&str; 7] =
    ["sympa", "wws", "mailman", "mailman3", "pipermail", "hyperkitty", "archives"];
const FOLLOWED: [&str; 5] = ["redirect", "redir", "click", "track", "goto"];
const ARCHIVE_NAMES: &[&str] = &["url", "u", "to"];

pub(super) fn inner<'u>(host: &str, uri: Uri<'u>) -> Option<Cow<'u, [u8]>> {
    let query = uri.query()?;
    let path = uri.path();
    let known = REDIRECTORS
        .iter()
        .find(|known| is_below(host, known.domain) && path.starts_with(known.path));
    let names = match known {
        Some(known) => known.names,
        // Links in Gmail and Docs carry `q`, results of the search carry `url`.
        None if is_google(host) && path == "/url" => &["q", "url"],
        None if is_archive(path) => ARCHIVE_NAMES,
        None => return None,
    };
    let value = |name: &&str| {
        let fields = query.split('&').filter_map(|field| field.split_once('='));
        let mut named = fields.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| percent::decode(value))
    };
    names.iter().find_map(value)
}

/// True for `google.com`, `www.google.co.uk`: the name, then a country.
fn is_google(host: &str) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    host.strip_prefix("google.").is_some_and(|country| {
        let mut labels = country.split('.');
        labels.clone().count() <= 2 && labels.all(|label| matches!(label.len(), 2 | 3))
    })
}

fn is_archive(path: &str) -> bool {
    let mut segments = path.split('/').skip(1);
    segments.any(|segment| ARCHIVES.contains(&segment))
        // The iterator continues after the segment that names the archive: only what is below it
        // counts.
        && segments.any(|segment| {
            // The script may show its extension, as in `redirect.php`.
            let name = segment.split('.').next().unwrap_or_default();
            FOLLOWED.contains(&name)
        })
}
