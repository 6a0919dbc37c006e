//! A check of one's own in an audit: `cargo run --example own_check -- docs README.md`.

use urigrep::audit::{AuditOutcome, Auditor, Check, OwnFinding, Severity};
use urigrep::search::WalkError;

static PLAIN_HTTP: Check = Check {
    id: "plain-http",
    severity: Severity::Warning,
    summary: "a link that is not encrypted",
    rationale: "Everyone on the way can read and change what it leads to.",
    fails: "[a](http://a.dev/)",
    passes: "[a](https://a.dev/)",
};

fn main() -> Result<(), WalkError> {
    let roots = std::env::args_os().skip(1);
    let auditor = Auditor::builder().check(&PLAIN_HTTP, |link| {
        let is_plain = link.uri()?.scheme() == "http";
        is_plain.then(|| OwnFinding::new("it is not encrypted").hint("write `https`"))
    });
    auditor.build().for_each(roots, |outcome| {
        if let AuditOutcome::Audited(document) = outcome {
            print!("{document}");
        }
    })
}
