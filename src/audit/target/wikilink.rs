//! `[[wikilinks]]`, in trees that use them: to pages and files by name, and to their headings.

use std::iter::once;
use std::path::Path;

use super::{anchor, missing, wiki};
use crate::audit::finding::{cut, shown_path};
use crate::audit::link_context::AuditedPage;
use crate::audit::sites::WikiRule;
use crate::audit::{AuditFinding, Severity, SpannedText};
use crate::document::Format;
use crate::document::markdown::slug::SlugRule;

pub fn check(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    let links = page.facts.wikilinks();
    if links.is_empty() || page.is_part() || !page.files.has_wikilinks(&page.site) {
        return;
    }
    links.iter().filter_map(|link| finding(page, link)).for_each(sink);
}

fn finding(page: &AuditedPage<'_>, link: &SpannedText) -> Option<AuditFinding> {
    let (name, fragment) = parts(&link.text, page.site.rules().wiki);
    let found = page.files.page_named(&page.site, page.path, name);
    if !name.is_empty() && found.is_none() {
        let message = format!("no page or file is named `{}`", cut(name));
        return Some(AuditFinding {
            uri: Some(link.text.clone()),
            // Which names a wiki finds is a guess. Some people link to pages before they write
            // them.
            severity: if page.files.has_unwritten_pages(&page.site) {
                Severity::Note
            } else {
                Severity::Warning
            },
            ..AuditFinding::new(&missing::CHECK, link.span, message)
        });
    }
    missing_heading(page, found.as_deref(), fragment).map(|message| AuditFinding {
        uri: Some(link.text.clone()),
        ..AuditFinding::new(&anchor::CHECK, link.span, message)
    })
}

/// Splits a wikilink into the name of a page and a heading: `a/b#c|label`.
pub fn parts(text: &str, rule: WikiRule) -> (&str, &str) {
    if rule == WikiRule::Gollum {
        return wiki::parts(text);
    }
    let target = text.split('|').next().unwrap_or_default().trim_end_matches('\\');
    let (name, fragment) = target.split_once('#').unwrap_or((target, ""));
    (name.trim(), fragment.trim())
}

/// Returns the fault of a link to a heading, if its name does not exist.
fn missing_heading(page: &AuditedPage<'_>, path: Option<&Path>, fragment: &str) -> Option<String> {
    // `a#b#c` is the heading `c` below `b`, and `^d` a block.
    let heading = fragment.rsplit('#').next().filter(|heading| !heading.is_empty())?;
    if heading.starts_with('^') {
        return None;
    }
    let other;
    let anchors = match path {
        None => page.anchors(),
        Some(path) => {
            let format = path.extension().and_then(|extension| extension.to_str());
            format.and_then(Format::from_extension).filter(|format| format.is_source())?;
            other = page.files.anchors(path)?;
            &*other
        }
    };
    let mut slugs =
        SlugRule::for_slugs(page.site.slugs).iter().flat_map(|rule| rule.anchors(once(heading)));
    if anchors.is_open() || anchors.contains(heading) || slugs.any(|slug| anchors.contains(&slug)) {
        return None;
    }
    let place = match path {
        Some(path) => format!("`{}` has", shown_path(path)),
        None => "the document has".to_owned(),
    };
    Some(format!("{place} no heading `{}`", cut(heading)))
}
