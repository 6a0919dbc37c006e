//! From evidence to a verdict. The same evidence may lead to another verdict under other options,
//! without a request.

use super::options::RemoteOptions;
use super::page::{USER_CONTENT, landing};
use crate::audit::answers::web::POSTMASTER;
use crate::audit::{Death, Evidence, Fault, Spellings, Verdict, Why};

/// Judges a link by the evidence about its URL.
pub(super) fn verdict(
    evidence: &Evidence,
    fragment: Option<&str>,
    options: &RemoteOptions,
) -> Verdict {
    if let Some(fault) = evidence.fault {
        return match fault {
            Fault::NoHost => Verdict::Dead(Death::NoHost),
            Fault::NoMail => Verdict::Dead(Death::NoMail),
            fault => Verdict::Unknown(Why::Fault(fault)),
        };
    }
    let Some(status) = evidence.status else { return Verdict::Unknown(Why::HostPaused) };
    if evidence.url.starts_with(POSTMASTER) {
        return Verdict::Alive;
    }
    if evidence.challenge {
        return Verdict::Unknown(Why::Challenge);
    }
    // A resolver answers for an identifier: that it redirects is the proof.
    let is_resolved = (300..400).contains(&status) && is_resolver(&evidence.url);
    if !options.accept.contains(status) && !is_resolved {
        return match status {
            // Other errors may concern only this client, or only this moment.
            404 | 410 => Verdict::Dead(Death::Status(status)),
            status => Verdict::Unknown(Why::Status(status)),
        };
    }
    let last = evidence.last_url();
    if let Some(page) = landing(&evidence.url, last).filter(|_| !evidence.redirects.is_empty()) {
        return Verdict::Elsewhere(page, last.to_owned());
    }
    let anchor = fragment.map_or(Verdict::Alive, |fragment| anchor(evidence, fragment));
    match anchor {
        Verdict::Alive => moved(evidence).map_or(Verdict::Alive, Verdict::Moved),
        other => other,
    }
}

/// Hosts that redirect from identifiers to publishers. Whether the publisher lets programs in says
/// nothing about the identifier.
const RESOLVERS: &[&str] = &["doi.org", "dx.doi.org", "www.doi.org", "hdl.handle.net", "n2t.net"];

/// True for a URL whose redirect is not followed.
pub(super) fn is_resolver(url: &str) -> bool {
    RESOLVERS.contains(&super::page::host(url).as_str())
}

/// Returns the URL after the permanent redirects at the start of a chain. After a temporary one,
/// the server wants to be asked again.
fn moved(evidence: &Evidence) -> Option<String> {
    let permanent = evidence.redirects.iter().take_while(|redirect| redirect.is_permanent());
    let to = &permanent.last()?.to;
    // Only a difference that a reader of the document can see is worth a change.
    (*to != evidence.url).then(|| to.clone())
}

fn anchor(evidence: &Evidence, fragment: &str) -> Verdict {
    // Pages without any anchor are built by scripts.
    let Some(names) = evidence.names.as_deref().filter(|names| !names.is_empty()) else {
        return Verdict::Unknown(Why::Anchors);
    };
    let has = |name: &str| names.binary_search_by(|known| known.as_str().cmp(name)).is_ok();
    if has(fragment) || has(&format!("{USER_CONTENT}{}", fragment.to_lowercase())) {
        return Verdict::Alive;
    }
    let visible = |name: &String| name.strip_prefix(USER_CONTENT).unwrap_or(name).to_owned();
    let spellings = Spellings::new(names.iter().map(visible));
    Verdict::NoAnchor(spellings.nearest(fragment).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{Landing, Redirect};

    fn judged(evidence: &Evidence) -> Verdict {
        verdict(evidence, None, &RemoteOptions::new())
    }

    #[test]
    fn only_missing_pages_and_hosts_are_dead() {
        for status in [404, 410] {
            let evidence = Evidence::status("https://a.example/b", status);
            assert_eq!(judged(&evidence), Verdict::Dead(Death::Status(status)));
        }
        for status in [400, 401, 403, 405, 429, 451, 500, 503, 999] {
            let evidence = Evidence::status("https://a.example/b", status);
            assert_eq!(judged(&evidence), Verdict::Unknown(Why::Status(status)));
        }
        assert_eq!(judged(&Evidence::status("https://a.example/b", 204)), Verdict::Alive);
        let fault = |fault| judged(&Evidence::fault("https://a.example/", fault));
        assert_eq!(fault(Fault::NoHost), Verdict::Dead(Death::NoHost));
        assert_eq!(fault(Fault::Timeout), Verdict::Unknown(Why::Fault(Fault::Timeout)));
    }

    #[test]
    fn other_options_judge_the_same_evidence() {
        let evidence = Evidence::status("https://a.example/b", 404);
        let options = RemoteOptions::new().accept("200-299,404".parse().unwrap());
        assert_eq!(verdict(&evidence, None, &options), Verdict::Alive);
    }

    #[test]
    fn permanent_redirects_are_moves() {
        let chain = |statuses: &[u16]| Evidence {
            redirects: (0..)
                .zip(statuses)
                .map(|(at, status)| Redirect::new(*status, format!("https://a.example/x/{at}")))
                .collect(),
            ..Evidence::status("https://a.example/old/page", 200)
        };
        assert_eq!(judged(&chain(&[301, 308])), Verdict::Moved("https://a.example/x/1".to_owned()));
        assert_eq!(judged(&chain(&[301, 302])), Verdict::Moved("https://a.example/x/0".to_owned()));
        assert_eq!(judged(&chain(&[302, 301])), Verdict::Alive);
        let front = Evidence {
            redirects: vec![Redirect::new(301, "https://a.example/")],
            ..Evidence::status("https://a.example/old/page", 200)
        };
        let to = "https://a.example/".to_owned();
        assert_eq!(judged(&front), Verdict::Elsewhere(Landing::FrontPage, to));
    }

    #[test]
    fn fragments() {
        let evidence = Evidence {
            names: Some(vec!["install".to_owned(), "user-content-usage".to_owned()]),
            ..Evidence::status("https://a.example/b", 200)
        };
        let of = |fragment| verdict(&evidence, Some(fragment), &RemoteOptions::new());
        assert_eq!(of("install"), Verdict::Alive);
        assert_eq!(of("Usage"), Verdict::Alive);
        assert_eq!(of("instal"), Verdict::NoAnchor(Some("install".to_owned())));
        let empty = Evidence { names: Some(vec![]), ..evidence.clone() };
        let unknown = verdict(&empty, Some("a"), &RemoteOptions::new());
        assert_eq!(unknown, Verdict::Unknown(Why::Anchors));
    }
}
