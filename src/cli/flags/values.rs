//! Parses the values of flags. Each parser's error lists the valid values.

use std::ffi::OsStr;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use regex::bytes::Regex;
use urigrep::audit::Spellings;
use urigrep::document::{FORMATS, Format, Role};
use urigrep::grammar::HostType;
use urigrep::options::{HostMapping, UnknownName};
use urigrep::search::{HitKind, RedactedNames, TextEncoding, UnknownEncoding, UnknownKind};
use urigrep::{Flag, Grammar, Iri};

/// A number of bytes, such as `4096`, `64K`, `8M` or `1G`.
pub fn size(text: &str) -> Result<u64, String> {
    let invalid = || {
        "a size is a whole number of bytes, optionally followed by K, M, or G, such as 512K"
            .to_owned()
    };
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1_u64),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid());
    }
    digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit)).ok_or_else(invalid)
}

/// A number of lines, matches, or the like.
pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "a number is a whole number from 0, such as 2".to_owned())
}

/// A percentage, from 0 to 100.
pub fn percentage(text: &str) -> Result<u8, String> {
    let number = text.parse().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| "a percentage is a whole number from 0 to 100".to_owned())
}

/// The size of a URI: a [`size`] of at least one byte that the library can hold.
pub fn uri_size(text: &str) -> Result<usize, String> {
    match usize::try_from(size(text)?) {
        Ok(bytes) if (1..=i32::MAX as usize).contains(&bytes) => Ok(bytes),
        _ => Err("the length of a URI is between 1 byte and 2047M".to_owned()),
    }
}

/// An entry of a list that includes or excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListEntry<T> {
    Only(T),
    /// An entry after `!`.
    Not(T),
    /// The lines of a file, or hosts with commas between them. One value, because the parser of the
    /// command line takes a time that is quadratic in the number of values.
    Several(Vec<ListEntry<T>>),
}

/// Splits a list into its included and its excluded entries.
pub fn divided<T: Clone>(entries: &[ListEntry<T>]) -> [Vec<T>; 2] {
    let [mut only, mut not] = [Vec::new(), Vec::new()];
    for entry in entries {
        match entry {
            ListEntry::Only(value) => only.push(value.clone()),
            ListEntry::Not(value) => not.push(value.clone()),
            ListEntry::Several(entries) => {
                let [with, without] = divided(entries);
                only.extend(with);
                not.extend(without);
            }
        }
    }
    [only, not]
}

/// Parses an entry with the parser of its value.
fn read_entry<T>(value: fn(&str) -> Result<T, String>, text: &str) -> Result<ListEntry<T>, String> {
    if text.contains('\n') {
        let lines = text.lines().filter(|line| !line.is_empty());
        let entries = lines.map(|line| read_entry(value, line));
        return Ok(ListEntry::Several(entries.collect::<Result<_, _>>()?));
    }
    match text.strip_prefix('!') {
        Some(text) => value(text).map(ListEntry::Not),
        None => value(text).map(ListEntry::Only),
    }
}

pub fn entry<T: Clone + Send + Sync + 'static>(
    value: fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<ListEntry<T>, String> + Clone + Send + Sync + 'static {
    move |text| read_entry(value, text)
}

/// Parses hosts with commas between them, like the values of the other lists.
pub fn host_entry(text: &str) -> Result<ListEntry<String>, String> {
    match globs(text).as_slice() {
        [_] => read_entry(host, text),
        globs => globs
            .iter()
            .map(|glob| read_entry(host, glob))
            .collect::<Result<_, _>>()
            .map(ListEntry::Several),
    }
}

/// Splits a list of globs. The delimiter of the parser would also split `{a,b}.example`.
fn globs(text: &str) -> Vec<&str> {
    let (mut globs, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                globs.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    globs.push(&text[start..]);
    globs
}

/// Parses a value, and lists the known words for completions.
#[derive(Clone, Copy)]
pub struct WordList<T> {
    pub read: fn(&str) -> Result<T, String>,
    pub words: fn() -> Vec<&'static str>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for WordList<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let read = self.read;
        (move |text: &str| read(text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}

pub fn roles() -> WordList<Role> {
    WordList { read: role, words: || Role::ALL.iter().map(|role| role.name()).collect() }
}

pub fn known_grammars() -> WordList<Grammar> {
    WordList {
        read: grammar,
        words: || Grammar::ALL.iter().map(|grammar| grammar.name()).collect(),
    }
}

/// Parses the glob of a host; a URI is an error.
pub fn host(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('[').unwrap_or(text);
    if text.is_empty() {
        // A glob that only the empty host of `file:///a` matches is a variable that was not set.
        return Err("a host is a name or a glob, such as *.example.com, and not empty".to_owned());
    }
    if text.contains('/') {
        return Err(
            "a host does not contain `/`; write only the host, such as www.example.com".to_owned()
        );
    }
    if globs(text).len() > 1 {
        return Err("a host does not contain `,`; write one per line".to_owned());
    }
    match text.rsplit_once(':') {
        Some((host, port))
            // An IPv6 address has several colons, and what is after the last one is not a port.
            if !host.contains(':')
                && bare == text
                && !port.is_empty()
                && port.bytes().all(|b| b.is_ascii_digit()) =>
        {
            Err(format!("the port is not part of the host; try `--host {host} --port {port}`"))
        }
        _ => glob(text),
    }
}

/// Parses the name of a domain, in its ASCII form.
pub fn domain(text: &str) -> Result<String, String> {
    // Lists of indicators are often defanged.
    let name = text.replace("[.]", ".");
    let name = name.strip_prefix("*.").unwrap_or(&name).trim_matches('.');
    let uri = format!("http://{name}/");
    let mapped = Iri::parse(&uri).and_then(|iri| Ok(iri.to_uri_with(hosts())?.into_owned()));
    let host = mapped.ok().and_then(|uri| uri.split('/').nth(2).map(str::to_ascii_lowercase));
    let is_name = |host: &String| {
        !host.is_empty() && !host.contains(['*', '?', '[', '@', ':', '%']) && !host.contains("..")
    };
    let is_alone = !name.contains(['/', '?', '#']);
    host.filter(|host| is_alone && is_name(host)).ok_or_else(|| {
        "a domain is a name such as example.com, and includes its subdomains; for globs, use --host".to_owned()
    })
}

/// Parses a scheme to lower case (RFC 3986 §3.1).
pub fn scheme(text: &str) -> Result<String, String> {
    let valid = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if valid {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a scheme is a letter followed by letters, digits, `+`, `-`, or `.`, such as http,mailto"
            .to_owned())
    }
}

/// The texts that `--redact` searches for secrets.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedactMode {
    /// In URIs and the text printed beside them.
    Uris,
    /// In the names of files, too.
    All,
}

impl From<RedactMode> for RedactedNames {
    fn from(mode: RedactMode) -> Self {
        match mode {
            RedactMode::Uris => Self::Members,
            RedactMode::All => Self::All,
        }
    }
}

/// Returns the host mapping of the command for IRIs: A-labels.
pub fn hosts() -> HostMapping {
    HostMapping::idna().unwrap_or_default()
}

/// Parses a namespace identifier to lower case (RFC 8141 §2).
pub fn nid(text: &str) -> Result<String, String> {
    let valid = (2..=32).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-');
    if valid {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a namespace identifier has 2 to 32 letters, digits, and inner hyphens, such as isbn,uuid".to_owned())
    }
}

/// Parses an absolute URI, or an IRI that maps to one.
pub fn base(text: &str) -> Result<String, String> {
    let uri = Iri::parse(text).and_then(|iri| iri.to_uri_with(hosts()));
    match uri {
        Ok(uri) => Ok(uri.into_owned()),
        Err(error) => Err(format!("the base must be an absolute URI: {error}")),
    }
}

/// Parses the name of a kind of match.
pub fn kind(text: &str) -> Result<HitKind, String> {
    text.parse().map_err(|error: UnknownKind| error.to_string())
}

/// Parses the name of a flag of a match.
pub fn flag(text: &str) -> Result<Flag, String> {
    Flag::ALL.iter().copied().find(|flag| flag.name() == text).ok_or_else(|| {
        let names: Vec<_> = Flag::ALL.iter().map(|flag| flag.name()).collect();
        match Spellings::new(names.iter().copied()).nearest(text) {
            Some(near) => format!("unknown flag; did you mean `{near}`?"),
            None => format!("unknown flag; the flags are {}", names.join(", ")),
        }
    })
}

/// Parses a port number.
pub fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "a port is a number from 0 to 65535".to_owned())
}

/// Parses the type of a host.
pub fn host_type(text: &str) -> Result<HostType, String> {
    let known = HostType::ALL.iter().copied().find(|host_type| host_type.name() == text);
    known.ok_or_else(|| {
        let names: Vec<_> = HostType::ALL.iter().map(|host_type| host_type.name()).collect();
        format!("the types of hosts are {}", names.join(", "))
    })
}

/// Parses the name of an element.
pub fn element(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['<', '>', ' ']) {
        Err("write only the name of the element, such as img".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// Parses the encoding of files.
pub fn encoding(text: &str) -> Result<TextEncoding, String> {
    text.parse().map_err(|error: UnknownEncoding| error.to_string())
}

/// Returns the names that a flag takes. The parser of the command line itself quotes the wrong one.
pub fn known_names(unknown: UnknownName) -> String {
    format!("the {} are {}", unknown.what(), unknown.names().join(", "))
}

/// Parses the name of a role.
pub fn role(text: &str) -> Result<Role, String> {
    if text.starts_with('!') {
        let names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        return Err(format!(
            "this list takes no `!`; name the roles that you want: {}",
            names.join(", ")
        ));
    }
    text.parse().map_err(known_names)
}

/// Which files are read as mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MailMode {
    /// Files whose name, place, or first lines show that they are mail.
    #[default]
    Auto,
    /// All files.
    Always,
    /// No files.
    Never,
}

/// The mail within which a URI is printed only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DedupeMode {
    /// Print each URI once per message.
    Message,
    /// Print each URI once per thread of a file.
    Thread,
}

/// The heading above groups of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GroupBy {
    /// The mail message of the matches.
    Message,
}

/// The key for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CountKey {
    /// The host.
    Host,
    /// The registered domain, by the public suffix list; for an IP address, the address.
    Domain,
    /// The scheme.
    Scheme,
    /// The namespace of a URN.
    Nid,
    /// The file that contains the match.
    File,
    /// The top-level domain.
    Tld,
    /// The message that contains the match, by Message-ID.
    Message,
    /// The sender of the message, by address.
    From,
    /// The month of the message, such as `2024-05`.
    Month,
    /// The path of the URI.
    Path,
    /// The port of the URI.
    Port,
    /// The role of the part of a document that contains the match.
    Role,
    /// The DOI, ISBN, or the like that it identifies, in one spelling.
    Identifier,
    /// The format of the document that contains the match; `text` for others.
    Format,
    /// The flag; a match with several flags counts for each.
    Flag,
}

impl CountKey {
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Domain => "domain",
            Self::Scheme => "scheme",
            Self::Nid => "nid",
            Self::File => "file",
            Self::Tld => "tld",
            Self::Message => "message",
            Self::From => "from",
            Self::Month => "month",
            Self::Path => "path",
            Self::Port => "port",
            Self::Role => "role",
            Self::Flag => "flag",
            Self::Format => "format",
            Self::Identifier => "identifier",
        }
    }
}

/// Which files are read as documents, and in which format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkupMode {
    /// Files whose extension or first bytes show their format.
    #[default]
    Auto,
    /// No files.
    Never,
    /// All files, in this format.
    Always(Format),
}

impl MarkupMode {
    const AUTO: &str = "auto";
    const NEVER: &str = "never";

    /// Parses a name of the table of formats, `auto`, or `never`; clap lists all of them in errors
    /// and completions.
    pub fn parser() -> impl TypedValueParser<Value = Self> {
        let formats = FORMATS.iter().map(|format| format.name());
        let names = [Self::AUTO, Self::NEVER].into_iter().chain(formats);
        PossibleValuesParser::new(names).map(|name| match Format::named(&name) {
            Some(format) => Self::Always(format),
            None if name == Self::NEVER => Self::Never,
            None => Self::Auto,
        })
    }
}

/// The grammars there are, for the help of flags.
pub const DOCUMENTS: &str = "rfc3986 (which is the default, with RFC 3987 and RFC 8141), rfc2396bis-01 \
    (draft-fielding-uri-rfc2396bis-01), url-syntax-05 (draft-fielding-url-syntax-05) or url-1993 (the Internet \
    Draft of July 1993); and for URNs only rfc8141, rfc2141bis-01 (draft-ietf-urnbis-rfc2141bis-urn-01) or rfc2141";

/// The name of a grammar.
pub fn grammar(text: &str) -> Result<Grammar, String> {
    text.parse().map_err(known_names)
}

/// One grammar, or each in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammars {
    /// This one.
    One(Grammar),
    /// Every one.
    All,
}

/// The name of a grammar, or `all`.
pub fn grammars(text: &str) -> Result<Grammars, String> {
    if text == "all" {
        return Ok(Grammars::All);
    }
    grammar(text).map(Grammars::One).map_err(|message| format!("{message}, and `all`"))
}

/// Parses a regular expression that compiles. The size limit is checked later, when all flags are
/// known.
pub fn regexp(text: &str) -> Result<String, String> {
    match Regex::new(text) {
        Ok(_) | Err(regex::Error::CompiledTooBig(_)) => Ok(text.to_owned()),
        Err(error) => {
            let message = error.to_string();
            let last = message.lines().last().unwrap_or_default();
            Err(last.strip_prefix("error: ").unwrap_or(last).to_owned())
        }
    }
}

/// Parses a glob that compiles; an empty one matches nothing.
pub fn glob(text: &str) -> Result<String, String> {
    match globset::Glob::new(text) {
        _ if text.is_empty() => Err("the glob is empty; `*` matches everything".to_owned()),
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.kind().to_string()),
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// When standard output is a terminal and NO_COLOR is not set.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always.
    Always,
    /// Always, by ANSI escape sequences.
    Ansi,
}

/// When to show how far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// If the run takes long and standard error is a terminal.
    #[default]
    Auto,
    /// If the run takes long, even if standard error is not a terminal.
    Always,
    /// Never.
    Never,
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// One match per line.
    #[default]
    Text,
    /// JSON Lines: one object per match.
    Json,
    /// Comma-separated values (RFC 4180) under a heading.
    Csv,
    /// Tab-separated values under a heading.
    Tsv,
    /// A SARIF 2.1.0 log, for code scanning.
    Sarif,
    /// The text of --template, filled in for each match.
    Template,
}

/// The order of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// As they are found, which is fastest.
    #[default]
    None,
    /// By path, the same in every run.
    Path,
}

/// Which line breaks inside a URI are removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RejoinMode {
    /// Keep all line breaks.
    Never,
    /// Remove line breaks inside <...> and double quotes (RFC 3986 Appendix C).
    #[default]
    Wrapped,
    /// Also remove line breaks after a hyphen at the end of a line.
    Hyphen,
    /// Also remove line breaks at which a long line ends in the middle of a URI.
    Always,
}

/// The scheme of URIs that have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AssumeMode {
    /// The scheme https.
    #[default]
    Https,
    /// The scheme http.
    Http,
}

#[cfg(test)]
mod tests {
    use urigrep::Kind;

    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("64K"), Ok(65536));
        assert_eq!(size("2m"), Ok(2 << 20));
        for wrong in ["", "K", "-1", "1.5M", "1T", "99999999999999999999", "99999999999999G", "é"]
        {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
        assert!(uri_size("0").is_err() && uri_size("3G").is_err() && uri_size("1").is_ok());
    }

    #[test]
    fn names() {
        assert_eq!(scheme("HTTP"), Ok("http".to_owned()));
        assert!(["", "1a", "http:", "a b", "é"].iter().all(|wrong| scheme(wrong).is_err()));
        assert_eq!(nid("ISBN"), Ok("isbn".to_owned()));
        assert!(
            ["", "a", "-ab", "ab-", "a_b", &"a".repeat(33)].iter().all(|wrong| nid(wrong).is_err())
        );
        assert_eq!(base("http://a/\u{e9}"), Ok("http://a/%C3%A9".to_owned()));
        assert!(base("a/b").unwrap_err().contains("scheme"));
        assert_eq!(kind("urn"), Ok(HitKind::Uri(Kind::Urn)));
        assert!(kind("url").unwrap_err().contains("uri, iri, lax, urn"));
        assert_eq!(grammar("rfc2141"), Ok(Grammar::Rfc2141));
        assert!(grammar("all").unwrap_err().contains("rfc3986, rfc2396bis-01"));
        assert_eq!(grammars("all"), Ok(Grammars::All));
        assert!(grammars("rfc1738").unwrap_err().ends_with("`all`"));
        assert_eq!(kind("email"), Ok(HitKind::Uri(Kind::Email)));
        assert_eq!(kind("reference"), Ok(HitKind::Reference));
        assert_eq!(role("code"), Ok(Role::Code));
        assert!(role("link").unwrap_err().contains("destination, text"));
    }
}
