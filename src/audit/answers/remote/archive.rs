//! Copies of dead pages in the Wayback Machine of the Internet Archive.

use serde::Deserialize;

use crate::percent;

/// Returns the URL that asks for the copy of a page (<https://archive.org/help/wayback_api.php>).
pub(super) fn query(url: &str) -> String {
    let url = percent::encode(url, percent::PercentSet::Anywhere);
    format!("https://archive.org/wayback/available?url={url}")
}

#[derive(Deserialize)]
struct Reply {
    #[serde(default)]
    archived_snapshots: Snapshots,
}

#[derive(Default, Deserialize)]
struct Snapshots {
    closest: Option<Snapshot>,
}

#[derive(Deserialize)]
struct Snapshot {
    url: String,
    status: String,
    available: bool,
}

/// Returns the URL of the copy in a reply; empty if the archive has none, `None` if the reply is
/// not one.
pub(super) fn copy(body: &[u8]) -> Option<String> {
    let reply: Reply = serde_json::from_slice(body).ok()?;
    let closest = reply.archived_snapshots.closest;
    let copy = closest.filter(|copy| copy.available && copy.status.starts_with('2'));
    let Some(copy) = copy else { return Some(String::new()) };
    // The interface names its copies by `http`.
    let url = match copy.url.strip_prefix("http://") {
        Some(rest) => format!("https://{rest}"),
        None => copy.url,
    };
    url.starts_with("https://web.archive.org/").then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies() {
        let reply = br#"{"url":"a.example","archived_snapshots":{"closest":{"status":"200",
            "available":true,"url":"http://web.archive.org/web/2020/http://a.example/",
            "timestamp":"20200101000000"}}}"#;
        assert_eq!(copy(reply).unwrap(), "https://web.archive.org/web/2020/http://a.example/");
        assert_eq!(copy(br#"{"archived_snapshots":{}}"#).unwrap(), "");
        assert_eq!(copy(b"<html>"), None);
        assert_eq!(
            query("http://a.example/?b&c"),
            "https://archive.org/wayback/available?url=http%3A%2F%2Fa.example%2F%3Fb%26c"
        );
    }
}
