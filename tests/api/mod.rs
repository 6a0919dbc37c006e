//! The library's interface: what its types promise beyond what a search finds.

use urigrep::{DetachedFinding, Finder, Finding, Match, OwnedMatch, Reason};

const TEXT: &str = "see <http://a.example/b-\n  c?d>, urn:isbn:0451450524, http://Bücher.example/é, http://{x}/ \
                    and ftp://joe:pw@a.example/%7e.";

fn owned(m: &Match<'_>) -> OwnedMatch {
    m.to_owned_match()
}

/// Every accessor of a match says the same once the match owns its text.
#[test]
fn an_owned_match_says_what_the_match_says() {
    fn static_and_send<T: Send + Sync + 'static>(value: T) -> T {
        value
    }
    let finder = Finder::new();
    let mut count = 0;
    for m in finder.find_iter(TEXT.as_bytes()) {
        let o = static_and_send(owned(&m));
        assert_eq!(
            (o.span(), o.start(), o.end(), o.range()),
            (m.span(), m.start(), m.end(), m.range())
        );
        assert_eq!(
            (o.as_bytes(), o.text(), o.uri()),
            (m.as_bytes(), &*m.text(), &*m.uri())
        );
        assert_eq!(
            (o.kind(), o.wrapper(), o.flags()),
            (m.kind(), m.wrapper(), m.flags())
        );
        assert_eq!(
            (o.iri(), o.alternative(), o.ranges()),
            (m.iri(), m.alternative(), m.ranges())
        );
        assert_eq!(
            (o.parsed(), o.urn(), o.nss_fault()),
            (m.parsed(), m.urn(), m.nss_fault())
        );
        assert_eq!(
            (o.scheme(), o.nid(), o.normalized()),
            (m.scheme(), m.nid(), m.normalized())
        );
        assert_eq!(
            (o.intended(), o.intended_bytes()),
            (m.intended(), m.intended_bytes())
        );
        let redacted = (o.redacted(), m.redacted());
        assert_eq!(
            redacted.0.map(|o| o.uri().to_owned()),
            redacted.1.map(|m| m.uri().into_owned())
        );
        assert_eq!(OwnedMatch::from(m).uri(), o.uri());
        count += 1;
    }
    assert_eq!(count, 4);
}

/// A detached finding is the same again in its own text, and harmless in any other.
#[test]
fn a_detached_finding_never_panics() {
    let finder = Finder::new();
    let detached: Vec<DetachedFinding> = finder
        .findings(TEXT.as_bytes())
        .map(Finding::detach)
        .collect();
    assert_eq!(detached.len(), 5);
    for (finding, detached) in finder.findings(TEXT.as_bytes()).zip(detached) {
        assert_eq!(detached.span(), finding.span());
        for length in 0..TEXT.len() {
            touch(&detached.clone().attach(&TEXT.as_bytes()[..length]));
        }
        touch(&detached.clone().attach("é".repeat(TEXT.len()).as_bytes()));
        let same = detached.attach(TEXT.as_bytes());
        assert_eq!(format!("{same:?}"), format!("{finding:?}"));
        touch(&same);
    }
}

fn touch(finding: &Finding<'_>) {
    match finding {
        Finding::Match(m) => {
            assert!(!m.uri().is_empty() && !m.scheme().is_empty());
            let _ = (m.flags(), m.parsed().host(), m.text(), m.redacted());
        }
        Finding::Rejected(r) => {
            assert!(r.reason() != Reason::OtherText || r.at() == 0);
            let _ = (r.as_bytes(), r.redacted());
        }
        other => panic!("{other:?}"),
    }
}

/// `Debug` never shows the haystack, nor more than a line of the text.
#[test]
fn debug_is_short() {
    let text = format!(
        "{} http://a.example/ {}",
        "x ".repeat(4000),
        "y ".repeat(4000)
    );
    let m = Finder::new().find(text.as_bytes()).unwrap();
    let shown = r#"Match { span: 8001..8018, text: "http://a.example/", kind: Uri }"#;
    assert_eq!(format!("{m:?}"), shown);
    let long = format!("http://a.example/{}", "x".repeat(5000));
    let m = Finder::new().find(long.as_bytes()).unwrap();
    assert!(format!("{m:?}").len() < 200 && format!("{:?}", m.to_owned_match()).len() < 200);
    let finding = Finder::new().reference(b"../a").unwrap();
    let shown = r#"Relative(Relative { span: 0..4, text: "../a", kind: Uri })"#;
    assert_eq!(format!("{finding:?}"), shown);
}
