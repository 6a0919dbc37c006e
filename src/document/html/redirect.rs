//! Immediate redirects of a page: `<meta http-equiv=refresh>`, or a script.

use crate::document::{Content, Part, Role};

/// Returns the immediate redirect in this part of a page.
#[inline]
pub(crate) fn redirect(part: &Part<'_>) -> Option<String> {
    match (part.role, part.element, part.content) {
        (Role::Destination, Some("meta"), Content::Reference) => {
            Some(String::from_utf8_lossy(part.text).trim().to_owned())
        }
        (Role::Code, Some("script"), _) => location(part.text),
        _ => None,
    }
}

/// Returns the address that a script navigates to at once: `location.replace("a")`, `location.href
/// = "a"`.
fn location(script: &[u8]) -> Option<String> {
    /// A longer script does more than redirect.
    const MAX_LENGTH: usize = 512;
    let script = Some(script).filter(|script| script.len() <= MAX_LENGTH)?;
    let script = std::str::from_utf8(script).ok()?;
    let starts =
        ["location.replace(", "location.href=", "location.href =", "location=", "location ="];
    let after = starts.iter().find_map(|start| script.split_once(start))?.1.trim_start();
    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let target = after.get(1..)?.split(quote).next()?;
    (!target.is_empty()).then(|| target.to_owned())
}
