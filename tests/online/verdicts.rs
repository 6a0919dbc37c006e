//! Every behaviour of a server leads to the right verdict, in bounded time and memory.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use urigrep::audit::remote::{
    Fetch, FetchRequest, FetchResponse, Reach, Remap, RemoteAnswers, RemoteOptions,
};
use urigrep::audit::{
    Answers, AuditOutcome, Auditor, Death, Fault, Landing, UrlLink, Verdict, Why,
};

use super::server::{Server, Tls, client, link};

fn options() -> RemoteOptions {
    let ms = Duration::from_millis;
    // Long enough for a busy machine.
    RemoteOptions::new().timeout(ms(2500)).host_interval(ms(5))
}

fn unknown(fault: Fault) -> Verdict {
    Verdict::Unknown(Why::Fault(fault))
}

/// Paths and the verdicts that they should lead to; every host has all of them.
pub fn ordinary(server: &Server, host: &str) -> Vec<(String, Verdict)> {
    let url = |path: &str| server.url(host, path);
    let moved = |path: &str| Verdict::Moved(url(path));
    let dead = |status| Verdict::Dead(Death::Status(status));
    let status = |status| Verdict::Unknown(Why::Status(status));
    let rows = vec![
        ("/ok/1", Verdict::Alive),
        ("/ok/2", Verdict::Alive),
        ("/page/1#install", Verdict::Alive),
        ("/page/1#use", Verdict::Alive),
        ("/page/1#instal", Verdict::NoAnchor(Some("install".to_owned()))),
        ("/script/1#install", Verdict::Unknown(Why::Anchors)),
        ("/status/404", dead(404)),
        ("/status/410", dead(410)),
        ("/status/401", status(401)),
        ("/status/403", status(403)),
        ("/status/500", status(500)),
        ("/status/503", status(503)),
        ("/status/204", Verdict::Alive),
        ("/slow/1", Verdict::Alive),
        ("/no-head/1", Verdict::Alive),
        ("/wrong-head/1", Verdict::Alive),
        ("/loop/1", unknown(Fault::RedirectLoop)),
        ("/moved/1", moved("/ok/1")),
        ("/found/1", Verdict::Alive),
        ("/to-front/a/b", Verdict::Elsewhere(Landing::FrontPage, url("/"))),
        ("/to-login/a/b", Verdict::Elsewhere(Landing::Login, url("/login?next=x"))),
        ("/to/1?ftp://a.test/", unknown(Fault::RedirectScheme)),
        ("/cookie/1", Verdict::Alive),
        ("/limited/1", Verdict::Alive),
        ("/busy/1", Verdict::Alive),
        ("/challenge/1", Verdict::Unknown(Why::Challenge)),
        ("/endless/1", unknown(Fault::TooLong)),
    ];
    rows.into_iter().map(|(path, verdict)| (url(path), verdict)).collect()
}

/// Hosts of one behaviour. Most of their links are not requested at all.
fn failing(server: &Server, at: usize, links: usize) -> Vec<(String, Verdict)> {
    let kinds = [
        ("hang", "hang.test", unknown(Fault::Timeout)),
        ("reset", "reset.test", unknown(Fault::Reset)),
        ("garbage", "garbage.test", unknown(Fault::Protocol)),
        ("ok", "missing.test", Verdict::Dead(Death::NoHost)),
        ("ok", "broken.test", unknown(Fault::NameServer)),
        ("limited-long", "limited.test", Verdict::Unknown(Why::HostPaused)),
    ];
    let of_kind = |(kind, host, verdict): (&str, &str, Verdict)| {
        let host = format!("h{at}.{host}");
        let urls = (0..links).map(move |link| format!("/{kind}/{link}"));
        let rows: Vec<_> = urls.map(|path| (server.url(&host, &path), verdict.clone())).collect();
        rows
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

/// Bodies that are too long, too short, or grow when they are unpacked. None shows that an anchor
/// is missing, and a page whose text nobody asked for is there.
pub fn bodies(server: &Server, host: &str) -> Vec<(String, Verdict)> {
    let anchors =
        ["/big/1#a", "/short/1#a", "/bomb/1#a"].map(|path| (path, Verdict::Unknown(Why::Anchors)));
    let rows = anchors.into_iter().chain([("/big/2", Verdict::Alive)]);
    rows.map(|(path, verdict)| (server.url(host, path), verdict)).collect()
}

/// Servers that encrypt well, badly, or slowly, with some links each.
fn encrypted(links: usize) -> Vec<(String, Verdict)> {
    let ms = Duration::from_millis;
    let valid = Server::start_tls(Tls::Valid).port;
    let port = |tls| Server::start_tls(tls).port;
    let servers = [
        ("tls.test", valid, Verdict::Alive),
        ("tls.test", port(Tls::Slow(ms(300))), Verdict::Alive),
        // The client speaks HTTP/1.1 to servers that also speak HTTP/2 (RFC 9113 section 3.2).
        ("tls.test", port(Tls::Http2Too), Verdict::Alive),
        ("endless-tls.test", port(Tls::Slow(ms(60_000))), unknown(Fault::Timeout)),
        ("expired.test", port(Tls::Expired), unknown(Fault::CertificateExpired)),
        ("other.test", valid, unknown(Fault::CertificateName)),
        ("broken-tls.test", port(Tls::Broken), unknown(Fault::Tls)),
        // One that speaks nothing else gives no proof. It is the last one of its host, which is not
        // asked any more after some failures in a row.
        ("tls.test", port(Tls::Http2Only), unknown(Fault::Protocol)),
    ];
    let of_server = |(host, port, verdict): (&str, u16, Verdict)| {
        let url = |link| format!("https://{host}:{port}/ok/{link}");
        let rows: Vec<_> = (0..links).map(|link| (url(link), verdict.clone())).collect();
        rows
    };
    servers.into_iter().flat_map(of_server).collect()
}

/// Asks for all links and compares the verdicts. Returns the elapsed time.
fn check(answers: &RemoteAnswers, rows: &[(String, Verdict)]) -> Duration {
    let links: Vec<UrlLink> = rows.iter().map(|(url, _)| link(url)).collect();
    let started = Instant::now();
    answers.expect(&links);
    let found = answers.urls(&links);
    let elapsed = started.elapsed();
    let mut wrong = BTreeMap::new();
    for ((url, expected), answer) in rows.iter().zip(&found) {
        if answer.verdict != *expected {
            wrong.insert(url, (expected, &answer.verdict));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), rows.len());
    elapsed
}

fn run(hosts: usize, limit: Duration) {
    let server = Server::start();
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
    let mut rows = Vec::new();
    for at in 0..hosts {
        rows.extend(ordinary(&server, &format!("h{at}.test")));
        if at % 8 == 0 {
            rows.extend(failing(&server, at, 8));
            rows.extend(bodies(&server, &format!("h{at}.bodies.test")));
        }
    }
    rows.extend(encrypted(hosts.div_ceil(10)));
    let elapsed = check(&answers, &rows);
    let requests = server.requests();
    println!("{} links, {} requests, {elapsed:?}", rows.len(), requests.len());
    assert!(elapsed < limit, "{elapsed:?}");
    // The first error of `HEAD` may be followed by `GET`, attempts, and redirects, but no URL is
    // asked for again and again.
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for request in &requests {
        *counts.entry((&request.host, &request.path)).or_default() += 1;
    }
    let most = counts.iter().filter(|((_, path), _)| !path.contains("again")).max_by_key(|it| it.1);
    assert!(*most.unwrap().1 <= 4, "{most:?}");
}

#[test]
fn every_behaviour_has_its_verdict() {
    run(6, Duration::from_secs(30));
}

/// 200 hosts with 5,000 links: `.ci/slow` runs it.
#[test]
#[ignore = "takes a minute; see .ci/slow"]
fn thousands_of_links_end_in_bounded_time() {
    run(185, Duration::from_secs(60));
}

/// Only the script of GitLab knows which headings and lines a file has. Its page has ids of its
/// own, so a missing one is no proof.
#[test]
fn files_on_forges_have_anchors() {
    let server = Server::start();
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
    let rows = [
        ("/github/a/blob/main/README.md", Verdict::Alive),
        ("/github/a/blob/main/README.md#usage", Verdict::Alive),
        ("/github/a/blob/main/README.md#Usage", Verdict::Alive),
        ("/github/a/blob/main/README.md#usag", Verdict::NoAnchor(Some("usage".to_owned()))),
        ("/github/a/blob/main/a.c#L3-L4", Verdict::Alive),
        ("/gitlab/a/-/blob/main/README.md", Verdict::Alive),
        ("/gitlab/a/-/blob/main/README.md#usage", Verdict::Unknown(Why::Anchors)),
        ("/gitlab/a/-/blob/main/README.md#fileHolder", Verdict::Unknown(Why::Anchors)),
        ("/gitlab/a/-/blob/main/a.c#L3", Verdict::Alive),
        ("/gitlab/a/-/blob/main/a.c#L3-4", Verdict::Alive),
        ("/status/404/-/blob/main/README.md#usage", Verdict::Dead(Death::Status(404))),
    ];
    check(&answers, &rows.map(|(path, verdict)| (server.url("h.test", path), verdict)));
}

#[test]
fn an_issuer_that_nobody_knows_is_no_proof() {
    let stranger = urigrep::audit::remote::HttpClient::builder()
        .reach(Reach::Everything)
        .resolver(std::sync::Arc::new(super::server::Names::default()))
        .build();
    let url = format!("https://tls.test:{}/ok/1", Server::start_tls(Tls::Valid).port);
    let answers = RemoteAnswers::new(stranger, options());
    check(&answers, &[(url, unknown(Fault::CertificateIssuer))]);
}

#[test]
fn a_slow_handshake_is_waited_for_and_an_endless_one_is_not() {
    let ms = Duration::from_millis;
    let [slow, endless] =
        [ms(300), ms(60_000)].map(|pause| Server::start_tls(Tls::Slow(pause)).port);
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
    check(&answers, &[(format!("https://tls.test:{slow}/ok/1"), Verdict::Alive)]);
    let hurried = options().timeout(ms(400));
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), hurried);
    let url = format!("https://tls.test:{endless}/ok/1");
    let elapsed = check(&answers, &[(url, unknown(Fault::Timeout))]);
    assert!(elapsed < Duration::from_secs(15), "{elapsed:?}");
}

#[test]
fn a_host_is_not_asked_faster_than_it_says() {
    let server = Server::start();
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
    let mut rows = vec![(server.url("h.test", "/limited/1"), Verdict::Alive)];
    for at in 0..4 {
        rows.push((server.url("h.test", &format!("/slow/{at}")), Verdict::Alive));
    }
    check(&answers, &rows);
    let requests = server.requests();
    let refused = requests.iter().position(|request| request.path == "/limited/1").unwrap();
    let (before, after) = (&requests[refused], &requests[refused + 1..]);
    // A request that was on its way may still arrive.
    let early = after.iter().filter(|it| it.at < before.at + Duration::from_millis(990)).count();
    assert!(early <= 1, "{early}");
    // Not all at once, either.
    let late: Vec<_> =
        after.iter().filter(|it| it.at >= before.at + Duration::from_millis(990)).collect();
    for pair in late.windows(2) {
        assert!(pair[1].at - pair[0].at > Duration::from_millis(250));
    }
}

#[test]
fn a_url_is_requested_once() {
    let server = Server::start();
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
    let url =
        |fragment: &str| (server.url("H.test", &format!("/ok/%7E1{fragment}")), Verdict::Alive);
    let rows = [url(""), url("#top"), url("#:~:text=a"), url("#!/a"), url("#L3-L4")];
    check(&answers, &rows);
    assert_eq!(server.requests().len(), 1);
}

/// `both.test` answers by `http` and `https`, and other hosts by `http` only.
struct Twins;

impl Fetch for Twins {
    fn fetch(&self, request: &FetchRequest) -> Result<FetchResponse, Fault> {
        let is_there = request.url.starts_with("http:") || request.url.contains("both.test");
        if is_there { Ok(FetchResponse::new(200)) } else { Err(Fault::Refused) }
    }
}

#[test]
fn https_is_required_where_it_answers() {
    let rows = [
        ("http://both.test/a".to_owned(), Verdict::Insecure("https://both.test/a".to_owned())),
        ("https://both.test/a".to_owned(), Verdict::Alive),
        ("http://one.test/a".to_owned(), Verdict::Alive),
    ];
    check(&RemoteAnswers::new(Twins, options().require_https()), &rows);
    let rows = rows.map(|(url, _)| (url, Verdict::Alive));
    check(&RemoteAnswers::new(Twins, options()), &rows);
}

#[test]
fn an_audit_that_is_cancelled_keeps_what_is_known() {
    let server = Server::start();
    let answers =
        std::sync::Arc::new(RemoteAnswers::new(client(Reach::Everything).build(), options()));
    let links = [link(&server.url("h.test", "/ok/1")), link(&server.url("hang.test", "/hang/1"))];
    answers.expect(&links);
    assert_eq!(answers.urls(&links[..1])[0].verdict, Verdict::Alive);
    let other = std::sync::Arc::clone(&answers);
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        other.cancel();
    });
    let started = Instant::now();
    let verdicts: Vec<_> = answers.urls(&links).into_iter().map(|answer| answer.verdict).collect();
    assert_eq!(verdicts, [Verdict::Alive, Verdict::Unknown(Why::Interrupted)]);
    assert!(started.elapsed() < Duration::from_secs(1));
    thread.join().unwrap();
}

/// A network of domains with mail.
struct Mail;

impl Fetch for Mail {
    fn fetch(&self, _: &FetchRequest) -> Result<FetchResponse, Fault> {
        Err(Fault::Other)
    }

    fn mail(&self, domain: &str, _: Duration) -> Result<(), Fault> {
        match domain {
            "a.test" => Ok(()),
            "null.test" => Err(Fault::NoMail),
            _ => Err(Fault::NoHost),
        }
    }
}

#[test]
fn mail_domains_are_asked_on_request() {
    let file = std::env::temp_dir().join(format!("urigrep-mail-{}.md", std::process::id()));
    let links = ["jo@a.test", "jo@null.test", "jo@none.test?subject=x"];
    std::fs::write(&file, links.map(|link| format!("[a](mailto:{link})\n")).concat()).unwrap();
    let found = |options: RemoteOptions| {
        let auditor = Auditor::builder().answers(RemoteAnswers::new(Mail, options)).build();
        let mut found = Vec::new();
        let take = |outcome| {
            if let AuditOutcome::Audited(document) = outcome {
                let findings = document.findings().iter();
                found.extend(findings.map(|it| (it.start.line, it.finding.message.clone())));
            }
            ControlFlow::Continue(())
        };
        auditor.run([&file], |outcome| outcome, take).unwrap();
        found
    };
    assert!(found(options()).is_empty());
    let text = |message: &str| message.to_owned();
    assert_eq!(
        found(options().include_mail()),
        [
            (2, text("`mailto:jo@null.test` leads nowhere: the domain takes no mail")),
            (3, text("`mailto:jo@none.test?subject=x` leads nowhere: the host does not exist")),
        ]
    );
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_remap_does_not_move_links() {
    let server = Server::start();
    let remap = Remap::new("^https://docs.test/", server.url("h.test", "/")).unwrap();
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options().remap(remap));
    check(&answers, &[("https://docs.test/moved/1".to_owned(), Verdict::Alive)]);
}

#[test]
fn the_time_of_an_audit_is_bounded() {
    let server = Server::start();
    let options = options().max_time(Some(Duration::from_millis(300)));
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options);
    let url = server.url("h.test", "/hang/1");
    let elapsed = check(&answers, &[(url, Verdict::Unknown(Why::Budget))]);
    assert!(elapsed < Duration::from_secs(1), "{elapsed:?}");
}
