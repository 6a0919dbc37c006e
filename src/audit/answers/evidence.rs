//! The recorded answer of a server: [`Evidence`].

use std::fmt;

/// A record of one lookup of a URL. It records what happened, not what that means, so that another
/// run with other settings can judge it without asking again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Evidence {
    /// The requested URL.
    pub url: String,
    /// Time of the answer in seconds since 1970-01-01 UTC.
    pub time: u64,
    /// Redirects, in order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub redirects: Vec<Redirect>,
    /// Status code of the last answer (RFC 9110 section 15).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub status: Option<u16>,
    /// The reason why there was no last answer.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub fault: Option<Fault>,
    /// True if the answer asks to prove that a person sent the request.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_false"))]
    pub challenge: bool,
    /// Names that a fragment of the page can have, if they were read.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub names: Option<Vec<String>>,
    /// Time before which the host wants no further request (RFC 9110 section 10.2.3), in seconds
    /// since 1970-01-01 UTC.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub retry_at: Option<u64>,
    /// An archived copy of a dead page; empty if the archive has no copy.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub archived: Option<String>,
}

#[cfg(feature = "serde")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// One redirect (RFC 9110 section 15.4).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Redirect {
    /// 301, 302, 303, 307, or 308.
    pub status: u16,
    /// The URL that it names, resolved.
    pub to: String,
}

impl Redirect {
    /// Returns a redirect.
    pub fn new(status: u16, to: impl Into<String>) -> Self {
        Self { status, to: to.into() }
    }

    /// True if the server says that the old URL should be replaced.
    pub fn is_permanent(&self) -> bool {
        matches!(self.status, 301 | 308)
    }
}

impl Evidence {
    /// Returns the record of an answer with this status.
    ///
    /// ```
    /// use urigrep::audit::Evidence;
    /// assert_eq!(Evidence::status("https://a.example/", 404).to_string(), "the server answers 404");
    /// ```
    pub fn status(url: impl Into<String>, status: u16) -> Self {
        Self { url: url.into(), status: Some(status), ..Self::default() }
    }

    /// Returns the record of a lookup without an answer.
    pub fn fault(url: impl Into<String>, fault: Fault) -> Self {
        Self { url: url.into(), fault: Some(fault), ..Self::default() }
    }

    /// Returns the URL of the last answer.
    pub fn last_url(&self) -> &str {
        self.redirects.last().map_or(&self.url, |redirect| &redirect.to)
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.fault, self.status) {
            (Some(fault), _) => fault.fmt(f),
            (None, Some(status)) => {
                write!(f, "the server answers {status}{}", status_name(status))
            }
            (None, None) => f.write_str("it was not asked"),
        }
    }
}

/// Returns the name of a status code, after a space, if readers may not know it by heart.
fn status_name(status: u16) -> &'static str {
    match status {
        401 => " (unauthorized)",
        403 => " (forbidden)",
        410 => " (gone)",
        429 => " (too many requests)",
        503 => " (service unavailable)",
        _ => "",
    }
}

/// Declares [`Fault`] with its names and messages.
macro_rules! faults {
    ($($(#[$meta:meta])* $Fault:ident = $name:literal, $message:literal;)+) => {
        /// The reason why a request got no answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Fault {
            $($(#[$meta])* #[cfg_attr(feature = "serde", serde(rename = $name))] $Fault,)+
        }

        impl Fault {
            /// Returns its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$Fault => $name,)+ }
            }
        }

        impl fmt::Display for Fault {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$Fault => $message,)+ })
            }
        }
    };
}

faults! {
    /// The host name does not exist (RFC 1035 section 4.1.1, RFC 8020).
    NoHost = "no-host", "the host does not exist";
    /// The domain takes no mail (RFC 7505).
    NoMail = "no-mail", "the domain takes no mail";
    /// The name server did not answer, or has no address for the host.
    NameServer = "name-server", "the host name could not be resolved";
    /// The address is private and not allowed.
    Private = "private", "the address is private, so it was not requested";
    /// Nothing accepts connections.
    Refused = "refused", "the connection was refused";
    /// The connection ended early.
    Reset = "reset", "the connection was closed early";
    /// No answer in time.
    Timeout = "timeout", "the server did not answer in time";
    /// The certificate has expired or is not yet valid.
    CertificateExpired = "certificate-expired", "the certificate has expired or is not yet valid";
    /// The certificate is for other names.
    CertificateName = "certificate-name", "the certificate is for another host";
    /// No trusted authority signed the certificate.
    CertificateIssuer = "certificate-issuer", "no known authority has signed the certificate";
    /// The certificate is invalid in another way.
    Certificate = "certificate", "the certificate is invalid";
    /// The TLS handshake failed (RFC 8446 section 6).
    Tls = "tls", "no secure connection could be established";
    /// The answer is not HTTP.
    Protocol = "protocol", "the answer is not valid HTTP";
    /// The header is too long.
    TooLong = "too-long", "the header of the answer is too long";
    /// Too many redirects.
    RedirectLoop = "redirect-loop", "the redirects do not end";
    /// A redirect to a URI that is not `http` or `https`.
    RedirectScheme = "redirect-scheme", "it redirects to a URI that is not of the web";
    /// The proxy failed.
    Proxy = "proxy", "the proxy could not be used";
    /// Any other reason.
    Other = "other", "the request failed";
}

impl Fault {
    /// True if a server answered, though not as servers should. Such an answer is evidence about
    /// the URL, where other faults only say that the network failed.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Protocol | Self::TooLong | Self::RedirectLoop | Self::RedirectScheme)
    }

    /// True if another attempt may succeed.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            Self::NameServer
                | Self::Refused
                | Self::Reset
                | Self::Timeout
                | Self::Protocol
                | Self::Proxy
                | Self::Other
        )
    }
}
