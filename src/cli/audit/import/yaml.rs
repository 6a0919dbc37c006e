//! The YAML of a flat configuration: keys with scalars and lists of scalars.

use serde_json::{Map, Number, Value};

/// Parses such a file.
///
/// # Errors
/// If it has anything else; the message names the line.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut settings = Map::new();
    let mut last: Option<String> = None;
    let mut lines = text.lines().map(|line| without_comment(line).trim_end()).enumerate();
    while let Some((index, line)) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.is_empty() || trimmed == "---" {
            continue;
        }
        let fault = |what: &str| format!("line {}: {what}", index + 1);
        if let Some(item) = trimmed.strip_prefix('-') {
            let list = last.as_ref().and_then(|key| settings.get_mut(key));
            let list = list.ok_or_else(|| fault("a list item without a key"))?;
            if list.is_null() {
                *list = Value::Array(Vec::new());
            }
            let items = list.as_array_mut().ok_or_else(|| fault("the key already has a value"))?;
            items.push(scalar(item.trim()).map_err(|what| fault(&what))?);
            continue;
        }
        if line.len() > trimmed.len() {
            // The members of a nested table, such as headers, which are not needed.
            continue;
        }
        let (key, value) =
            trimmed.split_once(':').ok_or_else(|| fault("`key: value` is expected"))?;
        let mut value = value.trim().to_owned();
        // A list or table in brackets may continue on the next lines.
        let close = value.chars().next().and_then(closing_bracket);
        while let Some(close) = close
            && !value.ends_with(close)
        {
            let (_, next) = lines.next().ok_or_else(|| fault(&format!("no `{close}` follows")))?;
            value.extend([" ", next.trim()]);
        }
        let value = match (value.strip_prefix('['), close) {
            _ if value.is_empty() => Value::Null,
            (Some(list), _) => {
                let items = list_items(list.strip_suffix(']').unwrap_or(list));
                let items: Result<Vec<_>, _> = items.into_iter().map(scalar).collect();
                Value::Array(items.map_err(|what| fault(&what))?)
            }
            // A table in braces, such as headers, which is not needed.
            (None, Some(_)) => Value::Null,
            (None, None) => scalar(&value).map_err(|what| fault(&what))?,
        };
        let key = key.trim().trim_matches(['"', '\'']).to_owned();
        settings.insert(key.clone(), value);
        last = Some(key);
    }
    Ok(Value::Object(settings))
}

fn closing_bracket(open: char) -> Option<char> {
    match open {
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    }
}

/// Returns the items between commas that are outside of quotes.
fn list_items(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut quote) = (Vec::new(), 0, None);
    for (at, c) in list.char_indices() {
        match (quote, c) {
            (None, ',') => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            (None, '"' | '\'') if list[start..at].trim().is_empty() => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    items.push(&list[start..]);
    items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// Removes a comment: `#` at the start, or after a blank and outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            // A `#` within a word belongs to it (YAML 1.2 §6.6): the fragment of a URI.
            (None, '#') if before.is_whitespace() => return &line[..at],
            // An apostrophe within a word opens no quote, and must not hide the comment after it.
            (None, '"' | '\'') if before.is_whitespace() || before == '[' || before == ',' => {
                quote = Some(c);
            }
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        before = c;
    }
    line
}

fn scalar(text: &str) -> Result<Value, String> {
    if let Some(quoted) = text.strip_prefix('\'') {
        let quoted = quoted.strip_suffix('\'').ok_or("the quote is not closed")?;
        // In single quotes a quote is doubled, and a backslash is itself (YAML 1.2 §7.3.2), as
        // expressions need it.
        return Ok(Value::String(quoted.replace("''", "'")));
    }
    if let Some(quoted) = text.strip_prefix('"') {
        let quoted = quoted.strip_suffix('"').ok_or("the quote is not closed")?;
        // Of YAML's escapes, only those of JSON occur in expressions.
        let parsed = serde_json::from_str(text);
        return Ok(parsed.unwrap_or_else(|_| Value::String(quoted.to_owned())));
    }
    if text.starts_with(['[', '{', '|', '>', '&', '*', '!', '@', '`']) {
        return Err(format!("`{text}` is unsupported YAML; write it in quotes"));
    }
    Ok(match text {
        // `yes` and `on` are booleans only by YAML 1.1, which many parsers still follow.
        "true" | "True" | "yes" | "on" => Value::Bool(true),
        "false" | "False" | "no" | "off" => Value::Bool(false),
        "null" | "~" => Value::Null,
        _ => match text.parse::<u64>() {
            Ok(number) => Value::Number(Number::from(number)),
            Err(_) => Value::String(text.to_owned()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_files() {
        let text = "---\n# c\nA: true # d\nB: [x, \"y#\"]\nC:\n  - '^a''b'\n- \"c\\\\d\"\nD: 7\nE: a#b\nF:\n  G: 1\n";
        let expected = serde_json::json!({
            "A": true, "B": ["x", "y#"], "C": ["^a'b", "c\\d"], "D": 7, "E": "a#b", "F": null
        });
        assert_eq!(parse(text), Ok(expected));
        assert!(parse("- a").unwrap_err().starts_with("line 1"));
        assert!(parse("A: b\n- a").is_err() && parse("word").is_err());
    }

    #[test]
    fn brackets_over_several_lines() {
        let text = "A: [\n# c\n\"x,y\", # d\n'z]',\n]\nB: {\"Range\": \"b\"}\nC: 1\n";
        let expected = serde_json::json!({ "A": ["x,y", "z]"], "B": null, "C": 1 });
        assert_eq!(parse(text), Ok(expected));
        for (text, message) in [
            ("A: 1\nB: [a, b\nC: 2", "line 2: no `]` follows"),
            ("B: {a: b", "line 1: no `}` follows"),
            ("A: \"x", "line 1: the quote is not closed"),
            ("A:\n- 'x", "line 2: the quote is not closed"),
            ("A: [\"x, 'y']", "line 1: the quote is not closed"),
            ("A: |\n  x", "line 1: `|` is unsupported YAML"),
        ] {
            let fault = parse(text).unwrap_err();
            assert!(fault.starts_with(message), "{text}: {fault}");
        }
    }
}
