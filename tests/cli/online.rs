//! `urigrep audit --online`: flags, reports, exit status, and signals.

#[allow(dead_code, reason = "the names and clients are for tests of the library")]
#[path = "../online/server.rs"]
mod server;

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Dir, Ran, command, finish, has, shell, spawn};
use server::Server;

fn audit(dir: &Dir, args: &[&str]) -> Ran {
    dir.run(["audit", "--no-config"].iter().chain(args))
}

/// A document that links to these paths of a server.
fn document(server: &Server, paths: &[&str]) -> Dir {
    let links: Vec<_> = paths.iter().map(|path| server.url("localhost", path)).collect();
    let dir = Dir::new();
    let text: String = links.iter().map(|link| format!("[a]({link})\n")).collect();
    dir.file("a.md", text);
    dir
}

fn findings(ran: &Ran) -> Vec<Value> {
    let objects = ran.out().lines().map(|line| serde_json::from_str(line).unwrap());
    objects.filter(|object: &Value| object["type"] == "finding").collect()
}

#[test]
fn without_the_flag_no_connection_is_made() {
    let server = Server::start();
    let dir = document(&server, &["/status/404"]);
    for args in [&["."][..], &["--dump", "."], &["--allow-private", "--dump", "."]] {
        assert_eq!(audit(&dir, args).status, Some(0), "{args:?}");
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn only_dead_links_fail() {
    let server = Server::start();
    let unknown = document(&server, &["/ok/1", "/status/403", "/moved/1", "/to-front/a/b"]);
    let ran = audit(
        &unknown,
        &[
            "--online",
            "--allow-private",
            "--severity",
            "note",
            "--check=-private-host",
            "--json",
            ".",
        ],
    );
    assert_eq!(ran.status, Some(0), "{}", ran.out());
    let checks: Vec<_> = findings(&ran).iter().map(|it| it["check"].to_string()).collect();
    for check in ["unverified-link", "moved-link", "redirected-link"] {
        assert!(checks.contains(&format!("\"{check}\"")), "{check}: {checks:?}");
    }
    let dead = document(&server, &["/ok/1", "/status/404"]);
    let ran = audit(&dead, &["--online", "--allow-private", "--json", "."]);
    assert_eq!(ran.status, Some(1));
    let found = findings(&ran);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["evidence"]["status"], 404);
    let summary: Value = serde_json::from_str(ran.out().lines().last().unwrap()).unwrap();
    assert_eq!(summary["web"], serde_json::json!({"alive": 1, "dead": 1, "unknown": {}}));
    super::schema::is_valid(&ran);
    // A severity that was raised is a reason to fail.
    unknown.file("urigrep.toml", "[audit.severities]\nredirected-link = \"error\"\n");
    assert_eq!(unknown.run(["audit", "--online", "--allow-private", "."]).status, Some(1));
}

#[test]
fn private_addresses_need_a_flag() {
    let server = Server::start();
    let dir = document(&server, &["/status/404"]);
    let ran = audit(&dir, &["--online", "."]);
    assert_eq!((ran.status, server.requests().len()), (Some(0), 0));
    assert!(ran.out().contains("1 not verified (private: 1)"), "{}", ran.out());
}

#[test]
fn a_cache_is_judged_offline() {
    let server = Server::start();
    let dir = document(&server, &["/status/404", "/ok/1"]);
    let online = ["--online", "--allow-private", "--cache", "links.jsonl", "a.md"];
    assert_eq!(audit(&dir, &online).status, Some(1));
    let asked = server.requests().len();
    assert_eq!(audit(&dir, &online).status, Some(1));
    assert_eq!(audit(&dir, &["--offline", "--cache", "links.jsonl", "a.md"]).status, Some(1));
    let lenient = ["--offline", "--cache", "links.jsonl", "--accept", "200,404", "a.md"];
    assert_eq!(audit(&dir, &lenient).status, Some(0));
    assert_eq!(server.requests().len(), asked);
    let missing = audit(&dir, &["--offline", "--cache", "none.jsonl", "a.md"]);
    assert_eq!(missing.status, Some(2));
    assert!(missing.stderr.contains("none.jsonl: no such file"), "{}", missing.stderr);
}

#[test]
fn hosts_of_examples_are_not_asked() {
    let dir = Dir::new();
    let hosts = ["a.dev", "www.example.com", "a.example", "b.invalid", "c.test"];
    dir.file("a.md", hosts.map(|host| format!("[a](https://{host}/)\n")).concat());
    audit(&dir, &["--dump", "a.md"]).is(0, "https://a.dev/\nhttps://c.test/\n");
}

/// Whoever asks for another host says that something is there.
#[test]
fn a_remap_leads_away_from_hosts_of_examples() {
    let dir = Dir::new();
    dir.file("a.md", "[a](https://docs.example.org/x)\n");
    let remap = "^https://docs\\.example\\.org/(.*) http://localhost:8000/$1";
    audit(&dir, &["--dump", "--remap", remap, "a.md"]).is(0, "");
    audit(&dir, &["--dump", "--allow-private", "--remap", remap, "a.md"])
        .is(0, "http://localhost:8000/x\n");
}

/// What the web answers is no proof by itself. Whoever names a severity wants these findings, too.
#[test]
fn a_severity_that_is_named_counts_all_answers() {
    let dir = Dir::new();
    let answer = r#"{"url":"https://a.dev/p","time":1764115200,"status":200,"names":["top"]}"#;
    dir.file("a.md", "[a](https://a.dev/p#bad)\n").file("c.jsonl", answer);
    let run = |more: &[&str]| {
        let args = ["--offline", "--cache", "c.jsonl", "a.md"];
        audit(&dir, &[&args[..], more].concat())
    };
    let ran = run(&[]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let said = "these warnings fail the audit only with `--fail-on warning`";
    assert!(ran.out().contains(said), "{}", ran.out());
    assert_eq!(run(&["--fail-on", "warning"]).status, Some(1));
    assert_eq!(run(&["--fail-on", "error"]).status, Some(0));
}

/// What is listed is what would be asked for, and findings that are not shown fail nothing.
#[test]
fn a_dump_has_no_private_hosts_and_no_findings() {
    let dir = Dir::new();
    let urls = ["http://localhost:1/", "http://192.168.0.1/", "http://[::1]/", "https://a.dev/"];
    dir.file("a.md", urls.map(|url| format!("[a](<{url}>)\n")).concat() + "[b](gone.md)\n");
    audit(&dir, &["--dump", "a.md"]).is(0, "https://a.dev/\n");
    let ran = audit(&dir, &["--dump", "--allow-private", "a.md"]);
    assert_eq!((ran.status, ran.out().lines().count()), (Some(0), 4), "{}", ran.out());
    assert_eq!(audit(&dir, &["--dump", "none.md"]).status, Some(2));
}

#[test]
fn a_proxy_is_used_but_not_for_private_addresses() {
    // It answers `CONNECT` itself, and then as the host would.
    let proxy = Server::start();
    let dir = Dir::new();
    let hosts = ["name.test", "localhost", "127.0.0.1", "[::ffff:127.0.0.1]"];
    let text: String = hosts.map(|host| format!("[a](http://{host}/status/404)\n")).concat();
    dir.file("a.md", text);
    let mut process = command(["audit", "--no-config", "--online", "--json", "a.md"]);
    process.current_dir(dir.path());
    process.env("HTTP_PROXY", format!("http://127.0.0.1:{}", proxy.port));
    let ran = finish(spawn(&mut process));
    let dead: Vec<_> = findings(&ran).iter().map(|it| it["uri"].to_string()).collect();
    assert_eq!(dead, ["\"http://name.test/status/404\""], "{}", ran.out());
    let requests = proxy.requests();
    assert!(!requests.is_empty() && requests.iter().all(|it| it.host == "name.test"));
}

#[test]
fn flags_explain_themselves() {
    let dir = Dir::new();
    dir.file("a.md", "");
    for (args, message) in [
        (&["--timeout", "5s"][..], "--timeout needs --online"),
        (&["--cache", "x"], "--cache needs --online"),
        (&["--online", "--timeout", "soon"], "a duration is a whole number of seconds"),
        (&["--online", "--accept", "2xx"], "is not a list of status codes"),
        (&["--online", "--remap", "("], "a remap is a regular expression, a space"),
        (&["--online", "--header", "a.dev X: secret"], "must name an environment variable"),
        (
            &["--online", "--header", "a.dev X: $URIGREP_NONE"],
            "the environment has no variable `URIGREP_NONE`",
        ),
        (&["--online", "--cache", "/dev/zero"], "not a regular file"),
        (&["--online", "--import", "a.toml"], "a.toml: "),
    ] {
        let ran = audit(&dir, args);
        assert_eq!(ran.status, Some(2), "{args:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
}

#[cfg(unix)]
/// Runs an audit where nothing can be reached: in a network namespace of its own, which has no
/// routes. `None` where the system does not allow that.
#[cfg(target_os = "linux")]
fn without_network(dir: &Dir, args: &[&str]) -> Option<Ran> {
    if !has("unshare") {
        return None;
    }
    let unshare = |args: &[&str]| {
        let mut process = std::process::Command::new("unshare");
        process.arg("-rn").args(args);
        process
    };
    if !unshare(&["true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: this system does not allow network namespaces");
        return None;
    }
    let own = command(["audit", "--no-config"]);
    let mut process = unshare(&[]);
    process.arg(own.get_program()).args(own.get_args()).args(args).current_dir(dir.path());
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => process.env(name, value),
            None => process.env_remove(name),
        };
    }
    Some(finish(spawn(&mut process)))
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_without_a_network_says_nothing_about_links() {
    let dir = Dir::new();
    let links = [
        "https://none.rust-lang.org/a",
        "https://docs.rs/",
        "http://www.w3.org/TR/#a",
        "http://192.88.99.1/",
        "http://[2001:4860:4860::8888]/",
        "http://127.0.0.1:9/",
        "https://doi.org/10.1000/182",
        "mailto:jo@w3.org",
        "missing.md",
    ];
    let text: String = links.iter().map(|link| format!("[a](<{link}>)\n")).collect();
    dir.file("a.md", text);
    // Without the flag, nothing needs a network.
    for args in [&["."][..], &["--format=checkstyle", "."], &["--dump", "."]] {
        let Some(inside) = without_network(&dir, args) else { return };
        let outside = audit(&dir, args);
        assert_eq!((inside.status, inside.out()), (outside.status, outside.out()), "{args:?}");
    }
    // With it, links are unknown, and never dead.
    let flags = ["--online", "--allow-private", "--include-mail", "--suggest", "archive"];
    let more = ["--retry", "0", "--severity", "note", "--json", "."];
    let Some(ran) = without_network(&dir, &[&flags[..], &more].concat()) else { return };
    let summary: Value = serde_json::from_str(ran.out().lines().last().unwrap()).unwrap();
    let web = &summary["web"];
    assert_eq!((&web["alive"], &web["dead"]), (&0.into(), &0.into()), "{web}");
    let unknown: u64 = web["unknown"].as_object().unwrap().values().filter_map(Value::as_u64).sum();
    assert_eq!(unknown, links.len() as u64 - 1, "{web}");
    // The missing file is the only fault.
    let faults: Vec<_> =
        findings(&ran).into_iter().filter(|it| it["severity"] == "error").collect();
    assert_eq!((ran.status, faults.len()), (Some(1), 1), "{}", ran.out());
}

/// Only one folder of the source, which the feature `online` guards, can open a connection.
#[test]
fn connections_are_made_in_one_folder() {
    fn visit(directory: &std::path::Path, found: &mut Vec<String>) {
        const NAMES: [&str; 7] = [
            "TcpStream",
            "TcpListener",
            "UdpSocket",
            "UnixStream",
            "ToSocketAddrs",
            "ureq",
            "rustls",
        ];
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                visit(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                if NAMES.iter().any(|name| text.contains(name)) {
                    found.push(path.display().to_string());
                }
            }
        }
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    visit(&root, &mut found);
    let folder = root.join("audit/answers/remote").display().to_string();
    assert!(!found.is_empty() && found.iter().all(|path| path.starts_with(&folder)), "{found:?}");
}

/// Peak of resident memory of an audit of these links in KiB, or `None` where it is not known.
#[cfg(target_os = "linux")]
fn peak(dir: &Dir) -> Option<u64> {
    let args = ["audit", "--no-config", "--online", "--allow-private", "--timeout", "60", "."];
    let mut child = spawn(command(args).current_dir(dir.path()));
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmHWM"));
        let value = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
        peak = value.max(peak);
        std::thread::sleep(Duration::from_millis(5));
    }
    let ran = finish(child);
    assert_eq!(ran.status, Some(0), "{} {}", ran.out(), ran.stderr);
    peak
}

/// Each of 120 hosts sends a page that unpacks to 64 MiB, and nearly all are asked at once.
#[cfg(target_os = "linux")]
#[test]
fn long_bodies_of_many_hosts_take_little_memory() {
    let server = Server::start_everywhere();
    let document = |kind: &str| {
        let link = |host| {
            let url = server.url(&format!("127.0.3.{host}"), &format!("/{kind}/1#install"));
            format!("[a]({url})\n")
        };
        let dir = Dir::new();
        dir.file("a.md", (1..=120).map(link).collect::<String>());
        dir
    };
    let [base, bombs] = ["page", "bomb"].map(|kind| peak(&document(kind)));
    let (Some(base), Some(bombs)) = (base, bombs) else {
        eprintln!("SKIPPED: this test needs /proc");
        return;
    };
    println!("{base} KiB for pages, {bombs} KiB for bombs");
    // 40 MiB of bodies that are shared, a body and its copy per connection, and what the allocator
    // keeps; without the shared budget, more than 1,000 MiB.
    assert!(bombs < base + (300 << 10), "{base} and {bombs} KiB");
}

#[test]
fn an_interrupted_audit_reports_what_is_known() {
    let server = Server::start();
    let dir = document(&server, &["/status/404", "/hang/1"]);
    let mut process = command(["audit", "--online", "--allow-private", "--cache", "c.jsonl", "."]);
    process.current_dir(dir.path());
    let started = Instant::now();
    let child = spawn(&mut process);
    while !server.requests().iter().any(|request| request.path == "/hang/1")
        || std::fs::read_to_string(dir.join("c.jsonl")).is_ok_and(|text| !text.contains("404"))
    {
        std::thread::sleep(Duration::from_millis(10));
        assert!(started.elapsed() < Duration::from_secs(10));
    }
    let id = child.id().to_string();
    // Not SIGINT, which a shell lets its background jobs ignore, and thus this test.
    std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
    let ran = finish(child);
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(ran.out().contains("error[dead-link]"), "{}", ran.out());
    assert!(ran.out().contains("interrupted: 1"), "{}", ran.out());
    // It died of the signal.
    assert_eq!(ran.status, None);
    assert!(std::fs::read_to_string(dir.join("c.jsonl")).unwrap().contains("/status/404"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_evidence() {
    let server = Server::start();
    let dir = document(&server, &["/status/404", "/ok/1", "/ok/2", "/ok/3"]);
    // A file that nearly fills its limit of 512 or 1024 bytes.
    let old = "{\"url\":\"http://old.test/\",\"time\":1,\"status\":200}\n";
    dir.file("c.jsonl", old.repeat(20));
    let program = env!("CARGO_BIN_EXE_urigrep");
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; '{program}' audit --no-config --online --allow-private --cache c.jsonl a.md; echo \"status $?\""
    );
    let Some(shown) = shell(&dir, &line) else { return };
    assert!(shown.contains("dead-link") && shown.contains("not written"), "{shown}");
    assert!(shown.contains("status 2"), "{shown}");
    let text = std::fs::read_to_string(dir.join("c.jsonl")).unwrap();
    assert!(text.starts_with(&old.repeat(20)) && text.ends_with('\n'), "{text}");
}
