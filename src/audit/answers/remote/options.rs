//! Options of asking the web: [`RemoteOptions`].

use std::time::Duration;

use regex::Regex;

use super::page;
use crate::UriRef;
use crate::audit::UrlLink;
use crate::setters::setters;

/// Options of [`RemoteAnswers`](super::RemoteAnswers).
///
/// ```
/// use std::time::Duration;
/// use urigrep::audit::remote::RemoteOptions;
/// let options = RemoteOptions::new().timeout(Duration::from_secs(5)).retries(0);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemoteOptions {
    pub(super) timeout: Duration,
    pub(super) retries: u32,
    pub(super) host_connections: usize,
    pub(super) host_interval: Duration,
    pub(super) connections: usize,
    pub(super) accept: StatusSet,
    pub(super) max_age: Duration,
    pub(super) max_time: Option<Duration>,
    pub(super) max_bytes: u64,
    pub(super) require_https: bool,
    pub(super) suggest_archive: bool,
    pub(super) include_mail: bool,
    pub(super) remaps: Vec<Remap>,
    pub(super) headers: Vec<HostHeader>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(20),
            retries: 1,
            host_connections: 2,
            host_interval: Duration::from_millis(50),
            connections: 128,
            accept: StatusSet::default(),
            max_age: Duration::from_secs(24 * 60 * 60),
            max_time: None,
            max_bytes: 4 << 30,
            require_https: false,
            suggest_archive: false,
            include_mail: false,
            remaps: Vec::new(),
            headers: Vec::new(),
        }
    }
}

impl RemoteOptions {
    /// Returns the default options.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Time for one request; 20 seconds by default.
        timeout: Duration => timeout;
        /// Further attempts after a failure that may pass; 1 by default.
        retries: u32 => retries;
        /// Connections to one host at the same time; 2 by default.
        host_connections: usize => host_connections;
        /// Least time between the starts of two requests to a host; 50 milliseconds by default. It
        /// grows when a host asks for fewer requests.
        host_interval: Duration => host_interval;
        /// Connections to all hosts at the same time; 128 by default. Each takes a thread.
        connections: usize => connections;
        /// Status codes that prove that a resource exists; 200 to 299 by default.
        accept: StatusSet => accept;
        /// Age up to which cached evidence is used instead of a request; a day by default.
        max_age: Duration => max_age;
        /// Time for all requests of the audit; unlimited by default.
        max_time: Option<Duration> => max_time;
        /// Bytes of all bodies of the audit; 4 GiB by default.
        max_bytes: u64 => max_bytes;
    }

    /// Also asks for the `https` form of each `http` URL, and reports the URL if that exists.
    #[must_use]
    pub fn require_https(self) -> Self {
        Self { require_https: true, ..self }
    }

    /// Also asks web.archive.org for a copy of each dead page.
    #[must_use]
    pub fn suggest_archive(self) -> Self {
        Self { suggest_archive: true, ..self }
    }

    /// Also asks whether the domains of `mailto:` links take mail.
    #[must_use]
    pub fn include_mail(self) -> Self {
        Self { include_mail: true, ..self }
    }

    /// Asks for another URL instead of those that match; the first matching remap applies.
    #[must_use]
    pub fn remap(mut self, remap: Remap) -> Self {
        self.remaps.push(remap);
        self
    }

    /// Returns the URL to request instead of that of a link.
    pub(super) fn remapped(&self, link: &UrlLink) -> Option<String> {
        Remap::first(&self.remaps, link)
    }

    /// Sends a header field to the hosts that it names.
    #[must_use]
    pub fn header(mut self, header: HostHeader) -> Self {
        self.headers.push(header);
        self
    }
}

/// A set of status codes.
///
/// ```
/// use urigrep::audit::remote::StatusSet;
/// let set: StatusSet = "200-299,403".parse()?;
/// assert!(set.contains(403) && !set.contains(404));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusSet(Vec<(u16, u16)>);

impl Default for StatusSet {
    fn default() -> Self {
        Self(vec![(200, 299)])
    }
}

impl StatusSet {
    /// True if it has this code.
    pub fn contains(&self, status: u16) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&status))
    }
}

impl std::str::FromStr for StatusSet {
    type Err = String;

    // The spellings of lychee (`200..=299`, `..300`) work too, so that its settings can be copied.
    fn from_str(text: &str) -> Result<Self, String> {
        let code = |text: &str, open: u16| match text.trim() {
            "" => Ok(open),
            text => text.parse::<u16>().ok().filter(|code| (100..=999).contains(code)).ok_or(()),
        };
        let range = |text: &str| -> Result<(u16, u16), ()> {
            let (first, last) = if let Some((first, last)) = text.split_once("..=") {
                (code(first, 100)?, code(last, 999)?)
            } else if let Some((first, last)) = text.split_once("..") {
                (code(first, 100)?, code(last, 1000)? - 1)
            } else if let Some((first, last)) = text.split_once('-') {
                (code(first, 100)?, code(last, 999)?)
            } else {
                let one = text.trim().parse().map_err(|_| ())?;
                (one, one)
            };
            let is_valid = (100..=999).contains(&first) && first <= last && last <= 999;
            is_valid.then_some((first, last)).ok_or(())
        };
        let invalid =
            |_| format!("`{text}` is not a list of status codes and ranges, such as 200-299,403");
        text.split(',').map(range).collect::<Result<_, _>>().map(Self).map_err(invalid)
    }
}

/// Replaces URLs before they are requested.
#[derive(Clone, Debug)]
pub struct Remap {
    pattern: Regex,
    replacement: String,
}

impl Remap {
    /// Returns the URL to request instead of that of a link, by the first remap that matches it.
    pub fn first(remaps: &[Self], link: &UrlLink) -> Option<String> {
        remaps.iter().find_map(|remap| remap.apply(link.key.as_str()))
    }

    /// Creates a remap; `replacement` may use groups of the pattern, such as `$1`.
    ///
    /// ```
    /// use urigrep::audit::remote::Remap;
    /// let remap = Remap::new(r"^https://docs\.example/(.*)", "http://localhost:8000/$1")?;
    /// assert_eq!(remap.apply("https://docs.example/a").unwrap(), "http://localhost:8000/a");
    /// # Ok::<(), regex::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the pattern is not a regular expression.
    pub fn new(pattern: &str, replacement: impl Into<String>) -> Result<Self, regex::Error> {
        Ok(Self { pattern: Regex::new(pattern)?, replacement: replacement.into() })
    }

    /// Returns the replaced URL, if the pattern matches.
    pub fn apply(&self, url: &str) -> Option<String> {
        let is_match = self.pattern.is_match(url);
        is_match.then(|| self.pattern.replace(url, self.replacement.as_str()).into_owned())
    }
}

/// A header field that is sent to some hosts only.
#[derive(Clone)]
pub struct HostHeader {
    scheme: &'static str,
    host: String,
    port: u16,
    name: String,
    value: String,
}

// The value is a secret.
impl std::fmt::Debug for HostHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostHeader")
            .field("scheme", &self.scheme)
            .field("host", &self.host)
            .field("port", &self.port)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl HostHeader {
    /// Creates a header field for an origin: a host, or all hosts below `*.example.org`, by `https`
    /// on its usual port. `http://HOST` and `HOST:PORT` name another scheme or port.
    ///
    /// The documents that are audited choose the URLs. So a link to `http://` must not be enough to
    /// send a token in the clear, or to another service of the host.
    ///
    /// ```
    /// use urigrep::audit::remote::{HostHeader, RemoteOptions};
    /// let header = HostHeader::new("api.github.com", "Authorization", "Bearer x");
    /// let options = RemoteOptions::new().header(header);
    /// ```
    pub fn new(origin: &str, name: impl Into<String>, value: impl Into<String>) -> Self {
        let origin = origin.to_ascii_lowercase();
        let (scheme, default, rest) = match origin.split_once("://") {
            Some(("http", rest)) => ("http", 80, rest),
            Some((_, rest)) => ("https", 443, rest),
            None => ("https", 443, origin.as_str()),
        };
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().unwrap_or(default)),
            _ => (rest, default),
        };
        Self { scheme, host: host.to_owned(), port, name: name.into(), value: value.into() }
    }

    /// Returns the field for a request to this URL.
    pub(super) fn field(&self, url: &str) -> Option<(String, String)> {
        let uri = UriRef::parse(url).ok()?;
        let scheme = uri.scheme()?;
        let default = if scheme == "http" { 80 } else { 443 };
        let port = match uri.port().filter(|port| !port.is_empty()) {
            Some(port) => port.parse().ok()?,
            None => default,
        };
        let host = page::host(url);
        let is_for = match self.host.strip_prefix("*.") {
            Some(domain) => host.strip_suffix(domain).is_some_and(|sub| sub.ends_with('.')),
            None => self.host == host,
        };
        (is_for && scheme == self.scheme && port == self.port)
            .then(|| (self.name.clone(), self.value.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_sets() {
        let set = |text: &str| text.parse::<StatusSet>();
        let lychee = set("100..=103,200..=299, 403").unwrap();
        assert!(lychee.contains(100) && lychee.contains(299) && lychee.contains(403));
        assert!(!set("..300").unwrap().contains(300) && set("500..").unwrap().contains(999));
        for invalid in ["", "2xx", "300-200", "99", "1000", "200..100", "200,"] {
            assert!(set(invalid).unwrap_err().contains("such as 200-299,403"), "{invalid}");
        }
    }

    #[test]
    fn headers_reach_their_hosts_only() {
        let header = HostHeader::new("*.A.example", "X", "secret");
        assert!(!format!("{header:?}").contains("secret"));
        let reaches =
            |origin: &str, url: &str| HostHeader::new(origin, "X", "y").field(url).is_some();
        for (origin, url) in [
            ("*.A.example", "https://b.a.example/c"),
            ("a.example", "https://a.example:443/"),
            ("a.example:8443", "https://a.example:8443/"),
            ("http://a.example", "http://a.example/"),
            ("http://[::1]:8080", "http://[::1]:8080/"),
            ("[::1]", "https://[::1]/"),
        ] {
            assert!(reaches(origin, url), "{origin} {url}");
        }
        for (origin, url) in [
            ("*.a.example", "https://a.example/"),
            ("*.a.example", "https://xa.example/"),
            ("a.example", "http://a.example/"),
            ("a.example", "https://a.example:8443/"),
            ("http://a.example", "https://a.example/"),
            ("http://a.example", "http://a.example:8080/"),
        ] {
            assert!(!reaches(origin, url), "{origin} {url}");
        }
    }
}
