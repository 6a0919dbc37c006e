//! Stand-ins in the links of many documents, such as `<LOKI_VERSION>`: the build of a site fills
//! them in.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;

use super::sample::{TOO_FEW_OCCURRENCES, documents_throughout, usual};
use crate::slice::SliceExt as _;

/// In fewer documents, a stand-in may have been copied from one to the next.
const FEW_DOCUMENTS: usize = 5;
/// A longer text between brackets is not a name.
const MAX_NAME: usize = 40;

/// Returns the stand-ins, with their brackets, that many documents below these directories have in
/// URIs. So many are unlikely to be forgotten placeholders.
pub(super) fn find(directories: &[PathBuf]) -> HashSet<String> {
    let is_usual =
        |[all, documents]: [usize; 2]| all > TOO_FEW_OCCURRENCES && documents >= FEW_DOCUMENTS;
    let documents = documents_throughout(directories);
    usual(documents, |text| Box::new(names(text).map(Cow::Borrowed)), is_usual)
}

/// Returns `<name>` and `{name}` after a character that they follow in URIs only.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let opens = memchr::memchr2_iter(b'<', b'{', text.as_bytes());
    opens.filter_map(|at| {
        let before = text.as_bytes().get(at.checked_sub(1)?)?;
        let rest = text.clamped(at..);
        let close = if rest.starts_with('<') { '>' } else { '}' };
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.<{".contains(c)))?;
        let is_closed = rest.clamped(length..).starts_with(close);
        let name = rest.clamped(..length + 1);
        let is_name = is_closed && (3..=MAX_NAME).contains(&name.len());
        (matches!(before, b'/' | b'.' | b'=' | b':' | b'-') && is_name).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_follow_a_character_of_a_uri() {
        let text = "[a](/docs/<K6_VERSION>/b) <b> http://{host}/ x/<i>y</i> -<br/>";
        assert_eq!(names(text).collect::<Vec<_>>(), ["<K6_VERSION>", "{host}", "<i>"]);
    }
}
