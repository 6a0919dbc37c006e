//! Fetches tide tables over HTTP.
//!
//! The service is documented at <https://docs.tides.example/>; the wire format is
//! [CBOR](https://www.rfc-editor.org/rfc/rfc8949.html#name-core-deterministic-encoding),
//! in short: see [`Table::decode`]. A longer text is in <https://docs.tides.example/book/
//! format/cbor.html>.
//!
//! [`Table::decode`]: crate::table::Table::decode
//! [chart datum]: https://en.wikipedia.example/wiki/Chart_datum
#![doc(html_root_url = "https://docs.example/tidewater/1.4.0")]
#![doc(html_logo_url = "https://tidewater.example/logo.svg")]

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use crate::table::{self, Table};

/// Where the service lives.
pub const ENDPOINT: &str = "https://api.tides.example/v2";
/// What it lived under before 2021 (http://tides.example.org:8080/api/).
const OLD: [&str; 2] = ["http://tides.example.org:8080/api/", "http://[::1]:8080/api/"];

/// A client.
///
/// ```
/// use tidewater::Client;
/// let client = Client::new("https://api.tides.example/v2")?;
/// assert_eq!(client.url("heights"), "https://api.tides.example/v2/heights");
/// # Ok::<(), tidewater::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Client<'a> {
    base: &'a str,
    headers: HashMap<String, String>,
}

impl<'a> Client<'a> {
    /// Makes a client; `base` must start with `http://` or `https://`.
    ///
    /// # Errors
    /// [`Error::Scheme`] for anything else, such as `ftp://tides.example/` or `mailto:`.
    pub fn new(base: &'a str) -> Result<Self, Error> {
        let rest = base
            .strip_prefix("https://")
            .or_else(|| base.strip_prefix("http://"))
            .ok_or(Error::Scheme)?;
        if rest.is_empty() {
            return Err(Error::Host { at: base.len() });
        }
        Ok(Self { base, headers: HashMap::new() })
    }

    /// The URL of `part`, as https://api.tides.example/v2/{part}.
    pub fn url(&self, part: &str) -> String {
        format!("{}/{part}", self.base)
    }

    fn local(port: u16, addr: IpAddr) -> String {
        let socket = SocketAddr::new(addr, port);
        format!("http://{socket}/") // or "http://localhost:{port}/"
    }

    fn pattern() -> &'static str {
        // Taken from https://regex.example/r/aB3/1, but without the `$`.
        r"^(?:https?|ftp)://[^\s/$.?#].[^\s]*"
    }

    fn domain() -> regex::Regex {
        regex::Regex::new(r"https://api\.tides\.example/v\d+").unwrap()
    }

    fn check(&self) -> bool {
        let map: HashMap<&str, u8> = [("a:b", 1), ("x://y", 2)].into_iter().collect();
        let ratio = if map.len() > 1 { 16. } else { 9. };
        matches!(self.base, x if x.contains("://") && ratio > 1.0)
    }
}

/// What can go wrong. Codes are listed [here](https://docs.tides.example/errors#codes).
#[derive(Debug, PartialEq)]
pub enum Error {
    /// Not HTTP: see https://docs.tides.example/errors#scheme.
    Scheme,
    /// No host after `//`: see [RFC 3986, 3.2.2].
    ///
    /// [RFC 3986, 3.2.2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
    Host {
        /// Where.
        at: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins() {
        let client = Client::new("https://a.example").unwrap();
        assert_eq!(client.url("x?y=z#w"), "https://a.example/x?y=z#w");
        for bad in ["", "a:b", "ftp://", "wibble://a.example", "//a.example", "https:/a.example"] {
            assert!(Client::new(bad).is_err(), "{bad}: accepted\nhttps://docs.tides.example/errors");
        }
        let _ = (table::VERSION, b"http://a.example/bytes\0", '\u{2014}', OLD);
    }
}
