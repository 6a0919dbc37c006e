//! Flags for the dangers of a URI (RFC 3986 §7, RFC 3987 §4.2 and §8).
//!
//! A flag states a fact, not an intention; it never makes a URI invalid. Each takes time linear in
//! the URI, and is computed only on request.

mod bidi;
mod escaped;
mod host;
mod rare_ip;
mod userinfo;

#[cfg(feature = "idna")]
pub(crate) use host::is_one_script;
#[cfg(feature = "search")]
pub(crate) use rare_ip::address;

use core::net::Ipv4Addr;
use core::ops::Range;

use crate::grammar::UriParts;
use crate::{Flag, Flags, Iri, Uri, Urn};

/// A test of whether a flag applies to a URI.
type Question = fn(&Uri<'_>) -> bool;

const QUESTIONS: [(Flag, Question); 9] = [
    (Flag::HasCredentials, userinfo::has_password),
    (Flag::PercentNul, escaped::has_nul),
    (Flag::EscapedDelimiter, escaped::has_delimiter),
    (Flag::MisleadingUserinfo, userinfo::is_misleading),
    (Flag::RareIp, |uri| uri.rare_ip().is_some()),
    (Flag::PortOutOfRange, host::is_port_out_of_range),
    (Flag::MixedScriptHost, host::mixes_scripts),
    (Flag::UrnNssInvalid, is_urn_with_fault),
    (Flag::UrnNssInvalid, names_no_person),
];

impl Uri<'_> {
    /// The dangers of the URI (RFC 3986 §7), and for a URN a name that its namespace does not allow
    /// ([`Urn::check_nss`]).
    ///
    /// ```
    /// use urigrep::{Flag, Uri};
    /// let flags = Uri::parse("http://me:secret@0x7f.1:99999/")?.flags();
    /// let names: Vec<_> = flags.iter().map(Flag::name).collect();
    /// assert_eq!(names, ["has-credentials", "rare-ip", "port-out-of-range"]);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn flags(&self) -> Flags {
        let text = self.as_str().as_bytes();
        if !may_have_flags(text, self.parts()) {
            return Flags::default();
        }
        // Each test runs only if a cheap property of the URI allows it. The property test below
        // checks that this hides no flag.
        let is_escaped = memchr::memchr(b'%', text).is_some();
        let has_userinfo = self.userinfo().is_some();
        let host = self.host().unwrap_or_default().as_bytes();
        let is_numeric = host.first().is_some_and(u8::is_ascii_digit);
        let is_urn = self.scheme().eq_ignore_ascii_case("urn");
        let may_apply = |flag| match flag {
            Flag::HasCredentials | Flag::MisleadingUserinfo => has_userinfo,
            Flag::PercentNul | Flag::EscapedDelimiter => is_escaped,
            Flag::RareIp => is_escaped || is_numeric,
            Flag::PortOutOfRange => self.port().is_some(),
            // In ASCII, a label of another script is either percent-encoded or an A-label, which
            // contains `--`.
            Flag::MixedScriptHost => is_escaped || host.windows(2).any(|pair| pair == b"--"),
            _ => is_urn || is_orcid(host),
        };
        let mut flags = Flags::default();
        for &(flag, applies) in &QUESTIONS {
            if may_apply(flag) && applies(self) {
                flags.set(flag);
            }
        }
        flags
    }

    /// The IPv4 address of a host written in a rare form (RFC 3986 §7.4). `None` for the four
    /// decimal numbers of the ABNF, and for any other host.
    ///
    /// Only hosts of http, https, ws, wss and ftp are checked. The forms are those of `inet_aton`:
    /// one to four numbers, each decimal, octal after `0` or hexadecimal after `0x`; the last fills
    /// the remaining octets. As in browsers, percent triplets are decoded first, and a final dot is
    /// allowed.
    ///
    /// ```
    /// use std::net::Ipv4Addr;
    /// use urigrep::Uri;
    /// let localhost = Some(Ipv4Addr::LOCALHOST);
    /// for host in ["127.1", "0177.0.0.1", "0x7f000001", "2130706433"] {
    ///     assert_eq!(Uri::parse(&format!("http://{host}/"))?.rare_ip(), localhost);
    /// }
    /// assert_eq!(Uri::parse("http://127.0.0.1/")?.rare_ip(), None);
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn rare_ip(&self) -> Option<Ipv4Addr> {
        rare_ip::rare_ip(self)
    }
}

impl Iri<'_> {
    /// [`Flag::Bidi`] if a part mixes writing directions (RFC 3987 §4.2). The URI that it maps to
    /// has the other flags.
    ///
    /// ```
    /// use urigrep::{Flag, Iri};
    /// assert!(Iri::parse("http://a.example/אa")?.flags().contains(Flag::Bidi));
    /// assert!(Iri::parse("http://a.example/א/a")?.flags().is_empty());
    /// # Ok::<(), urigrep::ParseError>(())
    /// ```
    pub fn flags(&self) -> Flags {
        let flags = Flags::default();
        if bidi::is_mixed(self.as_str()) { flags.with(Flag::Bidi) } else { flags }
    }
}

/// True if a URI may have flags, which few do. Works on bytes, which need not be known to be UTF-8.
pub(crate) fn may_have_flags(uri: &[u8], parts: UriParts) -> bool {
    let part =
        |range: Option<Range<usize>>| range.and_then(|range| uri.get(range)).unwrap_or_default();
    let host = part(parts.host());
    parts.userinfo().is_some()
        || parts.port().is_some()
        || host.first().is_some_and(u8::is_ascii_digit)
        || memchr::memchr(b'-', host).is_some()
        || memchr::memchr(b'%', uri).is_some()
        || is_orcid(host)
        || part(parts.scheme()).eq_ignore_ascii_case(b"urn")
}

/// True for the host of the ORCID resolver.
fn is_orcid(host: &[u8]) -> bool {
    let name = host.strip_prefix(b"www.").unwrap_or(host);
    name.len() == "orcid.org".len() && name.eq_ignore_ascii_case(b"orcid.org")
}

/// True if the path of a resolver is an ORCID iD with a wrong check digit (ISO 7064 MOD 11-2).
fn names_no_person(uri: &Uri<'_>) -> bool {
    let path = uri.path().as_bytes();
    let groups = path.strip_prefix(b"/").unwrap_or_default().split(|&b| b == b'-');
    let is_group =
        |group: &[u8]| group.len() == 4 && group.iter().all(|b| b.is_ascii_digit() || *b == b'X');
    if groups.clone().count() != 4 || !groups.clone().all(is_group) {
        return false;
    }
    let value = |b: &u8| if *b == b'X' { 10 } else { u32::from(b - b'0') };
    // ISO 7064 MOD 11-2: with the check digit, the weighted sum leaves 1.
    groups.flatten().fold(0, |sum, b| (sum * 2 + value(b)) % 11) != 1
}

fn is_urn_with_fault(uri: &Uri<'_>) -> bool {
    uri.scheme().eq_ignore_ascii_case("urn")
        && Urn::parse(uri.as_str()).is_ok_and(|urn| urn.check_nss().is_err())
}

/// True for the schemes of the web, whose hosts are looked up as names or addresses, and whose
/// clients treat `\` as `/`.
fn is_web(uri: &Uri<'_>) -> bool {
    let web = ["http", "https", "ws", "wss", "ftp"];
    web.iter().any(|scheme| uri.scheme().eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The fast test must not hide a flag.
        #[test]
        fn no_question_is_left_out(
            text in "(https?|ws|urn|x)://([a.:%]{0,3}(%00|%2F|www[.]a[.]com|:pw)?@)?(0x7f[.]1|a|xn--[a-z0-9]{1,9}|%C3%A9|1[.]2|[.]){1,4}(:[0-9]{0,7})?(/(a|%2f|%00){0,3})?"
        ) {
            if let Ok(uri) = Uri::parse(&text) {
                let asked = QUESTIONS.into_iter().filter(|(_, applies)| applies(&uri));
                prop_assert_eq!(uri.flags(), asked.map(|(flag, _)| flag).collect::<Flags>());
            }
        }
    }
}
