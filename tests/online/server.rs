//! A web server of threads. The path of a URL says how it behaves.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use urigrep::Uri;
use urigrep::audit::remote::{HttpClient, HttpClientBuilder, Reach, Resolve};
use urigrep::audit::{Fault, UrlLink};

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    pub host: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub at: Instant,
}

impl Request {
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.headers.iter();
        fields.find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Request>>>);

/// A running server; its threads end with the process.
pub struct Server {
    pub port: u16,
    log: Log,
}

/// How connections are encrypted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    Valid,
    Expired,
    /// It answers a handshake by text.
    Broken,
    /// It speaks HTTP/2, too.
    Http2Too,
    /// It speaks HTTP/2 only, whatever the client speaks.
    Http2Only,
    /// It answers a handshake after this time.
    Slow(Duration),
}

impl Server {
    pub fn start() -> Self {
        // Before a request waits for it.
        bomb();
        Self::with(|log, stream| serve(&mut Plain(stream), &log))
    }

    pub fn start_tls(tls: Tls) -> Self {
        let certificate: &[u8] = match tls {
            Tls::Expired => include_bytes!("certificates/expired.der"),
            _ => include_bytes!("certificates/valid.der"),
        };
        let key =
            rustls::pki_types::PrivateKeyDer::try_from(&include_bytes!("certificates/key.der")[..]);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.to_vec().into()], key.unwrap())
            .unwrap();
        if tls == Tls::Http2Too {
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        }
        let config = Arc::new(config);
        Self::with(move |log, mut stream| {
            if tls == Tls::Broken {
                stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")?;
                return close(&mut stream);
            }
            if let Tls::Slow(pause) = tls {
                thread::sleep(pause);
            }
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(connection, stream);
            if tls == Tls::Http2Only {
                // An empty frame of settings (RFC 9113 section 3.4).
                stream.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0])?;
                return close(&mut stream.sock);
            }
            serve(&mut Plain(stream), &log)
        })
    }

    /// Listens on all addresses, so that 127.0.0.2 and the like are other hosts.
    pub fn start_everywhere() -> Self {
        bomb();
        Self::at(Ipv4Addr::UNSPECIFIED, |log, stream| serve(&mut Plain(stream), &log))
    }

    fn with(serve: impl Fn(Log, TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self::at(Ipv4Addr::LOCALHOST, serve)
    }

    fn at(
        address: Ipv4Addr,
        serve: impl Fn(Log, TcpStream) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let (log, serve) = (Log::default(), Arc::new(serve));
        let own = log.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, serve) = (own.clone(), Arc::clone(&serve));
                let thread = thread::Builder::new().stack_size(1 << 19);
                // A client that goes away is none of our errors.
                thread.spawn(move || drop(serve(log, stream))).unwrap();
            }
        });
        Self { port, log }
    }

    pub fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.port)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.log.0.lock().unwrap().clone()
    }
}

/// Closes a connection after what the client writes has been read. Otherwise the kernel resets it,
/// and the client may never see the answer.
fn close(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    io::copy(stream, &mut io::sink())?;
    Ok(())
}

struct Plain<S>(S);

fn serve<S: Read + Write>(stream: &mut Plain<S>, log: &Log) -> io::Result<()> {
    let mut buffer = Vec::new();
    while let Some(request) = read_request(&mut stream.0, &mut buffer)? {
        let before = {
            let mut log = log.0.lock().unwrap();
            let same = |it: &&Request| it.host == request.host && it.path == request.path;
            let before = log.iter().filter(same).count();
            log.push(request.clone());
            before
        };
        if !answer(&mut stream.0, &request, before)? {
            return Ok(());
        }
    }
    Ok(())
}

fn read_request(stream: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<Option<Request>> {
    let end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk)? {
            0 => return Ok(None),
            count => buffer.extend_from_slice(&chunk[..count]),
        }
    };
    let head = String::from_utf8_lossy(&buffer[..end]).into_owned();
    buffer.drain(..end + 4);
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (method, path) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let host = headers.iter().find(|(name, _)| name == "host").map(|(_, host)| host.as_str());
    let host = host.unwrap_or_default().split(':').next().unwrap_or_default().to_owned();
    let (method, path) = (method.to_owned(), path.to_owned());
    Ok(Some(Request { method, host, path, headers, at: Instant::now() }))
}

pub const PAGE: &str = "<!doctype html><h1 id=install>Install</h1><a name=use></a>";

/// A file as GitHub shows it: its headings are in a string for the script.
const GITHUB_BLOB: &str = r##"<!doctype html><title>a/README.md at main</title><main id="js-repo">
<script type="application/json" data-target="react-app.embeddedData">{"payload":{"blob":{"richText":
"<h1>A</h1><a id=\"user-content-usage\" class=\"anchor\" href=\"#usage\"></a>"}}}</script>"##;

/// A file as GitLab shows it: a script fetches the text with its headings and lines.
const GITLAB_BLOB: &str = r#"<!doctype html><html><head><meta content="GitLab" property="og:site_name">
<title>README.md - a / b - GitLab</title></head><body><div id="js-view-blob-app"
data-blob-path="README.md" data-project-path="a/b"></div><div id="fileHolder"></div></body></html>"#;

/// Answers a request; false ends the connection.
fn answer(stream: &mut impl Write, request: &Request, before: usize) -> io::Result<bool> {
    let kind = request.path.split(['/', '?']).nth(1).unwrap_or_default();
    let is_head = request.method == "HEAD";
    // As a proxy, it is at the other end of the tunnel, too.
    if request.method == "CONNECT" {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
        return Ok(true);
    }
    let mut send = |status: &str, headers: &str, body: &[u8]| -> io::Result<bool> {
        let length = body.len();
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n")?;
        if !is_head {
            stream.write_all(body)?;
        }
        stream.flush()?;
        Ok(true)
    };
    let html = "Content-Type: text/html\r\n";
    match kind {
        "" | "ok" | "login" => send("200 OK", html, b"<p>"),
        "page" => send("200 OK", html, PAGE.as_bytes()),
        "github" => send("200 OK", html, GITHUB_BLOB.as_bytes()),
        "gitlab" => send("200 OK", html, GITLAB_BLOB.as_bytes()),
        "script" => send("200 OK", html, b"<script src=a.js></script>"),
        "status" => {
            let status = request.path.split('/').nth(2).unwrap_or_default();
            send(&format!("{status} Some"), "", b"")
        }
        "slow" => {
            thread::sleep(Duration::from_millis(300));
            send("200 OK", html, b"")
        }
        "hang" => {
            thread::sleep(Duration::from_secs(20));
            Ok(false)
        }
        "reset" => Ok(false),
        "no-head" if is_head => send("405 Method Not Allowed", "", b""),
        "wrong-head" if is_head => send("404 Not Found", "", b""),
        "no-head" | "wrong-head" => send("206 Partial Content", html, b"<p>"),
        "loop" => send("302 Found", "Location: again\r\n", b""),
        "moved" => {
            let to = request.path.replacen("moved", "ok", 1);
            send("301 Moved Permanently", &format!("Location: {to}\r\n"), b"")
        }
        "found" => {
            let to = request.path.replacen("found", "ok", 1);
            send("302 Found", &format!("Location: {to}\r\n"), b"")
        }
        "to-front" => send("301 Moved Permanently", "Location: /\r\n", b""),
        "to-login" => send("302 Found", "Location: /login?next=x\r\n", b""),
        "to" => {
            let to = request.path.split_once('?').map_or("/", |(_, to)| to);
            // No query may have brackets.
            let to = to.replace("%5B", "[").replace("%5D", "]");
            send("302 Found", &format!("Location: {to}\r\nSet-Cookie: a=secret\r\n"), b"")
        }
        "cookie" if request.field("cookie").is_none() => {
            let headers = format!("Location: {}\r\nSet-Cookie: seen=1; Path=/\r\n", request.path);
            send("302 Found", &headers, b"")
        }
        "cookie" => send("200 OK", html, b""),
        "limited" if before == 0 => send("429 Too Many Requests", "Retry-After: 1\r\n", b""),
        "limited" => send("200 OK", html, b""),
        "limited-long" => send("429 Too Many Requests", "Retry-After: 3600\r\n", b""),
        "busy" if before == 0 => send("503 Service Unavailable", "", b""),
        "busy" => send("200 OK", html, b""),
        "challenge" => send("403 Forbidden", "cf-mitigated: challenge\r\n", b""),
        "big" => send("200 OK", html, &vec![b'x'; 20 << 20]),
        "short" => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n{html}\r\n<p id=a>")?;
            Ok(is_head)
        }
        "bomb" => send("200 OK", "Content-Encoding: gzip\r\nContent-Type: text/html\r\n", &bomb()),
        "endless" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
            for at in 0_u64.. {
                write!(stream, "X-{at}: {}\r\n", "x".repeat(1000))?;
            }
            Ok(false)
        }
        "garbage" => {
            stream.write_all(b"220 mail.test ESMTP ready\r\n\r\n")?;
            Ok(false)
        }
        other => panic!("no behaviour for {other}"),
    }
}

/// Many mebibytes of spaces in a few kibibytes.
fn bomb() -> Vec<u8> {
    static BOMB: OnceLock<Vec<u8>> = OnceLock::new();
    BOMB.get_or_init(packed_spaces).clone()
}

fn packed_spaces() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..64 {
        encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    encoder.finish().unwrap()
}

/// Names in `.test`, which are this machine; `missing.test` and all below it do not exist.
#[derive(Debug, Default)]
pub struct Names {
    /// Other addresses of some names, one per lookup; the last one stays.
    pub others: Mutex<HashMap<String, Vec<IpAddr>>>,
}

impl Resolve for Names {
    fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Fault> {
        let mut others = self.others.lock().unwrap();
        if let Some(addresses) = others.get_mut(host) {
            let address = if addresses.len() > 1 { addresses.remove(0) } else { addresses[0] };
            return Ok(vec![address]);
        }
        match host {
            "example.com" => Ok(vec![IpAddr::from([1, 1, 1, 1])]),
            _ if host.ends_with("missing.test") => Err(Fault::NoHost),
            _ if host.ends_with("broken.test") => Err(Fault::NameServer),
            _ if host.ends_with(".test") => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
            _ => Err(Fault::NoHost),
        }
    }
}

/// A client that knows the names in `.test` and the authority of the certificates.
pub fn client(reach: Reach) -> HttpClientBuilder {
    HttpClient::builder()
        .reach(reach)
        .resolver(Arc::new(Names::default()))
        .certificates(vec![include_bytes!("certificates/ca.der").to_vec()])
}

pub fn link(url: &str) -> UrlLink {
    UrlLink::new(&Uri::parse(url).unwrap())
}
