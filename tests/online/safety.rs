//! What must never happen: requests to private addresses, and credentials for another host.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use urigrep::audit::remote::{HostHeader, HttpClient, Reach, RemoteAnswers, RemoteOptions};
use urigrep::audit::{Answers, Fault, Verdict, Why};

use super::server::{Names, Server, client, link};

fn options() -> RemoteOptions {
    RemoteOptions::new().timeout(Duration::from_secs(2)).host_interval(Duration::ZERO).retries(0)
}

const PRIVATE: Verdict = Verdict::Unknown(Why::Fault(Fault::Private));

#[test]
fn private_addresses_are_not_contacted() {
    let server = Server::start();
    let answers = RemoteAnswers::new(client(Reach::Public).build(), options());
    for host in [
        "127.0.0.1",
        "localhost",
        "a.localhost",
        "name.test",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::7f00:1]",
        "[64:ff9b::7f00:1]",
    ] {
        let link = link(&server.url(host, "/ok/1"));
        assert_eq!(answers.urls(&[link])[0].verdict, PRIVATE, "{host}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn no_spelling_of_an_address_is_contacted() {
    let server = Server::start();
    // The resolver of the system, which reads octal and decimal numbers.
    let answers = RemoteAnswers::new(HttpClient::builder().build(), options());
    for host in ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0x7f000001", "0"] {
        let link = link(&server.url(host, "/ok/1"));
        let verdict = &answers.urls(&[link])[0].verdict;
        // Some systems don't read all forms.
        assert!(!matches!(verdict, Verdict::Alive), "{host}: {verdict:?}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn redirects_do_not_lead_into_a_private_network() {
    let (outer, inner) = (Server::start(), Server::start());
    // The first host counts as public: the client is allowed to contact one port of this machine.
    #[derive(Debug)]
    struct Public(Names);
    impl urigrep::audit::remote::Resolve for Public {
        fn resolve(&self, host: &str) -> Result<Vec<IpAddr>, Fault> {
            self.0.resolve(host)
        }
    }
    let fetch = FirstHost {
        allowed: client(Reach::Everything).build(),
        others: HttpClient::builder().resolver(Arc::new(Public(Names::default()))).build(),
    };
    let answers = RemoteAnswers::new(fetch, options());
    for to in ["127.0.0.1", "name.test", "[::ffff:7f00:1]", "localhost"] {
        let to = inner.url(to, "/ok/1").replace('[', "%5B").replace(']', "%5D");
        let link = link(&outer.url("first.test", &format!("/to/1?{to}")));
        assert_eq!(answers.urls(&[link])[0].verdict, PRIVATE, "{to}");
    }
    assert_eq!(outer.requests().len(), 4);
    assert_eq!(inner.requests().len(), 0);
}

/// Contacts `first.test` on this machine, and other hosts as the command does.
struct FirstHost {
    allowed: HttpClient,
    others: HttpClient,
}

impl urigrep::audit::remote::Fetch for FirstHost {
    fn fetch(
        &self,
        request: &urigrep::audit::remote::FetchRequest,
    ) -> Result<urigrep::audit::remote::FetchResponse, Fault> {
        if request.url.starts_with("http://first.test") {
            self.allowed.fetch(request)
        } else {
            self.others.fetch(request)
        }
    }
}

#[test]
fn a_name_that_changes_its_address_reaches_nothing() {
    let server = Server::start();
    let names = Names::default();
    let public = IpAddr::from([192, 88, 99, 1]);
    let rebound = vec![public, Ipv4Addr::LOCALHOST.into()];
    names.others.lock().unwrap().insert("rebind.test".to_owned(), rebound);
    let fetch = HttpClient::builder().resolver(Arc::new(names)).build();
    let options = options().timeout(Duration::from_millis(300));
    let answers = RemoteAnswers::new(fetch, options);
    // The first lookup is public, and the connection goes there. The second is private.
    for at in 0..2 {
        let link = link(&server.url("rebind.test", &format!("/ok/{at}")));
        assert!(matches!(answers.urls(&[link])[0].verdict, Verdict::Unknown(_)));
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn credentials_and_cookies_stay_with_their_host() {
    let server = Server::start();
    let options = options()
        .header(HostHeader::new(&server.url("one.test", ""), "Authorization", "Bearer one"))
        .header(HostHeader::new(&server.url("*.two.test", ""), "X-Key", "two"))
        // A header of an origin by https is not sent in the clear, nor to another port.
        .header(HostHeader::new("one.test", "X-Clear", "secret"))
        .header(HostHeader::new("http://one.test", "X-Port", "secret"));
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options);
    let chain = format!(
        "/to/1?{}",
        server.url("a.two.test", &format!("/to/2?{}", server.url("one.test", "/ok/1")))
    );
    // The document's own credentials are not sent at all.
    let url = server.url("joe:pw@one.test", &chain);
    assert_eq!(answers.urls(&[link(&url)])[0].verdict, Verdict::Alive);
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    for request in &requests {
        let is_one = request.host == "one.test";
        let is_first = request.path.starts_with("/to/1");
        assert_eq!(request.field("authorization"), is_one.then_some("Bearer one"));
        assert_eq!(request.field("x-key"), (!is_one).then_some("two"));
        assert_eq!((request.field("x-clear"), request.field("x-port")), (None, None));
        let cookie = (is_one && !is_first).then_some("a=secret");
        assert_eq!(request.field("cookie"), cookie, "{request:?}");
    }
}

#[test]
fn an_audit_without_answers_makes_no_connection() {
    let server = Server::start();
    let text = format!("<{}>\n", server.url("localhost", "/ok/1"));
    let file = std::env::temp_dir().join(format!("urigrep-offline-{}.md", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let auditor = urigrep::audit::Auditor::builder().build();
    let mut count = 0;
    let count_documents = |_| {
        count += 1;
        std::ops::ControlFlow::Continue(())
    };
    auditor.run([&file], |outcome| outcome, count_documents).unwrap();
    assert_eq!((count, server.requests().len()), (1, 0));
    std::fs::remove_file(&file).unwrap();
}
