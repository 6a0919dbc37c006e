//! Host names to addresses: [`Resolve`].

use std::fmt;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};

use crate::audit::Fault;

/// Resolves host names.
pub trait Resolve: fmt::Debug + Send + Sync {
    /// Returns the addresses of a host. It may block.
    ///
    /// # Errors
    /// [`Fault::NoHost`] if the host does not exist, or [`Fault::NameServer`] if that is unknown.
    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Fault>;
}

/// The resolver of the system, with its hosts file and its name servers.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Fault> {
        let addresses = (host, 0).to_socket_addrs().map_err(|error| fault(&error))?;
        Ok(addresses.map(|address| address.ip()).collect())
    }
}

/// Error messages of `getaddrinfo` for a name that does not exist: glibc, musl, macOS and the BSDs.
// The standard library returns no code for these errors. Its messages are those of `gai_strerror`,
// which are in English because no Rust program sets a locale. An unknown message is a failure of
// the name server, so that no link is called dead because of a translation.
const NO_SUCH_NAME: [&str; 3] = [
    "Name or service not known",
    "Name does not resolve",
    "nodename nor servname provided, or not known",
];

/// `WSAHOST_NOT_FOUND` of Windows.
const HOST_NOT_FOUND: i32 = 11001;

fn fault(error: &io::Error) -> Fault {
    let message = error.to_string();
    let is_unknown = error.raw_os_error() == Some(HOST_NOT_FOUND)
        || NO_SUCH_NAME.iter().any(|known| message.contains(known));
    if is_unknown { Fault::NoHost } else { Fault::NameServer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missing_name_is_no_host() {
        let of = |message: &str| fault(&io::Error::other(message.to_owned()));
        let prefix = "failed to lookup address information: ";
        assert_eq!(of(&format!("{prefix}Name or service not known")), Fault::NoHost);
        for other in ["Temporary failure in name resolution", "No address associated with hostname"]
        {
            assert_eq!(of(&format!("{prefix}{other}")), Fault::NameServer);
        }
    }

    #[test]
    fn the_system_reads_every_form_of_an_address() {
        // This is why addresses are checked after resolution, not in the text of a URL.
        for form in ["127.0.0.1", "localhost"] {
            let addresses = SystemResolver.resolve(form).unwrap();
            assert!(addresses.iter().all(IpAddr::is_loopback), "{form}");
        }
    }
}
