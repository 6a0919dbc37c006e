//! Settings of markdown-link-check (`.markdown-link-check.json`).

use super::{Imported, ImportedValue, duration, lychee};

/// Adds a setting.
pub fn import(key: &str, value: &ImportedValue, to: &mut Imported) {
    let entries = || value.as_array().into_iter().flatten();
    match key {
        "ignorePatterns" => {
            let patterns = entries().filter_map(|entry| entry["pattern"].as_str());
            to.exclude_uris.extend(patterns.map(str::to_owned));
        }
        "replacementPatterns" => {
            for entry in entries() {
                let pair = entry["pattern"].as_str().zip(entry["replacement"].as_str());
                match pair {
                    Some((pattern, to_base)) if to_base.contains("{{BASEURL}}") => {
                        match to.site.clone() {
                            Some(site) => to.note(
                                key,
                                format!(
                                    "`{pattern}`: such links lead to files in [audit] root, not to {site}"
                                ),
                            ),
                            None => to.root = vec![".".to_owned()],
                        }
                    }
                    Some((pattern, _)) if is_of_paths(pattern) => {
                        to.note(
                            key,
                            format!(
                                "`{pattern}`: links to files are looked up as they are written"
                            ),
                        );
                    }
                    Some((pattern, replacement)) => {
                        to.remaps.push(format!("{pattern} {replacement}"));
                    }
                    None => to.note(key, format!("`{entry}` has no pattern and replacement")),
                }
            }
        }
        "aliveStatusCodes" => lychee::accept(value, to),
        "timeout" => to.online_if_valid(key, "timeout", duration(value), value),
        "retryCount" => to.retry(key, value),
        "retryOn429" | "fallbackRetryDelay" => {
            to.note(key, "a host that answers 429 is always asked later, as its Retry-After says");
        }
        "httpHeaders" => to.note(key, "--header 'HOST NAME: VALUE', with secrets as $VARIABLES"),
        "projectBaseUrl" => {
            let url = value.as_str().unwrap_or_default();
            if url.starts_with("http://") || url.starts_with("https://") {
                to.site = Some(url.to_owned());
                to.note(key, "[audit] root is the directory of what is published at this URL");
            } else {
                // A path, or `file:`: the directory of the project.
                to.root = vec![".".to_owned()]
            }
        }
        "ignoreDisable" => to.note(key, "comments of other checkers are not read"),
        _ => to.unknown(key),
    }
}

/// True for an expression that matches no URL of the web, only the start of a path. Remaps are
/// about URLs.
fn is_of_paths(expression: &str) -> bool {
    let Some(start) = expression.strip_prefix('^') else { return false };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-\\".contains(c);
    let plain = start.split(|c: char| !is_plain(c)).next().unwrap_or_default();
    // A letter before `?` or `*` may be missing.
    let is_optional =
        start.get(plain.len()..).is_some_and(|rest| rest.starts_with(['?', '*', '{', '|']));
    !plain.is_empty() && !is_optional && !plain.starts_with("http") && !"http".starts_with(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_paths() {
        for (expression, expected) in [
            ("^docs/nope", true),
            ("^/docs", true),
            ("^\\./a", true),
            ("^https://a/", false),
            ("^h", false),
            ("^(https?://a)", false),
            ("docs/", false),
            ("^.*", false),
            ("^", false),
        ] {
            assert_eq!(is_of_paths(expression), expected, "{expression}");
        }
    }
}
