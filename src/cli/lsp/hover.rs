//! `textDocument/hover`: the parts of a link, its target, and the rules that decided its end.

use std::ops::Range;

use serde_json::{Value, json};
use urigrep::audit::{
    AuditOutcome, AuditedDocument, LocatedFinding, PathStatus, ResolvedDocument, ResolvedTarget,
};
use urigrep::reference::Normalizer;
use urigrep::search::Hit;
use urigrep::{Finding, UriRef};

use super::definition::target_at;
use super::dispatch::View;
use super::links::{each_hit, resolve};
use super::names;
use super::prose::{ContentFormat, Prose};
use super::types::LspPosition;
use crate::cli::output::step_text;

pub fn hover(view: View<'_>, position: LspPosition) -> Option<Value> {
    let document = view.document;
    let offset = document.lines.offset(&document.text, position);
    // The end counts: a cursor right after a link is still on it for its user.
    let has = |span: &Range<usize>| span.start <= offset && offset <= span.end;
    let mut found: Option<(Range<usize>, Prose)> = None;
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
    // `[[page]]` and `[text][label]` show their text, and lead to the same places.
    let named = || {
        let document = resolved.as_ref()?;
        let target = target_at(view, document, position)?;
        let wikilinks = document.wikilinks().iter().map(|link| link.text.span.range());
        let used = || Some(names::used_definition(view, document, offset)?.0);
        let span = wikilinks.into_iter().find(has).or_else(used)?;
        let written = view.document.text.get(span.clone())?.to_owned();
        Some((span, written, target))
    };
    let target = target.or_else(named);
    let place = || about_name(view, resolved.as_ref()?, offset);
    let (span, mut text) = match (found, target) {
        (None, None) => place().unwrap_or_else(|| (offset..offset, Prose::new(view.hover))),
        (Some(found), None) => found,
        (found, Some((span, written, target))) => {
            let written = || {
                let mut text = Prose::new(view.hover);
                text.line("", &written, "");
                text
            };
            let mut text = found.map_or_else(written, |(_, text)| text);
            about_target(&target, &mut text);
            (span, text)
        }
    };
    let mut span = span;
    let audited = view.place().and_then(|(folder, path)| folder.audit(path));
    let audited = audited.as_deref().and_then(document_of);
    let profile = audited.and_then(AuditedDocument::profile);
    if let Some(profile) = profile.filter(|_| !text.is_empty()) {
        text.words("- site: ", profile.name());
    }
    let findings = audited.into_iter().flat_map(AuditedDocument::findings);
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
    Some(json!({"contents": {"kind": view.hover.name(), "value": text.text}, "range": range}))
}

/// Returns the heading or target of the same document to which a reference by name leads.
fn about_name(
    view: View<'_>,
    document: &ResolvedDocument,
    offset: usize,
) -> Option<(Range<usize>, Prose)> {
    let mut references = document.facts().title_references().iter().map(|it| it.span.range());
    let span = references.find(|span| span.start <= offset && offset <= span.end)?;
    let place = names::referred_place(document, offset)?;
    let (source, lines) = (view.document.text.as_str(), &view.document.lines);
    let mut text = Prose::new(view.hover);
    text.line("", source.get(span.clone())?, "");
    let line = lines.line_of(place.start);
    let shown = source.get(lines.line(source, line))?.trim();
    text.line(&format!("\n- leads to line {}: ", line + 1), shown, "");
    Some((span, text))
}

fn document_of(outcome: &AuditOutcome) -> Option<&AuditedDocument> {
    match outcome {
        AuditOutcome::Audited(document) => Some(document),
        _ => None,
    }
}

fn about_hit(view: View<'_>, hit: &Hit<'_>) -> Prose {
    let mut text = Prose::new(view.hover);
    text.line("", &hit.uri(), "\n");
    if let Some(parts) = hit.parsed() {
        parts_of(&parts, &mut text);
    }
    if let Some(normalized) = hit.normalized(&Normalizer::new())
        && *normalized != *hit.uri()
    {
        text.line("- normalized: ", &normalized, "");
    }
    if let Some(target) = hit.target() {
        text.line("- leads to: ", target, "");
    }
    let flags: Vec<&str> = hit.flags().iter().map(|flag| flag.name()).collect();
    if !flags.is_empty() {
        text.words(&format!("- flags: {}", flags.join(", ")), "");
    }
    if let Finding::Match(_) = hit.finding() {
        let other = urigrep::Finder::new();
        let finder = view.folder.map_or(&other, |folder| folder.auditor.search().finder());
        // The finder of the folder, because its options decide where a URI ends.
        for step in finder.explain(hit.finding()) {
            let shown = step_text(hit.step_text(&step));
            let colon = if shown.is_empty() { "" } else { ": " };
            text.words(&format!("- rule {}: {}{colon}", step.rule, step.what), &shown);
        }
    }
    text
}

fn parts_of(uri: &UriRef<'_>, text: &mut Prose) {
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
            text.line(&format!("- {name}: "), part, "");
        }
    }
}

fn about_target(target: &ResolvedTarget, text: &mut Prose) {
    let status = match &target.status {
        PathStatus::File => "file",
        PathStatus::Directory => "directory",
        PathStatus::OtherCase { .. } => "other case",
        PathStatus::Missing { .. } => "missing",
        PathStatus::Unknown => "unknown",
    };
    let path = target.path.display().to_string();
    text.line("\n- leads to: ", &path, &format!(" ({status})"));
    if let Some(fragment) = &target.fragment {
        text.line("- anchor: ", fragment, "");
    }
}

fn about_finding(located: &LocatedFinding, text: &mut Prose) {
    let finding = &located.finding;
    let (severity, id) = (located.severity, finding.check.id);
    match text.format {
        ContentFormat::Markdown => {
            text.words(&format!("\n**{severity}** `{id}`: "), &finding.message)
        }
        ContentFormat::PlainText => text.words(&format!("\n{severity} {id}: "), &finding.message),
    }
    if let Some(hint) = &finding.hint {
        text.words("\n", hint);
    }
    if let Some(evidence) = &finding.evidence {
        text.words("\nLast seen: ", &format!("{evidence}."));
        for redirect in &evidence.redirects {
            text.line(&format!("- {} to ", redirect.status), &redirect.to, "");
        }
        if let Some(copy) = evidence.archived.as_deref().filter(|copy| !copy.is_empty()) {
            text.line("- archived copy: ", copy, "");
        }
    }
    text.words("\n", finding.check.rationale);
}
