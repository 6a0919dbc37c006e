//! Translates regular expressions and globs of other link checkers.

/// Returns an expression that matches only this text.
pub fn exact(text: &str) -> String {
    format!("^{}$", regex::escape(text))
}

/// Returns the glob that is equivalent to an expression of paths, if there is one.
///
/// Most such expressions are plain paths, and match only these.
pub fn glob(expression: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || "/.-_ @~".contains(c);
    if !expression.is_empty() && expression.chars().all(is_plain) {
        // `./` is the directory in which the checker runs.
        let below = expression.strip_prefix("./").map(|path| format!("/{path}"));
        return Some(below.unwrap_or_else(|| expression.to_owned()));
    }
    let (rest, is_start) = match expression.strip_prefix('^') {
        Some(rest) => (rest, !rest.starts_with(".*")),
        None => (expression, false),
    };
    let rest = rest.strip_prefix(".*").unwrap_or(rest);
    let (rest, is_end) = match rest.strip_suffix('$').filter(|rest| !rest.ends_with('\\')) {
        Some(rest) => (rest, !rest.ends_with(".*")),
        None => (rest, false),
    };
    let path = literal(rest.strip_suffix(".*").unwrap_or(rest))?;
    // An expression matches anywhere in a path, a glob a whole name.
    let (start, path) = match (is_start, path.strip_prefix('/')) {
        (true, _) => ("/", path.trim_start_matches("./")),
        (false, Some(path)) => ("**/", path),
        (false, None) => ("**/*", path.as_str()),
    };
    let end = if is_end || path.ends_with('/') { "" } else { "*" };
    (!path.is_empty()).then(|| format!("{start}{path}{end}"))
}

/// Returns the only text that an expression matches; `None` if it matches several.
fn literal(expression: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = expression.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.push(rest.next().filter(|c| c.is_ascii_punctuation())?),
            // In `README.md`, the dot is meant literally.
            c if c.is_alphanumeric() || "/.-_ @~".contains(c) => text.push(c),
            _ => return None,
        }
    }
    let is_of_globs = text.contains(['*', '?', '[', '{', '!']);
    (!is_of_globs).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_paths() {
        for (expression, expected) in [
            ("vendor/", Some("vendor/")),
            ("README.md", Some("README.md")),
            ("./vendor", Some("/vendor")),
            ("^foo/ba.*$", Some("/foo/ba*")),
            ("^foo$", Some("/foo")),
            ("^docs/", Some("/docs/")),
            ("^\\./docs/old", Some("/docs/old*")),
            ("vendor/.*", Some("**/*vendor/")),
            (".*/node_modules/.*", Some("**/node_modules/")),
            ("\\.old\\.md$", Some("**/*.old.md")),
            ("^CHANGELOG\\.md$", Some("/CHANGELOG.md")),
            ("^.*\\.txt", Some("**/*.txt*")),
            ("^a|b$", None),
            ("v\\d+/", None),
            ("a.*b", None),
            ("[ab]", None),
            ("*.md", None),
            ("", None),
            (".*", None),
        ] {
            assert_eq!(glob(expression).as_deref(), expected, "{expression}");
        }
        assert_eq!(exact("/a.b?c"), "^/a\\.b\\?c$");
    }
}
