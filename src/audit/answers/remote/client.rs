//! The HTTP client of the command: [`HttpClient`].

use std::io::{self, Read};
use std::net::{IpAddr, SocketAddr};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use flate2::read::MultiGzDecoder;
use ureq::config::Config;
use ureq::http::{Request, Uri};
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Proxy};

use super::address::is_private;
use super::bodies::BodyBudget;
use super::fetch::{Fetch, FetchMethod, FetchRequest, FetchResponse};
use super::mx::{MailHosts, mail_hosts, name_servers};
use super::page;
use super::resolve::{Resolve, SystemResolver};
use crate::audit::Fault;
use crate::setters::setters;

/// Longest header of an answer. Servers of the web send a few kibibytes.
const MAX_HEADER_BYTES: usize = 64 << 10;

/// Idle connections that are kept open for the next request.
const MAX_IDLE: usize = 64;

const USER_AGENT: &str = concat!("urigrep/", env!("CARGO_PKG_VERSION"), " (link checker)");

/// Time to look up a name that a proxy will resolve.
const PROXIED_NAME_TIMEOUT: Duration = Duration::from_secs(5);

/// The variables that name proxies. Programs disagree about their case.
const PROXY_VARIABLES: [&str; 6] =
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/// Addresses of one host that are tried.
const MAX_ADDRESSES: usize = 8;

/// An HTTP/1.1 client with TLS, which resolves names itself and connects only to addresses that it
/// has checked. So a name that resolves to a public address first and to a private one later
/// reaches nothing (DNS rebinding).
pub struct HttpClient {
    settings: HttpClientBuilder,
    /// Built by the first request: loading the certificates of the system takes milliseconds.
    agent: OnceLock<Agent>,
    bodies: Arc<BodyBudget>,
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").finish_non_exhaustive()
    }
}

/// Addresses that a client may connect to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those of the public internet.
    #[default]
    Public,
    /// Those of this machine and its networks, too.
    Everything,
}

impl Reach {
    /// True unless a host is out of reach by its text alone: it is a private address, or
    /// `localhost` (RFC 6761 section 6.3). Other names have addresses that only a request finds.
    ///
    /// ```
    /// use urigrep::audit::remote::Reach;
    /// assert!(Reach::Public.may_contact("a.example") && !Reach::Public.may_contact("192.168.0.1"));
    /// assert!(Reach::Everything.may_contact("localhost"));
    /// ```
    pub fn may_contact(self, host: &str) -> bool {
        let host = host.trim_matches(['[', ']']);
        self == Self::Everything
            || match host.parse() {
                Ok(address) => !is_private(address),
                Err(_) => {
                    let name = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
                    !name.eq_ignore_ascii_case("localhost")
                }
            }
    }
}

/// Builder of an [`HttpClient`].
#[derive(Clone, Debug)]
pub struct HttpClientBuilder {
    reach: Reach,
    proxy: Option<Proxy>,
    /// The variable of the environment whose value is not the address of a proxy.
    invalid_proxy: Option<&'static str>,
    resolver: Arc<dyn Resolve>,
    certificates: Vec<Vec<u8>>,
}

impl Default for HttpClientBuilder {
    fn default() -> Self {
        Self {
            reach: Reach::Public,
            proxy: None,
            invalid_proxy: None,
            resolver: Arc::new(SystemResolver),
            certificates: Vec::new(),
        }
    }
}

impl HttpClientBuilder {
    setters! {
        /// Addresses that it may connect to; public ones by default.
        reach: Reach => reach;
        /// Resolves host names; the system by default.
        resolver: Arc<dyn Resolve> => resolver;
        /// Certificates of authorities to trust besides those of the system, in DER.
        certificates: Vec<Vec<u8>> => certificates;
    }

    /// Uses the proxies that the environment names: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, and
    /// `NO_PROXY`. A proxy resolves host names itself. Names that resolve to a private address on
    /// this machine are not requested, but the addresses that the proxy finds are not known.
    #[must_use]
    pub fn proxy_from_environment(self) -> Self {
        let is_invalid = |name: &&&str| {
            let value = std::env::var(**name).unwrap_or_default();
            !value.is_empty() && Proxy::new(&value).is_err()
        };
        let invalid_proxy = PROXY_VARIABLES.iter().find(is_invalid).copied();
        Self { proxy: Proxy::try_from_env(), invalid_proxy, ..self }
    }

    /// Returns the variable of the environment whose value is not the address of a proxy. Requests
    /// would go out without that proxy, which may not be what its owner wants.
    pub fn invalid_proxy(&self) -> Option<&'static str> {
        self.invalid_proxy
    }

    /// Builds the client.
    #[must_use]
    pub fn build(self) -> HttpClient {
        HttpClient { settings: self, agent: OnceLock::new(), bodies: Arc::default() }
    }
}

impl HttpClient {
    /// Returns a builder.
    ///
    /// ```
    /// use urigrep::audit::remote::{HttpClient, Reach};
    /// let client = HttpClient::builder().reach(Reach::Everything).build();
    /// ```
    pub fn builder() -> HttpClientBuilder {
        HttpClientBuilder::default()
    }

    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| {
            let proxy = self.settings.proxy.clone();
            let config = Config::builder()
                .http_status_as_error(false)
                .max_redirects(0)
                .max_redirects_will_error(false)
                .max_response_header_size(MAX_HEADER_BYTES)
                .max_idle_connections(MAX_IDLE)
                .max_idle_connections_per_host(2)
                .user_agent(USER_AGENT)
                .proxy(proxy)
                .tls_config(tls(&self.settings.certificates))
                .build();
            Agent::with_parts(config, DefaultConnector::default(), self.resolver())
        })
    }

    fn resolver(&self) -> CheckedResolver {
        let proxy = self.settings.proxy.as_ref();
        CheckedResolver {
            reach: self.settings.reach,
            inner: Arc::clone(&self.settings.resolver),
            proxy: proxy.map(|proxy| proxy.host().to_owned()),
        }
    }

    /// Returns the reason why a request failed. Behind a proxy, this machine connects to the proxy
    /// and to nothing else, so a refused connection and a missing host are those of the proxy.
    fn fault(&self, error: &ureq::Error, url: &str) -> Fault {
        let fault = fault(error);
        let is_connection = matches!(fault, Fault::Refused | Fault::NoHost | Fault::NameServer);
        let is_proxied = || {
            let proxy = self.settings.proxy.as_ref();
            let uri = url.parse::<Uri>().ok();
            proxy.zip(uri).is_some_and(|(proxy, uri)| !proxy.is_no_proxy(&uri))
        };
        if is_connection && is_proxied() { Fault::Proxy } else { fault }
    }

    /// Refuses a request that a proxy would send into a private network, as far as this machine
    /// knows.
    fn check_proxied(&self, request: &FetchRequest) -> Result<(), Fault> {
        if self.settings.proxy.is_none() || self.settings.reach == Reach::Everything {
            return Ok(());
        }
        let host = page::host(&request.url);
        let host = host.trim_matches(['[', ']']);
        let timeout = request.timeout.min(PROXIED_NAME_TIMEOUT);
        match self.resolver().addresses(host, timeout) {
            Ok(addresses) if addresses.iter().any(|address| is_private(*address)) => {
                Err(Fault::Private)
            }
            // Behind a proxy, only the proxy may know names.
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// Returns the certificates of the system and the cryptography for them.
fn tls(others: &[Vec<u8>]) -> TlsConfig {
    let system = rustls_native_certs::load_native_certs();
    let all = system.certs.iter().map(AsRef::as_ref).chain(others.iter().map(Vec::as_slice));
    let certificates = all.map(|der| Certificate::from_der(der).to_owned());
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::from(certificates.collect::<Vec<_>>()))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

impl Fetch for HttpClient {
    fn fetch(&self, request: &FetchRequest) -> Result<FetchResponse, Fault> {
        let deadline = Instant::now() + request.timeout;
        self.check_proxied(request)?;
        let method = match request.method {
            FetchMethod::Head => "HEAD",
            FetchMethod::Get => "GET",
        };
        let mut builder = Request::builder().method(method).uri(&request.url);
        if request.max_body > 0 {
            builder = builder.header("Accept-Encoding", "gzip");
        }
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let http = builder.body(()).map_err(|_| Fault::Other)?;
        let agent = self.agent();
        let http = agent.configure_request(http).timeout_global(Some(request.timeout)).build();
        let answer = agent.run(http).map_err(|error| self.fault(&error, &request.url))?;
        let mut response = FetchResponse::new(answer.status().as_u16());
        for (name, value) in answer.headers() {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            response.headers.push((name.as_str().to_owned(), value));
        }
        if request.max_body > 0 {
            let reader = answer.into_body().into_reader();
            let reader: Option<Box<dyn Read>> = match response.field("content-encoding") {
                Some("gzip" | "x-gzip") => Some(Box::new(MultiGzDecoder::new(reader))),
                Some("identity") | None => Some(Box::new(reader)),
                // Not asked for, so its bytes mean nothing.
                Some(_) => None,
            };
            response.is_cut = reader.is_none();
            if let Some(reader) = reader {
                let body = self.bodies.read(reader, request.max_body, deadline);
                (response.body, response.is_cut) = (body.bytes, body.is_cut);
                (response.body_bytes, response.room) = (body.read, body.room);
            }
        }
        // A body that is not read to its end closes the connection when it is dropped.
        Ok(response)
    }

    fn mail(&self, domain: &str, timeout: Duration) -> Result<(), Fault> {
        match mail_hosts(domain, &name_servers(), timeout)? {
            MailHosts::Some => Ok(()),
            MailHosts::None => self.settings.resolver.resolve(domain).map(|_| ()),
            MailHosts::Refused => Err(Fault::NoMail),
        }
    }

    fn can_resolve(&self) -> bool {
        // IANA keeps this name, which is reserved for documentation (RFC 2606 section 3).
        self.settings.resolver.resolve("example.com").is_ok()
    }
}

fn fault(error: &ureq::Error) -> Fault {
    match error {
        ureq::Error::Timeout(_) => Fault::Timeout,
        ureq::Error::HostNotFound => Fault::NoHost,
        ureq::Error::Io(error) => io_fault(error),
        ureq::Error::Rustls(error) => tls_fault(error),
        ureq::Error::Tls(_) | ureq::Error::TlsRequired => Fault::Tls,
        ureq::Error::LargeResponseHeader(..) => Fault::TooLong,
        // Its type is private to the client. Whether the number of fields or their size is noticed
        // first depends on the packets.
        ureq::Error::Protocol(error) if error.to_string().ends_with("too many headers") => {
            Fault::TooLong
        }
        ureq::Error::Protocol(_) => Fault::Protocol,
        ureq::Error::ConnectionFailed => Fault::Refused,
        ureq::Error::ConnectProxyFailed(_) | ureq::Error::InvalidProxyUrl => Fault::Proxy,
        ureq::Error::Other(error) => {
            error.downcast_ref::<Unresolved>().map_or(Fault::Other, |unresolved| unresolved.0)
        }
        _ => Fault::Other,
    }
}

fn io_fault(error: &io::Error) -> Fault {
    // A handshake fails while its bytes are exchanged, so its error is inside of that of the
    // connection.
    if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        return tls_fault(inner);
    }
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Fault::Timeout,
        io::ErrorKind::ConnectionRefused
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::AddrNotAvailable => Fault::Refused,
        io::ErrorKind::InvalidData => Fault::Protocol,
        _ => Fault::Reset,
    }
}

fn tls_fault(error: &rustls::Error) -> Fault {
    use rustls::CertificateError as Problem;
    let rustls::Error::InvalidCertificate(problem) = error else { return Fault::Tls };
    match problem {
        Problem::Expired
        | Problem::ExpiredContext { .. }
        | Problem::NotValidYet
        | Problem::NotValidYetContext { .. } => Fault::CertificateExpired,
        Problem::NotValidForName | Problem::NotValidForNameContext { .. } => Fault::CertificateName,
        Problem::UnknownIssuer => Fault::CertificateIssuer,
        _ => Fault::Certificate,
    }
}

/// An error of the resolver, passed through the client.
#[derive(Debug)]
struct Unresolved(Fault);

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Unresolved {}

fn unresolved(fault: Fault) -> ureq::Error {
    ureq::Error::Other(Box::new(Unresolved(fault)))
}

/// Resolves names to addresses that may be contacted.
#[derive(Debug)]
struct CheckedResolver {
    reach: Reach,
    inner: Arc<dyn Resolve>,
    /// The host of the proxy, which the user has chosen, so it may be private.
    proxy: Option<String>,
}

impl Resolver for CheckedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        _config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default();
        let port =
            uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
        let addresses = self.addresses(host.trim_matches(['[', ']']), *timeout.after)?;
        let is_proxy = self.proxy.as_deref() == Some(host);
        let may_contact =
            |address: &IpAddr| is_proxy || self.reach == Reach::Everything || !is_private(*address);
        let allowed: Vec<_> = addresses.iter().copied().filter(may_contact).collect();
        match (addresses.is_empty(), allowed.is_empty()) {
            (true, _) => return Err(unresolved(Fault::NameServer)),
            (false, true) => return Err(unresolved(Fault::Private)),
            (false, false) => {}
        }
        let mut checked = self.empty();
        for address in allowed.into_iter().take(MAX_ADDRESSES) {
            checked.push(SocketAddr::new(address, port));
        }
        Ok(checked)
    }
}

impl CheckedResolver {
    fn addresses(&self, host: &str, timeout: Duration) -> Result<Vec<IpAddr>, ureq::Error> {
        if let Ok(address) = host.parse() {
            return Ok(vec![address]);
        }
        // No name server needs to know these names (RFC 6761 section 6.3), and some answer them.
        if host == "localhost" || host.ends_with(".localhost") {
            return Ok(vec![IpAddr::from([127, 0, 0, 1])]);
        }
        // A lookup by the system can't be cancelled, so it runs in a thread that may outlive this
        // request.
        let (sender, receiver) = mpsc::sync_channel(1);
        let (inner, name) = (Arc::clone(&self.inner), host.to_owned());
        let started = thread::Builder::new().spawn(move || sender.send(inner.resolve(&name)));
        if started.is_err() {
            return Err(unresolved(Fault::NameServer));
        }
        match receiver.recv_timeout(timeout) {
            Ok(answer) => answer.map_err(unresolved),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                Err(unresolved(Fault::NameServer))
            }
        }
    }
}
