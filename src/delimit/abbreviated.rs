//! Hosts without a scheme (D7): decides which dotted words are meant as a URI.
//!
//! Most dotted words are not hosts: file names, code, versions, a full stop without a space. A
//! `www.` is therefore enough, and a path after a known top-level domain nearly is. A bare name
//! counts only if its last label is neither a file extension nor a word of prose or programs. The
//! hosts accepted here are delimited like any other URI (D3, D4).

use super::byte_class::starts_with;
use super::domain::{self, DomainName, ScriptBoundary};
use super::host_context;
use super::identifier;
use super::refang;
use super::repository::RepositoryAddress;
use super::run::UriRun;
use super::text_view::TextView;
use crate::grammar::table::is_uri_byte;
use crate::grammar::{self, HostType};
use crate::options::Identifiers;
use crate::registry::{ListLookup, slots, words};
use crate::scan::{NAME_SIGNS, is_spelled_out, is_www};
use crate::slice::{ByteRuns, SliceExt};

/// Maximum length of a local part or userinfo after a name. RFC 5321 allows 64 bytes.
const MAX_LOCAL_PART_BYTES: usize = 128;

/// Maximum length of a row of marks before a host.
const MAX_MARKS_BYTES: usize = 16;

/// Maximum length of the mask in a range of addresses. Real ones have at most 15 bytes.
const MAX_MASK_BYTES: usize = 32;

/// The host that starts a match. Offsets are into the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct BareHost {
    pub at: usize,
    pub end: usize,
    /// Text of another script touches it and ends the match.
    pub cut: bool,
}

/// The kind of match that starts at a dotted word (D7).
#[derive(Clone, Copy, Debug)]
pub(super) enum BareStart {
    Host(BareHost),
    Repository(RepositoryAddress),
}

/// Top-level domains that occur at least as often as file extensions.
static FILES: ListLookup<{ slots(28) }> = ListLookup::new(words![
    "ac", "am", "bz", "cab", "cc", "dot", "in", "inc", "java", "la", "map", "md", "mk", "ml", "mm",
    "mo", "mov", "pl", "pm", "ps", "pub", "py", "rs", "sh", "so", "st", "tf", "zip",
]);

/// Labels that precede such an extension in file names, as in `x.min.js`, and in programs, as in
/// `Array.prototype.map`.
static DOUBLE: ListLookup<{ slots(13) }> = ListLookup::new(words![
    "bundle",
    "conf",
    "config",
    "css",
    "d",
    "js",
    "min",
    "module",
    "prototype",
    "rs",
    "spec",
    "tar",
    "test",
]);

/// Generic top-level domains of up to eight letters that are rarely identifiers in programs.
#[rustfmt::skip]
static HOSTS: ListLookup<{ slots(71) }> = ListLookup::new(words![
    "academy", "aero", "africa", "agency", "amsterdam", "arpa", "asia", "bayern", "berlin", "biz",
    "boston", "brussels", "bzh", "capetown", "club", "cologne", "com", "coop", "cpa", "cymru",
    "dev", "digital", "durban", "edu", "eus", "frl", "gmbh", "gov", "hamburg", "hosting", "info",
    "int", "istanbul", "joburg", "koeln", "kyoto", "lat", "llc", "london", "ltd", "melbourne",
    "miami", "mil", "mobi", "moscow", "nagoya", "net", "ngo", "nyc", "okinawa", "ong", "online",
    "org", "osaka", "paris", "quebec", "ruhr", "saarland", "scot", "site", "software", "swiss",
    "sydney", "tirol", "tokyo", "travel", "vegas", "wales", "wien", "xyz", "yokohama",
]);

/// Longer generic domains that are identifiers in programs, and country domains that are words of
/// prose.
#[rustfmt::skip]
static WORDS: ListLookup<{ slots(19) }> = ListLookup::new(words![
    "as", "by", "community", "creditcard", "directory", "do", "education", "engineering",
    "equipment", "foundation", "id", "is", "management", "my", "productions", "properties",
    "protection", "so", "to",
]);

/// First labels of reversed names (`com.example.app`) and of names in programs.
#[rustfmt::skip]
static ROOTS: ListLookup<{ slots(19) }> = ListLookup::new(words![
    "android", "com", "dependencies", "document", "edu", "gov", "java", "javax", "kotlin", "net",
    "org", "os", "package", "self", "std", "sys", "system", "this", "window",
]);

/// Names of variables, whose members often have two letters like country domains.
#[rustfmt::skip]
static VARIABLES: ListLookup<{ slots(31) }> = ListLookup::new(words![
    "args", "config", "conn", "console", "ctx", "entry", "event", "item", "key", "lhs", "log",
    "logger", "module", "node", "obj", "object", "options", "opts", "other", "pkey", "profile",
    "rect", "request", "response", "result", "rhs", "state", "super", "value", "values", "view",
]);

/// True for a top-level domain that ends the names of files less often.
pub(super) fn is_host_ending(top: &[u8]) -> bool {
    domain::is_tld(top) && !FILES.holds(top)
}

/// Evidence for a URI besides its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HostEvidence {
    None,
    Path,
    /// A query, a fragment or a port.
    Other,
}

/// True for an IPv4 address with a port or a path. Four numbers alone may be a version, and those
/// with a number after a slash are a range of addresses (`10.0.0.0/8`).
fn is_address(host: &[u8], rest: &[u8]) -> bool {
    let is_range = || {
        // The size may be written as a mask, `10.0.0.0/255.0.0.0`, so full stops count. No mask is
        // as long as the bound.
        let numbers =
            rest.part(1..).clamped(..MAX_MASK_BYTES).leading(|b| b.is_ascii_digit() || b == b'.');
        let continues = |&b: &u8| b.is_ascii_alphanumeric() || b"/?#-_~%=&".contains(&b);
        numbers > 0 && !rest.get(1 + numbers).is_some_and(continues)
    };
    grammar::host_type(host) == HostType::Ipv4
        && match evidence(rest) {
            Some(HostEvidence::Path) => rest.first() != Some(&b'/') || !is_range(),
            Some(HostEvidence::Other) => rest.first() == Some(&b':'),
            Some(HostEvidence::None) | None => false,
        }
}

/// Returns the host whose first dot is at `haystack[dot]`, or the repository on it, if that starts
/// a match. With `identifiers`, the host of a DOI does not start one, because the DOI itself is a
/// match.
pub(super) fn start(haystack: &[u8], dot: usize, identifiers: Identifiers) -> Option<BareStart> {
    let mut at = domain::label_start(haystack, dot, ScriptBoundary::Splits)?;
    // RFC 1034 §3.5: no label starts with these characters. They are marks of emphasis, bullets, or
    // options that touch the name.
    at += haystack.part(at..dot).leading(|b| matches!(b, b'_' | b'-'));
    if escaped(haystack, at)? {
        at += 1;
    }
    let first = haystack.get(at..dot).filter(|label| !label.is_empty())?;
    let www = is_www(first);
    if haystack.part(..at).last() == Some(&b'@') {
        // D7: after `@` the name is the host of an address, which `--email` finds. Only
        // `git@host:path` is a URI.
        return RepositoryAddress::at_host(haystack, at).map(BareStart::Repository);
    }
    if !may_precede(haystack.part(..at)) || !www && is_spelled_out(haystack.part(..at)) {
        return None;
    }
    let domain = domain::read(haystack, at, ScriptBoundary::Splits)?;
    let top = haystack.part(domain.top..domain.end);
    let known = domain::is_tld(top);
    let rest = haystack.part(domain.end..);
    let host = BareStart::Host(BareHost { at, end: domain.end, cut: domain.cut });
    if top.first().is_some_and(u8::is_ascii_digit)
        && is_address(haystack.part(at..domain.end), rest)
    {
        return Some(host);
    }
    // Nearly all dotted words are refused here, so the checks below need not be cheap.
    if !known && !www {
        return None;
    }
    if identifiers != Identifiers::Skip
        && identifier::is_resolved(haystack.part(at..domain.end), rest)
    {
        return None;
    }
    let evidence = evidence(rest)?;
    // `WWW.md` is the name of a file. With a third label `www` is evidence enough, so the last
    // label need not be a known top-level domain: private networks and examples use others.
    let meant = if www {
        known && !(domain.labels == 2 && FILES.holds(top))
            || domain.labels > 2 && top.len() > 1 && !top.iter().any(u8::is_ascii_digit)
    } else {
        !is_code(rest) && is_meant(haystack, at, &domain, evidence)
    };
    meant.then_some(host)
}

/// True if the URI that ends at `end` consists of the host that ends at `host` and what may follow
/// a host.
pub(super) fn ends(view: &TextView<'_>, run: &UriRun, host: usize, end: usize) -> bool {
    let root = view.byte(host) == Some(b'.');
    end == host || end > host && (run.host.1 == host || root && run.host.1 == host + 1)
}

/// True if the letter at `at` belongs to a backslash (`\nwww.`); `None` if that is not decidable.
fn escaped(haystack: &[u8], at: usize) -> Option<bool> {
    if haystack.part(..at).last() != Some(&b'\\') {
        return Some(false);
    }
    let rest = haystack.part(at..);
    let www =
        matches!(rest.first(), Some(b'n' | b'r' | b't')) && starts_with(rest.part(1..), b"www.");
    www.then_some(true)
}

/// True if the text before the name does not make it part of something longer.
fn may_precede(before: &[u8]) -> bool {
    let marks = before.tail(MAX_MARKS_BYTES);
    let marks = marks.trailing(|b| matches!(b, b'*' | b'_' | b'~' | b'+' | b'-'));
    match before.part(..before.len() - marks) {
        // A dot before the name makes it the rest of a longer host, unless it ends an ellipsis.
        [.., b'.', b'.'] => true,
        [.., b'.'] => false,
        // `://` is a URI, which the colon finds. `//` alone starts a reference without a scheme, or
        // a comment. A single slash belongs to a path.
        [.., b':', b'/', b'/'] | [b'/'] => false,
        [.., b'/', b'/'] => true,
        [.., b'/'] => false,
        [.., b':', b':'] => false,
        [.., sign] if NAME_SIGNS.contains(sign) => false,
        // The rest of a defanged host (D4.6)
        before if refang::ends_in_dot(before) => false,
        _ => true,
    }
}

/// Classifies the text after the name; `None` if the name continues or belongs to something else.
fn evidence(rest: &[u8]) -> Option<HostEvidence> {
    if userinfo(rest) {
        return None;
    }
    let solid = |byte: Option<&u8>| byte.is_some_and(|&b| b.is_ascii_alphanumeric() || b >= 0x80);
    match rest {
        [b'/', ..] | [b'.', b'/', ..] => Some(HostEvidence::Path),
        [b'?' | b'#', tail @ ..] => Some(match tail.first() {
            Some(&b) if is_uri_byte(b) && !b".,;:!?')".contains(&b) => HostEvidence::Other,
            _ => HostEvidence::None,
        }),
        [b':', tail @ ..] => {
            let digits = domain::port_digits(tail);
            match (digits, tail.part(digits..)) {
                // The name is a scheme (`foo.com://x`), part of a path in a program (`foo.com::x`),
                // or the host before a port that a template leaves out.
                (0, [b'/' | b':' | b'_' | b'\\' | b'{' | b'$' | b'<' | b'%', ..]) => None,
                // A key before its value, `foo.com:bar`.
                (0, after) if solid(after.first()) => None,
                (0, _) => Some(HostEvidence::None),
                (1..=5, [b'/', ..]) => Some(HostEvidence::Path),
                // A line and a column, as compilers print after a file name
                (_, [b':', ..]) => None,
                (1..=5, after) if !solid(after.first()) => Some(HostEvidence::Other),
                _ => None,
            }
        }
        // A placeholder continues the name (D4.8): the host that ended here would be another one.
        [b'.', b'{' | b'$' | b'<' | b'%' | b'_', ..] => None,
        // A pattern or JSON escapes the slash of a path. Reported without its path, the URI would
        // be cut silently.
        [b'\\', b'/', ..] => None,
        // A range or a parent in a program, `a.com..b`. Full stops after a host have white space
        // after them.
        [b'.', b'.', after, ..] if after.is_ascii_alphanumeric() => None,
        [b'_' | b'~' | b'%', tail @ ..] if solid(tail.first()) => None,
        _ => Some(HostEvidence::None),
    }
}

/// True if the name starts the local part of an address, or a userinfo.
fn userinfo(rest: &[u8]) -> bool {
    let local = |b: u8| b.is_ascii_alphanumeric() || b"._+-%='~&$*!:".contains(&b);
    rest.get(rest.clamped(..MAX_LOCAL_PART_BYTES).leading(local)) == Some(&b'@')
}

/// True for a call, an index, or an assignment.
fn is_code(rest: &[u8]) -> bool {
    matches!(rest, [b'(' | b'[' | b'=', ..])
}

/// True if a bare name with a known top-level domain is meant as a host.
fn is_meant(haystack: &[u8], at: usize, domain: &DomainName, evidence: HostEvidence) -> bool {
    let name = haystack.part(at..domain.end);
    let top = haystack.part(domain.top..domain.end);
    let second = haystack.clamped(domain.second..domain.top.saturating_sub(1));
    let first = name.part(..name.leading(|b| b != b'.'));
    let labels = || name.split(|&b| b == b'.').take(domain.labels - 1);
    // Reversed names start with these labels. Three labels are always refused. Two need support
    // from a port, a query, or the like, except after `com`.
    if ROOTS.holds(first)
        && (domain.labels > 2 || evidence == HostEvidence::None && first != b"com")
    {
        return false;
    }
    if evidence == HostEvidence::Path {
        return true;
    }
    if is_shouted(second, top, domain.labels) {
        return false;
    }
    // Variables are lowercase in programs, so a capital letter speaks for a host.
    let is_written = |listed: bool| listed && !first.iter().any(u8::is_ascii_uppercase);
    // A file name has two labels (`main.rs`). A third one speaks for a host (`docs.foo.rs`) unless
    // it is usual in file names, too: a version number or a second extension.
    if FILES.holds(top) {
        let number = |label: &[u8]| label.iter().all(u8::is_ascii_digit);
        let words = is_written(ROOTS.holds(first) || VARIABLES.holds(first));
        return domain.labels > 2 && !words && !labels().any(number) && !DOUBLE.holds(second);
    }
    let generic = top.is_ascii() && !top.contains(&b'-') && (3..=8).contains(&top.len());
    // The longer and rarer generic domains are ordinary words, so the surroundings decide.
    if generic && !HOSTS.holds(top) || WORDS.holds(top) {
        return host_context::names_host(haystack, (at, domain.end), (first, top), domain.labels);
    }
    let country = top.len() == 2;
    // `console.info` is a function, too.
    if (country || top == b"info") && is_written(VARIABLES.holds(first)) {
        return false;
    }
    if country
        && domain.labels == 2
        && evidence == HostEvidence::None
        && host_context::is_member(haystack, (at, domain.end), (first, top))
    {
        return false;
    }
    let digits = domain.labels == 2 && first.iter().all(u8::is_ascii_digit);
    let number = digits
        && ![&b"com"[..], b"net", b"org", b"cn"].iter().any(|name| top.eq_ignore_ascii_case(name));
    // `a.is` is a member or an abbreviation. `t.co/x` has a path and was accepted above; `x.com` is
    // not under a country's domain.
    let abbreviation = country && labels().all(|label| label.len() == 1);
    !abbreviation && !number
}

/// True for a capitalisation that is not used for hosts: `end.It was`, `System.Net`, `ASP.NET`,
/// `x.CA`, `CC.EE`.
fn is_shouted(second: &[u8], top: &[u8], labels: usize) -> bool {
    let has_upper = |text: &[u8]| text.iter().any(u8::is_ascii_uppercase);
    let has_lower = |text: &[u8]| text.iter().any(u8::is_ascii_lowercase);
    match (has_upper(top), has_lower(top)) {
        (false, _) => false,
        // Titles capitalize each label, `Example.Com`. As the start of a sentence after a missing
        // space, `Com` is not a word.
        (true, true) => !(top == b"Com" && second.first().is_some_and(u8::is_ascii_uppercase)),
        (true, false) => has_lower(second) || labels == 2 && (top.len() == 2 || top == b"NET"),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::options::{Abbreviated, Kernel, Options};
    use crate::scan::{Scanner, Triggers};

    fn found(text: &str) -> bool {
        let dot = text.find('.').unwrap_or_default();
        start(text.as_bytes(), dot, Identifiers::Skip).is_some()
    }

    #[test]
    fn hosts() {
        #[rustfmt::skip]
        let texts = [
            "www.de", "www.a.example", "WWW2.A.Example", "foo.com", "foo.co.uk", "TEST.COM",
            "foo.com:8080", "10.0.0.1/x", "docs.foo.rs", "foo.rs/bar", "t.co/x", "x.com", "163.com",
            "\\nwww.a.com", "//www.a.com", "看foo.com吧", "рф.рф", "a.xn--p1ai", "foo.name/x",
        ];
        for text in texts {
            assert!(found(text), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 5000 }))]
        /// Every host by the full rules must be a candidate of the scanner.
        #[test]
        fn hosts_are_candidates(text in "([a-z0-9@#:./_é吧 -]|www|com|\\.0é|\\.|xn--p1ai|//|\\\\n|[a-z]{90,110}){0,30}") {
            let text = text.as_bytes();
            let options = Options { abbreviated: Abbreviated::Report, ..Options::default() };
            let mut scanner = Scanner::new(Triggers::for_options(&options), Kernel::Auto.loops());
            let mut passed = 0;
            let candidates = core::iter::from_fn(|| {
                let found = scanner.next(text, passed)?;
                passed = found.at + 1;
                Some(found.at)
            });
            let candidates: Vec<usize> = candidates.collect();
            let is_edge = |at: Option<usize>| {
                let byte = at.and_then(|at| text.get(at));
                byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
            };
            for dot in memchr::memchr_iter(b'.', text) {
                if is_edge(dot.checked_sub(1)) && is_edge(Some(dot + 1)) && !candidates.contains(&dot) {
                    prop_assert!(start(text, dot, Identifiers::Skip).is_none(), "{dot}");
                }
            }
        }
    }

    #[test]
    fn other_dotted_words() {
        #[rustfmt::skip]
        let texts = [
            "main.rs", "README.md", "setup.py", "foo.sh", "main.rs:12", "main.rs:12:5", "e.g. x",
            "i.e.", "1.2.3", "10.0.0.0/8", "foo.bar()", "self.name", "foo.com()", "foo.com[0]",
            "com.example.app", "org.apache.commons.io", "java.io", "end.It", "System.Net",
            "ASP.NET", "libfoo.6.so", "a.test.rs", "x@foo.com", "/foo.com", "foo.com@x.com",
            "a.foo+b@x.com", "foo.com://x", "foo.com:bar", "$foo.com", "README.md#install",
            "*.foo.com", "foo.com_bar", "C:\\network.com", "foo.txt", "foo.com\\/x", "a.is",
            "www.example",
        ];
        for text in texts {
            assert!(!found(text), "{text}");
        }
    }
}
