//! One HTTP request: [`Fetch`], which a program may implement with its own client.

use std::time::Duration;

use super::bodies::Room;
use crate::audit::Fault;

/// Sends one HTTP request and returns the answer.
///
/// It must not follow redirects, keep cookies, or send credentials of its own: the caller does
/// that, with its limits. [`HttpClient`](super::HttpClient) is the implementation of the command.
///
/// ```
/// use urigrep::audit::Fault;
/// use urigrep::audit::remote::{Fetch, FetchRequest, FetchResponse};
/// struct Nothing;
/// impl Fetch for Nothing {
///     fn fetch(&self, request: &FetchRequest) -> Result<FetchResponse, Fault> {
///         if request.url.starts_with("https://a.example/") {
///             return Ok(FetchResponse::new(404));
///         }
///         Err(Fault::NoHost)
///     }
/// }
/// ```
pub trait Fetch: Send + Sync {
    /// Sends a request. Called from several threads at once; it may block, but no longer than
    /// [`FetchRequest::timeout`].
    ///
    /// # Errors
    /// If there is no answer.
    fn fetch(&self, request: &FetchRequest) -> Result<FetchResponse, Fault>;

    /// Asks the name servers whether a domain takes mail (RFC 5321 section 5.1).
    ///
    /// # Errors
    /// [`Fault::NoHost`] or [`Fault::NoMail`] if it does not; other faults if that is unknown, as
    /// by default.
    fn mail(&self, domain: &str, timeout: Duration) -> Result<(), Fault> {
        let _ = (domain, timeout);
        Err(Fault::Other)
    }

    /// True if host names can be resolved at all. Asked once, before the first host is called
    /// missing: without a network, some name servers answer that no host exists.
    fn can_resolve(&self) -> bool {
        true
    }
}

/// An HTTP request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchRequest {
    /// The method.
    pub method: FetchMethod,
    /// An `http` or `https` URL without userinfo and fragment.
    pub url: String,
    /// Header fields. The name of the program is not among them.
    pub headers: Vec<(String, String)>,
    /// The most bytes of the decoded body to return.
    pub max_body: usize,
    /// Time for the whole request.
    pub timeout: Duration,
}

/// Methods that change nothing (RFC 9110 section 9.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchMethod {
    /// The header of the answer only.
    Head,
    /// The header and the body.
    Get,
}

/// An answer to a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchResponse {
    /// Status code.
    pub status: u16,
    /// Header fields, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The decoded body, at most as long as requested.
    pub body: Vec<u8>,
    /// True if the body is longer than requested, or ends early.
    pub is_cut: bool,
    /// Bytes of the body that were read, also if it was dropped.
    pub(super) body_bytes: u64,
    /// The memory that the body takes from the budget of all bodies.
    pub(super) room: Room,
    /// Time of arrival in seconds since 1970-01-01 UTC. The caller of [`Fetch`] sets it.
    pub(super) received: Option<u64>,
}

impl FetchResponse {
    /// Returns an answer without header fields and body.
    pub fn new(status: u16) -> Self {
        Self { status, ..Self::default() }
    }

    /// Adds a header field.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        // Names of fields ignore case (RFC 9110 section 5.1), and `field` compares bytes.
        self.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// Returns the first value of a header field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.headers.iter();
        fields.find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}
