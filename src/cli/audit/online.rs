//! `--online`: configures the library's [`RemoteAnswers`], and shows their progress.
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use urigrep::Uri;
use urigrep::audit::remote::{
    EvidenceCache, HttpClient, Quarantine, Reach, Remap, RemoteAnswers, RemoteOptions,
    StorageFailure, import_lychee,
};
use urigrep::audit::report::WebCounts;
use urigrep::audit::{Answer, Answers, UrlLink, Verdict};
use urigrep::internal::counted;
use urigrep::search::{Problem, ProblemKind, describe};

use super::plan::AuditPlan;
use super::settings::is_of_other_checker;
use super::tally::AuditTally;
use super::watch::{OnlineWatch, line};
use crate::cli::error::CliError;
use crate::cli::flags::online::{OnlineFlags, Suggestion};
use crate::cli::progress::Drawing;

/// The source of the answers about URLs.
#[derive(Clone, Debug)]
pub enum Online {
    /// The web, or a cache.
    Answers(Arc<RemoteAnswers>),
    /// Nowhere: the URLs are printed.
    Dump(Arc<DumpedUrls>),
}

impl Online {
    /// Returns the source of answers for these flags; `None` without any.
    ///
    /// # Errors
    /// If a flag is invalid, or a file of one can't be read.
    pub fn new(flags: &OnlineFlags, defaults: &OnlineFlags) -> Result<Option<Self>, CliError> {
        if flags.import.iter().any(|file| is_of_other_checker(file)) {
            let message = "FILE has answers of lychee; for its settings, use --import-config";
            return Err(CliError::invalid("--import", message));
        }
        // Only flags of the command line are checked: a default of the configuration may have no
        // effect.
        flags.check()?;
        let flags = &flags.with_defaults(defaults);
        if flags.dump {
            return Ok(Some(Self::Dump(Arc::new(DumpedUrls::new(
                reach(flags),
                flags.remap.clone(),
            )))));
        }
        if !flags.online && !flags.offline {
            return Ok(None);
        }
        let options = options(flags)?;
        let mut answers = if flags.offline {
            RemoteAnswers::offline(options)
        } else {
            RemoteAnswers::new(client(flags)?, options)
        };
        answers = answers.cache(cache(flags)?);
        if let Some(file) = &flags.quarantine {
            let state = Quarantine::read(file);
            answers = answers.quarantine(state.map_err(|error| unreadable(file, &error))?);
        }
        Ok(Some(Self::Answers(Arc::new(answers))))
    }

    /// Returns the answers in the form that an auditor takes.
    pub fn answers(&self) -> Arc<dyn Answers> {
        match self {
            Self::Answers(answers) => answers.clone(),
            Self::Dump(urls) => urls.clone(),
        }
    }
}

impl AuditPlan {
    /// Watches the requests of the audit.
    pub fn watch(&self) -> Option<OnlineWatch> {
        match &self.online {
            Some(Online::Answers(answers)) => Some(OnlineWatch::start(answers)),
            Some(Online::Dump(_)) | None => None,
        }
    }

    /// Shows the progress: of the documents, and from the first request on, of the requests.
    pub fn draw(&self, tally: &Arc<AuditTally>) -> Option<Drawing> {
        let answers = match &self.online {
            Some(Online::Answers(answers)) => Some(Arc::clone(answers)),
            Some(Online::Dump(_)) | None => None,
        };
        let tally = Arc::clone(tally);
        let text = move |elapsed| match answers.as_ref().map(|answers| answers.progress()) {
            Some(progress) if progress.asked > 0 => line(progress, elapsed),
            _ => tally.line(elapsed),
        };
        Drawing::if_shown(self.progress, text)
    }

    /// Returns the URLs of `--dump`.
    pub fn dumped(&self) -> Vec<u8> {
        match &self.online {
            Some(Online::Dump(urls)) => urls.lines().into_bytes(),
            _ => Vec::new(),
        }
    }

    /// True if nothing but URLs is printed.
    pub fn dumps(&self) -> bool {
        matches!(self.online, Some(Online::Dump(_)))
    }

    pub fn web_counts(&self) -> Option<WebCounts> {
        let Some(Online::Answers(answers)) = &self.online else { return None };
        let tally = answers.tally();
        Some(WebCounts { alive: tally.alive, dead: tally.dead, unknown: tally.unknown })
    }

    /// Returns the note about dead pages for which the archive gave no answer.
    pub fn archive_note(&self) -> Option<String> {
        let Some(Online::Answers(answers)) = &self.online else { return None };
        let missing = answers.tally().without_archive;
        let pages = counted(missing, "dead page");
        (missing > 0).then(|| {
            format!("note: archive.org did not answer about {pages}; run it again for copies")
        })
    }

    /// Writes the state for the next run, and returns the errors.
    pub fn save(&self) -> Vec<Problem> {
        let Some(Online::Answers(answers)) = &self.online else { return Vec::new() };
        let problem = |failure: StorageFailure| {
            let message = format!("not written: {}", describe(&failure.error));
            let path = failure.path.as_os_str().as_encoded_bytes();
            Problem::new(ProblemKind::Read, path, message)
        };
        answers.save().into_iter().map(problem).collect()
    }

    /// Sends no further request.
    #[allow(dead_code, reason = "the Python package calls it")]
    pub fn cancel(&self) {
        if let Some(Online::Answers(answers)) = &self.online {
            answers.cancel();
        }
    }
}

fn reach(flags: &OnlineFlags) -> Reach {
    if flags.allow_private { Reach::Everything } else { Reach::Public }
}

fn client(flags: &OnlineFlags) -> Result<HttpClient, CliError> {
    let client = HttpClient::builder().reach(reach(flags)).proxy_from_environment();
    match client.invalid_proxy() {
        // The value may hold a password.
        Some(variable) => Err(CliError::general(format!(
            "the environment variable {variable} is not the address of a proxy, such as http://proxy.example:8080"
        ))),
        None => Ok(client.build()),
    }
}

fn options(flags: &OnlineFlags) -> Result<RemoteOptions, CliError> {
    let mut options = RemoteOptions::new().max_time(flags.max_time);
    if let Some(timeout) = flags.timeout {
        options = options.timeout(timeout);
    }
    if let Some(retries) = flags.retry {
        options = options.retries(retries);
    }
    if let Some(connections) = flags.host_concurrency {
        options = options.host_connections(connections as usize);
    }
    if let Some(accept) = &flags.accept {
        options = options.accept(accept.clone());
    }
    if let Some(max_age) = flags.max_age {
        options = options.max_age(max_age);
    }
    if flags.require_https {
        options = options.require_https();
    }
    if flags.include_mail {
        options = options.include_mail();
    }
    if flags.suggest == Some(Suggestion::Archive) {
        options = options.suggest_archive();
    }
    options = flags.remap.iter().cloned().fold(options, RemoteOptions::remap);
    for header in &flags.header {
        options = options.header(header.resolve(|name| std::env::var(name).ok())?);
    }
    Ok(options)
}

fn cache(flags: &OnlineFlags) -> Result<EvidenceCache, CliError> {
    let mut cache = match &flags.cache {
        None => EvidenceCache::default(),
        Some(file) => {
            let opened = if flags.offline {
                if !file.exists() {
                    return Err(CliError::file(file, "no such file; --online creates it"));
                }
                EvidenceCache::read(file)
            } else {
                EvidenceCache::open(file)
            };
            opened.map_err(|error| unreadable(file, &error))?
        }
    };
    for file in &flags.import {
        let imported = import_lychee(file, &mut cache);
        imported.map_err(|error| CliError::file(file, error.to_string()))?;
    }
    Ok(cache)
}

fn unreadable(file: &Path, error: &std::io::Error) -> CliError {
    CliError::file(file, describe(error))
}

/// The URLs that an audit would request.
#[derive(Debug)]
pub struct DumpedUrls {
    reach: Reach,
    remaps: Vec<Remap>,
    urls: Mutex<BTreeSet<String>>,
}

impl Answers for DumpedUrls {
    fn expect(&self, links: &[UrlLink]) {
        let mut urls = self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = links
            .iter()
            .map(|link| self.remapped(link).unwrap_or_else(|| link.key.as_str().to_owned()));
        let asked = asked.filter(|url| {
            // The list has the URLs that `--online` would request, so private hosts are omitted
            // unless they are allowed.
            let host = Uri::parse(url).ok().and_then(|url| url.host().map(str::to_owned));
            host.is_none_or(|host| self.reach.may_contact(&host))
        });
        urls.extend(asked);
    }

    fn urls(&self, links: &[UrlLink]) -> Vec<Answer> {
        // Any other answer would make a finding, and nothing but the URLs is to be printed.
        links.iter().map(|_| Verdict::Alive.into()).collect()
    }

    fn remapped(&self, link: &UrlLink) -> Option<String> {
        Remap::first(&self.remaps, link)
    }
}

impl DumpedUrls {
    fn new(reach: Reach, remaps: Vec<Remap>) -> Self {
        Self { reach, remaps, urls: Mutex::default() }
    }

    /// Returns the URLs, one per line.
    pub fn lines(&self) -> String {
        let urls = self.urls.lock().unwrap_or_else(PoisonError::into_inner);
        urls.iter().map(|url| format!("{url}\n")).collect()
    }
}
