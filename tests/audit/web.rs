//! Answers about URLs, which come when documents were read.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use urigrep::audit::{
    Answer, Answers, AuditOutcome, Auditor, Death, Fault, Filter, Severity, UrlKey, UrlLink,
    Verdict, Why,
};

/// A web in which the path of a URL says what it leads to.
#[derive(Default)]
struct PathSays {
    expected: Arc<Mutex<BTreeSet<UrlKey>>>,
}

impl Answers for PathSays {
    fn expect(&self, links: &[UrlLink]) {
        self.expected.lock().unwrap().extend(links.iter().map(|link| link.key.clone()));
    }

    fn urls(&self, links: &[UrlLink]) -> Vec<Answer> {
        let expected = self.expected.lock().unwrap();
        let answer = |link: &UrlLink| {
            let url = &link.key;
            assert!(expected.contains(url), "{url:?} was not announced");
            match url.as_str().rsplit('/').next().unwrap() {
                "gone" => Verdict::Dead(Death::Status(404)),
                "no-host" => Verdict::Dead(Death::NoHost),
                "moved" => Verdict::Moved("https://a.dev/new".to_owned()),
                "slow" => Verdict::Unknown(Why::Fault(Fault::Timeout)),
                _ => Verdict::Alive,
            }
            .into()
        };
        links.iter().map(answer).collect()
    }
}

#[test]
fn documents_are_judged_in_order_when_their_answers_are_there() {
    let directory = std::env::temp_dir().join(format!("urigrep-web-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let texts = [
        ("a.md", "[a](https://a.dev/gone) [b](none.md) [c](https://a.dev/there)\n"),
        ("b.md", "[a](b.md)\n"),
        ("c.md", "[a](https://a.dev/moved#x) [b](https://a.dev/slow)\n\n[c]: https://a.dev/gone\n"),
        ("d.md", "[a](https://a.dev/no-host) <!-- urigrep-disable-line dead-link -->\n"),
        (
            "e.md",
            "[a](https://a.dev/gone) <!-- urigrep-disable-line -->\n[b](https://a.dev/gone)\n",
        ),
    ];
    for (name, text) in texts {
        fs::write(directory.join(name), text).unwrap();
    }
    let mut filter = Filter::default();
    filter.least = Severity::Note;
    let auditor = Auditor::builder().filter(filter).answers(PathSays::default()).build();
    assert!(auditor.checks().any(|check| check.id == "dead-link"));
    let mut found = Vec::new();
    let mut suppressed = 0;
    let ran = auditor.run(
        [&directory],
        |outcome| outcome,
        |outcome| {
            if let AuditOutcome::Audited(document) = outcome {
                let name = document.input().path().unwrap().file_name().unwrap().to_owned();
                suppressed += document.counts().suppressed.comment;
                for located in document.findings() {
                    let (line, id) = (located.start.line, located.finding.check.id);
                    let severity = located.severity.name();
                    found.push(format!("{}:{line}: {severity} {id}", name.to_string_lossy()));
                }
            }
            ControlFlow::Continue(())
        },
    );
    ran.unwrap();
    assert_eq!(
        found,
        [
            "a.md:1: error dead-link",
            "a.md:1: error missing-target",
            "c.md:1: note moved-link",
            "c.md:1: note unverified-link",
            "c.md:3: note dead-link",
            "e.md:2: error dead-link",
        ]
    );
    assert_eq!(suppressed, 2);
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn without_answers_no_url_is_judged() {
    let auditor = Auditor::builder().build();
    assert!(!auditor.checks().any(|check| check.id == "dead-link"));
}
