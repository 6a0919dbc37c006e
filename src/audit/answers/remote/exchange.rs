//! The requests for one URL, from the first to its evidence: [`Exchange`]. No clock, no threads, no
//! network: the scheduler passes requests and answers on.

use std::time::Duration;

use super::cookies::Cookies;
use super::fetch::{FetchMethod, FetchRequest, FetchResponse};
use super::http_date;
use super::options::RemoteOptions;
use super::page;
use super::verdict::is_resolver;
use crate::audit::answers::web::POSTMASTER;
use crate::audit::{Evidence, Fault, Redirect};

/// Largest page whose names are read.
const MAX_PAGE_BYTES: usize = 8 << 20;

/// Most redirects that are followed; browsers follow 20.
const MAX_REDIRECTS: usize = 10;

/// Bytes of all URLs that one link redirects to. They are kept for the verdict and in the cache.
const MAX_REDIRECT_BYTES: usize = 16 << 10;

/// Wait before a second attempt; doubled for each further one.
const RETRY_WAIT: Duration = Duration::from_millis(500);

/// Wait before a missing host is looked up again.
const NO_HOST_WAIT: Duration = Duration::from_secs(1);

/// Wait after a 429 without `Retry-After`; doubled for each further one.
pub(super) const RATE_LIMIT_WAIT: Duration = Duration::from_secs(1);

/// The request that is sent next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestStage {
    /// Is it there? A header suffices.
    Head,
    /// Servers that answer `HEAD` wrongly get a request for the first bytes.
    FirstBytes,
    /// The names on the page.
    Page,
    /// A copy of a dead page.
    Archive,
}

/// Progress of an exchange after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExchangeProgress {
    /// The next request can be sent after this time.
    Next(Duration),
    /// The host asks for a pause. Then the same request follows.
    RateLimited(Duration),
    /// The evidence is complete.
    Done,
}

/// The lookup of one URL.
#[derive(Debug)]
pub(super) struct Exchange {
    /// Evidence so far; its `url` is the first requested URL.
    pub evidence: Evidence,
    stage: RequestStage,
    /// The URL of the next request.
    url: String,
    attempts: u32,
    cookies: Cookies,
}

impl Exchange {
    /// Starts the lookup of a URL as [`page::request_url`] returns it.
    pub fn new(url: String, wants_names: bool) -> Self {
        // The names need the whole page, so asking for its header first would only add a request.
        let stage = if wants_names { RequestStage::Page } else { RequestStage::Head };
        let evidence = Evidence { url: url.clone(), ..Evidence::default() };
        Self { evidence, stage, url, attempts: 0, cookies: Cookies::default() }
    }

    /// Returns the host of the next request in lower case. The mail of a domain has its own queue,
    /// because the domain may have mail and no host.
    pub fn host(&self) -> String {
        match self.mail_domain() {
            Some(domain) => format!("mail of {domain}"),
            None => page::host(&self.url),
        }
    }

    /// Returns the domain whose mail servers are looked up, instead of sending a request.
    pub fn mail_domain(&self) -> Option<&str> {
        self.url.strip_prefix(POSTMASTER)
    }

    /// Returns the next request.
    pub fn request(&self, options: &RemoteOptions) -> FetchRequest {
        let mut headers = vec![("Accept".to_owned(), "text/html,*/*;q=0.8".to_owned())];
        if self.stage == RequestStage::FirstBytes {
            // The body is dropped, and a range keeps a server from sending all of a large file.
            headers.push(("Range".to_owned(), "bytes=0-1023".to_owned()));
        }
        // Credentials belong to an origin, so they are chosen for each request of a chain.
        headers.extend(options.headers.iter().filter_map(|header| header.field(&self.url)));
        headers.extend(self.cookies.header(&self.url).map(|value| ("Cookie".to_owned(), value)));
        let (method, max_body) = match self.stage {
            RequestStage::Head => (FetchMethod::Head, 0),
            RequestStage::FirstBytes => (FetchMethod::Get, 0),
            RequestStage::Page | RequestStage::Archive => (FetchMethod::Get, MAX_PAGE_BYTES),
        };
        FetchRequest { method, url: self.url.clone(), headers, max_body, timeout: options.timeout }
    }

    /// Takes the answer to the request.
    pub fn take(
        &mut self,
        answer: Result<FetchResponse, Fault>,
        options: &RemoteOptions,
    ) -> ExchangeProgress {
        if self.stage == RequestStage::Archive {
            return self.take_archive(answer, options);
        }
        match answer {
            Ok(response) => self.take_response(&response, options),
            Err(fault) => self.take_fault(fault, options),
        }
    }

    fn take_fault(&mut self, fault: Fault, options: &RemoteOptions) -> ExchangeProgress {
        self.attempts += 1;
        match fault {
            // A name server may forget a name for a moment, so a host is missing only if it is
            // missing twice.
            Fault::NoHost if self.attempts == 1 => return ExchangeProgress::Next(NO_HOST_WAIT),
            fault if fault.is_transient() && self.attempts <= options.retries => {
                // Some servers hang on `HEAD` or close the connection.
                if self.stage == RequestStage::Head && fault != Fault::Refused {
                    self.stage = RequestStage::FirstBytes;
                }
                return ExchangeProgress::Next(doubled(RETRY_WAIT, self.attempts));
            }
            _ => {}
        }
        self.evidence.fault = Some(fault);
        self.finish(options)
    }

    fn take_response(
        &mut self,
        response: &FetchResponse,
        options: &RemoteOptions,
    ) -> ExchangeProgress {
        let status = response.status;
        self.cookies.take(&self.url, response);
        self.evidence.challenge = page::is_challenge(response);
        if matches!(status, 301 | 302 | 303 | 307 | 308)
            && !is_resolver(&self.url)
            && let Some(location) = response.field("location")
        {
            return self.follow(status, location, options);
        }
        match status {
            429 if self.attempts < options.retries.max(1) => {
                self.attempts += 1;
                let wait = retry_after(response);
                let wait = wait.unwrap_or_else(|| doubled(RATE_LIMIT_WAIT, self.attempts));
                return ExchangeProgress::RateLimited(wait);
            }
            // Only `GET` must be supported (RFC 9110 section 9.1), and servers answer `HEAD` with
            // any error. So no error counts before a `GET`.
            400.. if self.stage == RequestStage::Head && status != 429 => {
                self.stage = RequestStage::FirstBytes;
                return ExchangeProgress::Next(Duration::ZERO);
            }
            500.. if self.attempts < options.retries && !self.evidence.challenge => {
                self.attempts += 1;
                let wait = retry_after(response);
                return match wait {
                    Some(wait) => ExchangeProgress::RateLimited(wait),
                    None => ExchangeProgress::Next(doubled(RETRY_WAIT, self.attempts)),
                };
            }
            _ => {}
        }
        // The resource exists, but is shorter than the range (RFC 9110 section 15.5.17), or has no
        // byte at all.
        self.evidence.status = Some(match status {
            206 | 416 if self.stage == RequestStage::FirstBytes => 200,
            status => status,
        });
        if self.stage == RequestStage::Page && (200..300).contains(&status) {
            // An empty list is evidence, too: the page was read, and its names are not known.
            self.evidence.names = Some(page::names(response).unwrap_or_default());
        }
        self.finish(options)
    }

    fn follow(&mut self, status: u16, location: &str, options: &RemoteOptions) -> ExchangeProgress {
        let target = page::redirect_target(&self.url, location);
        let kept: usize = self.evidence.redirects.iter().map(|redirect| redirect.to.len()).sum();
        let fault = match target.as_deref().map(page::request_url) {
            Some(Some(_)) if self.evidence.redirects.len() >= MAX_REDIRECTS => {
                Some(Fault::RedirectLoop)
            }
            Some(Some(url)) if kept + url.len() > MAX_REDIRECT_BYTES => Some(Fault::TooLong),
            Some(Some(_)) => None,
            _ => Some(Fault::RedirectScheme),
        };
        if let (None, Some(url)) = (fault, target.as_deref().and_then(page::request_url)) {
            self.evidence.redirects.push(Redirect::new(status, url.clone()));
            self.url = url;
            return ExchangeProgress::Next(Duration::ZERO);
        }
        self.evidence.status = Some(status);
        self.evidence.fault = fault;
        self.finish(options)
    }

    /// Ends the lookup, or asks for an archived copy of a dead page.
    fn finish(&mut self, options: &RemoteOptions) -> ExchangeProgress {
        let Evidence { status, fault, .. } = self.evidence;
        let is_dead =
            fault == Some(Fault::NoHost) || fault.is_none() && matches!(status, Some(404 | 410));
        if !is_dead || !options.suggest_archive {
            return ExchangeProgress::Done;
        }
        (self.stage, self.attempts) = (RequestStage::Archive, 0);
        self.url = super::archive::query(&self.evidence.url);
        ExchangeProgress::Next(Duration::ZERO)
    }

    fn take_archive(
        &mut self,
        answer: Result<FetchResponse, Fault>,
        options: &RemoteOptions,
    ) -> ExchangeProgress {
        self.attempts += 1;
        let may_retry = self.attempts <= options.retries;
        match answer {
            Ok(response) if response.status == 200 => {
                self.evidence.archived = super::archive::copy(&response.body);
            }
            Ok(response) if matches!(response.status, 429 | 503) && may_retry => {
                let wait = retry_after(&response);
                let wait = wait.unwrap_or_else(|| doubled(RATE_LIMIT_WAIT, self.attempts));
                return ExchangeProgress::RateLimited(wait);
            }
            Err(fault) if fault.is_transient() && may_retry => {
                return ExchangeProgress::Next(doubled(RETRY_WAIT, self.attempts));
            }
            // The copy is an extra: without it, the evidence about the page is complete.
            Ok(_) | Err(_) => {}
        }
        ExchangeProgress::Done
    }

    /// True if only the archived copy is missing.
    pub fn is_judgeable(&self) -> bool {
        self.stage == RequestStage::Archive
    }
}

fn doubled(wait: Duration, attempts: u32) -> Duration {
    // With more attempts, the power would overflow.
    wait * 2_u32.pow(attempts.saturating_sub(1).min(8))
}

/// Longest pause that is remembered. A server that asks for more is broken, or does not want to be
/// asked at all.
pub(super) const MAX_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns the pause that a server asks for (RFC 9110 section 10.2.3): seconds, or a date, which
/// counts from the `Date` of the response, so that only the clock of the server matters. Without
/// such a field, the time of arrival counts (section 6.6.1).
pub(super) fn retry_after(response: &FetchResponse) -> Option<Duration> {
    let text = response.field("retry-after")?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number of any length; one that no integer holds is as long as a pause can be.
        let pause = text.parse().map_or(MAX_PAUSE, Duration::from_secs);
        return Some(pause.min(MAX_PAUSE));
    }
    let now = response.field("date").and_then(http_date::seconds).or(response.received)?;
    // A date that has passed only says that the server is busy.
    let seconds = http_date::seconds(text)?.checked_sub(now).filter(|seconds| *seconds > 0)?;
    Some(Duration::from_secs(seconds).min(MAX_PAUSE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(url: &str) -> (Exchange, RemoteOptions) {
        (Exchange::new(url.to_owned(), false), RemoteOptions::new())
    }

    const NOW: ExchangeProgress = ExchangeProgress::Next(Duration::ZERO);

    #[test]
    fn a_refused_head_is_followed_by_a_get() {
        let (mut exchange, options) = exchange("https://a.example/b");
        assert_eq!(exchange.request(&options).method, FetchMethod::Head);
        assert_eq!(exchange.take(Ok(FetchResponse::new(405)), &options), NOW);
        let request = exchange.request(&options);
        assert_eq!(request.method, FetchMethod::Get);
        assert!(request.headers.contains(&("Range".to_owned(), "bytes=0-1023".to_owned())));
        assert_eq!(exchange.take(Ok(FetchResponse::new(206)), &options), ExchangeProgress::Done);
        assert_eq!(exchange.evidence.status, Some(200));
    }

    #[test]
    fn cookies_and_credentials_stay_with_their_host() {
        let (mut exchange, _) = exchange("https://a.example/b");
        let options = RemoteOptions::new().header(super::super::HostHeader::new(
            "a.example",
            "Authorization",
            "secret",
        ));
        let has = |exchange: &Exchange, name: &str| {
            exchange.request(&options).headers.iter().any(|(field, _)| field == name)
        };
        assert!(has(&exchange, "Authorization"));
        let redirect = |to: &str| {
            FetchResponse::new(302).header("Location", to).header("Set-Cookie", "a=b; Path=/")
        };
        assert_eq!(exchange.take(Ok(redirect("https://c.example/")), &options), NOW);
        assert!(!has(&exchange, "Authorization") && !has(&exchange, "Cookie"));
        assert_eq!(exchange.take(Ok(redirect("https://a.example/d")), &options), NOW);
        assert!(has(&exchange, "Authorization") && has(&exchange, "Cookie"));
        // A secure cookie of any path is not sent in the clear.
        assert_eq!(exchange.take(Ok(redirect("http://a.example/d")), &options), NOW);
    }

    #[test]
    fn redirects_end() {
        let (mut exchange, options) = exchange("https://a.example/0");
        let redirect = || Ok(FetchResponse::new(301).header("Location", "/0"));
        let mut count = 0;
        while exchange.take(redirect(), &options) == NOW {
            count += 1;
        }
        assert_eq!(count, MAX_REDIRECTS);
        assert_eq!(exchange.evidence.fault, Some(Fault::RedirectLoop));
    }

    /// A thousand links to one server took 780 MB, and 600 MB of the cache.
    #[test]
    fn redirects_are_short() {
        let (mut exchange, options) = exchange("https://a.example/");
        let redirect = |length: usize| {
            Ok(FetchResponse::new(301).header("Location", &format!("/{}", "a".repeat(length))))
        };
        assert_eq!(exchange.take(redirect(8_000), &options), NOW);
        assert_eq!(exchange.take(redirect(8_000), &options), NOW);
        assert_eq!(exchange.take(redirect(8_000), &options), ExchangeProgress::Done);
        assert_eq!(exchange.evidence.fault, Some(Fault::TooLong));
        assert_eq!(exchange.evidence.redirects.len(), 2);
    }

    #[test]
    fn a_host_is_missing_if_it_is_missing_twice() {
        let (mut exchange, options) = exchange("https://a.example/");
        assert_eq!(
            exchange.take(Err(Fault::NoHost), &options),
            ExchangeProgress::Next(NO_HOST_WAIT)
        );
        assert_eq!(exchange.take(Err(Fault::NoHost), &options), ExchangeProgress::Done);
        assert_eq!(exchange.evidence.fault, Some(Fault::NoHost));
    }

    #[test]
    fn a_server_may_ask_for_a_pause() {
        let (mut exchange, options) = exchange("https://a.example/");
        let limited = || Ok(FetchResponse::new(429).header("Retry-After", "7"));
        let pause = ExchangeProgress::RateLimited(Duration::from_secs(7));
        assert_eq!(exchange.take(limited(), &options), pause);
        assert_eq!(exchange.take(limited(), &options), ExchangeProgress::Done);
        assert_eq!(exchange.evidence.status, Some(429));
    }

    #[test]
    fn a_pause_may_be_a_date() {
        let pause = |after: &str, date: &str| {
            retry_after(&FetchResponse::new(503).header("Retry-After", after).header("Date", date))
        };
        let (now, later) = ("Thu, 26 Nov 2026 10:00:00 GMT", "Thu, 26 Nov 2026 10:01:30 GMT");
        assert_eq!(pause(later, now), Some(Duration::from_secs(90)));
        assert_eq!(pause("Sat, 28 Nov 2026 10:00:00 GMT", now), Some(Duration::from_secs(86_400)));
        assert_eq!(pause(now, later), None);
        assert_eq!(pause(later, "today"), None);
        assert_eq!(pause("Thursday, 26-Nov-26 10:01:30 GMT", now), Some(Duration::from_secs(90)));
        assert_eq!(pause("Thu Nov 26 10:01:30 2026", now), Some(Duration::from_secs(90)));
        assert_eq!(pause("99999999999999999999", now), Some(MAX_PAUSE));
        // Without a clock of the server, ours counts.
        let mut response = FetchResponse::new(429).header("Retry-After", later);
        response.received = http_date::seconds(now);
        assert_eq!(retry_after(&response), Some(Duration::from_secs(90)));
    }

    #[test]
    fn resolvers_are_asked_once() {
        let (mut exchange, options) = exchange("https://doi.org/10.1000/182");
        let found = FetchResponse::new(302).header("Location", "https://publisher.example/");
        assert_eq!(exchange.take(Ok(found), &options), ExchangeProgress::Done);
        assert_eq!((exchange.evidence.status, exchange.evidence.redirects.len()), (Some(302), 0));
    }
}
