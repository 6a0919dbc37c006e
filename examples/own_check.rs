//! A check of one's own in an audit: links that are not encrypted.
//!
//!     cargo run --example own_check -- docs README.md

use std::error::Error;
use std::ops::ControlFlow;

use urigrep::audit::{AuditOutcome, Auditor, Check, Severity};

static PLAIN_HTTP: Check = Check {
    id: "plain-http",
    severity: Severity::Warning,
    summary: "a link that is not encrypted",
    rationale: "Everyone on the way can read and change what it leads to.",
};

fn main() -> Result<(), Box<dyn Error>> {
    let auditor = Auditor::builder().check(&PLAIN_HTTP, |link| {
        (link.uri()?.scheme() == "http").then(|| "it is not encrypted".to_owned())
    });
    let print = |outcome: AuditOutcome| {
        if let AuditOutcome::Audited(document) = outcome {
            let path = String::from_utf8_lossy(document.input().display_path());
            for finding in document.findings() {
                println!("{path}:{finding}");
            }
        }
        ControlFlow::Continue(())
    };
    auditor
        .build()
        .run(std::env::args_os().skip(1), |outcome| outcome, print)?;
    Ok(())
}
