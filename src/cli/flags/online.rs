//! The flags of `urigrep audit` for requests to the web.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use urigrep::audit::remote::{HostHeader, Remap, StatusSet};

use crate::cli::error::CliError;

/// Whether links to the web are checked, and how servers are asked.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Online")]
pub struct OnlineFlags {
    #[arg(
        long,
        help = "Ask the web whether links are dead.",
        long_help = "Ask the web whether links are dead. A link is dead if its server answers 404 or 410, or if its \
                     host does not exist. An answer that refuses programs (401, 403, 429) or fails (5xx), or no \
                     answer, proves nothing: such links are counted as not verified, and listed with `--severity note`. All links \
                     to a URL share its answer, and no address of a private network is contacted."
    )]
    pub online: bool,

    #[arg(
        long,
        conflicts_with = "online",
        requires = "cache",
        help = "Judge links to the web only by the answers in --cache, however old they are."
    )]
    pub offline: bool,

    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        help = "Keep the answers of servers in FILE, and use those that are younger than --max-age.",
        long_help = "Keep the answers of servers in FILE, JSON Lines, and use those that are younger than --max-age \
                     instead of a request. Failures of the network are not kept. The file holds answers, not verdicts: \
                     with other flags, the same answers are judged anew."
    )]
    pub cache: Option<PathBuf>,

    #[arg(long, value_name = "DURATION", value_parser = duration,
        help = "Use answers of the cache up to this age, such as 12h or 7d; the default is 1d.",
        long_help = "Use answers of the cache up to this age, such as 90m, 12h, or 7d; the default is 1d. The limit of \
                     each URL is up to a quarter shorter, so that not all expire at once, and ten minutes for answers \
                     such as 429 and 503.")]
    pub max_age: Option<Duration>,

    #[arg(long, value_name = "DURATION", value_parser = duration,
        help = "Give up on a request after this time; the default is 20s.")]
    pub timeout: Option<Duration>,

    #[arg(
        long,
        value_name = "NUM",
        value_parser = clap::value_parser!(u32).range(0..=10),
        help = "Retry a failed request up to NUM times; the default is 1."
    )]
    pub retry: Option<u32>,

    #[arg(
        long,
        value_name = "NUM",
        value_parser = clap::value_parser!(u32).range(1..=64),
        help = "Open at most NUM connections to a host; the default is 2.",
        long_help = "Open at most NUM connections to a host; the default is 2. Requests to a host start at least 50 ms \
                     apart. If it answers 429 or sends `Retry-After`, requests are sent later and less often."
    )]
    pub host_concurrency: Option<u32>,

    #[arg(long, value_name = "DURATION", value_parser = duration,
        help = "Stop sending requests after this time; the remaining links are not verified.")]
    pub max_time: Option<Duration>,

    #[arg(
        long,
        value_name = "LIST",
        help = "Status codes of pages that exist, such as 200-299,403; the default is 200-299."
    )]
    pub accept: Option<StatusSet>,

    #[arg(long, value_name = "REMAP", value_parser = remap,
        help = "Request another URL instead: a regular expression, a space, and its replacement; may be repeated.",
        long_help = "Request another URL instead: a regular expression, a space, and its replacement, in which $1 is the first \
                     group, as in --allow-private --remap '^https://docs\\.example/(.*) http://localhost:8000/$1'. The flag may be \
                     repeated; the first match wins.")]
    pub remap: Vec<Remap>,

    #[arg(long, value_name = "HEADER", value_parser = header,
        help = "Send a header to a host: `HOST NAME: VALUE`, with secrets as $VARIABLES; may be repeated.",
        long_help = "Send a header to a host and to no other, as in --header 'api.github.com Authorization: Bearer \
                     $GITHUB_TOKEN'. HOST may be `*.example.org`. The value must name an environment variable, because \
                     other users can see command lines. The flag may be repeated.")]
    pub header: Vec<HeaderTemplate>,

    #[arg(long, help = "Also check that the domains of `mailto:` links accept mail (MX records).")]
    pub include_mail: bool,

    #[arg(long, help = "Report `http` URLs whose server also answers by `https`.")]
    pub require_https: bool,

    #[arg(
        long,
        help = "Also contact hosts of this machine and of private networks.",
        long_help = "Also contact hosts of this machine and of private networks. By default, no such address is contacted: \
                     neither by its number, in any spelling, nor by a name or a redirect that leads to it."
    )]
    pub allow_private: bool,

    #[arg(
        long,
        value_name = "WHAT",
        help = "Suggest replacements of dead links: `archive` asks web.archive.org for copies."
    )]
    pub suggest: Option<Suggestion>,

    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help = "Report a link as dead only if it was dead a day ago, too; FILE keeps the record.",
        long_help = "Report a link as dead only if a run at least a day ago found it dead, too. FILE records since when \
                     links are dead. Until then, a dead link is reported as not verified.")]
    pub quarantine: Option<PathBuf>,

    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath,
        help = "Use the answers in a .lycheecache, or in a JSON report of lychee; may be repeated.")]
    pub import: Vec<PathBuf>,

    #[arg(
        long,
        conflicts_with = "offline",
        help = "Print the URLs that --online would request, and request none."
    )]
    pub dump: bool,
}

/// A replacement for a dead link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Suggestion {
    /// Copies in the Wayback Machine.
    Archive,
}

impl OnlineFlags {
    /// Returns these flags, completed with the `defaults` of a project.
    #[must_use]
    pub fn with_defaults(&self, defaults: &Self) -> Self {
        let Self { max_age, timeout, retry, host_concurrency, max_time, .. } = *self;
        Self {
            max_age: max_age.or(defaults.max_age),
            timeout: timeout.or(defaults.timeout),
            retry: retry.or(defaults.retry),
            host_concurrency: host_concurrency.or(defaults.host_concurrency),
            max_time: max_time.or(defaults.max_time),
            accept: self.accept.clone().or_else(|| defaults.accept.clone()),
            // The first match counts.
            remap: [self.remap.as_slice(), &defaults.remap].concat(),
            include_mail: self.include_mail || defaults.include_mail,
            require_https: self.require_https || defaults.require_https,
            suggest: self.suggest.or(defaults.suggest),
            ..self.clone()
        }
    }

    /// Returns an error if a flag has no effect without `--online`.
    pub fn check(&self) -> Result<(), CliError> {
        if self.online {
            return Ok(());
        }
        let judging_flags = [
            ("--accept", self.accept.is_some()),
            ("--remap", !self.remap.is_empty()),
            ("--quarantine", self.quarantine.is_some()),
            ("--import", !self.import.is_empty()),
            ("--cache", self.cache.is_some()),
            ("--require-https", self.require_https),
            ("--include-mail", self.include_mail),
        ];
        let request_flags = [
            ("--max-age", self.max_age.is_some()),
            ("--timeout", self.timeout.is_some()),
            ("--retry", self.retry.is_some()),
            ("--host-concurrency", self.host_concurrency.is_some()),
            ("--max-time", self.max_time.is_some()),
            ("--header", !self.header.is_empty()),
            ("--allow-private", self.allow_private),
            ("--suggest", self.suggest.is_some()),
        ];
        // Flags that judge answers also apply to --offline, and --dump accepts all of them.
        let judging = judging_flags.into_iter().filter(|_| !self.offline);
        let judging = judging.map(|(flag, is_given)| (flag, is_given, "--online or --offline"));
        let requests = request_flags.map(|(flag, is_given)| (flag, is_given, "--online"));
        match judging.chain(requests).find(|(_, is_given, _)| *is_given && !self.dump) {
            Some((flag, _, needed)) => Err(CliError::needs(flag, needed)),
            None => Ok(()),
        }
    }
}

/// A header whose value names environment variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderTemplate {
    host: String,
    name: String,
    value: String,
}

impl HeaderTemplate {
    /// Replaces `$NAME` and `${NAME}` with environment variables. A literal `$` cannot be written.
    pub fn resolve(
        &self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<HostHeader, CliError> {
        let mut value = String::new();
        let mut rest = self.value.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            value.push_str(before);
            let (name, left) = variable_name(after);
            let known = variable(name).ok_or_else(|| {
                CliError::invalid("--header", format!("the environment has no variable `{name}`"))
            })?;
            value.push_str(known.trim());
            rest = left;
        }
        value.push_str(rest);
        if value.bytes().any(|byte| byte < b' ' && byte != b'\t' || byte == 0x7F) {
            let message = "the value of the variable has a line break or another control character";
            return Err(CliError::invalid("--header", message));
        }
        Ok(HostHeader::new(&self.host, self.name.as_str(), value))
    }
}

/// Splits the name of a variable from the text after it.
fn variable_name(text: &str) -> (&str, &str) {
    if let Some((name, rest)) = text.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        return (name, rest);
    }
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    text.split_at(text.find(is_end).unwrap_or(text.len()))
}

/// True for `HOST`, with `*.` before it, `http://` or `https://`, and a port.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let host = host.unwrap_or(text);
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => host,
    };
    let name = host.strip_prefix("*.").unwrap_or(host);
    let is_address = name.starts_with('[') && name.ends_with(']');
    !name.is_empty() && !name.contains(['/', '@', '*']) && (is_address || !name.contains(':'))
}

fn header(text: &str) -> Result<HeaderTemplate, String> {
    let example = "such as `api.github.com Authorization: Bearer $GITHUB_TOKEN`";
    let parts = text.trim().split_once(char::is_whitespace);
    let field = parts.and_then(|(host, rest)| Some((host, rest.split_once(':')?)));
    let Some((host, (name, value))) = field else {
        return Err(format!("a header is a host, a name, a colon, and a value, {example}"));
    };
    let (name, value) = (name.trim(), value.trim());
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(format!("`{name}` is not a header name"));
    }
    if !is_origin(host) {
        return Err(format!("`{host}` is not a host name, {example}"));
    }
    if !value.contains('$')
        || variable_name(value.split_once('$').unwrap_or_default().1).0.is_empty()
    {
        return Err(format!("the value must name an environment variable, {example}"));
    }
    Ok(HeaderTemplate { host: host.to_owned(), name: name.to_owned(), value: value.to_owned() })
}

fn remap(text: &str) -> Result<Remap, String> {
    let Some((pattern, replacement)) = text.trim().split_once(char::is_whitespace) else {
        return Err("a remap is a regular expression, a space, and its replacement".to_owned());
    };
    Remap::new(pattern, replacement.trim()).map_err(|error| error.to_string())
}

/// A time, such as `500ms`, `20s`, `5m`, `12h`, `7d`, or `2w`; a number alone is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let invalid = || {
        "a duration is a whole number of seconds, or a number with a unit (ms, s, m, h, d, w), such as 30s or 12h".to_owned()
    };
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: u64 = number.parse().map_err(|_| invalid())?;
    const SECOND: u64 = 1000;
    // A century is long enough, and no sum of times overflows.
    const MAX_TIME: u64 = 100 * 366 * 24 * 60 * 60 * SECOND;
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => SECOND,
        "m" | "min" => 60 * SECOND,
        "h" => 60 * 60 * SECOND,
        "d" => 24 * 60 * 60 * SECOND,
        "w" => 7 * 24 * 60 * 60 * SECOND,
        _ => return Err(invalid()),
    };
    let time = number.checked_mul(milliseconds).filter(|time| *time <= MAX_TIME);
    time.map(Duration::from_millis).ok_or_else(invalid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, seconds) in
            [("30", 30), ("30s", 30), ("5m", 300), ("12h", 43_200), ("7d", 604_800)]
        {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)));
        }
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        for invalid in ["", "s", "1.5h", "-1s", "1y", "99999999999999w"] {
            assert!(duration(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn secrets_of_headers_are_in_the_environment() {
        let variable = |name: &str| (name == "TOKEN").then(|| "secret\n".to_owned());
        let template = header("*.a.example Authorization: Bearer ${TOKEN}").unwrap();
        assert!(template.resolve(variable).is_ok());
        let missing = header("a.example X: $OTHER").unwrap().resolve(variable);
        let message = "--header: the environment has no variable `OTHER`";
        assert_eq!(missing.unwrap_err().to_string(), message);
        for invalid in [
            "Authorization: $TOKEN",
            "a.example Authorization: secret",
            "a.example Authorization: $",
            "https://a.example/ X: $TOKEN",
            "*a.example X: $TOKEN",
            "a.example X Y: $TOKEN",
        ] {
            assert!(header(invalid).is_err(), "{invalid}");
        }
    }
}
