//! `moved-link` of the own site: a link to a page that the settings of the site redirect.

use crate::audit::finding::shown_path;
use crate::audit::target::web::MOVED_LINK;
use crate::audit::{AuditFinding, LinkContext, Safety};

pub fn check(context: &LinkContext<'_>) -> Option<AuditFinding> {
    let target = context.target()?;
    let (moved_to, path) = (target.moved_to.as_deref()?, target.path.as_ref()?);
    let message = format!(
        "`{}` has moved: the settings of the site redirect it to `{}`",
        context.written,
        shown_path(path)
    );
    let finding = context.finding(&MOVED_LINK, message);
    // The settings know the address of the page; from a path, it is a guess.
    let address = format!("{moved_to}{}", context.split().1);
    let is_rooted = context.written.starts_with('/');
    let to = Some(address).filter(|to| is_rooted && context.would_pass(to));
    Some(match to.or_else(|| context.references_to(path)) {
        Some(to) => finding.hint(format!("write `{to}`")).fix(Safety::Safe, to),
        None => finding,
    })
}
