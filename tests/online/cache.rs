//! Evidence that is kept: no second request, and other verdicts under other options.

use std::path::PathBuf;
use std::time::Duration;

use urigrep::audit::remote::{
    EvidenceCache, Quarantine, Reach, RemoteAnswers, RemoteOptions, import_lychee,
};
use urigrep::audit::{Answers, Death, Verdict, Why};

use super::server::{Server, client, link};

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("urigrep-{name}-{}.jsonl", std::process::id()))
}

fn options() -> RemoteOptions {
    RemoteOptions::new().timeout(Duration::from_secs(2)).host_interval(Duration::ZERO).retries(0)
}

#[test]
fn a_second_run_asks_for_nothing_that_is_fresh() {
    let (server, path) = (Server::start(), path("online-cache"));
    let rows = [
        ("/ok/1", Verdict::Alive),
        ("/page/1#install", Verdict::Alive),
        ("/page/1#none", Verdict::NoAnchor(None)),
        ("/status/404", Verdict::Dead(Death::Status(404))),
        ("/status/403", Verdict::Unknown(Why::Status(403))),
        ("/moved/1", Verdict::Moved(server.url("h.test", "/ok/1"))),
    ];
    let links: Vec<_> = rows.iter().map(|(path, _)| link(&server.url("h.test", path))).collect();
    let run = |options: RemoteOptions| {
        let answers = RemoteAnswers::new(client(Reach::Everything).build(), options);
        let answers = answers.cache(EvidenceCache::open(&path).unwrap());
        answers.expect(&links);
        let verdicts: Vec<_> = answers.urls(&links).into_iter().map(|it| it.verdict).collect();
        assert!(answers.save().is_empty());
        verdicts
    };
    let expected: Vec<_> = rows.iter().map(|(_, verdict)| verdict.clone()).collect();
    assert_eq!(run(options()), expected);
    let asked = server.requests().len();
    assert_eq!(run(options()), expected);
    assert_eq!(server.requests().len(), asked);
    // The same evidence, judged anew.
    let lenient = run(options().accept("200-299,403,404".parse().unwrap()));
    assert_eq!(lenient.iter().filter(|verdict| **verdict == Verdict::Alive).count(), 4);
    assert_eq!(server.requests().len(), asked);
    // Offline, nothing is asked, and unknown URLs are unknown.
    let offline = RemoteAnswers::offline(options()).cache(EvidenceCache::read(&path).unwrap());
    let other = link(&server.url("h.test", "/ok/other"));
    let verdicts: Vec<_> = offline.urls(&[links[0].clone(), other]);
    assert_eq!(verdicts[0].verdict, Verdict::Alive);
    assert_eq!(verdicts[1].verdict, Verdict::Unknown(Why::Offline));
    assert_eq!(server.requests().len(), asked);
    // Too old.
    run(options().max_age(Duration::ZERO).timeout(Duration::from_secs(3)));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn failures_of_the_network_are_not_kept() {
    let (server, path) = (Server::start(), path("online-failures"));
    let links = [link(&server.url("h.test", "/reset/1")), link(&server.url("x.missing.test", "/"))];
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
    let answers = answers.cache(EvidenceCache::open(&path).unwrap());
    answers.urls(&links);
    drop(answers);
    assert!(EvidenceCache::read(&path).unwrap().is_empty());
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_dead_link_is_in_quarantine_first() {
    let (server, state) = (Server::start(), path("online-quarantine"));
    let dead = link(&server.url("h.test", "/status/404"));
    let run = || {
        let answers = RemoteAnswers::new(client(Reach::Everything).build(), options());
        let answers = answers.quarantine(Quarantine::read(&state).unwrap());
        let verdict = answers.urls(std::slice::from_ref(&dead))[0].verdict.clone();
        assert!(answers.save().is_empty());
        verdict
    };
    assert_eq!(run(), Verdict::Unknown(Why::Quarantined));
    assert_eq!(run(), Verdict::Unknown(Why::Quarantined));
    // As if the first run was two days ago.
    let text = std::fs::read_to_string(&state).unwrap();
    let (start, time) = text.trim_end().trim_end_matches('}').rsplit_once(':').unwrap();
    let earlier: u64 = time.parse::<u64>().unwrap() - 2 * 86_400;
    std::fs::write(&state, format!("{start}:{earlier}}}\n")).unwrap();
    assert_eq!(run(), Verdict::Dead(Death::Status(404)));
    std::fs::remove_file(&state).unwrap();
}

#[test]
fn answers_of_lychee_are_used() {
    let (server, file) = (Server::start(), path("lycheecache"));
    let url = server.url("h.test", "/status/404");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    std::fs::write(&file, format!("{url},200,{now}\n")).unwrap();
    let mut cache = EvidenceCache::default();
    assert_eq!(import_lychee(&file, &mut cache).unwrap(), 1);
    let answers = RemoteAnswers::new(client(Reach::Everything).build(), options()).cache(cache);
    assert_eq!(answers.urls(&[link(&url)])[0].verdict, Verdict::Alive);
    assert_eq!(server.requests().len(), 0);
    std::fs::remove_file(&file).unwrap();
}

/// A pipe would be waited for, and a device has no end.
#[cfg(unix)]
#[test]
fn what_is_not_a_file_is_not_opened() {
    let pipe = path("online-pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for place in [pipe.as_path(), std::path::Path::new("/dev/zero"), &std::env::temp_dir()] {
        assert!(EvidenceCache::read(place).is_err(), "{place:?}");
        assert!(EvidenceCache::open(place).is_err(), "{place:?}");
        assert!(Quarantine::read(place).is_err(), "{place:?}");
        assert!(import_lychee(place, &mut EvidenceCache::default()).is_err(), "{place:?}");
    }
    std::fs::remove_file(&pipe).unwrap();
}
