//! Matches names against patterns: `*` for any characters, `?` for one.

/// True if `pattern` matches all of `text`. It backtracks only to the last `*`, so the cost is at
/// most the product of both lengths.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // The pattern after the last `*`, and the rest of the text to try it on next.
    let mut retry = None;
    loop {
        let rest = text.clone();
        match (pattern.next(), text.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                text = rest;
                retry = Some((pattern.clone(), text.clone()));
            }
            (Some('?'), Some(_)) => {}
            (Some(wanted), Some(c)) if wanted == c => {}
            _ => {
                // Let the last `*` match one more character and try again. Earlier ones need not be
                // tried: if a later `*` fails, they fail, too.
                let Some((after_star, mut skipped)) = retry.take() else {
                    return false;
                };
                if skipped.next().is_none() {
                    return false;
                }
                pattern = after_star.clone();
                text = skipped.clone();
                retry = Some((after_star, skipped));
            }
        }
    }
}
