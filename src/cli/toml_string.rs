//! Strings of TOML, for settings that a user can paste into `urigrep.toml`.

/// Returns a string of TOML; a literal one if that saves escapes, because expressions are easier to
/// read that way.
pub(crate) fn toml_string(text: &str) -> String {
    // A literal string has no escapes, so it can't have a `'` or a control character.
    if text.contains(|c: char| c == '\'' || c.is_control()) || !text.contains(['\\', '"']) {
        // JSON escapes the same characters as TOML, except for one.
        serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
    } else {
        format!("'{text}'")
    }
}
