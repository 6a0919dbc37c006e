//! The grammars of the older documents as regular expressions: an oracle that shares nothing with
//! the parsers but the documents.
//!
//! Groups are called by the rules (`p1`, `p2` are both `path`). What a regular expression says with
//! a longest or a shortest match is what the documents leave open: the port is split off a 1993
//! host, and the last `@` ends its user.

use std::sync::LazyLock;

use regex::Regex;
use urigrep::Grammar;

/// The components of `text` as the vectors write them, or `None` when the grammar rejects it.
pub fn components(grammar: Grammar, text: &str) -> Option<Vec<(&'static str, String)>> {
    match grammar {
        Grammar::Rfc2396bis01 => {
            let names =
                "scheme authority reg-name userinfo host port path query opaque-part fragment";
            named(&RFC2396BIS_01, text, names)
        }
        Grammar::UrlSyntax05 => {
            let names =
                "scheme site user password host port path query scheme-specific-part fragment";
            let mut found = named(&URL_SYNTAX_05, text, names)?;
            if let Some(at) = found.iter().position(|(name, _)| *name == "path") {
                let segments = found[at].1.split('/').map(str::to_owned);
                let params: Vec<_> = segments
                    .flat_map(|segment| {
                        let params = segment.split(';').skip(1);
                        params.map(str::to_owned).collect::<Vec<_>>()
                    })
                    .map(|param| ("params", param))
                    .collect();
                found.splice(at + 1..at + 1, params);
            }
            Some(found)
        }
        Grammar::Url1993 => {
            let names = "scheme cellname user host port path groupart group article database wtype digits \
                hsoname gtype selector search fragmentid";
            let addressed = URL_1993.iter().find_map(|one| named(one, text, names));
            Some(split_1993(addressed.or_else(|| named(&GENERIC_1993, text, names))?))
        }
        Grammar::Rfc2141bis01 | Grammar::Rfc2141 => {
            let regex: &Regex = match grammar {
                Grammar::Rfc2141 => &RFC_2141,
                _ => &RFC_2141BIS_01,
            };
            let found = named(regex, text, "scheme path NID NSS query fragment")?;
            let reserved = found
                .iter()
                .any(|(name, value)| *name == "NID" && value.eq_ignore_ascii_case("urn"));
            (!reserved && !text.contains("%00")).then_some(found)
        }
        _ => unreachable!("{grammar} has an oracle of its own"),
    }
}

/// What the groups called by `names` matched; several groups may have the name with a digit.
fn named(regex: &Regex, text: &str, names: &'static str) -> Option<Vec<(&'static str, String)>> {
    let captures = regex.captures(text)?;
    let mut found = Vec::new();
    for name in names.split_whitespace() {
        let plain = name.replace('-', "_");
        let group = std::iter::once(plain.clone())
            .chain((1..4).map(|number| format!("{plain}{number}")))
            .find_map(|group| captures.name(&group));
        if let Some(group) = group {
            found.push((name, group.as_str().to_owned()));
        }
    }
    Some(found)
}

/// What is split further: the password off the user of ftp, and the version and the attributes off
/// the name of a Prospero object.
fn split_1993(found: Vec<(&'static str, String)>) -> Vec<(&'static str, String)> {
    let scheme = found[0].1.clone();
    let mut split = Vec::new();
    for (name, value) in found {
        match (name, scheme.as_str()) {
            ("user", "ftp") if value.contains(':') => {
                let (user, password) = value.split_once(':').unwrap();
                split.push(("user", user.to_owned()));
                split.push(("password", password.to_owned()));
            }
            ("hsoname", _) => {
                let tail = value.split_once("%00").filter(|(_, tail)| VERSION.is_match(tail));
                let Some((object, tail)) = tail else {
                    split.push((name, value));
                    continue;
                };
                split.push((name, object.to_owned()));
                let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
                split.push(("version", tail[..digits].to_owned()));
                let attributes = tail[digits..].split("%00").filter(|one| !one.is_empty());
                split.extend(attributes.map(|one| ("attributes", one.to_owned())));
            }
            _ => split.push((name, value)),
        }
    }
    split
}

const ESCAPED: &str = "%[0-9A-Fa-f]{2}";

fn anchored(pattern: &str) -> Regex {
    Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap()
}

/// rfc2396bis-01, from its `absolute-URI-reference` down.
static RFC2396BIS_01: LazyLock<Regex> = LazyLock::new(|| {
    let unreserved = r"A-Za-z0-9\-_.!~*'()";
    let pchar = format!("(?:[{unreserved};:@&=+$,]|{ESCAPED})");
    let reg_name = format!("(?P<reg_name>{pchar}+)");
    let userinfo = format!("(?:[{unreserved};:&=+$,]|{ESCAPED})*");
    let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])";
    let ipv4 = format!(r"{octet}\.{octet}\.{octet}\.{octet}");
    let h4 = "[0-9A-Fa-f]{1,4}";
    let ls32 = format!("(?:{h4}:{h4}|{ipv4})");
    let ipv6 = [
        format!("(?:{h4}:){{6}}{ls32}"),
        format!("::(?:{h4}:){{5}}{ls32}"),
        format!("(?:{h4})?::(?:{h4}:){{4}}{ls32}"),
        format!("(?:(?:{h4}:){{0,1}}{h4})?::(?:{h4}:){{3}}{ls32}"),
        format!("(?:(?:{h4}:){{0,2}}{h4})?::(?:{h4}:){{2}}{ls32}"),
        format!("(?:(?:{h4}:){{0,3}}{h4})?::{h4}:{ls32}"),
        format!("(?:(?:{h4}:){{0,4}}{h4})?::{ls32}"),
        format!("(?:(?:{h4}:){{0,5}}{h4})?::{h4}"),
        format!("(?:(?:{h4}:){{0,6}}{h4})?::"),
    ]
    .join("|");
    let label = |first: &str| format!("{first}(?:[A-Za-z0-9-]{{0,61}}[A-Za-z0-9])?");
    let (domainlabel, toplabel) = (label("[A-Za-z0-9]"), label("[A-Za-z]"));
    let hostname = format!(r"{domainlabel}(?:\.{domainlabel})*(?:\.{toplabel}\.)?");
    let host = format!(r"(?P<host>\[(?:{ipv6})\]|{ipv4}|{hostname})");
    let server = format!("(?:(?:(?P<userinfo>{userinfo})@)?{host}(?::(?P<port>[0-9]*))?)?");
    let query = format!("(?:{pchar}|[/?])*");
    // the greedy rule of section 4.3: `//` starts no abs-path
    let abs_path = format!("/(?:{pchar}+(?:/{pchar}*)*)?");
    let net_path = format!("//(?P<authority>{server}|{reg_name})(?P<path1>(?:/{pchar}*)*)");
    let hier_part = format!(r"(?:{net_path}|(?P<path2>(?:{abs_path})?))(?:\?(?P<query>{query}))?");
    let uric = format!(r"(?:[{unreserved}\[\];/?:@&=+$,]|{ESCAPED})");
    let uric_no_slash = format!(r"(?:[{unreserved}\[\];?:@&=+$,]|{ESCAPED})");
    let opaque_part = format!("(?P<opaque_part>{uric_no_slash}{uric}*)");
    anchored(&format!(
        r"(?P<scheme>[A-Za-z][A-Za-z0-9+\-.]*):(?:{hier_part}|{opaque_part})(?:\#(?P<fragment>{query}))?"
    ))
});

/// url-syntax-05, from `absoluteURL [ "#" fragment ]` down.
static URL_SYNTAX_05: LazyLock<Regex> = LazyLock::new(|| {
    let unreserved = r"A-Za-z0-9$\-_.!~*'(),";
    let urlc = format!("(?:[{unreserved};/?:@&=+]|{ESCAPED})");
    let user = format!("(?:[{unreserved};&=+]|{ESCAPED})*");
    let label = |first: &str| format!("{first}(?:[A-Za-z0-9-]*[A-Za-z0-9])?");
    let hostname = format!(r"(?:{}\.)*{}", label("[A-Za-z0-9]"), label("[A-Za-z]"));
    let host = format!(r"(?P<host>{hostname}|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+)");
    let login = format!("(?:(?P<user>{user})(?::(?P<password>{user}))?@)?");
    let site = format!("(?P<site>(?:{login}{host}(?::(?P<port>[0-9]*))?)?)");
    // a segment with its params
    let segment = format!("(?:[{unreserved}:@&=+;]|{ESCAPED})");
    let net_path =
        format!(r"//{site}(?:(?P<path1>/(?:{segment}|/)*)(?:\?(?P<query1>{urlc}*))?|(?P<path2>))");
    // the greedy rule of section 4.4: `//` starts no abs_path
    let path = format!("(?P<path3>/?(?:{segment}+(?:/{segment}*)*)?)");
    let generic = format!(r"(?:{net_path}|{path}(?:\?(?P<query2>{urlc}*))?)");
    let opaque = format!("(?P<scheme_specific_part>{urlc}*)");
    anchored(&format!(
        r"(?P<scheme>[A-Za-z0-9+\-.]+):(?:{generic}|{opaque})(?:\#(?P<fragment>{urlc}*))?"
    ))
});

const XALPHA: &str = r"(?:[A-Za-z0-9$\-_@.&!*'():;,]|%[0-9A-Fa-f]{2})";

fn path_1993() -> String {
    format!(r"(?:(?:{XALPHA}|\+)+/)*(?:{XALPHA}|\+)*")
}

fn search_1993() -> String {
    format!(r"(?:\?(?P<search>{XALPHA}+(?:\+{XALPHA}+)*))?")
}

fn fragment_1993() -> String {
    format!(r"(?:\#(?P<fragmentid>{XALPHA}+))?")
}

/// The addresses of url-1993.
static URL_1993: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let (path, search, fragment) = (path_1993(), search_1993(), fragment_1993());
    let number = r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+";
    let hostport = format!("(?P<host>[A-Za-z]{XALPHA}*?|{number})(?::(?P<port>[0-9]+))?");
    let user = format!("(?:(?P<user>{XALPHA}+)@)?");
    [
        format!("(?P<scheme>http)://{hostport}(?:/(?P<path>{path}))?{search}"),
        format!("(?P<scheme>ftp)://{user}{hostport}/(?P<path>{path})"),
        format!("(?P<scheme>afs)://(?P<cellname>[A-Za-z]{XALPHA}*)/(?P<path>{path})"),
        r"(?P<scheme>news):(?P<groupart>\*)".to_owned(),
        format!("(?P<scheme>news):(?P<article>{XALPHA}+@(?P<host>[A-Za-z]{XALPHA}*|{number}))"),
        format!("(?P<scheme>news):(?P<group>[A-Za-z]{XALPHA}*)"),
        format!(
            "(?P<scheme>wais)://{hostport}/(?P<database>{XALPHA}+)/(?P<wtype>{XALPHA}+)/(?P<digits>[0-9]+)/(?P<path>{path})"
        ),
        format!("(?P<scheme>wais)://{hostport}/(?P<database>{XALPHA}+){search}"),
        format!("(?P<scheme>prospero)://{hostport}/(?P<hsoname>{path})"),
        format!("(?P<scheme>telnet|rlogin|tn3270)://{user}{hostport}"),
        format!("(?P<scheme>gopher)://{hostport}(?:/(?P<gtype>{XALPHA})(?P<selector>{path}))?{search}"),
    ]
    .map(|address| anchored(&format!("{address}{fragment}")))
    .into()
});

/// `generic` of url-1993.
static GENERIC_1993: LazyLock<Regex> = LazyLock::new(|| {
    let (path, search, fragment) = (path_1993(), search_1993(), fragment_1993());
    anchored(&format!(r"(?P<scheme>[A-Za-z][A-Za-z0-9+\-.]*):(?P<path>{path}){search}{fragment}"))
});

/// What follows the first `%00` of a Prospero link.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| anchored("[0-9]+[A-Za-z0-9]*(?:%00[A-Za-z0-9]+)*|(?:%00[A-Za-z0-9]+)+"));

static RFC_2141: LazyLock<Regex> = LazyLock::new(|| {
    let char = format!("(?:[A-Za-z0-9()+,\\-.:=@;$_!*']|{ESCAPED})");
    urn("[A-Za-z0-9-]{0,31}", &char)
});

static RFC_2141BIS_01: LazyLock<Regex> = LazyLock::new(|| {
    let pchar = format!("(?:[A-Za-z0-9\\-._~!$&'()*+,;=:@]|{ESCAPED})");
    urn("[A-Za-z0-9-]{1,31}", &pchar)
});

fn urn(nid_rest: &str, char: &str) -> Regex {
    let tail = format!("(?:{char}|[/?])*");
    anchored(&format!(
        r"(?P<scheme>[Uu][Rr][Nn]):(?P<path>(?P<NID>[A-Za-z0-9]{nid_rest}):(?P<NSS>{char}+))(?:\?(?P<query>{tail}))?(?:\#(?P<fragment>{tail}))?"
    ))
}
