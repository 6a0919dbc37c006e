//! The list of checks, and the order in which they look at a link.
//!
//! A fault is reported once. Of each row of checks, only the first that finds something reports it.
//! A link that is not what its author meant is not checked further.

use std::path::Path;

use super::answers::PageFiles;
use super::link_context::AuditedPage;
use super::{identity, syntax, target};
use crate::audit::{
    AuditFinding, AuditOptions, Check, Facts, Fix, LinkContext, LinkKind, Safety, TargetLookup,
};
use crate::document::LinkOrigin;

/// All checks of links, in the order of
/// [docs/reference/checks.md](https://docs.rs/crate/urigrep/latest/source/docs/reference/checks.md),
/// which explains each of them, and says which are errors, warnings, and notes.
///
/// ```
/// use urigrep::audit::CHECKS;
/// assert!(CHECKS.iter().any(|check| check.id == "missing-target"));
/// ```
pub static CHECKS: &[&Check] = &[
    &syntax::invalid::CHECK,
    &syntax::lax::CHECK,
    &syntax::percent::CHECK,
    &syntax::normal::CHECK,
    &syntax::junk::CHECK,
    &syntax::hyphen::CHECK,
    &syntax::broken::CHECK,
    &identity::scheme::CHECK,
    &identity::namespace::CHECK,
    &identity::name::CHECK,
    &identity::credentials::CHECK,
    &identity::userinfo::CHECK,
    &identity::rare_ip::CHECK,
    &identity::private::CHECK,
    &identity::mixed::CHECK,
    &identity::placeholder::CHECK,
    &identity::text::CHECK,
    &target::missing::CHECK,
    &target::own_site::CHECK,
    &target::case::CHECK,
    &target::anchor::CHECK,
    &target::duplicate::CHECK,
    &target::undefined::CHECK,
    &target::unchecked::CHECK,
];

/// Checks of URLs, which need [`Answers`](super::Answers).
pub static WEB_CHECKS: &[&Check] = &[
    &target::web::DEAD_LINK,
    &target::web::INSECURE_LINK,
    &target::web::REDIRECTED_LINK,
    &target::web::UNREACHABLE_ANCHOR,
    &target::web::MOVED_LINK,
    &target::web::UNVERIFIED_LINK,
];

type CheckFunction = fn(&LinkContext<'_>) -> Option<AuditFinding>;

const MEANT: &[CheckFunction] =
    &[identity::placeholder::check, syntax::invalid::check, syntax::junk::check];

/// Rows for all links.
const ROWS: &[&[CheckFunction]] = &[
    // A wrong character may be the reason why a target is missing.
    &[
        syntax::percent::check,
        target::case::check,
        target::missing::check,
        target::anchor::check,
        target::moved::check,
        target::unchecked::check,
        syntax::lax::check,
        syntax::normal::check,
    ],
    &[syntax::hyphen::check],
];

/// Rows for what MDX imports.
const OF_IMPORTS: &[&[CheckFunction]] = &[&[
    target::case::check,
    target::missing::check,
    target::moved::check,
    target::unchecked::check,
]];

/// Further rows for URIs only; most links of a page are relative.
const URI_ROWS: &[&[CheckFunction]] = &[
    &[identity::scheme::check, identity::namespace::check, identity::name::check],
    &[identity::userinfo::check, identity::credentials::check],
    &[identity::rare_ip::check, identity::mixed::check, identity::private::check],
];

/// Passes the findings of a document to `sink`: those of its links first, in document order.
///
/// `path` is the path of the document, as `files` knows it.
pub fn check(
    path: &Path,
    facts: &Facts,
    options: &AuditOptions,
    files: &dyn TargetLookup,
    sink: &mut dyn FnMut(AuditFinding),
) {
    check_page(&AuditedPage::new(path, facts, options, PageFiles::new(files)), sink);
}

/// Like [`check`], for a document with its site.
pub(super) fn check_page(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    check_links(page, sink);
    identity::text::check(page, sink);
    identity::placeholder::check_empty(page, sink);
    target::duplicate::check(page, sink);
    target::orphan::check(page, sink);
    target::undefined::check(page, sink);
    target::wikilink::check(page, sink);
    syntax::broken::check(page, sink);
}

/// Passes the findings of the links to `sink`, in document order.
pub(super) fn check_links(page: &AuditedPage<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    for link in page.facts.links() {
        check_link(&LinkContext::new(link, page), sink);
    }
}

/// True for a fix that writes whole addresses.
fn is_address(fix: &Fix) -> bool {
    fix.edits.iter().all(|edit| edit.to.text().starts_with("http"))
}

/// Runs the checks of one link.
pub(super) fn check_link(context: &LinkContext<'_>, sink: &mut dyn FnMut(AuditFinding)) {
    // An item of code is resolved by rustdoc, so no check of links applies.
    if context.is_code_path() {
        return;
    }
    // Most checks only look at facts that were computed once per link (`RareBytes`, the
    // destination). That took a web link from 8,000 to 4,500 instructions.
    let first = |row: &[CheckFunction]| row.iter().find_map(|probe| probe(context));
    let mut sink = |mut finding: AuditFinding| {
        // The rest of an expression stays, and may write a part of the address itself.
        if finding.fix.is_some() && context.is_in_expression() {
            finding.fix = None;
        }
        // A bare path in text would be no link.
        if finding.fix.as_ref().is_some_and(|it| context.is_autolink() && !is_address(it)) {
            (finding.fix, finding.hint) = (None, None);
        }
        // Nothing says how a program compares the URIs of an unknown scheme.
        if let Some(fix) = finding.fix.as_mut()
            && fix.safety == Safety::Safe
            && identity::scheme::unknown(context).is_some()
        {
            fix.safety = Safety::Unsafe;
        }
        sink(finding);
    };
    if let Some(finding) = first(MEANT) {
        sink(finding);
        return;
    }
    // A string of JavaScript is not a URI: bundlers decode nothing in it.
    let rows = if context.link.origin == LinkOrigin::Import { OF_IMPORTS } else { ROWS };
    rows.iter().filter_map(|row| first(row)).for_each(&mut sink);
    if matches!(context.link.kind, LinkKind::Absolute(_)) {
        URI_ROWS.iter().filter_map(|row| first(row)).for_each(&mut sink);
    }
}
