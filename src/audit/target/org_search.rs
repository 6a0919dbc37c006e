//! `missing-anchor` of Org: a link to a headline or id of another document,
//! `[[file:a.org::*Title]]` and `[[file:a.org::#id]]`, that is not there.

use std::ffi::OsStr;
use std::path::Path;

use super::anchor::CHECK;
use super::{LinkTarget, Unchecked, unchecked};
use crate::Span;
use crate::audit::finding::{cut, shown_path};
use crate::audit::{AuditFinding, LinkContext, PathStatus, paths};
use crate::document::Format;

pub(super) fn check(context: &LinkContext<'_>, target: &LinkTarget<'_>) -> Option<AuditFinding> {
    let page = context.page;
    let option = page.facts.search_option(&context.link)?;
    let path = target.path.as_deref().filter(|_| target.entry == PathStatus::File)?;
    // In files that are not Org, Emacs searches the text for the words.
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    Format::from_extension(extension).filter(|format| Some(*format) == page.facts.format())?;
    let other;
    let anchors = if paths::are_same(path, page.path) {
        page.anchors()
    } else {
        other = page.files.anchors(path)?;
        &*other
    };
    let (is_there, what, nearest) = if let Some(title) = option.text.strip_prefix('*') {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let nearest = anchors.nearest_title(&title).map(|it| format!("*{it}"));
        (anchors.has_title(&title), format!("headline `{}`", cut(&title)), nearest)
    } else {
        // A number is a line, `/a/` a regular expression, `(a)` a line of code, and anything else
        // may be found in the text (Org, "Search Options in File Links").
        let id = option.text.strip_prefix('#')?;
        let nearest = anchors.nearest(id).map(|it| format!("#{it}"));
        (anchors.contains(id), format!("id `{}`", cut(id)), nearest)
    };
    if is_there {
        return None;
    }
    if anchors.is_open() {
        return Some(unchecked::finding(context, Unchecked::Open));
    }
    let message = format!("`{}` has no {what}", shown_path(Path::new(path)));
    let finding = context.finding(&CHECK, message);
    Some(AuditFinding {
        span: Span::new(context.link.span.start(), option.span.end()),
        uri: Some(format!("{}::{}", context.written, option.text)),
        hint: nearest.map(|it| format!("did you mean `{}`?", cut(&it))),
        ..finding
    })
}
