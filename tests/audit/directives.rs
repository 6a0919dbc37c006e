//! Comments that turn checks off.

use urigrep::Span;
use urigrep::audit::{AuditOutcome, AuditedDocument, Auditor, Check, Severity};
use urigrep::search::Input;

const fn check(id: &'static str) -> Check {
    let (summary, rationale) = ("any link", "None.");
    Check { id, severity: Severity::Error, summary, rationale, fails: "", passes: "" }
}

static FIRST: Check = check("first");
static OTHER: Check = check("other");

fn linked(text: &str) -> String {
    text.replace('@', "<a href=urn:x:y>@</a>")
}

/// What is found in HTML, in which each `@` becomes a link that both checks dislike.
fn audit(text: &str) -> AuditedDocument {
    let name = format!("urigrep-directives-{}-{:p}.html", std::process::id(), text);
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, linked(text)).unwrap();
    let auditor = Auditor::builder()
        .check(&FIRST, |_| Some("first".to_owned()))
        .check(&OTHER, |_| Some("other".to_owned()))
        .build();
    let outcome = auditor.audit(&Input::file(&path));
    std::fs::remove_file(&path).unwrap();
    match outcome {
        AuditOutcome::Audited(document) => *document,
        other => panic!("{other:?}"),
    }
}

/// Whether the check is turned off at each `@` of the text.
fn off(text: &str, check: &Check) -> Vec<bool> {
    let document = audit(text);
    let found = |span: Span| {
        let findings = document.findings().iter().map(|located| &located.finding);
        findings.filter(|finding| finding.check == check).any(|finding| finding.span == span)
    };
    let text = linked(text);
    let links = text.as_bytes().windows(8).enumerate().filter(|(_, text)| *text == b"urn:x:y>");
    links.map(|(at, _)| !found(Span::new(at, at + 7))).collect()
}

#[test]
fn regions() {
    let text = "@ <!-- urigrep-disable first --> @ @ <!-- urigrep-disable first --> @ <!-- urigrep-enable --> @\n\
                <!-- urigrep-disable first, other -- why --> @ <!-- urigrep-enable other --> @";
    assert_eq!(off(text, &FIRST), [false, true, true, true, false, true, true]);
    assert_eq!(off(text, &OTHER), [false, false, false, false, false, true, false]);
    assert_eq!(off("@\n<!-- urigrep-disable-file -->\n@", &FIRST), [true, true]);
    assert_eq!(off("@\n<!-- urigrep-enable -->\n@", &FIRST), [false, false]);
}

#[test]
fn the_next_line() {
    let text = "@ <!-- urigrep-disable-next-line\n --> @\n@ <!-- urigrep-disable-next-line --> @\n@ @\n@\n";
    assert_eq!(off(text, &FIRST), [false, false, true, true, true, true, false]);
    assert_eq!(off("<!-- urigrep-disable-next-line -->", &FIRST), [false; 0]);
}

#[test]
fn the_same_line() {
    let text = "@\n@ <!-- urigrep-disable-line --> @\n@ <!-- urigrep-disable-line first -->\n@";
    assert_eq!(off(text, &FIRST), [false, true, true, true, false]);
    assert_eq!(off(text, &OTHER), [false, true, true, false, false]);
    let both = "@ <!-- urigrep-disable-next-line -->\n@ <!-- urigrep-disable-line --> @\n@";
    assert_eq!(off(both, &FIRST), [false, true, true, false]);
}

#[test]
fn unknown() {
    let said = |text: &str| {
        let findings: Vec<_> =
            audit(text).findings().iter().map(|located| located.finding.clone()).collect();
        findings.into_iter().map(|it| (it.message, it.hint.unwrap_or_default())).collect::<Vec<_>>()
    };
    assert_eq!(said("<!-- see urigrep-disable-nothing -->"), []);
    let (message, hint) = said("<!-- urigrep-disable-next-lin -->").remove(0);
    assert_eq!(message, "`urigrep-disable-next-lin` is not a directive of urigrep");
    assert_eq!(hint, "did you mean `urigrep-disable-next-line`?");
    let (message, _) = said("<!-- urigrep-disable nothing-such -->").remove(0);
    assert_eq!(message, "no such check: `nothing-such`");
    // a misspelled name turns off nothing else
    assert_eq!(off("<!-- urigrep-disable nothing-such --> @", &FIRST), [false]);
}
