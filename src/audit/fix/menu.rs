//! Applies edits to the menu of a site, whose links no document format defines, and proves the
//! result by reading it again.

use crate::Span;
use crate::change::{AppliedEdit, Changed, Edit, Refusal, Replacement};
use crate::slice::SliceExt as _;

/// A link of a menu: its place, and its text.
pub(super) type MenuLink = (Span, String);

/// Changes links of a menu, all or none: the escapes that a new text needs, for example in a
/// program, are not known, and few links of a menu change at once.
pub(super) fn apply(
    source: &[u8],
    edits: &[Edit],
    read: impl Fn(&[u8]) -> Vec<MenuLink>,
) -> Changed {
    let old = read(source);
    let mut order: Vec<usize> = (0..edits.len()).collect();
    order.sort_by_key(|&index| edits.get(index).map(Edit::bytes));
    let (mut bytes, mut applied, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    let mut wanted: Vec<(&str, Option<usize>)> =
        old.iter().map(|(_, text)| (text.as_str(), None)).collect();
    let mut at = 0;
    for index in order {
        let Some(edit) = edits.get(index) else { continue };
        let [start, end] = edit.bytes().map(|it| usize::try_from(it).unwrap_or(usize::MAX));
        let link = old.binary_search_by_key(&start, |(span, _)| span.start()).ok();
        let link = link.filter(|&link| {
            old.get(link).is_some_and(|(span, text)| {
                span.end() == end && start >= at && text.as_bytes() == edit.from()
            })
        });
        let (Some(link), Replacement::Uri(to) | Replacement::Text(to)) = (link, edit.to()) else {
            refused.push((index, Refusal::Changed));
            continue;
        };
        bytes.extend_from_slice(source.part(at..start));
        let new = bytes.len();
        bytes.extend_from_slice(to.as_bytes());
        applied.push(AppliedEdit { edit: index, old: start..end, new: new..bytes.len() });
        if let Some(wanted) = wanted.get_mut(link) {
            *wanted = (to, Some(new));
        }
        at = end;
    }
    bytes.extend_from_slice(source.part(at..source.len()));
    let new = read(&bytes);
    let is_read = new.len() == wanted.len()
        && new.iter().zip(&wanted).all(|((span, text), (wanted, place))| {
            text == wanted && place.is_none_or(|place| place == span.start())
        });
    if !is_read {
        refused.extend(applied.iter().map(|it| (it.edit, Refusal::Encoded)));
        return Changed::new(source.to_vec(), Vec::new(), refused);
    }
    Changed::new(bytes, applied, refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a text in apostrophes.
    fn links(text: &[u8]) -> Vec<MenuLink> {
        let text = std::str::from_utf8(text).unwrap();
        let mut at = 0;
        let mut found = Vec::new();
        for (number, piece) in text.split('\'').enumerate() {
            if number % 2 == 1 {
                found.push((Span::new(at, at + piece.len()), piece.to_owned()));
            }
            at += piece.len() + 1;
        }
        found
    }

    fn changed(edits: &[(u64, &str, &str)]) -> (String, usize) {
        let edit = |&(at, from, to): &(u64, &str, &str)| {
            Edit::new([at, at + from.len() as u64], from, Replacement::Uri(to.to_owned()))
        };
        let edits: Vec<Edit> = edits.iter().map(edit).collect();
        let changed = apply(b"x 'a.md' 'b.md'", &edits, links);
        (String::from_utf8_lossy(changed.bytes()).into_owned(), changed.refused().len())
    }

    #[test]
    fn edits_that_are_read_back() {
        assert_eq!(changed(&[(3, "a.md", "c/d.md")]), ("x 'c/d.md' 'b.md'".to_owned(), 0));
        let both = [(10, "b.md", ""), (3, "a.md", "e")];
        assert_eq!(changed(&both), ("x 'e' ''".to_owned(), 0));
    }

    #[test]
    fn edits_that_are_refused() {
        for edit in [(3, "a.md", "it's"), (3, "b.md", "c"), (2, "a.md", "c"), (99, "a.md", "c")] {
            assert_eq!(changed(&[edit]), ("x 'a.md' 'b.md'".to_owned(), 1), "{edit:?}");
        }
        let twice = [(3, "a.md", "c"), (3, "a.md", "c")];
        assert_eq!(changed(&twice), ("x 'c' 'b.md'".to_owned(), 1));
    }
}
