//! Names with `*` for any characters and `?` for one.

/// True when `pattern` is all of `text`. Goes back to the last `*` only, so it costs no more than their product.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // The pattern behind the last `*`, and the text that it has not yet been held against.
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
