//! Detects trees in which a tool resolves the labels of Markdown: most of those have no definition.

use std::collections::HashSet;
use std::path::PathBuf;

use memchr::memmem;

use super::answers::most_are;
use crate::slice::SliceExt as _;

/// True if most labels have no definition, in most documents that use labels.
pub(super) fn are_custom(directories: &[PathBuf], is_item: impl Fn(&str) -> bool) -> bool {
    most_are(directories, |_, text| counted(text, &is_item))
}

/// Counts the references to labels without a definition, and those with one.
fn counted(text: &str, is_item: &impl Fn(&str) -> bool) -> [usize; 2] {
    // A rough scan instead of a parser: it decides about a majority, and runs over hundreds of
    // documents.
    let folded = |label: &str| label.trim().to_lowercase();
    // `r["a"]["b"]` in code is not a reference.
    let mut is_code = false;
    let prose = text.lines().filter(move |line| {
        let is_fence = ["```", "~~~"].iter().any(|it| line.trim_start().starts_with(it));
        is_code ^= is_fence;
        !is_fence && !is_code
    });
    let mut used = prose.flat_map(|line| {
        memmem::find_iter(line.as_bytes(), b"][").map(|at| at + 2).filter_map(move |at| {
            let label = line.clamped(at..).split([']', '[']).next()?;
            let closes = line.as_bytes().get(at + label.len()) == Some(&b']');
            let label = match label {
                // `[label][]`
                "" => line.clamped(..at - 2).rsplit('[').next()?,
                label => label,
            };
            let is_text = !label.starts_with(['"', '\'']);
            (closes && is_text && !is_item(label)).then(|| folded(label))
        })
    });
    let Some(first) = used.next() else { return [0, 0] };
    let definitions = text.lines().filter_map(|line| {
        let (label, _) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
        Some(folded(label))
    });
    let definitions: HashSet<String> = definitions.collect();
    let mut counts = [0, 0];
    for label in std::iter::once(first).chain(used) {
        counts[usize::from(definitions.contains(&label))] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_counted() {
        let text = "[a][b] [c][] [d][`E`] [é][É] [x]\n[y][\nz]\n\n[B]: b\n[É]: e";
        assert_eq!(counted(text, &|label| label.starts_with('`')), [1, 2]);
        assert_eq!(counted("[a] b", &|_| false), [0, 0]);
        let code = "```python\nr = q[a][b]\n```\n[c][d]\n~~~\n[e][f]\n~~~\nx[\"g\"][\"h\"]\n";
        assert_eq!(counted(code, &|_| false), [1, 0]);
    }
}
