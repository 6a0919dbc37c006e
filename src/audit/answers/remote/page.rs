//! Classifies pages of the web: names for fragments, login pages, front pages, and pages that
//! keep programs out.

use std::ops::ControlFlow;

use super::fetch::FetchResponse;
use crate::audit::Landing;
use crate::document::{CodeParts, Event, EventSink, Format, NameSpace, Source, Wants};
use crate::options::Identifiers;
use crate::reference::resolved;
use crate::{Uri, UriRef};

/// Most names of one page, and most bytes of them, that evidence keeps.
pub(super) const MAX_NAMES: usize = 20_000;
const MAX_NAME_BYTES: usize = 1 << 20;

/// Bytes of a page within which GitLab names itself.
const GITLAB_WITHIN: usize = 64 << 10;

/// Prefix of the ids that GitHub gives to the headings of documents. Its script also follows
/// fragments without the prefix.
pub(super) const USER_CONTENT: &str = "user-content-";

/// Returns the names that fragments of a page can have; `None` if they are not all known.
pub(super) fn names(response: &FetchResponse) -> Option<Vec<String>> {
    let media_type = response.field("content-type").unwrap_or("text/html");
    let media_type = media_type.split(';').next().unwrap_or_default().trim();
    let format = Format::from_media_type(media_type)?;
    if response.is_cut || !format.is_page() || is_gitlab(&response.body) {
        return None;
    }
    let mut reader = NameReader::default();
    // A read that stopped early saw too many names.
    if format.read(Source::new(&response.body), &mut reader).is_break() {
        return None;
    }
    let mut names = reader.names;
    names.extend(embedded_names(&response.body));
    names.sort_unstable();
    names.dedup();
    // It is kept until the end of a run.
    names.shrink_to_fit();
    let bytes: usize = names.iter().map(String::len).sum();
    (names.len() <= MAX_NAMES && bytes <= MAX_NAME_BYTES).then_some(names)
}

#[derive(Default)]
struct NameReader {
    names: Vec<String>,
    bytes: usize,
}

impl EventSink for NameReader {
    fn event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if let Event::Define { space: NameSpace::Anchor, name, .. } = event {
            self.bytes += name.len();
            self.names.push((*name).to_owned());
        }
        // A hundred pages may be read at the same time.
        if self.names.len() > MAX_NAMES || self.bytes > MAX_NAME_BYTES {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn wants(&self) -> Wants {
        Wants::all().code(CodeParts::Skipped).identifiers(Identifiers::Skip)
    }
}

/// Returns the names of headings in a file that GitHub shows. The page holds the rendered file as a
/// string of JSON, which the script inserts.
fn embedded_names(body: &[u8]) -> impl Iterator<Item = String> {
    memchr::memmem::find_iter(body, USER_CONTENT).take(MAX_NAMES).filter_map(move |at| {
        let rest = body.get(at + USER_CONTENT.len()..)?;
        let end = rest.iter().take(256).position(|byte| matches!(byte, b'"' | b'\\' | b'\''))?;
        let name = rest.get(..end)?;
        Some(format!("{USER_CONTENT}{}", String::from_utf8_lossy(name)))
    })
}

/// True for a page of GitLab, whose scripts fetch what it shows: files, notes, and lines. Only
/// their names are missing from the page, so a fragment is not evidence.
fn is_gitlab(body: &[u8]) -> bool {
    let head = body.get(..GITLAB_WITHIN).unwrap_or(body);
    let has = |text: &str| memchr::memmem::find(head, text.as_bytes()).is_some();
    has(r#"content="GitLab" property="og:site_name""#)
        || has(r#"property="og:site_name" content="GitLab""#)
}

/// Returns the target of a redirect, without a fragment.
pub(super) fn redirect_target(url: &str, location: &str) -> Option<String> {
    let base = Uri::parse(url).ok()?;
    let location = location.trim();
    // Servers send spaces and letters beyond ASCII as they are; browsers encode them.
    let encoded: String = location
        .chars()
        .flat_map(|c| match c {
            '!'..='~' if !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}') => {
                vec![c]
            }
            c => {
                let mut buffer = [0; 4];
                let bytes = c.encode_utf8(&mut buffer).bytes();
                bytes.flat_map(|byte| format!("%{byte:02X}").chars().collect::<Vec<_>>()).collect()
            }
        })
        .collect();
    let mut target = resolved(base, UriRef::parse(&encoded).ok()?);
    // A fragment is never sent (RFC 9110 section 7.1).
    if let Some(hash) = target.find('#') {
        target.truncate(hash);
    }
    Some(target)
}

/// Returns the URL to request: with a path, and without userinfo. The credentials in a document are
/// not those of the auditor.
pub(super) fn request_url(url: &str) -> Option<String> {
    let uri = Uri::parse(url).ok()?;
    let scheme = uri.scheme();
    if !["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)) {
        return None;
    }
    // The userinfo is left out: a client must not send it (RFC 9110 section 4.2.4).
    let host = uri.host().filter(|host| !host.is_empty())?;
    let port = uri.port().filter(|port| !port.is_empty());
    let port = port.map(|port| format!(":{port}")).unwrap_or_default();
    // An empty path means the same as `/` (RFC 9110 section 4.2.3).
    let path = if uri.path().is_empty() { "/" } else { uri.path() };
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{}://{host}{port}{path}{query}", scheme.to_ascii_lowercase()))
}

/// Returns the host of a URL in lower case.
pub(super) fn host(url: &str) -> String {
    let uri = Uri::parse(url).ok();
    uri.and_then(|uri| uri.host().map(str::to_ascii_lowercase)).unwrap_or_default()
}

/// Words in the path of a login page, as whole segments.
const LOGIN_SEGMENTS: &[&str] = &[
    "login",
    "log-in",
    "log_in",
    "login.php",
    "login.html",
    "login.aspx",
    "login.jsp",
    "signin",
    "sign-in",
    "sign_in",
    "signup",
    "users/sign_in",
    "sso",
    "oauth",
    "oauth2",
    "authorize",
    "authenticate",
    "wp-login.php",
    "servicelogin",
    "accountchooser",
    "sessions",
];

/// Returns the kind of page that a redirect ends at, if that is not the page of the link.
pub(super) fn landing(asked: &str, last: &str) -> Option<Landing> {
    let (asked, last) = (Uri::parse(asked).ok()?, Uri::parse(last).ok()?);
    let segments = |uri: &Uri<'_>| -> Vec<String> {
        let path = uri.path().to_ascii_lowercase();
        path.split('/').filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
    };
    let (from, to) = (segments(&asked), segments(&last));
    let is_login = |segments: &[String]| {
        segments.iter().any(|segment| LOGIN_SEGMENTS.contains(&segment.as_str()))
    };
    if is_login(&to) && !is_login(&from) {
        return Some(Landing::Login);
    }
    // The front page in a language is a front page: `/en/`, `/de-de/`.
    let is_language = |segment: &str| {
        let letters = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_alphabetic());
        segment.split(['-', '_']).all(letters)
    };
    let is_front = |segments: &[String]| match segments {
        [] => true,
        [one] => {
            is_language(one)
                || ["index.html", "index.php", "home", "404", "404.html"].contains(&one.as_str())
        }
        _ => false,
    };
    // A short path may be a name of the front page itself. A link with a query may be a short link.
    let was_deep = from.len() >= 2 || from.len() == 1 && from.iter().any(|s| s.contains('.'));
    (is_front(&to) && last.query().is_none() && was_deep && !is_front(&from))
        .then_some(Landing::FrontPage)
}

/// True if an answer asks to prove that a person sent the request. Content networks mark these
/// answers by a header field, so that programs need not read the page.
pub(super) fn is_challenge(response: &FetchResponse) -> bool {
    let has = |name: &str, value: &str| response.field(name).is_some_and(|it| it.contains(value));
    has("cf-mitigated", "challenge")
        || has("x-amzn-waf-action", "challenge")
        || has("x-amzn-waf-action", "captcha")
        || has("x-vercel-mitigated", "challenge")
        || has("server", "ddos-guard") && response.status == 403
        || response.field("x-datadome").is_some() && response.status == 403
        || response.field("sg-captcha").is_some()
        // LinkedIn's own code.
        || response.status == 999
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pages() {
        let page = |body: &str| {
            FetchResponse::new(200).header("Content-Type", "text/html; charset=x").body(body)
        };
        let github = page(
            r#"<p id=a><a name="b"></a>
            <script type="application/json">{"richText":"<a id=\"user-content-c-d\">"}</script>"#,
        );
        assert_eq!(names(&github).unwrap(), ["a", "b", "user-content-c-d"]);
        let site = r#"<meta content="GitLab" property="og:site_name">"#;
        assert_eq!(names(&page(&format!("<head>{site}</head><h1 id=a>A</h1>"))), None);
        assert_eq!(names(&FetchResponse { is_cut: true, ..page("<p id=a>") }), None);
        assert_eq!(names(&FetchResponse::new(200).header("content-type", "application/pdf")), None);
    }

    #[test]
    fn urls_of_requests() {
        assert_eq!(
            request_url("HTTPS://joe:pw@A.example:8443?q").unwrap(),
            "https://A.example:8443/?q"
        );
        assert_eq!(request_url("ftp://a.example/"), None);
        let target = |location: &str| redirect_target("https://a.example/b/c", location);
        assert_eq!(target("../d e#f").unwrap(), "https://a.example/d%20e");
        assert_eq!(target("//é.example/").unwrap(), "https://%C3%A9.example/");
    }

    #[test]
    fn landings() {
        let of = |from: &str, to: &str| landing(&format!("https://a.example{from}"), to);
        assert_eq!(of("/a/b.html", "https://a.example/"), Some(Landing::FrontPage));
        assert_eq!(of("/old.html", "https://b.example/en-us/"), Some(Landing::FrontPage));
        assert_eq!(of("/a/b", "https://sso.example/oauth2/start?x=y"), Some(Landing::Login));
        assert_eq!(of("/", "https://a.example/en/"), None);
        assert_eq!(of("/docs", "https://docs.example/"), None);
        assert_eq!(of("/a/b", "https://a.example/a/c"), None);
        assert_eq!(of("/login", "https://b.example/login"), None);
    }
}
