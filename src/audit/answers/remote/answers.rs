//! Asks the web in threads of its own: [`RemoteAnswers`].

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::cache::EvidenceCache;
use super::exchange::{Exchange, ExchangeProgress, RATE_LIMIT_WAIT, retry_after};
use super::fetch::{Fetch, FetchResponse};
use super::kept::{EvidenceRoom, KeptEvidence};
use super::options::RemoteOptions;
use super::page;
use super::quarantine::Quarantine;
use super::queue::{Closed, Feedback, HostId, HostQueues, MAX_PAUSE, Popped};
use super::report::{RemoteProgress, RemoteTally, StorageFailure};
use super::verdict::verdict;
use crate::audit::answers::web::POSTMASTER;
use crate::audit::{Answer, Answers, Evidence, Fault, UrlLink, Verdict, Why};
use crate::threads::lock;

/// Stack size of a thread that sends requests. TLS handshakes need most of it.
const STACK_BYTES: usize = 1 << 20;

/// Interval at which a waiting audit checks whether it was cancelled or its time is over.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Answers of the web. Threads of its own send the requests, each URL once; the caller needs no
/// runtime.
///
/// Every host has a queue with few connections and an interval between requests that grows when the
/// host asks for fewer. A host that never answers is given up after a few attempts.
#[derive(Debug)]
pub struct RemoteAnswers {
    shared: Arc<Shared>,
}

struct Shared {
    options: RemoteOptions,
    /// `None` judges from the cache alone.
    fetch: Option<Box<dyn Fetch>>,
    state: Mutex<AnswersState>,
    /// Signals that a thread has something to request.
    work: Condvar,
    /// Signals news to an audit that waits.
    news: Condvar,
    /// True if host names can be resolved at all.
    can_resolve: OnceLock<bool>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("options", &self.options).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct AnswersState {
    /// Progress of each URL.
    lookups: HashMap<String, Lookup>,
    queues: HostQueues<Exchange>,
    cache: EvidenceCache,
    quarantine: Option<Quarantine>,
    threads: usize,
    idle: usize,
    /// The next time at which a host may be asked, if an idle thread waits for it.
    timer: Option<Instant>,
    /// The reason why no more requests are sent.
    over: Option<Why>,
    first_request: Option<Instant>,
    body_bytes: u64,
    kept: KeptEvidence,
    asked: u64,
    answered: u64,
    /// URLs in `tally`.
    judged: HashSet<String>,
    tally: RemoteTally,
}

#[derive(Clone, Debug)]
enum Lookup {
    /// A request is waiting or running.
    Asked {
        wants_names: bool,
    },
    Known(Arc<Evidence>),
    /// Nothing was asked, for this reason.
    Lost(Why),
}

impl RemoteAnswers {
    /// Creates answers that a client fetches from the web.
    pub fn new(fetch: impl Fetch + 'static, options: RemoteOptions) -> Self {
        Self::with(Some(Box::new(fetch)), options)
    }

    /// Creates answers from the evidence of earlier runs alone, however old it is.
    pub fn offline(options: RemoteOptions) -> Self {
        Self::with(None, options)
    }

    fn with(fetch: Option<Box<dyn Fetch>>, options: RemoteOptions) -> Self {
        let state = AnswersState {
            lookups: HashMap::new(),
            queues: HostQueues::new(&options),
            cache: EvidenceCache::default(),
            quarantine: None,
            threads: 0,
            idle: 0,
            timer: None,
            over: None,
            first_request: None,
            body_bytes: 0,
            kept: KeptEvidence::default(),
            asked: 0,
            answered: 0,
            judged: HashSet::new(),
            tally: RemoteTally::default(),
        };
        let (work, news) = (Condvar::new(), Condvar::new());
        Self {
            shared: Arc::new(Shared {
                options,
                fetch,
                state: Mutex::new(state),
                work,
                news,
                can_resolve: OnceLock::new(),
            }),
        }
    }

    /// Uses and extends this cache.
    #[must_use]
    pub fn cache(self, cache: EvidenceCache) -> Self {
        self.shared.state().cache = cache;
        self
    }

    /// Reports pages as dead only if they were dead in a run a day before.
    #[must_use]
    pub fn quarantine(self, quarantine: Quarantine) -> Self {
        self.shared.state().quarantine = Some(quarantine);
        self
    }

    /// Sends no further request. Answers that are not known are [`Why::Interrupted`].
    pub fn cancel(&self) {
        self.shared.end(&mut self.shared.state(), Why::Interrupted);
    }

    /// Returns the progress.
    pub fn progress(&self) -> RemoteProgress {
        let state = self.shared.state();
        let (asked, answered) = (state.asked, state.answered);
        RemoteProgress { asked, answered, hosts: state.queues.busy_hosts() }
    }

    /// Returns the number of URLs by verdict, of the links judged so far.
    pub fn tally(&self) -> RemoteTally {
        self.shared.state().tally.clone()
    }

    /// Writes what the next run needs, and returns the files that could not be written. Call it at
    /// the end of an audit.
    pub fn save(&self) -> Vec<StorageFailure> {
        let mut state = self.shared.state();
        let mut failures = Vec::new();
        if let Some((path, error)) = state.cache.take_failure() {
            failures.push(StorageFailure { path, error });
        }
        if let Some(quarantine) = &state.quarantine
            && let Err(error) = quarantine.save()
        {
            failures.push(StorageFailure { path: quarantine.path().to_owned(), error });
        }
        failures
    }
}

impl Drop for RemoteAnswers {
    fn drop(&mut self) {
        // Threads are not joined: one may wait for a server until its time is over.
        self.cancel();
    }
}

impl Answers for RemoteAnswers {
    fn expect(&self, links: &[UrlLink]) {
        let mut state = self.shared.state();
        for link in links {
            Shared::start(&self.shared, &mut state, link);
        }
    }

    fn urls(&self, links: &[UrlLink]) -> Vec<Answer> {
        let shared = &self.shared;
        let mut state = shared.state();
        let mut answers = Vec::with_capacity(links.len());
        for link in links {
            // It was announced, so this usually does nothing.
            Shared::start(shared, &mut state, link);
            let url = shared.url(link);
            let lookup;
            (state, lookup) = shared.wait(state, &url);
            let mut answer = shared.judge(&mut state, link, lookup);
            let is_there = matches!(answer.verdict, Verdict::Alive | Verdict::Moved(_));
            let has_twin = is_there && !shared.is_remapped(link);
            if let Some(https) = shared.https_twin(&url).filter(|_| has_twin) {
                let twin;
                (state, twin) = shared.wait(state, &https);
                answer = shared.judge_twin(answer, https, twin);
            }
            if !state.judged.contains(&url) {
                state.tally.add(&answer.verdict);
                state.judged.insert(url);
            }
            answers.push(answer);
        }
        answers
    }

    fn takes_mail(&self) -> bool {
        self.shared.options.include_mail
    }

    fn remapped(&self, link: &UrlLink) -> Option<String> {
        self.shared.options.remapped(link)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, AnswersState> {
        lock(&self.state)
    }

    /// Returns the URL to request for a link.
    fn url(&self, link: &UrlLink) -> String {
        let remapped = self.options.remapped(link);
        let url = remapped.as_deref().unwrap_or(link.key.as_str());
        page::request_url(url).unwrap_or_else(|| url.to_owned())
    }

    /// True if another URL is requested than that of the link.
    fn is_remapped(&self, link: &UrlLink) -> bool {
        self.options.remapped(link).is_some()
    }

    /// Returns the `https` form of a URL, if the options require it.
    fn https_twin(&self, url: &str) -> Option<String> {
        let rest = url.strip_prefix("http://").filter(|_| self.options.require_https)?;
        Some(format!("https://{rest}"))
    }

    /// Starts the lookup of a link, unless it has started before.
    fn start(shared: &Arc<Self>, state: &mut AnswersState, link: &UrlLink) {
        let url = shared.url(link);
        if let Some(https) = shared.https_twin(&url).filter(|_| !shared.is_remapped(link)) {
            Self::start_url(shared, state, https, false);
        }
        Self::start_url(shared, state, url, link.fragment.is_some());
    }

    fn start_url(shared: &Arc<Self>, state: &mut AnswersState, url: String, wants_names: bool) {
        let needs_more = |evidence: &Evidence| {
            let is_there = evidence.status.is_some_and(|it| shared.options.accept.contains(it));
            wants_names && is_there && evidence.names.is_none()
        };
        match state.lookups.get_mut(&url) {
            Some(Lookup::Asked { wants_names: wanted }) => {
                *wanted |= wants_names;
                return;
            }
            Some(Lookup::Known(evidence)) if !needs_more(evidence) => return,
            Some(Lookup::Lost(_)) => return,
            Some(Lookup::Known(_)) | None => {}
        }
        let cached = match &shared.fetch {
            Some(_) => state.cache.fresh(&url, shared.options.max_age, now()),
            None => state.cache.get(&url),
        };
        let is_offline = shared.fetch.is_none();
        let lookup = match cached {
            Some(cached) if is_offline || !needs_more(cached) => Lookup::Known(Arc::clone(cached)),
            _ if is_offline => Lookup::Lost(Why::Offline),
            // In an earlier run, the host asked for a longer pause than a run waits.
            _ if state.cache.pause(&url, now()) > MAX_PAUSE => Lookup::Lost(Why::HostPaused),
            _ => return Self::ask(shared, state, url, wants_names),
        };
        state.lookups.insert(url, lookup);
    }

    fn ask(shared: &Arc<Self>, state: &mut AnswersState, url: String, wants_names: bool) {
        if let Some(why) = state.over {
            state.lookups.insert(url, Lookup::Lost(why));
            return;
        }
        state.first_request.get_or_insert_with(Instant::now);
        state.asked += 1;
        state.lookups.insert(url.clone(), Lookup::Asked { wants_names });
        // A URL that cannot be requested, for example because a remap produced it.
        if page::request_url(&url).as_deref() != Some(&url) && !url.starts_with(POSTMASTER) {
            let evidence = Evidence::fault(url, Fault::Other);
            return shared.complete(state, evidence);
        }
        let pause = state.cache.pause(&url, now());
        shared.enqueue(state, Exchange::new(url, wants_names), pause);
        // An idle thread takes the request. So a few links to one host start one thread, not many.
        if state.idle == 0 && state.threads < shared.options.connections.max(1) {
            let own = Arc::clone(shared);
            let thread = thread::Builder::new()
                .name("urigrep-online".to_owned())
                .stack_size(STACK_BYTES)
                .spawn(move || own.work());
            state.threads += usize::from(thread.is_ok());
            if state.threads == 0 {
                // Without any thread, nothing would ever be answered.
                shared.end(state, Why::Fault(Fault::Other));
            }
        }
    }

    fn enqueue(&self, state: &mut AnswersState, exchange: Exchange, wait: Duration) {
        let host = exchange.host();
        match state.queues.push(&host, exchange, Instant::now(), wait) {
            Ok(()) => self.work.notify_one(),
            Err((exchange, closed)) => self.close(state, exchange, closed),
        }
    }

    /// Sends requests until all are answered or the check ends.
    fn work(&self) {
        let Some(fetch) = &self.fetch else { return };
        let mut state = self.state();
        while state.over.is_none() {
            let now = Instant::now();
            match state.queues.pop(now) {
                Popped::Job(host, exchange) => {
                    // Another thread may have something to do, or must watch the time.
                    self.work.notify_one();
                    drop(state);
                    let request = exchange.request(&self.options);
                    // A client that panics fails one request, not all that follow.
                    let send = || match exchange.mail_domain() {
                        // The reply of a mail server that is ready (RFC 5321 section 4.2.3).
                        Some(domain) => {
                            fetch.mail(domain, request.timeout).map(|()| FetchResponse::new(250))
                        }
                        None => fetch.fetch(&request),
                    };
                    let answer = catch_unwind(AssertUnwindSafe(send));
                    let mut answer = answer.unwrap_or(Err(Fault::Other));
                    let can_resolve = || *self.can_resolve.get_or_init(|| fetch.can_resolve());
                    if answer == Err(Fault::NoHost) && !can_resolve() {
                        answer = Err(Fault::NameServer);
                    }
                    state = self.take(host, exchange, answer);
                }
                Popped::At(at) if state.timer.is_none_or(|timer| at < timer) => {
                    // One thread watches the time. If all did, all would wake for one request.
                    state.timer = Some(at);
                    state.idle += 1;
                    let waited = self.work.wait_timeout(state, at.saturating_duration_since(now));
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                    state.idle -= 1;
                    if state.timer == Some(at) {
                        state.timer = None;
                    }
                }
                Popped::At(_) | Popped::Nothing => {
                    state.idle += 1;
                    state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.idle -= 1;
                }
            }
        }
        state.threads -= 1;
    }

    /// Takes the answer to a request.
    fn take(
        &self,
        host: HostId,
        mut exchange: Exchange,
        mut answer: Result<FetchResponse, Fault>,
    ) -> MutexGuard<'_, AnswersState> {
        let mut body_bytes = 0;
        if let Ok(response) = &mut answer {
            body_bytes = response.body_bytes.max(response.body.len() as u64);
            response.received = Some(now());
        }
        let status = answer.as_ref().map(|response| response.status).ok();
        let outcome = answer.as_ref().map_or_else(|fault| Err(*fault), |it| Ok(pause(it)));
        // Reads the page and drops it. Under the lock, threads would wait with a page each.
        let progress = exchange.take(answer, &self.options);
        let mut guard = self.state();
        let state = &mut *guard;
        state.body_bytes += body_bytes;
        let is_last = match progress {
            ExchangeProgress::Next(_) => false,
            ExchangeProgress::RateLimited(wait) => wait > MAX_PAUSE,
            ExchangeProgress::Done => true,
        };
        if let Ok(Some(pause)) = outcome
            && is_last
            && !exchange.is_judgeable()
        {
            // The next run must keep to the pause, too.
            exchange.evidence.status = status;
            exchange.evidence.retry_at = Some(now() + pause.as_secs());
        }
        let feedback = match (outcome, progress) {
            (Ok(Some(pause)), _) => Feedback::Paused(pause),
            // A server that sends too long a header works, and its other pages may be fine.
            (Ok(None), _) | (Err(Fault::TooLong), _) => Feedback::Answered,
            (Err(Fault::NoHost), ExchangeProgress::Next(wait)) => Feedback::Held(wait),
            (Err(fault), _) => Feedback::Failed(fault),
        };
        let closed = state.queues.finish(host, feedback, Instant::now());
        match progress {
            ExchangeProgress::Next(wait) | ExchangeProgress::RateLimited(wait)
                if wait <= MAX_PAUSE =>
            {
                self.enqueue(state, exchange, wait);
            }
            ExchangeProgress::RateLimited(_) => self.close(state, exchange, Closed::Paused),
            ExchangeProgress::Next(_) | ExchangeProgress::Done => self.finish(state, exchange),
        }
        if let Some((closed, exchanges)) = closed {
            for exchange in exchanges {
                self.close(state, exchange, closed);
            }
        }
        if state.body_bytes > self.options.max_bytes {
            self.end(state, Why::Budget);
        }
        guard
    }

    /// Ends a lookup whose host is not asked any more.
    fn close(&self, state: &mut AnswersState, mut exchange: Exchange, closed: Closed) {
        match closed {
            _ if exchange.is_judgeable() => {}
            Closed::Failed(fault) => exchange.evidence.fault = Some(fault),
            Closed::Paused => {
                state.answered += 1;
                let url = exchange.evidence.url.clone();
                if exchange.evidence.retry_at.is_some() {
                    exchange.evidence.time = now();
                    state.cache.insert(&Arc::new(exchange.evidence));
                }
                state.lookups.insert(url, Lookup::Lost(Why::HostPaused));
                self.news.notify_all();
                return;
            }
        }
        self.finish(state, exchange);
    }

    /// Ends a lookup with the evidence that it has.
    fn finish(&self, state: &mut AnswersState, exchange: Exchange) {
        // It waited for an archive that did not answer, or was given up before.
        if exchange.is_judgeable() && exchange.evidence.archived.is_none() {
            state.tally.without_archive += 1;
        }
        self.complete(state, exchange.evidence);
    }

    /// Keeps the evidence about a URL.
    fn complete(&self, state: &mut AnswersState, mut evidence: Evidence) {
        evidence.time = now();
        let wanted = state.lookups.get(&evidence.url);
        let wants_names = matches!(wanted, Some(Lookup::Asked { wants_names: true }));
        let is_there = evidence.status.is_some_and(|status| (200..300).contains(&status));
        // A link with a fragment was found while the header was asked for.
        if wants_names && evidence.names.is_none() && is_there && state.over.is_none() {
            let exchange = Exchange::new(evidence.url, true);
            return self.enqueue(state, exchange, Duration::ZERO);
        }
        let room = state.kept.add(&mut evidence);
        let evidence = Arc::new(evidence);
        state.cache.insert(&evidence);
        state.answered += 1;
        state.lookups.insert(evidence.url.clone(), Lookup::Known(evidence));
        match room {
            EvidenceRoom::Left => self.news.notify_all(),
            EvidenceRoom::Full => self.end(state, Why::Budget),
        }
    }

    /// Stops asking.
    fn end(&self, state: &mut AnswersState, why: Why) {
        state.over.get_or_insert(why);
        drop(state.queues.drain());
        self.work.notify_all();
        self.news.notify_all();
    }

    /// Waits until the lookup of a URL ends.
    fn wait<'s>(
        &'s self,
        mut state: MutexGuard<'s, AnswersState>,
        url: &str,
    ) -> (MutexGuard<'s, AnswersState>, Lookup) {
        loop {
            let ended = match state.lookups.get(url) {
                Some(Lookup::Asked { .. }) => None,
                Some(lookup) => Some(lookup.clone()),
                None => Some(Lookup::Lost(Why::Offline)),
            };
            if let Some(lookup) = ended.or(state.over.map(Lookup::Lost)) {
                return (state, lookup);
            }
            // The time before the first request is spent on reading documents.
            let elapsed = state.first_request.map_or(Duration::ZERO, |first| first.elapsed());
            if self.options.max_time.is_some_and(|most| elapsed >= most) {
                self.end(&mut state, Why::Budget);
                continue;
            }
            let waited = self.news.wait_timeout(state, CANCEL_CHECK_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn judge(&self, state: &mut AnswersState, link: &UrlLink, lookup: Lookup) -> Answer {
        let evidence = match lookup {
            Lookup::Known(evidence) => evidence,
            Lookup::Lost(why) => return Verdict::Unknown(why).into(),
            Lookup::Asked { .. } => return Verdict::Unknown(Why::Interrupted).into(),
        };
        let mut verdict = verdict(&evidence, link.fragment.as_deref(), &self.options);
        // The new place of another URL says nothing about the one in the document.
        if matches!(verdict, Verdict::Moved(_)) && self.is_remapped(link) {
            verdict = Verdict::Alive;
        }
        if let Some(quarantine) = &mut state.quarantine {
            match verdict {
                Verdict::Dead(_) if !quarantine.is_confirmed(&evidence.url, evidence.time) => {
                    verdict = Verdict::Unknown(Why::Quarantined);
                }
                Verdict::Dead(_) | Verdict::Unknown(_) => {}
                _ => quarantine.remove(&evidence.url),
            }
        }
        Answer::from(verdict).with_evidence(evidence)
    }

    /// Judges an `http` URL that exists by the answer to its `https` form.
    fn judge_twin(&self, answer: Answer, https: String, twin: Lookup) -> Answer {
        let Lookup::Known(evidence) = twin else { return answer };
        match verdict(&evidence, None, &self.options) {
            Verdict::Alive => Answer::from(Verdict::Insecure(https)).with_evidence(evidence),
            Verdict::Moved(to) => Answer::from(Verdict::Insecure(to)).with_evidence(evidence),
            _ => answer,
        }
    }
}

/// Returns the pause that a host asks for by this answer.
fn pause(response: &FetchResponse) -> Option<Duration> {
    match response.status {
        429 => Some(retry_after(response).unwrap_or(RATE_LIMIT_WAIT)),
        // Servers may say with this status, too, when to come back (RFC 9110 section 15.6.4).
        // Without that, it is a status like others.
        503 => retry_after(response),
        _ => None,
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
