//! Rules of schemes for normalization (RFC 3986 §6.2.3), and the query parameters that only track.
//!
//! A scheme is listed only if its own document defines which spellings are the same. URIs of any
//! other scheme stay unchanged.

/// The family of a scheme, which determines the parts of a URI that have several spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Unknown,
    /// The generic syntax with a host: an empty path is `/`, and this port is the default. RFC 3986
    /// §6.2.3 defines this "in general".
    Host(&'static str),
    /// RFC 8089 §2: `localhost` equals an absent host, and `file:/x` equals `file:///x`.
    File,
    /// RFC 6068 §2: domains and names of header fields are case-insensitive.
    Mailto,
    /// ISO 26324: ASCII letters of a DOI name are case-insensitive.
    Doi,
    /// RFC 8141 §3.1: the NID is case-insensitive, and percent triplets are never decoded.
    Urn,
}

impl Family {
    pub(super) fn for_scheme(scheme: &str) -> Self {
        match scheme {
            "file" => Self::File,
            "mailto" => Self::Mailto,
            "doi" => Self::Doi,
            "urn" => Self::Urn,
            _ => PORTS
                .binary_search_by_key(&scheme, |(name, _)| name)
                .ok()
                .and_then(|at| PORTS.get(at))
                .map_or(Self::Unknown, |(_, port)| Self::Host(port)),
        }
    }
}

/// Returns the default port of a scheme, which must be in lower case (RFC 3986 §3.2.3).
///
/// ```
/// assert_eq!(urigrep::reference::default_port("https"), Some("443"));
/// ```
pub fn default_port(scheme: &str) -> Option<&'static str> {
    match Family::for_scheme(scheme) {
        Family::Host(port) => Some(port),
        _ => None,
    }
}

/// Default ports of the schemes whose document defines one for the authority and treats an empty
/// path as `/`, sorted by name.
const PORTS: [(&str, &str); 20] = [
    ("coap", "5683"),  // RFC 7252 §6.1, §6.3
    ("coaps", "5684"), // RFC 7252 §6.2, §6.3
    ("dict", "2628"),  // RFC 2229
    ("ftp", "21"),     // RFC 1738 §3.2
    ("gopher", "70"),  // RFC 4266 §2.1
    ("http", "80"),    // RFC 9110 §4.2.1, §4.2.3
    ("https", "443"),  // RFC 9110 §4.2.2, §4.2.3
    ("icap", "1344"),  // RFC 3507
    ("imap", "143"),   // RFC 5092
    ("ipp", "631"),    // RFC 3510
    ("ipps", "631"),   // RFC 7472
    ("ldap", "389"),   // RFC 4516 §2
    ("nfs", "2049"),   // RFC 2224
    ("nntp", "119"),   // RFC 5538
    ("rtsp", "554"),   // RFC 7826 §4.2
    ("rtsps", "322"),  // RFC 7826 §4.2
    ("telnet", "23"),  // RFC 4248
    ("tn3270", "23"),  // RFC 6270
    ("ws", "80"),      // RFC 6455 §3
    ("wss", "443"),    // RFC 6455 §3
];

/// True if the NSS of a namespace, whose NID must be in lower case, is case-insensitive.
pub(super) fn nss_has_no_case(nid: &str) -> bool {
    // RFC 9562 §4: the hexadecimal digits of a UUID are compared without case.
    nid == "uuid"
}

/// True for a query parameter that only tracks where a visitor came from.
pub(super) fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || TRACKING.binary_search(&name.as_str()).is_ok()
}

/// Such parameters besides `utm_*` (Google Analytics, Urchin), by the service that adds them;
/// sorted.
const TRACKING: [&str; 19] = [
    "_hsenc",    // HubSpot
    "_hsmi",     // HubSpot
    "dclid",     // Google Display
    "fbclid",    // Facebook
    "gbraid",    // Google Ads
    "gclid",     // Google Ads
    "gclsrc",    // Google Ads
    "igsh",      // Instagram
    "igshid",    // Instagram
    "li_fat_id", // LinkedIn
    "mc_cid",    // Mailchimp
    "mc_eid",    // Mailchimp
    "mkt_tok",   // Marketo
    "msclkid",   // Microsoft
    "ttclid",    // TikTok
    "twclid",    // Twitter
    "wbraid",    // Google Ads
    "yclid",     // Yandex
    "ysclid",    // Yandex
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(PORTS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(TRACKING.is_sorted_by(|a, b| a < b));
        for (scheme, port) in PORTS {
            assert_eq!(Family::for_scheme(scheme), Family::Host(port));
            // In the form in which the text of a port is compared.
            assert_eq!(port.parse::<u16>().unwrap().to_string(), port);
        }
        for name in TRACKING {
            assert!(is_tracking(name) && is_tracking(&name.to_uppercase()));
        }
        assert!(is_tracking("utm_anything") && !is_tracking("utm") && !is_tracking("id"));
    }
}
