//! The command and lychee ask the same server about the same links: time and verdicts of both.
//!
//! `URIGREP_LYCHEE` names lychee, and `URIGREP_BINARY` another build; `.ci/slow` runs it. Hosts are
//! addresses of 127.0.0.0/8, because lychee resolves names by itself.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use urigrep::audit::{Fault, Verdict, Why};

use super::server::Server;
use super::verdicts::{bodies, ordinary};

const HOSTS: usize = 185;
/// Hosts of each kind that answers nothing useful.
const FAILING: usize = 5;

/// All links with their verdicts.
fn links(server: &Server) -> Vec<(String, Verdict)> {
    let mut rows = Vec::new();
    for at in 1..=HOSTS {
        rows.extend(ordinary(server, &format!("127.0.1.{at}")));
        if at % 8 == 0 {
            rows.extend(bodies(server, &format!("127.0.5.{at}")));
        }
    }
    let failing = [
        ("hang", Verdict::Unknown(Why::Fault(Fault::Timeout))),
        ("reset", Verdict::Unknown(Why::Fault(Fault::Reset))),
        ("garbage", Verdict::Unknown(Why::Fault(Fault::Protocol))),
    ];
    for (number, (kind, verdict)) in failing.into_iter().enumerate() {
        for at in 1..=FAILING {
            let host = format!("127.0.{}.{at}", number + 2);
            let row = |link| (server.url(&host, &format!("/{kind}/{link}")), verdict.clone());
            rows.extend((0..8).map(row));
        }
    }
    rows
}

/// The check that reports a verdict; none if the link is alive.
fn check_of(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Alive => "",
        Verdict::Dead(_) => "dead-link",
        Verdict::Moved(_) => "moved-link",
        Verdict::Insecure(_) => "insecure-link",
        Verdict::Elsewhere(..) => "redirected-link",
        Verdict::NoAnchor(_) => "unreachable-anchor",
        _ => "unverified-link",
    }
}

fn run(program: &Path, args: &[&str], directory: &Path) -> (Output, Duration) {
    let started = Instant::now();
    let output = Command::new(program).args(args).current_dir(directory).output();
    (output.expect("it runs"), started.elapsed())
}

/// What the command reports: the check of each URL.
fn own(output: &Output) -> BTreeMap<String, String> {
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let finding = |it: Value| {
        let text = |name: &str| it[name].as_str().map(str::to_owned);
        Some((text("uri")?, text("check")?))
    };
    records.filter_map(finding).filter(|(_, check)| check != "private-host").collect()
}

/// The URLs that fail in lychee.
fn failed(output: &Output) -> HashSet<String> {
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let maps = ["error_map", "timeout_map"].map(|name| report[name].as_object().cloned());
    let files = maps.into_iter().flatten().flat_map(|map| map.into_iter().map(|(_, rows)| rows));
    let rows = files.flat_map(|rows| rows.as_array().cloned().unwrap_or_default());
    rows.filter_map(|row| Some(row["url"].as_str()?.to_owned())).collect()
}

#[test]
#[ignore = "needs lychee; see .ci/slow"]
fn beside_lychee() {
    let Some(lychee) = std::env::var_os("URIGREP_LYCHEE") else {
        eprintln!("SKIPPED: URIGREP_LYCHEE names no lychee");
        return;
    };
    let server = Server::start_everywhere();
    let rows = links(&server);
    let dir = std::env::temp_dir().join(format!("urigrep-lychee-{}", std::process::id()));
    fs::create_dir_all(&dir).expect("a directory");
    let text: String = rows.iter().map(|(url, _)| format!("[a](<{url}>)\n")).collect();
    fs::write(dir.join("links.md"), text).expect("a document");
    let common = ["--timeout", "3"];
    let args = ["audit", "--online", "--allow-private", "--retry", "1", "--json"];
    let args = [&args[..], &common, &["--severity", "note", "links.md"]].concat();
    let binary = std::env::var_os("URIGREP_BINARY");
    let binary = binary.unwrap_or(env!("CARGO_BIN_EXE_urigrep").into());
    let own_run = run(Path::new(&binary), &args, &dir);
    let requests = server.requests().len();
    let args = ["--max-retries", "1", "--format", "json", "--no-progress", "--include-fragments"];
    let args = [&args[..], &common, &["links.md"]].concat();
    let other_run = run(Path::new(&lychee), &args, &dir);
    let other_requests = server.requests().len() - requests;
    fs::remove_dir_all(&dir).expect("removed");
    let (own, other) = (own(&own_run.0), failed(&other_run.0));
    let mut wrong = Vec::new();
    let mut table: BTreeMap<(&str, bool, &str), usize> = BTreeMap::new();
    for (url, verdict) in &rows {
        let expected = check_of(verdict);
        let got = own.get(url).map_or("", String::as_str);
        if got != expected {
            wrong.push(format!("{url}: {expected:?}, not {got:?}"));
        }
        let kind = url.splitn(4, '/').nth(3).unwrap_or_default();
        *table.entry((expected, other.contains(url), kind)).or_default() += 1;
    }
    println!("{} links", rows.len());
    println!("urigrep: {:?}, {requests} requests, {} wrong", own_run.1, wrong.len());
    println!("lychee: {:?}, {other_requests} requests", other_run.1);
    for ((check, has_failed, kind), count) in table {
        let check = if check.is_empty() { "alive" } else { check };
        println!("{check}: {count} {} {kind}", if has_failed { "failed" } else { "passed" });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Each run has time-outs of its own; another order decides about seconds.
    assert!(own_run.1 < other_run.1 * 2, "{:?} and {:?}", own_run.1, other_run.1);
}
