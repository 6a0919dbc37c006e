//! `textDocument/hover`: what a link is, where it leads, and why it ends where it does.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::{Value, json};
use urigrep::audit::{AuditOutcome, AuditedDocument, LocatedFinding, PathStatus, ResolvedTarget};
use urigrep::reference::Normalizer;
use urigrep::search::Hit;
use urigrep::{Finding, UriRef};

use super::dispatch::View;
use super::links::{each_hit, resolve};
use super::types::LspPosition;
use crate::cli::output::step_text;

pub fn hover(view: View<'_>, position: LspPosition) -> Option<Value> {
    let document = view.document;
    let offset = document.lines.offset(&document.text, position);
    // The end counts: a cursor right behind a link is still on it for its user.
    let has = |span: &Range<usize>| span.start <= offset && offset <= span.end;
    let mut found: Option<(Range<usize>, String)> = None;
    each_hit(view, |span, hit| {
        if has(&span) && found.is_none() {
            found = Some((span, about_hit(view, hit)));
        }
    });
    let resolved = resolve(view);
    let links = resolved.iter().flat_map(|document| document.links());
    let target = links.filter(|(link, _)| has(&link.span.range())).find_map(|(link, target)| {
        Some((link.span.range(), link.written.to_owned(), target?.clone()))
    });
    let (span, mut text) = match (found, target) {
        (None, None) => (offset..offset, String::new()),
        (Some(found), None) => found,
        (found, Some((span, written, target))) => {
            let mut text = found.map_or_else(|| format!("`{written}`\n"), |(_, text)| text);
            about_target(&target, &mut text);
            (span, text)
        }
    };
    let mut span = span;
    let audited = audited(view);
    let profile = audited.as_ref().and_then(|audited| audited.profile());
    if let Some(profile) = profile.filter(|_| !text.is_empty()) {
        let _ = writeln!(text, "- site: {}", profile.name());
    }
    let findings = audited.iter().flat_map(|audited| audited.findings());
    for located in findings.filter(|it| has(&it.finding.span.range())) {
        if text.is_empty() {
            span = located.finding.span.range();
        }
        about_finding(located, &mut text);
    }
    if text.is_empty() {
        return None;
    }
    let range = document.lines.range(document.text.as_bytes(), span);
    Some(json!({"contents": {"kind": "markdown", "value": text}, "range": range}))
}

fn audited(view: View<'_>) -> Option<Box<AuditedDocument>> {
    let (folder, path) = view.place()?;
    match folder.audit(path)? {
        AuditOutcome::Audited(document) => Some(document),
        _ => None,
    }
}

fn about_hit(view: View<'_>, hit: &Hit<'_>) -> String {
    let mut text = format!("`{}`\n\n", hit.uri());
    if let Some(parts) = hit.parsed() {
        parts_of(&parts, &mut text);
    }
    // Writing to a string does not fail.
    if let Some(normalized) = hit.normalized(&Normalizer::new())
        && *normalized != *hit.uri()
    {
        let _ = writeln!(text, "- normalized: `{normalized}`");
    }
    if let Some(target) = hit.target() {
        let _ = writeln!(text, "- leads to: `{target}`");
    }
    let flags: Vec<&str> = hit.flags().iter().map(|flag| flag.name()).collect();
    if !flags.is_empty() {
        let _ = writeln!(text, "- flags: {}", flags.join(", "));
    }
    if let Finding::Match(_) = hit.finding() {
        let other = urigrep::Finder::new();
        let finder = view.folder.map_or(&other, |folder| folder.auditor.search().finder());
        // The finder of the folder, because its options decide where a URI ends.
        for step in finder.explain(hit.finding()) {
            let shown = step_text(hit.step_text(&step));
            let colon = if shown.is_empty() { "" } else { ": " };
            let _ = writeln!(text, "- rule {}: {}{colon}{shown}", step.rule, step.what);
        }
    }
    text
}

fn parts_of(uri: &UriRef<'_>, text: &mut String) {
    let parts = [
        ("scheme", uri.scheme()),
        ("userinfo", uri.userinfo()),
        ("host", uri.host()),
        ("port", uri.port()),
        ("path", Some(uri.path()).filter(|path| !path.is_empty())),
        ("query", uri.query()),
        ("fragment", uri.fragment()),
    ];
    for (name, part) in parts {
        if let Some(part) = part {
            let _ = writeln!(text, "- {name}: `{part}`");
        }
    }
}

fn about_target(target: &ResolvedTarget, text: &mut String) {
    let status = match &target.status {
        PathStatus::File => "file",
        PathStatus::Directory => "directory",
        PathStatus::OtherCase { .. } => "other case",
        PathStatus::Missing { .. } => "missing",
        PathStatus::Unknown => "unknown",
    };
    let _ = writeln!(text, "\n- leads to: `{}` ({status})", target.path.display());
    if let Some(fragment) = &target.fragment {
        let _ = writeln!(text, "- anchor: `{fragment}`");
    }
}

fn about_finding(located: &LocatedFinding, text: &mut String) {
    let finding = &located.finding;
    let (severity, id) = (located.severity, finding.check.id);
    let _ = writeln!(text, "\n**{severity}** `{id}`: {}", finding.message);
    if let Some(hint) = &finding.hint {
        let _ = writeln!(text, "\n{hint}");
    }
    if let Some(evidence) = &finding.evidence {
        let _ = writeln!(text, "\nLast seen: {evidence}.");
        for redirect in &evidence.redirects {
            let _ = writeln!(text, "- {} to `{}`", redirect.status, redirect.to);
        }
        if let Some(copy) = evidence.archived.as_deref().filter(|copy| !copy.is_empty()) {
            let _ = writeln!(text, "- archived copy: <{copy}>");
        }
    }
    let _ = writeln!(text, "\n{}", finding.check.rationale);
}
