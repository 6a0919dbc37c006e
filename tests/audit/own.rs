//! Checks that a program adds.

use urigrep::Span;
use urigrep::audit::{AuditOutcome, Auditor, AuditorBuilder, Check, Filter, OwnFinding, Severity};
use urigrep::search::Input;

/// The report of a document in memory.
fn report(auditor: AuditorBuilder, text: &str) -> String {
    let mut filter = Filter::default();
    filter.least = Severity::Note;
    let auditor = auditor.filter(filter).build();
    match auditor.audit_text(&Input::in_tree("a.md"), text.into()) {
        AuditOutcome::Audited(document) => document.to_string(),
        other => panic!("{other:?}"),
    }
}

/// The list of words may come from a configuration: nothing of the check is `'static`.
#[test]
fn checks_of_a_configuration() {
    let forbidden = vec!["staging".to_owned(), "internal".to_owned()];
    let mut auditor = Auditor::builder();
    for word in forbidden {
        let check = Check::named(format!("no-{word}")).severity(Severity::Error).build();
        auditor = auditor.check(check, move |link| {
            link.link().written.contains(&word).then(|| format!("it leads to {word}"))
        });
    }
    assert_eq!(
        report(auditor, "<https://staging.a.dev/> <https://a.dev/>"),
        "a.md:1:2: error[no-staging]: it leads to staging\n"
    );
}

#[test]
fn several_findings_with_places_and_severities() {
    let check = Check::named("upper-case").severity(Severity::Warning).build();
    let auditor = Auditor::builder().check(check, |link| {
        let start = link.link().span.start();
        let written = link.link().written.to_string();
        let letters = written.char_indices().filter(|(_, c)| c.is_uppercase());
        let finding = |(at, c): (usize, char)| {
            let finding = OwnFinding::new(format!("`{c}` is in upper case"));
            let span = Span::new(start + at, start + at + c.len_utf8());
            finding.at(span).severity(if c == 'A' { Severity::Error } else { Severity::Note })
        };
        letters.map(finding).collect::<Vec<_>>()
    });
    // A finding is never more severe than its check.
    assert_eq!(
        report(auditor, "<https://a.dev/AbC>"),
        "a.md:1:16: warning[upper-case]: `A` is in upper case\n\
         a.md:1:18: note[upper-case]: `C` is in upper case\n"
    );
}

#[test]
fn whole_documents() {
    let check = Check::named("no-heading").build();
    let auditor = || {
        Auditor::builder().check_document(check, |document| {
            let is_found = document.facts().headings().next().is_some();
            (!is_found && document.text().ends_with(b"\n")).then_some("it has no heading")
        })
    };
    assert_eq!(report(auditor(), "text\n"), "a.md:1:1: warning[no-heading]: it has no heading\n");
    assert_eq!(report(auditor(), "# Title\n"), "");
    let disabled = "<!-- urigrep-disable-next-line no-heading -->\n";
    assert!(report(auditor(), &format!("text {disabled}")).contains("no-heading"));
    assert_eq!(report(auditor(), "<!-- urigrep-disable-file no-heading -->\ntext\n"), "");
}
